"""A Diplomacy position, and its house rules."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

from pydantic import Field as Choice

from adjudicator.core.contract.lines import Spelling
from adjudicator.core.contract.pages import MOST_SIDES
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.contract.ruleset import folders as ruleset_folders
from adjudicator.core.files.disk import Own
from adjudicator.core.text.codec import UNWRITTEN, Whole, extend_record, field_text, record
from adjudicator.core.text.problems import Problems, among, nearest, problem
from adjudicator.mechanics.adjustments import DisbandDistance, SurplusOrders
from adjudicator.mechanics.boards import Beside, digest_of, kept_board, load_board, own_board
from adjudicator.mechanics.movement.solver import (
    AdjacentConvoys,
    Coasts,
    ConvoyedAttack,
    Disengaged,
    DoubleOrders,
    Impossible,
    MovementRules,
    MultiRoute,
    SupportCoasts,
    UnitCoast,
    UnitKind,
)
from adjudicator.mechanics.notation import Notation
from adjudicator.mechanics.provinces import Board, BuildSites, Unit
from adjudicator.render.own_outlines import load_own
from adjudicator.render.scenes import Drawn
from adjudicator.rulesets.diplomacy.ground import tiles_of


class Season(StrEnum):
    """The season of a turn."""

    SPRING = "Spring"
    FALL = "Fall"
    WINTER = "Winter"


class Phase(StrEnum):
    """The kind of a turn."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


class Draws(StrEnum):
    """Whether players can agree to end the game."""

    VOTE = "vote"
    NONE = "none"


class DrawAmong(StrEnum):
    """Whose draw a vote can be for."""

    ALL = "all"
    NAMED = "named"
    """Also for one among some powers, whom the sheets name."""


class Votes(StrEnum):
    """How long the votes of a sheet count."""

    TURN = "turn"
    KEPT = "kept"
    """Until another sheet of the same power votes (DP-V-12)."""


class AbsentVotes(StrEnum):
    """Whether the vote of a power that owes a sheet and has none is needed to end the game (HO-4)."""

    NEEDED = "needed"
    ACCEPT = "accept"


class ConvoyedRetreat(StrEnum):
    """Whether a unit dislodged by an army that came by convoy may retreat to where that army started (DATC 4.A.5)."""

    OPEN = "open"
    CLOSED = "closed"


@record
class Settings:
    """House rules. The defaults are the 2023 rules as the DATC prefers to read them."""

    board: Annotated[
        str,
        field_text(
            "The board: `standard`, `fleet_rome`, one that another ruleset ships, or the host's own file beside game.yaml, such as `islands.yaml` (DP-G-4)."
        ),
    ] = "standard"
    draws: Annotated[Draws, field_text("Whether powers can vote for a draw (DP-V-3).")] = Draws.VOTE
    draw_among: Annotated[
        DrawAmong | None,
        field_text(
            "Whether votes can also name the powers that share the draw; they cannot if this is left out (DP-V-11)."
        ),
    ] = None
    concede_least: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("A concession counts only to a power with so many centres, and more than any other (DP-V-5)."),
    ] = None
    votes: Annotated[
        Votes | None,
        field_text(
            "Whether votes for a draw and concessions count for one turn, or until the power votes again; for one turn if this is left out (DP-V-12)."
        ),
    ] = None
    absent_votes: Annotated[
        AbsentVotes | None,
        field_text(
            "Whether a draw or a concession also needs the powers that owe a sheet and have none; it does if this is left out (DP-V-3, DP-V-5)."
        ),
    ] = None
    victory: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("Number of supply centres that wins; if it is left out, the board decides (DP-V-1)."),
    ] = None
    adjacent_convoys: Annotated[
        AdjacentConvoys, field_text("When an army that could walk goes by convoy instead (DP-C-5).")
    ] = AdjacentConvoys.INTENT
    multi_route: Annotated[
        MultiRoute, field_text("Whether one unbroken route is enough for a convoy, or all must be whole (DP-C-4).")
    ] = MultiRoute.ANY
    convoyed_attack: Annotated[
        ConvoyedAttack, field_text("Where an attack by convoy on a supporting unit counts as coming from (DP-S-4).")
    ] = ConvoyedAttack.ORIGIN
    disengaged: Annotated[
        Disengaged,
        field_text("Whether a unit dislodged by one that passed it by convoy still stands others off (DP-M-8)."),
    ] = Disengaged.BOUNCES
    coasts: Annotated[
        Coasts, field_text("What happens if a fleet's move leaves out its coast or names a wrong one (DP-O-8).")
    ] = Coasts.LENIENT
    impossible: Annotated[
        Impossible,
        field_text("Whether a unit whose move is impossible holds, or counts as one that tried to move (DP-O-3)."),
    ] = Impossible.IGNORED
    support_coasts: Annotated[
        SupportCoasts, field_text("Whether a support may leave out the coast that a fleet moves to (DP-S-6).")
    ] = SupportCoasts.LENIENT
    unit_coast: Annotated[
        UnitCoast, field_text("Whether an order counts if it names a coast that its fleet is not on (DP-O-9).")
    ] = UnitCoast.IGNORED
    unit_kind: Annotated[
        UnitKind | None,
        field_text(
            "Whether an order counts if it calls an army a fleet, or a fleet an army; it does not if this is left out (DP-O-6)."
        ),
    ] = None
    double_orders: Annotated[
        DoubleOrders | None,
        field_text(
            "The order that counts if a unit gets two different ones: neither if this is left out, or the last (DP-O-5)."
        ),
    ] = None
    convoyed_retreat: Annotated[
        ConvoyedRetreat, field_text("Whether a unit may retreat to where its attacker came from by convoy (DP-R-3).")
    ] = ConvoyedRetreat.OPEN
    surplus_orders: Annotated[
        SurplusOrders, field_text("Which orders count in winter if there are too many (DP-W-5).")
    ] = SurplusOrders.FIRST
    disband_distance: Annotated[
        DisbandDistance,
        field_text("Which units are removed for lack of orders: where distance is counted from, or the dice (DP-W-8)."),
    ] = DisbandDistance.OWNED
    build_sites: Annotated[
        BuildSites | None,
        field_text(
            "Where a power may build: in its home centres, in anybody's, or in all that it owns; if it is left out, the board decides (DP-W-3)."
        ),
    ] = None
    digest: Annotated[
        str | None, field_text("SHA-256 of the board in a host's own file; the program writes it into positions.")
    ] = None

    @property
    def ground(self) -> Board:
        """The board itself."""
        return board_named(self.board)

    @property
    def drawn(self) -> tuple[bytes, str] | None:
        """Bytes and path of the host's own shapes of the board, if there are any."""
        return None

    @property
    def sites(self) -> BuildSites:
        """The rule for where a power may build: the house rule if there is one, otherwise the board's."""
        return self.build_sites or self.ground.builds

    @property
    def movement(self) -> MovementRules:
        """The house rules in the form that the movement solver takes."""
        mine = {each.name: getattr(self, each.name) for each in fields(self)}
        chosen = {choice.name: mine.get(choice.name) for choice in fields(MovementRules)}
        return MovementRules(**{name: choice for name, choice in chosen.items() if choice is not None})


@record
class OwnBoard(Settings):
    """House rules with a board that no ruleset has today: from the host's own files, or as it was when the game began."""

    own: Board = field(metadata=UNWRITTEN)
    shapes: tuple[bytes, str] | None = field(default=None, metadata=UNWRITTEN)

    @property
    def ground(self) -> Board:
        """The board itself."""
        return self.own

    @property
    def drawn(self) -> tuple[bytes, str] | None:
        """Bytes and path of the host's own shapes of the board, if there are any."""
        return self.shapes


S = TypeVar("S", bound=Settings)


@record
class Dislodged:
    """A unit that must retreat."""

    power: SeatId
    unit: str
    attacked_from: str | None = None
    """The province that its attacker came from, where it cannot go; absent if the attack came by convoy."""


@record
class Vote:
    """A power's vote for ending the game."""

    draw: bool = False
    among: tuple[SeatId, ...] = ()
    concede: SeatId | None = None


@record
class Position:
    """Everything that is true between two turns. Units and provinces are written in the players' notation."""

    year: int
    season: Season
    phase: Phase
    units: Mapping[SeatId, tuple[str, ...]]
    centres: Mapping[SeatId, tuple[str, ...]]
    dislodged: tuple[Dislodged, ...] = ()
    contested: tuple[str, ...] = ()
    """Provinces left empty by a standoff, closed to retreats."""
    others: tuple[SeatId, ...] = ()
    """Powers that no player leads: they are on the board as long as they have units or centres there."""
    claims: Mapping[SeatId, int] = field(default_factory=dict)
    """Power -> falls in a row with the number of centres that wins, where the board asks for several (DP-V-9)."""
    votes: Mapping[SeatId, Vote] = field(default_factory=dict)
    """Power -> its vote, in a game that keeps votes (DP-V-12)."""
    settings: Settings


@dataclass(frozen=True, slots=True)
class Field:
    """A position on its board, for lookups by code instead of name."""

    board: Board
    notation: Notation
    units: dict[str, tuple[SeatId, Unit]]
    """Occupied province -> power and unit, without dislodged units."""
    owners: dict[str, SeatId]
    """Owned supply centre -> its owner."""
    dislodged: dict[str, tuple[SeatId, Unit, str]]
    """Province -> power, dislodged unit, and origin of the attack (`""` if it came by convoy)."""
    contested: frozenset[str]
    powers: tuple[SeatId, ...]
    """The powers of the board, then those that no player leads."""

    def owned(self, power: SeatId) -> set[str]:
        """The centres that a power owns."""
        return {code for code, owner in self.owners.items() if owner == power}

    def centres(self) -> dict[SeatId, set[str]]:
        """Power -> the centres it owns, without powers that own none."""
        owned: dict[SeatId, set[str]] = {}
        for code, owner in self.owners.items():
            owned.setdefault(owner, set()).add(code)
        return owned

    def names(self) -> dict[str, Unit]:
        """Province -> the unit that can be ordered there: a dislodged unit rather than its dislodger."""
        standing = {province: unit for province, (_, unit) in self.units.items()}
        return standing | {province: unit for province, (_, unit, _) in self.dislodged.items()}


_boards: dict[str, Board] = {}


@functools.cache
def _boards_in(home: Path) -> dict[str, Path]:
    """The boards of the rulesets in a folder, cached because each game asks for them."""
    files = Own(home)
    return {path.name: path for path in files.each(home, "*", "boards", "*") if files.is_file(path / "board.yaml")}


def shipped_boards() -> dict[str, Path]:
    """Name -> folder of each board that comes with a ruleset."""
    return {name: folder for home in ruleset_folders() for name, folder in _boards_in(home).items()}


def board_named(name: str) -> Board:
    """The board called `name`. Raises `Problems` if it does not exist."""
    board = _boards.get(name)
    if board is None:
        folders = shipped_boards()
        if name not in folders:  # in a browser, a ruleset may have been loaded since
            _boards_in.cache_clear()
            folders = shipped_boards()
        if name not in folders:
            raise problem(
                "",
                f"no board is called {name!r:.60}",
                nearest(name, folders) or "boards: " + ", ".join(sorted(folders)),
            )
        board = _boards[name] = load_board(folders[name])
    return board


def is_shipped(board: Board) -> bool:
    """Whether a board is the one that a ruleset ships today."""
    folder = shipped_boards().get(board.name)
    return folder is not None and board is load_board(folder)


@functools.lru_cache(maxsize=64)
def notation_on(board: Board) -> Notation:
    """The notation for orders on a board."""
    return Notation(board)


def notation_of(name: str) -> Notation:
    """The notation for orders on the board called `name`. Raises `Problems` if it does not exist."""
    return notation_on(board_named(name))


def begun_board(name: str, keep: Keep) -> Board:
    """The board called `name` as it was when the game began. Raises `Problems` if it does not exist."""
    return kept_board(name, keep, shipped_boards()) or board_named(name)


def furnish(settings: Settings, beside: Beside, keep: Keep) -> Settings:
    """House rules with board and build sites filled in. Raises `Problems` if the board is missing or faulty, or does not suit them."""
    done = furnish_board(settings, OwnBoard, beside, keep)
    return replace(done, build_sites=settings.build_sites or done.ground.builds)


def furnish_board(settings: S, own_board_of: type[S], beside: Beside, keep: Keep) -> S:
    """House rules with the board they name filled in. Raises `Problems` if the board is missing or faulty, or does not suit them.

    `own_board_of` is the subclass of these house rules that has the fields `own` and `shapes`, as `OwnBoard` does. It holds a board
    from the host's own files, or one that has changed since the game began.
    """
    own = settings.board.endswith(".yaml")
    board = own_board(settings.board, beside, shipped_boards(), keep) if own else begun_board(settings.board, keep)
    if settings.victory is not None and settings.victory > len(board.centres):
        what = f"{settings.victory} supply centres win, but {settings.board} has only {len(board.centres)}"
        raise problem("", what, f"at most {len(board.centres)}")
    if not own:
        if settings.digest is not None:
            raise problem(
                "", f"digest: {settings.board} is not a file of your own, so it has no digest", "leave it out"
            )
        return settings if is_shipped(board) else extend_record(settings, own_board_of, own=board)
    shapes = None
    if board.data.outlines is not None:
        shapes = beside(board.data.outlines)
        load_own(Drawn(*shapes, tiles_of(board)))
    digest = digest_of(board, shapes[0] if shapes is not None else b"")
    if settings.digest not in {None, digest}:
        what = f"{settings.board} is not the board whose digest is written here"
        raise problem("", what, f"restore it, or write digest: {digest}")
    return extend_record(settings, own_board_of, digest=digest, own=board, shapes=shapes)


def attach_settings(position: Position, settings: Settings) -> Position:
    """The position with its board filled in, because turn.yaml stores only the name. Raises `Problems` if the board has changed."""
    return replace(position, settings=attach_board(position.settings, settings, OwnBoard))


def attach_board(mine: S, settings: S, own_board_of: type[S]) -> S:
    """A position's house rules with the board filled in from the game's `settings`, because turn.yaml stores only its name.

    `own_board_of` is as in `furnish_board`. Raises `Problems` if the board has changed.
    """
    if mine.board != settings.board and (mine.board.endswith(".yaml") or settings.board.endswith(".yaml")):
        raise problem("", f"the position is on the board {mine.board!r:.60}", f"game.yaml says {settings.board}")
    if not isinstance(settings, own_board_of) or mine.board != settings.board:
        return mine
    if mine.digest != settings.digest:
        what = f"{settings.board} is not as it was when this turn was opened"
        raise problem("", what, "restore the file from the repository's history")
    return extend_record(mine, own_board_of, own=settings.ground, shapes=settings.drawn)


_lately: dict[int, tuple[Position, Field]] = {}
"""Recent positions by identity, with their boards: hashing a whole position takes longer than this lookup."""


def field_of(position: Position) -> Field:
    """The position on its board. Raises `Problems` if it names a power, unit or place that the board does not have.

    Cached, because it is called many times in a turn. Callers must not change the result.
    """
    lately = _lately.get(id(position))
    if lately is not None and lately[0] is position:
        return lately[1]
    field_ = field_from(board_said(position))
    if len(_lately) >= 64:
        _lately.clear()
    _lately[id(position)] = position, field_
    return field_


BoardSaid: TypeAlias = tuple[
    Notation,
    tuple[tuple[SeatId, tuple[str, ...]], ...],
    tuple[tuple[SeatId, tuple[str, ...]], ...],
    tuple[Dislodged, ...],
    tuple[str, ...],
    tuple[SeatId, ...],
]
"""The parts of a position that `field_from` reads, as a cache key."""


def spelling_in(position: Position) -> Spelling:
    """The accepted spellings of the words in a position's orders."""
    return field_of(position).notation.spelling(retreats=position.phase is Phase.RETREATS)


def board_said(position: Position) -> BoardSaid:
    """The parts of a position that `field_from` reads."""
    return (
        notation_on(position.settings.ground),
        tuple(position.units.items()),
        tuple(position.centres.items()),
        position.dislodged,
        position.contested,
        position.others,
    )


@functools.lru_cache(maxsize=64)
def field_from(said: BoardSaid) -> Field:
    """The position that `said` describes, on its board. Raises `Problems` if it names a power, unit or place that the board lacks."""
    notation, units_of, centres_of, dislodged, contested, others = said
    board = notation.board
    named = board.places

    def read_unit(text: str) -> Unit:
        kind, _, name = text.partition(" ")
        try:
            return board.unit(f"{kind} {named[name]}")
        except KeyError:
            raise problem(
                "", f"{text!r:.60} is not a unit that this board can have", _right_unit(board, kind, name)
            ) from None

    def read_province(text: str) -> str:
        code = named.get(text)
        if code is None or code not in board.provinces:
            codes = [p.id for p in board.provinces.values() if p.name == text]
            if not codes:
                raise problem("", f"{text!r:.60} is not a province on this board", among(text, named))
            return codes[0]
        return code

    powers = (*board.powers, *others)
    for power in (
        *(power for power, _ in units_of),
        *(power for power, _ in centres_of),
        *(lost.power for lost in dislodged),
    ):
        if power not in powers:
            raise problem("", f"{power!r:.60} is not a power on this board", among(power, board.powers))
    units: dict[str, tuple[SeatId, Unit]] = {}
    for power, texts in units_of:
        for unit in map(read_unit, texts):
            if unit.province in units:
                raise problem(
                    "", f"two units are in {board.provinces[unit.province].name}", "a province holds only one unit"
                )
            units[unit.province] = (power, unit)
    return Field(
        board,
        notation,
        units,
        {read_province(text): power for power, texts in centres_of for text in texts},
        {
            unit.province: (lost.power, unit, read_province(lost.attacked_from) if lost.attacked_from else "")
            for lost in dislodged
            for unit in (read_unit(lost.unit),)
        },
        frozenset(read_province(text) for text in contested),
        powers,
    )


def _right_unit(board: Board, kind: str, name: str) -> str:
    """Advice for a unit that no position on this board can have."""
    if kind not in ("A", "F"):
        return "write A or F and a place"
    called = name.partition("/")[0]
    province = next((code for code, data in board.provinces.items() if called in (code, data.name)), None)
    if province is None:
        return among(name, board.places)
    places = [place for place in (board.army_to if kind == "A" else board.fleet_to) if place.split("/")[0] == province]
    if not places:
        return "an army does not go to sea" if kind == "A" else "a fleet does not go inland"
    return "write " + " or ".join(f"{kind} {board.place_name(place)}" for place in places)


def faults(position: Position) -> Iterator[Remark]:
    """The faults in a position: unknown names, two units or owners in one place, units in impossible places."""
    try:
        field_ = field_of(position)
    except Problems as error:
        yield from (Remark((), fault.what, fault.right) for fault in error.problems)
        return
    board = field_.board
    for index, power in enumerate(position.others):
        if not power.strip() or power in (*board.powers, *position.others[:index]):
            what = f"{power!r:.60} is already a power" if power.strip() else "a power that no player leads has no name"
            yield Remark(("others", index), what, "name each power once, and leave out the board's own")
    if len(field_.powers) > MOST_SIDES:
        yield Remark(("others",), f"there would be {len(field_.powers)} powers", f"at most {MOST_SIDES} can be drawn")
    names = {board.provinces[code].name for code in board.centres} | set(board.centres)
    owners: dict[str, SeatId] = {}
    for power, texts in position.centres.items():
        for index, text in enumerate(texts):
            path = ("centres", power, index)
            if text not in names:
                yield Remark(path, f"{text!r:.60} is not a supply centre", among(text, names))
            elif owners.setdefault(text, power) != power:
                yield Remark(path, f"{text} would have two owners, {owners[text]} and {power}", "name it once")
    for power, vote in position.votes.items():
        for name in (power, *vote.among, *((vote.concede,) if vote.concede is not None else ())):
            if name not in board.powers:
                yield Remark(("votes", power), f"{name!r:.60} is not a power on this board", among(name, board.powers))
    for index, lost in enumerate(position.dislodged):
        if lost.unit in {other.unit for other in position.dislodged[:index]}:
            yield Remark(("dislodged", index), f"{lost.unit} would be dislodged twice", "name it once")


def unit_texts(board: Board, units: Mapping[str, tuple[SeatId, Unit]]) -> dict[SeatId, tuple[str, ...]]:
    """Units by power as a position lists them: every power of the board, and others that have any."""
    return _by_power(board, ((power, board.unit_name(unit)) for power, unit in units.values()))


def centre_texts(board: Board, owners: Mapping[str, SeatId]) -> dict[SeatId, tuple[str, ...]]:
    """Centres by power as a position lists them: every power of the board, and others that have any."""
    return _by_power(board, ((power, board.provinces[code].name) for code, power in owners.items()))


def _by_power(board: Board, texts: Iterable[tuple[SeatId, str]]) -> dict[SeatId, tuple[str, ...]]:
    """Group names of units or centres by power: the powers of the board, then others by name. Each group is sorted."""
    texts_of: dict[SeatId, list[str]] = {power: [] for power in board.powers}
    for power, text in texts:
        texts_of.setdefault(power, []).append(text)
    others = sorted(texts_of.keys() - board.powers.keys()) if len(texts_of) > len(board.powers) else ()
    return {power: tuple(sorted(texts_of[power])) for power in (*board.powers, *others)}


def starting_position(settings: Settings) -> Position:
    """The first position of a game (DP-G-4)."""
    board = settings.ground
    units = {
        unit.province: (power, unit)
        for power, data in (*board.powers.items(), *board.others.items())
        for unit in (board.unit(text) for text in data.units)
    }
    owners = {code: owner for code in board.centres if (owner := board.provinces[code].owner) is not None}
    season = Season[board.begins.upper()]
    return Position(
        year=board.starts,
        season=season,
        phase=Phase.ADJUSTMENTS if season is Season.WINTER else Phase.MOVEMENT,
        others=tuple(board.others),
        units=unit_texts(board, units),
        centres=centre_texts(board, owners),
        settings=settings,
    )
