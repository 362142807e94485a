"""What the steps of cards do (CARDS.md): each of the primitives, worked in order.

What is about to happen may be answered first (HA-P-5): a step asks `react`, which `chain` provides, and goes on if nothing stopped it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent import steps
from adjudicator.rulesets.heir_apparent.cardset import PENDING
from adjudicator.rulesets.heir_apparent.index import speaks_of
from adjudicator.rulesets.heir_apparent.position import Change, Lot
from adjudicator.rulesets.heir_apparent.selectors import (
    Bearer,
    Choose,
    Chosen,
    Controller,
    Each,
    HandOf,
    Player,
    Selector,
    Source,
    TopActions,
    TopEvent,
)
from adjudicator.rulesets.heir_apparent.steps import Step
from adjudicator.rulesets.heir_apparent.table import Pending, Result
from adjudicator.rulesets.heir_apparent.titles import Trigger
from adjudicator.rulesets.heir_apparent.work import Work


@dataclass(slots=True)
class Playing:
    """A card, an ability or an Event while its steps are worked."""

    of: str
    """Its id, as facts name it."""
    me: SeatId
    """Whose card it is; for an Event the active player."""
    steps: tuple[Step, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    """Name -> what was chosen under it."""
    card: str | None = None
    """The copy, for an Action card; it lies nowhere while it is worked."""
    bearer: str | None = None
    """The character whose ability it is."""
    result: Result | None = None
    """How the Event ended, for an Event."""
    answers: Pending | None = None
    """What a reaction answers."""
    spell: bool = False
    """Whether it is a Spell."""
    tucked: bool = False
    """Whether the card was tucked under a character."""
    last: bool = True
    """Whether the step that is worked is its last."""


class Effects(Work):
    """A turn that can work the steps of cards."""

    @abstractmethod
    def react(self, pending: Pending) -> None:
        """Lets everybody react (HA-P-3)."""

    @abstractmethod
    def melee(self, attacker: str, defender: str, playing: Playing) -> None:
        """A melee that a card starts (HA-H)."""

    def work_steps(self, playing: Playing) -> None:
        """Works the steps of a card in order; after each nobody holds more than five characters (HA-M-8)."""
        for left, step in zip(range(len(playing.steps) - 1, -1, -1), playing.steps, strict=True):
            playing.last = left == 0
            self._work(step, playing)
            self.keep_the_limit()
        self.newcomers.clear()

    def _work(self, step: Step, playing: Playing) -> None:
        deed, of, me = step.deed, playing.of, playing.me
        match deed:
            case steps.Favor():
                self._favor(deed, playing)
            case steps.FavorMove():
                self._favor_move(deed, playing)
            case steps.DrawCards():
                for seat in self.players(deed.who, playing):
                    self.draw_actions(seat, self._number(deed, playing), of)
            case steps.DiscardHand():
                for seat in self.players(deed.who, playing):
                    count = self._number(deed, playing)
                    chosen = self.choose_discards if deed.pick == "owner" else self.pick_discards
                    self.discard(seat, chosen(seat, count), "effect", of)
            case steps.Stat():
                n = self._number(deed, playing)
                for name in self.characters_of(deed.target, playing):
                    until = _until(deed.until)
                    self.alter(Change(of=name, skill=deed.skill, n=n, until=until))
                    self.tell(facts.Rated(character=name, skill=deed.skill, amount=n, until=until, of=of))
            case steps.GiveKeyword():
                for name in self.characters_of(deed.target, playing):
                    until = _until(deed.until)
                    self.alter(Change(of=name, keyword=deed.word, mode=deed.mode, until=until))
                    self.tell(facts.Marked(character=name, keyword=deed.word, mode=deed.mode, until=until, of=of))
            case steps.Support():
                pool, n = self._pool(deed.pool, playing), self._number(deed, playing)
                if pool is not None and n > 0:
                    self.feed(pool, n, me)
                    self.tell(facts.Fed(seat=me, pool=pool, tokens=n, of=of))
            case steps.Strip():
                self._strip(deed, playing)
            case steps.Redirect():
                self._redirect(deed, playing)
            case steps.Turn():
                for name in self.characters_of(deed.target, playing):
                    self._turn(name, playing)
            case steps.Unturn():
                for name in self.characters_of(deed.target, playing):
                    if self.table.people[name].turned:
                        self.table.people[name].turned = False
                        self.tell(facts.Unturned(character=name, of=of))
            case steps.Kill():
                for name in self.characters_of(deed.target, playing):
                    self._remove(name, "kill_pending", playing)
            case steps.Dismiss():
                for name in self.characters_of(deed.target, playing):
                    self._remove(name, "dismiss_pending", playing)
            case steps.Control():
                self._control(deed, playing)
            case steps.Attach():
                for name in self.characters_of(deed.target, playing):
                    self._attach(name, playing)
            case steps.Detach():
                self._detach(deed, playing)
            case steps.Melee():
                attackers = self.characters_of(deed.attacker, playing)
                defenders = self.characters_of(deed.defender, playing)
                if attackers and defenders:
                    self.melee(attackers[0], defenders[0], playing)
            case steps.Cancel():
                self._cancel(playing)
            case steps.Shield():
                self._shield(deed, playing)
            case steps.Peek():
                self._peek(deed, playing)
            case steps.Limit():
                pass  # who may join is a part of the Event, and asked there
            case _:
                assert_never(deed)

    # Who and what -----------------------------------------------------------------------------------------------------

    def players(self, text: str, playing: Playing) -> tuple[SeatId, ...]:
        """The players that a card speaks of, clockwise from the active one (HA-I-17)."""
        return self.table.clockwise(self._players(speaks_of(text), playing))

    def _players(self, selector: Selector, playing: Playing) -> Iterable[SeatId | None]:
        ring, me, result = self.start.ring, playing.me, playing.result or Result()
        match selector:
            case Player(word):
                at = ring.index(me)
                known: Mapping[str, Iterable[SeatId | None]] = {
                    "me": [me], "active": [self.table.active], "all": ring, "others": [seat for seat in ring if seat != me],
                    "left": [ring[(at + 1) % len(ring)]], "right": [ring[at - 1]],
                    "winner": [result.winner], "loser": [result.loser],
                    "supporters": result.supporters, "opponents": result.opponents,
                    "chief-supporter": [result.chief_supporter], "chief-opponent": [result.chief_opponent],
                }  # fmt: skip
                return known[word]
            case Choose(name) | Chosen(name):
                return [self.table.seats.get(playing.names.get(name, ""))]
            case Controller(of):
                return [self.table.people[name].by for name in self._characters(of, playing)]
            case _:
                raise AssertionError(selector)

    def characters_of(self, text: str, playing: Playing) -> tuple[str, ...]:
        """The characters in play that a card speaks of; the list is fixed before anything happens to them (HR-44)."""
        return tuple(self._characters(speaks_of(text), playing))

    def _characters(self, selector: Selector, playing: Playing) -> list[str]:
        match selector:
            case Choose(name) | Chosen(name):
                found = [playing.names.get(name, "")]
            case Bearer():
                found = [playing.bearer or ""]
            case Each(words):
                found = [*self.table.each(words, playing.me)]
            case Source(of):
                found = self._characters(of, playing)
            case _:
                raise AssertionError(selector)
        return [name for name in found if name in self.table.people]

    def _pool(self, text: str, playing: Playing) -> str | None:
        selector = speaks_of(text)
        assert isinstance(selector, Choose | Chosen), text
        pool = playing.names.get(selector.name, "")
        return pool if pool in self.table.pools else None

    def _number(self, deed: steps.Counted, playing: Playing) -> int:
        return self.table.counted(deed.n, deed.max, playing.me)

    # Favor ------------------------------------------------------------------------------------------------------------

    def _favor(self, deed: steps.Favor, playing: Playing) -> None:
        """Gains, and losses that can be shielded, one ring for each who loses (HR-17, HR-87)."""
        n = self._number(deed, playing)
        for seat in self.players(deed.who, playing):
            if n > 0:
                self.gain(seat, n, playing.of)
            elif n < 0 and self._loses(seat, playing):
                self.lose(seat, -n, playing.of)

    def _favor_move(self, deed: steps.FavorMove, playing: Playing) -> None:
        """Nothing moves from nobody, to nobody, or from a player to the same."""
        n = self._number(deed, playing)
        takers = self.players(deed.to, playing)
        for giver in self.players(deed.from_, playing):
            for taker in takers:
                if giver != taker and n > 0 and self._loses(giver, playing):
                    self.move_favor(giver, taker, n, playing.of)

    def _loses(self, seat: SeatId, playing: Playing) -> bool:
        """Whether a player is about to lose favor and does (HR-17: not from an empty purse)."""
        if self.table.favor[seat] == 0:
            return False
        prince = self.table.princes[seat]
        return not self._answered("favor_loss", playing, prince)

    def _answered(self, trigger: Trigger, playing: Playing, victim: str) -> bool:
        """Whether a reaction stopped what was about to happen; `card` and `spell` tell what is about to do it."""
        card = playing.of if playing.card is not None else None
        pending = Pending(
            trigger=trigger, cause=playing.me, card=card, spell=playing.spell, hits=(victim,), victim=victim
        )
        self.react(pending)
        return pending.stopped

    # Tokens -----------------------------------------------------------------------------------------------------------

    def _strip(self, deed: steps.Strip, playing: Playing) -> None:
        """Takes tokens of a character away, the latest first (HR-20)."""
        n = self._number(deed, playing)
        for name in self.characters_of(deed.from_, playing):
            left, kept = n, list[Lot]()
            for lot in reversed(self.table.lots):
                gone = min(left, lot.amount) if lot.source == name else 0
                left -= gone
                kept.append(replace(lot, amount=lot.amount - gone))
            self.table.lots = kept[::-1]
            self.tell(facts.Stripped(character=name, tokens=n - left, of=playing.of))

    def _redirect(self, deed: steps.Redirect, playing: Playing) -> None:
        """Moves all tokens of a character to a pool; who gave them stays who gave them (HR-2, HR-20)."""
        pool = self._pool(deed.pool, playing)
        for name in self.characters_of(deed.from_, playing) if pool is not None else ():
            assert pool is not None
            moved = sum(lot.amount for lot in self.table.lots if lot.source == name)
            self.table.lots = [replace(lot, pool=pool) if lot.source == name else lot for lot in self.table.lots]
            if moved > 0 and self.table.seats.get(pool) == playing.me:
                self.table.inside.add(playing.me)
            self.tell(facts.Redirected(character=name, pool=pool, tokens=moved, of=playing.of))

    # Characters -------------------------------------------------------------------------------------------------------

    def _turn(self, name: str, playing: Playing) -> None:
        """Turns an unturned character, unless that is shielded (HA-M-12, HR-49)."""
        if self.table.people[name].turned or self._answered("turn_forced", playing, name):
            return
        one = self.table.people.get(name)
        if one is not None and not one.turned:
            one.turned = True
            self.tell(facts.Turned(character=name, of=playing.of))

    def _remove(self, name: str, trigger: Literal["kill_pending", "dismiss_pending"], playing: Playing) -> None:
        """Kills or dismisses a character, unless that is shielded; never a Prince (HA-M-2)."""
        one = self.table.people.get(name)
        if one is None or one.prince or self._answered(trigger, playing, name) or name not in self.table.people:
            return
        if trigger == "kill_pending":
            self.kill(name, playing.of)
        else:
            self.dismiss(name, playing.of)

    def _control(self, deed: steps.Control, playing: Playing) -> None:
        """Gives a character to a player, for good or to the end of the turn; never a Prince (HA-M-3, HR-85)."""
        for seat in self.players(deed.to, playing)[:1]:
            for name in self.characters_of(deed.target, playing):
                one = self.table.people[name]
                borrowed = deed.until == "turn" or (deed.until is None and playing.result is None)
                if one.prince or (one.by == seat and (one.home is None or borrowed)):
                    continue
                before, owner = one.by, one.home or one.by
                one.by = seat
                one.home = owner if borrowed and owner != seat else None
                self.newcomers.add(name)
                fact = facts.Controlled(
                    seat=seat, before=before, character=name, borrowed=one.home is not None, of=playing.of
                )
                self.tell(fact)

    def _attach(self, name: str, playing: Playing) -> None:
        """Tucks the card under a character (HA-B-7, HA-I-14)."""
        playing.tucked = True
        card = playing.card or playing.of
        self.table.people[name].tucked.append(card)
        self.tell(facts.Tucked(card=card, character=name))

    def _detach(self, deed: steps.Detach, playing: Playing) -> None:
        """Discards a tucked card."""
        selector = speaks_of(deed.card)
        assert isinstance(selector, Choose | Chosen), deed.card
        card = playing.names.get(selector.name, "")
        bearer = self.table.bearer(card)
        if bearer is not None:
            self.table.people[bearer].tucked.remove(card)
            self.lay_away(card)
            self.tell(facts.Untucked(card=card, character=bearer, of=playing.of))

    # Reactions --------------------------------------------------------------------------------------------------------

    def _cancel(self, playing: Playing) -> None:
        """Cancels the card that opened the ring in which this one was played (HR-1)."""
        pending = playing.answers
        if pending is not None and not pending.stopped:
            pending.stopped = True
            assert pending.card is not None
            self.tell(facts.Stopped(card=pending.card, why="cancelled", of=playing.of))

    def _shield(self, deed: steps.Shield, playing: Playing) -> None:
        """Stops what is pending, if it is of this kind and happens to this one (HR-16)."""
        pending = playing.answers
        if pending is not None and self.shields(deed, playing):
            pending.stopped = True
            assert pending.victim is not None
            self.tell(facts.Shielded(against=deed.from_, target=pending.victim, of=playing.of))

    def shields(self, deed: steps.Shield, playing: Playing) -> bool:
        """Whether a shield fits what is pending: its kind, and whom it happens to."""
        pending = playing.answers
        if pending is None or pending.trigger != PENDING[deed.from_]:
            return False
        if deed.from_ == "favor_loss":
            return pending.victim in {self.table.princes[seat] for seat in self.players(deed.target, playing)}
        return pending.victim in self.characters_of(deed.target, playing)

    def _peek(self, deed: steps.Peek, playing: Playing) -> None:
        """Shows hidden cards to a player (HR-53: as many as there are, without a shuffle)."""
        for seat in self.players(deed.to, playing):
            for at, cards in self._sights(speaks_of(deed.what), playing):
                self.tell(facts.Peeked(seat=seat, at=at, cards=cards, of=playing.of))

    def _sights(self, selector: Selector, playing: Playing) -> Iterable[tuple[str, tuple[str, ...]]]:
        match selector:
            case HandOf(of):
                for seat in self.table.clockwise(self._players(of, playing)):
                    yield self.table.princes[seat], tuple(self.hands[seat])
            case TopActions(count):
                yield "actions", self.actions.pile[:count]
            case TopEvent():
                yield "event", tuple(self.deck[:1])
            case _:
                raise AssertionError(selector)


def _until(until: steps.Until) -> Literal["event", "turn"]:
    """How long a card that is discarded changes something; the loader lets nothing else through."""
    assert until in ("event", "turn"), until
    return "event" if until == "event" else "turn"
