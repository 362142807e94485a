"""Records: what the finished games of a ruleset have in common, and ratings of its players. All of it follows from the archive."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.scene import Scene
from adjudicator.core.contract.words import many
from adjudicator.render.journeys import longest_journey
from adjudicator.site.markup import item_list, join, link, table, tag
from adjudicator.site.story import Story, is_unnamed, person_slug
from adjudicator.site.words import seat_in_words

PAGE, DATA = "rulesets/{}/records.html", "rulesets/{}/records.json"
MEAN = 25.0
"""Everybody's rating before their first game."""
STALEMATE = 3
"""Fewest turns without a change that count as a stalemate, or each turn of retreats would be one."""
LONGEST_OPENING = 12
"""Openings with more orders are not listed: they would be as long as a turn's page."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a finished game."""

    seat: str
    called: str
    """The seat as pages write it, such as `Ysolde (Third)`."""
    player: str
    """Its player at the end."""
    won: bool
    opening: tuple[str, ...]
    """Its orders in the first turn with orders."""


@dataclass(frozen=True, slots=True)
class Record:
    """One finished game."""

    game: str
    """Slug."""
    title: str
    rules: str
    """Title of the ruleset."""
    time: str
    """Time of its last judgement, as `atom_time` writes it."""
    turns: int
    seats: tuple[SeatRecord, ...]
    still: tuple[int, str]
    """The most turns in a row that changed nothing in the standings, and the phase of the first of them."""
    journey: tuple[int, str] | None
    """The largest number of moves made by one unit, and the unit; None on boards whose units are not followed."""

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Record:
        """Make it from the data that `asdict` returns."""
        seats = tuple(SeatRecord(**{**one, "opening": tuple(one["opening"])}) for one in plain["seats"])
        journey = plain["journey"]
        return cls(
            **{
                **plain,
                "seats": seats,
                "still": tuple(plain["still"]),
                "journey": None if journey is None else tuple(journey),
            }
        )


def record_of(story: Story, scene: Callable[[int], Scene]) -> Record | None:
    """The record of a finished game, whose turns have these scenes; None for others, and for games known from reports only."""
    if story.ending is None or story.record:
        return None
    openings = _openings(story)
    return Record(
        game=story.slug,
        title=story.game.title,
        rules=story.game.ruleset.about.title,
        time=story.atom_time(story.last),
        turns=len(story.turns),
        seats=tuple(
            SeatRecord(
                seat,
                seat_in_words(story, seat),
                story.players_of(seat)[-1],
                seat in story.ending.winners,
                openings.get(seat, ()),
            )
            for seat in story.game.seats
        ),
        still=_still(story),
        journey=longest_journey([scene(index) for index in range(len(story.turns))]),
    )


def _openings(story: Story) -> dict[str, tuple[str, ...]]:
    """Seat -> its orders in the first turn with orders, in alphabetical order."""
    for turn in story.turns:
        given: dict[str, list[str]] = defaultdict(list)
        for verdict in turn.data.verdicts:
            if verdict.seat in story.game.seats and not verdict.idle and not verdict.implied:
                given[verdict.seat].append(story.readable(verdict.order))
        if given:
            return {seat: tuple(sorted(orders)) for seat, orders in given.items()}
    return {}


def _still(story: Story) -> tuple[int, str]:
    """The longest run of turns that changed nothing in the standings, and the phase of its first turn."""
    tally = story.game.ruleset.tables.tally
    standings = [[(one.title, one.rows) for one in tally(story.position(turn))] for turn in story.turns]
    best, run = (0, ""), 0
    for at, (before, after) in enumerate(itertools.pairwise(standings)):
        run = run + 1 if before == after else 0
        if run > best[0]:
            best = (run, story.turns[at - run + 1].data.phase)
    return best


# Ratings --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in one ruleset, as estimated from finished games."""

    player: str
    games: int
    won: int
    mean: float
    spread: float
    """Standard deviation of the estimate."""

    @property
    def safe(self) -> float:
        """Three standard deviations below the mean; players are sorted by it, so a newcomer's luck counts for little."""
        return self.mean - 3 * self.spread


def ratings(records: Iterable[Record]) -> list[Rating]:
    """The ratings of the people in these games, best first: Weng and Lin's Plackett-Luce model (JMLR 12, 2011), game by game as they ended.

    Winners share the first place and all others the second. Seats without a person's name, such as a computer player's, are
    left out, and so are games without a winner, and those that fewer than two people finished.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MEAN, sigma=MEAN / 3)
    names: dict[str, str] = {}
    people: dict[str, Any] = {}
    games: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    for record in sorted(records, key=lambda record: (record.time, record.game)):
        places: dict[str, bool] = {}
        for seat in record.seats:
            if not is_unnamed(seat.player):
                # Two spellings that share a page are one person.
                name = names.setdefault(person_slug(seat.player) or seat.player, seat.player)
                places[name] = places.get(name, False) or seat.won
        if len(places) < 2 or not any(seat.won for seat in record.seats):
            continue
        teams = [[people.setdefault(name, model.rating())] for name in places]
        rated = model.rate(teams, ranks=[1.0 if first else 2.0 for first in places.values()])
        for (name, first), (rating,) in zip(places.items(), rated, strict=True):
            people[name] = rating
            games[name] += 1
            won[name] += first
    found = [
        Rating(name, games[name], won[name], round(one.mu, 4), round(one.sigma, 4)) for name, one in people.items()
    ]
    return sorted(found, key=lambda rating: (-rating.safe, rating.player))


# Pages ----------------------------------------------------------------------------------------------------------------


def records_data(records: Sequence[Record]) -> str:
    """A ruleset's records and ratings as JSON."""
    data = {"games": [asdict(one) for one in records], "ratings": [asdict(one) for one in ratings(records)]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def records_page(slug: str, name: str, records: Sequence[Record], players: Mapping[str, str]) -> Markup:
    """The page of a ruleset's records; `players` gives the address of each person's page."""
    root = "../../"
    crumbs = [link("All games", f"{root}index.html"), link(name, f"{root}rulesets/{slug}.html")]
    return tag(
        "div",
        tag("p", join(crumbs, " › "), class_="courtly-crumbs"),
        tag("h1", f"Records of {name}"),
        tag("p", f"{many(len(records), 'finished game')} on this site.", class_="courtly-lead"),
        _rated(records, players, root),
        tag("section", tag("h2", "Results by seat"), _by_seat(records)),
        tag("section", tag("h2", "Games"), _lengths(records, root)),
        tag("section", tag("h2", "Openings"), _opening_lists(records)),
        tag("p", link("The same as data", "records.json"), class_="courtly-small"),
        class_="courtly",
    )


RATED = (
    "A rating is the average that we expect of a player, give or take twice its uncertainty, by the Plackett-Luce model of "
    "Weng and Lin (2011). Everybody begins at 25 ± 17. Players are sorted by the least that they have proven."
)


def _rated(records: Sequence[Record], players: Mapping[str, str], root: str) -> Markup:
    """The ratings of people, or a sentence if nobody has one."""
    found = ratings(records)
    heading = tag("h2", "Ratings")
    if not found:
        none = "Nobody has a rating yet: it takes a finished game with two players or more who are named."
        return tag("section", heading, tag("p", none))
    rows = [
        (
            link(one.player, f"{root}{players[one.player]}") if one.player in players else one.player,
            f"{one.mean:.1f} ± {2 * one.spread:.1f}",
            one.games,
            one.won,
        )
        for one in found
    ]
    return tag(
        "section", heading, table(("Player", "Rating", "Games", "Won or shared"), rows, "Ratings"), tag("p", RATED, class_="courtly-small")
    )  # fmt: skip


def _by_seat(records: Sequence[Record]) -> Markup:
    """How often each seat won, and how often it shared a victory."""
    counted: dict[str, list[int]] = {}
    for record in records:
        winners = sum(seat.won for seat in record.seats)
        for seat in record.seats:
            row = counted.setdefault(seat.seat, [0, 0, 0])
            row[0] += 1
            row[1] += seat.won and winners == 1
            row[2] += seat.won and winners > 1
    rows = [(seat, *row) for seat, row in sorted(counted.items(), key=lambda pair: (-pair[1][1], -pair[1][2], pair[0]))]
    return table(("Seat", "Games", "Won", "Shared"), rows, "Results by seat")


def _lengths(records: Sequence[Record], root: str) -> Markup:
    """The shortest and the longest game, the longest stalemate, and the longest journey."""

    def game(record: Record) -> Markup:
        return link(record.title, f"{root}games/{record.game}/index.html")

    turns = [record.turns for record in records]
    lines: list[Markup] = []
    ordered = sorted(records, key=lambda one: (one.turns, one.time))
    ends = {"shortest": ordered[0], "longest": ordered[-1]} if len(records) > 1 else {"only": ordered[0]}
    for word, record in ends.items():
        lines.append(join([f"The {word} game had {many(record.turns, 'turn')}: ", game(record), "."]))
    if len(records) > 2:
        lines.append(Markup(f"Half of all games had {median(turns):g} turns or fewer."))  # noqa: S704 - a number
    still = max(records, key=lambda one: (one.still[0], one.time))
    if still.still[0] >= STALEMATE:
        told = f"The longest stalemate: {many(still.still[0], 'turn')} without a change in the standings, from {still.still[1]} on, in "
        lines.append(join([told, game(still), "."]))
    travelled = [record for record in records if record.journey is not None]
    if travelled:
        far = max(travelled, key=lambda one: (one.journey or (0, ""), one.time))
        assert far.journey is not None
        moves, unit = far.journey
        lines.append(
            join([f"The longest journey: {many(moves, 'move')} of one unit (at first, {unit}), in ", game(far), "."])
        )
    return item_list(lines)


def _opening_lists(records: Sequence[Record]) -> Markup:
    """Each seat's first orders, the most frequent first, with the number of games and of victories."""
    by_seat: dict[str, dict[tuple[str, ...], list[int]]] = defaultdict(dict)
    for record in records:
        for seat in record.seats:
            if 0 < len(seat.opening) <= LONGEST_OPENING:
                row = by_seat[seat.seat].setdefault(seat.opening, [0, 0])
                row[0] += 1
                row[1] += seat.won
    if not by_seat:
        return tag("p", "The first turns have too many orders to list them here.")
    folded = []
    for name, openings in sorted(by_seat.items()):
        rows = [
            ("; ".join(orders), *row)
            for orders, row in sorted(openings.items(), key=lambda pair: (-pair[1][0], pair[0]))
        ]
        inner = table(("First orders", "Games", "Won or shared"), rows, f"Openings of {name}")
        folded.append(tag("details", tag("summary", f"{name}: {many(len(rows), 'opening')}"), inner))
    return join(folded)
