"""Convoy routes: which fleets could carry an army from one coast to another.

A route is a chain of seas, each beside the next, the first beside the army's province and the last beside its goal.
A route is direct when it breaks without any one of its fleets, so that it has no short cut (DATC 6.G.19).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from adjudicator.mechanics.provinces import Board


def connected(board: Board, start: str, goal: str, seas: AbstractSet[str]) -> bool:
    """Whether some chain of `seas` leads from the coast of `start` to the coast of `goal`; a fleet in `goal` is none of it."""
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
    """Each of `seas` -> the coasts from which chains of `seas` come to it, and those to which they lead on from it."""
    found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    on = {sea: _onward(board, seas, sea) for sea in sorted(seas)}
    for sea, reached in on.items():
        takes = frozenset().union(*(board.sea_takes[other] for other, beyond in on.items() if sea in beyond))
        found[sea] = takes, frozenset().union(*(board.sea_coasts[other] for other in reached))
    return found


def _onward(board: Board, seas: AbstractSet[str], first: str) -> set[str]:
    """A sea with those of `seas` to which a chain leads from it."""
    chained, frontier = {first}, [first]
    while frontier:
        beyond = (board.sea_next[frontier.pop()] & seas) - chained
        chained |= beyond
        frontier.extend(beyond)
    return chained


def across(board: Board, seas: AbstractSet[str]) -> dict[str, frozenset[str]]:
    """Each coast -> the coasts to which some chain of `seas` leads from it: `connected` for all pairs at once."""
    found: dict[str, set[str]] = {}
    for sea, (_, lands) in lanes(board, seas).items():
        for coast in board.sea_takes[sea]:
            found.setdefault(coast, set()).update(lands)
    # A fleet on a coast that convoys is no part of a chain to where it stands.
    for coast, goals in found.items():
        for goal in sorted(goals & seas):
            if not connected(board, coast, goal, seas):
                goals.discard(goal)
    return {coast: frozenset(goals) for coast, goals in found.items()}


def on_route(board: Board, start: str, goal: str, seas: AbstractSet[str], fleet: str, *, direct: bool) -> bool:
    """Whether some route over `seas` runs through `fleet`; `direct` allows only routes without short cuts.

    Depth first over chains of different seas. Without short cuts, each sea touches only the one before it, and only
    the ends touch `start` and `goal`. Boards have some twenty seas and occupied ones are fewer, so this is quick.
    """
    coasts, takes, near = board.sea_coasts, board.sea_takes, board.sea_next
    seas = seas - {goal}

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
            and not (direct and (start in takes[there] or any(there in near[past] for past in chain[:-1])))
        )

    if fleet not in seas:
        return False
    if start in takes[fleet] and goal in coasts[fleet]:
        return True  # The fleet alone is a route, and most that carry an army are.
    return any(extend([sea]) for sea in sorted(seas) if start in takes[sea])


def broken_by(board: Board, start: str, goal: str, seas: AbstractSet[str], lost: AbstractSet[str]) -> tuple[str, ...]:
    """The lost fleets without which the chain of `seas` no longer leads anywhere, in alphabetical order."""
    culprits = [fleet for fleet in sorted(lost) if connected(board, start, goal, (seas - lost) | {fleet})]
    return tuple(culprits) if culprits else tuple(sorted(lost))
