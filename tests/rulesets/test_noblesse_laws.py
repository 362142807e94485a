"""Noblesse: laws of Nights and Days, on positions from random games, and the secrets that a view must keep."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import DONE, SeatId
from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import decode, dump, encode, load
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.events import (
    Died,
    Earned,
    FactionGone,
    Gone,
    HeirBorn,
    Paid,
    Raised,
    Rumour,
    Trained,
    Untitled,
    Used,
)
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.options import check, options
from adjudicator.rulesets.noblesse.orders import ABILITIES, Order, Sheet, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import (
    OPTIONS,
    Courtier,
    Faction,
    Heir,
    Holding,
    Noble,
    Offer,
    Phase,
    Player,
    Position,
    Unit,
    seen_by,
)
from adjudicator.rulesets.noblesse.resolve import DEEDS
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Stock, amount_of, tables
from adjudicator.rulesets.noblesse.secrecy import heard_by
from adjudicator.rulesets.noblesse.work import Work
from adjudicator.rulesets.noblesse.worth import worth
from tests.conftest import examples
from tests.rulesets.noblesse_world import Outcome, dice, grow, resolve, units_of

pytestmark = pytest.mark.slow

NOISE = (
    "Dance", "", "Move U1 to Z9", "Move U999999 to A2", "Recruit regiment at A1 led by Pikes: 99 Pikes", "vote night", "Field surgeon",
    "Recruit garrison at A1 led by noble of D4: 5 Pikes, 3 Crossbows", "Share 9999 money with Anise", "Create heir", "Lead U1 with heir",
    "Recruit division at A1 led by heir: own, 4 Vanguard", "Spy from A1 to A1", "Ability 8 on steward at E5", "Assassin on Anise",
    "Hire Bande Nera for Rue", "Message to Rue: " + "so " * 90, "Move U1 to A1, A1, A1 asking conquest", "Accept hostages of Rue",
    "Release hostages with Rue", "Build university at E5", "Give King's Engineer to Rue", "Successor Rue", "Open city at E5",
)  # fmt: skip
GAMES, TURNS = 6, 30
FIELD = "E5"


def random_sheets(position: Position, random: Random) -> dict[SeatId, Sheet]:
    """For every living player some of the orders they may give, and lines of any kind; now and then no sheet."""
    sheets = {}
    for seat, player in sorted(position.players.items()):
        if not player.alive or random.random() < 0.1:
            continue
        can = [line for sheet in options(seen_by(position, seat), seat) for line in sheet.orders]
        kinds = sorted({line.split()[0] for line in can})
        lines = [
            random.choice([line for line in can if line.split()[0] == random.choice(kinds)] or can) for _ in range(9)
        ]
        lines += random.sample(NOISE, 2)
        if position.phase is Phase.DAY:
            lines = random.sample(can, min(3, len(can))) + random.sample(NOISE, 1)
        random.shuffle(lines)
        sheets[seat] = Sheet(orders=tuple(lines))
    return sheets


def enrich(position: Position, random: Random) -> Position:
    """Stocks that let players do more than stand-ins can, and units that meet on one field."""
    players = {
        seat: replace(player, stock=Stock(influence=30, manpower=30, money=30))
        if player.alive and random.random() < 0.5
        else player
        for seat, player in position.players.items()
    }
    units = dict(position.units)
    for name, unit in position.units.items():
        faction = players[unit.owner].faction
        there = [other for other in units_of(replace(position, units=units), faction) if other.at == FIELD]
        if unit.formation != "garrison" and len(there) < 3 and random.random() < 0.1:
            units[name] = replace(unit, at=FIELD)
    return replace(position, players=players, units=units)


@cache
def wild(seed: int, turns: int) -> Position:
    """A game that stand-ins began and random sheets continued, or the last position before it ended."""
    if turns <= 6:
        return grow(seed, max(turns, 1))
    before = enrich(wild(seed, turns - 1), Random(f"{seed}:{turns}"))
    done = resolve(before, random_sheets(before, Random(f"{seed}:{turns}:sheets")), dice(f"{seed}:{turns}"))
    return before if done.ended is not None else done.position


positions = st.builds(wild, st.integers(0, GAMES - 1), st.integers(1, TURNS))
randoms = st.builds(Random, st.integers(0, 10**6))
LAWS = examples(60)


def at_night(position: Position) -> Position:
    return replace(position, phase=Phase.NIGHT)


def amount(stock: Stock) -> Counter[str]:
    return Counter({name: getattr(stock, name) for name in RESOURCES})


def totals(position: Position, faction: str) -> Counter[str]:
    sums: Counter[str] = Counter()
    for player in position.players.values():
        if player.faction == faction:
            sums.update(amount(player.stock))
    return sums


def named_price(work: Work, seat: SeatId, order: Order) -> Stock | None:
    """Price of an order by the tables; for units, see the raised unit."""
    if order.kind in ABILITIES:
        return amount_of(work.scenario.factions[work.players[seat].faction].resource, int(order.args["ability"]))
    if order.kind == "noble":
        return less(
            work, seat, "noble", amount_of("influence", 3 + len(work.factions[work.players[seat].faction].nobles))
        )
    if order.kind == "build":
        return less(work, seat, order.args["building"], tables().buildings[order.args["building"]].price)
    if order.kind == "share":
        return order.amounts
    usual = tables().actions.get(order.kind)
    return less(work, seat, order.kind, usual) if usual is not None else None


def less(work: Work, seat: SeatId, what: str, price: Stock) -> Stock:
    """A price less what the role's core and the abilities used so far take off it (NB-C-15)."""
    able = [core for core in work.scenario.cores(work.players[seat].role) if (core.effect, core.of) == ("thrift", what)]
    able += [
        event.ability
        for event in work.events
        if isinstance(event, Used) and (event.seat, event.ability.of) == (seat, what)
    ]
    for ability in able:
        price = Stock(**{name: max(min(1, have), have - ability.amount) for name, have in amount(price).items()})
    return price


# Conserved by a turn ----------------------------------------------------------------------------------------------


@given(positions, randoms)
@LAWS
def test_resources_change_only_by_named_causes(position: Position, random: Random) -> None:
    """NB-A-13, F, NB-L-11, NB-P-16: a faction has its former stock plus its incomes, less its prices, its rent and its dead."""
    before = enrich(at_night(position), random)
    paid: list[tuple[SeatId, Order, Stock]] = []
    really = Work.pay

    def pay(self: Work, seat: SeatId, order: Order, price: Stock) -> bool:
        named = named_price(self, seat, order)
        assert named is None or named == price, (order, price)
        done = really(self, seat, order, price)
        if done:
            paid.append((seat, order, price))
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Work, "pay", pay)
        done = resolve_night(before, random_sheets(before, random), dice())
    raised = Counter(str(event.price) for event in done.events if isinstance(event, Raised))
    assert raised == Counter(str(price) for _, order, price in paid if order.kind in {"recruit", "hire"})
    unpaid = {event.unit for event in done.events if isinstance(event, Gone) and event.why == "unpaid"}
    out = {event.seat for event in done.events if isinstance(event, Died) and not event.heir}
    for faction, mine in before.factions.items():
        sums = totals(done.position, faction)
        if done.position.factions[faction].leader is None:
            assert not any(sums.values())
            continue
        wanted = totals(before, faction)
        for event in done.events:
            if isinstance(event, Earned) and before.players[event.seat].faction == faction:
                wanted.update(amount(event.total))
                total = Stock()
                for source in event.sources:
                    total += source.amount
                assert total == event.total
            if isinstance(event, Paid) and event.to == faction:
                wanted.update(amount(event.amount))
            if isinstance(event, Paid) and event.by == faction:
                wanted.subtract(amount(event.amount))
        for seat, order, price in paid:
            if before.players[seat].faction == faction and order.kind != "share":
                wanted.subtract(amount(price))
        for name, unit in before.units.items():
            if unit.rented is not None and before.players[unit.owner].faction == faction and name not in unpaid:
                wanted.subtract({"money": tables().formations[unit.formation].price})
        for seat in out:
            if before.players[seat].faction == faction and seat != mine.leader:
                wanted.subtract(amount(before.players[seat].stock))
                for payer, _, price in paid:
                    if payer == seat:
                        wanted.update(amount(price))
        if mine.leader not in out:  # otherwise their stock went to a successor, or died that Night as well
            assert {name: sums[name] for name in RESOURCES} == {name: wanted[name] for name in RESOURCES}
    for player in done.position.players.values():
        assert min(amount(player.stock)[name] for name in RESOURCES) >= 0


@given(positions, randoms)
@LAWS
def test_courtiers_are_neither_made_nor_lost(position: Position, random: Random) -> None:
    """NB-X-4, NB-G-9, NB-X-13, NB-X-23, NB-X-24, NB-P-16, NB-C-18: except for Heirs, Universities, Knives, Nobles, abilities, and the dead."""
    before = enrich(at_night(position), random)
    done = resolve_night(before, random_sheets(before, random), dice())
    change: Counter[SeatId] = Counter()
    mourning = {event.faction for event in done.events if isinstance(event, Died) and not event.heir}
    for event in done.events:
        if isinstance(event, Trained):
            change[event.seat] += 1
        elif isinstance(event, HeirBorn):
            change[event.seat] += 4
        elif isinstance(event, Used) and event.ability.effect == "retain":
            change[event.seat] += event.ability.amount
        elif isinstance(event, Untitled):
            change[before.factions[event.faction].leader or ""] += 1
    for verdict in done.verdicts:
        if verdict.reason in {"ennobled", "stabbed", "not-there"}:
            change[verdict.seat] -= 1
    for seat, player in done.position.players.items():
        was, now = len(before.players[seat].courtiers), len(player.courtiers)
        if not player.alive:
            assert now == 0
        elif player.faction in mourning and done.position.factions[player.faction].leader == seat:
            assert now >= was + change[seat] - 1
        else:
            assert now == was + change[seat]


def assert_sound(position: Position, *, crowded: bool = False) -> None:
    """Check the invariants of a position between turns; `crowded` where units may have changed sides (NB-P-20)."""
    for name, faction in position.factions.items():
        if faction.leader is None:
            assert not any(player.alive for player in position.players.values() if player.faction == name)
            assert (dict(faction.nobles), dict(faction.officers)) == ({}, {})
        else:
            assert position.players[faction.leader].alive
            assert position.players[faction.leader].faction == name
        leading = [unit.name for unit in units_of(position, name) if unit.leader == "unique"]
        assert len(leading) == len(set(leading))
        assert not set(leading) & set(faction.officers)
        assert all(position.players[holder].alive for holder in faction.officers.values())
        for noble, titled in faction.nobles.items():
            if titled.unit is not None:
                assert (position.units[titled.unit].leader, position.units[titled.unit].name) == ("noble", noble)
        for estate in {unit.at for unit in units_of(position, name)}:
            here = [unit for unit in units_of(position, name) if unit.at == estate]
            assert crowded or len(here) - min(2, sum(unit.formation == "garrison" for unit in here)) <= 3
    for seat, player in position.players.items():
        ids = [courtier.id for courtier in player.courtiers]
        assert len(ids) == len(set(ids))
        commanders = {courtier.id: courtier for courtier in player.courtiers if courtier.post == "commander"}
        led = {
            int(unit.name): name
            for name, unit in position.units.items()
            if (unit.owner, unit.leader) == (seat, "courtier")
        }
        assert {number: commander.what for number, commander in commanders.items()} == led
        for kind, where in (("pc", player.unit), ("heir", player.heir.unit if player.heir else None)):
            names = [name for name, unit in position.units.items() if (unit.owner, unit.leader) == (seat, kind)]
            assert names == ([] if where is None else [where])
        for courtier in player.courtiers:
            # A commander is where their unit is.
            assert (courtier.at is None) == (courtier.post in {"court", "commander"})
            by = position.estates.get(courtier.at or "", Holding()).by
            if courtier.post in {"tax", "lobby", "staff", "overseer"}:
                assert by == seat
            elif courtier.post == "steward":
                assert by in {seat, player.faction}
        if not player.alive:
            assert (player.courtiers, player.unit, player.heir, player.stock) == ((), None, None, Stock())
            assert seat not in {unit.owner for unit in position.units.values()}
            assert seat not in {holding.by for holding in position.estates.values()}
        if player.married is not None:
            assert position.players[player.married].married == seat
        held = [estate for estate, holding in position.estates.items() if holding.by == seat]
        more = position.settings.board.core_amount(player.role, "domain")
        assert len([estate for estate in held if estate != player.home]) <= player.had_heir + more
    every = [courtier for player in position.players.values() for courtier in player.courtiers]
    single = [
        (courtier.post, courtier.at, courtier.what)
        for courtier in every
        if courtier.post in {"steward", "tax", "lobby"}
    ]
    assert len(single) == len(set(single))
    staffed = Counter((courtier.at, courtier.what) for courtier in every if courtier.post == "staff")
    assert all(count <= tables().buildings[what or ""].staff for (_, what), count in staffed.items())
    assert all(unit.at in position.settings.board.estates for unit in position.units.values())


@given(positions, randoms)
@LAWS
def test_positions_stay_sound(position: Position, random: Random) -> None:
    """NB-K-1, NB-B-9, NB-E-4, NB-E-14, NB-F-2, NB-F-3, NB-F-5, NB-G-6, NB-L-10, NB-P-1, NB-P-16, NB-P-17: nobody in two posts, no estate too full, the dead are gone."""
    assert_sound(position)
    before = enrich(position, random)
    assert_sound(resolve(before, random_sheets(before, random), dice()).position)


@given(positions, randoms)
@LAWS
def test_every_order_has_one_verdict_and_the_dead_give_none(position: Position, random: Random) -> None:
    """NB-A-16, NB-W-8."""
    sheets = {
        **random_sheets(position, random),
        **dict.fromkeys(dead(position), Sheet(orders=("Vote night", "Field surgeon"))),
    }
    done = resolve(position, sheets, dice())
    reader = reader_of(position.settings.board)
    wanted: Counter[tuple[SeatId, str]] = Counter()
    for seat, sheet in sheets.items():
        for line in sheet.orders if position.players[seat].alive else ():
            order = reader.read(line)
            wanted[seat, (line if isinstance(order, Unreadable) else order.line)[:200]] += 1
    assert Counter((verdict.seat, verdict.order) for verdict in done.verdicts) == wanted
    assert {verdict.result for verdict in done.verdicts} <= {"succeeds", "fails", "illegal", "void", "unreadable"}
    assert all(verdict.rule.startswith("NB-") for verdict in done.verdicts)


def dead(position: Position) -> list[SeatId]:
    return [seat for seat, player in position.players.items() if not player.alive]


def as_bytes(done: Outcome) -> str:
    return repr(
        (
            encode(done.position),
            [encode(verdict) for verdict in done.verdicts],
            [encode(event) for event in done.events],
            done.ended,
        )
    )


@given(positions, randoms)
@LAWS
def test_the_order_of_sheets_does_not_matter(position: Position, random: Random) -> None:
    """NB-6: a turn is a function of position and sheets."""
    sheets = random_sheets(position, random)
    mixed = list(sheets.items())
    random.shuffle(mixed)
    assert as_bytes(resolve(position, sheets, dice())) == as_bytes(resolve(position, dict(mixed), dice()))


@given(positions)
@examples(20)
def test_positions_survive_being_saved(position: Position) -> None:
    assert decode(Position, Text("position", encode(position), {})) == position
    if position.cycle % 5 == 0:
        assert load(Position, dump(position).encode(), "position.yaml", own=True) == position


# Secrets kept from a view -----------------------------------------------------------------------------------------


def scramble(position: Position, seat: SeatId | None, random: Random) -> Position:
    """A position that differs in everything that this viewer may not know, and in nothing else."""
    board = position.settings.board
    viewer = position.players.get(seat or "")
    me = seat if viewer is not None and viewer.alive else None
    led = next((name for name, faction in position.factions.items() if me is not None and faction.leader == me), None)
    fellows = {name for name, player in position.players.items() if led is not None and player.faction == led} | (
        {me} if me else set()
    )
    strangers = [name for name in position.players if name not in fellows]
    factions = [name for name in board.factions if name != led]

    def courtiers() -> tuple[Courtier, ...]:
        posts = [
            ("court", None, None),
            ("spy", "E5", None),
            ("tax", "A1", "money"),
            ("steward", "D4", None),
            ("staff", "A1", "arsenal"),
        ]
        made = []
        for number in range(random.randrange(14)):
            post, at, what = random.choice(posts)
            made.append(Courtier(id=number + 1, post=post, at=at, what=what))  # type: ignore[arg-type]  # one of the posts
        return tuple(made)

    def other(player: Player) -> Player:
        return Player(
            role=random.choice(list(board.roles)), faction=random.choice(factions), home=random.choice(board.estates),
            design=Stock(influence=random.randrange(6)), without=random.choice(OPTIONS), alive=player.alive,
            wounds=random.randrange(3), unit=random.choice([None, "U5"]), courtiers=courtiers(),
            stock=Stock(money=random.randrange(90), influence=random.randrange(9)), had_heir=random.random() < 0.5,
            heir=random.choice([
                None, Heir(other="TCK", won=random.choice([None, *board.factions])),
                Heir(other="Pape", hostage=random.choice(list(position.players))),
            ]),
            married=random.choice([None, *position.players]), missed=random.randrange(4),
        )  # fmt: skip

    players = {}
    for name, player in position.players.items():
        if name == me:
            heir = player.heir
            if heir is not None:
                other_parent, won = random.choice(list(board.factions)), random.choice([None, *board.factions])
                heir = replace(heir, other=other_parent, won=won)
            players[name] = replace(player, heir=heir)
        elif not player.alive:
            players[name] = replace(other(player), role=player.role, faction=player.faction)
        elif name in fellows:
            players[name] = replace(
                other(player), role=player.role, faction=player.faction, home=player.home, design=player.design
            )
        else:
            players[name] = other(player)
    made = {}
    for name, faction in position.factions.items():
        if name == led:
            made[name] = faction
            continue
        mine = {officer: by for officer, by in faction.officers.items() if by == me}
        free = [officer for officer in board.officers if officer not in faction.officers]
        made[name] = Faction(
            leader=random.choice([None, *strangers]), successor=random.choice([None, *position.players]),
            nobles={f"of {at}": Noble(at=at) for at in random.sample(board.estates, random.randrange(4))},
            officers={**mine, **dict.fromkeys(random.sample(free, 1), random.choice(strangers or [""]))},
        )  # fmt: skip
    units = {name: unit for name, unit in position.units.items() if unit.owner in fellows}
    for _ in range(random.randrange(6)):
        if strangers:
            units[f"U{random.randrange(2000, 3000)}"] = Unit(
                owner=random.choice(strangers), formation="regiment", at=random.choice(board.estates), companies=("Pikes",) * 5,
                leader="company", name="Sergeant", recruited=random.randrange(9),
            )  # fmt: skip
    posts = (
        {
            courtier.at
            for courtier in viewer.courtiers
            if courtier.post in {"steward", "tax", "lobby", "staff", "overseer"}
        }
        if viewer and me
        else set()
    )
    estates = {
        e: holding
        for e, holding in position.estates.items()
        if holding.by in fellows or (led is not None and holding.by == led) or e in posts
    }
    for estate in random.sample(board.estates, 12):
        if estate not in estates and estate not in posts:
            estates[estate] = Holding(
                by=random.choice([None, *strangers, *factions]), buildings={"arsenal": random.randrange(2)}
            )
    offers = [offer for offer in position.offers if me is not None and me in {offer.by, offer.to}]
    if len(strangers) > 1:
        offers.insert(
            0, Offer(kind="marriage", by=strangers[0], to=strangers[1], accepted=random.choice([None, True, False]))
        )
    return replace(
        position, players=players, factions=made, units=dict(sorted(units.items())),
        estates={e: estates[e] for e in board.estates if e in estates}, offers=tuple(offers),
        away=position.away if led else {"Kantonians": random.randrange(9)},
    )  # fmt: skip


VIEWERS: tuple[SeatId | None, ...] = (
    None, "Anise", "Basil", "Borage", "Caraway", "Chervil", "Dill", "Fennel", "Hyssop", "Lovage", "Marjoram", "Rue", "Tansy",
)  # fmt: skip


@given(positions, randoms)
@examples(12)
def test_a_view_reveals_nothing_hidden(position: Position, random: Random) -> None:
    """NB-C-9, NB-L-2, 6: whatever changes in the part hidden from a viewer, their view stays the same to the byte."""
    for seat in VIEWERS:
        other = scramble(position, seat, random)
        assert other != position
        assert repr(encode(seen_by(position, seat))) == repr(encode(seen_by(other, seat)))


@given(positions, randoms)
@examples(6)
def test_the_options_of_a_seat_reveal_nothing_hidden(position: Position, random: Random) -> None:
    """NB-C-9, 6: options, their worth and the check of a sheet come from the view; full knowledge would not change the check."""
    seat = random.choice([name for name, player in position.players.items() if player.alive])
    views = [seen_by(position, seat), seen_by(scramble(position, seat, random), seat)]
    first, second = (list(options(view, seat)) for view in views)
    assert first == second
    some = random.sample(first, min(40, len(first)))
    judges = [worth(view, seat, chance_of("laws", "1")) for view in views]
    assert [judges[0](Sheet(), offered) for offered in some] == [judges[1](Sheet(), offered) for offered in some]
    sheet = Sheet(
        orders=(*(line for offered in some[:5] for line in offered.orders), *random.sample(NOISE, 3)), homes=("A1",)
    )
    assert check(views[0], seat, sheet) == check(views[1], seat, sheet) == check(position, seat, sheet)


def test_a_view_can_be_saved() -> None:
    """NB-6: and holds everything the public knows."""
    for seat in VIEWERS:
        view = seen_by(wild(0, 12), seat)
        assert seen_by(view, None) == seen_by(wild(0, 12), None)
        assert decode(Position, Text("view", encode(view), {})) == view


def test_a_leader_knows_their_players_and_nobody_else_does() -> None:
    """NB-C-9, NB-L-2."""
    position = grow(1, 1)
    for seat, player in position.players.items():
        view = seen_by(position, seat)
        knows = {name for name, other in view.players.items() if other.faction}
        mine = {name for name, other in position.players.items() if other.faction == player.faction}
        assert knows == (mine if position.factions[player.faction].leader == seat else {seat})
        assert {name for name, faction in view.factions.items() if faction.leader} == (
            {player.faction} if len(knows) > 1 else set()
        )
    assert {other.faction for other in seen_by(position, None).players.values()} == {""}


@given(positions, randoms)
@LAWS
def test_events_reach_only_those_who_may_hear_of_them(position: Position, random: Random) -> None:
    """NB-A-16, NB-Y-4, 6: everybody hears of battles, deaths, silence, votes and victories only; a verdict is for its author."""
    done = resolve(enrich(position, random), random_sheets(position, random), dice())
    public = {type(event).__name__ for event in done.events if heard_by(event, None)}
    assert public <= {"Rumour", "Died", "FactionGone", "Silent", "Voted", "Victory", "Published"}
    for verdict in done.verdicts:
        assert [seat for seat in VIEWERS if heard_by(verdict, seat)] == [verdict.seat]
    for event in done.events:
        if isinstance(event, Earned | Trained):
            assert event.heard == (event.seat,)
        if isinstance(event, FactionGone):
            assert event.heard is None


@given(positions, randoms)
@LAWS
def test_public_events_do_not_reveal_who_went_first(position: Position, random: Random) -> None:
    """NB-Y-8, NB-Y-7: by kind, then by estate, prestige or name; the sides of a battle by prestige."""
    done = resolve(enrich(position, random), random_sheets(position, random), dice())
    public = [event for event in done.events if heard_by(event, None)]
    ranks = ["silent", "published", "voted", "rumour", "died", "faction_gone", "victory"]
    kinds = [ranks.index(event.event) for event in public]
    assert kinds == sorted(kinds)
    board = position.settings.board
    battles = [board.estates.index(event.at) for event in public if isinstance(event, Rumour)]
    assert battles == sorted(battles)
    for event in public:
        if isinstance(event, Rumour):
            sides = [board.prestige(side.partition(" and ")[0]) for side in event.sides]
            assert sides == sorted(sides)


def hopeless_by_day(position: Position, seat: SeatId, random: Random) -> list[str]:
    """Lines for a Day that often have no chance."""
    names = sorted(position.players)
    lines = [
        f"{verb} {random.choice(('marriage', 'hostages'))} of {random.choice(names)}" for verb in ("Accept", "Refuse")
    ]
    lines += [f"Vote {random.choice(names)}", f"Successor {random.choice(names)}"]
    officers = sorted(position.settings.board.officers)
    return [*lines, f"Give {random.choice(officers)} to {random.choice(names)}"]


def hopeless_by_night(position: Position, seat: SeatId, random: Random) -> list[str]:
    """Lines for a Night that often have no chance."""
    places = sorted(position.settings.board.estates)
    lines = [
        f"{start} {random.choice(places)}"
        for start in ("Recall spy at", "Open city at", "Poison the wells at", "Build university at")
    ]
    lines += [f"Spy from {random.choice(places)} to {random.choice(places)}", "Create heir"]
    lines += [f"Assassin on {random.choice(sorted(position.players))}"]
    for name in sorted(name for name, unit in position.units.items() if unit.owner == seat):
        lines += [f"Move {name} to {random.choice(places)}", f"March {name} to {random.choice(places)}"]
        lines += [f"Ability {random.choice((2, 5, 8))} on {name}"]
        lines += [
            f"Lead {name} with {random.choice(('pc', 'heir'))}",
            f"Move {name} to {', '.join(random.sample(places, 2))}",
        ]
    seen = sorted(position.units)
    lines += [f"Incapacitate {random.choice(seen)}" for _ in range(2 if seen else 0)]
    lines += [
        f"Offer marriage to {random.choice(sorted(position.players))}",
        f"Create noble at {random.choice(places)}",
    ]
    lines += [
        f"{verb} {random.choice(RESOURCES)} at {random.choice(places)}"
        for verb in ("Tax", "Lobby", "Recall tax", "Recall lobby")
    ]
    home = position.players[seat].home or places[0]
    own = "5 own" if random.random() < 0.5 else "5 Pikes"
    return [*lines, f"Recruit garrison at {home} led by Lancers: {own}"]


def test_no_order_that_check_expects_to_fail_succeeds() -> None:
    """`check` warns by the function that judges. A fault that it calls certain cannot be removed by anything earlier in the turn."""
    foreseen: Counter[str] = Counter()
    for number in range(200):
        random = Random(number)
        by_day, grown = number % 5 > 2, wild(number % GAMES, 1 + number % TURNS)
        before = replace(grown, phase=Phase.DAY if by_day else Phase.NIGHT)
        sheets = {}
        for seat, sheet in random_sheets(before, random).items():
            lines = (hopeless_by_day if by_day else hopeless_by_night)(before, seat, random)
            assert all(isinstance(reader_of(before.settings.board).read(line), Order) for line in lines), lines
            sheets[seat] = Sheet(orders=(*dict.fromkeys((*sheet.orders, *lines)),))
        results: dict[tuple[SeatId, str], list[str]] = {}
        for told in resolve(before, sheets, dice(f"{number}")).verdicts:
            results.setdefault((told.seat, told.order), []).append(told.result)
        for seat, sheet in sheets.items():
            work = Work(seen_by(before, seat), {}, GivenDice({}))
            for line in sheet.orders:
                order = reader_of(before.settings.board).read(line)
                if not isinstance(order, Order) or (seat, order.line) not in results:
                    continue
                fault = DEEDS[order.kind].fault(work, seat, order)
                if fault is not None and fault.known:
                    foreseen[fault.reason] += 1
                    assert not DONE & {*results[seat, order.line]}, (number, seat, line, fault)
    night = {
        "no-spy",
        "not-beside",
        "nothing-to-tax",
        "too-far",
        "nobody-there",
        "had-heir",
        "garrison",
        "not-filled",
        "without",
    }
    assert night | {"dead-already", "no-offer", "not-leader", "not-of-faction"} <= {*foreseen}, foreseen


def test_every_order_has_a_deed_and_every_deed_an_order() -> None:
    assert {*DEEDS} == {*ACTS.by_kind}
