"""JSON Schemas for the files that people write, generated from their types."""

from __future__ import annotations

from typing import Any

from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.game import GameData
from adjudicator.core.text.codec import schema

BASE = "https://courtly.example/schema"
"""The beginning of the names of schemas."""


def schemas(ruleset: str) -> dict[str, dict[str, Any]]:
    """Name -> JSON Schema: `game` with the ruleset's settings, its kinds of sheets, and, if it has them, `decision` and the host's files."""
    rules = find(ruleset)
    slug = rules.about.slug
    game = schema(GameData, f"game.yaml of {rules.about.title}", f"{BASE}/{slug}/game.json")
    settings = schema(rules.types.settings, f"settings of {rules.about.title}", f"{BASE}/{slug}/settings.json")
    game["properties"]["settings"] = {k: v for k, v in settings.items() if k not in ("$schema", "$id", "$defs")}
    game["$defs"] = {**game.get("$defs", {}), **settings.get("$defs", {})}
    by_name = {"game": game}
    for name, kind in rules.types.sheets.items():
        by_name[name] = schema(kind, f"a {name.replace('-', ' ')} of {rules.about.title}", f"{BASE}/{slug}/{name}.json")
    if rules.decisions is not None:
        by_name["decision"] = schema(
            rules.decisions.kind, f"a decision of the host in {rules.about.title}", f"{BASE}/{slug}/decision.json"
        )
    for name, kind in rules.host_files.kinds.items() if rules.host_files is not None else ():
        by_name[name] = schema(kind, f"a {name} of {rules.about.title}", f"{BASE}/{slug}/{name}.json")
    return by_name
