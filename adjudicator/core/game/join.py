"""Joining: how people come to open seats by pull request, and what is kept of it.

Somebody who wants a seat sends `games/GAME/join/SEAT.yaml`, which names the seat and, if they like, a key. A file cannot prove
whose account it is: anybody can write any number. So intake does not put that file into the archive but one of its own, with
the account that GitHub names as the author of the pull request. Where the host lets the first who comes have a seat
(`join: first`), its name is `SEAT.yaml`, and the seat is taken; where the host is asked (`join: ask`), it is
`SEAT.ACCOUNT.yaml`, a mere request, and a seat may have several.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.game.archive import Archive, display, read_file
from adjudicator.core.game.game import SCHEMA, Asked, Game, Joined, Joining, Player, check_schema, seat_file
from adjudicator.core.secrets.age import canonical_key, check_recipient
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read, write

FOLDER = "join"
FILE = re.compile(r"([a-z0-9][a-z0-9-]{0,79})(?:\.([1-9][0-9]{0,17}))?\.yaml", re.ASCII)
MOST_REQUESTS = 50
"""How many requests for its seats a game keeps: then the host decides before others ask."""
JOINING = re.compile(rb"^join:\s*[\"']?(?:first|ask)\b", re.MULTILINE)


def may_join(archive: Archive, slug: str) -> bool:
    """Whether a running game takes people in by pull request; looked for in the bytes, because there may be many games."""
    path = f"{os.fspath(archive.game_folder(slug))}/game.yaml"
    if archive.has_ended(slug) or os.path.islink(path):  # noqa: PTH114 - a Path takes longer than the look
        return False
    try:
        with open(path, "rb") as file:
            return JOINING.search(file.read()) is not None
    except OSError:
        return False


def is_open(person: Player) -> bool:
    """Whether a seat is free to be joined: nobody is named in it, and no account."""
    return person.account is None and person.player == "open"


def player_in(game: Game, seat: str, players: Mapping[str, Player] | None) -> Player:
    """Who is in a seat now; `players` are those who were given seats during the game."""
    if players is not None and seat in players:
        return players[seat]
    return game.joined[seat].person if seat in game.joined else game.data.seats[seat]


def open_seats(game: Game, players: Mapping[str, Player] | None = None) -> tuple[str, ...]:
    """The seats of a game that can be joined, in its order."""
    if game.data.join is None:
        return ()
    return tuple(seat for seat in game.seats if is_open(player_in(game, seat, players)))


def gathers(game: Game) -> bool:
    """Whether a game waits for people before it opens: where something is hidden, every seat needs its key from the first."""
    return game.ruleset.secrecy is not None and bool(open_seats(game))


def load_joined(archive: Archive, game: Game) -> dict[str, Joined]:
    """Who took a seat of a game by joining, by seat; raises `Problems` for files that intake did not write."""
    return {joined.seat: joined for joined in _load_kept(archive, game, requests=False)}


def load_requests(archive: Archive, game: Game) -> list[Joined]:
    """Who asked for a seat of a game, in the order they asked; raises `Problems`."""
    return sorted(
        _load_kept(archive, game, requests=True), key=lambda request: (request.asked, request.seat, request.account)
    )


def _load_kept(archive: Archive, game: Game, *, requests: bool) -> list[Joined]:
    folder = archive.game_folder(game.slug) / FOLDER
    if folder.is_symlink():
        raise problem(display(folder, archive.root), "this is a link", "put the folder itself here")
    entries: list[tuple[Joined, bool]] = []
    faults: list[Problem] = []
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if path.name == "README.md":
            continue
        try:
            entries.append(_read_kept(game, read(read_file(path, archive.root), display(path, archive.root))))
        except Problems as error:
            faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return [joined for joined, request in entries if request is requests]


def _read_kept(game: Game, text: Text) -> tuple[Joined, bool]:
    """What one of intake's files says, and whether it is a request; raises `Problems`."""
    name = text.path.rpartition("/")[2]
    match = FILE.fullmatch(name)
    if match is None or match[1] not in map(seat_file, game.seats):
        files = [f"{seat_file(seat)}.yaml" for seat in game.seats]
        raise problem(text.path, "no seat of this game has a file of that name", nearest(name, files))
    check_schema(text)
    joined = decode(Joined, text)
    request = match[2] is not None
    if (match[1], match[2] or "") != (seat_file(joined.seat), str(joined.account) if request else ""):
        raise Problems([text.problem((), "the file has the name of another's", "restore its name, or what it says")])
    return joined, request


def joined_path(game: Game, seat: str, account: int | None) -> str:
    """The path of the file that keeps who took a seat, or which account asked for it."""
    number = f".{account}" if account is not None else ""
    return f"{game.home}/{FOLDER}/{seat_file(seat)}{number}.yaml"


@dataclass(frozen=True, slots=True)
class Chair:
    """An open seat that an account asks for, in the turn that is open (None: the game has not begun)."""

    game: Game
    seat: str
    account: int
    turn: str | None
    players: Mapping[str, Player] | None

    @property
    def taken(self) -> bool:
        """Whether whoever asks gets the seat at once."""
        return self.game.data.join is Joining.FIRST

    @property
    def path(self) -> str:
        """The path of the file that intake writes."""
        return joined_path(self.game, self.seat, None if self.taken else self.account)


def chair(
    archive: Archive, game: Game, name: str, account: int, turn: str | None, players: Mapping[str, Player] | None
) -> Chair:
    """The open seat that an account asks for by a file of this name; raises `Problems` when it cannot have it."""
    if game.data.join is None:
        raise problem("", "nobody joins this game by pull request", "ask its host for a seat")
    free = open_seats(game, players)
    seat = next((seat for seat in game.seats if f"{seat_file(seat)}.yaml" == name), None)
    if seat is None:
        right = "open seats: " + (", ".join(f"{seat_file(seat)}.yaml" for seat in free) or "none")
        raise problem("", "no seat of this game has a file of that name", right)
    wanted = Chair(game, seat, account, turn, players)
    if earlier_request(archive, wanted) is not None:
        return wanted  # asked for already; what is wrong with asking again is seen by what it says
    if game.ruleset.secrecy is not None and turn is not None:
        raise problem("", "this game has hidden information and has begun", "ask its host for a seat")
    if seat not in free:
        right = "open seats: " + (", ".join(free) or "none")
        raise problem("", f"{seat} is taken", right)
    own = [other for other in game.seats if player_in(game, other, players).account == account]
    if own:
        raise problem("", f"your account plays {own[0]} here, and joining gives it one seat", "the host can give more")
    if not wanted.taken:
        others = load_requests(archive, game)
        if any(request.account == account for request in others):
            raise problem("", "your account has asked for a seat of this game", "wait for the host's answer")
        if len(others) >= MOST_REQUESTS:
            raise problem("", f"{len(others)} people have asked for seats of this game", "ask its host")
    return wanted


def earlier_request(archive: Archive, wanted: Chair) -> Joined | None:
    """What is kept of this account's earlier request for this seat; None if it made none."""
    earlier = load_joined(archive, wanted.game).values() if wanted.taken else load_requests(archive, wanted.game)
    return next((joined for joined in earlier if (joined.seat, joined.account) == (wanted.seat, wanted.account)), None)


def read_request(wanted: Chair, text: Text) -> Asked:
    """A request for a seat, read and checked; raises `Problems` with everything that is wrong in it."""
    said = decode(Asked, text)
    faults = []
    if said.seat != wanted.seat:
        faults.append(text.problem(("seat",), f"the seat is {said.seat!r:.60}", f"this file asks for {wanted.seat}"))
    if said.key is None and wanted.game.ruleset.secrecy is not None:
        right = "add `key:` with the public line of `courtly keygen`, to which your private news are sealed"
        faults.append(text.problem((), "there is no key in it", right))
    elif said.key is not None:
        others = {
            seat: player_in(wanted.game, seat, wanted.players) for seat in wanted.game.seats if seat != wanted.seat
        }
        same = [
            seat
            for seat, player in others.items()
            if player.key and canonical_key(player.key) == canonical_key(said.key)
        ]
        if fault := check_recipient(said.key):
            faults.append(text.problem(("key",), fault, "an age key (age1...) or an SSH key"))
        elif same:
            faults.append(text.problem(("key",), f"{same[0]} has the same key", "each seat needs a key of its own"))
    if faults:
        raise Problems(faults)
    return said


LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})", re.ASCII)


def joined_text(wanted: Chair, said: Asked, login: str, at: str) -> bytes:
    """The file that intake keeps of a request for a seat: what it says, and the account that GitHub names."""
    name = login if LOGIN.fullmatch(login) else f"account {wanted.account}"
    joined = Joined(
        schema=SCHEMA, seat=wanted.seat, player=name, account=wanted.account, key=said.key, turn=wanted.turn, asked=at
    )
    return ("# Written by intake from a pull request. It is not changed; a ruling `replace` gives a seat to another.\n"
            + write(encode(joined))).encode()  # fmt: skip


def open_seat_lines(archive: Archive, game: Game, players: Mapping[str, Player] | None) -> list[str]:
    """Lines for a host: a game's open seats, and each request for one with the ruling that grants it."""
    free = open_seats(game, players)
    if not free:
        return []
    lines = [f"{game.slug}: open seats: {', '.join(free)}"]
    for request in load_requests(archive, game):
        if request.seat in free and all(
            player_in(game, seat, players).account != request.account for seat in game.seats
        ):
            gift = f"seat: {request.seat}, player: {request.player}, account: {request.account}"
            gift += f", key: {request.key}" if request.key else ""
            lines.append(
                f"{game.slug}: {request.player} asks for {request.seat} ({request.asked}); a ruling gives it: replace: {{{gift}}}"
            )
    return lines
