"""Pages of seasons and tournaments: standings, games, the boards of each round and the proof of their lot."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from adjudicator.core.contract.words import join_words, many
from adjudicator.core.game.scoring import NAMES, Scoring
from adjudicator.core.game.series import FOLDER, SeriesData
from adjudicator.core.jobs.series import Row, Scored, rounded, standings
from adjudicator.site.markup import join, link, table, tag

PAGE = f"{FOLDER}/{{}}/index.html"
MARK = "courtly-series"
"""The class of these pages: a build removes no others."""
WORDS = {
    "draws": "The winners of a game share 100 points.",
    "squares": "A solo winner gets 100 points. Otherwise 100 points are shared by the squares of the centres.",
}
"""Way of scoring -> how it works."""


def series_page(name: str, data: SeriesData, games: Sequence[Scored]) -> Markup:
    """A series' page: what counts, who leads, which boards were drawn, and how to draw them again."""
    players, teams = standings(data, [*games])
    over = sum(one.over for one in games)
    return tag(
        "div",
        tag(
            "p",
            link("All games", "../../index.html"),
            " › ",
            link("Players", "../../players.html"),
            class_="courtly-crumbs",
        ),
        tag("h1", data.title),
        tag(
            "p",
            f"{over} of {many(len(games), 'game')} {'is' if over == 1 else 'are'} over. {how_it_scores(data.scoring)}",
        ),
        _rows("Standings", "Player", players),
        _rows("Teams", "Team", teams) if teams else None,
        tag("section", tag("h2", "Games"), table(("Game", "Points"), [_game(one) for one in games], "Games"))
        if games
        else None,
        *(_round(number, data, games) for number in range(len(data.rounds), 0, -1)),
        _proof(name, data) if data.rounds or data.next else None,
        class_=f"courtly {MARK}",
    )


def how_it_scores(scoring: Scoring) -> str:
    """How a series scores its games, in a sentence or two."""
    if scoring.by in WORDS:
        return WORDS[scoring.by]
    alone = f" A solo winner gets {scoring.alone} points and the others nothing." if scoring.alone is not None else ""
    if scoring.by == "places":
        return f"The places by centres get {join_words(scoring.places)} points, shared in a tie, and each centre {scoring.centre} more.{alone}"
    names = "; ".join(
        f"{key} is {meaning}" for key, meaning in NAMES.items() if re.search(rf"\b{key}\b", scoring.formula or "")
    )
    return f"A seat gets {scoring.formula} points ({names}).{alone}"


def _rows(title: str, kind: str, rows: Sequence[Row]) -> Markup:
    places = [
        next(at for at, other in enumerate(rows, 1) if (other.points, other.wins) == (row.points, row.wins))
        for row in rows
    ]
    told = [
        (f"{place}. {row.name}", rounded(row.points), row.games, row.wins)
        for place, row in zip(places, rows, strict=True)
    ]
    return tag("section", tag("h2", title), table((kind, "Points", "Games", "Solo wins"), told, title))


def _game(one: Scored) -> tuple[Markup, str]:
    told = ", ".join(
        f"{name} {rounded(number)}"
        for name, number in sorted(one.points.items(), key=lambda pair: (-pair[1], pair[0]))
        if number
    )
    return link(one.title, f"../../games/{one.game}/index.html"), told if one.over else "still being played"


def _round(number: int, data: SeriesData, games: Sequence[Scored]) -> Markup:
    """The boards of a round: who plays which seat, with a link to the game once it is open."""
    one, there = data.rounds[number - 1], {game.game for game in games}
    seats = [*one.boards[0].seats] if one.boards else []
    heads = [
        link(f"Board {at}", f"../../games/{board.game}/index.html") if board.game in there else f"Board {at}"
        for at, board in enumerate(one.boards, 1)
    ]
    rows = [
        (head, *(board.seats.get(seat, "") for seat in seats)) for head, board in zip(heads, one.boards, strict=True)
    ]
    rested = tag("p", f"No board in this round: {join_words(one.byes)}.") if one.byes else None
    return tag(
        "section", tag("h2", f"Round {number}"), table(("Board", *seats), rows, f"Boards of round {number}"), rested
    )


def _proof(name: str, data: SeriesData) -> Markup:
    """The secrets of the lots, and the commitment to the next."""
    values = [(f"Secret of round {number}", one.secret) for number, one in enumerate(data.rounds, 1)]
    values += [(f"Digest of round {number}", one.digest) for number, one in enumerate(data.rounds, 1)]
    values += [("Commitment to the next lot", data.next)] if data.next is not None else []
    seed = "The seed is in the file: anybody can compute the lots in advance." if data.seed is not None else ""
    return tag(
        "details",
        tag("summary", "How the boards were drawn"),
        tag(
            "p",
            "A lot puts the players in an order. It seats them so that few meet again, gives rests to those who had fewest, and hands each "
            f"player a seat that they had least often. {seed}",
        ),
        tag("p", "Draw all rounds again: ", tag("code", f"courtly series check {name}")),
        tag("dl", join(tag("dt", key) + tag("dd", tag("code", value)) for key, value in values)),
        class_="courtly-dice",
    )
