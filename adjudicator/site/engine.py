"""The judge for readers' browsers, as a site publishes it.

Pyodide and the packages come from the distribution `courtly-engine`, if it is installed. The judge's modules come from the version of
courtly that builds the site.

`courtly-engine` holds the byte code of the version of courtly that it was made from. A module that has changed since then is published as source
and compiled by the browser, so a page never judges with code other than the site's.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.util
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.core.contract.ruleset import RULESETS, find, slugs
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own

PACKAGE = "courtly_engine"
FOLDER = "engine"
"""The folder of the engine on the site."""
LIST = f"{FOLDER}/engine.json"
HOME = RULESETS.parent
"""The folder of the package."""
FIRST = "adjudicator.core.jobs.page"
"""The module that a page calls."""
LEFT_OUT = frozenset({"cases", "examples", "exchange", "lessons", "__pycache__"})
"""Folders of a ruleset that judging does not need."""
DATA = (".yaml", ".svg", ".txt", ".json", ".csv")
BOOK = "RULES.md"
WHEN = (1980, 1, 1, 0, 0, 0)
IMPORT = re.compile(r"adjudicator\.rulesets\.([a-z0-9_]+)$")
IMPORTED = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(adjudicator[\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
WORD = re.compile(r"\w+")


def _folder() -> Path | None:
    """The folder with the parts of `courtly-engine`; None if it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(next(iter(found.submodule_search_locations))) / "parts"


def has_engine() -> bool:
    """True if sites that are built here include the judge for browsers."""
    folder = _folder()
    return folder is not None and Own(folder).is_file(folder / "engine.json")


def _packed(members: Mapping[str, bytes]) -> bytes:
    """An archive of files, compressed as a whole: the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), data)
    return gzip.compress(out.getvalue(), 9, mtime=0)


@dataclass(frozen=True, slots=True)
class _Made:
    """The byte code in `courtly-engine`."""

    digests: Mapping[str, str]
    """Path of a module -> SHA-256 of the source that its byte code was made from."""
    code: zipfile.ZipFile

    def member(self, name: str, source: bytes) -> tuple[str, bytes]:
        """Name and bytes of a module as published: byte code, or its source if that has changed since."""
        if self.digests.get(name) == hashlib.sha256(source).hexdigest():
            return f"{name}c", self.code.read(f"{name}c")
        return name, source


def _core(made: _Made) -> dict[str, bytes]:
    """Every module outside the rulesets that the judge and its rulesets need."""
    first = _source(FIRST)
    assert first is not None
    paths = {first, HOME / "__init__.py", RULESETS / "__init__.py", *_reached([first])}
    paths |= _reached(path for slug in slugs() for path in _code(slug))
    found = dict(made.member(f"{HOME.name}/{path.relative_to(HOME).as_posix()}", read_own(path)) for path in paths)
    for folder in {path.parent for path in paths}:
        for path in Own(folder).paths(folder):
            if path.suffix in DATA:
                found[f"{HOME.name}/{path.relative_to(HOME).as_posix()}"] = read_own(path)
    return found


def _ruleset(slug: str, made: _Made) -> dict[str, bytes]:
    """A ruleset's modules and data."""
    root, found = find(slug).folder, {}
    for path in Own(root).files_below(root):
        inside = path.relative_to(root)
        if LEFT_OUT & {*inside.parts}:
            continue
        name = f"{HOME.name}/{RULESETS.name}/{slug}/{inside.as_posix()}"
        data = read_own(path)
        if path.suffix == ".py":
            name, data = made.member(name, data)
            found[name] = data
        elif path.suffix in DATA:
            found[name] = data
    if f"{HOME.name}/{RULESETS.name}/{slug}/__init__.py" in found:  # source is recognised by its rulebook
        found[f"{HOME.name}/{RULESETS.name}/{slug}/{BOOK}"] = read_own(root / BOOK)
    return found


@functools.cache
def _imports(path: Path) -> frozenset[str]:
    """The modules of this package that a module imports, even within functions, and the packages around them.

    Only the beginnings of lines are searched, because parsing four hundred modules takes seconds.
    """
    found = set()
    for package, names in IMPORTED.findall(read_own(path).decode()):
        for name in (package, *(f"{package}.{word}" for word in WORD.findall(names))):
            parts = name.split(".")
            found |= {".".join(parts[:length]) for length in range(2, len(parts) + 1)}
    return frozenset(found)


@functools.cache
def _source(module: str) -> Path | None:
    """The file of one of the package's modules; None for an unknown module."""
    place, files = HOME.joinpath(*module.split(".")[1:]), Own(HOME)
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if files.is_file(path)), None)


def _reached(first: Iterable[Path]) -> set[Path]:
    """The modules of core, mechanics and render that some modules import, directly or not."""
    wanted, seen = [*first], set[Path]()
    while wanted:
        for module in _imports(wanted.pop()):
            path = _source(module)
            if path is not None and path not in seen and RULESETS not in path.parents:
                seen.add(path)
                wanted.append(path)
    return seen


def _builds_on(slug: str) -> list[str]:
    """A ruleset and those that it imports; the ruleset itself comes last."""
    wanted, found = [slug], [slug]
    while wanted:
        for path in _code(wanted.pop()):
            for module in _imports(path):
                match = IMPORT.match(module)
                if match and match[1] not in found:
                    wanted.append(match[1])
                    found.insert(0, match[1])
    return found


def _code(slug: str) -> list[Path]:
    """The modules of a ruleset."""
    folder = find(slug).folder
    return [path for path in Own(folder).files_below(folder) if path.suffix == ".py"]


@functools.cache
def engine_files() -> Mapping[str, bytes]:
    """Address on the site -> bytes, of everything that a page needs to judge; empty without `courtly-engine`."""
    folder = _folder()
    if folder is None or not has_engine():
        return {}
    made = json.loads(read_own(folder / "engine.json"))
    files: dict[str, bytes] = {}
    parts = {name: read_own(folder / file) for name, file in made["parts"].items()}
    plain = {name: read_own(folder / name) for name in made["plain"]}
    sign = hashlib.sha256(
        b"".join(hashlib.sha256(data).digest() for data in (*plain.values(), *parts.values()))
    ).hexdigest()
    base = f"{FOLDER}/{sign[:16]}/"
    files |= {f"{base}{name}": data for name, data in plain.items()}
    listed = {name: _entry(files, f"{base}{name}.pack", data) for name, data in parts.items()}
    own: dict[str, Any] = {}
    with zipfile.ZipFile(io.BytesIO(read_own(folder / made["code"]))) as code:
        compiled = _Made(made["own"], code)
        for name in ("core", *slugs()):
            data = _packed(_core(compiled) if name == "core" else _ruleset(name, compiled))
            own[name] = _entry(files, f"{FOLDER}/own/{name}-{hashlib.sha256(data).hexdigest()[:16]}.pack", data)
    said = {
        "info": made["info"],
        "base": base,
        "parts": listed,
        "own": own,
        "rulesets": {slug: _builds_on(slug) for slug in slugs()},
        "titles": {slug: find(slug).about.title for slug in slugs()},
    }
    files[LIST] = (json.dumps(said, indent=1, sort_keys=True) + "\n").encode()
    return files


def _entry(files: dict[str, bytes], address: str, data: bytes) -> dict[str, Any]:
    """Adds a part to the files and returns its entry in the list."""
    files[address] = data
    return {"file": address, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
