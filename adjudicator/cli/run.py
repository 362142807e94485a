"""Commands that judge due turns, judge all turns again, and try out boards and rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.bulk import bulk, engine
from adjudicator.cli.given import rules_from
from adjudicator.cli.output import as_json, clean_errors, on_open_seats, progress, say, show
from adjudicator.cli.root import main, open_archive
from adjudicator.core.contract.words import many

if TYPE_CHECKING:
    from adjudicator.core.contract.pages import Table
    from adjudicator.core.jobs.run import Step
    from adjudicator.core.jobs.waiting import Waiting
    from adjudicator.core.text.problems import Problem


@main.command()
@click.option("--game", "games", multiple=True, metavar="GAME", help="Only this game; may be repeated.")
@click.option("--now", is_flag=True, help="Judge the open turn whether it is due or not.")
@click.option(
    "--at", metavar="TIME", help="Use this as the current time, such as 2026-12-01T18:00Z (default: the clock)."
)
@clean_errors
def run(games: tuple[str, ...], now: bool, at: str | None) -> None:
    """Judge every turn that is due, draw its map and open the next one.

    A turn is due when its deadline is past or every sheet is in and says `final: true`. A fault in one game stops only
    that game. Running it twice changes nothing the second time.

    A game that cannot be due is not read: `courtly check` shows what is wrong with it, and `courtly verify` whether its
    files are still as they were written. A game that you name with --game is always read, and the map of its open turn is
    drawn again if it was changed.

    \b
    Example:
      courtly run
      courtly run --now --game summer-2026
    """
    import errno
    from datetime import UTC, datetime

    from adjudicator.ci.again import find_earlier_judging
    from adjudicator.core.game.archive import sentence
    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.run import might_be_due, run_game
    from adjudicator.core.jobs.voids import not_counted, void_of_nothing
    from adjudicator.core.jobs.waiting import left_to_host, waiting
    from adjudicator.core.text.problems import Problems

    archive = open_archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    steps: list[Step] = []
    faults: list[Problem] = []
    remarks: list[Problem] = []
    idles: list[Waiting] = []
    with archive.writing():
        slugs = archive.slugs()
        for game in games:
            if game not in slugs:
                archive.turns(game)
        # A game named twice is judged once: with --now the second time would judge the turn that was just opened.
        todo = list(dict.fromkeys(games)) or [slug for slug in slugs if not archive.has_ended(slug)]
        for game in progress(todo, "Judging"):
            done = len(steps)
            try:
                if not (games or now or might_be_due(archive, game, when)):
                    continue
                for step in run_game(archive, game, at=when, now=now, objection=find_earlier_judging):
                    steps.append(step)
                    say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
                    remarks.extend(void_of_nothing(archive, step.game, step.turn) if step.what == "resolved" else ())
                    remarks.extend(not_counted(archive, step.game, step.turn) if step.what == "resolved" else ())
                    remarks.extend(left_to_host(archive, step.game, step.turn) if step.what == "opened" else ())
                if len(steps) == done and might_be_due(archive, game, when) and (idle := waiting(archive, game, when)):
                    idles.append(idle)
            except Problems as error:
                faults.extend(error.problems)
            except OSError as error:
                faults.extend(sentence(error, archive.root).problems)
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                    break  # the next game would fare no better
    for idle in idles:
        say(str(idle), game=idle.game, turn=idle.turn, waits_since=idle.since, seats=idle.seats)
    if not steps and not faults and not idles:
        say("Nothing is due.", steps=0)
    for line in (line for game in todo for line in on_open_seats(archive, game)):
        say(line, seats=line)
    show(remarks)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("ruleset")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as board=islands.yaml.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Draw the first position here.")
@click.option(
    "--files",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write files that you can go on editing, such as the shapes of a board, into this folder.",
)
@clean_errors
def preview(ruleset: str, settings: tuple[str, ...], output: Path | None, files: Path | None) -> None:
    """Look at a board or a scenario before anybody plays on it: its seats, its faults, its picture.

    \b
    Example:
      courtly preview diplomacy --set board=islands.yaml -o islands.svg
    """
    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.files.places import is_taken, named
    from adjudicator.core.game.beside import read_own_files, rules_at_hand
    from adjudicator.core.jobs.rehearse import first_look
    from adjudicator.core.text.problems import problem, with_path

    rules = find(ruleset)
    chosen, own = read_own_files(rules_from(settings))
    with with_path("--set"):
        furnished = rules_at_hand(rules, chosen, own)
    made = rules.host_files.sketch(furnished) if files is not None and rules.host_files is not None else {}
    written: dict[Path, bytes] = {}
    if files is not None:
        written |= {files / name: body for name, body in made.items()}
    if taken := [path for path in written if is_taken(path)]:
        raise problem(str(taken[0]), "there is already a file with that name", "move it, or name another folder")
    if output is not None:
        written[output] = first_look(rules, furnished).svg.encode()
    for path, body in written.items():
        folder, file = named(path)
        folder.make(file.parent)
        folder.write(file, body)
    seats = rules.rules.seats(furnished)
    said = [
        f"{len(seats)} seats: {', '.join(seats)}.",
        *(f"{path}: {len(body)} bytes." for path, body in written.items()),
    ]
    say("\n".join(said), seats=list(seats), files=[str(path) for path in written])


@main.command()
@click.argument("ruleset")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games to play.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="The seed of the first game, a number; each next game has the next one.",
)
@click.option(
    "--most", type=click.IntRange(1), default=500, show_default=True, help="Stop a game after this many turns."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as generals=true.")
@click.option("--events", is_flag=True, help="Also count the events of the games.")
@click.option(
    "--counts",
    is_flag=True,
    help="Also count what the ruleset has tables for: cards played, sides that won, and the like.",
)
@click.option(
    "--lengths",
    is_flag=True,
    help="Instead, measure the sealed files of a game with hidden information: compressed, in bytes, before padding.",
)
@bulk
@clean_errors
def rehearse(
    ruleset: str,
    games: int,
    seed: int,
    most: int,
    settings: tuple[str, ...],
    events: bool,
    counts: bool,
    lengths: bool,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """Let stand-ins play whole games in memory, and show how they end: to try out rules and settings.

    \b
    Example:
      courtly rehearse al_andalus --games 1000
      courtly rehearse al_andalus --games 1000 --set wazir_solo_ends_game=true
    """
    from adjudicator.core.jobs.rehearse import count_events, count_marks, rehearsals, report

    run_on, seeds = engine(jobs, scheduler, games), range(seed, seed + games)
    if lengths:
        from adjudicator.core.jobs.lengths import lengths_of, measured, table_of

        sizes = list(progress(measured(ruleset, rules_from(settings), seeds, most, run_on), "Playing", games))
        tables: tuple[Table, ...] = (table_of(sizes, lengths_of(ruleset, rules_from(settings))),)
    else:
        played = list(progress(rehearsals(ruleset, rules_from(settings), seeds, most, run_on), "Playing", games))
        more = (*(count_marks(played) if counts else ()), *((count_events(played),) if events else ()))
        tables = (*report(played), *more)
    for table in tables:
        if as_json():
            for row in table.rows:
                say("", **dict(zip(table.head, row, strict=True)))
            continue
        click.echo("| " + " | ".join(table.head) + " |\n|" + " --- |" * len(table.head))
        for row in table.rows:
            click.echo("| " + " | ".join(map(str, row)) + " |")
        click.echo()


@main.command()
@click.argument("games", nargs=-1)
@bulk
@click.option("--all", "everything", is_flag=True, help="Judge every game again, whatever was judged before.")
@click.option(
    "--history", is_flag=True, help="Also check in git: were secrets committed to in time, was any sheet replaced?"
)
@click.option(
    "-i",
    "--identity",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Your key's file: also check the dispatches sent to you.",
)
@clean_errors
def verify(
    games: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    everything: bool,
    history: bool,
    identity: Path | None,
) -> None:
    """Judge every archived turn again and compare the bytes of turn.yaml and map.svg. Needs no secret.

    A game that was found right is not judged again until one of its files or the code changes. This is remembered outside the
    archive (COURTLY_CACHE names a folder for it), and can be deleted. --all judges every game again. Games that you name are
    always judged again.

    \b
    Example:
      courtly verify
      courtly verify --all
      courtly verify summer-2026
    """
    import hashlib

    from adjudicator.core.jobs.verify import verify_again, verify_changed

    archive = open_archive()
    todo = list(dict.fromkeys(games)) or archive.slugs()
    for game in games:
        archive.turns(game)
    found = verify_changed if not (games or everything) else verify_again
    both = list(progress(found(archive, todo, engine(jobs, scheduler, len(todo))), "Verifying", len(todo)))
    results = [checked for checked, _ in both]
    before = [checked for checked, again in both if not again]
    problems = [p for checked in results for p in checked.problems]
    proved, told, dispatches = None, None, None
    beside: list[Problem] = []
    if not games:
        from adjudicator.site.shipped import copies

        beside = [remark for _, remark in copies(archive.root)]
    if identity is not None:
        from adjudicator.core.jobs.seal import own_dispatches

        dispatches, faults = own_dispatches(archive, todo, identity)
        problems += faults
    if history:
        from adjudicator.ci.history import check_history

        told = check_history(archive.root)
        proved = told.seen
        problems += told.problems
        if not as_json():
            show(told.notes)
    turns = sum(checked.turns for checked in results)
    stands = sum(checked.as_played for checked in results)
    sealed = sum(checked.sealed for checked in results)
    total = hashlib.sha256(
        "".join(sorted(f"{checked.name} {checked.digest}\n" for checked in results)).encode()
    ).hexdigest()
    if as_json():
        click.echo(
            json.dumps(
                {
                    "games": len(results),
                    "turns": turns,
                    "as_played": stands,
                    "by_receipt": len(before),
                    "sealed": sealed,
                    "digest": total,
                    "committed": proved,
                    "dispatches": dispatches,
                }
                | {
                    "notes": [
                        p.as_data()
                        for p in (
                            *(n for checked in results for n in checked.notes),
                            *(told.notes if told else ()),
                            *beside,
                        )
                    ]
                }
                | {"problems": [p.as_data() for p in problems]},
                ensure_ascii=False,
            )
        )
    else:
        show([*(note for checked in results for note in checked.notes), *beside])
        show(problems)
        noted = f" ({stands} kept as played)" if stands else ""
        noted += f" ({sealed} are sealed until their games end)" if sealed else ""
        noted += f" ({proved} whose dice were committed to while they were open)" if proved is not None else ""
        noted += f" ({dispatches} of your dispatches are as they were sent)" if dispatches is not None else ""
        if before:
            same = sum(checked.turns for checked in before)
            unchanged = many(len(before), "game")
            noted += f" ({same} of them in {unchanged}, unchanged since then; --all judges these too)"
        result = many(len(problems), "difference") if problems else "the same bytes"
        judged = f"{many(len(results), 'game')}, {many(turns, 'turn')} judged again"
        click.echo(f"{judged}{noted}: {result}. Digest {total}")
    if problems:
        raise click.exceptions.Exit(1)
