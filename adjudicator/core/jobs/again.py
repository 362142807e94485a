"""One finished turn judged again, from its files alone: what the page "Judge this turn again" does in a reader's browser.

It is `courtly verify` for one step of a game: the sheets are those that were judged, they lead to these bytes, and the next turn begins
where this one ended. That every step holds is that the game does.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.verify import NOT_LED_TO, RESTORE, difference, judged_elsewhere
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, problem
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.files import ending_files, map_text, public_data, turn_text
from adjudicator.core.turn.judge import (
    apply_rulings,
    carry_over,
    ending_of_record,
    open_turn,
    resolve_turn,
)
from adjudicator.core.turn.keys import has_keys, keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text
from adjudicator.core.turn.sheets import Given, changed_sheets, load_inputs


@dataclass(frozen=True, slots=True)
class Again:
    """What came of one turn that was judged again."""

    phase: str
    sheets: int
    """How many sheets it was judged from."""
    files: dict[str, str]
    """Name -> SHA-256 of the turn's files as they were made again: `turn.yaml`, `map.svg`."""
    leads_to: str | None
    """The turn that begins where this one ended, or `ending.yaml`; None if that was not there to compare."""
    differences: tuple[Problem, ...]
    notes: tuple[str, ...]
    """Sentences on what was not compared, and why."""


def judge_again(archive: Archive, slug: str, name: str, map_digest: str | None = None) -> Again:
    """Judges a finished turn again and compares; raises `Problems` if it cannot be judged from what is here.

    The next turn is compared where the archive has it. `map_digest` is the SHA-256 of the map where the archive has none of it.
    """
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    where = display(turn.folder, archive.root)
    if game.data.kind is GameKind.RECORD:
        raise problem(
            where, "this is a record: nothing in it was judged", "choose a turn of a game that was played here"
        )
    if turn.data.status == "open":
        raise problem(where, "this turn is open: it has not been judged", "choose one that was")
    if (reason := (game.data.as_played or {}).get(name)) is not None:
        raise problem(where, f"this turn stands as it was played, and is not verified: {reason}", "choose another")
    whole, given, keys = load_inputs(archive, turn)
    differences = [*changed_sheets(archive, turn, given.digests)]
    start = replace(whole, status="open")
    again, resolution = resolve_turn(game, start, given, whole.closed, keys, turn.data.judged_by)
    over = archive.has_ended(slug)
    text, picture = turn_text(public_data(game, again, over=over)), map_text(game, again)
    if text != turn.source:
        differences.append(difference(f"{where}/turn.yaml", turn.source, text, turn.data.judged_by))
    differences += _hidden(turn, whole, again, over=over)
    drawn = hashlib.sha256(picture).hexdigest()
    path = turn.folder / "map.svg"
    kept = hashlib.sha256(archive.read(path, own=True)).hexdigest() if archive.files.exists(path) else map_digest
    if kept not in (None, drawn):
        differences.append(Problem(f"{where}/map.svg", 0, 0, "the map is not the one that this turn draws", RESTORE))
    leads_to, more, notes = _after(archive, turn, again, given, resolution)
    if kept is None:
        notes.append("The archive keeps no map of this turn, so its map was drawn and not compared.")
    digests = {"turn.yaml": hashlib.sha256(text).hexdigest(), "map.svg": drawn}
    return Again(whole.phase, len(given.digests), digests, leads_to, (*differences, *more), tuple(notes))


def _hidden(turn: Turn, whole: TurnData, again: TurnData, *, over: bool) -> list[Problem]:
    """Where what is sealed of a judged turn differs from what it is judged to."""
    game = turn.game
    if game.ruleset.secrecy is None:
        return []
    inside = turn_text(replace(again, seal=replace(again.seal, identity=None) if again.seal else None))
    recorded = turn_text(replace(whole, setup=again.setup if over else whole.setup))
    path = f"{game.home}/{turn.name}/secret.age"
    return [] if inside == recorded else [difference(path, recorded, inside, turn.data.judged_by)]


def _after(
    archive: Archive, turn: Turn, again: TurnData, given: Given, resolution: Resolution[Any, Any]
) -> tuple[str | None, list[Problem], list[str]]:
    """What begins where a judged turn ended, what of it differs, and what was not compared."""
    game, number = turn.game, int(turn.name.partition("-")[0])
    later = next((name for name in archive.turns(game.slug) if int(name.partition("-")[0]) == number + 1), None)
    if later is None:
        if not archive.has_ended(game.slug):
            return None, [], []
        made = ending_files(game, turn.name, resolution.ended or ending_of_record(again), resolution.position)
        path = archive.game_folder(game.slug) / "ending.yaml"
        body = archive.read(path, own=True)
        shown = f"{game.home}/ending.yaml"
        wrong = [] if body == made["ending.yaml"] else [difference(shown, body, made["ending.yaml"])]
        return "ending.yaml", wrong, []
    after = load_turn(archive, game, later)
    if game.ruleset.secrecy is not None and not has_keys(game, after.data):
        return None, [], [f"What {after.data.phase} began with is sealed, and was not compared."]
    keys = keys_for(game, later, after.data)
    whole = load_all(archive, after)
    start = open_turn(game, number + 1, resolution.position, None, carry_over(game, again, given), after.data)
    start = apply_rulings(game, start, after.data.rulings, ruling_text(archive, after), keys)
    if encode(start.position) == encode(whole.position):
        return later, [], []
    elsewhere = judged_elsewhere(turn.data.judged_by)
    right = f"the turn before was {elsewhere}" if elsewhere else RESTORE
    return later, [Problem(f"{game.home}/{later}/turn.yaml", 0, 0, NOT_LED_TO, right)], []


def earlier_turns(archive: Archive, slug: str, name: str) -> list[str]:
    """The turns whose sheets stood in this one, and are read again with it; raises `Problems`."""
    stood = load_turn(archive, load_game(archive, slug), name).data.stood or {}
    return sorted({*stood.values()})


def sealed_files(archive: Archive, slug: str) -> dict[str, list[Path]]:
    """The published identities of a game's turns, each with the age files that it opens, if there are any. Raises `Problems`."""
    game = load_game(archive, slug)
    found: dict[str, list[Path]] = {}
    for name in archive.turns(slug):
        turn = load_turn(archive, game, name)
        if game.data.sealed and turn.data.status != "open" and has_keys(game, turn.data):
            identity = keys_for(game, name, turn.data).identity
            assert identity is not None
            found[identity] = [path for path in archive.files.files_below(turn.folder) if path.suffix == ".age"]
    return found
