"""The start: ruins, the order of placing, and everybody's City, Fortress, Towns and armies, in rounds (GC-C)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice, NamedDice
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.campaign import ARMIES, GENERAL, RANKS, found, passable, site_fault
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.generals import succeed
from adjudicator.rulesets.grand_campaign.omens import drawn, open_season
from adjudicator.rulesets.grand_campaign.orders import PlacementSheet
from adjudicator.rulesets.grand_campaign.position import Phase, Position, Realm, Settings, labels
from adjudicator.rulesets.grand_campaign.tables import TERRAIN
from adjudicator.rulesets.grand_campaign.world import World

How = Literal["wish", "start", "first"]


def setup(settings: Settings, dice: Dice) -> Position:
    """The map before anybody is on it: ruins and the order of placing are drawn, unless the campaign names them (GC-C-2, GC-C-5)."""
    plan = settings.plan
    order = plan.order or dice.shuffle("placing", sorted(plan.players))
    turns = (settings.placing or plan.configuration.placing) == "in-turns"
    position = Position(
        phase=Phase.PLACEMENT,
        placed=0 if turns else None,
        rows=plan.rows,
        roads=labels(plan.roads),
        cities={label: plan.cities[label] for label in sorted(plan.cities, key=hex_order)},
        order=order,
        realms={
            seat: Realm(faction=side.faction, gold=plan.configuration.start_gold) for seat, side in plan.players.items()
        },
        settings=settings,
    )
    return _with_ruins(position, dice)


def _with_ruins(position: Position, dice: Dice) -> Position:
    plan = position.plan
    if plan.ruins is not None:
        return replace(position, ruins=labels(plan.ruins))
    land = [
        label
        for label, code in position.terrain.items()
        if passable(code) and not TERRAIN[code].sea and label not in plan.cities
    ]
    every = plan.configuration.ruins_per_land_hexes
    number = (2 * len(land) + every) // (2 * every)
    return replace(position, ruins=labels(drawn(World(position, {}, dice), "ruin", land, number)))


def place(position: Position, sheets: Mapping[SeatId, Any], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Place everybody's settlements and armies in rounds, then open the first season (GC-C-4, GC-C-13).

    If players place one by one, each turn places one settlement. Armies go into their owners' realms, so all are placed together in
    the last turn (GC-C-17).
    """
    world = World(position, sheets, dice)
    made = Placing(world)
    if position.placer is not None:
        assert position.placed is not None
        seat, at = position.placer
        made.settle(seat, at, RANKS[at])
        made.judge()
        return world.done(world.after(placed=position.placed + 1))
    if position.placed is None:
        for at, kind in enumerate(RANKS):
            for seat in position.order:
                made.settle(seat, at, kind)
    for army in ARMIES:
        for seat in position.order:
            made.station(seat, army)
    made.judge()
    world.turn = 1
    opening = open_season(world, 1)
    succeed(world)
    after = world.after(phase=Phase.SEASON, turn=1, opening=opening, placed=None)
    return world.done(after)


KEYS: Mapping[str, str] = {"city": "city", "fortress": "fortress", "town": "towns"}
"""Construction -> the list on the sheet with the wishes for it."""
TITLES: Mapping[str, str] = {
    "city": "City", "fortress": "Fortress", "towns": "Towns", "armies": "Armies", "general": "General",
}  # fmt: skip


def asked(position: Position, seat: SeatId) -> tuple[str, ...]:
    """The lists of a sheet that are used in a turn: all, or those of the current placing (GC-C-17)."""
    if position.placed is None:
        return tuple(TITLES)
    if position.placer is None:
        return ("armies", "general")
    now, at = position.placer
    return (KEYS[RANKS[at]],) if seat == now else ()


def vain_wishes(view: Position, seat: SeatId, sheet: PlacementSheet) -> list[tuple[str, Hex]]:
    """Wishes that fail even if nobody else places anything: the list of the sheet, and the hex (GC-C-9 to GC-C-15)."""
    made = Placing(World(view, {seat: sheet}, NamedDice(b"wishes")))
    keys = asked(view, seat)
    for at, kind in enumerate(RANKS):
        if KEYS[kind] in keys and (view.placer is None or view.placer[1] == at):
            made.settle(seat, at, kind)
    for army in ARMIES if "armies" in keys else ():
        made.station(seat, army)
    got = {(key, spot) for (_, key), spots in made.got.items() for spot, _ in spots}
    return [wish for wish in dict.fromkeys(made.refused) if wish not in got]


class Placing:
    """Players' wishes, and the hexes they got."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.got: dict[tuple[SeatId, str], list[tuple[Hex, How]]] = {}
        self.refused: list[tuple[str, Hex]] = []
        """Refused wishes: the list of the sheet, and the hex."""

    def wishes(self, seat: SeatId, key: str) -> tuple[Hex, ...]:
        """The hexes on one list of a player's sheet."""
        sheet = self.world.sheets.get(seat)
        wished: Iterable[str] = getattr(sheet, key) if isinstance(sheet, PlacementSheet) else ()
        return tuple(label.strip() for label in wished)

    def settle(self, seat: SeatId, at: int, kind: str) -> None:
        """Place a settlement on the first wish that fits, then on the campaign's start, then on the first hex that fits (GC-C-9, GC-C-11)."""
        world = self.world
        start = world.plan.players[seat].start
        starts = (start.settlements[at][1],) if start is not None else ()
        spot, how = self._first(seat, KEYS[kind], starts, lambda label: self.settles(seat, label))
        self._note(seat, KEYS[kind], kind, spot, how)
        if spot is not None:
            world.works[spot] = kind
            mine = [label for label, holder in world.holder.items() if holder == seat]
            others = [label for label, holder in world.holder.items() if holder != seat]
            world.take(seat, found(spot, mine, others, world.cities, world.grid))

    def settles(self, seat: SeatId, label: Hex) -> bool:
        """Whether a settlement may be placed on a hex: far from others, on free ground, touching the realm (GC-C-9 to GC-C-11)."""
        world = self.world
        if label not in world.grid or world.holder.get(label) not in {None, seat} or label in world.cities:
            return False
        if site_fault(label, world.terrain, world.settled()) is not None:
            return False
        mine = [one for one, holder in world.holder.items() if holder == seat]
        others = [one for one, holder in world.holder.items() if holder != seat]
        return len(world.grid.areas(found(label, mine, others, world.cities, world.grid))) == 1

    def station(self, seat: SeatId, id_: str) -> None:
        """Place an army on a hex of its owner's realm that it may enter (GC-C-7, GC-C-12, GC-C-15)."""
        world = self.world
        side = world.plan.players[seat]
        start = side.start.armies[id_] if side.start is not None else None  # type: ignore[index]  # all three are there
        roster = world.plan.rosters[side.rosters[id_]]  # type: ignore[index]  # as above
        army = world.raised(seat, id_, None, roster)

        def fits(label: Hex) -> bool:
            mine = world.holder.get(label) == seat and world.standing(label) is None
            return mine and world.entry(army, label) is not None

        key = "general" if id_ == GENERAL else "armies"
        spot, how = self._first(seat, key, (start,) if start is not None else (), fits)
        self._note(seat, key, id_, spot, how)
        if spot is not None:
            world.armies[army.key] = world.raised(seat, id_, spot, roster)

    def _first(
        self, seat: SeatId, key: str, starts: Iterable[Hex], fits: Callable[[Hex], bool]
    ) -> tuple[Hex | None, How]:
        """The first hex that fits: a wish, the campaign's start, or the hex nearest to a settlement of the player."""
        for label in self.wishes(seat, key):
            if fits(label):
                return label, "wish"
            self.refused.append((key, label))
        for label in starts:
            if fits(label):
                return label, "start"
        home = next((label for label, _ in self.world.works_of(seat)), None)
        hexes = sorted(
            self.world.grid.hexes, key=lambda one: (distance(home, one) if home is not None else 0, hex_order(one))
        )
        return next((label for label in hexes if fits(label)), None), "first"

    def _note(self, seat: SeatId, key: str, what: str, spot: Hex | None, how: How) -> None:
        if spot is None:
            self.world.tell(facts.Unplaced(seat=seat, what=what))
        else:
            self.got.setdefault((seat, key), []).append((spot, how))
            self.world.tell(facts.Placed(seat=seat, what=what, at=spot, how=how))

    def judge(self) -> None:
        """Give a verdict on each list of wishes."""
        world = self.world
        for seat in sorted(world.sheets):
            for key, title in TITLES.items():
                wished = self.wishes(seat, key)
                if not wished:
                    continue
                got = self.got.get((seat, key), [])
                line = f"{title}: {', '.join(wished)}"
                if key not in asked(world.start, seat):
                    world.judge(seat, line, "illegal", "not-placed-now")
                    continue
                hexes = ", ".join(spot for spot, _ in got)
                if got and all(how == "wish" for _, how in got):
                    world.succeeds(seat, line, "placed", hexes=hexes)
                else:
                    world.judge(
                        seat,
                        line,
                        "partly" if any(how == "wish" for _, how in got) else "fails",
                        "default",
                        hexes=hexes or "nothing",
                    )
