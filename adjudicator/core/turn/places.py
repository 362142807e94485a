"""What is read of a game's folders: everything else is named, and what looks like it and is not it is a fault."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from adjudicator.core.game.archive import OVER, UNDONE, Archive, display
from adjudicator.core.game.draw import FOLDER
from adjudicator.core.game.game import KEPT, Game, seat_file
from adjudicator.core.text.problems import Problem
from adjudicator.core.turn.sheets import read_name
from adjudicator.core.turn.unopened import NAME

TURN_FILES = frozenset({"turn.yaml", "map.svg", "orders", "ruling.yaml", "secret.age", "dispatches", NAME})
"""What is read of a turn's folder."""
GAME_FILES = frozenset({"game.yaml", "ending.yaml", "map.svg", UNDONE, FOLDER, KEPT})
"""What is read of a game's folder, beside its turns and the host's own files."""
BESIDE = frozenset({"archive.yaml", OVER})
"""What lies beside the games' folders."""


def places(archive: Archive, game: Game, turns: Sequence[str]) -> Iterator[tuple[Path, set[str]]]:
    """The folders of a game that are read, each with the names that are read there, at every depth (RT-12)."""
    folder, undone = archive.game_folder(game.slug), archive.undone(game.slug)
    yield folder, {*turns, *game.files, *GAME_FILES}
    yield folder / KEPT, {*game.begun_with}
    yield folder / UNDONE, {path.name for _, path in undone}
    told = {f"{seat_file(seat)}.age" for seat in game.seats}
    for turn in (*(folder / name for name in turns), *(path for _, path in undone)):
        yield turn, {*TURN_FILES}
        yield turn / "dispatches", told
        sheets = archive.files.paths(turn / "orders")
        yield turn / "orders", {path.name for path in sheets if read_name(game, path.name) is not None}


def unread(archive: Archive, folder: Path, known: set[str], right: str) -> Iterator[Problem]:
    """What lies in a folder and is not read, names with a dot before them too (RT-12)."""
    for path in archive.files.paths(folder):
        if path.name not in known and path.name != "README.md":
            yield Problem(display(path, archive.root), 0, 0, "nothing reads this", right, "warning")


def folded(name: str) -> str:
    """A name as file systems that fold names take it: case, composed letters, dots and spaces at the end."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).rstrip(" .")


def look_alikes(archive: Archive, folder: Path, known: set[str]) -> Iterator[Problem]:
    """Names that are not read, and that some machine takes for one that is: a clone there has one of the two (RT-14)."""
    alike = {folded(name): name for name in sorted(known)}
    for path in archive.files.paths(folder):
        if path.name not in known and (name := alike.get(folded(path.name))) is not None:
            what = f"some machines take this for {name!r:.60}, and have the one or the other"
            yield Problem(display(path, archive.root), 0, 0, what, "remove it, or give it another name")
