"""Commands for a player: check, seal and open sheets, judge cases, and let stand-ins play."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.output import as_json, clean_errors, say, show
from adjudicator.cli.root import main, open_archive

if TYPE_CHECKING:
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.turn.data import Turn


@main.command()
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "-i",
    "--identity",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Your key's file: check against what your seat sees.",
)
@click.option("--at", metavar="TIME", help="Use this as the current time (default: the clock).")
@click.option(
    "--host", is_flag=True, help="Also show the hidden decisions that you must make (needs the master secret)."
)
@clean_errors
def check(files: tuple[str, ...], identity: Path | None, at: str | None, host: bool) -> None:
    """Show what is wrong with sheets and games, with line and column, before the deadline.

    FILES are sheets (games/GAME/TURN/orders/SEAT.yaml); without any, every game in the archive and every sheet of its
    open turn is checked. In a game with hidden information, a sheet is checked against what everybody can see, or, with
    your key, against what your seat sees.

    \b
    Example:
      courtly check games/summer-2026/001-spring-1901-movement/orders/austria.yaml
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.check import check_archive, check_file
    from adjudicator.core.jobs.waiting import REMEDY

    if identity is not None and not files:
        raise click.UsageError("with -i, name your sheet too")
    if host and (files or os.environ.get("CI")):
        right = "name no files, and do not use it in a job, whose log everybody can read"
        raise click.UsageError(f"--host checks every game: {right}")
    archive = open_archive()

    def seen(turn: Turn, seat: str) -> Any:
        from adjudicator.core.jobs.seal import seat_view

        assert identity is not None
        return seat_view(archive, turn, seat, identity)

    told = seen if identity is not None else None
    when = write_time(read_time(at) if at else datetime.now(UTC))
    problems = (
        [p for file in files for p in check_file(archive, Path(file), told)]
        if files
        else check_archive(archive, when, host=host)
    )
    errors = sum(problem.level == "error" for problem in problems)
    warnings = sum(problem.level == "warning" for problem in problems)
    show(problems)
    if as_json() and not problems:
        click.echo('{"problems": []}')
    if errors:
        raise click.exceptions.Exit(1)
    if not as_json():
        idle = any(problem.right == REMEDY for problem in problems)
        games = "Every other game" if idle else "Every game"
        what = f"{len(files)} sheet{'s' if len(files) > 1 else ''}" if files else games
        click.echo(f"{what} can be judged" + (f"; {warnings} warning(s) above." if warnings else "."))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@clean_errors
def case(files: tuple[Path, ...]) -> None:
    """Judge the turns in case files again, and show what comes out differently.

    A case is a single turn: its position, sheets, dice and results. You can save one from a table in the browser (What if?): for a
    ruling that you doubt, for a rulebook, for a test. No archive is needed.

    \b
    Example:
      courtly case convoy.yaml
    """
    from adjudicator.core.files.places import named
    from adjudicator.core.game.archive import read_file
    from adjudicator.core.jobs.case import case_problems
    from adjudicator.core.text.problems import Problem, Problems, plain

    found: list[Problem] = []
    for path in files:
        shown = plain(path.as_posix())
        try:
            found += case_problems(read_file(*named(path), shown=shown, own=True), shown)
        except Problems as error:
            found += error.problems
    show(found)
    if found:
        raise click.exceptions.Exit(1)
    say(f"{len(files)} case{'s' if len(files) > 1 else ''} judged again: no differences.", cases=len(files))


@main.command()
@click.argument("game")
@click.option("--stand-in", "seats", multiple=True, metavar="SEAT", help="A seat to play; may be repeated.")
@click.option("--all", "every", is_flag=True, help="Play every seat that has sent no sheet.")
@click.option("--seed", metavar="TEXT", help="The seed for their choices (default: a random one, which is shown).")
@click.option(
    "--turns", type=click.IntRange(0), default=0, metavar="N", help="Judge the turn too, and play on: N turns in all."
)
@click.option("--at", metavar="TIME", help="Use this as the current time (default: the clock).")
@clean_errors
def play(game: str, seats: tuple[str, ...], every: bool, seed: str | None, turns: int, at: str | None) -> None:
    """Let stand-ins play: for players who are missing, or to try out a ruleset.

    A stand-in chooses among the legal orders by a simple estimate of their worth. It writes its sheet where a player
    would, and never overwrites a player's. The same seed gives the same sheets.

    \b
    Example:
      courtly play summer-2026 --stand-in Austria
      courtly new trial --here --ruleset al_andalus && courtly play trial --all --turns 200
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.play import play as go_on
    from adjudicator.core.jobs.play import write_stand_in_sheets
    from adjudicator.core.secrets.chance import drawn
    from adjudicator.core.text.problems import problem
    from adjudicator.core.turn.load import load_game

    if bool(seats) == every:
        raise click.UsageError("name seats with --stand-in, or play all of them with --all")
    archive = open_archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    seed = drawn(8) if seed is None else seed
    if not seed.isascii() and any("\ud800" <= letter <= "\udfff" for letter in seed):
        raise problem("--seed", "the seed is not UTF-8 text", "write it in UTF-8")
    with archive.writing():
        chosen = load_game(archive, game).seats if every else seats
        if turns:
            for number, step in enumerate(go_on(archive, game, chosen, seed, when, turns)):
                if not number:
                    say(f"Playing with the seed {seed}.", game=game, seed=seed)
                say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
            return
        written = write_stand_in_sheets(archive, game, chosen, seed)
    text = (
        f"Sheets written for {', '.join(written)}, with the seed {seed}."
        if written
        else "None of these sheets is missing."
    )
    say(text, seats=written, seed=seed)


@main.command()
@click.argument("sheet", type=click.Path(path_type=Path))
@click.option("--game", help="The game (default: from the sheet's folder).")
@click.option("--seat", help="The seat (default: from the sheet's name).")
@click.option("--turn", help="The turn (default: the open one).")
@click.option(
    "--for",
    "readers",
    multiple=True,
    metavar="KEY",
    help="Another key that can open it, such as your age1... or SSH key.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here (default: where sheets belong)."
)
@click.option("--binary", is_flag=True, help="Write age's binary form (default: text, which can be pasted).")
@click.option("--envelope", is_flag=True, help="Print what would be sealed, for the `age` command to seal.")
@click.option("--anyway", is_flag=True, help="Seal it even if `courtly check` finds errors in it.")
@clean_errors
def seal(
    sheet: Path,
    game: str | None,
    seat: str | None,
    turn: str | None,
    readers: tuple[str, ...],
    output: Path | None,
    binary: bool,
    envelope: bool,
    anyway: bool,
) -> None:
    """Seal a sheet to the turn's key, so that nobody reads it before the deadline.

    In a turn's ruling.yaml, it seals the corrections and decisions that the public may not see. An open sheet in a folder that sheets
    are sent from is moved to open-sheets/, which git ignores. A sheet with errors is not sealed.

    \b
    Example:
      courtly seal austria.yaml --game summer-2026 --for age1...
      courtly seal austria.yaml --game summer-2026 --envelope | age -r age1... -o austria.yaml.age
    """
    from adjudicator.core.jobs.seal import seal_rulings, seal_sheet
    from adjudicator.core.text.problems import Problem, Problems

    archive = open_archive()
    if sheet.name == "ruling.yaml":
        count = seal_rulings(archive, sheet)
        text = (
            f"{sheet}: {count} ruling{'' if count == 1 else 's'} sealed."
            if count
            else f"{sheet}: nothing in it has to be sealed."
        )
        say(text, path=str(sheet), sealed=count)
        return
    made = seal_sheet(archive, sheet, game=game, seat=seat, turn=turn, readers=readers, binary=binary)
    if not anyway and any(remark.level == "error" for remark in made.remarks):
        right = "correct it, or seal it anyway with --anyway"
        raise Problems([*made.remarks, Problem(str(sheet), 0, 0, "it has errors, so it was not sealed", right)])
    if envelope:
        show(made.remarks)
        if made.lies is not None:
            what = "the open sheet is in a folder where `git add` would publish it"
            show([Problem(str(sheet), 0, 0, what, "move it away before you send the sealed one", "warning")])
        click.echo(made.envelope, nl=False)
        return
    show(made.remarks)
    target = output or made.place
    made.write(archive, target)
    away = made.put_away(archive)
    moved = f" The open one is now {away}, which git ignores." if away else ""
    say(
        f"{target}: sealed for {made.seat}, {made.turn}. SHA-256 {made.digest}. Send this file, not the open one.{moved}",
        path=str(target), digest=made.digest, sequence=made.number, **({"open": str(away)} if away else {}),
    )  # fmt: skip


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", required=True, help="The game.")
@click.option("--seat", required=True, help="Your seat.")
@click.option("--turn", help="The turn that it is about (default: the newest).")
@click.option(
    "--for", "readers", multiple=True, metavar="KEY", help="Another key that can open it before, such as your own."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write here (default: where letters belong).",
)
@clean_errors
def letter(file: Path, game: str, seat: str, turn: str | None, readers: tuple[str, ...], output: Path | None) -> None:
    """Seal a letter that everybody can read when the game is over, beside the turn that it is about.

    FILE is plain text, with an empty line between paragraphs. Tell readers what you were up to. Only the host could read it
    before the end. Send it like a sheet; nobody waits for it.

    \b
    Example:
      courtly letter why-i-lied.txt --game summer-2026 --seat Austria
    """
    from adjudicator.core.files.places import named
    from adjudicator.core.jobs.press import seal_letter

    archive = open_archive()
    made = seal_letter(archive, file, game=game, seat=seat, turn=turn, readers=readers)
    target = output or archive.root / made.path
    if output is None:
        archive.files.make(target.parent)
        archive.files.write(target, made.body)
    else:
        files, real = named(output)
        files.write(real, made.body)
    say(
        f"{target}: letter {made.number} of {made.seat}, sealed until the game is over. SHA-256 {made.digest}. Send this file.",
        path=str(target), digest=made.digest, sequence=made.number,
    )  # fmt: skip


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seat", required=True, help="The seat whose sheet it is.")
@click.option("--game", help="The game (default: the running one, if there is only one).")
@click.option("--at", metavar="TIME", help="When you got it (default: now).")
@clean_errors
def take(file: Path, seat: str, game: str | None, at: str | None) -> None:
    """Put a sheet that a player sent you another way, by mail or chat, into the open turn, and commit it.

    This is for players without an account on the forge. The checks are those of a pull request, except that you say whose sheet it is;
    the history and the turn's page show that you entered it. A sealed sheet stays sealed. Push afterwards.

    \b
    Example:
      courtly take italy.yaml.age --seat Italy
      git push
    """
    from datetime import UTC, datetime

    from adjudicator.ci.laid import take as lay
    from adjudicator.core.game.schedule import read_time, write_time

    archive = open_archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    laid = lay(archive, file, game or _running_game(archive), seat, when)
    show(laid.accepted.remarks)
    done = "committed; push it" if laid.committed else "this folder is not a git repository, so nothing was committed"
    path, digest = laid.accepted.place.path, laid.accepted.digest
    say(f"{path}: SHA-256 {digest}; {done}.", path=path, digest=digest, committed=laid.committed)


@main.command()
@click.argument("first", metavar="FIRST")
@click.argument("last", metavar="LAST")
@click.option("--seat", required=True, help="The seat whose player is away.")
@click.option("--game", help="The game (default: the running one, if there is only one).")
@click.option("--at", metavar="TIME", help="When the player told you (default: now).")
@clean_errors
def away(first: str, last: str, seat: str, game: str | None, at: str | None) -> None:
    """Enter that a player is away from the FIRST to the LAST day, and commit it.

    This is for players who tell you another way; others send it as a pull request, or as an issue. The game's schedule says on how many days
    a year each player can be away (`absences`). The next `courtly run` moves the deadline of the open turn, if it falls on one of these days.

    \b
    Example:
      courtly away 2026-12-20 2027-01-02 --seat Italy
      git push
    """
    from datetime import UTC, datetime

    from adjudicator.ci.laid import announce
    from adjudicator.core.game.schedule import read_time, write_time

    archive = open_archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    laid = announce(archive, game or _running_game(archive), seat, (first, last), when)
    path = laid.accepted.place.path
    done = "committed; push it" if laid.committed else "nothing was committed"
    say(f"{path}: {seat} is away from {first} to {last}; {done}.", path=path, committed=laid.committed)


def _running_game(archive: Archive) -> str:
    """The running game of an archive, if there is only one; raises `Problems`."""
    from adjudicator.core.text.problems import problem

    running = [slug for slug in archive.slugs() if not archive.has_ended(slug)]
    if len(running) != 1:
        what = f"the number of running games here is {len(running)}"
        raise problem("--game", what, "name one: " + ", ".join(running[:20]))
    return running[0]


@main.command("open")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-i", "--identity", type=click.Path(dir_okay=False, path_type=Path), help="Your key's file (age or SSH).")
@clean_errors
def open_(file: Path, identity: Path | None) -> None:
    """Print the text of a sealed file: your own sheet or news, with your key; or a judged turn's file, with its published key.

    Invisible characters, such as those that control a terminal, are printed as escapes, such as \\u001b, because anybody
    may have sealed the file.

    \b
    Example:
      courtly open games/summer-2026/001-spring-1901-movement/orders/austria.yaml.age -i my-key.txt
    """
    from adjudicator.core.jobs.seal import open_file
    from adjudicator.core.text.problems import printable

    click.echo(printable(open_file(open_archive(), file, identity)), nl=False)


@main.command()
@click.argument("kind", required=False)
@click.option("--ruleset", default="diplomacy", show_default=True)
@clean_errors
def schema(kind: str | None, ruleset: str) -> None:
    """Print the JSON Schema of a kind of file (game or sheet), for editors that complete as you type.

    \b
    Example:
      courtly schema sheet --ruleset diplomacy
    """
    from adjudicator.core.jobs.schemas import schemas
    from adjudicator.core.text.problems import nearest, problem

    kinds = schemas(ruleset)
    if kind is None:
        say("Kinds: " + ", ".join(kinds), kinds=list(kinds))
    elif kind in kinds:
        click.echo(json.dumps(kinds[kind], indent=2, ensure_ascii=False))
    else:
        raise problem("", f"no kind of file is called {kind!r:.40}", nearest(kind, kinds) or ", ".join(kinds))
