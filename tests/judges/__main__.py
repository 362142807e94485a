"""`python -m tests.judges [GAME] [--turns N] [--seed S]`: compare rulesets with their second judges."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.judges import al_andalus_turns, campaign_turns, diplomacy_turns, heir_turns, noblesse_turns, saga_turns

GAMES: Mapping[str, tuple[Callable[[int, int], Iterator[Any]], Callable[[Any], str], Callable[[Any], str]]] = {
    "diplomacy": (diplomacy_turns.turns, diplomacy_turns.report, diplomacy_turns.kind),
    "al_andalus": (al_andalus_turns.turns, al_andalus_turns.report, al_andalus_turns.kind),
    "saga_of_the_nine": (
        saga_turns.turns,
        saga_turns.report,
        lambda turn: f"{turn.position.season}, {turn.position.phase}",
    ),
    "grand_campaign": (campaign_turns.turns, campaign_turns.report, campaign_turns.kind),
    "noblesse": (noblesse_turns.turns, noblesse_turns.report, noblesse_turns.kind),
    "heir_apparent": (heir_turns.turns, heir_turns.report, lambda turn: str(turn.data["phase"])),
}
"""Ruleset -> its turns before both judges, a report on one difference, and the kind of a turn."""


def compare(game: str, seed: int, count: int, most: int) -> bool:
    """Print the number of compared turns, the things that happened in them, and each difference; return True if the judges always agree."""
    turns, report, kind = GAMES[game]
    compared: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    different = 0
    for turn in turns(seed, count):
        compared[kind(turn)] += 1
        seen += turn.seen if isinstance(turn, campaign_turns.Turn) else turn.ours.seen
        if turn.different:
            different += 1
            print(f"Difference {different}\n{report(turn)}\n", flush=True)
            if different == most:
                break
    print(f"{game}: {compared.total()} turns compared, {different} of them different")
    for table in (compared, seen):
        print("  " + ", ".join(f"{what} {number}" for what, number in sorted(table.items())))
    return not different


def main() -> int:
    """Compare one game, or all; return 1 if something differs."""
    asked = argparse.ArgumentParser(prog="python -m tests.judges", description=__doc__)
    asked.add_argument("game", nargs="?", choices=[*GAMES])
    asked.add_argument("--turns", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=0, help="the number of the first game")
    asked.add_argument("--most", type=int, default=10, help="differences after which it stops")
    told = asked.parse_args()
    games = [told.game] if told.game else [*GAMES]
    agreed = [compare(game, told.seed, told.turns, told.most) for game in games]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
