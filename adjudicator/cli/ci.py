"""Commands for workflows."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.output import clean_errors, on_open_seats, say, show
from adjudicator.cli.root import archive_folder, main, open_archive

if TYPE_CHECKING:
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.forge import Forge
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.game.game import Door


@main.group()
def ci() -> None:
    """Commands for workflows: take sheets in, and judge turns at their deadlines.

    They read GitHub's own variables (GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_EVENT_PATH), which Forgejo sets too. If the
    API's address ends in /api/v1, the forge is Forgejo.

    \b
    Example:
      courtly ci adjudicate
    """


def connect(*, secret: bool) -> tuple[Forge, Clone, Archive]:
    """The forge, the clone and its archive, from the workflow's variables; raises `Problems` if one is not set.

    Only with `secret` does the archive get the master secret, if the environment has one.
    """
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.forgejo import Forgejo
    from adjudicator.ci.github import GitHub
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.game.forges import DEFAULT, FORGEJO, kind_of
    from adjudicator.core.game.game import CHARTER
    from adjudicator.core.text.problems import Problem, Problems
    from adjudicator.core.turn.load import load_charter

    names = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_TOKEN")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        right = "run this in a workflow, like those in .github/workflows/"
        raise Problems(Problem("", 0, 0, f"{name} is not set", right) for name in missing)
    archive = open_archive() if secret else Archive(archive_folder())
    charter = load_charter(archive)
    token = os.environ["GITHUB_TOKEN"]
    server = os.environ.get("GITHUB_SERVER_URL", DEFAULT)
    clone = Clone(archive.root, charter.branch if charter else "main", token, server)
    api, repository = os.environ["GITHUB_API_URL"], os.environ["GITHUB_REPOSITORY"]
    if not api.rstrip("/").endswith("/api/v1"):
        query = os.environ.get("GITHUB_GRAPHQL_URL", "")
        return GitHub(api, repository, token, query=query), clone, archive
    if charter is not None and kind_of(charter.forge) is not FORGEJO:
        what = f"this runs on Forgejo, but the archive says that its forge is {charter.forge}"
        raise Problems([Problem(CHARTER, 0, 0, what, f"add the line `forge: {server}`: all links are built from it")])
    return Forgejo(api, repository, token, clone), clone, archive


@ci.command("intake")
@click.option("--pull", type=click.IntRange(1), help="The pull request (default: the event's).")
@click.option("--issue", type=click.IntRange(1), help="The issue (default: the event's).")
@clean_errors
def ci_intake(pull: int | None, issue: int | None) -> None:
    """Check one pull request or issue: take its sheet in, or say why not. Needs no secret except the job's own token.

    \b
    Example:
      courtly ci intake --pull 12
    """
    from adjudicator.ci.intake import SOURCES, intake
    from adjudicator.core.game.game import Door
    from adjudicator.core.text.problems import contain_errors

    if pull is not None and issue is not None:
        raise click.UsageError("name a pull request or an issue, not both")
    if pull is None and issue is None:
        number, door = _event()
    else:
        number, door = (pull, Door.PULLS) if pull is not None else (issue or 0, Door.ISSUES)
    forge, clone, archive = connect(secret=False)
    try:
        with contain_errors(f"{SOURCES[door]} {number}"):
            done = intake(forge, clone, archive, number, door)
    finally:
        forge.close_pool()
    say(str(done), number=done.number, door=done.door, what=done.what, line=done.line, calls=forge.calls)


def _event() -> tuple[int, Door]:
    """The number of the event's pull request or issue, and which of the two it is; raises `Problems` if it is neither."""
    from adjudicator.core.files.places import read_named
    from adjudicator.core.game.game import Door
    from adjudicator.core.text.problems import problem

    try:
        event = json.loads(read_named(Path(os.environ.get("GITHUB_EVENT_PATH", "")), follow=True))
        if "pull_request" in event:
            return int(event["pull_request"]["number"]), Door.PULLS
        return int(event["issue"]["number"]), Door.ISSUES
    except (OSError, ValueError, KeyError, TypeError):
        what = "this event has neither a pull request nor an issue"
        raise problem("", what, "name one with --pull or --issue") from None


@ci.command("catch-up")
@click.option("--most", type=click.IntRange(1, 200), help="Answer at most this many requests in this run.")
@clean_errors
def ci_catch_up(most: int | None) -> None:
    """Answer all open pull requests and issues, even if their events were lost. Needs no secret except the job's own token.

    \b
    Example:
      courtly ci catch-up
    """
    from adjudicator.ci.catch_up import MOST_ANSWERS, catch_up

    forge, clone, archive = connect(secret=False)
    try:
        caught = catch_up(forge, clone, archive, most=most or MOST_ANSWERS)
    finally:
        forge.close_pool()
    for done in caught.outcomes:
        say(str(done), number=done.number, door=done.door, what=done.what, line=done.line)
    if not caught.outcomes and not caught.problems:
        say("Everything that is open has been answered.")
    if caught.problems:
        show(caught.problems)
        if any(fault.level == "error" for fault in caught.problems):
            raise click.exceptions.Exit(1)


@ci.command("adjudicate")
@click.option("--at", metavar="TIME", help="Use this as the current time (default: the server's clock).")
@clean_errors
def ci_adjudicate(at: str | None) -> None:
    """Judge what is due by the server's clock, answer sheets that do not open, push, and start the workflow that publishes the site.

    \b
    Example:
      courtly ci adjudicate
    """
    from adjudicator.ci.adjudicate import adjudicate
    from adjudicator.ci.channels import announce, listed_in, news
    from adjudicator.ci.intake import PAGES
    from adjudicator.core.game.schedule import read_time, write_time
    from adjudicator.core.jobs.voids import not_counted, void_of_nothing
    from adjudicator.core.jobs.waiting import left_to_host
    from adjudicator.core.text.problems import Problems, problem

    forge, clone, archive = connect(secret=True)
    try:
        when = write_time(read_time(at)) if at else forge.now
        if read_time(when) > read_time(forge.now):
            what = f"{when} is in the future: it is {forge.now} by the server's clock"
            raise problem("--at", what, "leave out --at, or wait")
        batch = adjudicate(clone, archive, at=when, forge=forge)
        for step in batch.steps:
            say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
        for path in batch.unopened:
            say(f"{path} cannot be opened; its author can send another.", unopened=path)
        faults = list(batch.problems)
        if batch.pushed and (batch.unopened or any(step.what != "reminded" for step in batch.steps)):
            try:
                forge.start(PAGES, clone.branch)
            except Problems as error:
                faults.extend(error.problems)
        show(
            remark
            for step in batch.steps
            if step.what == "resolved"
            for remark in (
                *void_of_nothing(archive, step.game, step.turn),
                *not_counted(archive, step.game, step.turn),
            )
        )
        show(
            remark
            for step in batch.steps
            if step.what == "opened"
            for remark in left_to_host(archive, step.game, step.turn)
        )
        if batch.pushed:
            listed, wrong = listed_in(os.environ)
            faults.extend(wrong)
            try:
                faults.extend(announce(listed, list(news(archive, batch, when))))
            except Problems as error:  # the turns are judged and pushed all the same
                faults.extend(error.problems)
    finally:
        forge.close_pool()
    for idle in batch.waiting:
        say(str(idle), game=idle.game, turn=idle.turn, waits_since=idle.since, seats=idle.seats)
    for line in batch.held:
        say(f"{line}.", held=line)
    if not batch.steps and not batch.waiting and not batch.held and not batch.due:
        say(f"Nothing is due at {when}.", at=when)
    for line in (line for game in archive.slugs() for line in on_open_seats(archive, game)):
        say(line, seats=line)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)
