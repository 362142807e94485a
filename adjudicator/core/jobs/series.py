"""Seasons and tournaments: points of their games, standings of players and teams, and games for the boards that were drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from adjudicator.core.contract.ruleset import Ruleset, find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import rules_at_hand
from adjudicator.core.game.game import UNNAMED, Game, is_day
from adjudicator.core.game.scoring import Outcome, points
from adjudicator.core.game.series import FOLDER, BoardData, SeriesData, draw_next, lot_faults, path_of, series_text
from adjudicator.core.jobs.new import new_game, new_id
from adjudicator.core.secrets.chance import drawn
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.turn.load import load_ending, load_game, load_turn
from adjudicator.core.turn.sheets import holder


@dataclass(frozen=True, slots=True)
class Scored:
    """A game of a series: its points by player, or that it still goes on."""

    game: str
    title: str
    over: bool
    points: Mapping[str, Fraction]
    """Player -> the points of their seat. Empty while the game goes on."""
    winners: tuple[str, ...] = ()
    """The players who won."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings: a player or a team."""

    name: str
    games: int
    wins: int
    """Solo wins."""
    points: Fraction


def seats_of(data: SeriesData) -> tuple[str, ...]:
    """The seats of a series' games, by its ruleset and settings. Raises `Problems`."""
    settings = rules_at_hand(find(data.ruleset), dict(data.settings or {}), {})
    return tuple(find(data.ruleset).rules.seats(settings))


def games_of(data: SeriesData) -> list[str]:
    """The games that count, in the order of the file; a game that is named twice counts once."""
    named = [board.game for one in data.rounds for board in one.boards if board.game is not None]
    return [*dict.fromkeys([*named, *data.games])]


def scored(archive: Archive, data: SeriesData) -> Iterator[Scored]:
    """Score each game of a series. Raises `Problems` for a game that is not there, or that cannot be scored so."""
    known = set(archive.slugs())
    for slug in games_of(data):
        if slug not in known:
            raise problem(FOLDER, f"no game is called {slug!r:.60}", "games: " + ", ".join(sorted(known)))
        game = load_game(archive, slug)
        if not archive.has_ended(slug):
            yield Scored(slug, game.title, over=False, points={})
            continue
        ending = load_ending(archive, game)
        last = load_turn(archive, game, ending.turn).data
        outcome = Outcome(game.seats, ending.ended.winners, counts_of(game, ending.position))
        names = {seat: holder(game, last, seat).player for seat in game.seats}
        names = {seat: player for seat, player in names.items() if player not in UNNAMED}
        try:
            earned = points(outcome, data.scoring)
        except Problems as error:
            raise Problems([replace(one, path=archive.place(slug)) for one in error.problems]) from None
        by_player: dict[str, Fraction] = {}
        for seat, number in earned.items():
            if seat not in names:
                continue
            by_player[names[seat]] = by_player.get(names[seat], Fraction(0)) + number
        yield Scored(
            slug,
            game.title,
            over=True,
            points=by_player,
            winners=tuple(names.get(seat, "") for seat in outcome.winners),
        )


def counts_of(game: Game, position: Any) -> dict[str, int] | None:
    """Seat -> the first number in its row of the game's tally, such as its centres; None if the tally does not begin with seats and numbers."""
    tables = game.ruleset.tables.tally(game.ruleset.view(position, None))
    rows = [row for row in tables[0].rows if row[0] in game.seats] if tables else []
    numbers = {str(row[0]): row[1] for row in rows}
    return {seat: number for seat, number in numbers.items() if isinstance(number, int)} or None


def standings(data: SeriesData, games: list[Scored]) -> tuple[list[Row], list[Row]]:
    """The standings of the players and of the teams: most points first, then most solo wins, then by name."""
    over = [one for one in games if one.over]
    listed = dict.fromkeys(data.players) | dict.fromkeys(name for one in over for name in one.points)
    rows = {
        name: Row(
            name,
            sum(name in one.points for one in over),
            sum(one.winners == (name,) for one in over),
            sum((one.points.get(name, Fraction(0)) for one in over), Fraction(0)),
        )
        for name in listed
    }
    teams = [
        Row(
            team,
            sum(rows[name].games for name in members if name in rows),
            sum(rows[name].wins for name in members if name in rows),
            sum((rows[name].points for name in members if name in rows), Fraction(0)),
        )
        for team, members in data.teams.items()
    ]
    return _ranked([*rows.values()]), _ranked(teams)


def _ranked(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (-row.points, -row.wins, row.name))


def rounded(number: Fraction) -> str:
    """Points with at most two decimals, halves away from zero: `14.29`, `50`."""
    cents = int(abs(number) * 100 + Fraction(1, 2))
    whole, rest = divmod(cents, 100)
    sign = "-" if number < 0 and cents else ""
    return f"{sign}{whole}" + (f".{rest:02d}".rstrip("0") if rest else "")


def draw_round(archive: Archive, name: str, data: SeriesData) -> SeriesData:
    """Draw the next round and write it into the series' file. Raises `Problems`, and writes nothing, if it cannot be drawn."""
    if data.rounds and any(board.game is None for board in data.rounds[-1].boards):
        what = f"round {len(data.rounds)} has boards without games"
        raise problem(
            f"{FOLDER}/{name}.yaml", what, f"`courtly series open {name}` opens them, or write your games under `game:`"
        )
    if waiting := [one.title for one in scored(archive, data) if not one.over]:
        raise problem(
            f"{FOLDER}/{name}.yaml",
            f"{waiting[0]} is still being played",
            "draw the next round when all boards are over",
        )
    made = draw_next(archive, name, data, seats_of(data))
    save(archive, name, made)
    return made


def save(archive: Archive, name: str, data: SeriesData) -> None:
    """Write a series' file."""
    path = path_of(archive, name)
    archive.files.make(path.parent)
    archive.files.write(path, series_text(data))


def open_boards(archive: Archive, name: str, data: SeriesData, opened: str) -> tuple[SeriesData, list[str]]:
    """Open a game for each board of the last round that has none; returns the series and the games' names. Raises `Problems`."""
    check_day(opened)
    if not data.rounds:
        raise problem(f"{FOLDER}/{name}.yaml", "no round has been drawn", f"`courtly series draw {name}` draws one")
    number, rules, made = len(data.rounds), find(data.ruleset), list[str]()
    for at, board in enumerate(data.rounds[-1].boards, 1):
        if board.game is not None:
            continue
        slug = f"{name}-{number}-{at}"
        title = f"{data.title}, round {number}, board {at}"
        new_game(archive, slug, _board_game(archive, data, rules, board, title, opened))
        made.append(slug)
        *before, last = data.rounds
        boards = tuple(replace(one, game=slug) if one is board else one for one in last.boards)
        data = replace(data, rounds=(*before, replace(last, boards=boards)))
        save(archive, name, data)  # after each, so that a fault in a later board does not lose an earlier one
    return data, made


def check_day(opened: str) -> None:
    """Raise `Problems` unless this is a day, before anything is written."""
    if not is_day(opened):
        raise problem("--opened", f"{opened!r:.40} is not a day", "write it like 2026-11-20")


def _board_game(
    archive: Archive,
    data: SeriesData,
    rules: Ruleset[Any, Any, Any],
    board: BoardData,
    title: str,
    opened: str,
) -> dict[str, object]:
    seats = {
        seat: {"player": player} | ({"account": data.accounts[player]} if player in data.accounts else {})
        for seat, player in board.seats.items()
    }
    game: dict[str, object] = {"ruleset": rules.about.slug, "title": title, "opened": opened, "seats": seats}
    game |= (
        {"sealed": True, "id": new_id()} if archive.masters is not None and data.id is not None else {"seed": drawn(16)}
    )
    game |= {"settings": dict(data.settings)} if data.settings else {}
    return game | ({"schedule": dict(data.schedule)} if data.schedule else {})


def check_series(archive: Archive, name: str, data: SeriesData) -> list[Problem]:
    """Everything wrong with a series: lots that differ when drawn again, boards played by others, games that are not there."""
    where, ours = f"{FOLDER}/{name}.yaml", seats_of(data)
    found = lot_faults(name, data, ours)
    known = set(archive.slugs())
    gone = [slug for slug in games_of(data) if slug not in known]
    found += [
        Problem(where, 0, 0, f"no game is called {slug!r:.60}", "restore it, or correct its name") for slug in gone
    ]
    for number, one in enumerate(data.rounds, 1):
        for at, board in enumerate(one.boards, 1):
            slug = board.game
            if slug not in known:
                continue
            seats = {seat: player.player for seat, player in load_game(archive, slug).data.seats.items()}
            if seats != dict(board.seats):
                what = f"board {at} of round {number} was drawn for other players than {slug} began with"
                found.append(Problem(where, 0, 0, what, "a player who gives up is replaced by a ruling"))
    return found
