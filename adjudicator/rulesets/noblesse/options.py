"""Orders that a seat may give, as far as its view shows: for checking sheets, the order desk and stand-ins.

Nobody could list all ways to fill a unit, so `options` offers a few for each formation.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from adjudicator.core.contract.cautions import Caution, remarks
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.rulesets.noblesse.abilities import is_swift
from adjudicator.rulesets.noblesse.acts import ACTS, DAY
from adjudicator.rulesets.noblesse.day import FIRST_UNIT, POINTS, first_unit_order
from adjudicator.rulesets.noblesse.night import COMMANDERS
from adjudicator.rulesets.noblesse.orders import ABILITIES, ASKS, FORM_OF, Order, Sheet, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import OPTIONS, Phase, Player, Position, led_by
from adjudicator.rulesets.noblesse.posts import BOUND
from adjudicator.rulesets.noblesse.prose import why
from adjudicator.rulesets.noblesse.recruiting import price_of
from adjudicator.rulesets.noblesse.resolve import DEEDS
from adjudicator.rulesets.noblesse.scenario import ABILITY, RESOURCES, Effect, Priced, Scenario, Stock, tables
from adjudicator.rulesets.noblesse.treaties import (
    DEMANDED,
    Expiration,
    Penalty,
    Promise,
    Proposal,
    State,
    faults,
    may_name,
    other_party,
)
from adjudicator.rulesets.noblesse.work import Work

HEIR = COMMANDERS["heir"]
"""The word for an Heir who leads a unit, in Spies' reports (NB-K-9)."""


def check(position: Position, seat: SeatId, sheet: Sheet) -> tuple[Remark, ...]:
    """Faults in a sheet, as far as its player can know them before the deadline."""
    by_phase = _setup_remarks if position.phase is Phase.SETUP else _late_remarks
    found = (*_order_remarks(position, seat, sheet), *_treaty_remarks(position, seat, sheet))
    return (*found, *by_phase(position, seat, sheet))


def _order_remarks(position: Position, seat: SeatId, sheet: Sheet) -> Iterator[Remark]:
    by_day, reader = position.phase is Phase.DAY, reader_of(position.settings.board)
    # A view that is not the seat's own lacks what is needed to judge its orders.
    work = Work(position, {}, GivenDice({})) if position.players[seat].role else None
    seen: dict[tuple[str, ...], str] = {}
    for index, (order, line) in enumerate(map(reader.written, sheet.orders)):
        path = ("orders", index)
        if isinstance(order, Order):
            key = reader.lines.once_key(ACTS.by_kind[order.kind].form, order.args)
            assert key is not None
            if key in seen:
                yield Remark(path, f"{line}: you already have “{seen[key]}”", "keep one of them")
                continue
            seen[key] = line
        if isinstance(order, Unreadable):
            yield Remark(path, order.what, order.right)
        elif position.phase is Phase.SETUP:
            yield Remark(path, f"{line}: there are no orders before the first Night (NB-C-2)", "leave it out")
        elif order.kind in ABILITIES and _kind_of_ability(position, seat, order) not in {order.kind, None}:
            yield Remark(path, f"{line}: that ability of yours does something else (NB-C-1)", "see your role")
        elif (order.when == DAY) != by_day:
            yield Remark(
                path, f"{line}: this cannot be done by {'day' if by_day else 'night'} (NB-Y-6)", "leave it out"
            )
        elif work is not None and (vain := _vain_reason(position, work, seat, order)) is not None:
            yield Remark(path, f"{line}: {vain}", "leave it out, unless you know better", level="warning")
        elif order.kind in OWN_UNITS and position.players[seat].role:
            mine = [id_ for id_, unit in position.units.items() if unit.owner == seat]
            if order.args["unit"] not in mine:
                what = f"{line}: {order.args['unit']} is not one of your units as things stand"
                right = f"you have {', '.join(mine)}" if mine else "you have no unit"
                yield Remark(path, what, right, level="warning")


def _treaty_remarks(position: Position, seat: SeatId, sheet: Sheet) -> Iterator[Remark]:
    for index, proposal in enumerate(sheet.treaties):
        if position.phase is Phase.SETUP:
            yield Remark(("treaties", index), "there are no treaties before the first Night (NB-C-2)", "leave it out")
            continue
        if position.players[seat].role and led_by(position.factions, seat) is None:
            yield Remark(("treaties", index), "only leaders make treaties (NB-T-1)", "leave it out")
        for inside, what, right in faults(proposal, position.settings.board, position.players[seat].faction):
            yield Remark(("treaties", index, *inside), what, right)


def _late_remarks(position: Position, seat: SeatId, sheet: Sheet) -> Iterator[Remark]:
    """Remarks on choices for the setup, once it is over."""
    for name, chosen in sheet.choices.items():
        if chosen:
            yield Remark((name,), "this can be chosen only before the first Night (NB-C-2)", "leave it out")


def _setup_remarks(position: Position, seat: SeatId, sheet: Sheet) -> Iterator[Remark]:
    scenario = position.settings.board
    player = position.players[seat]
    allowed = scenario.start(player.faction) if player.faction else ()
    for index, home in enumerate(sheet.homes):
        if allowed and home.strip().upper() not in allowed:
            what = f"{home!r:.20} is not one of your squares (NB-C-1)"
            yield Remark(("homes", index), what, f"choose from {allowed[0]} to {allowed[-1]}")
    yield from remarks(cautions(position, seat), sheet, ())
    if sheet.unit is not None:
        order = first_unit_order(reader_of(scenario), "A1", sheet.unit)
        if isinstance(order, Unreadable):
            yield Remark(("unit",), order.what, order.right)


def cautions(view: Position, seat: SeatId) -> tuple[Caution, ...]:
    """Cautions about a setup sheet: an income that does not add up to the right sum (NB-E-1)."""
    if view.phase is not Phase.SETUP:
        return ()
    return (
        Caution(
            place="income",
            what=f"the income of your Home does not add up to {POINTS} points (NB-E-1)",
            right=f"give {POINTS} points in all",
            level="error",
            filled=("income",),
            sums={"income": POINTS},
        ),
    )


OWN_UNITS = frozenset({"move", "disband"})
"""Orders that only the owner of a unit may give."""


def _vain_reason(position: Position, work: Work, seat: SeatId, order: Order) -> str | None:
    """Return why an order cannot succeed, as far as the seat can know; None if it might."""
    fault = DEEDS[order.kind].fault(work, seat, order)
    if fault is not None and (fault.known or fault.likely):
        verdict = work.verdict(seat, order, fault.result, fault.reason, fault.rule, **fault.facts)
        return f"{why(verdict)}{', as things stand' if fault.likely else ''} ({verdict.rule})"
    if order.kind == "incapacitate":
        seen = [unit for report in position.players[seat].reports for unit in report.units]
        if any((unit.unit, unit.commander) == (order.args["unit"], HEIR) for unit in seen):
            return "an Heir led it when your Spy saw it, and no paid action removes an Heir (NB-P-6)"
    if order.kind == "ability at":
        player, at = position.players[seat], order.args["estate"]
        woos = order.option in _abilities_with(position, player, "win over")
        if woos and at not in _estates_with_post(player, "spy"):
            # A Spy who is sent tonight comes too late, because Spies move in step 8 (NB-A-10).
            return f"you have no Spy at {at}, and can win over an Heir only where you have one (NB-C-26)"
    return None


def _kind_of_ability(position: Position, seat: SeatId, order: Order) -> str | None:
    """The kind of order that uses one of the player's abilities; None if their role is not known."""
    role = position.players[seat].role
    return FORM_OF[position.settings.board.ability(role, order.option).effect] if role else None


# Options ------------------------------------------------------------------------------------------------------------


def options(position: Position, seat: SeatId) -> Iterable[Sheet]:
    """Orders that a seat may give, as far as it can know, each on a separate sheet."""
    player = position.players.get(seat)
    if player is None or not player.alive:
        return
    if not player.role:
        # A view that is not the seat's own, as on the order desk: the court is hidden, and only votes can be offered.
        if position.phase is Phase.DAY:
            yield from (
                Sheet(orders=(f"Vote {name}",))
                for name, other in position.players.items()
                if other.alive and name != seat
            )
            yield Sheet(orders=("Vote night",))
        return
    if position.phase is Phase.SETUP:
        yield from _setup_options(position.settings.board, player)
    elif position.phase is Phase.DAY:
        for line in _day_orders(position, seat):
            yield _sheet_of(line)
        yield from (Sheet(treaties=(proposal,)) for proposal in _proposals(position, seat))
    else:
        for line in dict.fromkeys(_night_orders(position, seat, player)):
            yield _sheet_of(line)
        yield from (Sheet(treaties=(proposal,)) for proposal in _proposals(position, seat))


@functools.lru_cache(maxsize=20_000)
def _sheet_of(line: str) -> Sheet:
    """A sheet with one order, cached because the options of all seats and Nights are much alike."""
    return Sheet(orders=(line,))


def _proposals(position: Position, seat: SeatId) -> Iterator[Proposal]:
    """A few of the many treaties that a leader may propose."""
    mine = led_by(position.factions, seat)
    if mine is None:
        return
    scenario = position.settings.board
    row = scenario.factions[mine].start[0][0]
    peace = Promise(form="enter", will=False, estates=(row,), cycles=3)
    tribute = Promise(form="pay", amounts=Stock(money=1), cycles=2)
    quiet = Promise(form="votes", will=False, who=(seat,), cycles=3)
    truce = Promise(form="control", will=False, estates=scenario.prizes[:1], cycles=4)
    mercy = Promise(form="actions", will=False, actions=("assassin", "knife"), cycles=4)
    fine, bare = Penalty(form="pays", amounts=Stock(money=2)), Penalty(form="reveals", facts=("roles", "estates"))
    over, on = Penalty(form="ends", cycles=1), Penalty(form="lasts", cycles=2)
    for other in scenario.factions:
        if other == mine:
            continue
        calm = Promise(form="battle", will=False, factions=(other,), cycles=3)
        third = tuple(name for name in scenario.factions if name not in {mine, other})[:1]
        alone = Penalty(form="treaties", will=False, factions=third)
        kinds: tuple[tuple[State | None, str, Promise, Promise, Penalty, Expiration], ...] = (
            ("neutral", "Peace between us.", peace, peace, fine, Expiration(form="cycles", number=4)),
            ("allied", "One table, one sword.", peace, peace, over, Expiration(form="breach", number=1)),
            (None, "", peace, tribute, fine, Expiration(form="all kept")),
            ("neutral", "Nobody takes the middle.", truce, truce, bare, Expiration(form="one kept")),
            (None, "", mercy, quiet, alone, Expiration(form="members", faction=other, number=3)),
            ("neutral", "No blood this season.", calm, mercy, on, Expiration(form="action", action="assassin")),
        )
        for state, intent, ours, theirs, penalty, end in kinds:
            yield Proposal(
                to=other, state=state, intent=intent, mine=(ours,), theirs=(theirs,), penalties=(penalty,), ends=(end,)
            )


def _setup_options(scenario: Scenario, player: Player) -> Iterator[Sheet]:
    for estate in scenario.start(player.faction) if player.faction else ():
        yield Sheet(homes=(estate,))
    for influence in range(POINTS + 1):
        for manpower in range(POINTS + 1 - influence):
            yield Sheet(income=Stock(influence=influence, manpower=manpower, money=POINTS - influence - manpower))
    for option in OPTIONS:
        yield Sheet(without=option)
    for formation in ("regiment", "garrison"):
        for filling in scenario.fillings.get(formation, ()):
            for leader in ("pc", "courtier"):
                order = first_unit_order(
                    reader_of(scenario), scenario.estates[0], f"{formation} led by {leader}: {filling}"
                )
                assert isinstance(order, Order)
                if price_of(scenario, player.role, formation, order.companies) > FIRST_UNIT:
                    continue
                yield Sheet(unit=f"{formation} led by {leader}: {filling}")


def _day_orders(position: Position, seat: SeatId) -> Iterator[str]:
    others = [name for name, player in position.players.items() if player.alive and name != seat]
    yield from (f"Vote {name}" for name in others)
    yield "Vote night"
    for offer in position.offers:
        if offer.to == seat and offer.accepted is None:
            yield f"Accept {offer.kind} of {offer.by}"
            yield f"Refuse {offer.kind} of {offer.by}"
    led = led_by(position.factions, seat)
    for name, treaty in position.treaties.items():
        if treaty.status == "proposed":
            yield f"Sign {name}" if treaty.parties[1] == led else f"Withdraw {name}"
            if treaty.parties[1] == led and treaty.intents:
                yield f"Sign {name} saying: We mean it."
        elif treaty.status == "in force" and led is not None:
            yield f"Declare end of {name}"
            yield from (
                f"Report {name} promise {n}" for n in range(1, len(treaty.promises[other_party(treaty, led)]) + 1)
            )
            yield from (f"Concede {name} promise {n}" for n in range(1, len(treaty.promises[led]) + 1))
            yield from _choose_orders(position, seat, name, led)
    for party, faction in position.factions.items():
        if faction.leader == seat:
            members = [name for name in others if position.players[name].faction == party]
            yield from (f"Successor {name}" for name in members)
            yield from (f"Give {officer} to {name}" for officer in faction.officers for name in members)


def _choose_orders(position: Position, seat: SeatId, name: str, led: str) -> Iterator[str]:
    """Orders that name what a penalty left open. The other side's members are not known (NB-N-3)."""
    treaty = position.treaties[name]
    for unnamed in may_name(treaty, led, position.cycle):
        penalty = treaty.penalties[unnamed.penalty - 1]
        candidates = [who for who, player in position.players.items() if player.alive]
        if unnamed.by == led:
            candidates = [who for who in candidates if position.players[who].faction == led]
        whom = [who for who in candidates if not penalty.who or who in penalty.who]
        for action in (penalty.action,) if penalty.action else DEMANDED:
            yield from (f"Choose {action} on {who} under {name}" for who in whom)


def _night_orders(position: Position, seat: SeatId, player: Player) -> Iterator[str]:
    others = [name for name, other in position.players.items() if other.alive and name != seat]
    yield from _unit_orders(position, seat, player)
    yield from _estate_orders(position, seat, player)
    yield from _courtier_orders(position, player)
    yield from _spy_orders(position, player, others)
    yield from (
        f"Ability {ABILITY[option]}"
        for option in _abilities_with(position, player, "levy", "thrift", "gather", "retain", "reach")
    )
    yield from _court_orders(player, others)
    if position.factions[player.faction].leader == seat:
        yield from _leader_orders(position, seat, player, others)


def _abilities_with(position: Position, player: Player, *effects: Effect) -> list[Priced]:
    """The player's abilities that have one of these effects."""
    board = position.settings.board
    return [
        option
        for option in ABILITY
        if player.without != option and board.ability(player.role, option).effect in effects
    ]


def _estates_of(position: Position, by: str) -> list[str]:
    """The estates that a player or a faction controls."""
    return [estate for estate, holding in position.estates.items() if holding.by == by]


def _estates_with_post(player: Player, post: str) -> list[str]:
    """The estates where the player has Courtiers at a post."""
    return [courtier.at for courtier in player.courtiers if courtier.post == post and courtier.at is not None]


def _unit_orders(position: Position, seat: SeatId, player: Player) -> Iterator[str]:
    near = position.settings.board.neighbours
    held = {*_estates_of(position, seat), *_estates_of(position, player.faction)}
    for name, unit in position.units.items():
        if unit.owner != seat:
            continue
        if tables().formations[unit.formation].moves:
            for goal in near(unit.at):
                yield f"Move {name} to {goal}"
                yield f"March {name} to {goal}"
                yield from (f"Move {name} to {goal} asking {ask}" for ask in ASKS)
                if is_swift(position.settings.board, player.role, unit, position.cycle):
                    yield from (f"Move {name} to {goal}, {far}" for far in near(goal) if far != unit.at)
        yield f"Disband {name}"
        yield from (f"Ability {ABILITY[option]} on {name}" for option in _abilities_with(position, player, "inspire"))
        for option in _abilities_with(position, player, "march"):
            yield from (f"Ability {ABILITY[option]} on {name} to {goal}" for goal in near(unit.at))
        yield from (
            f"Ability {ABILITY[option]} at {unit.at}" for option in _abilities_with(position, player, "plunder")
        )
        if unit.at not in held:
            yield f"Steward at {unit.at}"
        if unit.at == player.home:
            if unit.leader in {"pc", "heir"}:
                yield f"Leave {name}"
            elif unit.leader not in BOUND:
                yield from (f"Lead {name} with {who}" for who in ("pc", "heir"))


def _estate_orders(position: Position, seat: SeatId, player: Player) -> Iterator[str]:
    scenario = position.settings.board
    mine = position.factions[player.faction]
    officers = [name for name, company in scenario.companies.items() if company.slot == "officer"]
    cheap = sorted(officers, key=lambda name: scenario.companies[name].tier)[:1]
    for estate in _estates_of(position, seat):
        yield from (f"Ability {ABILITY[option]} at {estate}" for option in _abilities_with(position, player, "ward"))
        base = player.design if estate == player.home else scenario.income(estate)
        for resource in RESOURCES:
            if getattr(base, resource):
                yield f"Tax {resource} at {estate}"
                yield f"Lobby {resource} at {estate}"
        yield f"Steward at {estate}"
        for formation, fillings in scenario.fillings.items():
            for filling in fillings:
                for leader in ("courtier", *cheap, *(("pc", "heir") if estate == player.home else ())):
                    yield f"Recruit {formation} at {estate} led by {leader}: {filling}"
            yield from (
                f"Recruit {formation} at {estate} led by {officer}: {filling}"
                for officer, holder in mine.officers.items()
                for filling in fillings[:1]
                if holder == seat
            )
        for building in tables().buildings:
            if building not in position.estates[estate].buildings:
                yield f"Build {building} at {estate}"
            elif position.estates[estate].buildings[building] <= position.cycle:
                yield f"Staff {building} at {estate}"
    for estate in _estates_of(position, player.faction):
        if estate in _estates_with_post(player, "steward") and (
            player.had_heir or scenario.has_core(player.role, "domain")
        ):
            yield from (f"Tax {name} at {estate}" for name in RESOURCES if getattr(scenario.income(estate), name))
            if player.heir is not None:
                yield f"Hand {estate} to heir"
        yield f"Steward at {estate}"


def _courtier_orders(position: Position, player: Player) -> Iterator[str]:
    for courtier in player.courtiers:
        if courtier.post in {"tax", "lobby"}:
            yield f"Recall {courtier.post} {courtier.what} at {courtier.at}"
        elif courtier.post == "staff":
            yield f"Recall staff {courtier.what} at {courtier.at}"
        elif courtier.post == "spy":
            yield f"Recall spy at {courtier.at}"
    near = position.settings.board.neighbours
    for start in dict.fromkeys((player.home or "", *_estates_with_post(player, "spy"))):
        for goal in near(start):
            yield f"Spy from {start} to {goal}"
            for far in (beyond for beyond in near(goal) if beyond != start):
                yield f"Spy from {start} to {goal}, {far}"
                if position.settings.board.has_core(player.role, "reach"):
                    yield from (f"Spy from {start} to {goal}, {far}, {more}" for more in near(far) if more != goal)
    for estate in _estates_with_post(player, "steward"):
        if estate != player.home:
            yield f"Open city at {estate}"
            yield f"Create noble at {estate}"


def _spy_orders(position: Position, player: Player, others: list[SeatId]) -> Iterator[str]:
    spies = _estates_with_post(player, "spy")
    for report in player.reports:
        if report.at in spies:
            yield from (f"Incapacitate {unit.unit}" for unit in report.units if unit.commander != HEIR)
            yield from (
                f"Ability {ABILITY[option]} on {unit.unit}" for option in _abilities_with(position, player, "gauge") for unit in report.units
            )  # fmt: skip
    for estate in dict.fromkeys(spies):
        yield from (f"Arson at {estate} on {building}" for building in tables().buildings)
        yield from (f"Bribery at {estate} for {resource}" for resource in RESOURCES)
        yield f"Poison the wells at {estate}"
        yield from (f"Knife at {estate} for {name}" for name in others)
        for option in _abilities_with(position, player, "survey", "win over"):
            yield f"Ability {ABILITY[option]} at {estate}"
        for option in _abilities_with(position, player, "expel"):
            yield f"Ability {ABILITY[option]} on steward at {estate}"
            for post in ("tax", "lobby"):
                yield from (f"Ability {ABILITY[option]} on {post} {what} at {estate}" for what in RESOURCES)


def _court_orders(player: Player, others: list[SeatId]) -> Iterator[str]:
    yield "Field surgeon"
    yield from (f"Assassin on {name}" for name in others)
    if player.married is None:
        yield from (f"Offer marriage to {name}" for name in others)
    else:
        if not player.had_heir:
            yield "Create heir"
        yield f"Offer hostages to {player.married}"
        yield f"Release hostages with {player.married}"
    yield from (f"Message to {name}: greetings" for name in others)


def _leader_orders(position: Position, seat: SeatId, player: Player, others: list[SeatId]) -> Iterator[str]:
    scenario = position.settings.board
    for treaty in position.treaties.values():
        if treaty.status == "in force" and player.stock.money:
            yield f"Pay 1 money to {other_party(treaty, player.faction)}"
    members = [name for name in others if position.players[name].faction == player.faction]
    for pool in scenario.mercenaries:
        if position.away.get(pool, 0) <= position.cycle:
            yield from (f"Hire {pool} for {name}" for name in (seat, *members))
    for noble, peer in position.factions[player.faction].nobles.items():
        if peer.unit is None:
            yield from (
                f"Recruit {formation} at {peer.at} led by noble {noble}: {filling}"
                for formation, fillings in scenario.fillings.items()
                for filling in fillings[:1]
            )
    for resource in RESOURCES:
        if getattr(player.stock, resource) >= 2:
            yield from (f"Share 2 {resource} with {name}" for name in members)
