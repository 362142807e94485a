"""Heir Apparent: the auction, by the worked examples X-2 to X-9, and by its closed form."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.rulesets.heir_apparent.auction import Said, bidding, choose
from adjudicator.rulesets.heir_apparent.cardset import cards_named

RICH = dict.fromkeys("ACYVWXZ", 20)


def told(said: tuple[Said, ...]) -> str:
    return ", ".join(f"{one.seat} {'out' if one.bid is None else one.bid}" for one in said)


EXAMPLES = [
    ("X-2", "ACY", "A", {"A": 3, "C": 5, "Y": 2}, {}, "A 0, C 1, Y 2, A 3, C 4, Y out, A out", "C", 4, "CYA"),
    ("X-3", "ACY", "C", {"A": 3, "C": 5, "Y": 2}, {}, "C 0, Y 1, A 2, C 3, Y out, A out", "C", 3, "CYA"),
    ("X-4", "ACY", "A", {"A": 4, "C": 4, "Y": 4}, {}, "A 0, C 1, Y 2, A 3, C 4, Y out, A out", "C", 4, "CYA"),
    ("X-5", "ACY", "A", {}, {}, "A out, C out, Y out", "A", 0, "ACY"),
    ("X-6", "ACY", "A", {"C": 0}, {}, "A out, C 0, Y out", "C", 0, "CYA"),
    ("X-7", "VWXYZ", "V", {"V": 0, "W": 0, "X": 1, "Y": 1, "Z": 4}, {}, "V 0, W out, X 1, Y out, Z 2, V out, X out", "Z", 2, "ZVWXY"),
    ("X-8", "ACY", "A", {"A": 9, "C": 5}, {"A": 2}, "A 0, C 1, Y out, A 2, C 3, A out", "C", 3, "CYA"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ring", "right", "most", "favor", "said", "winner", "price", "order"),
    [example[1:] for example in EXAMPLES],
    ids=[example[0] for example in EXAMPLES],
)
def test_the_auction_follows_its_rules(
    ring: str,
    right: str,
    most: Mapping[str, int],
    favor: Mapping[str, int],
    said: str,
    winner: str,
    price: int,
    order: str,
) -> None:
    """HA-D-5 to HA-D-13. The choice goes clockwise from the winner, and the last to choose has the next right (HA-D-16, HA-D-17)."""
    done = bidding(tuple(ring), right, most, {**RICH, **favor})
    assert (told(done.said), done.winner, done.price) == (said, winner, price)
    chosen = choose(tuple(ring), winner, cards_named("avermark").characters[:6], {})
    assert "".join(chosen.taken) == order
    assert chosen.right == order[-1]


def test_wishes_that_are_gone_are_skipped() -> None:
    """X-9: a wish that is gone is skipped; a player without wishes left takes by both ratings, then by name (HA-D-15, HR-28, HR-29)."""
    names = ("sir-hadrec", "dame-ottoline", "pell-the-factor", "brother-quill", "nim-of-the-stair")
    row = [one for one in cards_named("avermark").characters if one.id in names]
    wishes = {
        "C": ["pell-the-factor"],
        "Y": ["pell-the-factor", "brother-quill"],
        "A": ["brother-quill", "pell-the-factor", "nobody"],
    }
    chosen = choose(tuple("ACY"), "C", row, wishes)
    assert chosen.taken == {"C": "pell-the-factor", "Y": "brother-quill", "A": "dame-ottoline"}
    assert chosen.discarded == ("nim-of-the-stair", "sir-hadrec")
    assert chosen == choose(tuple("ACY"), "C", row[::-1], wishes)


caps = st.one_of(st.none(), st.integers(-2, 12))


@given(st.integers(3, 5), st.data())
def test_the_auction_matches_its_closed_form(players: int, data: st.DataObject) -> None:
    """Section 2.F, (a) to (c): the highest cap wins, for the second highest or one more. HA-D-19: nobody pays more than they have."""
    ring = tuple("VWXYZ"[:players])
    most = {seat: data.draw(caps) for seat in ring}
    favor = {seat: data.draw(st.integers(0, 12)) for seat in ring}
    right = data.draw(st.sampled_from(ring))
    done = bidding(ring, right, most, favor)
    cap = {seat: -1 if (wants := most[seat]) is None else min(wants, favor[seat]) for seat in ring}
    bidders = sorted((cap[seat] for seat in ring if cap[seat] >= 0), reverse=True)
    bids = [one.bid for one in done.said if one.bid is not None]
    assert bids == [*range(len(bids))], "each raise is the least"
    if not bidders:
        assert (done.winner, done.price) == (right, 0)  # HA-D-12
        return
    assert done.price <= cap[done.winner] == bidders[0]
    if len(bidders) == 1:
        assert done.price == 0
    elif bidders[0] > bidders[1]:
        assert done.price in (bidders[1], bidders[1] + 1)
    else:
        assert done.price == bidders[0]
    outs = [one.seat for one in done.said if one.bid is None]
    assert sorted(outs) == sorted({*ring} - {done.winner}), (
        "all others passed, once, and the winner did not (HA-D-7, HA-D-9)"
    )
