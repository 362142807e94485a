"""Lengths of a game's sealed files, fixed so that they reveal nothing about the contents.

A ruleset gives them for its settings, as its rehearsals measured them (`courtly rehearse RULESET --lengths`), so that no usual turn
needs more. The game's first turn records them, and every later turn has the same, even if a newer courtly would choose others.
"""

from __future__ import annotations

from dataclasses import dataclass

STEP = 512
"""Lengths are multiples of this number of bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Lengths in bytes of the contents of each kind of sealed file, before sealing."""

    sheet: int
    """Length of each sealed sheet. A longer one is refused."""
    dispatch: int
    """Length of each dispatch. It is doubled for all seats of a turn with longer news; the desk's data after the news is cut to fit."""
    secret: int
    """Length of `secret.age`. It is doubled for longer contents."""

    def scaled(self, count: int, usual: int) -> Lengths:
        """Lengths for a board with `count` seats, scaled from these for `usual` seats; never shorter."""
        if count <= usual:
            return self
        sheet, dispatch, secret = (
            -(-length * count // (usual * STEP)) * STEP for length in (self.sheet, self.dispatch, self.secret)
        )
        return Lengths(sheet=min(sheet, MOST_SHEET), dispatch=dispatch, secret=secret)


MOST_SHEET = 10_752
"""Length of the longest sealed sheet that can come by pull request as armored text (16 KiB)."""
