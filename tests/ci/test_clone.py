"""A job commits its folder byte for byte, whatever the repository tells git about it (RT-1)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from adjudicator.ci.clone import Clone
from adjudicator.core.text.problems import Problems
from tests.ci.fake import git

NOON = "2026-11-20T12:00Z"
FILES = {
    "games/summer/003-fall/turn.yaml": b"schema: 1\nstatus: resolved\n",
    "games/summer/003-fall/secret.age": b"age-encryption.org/v1\n\x00\xff\r\n",
    "games/summer/003-fall/dispatches/first.age": b"\x01\x02",
    "games/summer/003-fall/map.svg": b"<svg>$Id$</svg>\r\n",
    "games/summer/003-fall/orders/first.yaml": "orders: [äöü]\n".encode(),
}


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone of a repository whose files tell git to leave things out and to rewrite them."""
    origin, root = tmp_path / "origin.git", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", "-b", "main", str(origin))
    git(tmp_path, "clone", "--quiet", str(origin), str(root))
    (root / "games/summer").mkdir(parents=True)
    (root / "games/summer/game.yaml").write_bytes(b"schema: 1\n")
    (root / ".gitignore").write_text("secret*\n*.age\ndispatches/\n", "utf-8")
    (root / "games/summer/.gitignore").write_text("*\n", "utf-8")
    git(root, "add", "--force", "--all")
    (root / ".gitattributes").write_text("*.yaml working-tree-encoding=UTF-16\n*.svg text eol=crlf ident\n", "utf-8")
    git(root, "add", "--force", ".gitattributes")
    git(root, "-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "--quiet", "--no-gpg-sign", "-m", "All")
    git(root, "push", "--quiet", "origin", "HEAD:refs/heads/main")
    return Clone(root, "main")


def judged(clone: Clone) -> None:
    """Write a judged turn and commit it, as a job does."""
    clone.update()
    for name, body in FILES.items():
        (clone.root / name).parent.mkdir(parents=True, exist_ok=True)
        (clone.root / name).write_bytes(body)
    assert clone.commit(["A turn was judged"], NOON, ["summer"])


def test_a_commit_holds_every_byte(clone: Clone, tmp_path: Path) -> None:
    """Ignored names, an encoding for the working tree, line ends: the commit has the exact bytes."""
    judged(clone)
    assert clone.push()
    for name, body in FILES.items():
        told = subprocess.run(
            ["git", "-C", str(tmp_path / "origin.git"), "cat-file", "blob", f"main:{name}"],
            capture_output=True,
            check=True,
        )
        assert told.stdout == body, name
    assert not clone.commit(["Nothing"], NOON, ["summer"])


def test_deleted_files_are_not_in_the_commit(clone: Clone) -> None:
    """A turn that was put back leaves nothing behind."""
    judged(clone)
    (clone.root / "games/summer/003-fall/secret.age").unlink()
    assert clone.commit(["It was put back"], NOON, ["summer"])
    assert "secret.age" not in git(clone.root, "ls-tree", "-r", "--name-only", "HEAD").decode()


def test_a_repository_within_the_folder_stops_the_push(clone: Clone) -> None:
    """A repository within the game's folder: git would only note its commit, without its files."""
    inner = clone.root / "games/summer/003-fall"
    inner.mkdir(parents=True)
    git(inner, "init", "--quiet")
    (inner / "turn.yaml").write_bytes(b"schema: 1\n")
    with pytest.raises(Problems):
        clone.commit(["A turn was judged"], NOON, ["summer"])
