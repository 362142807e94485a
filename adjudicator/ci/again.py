"""Whether an open turn was judged before, by the history: a judged turn that was put back by hand has keys that everybody knows."""

from __future__ import annotations

import re

from adjudicator.core.game.repository import git_says
from adjudicator.core.text.problems import Problem
from adjudicator.core.turn.data import Turn


def find_earlier_judging(turn: Turn) -> Problem | None:
    """A problem if the history has this very turn judged: its keys were published then, and its dice are known (FS-5).

    None without git, a repository, or such a history: a clone that is not whole knows only what it has.
    """
    path = turn.folder / "turn.yaml"
    for sha in git_says(path.parent, "log", "--format=%H", "--full-history", "-m", "--", path.name).split():
        was = git_says(path.parent, "show", f"{sha}:./{path.name}")
        if re.search(r"^status: resolved$", was, re.MULTILINE) and _attempt(was) == (turn.data.attempt or 1):
            what = f"this turn was judged in commit {sha[:12]}, and its keys were published"
            right = "restore it as it was judged; `courtly undo` puts a turn back with new keys"
            return Problem(f"games/{turn.game.slug}/{turn.name}/turn.yaml", 0, 0, what, right)
    return None


def _attempt(text: str) -> int:
    match = re.search(r"^attempt: ([0-9]{1,4})$", text, re.MULTILINE)
    return int(match[1]) if match is not None else 1
