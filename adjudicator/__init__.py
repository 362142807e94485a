"""Courtly: games of courts, heirs and conquest, played by pull request.

The library behind the `courtly` command. An `Archive` is a folder of games; `run_game` judges what is due in one,
`verify_game` judges all of it again and compares the bytes; `find` gives a `Ruleset`, whose functions set up, check,
resolve, tell and draw. Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudicator.core.archive import Archive
    from adjudicator.core.batch import run_game
    from adjudicator.core.problems import Problem, Problems
    from adjudicator.core.proof import verify_game
    from adjudicator.core.ruleset import Ruleset, find
    from adjudicator.core.turn import load_game, load_turn

__all__ = ["Archive", "Problem", "Problems", "Ruleset", "find", "load_game", "load_turn", "run_game", "verify_game"]

__version__ = "0.1.0"

_HOME = {
    "Archive": "archive",
    "Problem": "problems",
    "Problems": "problems",
    "Ruleset": "ruleset",
    "find": "ruleset",
    "load_game": "turn",
    "load_turn": "turn",
    "run_game": "batch",
    "verify_game": "proof",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"adjudicator.core.{_HOME[name]}"), name)
    raise AttributeError(f"module 'adjudicator' has no attribute {name!r}")
