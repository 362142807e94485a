"""Create and check a group's repository on GitHub: `init --github` and `doctor --github`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli.output import as_json, defuse, say

if TYPE_CHECKING:
    from adjudicator.ci.settings import Wanted
    from adjudicator.core.game.archive import Archive

MARKS = {
    "done": ("done ", "green"),
    "already": ("fine ", "green"),
    "later": ("later", "yellow"),
    "missing": ("wrong", "red"),
}


def make(root: Path, written: Sequence[str], *, private: bool) -> None:
    """Set up the archive's repository on GitHub and print each step; exit with 1 if one fails, or, without gh, after printing what to do."""
    from adjudicator.ci.settings import address
    from adjudicator.ci.setup import Gh, Setup, by_hand, plan_of, set_up
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.game.schedule import write_time

    archive = Archive(root)
    wanted = _wanted(archive, "", write_time(datetime.now(UTC)))
    gh = Gh.of(wanted.repository, os.environ)
    site = address(wanted.repository)
    if why := gh.lacking():
        steps = list(by_hand(plan_of(wanted, root, os.environ, private=private)))
        text = f"Nothing was changed on GitHub: {why}. Do this by hand, in this order, before anything is pushed (Settings and Actions are pages of the repository):"
        say("\n".join([text, *steps, f"Then the site is at {site}"]), touched=False, why=why, steps=steps, site=site)
        raise click.exceptions.Exit(1)
    lines = []
    for line in set_up(Setup(gh, archive, wanted, private, written, os.environ)):
        lines.append(line)
        if not as_json():
            mark, colour = MARKS[line.state]
            click.echo(click.style(mark, fg=colour) + f"  {defuse(str(line))}")
    well = not any(line.state == "missing" for line in lines)
    told = [{"step": line.step, "state": line.state, "what": line.what, "right": line.right} for line in lines]
    todo = (
        f"The site will be at {site} in a few minutes."
        if well
        else "Once that is fixed, run this again: it goes on from there."
    )
    if as_json():
        click.echo(defuse(json.dumps({"touched": True, "steps": told, "site": site}, ensure_ascii=False)))
    else:
        click.echo(todo)
    if not well:
        raise click.exceptions.Exit(1)


def settings(archive: Archive, repository: str, at: str) -> list[tuple[bool | None, str]]:
    """For each setting of the repository on GitHub: True if it is right, False if wrong, None if it could not be checked; and a line about it."""
    from adjudicator.ci.settings import Reader, look
    from adjudicator.ci.setup import Gh
    from adjudicator.core.game.forges import GITHUB

    wanted = _wanted(archive, repository, at)
    token = Gh.of(wanted.repository, os.environ).token()
    reader = Reader(os.environ.get("GITHUB_API_URL", GITHUB.api), wanted.repository, token)
    try:
        found: list[tuple[bool | None, str]] = [(one.ok, str(one)) for one in look(reader, wanted)]
    finally:
        reader.close_pool()
    hint = "GitHub was asked without a token: to see every setting, run `gh auth login`, or give a token in GH_TOKEN"
    return found if token else [(None, hint), *found]


def repository_of(archive: Archive, given: str | None) -> str:
    """The `given` repository, otherwise the archive's; raises `Problems` if there is none, or if its name is impossible."""
    from adjudicator.core.text.problems import problem
    from adjudicator.core.turn.load import load_charter
    from adjudicator.site.init import NAME

    charter = load_charter(archive)
    name = given or (charter.repository if charter and charter.repository else "")
    if not NAME.fullmatch(name):
        what = f"{name!r:.80} is not a repository" if name else "it is not known which repository on GitHub is meant"
        raise problem("", what, "name it as OWNER/NAME, or under `repository:` in games/archive.yaml")
    return name


def _wanted(archive: Archive, repository: str, at: str) -> Wanted:
    """The facts about the archive that the repository's settings on GitHub must match."""
    from adjudicator.ci.settings import FOLDER, Wanted, events_of
    from adjudicator.core.files.places import read_own
    from adjudicator.core.game.game import Door
    from adjudicator.core.turn.load import load_charter
    from adjudicator.site.init import WORKFLOWS
    from adjudicator.site.shipped import template

    charter = load_charter(archive)
    branch, doors = (charter.branch, charter.doors) if charter else ("main", (Door.PULLS, Door.ISSUES))
    # The workflows in the archive, which GitHub has as well; for a missing one, the file that `init` would write.
    own = {name: archive.root / FOLDER / name for name in WORKFLOWS}
    files = {
        name: archive.files.read(path) if archive.files.is_file(path) else read_own(template() / FOLDER / name)
        for name, path in own.items()
    }
    starts = {name: events_of(body, name) for name, body in files.items()}
    return Wanted(repository_of(archive, repository), branch, starts, at, doors)
