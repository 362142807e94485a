"""Adjudication: killed at every step, run twice at once, fed everything twice, it ends in the same way and loses nothing."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.ci.adjudicate import adjudicate
from adjudicator.ci.catch_up import catch_up
from adjudicator.ci.clone import Clone
from adjudicator.ci.github import GitHub
from adjudicator.ci.history import check_history
from adjudicator.cli import main
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import HiddenCorrection, hide
from adjudicator.core.jobs.pin import PINNED, Pin
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.text.problems import Problems
from tests import hazard
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, MASTER, World, game_data
from tests.ci.fake import OWNER, git
from tests.conftest import FUZZ

LATE = "2026-11-25T00:00:00Z"


class Killed(BaseException):
    """The machine was taken away."""


def some_sheets(world: World) -> None:
    """Two sheets went in, and one pull request waits because intake missed it."""
    for seat, orders in (("Austria", ["A Vienna - Galicia"]), ("France", ["A Paris - Burgundy"])):
        body = sealed_once(world, seat, orders)
        world.intake(
            world.fake.open_pull(ACCOUNTS[seat], seat, {f"games/summer/{FIRST}/orders/{seat.lower()}.yaml.age": body})
        )
    missed = {f"games/open/{FIRST}/orders/italy.yaml": b"orders: [A Venice H]\n"}
    world.fake.open_pull(ACCOUNTS["Italy"], "italy", missed)


SEALED: dict[str, bytes] = {}


def sealed_once(world: World, seat: str, orders: list[str]) -> bytes:
    """A sealed sheet with the same bytes in every world: all worlds here share the archive id, game and turn."""
    if seat not in SEALED:
        SEALED[seat] = world.sealed(seat, orders)
    return SEALED[seat]


@pytest.fixture
def alike(worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> Callable[[], World]:
    """Make worlds that are the same to the byte."""
    monkeypatch.setattr("adjudicator.core.secrets.chance.urandom", lambda size: b"\x11" * size)

    def make() -> World:
        made = worlds()
        some_sheets(made)
        return made

    return make


def proved(world: World, folder: Path) -> None:
    """Verify every judged turn in a fresh clone, without the master secret."""
    git(folder, "clone", "--quiet", str(world.fake.repository), "fresh")
    archive = Archive(folder / "fresh")
    for slug in archive.slugs():
        checked = verify_game(archive, slug)
        assert (checked.problems, checked.turns) == ((), 1)


def steps_of(world: World, monkeypatch: pytest.MonkeyPatch, die_at: int) -> int:
    """Adjudicate, and die at the step with that number; return the number of steps (each call of git, each file written)."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1
        if count == die_at:
            raise Killed

    real_git, real_call = Clone.git, GitHub._send
    real_file, real_folder = Files.write, Files.write_folder

    def watched_git(self: Clone, *arguments: str, **more: Any) -> Any:
        step()
        done = real_git(self, *arguments, **more)
        step()
        return done

    def watched_file(files: Files, *arguments: Any, **more: Any) -> bool:
        step()
        return real_file(files, *arguments, **more)

    def watched_folder(files: Files, *arguments: Any) -> None:
        step()
        real_folder(files, *arguments)

    def watched_call(self: GitHub, *arguments: Any) -> Any:
        step()
        done = real_call(self, *arguments)
        step()
        return done

    with monkeypatch.context() as patch:
        patch.setattr(Clone, "git", watched_git)
        patch.setattr(Files, "write", watched_file)
        patch.setattr(Files, "write_folder", watched_folder)
        patch.setattr(GitHub, "_send", watched_call)
        world.rounds(LATE)
    return count


@pytest.mark.slow
@pytest.mark.usefixtures("plain_maps")
def test_a_run_killed_at_any_step_and_repeated_ends_the_same(
    alike: Callable[[], World], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calm = alike()
    total = steps_of(calm, monkeypatch, 0)
    expected = calm.fake.files()
    assert total > 40
    assert len([path for path in expected if path.endswith("turn.yaml")]) == 4
    proved(calm, tmp_path)
    stride = 1 if FUZZ else 13  # all of them in `nox -s fuzz`
    for number in range(1, total + 1, stride):
        world = alike()
        with pytest.raises(Killed):
            steps_of(world, monkeypatch, number)
        # Another machine takes over, without anything of the dead one's folder.
        rest = Clone(world.root.with_name(f"{world.root.name}-other"), "main")
        git(world.root.parent, "clone", "--quiet", str(world.fake.repository), str(rest.root))
        catch_up(world.github, rest, Archive(rest.root), wait=lambda s: None)
        adjudicate(rest, Archive(rest.root, MASTER), at="2026-11-25T00:00Z", forge=world.github, wait=lambda s: None)
        assert world.fake.files() == expected, f"killed at step {number} of {total}"
        # The dead machine comes back with the folder that it left: nothing is due.
        world.clone.git("reset", "--quiet")
        assert not world.adjudicate(LATE).pushed
        assert world.fake.files() == expected
    print(f"killed at {len(range(1, total + 1, stride))} of {total} steps")


@pytest.mark.slow
def test_two_runs_at_once_end_as_one(alike: Callable[[], World], tmp_path: Path) -> None:
    calm = alike()
    calm.rounds(LATE)
    expected = calm.fake.files()
    world = alike()
    clones = []
    for number in range(3):
        root = tmp_path / f"job-{number}"
        git(tmp_path, "clone", "--quiet", str(world.fake.repository), str(root))
        clones.append(
            (Clone(root, "main"), Archive(root, MASTER), GitHub(world.fake.address, OWNER, "t", patience=0.0))
        )
    faults: list[BaseException] = []

    def job(clone: Clone, archive: Archive, github: GitHub) -> None:
        try:
            catch_up(github, clone, Archive(clone.root), wait=lambda seconds: None)
            adjudicate(clone, archive, at="2026-11-25T00:00Z", forge=github, wait=lambda seconds: None)
        except BaseException as error:  # noqa: BLE001 - a fault in a thread fails the test
            faults.append(error)
        finally:
            github.close_pool()

    threads = [threading.Thread(target=job, args=clone) for clone in clones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert world.fake.files() == expected
    proved(world, tmp_path)


@pytest.mark.slow
def test_a_push_by_somebody_else_between_commit_and_push_is_kept(
    alike: Callable[[], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = alike()
    real = Clone.push
    pushes = 0

    def pushed(self: Clone) -> bool:
        nonlocal pushes
        pushes += 1
        if pushes == 1:
            world.fake.push_to_main({"README.md": b"Hello\n"})
        return real(self)

    monkeypatch.setattr(Clone, "push", pushed)
    assert world.rounds(LATE).pushed
    assert pushes == 3
    assert world.fake.read("README.md") == b"Hello\n"
    assert world.fake.git("rev-list", "--count", "--merges", "main~1..main") == "0"


@pytest.mark.slow
def test_a_push_that_is_refused_for_good_is_reported(alike: Callable[[], World]) -> None:
    world = alike()
    before = world.fake.main()
    hook = world.fake.repository / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho protected branch\nexit 1\n")
    hook.chmod(0o755)
    for job in (world.catch_up, world.adjudicate):
        with pytest.raises(Problems, match="the push was refused"):
            job(LATE)
        for pull in world.fake.pulls.values():
            pull.state = "closed"  # no request waits for an answer, so the turns are judged
    assert world.fake.git("merge-base", before, world.fake.main()) == before
    assert b"status: open" in world.fake.read(f"games/summer/{FIRST}/turn.yaml")
    hook.unlink()
    assert world.adjudicate(LATE).pushed


@pytest.mark.slow
def test_feeding_everything_twice_changes_nothing(alike: Callable[[], World]) -> None:
    world = alike()
    for number in world.fake.pulls:
        world.intake(number)
    first = world.adjudicate(LATE)
    assert first.pushed
    after, comments = world.fake.files(), {n: list(p.comments) for n, p in world.fake.pulls.items()}
    head = world.fake.main()
    for number in world.fake.pulls:
        assert world.intake(number).what == "left"
    second = world.adjudicate(LATE)
    assert (second.steps, second.pushed, second.problems) == ([], False, [])
    assert (world.fake.files(), world.fake.main()) == (after, head)
    assert {n: list(p.comments) for n, p in world.fake.pulls.items()} == comments


def test_sheets_that_intake_missed_are_caught_up_if_they_came_in_time(world: World) -> None:
    path = f"games/summer/{FIRST}/orders/italy.yaml.age"
    early = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {path: world.sealed("Italy", ["A Venice H"])})
    world.fake.now = world.fake.now.replace(day=23)
    late = world.fake.open_pull(
        ACCOUNTS["Turkey"], "greta", {path.replace("italy", "turkey"): world.sealed("Turkey", [])}
    )
    caught = world.catch_up("2026-11-23T10:00:00Z")
    assert [(one.number, one.what) for one in caught.outcomes] == [(early, "accepted"), (late, "refused")]
    world.adjudicate()
    assert "the deadline was 2026-11-22T00:00Z" in world.fake.pulls[late].comments[0]
    assert "sheets:\n  Italy: " in world.fake.read(f"games/summer/{FIRST}/turn.yaml").decode()


def test_the_jobs_log_says_that_a_game_waits_for_its_host(
    worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FH-5."""
    schedule = {"turn": "2d", "missing": "host"}
    world = worlds({"summer": game_data(schedule=schedule), "open": game_data(sealed=False, seed="s")})
    batch = world.adjudicate("2026-11-25T00:00:00Z")
    assert [step.game for step in batch.steps] == ["open", "open"]
    everybody = "Austria, England, France, Germany, Italy, Russia, Turkey"
    line = (
        f"summer: Spring 1901, movement has been waiting for you since 2026-11-22T00:00Z: no sheet came from {everybody}; "
        "add an `extend`, `replace` or `proceed` ruling"
    )
    assert [str(idle) for idle in batch.waiting] == [line]
    for name, value in {
        "GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t",
        "COURTLY_MASTER": "courtly-master-1-" + "5a" * 32,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    said = CliRunner().invoke(main, ["-C", str(world.root), "ci", "adjudicate", "--at", "2026-11-24T23:45Z"])
    assert (said.exit_code, said.output) == (0, f"{line}\n")


def test_a_turn_with_a_wrong_key_stops_only_its_game_and_its_players_are_notified(worlds: Callable[..., World]) -> None:
    """FS-3: anybody who may push can put their key into the open turn; the job with the secret reports it long before the
    deadline.

    Jobs without a secret take in the sheets that were sealed to that key meanwhile. Their authors get a message when the key
    is right again.
    """
    world = worlds({"summer": game_data(), "winter": game_data()})
    name = f"games/summer/{FIRST}/turn.yaml"
    text = world.fake.read(name)
    theirs = re.sub(rb"recipient: age1[a-z0-9]+", b"recipient: " + recipient_of(new_identity()).encode(), text)
    world.fake.push_to_main({name: theirs})
    sheets = {
        slug: world.fake.open_pull(
            ACCOUNTS["Italy"],
            "emil",
            {f"games/{slug}/{FIRST}/orders/italy.yaml.age": world.sealed("Italy", ["A Venice H"], game=slug)},
        )
        for slug in ("summer", "winter")
    }
    assert {done.what for done in world.catch_up().outcomes} == {"accepted"}
    batch = world.adjudicate("2026-11-20T01:00:00Z")
    assert {problem.path for problem in batch.problems} == {name}
    assert all("the key that sheets are sealed to is not" in problem.what for problem in batch.problems)
    assert (batch.unopened, batch.pushed) == ([], False)
    world.fake.push_to_main({name: text})
    done = world.adjudicate("2026-11-20T01:15:00Z")
    assert done.problems == []
    assert done.unopened == [f"games/summer/{FIRST}/orders/italy.yaml.age"]
    assert "**This sheet does not count:**" in world.fake.pulls[sheets["summer"]].comments[1]
    assert len(world.fake.pulls[sheets["winter"]].comments) == 1
    late = world.adjudicate(LATE)
    assert {step.game for step in late.steps} == {"summer", "winter"}


def test_a_courtly_other_than_the_one_the_archive_names_judges_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RT-8: a restarted run judged with yesterday's rules, and `verify` called the host's turn a forgery."""
    before = world.fake.main()
    old, new = Pin(commit="1" * 40, address="https://example.org/courtly"), Pin(commit="2" * 40)
    world.fake.push_to_main({PINNED: f"# install: courtly @ git+{old.address}@{new.commit}\n".encode()})
    monkeypatch.setattr("adjudicator.ci.adjudicate.installed", lambda: old)
    with pytest.raises(Problems, match=f"names commit {new.commit}, but commit {old.commit} runs here; start"):
        world.adjudicate(LATE)
    assert world.fake.git("rev-list", "--count", f"{before}..main") == "1"
    monkeypatch.setattr("adjudicator.ci.adjudicate.installed", lambda: new)
    assert world.adjudicate(LATE).pushed
    # An install from a folder, as in the project's jobs, says nothing about the version that others would get.
    monkeypatch.setattr("adjudicator.ci.adjudicate.installed", lambda: None)
    assert world.adjudicate("2026-11-27T00:00:00Z").pushed


def test_one_broken_game_stops_no_other(worlds: Callable[..., World]) -> None:
    world = worlds({"a": game_data(), "b": game_data(), "c": game_data()})
    text = world.fake.read(f"games/b/{FIRST}/turn.yaml")
    world.fake.push_to_main({f"games/b/{FIRST}/turn.yaml": text.replace(b"A Vienna", b"A Venice")})
    done = world.adjudicate(LATE)
    assert {step.game for step in done.steps} == {"a", "c"}
    assert done.pushed
    assert [problem.path for problem in done.problems] == ["games/b"]


def test_only_games_that_may_be_due_are_read(worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> None:
    games = {f"game-{number}": game_data(schedule={"turn": "9d"}) for number in range(6)} | {"due": game_data()}
    world = worlds(games)
    done = world.adjudicate("2026-11-23T00:00:00Z")
    assert (done.read, {step.game for step in done.steps}) == (1, {"due"})


@pytest.mark.slow
def test_the_history_shows_what_the_files_alone_cannot(alike: Callable[[], World], tmp_path: Path) -> None:
    world = alike()
    world.adjudicate(LATE)
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    report = check_history(tmp_path / "whole")
    assert (report.seen, report.unseen, report.problems) == (2, 0, [])
    turn = f"games/summer/{FIRST}/turn.yaml"
    sheet = f"games/summer/{FIRST}/orders/austria.yaml.age"
    text = world.fake.read(turn).decode()
    commitment = next(line for line in text.splitlines() if line.startswith("  commitment: "))
    world.fake.push_to_main({turn: text.replace(commitment, "  commitment: " + "0" * 64).encode(), sheet: b"another"})
    git(tmp_path / "whole", "pull", "--quiet")
    report = check_history(tmp_path / "whole")
    assert report.seen == 1
    assert [(fault.path, fault.what.partition(", but")[0].partition(" (commit")[0]) for fault in report.problems] == [
        (sheet, "this sheet was changed"),
        (turn, "the commitment to its dice is no longer the same"),
    ]
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{world.fake.repository}", "shallow")
    with pytest.raises(Problems, match="the history is not complete"):
        check_history(tmp_path / "shallow")


def hidden_game() -> dict[str, Any]:
    """A game with hidden hands."""
    return game_data(
        ruleset="hazard",
        seats={
            seat: {"player": seat, "account": 201 + at, "key": recipient_of(new_identity())}
            for at, seat in enumerate(hazard.SEATS)
        },
    )


@pytest.mark.usefixtures("with_hazard")
def test_a_ruling_that_stops_a_hidden_game_can_be_taken_back(worlds: Callable[..., World]) -> None:
    """FS-24: intake could not see that the ruling cannot be applied, and refused the pull request that took it back."""
    world = worlds({"cards": hidden_game()})
    turn = world.archive.turns("cards")[0]
    where = f"games/cards/{turn}/ruling.yaml"
    sealed = world.turn("cards").data.seal
    assert sealed is not None
    slip = HiddenCorrection(
        archive=world.turn("cards").game.archive, game="cards", turn=turn, attempt=1, correct={"armies.Ash": []}
    )
    pause = "- {reason: holidays, pause: true}\n"
    wrong = f"- {{reason: a slip, hidden: {hide(slip, sealed.recipient)}}}\n"

    def rules(*rulings: str) -> str:
        text = f"rulings:\n{''.join(rulings)}" if rulings else "rulings: []\n"
        done = world.intake(world.fake.open_pull(HOST, "hanna", {where: text.encode()}))
        return done.line if done.what == "refused" else done.what

    assert rules(pause) == "accepted"
    assert [step.what for step in world.adjudicate("2026-11-20T13:00:00Z").steps] == ["ruled"]
    assert rules(pause, wrong) == "accepted"
    stopped = world.adjudicate("2026-11-20T14:00:00Z")
    assert (stopped.steps, [problem.path for problem in stopped.problems]) == ([], [where])
    assert "armies" not in str(stopped.problems[0]), "the log is public"
    assert rules(pause) == "accepted"
    assert "a ruling that has been applied is changed or missing" in rules()
    assert world.adjudicate("2026-11-20T15:00:00Z").problems == []
    assert rules(pause, '- {reason: back, resume: "2026-11-24T00:00Z"}\n') == "accepted"
    assert [step.what for step in world.adjudicate("2026-11-20T16:00:00Z").steps] == ["ruled"]
    later = world.adjudicate("2026-11-24T00:00:00Z")
    assert ([step.what for step in later.steps], later.problems) == (["resolved", "opened"], [])


@pytest.mark.slow
def test_all_of_an_accounts_sheets_that_came_in_time_are_caught_up(worlds: Callable[..., World]) -> None:
    """FS-24: for a player in eight games, only the six latest pull requests were examined after an outage."""
    world = worlds({f"game-{number}": game_data(sealed=False, seed="s") for number in range(8)})
    places = {f"games/game-{number}/{FIRST}/orders/italy.yaml" for number in range(8)}
    for sheet in sorted(places):
        world.fake.open_pull(ACCOUNTS["Italy"], "italy", {sheet: b"orders: [A Venice H]\n"})
    for _ in range(60):  # a stranger's flood, newer than all of them
        world.fake.open_pull(999, "nobody", {"games/game-0/x.yaml": b""})
    before = len(world.fake.calls)
    caught = world.catch_up(LATE)
    assert caught.problems[0].level == "warning"
    assert [done.what for done in caught.outcomes] == ["accepted"] * 8 + ["refused"] * 27
    assert places <= set(world.fake.files())
    # Two writes and a read for each answer; a refusal also reads if the offer is unchanged.
    assert len(world.fake.calls) - before < 8 * 3 + 27 * 4 + 12


def test_pull_requests_are_listed_latest_first_until_they_are_too_old(world: World) -> None:
    """FS-22: the oldest came first, three thousand of them, and hid the newest."""
    old = world.fake.open_pull(1, "old", {"a": b""})
    world.fake.pulls[old].updated = "2026-01-01T00:00:00Z"
    numbers = [world.fake.open_pull(1, "new", {"a": b""}) for _ in range(3)]
    world.fake.now = world.fake.now.replace(hour=13)
    world.fake.force_push(numbers[0], {"b": b""})
    since = world.fake.now.replace(day=1)
    found, whole = world.github.requests(since)
    assert ([one.number for one in found], whole) == ([numbers[0], numbers[2], numbers[1]], True)


def test_calls_have_a_time_limit_only_in_a_job(world: World) -> None:
    """H3-21: the jobs' time limits made tests fail when many ran at once."""
    assert world.github.pool.connection_pool_kw["timeout"] is None
    job = GitHub(world.fake.address, OWNER, "token")
    assert job.pool.connection_pool_kw["timeout"].read_timeout == 30
    job.close_pool()
