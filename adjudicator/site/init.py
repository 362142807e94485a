"""A new archive repository for a group, from the files of the installed package: nobody has to fork the engine."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.places import own_text, read_named, read_own, scratch
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT, GITHUB
from adjudicator.core.game.game import CHARTER
from adjudicator.core.jobs.new import new_charter
from adjudicator.core.jobs.pin import INSTALL, PINNED, PINNED_SITE, installed, pinned
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.unseen import kind, what
from adjudicator.core.text.yamltext import read, scalar
from adjudicator.core.turn.load import load_charter
from adjudicator.site.shipped import ENGINE_ONLY, HOME, SITE, template

TITLE = "Our games"
"""Title of a site that nobody named."""
LONGEST = 100
"""Greatest length of a site's title, in characters."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}", re.ASCII)
ORIGIN = re.compile(r"git\+(https|file)://[A-Za-z0-9.-]+(:[0-9]+)?/[A-Za-z0-9._~/%+-]+@[0-9a-f]{40}", re.ASCII)
"""The address of a commit, without a password. A local one is `file://localhost/...`, because pip requires a host."""
WORKFLOWS = ("intake.yml", "catch-up.yml", "adjudicate.yml", "pages.yml")
LOCKS = Path(__file__).parent / "locks"
NAMED = f"name a commit that anybody can fetch: --from git+{DEFAULT}/OWNER/NAME@COMMIT"
FILES = (
    (
        *("--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.13", "--abi", "cp313", "--abi", "none"),
        *("--platform", "manylinux_2_17_x86_64", "--platform", "manylinux_2_28_x86_64", "--platform", "manylinux_2_34_x86_64"),
    ),
    ("--only-binary", ":all:", "--implementation", "py", "--python-version", "3.13", "--abi", "none", "--platform", "any"),
)  # fmt: skip
"""Options for pip that fetch a release's wheels: the one for GitHub's runner, and the one for any machine."""
IGNORED = (
    *("*master*", "!/games/*master*/", "!/games/*/**/*master*"),
    *("/public/", ".courtly.lock", ".courtly-*", "__pycache__/"),
)
"""Files that git ignores: built and unfinished ones, and a master secret, but not games, turns and seats whose names contain
`master`."""


def requirement(origin: str | None, kept: str) -> str | None:
    """The lines of `.github/courtly.txt` that name a version of courtly; raises `Problems` if others could not install that version.

    With `origin`, they name its commit. Otherwise they name the version that runs here, if it was installed from a commit or is a
    release that pip finds. If it is neither, but the file already names a version, the result is None, and the file keeps its lines.
    """
    here = installed()
    if origin is None and here is None:
        if pinned(kept) is not None and "--hash=sha256:" in kept:
            return None
        raise problem("--from", "this courtly was installed from a folder or a file, which nobody else has", NAMED)
    if origin is not None:
        commit = origin.rpartition("@")[2]
        if here is not None and here.commit != commit:
            right = f'install that one first: python3 -m pip install "courtly @ {origin}"'
            raise problem(
                "--from", f"{here} runs here, and `courtly init` writes the package versions that belong to it", right
            )
        return f"{INSTALL}courtly @ {origin}\n"
    assert here is not None
    if here.commit:
        origin = f"git+{here.address}@{here.commit}"
        if not ORIGIN.fullmatch(origin):
            raise problem("--from", "this courtly was installed from an address that others cannot use", NAMED)
        return f"{INSTALL}courtly @ {origin}\n"
    hashes = release_hashes(here.version)
    return f"courtly=={here.version}" + "".join(f" \\\n    --hash=sha256:{one}" for one in hashes) + "\n"


def release_hashes(number: str) -> list[str]:
    """SHA-256 of the wheels of a release that pip takes for GitHub's runner; raises `Problems` if pip finds none, or different code.

    A name proves nothing, because anybody may own it on an index. So pip must find exactly the code that runs here. Source archives
    are left out, because pip would run them in order to inspect them.
    """
    said = ""
    with scratch() as files:
        folder = str(files.root)
        for options in FILES:
            words = ["-P", "-m", "pip", "download", "--quiet", "--no-input", "--no-deps", "--dest", folder, *options]
            done = subprocess.run(  # noqa: S603 - fixed words and the version of this package
                [sys.executable, *words, f"courtly=={number}"], cwd=folder, capture_output=True, text=True, check=False
            )
            said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), said)
        found = files.paths(files.root)
        if not found:
            raise problem("--from", f"pip finds no release {number} of courtly to name here: {said:.200}", NAMED)
        if other := [path.name for path in found if not is_this(path)]:
            raise problem("--from", f"pip finds {', '.join(other)}, but that is not the courtly that runs here", NAMED)
        return sorted({hashlib.sha256(files.read(path)).hexdigest() for path in found})


def is_this(wheel: Path, package: Path = Path(__file__).parents[1]) -> bool:
    """True if a wheel has exactly the modules that run here."""
    here = {
        path.relative_to(package.parent).as_posix(): read_own(path)
        for path in Own(package).files_below(package)
        if path.suffix == ".py"
    }
    try:
        with zipfile.ZipFile(io.BytesIO(read_named(wheel))) as file:
            names = [name for name in file.namelist() if name.endswith((".py", ".pth"))]
            return sorted(names) == sorted(here) and all(file.read(name) == here[name] for name in names)
    except (zipfile.BadZipFile, OSError):
        return False


def lock_text(courtly: str | None) -> str:
    """`.github/courtly.txt` with the lines that name courtly; for None, `.github/courtly-site.txt` without them."""
    name = "courtly.txt" if courtly is not None else "courtly-site.txt"
    lock = own_text(LOCKS / name)
    about = "What the workflows install" if courtly is not None else "What the site is built with, beside courtly.txt"
    return f"# {about}, each by its hash. `courtly init` wrote this; after an update it writes it again.\n{lock}{courtly or ''}"


ENGINE = re.compile(r"^[ \t]*(?:(?i:courtly[-_.]engine)\b|\S*courtly_engine-)(?:[^\n]*\\\n)*[^\n]*\n?", re.MULTILINE)
"""The entry for the judge for browsers in a lock file; a group adds it itself."""


def engine_entry(root: Path) -> str:
    """The entry for the judge for browsers in a group's `.github/courtly-site.txt`; empty if there is none."""
    files, path = Disk(root), root / PINNED_SITE
    found = ENGINE.search(files.text(path)) if files.is_file(path) else None
    return found[0].removesuffix("\n") + "\n" if found is not None else ""


def machinery(required: str | None, engine: str = "") -> dict[str, bytes]:
    """The files from the package that another `courtly init` brings up to date; `engine` comes from `engine_entry`."""
    source = template()
    files: dict[str, bytes] = {}
    for name in WORKFLOWS:
        files[f".github/workflows/{name}"] = read_own(source / ".github/workflows" / name)
    if required is not None:
        files[PINNED] = lock_text(required).encode()
        files[PINNED_SITE] = (lock_text(None) + engine).encode()
    files[".gitattributes"] = read_own(source / ".gitattributes")
    return files


def take_out(root: Path) -> tuple[list[str], list[str]]:
    """Removes files that an older version of courtly copied into a group's repository and that now come with the package.

    Returns the names of the removed files, and of those that differ from this package's. The latter are kept, because
    somebody may have edited them.
    """
    here, source = root / SITE, template() / SITE
    gone: list[str] = []
    other: list[str] = []
    files = Disk(root)
    if not files.is_folder(here) or here.resolve() == source.resolve():
        return gone, other
    for path in Own(source).files_below(source):
        name = path.relative_to(source).as_posix()
        copy = here / name
        if name.startswith((*ENGINE_ONLY, HOME)) or not (Own(root).exists(copy) or files.is_link(copy)):
            continue
        if not files.is_file(copy) or files.read(copy) != read_own(path):  # a link leads to a file of somebody else
            other.append(f"{SITE}/{name}")
            continue
        files.remove(copy)
        gone.append(f"{SITE}/{name}")
        for above in copy.parents:
            if above == here or files.names(above):
                break
            files.remove(above)
    return gone, other


def lost_pages(root: Path) -> list[str]:
    """Files that are missing from a group's site and that another `courtly init` would write; empty without a site."""
    home = f"{SITE}/{HOME}"
    files = Disk(root)
    return [home] if files.is_file(root / "mkdocs.yml") and not files.exists(root / home) else []


def old_workflows(root: Path) -> list[str]:
    """A line for each workflow of a group's repository that is missing or differs from this version's; empty if `courtly init` wrote none."""
    files = Disk(root)
    if not files.is_file(root / ".github/courtly.txt"):
        return []
    lines = []
    for name in (f".github/workflows/{workflow}" for workflow in WORKFLOWS):
        path = root / name
        if not files.is_file(path):
            lines.append(f"{name} is missing; write it again with `courtly init`")
        elif files.read(path) != read_own(template() / name):
            what = "differs from this courtly's: it is older or newer, or it was edited"
            lines.append(f"{name} {what}; write it again with `courtly init`, then commit and push")
    return lines


def starters(title: str, repository: str | None) -> dict[str, bytes]:
    """The files that belong to the group from the first day and are never touched again."""
    source = template()
    config = own_text(source / "mkdocs.yml")
    lines = [line for line in config.splitlines() if not any(f": {page}" in line for page in ENGINE_ONLY)]
    config = "\n".join(lines) + "\n"
    config = re.sub(r"^site_name:.*$", lambda _: f"site_name: {scalar(title)}", config, flags=re.MULTILINE)
    config = re.sub(r"^site_(url|description|author):.*\n", "", config, flags=re.MULTILINE)
    config = re.sub(r"^(repo_url|repo_name|edit_uri|copyright):.*\n", "", config, flags=re.MULTILINE)
    if repository:
        owner, _, name = repository.partition("/")
        config = config.replace("\n", f"\nsite_url: {GITHUB.pages.format(owner=owner.lower(), name=name)}\n", 1)
    home = (
        f"---\ntitle: Games\nhide: [navigation, toc]\n---\n\n# {markdown(title)}\n\n"
        "Our games, and the seats that you can take. Everybody writes secret orders, and at the deadline all of them are carried out at once.\n\n"
        '<div id="courtly-games"></div>\n'
    )
    readme = (
        f"# {markdown(title)}\n\nGames played by pull request with Courtly. Each game is a folder below `games/`; sheets of "
        "orders come as pull\nrequests or issues, which `intake` and `catch-up` take in; at the deadline `adjudicate` judges them, and `pages` "
        "publishes the site.\n\n"
        "- Players: the site's *Play* page explains how to write, seal and send a sheet.\n"
        "- The host: its *Host* page explains how to open games, and what each secret and permission is for.\n"
        "- Anybody: `courtly verify` judges everything again, to the byte. It runs nothing from this repository; `courtly site` runs what\n"
        "  mkdocs.yml names, and .github/courtly.txt installs what it names: read both first. The *Trust* page lists what can be checked.\n"
    )
    return {
        "mkdocs.yml": config.encode(),
        "site_src/index.md": home.encode(),
        "README.md": readme.encode(),
    }


def markdown(text: str) -> str:
    """A title in Markdown, with punctuation marks as character references, because not every reader of Markdown accepts backslashes."""
    return re.sub(r"[!-/:-@\[-`{-~]", lambda sign: f"&#{ord(sign[0])};", text)


def check(title: str, repository: str | None, origin: str | None) -> None:
    """Raises `Problems` for an unusable title, a malformed repository name, or an origin that names no commit."""
    faults = [Problem("--title", 0, 0, what(char), "leave it out") for char in sorted({*title}) if kind(char)]
    if not title.strip():
        faults.append(Problem("--title", 0, 0, "the title is empty", "write what the site is called"))
    if len(title) > LONGEST:
        faults.append(
            Problem("--title", 0, 0, f"the title has {len(title)} characters", f"at most {LONGEST} are allowed")
        )
    if repository is not None and not NAME.fullmatch(repository):
        faults.append(
            Problem("--repository", 0, 0, f"{repository!r:.80} is not a repository", "write it like OWNER/NAME")
        )
    if origin is not None and not ORIGIN.fullmatch(origin):
        right = f"write it like git+{DEFAULT}/OWNER/NAME@COMMIT, with all 40 digits: a branch or a tag can be moved"
        faults.append(Problem("--from", 0, 0, f"{origin!r:.200} names no commit that anybody could fetch", right))
    if faults:
        raise Problems(faults)


def gitignore_text(text: bytes) -> bytes:
    """`.gitignore` with the missing lines below the group's lines; a line that the group commented out stays out."""
    said = {line.strip().lstrip(b"# ") for line in text.splitlines()}
    missing = "".join(f"{line}\n" for line in IGNORED if line.encode() not in said).encode()
    return (text if not text or text.endswith(b"\n") else text + b"\n") + missing if missing else text


@dataclass(frozen=True, slots=True)
class Made:
    """The outcome of `init` in a folder."""

    new: bool
    """True if the folder had no archive before."""
    written: list[str]
    removed: list[str]
    """Copies of the package's files that an older version of courtly put there."""
    other: list[str]
    """Files that have the names of such copies but different contents."""
    pin: str
    """The version of courtly that the workflows install, in words."""
    remark: str
    """How to do by hand the part that `init` left undone; empty if it did everything."""


def init(root: Path, title: str | None, repository: str | None, origin: str | None = None) -> Made:
    """Makes an archive repository in a folder or brings it up to date; raises `Problems` before anything is written.

    Files that come from the package are replaced by its current ones. The group's files are written once. Games are never touched.
    """
    named = title if title is not None else TITLE
    check(named, repository, origin)
    archive = Archive(root)
    files = archive.files
    kept = files.text(root / PINNED) if files.is_file(root / PINNED) else ""
    required = requirement(origin, kept)
    if repository is not None and (charter := load_charter(archive)) is not None and charter.repository != repository:
        lives = f"names {charter.repository}" if charter.repository else "names no repository"
        right = f"write `repository: {repository}` there, and the site's address as `site_url:` into mkdocs.yml"
        raise problem("--repository", f"{CHARTER} {lives}", right)
    new = not files.is_folder(root / "games")
    written = [CHARTER] if new_charter(archive, repository) else []
    for name, body in starters(named, repository).items():
        if not files.exists(root / name):
            files.make((root / name).parent)
            files.write(root / name, body)
            written.append(name)
    left_out = files.read(root / ".gitignore") if files.is_file(root / ".gitignore") else b""
    for name, body in {".gitignore": gitignore_text(left_out), **machinery(required, engine_entry(root))}.items():
        files.make((root / name).parent)
        if files.write(root / name, body):
            written.append(name)
    removed, other = take_out(root)
    remark = ""
    if title is not None and title not in titles(root):
        remark = "The title was not changed: it is in mkdocs.yml, which is yours. Edit `site_name:` there."
    return Made(new, written, removed, other, str(pinned(files.text(root / PINNED))), remark)


def titles(root: Path) -> set[str]:
    """The title in mkdocs.yml, both as written and as YAML reads it."""
    text = Disk(root).text(root / "mkdocs.yml")
    found: set[str] = set()
    for said in re.findall(r"^site_name:[ \t]*(.*?)[ \t]*$", text, re.MULTILINE):
        found.add(said)
        with contextlib.suppress(Problems):
            data = read(f"name: {said}\n".encode(), "mkdocs.yml").data
            found |= {str(value) for value in data.values()} if isinstance(data, dict) else set()
    return found
