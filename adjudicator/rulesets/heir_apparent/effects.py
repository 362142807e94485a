"""The effects of cards (CARDS.md): how their steps are carried out, one by one, and what each kind of step does.

Players may answer an effect before it happens (HA-P-5). A step calls `react`, which `chain` provides, and goes on if nothing stopped it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
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
from adjudicator.rulesets.heir_apparent.work import Playing, Turn


def work_steps(turn: Turn, playing: Playing) -> None:
    """Carry out the steps of a card in order. After each, players with more than five characters release some (HA-M-8)."""
    for left, step in zip(range(len(playing.steps) - 1, -1, -1), playing.steps, strict=True):
        playing.last = left == 0
        _work(turn, step, playing)
        turn.keep_the_limit()
    turn.newcomers.clear()


def _work(turn: Turn, step: Step, playing: Playing) -> None:
    deed, of, me = step.deed, playing.of, playing.me
    match deed:
        case steps.Favor():
            _favor(turn, deed, playing)
        case steps.FavorMove():
            _favor_move(turn, deed, playing)
        case steps.DrawCards():
            for seat in players_of(turn, deed.who, playing):
                turn.draw_actions(seat, _number(turn, deed, playing), of)
        case steps.DiscardHand():
            for seat in players_of(turn, deed.who, playing):
                count = _number(turn, deed, playing)
                chosen = turn.choose_discards if deed.pick == "owner" else turn.pick_discards
                turn.discard(seat, chosen(seat, count), "effect", of)
        case steps.Stat():
            n = _number(turn, deed, playing)
            for name in characters_of(turn, deed.target, playing):
                until = _until(deed.until)
                turn.alter(Change(of=name, skill=deed.skill, n=n, until=until))
                turn.tell(facts.Rated(character=name, skill=deed.skill, amount=n, until=until, of=of))
        case steps.GiveKeyword():
            for name in characters_of(turn, deed.target, playing):
                until = _until(deed.until)
                turn.alter(Change(of=name, keyword=deed.word, mode=deed.mode, until=until))
                turn.tell(facts.Marked(character=name, keyword=deed.word, mode=deed.mode, until=until, of=of))
        case steps.Support():
            pool, n = _pool(turn, deed.pool, playing), _number(turn, deed, playing)
            if pool is not None and n > 0:
                turn.feed(pool, n, me)
                turn.tell(facts.Fed(seat=me, pool=pool, tokens=n, of=of))
        case steps.Strip():
            _strip(turn, deed, playing)
        case steps.Redirect():
            _redirect(turn, deed, playing)
        case steps.Turn():
            for name in characters_of(turn, deed.target, playing):
                _turn_over(turn, name, playing)
        case steps.Unturn():
            for name in characters_of(turn, deed.target, playing):
                if turn.table.people[name].turned:
                    turn.table.people[name].turned = False
                    turn.tell(facts.Unturned(character=name, of=of))
        case steps.Kill():
            for name in characters_of(turn, deed.target, playing):
                _remove(turn, name, "kill_pending", playing)
        case steps.Dismiss():
            for name in characters_of(turn, deed.target, playing):
                _remove(turn, name, "dismiss_pending", playing)
        case steps.Control():
            _control(turn, deed, playing)
        case steps.Attach():
            for name in characters_of(turn, deed.target, playing):
                _attach(turn, name, playing)
        case steps.Detach():
            _detach(turn, deed, playing)
        case steps.Melee():
            attackers = characters_of(turn, deed.attacker, playing)
            defenders = characters_of(turn, deed.defender, playing)
            if attackers and defenders:
                turn.answers.melee(turn, attackers[0], defenders[0], playing)
        case steps.Cancel():
            _cancel(turn, playing)
        case steps.Shield():
            _shield(turn, deed, playing)
        case steps.Peek():
            _peek(turn, deed, playing)
        case steps.Limit():
            pass  # part of the Event, which checks who may join
        case _:
            assert_never(deed)


# Players and characters -------------------------------------------------------------------------------------------


def players_of(turn: Turn, text: str, playing: Playing) -> tuple[SeatId, ...]:
    """Players that a card refers to, clockwise from the active one (HA-I-17)."""
    return turn.table.clockwise(_players(turn, speaks_of(text), playing))


def _players(turn: Turn, selector: Selector, playing: Playing) -> Iterable[SeatId | None]:
    ring, me, result = turn.start.ring, playing.me, playing.result or Result()
    match selector:
        case Player(word):
            at = ring.index(me)
            known: Mapping[str, Iterable[SeatId | None]] = {
                "me": [me], "active": [turn.table.active], "all": ring, "others": [seat for seat in ring if seat != me],
                "left": [ring[(at + 1) % len(ring)]], "right": [ring[at - 1]],
                "winner": [result.winner], "loser": [result.loser],
                "supporters": result.supporters, "opponents": result.opponents,
                "chief-supporter": [result.chief_supporter], "chief-opponent": [result.chief_opponent],
            }  # fmt: skip
            return known[word]
        case Choose(name) | Chosen(name):
            return [turn.table.seats.get(playing.names.get(name, ""))]
        case Controller(of):
            return [turn.table.people[name].by for name in _characters(turn, of, playing)]
        case _:
            raise AssertionError(selector)


def characters_of(turn: Turn, text: str, playing: Playing) -> tuple[str, ...]:
    """Characters in play that a card refers to. The list is fixed before anything happens to them (HR-44)."""
    return tuple(_characters(turn, speaks_of(text), playing))


def _characters(turn: Turn, selector: Selector, playing: Playing) -> list[str]:
    match selector:
        case Choose(name) | Chosen(name):
            found = [playing.names.get(name, "")]
        case Bearer():
            found = [playing.bearer or ""]
        case Each(words):
            found = [*turn.table.each(words, playing.me)]
        case Source(of):
            found = _characters(turn, of, playing)
        case _:
            raise AssertionError(selector)
    return [name for name in found if name in turn.table.people]


def _pool(turn: Turn, text: str, playing: Playing) -> str | None:
    selector = speaks_of(text)
    assert isinstance(selector, Choose | Chosen), text
    pool = playing.names.get(selector.name, "")
    return pool if pool in turn.table.pools else None


def _number(turn: Turn, deed: steps.Counted, playing: Playing) -> int:
    return turn.table.counted(deed.n, deed.max, playing.me)


# Favor ------------------------------------------------------------------------------------------------------------


def _favor(turn: Turn, deed: steps.Favor, playing: Playing) -> None:
    """Apply gains, and losses that can be shielded, with one ring for each loser (HR-17, HR-87)."""
    n = _number(turn, deed, playing)
    for seat in players_of(turn, deed.who, playing):
        if n > 0:
            turn.gain(seat, n, playing.of)
        elif n < 0 and _loses(turn, seat, playing):
            turn.lose(seat, -n, playing.of)


def _favor_move(turn: Turn, deed: steps.FavorMove, playing: Playing) -> None:
    """Move favor from each giver to each taker, never from a player to themselves."""
    n = _number(turn, deed, playing)
    takers = players_of(turn, deed.to, playing)
    for giver in players_of(turn, deed.from_, playing):
        for taker in takers:
            if giver != taker and n > 0 and _loses(turn, giver, playing):
                turn.move_favor(giver, taker, n, playing.of)


def _loses(turn: Turn, seat: SeatId, playing: Playing) -> bool:
    """True if a loss of favor takes place: the player has some, and no reaction stops it (HR-17)."""
    if turn.table.favor[seat] == 0:
        return False
    prince = turn.table.princes[seat]
    return not _answered(turn, "favor_loss", playing, prince)


def _answered(turn: Turn, trigger: Trigger, playing: Playing, victim: str) -> bool:
    """Let everybody react to an effect that is about to happen; True if it is stopped. `victim` is the character or Prince it happens to."""
    card = playing.of if playing.card is not None else None
    pending = Pending(trigger=trigger, cause=playing.me, card=card, spell=playing.spell, hits=(victim,), victim=victim)
    turn.answers.react(turn, pending)
    return pending.stopped


# Tokens -----------------------------------------------------------------------------------------------------------


def _strip(turn: Turn, deed: steps.Strip, playing: Playing) -> None:
    """Take tokens away from characters, the latest first (HR-20)."""
    n = _number(turn, deed, playing)
    for name in characters_of(turn, deed.from_, playing):
        left, kept = n, list[Lot]()
        for lot in reversed(turn.table.lots):
            gone = min(left, lot.amount) if lot.source == name else 0
            left -= gone
            kept.append(replace(lot, amount=lot.amount - gone))
        turn.table.lots = kept[::-1]
        turn.tell(facts.Stripped(character=name, tokens=n - left, of=playing.of))


def _redirect(turn: Turn, deed: steps.Redirect, playing: Playing) -> None:
    """Move all tokens of a character to a pool; their giver stays the same (HR-2, HR-20)."""
    pool = _pool(turn, deed.pool, playing)
    for name in characters_of(turn, deed.from_, playing) if pool is not None else ():
        assert pool is not None
        moved = sum(lot.amount for lot in turn.table.lots if lot.source == name)
        turn.table.lots = [replace(lot, pool=pool) if lot.source == name else lot for lot in turn.table.lots]
        if moved > 0 and turn.table.seats.get(pool) == playing.me:
            turn.table.inside.add(playing.me)
        turn.tell(facts.Redirected(character=name, pool=pool, tokens=moved, of=playing.of))


# Characters -------------------------------------------------------------------------------------------------------


def _turn_over(turn: Turn, name: str, playing: Playing) -> None:
    """Turn an unturned character, unless shielded (HA-M-12, HR-49)."""
    if turn.table.people[name].turned or _answered(turn, "turn_forced", playing, name):
        return
    one = turn.table.people.get(name)
    if one is not None and not one.turned:
        one.turned = True
        turn.tell(facts.Turned(character=name, of=playing.of))


def _remove(turn: Turn, name: str, trigger: Literal["kill_pending", "dismiss_pending"], playing: Playing) -> None:
    """Kill or dismiss a character, unless shielded; never a Prince (HA-M-2)."""
    one = turn.table.people.get(name)
    if one is None or one.prince or _answered(turn, trigger, playing, name) or name not in turn.table.people:
        return
    if trigger == "kill_pending":
        turn.kill(name, playing.of)
    else:
        turn.dismiss(name, playing.of)


def _control(turn: Turn, deed: steps.Control, playing: Playing) -> None:
    """Give a character to a player, for good or until the end of the turn; never a Prince (HA-M-3, HR-85)."""
    for seat in players_of(turn, deed.to, playing)[:1]:
        for name in characters_of(turn, deed.target, playing):
            one = turn.table.people[name]
            borrowed = deed.until == "turn" or (deed.until is None and playing.result is None)
            if one.prince or (one.by == seat and (one.home is None or borrowed)):
                continue
            before, owner = one.by, one.home or one.by
            one.by = seat
            one.home = owner if borrowed and owner != seat else None
            turn.newcomers.add(name)
            fact = facts.Controlled(
                seat=seat, before=before, character=name, borrowed=one.home is not None, of=playing.of
            )
            turn.tell(fact)


def _attach(turn: Turn, name: str, playing: Playing) -> None:
    """Tuck the card under a character (HA-B-7, HA-I-14)."""
    playing.tucked = True
    card = playing.card or playing.of
    turn.table.people[name].tucked.append(card)
    turn.tell(facts.Tucked(card=card, character=name))


def _detach(turn: Turn, deed: steps.Detach, playing: Playing) -> None:
    """Discard a tucked card."""
    selector = speaks_of(deed.card)
    assert isinstance(selector, Choose | Chosen), deed.card
    card = playing.names.get(selector.name, "")
    bearer = turn.table.bearer(card)
    if bearer is not None:
        turn.table.people[bearer].tucked.remove(card)
        turn.lay_away(card)
        turn.tell(facts.Untucked(card=card, character=bearer, of=playing.of))


# Reactions --------------------------------------------------------------------------------------------------------


def _cancel(turn: Turn, playing: Playing) -> None:
    """Cancel the card that opened this card's reaction ring (HR-1)."""
    pending = playing.answers
    if pending is not None and not pending.stopped:
        pending.stopped = True
        assert pending.card is not None
        turn.tell(facts.Stopped(card=pending.card, why="cancelled", of=playing.of))


def _shield(turn: Turn, deed: steps.Shield, playing: Playing) -> None:
    """Stop the pending effect if the shield protects its victim from it (HR-16)."""
    pending = playing.answers
    if pending is not None and shields_from(turn, deed, playing):
        pending.stopped = True
        assert pending.victim is not None
        turn.tell(facts.Shielded(against=deed.from_, target=pending.victim, of=playing.of))


def shields_from(turn: Turn, deed: steps.Shield, playing: Playing) -> bool:
    """True if a shield averts the kind of effect that is pending, and its target includes the victim."""
    pending = playing.answers
    if pending is None or pending.trigger != PENDING[deed.from_]:
        return False
    if deed.from_ == "favor_loss":
        return pending.victim in {turn.table.princes[seat] for seat in players_of(turn, deed.target, playing)}
    return pending.victim in characters_of(turn, deed.target, playing)


def _peek(turn: Turn, deed: steps.Peek, playing: Playing) -> None:
    """Show hidden cards to a player: as many as there are, without a reshuffle (HR-53)."""
    for seat in players_of(turn, deed.to, playing):
        for at, cards in _sights(turn, speaks_of(deed.what), playing):
            turn.tell(facts.Peeked(seat=seat, at=at, cards=cards, of=playing.of))


def _sights(turn: Turn, selector: Selector, playing: Playing) -> Iterable[tuple[str, tuple[str, ...]]]:
    match selector:
        case HandOf(of):
            for seat in turn.table.clockwise(_players(turn, of, playing)):
                yield turn.table.princes[seat], tuple(turn.hands[seat])
        case TopActions(count):
            yield "actions", turn.actions.pile[:count]
        case TopEvent():
            yield "event", tuple(turn.deck[:1])
        case _:
            raise AssertionError(selector)


def _until(until: steps.Until) -> Literal["event", "turn"]:
    """How long a change made by a discarded card lasts; the loader refuses other values."""
    assert until in ("event", "turn"), until
    return "event" if until == "event" else "turn"
