"""Games that jDip saves: XML that holds its Java objects (`jsx`), or the later form with turns, orders as text and results (`game`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from adjudicator.core.text.problems import problem
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.records import Marks, Reported

KINDS = {"movement": "M", "retreat": "R", "adjustment": "A"}
LETTERS = {"spring": "S", "fall": "F", "winter": "W"}
UNITS = {"army": "A", "fleet": "F", "wing": "A"}
MARKS: Mapping[str, str] = {"FAILURE": "failed", "DISLODGED": "dislodged", "VALIDATION_FAILURE": "void"}
CLASSES: Mapping[str, str] = {
    "BouncedResult": "bounce",
    "DependentMoveFailedResult": "bounce",
    "DislodgedResult": "dislodged",
}
COASTS = frozenset({"NC", "SC", "EC", "WC"})
DECLARED = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
NAME = re.compile(r"<name>([^<]{1,80})</name>")
VALUE = re.compile(r"<string\b(?=[^<>]{0,200}\bfield=\"gameName\")[^<>]{0,200}\bvalue=\"([^\"]{1,80})\"")
MOST_ORDERS = 50_000
"""Most orders in a saved game. References could repeat them without end."""
DAMAGED = "save the game again in jDip"
FALL = 2000
"""jDip's number for the season of fall. Adjustments have it too."""


def looks_like_jdip(head: str) -> bool:
    """True if a text begins like a game of jDip."""
    xml = head.lstrip("\ufeff \n\r\t").startswith("<")
    return xml and (("<jsx" in head and "dip.world" in head) or re.search(r"<game\b[^>]*jDip", head) is not None)


def title_of(text: str) -> str:
    """The name that the game has in jDip; empty if it has none."""
    for before, pattern in (("<gameInfo>", NAME), ('"gameName"', VALUE)):
        at = text.find(before)
        found = pattern.search(text, max(0, at - 200), at + 400) if at >= 0 else None
        if found is not None:
            return found[1].strip()
    return ""


def phases_of(text: str, board: Board, line: int) -> Iterator[Reported]:
    """The turns of a game that have orders. Raises `Problems` for XML that is damaged, or that declares entities."""
    if DECLARED.search(text):
        raise problem("", "the file declares entities or a document type", "a game that jDip saved has none", line=line)
    try:
        root = ET.fromstring(text)  # noqa: S314  # entities could make a small file expand, so they are refused above
        if root.tag == "jsx":
            yield from _from_objects(Objects(root), board, line)
        else:
            yield from _from_turns(root, board, line)
    except (ET.ParseError, RecursionError) as error:
        raise problem("", f"the XML is damaged ({error})", DAMAGED, line=line) from None
    except (KeyError, ValueError, AttributeError, IndexError):
        raise problem("", "this is not a game as jDip saves it", DAMAGED, line=line) from None


def _power(board: Board, name: str) -> str:
    return next((power for power in (*board.powers, *board.others) if power.casefold() == name.casefold()), name)


@dataclass
class _Turn:
    """One turn while it is read."""

    name: str
    orders: dict[str, tuple[tuple[str, Marks | None], ...]]
    units: dict[str, tuple[str, ...]] = field(default_factory=dict)
    centres: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def reported(self, line: int) -> Reported:
        """Convert it to a phase; positions of retreats and winters follow from the turn before."""
        moves = self.name.endswith("M")
        return Reported(
            line=line,
            name=self.name,
            orders=self.orders,
            units=self.units if moves else None,
            centres=self.centres if moves else None,
        )

    def stands(self, power: str, unit: str) -> None:
        """Add a unit."""
        self.units[power] = (*self.units.get(power, ()), unit)

    def owns(self, power: str, centre: str) -> None:
        """Add a centre."""
        self.centres[power] = (*self.centres.get(power, ()), centre)


# The form with turns ----------------------------------------------------------------------------------------------


def _from_turns(game: ET.Element, board: Board, line: int) -> Iterator[Reported]:
    for turn in game.iter("turn"):
        season = LETTERS.get(turn.get("season", "").casefold())
        kind = KINDS.get(turn.get("phase", "").casefold())
        year = turn.get("year", "")
        if season is None or kind is None or not re.fullmatch(r"-?\d{1,7}", year):
            raise problem("", f"{turn.get('season')} {year}, {turn.get('phase')}: this is not a phase", "", line=line)
        if orders := _orders(turn, board, kind):
            made = _Turn(f"{'W' if kind == 'A' else season}{int(year)}{kind}", orders)
            for position in turn.iter("position"):
                province = position.get("province", "").upper()
                for unit in position.iter("unit"):
                    coast = unit.get("coast", "").upper()
                    place = province + (f"/{coast}" if coast in COASTS else "")
                    made.stands(_power(board, unit.get("power", "")), f"{UNITS[unit.get('type', '')]} {place}")
                for centre in position.iter("SC"):
                    if (owner := centre.get("owner", "none")) != "none":
                        made.owns(_power(board, owner), province)
            yield made.reported(line)


def _orders(turn: ET.Element, board: Board, kind: str) -> dict[str, tuple[tuple[str, Marks | None], ...]]:
    said: dict[str, set[str]] = {}
    results = turn.find("results")
    for result in results if results is not None else ():
        if (of := result.get("order")) is not None:
            bounced = {"bounce"} if result.tag == "bouncedOrderResult" else set[str]()
            mark = MARKS.get(result.get("category", "").replace(" ", "_").upper())
            said.setdefault(of, set()).update(bounced or ({mark} if mark else set()))
    orders: dict[str, tuple[tuple[str, Marks | None], ...]] = {}
    for group in turn.iter("orderSet"):
        some: list[tuple[str, Marks | None]] = []
        for order in group.iter("order"):
            text = order.get("text", "").partition(":")[2].strip() or order.get("text", "").strip()
            marks = frozenset(said.get(order.get("id", ""), ())) if kind == "M" and results is not None else None
            some.append((_plain(text, kind), marks))
        if some:
            orders[_power(board, group.get("power", ""))] = tuple(some)
    return orders


def _plain(text: str, kind: str) -> str:
    """An order in our words: `A yor-nth-bel` goes by convoy, and in winter `B A vie` builds and `R A ber` removes."""
    if kind == "A" and (removed := re.fullmatch(r"(R|B)(?:emove|uild)? ([AF] .+)", text)) is not None:
        return f"{'Disband' if removed[1] == 'R' else 'Build'} {removed[2]}"
    route = re.fullmatch(r"(A [\w/]+)-(?:[\w/]+-)+([\w/]+)", text)
    return f"{route[1]}-{route[2]} via convoy" if route else text


# The form with objects --------------------------------------------------------------------------------------------


class Objects:
    """The objects of a file: elements with fields, which may be references to elements elsewhere."""

    def __init__(self, root: ET.Element) -> None:
        self.by_id = {element.get("id"): element for element in root.iter() if element.get("id") is not None}
        world = root.find("object")
        if world is None:
            raise ValueError("object")
        self.world = world

    def real(self, element: ET.Element) -> ET.Element:
        """The element that a reference leads to; any other element itself."""
        return self.by_id[element.get("idref")] if element.tag == "reference" else element

    def children(self, element: ET.Element) -> Iterator[ET.Element]:
        """The parts of an element, through the wrappers for parent classes and defaults."""
        for child in element:
            if child.tag in ("declaredClass", "default"):
                yield from self.children(child)
            else:
                yield child

    def get(self, element: ET.Element, *names: str) -> ET.Element | None:
        """The field of a field of an element; None if one of them is null or missing."""
        for name in names:
            found = next((child for child in self.children(element) if child.get("field") == name), None)
            if found is None or found.tag == "null":
                return None
            element = self.real(found)
        return element

    def text(self, element: ET.Element, *names: str) -> str:
        """A field that holds a text or a number; empty if it is null or missing."""
        found = self.get(element, *names)
        return found.get("value", "") if found is not None else ""

    def entries(self, element: ET.Element | None) -> list[ET.Element]:
        """The entries of a list or of an array, in their order. `null` is an entry."""
        found = self.children(element) if element is not None else ()
        return [self.real(child) for child in found if child.get("field") is None and child.tag != "primitive"]

    def pairs(self, element: ET.Element | None) -> Iterator[tuple[ET.Element, ET.Element]]:
        """The keys and values of a map."""
        flat = iter(self.entries(element))
        return zip(flat, flat, strict=False)


def _from_objects(objects: Objects, board: Board, line: int) -> Iterator[Reported]:
    provinces = objects.entries(objects.get(objects.world, "map", "provinces"))
    codes = {id(province): _code(objects, province) for province in provinces}
    count = 0
    for _, state in objects.pairs(objects.get(objects.world, "turnStates", "m")):
        kind = KINDS[objects.text(state, "phase", "phaseType", "constName").casefold()]
        season = "SF"[int(objects.text(state, "phase", "seasonType", "position")) == FALL]
        name = f"{'W' if kind == 'A' else season}{int(objects.text(state, 'phase', 'yearType', 'year'))}{kind}"
        said: dict[int, set[str]] = {}
        results = objects.entries(objects.get(state, "resultList"))
        for result in results:
            if (of := objects.get(result, "order")) is not None:
                marks = said.setdefault(id(of), set())
                word = CLASSES.get((result.get("class") or "").rpartition(".")[2])
                mark = MARKS.get(objects.text(result, "resultType", "key"))
                marks.update({word or mark or ""} - {""})
        turn = _Turn(name, {})
        for power, orders in objects.pairs(objects.get(state, "orderMap")):
            some = []
            for order in objects.entries(orders):
                count += 1
                if count > MOST_ORDERS:
                    raise ValueError(MOST_ORDERS)
                text = _order_text(objects, order, codes, kind)
                marks_of = frozenset(said.get(id(order), ())) if kind == "M" and results else None
                if marks_of is not None and "bounce" in marks_of:
                    marks_of -= {"failed"}
                some.append((text, marks_of))
            if some:
                turn.orders[_power(board, _name(objects, power))] = tuple(some)
        if not turn.orders:
            continue
        where = zip(provinces, objects.entries(objects.get(state, "position", "provArray")), strict=False)
        for province, data in where:
            if data.tag == "null":
                continue
            unit, owner = objects.get(data, "unit"), objects.get(data, "SCOwner")
            if unit is not None:
                stands = f"{_kind(objects, objects.get(unit, 'type'))} {codes[id(province)]}{_coast(objects, objects.get(unit, 'coast'))}"
                turn.stands(_power(board, _name(objects, objects.get(unit, "owner"))), stands)
            if owner is not None:
                turn.owns(_power(board, _name(objects, owner)), codes[id(province)])
        yield turn.reported(line)


def _code(objects: Objects, province: ET.Element) -> str:
    return objects.entries(objects.get(province, "shortNames"))[0].get("value", "").upper()


def _name(objects: Objects, power: ET.Element | None) -> str:
    return objects.entries(objects.get(power, "names"))[0].get("value", "") if power is not None else ""


def _kind(objects: Objects, kind: ET.Element | None) -> str:
    return UNITS.get(objects.text(kind, "internalName"), "") if kind is not None else ""


def _coast(objects: Objects, coast: ET.Element | None) -> str:
    said = objects.text(coast, "abbreviation").upper() if coast is not None else ""
    return f"/{said}" if said in COASTS else ""


def _order_text(objects: Objects, order: ET.Element, codes: Mapping[int, str], phase: str) -> str:
    """Write the order that an object holds in our notation."""

    def place(name: str) -> str:
        location = objects.get(order, name)
        province = objects.get(location, "province") if location is not None else None
        if location is None or province is None:
            return ""
        return codes[id(province)] + _coast(objects, objects.get(location, "coast"))

    def unit(where: str, kind: str) -> str:
        return f"{_kind(objects, objects.get(order, kind))} {place(where)}".strip()

    what = (order.get("class") or "").rpartition(".")[2].removeprefix("GUI").removeprefix("Default")
    subject = unit("src", "srcUnitType")
    match what:
        case "Hold":
            return f"{subject} H"
        case "Move":
            by_sea = objects.text(order, "_isViaConvoy") == "true"
            return f"{subject} - {place('dest')}" + (" VIA" if by_sea else "")
        case "Support":
            goal = place("supDest")
            return f"{subject} S {unit('supSrc', 'supUnitType')}" + (f" - {goal}" if goal else "")
        case "Convoy":
            return f"{subject} C {unit('convoySrc', 'convoyUnitType')} - {place('convoyDest')}"
        case "Retreat":
            return f"{subject} - {place('dest')}"
        case "Disband" if phase == "R":
            return f"{subject} D"
        case "Remove" | "Disband":
            return f"Disband {subject}"
        case "Build":
            return f"Build {subject}"
        case "Waive":
            return "Waive"
        case _:
            raise ValueError(what)
