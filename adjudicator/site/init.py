"""A new archive repository for a group, from what the installed package carries: nobody has to fork the engine."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from adjudicator.core.game.archive import Archive, write_file
from adjudicator.core.game.game import CHARTER
from adjudicator.core.jobs.new import new_charter
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.unseen import kind, what
from adjudicator.core.text.yamltext import scalar
from adjudicator.core.turn.load import load_charter

LONGEST = 100
"""Characters that the title of a site may have."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}", re.ASCII)
ORIGIN = re.compile(r"git\+(https|file)://[A-Za-z0-9.-]+(:[0-9]+)?/[A-Za-z0-9._~/%+-]+@[0-9a-f]{40}", re.ASCII)
"""A commit of a repository, by an address that holds no password; `file://localhost/...`, since pip wants a host in each."""
WORKFLOWS = ("intake.yml", "catch-up.yml", "adjudicate.yml", "pages.yml")
ENGINE_ONLY = ("rulesets.md", "speed.md", "maps.md")
"""Pages about the engine itself, which a group's site does not need."""
IGNORED = (
    *("*master*", "!/games/*master*/", "!/games/*/**/*master*"),
    *("/public/", ".courtly.lock", ".courtly-*", "__pycache__/"),
)
"""What git leaves alone: what is built or unfinished, and a master secret; but not games, turns and seats with that word."""


def template() -> Path:
    """Where the files to copy are: in the installed package, or the repository it was installed from in place."""
    inside = Path(__file__).parent / "template"
    return inside if inside.is_dir() else Path(__file__).parent.parent.parent


def requirement(origin: str | None = None, kept: str = "") -> str:
    """What the workflows install: `origin`, or this very courtly, from where it was installed; raises `Problems`.

    One that was installed from a folder cannot be installed elsewhere: then what is `kept` from before stays.
    """
    if origin is not None:
        return f"courtly @ {origin}"
    try:
        installed = json.loads(distribution("courtly").read_text("direct_url.json") or "{}")
        if (vcs := installed.get("vcs_info")) and vcs.get("vcs") == "git":
            return f"courtly @ git+{installed['url']}@{vcs['commit_id']}"
        if installed and kept.startswith("courtly @ git+"):
            return kept.strip()
        return f"courtly=={version('courtly')}"
    except PackageNotFoundError:
        raise problem(
            "", "courtly is not installed as a package", "install it: python3 -m pip install courtly"
        ) from None


def machinery(required: str) -> dict[str, bytes]:
    """The files that come from the package and are brought up to date by another `courtly init`."""
    source = template()
    files: dict[str, bytes] = {}
    for name in WORKFLOWS:
        files[f".github/workflows/{name}"] = (source / ".github/workflows" / name).read_bytes()
    files[".github/courtly.txt"] = f"{required}\n".encode()
    files[".gitattributes"] = (source / ".gitattributes").read_bytes()
    for path in sorted((source / "site_src").rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.is_file() and path.name not in (*ENGINE_ONLY, "index.md"):
            files[name] = path.read_bytes()
    return files


def lost_pages(root: Path) -> list[str]:
    """The files of a group's site that are gone, and that another `courtly init` would write; empty without a site."""
    if not (root / "mkdocs.yml").is_file():
        return []
    source = template()
    names = (path.relative_to(source).as_posix() for path in (source / "site_src").rglob("*") if path.is_file())
    return sorted(name for name in names if not (root / name).exists() and Path(name).name not in ENGINE_ONLY)


def old_workflows(root: Path) -> list[str]:
    """Lines on the workflows of a group's repository that are not this courtly's; empty where `courtly init` wrote none."""
    if not (root / ".github/courtly.txt").is_file():
        return []
    lines = []
    for name in (f".github/workflows/{workflow}" for workflow in WORKFLOWS):
        path = root / name
        if not path.is_file():
            lines.append(f"{name} is missing: `courtly init` writes it again")
        elif path.read_bytes() != (template() / name).read_bytes():
            what = "is not what this courtly brings: it is older, newer or was edited"
            lines.append(f"{name} {what}; `courtly init` writes it again, then commit and push")
    return lines


def starters(title: str, repository: str | None) -> dict[str, bytes]:
    """The files that are the group's own from the first day, and are never touched again."""
    source = template()
    config = (source / "mkdocs.yml").read_text(encoding="utf-8")
    lines = [line for line in config.splitlines() if not any(line.endswith(f": {page}") for page in ENGINE_ONLY)]
    config = "\n".join(lines) + "\n"
    config = re.sub(r"^site_name:.*$", lambda _: f"site_name: {scalar(title)}", config, flags=re.MULTILINE)
    config = re.sub(r"^site_(url|description|author):.*\n", "", config, flags=re.MULTILINE)
    config = re.sub(r"^(repo_url|repo_name|edit_uri|copyright):.*\n", "", config, flags=re.MULTILINE)
    if repository:
        owner, _, name = repository.partition("/")
        config = config.replace("\n", f"\nsite_url: https://{owner.lower()}.github.io/{name}/\n", 1)
    home = (
        f"---\ntitle: Games\nhide: [navigation, toc]\n---\n\n# {markdown(title)}\n\n"
        "New here? Play [a first turn](desk.html#lesson/diplomacy/first), read [how to play](play.md), and write your orders at the [order desk](desk.html).\n\n"
        '<div id="courtly-games"></div>\n'
    )
    readme = (
        f"# {markdown(title)}\n\nGames played by pull request with Courtly. Each game is a folder below `games/`; sheets of "
        "orders come as pull\nrequests; at the deadline the workflow `adjudicate` judges them, and `pages` publishes the site.\n\n"
        "- Players: the page *Play* of the site says how to write, seal and send a sheet.\n"
        "- The host: the page *Host* says how to open games, and what each secret and permission is for.\n"
        "- Anybody: `courtly verify` judges everything again, to the byte. It runs nothing of this repository; `courtly site` runs what\n"
        "  mkdocs.yml names, and .github/courtly.txt installs what it names: read both first. The page *Trust* says what can be checked.\n"
    )
    return {
        "mkdocs.yml": config.encode(),
        "site_src/index.md": home.encode(),
        "README.md": readme.encode(),
    }


def markdown(text: str) -> str:
    """A title in Markdown, whatever is in it: each sign by number, since not every reader of Markdown takes a backslash."""
    return re.sub(r"[!-/:-@\[-`{-~]", lambda sign: f"&#{ord(sign[0])};", text)


def check(title: str, repository: str | None, origin: str | None) -> None:
    """Raises `Problems` for an unreadable title, a malformed repository name, and an origin that names no commit."""
    faults = [Problem("--title", 0, 0, what(char), "leave it out") for char in sorted({*title}) if kind(char)]
    if not title.strip():
        faults.append(Problem("--title", 0, 0, "the title is empty", "say what the site is called"))
    if len(title) > LONGEST:
        faults.append(
            Problem("--title", 0, 0, f"the title has {len(title)} characters", f"at most {LONGEST} are allowed")
        )
    if repository is not None and not NAME.fullmatch(repository):
        faults.append(Problem("--repository", 0, 0, f"{repository!r:.80} is no repository", "write it like OWNER/NAME"))
    if origin is not None and not ORIGIN.fullmatch(origin):
        right = (
            "write it like git+https://github.com/OWNER/NAME@COMMIT, with all 40 digits: a branch or a tag can be moved"
        )
        faults.append(Problem("--from", 0, 0, f"{origin!r:.200} names no commit that anybody could fetch", right))
    if faults:
        raise Problems(faults)


def gitignore_text(path: Path) -> bytes:
    """`.gitignore` with the missing lines below the group's own; a line that the group commented out stays out."""
    text = path.read_bytes() if path.is_file() else b""
    said = {line.strip().lstrip(b"# ") for line in text.splitlines()}
    missing = "".join(f"{line}\n" for line in IGNORED if line.encode() not in said).encode()
    return (text if not text or text.endswith(b"\n") else text + b"\n") + missing if missing else text


def init(root: Path, title: str, repository: str | None, origin: str | None = None) -> tuple[list[str], bool]:
    """Makes or brings up to date an archive repository in a folder: the files written, and whether it is a new one.

    Files of the package are replaced by today's; the group's own are written once; games are never touched.
    """
    check(title, repository, origin)
    pinned = root / ".github/courtly.txt"
    required = requirement(origin, pinned.read_text(encoding="utf-8", errors="replace") if pinned.is_file() else "")
    archive = Archive(root)
    if repository is not None and (charter := load_charter(archive)) is not None and charter.repository != repository:
        lives = f"lives in {charter.repository}" if charter.repository else "names no repository"
        right = f"write `repository: {repository}` there, and its address as `site_url:` into mkdocs.yml"
        raise problem("--repository", f"{CHARTER} {lives}", right)
    written = []
    new = not (root / "games").is_dir()
    for name, body in starters(title, repository).items():
        if not (root / name).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(root / name, body)
            written.append(name)
    for name, body in {".gitignore": gitignore_text(root / ".gitignore"), **machinery(required)}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if write_file(root / name, body):
            written.append(name)
    if new_charter(archive, repository):
        written.append("games/archive.yaml")
    return written, new
