"""Seal a letter that a player writes for after the game."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.join import open_seats
from adjudicator.core.jobs.seal import seat_named
from adjudicator.core.secrets.age import MOST_RECIPIENTS, encrypt
from adjudicator.core.text.problems import Problem, Problems, nearest, problem, with_path
from adjudicator.core.text.unseen import unseen, what
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.press import (
    MOST_LETTERS,
    Letter,
    last_number,
    letter_faults,
    letter_path,
    letter_text,
    paragraphs_of,
)
from adjudicator.core.turn.sheets import MOST_BYTES


@dataclass(frozen=True, slots=True)
class SealedLetter:
    """A sealed letter: whose it is, the turn that it is about, and the file to send."""

    seat: str
    turn: str
    number: int
    body: bytes
    path: str
    """Where it belongs in the archive."""

    @property
    def digest(self) -> str:
        """SHA-256 of the file, as its receipt names it."""
        return hashlib.sha256(self.body).hexdigest()


def seal_letter(
    archive: Archive, file: Path, *, game: str, seat: str, turn: str | None = None, readers: Iterable[str] = ()
) -> SealedLetter:
    """Seal the text in a file as a seat's next letter about a turn, by default the newest. Raises `Problems` if it cannot be sent."""
    loaded = load_game(archive, game)
    letters = loaded.data.letters
    if letters is None:
        right = "the host decides that when the game is made, with `courtly new --letters`"
        raise problem(loaded.home, "this game takes no letters", right)
    if archive.has_ended(game):
        raise problem(loaded.home, "the game is over, and its letters are open", "tell your story anywhere you like")
    names = archive.turns(game)
    if not names:
        raise problem(loaded.home, "the game has no turn yet", "write when the first is open")
    if turn is not None and turn not in names:
        raise problem(loaded.home, f"there is no turn {turn!r:.60}", nearest(turn, names))
    whose = seat_named(loaded, seat, "--seat")
    players = load_turn(archive, loaded, names[-1]).data.players
    if whose in open_seats(loaded, players, begun=True):
        raise problem("--seat", f"{whose} is an open seat", "take it first, as the game's page explains, and pull")
    number = 1 + last_number(archive, loaded, whose)
    if number > MOST_LETTERS:
        raise problem("--seat", f"{whose} has sent {MOST_LETTERS} letters in this game", "that is the limit")
    shown = str(file)
    made = Letter(
        archive=loaded.archive,
        game=loaded.name,
        turn=turn or names[-1],
        seat=whose,
        sequence=number,
        letter=paragraphs_of(_text_of(archive, file)),
    )
    if fault := letter_faults(made):
        raise problem(shown, fault, "write something, or cut it into two letters")
    keys = [letters, *readers]
    if len(keys) > MOST_RECIPIENTS:
        raise problem("--for", f"{len(keys) - 1} keys are too many", f"name at most {MOST_RECIPIENTS - 1}")
    with with_path(shown):
        inside = letter_text(made)
    body = encrypt(inside, keys, armored=True)
    if len(body) > MOST_BYTES:
        raise problem("--for", "taken together, these keys are too long", "name fewer readers, or use age keys")
    return SealedLetter(whose, made.turn, number, body, letter_path(loaded, whose, number))


def _text_of(archive: Archive, file: Path) -> str:
    """The text in a file; raises `Problems` with the place of each character that nobody can see, as for sheets."""
    shown = str(file)
    try:
        text = archive.read(Path(os.path.abspath(file))).decode()  # noqa: PTH100  # `resolve` would follow links
    except UnicodeDecodeError:
        raise problem(shown, "the letter is not UTF-8 text", "save it as UTF-8") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    faults = [
        Problem(shown, at, line.index(char) + 1, f"there is {what(char)}", "remove it: readers could not see it")
        for at, line in enumerate(text.split("\n"), 1)
        for char in sorted(unseen(line))
    ]
    if faults:
        raise Problems(faults)
    return text
