"""The files of a game's turns as its site publishes them, for a page that judges turns again or checks a sheet: `files.json` beside the pages.

They hold only what anybody may know. Sheets of an open turn are left out. Of a running game with hidden information only the open turn is
included, as everybody sees it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from adjudicator.core.game.draw import DRAW
from adjudicator.core.game.game import CHARTER, KEPT, seat_file
from adjudicator.core.game.join import FOLDER as JOIN
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.sheets import read_name, sheet_files
from adjudicator.core.turn.unopened import NAME as UNOPENED
from adjudicator.site.story import Story

PACK = "files.json"


def can_be_judged(story: Story) -> bool:
    """True if readers can now judge turns of a game again: the game is played here, and none of it is still hidden."""
    return not story.record and (story.game.ruleset.secrecy is None or story.ending is not None)


def judged_again(story: Story, turn: Turn) -> bool:
    """True if a reader can judge a turn again: it is finished, and not merely kept as it was played."""
    stands = turn.name in (story.game.data.as_played or {})
    return can_be_judged(story) and turn.data.status == "resolved" and not stands


def checked_at_desk(story: Story, turn: Turn) -> bool:
    """True if a sheet for a turn can be checked while it is written: the turn is open."""
    return not story.record and story.ending is None and turn.data.status == "open"


def _text(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"


def _bodies(story: Story, paths: Iterable[Path]) -> dict[str, str | dict[str, str]]:
    """Path from the archive's root -> contents of the file, as text, or as `{base64: ...}` if it is not text."""
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
    """The files that the judge reads from a game's folder beside its turns, and the archive's charter, as JSON.

    Other files are left out, because a folder may hold private ones. Of the files of people who
    joined, only those for seats are included.
    """
    archive, game = story.archive, story.game
    files, folder = archive.files, archive.game_folder(game.slug)
    names = ["game.yaml", "ending.yaml", *game.files, *(f"{KEPT}/{name}" for name in game.begun_with)]
    names += [f"{JOIN}/{seat_file(seat)}.yaml" for seat in game.seats]
    if game.drawn is not None:
        names += [f"{JOIN}/{DRAW}", *(f"{JOIN}/wish.{pick.account}.yaml" for pick in game.drawn.picks)]
    own = [path for name in dict.fromkeys(names) if files.is_file(path := folder / name)]
    own += [path for path in (archive.root / CHARTER,) if files.is_file(path)]
    about = {"slug": game.slug, "title": game.title, "ruleset": game.ruleset.about.slug}
    return _text({**about, "files": _bodies(story, own)})


def turn_pack(story: Story, index: int) -> str:
    """The files of a turn that the judge reads, its map's SHA-256 and its neighbours, as JSON; an open turn has no sheets."""
    archive, game, turn = story.archive, story.game, story.turns[index]
    files = archive.files
    about = {"phase": turn.data.phase, "open": turn.data.status == "open", "hidden": not can_be_judged(story)}
    if about["hidden"]:
        assert about["open"], "of a running game with hidden information only the open turn is published"
        alone = {"map": None, "before": None, "after": None, "files": _bodies(story, (turn.folder / "turn.yaml",))}
        return _text({**about, **alone})
    own = [turn.folder / name for name in ("turn.yaml", "ruling.yaml")]
    if not about["open"]:
        own += [turn.folder / name for name in ("secret.age", UNOPENED)]
        own += [path for path in sheet_files(archive, turn.folder) if read_name(game, path.name) is not None]
    own += [path / "turn.yaml" for name, path in archive.undone(game.slug) if name == turn.name]
    drawn = turn.folder / "map.svg"
    said = {
        **about,
        "map": hashlib.sha256(files.read(drawn)).hexdigest() if files.is_file(drawn) else None,
        "before": story.turns[index - 1].name if index else None,
        "after": story.turns[index + 1].name if index + 1 < len(story.turns) else None,
        "files": _bodies(story, (path for path in own if files.is_file(path))),
    }
    return _text(said)
