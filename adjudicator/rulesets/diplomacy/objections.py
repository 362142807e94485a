"""Why an order is not among the legal ones, as the table that the order desk reads; the sentences are those of `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.core.contract.objections import Ground, Objection, Objections
from adjudicator.mechanics.adjustments import AdjustReason, Sites
from adjudicator.mechanics.movement import Reason
from adjudicator.mechanics.movement.convoys import across
from adjudicator.mechanics.movement.solver import NOWHERE
from adjudicator.mechanics.provinces import BuildSites, Unit
from adjudicator.mechanics.retreats import RetreatReason
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, field_of
from adjudicator.rulesets.diplomacy.prose import (
    IMPOSSIBLE,
    IS_KIND,
    MOVING,
    NAMING,
    ONE_WAY,
    because_adjustment,
    because_retreat,
    only_back,
)

FORMS: Mapping[str, str] = {
    "aid": "{here} S {of} - {to}",
    "stand": "{here} S {of}",
    "carry": "{here} C {of} - {to}",
    "sail": "{here} - {to} via convoy",
    "move": "{here} - {to}",
    "hold": "{here} H",
    "build": "Build {here}",
    "disband": "Disband {here}",
    "waive": "Waive",
}
THINGS = ("here", "of")
GO, HELP, WINTER = ("move", "sail"), ("aid", "stand"), ("build", "disband", "waive")


def _told(reason: Reason) -> str:
    return NAMING.get(reason, IMPOSSIBLE[reason])


CARRIED_NOWHERE = Objection(("carry",), ("to same of",), _told(Reason.SAME_PLACE))
WALKS_NOWHERE = Objection(GO, ("to far here",), "")
MOVEMENT = (
    Objection(WINTER, (), MOVING),
    Objection((), ("here empty",), _told(Reason.NO_UNIT)),
    Objection((), ("here not mine",), _told(Reason.NOT_YOURS)),
    Objection((), ("here not named", "here is A"), IS_KIND["here", "A"]),
    Objection((), ("here not named",), IS_KIND["here", "F"]),
    Objection((), ("here not exact",), ""),
    Objection(GO, ("to same here",), _told(Reason.SAME_PLACE)),
    Objection(GO, ("here is A", "to in seas"), _told(Reason.ARMY_TO_SEA)),
    Objection(("move",), ("here is A", "to beside here"), "", legal=True),
    Objection(("move",), ("here is A", "to far here"), "", legal=True),
    WALKS_NOWHERE,
    Objection(GO, ("here is A", "to beside here"), _told(Reason.NO_ROUTE)),
    Objection(GO, ("here is A", "to in coastal", "to back here"), f"{ONE_WAY}, and {IMPOSSIBLE[Reason.NO_ROUTE]}"),
    Objection(GO, ("here is A", "to in coastal"), _told(Reason.NO_ROUTE)),
    Objection(GO, ("here is F", "to not beside here", "to in inland"), _told(Reason.FLEET_TO_LAND)),
    Objection(GO, ("to not beside here", "to back here"), ONE_WAY),
    Objection(GO, ("to not beside here",), _told(Reason.NOT_ADJACENT)),
    Objection(HELP, ("of same here",), _told(Reason.SUPPORTS_ITSELF)),
    Objection(("aid",), ("to same of",), _told(Reason.SAME_PLACE)),
    Objection(("aid",), ("to not beside here",), _told(Reason.SUPPORT_OUT_OF_REACH)),
    Objection(("stand",), ("of not beside here",), _told(Reason.SUPPORT_OUT_OF_REACH).replace("{to}", "{of}")),
    Objection(HELP, ("of empty",), _told(Reason.SUPPORTED_ABSENT)),
    Objection(HELP, ("of not named", "of is A"), IS_KIND["of", "A"]),
    Objection(HELP, ("of not named",), IS_KIND["of", "F"]),
    Objection(("aid",), ("to not beside of", "to not far of"), _told(Reason.SUPPORTED_CANNOT_REACH)),
    Objection(("aid", "carry"), ("to not plain",), ""),
    Objection(("aid",), (), _told(Reason.SUPPORTED_CANNOT_REACH)),
    Objection(("carry",), ("here is A",), _told(Reason.CONVOY_NOT_AT_SEA)),
    Objection(("carry",), ("here not in waters",), _told(Reason.CONVOY_NOT_AT_SEA)),
    Objection(("carry",), ("of empty",), _told(Reason.CONVOYED_ABSENT)),
    Objection(("carry",), ("of is F",), _told(Reason.ONLY_ARMIES_CONVOYED)),
    Objection(("carry",), ("of names F",), _told(Reason.ONLY_ARMIES_CONVOYED)),
    CARRIED_NOWHERE,
    Objection(("carry",), (), _told(Reason.CONVOY_USELESS)),
)
"""Why an order of a turn of moves is illegal. What comes last is so since nothing before it was, and the order is not legal."""
RETREATS = (
    Objection(("waive",), (), because_retreat(RetreatReason.NO_UNIT)),
    Objection((), ("here empty",), because_retreat(RetreatReason.NO_UNIT)),
    Objection((), ("here not mine",), because_retreat(RetreatReason.NOT_YOURS)),
    Objection((), ("here not named",), because_retreat(RetreatReason.WRONG_KIND)),
    Objection(("aid", "stand", "carry", "hold", "build"), (), because_retreat(RetreatReason.NOT_A_RETREAT)),
    Objection(GO, ("to not beside here",), because_retreat(RetreatReason.UNREACHABLE)),
    Objection(GO, ("to in occupied",), because_retreat(RetreatReason.OCCUPIED)),
    Objection(GO, ("to back here",), because_retreat(RetreatReason.ATTACKER_CAME_FROM_THERE)),
    Objection(GO, ("to in contested",), because_retreat(RetreatReason.CONTESTED)),
    Objection(GO, ("here is F", "to in coasts"), ""),
)
NEVER_CARRIED = {
    WALKS_NOWHERE: Objection(GO, ("here is A", "here in still"), _told(Reason.NEVER_CONVOYED)),
    CARRIED_NOWHERE: Objection(("carry",), ("of in still",), _told(Reason.NEVER_CONVOYED)),
}
"""What is said before these where units stand that never leave their place."""
UNSAID_OF_MOVES = ("coasts that are missing or wrong", "two orders for one unit")


def objections(position: Position, *, stationary: frozenset[str] = NOWHERE) -> Objections:
    """What can be told against orders that are not legal in this turn; `stationary` are the provinces of units that never leave them."""
    field = field_of(position)
    match position.phase:
        case Phase.MOVEMENT:
            table = tuple(_movement()) if stationary else MOVEMENT
            ground = _moving(field, stationary)
            return Objections(things=THINGS, forms=FORMS, ground=ground, table=table, unsaid=UNSAID_OF_MOVES)
        case Phase.RETREATS:
            return Objections(
                things=THINGS, forms=FORMS, ground=_retreating(field), table=RETREATS, unsaid=UNSAID_OF_MOVES
            )
        case Phase.ADJUSTMENTS:
            table = tuple(against_adjustments(position.settings.sites))
            unsaid = ("whether the orders before it leave anything to build or to remove",)
            return Objections(
                things=THINGS, forms=FORMS, ground=_building(field, position.settings.sites), table=table, unsaid=unsaid
            )


def _movement() -> Iterator[Objection]:
    """The table of a turn of moves where units stand that never leave their place."""
    for objection in MOVEMENT:
        if objection in NEVER_CARRIED:
            yield NEVER_CARRIED[objection]
        yield objection


def _named(field: Field, codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(field.board.provinces[code].name for code in codes))


def _stands(field: Field, units: Mapping[str, tuple[str, Unit]]) -> dict[str, tuple[str, str]]:
    board = field.board
    return {board.provinces[code].name: (board.unit_name(unit), whose) for code, (whose, unit) in sorted(units.items())}


def _moving(field: Field, stationary: frozenset[str]) -> Ground:
    board = field.board
    fleets = frozenset(sea for sea, (_, unit) in field.units.items() if sea in board.waters and unit.kind == "F")
    crossings = across(board, fleets)
    stands, beside, back, far = _stands(field, field.units), {}, {}, {}
    for code, (_, unit) in sorted(field.units.items()):
        name, reach = board.provinces[code].name, board.reach(unit)
        beside[name] = _named(field, reach)
        alone = [other for other in board.provinces if other not in reach and only_back(field, code, other)]
        if alone:
            back[name] = _named(field, alone)
        carried = unit.kind == "A" and code not in stationary
        goals = crossings.get(code, frozenset()) - {code} if carried else frozenset()
        if goals:
            far[name] = _named(field, goals)
    inland = [code for code, province in board.provinces.items() if province.kind == "inland"]
    sets = {"seas": board.seas, "coastal": board.coastal, "inland": inland, "waters": board.waters}
    if stationary:
        sets["still"] = stationary
    return Ground(
        stands=stands,
        beside=beside,
        back=back,
        far=far,
        sets={name: _named(field, codes) for name, codes in sets.items()},
    )


def _retreating(field: Field) -> Ground:
    board = field.board
    units = {code: (whose, unit) for code, (whose, unit, _) in field.dislodged.items()}
    coasts = [code for code, province in board.provinces.items() if province.coasts]
    sets = {"occupied": field.units, "contested": field.contested, "coasts": coasts}
    return Ground(
        stands=_stands(field, units),
        beside={board.provinces[code].name: _named(field, board.reach(unit)) for code, (_, unit) in units.items()},
        back={board.provinces[code].name: _named(field, (by,)) for code, (_, _, by) in field.dislodged.items() if by},
        sets={name: _named(field, codes) for name, codes in sets.items()},
    )


def against_adjustments(sites: Sites) -> Iterator[Objection]:
    """What can be told against orders in winter, of powers that build at these sites."""

    def told(reason: AdjustReason) -> str:
        return because_adjustment(reason)

    elsewhere = AdjustReason.NOBODYS_HOME if sites is BuildSites.HOMES else AdjustReason.NOT_A_HOME_CENTRE
    yield Objection((*HELP, *GO, "carry", "hold"), (), told(AdjustReason.NOT_AN_ADJUSTMENT))
    yield Objection(("waive", "build"), ("reader not in builders",), told(AdjustReason.NOTHING_TO_BUILD))
    yield Objection(("waive",), (), told(AdjustReason.NOTHING_TO_BUILD))
    yield Objection(("build",), ("here not beside reader",), told(elsewhere))
    yield Objection(("build",), ("here not far reader",), told(AdjustReason.NOT_OWNED))
    yield Objection(("build",), ("here not empty",), told(AdjustReason.OCCUPIED))
    yield Objection(("build",), ("here names F", "here in inland"), told(AdjustReason.FLEET_INLAND))
    yield Objection(("build",), ("here names F", "here in coasts"), told(AdjustReason.COAST_NEEDED))
    yield Objection(("disband",), ("reader not in removers",), told(AdjustReason.NOTHING_TO_REMOVE))
    yield Objection(("disband",), ("here empty",), told(AdjustReason.NO_UNIT))
    yield Objection(("disband",), ("here not mine",), told(AdjustReason.NOT_YOURS))
    yield Objection(("disband",), ("here not named",), told(AdjustReason.WRONG_KIND))


def _building(field: Field, sites: BuildSites) -> Ground:
    board = field.board
    owned = {power: field.owned(power) for power in board.powers}
    units = {power: sum(whose == power for whose, _ in field.units.values()) for power in owned}
    homes = {code: province.home for code, province in board.provinces.items()}

    def may_build(power: str, code: str) -> bool:
        match sites:
            case BuildSites.HOME:
                return homes[code] == power
            case BuildSites.HOMES:
                return homes[code] is not None
            case BuildSites.OWNED:
                return True

    return Ground(
        stands=_stands(field, field.units),
        beside={power: _named(field, (code for code in homes if may_build(power, code))) for power in owned},
        far={power: _named(field, centres) for power, centres in owned.items()},
        sets={
            "builders": tuple(sorted(power for power in owned if len(owned[power]) > units[power])),
            "removers": tuple(sorted(power for power in owned if len(owned[power]) < units[power])),
            "inland": _named(field, (code for code, one in board.provinces.items() if one.kind == "inland")),
            "coasts": _named(field, (code for code, one in board.provinces.items() if one.coasts)),
        },
    )
