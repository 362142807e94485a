"""Choices of a host, which the options of commands list. This module imports nothing else of courtly, so that `--help` answers at once."""

from __future__ import annotations

from enum import StrEnum


class MissingSheets(StrEnum):
    """How to treat a turn whose deadline is past if a seat that owes a sheet has sent none."""

    HOLD = "hold"
    """The turn is judged; the ruleset decides what a seat without a sheet does. The next turn waits for the seat again."""
    CIVIL_DISORDER = "civil_disorder"
    """The turn is judged; from then on no turn waits for the seat, until it sends a sheet or gets a new player."""
    HOST = "host"
    """The turn waits for the host's ruling: `extend`, `replace` or `proceed`. Seats that sent nothing can still send a sheet."""


class Joining(StrEnum):
    """Ways to fill open seats by pull request."""

    FIRST = "first"
    """A seat goes to the first person who asks for it."""
    ASK = "ask"
    """Requests are kept, and the host decides."""
    PREFERENCE = "preference"
    """People rank the seats they would like, and the game's dice distribute them (adjudicator/core/game/draw.py)."""
