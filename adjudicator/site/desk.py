"""What the order desk needs of a running game, as data: seats, legal orders, spellings, the turn's key.

The desk is a page of its own (`desk.html`) that reads `games/GAME/desk.json` and `games/GAME/desk.svg`. Only what the
public may know goes into either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.codec import encode, schema
from adjudicator.core.game import Charter, seat_file
from adjudicator.core.turn import MOST_SHEETS, holder, read_name, sheet_files
from adjudicator.site.story import Story

LABELS = {
    "final": "This is final: judge as soon as everybody’s sheet is final",
    "standing": "Use this sheet again in later turns of this kind, until I send another",
    "draw": "I vote for a draw",
    "concede": "I concede the game to",
}
"""What the desk says of the words that sheets of several rulesets share."""


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
    seats = []
    for seat in game.seats:
        person = holder(game, turn.data, seat)
        options: dict[str, list[str]] = {}
        for sheet in rules.options(position, seat):
            for key, value in encode(sheet).items():
                lines = value if isinstance(value, list) else [value] if isinstance(value, str) else []
                options.setdefault(key, []).extend(line for line in lines if isinstance(line, str))
        seats.append(
            {
                "name": seat,
                "file": seat_file(seat),
                "player": person.player,
                "account": person.account,
                "next": min(numbers.get(seat, 0) + 1, MOST_SHEETS),
                "sent": numbers.get(seat, 0),
                "owes": seat in turn.data.owing,
                "form": form(rules.sheet_for(seat), game.seats, options),
                "without": []
                if rules.hidden
                else [r.what for r in rules.check(position, seat, rules.sheet_for(seat)())],
                "options": {key: sorted(set(lines), key=lines.index) for key, lines in options.items()},
            }
        )
    scene = replace(rules.draw(position, None), clickable=True)
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
        "recipient": turn.data.seal.recipient if turn.data.seal else None,
        "seats": seats,
        "names": sorted(set(scene.names.values())),
        "spelling": dict(rules.spelling(position)),
    }
    picture = rules.paint(scene)
    return {"desk.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "desk.svg": picture}


def form(sheet: type[Any], seats: tuple[str, ...], options: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """The fields of a sheet as a form: `lines`, `flag`, `choice`, `number` or `text`, from the sheet's own schema."""
    fields: list[dict[str, Any]] = []
    for key, spec in schema(sheet, "", "").get("properties", {}).items():
        kinds = {part.get("type") for part in spec.get("anyOf", [spec])}
        label = LABELS.get(key) or re.sub(r"[_-]", " ", key).capitalize()
        field = {"key": key, "label": label}
        if "array" in kinds:
            fields.append(field | {"kind": "lines", "most": spec.get("maxItems", 100)})
        elif "boolean" in kinds:
            fields.append(field | {"kind": "flag"})
        elif key == "concede":
            fields.append(field | {"kind": "choice", "choices": list(seats)})
        elif "object" in kinds:
            continue  # what is a table of its own is written by hand
        elif options.get(key):
            fields.append(field | {"kind": "choice", "choices": sorted(set(options[key]), key=options[key].index)})
        elif "enum" in spec:
            fields.append(field | {"kind": "choice", "choices": list(spec["enum"])})
        else:
            fields.append(field | {"kind": "number" if "integer" in kinds else "text"})
    return fields
