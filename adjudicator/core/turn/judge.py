"""Open a turn, apply rulings to it, resolve it, and carry data over to the next."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import date, datetime
from typing import Any, assert_never

from adjudicator.core.contract.resolution import Ending, Resolution
from adjudicator.core.contract.sheet import StandingWords
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.game.game import SCHEMA, Game
from adjudicator.core.game.rulings import (
    Ruling,
    answer_to,
    apply_correction,
    apply_decision,
    apply_unseen_decision,
    hides,
    load_rulings,
    new_deadline,
    question_of,
    read_possible_decision,
    replace_players,
    reveal_hidden,
    without_void,
)
from adjudicator.core.game.schedule import (
    Judge,
    OpenTurn,
    closing,
    counts_from,
    duration,
    earliest,
    judge_or_wait,
    next_deadline,
    past_absences,
    read_time,
    reminders,
    write_time,
)
from adjudicator.core.secrets import dice as luck
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import Place, Text, write
from adjudicator.core.turn.ahead import ahead_recipients, without_lists
from adjudicator.core.turn.data import Carried, DiceData, Missed, SealData, SetupData, StartData, Turn, TurnData
from adjudicator.core.turn.keys import Keys, has_keys, keys_for, setup_secret
from adjudicator.core.turn.load import ruling_text, rulings_of
from adjudicator.core.turn.sheets import Given, absences_in


def turn_name(number: int, phase: str) -> str:
    """The name of a turn's folder: `003-spring-1901-movement` for the third turn, `Spring 1901, movement`."""
    return f"{number:03d}-" + re.sub(r"[^a-z0-9]+", "-", phase.casefold()).strip("-")


def phase_of(game: Game, position: Any) -> str:
    """Display name of a turn with this position, from the public view."""
    return game.ruleset.when(position)


def owing(game: Game, position: Any, absent: Iterable[str]) -> tuple[str, ...]:
    """The seats that owe a sheet, in the order of the game."""
    due = game.ruleset.due(position) - frozenset(absent)
    return tuple(seat for seat in game.seats if seat in due)


def open_turn(
    game: Game,
    number: int,
    position: Any,
    after: str | None,
    carried: Carried,
    archived: TurnData | None = None,
    attempt: int = 1,
) -> TurnData:
    """The data of a turn that opens with this position; `after` is when the turn before closed.

    `archived` is this turn as the archive has it, if it is there. Its deadline, its attempt and other data that cannot be computed again are
    kept; and so are its keys, if the master secret is not available.
    """
    phase = phase_of(game, position)
    name = turn_name(number, phase)
    data = TurnData(
        schema=SCHEMA,
        game=game.name,
        turn=name,
        phase=phase,
        status="open",
        position=position,
        dice=DiceData(commitment=""),
        owing=owing(game, position, carried.absent),
        players=carried.players,
        absent=carried.absent,
        standing=carried.standing,
        ahead=carried.ahead,
        setup=carried.setup,
        attempt=attempt if attempt > 1 else None,
    )
    if archived is not None:
        kept = ("deadline", "remind", "earliest", "early", "misses", "attempt", "opened", "put_back", "start")
        same = {key: getattr(archived, key) for key in kept}
        data = replace(data, **same)
        if not has_keys(game, archived):
            shown = replace(archived.seal, identity=None) if archived.seal else None
            return replace(data, dice=DiceData(commitment=archived.dice.commitment), seal=shown)
    else:
        data = with_times(game, replace(data, misses=carried.misses), after)
    keys = keys_for(game, name, archived, attempt, carried.seal)
    seal = keys.seal
    # A turn that was opened before sheets could hold orders ahead has no recipients for them.
    if seal is not None and game.ruleset.ahead is not None and (archived is None or _has_lists(archived)):
        lists = game.ruleset.ahead.lists(game.ruleset.view(position, None))
        derived = ahead_recipients(game, seal.kid, lists, name, data.attempt or 1)
        known = archived.seal.ahead if archived is not None and archived.seal is not None else None
        seal = replace(seal, ahead=derived or known)
    return replace(data, dice=DiceData(commitment=luck.commitment(keys.dice)), seal=seal)


def _has_lists(data: TurnData) -> bool:
    """True if a turn has recipients for orders ahead."""
    return data.seal is not None and data.seal.ahead is not None


def with_times(game: Game, data: TurnData, after: str | None) -> TurnData:
    """A turn that opens `after` a time, with its deadline, its reminders, the earliest time that it is judged, and whether it is judged early."""
    schedule, kind = game.data.schedule, game.ruleset.kind(data.position)
    early = schedule.rhythm(kind).early if schedule is not None else None
    data = replace(data, deadline=next_deadline(schedule, kind, after))
    deadline = later_deadline(game, data) or data.deadline
    return replace(
        data,
        deadline=deadline,
        remind=reminders(schedule, kind, deadline, after),
        earliest=earliest(schedule, kind, after),
        early=early if early != "final" else None,
    )


def later_deadline(game: Game, data: TurnData, sent: Collection[str] = ()) -> str | None:
    """The deadline of an open turn, moved past the days when a player that it waits for is away; None if it does not move.

    `sent` are the seats that have a sheet: the turn does not wait for them. An absence counts if it was announced before the deadline, and
    only until a ruling sets the turn's deadline, or has the turn judged: the host's word goes first.
    """
    schedule, deadline = game.data.schedule, data.deadline
    if schedule is None or schedule.absences is None or deadline is None or data.paused:
        return None
    if any(ruling.extend or ruling.resume or ruling.proceed or ruling.end for ruling in data.rulings):
        return None
    waited = set(owing(game, data.position, data.absent)).difference(sent)
    away = [
        (date.fromisoformat(one.first), date.fromisoformat(one.last))
        for one in absences_in(game, data)
        if one.seat in waited and read_time(one.announced) <= read_time(deadline)
    ]
    later = past_absences(schedule, game.ruleset.kind(data.position), deadline, away) if away else deadline
    return later if later != deadline else None


def open_first_turn(
    game: Game,
    archived: TurnData | None = None,
    at: str | None = None,
    attempt: Callable[[str], int] = lambda name: 1,
    seal: SealData | None = None,
) -> TurnData:
    """The first turn of a game, as set up by its ruleset. `archived` works as in `open_turn`.

    Its deadline counts from `at`, the time when it is opened; without one, from the beginning of the day in game.yaml. `attempt` returns, for
    a turn's name, the number of the attempt that begins now. `seal` is that of the attempt before, whose format and lengths are kept.
    """
    kept = archived.setup if archived is not None else None
    nonces = kept.nonces if kept else {seat: p.nonce for seat, p in sorted(game.data.seats.items()) if p.nonce}
    secret = b""
    if kept and kept.secret:
        secret = bytes.fromhex(kept.secret)
    elif not game.data.sealed or game.masters.secrets:
        secret = setup_secret(game, kept.commitment if kept else game.data.setup)
    # Without the secret nothing can be rolled. Most rulesets roll nothing here and do not need it.
    mixed = luck.turn_key(secret, game.name, "setup", luck.digest(nonces))
    dice: luck.NamedDice | luck.GivenDice = luck.NamedDice(mixed) if secret else luck.GivenDice({})
    position = game.ruleset.rules.setup(game.settings, dice) if game.begins is None else game.begins
    setup = None
    if game.data.sealed and dice.rolls:
        setup = SetupData(commitment=luck.commitment(secret), secret=secret.hex(), nonces=nonces, rolls=dice.rolls)
    number = attempt(turn_name(1, phase_of(game, position)))
    if number == 1 and at is not None and game.data.schedule is not None and game.data.schedule.starts is not None:
        at = counts_from(game.data.schedule, game.ruleset.kind(position), game.data.schedule.starts, at)
    data = open_turn(
        game, 1, position, at or f"{game.data.opened}T00:00Z", Carried(setup=setup, seal=seal), archived, number
    )
    if archived is not None:
        return data
    files = {name: hashlib.sha256(text).hexdigest() for name, text in sorted(game.begun_with.items())}
    digest = start_digest(game, position, setup, lambda: keys_for(game, data.turn, None, number))
    return replace(data, opened=at, start=StartData(digest=digest, files=files or None))


def start_digest(game: Game, position: Any, setup: SetupData | None, keys: Callable[[], Keys]) -> str:
    """The digest of a game's start: its position, and the players' nonces for the dice of the setup.

    If information is hidden, nobody without the turn's keys can check a guess against it.
    """
    text = write(encode(position)).encode()
    if setup is not None and setup.nonces:
        text += write(dict(setup.nonces)).encode()
    if game.ruleset.secrecy is None:
        return hashlib.sha256(text).hexdigest()
    return hmac.new(keys().dice, b"start/v1|" + text, hashlib.sha256).hexdigest()


def apply_rulings(
    game: Game,
    data: TurnData,
    rulings: Iterable[Ruling],
    where: Text | str,
    keys: Keys | None = None,
    *,
    moved: bool = False,
) -> TurnData:
    """Apply more of the host's rulings to an open turn; raises `Problems` if one of them cannot be applied.

    `where` is the file that holds them, below those applied earlier, or just its name. `keys` are the turn's, if they are known: they open
    rulings about hidden information. With `moved`, the position already includes the effects of these rulings.
    """
    text = Text(where, None, {}) if isinstance(where, str) else where
    for ruling in rulings:
        index, position = len(data.rulings), data.position
        if moved:
            pass
        elif ruling.correct:
            position = apply_correction(game, position, ruling, text, ("rulings", index, "correct"))
        elif ruling.hidden is not None:
            turn_keys = keys or keys_for(game, data.turn, data)
            position = _correct_unseen(game, data, ruling.hidden, turn_keys, text, ("rulings", index, "hidden"))
        elif ruling.decide is not None:
            position = apply_decision(game, position, ruling, text, index)
        new = ruling.replace
        given = new.seat if new is not None else None
        out = {ruling.absent, given if new is not None and new.account is None and new.player == "open" else None}
        absent = tuple(seat for seat in game.seats if seat in out or (seat in data.absent and seat != given))
        kept = {kind: {s: turn for s, turn in by.items() if s != given} for kind, by in (data.standing or {}).items()}
        ahead = {seat: turn for seat, turn in (data.ahead or {}).items() if seat != given}
        data = replace(
            data,
            rulings=(*data.rulings, ruling),
            position=position,
            deadline=new_deadline(ruling, data.deadline),
            paused=(data.paused or bool(ruling.pause)) and ruling.resume is None,
            players=replace_players(data.players, ruling),
            absent=absent,
            misses={seat: one for seat, one in (data.misses or {}).items() if seat != given} or None,
            standing={kind: by for kind, by in kept.items() if by}
            or None,  # standing orders and orders ahead are personal: a new player starts without any
            ahead=ahead or None,
            owing=owing(game, position, absent),
        )
    return data


def _correct_unseen(game: Game, data: TurnData, sealed: str, keys: Keys, text: Text, place: Place) -> Any:
    """Apply a sealed correction or decision to the position; raises `Problems` that reveal nothing about its content."""
    here = (game.archive, game.name, data.turn, data.attempt or 1)
    try:
        said = reveal_hidden(sealed, keys.identity or "", text.path)
        if (said.archive, said.game, said.turn, said.attempt) == here:
            if said.decide is not None:
                return apply_unseen_decision(game, data.position, Ruling(reason="", decide=said.decide), text, place)
            return apply_correction(game, data.position, Ruling(reason="", correct=said.correct), text, place)
    except Problems:
        pass
    what = "this hidden correction cannot be made in this turn"
    right = "seal it again: with the master secret, `courtly seal` shows what is wrong with it"
    raise Problems([text.problem(place, what, right)])


def check_decisions(game: Game, data: TurnData, rulings: tuple[Ruling, ...], text: Text) -> None:
    """Raise `Problems` with the publicly visible faults of the decision that is to be applied next.

    Rulings after a decision or a correction depend on a position that, in a game with secrets, only the master secret reveals.
    """
    for index, ruling in enumerate(rulings[len(data.rulings) :], len(data.rulings)):
        if ruling.decide is not None and not hides(game, ruling):
            read_possible_decision(game, data.position, ruling, text, index)
        if ruling.decide is not None or ruling.correct or ruling.hidden:
            return


def apply_rulings_anew(archive: Archive, turn: Turn, whole: TurnData) -> tuple[TurnData, tuple[Ruling, ...]]:
    """Apply to an open turn the rulings in its `ruling.yaml` that it lacks. Return it with the rulings that its `turn.yaml` does not list yet.

    Raises `Problems`, for example if a ruling that was already applied has been changed.
    """
    text = ruling_text(archive, turn)
    rulings = load_rulings(turn.game, text)
    if rulings[: len(whole.rulings)] != whole.rulings:
        raise problem(
            text.path, "a ruling was changed or removed after it had been applied", "restore it, and add another ruling"
        )
    # Rulings below an `undo` are never applied here: they disappear with the turn, and are reported as a fault.
    undone = (at for at, ruling in enumerate(rulings) if ruling.undo and at >= len(whole.rulings))
    rulings = rulings[: next(undone, len(rulings))]
    # A killed process may have sealed the turn with the rulings applied without updating turn.yaml.
    return apply_rulings(turn.game, whole, rulings[len(whole.rulings) :], text), rulings[len(turn.data.rulings) :]


def after_rulings(archive: Archive, turn: Turn) -> Turn:
    """The turn after the rulings that are waiting for the next run, but without their effects on the position."""
    waiting = rulings_of(archive, turn)[len(turn.data.rulings) :]
    told = [replace(ruling, correct=None, decide=None, hidden=None) for ruling in waiting]
    return replace(turn, data=apply_rulings(turn.game, turn.data, told, f"games/{turn.game.slug}"))


def resolve_turn(
    game: Game, data: TurnData, given: Given, closed: str | None, keys: Keys, judged_by: str | None
) -> tuple[TurnData, Resolution[Any, Any]]:
    """Judge a turn: return its completed data, with nothing left out, and its resolution. Pure: same arguments, same result.

    `judged_by` is the version of courtly to record as the judge. If the turn is judged again, it is the one already recorded.
    """
    mixed = luck.digest(given.digests)
    dice = luck.NamedDice(luck.turn_key(keys.dice, game.name, data.turn, mixed))
    end = next((ruling.end for ruling in data.rulings if ruling.end), None)
    sheets = without_void(game, data.position, given.sheets, data.rulings)
    said = {
        seat: " ".join(sheet.words.split())
        for seat, sheet in sorted(sheets.items())
        if seat in given.own and sheet.words
    }
    ask = question_of(data.rulings)
    replies = {seat: answer_to(ask, sheet.answer) for seat, sheet in sorted(sheets.items()) if seat in given.own}
    if end is not None:
        ended = Ending(how=end.how, winners=end.winners, when=data.phase, rule="")
        resolution: Resolution[Any, Any] = Resolution(data.position, (), (), ended)
    else:
        resolution = game.ruleset.rules.resolve(data.position, dict(sorted(sheets.items())), dice)
    done = replace(
        data,
        status="resolved",
        closed=closed,
        judged_by=judged_by,
        paused=False,
        remind=None,
        owing=(),
        dice=DiceData(commitment=luck.commitment(keys.dice), secret=keys.dice.hex(), digest=mixed),
        seal=_published(data, keys, given),
        sheets=dict(sorted(given.digests.items())),
        stood=dict(sorted(given.stood.items())) or None,
        from_ahead=dict(sorted(given.from_ahead.items())) or None,
        refused=dict(sorted(given.refused.items())) or None,
        partly=dict(sorted(given.partly.items())) or None,
        words={seat: words for seat, words in said.items() if words and game.data.words} or None,
        answers={seat: reply for seat, reply in replies.items() if reply is not None} or None,
        verdicts=resolution.verdicts,
        events=resolution.events,
        rolls=dice.rolls,
        ended=resolution.ended,
    )
    return done, resolution


def _published(data: TurnData, keys: Keys, given: Given) -> SealData | None:
    """The seal of a judged turn, with the identities that are published with it."""
    if keys.seal is None:
        return None
    recipients = data.seal.ahead if data.seal is not None else None
    return replace(keys.seal, identity=keys.identity, ahead=recipients, ahead_identity=given.ahead_identity)


def carry_over(game: Game, data: TurnData, given: Given) -> Carried:
    """The data that a judged turn hands on to the next: players, seats in civil disorder, standing sheets, the seal."""
    kind = game.ruleset.kind(data.position)
    standing = {key: dict(value) for key, value in (data.standing or {}).items()}
    here = standing.setdefault(kind, {})
    void = {ruling.void.seat for ruling in data.rulings if ruling.void and ruling.void.order is None}
    for seat in {*given.own, *void}:
        here.pop(seat, None)
        sheet = given.sheets.get(seat)
        if seat in given.own - void and isinstance(sheet, StandingWords) and sheet.standing and game.data.standing:
            here[seat] = data.turn
    absent = set(data.absent) - given.own
    match game.data.schedule.missing if game.data.schedule is not None else MissingSheets.HOLD:
        case MissingSheets.CIVIL_DISORDER:
            absent |= game.ruleset.due(data.position) - frozenset(given.sheets)
        case MissingSheets.HOLD | MissingSheets.HOST:
            pass
        case other:
            assert_never(other)
    misses = _count_misses(game, data, given)
    limit = game.data.schedule.out if game.data.schedule is not None else None
    if limit is not None:
        absent |= {
            seat
            for seat, missed in misses.items()
            if seat not in given.sheets
            and ((limit.in_row and missed.in_row >= limit.in_row) or (limit.in_all and missed.in_all >= limit.in_all))
        }
    kept = {key: dict(sorted(value.items())) for key, value in sorted(standing.items()) if value}
    out = tuple(seat for seat in game.seats if seat in absent)
    ahead = data.ahead
    if game.ruleset.ahead is not None and game.ruleset.ahead.lists(game.ruleset.view(data.position, None)):
        ahead = {
            seat: data.turn
            for seat in sorted(given.own - void)
            if not without_lists(given.sheets[seat], game.ruleset.ahead)
        }
    return Carried(data.players, out, misses or None, kept or None, ahead or None, seal=data.seal)


def _count_misses(game: Game, data: TurnData, given: Given) -> dict[str, Missed]:
    """The turns that each seat has missed, with this one; empty if the schedule does not count them."""
    schedule = game.data.schedule
    if schedule is None or not schedule.counts_misses:
        return {}
    kinds, missed = schedule.out.kinds if schedule.out is not None else (), dict(data.misses or {})
    if kinds and game.ruleset.kind(data.position) not in kinds:
        return missed
    for seat in owing(game, data.position, data.absent):
        before = missed.get(seat, Missed())
        if seat not in given.sheets:
            missed[seat] = Missed(in_row=before.in_row + 1, in_all=before.in_all + 1)
        elif before.in_all:
            missed[seat] = Missed(in_all=before.in_all)
    return dict(sorted(missed.items()))


def _has_delay(game: Game, data: TurnData) -> bool:
    """True if a turn whose sheets are all in stays open a little longer; see `sooner_deadline`."""
    schedule = game.data.schedule
    return schedule is not None and schedule.rhythm(game.ruleset.kind(data.position)).delay is not None


def as_open(game: Game, data: TurnData, given: Given | None = None) -> OpenTurn:
    """Convert an open turn to the argument of `judge_or_wait`; without `given`, no sheet counts as sent."""
    sheets = given.sheets if given is not None else {}
    own = given.own if given is not None else frozenset()
    return OpenTurn(
        schedule=game.data.schedule,
        kind=game.ruleset.kind(data.position),
        deadline=data.deadline,
        earliest=data.earliest,
        early="final" if data.early == "all" and _has_delay(game, data) else data.early or "final",
        misses={seat: missed.in_all for seat, missed in (data.misses or {}).items()},
        paused=data.paused,
        owed=bool(game.ruleset.due(data.position)),
        waited=owing(game, data.position, data.absent),
        final=frozenset(seat for seat in own if sheets[seat].final),
        sent=own | frozenset(seat for seat in (given.from_ahead if given is not None else ()) if seat in sheets),
        given=frozenset(sheets),
        ended=any(ruling.end for ruling in data.rulings),
        proceed=any(ruling.proceed for ruling in data.rulings),
    )


def closes(game: Game, data: TurnData) -> datetime | None:
    """The time when an open turn stops waiting for missing sheets, with the longest grace that a seat could get; None without a deadline."""
    return closing(game.data.schedule, game.ruleset.kind(data.position), data.deadline)


def sooner_deadline(game: Game, data: TurnData, given: Given, at: str | None) -> str | None:
    """The deadline of an open turn whose sheets are all in, if the schedule then closes it after a delay; None if nothing changes."""
    kind, schedule = game.ruleset.kind(data.position), game.data.schedule
    delay = schedule.rhythm(kind).delay if schedule is not None else None
    if delay is None or at is None or data.early != "all" or data.deadline is None or data.paused:
        return None
    if not given.own.issuperset(waited := owing(game, data.position, data.absent)) or not waited:
        return None
    start = max(read_time(at), read_time(data.earliest)) if data.earliest is not None else read_time(at)
    sooner = start + duration(delay)
    return write_time(sooner) if sooner < read_time(data.deadline) else None


def reminders_from(game: Game, data: TurnData, at: str | None) -> tuple[str, ...] | None:
    """The times of an open turn's reminders by its deadline, if they are later than `at`; None if there are none."""
    return reminders(game.data.schedule, game.ruleset.kind(data.position), data.deadline, at)


def still_to_remind(data: TurnData, at: str | None) -> tuple[str, ...]:
    """The times of an open turn's reminders that are later than `at`; all of them while the game is paused."""
    if at is None or data.paused:
        return data.remind or ()
    return tuple(one for one in data.remind or () if read_time(one) > read_time(at))


def is_due(game: Game, data: TurnData, given: Given, at: str | None) -> bool:
    """True if an open turn is to be judged now."""
    return isinstance(judge_or_wait(as_open(game, data, given), at), Judge)


def ending_of_record(data: TurnData) -> Ending:
    """The ending of a game whose record breaks off after this turn."""
    return Ending(how="stopped", winners=(), when=data.phase, rule="")
