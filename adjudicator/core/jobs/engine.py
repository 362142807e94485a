"""Run bulk work in this process, on all cores, or on the machines of a Dask cluster. Results keep the order of the input.

The same function runs everywhere, with the same results. If a process or a machine dies, nothing is lost: its unanswered work is done
again.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from adjudicator.core.secrets.masters import masters_from
from adjudicator.core.text.problems import problem

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4
"""Pieces of work per worker in progress at a time: enough to keep it busy, few enough to hold in memory."""
TRIES = 3
"""Number of times a piece of work is begun before it is blamed for its workers' deaths."""
PATIENCE = 2.0
"""Seconds between checks that a cluster's scheduler is still there."""
GONE = 5
"""The scheduler counts as lost after this many failed checks in a row."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Engine(Protocol):
    """A function that applies a function to many things."""

    def __call__(self, function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        """Apply the function to each of the things; the results are in the order of the things."""


def alone(function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
    """Apply the function in this process."""
    return map(function, things)


def on_cores(jobs: int | None = None, most: int | None = None) -> Engine:
    """An engine with `jobs` processes, by default one per core, but no more than `most`; if that is one, it works in this process."""
    number = jobs or cores()
    if most is not None:
        number = min(number, most)
    if number <= 1:
        return alone

    def run(function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        from concurrent.futures import ProcessPoolExecutor  # only here: it takes long to load

        def close(pool: Executor) -> None:
            pool.shutdown(wait=False, cancel_futures=True)

        return _in_order(lambda: ProcessPoolExecutor(number), close, number, function, things)

    return run


def on_cluster(address: str) -> Engine:
    """An engine on the Dask cluster with the scheduler at this address, such as `tcp://10.0.0.1:8786`; raises `Problems` if none answers.

    `pip install 'courtly[dask]'` installs the dependencies. The workers need the same version of this package and must see the same files.
    If a master secret is available, the connection must be encrypted: whoever controls the port receives the work, and answers it (RT-10).
    """
    if not address.startswith("tls://") and masters_from(os.environ).secrets:
        what = "a master secret is available, but anybody on the way to this scheduler could read and forge messages"
        raise problem("--scheduler", what, "use tls://, or leave the secret out: sealed turns then wait")
    try:
        from distributed import Client
    except ImportError:
        raise problem(
            "--scheduler", "the `distributed` package is not installed", "pip install 'courtly[dask]'"
        ) from None
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):  # each has its own level
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # a lost scheduler is reported once, by `_patient`

    def connect() -> Any:
        try:
            return Client(address, timeout=10)  # type: ignore[no-untyped-call]  # it has no types
        except (
            OSError,
            ValueError,
            TypeError,
            RuntimeError,
            ImportError,
        ) as error:  # TypeError: tls needs more arguments
            raise problem(
                "--scheduler", f"nobody answers at {address!r:.80} ({error})", "write it like tcp://10.0.0.1:8786"
            ) from None

    ready = [connect()]  # fail before any work begins if nobody is there

    def run(function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        client = ready.pop() if ready else connect()
        try:
            number = sum(client.nthreads().values()) or 1
            yield from _in_order(
                client.get_executor,
                lambda pool: pool.shutdown(wait=False),
                number,
                function,
                things,
                lambda: bool(client.status == "running"),
            )
        finally:
            client.close(timeout=PATIENCE)

    return run


@dataclass(slots=True)
class _Work(Generic[T, R]):
    """One piece of work in progress: its future, and the number of tries."""

    thing: T
    future: Future[R] | None = None
    tries: int = 0


def _in_order(
    begin: Callable[[], Executor],
    close: Callable[[Executor], None],
    workers: int,
    function: Callable[[T], R],
    things: Iterable[T],
    alive: Callable[[], bool] | None = None,
) -> Iterator[R]:
    """Yield the results in order, with only a few things in progress at a time; if a pool breaks, a new one does its unanswered work.

    `alive` returns true while the scheduler that hands out the work is there; it is None if this process hands out the work.
    """
    from concurrent.futures import BrokenExecutor

    left, pool = iter(things), begin()
    waiting: deque[_Work[T, R]] = deque()
    careful = False  # After a death the first piece is tried by itself, to find out which one kills its worker.
    try:
        while True:
            waiting.extend(_Work(thing) for thing in islice(left, max(0, AHEAD * workers - len(waiting))))
            if not waiting:
                return
            try:
                for work in islice(waiting, 1 if careful else None):
                    if work.future is None:
                        work.future = pool.submit(function, work.thing)
                        work.tries += 1
                assert waiting[0].future is not None
                result = waiting[0].future.result() if alive is None else _patient(waiting[0].future, alive)
            except BrokenExecutor:
                if waiting[0].tries >= TRIES:
                    what = f"a process died {TRIES} times on the same piece of work"
                    raise problem(
                        "", what, "check whether memory is short; --jobs 1 shows the work that fails"
                    ) from None
                close(pool)
                pool, careful = begin(), True
                for work in waiting:
                    future = work.future
                    if future is None or not future.done() or future.cancelled() or future.exception() is not None:
                        work.future = None
                continue
            careful = False
            waiting.popleft()
            yield result
    finally:
        close(pool)


def _patient(future: Future[R], alive: Callable[[], bool]) -> R:
    """Wait for the result of a future; raises `Problems` if the scheduler no longer answers, or if the client has cancelled the work."""
    from concurrent.futures import CancelledError

    gone = 0
    while True:
        try:
            return future.result(PATIENCE)
        except (TimeoutError, CancelledError) as error:
            if future.done() and not future.cancelled() and future.exception() is error:
                raise
            gone = 0 if alive() else gone + 1
            if gone >= GONE or isinstance(error, CancelledError):
                right = "finished work stays finished: start the scheduler again, and then repeat the command"
                raise problem("--scheduler", "the cluster's scheduler no longer answers", right) from None
