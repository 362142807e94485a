"""The one door to git. No program runs that a repository names, no setting of it bends an answer, and nothing is fetched unawares (RT-4).

Whatever lies in `.git/config`, in attributes or in the environment was written by whoever made the folder: hooks, filters, `fsmonitor`,
signatures that a program is to check, replaced objects, another work tree. What a command needs of that it says itself.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.untrackedCache": "false",
    "core.pager": "cat",
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "diff.external": "",
    "log.showSignature": "false",
    "commit.gpgSign": "false",
    "protocol.ext.allow": "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
"""What goes before a repository's own settings, which would have git run a program, or believe something."""
AT_HOME = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""No object that is missing is fetched, which runs what the repository names for it."""


WHO = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_ASKPASS", "GIT_CONFIG_")
"""How the variables begin that say who commits, how they reach a remote, and what they set: the user's own, and of no repository."""


def git_environment(
    base: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    fetching: bool = False,
    as_user: bool = False,
) -> dict[str, str]:
    """The environment for git: nothing of it points elsewhere, and these settings go before a repository's.

    `base` is the environment to begin with, this process's if none is given; `fetching` is for what asks a remote, `as_user` for what
    whoever calls commits under their own name.
    """
    plain = {
        key: value
        for key, value in (base or os.environ).items()
        if not key.startswith("GIT_") or (as_user and key.startswith(WHO))
    }
    count = int(plain["GIT_CONFIG_COUNT"]) if plain.get("GIT_CONFIG_COUNT", "").isdecimal() else 0
    for number, (key, value) in enumerate({**SETTINGS, **(settings or {})}.items(), count):
        plain |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        plain["GIT_CONFIG_COUNT"] = str(number + 1)
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    return plain | quiet | {"GIT_GRAFT_FILE": os.devnull} | ({} if fetching else AT_HOME)


def git(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, stdin: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs git in a folder; gives what it printed and its exit status. Raises `FileNotFoundError` where there is no git."""
    return subprocess.run(  # noqa: S603 - fixed words, hashes, our branch, checked paths, lines made plain
        ["git", "-C", str(folder), *arguments],  # noqa: S607 - whichever git there is
        env=git_environment() if environment is None else environment,
        capture_output=True,
        input=stdin,
        check=False,
    )


def git_batch(folder: Path) -> subprocess.Popen[bytes]:
    """A git that gives one object after another, by the names that are written to it."""
    return subprocess.Popen(  # noqa: S603 - fixed words
        ["git", "-C", str(folder), "cat-file", "--batch"],  # noqa: S607 - whichever git there is
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # the caller reports what is missing
        env=git_environment(),
    )


def git_says(folder: Path, *arguments: str, fetching: bool = False) -> str:
    """What a git command prints in a folder; empty where there is no git, no repository, or no answer."""
    try:
        done = git(folder, *arguments, environment=git_environment(fetching=fetching))
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
