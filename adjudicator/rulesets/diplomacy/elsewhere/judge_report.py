"""Write a game as the reports that an e-mail judge sends after each phase, which jDip and other mappers read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from adjudicator.core.contract.resolution import Resolution, Verdict
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault, Waive
from adjudicator.rulesets.diplomacy.events import AnyEvent
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, Season, field_of
from adjudicator.rulesets.diplomacy.records import phase_name, result_marks

KINDS = {"A": "Army", "F": "Fleet"}
COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
NAMES = {Phase.MOVEMENT: "Movement", Phase.RETREATS: "Retreat", Phase.ADJUSTMENTS: "Adjustment"}


def write_reports(
    name: str, turns: Iterable[tuple[Position, Mapping[str, Sheet], Resolution[Position, AnyEvent] | None]]
) -> bytes:
    """A report for each judged phase: every order with its result, and at the end of the year the owners of centres."""
    turns = list(turns)
    following = [*(position for position, _, _ in turns[1:]), None]
    parts = [
        _report(name, position, done, after)
        for (position, _, done), after in zip(turns, following, strict=True)
        if done is not None
    ]
    return "\n".join(parts).encode()


def _report(name: str, position: Position, done: Resolution[Position, AnyEvent], after: Position | None) -> str:
    field = field_of(position)
    lines = [
        f"{NAMES[position.phase]} results for {position.season} of {position.year}.  ({name}.{phase_name(position)})",
        "",
    ]
    for power in field.board.powers:
        said = [
            line
            for verdict in done.verdicts
            if verdict.seat == power
            for line in _line(field, position.phase, verdict, done.verdicts)
        ]
        lines += [*(f"{power}: {line}" for line in said), ""] if said else []
    if position.season is Season.FALL and after is not None and after.season is not Season.FALL:
        lines += ["Ownership of supply centers:", ""]
        lines += [f"{power}: {', '.join(centres)}." for power, centres in after.centres.items() if centres]
        lines.append("")
    return "\n".join(lines)


def _line(field: Field, phase: Phase, verdict: Verdict, verdicts: Sequence[Verdict]) -> Iterator[str]:
    order = field.notation.read(verdict.order)
    if isinstance(order, Fault):
        return  # an unreadable line moves nobody; below, its unit has an implied order
    marks = result_marks(verdict)
    text = _words(field, phase, order, _routes(field, verdicts))
    if text:
        yield f"{text}." + (f" (*{', '.join(marks)}*)" if marks and phase is not Phase.ADJUSTMENTS else "")


def _routes(field: Field, verdicts: Sequence[Verdict]) -> dict[tuple[str, str], set[str]]:
    """Where an army comes from and goes to -> the seas of the fleets that are ordered to carry it."""
    found: dict[tuple[str, str], set[str]] = {}
    for verdict in verdicts:
        order = field.notation.read(verdict.order)
        if isinstance(order, Convoy) and verdict.result not in ("illegal", "invalid"):
            found.setdefault((order.target.province, order.to), set()).add(order.unit.province)
    return found


def _path(field: Field, start: str, goal: str, seas: set[str]) -> list[str]:
    """The shortest way over these seas; without one, all of them."""
    board = field.board
    near = {
        sea: {place.partition("/")[0] for places in board.fleet_to.get(sea, {}).values() for place in places}
        for sea in seas
    }
    paths = [[sea] for sea in sorted(seas) if start in near[sea]]
    while paths:
        path = paths.pop(0)
        if goal in near[path[-1]]:
            return path
        paths += [[*path, sea] for sea in sorted(near[path[-1]] & seas) if sea not in path]
    return sorted(seas)


def _words(field: Field, phase: Phase, order: AnyOrder, routes: Mapping[tuple[str, str], set[str]]) -> str:
    board = field.board

    def place(province: str, coast: str = "") -> str:
        return board.provinces[province].name + (f" ({COASTS[coast]})" if coast else "")

    def unit(named: Named, *, theirs: str | None = None) -> str:
        lost = field.dislodged.get(named.province) if phase is Phase.RETREATS else None
        here = (lost[0], lost[1]) if lost is not None else field.units.get(named.province)
        kind, coast = (here[1].kind, here[1].place.partition("/")[2]) if here is not None else (named.kind, named.coast)
        whose = (
            f"{board.powers[here[0]].adjective} "
            if theirs and here is not None and here[0] != theirs and here[0] in board.powers
            else ""
        )
        return f"{whose}{KINDS.get(kind, 'Unit')} {place(named.province, coast)}"

    own = field.units.get(order.unit.province) if not isinstance(order, Waive) else None
    me = own[0] if own is not None else None
    match order:
        case Hold(u):
            return f"{unit(u)} HOLD"
        case Move(u, to, coast, via):
            seas = routes.get((u.province, to), set()) if via or to not in board.army_to.get(u.province, ()) else set()
            steps = _path(field, u.province, to, seas) if seas and unit(u).startswith("Army") else []
            return " -> ".join([unit(u), *(place(sea) for sea in steps), place(to, coast)])
        case SupportHold(u, target):
            return f"{unit(u)} SUPPORT {unit(target, theirs=me)}"
        case SupportMove(u, target, to, coast):
            return f"{unit(u)} SUPPORT {unit(target, theirs=me)} -> {place(to, coast)}"
        case Convoy(u, target, to, coast):
            return f"{unit(u)} CONVOY {unit(target, theirs=me)} -> {place(to, coast)}"
        case Build(u):
            return f"Builds {'an army' if u.kind == 'A' else 'a fleet'} in {place(u.province, u.coast)}"
        case Disband(u):
            text = unit(u)
            if phase is Phase.RETREATS:
                return f"{text} DISBAND"
            kind, _, where = text.partition(" ")
            return f"Removes the {kind.lower()} in {where}"
        case Waive():
            return "Build waived"
        case _:
            assert_never(order)
