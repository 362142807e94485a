"""Find archived turns that a new version of courtly judges differently, and keep them as they were played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.new import keep_data
from adjudicator.core.jobs.verify import differing
from adjudicator.core.text.problems import Problem, problem
from adjudicator.core.text.yamltext import read, scalar
from adjudicator.core.turn.files import map_text
from adjudicator.core.turn.load import load_game, load_turn


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Effects of an update of courtly on one game: turns that are judged differently, and maps that are drawn differently."""

    game: str
    turns: Mapping[str, Problem]
    """Turn -> the first difference; `start` is among the turns if the game would begin differently."""
    maps: tuple[str, ...]
    sealed: int
    """Judged turns that cannot be judged again without the master secret."""


def upgrade_of(archive: Archive, slug: str) -> Upgrade:
    """Find the effects of an update on a game; raises `Problems` if today's rules cannot read it at all."""
    return Upgrade(slug, *differing(archive, slug))


def write_upgrade(archive: Archive, upgrade: Upgrade, reason: str) -> None:
    """List the turns under `as_played` in game.yaml, leaving the rest as its host wrote it, and draw the maps again.

    Raises `Problems`, and writes nothing, if no line can be added to the existing `as_played`.
    """
    path = archive.game_folder(upgrade.game) / "game.yaml"
    text = archive.read(path).decode()
    if upgrade.turns:
        lines = "".join(f"  {scalar(name)}: {scalar(reason)}\n" for name in upgrade.turns)
        text = _add_as_played(
            text, lines, dict.fromkeys(upgrade.turns, reason), f"{archive.place(upgrade.game)}/game.yaml"
        )
    game = load_game(archive, upgrade.game)
    names = archive.turns(upgrade.game)
    runs = game.data.kind is GameKind.GAME and names and not archive.has_ended(upgrade.game)
    if runs and load_turn(archive, game, names[0]).data.start is None:  # begun before games kept copies of their files
        keep_data(archive, game)
    pictures = {name: map_text(game, load_turn(archive, game, name).data) for name in upgrade.maps}
    archive.files.write(path, text.encode())
    for name, picture in pictures.items():
        archive.files.write(path.parent / name / "map.svg", picture)


def _add_as_played(text: str, lines: str, named: Mapping[str, str], path: str) -> str:
    match = re.search(r"^as_played:[ \t]*(?:#.*)?$\n?", text, re.MULTILINE)
    if match is not None:
        made = text[: match.end()] + lines + text[match.end() :]
    elif re.search(r"^[\"']?as_played", text, re.MULTILINE):
        raise problem(path, "`as_played` is written on one line", f"add to it by hand:\n{lines.rstrip()}")
    else:
        made = text + ("" if text.endswith("\n") else "\n") + "as_played:\n" + lines
    before, after = read(text.encode(), path).data, read(made.encode(), path).data
    assert isinstance(before, dict)
    stood = before.get("as_played")
    if after != before | {"as_played": {**(stood if isinstance(stood, dict) else {}), **named}}:
        raise problem(
            path,
            "the turns cannot be added there without changing something else",
            f"add by hand:\nas_played:\n{lines.rstrip()}",
        )
    return made
