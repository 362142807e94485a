"""A law of tampering, made from the contents of the files and from their types: any change is a fault, a note, or a row of a
table.

For every key of every file of an archive x state of its turn (open, judged, put back, over) x kind of game (open, sealed,
hidden):
the key is changed, removed, and others are put beside it; every file is removed, and files are put beside it. Keys that are
added
in the future are covered too, because this file does not name any.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.ci.history import check_history
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Charter, GameData
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import OWN_LIMIT, read, write
from adjudicator.core.turn.data import DiceData, SealData, SetupData, StartData, TurnData

FIELD = re.compile(r"[a-z][a-z_]*")
"""Form of a record's key; other keys are names, and one of them represents all."""
TYPES: dict[str, type[Any]] = {"turn.yaml": TurnData, "game.yaml": GameData, "archive.yaml": Charter}
INSIDE: dict[str, type[Any]] = {"seal": SealData, "dice": DiceData, "setup": SetupData, "start": StartData}
VALUES: tuple[Any, ...] = ("x", 2, True, ["Ash"], {"Ash": "x"}, "2026-11-20T00:00Z")
"""Values for a key that is not there yet: an unreadable value is a fault, and does not prove anything about the others."""
EXTRA = (".x", "x.yaml", "turn.yml", "README.txt", "x/y.yaml")
"""Names that nothing reads."""


@dataclass(frozen=True)
class Change:
    """One thing done to an archive."""

    path: str
    """The file, below games/."""
    key: str
    """The shape of the key's path, `dice.secret`; `*` for names and numbers; empty for the file as a whole."""
    what: str
    """`changed`, `removed` or `added`; for a whole file, its name after that."""
    body: bytes | None
    """Content of the file afterwards; None if the file is gone."""

    @property
    def label(self) -> str:
        return f"{self.path} {self.key or '(file)'} {self.what}"


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", value):
            return value.replace("2026", "2025")
        case str() if re.fullmatch(r"[0-9a-f]{16,}", value):
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str():
            return f"{value}x"
        case list() if value:
            return value[1:]
        case list():
            return ["x"]
        case dict() if value:
            return dict(list(value.items())[1:])
        case dict():
            return {"x": "y"}
        case _:
            return "x"


def places(data: Any, path: tuple[Any, ...] = (), shape: tuple[str, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Path of one key of each shape in a file."""
    if isinstance(data, dict):
        entries: list[tuple[Any, Any]] = list(data.items())
    elif isinstance(data, list):
        entries = list(enumerate(data))
    else:
        return
    for key, value in entries:
        named = isinstance(key, str) and FIELD.fullmatch(key)
        part = str(key) if named else "*"
        yield (*path, key), ".".join((*shape, part))
        yield from places(value, (*path, key), (*shape, part))


def with_value(data: Any, path: tuple[Any, ...], value: Any, *, remove: bool = False) -> Any:
    """A copy of the data with another value at a path, or without it."""
    if isinstance(data, dict):
        made: Any = dict(data)
    else:
        made = list(data)
    key, *rest = path
    if rest:
        made[key] = with_value(data[key], tuple(rest), value, remove=remove)
    elif remove:
        del made[key]
    else:
        made[key] = value
    return made


def key_changes(path: str, body: bytes) -> Iterator[Change]:
    """Changes of a YAML file's keys: every key changed, removed, and others added."""
    data: Any = read(body, path, limit=OWN_LIMIT).data
    if not isinstance(data, dict):
        return
    seen: set[str] = set()
    for at, shape in places(data):
        if shape in seen:
            continue
        seen.add(shape)
        value = data
        for key in at:
            value = value[key]
        yield Change(path, shape, "changed", write(with_value(data, at, other(value))).encode())
        yield Change(path, shape, "removed", write(with_value(data, at, None, remove=True)).encode())
    for where, kind in (("", TYPES.get(path.rpartition("/")[2])), *INSIDE.items()):
        inside = data.get(where) if where else data
        if kind is None or not isinstance(inside, dict) or (where and not path.endswith("turn.yaml")):
            continue
        absent = [field.name for field in dataclasses.fields(kind) if field.name not in inside]
        for name in (*absent, "zzz"):
            for value in VALUES:
                made = with_value(data, (*((where,) if where else ()), name), value)
                yield Change(
                    path, ".".join(filter(None, (where, name))), f"added as {value!r:.20}", write(made).encode()
                )


def file_changes(root: Path, path: Path, folders: set[Path]) -> Iterator[Change]:
    """A file changed as a whole, or removed; and files beside it, once for each folder."""
    name = path.relative_to(root / "games").as_posix()
    if path.suffix != ".yaml":
        yield Change(name, "", "changed", path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1]))
    yield Change(name, "", "removed", None)
    if path.parent not in folders:
        folders.add(path.parent)
        for more in EXTRA:
            yield Change((path.parent / more).relative_to(root / "games").as_posix(), "", "put there", b"x: 1\n")
        shouted = path.with_name(path.name.swapcase())
        yield Change(shouted.relative_to(root / "games").as_posix(), "", "put there", path.read_bytes())


def changes(root: Path) -> Iterator[Change]:
    """Every change of an archive, in order."""
    folders: set[Path] = set()
    for path in sorted((root / "games").rglob("*")):
        if path.is_file():
            if path.suffix == ".yaml" and not path.name.startswith("."):
                yield from key_changes(path.relative_to(root / "games").as_posix(), path.read_bytes())
            yield from file_changes(root, path, folders)


def found(root: Path, game: str | None) -> tuple[set[str], set[str]]:
    """Faults and notes of an archive, as somebody without a key sees them."""
    archive = Archive(root)
    faults, notes = set(), set()
    for slug in archive.slugs() if game is None else [game]:
        checked = verify_game(archive, slug)
        faults |= {str(fault) for fault in checked.problems}
        notes |= {str(note) for note in checked.notes}
    for problem in check_archive(archive):
        (faults if problem.level == "error" else notes).add(str(problem))
    return faults, notes


def in_history(root: Path) -> tuple[set[str], set[str]]:
    """Faults and notes of the history."""
    report = check_history(root)
    return {re.sub(r"commit [0-9a-f]{12}", "commit", str(one)) for one in report.problems}, {
        re.sub(r"commit [0-9a-f]{12}", "commit", str(one)) for one in report.notes
    }


def apply(root: Path, change: Change) -> None:
    """Make the change. Files are links, so an existing one is replaced."""
    path = root / "games" / change.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if change.body is not None:
        path.write_bytes(change.body)


def answer(root: Path, change: Change, before: tuple[set[str], set[str]], history: tuple[set[str], set[str]]) -> str:
    """Result for somebody who looks: `fault`, `note`, or nothing. The change is made and not committed."""
    slug = change.path.split("/")[1 if change.path.startswith("over/") else 0]
    try:
        faults, notes = found(root, slug if "/" in change.path else None)
    except Problems:
        return "fault"
    if faults - before[0]:
        return "fault"
    return "note" if notes - before[1] else ""
