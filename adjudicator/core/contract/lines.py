"""The forms that lines of orders have, the values of their blanks, and the spelling of words in games without forms.

Rulesets read orders with them (`Lines.read`), in open games and in games with hidden information. So does the order desk, where the
public does not know the legal orders.
"""

from __future__ import annotations

import difflib
import functools
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from adjudicator.core.contract.conditions import Condition, Terms, Wrong, read_condition
from adjudicator.core.text.problems import closest, nearest

BLANK = re.compile(r"\{(\w+)\}")
MOST_LETTERS = 2000
"""Maximum letters of a line: a hostile line of ten thousand would take long to match against every form."""
MOST_CONDITIONS = 500
"""Size of the cache of conditions."""
MOST_WORDS = 12
"""Number of known words that an error message lists."""
MOST_DEEP = 4
"""Maximum depth of blanks within blanks when an example line is built."""
LIKE = 0.74
"""Minimum similarity between the words of a line and those of a form for the form to be suggested."""
SMALL = frozenset({"with", "of", "to", "at", "for", "in", "on", "as", "from", "the", "a", "an"})
"""Words of forms that people often leave out."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Text of the button for orders of one form, and the sign that the desk draws for them."""

    form: str
    """Form of the order after its unit, with `{unit}` and `{place}` for names: `S {unit} - {place}`."""
    words: str
    """Text such as `Support {unit} to {place}`."""
    sign: Literal["stay", "go", "aid", "carry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How people spell the words of orders. The order desk and the ruleset match lines with the legal orders in the same way."""

    words: Mapping[str, str]
    """One or more words in lower case -> their spelling in a canonical order. Coasts are written `/SC`, to be joined to a name."""
    owners: tuple[str, ...] = ()
    """Owners that may be named before a unit, such as the `french` of `french A Paris`."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Words that are signs directly after the ordered unit, and names of places anywhere else."""
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sign of an order -> signs that may follow it without meaning: a hold after a support."""
    sayings: tuple[Saying, ...] = ()
    """Button texts for the forms of orders. If a line fits several, the first applies."""
    around: tuple[tuple[str, str], ...] = ()
    """Pairs of a regular expression for text that people write around the words of an order, and its replacement. If a pattern has a group
    called `route`, it applies only where that part holds nothing but places and `routes`."""
    routes: tuple[str, ...] = ()
    """Words of a route that name no place, such as the `then` of `via NTH, then NWG`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """Values that a blank accepts: `words`, a `shape`, an `exact` pattern, `forms`, a condition over `terms`, or several `of` another blank.

    Without any of these it accepts all text. Python and browsers read the regular expressions alike.
    """

    words: tuple[str, ...] = ()
    """Words in canonical spelling. People may write them in either case, and add or drop an `s` at the end."""
    shape: str = ""
    """Regular expression that the text must match after conversion to capitals."""
    exact: str = ""
    """Regular expression that the text must match as written."""
    forms: tuple[str, ...] = ()
    """Phrases with further blanks, such as `lord of {place}`."""
    terms: Terms | None = None
    """Names that a condition in this blank may use. Their arguments are blanks of the same `Lines`."""
    of: str = ""
    """Name of another blank: the text is one or more values of that blank."""
    ways: Mapping[str, tuple[str, ...]] | None = None
    """For a path: place -> places that one can reach from it. The first may be any place."""
    between: str = ""
    """Regular expression for the separator between two values."""
    joint: str = ", "
    """Separator between two values in a canonical line."""
    number: str = ""
    """Regular expression for the number before each value."""
    bare: bool = False
    """Whether the number may be left out."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Alternative names, and alternative forms with the same blanks -> the word or form that they mean (`won` -> `win`)."""
    loose: bool = False
    """Whether one word is enough for a name of several words, if no other name has it."""
    sample: str = ""
    """Example for this blank in a suggested line, if `words` cannot provide one."""
    such: str = ""
    """Advice for a wrong value, if `words` cannot provide it."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Fault in the value of a blank, and the right value."""

    what: str
    right: str


@dataclass(frozen=True, slots=True)
class Lines:
    """The forms of orders, by purpose, and their blanks."""

    forms: Mapping[str, tuple[str, ...]]
    blanks: Mapping[str, Blank]
    once: Mapping[str, tuple[str, ...]] | None = None
    """Form -> a word and blanks. Of the lines with the same word and the same values of these blanks, whatever their forms, a sheet may hold
    only one. Lines of a form without an entry may not be repeated. None if a sheet may repeat lines."""
    example: str = ""
    """Line that is shown as an example if a line fits no form; if empty, an example of the first form."""
    endings: tuple[str, ...] = ()
    """Texts that may follow any form, each at most once and in this order: ` if {condition}`, ` again`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Alternative names of words -> the words. They apply anywhere in a line, in either case; the longest match wins."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Alternative forms with the same blanks -> the form that they mean: `declare war on {seat}`. They are tried if no form fits."""
    around: tuple[tuple[str, str], ...] = ()
    """Pairs of a regular expression for text that people write around the words of an order, and its replacement. The line is then read again."""
    says: str = ""
    """Regular expression for the head of a line that carries a message. The text after the head stays unchanged."""

    shown: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """All forms in one sequence."""
    closest: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """All forms, those with the most fixed text first: a line that fits several most likely means the first of them."""
    _words: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _conditions: dict[str, tuple[Terms, Condition | Wrong]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    first: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    """First word in lower case -> the forms of lines that begin with it, in the order of `closest`; `""` -> the forms of any other line."""

    def __post_init__(self) -> None:
        """Sort the forms, so that the best match is tried first, and assert that every blank that they name exists."""
        shown = tuple(itertools.chain.from_iterable(self.forms.values()))
        closest = tuple(sorted(shown, key=lambda form: -len(BLANK.sub("", form))))
        begins = {form: form.partition(" ")[0].lower() for form in shown}
        open_ = {form for form, word in begins.items() if "{" in word or not word.isascii() or " " not in form}
        first = {
            word: tuple(form for form in closest if form in open_ or begins[form] == word)
            for word in ("", *begins.values())
        }
        words = {name.casefold(): word for name, word in self.names.items()}
        for name, value in (("shown", shown), ("closest", closest), ("first", first), ("_words", words)):
            object.__setattr__(self, name, value)
        ends = {name for ending in self.endings for name in BLANK.findall(ending)}
        named = {name for form in shown for name in BLANK.findall(form)}
        assert not ends & named, f"a form and an ending have the blank {', '.join(sorted(ends & named))}"
        named |= ends
        for blank in self.blanks.values():
            named |= {name for form in blank.forms for name in BLANK.findall(form)} | (
                {blank.of} if blank.of else set()
            )
            if blank.terms is not None:
                named |= {
                    name
                    for terms in (blank.terms.numbers, blank.terms.flags)
                    for arguments in terms.values()
                    for name in arguments
                }
        assert named <= set(self.blanks), f"no blank is called {', '.join(sorted(named - set(self.blanks)))}"

    def fill(self, name: str, given: str) -> str | Misfit:
        """Return the canonical text of `given` in the blank `name`, or the fault."""
        blank, text = self.blanks[name], given.strip()
        if blank.terms is not None:
            read = self._conditioned(blank.terms, text)
            return Misfit(read.what, read.right) if isinstance(read, Wrong) else str(read)
        if blank.exact and (other := self._other_name(blank, text)) is not None:
            return other
        if blank.exact:
            return text if re.fullmatch(blank.exact, text) else Misfit(f"{given[:40]!r} is no {name}", blank.such)
        if blank.of and blank.ways is not None:
            return self._path(blank, blank.ways, text)
        if blank.of:
            return self._several(blank, text)
        word = _find_word(text, blank.words) or (_find_loosely(text, blank.words) if blank.loose else None)
        if word is not None:
            return word
        if blank.shape and re.fullmatch(blank.shape, text.upper()):
            return text.upper()
        fault: Misfit | None = None
        for form in blank.forms:
            args = self.fit(pattern(form), text)
            if isinstance(args, Misfit):
                fault = fault or args
            elif args is not None:
                return fill_form(form, args)
        if (other := self._other_name(blank, text)) is not None:
            return other
        if not (blank.words or blank.shape or blank.forms):
            return fault or given
        meant = self._meant({**{one: one for one in (*blank.words, *blank.forms)}, **blank.also}, text)
        if fault is not None or blank.such:
            right = f"did you mean `{meant}`?" if meant is not None else ""
            if fault is not None:
                return replace(fault, right=right or fault.right)
            return Misfit(f"{given[:40]!r} is no {name}", right or blank.such)
        words = blank.words
        return Misfit(f"no {name} is called {given[:40]!r}", nearest(text, words) or ", ".join(words[:MOST_WORDS]))

    def condition(self, name: str, text: str) -> Condition:
        """The condition in a text that `fill` accepted for the blank `name`."""
        terms = self.blanks[name].terms
        assert terms is not None, f"the blank {name} holds no condition"
        read = self._conditioned(terms, text)
        assert isinstance(read, Condition), text
        return read

    def _conditioned(self, terms: Terms, text: str) -> Condition | Wrong:
        """Parse a text as a condition. The cache helps because each line's condition is needed twice."""
        found = self._conditions.get(text)
        if found is None or found[0] is not terms:
            if len(self._conditions) >= MOST_CONDITIONS:
                self._conditions.clear()
            found = self._conditions[text] = (terms, read_condition(text, terms, self._argument))
        return found[1]

    def _argument(self, name: str, given: str) -> str | Wrong:
        text = self.fill(name, given)
        return Wrong(text.what, text.right) if isinstance(text, Misfit) else text

    def read(self, line: str) -> tuple[str, dict[str, str]] | Misfit:
        """Return the form of a line, including endings, and the canonical values of its blanks; or the fault.

        If several forms fit, the one with the most fixed text wins. Case, white space and a full stop at the end do not matter.
        """
        if len(line) > MOST_LETTERS:
            return Misfit(f"the line has {len(line)} letters", f"at most {MOST_LETTERS} are allowed")
        found = self._read(line)
        if not isinstance(found, Misfit) or (plain := self.plain(line)) == line:
            return found
        again = self._read(plain)
        if not isinstance(again, Misfit) or again.right.startswith("did you mean"):
            return again if not isinstance(again, Misfit) else replace(found, right=again.right)
        return found

    def plain(self, line: str) -> str:
        """Remove text that people write around the words of a line; the text of a message stays unchanged."""
        head = re.match(self.says, line, re.IGNORECASE) if self.says else None
        said = line[head.end() :] if head is not None else ""
        plain = head[0] if head is not None else line
        for found, put in self.around:
            plain = re.sub(found, put, plain, flags=re.IGNORECASE)
        return " ".join(plain.split()) + said

    def _read(self, line: str) -> tuple[str, dict[str, str]] | Misfit:
        whole = self.by_words(" ".join(line.split()))
        fault: Misfit | None = None
        for form in self._beginning_as(whole):
            match = pattern(form, self.endings).fullmatch(whole if "{text}" in form else whole.rstrip(".;"))
            if match is None:
                continue
            args = self._filled(match)
            if isinstance(args, Misfit):
                fault = fault or args
            else:
                said = (ending for number, ending in enumerate(self.endings) if match[f"{ENDING}{number}"])
                return form + "".join(said), args
        plain = whole.rstrip(".; ")
        for form, meant in self.also.items():
            filled = self.fit(pattern(form), plain)
            if isinstance(filled, Misfit):
                fault = fault or filled
            elif filled is not None:
                return meant, filled
        if fault is not None:
            return fault
        return Misfit(f"{line[:60]!r} is no order", self.hint(plain))

    def hint(self, line: str, samples: Mapping[str, str] = MappingProxyType({})) -> str:
        """Suggest a correct line to somebody who wrote `line`, which fits no form.

        `samples` has values that the writer may use now (`seat` -> a rival).
        """
        meant = self._meant({form: self.also.get(form, form) for form in (*self.shown, *self.also)}, line)
        if meant is not None:
            return f"did you mean `{meant}`?"
        verb = line.partition(" ")[0].casefold()
        alike = [form for form in self.shown if form.casefold().startswith(f"{verb} ")]
        near = closest(line, self.shown)
        forms = alike[:2] or ([near] if near is not None else [])
        such = [text for form in forms if (text := self.sample(form, samples))] or list(filter(None, [self.example]))
        such = such or [text for form in self.shown if (text := self.sample(form, samples))][:1]
        return f"such as {' or '.join(f'`{text}`' for text in such)}" if such else ""

    def sample(self, form: str, samples: Mapping[str, str] = MappingProxyType({})) -> str:
        """A form with an example in each of its blanks; empty if a blank has no known value."""
        args = {name: samples.get(name) or self._sample(name, samples, 0) for name in BLANK.findall(form)}
        return fill_form(form, args) if all(args.values()) else ""

    def _sample(self, name: str, samples: Mapping[str, str], depth: int) -> str:
        blank = self.blanks[name]
        if blank.sample or depth > MOST_DEEP:
            return blank.sample
        if blank.of:
            one = samples.get(blank.of) or self._sample(blank.of, samples, depth + 1)
            return f"2 {one}" if one and blank.number and not blank.bare else one
        if blank.words:
            return blank.words[0]
        for form in blank.forms:
            args = {
                inner: samples.get(inner) or self._sample(inner, samples, depth + 1) for inner in BLANK.findall(form)
            }
            if all(args.values()):
                return fill_form(form, args)
        return ""

    def _meant(self, said: Mapping[str, str], line: str) -> str | None:
        """The text that `line`, with misspelt or missing words, most likely means; None if nothing is similar enough.

        `said` maps each form that the line may have to the form that it means.
        """
        best: tuple[float, str] | None = None
        for form, meant in said.items():
            for match in filter(None, (one.fullmatch(line) for one in _loose_patterns(form))):
                score = _likeness(form, match)
                if score < LIKE or (best is not None and score <= best[0]):
                    continue
                args = self._filled(match)
                if not isinstance(args, Misfit):
                    best = score, fill_form(meant, args)
        return None if best is None else best[1]

    def _other_name(self, blank: Blank, text: str) -> str | None:
        """Canonical text for an alternative name in a blank; None if the text is not one."""
        for name, meant in blank.also.items():
            if "{" not in name:
                if name.casefold() == text.casefold():
                    return meant
                continue
            args = self.fit(pattern(name), text)
            if args is not None and not isinstance(args, Misfit):
                return fill_form(meant, args)
        return None

    def base(self, form: str) -> str:
        """A form returned by `read`, without its endings."""
        for ending in reversed(self.endings):
            form = form.removesuffix(ending)
        return form

    def by_words(self, line: str) -> str:
        """Replace alternative names in a line with the words that they mean."""
        if not self.names:
            return line
        return _names_pattern(tuple(self.names)).sub(lambda name: self._words.get(name[0].casefold(), name[0]), line)

    def _beginning_as(self, line: str) -> tuple[str, ...]:
        """The forms that a line may have, judged by its first word: forms with another first word cannot fit."""
        word = line.partition(" ")[0]
        if not word.isascii():
            return self.closest  # lower() and IGNORECASE agree only on ASCII letters
        return self.first.get(word.lower(), self.first[""])

    def once_key(self, form: str, args: Mapping[str, str]) -> tuple[str, ...] | None:
        """Key that lines share if a sheet may hold only one of them; None if lines may repeat."""
        if self.once is None:
            return None
        word, *blanks = self.once.get(self.base(form), ("",))
        return (word, *(args[blank] for blank in blanks)) if word else ("", fill_form(form, args))

    def canonical(self, line: str) -> str:
        """Write a line in canonical form. A line that fits no form comes back unchanged."""
        reading = self.read(line)
        return line if isinstance(reading, Misfit) else fill_form(*reading)

    def fit(self, form: re.Pattern[str], line: str) -> dict[str, str] | Misfit | None:
        """Return blank -> value for a line of this form, or the fault in a value; None if the line has another form."""
        match = form.fullmatch(line)
        return None if match is None else self._filled(match)

    def _filled(self, match: re.Match[str]) -> dict[str, str] | Misfit:
        args: dict[str, str] = {}
        for name, given in match.groupdict().items():
            if given is None or name.startswith((ENDING, OWN_WORD)):
                continue
            text = self.fill(name, given)
            if isinstance(text, Misfit):
                return text
            args[name] = text
        return args

    def _path(self, blank: Blank, ways: Mapping[str, tuple[str, ...]], given: str) -> str | Misfit:
        """Return a path as places joined by commas, each reachable from the one before; or the fault."""
        places: list[str] = []
        for part in re.split(blank.between, given, flags=re.IGNORECASE):
            place = self.fill(blank.of, part)
            if isinstance(place, Misfit):
                return place
            if places and place not in ways.get(places[-1], ()):
                near = ", ".join(ways.get(places[-1], ())[:MOST_WORDS])
                what = f"from {places[-1]} there is no way to {place}"
                return Misfit(what, f"from {places[-1]} one goes to {near}" if near else "from there one goes nowhere")
            places.append(place)
        return ", ".join(places)

    def _several(self, blank: Blank, given: str) -> str | Misfit:
        """Return several values of another blank joined by commas, with the numbers of repeated values added up; or the fault."""
        counts: dict[str, int] = {}
        parts = []
        for part in re.split(blank.between, given, flags=re.IGNORECASE):
            match = _count_pattern(blank.number).fullmatch(part.strip())
            if match is None or (blank.number and not blank.bare and match[1] is None):
                return Misfit(f"{part.strip()[:40]!r} is no {blank.of}", blank.such or "after each comma there is one")
            word = self.fill(blank.of, match[2])
            if isinstance(word, Misfit):
                return word
            parts.append(word)
            counts[word] = counts.get(word, 0) + int(match[1] or 1)
        if not blank.number:
            return blank.joint.join(parts)
        return blank.joint.join(
            name if blank.bare and count == 1 else f"{count} {name}" for name, count in counts.items()
        )


@functools.cache
def _count_pattern(number: str) -> re.Pattern[str]:
    """A pattern for a thing with an optional number before it."""
    return re.compile(rf"(?:({number or '(?!)'}) )?(.+)")


ENDING = "ending_"
"""Prefix of the group name of an ending, followed by its number. No blank has this prefix."""


@functools.cache
def pattern(form: str, endings: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Regular expression for a form, with a group for each blank and for each ending that may follow."""
    texts = [f"(?P<{ENDING}{number}>{_expression(ending)})?" for number, ending in enumerate(endings)]
    return re.compile(_expression(form) + "".join(texts), re.IGNORECASE)


def _expression(form: str) -> str:
    text = re.escape(form).replace(r"\{", "{").replace(r"\}", "}")
    return BLANK.sub(lambda blank: f"(?P<{blank[1]}>.+?)", text)


@functools.lru_cache(maxsize=256)
def _names_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of these names, which may have several words; the longest that fits is found."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)


OWN_WORD = "own_"
"""Prefix of the group name of a fixed word of a form, followed by its number. No blank has this prefix."""


@functools.cache
def _loose_patterns(form: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of a form that accept any word for each fixed word: one for all its words, one without the small words."""
    patterns = []
    for small in (True, False):
        texts: list[str] = []
        for part, blank in _parts(form):
            if blank:
                texts.append(f"(?P<{part}>.+?)")
                continue
            for number, word in enumerate(part.split()):
                if small or word.casefold() not in SMALL:
                    texts.append(rf"(?P<{OWN_WORD}{len(texts)}_{number}>\S+?)")
        patterns.append(re.compile(r"\s+".join(texts), re.IGNORECASE))
    return tuple(patterns)


def _likeness(form: str, match: re.Match[str]) -> float:
    """Similarity of the fixed words of a form and of a line, from 0 to 1; slightly less if small words are missing."""
    own = [word for part, blank in _parts(form) if not blank for word in part.split()]
    given = [text for name, text in match.groupdict().items() if name.startswith(OWN_WORD)]
    left = own if len(given) == len(own) else [word for word in own if word.casefold() not in SMALL]
    scores = [
        difflib.SequenceMatcher(None, word.casefold(), text.casefold()).ratio()
        for word, text in zip(left, given, strict=True)
    ]
    if not scores or any(
        score < (LIKE_SMALL if word.casefold() in SMALL else LIKE_EACH)
        for score, word in zip(scores, left, strict=True)
    ):
        return 0.0
    return sum(scores) / len(scores) - (0.0 if left is own else 0.05)


LIKE_EACH, LIKE_SMALL = 0.5, 0.65
"""Minimum similarity of each fixed word, and of each small word. Small words need more, because they easily resemble other words."""


def fill_form(form: str, args: Mapping[str, str]) -> str:
    """Fill the blanks of a form."""
    return "".join([args[part] if blank else part for part, blank in _parts(form)])


@functools.cache
def _parts(form: str) -> tuple[tuple[str, bool], ...]:
    """Split a form into (text, is_blank) pairs."""
    return tuple((part, bool(at % 2)) for at, part in enumerate(BLANK.split(form)))


@functools.lru_cache(maxsize=256)
def _spelt(words: tuple[str, ...]) -> dict[str, str]:
    return {word.casefold(): word for word in words}


def find_name(given: str, names: Iterable[str]) -> str | None:
    """Find the one name that is meant, ignoring case and punctuation. Some of its words are enough if no other name has them.

    None if no name fits, or several do.
    """
    names = tuple(names)
    plain = {name: re.sub(r"[^\w\s-]", "", name).casefold() for name in names}
    said = re.sub(r"[^\w\s-]", "", " ".join(given.split())).casefold()
    same = [name for name in names if plain[name] == said]
    if same:
        return same[0] if len(same) == 1 else given if given in same else None
    found = _find_loosely(said, tuple(plain.values()))
    return next((name for name in names if plain[name] == found), None) if found is not None else None


def _find_loosely(given: str, words: tuple[str, ...]) -> str | None:
    """The one name that has all words of `given`, which may be shortened to three letters or more. None if no name or several have them."""
    said = [part for part in re.split(r"[\s_-]+", given.casefold()) if part not in SMALL]
    found = [
        word
        for word in words
        if said
        and all(
            any(
                part == one or (len(part) >= LEAST and one.startswith(part))
                for one in re.split(r"[\s_-]+", word.casefold())
            )
            for part in said
        )
    ]
    return found[0] if len(found) == 1 else None


LEAST = 3
"""Minimum number of letters that a word of a name can be shortened to."""


def _find_word(given: str, words: tuple[str, ...]) -> str | None:
    """The one of `words` that is meant, ignoring case and a final `s`; None if no word fits."""
    by, text = _spelt(words), given.casefold()
    return by.get(text) or by.get(text.removesuffix("s")) or by.get(f"{text}s")
