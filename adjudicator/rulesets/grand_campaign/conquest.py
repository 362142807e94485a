"""Conquests of victors: Conquest Points, purchases, and the advance (GC-V-10, GC-V-14 to GC-V-36)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.mechanics.hexes import Hex, distance
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Settled
from adjudicator.rulesets.grand_campaign.march import Trouble
from adjudicator.rulesets.grand_campaign.orders import Item, reader_of
from adjudicator.rulesets.grand_campaign.position import Army, ArmyKey
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.rosters import GENERAL, character
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS, BUILDINGS, SCENARIOS, Construction
from adjudicator.rulesets.grand_campaign.world import World

ANNEX, CONCEDED, MAJOR, JOINT = 7, 2, 2, 3
"""Conquest Points for an annexation and a concession, and extra ones for a major win and for two attackers (GC-O-45, GC-A-7, GC-V-14)."""
MOST_LD = 10


@dataclass(slots=True)
class Winner:
    """A victorious army with its points."""

    army: ArmyKey
    points: int
    why: Literal["battle", "conceded", "annex"]
    target: Hex
    """The hex of the battle or the annexation."""
    attacked: bool
    """True if it prepared to attack the target, or annexed it."""
    posts: tuple[Hex, ...]
    """Hexes of the two armies, its own first."""
    clash: bool = False
    wins: frozenset[str] = frozenset()
    """`siege` and `raid`, for a victory that counts as one (GC-R-2)."""
    items: tuple[Item, ...] | None = None
    """Its plan; None if it has none."""
    claimed: list[tuple[Hex, SeatId | None]] = field(default_factory=list)
    """Hexes that it has just bought, and their former holders."""

    @property
    def centres(self) -> tuple[Hex, ...]:
        """Centres of claims: both posts and the target; only the posts after a clash (GC-V-20; GR-10, GR-11)."""
        return self.posts if self.clash else (*self.posts, self.target)


@dataclass(slots=True)
class Conquest:
    """The Conquest Sub-Phase."""

    world: World
    posts: Mapping[ArmyKey, Hex]
    """Army -> its hex when the battles were fought."""
    plans: Mapping[ArmyKey, tuple[Item, ...]]
    winners: list[Winner] = field(default_factory=list)
    taken: dict[SeatId, set[Hex]] = field(default_factory=dict)
    """Hexes that each player conquered in this sub-phase (GC-V-23)."""

    def award(self, battles: Iterable[Settled], annexes: Mapping[ArmyKey, Hex]) -> None:
        """Award the points of every victory and annexation (GC-V-14, GC-V-15)."""
        found = [*self._victories(battles), *self._annexations(annexes)]
        self.winners = sorted(found, key=lambda one: self.world.army_order(one.army))
        for winner in self.winners:
            winner.items = self.plans.get(winner.army)
            told = facts.Awarded(army=winner.army, points=winner.points, why=winner.why, at=winner.target)
            self.world.tell(told)

    def _victories(self, battles: Iterable[Settled]) -> Iterator[Winner]:
        for settled in battles:
            key, side, battle = settled.victor, settled.winner, settled.battle
            if key is None or side is None or key not in self.world.armies:
                continue
            other = settled.loser
            attacked = side == "attacker" and battle.kind != "clash"
            posts = (self.posts[key], *((self.posts[other],) if other is not None else ()))
            if settled.how == "conceded":
                yield Winner(key, CONCEDED, "conceded", battle.at, attacked, posts, battle.kind == "clash")
                continue
            points = SCENARIOS[settled.scenario].points[side == "defender"] + MAJOR * settled.major
            points += JOINT * (side == "attacker" and len(battle.attackers) > 1)
            wins = frozenset({battle.wins}) if battle.wins is not None else frozenset[str]()
            yield Winner(key, points, "battle", battle.at, attacked, posts, battle.kind == "clash", wins)

    def _annexations(self, annexes: Mapping[ArmyKey, Hex]) -> Iterator[Winner]:
        for key, target in annexes.items():
            if key in self.world.armies:
                yield Winner(
                    key,
                    ANNEX,
                    "annex",
                    target,
                    attacked=True,
                    posts=(self.posts[key],),
                    wins=frozenset({"siege", "raid"}),
                )

    def spend(self) -> None:
        """Make everybody's purchases, in Player Order, each plan in its written order (GC-V-18)."""
        for winner in self.winners:
            if winner.items is None:
                self._by_default(winner)
                self._tell_claims(winner)
                continue
            for item in winner.items:
                if item.kind == "nothing":  # keeps the promise to buy nothing (GC-V-35)
                    continue
                found = self._buy(winner, item)
                if found is not None:
                    self._tell_claims(winner)
                    told = facts.Passed(
                        army=winner.army, line=item.line, reason=found.reason, facts=_plain(found.facts)
                    )
                    self.world.tell(told)
            self._tell_claims(winner)

    def _tell_claims(self, winner: Winner) -> None:
        """Report consecutive purchases of hexes as one fact."""
        if winner.claimed:
            self.world.tell(facts.Conquered(army=winner.army, hexes=tuple(winner.claimed)))
            winner.claimed.clear()

    def _by_default(self, winner: Winner) -> None:
        """Buy without a plan: the target, its neighbours, then the post and its neighbours (GC-V-35)."""
        reader = reader_of(self.world.plan)
        around = [winner.target, *self.world.grid.neighbours(winner.target).values()]
        around += [winner.posts[0], *self.world.grid.neighbours(winner.posts[0]).values()]
        for line in (f"seize {winner.target}", *(f"claim {label}" for label in dict.fromkeys(around))):
            self._buy(winner, reader.purchase(line))

    # Purchases ------------------------------------------------------------------------------------------------------

    def _buy(self, winner: Winner, item: Item) -> Trouble | None:
        """Buy something; return the trouble if that is not possible, or None (GC-V-21 to GC-V-28)."""
        label = item.args["hex"]
        owner = self.world.armies[winner.army].owner
        other = self.world.standing(label)
        if other is not None and self.world.relation(owner, other.owner) in {"neutral", "enemy"}:
            return _no("army-there", hex=label, army=other.key)  # GC-V-22; GR-41
        if item.kind == "claim":
            return self._claim(winner, owner, label)
        return self._storm(winner, owner, label, razes=item.kind == "destroy")

    def _pay(self, winner: Winner, price: int) -> Trouble | None:
        if winner.points < price:
            return _no("no-points", price=price, left=winner.points)
        winner.points -= price
        return None

    def _claim(self, winner: Winner, owner: SeatId, label: Hex) -> Trouble | None:
        """Conquer Territory (GC-V-21, GC-V-23)."""
        world = self.world
        if world.work(label) is not None or world.stance(owner, label) not in {None, "enemy"}:
            return _no("no-claim", hex=label)
        reached = (*winner.centres, *self.taken.get(owner, ()))
        if not any(distance(label, centre) <= 1 for centre in reached):
            return _no("out-of-reach", hex=label)
        problem = self._pay(winner, BUILDINGS.territory)
        if problem is None:
            winner.claimed.append((label, world.holder.get(label)))
            self._take(owner, [label])
        return problem

    def _storm(self, winner: Winner, owner: SeatId, label: Hex, *, razes: bool) -> Trouble | None:
        """Seize or Destroy (GC-V-24 to GC-V-33)."""
        world, work = self.world, self.world.work(label)
        if work is None or world.stance(owner, label) != "enemy":
            return _no("no-prize", hex=label)
        near = (winner.target,) if winner.why == "annex" else self._within(winner)  # GR-26
        if label not in near:
            return _no("out-of-reach", hex=label)
        needed = {"raid", "siege"} if razes and work.mine and not work.settlement else {work.battle}
        if not needed & winner.wins:
            return _no("not-stormed", what=work.name, won="Siege" if work.battle == "siege" else "Raid")
        price = work.destroying if razes else work.seizing
        if price is None:
            return _no("eternal", what=work.name)
        problem = self._pay(winner, price)
        if problem is None:
            self._tell_claims(winner)
            if razes:
                self._raze(winner, owner, label, work, price)
            else:
                self._seize(winner, owner, label, work, price)
        return problem

    def _within(self, winner: Winner) -> set[Hex]:
        """The hexes within 1 of a winner's post, or of the target if it attacked (GC-V-31)."""
        centres = (winner.posts[0], *((winner.target,) if winner.attacked else ()))
        return {label for centre in centres for label in self.world.grid.within(centre, 1)}

    def _raze(self, winner: Winner, owner: SeatId, label: Hex, work: Construction, price: int) -> None:
        """Destroy: take the hex, and gold for the ruins (GC-V-25, GC-V-28)."""
        world, of = self.world, self.world.holder.get(label)
        kind = world.works.pop(label)
        world.sabotaged.discard(label)
        lost = world.earn(owner, work.razing)
        hexes = self._take(owner, [label])
        world.tell(
            facts.Bought(
                army=winner.army,
                what="destroy",
                at=label,
                points=price,
                work=kind,
                of=of,
                hexes=hexes,
                gold=work.razing - lost,
            )
        )

    def _seize(self, winner: Winner, owner: SeatId, label: Hex, work: Construction, price: int) -> None:
        """Seize: a test of Leadership decides whether the construction survives (GC-V-24, GC-V-27, GC-V-30, GC-V-33)."""
        world, of = self.world, self.world.holder.get(label)
        kind = world.works.get(label) or world.cities[label]
        needed = self.leadership(world.armies[winner.army], work)
        tests = [self._two_dice(winner, label, "test")]
        if tests[0] > needed and work.city and world.rules(world.armies[winner.army]).discipline:
            tests.append(self._two_dice(winner, label, "again"))  # GC-I-28, GC-I-29
        failed = tests[-1] > needed
        hexes: tuple[Hex, ...] = ()
        if not failed:
            if label in world.cities:
                world.works[label] = world.cities.pop(label)
            hexes = self._take(owner, [label, *(self._brought(owner, label, of) if work.settlement else ())])
        elif not work.ancient:  # a failed test for an ancient city changes nothing (GC-H-17)
            del world.works[label]
            world.sabotaged.discard(label)
            hexes = self._take(owner, [label])
        world.tell(
            facts.Bought(
                army=winner.army,
                what="seize",
                at=label,
                points=price,
                work=kind,
                of=of,
                hexes=hexes,
                tests=tuple(tests),
                needed=needed,
                failed=failed,
            )
        )

    def _two_dice(self, winner: Winner, label: Hex, what: str) -> int:
        name = f"seize:{winner.army}:{label}:{what}"
        return self.world.dice.roll(f"{name}:1", 6) + self.world.dice.roll(f"{name}:2", 6)

    def leadership(self, army: Army, work: Construction) -> int:
        """The highest roll that passes an army's test for a construction (GC-V-30, GC-I-10, GC-I-11)."""
        general = next(one for one in map(character, army.characters) if one.role == GENERAL)
        more = ARTEFACTS[general.bears].leadership if general.bears is not None else 0
        ld = max(army.ld, min(MOST_LD, army.ld + more))
        return ld - (self.world.rules(army).savage if work.city else 0)

    def _brought(self, owner: SeatId, centre: Hex, loser: SeatId | None) -> list[Hex]:
        """Hexes that come with a seized settlement: the loser's or unclaimed, without constructions or hostile armies (GC-E-5, GC-E-6)."""
        world = self.world
        found = []
        for label in world.grid.within(centre, 1):
            army = world.standing(label)
            free = army is None or world.relation(owner, army.owner) in {"own", "allied"}
            if label != centre and free and world.work(label) is None and world.holder.get(label) in {None, loser}:
                found.append(label)
        return found

    def _take(self, owner: SeatId, hexes: Iterable[Hex]) -> tuple[Hex, ...]:
        new = self.world.take(owner, hexes)
        self.taken.setdefault(owner, set()).update(new)
        return new

    # The advance ----------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Move victors into the hexes that they attacked, if these are theirs or unclaimed, and free (GC-V-10, GC-A-9)."""
        world = self.world
        for winner in self.winners:
            if not winner.attacked or winner.army not in world.armies:
                continue
            army, there = world.armies[winner.army], winner.target
            mine = world.stance(army.owner, there) in {None, "own"}
            if mine and world.standing(there) is None and world.entry(army, there) is not None:
                assert army.at is not None
                world.change(army.key, at=there)
                world.tell(facts.Advanced(army=army.key, start=army.at, at=there))


def _no(reason: Reason, /, **named: Fact) -> Trouble:
    return Trouble(reason, named)


def _plain(named: Mapping[str, Fact]) -> dict[str, str | int]:
    return {key: fact if isinstance(fact, int) else str(fact) for key, fact in named.items()}


def kept_plans(world: World) -> dict[ArmyKey, tuple[str, ...]]:
    """Plans of conquest from the sheets, kept until the battles are over (GC-V-18)."""
    plans = {}
    for seat, order in world.orders_of("conquest"):
        key = f"{seat} {order.args['army']}"
        if key in world.armies:
            plans[key] = tuple(item.line for item in order.items)
            world.succeeds(seat, order.line, "kept")
        else:
            world.judge(seat, order.line, "illegal", "no-army")
    return plans
