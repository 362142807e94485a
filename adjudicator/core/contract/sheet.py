"""The words that sheets of every game share, declared: what the core reads of a sheet it reads of these types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from adjudicator.core.text.codec import Flag, field_text, shared

SEAT = "seat"
SeatName = Annotated[str, Field(json_schema_extra={"format": SEAT})]
"""A text on a sheet that names a seat of the game: the order desk lets people choose."""


ORDER_LETTERS = 200
"""Letters of an order that its verdict repeats, and that the desk takes."""


@shared
class SheetWords:
    """What every sheet says of itself. In files and forms these words come after the sheet's own."""

    final: Annotated[Flag, field_text(title="This is final: judge as soon as everybody’s sheet is final")] = False


@shared
class StandingWords(SheetWords):
    """What a sheet says of itself where it may stand whole. One whose parts stand by themselves is no such sheet."""

    standing: Annotated[
        Flag, field_text("Until I send another.", title="Use this sheet again in later turns of this kind")
    ] = False
