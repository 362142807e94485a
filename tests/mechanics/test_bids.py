"""Bids and joint command: features that two or more games may need, without any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mechanics.bids import Bid, Unpaid, decide, pay
from adjudicator.mechanics.joint import Chosen, choose, merge

bids = st.lists(
    st.builds(
        Bid,
        bidder=st.sampled_from(["Ann", "Ben", "Cid"]),
        unit=st.sampled_from(["u", "v"]),
        wish=st.sampled_from(["go", "stay", "help"]),
        amount=st.integers(1, 4),
        weight=st.sampled_from([1, 1, 3]),
    ),
    max_size=9,
)


def test_offers_are_paid_in_the_order_listed() -> None:
    offers = [Bid("Ann", "u", "go", 2), Bid("Ann", "v", "go", 2), Bid("Ann", "w", "go", 1)]
    paid = pay(offers, 3)
    assert [(one.fault, one.left) for one in paid] == [(None, 3), (Unpaid.TOO_DEAR, 1), (None, 1)]


def test_two_wishes_for_one_unit_cost_nothing() -> None:
    offers = [Bid("Ann", "u", "go", 3), Bid("Ann", "u", "stay", 1), Bid("Ann", "v", "go", 3)]
    assert [one.fault for one in pay(offers, 3)] == [Unpaid.CONTRADICTED, Unpaid.CONTRADICTED, None]


@given(bids, st.integers(0, 6))
def test_nobody_pays_more_than_they_have(offers: list[Bid[str]], purse: int) -> None:
    mine = [bid for bid in offers if bid.bidder == "Ann"]
    paid = pay(mine, purse)
    spent = sum(bid.amount for bid, one in zip(mine, paid, strict=True) if one.fault is None)
    assert spent <= purse
    # A bid was too expensive at its own turn: what was left before it was less.
    assert all(one.left < bid.amount for bid, one in zip(mine, paid, strict=True) if one.fault is Unpaid.TOO_DEAR)


@given(bids, st.randoms())
def test_the_highest_sum_decides_and_the_order_of_bids_does_not_matter(offers: list[Bid[str]], random: object) -> None:
    names = {wish: wish for wish in ("go", "stay", "help")}
    decided = decide(offers, names)
    for unit, decision in decided.items():
        sums: Counter[str] = Counter()
        for bid in offers:
            if bid.unit == unit:
                sums[bid.wish] += bid.amount * bid.weight
        most = [wish for wish, total in sums.items() if total == max(sums.values())]
        assert decision.wish == (most[0] if len(most) == 1 else None)
        assert decision.tied == (len(most) > 1)
        assert {whole.wish: whole.total for whole in decision.sums} == dict(sums)
    turned = sorted(offers, key=lambda bid: hash((bid, str(random))))
    again = decide(turned, names)
    assert {unit: (one.wish, [whole.total for whole in one.sums]) for unit, one in again.items()} == {
        unit: (one.wish, [whole.total for whole in one.sums]) for unit, one in decided.items()
    }
    assert {bid.unit for bid in offers} == {*decided}


def legal(*orders: str) -> Callable[[str], bool]:
    return lambda order: order in orders


def test_of_two_commanders_the_first_prevails_unless_only_the_others_order_is_legal() -> None:
    assert choose(("R", None), ("G", None), legal()) is None
    assert choose(("R", "a"), ("G", None), legal()) == Chosen("a", ("R",))
    assert choose(("R", None), ("G", "b"), legal()) == Chosen("b", ("G",))
    assert choose(("R", "a"), ("G", "b"), legal("a", "b")) == Chosen("a", ("R",))
    assert choose(("R", "a"), ("G", "b"), legal("b")) == Chosen("b", ("G",))
    assert choose(("R", "a"), ("G", "b"), legal()) == Chosen("a", ("R",))
    assert choose(("R", "a"), ("G", "a"), legal()) == Chosen("a", ("R", "G"))


orders = st.lists(st.sampled_from("abc"), max_size=5)


@given(orders, orders)
def test_a_merged_list_loses_nothing(first: list[str], second: list[str]) -> None:
    merged = merge(("G", first), ("R", second))
    for who, mine in (("G", first), ("R", second)):
        assert Counter(order for order, givers in merged if who in givers) == Counter(mine)
    assert [order for order, givers in merged if "G" in givers] == first
    rest = [order for order, givers in merged if givers == ("R",)]
    assert [order for order, _ in merged] == [*first, *rest]
    both = Counter(order for order, givers in merged if len(givers) == 2)
    assert both == Counter(first) & Counter(second)
