"""A new archive repository for a group, from what the installed package carries: nobody has to fork the engine."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from adjudicator.core.archive import Archive, write_file
from adjudicator.core.enter import new_charter
from adjudicator.core.game import CHARTER
from adjudicator.core.problems import problem
from adjudicator.core.turn import load_charter

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}", re.ASCII)
WORKFLOWS = ("intake.yml", "adjudicate.yml", "pages.yml")
ENGINE_ONLY = ("rulesets.md", "speed.md", "maps.md")
"""Pages about the engine itself, which a group's site has no use for."""


def template() -> Path:
    """Where the files to copy are: in the installed package, or the repository it was installed from in place."""
    inside = Path(__file__).parent / "template"
    return inside if inside.is_dir() else Path(__file__).parent.parent.parent


def requirement() -> str:
    """What the workflows install: this very courtly, from where it was installed."""
    try:
        origin = json.loads(distribution("courtly").read_text("direct_url.json") or "{}")
        if (vcs := origin.get("vcs_info")) and vcs.get("vcs") == "git":
            return f"courtly @ git+{origin['url']}@{vcs['commit_id']}"
        return f"courtly=={version('courtly')}"
    except PackageNotFoundError:
        raise problem(
            "", "courtly is not installed as a package", "install it: python3 -m pip install courtly"
        ) from None


def machinery() -> dict[str, bytes]:
    """The files that come from the package and are brought up to date by another `courtly init`."""
    source = template()
    files: dict[str, bytes] = {}
    for name in WORKFLOWS:
        files[f".github/workflows/{name}"] = (source / ".github/workflows" / name).read_bytes()
    files[".github/courtly.txt"] = f"{requirement()}\n".encode()
    files[".gitattributes"] = (source / ".gitattributes").read_bytes()
    for path in sorted((source / "site_src").rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.is_file() and path.name not in (*ENGINE_ONLY, "index.md"):
            files[name] = path.read_bytes()
    return files


def lost_pages(root: Path) -> list[str]:
    """The files of a group's site that are gone though another `courtly init` would write them; none where there is no site."""
    if not (root / "mkdocs.yml").is_file():
        return []
    source = template()
    names = (path.relative_to(source).as_posix() for path in (source / "site_src").rglob("*") if path.is_file())
    return sorted(name for name in names if not (root / name).exists() and Path(name).name not in ENGINE_ONLY)


def starters(title: str, repository: str | None) -> dict[str, bytes]:
    """The files that are the group's own from the first day, and are never touched again."""
    source = template()
    config = (source / "mkdocs.yml").read_text(encoding="utf-8")
    lines = [line for line in config.splitlines() if not any(line.endswith(f": {page}") for page in ENGINE_ONLY)]
    config = "\n".join(lines) + "\n"
    config = re.sub(
        r"^site_name:.*$", f"site_name: {json.dumps(title, ensure_ascii=False)}", config, flags=re.MULTILINE
    )
    config = re.sub(r"^site_(url|description|author):.*\n", "", config, flags=re.MULTILINE)
    config = re.sub(r"^(repo_url|repo_name|edit_uri|copyright):.*\n", "", config, flags=re.MULTILINE)
    if repository:
        owner, _, name = repository.partition("/")
        config = config.replace("\n", f"\nsite_url: https://{owner.lower()}.github.io/{name}/\n", 1)
    home = (
        f"---\ntitle: Games\nhide: [navigation, toc]\n---\n\n# {markdown(title)}\n\n"
        "New here? Read [how to play](play.md), and write your orders at the [order desk](desk.html).\n\n"
        '<div id="courtly-games"></div>\n'
    )
    readme = (
        f"# {markdown(title)}\n\nGames played by pull request with Courtly. Each game is a folder below `games/`; sheets of "
        "orders come as pull\nrequests; at the deadline the workflow `adjudicate` judges them, and `pages` publishes the site.\n\n"
        "- Players: the page *Play* of the site says how to write, seal and send a sheet.\n"
        "- The host: the page *Host* says how to open games, and what each secret and permission is for.\n"
        "- Anybody: `pip install -r .github/courtly.txt && courtly verify` judges everything again, to the byte.\n"
    )
    return {
        "mkdocs.yml": config.encode(),
        "site_src/index.md": home.encode(),
        "README.md": readme.encode(),
        ".gitignore": b"/public/\n.courtly.lock\n.courtly-*\n__pycache__/\n",
    }


def markdown(text: str) -> str:
    """A title as Markdown shows it, whatever is in it."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|])", r"\\\1", " ".join(text.split()))


def init(root: Path, title: str, repository: str | None) -> tuple[list[str], bool]:
    """Makes or brings up to date an archive repository in a folder: the files written, and whether it is a new one.

    Files of the package are replaced by today's; the group's own are written once; games are never touched.
    """
    if repository is not None and not NAME.fullmatch(repository):
        raise problem("--repository", f"{repository!r:.80} is no repository", "write it like OWNER/NAME")
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
    for name, body in machinery().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if write_file(root / name, body):
            written.append(name)
    if new_charter(archive, repository):
        written.append("games/archive.yaml")
    return written, new
