"""The short account of a turn. Facts of one kind share a sentence; the heaviest sentence is the headline; plain facts are kept separate.

A ruleset declares as data how to join facts of a kind: `Joint("{power} took {items} from {lost_by}.", "{centre}")` makes
`France took Kiel and Munich from Germany.` out of two facts. A fact with nothing to join gets the ruleset's own sentence.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from adjudicator.core.contract.words import join_words, many, whose

ITEMS = "items"
"""Name of the blank in `Joint.together` for the items."""
SPELLINGS: Mapping[str, Callable[[Any], str]] = {
    "": lambda value: join_words(value) if isinstance(value, tuple) else str(value),
    "or": lambda value: join_words(value, "or"),
    "to": " to ".join,
    "through": lambda path: f"{path[0]}{f' through {join_words(path[1:-1])}' if len(path) > 2 else ''} to {path[-1]}",
    "and": lambda value: join_words(str(value).split(", ")),
    "whose": whose,
    "title": str.title,
    "said": lambda text: text.removesuffix("."),  # a quotation in a sentence, which has its own full stop
}
"""Spelling of a field, by the text after the colon in its blank: `{to:or}` gives `Kiel or Berlin`."""
MANY, ANY = "many ", "any "
"""Prefixes of spellings that count things: `{coins:many coin}` gives `3 coins`, and `{coins:any coin}` `no coin` for 0."""
BESIDE, FEW_WORDS = 3, 45
"""Number of sentences beside the headline of a short account, and how many words they may have if there are more: `Italy took Tunis`.

More would be a wall of text (UX-14).
"""
MOST, NAMED = 6, 4
"""Maximum number of items that a headline lists in full, and the number that it names if there are more; it counts the others."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Rule for joining facts of a kind in one sentence."""

    together: str
    """The common part, as a sentence with a blank for `items`. Facts with the same words here are joined."""
    item: str
    """The part that each fact adds. A fact that lacks a field named here or above gets its own sentence."""
    where: Mapping[str, object] = field(default_factory=dict)
    """Fields and their required values."""
    chain: bool = False
    """Whether facts that differ in the words after the items still make one sentence: `Kiel, and Warsaw from Russia`."""

    def __post_init__(self) -> None:
        """Refuse a template without exactly one blank for its items."""
        assert sum(name == ITEMS for name, _ in self.blanks(self.together)) == 1, self.together

    @staticmethod
    def blanks(template: str) -> tuple[tuple[str, str], ...]:
        """The fields that a template names, each with its spelling."""
        return tuple((name, spec or "") for _, name, spec, _ in Formatter().parse(template) if name is not None)

    def fits(self, fact: object) -> bool:
        """True if a fact has the required values, and a value in every field that the words name."""
        if any(getattr(fact, name) != value for name, value in self.where.items()):
            return False
        named = (*self.blanks(self.together), *self.blanks(self.item))
        return all(name == ITEMS or getattr(fact, name) not in (None, "", ()) for name, _ in named)

    def around(self, fact: object) -> tuple[str, str]:
        """The words before the items and after them."""
        before, _, after = self.together.partition("{" + ITEMS + "}")
        return fill(before, fact), fill(after, fact)


def fill(template: str, fact: object, own: Callable[[str], Callable[[Any], str] | None] = lambda spec: None) -> str:
    """Fill the blanks of a template with a fact's fields. Their text is never read as a template. `own` finds a ruleset's spelling by name."""
    return "".join(
        literal if name is None else literal + (own(spec) or _speller(spec))(getattr(fact, name))
        for literal, name, spec in _parts(template)
    )


@functools.lru_cache(
    maxsize=4096
)  # as many as there are sentences, because a site formats the same ones again and again
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """The literal texts of a template, each with the following blank and its spelling."""
    return tuple((literal, name, spec or "") for literal, name, spec, _ in Formatter().parse(template))


def is_spelling(spec: str) -> bool:
    """True if a blank may use this spelling."""
    return spec in SPELLINGS or any(spec.startswith(start) and spec != start for start in (MANY, ANY))


def _speller(spec: str) -> Callable[[Any], str]:
    """The function that spells the value of a blank."""
    if spec.startswith(ANY):
        return lambda value: many(value, spec.removeprefix(ANY), "no")
    return (lambda value: many(value, spec.removeprefix(MANY))) if spec.startswith(MANY) else SPELLINGS[spec]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, with the facts that it covers."""

    text: str
    short: str
    """Version for a headline: with more items than `MOST` it names the first and counts the others."""
    facts: tuple[Any, ...]
    weight: int
    """Weight of its heaviest fact."""


@dataclass(frozen=True, slots=True)
class Told:
    """Short account of a turn. Every fact appears in one of the three parts."""

    headline: str | None
    """The most important sentence; None if no fact has weight."""
    rest: tuple[str, ...]
    """Other sentences that matter, about `BESIDE`."""
    plain: tuple[str, ...]
    """The remaining sentences, most of them routine, such as moves and incomes. Pages fold them."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences, the headline first."""
        return (*((self.headline,) if self.headline is not None else ()), *self.rest, *self.plain)


def join_facts(
    facts: Iterable[Any],
    tell: Callable[[Any], str],
    weight: Callable[[Any], int],
    joints: Mapping[str, Sequence[Joint]],
) -> Iterator[Sentence]:
    """Put facts into sentences, in the order of each sentence's first fact. `joints` maps a kind of fact to its joints."""
    runs: dict[object, list[tuple[Joint | None, Any]]] = {}
    for number, fact in enumerate(facts):
        joint = next((joint for joint in joints.get(fact.event, ()) if joint.fits(fact)), None)
        key: object = number
        if joint is not None:
            before, after = joint.around(fact)
            key = (fact.event, before) if joint.chain else (fact.event, joint.item, before, after)
        runs.setdefault(key, []).append((joint, fact))
    for run in runs.values():
        told = tuple(fact for _, fact in run)
        joined = [(joint, fact) for joint, fact in run if joint is not None]
        text, short = _join_run(joined) if len(joined) > 1 else (tell(told[0]),) * 2
        yield Sentence(text, short, told, max(map(weight, told)))


def _join_run(run: Iterable[tuple[Joint, Any]]) -> tuple[str, str]:
    """Join two or more facts in one sentence, and in its short version for a headline."""
    parts: dict[str, list[str]] = {}
    before = ""
    for joint, fact in run:
        before, after = joint.around(fact)
        parts.setdefault(after.removesuffix("."), []).append(fill(joint.item, fact))
    # In a chain, items without a tail come first: `Denmark and Kiel, and Warsaw from Russia`.
    ordered = sorted(parts.items(), key=lambda part: part[0] != "")
    whole = [f"{join_words(items)}{after}" for after, items in ordered]
    text = whole[0] if len(whole) == 1 else f"{', '.join(whole[:-1])}, and {whole[-1]}"
    count = sum(map(len, parts.values()))
    if count <= MOST:
        return (f"{before}{text}.",) * 2
    if len(ordered) == 1:
        ((after, items),) = ordered
        return f"{before}{text}.", f"{before}{join_words((*items[:NAMED], f'{count - NAMED} more'))}{after}."
    first = [f"{item}{after}" for after, items in ordered for item in items][:NAMED]
    return f"{before}{text}.", f"{before}{join_words((*first, f'{count - NAMED} more'))}."


def tell_shortly(sentences: Iterable[Sentence], plain: int) -> Told:
    """Choose the heaviest sentence as headline; among equals, the one with the most facts.

    The next heaviest are the rest, in their order: `BESIDE` of them, and more only as long as all have few words. All others are plain,
    and so are those lighter than `plain`.
    """
    told = list(sentences)
    top = max(told, key=lambda sentence: (sentence.weight, len(sentence.facts)), default=None)
    if top is not None and top.weight <= 0:
        top = None
    # If the headline names only some of its items, the full sentence follows it.
    others = [sentence for sentence in told if sentence is not top or sentence.short != sentence.text]
    heavy = [at for at, sentence in enumerate(others) if sentence.weight >= plain]
    shown, words = set[int](), 0
    for count, at in enumerate(sorted(heavy, key=lambda at: -others[at].weight)):
        words += len(others[at].text.split())
        if count >= BESIDE and words > FEW_WORDS:
            break
        shown.add(at)
    return Told(
        headline=None if top is None else top.short,
        rest=tuple(sentence.text for at, sentence in enumerate(others) if at in shown),
        plain=tuple(sentence.text for at, sentence in enumerate(others) if at not in shown),
    )
