"""The Ruleset record: the questions every game answers. A ruleset is a value, found by its folder."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from adjudicator.core.dice import Dice
from adjudicator.core.lines import Lines
from adjudicator.core.problems import nearest, problem
from adjudicator.core.resolution import (
    Chapter,
    Chart,
    Example,
    PlayedGame,
    Remark,
    Report,
    Resolution,
    SeatId,
    Table,
    Timeline,
    Verdict,
)

P = TypeVar("P")
S = TypeVar("S")
E = TypeVar("E")

Chance = Callable[[str, int], int]
"""A named number for a stand-in: `chance("bold:Granada", 6)` is one of 0 to 5, the same for the same name and turn."""


def at_random(position: Any, seat: SeatId, chance: Chance) -> Callable[[Any, Any], int | None]:
    """Every order is worth something, by chance: how stand-ins play a ruleset that does not say what they should want."""
    # A vote that the game be over is no order, and whoever makes one every turn rehearses nothing.
    return lambda sheet, more: None if getattr(more, "draw", None) else 1 + chance(f"{seat}:{more}", 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a ruleset is, for people."""

    slug: str
    title: str
    designer: str
    players: str
    summary: str
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[P, S, E]):
    """A game's rules: types and functions. A variant is a `dataclasses.replace` of one."""

    about: About
    folder: Path
    """Holds `RULES.md`, boards and cases."""
    position: type[P]
    sheet: type[S]
    """What one seat asks for in one turn; where seats ask for different things, see `sheet_of`."""
    event: Any
    """The union of facts a turn can produce."""
    settings: type[Any]
    """House rules: enums and numbers, with defaults."""
    seats: Callable[[Any], tuple[SeatId, ...]]
    """Settings -> the seats of the game, in the order in which they are listed."""
    setup: Callable[[Any, Dice], P]
    """Settings and dice -> the first position."""
    due: Callable[[P], frozenset[SeatId]]
    """Who owes a sheet now."""
    when: Callable[[P], str]
    """`Spring 1901, movement`."""
    kind: Callable[[P], str]
    """`movement`: the kind of turn, which a schedule may time by itself."""
    check: Callable[[P, SeatId, S], tuple[Remark, ...]]
    """What is wrong with a sheet, for its author's eyes, before the deadline; where information is hidden it is asked with
    what the public sees, and says what anybody can see to be wrong."""
    options: Callable[[P, SeatId], Iterable[S]]
    """Legal sheets of one order each, so that every legal order appears in one of them."""
    resolve: Callable[[P, Mapping[SeatId, S], Dice], Resolution[P, E]]
    tell: Callable[[P, Verdict | E], str]
    """One sentence for a verdict or a fact of the turn that began with this position."""
    draw: Callable[[P, Resolution[P, E] | None], Any]
    """What is to be seen: the position a turn began with, and its orders once they are judged."""
    paint: Callable[[Any], str]
    """A scene (an `AnyScene`, of the kind that this ruleset draws) as SVG: whichever of `adjudicator.render` fits the board."""
    tally: Callable[[P], tuple[Table, ...]]
    chart: Callable[[Iterable[P]], tuple[Chart | Timeline, ...]]
    """The story of a game in pictures, from its positions in order."""
    seen_by: Callable[[P, SeatId | None], P]
    """The position as a seat, or the public (None), may see it."""
    heard_by: Callable[[Verdict | E, SeatId | None], bool]
    """Whether a seat, or the public (None), learns of a verdict or a fact while the game runs."""
    examples: Callable[[], Iterable[Example[P, E]]]
    """The rulebook's worked examples, played."""
    read_played: Callable[[bytes], Iterable[PlayedGame[P]]] | None = None
    """Reads games played elsewhere, whatever formats this ruleset knows; raises `Problems`."""
    files: Mapping[str, type[Any]] = field(default_factory=dict)
    """Kinds of files that a host may lay beside game.yaml and name in a setting -> what they hold."""
    furnish: Callable[[Any, Callable[[str], tuple[bytes, str]]], Any] = lambda settings, beside: settings
    """House rules with what the files that they name hold. `beside` gives such a file's bytes and its path by its name;
    it raises `Problems`, as this does, with the file's own lines."""
    housed: Callable[[P, Any], P] = lambda position, settings: position
    """A position as it was read, with the game's furnished house rules in place of their names; raises `Problems` when they
    are not those that it was written with."""
    sheet_of: Callable[[SeatId], type[Any]] | None = None
    """Which type of sheet a seat writes, where not all write the same."""
    kinds: tuple[str, ...] = ()
    """Every kind of turn, if a schedule may time them apart."""
    hidden: bool = False
    """Whether there is anything that not everybody may see. Then the game is sealed, and revealed when it ends."""
    public_roll: Callable[[str], bool] = lambda name: True
    """Whether the public sees a roll of this name while the game runs; asked only of rulesets with hidden information."""
    lines: Callable[[P], Lines | None] = lambda position: None
    """How the orders of this turn are written, from what the public sees: by these the order desk reads them. Asked only of
    rulesets with hidden information, where `options` cannot be known to everybody."""
    worth: Callable[[P, SeatId, Chance], Callable[[Any, Any], int | None]] = at_random
    """For a stand-in in a seat: how much better a sheet gets by one more of its `options`. Nothing is added that is worth
    0 or less; None says that it never will be."""
    part: Callable[[P, Any], tuple[int, str]] = lambda position, event: (0, "")
    """Under which heading a fact of the turn that began with this position is told, with the heading's place among them."""
    reports: Callable[[P, Iterable[Any]], tuple[Report, ...]] = lambda position, events: ()
    """Facts of a turn that deserve more than a sentence."""
    chapters: Callable[[Sequence[Resolution[P, E]], P | None], tuple[Chapter, ...]] = lambda turns, final: ()
    """More pages of a game, from its turns (each with the position it began with) and the position it ended in, if it has:
    as far as their reader may know them."""
    brief: Callable[[P, SeatId], tuple[str, ...]] = lambda view, seat: ()
    """For a seat, from what it sees when a turn opens: who it is and what waits for it, in sentences."""
    party: Callable[[P, SeatId], str] = lambda position, seat: seat
    """What a winner is counted as where many games are: the seat itself, or the side that it was dealt."""
    spelling: Callable[[P], Mapping[str, str]] = lambda position: {}
    """How people may spell the words of an order: lower-case word or words -> how the canonical order writes it."""
    write_played: Callable[[str, Iterable[tuple[P, Mapping[SeatId, S], Resolution[P, E] | None]]], bytes] | None = None
    """A game, by name and turns, in the format that others read."""

    def sheet_for(self, seat: SeatId) -> type[Any]:
        """The type of sheet that a seat writes."""
        return self.sheet if self.sheet_of is None else self.sheet_of(seat)

    def sheet_types(self) -> dict[str, type[Any]]:
        """Every type of sheet by the name of its schema: `sheet`, or one for each kind of seat, as `wazir-sheet`."""
        if self.sheet_of is None:
            return {"sheet": self.sheet}
        found = dict.fromkeys(self.sheet_of(seat) for seat in self.seats(self.settings()))
        return {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower(): kind for kind in found}


RULESETS = Path(__file__).parent.parent / "rulesets"
SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")


def slugs() -> tuple[str, ...]:
    """Every ruleset there is: the folders beside each other, by name."""
    return tuple(sorted(p.parent.name for p in RULESETS.glob("*/__init__.py") if SLUG.fullmatch(p.parent.name)))


def find(slug: str) -> Ruleset[Any, Any, Any]:
    """The ruleset called `slug` (`al-andalus` and `al_andalus` are the same); raises `Problems` if there is none."""
    name = slug.replace("-", "_")
    known = slugs()
    if name not in known:
        right = nearest(name, known) or "rulesets here: " + ", ".join(known)
        raise problem("", f"no ruleset is called {slug!r:.60}", right)
    found = importlib.import_module(f"adjudicator.rulesets.{name}").RULESET
    assert isinstance(found, Ruleset)
    return found
