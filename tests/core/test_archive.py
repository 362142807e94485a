"""Promises of the archive: writes are whole or do not happen, there is one writer, and a fault of one game does not touch another."""

from __future__ import annotations

import builtins
import errno
import itertools
import json
import multiprocessing
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.files.disk import Disk
from adjudicator.core.files.floor import UNFINISHED
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.doctor import examine
from adjudicator.core.jobs.run import STEPS, run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.files import turn_text
from adjudicator.core.turn.load import RENAMED, load_game, load_turn
from adjudicator.core.turn.sheets import check_sheet, load_inputs
from tests.conftest import ORIGIN

AT = "2026-12-01T00:00Z"
FIRST = "001-spring-1901-movement"
SECOND = "002-fall-1901-movement"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def courtly(root: Path, *args: str) -> Result:
    result = CliRunner().invoke(main, ["-C", str(root), *args])
    assert result.exception is None or isinstance(result.exception, SystemExit), f"a traceback: {result.exc_info}"
    assert "Traceback" not in result.output
    return result


def new(root: Path, slug: str, *more: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.core.secrets.chance.urandom", lambda count: bytes(range(count)))
        made = courtly(root, "new", slug, "--opened", "2026-11-20", "--turn", "3d", *more)
    assert made.exit_code == 0, made.output


def sheet(root: Path, slug: str, seat: str, text: str, turn: str = FIRST) -> Path:
    path = root / "games" / slug / turn / "orders" / f"{seat.lower()}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Bytes of every file, and every folder, below one folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def errors(result: Result) -> list[str]:
    return [line for line in result.stderr.splitlines() if line.startswith("error: ")]


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.core.secrets.chance.urandom", lambda count: bytes(range(count)))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with one game `a` and a few sheets in its first turn."""
    root = tmp_path_factory.mktemp("template")
    new(root, "a", "--title", "A game")
    sheet(root, "a", "Austria", "orders: [A Budapest - Serbia, F Trieste - Albania]\n")
    sheet(root, "a", "Turkey", "orders: [A Constantinople - Bulgaria]\n")
    return root


@pytest.fixture
def root(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "archive"))


# Killed at any moment ---------------------------------------------------------------------------------------------

KILLED = 77
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")


class Torn:
    """A file that is opened for writing; a kill during a write leaves half of the bytes."""

    def __init__(self, file: Any, step: Callable[[], None]) -> None:
        self.file, self.step = file, step

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: Any) -> int:
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        self.step()
        self.file.write(data[len(data) // 2 :])
        return len(data)


def killed_at(nth: int, work: Callable[[], int]) -> bool:
    """Run `work` in a child process that dies at its nth write to the disk; return True if it got that far."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other tests may have left threads; the child has one
        child = os.fork()
    if child == 0:
        status = 99
        try:
            _arm(nth)
            status = work()
        finally:
            os._exit(status)
    _, waited = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(waited)
    assert status in (0, KILLED), f"the process ended with status {status}"
    return status == KILLED


def _arm(nth: int) -> None:
    left = nth

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os._exit(KILLED)

    def before(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            step()
            return real(*args, **kwargs)

        return wrapped

    for name in ("replace", "rename", "mkdir", "fsync", "unlink", "rmdir"):
        setattr(os, name, before(getattr(os, name)))
    real_open = builtins.open

    def opened(path: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if not set(mode) & set("wxa+"):
            return real_open(path, mode, *args, **kwargs)
        step()
        file = real_open(path, mode, *args, **kwargs)
        step()
        return Torn(file, step)

    vars(builtins)["open"] = opened
    real_fdopen = os.fdopen

    def fdopened(handle: int, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        file = real_fdopen(handle, mode, *args, **kwargs)
        return Torn(file, step) if set(mode) & set("wxa+") else file

    vars(os)["fdopen"] = fdopened
    real_os_open = os.open

    def os_opened(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if not flags & os.O_CREAT:
            return real_os_open(path, flags, *args, **kwargs)
        step()
        handle = real_os_open(path, flags, *args, **kwargs)
        step()
        return handle

    vars(os)["open"] = os_opened


def whole(root: Path) -> None:
    """Every turn on disk is complete: it loads, its text is canonical, and it has a whole map."""
    archive = Archive(root)
    for slug in archive.slugs():
        game = load_game(archive, slug)
        for name in archive.turns(slug):
            turn = load_turn(archive, game, name)
            assert turn_text(turn.data) == turn.source
            assert (turn.folder / "map.svg").read_bytes().rstrip().endswith(b"</svg>")
            load_inputs(archive, turn)


@pytest.mark.slow
@needs_fork
def test_a_run_killed_at_any_write_is_finished_by_the_next(template: Path, tmp_path: Path) -> None:
    calm = Path(shutil.copytree(template, tmp_path / "calm"))
    assert courtly(calm, "run", "--now", "--at", AT).exit_code == 0
    expected = snapshot(calm / "games")
    assert f"a/{SECOND}/turn.yaml" in expected
    for nth in range(1, 200):
        root = Path(shutil.copytree(template, tmp_path / f"{nth}"))
        if not killed_at(nth, lambda: courtly(root, "run", "--now", "--at", AT).exit_code):  # noqa: B023 - runs at once
            assert snapshot(root / "games") == expected
            break
        whole(root)
        archive = Archive(root)
        judged = load_turn(archive, load_game(archive, "a"), FIRST).data.status == "resolved"
        after = courtly(root, "run", *([] if judged else ["--now"]), "--at", AT)
        assert after.exit_code == 0, after.output
        assert snapshot(root / "games") == expected, f"killed at write {nth}"
        shutil.rmtree(root)
    else:
        pytest.fail("the run never came to its end")
    assert nth > 20, "the run was killed at every one of its writes"
    assert verify_game(Archive(calm), "a").problems == ()


@pytest.mark.slow
def test_a_run_killed_before_any_of_its_named_steps_goes_on_to_the_same_bytes(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HS-12: every step of STEPS is reached, in a run with a ruling, and may be the last that a process takes."""
    ruled = Path(shutil.copytree(template, tmp_path / "ruled"))
    ruling = 'rulings:\n- reason: We meet on Sunday.\n  extend: "2026-12-01T00:00Z"\n'
    (ruled / "games" / "a" / FIRST / "ruling.yaml").write_text(ruling)
    calm = Path(shutil.copytree(ruled, tmp_path / "calm"))

    def go_on(root: Path) -> None:
        archive = Archive(root)
        with archive.writing():
            list(run_game(archive, "a", at="2026-12-02T00:00Z"))

    go_on(calm)
    expected, reached = snapshot(calm / "games"), set()
    assert f"a/{SECOND}/turn.yaml" in expected
    for nth in itertools.count(1):
        left = itertools.count(1)

        def killed(step: Any) -> Any:
            def wrapped(run: Any) -> Any:
                if next(left) == nth:  # noqa: B023 - runs at once
                    reached.add(step.__name__)
                    raise KeyboardInterrupt
                return (yield from step(run))

            return wrapped

        root = Path(shutil.copytree(ruled, tmp_path / f"{nth}"))
        with monkeypatch.context() as patch:
            patch.setattr("adjudicator.core.jobs.run.STEPS", tuple(map(killed, STEPS)))
            try:
                go_on(root)
            except KeyboardInterrupt:
                pass
            else:
                break
        go_on(root)
        assert snapshot(root / "games") == expected, f"killed before step {nth}"
    assert reached == {step.__name__ for step in STEPS}


@needs_fork
def test_repeating_the_command_finishes_the_turn_and_judges_no_other(template: Path, tmp_path: Path) -> None:
    # Between the judged turn and the next one a host only sees a dead terminal, and repeats `run --now`.
    calm = Path(shutil.copytree(template, tmp_path / "calm"))
    courtly(calm, "run", "--now", "--at", AT)
    expected = snapshot(calm / "games")
    root = Path(shutil.copytree(calm, tmp_path / "root"))
    shutil.rmtree(root / "games" / "a" / SECOND)
    again = courtly(root, "run", "--now", "--at", "2026-12-03T00:00Z")
    assert again.stdout == "a: mended Fall 1901, movement\n"
    assert snapshot(root / "games") == expected


@pytest.mark.slow
@needs_fork
def test_a_run_killed_again_and_again_finishes_in_the_end(root: Path, tmp_path: Path) -> None:
    calm = Path(shutil.copytree(root, tmp_path / "calm"))
    courtly(calm, "run", "--at", AT)
    for nth in range(1, 200):
        if not killed_at(nth, lambda: courtly(root, "run", "--at", AT).exit_code):
            break
        whole(root)
    assert courtly(root, "run", "--at", AT).stdout == "Nothing is due.\n"
    assert snapshot(root / "games") == snapshot(calm / "games")


@pytest.mark.slow
@needs_fork
def test_the_end_of_a_game_killed_at_any_write_is_finished_by_the_next(template: Path, tmp_path: Path) -> None:
    voted = Path(shutil.copytree(template, tmp_path / "voted"))
    for power in POWERS:
        sheet(voted, "a", power, "draw: true\nfinal: true\n")
    calm = Path(shutil.copytree(voted, tmp_path / "calm"))
    assert "a: ended" in courtly(calm, "run", "--at", "2026-11-20T10:00Z").stdout
    expected = snapshot(calm / "games")
    assert "over/a/ending.yaml" in expected
    for nth in range(1, 200):
        root = Path(shutil.copytree(voted, tmp_path / f"{nth}"))
        if not killed_at(nth, lambda: courtly(root, "run", "--at", "2026-11-20T10:00Z").exit_code):  # noqa: B023
            break
        whole(root)
        assert courtly(root, "run", "--at", "2026-11-20T10:00Z").exit_code == 0
        assert snapshot(root / "games") == expected, f"killed at write {nth}"
        shutil.rmtree(root)
    else:
        pytest.fail("the run never came to its end")
    assert nth > 12


@pytest.mark.slow
@needs_fork
def test_a_new_game_killed_at_any_write_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    args = ("new", "b", "--opened", "2026-11-20", "--turn", "3d")
    calm = tmp_path / "calm"
    calm.mkdir()
    assert courtly(calm, *args).exit_code == 0
    expected = snapshot(calm / "games")
    for nth in range(1, 200):
        root = tmp_path / f"{nth}"
        root.mkdir()
        if not killed_at(nth, lambda: courtly(root, *args).exit_code):  # noqa: B023
            break
        if (root / "games").is_dir():
            assert courtly(root, "run", "--at", "2026-11-20T10:00Z").stdout == "Nothing is due.\n"
            assert snapshot(root / "games") in ({}, expected), "the next run removes what was left"
        again = courtly(root, *args)
        assert again.exit_code == 0 or "there is already a game with that name" in again.stderr
        assert snapshot(root / "games") == expected
    else:
        pytest.fail("the command never came to its end")
    assert nth > 12


def tampered(root: Path, path: str, old: bytes, new: bytes) -> list[str]:
    """Problems that `verify` reports after one change to one file."""
    file = Archive(root).game_folder("a") / path
    kept = file.read_bytes()
    assert kept.count(old) >= 1
    file.write_bytes(kept.replace(old, new, 1))
    problems = verify_game(Archive(root), "a").problems
    file.write_bytes(kept)
    return [str(fault) for fault in problems]


@pytest.mark.slow
def test_verify_notices_every_change(root: Path) -> None:
    for power in POWERS:
        sheet(root, "a", power, "orders: []\nfinal: true\n")
    courtly(root, "run", "--at", "2026-11-21T00:00Z")
    for power in POWERS:
        sheet(root, "a", power, "draw: true\nfinal: true\n", SECOND)
    courtly(root, "run", "--at", "2026-11-21T00:00Z")
    archive = Archive(root)
    assert verify_game(archive, "a").problems == ()
    assert archive.has_ended("a")
    for path, old, new in [
        (f"{FIRST}/turn.yaml", b"A Vienna", b"A Tyrolia"),
        (f"{FIRST}/turn.yaml", b"result: ", b"result: un"),
        (f"{FIRST}/turn.yaml", b"secret: ", b"secret:  "),
        (f"{FIRST}/turn.yaml", b"schema: 1", b"# note\nschema: 1"),
        (f"{FIRST}/turn.yaml", b"closed: 2026-11-21", b"closed:  2026-11-21"),
        (f"{FIRST}/map.svg", b"<svg", b"<svg "),
        (f"{FIRST}/orders/austria.yaml", b"orders: []", b"orders: [ ]"),
        (f"{SECOND}/turn.yaml", b"A Vienna", b"A Tyrolia"),
        ("ending.yaml", b"Austria", b"Ostrich"),
        ("ending.yaml", b"year", b"yeer"),
        ("map.svg", b"Austria", b"Ostrich"),
        ("game.yaml", b"seed: ", b"seed: x"),
    ]:
        lines = tampered(root, path, old, new)
        assert lines, f"{path}: {old!r} -> {new!r} was not seen"
        assert all(line.startswith("games/over/a/") for line in lines)
    shutil.move(root / "games/over/a/ending.yaml", root / "ending.yaml")
    assert [str(fault) for fault in verify_game(archive, "a").problems] == [
        "games/over/a/ending.yaml: there is no such file"
    ]


def test_a_sheet_changed_after_it_was_judged_stops_the_repair(root: Path) -> None:
    courtly(root, "run", "--now", "--at", AT)
    shutil.rmtree(root / "games" / "a" / SECOND)
    sheet(root, "a", "Austria", "orders: [A Vienna - Galicia]\n")
    before = snapshot(root)
    result = courtly(root, "run", "--at", AT)
    assert result.exit_code == 1
    (line,) = errors(result)
    assert line.startswith(f"error: games/a/{FIRST}/orders/austria.yaml: this sheet was changed after")
    assert snapshot(root) == before


def test_an_open_turn_with_a_judged_map_gets_its_own_map_back(root: Path) -> None:
    before = snapshot(root / "games")
    (root / "games" / "a" / FIRST / "map.svg").write_bytes(b"<svg></svg>")
    assert errors(courtly(root, "verify")) == [
        f"error: games/a/{FIRST}/map.svg: drawing the map again gives a different one; render it again"
    ]
    assert (
        courtly(root, "run", "--game", "a", "--at", "2026-11-20T10:00Z").stdout == "a: redrew Spring 1901, movement\n"
    )
    assert snapshot(root / "games") == before


# One at a time ----------------------------------------------------------------------------------------------------


def _hold(root: Path, ready: Any, release: Any) -> None:
    with Archive(root).writing():
        ready.set()
        release.wait(30)


@pytest.fixture
def busy(root: Path) -> Iterator[Path]:
    """An archive that another process is writing to."""
    context = multiprocessing.get_context("spawn")
    ready, release = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(root, ready, release))
    other.start()
    assert ready.wait(30)
    yield root
    release.set()
    other.join(30)
    assert other.exitcode == 0


def test_of_two_runs_at_once_one_works_and_the_other_reports_it(busy: Path) -> None:
    before = snapshot(busy / "games")
    for args in (["run", "--now"], ["new", "b"], ["render", "a"]):
        result = courtly(busy, *args)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr == (
            f"error: {busy}: another courtly process is working on this archive; wait until it has finished, then try again\n"
        )
    assert courtly(busy, "check").exit_code == 0, "reading goes on meanwhile"
    assert snapshot(busy / "games") == before


def test_the_lock_is_released_after_a_fault(root: Path) -> None:
    archive = Archive(root)
    with pytest.raises(ValueError, match="boom"), archive.writing():
        raise ValueError("boom")
    with archive.writing(), pytest.raises(Problems), archive.writing():
        pass
    assert courtly(root, "run", "--at", "2026-11-20T10:00Z").exit_code == 0


# A fault of one game does not touch another -----------------------------------------------------------------------

BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "game.yaml is not YAML": (lambda g: (g / "game.yaml").write_text("a: [\n"), "games/b/game.yaml:2:1: not YAML"),
    "game.yaml lacks a key": (
        lambda g: replace_in(g / "game.yaml", "title: b\n", ""), "games/b/game.yaml:2:1: 'title' is missing"),
    "game.yaml is gone": (lambda g: (g / "game.yaml").unlink(), "games/b/game.yaml: there is no such file"),
    "game.yaml is a folder": (
        lambda g: folder_at(g / "game.yaml"), "games/b/game.yaml: this is not a file"),
    "game.yaml is a link": (
        lambda g: link_at(g / "game.yaml"), "games/b/game.yaml: this is a link"),
    "game.yaml is of a later version": (
        lambda g: replace_in(g / "game.yaml", "schema: 1", "schema: 2"),
        "games/b/game.yaml:2:9: the file has schema 2, but this courtly knows only schema 1; update courtly"),
    "the board is unknown": (
        lambda g: replace_in(g / "game.yaml", "schedule:", "settings: {board: atlantis}\nschedule:"),
        "games/b/game.yaml:15:1: no board is called 'atlantis'"),
    "turn.yaml is not YAML": (lambda g: (g / FIRST / "turn.yaml").write_text("\t"), f"games/b/{FIRST}/turn.yaml:1:1: not YAML"),
    "turn.yaml is cut off": (
        lambda g: (g / FIRST / "turn.yaml").write_bytes((g / FIRST / "turn.yaml").read_bytes()[:200]),
        f"games/b/{FIRST}/turn.yaml:"),
    "turn.yaml is gone": (lambda g: (g / FIRST / "turn.yaml").unlink(), f"games/b/{FIRST}/turn.yaml: there is no such file"),
    "turn.yaml is another turn's": (
        lambda g: replace_in(g / FIRST / "turn.yaml", f'turn: "{FIRST}"', 'turn: "002-x"'),
        f"games/b/{FIRST}/turn.yaml:3:8: turn is '002-x', but its folder is called '{FIRST}'; {RENAMED}"),
    "turn.yaml is another game's": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "game: b", "game: a"), f"games/b/{FIRST}/turn.yaml:2:7: game is 'a'"),
    "turn.yaml has an unknown status": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "status: open", "status: ajar"),
        f"games/b/{FIRST}/turn.yaml:5:9: status is 'ajar'; it must be open or resolved"),
    "turn.yaml has no time as its deadline": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "deadline: 2026-11-23T00:00Z", "deadline: soon"),
        f"games/b/{FIRST}/turn.yaml:6:11: 'soon' is not a time"),
    "turn.yaml is of a later version": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "schema: 1", "schema: 7"),
        f"games/b/{FIRST}/turn.yaml:1:9: the file has schema 7, but this courtly knows only schema 1; update courtly"),
    "the position has a unit nowhere": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "A Vienna", "A Vienne"),
        "games/b: 'A Vienne' is not a unit that this board can have; did you mean 'Vienna'?"),
    "the position has an unknown board": (
        lambda g: replace_in(g / FIRST / "turn.yaml", "board: standard", "board: standart"),
        (f"games/b/game.yaml:2:1: {FIRST}/turn.yaml shows that the game was opened with board: standart; an edit here does not "
        "count; put it back (or restore that file)")),
    "a sheet of an unknown seat": (
        lambda g: _orders(g, "itly.yaml", ""),
        f"games/b/{FIRST}/orders/itly.yaml: no seat of this game has a sheet of that name; did you mean 'italy.yaml'?"),
    "a sheet of another ending": (
        lambda g: _orders(g, "italy.yml", ""), f"games/b/{FIRST}/orders/italy.yml: no seat of this game has a sheet"),
    "orders is a file": (
        lambda g: (g / FIRST / "orders").write_text(""), f"games/b/{FIRST}/orders: this is not a folder"),
    "orders is a link": (
        lambda g: (g / FIRST / "orders").symlink_to(g.parent / "a" / FIRST / "orders"),
        f"games/b/{FIRST}/orders: this is a link; put the folder itself here"),
    "orders is a link to nothing": (
        lambda g: (g / FIRST / "orders").symlink_to("nowhere"),
        f"games/b/{FIRST}/orders: this is a link; put the folder itself here"),
    "the map is a folder": (
        lambda g: folder_at(g / FIRST / "map.svg"), f"games/b/{FIRST}/map.svg: this is a folder"),
}  # fmt: skip


BAD_SHEETS: dict[str, tuple[Any, str]] = {
    "a sheet is not YAML": (lambda g: _orders(g, "italy.yaml", "a: ["), "not YAML"),
    "a sheet has an unknown key": (
        lambda g: _orders(g, "italy.yaml", "ordres: []\n"),
        "unknown key 'ordres'; did you mean 'orders'?"),
    "a sheet that is a link": (
        lambda g: link_at(_orders(g, "italy.yaml", "")),
        "this is a link; put the file itself here"),
    "a sheet that is a folder": (
        lambda g: (g / FIRST / "orders" / "italy.yaml").mkdir(parents=True),
        "this is not a file"),
    "a sheet that is too large": (
        lambda g: _orders(g, "italy.yaml", "#" * 70_000),
        "the file has 70000 bytes; at most 65536 are allowed"),
}  # fmt: skip


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def folder_at(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link_at(path: Path) -> None:
    path.rename(path.with_name(".real"))
    path.symlink_to(".real")


def _orders(game: Path, name: str, text: str) -> Path:
    path = game / FIRST / "orders" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("three")
    for slug in "abc":
        new(root, slug)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_stops_only_its_game(three: Path, tmp_path: Path, what: str) -> None:
    root = Path(shutil.copytree(three, tmp_path / "archive"))
    breaks, message = BROKEN[what]
    breaks(root / "games" / "b")
    before = snapshot(root / "games" / "b")
    result = courtly(root, "run", "--at", AT)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "a: resolved Spring 1901, movement", "a: opened Fall 1901, movement",
        "c: resolved Spring 1901, movement", "c: opened Fall 1901, movement",
    ]  # fmt: skip
    assert errors(result)
    assert all(line.startswith("error: games/b") for line in errors(result)), result.stderr
    assert any(message in line for line in errors(result)), result.stderr
    assert snapshot(root / "games" / "b") == before
    machine = courtly(root, "--json", "run", "--at", AT)
    assert machine.exit_code == 1
    lines = [json.loads(line) for line in machine.stdout.splitlines()]
    assert [fault["path"] for fault in lines[-1]["problems"]]


@pytest.mark.slow
@pytest.mark.parametrize("what", BAD_SHEETS)
def test_a_bad_sheet_stops_no_game(three: Path, tmp_path: Path, what: str) -> None:
    """The turn leaves the sheet or its unreadable part out, and reports it (S-8)."""
    root = Path(shutil.copytree(three, tmp_path / "archive"))
    breaks, message = BAD_SHEETS[what]
    breaks(root / "games" / "b")
    result = courtly(root, "run", "--at", AT)
    assert result.exit_code == 0, result.stderr
    assert [line for line in result.stdout.splitlines() if ": resolved" in line or ": opened" in line] == [
        f"{slug}: {what}" for slug in "abc" for what in ("resolved Spring 1901, movement", "opened Fall 1901, movement")
    ]
    archive = Archive(root)
    data = load_turn(archive, load_game(archive, "b"), FIRST).data
    told = {**(data.refused or {}), **(data.partly or {})}
    assert [*told] == ["italy.yaml"]
    what, _, right = message.partition("; ")
    assert what in told["italy.yaml"]
    assert right in told["italy.yaml"]
    assert what in result.stdout + result.stderr
    assert courtly(root, "verify", "--all").exit_code == 0


def test_every_fault_in_every_sheet_is_reported_at_once(root: Path) -> None:
    sheet(root, "a", "Italy", "draw: true\nordres: []\nfinal: perhaps\n")
    sheet(root, "a", "France", "draw: [\n")
    assert [line.removeprefix(f"error: games/a/{FIRST}/orders/")[:15] for line in errors(courtly(root, "check"))] == [
        "france.yaml:2:1", "italy.yaml:2:1:", "italy.yaml:3:8:",
    ]  # fmt: skip
    assert courtly(root, "run", "--now").exit_code == 0
    archive = Archive(root)
    data = load_turn(archive, load_game(archive, "a"), FIRST).data
    assert [*(data.refused or {})] == ["france.yaml"]
    assert (data.partly or {})["italy.yaml"].count("line ") == 2


# Disks that fail --------------------------------------------------------------------------------------------------


def refuse(monkeypatch: pytest.MonkeyPatch, nth: int, number: int) -> None:
    """Make the nth attempt to flush a file's bytes fail."""
    real = os.fsync
    left = nth

    def fails(handle: int) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise OSError(number, os.strerror(number))
        real(handle)

    monkeypatch.setattr(os, "fsync", fails)


WORDS = {
    errno.ENOSPC: "the disk is full; free some space and run the command again; nothing is half-written",
    errno.EROFS: "the folder is read-only; make it writable, or work in a copy",
    errno.EACCES: "no permission; make the folder writable for you, or work in a copy",
    errno.EDQUOT: "the disk quota is used up; free some space and run the command again; nothing is half-written",
    errno.EIO: "Input/output error; try again",
}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "nth"), [(number, nth) for number in WORDS for nth in range(1, 8)])
def test_a_failing_disk_gives_one_line_and_leaves_nothing_half_written(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, nth: int
) -> None:
    calm = Path(shutil.copytree(root, tmp_path / "calm"))
    courtly(calm, "run", "--at", AT)
    with monkeypatch.context() as patch:
        refuse(patch, nth, number)
        result = courtly(root, "run", "--at", AT)
    assert result.exit_code == 1
    (line,) = errors(result)
    assert line.endswith(WORDS[number])
    assert not list((root / "games").rglob(f"{UNFINISHED}*"))
    whole(root)
    assert courtly(root, "run", "--at", AT).exit_code == 0
    assert snapshot(root / "games") == snapshot(calm / "games")


def test_a_full_disk_stops_the_run_with_one_line(three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(shutil.copytree(three, tmp_path / "archive"))
    before = snapshot(root / "games")
    refuse(monkeypatch, 1, errno.ENOSPC)
    result = courtly(root, "run", "--at", AT)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert snapshot(root / "games") == before


def test_a_new_game_on_a_full_disk_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(root / "games")
    refuse(monkeypatch, 2, errno.ENOSPC)
    result = courtly(root, "new", "b")
    assert result.exit_code == 1
    (line,) = errors(result)
    assert line.endswith(f": {WORDS[errno.ENOSPC]}")
    assert snapshot(root / "games") == before


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("args", [["run", "--now"], ["new", "b"], ["render", "a"]])
def test_an_archive_that_cannot_be_locked_gives_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], number: int
) -> None:
    real = os.open
    before = snapshot(root)

    def refuses(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(number, os.strerror(number), path)
        return real(path, flags, *more, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuses)
        result = courtly(root, *args)
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert line.endswith(f".courtly.lock: {WORDS[number]}")
    assert snapshot(root) == before


def test_a_read_only_archive_gives_one_line(root: Path) -> None:
    folder = root / "games" / "a" / FIRST
    folder.chmod(0o500)
    try:
        try:
            (folder / "probe").touch()
        except PermissionError:
            pass
        else:
            (folder / "probe").unlink()
            pytest.skip("this user may write everywhere")
        result = courtly(root, "run", "--now")
    finally:
        folder.chmod(0o700)
    assert result.exit_code == 1
    assert errors(result) == [f"error: games/a/{FIRST}/.courtly-map.svg: {WORDS[errno.EACCES]}"]


# Doing nothing ----------------------------------------------------------------------------------------------------


def test_when_nothing_is_due_no_byte_changes(root: Path) -> None:
    before = snapshot(root / "games")
    stamps = {path: path.stat().st_mtime_ns for path in (root / "games").rglob("*")}
    result = courtly(root, "run", "--at", "2026-11-22T23:59Z")
    assert (result.exit_code, result.output) == (0, "Nothing is due.\n")
    assert json.loads(courtly(root, "--json", "run", "--at", "2026-11-22T23:59Z").stdout) == {"steps": 0}
    assert snapshot(root / "games") == before
    assert {path: path.stat().st_mtime_ns for path in (root / "games").rglob("*")} == stamps


def test_running_twice_changes_nothing_the_second_time(root: Path) -> None:
    first = courtly(root, "run", "--at", AT)
    assert first.stdout.splitlines() == ["a: resolved Spring 1901, movement", "a: opened Fall 1901, movement"]
    after = snapshot(root / "games")
    assert courtly(root, "run", "--at", AT).output == "Nothing is due.\n"
    assert snapshot(root / "games") == after


def test_a_game_that_is_named_twice_is_judged_once(root: Path) -> None:
    result = courtly(root, "run", "--now", "--game", "a", "--game", "a", "--at", AT)
    assert result.stdout.splitlines() == ["a: resolved Spring 1901, movement", "a: opened Fall 1901, movement"]
    assert courtly(root, "verify", "a", "a").stdout.startswith("1 game, 1 turn ")


def test_sheets_that_grow_when_judged_cannot_make_a_turn_that_cannot_be_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudicator.core.jobs.run.OWN_LIMIT", 1_500)
    before = snapshot(root / "games")
    result = courtly(root, "run", "--now", "--at", AT)
    assert result.exit_code == 1
    (line,) = errors(result)
    assert line.startswith(f"error: games/a/{FIRST}: judged, the turn's file would have ")
    assert line.endswith("at most 1500 are allowed; shorten the longest sheet")
    assert snapshot(root / "games") == before


def test_a_sheet_with_too_many_orders_is_refused(root: Path) -> None:
    sheet(root, "a", POWERS[0], f"orders: [{','.join('a' * 101)}]\n")
    checked = courtly(root, "check")
    assert checked.exit_code == 1
    (line,) = errors(checked)
    assert "orders" in line
    assert "100" in line
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    archive = Archive(root)
    data = load_turn(archive, load_game(archive, "a"), FIRST).data
    assert not [verdict for verdict in data.verdicts if verdict.seat == POWERS[0] and not verdict.implied]
    assert "100" in {**(data.refused or {}), **(data.partly or {})}[f"{POWERS[0].lower()}.yaml"]


def test_a_turn_is_due_at_its_deadline_and_the_next_counts_from_then(root: Path) -> None:
    assert courtly(root, "run", "--at", "2026-11-23T00:00Z").exit_code == 0
    archive = Archive(root)
    game = load_game(archive, "a")
    first, second = (load_turn(archive, game, name).data for name in archive.turns("a"))
    assert (first.status, first.deadline, first.closed) == ("resolved", "2026-11-23T00:00Z", "2026-11-23T00:00Z")
    assert (second.status, second.deadline, second.closed) == ("open", "2026-11-26T00:00Z", None)


def test_the_shortest_turn_is_judged_only_once_in_a_run(tmp_path: Path) -> None:
    new(tmp_path, "b", "--turn", "1m")
    assert len(courtly(tmp_path, "run", "--at", AT).stdout.splitlines()) == 2
    refused = courtly(tmp_path, "new", "c", "--turn", "0h")
    assert refused.exit_code == 1
    assert "'0h' is not a length of time" in refused.stderr
    assert Archive(tmp_path).slugs() == ["b"]


def test_a_game_that_is_over_or_only_a_record_is_left_alone(root: Path) -> None:
    new(root, "b")
    (root / "games" / "b" / "ending.yaml").write_text("schema: 1\n")
    replace_in(root / "games" / "a" / "game.yaml", "opened:", "kind: record\nopened:")
    before = snapshot(root / "games")
    for args in (["run", "--now"], ["run", "--now", "--game", "b"], ["run", "--now", "--game", "a"]):
        assert courtly(root, *args).output == "Nothing is due.\n"
    assert snapshot(root / "games") == before


def test_a_game_without_turns_is_opened_and_not_judged_at_once(root: Path) -> None:
    orders = root / "games" / "a" / FIRST / "orders"
    turn, before = orders.parent / "turn.yaml", snapshot(root / "games")
    shutil.move(orders, root / "orders")
    shutil.rmtree(orders.parent)
    assert courtly(root, "run", "--now", "--at", "2026-11-21T00:00Z").stdout == "a: opened Spring 1901, movement\n"
    shutil.move(root / "orders", orders)
    # Only the start of the deadline's clock differs (FH-1).
    text = turn.read_text()
    assert text.count("\nopened: 2026-11-21T00:00Z\ndeadline: 2026-11-24T00:00Z\n") == 1
    turn.write_text(text.replace("opened: 2026-11-21T00:00Z\ndeadline: 2026-11-24", "deadline: 2026-11-23"))
    assert snapshot(root / "games") == before


# Links and odd names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["..", ".", "", "../a", "a/../a", "/etc", "A", "a b", "a\n", "-a", "a" * 81, "ä", ".courtly-a"]
)
def test_names_that_a_game_cannot_have_are_refused(root: Path, name: str) -> None:
    before = snapshot(root / "games")
    archive = Archive(root)
    for ask in (archive.game_folder, archive.turns, archive.has_ended, archive.clean):
        with pytest.raises(Problems, match="cannot be a game's name"):
            ask(name)
    for args in (
        ["new", "--", name],
        ["run", "--now", f"--game={name}"],
        ["render", "--", name],
        ["verify", "--", name],
    ):
        assert courtly(root, *args).exit_code == 1
    assert snapshot(root / "games") == before


def test_folders_that_are_not_games_or_turns_are_skipped(root: Path) -> None:
    games = root / "games"
    (games / "README.md").write_text("")
    (games / "Not A Game").mkdir()
    (games / "linked").symlink_to("a")
    for name in ("notes", "1-x", "00001-x", "003-X", "００３-x", "orders"):
        (games / "a" / name).mkdir()
    (games / "a" / "004-file").write_text("")
    (games / "a" / "005-linked").symlink_to(FIRST)
    archive = Archive(root)
    assert archive.slugs() == ["a"]
    assert archive.turns("a") == [FIRST]


@pytest.mark.parametrize("command", [["run", "--now", "--game"], ["verify"], ["render"], ["export"]])
def test_a_game_that_is_a_link_is_refused(root: Path, tmp_path: Path, command: list[str]) -> None:
    outside = Path(shutil.copytree(root / "games" / "a", tmp_path / "outside" / "games" / "linked"))
    (root / "games" / "linked").symlink_to(outside)
    before = snapshot(outside)
    result = courtly(root, *command, "linked")
    assert result.exit_code == 1
    assert "games/linked" in result.stderr
    assert "this is a link" in result.stderr
    assert snapshot(outside) == before


def test_links_with_unfinished_names_let_nothing_be_written_or_removed_elsewhere(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (outside / f"{UNFINISHED}kept").write_text("kept")
    turn = root / "games" / "a" / FIRST
    (turn / f"{UNFINISHED}map.svg").symlink_to(outside / "kept")
    (root / "games" / "a" / f"{UNFINISHED}{SECOND}").symlink_to(outside)
    (root / "games" / f"{UNFINISHED}x").symlink_to(outside)
    (root / "games" / "a" / "elsewhere").symlink_to(outside)
    before = snapshot(outside)
    Disk(root).write(turn / "map.svg", b"<svg></svg>")
    (turn / f"{UNFINISHED}map.svg").symlink_to(outside / "kept")
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    assert snapshot(outside) == before
    assert not list((root / "games").rglob(f"{UNFINISHED}*"))


def test_the_next_run_removes_all_unfinished_work_even_if_nothing_is_due(root: Path) -> None:
    before = snapshot(root / "games")
    for folder in (root / "games", root / "games" / "a", root / "games" / "a" / FIRST):
        (folder / f"{UNFINISHED}file").write_text("half")
        (folder / f"{UNFINISHED}folder").mkdir()
        (folder / f"{UNFINISHED}folder" / "inner").write_text("half")
    assert courtly(root, "run", "--at", "2026-11-20T10:00Z").output == "Nothing is due.\n"
    assert snapshot(root / "games") == before


def test_reading_refuses_anything_but_a_plain_file(root: Path) -> None:
    for name, make in {
        "link": lambda path: path.symlink_to("/etc/passwd"),
        "gone-link": lambda path: path.symlink_to("nowhere"),
        "folder": Path.mkdir,
        "pipe": getattr(os, "mkfifo", lambda _: None),
        "gone": lambda _: None,
    }.items():
        make(root / name)
        with pytest.raises(Problems) as caught:
            Archive(root).read(root / name)
        assert str(caught.value).startswith(f"{name}: ")


def test_writing_a_folder_replaces_unfinished_work_but_no_finished_folder(tmp_path: Path) -> None:
    (tmp_path / f"{UNFINISHED}001-x").mkdir()
    (tmp_path / f"{UNFINISHED}001-x" / "old").write_text("old")
    Disk(tmp_path).write_folder(tmp_path / "001-x", {"a": b"1", "deep/b": b"2"})
    assert snapshot(tmp_path) == {"001-x": None, "001-x/a": b"1", "001-x/deep": None, "001-x/deep/b": b"2"}
    with pytest.raises(OSError, match="not empty"):
        Disk(tmp_path).write_folder(tmp_path / "001-x", {"a": b"other"})
    assert snapshot(tmp_path) == {"001-x": None, "001-x/a": b"1", "001-x/deep": None, "001-x/deep/b": b"2"}


def test_writing_a_file_says_whether_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "f"
    assert Disk(tmp_path).write(path, b"1") is True
    assert Disk(tmp_path).write(path, b"1") is False
    assert Disk(tmp_path).write(path, b"2") is True
    assert snapshot(tmp_path) == {"f": b"2"}


def test_a_missing_archive_is_reported_with_what_to_do(tmp_path: Path) -> None:
    for args in (["run"], ["check"], ["verify"]):
        result = courtly(tmp_path, *args)
        assert result.exit_code == 1
        assert result.stderr.endswith(
            "there is no archive here; run this in a folder that holds games/, or make one with `courtly init`\n"
        )
    assert snapshot(tmp_path) == {}


def test_the_doctor_reports_what_a_killed_run_left_and_gaps_in_numbers(root: Path) -> None:
    archive = Archive(root)
    assert all(ok for ok, what in examine(archive, AT) if what.startswith("games/"))
    (root / "games" / "a" / f"{UNFINISHED}{SECOND}").mkdir()
    (root / "games" / "a" / FIRST).rename(root / "games" / "a" / "002-spring-1901-movement")
    wrong = [what for ok, what in examine(archive, AT) if not ok and what.startswith("games/a")]
    assert any("was left by a run that was killed" in what for what in wrong)
    assert any(
        "its folder is called '002-spring-1901-movement'" in what or "numbered from 001" in what for what in wrong
    )


MASTER = "courtly-master-1-" + "5a" * 32


def test_the_doctor_finds_a_master_secret_that_git_would_publish(root: Path) -> None:
    """FH-2. It is never repeated."""
    top, inner = root, Archive(root / "inner")
    (root / "inner").mkdir()
    (root / "games").rename(root / "inner/games")
    (top / ".git").mkdir()
    spots = [top / "master.txt", root / "inner/games/a/notes.md", root / "inner/.env"]
    for path in (*spots, top / ".git/config", root.parent / "master.txt", root / "inner/games/a" / FIRST / "map.svg"):
        path.write_text(f"# keep it\nMASTER={MASTER}\n")
    (root / "inner/key.txt").write_text("courtly-master-1-abc, AGE-SECRET-KEY-1")
    (root / "inner/big").write_bytes(b"x" * 2_000_000)
    (root / "inner/cache").mkdir()
    (root / "inner/cache/.gitignore").write_text("# made by a tool\n*\n")
    (root / "inner/cache/x").write_text(MASTER)
    (root / "inner/loop").symlink_to(root.parent / "master.txt")
    wrong = [what for ok, what in examine(inner, AT) if not ok]
    assert [what.partition(" contains a master secret")[0] for what in wrong] == [
        ".env", "games/a/notes.md", (top / "master.txt").as_posix(),
    ]  # fmt: skip
    assert all("move it out" in what and "5a5a" not in what for what in wrong)


def test_the_doctor_reports_a_missing_map_or_page(root: Path) -> None:
    """FH-10."""
    (root / "games/a" / FIRST / "map.svg").unlink()
    done = courtly(root, "doctor")
    line = f"wrong  games/a/{FIRST}/map.svg is missing: draw it again with `courtly render a {FIRST}`\n"
    assert (done.exit_code, line in done.stdout, "site_src" in done.stdout) == (1, True, False)
    assert courtly(root, "render", "a").exit_code == 0
    assert courtly(root, "doctor").exit_code == 0
    assert courtly(root, "init", "--from", ORIGIN).exit_code == 0
    assert courtly(root, "doctor").exit_code == 0
    (root / "site_src/index.md").unlink()
    wrong = [line for line in courtly(root, "doctor").stdout.splitlines() if line.startswith("wrong")]
    assert wrong == ["wrong  site_src/index.md is missing: `courtly init` writes it again"]
    assert courtly(root, "init").exit_code == 0
    assert courtly(root, "doctor").exit_code == 0


def test_a_tampered_open_turn_is_not_judged(root: Path) -> None:
    archive = Archive(root)
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    path = root / "games/a" / archive.turns("a")[-1] / "turn.yaml"
    path.write_text(path.read_text().replace("F London", "A London"))
    before = snapshot(root / "games")
    for words in (("check",), ("run", "--now", "--at", AT)):
        result = courtly(root, *words)
        assert result.exit_code == 1
        assert "the position is not the one the turn before led to" in result.stderr
    assert snapshot(root / "games") == before


def test_a_tampered_first_turn_is_not_judged(root: Path) -> None:
    path = root / "games/a" / FIRST / "turn.yaml"
    path.write_text(path.read_text().replace("F London", "A London"))
    result = courtly(root, "run", "--now", "--at", AT)
    assert result.exit_code == 1
    assert f"games/a/{FIRST}/turn.yaml: the position is not the one" in result.stderr


def test_verify_names_the_sheet_that_was_changed_added_or_removed(root: Path) -> None:
    orders = root / "games/a" / FIRST / "orders"
    (orders / "turkey.yaml").unlink(missing_ok=True)
    sheet(root, "a", "Austria", "orders: []\n")
    sheet(root, "a", "France", "orders: []\n")
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    sheet(root, "a", "Austria", "orders: [A Vie H]\n")
    sheet(root, "a", "Turkey", "orders: []\n")
    (root / "games/a" / FIRST / "orders/france.yaml").unlink()
    result = courtly(root, "verify")
    assert result.exit_code == 1
    for seat, what in (("austria", "changed"), ("turkey", "added"), ("france", "removed")):
        assert f"games/a/{FIRST}/orders/{seat}.yaml: this sheet was {what} after the turn was judged" in result.stderr


def test_check_warns_of_files_that_nothing_reads(root: Path) -> None:
    for path in (
        "games/france.yaml",
        "games/a/france.yaml",
        f"games/a/{FIRST}/france.yaml",
        "games/a/orders/france.yaml",
    ):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("orders: []\n")
    result = courtly(root, "check")
    assert result.exit_code == 0
    said = [line for line in result.stderr.splitlines() if "nothing reads this" in line and "games/b" not in line]
    assert {line.split(": ")[1] for line in said} == {
        "games/france.yaml", "games/a/france.yaml", f"games/a/{FIRST}/france.yaml", "games/a/orders",
    }  # fmt: skip
    assert all(f"/{FIRST}/orders/" in line for line in said)


def test_an_editors_byte_order_mark_is_not_a_fault(root: Path) -> None:
    sheet(root, "a", "Austria", "\ufefforders: [A Vie H]\n")
    assert courtly(root, "check").exit_code == 0


def test_the_sheet_of_a_seat_that_owes_none_is_checked_anyway(root: Path) -> None:
    archive = Archive(root)
    game = load_game(archive, "a")
    turn = load_turn(archive, game, FIRST)
    position = turn.data.position
    winter = replace(position, phase=type(position.phase)("adjustments"), season=type(position.season)("Winter"))
    text = read(b"orders: [A Foo - Bar]\n", "x.yaml")
    remarks = [(p.level, p.what) for p in check_sheet(game, replace(turn.data, position=winter), "Austria", text)]
    assert ("error", "no place is called 'Foo'") in remarks
    assert any(level == "warning" and "has nothing to order" in what for level, what in remarks)
