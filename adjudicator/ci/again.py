"""Check in the history that an open turn was not judged before: if it was judged and put back by hand, everybody knows its keys."""

from __future__ import annotations

import re

from adjudicator.core.game.archive import OVER
from adjudicator.core.game.repository import git_says
from adjudicator.core.text.problems import Problem
from adjudicator.core.turn.data import Turn


def find_earlier_judging(turn: Turn) -> Problem | None:
    """A problem if the history shows that this very turn was judged before: its keys were published then, so its dice are known (FS-5).

    None without git or a repository. An incomplete clone knows only its part of the history.
    """
    places = _places(turn)
    for sha in git_says(
        turn.folder, "log", "--format=%H", "--full-history", "-m", "--", *places, fetching=True
    ).split():
        for place in places:
            was = git_says(turn.folder, "cat-file", "blob", f"{sha}:./{place}", fetching=True)
            if re.search(r"^status: resolved$", was, re.MULTILINE) and _attempt(was) == (turn.data.attempt or 1):
                what = f"this turn was already judged in commit {sha[:12]}, and its keys were published"
                right = "restore it as it was judged; `courtly undo` puts a turn back with new keys"
                return Problem(f"{turn.game.home}/{turn.name}/turn.yaml", 0, 0, what, right)
    return None


def _places(turn: Turn) -> list[str]:
    """The path of the turn's file now, and those it may have had earlier, relative to the turn's folder: a renamed game keeps its keys."""
    home, game = turn.game.home, turn.game
    up = "../" * (home.count("/") + 1)
    there = (f"games/{game.slug}", f"games/{game.name}", f"games/{OVER}/{game.slug}", f"games/{OVER}/{game.name}")
    before = [f"{up}{place.removeprefix('games/')}/{turn.name}/turn.yaml" for place in there if place != home]
    return ["turn.yaml", *dict.fromkeys(before)]


def _attempt(text: str) -> int:
    match = re.search(r"^attempt: ([0-9]{1,4})$", text, re.MULTILINE)
    return int(match[1]) if match is not None else 1
