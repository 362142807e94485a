"""Seal sheets and open sealed files, for people at a terminal."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.core.contract.ahead import SEALED
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.files.places import read_named
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import LETTERS, Game, seat_file
from adjudicator.core.game.join import open_seats
from adjudicator.core.game.rulings import (
    HiddenCorrection,
    apply_unseen_decision,
    hide,
    hides,
    load_rulings,
    unseen_parts,
)
from adjudicator.core.secrets.age import MOST_RECIPIENTS, SEAL_AGAIN, canonical_key, encrypt, examine, recipient_of
from adjudicator.core.secrets.envelope import Envelope, envelope_text, new_nonce, open_own
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problem, Problems, nearest, problem, with_path
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read, write
from adjudicator.core.turn.ahead import shut_lists
from adjudicator.core.turn.aside import news_alone
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.files import view_in_news
from adjudicator.core.turn.judge import apply_rulings
from adjudicator.core.turn.keys import has_keys, keys_for, sheet_width
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text
from adjudicator.core.turn.press import published_key
from adjudicator.core.turn.sheets import (
    MOST_BYTES,
    MOST_SHEETS,
    by_seat,
    check_sheet,
    holder,
    sealed_attempt,
    sheet_name,
)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed sheet, and where it belongs."""

    seat: str
    turn: str
    number: int
    envelope: bytes
    """The content of the sealed file, for sealing with other tools; in a readable form if that is short enough."""
    body: bytes
    place: Path
    remarks: tuple[Problem, ...]
    """The remarks of `courtly check` on the sheet."""
    lies: Path | None
    """Path of the open sheet, if it is in the folder that sheets are sent from, where `git add` would publish it."""

    @property
    def digest(self) -> str:
        """SHA-256 of the file, as named in receipts."""
        return hashlib.sha256(self.body).hexdigest()

    def write(self, archive: Archive, target: Path) -> None:
        """Write the file; raises `Problems` if there is one with that name."""
        files, path = archive.file_named(target)
        if files.exists(path):
            raise problem(str(target), "there is already a file with that name", "choose another name with -o")
        files.make(path.parent)
        files.write(path, self.body)

    def put_away(self, archive: Archive) -> Path | None:
        """Move the open sheet to a folder that git ignores, where it is not taken for a second sheet; returns its new path.

        Returns None if the sheet is not in the folder that sheets are sent from; it then stays where it is.
        """
        if self.lies is None:
            return None
        away = archive.root / OPEN_SHEETS
        folder = archive.files.make(away.joinpath(*archive.inside(self.place)[:2]))
        archive.files.write(away / ".gitignore", b"*\n")  # git ignores the folder, including this file
        number = self.number
        while archive.files.exists(target := folder / sheet_name(self.seat, number)):
            number += 1
        archive.files.move(self.lies, target)
        return target


OPEN_SHEETS = "open-sheets"
"""The folder beside `games/` that takes open sheets after sealing."""


def seal_sheet(
    archive: Archive,
    sheet: Path,
    *,
    game: str | None,
    seat: str | None,
    turn: str | None,
    readers: Iterable[str],
    binary: bool = False,
) -> Sealed:
    """Seal a sheet to its turn's key; raises `Problems` if the sheet cannot be read, but not for illegal orders."""
    absolute = Path(os.path.abspath(sheet))  # noqa: PTH100  # takes `..` out; `resolve` would follow links
    parts = archive.inside(absolute)
    sent_from_there = len(parts) == 4 and parts[2] == "orders"
    if sent_from_there:
        game, turn = game or parts[0], turn or parts[1]
    if game is None:
        right = "name it with --game, or put the sheet into games/GAME/TURN/orders/"
        raise problem(str(sheet), "nothing shows which game this sheet is for", right)
    loaded = load_game(archive, game)
    names = archive.turns(game)
    if not names:
        raise problem(loaded.home, "the game has no turn yet", "wait until the first opens")
    if turn is not None and turn not in names:
        raise problem(loaded.home, f"there is no turn {turn!r:.60}", nearest(turn, names))
    here = load_turn(archive, loaded, turn or names[-1])
    if here.data.status != "open":
        raise problem(display(here.folder, archive.root), "this turn has been judged", "seal a sheet for the open turn")
    if here.data.seal is None:
        raise problem(loaded.home, "this game is not sealed", "send the sheet as it is, ending in .yaml")
    whose = seat_named(loaded, seat or sheet.name.partition(".")[0], str(sheet))
    shown = str(sheet)
    text = read(archive.read(absolute), shown)
    decoded = loaded.ruleset.read_sheet(here.data.position, whose, text)
    remarks = check_sheet(loaded, here.data, whose, text)
    # The sheet to be sealed may itself be where open sheets are sent from: do not count it.
    sent = (file.number for file, path in by_seat(archive, here)[0].get(whose, ()) if path != absolute)
    number = 1 + max(sent, default=0)
    if whose in open_seats(loaded, here.data.players, begun=True):
        raise problem(shown, f"{whose} is an open seat", "take it first, as the game's page explains, and pull")
    if number > MOST_SHEETS:
        raise problem(shown, f"{whose} has sent {MOST_SHEETS} sheets this turn", "that is the limit; ask the host")
    plain = text.data if isinstance(text.data, dict) else {}
    fitted = loaded.ruleset.fit_sheet(here.data.position, whose, text).data
    with with_path(shown):
        inner = shut_lists(
            here.data.seal, here.name, whose, fitted if isinstance(fitted, dict) else {}, decoded, loaded.ruleset.ahead
        )
    said = Envelope(
        archive=loaded.archive,
        game=loaded.name,
        turn=here.name,
        attempt=sealed_attempt(here.data),
        seat=whose,
        account=holder(loaded, here.data, whose).account,
        sequence=number,
        nonce=new_nonce(),
        # As the player wrote it: even a default value may have a meaning. `draw: false`, for example, withdraws a standing vote.
        sheet=inner if SEALED in inner else plain,
    )
    lengths = sheet_width(loaded, here.data)
    with with_path(shown):
        inside, envelope = envelope_text(said, lengths), envelope_text(said, lengths, readable=True)
    keys = [here.data.seal.recipient, *readers]
    if len(keys) > MOST_RECIPIENTS:
        raise problem(
            "--for", f"{len(keys) - 1} keys are too many", f"name at most {MOST_RECIPIENTS - 1} besides the turn's key"
        )
    body = encrypt(inside, keys, armored=not binary)
    if len(body) > MOST_BYTES:
        raise problem(shown, f"sealed, the sheet has {len(body)} bytes", f"at most {MOST_BYTES} are allowed")
    try:
        examine(body, shown)
    except Problems:  # long keys, such as RSA's, fill the header before there are too many of them
        raise problem(
            "--for", "taken together, these keys are too long", "name fewer readers, or use age keys"
        ) from None
    target = here.folder / "orders" / sheet_name(whose, number, sealed=True)
    return Sealed(whose, here.name, number, envelope, body, target, remarks, absolute if sent_from_there else None)


def seal_rulings(archive: Archive, path: Path) -> int:
    """Seal, in an open turn's `ruling.yaml`, the corrections and decisions that the public may not know; returns their number.

    Raises `Problems`; if the master secret is available, also for a ruling that cannot be applied.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100  # as in `seal_sheet`
    shown = display(absolute, archive.root)
    parts = archive.inside(absolute)
    slug, name, file = parts if len(parts) == 3 else ("", "", "")
    if file != "ruling.yaml":
        raise problem(shown, "a ruling does not belong here", "rulings go to games/GAME/TURN/ruling.yaml")
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    if turn.data.status != "open" or turn.data.seal is None:
        raise problem(
            shown,
            "this turn has been judged, or its game is not sealed",
            "seal rulings in the open turn of a sealed game",
        )
    text = ruling_text(archive, turn)
    rulings, plain = load_rulings(game, text), text.data
    whole = load_all(archive, turn) if has_keys(game, turn.data) else None
    assert isinstance(plain, dict)
    written = plain["rulings"]
    assert isinstance(written, list)
    count = 0
    for index, ruling in enumerate(rulings[len(turn.data.rulings) :], len(turn.data.rulings)):
        unseen = hides(game, ruling)
        if whole is not None and unseen:
            position = apply_unseen_decision(game, whole.position, ruling, text, ("rulings", index, "decide"))
            whole = replace(whole, rulings=(*whole.rulings, ruling), position=position)
        elif whole is not None:
            whole = apply_rulings(game, whole, [ruling], text)
        if unseen or unseen_parts(game, turn.data.position, ruling.correct or {}):
            inside = HiddenCorrection(
                archive=game.archive,
                game=game.name,
                turn=name,
                attempt=turn.data.attempt or 1,
                correct=ruling.correct or {},
                decide=ruling.decide,
            )
            written[index] = {"reason": ruling.reason, "hidden": hide(inside, turn.data.seal.recipient)}
            count += 1
    if count:
        archive.files.write(absolute, write(plain).encode())
    return count


def seat_named(game: Game, name: str, where: str) -> str:
    """The seat of a game that somebody named, in any spelling of its file. Raises `Problems`, placed at `where`."""
    by_file = {seat_file(seat): seat for seat in game.seats}
    named = by_file.get(seat_file(name))
    if named is None:
        right = nearest(name, game.seats) or "name it with --seat: " + ", ".join(game.seats)
        raise problem(where, f"no seat is called {name!r:.60}", right)
    return named


def seat_map(archive: Archive, slug: str, name: str, seat: str, identity: Path | None) -> bytes:
    """A seat's map at the opening of a turn, drawn from the seat's dispatch; raises `Problems`.

    Without the seat's key it is drawn from the turn's complete data, which are published when the game is over.
    """
    game = load_game(archive, slug)
    whose = seat_named(game, seat, "--seat")
    if identity is None:
        names = archive.turns(slug)
        data = load_all(archive, load_turn(archive, game, name))
        at = names.index(name)
        before = load_all(archive, load_turn(archive, game, names[at - 1])).events if at else ()
        view = game.ruleset.view(data.position, whose)
        heard = game.ruleset.heard(before, whose)
        return game.ruleset.pictures.picture(view, Resolution(view, (), heard, None)).svg.encode()
    turn = load_turn(archive, game, name)
    position, events = _read_dispatch(archive, turn, _dispatch(archive, turn, whose, identity))
    return game.ruleset.pictures.picture(position, Resolution(position, (), events, None)).svg.encode()


def _dispatch(archive: Archive, turn: Turn, seat: str, identity: Path | None) -> Text:
    """The text of a seat's dispatch; raises `Problems` if it is missing, sealed to another key, or was replaced."""
    path = turn.folder / "dispatches" / f"{seat_file(seat)}.age"
    shown = display(path, archive.root)
    if not archive.files.is_file(path):
        raise problem(shown, "there is no dispatch", "only games with hidden information have any")
    body = open_file(archive, path, identity)
    if fault := other_news(turn, seat, body, shown):
        raise Problems([fault])
    return read(body, shown, limit=OWN_LIMIT)


def other_news(turn: Turn, seat: str, body: bytes, shown: str) -> Problem | None:
    """A problem if a dispatch does not match the digest in its turn's file; None if it does, or if the turn has no digests (format 1)."""
    if turn.data.dispatches is None or turn.data.dispatches.get(seat) == hashlib.sha256(body).hexdigest():
        return None
    right = "restore it and turn.yaml from the history, and tell the host: one of them was replaced"
    return Problem(shown, 0, 0, f"this is not the dispatch that {seat} got: turn.yaml has a different digest", right)


def own_dispatches(archive: Archive, games: Iterable[str], identity: Path) -> tuple[int, list[Problem]]:
    """Number of dispatches that a player's key opens and that match their digest in `turn.yaml`, and the problems with the rest (FS-13).

    After the first turn with a dispatch for the key's seat, any turn without one is a problem, unless a ruling gave the seat to another
    player. Format 1 has no digests; its dispatches are not counted.
    """
    key = key_in(identity)
    count = 0
    faults: list[Problem] = []
    for slug in games:
        game = load_game(archive, slug)
        turns = (
            [load_turn(archive, game, name) for name in archive.turns(slug)] if game.ruleset.secrecy is not None else []
        )
        turns = [turn for turn in turns if turn.data.seal is not None and turn.data.seal.format is not None]
        own = {
            turn.name: [seat for seat in turn.data.dispatches or () if _is_theirs(archive, turn, seat, key)]
            for turn in turns
        }
        seats = {seat for held in own.values() for seat in held}
        given = {ruling.replace.seat for turn in turns for ruling in turn.data.rulings if ruling.replace is not None}
        told = [at for at, turn in enumerate(turns) if own[turn.name]]
        for turn in turns[told[0] :] if told else ():
            for seat in own[turn.name]:
                try:
                    _dispatch(archive, turn, seat, identity)
                    count += 1
                except Problems as error:
                    faults.extend(error.problems)
            if not own[turn.name] and not seats & given:
                where = f"{display(turn.folder, archive.root)}/turn.yaml"
                right = "restore the file from the history, and tell the host: it was changed"
                what = (
                    f"it names no dispatch that is sealed to your key, although there is one in {turns[told[0]].name}"
                )
                faults.append(Problem(where, 0, 0, what, right))
    if not count and not faults:
        right = "name your own key's file, and a game with hidden information in which you have a seat"
        faults.append(Problem(str(identity), 0, 0, "no dispatch here is sealed to this key", right))
    return count, faults


def key_in(identity: Path) -> str:
    """The text of the file that holds a player's key; raises `Problems` if the file does not exist."""
    try:
        return read_named(identity, follow=True).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise problem(str(identity), "there is no such file", "name the file that holds your key") from None


def _is_theirs(archive: Archive, turn: Turn, seat: str, key: str) -> bool:
    """True if a seat's dispatches are sealed to this key; an SSH key is tried on the seat's dispatch of this turn."""
    person = holder(turn.game, turn.data, seat)
    if "PRIVATE KEY-----" not in key:
        return person.key is not None and canonical_key(person.key) == recipient_of(key)
    path = turn.folder / "dispatches" / f"{seat_file(seat)}.age"
    try:
        open_own(archive.files.read(path), [key], str(path))
    except (Problems, OSError):
        return False
    return True


def _read_dispatch(archive: Archive, turn: Turn, text: Text) -> tuple[Any, tuple[Any, ...]]:
    """A dispatch's view, and the facts that its seat heard about the previous turn, both completed with public knowledge."""
    game, plain, view = turn.game, text.data if isinstance(text.data, dict) else {}, view_in_news(turn, text)
    told = plain.get("events")
    facts = replace(text.under("events"), data=told or [])
    heard = decode(tuple[game.ruleset.types.event, ...], facts)  # type: ignore[name-defined]
    if "salt" not in plain:
        return view, heard
    names = archive.turns(game.slug)
    at = names.index(turn.name)
    public = load_turn(archive, game, names[at - 1]).data.events if at else ()
    open_to_all = game.ruleset.heard(public, None)
    return view, (*open_to_all, *heard)


def seat_view(archive: Archive, turn: Turn, seat: str, identity: Path) -> Any:
    """A seat's view of an open turn, from the seat's dispatch; raises `Problems`."""
    return _read_dispatch(archive, turn, _dispatch(archive, turn, seat, identity))[0]


def open_file(archive: Archive, path: Path, identity: Path | None) -> bytes:
    """Open a sealed file with the given key, or else with the key of its turn, and return its content; raises `Problems`.

    The content of a dispatch is the news, without the aside for the order desk.
    """
    body = _open_whole(archive, path, identity)
    return news_alone(body) if path.parent.name == "dispatches" else body


def _open_letter(archive: Archive, path: Path, source: bytes, shown: str) -> bytes:
    """Open a letter with its game's key, which is published when the game is over."""
    parts = archive.inside(path)
    key = published_key(archive, load_game(archive, parts[0])) if parts else None
    if key is None:
        right = (
            "letters open when the game is over; your own key's file opens it with -i if you sealed it to your key too"
        )
        raise problem(shown, "the key of this game's letters is not published yet", right)
    return open_own(source, [key], shown)


def _open_whole(archive: Archive, path: Path, identity: Path | None) -> bytes:
    absolute = archive.found(Path(os.path.abspath(path)))  # noqa: PTH100  # as in `seal_sheet`
    source = archive.read(absolute, own=True)
    if identity is not None:
        news = "name another key's file; news is sealed to the key that game.yaml has for its seat"
        right = news if path.parent.name == "dispatches" else SEAL_AGAIN
        return open_own(source, [key_in(identity)], str(path), right)
    if absolute.parent.name == LETTERS:
        return _open_letter(archive, absolute, source, str(path))
    try:
        slug, name, *_ = archive.inside(absolute)
        game = load_game(archive, slug)
        turn: Turn = load_turn(archive, game, name)
        keys = keys_for(game, name, turn.data)
    except (ValueError, Problems):
        keys = None
    if keys is None or keys.identity is None:
        raise problem(str(path), "its key is not published yet", "name your own key's file with -i")
    return open_own(source, [keys.identity], str(path))
