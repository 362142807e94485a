"""Follows `site_src/group.md` to the letter, in a fresh environment and a folder of its own: `nox -s fresh`.

What stands behind `$` in its first blocks is run by one shell. The project's address is this clone's last commit, served as a bare
repository from a file; what asks GitHub is left out. Then the package is installed as the workflows do it, elsewhere, and judges
the archive again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT = ("gh ", "courtly init --github", "courtly doctor --github", "git push", "git remote ")
"""What needs GitHub itself."""


def commands(page: str, origin: str) -> list[str]:
    """What a reader of the page types."""
    lines = re.sub(r"\\\n\s*", "", "".join(BLOCK.findall(page))).splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [re.sub(r"^FROM=.*", f"FROM={origin}", line) for line in typed if not line.startswith(LEFT)]


def said(*words: str | Path, cwd: Path | None = None) -> str:
    """What a command prints; the run stops where one fails."""
    return subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True).stdout


def main(folder: Path) -> None:
    """Does it all in the folder, which is emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    remote = folder / "courtly.git"
    said("git", "clone", "--quiet", "--bare", ROOT, remote)
    origin = f"git+file://localhost{remote}@{said('git', 'rev-parse', 'HEAD', cwd=ROOT).strip()}"
    typed = commands((ROOT / "site_src/group.md").read_text(encoding="utf-8"), origin)
    # Nothing of this environment is seen, but for who commits.
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


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute() / "fresh")
