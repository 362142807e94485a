"""Find edits made to game.yaml after the game began. They have no effect: a running game goes by the records in its turns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import KEPT, Game, GameKind
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem
from adjudicator.core.text.yamltext import scalar
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.load import load_turn

SETTINGS = "settings"
"""Key of the house rules, both in a position and in game.yaml."""


def edited_settings(archive: Archive, game: Game, read: Iterable[Turn | None] = ()) -> list[Problem]:
    """Problems with house rules in game.yaml that differ from those the game was opened with; each names the ruling that changes the rule.

    If a file that the game began with has changed since, that is the only problem. `read` has turns that are already loaded; if the first
    turn is not among them, it is loaded.
    """
    names = archive.turns(game.slug)
    if not names or game.data.kind is GameKind.RECORD:
        return []
    found = next((turn for turn in read if turn is not None and turn.name == names[0]), None)
    first = (found or load_turn(archive, game, names[0])).data
    if first.start is not None:
        for name, digest in (first.start.files or {}).items():
            text = game.begun_with.get(name)
            if text is None or hashlib.sha256(text).hexdigest() != digest:
                what = f"this is not the {name} that the game began with: {names[0]}/turn.yaml has a different digest"
                right = "restore the file from the history"
                return [Problem(f"{game.home}/{KEPT}/{name}", 0, 0, what, right)]
    opened, said = encode(first.position.settings), encode(game.settings)
    ruled = _corrected_parts(first)
    return [
        _setting_problem(game, names[0], key, opened.get(key), said.get(key))
        for key in sorted({*opened, *said})
        if opened.get(key) != said.get(key) and not ruled & {SETTINGS, f"{SETTINGS}.{key}"}
    ]


def edited_seats(game: Game, data: TurnData) -> Iterator[Problem]:
    """A remark about each seat that a ruling gave to somebody other than the player in game.yaml: the ruling counts."""
    for seat, player in (data.players or {}).items():
        if seat in game.data.seats and game.data.seats[seat] != player:
            what = (
                f"a ruling gave {seat} to {player.player}: what is written here counts only for the turns before that"
            )
            yield game.text.problem(
                ("seats", seat), what, "leave it; to change who plays, add a `replace` ruling", level="warning"
            )


def _corrected_parts(first: TurnData) -> set[str]:
    """The parts of the first position that a ruling corrected; they do not show how the game was opened."""
    paths = (path for ruling in first.rulings for path in ruling.correct or ())
    return {".".join(path.split(".")[:2]) for path in paths}


def _setting_problem(game: Game, first: str, key: str, opened: Any, said: Any) -> Problem:
    before = f"with {key}: {_flow(opened)}" if opened is not None else f"without {key}"
    what = f"{first}/turn.yaml shows that the game was opened {before}; an edit here does not count"
    ruling = f"a `correct: {{{SETTINGS}.{key}: {_flow(said)}}}` ruling changes it from this turn on"
    return game.text.problem((SETTINGS, key), what, f"put it back (or restore that file); {ruling}")


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else scalar(value, flow=True)
