"""A sheet as a form: the kind and choices of each field, from the sheet's schema and the legal orders.

The order desk draws these forms. In an open game they come from public data; in a game with hidden information, from the seat's dispatch.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict

from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.sheet import ORDER_LETTERS, SEAT, StandingWords
from adjudicator.core.text.codec import encode, label_of, schema

WORDS = frozenset({"words", "answer"})
"""Keys that most turns do not use: words to everybody, and an answer to the host."""
SHARED = frozenset(field.name for field in dataclasses.fields(StandingWords))
"""Keys that all sheets share. Forms always include them, whatever is legal."""
Kind = Literal[
    "lines", "line", "table", "flag", "answer", "choice", "several", "number", "text", "record", "records"
]  # fmt: skip
"""Kind of a field: `lines`, `line` (one order, given on the map), `table` (a choice for each name), `flag`, `answer`
(yes, no or neither), `choice`, `several` (any number of choices), `number`, `text`, `record` (with fields), `records`."""


class Asked(TypedDict, total=False):
    """Kind and limits of a field, without its name."""

    kind: Required[Kind]
    choices: list[str]
    """Choices. For text and lines they are suggestions, and other text is possible."""
    rows: Mapping[str, list[str]]
    """Rows of a table: name -> its choices."""
    fields: list[Field]
    """Fields of a record."""
    by: str
    """The key of the field that names a record's form."""
    forms: Mapping[str, Mapping[str, bool]]
    """Form of a record -> its other fields -> whether each must be filled."""
    entry: str
    """Name for one entry of a list of records."""
    least: int
    """The minimum number, or the minimum number of entries."""
    most: int
    """The maximum number, the maximum number of entries, or the maximum number of letters in a text."""
    letters: int
    """The maximum number of letters in a line, if it differs from the maximum for orders."""
    default: str | int | bool
    """Value of the field if it is left unchanged."""
    help: str
    empty: bool
    """Whether an empty list differs in meaning from no list."""
    idle: bool
    """Whether the field has no use in this turn."""
    must: bool
    """Whether a record is invalid without it."""


class Field(Asked):
    """A field of a sheet or of a record."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Values that legal sheets contain."""

    texts: Mapping[str, list[str]]
    """Key -> its values that are text. Keys with only other kinds of values have an empty list, or no entry."""
    tables: Mapping[str, Mapping[str, list[str]]]
    """Key of a table -> name of a row -> its values."""
    keys: frozenset[str]
    """Every key that a legal sheet fills in, except flags that no sheet sets."""

    @property
    def any(self) -> bool:
        """Whether there are any values."""
        return bool(self.texts or self.tables)


def offered(sheets: Iterable[Any]) -> Offered:
    """Collect the values of these sheets."""
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
    without: Collection[str] = (),
) -> list[Field]:
    """The form of a seat's sheet, from the public view, without the fields that do not matter in this turn.

    `places`, `listed` and `sure` work as in `form`. `without` names fields that the game does not use.
    """
    seats = tuple(rules.rules.seats(view.settings))
    fields = form(rules.sheet_for(view, seat), seats, offers, places, listed=listed, sure=sure)
    unasked = rules.desk.unasked(view) if rules.desk.unasked is not None else ()
    ahead = rules.ahead
    later = {key for key in ahead.keys if key not in ahead.lists(view)} if ahead is not None else set()
    return [field for field in fields if field["key"] not in {*unasked, *without, *later}]


def form(
    sheet: type[Any],
    seats: tuple[str, ...],
    offers: Offered,
    places: Iterable[str],
    *,
    listed: bool,
    sure: bool = True,
) -> list[Field]:
    """The fields of a sheet as a form, from the sheet's schema and the values that legal sheets contain (`offers`).

    `places` are the names of the board's places, which tell orders from other lines. If the ruleset lists the legal orders (`listed`), a
    field that is not in the list is `idle`, and the desk puts it aside. If the list is incomplete (not `sure`), the player can also write
    other values.
    """
    options, tables = offers.texts, offers.tables
    body = _body_of(sheet)  # type: ignore[arg-type]  # a class is hashable, whatever mypy thinks of type[Any]
    definitions = body.get("$defs", {})
    properties: dict[str, Any] = body.get("properties", {})
    several = "array" in _kinds(properties.get("orders", {}))  # such sheets are filled in on the map
    ordered = None if several else _ordered(options, seats, places)
    fields: list[Field] = []
    for key, spec in properties.items():
        idle = listed and key not in offers.keys and key not in SHARED
        asked = _asked(spec, definitions)
        if any(part.get("format") == SEAT for part in (spec, *spec.get("anyOf", ()))):
            fields.append(_field(key, spec, {"kind": "choice", "choices": list(seats)}))
        elif "object" in _kinds(spec):
            if tables.get(key):  # players write any other table by hand
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
    """A sheet's schema, cached because every seat needs it in every turn."""
    return schema(sheet, "", "")


def _field(key: str, spec: Mapping[str, Any], asked: Asked, *, idle: bool = False, must: bool = False) -> Field:
    """Make a field, with the label and the help text from its schema."""
    field: Field = {"key": key, "label": spec.get("title") or label_of(key), **asked}
    if "description" in spec:
        field["help"] = spec["description"]
    if idle:
        field["idle"] = True
    if must:
        field["must"] = True
    return field


def _asked(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...] = ()) -> Asked | None:
    """Kind and limits of a field, from its schema only. None for fields that are written by hand."""
    null = "null" in _kinds(spec)
    spec = {**next((part for part in spec.get("anyOf", ()) if part.get("type") != "null"), {}), **spec}
    name = spec.get("$ref", "").rpartition("/")[2]
    if name in inside:
        return None  # a record that contains itself would make an endless form
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
    """Add to a field the bounds that its schema has under these keys."""
    if least in spec:
        asked["least"] = spec[least]
    if most in spec:
        asked["most"] = spec[most]
    return asked


def _entries(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Asked | None:
    """Kind and limits of a list of lines, choices or records. None for any other list."""
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
    """A record with its fields, and with the fields of each form if one of its fields names the form.

    A field that can have only one value in a form is left out of that form.
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
    """The key whose values are orders, if any: most of them mention a place, and none is the name of a seat."""
    known = sorted(map(re.escape, places), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)({'|'.join(known)})(?!\w)")
    for key, lines in sorted(options.items(), key=lambda item: -len(item[1])):
        orders = [line for line in lines if (found := named.search(line)) and found[0] != line]
        if known and 2 * len(orders) > len(lines) and not {*lines} & {*seats}:
            return key
    return None
