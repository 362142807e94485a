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
from adjudicator.core.contract.lines import MOST_WORDS, Lines, Spelling
from adjudicator.core.contract.sheet import ORDER_LETTERS, SEAT, StandingWords
from adjudicator.core.game.game import Charter, seat_file
from adjudicator.core.game.join import open_seats
from adjudicator.core.jobs.intake import MOST_BYTES
from adjudicator.core.secrets.age import MOST_RECIPIENTS
from adjudicator.core.text.codec import encode, label_of, schema
from adjudicator.core.text.unseen import KINDS, ranges
from adjudicator.core.text.yamltext import WIDTH
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.sheets import MOST_SHEETS, holder, read_name, sealed_attempt, sheet_files
from adjudicator.site.desk_data import Asked, DeskFile, Field, Limits, OpenGame, SeatEntry, UnseenTable, WrittenLines
from adjudicator.site.seats import join_file
from adjudicator.site.story import Story

SHARED = frozenset(field.name for field in dataclasses.fields(StandingWords))
"""The words that sheets share: they are asked for whatever is legal."""
NAMED = frozenset(KINDS) - {"unknown", "half", "private"}
"""Kinds of unseen characters that have names."""


LIMITS: Limits = {
    "keys": MOST_RECIPIENTS,
    "sheets": MOST_SHEETS,
    "letters": ORDER_LETTERS,
    "bytes": MOST_BYTES,
    "line": WIDTH,
    "words": MOST_WORDS,
}


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
    seats: list[SeatEntry] = []
    forms: list[list[Field]] = []
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
                "join": join_file(game, seat, charter) if seat in free and rules.secrecy is None else None,
                "next": min(numbers.get(seat, 0) + 1, MOST_SHEETS),
                "sent": numbers.get(seat, 0),
                "owes": seat in turn.data.owing,
                "form": forms.index(asked),
                "without": []
                if rules.secrecy is not None
                else [r.what for r in rules.rules.check(position, seat, rules.sheet_for(position, seat)())],
                "options": {key: lines for key, lines in options.items() if lines},
                "cautions": [say_caution(one) for one in rules.desk.cautions(position, seat)]
                if rules.desk.cautions
                else [],
            }
        )
    data: DeskFile = {
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
        "attempt": sealed_attempt(turn.data),
        "limits": LIMITS,
        "width": asdict(sheet_width(game, turn.data)),
        "recipient": turn.data.seal.recipient if turn.data.seal else None,
        "seats": seats,
        "forms": forms,
        "names": names,
        "spelling": asdict(rules.desk.spelling(position) if rules.desk.spelling is not None else Spelling(words={})),
        "lines": written(rules.desk.lines(position)) if rules.desk.lines is not None else None,
    }
    picture = rules.pictures.paint(scene)
    return {"desk.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "desk.svg": picture}


def open_games(stories: Iterable[Story]) -> str:
    """`games/desks.json`: the games that have a desk."""
    games: list[OpenGame] = [
        {"game": story.slug, "title": story.game.title, "phase": story.last.data.phase}
        for story in stories
        if story.ending is None and story.last.data.status == "open"
    ]
    return json.dumps(games, ensure_ascii=False) + "\n"


def unseen_table() -> str:
    """`assets/unseen.json`: the characters that no sheet may hold, so that the desk refuses what the archive would."""
    numbers = (code for first, last, kind in ranges() if kind in NAMED for code in range(first, last + 1))
    names = {f"{code:04X}": name for code in numbers if (name := unicodedata.name(chr(code), ""))}
    data: UnseenTable = {"kinds": KINDS, "ranges": ranges(), "names": names}
    return json.dumps(data, separators=(",", ":")) + "\n"


def written(lines: Lines) -> WrittenLines:
    """The forms of orders and what may stand in their blanks: of a blank only what is said."""
    blanks = {
        name: {key: value for key, value in asdict(blank).items() if value} for name, blank in lines.blanks.items()
    }
    return {"forms": dict(lines.forms), "blanks": blanks}


def say_caution(caution: Caution) -> dict[str, Any]:
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
) -> list[Field]:
    """The fields of a sheet as a form, from the sheet's own schema and what is `offered`.

    Where the ruleset lists what is legal (`listed`), a field that is not in the list is `idle`: the desk puts it aside.
    """
    body = schema(sheet, "", "")
    definitions = body.get("$defs", {})
    properties: dict[str, Any] = body.get("properties", {})
    several = "array" in _kinds(properties.get("orders", {}))  # these have the map
    ordered = None if several else _ordered(options, seats, places)
    fields: list[Field] = []
    for key, spec in properties.items():
        idle = listed and key not in options and key not in SHARED
        asked = _asked(spec, definitions)
        if any(part.get("format") == SEAT for part in (spec, *spec.get("anyOf", ()))):
            fields.append(_field(key, spec, {"kind": "choice", "choices": list(seats)}))
        elif "object" in _kinds(spec):
            if tables.get(key):  # any other table is written by hand
                fields.append(_field(key, spec, {"kind": "table", "rows": tables[key]}))
        elif asked is None or asked["kind"] in {"lines", "several", "records"}:
            fields += [_field(key, spec, asked)] if asked else []
        elif asked["kind"] in {"flag", "answer", "record"}:
            fields.append(_field(key, spec, asked, idle=idle))
        elif key == ordered:
            fields.append(_field(key, spec, {"kind": "line", "most": 1}))
        elif options.get(key):
            fields.append(_field(key, spec, {"kind": "choice", "choices": options[key]}))
        else:
            fields.append(_field(key, spec, asked, idle=idle and asked["kind"] != "number"))
    return fields


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
            return _entries(spec, definitions, inside)
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
            return _bounded({"kind": "lines"}, spec, "minItems", "maxItems")
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
