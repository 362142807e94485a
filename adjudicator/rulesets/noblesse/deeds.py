"""Deeds of factions in a turn, and the state of things after it, as far as treaties may need them (NB-M, NB-Z).

A deed belongs to the faction that did it. A faction that was attacked did not seek battle, a vote that a penalty set is nobody's
deed, and a faction whose unit fell did not take it away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse import treaties as law
from adjudicator.rulesets.noblesse.events import (
    Agreed,
    Battle,
    Breached,
    Built,
    Control,
    Died,
    Dismissed,
    Earned,
    Ennobled,
    FactionGone,
    Founded,
    Gone,
    Harmed,
    HeirBorn,
    HeirDied,
    Learned,
    Left,
    Message,
    Moved,
    Offered,
    Paid,
    Proposed,
    Published,
    Raised,
    Reported,
    Revealed,
    Rumour,
    Shared,
    Silent,
    SpyReport,
    Succession,
    Trained,
    TreatyBegan,
    TreatyEnded,
    Turned,
    Untitled,
    Used,
    Victory,
    Voted,
    Wounded,
)
from adjudicator.rulesets.noblesse.orders import LEADERS, Order
from adjudicator.rulesets.noblesse.position import Phase, Unit
from adjudicator.rulesets.noblesse.treaties import Deed
from adjudicator.rulesets.noblesse.work import Work

POSTS = {"spy": "spies", "tax": "tax collectors", "steward": "stewards"}
"""A Courtier's post -> the word for such Courtiers in a promise."""
COMMAND = frozenset({"courtier", "pc", "heir", "noble"})
"""Leaders of units who count as commanders; officers count as companies (NB-K-6, NB-P-2, NB-P-4, NB-X-23)."""


def note_deeds(work: Work) -> None:
    """Add the deeds of this turn to each treaty in force that may need them (NB-T-10)."""
    binding = {name: treaty for name, treaty in work.treaties.items() if treaty.status == "in force"}
    if not binding:
        return
    deeds = [*_deeds_of_events(work), *_deeds_of_orders(work)]
    if work.start.phase is Phase.NIGHT:
        deeds += _deeds_of_standing(work)
    for name, treaty in binding.items():
        more = tuple(deed for deed in deeds if law.concerns(treaty, deed, work.scenario))
        work.treaties[name] = replace(treaty, deeds=(*treaty.deeds, *more))


@dataclass(frozen=True)
class _Units:
    """Owners and formations of a turn's units, including units that were lost during the turn."""

    owners: Mapping[str, SeatId]
    formations: Mapping[str, str]
    commanded: frozenset[str]
    """Units that a commander led when the turn began."""

    def of(self, work: Work, unit: str, event: int) -> str:
        """The faction of a unit at the time of an event."""
        return _faction_of(work, self.owners.get(unit, ""), event)


def _units_of_turn(work: Work) -> _Units:
    raised = [event for event in work.events if isinstance(event, Raised)]
    both: dict[str, Unit] = {**work.units, **work.start.units}
    return _Units(
        {name: unit.owner for name, unit in both.items()}
        | {event.unit: event.owner for event in raised}
        | work.returned,
        {name: unit.formation for name, unit in both.items()} | {event.unit: event.formation for event in raised},
        frozenset(name for name, unit in work.start.units.items() if unit.leader in COMMAND),
    )


def _ways(work: Work) -> dict[str, tuple[str, ...]]:
    """Unit that moved -> its path, including a forced march."""
    ways: dict[str, tuple[str, ...]] = {}
    for event in work.events:
        if isinstance(event, Moved):
            ways[event.unit] = (*ways[event.unit], *event.path[1:]) if event.unit in ways else event.path
    return ways


def _deeds_of_events(work: Work) -> Iterator[Deed]:
    units, ways, cycle = _units_of_turn(work), _ways(work), work.cycle
    for name, path in ways.items():
        by, what = units.of(work, name, 0), units.formations[name]  # all move before anybody can die
        for at in path[1:]:
            yield Deed(by=by, cycle=cycle, kind="entered", at=at, what=what, unit=name)
        if path[-1] != path[0]:
            for thing in (what, *(["commanders"] if name in units.commanded else [])):
                yield Deed(by=by, cycle=cycle, kind="removed", at=path[0], what=thing, unit=name)
                yield Deed(by=by, cycle=cycle, kind="placed", at=path[-1], what=thing, unit=name)
    for place, event in enumerate(work.events):
        match event:
            case Raised(unit=name, owner=owner, formation=formation, at=at):
                by = work.faction_then(owner, place)
                yield Deed(by=by, cycle=cycle, kind="placed", at=at, what=formation, unit=name)
            case Gone(unit=name, at=at, why=why) if why in {"disbanded", "unpaid"}:
                # Leaving rented units unpaid may or may not have been intended.
                by, sure = units.of(work, name, place), why == "disbanded"
                for thing in (units.formations[name], *(["commanders"] if name in units.commanded else [])):
                    yield Deed(by=by, cycle=cycle, kind="removed", at=at, what=thing, unit=name, sure=sure)
            case Battle():
                yield from _deeds_of_battle(work, event, place, units, ways)
            case Control(at=at, by=holder, before=before) if holder is not None:
                by = _faction_of(work, holder, place)
                if before is None or _faction_of(work, before, place) != by:
                    yield Deed(by=by, cycle=cycle, kind="gained", at=at)
            case Voted(votes=votes):
                yield from _deeds_of_votes(work, dict(votes))
            case Died(seat=seat, faction=faction):
                for other in work.factions:
                    if other != faction:
                        yield Deed(by=other, cycle=cycle, kind="killed", what=faction, who=seat)
            case Agreed(kind=kind, by=seat, to=to):
                proposer, other = (work.faction_then(name, place) for name in (seat, to))
                yield Deed(by=proposer, cycle=cycle, kind="agreed", what=kind, who=to, against=other)
            case (
                Founded() | Moved() | Gone() | Rumour() | Wounded() | HeirDied() | Built() | Trained() | Earned()
                | Shared() | SpyReport() | Offered() | HeirBorn() | Ennobled() | Untitled() | Harmed() | Message()
                | Succession() | Silent() | FactionGone() | Proposed() | Published() | TreatyBegan() | TreatyEnded()
                | Breached() | Paid() | Revealed() | Control() | Victory() | Reported() | Dismissed()
                | Used() | Learned() | Turned() | Left()
            ):  # fmt: skip
                pass  # no promise is about these, or the orders show them; a payment by penalty was not promised
            case _:
                assert_never(event)


def _faction_of(work: Work, holder: str, event: int) -> str:
    """The faction of `holder`, a player or a faction, at an event. Deeds before a player changed sides belong to the old one (NB-P-20)."""
    return work.faction_then(holder, event) if holder in work.players else holder


def _deeds_of_battle(
    work: Work, battle: Battle, place: int, units: _Units, ways: Mapping[str, tuple[str, ...]]
) -> Iterator[Deed]:
    """Deeds of a battle: each faction attacked, defended or met each of its opponents (NB-M-7)."""
    fought = {side.name: side.units for side in battle.sides}
    asked = {order.args["unit"] for seat, order in work.challenges if work.results.get(order.number) == "succeeds"}
    new = {name for name, path in ways.items() if path[-1] == battle.at} | work.named  # raised units come, too
    for fight in battle.fights:
        for me, enemy in ((0, 1), (1, 0)):
            mine, theirs = fought[fight.sides[me]], fought[fight.sides[enemy]]
            for by in sorted({units.of(work, name, place) for name in mine}):
                own = [name for name in mine if units.of(work, name, place) == by]
                for against in sorted({units.of(work, name, place) for name in theirs}):
                    others = [name for name in theirs if units.of(work, name, place) == against]
                    came, met = bool(new & set(own)), bool(new & set(others))
                    if asked & set(own) or (came and not met):
                        kind = "attacked"
                    else:
                        kind = "defended" if met and not came else "met"
                    for who in sorted({units.owners.get(name, "") for name in others}):
                        yield Deed(
                            by=by,
                            cycle=work.cycle,
                            kind=kind,  # type: ignore[arg-type]  # one of the kinds
                            at=battle.at,
                            who=who,
                            against=against,
                        )


def _deeds_of_votes(work: Work, votes: Mapping[SeatId, str]) -> Iterator[Deed]:
    """A deed for each vote that a player gave. If a penalty withheld the vote, the deed is not certain (NB-N-6)."""
    for seat, orders in work.orders.items():
        for order in orders:
            if order.kind == "vote" and work.results.get(order.number) == "succeeds":
                by, to = work.sides[order.number], order.args["seat"]
                yield Deed(by=by, cycle=work.cycle, kind="voted", who=to, sure=votes.get(seat) == to)


def _deeds_of_orders(work: Work) -> Iterator[Deed]:
    for seat, orders in work.orders.items():
        for order in orders:
            by = work.sides.get(order.number, work.players[seat].faction)
            done = work.results.get(order.number) == "succeeds"
            if order.number in work.aimed:
                # A paid action was used even if nothing came of it. People then decide whether that counts.
                for who, against, sure in work.aimed[order.number]:
                    yield Deed(
                        by=by,
                        cycle=work.cycle,
                        kind="acted",
                        at=order.args.get("estate", ""),
                        what=order.kind,
                        who=who,
                        against=against,
                        sure=sure and done and order.number not in work.idle,
                    )
            if done:
                for kind, at, thing in _placings(work, seat, order):
                    building = order.args.get("building", "") if thing == "structures" else ""
                    yield Deed(by=by, cycle=work.cycle, kind=kind, at=at, what=thing, building=building)  # type: ignore[arg-type]  # one of two
                if order.kind == "pay":
                    # A payment forced by a penalty does not fulfil a promise (NB-N-2).
                    to = order.args["faction"]
                    yield Deed(by=by, cycle=work.cycle, kind="paid", who=to, amounts=order.amounts)
                elif order.kind == "march":
                    yield Deed(by=by, cycle=work.cycle, kind="acted", at=order.args["estate"], what="march")


def _placings(work: Work, seat: SeatId, order: Order) -> Iterator[tuple[str, str, str]]:
    """Everything that an order placed or removed: the word `placed` or `removed`, the estate, and the thing."""
    at = order.args.get("estate", "")
    unit = work.units.get(order.args.get("unit", "")) or work.start.units.get(order.args.get("unit", ""))
    had = {(courtier.post, courtier.at) for courtier in work.start.players[seat].courtiers}
    match order.kind:
        case "spy":
            yield "placed", order.path[-1], "spies"
            if ("spy", at) in had:
                yield "removed", at, "spies"
        case "tax":
            yield "placed", at, "tax collectors"
            if ("steward", at) in had:
                yield "removed", at, "stewards"
        case "steward":
            yield "placed", at, "stewards"
        case "hand" | "noble":
            yield "removed", at, "stewards"
        case "build":
            yield "placed", at, "structures"
        case "recruit" if order.args["leader"] in LEADERS or order.args["leader"].startswith("noble "):
            yield "placed", at, "commanders"
        case "lead" if unit is not None:
            yield "placed", unit.at, "commanders"
        case "leave" if unit is not None:
            yield "removed", unit.at, "commanders"
        case "recall spy" | "knife":
            yield "removed", at, "spies"
        case "recall tax":
            yield "removed", at, "tax collectors"
        case _:
            return


def _deeds_of_standing(work: Work) -> Iterator[Deed]:
    """The state of things after a Night: where units, people and structures are, and who controls each estate."""
    cycle = work.cycle
    for name, unit in work.units.items():
        if unit.owner in work.players:
            by = work.players[unit.owner].faction
            for thing in (unit.formation, *(["commanders"] if unit.leader in COMMAND else [])):
                yield Deed(by=by, cycle=cycle, kind="stands", at=unit.at, what=thing, unit=name)
    for seat in work.living():
        by = work.players[seat].faction
        for courtier in work.players[seat].courtiers:
            if courtier.post in POSTS and courtier.at is not None:
                yield Deed(by=by, cycle=cycle, kind="stands", at=courtier.at, what=POSTS[courtier.post])
    for estate in work.scenario.estates:
        owner = work.faction_at(estate)
        if owner is not None:
            yield Deed(by=owner, cycle=cycle, kind="controls", at=estate)
            for building in work.holding(estate).buildings:
                yield Deed(by=owner, cycle=cycle, kind="stands", at=estate, what="structures", building=building)
