"""Reports of battles, round by round, with the Morale of both sides as a chart."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.pages import Chart, Report, Side, Table
from adjudicator.core.contract.words import many, whose
from adjudicator.rulesets.noblesse.battle import Dealt, Fight, damage
from adjudicator.rulesets.noblesse.events import AnyEvent, Battle, Raised
from adjudicator.rulesets.noblesse.picture import LEADERS
from adjudicator.rulesets.noblesse.position import Position

CAUSES = {"melee": "melee", "pike": "pikes", "charge": "charges", "ambush": "ambush", "ranged": "ranged fire"}
"""Kind of damage -> the cause of a loss, in words."""
WON = {"won": "{winner} won with {left} Morale left", "both-lost": "both sides fell", "stand-off": "a stand-off"}


def reports(position: Position, events: Iterable[AnyEvent]) -> tuple[Report, ...]:
    """A report for each fight of the turn's battles, in the order of the fights."""
    order = list(position.settings.board.factions)
    events = tuple(events)
    labels = {name: _unit_words(name, unit.owner, unit.formation, unit.leader) for name, unit in position.units.items()}
    labels |= {
        event.unit: _unit_words(event.unit, event.owner, event.formation)
        for event in events
        if isinstance(event, Raised)
    }
    written = []
    for event in events:
        if isinstance(event, Battle):
            units = {side.name: side.units for side in event.sides}
            factions = {side.name: side.factions for side in event.sides}
            for number, fight in enumerate(event.fights, 1):
                more = f", fight {number}" if len(event.fights) > 1 else ""
                title = f"Battle at {event.at}{more}: {' against '.join(fight.sides)}"
                who = ". ".join(
                    f"{name}: {', '.join(labels.get(unit, unit) for unit in units.get(name, ()))}"
                    for name in fight.sides
                )
                about = f"{who}. {_outcome(fight)} {_loss_words(fight)}"
                sides = {name: _side(name, factions[name], order, slot) for slot, name in enumerate(fight.sides)}
                anchor = f"battle-{event.at.lower()}-{number}"
                written.append(Report(anchor, title, about, _table(fight), _chart(fight), sides))
    return tuple(written)


def _unit_words(name: str, owner: str, formation: str, leader: str | None = None) -> str:
    """A unit in words, such as `U417 (Anise’s regiment, led by a Courtier)`; without a leader, `just raised`."""
    of = f"{whose(owner)} {formation}" if owner else f"a {formation} that belongs to nobody"
    return f"{name} ({of}, {f'led by {LEADERS[leader]}' if leader else 'just raised'})"


def _outcome(fight: Fight) -> str:
    rounds = sum(stage.number > 0 for stage in fight.rounds)
    words = WON[fight.how].format(winner=fight.winner, left=max(fight.left))
    after = "before the first round" if rounds == 0 else f"after {many(rounds, 'round')}"
    return f"{words[0].upper()}{words[1:]}, {after}."


def _loss_words(fight: Fight) -> str:
    """The Morale that each side lost, and the main cause."""
    parts = []
    for side, name in enumerate(fight.sides):
        lost = damage(fight, side)
        if any(lost.values()):
            kind = max(sorted(lost), key=lambda cause: lost[cause])
            share = "all" if lost[kind] == sum(lost.values()) else lost[kind]
            parts.append(f"{name} lost {sum(lost.values())} Morale, {share} of it to {CAUSES[kind]}")
    return f"{'; '.join(parts)}." if parts else ""


def _side(name: str, factions: tuple[str, ...], order: list[str], at: int) -> Side:
    first = factions[0]
    slot = order.index(first) + 1 if first in order else 8 - at
    return Side(slot, name, first[:1].upper())


def _dealt_words(dealt: tuple[Dealt, ...]) -> str:
    return (
        ", ".join(
            f"{total.kind} {total.loss}" + (f" of {total.dealt}" if total.loss != total.dealt else "")
            for total in dealt
        )
        or "–"
    )


def _table(fight: Fight) -> Table:
    """A row for each stage: round, counts, each side's losses after toughness, Morale."""
    attacker, defender = fight.sides
    rows: list[tuple[str | int, ...]] = [("start", "0 / 0", "", "", fight.start[0], fight.start[1])]
    for stage in fight.rounds:
        signs = [
            f"{count}{' attacks' if attacks else ''}"
            for count, attacks in zip(stage.counts, stage.attacks, strict=True)
        ]
        rows.append(
            (
                "ambush" if stage.number == 0 else str(stage.number),
                "" if stage.number == 0 else " / ".join(signs),
                _dealt_words(stage.suffered[1]),
                _dealt_words(stage.suffered[0]),
                stage.morale[0],
                stage.morale[1],
            )
        )
    head = (
        "Round",
        f"Count {attacker} / {defender}",
        f"{attacker} to {defender}",
        f"{defender} to {attacker}",
        f"Morale {attacker}",
        f"Morale {defender}",
    )
    return Table("Round by round", head, tuple(rows))


def _chart(fight: Fight) -> Chart:
    """Morale after each stage, at least 0."""
    labels = ("start", *("ambush" if stage.number == 0 else str(stage.number) for stage in fight.rounds))
    lines = {
        name: (fight.start[side], *(max(0, stage.morale[side]) for stage in fight.rounds))
        for side, name in enumerate(fight.sides)
    }
    return Chart("Morale", "Morale", labels, lines, "Round")
