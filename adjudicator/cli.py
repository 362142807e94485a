"""The `courtly` command: each command a few lines over the library.

The library is imported inside the commands, so that `courtly --version` and `--help` answer at once. Exit status: 0,
1 when problems were found, 2 for wrong use.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudicator import __version__

if TYPE_CHECKING:
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.jobs.run import Step
    from adjudicator.core.jobs.waiting import Waiting
    from adjudicator.core.text.problems import Problem
    from adjudicator.core.turn.data import Turn

F = TypeVar("F", bound=Callable[..., Any])


def clean_errors(command: F) -> F:
    """Turns problems and errors of the file system into clear lines and status 1; never a traceback."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        from adjudicator.core.game.archive import sentence
        from adjudicator.core.text.problems import Problems

        try:
            return command(*args, **kwargs)
        except Problems as error:
            show(error.problems)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            show(sentence(error, Path.cwd()).problems)
        raise click.exceptions.Exit(1)

    return wrapped  # type: ignore[return-value]  # same signature as the command


def show(problems: Iterable[Problem]) -> None:
    """Problems on standard error, a line each; as JSON on standard output with --json."""
    problems = list(problems)
    if not problems:
        return
    if as_json():
        click.echo(logged(json.dumps({"problems": [p.as_data() for p in problems]}, ensure_ascii=False)))
        return
    for one in problems:
        colour = "yellow" if one.level == "warning" else "red"
        click.echo(click.style(one.level, fg=colour) + f": {logged(str(one))}", err=True)


def as_json() -> bool:
    """Whether the command was asked to write for machines."""
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().params.get("json_"))


def archive() -> Archive:
    """The archive the command works in, with its master secrets where the environment gives them."""
    from adjudicator.core.game.archive import Archive

    masters = None
    if os.environ.get("COURTLY_MASTER") or os.environ.get("COURTLY_MASTER_FILE"):
        from adjudicator.core.secrets.masters import masters_from

        masters = masters_from(os.environ)
    return Archive(Path(click.get_current_context().find_root().params["folder"]).absolute(), masters)


def begun(place: Archive, *, here: bool) -> None:
    """Raises `Problems` where there is no archive and nobody said that one begins: by --here, or by naming the folder."""
    from adjudicator.core.text.problems import problem

    root = click.get_current_context().find_root()
    named = root.get_parameter_source("folder") is click.core.ParameterSource.COMMANDLINE
    if here or named or place.games.is_dir():
        return
    above = next((folder for folder in place.root.parents if (folder / "games").is_dir()), None)
    right = "`courtly init` makes one; --here begins a bare one in this folder; -C FOLDER names another"
    raise problem(
        str(place.games), "there is no archive here", f"there is one in {above}: add -C {above}" if above else right
    )


def say(text: str, **data: Any) -> None:
    """One line for people, or one JSON object for machines."""
    click.echo(logged(json.dumps(data, ensure_ascii=False) if as_json() else text))


def logged(line: str) -> str:
    """A line in which GitHub's runner finds no command: it reads `::x::` at a line's start, and `##[x]` anywhere."""
    return line.replace("##[", "##\\u005b")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="courtly")
@click.option("-C", "--folder", default=".", metavar="FOLDER", help="The folder that holds games/ (default: here).")
@click.option("--json", "json_", is_flag=True, help="Write JSON for machines.")
def main(folder: str, json_: bool) -> None:
    """Games of courts, heirs and conquest, played by pull request.

    \b
    Example:
      courtly new summer-2026 --title "The summer game"
      courtly check
      courtly run
    """


@main.command()
@click.option("--title", default="Our games", show_default=True, help="What the site is called.")
@click.option("--repository", metavar="OWNER/NAME", help="Where the repository will live on GitHub.")
@click.option(
    "--from", "origin", metavar="git+https://...@COMMIT", help="What the workflows install (default: what runs here)."
)
@clean_errors
def init(title: str, repository: str | None, origin: str | None) -> None:
    """Make a repository for a group's games here: workflows, site, archive. Again, it brings them up to date.

    \b
    Example:
      mkdir our-games && cd our-games
      courtly init --title "Our games" --repository anna/our-games
      courtly init --from git+https://github.com/anna/courtly@1f0c...   # a fork, at one commit
    """
    from adjudicator.site.init import init as begin

    root = Path(click.get_current_context().find_root().params["folder"]).absolute()
    root.mkdir(parents=True, exist_ok=True)
    written, new = begin(root, title, repository, origin)
    for name in written:
        if not as_json():
            click.echo(f"wrote {name}")
    todo = "Next: `courtly keygen --master -o ../master.txt`, then `courtly new` (see the page Host)." if new else ""
    say(f"{len(written)} files written. {todo}".strip(), written=written, new=new)


@main.command()
@click.argument("game")
@click.option("--ruleset", default="diplomacy", show_default=True, help="Which game to play.")
@click.option("--title", help="The game's title (default: its name).")
@click.option(
    "--opened",
    metavar="DAY",
    help="The day it opens, from whose beginning deadlines count, as 2026-11-20 (default: now).",
)
@click.option("--seat", "seats", multiple=True, metavar="SEAT=PLAYER", help="Who plays a seat; once for each seat.")
@click.option("--account", "accounts", multiple=True, metavar="SEAT=NUMBER", help="The account that plays a seat.")
@click.option("--key", "keys", multiple=True, metavar="SEAT=KEY", help="The age or SSH key for a seat's private news.")
@click.option("--turn", "length", metavar="3d", help="How long a turn stays open (default: no deadlines).")
@click.option("--zone", metavar="ZONE", help="The time zone of deadlines, as Europe/Berlin (default: UTC).")
@click.option("--hour", "hour", metavar="18:00", help="The time of day at which deadlines fall.")
@click.option(
    "--day-off", "days_off", multiple=True, metavar="DAY", help="A day of the week that does not count, as Sunday."
)
@click.option("--grace", metavar="12h", help="How long missing sheets are waited for after a deadline.")
@click.option(
    "--missing",
    type=click.Choice(["hold", "civil_disorder", "host"]),
    help="What happens when a sheet is missing (default: hold).",
)
@click.option("--sealed", is_flag=True, help="Sheets may be sealed; the dice come from the archive's master secret.")
@click.option(
    "--join",
    type=click.Choice(["first", "ask"]),
    help="Let people take open seats by pull request, or ask you for them.",
)
@click.option("--gather", is_flag=True, help="Open the first turn only when every player has given a nonce.")
@click.option("--ask", is_flag=True, help="Ask for what is needed, one question after the other.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as board=fleet_rome.")
@click.option("--here", is_flag=True, help="Begin an archive in this folder, if there is none.")
@clean_errors
def new(
    game: str,
    ruleset: str,
    title: str | None,
    opened: str | None,
    seats: tuple[str, ...],
    accounts: tuple[str, ...],
    keys: tuple[str, ...],
    length: str | None,
    zone: str | None,
    hour: str | None,
    days_off: tuple[str, ...],
    grace: str | None,
    missing: str | None,
    sealed: bool,
    join: str | None,
    gather: bool,
    ask: bool,
    settings: tuple[str, ...],
    here: bool,
) -> None:
    """Open a new game: its game.yaml, and its first turn with a map.

    A game goes into the archive of this folder, or of the one that -C names. `courtly init` makes an archive with all that
    pull requests and a site need; --here begins a bare one.

    \b
    Example:
      courtly new summer-2026 --title "The summer game" --turn 3d \\
          --seat Austria=Anna --seat England=Ben --set board=fleet_rome
    """
    from datetime import UTC, datetime

    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.game.beside import laid_beside, rules_at_hand
    from adjudicator.core.game.schedule import write_time
    from adjudicator.core.jobs.new import (
        keyless,
        new_charter,
        new_game,
        new_id,
        option_faults,
        seated,
        setup_commitment,
    )
    from adjudicator.core.text.problems import Problem, Problems, placed

    now = datetime.now(UTC)
    place = archive()
    place.game_folder(game)
    begun(place, here=here)
    if ask:
        ruleset = click.prompt("Ruleset", default=ruleset)
        title = click.prompt("Title", default=title or game)
    rules = find(ruleset)
    players, numbers, pinned = pairs(seats, "--seat"), pairs(accounts, "--account"), pairs(keys, "--key")
    chosen, own = laid_beside(chosen_rules(settings))
    faults: list[Problem] = []
    all_seats: tuple[str, ...] = ()
    try:
        with placed("--set"):
            all_seats = rules.rules.seats(rules_at_hand(rules, chosen, own))
    except Problems as error:
        if ask:
            raise
        faults += error.problems
    if ask:
        for seat in all_seats:
            players[seat] = click.prompt(f"Who plays {seat}", default=players.get(seat, "open"))
            if players[seat] != "open":
                numbers[seat] = click.prompt(f"  {players[seat]}'s account number (0: none)", default="0")
        length = click.prompt("How long a turn stays open (none: no deadlines)", default=length or "3d")
        length = None if length == "none" else length
        if length:
            zone = click.prompt("Time zone of deadlines", default=zone or "UTC")
        sealed = click.confirm("May players seal their sheets", default=sealed or rules.secrecy is not None)
    sealed = sealed or rules.secrecy is not None
    data: dict[str, Any] = {
        "ruleset": rules.about.slug,
        "title": title or game,
        "opened": opened or now.strftime("%Y-%m-%d"),
        "seats": {},
    }
    if sealed:
        data = {"ruleset": data.pop("ruleset"), "id": new_id(), **data, "sealed": True}
        if place.masters is None:
            right = "make one with `courtly keygen --master`, and give it in COURTLY_MASTER or COURTLY_MASTER_FILE"
            faults.append(Problem("", 0, 0, "a sealed game needs the archive's master secret", right))
    elif gather:
        faults.append(Problem("--gather", 0, 0, "gathering nonces needs a sealed game", "add --sealed"))
    else:
        data["seed"] = os.urandom(16).hex()
    schedule = {
        "turn": length,
        "zone": zone,
        "at": hour,
        "days_off": list(days_off),
        "grace": grace,
        "missing": missing,
    }
    schedule = {key: value for key, value in schedule.items() if value}
    if schedule:
        data["schedule"] = schedule
    if join:
        data["join"] = join
    if all_seats:
        try:
            data["seats"] = seated(all_seats, players, numbers, pinned)
        except Problems as error:
            faults += error.problems
            data["seats"] = seated(all_seats, {}, {}, {seat: key for seat, key in pinned.items() if seat in all_seats})
        if rules.secrecy is not None and not gather and not join:
            faults += keyless(all_seats, pinned)
        if chosen:
            data["settings"] = chosen
        faults += option_faults(game, data, own)
    if faults:
        raise Problems(faults)
    place.games.mkdir(parents=True, exist_ok=True)
    with place.writing():
        if sealed:
            new_charter(place)
        if gather:
            data["setup"] = setup_commitment(place, game, data["id"])
        made = new_game(place, game, data, own, at=None if opened else write_time(now))
    if made.foreseen:
        what = "anybody can compute its dice before a turn is judged, and choose orders by them: their seed stands in game.yaml"
        right = "for dice that no player can foresee, open it with --sealed"
        show([Problem(f"games/{game}", 0, 0, what, right, "warning")])
    names = place.turns(game)
    if not names and join:
        say(f"Made {made.title} in games/{game}. It opens when people have joined all its open seats.", game=game)
        return
    if not names:
        say(f"Made {made.title} in games/{game}. It opens when every seat in its game.yaml has a `nonce`.", game=game)
        return
    say(
        f"Opened {made.title} in games/{game}. Sheets for {names[0]} go to games/{game}/{names[0]}/orders/.",
        game=game,
        turn=names[0],
    )


def pair(text: str, option: str) -> tuple[str, str]:
    """`KEY=VALUE` as a pair."""
    key, found, value = text.partition("=")
    if not found or not key or not value:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE", param_hint=option)
    return key, value


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """Several `KEY=VALUE`, each of which names something else."""
    made = dict(pair(text, option) for text in texts)
    if len(made) < len(texts):
        raise click.UsageError(f"each {option} names something else")
    return made


def chosen_rules(texts: tuple[str, ...]) -> dict[str, Any]:
    """House rules given with --set."""
    from adjudicator.core.text.yamltext import plain_value

    return {key: plain_value(value) for key, value in pairs(texts, "--set").items()}


@main.command()
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "-i",
    "--identity",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Your key's file: check by what your seat sees.",
)
@click.option("--at", metavar="TIME", help="Take this for the time (default: the clock).")
@click.option("--host", is_flag=True, help="Say also what is hidden and waits for your ruling (master secret).")
@clean_errors
def check(files: tuple[str, ...], identity: Path | None, at: str | None, host: bool) -> None:
    """Say what is wrong with sheets and games, with line and column, before the deadline.

    FILES are sheets (games/GAME/TURN/orders/SEAT.yaml); without any, every game in the archive and every sheet of its
    open turn is checked. In a game with hidden information a sheet is checked by what everybody can see, or, with your
    key, by what your seat was told.

    \b
    Example:
      courtly check games/summer-2026/001-spring-1901-movement/orders/austria.yaml
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.check import check_archive, check_file
    from adjudicator.core.jobs.waiting import REMEDY

    if identity is not None and not files:
        raise click.UsageError("name your sheet with -i")
    if host and (files or os.environ.get("CI")):
        raise click.UsageError("--host looks at every game, and never in a job, whose log everybody reads")
    place = archive()

    def seen(turn: Turn, seat: str) -> Any:
        from adjudicator.core.jobs.seal import seat_view

        assert identity is not None
        return seat_view(place, turn, seat, identity)

    told = seen if identity is not None else None
    when = write_time(read_time(at) if at else datetime.now(UTC))
    problems = (
        [p for file in files for p in check_file(place, Path(file), told)]
        if files
        else check_archive(place, when, host=host)
    )
    errors = sum(one.level == "error" for one in problems)
    show(problems)
    if as_json() and not problems:
        click.echo('{"problems": []}')
    if errors:
        raise click.exceptions.Exit(1)
    if not as_json():
        idle = any(one.right == REMEDY for one in problems)
        games = "Every other game" if idle else "Every game"
        what = f"{len(files)} sheet{'s' if len(files) > 1 else ''}" if files else games
        click.echo(f"{what} can be judged" + (f"; {len(problems)} warning(s) above." if problems else "."))


@main.command()
@click.option("--game", "games", multiple=True, metavar="GAME", help="Only this game; may be repeated.")
@click.option("--now", is_flag=True, help="Judge the open turn whether it is due or not.")
@click.option("--at", metavar="TIME", help="Take this for the time, as 2026-12-01T18:00Z (default: the clock).")
@clean_errors
def run(games: tuple[str, ...], now: bool, at: str | None) -> None:
    """Judge every turn that is due, draw its map and open the next one.

    A turn is due when its deadline is past or every sheet is in and says `final: true`. A fault in one game stops that
    game and no other. Running twice changes nothing the second time.

    \b
    Example:
      courtly run
      courtly run --now --game summer-2026
    """
    import errno
    from datetime import UTC, datetime

    from adjudicator.ci.again import judged_before
    from adjudicator.core.game.archive import sentence
    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.run import might_be_due, run_game
    from adjudicator.core.jobs.voids import void_of_nothing
    from adjudicator.core.jobs.waiting import left_to_host, waiting
    from adjudicator.core.text.problems import Problems

    place = archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    steps: list[Step] = []
    faults: list[Problem] = []
    remarks: list[Problem] = []
    idles: list[Waiting] = []
    with place.writing():
        known = place.slugs()
        for game in games:
            if game not in known:
                place.turns(game)
        # A game named twice is judged once: with --now the second time would judge the turn that was just opened.
        todo = list(dict.fromkeys(games)) or [slug for slug in known if not place.has_ended(slug)]
        for game in progress(todo, "Judging"):
            done = len(steps)
            try:
                for step in run_game(place, game, at=when, now=now, objection=judged_before):
                    steps.append(step)
                    say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
                    remarks.extend(void_of_nothing(place, step.game, step.turn) if step.what == "resolved" else ())
                    remarks.extend(left_to_host(place, step.game, step.turn) if step.what == "opened" else ())
                if len(steps) == done and might_be_due(place, game, when) and (idle := waiting(place, game, when)):
                    idles.append(idle)
            except Problems as error:
                faults.extend(error.problems)
            except OSError as error:
                faults.extend(sentence(error, place.root).problems)
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                    break  # the next game would fare no better
    for idle in idles:
        say(str(idle), game=idle.game, turn=idle.turn, waits_since=idle.since, seats=idle.seats)
    if not steps and not faults and not idles:
        say("Nothing is due.", steps=0)
    for line in (line for game in todo for line in wanted(place, game)):
        say(line, seats=line)
    show(remarks)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)


def wanted(place: Archive, game: str) -> list[str]:
    """What is to be said of a game's open seats; nothing of a game with a fault, which is said elsewhere."""
    from adjudicator.core.game.join import may_join
    from adjudicator.core.jobs.doctor import seats_wanted
    from adjudicator.core.text.problems import Problems

    try:
        return seats_wanted(place, game) if may_join(place, game) else []
    except Problems:
        return []


@main.command()
@click.argument("game")
@click.option("--stand-in", "seats", multiple=True, metavar="SEAT", help="A seat to play; once for each.")
@click.option("--all", "every", is_flag=True, help="Play every seat that has sent no sheet.")
@click.option("--seed", metavar="TEXT", help="Play as for this seed (default: one at random, which is said).")
@click.option(
    "--turns", type=click.IntRange(0), default=0, metavar="N", help="Judge the turn, and go on through N turns."
)
@click.option("--at", metavar="TIME", help="Take this for the time (default: the clock).")
@clean_errors
def play(game: str, seats: tuple[str, ...], every: bool, seed: str | None, turns: int, at: str | None) -> None:
    """Let stand-ins play: for players who are missing, or to try a ruleset.

    A stand-in chooses among the legal orders by a simple sense of what they are worth. It writes its sheet where a player
    would, and never over a player's. The same seed gives the same sheets.

    \b
    Example:
      courtly play summer-2026 --stand-in Austria
      courtly new trial --here --ruleset al_andalus && courtly play trial --all --turns 200
    """
    import secrets
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.play import play as go_on
    from adjudicator.core.jobs.play import stand_in_sheets
    from adjudicator.core.text.problems import problem
    from adjudicator.core.turn.load import load_game

    if bool(seats) == every:
        raise click.UsageError("name seats with --stand-in, or all of them with --all")
    place = archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    seed = secrets.token_hex(8) if seed is None else seed
    if not seed.isascii() and any("\ud800" <= letter <= "\udfff" for letter in seed):
        raise problem("--seed", "the seed is not UTF-8 text", "write it in UTF-8")
    with place.writing():
        chosen = load_game(place, game).seats if every else seats
        if turns:
            for number, step in enumerate(go_on(place, game, chosen, seed, when, turns)):
                if not number:
                    say(f"Playing with the seed {seed}.", game=game, seed=seed)
                say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
            return
        written = stand_in_sheets(place, game, chosen, seed)
    text = (
        f"Sheets written for {', '.join(written)}, with the seed {seed}." if written else "No sheet is missing there."
    )
    say(text, seats=written, seed=seed)


@main.command()
@click.argument("ruleset")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as board=islands.yaml.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Draw the first position here.")
@click.option(
    "--files",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write files to go on from by hand into this folder: the shapes of a board.",
)
@clean_errors
def preview(ruleset: str, settings: tuple[str, ...], output: Path | None, files: Path | None) -> None:
    """Look at a board or a scenario before anybody plays on it: its seats, its faults, its picture.

    \b
    Example:
      courtly preview diplomacy --set board=islands.yaml -o islands.svg
    """
    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.game.archive import write_file
    from adjudicator.core.game.beside import laid_beside, rules_at_hand
    from adjudicator.core.jobs.rehearse import first_look
    from adjudicator.core.text.problems import placed, problem

    rules = find(ruleset)
    chosen, own = laid_beside(chosen_rules(settings))
    with placed("--set"):
        furnished = rules_at_hand(rules, chosen, own)
    made = rules.host_files.sketch(furnished) if files is not None and rules.host_files is not None else {}
    written: dict[Path, bytes] = {}
    if files is not None:
        written |= {files / name: body for name, body in made.items()}
    if taken := [path for path in written if path.exists()]:
        raise problem(str(taken[0]), "there is a file of that name already", "move it, or name another folder")
    if output is not None:
        written[output] = first_look(rules, furnished).svg.encode()
    for path, body in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, body)
    seats = rules.rules.seats(furnished)
    said = [
        f"{len(seats)} seats: {', '.join(seats)}.",
        *(f"{path}: {len(body)} bytes." for path, body in written.items()),
    ]
    say("\n".join(said), seats=list(seats), files=[str(path) for path in written])


@main.command()
@click.argument("ruleset")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games to play.")
@click.option("--seed", type=int, default=0, show_default=True, help="The number of the first game's seed.")
@click.option(
    "--most", type=click.IntRange(1), default=500, show_default=True, help="Turns after which a game is left."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as generals=true.")
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes to use (default: all cores).")
@clean_errors
def rehearse(ruleset: str, games: int, seed: int, most: int, settings: tuple[str, ...], jobs: int | None) -> None:
    """Play whole games by stand-ins, in memory, and say how they end: to try rules and settings.

    \b
    Example:
      courtly rehearse al_andalus --games 1000
      courtly rehearse al_andalus --games 1000 --set wazir_solo_ends_game=true
    """
    from adjudicator.core.jobs.rehearse import rehearsals, report

    found = list(
        progress(rehearsals(ruleset, chosen_rules(settings), range(seed, seed + games), most, jobs), "Playing", games)
    )
    for one in report(found):
        if as_json():
            for row in one.rows:
                say("", **dict(zip(one.head, row, strict=True)))
            continue
        click.echo("| " + " | ".join(one.head) + " |\n|" + " --- |" * len(one.head))
        for row in one.rows:
            click.echo("| " + " | ".join(map(str, row)) + " |")
        click.echo()


@main.command()
@click.argument("games", nargs=-1)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes to use (default: all cores).")
@click.option(
    "--history", is_flag=True, help="Also ask git: were secrets committed to in time, was any sheet exchanged?"
)
@click.option(
    "-i",
    "--identity",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Your key's file: also check what you were told.",
)
@clean_errors
def verify(games: tuple[str, ...], jobs: int | None, history: bool, identity: Path | None) -> None:
    """Judge every archived turn again and compare the bytes of turn.yaml and map.svg. Needs no secret.

    \b
    Example:
      courtly verify
      courtly verify summer-2026
    """
    import hashlib

    from adjudicator.core.jobs.verify import verify_all

    place = archive()
    todo = list(dict.fromkeys(games)) or place.slugs()
    for game in games:
        place.turns(game)
    found = list(progress(verify_all(place, todo, jobs or os.cpu_count() or 1), "Verifying", len(todo)))
    problems = [p for one in found for p in one.problems]
    proved, told, dispatches = None, None, None
    if identity is not None:
        from adjudicator.core.jobs.seal import own_dispatches

        dispatches, faults = own_dispatches(place, todo, identity)
        problems += faults
    if history:
        from adjudicator.ci.history import check_history

        told = check_history(place.root)
        proved = told.seen
        problems += told.problems
        if not as_json():
            show(told.notes)
    turns = sum(one.turns for one in found)
    stands = sum(one.as_played for one in found)
    sealed = sum(one.sealed for one in found)
    total = hashlib.sha256("".join(f"{one.game} {one.digest}\n" for one in found).encode()).hexdigest()
    if as_json():
        click.echo(
            json.dumps(
                {
                    "games": len(found),
                    "turns": turns,
                    "as_played": stands,
                    "sealed": sealed,
                    "digest": total,
                    "committed": proved,
                    "dispatches": dispatches,
                }
                | {
                    "notes": [
                        p.as_data() for p in (*(n for one in found for n in one.notes), *(told.notes if told else ()))
                    ]
                }
                | {"problems": [p.as_data() for p in problems]},
                ensure_ascii=False,
            )
        )
    else:
        show([note for one in found for note in one.notes])
        show(problems)
        noted = f" ({stands} stand as played)" if stands else ""
        noted += f" ({sealed} are sealed until their games end)" if sealed else ""
        noted += f" ({proved} seen to be committed to while they were open)" if proved is not None else ""
        noted += f" ({dispatches} of your dispatches are as they were sent)" if dispatches is not None else ""
        result = f"{len(problems)} differences" if problems else "the same bytes"
        click.echo(f"{len(found)} games, {turns} turns judged again{noted}: {result}. Digest {total}")
    if problems:
        raise click.exceptions.Exit(1)


@main.command()
@click.option("--master", is_flag=True, help="Make the archive's master secret instead of a player's key.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Keep it here (never overwritten)."
)
@clean_errors
def keygen(master: bool, output: Path | None) -> None:
    """Make a player's key for private news, or (--master) the secret from which an archive's keys come.

    A player gives the public line (age1...) to the host and keeps the file. The host puts a master secret into the
    repository's secrets as COURTLY_MASTER, and keeps a copy: without it, sealed games cannot go on. It is never written into
    a repository or an archive, where the next push could publish it.

    \b
    Example:
      courtly keygen -o my-key.txt
      courtly keygen --master -o ../master.txt
    """
    from adjudicator.core.game.archive import shared_with
    from adjudicator.core.secrets.age import new_identity, recipient_of
    from adjudicator.core.secrets.masters import kid_of, new_master, read_masters
    from adjudicator.core.text.problems import problem

    if master and output is not None and (place := shared_with(output)) is not None:
        right = f"keep it outside of {place}, as with -o {os.path.relpath(place.parent / output.name)}"
        raise problem(str(output), "the next push could publish the master secret from here", right)
    if master:
        secret = new_master()
        name = kid_of(read_masters(secret, "").secrets[0])
        body, public = f"# courtly master secret {name}\n{secret}\n", f"Its name is {name}."
    else:
        identity = new_identity()
        body, public = f"# public key: {recipient_of(identity)}\n{identity}\n", f"Public key: {recipient_of(identity)}"
    if output is None:
        if as_json():
            say("", secret=body.splitlines()[1], public=public.split()[-1].rstrip("."))
        else:
            click.echo(body, nl=False)
        return
    try:
        with open(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(body)
    except FileExistsError:
        raise problem(str(output), "there is a file of that name already", "choose another name") from None
    say(f"{output}: keep it secret. {public}", path=str(output), public=public.split()[-1].rstrip("."))


@main.command()
@click.argument("sheet", type=click.Path(path_type=Path))
@click.option("--game", help="The game (default: told by where the sheet lies).")
@click.option("--seat", help="The seat (default: told by the sheet's name).")
@click.option("--turn", help="The turn (default: the open one).")
@click.option(
    "--for", "readers", multiple=True, metavar="KEY", help="Who else can open it: your own age1... or SSH key."
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here (default: its place)."
)
@click.option("--binary", is_flag=True, help="Write age's binary form (default: text, which can be pasted).")
@click.option("--envelope", is_flag=True, help="Print what would be sealed, for the `age` command to seal.")
@click.option("--anyway", is_flag=True, help="Seal it though `courtly check` finds errors in it.")
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

    Given a turn's ruling.yaml, it seals the corrections in it of what the public does not see. An open sheet that lies where sheets are sent from is moved to open-sheets/, which git leaves alone. A sheet with errors
    is not sealed.

    \b
    Example:
      courtly seal austria.yaml --game summer-2026 --for age1...
      courtly seal austria.yaml --game summer-2026 --envelope | age -r age1... -o austria.yaml.age
    """
    from adjudicator.core.jobs.seal import seal_rulings, seal_sheet
    from adjudicator.core.text.problems import Problem, Problems

    place = archive()
    if sheet.name == "ruling.yaml":
        count = seal_rulings(place, sheet)
        text = (
            f"{sheet}: {count or 'no'} correction{'' if count == 1 else 's'} sealed."
            if count
            else (f"{sheet}: nothing in it has to be sealed.")
        )
        say(text, path=str(sheet), sealed=count)
        return
    made = seal_sheet(place, sheet, game=game, seat=seat, turn=turn, readers=readers, binary=binary)
    if not anyway and any(one.level == "error" for one in made.remarks):
        right = "mend it, or seal it as it is with --anyway"
        raise Problems([*made.remarks, Problem(str(sheet), 0, 0, "it has errors and was not sealed", right)])
    if envelope:
        show(made.remarks)
        if made.lies is not None:
            what = "the open sheet lies where `git add` would publish it"
            show([Problem(str(sheet), 0, 0, what, "move it away before you send the sealed one", "warning")])
        click.echo(made.envelope, nl=False)
        return
    show(made.remarks)
    target = output or made.place
    made.write(target)
    away = made.put_away(place)
    moved = f" The open one is now {away}, where git leaves it alone." if away else ""
    say(
        f"{target}: sealed for {made.seat}, {made.turn}. SHA-256 {made.digest}. Send this file and not the open one.{moved}",
        path=str(target), digest=made.digest, sequence=made.number, **({"open": str(away)} if away else {}),
    )  # fmt: skip


@main.command("open")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-i", "--identity", type=click.Path(dir_okay=False, path_type=Path), help="Your key's file (age or SSH).")
@clean_errors
def open_(file: Path, identity: Path | None) -> None:
    """Print what a sealed file says: your own sheet or news with your key; a judged turn's with its published key.

    Characters that nobody sees, as those that steer a terminal, are printed by number (\\u001b): anybody may have
    sealed the file.

    \b
    Example:
      courtly open games/summer-2026/001-spring-1901-movement/orders/austria.yaml.age -i my-key.txt
    """
    from adjudicator.core.jobs.seal import open_file
    from adjudicator.core.text.problems import printable

    click.echo(printable(open_file(archive(), file, identity)), nl=False)


@main.command()
@click.argument("games", nargs=-1)
@click.option(
    "--reason", metavar="TEXT", help="Write it: name the turns under `as_played` with this reason, draw the maps anew."
)
@clean_errors
def upgrade(games: tuple[str, ...], reason: str | None) -> None:
    """After an update of courtly: show which judged turns today's rules judge otherwise; with a reason, let them stand as played.

    \b
    Example:
      courtly upgrade
      courtly upgrade --reason "played by the rules of courtly 0.1"
    """
    from adjudicator.core.jobs.upgrade import upgrade_of, write_upgrade
    from adjudicator.core.text.problems import Problems

    place = archive()
    for game in games:
        place.turns(game)
    faults: list[Problem] = []
    turns = maps = sealed = 0
    reason = reason.strip() if reason is not None else None
    if reason == "":
        raise click.UsageError("the reason is empty: it stands on the turns' pages")
    with place.writing():
        for game in progress(list(dict.fromkeys(games)) or place.slugs(), "Judging"):
            try:
                found = upgrade_of(place, game)
                if reason is not None:
                    write_upgrade(place, found, reason)
                else:
                    show(found.turns.values())
            except Problems as error:
                faults.extend(error.problems)
                continue
            turns, maps, sealed = turns + len(found.turns), maps + len(found.maps), sealed + found.sealed
    what = "now stand as played" if reason else "are judged otherwise today"
    drawn = "were drawn anew" if reason else "are drawn otherwise"
    hint = "" if reason or not turns + maps else " With --reason they are let stand, and the maps drawn anew."
    shut = f" {sealed} turns are sealed, and were not judged: give the master secret." if sealed else ""
    text = f"{turns} turns {what}, {maps} maps {drawn}.{shut}{hint}"
    say(text, turns=turns, maps=maps, sealed=sealed, written=reason is not None)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("game")
@click.option("--reason", required=True, metavar="TEXT", help="Why: it stands on the turn's page.")
@click.option("--at", metavar="TIME", help="Take this for the time (default: the clock).")
@clean_errors
def undo(game: str, reason: str, at: str | None) -> None:
    """Put a game's latest judged turn back, and play it again: a ruling like others, which everybody can read.

    The judged turn and the open one after it are kept in games/GAME/undone/, with all that was sent. The turn opens again with
    keys of its own, so players send their sheets anew.

    \b
    Example:
      courtly undo summer-2026 --reason "Italy's second sheet had been lost"
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.run import undo_turn

    place = archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    with place.writing():
        for step in undo_turn(place, game, reason, when):
            say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)


@main.command()
@click.argument("game")
@clean_errors
def reveal(game: str) -> None:
    """Publish the keys of a finished game with hidden information (a run does it at the end by itself).

    \b
    Example:
      courtly reveal nine-sagas
    """
    from adjudicator.core.jobs.run import reveal as publish

    place = archive()
    with place.writing():
        steps = list(publish(place, game))
    for step in steps:
        say(f"{step.game}: revealed {step.phase}", game=step.game, turn=step.turn)
    if not steps:
        say("Everything is revealed already.", steps=0)


@main.command()
@click.argument("game")
@click.argument("turn", required=False)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the picture here.")
@click.option(
    "--seat", help="Draw what this seat sees, from its dispatch; needs -o and, until the game is over, its key."
)
@click.option("-i", "--identity", type=click.Path(dir_okay=False, path_type=Path), help="The seat's key (age or SSH).")
@clean_errors
def render(game: str, turn: str | None, output: Path | None, seat: str | None, identity: Path | None) -> None:
    """Draw a turn's map again (default: the game's latest turn).

    \b
    Example:
      courtly render summer-2026 001-spring-1901-movement -o map.svg
      courtly render farna --seat Anise -i my-key.txt -o my-map.svg
    """
    from adjudicator.core.game.archive import write_file
    from adjudicator.core.jobs.seal import seen_map
    from adjudicator.core.text.problems import nearest, problem
    from adjudicator.core.turn.files import map_text
    from adjudicator.core.turn.load import load_game, load_turn

    place = archive()
    names = place.turns(game)
    keyless = seat is not None and identity is None and not place.has_ended(game)
    if keyless or (seat is None and identity is not None) or (seat is not None and output is None):
        raise click.UsageError("what a seat sees needs --seat, its key with -i, and -o to say where it is drawn")
    if turn is not None and turn not in names:
        raise problem(f"games/{game}", f"there is no turn {turn!r:.60}", nearest(turn, names))
    if not names:
        raise problem(f"games/{game}", "the game has no turn yet", "run `courtly run` first")
    if seat is not None and output is not None:
        picture = seen_map(place, game, turn or names[-1], seat, identity)
        write_file(output, picture)
        say(f"{output}: {len(picture)} bytes.", path=str(output), bytes=len(picture))
        return
    loaded = load_turn(place, load_game(place, game), turn or names[-1])
    picture = map_text(loaded.game, loaded.data)
    target = output or loaded.folder / "map.svg"
    with place.writing() if output is None else contextlib.nullcontext():
        changed = write_file(target, picture)
    say(f"{target}: {len(picture)} bytes{'' if changed else ', unchanged'}.", path=str(target), bytes=len(picture))


@main.command()
@click.option(
    "-d", "--site-dir", type=click.Path(file_okay=False, path_type=Path), default=None, help="Where to build."
)
@clean_errors
def site(site_dir: Path | None) -> None:
    """Build the site that readers browse, and print the page to open.

    \b
    Example:
      courtly site
    """
    from adjudicator.site.build import build

    index = build(archive().root, site_dir)
    say(f"Open {index.as_uri()}", index=str(index))


@main.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@clean_errors
def serve(port: int) -> None:
    """Build the site, serve it on this machine, and build it again when a file changes.

    \b
    Example:
      courtly serve --port 8080
    """
    from adjudicator.site.build import serve as serve_site

    serve_site(archive().root, port)


@main.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ruleset", default="diplomacy", show_default=True, help="The ruleset that was played.")
@click.option("--verify-only", is_flag=True, help="Compare; write no game.")
@click.option("--game", "wanted", multiple=True, metavar="NAME", help="Only this game of the file; may be repeated.")
@click.option(
    "--as", "slug", metavar="NAME", help="The game's name in this archive (with one --game, or a file of one)."
)
@click.option("--title", help="The game's title (with one --game, or a file of one).")
@click.option("--opened", metavar="DAY", help="The day it was opened, as 2022-10-01 (default: today).")
@click.option("--source", default="", help="Where the game comes from, and its licence.")
@click.option(
    "--board", metavar="NAME", help="The board it was played on, such as fleet_rome, or a file: islands.yaml."
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule; may be repeated.")
@click.option("--here", is_flag=True, help="Begin an archive in this folder, if there is none.")
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
) -> None:
    """Read games played elsewhere, judge every phase, and list each difference from the record.

    Reads JSON Lines with one phase a line (.gz or plain) and the JSON that the Python package diplomacy saves.

    \b
    Example:
      courtly import games.jsonl.gz --verify-only
      courtly import games.jsonl.gz --game d446 --as autumn-2019
      courtly import hundred.jsonl --board boards/hundred.yaml
    """
    from dataclasses import replace
    from datetime import UTC, datetime
    from itertools import islice

    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.game.beside import laid_beside, rules_at_hand
    from adjudicator.core.jobs.exchange import enter_played
    from adjudicator.core.text.problems import Problem, Problems, nearest, placed, problem

    rules = find(ruleset)
    if rules.exchange is None:
        raise problem(str(file), f"games of {rules.about.title} cannot be imported", "")
    if (slug or title) and len(wanted) > 1:
        raise click.UsageError("--as and --title go with one --game")
    chosen, own = laid_beside(chosen_rules(settings) | ({"board": board} if board is not None else {}))
    with placed("--board" if board is not None else "--set"):
        furnished = rules_at_hand(rules, chosen, own)
    if not verify_only:
        begun(archive(), here=here)
    totals = {
        "games": 0,
        "phases": 0,
        "empty": 0,
        "differences": 0,
        "reworded": 0,
        "other_rules": 0,
        "not_compared": 0,
        "written": 0,
    }
    names: list[str] = []
    try:
        games = iter(rules.exchange.read(file.read_bytes(), furnished, chosen))
        if (slug or title) and not wanted:
            games = iter(few := list(islice(games, 2)))
            if len(few) > 1:
                right = f"choose one with --game, such as --game {few[0].slug}"
                raise problem(str(file), "--as and --title name one game, and the file holds several", right)
        for played in progress(games, "Judging"):
            names.append(played.slug)
            if wanted and played.slug not in wanted and played.title not in wanted:
                continue
            totals["games"] += 1
            totals["phases"] += len(played.turns) + played.empty
            totals["empty"] += played.empty
            totals["reworded"] += sum(turn.reworded for turn in played.turns)
            totals["other_rules"] += sum(turn.other_rules is not None for turn in played.turns)
            totals["not_compared"] += sum(turn.other_rules is not None and not turn.compared for turn in played.turns)
            found = [*played.faults, *(line for turn in played.turns for line in turn.differences)]
            totals["differences"] += len(found)
            show(Problem(f"{file.name}: {played.title}", 0, 0, line) for line in found)
            if not verify_only and not found:
                place = archive()
                place.games.mkdir(parents=True, exist_ok=True)
                with place.writing():
                    enter_played(
                        place,
                        rules.about.slug,
                        replace(played, settings={**played.settings, **chosen}),
                        beside=own,
                        slug=slug or played.slug,
                        title=title or played.title,
                        opened_on=opened or datetime.now(UTC).strftime("%Y-%m-%d"),
                        source=source or file.name,
                    )
                totals["written"] += 1
    except Problems as error:
        raise Problems(
            Problem(p.path or str(file), p.line, p.column, p.what, p.right, p.level) for p in error.problems
        ) from None
    if wanted and not totals["games"]:
        raise problem(str(file), f"no game {wanted[0]!r:.60} in the file", nearest(wanted[0], names))
    say(
        "{games} games, {phases} phases: {differences} differences "
        "({reworded} results in other words; {other_rules} phases played by other rules, {not_compared} of them not "
        "compared; {empty} in which nobody could do anything); "
        "{written} games written.".format(**totals),
        **totals,
    )
    if totals["differences"]:
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("game")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here (default: print).")
@clean_errors
def export(game: str, output: Path | None) -> None:
    """Write a game in the format that others read: for Diplomacy the JSON of the Python package diplomacy.

    \b
    Example:
      courtly export summer-2026 -o summer-2026.json
    """
    from adjudicator.core.game.archive import write_file
    from adjudicator.core.jobs.exchange import played_turns
    from adjudicator.core.text.problems import problem
    from adjudicator.core.turn.load import load_game

    place = archive()
    loaded = load_game(place, game)
    if loaded.ruleset.exchange is None:
        raise problem(f"games/{game}", f"games of {loaded.ruleset.about.title} cannot be exported", "")
    data = loaded.ruleset.exchange.write(game, played_turns(place, loaded))
    if output is None:
        click.echo(data.decode(), nl=False)
    else:
        write_file(output, data)
        say(f"{output}: {len(data)} bytes.", path=str(output), bytes=len(data))


@main.command()
@click.option("--at", metavar="TIME", help="Take this for the time (default: the clock).")
@clean_errors
def doctor(at: str | None) -> None:
    """Look at this machine and this archive, and say what is missing or odd.

    \b
    Example:
      courtly doctor
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.doctor import examine
    from adjudicator.site.init import lost_pages

    place = archive()
    findings = examine(place, write_time(read_time(at) if at else datetime.now(UTC)))
    findings += [(False, f"{name} is missing: `courtly init` writes it again") for name in lost_pages(place.root)]
    if as_json():
        click.echo(json.dumps({"findings": [{"ok": ok, "what": what} for ok, what in findings]}, ensure_ascii=False))
    else:
        for ok, what in findings:
            click.echo((click.style("fine ", fg="green") if ok else click.style("wrong", fg="red")) + f"  {what}")
    if not all(ok for ok, _ in findings):
        raise click.exceptions.Exit(1)


@main.group()
def ci() -> None:
    """What the workflows run: pull requests in, deadlines kept.

    Reads GitHub's own variables (GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_EVENT_PATH).

    \b
    Example:
      courtly ci adjudicate
    """


def connected() -> tuple[Any, Any, Archive]:
    """GitHub, the clone and its archive, as the workflow's variables say."""
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.github import GitHub
    from adjudicator.core.text.problems import Problem, Problems
    from adjudicator.core.turn.load import load_charter

    names = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_TOKEN")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        right = "run this in a workflow, as .github/workflows/ does"
        raise Problems(Problem("", 0, 0, f"{name} is not set", right) for name in missing)
    place = archive()
    charter = load_charter(place)
    token = os.environ["GITHUB_TOKEN"]
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    clone = Clone(place.root, charter.branch if charter else "main", token, server)
    return GitHub(os.environ["GITHUB_API_URL"], os.environ["GITHUB_REPOSITORY"], token), clone, place


@ci.command("intake")
@click.option("--pull", "number", type=click.IntRange(1), help="The pull request (default: the event's).")
@clean_errors
def ci_intake(number: int | None) -> None:
    """Look at one pull request: take its sheet in, or say why not. Needs no secret but the job's own token.

    \b
    Example:
      courtly ci intake --pull 12
    """
    from adjudicator.ci.intake import intake
    from adjudicator.core.text.problems import contained, problem

    if number is None:
        try:
            event = json.loads(Path(os.environ.get("GITHUB_EVENT_PATH", "")).read_bytes())
            number = int(event["pull_request"]["number"])
        except (OSError, ValueError, KeyError, TypeError):
            raise problem("", "there is no pull request in this event", "name one with --pull") from None
    github, clone, place = connected()
    try:
        with contained(f"pull request {number}"):
            done = intake(github, clone, place, number)
    finally:
        github.close_pool()
    text = f"Pull request {done.number} {done.what}: {done.line}"
    say(text, number=done.number, what=done.what, line=done.line, calls=github.calls)


@ci.command("adjudicate")
@click.option("--at", metavar="TIME", help="Take this for the time (default: the server's clock).")
@clean_errors
def ci_adjudicate(at: str | None) -> None:
    """Catch up pull requests, judge what is due by the server's clock, push, and start the workflow that publishes.

    \b
    Example:
      courtly ci adjudicate
    """
    from adjudicator.ci.adjudicate import adjudicate, announce, announcements
    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.voids import void_of_nothing
    from adjudicator.core.jobs.waiting import left_to_host
    from adjudicator.core.text.problems import Problems

    github, clone, place = connected()
    try:
        when = write_time(read_time(at)) if at else github.now
        batch = adjudicate(clone, place, at=when, github=github)
        for done in batch.pulls:
            say(f"Pull request {done.number} {done.what}: {done.line}", number=done.number, what=done.what)
        for step in batch.steps:
            say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
        faults = list(batch.problems)
        if batch.pushed or any(done.what == "accepted" for done in batch.pulls):
            try:
                github.dispatch("pages.yml", clone.branch)
            except Problems as error:
                faults.extend(error.problems)
        show(
            one
            for step in batch.steps
            if step.what == "resolved"
            for one in void_of_nothing(place, step.game, step.turn)
        )
        show(one for step in batch.steps if step.what == "opened" for one in left_to_host(place, step.game, step.turn))
        if batch.pushed and (webhook := os.environ.get("COURTLY_DISCORD")):
            try:
                announce(webhook, list(announcements(place, batch)))
            except Problems as error:
                faults.extend(error.problems)
    finally:
        github.close_pool()
    for idle in batch.waiting:
        say(str(idle), game=idle.game, turn=idle.turn, waits_since=idle.since, seats=idle.seats)
    if not batch.steps and not batch.waiting:
        say(f"Nothing is due at {when}.", at=when)
    for line in (line for game in place.slugs() for line in wanted(place, game)):
        say(line, seats=line)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)


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

    found = schemas(ruleset)
    if kind is None:
        say("Kinds: " + ", ".join(found), kinds=list(found))
    elif kind in found:
        click.echo(json.dumps(found[kind], indent=2, ensure_ascii=False))
    else:
        raise problem("", f"no kind of file is called {kind!r:.40}", nearest(kind, found) or ", ".join(found))


T = TypeVar("T")


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """The items, with a bar on a terminal when there are many."""
    if as_json() or not sys.stderr.isatty():
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)
