"""Follows `site_src/group.md` to the letter, in a fresh environment and a separate folder: `nox -s fresh`.

One shell runs the commands behind `$` in its first blocks. The project's address is this clone's last commit, served as a bare repository from a
file; commands that ask GitHub are left out. Then the package is installed as the workflows do it, elsewhere, and judges the archive again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT = ("gh ", "courtly init --github", "courtly doctor --github", "git push", "git remote ")
"""Commands that need GitHub itself."""


def commands(page: str, origin: str) -> list[str]:
    """Commands that a reader of the page types."""
    lines = re.sub(r"\\\n\s*", "", "".join(BLOCK.findall(page))).splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [re.sub(r"^FROM=.*", f"FROM={origin}", line) for line in typed if not line.startswith(LEFT)]


def said(*words: str | Path, cwd: Path | None = None) -> str:
    """Output of a command; the run stops where one fails."""
    return subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True).stdout


def main(folder: Path) -> None:
    """Runs everything in the folder, which is emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    remote = folder / "courtly.git"
    said("git", "clone", "--quiet", "--bare", ROOT, remote)
    origin = f"git+file://localhost{remote}@{said('git', 'rev-parse', 'HEAD', cwd=ROOT).strip()}"
    typed = commands((ROOT / "site_src/group.md").read_text(encoding="utf-8"), origin)
    # Nothing of this environment is visible, except the committer.
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name in ("PATH", "LANG")}
    names = {f"GIT_{who}_{what}": "anna@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    script = "\n".join(f"echo {index + 1}: >&2; {line} || exit 1" for index, line in enumerate(typed))
    print("\n".join(typed), flush=True)
    alone = kept | names | {"HOME": str(folder)}
    script += "\ncourtly check && courtly doctor && git status --short"
    subprocess.run(["bash", "-c", script], cwd=folder, env=alone, check=True)
    games = folder / "our-games"
    assert (games / ".github/courtly.txt").read_text().endswith(f"\n# install: courtly @ {origin}\n")
    assert not [name for name in said("git", "ls-files", cwd=games).splitlines() if "master" in name]
    for name, locks, command in (
        ("job", "-r .github/courtly.txt", "verify"),
        ("pages", "-r .github/courtly.txt -r .github/courtly-site.txt", "site"),
    ):
        pip, courtly = f"../{name}/bin/python3 -m pip install --quiet", f"../{name}/bin/courtly"
        lines = (
            f"python3 -m venv ../{name}",
            f"{pip} --require-hashes {locks}",
            f"{pip} --no-deps --no-build-isolation -r <(sed -n 's/^# install: //p' .github/courtly.txt)",
            f"{courtly} --version && {courtly} doctor && {courtly} {command}",
        )
        subprocess.run(["bash", "-ec", "\n".join(lines)], cwd=games, env=alone, check=True)
    subprocess.run(["../pages/bin/courtly", "doctor", "--site", "public"], cwd=games, env=alone, check=True)
    play(folder, games, alone)


SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PLAYERS = {seat: {"Austria": 1234567, "England": 7654321}.get(seat, 900 + at) for at, seat in enumerate(SEATS)}
"""The accounts of the page's game; the others join."""


def play(folder: Path, games: Path, alone: dict[str, str]) -> None:
    """The installed job plays the pushed game on a GitHub on loopback, until a turn is judged; its times are printed."""
    from tests.ci.fake import OWNER, FakeGitHub

    fake = FakeGitHub(folder)
    said("git", "push", "--quiet", str(fake.repository), "HEAD:main", cwd=games)
    runner, command = folder / "runner", folder / "job/bin/courtly"
    said("git", "clone", "--quiet", str(fake.repository), runner)
    secret = next(
        line for line in (folder / "our-games-master.txt").read_text().splitlines() if line.startswith("courtly-")
    )
    job = alone | {"GITHUB_API_URL": fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t"}
    times: dict[str, list[float]] = {}

    def run(*words: str, **more: str) -> str:
        start = time.perf_counter()
        done = subprocess.run(
            [command, "ci", *words], cwd=runner, env=job | more, capture_output=True, text=True, check=False
        )
        times.setdefault(words[0], []).append(time.perf_counter() - start)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def offer(seat: str, name: str, body: bytes) -> str:
        return run("intake", "--pull", str(fake.open_pull(PLAYERS[seat], seat.lower(), {f"games/summer/{name}": body})))

    try:
        for seat in SEATS[2:]:
            assert "accepted" in offer(seat, f"join/{seat.lower()}.yaml", f"seat: {seat}\n".encode())
        at = fake.now.strftime("%Y-%m-%dT%H:%MZ")
        opened = run("adjudicate", "--at", at, COURTLY_MASTER=secret)
        assert "summer: opened Spring 1901, movement" in opened, opened
        said("git", "pull", "--quiet", "origin", "main", cwd=runner)
        (turn,) = (path.parent for path in runner.glob("games/summer/*/turn.yaml"))
        deadline = re.search(r"^deadline: \"?([^\"\n]+)", (turn / "turn.yaml").read_text(), re.MULTILINE)
        assert deadline is not None
        for seat in SEATS:
            sheet = folder / f"{seat.lower()}.yaml"
            sheet.write_text("orders: []\n")
            sealed = folder / f"{seat.lower()}.age"
            words = ("seal", sheet, "--game", "summer", "--seat", seat, "-o", sealed)
            subprocess.run([command, *words], cwd=runner, env=alone, check=True, capture_output=True)
            name = f"{turn.name}/orders/{seat.lower()}.yaml.age"
            if seat == "Turkey":  # its event is lost
                fake.open_pull(PLAYERS[seat], "turkey", {f"games/summer/{name}": sealed.read_bytes()})
                assert "accepted" in run("catch-up")
            else:
                assert "accepted" in offer(seat, name, sealed.read_bytes())
        judged = run("adjudicate", "--at", deadline[1], COURTLY_MASTER=secret)
        assert "summer: resolved Spring 1901, movement" in judged, judged
        said("git", "pull", "--quiet", "origin", "main", cwd=runner)
        proof = subprocess.run(
            [command, "verify", "--history"], cwd=runner, env=alone, check=True, capture_output=True, text=True
        )
        print(proof.stdout.strip().splitlines()[-1])
        for name, taken in times.items():
            print(f"{name}: {len(taken)} jobs, {sum(taken) / len(taken):.1f} s each")
    finally:
        fake.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute() / "fresh")
