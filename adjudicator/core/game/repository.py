"""The only module that runs git. A repository cannot make git run a program, change its answers by settings, or make it fetch (RT-4).

Everything in `.git/config`, in attributes or in the environment may come from whoever made the folder: hooks, filters, `fsmonitor`,
programs that check signatures, replaced objects, another work tree. Commands state the settings they need themselves.
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
"""Overrides for a repository's settings that would make git run a program, or trust something."""
AT_HOME = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""Variables that prevent git from fetching missing objects, which would run programs that the repository names."""


WHO = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_ASKPASS", "GIT_CONFIG_")
"""Prefixes of variables that belong to the user, never to a repository: who commits, access to remotes, and settings."""


def git_environment(
    base: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    fetching: bool = False,
    as_user: bool = False,
) -> dict[str, str]:
    """The environment for git: without variables that point to other repositories, and with settings that override a repository's.

    `settings` are added to `SETTINGS`.

    `base` is the environment to begin with, by default this process's; `fetching` is for commands that contact a remote, `as_user` for
    those that commit under the caller's own name.
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
    """Run git in a folder; returns its output and exit status. Raises `FileNotFoundError` if git is not installed."""
    return subprocess.run(  # noqa: S603 - fixed words, hashes, our branch, checked paths, lines made plain
        ["git", "-C", str(folder), *arguments],  # noqa: S607 - whichever git there is
        env=git_environment() if environment is None else environment,
        capture_output=True,
        input=stdin,
        check=False,
    )


def git_batch(folder: Path) -> subprocess.Popen[bytes]:
    """Start a git process that prints, one after another, the objects whose names are written to it."""
    return subprocess.Popen(  # noqa: S603 - fixed words
        ["git", "-C", str(folder), "cat-file", "--batch"],  # noqa: S607 - whichever git there is
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # the caller reports what is missing
        env=git_environment(),
    )


def git_says(folder: Path, *arguments: str, fetching: bool = False) -> str:
    """The output of a git command in a folder; empty if git or the repository is missing, or the command failed."""
    try:
        done = git(folder, *arguments, environment=git_environment(fetching=fetching))
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
