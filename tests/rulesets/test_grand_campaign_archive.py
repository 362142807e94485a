"""Coverage of the archive's campaign: nine in ten kinds of orders carried out, every event of the calendar, and a battle that the host rules on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.grand_campaign.acts import LINES, MOVES, PARTS, PARTY_ACTS, PURCHASES
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.orders import RESULTS, Order, reader_of
from adjudicator.rulesets.grand_campaign.tables import CALENDAR
from tests.conftest import ROOT

GAME = "the-amber-reach"
LISTED = {"armies": MOVES.kinds, "parties": PARTY_ACTS.kinds, "conquest": PURCHASES.kinds}
"""Lists whose lines hold items -> the forms of those items."""


@pytest.fixture(scope="module")
def turns() -> list[Any]:
    archive = Archive(ROOT)
    game = load_game(archive, GAME)
    return [load_all(archive, load_turn(archive, game, name)) for name in archive.turns(GAME)]


def kinds() -> set[str]:
    """All kinds of orders, items, purchases and results."""
    found = {f"{part}: {kind}" for part, forms in LISTED.items() for kind in forms.values()}
    found |= {f"results: {result}" for result in RESULTS} | {"results: in a scenario"}
    others = {part: LINES.forms(part) for part in PARTS if part not in {*LISTED, "results"}}
    return found | {f"{part}: {kind}" for part, forms in others.items() for kind in forms.values()}


def shown(turns: list[Any]) -> Iterator[str]:
    """The kinds that were carried out: everything in lines that succeeded, and whatever plans bought."""
    reader = reader_of(turns[0].position.plan)
    for turn in turns:
        for fact in turn.events:
            if fact.event in {"bought", "conquered"}:
                yield f"conquest: {fact.what if fact.event == 'bought' else 'claim'}"
        for verdict in (one for one in turn.verdicts if one.result == "succeeds"):
            for part in PARTS:
                order = reader.read(part, verdict.order)
                if not isinstance(order, Order) or part == "conquest":
                    continue
                if part in LISTED:
                    yield from (f"{part}: {item.kind}" for item in order.items)
                elif part == "results":
                    yield f"results: {order.args['result']}"
                    if order.kind == "result_in":
                        yield "results: in a scenario"
                else:
                    yield f"{part}: {order.kind}"


def test_nine_out_of_ten_kinds_of_orders_are_carried_out(turns: list[Any]) -> None:
    left = kinds() - {*shown(turns)}
    assert left == {
        "armies: construct_city", "armies: construct_fortress", "armies: teleport", "conquest: nothing", "diplomacy: priced_peace",
        "parties: gift_weirdstone", "parties: sabotage_mine",
    }  # fmt: skip
    assert len(left) * 10 < len(kinds())


def test_every_event_of_the_calendar_happens(turns: list[Any]) -> None:
    omens = {fact.omen for turn in turns for fact in turn.events if fact.event == "opened"}
    assert omens == {event.id for event in CALENDAR.events.values()}


def test_nearly_every_kind_of_fact_happens(turns: list[Any]) -> None:
    """Cases show the rest: players who fall, who close early, who cannot be placed, and rare turns of fate."""
    every = {kind.__dataclass_fields__["event"].default for kind in get_args(AnyEvent)}
    left = every - {fact.event for turn in turns for fact in turn.events}
    assert left == {"closing", "eliminated", "exhausted", "gave", "resumed", "sabotaged", "struck", "unplaced"}


def test_a_dispute_waits_for_the_host_and_holds_up_no_other_battle(turns: list[Any]) -> None:
    """Two reports disagree (GC-Z-16): the other battles of that season are over, and the ruling replaces both."""
    at = next(at for at, turn in enumerate(turns) if any(fact.event == "disputed" for fact in turn.events))
    disputed, ruled = turns[at], turns[at + 1]
    names = {fact.id for fact in disputed.events if fact.event == "disputed"}
    assert len(disputed.position.battles) > len(names)
    (ruling,) = ruled.rulings
    fought = [fact for fact in ruled.events if fact.event == "fought"]
    assert [(fact.how, fact.reason) for fact in fought if fact.how == "ruled"] == [("ruled", ruling.reason)]


def test_the_campaign_is_played_for_twelve_seasons(turns: list[Any]) -> None:
    assert max(turn.position.turn for turn in turns) == 12
    assert turns[-1].ended is not None
    assert turns[-1].ended.winners == ()
