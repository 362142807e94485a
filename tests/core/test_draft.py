"""Drafts: the position of a turn in the making."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from adjudicator.core.contract.acts import Deed, because
from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import Ending, SeatId, Verdict
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import record
from adjudicator.core.turn.load import load_game, load_turn


@record
class Held:
    """A position for these tests."""

    round: int
    hands: Mapping[SeatId, str] = field(default_factory=dict)
    pile: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()


class Work(Draft[Held, Verdict, str], rules="XX", by_key=("hands",)):
    """A turn for these tests."""

    hands: dict[SeatId, str]
    pile: list[str]
    taken: set[str]

    def __init__(self, position: Held) -> None:
        super().__init__(position, {}, NamedDice(b"draft"))
        self.played: list[str] = []


START = Held(round=3, hands={"West": "Ace", "East": "Queen"}, pile=("King", "Ten"), taken=frozenset({"Two"}))


def test_after_holds_the_changes_and_the_start_stays_as_it_was() -> None:
    work = Work(START)
    work.hands["North"] = work.pile.pop()
    work.taken.add("Three")
    work.amend(round=4)
    assert work.position == work.after()
    after, hands = work.after(), {"East": "Queen", "North": "Ten", "West": "Ace"}
    assert after == Held(round=4, hands=hands, pile=("King",), taken=frozenset({"Two", "Three"}))
    assert [*after.hands] == [*hands], "sorted by key, as the class says"
    assert (START.hands, START.pile) == ({"West": "Ace", "East": "Queen"}, ("King", "Ten"))
    work.hands["North"] = "Two"
    assert after.hands["North"] == "Ten", "a position does not change after it was made"
    assert work.after(round=5, pile=()) == replace(after, round=5, hands={**hands, "North": "Two"}, pile=())


def test_the_position_holds_the_changes_of_copies() -> None:
    work = Work(START)
    work.hands["West"] = "Two"
    assert work.position.hands == {"West": "Two", "East": "Queen"}
    with pytest.raises(TypeError, match="hands: change the copy"):
        work.amend(hands={})


class Said:
    """An order after reading."""

    def __init__(self, line: str) -> None:
        self.line = line


def test_verdicts_facts_and_the_end_are_in_the_outcome() -> None:
    work = Work(START)
    work.judge("West", "Play Ace", "succeeds", "played", "T-1", card="Ace")
    work.judge("East", Said("Play King"), "illegal", "not-in-hand", "T-2")
    work.tell("one", "two")
    work.ended = Ending(how="score", winners=("West",), when="Round 3", rule="XX-V-1")
    done = work.done(work.after())
    assert (done.position, done.events, done.ended) == (START, ("one", "two"), work.ended)
    assert done.verdicts == (
        Verdict(
            seat="West", order="Play Ace", result="succeeds", reason="played", rule="XX-T-1", facts={"card": "Ace"}
        ),
        Verdict(seat="East", order="Play King", result="illegal", reason="not-in-hand", rule="XX-T-2"),
    )


def test_a_deed_is_done_unless_it_has_a_fault() -> None:
    deed: Deed[Work, Said] = Deed(
        lambda work, seat, order: None if seat == "West" else because("not-yours", "T-3", at="home"),
        lambda work, seat, order: work.played.append(order.line),
    )
    work = Work(START)
    for seat in ("West", "East"):
        work.carry_out(seat, Said(f"Go {seat}"), deed)
    assert work.played == ["Go West"]
    assert work.verdicts == [
        Verdict(seat="East", order="Go East", result="fails", reason="not-yours", rule="XX-T-3", facts={"at": "home"})
    ]


def test_a_declared_name_that_the_position_lacks_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.purse: the position has no such field; set it in __init__"):

        class Wrong(Draft[Held, Verdict, str]):
            purse: dict[SeatId, int]

    with pytest.raises(TypeError, match=r"Taken\.events: every draft uses this name itself; set a copy in __init__"):

        class Taken(Draft[Held, Verdict, str]):
            events: list[str]

    with pytest.raises(TypeError, match=r"Covered\.tell: every draft uses this name itself"):

        class Covered(Draft[Held, Verdict, str]):
            tell: list[str]  # type: ignore[assignment]  # the fault that this is about

    with pytest.raises(TypeError, match="Unsorted sorts what it does not declare: hands"):

        class Unsorted(Draft[Held, Verdict, str], by_key=("hands",)):
            pile: list[str]


def test_a_subclass_of_a_draft_adds_its_own_fields() -> None:
    class Counted(Work):
        round: int

    work = Counted(START)
    work.round += 1
    work.hands["North"] = "Two"
    work.judge("West", "Play Ace", "succeeds", "played", "T-1")
    assert work.after() == replace(START, round=4, hands={**START.hands, "North": "Two"})
    assert [*work.after().hands] == ["East", "North", "West"]
    assert work.verdicts[0].rule == "XX-T-1"


def test_a_draft_of_any_position_gives_it_back(root: Path) -> None:
    """Of every ruleset, for every fifth turn of the archive: what no step changed is in the next position as it was."""
    for slug in slugs():
        find(slug)  # importing a ruleset makes its draft known
    drafts = {
        get_args(draft.__orig_bases__[0])[0]: draft  # type: ignore[attr-defined]  # every generic class has them
        for draft in Draft.__subclasses__()
        if {*draft.__module__.split(".")[2:3]} <= {*slugs()} and draft.__module__.startswith("adjudicator.rulesets.")
    }
    copying = {draft.__module__.split(".")[2] for draft in drafts.values() if draft._copied}
    assert copying == {"noblesse", "heir_apparent", "grand_campaign"}, "the others keep a whole position"
    assert len(drafts) == len(slugs())
    seen = set()
    archive = Archive(root)
    for game in (load_game(archive, slug) for slug in archive.slugs()):
        for name in archive.turns(game.slug)[::5]:
            position: Any = load_turn(archive, game, name).data.position
            draft: Any = drafts[type(position)]
            given = [position, {}, NamedDice(b"again"), None][: len(inspect.signature(draft).parameters)]
            assert draft(*given).after() == position, (game.slug, name)
            seen.add(type(position))
    assert len(seen) == len(drafts)
