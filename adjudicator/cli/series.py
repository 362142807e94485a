"""Commands for seasons and tournaments: begin one, draw the boards of a round, show the standings, check the lots."""

from __future__ import annotations

import re
from typing import Any

import click

from adjudicator.cli.output import clean_errors, say, show
from adjudicator.cli.root import main, open_archive

ACCOUNT = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


@main.group()
def series() -> None:
    """Seasons and tournaments: games that count together, with boards drawn by lot.

    \b
    Example:
      courtly series show cup
    """


@series.command("new")
@click.argument("name")
@click.option("--title", help="The title (default: the name).")
@click.option("--ruleset", default="diplomacy", show_default=True, help="The ruleset of its games.")
@click.option("--player", "players", multiple=True, metavar="NAME[=ACCOUNT]", help="A player; may be repeated.")
@click.option("--team", "teams", multiple=True, metavar="TEAM=NAME,NAME", help="A team of players; may be repeated.")
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game that counts; may be repeated.")
@click.option(
    "--scoring", "by", type=click.Choice(["draws", "squares", "places", "formula"]), default="draws", show_default=True
)
@click.option("--formula", help="With --scoring formula: a seat's points, such as `100 * c * c / s`.")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule of its games; may be repeated."
)
@clean_errors
def new(
    name: str,
    title: str | None,
    ruleset: str,
    players: tuple[str, ...],
    teams: tuple[str, ...],
    games: tuple[str, ...],
    by: str,
    formula: str | None,
    settings: tuple[str, ...],
) -> None:
    """Begin a season or a tournament: write series/NAME.yaml.

    \b
    Example:
      courtly series new cup --player Anna --player Ben --scoring squares
      courtly series new season-2026 --game spring --game summer --scoring draws
    """
    from dataclasses import replace

    from adjudicator.cli.given import rules_from
    from adjudicator.core.game.game import SCHEMA
    from adjudicator.core.game.series import SeriesData, commitment_to, path_of, series_faults
    from adjudicator.core.jobs.new import new_id
    from adjudicator.core.jobs.series import save, seats_of
    from adjudicator.core.secrets.chance import drawn
    from adjudicator.core.text.codec import decode
    from adjudicator.core.text.problems import Problems, problem
    from adjudicator.core.text.yamltext import Text

    archive = open_archive()
    path = path_of(archive, name)
    if archive.files.exists(path):
        raise problem(f"series/{name}.yaml", "this series is there already", "choose another name")
    named = {player.strip(): account.strip() for player, _, account in (one.partition("=") for one in players)}
    if wrong := [player for player, account in named.items() if account and not ACCOUNT.fullmatch(account)]:
        raise problem(
            "--player", f"the account of {wrong[0]} is not a number", "write NAME=ACCOUNT, such as Anna=1234567"
        )
    data: dict[str, Any] = {"schema": SCHEMA, "title": title or name, "ruleset": ruleset, "scoring": {"by": by}}
    if formula is not None:
        data["scoring"]["formula"] = formula
    data["players"] = list(named)
    data["accounts"] = {player: int(account) for player, account in named.items() if account}
    data["teams"] = {
        team.strip(): [one.strip() for one in members.split(",")]
        for team, _, members in (one.partition("=") for one in teams)
    }
    data["games"] = list(games)
    if settings:
        data["settings"] = rules_from(settings)
    data |= {"id": new_id()} if archive.masters is not None else {"seed": drawn(16)}
    text = Text(f"series/{name}.yaml", data, {})
    made = decode(SeriesData, text)
    seats_of(made)
    if faults := series_faults(made, text):
        raise Problems(faults)
    with archive.writing():
        save(archive, name, replace(made, next=commitment_to(archive, name, made, 1)))
    say(f"Began {made.title} in series/{name}.yaml.", series=name)


@series.command("open")
@click.argument("name")
@click.option("--opened", metavar="DAY", help="The day that deadlines count from (default: today).")
@clean_errors
def open_(name: str, opened: str | None) -> None:
    """Open a game for each board of the last round that has none.

    \b
    Example:
      courtly series open cup
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.series import load_series
    from adjudicator.core.jobs.series import open_boards

    archive = open_archive()
    with archive.writing():
        _, slugs = open_boards(archive, name, load_series(archive, name), opened or f"{datetime.now(UTC):%Y-%m-%d}")
    for slug in slugs:
        say(f"Opened games/{slug}.", game=slug)
    if not slugs:
        say("Every board of the last round has its game.")


@series.command("draw")
@click.argument("name")
@click.option("--open", "opens", is_flag=True, help="Open a game for each board too.")
@click.option("--opened", metavar="DAY", help="With --open: the day that deadlines count from (default: today).")
@clean_errors
def draw(name: str, opened: str | None, *, opens: bool) -> None:
    """Draw the boards of the next round, by a lot that anybody can check, and write them into series/NAME.yaml.

    \b
    Example:
      courtly series draw cup --open
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.series import load_series
    from adjudicator.core.jobs.series import check_day, draw_round, open_boards

    archive, day = open_archive(), opened or f"{datetime.now(UTC):%Y-%m-%d}"
    check_day(day)
    with archive.writing():
        data = draw_round(archive, name, load_series(archive, name))
        slugs: list[str] = []
        if opens:
            data, slugs = open_boards(archive, name, data, day)
    last = data.rounds[-1]
    for number, board in enumerate(last.boards, 1):
        seats = ", ".join(f"{seat} {player}" for seat, player in board.seats.items())
        say(f"Round {len(data.rounds)}, board {number}: {seats}", board=dict(board.seats), game=board.game)
    if last.byes:
        say(f"No board in this round: {', '.join(last.byes)}", byes=list(last.byes))
    for slug in slugs:
        say(f"Opened games/{slug}.", game=slug)


@series.command("show")
@click.argument("name")
@clean_errors
def show_(name: str) -> None:
    """Show the standings: points, games, solo wins.

    \b
    Example:
      courtly series show cup
    """
    from adjudicator.core.contract.words import many
    from adjudicator.core.game.series import load_series
    from adjudicator.core.jobs.series import rounded, scored, standings

    archive = open_archive()
    data = load_series(archive, name)
    games = [*scored(archive, data)]
    players, teams = standings(data, games)
    for title, rows in (("Players", players), ("Teams", teams)):
        if rows:
            say(f"{title}:", table=title)
        for at, row in enumerate(rows, 1):
            won = f", {many(row.wins, 'solo win')}" if row.wins else ""
            say(
                f"{at:3}. {row.name}: {rounded(row.points)} ({many(row.games, 'game')}{won})",
                name=row.name,
                points=rounded(row.points),
            )
    for game in games:
        if not game.over:
            say(f"{game.title} is still being played.", game=game.game)


@series.command("check")
@click.argument("name")
@clean_errors
def check(name: str) -> None:
    """Draw every round again and compare; needs no secret.

    \b
    Example:
      courtly series check cup
    """
    from adjudicator.core.contract.words import many
    from adjudicator.core.game.series import load_series
    from adjudicator.core.jobs.series import check_series

    archive = open_archive()
    data = load_series(archive, name)
    found = check_series(archive, name, data)
    show(found)
    if found:
        raise click.exceptions.Exit(1)
    say(f"{data.title}: {many(len(data.rounds), 'round')} drawn again, the same boards.", rounds=len(data.rounds))
