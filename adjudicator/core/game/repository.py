"""Answers of git about a folder, for callers that can do without one. No program runs that the repository names (RT-4)."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.untrackedCache": "false",
    "core.pager": "cat",
    "diff.external": "",
}
"""What a repository's own settings would have git run, or believe."""


def git_environment(filters: tuple[str, ...] = ()) -> dict[str, str]:
    """The environment for git: nothing of it points elsewhere, and `SETTINGS` and the settings of these filters go before the repository's."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    settings = [*SETTINGS.items(), *((key, "") for key in filters)]
    for number, (key, value) in enumerate(settings):
        plain |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return plain | {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def git_says(folder: Path, *arguments: str) -> str:
    """What a git command prints in a folder; empty where there is no git, no repository, or no answer."""
    return _run(folder, _filters(folder) if arguments[0] == "status" else (), *arguments)


@functools.lru_cache(maxsize=64)
def _filters(folder: Path) -> tuple[str, ...]:
    """The settings by which files would be sent through programs when git looks at them."""
    named = _run(folder, (), "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$")
    return tuple(sorted({name for name in named.split("\0") if name}))


def _run(folder: Path, filters: tuple[str, ...], *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and hashes
            ["git", "--no-replace-objects", "-C", str(folder), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
            env=git_environment(filters),
        )
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
