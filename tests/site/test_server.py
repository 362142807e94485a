"""The page for a plain server: its commands are typed, and its line for cron judges, pushes and publishes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.secrets.masters import new_master, read_masters
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.site.init import gitignore_text
from tests.site.conftest import empty_site

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CRON = re.compile(r"^```crontab\n(?:\S+ ){5}(.*)\n```$", re.MULTILINE)
SEATS = ("Assyria", "Babylon")


@pytest.mark.slow
def test_following_the_page_keeps_a_game_going(tmp_path: Path, root: Path) -> None:
    """Typed by one shell in an empty home: a sheet is added, cron's line judges the turn, everything is pushed, and pages are built."""
    page = (root / "site_src/server.md").read_text("utf-8")
    typed = [line.removeprefix("$ ") for line in "".join(BLOCK.findall(page)).splitlines() if line.startswith("$ ")]
    (cron,) = CRON.findall(page)
    assert [line.split()[0] for line in typed] == ["cd", "git", "courtly"]
    # The result of group.md's steps: an archive, the secret, the command.
    folder = tmp_path / "our-games"
    folder.mkdir()
    empty_site(folder)
    (folder / ".gitignore").write_bytes(gitignore_text(b""))
    secret = new_master()
    (tmp_path / "master.txt").write_text(f"{secret}\n")
    archive = Archive(folder, read_masters(secret, "test"))
    new_charter(archive)
    data = {
        "ruleset": "diplomacy", "title": "A duel", "opened": f"{datetime.now(UTC):%Y-%m-%d}", "sealed": True, "id": "0a" * 8,
        "schedule": {"turn": "7d"}, "settings": {"board": "two_rivers"}, "seats": {seat: {"player": seat} for seat in SEATS},
    }  # fmt: skip
    new_game(archive, "duel", data)
    (tmp_path / "venv/bin").mkdir(parents=True)
    (tmp_path / "venv/bin/activate").write_text(f'PATH="{Path(sys.executable).parent}:$PATH"\n')
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", tmp_path / "remote.git"], check=True)
    for seat in SEATS:
        (tmp_path / f"{seat.lower()}.yaml").write_text("orders: []\nfinal: true\n")
    typed = [line.replace("ADDRESS", str(tmp_path / "remote.git")) for line in typed]
    lines = [*typed[:2], *(typed[2].replace("Italy", seat).replace("italy", seat.lower()) for seat in SEATS)]
    who = {f"GIT_{role}_{what}": "anna@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    home = {
        "HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
    } | who

    def run(shell: str, *script: str) -> None:
        # Cron's shell begins in the home, with a path that does not contain the command.
        own = home | ({"PATH": "/usr/bin:/bin"} if shell == "sh" else {})
        done = subprocess.run(
            [shell, "-ec" if shell == "bash" else "-c", "\n".join(script)],
            check=False,
            cwd=tmp_path,
            env=own,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("bash", *lines)
    first = load_turn(archive, load_game(archive, "duel"), archive.turns("duel")[0])
    assert sorted(path.name for path in (first.folder / "orders").iterdir()) == ["assyria.yaml", "babylon.yaml"]
    # A fault in another game's rulings stops only that game.
    new_game(archive, "second", data | {"id": "0b" * 8})
    (folder / "games/second" / first.name / "ruling.yaml").write_text("rulings: never\n")
    run("sh", cron)
    assert load_turn(archive, load_game(archive, "duel"), first.name).data.status == "resolved"
    shown = folder / "public/games/duel" / first.name / "index.html"
    assert "Assyria" in shown.read_text("utf-8")
    git = ["git", "-C", str(folder)]
    shutil.rmtree(folder / "games/second")
    run("sh", cron)
    heads = [
        subprocess.run([*git, *words], check=True, capture_output=True, text=True).stdout.split()[0]
        for words in (["rev-parse", "HEAD"], ["ls-remote", "origin", "refs/heads/main"])
    ]
    assert heads[0] == heads[1]
    assert subprocess.run([*git, "status", "--short"], check=True, capture_output=True).stdout == b""
    run("sh", cron)  # a quarter of an hour later nothing is due, and nothing fails
    again = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.split()[0]
    assert again == heads[0]
