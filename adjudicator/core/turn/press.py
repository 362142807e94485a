"""Letters that players seal for after the game: `letters/SEAT.yaml.age` in the game's folder, and `letters.yaml`, which opens them.

A letter tells readers what no order sheet shows: why somebody did what they did. It is sealed to a key of the game itself, because the
keys of turns may be published while the game is still running. `letters:` in game.yaml shows that key's public half from the beginning.
The run that ends the game publishes the other half in `letters.yaml`, so from then on everybody can open every letter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.contract.words import many
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import LETTERS, LETTERS_KEY, SCHEMA, Game, check_schema, seat_file
from adjudicator.core.secrets.age import decrypt, examine, recipient_of
from adjudicator.core.secrets.envelope import Width, unpack
from adjudicator.core.secrets.masters import FILE_VARIABLE, VARIABLE, Masters, turn_identity
from adjudicator.core.text.codec import Whole, decode, encode, record
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import LIMIT, read, write
from adjudicator.core.turn.sheets import SheetFile, read_name

PURPOSE = "letters"
"""The purpose that the key of a game's letters is derived for. A turn's key is derived for the turn's name, and no turn has this name."""
WIDTH = Width(3072, 3072, 3072, packs=True)
"""The length of every sealed letter in bytes, so that a letter’s file does not show how long the letter is. It fits into a link to the forge."""
MOST_CHARACTERS = 3000
"""Maximum number of characters in a letter, the ends of its paragraphs included."""
MOST_LETTERS = 99
"""Maximum number of letters that a seat can send in a game."""
SEAL_AGAIN = "seal it again with the key in `letters:` of game.yaml"
RIGHT = "letters go to games/GAME/letters/SEAT.yaml.age, in small letters"


@record
class Letter:
    """The contents of a sealed letter."""

    archive: str
    game: str
    turn: str
    """The turn that it was written in, and beside which readers find it."""
    seat: str
    sequence: Whole
    """1 for a seat's first letter in the game, as in the file's name."""
    letter: tuple[str, ...]
    """Its paragraphs."""


@record
class LettersKey:
    """`letters.yaml` as it is written when the game is over."""

    schema: int
    identity: str
    """The age identity that opens the game's letters: `AGE-SECRET-KEY-1...`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A letter of a game that is over; `letter` is None if it cannot be read, and `fault` says why."""

    seat: str
    number: int
    letter: Letter | None
    fault: str = ""


def key_of_letters(masters: Masters, archive: str, game: str, own: str, recipient: str | None = None) -> str | None:
    """The identity that opens a game's letters, from the master secret that matches `recipient`, or from the newest if that is None.

    `archive` and `game` are the names under which the game was opened, and `own` is its random id. None if no secret here matches.
    """
    made = (turn_identity(master, archive, game, PURPOSE, own) for master in masters.secrets)
    return next((one for one in made if recipient is None or recipient_of(one) == recipient), None)


def identity_for(game: Game) -> str:
    """The identity that opens a game's letters; raises `Problems` if the master secret behind it is not available."""
    identity = key_of_letters(game.masters, game.archive, game.name, game.data.id or "", game.data.letters)
    if identity is None:
        what = "the master secret behind the key in `letters:` is not here"
        right = f"give it in {VARIABLE} or {FILE_VARIABLE}; if somebody changed `letters:`, restore it from the history"
        raise Problems([game.text.problem(("letters",), what, right)])
    return identity


def key_text(identity: str) -> bytes:
    """The bytes of `letters.yaml`."""
    head = "# The game is over: this key opens every file in letters/.\n"
    return (head + write(encode(LettersKey(schema=SCHEMA, identity=identity)))).encode()


def published_key(archive: Archive, game: Game) -> str | None:
    """The identity in a game's `letters.yaml`; None if there is no such file. Raises `Problems` if it is not the game's."""
    path = archive.game_folder(game.slug) / LETTERS_KEY
    if not archive.files.exists(path):
        return None
    text = read(archive.read(path), display(path, archive.root))
    check_schema(text)
    identity = decode(LettersKey, text).identity
    try:
        same = recipient_of(identity) == game.data.letters
    except Problems:
        same = False
    if not same:
        what = "this is not the key that the game's letters are sealed to"
        raise Problems([text.problem(("identity",), what, "restore this file, or `letters:` in game.yaml")])
    return identity


def letter_files(archive: Archive, game: Game) -> tuple[dict[str, list[tuple[SheetFile, Path]]], list[Problem]]:
    """The letters of a game by seat, first to last, and a problem for each other file in their folder."""
    folder = archive.game_folder(game.slug) / LETTERS
    if archive.files.is_link(folder) or archive.files.is_file(folder):
        what = "this is a link" if archive.files.is_link(folder) else "this is not a folder"
        raise problem(display(folder, archive.root), what, "put the folder itself here")
    found: dict[str, list[tuple[SheetFile, Path]]] = {}
    faults: list[Problem] = []
    for path in archive.files.paths(folder) if archive.files.is_folder(folder) else ():
        if path.name.startswith(".") or path.name == "README.md":
            continue
        file = read_name(game, path.name)
        if file is None or not file.sealed:
            faults.append(Problem(display(path, archive.root), 0, 0, "this is not a letter of this game", RIGHT))
        else:
            found.setdefault(file.seat, []).append((file, path))
    for files in found.values():
        files.sort(key=lambda one: one[0].number)
    return found, faults


def last_number(archive: Archive, game: Game, seat: str) -> int:
    """The number of a seat's latest letter; 0 before the first."""
    files = letter_files(archive, game)[0].get(seat)
    return files[-1][0].number if files else 0


def shape_faults(source: bytes, path: str) -> tuple[Problem, ...]:
    """Faults in a sealed letter that are visible without opening it; raises `Problems` if it is not an age file."""
    shape = examine(source, path)
    if not WIDTH.holds(shape.length):
        right = f"pad it to {WIDTH.least} bytes, as all letters, so that its length tells nothing"
        return (Problem(path, 0, 0, f"the sealed text has {shape.length} bytes", right),)
    if "X25519" not in shape.recipients:
        return (Problem(path, 0, 0, "it is not sealed to the key of this game's letters", SEAL_AGAIN),)
    return ()


def paragraphs_of(text: str) -> tuple[str, ...]:
    """The paragraphs of a plain text: parts between empty lines, each as one line."""
    parts = (" ".join(part.split()) for part in "\n".join(line.strip() for line in text.splitlines()).split("\n\n"))
    return tuple(part for part in parts if part)


def letter_faults(letter: Letter) -> str:
    """The fault in a letter's text; empty if there is none."""
    count = len("\n".join(letter.letter))
    if not any(part.strip() for part in letter.letter):
        return "the letter is empty"
    if count > MOST_CHARACTERS:
        return f"the letter has {many(count, 'character')}, but at most {MOST_CHARACTERS} are allowed"
    return ""


def letter_text(letter: Letter) -> bytes:
    """A letter's text at the length of all letters, ready to be sealed; raises `Problems` if it is too long."""
    try:
        return WIDTH.pad_text(write(encode(letter)).encode())
    except Problems:
        what = f"even compressed, the letter has more than {WIDTH.most} bytes"
        raise problem("", what, "cut it into two letters; some scripts need more bytes than others") from None


def open_letter(source: bytes, identity: str, path: str, game: Game, file: SheetFile, turns: Collection[str]) -> Letter:
    """Open one letter; raises `Problems` unless it was sealed for this game, seat and number, in one of these turns."""
    body = decrypt(source, [identity], path, SEAL_AGAIN)
    if not WIDTH.holds(len(body)):
        raise problem(path, f"the sealed text has {len(body)} bytes", SEAL_AGAIN)
    letter = decode(Letter, read(unpack(body, path, LIMIT), path, limit=LIMIT))
    own = {"archive": game.archive, "game": game.name, "seat": file.seat, "sequence": file.number}
    for name, right in own.items():
        if getattr(letter, name) != right:
            raise problem(
                path, f"sealed for another {name}: {getattr(letter, name)!r:.80}", f"here it is {right!r:.80}"
            )
    if letter.turn not in turns:
        raise problem(path, f"it names a turn that the game never had: {letter.turn!r:.80}", "")
    if fault := letter_faults(letter):
        raise problem(path, fault, "")
    return letter


def open_letters(archive: Archive, game: Game) -> tuple[Opened, ...]:
    """Every letter of a game whose key is published, by seat and number; empty while it is not. Raises `Problems` for a wrong key."""
    identity = published_key(archive, game) if game.data.letters is not None else None
    if identity is None:
        return ()
    # A turn that was put back may never have been reached again, and what was written about it still counts.
    turns = {*archive.turns(game.slug), *(name for name, _ in archive.undone(game.slug))}
    opened: list[Opened] = []
    for seat, files in sorted(letter_files(archive, game)[0].items(), key=lambda one: game.seats.index(one[0])):
        for file, path in files:
            try:
                made = open_letter(archive.read(path), identity, display(path, archive.root), game, file, turns)
                opened.append(Opened(seat, file.number, made))
            except Problems as error:
                opened.append(Opened(seat, file.number, None, error.problems[0].what))
    return tuple(opened)


def letter_names(game: Game, names: Sequence[str]) -> set[str]:
    """Those of the names in a game's folder of letters that are read."""
    return {name for name in names if (file := read_name(game, name)) is not None and file.sealed}


def letter_path(game: Game, seat: str, number: int) -> str:
    """The path of a seat's letter in the archive."""
    return f"{game.home}/{LETTERS}/{seat_file(seat)}" + (f".{number}" if number > 1 else "") + ".yaml.age"
