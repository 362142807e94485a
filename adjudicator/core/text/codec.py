"""Frozen dataclasses <-> plain data, all faults at once, and the JSON Schemas that editors use.

pydantic reads and checks; we turn its errors into problems with a line. Writing needs no library: fields in the
order they are declared, enums by their value, nothing for None and for empty collections whose default is empty.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, TypeVar, dataclass_transform

from pydantic import BeforeValidator, Field, Strict, TypeAdapter, ValidationError

from adjudicator.core.text.problems import Problem, Problems, nearest
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read, write

T = TypeVar("T")

Whole = Annotated[int, Strict()]
"""A whole number, and nothing that merely looks like one (`true`, `1_8`)."""
YES_OR_NO: Mapping[str, bool] = MappingProxyType(
    {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
)
"""What people write for true and false; our YAML reads it as text (`NO` is Norway), and a field knows better."""


def _yes_or_no(value: Any) -> Any:
    return YES_OR_NO.get(value.casefold(), value) if isinstance(value, str) else value


Flag = Annotated[bool, Strict(), BeforeValidator(_yes_or_no)]
"""`true` or `false`, in any of the words of `YES_OR_NO`; not 1."""
Forms: TypeAlias = Mapping[str, tuple[frozenset[str], frozenset[str]]]
"""Form -> the fields that a record of this form must fill, and those it may; the others keep their defaults."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """A frozen, slotted, keyword-only dataclass that refuses unknown keys when it is read from a file."""
    made: Any = dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(cls)
    made.__pydantic_config__ = {
        "extra": "forbid",
        "coerce_numbers_to_str": True,
        "alias_generator": key_of,
        "field_title_generator": label_of,
        "json_schema_extra": _explained,
    }
    common = {field.name for base in made.__mro__ if SHARED in vars(base) for field in dataclasses.fields(base)}
    by_name = made.__dataclass_fields__
    made.__dataclass_fields__ = {name: by_name[name] for name in sorted(by_name, key=lambda name: name in common)}
    return made  # type: ignore[no-any-return]  # dataclass() keeps the class it was given


def key_of(field: str) -> str:
    """What a field is called in files: a word that Python keeps for itself ends in `_` in a record, and not there."""
    return field.removesuffix("_")


def label_of(key: str, _: Any = None) -> str:
    """What a field without a title is called: `my_bid` is `My bid`."""
    return re.sub(r"[_-]", " ", key).capitalize()


SHARED = "__shared__"


@dataclass_transform(frozen_default=True, kw_only_default=True)
def shared(cls: type[T]) -> type[T]:
    """A `record` to build on: those that inherit from it have its fields after their own, in files and in forms."""
    made = record(cls)
    setattr(made, SHARED, True)
    return made


def field_text(description: str = "", *, title: str | None = None) -> Any:
    """What forms, editors and pages say of a record's field: its label in a form, and what helps to fill it in."""
    return Field(title=title, description=description or None)


UNWRITTEN: Mapping[str, bool] = {"unwritten": True}
"""Metadata of a field that lives in memory alone: `encode` leaves it out."""


def by_form(key: str, forms: Forms) -> Callable[[type[T]], type[T]]:
    """Makes a record's JSON Schema say which fields each form has; the field `key` names the form.

    Editors and forms go by it. A file is decoded all the same: what is wrong with it is said in the ruleset's words.
    """

    def marked(cls: type[T]) -> type[T]:
        setattr(cls, FORMS, (key, forms))
        return cls

    return marked


FORMS = "__forms__"


def adapter(kind: Any) -> Any:
    """Pydantic's reader of a kind of data, made once."""
    adapter = _adapters.get(kind)
    if adapter is None:
        adapter = _adapters[kind] = TypeAdapter(kind)
    return adapter


_adapters: dict[Any, Any] = {}


def decode(kind: type[T], text: Text, *, elsewhere: Mapping[str, str] = MappingProxyType({})) -> T:
    """`text`'s data as a `kind`; raises `Problems` that name path, line and column of every fault.

    `elsewhere` has keys that files like this one may have, but not this one, each with the name of the file that has it.
    """
    data = {} if text.data is None else text.data
    try:
        return adapter(kind).validate_python(data)  # type: ignore[no-any-return]  # TypeAdapter is cached as Any
    except ValidationError as error:
        faults = [_problem(kind, text, fault, elsewhere) for fault in error.errors(include_url=False)]
        raise Problems(_joined(faults)) from None


def load(kind: type[T], source: bytes, path: str, *, own: bool = False) -> T:
    """Reads and decodes one file's bytes; `own` for files the program wrote, which may be large."""
    return decode(kind, read(source, path, limit=OWN_LIMIT) if own else read(source, path))


def encode(value: Any) -> Any:
    """`value` as plain data, ready for `yamltext.write` or JSON."""
    if (fields := _fields_of(type(value))) is not None:  # type: ignore[arg-type]  # a class is hashable
        out: dict[str, Any] = {}
        for name, key, none, made in fields:
            inner = getattr(value, name)
            if inner is None or (none and inner in ((), frozenset())):
                continue
            if made and not inner and isinstance(inner, Mapping):
                continue
            out[key] = encode(inner)
        return out
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(encode(key)): encode(inner) for key, inner in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(encode(inner) for inner in value)
    if isinstance(value, list | tuple):
        return [encode(inner) for inner in value]
    return value


@cache
def _fields_of(kind: type[Any]) -> tuple[tuple[str, str, bool, bool], ...] | None:
    """Each written field of a record: name, key, whether empty is unsaid, whether its default is made anew; else None."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(
        (
            field.name,
            key_of(field.name),
            field.default in ((), frozenset()),
            field.default_factory is not dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
        if not field.metadata.get("unwritten")
    )


def extend_record(value: Any, kind: type[T], **more: Any) -> T:
    """`value` as a record of its subtype `kind`, with `more` beside its fields or in their place."""
    return kind(**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)} | more)


def dump(value: Any) -> str:
    """`value`, a dataclass, as canonical YAML text."""
    return write(encode(value))


def schema(kind: type[Any], title: str, url: str) -> dict[str, Any]:
    """The JSON Schema of a file kind, for editors that complete and mark sheets as people type."""
    body: dict[str, Any] = adapter(kind).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": url} | body | {"title": title}


def _explained(body: dict[str, Any], kind: type[Any]) -> None:
    """Adds to a record's schema, wherever it stands, which of its fields a form has."""
    # In the order of the record: pydantic has what is inherited first.
    body["properties"] = fields = {
        field.name: body["properties"][field.name]
        for field in dataclasses.fields(kind)
        if field.name in body.get("properties", {})
    }
    named, forms = getattr(kind, FORMS, ("", {}))
    if forms:
        fields[named] = fields[named] | {"enum": list(forms)}
        body["allOf"] = [
            {
                "if": {"properties": {named: {"const": form}}, "required": [named]},
                "then": _of_form({key: spec for key, spec in fields.items() if key != named}, must, may),
            }
            for form, (must, may) in forms.items()
        ]


def _of_form(fields: Mapping[str, Any], must: frozenset[str], may: frozenset[str]) -> dict[str, Any]:
    """What holds of the fields in one form: what must be filled is not its default, what it has not is its default.

    The default stays right where there is no blank, for it is written as well when a record is encoded.
    """
    rules: dict[str, Any] = {}
    needed = []
    for key, spec in fields.items():
        if key in must and not _says(spec.get("default")):
            needed.append(key)
            rules |= {key: {"not": {"const": spec["default"]}}} if "default" in spec else {}
        elif key not in must | may:
            rules[key] = {"const": spec["default"]} if "default" in spec else False
    return {"required": needed, "properties": rules}


def _says(default: Any) -> bool:
    """Whether a default fills a blank by itself: a number of 1 does, nothing and amounts of nothing do not."""
    return any(map(_says, default.values())) if isinstance(default, Mapping) else bool(default)


def _joined(problems: list[Problem]) -> list[Problem]:
    """The same with one fault where a value is none of several kinds that it may be: what would be right is either."""
    found: dict[tuple[str, int, int, str], Problem] = {}
    for one in problems:
        key = (one.path, one.line, one.column, one.what)
        before = found.get(key)
        if before is not None and before.right != one.right:
            one = dataclasses.replace(before, right=f"{before.right}, or {one.right}")  # noqa: PLW2901  # it is the one to keep
        found[key] = one
    return list(found.values())


def fault_place(data: Any, loc: tuple[str | int, ...], *, missing: bool) -> tuple[str | int, ...]:
    """A fault's place without pydantic's names for the kinds that a value may be; if a key is `missing` it is the last step."""
    steps: list[str | int] = []
    for at, step in enumerate(loc):
        inside = isinstance(data, Mapping) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            data = data[step]
        elif not (missing and at == len(loc) - 1):
            continue
        steps.append(step)
    return tuple(steps)


def _problem(kind: Any, text: Text, fault: Any, elsewhere: Mapping[str, str]) -> Problem:
    steps: list[str | int] = []
    fault = {**fault, "loc": fault_place(text.data, fault["loc"], missing=fault["type"].startswith("missing"))}
    for step in fault["loc"]:
        if (*steps, step) not in text.marks:
            break
        steps.append(step)
    where = tuple(steps)
    name = ".".join(str(step) for step in fault["loc"]) or "the file"
    last = str(fault["loc"][-1]) if fault["loc"] else ""
    sort, context = fault["type"], fault.get("ctx", {})
    match sort:
        case "unexpected_keyword_argument" | "extra_forbidden":
            allowed = keys_at(kind, fault["loc"][:-1])
            if len(fault["loc"]) == 1 and last in elsewhere:
                right = f"{last} is for the {elsewhere[last].replace('-', ' ')}; this one has: {', '.join(allowed)}"
                return text.problem(where, f"unknown key {last!r}", right)
            right = nearest(last, allowed) or "allowed: " + ", ".join(allowed)
            return text.problem(where, f"unknown key {last!r}", right)
        case "missing" | "missing_keyword_only_argument" | "missing_argument":
            return text.problem(where, f"{last!r} is missing", "add it")
        case "enum" | "literal_error":
            # Of a choice that has one value alone pydantic prints the Python of it: <Kind.NAME: 'value'>.
            allowed_words = re.sub(r"<[\w.]+: ('[^']*')>", r"\1", context["expected"])
            right = nearest(str(fault["input"]), allowed_words.replace("'", "").replace(" or ", ", ").split(", "))
            what = f"{name} is {_describe_value(fault['input'])}"
            return text.problem(where, what, right or f"allowed: {allowed_words}")
        case "greater_than_equal" | "less_than_equal":
            right = f"{context['ge']} or more" if sort.startswith("greater") else f"{context['le']} or less"
            return text.problem(where, f"{name} is {fault['input']!r:.60}", f"write {right}")
        case "too_long":
            what = f"{name} has {context['actual_length']} entries"
            return text.problem(where, what, f"at most {context['max_length']} are allowed")
        case "too_short":
            what = f"{name} has {context['actual_length']} entries"
            return text.problem(where, what, f"at least {context['min_length']} are needed")
        case "tuple_type" | "list_type":
            right = "write one entry a line below it, each begun with `- `"
            return text.problem(where, f"{name} is {_describe_value(fault['input'])}", right)
        case "string_type" if isinstance(fault["loc"][-1], int) and len(fault["loc"]) > 1:
            entry = f"entry {fault['loc'][-1] + 1} of {'.'.join(map(str, fault['loc'][:-1]))}"
            if isinstance(fault["input"], dict):
                return text.problem(where, f"{entry} has a colon in it", "put the whole line in quotes")
            if fault["input"] is None:
                return text.problem(where, f"{entry} is empty", "write something after the hyphen, or remove the line")
            return text.problem(where, f"{entry} is {_describe_value(fault['input'])}", "write text")
        case "dict_type" | "mapping_type" | "dataclass_type" if not fault["loc"]:
            keys = ", ".join(f"`{key}:`" for key in keys_at(kind, ()))
            return text.problem(
                where, f"the file is {_describe_value(fault['input'])}", f"write keys with their values: {keys}"
            )
        case _:
            right = WANTED.get(sort) or fault["msg"][0].lower() + fault["msg"][1:]
            return text.problem(where, f"{name} is {_describe_value(fault['input'])}", right)


def _describe_value(value: Any) -> str:
    """A value of the wrong kind, as people would call it."""
    if value is None:
        return "empty"
    if isinstance(value, list):
        return "a list"
    return "keys with values" if isinstance(value, dict) else f"{value!r:.60}"


WANTED = {
    "dict_type": "write keys and values, such as {key: value}",
    "mapping_type": "write keys and values, such as {key: value}",
    "dataclass_type": "write keys and values, such as {key: value}",
    "string_type": "write text",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_parsing_size": "write a smaller number",
}
"""What people are told in place of pydantic's messages, which name Python's types."""


def keys(kind: type[Any]) -> list[str]:
    """The keys that a file of a record may have at the top."""
    return keys_at(kind, ())


def keys_at(kind: Any, loc: tuple[str | int, ...]) -> list[str]:
    """The keys allowed in the record at `loc`, followed through mappings, tuples and optional fields."""
    import types
    import typing

    for step in loc:
        form, given = typing.get_origin(kind) or kind, typing.get_args(kind)
        if dataclasses.is_dataclass(form):
            kind = {key_of(name): kind for name, kind in typing.get_type_hints(form).items()}.get(str(step))
            if given and getattr(kind, "__parameters__", ()):  # a generic record: `CaseFile[Case]`
                by_name = dict(zip(form.__parameters__, given, strict=True))  # type: ignore[union-attr]
                kind = kind[tuple(by_name[name] for name in kind.__parameters__)]
        else:
            kind = (typing.get_args(kind) or (None,))[-1 if typing.get_origin(kind) is not tuple else 0]
        while typing.get_origin(kind) in (typing.Union, types.UnionType):
            kind = next(part for part in typing.get_args(kind) if part is not type(None))
    form = typing.get_origin(kind) or kind
    return [key_of(field.name) for field in dataclasses.fields(form)] if dataclasses.is_dataclass(form) else []
