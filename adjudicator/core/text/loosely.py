"""Sheets as people write them: shapes that can only mean one thing are read as that, and one bad entry costs itself alone.

A list of lines may come as one text, as a text of several lines, or as keys with values (`A1: E, E` without quotes); an
entry may be one key with a value. What is meant is the same line of words either way, so no order is changed. Nothing else
is guessed: what is still wrong keeps its own message.
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
"""A line of a text with several: what begins it in a list of any program, and the line itself."""
ORDERS = "orders"
"""The key that a sheet of lines alone leaves out."""
ROUNDS = 4
"""How often a text is looked at again: a mapping that became a list may hold entries that are keys with values."""


def fit(kind: type[Any], text: Text) -> Text:
    """The text with lists of lines as lists of texts, and keys as they are spelt, where what is meant is beyond doubt."""
    whole = _spell_keys(kind, text)
    fixed: set[Place] = set()
    """Keys whose shape must stay as it is, for another would not be right either."""
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
    """What can be read of a text that `fit` has seen, and a problem for each key or entry that was left out.

    `elsewhere` as for `decode`. Raises `Problems` where nothing can be read: the text is no record, what must be there is
    missing, or nothing is left of it.
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
    """What stands behind the keys of a text."""
    return list(text.data.values()) if isinstance(text.data, dict) else []


def _faulty_places(kind: type[Any], text: Text) -> set[Place]:
    """The smallest parts of a sheet that hold a fault: an entry of a list, or else a key; none if the whole is faulty."""
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
    """The text without the part at a place, and marks that still point to where each part stands."""
    data: Any = dict(text.data)  # type: ignore[arg-type]  # a place in it was found
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
    """Where a part stands once the entry before it is gone."""
    if len(at) > 1 and at[0] == key and isinstance(at[1], int) and at[1] > index:
        return (key, at[1] - 1, *at[2:])
    return at


def _fault_places(kind: type[Any], text: Text) -> dict[Place, set[str]]:
    """Place of each fault of shape -> what pydantic calls it, for each kind that the value may be."""
    by_place: dict[Place, set[str]] = {}
    try:
        adapter(kind).validate_python({} if text.data is None else text.data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            place = fault_place(text.data, fault["loc"], missing=fault["type"].startswith("missing"))
            by_place.setdefault(place, set()).add(fault["type"])
    return by_place


def _of_one_mind(kind: type[Any], text: Text) -> list[tuple[str, Place]]:
    """Faults at places where every kind that the value may be asks for the same shape, the last places first."""
    return [
        (next(iter(sorts)), place)
        for place, sorts in sorted(_fault_places(kind, text).items(), key=lambda pair: str(pair[0]), reverse=True)
        if len(sorts) == 1 and place
    ]


def _fit_one(text: Text, sort: str, place: Place) -> Text:
    try:
        value = _value_at(text.data, place)
    except (KeyError, IndexError, TypeError):
        return text  # what is missing, or stood in what has another shape by now
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
    """The entries that a value means which is no list, each with its key where it had one; None if that cannot be told."""
    if value is None:
        return []
    if isinstance(value, str):
        lines = [match[1] for line in value.splitlines() if (match := BULLET.fullmatch(line)) and match[1]]
        return [(None, line) for line in (lines if len(lines) > 1 else [value])]
    if isinstance(value, dict) and value and all(_line_of({key: inner}) for key, inner in value.items()):
        return [(key, {key: inner}) for key, inner in value.items()]
    return None


def _line_of(value: Any) -> str | None:
    """The line that one key with a value means, as it was written; None for anything else."""
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
    """A copy of the data with another value at a place."""
    if not place:
        return value
    step, *rest = place
    if isinstance(data, list):
        return [_put(inner, tuple(rest), value) if index == step else inner for index, inner in enumerate(data)]
    return {key: _put(inner, tuple(rest), value) if key == step else inner for key, inner in data.items()}


def _spell_keys(kind: type[Any], text: Text) -> Text:
    """The text with keys at the top as they are spelt, where capitals alone differ and no key is said twice.

    A list of lines without any key is one of orders, where the sheet has them.
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
