"""What only the history can prove: that a turn's secrets were committed to before it was judged, and no sheet was exchanged."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from adjudicator.core.problems import Problem, Problems, problem
from adjudicator.core.yamltext import OWN_LIMIT, Plain, read

COMMIT = re.compile(r"[0-9a-f]{40,64}")
TURN = re.compile(r"games/[^/]+/[^/]+/turn\.yaml")
SHEET = re.compile(r"games/[^/]+/[^/]+/orders/[^/]+\.yaml(\.age)?")


def check_history(root: Path) -> tuple[int, list[Problem]]:
    """How many judged turns are seen to have been committed to while they were open; and what speaks against any.

    Raises `Problems` when this is no git repository with its whole history.
    """
    if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        raise problem(str(root), "the history is not whole", "clone again without --depth, or `git fetch --unshallow`")
    faults: list[Problem] = []
    first: dict[str, str] = {}
    for commit, letter, path in _changes(root):
        if TURN.fullmatch(path) and letter == "A":
            first.setdefault(path, commit)
        elif SHEET.fullmatch(path) and letter in "MDT":
            done = {"M": "changed", "D": "removed", "T": "changed"}[letter]
            faults.append(
                Problem(path, 0, 0, f"this sheet was {done} in commit {commit[:12]}", "sheets are only ever added")
            )
    proved = 0
    for path, commit in sorted(first.items()):
        now = root / path
        if not now.is_file():
            faults.append(Problem(path, 0, 0, "this turn was removed since", f"it was opened in commit {commit[:12]}"))
            continue
        was, is_ = _secrets(_git(root, "show", f"{commit}:{path}").encode(), path), _secrets(now.read_bytes(), path)
        if was["status"] != "open" or is_["status"] == "open":
            continue
        when = f"commit {commit[:12]}, when the turn opened"
        changed = [name for name in ("commitment", "recipient", "setup") if was[name] != is_[name]]
        faults.extend(Problem(path, 0, 0, f"the {name} is not the one of {when}") for name in changed)
        proved += 1
    return proved, faults


def _secrets(source: bytes, path: str) -> dict[str, Plain]:
    data = read(source, path, limit=OWN_LIMIT).data
    plain = data if isinstance(data, dict) else {}

    def inner(key: str, name: str) -> Plain:
        part = plain.get(key)
        return part.get(name) if isinstance(part, dict) else None

    return {
        "status": plain.get("status"),
        "commitment": inner("dice", "commitment"),
        "recipient": inner("seal", "recipient"),
        "setup": inner("setup", "commitment"),
    }


def _changes(root: Path) -> Iterator[tuple[str, str, str]]:
    """Every change below `games/`, oldest first: commit, letter, path."""
    said = _git(root, "log", "--reverse", "--no-renames", "--name-status", "-z", "--format=%H", "--", "games")
    commit, words = "", [word.strip("\n") for word in said.split("\0")]
    at = 0
    while at < len(words):
        word = words[at]
        if COMMIT.fullmatch(word):
            commit = word
        elif re.fullmatch(r"[AMDT]", word) and at + 1 < len(words):
            yield commit, word, words[at + 1]
            at += 1
        at += 1


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and hashes
            ["git", "-C", str(root), "-c", "core.quotepath=off", *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise problem("", "git is not installed", "install it, or leave out --history") from None
    if done.returncode:
        raise Problems([Problem(str(root), 0, 0, "this is no git repository with commits", "leave out --history")])
    return done.stdout.decode("utf-8", "replace")
