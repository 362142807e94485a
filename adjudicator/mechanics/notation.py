"""Orders as people write them, read leniently and printed in one canonical form.

Understands the hobby's notations: `A PAR - BUR`, `A Par-Bur`, `Army Paris to Burgundy`, `F STP/SC - BOT`,
`F Bre S A Par - Pic`, `A Lon - Nwy via convoy`, `B A Mun`, `Remove F North Sea`. Case and accents do not matter. A place
is given by its name, its code, another known name, or an unambiguous beginning of a name. An unreadable line gives a `Fault` with its
column and the nearest right spelling. Nothing is ever guessed or changed silently.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from mypy_extensions import mypyc_attr

from adjudicator.core.contract.lines import Saying, Spelling
from adjudicator.core.text.problems import closest, nearest
from adjudicator.mechanics.movement.orders import Convoy, Hold, Move, Named, Order, SupportHold, SupportMove
from adjudicator.mechanics.provinces import Board, Unit


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit in a supply centre."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Disband:
    """The unit leaves the board, instead of a retreat or because there are too many units."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Waive:
    """The power gives up one build."""


AnyOrder: TypeAlias = Order | Build | Disband | Waive


@dataclass(frozen=True, slots=True)
class Fault:
    """An order line that cannot be read: offset of the fault in characters (from 0), the fault, and how to correct it."""

    offset: int
    what: str
    right: str = ""


# An accent may be a separate character after its letter, as some systems write it (u + U+0308 for ü).
WORD = r"(?:[^\W\d_][\u0300-\u036f]*)+"
TOKEN = re.compile(rf"{WORD}(?:[.'’]{WORD})*\.?|[-=]+>|[→–—⇒]|-+|[/()]|\d+|\S", re.UNICODE)
DASHES = frozenset({"-", "--", "->", "-->", "=>", "→", "–", "—", "⇒"})
KINDS = {"a": "A", "army": "A", "armee": "A", "f": "F", "fleet": "F", "flotte": "F", "navy": "F"}
COASTS = {
    "nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC",
    "north": "NC", "south": "SC", "east": "EC", "west": "WC",
    "n": "NC", "s": "SC", "e": "EC", "w": "WC",
}  # fmt: skip
MOVES = frozenset({"to", "move", "moves", "m", "mv", "goes", "attack", "attacks"})
RETREATS = frozenset({"retreat", "retreats", "r"})
HOLDS = frozenset({"h", "hold", "holds", "stand", "stands"})
SUPPORTS = frozenset({"s", "sup", "supp", "support", "supports"})
CONVOYS = frozenset({"c", "con", "conv", "convoy", "convoys", "transport", "transports"})
DISBANDS = frozenset({"d", "disband", "disbands", "remove", "removes", "destroy", "destroyed", "removed", "dis"})
BUILDS = frozenset({"b", "build", "builds"})
WAIVES = frozenset({"waive", "waives", "waived", "w", "pass"})
RESERVED = frozenset({
    *KINDS, *MOVES, *RETREATS, *HOLDS, *SUPPORTS, *CONVOYS, *DISBANDS, *BUILDS, *WAIVES, "via", "by", "vc", "the",
})  # fmt: skip
"""Words with a meaning in orders, which cannot be names of powers."""
SAYINGS = (
    Saying("H", "Hold", "stay"),
    Saying("- {place} via convoy", "Move to {place} by convoy", "go"),
    Saying("- {place}", "Move to {place}", "go"),
    Saying("S {unit} - {place}", "Support {unit} to {place}", "aid"),
    Saying("S {unit}", "Support {unit} to hold", "aid"),
    Saying("C {unit} - {place}", "Convoy {unit} to {place}", "carry"),
)
RETREATING = (Saying("- {place}", "Retreat to {place}", "go"),)
DASH_MARKS = (
    "\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d"
    "\U00010ead\u2212→⇒⇨➔➙➜➝➞➡⟶⟹»›"
)
"""Every dash of Unicode but the one on keyboards (category Pd, and the minus sign), and the arrows that people type: they all mean a move (HO-5)."""
AROUND: tuple[tuple[str, str], ...] = (
    # Markup and list marks of other programs, and decorations around a whole line.
    (r"\[/?(?:b|i|u|s|q|tt|li|list|size|color|colour|quote|code|spoiler|url|strike)(?:=[^\]]{0,40})?\]", " "),
    (r"\[/(?:[a-z]{1,6})\]|^\s*\[[a-z]{1,3}\](?=\S)|[*`\"“”„]|^[_>|]+|_+$", " "),
    (
        r"^\s*(?:[-•·–]\s+(?=\S)|#?\d{1,2}\s*[.):]\s*|#\d{1,2}\s+|\d{1,2}\s+-\s+|[b-eg-z][.)]\s+|[af]\)\s*|[ivx]{1,4}[.)]\s+)",
        "",
    ),
    (r"^\s*[!/.](?:order|move)?s?\s*(?=[a-z])", ""),
    (r"#.*$|!+\s*$", ""),
    (r"[\[(]\s*(?:via\s+)?convoy(?:ed)?\s*[\])]\s*$", " via convoy"),
    # Results as other programs print them. Any other words in brackets may withdraw the order: they stay, and the line is refused.
    (
        r"\s*[\[(]\s*(?:cut|bounced?(?:\s+with\s+[a-z ]+)?|success(?:ful)?|succeed(?:s|ed)|fail(?:s|ed)?|void|dislodged|retreats?)\s*[\])]\s*$",
        "",
    ),
    (r"\s*\(\s*(?:may\s+)?retreats?\s*(?:to\b|:)[a-z ,/.]+\)\s*$", ""),
    (r"\s+bounced\s+with\s+[a-z. ]+?\s*\(\s*\d+\s+against\s+\d+\s*\)\.?\s*$", ""),
    (r"(?<=[a-z)])\s+(?:fails|failed|succeeds|succeeded|bounces|bounced)\.?\s*$", ""),
    # webDiplomacy's sentences.
    (r"\(\s*(north|south|east|west)\s+coast\s*\)", r" \1 coast "),
    (r"^the\s+(army|fleet)\s+at\s+(.+?)\s+support\s+hold\s+to\s+(.+?)\.?$", r"\1 \2 S \3"),
    (r"^the\s+(army|fleet)\s+at\s+(.+?)\s+support\s+move\s+to\s+(.+?)\s+from\s+(.+?)\.?$", r"\1 \2 S \4 - \3"),
    (r"^the\s+(army|fleet)\s+at\s+(.+?)\s+convoy\s+to\s+(.+?)\s+from\s+(.+?)\.?$", r"\1 \2 C \4 - \3"),
    (r"^the\s+(army|fleet)\s+at\s+(.+?)\s+(?:move|retreat)\s+to\s+(.+?)\.?$", r"\1 \2 - \3"),
    # DAIDE.
    (r"\(\s*([a-z]{3})\s+([nsew])cs\s*\)", r"\1/\2c"),
    (r"\bcto\s+([a-z]{3})\s+via\s*\([a-z ]*\)\s*$", r"- \1 via convoy"),
    # The codes of postal magazines: `SA HOL`, `CA LON-BEL`.
    (r"(?<=\s)([sc])([af])\s+(?=[a-z]{3}\b)", r"\1 \2 "),
    (r"[,\s]*\bplease\b|\bthanks?\b[.!]*\s*$", ""),
    # Dashes and arrows of every kind; the words of other programs.
    (rf"\s*(?:[{DASH_MARKS}]>?|->>?|>{{1,2}}|-{{2,}}>?)\ufe0f?\s*|\s_\s", " - "),
    (r"(?<=[a-z])_(?=[a-z])", " "),
    (r"\bAMY\b", "A"),
    (r"\bFLT\b", "F"),
    (r"\b(?:MTO|RTO|CTO)\b", "-"),
    (r"\bHLD\b", "H"),
    (r"\bSUP\b", "S"),
    (r"\bCVY\b", "C"),
    (r"\bDSB\b", "disband"),
    # Coasts.
    (r"\b(north|south|east|west)\s+coast\s+(?:of\s+)?([a-z. ]+?)(?=\s*(?:$|-|\bs\b|\bc\b|\bh\b))", r"\2 \1 coast"),
    (r",\s*(north|south|east|west)\s+coast\s*,?", r" \1 coast "),
    (r"\b([a-z]{3})[-.]?([nsew]c)\b", r"\1/\2"),
    (r"\b([a-z]{4,})[-.]([nsew]c)\b", r"\1/\2"),
    # Owners and articles: `my army in Kiel`.
    (r"\b(?:my|our|the|their|his)\s+(?=army|fleet|a\b|f\b|move\b|attack\b)", ""),
    (r"\b([af])\.(?=[a-z])", r"\1 "),
    (r"^([a-z. ]+?)\s+\(?([af])\)?\s+(?=-|holds?\b|h\b|s\b|c\b|to\b)", r"\2 \1 "),
    (r"^(?:the\s+)?([a-z. ]+?)(?:'s|’s)?\s+(army|fleet)\s+(?=to\b|-|moves?\b|holds?\b|supports?\b)", r"\2 \1 "),
    (r"\b(c|convoys?|s|supports?)\s+([a-z. ]+?)\s+(army|fleet)\s+(?=to\b|-)", r"\1 \3 \2 "),
    (r"\b(army|fleet|a|f)\s+(?:in|at|of|from)\s+", r"\1 "),
    (r"^(?:i\s+)?(?:order|move|send|march|sail)\s+(?=[a-z. ]+\b(?:to|-))", ""),
    (r"[:,;\[\]]", " "),
    (r"\((?!\s*(?:[nsew]c|north|south|east|west|via|by)\b)|\)(?<!c\))", " "),
    (r"(?<=- )(?:a|f|army|fleet)\s+(?=[a-z])", ""),
    # Convoys with the fleets named.
    (
        r"^((?:a|army)\b.*?)\s+(?:via|by)\s+(?!convoy|sea|fleet)(?:f\s+|fleet\s+)?(?P<route>[a-z. ]+?)\s+(?:to|-)\s+(.+)$",
        r"\1 - \3 via convoy",
    ),
    (
        r"^((?:a|army)\b.*?\s(?:to|-)\s.*?)\s+(?:via|by|convoyed by|is convoyed by)\s+(?!convoy|sea|fleet\b)(?:f\s+|fleet\s+)?(?P<route>[a-z. ]+)$",
        r"\1 via convoy",
    ),
    (r"^((?:a|army)\b.*?)\s+(?:(?:is\s+)?convoy(?:ed|s)?\s+to|c-)\s*(.+)$", r"\1 - \2 via convoy"),
    (r"^([a-z]{3,})\s+c-\s*(.+)$", r"\1 - \2 via convoy"),
    (r"\bsupports?\s+holds?\s+(?=[a-z]{3})", "S "),
    (r"^((?:a|army)\b.*?-.*?)\s*(?:with|is|by|via)?\s*convoy(?:ed)?$", r"\1 via convoy"),
    (r"^((?:f|fleet)\b.*)\s+via\s+convoy$", r"\1"),
    (r"\b(?:to\s+convoy|convoying|transporting)\b", " C "),
    # Moves, holds, supports.
    (
        r"\b(s|supports?|c|convoys?)\s+(?:the\s+)?(?:move\s+)?(?:to\s+)?([a-z. ]+?)\s+from\s+([a-z. ]+?)\.?$",
        r"\1 \3 - \2",
    ),
    (r"\b(s|supports?)\s+(?:the\s+)?(?:move|attack|advance)\s+(?:of|by|from)\s+", r"S "),
    (
        r"\s-?\s*\b(?:moving|moves?|advanc(?:es|ing|e)|march(?:es|ing)?|sail(?:s|ing)?|heads?|heading|going|goes|proceeds?|withdraws?)\s+(?:in)?(?:to|-)\s+",
        " - ",
    ),
    (r"\b(?:enters?|entering|into|attacking|advances\s+on)\b", " - "),
    (r"\b(?:supporting|to\s+support|helps?|sup\.|supp\.)\b\s*", " S "),
    (r"\b(?:s\s*-?\s*h|support\s+hold|supports\s+holding)\s+(?=(?:a|f|army|fleet)?\s*[a-z]{3})", "S "),
    (r"(?:'s|’s)\s+(?:attack|move|advance)\s+(?:on|to|into|-)\s+", " - "),
    (r"\b(s|supports?)\s+(.*?)\s+(?:in\s+place|to\s+hold|holding)$", r"\1 \2"),
    (r"\b(s\s+(?:[af]\s+)?)([a-z. ]+?)\s*-\s*\2\s*[.!]?\s*$", r"\1\2"),
    (r"\s(?:-|to|will)\s+(?=holds?$|h$)", " "),
    (r"^holds?\s+(.+)$", r"\1 H"),
    (
        r"\b(?:stays?|remains?|waits?|sits?)(?:\s+(?:put|there|here|still|home|in\s+place))?$|\b(?:std|holding|defends?|guards)$",
        "H",
    ),
    (r"\s*-\s*h$", " H"),
    # Winter and retreats.
    (r"^\+\s*(?=[af]\b)", "Build "),
    (r"^-\s*(?=[af]\b)", "Disband "),
    (r"^(?:built|building|new|recruit|raise)\b", "Build"),
    (r"^(build|b)\s+(?:an?|new)\s+(army|fleet)\b", r"\1 \2"),
    (r"^(build|b)\s+(army|fleet|a|f)\s+(?:in|at|on)\s+", r"\1 \2 "),
    (
        r"^(?:no\s+builds?|build\s+(?:nothing|none|waived)|waive(?:\s+(?:1|one|a|the|this))?(?:\s+builds?)?|wve|no\s+units?)$",
        "Waive",
    ),
    (r"^(?:rem|remove|scuttle|dissolve|otb)\s+(?=[af]\b|army|fleet)", "Disband "),
    (r"\s(?:is\s+)?(?:disbanded|otb|scuttled?|off\s+the\s+board)$", " disband"),
    (r"^(?:retreat|r)\s+((?:a|f|army|fleet)\b.*?)\s+(?:to|-)\s+", r"\1 - "),
    (r"\s(?:ret\.?|retreating)\s+(?:to\s+)?", " - "),
)
"""Patterns of text around the words of an order, in the hobby's many styles, and their replacements."""
ROUTES = frozenset(
    [
        "convoy",
        "sea",
        "convoyed",
        "fleet",
        "fleets",
        "f",
        "a",
        "the",
        "in",
        "then",
        "and",
        "at",
        "my",
        "our",
        "by",
        "via",
    ]
)
"""Words of a route that name no place."""
Read = TypeVar("Read")
SEVERAL = re.compile(r"[;,&]|\s+and\s+", re.IGNORECASE)
"""Marks and words between the orders of one line."""
LIMIT = 200
"""Most characters in an order line; the longest sensible one has under a hundred."""


class Notation:
    """The vocabulary of one board. Create it once for a board: it remembers the lines that it has read."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.names: dict[tuple[str, ...], str] = {}
        spoken: dict[str, list[str]] = {}
        for code, province in board.provinces.items():
            for text in (code, province.name, *province.also):
                self.names.setdefault(spoken_words(text), code)
                spoken.setdefault(code, []).append(text)
        self.spoken = sorted({text for texts in spoken.values() for text in texts})
        self.longest = max(map(len, self.names))
        self.adjectives = {
            word
            for power, data in board.powers.items()
            for name in (" ".join(spoken_words(power)), " ".join(spoken_words(data.adjective)))
            for word in (name, f"{name}s")
        } | {"the"}
        powers = "|".join(sorted({re.escape(power[:3]) for power in board.powers} | {"none"}))
        self._short = re.compile(
            rf"\b(?:{powers})\w*\.?(?:['’]s)?\s+(?=(?:a|f|army|fleet)\s)|^[a-z]{{2}}\.\s+(?=(?:a|f|army|fleet)\s)",
            re.IGNORECASE,
        )
        """A power's name before the kind of a unit: its first three letters, or more."""
        self._read: dict[str, AnyOrder | Fault] = {}

    def read(self, text: str) -> AnyOrder | Fault:
        """The order in `text`, or the fault that makes it unreadable."""
        order = self._read.get(text)
        if order is None:
            if len(self._read) > 50_000:
                self._read.clear()
            order = Reader(self, text).order()
            if isinstance(order, Fault) and (plain := self.plain(text)) != text:
                again = Reader(self, plain).order()
                order = self._without_remark(text, order) if isinstance(again, Fault) else again
            if isinstance(order, Fault):
                order = self._one_by_one(text, order)
            self._read[text] = order
        return order

    def _one_by_one(self, text: str, fault: Fault) -> Fault:
        """Suggest a line for each order, if one holds several (HO-6)."""
        several = self.several(text)
        return (
            replace(fault, right=f"write one order a line: {'; '.join(map(self.write, several))}") if several else fault
        )

    def several(self, text: str) -> tuple[AnyOrder, ...]:
        """The orders in a line that holds more than one, in its sequence; empty if it holds fewer, or anything else."""
        parts = [part.strip() for part in SEVERAL.split(text[:LIMIT]) if part.strip()]
        if len(parts) < 2 or len(text) > LIMIT:
            return ()
        orders = [order for order in map(self._alone, parts) if not isinstance(order, Fault)]
        return tuple(orders) if len(orders) == len(parts) else ()

    def _alone(self, text: str) -> AnyOrder | Fault:
        """The order in a part of a line."""
        order = Reader(self, text).order()
        return Reader(self, self.plain(text)).order() if isinstance(order, Fault) else order

    def _without_remark(self, text: str, fault: Fault) -> Fault:
        """Suggest the line without the words in brackets at its end, if it is readable then.

        Those words may withdraw the order, so they cannot be ignored.
        """
        bare = REMARK.sub("", text)
        order = Reader(self, bare).order() if bare != text else fault
        if isinstance(order, Fault) and bare != text:
            order = Reader(self, self.plain(bare)).order()
        return (
            fault
            if isinstance(order, Fault)
            else replace(fault, right=f"leave out the words in brackets: {self.write(order)}")
        )

    def plain(self, text: str) -> str:
        """A line without decorations; `read` uses it only if the original line is unreadable."""
        if len(text) > LIMIT:
            return text
        text = CAMEL.sub(" ", text)
        for found, put in _around():
            text = self._put(found, put, text)
        text = self._short.sub("", text)
        return " ".join(text.split())

    def _is_route(self, text: str) -> bool:
        """True if the words of a route are places, such as the seas of its fleets, and words that name none, such as `the fleet in`."""
        words = spoken_words(text)
        at = 0
        while at < len(words):
            found = next(
                (end for end in range(min(len(words), at + self.longest), at, -1) if words[at:end] in self.names), 0
            )
            if not found and words[at] not in ROUTES and words[at] not in self.adjectives:
                return False
            at = found or at + 1
        return True

    def _put(self, found: re.Pattern[str], put: str, text: str) -> str:
        """Replace all matches in `text` except names of provinces: a province may have the code SUP."""

        def replaced(match: re.Match[str]) -> str:
            route = match.groupdict().get("route")
            keeps = spoken_words(match[0]) in self.names or (route is not None and not self._is_route(route))
            return match[0] if keeps else match.expand(put)

        return found.sub(replaced, text)

    def owner_said(self, text: str, seats: Iterable[str] = ()) -> str | None:
        """The power or one of `seats` that a line names as its owner, before a colon or before its unit; None if it names none."""
        label = text[:LIMIT].partition(":")[0].strip().casefold()
        for seat in (*seats, *self.board.powers):
            if label == seat.casefold() and ":" in text:
                return seat
        short = self._short.match(text[:LIMIT].lstrip())
        words = [plain_word(token) for token in re.findall(rf"{WORD}(?:[.'’]{WORD})*", text[:LIMIT])]
        if short is not None and words and len(words[0]) > 2:
            for power in self.board.powers:
                if power.casefold().startswith(words[0]):
                    return power
        for power, data in self.board.powers.items():
            for name in (power, data.adjective):
                spoken = list(spoken_words(name))
                if spoken and words[: len(spoken)] == spoken and spoken_words(name) not in self.names:
                    return power
        return None

    def spelling(self, *, retreats: bool = False) -> Spelling:
        """All words and phrases with a meaning in orders, for forms that help people type."""
        spellings = {" ".join(words): self.board.provinces[code].name for words, code in self.names.items()}
        tables: tuple[tuple[Iterable[str], str], ...] = (
            ((*DASHES, *MOVES, *RETREATS), "-"), (HOLDS, "H"), (SUPPORTS, "S"), (CONVOYS, "C"), (BUILDS, "Build"),
            (DISBANDS, "Disband"), (WAIVES, "Waive"), ([f"{waive} {build}" for waive in WAIVES for build in ("build", "builds")], "Waive"),
            (("vc", *(f"{via}{by}" for via in ("via", "by") for by in ("", " convoy", " sea", " fleet"))), "via convoy"),
        )  # fmt: skip
        signs = {}
        for words, sign in tables:
            for word in words:
                if spellings.setdefault(word, sign) != sign:
                    signs[word] = sign
        for word, kind in KINDS.items():
            spellings.setdefault(word, kind)
        for word, coast in COASTS.items():
            if len(word) == 2:
                spellings.setdefault(word, f"/{coast}")
                spellings.setdefault(f"{word[0]} coast", f"/{coast}")
            elif len(word) > 2:
                spellings.setdefault(f"{word} coast", f"/{coast}")
        owners = tuple(sorted(self.adjectives))
        return Spelling(
            words=dict(sorted(spellings.items())),
            owners=owners,
            signs=signs,
            idle={"S": ("H", "via convoy")},
            sayings=RETREATING if retreats else SAYINGS,
            around=(*((found.replace("(?P<", "(?<"), put) for found, put in AROUND), (self._short.pattern, "")),
            routes=tuple(sorted(ROUTES)),
        )

    # Printing ------------------------------------------------------------------------------------------------------

    def write(self, order: AnyOrder, units: Mapping[str, Unit] | None = None) -> str:
        """`order` in canonical form: full names, `A` or `F`, coasts as `/SC`; `units` fills in missing kinds."""
        match order:
            case Hold(unit):
                return f"{self.named(unit, units)} H"
            case Move(unit, to, coast, via):
                return f"{self.named(unit, units)} - {self.place(to, coast)}" + (" via convoy" if via else "")
            case SupportHold(unit, target):
                return f"{self.named(unit, units)} S {self.named(target, units)}"
            case SupportMove(unit, target, to, coast):
                return f"{self.named(unit, units)} S {self.named(target, units)} - {self.place(to, coast)}"
            case Convoy(unit, target, to, coast):
                return f"{self.named(unit, units)} C {self.named(target, units)} - {self.place(to, coast)}"
            case Build(unit):
                return f"Build {self.named(unit, None)}"
            case Disband(unit):
                return f"Disband {self.named(unit, units)}"
            case Waive():
                return "Waive"

    def named(self, unit: Named, units: Mapping[str, Unit] | None) -> str:
        """A unit as the order names it; `units` fills in a missing kind, and a fleet's missing coast."""
        real = units.get(unit.province) if units else None
        kind, coast = unit.kind, unit.coast
        if real is not None and (not kind or kind == real.kind) and not coast:
            return self.board.unit_name(real)
        if real is not None and not kind:
            kind = real.kind
        return f"{kind} {self.place(unit.province, coast)}".lstrip()

    def place(self, province: str, coast: str) -> str:
        """A province's full name, with the coast if one is named."""
        return self.board.provinces[province].name + (f"/{coast}" if coast else "")


REMARK = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
"""Words in brackets at the end of a line."""
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The boundary between the words of `NorthSea`."""


@functools.cache
def _around() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(found, re.IGNORECASE), put) for found, put in AROUND)


def plain_word(text: str) -> str:
    """A word in lower case, without accents, full stops or apostrophes."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c) and c not in ".'’")


def spoken_words(text: str) -> tuple[str, ...]:
    """A name as the reader of orders sees it: its words in lower case, without accents, full stops or hyphens."""
    return tuple(plain_word(word) for word in re.findall(rf"{WORD}(?:[.'’]{WORD})*\.?|\d+", text))


class Unreadable(Exception):
    """Carries the fault of an unreadable line inside a `Reader`; `read` never raises it."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


@mypyc_attr(allow_interpreted_subclasses=True)
class Reader:
    """Reads one line, left to right. A game subclasses it if its lines contain more than orders for units."""

    def __init__(self, notation: Notation, text: str) -> None:
        self.notation = notation
        self.text = text
        self.tokens = [(match[0], match.start()) for match in TOKEN.finditer(text[: LIMIT + 1])]
        self.words = [token if token in DASHES else plain_word(token) for token, _ in self.tokens]
        self.at = 0
        self.retreats = False
        """True once a word such as `R` said that the unit retreats."""

    def fail(self, at: int, what: str, right: str = "") -> Unreadable:
        """The exception to raise for a fault at word `at` of the line."""
        offset = self.tokens[at][1] if at < len(self.tokens) else len(self.text.rstrip())
        return Unreadable(Fault(offset, what, right))

    @property
    def word(self) -> str:
        """The next word; empty at the end."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, words: Iterable[str]) -> bool:
        """Skip the next word if it is one of these; return True if it was."""
        if self.word and self.word in words:
            self.at += 1
            return True
        return False

    def order(self) -> AnyOrder | Fault:
        """The order in the line, or the fault that makes it unreadable."""
        return self.read(self.whole, self.notation.write)

    def read(self, rule: Callable[[], Read], write: Callable[[Read], str]) -> Read | Fault:
        """Read the whole line by `rule`; return the result or a fault. If words are left over, `write` shows what was read."""
        if len(self.text) > LIMIT:
            return Fault(0, f"an order of {len(self.text)} characters", f"write at most {LIMIT}")
        try:
            said = rule()
            if self.at < len(self.words):
                rest = self.text[self.tokens[self.at][1] :]
                raise self.fail(self.at, f"{rest!r} is left over after {write(said)!r}", "remove it")
        except Unreadable as unreadable:
            return unreadable.fault
        return said

    def whole(self) -> AnyOrder:
        """Read an order for a unit; raises `Unreadable`."""
        if not self.words:
            raise self.fail(0, "an empty order", "write one like A Paris - Burgundy")
        start = self.at
        self.skip_decorations()
        if self.take(WAIVES):
            self.take(("build", "builds"))
            return Waive()
        if self.take(BUILDS):
            return Build(self.unit(kind_needed="build"))
        if len(self.words) > 1 and self.is_word(DISBANDS):
            self.at += 1
            return Disband(self.unit())
        return self.told(start, self.unit())

    def told(self, start: int, unit: Named) -> AnyOrder:
        """Read the rest of an order after its unit; the order begins at word `start`. Raises `Unreadable`."""
        if self.at >= len(self.words):
            raise self.fail(self.at, "no order after the unit", "add one: H, - PLACE, S UNIT, C ARMY - PLACE")
        if self.take(HOLDS):
            return Hold(unit)
        if self.take(SUPPORTS):
            self.take(("hold", "holding"))
            return self.support(unit)
        if self.word in CONVOYS and not self.is_via():
            self.at += 1
            target = self.unit()
            to, coast = self.goal()
            return Convoy(unit, target, to, coast)
        if self.take(DISBANDS):
            return Disband(unit)
        if self.take(BUILDS):
            if not unit.kind:
                raise self.fail(start, "a build without A or F", "say what to build, as in Build A Munich")
            return Build(unit)
        via = self.via()
        to, coast = self.goal()
        via = self.via() or via
        if self.word in DASHES:
            raise self.fail(
                self.at, "a second arrow", "name only the place where the army ends, as in A London - Norway via convoy"
            )
        return Move(unit, to, coast, via, self.retreats)

    def skip_decorations(self) -> None:
        """Skip a number, or the power's name and a colon, before the order, and a semicolon after it."""
        if self.word.isdigit() and self.at + 1 < len(self.words) and self.words[self.at + 1] in ("", ")"):
            self.at += 2
        end = self.words.index(":", self.at) if ":" in self.words[self.at :] else self.at
        if " ".join(word for word in self.words[self.at : end] if word not in DASHES) in self.notation.adjectives:
            self.at = end + 1
        while self.words and self.words[-1] in (";", "", ","):
            self.words.pop()
            self.tokens.pop()

    def support(self, unit: Named) -> Order:
        """Read the supported unit and its move, if any; raises `Unreadable`."""
        target = self.unit()
        if self.at >= len(self.words) or self.take(HOLDS):
            return SupportHold(unit, target)
        self.via()
        to, coast = self.goal()
        self.via()
        return SupportMove(unit, target, to, coast)

    def is_via(self) -> bool:
        """True if the next words mean `by convoy`, rather than an order to convoy."""
        nxt = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        return self.word in ("via", "by", "vc", "(") and (self.word == "vc" or nxt in ("convoy", "sea", "via", "by"))

    def via(self) -> bool:
        """Skip `via convoy`, `via`, `by convoy`, `by sea`, `(via convoy)` or `VC`; return True if there was one."""
        start = self.at
        opened = self.take("(")
        if self.take(("vc",)):
            pass
        elif self.take(("via", "by")):
            self.take(("convoy", "sea", "fleet"))
        elif opened and self.take(("convoy",)):
            pass
        else:
            self.at = start
            return False
        if opened:
            self.take(")")
        return True

    def goal(self) -> tuple[str, str]:
        """Read an arrow or a word for moving, then a place; return the place's code and coast."""
        start = self.at
        moved = False
        while self.word in DASHES or self.word in MOVES or self.word in RETREATS:
            moved = True
            self.retreats |= self.word in RETREATS
            self.at += 1
        if not moved:
            token = self.tokens[start][0] if start < len(self.tokens) else ""
            words = sorted({"hold", "supports", "convoys", "disband", "via", "to"})
            what = f"{token!r} is not an order" if token else "the place to go to is missing"
            raise self.fail(start, what, nearest(token, words) or "write - PLACE, H, S UNIT or C ARMY - PLACE")
        return self.province(), self.coast()

    def unit(self, *, kind_needed: str = "") -> Named:
        """Read the name of a unit; raises `Unreadable`."""
        while len(self.words) > self.at + 1 and self.says_whose():
            self.at += 1
            if self.tokens[self.at][0] in ("'", "’") and len(self.words) > self.at + 1:  # France 's A Paris
                self.at += 1
                self.take(("s",))
        kind = ""
        if self.word in KINDS and self.at + 1 < len(self.words) and self.words[self.at + 1] not in DASHES:
            kind = KINDS[self.word]
            self.at += 1
        elif kind_needed:
            raise self.fail(
                self.at, f"a {kind_needed} without A or F", f"say what to {kind_needed}, as in Build A Munich"
            )
        return Named(kind, self.province(), self.coast())

    def says_whose(self) -> bool:
        """True if the next word only names a unit's owner, or is an article."""
        return self.is_article() or (self.word in self.notation.adjectives and not self.names_here())

    def is_article(self) -> bool:
        """True if the next word is `the`, and not part of a province's name."""
        return self.is_word(("the",))

    def is_word(self, words: Collection[str]) -> bool:
        """True if the next word is one of these, and not meant as a province's name.

        If a province does have that name, the word counts only before a place, a unit or an owner.
        """
        if self.word not in words:
            return False
        named = self.match(self.at)
        if named is None:
            return True
        after = self.at + 1
        if named[1] > after or after >= len(self.words):
            return False
        unit = self.words[after] in KINDS and self.match(after + 1) is not None
        return unit or self.match(after) is not None or self.words[after] in self.notation.adjectives

    def names_here(self) -> bool:
        """True if the next words name a province."""
        return self.match(self.at) is not None

    def match(self, start: int) -> tuple[str, int] | None:
        """Find the longest name that begins at token `start`: its code, and the index after its end.

        Hyphens inside a name are optional.
        """
        words: list[str] = []
        best: tuple[str, int] | None = None
        at = start
        while at < len(self.words) and len(words) < self.notation.longest:
            word = self.words[at]
            if word in DASHES:
                if not words or self.tokens[at][0] != "-":
                    break
                at += 1
                continue
            words.append(word)
            at += 1
            code = self.notation.names.get(tuple(words))
            if code is not None:
                best = (code, at)
        return best

    def province(self) -> str:
        """Read a province's name and return its code; raises `Unreadable`."""
        if self.is_article():
            self.at += 1
        start = self.at
        if start >= len(self.words):
            raise self.fail(start, "a place is missing", "name a province")
        matched = self.match(start)
        if matched is not None:
            code, self.at = matched
            self.skip_rest(start, code)
            return code
        end = start
        while end < len(self.words) and self.words[end].isalpha() and (end == start or not self.ends_name(end)):
            end += 1
        if end == start:
            raise self.fail(start, f"{self.tokens[start][0]!r} where a place should be", "name a province")
        words = tuple(self.words[start:end])
        starts = sorted(
            {
                code
                for name, code in self.notation.names.items()
                if sum(map(len, words)) >= 3
                and len(name) >= len(words)
                and all(part.startswith(word) for part, word in zip(name, words, strict=False))
            }
        )
        given = self.text[self.tokens[start][1] : self.tokens[end - 1][1] + len(self.tokens[end - 1][0])]
        if len(starts) == 1:
            self.at = end
            return starts[0]
        if starts:
            choices = ", ".join(self.notation.board.provinces[code].name for code in starts)
            raise self.fail(start, f"{given!r} could be several places", f"write one of {choices}")
        close = closest(given, self.notation.spoken)
        names = self.notation.board.provinces
        right = "the map and the rulebook list the names"
        if close is not None:
            right = f"did you mean {names[self.notation.names[spoken_words(close)]].name!r}?"
        raise self.fail(start, f"no place is called {given!r}", right)

    def skip_rest(self, start: int, code: str) -> None:
        """Skip the remaining words of the place's name: the `Atl` of `Mid Atl`, or an extra `Sea` after the name of a sea."""
        at = self.at
        words = self.words[start:at]
        while at < len(self.words) and self.words[at].isalpha() and not self.ends_name(at):
            words = [*words, self.words[at]]
            fits = any(
                named == code and len(name) >= len(words)
                and all(part.startswith(word) for part, word in zip(name, words, strict=False))
                for name, named in self.notation.names.items()
            )  # fmt: skip
            at += 1
            if fits:
                self.at = at
        if self.word in ("sea", "ocean") and self.notation.board.provinces[code].kind == "sea":
            self.at += 1

    def ends_name(self, at: int) -> bool:
        """True if this word cannot belong to the name before it, because it is a word of an order."""
        word = self.words[at]
        return word in HOLDS or word in SUPPORTS or word in CONVOYS or word in MOVES or word in ("via", "by", "vc")

    def coast(self) -> str:
        """Read a coast after a province: `/SC`, `(sc)`, `sc`, `south coast`, `(south coast)`; empty if there is none."""
        start = self.at
        slash = self.take("/")
        opened = not slash and self.take("(")
        word = self.word
        coast = COASTS.get(word, "")
        if coast and (slash or opened or len(word) == 2 or self.next_is_coast()):
            self.at += 1
            self.take(("coast", "cst"))
            if opened and not self.take(")"):
                raise self.fail(self.at, "a bracket that is not closed", "add )")
            return coast
        if slash:
            raise self.fail(self.at, f"{word!r} is not a coast", "coasts are NC, SC, EC and WC")
        self.at = start
        return ""

    def next_is_coast(self) -> bool:
        """True if the word after the next is `coast`, so that the next word names one."""
        return self.at + 1 < len(self.words) and self.words[self.at + 1] in ("coast", "cst")
