"""Rename games, put them away when they are over, and move them to other archives. Keys, dice and sealed sheets keep the original names.

Each of these operations moves a game's folder in one step. At most it also changes two lines of game.yaml, `named:` and `archive:`, which
hold the names that the game was opened under. If a process is killed in between, such a line may only repeat what is true without it,
which does no harm.
"""

from __future__ import annotations

import re
from pathlib import Path

from adjudicator.core.files.floor import UNFINISHED
from adjudicator.core.game.archive import (
    NAMED,
    OVER,
    Archive,
    display,
)
from adjudicator.core.game.game import CHARTER, GameKind
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import read, scalar
from adjudicator.core.turn.load import load_charter, load_game, load_turn

FIRST = re.compile(NAMED.pattern + rb"\n?", re.MULTILINE)
ARCHIVE = re.compile(rb"^archive:.*\n?", re.MULTILINE)


def put_away(archive: Archive, slug: str) -> None:
    """Move the folder of a game that is over to `games/over/`, if it is not there yet; raises `Problems` if the game is still running."""
    if not archive.has_ended(slug):
        raise problem(archive.place(slug), "the game is not over", "a run puts it away once it is over")
    lay_away(archive, slug)


def lay_away(archive: Archive, slug: str) -> None:
    """Move a game's folder to `games/over/`, if it is not there yet. Raises `Problems` if another folder is there."""
    folder, to = archive.game_folder(slug), archive.games / OVER / slug
    if folder == to:
        return
    if archive.files.exists(to):
        raise problem(display(to, archive.root), "there is already a game with that name", "rename one of them")
    archive.files.move(folder, to)


def rename(archive: Archive, old: str, new: str) -> str:
    """Rename a game's folder; returns the game's original name, which its game.yaml keeps. Raises `Problems`."""
    archive.turns(old)  # raises if the game does not exist
    first = archive.name_of(old)
    folder = archive.game_folder(old)
    if archive.files.exists(archive.game_folder(new)):
        raise problem(archive.place(new), "there is already a game with that name", "choose another name")
    other = archive.called_now(new)
    if other is not None and new != first:
        what = f"the game that was opened under this name is now called {other}"
        right = "choose another name: pages and sealed sheets use a game's original name"
        raise problem(archive.place(new), what, right)
    path = folder / "game.yaml"
    before = archive.read(path)
    if new != first and NAMED.search(before) is None:
        archive.files.write(path, _with_line(before, "named", first, display(path, archive.root)))
    archive.files.move(folder, folder.with_name(new))
    if new == first:
        archive.files.write(folder.with_name(new) / "game.yaml", FIRST.sub(b"", before))
    return first


def move(archive: Archive, slug: str, other: Archive) -> str | None:
    """Move a game to another archive; returns the name of the master secret that it needs there, if it is sealed and running.

    Its game.yaml keeps the id of the archive that it was opened in. Raises `Problems`. The caller holds the lock of `archive`, not of `other`.
    """
    archive.turns(slug)
    if other.root.resolve() == archive.root.resolve():
        raise problem(str(other.root), "the game is already in this archive", "name the folder of another one")
    with other.writing():
        _move(archive, slug, other)
    return _kid(other, slug)


def _move(archive: Archive, slug: str, other: Archive) -> None:
    game, folder = load_game(archive, slug), archive.game_folder(slug)
    charter = load_charter(other)
    if charter is None:
        raise problem(str(other.root / CHARTER), "there is no such file", "make the archive first, with `courtly init`")
    names = {slug, game.name}
    for there in other.slugs():
        if {there, other.name_of(there)} & names:
            what = f"there is a game called {there} already" if there in names else f"{there} was opened as {game.name}"
            raise problem(
                str(other.game_folder(there)),
                what,
                "two games in an archive cannot have the same original name: leave this game where it is",
            )
    path = folder / "game.yaml"
    before = archive.read(path)
    text = ARCHIVE.sub(b"", before) if game.data.archive == charter.archive else before
    if game.data.archive is None and charter.archive != game.archive and game.archive:
        text = _with_line(before, "archive", game.archive, display(path, archive.root))
    to = other.games / folder.relative_to(archive.games)
    other.files.make(to.parent)
    unfinished = to.with_name(f"{UNFINISHED}{slug}")
    other.files.remove(unfinished)
    for file in archive.files.files_below(folder):
        target = unfinished / file.relative_to(folder)
        other.files.make(target.parent)
        other.files.create(target, archive.files.read(file))
    other.files.write(unfinished / "game.yaml", text)
    other.files.move(unfinished, to)
    gone = archive.games / f"{UNFINISHED}{slug}"
    archive.files.move(folder, gone)
    archive.files.remove(gone)


def _kid(archive: Archive, slug: str) -> str | None:
    """Name of the master secret behind the key of a game's open turn; None for a game that is not sealed, or is over."""
    if archive.has_ended(slug):
        return None
    game, names = load_game(archive, slug), archive.turns(slug)
    if not game.data.sealed or not names or game.data.kind is GameKind.RECORD:
        return None
    seal = load_turn(archive, game, names[-1]).data.seal
    return seal.kid if seal is not None else None


def _with_line(text: bytes, key: str, value: str, path: str) -> bytes:
    """A game.yaml with one more line at its end, otherwise unchanged. Raises `Problems` if the line would change anything else."""
    made = text + (b"" if text.endswith(b"\n") else b"\n") + f"{key}: {scalar(value)}\n".encode()
    before = read(text, path).data
    try:
        if isinstance(before, dict) and read(made, path).data == before | {key: value}:
            return made
    except Problems:
        pass
    raise problem(path, f"no line `{key}:` can be added at its end", f"add `{key}: {scalar(value)}` by hand")


def other_archive(folder: Path) -> Archive:
    """The archive in another folder; raises `Problems` if it does not exist."""
    made = Archive(folder.absolute())
    made.slugs()
    return made
