"""Options of commands with bulk work: the number of processes, or the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from adjudicator.core.jobs.engine import Engine


def bulk(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of bulk work to a command."""
    jobs = click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes to use (default: all cores).")
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use a Dask cluster instead: the address of its scheduler, such as tcp://10.0.0.1:8786.",
    )
    return jobs(scheduler(command))


def engine(jobs: int | None, scheduler: str | None, most: int | None = None) -> Engine:
    """The engine for bulk work that these options select; `most` is the number of things to do, if it is known."""
    from adjudicator.core.jobs.engine import on_cluster, on_cores

    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs has no effect with --scheduler, which knows its workers: leave --jobs out")
    return on_cluster(scheduler) if scheduler is not None else on_cores(jobs, most)
