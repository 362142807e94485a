"""The command's output: lines, JSON, problems and progress, never a traceback."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.text.problems import Problem


F = TypeVar("F", bound=Callable[..., Any])


def clean_errors(command: F) -> F:
    """Turn problems and errors of the file system into clear lines and exit status 1, never a traceback."""

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


COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}


def show(problems: Iterable[Problem]) -> None:
    """Print problems on standard error, one per line; with --json, as one object on standard output."""
    problems = list(problems)
    if not problems:
        return
    if as_json():
        click.echo(defuse(json.dumps({"problems": [p.as_data() for p in problems]}, ensure_ascii=False)))
        return
    for problem in problems:
        click.echo(click.style(problem.level, fg=COLOURS[problem.level]) + f": {defuse(str(problem))}", err=True)


def as_json() -> bool:
    """True if the output is for machines."""
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().params.get("json_"))


def say(text: str, **data: Any) -> None:
    """Print one line for people, or one JSON object for machines."""
    click.echo(defuse(json.dumps(data, ensure_ascii=False) if as_json() else text))


def defuse(line: str) -> str:
    """Make a line harmless to GitHub's runner, which takes `##[x]` anywhere in a line for a command (and `::x::` at its beginning)."""
    return line.replace("##[", "##\\u005b")


T = TypeVar("T")


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Yield the items, with a progress bar if the output is a terminal."""
    if as_json() or not sys.stderr.isatty():
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)


def on_open_seats(archive: Archive, game: str) -> list[str]:
    """Lines about a game's open seats; empty for a game with a fault, which is reported elsewhere."""
    from adjudicator.core.game.join import may_join
    from adjudicator.core.jobs.doctor import seats_wanted
    from adjudicator.core.text.problems import Problems

    try:
        return seats_wanted(archive, game) if may_join(archive, game) else []
    except Problems:
        return []
