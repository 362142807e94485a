"""What a host does: begin an archive and games, keys, rulings' last resorts, the state of things."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.given import pairs, rules_from
from adjudicator.cli.output import as_json, clean_errors, progress, say, show
from adjudicator.cli.root import main, open_archive, require_archive

if TYPE_CHECKING:
    from adjudicator.core.text.problems import Problem


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
    written, fresh = begin(root, title, repository, origin)
    for name in written:
        if not as_json():
            click.echo(f"wrote {name}")
    todo = "Next: `courtly keygen --master -o ../master.txt`, then `courtly new` (see the page Host)." if fresh else ""
    say(f"{len(written)} files written. {todo}".strip(), written=written, new=fresh)


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
    from adjudicator.core.game.beside import read_own_files, rules_at_hand
    from adjudicator.core.game.schedule import write_time
    from adjudicator.core.jobs.new import (
        keyless,
        new_charter,
        new_game,
        new_id,
        option_faults,
        seat_entries,
        setup_commitment,
    )
    from adjudicator.core.secrets.chance import drawn
    from adjudicator.core.text.problems import Problem, Problems, with_path

    now = datetime.now(UTC)
    archive = open_archive()
    archive.game_folder(game)
    require_archive(archive, here=here)
    if ask:
        ruleset = click.prompt("Ruleset", default=ruleset)
        title = click.prompt("Title", default=title or game)
    rules = find(ruleset)
    players, numbers, pinned = pairs(seats, "--seat"), pairs(accounts, "--account"), pairs(keys, "--key")
    chosen, own = read_own_files(rules_from(settings))
    faults: list[Problem] = []
    all_seats: tuple[str, ...] = ()
    try:
        with with_path("--set"):
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
        if archive.masters is None:
            right = "make one with `courtly keygen --master`, and give it in COURTLY_MASTER or COURTLY_MASTER_FILE"
            faults.append(Problem("", 0, 0, "a sealed game needs the archive's master secret", right))
    elif gather:
        faults.append(Problem("--gather", 0, 0, "gathering nonces needs a sealed game", "add --sealed"))
    else:
        data["seed"] = drawn(16)
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
        faults += option_faults(game, data, own)
    if faults:
        raise Problems(faults)
    archive.games.mkdir(parents=True, exist_ok=True)
    with archive.writing():
        if sealed:
            new_charter(archive)
        if gather:
            data["setup"] = setup_commitment(archive, game, data["id"])
        made = new_game(archive, game, data, own, at=None if opened else write_time(now))
    if made.foreseen:
        what = "anybody can compute its dice before a turn is judged, and choose orders by them: their seed stands in game.yaml"
        right = "for dice that no player can foresee, open it with --sealed"
        show([Problem(f"games/{game}", 0, 0, what, right, "warning")])
    names = archive.turns(game)
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
    from adjudicator.core.secrets.masters import kid_of, new_master, read_masters
    from adjudicator.core.text.problems import problem

    if master and output is not None and (repository := enclosing_repository(output)) is not None:
        right = f"keep it outside of {repository}, as with -o {os.path.relpath(repository.parent / output.name)}"
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

    archive = open_archive()
    findings = examine(archive, write_time(read_time(at) if at else datetime.now(UTC)))
    findings += [(False, f"{name} is missing: `courtly init` writes it again") for name in lost_pages(archive.root)]
    if as_json():
        click.echo(json.dumps({"findings": [{"ok": ok, "what": what} for ok, what in findings]}, ensure_ascii=False))
    else:
        for ok, what in findings:
            click.echo((click.style("fine ", fg="green") if ok else click.style("wrong", fg="red")) + f"  {what}")
    if not all(ok for ok, _ in findings):
        raise click.exceptions.Exit(1)
