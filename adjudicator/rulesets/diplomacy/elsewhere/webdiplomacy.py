"""The JSON that webDiplomacy gives for a whole game: phases with units, centres and orders, by numbers of territories.

`history.json`, the public file of a game, has true, false and null where the older answer of `game/status` has Yes, No and 0.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.files.places import read_own
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import read
from adjudicator.rulesets.diplomacy.records import Marks, Reported

PHASES = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
KINDS = {"Army": "A", "Fleet": "F"}
CLASSIC = 1
START = 1901
MOST = 200
"""More units than the board has places."""
RIGHT = "give the file history.json of a game on the Classic board, or a reply from game/status in its older form"
YES = ("Yes", True)


def looks_like_webdiplomacy(data: Mapping[str, Any]) -> bool:
    """True if a JSON object has phases with orders by numbers of territories."""
    phases = data.get("phases")
    first = phases[0] if isinstance(phases, list) and phases else None
    return isinstance(first, dict) and "turn" in first and "units" in first and "state" not in first


@functools.cache
def _numbers() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The codes of the territories, and the countries, each from number 1 on."""
    path = Path(__file__).parent.parent / "data" / "webdiplomacy.yaml"
    data: Any = read(read_own(path), path.name).data
    return tuple(map(str, data["territories"])), tuple(map(str, data["countries"]))


def phases_of(data: Mapping[str, Any], line: int) -> Iterator[Reported]:
    """The phases of a game in their order. Raises `Problems` for another board, or for data of another form."""
    variant = data.get("variantID", CLASSIC)
    if variant not in (CLASSIC, str(CLASSIC)):
        what = f"the game was played on webDiplomacy's board number {variant!r:.20}, which is not known here"
        raise problem("", what, RIGHT, line=line)
    try:
        for phase in data["phases"]:
            yield from _phase(phase, line)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise problem("", "this is not a game as webDiplomacy gives it", RIGHT, line=line) from None


def _phase(phase: Mapping[str, Any], line: int) -> Iterator[Reported]:
    kind = PHASES.get(str(phase["phase"]))
    if kind is None:
        return  # Pre-game, Finished
    turn = int(phase["turn"])
    letter = "W" if kind == "A" else "SF"[turn % 2]
    orders: dict[str, list[tuple[str, Marks | None]]] = {}
    for order in phase.get("orders") or ():
        text = _order(order)
        if text:
            orders.setdefault(_country(order["countryID"]), []).append((text, _marks(order, kind)))
    if not orders:
        return  # a phase that is still open, or that needs no orders
    standing: dict[str, tuple[str, ...]] = {}
    lost: dict[str, tuple[str, ...]] = {}
    if len(phase["units"]) > MOST:
        raise ValueError(MOST)
    for unit in phase["units"]:
        where = lost if unit.get("retreating") in YES else standing
        name, text = (
            _country(unit["countryID"]),
            f"{KINDS[unit.get('unitType') or unit['type']]} {_place(unit['terrID'])}",
        )
        where[name] = (*where.get(name, ()), text)
    centres: dict[str, tuple[str, ...]] = {}
    for centre in phase.get("centers") or ():
        if int(centre["countryID"]):
            name = _country(centre["countryID"])
            centres[name] = (*centres.get(name, ()), _place(centre["terrID"]))  # newer servers list other places too
    yield Reported(
        line=line,
        name=f"{letter}{START + turn // 2}{kind}",
        orders={name: tuple(some) for name, some in orders.items()},
        units=standing if kind == "M" else None,
        centres=centres if kind == "M" else None,
    )


def _country(number: Any) -> str:
    country = _numbers()[1][int(number) - 1] if int(number) > 0 else ""
    if not country:
        raise ValueError(number)
    return country


def _place(number: Any) -> str:
    place = _numbers()[0][int(number) - 1] if int(number) > 0 else ""
    if not place:
        raise ValueError(number)
    return place


def _order(order: Mapping[str, Any]) -> str:
    """The order in codes; empty for a power that waits."""
    kind, at = str(order["type"]), order.get("terrID")
    unit = f"{KINDS.get(str(order.get('unitType')), '')} {_place(at)}".strip() if at and int(at) else ""
    match kind:
        case "Hold":
            return f"{unit} H"
        case "Move":
            return f"{unit} - {_place(order['toTerrID'])}" + (" VIA" if order.get("viaConvoy") in YES else "")
        case "Support hold":
            return f"{unit} S {_place(order['toTerrID'])}"
        case "Support move":
            return f"{unit} S {_place(order['fromTerrID'])} - {_bare(order['toTerrID'])}"
        case "Convoy":
            return f"{unit} C A {_place(order['fromTerrID'])} - {_place(order['toTerrID'])}"
        case "Retreat":
            return f"{unit} - {_place(order['toTerrID'])}"
        case "Disband":
            return f"{unit} D"
        case "Build Army" | "Build Fleet":
            return f"Build {kind[6]} {_place(at)}"
        case "Destroy":
            return f"Disband {_place(at)}"
        case "Wait":
            return "Waive"
        case _:
            raise ValueError(kind)


def _bare(number: Any) -> str:
    return _place(number).partition("/")[0]


def _marks(order: Mapping[str, Any], kind: str) -> Marks | None:
    """The result of an order in the record. Success and failure are compared only for moves and supports."""
    if kind != "M":
        return None
    said = {"dislodged"} if order.get("dislodged") in YES else set()
    if order.get("success") not in YES and str(order["type"]).startswith(("Move", "Support")):
        said.add("failed")
    return frozenset(said)
