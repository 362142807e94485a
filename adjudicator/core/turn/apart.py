"""Leave out of a sealed turn what its public part already has, so that the archive stores nothing twice.

`apart` leaves out of plain data what the public data has; `together` puts it back. A mapping with the same keys as the public one is
written as `{"=": its entries that differ}`. A mapping with other keys is written as `{"+": all its entries}`, with "=" in place of a value
that the public mapping has too. A list entry that is also in the public list is written as its number there. Data that `together` would
not restore exactly, including the order of keys, is written in full.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import Text, write

SAME, MORE = "=", "+"
"""The only key of a mapping that is written as its differing entries, and the only key of one that is written with all its keys."""


SHARED = ("position", "verdicts", "events", "rolls")
"""Keys of a turn that are partly public."""
PUBLIC = "public"
"""Key of the digest of the public position that the omissions refer to."""


def without_public(whole: dict[str, Any], public: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a turn, in plain data, what its public part has. Add the digest of the public position that the omissions refer to."""
    shared = {key: apart(whole[key], public[key]) for key in SHARED if whole.get(key) and key in public}
    return {**whole, **shared, PUBLIC: digest_of(public["position"])}


def with_public(said: Text, public: Callable[[], Any]) -> Text:
    """Fill in the omitted parts of `secret.age` from the plain data of `turn.yaml`; raises `Problems` if the two do not match.

    If a process was killed midway, the sealed turn is judged but its `turn.yaml` still open. Its verdicts, events and rolls are then dropped.
    """
    if not isinstance(said.data, dict) or PUBLIC not in said.data:
        return said
    plain, shown = dict(said.data), public()
    try:
        judged = shown["status"] == plain["status"]
        fits = digest_of(shown["position"]) == plain.pop(PUBLIC)
        for key in [key for key in SHARED if key in plain]:
            if key == "position" or judged:
                plain[key] = together(plain[key], shown.get(key))
            else:
                del plain[key]
    except (LookupError, TypeError, ValueError, AttributeError):
        fits = False
    if not fits:
        what = "its public part is not the one that secret.age beside it was sealed with"
        raise problem(said.path.replace("secret.age", "turn.yaml"), what, "restore both files from the git history")
    return Text(said.path, plain, {})


def digest_of(position: Any) -> str:
    """SHA-256 of a position in plain data, written as YAML."""
    return hashlib.sha256(write({"position": position}).encode()).hexdigest()


def apart(whole: Any, public: Any) -> Any:
    """Leave out of `whole` what `public` has, so that `together` can restore it."""
    made = _apart(whole, public)
    try:
        again = together(made, public)
    except (LookupError, TypeError, ValueError, AttributeError):
        return whole
    # Python considers 1, 1.0 and True equal, and mappings in any order; their written forms differ.
    return made if json.dumps(again) == json.dumps(whole) else whole


def together(said: Any, public: Any) -> Any:
    """Fill in the omitted parts of plain data from `public`.

    Raises `LookupError`, `TypeError`, `ValueError` or `AttributeError` if the two do not match. The numbers of public entries must
    rise, so that no entry is named twice and a short text cannot expand into a long one.
    """
    if isinstance(said, dict) and set(said) == {SAME}:
        return {**public, **{key: together(value, public[key]) for key, value in said[SAME].items()}}
    if isinstance(said, dict) and set(said) == {MORE}:
        return {
            key: public[key] if value == SAME else together(value, public.get(key)) for key, value in said[MORE].items()
        }
    if isinstance(said, list):
        return _entries(said, public)
    return said


def _apart(whole: Any, public: Any) -> Any:
    if isinstance(whole, dict) and isinstance(public, dict) and list(whole) == list(public):
        return {SAME: {key: _apart(value, public[key]) for key, value in whole.items() if value != public[key]}}
    if isinstance(whole, dict) and isinstance(public, dict):
        known = {key for key in whole if key in public and whole[key] == public[key]}
        return {MORE: {key: SAME if key in known else _apart(value, public.get(key)) for key, value in whole.items()}}
    if isinstance(whole, list) and isinstance(public, list) and all(isinstance(entry, dict) for entry in whole):
        return _numbered(whole, public)
    return whole


def _numbered(whole: list[Any], public: list[Any]) -> list[Any]:
    made: list[Any] = []
    after = 0
    for entry in whole:
        if entry in public[after:]:
            after = public.index(entry, after) + 1
            made.append(after - 1)
        else:
            made.append(entry)
    return made


def _entries(said: list[Any], public: Any) -> list[Any]:
    made: list[Any] = []
    last = -1
    for entry in said:
        if isinstance(entry, int):
            if isinstance(entry, bool) or not isinstance(public, list) or entry <= last:
                raise ValueError(
                    "a list entry is a number, but there is no public list, or the numbers are out of order"
                )
            last = entry
            made.append(public[entry])
        else:
            made.append(entry)
    return made
