"""How long the sealed files of a game are: so that no length tells what is in them.

A ruleset says it for its settings, as its rehearsals measured it (`courtly rehearse RULESET --lengths`): so that no usual turn needs
more. The game's first turn writes it down, and every later turn has the same, whatever a newer courtly would choose.
"""

from __future__ import annotations

from dataclasses import dataclass

STEP = 512
"""Lengths are multiples of so many bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Bytes that the sealed files of each kind have inside, before they are sealed."""

    sheet: int
    """Of each sealed sheet. A longer one is refused."""
    dispatch: int
    """Of each dispatch. Longer news double it for all seats of that turn; what is behind it for the desk is cut first."""
    secret: int
    """Of `secret.age`. A longer one doubles it."""

    def scaled(self, count: int, usual: int) -> Lengths:
        """The same for a board with `count` seats, where these were measured with `usual`; never shorter."""
        if count <= usual:
            return self
        sheet, dispatch, secret = (
            -(-length * count // (usual * STEP)) * STEP for length in (self.sheet, self.dispatch, self.secret)
        )
        return Lengths(sheet=min(sheet, MOST_SHEET), dispatch=dispatch, secret=secret)


MOST_SHEET = 10_752
"""The longest sealed sheet whose file, as armored text, can come by pull request (16 KiB)."""
