"""Courtly: games of courts, heirs and conquest, played by pull request.

The library behind the `courtly` command. An `Archive` is a folder of games. `run_game` judges the turns of a game that are due.
`verify_game` judges all past turns again and compares the bytes. `find` returns a `Ruleset`: functions that set up, check, resolve,
describe and draw a game. Names are loaded on first use, so importing the package is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudicator.core.contract.ruleset import Ruleset, find
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.jobs.run import run_game
    from adjudicator.core.jobs.verify import verify_game
    from adjudicator.core.text.problems import Problem, Problems
    from adjudicator.core.turn.load import load_game, load_turn

__all__ = ["Archive", "Problem", "Problems", "Ruleset", "find", "load_game", "load_turn", "run_game", "verify_game"]

__version__ = "0.1.0"

_HOME = {
    "Archive": "game.archive",
    "Problem": "text.problems",
    "Problems": "text.problems",
    "Ruleset": "contract.ruleset",
    "find": "contract.ruleset",
    "load_game": "turn.load",
    "load_turn": "turn.load",
    "run_game": "jobs.run",
    "verify_game": "jobs.verify",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"adjudicator.core.{_HOME[name]}"), name)
    raise AttributeError(f"module 'adjudicator' has no attribute {name!r}")
