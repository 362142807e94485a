"""One battle: the fights on an estate, each round by round (the rulebook's battle procedure).

Pure arithmetic on sums: it knows strengths and Morale, but nothing about estates or treaties. It keeps every number of every
round, because people read the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.text.codec import record

ATTACK_AT = 6
"""The count that makes a whole army attack. The excess multiplies charge (NB-CH-6)."""
STILL = 6
"""After this number of rounds without a loss, nothing can change any more (NB-CH-7)."""

How = Literal["won", "both-lost", "stand-off"]


@record
class Strength:
    """The sums of a side, over all companies of all its units, leaders included (NB-CH-1)."""

    attack: int = 0
    malus: int = 0
    melee: int = 0
    charge: int = 0
    pike: int = 0
    ranged: int = 0
    ambush: int = 0
    toughness: int = 0
    morale: int = 0

    def __add__(self, other: Strength) -> Strength:
        return Strength(**{name: getattr(self, name) + getattr(other, name) for name in VALUES})


VALUES = ("attack", "malus", "melee", "charge", "pike", "ranged", "ambush", "toughness", "morale")


@record
class Dealt:
    """Total damage of one kind: the amount dealt, and the loss after toughness (NB-CH-2)."""

    kind: Literal["ambush", "melee", "charge", "pike", "ranged"]
    dealt: int
    loss: int


@record
class Round:
    """One stage of a fight; the ambush is round 0. Pairs hold the attacker's value, then the defender's."""

    number: int
    counts: tuple[int, int]
    """Attack counts before the round's attacks."""
    attacks: tuple[bool, bool]
    suffered: tuple[tuple[Dealt, ...], tuple[Dealt, ...]]
    """Damage dealt to each side."""
    morale: tuple[int, int]
    """Morale after the stage."""


@record
class Fight:
    """A fight between two sides (battle procedure, 3). `net` is the growth of each side's count per round; `how` is the result."""

    sides: tuple[str, str]
    """Attacker and defender, which are only labels (NB-CH-8)."""
    net: tuple[int, int]
    start: tuple[int, int]
    """Morale at the start."""
    rounds: tuple[Round, ...]
    how: How
    winner: str | None = None
    left: tuple[int, int]
    """Morale at the end."""


def net_attack(attack: int, malus: int) -> int:
    """Growth of a side's count each round, at least 1."""
    return max(1, attack - malus)


def _deal(dealt: Iterable[tuple[str, int]], toughness: int) -> tuple[Dealt, ...]:
    return tuple(
        Dealt(kind=kind, dealt=amount, loss=max(0, amount - toughness))  # type: ignore[arg-type]  # one of five
        for kind, amount in dealt
        if amount > 0
    )


def fight(
    names: tuple[str, str],
    sides: tuple[Strength, Strength],
    morale: tuple[int, int] | None = None,
    safe: tuple[bool, bool] = (False, False),
) -> Fight:
    """Run one fight to its end (battle procedure, 3).

    `morale` is the Morale left from earlier fights; `safe` marks the sides that no ambush harms.
    """
    start = morale if morale is not None else (sides[0].morale, sides[1].morale)
    net = (net_attack(sides[0].attack, sides[1].malus), net_attack(sides[1].attack, sides[0].malus))
    left = list(start)
    rounds: list[Round] = []
    if any(side.ambush for side in sides):
        struck = tuple(
            () if safe[me] else _deal([("ambush", sides[1 - me].ambush)], sides[me].toughness) for me in (0, 1)
        )
        for me in (0, 1):
            left[me] -= sum(total.loss for total in struck[me])
        rounds.append(
            Round(
                number=0,
                counts=(0, 0),
                attacks=(False, False),
                suffered=(struck[0], struck[1]),
                morale=(left[0], left[1]),
            )
        )
    counts, still = [0, 0], 0
    while min(left) > 0 and still < STILL:
        counts = [counts[me] + net[me] for me in (0, 1)]
        shown = (counts[0], counts[1])
        attacks = (counts[0] >= ATTACK_AT, counts[1] >= ATTACK_AT)
        dealt: list[list[tuple[str, int]]] = [[], []]
        for me in (0, 1):
            if attacks[me]:
                dealt[1 - me] += [("melee", sides[me].melee), ("charge", sides[me].charge * (counts[me] - ATTACK_AT))]
                dealt[me].append(("pike", sides[1 - me].pike))
                counts[me] = 0
            else:
                dealt[1 - me].append(("ranged", sides[me].ranged))
        suffered = (_deal(dealt[0], sides[0].toughness), _deal(dealt[1], sides[1].toughness))
        losses = [sum(total.loss for total in suffered[me]) for me in (0, 1)]
        left = [left[me] - losses[me] for me in (0, 1)]
        still = 0 if any(losses) else still + 1
        number = rounds[-1].number + 1 if rounds else 1
        rounds.append(Round(number=number, counts=shown, attacks=attacks, suffered=suffered, morale=(left[0], left[1])))
    how: How = "stand-off"
    winner = None
    if max(left) <= 0:
        how = "both-lost"
    elif min(left) <= 0:
        how, winner = "won", names[0] if left[0] > 0 else names[1]
    return Fight(
        sides=names, net=net, start=start, rounds=tuple(rounds), how=how, winner=winner, left=(left[0], left[1])
    )


@dataclass(frozen=True, slots=True)
class Side:
    """A side on an estate. Allies who are there together form one side (battle procedure, 2)."""

    name: str
    strength: Strength
    safe: bool = False
    """True if no ambush harms it (NB-G-5)."""


def battle(sides: Sequence[Side], hostile: Callable[[str, str], bool]) -> tuple[Fight, ...]:
    """Run every fight on an estate, in order. `sides` are in battle order, the first attacker first (battle procedure, 2).

    `hostile` decides whether two sides must fight. A side carries its remaining Morale from one fight to the next (NB-CH-1).
    """
    morale: dict[str, int] = {side.name: side.strength.morale for side in sides}
    met: set[frozenset[str]] = set()
    fights: list[Fight] = []
    while True:
        pair = next(
            (
                (attacker, defender)
                for attacker in sides
                for defender in sides
                if attacker is not defender
                and morale[attacker.name] > 0
                and morale[defender.name] > 0
                and hostile(attacker.name, defender.name)
                and frozenset((attacker.name, defender.name)) not in met
            ),
            None,
        )
        if pair is None:
            return tuple(fights)
        attacker, defender = pair
        met.add(frozenset((attacker.name, defender.name)))
        done = fight(
            (attacker.name, defender.name),
            (attacker.strength, defender.strength),
            (morale[attacker.name], morale[defender.name]),
            (attacker.safe, defender.safe),
        )
        fights.append(done)
        morale[attacker.name], morale[defender.name] = done.left


def damage(done: Fight, side: int) -> Mapping[str, int]:
    """The Morale that a side lost in a fight, by kind of damage."""
    lost: dict[str, int] = {}
    for stage in done.rounds:
        for total in stage.suffered[side]:
            lost[total.kind] = lost.get(total.kind, 0) + total.loss
    return lost
