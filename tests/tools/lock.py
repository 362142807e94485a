"""Writes the locks that `courtly init` gives to groups, and this project's own: `nox -s lock`.

Each names one version of every package, with the hashes of all its files, for Python 3.11 and later on any machine. The
first has the packages that courtly needs and those that build it; the second adds those that a site and its pictures need.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from adjudicator.core.jobs.pin import INSTALL, PINNED, PINNED_SITE
from adjudicator.site.init import LOCKS, lock_text

ROOT = Path(__file__).parents[2]
OPTIONS = (
    "--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-emit-find-links",
    "--no-header", "--no-annotate", "--quiet",
)  # fmt: skip


def compiled(wanted: list[str], folder: Path, before: str = "") -> str:
    """A lock of these packages that keeps the versions in the lock `before`."""
    (folder / "wanted.in").write_text("\n".join(wanted) + "\n", encoding="utf-8")
    (folder / "before.txt").write_text(before, encoding="utf-8")
    made = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS, "-c", "before.txt", "wanted.in"],
        cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return made.stdout


def entries(lock: str) -> list[str]:
    """Each package of a lock, with its hashes."""
    return [entry.strip() + "\n" for entry in lock.replace("\n    ", "\0").split("\n") if entry.strip()]


def main() -> None:
    """Writes locks with the newest versions that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lean = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    with tempfile.TemporaryDirectory() as folder:
        first = compiled(lean, Path(folder))
        extras = project["project"]["optional-dependencies"]
        both = compiled([*lean, *extras["site"], *extras["pictures"]], Path(folder), first)
    more = [entry for entry in entries(both) if entry not in entries(first)]
    locks = {"courtly.txt": first, "courtly-site.txt": "".join(more).replace("\0", "\n    ")}
    for name, text in locks.items():
        (ROOT / LOCKS / name).write_text(text, encoding="utf-8", newline="\n")
    for name, text in ((PINNED, lock_text(f"{INSTALL}.\n")), (PINNED_SITE, lock_text(None))):
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
