"""Cautions: remarks on a sheet that depend only on its fields. They are data, so that `courtly check` and the desk make the same remarks.

A ruleset lists a seat's cautions for a turn. The desk evaluates them in the browser by the same rules (`cautions` in desk/draft.js).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from adjudicator.core.contract.resolution import Remark
from adjudicator.core.contract.words import many


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A remark on every sheet that meets its conditions; without conditions, on every sheet."""

    place: str
    """The key that the remark concerns."""
    what: str
    right: str = ""
    level: Literal["error", "warning"] = "warning"
    filled: tuple[str, ...] = ()
    """Keys that must all be filled."""
    empty: tuple[str, ...] = ()
    """Keys that must all be empty."""
    says: Mapping[str, str] = field(default_factory=dict)
    """Key -> the text that it must have."""
    busy: Mapping[str, str] = field(default_factory=dict)
    """Unit -> the order that keeps it in its place. Each of these units must have another legal order."""
    sums: Mapping[str, int] = field(default_factory=dict)
    """Key of a record of numbers -> the sum that they should have. The caution applies if none of these sums is right."""
    starts: tuple[str, ...] = ()
    """Beginnings of lines to count, such as `Build A `, or whole lines. The caution applies if there are fewer than `wanted`.

    Several lines for one place count once.
    """
    elsewhere: tuple[str, ...] = ()
    """Places whose lines do not count, because they are for somebody else's units."""
    wanted: int = 0
    fits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Line -> a unit of the seat, then the lines of that unit that the line needs. The caution applies once for each such line on the sheet if the
    unit has another line there. `{line}` and `{other}` in `what` become the two.
    """
    thing: str = ""
    """Word for one of the counted lines, such as `build`. `{left}` in `what` becomes the number of further lines possible, with this word."""


def plain_caution(caution: Caution) -> dict[str, Any]:
    """Convert a caution to the data that the desk reads, with only the conditions that it has."""
    return {key: value for key, value in asdict(caution).items() if value}


def applies(caution: Caution, sheet: Any, lines: Collection[str]) -> bool:
    """True if a sheet meets a caution's conditions. `lines` are its legal orders in canonical form, at most one for each unit."""
    return (
        all(getattr(sheet, key) for key in caution.filled)
        and not any(getattr(sheet, key) for key in caution.empty)
        and all(getattr(sheet, key) == text for key, text in caution.says.items())
        and all(sum(asdict(getattr(sheet, key)).values()) != total for key, total in caution.sums.items())
        and all(
            any(line.startswith(f"{unit} ") and line != stays for line in lines) for unit, stays in caution.busy.items()
        )
        and (not caution.starts or left_of(caution, lines) > 0)
    )


def misfits(caution: Caution, lines: Collection[str]) -> Iterator[tuple[str, str]]:
    """Pairs of lines that do not fit each other, in the order of the sheet; see `Caution.fits`. `lines` are legal and canonical."""
    for line in lines:
        unit, *wanted = caution.fits.get(line, ("",))
        others = [one for one in lines if unit and one.startswith(f"{unit} ")]
        if others and not any(one in wanted for one in others):
            yield line, others[0]


def left_of(caution: Caution, lines: Collection[str]) -> int:
    """Number of further lines that a caution allows. `lines` are legal and canonical."""
    whole = [line for line in lines if line in caution.starts]
    begun = [line for line in lines if any(start.endswith(" ") and line.startswith(start) for start in caution.starts)]
    places = {line.split(" ", 2)[-1].split("/")[0] for line in begun}
    return caution.wanted - len(places - {*caution.elsewhere}) - len(whole)


def remarks(cautions: Iterable[Caution], sheet: Any, lines: Collection[str]) -> Iterator[Remark]:
    """Yield, for `check`, a remark for each caution whose conditions a sheet meets."""
    for caution in cautions:
        if not applies(caution, sheet, lines):
            continue
        if caution.fits:
            for line, other in misfits(caution, lines):
                what = caution.what.replace("{line}", line).replace("{other}", other)
                yield Remark((caution.place,), what, caution.right, level=caution.level)
        else:
            what = caution.what.replace("{left}", many(left_of(caution, lines), caution.thing))
            yield Remark((caution.place,), what, caution.right, level=caution.level)
