"""The judge for browsers in Firefox: `nox -s firefox`. Judges finished turns again, one at a table, checks at the order desk, and asks nobody
else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from adjudicator.site.engine import has_engine
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site, served

GAMES = ("archive.yaml", "first-lessons", "the-heir-of-avermark")
"""An open game, and one that hid something."""
DESK = "first-lessons/austria"
"""A seat whose turn is open."""
TURNS = 3
"""Number of turns of each that are judged again."""


def main() -> None:
    """Takes the folder with puppeteer and its script; exits with 1 if anything is wrong."""
    place = Path(sys.argv[1])
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        raise SystemExit("no Firefox is installed here: apt-get install firefox-esr")
    if not has_engine():
        raise SystemExit("courtly-engine is not installed")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        site = build(empty_site(root, GAMES), root / "public").parent
        packs = [sorted(site.glob(f"games/{game}/*/files.json")) for game in GAMES[1:]]
        turns = ["/".join(path.parent.parts[-2:]) for one in packs for path in one[:TURNS] if finished(path)]
        (root / "elsewhere").mkdir()
        with served(site) as address, served(root / "elsewhere") as other:
            command = ["node", str(place / "run.mjs"), firefox, address, other, DESK, *turns]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=600)
    said = json.loads(done.stdout.splitlines()[-1])
    print(f"{said['version']}: {len(said['judged'])} turns judged again")
    wrong = [f"{turn}: {words}" for turn, words in said["judged"].items() if not words.startswith("✓")]
    if said["tried"] != ["came", "refused"]:
        wrong.append(f"a worker's requests to its own site and to another: {said['tried']}")
    if not said["table"].startswith("What happened (turn 1 of this table): "):
        wrong.append(f"a turn at a table: {said['table']}")
    if not said["line"].startswith("In winter units are built, removed or waived"):
        wrong.append(f"a line at the order desk: {said['line']}")
    if len(said["judged"]) < len(GAMES):
        wrong.append("fewer turns were judged than games were chosen")
    if wrong:
        raise SystemExit("\n".join(wrong))


def finished(pack: Path) -> bool:
    """True if a turn is finished, by its page."""
    return "again.html#" in pack.with_name("index.html").read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
