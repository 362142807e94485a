"""The `courtly` command itself: the options that all commands share, and the archive that they work in."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator import __version__

if TYPE_CHECKING:
    from adjudicator.core.game.archive import Archive


ROOMS = ("ci", "exchange", "host", "moving", "new", "play", "run", "series", "site")
"""Modules with commands. They import this module, so it can load them only by name, when a command is needed."""


class Courtly(click.Group):
    """A group that loads its commands when the first one is needed: `--version` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, in alphabetical order."""
        _meet()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name; None if it is unknown."""
        _meet()
        return super().get_command(ctx, cmd_name)


def _meet() -> None:
    """Load every module with commands, which adds them to `main`."""
    for room in ROOMS:
        import_module(f"adjudicator.cli.{room}")


def open_archive() -> Archive:
    """The archive the command works in, with its master secrets if the environment has them."""
    from adjudicator.core.game.archive import Archive

    masters = None
    if os.environ.get("COURTLY_MASTER") or os.environ.get("COURTLY_MASTER_FILE"):
        from adjudicator.core.secrets.masters import masters_from

        masters = masters_from(os.environ)
    return Archive(archive_folder(), masters)


def archive_folder() -> Path:
    """The folder the command works in."""
    return Path(click.get_current_context().find_root().params["folder"]).absolute()


def require_archive(archive: Archive, *, here: bool) -> None:
    """Raise `Problems` if the archive does not exist and neither --here nor a named folder allows a new one."""
    from adjudicator.core.files.disk import Disk
    from adjudicator.core.text.problems import problem

    root = click.get_current_context().find_root()
    named = root.get_parameter_source("folder") is click.core.ParameterSource.COMMANDLINE
    if here or named or archive.files.is_folder(archive.games):
        return
    above = next((folder for folder in archive.root.parents if Disk(folder).is_folder(folder / "games")), None)
    right = "`courtly init` makes one; --here begins a bare one in this folder; -C FOLDER names another"
    raise problem(
        str(archive.games), "there is no archive here", f"there is one in {above}: add -C {above}" if above else right
    )


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version, and the commit if pip recorded it."""
    if not wanted or context.resilient_parsing:
        return
    from adjudicator.core.jobs.pin import installed

    pin = installed()
    click.echo(f"courtly {__version__}" + (f", {pin}" if pin is not None and pin.commit else ""))
    context.exit()


@click.group(cls=Courtly, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version, and exit."
)
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
