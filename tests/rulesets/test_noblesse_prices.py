"""The table of prices that the desk adds up, compared with the costs of a Night (NB-A-13, NB-B-15, NB-C-1, NB-G-7, NB-K-1, NB-K-12, NB-X)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from adjudicator.core.contract.lines import Misfit
from adjudicator.core.contract.prices import price_of, sum_of
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.acts import ACTS, DAY, SHARING
from adjudicator.rulesets.noblesse.orders import Order, lines
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.prices import COURTIER, prices
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Stock
from adjudicator.rulesets.noblesse.work import Work
from tests.rulesets.noblesse_world import Board, grow, play_turn

COUNT = 180
FREE = {
    "move",
    "challenge",
    "disband",
    "hand",
    "lead",
    "leave",
    "recall tax",
    "recall lobby",
    "recall staff",
    "recall spy",
}
"""Orders of a Night that cost nothing."""


class Taken:
    """Records what the Night takes for one order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paid: dict[int, Stock] = {}
        self.courtiers: dict[int, int] = {}
        pay, judge, read, send_home = Work.pay, Work.judge, Work.read_sheets, Work.send_home

        def paying(work: Work, seat: str, order: Order, price: Stock) -> bool:
            done = pay(work, seat, order, price)
            if done:
                self.paid[order.number] = price
            return done

        def judging(work: Work, seat: str, order: Any, /, *args: Any, **named: Any) -> None:
            if isinstance(order, Order):
                self.courtiers[order.number] = self.free[seat] - len(work.free_courtiers(seat, 99))
            judge(work, seat, order, *args, **named)

        def reading(work: Work, *args: Any) -> None:
            self.free = {seat: len(work.free_courtiers(seat, 99)) for seat in work.players}
            read(work, *args)

        def sending(work: Work, seat: str, number: int) -> None:
            self.free[seat] += 1  # Courtiers who come home tonight do not count.
            send_home(work, seat, number)

        monkeypatch.setattr(Work, "send_home", sending)
        monkeypatch.setattr(Work, "pay", paying)
        monkeypatch.setattr(Work, "judge", judging)
        monkeypatch.setattr(Work, "read_sheets", reading)

    def of_only_order(self) -> dict[str, int]:
        """Costs of the only order of a Night, by resource."""
        stock = next(iter(self.paid.values()), Stock())
        things = {name: getattr(stock, name) for name in RESOURCES} | {COURTIER: next(iter(self.courtiers.values()))}
        return {name: number for name, number in things.items() if number}


def nights() -> list[Position]:
    return [position for seed in range(6) for turns in (3, 7) if (position := grow(seed, turns)).phase == "night"]


def test_an_order_costs_what_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    random, kinds, count = Random(15), set(), 0
    positions = nights()
    assert positions
    while count < COUNT:
        position = random.choice(positions)
        seat = random.choice([seat for seat, player in position.players.items() if player.alive])
        view = RULESET.view(position, seat)
        table, reader = prices(view, seat), lines(RULESET.view(position, None))
        assert table is not None
        offers = [line for sheet in RULESET.rules.options(view, seat) for line in sheet.orders]
        for line in random.sample(offers, min(12, len(offers))):
            reading = reader.read(line)
            assert not isinstance(reading, Misfit)
            form, blanks = reading
            kind = ACTS.kinds[form]
            taken = Taken(monkeypatch)
            done = play_turn(position, {seat: [line]})
            monkeypatch.undo()
            if done.verdicts(seat)[0].result != "succeeds" or ACTS.by_kind[kind].when == SHARING:
                continue
            if done.verdicts(seat)[0].reason == "heard":
                continue  # A spouse needs no Messenger (NB-X-3).
            role = position.players[seat].role
            if any(position.settings.board.has_core(role, effect) for effect in ("levy", "thrift")):
                continue  # Discounts do not count, as the note explains.
            said = price_of(table.forms[form], blanks) if form in table.forms else {}
            assert said == ({} if kind.startswith("recall") else taken.of_only_order()), (seat, line)
            kinds.add(kind)
            count += 1
    assert kinds >= {"lobby", "recruit", "build", "spy", "surgeon", "message", "steward"}


def test_a_tax_collector_comes_from_court_and_a_steward_stays() -> None:
    """NB-K-1, NB-K-5."""
    board = Board().hold("A1", "Anise").hold("B1", "Pape").post("Anise", "steward", "B1")
    table = prices(RULESET.view(board.now, "Anise"), "Anise")
    assert table is not None
    price = table.forms[ACTS.by_kind["tax"].form]
    assert [price_of(price, {"resource": "money", "estate": estate}) for estate in ("A1", "B1")] == [{COURTIER: 1}, {}]


def test_an_ability_costs_an_envoy_and_its_factions_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    """NB-C-1, NB-K-12."""
    board = Board().rich("Anise")
    table = prices(RULESET.view(board.now, "Anise"), "Anise")
    assert table is not None
    taken = Taken(monkeypatch)
    assert board.turn(Anise=["Ability 5"]).said("Anise") == ["succeeds levy NB-C-14"]
    assert price_of(table.forms[ACTS.by_kind["ability"].form], {"ability": "5"}) == taken.of_only_order()
    assert sum(taken.of_only_order().values()) == 5 + 1


def test_every_form_of_a_night_has_a_price_or_is_free() -> None:
    table = prices(RULESET.view(Board().now, "Anise"), "Anise")
    assert table is not None
    priced = {act.kind for act in ACTS.acts if act.form in table.forms}
    assert priced | FREE == {act.kind for act in ACTS.acts if act.when not in {DAY, SHARING}}
    assert priced & FREE == set()


def test_the_costs_of_a_sheet_are_added_up() -> None:
    """A unit's tiers are added before they are rounded (NB-B-15); a line that is not an order costs nothing."""
    position = Board().now
    view, reader = RULESET.view(position, "Anise"), lines(RULESET.view(position, None))
    table = prices(view, "Anise")
    assert table is not None
    assert table.purse == {"influence": 0, "manpower": 0, "money": 0, COURTIER: 10}
    orders = [
        "Field surgeon", "Tax money at A1", "Recruit regiment at A1 led by courtier: 2 Light Horse, 3 Militia", "Nonsense", "Assassin on Rue",
    ]  # fmt: skip
    one = table.forms[ACTS.by_kind["recruit"].form].shares["companies"]
    tiers = 2 * one["Light Horse"] + 3 * one["Militia"]
    assert sum_of(table, reader, orders) == {
        "influence": 0, "manpower": 3 + 2 - -tiers // 10, "money": 8, COURTIER: 4,
    }  # fmt: skip


def test_by_day_and_for_the_public_there_are_no_prices() -> None:
    by_day = Board(phase=Phase.DAY).now
    assert prices(RULESET.view(by_day, "Anise"), "Anise") is None
    assert prices(RULESET.view(Board().now, None), "Anise") is None
