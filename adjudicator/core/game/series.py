"""`series/NAME.yaml`: a season or a tournament. It names games, scores them, and keeps the rounds that were drawn, each with its proof."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from adjudicator.core.contract.words import many
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import check_schema
from adjudicator.core.game.lot import Drawn, draw_boards
from adjudicator.core.game.scoring import Scoring, scoring_faults
from adjudicator.core.secrets import dice as luck
from adjudicator.core.secrets.masters import dice_secret
from adjudicator.core.text.codec import Whole, decode, encode, field_text, record
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read, write

FOLDER = "series"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
RESTORE = "restore it from the history"


@record
class BoardData:
    """One board of a round: its game, once it is open, and who plays which seat."""

    seats: Mapping[str, str]
    game: str | None = None


@record
class RoundData:
    """A round as it was drawn, with the secret and the digest that prove the lot."""

    boards: tuple[BoardData, ...]
    byes: tuple[str, ...] = ()
    secret: str
    digest: str
    committed: str | None = None
    """The commitment to the secret that the file showed before the round was drawn."""

    @property
    def drawn(self) -> Drawn:
        """The boards and byes, without the proof."""
        return Drawn(tuple(board.seats for board in self.boards), self.byes)


@record
class SeriesData:
    """A season or a tournament."""

    schema: int
    title: str
    ruleset: str = "diplomacy"
    scoring: Scoring
    players: Annotated[tuple[str, ...], field_text("The names of the players, as the games' seats write them.")] = ()
    accounts: Annotated[
        Mapping[str, Whole], field_text("Player -> the number of their account, for games that are opened.")
    ] = field(default_factory=dict)
    teams: Annotated[
        Mapping[str, tuple[str, ...]], field_text("Team -> its players; a team's points are theirs together.")
    ] = field(default_factory=dict)
    games: Annotated[tuple[str, ...], field_text("Games that count besides those of the rounds.")] = ()
    settings: Mapping[str, Any] | None = None
    schedule: Mapping[str, Any] | None = None
    id: Annotated[
        str | None,
        field_text("The random id that the lots' secrets are derived for; with it, they come from the master secret."),
    ] = None
    seed: Annotated[str | None, field_text("The seed of the lots, which everybody can read.")] = None
    next: Annotated[str | None, field_text("The commitment to the secret of the next round's lot.")] = None
    rounds: tuple[RoundData, ...] = ()


def series_names(archive: Archive) -> list[str]:
    """The names of all series, sorted."""
    folder = archive.root / FOLDER
    return (
        sorted(path.stem for path in archive.files.paths(folder, "*.yaml") if NAME.fullmatch(path.stem))
        if archive.files.is_folder(folder)
        else []
    )


def path_of(archive: Archive, name: str) -> Path:
    """The file of a series; raises `Problems` for a name that no file can have."""
    if not NAME.fullmatch(name):
        raise problem("", f"{name!r:.60} is not a name for a series", "use small letters, digits and hyphens")
    return archive.root / FOLDER / f"{name}.yaml"


def load_series(archive: Archive, name: str) -> SeriesData:
    """Load a series; raises `Problems` with everything that is wrong in its file."""
    path = path_of(archive, name)
    if not archive.files.is_file(path):
        raise problem(
            "",
            f"no series is called {name!r:.60}",
            nearest(name, series_names(archive)) or "`courtly series new` begins one",
        )
    text = read(archive.read(path, own=True), display(path, archive.root))
    check_schema(text)
    data = decode(SeriesData, text)
    if faults := series_faults(data, text):
        raise Problems(faults)
    return data


def series_faults(data: SeriesData, text: Text) -> list[Problem]:
    """The faults in a series' file that need no game: its score, its players, its teams, the seats of its boards."""
    faults = [text.problem(("scoring",), one.what, one.right) for one in scoring_faults(data.scoring)]
    for index, player in enumerate(data.players):
        if player in data.players[:index]:
            faults.append(text.problem(("players", index), f"{player!r:.60} is listed twice", "keep one of them"))
    for team, members in data.teams.items():
        for index, player in enumerate(members):
            if data.players and player not in data.players:
                right = nearest(player, data.players) or "players: " + ", ".join(data.players)
                faults.append(text.problem(("teams", team, index), f"no player is called {player!r:.60}", right))
    for player in data.accounts:
        if data.players and player not in data.players:
            right = nearest(player, data.players) or "players: " + ", ".join(data.players)
            faults.append(text.problem(("accounts", player), f"no player is called {player!r:.60}", right))
    for number, one in enumerate(data.rounds):
        if len({tuple(sorted(board.seats)) for board in one.boards}) > 1:
            faults.append(text.problem(("rounds", number), "its boards have different seats", RESTORE))
    in_teams = [player for members in data.teams.values() for player in members]
    for team, members in data.teams.items():
        for index, player in enumerate(members):
            if in_teams.count(player) > 1:
                what = f"{player!r:.60} is in a team twice, or in two teams"
                faults.append(
                    text.problem(
                        ("teams", team, index), what, "name each player once; otherwise their points count twice"
                    )
                )
    return faults


def series_text(data: SeriesData) -> bytes:
    """The file of a series as commands write it."""
    return write(encode(data)).encode()


# The lot ----------------------------------------------------------------------------------------------------------


def lot_secret(archive: Archive, name: str, data: SeriesData, number: int) -> bytes:
    """The secret of a round's lot, from the seed or the master secret; raises `Problems` if that is not available."""
    if data.seed is not None:
        return luck.turn_secret(data.seed, f"{FOLDER}/{name}", f"round {number}")
    master = archive.masters.named(None) if archive.masters else None
    if master is None or data.id is None:
        raise problem(
            "",
            "the lot of a series with an id needs the archive's master secret",
            "give it in COURTLY_MASTER, or write a `seed`",
        )
    return dice_secret(master, data.id, f"{FOLDER}/{name}", f"round {number}")


def drawn_round(
    name: str, data: SeriesData, players: Sequence[str], seats: tuple[str, ...], secret: bytes
) -> RoundData:
    """Draw the next round from its secret, its players and the rounds before; the same on every machine."""
    number = len(data.rounds) + 1
    names = {f"player {player}": "" for player in sorted(players)}
    earlier = {f"round {at}": one.digest for at, one in enumerate(data.rounds, 1)}
    digest = luck.digest(names | earlier)
    dice = luck.NamedDice(luck.turn_key(secret, f"{FOLDER}/{name}", f"round {number}", digest))
    drawn = draw_boards(players, seats, [one.drawn for one in data.rounds], dice)
    boards = tuple(BoardData(seats=board, game=None) for board in drawn.boards)
    return RoundData(boards=boards, byes=drawn.byes, secret=secret.hex(), digest=digest)


def draw_next(archive: Archive, name: str, data: SeriesData, seats: tuple[str, ...]) -> SeriesData:
    """The series with one more round, and the commitment to the lot after it. Raises `Problems` if there are too few players."""
    if len(data.players) < len(seats):
        what = f"{many(len(data.players), 'player')} cannot fill a board of {len(seats)}"
        raise problem(f"{FOLDER}/{name}.yaml", what, "add players")
    number = len(data.rounds) + 1
    secret = lot_secret(archive, name, data, number)
    if data.next is not None and luck.commitment(secret) != data.next:
        what = f"the secret of round {number} does not match the commitment in `next:`"
        raise problem(
            f"{FOLDER}/{name}.yaml",
            what,
            "give the master secret that the series began with, or restore `next:`, `id:` or `seed:`",
        )
    made = replace(drawn_round(name, data, data.players, seats, secret), committed=data.next)
    return replace(data, rounds=(*data.rounds, made), next=commitment_to(archive, name, data, number + 1))


def commitment_to(archive: Archive, name: str, data: SeriesData, number: int) -> str:
    """The commitment to the lot of a round, to publish before it is drawn."""
    return luck.commitment(lot_secret(archive, name, data, number))


def lot_faults(name: str, data: SeriesData, seats: tuple[str, ...]) -> list[Problem]:
    """Differences between the rounds and the same lots drawn again; needs no master secret.

    A host could still try secrets until one suits them, and write its commitment into the file afterwards: the repository's history shows
    whether `next:` was there before the round.
    """
    faults: list[Problem] = []
    where = f"{FOLDER}/{name}.yaml"
    before = replace(data, rounds=())
    for number, one in enumerate(data.rounds, 1):
        secret = bytes.fromhex(one.secret) if re.fullmatch(r"[0-9a-f]{64}", one.secret, re.ASCII) else b""
        players = [*one.byes, *(player for board in one.boards for player in board.seats.values())]
        again = drawn_round(name, before, players, seats, secret)
        if (again.drawn, again.digest) != (one.drawn, one.digest):
            faults.append(Problem(where, 0, 0, f"drawn again, the boards of round {number} differ", RESTORE))
        if data.seed is not None and secret != luck.turn_secret(data.seed, f"{FOLDER}/{name}", f"round {number}"):
            faults.append(Problem(where, 0, 0, f"the secret of round {number} does not follow from the seed", RESTORE))
        if one.committed is not None and luck.commitment(secret) != one.committed:
            faults.append(Problem(where, 0, 0, f"the secret of round {number} does not match its commitment", RESTORE))
        before = replace(before, rounds=(*before.rounds, one))
    return faults
