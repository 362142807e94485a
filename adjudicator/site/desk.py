"""What the order desk needs of a running game, as data: seats, legal orders, spellings, the turn's key.

The desk is a page of its own (`desk.html`) that reads `games/GAME/desk.json` and `games/GAME/desk.svg`. Only what the
public may know goes into either.
"""

from __future__ import annotations

import dataclasses
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from adjudicator.core.contract.cautions import Caution
from adjudicator.core.contract.lines import MOST_WORDS, Lines
from adjudicator.core.contract.sheet import ORDER_LETTERS, SEAT, StandingWords
from adjudicator.core.game.game import Charter, seat_file
from adjudicator.core.game.join import open_seats
from adjudicator.core.jobs.intake import MOST_BYTES
from adjudicator.core.secrets.age import MOST_RECIPIENTS
from adjudicator.core.text.codec import encode, schema
from adjudicator.core.text.unseen import KINDS, ranges
from adjudicator.core.text.yamltext import WIDTH
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.sheets import MOST_SHEETS, attempt_said, holder, read_name, sheet_files
from adjudicator.site.story import Story

SHARED = frozenset(field.name for field in dataclasses.fields(StandingWords))
"""The words that sheets share: they are asked for whatever is legal."""
NAMED = frozenset(KINDS) - {"unknown", "half", "private"}
"""Kinds of unseen characters that have names."""
SHORT = 60
"""Letters that a label may have."""


LIMITS = {
    "keys": MOST_RECIPIENTS,
    "sheets": MOST_SHEETS,
    "letters": ORDER_LETTERS,
    "bytes": MOST_BYTES,
    "line": WIDTH,
    "words": MOST_WORDS,
}
"""What the desk may not go beyond: keys of a sealed sheet, sheets of a seat in a turn, letters of an order, bytes of a sheet; how
long a line of a sheet is that holds several things; and how many known words a fault shows."""


def desk_files(story: Story, charter: Charter | None) -> dict[str, str]:
    """The desk's files of a game whose turn is open, by their names; none for any other game."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None:
        return {}
    game, rules = story.game, story.game.ruleset
    position = story.position(turn)
    numbers: dict[str, int] = {}
    for path in sheet_files(story.archive, turn.folder):
        file = read_name(game, path.name)
        if file is not None:
            numbers[file.seat] = max(numbers.get(file.seat, 0), file.number)
    scene = rules.pictures.draw(position, None).to_click()
    names = sorted(set(scene.names.values()))
    everything = {seat: offered(rules.rules.options(position, seat)) for seat in game.seats}
    listed = any(texts or tables for texts, tables in everything.values())
    free = open_seats(game, turn.data.players)
    seats = []
    forms: list[list[dict[str, Any]]] = []
    for seat in game.seats:
        person = holder(game, turn.data, seat)
        options, tables = everything[seat]
        asked = form(rules.sheet_for(position, seat), game.seats, options, tables, names, listed=listed)
        if asked not in forms:
            forms.append(asked)
        seats.append(
            {
                "name": seat,
                "file": seat_file(seat),
                "player": person.player,
                "account": person.account,
                "open": seat in free,
                "next": min(numbers.get(seat, 0) + 1, MOST_SHEETS),
                "sent": numbers.get(seat, 0),
                "owes": seat in turn.data.owing,
                "form": forms.index(asked),
                "without": []
                if rules.secrecy is not None
                else [r.what for r in rules.rules.check(position, seat, rules.sheet_for(position, seat)())],
                "options": {key: lines for key, lines in options.items() if lines},
                "cautions": [_said(one) for one in rules.desk.cautions(position, seat)] if rules.desk.cautions else [],
            }
        )
    data = {
        "schema": 1,
        "archive": charter.archive if charter else None,
        "repository": charter.repository if charter else None,
        "branch": charter.branch if charter else "main",
        "game": game.slug,
        "title": game.title,
        "ruleset": rules.about.title,
        "turn": turn.name,
        "phase": turn.data.phase,
        "deadline": turn.data.deadline,
        "paused": turn.data.paused,
        "hidden": rules.secrecy is not None,
        "attempt": attempt_said(turn.data),
        "limits": LIMITS,
        "width": asdict(sheet_width(game, turn.data)),  # how long a sealed text is
        "recipient": turn.data.seal.recipient if turn.data.seal else None,
        "seats": seats,
        "forms": forms,  # of many seats it is the same
        "names": names,
        "spelling": dict(rules.desk.spelling(position)) if rules.desk.spelling is not None else {},
        "lines": written(rules.desk.lines(position)) if rules.desk.lines is not None else None,
    }
    picture = rules.pictures.paint(scene)
    return {"desk.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "desk.svg": picture}


def unseen_table() -> str:
    """`assets/unseen.json`: the characters that no sheet may hold, so that the desk refuses what the archive would."""
    numbers = (code for first, last, kind in ranges() if kind in NAMED for code in range(first, last + 1))
    names = {f"{code:04X}": name for code in numbers if (name := unicodedata.name(chr(code), ""))}
    data = {"kinds": KINDS, "ranges": ranges(), "names": names}
    return json.dumps(data, separators=(",", ":")) + "\n"


def written(lines: Lines) -> dict[str, Any]:
    """The forms of orders and what may stand in their blanks: of a blank only what is said."""
    blanks = {
        name: {key: value for key, value in asdict(blank).items() if value} for name, blank in lines.blanks.items()
    }
    return {"forms": dict(lines.forms), "blanks": blanks}


def _said(caution: Caution) -> dict[str, Any]:
    """A caution as the desk reads it: of its conditions only those that it has."""
    return {key: value for key, value in asdict(caution).items() if value}


def offered(sheets: Iterable[Any]) -> tuple[dict[str, list[str]], dict[str, dict[str, list[str]]]]:
    """What legal sheets offer: key -> its texts, none for a key with another kind of value; and key -> name -> values.

    A flag that no sheet raises is not among the keys.
    """
    texts: dict[str, dict[str, None]] = {}
    tables: dict[str, dict[str, dict[str, None]]] = {}
    for sheet in sheets:
        flags = {field.name for field in dataclasses.fields(sheet) if field.default is False}
        for key, value in encode(sheet).items():
            if isinstance(value, Mapping):
                for name, choice in value.items():
                    if isinstance(choice, str):
                        tables.setdefault(key, {}).setdefault(name, {})[choice] = None
            elif value or key not in flags:  # `false` answers a question that can be left open
                lines = value if isinstance(value, list) else [value]
                texts.setdefault(key, {}).update((line, None) for line in lines if isinstance(line, str))
    plain = {key: {name: list(values) for name, values in rows.items()} for key, rows in tables.items()}
    return {key: list(lines) for key, lines in texts.items()}, plain


def form(
    sheet: type[Any],
    seats: tuple[str, ...],
    options: Mapping[str, list[str]],
    tables: Mapping[str, Mapping[str, list[str]]],
    places: Iterable[str],
    *,
    listed: bool,
) -> list[dict[str, Any]]:
    """The fields of a sheet as a form, from the sheet's own schema and what is `offered`.

    Kinds: `lines`, `line` (one order, given on the map), `table` (a choice for each name), `flag`, `answer` (yes, no or
    neither), `choice`, `several` (any of some), `number`, `text`, `record` (with fields of its own) and `records` (a list
    of these). Where the ruleset lists what is legal (`listed`), a field that is not in the list is `idle`: the desk puts it
    aside.
    """
    body = schema(sheet, "", "")
    definitions = body.get("$defs", {})
    properties: dict[str, Any] = body.get("properties", {})
    several = "array" in _kinds(properties.get("orders", {}))  # these have the map
    ordered = None if several else _ordered(options, seats, places)
    fields: list[dict[str, Any]] = []
    for key, spec in properties.items():
        label, note = words(key, spec.get("description", ""))
        field = {"key": key, "label": label} | ({"help": note} if note else {})
        idle = {"idle": True} if listed and key not in options and key not in SHARED else {}
        asked = _asked(spec, definitions)
        if any(part.get("format") == SEAT for part in (spec, *spec.get("anyOf", ()))):
            fields.append(field | {"kind": "choice", "choices": list(seats)})
        elif "object" in _kinds(spec):
            if tables.get(key):  # any other table is written by hand
                fields.append(field | {"kind": "table", "rows": tables[key]})
        elif asked is None or asked["kind"] in {"lines", "several", "records"}:
            fields += [field | asked] if asked else []
        elif asked["kind"] in {"flag", "answer", "record"}:
            fields.append(field | asked | idle)
        elif key == ordered:
            fields.append(field | {"kind": "line", "most": 1})
        elif options.get(key):
            fields.append(field | {"kind": "choice", "choices": options[key]})
        else:
            fields.append(field | asked | ({} if asked["kind"] == "number" else idle))
    return fields


def words(key: str, description: str) -> tuple[str, str]:
    """A field's label and what helps to fill it in: its description's first sentence, if that is short, and the rest."""
    first, _, rest = description.partition(". ")
    first = first.removesuffix(".")
    label = first if first and len(first) <= SHORT else re.sub(r"[_-]", " ", key).capitalize()
    return label, rest if label == first else description


def _asked(
    spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """How a field is asked for, by its schema alone; None for what is written by hand.

    `default` is what it stands for if it is left as it is; `least` and `most` are a number's bounds, or how many letters
    a text and how many entries a list may have.
    """
    null = "null" in _kinds(spec)
    spec = {**next((part for part in spec.get("anyOf", ()) if part.get("type") != "null"), {}), **spec}
    name = spec.get("$ref", "").rpartition("/")[2]
    if name in inside:
        return None  # a form of a record within itself would have no end
    spec = definitions.get(name, {}) | spec
    choices = spec.get("enum") or ([spec["const"]] if "const" in spec else [])
    default = spec.get("default")
    start = {} if default is None or default is False or default == "" else {"default": default}
    match spec.get("type"):
        case "array":
            return _entries(spec, definitions, inside)
        case "object":
            return _parts(spec, definitions, (*inside, name))
        case "boolean":
            return {"kind": "answer"} if null else {"kind": "flag"} | start
        case "integer":
            return {"kind": "number"} | _bounds(spec, "minimum", "maximum") | start
        case "string":
            asked = {"kind": "choice", "choices": choices} if choices else {"kind": "text"}
            return asked | ({"most": spec["maxLength"]} if "maxLength" in spec else {}) | start
    return None


def _bounds(spec: Mapping[str, Any], least: str, most: str) -> dict[str, int]:
    return {name: spec[word] for name, word in (("least", least), ("most", most)) if word in spec}


def _entries(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> dict[str, Any] | None:
    """A list of texts, of choices, or of records; `entry` is what one of these is called."""
    items = spec.get("items", {})
    asked = _asked(items, definitions, inside) or {}
    bounds = _bounds(spec, "minItems", "maxItems")
    match asked.get("kind"):
        case "text":
            return {"kind": "lines"} | bounds
        case "choice":
            return {"kind": "several", "choices": asked["choices"]} | bounds
        case "record" if "$ref" in items:
            title = definitions[items["$ref"].rpartition("/")[2]]["title"]
            entry = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", title).lower()
            return asked | {"kind": "records", "entry": entry} | bounds
    return None


def _parts(spec: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> dict[str, Any] | None:
    """A record with its `fields`; where the field `by` names its form, `forms` has for each which others it has.

    Form -> field -> whether it must be filled. What can have one value only in some form is no field of that form.
    """
    fields = []
    required = spec.get("required", ())
    for key, part in spec.get("properties", {}).items():
        asked = _asked(part, definitions, inside)
        if asked is not None:
            label, note = words(key, part.get("description", ""))
            must = {"must": True} if key in required else {}
            fields.append({"key": key, "label": label} | ({"help": note} if note else {}) | asked | must)
        elif key in required:
            return None
    if not fields:
        return None
    found: dict[str, Any] = {"kind": "record", "fields": fields}
    for rule in spec.get("allOf", ()):
        [(by, named)] = rule["if"]["properties"].items()
        then = rule["then"]
        fixed = {by, *(key for key, held in then["properties"].items() if held is False or "const" in held)}
        has = {field["key"]: field["key"] in then["required"] for field in fields if field["key"] not in fixed}
        found = found | {"by": by, "forms": {**found.get("forms", {}), named["const"]: has}}
    return found


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
