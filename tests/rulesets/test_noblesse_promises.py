"""Promises and deeds: every form with the deeds that affect it, played and reported (NB-M, NB-T-10, FN-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Flag, Whole, decode, load, record
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.noblesse import treaties
from adjudicator.rulesets.noblesse.position import Forced, Position
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import PROMISES, Expiration, Promise, PromiseForm, Proposal
from tests.rulesets.noblesse_world import STRONG, Board, play_turn

TABLE = Path(__file__).parent.parent / "data" / "noblesse-promises.yaml"
FIRST = 5
"""The cycle of the first Night."""
Orders = Mapping[SeatId, tuple[str, ...]]


@record
class Case:
    """A promise of Pape to TCK, the deeds, and the answer to a report."""

    form: PromiseForm
    about: str
    promise: Mapping[str, Any]
    nights: tuple[Orders, ...]
    answer: Literal["broken", "kept", "open", "unknown", "no treaty"]
    days: tuple[Orders, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    strong: Mapping[str, str] = field(default_factory=dict)
    rented: Mapping[str, str] = field(default_factory=dict)
    posts: tuple[tuple[str, ...], ...] = ()
    hold: Mapping[str, str] = field(default_factory=dict)
    rich: tuple[SeatId, ...] = ()
    wed: tuple[SeatId, ...] = ()
    forced: Mapping[str, Any] | None = None
    ally: Flag = False
    state: Literal["neutral", "allied"] | None = None
    led: Flag = False
    """True if Courtiers lead the units."""
    leads: str | None = None
    """A unit led by its player."""
    expelled: Flag = False
    """True if Rue sends the Tax Collector at A2 home."""
    begins: Whole = FIRST
    ends: Whole = 9

    @property
    def made(self) -> Promise:
        """The promise."""
        return decode(Promise, Text("promise", {"form": self.form.value, **self.promise}, {}))


@record
class Table:
    """The cases."""

    cases: tuple[Case, ...]


@cache
def table() -> tuple[Case, ...]:
    return load(Table, TABLE.read_bytes(), TABLE.name).cases


CASES = {f"{case.form}: {case.about}": case for case in table()}


def begin(case: Case) -> Position:
    """The board before the first Night."""
    board = Board(cycle=FIRST).rich(*case.rich)
    for at, by in case.hold.items():
        board.hold(at, by)
    for seat, post, at, *what in case.posts:
        board.post(seat, post, at, *what)
    for name, line in case.units.items():
        owner, at = line.split(" ")
        leader = "pc" if name == case.leads else "courtier" if case.led else "Sergeant"
        board.unit(name, owner, at, leader=leader)
    for name, line in case.strong.items():
        owner, at = line.split(" ")
        board.unit(name, owner, at, STRONG, "Sergeant")
    for name, line in case.rented.items():
        owner, at = line.split(" ")
        board.unit(name, owner, at, leader="Sergeant", rented="Kantonians")
    if case.wed:
        board.heir(*case.wed)
    if case.forced is not None:
        board.faction(
            "Pape", forced=(Forced(**{**case.forced, "who": tuple(case.forced["who"]), "until": 9, "treaty": "T300"}),)
        )
    other = Promise(form="pay", amounts=Stock(money=1), cycles=9)
    proposal = Proposal(
        to="TCK", state=case.state, mine=(case.made,), theirs=(other,), penalties=(), ends=(Expiration(form="cycles", number=case.ends),)
    )  # fmt: skip
    made = replace(treaties.treaty_of(proposal, "Pape"), status="signed", starts=case.begins)
    held = {"T100": made}
    if case.ally:
        with_fleurs = replace(
            proposal, to="Fleurs", state="allied", mine=(other,), ends=(Expiration(form="cycles", number=9),)
        )
        held["T200"] = replace(treaties.treaty_of(with_fleurs, "Pape"), status="signed", starts=FIRST)
    return replace(board.now, treaties=held)


ANSWERS = {"breach": "broken", "waits": "unknown", "no-treaty": "no treaty"}


@pytest.mark.parametrize("name", CASES)
def test_a_promise_is_judged_by_the_doer_and_the_owner(name: str) -> None:
    """FN-3, NB-M-1 to NB-M-10, NB-T-10, NB-T-18: each form is judged by the doer and the owner of the estate or unit, or not at all."""
    case = CASES[name]
    position = begin(case)
    for number, night in enumerate(case.nights):
        orders = {seat: list(lines) for seat, lines in night.items()}
        if case.expelled:
            ability = next(option for option in ("2", "5", "8") if expels(position, option))
            orders["Rue"] = [f"Ability {ability} on tax money at A2"]
        turn = play_turn(position, orders)
        assert [verdict for verdict in turn.done.verdicts if verdict.result == "unreadable"] == []
        by_day = case.days[number] if number < len(case.days) else {}
        last = number == len(case.nights) - 1
        day = {seat: list(lines) for seat, lines in by_day.items()}
        if last:
            day["Hyssop"] = ["Report T100 promise 1", *day.get("Hyssop", [])]
        turn = play_turn(turn.after, day)
        position = turn.after
    told = next(verdict for verdict in turn.verdicts("Hyssop") if verdict.order.startswith("Report"))
    standing = ANSWERS.get(told.reason) or (told.facts or {}).get("found")
    assert standing == case.answer, told


def expels(position: Position, option: str) -> bool:
    words: Mapping[str, Any] = {"2": "two", "5": "five", "8": "eight"}
    return position.settings.board.ability(position.players["Rue"].role, words[option]).effect == "expel"


def test_the_table_has_every_form_and_every_answer() -> None:
    """FN-3: a new form fails here until it has its cases; promises that can be judged are both kept and broken."""
    answers: dict[str, set[str]] = {form.value: set() for form in PromiseForm}
    for case in table():
        answers[case.form.value].add(case.answer)
    for form, listed in PROMISES.items():
        wanted = {"kept", "broken"} if listed.checked else {"unknown"}
        assert wanted <= answers[form.value], form
        assert listed.checked or answers[form.value] == {"unknown"}
    assert len(CASES) == len(table())
