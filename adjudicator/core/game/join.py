"""Joining: how open seats are filled by pull request, and the files that intake keeps.

Somebody who wants a seat sends `games/GAME/join/SEAT.yaml`, which names the seat and, if they like, a key. A file cannot prove whose
account it comes from: anybody can write any number. So intake does not put that file into the archive but writes another, with the account
that GitHub names as the author of the pull request. If seats go to whoever comes first (`join: first`), the new file is `SEAT.yaml`, and the
seat is taken. If the host decides (`join: ask`), the new file is `SEAT.ACCOUNT.yaml`: only a request, and a seat may have several. If seats
are drawn (`join: preference`), people send `wish.yaml`, which ranks the seats they would like; adjudicator/core/game/draw.py explains the draw.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.draw import (
    DRAW,
    KEPT,
    SENT,
    Kept,
    Wish,
    Wished,
    draw_seats,
    draw_secret,
    holders_by_draw,
    load_wishes,
    wish_path,
)
from adjudicator.core.game.draw import FOLDER as KEPT_IN
from adjudicator.core.game.drawn import Draw
from adjudicator.core.game.game import SCHEMA, Asked, Game, Joined, Player, check_schema, seat_file
from adjudicator.core.game.schedule import read_time
from adjudicator.core.secrets.age import canonical_key, check_recipient
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read, write

FOLDER = KEPT_IN
"""A game's folder for the files of those who join."""
FILE = re.compile(r"([a-z0-9][a-z0-9-]{0,79})(?:\.([1-9][0-9]{0,17}))?\.yaml", re.ASCII)
MOST_REQUESTS = 50
"""Maximum number of requests for seats that a game keeps; the host must then decide before others can ask."""
JOINING = re.compile(rb"^join:\s*[\"']?(?:first|ask|preference)\b", re.MULTILINE)


def may_join(archive: Archive, slug: str) -> bool:
    """True if people can join a running game by pull request. Searches game.yaml without parsing it, because there may be many games."""
    if archive.has_ended(slug):
        return False
    try:
        return JOINING.search(archive.files.read(archive.game_folder(slug) / "game.yaml")) is not None
    except OSError:
        return False


def player_in(game: Game, seat: str, players: Mapping[str, Player] | None) -> Player:
    """The current player of a seat; `players` are those who were given seats during the game."""
    if players is not None and seat in players:
        return players[seat]
    return game.joined[seat].person if seat in game.joined else game.data.seats[seat]


class Holder(StrEnum):
    """Whether anybody can play a seat, and how."""

    ACCOUNT = "account"
    """An account holds it, and sends its sheets by pull request."""
    JOINABLE = "joinable"
    """It is open, and anybody can join it."""
    NAME = "name"
    """It names a player but no account: that person cannot send sheets by pull request."""
    NOBODY = "nobody"
    """It names nobody, and nobody can join it."""


def holders(game: Game, players: Mapping[str, Player] | None = None, *, begun: bool) -> dict[str, Holder]:
    """Seat -> who can play it, in the order of the game.

    `players` are those who were given seats during the game; `begun` means that its first turn is open. From then on nobody can join a game
    with hidden information, or one whose seats are drawn.
    """
    once = game.ruleset.secrecy is not None or game.data.join is Joining.PREFERENCE
    joinable = game.data.join is not None and not (begun and once)
    return {seat: _holder(player_in(game, seat, players), joinable=joinable) for seat in game.seats}


def _holder(person: Player, *, joinable: bool) -> Holder:
    if person.account is not None:
        return Holder.ACCOUNT
    if not person.free:
        return Holder.NAME
    return Holder.JOINABLE if joinable else Holder.NOBODY


def open_seats(game: Game, players: Mapping[str, Player] | None = None, *, begun: bool) -> tuple[str, ...]:
    """The seats that people can join, in the game's order; the arguments are those of `holders`."""
    return tuple(seat for seat, answer in holders(game, players, begun=begun).items() if answer is Holder.JOINABLE)


def gathers(game: Game) -> bool:
    """True if a game without a turn is waiting for people: its first turn opens, and its clock starts, when all seats are taken."""
    return bool(open_seats(game, begun=False))


def starts_later(game: Game, at: str | None) -> str | None:
    """The earliest time for a game's first turn, if that is after `at`; None if the turn may open. Without `at`, no time has come yet."""
    starts = game.data.schedule.starts if game.data.schedule is not None else None
    later = starts is not None and (at is None or read_time(at) < read_time(starts))
    return starts if later else None


def load_joined(archive: Archive, game: Game) -> dict[str, Joined]:
    """Seat -> the person who took it by joining; raises `Problems` for files that intake did not write."""
    taken = {joined.seat: joined for joined in _load_kept(archive, game, requests=False)}
    drawn = holders_by_draw(archive, game, game.drawn) if game.drawn is not None else []
    return taken | {joined.seat: joined for joined in drawn}


def load_requests(archive: Archive, game: Game) -> list[Joined]:
    """The requests for seats of a game, oldest first; raises `Problems`."""
    return sorted(
        _load_kept(archive, game, requests=True), key=lambda request: (request.asked, request.seat, request.account)
    )


def _load_kept(archive: Archive, game: Game, *, requests: bool) -> list[Joined]:
    folder = archive.game_folder(game.slug) / FOLDER
    if archive.files.is_link(folder):
        raise problem(display(folder, archive.root), "this is a link", "put the folder itself here")
    entries: list[tuple[Joined, bool]] = []
    faults: list[Problem] = []
    for path in archive.files.paths(folder, "*"):
        if path.name in ("README.md", DRAW) or KEPT.fullmatch(path.name):
            continue
        try:
            entries.append(_read_kept(game, read(archive.read(path), display(path, archive.root))))
        except Problems as error:
            faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return [joined for joined, request in entries if request is requests]


def _read_kept(game: Game, text: Text) -> tuple[Joined, bool]:
    """Decode one of intake's files; return its data, and true if it is a request. Raises `Problems`."""
    name = text.path.rpartition("/")[2]
    match = FILE.fullmatch(name)
    if match is None or match[1] not in map(seat_file, game.seats):
        files = [f"{seat_file(seat)}.yaml" for seat in game.seats]
        raise problem(text.path, "no seat of this game has a file of that name", nearest(name, files))
    check_schema(text)
    joined = decode(Joined, text)
    request = match[2] is not None
    if (match[1], match[2] or "") != (seat_file(joined.seat), str(joined.account) if request else ""):
        raise Problems([text.problem((), "the file's name does not match its contents", "restore one or the other")])
    return joined, request


def joined_path(game: Game, seat: str, account: int | None) -> str:
    """The path of the file for the person who took a seat, or for an account's request."""
    number = f".{account}" if account is not None else ""
    return f"{game.home}/{FOLDER}/{seat_file(seat)}{number}.yaml"


@dataclass(frozen=True, slots=True)
class Chair:
    """An open seat that an account asks for. `turn` is the open turn; None if the game has not begun.

    If seats are drawn, nobody asks for a particular one: `seat` is empty, and the account asks to take part in the draw.
    """

    game: Game
    seat: str
    account: int
    turn: str | None
    players: Mapping[str, Player] | None

    @property
    def wish(self) -> bool:
        """True if the account asks to take part in the draw of the seats."""
        return not self.seat

    @property
    def taken(self) -> bool:
        """True if the account gets the seat at once."""
        return self.game.data.join is Joining.FIRST

    @property
    def path(self) -> str:
        """The path of the file that intake writes."""
        if self.wish:
            return wish_path(self.game, self.account)
        return joined_path(self.game, self.seat, None if self.taken else self.account)

    @property
    def sent(self) -> str:
        """The path of the file that the player sends."""
        return f"{self.game.home}/{FOLDER}/{SENT if self.wish else f'{seat_file(self.seat)}.yaml'}"

    @property
    def welcome(self) -> str:
        """Sentences for the author of an accepted request: who gets the seat, and what comes next."""
        if self.wish:
            free = len(open_seats(self.game, self.players, begun=self.turn is not None))
            return (
                f"When {free} people have sent a wish, the next run draws who gets which of the {free} open seats. "
                "Everybody can see your wish and check the draw. You cannot change your wish."
            )
        if not self.taken:
            return "The host decides who gets the seat. Everybody can see who asked for it, and with which key."
        if self.turn is None:
            starts = self.game.data.schedule.starts if self.game.data.schedule is not None else None
            earliest = f", at {starts} at the earliest" if starts is not None else ""
            return f"The seat is yours. The game opens when all its seats are taken{earliest}."
        return f"The seat is yours from {self.turn} on: send your sheets."


def chair(
    archive: Archive, game: Game, name: str, account: int, turn: str | None, players: Mapping[str, Player] | None
) -> Chair:
    """Find the open seat that an account asks for with a file of this name; raises `Problems` if the account cannot have the seat."""
    if game.data.join is None:
        raise problem("", "this game cannot be joined by pull request", "ask its host for a seat")
    free = open_seats(game, players, begun=turn is not None)
    if game.data.join is Joining.PREFERENCE:
        return _wish_chair(archive, Chair(game, "", account, turn, players), name, free)
    seat = next((seat for seat in game.seats if f"{seat_file(seat)}.yaml" == name), None)
    if seat is None:
        right = "open seats: " + (", ".join(f"{seat_file(seat)}.yaml" for seat in free) or "none")
        raise problem("", "no seat of this game has a file of that name", right)
    wanted = Chair(game, seat, account, turn, players)
    if earlier_request(archive, wanted) is not None:
        return wanted  # asked for already; the file's content shows what is wrong with asking again
    if game.ruleset.secrecy is not None and turn is not None:
        raise problem("", "this game has hidden information and has begun", "ask its host for a seat")
    if seat not in free:
        right = "open seats: " + (", ".join(free) or "none")
        raise problem("", f"{seat} is taken", right)
    _check_seatless(wanted)
    if not wanted.taken:
        others = load_requests(archive, game)
        if any(request.account == account for request in others):
            raise problem("", "your account has already asked for a seat in this game", "wait for the host's answer")
        if len(others) >= MOST_REQUESTS:
            raise problem("", f"{len(others)} people have asked for seats in this game", "ask its host")
    return wanted


def _wish_chair(archive: Archive, wanted: Chair, name: str, free: tuple[str, ...]) -> Chair:
    """Return `wanted`, the request to take part in a draw; raises `Problems` if the account cannot take part."""
    if name != SENT:
        right = f"send {wanted.sent}, in which you rank the seats you would like"
        raise problem("", "nobody chooses a seat in this game: the seats are drawn", right)
    if earlier_wish(archive, wanted) is not None:
        return wanted  # the file's content shows what is wrong with sending it again
    if wanted.turn is not None:
        raise problem("", "this game has begun, and its seats have been drawn", "ask its host for a seat")
    if not free:
        raise problem("", "all seats of this game are taken", "ask its host for a seat")
    _check_seatless(wanted)
    if len(standing_wishes(archive, wanted.game)) >= len(free):
        right = "ask its host for a seat, in case one becomes free"
        raise problem("", f"as many people already want to play as there are open seats: {len(free)}", right)
    return wanted


def _check_seatless(wanted: Chair) -> None:
    """Raise `Problems` if the account already plays a seat of the game."""
    game, players = wanted.game, wanted.players
    own = [other for other in game.seats if player_in(game, other, players).account == wanted.account]
    if own:
        raise problem(
            "", f"your account plays {own[0]} here, and you can join only one seat", "ask the host if you want another"
        )


def earlier_request(archive: Archive, wanted: Chair) -> Joined | None:
    """The account's earlier request for this seat; None if it made none."""
    earlier = load_joined(archive, wanted.game).values() if wanted.taken else load_requests(archive, wanted.game)
    return next((joined for joined in earlier if (joined.seat, joined.account) == (wanted.seat, wanted.account)), None)


def earlier_wish(archive: Archive, wanted: Chair) -> Wish | None:
    """The account's earlier wish, as kept; None if it sent none."""
    kept = (kept.wish for kept in load_wishes(archive, wanted.game))
    return next((wish for wish in kept if wish.account == wanted.account), None)


def standing_wishes(archive: Archive, game: Game) -> list[Kept]:
    """The wishes that take part in the draw, by account: without those of people whom the host has since given a seat."""
    seated = {player_in(game, seat, None).account for seat in game.seats}
    return [kept for kept in load_wishes(archive, game) if kept.wish.account not in seated]


def draw_now(archive: Archive, game: Game, at: str | None) -> Draw | None:
    """Draw a game's open seats, if enough people want to play; otherwise return None.

    Raises `Problems` if the master secret behind the commitment to the draw is not available.
    """
    free = open_seats(game, begun=False)
    if game.data.join is not Joining.PREFERENCE or not free:
        return None
    wishes = standing_wishes(archive, game)
    return draw_seats(game.name, draw_secret(game), wishes, free, at) if len(wishes) >= len(free) else None


def read_request(wanted: Chair, text: Text) -> Asked:
    """Read and check a request for a seat; raises `Problems` with everything that is wrong in it."""
    said = decode(Asked, text)
    faults = []
    if said.seat != wanted.seat:
        faults.append(
            text.problem(("seat",), f"the seat is {said.seat!r:.60}", f"write {wanted.seat}, as the file's name says")
        )
    faults += _key_faults(wanted, said.key, text, {})
    if faults:
        raise Problems(faults)
    return said


def read_wish(archive: Archive, wanted: Chair, text: Text) -> Wished:
    """Read and check a wish for seats; raises `Problems` with everything that is wrong in it."""
    said, game = decode(Wished, text), wanted.game
    free = open_seats(game, wanted.players, begun=False)
    faults = []
    if not said.seats:
        what, right = "it names no seat", f"rank those you would like, best first: {', '.join(free)}"
        faults.append(text.problem(("seats",), what, right))
    for index, seat in enumerate(said.seats):
        place = ("seats", index)
        if seat not in game.seats:
            right = nearest(seat, game.seats) or "open seats: " + ", ".join(free)
            faults.append(text.problem(place, f"no seat is called {seat!r:.60}", right))
        elif seat not in free:
            faults.append(text.problem(place, f"{seat} is taken", "open seats: " + ", ".join(free)))
        elif seat in said.seats[:index]:
            faults.append(text.problem(place, f"{seat} is listed twice", "name each seat once"))
    others = {kept.wish.player: kept.wish.key for kept in load_wishes(archive, game)}
    faults += _key_faults(wanted, said.key, text, others)
    if faults:
        raise Problems(faults)
    return said


def _key_faults(wanted: Chair, key: str | None, text: Text, others: Mapping[str, str | None]) -> list[Problem]:
    """Faults in the key of somebody who joins; `others` are the keys of the other people who want to play."""
    if key is None:
        if wanted.game.ruleset.secrecy is None:
            return []
        right = "add `key:` with the public line of `courtly keygen`, which your private news will be sealed to"
        return [text.problem((), "the file has no key", right)]
    if fault := check_recipient(key):
        return [text.problem(("key",), fault, "use an age key (age1...) or an SSH key")]
    seats = {
        seat: player_in(wanted.game, seat, wanted.players).key for seat in wanted.game.seats if seat != wanted.seat
    }
    same = [name for name, other in {**others, **seats}.items() if other and canonical_key(other) == canonical_key(key)]
    return [text.problem(("key",), f"{same[0]} has the same key", "each seat needs its own key")] if same else []


LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})", re.ASCII)


def _name(wanted: Chair, login: str) -> str:
    return login if LOGIN.fullmatch(login) else f"account {wanted.account}"


def wish_text(wanted: Chair, said: Wished, login: str, at: str) -> bytes:
    """The file that intake writes for a wish: its content, and the account that GitHub names."""
    name = _name(wanted, login)
    wish = Wish(schema=SCHEMA, seats=said.seats, player=name, account=wanted.account, key=said.key, asked=at)
    head = "# Written by intake. It is not changed: the draw of the seats mixes it in.\n"
    return (head + write(encode(wish))).encode()


def joined_text(wanted: Chair, said: Asked, login: str, at: str) -> bytes:
    """The file that intake writes for a request for a seat: its content, and the account that GitHub names."""
    name = _name(wanted, login)
    joined = Joined(
        schema=SCHEMA, seat=wanted.seat, player=name, account=wanted.account, key=said.key, turn=wanted.turn, asked=at
    )
    return ("# Written by intake. It is not changed; a ruling `replace` gives a seat to another.\n"
            + write(encode(joined))).encode()  # fmt: skip


def open_seat_lines(archive: Archive, game: Game, players: Mapping[str, Player] | None, *, begun: bool) -> list[str]:
    """Lines for a host: a game's open seats, what it is waiting for, and each request for a seat with the line or ruling that grants it."""
    free = open_seats(game, players, begun=begun)
    if not free:
        return []
    lines = [f"{game.slug}: open seats: {', '.join(free)}" if begun else f"{game.slug}: {waits_for(game)}"]
    if game.data.join is Joining.PREFERENCE:
        wishes = [kept.wish.player for kept in standing_wishes(archive, game)]
        people = f" ({', '.join(wishes)})" if wishes else ""
        lines.append(
            f"{game.slug}: {len(wishes)} of {len(free)} wishes are in{people}; when all are, a run draws who gets which seat"
        )
    for request in load_requests(archive, game):
        if request.seat in free and all(
            player_in(game, seat, players).account != request.account for seat in game.seats
        ):
            person = f"player: {request.player}, account: {request.account}"
            person += f", key: {request.key}" if request.key else ""
            grant = (
                f"a ruling gives it: replace: {{seat: {request.seat}, {person}}}"
                if begun
                else f"this line of its game.yaml gives it: {request.seat}: {{{person}}}"
            )
            lines.append(f"{game.slug}: {request.player} asks for {request.seat} ({request.asked}); {grant}")
    return lines


def waits_for(game: Game) -> str:
    """The words that follow a game's name if it is waiting for people to join."""
    return (
        "is waiting for people to join before its first turn opens; "
        f"open seats: {', '.join(open_seats(game, begun=False))}"
    )
