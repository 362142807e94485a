"""Sheets that intake took in, as its commit messages record. People with push access added the others (FS-14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from adjudicator.core.game.repository import git_says

RECEIPT = re.compile(
    r"^Courtly-File: (\S+)\nCourtly-SHA256: ([0-9a-f]{64})$(?:\n(?:Courtly-(?!Source)|Co-auth).*)*(?:\nCourtly-Source: (.+))?",
    re.MULTILINE,
)


def intake_receipts(root: Path) -> Mapping[tuple[str, str], str] | None:
    """Path and SHA-256 of every file that a commit of intake or of `courtly take` brought into an archive -> its source.

    None without git, a repository or its whole history, because then nobody can know. Also None if intake has never taken in
    anything, because the games are played in other ways. People with push access can forge such a message, but not the receipt
    on the pull request.
    """
    if git_says(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        return None
    found = RECEIPT.findall(git_says(root, "log", "--format=%B"))
    return {(path, digest): source for path, digest, source in reversed(found)} or None
