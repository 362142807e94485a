"""Play on from a turn, with all sides at one table; nothing that happens there goes into an archive.

A table has a position and each seat's order desk. It checks sheets as they are written, judges them, and goes on to the next turn; any
number of steps can be taken back. The same sheets from the same turn give the same dice, so a table can be set up again from its sheets. If
the first step repeats the sheets of the archived turn, it has the archived result, dice included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.contract.forms import Offered, offered
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.game.rulings import without_void
from adjudicator.core.jobs.at_desk import Found, looked
from adjudicator.core.jobs.case import Case, Start, case_of, start_of
from adjudicator.core.secrets import dice as luck
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.desk import desk_at_table
from adjudicator.core.turn.desk_data import DeskFile
from adjudicator.core.turn.judge import owing, phase_of
from adjudicator.core.turn.keys import Keys
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import load_inputs


@dataclass(frozen=True, slots=True)
class Step:
    """One turn that was judged at a table."""

    position: Any
    """Position at the beginning of the turn."""
    texts: Mapping[str, str]
    """Seat -> its sheet, as its author wrote it."""
    left_out: Mapping[str, tuple[Problem, ...]]
    """Seat -> the unreadable parts of its sheet, which did not count."""
    sheets: Mapping[str, Any]
    """Seat -> the parts of its sheet that counted."""
    rolls: tuple[luck.Roll, ...]
    resolution: Resolution[Any, Any]


@dataclass(slots=True)
class Table:
    """A game that continues from one of its turns."""

    game: Game
    position: Any
    """Position of the turn that is judged next."""
    origin: str
    """The turn where the table began, in the form that the dice use: `game/turn`."""
    played: Mapping[str, str] = field(default_factory=dict)
    """Seat -> the sheet that counted when the archive judged that turn; empty if it has not been judged."""
    steps: list[Step] = field(default_factory=list)
    real: tuple[Keys, Mapping[str, str]] | None = None
    """That turn's keys and the digests of its sheets; None if it has not been judged."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The host's own files that the game's settings name."""

    @property
    def phase(self) -> str:
        """Display name of the turn that is judged next."""
        return phase_of(self.game, self.position)

    @property
    def ended(self) -> bool:
        """True if the game ended with the last step."""
        return bool(self.steps) and self.steps[-1].resolution.ended is not None

    @property
    def due(self) -> tuple[str, ...]:
        """The seats that can give orders, in the game's order of seats."""
        return owing(self.game, self.position, ())

    def offers(self, seat: str) -> Offered:
        """A seat's legal orders, from its view; raises `Problems` for an unknown seat."""
        self._known(seat)
        rules = self.game.ruleset
        return offered(rules.rules.options(rules.view(self.position, seat), seat))

    def desk(self, seat: str) -> tuple[DeskFile, str]:
        """A seat's order desk, from its view, and its board; raises `Problems` for an unknown seat."""
        self._known(seat)
        game = self.game
        return desk_at_table(game.ruleset, self.position, game.seats, seat, game.title)

    def brief(self, seat: str) -> tuple[str, ...]:
        """The seat's secrets, in sentences; empty in a game without secrets."""
        secrecy = self.game.ruleset.secrecy
        return secrecy.brief(secrecy.seen_by(self.position, seat), seat) if secrecy is not None else ()

    def look(self, seat: str, sheet: Mapping[str, Any] | str) -> list[Found]:
        """The remarks of `courtly check` on a sheet, from its seat's view, each with the part of the sheet it concerns."""
        self._known(seat)
        return looked(self.game, self.position, seat, sheet)

    def judge(self, texts: Mapping[str, str]) -> Step:
        """Judge the turn with these sheets, and go on; raises `Problems` if the game is over.

        A sheet that cannot be read does not count. If only parts of it cannot be read, the others count, as in an archive.
        """
        if self.ended:
            raise problem("", "the game is over", "take a step back")
        sheets, left_out = self.readable(texts)
        dice = self._dice(texts)
        resolution = self.game.ruleset.rules.resolve(self.position, sheets, dice)
        step = Step(self.position, dict(texts), left_out, sheets, dice.rolls, resolution)
        self.steps.append(step)
        self.position = resolution.position
        return step

    def readable(self, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, tuple[Problem, ...]]]:
        """Seat -> the readable parts of its sheet; seat -> the problems with its other parts."""
        sheets: dict[str, Any] = {}
        left_out: dict[str, tuple[Problem, ...]] = {}
        for seat, text in sorted(texts.items()):
            self._known(seat)
            try:
                said = read(text.encode(), _name(seat))
                sheets[seat], faults = self.game.ruleset.salvage_sheet(self.position, seat, said)
            except Problems as error:
                faults = error.problems
            if faults:
                left_out[seat] = tuple(faults)
        return sheets, left_out

    def back(self) -> None:
        """Take the last step back; raises `Problems` at the beginning."""
        if not self.steps:
            raise problem("", "there is no step to take back", "judge a turn first")
        self.position = self.steps.pop().position

    def start(self) -> Start:
        """The position that is judged next, as a start for a new game."""
        return start_of(self.game, self.position, self.files)

    def case(self) -> Case:
        """The last step as a case; raises `Problems` at the beginning."""
        if not self.steps:
            raise problem("", "no turn has been judged at this table", "judge one first")
        step = self.steps[-1]
        return case_of(start_of(self.game, step.position, self.files), step.sheets, step.rolls, step.resolution)

    def exported(self) -> bytes:
        """The steps played here in the ruleset's exchange format; raises `Problems` if the ruleset has none."""
        exchange = self.game.ruleset.exchange
        if exchange is None:
            raise problem("", f"games of {self.game.ruleset.about.title} cannot be exported", "")
        turns = [(step.position, dict(step.sheets), step.resolution) for step in self.steps]
        now: list[Any] = [] if self.ended else [(self.position, {}, None)]
        usual = next(iter(exchange.write.values()))
        return usual(self.game.slug, [*turns, *now])

    def _dice(self, texts: Mapping[str, str]) -> luck.NamedDice:
        """The dice of the next step: the archive's if it repeats the archived sheets, otherwise derived from the sheets at the table."""
        game, turn = self.origin.split("/")
        if not self.steps and self.real is not None and dict(texts) == dict(self.played):
            keys, digests = self.real
            return luck.NamedDice(luck.turn_key(keys.dice, game, turn, luck.digest(digests)))
        path = "\n".join([self.origin, *(luck.digest(_digests(step.texts)) for step in self.steps)])
        secret = hashlib.sha256(f"what-if/v1\n{path}".encode()).digest()
        return luck.NamedDice(luck.turn_key(secret, game, f"{turn}+{len(self.steps)}", luck.digest(_digests(texts))))

    def _known(self, seat: str) -> None:
        if seat not in self.game.seats:
            raise problem("", f"the game has no seat {seat!r:.40}", f"seats: {', '.join(self.game.seats)}")


def _digests(texts: Mapping[str, str]) -> dict[str, str]:
    return {seat: hashlib.sha256(text.encode()).hexdigest() for seat, text in texts.items()}


def _name(seat: str) -> str:
    """Name of a seat's sheet in messages."""
    return f"{seat}’s sheet"


def table_at(archive: Archive, slug: str, name: str) -> Table:
    """A table at a turn of an archive's game; raises `Problems` if parts of the turn are still secret.

    At a judged turn, the table has the sheets that were judged. At an open turn, possible only in a game without secrets, it has none; the
    table then serves for planning.
    """
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    origin = f"{game.name}/{name}"
    folder = archive.game_folder(game.slug)
    files = {file: archive.read(folder / file) for file in game.files}
    if game.data.kind is GameKind.RECORD:
        raise problem(origin, "this is a record, and it does not show everything", "choose a game that was played here")
    if turn.data.status == "open":
        if game.ruleset.secrecy is not None:
            raise problem(origin, "parts of this turn are hidden", "wait until the game is over")
        return Table(game, turn.data.position, origin, files=files)
    whole, given, keys = load_inputs(archive, turn)
    counted = without_void(game, whole.position, given.sheets, whole.rulings)
    played = {seat: write(encode(sheet)) for seat, sheet in sorted(counted.items())}
    return Table(game, whole.position, origin, played, real=(keys, given.digests), files=files)
