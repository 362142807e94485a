"""What workflows call."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.output import clean_errors, on_open_seats, say, show
from adjudicator.cli.root import main, open_archive

if TYPE_CHECKING:
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.forge import Forge
    from adjudicator.core.game.archive import Archive


@main.group()
def ci() -> None:
    """What the workflows run: pull requests in, deadlines kept.

    Reads GitHub's own variables (GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_EVENT_PATH).

    \b
    Example:
      courtly ci adjudicate
    """


def connect() -> tuple[Forge, Clone, Archive]:
    """GitHub, the clone and its archive, as the workflow's variables say; raises `Problems` if one is not set."""
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.github import GitHub
    from adjudicator.core.text.problems import Problem, Problems
    from adjudicator.core.turn.load import load_charter

    names = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_TOKEN")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        right = "run this in a workflow, as .github/workflows/ does"
        raise Problems(Problem("", 0, 0, f"{name} is not set", right) for name in missing)
    archive = open_archive()
    charter = load_charter(archive)
    token = os.environ["GITHUB_TOKEN"]
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    clone = Clone(archive.root, charter.branch if charter else "main", token, server)
    return GitHub(os.environ["GITHUB_API_URL"], os.environ["GITHUB_REPOSITORY"], token), clone, archive


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
    from adjudicator.core.text.problems import contain_errors, problem

    if number is None:
        try:
            event = json.loads(Path(os.environ.get("GITHUB_EVENT_PATH", "")).read_bytes())
            number = int(event["pull_request"]["number"])
        except (OSError, ValueError, KeyError, TypeError):
            raise problem("", "there is no pull request in this event", "name one with --pull") from None
    github, clone, archive = connect()
    try:
        with contain_errors(f"pull request {number}"):
            done = intake(github, clone, archive, number)
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

    github, clone, archive = connect()
    try:
        when = write_time(read_time(at)) if at else github.now
        batch = adjudicate(clone, archive, at=when, forge=github)
        for done in batch.pulls:
            say(f"Pull request {done.number} {done.what}: {done.line}", number=done.number, what=done.what)
        for step in batch.steps:
            say(f"{step.game}: {step.what} {step.phase}", game=step.game, what=step.what, turn=step.turn)
        faults = list(batch.problems)
        if batch.pushed or any(done.what == "accepted" for done in batch.pulls):
            try:
                github.publish(clone.branch)
            except Problems as error:
                faults.extend(error.problems)
        show(
            remark
            for step in batch.steps
            if step.what == "resolved"
            for remark in void_of_nothing(archive, step.game, step.turn)
        )
        show(
            remark
            for step in batch.steps
            if step.what == "opened"
            for remark in left_to_host(archive, step.game, step.turn)
        )
        if batch.pushed and (webhook := os.environ.get("COURTLY_DISCORD")):
            try:
                announce(webhook, list(announcements(archive, batch)))
            except Problems as error:
                faults.extend(error.problems)
    finally:
        github.close_pool()
    for idle in batch.waiting:
        say(str(idle), game=idle.game, turn=idle.turn, waits_since=idle.since, seats=idle.seats)
    if not batch.steps and not batch.waiting:
        say(f"Nothing is due at {when}.", at=when)
    for line in (line for game in archive.slugs() for line in on_open_seats(archive, game)):
        say(line, seats=line)
    if faults:
        show(faults)
        raise click.exceptions.Exit(1)
