"""Convoy routes: which fleets could carry an army from one coast to another.

A route is a chain of seas, each beside the next, the first beside the army's province and the last beside its goal.
A route is direct when it breaks without any one of its fleets, so that it has no short cut (DATC 6.G.19).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from adjudicator.mechanics.provinces import Board


def connected(board: Board, start: str, goal: str, seas: AbstractSet[str]) -> bool:
    """Whether some chain of `seas` leads from the coast of `start` to the coast of `goal`."""
    coasts, near = board.sea_coasts, board.sea_next
    frontier = [sea for sea in seas if start in coasts[sea]]
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


def lanes(board: Board, seas: AbstractSet[str]) -> dict[str, frozenset[str]]:
    """Each of `seas` -> the coasts that all chains of `seas` through it come to."""
    found: dict[str, frozenset[str]] = {}
    for first in sorted(seas):
        if first in found:
            continue
        chained, frontier = {first}, [first]
        while frontier:
            beyond = (board.sea_next[frontier.pop()] & seas) - chained
            chained |= beyond
            frontier.extend(beyond)
        found |= dict.fromkeys(chained, frozenset().union(*(board.sea_coasts[sea] for sea in chained)))
    return found


def across(board: Board, seas: AbstractSet[str]) -> dict[str, frozenset[str]]:
    """Each coast -> the coasts to which some chain of `seas` leads from it: `connected` for all pairs at once."""
    found: dict[str, frozenset[str]] = {}
    for coasts in set(lanes(board, seas).values()):
        for coast in coasts:
            found[coast] = found.get(coast, coasts) | coasts
    return found


def on_route(board: Board, start: str, goal: str, seas: AbstractSet[str], fleet: str, *, direct: bool) -> bool:
    """Whether some route over `seas` runs through `fleet`; `direct` allows only routes without short cuts.

    Depth first over chains of different seas. Without short cuts, each sea touches only the one before it, and only
    the ends touch `start` and `goal`. Boards have some twenty seas and occupied ones are fewer, so this is quick.
    """
    coasts, near = board.sea_coasts, board.sea_next

    def extend(chain: list[str]) -> bool:
        here = chain[-1]
        if goal in coasts[here]:
            if fleet in chain:
                return True
            if direct:
                return False
        return any(
            extend([*chain, there])
            for there in sorted(near[here] & seas)
            if there not in chain
            and not (direct and (start in coasts[there] or any(there in near[past] for past in chain[:-1])))
        )

    if fleet not in seas:
        return False
    if start in coasts[fleet] and goal in coasts[fleet]:
        return True  # The fleet alone is a route, and most that carry an army are.
    return any(extend([sea]) for sea in sorted(seas) if start in coasts[sea])


def broken_by(board: Board, start: str, goal: str, seas: AbstractSet[str], lost: AbstractSet[str]) -> tuple[str, ...]:
    """The lost fleets without which the chain of `seas` no longer leads anywhere, in alphabetical order."""
    culprits = [fleet for fleet in sorted(lost) if connected(board, start, goal, (seas - lost) | {fleet})]
    return tuple(culprits) if culprits else tuple(sorted(lost))
