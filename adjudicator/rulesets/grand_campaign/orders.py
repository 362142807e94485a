"""The lines of a sheet and their grammar: one order per line, and a list of lines for each phase (GC-P-5, catalogue 3.1).

An army's line is its list of steps and Actions, in order: `G: NW, W, Build Road, NE, Prepare to Attack E`. Each kind of line has a form,
which does everything: it reads players' spellings, writes the canonical line, and is the advice for a line that cannot be read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.acts import Acts
from adjudicator.core.contract.lines import Blank, Lines, Misfit, fill_form
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.mechanics.hexes import DIRECTIONS, Direction, Hex
from adjudicator.rulesets.grand_campaign import names
from adjudicator.rulesets.grand_campaign.acts import EXAMPLES, LINES, MOVES, PARTS, PARTY_ACTS, PURCHASES, Part
from adjudicator.rulesets.grand_campaign.campaign import Campaign
from adjudicator.rulesets.grand_campaign.position import Phase, Position
from adjudicator.rulesets.grand_campaign.rosters import NamedRoster, Roster
from adjudicator.rulesets.grand_campaign.tables import ACTIONS, ARTEFACTS, FACTIONS, PARTIES, SCENARIOS

MOST_LINES = 100
MOST_LETTERS = 1000
"""Most letters in a line; an army's line takes a few hundred."""
RESULTS = (
    "win", "major win", "loss", "major loss", "draw", "stalemate", "auto", "I concede",
)  # fmt: skip
"""Results of a battle in one side's report (GC-Z-14)."""
CUSTOM = "custom"
"""A scenario that the players made up (GC-A-15)."""

Lists = Annotated[tuple[Annotated[str, Choice(max_length=MOST_LETTERS)], ...], Choice(max_length=MOST_LINES)]
Wishes = Annotated[tuple[Annotated[str, Choice(max_length=12)], ...], Choice(max_length=60)]


@record
class PlacementSheet(SheetWords):
    """A player's wishes for their start: lists of hexes, best first (GC-C-4)."""

    city: Annotated[Wishes, field_text("Hexes, best first (GC-C-4).", title="My City")] = ()
    fortress: Annotated[Wishes, field_text("Hexes that touch my realm, best first (GC-C-8).", title="My Fortress")] = ()
    towns: Annotated[Wishes, field_text("Hexes for both Towns, best first.", title="My two Towns")] = ()
    armies: Annotated[Wishes, field_text("Hexes in my realm, for A1, then A2 (GC-C-7).", title="My two armies")] = ()
    general: Annotated[Wishes, field_text("Hexes in my realm, best first.", title="My General’s Army")] = ()


@record
class SeasonSheet(SheetWords):
    """A sheet for a season: diplomacy, spending, armies and parties (GC-Z-2)."""

    diplomacy: Annotated[
        Lists,
        field_text(
            "Such as `war with Ben`. Peace, alliances and trades need both players (GC-L-9).", title="Diplomacy"
        ),
    ] = ()
    spending: Annotated[
        Lists,
        field_text("Purchases, made in this order: `army A3 from River Watch at 0304` (GC-N-7).", title="Spending"),
    ] = ()
    armies: Annotated[
        Lists,
        field_text(
            "One line per army: `A1: E, NE, Claim Territory` (GC-P-5). Without one it stays (GC-P-3).", title="Armies"
        ),
    ] = ()
    parties: Annotated[
        Lists, field_text("One line per party: `P1: E, SE, Explore Ruin` (GC-Q-2).", title="Adventuring parties")
    ] = ()
    conquest: Annotated[
        Lists,
        field_text(
            "What an army conquers if it wins or annexes: `A1: seize 1005, claim 1004` (GC-V-18).", title="If I win"
        ),
    ] = ()
    standing: Annotated[
        Lists | None,
        field_text(
            "Orders that apply until I send another list: `stand aside A1`, `answer with A2, G` (GC-O-52, GC-O-53).",
            title="Until I change it",
        ),
    ] = None
    rosters: Annotated[
        tuple[NamedRoster, ...],
        Choice(max_length=6),
        field_text("Lists for armies that I recruit or reform (GC-F-4).", title="Army lists"),
    ] = ()
    close: Annotated[
        Flag,
        field_text("The campaign closes with this season, if everybody says so (GC-A-5).", title="Close the campaign"),
    ] = False

    @property
    def lists(self) -> Mapping[str, Roster]:
        """The lists by name; of two with the same name, the first."""
        return {one.name: one.roster for one in reversed(self.rosters)}


@record
class Account:
    """A player's text about a battle (GC-W-3)."""

    battle: Annotated[str, Choice(max_length=4), field_text("The battle, such as B1.")]
    text: Annotated[str, Choice(max_length=12_000), field_text("In my own words.")]


@record
class BattlesSheet(SheetWords):
    """A sheet for reports of a season's battles (GC-Z-4, GC-Z-14)."""

    results: Annotated[
        Lists, field_text("How each battle ended, as I saw it: `B1: major win` (GC-Z-14).", title="Battles")
    ] = ()
    deeds: Annotated[
        Lists,
        field_text(
            "Deeds count for experience if both players name them: `B1: Ansel beat Gorm` (GC-Z-15).", title="Deeds"
        ),
    ] = ()
    bonus: Annotated[
        Lists,
        field_text(
            "Photos, reports and stories for readers: `B1: account`, with its text below (GC-W-1).",
            title="Photos and stories",
        ),
    ] = ()
    accounts: Annotated[
        tuple[Account, ...],
        Choice(max_length=20),
        field_text(
            "What I write about battles: a report needs 120 words, a story 250 (GC-W-3).", title="Accounts of battles"
        ),
    ] = ()
    skirmishes: Annotated[
        Lists,
        field_text(
            "Skirmishes that we played or could not play, the same line from both; others are rolled (GC-W-9).",
            title="Skirmishes",
        ),
    ] = ()
    conquest: Annotated[
        Lists,
        field_text(
            "Replaces an army's plan in my last sheet: `A1: seize 1005, claim 1004` (GC-V-18).", title="If I win"
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One item in the list of an army or a party, or in a plan."""

    kind: str
    """`step`, `skip`, `portal`, `emerge`, or the id of an action."""
    line: str
    args: Mapping[str, str]

    @property
    def way(self) -> Direction | None:
        """The direction of a step, of the first half of a skip, of an attack, or of a raid."""
        text = self.line if self.kind == "step" else self.args.get("direction")
        return next((way for way in DIRECTIONS if way == text), None)

    @property
    def next(self) -> Direction | None:
        """The second direction of a skip."""
        return next((way for way in DIRECTIONS if way == self.args.get("next")), None)

    @property
    def hex(self) -> Hex | None:
        """The hex that the item names, if any."""
        return self.args.get("hex")

    @property
    def lead(self) -> bool:
        """Whether this army fights if two of its owner's armies could (GC-O-44)."""
        return self.line.endswith(" as lead")


STEPS_BY: Mapping[str, str] = {"step": "O-11", "skip": "I-13", "portal": "K-4", "emerge": "I-73"}
"""Kind of step -> the rule cited when it is done; the rules of actions are in their table."""


@dataclass(frozen=True, slots=True)
class Order:
    """A line, read as an order: its kind, the contents of its form's blanks, and the items of a list."""

    part: Part
    kind: str
    line: str
    """The canonical line."""
    args: Mapping[str, str]
    items: tuple[Item, ...] = ()
    rolled: bool = False
    """Whether dice were written on the line; they are ignored (GC-P-7)."""

    @property
    def rule(self) -> str:
        """The rule cited when the order is done; for a list, the rule of its last action, or of its last step if it has no action."""
        if not self.items:
            return LINES.by_kind[self.kind].rule
        table = ACTIONS.parties if self.part == "parties" else ACTIONS.armies
        acts = [table[item.kind].rule for item in self.items if item.kind in table]
        return acts[-1] if acts else STEPS_BY[self.items[-1].kind]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that cannot be read: the fault, and the correction."""

    line: str
    what: str
    right: str


WAYS_SUCH = f"{', '.join(DIRECTIONS)} (GC-P-4), or an action such as `Claim Territory`"
PARTY_SUCH = f"{', '.join(DIRECTIONS)} (GC-P-4), or an action such as `Explore Ruin`"


def blanks_of(plan: Campaign) -> dict[str, Blank]:
    """Blank of a form -> what may fill it."""
    grid = plan.grid
    between = r",| and "
    return {
        "army": Blank(shape="(?:A[1-9][0-9]?|G)", such="armies are called A and a number, or G", sample="A1"),
        "party": Blank(shape="P[1-9][0-9]?", such="parties are called P and a number", sample="P1"),
        "armies": Blank(of="army", between=rf"{between}| then "),
        "hex": Blank(words=grid.hexes, such=f"hexes are {grid.hexes[0]} to {grid.hexes[-1]}, column and row"),
        "direction": Blank(words=DIRECTIONS, also=names.DIRECTIONS),
        "next": Blank(words=DIRECTIONS, also=names.DIRECTIONS),
        "seat": Blank(words=plan.seats),
        "other": Blank(words=plan.seats),
        "faction": Blank(words=tuple(FACTIONS), also={one.name: id_ for id_, one in FACTIONS.items()}),
        "roster": Blank(sample=next(iter(plan.rosters), "")),
        "character": Blank(sample="Ansel"),
        "type": Blank(words=tuple(PARTIES)),
        "number": Blank(exact="[1-9][0-9]?", such="a number from 1 to 99", sample="2", also=names.NUMBERS),
        "amount": Blank(exact="[1-9][0-9]{0,3}", such="such as `300 gold`", sample="300"),
        "rank": Blank(words=("Fortress", "City")),
        "settlement": Blank(words=("Town", "Fortress", "City")),
        "kind": Blank(words=("forest", "pine", "jungle")),
        "artefact": Blank(words=tuple(ARTEFACTS), loose=True),
        "good": Blank(
            words=("nothing", *grid.hexes, *ARTEFACTS),
            forms=("{amount} gold",),
            also={"{amount}g": "{amount} gold", "{amount} gp": "{amount} gold"},
        ),
        "goods": Blank(of="good", between=between),
        "price": Blank(of="good", between=between),
        "move": Blank(
            words=DIRECTIONS,
            forms=tuple(form for form in MOVES.kinds if form not in DIRECTIONS),
            such=WAYS_SUCH,
            also=names.MOVES,
        ),
        "moves": Blank(of="move", between="[,;]"),
        "act": Blank(
            words=DIRECTIONS,
            forms=tuple(form for form in PARTY_ACTS.kinds if form not in DIRECTIONS),
            such=PARTY_SUCH,
            also=names.ACTS,
        ),
        "acts": Blank(of="act", between="[,;]"),
        "battle": Blank(shape="B[1-9][0-9]?", such="battles are called B and a number", sample="B1"),
        "skirmish": Blank(shape="S[1-9][0-9]?", such="skirmishes are called S and a number", sample="S1"),
        "result": Blank(words=RESULTS, also=names.OUTCOMES),
        "scenario": Blank(words=(*(one.name for one in SCENARIOS.values()), CUSTOM), loose=True),
        "who": Blank(sample="Ansel"),
        "foe": Blank(sample="Gorm"),
        "link": Blank(
            exact="https?://[^ ]{3,300}", such="a link that begins with https://", sample="https://example.org/photos"
        ),
        "mine": Blank(exact="[0-8]", such="a number from 0 to 8", sample="0"),
        "theirs": Blank(exact="[0-8]", such="a number from 0 to 8", sample="1"),
        "pieces": Blank(exact="0|[1-9][0-9]{0,3}", such="such as 30", sample="30"),
        "stones": Blank(exact="0|[1-9][0-9]?", such="such as 1", sample="0"),
        "purchase": Blank(
            words=("nothing",),
            forms=tuple(form for form in PURCHASES.kinds if "{" in form),
            such="`claim 0903`, `seize 1005`, `destroy 1005` or `nothing`",
            also=names.PURCHASES,
        ),
        "purchases": Blank(of="purchase", between="[,;]| and "),
    }


INSIDE: Mapping[str, Acts] = {"moves": MOVES, "acts": PARTY_ACTS, "plan": PURCHASES}
"""Kind of order -> the acts that its items may be."""
BLANK_OF = {"moves": "moves", "acts": "acts", "plan": "purchases"}
BRACKETS = re.compile(r"\(([^()]{0,80})\)")
ROLLED = re.compile(r"(?<=[a-z]) +[1-6](?: *, *[1-6])* *(?=,|$)|[:=] *[1-6](?=[,. ]|$)")
"""Dice that a player wrote beside an action: they are ignored, with a warning (GC-P-7)."""
LISTED = frozenset({"armies", "parties"})
"""The parts whose lines hold actions."""


CALLED = re.compile(
    r"\s*(?:(army|party|battle|skirmish)\s+)?([ABPSabps]?[1-9][0-9]?|[Gg]|general)\s*(?:[:.=]|-(?=\s)|(?=\s))\s*",
    re.IGNORECASE,
)
"""The beginning of a line: an army, a party or a battle in any spelling, and the separator after it."""
LETTERS: Mapping[Part, str] = {
    "armies": "A", "conquest": "A", "parties": "P", "results": "B", "deeds": "B", "bonus": "B", "skirmishes": "S",
}  # fmt: skip
"""Lists whose lines begin with a letter and a number -> the letter."""
WAYS = re.compile(rf"(?:{'|'.join(DIRECTIONS)})(?:\s+(?:{'|'.join(DIRECTIONS)}))+", re.IGNORECASE)
"""Several directions with only spaces between them."""


def tidy(part: Part, line: str) -> str:
    """A line without noise: brackets round arguments, a full stop after the army, `Army` before it (GC-P-5, GC-P-6)."""
    plain = BRACKETS.sub(lambda inside: " " + inside[1].replace(",", " ") + " ", line)
    letter = LETTERS.get(part)
    begins = CALLED.match(plain) if letter is not None else None
    if letter is None or begins is None:
        return plain
    name = begins[2].upper() if begins[2].lower() != "general" else "G"
    name = f"{letter}{name}" if name.isdigit() else name
    if name[0] != letter and not (name == "G" and letter == "A"):
        return plain
    rest = plain[begins.end() :]
    if part in LISTED:
        pieces = (piece.strip() for piece in rest.split(","))
        rest = ", ".join(", ".join(piece.split()) if WAYS.fullmatch(piece) else piece for piece in pieces)
    return f"{name}: {rest}"


class Reader:
    """Reads the lines of one campaign."""

    def __init__(self, plan: Campaign) -> None:
        self.plan = plan
        blanks = blanks_of(plan)
        self.lines = {part: LINES.lines((part,), blanks, {}, example=EXAMPLES[part]) for part in PARTS}
        self.items = {kind: (Lines({"": tuple(acts.kinds)}, blanks), acts.kinds) for kind, acts in INSIDE.items()}

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # a reader lives as long as its campaign
    def read(self, part: Part, line: str) -> Order | Unreadable:
        """Read a line of a list as an order, or return the fault in it."""
        if len(line) > MOST_LETTERS:
            return Unreadable(line, f"the line has {len(line)} letters", f"at most {MOST_LETTERS} are allowed")
        plainly = tidy(part, line)
        found = self.lines[part].read(plainly)
        rolled = False
        if isinstance(found, Misfit):
            plain = self.lines[part].read(ROLLED.sub("", plainly)) if part in LISTED else found
            if isinstance(plain, Misfit):
                return Unreadable(line, found.what, found.right)
            found, rolled = plain, True
        form, args = found
        kind = LINES.kinds[form]
        return Order(part, kind, fill_form(form, args), args, self._items(kind, args), rolled)

    def hint(self, part: Part, line: str, samples: Mapping[str, str]) -> str:
        """Advice for an unreadable line: a form whose blanks hold samples that the writer may use now."""
        return self.lines[part].hint(tidy(part, line).rstrip(".; "), samples)

    def _items(self, kind: str, args: Mapping[str, str]) -> tuple[Item, ...]:
        """The items of an army's, a party's or a plan's line, which is in canonical form."""
        if kind not in INSIDE:
            return ()
        items = []
        for text in args[BLANK_OF[kind]].split(", "):
            found = self.item(kind, text)
            assert not isinstance(found, Misfit), text
            items.append(found)
        return tuple(items)

    def once(self, order: Order) -> tuple[str, ...]:
        """A key that only one order on a sheet may have (GC-P-5)."""
        word, *blanks = LINES.by_kind[order.kind].once or ("",)
        return (word, *(order.args[blank] for blank in blanks)) if word else ("", order.line)

    def items_of(self, texts: tuple[str, ...]) -> tuple[Item, ...]:
        """The remaining items of an army's line, from the strings that a position stores."""
        return self._items("moves", {"moves": ", ".join(texts)}) if texts else ()

    def item(self, kind: str, text: str) -> Item | Misfit:
        """One item of an army's line (`moves`) or of a plan of conquest (`plan`), in a player's spelling."""
        lines, forms = self.items[kind]
        found = lines.read(text)
        return found if isinstance(found, Misfit) else Item(forms[found[0]], text, found[1])

    def purchase(self, text: str) -> Item:
        """An item of a plan of conquest, from its canonical text."""
        return self._items("plan", {"purchases": text})[0]

    def plan_of(self, texts: tuple[str, ...]) -> tuple[Item, ...]:
        """The items of a plan of conquest, from the strings that a position stores."""
        return self._items("plan", {"purchases": ", ".join(texts)}) if texts else ()


_readers: dict[int, Reader] = {}
MOST_READERS = 64


def reader_of(plan: Campaign) -> Reader:
    """The reader of a campaign, from the cache if it is there."""
    key = id(plan)
    found = _readers.get(key)
    if found is None or found.plan is not plan:
        if len(_readers) >= MOST_READERS:
            _readers.clear()
        found = _readers[key] = Reader(plan)
    return found


AnySheet = PlacementSheet | SeasonSheet | BattlesSheet
SHEETS: Mapping[str, type[AnySheet]] = {
    "placement-sheet": PlacementSheet,
    "season-sheet": SeasonSheet,
    "battles-sheet": BattlesSheet,
}


def sheet_type(position: Position, seat: SeatId) -> type[AnySheet]:
    """The type of sheet for the current turn."""
    match position.phase:
        case Phase.PLACEMENT:
            return PlacementSheet
        case Phase.SEASON:
            return SeasonSheet
        case Phase.BATTLES:
            return BattlesSheet
