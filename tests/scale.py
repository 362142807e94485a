"""The costs of a growing archive: `nox -s scale -- PATH [PATH ...] [--sizes 10 100 1000] [--in FOLDER] [--write]`.

Makes archives of N finished real games (from files of records, reused under other names if there are too few) and a tenth as many running ones,
and runs the commands in them, each in a separate process. Measured are processor seconds, including those of git, and the peak memory. `--write`
puts the table and the chart into the page on speed; `--in` keeps the archives for the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.core.files.places import remembered

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
PAGE, CHART = ROOT / "site_src/speed.md", ROOT / "site_src/assets/scale.svg"
BEGIN, END = "<!-- scale -->", "<!-- /scale -->"
EARLY, LATE = "2026-11-20T10:00Z", "2026-11-22T10:00Z"
"""Nothing is due, and one game is."""


@dataclass
class Costs:
    """Costs of commands in archives of several sizes."""

    seconds: dict[str, dict[int, float]] = field(default_factory=dict)
    memory: dict[str, dict[int, float]] = field(default_factory=dict)
    sizes: dict[str, dict[int, str]] = field(default_factory=dict)

    def note(self, what: str, size: int, words: list[str], cwd: Path) -> None:
        """Runs a command and records its cost."""
        seconds, memory = spent(words, cwd)
        self.seconds.setdefault(what, {})[size] = seconds
        self.memory.setdefault(what, {})[size] = memory
        print(f"{size}: {what}: {seconds:.2f} s, {memory:.0f} MB", flush=True)


def spent(words: list[str], cwd: Path) -> tuple[float, float]:
    """Processor seconds, including child processes, and peak megabytes of the process itself."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, cwd=cwd, stdout=subprocess.DEVNULL, stderr=said)
        status, memory = Path(f"/proc/{process.pid}/status"), 0.0
        while True:
            # Asked while it runs: the kernel's final figure includes the memory that this process had when it started that one.
            with contextlib.suppress(OSError):
                if (peak := re.search(r"VmHWM:\s+(\d+)", status.read_text())) is not None:
                    memory = int(peak[1]) / 1024
            pid, code, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.003)
        process.returncode = os.waitstatus_to_exitcode(code)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(words)}: {said.read().decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, memory


def records(paths: list[Path], games: int) -> Iterator[str]:
    """The lines of so many games, each with a new name."""
    taken, turn = 0, 0
    while taken < games:
        for path in paths:
            last = None
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    data = json.loads(line)
                    if data["game"] != last:
                        last = data["game"]
                        taken += 1
                        if taken > games:
                            return
                    data["game"] = f"{last}-{turn}"
                    yield json.dumps(data) + "\n"
        turn += 1


def courtly(*words: str) -> list[str]:
    return [str(Path(sys.executable).with_name("courtly")), *words]


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "x")


def make(folder: Path, paths: list[Path], size: int, costs: Costs) -> None:
    """An archive of so many finished games, a tenth as many running ones, and five of these a little further on."""
    folder.mkdir(parents=True)
    (folder / "games").mkdir()
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "site_src", folder / "site_src")
    (folder / ".gitignore").write_text("/public/\n")
    git(folder, "init", "--quiet", "-b", "main")
    file = folder.with_name(f"{folder.name}.jsonl")
    if paths:
        with file.open("w", encoding="utf-8") as out:
            out.writelines(records(paths, size))
        costs.note("`import`, one process", size, courtly("import", str(file), "--here", "--jobs", "1"), folder)
        file.unlink()
    running(folder, max(size // 10, 6) if paths else size)
    commit(folder)


def running(folder: Path, games: int) -> None:
    """Opens games that wait for sheets; the first is due a day before the others."""
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.jobs.new import new_game

    archive = Archive(folder)
    for number in range(games):
        seats = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
        new_game(
            archive,
            f"running-{number:05d}",
            {
                "schema": 1, "ruleset": "diplomacy", "title": f"Running {number}", "opened": "2026-11-20",
                "schedule": {"turn": "2d" if not number else "90d"}, "seats": {seat: {"player": "x"} for seat in seats},
            },
        )  # fmt: skip
    for number in range(1, 6) if games < 5000 else ():
        for _ in range(20):
            subprocess.run(
                courtly("run", "--now", "--game", f"running-{number:05d}"), cwd=folder, check=True, capture_output=True
            )


def measure(folder: Path, size: int, costs: Costs, *, whole: bool) -> None:
    """Measures the commands in an archive; `whole` is true if it has finished games and a site."""
    shutil.rmtree(remembered(folder).root, ignore_errors=True)
    costs.note("`git status`", size, ["git", "status", "--porcelain"], folder)
    costs.note("`check`", size, courtly("check"), folder)
    costs.note("`run`, nothing due", size, courtly("run", "--at", EARLY), folder)
    costs.note("`run`, one game due", size, courtly("run", "--at", LATE), folder)
    git(folder, "checkout", "--", ".")
    git(folder, "clean", "-fdq", "games")
    if not whole:
        return
    costs.note("`verify`, all, one process", size, courtly("verify", "--jobs", "1"), folder)
    costs.note("`verify`, nothing changed", size, courtly("verify", "--jobs", "1"), folder)
    shutil.rmtree(folder / "public", ignore_errors=True)
    costs.note("`site`, all", size, courtly("site"), folder)
    costs.note("`site`, nothing changed", size, courtly("site"), folder)
    for games in (1, 5):
        for number in range(1, games + 1):
            subprocess.run(
                courtly("run", "--now", "--game", f"running-{number:05d}"), cwd=folder, check=True, capture_output=True
            )
        commit(folder)
        costs.note(f"`site`, one more turn in {games} game{'s' * (games > 1)}", size, courtly("site"), folder)
    for what, where in (("archive", folder / "games"), ("site", folder / "public")):
        paths = [path for path in where.rglob("*") if path.is_file()]
        amount = sum(path.stat().st_size for path in paths)
        costs.sizes.setdefault(f"{what}: files and bytes", {})[size] = f"{len(paths):,}, {amount / 1e6:,.0f} MB"
    for what, left in (("maps in the archive", "map.svg"),):
        amount = sum(path.stat().st_size for path in (folder / "games").glob(f"*/*/{left}"))
        costs.sizes.setdefault(what, {})[size] = f"{amount / 1e6:,.0f} MB"
    git(folder, "gc", "--quiet")
    packs = sum(path.stat().st_size for path in (folder / ".git").rglob("*.pack"))
    costs.sizes.setdefault("packed by git", {})[size] = f"{packs / 1e6:,.0f} MB"


def slope(points: Mapping[int, float]) -> str:
    """Cost of one more game, between the smallest archive and the largest."""
    sizes = sorted(points)
    if len(sizes) < 2:
        return ""
    each = (points[sizes[-1]] - points[sizes[0]]) / (sizes[-1] - sizes[0])
    return f"{each * 1000:.2f} ms"


def table(costs: Costs, sizes: list[int]) -> str:
    """The costs as Markdown."""
    head = " | ".join(f"{size:,}" for size in sizes)
    lines = [
        f"| CPU seconds (MB at most); finished games: | {head} | one game more |",
        f"| --- |{' --- |' * (len(sizes) + 1)}",
    ]
    for what, points in costs.seconds.items():
        memory = costs.memory[what]
        cells = (f"{points[size]:.2f} ({memory[size]:.0f})" if size in points else "" for size in sizes)
        lines.append(f"| {what} | {' | '.join(cells)} | {slope(points)} |")
    for what, said in costs.sizes.items():
        lines.append(f"| {what} | {' | '.join(said.get(size, '') for size in sizes)} | |")
    return "\n".join(lines)


DRAWN = {
    "`site`, all": ("all of the site", "#b3541e", "M-5-5h10v10h-10z"),
    "`verify`, all, one process": ("verify all", "#6a4c93", "M0-6L6 5H-6z"),
    "`site`, one more turn in 1 game": ("site, one more turn", "#1f78b4", "M0-6L6 0L0 6L-6 0z"),
    "`run`, one game due": ("run, one due", "#33782e", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"),
}
"""Row -> its label in the chart, its colour, and the mark at its points, so that rows also differ without colour."""


def chart(costs: Costs) -> str:
    """Cost over size, both logarithmic: costs that grow with the archive rise, costs that depend only on the change do not."""
    rows = {what: costs.seconds[what] for what in DRAWN if what in costs.seconds}
    sizes = sorted({size for points in rows.values() for size in points})
    least, most = math.log10(sizes[0]), math.log10(sizes[-1])
    low, high = -1.0, math.ceil(math.log10(max(max(points.values()) for points in rows.values())))

    def x(size: int) -> float:
        return round(60 + 400 * (math.log10(size) - least) / ((most - least) or 1), 1)

    def y(seconds: float) -> float:
        return round(280 - 250 * (math.log10(seconds) - low) / (high - low), 1)

    told = "; ".join(
        f"{name}: " + ", ".join(f"{points[size]:.2f} s at {size:,} games" for size in sorted(points))
        for what, points in rows.items()
        for name in (DRAWN[what][0],)
    )
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 330" role="img" font-family="sans-serif" font-size="14">',
        "<title>What commands cost as an archive grows</title>",
        f"<desc>Seconds of the processor over finished games, both axes logarithmic. {told}.</desc>",
        '<rect width="640" height="330" rx="6" fill="#fffdf8"/>',
    ]
    for power in range(int(low), int(high) + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M60 {at}H470" stroke="#d8d2c4"/>')
        parts.append(f'<text x="52" y="{at + 5}" text-anchor="end" fill="#333">{10.0**power:g} s</text>')
    parts += [f'<text x="{x(size)}" y="304" text-anchor="middle" fill="#333">{size:,}</text>' for size in sizes]
    parts.append('<text x="260" y="324" text-anchor="middle" fill="#333">finished games in the archive</text>')
    labels = sorted(((y(points[max(points)]), what) for what, points in rows.items()))
    below = 0.0
    for at, what in labels:
        name, colour, mark = DRAWN[what]
        points = rows[what]
        line = "L".join(f"{x(size)} {y(points[size])}" for size in sorted(points))
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [
            f'<path d="{mark}" transform="translate({x(size)} {y(points[size])})" fill="{colour}"/>' for size in points
        ]
        below = max(at + 5, below + 18)
        parts.append(f'<text x="478" y="{below}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Makes the archives, measures and prints."""
    parser = argparse.ArgumentParser(prog="nox -s scale --")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--sizes", nargs="+", type=int, default=[10, 100, 1000], metavar="N")
    parser.add_argument("--running", type=int, default=10_000, metavar="N", help="an archive of so many running games")
    parser.add_argument("--in", dest="folder", type=Path, help="keep the archives here")
    parser.add_argument("--write", action="store_true", help="put the table into site_src/speed.md")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as elsewhere:
        home = (said.folder or Path(elsewhere)).absolute()
        costs, more = Costs(), Costs()
        for size in said.sizes:
            if not (home / str(size)).exists():
                make(home / str(size), [path.absolute() for path in said.paths], size, costs)
            measure(home / str(size), size, costs, whole=True)
        if not (home / "running").exists():
            make(home / "running", [], said.running, more)
        measure(home / "running", said.running, more, whole=False)
    rows = table(costs, said.sizes)
    others = "\n".join(
        f"| {what} | {points[said.running]:.2f} ({more.memory[what][said.running]:.0f}) |"
        for what, points in more.seconds.items()
    )
    text = f"{rows}\n\n| an archive of {said.running:,} running games | CPU seconds (MB at most) |\n| --- | --- |\n{others}"
    print(text)
    if said.write:
        CHART.write_text(chart(costs), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
