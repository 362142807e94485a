"""The pages, scripts and styles that come with the package, for every group's site; and one digest of all of them that executes.

A group's repository holds none of them. A page may be replaced by a file of its name; what a browser executes may not: keys,
passphrases and open drafts pass through the order desk, so the desk is the package's, and anybody can compare a published one.
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
"""The folder of a site's own pages."""
ENGINE_ONLY = ("rulesets.md", "speed.md", "maps.md", "decisions/early-reading.md")
"""Pages about the engine itself, which a group's site does not need."""
HOME = "index.md"
"""Every site's own."""
PAGE = "desk.html"
"""The desk's page."""
ASKED = f"connect-src 'self' {GITHUB.api};"
"""Whom the desk's page may ask, in the package: the forge of an archive that names none."""
DESK = "assets/desk/"
"""The folder of the desk's scripts."""
JUDGES = ("again.html", "judge.html", "sandbox.html", "assets/engine/")
"""What runs the judge for browsers in a page."""
SHOWN = b"0" * 64
"""Stands in the desk's page of the package in the place of the digest."""
TOLD = "<!-- the digest of the order desk -->"
"""Where the page Trust has its place for the digest."""
DIGESTS = "desk.sha256"
"""The file in which a site publishes the list that the digest is of."""
LARGEST = 4 * 1024 * 1024
"""Bytes that are fetched of one file; the largest, a part of the judge for browsers, has 3.5 million."""


def template() -> Path:
    """The folder of what the package ships for repositories and sites: inside of it, or the clone that it was installed from in place."""
    inside = Path(__file__).parent / "template"
    return inside if Own(inside).is_folder(inside) else Path(__file__).parent.parent.parent


@functools.cache
def shipped() -> Mapping[str, Path]:
    """Name below the site's folder -> file, of all that every group's site gets."""
    source = template() / "site_src"
    names = {path.relative_to(source).as_posix(): path for path in Own(source).files_below(source)}
    return {
        name: path for name, path in names.items() if name not in (*ENGINE_ONLY, HOME) and not name.endswith(".d.ts")
    }


@functools.cache
def executed() -> Mapping[str, bytes]:
    """Address on the site -> bytes in the package, of each page of ours that is no Markdown, and of each script."""
    return {name: read_own(path) for name, path in shipped().items() if path.suffix in (".html", ".js")}


def read_again() -> None:
    """Forgets what was read: while a site is served, somebody may be at work on the package itself."""
    shipped.cache_clear()
    executed.cache_clear()


def listed() -> str:
    """A line for each of them, its SHA-256 and its name, as `sha256sum` writes them; the desk's page with zeros for the digest.

    The page Trust says how to make the list of a published site with `curl` and `sha256sum` alone.
    """
    return "".join(f"{hashlib.sha256(body).hexdigest()}  {name}\n" for name, body in sorted(executed().items()))


def digest() -> str:
    """The SHA-256 of that list: one number for the desk, the check of dice, and all scripts."""
    return hashlib.sha256(listed().encode()).hexdigest()


def as_published(name: str, forge: str = DEFAULT) -> bytes:
    """One of them as a site has it: the page of the desk shows the digest, and may ask the archive's own forge and no other."""
    if not name.endswith(".html"):
        return executed()[name]
    page = executed()[name].replace(SHOWN, digest().encode())
    kind = kind_of(forge)
    if kind is GITHUB:
        return page
    page = page.replace(ASKED.encode(), f"connect-src 'self' {forge};".encode())
    return page.replace(f"the desk asks {GITHUB.name} ".encode(), f"the desk asks {kind.name} ".encode())


def forge_asked(page: bytes) -> str:
    """The forge that a desk's page may ask, as it says; the default one where it says anything that is no forge's address."""
    found = re.search(rb"connect-src 'self' ([^;\"<>]+);", page)
    said = found[1].decode("ascii", "replace") if found is not None else ""
    return said if ADDRESS.fullmatch(said) and said != GITHUB.api else DEFAULT


def is_executed(address: str) -> bool:
    """True for an address of the site at which a browser may find something to execute that the package answers for."""
    return address in executed() or address.startswith(DESK)


def in_the_way(address: str, body: bytes, said: str) -> Problem | None:
    """A fault if a file, called as in `said`, would be published where the package has something that executes, and is another."""
    if not is_executed(address) or body in (executed().get(address), executed().get(address) and as_published(address)):
        return None
    what = f"would be published as {address}, where the package's own belongs: players' keys and orders pass through it"
    return Problem(said, 0, 0, what, "remove it, or give it another name: the site gets the package's by itself")


def copies(root: Path) -> list[tuple[bool, Problem]]:
    """What an archive's own copy of the desk has that is not this package's, each with True if it is in nobody's way.

    An archive needs no copy, and from what is the same nothing follows. What lies behind a link is somebody else's: the link is named.
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
            what = "no file of this name comes with this courtly, and it lies where the order desk belongs"
        right = f"git rm {path}: the site's own is added when it is built, and with another in its place none is built"
        found.append((False, Problem(path, 0, 0, what, right, "warning")))
    gone = sorted({*executed()} - there)
    if gone and PAGE in there and own:
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        what = f"this copy of the order desk lacks {', '.join(gone[:MOST_NAMED])}{more}"
        right = "they are added when the site is built; no copy is needed, and `courtly init` removes what is the same"
        found.append((True, Problem(SITE, 0, 0, what, right, "warning")))
    return found


MOST_NAMED = 3
"""Missing files that are named one by one."""


def _is_same(files: Files, path: Path, name: str) -> bool:
    """Whether an archive's file is the package's, to the byte; never what a link leads to, and no more of it is read than is compared."""
    body = executed()[name]
    return files.is_file(path) and files.start(path, len(body) + 1) == body


def differences(place: str | Path, forge: str | None = None) -> list[str]:
    """A line for each file of the desk that is another in a built site, in a folder or at an address; raises `Problems`.

    Its page may ask just this forge; without one, any that it says.
    """
    fetched = fetch if isinstance(place, str) else of_folder
    found = []
    for name in sorted(executed()):
        body = fetched(place, name)  # type: ignore[arg-type]  # each with its own kind of place
        if body is None:
            found.append(f"{name} is not there")
        elif body != as_published(name, forge or (forge_asked(body) if name == PAGE else DEFAULT)):
            found.append(f"{name} is not this package's")
    if not isinstance(place, str):
        more = (path.relative_to(place).as_posix() for path in Disk(place).files_below(place / DESK))
        found += [f"{name} is in no package" for name in more if name not in executed()]
    return found


def examine_site(place: str) -> list[tuple[bool, str]]:
    """Compares the order desk of a site, in a folder or at an address, with this package's: lines, each with True if it reports no fault."""
    web = place.startswith(("https://", "http://"))
    if not web and of_folder(Path(place), PAGE) is None:
        right = (
            "name a folder with a built site, as `courtly site` leaves it in public, or the address of a published one"
        )
        raise problem(place, "there is no site with an order desk here", right)
    found = differences(place if web else Path(place))
    judge = _examine_engine(place, web=web)
    if not found:
        page = fetch(place, PAGE) if web else of_folder(Path(place), PAGE)
        forge = forge_asked(page or b"")
        asks = "" if forge == DEFAULT else f"; what became of a sheet it asks {forge}"
        return [(True, f"the order desk of {place} is this package's: {digest()}{asks}"), *judge]
    hint = "the site may be built by another courtly: compare with the one that its .github/courtly.txt names"
    return [
        *((False, f"{place}: {line}") for line in found),
        (False, f"the order desk of {place} is not {digest()}; {hint}"),
        *judge,
    ]


def _examine_engine(place: str, *, web: bool) -> list[tuple[bool, str]]:
    """Compares the judge for browsers that a site serves with the one that is installed here; nothing for a site without one."""
    from adjudicator.site.engine import LIST, engine_files

    def served(name: str) -> bytes | None:
        return fetch(place, name) if web else of_folder(Path(place), name)

    said, own = served(LIST), engine_files()
    if said is None:
        return [(True, f"{place} has no judge for browsers, and one is installed here")] if own else []
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
    """A file of a published site; None if it is not there; raises `Problems` where nobody answers."""
    import urllib3

    try:
        answer = _pool().request("GET", f"{address.rstrip('/')}/{name}", preload_content=False)
        body: bytes = answer.read(LARGEST)
    except urllib3.exceptions.HTTPError as error:
        right = "give the site's own address, as https://anna.github.io/our-games/"
        raise problem(f"{address:.200}", f"no answer came for {name}: {error!s:.200}", right) from None
    return body if answer.status == 200 else None


@functools.cache
def _pool() -> urllib3.PoolManager:
    import urllib3

    return urllib3.PoolManager(timeout=30, retries=3)
