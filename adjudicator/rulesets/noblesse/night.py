"""A Night, from sheets to the next Day: the ten steps of NB-A-3, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse import leaders
from adjudicator.rulesets.noblesse.abilities import gathered, lay_cores, raider, swift, use_abilities
from adjudicator.rulesets.noblesse.actions import act, do_penance, harm, price
from adjudicator.rulesets.noblesse.battle import Side, Strength, battle
from adjudicator.rulesets.noblesse.deeds import note_deeds
from adjudicator.rulesets.noblesse.events import (
    Agreed,
    AnyEvent,
    Battle,
    BattleSide,
    Built,
    Control,
    Earned,
    Message,
    Moved,
    Raised,
    Rumour,
    Shared,
    Silent,
    SpyReport,
    Trained,
    Victory,
    Yield,
)
from adjudicator.rulesets.noblesse.field import battle_starts, camps, must_fight
from adjudicator.rulesets.noblesse.orders import ABILITIES, ACTION, MOVEMENT, POSTING, RECRUITING, SHARING, Order, Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position, Seen, SeenUnit, Unit, led_by
from adjudicator.rulesets.noblesse.scenario import (
    COLOURS,
    RESOURCES,
    SLOTS,
    Resource,
    Scenario,
    Stock,
    counted,
    of,
    tables,
)
from adjudicator.rulesets.noblesse.world import BASIC, World, room_for

STEPS_A_NIGHT = 2
"""Estates that a Spy, and a unit just recruited, may cover in one Night (NB-K-8, NB-B-6)."""
PATIENCE = 2
"""Nights in a row without orders after which the host may put in a substitute (NB-P-18)."""
BOUND = frozenset({"courtier", "noble"})
"""Commanders who leave their unit when it is destroyed or disbanded, and not before (NB-K-6)."""


# 1. Treaties end and begin ------------------------------------------------------------------------------------------


def begin(work: World) -> None:
    """Step 1: treaties end and begin, offers take effect, Tax Collectors and Lobbyists are recalled, Nobles are counted."""
    leaders.hear_rulings(work)
    lay_cores(work)
    leaders.end_and_begin(work)
    for seat in work.living():
        missed = 0 if seat in work.sheets else work.players[seat].missed + 1
        work.change(seat, missed=missed)
        if missed >= PATIENCE:
            work.events.append(Silent(seat=seat, nights=missed))
    for offer in work.offers:
        if offer.accepted:
            _agree(work, offer.kind, offer.by, offer.to)
    work.offers = []
    work.count_nobles()
    leaders.propose(work)
    for seat, order in work.each("recall tax", "recall lobby"):
        kind, at, what = order.kind.removeprefix("recall "), order.args["estate"], order.args["resource"]
        mine = [one for one in work.players[seat].courtiers if (one.post, one.at, one.what) == (kind, at, what)]
        if not mine:
            work.verdict(seat, order, "fails", "nobody-there", "K-3", at=at)
            continue
        work.send_home(seat, mine[0].id)
        work.verdict(seat, order, "succeeds", "recalled", "K-3" if kind == "tax" else "K-4", at=at)


def _agree(work: World, kind: str, by: SeatId, to: SeatId) -> None:
    """An accepted offer takes effect, if both still live and may (NB-X-3, NB-P-10, NB-P-15)."""
    if not (work.players[by].alive and work.players[to].alive):
        return
    one, other = work.players[by], work.players[to]
    if kind == "marriage":
        if one.married is not None or other.married is not None:
            return
        work.change(by, married=to)
        work.change(to, married=by)
    elif kind == "hostages":
        if one.married != to or one.faction == other.faction:
            return
        for giver, taker in ((by, to), (to, by)):
            heir = work.players[giver].heir
            if heir is not None:
                if heir.unit is not None:
                    unit = work.units[heir.unit]
                    work.units[heir.unit] = replace(unit, leader="company", name=BASIC)
                work.change(giver, heir=replace(heir, unit=None, hostage=taker))
    else:
        for giver in (by, to):
            heir = work.players[giver].heir
            if heir is not None and heir.hostage in {by, to}:
                work.change(giver, heir=replace(heir, hostage=None))
    work.events.append(Agreed(heard=tuple(sorted((by, to))), kind=kind, by=by, to=to))  # type: ignore[arg-type]  # one of three


# 2. Units move ------------------------------------------------------------------------------------------------------


def move_units(work: World) -> None:
    """Step 2: all units move at once (NB-B-5 to B-11), then those on a forced march (NB-X-17)."""
    before = {name: unit.at for name, unit in work.units.items()}
    goals: dict[str, tuple[str, ...]] = {}
    given: dict[str, tuple[SeatId, Order]] = {}
    for seat, order in work.each("move", "challenge"):
        name, path = order.args["unit"], order.path
        unit = work.units.get(name)
        if unit is None or unit.owner != seat:
            work.refuse(seat, order, "not-your-unit", "A-16", unit=name)
        elif name in given:
            work.verdict(seat, order, "illegal", "ordered-twice", "A-16", unit=name)
        elif not tables().formations[unit.formation].moves:
            work.verdict(seat, order, "illegal", "garrison", "B-8", unit=name)
        elif not _connected(work, unit.at, path):
            work.verdict(seat, order, "illegal", "not-beside", "B-5", unit=name, at=unit.at)
        elif len(path) > 1 and (not _swift(work, unit) or len(path) > STEPS_A_NIGHT):
            work.verdict(seat, order, "illegal", "too-far", "B-6" if len(path) == STEPS_A_NIGHT else "B-5", unit=name)
        else:
            given[name] = (seat, order)
            blocked = len(path) > 1 and any(
                work.faction_of(other) != work.faction_of(unit) for other in work.units.values() if other.at == path[0]
            )
            goals[name] = path[:1] if blocked else path
    admitted = _admitted(work, {name: path[-1] for name, path in goals.items()})
    for name in admitted:
        work.units[name] = replace(work.units[name], at=goals[name][-1])
    for name, (seat, order) in given.items():
        full = name not in admitted
        short = len(goals[name]) < len(order.path)
        if full:
            work.verdict(seat, order, "fails", "no-room", "B-9", at=goals[name][-1])
            continue
        reason, rule = ("first-leg", "B-7") if short else ("moved", "B-5")
        if order.kind == "challenge":
            work.challenges.append((seat, order))  # what becomes of the request is its verdict
        else:
            work.verdict(seat, order, "succeeds", reason, rule, unit=name, at=goals[name][-1])
        work.events.append(Moved(heard=work.hears(seat), unit=name, owner=seat, path=(before[name], *goals[name])))
    for seat, order in work.each("march"):
        _march(work, seat, order)


def _swift(work: World, unit: Unit) -> bool:
    return swift(work.scenario, work.players[unit.owner].role, unit, work.cycle)


def _connected(work: World, start: str, path: tuple[str, ...]) -> bool:
    here = start
    for estate in path:
        if estate not in work.scenario.neighbours(here):
            return False
        here = estate
    return True


def _admitted(work: World, goals: dict[str, str]) -> list[str]:
    """The units that find room where they go: who stays counts first, then arrivals in the order of work (NB-B-10)."""
    order = list(goals)  # as the orders were read: in the order of work, a player's own as written (NB-A-7)
    refused: set[str] = set()
    while True:
        # A unit that is refused stays, and so may leave no room for another.
        placed = {name: unit for name, unit in work.units.items() if name not in goals or name in refused}
        again = set(refused)
        for name in order:
            if name in refused:
                continue
            unit = work.units[name]
            mine = (one for one in placed.values() if work.faction_of(one) == work.faction_of(unit))
            if room_for(mine, goals[name], unit.formation):
                placed[name] = replace(unit, at=goals[name])
            else:
                again.add(name)
        if again == refused:
            return [name for name in order if name not in refused]
        refused = again


def _march(work: World, seat: SeatId, order: Order) -> None:
    """A forced march: one more estate for a unit of the own faction, if no battle starts where it stands (NB-X-6, NB-X-17)."""
    name, goal = order.args["unit"], order.args["estate"]
    unit = work.units.get(name)
    faction, cost = work.players[seat].faction, price(work, seat, "march")
    envoys = work.free(seat)
    # What he lacks himself is said first: said only of units that can march, it would tell whose they are (NB-K-18).
    if not envoys:
        work.verdict(seat, order, "fails", "no-envoy", "K-12")
        return
    if not work.affords(seat, order, cost):
        return
    if unit is None or work.faction_of(unit) != faction:
        work.refuse(seat, order, "not-your-unit", "X-17", unit=name)
        return
    fault = _no_march(work, unit, name, goal)
    if fault is not None and unit.owner != seat and work.leader(faction) != seat:
        # Why a stranger's unit did not march would tell whose it is, and where (NB-C-9).
        work.refuse(seat, order, "not-your-unit", "X-17", unit=name)
    elif fault is not None:
        result, reason, rule, facts = fault
        work.verdict(seat, order, result, reason, rule, **facts)
    elif work.pays(seat, order, cost):
        work.busy[seat].add(envoys[0].id)
        work.units[name] = replace(unit, at=goal)
        work.marched.add(name)
        work.verdict(seat, order, "succeeds", "marched", "X-6", unit=name, at=goal)
        # Whose unit it is, and where it came from, a fellow who is not the leader does not hear (NB-C-9).
        work.events.append(Moved(heard=work.hears(unit.owner), unit=name, owner=unit.owner, path=(unit.at, goal)))


def _no_march(work: World, unit: Unit, name: str, goal: str) -> tuple[str, str, str, dict[str, str]] | None:
    """Why a unit cannot be marched on: result, reason, rule and facts; None if it can."""
    if not tables().formations[unit.formation].moves:
        return "illegal", "garrison", "X-17", {"unit": name}
    if goal not in work.scenario.neighbours(unit.at):
        return "fails", "not-beside", "X-17", {"unit": name, "at": unit.at}
    if name in work.marched:
        return "fails", "marched-already", "X-6", {"unit": name}
    if battle_starts(work, unit.at):
        return "fails", "battle-starts", "X-6", {"unit": name, "at": unit.at}
    if not work.fits(goal, work.faction_of(unit), unit.formation):
        return "fails", "no-room", "B-9", {"at": goal}
    return None


# 4. Actions (3, abilities, is in `abilities`) -------------------------------------------------------------------------------------


def carry_out_actions(work: World) -> None:
    """Step 4: the common list, in the order of work (NB-A-4, NB-K-12); what a penalty demands comes first (NB-N-3)."""
    for seat in work.in_order():
        do_penance(work, seat)
        for order in work.orders[seat]:
            if order.when == ACTION and order.kind not in ABILITIES:
                if work.players[seat].alive:
                    act(work, seat, order)
                else:
                    work.verdict(seat, order, "void", "dead", "P-16")


# 5. Recruitment -----------------------------------------------------------------------------------------------------


def recruit(work: World) -> None:
    """Step 5: rent is due, units are disbanded, recruited and rented (NB-B-15 to B-21, NB-L-6, NB-L-11)."""
    # By the names of the mercenaries: their units' numbers are drawn by lot, and no rent is to hang on those.
    for name, unit in sorted(work.units.items(), key=lambda one: (one[1].rented or "", one[0])):
        if unit.rented is not None:
            leader = work.leader(work.faction_of(unit))
            rent = of("money", tables().formations[unit.formation].price)
            if leader is not None and work.players[leader].stock.covers(rent):
                work.change(leader, stock=work.players[leader].stock - rent)
            else:
                work.dismiss(name, "unpaid", dies=False)
    for seat in work.in_order():
        for order in work.orders[seat]:
            if not work.players[seat].alive:
                continue
            if order.kind == "disband":
                unit_ = work.units.get(order.args["unit"])
                if unit_ is None or unit_.owner != seat:
                    work.refuse(seat, order, "not-your-unit", "B-21", unit=order.args["unit"])
                else:
                    work.verdict(seat, order, "succeeds", "disbanded", "B-21", unit=order.args["unit"])
                    work.dismiss(order.args["unit"], "disbanded", dies=False)
            elif order.kind == "recruit":
                _recruit(work, seat, order)
            elif order.kind == "hire":
                _hire(work, seat, order)


def filling(work: World, seat: SeatId, formation: str, companies: tuple[str, ...]) -> str | None:
    """What is wrong with the companies of a new unit, as facts for its verdict; None if they fill it."""
    form = tables().formations[formation]
    slots = dict.fromkeys(SLOTS, 0)
    for name in companies:
        design = (
            work.scenario.roles[work.players[seat].role].company if name == "own" else work.scenario.companies[name]
        )
        slots[design.slot] += 1
    wanted = {slot: getattr(form, slot) for slot in SLOTS if slot != "officer"}
    if slots["officer"] or any(slots[slot] != wanted[slot] for slot in wanted):
        return ", ".join(f"{count} {slot}" for slot, count in wanted.items() if count)
    return None


def price_of(scenario: Scenario, role: str, formation: str, companies: tuple[str, ...], officer: int = 0) -> int:
    """The price of a unit in Manpower: its formation, and a tenth of its tiers rounded up (NB-B-15)."""
    tiers = officer
    for name in companies:
        tiers += (scenario.roles[role].company if name == "own" else scenario.companies[name]).tier
    return tables().formations[formation].price + -(-tiers // 10)


def _recruit(work: World, seat: SeatId, order: Order) -> None:
    formation, at, leader = order.args["formation"], order.args["estate"], order.args["leader"]
    player, companies = work.players[seat], order.companies
    faction = work.factions[player.faction]
    noble = leader.removeprefix("noble ") if leader.startswith("noble ") else None
    if work.holding(at).by != seat and not (
        noble is not None and faction.leader == seat and noble in faction.nobles and faction.nobles[noble].at == at
    ):
        work.refuse(seat, order, "not-your-estate", "B-20", at=at)
        return
    wanted = filling(work, seat, formation, companies)
    if wanted is not None:
        work.verdict(seat, order, "illegal", "not-filled", "B-15", formation=formation, wanted=wanted)
        return
    own = companies.count("own")
    fielded = sum(unit.companies.count("own") for unit in work.units.values() if unit.role == player.role)
    if own and not work.has_option(seat, "companies"):
        work.verdict(seat, order, "illegal", "without", "C-3")
        return
    if own + fielded > 2:
        work.verdict(seat, order, "illegal", "own-design-twice", "C-1", fielded=fielded)
        return
    officer, kind, name = 0, leader, ""
    if leader in {"pc", "heir"}:
        heir = player.heir
        led = player.unit if leader == "pc" else (heir.unit if heir is not None else "")
        if at != player.home or led is not None or (leader == "heir" and (heir is None or heir.hostage is not None)):
            work.verdict(seat, order, "fails", "family-away", "P-8", who=leader)
            return
    elif leader == "courtier":
        free = work.free(seat)
        if not free:
            work.verdict(seat, order, "fails", "no-courtier", "K-1")
            return
        name = str(free[0].id)
    elif noble is not None:
        held = faction.nobles.get(noble)
        if held is None or faction.leader != seat or held.unit is not None or held.at != at:
            work.verdict(seat, order, "fails", "no-such-noble", "X-2", noble=noble)
            return
        kind, name = "noble", noble
    elif leader in work.scenario.officers:
        if faction.officers.get(leader) != seat:
            work.verdict(seat, order, "fails", "not-your-officer", "L-10", officer=leader)
            return
        kind, name = "unique", leader
    else:
        design = work.scenario.companies[leader]
        if design.slot != "officer":
            work.verdict(seat, order, "illegal", "no-officer", "B-12", company=leader)
            return
        kind, name, officer = "company", leader, design.tier
    if not work.fits(at, player.faction, formation):
        work.verdict(seat, order, "fails", "no-room", "B-9", at=at)
        return
    cost = price_of(work.scenario, player.role, formation, companies, officer)
    levies = work.levies.get(seat, [])
    if levies:
        cost = max(tables().formations[formation].price, cost - levies[0])
    if not work.pays(seat, order, of("manpower", cost)):
        return
    del levies[:1]
    role = player.role if own else None
    unit = Unit(
        owner=seat,
        formation=formation,
        at=at,
        companies=companies,
        leader=kind,  # type: ignore[arg-type]  # one of the kinds
        name=name,
        recruited=work.cycle,
        role=role,
    )
    new = work.new_unit(seat, unit)
    if kind == "courtier":
        work.post(seat, int(name), post="commander", at=None, what=new)
        work.busy[seat].add(int(name))
    elif kind == "pc":
        work.change(seat, unit=new)
    elif kind == "heir":
        assert player.heir is not None
        work.change(seat, heir=replace(player.heir, unit=new))
    elif kind == "noble":
        nobles = {**faction.nobles, name: replace(faction.nobles[name], unit=new)}
        work.factions[player.faction] = replace(faction, nobles=nobles)
    elif kind == "unique":
        left = {one: whose for one, whose in faction.officers.items() if one != name}
        work.factions[player.faction] = replace(faction, officers=left)
    work.verdict(seat, order, "succeeds", "recruited", "B-15", unit=new, price=cost)
    work.events.append(
        Raised(heard=work.hears(seat), unit=new, owner=seat, formation=formation, at=at, price=of("manpower", cost))
    )


def _hire(work: World, seat: SeatId, order: Order) -> None:
    """Rented units appear on the leader's Home or the assignee's (NB-L-6, NB-L-11)."""
    name, to = order.args["mercenaries"], order.args["seat"]
    faction = work.players[seat].faction
    pool = work.scenario.mercenaries[name]
    companies = counted(pool.companies)
    officer = next(one for one in companies if work.scenario.companies[one].slot == "officer")
    rest = tuple(one for one in companies if one != officer)
    tiers = sum(work.scenario.companies[one].tier for one in companies)
    cost = of("money", tables().formations[pool.formation].price + -(-tiers // 10))
    home = work.players[to].home or ""
    if work.leader(faction) != seat:
        work.verdict(seat, order, "illegal", "not-leader", "L-6")
    elif work.players[to].faction != faction or not work.players[to].alive:
        work.verdict(seat, order, "fails", "not-of-faction", "L-6", seat=to)
    elif any(unit.rented == name for unit in work.units.values()) or work.away.get(name, 0) > work.cycle:
        work.verdict(seat, order, "fails", "rented", "L-11", mercenaries=name)
    elif work.holding(home).by != to:
        work.verdict(seat, order, "fails", "home-lost", "E-16", at=home)
    elif not work.fits(home, faction, pool.formation):
        work.verdict(seat, order, "fails", "no-room", "B-9", at=home)
    elif work.pays(seat, order, cost):
        unit = Unit(
            owner=to, formation=pool.formation, at=home, companies=rest, leader="company", name=officer,
            recruited=work.cycle, rented=name,
        )  # fmt: skip
        new = work.new_unit(to, unit)
        work.verdict(seat, order, "succeeds", "hired", "L-6", unit=new, price=str(cost))
        heard = work.hears(seat, to)
        work.events.append(
            Raised(heard=heard, unit=new, owner=to, formation=pool.formation, at=home, price=cost, rented=name)
        )


# 6. Combat ----------------------------------------------------------------------------------------------------------


def fight(work: World) -> None:
    """Step 6: combat, estate by estate (NB-A-8), then who controls it (NB-E-11 to E-16)."""
    leaders.challenge(work)
    for estate in work.scenario.estates:
        if work.units_at(estate):
            _combat(work, estate)
            _control(work, estate)


def _combat(work: World, estate: str) -> None:
    sides = camps(work, estate)
    if len(sides) < 2:
        return
    ordered = []
    for label, side in sides.items():
        total = Strength()
        for name in side.units:
            total += work.strength(name)
        lords = {work.units[name].owner for name in side.units}
        # A Star Fortress protects who defends his own Home with it (NB-G-5).
        safe = any(
            one in work.players and work.players[one].home == estate and work.works(one, "star fortress")
            for one in lords
        )
        ordered.append(Side(label, total, safe))

    def hostile(one: str, other: str) -> bool:
        return must_fight(work, estate, sides[one], sides[other])

    fights = battle(ordered, hostile)
    morale = {label: one.strength.morale for label, one in zip(sides, ordered, strict=True)}
    for one in fights:
        morale[one.sides[0]], morale[one.sides[1]] = one.left
    # Who has no Morale to begin with is lost without a fight where it would have to fight (battle procedure, 2).
    undone = [
        label for label in sides if morale[label] <= 0 and any(hostile(label, two) for two in sides if two != label)
    ]
    part = [label for label in sides if label in undone or any(label in one.sides for one in fights)]
    if not part:
        return
    told = tuple(BattleSide(name=label, factions=sides[label].factions, units=sides[label].units) for label in part)
    heard = work.hears(*(work.units[name].owner for label in part for name in sides[label].units))
    if fights:
        work.events.append(Battle(heard=heard, at=estate, sides=told, fights=fights))
    # Everybody hears who fought, in an order that tells nothing of whose the estate is (NB-Y-7).
    known = tuple(sorted(part, key=lambda label: work.scenario.prestige(sides[label].factions[0])))
    work.events.append(Rumour(at=estate, sides=known, left=tuple(label for label in known if morale[label] > 0)))
    for label in part:
        if morale[label] <= 0:
            for name in sorted(sides[label].units, key=lambda unit: (_falls(work, unit), unit)):
                if name in work.units:
                    work.dismiss(name, "destroyed", dies=True)


def _falls(work: World, name: str) -> int:
    """When a unit is removed among those of its side that are lost together, so that none of them has anything of another (NB-P-16).

    The numbers of units, which are drawn by lot, say nothing of it.
    """
    unit = work.units[name]
    if unit.leader == "heir":
        return 0  # nor does he take the place of his player, who falls with him (NB-P-4)
    if unit.leader != "pc":
        return 1  # the Courtier in command is at home before his player dies
    return 3 if unit.owner == work.leader(work.faction_of(unit)) else 2


def _control(work: World, estate: str) -> None:
    """Whether the owner loses an estate, or a player gets his Home back (NB-E-11 to E-13, NB-E-16)."""
    here = {work.faction_of(work.units[name]) for name in work.units_at(estate)}
    owner, by = work.faction_at(estate), work.holding(estate).by
    if owner is not None and estate not in work.open:
        defended = any(work.relation(owner, faction) == "allied" for faction in here)
        # Who holds a hostage takes no control of the giver's own estates (NB-P-15).
        takers = {
            work.faction_of(unit)
            for unit in (work.units[name] for name in work.units_at(estate))
            if by not in work.players or not work.spares(unit.owner, by)
        }
        if not defended and any(work.relation(owner, faction) == "hostile" for faction in takers):
            work.lose_control(estate)
    lord = work.home_of(estate)
    lost = lord is not None and work.players[lord].alive and work.holding(estate).by != lord
    if lord is not None and lost and estate not in work.open:
        mine = work.players[lord].faction
        # Another faction that still has it is Neutral or allied, and keeps it (NB-H-6, NB-H-10).
        if here == {mine} and work.faction_at(estate) in {None, mine}:
            if work.holding(estate).by is not None:
                work.lose_control(estate, seized=False)  # his own faction's people there go home
            work.hold(estate, by=lord)
            work.events.append(Control(heard=work.hears(lord), at=estate, by=lord))


# 7. Buildings -------------------------------------------------------------------------------------------------------


def complete_buildings(work: World) -> None:
    """Step 7: what was ordered in the Night before is complete (NB-G-7)."""
    for estate in work.scenario.estates:
        holding = work.holding(estate)
        done = [name for name, due in sorted(holding.buildings.items()) if due == work.cycle]
        if done:
            work.hold(estate, buildings={name: 0 if name in done else due for name, due in holding.buildings.items()})
            owner = holding.by if holding.by in work.players else None
            work.events.extend(Built(heard=work.hears(owner), at=estate, building=name) for name in done)


# 8. Courtiers and family --------------------------------------------------------------------------------------------


def post_courtiers(work: World) -> None:
    """Step 8: who is not in command moves or takes a post (NB-K)."""
    work.mastered = {seat for seat in work.living() if work.works(seat, "spymaster")}
    for seat, one in work.posted("overseer"):
        if work.holding(one.at or "").buildings.get(one.what or "") == 0:
            work.send_home(seat, one.id)
    for seat, order in work.each(*POSTS):
        POSTS[order.kind](work, seat, order)


def _tax(work: World, seat: SeatId, order: Order) -> None:
    resource, at = order.args["resource"], order.args["estate"]
    by = work.holding(at).by
    steward = next((one for whose, one in work.posted("steward", at) if whose == seat), None)
    faction = work.players[seat].faction
    turned = by == faction and steward is not None
    if by != seat and not turned:
        work.refuse(seat, order, "not-your-estate", "F-2", at=at)
    elif turned and len([one for one in work.controlled(seat) if one != work.players[seat].home]) >= work.room(seat):
        work.verdict(seat, order, "fails", "no-more-estates", "E-5", at=at)
    elif not getattr(work.base(at), resource):
        work.verdict(seat, order, "fails", "nothing-to-tax", "F-2", at=at)
    elif work.posted("tax", at, resource):
        work.verdict(seat, order, "fails", "post-taken", "F-2", at=at)
    else:
        if steward is not None:
            number = steward.id  # the Steward becomes the Tax Collector (NB-E-8, K-5)
        elif free := work.free(seat):
            number = free[0].id
        else:
            work.verdict(seat, order, "fails", "no-courtier", "K-1")
            return
        if turned:
            work.hold(at, by=seat)
            work.events.append(Control(heard=work.hears(seat), at=at, by=seat, before=faction))
        work.post(seat, number, post="tax", at=at, what=resource)
        work.busy[seat].add(number)
        work.verdict(seat, order, "succeeds", "posted", "E-8" if turned else "F-2", at=at)


def _lobby(work: World, seat: SeatId, order: Order) -> None:
    resource, at = order.args["resource"], order.args["estate"]
    if work.holding(at).by == seat and not getattr(work.base(at), resource):
        work.verdict(seat, order, "fails", "nothing-to-tax", "F-4", at=at)
    elif not [1 for whose, _ in work.posted("tax", at, resource) if whose == seat]:
        work.verdict(seat, order, "fails", "no-collector", "F-4", at=at)
    elif work.posted("lobby", at, resource):
        work.verdict(seat, order, "fails", "post-taken", "F-5", at=at)
    else:
        _takes_post(work, seat, order, "lobby", at, resource, "F-4")


def _takes_post(work: World, seat: SeatId, order: Order, post: str, at: str, what: str | None, rule: str) -> bool:
    free = work.free(seat)
    if not free:
        work.verdict(seat, order, "fails", "no-courtier", "K-1")
        return False
    work.post(seat, free[0].id, post=post, at=at, what=what)
    work.busy[seat].add(free[0].id)
    work.verdict(seat, order, "succeeds", "posted", rule, at=at)
    return True


def _steward(work: World, seat: SeatId, order: Order) -> None:
    """A Steward takes an estate for his faction, or serves on one that it has (NB-E-6, E-9, E-18, F-3, K-18).

    Of an estate that is not his own, and where no unit of his is, a player learns nothing by asking.
    """
    at = order.args["estate"]
    by, faction = work.holding(at).by, work.players[seat].faction
    here = [work.units[name] for name in work.units_at(at)]
    own = by == seat or (by == faction and work.leader(faction) == seat)
    if not own and not any(unit.owner == seat for unit in here):
        work.verdict(seat, order, "fails", "no-unit-there", "E-6", at=at)
    elif by not in {None, seat, faction}:
        work.verdict(seat, order, "fails", "controlled", "E-6", at=at)
    elif work.posted("steward", at):
        work.verdict(seat, order, "fails", "post-taken", "F-3", at=at)
    elif work.posted("tax", at):
        work.verdict(seat, order, "fails", "collectors-there", "F-3", at=at)
    elif any(noble.at == at for one in work.factions.values() for noble in one.nobles.values()):
        work.verdict(seat, order, "fails", "post-taken", "X-2", at=at)
    elif by is not None:
        _takes_post(work, seat, order, "steward", at, None, "F-3")
    elif any(work.faction_of(unit) != faction for unit in here):
        work.verdict(seat, order, "fails", "others-there", "E-6", at=at)
    elif _takes_post(work, seat, order, "steward", at, None, "E-7"):
        work.hold(at, by=faction)
        work.events.append(Control(heard=work.hears(seat), at=at, by=faction))


def _hand(work: World, seat: SeatId, order: Order) -> None:
    """A Steward hands his faction's estate to the Heir, who holds it for his player; the Steward is free (NB-K-5, K-17)."""
    at, player = order.args["estate"], work.players[seat]
    steward = next((one for whose, one in work.posted("steward", at) if whose == seat), None)
    if steward is None:
        work.verdict(seat, order, "fails", "no-steward", "K-17", at=at)
    elif work.holding(at).by != player.faction:
        work.refuse(seat, order, "not-the-factions", "K-17", at=at)
    elif player.heir is None or player.heir.hostage is not None:
        work.verdict(seat, order, "fails", "no-heir", "K-17")
    elif len([one for one in work.controlled(seat) if one != player.home]) >= work.room(seat):
        work.verdict(seat, order, "fails", "no-more-estates", "E-5", at=at)
    else:
        work.hold(at, by=seat)
        work.send_home(seat, steward.id)
        work.busy[seat].add(steward.id)
        work.verdict(seat, order, "succeeds", "handed", "K-17", at=at)
        work.events.append(Control(heard=work.hears(seat), at=at, by=seat, before=player.faction))


def _staff(work: World, seat: SeatId, order: Order) -> None:
    building, at = order.args["building"], order.args["estate"]
    due = work.holding(at).buildings.get(building)
    if work.holding(at).by != seat:
        work.refuse(seat, order, "not-your-estate", "G-6", at=at)
    elif due is None or due > 0:
        work.verdict(seat, order, "fails", "not-built", "G-7", building=building, at=at)
    elif len(work.posted("staff", at, building)) >= tables().buildings[building].staff:
        work.verdict(seat, order, "fails", "post-taken", "G-6", at=at)
    else:
        _takes_post(work, seat, order, "staff", at, building, "G-9")


def _spy(work: World, seat: SeatId, order: Order) -> None:
    """A Spy goes up to two estates, from where he is or from home (NB-K-8, K-9, G-3, C-20)."""
    start, path = order.args["estate"], order.path
    mine = [
        one
        for one in work.players[seat].courtiers
        if one.post == "spy" and one.at == start and one.id not in work.busy[seat]
    ]
    fresh = not mine and start == work.players[seat].home
    far = len(path) > STEPS_A_NIGHT + work.reach[seat] and seat not in work.mastered
    if not mine and not fresh:
        work.verdict(seat, order, "fails", "no-spy", "K-8", at=start)
    elif not _connected(work, start, path):
        work.verdict(seat, order, "illegal", "not-beside", "K-9", at=start)
    elif far:
        work.verdict(seat, order, "illegal", "too-far", "K-8")
    elif fresh and not work.free(seat):
        work.verdict(seat, order, "fails", "no-courtier", "K-1")
    else:
        number = mine[0].id if mine else work.free(seat)[0].id
        work.post(seat, number, post="spy", at=path[-1], what=None)
        work.busy[seat].add(number)
        work.ways[seat, number] = path
        work.verdict(seat, order, "succeeds", "spying", "K-8", at=path[-1])


def _lead(work: World, seat: SeatId, order: Order) -> None:
    """A Player Character or Heir takes over from an officer a unit on the Home Estate (NB-P-8); others are bound (NB-K-6)."""
    name, who = order.args["unit"], order.args["family"]
    unit, player = work.units.get(name), work.players[seat]
    heir = player.heir
    away = player.unit is not None if who == "pc" else heir is None or heir.unit is not None or heir.hostage is not None
    if unit is None or unit.owner != seat:
        work.refuse(seat, order, "not-your-unit", "P-8", unit=name)
    elif away or unit.at != player.home:
        work.verdict(seat, order, "fails", "family-away", "P-8", who=who)
    elif unit.leader in {"pc", "heir"}:
        work.verdict(seat, order, "fails", "led-already", "P-8", unit=name)
    elif unit.leader in BOUND:
        work.verdict(seat, order, "fails", "commander-bound", "K-6", unit=name, commander=unit.leader)
    else:
        work.bereave(name, unit, dies=False)
        work.units[name] = replace(unit, leader="pc" if who == "pc" else "heir", name="")
        if who == "pc":
            work.change(seat, unit=name)
        elif heir is not None:
            work.change(seat, heir=replace(heir, unit=name))
        work.verdict(seat, order, "succeeds", "leads", "P-8", unit=name, who=who)


def _leave(work: World, seat: SeatId, order: Order) -> None:
    name = order.args["unit"]
    unit = work.units.get(name)
    if unit is None or unit.owner != seat or unit.leader not in {"pc", "heir"}:
        work.refuse(seat, order, "not-your-unit", "P-8", unit=name)
    elif unit.at != work.players[seat].home:
        work.verdict(seat, order, "fails", "family-away", "P-8", who=unit.leader)
    else:
        work.bereave(name, unit, dies=False)
        work.units[name] = replace(unit, leader="company", name=BASIC)
        work.verdict(seat, order, "succeeds", "left", "P-8", unit=name)


def _message(work: World, seat: SeatId, order: Order) -> None:
    """A Messenger reaches players of his own faction alone; who sent him learns only that he went (NB-K-10, K-11, FS-21)."""
    to = order.args["seat"]
    free = work.free(seat)
    if not free:
        work.verdict(seat, order, "fails", "no-courtier", "K-1")
        return
    work.busy[seat].add(free[0].id)
    # The same answer whoever it is for: else ten messages in a Night would tell a player who is of their faction.
    work.verdict(seat, order, "succeeds", "sent", "K-11", seat=to)
    if to != seat and work.players[to].faction == work.players[seat].faction and work.players[to].alive:
        work.events.append(Message(heard=(to,), by=seat, to=to, text=order.args["text"][:500]))


def _recall(work: World, seat: SeatId, order: Order) -> None:
    at, what = order.args["estate"], order.args.get("building")
    post, rule = ("staff", "G-9") if order.kind == "recall staff" else ("spy", "K-8")
    # Who was posted or moved tonight has had his assignment of this cycle, and who is recalled has it with that (NB-K-1, K-8).
    mine = [
        one
        for one in work.players[seat].courtiers
        if (one.post, one.at) == (post, at) and what in {None, one.what} and one.id not in work.busy[seat]
    ]
    if not mine:
        work.verdict(seat, order, "fails", "nobody-there", rule, at=at)
        return
    work.send_home(seat, mine[0].id)
    work.busy[seat].add(mine[0].id)
    work.verdict(seat, order, "succeeds", "recalled", rule, at=at)


POSTS = {
    "tax": _tax, "lobby": _lobby, "steward": _steward, "hand": _hand, "staff": _staff, "spy": _spy, "lead": _lead, "leave": _leave,
    "recall staff": _recall, "recall spy": _recall, "message": _message,
}  # fmt: skip


# 9. Income ----------------------------------------------------------------------------------------------------------


def collect(work: World) -> None:
    """Step 9: income of estates and companies, Universities, and what leaders share (NB-F, NB-G-9)."""
    found: dict[SeatId, list[Yield]] = {seat: [] for seat in work.living()}
    taxes, lobbies, stewards = (work.posted_at(post) for post in ("tax", "lobby", "steward"))
    manned: set[str | None] = {*taxes, *stewards}
    manned |= {noble.at for faction in work.factions.values() for noble in faction.nobles.values()}
    manned |= {*work.plundered, *(work.players[seat].home for seat in work.gathered)}
    for estate in work.scenario.estates:
        if estate not in manned:
            continue  # nobody is there to bring anything home
        base = work.base(estate)
        amounts = {name: 0 if (estate, name) in work.bribed else getattr(base, name) for name in RESOURCES}
        taker = raider(work, estate)
        if taker is not None:
            harm(work, "plunder", estate, "")
            if any(amounts.values()):
                found[taker].append(Yield(of=estate, amount=Stock(**amounts)))
            continue
        collectors = taxes.get(estate, [])
        lobbied = {one.what for _, one in lobbies.get(estate, ())}
        gained: dict[SeatId, Stock] = {}
        for seat, one in collectors:
            resource: Resource = one.what  # type: ignore[assignment]  # a Tax Collector has one
            amount = amounts[resource]
            if amount and resource in lobbied:
                amount += 2
            gained[seat] = gained.get(seat, Stock()) + of(resource, amount)
        lord = work.home_of(estate)
        if lord is not None and lord in found and (more := gathered(work, lord)):
            gained[lord] = gained.get(lord, Stock()) + more
        for seat, amount_ in gained.items():
            if amount_:
                found[seat].append(Yield(of=estate, amount=amount_))
        seated = [seat for seat, _ in stewards.get(estate, ())]
        seated += [
            leader
            for name, faction in sorted(work.factions.items())
            if (leader := faction.leader) is not None and any(noble.at == estate for noble in faction.nobles.values())
        ]
        if seated and not collectors:
            by = work.holding(estate).by
            to = by if by in work.players else work.leader(by) if by is not None else None
            little = Stock(**{name: 1 for name in RESOURCES if amounts[name]})
            if to is not None and little:
                found[to].append(Yield(of=estate, amount=little))
    for name, unit in sorted(work.units.items()):
        colours = Stock()
        for company in work.designs(unit):
            colour = work.company(unit, company).colour
            if colour is not None:
                colours += of(COLOURS[colour], 1)
        if colours:
            found.setdefault(unit.owner, []).append(Yield(of=name, amount=colours))
    for seat, sources in found.items():
        if seat not in work.players:
            continue
        total = Stock()
        for one_ in sources:
            total += one_.amount
        work.gives(seat, total)
        if sources:
            work.events.append(Earned(heard=(seat,), seat=seat, sources=tuple(sources), total=total))
    for seat in work.living():
        for estate in work.controlled(seat):
            if work.works(seat, "university", estate):
                number = work.new_courtier(seat)
                work.events.append(Trained(heard=(seat,), seat=seat, courtier=number))
    leaders.pay_debts(work)
    for seat, order in work.each("share"):
        _share(work, seat, order)
    leaders.pay(work)


def _share(work: World, seat: SeatId, order: Order) -> None:
    to, amount = order.args["seat"], order.amounts
    if work.leader(work.players[seat].faction) != seat:
        work.verdict(seat, order, "fails" if led_by(work.start.factions, seat) else "illegal", "not-leader", "F-13")
    elif to == seat or work.players[to].faction != work.players[seat].faction or not work.players[to].alive:
        work.verdict(seat, order, "fails", "not-of-faction", "F-12", seat=to)
    elif work.pays(seat, order, amount):
        work.gives(to, amount)
        work.verdict(seat, order, "succeeds", "shared", "F-12", seat=to)
        work.events.append(Shared(heard=tuple(sorted((seat, to))), by=seat, to=to, amount=amount))


# 10. Spies ----------------------------------------------------------------------------------------------------------


def report_spies(work: World) -> None:
    """Step 10: what Spies saw, as it stands after step 8 (NB-K-8, K-9)."""
    for seat in work.living():
        found: list[Seen] = []
        for one in work.players[seat].courtiers:
            if one.post == "spy" and one.at is not None:
                path = work.ways.get((seat, one.id), (one.at,))
                estates = tuple(_seen(work, estate) for estate in path)
                work.events.append(SpyReport(heard=(seat,), seat=seat, spy=one.id, estates=estates))
                found.extend(estates)
        by_place = {one.at: one for one in found}
        work.change(seat, reports=tuple(by_place[at] for at in sorted(by_place)))


COMMANDERS = {
    "company": "an officer", "courtier": "a courtier", "pc": "a player", "heir": "an heir", "noble": "a noble",
    "unique": "a famous officer",
}  # fmt: skip


def _seen(work: World, estate: str) -> Seen:
    units = tuple(
        SeenUnit(unit=name, faction=work.faction_of(unit), formation=unit.formation, commander=COMMANDERS[unit.leader])
        for name in work.units_at(estate)
        for unit in (work.units[name],)
    )
    return Seen(at=estate, by=work.holding(estate).by, income=work.base(estate), units=units)


# The end of a Night -------------------------------------------------------------------------------------------------


def win(work: World) -> None:
    """Whether anybody has won: all factions that meet a condition at the same check win together (NB-V-10)."""
    won: dict[str, str] = {}
    held = [work.faction_at(estate) for estate in work.scenario.prizes]
    alive = [faction for faction in work.factions if work.living(faction)]
    for faction in alive:
        mine = held.count(faction)
        allied = [other for other in alive if other != faction and work.relation(faction, other) == "allied"]
        theirs = max((held.count(other) for other in allied), default=0)
        if mine == 4 or (mine == 3 and theirs == 1):
            won[faction] = "military"
        elif mine == 2 and theirs == 2:
            won[faction] = "alliance"
        elif _noble_count(work, faction) >= work.start.settings.nobles:
            won[faction] = "dynastic"
        elif supreme(work, faction):
            won[faction] = "supremacy"
    finish(work, won)


def _noble_count(work: World, faction: str) -> int:
    """Nobles, and hostages held, which count as Nobles for this alone (NB-P-11, P-15)."""
    hostages = sum(
        player.heir is not None
        and player.heir.hostage is not None
        and work.players[player.heir.hostage].faction == faction
        for player in work.players.values()
    )
    return len(work.factions[faction].nobles) + hostages


def supreme(work: World, faction: str) -> bool:
    """More living players and Heirs with a faction than with all others (NB-V-5 to V-7)."""
    mine = others = 0
    for player in work.players.values():
        if not player.alive:
            continue
        mine += player.faction == faction
        others += player.faction != faction
        heir = player.heir
        if heir is not None:
            sides = {player.faction, heir.other}
            if heir.hostage is not None:
                sides = {work.players[heir.hostage].faction}
            mine += faction in sides
            others += faction not in sides
    return mine > others


def finish(work: World, won: dict[str, str]) -> None:
    """Says who won, if anybody did."""
    if not won:
        return
    for faction, how in won.items():
        work.events.append(Victory(faction=faction, how=how))  # type: ignore[arg-type]  # one of four
    winners = tuple(seat for seat in sorted(work.players) if work.players[seat].faction in won)
    hows = sorted(set(won.values()))
    rule = {"military": "NB-V-1", "alliance": "NB-V-2", "dynastic": "NB-V-3", "supremacy": "NB-V-5"}[hows[0]]
    when = f"{work.start.phase.value.capitalize()} {work.cycle}"
    work.ended = Ending(how=" and ".join(hows), winners=winners, when=when, rule=rule)


NIGHT = (
    begin,
    move_units,
    use_abilities,
    carry_out_actions,
    recruit,
    fight,
    complete_buildings,
    post_courtiers,
    collect,
    report_spies,
    leaders.end_with_the_cycle,
    note_deeds,
    win,
)
"""A Night reads as NB-A-3 says."""


def resolve_night(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Works out a Night. Nothing in it is random but the numbers of new units."""
    work = World(position, sheets, dice)
    work.read((MOVEMENT, ACTION, RECRUITING, POSTING, SHARING))
    for step in NIGHT:
        step(work)
    for seat, orders in work.orders.items():
        for order in orders:
            if order.number not in work.results:
                work.verdict(seat, order, "void", "dead", "P-16")
    work.verdicts.sort(key=lambda verdict: verdict.seat)
    after = work.position(phase=Phase.DAY)
    return Resolution(after, tuple(work.verdicts), work.told(), work.ended)
