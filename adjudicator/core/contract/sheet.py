"""Fields that sheets of every game share. The core reads no other fields of a sheet."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from adjudicator.core.text.codec import Flag, field_text, shared

SEAT = "seat"
SeatName = Annotated[str, Field(json_schema_extra={"format": SEAT})]
"""The name of a seat on a sheet. The order desk offers the game's seats as choices."""


MOST_WORDS = 280
"""Maximum number of characters that a seat says to everybody with a sheet."""
ORDER_LETTERS = 200
"""Maximum number of characters of an order at the desk, and of an order that a verdict quotes."""


@shared
class SheetWords:
    """Fields of every sheet. In files and forms they come after the sheet's other fields."""

    words: Annotated[
        Annotated[str, Field(max_length=MOST_WORDS)] | None,
        field_text(
            f"At most {MOST_WORDS} letters, which everybody reads with the turn once it is judged.",
            title="Words to everybody",
        ),
    ] = None
    answer: Annotated[
        Annotated[str, Field(max_length=80)] | None,
        field_text("Everybody reads it with the turn once it is judged.", title="My answer to the host’s question"),
    ] = None
    final: Annotated[Flag, field_text(title="I’m ready: don’t wait for the deadline if everybody is")] = False


@shared
class StandingWords(SheetWords):
    """Fields of sheets that can apply again, as a whole, in later turns. Sheets whose parts carry over separately do not use this type."""

    standing: Annotated[
        Flag, field_text("Until I send another.", title="Use this sheet again in later turns of this kind")
    ] = False
