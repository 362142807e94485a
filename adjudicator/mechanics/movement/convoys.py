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
    return any(extend([sea]) for sea in sorted(seas) if start in takes[sea])


def broken_by(board: Board, start: str, goal: str, seas: AbstractSet[str], lost: AbstractSet[str]) -> tuple[str, ...]:
    """The lost fleets without which the chain of `seas` no longer leads anywhere, in alphabetical order."""
    culprits = [fleet for fleet in sorted(lost) if connected(board, start, goal, (seas - lost) | {fleet})]
    return tuple(culprits) if culprits else tuple(sorted(lost))
