"""Convoy routes: which fleets could carry an army from one coast to another.

A route is a chain of seas, each beside the next, the first beside the army's province and the last beside its goal.
A route is direct if the loss of any of its fleets breaks it, so that it has no short cut (DATC 6.G.19).
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from adjudicator.mechanics.provinces import Board

MOST_STEPS = 2000
"""The most steps that `on_route` searches if its quick checks settle nothing; after that, the fleet counts as on a route.

On the boards that come with courtly, the search takes at most 33 steps with a fleet in every sea. A host's board with many
seas in a cluster can have more chains of fleets than can be counted.
"""


def are_connected(board: Board, start: str, goal: str, seas: AbstractSet[str]) -> bool:
    """True if some chain of `seas` leads from the coast of `start` to that of `goal`; a fleet in `goal` is never part of it."""
    coasts, near = board.sea_coasts, board.sea_next
    seas = seas - {goal}
    frontier = [sea for sea in seas if start in board.sea_takes[sea]]
    seen = set(frontier)
    while frontier:
        here = frontier.pop()
        if goal in coasts[here]:
            return True
        for there in near[here]:
            if there in seas and there not in seen:
                seen.add(there)
                frontier.append(there)
    return False


def lanes(board: Board, seas: AbstractSet[str]) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Sea -> the coasts where chains of `seas` through it can begin, and the coasts where they can end."""
    by_sea: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    on = {sea: _onward(board, seas, sea) for sea in sorted(seas)}
    for sea, reached in on.items():
        takes = frozenset().union(*(board.sea_takes[other] for other, beyond in on.items() if sea in beyond))
        by_sea[sea] = takes, frozenset().union(*(board.sea_coasts[other] for other in reached))
    return by_sea


def _onward(board: Board, seas: AbstractSet[str], first: str) -> set[str]:
    """The sea `first`, and all of `seas` that a chain from it reaches."""
    chained, frontier = {first}, [first]
    while frontier:
        beyond = (board.sea_next[frontier.pop()] & seas) - chained
        chained |= beyond
        frontier.extend(beyond)
    return chained


def across(board: Board, seas: AbstractSet[str]) -> dict[str, frozenset[str]]:
    """Coast -> the coasts that some chain of `seas` from it reaches: `are_connected` for all pairs at once."""
    goals_of: dict[str, set[str]] = {}
    for sea, (_, lands) in lanes(board, seas).items():
        for coast in board.sea_takes[sea]:
            goals_of.setdefault(coast, set()).update(lands)
    # A coast where fleets can convoy is never part of a chain that ends at that coast.
    for coast, goals in goals_of.items():
        for goal in sorted(goals & seas):
            if not are_connected(board, coast, goal, seas):
                goals.discard(goal)
    return {coast: frozenset(goals) for coast, goals in goals_of.items()}


def on_route(board: Board, start: str, goal: str, seas: AbstractSet[str], fleet: str, *, direct: bool) -> bool:
    """True if some route over `seas` runs through `fleet`; `direct` allows only routes without short cuts.

    On a route without short cuts, each sea is next only to the seas before and after it, and only the ends are next to
    `start` and `goal`.
    """
    coasts, takes, near = board.sea_coasts, board.sea_takes, board.sea_next
    seas = seas - {goal}
    if fleet not in seas:
        return False
    if start in takes[fleet] and goal in coasts[fleet]:
        return True  # The fleet is a route by itself, like most fleets that carry an army.
    if _is_cut_off(board, start, goal, seas, fleet):
        return False
    if board.two_way and not direct:
        return True
    steps = 0

    def extend(chain: list[str]) -> bool:
        """True if a route through the fleet begins with `chain`, or if the search has become too long; no sea comes twice."""
        nonlocal steps
        steps += 1
        here = chain[-1]
        if steps > MOST_STEPS:
            return True
        if goal in coasts[here]:
            if fleet in chain:
                return True
            if direct:
                return False
        return any(
            extend([*chain, there])
            for there in sorted(near[here] & seas)
            if there not in chain
            and not (direct and (start in takes[there] or any(there in near[past] for past in chain[:-1])))
        )

    return any(extend([sea]) for sea in sorted(seas) if start in takes[sea])


def _is_cut_off(board: Board, start: str, goal: str, seas: AbstractSet[str], fleet: str) -> bool:
    """True if no chain leads to the fleet, or none leads on from it, or all of them need one sea twice.

    By Menger's theorem nothing else prevents a chain of different seas through the fleet if all borders go both ways.
    """
    begins = {sea for sea in seas if start in board.sea_takes[sea]}
    lands = {sea for sea in seas if goal in board.sea_coasts[sea]}
    onward = {sea: board.sea_next[sea] & seas for sea in seas}
    back: dict[str, set[str]] = {sea: set() for sea in seas}
    for sea, others in onward.items():
        for other in others:
            back[other].add(sea)
    coming, going = _chain(back, fleet, begins, ""), _chain(onward, fleet, lands, "")
    if not coming or not going:
        return True
    return any(
        not _chain(back, fleet, begins, sea) and not _chain(onward, fleet, lands, sea)
        for sea in sorted((coming & going) - {fleet})
    )


def _chain(near: Mapping[str, AbstractSet[str]], fleet: str, ends: AbstractSet[str], without: str) -> set[str]:
    """Seas of some chain from a fleet to one of `ends` that avoids the sea `without`; empty if there is none."""
    before = {fleet: ""}
    frontier = [fleet]
    for here in frontier:
        if here in ends:
            chain, sea = set(), here
            while sea:
                chain.add(sea)
                sea = before[sea]
            return chain
        for there in sorted(near[here]):
            if there != without and there not in before:
                before[there] = here
                frontier.append(there)
    return set()


def broken_by(board: Board, start: str, goal: str, seas: AbstractSet[str], lost: AbstractSet[str]) -> tuple[str, ...]:
    """The lost fleets that could each have saved the convoy by surviving; all lost fleets if none could. Sorted."""
    culprits = [fleet for fleet in sorted(lost) if are_connected(board, start, goal, (seas - lost) | {fleet})]
    return tuple(culprits) if culprits else tuple(sorted(lost))
