"""One floor for files: no other module opens, lists, makes, moves or removes any; on disk, by Windows' method and in memory it behaves alike."""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.core.files.disk import HANDLES, Disk
from adjudicator.core.files.floor import UNFINISHED, Files, Link, TooLarge
from adjudicator.core.files.memory import Memory
from adjudicator.core.files.places import named, remembered
from tests.conftest import ROOT

PACKAGE = ROOT / "adjudicator"
FLOOR = PACKAGE / "core" / "files"
METHODS = frozenset({
    "chmod", "exists", "expanduser", "glob", "hardlink_to", "is_dir", "is_file", "is_junction", "is_mount", "is_symlink", "iterdir",
    "lchmod", "link_to", "lstat", "mkdir", "read_bytes", "read_text", "readlink", "rglob", "rmdir", "samefile", "scandir", "stat",
    "symlink_to", "touch", "unlink", "walk", "write_bytes", "write_text",
})  # fmt: skip
"""Methods of `Path` that use the disk. `resolve`, `absolute` and `cwd` only give names, so they are left out."""
OF_OS = frozenset({
    "access", "chdir", "chmod", "chown", "link", "listdir", "lstat", "makedirs", "mkdir", "mkfifo", "open", "readlink", "remove",
    "removedirs", "rename", "renames", "replace", "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime", "walk",
})  # fmt: skip
OF_PATHS = frozenset({"exists", "getsize", "isdir", "isfile", "islink", "lexists", "samefile"})
MODULES = frozenset({"fileinput", "glob", "shutil", "tempfile", "filelock", "io.open", "codecs.open"})
OURS = re.compile(r"(?:\w+\.)*(?:\w+_)?files|(?:Disk|Own)\(.*\)")
"""Names that refer to the floor."""
ALLOWED = {
    ("adjudicator/core/jobs/pin.py", "read_text"): "of a package that is installed, by importlib",
    ("adjudicator/core/game/installed.py", "read_text"): "of a package that is installed, by importlib",
    ("adjudicator/core/game/schedule.py", "is_file"): "of the package tzdata, by importlib",
    ("adjudicator/core/game/schedule.py", "open"): "of the package tzdata, by importlib",
    ("adjudicator/cli/output.py", "os.open"): "the system's own hole for what nobody reads",
    ("adjudicator/core/jobs/doctor.py", "shutil"): "`which`: whether a program is there",
    ("adjudicator/ci/setup.py", "shutil"): "`which`: whether a program is there",
    ("adjudicator/cli/moving.py", "rename"): "of a game, by the floor",
}


def asked_of_the_disk(tree: ast.AST) -> set[str]:
    """Calls and imports of a module that open files or change them."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                found.add("open")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr=name)) if name in OF_OS:
                found.add(f"os.{name}")
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path"), attr=name)) if name in OF_PATHS:
                found.add(f"os.path.{name}")
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in METHODS | {"open", "rename"}:
                if not OURS.fullmatch(ast.unparse(value)):
                    found.add(name)
            case ast.Import(names=names):
                found |= {one.name for one in names} & MODULES
            case ast.ImportFrom(module=module) if module in MODULES:
                found.add(module)
            case ast.ImportFrom(module="os", names=names):
                found |= {f"os.{one.name}" for one in names if one.name in OF_OS}
    return found


@pytest.mark.parametrize(
    "path",
    sorted(path for path in PACKAGE.rglob("*.py") if FLOOR not in path.parents),
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_only_the_floor_touches_files(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    found = asked_of_the_disk(ast.parse(path.read_text("utf-8")))
    assert {one for one in found if (name, one) not in ALLOWED} == set()


def test_every_exception_is_needed() -> None:
    """Needless exceptions have to be removed."""
    for path, what in ALLOWED:
        assert what in asked_of_the_disk(ast.parse((ROOT / path).read_text("utf-8"))), (path, what)


def test_the_search_finds_each_way_to_touch_a_file() -> None:
    for line in (
        "open('x')", "Path('x').read_bytes()", "path.open()", "os.replace(a, b)", "import shutil", "from shutil import rmtree",
        "from os import scandir", "os.path.isfile(x)", "(folder / 'x').write_text('')", "import tempfile", "path.rename(y)",
    ):  # fmt: skip
        assert asked_of_the_disk(ast.parse(line)), line


# Three that do the same --------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Path], Files]] = {
    "handles": Disk,
    "looks": lambda root: Disk(root, handles=False),
    "memory": Memory,
}
"""Unix' method, Windows' method (which runs here too), and no disk."""


@pytest.fixture(params=[kind for kind in KINDS if kind != "handles" or HANDLES])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    (tmp_path / "root").mkdir()
    return KINDS[request.param](tmp_path / "root")


LINUX = sys.platform == "linux"
NAMES = ("a", "b", "c.yaml", ".hidden", "a b", "ü")


def step(rolls: random.Random, files: Files) -> tuple[str, object]:
    """One random operation or query: its result, or the number of the error."""
    path, to = (files.root.joinpath(*rolls.choices(NAMES, k=rolls.randint(1, 3))) for _ in range(2))
    body = rolls.randbytes(rolls.randint(0, 40))
    does: dict[str, Callable[[], object]] = {
        "write": lambda: files.write(path, body),
        "soft": lambda: files.write(path, body, lasting=False),
        "create": lambda: files.create(path, body),
        "make": lambda: files.make(path) and None,
        "folder": lambda: files.write_folder(path, {"x": body, "y/z": b"1"}),
        "move": lambda: files.move(path, to) if files.exists(path) else None,
        "remove": lambda: files.remove(path),
        "read": lambda: files.read(path),
        "start": lambda: files.start(path, 5),
        "limit": lambda: files.read(path, 20),
        "kind": lambda: files.kind(path),
        "names": lambda: files.names(path),
        "paths": lambda: [one.name for one in files.paths(path, "*.yaml")],
    }
    name = rolls.choice([*does])
    try:
        return name, does[name]()
    except OSError as error:
        # Other systems have other numbers for errors that callers treat alike.
        return name, (error.errno if LINUX else "refused", os.path.relpath(error.filename, files.root))


def whole(files: Files) -> dict[str, bytes | None]:
    return {
        path.relative_to(files.root).as_posix(): files.read(path) if kind == "file" else None
        for path, kind in files.below(files.root)
    }


@pytest.mark.parametrize("seed", range(40))
def test_all_kinds_of_files_behave_the_same(tmp_path: Path, seed: int) -> None:
    """A law: whatever is done, the files, the results and the errors are equal."""
    for kind in KINDS:
        (tmp_path / kind).mkdir()
    made = {kind: (make(tmp_path / kind), random.Random(seed)) for kind, make in KINDS.items()}
    for _ in range(60):
        done = {kind: step(rolls, one) for kind, (one, rolls) in made.items()}
        assert len({repr(what) for what in done.values()}) == 1, done
        assert len({repr(whole(one)) for one, _ in made.values()}) == 1
    assert not [name for name in whole(made["memory"][0]) if UNFINISHED in name]


def test_a_written_file_is_whole_or_not_there(files: Files) -> None:
    assert files.write(files.root / "f", b"1") is True
    assert files.write(files.root / "f", b"1") is False
    with pytest.raises(FileExistsError):
        files.create(files.root / "f", b"2")
    with pytest.raises(TooLarge):
        files.read(files.root / "f", 0)
    with pytest.raises(NotADirectoryError):
        files.write_folder(files.root / "f" / "g", {"x": b""})
    assert whole(files) == {"f": b"1"}


@pytest.mark.parametrize("path", ["..", "../x", "a/../../x", "a//b", "./a", "a\0b", "/etc/passwd"])
def test_no_name_leads_out_of_the_root(files: Files, path: str) -> None:
    given = path if path.startswith("/") else f"{files.root}/{path}"
    with pytest.raises((OSError, ValueError), match=r"not a valid name|is not inside"):
        files.read(given)
    with pytest.raises((OSError, ValueError), match=r"not a valid name|is not inside"):
        files.write(given, b"")


LOOKING = ("is_file", "is_folder", "exists", "kind")


@pytest.fixture
def may_link(tmp_path: Path) -> None:
    """Windows does not let everybody make links."""
    try:
        (tmp_path / "a-link").symlink_to(tmp_path)
        (tmp_path / "a-link").unlink()
    except OSError:
        pytest.skip("no links can be made here")


@pytest.mark.usefixtures("may_link")
@pytest.mark.parametrize("handles", [True, False] if HANDLES else [False])
@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("to", ["folder", "file", "nowhere"])
def test_no_link_is_followed(tmp_path: Path, handles: bool, depth: int, to: str) -> None:
    """RT-3: wherever a link is on the way, nothing behind it is read, listed, written, moved or removed."""
    victim = tmp_path / "victim"
    (victim / "x/y").mkdir(parents=True)
    (victim / "x/y/z").write_text("precious")
    (victim / "z").write_text("precious")
    before = {path: path.read_bytes() for path in victim.rglob("*") if path.is_file()}
    root = tmp_path / "root"
    way = root.joinpath(*("x", "y", "z")[:depth])
    way.mkdir(parents=True)
    link = way / ("x", "y", "z")[depth]
    link.symlink_to({"folder": victim, "file": victim / "z", "nowhere": tmp_path / "nowhere"}[to])
    files = Disk(root, handles=handles)
    path = root / "x/y/z"
    behind = path / "more"
    assert [getattr(files, look)(behind) for look in LOOKING] == [False, False, False, None]
    assert files.kind(link) == "link"
    for act in (
        lambda: files.read(path), lambda: files.start(path, 3), lambda: files.names(path), lambda: files.create(behind, b"x"),
        lambda: files.write(behind, b"x"), lambda: files.make(behind), lambda: files.write_folder(behind, {"a": b"x"}),
        lambda: files.move(behind, root / "moved"), lambda: files.move(root / "other", behind),
    ):  # fmt: skip
        (root / "other").write_text("ours")
        with pytest.raises(OSError, match=r"Errno"):
            act()
    assert files.paths(path) == []
    assert [*files.below(path)] == []
    if link == path:
        assert files.write(path, b"ours") is True, "a link is replaced as itself"
        link.unlink()
        link.symlink_to(victim)
    files.remove(link)
    assert not link.is_symlink()
    assert {path: path.read_bytes() for path in victim.rglob("*") if path.is_file()} == before
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(not HANDLES, reason="has no handles of folders")
@pytest.mark.parametrize("handles", [True, False])
def test_a_folder_that_becomes_a_link_in_the_meantime_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handles: bool
) -> None:
    """Between the look and the write: with handles, the opened folder is written to; with looks, the change is detected and reported."""
    victim, root = tmp_path / "victim", tmp_path / "root"
    victim.mkdir()
    (root / "a").mkdir(parents=True)
    files = Disk(root, handles=handles)
    real = os.open

    def swapping(path: object, flags: int, *more: int, **named_too: int | None) -> int:
        if flags & os.O_CREAT and not (root / "a").is_symlink():
            shutil.move(root / "a", root / "away")
            (root / "a").symlink_to(victim)
        return real(path, flags, *more, **named_too)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", swapping)
    with pytest.raises(Link):
        files.create(root / "a" / "f", b"x")
    if handles:
        assert [path.name for path in victim.iterdir()] == []


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    """A host's private archive stays private."""
    if os.name != "posix":
        pytest.skip("files have no such modes here")
    for mode in (0o600, 0o644, 0o755):
        (tmp_path / "f").write_bytes(b"")
        (tmp_path / "f").chmod(mode)
        assert Disk(tmp_path).write(tmp_path / "f", bytes([mode & 0xFF]))
        assert (tmp_path / "f").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("name", ["n" * 250, "\ud800x", "ü" * 120])
def test_a_name_can_be_written_or_is_refused(files: Files, name: str) -> None:
    path = files.root / name
    if name[0] == "\ud800":
        assert files.kind(path) is None
        with pytest.raises(OSError, match="not a valid name"):
            files.write(path, b"x")
        return
    assert files.write(path, b"x")
    files.write_folder(files.root / f"{name[1:]}f", {"a": b"x"})
    assert set(whole(files)) == {name, f"{name[1:]}f", f"{name[1:]}f/a"}


def test_reading_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes by name here")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a file"):
        Disk(tmp_path).read(tmp_path / "pipe")
    assert Disk(tmp_path).kind(tmp_path / "pipe") == "other"


def test_only_one_process_can_hold_a_lock(files: Files) -> None:
    with files.lock(files.root / "lock") as first:
        assert first
        with (
            KINDS["memory"](files.root).lock(files.root / "lock")
            if isinstance(files, Memory)
            else files.lock(files.root / "lock") as second
        ):
            assert second is isinstance(files, Memory), "another's memory is another's"


@pytest.mark.usefixtures("may_link")
def test_no_lock_follows_a_link(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("years")
    (tmp_path / ".courtly.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(Link), Disk(tmp_path).lock(tmp_path / ".courtly.lock"):
        pass
    assert (tmp_path / "precious").read_text() == "years"


def test_only_its_owner_can_read_a_secret(tmp_path: Path) -> None:
    files, path = named(tmp_path / "new" / "key")
    files.make(path.parent)
    files.create(path, b"x", private=True)
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_the_cache_is_outside_of_every_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-3; the folder's name does not reveal where the archive lies, and each archive has a separate one."""
    one, other = remembered(tmp_path / "one").root, remembered(tmp_path / "other").root
    assert one != other
    assert one.parent == Path(os.environ["COURTLY_CACHE"])
    monkeypatch.delenv("COURTLY_CACHE")
    home = remembered(tmp_path / "one").root
    assert home.name == one.name
    assert tmp_path not in home.parents


# One door to git --------------------------------------------------------------------------------------------------

RUNS = {
    "adjudicator/core/game/repository.py": "git",
    "adjudicator/ci/setup.py": "gh",
    "adjudicator/site/init.py": "pip",
}
"""The modules that run a program, and its name."""


def test_no_other_module_runs_a_program() -> None:
    """RT-4: git is called in one place, whose environment overrides the repository's settings."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(
            r"\b(?:subprocess\.(?:run|Popen|call|check)|os\.(?:system|popen|exec|spawn))", path.read_text("utf-8")
        )
    }
    assert found == {*RUNS}
    for name, program in RUNS.items():
        text = (ROOT / name).read_text("utf-8")
        assert ('["git", ' in text) is (program == "git")
