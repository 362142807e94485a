"""Lengths of a game's sealed files, fixed so that they reveal nothing about the contents.

A ruleset gives them for its settings. Rehearsals measure what usual turns need (`courtly rehearse RULESET --lengths`). The game's first
turn records the lengths, and every later turn keeps them, even if a newer version of courtly would choose others.
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
    """Length of each dispatch. If some news is longer, it is doubled for all seats of the turn; data for the desk is left out as needed."""
    secret: int
    """Length of `secret.age`. It is doubled for longer contents."""

    def scaled(self, count: int, usual: int) -> Lengths:
        """Scale these lengths, which are for `usual` seats, to a board with `count` seats. They never become shorter."""
        if count <= usual:
            return self
        sheet, dispatch, secret = (
            -(-length * count // (usual * STEP)) * STEP for length in (self.sheet, self.dispatch, self.secret)
        )
        return Lengths(sheet=min(sheet, MOST_SHEET), dispatch=dispatch, secret=secret)


MOST_SHEET = 10_752
"""Maximum length of a sheet before sealing. Sealed and armored, it still fits into the 16 KiB of a file in a pull request."""
