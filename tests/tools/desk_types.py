"""Writes the types of the desk's script, `site_src/assets/desk/types.d.ts`, from the records of its data.

`python -m tests.tools.desk_types` writes the file; a test compares it.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from adjudicator.core.contract.said import Said
from adjudicator.core.turn import desk_data
from adjudicator.core.turn.aside import Aside
from adjudicator.core.turn.desk_data import DeskFile
from adjudicator.site.desk_data import LessonEntry, LessonFile, OpenGame, UnseenTable

PATH = Path(__file__).parents[2] / "site_src/assets/desk/types.d.ts"
HEAD = """\
// The shapes of what the desk reads. Written from adjudicator/core/turn/desk_data.py and adjudicator/site/desk_data.py: nox -s desk -- --write
"""
PLAIN = {str: "string", int: "number", bool: "boolean", type(None): "null", Any: "unknown"}


class Types:
    """TypeScript types of data, with the types of its parts."""

    def __init__(self, *roots: type[Any]) -> None:
        """Writes the types of `roots`, and all types that they name."""
        self.written: dict[str, str] = {}
        for root in roots:
            self.name(root)

    def text(self) -> str:
        """The file's text."""
        return "\n".join([HEAD, *self.written.values()])

    def name(self, kind: type[Any], *, partial: bool = False) -> str:
        """Writes a record and returns its name; in a `partial` one only required keys are always there."""
        name = kind.__name__
        if name not in self.written:
            self.written[name] = ""  # its parts may refer to it
            self.written[name] = "\n".join(self.lines(kind, partial=partial))
        return name

    def lines(self, kind: type[Any], *, partial: bool) -> Iterator[str]:
        """A record as an interface."""
        notes = notes_of(kind)
        yield f"/** {(kind.__doc__ or '').splitlines()[0]} */"
        yield f"export interface {kind.__name__} {{"
        for name, hint, optional in fields_of(kind, partial=partial):
            if name in notes:
                yield f"  /** {notes[name]} */"
            yield f"  {name}{'?' if optional else ''}: {self.of(hint)};"
        yield "}\n"

    def of(self, hint: Any) -> str:
        """A type in TypeScript."""
        if hint in PLAIN:
            return PLAIN[hint]
        origin, inside = get_origin(hint), get_args(hint)
        if origin is Annotated:
            marks = [mark for mark in inside[1:] if isinstance(mark, Said) or dataclasses.is_dataclass(mark)]
            if not marks:
                return self.of(inside[0])
            mark: Any = marks[0]
            return self.name(mark.record, partial=True) if isinstance(mark, Said) else self.name(mark)
        if origin is Literal:
            return " | ".join(f'"{value}"' for value in inside)
        if origin in (types.UnionType, typing.Union):
            return " | ".join(self.of(part) for part in inside)
        if origin is list or (origin is tuple and inside[1:] == (...,)):
            element = self.of(inside[0])
            return f"({element})[]" if "|" in element else f"{element}[]"
        if origin is tuple:
            return f"[{', '.join(self.of(part) for part in inside)}]"
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return f"Record<string, {self.of(inside[1])}>"
        if typing.is_typeddict(hint) or dataclasses.is_dataclass(hint):
            return self.name(hint)
        return "unknown"


def fields_of(kind: type[Any], *, partial: bool) -> Iterator[tuple[str, Any, bool]]:
    """A record's fields: name, type, and True if it is optional."""
    hints = get_type_hints(kind, include_extras=True)
    if typing.is_typeddict(kind):
        for name, hint in hints.items():
            yield name, bare(hint), name not in kind.__required_keys__ and get_origin(hint) is not typing.Required
        return
    for field in dataclasses.fields(kind):
        default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        yield field.name, hints[field.name], partial and default


def bare(hint: Any) -> Any:
    """A type without `Required`, which does not concern the value."""
    return get_args(hint)[0] if get_origin(hint) in (typing.Required, typing.NotRequired) else hint


def notes_of(kind: type[Any]) -> dict[str, str]:
    """Field -> the docstring below it, base records included."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    notes: dict[str, str] = {}
    for base in body.bases:
        record = getattr(inspect.getmodule(kind), base.id) if isinstance(base, ast.Name) else None
        if record is not typing.TypedDict and isinstance(record, type):
            notes |= notes_of(record)
    for line, below in pairwise(body.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(below, ast.Expr):
            notes[line.target.id] = " ".join(str(ast.literal_eval(below.value)).split())
    return notes


def fits(value: Any, hint: Any) -> bool:
    """True if JSON data has a type: no key too few or too many, at any depth."""
    hint = bare(hint)
    if hint is Any:
        return True
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        mark = inside[1]
        if isinstance(mark, Said):
            return fits_record(value, mark.record, partial=True)
        return fits_record(value, mark, partial=False) if dataclasses.is_dataclass(mark) else fits(value, inside[0])
    if origin is Literal:
        return value in inside
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, part) for part in inside)
    if origin is list or (origin is tuple and inside[1:] == (...,)):
        return isinstance(value, list) and all(fits(one, inside[0]) for one in value)
    if origin is tuple:
        return isinstance(value, list) and len(value) == len(inside) and all(map(fits, value, inside))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, dict) and all(fits(one, inside[1]) for one in value.values())
    if typing.is_typeddict(hint) or dataclasses.is_dataclass(hint):
        return fits_record(value, hint, partial=False)
    return type(value) is hint


def fits_record(value: Any, kind: Any, *, partial: bool) -> bool:
    """True if data fits a record, with all required keys and no unknown ones."""
    fields = {name: (hint, optional) for name, hint, optional in fields_of(kind, partial=partial)}
    return (
        isinstance(value, dict)
        and value.keys() <= fields.keys()
        and all(name in value or optional for name, (_, optional) in fields.items())
        and all(fits(one, fields[name][0]) for name, one in value.items())
    )


def types_text() -> str:
    """The text for the file."""
    assert desk_data.__doc__
    return Types(DeskFile, OpenGame, LessonFile, LessonEntry, UnseenTable, Aside).text()


if __name__ == "__main__":
    PATH.write_text(types_text(), encoding="utf-8", newline="\n")
