"""Rehearsals: many whole games that stand-ins play in memory, to see how a ruleset's games end."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median_low
from typing import Any

from adjudicator.core.contract.pages import Table
from adjudicator.core.contract.resolution import Ending, SeatId
from adjudicator.core.contract.ruleset import Ruleset, find, the_seat
from adjudicator.core.contract.scene import Drawing
from adjudicator.core.game.beside import read_own_files, rules_at_hand
from adjudicator.core.jobs.engine import Engine, alone
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.core.text.problems import with_path


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Results of a rehearsed game."""

    seed: str
    ended: Ending | None
    """None if it did not end within the turns allowed."""
    turns: int
    events: Mapping[str, int]
    """Word for a kind of event, as in the archive -> how often it happened."""
    parties: tuple[str, ...]
    """Everybody who could have won: the seats, or the sides that they were dealt."""
    winners: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    """Among several winners, those in first place, if the ruleset ranks them."""
    marks: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Table, row and column of the ruleset's census -> how often it was counted."""
    tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    """Table of that census -> its columns and its rows."""


def rehearse(rules: Ruleset[Any, Any, Any], settings: Any, seed: str, most: int) -> Rehearsal:
    """Play one game with stand-ins only, from its setup to its end or for at most `most` turns; the same seed gives the same game."""
    seats = rules.rules.seats(settings)
    position = rules.rules.setup(settings, NamedDice(turn_key(b"rehearsal", seed, "setup", "")))
    party = rules.stand_in.party if rules.stand_in is not None else the_seat
    happened: Counter[str] = Counter()
    census = rules.stand_in.census if rules.stand_in is not None else None
    marks: Counter[tuple[str, str, str]] = Counter()
    tables = census.tables(position) if census is not None else {}
    for number in range(1, most + 1):
        chance = chance_of(seed, str(number))
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        done = rules.rules.resolve(position, sheets, NamedDice(turn_key(b"rehearsal", seed, str(number), "")))
        happened.update(event.event for event in done.events)
        if census is not None:
            marks.update(census.marks(position, done))
        position = done.position
        if done.ended is not None:
            won, first = (
                tuple(dict.fromkeys(party(position, seat) for seat in named))
                for named in (done.ended.winners, done.ended.first)
            )
            parties = _parties(party, position, seats)
            return Rehearsal(seed, done.ended, number, happened, parties, won, first, marks, tables)
    return Rehearsal(seed, None, most, happened, _parties(party, position, seats), marks=marks, tables=tables)


def first_look(rules: Ruleset[Any, Any, Any], settings: Any) -> Drawing:
    """The picture of a game's first position, from the public view; opens no game."""
    position = rules.rules.setup(settings, NamedDice(turn_key(b"rehearsal", "0", "setup", "")))
    return rules.pictures.picture(rules.view(position, None), None)


def _parties(party: Callable[[Any, SeatId], str], position: Any, seats: tuple[SeatId, ...]) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(party(position, seat) for seat in seats))
    return named if named == seats else tuple(sorted(named))


def _rehearse_seed(slug: str, settings: Mapping[str, Any], own: Mapping[str, bytes], most: int, seed: int) -> Rehearsal:
    rules = find(slug)
    return rehearse(rules, rules_at_hand(rules, settings, own), str(seed), most)


def rehearsals(
    slug: str, settings: Mapping[str, Any], seeds: Iterable[int], most: int, run: Engine = alone
) -> Iterator[Rehearsal]:
    """Play a game for each seed on an engine, and yield the results in the order of the seeds; raises `Problems` for unknown settings.

    A setting's value that ends in `.yaml` is the path of a host's own file.
    """
    rules = find(slug)
    settings, own = read_own_files(settings)
    with with_path("--set"):
        rules_at_hand(rules, settings, own)
    yield from run(functools.partial(_rehearse_seed, slug, settings, own, most), seeds)


def report(results: Iterable[Rehearsal]) -> tuple[Table, Table]:
    """Two tables: how the games ended and after how many turns; and how often each seat or side won, by itself or with others."""
    games = list(results)
    ways: dict[str, list[int]] = {}
    for game in games:
        ways.setdefault(game.ended.how if game.ended else "not ended", []).append(game.turns)
    rows: list[tuple[str | int, ...]] = [
        (how, len(turns), _share(len(turns), len(games)), min(turns), median_low(turns), max(turns))
        for how, turns in sorted(ways.items(), key=lambda way: (-len(way[1]), way[0]))
    ]
    every = [game.turns for game in games]
    if len(rows) > 1:
        rows.append(("all", len(games), _share(1, 1), min(every), median_low(every), max(every)))
    alone: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    for game in games:
        (alone if len(game.winners) == 1 else shared).update(game.winners)
    seats = list(dict.fromkeys(party for game in games for party in game.parties))
    seats += [name for name in sorted({*alone, *shared}) if name not in seats]
    winning: list[tuple[str | int, ...]] = [
        (seat, alone[seat], _share(alone[seat], len(games)), shared[seat]) for seat in seats
    ]
    nobody = sum(game.ended is not None and not game.winners for game in games)
    if nobody:
        winning.append(("nobody", nobody, _share(nobody, len(games)), 0))
    head: tuple[str, ...] = ("Side", "Won alone", "Share", "Won with others")
    if any(game.first for game in games):
        head = (*head, "First of them", "Alone or first")
        first = _firsts(games)
        winning = [
            (*row, _tenths(first[side]), _share(alone[side] + first[side], len(games)))
            for row in winning
            if isinstance(side := row[0], str)
        ]
    return (
        Table("Endings", ("Ending", "Games", "Share", "Shortest", "Median", "Longest"), tuple(rows)),
        Table("Winners", head, tuple(winning)),
    )


def _firsts(games: Iterable[Rehearsal]) -> dict[str, Fraction]:
    """How often each seat or side took first place in games with several winners; a shared first place counts as a fraction."""
    first: defaultdict[str, Fraction] = defaultdict(Fraction)
    for game in games:
        for party in game.first:
            first[party] += Fraction(1, len(game.first))
    return first


def count_events(results: Iterable[Rehearsal]) -> Table:
    """How often each kind of event happened: in how many games, and on average per game."""
    games = list(results)
    happened: Counter[str] = Counter()
    in_games: Counter[str] = Counter()
    for game in games:
        happened.update(game.events)
        in_games.update(game.events.keys())
    rows = tuple(
        (kind, in_games[kind], f"{count // len(games)}.{100 * count // len(games) % 100:02}")
        for kind, count in sorted(happened.items())
    )
    return Table("Events", ("Event", "Games with it", "In a game"), rows)


def count_marks(results: Iterable[Rehearsal]) -> tuple[Table, ...]:
    """The ruleset's census: for each row the number of games with an entry, and how often each entry occurred."""
    games = list(results)
    tables: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    total: Counter[tuple[str, str, str]] = Counter()
    in_games: Counter[tuple[str, str]] = Counter()
    for game in games:
        for name, (columns, rows) in game.tables.items():
            known = tables.setdefault(name, (columns, rows))
            tables[name] = (columns, tuple(dict.fromkeys((*known[1], *rows))))
        total.update(game.marks)
        in_games.update({(table, row) for table, row, _ in game.marks})
    return tuple(
        Table(
            name,
            (name, "Games with it", *columns),
            tuple((row, in_games[name, row], *(total[name, row, column] for column in columns)) for row in rows),
        )
        for name, (columns, rows) in tables.items()
    )


def _share(part: Fraction | int, whole: int) -> str:
    """`12.3 %`, rounded down."""
    return f"{_tenths(Fraction(100 * part, whole))} %"


def _tenths(number: Fraction) -> str:
    """`12.3`, rounded down; computed in whole numbers, without floats."""
    tenths = number * 10 // 1
    return f"{tenths // 10}.{tenths % 10}"
