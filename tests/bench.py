"""The benchmarks of `nox -s bench -- PATH [--write]`: PATH is a JSON Lines file of real games, one phase a line.

Compares with the Python package `diplomacy` on the same phases in one run: the first 1,000 movement phases with eight
orders or more and no flag. Per phase: build the position, take the order strings, adjudicate, read back units and
verdicts. Best of five rounds each, in one process. `--write` puts the table into site_src/speed.md.
"""

from __future__ import annotations

import gzip
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PHASES = 1000
ROUNDS = 5


def chosen(path: Path) -> Iterator[dict[str, Any]]:
    """The phases that are measured, one after the other."""
    found = 0
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as lines:
        for line in lines:
            data = json.loads(line)
            if data["phase"].endswith("M") and not data.get("flags"):
                if sum(map(len, data["orders"].values())) >= 8:
                    found += 1
                    yield data
                if found == PHASES:
                    break


def ours(phases: Iterable[dict[str, Any]], *, keep: bool = True) -> Callable[[], list[Any]]:
    """One round of our solver over all phases: units after, and every verdict with its reason.

    Without `keep` each result is read and dropped, as a program does that writes it away.
    """
    from adjudicator.core.ruleset import RULESETS
    from adjudicator.mechanics.movement import solve
    from adjudicator.mechanics.notation import Notation
    from adjudicator.mechanics.provinces import load_board

    board = load_board(RULESETS / "diplomacy" / "boards" / "standard")
    notation = Notation(board)
    inputs = [
        (data["units"], {power: [text for text, _ in orders] for power, orders in data["orders"].items()})
        for data in phases
    ]

    def one_round() -> list[Any]:
        unit, read = board.unit, notation.read
        results = []
        for positions, sheets in inputs:
            units = {}
            for power, texts in positions.items():
                for text in texts:
                    found = unit(text)
                    units[found.province] = (power, found)
            orders: Any = [(power, read(text)) for power, texts in sheets.items() for text in texts]
            done = solve(board, units, orders)
            after: dict[str, list[str]] = {}
            for province, (power, here) in units.items():
                if province not in done.dislodged:
                    after.setdefault(power, []).append(str(done.moved.get(province, here)))
            if keep:
                results.append((after, done.outcomes))
        return results

    return one_round


def theirs(phases: list[dict[str, Any]]) -> Callable[[], list[Any]]:
    """One round of the diplomacy package over all phases, one game set up anew for each."""
    from diplomacy import Game  # type: ignore[import-untyped,import-not-found,unused-ignore]  # of bench's own venv

    game = Game()
    state = game.get_state()
    powers = list(game.powers)

    def one_round() -> list[Any]:
        results = []
        for data in phases:
            game.clear_units()
            game.clear_orders()
            game.set_current_phase("S1901M")
            for power in powers:
                game.set_units(power, data["units"].get(power.capitalize(), []), reset=True)
            for power, orders in data["orders"].items():
                game.set_orders(power.upper(), [text for text, _ in orders])
            before = game.process()
            after = {power: list(units) for power, units in game.get_state()["units"].items()}
            results.append((after, before.results if before else {}))
        return results

    assert state
    return one_round


def right(phases: list[dict[str, Any]], results: list[Any]) -> int:
    """In how many phases our units after, and every result, are as recorded."""
    from adjudicator.rulesets.diplomacy.exchange import _position as recorded_position
    from adjudicator.rulesets.diplomacy.exchange import _recorded, _turn
    from adjudicator.rulesets.diplomacy.position import Settings, notation_of

    notation = notation_of("standard")
    count = 0
    for data, (after, _) in zip(phases, results, strict=True):
        recorded = _recorded(data, 0)
        turn, _ = _turn(notation, recorded, recorded_position(notation.board, recorded, Settings()), None)
        same = {p: sorted(u) for p, u in after.items() if u} == {
            p: sorted(u) for p, u in data["after"]["units"].items() if u
        }
        count += same and not turn.differences
    return count


def best(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Seconds of the fastest of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def child(code: str, *arguments: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout.strip()


MEMORY = """
import re, sys
sys.path.insert(0, "tests")
from pathlib import Path
from bench import chosen, ours
one_round = ours(chosen(Path(sys.argv[1])), keep=False)
one_round()
# Not getrusage: its peak outlives exec, so a child would report its parent's.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def small_things() -> list[tuple[str, str, str]]:
    """Start-up, map, whole resolve, loading a turn, building a page."""
    from adjudicator.core.archive import Archive
    from adjudicator.core.turn import load_game, load_inputs, load_turn, map_text, resolved
    from adjudicator.site.pages import map_of, turn_page
    from adjudicator.site.story import load_story

    rows = []
    command = [str(Path(sys.executable).with_name("courtly")), "--version"]
    times = [best(lambda: subprocess.run(command, check=True, capture_output=True), 1) for _ in range(15)]
    rows.append(("`courtly --version`", f"{statistics.median(times) * 1000:.0f} ms", "150 ms"))
    archive = Archive(ROOT)
    game = load_game(archive, "austria-alone")
    name = archive.turns("austria-alone")[20]
    turn = load_turn(archive, game, name)
    whole, given, keys = load_inputs(archive, turn)
    story = load_story(archive, "austria-alone")
    assert story is not None
    many = 20

    def times_of(work: Callable[[], Any]) -> str:
        return f"{best(lambda: [work() for _ in range(many)]) / many * 1000:.1f} ms"

    rows.append(("a map", times_of(lambda: map_text(game, turn.data)), "15 ms"))
    rows.append(
        (
            "a whole turn resolved (text in, verdicts and next position out)",
            times_of(lambda: resolved(game, whole, given, None, keys)),
            "",
        )
    )
    rows.append(("a turn loaded from its file", times_of(lambda: load_turn(archive, game, name)), ""))
    rows.append(
        (
            "a turn's page built, with its map",
            times_of(lambda: turn_page(story, 20, map_of(story, story.turns[20]).svg, "../../../")),
            "",
        )
    )
    rows.append(("a Night of Noblesse: 12 players, 40 units, 8 battles", times_of(a_night()), "50 ms"))
    return rows


def a_night() -> Callable[[], Any]:
    """A Night with as much in it as there may be: 40 units on eight estates, everybody's orders for court and field."""
    from dataclasses import replace

    from adjudicator.core.dice import NamedDice
    from adjudicator.rulesets.noblesse.examples import cast
    from adjudicator.rulesets.noblesse.orders import Sheet
    from adjudicator.rulesets.noblesse.position import Unit
    from adjudicator.rulesets.noblesse.resolve import resolve

    start = cast()
    seats = list(start.players)
    fields = ["E5", "E6", "F5", "F6", "D4", "D7", "G4", "G7"]
    companies = ("Lancers",) * 2 + ("Halberds",) * 5 + ("Crossbows",) * 2
    units = {
        f"U{101 + number}": Unit(
            owner=seats[number % 12], formation="brigade", at=fields[number % 8], companies=companies, leader="company",
            name="Colonel", recruited=0,
        )
        for number in range(40)
    }  # fmt: skip
    sheets = {
        seat: Sheet(
            orders=(
                *(f"Tax {name} at {player.home}" for name in ("influence", "manpower", "money")),
                *(f"Lobby {name} at {player.home}" for name in ("influence", "manpower", "money")),
                f"Spy from {player.home} to {start.settings.board.neighbours(player.home or '')[0]}",
                f"Recruit regiment at {player.home} led by Sergeant: 2 Lancers, 3 Pikes",
                *(f"Steward at {unit.at}" for unit in units.values() if unit.owner == seat),
                "Offer marriage to Rue",
            )
        )
        for seat, player in start.players.items()
    }
    position = replace(start, units=units)
    fought = [event for event in resolve(position, sheets, NamedDice(b"bench")).events if event.event == "rumour"]
    assert len(fought) == 8
    return lambda: resolve(position, sheets, NamedDice(b"bench"))


def main() -> None:
    """Measures and prints the table."""
    sys.path.insert(0, str(ROOT))
    from tests import bench_pulls

    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(paths) != 1:
        sys.exit("usage: nox -s bench -- PATH-TO-JSONL [--write]")
    path = Path(paths[0]).absolute()
    phases = list(chosen(path))
    work = ours(phases)
    start = time.perf_counter()
    results = work()
    cold = len(phases) / (time.perf_counter() - start)
    correct = right(phases, results)
    explained = sum(1 for _, outcomes in results for outcome in outcomes if outcome.reason)
    orders = sum(len(outcomes) for _, outcomes in results)
    fast = len(phases) / best(work)
    slow = len(phases) / best(theirs(phases), 2)
    memory = float(child(MEMORY, str(path)))
    lines = [
        f"Python {platform.python_version()}, one process; {len(phases)} movement phases of real games, {orders} orders.",
        "",
        "| what | measured | goal |",
        "| --- | --- | --- |",
        f"| phases a second | {fast:,.0f} | |",
        f"| phases a second, first round (no order line seen before) | {cold:,.0f} | |",
        f"| phases a second, the Python package `diplomacy` 1.1.2 | {slow:,.0f} | |",
        f"| ratio | {fast / slow:.1f} | 10 |",
        f"| phases judged as recorded | {correct:,} of {len(phases):,} | all |",
        f"| orders with a reason | {explained:,} of {orders:,} | all |",
        f"| peak memory with all of them | {memory:.0f} MiB | 60 MiB |",
        *(f"| {what} | {measured} | {goal} |" for what, measured, goal in small_things()),
        *(f"| {what} | {measured} | |" for what, measured in bench_pulls.rows()),
    ]
    table = "\n".join(lines)
    print(table)
    if "--write" in sys.argv:
        text = (
            "# Speed\n\nA phase here is everything a caller does: build the position, read the order strings, "
            "adjudicate, read back units and\nverdicts. Every verdict carries its reason, strengths and culprits. "
            "Measured with\n\n```console\n$ nox -s bench -- FILE-OF-REAL-GAMES.jsonl.gz --write\n```\n\n"
            + table
            + "\n\nFigures of other engines on the same phases, measured once on one machine: `diplomacy` 399 a second, "
            "godip 875,\npydip 3,410, a Rust crate 8,640. They depend on the machine; the ratio above was taken in one "
            "run on one.\n"
        )
        with tempfile.NamedTemporaryFile("w", delete=False, dir=ROOT / "site_src", suffix=".md") as file:
            file.write(text)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(ROOT / "site_src" / "speed.md")


if __name__ == "__main__":
    main()
