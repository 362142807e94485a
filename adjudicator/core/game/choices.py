"""Choices of a host that options of the command list: apart from all else, so that `--help` answers at once."""

from __future__ import annotations

from enum import StrEnum


class MissingSheets(StrEnum):
    """Treatment of a turn whose deadline is past although a seat that owes a sheet has sent none."""

    HOLD = "hold"
    """The turn is judged; the ruleset decides what a seat without a sheet does. The seat is waited for again next turn."""
    CIVIL_DISORDER = "civil_disorder"
    """The turn is judged; from then on nobody waits for the seat, until it sends a sheet or is given to another."""
    HOST = "host"
    """The turn waits for the host's ruling: `extend`, `replace` or `proceed`. Seats that sent nothing still may."""


class Joining(StrEnum):
    """Ways to fill open seats by pull request."""

    FIRST = "first"
    """A seat goes to the first who asks for it."""
    ASK = "ask"
    """Requests are kept, and the host decides."""
    PREFERENCE = "preference"
    """People rank the seats they would like, and the game's dice distribute them (adjudicator/core/game/draw.py)."""
