"""The files of a game's turns as its site publishes them, for a page that judges them again: `files.json` beside the pages.

Only what anybody may know: nothing of a game with hidden information before it is over, and of an open turn no sheet.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from adjudicator.core.game.game import CHARTER, KEPT
from adjudicator.core.game.join import FOLDER as JOIN
from adjudicator.core.turn.data import Turn
from adjudicator.site.story import Story

PACK = "files.json"
LEFT_OUT = ("map.svg", "README.md")
"""Files of a turn that judging it needs nothing of: the map's digest is enough."""


def can_be_judged(story: Story) -> bool:
    """Whether a reader can judge turns of a game again now: it is played here, and nothing of it is hidden still."""
    return not story.record and (story.game.ruleset.secrecy is None or story.ending is not None)


def judged_again(story: Story, turn: Turn) -> bool:
    """Whether a reader can judge a turn again: it is finished, and does not merely stand as it was played."""
    stands = turn.name in (story.game.data.as_played or {})
    return can_be_judged(story) and turn.data.status == "resolved" and not stands


def _text(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"


def _bodies(story: Story, paths: Iterable[Path]) -> dict[str, str | dict[str, str]]:
    """Path from the archive's root -> what the file holds, as text, or as `{base64: ...}` where it is none."""
    files, found = story.archive.files, {}
    for path in sorted(paths):
        data, name = files.read(path), path.relative_to(story.archive.root).as_posix()
        try:
            body: str | dict[str, str] = data.decode()
        except UnicodeDecodeError:
            body = {"base64": base64.b64encode(data).decode()}
        found[name] = body
    return found


def game_pack(story: Story) -> str:
    """What a game's own folder holds beside its turns, and the archive's charter, as JSON."""
    files, folder = story.archive.files, story.archive.game_folder(story.game.slug)
    kept = (JOIN, KEPT)
    own = [path for path in files.paths(folder) if files.is_file(path) and path.name not in LEFT_OUT]
    own += [path for name in kept if files.is_folder(folder / name) for path in files.files_below(folder / name)]
    charter = story.archive.root / CHARTER
    own += [charter] if files.is_file(charter) else []
    game = story.game
    return _text(
        {"slug": game.slug, "title": game.title, "ruleset": game.ruleset.about.slug, "files": _bodies(story, own)}
    )


def turn_pack(story: Story, index: int) -> str:
    """The files of a turn, and the SHA-256 of its map, as JSON."""
    files, turn = story.archive.files, story.turns[index]
    own = [turn.folder / name for name in ("turn.yaml", "ruling.yaml") if files.is_file(turn.folder / name)]
    if turn.data.status != "open":
        own = [
            path
            for path in files.files_below(turn.folder)
            if path.name not in LEFT_OUT and "dispatches" not in path.relative_to(turn.folder).parts
        ]
    drawn = turn.folder / "map.svg"
    after = story.turns[index + 1].name if index + 1 < len(story.turns) else None
    said = {
        "phase": turn.data.phase,
        "map": hashlib.sha256(files.read(drawn)).hexdigest() if files.is_file(drawn) else None,
        "after": after,
        "files": _bodies(story, own),
    }
    return _text(said)
