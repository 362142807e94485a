"""Sheets, and how people write them: plans with one short line per step (HA-W-4).

Each kind of line has a form, and the form does everything: it reads what people write, writes the canonical line, and suggests a
correct line if there is a fault. People may refer to cards and characters by name or by id; canonical lines use ids.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, cast

from pydantic import Field as Choice

from adjudicator.core.contract.conditions import Condition
from adjudicator.core.contract.lines import BLANK, Blank, Lines, Misfit, fill_form
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.text.codec import Flag, Whole, field_text, record, shared
from adjudicator.mechanics.standing import StandingParts
from adjudicator.rulesets.heir_apparent.acts import ACTING, LISTS, OTHERS
from adjudicator.rulesets.heir_apparent.index import Index
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT, Kept, Phase, Position
from adjudicator.rulesets.heir_apparent.selectors import KEYWORDS
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE
from adjudicator.rulesets.heir_apparent.titles import TRIGGERS
from adjudicator.rulesets.heir_apparent.variables import TERMS, Part

MOST_STEPS = 40
"""How many lines of a list count (HA-W-7)."""
MOST_LINES = 200
"""Most lines that a list may have."""
MOST_LETTERS = 500
"""Most letters in a line. Twelve clauses fit; a longer line that repeats a form's words, sent to do harm, would take long to read."""
MOST_AIMS = 60
"""Most ways to aim a line whose targets are joined by `or` (HA-W-25)."""
PARTS: Mapping[Part, str] = {
    "actions": "My Actions phase",
    "event": "In the Event",
    "melee": "In melees",
    "reactions": "Reactions",
    "counters": "Counters",
    "draw": "My draws",
    "keep": "Characters that I draw",
    "reopen": "Reopen the Event if",
}
"""List of lines on a sheet -> its title."""
Kind = Literal[
    "pass", "join", "free", "play", "use", "draw with", "attack", "assist", "react", "counter", "draw", "trade", "keep", "refuse",
    "reopen", "ask", "enough", "unturn",
]  # fmt: skip
ENDINGS: Mapping[Part, tuple[str, ...]] = {
    "actions": (" if {condition}", " as {step}", " again"),
    "event": (" if {condition}", " as {step}", " again"),
    "melee": (" if {condition}", " as {step}", " again"),
    "reactions": (),
    "counters": (" if {condition}",),
    "draw": (" if {condition}",),
    "keep": (" if {condition}",),
    "reopen": (),
}
"""List -> the endings that may follow its forms."""
AGAIN = " again"
BASE, SLOT = "base", "slot"
"""The rights to draw that need no character (HA-F-2, HA-F-3)."""
EXAMPLES: Mapping[Part, str] = {
    "actions": "attack pell-the-factor with sir-hadrec if ready(corvin) <= 2",
    "event": "join lord-marrow for support if opp >= 6 and passes < 2",
    "melee": "assist defence with dame-ottoline if defender(me) and atk > def",
    "reactions": "on kill_pending if hits(me) play borrowed-cloak",
    "counters": "counter with nim-of-the-stair if hits(me)",
    "draw": "draw action by base",
    "keep": "play if pol >= 3",
    "reopen": "not passing",
}

NAME = r"(?!(?:[iI][fF]|[aA][sS]|[aA][gG][aA][iI][nN])$)[A-Za-z][A-Za-z0-9_-]{0,30}"
"""Pattern of a name after `as`."""
IN_ORDER = "after `as` stands one word; a line ends with `if ...`, then `as NAME`, then `again`, in this order"


@dataclass(frozen=True, slots=True)
class Slip:
    """A common mistake: its list, its pattern, and the right way to write it."""

    part: str
    pattern: str
    right: str


SLIPS = (
    Slip("reactions", r" play .* if ", "here the condition stands before the card: on TRIGGER if ... play CARD"),
    Slip("counters", r" if .* limit ", "`limit` stands before `if`"),
    Slip("", r"=>|=<|==|<>", "comparisons are <, <=, =, !=, >= and >"),
    Slip("", r" if not [\w() ]+[<=>]", "turn the comparison round: `not` stands before flags alone"),
    Slip("", r"[<=>] *-?[0-9]+, ", "clauses are joined by `and`"),
    Slip("", r" opposition\b", "the pool is called `oppose`"),
)

AROUND: tuple[tuple[str, str], ...] = (
    (r"^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)|[“”\"`]", ""),
    (r"\b(?:the|a|an|my)\s+", ""),
    (r"^if\s+(.+?),?\s+(?:then\s+)?((?:attack|join|play|use|draw|assist|prince)\b.*)$", r"\2 if \1"),
    # Acts.
    (r"^cast\b", "play"),
    (r"^(?:just\s+)?enough\s+(?:of\s+)?(?!$)", "enough "),
    (r"^(enough\b.*?)\s+(?:and|\+|&)\s+(?=.*\bfor\b)", r"\1, "),
    (r"^(?:stop|pause|halt|ask\s+me)(?=\s+if\b|$)", "ask"),
    (r"^(play|use)\s+(.+?)\s+(?:on|to|upon|against|@)\s+(?!\S+_)", r"\1 \2 at "),
    (r"^(play|use)\s+([\w -]+?)\s*:\s*", r"\1 \2 at "),
    (r"^(?:\w+'s\s+|\w+’s\s+|prince'?s?\s+|prince’s\s+)?free\s+(?:2|two)\s+(?=for\b)", "prince "),
    (r"^prince\s+(supports?|opposes?)$", r"prince for \1"),
    (r"\bfor\s+supports\b", "for support"),
    (r"\bfor\s+opposes\b", "for oppose"),
    (r"^turn\s+(.+?)\s+to\s+draw$", r"draw with \1"),
    (r"^(.+?)\s+draws(?:\s+card)?$", r"draw with \1"),
    (r"^draw\s+(?:card|action)\s+with\s+", "draw with "),
    (r"^(.+?)\s+attacks\s+(.+?)(?=\s+if\b|$)", r"attack \2 with \1"),
    (r"^(.+?)\s+counters(?=\s|$)", r"counter with \1"),
    (r"^(.+?)\s+joins\s+(?=for\b|in\b|to\b)", r"join \1 "),
    (r"^turn\s+(.+?)\s+(?=for\b)", r"join \1 "),
    (r"^(?:help\s+defen[cs]e|defend)\s+with\s+", "assist defence with "),
    (r"\bdefense\b", "defence"),
    (r"^assist\s+attacker\b", "assist attack"),
    (r"^assist\s+defender\b", "assist defence"),
    (r"\b(?:in|to)\s+support\b", "for support"),
    (r"\b(?:in|to|for)\s+(?:opposition|opposing|oppose)\b|\s+against$", " for oppose"),
    (r"^trade\s+(.+?)\s+(?:and|\+|&)\s+(.+?)\s+for\b", r"trade \1, \2 for"),
    (r"^(draw|trade)\b(.*?)\b(action|character)\s+cards?\b", r"\1\2\3"),
    (r"\b(?:for|by|from|with)\s+(base|slot)\b", r"by \1"),
    (r"^play\s+and\s+release\s+", "play releasing "),
    (r"\bmax\s+(?=[0-9])", "limit "),
    # Triggers, numbers and flags.
    (
        r"\b(card|kill|dismiss|melee|turn|favor|outcome|event)[ -](played|pending|declared|forced|loss|known|revealed)\b",
        r"\1_\2",
    ),
    (r"^(?:when|if)\s+(?=\w+_\w+)", "on "),
    (r"^(on\s+\w+_\w+):", r"\1"),
    (r"\bbest[ -]other\b", "best_other"),
    (r"\bleast[ -]in\b", "least_in"),
    (r"\bevents[ -]left\b", "events_left"),
    (r"\bin[ -]play\(", "in_play("),
    (r"\s*&&?\s*", " and "),
    (r"!\s*(?=[a-z])", "not "),
    (r"\b(?:i am|i'm|i’m|we are)\s+(winning|losing)\b", r"\1(me)"),
    (r"\b(winning|losing|hits)\b(?!\()", r"\1(me)"),
    (r"\bhits\(me\)\s+me\b", "hits(me)"),
    (r"\battacked\(me\)", "defender(me)"),
    (r"\bopposition\s*(?=[<>=!])", "opp "),
    (r"\bsupport\s*(?=[<>=!])", "sup "),
)
"""Patterns of other ways to write lines, and their replacements (HE-8)."""

Lists = Annotated[tuple[str, ...], Choice(max_length=MOST_LINES)]
Names = Annotated[tuple[str, ...], Choice(max_length=60)]


@shared
class Standing(SheetWords):
    """The parts of a sheet that apply until its player sends them again (HA-W-8)."""

    melee: Annotated[
        Lists | None,
        field_text(
            "My plan for every melee, until I send another: `assist defence with dame-ottoline if atk > def` (HA-H-6).",
            title="In melees (standing)",
        ),
    ] = None
    reactions: Annotated[
        Lists | None,
        field_text(
            "Cards to be played when something happens, until I send another list: `on kill_pending if hits(me) play borrowed-cloak` (HA-P-1).",
            title="Reactions (standing)",
        ),
    ] = None
    counters: Annotated[
        Lists | None,
        field_text(
            "Wizards who counter spells, until I send another list: `counter with nim-of-the-stair if hits(me)` (HA-O-4).",
            title="Counters (standing)",
        ),
    ] = None
    discard: Annotated[
        Names | None,
        field_text(
            "Cards that go first when I must discard, until I send another list (HA-L-3).",
            title="Discard first (standing)",
        ),
    ] = None
    release: Annotated[
        Names | None,
        field_text(
            "Characters who go first when I have more than five, until I send another list (HA-M-9).",
            title="Release first (standing)",
        ),
    ] = None


Draws = Annotated[
    Lists | None,
    field_text(
        "My draws if the next turn is mine, one per line: `draw action by base`, `draw character by slot` (HA-F).",
        title="My draws",
    ),
]
Keeps = Annotated[
    Lists | None,
    field_text(
        "Lines to try for each Character that I draw: `play if pol >= 3`, `refuse` (HA-F-7).",
        title="Characters that I draw",
    ),
]


@record
class AuctionSheet(Standing):
    """A sheet for a round of the auction. Draws are for the first turn, which follows the fifth round."""

    bid: Annotated[
        Whole | Literal["pass"],
        field_text("The most that I will pay to choose first, or `pass` (HA-D-10).", title="My bid"),
    ] = "pass"
    wishes: Annotated[
        Names, field_text("Characters in the row that I want, best first (HA-D-14).", title="My wishes")
    ] = ()
    draw: Draws = None
    keep: Keeps = None


@record
class MainSheet(Standing):
    """A sheet for the Actions phase: the active player's plan, and everybody's standing parts."""

    actions: Annotated[
        Lists | None,
        field_text(
            "If it is my turn, what I do: at each chance the first line that can be done (HA-G).", title="My actions"
        ),
    ] = None


@record
class ChoiceSheet(Standing):
    """A sheet for the active player's choice when the Event is revealed, and everybody's standing parts (HA-W-3)."""

    choice: Annotated[
        Mapping[str, Names | str],
        field_text("If it is my turn: what I choose, best first (HA-I-1).", title="My choice"),
    ] = field(default_factory=dict)


@record
class EventSheet(Standing):
    """A sheet for an Event and what follows it: discards, unturning, and the next player's draws."""

    choice: Annotated[
        Mapping[str, Names | str],
        field_text(
            "If it is my turn and the Event asks for a choice: what I choose, best first (HA-I-1).",
            title="My choice",
        ),
    ] = field(default_factory=dict)
    event: Annotated[
        Lists | None,
        field_text(
            "My plan: at each chance I do the first line that holds and can be done, such as `join lord-marrow for support if opp >= 6` (HA-I-2).",
            title="In the Event",
        ),
    ] = None
    reopen: Annotated[
        Lists | None,
        field_text(
            "I spend a reopen token when the Event has closed and all of this holds: `not passing` (HA-W-10). An empty list always holds.",
            title="Reopen the Event if",
        ),
    ] = None
    unturn: Annotated[
        Literal["all", "none"] | Names | None,
        field_text("If it is my turn: whom I unturn; everybody, if I say nothing (HA-L-5).", title="Unturn"),
    ] = None
    draw: Draws = None
    keep: Keeps = None
    end: Annotated[
        Flag, field_text("The game ends with this turn, if everybody says so (HA-L-10).", title="End the game now")
    ] = False


SHEETS: Mapping[str, type[Standing]] = {
    "auction-sheet": AuctionSheet,
    "main-sheet": MainSheet,
    "choice-sheet": ChoiceSheet,
    "event-sheet": EventSheet,
}
STANDING = StandingParts(Kept, SHEETS.values())


def sheet_type(position: Position, seat: SeatId) -> type[Standing]:
    """The type of sheet that the open turn takes."""
    match position.phase:
        case Phase.AUCTION:
            return AuctionSheet
        case Phase.CHOICE:
            return ChoiceSheet
        case Phase.MAIN | Phase.STOPPED if position.event is None:
            return MainSheet
        case _:
            return EventSheet


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a list, read: its kind, its canonical form, the values of its blanks, and its endings."""

    kind: Kind
    line: str
    """The canonical form of the line."""
    args: Mapping[str, str]
    condition: Condition | None = None
    again: bool = False

    @property
    def aims(self) -> Iterator[tuple[str, ...]]:
        """Each way to aim the line, as the names after `at`. Where `or` joins names, ways with the first name come first (HA-W-25)."""
        named = self.args["targets"].split(", ") if "targets" in self.args else []
        return itertools.product(*(one.split(" or ") for one in named))

    @property
    def name(self) -> str:
        """The name that `done(...)` uses for this line; empty if it has none."""
        return self.args.get("step", "")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that cannot be read: what is wrong, and what would be right."""

    line: str
    what: str
    right: str


def blanks_of(index: Index, princes: tuple[str, ...]) -> dict[str, Blank]:
    """Blank -> the words that may fill it, such as the cards of a set, the Princes of a game, or a Challenge's pools."""
    characters = tuple(index.characters)
    copies = tuple(card for action in index.actions.values() for card in action.cards)
    cards = (*index.actions, *copies)
    abilities = tuple(sorted({one.id for who in index.characters.values() for one in who.abilities}))
    pools = (SUPPORT, OPPOSE, "me")
    return {
        "character": Blank(words=(*characters, *princes), loose=True),
        "fighter": Blank(words=(*characters, *princes), loose=True),
        "person": Blank(words=(*characters, *princes, "me"), loose=True),
        "prince": Blank(words=(*princes, "me"), loose=True),
        "card": Blank(words=cards, loose=True),
        "other": Blank(words=cards, loose=True),
        "thing": Blank(words=(*characters, *princes, *cards, *index.events), loose=True),
        "pool": Blank(words=(*pools, *princes)),
        "target": Blank(words=(*characters, *princes, *cards, *pools), loose=True),
        "aim": Blank(of="target", between=r"\bor\b", joint=" or "),
        "targets": Blank(of="aim", between=r","),
        "helper": Blank(words=(*characters, *princes, "prince"), loose=True),
        "helpers": Blank(of="helper", between=r","),
        "ability": Blank(words=abilities),
        "side": Blank(words=(ATTACK, DEFENCE)),
        "trigger": Blank(words=TRIGGERS),
        "deck": Blank(words=("action", "character")),
        "number": Blank(words=tuple(map(str, range(1, 10)))),
        "keyword": Blank(words=KEYWORDS),
        "step": Blank(exact=NAME, such=IN_ORDER, sample="first"),
        "condition": Blank(terms=TERMS, sample="turn > 3"),
    }


WORDS_OF_LINES = frozenset(
    {"and", "not", "me", "action", "character", ATTACK, DEFENCE, SUPPORT, OPPOSE, BASE, SLOT}
    | {word for forms in (ACTING.kinds, OTHERS.kinds, *ENDINGS.values()) for form in forms for word in BLANK.sub("", form).split()}
)  # fmt: skip
"""Words of the forms. A card whose name is one of them can only be referred to by its id."""


class Reader:
    """Reads the lines of one game, with its card set and its Princes."""

    def __init__(self, index: Index, princes: tuple[str, ...]) -> None:
        self.index = index
        blanks = blanks_of(index, princes)
        names = {
            title.name: title.id
            for _, title in index.cards.titles()
            if title.name.casefold() != title.id and title.name.casefold() not in WORDS_OF_LINES
        }
        self.lines: dict[Part, Lines] = {}
        self.kinds: dict[Part, Mapping[str, Kind]] = {}
        for part, title in PARTS.items():
            acting = ACTING.forms(*(name for name, lists in LISTS.items() if part in lists))
            self.kinds[part] = cast("Mapping[str, Kind]", OTHERS.forms(part) or acting)
            self.lines[part] = Lines(
                {title: tuple(self.kinds[part])},
                blanks,
                example=EXAMPLES[part],
                endings=ENDINGS[part],
                names=names,
                around=() if part == "reopen" else AROUND,
            )

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # a reader lives as long as its card set
    def read(self, part: Part, line: str) -> Step | Unreadable:
        """Read a line of a list as a step, or return the fault in it."""
        if len(line) > MOST_LETTERS:
            return Unreadable(line, f"the line has {len(line)} letters", f"at most {MOST_LETTERS} are allowed")
        lines = self.lines[part]
        found = lines.read(line)
        if isinstance(found, Misfit):
            return Unreadable(line, *self._hint(part, line, found))
        form, args = found
        base = lines.base(form)
        ways = math.prod(1 + aim.count(" or ") for aim in args.get("targets", "").split(", "))
        if ways > MOST_AIMS:
            return Unreadable(line, f"the line can be aimed in {ways} ways", f"at most {MOST_AIMS} are allowed")
        condition = lines.condition("condition", args["condition"]) if "condition" in args else None
        if base.endswith((f" by {BASE}", f" by {SLOT}")):
            args["character"] = base.rpartition(" ")[2]
        return Step(self.kinds[part][base], fill_form(form, args), args, condition, form.endswith(AGAIN))

    def _hint(self, part: Part, line: str, found: Misfit) -> tuple[str, str]:
        """The fault in a line and what would be right, with special advice for common mistakes."""
        for other in self.lines:
            if other not in (part, "reopen") and not isinstance(self.lines[other].read(line), Misfit):
                return f"{line[:60]!r} is a line for `{other}`, and stands under `{part}`", "move it there"
        for slip in SLIPS:
            if slip.part in (part, "") and re.search(slip.pattern, line, re.IGNORECASE):
                return found.what, slip.right
        return found.what, found.right

    def hint(self, part: Part, line: str, samples: Mapping[str, str]) -> str:
        """A correct line to replace an unreadable one; its blanks hold samples that the writer may use now."""
        return self.lines[part].hint(self.lines[part].plain(self.lines[part].by_words(line)).rstrip(".; "), samples)

    def named(self, text: str, blank: str = "thing") -> str:
        """The id that a name on a list means, for this kind of blank; an unknown name comes back in lower case."""
        found = self.lines["event"].fill(blank, self.lines["event"].by_words(" ".join(text.split())))
        return found if isinstance(found, str) else text.strip().casefold()


_readers: dict[tuple[int, tuple[str, ...]], Reader] = {}
MOST_READERS = 64


def reader_of(index: Index, princes: tuple[str, ...]) -> Reader:
    """The reader of a game; made once for all games with the same cards and Princes."""
    key = (id(index), princes)
    found = _readers.get(key)
    if found is None or found.index is not index:
        if len(_readers) >= MOST_READERS:
            _readers.clear()
        found = _readers[key] = Reader(index, princes)
    return found
