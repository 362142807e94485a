"""Saga of the Nine: invariants of every position and turn, whatever players order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import RULESET, events
from adjudicator.rulesets.saga_of_the_nine.bidding import against_bid
from adjudicator.rulesets.saga_of_the_nine.orders import Offer, Sheet, speech_of
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    Settings,
    capital_name,
    faults,
    heirs_of,
    living,
    majors,
    minors,
    purse_of,
    starting_position,
    stationary,
    when,
)
from adjudicator.rulesets.saga_of_the_nine.worth import write
from tests.conftest import FUZZ, examples, first_of
from tests.rulesets.worked import NO_DICE

Outcome = Resolution[Position, events.AnyEvent]
MIXED = 0.35
"""Four times the chance that a line is dropped from a stand-in's sheet whenever a random line is added."""


def sheets_for(position: Position, random: Random, number: int) -> dict[str, Sheet]:
    """Sheets half by stand-ins and half by lot: legal orders, bids of all sizes, now and then none at all."""
    sheets: dict[str, Sheet] = {}
    for major in sorted(RULESET.rules.due(position)):
        if random.random() < 0.04:
            continue
        sheet = write(position, major, chance_of(f"laws {number}", when(position)))
        assert isinstance(sheet, Sheet)
        options = list(RULESET.rules.options(position, major))
        for _ in range(random.randint(0, 6)):
            more = random.choice(options) if options else Sheet()
            bids = tuple(f"{random.randint(1, 3)}{bid[1:]}" for bid in more.bids)
            kept = tuple(line for line in sheet.orders if random.random() > MIXED / 4)
            sheet = replace(
                sheet, orders=(*kept, *more.orders), bids=(*sheet.bids, *bids), draw=more.draw or sheet.draw
            )
        sheets[major] = sheet
    return sheets


def played(number: int, turns: int) -> Iterator[tuple[Position, dict[str, Sheet], Outcome]]:
    random = Random(f"saga {number}")
    position = starting_position(Settings(cycles=9, victory=random.choice([None, 12, 40])))
    for _ in range(turns):
        sheets = sheets_for(position, random, number)
        done = RULESET.rules.resolve(position, sheets, NO_DICE)
        yield position, sheets, done
        if done.ended is not None:
            return
        position = done.position


# In every position --------------------------------------------------------------------------------------------------


def sound(position: Position) -> None:
    assert [*faults(position)] == []
    names = {position.settings.ground.provinces[code].name for code in position.settings.ground.centres}
    owned = [name for centres in position.centres.values() for name in centres]
    assert len(owned) == len({*owned})  # one owner a centre (S9-B-1)
    assert {*owned} <= names
    alive = living(position)
    for major in alive:
        homes = heirs_of(position, major)
        assert {*homes} <= names  # heirs are only ever in centres (S9-H-1)
        assert homes or capital_name(position.settings, major) in position.centres[major]  # S9-H-13
    assert {*position.thralls.values()} <= {*alive}  # no Thrall outlives its controller (S9-T-17)
    for vassal in position.vassals.values():
        assert {*vassal.controllers} <= {*alive}  # S9-V-33
    pairs = [frozenset(vassal.controllers) for vassal in position.vassals.values()]
    assert len(pairs) == len({*pairs})  # S9-V-6
    for major in position.eliminated:
        assert not position.units[major]
        assert not position.centres[major]  # S9-X-7
    for minor in minors(position):
        assert position.centres[minor] == (minor,)
    assert all(position.heirs.count(major) == 1 for major in position.heirs)  # S9-H-3


def spent(position: Position, major: str, sheet: Sheet) -> int:
    """DP of a Major's legal bids that were neither contradicted nor too expensive, counted again."""
    speech = speech_of(position)
    legal = [
        offer
        for line in sheet.bids
        if isinstance(offer := speech.read_bid(line), Offer) and against_bid(position, major, offer) is None
    ]
    left = purse_of(position, major)
    for offer in legal:
        wishes = {
            speech.same(other.wish, position.ground.names())
            for other in legal
            if other.unit.province == offer.unit.province
        }
        if len(wishes) == 1 and offer.amount <= left:
            left -= offer.amount
    return purse_of(position, major) - left


def told_rightly(position: Position, sheets: Mapping[str, Sheet], done: Outcome) -> None:
    """One verdict per line; DP within purses; units that never leave are all still there."""
    for major, sheet in sheets.items():
        mine = [verdict for verdict in done.verdicts if verdict.seat == major and not verdict.implied]
        assert len(mine) == len(sheet.orders) + len(sheet.bids) + len(sheet.name), (major, sheet)
    dp: dict[str, int] = {}
    for event in done.events:
        if isinstance(event, events.Decided):
            for offer in (offer for bid in event.bids for offer in bid.by):
                dp[offer.major] = dp.get(offer.major, 0) + offer.dp
    for major, number in dp.items():
        assert number <= spent(position, major, sheets[major]) <= purse_of(position, major)  # S9-D-4
    still = stationary(position)
    board = position.settings.ground
    for code in still:
        power, unit = position.ground.units[code]
        name = board.unit_name(unit)
        assert all(units in ((), (name,)) for whose, units in done.position.units.items() if whose == power)
        assert not any(lost.power == power for lost in done.position.dislodged)  # S9-E-1, S9-E-8
    if position.phase is Phase.WINTER:
        for vassal in position.vassals:
            after = {now for now, data in done.position.vassals.items() if data == position.vassals[vassal]}
            (now,) = after
            assert len(done.position.units.get(now, ())) <= len(done.position.centres[now])  # S9-V-21
    if position.season is not Season.AUTUMN:
        assert not any(isinstance(event, diplomacy.Taken) for event in done.events)  # S9-B-2


@pytest.mark.parametrize("number", first_of(range(6), 2))
def test_laws_hold_through_whole_games(number: int) -> None:
    seen: set[str] = set()
    for position, sheets, done in played(number, 45):
        sound(position)
        told_rightly(position, sheets, done)
        seen |= {event.event for event in done.events}
        for fact in (*done.verdicts, *done.events):
            assert RULESET.words.tell(position, fact).endswith(".")
        assert decode(Position, Text("x", encode(done.position), {})) == done.position
    assert {"decided", "wed", "taken", "heir_killed"} <= seen


@settings(examples(10), suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6))
def test_the_order_of_sheets_and_lines_makes_no_difference(number: int) -> None:
    """Except for bids, which are paid as they are listed (S9-D-14), and for winter, which takes orders as they come (DP-W-5)."""
    random = Random(number)
    position, sheets, done = next(itertools.islice(played(number, 12), random.randint(0, 8), None))
    turned: dict[str, Sheet] = {}
    for major in random.sample(sorted(sheets), len(sheets)):
        sheet = sheets[major]
        winter = position.phase is Phase.WINTER
        lines = sheet.orders if winter else tuple(random.sample(sheet.orders, len(sheet.orders)))
        turned[major] = replace(sheet, orders=lines)
    again = RULESET.rules.resolve(position, turned, NO_DICE)
    assert (again.position, again.ended) == (done.position, done.ended)
    assert sorted(map(str, again.events)) == sorted(map(str, done.events))
    assert verdicts_in(again) == verdicts_in(done)


def verdicts_in(outcome: Outcome) -> list[str]:
    return sorted(str(encode(verdict)) for verdict in outcome.verdicts)


def test_stand_ins_write_no_illegal_line() -> None:
    """Over a whole game none of their lines is refused, and the turn shows it."""
    position = starting_position(Settings())
    wrong: list[Any] = []
    while True:
        due = sorted(RULESET.rules.due(position))
        sheets = {major: write(position, major, chance_of("plain", when(position))) for major in due}
        for major, sheet in sheets.items():
            wrong += [r for r in RULESET.rules.check(position, major, sheet) if r.level == "error"]
        done = RULESET.rules.resolve(position, sheets, NO_DICE)
        wrong += [v for v in done.verdicts if v.result in ("illegal", "unreadable")]
        if done.ended is not None:
            break
        position = done.position
    assert wrong == []


def test_every_option_is_legal_and_every_board_has_its_majors() -> None:
    for position, _, _ in played(3, 8 if FUZZ else 2):
        for major in majors(position.settings):
            for sheet in RULESET.rules.options(position, major):
                remarks = [r for r in RULESET.rules.check(position, major, sheet) if r.level == "error"]
                assert remarks == [], (when(position), major, sheet, remarks)
