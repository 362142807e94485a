"""Check a sheet while it is being written at an order desk: the remarks of `courtly check`, each with the part of the sheet it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import OWN_LIMIT, Place, Text, read, write
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.files import view_in_news
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import check_view


@dataclass(frozen=True, slots=True)
class Found:
    """A remark on a sheet."""

    where: Place
    """The part of the sheet that the remark concerns: keys and positions in lists, outermost first; empty for the whole sheet."""
    what: str
    right: str
    level: str
    """As in `Problem`."""
    stops: bool = False
    """True if the sheet could not be read, because of this fault or another: its orders were then not checked."""


@dataclass(frozen=True, slots=True)
class Checking:
    """The data for checking a seat's sheets."""

    game: Game
    data: TurnData
    seat: str
    view: Any
    """The seat's own view; None if the public view is used."""

    def look(self, sheet: Mapping[str, Any]) -> list[Found]:
        """The remarks of `courtly check` on a sheet, from top to bottom; with the seat's news, those of a check with the seat's key."""
        view = self.view if self.view is not None else self.game.ruleset.view(self.data.position, None)
        return looked(self.game, self.data.position, self.seat, sheet, view)


def pasted(game: Game, position: Any, lines: Iterable[str]) -> list[list[str]]:
    """For each line from elsewhere, the orders in it as verdicts write them; an empty list for a line that is unreadable or needs no change."""
    view, desk = game.ruleset.view(position, None), game.ruleset.desk

    def orders(line: str) -> tuple[str, ...]:
        if desk.pasted is not None:
            return desk.pasted(view, line)
        return (desk.canonical(view, line),) if desk.canonical is not None else ()

    found = ((line, orders(line)) for line in lines)
    return [[] if said == (line,) else [*said] for line, said in found]


def looked(game: Game, position: Any, seat: str, sheet: Mapping[str, Any] | str, view: Any = None) -> list[Found]:
    """The remarks of `courtly check` on a sheet, given as data or as text, from top to bottom; `view` is the seat's own by default."""
    try:
        text = read((sheet if isinstance(sheet, str) else write(dict(sheet))).encode(), f"{seat}’s sheet")
    except Problems as error:
        return [Found((), one.what, one.right, one.level, stops=True) for one in error.problems]
    try:
        game.ruleset.read_sheet(position, seat, game.ruleset.fit_sheet(position, seat, text))
        stops = False
    except Problems:
        stops = True
    found = check_view(game, position, seat, text, view)
    return [Found(_where(text, one), one.what, one.right, one.level, stops) for one in found]


def _where(text: Text, found: Problem) -> Place:
    """The part of a sheet that a remark points at: the last part that begins at or before that point; () means the whole sheet."""
    if (found.line, found.column) <= text.mark(()):
        return ()
    before = [(mark, place) for place, mark in text.marks.items() if mark <= (found.line, found.column)]
    return max(before, key=lambda one: (one[0], len(one[1])), default=((0, 0), ()))[1]


def checking_at(archive: Archive, slug: str, name: str, seat: str, news: str | None = None) -> Checking:
    """The data for checking a seat's sheets for an open turn; the view is the one in the seat's `news`, or else public. Raises `Problems`."""
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    if seat not in game.seats:
        raise problem("", f"the game has no seat {seat!r:.40}", f"seats: {', '.join(game.seats)}")
    if turn.data.status != "open":
        raise problem(f"{slug}/{name}", "this turn has been judged", "load the page again")
    hidden = game.ruleset.secrecy is not None and news is not None
    view = view_in_news(turn, read((news or "").encode(), "your news", limit=OWN_LIMIT)) if hidden else None
    return Checking(game, turn.data, seat, view)
