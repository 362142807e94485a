"""The benchmarks of `nox -s bench -- PATH [PATH ...] [--write]`: files of real games, JSON Lines with one phase a line.

Compares with the Python package `diplomacy` on identical phases: the first 1,000 movement phases with eight orders or more and no flag. A round
does for every phase the work of a caller: build the position, take the order strings, adjudicate, read back units and verdicts. Both sides play
equally many rounds, alternately, in one process, and each figure is a median.

The figures are processor time, not clock time, so other work on the machine hardly shows. Before a cold round the board and the notation are
rebuilt (on the other side, the game), so no line of orders has been read before the round; a warm round follows a cold one, and every line is
remembered.
Lines that recur within a cold round are read once.

`--write` puts the table into site_src/speed.md. `python tests/bench.py --against CHECKOUT PATH ...` measures only our side, in this checkout and
in another one of this project: in separate processes, alternately.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import platform
import resource
import shutil
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
ROUNDS = 7


def chosen(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The measured phases, one after the other."""
    phases = 0
    for path in paths:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt") as lines:
            for line in lines:
                data = json.loads(line)
                if data["phase"].endswith("M") and not data.get("flags"):
                    if sum(map(len, data["orders"].values())) >= 8:
                        phases += 1
                        yield data
                    if phases == PHASES:
                        return


Round = Callable[[], list[Any]]
"""Plays all phases once."""


def ours(phases: Iterable[dict[str, Any]], *, keep: bool = True) -> Callable[[], Round]:
    """Makes rounds of our solver: units after, and every verdict with its reason. A new one has read no order before.

    Without `keep` each result is read and dropped, as in a program that saves it.
    """
    from adjudicator.core.contract.ruleset import RULESETS
    from adjudicator.mechanics.boards import load_board
    from adjudicator.mechanics.movement import solve
    from adjudicator.mechanics.notation import Notation

    inputs = [
        (data["units"], {power: [text for text, _ in orders] for power, orders in data["orders"].items()})
        for data in phases
    ]

    def made() -> Round:
        load_board.cache_clear()
        board = load_board(RULESETS / "diplomacy" / "boards" / "standard")
        notation = Notation(board)

        def one_round() -> list[Any]:
            unit, read = board.unit, notation.read
            results = []
            for positions, sheets in inputs:
                units = {}
                for power, texts in positions.items():
                    for text in texts:
                        named = unit(text)
                        units[named.province] = (power, named)
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

    return made


def theirs(phases: list[dict[str, Any]]) -> Callable[[], Round]:
    """Makes rounds of the diplomacy package: one game, set up for each phase."""
    from diplomacy import Game  # type: ignore[import-untyped,import-not-found,unused-ignore]  # of bench's own venv

    def made() -> Round:
        game = Game()
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

        return one_round

    return made


def cold_and_warm(*sides: Callable[[], Round]) -> list[tuple[float, float]]:
    """For each side the median seconds of a cold round and of a warm one; the sides alternate, round by round."""
    cold: list[list[float]] = [[] for _ in sides]
    warm: list[list[float]] = [[] for _ in sides]
    for _ in range(ROUNDS):
        rounds = [made() for made in sides]
        for spent in (cold, warm):
            for one_round, times in zip(rounds, spent, strict=True):
                times.append(spending(one_round))
    return [(statistics.median(before), statistics.median(after)) for before, after in zip(cold, warm, strict=True)]


def right(phases: list[dict[str, Any]], results: list[Any]) -> int:
    """Number of phases where our units afterwards, and every result, match the record."""
    from adjudicator.rulesets.diplomacy.exchange import _recorded
    from adjudicator.rulesets.diplomacy.position import Settings, notation_of
    from adjudicator.rulesets.diplomacy.records import judge_phase, recorded_position

    notation = notation_of("standard")
    count = 0
    for data, (after, _) in zip(phases, results, strict=True):
        recorded = _recorded(data, 0)
        turn, _ = judge_phase(notation, recorded, recorded_position(notation.board, recorded, Settings()), None)
        same = {p: sorted(u) for p, u in after.items() if u} == {
            p: sorted(u) for p, u in data["after"]["units"].items() if u
        }
        count += same and not turn.differences
    return count


def spending(work: Callable[[], object]) -> float:
    """Processor seconds that a call takes in this process."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def spent_on(*words: str | Path, cwd: Path = ROOT, rounds: int = ROUNDS, python: str = sys.executable) -> float:
    """Median processor seconds of the command `courtly`, run in a separate process."""
    times = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([Path(python).with_name("courtly"), *words], check=True, capture_output=True, cwd=cwd)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def child(code: str, *arguments: str | Path) -> str:
    """Output of a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout.strip()


MEMORY = """
import re, sys
sys.path.insert(0, "tests")
from pathlib import Path
from bench import chosen, ours
ours(chosen(map(Path, sys.argv[1:])), keep=False)()()
# Not getrusage: its peak outlives exec, so a child would report its parent's.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def replayed(paths: list[Path], python: str = sys.executable) -> tuple[int, float]:
    """Number of phases of every kind in whole files, and the seconds that the command takes to judge them all."""
    phases, seconds = 0, 0.0
    for path in paths:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt") as lines:
            phases += sum(1 for line in lines if line.strip())
        seconds += spent_on("import", path, "--verify-only", "--jobs", "1", rounds=3, python=python)
    return phases, seconds


COMPILED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from bench import chosen, cold_and_warm, ours
from adjudicator.mechanics.movement import solver
assert not solver.__file__.endswith(".py"), solver.__file__
print(*cold_and_warm(ours(list(chosen(map(Path, sys.argv[2:])))))[0])
"""
"""Program for a process where the compiled package is installed: it prints the seconds of a cold round and of a warm one."""


def compiled_rows(python: str, paths: list[Path], phases: int, slow: list[float]) -> list[str]:
    """Rows for another interpreter, whose package is compiled; `slow` has the other side's seconds, cold and warm."""
    with tempfile.TemporaryDirectory() as elsewhere:  # where no uncompiled package lies
        done = subprocess.run(
            [python, "-c", COMPILED, ROOT / "tests", *paths], check=True, capture_output=True, text=True, cwd=elsewhere
        )
        whole, seconds = replayed(paths, python)
    fast = [phases / float(one) for one in done.stdout.split()]
    return [
        *(
            f"| compiled: phases a second, {how} | {one:,.0f} | |"
            for how, one in zip(("cold", "warm"), fast, strict=True)
        ),
        f"| compiled: ratio, cold | {fast[0] / slow[0]:.1f} | 18 |",
        f"| compiled: ratio, warm | {fast[1] / slow[1]:.1f} | 20 |",
        f"| compiled: whole files, `courtly import --verify-only`, one process, phases a second | {whole / seconds:,.0f} | |",
    ]


def starting() -> list[tuple[str, str, str]]:
    """Start-up costs: the version, and a look at an archive where nothing is due."""
    folder = Path(tempfile.mkdtemp())
    try:
        spent_on("new", "summer", "--here", "--opened", "2026-11-20", "--turn", "2d", cwd=folder, rounds=1)
        shutil.copytree(ROOT / "games" / "first-lessons", folder / "games" / "first-lessons")
        return [
            ("`courtly --version`", f"{spent_on('--version') * 1000:.0f} ms", "150 ms"),
            (
                "`courtly run`, two games and nothing due",
                f"{spent_on('run', '--at', '2026-11-21T00:00Z', cwd=folder) * 1000:.0f} ms",
                "",
            ),
        ]
    finally:
        shutil.rmtree(folder)


def small_things() -> list[tuple[str, str, str]]:
    """Map, whole resolve, loading a turn, building a page."""
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.turn.files import map_text
    from adjudicator.core.turn.judge import resolve_turn
    from adjudicator.core.turn.load import load_game, load_turn
    from adjudicator.core.turn.sheets import load_inputs
    from adjudicator.site.story import load_story
    from adjudicator.site.turn import map_of, turn_page

    rows = []
    archive = Archive(ROOT)
    game = load_game(archive, "austria-alone")
    name = archive.turns("austria-alone")[20]
    turn = load_turn(archive, game, name)
    whole, given, keys = load_inputs(archive, turn)
    story = load_story(archive, "austria-alone")
    assert story is not None
    many = 20

    def times_of(work: Callable[[], Any]) -> str:
        work()
        times = [spending(lambda: [work() for _ in range(many)]) for _ in range(ROUNDS)]
        return f"{statistics.median(times) / many * 1000:.1f} ms"

    rows.append(("a map", times_of(lambda: map_text(game, turn.data)), "15 ms"))
    rows.append(
        (
            "a whole turn resolved (text in, verdicts and next position out)",
            times_of(lambda: resolve_turn(game, whole, given, None, keys, None)),
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
    rows.append(
        (
            "a turn of The Grand Campaign resolved: six seats, the one with the most verdicts",
            times_of(a_season(archive)),
            "",
        )
    )
    rows.append(("a Night of Noblesse: 12 players, 40 units, 8 battles", times_of(a_night()), "50 ms"))
    judge, paint = an_event()
    rows.append(("an Event of Heir Apparent: 5 players, 40 lines each", times_of(judge), "20 ms"))
    rows.append(("a table of Heir Apparent drawn: 5 players", times_of(paint), "15 ms"))
    return rows


def a_season(archive: Any) -> Callable[[], Any]:
    """The turn of the archive’s campaign with the most verdicts, from its sheets to the next position."""
    from adjudicator.core.turn.judge import resolve_turn
    from adjudicator.core.turn.load import load_game, load_turn
    from adjudicator.core.turn.sheets import load_inputs

    game = load_game(archive, "the-amber-reach")
    turns = [load_turn(archive, game, name) for name in archive.turns("the-amber-reach")]
    whole, given, keys = load_inputs(archive, max(turns, key=lambda turn: len(turn.data.verdicts)))
    return lambda: resolve_turn(game, whole, given, None, keys, None)


def rehearsed() -> list[tuple[str, str, str]]:
    """Whole games by stand-ins, in each ruleset: mostly choosing orders."""
    from adjudicator.core.contract.ruleset import find, slugs
    from adjudicator.core.jobs.rehearse import rehearsals

    games, rows = 5, []
    for slug in slugs():
        find(slug)
        seconds = spending(lambda slug=slug: list(rehearsals(slug, {}, range(games), 500))) / games  # type: ignore[misc]
        rows.append((f"a rehearsed game of {find(slug).about.title}", f"{seconds:.2f} s", ""))
    return rows


def an_event() -> tuple[Callable[[], Any], Callable[[], Any]]:
    """An Event in the middle of a game, its plans filled up to 40 lines, judged from lines that nobody has read; and its table drawn."""
    from dataclasses import replace

    from adjudicator.core.jobs.stand_in import chance_of
    from adjudicator.core.secrets.dice import NamedDice
    from adjudicator.rulesets.heir_apparent import RULESET, orders
    from adjudicator.rulesets.heir_apparent.position import Phase, Settings, seen_by
    from adjudicator.rulesets.heir_apparent.resolve import resolve, setup
    from adjudicator.rulesets.heir_apparent.worth import write

    position = setup(Settings(players=5), NamedDice(b"bench"))
    for number in range(100):
        sheets: Any = {
            seat: write(seen_by(position, seat), seat, chance_of("bench", str(number))) for seat in position.ring
        }
        if position.phase is Phase.EVENT and position.turn == 12:
            break
        position = resolve(position, sheets, NamedDice(b"%d" % number)).position
    more = tuple(f"pass if sup > {number} and opp > {number} and not turned(big-wenna)" for number in range(60, 100))
    sheets = {seat: replace(sheet, event=(*sheet.event, *more)[:40]) for seat, sheet in sheets.items()}
    done = resolve(position, sheets, NamedDice(b"bench"))
    assert sum(event.event in ("joined", "gave", "played") for event in done.events) > 5

    def judge() -> None:
        orders._readers.clear()
        resolve(position, sheets, NamedDice(b"bench"))

    return judge, lambda: RULESET.pictures.paint(RULESET.pictures.draw(position, done))


def a_night() -> Callable[[], Any]:
    """A Night that is as full as possible: 40 units on eight estates, everybody's orders for court and field."""
    from dataclasses import replace

    from adjudicator.core.secrets.dice import NamedDice
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


SIDE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import adjudicator
assert Path(adjudicator.__file__).is_relative_to(sys.argv[1]), adjudicator.__file__
sys.path.insert(0, sys.argv[2])
from bench import chosen, ours, spending
one_round = ours(list(chosen(map(Path, sys.argv[3:]))))()
print(*(spending(one_round) for _ in range(4)))
"""
"""A process for one checkout: one cold round, then warm ones."""


def against(other: Path, paths: list[Path]) -> None:
    """Print this checkout's speed at judging movement next to another one's."""
    count = len(list(chosen(paths)))
    checkouts = {"before": other.resolve(), "after": ROOT.resolve()}
    samples: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in checkouts}
    for _ in range(ROUNDS):
        for name, checkout in checkouts.items():
            first, *others = map(float, child(SIDE, checkout, ROOT / "tests", *paths).split())
            samples[name][0].append(first)
            samples[name][1].append(statistics.median(others))
    print(f"{count} movement phases, {ROUNDS} processes for each checkout in turn; medians, phases a CPU second.")
    for at, kind in enumerate(("cold", "warm")):
        before, after = (count / statistics.median(samples[name][at]) for name in checkouts)
        print(f"{kind}: before {before:,.0f}, after {after:,.0f}, after/before {after / before:.3f}")


def table(paths: list[Path], compiled: str | None = None) -> str:
    """Measure everything; `compiled` is an interpreter whose package is compiled."""
    sys.path.append(str(ROOT))
    from tests import bench_pulls

    phases = list(chosen(paths))
    made = ours(phases)
    results = made()()
    correct = right(phases, results)
    explained = sum(1 for _, outcomes in results for outcome in outcomes if outcome.reason)
    orders = sum(len(outcomes) for _, outcomes in results)
    del results
    fast, slow = ([len(phases) / seconds for seconds in side] for side in cold_and_warm(made, theirs(phases)))
    memory = float(child(MEMORY, *paths))
    whole, seconds = replayed(paths)
    lines = [
        (
            f"Python {platform.python_version()}; {len(phases)} movement phases of real games, {orders} orders; "
            f"{ROUNDS} rounds on each side, alternating, in one process."
        ),
        "",
        "| what | measured | goal |",
        "| --- | --- | --- |",
        f"| phases a second, cold: no order line seen before the round | {fast[0]:,.0f} | |",
        f"| phases a second, warm: every order line seen before | {fast[1]:,.0f} | |",
        f"| phases a second, the Python package `diplomacy` 1.1.2, cold | {slow[0]:,.0f} | |",
        f"| phases a second, the Python package `diplomacy` 1.1.2, warm | {slow[1]:,.0f} | |",
        f"| ratio, cold | {fast[0] / slow[0]:.1f} | 10 |",
        f"| ratio, warm | {fast[1] / slow[1]:.1f} | 10 |",
        f"| phases judged as recorded | {correct:,} of {len(phases):,} | all |",
        f"| orders with a reason | {explained:,} of {orders:,} | all |",
        f"| peak memory with all of them | {memory:.0f} MiB | 60 MiB |",
        f"| whole files, {whole:,} phases of every kind: `courtly import --verify-only`, one process, phases a second | {whole / seconds:,.0f} | |",
        *(compiled_rows(compiled, paths, len(phases), slow) if compiled else ()),
        *(f"| {what} | {measured} | {goal} |" for what, measured, goal in (*starting(), *small_things(), *rehearsed())),
        *(f"| {what} | {measured} | |" for what, measured in bench_pulls.rows()),
    ]
    return "\n".join(lines)


PAGE = """# Speed

Here, judging a phase means everything that a caller has to do: build the position, read the order strings,
adjudicate, read back units and verdicts. Every verdict carries its reason, strengths and culprits. We measure with

```console
$ nox -s bench -- FILE-OF-REAL-GAMES.jsonl.gz --write
```

Seconds are processor time, not wall-clock time. Both sides, Courtly and the Python package `diplomacy`, play the same
phases for the same number of rounds, taking turns in one process. Each figure is the median of its rounds. Before a
cold round we build the board and the notation again (for the other side, the game), so that no order line has been
read before. Lines that recur within the round are read once. In a warm round every line has been read before.
Commands are measured as a whole, each in a separate process, including the start of Python. (The rows on sealing and
on adjudication give wall-clock time, because they wait for other programs or count operations per second.)

{table}

Rows marked *compiled* measure the same source, compiled with mypyc as in the wheels of a release. The results are the
same, to the byte, and the whole test suite runs on both (`nox -s compiled`). `courtly doctor` says which one you run.

Two processes judged 202,496 phases (real games, repeated under other names) in 48 seconds of wall-clock time as plain
Python, and in 43 when compiled. We measured this once, on another day.

We measured other engines once, on the same kind of phases, on one machine and in wall-clock time. In a second, `diplomacy` judges 399 phases, godip
875, pydip 3,410, and a Rust crate 8,640. These figures depend on the machine; both sides of each ratio above come from the same run on the same
machine.

## As an archive grows

The archives hold real games that are over, and a tenth as many running games. Each command runs in a separate
process; git's time is included. Whatever covers every game takes longer as games are added: building or verifying
everything, and looking for changes, which git does. Work on just the changed games does not. We measure with

```console
$ nox -s scale -- FILE-OF-REAL-GAMES.jsonl.gz --write
```

![Seconds by number of games: the time to build or verify everything rises with it, the time for one more turn hardly does](assets/scale.svg)

<!-- scale -->

<!-- /scale -->
"""


SCALE = "<!-- scale -->"
"""The place in the page for the output of tests/scale.py."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="nox -s bench --")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--write", action="store_true", help="put the table into site_src/speed.md")
    parser.add_argument("--compiled", metavar="PYTHON", help="an interpreter whose package is compiled, to measure too")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure our side beside another checkout's")
    said = parser.parse_args()
    paths = [path.absolute() for path in said.paths]
    if said.against:
        against(said.against, paths)
        return
    rows = table(paths, said.compiled)
    print(rows)
    if said.write:
        page = ROOT / "site_src" / "speed.md"
        new = page.with_suffix(".new")
        # The output of tests/scale.py stays.
        before, mark, rest = PAGE.format(table=rows).partition(SCALE)
        kept = page.read_text(encoding="utf-8").partition(SCALE)[2]
        new.write_text(before + mark + (kept or rest), encoding="utf-8")
        os.replace(new, page)


if __name__ == "__main__":
    main()
