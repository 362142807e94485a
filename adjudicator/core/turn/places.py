"""The files that are read in a game's folders. Others are reported; look-alikes of a file that is read are faults."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from adjudicator.core.game.absence import FOLDER as ABSENCES
from adjudicator.core.game.archive import OVER, UNDONE, Archive, display, folded
from adjudicator.core.game.draw import FOLDER
from adjudicator.core.game.game import KEPT, LETTERS, LETTERS_KEY, Game, seat_file
from adjudicator.core.text.problems import Problem
from adjudicator.core.turn.press import letter_names
from adjudicator.core.turn.sheets import read_name
from adjudicator.core.turn.unopened import NAME

TURN_FILES = frozenset({"turn.yaml", "map.svg", "orders", "ruling.yaml", "secret.age", "dispatches", NAME})
"""Names that are read in a turn's folder."""
GAME_FILES = frozenset({"game.yaml", "ending.yaml", "map.svg", UNDONE, FOLDER, ABSENCES, KEPT, LETTERS, LETTERS_KEY})
"""Names that are read in a game's folder, besides its turns and the host's files."""
BESIDE = frozenset({"archive.yaml", OVER})
"""Names that are read beside the games' folders."""


def places(archive: Archive, game: Game, turns: Sequence[str]) -> Iterator[tuple[Path, Collection[str], set[str]]]:
    """The folders of a game that are read, at every depth (RT-12): each with its contents and the names that are read there."""
    folder, undone = archive.game_folder(game.slug), archive.undone(game.slug)
    listed = archive.files.listed
    here = listed(folder)
    none = {LETTERS, LETTERS_KEY} if game.data.letters is None else set()
    yield folder, here, {*turns, *game.files, *GAME_FILES} - none
    if LETTERS in here and not none:
        there = listed(folder / LETTERS)
        yield folder / LETTERS, there, letter_names(game, sorted(there))
    if KEPT in here:
        yield folder / KEPT, listed(folder / KEPT), {*game.begun_with}
    if UNDONE in here:
        yield folder / UNDONE, listed(folder / UNDONE), {path.name for _, path in undone}
    told = {f"{seat_file(seat)}.age" for seat in game.seats}
    for turn in (*(folder / name for name in turns), *(path for _, path in undone)):
        there = listed(turn)
        yield turn, there, {*TURN_FILES}
        if "dispatches" in there:
            yield turn / "dispatches", listed(turn / "dispatches"), told
        if "orders" in there:
            sheets = listed(turn / "orders")
            yield turn / "orders", sheets, {name for name in sheets if read_name(game, name) is not None}


def unread(archive: Archive, folder: Path, there: Collection[str], known: set[str], right: str) -> Iterator[Problem]:
    """Warnings for the files in a folder that nothing reads, including names that begin with a dot (RT-12)."""
    for name in there:
        if name not in known and name != "README.md":
            yield Problem(display(folder / name, archive.root), 0, 0, "nothing reads this", right, "warning")


def look_alikes(archive: Archive, folder: Path, there: Collection[str], known: set[str]) -> Iterator[Problem]:
    """Problems for unread names that some machines cannot tell from one that is read. A clone there keeps only one of the two (RT-14)."""
    alike = {folded(name): name for name in sorted(known)}
    for found in there:
        if found not in known and (name := alike.get(folded(found))) is not None:
            what = f"some machines cannot tell this from {name!r:.60}, and keep only one of the two"
            yield Problem(display(folder / found, archive.root), 0, 0, what, "remove it, or give it another name")
