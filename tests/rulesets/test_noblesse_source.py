"""Noblesse held to its source's words: what an independent second judge and the rules post found otherwise, each by its id."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.dice import GivenDice
from adjudicator.rulesets.noblesse.events import Moved, Raised
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, treaty_of
from tests.rulesets.noblesse_world import WALLS, Board, resolve

LONG = Expiration(form="cycles", number=9)


def bound(
    board: Board, one: str, other: str, *, state: str | None = None, name: str = "T417", **fields: object
) -> Board:
    """A treaty of two factions, in force since this cycle."""
    keep = Promise(form="enter", will=False, estates=("J5",))
    usual = {"mine": (keep,), "theirs": (keep,), "penalties": (Penalty(form="ends", cycles=1),), "ends": (LONG,)}
    made = treaty_of(Proposal(to=other, state=state, **{**usual, **fields}), one)  # type: ignore[arg-type]  # one of the states
    treaty = replace(made, status="in force", began=board.now.cycle)
    board.now = replace(board.now, treaties={**board.now.treaties, name: treaty})
    return board


# Numbers of units -------------------------------------------------------------------------------------------------


def test_a_number_that_stood_when_the_night_began_is_not_drawn_in_it() -> None:
    """FN-13, NB-B-23: a garrison raised under the number of a regiment that moved and was disbanded would have moved."""
    removed = Promise(form="move", side="remove", estates=("A1",), units=("regiment",))
    board = bound(Board().rich("Anise").unit("U417", "Anise", "A1"), "Pape", "TCK", mine=(removed,))
    lines = ("Move U417 to B1", "Disband U417", f"Recruit garrison at A1 led by Sergeant: {WALLS}")
    dice = GivenDice({"unit:5:Anise:1": 417 - 99, "unit:5:Anise:2": 418 - 99})
    done = resolve(board.now, {"Anise": Sheet(orders=lines)}, dice)
    assert [one.unit for one in done.events if isinstance(one, Moved)] == ["U417"]
    assert [one.unit for one in done.events if isinstance(one, Raised)] == ["U418"]
    assert [(deed.kind, deed.what) for deed in done.position.treaties["T417"].deeds] == [("removed", "regiment")]
