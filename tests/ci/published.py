"""GitHub's description of its REST calls, and the differences between it and a recorded call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import jsonschema

REPOSITORY = "/repos/{owner}/{repo}"
KEPT = ("type", "enum", "items", "properties", "required", "minimum", "maximum", "minItems", "maxItems", "pattern")
"""Words of OpenAPI 3.0 that JSON Schema shares, and that restrict the value."""
ONE_OF = ("anyOf", "oneOf", "allOf")


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it went over the wire: its path after the repository, with the query."""

    method: str
    path: str
    body: Any
    status: int
    answer: Any


class Description:
    """An OpenAPI description in a file."""

    def __init__(self, path: Path) -> None:
        self.whole: dict[str, Any] = json.loads(path.read_bytes())

    def at(self, node: Any) -> Any:
        """Part of the description, with references resolved."""
        while isinstance(node, dict) and "$ref" in node:
            *_, kind, name = node["$ref"].split("/")
            node = self.whole["components"][kind][name]
        return node

    def schema(self, name: str) -> Any:
        """A schema by its name."""
        return self.whole["components"]["schemas"][name]

    def operation(self, method: str, path: str) -> Any:
        """The call with this method and path, by the most exact template; None if the description lacks it."""
        operations = []
        for template, item in self.whole["paths"].items():
            if method.lower() not in item or not template.startswith(REPOSITORY):
                continue
            operation = item[method.lower()]
            wide = {
                parameter["name"]
                for parameter in map(self.at, operation["parameters"])
                if parameter.get("x-multi-segment")
            }
            parts = re.split(r"\{(\w+)\}", template.removeprefix(REPOSITORY))
            pattern = "".join(
                (".+" if part in wide else "[^/]+") if at % 2 else re.escape(part) for at, part in enumerate(parts)
            )
            if re.fullmatch(pattern, path):
                operations.append((len(parts), template, operation))
        return min(operations, key=lambda one: one[:2])[2] if operations else None

    # Disagreements with the description ---------------------------------------------------------------------------

    def faults(self, call: Call) -> Iterator[str]:
        """Disagreements of a call with the description: a missing call, its parameters, its body, its answer."""
        path, _, query = call.path.partition("?")
        operation = self.operation(call.method, path)
        if operation is None:
            yield f"there is no {call.method} {path}"
            return
        queries = {
            parameter["name"]: parameter
            for parameter in map(self.at, operation["parameters"])
            if parameter["in"] == "query"
        }
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name not in queries:
                yield f"it takes no parameter {name}"
                continue
            rule = self.at(queries[name]["schema"])
            given = int(value) if rule.get("type") == "integer" and value.isdigit() else value
            yield from self._misfits(queries[name]["schema"], given, f"?{name}", given_whole=True)
        asked = operation.get("requestBody")
        if (call.body is None) is not (asked is None):
            yield "it takes a body" if asked else "it takes no body"
        elif asked is not None:
            yield from self._misfits(self._content(asked), call.body, "body", given_whole=True)
        answers = operation["responses"]
        if str(call.status) not in answers:
            yield f"it does not answer {call.status}"
            return
        content = self._content(self.at(answers[str(call.status)]))
        if (content is None) is not (call.answer is None):
            yield "its answer is empty" if content is None else "its answer is not empty"
        elif content is not None:
            yield from self._misfits(content, call.answer, "answer", given_whole=False)

    def _content(self, part: Any) -> Any:
        return part.get("content", {}).get("application/json", {}).get("schema")

    def _misfits(self, schema: Any, value: Any, where: str, *, given_whole: bool) -> Iterator[str]:
        """Parts of a value that the schema does not allow. An answer may be incomplete, but may not have anything undescribed."""
        names: dict[str, Any] = {}
        root = self._converted(schema, names, whole=given_whole, closed=not given_whole)
        done: dict[str, Any] = {}
        while len(done) < len(names):
            for name in [name for name in names if name not in done]:
                done[name] = self._converted(
                    self.schema(name.partition("@")[0]), names, whole=given_whole, closed=not name.endswith("@open")
                )
        validator = jsonschema.Draft202012Validator({**root, "$defs": done})
        for error in validator.iter_errors(value):
            yield f"{where}{error.json_path.removeprefix('$')}: {error.message[:200]}"

    def _converted(self, node: Any, names: dict[str, Any], *, whole: bool, closed: bool) -> Any:
        """A schema of OpenAPI 3.0 as JSON Schema; `closed` allows only keys that it names."""
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2] + ("" if closed and not whole else "@open")
            names[name] = True
            return {"$ref": f"#/$defs/{name}"}
        made: dict[str, Any] = {key: node[key] for key in KEPT if key in node and (whole or key != "required")}
        if "properties" in made:
            made["properties"] = {
                key: self._converted(spec, names, whole=whole, closed=not whole)
                for key, spec in made["properties"].items()
            }
            if closed and "additionalProperties" not in node:
                made["additionalProperties"] = False
        if "items" in made:
            made["items"] = self._converted(made["items"], names, whole=whole, closed=not whole)
        for key in ONE_OF:
            if key in node:
                parts = [
                    self._converted(part, names, whole=whole, closed=closed and key != "allOf") for part in node[key]
                ]
                # A partial answer may fit several forms.
                made["allOf" if key == "allOf" else "anyOf"] = parts
                if key == "allOf" and closed:
                    made["unevaluatedProperties"] = False
        return {"anyOf": [made, {"type": "null"}]} if node.get("nullable") else made

    # Keys that GitHub may leave out --------------------------------------------------------------------------------

    def unpromised(self, call: Call) -> set[str]:
        """Keys of an answer that GitHub does not promise every time."""
        operation = self.operation(call.method, call.path.partition("?")[0])
        content = self._content(self.at(operation["responses"][str(call.status)]))
        return set(self._unpromised(content, call.answer, "")) if content is not None else set()

    def _unpromised(self, schema: Any, value: Any, where: str) -> list[str]:
        schema = self.at(schema)
        if isinstance(value, list):
            return [fault for part in value for fault in self._unpromised(schema.get("items", {}), part, where)]
        if not isinstance(value, dict):
            return []
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return min((self._unpromised(choice, value, where) for choice in schema[key]), key=len)
        parts = [schema, *map(self.at, schema.get("allOf", ()))]
        properties = {key: spec for part in parts for key, spec in part.get("properties", {}).items()}
        promised = {key for part in parts for key in part.get("required", ())}
        unpromised = [f"{where}.{key}" for key in value if key not in promised]
        return unpromised + [
            fault for key in value for fault in self._unpromised(properties.get(key, {}), value[key], f"{where}.{key}")
        ]

    def has(self, schema: Any, steps: list[str]) -> bool:
        """True if the schema describes this path of keys."""
        schema = self.at(schema)
        if not steps:
            return True
        parts = [schema, *(self.at(choice) for key in ONE_OF for choice in schema.get(key, ()))]
        inner = [part["properties"][steps[0]] for part in parts if steps[0] in part.get("properties", {})]
        return any(self.has(part, steps[1:]) for part in inner)


@cache
def description(folder: Path) -> Description:
    """GitHub's description, from the package @octokit/openapi in a folder of npm's."""
    return Description(folder / "@octokit/openapi/generated/api.github.com.json")


def events(folder: Path, name: str) -> list[Any]:
    """Examples of an event, from the package @octokit/webhooks-examples in a folder of npm's."""
    index = json.loads((folder / "@octokit/webhooks-examples/api.github.com/index.json").read_bytes())
    return [example for event in index if event["name"] == name for example in event["examples"]]
