"""The play of a stand-in. It writes plans that depend on the others' acts, and knows only what its seat sees.

In a Contest it raises by the least that wins. In a Challenge it takes the side that pays it better. In the auction it bids what the best
courtier is worth beyond the one it would get anyway. It keeps reactions for its own people, and fights where it is sure to win.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.mechanics.cards import BACK
from adjudicator.rulesets.heir_apparent.index import Index, filter_of, speaks_of
from adjudicator.rulesets.heir_apparent.orders import (
    AuctionSheet,
    ChoiceSheet,
    EventSheet,
    MainSheet,
    Standing,
    sheet_type,
)
from adjudicator.rulesets.heir_apparent.position import (
    OPPOSE,
    SUPPORT,
    Phase,
    Position,
    clockwise,
    left_of,
)
from adjudicator.rulesets.heir_apparent.rounds import FREE, looked_at
from adjudicator.rulesets.heir_apparent.selectors import Player
from adjudicator.rulesets.heir_apparent.steps import Step
from adjudicator.rulesets.heir_apparent.table import Table
from adjudicator.rulesets.heir_apparent.titles import Character, Event
from adjudicator.rulesets.heir_apparent.work import Turn

FAVOR, CARD, PERSON = 10, 6, 14
"""Values of one favor, one Action card and one character, in tenths of a favor."""
TURNED = 3
"""The cost of a character that stays turned until the seat's next turn."""


@dataclass(slots=True)
class Mind:
    """One seat's view of the table, for its decisions."""

    view: Position
    seat: SeatId
    chance: Chance
    turn: Turn = field(init=False)

    def __post_init__(self) -> None:
        self.turn = looked_at(self.view)

    @property
    def table(self) -> Table:
        """The public table."""
        return self.turn.table

    @property
    def index(self) -> Index:
        """The index of the card set."""
        return self.turn.table.index

    @property
    def hand(self) -> list[str]:
        """The seat's Action cards."""
        return [card for card in self.turn.hands[self.seat] if card != BACK]

    @property
    def prince(self) -> str:
        """The seat's Prince."""
        return self.table.princes[self.seat]

    @property
    def mine(self) -> list[str]:
        """The seat's characters, without the Prince."""
        return self.table.court_of(self.seat)

    def ready(self) -> list[str]:
        """The seat's unturned characters, without the Prince."""
        return [name for name in self.mine if not self.table.people[name].turned]

    def value(self, name: str) -> int:
        """The value of a character in play to its controller."""
        both = sorted((self.table.rating(name, "politics"), self.table.rating(name, "combat")))
        return 3 * both[1] + both[0] + 2 * len(self.table.keywords(name) & {"Wealthy", "Wizard", "Fighter"})


def write(view: Position, seat: SeatId, chance: Chance) -> Standing:
    """Write a whole sheet for the open turn."""
    mind = Mind(view, seat, chance)
    if view.phase is Phase.AUCTION:
        return _auction(mind)
    if view.phase is Phase.CHOICE:
        assert mind.table.event is not None
        chosen = {name: _choice(mind, mind.table.event, name) for name in mind.table.event.choice}
        return ChoiceSheet(choice=chosen if view.active == seat else {})
    if sheet_type(view, seat) is MainSheet:
        actions = tuple(guarded(mind, _actions(mind)))[:40] if view.active == seat else ()
        return MainSheet(actions=actions, melee=tuple(guarded(mind, _melee(mind))), reactions=tuple(_reactions(mind)), counters=_counters(mind), discard=_worst(mind))  # fmt: skip
    return _event(mind)


def guarded(mind: Mind, lines: Iterable[str]) -> Iterator[str]:
    """Add the other conditions that lines need: a character is unturned, a card is in the hand, or the free 2 has not been given."""
    wizards = sorted(_wizards(mind), key=lambda name: (mind.table.people[name].turned, name))
    for line in lines:
        act, _, condition = line.partition(" if ")
        verb, *rest = act.split(" ")
        needs: list[str] = []
        match verb:
            case "ask" | "unturn":
                yield line
                continue
            case "join":
                needs = [f"not turned({rest[0]})", f"mine({rest[0]})"]
            case "assist" | "draw" | "attack":
                needs = [f"not turned({rest[-1]})", f"mine({rest[-1]})"]
            case "use":
                needs = [f"not turned({rest[0]})"]
            case "prince":
                needs = ["not done(free)"]
            case "play":
                needs = [f"have({rest[0]})"]
                if mind.index.action(rest[0]).spell:
                    if not wizards:
                        continue
                    needs.append(f"not turned({wizards[0]})")
            case _:
                pass
        told = " and ".join([*([condition] if condition else []), *needs])
        yield f"{act} if {told}{' as free' if verb == 'prince' else ''}"


# The auction --------------------------------------------------------------------------------------------------------


LEANINGS = ("politics", "combat", "Wizard", "Wealthy", "Fighter", "Palace")
"""Preferences of stand-ins. They differ, so that every courtier appeals to somebody."""
FOND = 9
"""The value of a preference, in tenths of a favor."""


def worth_of(one: Character) -> int:
    """The value of a Character, in tenths of a favor."""
    high, low = max(one.politics, one.combat), min(one.politics, one.combat)
    extra = {"Wealthy": 3, "Wizard": 5, "Fighter": 2, "Noble": 1, "Palace": 2}
    return 6 * high + 3 * low + sum(extra[word] for word in one.keywords) + 4 * len(one.abilities)


def _auction(mind: Mind) -> AuctionSheet:
    """Bids the value of the row's best character minus that of the one it would get anyway, given what its court still lacks."""
    view = mind.view
    lacks = _needs(mind)
    fond = LEANINGS[mind.chance("fond", len(LEANINGS))]

    def need(name: str) -> int:
        one = mind.index.characters[name]
        more = 3 * lacks["politics"] if one.politics >= 3 else 0
        more += 3 * lacks["combat"] if one.combat >= 3 else 0
        more += 6 if "Wizard" in one.keywords and not lacks["wizards"] else 0
        more += FOND * ((fond in one.keywords) + (fond == "politics" and one.politics >= 3) + (fond == "combat" and one.combat >= 3))  # fmt: skip
        return worth_of(one) + more + mind.chance(f"taste:{name}", 5)

    wishes = sorted(view.row, key=lambda name: (-need(name), name))
    edge = need(wishes[0]) - need(wishes[min(len(view.ring), len(wishes)) - 1])
    most = min(edge // FAVOR + mind.chance("nerve", 2), view.players[mind.seat].favor // 3)
    return AuctionSheet(bid=most if most > 0 or mind.chance("free", 2) else "pass", wishes=tuple(wishes), draw=_draws(mind, first=True), keep=_keeps(mind))  # fmt: skip


def _needs(mind: Mind) -> Mapping[str, int]:
    """How many more characters rated 3 or higher in each skill the seat would like, and how many Wizards it has."""
    ratings = {
        skill: sum(mind.table.rating(name, skill) >= 3 for name in mind.mine) for skill in ("politics", "combat")
    }
    wizards = sum("Wizard" in mind.table.keywords(name) for name in (*mind.mine, mind.prince))
    return {"politics": max(0, 2 - ratings["politics"]), "combat": max(0, 2 - ratings["combat"]), "wizards": wizards}


# Drawing and keeping ------------------------------------------------------------------------------------------------


def _draws(mind: Mind, *, first: bool = False) -> tuple[str, ...]:
    """Draws: an Action card first, then characters for open slots; sometimes a trade-in, or a draw by the weakest character."""
    slots = [f"draw character by slot if chars(me) <= 4 and drawn >= {number}" for number in range(1, 6)]
    lines = ["draw action by base", *slots]
    spells = [card for card in mind.hand if mind.index.action(card).spell]
    if len(spells) >= 2 and not first and not _wizards(mind):
        lines.append(f"trade {spells[0]}, {spells[1]} for action if have({spells[0]}) and have({spells[1]})")
    weak = [] if first else sorted(mind.mine, key=lambda name: (mind.value(name), name))[:1]
    if weak and len(mind.mine) == 5 and mind.value(weak[0]) < PERSON // 2 and mind.chance("fresh", 2):
        lines.append(f"draw character by {weak[0]} if not turned({weak[0]}) and mine({weak[0]})")
    return tuple(lines)


def _keeps(mind: Mind) -> tuple[str, ...]:
    """Plays a Character that is strong in something; a weak one only into an open slot."""
    return ("play if chars(me) <= 4", "play if pol >= 4", "play if com >= 4", "refuse")


def _worst(mind: Mind) -> tuple[str, ...]:
    """The whole hand, first to be discarded first: Spells without a Wizard, cards for melees, other cards, reactions."""
    wizard = bool(_wizards(mind))

    def rank(card: str) -> tuple[int, str]:
        action = mind.index.action(card)
        useless = action.spell and not wizard
        return (0 if useless else 1 if "melee" in action.phases else 3 if "reaction" in action.phases else 2), card

    return tuple(sorted(mind.hand, key=rank))


def _wizards(mind: Mind) -> list[str]:
    """The seat's Wizards, turned or not."""
    return [name for name in (*mind.mine, mind.prince) if "Wizard" in mind.table.keywords(name)]


# The Actions phase --------------------------------------------------------------------------------------------------


def _actions(mind: Mind) -> Iterator[str]:
    """Equipment on the best bearers, cards that gain something, attacks that are sure to win, and draws with the weakest."""
    table = mind.table
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        if "action" not in action.phases:
            continue
        yield from _equipped(mind, card)
        if action.cost.turn is not None and action.effect[0].favor is not None:
            able = sorted((name for name in mind.ready() if table.fits(filter_of(action.cost.turn), name, mind.seat)), key=lambda name: (mind.value(name), name))  # fmt: skip
            yield from (f"play {card} at {name}" for name in able[:1])
        if action.effect[0].peek is not None:
            yield f"play {card} at {_richest(mind)}"
        if action.effect[0].unturn is not None:
            turned = [name for name in mind.mine if table.people[name].turned]
            yield from (f"play {card} at {name}" for name in sorted(turned, key=lambda name: -mind.value(name))[:1])
        if action.effect[0].kill is not None:
            yield from (f"play {card} at {name}" for name in _rivals(mind) if table.people[name].turned)
        if action.effect[0].turn is not None:
            yield from (f"play {card} at {name}" for name in _rivals(mind)[:1] if not table.people[name].turned)
        if action.effect[0].melee is not None:
            yield from _quarrels(mind, card)
        if any(step.melee is not None for step in action.effect) and action.effect[0].favor is not None:
            yield from (f"play {card} at {one}, {foe}" for one, foe in _sure_fights(mind, mind.ready()))
    for name in mind.ready():
        for ability in mind.index.abilities(name):
            if "action" in ability.phases and mind.value(name) < 2 * PERSON and mind.chance(f"use:{name}", 2):
                yield from _use(mind, name, ability.effect[0])
    for name in mind.ready():
        for ability in mind.index.abilities(name):
            raised = ability.effect[0].stat
            if "action" in ability.phases and raised is not None and raised.most > 0:
                helped = [one for one in mind.ready() if one != name and "Fighter" in table.keywords(one)]
                sure = [one for one in helped if _sure_fights(mind, [one])]
                yield from (f"use {name} {ability.id} at {one}" for one in sure[:1])
    fighters = [name for name in mind.ready() if "Fighter" in table.keywords(name)]
    for fighter, foe in _sure_fights(mind, fighters)[:1]:
        if mind.chance("fight", 3):
            yield f"attack {foe} with {fighter}"
    spent = len(mind.mine) - len(mind.ready())
    last = mind.table.events_left <= len(mind.view.ring)  # its last turn: characters unturned later would do little
    if mind.view.settings.unturn == "either" and (last or (spent >= 3 and mind.chance("rise", 2))):
        yield "unturn"
    weak = sorted(mind.ready(), key=lambda name: (mind.value(name), name))
    if len(mind.hand) < 4:
        yield from (f"draw with {name}" for name in weak[: mind.chance("draws", 2) + 1] if mind.value(name) < PERSON)


def _quarrels(mind: Mind, card: str) -> Iterator[str]:
    """Has a rival's character attack another rival's, most valuable first, so that one of them dies."""
    people = mind.table.people
    able = [name for name in _rivals(mind) if not people[name].turned and mind.table.rating(name, "combat") > 0]
    for one in able[:2]:
        others = [foe for foe in _rivals(mind) if people[foe].by != people[one].by]
        yield from (f"play {card} at {one}, {foe}" for foe in others[:2])


def _equipped(mind: Mind, card: str) -> Iterator[str]:
    """Plays equipment: helpful cards on the seat's strongest characters, harmful ones on the strongest rivals."""
    action = mind.index.action(card)
    attach = next((step.attach for step in action.effect if step.attach is not None), None)
    if attach is None or (action.spell and not _wizards(mind)):
        return
    stats = [step.stat for step in action.while_ if step.stat is not None]
    skill = stats[0].skill if stats else "politics"
    harms = bool(stats) and stats[0].most < 0
    ask = mind.index.asks[action.id][0]  # the loader makes equipment begin with its attach, which names one
    people = mind.table.values(ask.filter, mind.seat)
    whose = [name for name in people if (mind.table.people[name].by == mind.seat) is not harms]
    best = sorted(whose, key=lambda name: (-mind.table.rating(name, skill), name))
    yield from (f"play {card} at {name}" for name in best[:3])


def _use(mind: Mind, name: str, step: Step) -> Iterator[str]:
    """Uses an ability that looks at hidden cards, or one that takes something, aimed at the richest player."""
    if step.favor_move is not None or step.discard_hand is not None:
        yield f"use {name} at {_richest(mind)}"
    elif step.peek is not None:
        yield f"use {name}"


def _richest(mind: Mind) -> str:
    """The Prince of the rival with the most favor."""
    others = [seat for seat in mind.view.ring if seat != mind.seat]
    return mind.table.princes[max(others, key=lambda seat: (mind.table.favor[seat], mind.table.popularity(seat)))]


def _rivals(mind: Mind) -> list[str]:
    """Other players' characters, without Princes, most valuable first."""
    people = mind.table.people
    theirs = [name for name in people if people[name].by != mind.seat and not people[name].prince]
    return sorted(theirs, key=lambda name: (-mind.value(name), name))


def _sure_fights(mind: Mind, with_: Iterable[str]) -> list[tuple[str, str]]:
    """Attacks worth making that win even if the defender's controller helps with every unturned character."""
    table, found = mind.table, list[tuple[str, str]]()
    for one in with_:
        for foe in _rivals(mind):
            whose = table.people[foe].by
            help_ = sum(table.rating(name, "combat") for name in table.court_of(whose) if not table.people[name].turned and name != foe)  # fmt: skip
            if (
                table.rating(one, "combat") > table.rating(foe, "combat") + help_
                and mind.value(foe) >= mind.value(one) // 2
            ):
                found.append((one, foe))
    return found


# Standing parts -----------------------------------------------------------------------------------------------------


def _melee(mind: Mind) -> Iterator[str]:
    """Lines that save the seat's characters with as little help as possible, and help its attacks succeed."""
    able = sorted((name for name in mind.mine if mind.table.rating(name, "combat") > 0), key=lambda name: (mind.table.rating(name, "combat"), name))  # fmt: skip
    for name in able:
        more = mind.table.rating(name, "combat")
        yield f"assist defence with {name} if defender(me) and atk > def and atk <= def + {more}"
        yield f"assist attack with {name} if attacker(me) and atk <= def and atk + {more} > def"
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        if "melee" not in action.phases:
            continue
        harm = action.effect[0].stat
        if harm is not None and harm.skill == "combat" and harm.most < 0:
            yield from (f"play {card} at {foe} if attacker({foe}) and defender(me) and atk > def and atk <= def + {-harm.most}" for foe in _rivals(mind))  # fmt: skip
            yield from (
                f"play {card} at {foe} if defender({foe}) and attacker(me) and atk <= def" for foe in _rivals(mind)[:6]
            )
        if action.effect[0].attach is None:
            continue
        stats = [step.stat for step in action.while_ if step.stat is not None]
        if stats and stats[0].most > 0:
            yield from (f"play {card} at {name} if defender({name}) and atk > def" for name in able)


def _reactions(mind: Mind) -> Iterator[str]:
    """Reactions that keep its characters alive and its favor safe, and stop rivals' cards aimed at it."""
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        for trigger in action.trigger:
            match trigger:
                case "kill_pending" | "dismiss_pending" | "favor_loss" | "turn_forced":
                    yield f"on {trigger} if hits(me) and not shielded play {card}"
                case "card_played":
                    at = f" at {_richest(mind)}" if mind.index.asks[action.id] else ""
                    yield f"on card_played if hits(me) and not by(me) play {card}{at}"
                case "joined":
                    yield f"on joined of {_richest(mind)} if not by(me) and opp > sup play {card}"
                    yield f"on joined of {_richest(mind)} if not by(me) and winning({_richest(mind)}) play {card}"
                case "outcome_known":
                    yield f"on outcome_known if not winning(me) and best_other <= pool(me) + 2 play {card} at me"
                case _:
                    pass


def _counters(mind: Mind) -> tuple[str, ...]:
    """Wizards counter a spell that hits their side, and a counter to their counter. With one counter on the spell they do nothing."""
    cheap = sorted(_wizards(mind), key=lambda name: (name == mind.prince, name))
    return tuple(f"counter with {name} if hits(me) and not by(me) and depth != 1 and depth < 3" for name in cheap)


# Events -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stake:
    """The value of an outcome to a seat, in tenths of a favor, by the seat's part in it."""

    chief: int
    side: int
    aside: int


def _event(mind: Mind) -> EventSheet:
    event = mind.table.event
    assert event is not None
    asked = mind.view.phase is Phase.EVENT and mind.view.settings.choice == "sheet" and mind.view.active == mind.seat
    choice = {name: _choice(mind, event, name) for name in event.choice} if asked else {}
    known = [*mind.view.chosen.values(), *(values[0] for values in choice.values() if values)]
    chosen = known[0] if known else None
    lines = _contest(mind, event) if event.type == "contest" else _challenge(mind, event, chosen)
    ready = (*_heralds(mind, event), *_dressed(mind, event), *_guests(mind, event), *_blinded(mind, event))
    plan = tuple(guarded(mind, [*ready, *lines, *_idlers(mind), *_asks(mind, event)]))[:40]
    following = mind.view.active is not None and left_of(mind.view.ring, mind.view.active) == mind.seat
    return EventSheet(
        choice=choice, event=plan, reopen=_reopen(mind, event), draw=_draws(mind) if following else None,
        keep=_keeps(mind) if following else None, melee=tuple(guarded(mind, _melee(mind))), reactions=tuple(_reactions(mind)),
        counters=_counters(mind), discard=_worst(mind),
    )  # fmt: skip


def _heralds(mind: Mind, event: Event) -> Iterator[str]:
    """Abilities that give one of its characters the keyword that this Event favors or admits."""
    wanted = {event.bonus.keyword} if event.bonus is not None else set[str]()
    wanted |= {event.limit.only} if event.limit is not None and event.limit.only is not None else set()
    for name in mind.ready():
        for ability in mind.index.abilities(name):
            given = ability.effect[0].keyword
            if "event" not in ability.phases or given is None or given.word not in wanted:
                continue
            others = [one for one in mind.ready() if one != name and given.word not in mind.table.keywords(one)]
            best = sorted(others, key=lambda one: (-mind.table.rating(one, event.skill), one))[:1]
            yield from (f"use {name} {ability.id} at {one} if not turned({one})" for one in best)


def _dressed(mind: Mind, event: Event) -> Iterator[str]:
    """Equipment that helps to join, on the strongest character that is ready."""
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        if "event" not in action.phases or "action" in action.phases or action.effect[0].attach is None:
            continue
        raised = [step.stat for step in action.while_ if step.stat is not None and step.stat.skill == event.skill]
        if raised and raised[0].most > 0:
            able = sorted(mind.ready(), key=lambda name: (-mind.table.rating(name, event.skill), name))
            yield from (f"play {card} at {name} if not turned({name}) and not joined({name})" for name in able[:1])


def _guests(mind: Mind, event: Event) -> Iterator[str]:
    """Borrows a rival's strongest character for this Event, to join with it if that would win."""
    pool = {"contest": "me", "challenge": SUPPORT}[event.type]
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        borrows = any(step.control is not None and step.control.to == "me" for step in action.effect)
        if "event" not in action.phases or not borrows:
            continue
        able = [name for name in _rivals(mind) if mind.table.may_join(name) and not mind.table.people[name].turned]
        best = sorted(able, key=lambda name: (-mind.table.strength(name), name))[:1]
        for name in best:
            needed = f"need > 0 and need <= {mind.table.strength(name)}"
            yield f"join {name} for {pool} if {needed}"
            yield f"play {card} at {name} if {needed} and not turned({name})"


def _blinded(mind: Mind, event: Event) -> Iterator[str]:
    """Weakens the strongest rivals that could still join, once it is winning a Contest or has acted in a Challenge."""
    for card in sorted(mind.hand):
        harm = mind.index.action(card).effect[0].stat
        if harm is None or "event" not in mind.index.action(card).phases or harm.skill != event.skill or harm.most >= 0:
            continue
        able = [name for name in _rivals(mind) if mind.table.may_join(name)]
        best = sorted(able, key=lambda name: (-mind.table.strength(name), name))[:2]
        ahead = "winning(me)" if event.type == "contest" else "acts(me) >= 1"
        yield from (f"play {card} at {name} if {ahead} and not turned({name}) and not joined({name})" for name in best)


def _asks(mind: Mind, event: Event) -> Iterator[str]:
    """Sometimes stops the run for another look, in a close Contest with something left to give."""
    if mind.view.players[mind.seat].reopenings and event.type == "contest" and not mind.chance("ask", 6):
        yield "ask if not winning(me) and need <= 4 and ready(me) >= 2 and passes >= 1"


def _idlers(mind: Mind) -> Iterator[str]:
    """Abilities to use when all else is done. They cost nothing if it is the seat's turn, because it then unturns at once."""
    for name in mind.ready() if mind.view.active == mind.seat or mind.chance("idle", 3) == 0 else ():
        for ability in mind.index.abilities(name):
            if "event" not in ability.phases:
                continue
            if ability.effect[0].peek is not None:
                yield f"use {name} {ability.id} if passes >= 1"
            elif ability.effect[0].redirect is not None and mind.table.contest:
                # A seat that cannot win any more makes a third player win rather than the richest.
                rich = _richest(mind)
                third = [prince for prince in mind.table.princes.values() if prince not in (rich, mind.prince)]
                voices = [one for one in mind.mine if one != name]
                yield from (f"use {name} {ability.id} at {one}, {third[0]} if joined({one}) and in({third[0]}) and winning({rich}) and passes >= 1" for one in voices[:2])  # fmt: skip
            elif ability.effect[0].detach is not None:
                worn = [
                    card
                    for rival in _rivals(mind)
                    for card in mind.table.people[rival].tucked
                    if card not in mind.index.events
                ]
                helps = [card for card in worn if _helps(mind, card)]
                yield from (f"use {name} {ability.id} at {card} if passes >= 1" for card in helps[:1])


def _helps(mind: Mind, card: str) -> bool:
    """True if equipment helps its bearer."""
    return all(step.stat is None or step.stat.most > 0 for step in mind.index.action(card).while_)


def _choice(mind: Mind, event: Event, name: str) -> tuple[str, ...]:
    """The Event's targets, best first: rivals' characters, most valuable first, then the seat's, least valuable first unless they gain."""
    values = mind.table.values(filter_of(event.choice[name]), mind.seat)
    if filter_of(event.choice[name]).kind == "player":
        rich = _richest(mind)
        return (rich, *(value for value in values if value != rich))
    people = mind.table.people
    mine = [value for value in values if people[value].by == mind.seat]
    theirs = [value for value in values if people[value].by != mind.seat]
    best = sorted(theirs, key=lambda value: (-mind.value(value), value))
    gains = any(step.attach is not None for step in event.success or ())
    return tuple([*best, *sorted(mine, key=lambda value: ((-1 if gains else 1) * mind.value(value), value))][:40])


def _turns(mind: Mind) -> int:
    """The cost of a turned character: nothing for the active player, who unturns at once, and more the longer the seat waits."""
    assert mind.view.active is not None
    order = clockwise(mind.view.ring, mind.view.active)
    return TURNED * order.index(mind.seat) // 2


def _joiners(mind: Mind) -> list[tuple[int, str]]:
    """Characters that can join, including the Prince, as (tokens, name), fewest tokens first."""
    people = mind.table.people
    able = (name for name in sorted(people) if people[name].by == mind.seat and not people[name].turned)
    return sorted((mind.table.strength(name), name) for name in able if mind.table.may_join(name))


def _contest(mind: Mind, event: Event) -> Iterator[str]:
    """Raises by the least that wins, as far as the prize is worth it, and avoids last place."""
    prize, loss = _worth(mind, event.winner or (), "winner"), _worth(mind, event.loser or (), "loser")
    joiners, cost = _joiners(mind), _turns(mind)
    cards = _token_cards(mind)
    lead = "not winning(me) and best_other <= pool(me) + {}"
    popular = mind.table.popularity(mind.seat)
    slack = 0 if popular >= 4 else -1
    yield f"prince for me if {lead.format(FREE + slack)}"
    spent = 0
    for tokens, name in joiners:
        spent += cost + mind.chance(f"shy:{name}", 3)
        if spent > prize - loss + 2:
            break
        yield f"join {name} for me if {lead.format(tokens + slack)}"
    for tokens, card in cards:
        yield f"play {card} at me if {lead.format(tokens + slack)}"
    total = sum(tokens for tokens, _ in joiners) + FREE
    for tokens, name in reversed(joiners):
        if cost * len(joiners) <= prize - loss:
            yield f"join {name} for me if {lead.format(total + slack)}"
        total -= tokens
    if loss < 0:
        yield "prince for me if losing(me)"
        yield from (
            f"join {name} for me if losing(me) and least_in <= pool(me) + {tokens}"
            for tokens, name in joiners
            if cost < -loss + 2
        )
        yield from (f"play {card} at me if losing(me) and least_in <= pool(me) + {tokens}" for tokens, card in cards)
    yield from _spoilers(mind, "winning")
    if mind.chance("kingmaker", 2):
        yield f"prince for {mind.table.princes[left_of(mind.view.ring, mind.seat)]} if passes >= 1 and winning({_richest(mind)})"


def _challenge(mind: Mind, event: Event, chosen: str | None) -> Iterator[str]:
    """Takes the side that pays better, raises by the least that turns the result, and joins a winning side if it is paid for that."""
    good, bad = event.success or (), event.failure or ()
    for_it = _stake(mind, event, good, "supporter", chosen)
    against = _stake(mind, event, bad, "opponent", chosen)
    wish = (for_it.chief - against.aside) - (against.chief - for_it.aside) + mind.chance("side", 9) - 4
    side = SUPPORT if wish >= 0 else OPPOSE
    stake = for_it if side == SUPPORT else against
    joiners, cost, cards = _joiners(mind), _turns(mind), _token_cards(mind)
    turn = "opp >= sup and opp < sup + {}" if side == SUPPORT else "sup > opp and sup <= opp + {}"
    yield f"prince for {side} if {turn.format(FREE)}"
    worth = max(stake.chief, stake.side) - min(for_it.aside, against.aside)
    spent = 0
    for tokens, name in joiners:
        spent += cost + mind.chance(f"shy:{name}", 3)
        if spent > worth + 2:
            break
        yield f"join {name} for {side} if {turn.format(tokens)}"
    for tokens, card in cards:
        if worth >= FAVOR:
            yield f"play {card} at {side} if {turn.format(tokens)}"
    if worth >= FAVOR:
        total = sum(tokens for tokens, _ in joiners) + FREE
        for _, name in reversed(joiners):
            yield f"join {name} for {side} if {turn.format(total)}"
    if stake.side > stake.aside + cost or stake.chief > stake.aside + cost:
        yield f"prince for {side} if acts(me) = 0"
        yield from (f"join {name} for {side} if acts(me) <= 1" for _, name in joiners[-1:])
    yield from _spoilers(mind, "passing" if side == OPPOSE else "not passing")


def _token_cards(mind: Mind) -> list[tuple[int, str]]:
    """Cards that add tokens to a pool in an Event, as (tokens, card)."""
    found = []
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        step = action.effect[0]
        if "event" in action.phases and step.support is not None and not (action.spell and not _wizards(mind)):
            found.append((step.support.most, card))
    return found


def _spoilers(mind: Mind, when: str) -> Iterator[str]:
    """Cards that take away or move rivals' tokens, turn rivals' characters before they join, or unturn its own."""
    rivals = [name for name in _rivals(mind) if mind.table.may_join(name)][:4]
    contest = mind.table.contest
    for card in sorted(mind.hand):
        action = mind.index.action(card)
        if "event" not in action.phases or (action.spell and not _wizards(mind)):
            continue
        for name in rivals:
            whose = mind.table.princes[mind.table.people[name].by]
            condition = f"winning({whose})" if contest else when
            if action.effect[0].strip is not None:
                yield f"play {card} at {name} if {condition}"
            elif action.effect[0].redirect is not None:
                yield f"play {card} at {name}, {'me' if contest else OPPOSE if when == 'passing' else SUPPORT} if {condition}"
            elif action.effect[0].turn is not None and not mind.table.people[name].turned:
                yield f"play {card} at {name} if {condition}"
        if action.effect[0].unturn is not None:
            own = [name for _, name in reversed(_joiners(mind))] or mind.mine
            yield from (
                f"play {card} at {name} if turned({name}) and {'not winning(me)' if contest else when}"
                for name in own[:2]
            )


def _reopen(mind: Mind, event: Event) -> tuple[str, ...] | None:
    """Reopens a close Contest if it still has characters to give."""
    if not mind.view.players[mind.seat].reopenings or mind.view.phase is Phase.REOPENED or mind.chance("call", 4):
        return None
    if event.type == "contest":
        return ("not winning(me)", "best_other <= pool(me) + 3", "ready(me) >= 2")
    return None


def _worth(mind: Mind, steps: Sequence[Step], who: str) -> int:
    """The value of these steps to a Contest's winner or loser, in tenths of a favor."""
    total = 0
    for step in steps:
        if step.favor is not None and step.favor.who == who:
            total += FAVOR * (step.favor.n if isinstance(step.favor.n, int) else step.favor.most)
        elif step.favor_move is not None:
            total += FAVOR * step.favor_move.most * ((step.favor_move.to == who) - (step.favor_move.from_ == who))
        elif step.draw is not None and step.draw.who == who:
            total += CARD * step.draw.most
        elif step.discard_hand is not None and step.discard_hand.who == who:
            total -= CARD // 2 * step.discard_hand.most
        elif step.control is not None and step.control.to == who:
            total += 2 * PERSON
        elif step.peek is not None and step.peek.to == who:
            total += 2
    return total


def _stake(mind: Mind, event: Event, steps: Sequence[Step], part: str, chosen: str | None) -> Stake:
    """The value of a Challenge's outcome to the chief of a side, to the others on it, and to those who stay out."""
    sums = {"chief": 0, "side": 0, "aside": 0}
    active = mind.view.active == mind.seat
    for step in steps:
        for who, n in _favors(step):
            words = {f"chief-{part}": ("chief",), f"{part}s": ("chief", "side")}.get(who, ())
            if who == "active" and active:
                words = ("chief", "side", "aside")
            if who == "all":
                words = ("chief", "side", "aside")
            for word in words:
                sums[word] += FAVOR * n
        hurt = step.dismiss or step.kill
        if hurt is not None:
            own = chosen in mind.mine
            for word in sums:
                sums[word] += -2 * PERSON if own else (4 if active else mind.chance("spite", 9) - 4)
        if step.attach is not None and active:
            sums = {word: total + PERSON for word, total in sums.items()}
    return Stake(sums["chief"], sums["side"], sums["aside"])


def _favors(step: Step) -> Iterator[tuple[str, int]]:
    """Words for players, each with the favor that a step gives or takes."""
    if step.favor is not None and isinstance(step.favor.n, int):
        yield _word(step.favor.who), step.favor.n
    if step.favor_move is not None and isinstance(step.favor_move.n, int):
        yield _word(step.favor_move.from_), -step.favor_move.n
        yield _word(step.favor_move.to), step.favor_move.n


def _word(text: str) -> str:
    found = speaks_of(text)
    return found.word if isinstance(found, Player) else ""
