"""Which sheets intake took in, by the messages of its commits: the others somebody added who may push (FS-14)."""

from __future__ import annotations

import re
from pathlib import Path

from adjudicator.core.game.repository import git_says

RECEIPT = re.compile(r"^Courtly-File: (\S+)\nCourtly-SHA256: ([0-9a-f]{64})$", re.MULTILINE)


def taken_in(root: Path) -> frozenset[tuple[str, str]] | None:
    """Path and SHA-256 of every file that a commit of intake brought into an archive.

    None where nobody can know: there is no git, no repository, or not its whole history; and where intake has taken in nothing
    at all, because the games are played by other ways. Who may push can forge such a message; the receipt on the pull request not.
    """
    if git_says(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        return None
    found = frozenset(RECEIPT.findall(git_says(root, "log", "--format=%B")))
    return found or None
