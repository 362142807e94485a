"""Cautions: remarks on a sheet that follow from its fields alone, as data, so that `courtly check` and the desk say the same.

A ruleset lists those of a turn for a seat. Whether one is met depends on the sheet alone, and the desk finds out in the browser by
the same words (`cautions` in desk/draft.js).
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
    """The key that it is about."""
    what: str
    right: str = ""
    level: Literal["error", "warning"] = "warning"
    filled: tuple[str, ...] = ()
    """Keys that are filled, all of them."""
    empty: tuple[str, ...] = ()
    """Keys that are all empty."""
    says: Mapping[str, str] = field(default_factory=dict)
    """Key -> the text that stands there."""
    busy: Mapping[str, str] = field(default_factory=dict)
    """Unit -> the order that keeps it where it is: each of these has another one, and a legal one."""
    sums: Mapping[str, int] = field(default_factory=dict)
    """Key of a record of numbers -> what they should add up to: each adds up to something else."""
    starts: tuple[str, ...] = ()
    """How the lines begin that are counted, such as `Build A `, or all of such a line: there are fewer than `wanted`. Several for one
    place count once."""
    elsewhere: tuple[str, ...] = ()
    """Places at which lines are not counted, since they are for somebody else's units."""
    wanted: int = 0
    thing: str = ""
    """What such a line is, in the singular; `{left}` in `what` is how many more there could be."""


def plain_caution(caution: Caution) -> dict[str, Any]:
    """A caution as the desk reads it: of its conditions only those that it has."""
    return {key: value for key, value in asdict(caution).items() if value}


def applies(caution: Caution, sheet: Any, lines: Collection[str]) -> bool:
    """Whether a sheet meets a caution's conditions; `lines` are its legal orders, canonically written, at most one a unit."""
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


def left_of(caution: Caution, lines: Collection[str]) -> int:
    """How many more of the lines that a caution counts there could be; `lines` are legal and canonical."""
    whole = [line for line in lines if line in caution.starts]
    begun = [line for line in lines if any(start.endswith(" ") and line.startswith(start) for start in caution.starts)]
    places = {line.split(" ", 2)[-1].split("/")[0] for line in begun}
    return caution.wanted - len(places - {*caution.elsewhere}) - len(whole)


def remarks(cautions: Iterable[Caution], sheet: Any, lines: Collection[str]) -> Iterator[Remark]:
    """The cautions that a sheet meets, as `check` says them."""
    for caution in cautions:
        if applies(caution, sheet, lines):
            what = caution.what.replace("{left}", many(left_of(caution, lines), caution.thing))
            yield Remark((caution.place,), what, caution.right, level=caution.level)
