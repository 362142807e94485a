"""Commands for a host: begin an archive and games, make keys, rulings of last resort, and checks."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.asking import Terms, ask_game, ask_people, ask_terms
from adjudicator.cli.given import pairs, rules_from
from adjudicator.cli.output import as_json, clean_errors, progress, say, show
from adjudicator.cli.root import main, open_archive, require_archive

if TYPE_CHECKING:
    from adjudicator.core.text.problems import Problem


@main.command()
@click.option("--title", help="What the site is called (default: Our games).")
@click.option("--repository", metavar="OWNER/NAME", help="Where the repository will live on GitHub.")
@click.option(
    "--from", "origin", metavar="git+https://...@COMMIT", help="What the workflows install (default: what runs here)."
)
@click.option("--verbose", is_flag=True, help="Name every file that is written or removed.")
@click.option(
    "--github", is_flag=True, help="Make the repository on GitHub too, with all its settings, by the program gh."
)
@click.option(
    "--public/--private",
    default=True,
    show_default=True,
    help="With --github: environments, Pages and minutes for schedules cost nothing where everybody can read.",
)
@clean_errors
def init(
    title: str | None, repository: str | None, origin: str | None, *, verbose: bool, github: bool, public: bool
) -> None:
    """Make a repository for a group's games here: workflows, site, archive. Again, it brings them up to date.

    After an update of courtly, `courtly init` has the workflows install the one that runs here, each package by its hash, and removes
    copies of pages and scripts that an older courtly put here: they come with the package.

    With --github the repository is made on GitHub too, set up and pushed, by the program gh. Again, that does what is still missing;
    without gh it prints what to click and type.

    \b
    Example:
      mkdir our-games && cd our-games
      courtly init --title "Our games" --repository anna/our-games --github
      courtly init --from git+https://github.com/anna/courtly@1f0c...   # a fork, at one commit
    """
    from adjudicator.core.contract.words import many
    from adjudicator.core.files.places import named
    from adjudicator.site.init import init as begin

    root = Path(click.get_current_context().find_root().params["folder"]).absolute()
    if github and repository is None:
        from adjudicator.cli.github import repository_of
        from adjudicator.core.game.archive import Archive

        repository_of(Archive(root), repository)  # before anything is written
    files, place = named(root / "games")
    files.make(place.parent)
    made = begin(root, title, repository, origin)
    if not as_json():
        for name in made.written if verbose else ():
            click.echo(f"wrote {name}")
        for name in made.removed if verbose else ():
            click.echo(f"removed {name}")
        if made.other:
            rest = "differ from those that come with courtly, and were left. What you did not write yourself, remove: git rm"
            click.echo(f"{', '.join(made.other)} {rest} {' '.join(made.other)}", err=True)
    done = [
        f"{many(len(names), 'file')} {word}"
        for names, word in ((made.written, "written"), (made.removed, "removed"))
        if names
    ]
    text = f"{', '.join(done)}." if done else "Nothing to write: all of it is up to date."
    text += f" The workflows install {made.pin}." if made.written else ""
    text += f" {made.remark}" if made.remark else ""
    if made.new and not github:
        text += " Next: `courtly init --github` puts it on GitHub. Without GitHub: `courtly keygen --master -o ../master.txt`, then "
        text += "`courtly new` (see the page Host)."
    say(
        text,
        written=made.written,
        removed=made.removed,
        other=made.other,
        pin=made.pin,
        remark=made.remark,
        new=made.new,
    )
    if github:
        from adjudicator.cli.github import make

        make(root, [*made.written, *made.removed], private=not public)


@main.command()
@click.argument("game")
@click.option("--ruleset", default="diplomacy", show_default=True, help="Which game to play.")
@click.option("--title", help="The game's title (default: its name).")
@click.option(
    "--opened",
    metavar="DAY",
    help="The day it opens, from whose beginning deadlines count, as 2026-11-20 (default: now).",
)
@click.option("--host", metavar="NAME", help="Who hosts the game.")
@click.option("--host-account", metavar="NUMBER", help="The account whose pull requests may bring rulings.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT=PLAYER", help="Who plays a seat; once for each seat.")
@click.option("--account", "accounts", multiple=True, metavar="SEAT=NUMBER", help="The account that plays a seat.")
@click.option("--key", "keys", multiple=True, metavar="SEAT=KEY", help="The age or SSH key for a seat's private news.")
@click.option("--turn", "length", metavar="3d", help="How long a turn stays open (default: no deadlines).")
@click.option("--zone", metavar="ZONE", help="The time zone of deadlines, as Europe/Berlin (default: UTC).")
@click.option("--hour", "hour", metavar="18:00", help="The time of day at which deadlines fall.")
@click.option(
    "--day-off", "days_off", multiple=True, metavar="DAY", help="A day of the week that does not count, as Sunday."
)
@click.option("--holiday", "holidays", multiple=True, metavar="DAY", help="A day that does not count, as 2026-12-24.")
@click.option(
    "--phase",
    "phases",
    multiple=True,
    metavar="KIND=LENGTH",
    help="How long turns of one kind stay open, as retreats=1d.",
)
@click.option("--starts", metavar="TIME", help="When the first turn opens at the earliest, as 2026-12-01T18:00Z.")
@click.option("--grace", metavar="12h", help="How long missing sheets are waited for after a deadline.")
@click.option(
    "--missing",
    type=click.Choice(["hold", "civil_disorder", "host"]),
    help="What happens when a sheet is missing (default: hold).",
)
@click.option("--sealed", is_flag=True, help="Sheets may be sealed; the dice come from the archive's master secret.")
@click.option(
    "--join",
    type=click.Choice(["first", "ask", "preference"]),
    help="Let people take open seats by pull request, ask you for them, or rank them and have them drawn; the game opens "
    "when all are taken.",
)
@click.option("--open-now", is_flag=True, help="Open the first turn at once, though people can still join.")
@click.option("--gather", is_flag=True, help="Open the first turn only when every player has given a nonce.")
@click.option("--ask", is_flag=True, help="Ask for all of these, one question after the other.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule, such as board=fleet_rome.")
@click.option(
    "--from",
    "begins",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A position to begin with, as a table in the browser hands it out, with its ruleset and house rules.",
)
@click.option("--here", is_flag=True, help="Begin an archive in this folder, if there is none.")
@clean_errors
def new(
    game: str,
    ruleset: str,
    title: str | None,
    opened: str | None,
    host: str | None,
    host_account: str | None,
    seats: tuple[str, ...],
    accounts: tuple[str, ...],
    keys: tuple[str, ...],
    length: str | None,
    zone: str | None,
    hour: str | None,
    days_off: tuple[str, ...],
    holidays: tuple[str, ...],
    phases: tuple[str, ...],
    starts: str | None,
    grace: str | None,
    missing: str | None,
    sealed: bool,
    join: str | None,
    open_now: bool,
    gather: bool,
    ask: bool,
    settings: tuple[str, ...],
    begins: Path | None,
    here: bool,
) -> None:
    """Open a new game: its game.yaml, and its first turn with a map.

    A game goes into the archive of this folder, or of the one that -C names. `courtly init` makes an archive with all that
    pull requests and a site need; --here begins a bare one. A game that people can join (--join) gets its first turn, and
    its clock starts, with the run after the last seat was taken.

    \b
    Example:
      courtly new summer-2026 --title "The summer game" --turn 3d \\
          --seat Austria=Anna --seat England=Ben --set board=fleet_rome
      courtly new coast --ruleset grand_campaign --sealed --set placing=in-turns
      courtly new what-if --from fall-1905.yaml
    """
    from datetime import UTC, datetime

    from adjudicator.core.contract.ruleset import find
    from adjudicator.core.game.beside import read_own_files, rules_at_hand
    from adjudicator.core.game.game import Joining
    from adjudicator.core.game.join import gathers, open_seats
    from adjudicator.core.game.schedule import Schedule, write_time
    from adjudicator.core.jobs.case import begin_with, read_start
    from adjudicator.core.jobs.new import (
        draw_commitment,
        keyless,
        new_charter,
        new_game,
        new_id,
        number_faults,
        open_now_faults,
        option_faults,
        seat_entries,
        setup_commitment,
    )
    from adjudicator.core.jobs.seats import unplayable, without_host
    from adjudicator.core.secrets.chance import drawn
    from adjudicator.core.text.problems import Problem, Problems, with_path
    from adjudicator.core.turn.load import load_charter, load_turn

    now = datetime.now(UTC)
    archive = open_archive()
    archive.game_folder(game)
    require_archive(archive, here=here)
    if ask:
        ruleset, title, host, host_account = ask_game(ruleset, title or game, host, host_account)
    start = read_start(begins) if begins is not None else None
    if start is not None:
        ruleset, title = start.ruleset, title or start.title
    rules = find(ruleset)
    players, numbers, pinned = pairs(seats, "--seat"), pairs(accounts, "--account"), pairs(keys, "--key")
    chosen, own = read_own_files(rules_from(settings))
    if start is not None:
        with with_path(str(begins)):
            chosen, position = {**(start.settings or {}), **chosen}, begin_with(start, own)
    faults: list[Problem] = []
    all_seats: tuple[str, ...] = ()
    try:
        with with_path("--set"):
            all_seats = rules.rules.seats(rules_at_hand(rules, chosen, own))
    except Problems as error:
        if ask:
            raise
        faults += error.problems
    terms = Terms(sealed, length, zone, hour, days_off, holidays, grace, missing, join, phases, starts)
    if ask:
        ask_people(all_seats, players, numbers, pinned if rules.secrecy is not None else None)
        free = any(players.get(seat, "open") == "open" and seat not in numbers for seat in all_seats)
        terms = ask_terms(terms, rules, masters=archive.masters is not None, free=free)
    sealed, join = terms.sealed, terms.join
    sealed = sealed or rules.secrecy is not None
    data: dict[str, Any] = {
        "ruleset": rules.about.slug,
        "title": title or game,
        "opened": opened or now.strftime("%Y-%m-%d"),
        "seats": {},
    }
    if sealed:
        data = {"ruleset": data.pop("ruleset"), "id": new_id(), **data, "sealed": True}
        if archive.masters is None:
            right = "make one with `courtly keygen --master`, and give it in COURTLY_MASTER or COURTLY_MASTER_FILE"
            faults.append(Problem("", 0, 0, "a sealed game needs the archive's master secret", right))
    elif gather:
        faults.append(Problem("--gather", 0, 0, "gathering nonces needs a sealed game", "add --sealed"))
    else:
        data["seed"] = drawn(16)
    if host:
        data["host"] = host
    if host_account:
        faults += (wrong := number_faults("--host-account", host_account))
        data |= {} if wrong else {"host_account": int(host_account)}
    schedule = terms.schedule
    if schedule:
        data["schedule"] = schedule
    if join:
        data["join"] = join
    if open_now:
        faults += open_now_faults(rules, join, Schedule(starts=terms.starts), setup=gather)
    if all_seats:
        try:
            data["seats"] = seat_entries(all_seats, players, numbers, pinned)
        except Problems as error:
            faults += error.problems
            data["seats"] = seat_entries(
                all_seats, {}, {}, {seat: key for seat, key in pinned.items() if seat in all_seats}
            )
        if rules.secrecy is not None and not gather and not join:
            faults += keyless(all_seats, pinned)
        if chosen:
            data["settings"] = chosen
        if start is not None:
            data["begins"] = position
        found = option_faults(game, data, own)
        # A wrong position is a fault in the file that was named: the other does not exist yet.
        beside = f"games/{game}/{data.get('begins')}"
        faults += [replace(one, path=str(begins), line=0, column=0) if one.path == beside else one for one in found]
    if faults:
        raise Problems(faults)
    archive.begin()
    with archive.writing():
        if sealed:
            new_charter(archive)
        if gather:
            data["setup"] = setup_commitment(archive, game, data["id"])
        if join == Joining.PREFERENCE and sealed:
            data["draw"] = draw_commitment(archive, game, data["id"])
        made = new_game(archive, game, data, own, at=None if opened else write_time(now), open_now=open_now)
    if made.foreseen:
        what = "anybody can compute its dice before a turn is judged, and choose orders by them: their seed stands in game.yaml"
        right = "for dice that no player can foresee, open it with --sealed"
        show([Problem(f"games/{game}", 0, 0, what, right, "warning")])
    if join == Joining.PREFERENCE and not sealed:
        what = "anybody can compute the draw of its seats, and whoever sends the last wish can choose by it: the seed stands in game.yaml"
        right = "for a draw that nobody can foresee, open it with --sealed"
        show([Problem(f"games/{game}", 0, 0, what, right, "warning")])
    names = archive.turns(game)
    charter = load_charter(archive)
    show(unplayable(charter, made, load_turn(archive, made, names[-1]) if names else None))
    show(without_host(charter, made))
    if gathers(made) and not names:
        earliest = f", at {terms.starts} at the earliest" if terms.starts is not None else ""
        waits = f"It opens when people have joined all its open seats{earliest}: {', '.join(open_seats(made, begun=False))}."
        say(f"Made {made.title} in games/{game}. {waits}", game=game)
        return
    if not names:
        when = f"at {terms.starts}" if not gather else "when every seat in its game.yaml has a `nonce`"
        say(f"Made {made.title} in games/{game}. It opens {when}.", game=game)
        return
    say(
        f"Opened {made.title} in games/{game}. Sheets for {names[0]} go to games/{game}/{names[0]}/orders/.",
        game=game,
        turn=names[0],
    )


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
    from adjudicator.core.game.archive import enclosing_repository
    from adjudicator.core.secrets.age import new_identity, recipient_of
    from adjudicator.core.secrets.masters import keep, master_file, new_master
    from adjudicator.core.text.problems import problem

    if master and output is not None and (repository := enclosing_repository(output)) is not None:
        right = f"keep it outside of {repository}, as with -o {os.path.relpath(repository.parent / output.name)}"
        raise problem(str(output), "the next push could publish the master secret from here", right)
    if master:
        body, name = master_file(new_master())
        public = f"Its name is {name}."
    else:
        identity = new_identity()
        body, public = f"# public key: {recipient_of(identity)}\n{identity}\n", f"Public key: {recipient_of(identity)}"
    if output is None:
        if as_json():
            say("", secret=body.splitlines()[1], public=public.split()[-1].rstrip("."))
        else:
            click.echo(body, nl=False)
        return
    keep(output, body)
    say(f"{output}: keep it secret. {public}", path=str(output), public=public.split()[-1].rstrip("."))


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
    from adjudicator.core.game.game import START
    from adjudicator.core.jobs.upgrade import upgrade_of, write_upgrade
    from adjudicator.core.text.problems import Problems

    archive = open_archive()
    for game in games:
        archive.turns(game)
    faults: list[Problem] = []
    turns = maps = sealed = starts = 0
    reason = reason.strip() if reason is not None else None
    if reason == "":
        raise click.UsageError("the reason is empty: it stands on the turns' pages")
    with archive.writing():
        for game in progress(list(dict.fromkeys(games)) or archive.slugs(), "Judging"):
            try:
                changes = upgrade_of(archive, game)
                if reason is not None:
                    write_upgrade(archive, changes, reason)
                else:
                    show(changes.turns.values())
            except Problems as error:
                faults.extend(error.problems)
                continue
            otherwise = START in changes.turns
            starts, turns = starts + otherwise, turns + len(changes.turns) - otherwise
            maps, sealed = maps + len(changes.maps), sealed + changes.sealed
    what = "now stand as played" if reason else "are judged otherwise today"
    drawn = "were drawn anew" if reason else "are drawn otherwise"
    begun = (
        f" {starts} games {'now stand as they were begun' if reason else 'would be begun otherwise today'}."
        if starts
        else ""
    )
    hint = "" if reason or not turns + maps + starts else " With --reason they are let stand, and the maps drawn anew."
    shut = f" {sealed} turns are sealed, and were not judged: give the master secret." if sealed else ""
    text = f"{turns} turns {what}, {maps} maps {drawn}.{begun}{shut}{hint}"
    say(text, turns=turns, maps=maps, starts=starts, sealed=sealed, written=reason is not None)
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

    archive = open_archive()
    when = write_time(read_time(at) if at else datetime.now(UTC))
    with archive.writing():
        for step in undo_turn(archive, game, reason, when):
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

    archive = open_archive()
    with archive.writing():
        steps = list(publish(archive, game))
    for step in steps:
        say(f"{step.game}: revealed {step.phase}", game=step.game, turn=step.turn)
    if not steps:
        say("Everything is revealed already.", steps=0)


@main.command()
@click.option("--at", metavar="TIME", help="Take this for the time (default: the clock).")
@click.option(
    "--github",
    is_flag=False,
    flag_value="",
    metavar="[OWNER/NAME]",
    help="Look at the repository's settings on GitHub too (default: the one that archive.yaml names).",
)
@click.option(
    "--site",
    "place",
    metavar="FOLDER|ADDRESS",
    help="Look at a built or published site only: whether its order desk is this package's.",
)
@clean_errors
def doctor(at: str | None, github: str | None, place: str | None) -> None:
    """Look at this machine and this archive, and say what is missing or odd.

    With --github it asks GitHub as well, with the token in GITHUB_TOKEN or GH_TOKEN, or that of `gh auth token`. An administrator's
    token sees every setting; what another one does not see is marked with a question mark, and is no fault.

    With --site it compares the order desk of a site, with all its scripts, with the one in this package, byte for byte.

    \b
    Example:
      courtly doctor
      courtly doctor --github
      courtly doctor --site public
      courtly doctor --site https://anna.github.io/our-games/
    """
    from datetime import UTC, datetime

    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.doctor import examine
    from adjudicator.site.init import lost_pages, old_workflows
    from adjudicator.site.shipped import copies, digest, examine_site

    findings: list[tuple[bool | None, str]]
    if place is not None:
        findings = [*examine_site(place)]
    else:
        archive = open_archive()
        when = write_time(read_time(at) if at else datetime.now(UTC))
        findings = [(True, f"the order desk of this package is {digest()}"), *examine(archive, when)]
        findings += [(False, f"{name} is missing: `courtly init` writes it again") for name in lost_pages(archive.root)]
        findings += [(False, line) for line in old_workflows(archive.root)]
        findings += [(ok, str(remark)) for ok, remark in copies(archive.root)]
        if github is not None:
            from adjudicator.cli.github import settings

            findings += settings(archive, github, when)
    if as_json():
        lines = [{"ok": ok, "what": what} for ok, what in findings]
        click.echo(json.dumps({"findings": lines, "desk": digest()}, ensure_ascii=False))
    else:
        for ok, what in findings:
            mark, colour = {True: ("fine ", "green"), False: ("wrong", "red"), None: ("?    ", "yellow")}[ok]
            click.echo(click.style(mark, fg=colour) + f"  {what}")
    if any(ok is False for ok, _ in findings):
        raise click.exceptions.Exit(1)
