"""Bulk work: the same results in the same order in one process, in several, and on a cluster; a dying worker loses nothing."""

from __future__ import annotations

import functools
import gzip
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.engine import Engine, alone, on_cluster, on_cores
from adjudicator.core.jobs.exchange import Imported, Importing, import_games
from adjudicator.core.jobs.verify import verify_all, verify_game
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.problems import Problems
from tests.conftest import ROOT, first_of

RECORD = ROOT / "tests/data/webdip-cicero-b.jsonl.gz"
GAMES = 4


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A cluster of two processes on this machine; its scheduler's address."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is not here: courtly[dask]")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50, host="127.0.0.1"
    ) as found:
        yield found.scheduler_address


def some_games() -> bytes:
    """The first few games of a file with real ones."""
    lines: list[bytes] = []
    names: list[bytes] = []
    with gzip.open(RECORD) as stream:
        for line in stream:
            name = line.split(b'"', 4)[3]
            if name not in names:
                names.append(name)
            if len(names) > GAMES:
                break
            lines.append(line)
    return b"".join(lines)


def squared(number: int) -> int:
    return number * number


def dies_once(folder: Path, number: int) -> int:
    """Kill this process the first time that it gets a multiple of seven."""
    mark = folder / str(number)
    if number % 7 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def dies(number: int) -> int:
    """Kill this process at the number 5."""
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_order(jobs: int) -> None:
    assert [*on_cores(jobs)(squared, range(60))] == [number * number for number in range(60)]


def test_only_a_few_items_are_in_progress_at_once() -> None:
    """A file of any size is read gradually, as its games are judged."""
    taken = []

    def things() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = on_cores(2)(squared, things())
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    assert len(taken) < 20


def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    assert [*on_cores(2)(functools.partial(dies_once, tmp_path), range(40))] == [*range(40)]
    assert len([*tmp_path.iterdir()]) == 6


def test_a_task_that_always_kills_its_worker_is_reported() -> None:
    found = on_cores(2)(dies, range(40))
    assert [next(found) for _ in range(5)] == [*range(5)]
    with pytest.raises(Problems, match="died 3 times on the same piece of work"):
        next(found)


def imported(folder: Path, run: Engine) -> tuple[list[Imported], dict[str, bytes]]:
    """Take some games into an archive; return a report on each, and every file."""
    (folder / "games").mkdir(parents=True)
    how = Importing("diplomacy", {}, {}, write=True, opened_on="2026-11-20", source="a test")
    said = [*import_games(some_games(), how, run, Archive(folder))]
    return said, {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.parametrize("jobs", first_of([2, 3], 1))
def test_results_are_the_same_everywhere(tmp_path: Path, cluster: str, jobs: int) -> None:
    """Import and verification in one process, in several, and on a cluster: the same bytes, the same digests."""
    engines = {"alone": alone, "several": on_cores(jobs), "cluster": on_cluster(cluster)}
    taken = {name: imported(tmp_path / name, run) for name, run in engines.items()}
    assert all(found == taken["alone"] for found in taken.values())
    assert [game.written for game in taken["alone"][0]] == [True] * GAMES
    archive = Archive(tmp_path / "alone")
    checked = {name: [*verify_all(archive, archive.slugs(), run)] for name, run in engines.items()}
    assert all(found == checked["alone"] for found in checked.values())
    assert [found.problems for found in checked["alone"]] == [()] * GAMES


def run(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["-C", str(folder), *args])


@pytest.mark.slow
@pytest.mark.parametrize("jobs", first_of([3, 1], 1))
def test_a_fault_leaves_the_same_files_however_many_processes_judge(tmp_path: Path, jobs: int) -> None:
    """A name that comes twice, a phase that cannot be read: all before it is there whole, and nothing else."""
    games: dict[bytes, list[bytes]] = {}
    for line in some_games().splitlines(keepends=True):
        games.setdefault(line.split(b'"', 4)[3], []).append(line)
    first, second, third, _ = games.values()
    faults = {
        "twice": (first + second[:2] + first[:5], 2, "two games in the file have this name"),
        "bad": ([*first, b'{"game_id": "zzz", "phase": "S1901M"}\n', *second, *third], 1, "games.jsonl"),
    }
    for name, (lines, written, said) in faults.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "games.jsonl").write_bytes(b"".join(lines))
        found = run(folder, "import", str(folder / "games.jsonl"), "--here", "--jobs", str(jobs))
        assert found.exit_code == 1
        assert said in found.output
        slugs = Archive(folder).slugs()
        assert len(slugs) == written
        assert not [path for path in (folder / "games").iterdir() if path.name.startswith(".")]
        checked = run(folder, "verify")
        assert checked.exit_code == 0, checked.output


def test_an_existing_game_is_kept(tmp_path: Path) -> None:
    _, files = imported(tmp_path, alone)
    how = Importing("diplomacy", {}, {}, write=True, opened_on="2026-11-20", source="a test")
    with pytest.raises(Problems, match="there is already a game with that name"):
        next(import_games(some_games(), how, alone, Archive(tmp_path)))
    assert files == {
        path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()
    }


SCHEDULER = """
from distributed import LocalCluster
import time
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", protocol="tcp://", processes=False)
    print(cluster.scheduler_address, flush=True)
    time.sleep(300)
"""


@pytest.mark.slow
def test_a_scheduler_that_goes_away_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody waits for ever."""
    pytest.importorskip("distributed", reason="the package distributed is not here: courtly[dask]")
    monkeypatch.setattr("adjudicator.core.jobs.engine.PATIENCE", 0.5)
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = on_cluster(process.stdout.readline().strip())(time.sleep, [0, *[100] * 3])
        assert next(found) is None
        process.kill()
        with pytest.raises(Problems, match="the cluster's scheduler no longer answers"):
            next(found)


def test_options_for_bulk_work_are_checked(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(some_games())
    file = str(tmp_path / "games.jsonl")
    one, two = (run(tmp_path, "import", file, "--verify-only", "--jobs", jobs).output for jobs in ("1", "2"))
    assert one == two
    assert f"{GAMES} games" in one
    both = run(tmp_path, "import", file, "--verify-only", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1")
    assert "leave --jobs out" in both.output
    # In separate processes, as players run them: the remains of a failed connection stop the next one for ever.
    for address in ("nonsense", "tls://127.0.0.1:1", "ucx://1.2.3.4:1"):
        command = ["-C", str(tmp_path), "import", file, "--verify-only", "--scheduler", address]
        code = "from adjudicator.cli import main; main()"
        other = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
        said = other.stdout + other.stderr
        assert "Traceback" not in said
        assert (other.returncode, "--scheduler" in said) == (1, True), said


SECRET = b"\x2a\x17" * 16
"""A master secret of these tests."""


def test_no_master_secret_leaves_a_process(tmp_path: Path) -> None:
    """RT-10: an archive that is sent to a worker only names its secrets. A worker on this machine has them; any other reads its own."""
    masters = Masters((SECRET,))
    body = pickle.dumps(functools.partial(verify_game, Archive(tmp_path, masters)))
    assert SECRET not in body
    assert SECRET.hex().encode() not in body
    assert pickle.loads(pickle.dumps(masters)) == masters  # our own bytes
    code = f"import pickle\nprint(pickle.loads({pickle.dumps(masters)!r}).secrets == ({SECRET!r},))"
    bare = {key: value for key, value in os.environ.items() if not key.startswith("COURTLY_")}
    alien = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=False)
    assert alien.returncode != 0
    assert "a worker does not have the master secret" in alien.stderr
    knows = bare | {"COURTLY_MASTER": f"courtly-master-1-{SECRET.hex()}"}
    own = subprocess.run([sys.executable, "-c", code], env=knows, capture_output=True, text=True, check=True)
    assert own.stdout == "True\n"


def test_an_unencrypted_scheduler_is_refused_if_a_secret_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-10: before any connection."""
    monkeypatch.setenv("COURTLY_MASTER", f"courtly-master-1-{SECRET.hex()}")
    with pytest.raises(Problems, match="a master secret is available") as refused:
        on_cluster("tcp://127.0.0.1:9")
    assert "tls://" in str(refused.value)
    with pytest.raises(Problems, match="nobody answers"):
        on_cluster("tls://127.0.0.1:9")
