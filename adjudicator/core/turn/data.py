"""What a turn's file holds: the position, the keys' public halves, and once it is judged what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Ending, Resolution, Verdict
from adjudicator.core.game.game import Game, Player
from adjudicator.core.game.rulings import Ruling
from adjudicator.core.secrets import dice as luck
from adjudicator.core.text.codec import Whole, record


@record
class DiceData:
    """The turn's dice: a commitment while it is open, secret and digest once it is resolved."""

    commitment: str
    secret: str | None = None
    digest: str | None = None


@record
class SealData:
    """The turn's key: what sheets are sealed to, and once it is published, what opens them."""

    kid: str
    """Which of the archive's master secrets the key comes from."""
    recipient: str
    identity: str | None = None
    format: Whole | None = None
    """2 where keys hang on the game's own id and the attempt, and what is sealed is compressed; 3 where besides every kind of file
    has a length of its own for the whole game, and `secret.age` leaves out what is public; absent in format 1."""
    width: Annotated[Whole, Choice(ge=256, le=16384)] | None = None
    """From format 2: the bytes that every sealed sheet of this turn has inside, or a multiple of them where nothing is hidden."""
    dispatch: Annotated[Whole, Choice(ge=512, le=1 << 20)] | None = None
    """Format 3: the bytes that every dispatch of this turn has inside; longer news double it."""
    secret: Annotated[Whole, Choice(ge=512, le=1 << 20)] | None = None
    """Format 3: the bytes that `secret.age` has inside; a longer one doubles it."""

    @property
    def lengths(self) -> tuple[int | None, int | None, int | None, int | None]:
        """What a game keeps from its first turn to its last: the format, and the length of each kind of file."""
        return self.format, self.width, self.dispatch, self.secret


@record
class SetupData:
    """The dice of a game's setup, as they are kept with its first turn."""

    commitment: str
    secret: str | None = None
    nonces: Mapping[str, str] = field(default_factory=dict)
    """Each player's share."""
    rolls: tuple[luck.Roll, ...] = ()


@record
class StartData:
    """How a game was set up, kept with its first turn: so that another courtly, which would set it up otherwise, goes on with it."""

    digest: str
    """Of the position as it was set up, before any ruling; where information is hidden, under the secret of the turn's dice."""
    files: Mapping[str, str] | None = None
    """The ruleset's own files that the game is played by, of which it has copies -> SHA-256."""


@record
class TurnData:
    """`turn.yaml` as it is written; position, verdicts and events are the ruleset's own types."""

    schema: int
    game: str
    turn: str
    phase: str
    status: str
    """`open` or `resolved`."""
    attempt: Whole | None = None
    """Of a turn that was put back: how often it has been begun. Absent the first time."""
    put_back: str | None = None
    """Why the attempt before this one was put back."""
    position: Any
    dice: DiceData
    deadline: str | None = None
    closed: str | None = None
    """When the turn was adjudicated, by the time given to the command; absent for imported turns."""
    judged_by: str | None = None
    """Which courtly judged the turn, as `0.1.0` or `0.1.0+1f0c5a7e9b21`; absent in turns from before this was written."""
    paused: bool = False
    owing: tuple[str, ...] = ()
    """While the turn is open: the seats that are waited for."""
    opened: str | None = None
    """Of a game's first turn, and of one that is begun again: when its deadline begins to count."""
    seal: SealData | None = None
    dispatches: Mapping[str, str] | None = None
    """Seat -> SHA-256 of the plain text of its dispatch, which has a salt in it. None in format 1."""
    setup: SetupData | None = None
    start: StartData | None = None
    """Of a game's first turn; absent in games from before this was written."""
    players: Mapping[str, Player] | None = None
    """Who took over a seat since the game began."""
    absent: tuple[str, ...] = ()
    """Seats in civil disorder: nobody waits for their sheets."""
    standing: Mapping[str, Mapping[str, str]] | None = None
    """Kind of turn -> seat -> the turn whose sheet stands until another comes."""
    rulings: tuple[Ruling, ...] = ()
    sheets: Mapping[str, str] | None = None
    """Seat -> SHA-256 of the sheet file that was judged; a seat without a sheet is absent."""
    stood: Mapping[str, str] | None = None
    """Seat -> the earlier turn whose standing sheet was judged."""
    refused: Mapping[str, str] | None = None
    """Sheets that could not be judged -> why."""
    partly: Mapping[str, str] | None = None
    """Sheets that were judged without what in them cannot be read -> what that is."""
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Any, ...] = ()
    rolls: tuple[luck.Roll, ...] = ()
    ended: Ending | None = None


ORDER = (
    "schema", "game", "turn", "phase", "status", "attempt", "put_back", "opened", "deadline", "closed", "judged_by", "paused", "owing", "seal",
    "position", "players", "absent", "standing", "setup", "start", "rulings", "dice", "dispatches", "sheets", "stood", "refused", "partly",
    "verdicts", "events", "rolls", "ended",
)  # fmt: skip
"""The order of keys in `turn.yaml`: what people look for first stands first, and what tells whether it is due."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was read: its data with typed position and events."""

    game: Game
    folder: Path
    data: TurnData
    source: bytes

    @property
    def name(self) -> str:
        """The turn's folder name."""
        return self.data.turn

    @property
    def resolution(self) -> Resolution[Any, Any] | None:
        """What the turn produced, as it is recorded (its position is the one the turn began with); None while open."""
        return recorded_resolution(self.data)


def recorded_resolution(data: TurnData) -> Resolution[Any, Any] | None:
    """What a turn produced, as it is recorded (its position is the one the turn began with); None while it is open."""
    if data.status == "open":
        return None
    return Resolution(data.position, data.verdicts, data.events, data.ended)


VERDICT_KEYS = tuple(part.name for part in fields(Verdict))


@dataclass(frozen=True, slots=True)
class Carried:
    """What one turn hands on to the next beside the position."""

    players: Mapping[str, Player] | None = None
    absent: tuple[str, ...] = ()
    standing: Mapping[str, Mapping[str, str]] | None = None
    setup: SetupData | None = None
    seal: SealData | None = None
    """Of the turn before: a game goes on in the format and the lengths that it began with."""


@record
class EndingData:
    """`ending.yaml`: that the game is over, how, and the position it ended in; so that none need read its turns."""

    schema: int
    turn: str
    ended: Ending
    position: Any
