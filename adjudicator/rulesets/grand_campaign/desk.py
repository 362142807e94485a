"""Forms, prices and paths of a campaign's sheets, for the order desk."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from adjudicator.core.contract.lines import Blank
from adjudicator.core.contract.plans import Plan, Plans
from adjudicator.core.contract.prices import Price, Prices
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Desk
from adjudicator.core.contract.walks import BARRED, Footing, Walker, Walks, signs
from adjudicator.core.contract.words import join_words
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.acts import BATTLE_PARTS, LINES, MOVES, PARTY_ACTS, SEASON_PARTS
from adjudicator.rulesets.grand_campaign.adventures import allowance_of as party_allowance
from adjudicator.rulesets.grand_campaign.income import expected
from adjudicator.rulesets.grand_campaign.marching import allowance_of, trodden
from adjudicator.rulesets.grand_campaign.orders import blanks_of
from adjudicator.rulesets.grand_campaign.placing import asked
from adjudicator.rulesets.grand_campaign.position import SETTLED, Army, Party, Phase, Position
from adjudicator.rulesets.grand_campaign.reporting import report_cards
from adjudicator.rulesets.grand_campaign.tables import (
    ACTIONS,
    BUILDINGS,
    CONSTRUCTIONS,
    FACTIONS,
    LANDS,
    TERRAIN,
    Terrain,
)
from adjudicator.rulesets.grand_campaign.words import each, scenario, who
from adjudicator.rulesets.grand_campaign.world import World

T = TypeVar("T")
WISHES = ("city", "fortress", "towns", "armies", "general")
RANKS = ("Fortress", "City")
"""Constructions that settlements can be improved to."""
GOLD = "Realm Gold"
NOTE = (
    "Your purse with the income that has already been rolled, before trades. Improve City is priced as from a Town (2500; from a Fortress it "
    "is 1000). Jousts are not counted, nor is gold from wood, raids and ruins."
)
FARMS = {False: "f", True: "r"}
"""Whether the hex has a road -> the sign of Farmland (GC-X-10, GC-E-18)."""


def plans(view: Position) -> Plans:
    """The lists of this turn's sheet."""
    blanks = {**blanks_of(view.plan), "wish": Blank(words=view.grid.hexes)}
    if view.phase is Phase.PLACEMENT:
        lists = {key: Plan(forms=("{wish}",)) for key in WISHES}
        return Plans(lists=lists, blanks=blanks, names={}, about={}, told=_turns(view))
    parts = SEASON_PARTS if view.phase is Phase.SEASON else BATTLE_PARTS
    lists = {part: Plan(forms=tuple(LINES.forms(part))) for part in parts}
    told = {seat: _told(view, seat) for seat in view.plan.seats}
    cards = {seat: report_cards(view, seat) for seat in view.plan.seats} if view.phase is Phase.BATTLES else {}
    return Plans(lists=lists, blanks=blanks, names={}, about={}, told=told, cards=cards)


def _turns(view: Position) -> dict[SeatId, dict[str, tuple[str, ...]]]:
    """A note for each player on whose turn it is, if players place one by one (GC-C-17)."""
    if view.placer is None:
        return {}
    now, at = view.placer
    key = asked(view, now)[0]
    order = join_words(view.order)
    words = dict.fromkeys(view.plan.seats, f"Now {now} places their {SETTLED[at]}. The order is {order}.")
    words[now] = f"It is your turn: place your {SETTLED[at]}. The map shows what is placed. The order is {order}."
    return {seat: {key: (said,)} for seat, said in words.items()}


def unasked(view: Position) -> tuple[str, ...]:
    """The lists of a sheet that are not used in a turn (GC-C-17)."""
    if view.phase is not Phase.PLACEMENT or view.placed is None:
        return ()
    now = asked(view, view.placer[0] if view.placer is not None else view.order[0])
    return tuple(key for key in WISHES if key not in now)


def _told(view: Position, seat: SeatId) -> dict[str, tuple[str, ...]]:
    """The battles that a player reports, and the reasons why some of their armies take no orders (GC-V-4, GC-I-74)."""
    if view.phase is Phase.BATTLES:
        fought = [
            battle
            for battle in view.battles
            if any(key is not None and key.rpartition(" ")[0] == seat for key in (*battle.attackers, battle.defender))
        ]
        said = [
            f"{battle.id}, for {battle.at}: {each(battle.attackers)} against "
            f"{who(battle.defender) if battle.defender else 'the garrison'}, {scenario(battle.scenario)}."
            for battle in fought
        ]
        return {"results": tuple(said) or ("You have no battle this season.",)}
    lines = []
    for army in view.armies:
        if army.owner == seat and army.sank is not None:
            lines.append(f"{army.id} went under the sand on {army.sank}: it can emerge.")
        elif army.owner == seat and army.rests:
            lines.append(f"{army.id} rests this season: it takes no orders.")
    return {"armies": tuple(lines)} if lines else {}


def stands(view: Position, seat: SeatId) -> dict[str, tuple[str, ...]]:
    """A player's standing orders, which apply until they send another list (GC-Z-7)."""
    orders = view.realms[seat].orders
    lines = [f"stand aside {army}" for army in orders.aside]
    if orders.answer:
        lines.append(f"answer with {', '.join(orders.answer)}")
    lines += [f"bearer of {army}: {name}" for army, name in orders.bearer.items()]
    if orders.general is not None and orders.at is not None:
        lines.append(f"next General: {orders.general} at {orders.at}")
    return {"standing": tuple(lines)} if lines and view.phase is Phase.SEASON else {}


# Gold ---------------------------------------------------------------------------------------------------------------


def prices(view: Position, seat: SeatId) -> Prices | None:
    """A player's gold in a season, with the income, and the prices of their lines; None in other turns."""
    if view.phase is not Phase.SEASON or view.realms[seat].out:
        return None
    world = _world(view)
    world.earn(seat, expected(world, seat)[1])
    built = {f"Construct {kind.name}": kind.price for kind in CONSTRUCTIONS.values() if kind.price is not None}
    built |= {"Build Road": BUILDINGS.road}
    for kind in CONSTRUCTIONS.values():
        if kind.from_:
            built[f"Improve {kind.name}"] = max(kind.from_.values())
    built |= {
        f"Move {CONSTRUCTIONS[kind].name} {label}": CONSTRUCTIONS[kind].moving for label, kind in world.works_of(seat)
    }
    moves = {what: {GOLD: price} for what, price in built.items()}
    return Prices(
        purse={GOLD: world.gold[seat]},
        forms={
            "army {army} from {roster} at {hex}": Price(fixed={GOLD: BUILDINGS.army}),
            "party {party} of {number} {type} at {hex}": Price(fixed={GOLD: BUILDINGS.party}),
            "trade with {seat}: {goods} for {price}": Price(by={"goods": {"gold": {GOLD: 1}}}),
            "{army}: {moves}": Price(by={"moves": moves}),
        },
        note=NOTE,
    )


# Walking ------------------------------------------------------------------------------------------------------------


def _world(view: Position) -> World:
    return World(view, {}, NamedDice(b"desk"))


def walks(view: Position) -> Walks | None:
    """The armies and parties that can move in a season, and the costs of their steps; None in other turns."""
    if view.phase is not Phase.SEASON:
        return None
    world, hexes = _world(view), view.grid.hexes
    tables = _Tables()
    walkers: dict[SeatId, dict[str, tuple[Walker, ...]]] = {}
    for seat in view.plan.seats:
        armies = [army for army in world.armies_of(seat) if army.at is not None and not army.rests]
        walkers[seat] = {
            "armies": tuple(_army(world, army, tables) for army in armies),
            "parties": tuple(_party(world, party, tables) for party in world.parties_of(seat)),
        }
    acts = {one.name: one.movement for one in (*ACTIONS.armies.values(), *ACTIONS.parties.values())}
    ends = tuple(one.name for one in (*ACTIONS.armies.values(), *ACTIONS.parties.values()) if one.ends)
    return Walks(
        columns=view.grid.columns,
        places=hexes,
        shore=signs("s" if world.ground(label).sea else "l" for label in hexes),
        grounds=tuple(tables.grounds),
        deeds=tuple(tables.deeds),
        acts=acts,
        gains={ACTIONS.armies["forced_march"].name: 1},
        ends=ends,
        first=(ACTIONS.armies["annex_territory"].name,),
        gates=view.opening.portals if view.opening is not None else (),
        where=_where(world),
        walkers=walkers,
        closed={seat: signs("." if world.open_to(seat, label) else "x" for label in hexes) for seat in view.plan.seats},
    )


_DEEDS = {
    named: kind
    for form, kind in MOVES.kinds.items()
    if kind in ACTIONS.armies and " as lead" not in form
    for named in ([form.format(rank=rank) for rank in RANKS] if "{rank}" in form else [form])
}
"""Form of an Action of armies -> its id."""


@dataclass(slots=True)
class _Tables:
    """Tables of ground and Actions that several walkers share, each written once."""

    grounds: list[Footing] = field(default_factory=list)
    deeds: list[tuple[str, ...]] = field(default_factory=list)

    def walker(
        self,
        thing: Army | Party,
        has: int,
        ground: Footing,
        deeds: Iterable[str],
        *,
        once: int,
        skips: bool,
        wide: bool,
    ) -> Walker:
        """A walker that uses these tables."""
        assert thing.at is not None
        numbers = _number(self.grounds, ground), _number(self.deeds, tuple(deeds))
        return Walker(
            name=thing.id,
            at=thing.at,
            has=has,
            ground=numbers[0],
            deeds=numbers[1],
            once=once,
            skips=skips,
            wide=wide,
        )


def _number(table: list[T], one: T) -> int:
    if one not in table:
        table.append(one)
    return table.index(one)


def _army(world: World, army: Army, tables: _Tables) -> Walker:
    """An army with its faction's movement rules (GC-I-5, GC-I-21, GC-I-39)."""
    entries = {label: world.entry(army, label) for label in world.grid.hexes}
    costs = {
        label: None if entry is None else entry - world.discounted(army, label) for label, entry in entries.items()
    }
    ground = _ground(
        world,
        costs,
        {label: trodden(world, army, label) for label in costs},
        world.rules(army).crossing or LANDS.crossing,
    )
    special = world.rules(army).actions
    deeds = (
        form
        for form, kind in _DEEDS.items()
        if (not ACTIONS.armies[kind].special or kind in special) and (kind != "annex_territory" or army.aim is not None)
    )
    return tables.walker(
        army,
        allowance_of(world, army),
        ground,
        deeds,
        once=2 if army.general else 1,
        skips=world.rules(army).skips,
        wide=False,
    )


def _party(world: World, party: Party, tables: _Tables) -> Walker:
    """A party: its faction gives no discount, and no border stops it (GC-Q-3)."""
    lands = {label: world.ground(label) for label in world.grid.hexes}
    ground = _ground(world, {label: land.cost for label, land in lands.items()}, lands, LANDS.crossing)
    gifts = FACTIONS[world.realms[party.owner].faction].realm.gifts
    deeds = (
        form
        for form, kind in PARTY_ACTS.kinds.items()
        if kind in ACTIONS.parties and (not ACTIONS.parties[kind].special or gifts)
    )
    return tables.walker(party, party_allowance(world, party), ground, deeds, once=1, skips=False, wide=True)


def _ground(world: World, costs: Mapping[Hex, int | None], lands: Mapping[Hex, Terrain], crossing: int) -> Footing:
    """Costs by hex, as `marching.price_of` counts them."""

    def sign(label: Hex) -> str:
        cost, land, road = costs[label], lands[label], world.roaded(label)
        if cost is None:
            return BARRED
        if land.every:
            return FARMS[road]
        return str(max(1, cost - road) + (world.storm and land.sea))

    farm = next(land for land in TERRAIN.values() if land.every)
    counted = {FARMS[False]: farm.every, FARMS[True]: farm.roaded}
    return Footing(costs=signs(map(sign, world.grid.hexes)), counted=counted, crossing=crossing + world.storm)


def _where(world: World) -> dict[str, str]:
    """Action -> a sign for every hex: `.` where land and buildings allow it, `x` where they do not."""
    hexes, works = (
        world.grid.hexes,
        {label: CONSTRUCTIONS[kind] for label, kind in (world.works | world.cities).items()},
    )

    def free(label: Hex) -> bool:
        return world.ground(label).build and label not in works

    able: dict[str, Callable[[Hex], bool]] = {
        "Claim Territory": lambda label: label not in world.holder and not world.ground(label).sea,
        "Fell Forest": lambda label: world.ground(label).fells is not None,
        "Cultivate": lambda label: world.ground(label).cultivates is not None,
        "Clear": lambda label: world.ground(label).clears is not None,
        "Nurture Forest": lambda label: bool(world.ground(label).nurtures),
        "Construct Mine": lambda label: free(label) and world.ground(label).mine,
        "Build Road": lambda label: world.ground(label).build and not world.roaded(label),
        "Explore Ruins": lambda label: any(near in world.ruins for near in world.grid.within(label, 1)),
        "Explore Ruin": lambda label: label in world.ruins,
        "Loot Town": lambda label: label in works and works[label] is CONSTRUCTIONS["town"],
        "Sabotage Mine": lambda label: label in works and works[label].mine,
        "Convert Gold": lambda label: label in works and works[label].city,
        "Ancient Teleporter": lambda label: label in works and works[label].teleports,
    }
    for what in ("Construct Town", "Construct Fortress", "Construct City"):
        able[what] = lambda label: free(label) and world.crowded(label) is None
    for rank in RANKS:
        able[f"Improve {rank}"] = functools.partial(_becomes, world, rank.casefold())
    return {what: signs("." if test(label) else "x" for label in hexes) for what, test in able.items()}


def _becomes(world: World, kind: str, label: Hex) -> bool:
    """Whether the settlement on a hex can be improved to that kind."""
    return world.works.get(label, "") in (CONSTRUCTIONS[kind].from_ or {})


DESK: Desk[Position] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    pasted=None,
    cautions=None,
    unasked=unasked,
    plans=plans,
    stands=stands,
    prices=prices,
    meanings=None,
    walks=walks,
    beside=None,
)
