"""Which sheets intake took in, by the messages of its commits: the others somebody added who may push (FS-14)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

RECEIPT = re.compile(r"^Courtly-File: (\S+)\nCourtly-SHA256: ([0-9a-f]{64})$", re.MULTILINE)


def taken_in(root: Path) -> frozenset[tuple[str, str]] | None:
    """Path and SHA-256 of every file that a commit of intake brought into an archive.

    None where nobody can know: there is no git, no repository, or not its whole history; and where intake has taken in nothing
    at all, because the games are played by other ways. Who may push can forge such a message; the receipt on the pull request not.
    """
    if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        return None
    found = frozenset(RECEIPT.findall(_git(root, "log", "--format=%B")))
    return found or None


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            ["git", "--no-replace-objects", "-C", str(root), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
