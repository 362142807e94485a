"""A turn of Heir Apparent: a round of the auction, the Actions phase, or an Event with its aftermath (HA-W-1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.cards import Deck, draw, new_deck
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.auction import bidding, choose
from adjudicator.rulesets.heir_apparent.chain import Stop, react
from adjudicator.rulesets.heir_apparent.draws import draw_phase
from adjudicator.rulesets.heir_apparent.effects import work_steps
from adjudicator.rulesets.heir_apparent.events import AnyEvent
from adjudicator.rulesets.heir_apparent.index import filter_of, index_of
from adjudicator.rulesets.heir_apparent.orders import AuctionSheet, Unreadable
from adjudicator.rulesets.heir_apparent.plans import Reason, unreadable
from adjudicator.rulesets.heir_apparent.position import (
    HAND_LIMIT,
    OPPOSE,
    ROUNDS,
    SUPPORT,
    Brawl,
    Courtier,
    Filed,
    Phase,
    Player,
    Position,
    Settings,
    Underway,
    clockwise,
    left_of,
)
from adjudicator.rulesets.heir_apparent.rounds import (
    MOST_ACTS,
    begun,
    can_act,
    chance,
    done_before,
    fight_on,
    go_round,
    looked_at,
    thing_meant,
)
from adjudicator.rulesets.heir_apparent.table import Pending, Result
from adjudicator.rulesets.heir_apparent.titles import Event
from adjudicator.rulesets.heir_apparent.work import Playing, Turn

FIRST_HAND = 3
"""Action cards that each player draws after the auction (HA-C-10)."""
EVENTS_EACH = 4
"""Number of Events in the deck for each player (HA-C-2)."""

# Setup --------------------------------------------------------------------------------------------------------------


def setup(settings: Settings, dice: Dice) -> Position:
    """The position before the first round: Princes, seats, decks, the Event deck, and the first row (HA-C)."""
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
    """Resolve a turn of any kind."""
    turn = begun(position, sheets, dice)
    try:
        match position.phase:
            case Phase.AUCTION:
                return _auction(turn)
            case Phase.CHOICE:
                return _choice(turn)
            case Phase.MAIN | Phase.STOPPED if position.event is None:
                return _main(turn)
            case _:
                return _event(turn)
    except Stop as stop:
        return _stopped(turn, stop.seat)


def _done(turn: Turn, position: Position, ended: Ending | None = None) -> Resolution[Position, AnyEvent]:
    turn.judge_plans()
    turn.ended = ended
    return turn.done(position)


# The auction --------------------------------------------------------------------------------------------------------


def _auction(turn: Turn) -> Resolution[Position, AnyEvent]:
    """Resolve a round of the auction: bids, choices and the next row. After the last round, deal hands and let the first player draw (HA-D)."""
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
        return _done(turn, turn.after(round=start.round + 1, right=chosen.right, row=row))
    for seat in start.ring:
        turn.draw_actions(seat, FIRST_HAND)
    table.active = max(start.ring, key=lambda seat: (table.favor[seat], table.popularity(seat)))  # HA-C-11
    table.turn = 1
    _not_next(turn, _drawing(turn, table.active))
    richest = [seat for seat in start.ring if table.favor[seat] == table.favor[table.active]]
    turn.tell(facts.Began(turn=1, seat=table.active, by="popularity" if len(richest) > 1 else "favor"))
    _draw(turn)
    return _done(turn, turn.after(phase=Phase.MAIN, turn=1, round=0, right=None, row=(), active=table.active))


def _judge_bids(
    turn: Turn,
    sheets: Mapping[SeatId, AuctionSheet],
    winner: SeatId,
    price: int,
    wishes: Mapping[SeatId, list[str]],
    taken: Mapping[SeatId, str],
) -> None:
    """Give a verdict on each bid, and one on the wishes."""
    for seat in turn.start.ring:
        sheet = sheets.get(seat)
        if sheet is None:
            continue
        reason: Reason = "won" if seat == winner else "out" if sheet.bid == "pass" else "outbid"
        turn.note(seat, f"bid {sheet.bid}", reason, {"price": str(price)})
        if sheet.wishes:
            took = taken[seat]
            wished = wishes[seat]
            place = {"place": str(wished.index(took) + 1)} if took in wished else {}
            turn.note(seat, "wish " + ", ".join(wished), "took" if place else "default", {"character": took} | place)


def _drawing(turn: Turn, active: SeatId) -> tuple[SeatId, ...]:
    """Players with a Draw phase at the beginning of a turn, in order (HA-F-1; HA-F-19 by house rule)."""
    return clockwise(turn.start.ring, active) if turn.start.settings.draws == "all" else (active,)


def _draw(turn: Turn) -> None:
    """Run the Draw phases at the beginning of a turn."""
    for seat in _drawing(turn, turn.table.active):
        draw_phase(turn, seat)


def _not_next(turn: Turn, drawing: Collection[SeatId]) -> None:
    """Reject the draws of players who do not draw next (HA-W-7)."""
    for seat, part in [*turn.plans]:
        if part in ("draw", "keep") and seat not in drawing:
            for line in turn.plans.pop((seat, part)).lines:
                if isinstance(line.step, Unreadable):
                    turn.verdicts.append(unreadable(seat, line.step))
                else:
                    turn.note(seat, line.step.line, "not-next")


# The Actions phase --------------------------------------------------------------------------------------------------


def _main(turn: Turn) -> Resolution[Position, AnyEvent]:
    """Run the active player's Actions phase, then reveal the next Event (HA-G; HA-I-1)."""
    table, start = turn.table, turn.start
    for seat, sheet in sorted(turn.sheets.items()):
        if seat != table.active:
            turn.plans.pop((seat, "actions"), None)
            for line in sheet.actions or ():
                turn.note(seat, line, "not-your-turn")
    if start.underway is not None:
        _resume(turn, start.underway, "actions")
    plan = turn.plan(table.active, "actions")
    if start.underway is not None:
        plan.done |= done_before(turn, table.active, "actions")
        turn.going_on = start.underway.asked
        if start.underway.brawl is not None:
            fight_on(turn, start.underway)
    for _ in range(MOST_ACTS):
        if not chance(turn, plan, "action"):
            break
    name = turn.deck.pop(0)
    table.events_left = len(turn.deck)
    table.event = table.index.events[name]
    turn.tell(facts.Revealed(name=name))
    react(turn, Pending(trigger="event_revealed", cause=table.active))
    ahead = start.settings.choice == "window"
    many = [len(table.values(filter_of(words), table.active)) for words in table.event.choice.values()]
    if ahead and max(many, default=0) < 2:
        _choose(turn)  # nothing to choose from, so no window
    phase = Phase.CHOICE if ahead and max(many, default=0) > 1 else Phase.EVENT
    return _done(turn, turn.after(phase=phase, event=name, chosen=table.chosen, underway=None))


# An Event -----------------------------------------------------------------------------------------------------------


def _choice(turn: Turn) -> Resolution[Position, AnyEvent]:
    """Resolve the active player's choice for the Event, before anybody plans for it (HA-I-1, HA-W-3)."""
    _choose(turn)
    return _done(turn, turn.after(phase=Phase.EVENT, chosen=turn.table.chosen))


def _event(turn: Turn) -> Resolution[Position, AnyEvent]:
    """Resolve an Event phase with its aftermath: outcome, discards, unturning, victory, and the next player's draws (HA-E-1)."""
    table, start = turn.table, turn.start
    first = table.active
    if start.underway is not None:
        first = _go_on(turn, start.underway)
    if start.underway is not None or start.settings.choice == "window":
        _chosen_before(turn)
    else:
        _choose(turn)
    ring = start.ring
    go_round(turn, "event", first, lambda: True, start.underway)
    turn.tell(facts.Closed(pools=turn.pools(), acts=turn.act, guard=turn.guarded))
    caller = _reopening(turn)
    if caller is not None:
        return _reopen(turn, caller, _last_actor(turn))
    _settle(turn)
    # The aftermath of an Event's outcome, in order (HA-E-1, HR-14).
    _discards(turn)
    _unturn(turn)
    turn.go_home()
    asked = {seat for seat in ring if _filed(turn, seat).end}
    for seat in ring:
        if seat in turn.sheets and turn.sheets[seat].end:
            turn.note(seat, "end", "agreed" if len(asked) == len(ring) else "alone")
    if not turn.deck or len(asked) == len(ring):
        return _end(turn)
    active = left_of(ring, table.active)
    _not_next(turn, _drawing(turn, active))
    table.active, table.turn, turn.risen = active, table.turn + 1, False
    turn.tell(facts.Began(turn=table.turn, seat=active))
    _draw(turn)
    after = turn.after(phase=Phase.MAIN, turn=table.turn, active=active, event=None, chosen={}, underway=None)
    return _done(turn, after)


def _go_on(turn: Turn, underway: Underway) -> SeatId:
    """Continue an Event that was stopped or reopened, and return the player with the first chance (HA-W-10, HA-W-22)."""
    _resume(turn, underway, "event", "draw", "keep")
    return underway.next


def _resume(turn: Turn, underway: Underway, *parts: Literal["actions", "event", "draw", "keep"]) -> None:
    """Restore lists that players sent in an earlier window and have not sent again (HA-W-12, HA-W-22)."""
    turn.act = underway.act or sum(underway.acts.values())
    for seat, filed in turn.start.filed.items():
        for part in parts:
            lines = getattr(filed, part)
            if (seat, part) not in turn.plans and lines is not None:
                turn.stand(seat, part, lines)


def _chosen_before(turn: Turn) -> None:
    """Reject choices that come too late, because the choice was made before this window."""
    for seat, sheet in sorted(turn.sheets.items()):
        for name in sorted(sheet.choice):
            turn.note(seat, f"choose {name}", "no-choice")


def _choose(turn: Turn) -> None:
    """Make each choice that the Event asks for: the active player's first legal value, or the first by id (HA-I-1, HR-61)."""
    table = turn.table
    assert table.event is not None
    said_by = {seat: getattr(sheet, "choice", {}) for seat, sheet in sorted(turn.sheets.items())}
    wanted = dict(said_by.get(table.active, {}))
    for name, words in table.event.choice.items():
        values = table.values(filter_of(words), table.active)
        named = wanted.get(name, ())
        said = [thing_meant(turn, table.active, value) for value in ((named,) if isinstance(named, str) else named)]
        found = next((value for value in said if value in values), next(iter(values), None))
        order = f"choose {name}: {', '.join(said)}"
        if said:
            turn.note(table.active, order, "chosen" if found in said else "bad-target", {"value": found or ""})
        if found is not None:
            table.chosen[name] = found
            turn.tell(facts.Named(seat=table.active, name=name, value=found))
    for name in sorted({*wanted} - {*table.event.choice}):
        turn.note(table.active, f"choose {name}", "no-choice")
    for seat, other in said_by.items():
        if seat != table.active and other:
            turn.note(seat, "choose " + ", ".join(sorted(other)), "not-your-turn")


def _last_actor(turn: Turn) -> SeatId | None:
    """The player who acted last in the Event or Actions phase, in this window or before it was stopped."""
    acts = [fact for fact in turn.events if isinstance(fact, facts.Act) and fact.act]
    underway = turn.start.underway
    return acts[-1].seat if acts else underway.last if underway is not None else None


def _reopening(turn: Turn) -> SeatId | None:
    """Judge every call to reopen the Event, and return the first valid caller, clockwise from the active player (HA-W-10)."""
    table, valid = turn.table, None
    for seat in table.clockwise(turn.start.ring):
        wanted = _filed(turn, seat).reopen
        if wanted is None:
            continue
        order = "reopen" + (f" if {' and '.join(wanted)}" if wanted else "")
        underway = turn.start.underway
        if turn.start.phase is Phase.REOPENED or (underway is not None and underway.again) or turn.guarded:
            turn.note(seat, order, "closed-first")
            continue
        holds = True
        for line in wanted:
            step = turn.reader.read("reopen", line)
            if isinstance(step, Unreadable):
                turn.verdicts.append(unreadable(seat, step))
                holds = False
                continue
            asked = turn.ask(seat)
            assert step.condition is not None
            holds = holds and step.condition.holds(asked.number, asked.flag)
        if not holds:
            turn.note(seat, order, "never-held")
        elif not table.reopenings[seat]:
            turn.note(seat, order, "no-token")
        elif not can_act(turn, seat):
            turn.note(seat, order, "no-act")
        elif valid is None:
            valid = seat
            turn.note(seat, order, "reopened")
        else:
            turn.note(seat, order, "not-lost")
    return valid


def _filed(turn: Turn, seat: SeatId) -> Filed:
    """Lists that a player has filed for the end of the Event, in this window or before it was reopened (HR-5)."""
    before = turn.start.filed.get(seat, Filed())
    sheet = turn.sheets.get(seat)
    if sheet is None:
        return before
    said = {name: told for name in FILED if (told := getattr(sheet, name, None)) is not None}
    return replace(before, **said, end=getattr(sheet, "end", False))


FILED = ("actions", "event", "reopen", "draw", "keep", "unturn")
"""Keys of a sheet that carry over to the next window of the same phase."""


def _stopped(turn: Turn, seat: SeatId) -> Resolution[Position, AnyEvent]:
    """Stop the run at a player's chance. Everybody sees the table, and the run continues from there (HA-W-21)."""
    table, start, fight = turn.table, turn.start, turn.table.fight
    before = start.underway
    table.reopenings[seat] -= 1
    turn.tell(facts.Asked(seat=seat, left=table.reopenings[seat], after=turn.act, pools=turn.pools()))
    for whose in start.ring:
        filed = _filed(turn, whose)
        ran = turn.running[whose].done if whose in turn.running else set[int]()
        plan = turn.plans.get((whose, "actions"))
        done = plan.done if plan is not None else ran if fight is None else ()
        filed = replace(filed, done=tuple(sorted(done)), fought=tuple(sorted(ran)) if fight is not None else ())
        if filed != Filed():
            turn.filed[whose] = filed
    turn.go_on_later("actions", "event", "draw", "keep")
    round_ = table.round
    brawl = None
    if fight is not None:
        assert round_ is not None, "a melee has one"
        brawl = Brawl(
            attacker=fight.attacker,
            defender=fight.defender,
            lots=tuple(fight.lots),
            acts=_in_ring(start.ring, round_.acts),
            card=fight.card,
            spell=fight.spell,
        )
    underway = replace(
        _underway(turn, seat),
        asked=seat,
        last=_last_actor(turn),
        passes=round_.passes if round_ is not None else 0,
        act=turn.act,
        stops=1 + (before.stops if before is not None else 0),
        again=before is not None and (before.again or start.phase is Phase.REOPENED),
        brawl=brawl,
    )
    return _done(turn, turn.after(phase=Phase.STOPPED, chosen=table.chosen, underway=underway))


def _underway(turn: Turn, next_: SeatId) -> Underway:
    """The current state of an Event or Actions phase, with the player who has the next chance."""
    table, ring = turn.table, turn.start.ring
    acts = table.round.acts if table.round is not None and table.fight is None else {}
    return Underway(
        lots=tuple(table.lots),
        joined=tuple(table.joined),
        inside=tuple(seat for seat in ring if seat in table.inside),
        free=tuple(seat for seat in ring if seat in table.free),
        acts=_in_ring(ring, acts),
        next=next_,
    )


def _in_ring(ring: Iterable[SeatId], acts: Mapping[SeatId, int]) -> dict[SeatId, int]:
    """Acts per player, in the order of the ring."""
    return {seat: acts[seat] for seat in ring if seat in acts}


def _reopen(turn: Turn, caller: SeatId, last: SeatId | None) -> Resolution[Position, AnyEvent]:
    """Continue the Event in one more window (HA-W-10)."""
    table, ring = turn.table, turn.start.ring
    table.reopenings[caller] -= 1
    turn.tell(facts.Reopened(seat=caller, left=table.reopenings[caller]))
    for seat in sorted(ring):
        filed = replace(_filed(turn, seat), event=None, done=(), reopen=None)  # plans start over (HA-W-12)
        if filed != Filed():
            turn.filed[seat] = filed
    turn.go_on_later("draw", "keep")
    underway = _underway(turn, left_of(ring, last) if last is not None else table.active)
    return _done(turn, turn.after(phase=Phase.REOPENED, chosen=table.chosen, underway=underway))


def _settle(turn: Turn) -> None:
    """Settle the outcome: let reactions change it, fix the winner or the success, and carry out the card's steps (HA-J, HA-K, HA-I-17)."""
    table = turn.table
    event = table.event
    assert event is not None
    react(turn, Pending(trigger="outcome_known", cause=table.active))
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
        work_steps(turn, playing)
    _lay(turn, event, happens=happens)


def _settled(turn: Turn, event: Event, result: Result) -> facts.Settled:
    """The fact that reports an outcome, with the reason that decided it (HE-6)."""
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
    """Reasons that decided a Contest's winner and its loser: tokens, or popularity among equals (HA-J-9, HA-J-10)."""
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
    """Put the Event where it keeps working, or on its discard pile, and end changes that last until its close (HA-I-14 to I-16, HR-22, HR-23)."""
    table = turn.table
    if table.bearer(event.id) is not None or event.id in turn.past:
        pass  # it was tucked, or already discarded with the character it was tucked under
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
    """Make all players discard down to five, clockwise from the active one (HA-L-1 to L-3)."""
    for seat in turn.table.clockwise(turn.start.ring):
        over = len(turn.hands[seat]) - HAND_LIMIT
        if over > 0:
            turn.discard(seat, turn.choose_discards(seat, over), "limit")


def _unturn(turn: Turn) -> None:
    """Unturn all characters of the active player, or those they name (HA-L-4, HA-L-5, HR-56)."""
    seat = turn.table.active
    for other in turn.start.ring:
        sheet = turn.sheets.get(other)
        if other != seat and sheet is not None and sheet.unturn is not None:
            turn.note(other, _unturning(sheet.unturn), "not-your-turn")
    told = _filed(turn, seat).unturn
    if turn.risen:
        if told is not None:
            turn.note(seat, _unturning(told), "risen")
        return
    named = () if told == "none" else told
    only = {turn.reader.named(name) for name in named} if isinstance(named, tuple) else None
    risen = turn.unturn(seat, only)
    if told is not None:
        turn.note(seat, _unturning(told), "rose", {"characters": ", ".join(risen)})


def _unturning(told: str | tuple[str, ...]) -> str:
    return f"unturn {told if isinstance(told, str) else ', '.join(told)}"


def _end(turn: Turn) -> Resolution[Position, AnyEvent]:
    """End the game: most favor wins, and ties go to the more popular Prince (HA-L-7 to L-10)."""
    table = turn.table
    _not_next(turn, ())
    places = tuple(sorted(turn.start.ring, key=lambda seat: (-table.favor[seat], -table.popularity(seat))))
    favor = {seat: table.favor[seat] for seat in places}
    tied = tuple(seat for seat in places if [*favor.values()].count(favor[seat]) > 1)
    turn.tell(facts.Ranked(places=places, favor=favor, tied=tied))
    phase = Phase.EVENT if turn.start.phase is Phase.STOPPED else turn.start.phase
    after = turn.after(phase=phase, event=None, chosen={}, underway=None, over=True)
    return _done(turn, after, Ending(how="favor", winners=places[:1], when=when(turn.start), rule="HA-L-9"))


# Names of turns -----------------------------------------------------------------------------------------------------


def when(position: Position) -> str:
    """Name of a turn, such as `Auction, round 2`, `Turn 3, actions` or `Turn 3, event`."""
    if position.over:
        return "The end"
    match position.phase:
        case Phase.AUCTION:
            return f"Auction, round {position.round}"
        case Phase.MAIN:
            return f"Turn {position.turn}, actions"
        case Phase.CHOICE:
            return f"Turn {position.turn}, choice"
        case Phase.EVENT:
            return f"Turn {position.turn}, event"
        case Phase.REOPENED:
            return f"Turn {position.turn}, event reopened"
        case Phase.STOPPED:
            phase = "actions" if position.event is None else "event"
            again = position.underway.stops if position.underway is not None else 1
            return f"Turn {position.turn}, {phase}, stop {again}"


def due(position: Position) -> frozenset[SeatId]:
    """Players who owe a sheet, because the window is for them (HA-W-23). Sheets of other players count as well."""
    match position.phase:
        case Phase.AUCTION:
            return frozenset(position.ring)
        case Phase.MAIN | Phase.CHOICE:
            assert position.active is not None
            return frozenset([position.active])
        case Phase.STOPPED:
            assert position.underway is not None
            assert position.underway.asked is not None
            return frozenset([position.underway.asked])
        case Phase.EVENT:
            assert position.active is not None
            following = left_of(position.ring, position.active)
            drawing = position.ring if position.settings.draws == "all" else (following,)
            return _acting(position) | {position.active, *drawing}
        case Phase.REOPENED:
            return _acting(position)


def _acting(view: Position) -> frozenset[SeatId]:
    """Players who may have an act left in the Event, by public knowledge: any hand that is not empty may hold one."""
    turn = looked_at(view)
    hands, turn.hands = turn.hands, {seat: [] for seat in turn.hands}
    return frozenset(seat for seat in view.ring if hands[seat] or can_act(turn, seat))
