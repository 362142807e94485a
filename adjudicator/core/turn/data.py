"""Contents of a turn's file: the position, the public halves of the keys, and, after judging, the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Ending, Resolution, Verdict
from adjudicator.core.game.game import Game, Player
from adjudicator.core.game.rulings import Ruling
from adjudicator.core.secrets import dice as luck
from adjudicator.core.text.codec import Whole, record


@record
class DiceData:
    """The turn's dice: a commitment while the turn is open, secret and digest once it is resolved."""

    commitment: str
    secret: str | None = None
    digest: str | None = None


@record
class SealData:
    """The turn's key: the recipient of sealed sheets, and once published, the identity that opens them."""

    kid: str
    """Name of the archive's master secret that the key is derived from."""
    recipient: str
    identity: str | None = None
    format: Whole | None = None
    """2: keys depend on the game's id and the attempt, and sealed files are compressed. 3: in addition, each kind of file has a fixed
    length for the whole game, and `secret.age` leaves out what is public. Absent in format 1."""
    width: Annotated[Whole, Choice(ge=256, le=16384)] | None = None
    """From format 2: plaintext length in bytes of every sealed sheet of this turn; if nothing is hidden, multiples of it are allowed."""
    dispatch: Annotated[Whole, Choice(ge=512, le=1 << 20)] | None = None
    """Format 3: plaintext length in bytes of every dispatch of this turn; doubled for longer news."""
    secret: Annotated[Whole, Choice(ge=512, le=1 << 20)] | None = None
    """Format 3: plaintext length in bytes of `secret.age`; doubled for a longer text."""

    ahead: Mapping[str, str] | None = None
    """Key of a list of orders ahead -> the recipient that the list is sealed to."""
    ahead_identity: str | None = None
    """In a judged turn that used sealed orders ahead: the identity that opens the lists for this turn."""

    @property
    def lengths(self) -> tuple[int | None, int | None, int | None, int | None]:
        """Settings that a game keeps from its first turn to its last: the format, and the length of each kind of file."""
        return self.format, self.width, self.dispatch, self.secret


@record
class SetupData:
    """The dice of a game's setup, stored with its first turn."""

    commitment: str
    secret: str | None = None
    nonces: Mapping[str, str] = field(default_factory=dict)
    """Seat -> its player's nonce."""
    rolls: tuple[luck.Roll, ...] = ()


@record
class StartData:
    """A record of how a game was set up, stored with its first turn. It lets versions of courtly with a different setup continue the game."""

    digest: str
    """Digest of the position before any ruling and of the players' nonces; if information is hidden, keyed with the turn's dice secret."""
    files: Mapping[str, str] | None = None
    """The ruleset's files that the game uses, such as its board -> SHA-256."""


@record
class Missed:
    """How often a seat owed a sheet and had none."""

    in_row: Whole = 0
    in_all: Whole = 0


@record
class FromAhead:
    """Orders ahead that were judged for a seat."""

    turn: str
    """The earlier turn whose sheet holds them."""
    lines: tuple[str, ...] = ()
    """All lines of the list, in the player's order."""
    fault: str | None = None
    """Why the list cannot be read, if it cannot."""


@record
class TurnData:
    """`turn.yaml` as it is written; position, verdicts and events have the ruleset's own types."""

    schema: int
    game: str
    turn: str
    phase: str
    status: str
    """`open` or `resolved`."""
    attempt: Whole | None = None
    """Number of times that the turn has been begun, if it was put back. Absent the first time."""
    put_back: str | None = None
    """The reason why the previous attempt was put back."""
    position: Any
    dice: DiceData
    deadline: str | None = None
    earliest: str | None = None
    """The turn is not judged before this time, even if all sheets are in."""
    remind: tuple[str, ...] | None = None
    """Times of the reminders to come, in order: then the group’s channels name the seats that owe a sheet."""
    early: Literal["never", "all"] | None = None
    """When the turn is judged before its deadline, if not as soon as all sheets are in and final."""
    closed: str | None = None
    """Time when the turn was judged, as given to the command; absent for imported turns."""
    judged_by: str | None = None
    """The version of courtly that judged the turn, such as `0.1.0` or `0.1.0+1f0c5a7e9b21`; absent in turns judged before this was recorded."""
    paused: bool = False
    owing: tuple[str, ...] = ()
    """While the turn is open: the seats that still owe a sheet."""
    opened: str | None = None
    """In a game's first turn, and in a turn that is begun again: the time that its deadline counts from."""
    seal: SealData | None = None
    dispatches: Mapping[str, str] | None = None
    """Seat -> SHA-256 of its dispatch's plain text, which contains a salt. None in format 1."""
    ahead: Mapping[str, str] | None = None
    """Seat -> the turn whose sheet holds its orders ahead."""
    setup: SetupData | None = None
    start: StartData | None = None
    """In a game's first turn only; absent in games begun before this was recorded."""
    players: Mapping[str, Player] | None = None
    """Players who took over a seat since the game began."""
    absent: tuple[str, ...] = ()
    """Seats in civil disorder: the turn does not wait for their sheets."""
    misses: Mapping[str, Missed] | None = None
    """Seat -> the turns that it missed before this one, if the schedule counts them."""
    standing: Mapping[str, Mapping[str, str]] | None = None
    """Kind of turn -> seat -> the turn whose sheet applies until another is sent."""
    rulings: tuple[Ruling, ...] = ()
    sheets: Mapping[str, str] | None = None
    """Seat -> SHA-256 of the sheet file that was judged; seats without a sheet are absent."""
    stood: Mapping[str, str] | None = None
    """Seat -> the earlier turn whose standing sheet was judged."""
    from_ahead: Mapping[str, FromAhead] | None = None
    """Seat that sent no sheet -> its orders ahead, which were judged."""
    refused: Mapping[str, str] | None = None
    """Sheets that could not be judged -> the reason."""
    partly: Mapping[str, str] | None = None
    """Sheets judged without their unreadable parts -> a description of those parts."""
    words: Mapping[str, str] | None = None
    """Seat -> what it said to everybody with the sheet that was judged, if the game publishes such words."""
    answers: Mapping[str, str] | None = None
    """Seat -> its answer to the host's question, if the host asked one in this turn."""
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Any, ...] = ()
    rolls: tuple[luck.Roll, ...] = ()
    ended: Ending | None = None


ORDER = (
    "schema", "game", "turn", "phase", "status", "attempt", "put_back", "opened", "deadline", "remind", "earliest", "early", "closed", "judged_by", "paused", "owing", "ahead", "seal",
    "position", "players", "absent", "misses", "standing", "setup", "start", "rulings", "dice", "dispatches", "sheets", "stood", "from_ahead", "refused", "partly", "words", "answers",
    "verdicts", "events", "rolls", "ended",
)  # fmt: skip
"""Order of the keys in `turn.yaml`: what people look for first comes first, together with the keys that decide whether the turn is due."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A loaded turn: its data with typed position and events."""

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
        """Outcome of the turn, as recorded (its position is the one the turn began with); None while open."""
        return recorded_resolution(self.data)


def recorded_resolution(data: TurnData) -> Resolution[Any, Any] | None:
    """Outcome of a turn, as recorded (its position is the one the turn began with); None while it is open."""
    if data.status == "open":
        return None
    return Resolution(data.position, data.verdicts, data.events, data.ended)


VERDICT_KEYS = tuple(part.name for part in fields(Verdict))


@dataclass(frozen=True, slots=True)
class Carried:
    """Data that one turn hands on to the next besides the position."""

    players: Mapping[str, Player] | None = None
    absent: tuple[str, ...] = ()
    misses: Mapping[str, Missed] | None = None
    standing: Mapping[str, Mapping[str, str]] | None = None
    ahead: Mapping[str, str] | None = None
    setup: SetupData | None = None
    seal: SealData | None = None
    """Seal of the turn before. A game keeps the format and the lengths that it began with."""


@record
class EndingData:
    """`ending.yaml`: how the game ended, and its final position, so that readers need not load its turns."""

    schema: int
    turn: str
    ended: Ending
    position: Any
