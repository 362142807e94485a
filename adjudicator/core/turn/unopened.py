"""Sealed sheets that were found not to open while their turn was open: `unopened.yaml` in the turn's folder.

Only the job with the key can find this out, but everybody must know: the sender may then send another sheet, as if the first had not come.
The file reveals nothing about a sheet's content, only that the sheet does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import SCHEMA, check_schema
from adjudicator.core.text.codec import decode, encode, record
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.sheets import by_seat

NAME = "unopened.yaml"


@record
class Unopened:
    """`unopened.yaml` as it is written."""

    schema: int
    files: tuple[str, ...]
    """The names of the sheets' files."""


def load_unopened(archive: Archive, folder: Path) -> frozenset[str]:
    """The names of the sheets in a turn's folder that do not open; empty if there is no `unopened.yaml`. Raises `Problems`."""
    path = folder / NAME
    if not archive.files.exists(path):
        return frozenset()
    text = read(archive.read(path), display(path, archive.root))
    check_schema(text)
    return frozenset(decode(Unopened, text).files)


def unopened_text(names: Iterable[str]) -> bytes:
    """The bytes of `unopened.yaml` for these names of sheets that do not open."""
    head = "# Sealed sheets that the turn's key does not open, or that are no sheets of this turn: they do not count.\n"
    return (head + write(encode(Unopened(schema=SCHEMA, files=tuple(sorted(names)))))).encode()


def seats_sent(archive: Archive, turn: Turn) -> frozenset[str]:
    """The seats that sent a sheet for a turn, as far as the public can see; sheets found not to open do not count. Raises `Problems`."""
    shut = load_unopened(archive, turn.folder)
    sheets = by_seat(archive, turn)[0]
    return frozenset(seat for seat, files in sheets.items() if any(path.name not in shut for _, path in files))
