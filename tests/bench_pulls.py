"""The figures of sealing, intake and adjudication, for `nox -s bench`; separately: `python tests/bench_pulls.py`."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
MASTER = "courtly-master-1-" + "5a" * 32


def a_second(work: Callable[[], object], seconds: float = 1.0) -> float:
    """How many times a second something can be done."""
    work()
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        work()
        count += 1
    return count / (time.perf_counter() - start)


def sealing() -> list[tuple[str, str]]:
    """Sealing and opening a sheet of usual length, with padding, envelope and checks."""
    from adjudicator.core.secrets.age import encrypt, recipient_of
    from adjudicator.core.secrets.envelope import Envelope, envelope_text, open_envelope
    from adjudicator.core.secrets.masters import read_masters, turn_identity

    identity = turn_identity(read_masters(MASTER, "").secrets[0], "0" * 16, "game", "001-spring-1901-movement")
    recipient = recipient_of(identity)
    orders = ["A Vienna - Galicia", "A Budapest - Serbia", "F Trieste - Albania"]
    envelope = Envelope(
        archive="0" * 16, game="game", turn="001-spring-1901-movement", seat="Austria", account=101, sequence=1,
        nonce="0" * 32, sheet={"orders": orders},
    )  # fmt: skip
    sealed = encrypt(envelope_text(envelope), [recipient])
    return [
        ("sheets sealed a second", f"{a_second(lambda: encrypt(envelope_text(envelope), [recipient])):,.0f}"),
        (
            "sheets opened and checked a second",
            f"{a_second(lambda: open_envelope(sealed, [identity], '', envelope)):,.0f}",
        ),
    ]


def data(turn: str) -> dict[str, Any]:
    """A game with an account in every seat."""
    people = {seat: {"player": seat, "account": 101 + number} for number, seat in enumerate(SEATS)}
    return {
        "ruleset": "diplomacy", "title": "A game", "opened": "2026-11-20", "seats": people, "sealed": True,
        "schedule": {"turn": turn},
    }  # fmt: skip


def intake_and_adjudication(games: int) -> list[tuple[str, str]]:
    """One pull request taken in, and one game due among `games` that are not."""
    from adjudicator.ci.adjudicate import adjudicate, judge_due_games
    from adjudicator.ci.clone import Clone
    from adjudicator.ci.github import GitHub
    from adjudicator.ci.intake import intake
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.jobs.new import new_charter, new_game
    from adjudicator.core.secrets.age import encrypt
    from adjudicator.core.secrets.envelope import Envelope, envelope_text
    from adjudicator.core.secrets.masters import read_masters
    from adjudicator.core.turn.load import load_game, load_turn
    from tests.ci.fake import OWNER, FakeGitHub, git

    folder = Path(tempfile.mkdtemp())
    fake = FakeGitHub(folder)
    try:
        root = folder / "clone"
        git(folder, "clone", "--quiet", str(fake.repository), str(root))
        archive = Archive(root, read_masters(MASTER, ""))
        archive.games.mkdir()
        new_charter(archive, OWNER)
        new_game(archive, "due", data("1d"))
        for number in range(1, games):  # each is made separately: a copy would show the keys of another game
            new_game(archive, f"other-{number:04d}", data("90d"))
        git(root, "checkout", "--quiet", "-B", "main")
        git(root, "add", "games")
        git(root, "commit", "--quiet", "-m", "The archive")
        git(root, "push", "--quiet", "origin", "main")
        clone, github = Clone(root, "main"), GitHub(fake.address, OWNER, "t")
        turn = load_turn(archive, load_game(archive, "due"), archive.turns("due")[0])
        assert turn.data.seal is not None
        spent, calls = [], 0
        for number, seat in enumerate(SEATS):
            envelope = Envelope(
                archive=turn.game.archive, game="due", turn=turn.name, seat=seat, account=101 + number, sequence=1,
                nonce="0" * 32, sheet={},
            )  # fmt: skip
            body = encrypt(envelope_text(envelope), [turn.data.seal.recipient], armored=True)
            pull = fake.open_pull(101 + number, seat, {f"games/due/{turn.name}/orders/{seat.lower()}.yaml.age": body})
            github.calls = 0
            start = time.thread_time()
            assert intake(github, clone, archive, pull).what == "accepted"
            spent.append(time.thread_time() - start)
            calls = github.calls
        opened: list[str] = []
        watching = True

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            if watching and event == "open" and str(arguments[0]).startswith(f"{archive.games}/"):
                opened.append(str(arguments[0]))

        sys.addaudithook(watch)
        at = "2026-11-22T00:00Z"
        clone.update()
        start = time.perf_counter()
        batch = judge_due_games(archive, at)
        seconds = time.perf_counter() - start
        watching = False
        assert ({step.game for step in batch.steps}, batch.problems) == ({"due"}, [])
        clone.git("reset", "--hard", "--quiet")
        start = time.perf_counter()
        assert adjudicate(clone, archive, at=at, forge=github).pushed
        whole = time.perf_counter() - start
        github.close_pool()
        heads = sum(1 for path in opened if "/other-" in path)
        return [
            (
                f"intake of one pull request, {games:,} games",
                f"{statistics.median(spent) * 1000:.0f} ms CPU, {calls} REST calls",
            ),
            (
                f"adjudicate, 1 due of {games:,}: judging",
                (
                    f"{seconds * 1000:.0f} ms; {len(opened) - heads:,} files of the due game opened, "
                    f"{batch.read} game read, the first 4 KiB of {heads:,} others"
                ),
            ),
            (f"adjudicate, 1 due of {games:,}: with git (fetch, commit, push)", f"{whole * 1000:.0f} ms"),
        ]
    finally:
        fake.stop()
        shutil.rmtree(folder)


def rows() -> list[tuple[str, str]]:
    """All the rows."""
    return [*sealing(), *intake_and_adjudication(10), *intake_and_adjudication(1000)]


if __name__ == "__main__":
    for what, measured in rows():
        print(f"{what}: {measured}")
