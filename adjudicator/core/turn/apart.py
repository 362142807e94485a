"""What a sealed turn says that its public part does not: so that nothing stands in the archive twice.

`apart` leaves out of plain data what the public has; `together` puts it back. A mapping of which the public has the same keys is written as
`{"=": the keys that differ}`, one of which it has some as `{"+": all keys}`, with "=" for a value that is the same; an entry of a list
that the public has too is its number in the public list. What would not come back to the letter, keys in their order included, is
written whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import Text, write

SAME, MORE = "=", "+"
"""The key of a mapping of which the rest is public, and of one that has keys which the public does not know."""


SHARED = ("position", "verdicts", "events", "rolls")
"""Keys of a turn of which the public has a part."""
PUBLIC = "public"
"""The key of the digest of the public position that something is left out for."""


def without_public(whole: dict[str, Any], public: dict[str, Any]) -> dict[str, Any]:
    """A turn in plain data without what its public part has, and with the digest of the position that this is left out for."""
    shared = {key: apart(whole[key], public[key]) for key in SHARED if whole.get(key) and key in public}
    return {**whole, **shared, PUBLIC: digest_of(public["position"])}


def with_public(said: Text, public: Callable[[], Any]) -> Text:
    """The text of `secret.age` with what was left out of it taken from the plain data of `turn.yaml`; raises `Problems` if they do not fit.

    Facts are left out of a turn that was sealed as judged while its `turn.yaml` still says that it is open: a process was killed between.
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
    """SHA-256 of a position in plain data, as it is written."""
    return hashlib.sha256(write({"position": position}).encode()).hexdigest()


def apart(whole: Any, public: Any) -> Any:
    """`whole` without what `public` has; `together` of both is `whole` again."""
    made = _apart(whole, public)
    try:
        again = together(made, public)
    except (LookupError, TypeError, ValueError, AttributeError):
        return whole
    # Python holds 1, 1.0 and True for equal, and mappings in any order: what is written of them is not.
    return made if json.dumps(again) == json.dumps(whole) else whole


def together(said: Any, public: Any) -> Any:
    """Plain data with what is left out taken from `public`.

    Raises `LookupError`, `TypeError`, `ValueError` or `AttributeError` where that does not fit.
    Numbers of public entries rise: none is named twice, so that a short text cannot stand for a long one.
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
                raise ValueError("a number of no list, or out of order")
            last = entry
            made.append(public[entry])
        else:
            made.append(entry)
    return made
