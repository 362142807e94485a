"""Noblesse's treaties, judged a second time: written only from RULES.md, sections T, M, N, Z and H, and the catalogue.

The judge watches a game. It takes the acts of units, Courtiers and players in a turn from the ruleset's events and
positions. It works
out for itself, from the whole history of a treaty, what they mean for a promise, when treaties begin and end, and what is
owed.
Where the rules leave the meaning of a promise open, it says so (ANY) and takes any answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from adjudicator.core.contract.resolution import Resolution
from adjudicator.rulesets.noblesse.orders import Order, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import Position
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import Penalty, Promise, Treaty

Outcome: TypeAlias = Resolution[Position, Any]
KEPT, BROKEN, OPEN, UNKNOWN, ANY = "kept", "broken", "open", "unknown", "any"
YES, PERHAPS, NO, UNCLEAR = "yes", "perhaps", "no", "unclear"
"""Answers to "was it done?": PERHAPS is for people to rule, UNCLEAR if the rules do not say which of these it is."""
IN_VAIN = frozenset({"not-there", "officer-led", "dead-already"})
"""Reasons of actions without effect: a knife (NB-X-28), Incapacitate (NB-X-26), an assassin on the dead."""
POSTS = {"spies": "spy", "tax collectors": "tax", "stewards": "steward"}


# Events ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle: its place, the units on each side, and the pairs of sides that fought."""

    at: str
    sides: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass
class Cycle:
    """The deeds of one Night and Day that promises may be about."""

    number: int
    faction: Mapping[str, str] = field(default_factory=dict)
    """Player -> faction."""
    owner: dict[str, str] = field(default_factory=dict)
    """Unit -> player, for all units that were on the board at some time in the Night."""
    formation: dict[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    """Unit -> its estate when the Night began."""
    after: Mapping[str, str] = field(default_factory=dict)
    ways: dict[str, tuple[str, ...]] = field(default_factory=dict)
    raised: dict[str, str] = field(default_factory=dict)
    disbanded: dict[str, str] = field(default_factory=dict)
    unpaid: dict[str, str] = field(default_factory=dict)
    battles: list[Fought] = field(default_factory=list)
    held_before: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    """Estate -> faction, at the end of the Night."""
    gained: dict[str, str] = field(default_factory=dict)
    """Estate -> faction that gained it this Night."""
    posts_before: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    posts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Faction, post, estate -> number of Courtiers, at the end of the Night."""
    orders: list[tuple[str, Order, str]] = field(default_factory=list)
    """Player, order, reason, for orders that were carried out."""
    votes: Mapping[str, str] | None = None
    """Player -> their vote on the Day; None before it is over."""
    forced: Collection[str] = ()
    """Factions whose votes a penalty touched."""
    died: list[str] = field(default_factory=list)
    agreed: list[tuple[str, str, str]] = field(default_factory=list)
    """Offer, by, to: accepted offers, worked out in step 1."""
    homes: Mapping[str, str] = field(default_factory=dict)
    buildings: Mapping[str, Collection[str]] = field(default_factory=dict)
    pcs: Mapping[str, str] = field(default_factory=dict)
    """Player -> the unit that their PC commands."""
    alive: Collection[str] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    """Faction -> its leader."""
    by: Mapping[str, str] = field(default_factory=dict)
    """Estate -> player or faction before the Night, the closest known to its middle."""

    def person(self, seat: str) -> str | None:
        """Place of a player's PC in step 4: with their unit, or at home (NB-P-1)."""
        unit = self.pcs.get(seat)
        if unit is None:
            return self.homes.get(seat) if seat in self.alive else None
        return self.ways[unit][-1] if unit in self.ways else self.before.get(unit)

    def units(self, faction: str, formations: Collection[str] = ()) -> Iterator[str]:
        for unit, owner in self.owner.items():
            if self.faction[owner] == faction and (not formations or self.formation[unit] in formations):
                yield unit

    def done(self, faction: str, *kinds: str) -> Iterator[tuple[str, Order, str]]:
        for seat, order, reason in self.orders:
            if self.faction[seat] == faction and (not kinds or order.kind in kinds):
                yield seat, order, reason


def night(before: Position, done: Outcome) -> Cycle:
    """The deeds of a Night."""
    after = done.position
    cycle = Cycle(before.cycle, {seat: player.faction for seat, player in before.players.items()})
    for units in (before.units, after.units):
        for name, unit in units.items():
            if unit.owner:
                cycle.owner.setdefault(name, unit.owner)
                cycle.formation.setdefault(name, unit.formation)
    cycle.before = {name: unit.at for name, unit in before.units.items() if unit.owner}
    cycle.after = {name: unit.at for name, unit in after.units.items() if unit.owner}
    cycle.by = {estate: holding.by for estate, holding in before.estates.items() if holding.by}
    cycle.held_before = {estate: faction_of(before, by) for estate, by in cycle.by.items()}
    cycle.held = {estate: faction_of(after, holding.by) for estate, holding in after.estates.items() if holding.by}
    cycle.homes = {seat: player.home for seat, player in before.players.items() if player.home}
    cycle.pcs = {seat: player.unit for seat, player in before.players.items() if player.unit}
    cycle.alive = [seat for seat, player in before.players.items() if player.alive]
    cycle.buildings = {estate: tuple(holding.buildings) for estate, holding in before.estates.items()}
    cycle.leads = {name: faction.leader for name, faction in before.factions.items() if faction.leader}
    for position, posts in ((before, cycle.posts_before), (after, cycle.posts)):
        for player in position.players.values():
            for courtier in player.courtiers:
                if courtier.at:
                    posts[player.faction, courtier.post, courtier.at] += 1
    for event in done.events:
        match event.event:
            case "moved":
                way = cycle.ways.get(event.unit, ())
                cycle.ways[event.unit] = (*way, *event.path[bool(way) :])
                cycle.owner.setdefault(event.unit, event.owner)
            case "raised":
                cycle.raised[event.unit] = event.at
                cycle.owner[event.unit] = event.owner
                cycle.formation[event.unit] = event.formation
            case "gone" if event.why in ("disbanded", "unpaid"):
                (cycle.disbanded if event.why == "disbanded" else cycle.unpaid)[event.unit] = event.at
            case "battle":
                names = [side.name for side in event.sides]
                pairs = tuple((names.index(fight.sides[0]), names.index(fight.sides[1])) for fight in event.fights)
                cycle.battles.append(Fought(event.at, tuple(side.units for side in event.sides), pairs))
            case "control" if event.by:
                cycle.gained[event.at] = faction_of(before, event.by)
            case "died":
                cycle.died.append(event.seat)
            case "agreed":
                cycle.agreed.append((event.kind, event.by, event.to))
            case _:
                pass
    reader = reader_of(before.settings.board)
    for verdict in done.verdicts:
        order = reader.read(verdict.order)
        if not isinstance(order, Unreadable) and (verdict.result == "succeeds" or verdict.reason in IN_VAIN):
            cycle.orders.append((verdict.seat, order, verdict.reason))
    return cycle


def day(cycle: Cycle, before: Position, done: Outcome) -> None:
    """Add the deeds on the Day of a cycle."""
    cycle.votes = {seat: name for event in done.events if event.event == "voted" for seat, name in event.votes}
    cycle.forced = [name for name, faction in before.factions.items() if faction.forced]
    cycle.died += [event.seat for event in done.events if event.event == "died"]


def faction_of(position: Position, holder: str) -> str:
    player = position.players.get(holder)
    return player.faction if player is not None else holder


# Promises (NB-M) -------------------------------------------------------------------------------------------------------


def places(names: Iterable[str], estates: Collection[str]) -> frozenset[str]:
    """Estates, rows and columns as estates."""
    return frozenset(at for at in estates for name in names if name in (at, at[0], at[1:]))


@dataclass(frozen=True)
class Watch:
    """One promise under watch: its giver and receiver, and the known cycles."""

    promise: Promise
    by: str
    to: str
    began: int
    cycles: Mapping[int, Cycle]
    now: int
    """Cycle of the Day when the question is put."""
    estates: Collection[str]
    day_over: bool = False

    def standing(self) -> str:
        """Standing of the promise by now: kept, broken or open."""
        parts = [*self.parts()]
        if not parts:
            return ANY
        if BROKEN in parts:
            return BROKEN
        for found in (ANY, UNKNOWN, OPEN):
            if found in parts:
                return found
        return KEPT

    def parts(self) -> Iterator[str]:
        """Each of several things is a promise (NB-M-8); with `each`, each cycle is too."""
        promise = self.promise
        things = promise.things or (None,)
        spans = [range(self.began, self.began + promise.cycles)]
        if promise.each:
            spans = [range(cycle, cycle + 1) for cycle in spans[0]]
        for thing in things:
            alone = replace(promise, things=(thing,) if thing is not None else ())
            for span in spans:
                yield self.part(alone, span)

    def part(self, promise: Promise, span: range) -> str:
        seen = [self.cycles[cycle] for cycle in span if cycle in self.cycles and cycle <= self.now]
        if promise.form == "votes":
            over = span[-1] < self.now + self.day_over
            seen = [cycle for cycle in seen if cycle.votes is not None]
        else:
            over = span[-1] <= self.now
        if promise.form in ("show units", "show players"):
            return UNKNOWN if over or not promise.will else ANY
        done = self.done(promise, seen)
        if done == UNCLEAR:
            return ANY
        if promise.will:
            if done == YES:
                return KEPT
            if not over:
                return OPEN if done == NO else ANY
            return UNKNOWN if done == PERHAPS else BROKEN
        if done == YES:
            return BROKEN
        if done == PERHAPS:
            return UNKNOWN
        return KEPT if over else OPEN

    def done(self, promise: Promise, seen: list[Cycle]) -> str:
        """Answer: did they do the thing that is promised, or promised not to be done, in these cycles?"""
        match promise.form:
            case "enter":
                return self.entered(promise, seen)
            case "pay":
                return self.paid(promise, seen)
            case "move":
                return self.handled(promise, seen)
            case "votes":
                return self.voted(promise, seen)
            case "battle":
                return self.sought(promise, seen)
            case "control":
                return self.controlled(promise, seen) if not promise.things else self.things(promise, seen)
            case "withdraw":
                return self.things(promise, seen)
            case "actions":
                return self.acted(promise, seen)
            case _:
                return UNCLEAR

    def entered(self, promise: Promise, seen: list[Cycle]) -> str:
        """NB-M-1."""
        there = places(promise.estates, self.estates)
        if promise.every:
            return UNCLEAR
        # A reading: a unit that was there all along does not break a promise not to enter, nor one not to be there
        # (NB-T-18).
        stood = NO
        for cycle in seen:
            for unit in cycle.units(self.by, promise.units):
                way = cycle.ways.get(unit, ())
                if there & {*way[1:]}:
                    return YES
                if (
                    promise.will and cycle.before.get(unit) in there
                ):  # the rules do not say if a unit that was there and left broke it
                    stays = cycle.after.get(unit) in there or stood == PERHAPS
                    stood = PERHAPS if stays else UNCLEAR
        return stood

    def paid(self, promise: Promise, seen: list[Cycle]) -> str:
        """NB-M-2; a payment as a penalty is not one of free will (NB-T-18)."""
        total = Stock()
        for cycle in seen:
            for _, order, _ in cycle.done(self.by, "pay"):
                if order.args["faction"] == self.to:
                    total += order.amounts
        if total.covers(promise.amounts):
            return YES
        return UNCLEAR if total and not promise.will else NO

    def handled(self, promise: Promise, seen: list[Cycle]) -> str:
        """Units placed or removed (NB-M-3, NB-T-18)."""
        there = places(promise.estates, self.estates) or frozenset(self.estates)
        if promise.every or promise.number != 1:
            return UNCLEAR
        placed = shifted = stands = empty = False
        removed = NO
        for cycle in seen:
            came: list[str] = []
            left: list[str] = []
            unpaid = moved = False
            for unit in cycle.units(self.by, promise.units):
                way = cycle.ways.get(unit)
                if way is not None:
                    here, goal = way[0] in there, way[-1] in there
                    moved = moved or (here and goal)
                    came += [way[-1]] * (goal and not here)
                    left += [way[0]] * (here and not goal)
                came += [at for at in (cycle.raised.get(unit, ""),) if at in there]
                if unit in cycle.disbanded:
                    moved = moved or way is not None
                    left += [cycle.disbanded[unit]] * (cycle.disbanded[unit] in there)
                unpaid = unpaid or cycle.unpaid.get(unit) in there
            standing = any(cycle.after.get(unit) in there for unit in cycle.units(self.by, promise.units))
            stands, empty = stands or standing, empty or not standing
            placed, shifted = placed or bool(came), shifted or moved
            gone = YES if left and not came else PERHAPS if left or unpaid else NO
            # The rules do not say if others must come to the very estate that one left, in the same number, and stay.
            alike = Counter(left) == Counter(came) and standing
            clear = not (moved and gone != YES) and not (left and came and not alike)
            removed = more_sure(removed, gone if clear else UNCLEAR)
        if promise.side == "place":
            if placed or (promise.will and stands):
                return YES
            return UNCLEAR if shifted else NO
        return YES if promise.will and empty else removed

    def voted(self, promise: Promise, seen: list[Cycle]) -> str:
        """NB-M-6."""
        total = 0
        for cycle in seen:
            if self.by in cycle.forced:
                return UNCLEAR
            assert cycle.votes is not None
            count = sum(
                name in promise.who and cycle.faction.get(seat) == self.by for seat, name in cycle.votes.items()
            )
            total += count
            if count >= promise.number:
                return YES
        if total >= promise.number or (not promise.will and total):
            return UNCLEAR
        return NO

    def sought(self, promise: Promise, seen: list[Cycle]) -> str:
        """NB-M-7."""
        found = NO
        for cycle in seen:
            asked = {order.args["unit"] for _, order, _ in cycle.done(self.by, "challenge")}
            for battle in cycle.battles:
                for one, other in (*battle.pairs, *((b, a) for a, b in battle.pairs)):
                    mine = [u for u in battle.sides[one] if self.is_mine(cycle, u)]
                    theirs = [u for u in battle.sides[other] if self.is_meant(promise, cycle, u)]
                    if not mine or not theirs:
                        continue
                    came = [u for u in mine if u in cycle.ways or u in cycle.raised or u in asked]
                    met = [u for u in battle.sides[other] if u in cycle.ways or u in cycle.raised]
                    wanted = {cycle.faction[cycle.owner[u]] for u in theirs if u in cycle.owner}
                    owner = cycle.held_before.get(battle.at, "")  # the faction that a request is made to (NB-H-8)
                    if (came and not met) or (asked & {*mine} and owner in wanted):
                        found = YES
                    elif asked & {*mine}:
                        found = more_sure(found, UNCLEAR)
                    elif bool(came) == bool(met) and found == NO:
                        found = PERHAPS
                    # A faction that was attacked and did not come did not seek battle (NB-M-7).
        if promise.text and promise.will:
            return UNCLEAR
        return found

    def is_mine(self, cycle: Cycle, unit: str) -> bool:
        return unit in cycle.owner and cycle.faction[cycle.owner[unit]] == self.by

    def is_meant(self, promise: Promise, cycle: Cycle, unit: str) -> bool:
        owner = cycle.owner.get(unit, "")
        if not promise.who and not promise.factions:
            return True
        return owner in promise.who or cycle.faction.get(owner, "") in promise.factions

    def controlled(self, promise: Promise, seen: list[Cycle]) -> str:
        """The estate itself (NB-M-8, NB-T-18)."""
        there = places(promise.estates, self.estates)
        came = stood = False
        for cycle in seen:
            mine = {at for at, by in cycle.held.items() if by == self.by} & there
            new = {at for at in mine if cycle.held_before.get(at) != self.by}
            if new or (promise.will and mine):
                return YES
            if {at for at, by in cycle.gained.items() if by == self.by} & there:
                return YES
            strange = {at for at in there if cycle.held_before.get(at) != self.by}
            for unit in cycle.units(self.by):
                came = came or bool({*cycle.ways.get(unit, ())[1:], cycle.raised.get(unit, "")} & strange)
                stood = stood or cycle.after.get(unit) in there
            lost = {at for at in there - strange if cycle.held.get(at) != self.by}
            if any(lost & {*cycle.ways.get(unit, ())[1:]} for unit in cycle.units(self.by)):
                return UNCLEAR  # the rules do not say if a faction that came to keep its estate, and lost it, sought it
        if not came:  # a unit that was there all along does not break the promise (NB-T-18)
            return UNCLEAR if stood and promise.will else NO
        return PERHAPS if len(there) == 1 else UNCLEAR

    def things(self, promise: Promise, seen: list[Cycle]) -> str:
        """Spies, Tax Collectors and so on, placed or taken away (NB-M-8, NB-M-9)."""
        thing = promise.things[0]
        if promise.number != 1:
            return UNCLEAR
        side = promise.side or ("remove" if promise.form == "withdraw" else None)
        if side is None:
            return UNCLEAR
        if thing == "units":
            return self.handled(replace(promise, side=side, form="move", units=(), things=()), seen)
        if thing not in POSTS:
            return UNCLEAR
        there = places(promise.estates, self.estates) or frozenset(self.estates)
        post = POSTS[thing]
        stands = empty = placed = recalled = False
        for cycle in seen:
            before = sum(cycle.posts_before[self.by, post, at] for at in there)
            after = sum(cycle.posts[self.by, post, at] for at in there)
            stands, empty = stands or after > 0, empty or after == 0
            for _, order, _ in cycle.done(self.by, "spy" if post == "spy" else post):
                goal = order.path[-1] if post == "spy" else order.args["estate"]
                placed = placed or goal in there
            recalls = [order for _, order, _ in cycle.done(self.by, f"recall {post}")]
            recalled = recalled or any(order.args["estate"] in there for order in recalls)
            if post == "spy" and any(
                order.args["estate"] in there and order.path[-1] not in there
                for _, order, _ in cycle.done(self.by, "spy")
            ):
                return UNCLEAR
            if after < before and not recalls:
                return UNCLEAR  # something else took them away
        if side == "place":
            if placed or (promise.will and stands):
                return YES
            return UNCLEAR if promise.form == "control" and len(there) > 1 else NO
        if promise.will and empty:
            return YES
        if recalled:
            return YES if empty else UNCLEAR
        return NO if not placed else UNCLEAR

    def acted(self, promise: Promise, seen: list[Cycle]) -> str:
        """NB-M-10."""
        found = NO
        for cycle in seen:
            for _, order, reason in cycle.done(self.by):
                if order.kind in promise.actions:
                    found = more_sure(found, action_on(cycle, order, reason, promise.who))
        return found


def more_sure(one: str, other: str) -> str:
    """The surer of two answers."""
    return max(one, other, key=(NO, PERHAPS, UNCLEAR, YES).index)


def action_on(cycle: Cycle, order: Order, reason: str, who: Collection[str]) -> str:
    """Answer: was an action done to one of these players, or at all if none is named? One without effect is for people to rule (NB-M-10)."""
    args, at = order.args, order.args.get("estate", "")
    idle = PERHAPS if reason in IN_VAIN else YES
    if reason == "dead-already":
        idle = UNCLEAR  # the rules do not say if it was paid for
    if order.kind == "arson" and args["building"] not in cycle.buildings.get(at, ()):
        idle = PERHAPS  # NB-X-8
    match order.kind:
        case "assassin" | "marriage" | "hostages" | "knife":
            return idle if not who or args["seat"] in who else NO
        case "incapacitate":
            return idle if not who or cycle.owner.get(args["unit"]) in who else NO
        case "arson" | "bribery":
            if not who:
                return idle if order.kind == "arson" else UNCLEAR if at not in cycle.by else YES
            by = cycle.by.get(at, "")
            if by in who:
                return idle
            led = any(cycle.leads.get(by) == seat for seat in who)
            return PERHAPS if led or any(cycle.homes.get(seat) == at for seat in who) else NO
        case "poison":
            drank = {seat for seat in cycle.faction if cycle.person(seat) == at}
            if not who:
                return YES if drank else UNCLEAR
            if drank & {*who}:
                return YES if drank & {*who} - {*cycle.died} else UNCLEAR
            by = cycle.by.get(at, "")
            theirs = by in who or any(cycle.leads.get(by) == seat or cycle.homes.get(seat) == at for seat in who)
            return PERHAPS if theirs else NO
        case "surgeon" if not who:
            return PERHAPS if reason == "nothing-to-heal" else YES
        case _:
            return UNCLEAR if who else YES


def watches(
    treaty: Treaty,
    cycles: Mapping[int, Cycle],
    now: int,
    estates: Collection[str],
    *,
    day_over: bool = False,
) -> Iterator[tuple[str, int, str]]:
    """Faction, number of a promise, and its standing on the Day of a cycle, or after that Day."""
    assert treaty.began is not None
    for by, promises in treaty.promises.items():
        to = next(party for party in treaty.parties if party != by)
        for number, promise in enumerate(promises, 1):
            yield (
                by,
                number,
                Watch(promise, by, to, treaty.began, cycles, now, estates, day_over).standing(),
            )


# Ends (NB-Z, NB-N-1, NB-N-4) -------------------------------------------------------------------------------------------


def ends_at_start(treaty: Treaty, position: Position, cycles: Mapping[int, Cycle]) -> str:
    """ "" if the treaty does not end in step 1 of the Night that this position waits for; otherwise the answer how sure that is."""
    now, board = position.cycle, position.settings.board
    assert treaty.began is not None
    found = NO
    for breach in treaty.breaches:
        for penalty in treaty.penalties:
            if penalty.form == "ends" and now >= breach.cycle + (penalty.cycles or 0):
                found = YES
    lasts = [
        breach.cycle + (penalty.cycles or 0)
        for breach in treaty.breaches
        for penalty in treaty.penalties
        if penalty.form == "lasts"
    ]
    if lasts:
        if now >= max(lasts):
            return YES
        held = True
    else:
        held = False
    alive = Counter(player.faction for player in position.players.values() if player.alive)
    watched = watches(treaty, cycles, now - 1, board.estates, day_over=True)
    stands = {(by, number): how for by, number, how in watched}
    for end in treaty.ends:
        answer = NO
        match end.form:
            case "cycles":
                answer = YES if now >= treaty.began + end.number else NO
            case "members":
                answer = YES if alive[end.faction] < end.number else NO
            case "all kept":
                if {*treaty.declared} >= {*treaty.parties} or all(how == KEPT for how in stands.values()):
                    answer = YES
                elif all(how in (KEPT, ANY) for how in stands.values()):
                    answer = UNCLEAR
            case "one kept":
                answer = NO
                for party in treaty.declared:
                    hows = {how for (by, _), how in stands.items() if by == party}
                    answer = more_sure(answer, NO if hows & {BROKEN, OPEN} else YES if hows == {KEPT} else UNCLEAR)
            case "action":
                answer = self_action(treaty, end.action, cycles.get(now - 1))
            case "reaches":
                wanted = {end.what: end.number, **end.besides.wanted()}
                answers = {
                    reached(treaty, end.faction, what, number, position, cycles, end.of)
                    for what, number in wanted.items()
                }
                answer = NO if NO in answers else UNCLEAR if UNCLEAR in answers else YES
            case "breach" if end.when == "start":
                answer = YES if any(now >= breach.cycle + end.number for breach in treaty.breaches) else NO
            case _:
                pass
        found = more_sure(found, answer)
    if held and found != NO:
        return UNCLEAR  # the rules do not say which of two clauses comes first
    return found


def self_action(treaty: Treaty, kind: str, last: Cycle | None) -> str:
    """NB-Z-5."""
    if last is None:
        return NO
    if kind in ("marriage", "hostages"):
        return UNCLEAR
    found = NO
    for by in treaty.parties:
        to = next(party for party in treaty.parties if party != by)
        theirs = [seat for seat, faction in last.faction.items() if faction == to]
        for _, order, reason in last.done(by, kind):
            found = more_sure(found, action_on(last, order, reason, theirs))
            if kind in ("arson", "bribery") and last.held_before.get(order.args["estate"]) == to:
                found = more_sure(found, UNCLEAR)
    return UNCLEAR if found == PERHAPS else found


def reached(
    treaty: Treaty, faction: str, what: str, number: int, position: Position, cycles: Mapping[int, Cycle], of: str
) -> str:
    """NB-Z-6, NB-T-15."""
    assert treaty.began is not None
    if what == "prizes":
        prizes = position.settings.board.prizes
        count = sum(
            holding.by is not None and faction_of(position, holding.by) == faction
            for at, holding in position.estates.items()
            if at in prizes
        )
    elif what == "nobles":
        count = len(position.factions[faction].nobles)
        held = sum(
            player.heir is not None
            and player.heir.hostage is not None
            and position.players[player.heir.hostage].faction == faction
            for player in position.players.values()
        )
        if count < number <= count + held:
            return UNCLEAR
    else:
        other = of or next((party for party in treaty.parties if party != faction), None)
        count = sum(
            cycle.faction[seat] == other
            for number_, cycle in cycles.items()
            if treaty.began <= number_ < position.cycle
            for seat in cycle.died
        )
    return YES if count >= number else NO


def ends_after(treaty: Treaty, now: int) -> bool:
    """True if a treaty ends after step 10 of a Night (NB-Z-7)."""
    if treaty.breaches and any(penalty.form == "lasts" for penalty in treaty.penalties):
        return False
    return any(
        end.form == "breach" and end.when == "end" and now >= breach.cycle + end.number
        for end in treaty.ends
        for breach in treaty.breaches
    )


# Debts (NB-N-2) --------------------------------------------------------------------------------------------------------


def debts_of(penalty: Penalty, reported: int) -> Iterator[tuple[int, Stock]]:
    """Debts for a breach that was reported on the Day of a cycle, with their due cycles."""
    cycles = penalty.cycles or 1
    if penalty.form != "pays":
        return
    if penalty.each:
        for cycle in range(reported + 1, reported + cycles + 1):
            yield cycle, penalty.amounts
    else:
        yield reported + cycles, penalty.amounts


def total(stocks: Iterable[Stock]) -> Stock:
    found = Stock()
    for stock in stocks:
        found += stock
    return found


def owed(position: Position) -> dict[tuple[str, str, str], Stock]:
    """Faction, creditor, treaty -> all that is owed by now or later."""
    found: dict[tuple[str, str, str], Stock] = defaultdict(Stock)
    for name, faction in position.factions.items():
        for debt in faction.owed:
            found[name, debt.to, debt.treaty] += debt.amount
    return dict(found)
