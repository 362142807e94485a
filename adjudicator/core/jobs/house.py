"""A whole game at one table: it begins there, all sides play it there, and it is kept as an archive in memory, which can be saved.

For people around a table, and for classes. The table shows what the archive holds, dice included, so `courtly verify` can check the saved
game. A game with hidden information needs keys and sealed news, which a table does not have: it is played at a plain `Table`.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.core.files.memory import Memory
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import without_void
from adjudicator.core.jobs.case import POSITION, Start, bare_game, begin_with
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.what_if import Step, Table
from adjudicator.core.secrets.dice import NamedDice, digest, turn_key
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import Text, read, write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import load_inputs, sheet_path

ROOT = Path("/table")
SLUG = "table"
"""Name of the game in its archive."""
WHEN = "2000-01-01T00:00Z"
"""The time that is recorded for everything at a table, which uses no clock."""
STAMP = (1980, 1, 1, 0, 0, 0)


@dataclass(slots=True)
class House(Table):
    """A table whose game is an archive in memory."""

    archive: Archive = field(default_factory=lambda: Archive(ROOT, files=Memory(ROOT)))
    before: list[Memory] = field(default_factory=list)
    """The archive's files before each step."""

    @property
    def ended(self) -> bool:
        """True if the game is over."""
        return self.archive.has_ended(SLUG)

    def judge(self, texts: Mapping[str, str]) -> Step:
        """Judge the turn in the archive with these sheets, then any turns without possible orders. Raises as `Table.judge` does."""
        if self.ended:
            raise problem("", "the game is over", "take a step back")
        memory, turn = self.archive.files, self._last()
        assert isinstance(memory, Memory)
        _, left_out = self.readable(texts)
        self.before.append(memory.copy())
        try:
            step = self._judged(memory, turn, texts, left_out)
        except BaseException:  # on any exception, restore the state before
            self.archive = Archive(ROOT, files=self.before.pop())
            raise
        self.steps.append(step)
        self.position = self._last().data.position
        return step

    def _judged(self, memory: Memory, turn: Turn, texts: Mapping[str, str], left_out: Mapping[str, Any]) -> Step:
        """Do the work of `judge`: write the sheets into the archive, judge, and return the step."""
        for seat in sorted({*self.due, *texts}):
            path = sheet_path(turn.folder, seat)
            memory.make(path.parent)
            memory.write(path, _final(texts.get(seat, "")).encode())
        for _ in run_game(self.archive, SLUG, at=WHEN, now=True):
            pass
        whole, given, keys = load_inputs(self.archive, load_turn(self.archive, self.game, turn.name))
        counted = without_void(self.game, whole.position, given.sheets, whole.rulings)
        dice = NamedDice(turn_key(keys.dice, self.game.name, turn.name, digest(given.digests)))
        resolution = self.game.ruleset.rules.resolve(whole.position, dict(sorted(counted.items())), dice)
        return Step(self.position, dict(texts), left_out, counted, dice.rolls, resolution)

    def back(self) -> None:
        """Take the last step back, in the archive too; raises `Problems` at the beginning."""
        Table.back(self)
        self.archive = Archive(ROOT, files=self.before.pop())

    def whole(self) -> bytes:
        """The archive in its current state, as a zip file; the same game gives the same bytes."""
        out, files = io.BytesIO(), self.archive.files
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
            for path in sorted(files.files_below(ROOT)):
                made.writestr(zipfile.ZipInfo(path.relative_to(ROOT).as_posix(), STAMP), files.read(path))
        return out.getvalue()

    def _last(self) -> Turn:
        return load_turn(self.archive, self.game, self.archive.turns(SLUG)[-1])


def _final(text: str) -> str:
    """Mark a sheet as final for the archive: at a table, everybody is done when the turn is judged."""
    try:
        said = read(text.encode(), "sheet").data
    except Problems:
        return text
    return write({**said, "final": True}) if isinstance(said, dict) else "final: true\n" if said is None else text


def begin(start: Start, seed: str) -> Table:
    """A table for a game that begins here, from a position or its ruleset's setup; the dice follow from `seed`. Raises `Problems`."""
    game = bare_game(start, "the game")
    rules = game.ruleset
    if rules.secrecy is not None or start.kept:
        if start.position is not None:
            position = game.written_position(Text("the position", encode(start.position), {}))
        else:
            position = rules.rules.setup(game.settings, NamedDice(turn_key(seed.encode(), SLUG, "setup", "")))
        return Table(game, position, f"{SLUG}/{hashlib.sha256(seed.encode()).hexdigest()[:16]}", files={})
    archive = Archive(ROOT, files=Memory(ROOT))
    own: dict[str, bytes] = {}
    data: dict[str, Any] = {"ruleset": start.ruleset, "title": start.title, "opened": WHEN[:10], "seed": seed}
    data["seats"] = {seat: {"player": seat} for seat in game.seats}
    if start.settings:
        data["settings"] = dict(start.settings)
    if start.position is not None:
        begin_with(start, own)
        data["begins"] = POSITION
    archive.files.make(ROOT / "games")
    new_game(archive, SLUG, data, own, at=WHEN)
    made = load_game(archive, SLUG)
    first = load_turn(archive, made, archive.turns(SLUG)[-1])
    files = {name: own[name] for name in made.files}
    return House(made, first.data.position, f"{SLUG}/{first.name}", files=files, archive=archive)
