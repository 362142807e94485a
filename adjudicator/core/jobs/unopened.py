"""Find sealed sheets that do not open, before the deadline, so that their authors can still send another (H3-4, H3-5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adjudicator.core.game.archive import Archive, display
from adjudicator.core.secrets.age import decrypt
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import after_rulings
from adjudicator.core.turn.keys import Keys, has_keys, keys_for
from adjudicator.core.turn.sheets import SheetFile, by_seat, sheet_text
from adjudicator.core.turn.unopened import NAME, load_unopened

SHUT = "it cannot be opened with the key of this turn: it was sealed to another key, or is damaged"
INSIDE = "it opens, but what is inside is not a readable sheet for this game, turn, seat and number"


def newly_unopened(archive: Archive, turn: Turn) -> dict[Path, str]:
    """Sealed sheets of an open turn that do not count and are not listed in `unopened.yaml` yet, each with the reason.

    Empty if the turn's key is not available. The reasons reveal nothing about a sheet's content.
    """
    turn = after_rulings(archive, turn)
    game, data = turn.game, turn.data
    if data.status != "open" or data.seal is None or not has_keys(game, data):
        return {}
    known, keys = load_unopened(archive, turn.folder), keys_for(game, turn.name, data)
    found: dict[Path, str] = {}
    for file, path in _sealed(archive, turn):
        source, shown = archive.read(path), display(path, archive.root)
        if path.name not in known and (why := fault_of(turn, file, source, shown, keys)) is not None:
            found[path] = why
    return found


def _sealed(archive: Archive, turn: Turn) -> Iterator[tuple[SheetFile, Path]]:
    for files in by_seat(archive, turn)[0].values():
        yield from ((file, path) for file, path in files if file.sealed)


def fault_of(turn: Turn, file: SheetFile, source: bytes, shown: str, keys: Keys) -> str | None:
    """The reason why a sealed sheet does not count; None for one that does."""
    try:
        decrypt(source, [keys.identity or ""], shown)
    except Problems:
        return SHUT
    try:
        # The judge checks the account later: the seat may be given to another player, and back, before the turn is judged.
        text = sheet_text(turn, file, source, shown, keys, anybody=True)
        turn.game.ruleset.read_sheet(turn.data.position, file.seat, text)
    except Problems:
        return INSIDE
    return None


def _opens(archive: Archive, turn: Turn, file: SheetFile, path: Path, keys: Keys) -> bool:
    return fault_of(turn, file, archive.read(path), display(path, archive.root), keys) is None


def wrongly_unopened(archive: Archive, turn: Turn, keys: Keys) -> list[Problem]:
    """Problems with names in a judged turn's `unopened.yaml`: sheets that do open, and so should have counted, or no sheets at all."""
    names = load_unopened(archive, turn.folder)
    if not names:
        return []
    where = f"{display(turn.folder, archive.root)}/{NAME}"
    sealed = {path.name: (file, path) for file, path in _sealed(archive, turn)}
    faults = []
    for name in sorted(names):
        if name not in sealed:
            faults.append(
                Problem(where, 0, 0, f"{name} is not a sealed sheet of this turn", "restore it from the history")
            )
        elif _opens(archive, turn, *sealed[name], keys):
            right = "the host can put the turn back: `courtly undo`"
            faults.append(Problem(where, 0, 0, f"{name} opens, but is listed as a sheet that does not", right))
    return faults
