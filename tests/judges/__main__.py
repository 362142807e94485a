"""`python -m tests.judges [--turns N] [--seed S]`: compares Saga of the Nine with its second judge."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.judges.saga_turns import report, turns


def main() -> int:
    """Tells how many turns were compared, what was in them, and each difference."""
    asked = argparse.ArgumentParser(prog="python -m tests.judges", description=__doc__)
    asked.add_argument("--turns", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=0, help="the number of the first game")
    asked.add_argument("--most", type=int, default=10, help="differences after which it stops")
    told = asked.parse_args()
    compared: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    different = 0
    for turn in turns(told.seed, told.turns):
        compared[f"{turn.position.season}, {turn.position.phase}"] += 1
        seen += turn.ours.seen
        if turn.different:
            different += 1
            print(f"Difference {different}\n{report(turn)}\n", flush=True)
            if different == told.most:
                break
    print(f"{compared.total()} turns compared, {different} of them different")
    for table in (compared, seen):
        print("  " + ", ".join(f"{what} {count}" for what, count in sorted(table.items())))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
