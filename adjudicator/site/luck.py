"""The luck of a game: every die that was rolled, how often each face came up, and how odd that is."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.secrets.dice import Roll
from adjudicator.site.markup import join, link, table, tag
from adjudicator.site.story import Story

MOST_FACES = 20
"""Dice with more sides are not shown face by face."""


def foresight_warning(story: Story) -> Markup | None:
    """The warning beside dice that anybody could have computed before they were rolled; None if nobody could."""
    if not story.game.foreseen:
        return None
    words = (
        "This game is not sealed, and its dice come from what its game.yaml says: anybody can compute them before a turn is \
judged, and choose orders accordingly."
    )
    return tag("p", tag("strong", "These dice can be foreseen. "), words, class_="courtly-foreseen")


def rolls_of(story: Story) -> list[tuple[str, Roll]]:
    """Every roll of a game that may be shown, with its turn."""
    rolls: list[tuple[str, Roll]] = []
    for turn in story.turns:
        if turn.data.setup is not None:
            rolls.extend(("Setup", roll) for roll in turn.data.setup.rolls)
        rolls.extend((turn.data.phase, roll) for roll in turn.data.rolls)
    return [(phase, roll) for phase, roll in rolls if roll.sides > 1]


def oddness(counts: Iterable[int]) -> tuple[float, float]:
    """Chi-square of faces that should come up equally often, and the probability that fair dice come out at least as uneven.

    The probability is Wilson and Hilferty's approximation, accurate to about a hundredth.
    """
    faces = list(counts)
    expected = sum(faces) / len(faces)
    square = sum((count - expected) ** 2 / expected for count in faces)
    free = len(faces) - 1
    spread = 2 / (9 * free)
    score = ((square / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return square, 0.5 * math.erfc(score / math.sqrt(2))


def luck_page(story: Story, root: str) -> Markup | None:
    """A game's page of luck; None for a game without dice rolls."""
    rolls = rolls_of(story)
    if not rolls:
        return None
    dice: dict[int, list[int]] = {}
    for _, roll in rolls:
        dice.setdefault(roll.sides, []).append(roll.value)
    rows = []
    faces = []
    for sides, values in sorted(dice.items()):
        counts = [values.count(face) for face in range(1, sides + 1)]
        enough = len(values) >= 5 * sides
        _, chance = oddness(counts) if enough else (0.0, 1.0)
        fair = f"{chance:.0%} of fair dice are at least as uneven" if enough else "too few to tell"
        mean = sum(values) / len(values)
        rows.append((f"{sides}-sided", len(values), f"{mean:.2f}", f"{(sides + 1) / 2:.2f}", fair))
        if sides <= MOST_FACES:
            shown = [(face, count, "█" * round(20 * count / max(counts))) for face, count in enumerate(counts, 1)]
            faces.append(
                tag(
                    "details",
                    tag("summary", f"{sides}-sided dice, face by face"),
                    table(("Face", "Times", ""), shown, f"{sides}-sided dice"),
                )
            )
    every = [(phase, roll.name, roll.sides, roll.value) for phase, roll in rolls]
    game = story.game
    return tag(
        "div",
        tag(
            "p", link("All games", f"{root}index.html"), " › ", link(game.title, "index.html"), class_="courtly-crumbs"
        ),
        tag("h1", "Luck in ", game.title),
        tag(
            "p",
            "Every roll of this game that may be shown. Each can be checked: see ",
            link("how the dice work", f"{root}dice.html"),
            ".",
        ),
        foresight_warning(story),
        table(("Die", "Rolls", "Average", "Expected", "How even"), rows, "Dice"),
        join(faces),
        tag(
            "details",
            tag("summary", f"All {many(len(every), 'roll')}"),
            table(("Turn", "Roll", "Sides", "Value"), every, "Rolls"),
        ),
        class_="courtly",
    )
