"""What git says of a folder, for whoever can do without an answer."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_says(folder: Path, *arguments: str) -> str:
    """What a git command prints in a folder; nothing where there is no git, no repository, or no answer."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and hashes
            ["git", "--no-replace-objects", "-C", str(folder), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
