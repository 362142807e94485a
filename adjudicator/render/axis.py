"""The axes of charts: values in round steps, and as many names of ticks as fit, on a wide screen and on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.pages import Chart, Timeline
from adjudicator.render.text import REGULAR, width

STEPS = (1, 2, 5)
ROUND = 5
"""From this step on, ticks with numbers as names are chosen so that the numbers are round: 1085 and 1090, not 1081 and 1086."""


@dataclass(frozen=True, slots=True)
class Tick:
    """The first label of a unit of time, such as a year: its place among the labels, and the unit's name."""

    at: int
    name: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of text on a wide screen and on a phone, in the picture's units."""

    wide: float
    phone: float


@dataclass(frozen=True, slots=True)
class Axis:
    """Horizontal ends of an axis of time (`left`, `right`), and how far its names may reach (`first`, `last`)."""

    left: float
    right: float
    first: float
    last: float


def ticks_of(chart: Chart | Timeline) -> tuple[Tick, ...]:
    """The units of a chart's time, each at its first label; the labels themselves if all are in one unit."""
    names = chart.ticks if len(set(chart.ticks)) > 1 else chart.labels
    runs = groupby(range(len(names)), key=lambda at: names[at])
    return tuple(Tick(next(run), name) for name, run in runs)


def round_steps() -> Iterable[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    tens = 1
    while True:
        yield from (step * tens for step in STEPS)
        tens *= 10


def value_step(top: int, most: int) -> int:
    """The smallest round step that reaches `top` in at most `most` steps."""
    return next(step for step in round_steps() if -(-top // step) <= most)


def _choose(ticks: Sequence[Tick], step: int) -> list[Tick]:
    """Every `step`th tick, counted from the first. For a large step and names that are numbers, those that the step divides."""
    if step >= ROUND and all(tick.name.isdecimal() and tick.name.isascii() for tick in ticks):
        rounds = [tick for tick in ticks if int(tick.name) % step == 0]
        if len(rounds) > 1:
            return rounds
    return list(ticks[::step])


def named_ticks(ticks: Sequence[Tick], spots: Sequence[float], size: float, axis: Axis) -> list[tuple[float, str]]:
    """Choose the smallest round step that lets names fit side by side; return the middle of each name, and the name."""
    for step in round_steps():
        named = []
        reached = float("-inf")
        for tick in _choose(ticks, step):
            half = width(tick.name, size) * REGULAR / 2
            middle = min(max(spots[tick.at], axis.first + half), axis.last - half)
            named.append((round(middle, 1), tick.name))
            if middle - half < reached:
                break
            reached = middle + half + size / 3
        else:
            return named
        if step > len(ticks):
            return named[:1]
    raise AssertionError


def add_time(
    drawing: svgwrite.Drawing, chart: Chart | Timeline, spots: Sequence[float], sizes: Sizes, axis: Axis, low: float
) -> None:
    """Add the axis of time at the height `low`: a mark at each unit, and the names that fit in each of the two sizes."""
    ticks = ticks_of(chart)
    marks = "".join(f"M{spots[tick.at]:g} {low:g}v{4 if len(ticks) > 1 else 0}" for tick in ticks)
    drawing.add(drawing.path(f"M{axis.left:g} {low:g}H{axis.right:g}{marks}", class_="tk"))
    wide = named_ticks(ticks, spots, sizes.wide, axis)
    phone = named_ticks(ticks, spots, sizes.phone, axis)
    for spot, name in sorted({*wide, *phone}):
        only = "" if (spot, name) in wide and (spot, name) in phone else " wd" if (spot, name) in wide else " nr"
        drawing.add(drawing.text(name, (spot, round(low + sizes.phone + 5, 1)), class_=f"ax{only}"))


def strip(drawing: svgwrite.Drawing, left: float, right: float, top: float, low: float, words: str) -> BaseElement:
    """An invisible strip with `words` as its tooltip."""
    shape = drawing.path(f"M{left:g} {top:g}H{right:g}V{low:g}H{left:g}z")
    shape.set_desc(title=words)
    return shape


STYLE = (
    ".ch .tk{fill:none;stroke:var(--edge);stroke-width:1}.ch .gr{stroke:var(--edge);stroke-opacity:.35;fill:none}"
    ".cm.ch .en{text-anchor:end}.cm.ch .st{text-anchor:start}.ch .nr{display:none}"
    ".ch .ht *{fill:var(--ink);fill-opacity:0}.ch .ht :hover{fill-opacity:.12}"
    "@media(max-width:640px){.ch .wd{display:none}.ch .nr{display:inline}}"
)
"""Style rules of every chart with an axis of time."""
