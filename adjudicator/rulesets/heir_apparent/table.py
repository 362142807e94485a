"""The table while a turn is being judged: everything that everybody sees, and nothing else.

Plans are tested against this and their author's own hand (`variables`), so nobody's plan can know what its author does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent.index import Index, index_of, speaks_of
from adjudicator.rulesets.heir_apparent.position import (
    OPPOSE,
    SUPPORT,
    Courtier,
    Lot,
    Position,
    clockwise,
)
from adjudicator.rulesets.heir_apparent.selectors import Each, Filter
from adjudicator.rulesets.heir_apparent.steps import GiveKeyword, Limit, Skill, Stat, Step
from adjudicator.rulesets.heir_apparent.titles import Event, Trigger

ATTACK, DEFENCE = "attack", "defence"
"""The piles of a melee (HA-H-5)."""
WEALTH = 2
"""Extra tokens that a Wealthy character gives in a Money event (HA-N-4, HA-N-5)."""


@dataclass(slots=True)
class Person:
    """A character in play, or a Prince."""

    name: str
    prince: bool
    by: SeatId
    turned: bool = False
    tucked: list[str] = field(default_factory=list)
    home: SeatId | None = None


@dataclass(slots=True)
class Round:
    """The counts that plans may use in an Event phase or a melee, from when it opens until it is cleared away (HE-1).

    The counts stay after it is closed, because reopening and reactions to its outcome depend on them.
    """

    acts: dict[SeatId, int] = field(default_factory=dict)
    """Acts that each player has made in it."""
    passes: int = 0
    """Successive passes; after it has closed, the passes that closed it."""


@dataclass(slots=True)
class Fight:
    """A melee: its principals, and the tokens of those who assist."""

    attacker: str
    defender: str
    lots: list[Lot] = field(default_factory=list)
    card: str | None = None
    """The card that started it, if one did."""
    spell: bool = False
    last: bool = True
    """True if the card that started the melee has no steps left. Only then can the melee be stopped (HA-W-21)."""


@dataclass(slots=True)
class Pending:
    """Something that players may react to or counter: its trigger, the seat that caused it, and the things it hits."""

    trigger: Trigger | None
    """None for a spell that may be countered."""
    cause: SeatId
    card: str | None = None
    """The title that was played."""
    spell: bool = False
    hits: tuple[str, ...] = ()
    """Characters, players by their Princes, pools and cards that it is aimed at or happens to."""
    victim: str | None = None
    """The one that it happens to: a character, or a player by their Prince."""
    depth: int = 0
    """Counters on the spell so far."""
    shields: int = 0
    """Shields on the stack, against what is pending."""
    stopped: bool = False
    """True if it will not happen, for example because the card was cancelled or a shield averted the death."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result that a Contest or a Challenge would have if it ended now (HA-J-9 to HA-J-16, HA-K-2 to HA-K-6)."""

    success: bool = False
    winner: SeatId | None = None
    loser: SeatId | None = None
    supporters: tuple[SeatId, ...] = ()
    opponents: tuple[SeatId, ...] = ()
    chief_supporter: SeatId | None = None
    chief_opponent: SeatId | None = None


class Table:
    """The public side of a turn. It changes while the turn is being judged."""

    def __init__(self, position: Position) -> None:
        self.index: Index = index_of(position.settings.set)
        self.ring = position.ring
        self.princes: Mapping[SeatId, str] = position.princes
        self.seats: Mapping[str, SeatId] = {prince: seat for seat, prince in self.princes.items()}
        self.turn = position.turn
        self.active: SeatId = position.active or position.ring[0]
        self.favor = {seat: player.favor for seat, player in position.players.items()}
        self.held = {seat: len(player.hand) for seat, player in position.players.items()}
        """How many Action cards each player holds."""
        self.reopenings = {seat: player.reopenings for seat, player in position.players.items()}
        self.people = {
            name: Person(name, name in self.seats, one.by, one.turned, [*one.tucked], one.home)
            for name, one in position.court.items()
        }
        self.middle = [*position.middle]
        self.changes = [*position.changes]
        self.events_left = len(position.events)
        self.event: Event | None = self.index.events[position.event] if position.event is not None else None
        self.open = position.event is not None
        """True while an Event phase runs."""
        self.chosen: dict[str, str] = dict(position.chosen)
        # An Event that was stopped or reopened resumes as it was then (HA-W-10, HA-W-21).
        underway = position.underway
        self.lots: list[Lot] = [*underway.lots] if underway is not None else []
        self.joined: list[str] = [*underway.joined] if underway is not None else []
        self.inside: set[SeatId] = {*underway.inside} if underway is not None else set()
        self.free: set[SeatId] = {*underway.free} if underway is not None else set()
        self.round: Round | None = None
        """The innermost Event or melee that gives everybody chances; None outside both."""
        if self.open:
            self.round = Round(dict(underway.acts), underway.passes) if underway is not None else Round()
        self.fight: Fight | None = None
        self.pending: list[Pending] = []
        """Things that players may react to or counter now, the innermost last."""

    # People -----------------------------------------------------------------------------------------------------------

    def clockwise(self, seats: Iterable[SeatId | None]) -> tuple[SeatId, ...]:
        """These seats, without None, clockwise from the active player (HA-I-17, HR-45)."""
        wanted = {*seats}
        return tuple(seat for seat in clockwise(self.ring, self.active) if seat in wanted)

    def court_of(self, seat: SeatId) -> list[str]:
        """The characters that a player controls, without the Prince, by id."""
        return sorted(name for name, one in self.people.items() if one.by == seat and not one.prince)

    def own_count(self, seat: SeatId) -> int:
        """Number of a player's characters that count against the limit: those that are not borrowed (HR-85)."""
        return sum(self.people[name].home is None for name in self.court_of(seat))

    def popularity(self, seat: SeatId) -> int:
        """The popularity of a player's Prince."""
        return self.index.princes[self.princes[seat]].popularity

    def keywords(self, name: str) -> frozenset[str]:
        """The keywords of a character in play. A keyword that is taken away is gone, however often it was given (HA-N-10)."""
        given, taken = set[str](self.index.person(name).keywords), set[str]()
        for word, mode in self._marks(name):
            (given if mode == "add" else taken).add(word)
        for step in self._lasting("keyword"):
            assert isinstance(step, GiveKeyword)
            each = speaks_of(step.target)
            if isinstance(each, Each) and self._fits(each.filter, name, frozenset(given - taken), self.active):
                (given if step.mode == "add" else taken).add(step.word)
        return frozenset(given - taken)

    def rating(self, name: str, skill: Skill) -> int:
        """A character's current rating; below 0 it counts as 0 (HA-B-17)."""
        total: int = getattr(self.index.person(name), skill)
        total += sum(change.n for change in self.changes if change.of == name and change.skill == skill)
        for step in self._tucked_steps(name):
            if step.stat is not None and step.stat.skill == skill and step.stat.target == "self":
                total += self.counted(step.stat.n, step.stat.max, self.people[name].by)
        for stat in self._lasting("stat"):
            assert isinstance(stat, Stat)
            each = speaks_of(stat.target)
            if stat.skill == skill and isinstance(each, Each) and self.fits(each.filter, name, self.active):
                total += self.counted(stat.n, stat.max, self.active)
        return max(0, total)

    def _marks(self, name: str) -> Iterator[tuple[str, str]]:
        """Keywords that tucked and played cards give a character or take from it, each with its mode."""
        for change in self.changes:
            if change.of == name and change.keyword is not None:
                yield change.keyword, change.mode
        for step in self._tucked_steps(name):
            if step.keyword is not None and step.keyword.target == "self":
                yield step.keyword.word, step.keyword.mode

    def _tucked_steps(self, name: str) -> Iterator[Step]:
        """Steps of the cards tucked under a character, which apply while they are there."""
        for card in self.people[name].tucked:
            event = self.index.events.get(card)
            if event is not None:
                yield from event.lasting.while_ if event.lasting is not None else ()
            else:
                yield from self.index.action(card).while_

    def _lasting(self, word: Literal["stat", "keyword"]) -> Iterator[Stat | GiveKeyword]:
        """Changes of ratings (`stat`) or keywords by Events in the middle, in order of arrival (HA-I-15, HR-21)."""
        for name in self.middle:
            lasting = self.index.events[name].lasting
            for step in lasting.while_ if lasting is not None else ():
                deed = getattr(step, word)
                if deed is not None:
                    yield deed

    def counted(self, n: int | str, most: int | None, me: SeatId) -> int:
        """An amount: the whole number `n`, or the number of characters that fit `per(...)`, up to `most` (HR-52)."""
        if isinstance(n, int):
            return n
        per = speaks_of(n)
        fitting = sum(self.fits(per.filter, name, me) for name in self.people)  # type: ignore[union-attr]  # always a Per
        return min(fitting, most if most is not None else fitting)

    # Filters ----------------------------------------------------------------------------------------------------------

    def fits(self, words: Filter, name: str, me: SeatId, *, turning: str | None = None) -> bool:
        """True if a character in play fits a filter, as `me` sees it; `turning` is about to be turned as a cost."""
        keywords = self.keywords(name) if words.keywords else frozenset[str]()
        return self._fits(words, name, keywords, me, turning)

    def _fits(self, words: Filter, name: str, keywords: frozenset[str], me: SeatId, turning: str | None = None) -> bool:
        one = self.people[name]
        turned = one.turned or name == turning
        facts = {
            "mine": one.by == me, "other": one.by != me, "any": True, "prince": one.prince, "not-prince": not one.prince,
            "turned": turned, "unturned": not turned, "joined": name in self.joined,
        }  # fmt: skip
        return all(facts[word] for word in words.words) and words.keywords <= keywords

    def fits_player(self, words: Filter, seat: SeatId, me: SeatId) -> bool:
        """True if a player fits a filter."""
        return not (("mine" in words.words and seat != me) or ("other" in words.words and seat == me))

    def each(self, words: Filter, me: SeatId) -> tuple[str, ...]:
        """All characters in play that fit: clockwise from the active player, then by id (CARDS.md)."""
        order = {seat: at for at, seat in enumerate(clockwise(self.ring, self.active))}
        fitting = [name for name in self.people if self.fits(words, name, me)]
        return tuple(sorted(fitting, key=lambda name: (order[self.people[name].by], name)))

    def bearer(self, card: str) -> str | None:
        """The character that a card is tucked under, if any."""
        return next((name for name, one in self.people.items() if card in one.tucked), None)

    def values(self, words: Filter, me: SeatId, *, turning: str | None = None) -> list[str]:
        """Everything that a filter allows, by id: characters, players by their Princes, pools, or tucked equipment."""
        match words.kind:
            case "character":
                return sorted(name for name in self.people if self.fits(words, name, me, turning=turning))
            case "player":
                return sorted(self.princes[seat] for seat in self.ring if self.fits_player(words, seat, me))
            case "pool":
                return [name for name in self.pools if self.is_open(name, me)]
            case "equipment":
                bearing = words.words - {"equipment"}
                there = Filter(bearing, words.keywords)
                return sorted(
                    card
                    for name, one in self.people.items()
                    if self.fits(there, name, me)
                    for card in one.tucked
                    if card not in self.index.events
                )

    # Pools ------------------------------------------------------------------------------------------------------------

    @property
    def pools(self) -> tuple[str, ...]:
        """The pools of the Event: Support and Opposition, or one for each Prince, clockwise (HA-J-1, HA-K-1)."""
        if self.event is None:
            return ()
        return (SUPPORT, OPPOSE) if self.event.type == "challenge" else tuple(self.princes.values())

    @property
    def contest(self) -> bool:
        """True while a Contest runs."""
        return self.open and self.event is not None and self.event.type == "contest"

    @property
    def challenge(self) -> bool:
        """True while a Challenge runs."""
        return self.open and self.event is not None and self.event.type == "challenge"

    def tokens(self, pool: str) -> int:
        """The tokens in a pool."""
        return sum(lot.amount for lot in self.lots if lot.pool == pool)

    def is_inside(self, seat: SeatId) -> bool:
        """True if a player participates in the Contest, whatever became of their tokens (HA-J-4, J-6, J-8, HR-10)."""
        return seat in self.inside or (self.event is not None and bool(self.event.mandatory))

    def is_open(self, pool: str, me: SeatId) -> bool:
        """True if a player may feed a pool (HA-J-2, HA-J-3, HA-J-5)."""
        if pool not in self.pools:
            return False
        whose = self.seats.get(pool)
        return whose is None or whose == me or self.is_inside(whose)

    def may_join(self, name: str) -> bool:
        """True if a character's rating and keywords let it turn into the Event (HA-I-3, HA-I-4, HR-60, HR-73)."""
        event = self.event
        if event is None or self.rating(name, event.skill) < 1:
            return False
        return event.limit is None or self.admits(event.limit, name)

    def admits(self, limit: Limit, name: str) -> bool:
        """True if a limit lets a character in."""
        words = self.keywords(name)
        if limit.unless is not None and limit.unless in words:
            return True
        return (limit.only is None or limit.only in words) and (limit.bar is None or limit.bar not in words)

    def strength(self, name: str) -> int:
        """The tokens that a character gives when it turns into the Event (HA-I-5, HA-N-4 to HA-N-6)."""
        event, words = self.event, self.keywords(name)
        assert event is not None
        total = self.rating(name, event.skill)
        if "Wealthy" in words and "Money" in event.themes:
            total += WEALTH
        if event.bonus is not None and event.bonus.keyword in words:
            total += event.bonus.n
        return total

    def result(self) -> Result:
        """The result that the Event would have if it ended now."""
        assert self.event is not None
        return self._contest(bool(self.event.mandatory)) if self.event.type == "contest" else self._challenge()

    def wins(self, pool: str, more: int = 0) -> bool:
        """True if a pool would prevail if the Event closed now with `more` tokens added to it (HR-39)."""
        whose = self.seats.get(pool)
        self.lots.append(Lot(pool=pool, amount=more, seat=whose or self.active))
        result = self.result()
        self.lots.pop()
        return result.winner == whose if whose is not None else result.success is (pool == SUPPORT)

    def _contest(self, mandatory: bool) -> Result:
        """Winner and loser (HA-J-9 to HA-J-14). A player without tokens takes part only in a mandatory Contest."""
        tokens = {seat: self.tokens(prince) for seat, prince in self.princes.items()}
        taking = [seat for seat in self.ring if mandatory or tokens[seat] > 0]
        if not taking:
            return Result()
        winner = max(taking, key=lambda seat: (tokens[seat], self.popularity(seat)))
        loser = min(taking, key=lambda seat: (tokens[seat], self.popularity(seat)))
        return Result(winner=winner, loser=loser if loser != winner else None)

    def _challenge(self) -> Result:
        """Success, and the players of each side: those who gave more tokens to it than to the other side (HA-K-2 to HA-K-6, HR-84)."""
        given = {
            pool: {seat: sum(lot.amount for lot in self.lots if lot.pool == pool and lot.seat == seat) for seat in self.ring}
            for pool in (SUPPORT, OPPOSE)
        }  # fmt: skip
        sides: dict[str, tuple[SeatId, ...]] = {}
        chiefs: dict[str, SeatId | None] = {}
        for pool, against in ((SUPPORT, OPPOSE), (OPPOSE, SUPPORT)):
            side = self.clockwise(seat for seat in self.ring if given[pool][seat] > given[against][seat])
            sides[pool] = side
            most = given[pool]
            chiefs[pool] = max(side, key=lambda seat: (most[seat], self.popularity(seat))) if side else None
        success = self.tokens(SUPPORT) > self.tokens(OPPOSE)
        return Result(success, None, None, sides[SUPPORT], sides[OPPOSE], chiefs[SUPPORT], chiefs[OPPOSE])

    # A melee ----------------------------------------------------------------------------------------------------------

    def pile(self, side: str) -> int:
        """A pile of the melee: the principal's Combat as it is now, and the tokens of those who assist (HA-H-15, HA-H-16)."""
        fight = self.fight
        assert fight is not None
        principal = fight.attacker if side == ATTACK else fight.defender
        own = self.rating(principal, "combat") if principal in self.people else 0
        return own + sum(lot.amount for lot in fight.lots if lot.pool == side)

    # Leaving ----------------------------------------------------------------------------------------------------------

    def forget(self, name: str) -> Person:
        """Takes a character off the table, with its tokens and all changes to it, and returns it (HA-I-10, HA-H-15)."""
        self.lots = [lot for lot in self.lots if lot.source != name]
        self.joined = [one for one in self.joined if one != name]
        self.changes = [change for change in self.changes if change.of != name]
        if self.fight is not None:
            self.fight.lots = [lot for lot in self.fight.lots if lot.source != name]
        return self.people.pop(name)

    def courtiers(self) -> dict[str, Courtier]:
        """The characters in play as a position stores them, by id."""
        return {
            name: Courtier(by=one.by, turned=one.turned, tucked=tuple(one.tucked), home=one.home)
            for name, one in sorted(self.people.items())
        }
