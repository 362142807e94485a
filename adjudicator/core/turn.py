"""A turn: its files, how they are read, and what they become. Computes; `batch` writes and `proof` verifies.

`turn.yaml` is written when the turn opens (position) and completed when it is adjudicated (verdicts, events, rolls).
Where a ruleset has hidden information, `turn.yaml` holds what the public may see, `secret.age` holds all of it, and
`dispatches/SEAT.age` what each seat learns; when the game ends, the keys that open them are published.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core import dice as luck
from adjudicator.core import seal
from adjudicator.core.archive import Archive, display, read_file
from adjudicator.core.codec import Whole, decode, encode, load, record
from adjudicator.core.game import CHARTER, SCHEMA, Charter, Game, GameKind, Player, check_schema, seat_file
from adjudicator.core.join import load_joined
from adjudicator.core.problems import Problem, Problems, nearest, problem
from adjudicator.core.resolution import Ending, Remark, Resolution, Verdict
from adjudicator.core.rulings import (
    Ruling,
    corrected,
    decided,
    decided_unseen,
    hides,
    load_rulings,
    new_deadline,
    possible_decision,
    replaced,
    reveal_hidden,
    without_void,
)
from adjudicator.core.scene import Scene
from adjudicator.core.schedule import Judge, MissingSheets, OpenTurn, judge_or_wait, next_deadline, read_time
from adjudicator.core.sheet import SheetWords, StandingWords
from adjudicator.core.yamltext import OWN_LIMIT, Place, Text, read, write


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
    """2 where keys hang on the game's own id and the attempt, and what is sealed is compressed; absent in format 1."""
    width: Annotated[Whole, Choice(ge=256, le=16384)] | None = None
    """Format 2: the bytes that every sealed sheet of this turn has inside, or a multiple of them where nothing is hidden."""


@record
class SetupData:
    """The dice of a game's setup, as they are kept with its first turn."""

    commitment: str
    secret: str | None = None
    nonces: Mapping[str, str] = field(default_factory=dict)
    """Each player's share."""
    rolls: tuple[luck.Roll, ...] = ()


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
    paused: bool = False
    owing: tuple[str, ...] = ()
    """While the turn is open: the seats that are waited for."""
    opened: str | None = None
    """Of a game's first turn, and of one that is begun again: the time from which its deadline counts."""
    seal: SealData | None = None
    dispatches: Mapping[str, str] | None = None
    """Seat -> SHA-256 of the plain text of its dispatch, which has a salt in it. None in format 1."""
    setup: SetupData | None = None
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
    """Sealed sheets that could not be judged -> why."""
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Any, ...] = ()
    rolls: tuple[luck.Roll, ...] = ()
    ended: Ending | None = None


ORDER = (
    "schema", "game", "turn", "phase", "status", "attempt", "put_back", "opened", "deadline", "closed", "paused", "owing", "seal",
    "position", "players", "absent", "standing", "setup", "rulings", "dice", "dispatches", "sheets", "stood", "refused",
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
        return recorded(self.data)


def recorded(data: TurnData) -> Resolution[Any, Any] | None:
    """What a turn produced, as it is recorded (its position is the one the turn began with); None while it is open."""
    if data.status == "open":
        return None
    return Resolution(data.position, data.verdicts, data.events, data.ended)


# Keys -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets of one turn: of its dice, and what opens what was sealed for it (None in a game without seals)."""

    dice: bytes
    identity: str | None = None
    kid: str | None = None
    width: int | None = None
    """How long sealed sheets are; None in format 1."""

    @property
    def seal(self) -> SealData | None:
        """What an open turn shows of its key."""
        if self.identity is None:
            return None
        assert self.kid is not None
        format_ = 2 if self.width is not None else None
        return SealData(kid=self.kid, recipient=seal.recipient_of(self.identity), format=format_, width=self.width)


def sheet_width(game: Game, data: TurnData) -> seal.Width:
    """How long the sealed sheets of a turn are."""
    hidden = game.ruleset.secrecy is not None
    if data.seal is None or data.seal.width is None:
        return seal.HIDDEN_WIDTH_1 if hidden else seal.WIDTH_1
    return seal.width(data.seal.width, hidden=hidden)


def keys_for(game: Game, turn: str, known: TurnData | None = None, attempt: int = 1) -> Keys:
    """A turn's keys: as they were published when it was judged, or derived; raises `Problems` when neither can be had.

    `known` is the turn as it stands in the archive, if it does; else it is begun for the `attempt`th time.
    """
    if known is None:
        return derived_keys(game, turn, None, attempt)
    name = known.seal.kid if known.seal is not None else None
    published = known.status != "open" and known.dice.secret and known.seal is not None and known.seal.identity
    if game.data.sealed and published:
        assert known.dice.secret is not None
        assert known.seal is not None
        try:
            return Keys(bytes.fromhex(known.dice.secret), known.seal.identity, name, known.seal.width)
        except ValueError:
            raise problem("", "the secret of the dice is not hexadecimal", "restore the file") from None
    keys = derived_keys(game, turn, name, known.attempt or 1)
    return replace(keys, width=known.seal.width) if known.seal is not None else keys


def derived_keys(game: Game, turn: str, name: str | None, attempt: int) -> Keys:
    """A turn's keys from the master secret of that name, or the newest; from the seed in a game that is not sealed.

    Raises `Problems` when the master secret is not at hand.
    """
    if not game.data.sealed:
        return Keys(luck.turn_secret(game.data.seed, game.slug, turn, attempt))
    master = game.masters.named(name)
    if master is None:
        what = "the game is sealed, and the master secret" + (f" {name}" if name else "") + " is not here"
        raise problem(f"games/{game.slug}", what, f"give it in {seal.VARIABLE} or {seal.FILE_VARIABLE}")
    origin = (game.archive, game.slug, turn, game.data.id or "", attempt)
    return Keys(seal.dice_secret(master, *origin), seal.turn_identity(master, *origin), seal.kid(master), _width(game))


def _width(game: Game) -> int | None:
    if game.data.id is None:
        return None
    return seal.HIDDEN_WIDTH if game.ruleset.secrecy is not None else seal.OPEN_WIDTH


def has_keys(game: Game, data: TurnData) -> bool:
    """Whether a turn's keys are at hand."""
    try:
        keys_for(game, data.turn, data)
    except Problems:
        return False
    return True


VERDICT_KEYS = tuple(one.name for one in fields(Verdict))

# Reading ----------------------------------------------------------------------------------------------------------


def load_charter(archive: Archive) -> Charter | None:
    """`games/archive.yaml`; None in an archive that has none. Raises `Problems`."""
    path = archive.root / CHARTER
    if not path.exists() and not path.is_symlink():
        return None
    return load(Charter, read_file(path, archive.root), CHARTER)


def load_game(archive: Archive, slug: str) -> Game:
    """A game's `game.yaml`; raises `Problems` with everything that is wrong in it."""
    path = archive.game_folder(slug) / "game.yaml"
    if not path.parent.is_dir():
        archive.turns(slug)
    charter = load_charter(archive)
    text = read(read_file(path, archive.root), display(path, archive.root))

    def beside(name: str) -> bytes:
        return read_file(path.with_name(name), archive.root)

    own = charter.archive if charter else ""
    game = Game(slug, text, archive=own, masters=archive.masters, beside=beside)
    game.joined = load_joined(archive, game)
    return game


def load_turn(archive: Archive, game: Game, name: str, folder: Path | None = None) -> Turn:
    """One turn of a game, as the public sees it; raises `Problems`. `folder` is where it lies if it was put back."""
    folder = folder or archive.game_folder(game.slug) / name
    path = folder / "turn.yaml"
    source = read_file(path, archive.root, own=True)
    return Turn(game, folder, typed(game, name, read(source, display(path, archive.root), limit=OWN_LIMIT)), source)


RENAMED = "give the folder its name back: keys, dice and sealed sheets go by it"


def typed(game: Game, name: str, text: Text) -> TurnData:
    """The data of a turn's file, with position and events of the ruleset's types; raises `Problems`."""
    check_schema(text)
    data = decode(TurnData, text)
    faults = [
        text.problem((key,), f"{key} is {getattr(data, key)!r:.60}, and its folder is called {right!r:.60}", RENAMED)
        for key, right in (("game", game.slug), ("turn", name))
        if getattr(data, key) != right
    ]
    for key in ("deadline", "closed"):
        if (time := getattr(data, key)) is not None:
            try:
                read_time(time)
            except Problems as error:
                faults.extend(text.problem((key,), p.what, p.right) for p in error.problems)
    if data.status not in ("open", "resolved"):
        faults.append(text.problem(("status",), f"status is {data.status!r:.40}", "it is open or resolved"))
    if faults:
        raise Problems(faults)
    position, types = game.position(text.under("position")), game.ruleset.types
    events_text = text.under("events")
    events = decode(tuple[types.event, ...], replace(events_text, data=events_text.data or []))  # type: ignore[name-defined]
    verdicts = tuple(types.verdict(**{key: getattr(one, key) for key in VERDICT_KEYS}) for one in data.verdicts)
    return replace(data, position=position, verdicts=verdicts, events=events)


def load_all(archive: Archive, turn: Turn) -> TurnData:
    """The whole of a turn, hidden parts too; raises `Problems` when it is sealed and its key is not at hand."""
    if turn.game.ruleset.secrecy is None:
        return turn.data
    keys = keys_for(turn.game, turn.name, turn.data)
    assert keys.identity is not None
    path = turn.folder / "secret.age"
    shown = display(path, archive.root)
    body = seal.open_own(read_file(path, archive.root, own=True), [keys.identity], shown)
    whole = typed(turn.game, turn.name, read(body, shown, limit=OWN_LIMIT))
    if turn.data.status == "open" and whole.status != "open":
        # A process was killed when it had sealed the judged turn and not yet said so: nothing was judged.
        return replace(turn.data, position=whole.position, setup=whole.setup)
    return whole


# Sheets -----------------------------------------------------------------------------------------------------------

SHEET = re.compile(r"([a-z0-9][a-z0-9-]{0,79})(?:\.([2-9]|[1-9][0-9]))?\.yaml(\.age)?", re.ASCII)
MOST_SHEETS = 99
"""How often a seat can send a sheet in one turn."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """What a file's name says: whose sheet, its number among the seat's sheets of the turn, whether it is sealed."""

    seat: str
    number: int
    sealed: bool


def sheet_name(seat: str, number: int = 1, *, sealed: bool = False) -> str:
    """The name of a sheet's file: `austria.yaml`, then `austria.2.yaml`; sealed, `austria.yaml.age`.

    A sheet is never changed: a later one has a higher number, and the highest counts. So nothing is overwritten, pull
    requests never conflict, and an old sealed sheet cannot be put in a new one's place.
    """
    return f"{seat_file(seat)}" + (f".{number}" if number > 1 else "") + (".yaml.age" if sealed else ".yaml")


def read_name(game: Game, name: str) -> SheetFile | None:
    """Whose sheet a file of this name is; None if it is nobody's."""
    match = SHEET.fullmatch(name)
    seat = next((seat for seat in game.seats if match and seat_file(seat) == match[1]), None)
    if match is None or seat is None:
        return None
    return SheetFile(seat, int(match[2] or 1), match[3] is not None)


def sheet_path(folder: Path, seat: str) -> Path:
    """Where a seat's first open sheet of a turn lives."""
    return folder / "orders" / sheet_name(seat)


def sheet_files(archive: Archive, folder: Path) -> list[Path]:
    """What lies in a turn's `orders` folder, by name; raises `Problems` if that is a link or a file."""
    orders = folder / "orders"
    if orders.is_symlink():
        raise problem(display(orders, archive.root), "this is a link", "put the folder itself here")
    if not orders.exists():
        return []
    if not orders.is_dir():
        raise problem(display(orders, archive.root), "this is not a folder", "sheets go to orders/SEAT.yaml")
    return sorted(p for p in orders.iterdir() if not p.name.startswith(".") and p.name != "README.md")


def not_a_sheet(game: Game, path: str) -> Problem:
    """That no seat has a sheet of that name."""
    files = [f"{seat_file(seat)}.yaml" for seat in game.seats]
    right = nearest(path.rpartition("/")[2], files) or "sheets here: " + ", ".join(files)
    return Problem(path, 0, 0, "no seat of this game has a sheet of that name", right)


def by_seat(archive: Archive, turn: Turn) -> tuple[dict[str, list[tuple[SheetFile, Path]]], list[Problem]]:
    """The sheet files of a turn by seat, the latest first; and what is wrong with their names."""
    found: dict[str, list[tuple[SheetFile, Path]]] = {}
    faults: list[Problem] = []
    for path in sheet_files(archive, turn.folder):
        file = read_name(turn.game, path.name)
        if file is None:
            faults.append(not_a_sheet(turn.game, display(path, archive.root)))
        else:
            found.setdefault(file.seat, []).append((file, path))
    for files in found.values():
        files.sort(key=lambda pair: -pair[0].number)
        for (one, path), (other, _) in pairwise(files):
            if one.number == other.number:
                what = f"two sheets of {one.seat} have the number {one.number}"
                right = "keep one of them" if one.sealed == other.sealed else "move the open one out of this folder"
                faults.append(Problem(display(path, archive.root), 0, 0, what, right))
    return found, faults


@dataclass(frozen=True, slots=True)
class Given:
    """What the seats gave for a turn."""

    sheets: Mapping[str, SheetWords]
    digests: Mapping[str, str]
    """Seat -> SHA-256 of the file that counts."""
    stood: Mapping[str, str]
    """Seat -> the earlier turn whose standing sheet counts."""
    refused: Mapping[str, str]
    """File -> why it does not count."""

    @property
    def own(self) -> frozenset[str]:
        """The seats that sent a sheet for this very turn."""
        return frozenset(self.sheets) - frozenset(self.stood)


def load_given(archive: Archive, turn: Turn, whole: TurnData, keys: Keys) -> Given:
    """The sheets that count in a turn, opened; raises `Problems` for every fault in every plain file.

    A sealed sheet that cannot be read, or was meant for another place, is refused and named, and the one before it
    counts: nobody could have seen the fault before.
    """
    found, faults = by_seat(archive, turn)
    void = {ruling.void.seat for ruling in whole.rulings if ruling.void is not None and ruling.void.order is None}
    sheets: dict[str, Any] = {}
    digests: dict[str, str] = {}
    refused: dict[str, str] = {}
    for seat, files in sorted(found.items()):
        for file, path in files:
            try:
                source = read_file(path, archive.root)
                text = sheet_text(turn, file, source, display(path, archive.root), keys)
                sheets[seat] = decode(turn.game.ruleset.sheet_for(turn.data.position, seat), text)
                digests[seat] = hashlib.sha256(source).hexdigest()
            except Problems as error:
                if file.sealed or seat in void:  # a sheet that does not count need not be readable
                    refused[path.name] = why_refused(turn.game, error)
                    continue
                faults.extend(error.problems)
            break
    if faults:
        raise Problems(faults)
    stood: dict[str, str] = {}
    kind = turn.game.ruleset.kind(whole.position)
    for seat, name in sorted(((whole.standing or {}).get(kind) or {}).items()):
        if seat not in sheets and seat in turn.game.ruleset.due(whole.position):
            before = load_turn(archive, turn.game, name)
            file, path, source = judged_file(archive, before, seat)
            text = sheet_text(before, file, source, display(path, archive.root), keys_for(turn.game, name, before.data))
            sheets[seat] = decode(turn.game.ruleset.sheet_for(before.data.position, seat), text)
            digests[seat] = hashlib.sha256(source).hexdigest()
            stood[seat] = name
    return Given(sheets, digests, stood, refused)


def load_inputs(archive: Archive, turn: Turn) -> tuple[TurnData, Given, Keys]:
    """All that a turn is judged from: what it began with, the sheets that count, its keys. Raises `Problems`."""
    keys = keys_for(turn.game, turn.name, turn.data)
    whole = load_all(archive, turn)
    return whole, load_given(archive, turn, whole, keys), keys


def judged_file(archive: Archive, turn: Turn, seat: str) -> tuple[SheetFile, Path, bytes]:
    """The file of a judged turn that a seat's orders were read from, by its digest; raises `Problems`."""
    wanted = (turn.data.sheets or {}).get(seat)
    for file, path in by_seat(archive, turn)[0].get(seat, ()):
        source = read_file(path, archive.root)
        if hashlib.sha256(source).hexdigest() == wanted:
            return file, path, source
    where = display(turn.folder, archive.root)
    raise problem(where, f"the sheet of {seat} that was judged here is gone", "restore it from the history")


def sheet_text(turn: Turn, file: SheetFile, source: bytes, path: str, keys: Keys) -> Text:
    """A sheet as text with its marks: as it stands, or out of its envelope; raises `Problems`."""
    if not file.sealed:
        return read(source, path)
    if keys.identity is None:
        raise problem(path, "this game is not sealed", "send the sheet as it is, ending in .yaml")
    wanted = seal.Envelope(
        archive=turn.game.archive,
        game=turn.game.slug,
        turn=turn.name,
        attempt=attempt_said(turn.data),
        seat=file.seat,
        account=holder(turn.game, turn.data, file.seat).account,
        sequence=file.number,
        nonce="",
        sheet={},
    )
    # A seat that had no account when this sheet was judged may have got one since.
    judged = (turn.data.sheets or {}).get(file.seat) == hashlib.sha256(source).hexdigest()
    lengths = sheet_width(turn.game, turn.data)
    return seal.open_envelope(source, [keys.identity], path, wanted, lengths, unnamed=judged)


def attempt_said(data: TurnData) -> int | None:
    """What a sealed sheet says of how often its turn was begun: nothing in format 1."""
    return data.attempt or 1 if data.seal is not None and data.seal.format is not None else None


def why_refused(game: Game, error: Problems) -> str:
    """Why a sealed sheet does not count. In a game with hidden information not a word of what it says is repeated."""
    first = error.problems[0]
    if game.ruleset.secrecy is not None and first.line:
        return "the sheet inside cannot be read"
    where = f"line {first.line}: " if first.line else ""
    more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
    return f"{where}{first.what}; {first.right}{more}" if first.right else f"{where}{first.what}{more}"


def holder(game: Game, data: TurnData, seat: str) -> Player:
    """Who plays a seat in this turn."""
    joined = game.joined.get(seat)
    if (given := (data.players or {}).get(seat)) is not None or joined is None:
        return given or game.data.seats[seat]
    # The same answer before and after it is judged. A turn that was put back since they came is theirs, too.
    again = data.put_back is not None and data.opened is not None and read_time(joined.asked) <= read_time(data.opened)
    return joined.person if again or joined.by(data.turn) else game.data.seats[seat]


def changed_sheets(archive: Archive, turn: Turn, digests: Mapping[str, str]) -> list[Problem]:
    """The sheets of a judged turn that are not the ones it was judged from."""
    judged = turn.data.sheets or {}
    if turn.data.status == "open":
        return []
    words = {(True, False): "was added", (False, True): "was removed", (True, True): "was changed"}
    return [
        Problem(
            display(sheet_path(turn.folder, seat), archive.root),
            0,
            0,
            f"this sheet {words[seat in digests, seat in judged]} after the turn was judged",
            "restore it from the repository's history",
        )
        for seat in sorted({*judged, *digests})
        if judged.get(seat) != digests.get(seat)
    ]


def check_sheet(game: Game, data: TurnData, seat: str, text: Text, view: Any = None) -> tuple[Problem, ...]:
    """Everything that is wrong with one sheet, before the deadline, warnings included: as far as the public can see, or a view."""
    position = data.position
    try:
        sheet = decode(game.ruleset.sheet_for(position, seat), text)
    except Problems as error:
        return error.problems
    # What is possible may hang on what only the seat can see; what its viewer can see to be wrong is said.
    remarks = game.ruleset.rules.check(view if view is not None else game.ruleset.view(position, None), seat, sheet)
    # Of two orders in one line what is wrong is that they are in one line.
    found = [
        *text.misindented(),
        *(place_remark(text, remark) for remark in remarks if remark.place not in text.joined),
    ]
    if seat not in game.ruleset.due(position):
        owing = ", ".join(sorted(game.ruleset.due(position))) or "none"
        what = f"{seat} has nothing to order in this turn (what else the sheet says counts all the same)"
        found.append(text.problem((), what, f"seats that do: {owing}", level="warning"))
    return tuple(sorted(found))


def place_remark(text: Text, remark: Remark) -> Problem:
    """A ruleset's remark on a sheet as a problem with its line and column."""
    return text.problem(remark.place, remark.what, remark.right, offset=remark.offset, level=remark.level)


# Computing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Carried:
    """What one turn hands on to the next beside the position."""

    players: Mapping[str, Player] | None = None
    absent: tuple[str, ...] = ()
    standing: Mapping[str, Mapping[str, str]] | None = None
    setup: SetupData | None = None


def turn_name(number: int, phase: str) -> str:
    """`Spring 1901, movement` as the third turn's folder name: `003-spring-1901-movement`."""
    return f"{number:03d}-" + re.sub(r"[^a-z0-9]+", "-", phase.casefold()).strip("-")


def phase_of(game: Game, position: Any) -> str:
    """What a turn with this position is called, by what the public sees of it."""
    return game.ruleset.when(position)


def owing(game: Game, position: Any, absent: Iterable[str]) -> tuple[str, ...]:
    """The seats that are waited for, in the order of the game."""
    due = game.ruleset.due(position) - frozenset(absent)
    return tuple(seat for seat in game.seats if seat in due)


def opened(
    game: Game,
    number: int,
    position: Any,
    after: str | None,
    carried: Carried,
    known: TurnData | None = None,
    attempt: int = 1,
) -> TurnData:
    """The data of a turn that opens with this position; `after` is when the turn before closed.

    `known` is the turn as it stands in the archive, if it does: its keys are taken from there when the master secret is
    not at hand, and so are its attempt and its deadline, which depends on when it was opened.
    """
    phase = phase_of(game, position)
    name = turn_name(number, phase)
    data = TurnData(
        schema=SCHEMA,
        game=game.slug,
        turn=name,
        phase=phase,
        status="open",
        position=position,
        dice=DiceData(commitment=""),
        owing=owing(game, position, carried.absent),
        players=carried.players,
        absent=carried.absent,
        standing=carried.standing,
        setup=carried.setup,
        attempt=attempt if attempt > 1 else None,
    )
    if known is not None:
        same = {key: getattr(known, key) for key in ("deadline", "attempt", "opened", "put_back")}
        data = replace(data, **same)
        if not has_keys(game, known):
            shown = replace(known.seal, identity=None) if known.seal else None
            return replace(data, dice=DiceData(commitment=known.dice.commitment), seal=shown)
    else:
        data = replace(data, deadline=next_deadline(game.data.schedule, game.ruleset.kind(position), after))
    keys = keys_for(game, name, known, attempt)
    return replace(data, dice=DiceData(commitment=luck.commitment(keys.dice)), seal=keys.seal)


def setup_secret(game: Game, committed: str | None) -> bytes:
    """The secret of the setup's dice: the one that was committed to, whichever master secret it comes from."""
    if not game.data.sealed or committed is None:
        return keys_for(game, "setup").dice
    for master in game.masters.secrets:
        secret = seal.dice_secret(master, game.archive, game.slug, "setup", game.data.id or "")
        if luck.commitment(secret) == committed:
            return secret
    what = "the master secret that the setup was committed to with is not here"
    raise problem(f"games/{game.slug}", what, f"give it in {seal.VARIABLE} or {seal.FILE_VARIABLE}")


def first_turn(
    game: Game, known: TurnData | None = None, at: str | None = None, attempt: Callable[[str], int] = lambda name: 1
) -> TurnData:
    """The first turn of a game, as set up by its ruleset; `known` as for `opened`.

    Its deadline counts from the time `at` which it is opened; from the beginning of the day in game.yaml where none is known.
    `attempt` gives for its name how often it has been begun.
    """
    kept = known.setup if known is not None else None
    nonces = kept.nonces if kept else {seat: p.nonce for seat, p in sorted(game.data.seats.items()) if p.nonce}
    secret = b""
    if kept and kept.secret:
        secret = bytes.fromhex(kept.secret)
    elif not game.data.sealed or game.masters.secrets:
        secret = setup_secret(game, kept.commitment if kept else game.data.setup)
    # Without the secret nothing can be rolled; most rulesets roll nothing here, and then none is needed.
    mixed = luck.turn_key(secret, game.slug, "setup", luck.digest(nonces))
    rolled: luck.NamedDice | luck.GivenDice = luck.NamedDice(mixed) if secret else luck.GivenDice({})
    position = game.ruleset.rules.setup(game.settings, rolled)
    setup = None
    if game.data.sealed and rolled.rolls:
        setup = SetupData(commitment=luck.commitment(secret), secret=secret.hex(), nonces=nonces, rolls=rolled.rolls)
    number = attempt(turn_name(1, phase_of(game, position)))
    data = opened(game, 1, position, at or f"{game.data.opened}T00:00Z", Carried(setup=setup), known, number)
    return replace(data, opened=at) if known is None else data


def ruled(
    game: Game, data: TurnData, rulings: Iterable[Ruling], where: Text | str, keys: Keys | None = None
) -> TurnData:
    """An open turn after more of the host's rulings; raises `Problems` when one of them cannot be applied.

    `where` is the file they stand in, after those that were applied before; or its name alone. `keys` are the turn's, where
    they are known: a ruling on what is hidden is sealed to them.
    """
    text = Text(where, None, {}) if isinstance(where, str) else where
    for ruling in rulings:
        index, position = len(data.rulings), data.position
        if ruling.correct:
            position = corrected(game, position, ruling, text, ("rulings", index, "correct"))
        elif ruling.hidden is not None:
            found = keys or keys_for(game, data.turn, data)
            position = _corrected_unseen(game, data, ruling.hidden, found, text, ("rulings", index, "hidden"))
        elif ruling.decide is not None:
            position = decided(game, position, ruling, text, index)
        given = ruling.replace.seat if ruling.replace else None
        absent = tuple(seat for seat in data.absent if seat != given)
        kept = {kind: {s: turn for s, turn in by.items() if s != given} for kind, by in (data.standing or {}).items()}
        data = replace(
            data,
            rulings=(*data.rulings, ruling),
            position=position,
            deadline=new_deadline(ruling, data.deadline),
            paused=(data.paused or bool(ruling.pause)) and ruling.resume is None,
            players=replaced(data.players, ruling),
            absent=absent,
            standing={kind: by for kind, by in kept.items() if by}
            or None,  # a new player's standing orders are his own
            owing=owing(game, position, absent),
        )
    return data


def _corrected_unseen(game: Game, data: TurnData, sealed: str, keys: Keys, text: Text, place: Place) -> Any:
    """The position after a correction of what is hidden; raises `Problems` that say nothing of what is in it."""
    here = (game.archive, game.slug, data.turn, data.attempt or 1)
    try:
        said = reveal_hidden(sealed, keys.identity or "", text.path)
        if (said.archive, said.game, said.turn, said.attempt) == here:
            if said.decide is not None:
                return decided_unseen(game, data.position, Ruling(reason="", decide=said.decide), text, place)
            return corrected(game, data.position, Ruling(reason="", correct=said.correct), text, place)
    except Problems:
        pass
    what = "this hidden correction cannot be made in this turn"
    right = "seal it anew; with the master secret at hand `courtly seal` says what is wrong with it"
    raise Problems([text.problem(place, what, right)])


def possible_decisions(game: Game, data: TurnData, rulings: tuple[Ruling, ...], text: Text) -> None:
    """Raises `Problems` with what anybody can see to be wrong with the decision that is to be applied next.

    What comes after one, or after a correction, is of a position that in a game with secrets only the master secret shows.
    """
    for index, ruling in enumerate(rulings[len(data.rulings) :], len(data.rulings)):
        if ruling.decide is not None and not hides(game, ruling):
            possible_decision(game, data.position, ruling, text, index)
        if ruling.decide is not None or ruling.correct or ruling.hidden:
            return


def ruled_anew(archive: Archive, turn: Turn, whole: TurnData) -> tuple[TurnData, tuple[Ruling, ...]]:
    """An open turn after all in its `ruling.yaml`, and the rulings that its `turn.yaml` does not tell of yet.

    Raises `Problems`, also when a ruling that was applied was changed.
    """
    text = ruling_text(archive, turn)
    rulings = load_rulings(turn.game, text)
    if rulings[: len(whole.rulings)] != whole.rulings:
        raise problem(
            text.path, "a ruling that was applied was changed or removed", "restore it, and add another ruling"
        )
    # What stands below an `undo` is never applied here: that goes away with the turn, and is told as a fault.
    undone = (at for at, one in enumerate(rulings) if one.undo and at >= len(whole.rulings))
    rulings = rulings[: next(undone, len(rulings))]
    # A killed process may have sealed the turn as ruled, and not yet said so in turn.yaml.
    return ruled(turn.game, whole, rulings[len(whole.rulings) :], text), rulings[len(turn.data.rulings) :]


def resolved(
    game: Game, data: TurnData, given: Given, closed: str | None, keys: Keys
) -> tuple[TurnData, Resolution[Any, Any]]:
    """The completed data of a turn with nothing left out, and its resolution. Pure: same arguments, same result."""
    mixed = luck.digest(given.digests)
    rolled = luck.NamedDice(luck.turn_key(keys.dice, game.slug, data.turn, mixed))
    end = next((ruling.end for ruling in data.rulings if ruling.end), None)
    if end is not None:
        ended = Ending(how=end.how, winners=end.winners, when=data.phase, rule="")
        found: Resolution[Any, Any] = Resolution(data.position, (), (), ended)
    else:
        sheets = without_void(game, data.position, given.sheets, data.rulings)
        found = game.ruleset.rules.resolve(data.position, dict(sorted(sheets.items())), rolled)
    done = replace(
        data,
        status="resolved",
        closed=closed,
        paused=False,
        owing=(),
        dice=DiceData(commitment=luck.commitment(keys.dice), secret=keys.dice.hex(), digest=mixed),
        seal=replace(keys.seal, identity=keys.identity) if keys.seal else None,
        sheets=dict(sorted(given.digests.items())),
        stood=dict(sorted(given.stood.items())) or None,
        refused=dict(sorted(given.refused.items())) or None,
        verdicts=found.verdicts,
        events=found.events,
        rolls=rolled.rolls,
        ended=found.ended,
    )
    return done, found


def carried(game: Game, data: TurnData, given: Given) -> Carried:
    """What a judged turn hands on: who plays, who is in civil disorder, whose sheet stands."""
    kind = game.ruleset.kind(data.position)
    standing = {key: dict(value) for key, value in (data.standing or {}).items()}
    here = standing.setdefault(kind, {})
    void = {ruling.void.seat for ruling in data.rulings if ruling.void and ruling.void.order is None}
    for seat in {*given.own, *void}:
        here.pop(seat, None)
        sheet = given.sheets.get(seat)
        if seat in given.own - void and isinstance(sheet, StandingWords) and sheet.standing:
            here[seat] = data.turn
    absent = set(data.absent) - given.own
    schedule = game.data.schedule
    if schedule is not None and schedule.missing is MissingSheets.CIVIL_DISORDER:
        absent |= game.ruleset.due(data.position) - frozenset(given.sheets)
    kept = {key: dict(sorted(value.items())) for key, value in sorted(standing.items()) if value}
    return Carried(data.players, tuple(seat for seat in game.seats if seat in absent), kept or None)


def as_open(game: Game, data: TurnData, given: Given | None = None) -> OpenTurn:
    """An open turn as the question `judge_or_wait` takes it; without `given`, of no sheet it is known what it says."""
    sheets = given.sheets if given is not None else {}
    own = given.own if given is not None else frozenset()
    return OpenTurn(
        schedule=game.data.schedule,
        deadline=data.deadline,
        paused=data.paused,
        owed=bool(game.ruleset.due(data.position)),
        waited=owing(game, data.position, data.absent),
        final=frozenset(seat for seat in own if sheets[seat].final),
        given=frozenset(sheets),
        ended=any(ruling.end for ruling in data.rulings),
        proceed=any(ruling.proceed for ruling in data.rulings),
    )


def is_due(game: Game, data: TurnData, given: Given, at: str | None) -> bool:
    """Whether an open turn is to be judged now."""
    return isinstance(judge_or_wait(as_open(game, data, given), at), Judge)


# Writing ----------------------------------------------------------------------------------------------------------


def shown(game: Game, data: TurnData, *, over: bool) -> TurnData:
    """What `turn.yaml` shows of a turn: all of it, or what the public may see; with its keys once the game is over."""
    secrecy = game.ruleset.secrecy
    if secrecy is None:
        return data
    setup = data.setup
    if setup is not None and not over:
        setup = replace(setup, secret=None, rolls=tuple(r for r in setup.rolls if secrecy.public_roll(r.name)))
    return replace(
        data,
        position=secrecy.seen_by(data.position, None),
        verdicts=game.ruleset.heard(data.verdicts, None),
        events=game.ruleset.heard(data.events, None),
        rolls=tuple(roll for roll in data.rolls if secrecy.public_roll(roll.name)),
        dice=data.dice if over else replace(data.dice, secret=None),
        seal=data.seal if over or data.seal is None else replace(data.seal, identity=None),
        setup=setup,
    )


def turn_text(data: TurnData) -> bytes:
    """A turn's canonical bytes."""
    plain = encode(data)
    if not data.paused:
        del plain["paused"]
    return write({key: plain[key] for key in ORDER if key in plain}).encode()


def scene_of(game: Game, position: Any, done: Resolution[Any, Any] | None) -> Scene:
    """What is to be seen of a turn. Of a record nobody is counted: what is not on it is not known to be nothing."""
    scene = game.ruleset.pictures.draw(position, done)
    return scene.uncounted() if game.data.kind is GameKind.RECORD else scene


def map_text(game: Game, data: TurnData) -> bytes:
    """`map.svg`'s bytes: the position, and the orders with their verdicts once the turn is resolved."""
    public = shown(game, data, over=False)
    return game.ruleset.pictures.paint(scene_of(game, public.position, recorded(public))).encode()


@dataclass(frozen=True, slots=True)
class Known:
    """What of a turn's news the public knows, and no dispatch repeats (format 2): the view, in plain data; and the facts."""

    view: Mapping[str, Any]
    events: tuple[Any, ...]


def news(
    game: Game, seat: str, data: TurnData, before: TurnData | None, salt: str | None = None, known: Known | None = None
) -> bytes:
    """What a seat learns when a turn opens: of the turn before its verdicts and what it heard, who it is, and its view.

    All of it is made of what `secrecy` answers for the seat and for the public, and of nothing else.
    """
    rules, secrecy = game.ruleset, game.ruleset.secrecy
    assert secrecy is not None, "only games with hidden information have dispatches"
    plain: dict[str, Any] = {"schema": SCHEMA, "game": game.slug, "turn": data.turn, "phase": data.phase, "seat": seat}
    if salt is not None:
        plain |= {"attempt": data.attempt or 1, "salt": salt}
    if before is not None:
        view = secrecy.seen_by(before.position, seat)
        verdicts = rules.heard(before.verdicts, seat)
        events = rules.heard(before.events, seat)
        if known is not None:
            events = tuple(one for one in events if one not in known.events)
        plain["told"] = [rules.words.tell(view, one) for one in (*verdicts, *events)]
        plain["verdicts"] = encode(verdicts)
        plain["events"] = encode(events)
    now = secrecy.seen_by(data.position, seat)
    if brief := secrecy.brief(now, seat):
        plain["brief"] = list(brief)
    seen = encode(now)
    if known is not None:
        view = known.view
        seen = {key: value for key, value in seen.items() if key not in view or view[key] != value}
    plain["position"] = seen
    return write(plain).encode()


def all_news(game: Game, data: TurnData, before: TurnData | None, keys: Keys) -> dict[str, bytes]:
    """Seat -> the plain text of its dispatch; nothing where a ruleset hides nothing."""
    rules = game.ruleset
    if rules.secrecy is None:
        return {}
    if keys.width is None:
        return {seat: news(game, seat, data, before) for seat in game.seats}
    public = encode(rules.view(data.position, None))
    known = Known(public, rules.heard(before.events, None) if before is not None else ())
    # After a correction every digest is another, whoever it was about: which of them changed would tell.
    moved = sum(ruling.kind in ("correct", "hidden", "decide") for ruling in data.rulings)
    return {seat: news(game, seat, data, before, seal.news_salt(keys.dice, seat, moved), known) for seat in game.seats}


def with_digests(data: TurnData, texts: Mapping[str, bytes]) -> TurnData:
    """A turn with the digests of its dispatches; in format 1, and where nothing is hidden, as it is."""
    if not texts or data.seal is None or data.seal.format is None:
        return data
    return replace(data, dispatches={seat: hashlib.sha256(text).hexdigest() for seat, text in texts.items()})


def open_files(game: Game, data: TurnData, before: TurnData | None) -> dict[str, bytes]:
    """What a turn's folder holds when it opens; `before` is the judged turn before, with nothing left out."""
    texts = all_news(game, data, before, keys_for(game, data.turn, data)) if game.ruleset.secrecy is not None else {}
    data = with_digests(data, texts)
    files = {"turn.yaml": turn_text(shown(game, data, over=False)), "map.svg": map_text(game, data)}
    if game.ruleset.secrecy is not None:
        assert data.seal is not None
        files["secret.age"] = secret_file(data)
        files |= dispatches(game, data, texts, game.seats)
    return files


def secret_file(data: TurnData) -> bytes:
    """`secret.age`: all of a turn, sealed to its own key."""
    assert data.seal is not None
    text = turn_text(replace(data, seal=replace(data.seal, identity=None)))
    if data.seal.format is None:
        return seal.encrypted(seal.padded_news(text), [data.seal.recipient])
    member = seal.packed(text)
    return seal.encrypted(seal.stretched(member, seal.news_width([member])), [data.seal.recipient])


def dispatches(game: Game, data: TurnData, texts: Mapping[str, bytes], seats: Iterable[str]) -> dict[str, bytes]:
    """Private news (of `all_news`) for some seats, each sealed to its pinned key, all as long as the longest of any seat's.

    Raises `Problems` if one of them has no key.
    """
    assert data.seal is not None
    if data.seal.format is None:
        size = seal.news_size(texts.values())
        padded = {seat: seal.padded_news(text, size) for seat, text in texts.items()}
    else:
        members = {seat: seal.packed(text) for seat, text in texts.items()}
        size = seal.news_width(members.values())
        padded = {seat: seal.stretched(member, size) for seat, member in members.items()}
    files = {}
    for seat in seats:
        key = holder(game, data, seat).key
        if key is None:
            right = f"add `key:` to {seat} in game.yaml: an age key (age1...) or an SSH key"
            what = f"{seat} has no key to send its private news to"
            raise problem(f"games/{game.slug}/game.yaml", what, right)
        files[f"dispatches/{seat_file(seat)}.age"] = seal.encrypted(padded[seat], [key])
    return files


@record
class EndingData:
    """`ending.yaml`: that the game is over, how, and the position it ended in; so that none need read its turns."""

    schema: int
    turn: str
    ended: Ending
    position: Any


def stopped(data: TurnData) -> Ending:
    """The ending of a game whose record breaks off after this turn."""
    return Ending(how="stopped", winners=(), when=data.phase, rule="")


def ending_files(game: Game, turn: str, ended: Ending, position: Any) -> dict[str, bytes]:
    """What a game's folder gets when it is over: the last map, and `ending.yaml`, in the order in which to write them."""
    ending = EndingData(schema=SCHEMA, turn=turn, ended=ended, position=position)
    return {
        "map.svg": game.ruleset.pictures.picture(position, None).svg.encode(),
        "ending.yaml": write(encode(ending)).encode(),
    }


def load_ending(archive: Archive, game: Game) -> EndingData:
    """A finished game's `ending.yaml`, with its position typed; raises `Problems`."""
    path = archive.game_folder(game.slug) / "ending.yaml"
    text = read(read_file(path, archive.root, own=True), display(path, archive.root), limit=OWN_LIMIT)
    check_schema(text)
    return replace(decode(EndingData, text), position=game.position(text.under("position")))


def ruling_text(archive: Archive, turn: Turn) -> Text:
    """A turn's `ruling.yaml` with its marks, empty if there is no such file; raises `Problems`."""
    path = turn.folder / "ruling.yaml"
    if not path.exists() and not path.is_symlink():
        return Text(display(path, archive.root), None, {})
    return read(read_file(path, archive.root), display(path, archive.root))


def rulings_of(archive: Archive, turn: Turn) -> tuple[Ruling, ...]:
    """The rulings in a turn's `ruling.yaml`, none if there is no such file; raises `Problems`."""
    return load_rulings(turn.game, ruling_text(archive, turn))
