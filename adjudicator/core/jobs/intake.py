"""Check one pull request: whether it may change what it changes. Reads the archive and the file offered; writes nothing.

A player's pull request may add one sheet for the open turn, for a seat that the player's account holds, or ask for a seat. The host's may
add rulings to the open turn. Everything else is left to people. Nothing here trusts a commit, neither its author nor its date: the account
is the pull request's, by number, and the time is the server's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.core.contract.words import many
from adjudicator.core.game.absence import FOLDER as ABSENCES
from adjudicator.core.game.absence import Announced, Leave, absence_of, absence_text, earlier_absence, leave
from adjudicator.core.game.archive import SLUG, TURN, Archive, display
from adjudicator.core.game.draw import FOLDER, Wished
from adjudicator.core.game.game import LETTERS, Game, GameKind, seat_file
from adjudicator.core.game.join import (
    Chair,
    chair,
    earlier_request,
    earlier_wish,
    joined_text,
    read_request,
    read_wish,
    wish_text,
)
from adjudicator.core.game.rulings import load_rulings
from adjudicator.core.game.schedule import judge_or_wait, takes_sheet
from adjudicator.core.jobs.check import check_sealed
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.punctual import check_reliable
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import after_rulings, as_open, check_decisions
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.press import (
    MOST_LETTERS,
    last_number,
    letter_files,
    letter_path,
    shape_faults,
)
from adjudicator.core.turn.sheets import MOST_SHEETS, SheetFile, by_seat, check_sheet, holder, read_name, sheet_name
from adjudicator.core.turn.unopened import seats_sent

REGULAR = "100644"
BY_HOST = "laid by the host"
"""Source of a sheet that the host entered for a player, as the commit's trailer names it."""
PATH = re.compile(rf"games/({SLUG.pattern})/({TURN.pattern})/(?:orders/([a-z0-9.-]{{1,120}})|ruling\.yaml)", re.ASCII)
LETTER = re.compile(rf"games/({SLUG.pattern})/{LETTERS}/([a-z0-9.-]{{1,120}})", re.ASCII)
JOIN = re.compile(rf"games/({SLUG.pattern})/{FOLDER}/([a-z0-9.-]{{1,120}})", re.ASCII)
ABSENCE = re.compile(rf"games/({SLUG.pattern})/{ABSENCES}/([a-z0-9.-]{{1,120}})", re.ASCII)
PLACES = (PATH, LETTER, JOIN, ABSENCE)
"""The forms of paths that a file from outside may have."""
GAMES = re.compile(r"[./\\ ]*games(?:[/\\]|$)")
"""Paths that are meant for `games/`, however they are written; a file name that merely begins with `games` is not meant."""
AWAY = f"absences go to games/GAME/{ABSENCES}/SEAT.yaml, in small letters"
RIGHT = "sheets go to games/GAME/TURN/orders/SEAT.yaml (sealed ones to SEAT.yaml.age), in small letters"


class Over(Problems):
    """A final refusal: the turn was judged, and another is open or opens soon."""


class Ended(Over):
    """A final refusal: the game is over, so there is nothing else to send (H3-16)."""


class Early(Problems):
    """A refusal of a sheet whose number skips earlier ones, which may still be on their way."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed file of a pull request, as the server lists it."""

    path: str
    status: str
    """`added`, `modified`, `removed`, `renamed`, ..."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pull request's sheet, letter or ruling belongs."""

    path: str
    turn: Turn
    file: SheetFile | None
    """The parts of the file's name; None for a ruling."""
    letter: bool = False
    """True for a letter, which is sealed until the game is over."""

    @property
    def sheet(self) -> SheetFile | None:
        """The parts of a sheet's name; None for a ruling and for a letter, which no turn waits for."""
        return None if self.letter else self.file


@dataclass(frozen=True, slots=True)
class Accepted:
    """A file that may go in."""

    place: Place | Chair | Leave
    body: bytes
    """The bytes to store: those of a sheet or ruling as received; for a seat or an absence, the file that intake writes."""
    remarks: tuple[Problem, ...] = ()
    """Remarks for the file's author; empty for a sealed sheet."""

    @property
    def digest(self) -> str:
        """SHA-256 of the stored bytes."""
        return self.digest_of(self.body)

    @staticmethod
    def digest_of(body: bytes) -> str:
        """SHA-256 of a file, as named in receipts."""
        return hashlib.sha256(body).hexdigest()

    @property
    def what(self) -> str:
        """A description of the file that contains nothing a stranger wrote."""
        if isinstance(self.place, Chair) and self.place.wish:
            return f"wish for a seat in {self.place.game.slug}"
        if isinstance(self.place, Chair):
            done = "seat of" if self.place.taken else "request for"
            return f"{done} {self.place.seat} in {self.place.game.slug}"
        if isinstance(self.place, Leave):
            return f"absence of {self.place.seat} in {self.place.game.slug} from {self.place.first}"
        where = f"{self.place.turn.game.slug}, {self.place.turn.name}"
        if self.place.letter:
            assert self.place.file is not None
            return f"letter of {self.place.file.seat} for {self.place.turn.game.slug}"
        return f"sheet of {self.place.file.seat} for {where}" if self.place.file else f"ruling for {where}"


def only_change(changes: tuple[Change, ...], total: int) -> Change:
    """The one change that a pull request makes, if it adds a file or changes a ruling.yaml; otherwise raises `Problems`."""
    if total != 1 or len(changes) != 1:
        raise problem(
            "", f"the pull request changes {total} files", "a pull request for a game may contain only one file"
        )
    (change,) = changes
    if change.status == "added" or (change.status == "modified" and change.path.endswith("/ruling.yaml")):
        return change
    if change.status == "modified" and JOIN.fullmatch(change.path):
        raise problem("", "somebody took this seat before you", "the game's page shows which seats are open")
    done = {"removed": "removes", "renamed": "renames", "modified": "changes", "copied": "copies"}.get(change.status)
    right = "sheets are added, never changed: send a new one with the next number, such as austria.2.yaml"
    raise problem("", f"the pull request {done or 'changes'} a file", right)


def is_for_games(changes: tuple[Change, ...]) -> bool:
    """True if a pull request touches games at all; otherwise intake does nothing about it."""
    return any(GAMES.match(change.path.casefold()) for change in changes)


def all_for_games(changes: tuple[Change, ...]) -> bool:
    """True if a pull request touches nothing but games, so that nobody else need review it."""
    return all(GAMES.match(change.path.casefold()) for change in changes)


def is_place(path: str) -> bool:
    """True if a file from outside may have this path, in some game."""
    return any(form.fullmatch(path) for form in PLACES)


def locate(archive: Archive, path: str, account: int) -> Place | Chair | Leave:
    """Find where a file from an account belongs; raises `Problems` if the account may not put it there.

    The file itself is not read, so that most refusals cost nothing.
    """
    if (match := JOIN.fullmatch(path)) is not None:
        game = _running(archive, match[1])
        names = archive.turns(game.slug)
        latest = load_turn(archive, game, names[-1]) if names else None
        if latest is not None and latest.data.status == "open":
            latest = after_rulings(archive, latest)
        players = latest.data.players if latest is not None else None
        wanted = chair(archive, game, match[2], account, latest.name if latest is not None else None, players)
        check_reliable(archive, game, account)
        return wanted
    if (match := LETTER.fullmatch(path)) is not None:
        return _locate_letter(archive, match[1], match[2], account)
    if (match := ABSENCE.fullmatch(path)) is not None:
        return _locate_absence(archive, match[1], match[2], account)
    if (match := PATH.fullmatch(path)) is None:
        if f"/{ABSENCES}/" in path.casefold():
            raise problem("", "an absence does not belong here", AWAY)
        raise problem("", "a sheet does not belong here", RIGHT)
    slug, name, sheet = match[1], match[2], match[4]
    game = _running(archive, slug)
    slug = game.slug
    names = archive.turns(slug)
    if not names or name not in names:
        right = f"the open turn is {names[-1]}" if names else "it has not begun"
        raise problem("", f"{slug} has no turn {name!r}", right)
    turn = load_turn(archive, game, name)
    if name != names[-1] or turn.data.status != "open":
        latest = load_turn(archive, game, names[-1])
        right = f"the open turn is {names[-1]}" if latest.data.status == "open" else "the next turn opens soon"
        raise Over([Problem("", 0, 0, f"the turn {name} has been judged", right)])
    turn = after_rulings(archive, turn)
    path = f"{game.home}/{path.split('/', 2)[2]}"
    if sheet is None:
        if account not in game.data.rulers:
            raise problem("", "rulings come from the account of the game's host", "ask the host")
        return Place(path, turn, None)
    file = read_name(game, sheet)
    if file is None:
        files = [f"{seat_file(seat)}.yaml" for seat in game.seats]
        right = nearest(sheet, files) or "sheets here: " + ", ".join(files)
        raise problem("", "no seat of this game has a sheet of that name", right)
    _check_account(game, turn, file.seat, account)
    return Place(path, turn, file)


def _locate_letter(archive: Archive, slug: str, name: str, account: int) -> Place:
    """Find where a letter from an account belongs; raises `Problems` if the account may not send it."""
    game = _running(archive, slug)
    if game.data.letters is None:
        raise problem("", "this game takes no letters", "the host decides that when the game is made")
    turn = _latest(archive, game, "write when the first is open")
    file = read_name(game, name)
    if file is None or not file.sealed:
        files = [f"{seat_file(seat)}.yaml.age" for seat in game.seats]
        right = nearest(name, files) or "letters here: " + ", ".join(files)
        raise problem("", "no seat of this game has a letter of that name", right)
    _check_account(game, turn, file.seat, account)
    return Place(letter_path(game, file.seat, file.number), turn, file, letter=True)


def _locate_absence(archive: Archive, slug: str, name: str, account: int) -> Leave:
    """Find the seat that an account announces an absence for; raises `Problems` if the account may not."""
    game = _running(archive, slug)
    wanted = leave(game, name)
    _check_account(game, _latest(archive, game, "announce it when the first is open"), wanted.seat, account)
    return replace(wanted, account=account)


def _latest(archive: Archive, game: Game, when: str) -> Turn:
    """A game's latest turn, with its waiting rulings applied if it is open; raises `Problems` if the game has no turn."""
    names = archive.turns(game.slug)
    if not names:
        raise problem("", f"{game.slug} has no turn yet", when)
    turn = load_turn(archive, game, names[-1])
    return after_rulings(archive, turn) if turn.data.status == "open" else turn


def locate_seat(archive: Archive, slug: str, seat: str) -> Turn:
    """A game's open turn, with its waiting rulings applied, for a sheet of this seat; raises `Problems` if there is none."""
    game = _running(archive, slug)
    if seat not in game.seats:
        raise problem("--seat", f"no seat is called {seat!r:.60}", nearest(seat, game.seats) or ", ".join(game.seats))
    names = archive.turns(slug)
    if not names:
        raise problem(game.home, "the game has no turn yet", "wait until the first opens")
    turn = load_turn(archive, game, names[-1])
    if turn.data.status != "open":
        raise problem(f"{game.home}/{names[-1]}", "this turn has been judged", "the next turn opens soon")
    return after_rulings(archive, turn)


def _running(archive: Archive, slug: str) -> Game:
    """The game with this name, or this original name, which an old request may use. Raises `Problems` if the game takes no files."""
    if slug not in archive.slugs():
        now = archive.called_now(slug)
        if now is None:
            raise problem("", f"there is no game {slug!r}", nearest(slug, archive.slugs()))
        slug = now
    if archive.has_ended(slug):
        raise Ended([Problem("", 0, 0, "this game is over")])
    game = load_game(archive, slug)
    if game.data.kind is GameKind.RECORD:
        raise problem("", "this is a record, which is never judged", "")
    return game


def take_seat(archive: Archive, wanted: Chair, body: bytes, login: str, at: str) -> tuple[Accepted, bool]:
    """The file to store when an account asks for a seat, and true if it is already stored; raises `Problems`."""
    where = wanted.sent
    if wanted.wish:
        return _take_wish(archive, wanted, read(body, where), login, at)
    said = read_request(wanted, read(body, where))
    before = earlier_request(archive, wanted)
    if before is None:
        return Accepted(wanted, joined_text(wanted, said, login, at)), False
    if before.key != said.key:
        raise problem(
            where, f"you asked for {wanted.seat} before, with a different key", "only the host can change a key"
        )
    return Accepted(wanted, archive.read(archive.root / wanted.path)), True


def take_absence(wanted: Leave, body: bytes, at: str) -> tuple[Accepted, bool]:
    """The file to store when an account announces an absence at a time, and true if it is already stored; raises `Problems`."""
    text = read(body, wanted.sent)
    said = decode(Announced, text)
    before = earlier_absence(replace(wanted, first=said.first))
    if before is not None and (before.account, before.last) == (wanted.account, said.last):
        return Accepted(replace(wanted, first=said.first), absence_text(before)), True
    if before is not None:
        what = f"an absence of {wanted.seat} from {before.first} to {before.last} is announced already"
        raise Problems([text.problem(("first",), what, "announce further days from the day after")])
    asked, kept = absence_of(wanted, said, text, at)
    return Accepted(asked, absence_text(kept)), False


def _take_wish(archive: Archive, wanted: Chair, text: Text, login: str, at: str) -> tuple[Accepted, bool]:
    """The file to store when an account wishes for seats, and true if it is already stored; raises `Problems`."""
    before = earlier_wish(archive, wanted)
    if before is None:
        return Accepted(wanted, wish_text(wanted, read_wish(archive, wanted, text), login, at)), False
    said = decode(Wished, text)
    if (before.seats, before.key) != (said.seats, said.key):
        raise problem(
            wanted.sent,
            "you sent a different wish before",
            "the earlier one counts: the draw of the seats depends on it",
        )
    return Accepted(wanted, archive.read(archive.root / wanted.path)), True


def is_in(archive: Archive, place: Place, body: bytes) -> bool:
    """True if this very file is already in its place: an earlier job took it in, but stopped before it could report that."""
    path = archive.root / place.path
    return place.file is not None and archive.files.is_file(path) and archive.read(path) == body


def is_open(archive: Archive, place: Place, at: str) -> bool:
    """True if a sheet's turn takes sheets from its seat at this time, whatever their number. Always true for a ruling and a letter."""
    if place.sheet is None:
        return True
    first = place.sheet.seat not in seats_sent(archive, place.turn)
    return takes_sheet(judge_or_wait(as_open(place.turn.game, place.turn.data), at), first=first)


def admit(archive: Archive, place: Place, at: str) -> None:
    """Raise `Problems` if a seat may not send a sheet, or a letter, with this number at this time."""
    if place.file is None:
        return
    turn = place.turn
    if place.letter:
        _check_number(place, last_number(archive, turn.game, place.file.seat))
        return
    sent = by_seat(archive, turn)[0].get(place.file.seat, [])
    _check_number(place, sent[0][0].number if sent else 0)
    if not is_open(archive, place, at):
        what = f"the deadline was {turn.data.deadline}, but by the server's clock this came at {at}"
        raise problem("", what, "write a sheet for the next turn")


def latest_before(archive: Archive, place: Place) -> str | None:
    """Path of the seat's latest sheet, which this one follows; None for a seat's first sheet, a ruling, and a letter."""
    if place.sheet is None or not (sent := by_seat(archive, place.turn)[0].get(place.sheet.seat)):
        return None
    return display(sent[0][1], archive.root)


def _check_account(game: Game, turn: Turn, seat: str, account: int) -> None:
    """Raise `Problems` unless the account with this number holds the seat now."""
    person = holder(game, turn.data, seat)
    if person.account is None:
        where = "a `replace` ruling" if seat in (turn.data.players or {}) else f"{game.home}/game.yaml"
        right = f"the host can give {seat} an `account:` in {where}"
        raise problem("", f"no account is known for {seat}", right)
    if person.account != account:
        own = [name for name in game.seats if holder(game, turn.data, name).account == account]
        right = "it holds " + ", ".join(own) if own else "it holds no seat in this game"
        raise problem("", f"your account does not hold {seat}", right)


def _check_number(place: Place, highest: int) -> None:
    """Raise `Problems` unless a sheet, or a letter, has the number after the seat's highest so far."""
    file, turn = place.file, place.turn
    assert file is not None
    if file.number == highest + 1:
        return
    thing, since, most = (
        ("letter", "in this game", MOST_LETTERS) if place.letter else ("sheet", "this turn", MOST_SHEETS)
    )
    if highest >= most:
        raise problem("", f"{file.seat} has sent {highest} {thing}s {since}", "that is the limit; ask the host")
    sealed = file.sealed and turn.data.seal is not None
    name = sheet_name(file.seat, highest + 1, sealed=sealed)
    what = f"{file.seat} has sent {many(highest, thing)} {since}"
    right = f"the next one is called {name}" + (" and says `sequence: " + str(highest + 1) + "`" if sealed else "")
    fault = Problem("", 0, 0, what, right)
    raise Early([fault]) if file.number > highest else Problems([fault])


def _check_new(archive: Archive, sent: Mapping[str, list[tuple[SheetFile, Path]]], place: Place, digest: str) -> None:
    """Raise `Problems` for a sealed file with the very bytes of one that was sent before."""
    assert place.file is not None
    for seat, files in sent.items():
        for _, path in files:
            if place.file.sealed and hashlib.sha256(archive.read(path)).hexdigest() == digest:
                whose = "you sent before" if seat == place.file.seat else f"{seat} sent"
                what = "your letter" if place.letter else "your orders"
                raise problem(place.path, f"this is the file that {whose}", f"seal {what} again")


def examine_file(archive: Archive, place: Place, body: bytes) -> Accepted:
    """Read and check a file that is to go in; raises `Problems`, with line numbers if it cannot be read."""
    digest = hashlib.sha256(body).hexdigest()
    turn = place.turn
    if place.file is None:
        text = read(body, place.path)
        rulings = load_rulings(turn.game, text)
        now = load_turn(archive, turn.game, turn.name).data
        if rulings[: len(now.rulings)] != now.rulings:
            # A ruling that is still waiting may be taken back: if it has hidden parts, nobody can see beforehand whether it can be applied,
            # and if it cannot, it stops the game until it is gone.
            raise problem(
                place.path, "a ruling that has been applied is changed or missing", "keep it, and add another below it"
            )
        hidden = turn.game.ruleset.secrecy is not None
        if wrong := coming_faults(archive, turn, now, text, blind=hidden, known=rulings):
            raise Problems(wrong)
        if hidden:
            check_decisions(turn.game, now, rulings, text)
        return Accepted(place, body)
    if place.letter:
        _check_new(archive, letter_files(archive, turn.game)[0], place, digest)
        if faults := shape_faults(body, place.path):
            raise Problems(faults)
        return Accepted(place, body)
    _check_new(archive, by_seat(archive, turn)[0], place, digest)
    if place.file.sealed:
        faults = check_sealed(turn, body, place.path)
        if faults:
            raise Problems(faults)
        return Accepted(place, body)
    text = read(body, place.path)
    # A sheet that cannot be read is refused. Illegal orders are part of the game, and only their author hears of them.
    turn.game.ruleset.read_sheet(turn.data.position, place.file.seat, text)
    return Accepted(place, body, check_sheet(turn.game, turn.data, place.file.seat, text))
