"""How stand-ins play: they claim and settle land, raise armies, wage war on a neighbour for a while, search ruins, loot and report `auto`.

Two stand-ins that ask `chance` for the same name get the same answer, and so agree: this is how wars end and alliances are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.mechanics.hexes import Direction, Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign.campaign import APART
from adjudicator.rulesets.grand_campaign.march import March
from adjudicator.rulesets.grand_campaign.marching import allowance_of, count_farms, step_cost
from adjudicator.rulesets.grand_campaign.orders import AnySheet, BattlesSheet, PlacementSheet, SeasonSheet
from adjudicator.rulesets.grand_campaign.position import Army, Party, Phase, Position, Yield, pair
from adjudicator.rulesets.grand_campaign.tables import BUILDINGS, CONSTRUCTIONS, FACTIONS, TERRAIN
from adjudicator.rulesets.grand_campaign.world import World

WAR, PEACE, ALLIANCE, BREAK = 30, 25, 12, 20
"""Percentage of eligible pairs that declare war in a season, make peace, make an alliance, or dissolve one."""
WANDER = 15
"""Percentage of armies that take an Action of their faction, if they can."""


def write(view: Position, seat: SeatId, chance: Chance) -> AnySheet:
    """Write a stand-in's sheet."""
    match view.phase:
        case Phase.PLACEMENT:
            return PlacementSheet()
        case Phase.BATTLES:
            return BattlesSheet(results=tuple(_reports(view, seat)))
        case Phase.SEASON:
            return _Mind(view, seat, chance).sheet()


def _reports(view: Position, seat: SeatId) -> Iterator[str]:
    for battle in view.battles:
        if seat in {key.rpartition(" ")[0] for key in (battle.attackers[0], battle.defender or "")}:
            yield f"{battle.id}: auto"


@dataclass(slots=True)
class _Way:
    """A path for an army: its steps, the Movement it takes, and its end."""

    steps: tuple[Direction, ...]
    spent: int
    at: Hex


@dataclass
class _Mind:
    view: Position
    seat: SeatId
    chance: Chance
    armies: list[str] = field(default_factory=list)
    conquest: list[str] = field(default_factory=list)
    spending: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world = World(self.view, {}, NamedDice(b"mind"))
        self.gold = self.view.realms[self.seat].gold + sum(
            50 * sum(dice.city) for label, dice in self._income() if self.world.holder.get(label) == self.seat
        )
        self.taken: set[Hex] = {army.at for army in self.view.armies if army.at is not None}
        self.meant: set[Hex] = set()
        """Hexes that other armies of the player already have plans for."""

    def _income(self) -> Iterable[tuple[Hex, Yield]]:
        opening = self.view.opening
        return opening.dice.items() if opening is not None else ()

    def sheet(self) -> SeasonSheet:
        """Write the whole sheet."""
        diplomacy = tuple(self._diplomacy())
        self._spend()
        for army in self.world.armies_of(self.seat):
            line = self._order(army)
            if line:
                self.armies.append(f"{army.id}: {', '.join(line)}")
        return SeasonSheet(
            diplomacy=diplomacy,
            spending=tuple(self.spending),
            armies=tuple(self.armies),
            parties=tuple(self._parties()),
            conquest=tuple(self.conquest),
        )

    # Others -----------------------------------------------------------------------------------------------------------

    def _diplomacy(self) -> Iterator[str]:
        world, others = self.world, [seat for seat in self.view.realms if seat != self.seat]
        fights = any(world.at_war(self.seat, other) for other in others)
        for other in others:
            if self.view.realms[other].out:
                continue
            both = "+".join(pair(self.seat, other))
            match world.relation(self.seat, other):
                case "enemy" if self.chance(f"peace:{both}", 100) < PEACE:
                    world.war.discard(pair(self.seat, other))
                    yield f"peace with {other}"
                case "allied" if self.chance(f"break:{both}", 100) < BREAK:
                    yield f"dissolve alliance with {other}"
                case "neutral" if self.chance(f"alliance:{both}", 100) < ALLIANCE:
                    yield f"alliance with {other}"
                case "neutral" if not fights and self.chance(f"war:{self.seat}:{other}", 100) < WAR:
                    fights = True
                    world.war.add(pair(self.seat, other))
                    yield f"war with {other}"
                case _:
                    pass

    # Gold -------------------------------------------------------------------------------------------------------------

    def _spend(self) -> None:
        world, opening = self.world, self.view.opening
        mine = [label for label, _ in world.works_of(self.seat)]
        if opening is not None and opening.golden == self.seat:
            town = next((label for label in mine if world.works[label] in {"town", "fortress"}), None)
            if town is not None:
                self.spending.append(f"golden age at {town}")
        regular = [army for army in world.armies_of(self.seat) if not army.general]
        if self.gold >= BUILDINGS.army and len(regular) < world.most_armies(self.seat):
            self._raise(mine)
        bands = world.parties_of(self.seat)
        if self.gold >= 2 * BUILDINGS.party and len(bands) < 2:
            spots = [
                near
                for label in mine
                if CONSTRUCTIONS[world.works[label]].settlement
                for near in world.grid.neighbours(label).values()
            ]
            spot = next(
                (near for near in spots if world.ground(near).cost is not None and not world.ground(near).sea), None
            )
            free = next(f"P{number}" for number in range(1, 9) if f"{self.seat} P{number}" not in world.parties)
            kinds = FACTIONS[self.view.realms[self.seat].faction].parties
            if spot is not None:
                kind = kinds[self.chance(f"party:{self.seat}", len(kinds))]
                self.spending.append(f"party {free} of 3 {kind} at {spot}")
                self.gold -= BUILDINGS.party
        for band in bands:
            work = world.work(band.at)
            if (
                band.gold >= 100
                and band.members < 6
                and work is not None
                and work.settlement
                and world.open_to(self.seat, band.at)
            ):
                self.spending.append(f"hire 1 for {band.id}")

    def _raise(self, mine: list[Hex]) -> None:
        world = self.world
        rosters = self.view.plan.players[self.seat].rosters
        id_ = next(f"A{number}" for number in range(1, 99) if f"{self.seat} A{number}" not in world.armies)
        for label in mine:
            if world.works[label] == "town" or not CONSTRUCTIONS[world.works[label]].settlement:
                continue
            for near in world.grid.neighbours(label).values():
                if (
                    world.open_to(self.seat, near)
                    and world.standing(near) is None
                    and TERRAIN[world.terrain[near]].cost is not None
                    and not world.ground(near).sea
                ):
                    self.spending.append(f"army {id_} from {rosters['A1']} at {near}")
                    self.gold -= BUILDINGS.army
                    self.taken.add(near)
                    return

    # Armies -----------------------------------------------------------------------------------------------------------

    def _ways(self, army: Army) -> dict[Hex, _Way]:
        """Every hex that an army can reach this season, with the cheapest path to it."""
        assert army.at is not None
        most = allowance_of(self.world, army)
        found = {army.at: _Way((), 0, army.at)}
        waiting = [army.at]
        while waiting:
            here = min(waiting, key=lambda label: (found[label].spent, hex_order(label)))
            waiting.remove(here)
            way = found[here]
            march = March(army.key, None, [], most, spent=way.spent)
            self.world.change(army.key, at=here)
            for direction, there in self.world.grid.neighbours(here).items():
                cost = step_cost(self.world, self.world.armies[army.key], there, march)
                if cost is None or there in self.taken or not self.world.open_to(self.seat, there):
                    continue
                count_farms(self.world, self.world.armies[army.key], there, march)
                spent = way.spent + max(cost, 1)
                if spent <= most and (there not in found or spent < found[there].spent):
                    found[there] = _Way((*way.steps, direction), spent, there)
                    waiting.append(there)
            self.world.change(army.key, at=army.at)
        return found

    def _order(self, army: Army) -> list[str]:
        """An army's list: annex, or the first that it can do of attack, settle, improve, search, claim and work."""
        world = self.world
        if army.at is None:
            return self._emerge(army)
        if army.rests:
            return []
        if army.aim is not None and world.stance(self.seat, army.aim) == "enemy":
            self._plan(army, army.aim)
            return ["Annex Territory"]
        if self.chance(f"own:{army.key}", 100) < WANDER:
            special = self._special(army)
            if special:
                return special
        ways, most = self._ways(army), allowance_of(world, army)
        here = army.at
        makers: tuple[Callable[[dict[Hex, _Way], int, Army], list[str]], ...] = (
            self._attack, self._settle, self._improve, self._search, self._claim, self._work,
        )  # fmt: skip
        for make in makers:
            line = make(ways, most, army)
            if line:
                self.taken.discard(here)
                return line
        return []

    def _go(self, way: _Way, *items: str) -> list[str]:
        self.taken.add(way.at)
        self.meant.add(way.at)
        return [*way.steps, *items]

    def _attack(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Attack the most valuable Enemy land that the army can reach, from a hex beside it."""
        world = self.world
        best: tuple[int, _Way, Direction, Hex] | None = None
        for way in ways.values():
            if way.spent + 1 > most:
                continue
            for direction, there in world.grid.neighbours(way.at).items():
                if world.stance(self.seat, there) != "enemy" or there in self.meant:
                    continue
                if there in world.cities and self.chance(f"hold:{army.key}", 100) >= 25:
                    continue
                work = world.work(there)
                worth = (30 if work is not None and work.city else 20 if work is not None else 5) - way.spent
                if best is None or worth > best[0]:
                    best = (worth, way, direction, there)
        if best is None:
            return []
        _, way, direction, there = best
        self._plan(army, there)
        self.meant.add(there)
        return self._go(way, f"Prepare to Attack {direction}")

    def _plan(self, army: Army, target: Hex) -> None:
        """Plan an army's conquests if it wins: the target, then its neighbours."""
        work = self.world.work(target)
        word = (
            "claim"
            if work is None
            else "destroy"
            if not work.ancient and self.chance(f"raze:{army.key}", 100) < 15
            else "seize"
        )
        around = [
            near
            for near in self.world.grid.neighbours(target).values()
            if self.world.work(near) is None and self.world.stance(self.seat, near) in {None, "enemy"}
        ]
        lines = [f"{word} {target}", *(f"claim {near}" for near in around)]
        self.conquest.append(f"{army.id}: {', '.join(lines)}")

    def _settle(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Build a Town where one is allowed, or a Mine on mountains."""
        world = self.world
        towns = [*world.settled(), *self.meant]
        price = CONSTRUCTIONS["town"].price or 0
        sites = [
            way
            for way in ways.values()
            if way.spent < most
            and world.ground(way.at).build
            and world.work(way.at) is None
            and world.stance(self.seat, way.at) in {None, "own"}
        ]
        if self.gold >= price:
            apart = [way for way in sites if all(distance(way.at, town) >= APART for town in towns)]
            if apart:
                way = min(apart, key=lambda one: (one.spent, hex_order(one.at)))
                self.gold -= price
                kind = "City" if self.gold >= 2000 else "Town"
                self.gold -= 2000 if kind == "City" else 0
                return self._go(way, f"Construct {kind}")
        if self.gold >= (CONSTRUCTIONS["mine"].price or 0):
            mines = [way for way in sites if world.ground(way.at).mine and way.at not in self.meant]
            if mines:
                self.gold -= CONSTRUCTIONS["mine"].price or 0
                return self._go(min(mines, key=lambda one: (one.spent, hex_order(one.at))), "Construct Mine")
        return []

    def _improve(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Improve a Town to a Fortress, or a Fortress to a City."""
        for label, kind in self.world.works_of(self.seat):
            better = {"town": "Fortress", "fortress": "City"}.get(kind)
            way = ways.get(label)
            if better is None or way is None or way.spent >= most or label in self.meant or self.gold < 1000:
                continue
            self.gold -= 1000
            return self._go(way, f"Improve {better}")
        return []

    def _search(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Search a ruin that the player's armies may search."""
        ruins = [
            label
            for label in self.world.ruins
            if label != self.view.realms[self.seat].barred and label not in self.meant
        ]
        near = [ways[label] for label in ruins if label in ways and ways[label].spent < most]
        if not near or self.chance(f"search:{army.key}", 100) >= 50:
            return []
        return self._go(min(near, key=lambda one: (one.spent, hex_order(one.at))), "Explore Ruins")

    def _claim(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Claim where a claim brings the most hexes."""
        world = self.world

        def brings(way: _Way) -> int:
            if world.ground(way.at).sea or world.stance(self.seat, way.at) is not None or way.at in world.cities:
                return 0
            return sum(world.stance(self.seat, near) is None for near in world.grid.within(way.at, 1))

        sites = [
            way for way in ways.values() if way.spent < most and all(distance(way.at, spot) > 2 for spot in self.meant)
        ]
        best = max(sites, key=lambda way: (brings(way), -way.spent), default=None)
        return self._go(best, "Claim Territory") if best is not None and brings(best) >= 2 else []

    def _work(self, ways: dict[Hex, _Way], most: int, army: Army) -> list[str]:
        """Do something useful at home: a road, a field, wood."""
        world = self.world
        for way in sorted(ways.values(), key=lambda one: (one.spent, hex_order(one.at))):
            ground = world.ground(way.at)
            if way.spent >= most or world.stance(self.seat, way.at) != "own" or way.at in self.meant:
                continue
            if self.gold >= BUILDINGS.road + 1000 and ground.build and not world.roaded(way.at):
                self.gold -= BUILDINGS.road
                return self._go(way, "Build Road")
            if ground.clears is not None:
                return self._go(way, "Clear")
            if ground.fells is not None:
                return self._go(way, "Fell Forest")
            if ground.cultivates is not None and world.work(way.at) is None:
                return self._go(way, "Cultivate")
        return []

    # Actions of factions ----------------------------------------------------------------------------------------------

    def _special(self, army: Army) -> list[str]:
        """Take an Action that only some factions have, if the army's faction has one that is useful now."""
        world = self.world
        assert army.at is not None
        here, grid = army.at, world.grid
        for what in world.rules(army).actions:
            match what:
                case "generate_earthquake" if any(
                    label in world.works and world.stance(self.seat, label) == "enemy" for label in grid.within(here, 4)
                ):
                    return ["Generate Earthquake"]
                case "nurture_forest" if world.ground(here).nurtures:
                    return ["Nurture Forest"]
                case "into_the_sands" if world.terrain[here] in world.rules(army).sands:
                    return ["Into the Sands"]
                case "teleport":
                    homes = [label for label, kind in world.works_of(self.seat) if CONSTRUCTIONS[kind].city]
                    spots = [
                        spot
                        for home in homes
                        for spot in grid.within(home, 1)
                        if spot not in self.taken
                        and world.entry(army, spot) is not None
                        and world.open_to(self.seat, spot)
                    ]
                    if spots:
                        self.taken.add(spots[0])
                        return [f"Teleport {spots[0]}"]
                case "move_settlement":
                    line = self._move_house(army)
                    if line:
                        return line
                case "coastal_raid":
                    for way, near in grid.neighbours(here).items():
                        if world.coastal(near) and world.stance(self.seat, near) in {"neutral", "enemy"}:
                            return [f"Coastal Raid {way}"]
                case "underground_invasion" if army.general:
                    for label in grid.within(here, 4):
                        if label in world.works and world.stance(self.seat, label) == "enemy":
                            self._plan(army, label)
                            return [f"Underground Invasion {label}"]
                case _:
                    pass
        return []

    def _move_house(self, army: Army) -> list[str]:
        """Move a Town to the army's hex, if that is allowed and there is gold to spare."""
        world = self.world
        assert army.at is not None
        towns = [label for label, kind in world.works_of(self.seat) if kind == "town" and label != army.at]
        free = (
            world.ground(army.at).build
            and world.work(army.at) is None
            and world.stance(self.seat, army.at) in {None, "own"}
        )
        for town in towns if free and self.gold >= 2 * CONSTRUCTIONS["town"].moving else ():
            if world.crowded(army.at, without=town) is None:
                self.gold -= CONSTRUCTIONS["town"].moving
                return [f"Move Town {town}"]
        return []

    def _emerge(self, army: Army) -> list[str]:
        world = self.world
        spots = [
            label
            for label in world.grid.hexes
            if world.terrain[label] in world.rules(army).sands
            and world.stance(self.seat, label) in {"own", "allied"}
            and label not in self.taken
        ]
        if not spots:
            return []
        spot = spots[self.chance(f"emerge:{army.key}", len(spots))]
        self.taken.add(spot)
        return [f"Emerge {spot}"]

    # Parties ----------------------------------------------------------------------------------------------------------

    def _parties(self) -> Iterator[str]:
        for party in self.world.parties_of(self.seat):
            line = self._errand(party)
            if line:
                yield f"{party.id}: {', '.join(line)}"

    def _errand(self, party: Party) -> list[str]:
        """Bring gold home; otherwise loot, sabotage, search a ruin, slow an army or patrol."""
        world = self.world
        work = world.work(party.at)
        if party.gold + 50 * (party.weirdstone or 0) >= 60:
            if work is not None and work.city and world.open_to(self.seat, party.at):
                gifts = FACTIONS[self.view.realms[self.seat].faction].realm.gifts
                general = next((army for army in world.armies_of(self.seat) if army.general), None)
                if gifts and party.weirdstone and general is not None:
                    return [f"Gift Weirdstone 1 to G {general.name}"]
                return ["Convert Gold and Weirdstone"]
            homes = [label for label, kind in world.works_of(self.seat) if CONSTRUCTIONS[kind].city]
            return self._walk(party, homes)
        targets = {
            label: "Loot Town" if kind == "town" else "Sabotage Mine"
            for label, kind in world.works.items()
            if kind in {"town", "mine"} and world.stance(self.seat, label) == "enemy"
        }
        targets |= {label: "Explore Ruin" for label in world.ruins if label != party.ruin}
        if party.at in targets:
            return [targets[party.at]]
        victim = next(
            (
                army
                for army in sorted(world.armies.values(), key=lambda one: one.key)
                if army.at is not None
                and distance(army.at, party.at) <= 2
                and world.relation(self.seat, army.owner) == "enemy"
            ),
            None,
        )
        if victim is not None:
            return [f"Guerrilla Tactics {victim.id} of {victim.owner}"]
        walk = self._walk(party, targets)
        if walk and self.chance(f"watch:{party.key}", 100) >= 20:
            return walk
        return ["Patrol all"]

    def _walk(self, party: Party, goals: Iterable[Hex]) -> list[str]:
        """Walk towards the nearest of some hexes."""
        world = self.world
        near = sorted(goals, key=lambda label: (distance(label, party.at), hex_order(label)))[:3]
        for goal in near:
            path = world.grid.path(party.at, goal, lambda label: world.ground(label).cost is not None)
            if path:
                ways, here = [], party.at
                for there in path[:5]:
                    way = world.grid.way(here, there)
                    assert way is not None
                    ways.append(str(way))
                    here = there
                return ways
        return []
