"""Judge one finished turn again, from its files only. The "Judge this turn again" page runs this in a reader's browser.

It is `courtly verify` for a single turn. It checks that the turn began where the one before it ended, that the sheets are those that were
judged, that judging them gives the same files, and that the next turn begins where this one ended. If every turn passes, so does the game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.jobs.edited import edited_settings
from adjudicator.core.jobs.verify import NOT_LED_TO, RESTORE, Audit, difference, judged_elsewhere
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, contain_errors, problem
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.files import ending_files, map_text, public_data, turn_text
from adjudicator.core.turn.judge import apply_rulings, ending_of_record, open_turn
from adjudicator.core.turn.keys import has_keys, keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text


@dataclass(frozen=True, slots=True)
class Again:
    """Results of judging one turn again."""

    phase: str
    sheets: int
    """Number of sheets that the turn was judged from."""
    files: dict[str, str]
    """Name -> SHA-256 of the turn's recomputed files: `turn.yaml`, `map.svg`."""
    leads_to: str | None
    """The next turn, or `ending.yaml` if the game ended; None if it was not available to compare."""
    differences: tuple[Problem, ...]
    notes: tuple[str, ...]
    """Sentences about the parts that were not compared, and why."""


class _Step(Audit):
    """A turn that is being judged again, and the turn before it."""

    def __init__(self, archive: Archive, slug: str, maps: Mapping[str, str]) -> None:
        super().__init__(archive, slug)
        self.digests = maps
        self.uncompared: list[str] = []
        self.again: TurnData | None = None
        self.picture = b""

    def map_of(self, turn: Turn, data: TurnData) -> None:
        """Check the map as `Audit` does; if the map itself is not available, its digest is enough."""
        self.again, self.picture = data, map_text(turn.game, data)
        path = turn.folder / "map.svg"
        there = self.archive.files.exists(path)
        kept = _sha256(self.archive.read(path, own=True)) if there else self.digests.get(turn.name)
        if kept is None:
            self.uncompared.append("The archive keeps no map of this turn, so its map was drawn but not compared.")
        elif kept != _sha256(self.picture):
            self.fault(display(path, self.archive.root), "drawing the map again gives a different one", RESTORE)


def judge_again(archive: Archive, slug: str, name: str, maps: Mapping[str, str] | None = None) -> Again:
    """Judge a finished turn again and compare; raises `Problems` if the files here are not enough to judge it.

    The turns before and after it are found by their numbers. `maps` is turn -> SHA-256 of its map, for maps that the archive keeps but that
    are not here.
    """
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    where, number = display(turn.folder, archive.root), number_of(name)
    if game.data.kind is GameKind.RECORD:
        what = "this is a record: nothing in it was judged"
        raise problem(where, what, "choose a turn of a game that was played here")
    if turn.data.status == "open":
        raise problem(where, "this turn is open: it has not been judged", "choose one that has been judged")
    if (reason := (game.data.as_played or {}).get(name)) is not None:
        raise problem(where, f"this turn is kept as it was played, and is not verified: {reason}", "choose another")
    over, step = archive.has_ended(slug), _Step(archive, slug, maps or {})
    before = numbered(archive, slug, number - 1)
    with contain_errors(where):
        if before is not None:
            step.one_turn(game, load_turn(archive, game, before), number - 1, over=over)
            step.faults.clear()
            step.notes.clear()
            step.uncompared.clear()
        elif number == 1:
            step.faults.extend(edited_settings(archive, game))
        else:
            step.uncompared.append("The turn before is not here, so what this one began with was not checked.")
        step.one_turn(game, turn, number, over=over)
        assert step.again is not None
        text = turn_text(public_data(game, step.again, over=over))
        leads_to = _after(step, game, turn, step.again)
    digests = {"turn.yaml": _sha256(text), "map.svg": _sha256(step.picture)}
    notes = (*(f"{note.what[:1].upper()}{note.what[1:]}." for note in step.notes), *step.uncompared)
    return Again(turn.data.phase, len(step.again.sheets or {}), digests, leads_to, tuple(sorted({*step.faults})), notes)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def number_of(name: str) -> int:
    """A turn's number, from the name of its folder."""
    return int(name.partition("-")[0])


def numbered(archive: Archive, slug: str, number: int) -> str | None:
    """The turn with this number; None if it does not exist."""
    return next((name for name in archive.turns(slug) if number_of(name) == number), None)


def _after(step: _Step, game: Game, turn: Turn, again: TurnData) -> str | None:
    """Compare what follows a judged turn, and return its name: the next turn, or `ending.yaml`. None if there is nothing to compare."""
    archive, resolution = step.archive, step.resolution
    assert resolution is not None
    later = numbered(archive, game.slug, number_of(turn.name) + 1)
    if later is not None:
        _compare_start(step, game, load_turn(archive, game, later))
        return later
    if archive.has_ended(game.slug):
        ended = resolution.ended or ending_of_record(again)
        made = ending_files(game, turn.name, ended, resolution.position)["ending.yaml"]
        body = archive.read(archive.game_folder(game.slug) / "ending.yaml", own=True)
        if body != made:
            step.faults.append(difference(f"{game.home}/ending.yaml", body, made))
        return "ending.yaml"
    if resolution.ended is not None:
        step.fault(f"{game.home}/ending.yaml", "the game ended with this turn, but this file is missing", RESTORE)
    else:
        step.uncompared.append("The next turn is not here, so what it began with was not compared.")
    return None


def _compare_start(step: _Step, game: Game, after: Turn) -> None:
    """Compare the beginning of the next turn: its position, and the data that carry over from turn to turn."""
    archive, data = step.archive, after.data
    if game.ruleset.secrecy is not None and not has_keys(game, data):
        step.uncompared.append(f"What {data.phase} began with is sealed, so it was not compared.")
        return
    whole, number = load_all(archive, after), number_of(after.name)
    keys = keys_for(game, after.name, data) if any(ruling.hidden for ruling in data.rulings) else None
    start = open_turn(game, number, step.position, None, step.carried, data)
    start = apply_rulings(game, start, data.rulings, ruling_text(archive, after), keys)
    path = f"{game.home}/{after.name}/turn.yaml"
    if encode(start.position) != encode(whole.position):
        elsewhere = judged_elsewhere(step.last.judged_by) if step.last is not None else ""
        step.fault(path, NOT_LED_TO, f"the turn before was {elsewhere}" if elsewhere else RESTORE)
    for key in ("phase", "players", "absent", "standing", "ahead"):
        if getattr(start, key) != getattr(data, key):
            step.fault(path, f"{key} is not what the turn before led to", RESTORE)


def _earlier(data: TurnData) -> Iterator[str]:
    """The earlier turns whose sheets were judged in a turn: standing ones, and those with its orders ahead."""
    yield from (data.stood or {}).values()
    yield from (used.turn for used in (data.from_ahead or {}).values())


def earlier_turns(archive: Archive, slug: str) -> list[str]:
    """Turns that are not here but are needed, because turns here were judged with sheets from them. Raises `Problems`."""
    game = load_game(archive, slug)
    stood = {earlier for name in archive.turns(slug) for earlier in _earlier(load_turn(archive, game, name).data)}
    return sorted(stood - {*archive.turns(slug)})


def sealed_files(archive: Archive, slug: str) -> dict[str, list[Path]]:
    """Published identity of each judged turn of a sealed game -> the age files in the turn's folder. Raises `Problems`."""
    game = load_game(archive, slug)
    found: dict[str, list[Path]] = {}
    for name in archive.turns(slug):
        turn = load_turn(archive, game, name)
        if game.data.sealed and turn.data.status != "open" and has_keys(game, turn.data):
            identity = keys_for(game, name, turn.data).identity
            assert identity is not None
            found[identity] = [path for path in archive.files.files_below(turn.folder) if path.suffix == ".age"]
    return found
