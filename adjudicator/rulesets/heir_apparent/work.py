"""A turn during its resolution: the table that everybody sees, the hidden state, and what cards do to both."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.cards import Deck, draw, pick
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.events import AnyEvent, Verdict
from adjudicator.rulesets.heir_apparent.index import is_called
from adjudicator.rulesets.heir_apparent.orders import STANDING, Step, reader_of
from adjudicator.rulesets.heir_apparent.plans import Plan, Progress, Reason, plan_of, verdict, verdict_of
from adjudicator.rulesets.heir_apparent.position import (
    MOST_CHARACTERS,
    Change,
    Filed,
    Kept,
    Lot,
    Position,
)
from adjudicator.rulesets.heir_apparent.steps import Step as CardStep
from adjudicator.rulesets.heir_apparent.table import Pending, Person, Result, Table
from adjudicator.rulesets.heir_apparent.variables import Asked, Own, Part

STAND: frozenset[Part] = frozenset({"melee", "reactions", "counters"})
"""Lists that apply until they are sent again."""


class Unseen(list[str]):
    """A hand seen from outside, which may hold any card (HE-2)."""


@dataclass(slots=True)
class Playing:
    """A card, an ability or an Event while its steps are carried out."""

    of: str
    """Its id in facts."""
    me: SeatId
    """The player whose card it is; for an Event, the active player."""
    steps: tuple[CardStep, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    """Name -> the choice made under it."""
    card: str | None = None
    """The copy, for an Action card; it is in no pile while it works."""
    bearer: str | None = None
    """The character whose ability it is."""
    result: Result | None = None
    """The result of the Event, for an Event."""
    answers: Pending | None = None
    """The pending thing that a reaction answers."""
    spell: bool = False
    """True if it is a Spell."""
    tucked: bool = False
    """True if the card was tucked under a character."""
    last: bool = True
    """True if the current step is the last one."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Procedures that the steps of cards call. They are passed in, because they carry out cards themselves."""

    react: Callable[[Turn, Pending], None]
    """Let everybody react (HA-P-3)."""
    melee: Callable[[Turn, str, str, Playing], None]
    """Fight a melee that a card starts: attacker, defender, the card (HA-H)."""


class Turn(Draft[Position, Verdict, AnyEvent]):
    """A turn while it is being judged. `table` is public; everything else here is hidden."""

    killed: list[str]
    past: list[str]
    characters: Deck
    actions: Deck

    def __init__(self, position: Position, sheets: Mapping[SeatId, Any], dice: Dice, answers: Answers) -> None:
        super().__init__(position, sheets, dice)
        self.answers = answers
        self.table = Table(position)
        self.hands = {seat: [*player.hand] for seat, player in position.players.items()}
        self.held_before = {seat: [*hand] for seat, hand in self.hands.items()}
        """Seat -> all cards that were in the hand during this window."""
        self.own = {seat: Own(hand) for seat, hand in self.hands.items()}
        self.deck = [*position.events]
        self.standing: dict[SeatId, Kept] = STANDING.after(position.standing, sheets)
        self.filed: dict[SeatId, Filed] = {}
        self.reader = reader_of(self.table.index, tuple(position.princes.values()))
        self.plans: dict[tuple[SeatId, Part], Plan] = {}
        self.countered: Counter[tuple[SeatId, int]] = Counter()
        """Seat and line -> number of times it has countered in this window (HA-W-14)."""
        self.act = 0
        """The number of the last act."""
        self.risen = bool(position.risen)
        """True if the active player has unturned in this turn (HA-L-11)."""
        self.rings = 0
        """Number of open reaction rings, one inside another."""
        self.newcomers: set[str] = set()
        """Characters that the current draw or card gave to a player. By default they are not the ones released (HR-9)."""
        self.guarded = False
        """True if a ring was stopped after too many acts (HA-W-16)."""
        self.going_on: SeatId | None = None
        """The player who stopped the run before, until they have had their chance. They cannot stop it there again (HA-W-21)."""
        self.running: Mapping[SeatId, Plan] = MappingProxyType({})
        """Plans of the current ring, with the lines that have been carried out."""
        self._picks = itertools.count(1)
        for seat in position.ring:
            for part in sorted(STAND):
                self._plan(seat, part, getattr(STANDING.of(self.standing, seat), part))
            sheet = sheets.get(seat)
            for part in ("actions", "event", "draw", "keep"):
                if sheet is not None and getattr(sheet, part, None) is not None:
                    self._plan(seat, part, getattr(sheet, part))

    # Plans ------------------------------------------------------------------------------------------------------------

    def _plan(self, seat: SeatId, part: Part, lines: Sequence[str] | None) -> None:
        sheet = self.sheets.get(seat)
        sent = sheet is not None and getattr(sheet, part, None) is not None
        plan, surplus = plan_of(self.reader, seat, part, lines, sent=sent)
        self.plans[seat, part] = plan
        if sent:
            for line in surplus:
                self.note(seat, line.step.line, "surplus")

    def stand(self, seat: SeatId, part: Part, lines: Sequence[str]) -> None:
        """Restore lines that the player sent for this list earlier (HR-5)."""
        self.plans[seat, part] = plan_of(self.reader, seat, part, lines, sent=False)[0]

    def go_on_later(self, *parts: Part) -> None:
        """Leave lists to the next window of the same phase, which judges the lines that were not reached (HA-W-22)."""
        for (seat, part), plan in [*self.plans.items()]:
            if part in ("draw", "keep") and part in parts:
                del self.plans[seat, part]
            elif part in parts:
                for line in plan.lines:
                    line.goes_on = True

    def plan(self, seat: SeatId, part: Part) -> Plan:
        """A player's list, empty if they sent none."""
        return self.plans.get((seat, part)) or Plan(seat, part, [])

    def ask(self, seat: SeatId) -> Asked:
        """The state against which a player's conditions are tested."""
        return Asked(self.table, seat, self.own[seat])

    def holds(self, seat: SeatId, line: Progress) -> bool:
        """True if a line's condition holds now."""
        line.asked = True
        condition = getattr(line.step, "condition", None)
        asked = self.ask(seat)
        failed = condition.first_failing(asked.number, asked.flag) if condition is not None else None
        if failed is not None:
            line.failed = failed
            return False
        line.held = True
        return True

    def note(self, seat: SeatId, order: str, reason: Reason, facts: Mapping[str, str] | None = None) -> None:
        """Record the verdict that belongs to a reason."""
        self.verdicts.append(verdict(seat, order, reason, facts))

    def judge_plans(self) -> None:
        """Record the verdicts on all lines of all lists."""
        for seat in self.start.ring:
            for part in ("actions", "event", "melee", "reactions", "counters", "draw", "keep"):
                plan = self.plans.get((seat, part))
                for line in plan.lines if plan is not None else ():
                    self._note_trigger(line)
                    found = verdict_of(plan, line)  # type: ignore[arg-type]  # a plan with lines is not None
                    if found is not None:
                        self.verdicts.append(found)

    def _note_trigger(self, line: Progress) -> None:
        """Mark a reaction whose card can never answer its trigger, even if the trigger never came."""
        step = line.step
        if isinstance(step, Step) and step.kind == "react" and not line.acts:
            action = self.table.index.action(step.args["card"])
            if step.args["trigger"] not in action.trigger:
                line.fault = "other-trigger"

    # Hands and decks --------------------------------------------------------------------------------------------------

    def draw_actions(self, seat: SeatId, count: int, of: str = "") -> tuple[str, ...]:
        """Draw Action cards for a player and return them. The discard pile is shuffled when the pile is empty (HA-M-4, HA-M-5)."""
        drawn = draw(self.actions, count, self.dice, "actions")
        if drawn.reshuffled:
            self.tell(facts.Reshuffled(deck="action", cards=len(self.actions.discards)))
        self.actions = drawn.deck
        self.hands[seat] += drawn.cards
        self.held_before[seat] += drawn.cards
        self._count(seat)
        if drawn.cards:
            self.tell(facts.Drew(seat=seat, cards=drawn.cards, of=of))
        return drawn.cards

    def draw_character(self) -> str | None:
        """Draw a Character; None if none is left (HA-M-5)."""
        drawn = draw(self.characters, 1, self.dice, "characters")
        if drawn.reshuffled:
            self.tell(facts.Reshuffled(deck="character", cards=len(self.characters.discards)))
        self.characters = drawn.deck
        return next(iter(drawn.cards), None)

    def take_from_hand(self, seat: SeatId, card: str) -> None:
        """Take a card out of a hand; it is in no pile until it is discarded or tucked."""
        self.hands[seat].remove(card)
        self._count(seat)

    def discard(
        self, seat: SeatId, cards: Iterable[str], why: Literal["limit", "trade", "effect"], of: str = ""
    ) -> None:
        """Put cards from a hand on the discard pile, face up."""
        gone = tuple(cards)
        for card in gone:
            self.hands[seat].remove(card)
        self._count(seat)
        self.actions = self.actions.discard(*gone)
        if gone:
            self.tell(facts.Discarded(seat=seat, cards=gone, why=why, of=of))

    def choose_discards(self, seat: SeatId, count: int) -> list[str]:
        """Cards that a player discards: those on their list first, then the last drawn (HA-L-3; HA-W-9)."""
        left = [*self.hands[seat]]
        chosen: list[str] = []
        for name in STANDING.of(self.standing, seat).discard or ():
            # A title is a kind of card, so in this list it means every copy (HE-9).
            while len(chosen) < count and (card := self.copy_in(left, self.reader.named(name))) is not None:
                chosen.append(card)
                left.remove(card)
        return [*chosen, *reversed(left)][:count]

    def pick_discards(self, seat: SeatId, count: int) -> tuple[str, ...]:
        """Random cards from a hand."""
        return pick(self.hands[seat], count, self.dice, f"pick:{next(self._picks)}")

    @staticmethod
    def copy_in(cards: Iterable[str], name: str) -> str | None:
        """The card in a hand that a name means: that copy, or the lowest copy of a title (HR-25)."""
        if isinstance(cards, Unseen):
            return name if "#" in name else f"{name}#1"
        return min((card for card in cards if is_called(card, name)), default=None)

    def _count(self, seat: SeatId) -> None:
        self.table.held[seat] = len(self.hands[seat])

    # Favor ------------------------------------------------------------------------------------------------------------

    def gain(self, seat: SeatId, n: int, of: str) -> None:
        """Give a player favor."""
        self.table.favor[seat] += n
        self.tell(facts.Gained(seat=seat, amount=n, favor=self.table.favor[seat], of=of))

    def lose(self, seat: SeatId, n: int, of: str) -> None:
        """Take favor from a player, or all they have if that is less (HA-Q-1, HA-Q-2)."""
        lost = min(n, self.table.favor[seat])
        self.table.favor[seat] -= lost
        self.tell(facts.Lost(seat=seat, amount=lost, favor=self.table.favor[seat], of=of))

    def move_favor(self, giver: SeatId, taker: SeatId, n: int, of: str) -> None:
        """Move favor from one player to another, or all there is if that is less."""
        moved = min(n, self.table.favor[giver])
        self.table.favor[giver] -= moved
        self.table.favor[taker] += moved
        left, has = self.table.favor[giver], self.table.favor[taker]
        self.tell(facts.Took(seat=taker, before=giver, amount=moved, favor=has, left=left, of=of))

    # Characters -------------------------------------------------------------------------------------------------------

    def put_in_play(self, seat: SeatId, name: str, *, turned: bool) -> None:
        """Put a Character into play."""
        self.table.people[name] = Person(name, prince=False, by=seat, turned=turned)

    def kill(self, name: str, of: str) -> None:
        """Remove a character from the game (HA-M-1)."""
        one = self._leave(name)
        self.killed.append(name)
        self.tell(facts.Killed(seat=one.by, character=name, of=of))

    def dismiss(self, name: str, of: str) -> None:
        """Discard a character by a card's effect (HA-M-1)."""
        one = self._leave(name)
        self.characters = self.characters.discard(name)
        self.tell(facts.Dismissed(seat=one.by, character=name, of=of))

    def release(self, name: str) -> None:
        """Discard a character beyond the limit of five (HA-M-8)."""
        one = self._leave(name)
        self.characters = self.characters.discard(name)
        self.tell(facts.Released(seat=one.by, character=name))

    def _leave(self, name: str) -> Person:
        """Take a character off the table, and discard the cards tucked under it (HA-M-7, HA-I-15)."""
        one = self.table.forget(name)
        assert not one.prince, name  # HA-M-2
        for card in one.tucked:
            self.lay_away(card)
        self.newcomers.discard(name)
        return one

    def lay_away(self, card: str) -> None:
        """Discard a card that was in play, an Action card or an Event."""
        if card in self.table.index.events:
            self.past.append(card)
        else:
            self.actions = self.actions.discard(card)

    def keep_the_limit(self) -> None:
        """Make players with more than five characters release some, clockwise from the active player (HA-M-8, HR-47)."""
        for seat in self.table.clockwise(self.start.ring):
            while self.table.own_count(seat) > MOST_CHARACTERS:
                self.release(self.choose_release(seat, None, None))

    def choose_release(self, seat: SeatId, named: str | None, barred: str | None) -> str:
        """The character that a player releases: the named one, the first of their list, or the weakest (HA-M-9, HR-9, HR-32).

        By default newcomers stay while others can go. Borrowed characters never go (HR-85).
        """
        people = self.table.people
        mine = [name for name in self.table.court_of(seat) if people[name].home is None and name != barred]
        wanted = [named, *(self.reader.named(name) for name in STANDING.of(self.standing, seat).release or ())]
        for name in wanted:
            if name in mine:
                return name
        settled = [name for name in mine if name not in self.newcomers]
        return min(settled or mine, key=self._weakness)

    def _weakness(self, name: str) -> tuple[int, str]:
        """Sort key, weakest first: the sum of both current ratings, then the name (HR-9, HR-29)."""
        both = self.table.rating(name, "politics") + self.table.rating(name, "combat")
        return both, self.table.index.characters[name].name

    def go_home(self) -> None:
        """Return borrowed characters, and end changes that last until the end of the turn (HR-13, HR-14)."""
        for name, one in sorted(self.table.people.items()):
            if one.home is not None:
                self.tell(facts.Returned(seat=one.home, before=one.by, character=name))
                one.by, one.home = one.home, None
        self.table.changes = [change for change in self.table.changes if change.until != "turn"]
        self.keep_the_limit()

    def unturn(self, seat: SeatId, only: Collection[str] | None = None) -> tuple[str, ...]:
        """Unturn all of a player's characters, or only these, and return those that were turned, by id (HA-L-4, HA-L-5)."""
        mine = sorted(name for name, one in self.table.people.items() if one.by == seat and one.turned)
        risen = tuple(name for name in mine if only is None or name in only)
        for name in risen:
            self.table.people[name].turned = False
        if risen:
            self.tell(facts.Rose(seat=seat, characters=risen))
        return risen

    # Pools ------------------------------------------------------------------------------------------------------------

    def feed(self, pool: str, tokens: int, seat: SeatId, source: str | None = None) -> None:
        """Add tokens to a pool. Players who feed their own pool participate from then on (HA-J-4, HR-2)."""
        self.table.lots.append(Lot(pool=pool, amount=tokens, seat=seat, source=source))
        if self.table.seats.get(pool) == seat and tokens > 0:
            self.table.inside.add(seat)

    def pools(self) -> dict[str, int]:
        """Pool -> its tokens now; in a melee, the two piles."""
        if self.table.fight is not None:
            return {side: self.table.pile(side) for side in ("attack", "defence")}
        return {pool: self.table.tokens(pool) for pool in self.table.pools} if self.table.open else {}

    def alter(self, change: Change) -> None:
        """Record a card's change to a character."""
        self.table.changes.append(change)

    # The end ----------------------------------------------------------------------------------------------------------

    def after(self, **fields: object) -> Position:
        """The position with all changes so far, and with these fields."""
        table = self.table
        players = {
            seat: replace(
                player, favor=table.favor[seat], reopenings=table.reopenings[seat], hand=tuple(self.hands[seat])
            )
            for seat, player in self.start.players.items()
        }
        return super().after(
            players=players,
            court=table.courtiers(),
            events=tuple(self.deck),
            middle=tuple(table.middle),
            changes=tuple(table.changes),
            risen=self.risen,
            standing=self.standing,
            filed=self.filed,
            **fields,
        )
