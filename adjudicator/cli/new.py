"""`courtly new`: open a new game, described by options or by answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.asking import JOINING, MISSING, Terms, ask_game, ask_people, ask_terms
from adjudicator.cli.given import pairs, rules_from
from adjudicator.cli.output import as_json, clean_errors, say, show
from adjudicator.cli.root import main, open_archive, require_archive

if TYPE_CHECKING:
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.game.game import Game
    from adjudicator.core.jobs.wanted import Wanted
    from adjudicator.core.text.problems import Problem


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command that describe the game."""

    ruleset: str
    title: str | None
    opened: str | None
    host: str | None
    host_account: str | None
    seats: tuple[str, ...]
    accounts: tuple[str, ...]
    keys: tuple[str, ...]
    length: str | None
    zone: str | None
    hour: str | None
    days_off: tuple[str, ...]
    holidays: tuple[str, ...]
    phases: tuple[str, ...]
    rhythm: Path | None
    starts: str | None
    grace: str | None
    missing: str | None
    sealed: bool
    join: str | None
    open_now: bool
    gather: bool
    letters: bool
    words: bool
    names_at_end: bool
    no_standing: bool
    settings: tuple[str, ...]

    @property
    def terms(self) -> Terms:
        """Those of the options that make up the game's terms."""
        return Terms(
            self.sealed,
            self.length,
            self.zone,
            self.hour,
            self.days_off,
            self.holidays,
            self.grace,
            self.missing,
            self.join,
            self.phases,
            self.starts,
            read_rhythm(self.rhythm) if self.rhythm is not None else {},
        )


def read_rhythm(path: Path) -> dict[str, Any]:
    """The keys of a schedule in a file, with or without `schedule:` above them; raises `Problems`."""
    from adjudicator.core.files.places import named
    from adjudicator.core.game.archive import read_file
    from adjudicator.core.text.problems import plain, problem
    from adjudicator.core.text.yamltext import read

    shown = plain(path.as_posix())
    data = read(read_file(*named(path), shown=shown), shown).data
    found = data.get("schedule", data) if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise problem(shown, "this is not a schedule", "write keys and values, such as `days: [Monday, Thursday]`")
    return found


@main.command()
@click.argument("game")
@click.option("--ruleset", default="diplomacy", show_default=True, help="Which game to play.")
@click.option("--title", help="The game's title (default: its name).")
@click.option(
    "--opened",
    metavar="DAY",
    help="The day it opens, such as 2026-11-20; deadlines are counted from its start (default: now).",
)
@click.option("--host", metavar="NAME", help="Who hosts the game.")
@click.option("--host-account", metavar="NUMBER", help="The account whose pull requests may bring rulings.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT=PLAYER", help="Who plays a seat; once for each seat.")
@click.option("--account", "accounts", multiple=True, metavar="SEAT=NUMBER", help="The account that plays a seat.")
@click.option("--key", "keys", multiple=True, metavar="SEAT=KEY", help="The age or SSH key for a seat's private news.")
@click.option("--turn", "length", metavar="3d", help="How long a turn stays open (default: no deadlines).")
@click.option("--zone", metavar="ZONE", help="The time zone of deadlines, such as Europe/Berlin (default: UTC).")
@click.option("--hour", "hour", metavar="18:00", help="The time of day at which deadlines fall.")
@click.option(
    "--day-off", "days_off", multiple=True, metavar="DAY", help="A day of the week that does not count, such as Sunday."
)
@click.option(
    "--holiday", "holidays", multiple=True, metavar="DAY", help="A date that does not count, such as 2026-12-24."
)
@click.option(
    "--phase",
    "phases",
    multiple=True,
    metavar="KIND=LENGTH",
    help="How long turns of one kind stay open, such as retreats=1d.",
)
@click.option(
    "--schedule",
    "rhythm",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the keys of `schedule:` in game.yaml, for what the options cannot say.",
)
@click.option(
    "--starts", metavar="TIME", help="The earliest time for the first turn to open, such as 2026-12-01T18:00Z."
)
@click.option("--grace", metavar="12h", help="How long to wait for missing sheets after a deadline.")
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    help="What happens when a sheet is missing (default: hold).",
)
@click.option("--sealed", is_flag=True, help="Sheets may be sealed; the dice come from the archive's master secret.")
@click.option(
    "--join",
    type=click.Choice(JOINING),
    help="Let people take open seats by pull request, ask you for them, or rank them and have them drawn; the game opens "
    "when all are taken.",
)
@click.option("--open-now", is_flag=True, help="Open the first turn at once, even if people can still join.")
@click.option("--gather", is_flag=True, help="Open the first turn only when every player has given a nonce.")
@click.option(
    "--letters", is_flag=True, help="Let players seal letters that open when the game is over (needs --sealed)."
)
@click.option(
    "--names-at-end",
    is_flag=True,
    help="Let pages name the players only when the game is over. Files and pull requests name them.",
)
@click.option("--words", is_flag=True, help="Let sheets say a few words to everybody, published with the turn.")
@click.option("--no-standing", is_flag=True, help="Let sheets count for one turn only.")
@click.option("--ask", is_flag=True, help="Ask for all of these, one by one.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as board=fleet_rome.")
@click.option(
    "--from",
    "begins",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file from a table in the browser, with a position to begin with, its ruleset and its house rules.",
)
@click.option("--here", is_flag=True, help="Begin an archive in this folder, if there is none.")
@clean_errors
def new(game: str, ask: bool, begins: Path | None, here: bool, **options: Any) -> None:
    """Open a new game: its game.yaml, and its first turn with a map.

    A game goes into the archive of this folder, or of the one that -C names. `courtly init` makes an archive with everything that
    pull requests and a site need; --here begins a bare one. A game that people can join (--join) gets its first turn in the run
    after the last seat has been taken; its clock starts then.

    \b
    Example:
      courtly new summer-2026 --title "The summer game" --turn 3d \\
          --seat Austria=Anna --seat England=Ben --set board=fleet_rome
      courtly new coast --ruleset grand_campaign --sealed --set placing=in-turns
      courtly new weekly --schedule weekly.yaml
      courtly new what-if --from fall-1905.yaml
    """
    from datetime import UTC, datetime

    from adjudicator.core.jobs.wanted import begin_game, cautions_for, described
    from adjudicator.core.text.problems import Problems

    now = datetime.now(UTC)
    archive = open_archive()
    archive.game_folder(game)
    require_archive(archive, here=here)
    wanted, faults = _wanted(archive, game, Options(**options), begins, ask=ask)
    data, more = described(wanted, now, masters=archive.masters is not None)
    if faults or more:
        raise Problems([*faults, *more])
    made = begin_game(archive, wanted, data, now)
    show(cautions_for(wanted, made))
    _report(archive, wanted, made)


def _wanted(
    archive: Archive, game: str, given: Options, begins: Path | None, *, ask: bool
) -> tuple[Wanted, list[Problem]]:
    """The game that the options describe, and the faults in its house rules; with `ask`, ask the host, with the options as defaults."""
    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.game.beside import read_own_files, rules_at_hand
    from adjudicator.core.jobs.case import begin_with, read_start
    from adjudicator.core.jobs.wanted import Wanted
    from adjudicator.core.text.problems import Problems, with_path

    ruleset, title, host, host_account = given.ruleset, given.title, given.host, given.host_account
    if ask:
        ruleset, title, host, host_account = ask_game(ruleset, title or game, host, host_account)
    start = read_start(begins) if begins is not None else None
    if start is not None:
        ruleset, title = start.ruleset, title or start.title
    rules, position = find(ruleset), None
    players, numbers = pairs(given.seats, "--seat"), pairs(given.accounts, "--account")
    keys = pairs(given.keys, "--key")
    chosen, own = read_own_files(rules_from(given.settings))
    if start is not None:
        with with_path(str(begins)):
            chosen, position = {**(start.settings or {}), **chosen}, begin_with(start, own)
    faults: list[Problem] = []
    seats: tuple[str, ...] = ()
    try:
        with with_path("--set"):
            seats = rules.rules.seats(rules_at_hand(rules, chosen, own))
    except Problems as error:
        if ask:
            raise
        faults += error.problems
    terms = given.terms
    if ask:
        ask_people(seats, players, numbers, keys if rules.secrecy is not None else None)
        free = any(players.get(seat, "open") == "open" and seat not in numbers for seat in seats)
        terms = ask_terms(terms, rules, masters=archive.masters is not None, free=free)
    wanted = Wanted(
        game=game,
        rules=rules,
        title=title or game,
        opened=given.opened,
        host=host,
        host_account=host_account,
        seats=seats,
        players=players,
        accounts=numbers,
        keys=keys,
        schedule=terms.schedule,
        sealed=terms.sealed or rules.secrecy is not None,
        join=terms.join,
        open_now=given.open_now,
        gather=given.gather,
        letters=given.letters,
        words=given.words,
        names_at_end=given.names_at_end,
        standing=not given.no_standing,
        settings=chosen,
        own=own,
        begins=position,
        began=str(begins),
    )
    return wanted, faults


def _report(archive: Archive, wanted: Wanted, made: Game) -> None:
    """Show where the game is, what its host may have forgotten, and when it opens."""
    from adjudicator.core.game.join import gathers, open_seats
    from adjudicator.core.jobs.ahead import deadlines_ahead
    from adjudicator.core.jobs.seats import unplayable, without_host
    from adjudicator.core.turn.load import load_charter, load_turn

    game = wanted.game
    names = archive.turns(game)
    charter = load_charter(archive)
    show(unplayable(charter, made, load_turn(archive, made, names[-1]) if names else None))
    show(without_host(charter, made))
    if names:
        place = f"games/{game}/{names[0]}/orders/"
        say(f"Opened {made.title} in games/{game}. Sheets for {names[0]} go to {place}.", game=game, turn=names[0])
        if made.data.schedule is not None and not as_json():
            ahead = [*deadlines_ahead(archive, made, 2)]
            say("Deadlines to come, if every turn is judged at its own (`courtly schedule` prints more):")
            for line in ahead[:6]:
                say(f"  {line}")
    elif gathers(made):
        earliest = f", but not before {wanted.starts}" if wanted.starts is not None else ""
        seats = ", ".join(open_seats(made, begun=False))
        waits = f"It opens when all its open seats have been taken{earliest}: {seats}."
        say(f"Made {made.title} in games/{game}. {waits}", game=game)
    else:
        when = "when every seat in its game.yaml has a `nonce`" if wanted.gather else f"at {wanted.starts}"
        say(f"Made {made.title} in games/{game}. It opens {when}.", game=game)
