"""Treaties in sentences, clause by clause, and the briefing of a player when a turn opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse.picture import LEADERS
from adjudicator.rulesets.noblesse.position import OPTIONS, Offer, Phase, Player, Position, led_by
from adjudicator.rulesets.noblesse.scenario import ABILITY, VALUES, Company, Scenario
from adjudicator.rulesets.noblesse.treaties import (
    EndForm,
    Expiration,
    Penalty,
    PenaltyForm,
    Promise,
    PromiseForm,
    Treaty,
    may_name,
    other_party,
)
from adjudicator.rulesets.noblesse.words import ACTION_NAMES, DOING, ability_words, amounts, core_words
from adjudicator.rulesets.noblesse.words import OPTIONS as OPTION_WORDS

REVEALED = {"roles": "the roles", "estates": "the estates", "units": "the units"}
REACHED = {"prizes": "winning estate", "nobles": "Noble", "kills": "kill"}


# Treaties -----------------------------------------------------------------------------------------------------------


def promise_words(promise: Promise, by: str, to: str) -> str:
    """A promise as a sentence, such as `Pape will not enter row A for 3 cycles`."""
    will = "will" if promise.will else "will not"
    cycles = many(promise.cycles, "cycle", "no")
    time = f"for {cycles}" if not promise.will else f"in each of {cycles}" if promise.each else f"within {cycles}"
    also = "and" if promise.will else "or"
    where = _places(promise.estates, also)
    what = _things(promise, also)
    kinds = join_words((f"{formation}s" for formation in promise.units), also)
    units = f"all its {kinds or 'units'}" if promise.every else kinds or "any unit"
    match promise.listed:
        case PromiseForm.ENTER:
            done = f"enter {where} with {units}"
        case PromiseForm.PAY:
            done = f"pay {amounts(promise.amounts)} to the leader of {to}"
        case PromiseForm.MOVE:
            done = f"bring {units} to {where}" if promise.side == "place" else f"take {units} away from {where}"
        case PromiseForm.SHOW_UNITS | PromiseForm.SHOW_PLAYERS:
            about = join_words((*promise.who, *(f"at {estate}" for estate in promise.estates)))
            done = f"show: “{promise.text}”{f' ({about})' if about else ''}"
        case PromiseForm.VOTES:
            votes = "a vote" if promise.number == 1 and not promise.will else many(promise.number, "vote", "no")
            done = f"cast {votes} for {join_words(promise.who, also)}"
        case PromiseForm.BATTLE:
            done = f"seek battle with {join_words((*promise.factions, *promise.who), also) or 'anybody'}{f': “{promise.text}”' if promise.text else ''}"
        case PromiseForm.CONTROL if not promise.things:
            done = f"take control of {where}"
        case PromiseForm.CONTROL:
            done = f"take {what} away from {where}" if promise.side == "remove" else f"place {what} at {where}"
        case PromiseForm.WITHDRAW:
            built = tuple(thing for thing in promise.things if thing == "structures" and promise.side != "remove")
            left = tuple(thing for thing in promise.things if thing not in built)
            said = []
            if left:
                verb, way = ("place", "at") if promise.side == "place" else ("withdraw", "from")
                said.append(
                    f"{verb} {_things(replace(promise, things=left), also)}{f' {way} {where}' if where else ''}"
                )
            if built:  # to "withdraw or build" structures means to build them (NB-M-9)
                said.append(f"build {_things(replace(promise, things=built), also)}{f' at {where}' if where else ''}")
            done = f" {also} ".join(said)
        case PromiseForm.ACTIONS:
            against = f" against {join_words(promise.who, also)}" if promise.who else ""
            done = f"{join_words((DOING.get(action, f'use {action}') for action in promise.actions), also)}{against}"
        case _:
            assert_never(promise.listed)
    return f"{by} {will} {done} {time}."


def penalty_words(penalty: Penalty) -> str:
    """A penalty as a sentence."""
    cycles = many(penalty.cycles or 1, "cycle", "no")
    match penalty.listed:
        case PenaltyForm.ENDS:
            said = f"the treaty ends {cycles} after the report, at the start of the cycle"
        case PenaltyForm.PAYS:
            time = f" in each of {cycles}" if penalty.each else f" within {cycles}"
            said = f"the breaker’s leader pays {amounts(penalty.amounts)}{time}"
        case PenaltyForm.ACTS:
            whom = join_words(penalty.who) or "a player"
            said = f"the breaker’s leader must use {ACTION_NAMES[penalty.action] if penalty.action else 'an action'} on {whom} of their own faction"
            if not (penalty.action and penalty.who):
                said += f"; {'they name' if penalty.by == 'breaker' else 'the wronged leader names'} what is open"
        case PenaltyForm.LASTS:
            said = f"the treaty stays in force until {cycles} after the report"
        case PenaltyForm.REVEALS:
            of = join_words(penalty.who) or "all its players"
            said = f"the breaker reveals {join_words(REVEALED[fact] for fact in penalty.facts)} of {of}"
        case PenaltyForm.VOTES:
            gives = "gives" if penalty.will else "keeps back"
            way = "to" if penalty.will else "from"
            votes = many(penalty.number, "vote", "no")
            said = f"the breaker {gives} {votes} {way} {join_words(penalty.who)} for {cycles}"
        case PenaltyForm.TREATIES:
            holding = f" with promises of the form {join_words(penalty.forms)}" if penalty.forms else ""
            may = "must" if penalty.will else "may not"
            said = f"the breaker {may} make treaties with {join_words(penalty.factions)}{holding}"
        case _:
            assert_never(penalty.listed)
    return f"After a breach {said}."


def end_words(end: Expiration) -> str:
    """A condition that ends a treaty, as a sentence."""
    match end.listed:
        case EndForm.CYCLES:
            said = f"{many(end.number, 'cycle', 'no')} after its start"
        case EndForm.ALL_KEPT:
            said = "when all promises are kept"
        case EndForm.ONE_KEPT:
            said = "when a side that has kept its promises declares the end"
        case EndForm.MEMBERS:
            said = f"when {end.faction} has fewer than {many(end.number, 'member', 'no')}"
        case EndForm.ACTION:
            said = f"when either side succeeds with {ACTION_NAMES[end.action or '']} against the other"
        case EndForm.REACHES:
            counts = end.wanted()
            among = f" among the players of {end.of}" if end.of else ""
            reached = [
                f"{many(counts[what], REACHED[what], 'no')}{among if what == 'kills' else ''}" for what in counts
            ]
            said = f"when {end.faction} reaches {join_words(reached)}"
        case EndForm.BREACH:
            said = f"{many(end.number, 'cycle', 'no')} after a reported breach, at the {end.when} of the cycle"
        case _:
            assert_never(end.listed)
    return f"It ends {said}."


def clauses(treaty: Treaty) -> tuple[str, ...]:
    """Every clause of a treaty as a sentence; promises have the numbers that reports use."""
    promised = [
        f"{whose(faction)} promise {number}: {promise_words(promise, faction, other_party(treaty, faction))}"
        for faction in treaty.parties
        for number, promise in enumerate(treaty.promises.get(faction, ()), 1)
    ]
    return (*promised, *map(penalty_words, treaty.penalties), *map(end_words, treaty.ends))


def _places(estates: tuple[str, ...], last: str) -> str:
    """Estates in words, such as `row A, column 3 and B4`."""
    named = (f"row {name}" if name.isalpha() else f"column {name}" if name.isdigit() else name for name in estates)
    return join_words(named, last)


def _things(promise: Promise, last: str) -> str:
    """The things of a promise in words, such as `2 spies and structures (university)`."""
    kinds = f" ({join_words(promise.buildings)})" if promise.buildings else ""
    things = join_words((thing + kinds if thing == "structures" else thing for thing in promise.things), last)
    return f"{promise.number} {things}" if promise.number > 1 else things


# The briefing ---------------------------------------------------------------------------------------------------------


def brief(view: Position, seat: SeatId) -> tuple[str, ...]:
    """Briefing of a player as a turn opens: role, court, units, offers, treaties. `view` is the player's own."""
    player = view.players[seat]
    if not player.alive:
        return (f"{seat} is out of the game.",)
    return tuple(_brief(view, seat, player))


def _brief(view: Position, seat: SeatId, player: Player) -> Iterator[str]:
    scenario = view.settings.board
    led = led_by(view.factions, seat)
    yield f"You are {player.role}, {'leader of' if led else 'of'} {player.faction}."
    if view.phase is Phase.SETUP:
        yield from _role(scenario, player)
    if led:
        fellows = [
            name for name, other in view.players.items() if name != seat and other.faction == led and other.alive
        ]
        named = join_words(f"{name} ({view.players[name].role})" for name in fellows)
        yield f"The other players of your faction: {named}." if fellows else "You are the last of your faction."
    if view.phase is not Phase.SETUP:
        idle = sum(courtier.post == "court" for courtier in player.courtiers)
        wounds = f"; you have {many(player.wounds, 'wound', 'no')}" if player.wounds else ""
        stock = amounts(player.stock) if player.stock else "no resources"
        yield f"You have {stock}, and {many(idle, 'Courtier') if idle else 'no Courtiers'} at court{wounds}."
        mine = [
            f"{name} (a {unit.formation} at {unit.at} led by {'you' if unit.leader == 'pc' else LEADERS[unit.leader]})"
            for name, unit in view.units.items()
            if unit.owner == seat
        ]
        yield f"Your Home is {player.home}. Your units: {join_words(mine) if mine else 'none'}."
        yield from abilities(scenario, player)
    for offer in view.offers:
        if offer.to == seat and offer.accepted is None:
            yield _offer(offer)
    for name, treaty in view.treaties.items():
        if treaty.status != "ended" and led is not None:
            intent = [f"If it is signed, {who} will publish: “{text}”" for who, text in treaty.intents.items()]
            said = intent if treaty.status == "proposed" else []
            yield " ".join((_state(name, treaty, led), *said, *clauses(treaty)))
            yield from _pending(name, treaty, led, view.cycle)


def _pending(name: str, treaty: Treaty, led: str, cycle: int) -> Iterator[str]:
    """Open reports under a treaty, and penalties whose action or player must still be named (NB-T-10, NB-N-3)."""
    for report in treaty.reports:
        line = f"The report that {report.by} broke promise {report.promise} of {name} waits for the host’s ruling"
        yield (
            f"{line}, or for you to write `Concede {name} promise {report.promise}`."
            if report.by == led
            else f"{line}."
        )
    for open_ in may_name(treaty, led, cycle):
        penalty = treaty.penalties[open_.penalty - 1]
        action, who = penalty.action or "ACTION", join_words(penalty.who) if penalty.who else "PLAYER"
        yield f"Name by day what {whose(open_.by)} leader has to do: `Choose {action} on {who} under {name}`."


def _role(scenario: Scenario, player: Player) -> Iterator[str]:
    role = scenario.roles[player.role]
    yield role.blurb
    if role.why:
        yield role.why
    squares = scenario.start(player.faction)
    yield f"Your Home will be one of the estates from {squares[0]} to {squares[-1]}: list several wishes."
    yield f"The company of your own design, of which you may field two: {company_words(role.company)}."
    yield from abilities(scenario, player)
    yield f"For the whole game you must do without one of these: {join_words(f'`{option}` ({OPTION_WORDS[option]})' for option in OPTIONS)}."


def abilities(scenario: Scenario, player: Player) -> Iterator[str]:
    """Describe a player's core ability and abilities with a price, except one that they do without."""
    if cores := scenario.cores(player.role):
        yield f"Your core ability: {'; '.join(map(core_words, cores))}."
    for option, price in ABILITY.items():
        if player.without != option:
            cost = f"{price} {scenario.factions[player.faction].resource}"
            yield f"Your ability {price}, for {cost}: {ability_words(scenario.ability(player.role, option), yours=True)}."


def company_words(company: Company) -> str:
    """A company in words, such as `centre, melee 2, morale 4; tier 6`."""
    values = [f"{name} {value}" for name in VALUES if (value := getattr(company, name))]
    colour = [company.colour] if company.colour else []
    return f"{', '.join((company.slot, *values, *colour))}; tier {company.tier}"


def _offer(offer: Offer) -> str:
    what = {"marriage": "marriage", "hostages": "an exchange of hostages", "release": "the release of hostages"}
    answer = f"`Accept {offer.kind} of {offer.by}` or `Refuse {offer.kind} of {offer.by}`"
    return f"{offer.by} offers you {what[offer.kind]}: answer by day with {answer}."


def _state(name: str, treaty: Treaty, led: str) -> str:
    """The state of a treaty, in words for one of its two leaders."""
    other = other_party(treaty, led)
    between = (
        f"which would make you {treaty.state}" if treaty.state else "under which your factions would remain hostile"
    )
    match treaty.status:
        case "proposed" if treaty.parties[0] == led:
            return f"Your proposal {name} to {other} is waiting for their leader’s answer."
        case "proposed":
            return f"{other} proposes treaty {name}, {between}: write `Sign {name}` by day to accept it."
        case "signed":
            return f"Treaty {name} with {other} is signed."
        case "in force" | "ended":
            return f"Treaty {name} with {other} is in force: {f'you are {treaty.state}' if treaty.state else 'your factions remain hostile'}."
        case _:
            assert_never(treaty.status)
