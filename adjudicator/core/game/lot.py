"""Boards of a round, drawn by lot: who plays whom and which seat, with few meetings again, and a bye for those who had none."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.secrets.dice import NamedDice

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round: its boards, each a seat -> its player, and the players who have a bye."""

    boards: tuple[Mapping[str, str], ...]
    byes: tuple[str, ...]


def draw_boards(players: Sequence[str], seats: Sequence[str], before: Sequence[Drawn], dice: NamedDice) -> Drawn:
    """Draw the next round of a tournament. The result depends on the dice and the rounds before, not on the order of `players`.

    The roll `order` shuffles the players. Those who do not fit onto whole boards have a bye: first those with the fewest byes so far, in the
    shuffled order. The others take, in that order, the first free place at a board where they have met the fewest. Then places are exchanged as
    long as that lowers the sum of the squared meetings. At each board, the roll of its number shuffles the players, and each takes the seat
    that they have had least often, the first of the game's if several are equal.
    """
    met = Counter(pair for one in before for board in one.boards for pair in _pairs([*board.values()]))
    rested = Counter(player for one in before for player in one.byes)
    had = Counter((player, seat) for one in before for board in one.boards for seat, player in board.items())
    order = dice.shuffle("order", sorted(players))
    spare = len(order) % len(seats)
    byes = sorted(order, key=lambda player: rested[player])[:spare]
    playing = [player for player in order if player not in byes]
    boards: list[list[str]] = [[] for _ in range(len(playing) // len(seats))]
    for player in playing:
        free = [board for board in boards if len(board) < len(seats)]
        min(free, key=lambda board: sum(met[frozenset((player, other))] ** 2 for other in board)).append(player)
    _exchange(boards, met)
    return Drawn(tuple(_seated(board, seats, had, dice, number) for number, board in enumerate(boards, 1)), tuple(byes))


def _pairs(board: Sequence[str]) -> list[Pair]:
    return [frozenset(pair) for pair in itertools.combinations(board, 2)]


def _exchange(boards: list[list[str]], met: Mapping[Pair, int]) -> None:
    """Exchange two players of different boards as long as that lowers the sum of the squared meetings."""

    def cost(board: Sequence[str]) -> int:
        # Pairs that meet in this round count too, so that a third meeting weighs more than a second.
        return sum((met[pair] + 1) ** 2 for pair in _pairs(board))

    better = True
    while better:
        better = False
        for one, other in itertools.combinations(range(len(boards)), 2):
            for at, to in itertools.product(range(len(boards[one])), range(len(boards[other]))):
                was = cost(boards[one]) + cost(boards[other])
                boards[one][at], boards[other][to] = boards[other][to], boards[one][at]
                if cost(boards[one]) + cost(boards[other]) < was:
                    better = True
                else:
                    boards[one][at], boards[other][to] = boards[other][to], boards[one][at]


def _seated(
    board: Sequence[str], seats: Sequence[str], had: Mapping[tuple[str, str], int], dice: NamedDice, number: int
) -> dict[str, str]:
    """Seat -> its player at one board."""
    free, given = list(seats), dict[str, str]()
    for player in dice.shuffle(f"board {number}", sorted(board)):
        seat = min(free, key=lambda one: had[player, one])
        free.remove(seat)
        given[seat] = player
    return {seat: given[seat] for seat in seats}
