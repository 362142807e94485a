"""A turn of Heir Apparent: a round of the auction, the Actions phase, or an Event with what follows it (HA-W-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.cards import Deck, draw, new_deck
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.auction import bidding, choose
from adjudicator.rulesets.heir_apparent.draws import draw_phase
from adjudicator.rulesets.heir_apparent.effects import Playing
from adjudicator.rulesets.heir_apparent.events import AnyEvent
from adjudicator.rulesets.heir_apparent.index import filter_of, index_of
from adjudicator.rulesets.heir_apparent.orders import AuctionSheet, Unreadable
from adjudicator.rulesets.heir_apparent.plans import Reason, unreadable
from adjudicator.rulesets.heir_apparent.position import (
    HAND_LIMIT,
    OPPOSE,
    ROUNDS,
    SUPPORT,
    Courtier,
    Filed,
    Phase,
    Player,
    Position,
    Settings,
    Underway,
    left_of,
)
from adjudicator.rulesets.heir_apparent.rounds import MOST_ACTS, Turn
from adjudicator.rulesets.heir_apparent.table import Pending, Result
from adjudicator.rulesets.heir_apparent.titles import Event

FIRST_HAND = 3
"""Action cards that each player draws after the auction (HA-C-10)."""
EVENTS_EACH = 4
"""Events in the deck for each player (HA-C-2)."""

# Setup --------------------------------------------------------------------------------------------------------------


def setup(settings: Settings, dice: Dice) -> Position:
    """The position before the first round: Princes, seats, decks, the Event deck, the first row (HA-C)."""
    cards = settings.set
    index = index_of(cards)
    princes = dict(zip(settings.seats, dice.shuffle("princes", sorted(index.princes)), strict=False))
    ring = tuple(sorted(settings.seats, key=lambda seat: -index.princes[princes[seat]].popularity))
    characters = new_deck([*index.characters], dice, "setup:characters")
    actions = new_deck([card for action in cards.actions for card in action.cards], dice, "setup:actions")
    events = new_deck([*index.events], dice, "setup:events").pile
    many = EVENTS_EACH * settings.players
    position = Position(
        phase=Phase.AUCTION,
        round=1,
        right=ring[0],
        ring=ring,
        players={
            seat: Player(prince=princes[seat], favor=index.princes[princes[seat]].favor) for seat in settings.seats
        },
        court={princes[seat]: Courtier(by=seat) for seat in sorted(settings.seats, key=lambda one: princes[one])},
        characters=characters,
        actions=actions,
        events=events[:many],
        unused=tuple(sorted(events[many:])),
        settings=settings,
    )
    row, deck = _row(position.characters, settings.players, dice)
    return replace(position, row=row, characters=deck)


def _row(deck: Deck, players: int, dice: Dice) -> tuple[tuple[str, ...], Deck]:
    """The next row of the auction, by id: six characters, five with three players (HA-D-3)."""
    drawn = draw(deck, 5 if players == 3 else 6, dice, "characters")
    return tuple(sorted(drawn.cards)), drawn.deck


# The turns ----------------------------------------------------------------------------------------------------------


def resolve(position: Position, sheets: Mapping[SeatId, Any], dice: Dice) -> Resolution[Position, AnyEvent]:
    """The resolution of a turn of any kind."""
    turn = Turn(position, sheets, dice)
    match position.phase:
        case Phase.AUCTION:
            return _auction(turn)
        case Phase.MAIN:
            return _main(turn)
        case Phase.EVENT | Phase.REOPENED:
            return _event(turn)


def _done(turn: Turn, position: Position, ended: Ending | None = None) -> Resolution[Position, AnyEvent]:
    turn.judge_plans()
    return Resolution(position, tuple(turn.verdicts), tuple(turn.events), ended)


# The auction --------------------------------------------------------------------------------------------------------


def _auction(turn: Turn) -> Resolution[Position, AnyEvent]:
    """A round of the auction: bids, choices, the next row; after the last hands are dealt and the first player draws (HA-D)."""
    start, table = turn.start, turn.table
    sheets = turn.sheets
    most = {seat: None if sheet.bid == "pass" else sheet.bid for seat, sheet in sheets.items()}
    assert start.right is not None
    bids = bidding(start.ring, start.right, most, table.favor)
    table.favor[bids.winner] -= bids.price
    said = tuple((one.seat, one.bid) for one in bids.said)
    turn.tell(facts.Bid(round=start.round, said=said, seat=bids.winner, price=bids.price))
    wishes = {seat: [turn.reader.named(wish, "character") for wish in sheet.wishes] for seat, sheet in sheets.items()}
    chosen = choose(start.ring, bids.winner, [table.index.characters[name] for name in start.row], wishes)
    for place, (seat, name) in enumerate(chosen.taken.items(), 1):
        turn.put_in_play(seat, name, turned=False)
        turn.tell(facts.Chose(seat=seat, character=name, place=place))
    if chosen.discarded:
        turn.tell(facts.Passed(characters=chosen.discarded))
        turn.characters = turn.characters.discard(*chosen.discarded)
    _judge_bids(turn, sheets, bids.winner, bids.price, wishes, chosen.taken)
    if start.round < ROUNDS:
        row, turn.characters = _row(turn.characters, len(start.ring), turn.dice)
        turn.tell(facts.Dealt(round=start.round + 1, characters=row))
        return _done(turn, turn.position(round=start.round + 1, right=chosen.right, row=row))
    for seat in start.ring:
        turn.draw_actions(seat, FIRST_HAND)
    table.active = max(start.ring, key=lambda seat: (table.favor[seat], table.popularity(seat)))  # HA-C-11
    table.turn = 1
    _not_next(turn, table.active)
    richest = [seat for seat in start.ring if table.favor[seat] == table.favor[table.active]]
    turn.tell(facts.Began(turn=1, seat=table.active, by="popularity" if len(richest) > 1 else "favor"))
    draw_phase(turn, table.active)
    return _done(turn, turn.position(phase=Phase.MAIN, turn=1, round=0, right=None, row=(), active=table.active))


def _judge_bids(
    turn: Turn,
    sheets: Mapping[SeatId, AuctionSheet],
    winner: SeatId,
    price: int,
    wishes: Mapping[SeatId, list[str]],
    taken: Mapping[SeatId, str],
) -> None:
    """A verdict for each bid, and one for the wishes."""
    for seat in turn.start.ring:
        sheet = sheets.get(seat)
        if sheet is None:
            continue
        reason: Reason = "won" if seat == winner else "out" if sheet.bid == "pass" else "outbid"
        turn.judge(seat, f"bid {sheet.bid}", reason, {"price": str(price)})
        if sheet.wishes:
            took = taken[seat]
            wished = wishes[seat]
            place = {"place": str(wished.index(took) + 1)} if took in wished else {}
            turn.judge(seat, "wish " + ", ".join(wished), "took" if place else "default", {"character": took} | place)


def _not_next(turn: Turn, next_: SeatId) -> None:
    """Draws of those who are not next are left aside (HA-W-7)."""
    for seat, part in [*turn.plans]:
        if part in ("draw", "keep") and seat != next_:
            for line in turn.plans.pop((seat, part)).lines:
                if isinstance(line.step, Unreadable):
                    turn.verdicts.append(unreadable(seat, line.step))
                else:
                    turn.judge(seat, line.step.line, "not-next")


# The Actions phase --------------------------------------------------------------------------------------------------


def _main(turn: Turn) -> Resolution[Position, AnyEvent]:
    """The Actions phase of the active player, then the next Event is revealed (HA-G; HA-I-1)."""
    table = turn.table
    for seat, sheet in sorted(turn.sheets.items()):
        if seat != table.active:
            turn.plans.pop((seat, "actions"), None)
            for line in sheet.actions:
                turn.judge(seat, line, "not-your-turn")
    plan = turn.plan(table.active, "actions")
    for _ in range(MOST_ACTS):
        if not turn.chance(plan, "action"):
            break
    name = turn.deck.pop(0)
    table.events_left = len(turn.deck)
    table.event = table.index.events[name]
    turn.tell(facts.Revealed(name=name))
    turn.react(Pending(trigger="event_revealed", cause=table.active))
    return _done(turn, turn.position(phase=Phase.EVENT, event=name))


# An Event -----------------------------------------------------------------------------------------------------------


def _event(turn: Turn) -> Resolution[Position, AnyEvent]:
    """An Event phase and what follows it: outcome, discards, unturning, victory, the next player's draws (HA-E-1)."""
    table, start = turn.table, turn.start
    first = table.active
    if start.underway is not None:
        first = _go_on(turn, start.underway)
    else:
        _choose(turn)
    ring = start.ring
    before = len(turn.events)
    turn.ring("event", first, lambda: True)
    turn.tell(facts.Closed(pools=turn.pools(), acts=turn.act, guard=turn.guarded))
    caller = _reopening(turn)
    if caller is not None:
        return _reopen(turn, caller, _last_actor(turn, before))
    _settle(turn)
    # What follows an Event's outcome, in order (HA-E-1, HR-14).
    _discards(turn)
    _unturn(turn)
    turn.go_home()
    asked = {seat for seat in ring if _filed(turn, seat).end}
    for seat in ring:
        if seat in turn.sheets and turn.sheets[seat].end:
            turn.judge(seat, "end", "agreed" if len(asked) == len(ring) else "alone")
    if not turn.deck or len(asked) == len(ring):
        return _end(turn)
    active = left_of(ring, table.active)
    _not_next(turn, active)
    table.active, table.turn = active, table.turn + 1
    turn.tell(facts.Began(turn=table.turn, seat=active))
    draw_phase(turn, active)
    after = turn.position(phase=Phase.MAIN, turn=table.turn, active=active, event=None, underway=None)
    return _done(turn, after)


def _go_on(turn: Turn, underway: Underway) -> SeatId:
    """Goes on with an Event that was reopened; returns who has the first chance (HA-W-10)."""
    turn.act = sum(underway.acts.values())
    # HA-W-12: what was filed for the end of the Event holds unless it is filed anew.
    for seat, filed in turn.start.filed.items():
        for part in ("draw", "keep"):
            lines = getattr(filed, part)
            if (seat, part) not in turn.plans and lines is not None:
                turn.stand(seat, part, lines)
    for seat, sheet in sorted(turn.sheets.items()):
        for name in sorted(sheet.choice):
            turn.judge(seat, f"choose {name}", "no-choice")  # it was made in the first window
    return underway.next


def _choose(turn: Turn) -> None:
    """The decision on reveal: the first legal value of the active player's, else the first by id (HA-I-1, HR-61)."""
    table = turn.table
    assert table.event is not None
    sheet = turn.sheets.get(table.active)
    wanted = dict(sheet.choice) if sheet is not None else {}
    for name, words in table.event.choice.items():
        values = table.values(filter_of(words), table.active)
        named = wanted.get(name, ())
        said = [turn.meant(table.active, value) for value in ((named,) if isinstance(named, str) else named)]
        found = next((value for value in said if value in values), next(iter(values), None))
        order = f"choose {name}: {', '.join(said)}"
        if said:
            turn.judge(table.active, order, "chosen" if found in said else "bad-target", {"value": found or ""})
        if found is not None:
            table.chosen[name] = found
            turn.tell(facts.Named(seat=table.active, name=name, value=found))
    for name in sorted({*wanted} - {*table.event.choice}):
        turn.judge(table.active, f"choose {name}", "no-choice")
    for seat, other in sorted(turn.sheets.items()):
        if seat != table.active and other.choice:
            turn.judge(seat, "choose " + ", ".join(sorted(other.choice)), "not-your-turn")


def _last_actor(turn: Turn, before: int) -> SeatId | None:
    """Who acted last in the ring."""
    acts = [fact for fact in turn.events[before:] if isinstance(fact, facts.Act) and fact.act]
    return acts[-1].seat if acts else None


def _reopening(turn: Turn) -> SeatId | None:
    """Whose call reopens the Event: the first, from the active player, with a token, whose conditions hold, who can still act (HA-W-10)."""
    table, valid = turn.table, None
    for seat in table.clockwise(turn.start.ring):
        sheet = turn.sheets.get(seat)
        if sheet is None or sheet.reopen is None:
            continue
        order = "reopen" + (f" if {' and '.join(sheet.reopen)}" if sheet.reopen else "")
        if turn.start.phase is Phase.REOPENED or turn.guarded:
            turn.judge(seat, order, "closed-first")
            continue
        holds = True
        for line in sheet.reopen:
            step = turn.reader.read("reopen", line)
            if isinstance(step, Unreadable):
                turn.verdicts.append(unreadable(seat, step))
                holds = False
                continue
            asked = turn.ask(seat)
            assert step.condition is not None
            holds = holds and step.condition.holds(asked.number, asked.flag)
        if not holds:
            turn.judge(seat, order, "never-held")
        elif not table.reopenings[seat]:
            turn.judge(seat, order, "no-token")
        elif not turn.can_act(seat):
            turn.judge(seat, order, "no-act")
        elif valid is None:
            valid = seat
            turn.judge(seat, order, "reopened")
        else:
            turn.judge(seat, order, "not-lost")
    return valid


def _filed(turn: Turn, seat: SeatId) -> Filed:
    """What a player has filed for the end of the Event, in this window or before it was reopened (HR-5)."""
    before = turn.start.filed.get(seat, Filed())
    sheet = turn.sheets.get(seat)
    if sheet is None:
        return before
    return Filed(
        draw=sheet.draw if sheet.draw is not None else before.draw,
        keep=sheet.keep if sheet.keep is not None else before.keep,
        unturn=sheet.unturn if sheet.unturn is not None else before.unturn,
        end=sheet.end,
    )


def _reopen(turn: Turn, caller: SeatId, last: SeatId | None) -> Resolution[Position, AnyEvent]:
    """The Event goes on in one more window (HA-W-10)."""
    table, ring = turn.table, turn.start.ring
    table.reopenings[caller] -= 1
    turn.tell(facts.Reopened(seat=caller, left=table.reopenings[caller]))
    turn.filed = {seat: filed for seat in sorted(ring) if (filed := _filed(turn, seat)) != Filed()}
    for seat, part in [*turn.plans]:
        if part in ("draw", "keep"):
            del turn.plans[seat, part]
    round_ = table.round
    assert round_ is not None, "the Event is not laid away"
    underway = Underway(
        chosen=table.chosen,
        lots=tuple(table.lots),
        joined=tuple(table.joined),
        inside=tuple(seat for seat in ring if seat in table.inside),
        free=tuple(seat for seat in ring if seat in table.free),
        acts={seat: round_.acts[seat] for seat in ring if seat in round_.acts},
        next=left_of(ring, last) if last is not None else table.active,
    )
    return _done(turn, turn.position(phase=Phase.REOPENED, underway=underway))


def _settle(turn: Turn) -> None:
    """The outcome: who won or whether it passed, what may still change that, and what the card says (HA-J, HA-K, HA-I-17)."""
    table = turn.table
    event = table.event
    assert event is not None
    turn.react(Pending(trigger="outcome_known", cause=table.active))
    result = table.result()  # HR-43: fixed here, whatever the outcome does to tokens
    turn.tell(_settled(turn, event, result))
    playing = Playing(of=event.id, me=table.active, steps=(), names=table.chosen, result=result)
    if event.type == "contest":
        happens = result.winner is not None
        parts = [(happens, event.winner), (result.loser is not None, event.loser)]  # HA-R-39
    else:
        happens = result.success
        parts = [(happens, event.success), (not happens, event.failure)]
    for steps in (part for worked, part in parts if worked and part):
        playing.steps = steps
        turn.work_steps(playing)
    _lay(turn, event, happens=happens)


def _settled(turn: Turn, event: Event, result: Result) -> facts.Settled:
    """The fact of an outcome, with what decided it (HE-6)."""
    contest = event.type == "contest"
    by, lost_by = _decided_by(turn, result) if contest else (None, None)
    if not contest:
        by = "tie" if turn.table.tokens(SUPPORT) == turn.table.tokens(OPPOSE) else "tokens"
    return facts.Settled(
        name=event.id,
        pools=turn.pools(),
        success=None if contest else result.success,
        winner=result.winner,
        loser=result.loser,
        supporters=result.supporters,
        opponents=result.opponents,
        chief_supporter=result.chief_supporter,
        chief_opponent=result.chief_opponent,
        by=by,
        lost_by=lost_by,
    )


def _decided_by(turn: Turn, result: Result) -> tuple[facts.Settling | None, facts.Settling | None]:
    """What decided who won a Contest, and who lost it: tokens, or popularity among those with as many (HA-J-9, HA-J-10)."""
    table = turn.table
    event = table.event
    assert event is not None
    tokens = {seat: table.tokens(prince) for seat, prince in table.princes.items()}
    taking = [seat for seat in table.ring if event.mandatory or tokens[seat] > 0]

    def by(seat: SeatId | None) -> facts.Settling | None:
        if seat is None:
            return None
        return "popularity" if sum(tokens[other] == tokens[seat] for other in taking) > 1 else "tokens"

    return by(result.winner), by(result.loser)


def _lay(turn: Turn, event: Event, *, happens: bool) -> None:
    """Lays the Event where it goes on working, or on its discard; what lasted until its close is over (HA-I-14 to I-16, HR-22, HR-23)."""
    table = turn.table
    if table.bearer(event.id) is not None or event.id in turn.past:
        pass  # it was tucked, perhaps under somebody who was discarded at once, and the card with them
    elif happens and event.lasting is not None and event.lasting.on_success == "middle":
        table.middle.append(event.id)
        turn.tell(facts.Laid(name=event.id, where="middle"))
    else:
        turn.past.append(event.id)
        turn.tell(facts.Laid(name=event.id, where="discard"))
    table.event, table.open, table.round = None, False, None
    table.lots, table.joined, table.chosen = [], [], {}
    table.changes = [change for change in table.changes if change.until != "event"]


def _discards(turn: Turn) -> None:
    """All players discard down to five, clockwise from the active one (HA-L-1 to L-3)."""
    for seat in turn.table.clockwise(turn.start.ring):
        over = len(turn.hands[seat]) - HAND_LIMIT
        if over > 0:
            turn.discard(seat, turn.choose_discards(seat, over), "limit")


def _unturn(turn: Turn) -> None:
    """The active player unturns all their characters, or those they name (HA-L-4, HA-L-5, HR-56)."""
    table, seat = turn.table, turn.table.active
    for other in turn.start.ring:
        sheet = turn.sheets.get(other)
        if other != seat and sheet is not None and sheet.unturn is not None:
            turn.judge(other, _unturning(sheet.unturn), "not-your-turn")
    told = _filed(turn, seat).unturn
    mine = sorted(name for name, one in table.people.items() if one.by == seat and one.turned)
    if told == "none":
        mine = []
    elif isinstance(told, tuple):
        wanted = {turn.reader.named(name) for name in told}
        mine = [name for name in mine if name in wanted]
    for name in mine:
        table.people[name].turned = False
    if mine:
        turn.tell(facts.Rose(seat=seat, characters=tuple(mine)))
    if told is not None:
        turn.judge(seat, _unturning(told), "rose", {"characters": ", ".join(mine)})


def _unturning(told: str | tuple[str, ...]) -> str:
    return f"unturn {told if isinstance(told, str) else ', '.join(told)}"


def _end(turn: Turn) -> Resolution[Position, AnyEvent]:
    """The end: most favor wins, ties go to the more popular (HA-L-7 to L-10)."""
    table = turn.table
    _not_next(turn, "")
    places = tuple(sorted(turn.start.ring, key=lambda seat: (-table.favor[seat], -table.popularity(seat))))
    favor = {seat: table.favor[seat] for seat in places}
    tied = tuple(seat for seat in places if [*favor.values()].count(favor[seat]) > 1)
    turn.tell(facts.Ranked(places=places, favor=favor, tied=tied))
    after = turn.position(event=None, underway=None, over=True)
    return _done(turn, after, Ending(how="favor", winners=places[:1], when=when(turn.start), rule="HA-L-9"))


# What a turn is called ----------------------------------------------------------------------------------------------


def when(position: Position) -> str:
    """`Auction, round 2`, `Turn 3, actions`, `Turn 3, event`."""
    if position.over:
        return "The end"
    match position.phase:
        case Phase.AUCTION:
            return f"Auction, round {position.round}"
        case Phase.MAIN:
            return f"Turn {position.turn}, actions"
        case Phase.EVENT:
            return f"Turn {position.turn}, event"
        case Phase.REOPENED:
            return f"Turn {position.turn}, event reopened"


def due(position: Position) -> frozenset[SeatId]:
    """Everybody owes a sheet in every turn; what stands and the defaults serve who sends none."""
    return frozenset(position.ring)
