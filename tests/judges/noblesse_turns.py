"""Play Noblesse before two judges, the ruleset and the second one, and compare their results for each turn's treaties.

The middle of the board is full of courts, and they do random things: march, fight, post Courtiers, act, pay. Between their
factions are treaties of every form. On each Day every promise is tried: what would the ruleset say if it were reported now?
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, get_args

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.options import options
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Courtier, Holding, Phase, Position, Unit, seen_by
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Company, Stock
from adjudicator.rulesets.noblesse.treaties import AGAINST, Expiration, Penalty, Promise, State, Thing, Treaty
from tests.judges.games import so_many
from tests.judges.noblesse import (
    ANY,
    BROKEN,
    NO,
    UNCLEAR,
    UNKNOWN,
    YES,
    Cycle,
    Outcome,
    day,
    debts_of,
    ends_after,
    ends_at_start,
    night,
    owed,
    total,
    watches,
)
from tests.judges.noblesse_war import Fight, War
from tests.judges.noblesse_war import Night as WarNight
from tests.rulesets.noblesse_world import FACTIONS, FARNA, PLAIN, Board, resolve

MIDDLE = tuple(f"{row}{column}" for row in "DEFG" for column in range(4, 8))
FILLINGS = {
    "regiment": ("2 Light Horse, 3 Militia", "2 Vanguard, 3 Men-at-arms"),
    "brigade": ("2 Lancers, 5 Halberds, 2 Crossbows",),
    "division": ("4 Vanguard, 7 Men-at-arms, 2 Longbows",),
    "garrison": ("5 Pikes, 3 Crossbows",),
}
Sheets = dict[str, Sheet]
ANSWERS = {BROKEN: {"breached"}, UNKNOWN: {"reported"}}
"""Standing of a promise -> possible results of a report about it; for any other standing the report is rejected."""


def chance(*names: object) -> NamedDice:
    return NamedDice(turn_key(b"judges", "noblesse", " ".join(map(str, names)), ""))


# Treaties by lot -------------------------------------------------------------------------------------------------------


def some(random: Random, things: tuple[str, ...], most: int = 2) -> tuple[str, ...]:
    return tuple(sorted(random.sample(things, random.randint(1, min(most, len(things))))))


def promise(random: Random, to: str) -> Promise:
    form = random.choice(
        [
            "enter",
            "enter",
            "pay",
            "move",
            "move",
            "show units",
            "votes",
            "battle",
            "battle",
            "control",
            "control",
            "withdraw",
            "actions",
        ]
    )
    estates = some(random, MIDDLE, 3) if random.random() < 0.75 else (random.choice("DEFG4567"),)
    usual: dict[str, Any] = {
        "form": form, "will": random.random() < 0.5, "cycles": random.choice([1, 1, 2, 3]), "each": random.random() < 0.2,
    }  # fmt: skip
    formations = tuple(FILLINGS)
    units = some(random, formations) if random.random() < 0.3 else ()
    players = tuple(seat for seats in FACTIONS.values() for seat in seats)
    things = get_args(Thing)
    match form:
        case "enter":
            usual |= {"estates": estates, "units": units, "every": random.random() < 0.1}
        case "pay":
            usual |= {"amounts": Stock(money=random.randint(1, 4), influence=random.choice([0, 0, 1]))}
        case "move":
            side = random.choice(["place", "remove"])
            usual |= {"estates": estates, "units": units, "side": side, "every": random.random() < 0.1}
        case "show units":
            usual |= {"text": "their Morale"}
        case "votes":
            usual |= {"who": some(random, players), "number": random.choice([1, 1, 2])}
        case "battle":
            kind = random.random()
            others = tuple(name for name in FACTIONS if name != to)
            usual |= {"factions": some(random, (*others, to))} if kind < 0.4 else {}
            usual |= {"who": some(random, players, 3)} if kind > 0.7 else {}
        case "control":
            about = {"things": some(random, things), "side": random.choice(["place", "remove"])}
            usual |= {"estates": estates, **(about if random.random() < 0.4 else {})}
        case "withdraw":
            usual |= {"things": some(random, things), "estates": estates if random.random() < 0.7 else ()}
            usual |= {"side": random.choice(["place", "remove"])} if random.random() < 0.3 else {}
        case _:
            kinds = ("assassin", "knife", "poison", "arson", "bribery", "incapacitate", "surgeon", "noble", "march")
            usual |= {"actions": some(random, kinds, 3)}
            usual |= {"who": some(random, players, 4)} if random.random() < 0.6 else {}
    return Promise(**usual)


def penalties(random: Random, pair: tuple[str, str]) -> tuple[Penalty, ...]:
    found: list[Penalty] = []
    for form in random.sample(["ends", "lasts", "pays", "pays", "votes", "reveals", "treaties"], random.randint(1, 2)):
        match form:
            case "ends" | "lasts":
                if not any(other.form in ("ends", "lasts") for other in found):  # NB-T-12
                    found.append(Penalty(form=form, cycles=random.randint(1, 3)))
            case "pays":
                amounts = Stock(money=random.randint(1, 20), manpower=random.choice([0, 0, 2]))
                found.append(
                    Penalty(
                        form=form, amounts=amounts, cycles=random.choice([None, 1, 2, 3]), each=random.random() < 0.3
                    )
                )
            case "votes":
                who = some(random, tuple(seat for seats in FACTIONS.values() for seat in seats))
                found.append(
                    Penalty(
                        form=form,
                        who=who,
                        number=random.randint(1, 3),
                        will=random.random() < 0.5,
                        cycles=random.randint(1, 3),
                    )
                )
            case "reveals":
                found.append(Penalty(form=form, facts=("roles", "units")))
            case _:
                found.append(Penalty(form=form, factions=some(random, tuple(FACTIONS)), will=False, forms=("pay",)))
    return tuple(found) or (Penalty(form="ends", cycles=2),)


def endings(random: Random, pair: tuple[str, str]) -> tuple[Expiration, ...]:
    found: list[Expiration] = []
    for form in random.sample(
        ["cycles", "cycles", "all kept", "one kept", "members", "action", "reaches", "breach"], random.randint(1, 2)
    ):
        one = random.choice(pair)
        match form:
            case "cycles":
                found.append(Expiration(form=form, number=random.randint(1, 5)))
            case "members":
                found.append(Expiration(form=form, faction=one, number=random.randint(1, 3)))
            case "action":
                found.append(Expiration(form=form, action=random.choice(AGAINST)))
            case "reaches":
                what: Any = random.choice(["prizes", "nobles", "kills"])
                found.append(Expiration(form=form, faction=one, number=random.randint(1, 2), what=what))
            case "breach":
                when: Any = random.choice(["start", "end"])
                found.append(Expiration(form=form, number=random.randint(1, 3), when=when))
            case _:
                found.append(Expiration(form=form))
    return tuple(found)


def treaty(random: Random, state: State | None) -> Treaty:
    pair = tuple(random.sample([*FACTIONS], 2))
    one, other = pair
    return Treaty(
        parties=pair,
        status="signed",
        state=state,
        intents={},
        starts=None,
        promises={
            one: tuple(promise(random, other) for _ in range(random.randint(1, 3))),
            other: tuple(promise(random, one) for _ in range(random.randint(1, 3))),
        },
        penalties=penalties(random, (one, other)),
        ends=endings(random, (one, other)),
    )


# Positions and sheets --------------------------------------------------------------------------------------------------


def free_courtiers(board: Board, seat: str) -> int:
    return sum(courtier.post == "court" for courtier in board.now.players[seat].courtiers)


def amid(random: Random) -> Position:
    """Courts around the middle of the board, with treaties that begin in the first Night."""
    cycle = random.randint(3, 6)
    board = Board(cycle=cycle, scenario=random.choice([PLAIN, PLAIN, FARNA]))
    seats = [seat for seats in FACTIONS.values() for seat in seats]
    for seat in seats:
        if random.random() < 0.8:
            board.stock(seat, *(random.choice([0, 2, 6, 20, 40]) for _ in RESOURCES))
    area = random.sample(MIDDLE, random.randint(5, len(MIDDLE)))
    count: Counter[tuple[str, str]] = Counter()
    for number in range(random.randint(4, 18)):
        seat, at = random.choice(seats), random.choice(area)
        faction = next(name for name, mine in FACTIONS.items() if seat in mine)
        if count[faction, at] == 3:
            continue
        count[faction, at] += 1
        formation = random.choice([*FILLINGS])
        idle = free_courtiers(board, seat) > 0
        leader = random.choice([*["courtier"] * (2 * idle), "Sergeant", "Captain"])
        if board.now.players[seat].unit is None and random.random() < 0.3:
            leader = "pc"
        recruited = cycle - random.choice([1, 2, 3])
        board.unit(f"U{100 + number}", seat, at, random.choice(FILLINGS[formation]), leader, recruited=recruited)
    for at in area:
        if random.random() < 0.6:
            faction = random.choice([*FACTIONS])
            board.hold(at, faction)
            seat = random.choice(FACTIONS[faction])
            if random.random() < 0.7 and free_courtiers(board, seat):
                board.post(seat, "steward", at)
    for seat in seats:
        for _ in range(min(random.randint(0, 3), free_courtiers(board, seat))):
            board.post(seat, "spy", random.choice(area))
        home = board.now.players[seat].home
        if home is not None and free_courtiers(board, seat) and random.random() < 0.5:
            board.post(seat, "tax", home, random.choice(RESOURCES))
    states: list[State | None] = [None, None, "neutral"]
    made = {f"T{100 + number}": treaty(random, random.choice(states)) for number in range(random.randint(1, 4))}
    return replace(board.now, treaties=made)


def night_sheets(random: Random, position: Position) -> Sheets:
    """Some possible orders for every living player."""
    sheets: Sheets = {}
    busy = random.choice([2, 5, 9])
    for seat, player in sorted(position.players.items()):
        if not player.alive or random.random() < 0.1:
            continue
        can = [line for sheet in options(seen_by(position, seat), seat) for line in sheet.orders]
        kinds: dict[str, list[str]] = defaultdict(list)
        for line in can:
            kinds[line.split()[0]].append(line)
        lines = [random.choice(kinds[random.choice([*kinds])]) for _ in range(busy)] if kinds else []
        moves: dict[str, list[str]] = defaultdict(list)
        for line in kinds["Move"]:
            moves[line.split()[1]].append(line)
        lines = [line for line in lines if not line.startswith("Move ")]
        for ways in moves.values():
            if random.random() < 0.5:
                plain = [line for line in ways if " asking " not in line]
                lines.append(random.choice(ways if random.random() < 0.1 or not plain else plain))
        if seat in {faction.leader for faction in position.factions.values()} and random.random() < 0.7:
            for name in random.sample([*FACTIONS], 2):
                if name != player.faction:
                    lines.append(f"Pay {random.randint(1, 4)} money, 1 influence to {name}")
        random.shuffle(lines)
        sheets[seat] = Sheet(orders=tuple(dict.fromkeys(lines)))
    return sheets


def day_sheets(random: Random, position: Position) -> Sheets:
    """Votes of many players, and the leaders' lines about their treaties."""
    sheets: Sheets = {}
    living = [seat for seat, player in sorted(position.players.items()) if player.alive]
    hunted = random.choice(living)
    for seat in living:
        lines: list[str] = []
        if random.random() < 0.7:
            chosen = hunted if random.random() < 0.25 else random.choice([*living, "night"])
            lines.append("Vote night" if chosen == "night" else f"Vote {chosen}")
        faction = position.players[seat].faction
        if position.factions[faction].leader == seat:
            for name, bond in position.treaties.items():
                if bond.status != "in force" or faction not in bond.parties:
                    continue
                if random.random() < 0.4:
                    lines.append(f"Report {name} promise {random.randint(1, 3)}")
                if random.random() < 0.08:
                    lines.append(f"Concede {name} promise {random.randint(1, 3)}")
                if random.random() < 0.12:
                    lines.append(f"Declare end of {name}")
        sheets[seat] = Sheet(orders=tuple(lines))
    return sheets


# Comparing -------------------------------------------------------------------------------------------------------------


@dataclass
class Seen:
    """Things that were compared in a turn, by kind."""

    seen: Counter[str] = field(default_factory=Counter)


@dataclass
class Turn:
    """One turn before both judges."""

    position: Position
    sheets: Sheets
    theirs: Outcome | None
    ours: Seen
    different: list[str]
    history: Mapping[int, Cycle]


@dataclass
class Game:
    """A game under watch: all deeds in it, and the paid debts."""

    history: dict[int, Cycle] = field(default_factory=dict)

    def turn(self, position: Position, sheets: Sheets, number: int) -> Turn:
        seen = Seen()
        different: list[str] = []
        by_day = position.phase is Phase.DAY
        if by_day:
            different += self.trials(position, seen)
        try:
            theirs: Resolution[Position, Any] = RULESET.rules.resolve(
                position, sheets, chance(number, position.cycle, position.phase)
            )
        except Exception as error:  # noqa: BLE001 - any error is a difference
            return Turn(position, sheets, None, seen, [f"the ruleset broke down: {error!r}"], self.history)
        if by_day:
            day(self.history[position.cycle], position, theirs)
            different += self.by_day(position, theirs, seen)
        else:
            self.history[position.cycle] = night(position, theirs)
            different += self.by_night(position, theirs, seen)
        return Turn(position, sheets, theirs, seen, different, dict(self.history))

    # By day

    def standings(self, position: Position) -> Iterator[tuple[str, Treaty, str, int, str]]:
        """Every promise in force: treaty's name, treaty, faction, number, standing."""
        estates = position.settings.board.estates
        for name, bond in position.treaties.items():
            if bond.status == "in force":
                for by, number, how in watches(bond, self.history, position.cycle, estates):
                    yield name, bond, by, number, how

    def trials(self, position: Position, seen: Seen) -> Iterator[str]:
        """Compare each promise, as if it were reported now (NB-T-10)."""
        for name, bond, by, number, how in self.standings(position):
            other = next(party for party in bond.parties if party != by)
            leader = position.factions[other].leader
            met = {(breach.by, breach.promise) for breach in bond.breaches} | {(r.by, r.promise) for r in bond.reports}
            if leader is None or (by, number) in met:
                continue
            said = bond.promises[by][number - 1]
            seen.seen[f"{said.form} {how}"] += 1
            if how == ANY:
                continue
            tried = resolve(position, {leader: Sheet(orders=(f"Report {name} promise {number}",))}, chance("trial"))
            kinds = {event.event for event in tried.events} & {"breached", "reported"}
            expected: set[str] = ANSWERS.get(how, set())
            if kinds != expected:
                yield f"{name}, promise {number} of {by} ({said}): the ruleset {kinds or 'rejected'}, the second judge {how}"

    def by_day(self, position: Position, theirs: Outcome, seen: Seen) -> Iterator[str]:
        """Compare the breaches and reports that follow from a Day's sheets (NB-T-6, NB-T-10)."""
        stands = {(name, by, number): how for name, _, by, number, how in self.standings(position)}
        for verdict in theirs.verdicts:
            words = verdict.order.split()
            if words[0] not in ("Report", "Concede", "Declare") or verdict.result != "succeeds":
                continue
            seen.seen[words[0].lower()] += 1
        new: dict[tuple[str, str, str, int], Stock] = defaultdict(Stock)
        reveals: list[str] = []
        for name, before in position.treaties.items():
            after = theirs.position.treaties.get(name)
            if after is None:
                continue
            fresh = [breach for breach in after.breaches if breach not in before.breaches]
            for breach in fresh:
                seen.seen["breach"] += 1
                conceded = any(
                    v.order == f"Concede {name} promise {breach.promise}" and v.reason in ("breach", "reported-already")
                    and position.players[v.seat].faction == breach.by
                    for v in theirs.verdicts
                )  # fmt: skip
                how = stands[name, breach.by, breach.promise]
                if not conceded and how not in (BROKEN, ANY):
                    yield f"{name}: the ruleset has a breach of promise {breach.promise} of {breach.by}, the second judge {how}"
                if breach.cycle != position.cycle:
                    yield f"{name}: a breach of cycle {breach.cycle} was reported in {position.cycle}"
                to = next(party for party in before.parties if party != breach.by)
                for penalty in before.penalties:
                    for due, amount in debts_of(penalty, position.cycle):
                        new[breach.by, to, name, due] += amount
                reveals += [breach.by] * any(penalty.form == "reveals" for penalty in before.penalties)
            if after.status != before.status:
                yield f"{name}: {before.status} became {after.status} by day"
        yield from self.charged(position, theirs, new)
        told = Counter(event.faction for event in theirs.events if event.event == "revealed")
        seen.seen["revealed"] += len(reveals)
        for faction, number in Counter(reveals).items():
            if told[faction] != number:
                yield f"{faction} was to reveal facts for {number} breaches, and did for {told[faction]}"
        yield from self.forced_votes(position, theirs, seen)

    def charged(
        self, position: Position, theirs: Outcome, new: Mapping[tuple[str, str, str, int], Stock]
    ) -> Iterator[str]:
        """Compare the debts of a breach, and the cycles when they are due (NB-N-2)."""
        before, after = ledger(position), ledger(theirs.position)
        for key in sorted({*before, *after, *new}):
            wanted = before.get(key, Stock()) + new.get(key, Stock())
            if wanted != after.get(key, Stock()):
                yield f"{key}: the ruleset has {after.get(key, Stock())} owed, the second judge {wanted}"

    def forced_votes(self, position: Position, theirs: Outcome, seen: Seen) -> Iterator[str]:
        """NB-N-6: the first members give, or keep back, their votes."""
        votes = {seat: name for event in theirs.events if event.event == "voted" for seat, name in event.votes}
        for faction, who, number, will in self.forced(position):
            members = [seat for seat, player in position.players.items() if player.faction == faction and player.alive]
            leader = position.factions[faction].leader
            members.sort(key=lambda seat: (seat != leader, seat))
            seen.seen["forced votes"] += 1
            for seat in members[:number]:
                given = votes.get(seat)
                wrong = given in who if not will else given not in who
                living = [name for name in who if position.players[name].alive]
                clash = sum(other == faction for other, *_ in self.forced(position)) > 1
                if wrong and living and not clash:
                    yield f"{seat} of {faction} voted {given}, and was to {'give' if will else 'keep back'} a vote on {who}"

    def forced(self, position: Position) -> Iterator[tuple[str, tuple[str, ...], int, bool]]:
        for bond in position.treaties.values():
            if bond.status != "in force":
                continue
            for breach in bond.breaches:
                for penalty in bond.penalties:
                    if penalty.form == "votes" and breach.cycle < position.cycle <= breach.cycle + (
                        penalty.cycles or 1
                    ):
                        yield breach.by, penalty.who, penalty.number, penalty.will

    # By night

    def by_night(self, position: Position, theirs: Outcome, seen: Seen) -> Iterator[str]:
        """Compare the treaties that begin and end, and the debts and revelations."""
        now = position.cycle
        asked = {
            (position.players[seat].faction, order.path[-1])
            for seat, order, _ in self.history[now].orders
            if order.kind == "challenge"
        }
        gone = {event.faction for event in theirs.events if event.event == "faction_gone"}
        over: set[str] = set()
        for name, before in position.treaties.items():
            after = theirs.position.treaties.get(name)
            status = "ended" if after is None else after.status
            one, other = before.parties
            asking = any(faction in before.parties for faction, _ in asked)
            if before.status == "signed" and (before.starts is None or before.starts <= now):
                wanted = {"in force"}
                began = replace(before, began=now, status="in force")
                if ends_at_start(began, position, self.history) != NO:
                    wanted = {"in force", "ended"}
                seen.seen["began"] += 1
            elif before.status == "in force":
                answer = ends_at_start(before, position, self.history)
                seen.seen[f"at start: {answer}"] += 1
                wanted = {"ended"} if answer == YES else {"in force", "ended"} if answer == UNCLEAR else {"in force"}
                if answer == YES:
                    over.add(name)
                if ends_after(before, now) and answer == NO:
                    wanted = {"ended"}
                    seen.seen["ended after step 10"] += 1
                elif any(end.form == "breach" and end.when == "end" for end in before.ends):
                    wanted |= {"ended"} if any(p.form == "lasts" for p in before.penalties) else set()
            else:
                wanted = {before.status}
            living = {player.faction for player in position.players.values() if player.alive}
            if asking or {one, other} & gone or not {one, other} <= living:  # NB-H-7, NB-P-17
                wanted = wanted | {"ended"}
            if status not in wanted:
                yield f"{name} ({before.ends}, {before.penalties}, {before.breaches}, began {before.began}): the ruleset {status}, the second judge {wanted}"
            if after is not None and after.status == "in force" and after.began != (before.began or now):
                yield f"{name} began {after.began}"
        yield from self.debts(position, theirs, seen)

    def debts(self, position: Position, theirs: Outcome, seen: Seen) -> Iterator[str]:
        """Compare the debts (NB-N-2, NB-F-13): unpaid ones remain while the treaty is in force."""
        now, cycle = position.cycle, self.history[position.cycle]
        before, after = owed(position), owed(theirs.position)
        pairs = {key[:2] for key in (*before, *after)}
        for by, to in sorted(pairs):
            bonds = [
                name
                for name, bond in position.treaties.items()
                if {by, to} == {*bond.parties} and bond.status != "ended"
            ]
            still = [
                n for n in bonds if n in theirs.position.treaties and theirs.position.treaties[n].status == "in force"
            ]
            had = total(stock for (b, t, _), stock in before.items() if (b, t) == (by, to))
            has = total(stock for (b, t, _), stock in after.items() if (b, t) == (by, to))
            gone = {event.faction for event in theirs.events if event.event == "faction_gone"}
            if len(bonds) != 1 or {by, to} & gone:  # with a faction that is gone its treaties are void (NB-P-17)
                continue
            if not still:
                if has:
                    yield f"{by} owes {to} {has} though their treaty is over"
                continue
            orders = total(order.amounts for _, order, _ in cycle.done(by, "pay") if order.args["faction"] == to)
            paid = total(
                event.amount for event in theirs.events if event.event == "paid" and (event.by, event.to) == (by, to)
            )
            seen.seen["debts"] += 1
            for resource in RESOURCES:
                was = getattr(had, resource)
                given = getattr(paid, resource) - getattr(orders, resource)
                if was - given != getattr(has, resource):
                    yield f"{by} owed {to} {was} {resource}, paid {given}, owes {getattr(has, resource)}"
                leader = theirs.position.factions[by].leader
                due = sum(
                    getattr(d.amount, resource)
                    for d in theirs.position.factions[by].owed
                    if d.to == to and d.due <= now
                )
                if due and leader is not None and leader == position.factions[by].leader:
                    seen.seen["owed on"] += 1
                    got = sum(
                        getattr(event.amount, resource)
                        for event in theirs.events
                        if event.event == "paid" and event.to == by
                    )
                    if getattr(theirs.position.players[leader].stock, resource) > got:
                        yield f"{leader} of {by} owes {to} {due} {resource} and has {theirs.position.players[leader].stock}"


def ledger(position: Position) -> dict[tuple[str, str, str, int], Stock]:
    """Faction, creditor, treaty, first cycle when it is due -> debt."""
    found: dict[tuple[str, str, str, int], Stock] = defaultdict(Stock)
    for name, faction in position.factions.items():
        for debt in faction.owed:
            found[name, debt.to, debt.treaty, debt.due] += debt.amount
    return dict(found)


# Nights of war --------------------------------------------------------------------------------------------------------


def at_war(random: Random) -> Position:
    """Units that meet in the middle of the board and at homes, with estates and buildings to fight over, and only treaties of state."""
    cycle = random.randint(3, 6)
    board = Board(cycle=cycle, scenario=STURDY)
    seats = [seat for seats in FACTIONS.values() for seat in seats]
    homes = [home for seat in seats if (home := board.now.players[seat].home) is not None]
    area = random.sample(MIDDLE, random.randint(3, 7)) + random.sample(homes, random.randint(0, 2))
    for faction in FACTIONS:
        if random.random() < 0.3:
            board.noble(faction, *random.sample([at for at in MIDDLE if at not in area], random.randint(1, 2)))
    for at in area:
        if at in homes:
            if random.random() < 0.3:
                board.hold(at, random.choice([*FACTIONS]))
            continue
        if random.random() < 0.6:
            faction = random.choice([*FACTIONS])
            owned = random.random() < 0.2
            seat = random.choice(FACTIONS[faction])
            board.hold(at, seat if owned else faction)
            if not free_courtiers(board, seat):
                continue
            if random.random() < 0.6:
                board.post(seat, "steward", at)
            elif owned:
                board.post(seat, "tax", at, random.choice(RESOURCES))
    for seat in seats:
        home = board.now.players[seat].home
        assert home is not None
        if board.now.estates[home].by != seat:  # people there went home when it fell (NB-E-14)
            continue
        for resource in RESOURCES:
            if random.random() < 0.4 and free_courtiers(board, seat) > 1:
                board.post(seat, "tax", home, resource)
                if random.random() < 0.5:
                    board.post(seat, "lobby", home, resource)
        for building in ("arsenal", "war council", "star fortress"):
            if random.random() < 0.25 and free_courtiers(board, seat):
                board.building(seat, building, staff=random.choice([1, 1, 0]))
        if random.random() < 0.4 and free_courtiers(board, seat):
            board.post(seat, "spy", random.choice(area))
    count: Counter[tuple[str, str]] = Counter()
    for number in range(random.randint(3, 16)):
        seat, at = random.choice(seats), random.choice(area)
        home = board.now.players[seat].home
        if home in area and random.random() < 0.5:
            at = home
        faction = board.now.players[seat].faction
        if count[faction, at] == 3:
            continue
        count[faction, at] += 1
        idle = free_courtiers(board, seat) > 0
        leaders = [
            *["courtier"] * idle,
            "Sergeant",
            "Captain",
            "Colonel",
            *(n for n, by in board.now.factions[faction].officers.items() if by),
        ]
        if board.now.players[seat].unit is None and random.random() < 0.1:
            leaders = ["pc"]
        filling = random.choice(WALLED if at == home and random.random() < 0.7 else WARLIKE)
        board.unit(
            f"U{100 + number}", seat, at, filling, random.choice(leaders), recruited=cycle - random.choice([1, 1, 2, 3])
        )
    made: dict[str, Treaty] = {}
    allies: set[str] = set()
    for number in range(random.randint(0, 4)):
        one, other = random.sample([*FACTIONS], 2)
        state: State = random.choice(["neutral", "neutral", "allied"])
        if state == "allied" and allies & {one, other}:
            continue
        allies |= {one, other} if state == "allied" else set()
        show = Promise(form="show units", text="their Morale")
        made[f"T{100 + number}"] = Treaty(
            parties=(one, other), status="in force", state=state, intents={}, began=cycle - 1,
            promises={one: (show,), other: (show,)}, penalties=(Penalty(form="ends", cycles=9),),
            ends=(Expiration(form="cycles", number=9),),
        )  # fmt: skip
    return replace(board.now, treaties=made)


STURDY = replace(PLAIN, companies={**PLAIN.companies, "Bulwark": Company(slot="centre", toughness=6, morale=4)})
"""A scenario whose companies can fight each other to a draw."""
WALLED = ("5 Militia, 3 Crossbows", "5 Pikes, Levy Office, Notaries, Tithe Barn", "5 Heavy Foot, 3 Sappers")
WARLIKE = (
    "2 Harassers, 3 Bulwark", "2 Outriders, 3 Bulwark",
    "2 Light Horse, 3 Militia", "2 Lancers, 3 Pikes", "2 Outriders, 3 Militia", "2 Harassers, 3 Heavy Foot", "Vanguard, own, 3 Men-at-arms",
    "2 Lancers, 5 Halberds, 2 Crossbows", "2 Light Horse, 5 Militia, Notaries, Tithe Barn", "4 Vanguard, 7 Men-at-arms, 2 Longbows",
    "5 Militia, 3 Crossbows", "5 Pikes, Levy Office, Notaries, Tithe Barn", "5 Heavy Foot, 3 Sappers",
)  # fmt: skip


def marches(random: Random, position: Position) -> Sheets:
    """Only moves, of one estate or two, some asking for battle or conquest."""
    board = position.settings.board
    goals = sorted({unit.at for unit in position.units.values()})
    lines: dict[str, list[str]] = {seat: [] for seat, player in position.players.items() if player.alive}
    for name, unit in position.units.items():
        if random.random() < 0.35:
            continue
        near = board.neighbours(unit.at)
        wanted = [at for at in near if at in goals]
        way = [random.choice(wanted if wanted and random.random() < 0.7 else near)]
        if random.random() < 0.3:
            way.append(random.choice(board.neighbours(way[0])))
        asking = random.choice(["", "", " asking conquest", " asking battle"]) if len(way) == 1 else ""
        lines[unit.owner].append(f"Move {name} to {', '.join(way)}{asking}")
    return {seat: Sheet(orders=tuple(mine)) for seat, mine in lines.items()}


def war_night(position: Position, sheets: Sheets, number: int) -> Turn:
    """One Night of war before both judges."""
    ours = War(position, {seat: sheet.orders for seat, sheet in sheets.items()}).judge()
    theirs: Outcome = RULESET.rules.resolve(position, sheets, chance("war", number))
    seen = Seen(ours.seen)
    seen.seen["war night" if not ours.unknown else f"war night: {ours.unknown}"] += 1
    return Turn(position, sheets, theirs, seen, [*war_differences(theirs, ours)], {})


def war_differences(theirs: Outcome, ours: WarNight) -> Iterator[str]:
    """All disagreements between the two judges: each fight with its numbers, units, estates, Courtiers, incomes."""
    told = {event.at: event for event in theirs.events if event.event == "battle"}
    for at, (sides, fights) in ours.battles.items():
        event = told.get(at)
        if event is None:
            yield f"a battle at {at} of {sides}: the ruleset has none"
            continue
        named = {side.name: frozenset(side.factions) for side in event.sides}
        if {*named.values()} != {*sides}:
            yield f"sides at {at}: the ruleset {named}, the second judge {sides}"
        said = [
            Fight(
                (named[f.sides[0]], named[f.sides[1]]),
                f.net,
                f.start,
                max((r.number for r in f.rounds), default=0),
                f.how,
                f.left,
            )
            for f in event.fights
        ]
        if said != fights:
            yield f"fights at {at}: the ruleset {said}, the second judge {fights}"
    if ours.unknown:
        return
    for at in sorted(told.keys() - ours.battles.keys()):
        yield f"a battle at {at}: the second judge has none"
    after = theirs.position
    places = {name: unit.at for name, unit in after.units.items()}
    if places != ours.places:
        yield f"units: the ruleset {sorted(places.items() - ours.places.items())}, the second judge {sorted(ours.places.items() - places.items())}"
    control = {at: holding.by for at, holding in after.estates.items() if holding.by}
    if control != ours.control:
        yield f"control: the ruleset {sorted(control.items() - ours.control.items())}, the second judge {sorted(ours.control.items() - control.items())}"
    earned = {
        event.seat: Counter({r: getattr(event.total, r) for r in RESOURCES if getattr(event.total, r)})
        for event in theirs.events
        if event.event == "earned" and event.total
    }
    for seat in sorted({*earned, *ours.earned}):
        if earned.get(seat) != ours.earned.get(seat):
            yield f"income of {seat}: the ruleset {earned.get(seat)}, the second judge {ours.earned.get(seat)}"
    for seat, player in after.players.items():
        for courtier in player.courtiers:
            if (seat, courtier.id) in ours.home and courtier.post != "court":
                yield f"Courtier {courtier.id} of {seat} is at {courtier.post} {courtier.at}, and was sent home"
    for pair in ours.hostile:
        for name, bond in after.treaties.items():
            if frozenset(bond.parties) == pair and bond.status == "in force":
                yield f"{name} is in force, though one of {sorted(pair)} asked for battle or conquest"


# Playing ---------------------------------------------------------------------------------------------------------------


def enrich(random: Random, position: Position) -> Position:
    """Now and then somebody finds a treasure, or loses it, so that they can pay, or cannot."""
    players = {
        seat: replace(player, stock=Stock(influence=30, manpower=30, money=30) if random.random() < 0.6 else Stock())
        if player.alive and random.random() < 0.2
        else player
        for seat, player in position.players.items()
    }
    return replace(position, players=players)


def play(number: int) -> Iterator[Turn]:
    """One game, from a seed, for some Nights and Days."""
    random = Random(f"judges {number}")
    if number % 2:
        for _ in range(6):
            position = at_war(random)
            yield war_night(position, marches(random, position), number)
        return
    position = amid(random)
    game = Game()
    for _ in range(random.randint(4, 14)):
        if position.phase is Phase.NIGHT:
            position = enrich(random, position)
            sheets = night_sheets(random, position)
        else:
            sheets = day_sheets(random, position)
        turn = game.turn(position, sheets, number)
        yield turn
        if turn.theirs is None or turn.theirs.ended is not None:
            return
        position = turn.theirs.position


def turns(seed: int, count: int) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(play, seed, count)


def kind(turn: Turn) -> str:
    return str(turn.position.phase)


def report(turn: Turn) -> str:
    """A difference for people to read: the treaties, the deeds of each cycle, and both results."""
    position = turn.position
    lines = [f"{position.phase} {position.cycle}"]
    for name, bond in position.treaties.items():
        if any(what.startswith(name) for what in turn.different):
            lines.append(
                f"{name}: {bond.parties} {bond.status} began {bond.began} {bond.promises} {bond.penalties} {bond.ends}"
            )
    for number, cycle in turn.history.items():
        lines.append(
            f"cycle {number}: ways {cycle.ways} raised {cycle.raised} disbanded {cycle.disbanded} before {cycle.before} after {cycle.after}"
            f" owners {cycle.owner} battles {cycle.battles} gained {cycle.gained} votes {cycle.votes} died {cycle.died}"
        )
        lines += [f"  {seat} ({cycle.faction[seat]}): {order.line} ({reason})" for seat, order, reason in cycle.orders]
    return "\n".join((*lines, *(f"=> {what}" for what in turn.different)))


__all__ = ["Courtier", "Holding", "Unit"]
