"""Build and serve the site with MkDocs, for the commands `courtly site` and `courtly serve`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.places import named, read_own, remembered
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT
from adjudicator.core.game.trees import charter_hash, code_version, files_hash
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.turn.load import load_charter
from adjudicator.site.mkdocs.publish import Handbook, Part, publish
from adjudicator.site.shipped import differences, template
from adjudicator.site.years import sites_of


def config_path(root: Path) -> Path:
    """The file that describes the site; raises `Problems` if it is missing."""
    path = root / "mkdocs.yml"
    if not Disk(root).is_file(path):
        raise problem(str(path), "there is no mkdocs.yml", "`courtly init` writes one, and leaves games as they are")
    return path


class _Warnings(logging.Handler):
    """Collects the warnings of MkDocs, so that a strict build can report all of them at once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, entry: logging.LogRecord) -> None:
        self.messages.append(entry.getMessage())


@dataclass(frozen=True, slots=True)
class Settings:
    """Facts from mkdocs.yml, read without MkDocs, which takes a long time to load."""

    site_dir: Path
    key: str
    """Hash of everything that goes into the handbook; empty if it cannot be known without making the handbook."""


HIDDEN = re.compile(r"!ENV|!relative|snippets|base_path|^(?:INHERIT|hooks)\s*:", re.MULTILINE)
"""Settings that let a handbook depend on more than can be seen; it is then made again each time."""
NAMED = re.compile(r"^(site_dir|docs_dir):[ \t]*([\"']?)([^\"'#\n]+?)\2[ \t]*(?:#.*)?$", re.MULTILINE)
CUSTOM = re.compile(r"^\s+custom_dir:[ \t]*([\"']?)([^\"'#\n]+?)\1[ \t]*(?:#.*)?$", re.MULTILINE)


def settings_of(root: Path) -> Settings:
    """The folders in mkdocs.yml, and a hash of everything that goes into the handbook."""
    source = Disk(root).text(config_path(root))
    named = {name: value for name, _, value in NAMED.findall(source)}
    site_dir = root / named.get("site_dir", "site")
    if HIDDEN.search(source):
        return Settings(site_dir, "")
    total = hashlib.sha256(f"{code_version()}\n{source}\n".encode())
    for name in _installed():
        total.update(f"{name}\n".encode())
    folders = (named.get("docs_dir", "docs"), *(value for _, value in CUSTOM.findall(source)))
    if any(kind == "link" for folder in folders for _, kind in Disk(root / folder).below(root / folder)):
        return Settings(site_dir, "")  # files behind a link are read but not hashed
    for folder in folders:
        total.update(files_hash(root / folder).encode())
    total.update(read_own(template() / "SECURITY.md"))
    total.update(files_hash(template() / "site_src").encode())  # in a clone it is outside the package
    total.update(charter_hash(Archive(root)).encode())  # it names the forge that the desk asks
    return Settings(site_dir, total.hexdigest())


def _installed() -> list[str]:
    """Every installed package with its version: any of them may be a plugin that helps to make a handbook."""
    places = {Path(entry).resolve() for entry in sys.path}
    return sorted(path.name for place in places for path in Own(place).paths(place, "*.dist-info"))


Watch = Callable[[Iterable[str], str], Iterable[str]]
"""Returns the items one by one and shows the progress, using the given word for the items."""


def unwatched(items: Iterable[str], what: str) -> Iterable[str]:
    """The items, without showing progress."""
    return items


def build(root: Path, site_dir: Path | None = None, *, everything: bool = False) -> Path:
    """Builds the whole site and returns the page to open; a warning is a fault. Raises `Problems`."""
    return build_parts(root, site_dir, everything=everything, shards=False)[None]


def build_parts(
    root: Path,
    site_dir: Path | None = None,
    *,
    everything: bool = False,
    shards: bool = True,
    watch: Watch = unwatched,
) -> dict[str | None, Path]:
    """Builds the site and returns the page to open, by year if it has several parts (None for the main one); a warning is a fault.

    With `shards`, each year that has a separate site under `years:` in archive.yaml is built apart, beside the main one. Raises
    `Problems`.

    Parts that have not changed since the last build are not touched, unless `everything` is set. Games with faults are left out.
    The others are still built, and then the faults are raised.
    """
    settings = settings_of(root)
    site = (site_dir or settings.site_dir).absolute()
    archive = Archive(root)
    archive.slugs()
    with _alone(root):
        return _build(archive, settings, site, everything=everything, shards=shards, watch=watch)


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Waits until no other build of this archive's site is at work, because builds share what is kept between them."""
    try:
        files, folder = named(remembered(root).root)
        files.make(folder)
        with files.lock(folder / "site.lock", wait=True):
            yield
    except PermissionError:
        yield  # then nothing is kept


def _build(
    archive: Archive, settings: Settings, site: Path, *, everything: bool, shards: bool, watch: Watch
) -> dict[str | None, Path]:
    root = archive.root
    handbook = None if everything else _kept_handbook(root, settings.key)
    for key in watch([settings.key], "Pages around the games") if handbook is None else ():
        handbook = _make_handbook(root, key)
    assert handbook is not None
    charter = load_charter(archive)
    sites = sites_of(charter)
    main = charter.main if charter is not None else None
    forge = charter.forge if charter is not None and charter.place is not None else DEFAULT
    parts = [(site, handbook, Part(sites=sites, main=None if shards else main, apart=shards))]
    for year, address in sites.items() if shards else ():
        part = Part(year, sites, handbook.published or main, apart=True)
        place = site.with_name(f"{site.name}-{year}")
        if Disk(place.parent).is_folder(place) or any(part.wants(archive, slug) for slug in archive.slugs()):
            there = replace(handbook, base=address, published=address, made_for=handbook.base)
            parts.append((place, there, part))
    problems = [
        problem
        for place, book, part in parts
        for problem in publish(archive, book, place, everything=everything, part=part, watch=watch).problems
    ]
    # A program that mkdocs.yml names may have changed them after they were made.
    why = "something changed it: look at `hooks:` and `plugins:` in mkdocs.yml, and build everything again with --all"
    problems += [Problem(str(place), 0, 0, line, why) for place, _, _ in parts for line in differences(place, forge)]
    if problems:
        raise Problems(problems)
    return {part.year: place / "index.html" for place, _, part in parts}


def _kept_handbook(root: Path, key: str) -> Handbook | None:
    """The handbook that was made last, if it was made from the same files."""
    files = remembered(root)
    folder = files.root
    try:
        data = json.loads(files.read(folder / "handbook.json"))
        if not key or data["key"] != key:
            return None
        shells = {int(depth): text for depth, text in data.pop("shells").items()}
        return Handbook(folder=folder / "handbook", shells=shells, **data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _make_handbook(root: Path, key: str) -> Handbook:
    """Has MkDocs make the pages that depend on no game; they are kept for the next time."""
    files = remembered(root)
    folder = files.root
    above, place = named(folder / "handbook")
    above.make(place)
    files.remove(folder / "handbook.json")
    made = replace(_run_mkdocs(root, folder / "handbook"), key=key)
    said = {name: getattr(made, name) for name in ("shells", "base", "published", "name", "home", "key", "pictures")}
    files.write(folder / "handbook.json", json.dumps(said, ensure_ascii=False).encode())
    return made


def _run_mkdocs(root: Path, folder: Path) -> Handbook:
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    warnings = _Warnings()
    log = logging.getLogger("mkdocs")
    log.addHandler(warnings)
    try:
        config = load_config(str(config_path(root)), strict=True, site_dir=str(folder.absolute()))
        plugin = config.plugins.get("courtly")
        if plugin is None:
            raise problem(
                str(root / "mkdocs.yml"), "the courtly plugin is not listed", "add `- courtly` below `plugins:`"
            )
        plugin.handbook_alone = True
        config.plugins.on_startup(command="build", dirty=False)
        try:
            mkdocs_build(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        lines = [*warnings.messages, *str(error).splitlines()]
        raise Problems(
            Problem(str(root / "mkdocs.yml"), 0, 0, line.strip()) for line in lines if line.strip()
        ) from None
    finally:
        log.removeHandler(warnings)
    made: Handbook = plugin.handbook
    return made


def serve(root: Path, port: int) -> None:
    """Serves the site on this machine until it is interrupted."""
    from mkdocs.commands.serve import serve as mkdocs_serve

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mkdocs_serve(str(config_path(root)), dev_addr=f"127.0.0.1:{port}")
