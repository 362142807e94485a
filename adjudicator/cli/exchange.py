"""Commands for games played elsewhere."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from adjudicator.cli.bulk import bulk, engine
from adjudicator.cli.given import rules_from
from adjudicator.cli.output import clean_errors, progress, say, show
from adjudicator.cli.root import main, open_archive, require_archive


@main.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ruleset", default="diplomacy", show_default=True, help="The ruleset that was played.")
@click.option("--verify-only", is_flag=True, help="Only compare; write no game.")
@click.option("--game", "wanted", multiple=True, metavar="NAME", help="Only this game of the file; may be repeated.")
@click.option(
    "--as", "slug", metavar="NAME", help="The game's name in this archive (with one --game, or a file with one game)."
)
@click.option("--title", help="The game's title (with one --game, or a file with one game).")
@click.option("--opened", metavar="DAY", help="The day it was opened, such as 2022-10-01 (default: today).")
@click.option("--source", default="", help="Where the game comes from, and its licence.")
@click.option(
    "--board", metavar="NAME", help="The board it was played on, such as fleet_rome, or a file: islands.yaml."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule; may be repeated.")
@click.option("--here", is_flag=True, help="Begin an archive in this folder, if there is none.")
@bulk
@clean_errors
def import_(
    file: Path,
    ruleset: str,
    verify_only: bool,
    wanted: tuple[str, ...],
    slug: str | None,
    title: str | None,
    opened: str | None,
    source: str,
    board: str | None,
    settings: tuple[str, ...],
    here: bool,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """Read games that were played elsewhere, judge every phase again, and list each difference from the record.

    Reads saved games of jDip and Realpolitik, history.json of webDiplomacy, reports of njudge, DPjudge and Realpolitik, orders as DiplomacyGM
    lists them, logs of DAIDE, the JSON of the Python package diplomacy, and JSON Lines with one phase per line; packed (.gz) or plain.

    \b
    Example:
      courtly import saved.jdip --as autumn-2009
      courtly import games.jsonl.gz --verify-only
      courtly import games.jsonl.gz --game d446 --as autumn-2019
      courtly import hundred.jsonl --board boards/hundred.yaml
    """
    from datetime import UTC, datetime
    from itertools import islice

    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.contract.words import many
    from adjudicator.core.files.places import read_named
    from adjudicator.core.game.beside import read_own_files, rules_at_hand
    from adjudicator.core.game.game import Maps
    from adjudicator.core.jobs.exchange import Importing, import_games
    from adjudicator.core.text.problems import Problem, Problems, nearest, problem, with_path
    from adjudicator.core.turn.maps import maps_of

    rules = find(ruleset)
    if rules.exchange is None:
        raise problem(str(file), f"games of {rules.about.title} cannot be imported", "")
    if (slug or title) and len(wanted) > 1:
        raise click.UsageError("--as and --title name one game: give only one --game")
    chosen, own = read_own_files(rules_from(settings) | ({"board": board} if board is not None else {}))
    with with_path("--board" if board is not None else "--set"):
        rules_at_hand(rules, chosen, own)
    if not verify_only:
        require_archive(open_archive(), here=here)
    totals = dict.fromkeys(
        ("games", "phases", "empty", "differences", "reworded", "other_rules", "not_compared", "written"), 0
    )
    names: list[str] = []
    archive = None if verify_only else open_archive()
    if archive is not None:
        archive.begin()
    try:
        data = read_named(file)
        if (slug or title) and not wanted and len(few := list(islice(rules.exchange.split(data), 2))) > 1:
            first = rules.exchange.read(few[0], rules_at_hand(rules, chosen, own), tuple(chosen))
            right = f"choose one with --game, such as --game {first.slug}"
            raise problem(str(file), "--as and --title name one game, but the file holds several", right)
        how = Importing(
            ruleset=rules.about.slug,
            settings=chosen,
            beside=own,
            write=archive is not None,
            opened_on=opened or datetime.now(UTC).strftime("%Y-%m-%d"),
            source=source or file.name,
            slug=slug or "",
            title=title or "",
            wanted=wanted,
            maps=maps_of(archive) if archive is not None else Maps.ALL,
        )
        with contextlib.ExitStack() as held:
            if archive is not None:
                held.enter_context(archive.writing())
            for game in progress(import_games(data, how, engine(jobs, scheduler), archive), "Judging"):
                names.append(game.slug)
                totals["games"] += 1
                totals["phases"] += game.phases
                totals["empty"] += game.empty
                totals["reworded"] += game.reworded
                totals["other_rules"] += game.other_rules
                totals["not_compared"] += game.not_compared
                totals["differences"] += len(game.differences)
                totals["written"] += game.written
                where = f"{file.name}: {game.title}"
                show(
                    [
                        *(Problem(where, 0, 0, line, level="note") for line in game.remarks),
                        *(Problem(where, 0, 0, line) for line in game.differences),
                    ]
                )
    except Problems as error:
        raise Problems(
            Problem(p.path or str(file), p.line, p.column, p.what, p.right, p.level) for p in error.problems
        ) from None
    if wanted and not totals["games"]:
        raise problem(str(file), f"the file has no game {wanted[0]!r:.60}", nearest(wanted[0], names))
    say(
        "{played}, {phased}: {differing} "
        "({reworded} results in different words; {other_rules} phases played by other rules, {not_compared} of them not "
        "compared; {empty} in which nobody could do anything); "
        "{put} written.".format(
            played=many(totals["games"], "game"),
            phased=many(totals["phases"], "phase"),
            differing=many(totals["differences"], "difference"),
            put=many(totals["written"], "game"),
            **totals,
        ),
        **totals,
    )
    if totals["differences"]:
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("game")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here (default: print).")
@click.option(
    "--form",
    metavar="FORM",
    help="json: the whole game, for games of every ruleset. For Diplomacy also diplomacy (the usual one): the JSON of the Python "
    "package diplomacy; jdip: a game as jDip saves it; and judge: reports as an e-mail judge sends them, which other mappers read.",
)
@clean_errors
def export(game: str, output: Path | None, form: str | None) -> None:
    """Write a game in a form that other programs read.

    \b
    Example:
      courtly export summer-2026 -o summer-2026.json
      courtly export summer-2026 --form judge -o summer-2026.txt
    """
    from adjudicator.core.jobs.exchange import played_turns
    from adjudicator.core.jobs.whole import whole_game
    from adjudicator.core.text.problems import nearest, problem
    from adjudicator.core.turn.load import load_game

    archive = open_archive()
    loaded = load_game(archive, game)
    writers = loaded.ruleset.exchange.write if loaded.ruleset.exchange is not None else {}
    forms = (*writers, "json")
    form = form or forms[0]
    if form not in forms:
        right = nearest(form, forms) or f"forms: {', '.join(forms)}"
        raise problem("--form", f"games of {loaded.ruleset.about.title} are not written as {form!r:.40}", right)
    data = whole_game(archive, loaded) if form == "json" else writers[form](loaded.name, played_turns(archive, loaded))
    if output is None:
        click.echo(data.decode(), nl=False)
    else:
        files, path = archive.file_named(output)
        files.write(path, data)
        say(f"{output}: {len(data)} bytes.", path=str(output), bytes=len(data))
