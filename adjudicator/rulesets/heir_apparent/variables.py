"""The variables and flags that plans can test (HA-W-6), each with the places where it has a meaning.

By construction a plan knows only what everybody or its author knows: public facts come from the `Table`, which holds nothing else, and
private ones from `Own`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from adjudicator.core.contract.conditions import Terms
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent.index import is_called, title_of
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE, Table
from adjudicator.rulesets.heir_apparent.titles import Character

Part = Literal["actions", "event", "melee", "reactions", "counters", "draw", "keep", "reopen"]
"""The lists of lines on a sheet."""
Arguments = tuple[str, ...]
NOBODY_IN = 99
"""The value of `least_in` if nobody else participates."""


@dataclass(slots=True)
class Own:
    """Private knowledge of a plan's author: the hand, the cards drawn in this draw phase, and the steps that were done."""

    hand: list[str] = field(default_factory=list)
    drawn: list[str] | None = None
    """Cards drawn in this draw phase; None outside it."""
    last: Character | None = None
    """The Character drawn last."""
    done: set[str] | None = None
    """Names of steps that have been carried out in this phase; None where steps have no names."""


@dataclass(frozen=True, slots=True)
class Public:
    """A variable that anybody could compute from the table and the plan's seat. Its value is None where it has no meaning."""

    blanks: tuple[str, ...]
    value: Callable[[Table, SeatId, Arguments], int | None]
    where: str
    about: str
    """A description in a few words."""


@dataclass(frozen=True, slots=True)
class Private:
    """A variable that only the plan's author can compute."""

    blanks: tuple[str, ...]
    value: Callable[[Own, Arguments], int | None]
    where: str
    about: str


Variable = Public | Private
CONTEST, CHALLENGE, EVENT, PHASE = "in a Contest", "in a Challenge", "in an Event", "in an Event or a melee"
MELEE, ALWAYS, RINGS, COUNTERS = "in a melee", "always", "in reactions and counters", "in counters"
DRAWS, KEEPS, PLANS = "in `draw` and `keep`", "in `keep` and `draw`", "in `actions`, `event` and `melee`"


def _seat(table: Table, me: SeatId, name: str) -> SeatId | None:
    return me if name == "me" else table.seats.get(name)


def _of(value: Callable[[Table, SeatId], int]) -> Callable[[Table, SeatId, Arguments], int | None]:
    """Return a variable whose argument names a player: their Prince, or `me`."""

    def asked(table: Table, me: SeatId, arguments: Arguments) -> int | None:
        seat = _seat(table, me, arguments[0])
        return None if seat is None else value(table, seat)

    return asked


def _in_challenge(value: Callable[[Table], int]) -> Callable[[Table, SeatId, Arguments], int | None]:
    return lambda table, me, arguments: value(table) if table.challenge else None


def _pool(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    seat = _seat(table, me, arguments[0])
    return table.tokens(table.princes[seat]) if table.contest and seat is not None else None


def _best_other(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    if not table.contest:
        return None
    return max(table.tokens(prince) for seat, prince in table.princes.items() if seat != me)


def _least_in(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    if not table.contest:
        return None
    others = [table.tokens(prince) for seat, prince in table.princes.items() if seat != me and table.is_inside(seat)]
    return min(others, default=NOBODY_IN)


def _acts(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    seat = _seat(table, me, arguments[0])
    return None if seat is None or table.round is None else table.round.acts.get(seat, 0)


def _need(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    """The fewest tokens that would make the player's pool win, or the Challenge succeed (HA-W-24)."""
    if not (table.contest or table.challenge):
        return None
    pool = table.princes[me] if table.contest else SUPPORT
    most = max(table.tokens(one) for one in table.pools) + 1
    return next(more for more in range(most + 1) if table.wins(pool, more))


def _given(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    """The tokens that a character has in the pools."""
    return sum(lot.amount for lot in table.lots if lot.source == arguments[0]) if table.open else None


def _strength(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    """The tokens that a character would give by joining; 0 if it cannot join."""
    if not table.open:
        return None
    one = table.people.get(arguments[0])
    able = one is not None and not one.turned and table.may_join(one.name)
    return table.strength(arguments[0]) if able else 0


def _ready(table: Table, seat: SeatId) -> int:
    return sum(not table.people[name].turned for name in table.court_of(seat))


def _pile(side: str) -> Callable[[Table, SeatId, Arguments], int | None]:
    return lambda table, me, arguments: table.pile(side) if table.fight is not None else None


def _counters_on(table: Table, me: SeatId, arguments: Arguments) -> int | None:
    pending = table.pending[-1] if table.pending else None
    return pending.depth if pending is not None and pending.trigger is None else None


NUMBERS: Mapping[str, Variable] = {
    "sup": Public((), _in_challenge(lambda table: table.tokens(SUPPORT)), CHALLENGE, "tokens for Support"),
    "opp": Public((), _in_challenge(lambda table: table.tokens(OPPOSE)), CHALLENGE, "tokens for Opposition"),
    "pool": Public(("prince",), _pool, CONTEST, "tokens in a player’s pool"),
    "best_other": Public((), _best_other, CONTEST, "the largest pool that is not mine"),
    "least_in": Public((), _least_in, CONTEST, "the smallest pool among those who participate, without me; 99 if nobody does"),
    "passes": Public((), lambda table, me, arguments: table.round.passes if table.round is not None else None, PHASE, "passes in succession just before this chance"),
    "acts": Public(("prince",), _acts, PHASE, "acts that a player has made in this phase"),
    "need": Public((), _need, EVENT, "tokens that my pool lacks to win, or Support to succeed"),
    "tokens": Public(("character",), _given, EVENT, "tokens that a character has in the pools"),
    "strength": Public(("character",), _strength, EVENT, "tokens that a character would give if it joined now; 0 if it cannot"),
    "atk": Public((), _pile(ATTACK), MELEE, "the attack pile"),
    "def": Public((), _pile(DEFENCE), MELEE, "the defence pile"),
    "favor": Public(("prince",), _of(lambda table, seat: table.favor[seat]), ALWAYS, "a player’s favor"),
    "hand": Public(("prince",), _of(lambda table, seat: table.held[seat]), ALWAYS, "the size of a player’s hand"),
    "chars": Public(("prince",), _of(lambda table, seat: len(table.court_of(seat))), ALWAYS, "a player’s characters, without the Prince"),
    "ready": Public(("prince",), _of(_ready), ALWAYS, "a player’s unturned characters, without the Prince"),
    "events_left": Public((), lambda table, me, arguments: table.events_left, ALWAYS, "Events in the deck"),
    "turn": Public((), lambda table, me, arguments: table.turn, ALWAYS, "the number of the turn"),
    "drawn": Private((), lambda own, arguments: None if own.drawn is None else len(own.drawn), DRAWS, "cards drawn so far in this Draw phase"),
    "pol": Private((), lambda own, arguments: own.last.politics if own.last is not None else None, KEEPS, "Politics of the Character drawn last"),
    "com": Private((), lambda own, arguments: own.last.combat if own.last is not None else None, KEEPS, "Combat of the Character drawn last"),
    "depth": Public((), _counters_on, COUNTERS, "counters on the spell so far"),
}  # fmt: skip
"""Variables that are whole numbers."""


def _in(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    seat = _seat(table, me, arguments[0])
    return table.is_inside(seat) if table.contest and seat is not None else None


def _leads(which: str) -> Callable[[Table, SeatId, Arguments], bool | None]:
    """Return a flag: true if a player would be the `winner` (or `loser`) if the Contest closed now (HR-39)."""

    def asked(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
        seat = _seat(table, me, arguments[0])
        return getattr(table.result(), which) == seat if table.contest and seat is not None else None

    return asked


def _turned(table: Table, me: SeatId, arguments: Arguments) -> bool:
    one = table.people.get(arguments[0])
    return one is not None and one.turned


def _held_by(table: Table, name: str, seat: SeatId | None) -> bool:
    one = table.people.get(name)
    return one is not None and one.by == seat


def _has_choice(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    if not table.open:
        return None
    value = table.princes[me] if arguments[0] == "me" else arguments[0]
    return value in table.chosen.values()


def _principal(which: str) -> Callable[[Table, SeatId, Arguments], bool | None]:
    """Return a flag: true if the `attacker` (or `defender`) of the melee is the named character, or belongs to the named player."""

    def asked(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
        if table.fight is None:
            return None
        name = getattr(table.fight, which)
        return name == arguments[0] or _held_by(table, name, _seat(table, me, arguments[0]))

    return asked


def _by(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    """True if a player caused what is pending: by an act, or by casting the spell, whoever has countered since (HR-7)."""
    seat = _seat(table, me, arguments[0])
    return table.pending[-1].cause == seat if table.pending and seat is not None else None


def _card(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    return table.pending[-1].card == title_of(arguments[0]) if table.pending else None


def _hits(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    """True if the named thing, or a character that the named player controls, is among the targets (HR-6)."""
    if not table.pending:
        return None
    hits = table.pending[-1].hits
    name = table.princes[me] if arguments[0] == "me" else arguments[0]
    return any(is_called(one, name) or _held_by(table, one, table.seats.get(name)) for one in hits)


def _is_spell(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    return table.pending[-1].spell if table.pending else None


def _shielded(table: Table, me: SeatId, arguments: Arguments) -> bool | None:
    return table.pending[-1].shields > 0 if table.pending else None


def _drew(own: Own, arguments: Arguments) -> bool | None:
    wanted = title_of(arguments[0])
    return any(title_of(card) == wanted for card in own.drawn) if own.drawn is not None else None


def _has(own: Own, arguments: Arguments) -> bool | None:
    return arguments[0] in own.last.keywords if own.last is not None else None


def _have(own: Own, arguments: Arguments) -> bool:
    """True if a card is in the hand, by its title or by its copy."""
    return any(is_called(card, arguments[0]) for card in own.hand)


FLAGS: Mapping[str, Variable] = {
    "in": Public(("prince",), _in, CONTEST, "the player participates"),
    "winning": Public(("prince",), _leads("winner"), CONTEST, "the player would win if it closed now"),
    "losing": Public(("prince",), _leads("loser"), CONTEST, "the player would lose if it closed now"),
    "joined": Public(("character",), lambda table, me, arguments: arguments[0] in table.joined if table.open else None, EVENT, "the character has joined the Event"),
    "free": Public(("prince",), lambda table, me, arguments: _seat(table, me, arguments[0]) not in table.free if table.open else None, EVENT, "the player’s Prince has not given the free 2"),
    "passing": Public((), lambda table, me, arguments: table.result().success if table.challenge else None, CHALLENGE, "the Challenge would succeed now"),
    "turned": Public(("character",), _turned, ALWAYS, "the character is turned"),
    "in_play": Public(("thing",), lambda table, me, arguments: arguments[0] in table.people or _lies(table, arguments[0]), ALWAYS, "the character or card is in play"),
    "have": Private(("card",), _have, ALWAYS, "the card is in my hand"),
    "mine": Public(("character",), lambda table, me, arguments: _held_by(table, arguments[0], me), ALWAYS, "I control the character"),
    "held": Public(("character", "prince"), lambda table, me, arguments: _held_by(table, arguments[0], _seat(table, me, arguments[1])), ALWAYS, "the player controls the character"),
    "target": Public(("target",), _has_choice, EVENT, "it was chosen when the Event was revealed"),
    "attacker": Public(("person",), _principal("attacker"), MELEE, "the character, or one of that player’s, attacks"),
    "defender": Public(("person",), _principal("defender"), MELEE, "the character, or one of that player’s, is attacked"),
    "drew": Private(("thing",), _drew, DRAWS, "I drew it in this Draw phase"),
    "has": Private(("keyword",), _has, KEEPS, "the Character drawn last has the keyword"),
    "by": Public(("prince",), _by, RINGS, "the player acted, or cast the spell"),
    "card": Public(("card",), _card, RINGS, "it is the card that was played"),
    "hits": Public(("target",), _hits, RINGS, "this, or a character of that player’s, is among the targets"),
    "spell": Public((), _is_spell, RINGS, "it is a Spell"),
    "shielded": Public((), _shielded, RINGS, "a shield lies on the stack"),
    "done": Private(("step",), lambda own, arguments: None if own.done is None else arguments[0] in own.done, PLANS, "my line with that name has been carried out in this phase"),
}  # fmt: skip
"""Variables that are true or false."""


def _lies(table: Table, card: str) -> bool:
    """True if a card lies in play: in the middle, or under a character."""
    lying = [*table.middle, *(tucked for one in table.people.values() for tucked in one.tucked)]
    return any(is_called(one, card) for one in lying)


ABOUT: Mapping[str, str] = {name: variable.about for name, variable in (*NUMBERS.items(), *FLAGS.items())}
"""Number or flag -> its description in a few words."""
TERMS = Terms(
    numbers={name: variable.blanks for name, variable in NUMBERS.items()},
    flags={name: variable.blanks for name, variable in FLAGS.items()},
)
"""The blanks of numbers and flags, for reading conditions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The context of a condition: the table, the plan's seat, and the private knowledge of its author."""

    table: Table
    me: SeatId
    own: Own

    def number(self, name: str, arguments: Arguments) -> int | None:
        """The value of a number; None where it has no meaning."""
        return self._value(NUMBERS[name], arguments)

    def flag(self, name: str, arguments: Arguments) -> bool | None:
        """The value of a flag; None where it has no meaning."""
        value = self._value(FLAGS[name], arguments)
        return None if value is None else bool(value)

    def _value(self, variable: Variable, arguments: Arguments) -> int | None:
        if isinstance(variable, Public):
            return variable.value(self.table, self.me, arguments)
        return variable.value(self.own, arguments)


_ACTS = frozenset[Part](("actions", "event", "melee"))
_RINGS = frozenset[Part](("reactions", "counters"))
_FIGHTS = frozenset[Part](("melee", "reactions", "counters"))
_EVENTS = frozenset[Part](("event", "reopen", "reactions", "counters"))
PLAYED_IN: Mapping[str, frozenset[Part]] = {
    CONTEST: _EVENTS, CHALLENGE: _EVENTS, EVENT: _EVENTS, PHASE: _EVENTS | _FIGHTS, MELEE: _FIGHTS,
    ALWAYS: frozenset[Part](get_args(Part)), RINGS: _RINGS, COUNTERS: frozenset[Part](("counters",)),
    DRAWS: frozenset[Part](("draw", "keep")), KEEPS: frozenset[Part](("draw", "keep")), PLANS: _ACTS,
}  # fmt: skip
"""Place where a variable has a meaning -> the lists whose lines may test it."""


def means(table: Table, part: Part, name: str) -> bool:
    """True if a variable can have a meaning in this list now, as far as the Event is known (HA-W-6)."""
    where = (NUMBERS.get(name) or FLAGS[name]).where
    other = table.open and where in (CONTEST, CHALLENGE) and (where == CONTEST) is not table.contest
    return part in PLAYED_IN[where] and not (other and part != "reactions")
