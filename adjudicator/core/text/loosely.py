"""Read sheets as people write them: accept any unambiguous shape, and leave out only the entries that are wrong.

A list of lines may also be written as one line of text, as several lines of text, or as keys with values (`A1: E, E` without
quotes). An entry may be one key with a value. The words are the same in each shape, so no order changes. Nothing else is guessed:
any other fault keeps its usual message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from adjudicator.core.text.codec import adapter, decode, fault_place, keys, keys_at
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.yamltext import Place, Text

T = TypeVar("T")
BULLET = re.compile(r"\s*(?:[-*•–—]\s+|\d{1,2}[.)]\s+)?(.*?)\s*")
"""A line of text. Its group is the line without the bullet or number that may precede it."""
ORDERS = "orders"
"""The key that is assumed if a sheet is only a list of lines."""
ROUNDS = 4
"""Maximum number of passes over a sheet. One may not be enough: when a mapping becomes a list, its entries are still keys with values."""


def fit(kind: type[Any], text: Text) -> Text:
    """Convert other shapes to lists of lines, and fix the case of keys, wherever the meaning is beyond doubt."""
    whole = _spell_keys(kind, text)
    fixed: set[Place] = set()
    """Keys whose values keep their shape, because converting them left a fault."""
    while True:
        text, changed = whole, set[Place]()
        for _ in range(ROUNDS):
            faults = _of_one_mind(kind, text)
            fitted = text
            for sort, place in faults:
                if place[:1] not in fixed:
                    fitted = _fit_one(fitted, sort, place)
                    changed |= {place[:1]} if fitted is not text else set()
            if fitted is text:
                break
            text = fitted
        wrong = changed & {place[:1] for place in _fault_places(kind, text)}
        if not wrong:
            return text
        fixed |= wrong


def salvage(kind: type[T], text: Text, elsewhere: Mapping[str, str]) -> tuple[T, tuple[Problem, ...]]:
    """Decode the readable part of a text that `fit` returned. Also return a problem for each key or entry that was left out.

    `elsewhere` works as in `decode`. Raises `Problems` if nothing can be read: the text is not a record, a required key is missing,
    or only empty values are left.
    """
    left_out: list[Problem] = []
    while True:
        try:
            read = decode(kind, text, elsewhere=elsewhere)
        except Problems as problems:
            places = _faulty_places(kind, text)
            if not places:
                raise
            left_out += problems.problems
            for place in sorted(places, key=str, reverse=True):
                text = _without(text, place)
        else:
            if left_out and not any(value not in (None, [], {}, "") for value in _values(text)):
                raise Problems(left_out)
            return read, tuple(left_out)


def _values(text: Text) -> list[Any]:
    """The values of a text's top-level keys."""
    return list(text.data.values()) if isinstance(text.data, dict) else []


def _faulty_places(kind: type[Any], text: Text) -> set[Place]:
    """The parts of a sheet to leave out because of faults: entries of a list or of a mapping with free keys, otherwise top-level keys.

    Empty if nothing is wrong, or if leaving out parts does not help: the sheet is not a record, or a key is missing.
    """
    try:
        adapter(kind).validate_python({} if text.data is None else text.data)
    except ValidationError as error:
        places: set[Place] = set()
        for fault in error.errors(include_url=False):
            place = fault_place(text.data, fault["loc"], missing=fault["type"].startswith("missing"))
            if not place or (len(place) == 1 and fault["type"].startswith("missing")):
                return set()
            inside = text.data[str(place[0])] if isinstance(text.data, dict) else None
            many = isinstance(inside, list) or (isinstance(inside, dict) and not keys_at(kind, place[:1]))
            places.add(place[:2] if many and len(place) > 1 else place[:1])
        return places
    return set()


def _without(text: Text, place: Place) -> Text:
    """Return the text without the part at a place. The marks of other parts still point to their original positions."""
    data: Any = dict(text.data)  # type: ignore[arg-type]  # it has a place, so it is a mapping
    marks = text.marks
    if len(place) == 1:
        del data[place[0]]
    elif isinstance(data[place[0]], dict):
        data[place[0]] = {key: value for key, value in data[place[0]].items() if key != place[1]}
    else:
        key, index = place
        assert isinstance(key, str)
        assert isinstance(index, int)
        data[key] = [value for number, value in enumerate(data[key]) if number != index]
        marks = {_moved(at, key, index): mark for at, mark in marks.items() if at[:2] != place}
    return Text(text.path, data, marks, text.joined)


def _moved(at: Place, key: str, index: int) -> Place:
    """The new place of a part, once the entry `index` of the list `key` has been removed."""
    if len(at) > 1 and at[0] == key and isinstance(at[1], int) and at[1] > index:
        return (key, at[1] - 1, *at[2:])
    return at


def _fault_places(kind: type[Any], text: Text) -> dict[Place, set[str]]:
    """Place of each fault -> pydantic's names for the fault; there may be one for each kind that the value could have."""
    by_place: dict[Place, set[str]] = {}
    try:
        adapter(kind).validate_python({} if text.data is None else text.data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            place = fault_place(text.data, fault["loc"], missing=fault["type"].startswith("missing"))
            by_place.setdefault(place, set()).add(fault["type"])
    return by_place


def _of_one_mind(kind: type[Any], text: Text) -> list[tuple[str, Place]]:
    """Faults at places where every possible kind of the value requires the same shape, as (pydantic's name, place), last places first."""
    return [
        (next(iter(sorts)), place)
        for place, sorts in sorted(_fault_places(kind, text).items(), key=lambda pair: str(pair[0]), reverse=True)
        if len(sorts) == 1 and place
    ]


def _fit_one(text: Text, sort: str, place: Place) -> Text:
    try:
        value = _value_at(text.data, place)
    except (KeyError, IndexError, TypeError):
        return text  # missing, or inside a value that has a different shape by now
    if sort in ("tuple_type", "list_type"):
        lines = _lines_of(value)
        if lines is None:
            return text
        marks = dict(text.marks)
        for index, (step, _) in enumerate(lines):
            marks[(*place, index)] = text.mark((*place, step) if step is not None else place)
        return Text(text.path, _put(text.data, place, [line for _, line in lines]), marks, text.joined)
    if sort == "string_type" and isinstance(place[-1], int):
        line = _line_of(value)
        return text if line is None else Text(text.path, _put(text.data, place, line), text.marks, text.joined)
    return text


def _lines_of(value: Any) -> list[tuple[str | None, Any]] | None:
    """The entries meant by a value that is not a list, each with its key if it had one. None if the meaning is unclear."""
    if value is None:
        return []
    if isinstance(value, str):
        lines = [match[1] for line in value.splitlines() if (match := BULLET.fullmatch(line)) and match[1]]
        return [(None, line) for line in (lines if len(lines) > 1 else [value])]
    if isinstance(value, dict) and value and all(_line_of({key: inner}) for key, inner in value.items()):
        return [(key, {key: inner}) for key, inner in value.items()]
    return None


def _line_of(value: Any) -> str | None:
    """The line meant by a mapping with one key, as it was written. None for anything else."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((key, inner),) = value.items()
    if isinstance(inner, bool) or not isinstance(inner, str | int | None):
        return None
    return f"{key}:" if inner is None else f"{key}: {inner}"


def _value_at(data: Any, place: Place) -> Any:
    for step in place:
        data = data[step]
    return data


def _put(data: Any, place: Place, value: Any) -> Any:
    """Copy the data, with a different value at one place."""
    if not place:
        return value
    step, *rest = place
    if isinstance(data, list):
        return [_put(inner, tuple(rest), value) if index == step else inner for index, inner in enumerate(data)]
    return {key: _put(inner, tuple(rest), value) if key == step else inner for key, inner in data.items()}


def _spell_keys(kind: type[Any], text: Text) -> Text:
    """Fix the case of top-level keys, unless two keys would then be equal.

    A sheet that is only a list of lines becomes the list under `orders`, if its kind has that key.
    """
    if isinstance(text.data, list) and ORDERS in keys(kind) and all(isinstance(line, str) for line in text.data):
        marks = {((ORDERS, *at) if at else at): mark for at, mark in text.marks.items()}
        return Text(text.path, {ORDERS: text.data}, marks, {(ORDERS, *at): lines for at, lines in text.joined.items()})
    if not isinstance(text.data, dict):
        return text
    known = {key.casefold(): key for key in keys(kind)}
    spelt = {key: known.get(key.casefold(), key) for key in text.data}
    if len({*spelt.values()}) < len(spelt) or all(key == right for key, right in spelt.items()):
        return text
    data = {spelt[key]: value for key, value in text.data.items()}

    def moved(at: Place) -> Place:
        return (spelt.get(str(at[0]), at[0]), *at[1:]) if at else at

    marks = {moved(at): mark for at, mark in text.marks.items()}
    return Text(text.path, data, marks, {moved(at): lines for at, lines in text.joined.items()})
