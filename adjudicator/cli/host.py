"""Commands for a host: begin a repository, make and publish keys, keep turns after an update, put turns back, check the setup."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.output import as_json, clean_errors, progress, say, show
from adjudicator.cli.root import main, open_archive

if TYPE_CHECKING:
    from adjudicator.core.text.problems import Problem


@main.command()
@click.option("--title", help="The site's title (default: Our games).")
@click.option("--repository", metavar="OWNER/NAME", help="Where the repository will live on GitHub.")
@click.option(
    "--from",
    "origin",
    metavar="git+https://...@COMMIT",
    help="The version of courtly that workflows install (default: this one).",
)
@click.option("--verbose", is_flag=True, help="Name every file that is written or removed.")
@click.option(
    "--github", is_flag=True, help="Make the repository on GitHub too, with all its settings, using the program gh."
)
@click.option(
    "--public/--private",
    default=True,
    show_default=True,
    help="With --github: who can read it. Environments, Pages and minutes for schedules are free only if it is public.",
)
@clean_errors
def init(
    title: str | None, repository: str | None, origin: str | None, *, verbose: bool, github: bool, public: bool
) -> None:
    """Make a repository for a group's games here: workflows, site, archive. If you run it again, it brings them up to date.

    After an update of courtly, `courtly init` makes the workflows install the version that runs here, each package by its hash. It also
    removes copies of pages and scripts that an older version put here: these now come with the package.

    With --github, it makes the repository on GitHub too, sets it up and pushes, using the program gh. If you run it again, it does what is
    still missing. Without gh, it prints what to click and type.

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
            rest = "differ from those that come with courtly, and were left alone. Remove what you did not write yourself: git rm"
            click.echo(f"{', '.join(made.other)} {rest} {' '.join(made.other)}", err=True)
    done = [
        f"{many(len(names), 'file')} {word}"
        for names, word in ((made.written, "written"), (made.removed, "removed"))
        if names
    ]
    text = f"{', '.join(done)}." if done else "Nothing to write: everything is up to date."
    text += f" The workflows install {made.pin}." if made.written else ""
    text += f" {made.remark}" if made.remark else ""
    if made.new and not github:
        text += " Next: `courtly init --github` puts it on GitHub. Without GitHub: `courtly keygen --master -o ../master.txt`, then "
        text += "`courtly new` (see the Host page)."
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
@click.option("--master", is_flag=True, help="Make the archive's master secret instead of a player's key.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this new file.")
@clean_errors
def keygen(master: bool, output: Path | None) -> None:
    """Make a player's key for private news, or with --master the secret that an archive's keys come from.

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
        right = f"keep it outside {repository}, such as with -o {os.path.relpath(repository.parent / output.name)}"
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
@click.argument("game")
@click.option("--weeks", type=click.IntRange(1, 104), default=6, show_default=True, help="How far to look ahead.")
@clean_errors
def schedule(game: str, weeks: int) -> None:
    """Print a game's deadlines to come, in the zone of its schedule.

    They assume that every turn is judged at its deadline. Where a kind of turn, such as retreats, has another rhythm, the list also says when
    such a turn would be due.

    \b
    Example:
      courtly schedule summer-2026 --weeks 8
    """
    from adjudicator.core.jobs.ahead import deadlines_ahead
    from adjudicator.core.turn.load import load_game

    archive = open_archive()
    archive.game_folder(game)
    for line in deadlines_ahead(archive, load_game(archive, game), weeks):
        say(line, line=line)


@main.command()
@click.argument("games", nargs=-1)
@click.option(
    "--reason",
    metavar="TEXT",
    help="Keep these turns as they were played: list them under `as_played` with this reason, and draw maps again.",
)
@clean_errors
def upgrade(games: tuple[str, ...], reason: str | None) -> None:
    """After an update of courtly: show which judged turns today's rules judge differently; with a reason, keep them as they were played.

    \b
    Example:
      courtly upgrade
      courtly upgrade --reason "played by the rules of courtly 0.1"
    """
    from adjudicator.core.contract.words import many
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
        raise click.UsageError("the reason is empty, but the turns' pages show it: give one")
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
    judged, drawn, begun = (
        ("Now kept as played", "drawn again", "Now kept as begun")
        if reason
        else ("Judged differently today", "drawn differently", "Begun differently today")
    )
    text = f"{judged}: {many(turns, 'turn')}; {drawn}: {many(maps, 'map')}."
    text += f" {begun}: {many(starts, 'game')}." if starts else ""
    text += f" Not judged without the master secret: {many(sealed, 'sealed turn')}." if sealed else ""
    if not reason and turns + maps + starts:
        text += " With --reason they are kept as they were played, and the maps are drawn again."
    say(text, turns=turns, maps=maps, starts=starts, sealed=sealed, written=reason is not None)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("game")
@click.option("--reason", required=True, metavar="TEXT", help="Why: the turn's page shows it.")
@click.option("--at", metavar="TIME", help="Use this as the current time (default: the clock).")
@clean_errors
def undo(game: str, reason: str, at: str | None) -> None:
    """Put a game's latest judged turn back, to be played again. This is a ruling like any other, and everybody can read it.

    The judged turn and the open one after it are kept in games/GAME/undone/, with everything that was sent. The turn opens again
    with new keys, so players must send their sheets again.

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
    """Publish the keys of a finished game with hidden information (the run that ends a game does this too).

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
        say("Everything has already been revealed.", steps=0)


@main.command()
@click.option("--at", metavar="TIME", help="Use this as the current time (default: the clock).")
@click.option(
    "--github",
    is_flag=False,
    flag_value="",
    metavar="[OWNER/NAME]",
    help="Also check the settings of the repository on GitHub (default: the one that archive.yaml names).",
)
@click.option(
    "--site",
    "place",
    metavar="FOLDER|ADDRESS",
    help="Check only a built or published site: whether its order desk is the one in this package.",
)
@clean_errors
def doctor(at: str | None, github: str | None, place: str | None) -> None:
    """Check this machine and this archive, and show what is missing or wrong.

    With --github it asks GitHub as well, with the token in GITHUB_TOKEN or GH_TOKEN, or that of `gh auth token`. An administrator's
    token sees every setting; one that another token cannot see is marked with a question mark, and does not count as a fault.

    With --site it compares a site's order desk and all its scripts, byte for byte, with those in this package.

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
        findings = [(True, f"the digest of this package's order desk is {digest()}"), *examine(archive, when)]
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
