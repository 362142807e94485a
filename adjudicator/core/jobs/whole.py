"""A whole game as one JSON object, for programs that read games of every ruleset, with its JSON Schema."""

from __future__ import annotations

import json
from typing import Any

from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.jobs.schemas import BASE, schemas
from adjudicator.core.text.codec import encode, schema
from adjudicator.core.text.yamltext import OWN_LIMIT, read
from adjudicator.core.turn.data import EndingData, TurnData
from adjudicator.core.turn.keys import has_keys
from adjudicator.core.turn.load import load_ending, load_game, load_turn
from adjudicator.core.turn.sheets import load_inputs

SCHEMA = 1
"""Version of the form. It goes up when a key changes its meaning or disappears."""


def whole_game(archive: Archive, game: Game) -> bytes:
    """Write a game as JSON: its game.yaml, each turn.yaml with the sheets that counted, and its ending.

    It holds what the archive shows to everybody: the sheets of turns whose keys are not published are left out.
    """
    archive = Archive(archive.root)  # without the master secrets: what they open is not public
    game = load_game(archive, game.slug)
    turns = []
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        sheets: dict[str, Any] = {}
        if turn.data.status == "resolved" and has_keys(game, turn.data):
            given = load_inputs(archive, turn)[1]
            sheets = {seat: encode(sheet) for seat, sheet in sorted(given.sheets.items())}
        plain = read(turn.source, name, limit=OWN_LIMIT).data
        turns.append({"turn": plain, "sheets": sheets})
    ending = load_ending(archive, game) if archive.has_ended(game.slug) else None
    data = {
        "schema": SCHEMA,
        "game": game.text.data,
        "turns": turns,
        "ending": encode(ending) if ending is not None else None,
    }
    return (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def whole_schema(ruleset: str) -> dict[str, Any]:
    """The JSON Schema of `whole_game` for a ruleset."""
    rules = find(ruleset)
    slug = rules.about.slug
    here = f"{BASE}/{slug}/whole-game.json"
    title = rules.about.title
    kinds = schemas(ruleset)
    position = schema(rules.types.position, f"a position of {title}", f"{BASE}/{slug}/position.json")
    event = schema(rules.types.event, f"a fact of {title}", f"{BASE}/{slug}/event.json")
    turn = schema(TurnData, f"turn.yaml of {title}", f"{BASE}/{slug}/turn.json")
    turn["properties"] |= {
        "position": {"$ref": position["$id"]},
        "events": {"type": "array", "items": {"$ref": event["$id"]}},
    }
    ending = schema(EndingData, f"ending.yaml of {title}", f"{BASE}/{slug}/ending.json")
    ending["properties"]["position"] = {"$ref": position["$id"]}
    sheets = [kinds[name] for name in rules.types.sheets]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": here,
        "title": f"a whole game of {title}",
        "type": "object",
        "required": ["schema", "game", "turns", "ending"],
        "properties": {
            "schema": {"const": SCHEMA},
            "game": {"$ref": kinds["game"]["$id"]},
            "turns": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["turn", "sheets"],
                    "properties": {
                        "turn": {"$ref": turn["$id"]},
                        "sheets": {
                            "type": "object",
                            "additionalProperties": {"anyOf": [{"$ref": sheet["$id"]} for sheet in sheets]},
                        },
                    },
                },
            },
            "ending": {"anyOf": [{"type": "null"}, {"$ref": ending["$id"]}]},
        },
        "$defs": {
            part["$id"].rpartition("/")[2].removesuffix(".json"): part
            for part in (kinds["game"], turn, position, event, ending, *sheets)
        },
    }
