"""The pages, scripts and styles that the package ships for every group's site, and one digest of every part that browsers execute.

A group's repository holds none of them. A page may be replaced by a file with its name, but a file that browsers execute may
not. Keys, passphrases and open drafts pass through the order desk, so the desk is the package's, and anybody can compare a
published one.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.floor import Files
from adjudicator.core.files.places import read_own
from adjudicator.core.game.archive import display
from adjudicator.core.game.forges import ADDRESS, DEFAULT, GITHUB, kind_of
from adjudicator.core.text.problems import Problem, problem

if TYPE_CHECKING:
    import urllib3

SITE = "site_src"
"""The folder of a site's hand-written pages."""
ENGINE_ONLY = ("rulesets.md", "speed.md", "maps.md", "decisions/")
"""Pages about the engine itself, or folders of them, which a group's site does not need."""
HOME = "index.md"
"""The home page, which each site writes for itself."""
PAGE = "desk.html"
"""The desk's page."""
ASKED = f"connect-src 'self' {GITHUB.api};"
"""The forge that the package's desk page may ask; it applies to an archive that names none."""
DESK = "assets/desk/"
"""The folder of the desk's scripts."""
JUDGES = ("again.html", "judge.html", "sandbox.html", "assets/engine/")
"""The pages and scripts that run the judge for browsers."""
SHOWN = b"0" * 64
"""Placeholder for the digest on the package's desk page."""
TOLD = "<!-- the digest of the order desk -->"
"""Marks the place of the digest on the Trust page."""
DIGESTS = "desk.sha256"
"""The file of a site that publishes the list behind the digest."""
LARGEST = 4 * 1024 * 1024
"""Most bytes that are fetched from one file; the largest, a part of the judge for browsers, has 3.5 million."""


def template() -> Path:
    """The folder of files that the package ships for repositories and sites: inside the package, or the clone of an editable install."""
    inside = Path(__file__).parent / "template"
    return inside if Own(inside).is_folder(inside) else Path(__file__).parent.parent.parent


@functools.cache
def shipped() -> Mapping[str, Path]:
    """Name below the site's folder -> file, of everything that each group's site gets."""
    source = template() / "site_src"
    names = {path.relative_to(source).as_posix(): path for path in Own(source).files_below(source)}
    return {
        name: path
        for name, path in names.items()
        if not name.startswith((*ENGINE_ONLY, HOME)) and not name.endswith(".d.ts")
    }


@functools.cache
def executed() -> Mapping[str, bytes]:
    """Address on the site -> bytes in the package, for each of our HTML pages and scripts."""
    return {name: read_own(path) for name, path in shipped().items() if path.suffix in (".html", ".js")}


def read_again() -> None:
    """Clears the caches, because somebody may be at work on the package while a site is served."""
    shipped.cache_clear()
    executed.cache_clear()


def listed() -> str:
    """A line for each executed file with its SHA-256 and name, as `sha256sum` writes them; the desk's page has zeros for the digest.

    The Trust page explains how to make the list of a published site with just `curl` and `sha256sum`.
    """
    return "".join(f"{hashlib.sha256(body).hexdigest()}  {name}\n" for name, body in sorted(executed().items()))


def digest() -> str:
    """The SHA-256 of the list that `listed` makes: one number for the desk, the check of dice, and all scripts."""
    return hashlib.sha256(listed().encode()).hexdigest()


def as_published(name: str, forge: str = DEFAULT) -> bytes:
    """One executed file as a site publishes it: the desk's page shows the digest, and may ask only the archive's forge."""
    if not name.endswith(".html"):
        return executed()[name]
    page = executed()[name].replace(SHOWN, digest().encode())
    kind = kind_of(forge)
    if kind is GITHUB:
        return page
    page = page.replace(ASKED.encode(), f"connect-src 'self' {forge};".encode())
    return page.replace(f"the desk asks {GITHUB.name} ".encode(), f"the desk asks {kind.name} ".encode())


def forge_asked(page: bytes) -> str:
    """The forge that a desk's page names as the one it may ask; the default one if that is not a forge's address."""
    found = re.search(rb"connect-src 'self' ([^;\"<>]+);", page)
    said = found[1].decode("ascii", "replace") if found is not None else ""
    return said if ADDRESS.fullmatch(said) and said != GITHUB.api else DEFAULT


def is_executed(address: str) -> bool:
    """True for the address of one of the package's pages or scripts, which run in readers' browsers, or of any file in the desk's folder."""
    return address in executed() or address.startswith(DESK)


def in_the_way(address: str, body: bytes, said: str) -> Problem | None:
    """A fault if the file `said` would be published in place of an executed file of the package and differs from it."""
    if not is_executed(address) or body in (executed().get(address), executed().get(address) and as_published(address)):
        return None
    what = f"would be published as {address}, where the package's own belongs: players' keys and orders pass through it"
    return Problem(said, 0, 0, what, "remove it or rename it: the package's own is added when the site is built")


def copies(root: Path) -> list[tuple[bool, Problem]]:
    """Differences between an archive's copy of the desk and this package's, each with True if the site can still be built.

    An archive needs no copy, and an identical one has no effect. Files behind a link are not read; the link is named instead.
    """
    folder, files = root / SITE, Disk(root)
    if not files.is_folder(folder) or folder.resolve() == (template() / SITE).resolve():
        return []
    there = {name for name in executed() if files.exists(folder / name) or Own(root).exists(folder / name)}
    own = {path.relative_to(folder).as_posix() for path, kind in files.below(folder / DESK) if kind != "folder"}
    own = {name for name in own if not name.endswith(".d.ts")}
    found = []
    for name in sorted(there | own):
        if name in there and _is_same(files, folder / name, name):
            continue
        path = display(folder / name, root)
        what = "this is not the file of the order desk that comes with this courtly"
        if name not in there:
            what = "no file with this name comes with this courtly, but it is where the order desk belongs"
        right = f"git rm {path}: the package's own is added when the site is built, and any other file stops the build"
        found.append((False, Problem(path, 0, 0, what, right, "warning")))
    gone = sorted({*executed()} - there)
    if gone and PAGE in there and own:
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        what = f"this copy of the order desk lacks {', '.join(gone[:MOST_NAMED])}{more}"
        right = "they are added when the site is built; no copy is needed, and `courtly init` removes identical ones"
        found.append((True, Problem(SITE, 0, 0, what, right, "warning")))
    return found


MOST_NAMED = 3
"""Most missing files that are named one by one."""


def _is_same(files: Files, path: Path, name: str) -> bool:
    """True if an archive's file equals the package's, to the byte. Links are not followed, and no more is read than the comparison needs."""
    body = executed()[name]
    return files.is_file(path) and files.start(path, len(body) + 1) == body


def differences(place: str | Path, forge: str | None = None) -> list[str]:
    """A line for each file of the desk that differs in a built site, in a folder or at an address; raises `Problems`.

    The desk's page must ask exactly this forge; without one, it may name any.
    """
    fetched = fetch if isinstance(place, str) else of_folder
    found = []
    for name in sorted(executed()):
        body = fetched(place, name)  # type: ignore[arg-type]  # each with its own kind of place
        if body is None:
            found.append(f"{name} is missing")
        elif body != as_published(name, forge or (forge_asked(body) if name == PAGE else DEFAULT)):
            found.append(f"{name} is not this package's")
    if not isinstance(place, str):
        more = (path.relative_to(place).as_posix() for path in Disk(place).files_below(place / DESK))
        found += [f"{name} does not belong to the package" for name in more if name not in executed()]
    return found


def examine_site(place: str) -> list[tuple[bool, str]]:
    """Compares the order desk of a site, in a folder or at an address, with this package's; returns lines, each with True if it reports no fault."""
    web = place.startswith(("https://", "http://"))
    if not web and of_folder(Path(place), PAGE) is None:
        right = (
            "name a folder with a built site, such as public after `courtly site`, or the address of a published one"
        )
        raise problem(place, "there is no site with an order desk here", right)
    found = differences(place if web else Path(place))
    judge = _examine_engine(place, web=web)
    if not found:
        page = fetch(place, PAGE) if web else of_folder(Path(place), PAGE)
        forge = forge_asked(page or b"")
        asks = "" if forge == DEFAULT else f"; it asks {forge} what became of a sheet"
        return [(True, f"the order desk of {place} is this package's: {digest()}{asks}"), *judge]
    hint = "the site may have been built by a different version of courtly: compare with the one in its .github/courtly.txt"
    return [
        *((False, f"{place}: {line}") for line in found),
        (False, f"the order desk of {place} is not {digest()}; {hint}"),
        *judge,
    ]


def _examine_engine(place: str, *, web: bool) -> list[tuple[bool, str]]:
    """Compares the judge for browsers that a site serves with the installed one; returns lines, or none if there is neither."""
    from adjudicator.site.engine import LIST, engine_files

    def served(name: str) -> bytes | None:
        return fetch(place, name) if web else of_folder(Path(place), name)

    said, own = served(LIST), engine_files()
    if said is None:
        return [(True, f"{place} has no judge for browsers, but one is installed here")] if own else []
    if not own:
        return [(True, f"{place} has the judge for browsers; install courtly-engine to compare it with yours")]
    wrong = [name for name in sorted(own) if served(name) != own[name]]
    wrong += [name for name in sorted(executed()) if name.startswith(JUDGES) and served(name) != executed()[name]]
    if not wrong:
        return [
            (True, f"the judge for browsers of {place} is the one installed here: {hashlib.sha256(said).hexdigest()}")
        ]
    more = f" and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
    return [
        (
            False,
            f"the judge for browsers of {place} is not the one installed here: {', '.join(wrong[:MOST_NAMED])}{more} differ",
        )
    ]


def of_folder(place: Path, name: str) -> bytes | None:
    """A file of a site in a folder; None if it is not there."""
    path, files = place.joinpath(*PurePosixPath(name).parts), Disk(place)
    return files.read(path) if files.is_file(path) else None


def fetch(address: str, name: str) -> bytes | None:
    """A file of a published site; None if it is not there. Raises `Problems` if no answer comes."""
    import urllib3

    try:
        answer = _pool().request("GET", f"{address.rstrip('/')}/{name}", preload_content=False)
        body: bytes = answer.read(LARGEST)
    except urllib3.exceptions.HTTPError as error:
        right = "give the site's own address, such as https://anna.github.io/our-games/"
        raise problem(f"{address:.200}", f"no answer came for {name}: {error!s:.200}", right) from None
    return body if answer.status == 200 else None


@functools.cache
def _pool() -> urllib3.PoolManager:
    import urllib3

    return urllib3.PoolManager(timeout=30, retries=3)
