"""A sheet as a form: how each of its fields is filled in, and with what, from the sheet's schema and from what is legal.

The order desk draws these forms: those of an open game from its public data, those of hidden information from a seat's dispatch.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict

from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.sheet import ORDER_LETTERS, SEAT, StandingWords
from adjudicator.core.text.codec import encode, label_of, schema

SHARED = frozenset(field.name for field in dataclasses.fields(StandingWords))
"""The words that sheets share: they are asked for whatever is legal."""
Kind = Literal[
    "lines", "line", "table", "flag", "answer", "choice", "several", "number", "text", "record", "records"
]  # fmt: skip
"""How a field is filled in: `lines`, `line` (one order, given on the map), `table` (a choice for each name), `flag`, `answer`
(yes, no or neither), `choice`, `several` (any of some), `number`, `text`, `record` (with fields of its own), `records`."""


class Asked(TypedDict, total=False):
    """How a field is filled in, whatever it is called."""

    kind: Required[Kind]
    choices: list[str]
    """What may be chosen; of a text, and of lines, what may stand there among others."""
    rows: Mapping[str, list[str]]
    """Of a table: name -> what may be chosen for it."""
    fields: list[Field]
    """Of a record."""
    by: str
    """The key of the field that names a record's form."""
    forms: Mapping[str, Mapping[str, bool]]
    """Form of a record -> the other fields that it has -> whether each must be filled."""
    entry: str
    """What one of a list of records is called."""
    least: int
    """The least number, or the fewest entries."""
    most: int
    """The greatest number, the most entries, or the most letters of a text."""
    letters: int
    """The most letters of a line, where it is another number than that of orders."""
    default: str | int | bool
    """What the field stands for if it is left as it is."""
    help: str
    empty: bool
    """Whether an empty list says something else than no list."""
    idle: bool
    """Whether nothing can be done with it in this turn."""
    must: bool
    """Whether a record cannot be without it."""


class Field(Asked):
    """A field of a sheet or of a record."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Offered:
    """What legal sheets offer."""

    texts: Mapping[str, list[str]]
    """Key -> its texts; none for a key with another kind of value."""
    tables: Mapping[str, Mapping[str, list[str]]]
    """Key -> name -> values."""
    keys: frozenset[str]
    """Every key that a legal sheet fills in, but for flags that none raises."""

    @property
    def any(self) -> bool:
        """Whether anything is offered."""
        return bool(self.texts or self.tables)


def offered(sheets: Iterable[Any]) -> Offered:
    """What these sheets offer together."""
    texts: dict[str, dict[str, None]] = {}
    tables: dict[str, dict[str, dict[str, None]]] = {}
    keys: set[str] = set()
    for sheet in sheets:
        flags = {field.name for field in dataclasses.fields(sheet) if field.default is False}
        for key, value in encode(sheet).items():
            if isinstance(value, Mapping):
                keys.add(key)
                for name, choice in value.items():
                    if isinstance(choice, str):
                        tables.setdefault(key, {}).setdefault(name, {})[choice] = None
            elif value or key not in flags:  # `false` answers a question that can be left open
                keys.add(key)
                lines = value if isinstance(value, list) else [value]
                texts.setdefault(key, {}).update((line, None) for line in lines if isinstance(line, str))
    return Offered(
        {key: list(lines) for key, lines in texts.items()},
        {key: {name: list(values) for name, values in rows.items()} for key, rows in tables.items()},
        frozenset(keys),
    )


def form_for(
    rules: Ruleset[Any, Any, Any],
    view: Any,
    seat: str,
    offers: Offered,
    places: Iterable[str],
    *,
    listed: bool,
    sure: bool = True,
) -> list[Field]:
    """The form of a seat's sheet, by the public view, without the fields that its turn does not ask for."""
    seats = tuple(rules.rules.seats(view.settings))
    fields = form(rules.sheet_for(view, seat), seats, offers, places, listed=listed, sure=sure)
    unasked = rules.desk.unasked(view) if rules.desk.unasked is not None else ()
    return [field for field in fields if field["key"] not in unasked]


def form(
    sheet: type[Any],
    seats: tuple[str, ...],
    offers: Offered,
    places: Iterable[str],
    *,
    listed: bool,
    sure: bool = True,
) -> list[Field]:
    """The fields of a sheet as a form, from the sheet's own schema and what is `offered`.

    Where the ruleset lists what is legal (`listed`), a field that is not in the list is `idle`: the desk puts it aside. Where it lists
    not all of it (it is not `sure`), other texts can be written beside those that are offered.
    """
    options, tables = offers.texts, offers.tables
    body = _body_of(sheet)  # type: ignore[arg-type]  # a class is hashable, whatever mypy thinks of type[Any]
    definitions = body.get("$defs", {})
    properties: dict[str, Any] = body.get("properties", {})
    several = "array" in _kinds(properties.get("orders", {}))  # these have the map
    ordered = None if several else _ordered(options, seats, places)
    fields: list[Field] = []
    for key, spec in properties.items():
        idle = listed and key not in offers.keys and key not in SHARED
        asked = _asked(spec, definitions)
        if any(part.get("format") == SEAT for part in (spec, *spec.get("anyOf", ()))):
            fields.append(_field(key, spec, {"kind": "choice", "choices": list(seats)}))
        elif "object" in _kinds(spec):
            if tables.get(key):  # any other table is written by hand
                fields.append(_field(key, spec, {"kind": "table", "rows": tables[key]}))
        elif asked is None or asked["kind"] in {"several", "records"}:
            fields += [_field(key, spec, asked)] if asked else []
        elif asked["kind"] == "lines":
            offer = [] if sure or key == "orders" else options.get(key, [])
            fields.append(_field(key, spec, {**asked, "choices": offer} if offer else asked))
        elif asked["kind"] in {"flag", "answer", "record"}:
            fields.append(_field(key, spec, asked, idle=idle))
        elif key == ordered:
            fields.append(_field(key, spec, {"kind": "line", "most": 1}))
        elif options.get(key):
            kind: Kind = "choice" if sure or asked["kind"] == "choice" else asked["kind"]
            fields.append(_field(key, spec, {**asked, "kind": kind, "choices": options[key]}))
        else:
            fields.append(_field(key, spec, asked, idle=idle and asked["kind"] != "number"))
    return fields


@functools.lru_cache(maxsize=64)
def _body_of(sheet: type[Any]) -> Mapping[str, Any]:
    """A sheet's schema, made once: it is asked for by every seat, turn by turn."""
    return schema(sheet, "", "")


def _field(key: str, spec: Mapping[str, Any], asked: Asked, *, idle: bool = False, must: bool = False) -> Field:
    """A field with its label and what helps to fill it in, as its schema says them."""
    field: Field = {"key": key, "label": spec.get("title") or label_of(key), **asked}
    if "description" in spec:
        field["help"] = spec["description"]
    if idle:
        field["idle"] = True
    if must:
        field["must"] = True
    return field


def _asked(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...] = ()) -> Asked | None:
    """How a field is asked for, by its schema alone; None for what is written by hand."""
    null = "null" in _kinds(spec)
    spec = {**next((part for part in spec.get("anyOf", ()) if part.get("type") != "null"), {}), **spec}
    name = spec.get("$ref", "").rpartition("/")[2]
    if name in inside:
        return None  # a form of a record within itself would have no end
    spec = definitions.get(name, {}) | spec
    choices = spec.get("enum") or ([spec["const"]] if "const" in spec else [])
    asked: Asked
    match spec.get("type"):
        case "array":
            listed = _entries(spec, definitions, inside)
            return {**listed, "empty": True} if null and listed else listed
        case "object":
            return _parts(spec, definitions, (*inside, name))
        case "boolean" if null:
            return {"kind": "answer"}
        case "boolean":
            asked = {"kind": "flag"}
        case "integer":
            asked = _bounded({"kind": "number"}, spec, "minimum", "maximum")
        case "string":
            asked = {"kind": "choice", "choices": choices} if choices else {"kind": "text"}
            asked = _bounded(asked, spec, "", "maxLength")
        case _:
            return None
    default = spec.get("default")
    if default is not None and default is not False and default != "":
        asked["default"] = default
    return asked


def _bounded(asked: Asked, spec: Mapping[str, Any], least: str, most: str) -> Asked:
    """A field with the bounds that its schema has under these words."""
    if least in spec:
        asked["least"] = spec[least]
    if most in spec:
        asked["most"] = spec[most]
    return asked


def _entries(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Asked | None:
    """A list of texts, of choices, or of records."""
    items = spec.get("items", {})
    asked = _asked(items, definitions, inside)
    match asked and asked["kind"]:
        case "text":
            long = items.get("maxLength", ORDER_LETTERS)
            lines: Asked = {"kind": "lines"} if long <= ORDER_LETTERS else {"kind": "lines", "letters": long}
            return _bounded(lines, spec, "minItems", "maxItems")
        case "choice" if asked:
            return _bounded({"kind": "several", "choices": asked["choices"]}, spec, "minItems", "maxItems")
        case "record" if asked and "$ref" in items:
            title = definitions[items["$ref"].rpartition("/")[2]]["title"]
            entry = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", title).lower()
            return _bounded({**asked, "kind": "records", "entry": entry}, spec, "minItems", "maxItems")
    return None


def _parts(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Asked | None:
    """A record with its fields; where one of them names its form, with those of each form.

    What can have one value only in some form is no field of that form.
    """
    fields: list[Field] = []
    required = spec.get("required", ())
    for key, part in spec.get("properties", {}).items():
        asked = _asked(part, definitions, inside)
        if asked is not None:
            fields.append(_field(key, part, asked, must=key in required))
        elif key in required:
            return None
    if not fields:
        return None
    forms: dict[str, dict[str, bool]] = {}
    record: Asked = {"kind": "record", "fields": fields}
    for rule in spec.get("allOf", ()):
        [(by, named)] = rule["if"]["properties"].items()
        then = rule["then"]
        fixed = {by, *(key for key, held in then["properties"].items() if held is False or "const" in held)}
        forms[named["const"]] = {
            field["key"]: field["key"] in then["required"] for field in fields if field["key"] not in fixed
        }
        record = {**record, "by": by, "forms": forms}
    return record


def _kinds(spec: Mapping[str, Any]) -> set[Any]:
    """The JSON types that a field may have."""
    return {part.get("type") for part in spec.get("anyOf", [spec])}


def _ordered(options: Mapping[str, list[str]], seats: tuple[str, ...], places: Iterable[str]) -> str | None:
    """The key whose texts are orders, if one is: most of them say something of a place, and none is a seat."""
    known = sorted(map(re.escape, places), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)({'|'.join(known)})(?!\w)")
    for key, lines in sorted(options.items(), key=lambda item: -len(item[1])):
        orders = [line for line in lines if (found := named.search(line)) and found[0] != line]
        if known and 2 * len(orders) > len(lines) and not {*lines} & {*seats}:
            return key
    return None
