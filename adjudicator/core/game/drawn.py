"""`join/draw.yaml`: a finished draw of seats. These types are not in the module `draw`, because `draw` imports `game`, which needs them."""

from __future__ import annotations

from adjudicator.core.secrets import dice as luck
from adjudicator.core.text.codec import Whole, record


@record
class Pick:
    """One person's place in the draw, and the seat they got."""

    account: Whole
    player: str
    wish: str
    """SHA-256 of the file of their wish."""
    seat: str | None = None
    """None if there were more people than seats, and this person came too late in the order."""
    choice: Whole | None = None
    """Rank of the seat in their wish, from 1; None for one of the remaining seats."""


@record
class Draw:
    """`join/draw.yaml`: who got which seat, in the order of choosing, and the proof."""

    schema: int
    drawn: str | None = None
    """Time of the draw, as given to the command."""
    secret: str
    """The secret s of the draw, in hexadecimal."""
    digest: str
    """X: one digest over the digests of all wishes, by account."""
    picks: tuple[Pick, ...]
    rolls: tuple[luck.Roll, ...] = ()
