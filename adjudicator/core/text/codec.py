"""Convert frozen dataclasses to plain data and back, with all faults at once, and make JSON Schemas for editors.

pydantic reads and checks, and we turn its errors into problems with line numbers. Writing needs no library. Fields are written in
the order of declaration, except that `shared` ones come last. Enums are written as their values. A field that is None is left out, and
so is an empty collection if the default is empty.
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
"""An integer, excluding values that only look like one (`true`, `1_8`)."""
YES_OR_NO: Mapping[str, bool] = MappingProxyType(
    {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
)
"""Words that people write for true and false. Our YAML reads them as text (`NO` is Norway), but a boolean field accepts them."""


def _yes_or_no(value: Any) -> Any:
    return YES_OR_NO.get(value.casefold(), value) if isinstance(value, str) else value


Flag = Annotated[bool, Strict(), BeforeValidator(_yes_or_no)]
"""A boolean, or any of the words of `YES_OR_NO`, but not 0 or 1."""
Forms: TypeAlias = Mapping[str, tuple[frozenset[str], frozenset[str]]]
"""Form -> the fields that a record of this form must fill, and the fields that it may fill. All other fields keep their defaults."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a frozen, slotted, keyword-only dataclass that refuses unknown keys when it is read from a file."""
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
    """Name of a field in files: without the final `_` that avoids a Python keyword."""
    return field.removesuffix("_")


def label_of(key: str, _: Any = None) -> str:
    """Label of a field without a title: `my_bid` becomes `My bid`."""
    return re.sub(r"[_-]", " ", key).capitalize()


SHARED = "__shared__"


@dataclass_transform(frozen_default=True, kw_only_default=True)
def shared(cls: type[T]) -> type[T]:
    """Make a `record` for others to inherit from. In files and forms, its fields come after those of its subclasses."""
    made = record(cls)
    setattr(made, SHARED, True)
    return made


def field_text(description: str = "", *, title: str | None = None) -> Any:
    """Describe a record's field for forms, editors and pages: help for filling it in, and its label in a form (`title`)."""
    return Field(title=title, description=description or None)


UNWRITTEN: Mapping[str, bool] = {"unwritten": True}
"""Metadata of a field that exists only in memory: `encode` leaves it out."""


def by_form(key: str, forms: Forms) -> Callable[[type[T]], type[T]]:
    """Return a decorator that adds the rules of each form to a record's JSON Schema. The field `key` names the form.

    Only editors and forms use these rules. `decode` accepts any of the record's fields, so that the ruleset can explain faults in its own words.
    """

    def marked(cls: type[T]) -> type[T]:
        setattr(cls, FORMS, (key, forms))
        return cls

    return marked


FORMS = "__forms__"


def adapter(kind: Any) -> Any:
    """Pydantic's type adapter for a kind of data, cached."""
    adapter = _adapters.get(kind)
    if adapter is None:
        adapter = _adapters[kind] = TypeAdapter(kind)
    return adapter


_adapters: dict[Any, Any] = {}


def decode(kind: type[T], text: Text, *, elsewhere: Mapping[str, str] = MappingProxyType({})) -> T:
    """Decode a text's data as a `kind`. Raises `Problems` with the path, line and column of every fault.

    `elsewhere` maps keys to the kinds of sheet that have them, for the message about a key that is in the wrong sheet.
    """
    data = {} if text.data is None else text.data
    try:
        return adapter(kind).validate_python(data)  # type: ignore[no-any-return]  # TypeAdapter is cached as Any
    except ValidationError as error:
        faults = [_problem(kind, text, fault, elsewhere) for fault in error.errors(include_url=False)]
        raise Problems(_joined(faults)) from None


def load(kind: type[T], source: bytes, path: str, *, own: bool = False) -> T:
    """Read and decode one file's bytes. Set `own` for files that the program wrote, which may be large."""
    return decode(kind, read(source, path, limit=OWN_LIMIT) if own else read(source, path))


def encode(value: Any) -> Any:
    """Convert `value` to plain data, ready for `yamltext.write` or JSON."""
    kind = type(value)
    if kind is str or kind is int:
        return value  # most values
    if (fields := _fields_of(kind)) is not None:  # type: ignore[arg-type]  # a class is hashable
        out: dict[str, Any] = {}
        for name, key, none, made in fields:
            inner = getattr(value, name)
            if inner is None or (none and inner in ((), frozenset())):
                continue
            if made and not inner and isinstance(inner, Mapping):
                continue
            of = type(inner)
            out[key] = inner if of is str or of is int else encode(inner)
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
    """The written fields of a record: name, key, whether an empty value is left out, and whether a factory makes the default.

    None for types that are not records.
    """
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
    """Copy `value` into a record of its subtype `kind`. `more` adds fields or overrides them."""
    return kind(**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)} | more)


def dump(value: Any) -> str:
    """Format `value`, a dataclass, as canonical YAML text."""
    return write(encode(value))


def schema(kind: type[Any], title: str, url: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file, for editors that complete and check sheets as people type."""
    body: dict[str, Any] = adapter(kind).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": url} | body | {"title": title}


def _explained(body: dict[str, Any], kind: type[Any]) -> None:
    """Put the properties of a record's schema in the record's order, and add the rules of each form. Pydantic calls this for every record."""
    # pydantic lists inherited fields first, so restore the record's order.
    body["properties"] = fields = {
        key: body["properties"][key]
        for key in (key_of(field.name) for field in dataclasses.fields(kind))
        if key in body.get("properties", {})
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
    """Conditions on the fields in one form: a required field must not have its default value, and a field outside the form must have it.

    Fields outside the form may be written with their default value, because `encode` does that.
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
    """True if a default already fills its field: 1 does, but 0, None and a mapping of amounts that are all 0 do not."""
    return any(map(_says, default.values())) if isinstance(default, Mapping) else bool(default)


def _joined(problems: list[Problem]) -> list[Problem]:
    """Merge problems that differ only in `right`: a value that fits none of several kinds gets one problem, which lists what would be right."""
    found: dict[tuple[str, int, int, str], Problem] = {}
    for one in problems:
        key = (one.path, one.line, one.column, one.what)
        before = found.get(key)
        if before is not None and before.right != one.right:
            one = dataclasses.replace(before, right=f"{before.right}, or {one.right}")  # noqa: PLW2901  # it is the one to keep
        found[key] = one
    return list(found.values())


def fault_place(data: Any, loc: tuple[str | int, ...], *, missing: bool) -> tuple[str | int, ...]:
    """Return a fault's place in the data. Pydantic's `loc` also names the kinds that a value may have; these steps are left out.

    `missing` means that the last step is a missing key, which is kept.
    """
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
            # For a choice with only one value pydantic prints Python code: <Kind.NAME: 'value'>.
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
            right = "write each entry on its own line below it, beginning with `- `"
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
    """Describe a value of the wrong kind in everyday words."""
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
"""Messages that replace pydantic's, which name Python's types."""


def keys(kind: type[Any]) -> list[str]:
    """The top-level keys of a file that holds a record of this kind."""
    return keys_at(kind, ())


def keys_at(kind: Any, loc: tuple[str | int, ...]) -> list[str]:
    """The keys allowed in the record at `loc`, a path that may lead through mappings, tuples and optional fields."""
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
