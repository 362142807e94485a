"""Views of a position for seats and the public, made from declarations on its fields.

    @record
    class Position:
        turn: Everybody[Whole]
        hands: Annotated[Mapping[SeatId, tuple[str, ...]], by_seat(face_down)]
        deck: Annotated[Deck, instead(Deck.unseen)]
        whispers: Mine[Mapping[SeatId, str]]

    seen_by = views(Position)

A field without a declaration is an error when the module is imported, in a position and in every record inside it. So a secret that its
author forgets is not published (HS-1). Only the declarations decide what a view shows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

from adjudicator.core.contract.resolution import SeatId

T = TypeVar("T")
P = TypeVar("P")
Eyes: TypeAlias = frozenset[str]
"""Relations of a viewer to a record: `owner`, or a word that the ruleset chooses."""
OWNER: Eyes = frozenset({"owner"})
NONE: Eyes = frozenset()
ITS_DEFAULT: Any = object()


@dataclass(frozen=True, slots=True)
class Seen:
    """Declares the viewers of a field."""

    eyes: Eyes | None
    """Relations that may see the field, among viewers of the record; None for all of them."""
    instead: Any = ITS_DEFAULT
    """Value for other viewers: a constant, a function of the field's value, or (if not given) the field's default."""
    deep: bool = True
    """Whether the records inside declare viewers for their own fields. If not deep, a field is shown in full or not at all."""
    seats: bool = False
    """Whether the field is a mapping by seats, each the owner of its entry."""
    made: Callable[[Any, SeatId | None], Any] | None = None
    """Function of the whole position and the viewer that gives the shown value, where no rule for one field suffices."""


def only(*eyes: str, instead: Any = ITS_DEFAULT) -> Seen:
    """Visible only to these relations, such as `owner`. Other viewers see the field's default, or `instead`."""
    return Seen(frozenset(eyes), instead)


def instead(function: Callable[[Any], Any]) -> Seen:
    """Visible to nobody. Everybody sees what the function returns for it, such as a back for each card."""
    return Seen(NONE, function, deep=False)


def by_seat(function: Callable[[Any], Any]) -> Seen:
    """A mapping by seats: each sees its own entry, and what the function returns for each of the others."""
    return Seen(None, function, deep=False, seats=True)


def made(function: Callable[[Any, SeatId | None], Any]) -> Seen:
    """Shown as what the function returns for the position and the viewer (None for the public). It can call `shown` for records inside."""
    return Seen(None, made=function)


Everybody: TypeAlias = Annotated[T, Seen(None)]
"""Visible to everybody who sees the record around it. Fields of records inside declare their own viewers."""
InFull: TypeAlias = Annotated[T, Seen(None, deep=False)]
"""Visible, with everything inside it, to everybody who sees the record around it, such as house rules and amounts."""
Owner: TypeAlias = Annotated[T, Seen(OWNER)]
"""Visible to the record's owner. Others see the field's default."""
Nobody: TypeAlias = Annotated[T, Seen(NONE, deep=False)]
"""Visible to nobody. Everybody sees the field's default."""
BySeat: TypeAlias = Annotated[T, Seen(None, seats=True)]
"""A mapping from seats to records, each with its seat as owner."""
Mine: TypeAlias = Annotated[T, Seen(OWNER, deep=False, seats=True)]
"""A mapping by seats: each seat sees its own entry in full, and cannot see whether there are others."""


def views(kind: type[P]) -> Callable[[P, SeatId | None], P]:
    """Make a function that returns a position as a seat, or the public (None), sees it. Raises TypeError if a field declares no viewers."""
    if silent := says_nothing(kind):
        raise TypeError(silent)

    def seen_by(position: P, seat: SeatId | None) -> P:
        seen: P = _view(position, seat)
        return seen

    return seen_by


def says_nothing(kind: Any) -> str:
    """A sentence that names the fields without declared viewers, in a record and in those inside it; empty if there are none."""
    silent = sorted({*undeclared(kind)})
    what = "does not say who sees it" if len(silent) == 1 else "do not say who sees them"
    return f"{', '.join(silent)} {what}: see core.contract.seen" if silent else ""


def undeclared(kind: Any) -> Iterator[str]:
    """The fields without declared viewers, in a record and in those inside it."""
    todo, met = [kind], {kind}
    while todo:
        cls = todo.pop()
        for name, hint in _hints(cls).items():
            seen = _declared(hint)
            if seen is None:
                yield f"{cls.__name__}.{name}"
            elif seen.deep:
                inside = [one for one in _records(hint) if one not in met]
                met.update(inside)
                todo += inside


def declared(kind: Any) -> Mapping[str, Seen]:
    """Field -> its viewers. Raises TypeError for a field that declares none."""
    return _plan(kind)


def shown(record: T, eyes: Eyes) -> T:
    """A record as a viewer with these relations sees it."""
    kind: Any = type(record)
    if _is_open(kind):
        return record
    changes = {}
    for name, seen in _plan(kind).items():
        value = getattr(record, name)
        told = _told(record, name, value, seen, eyes)
        if told is not value:
            changes[name] = told
    return dataclasses.replace(record, **changes) if changes else record  # type: ignore[type-var]


def _view(position: Any, seat: SeatId | None) -> Any:
    changes: dict[str, Any] = {}
    kind: Any = type(position)
    for name, seen in _plan(kind).items():
        value = getattr(position, name)
        if seen.made is not None:
            changes[name] = seen.made(position, seat)
        elif seen.seats and seen.eyes is not None:
            changes[name] = {whose: entry for whose, entry in value.items() if whose == seat}
        elif seen.seats and seen.instead is not ITS_DEFAULT:
            changes[name] = {whose: entry if whose == seat else seen.instead(entry) for whose, entry in value.items()}
        elif seen.seats:
            changes[name] = {whose: shown(entry, OWNER if whose == seat else NONE) for whose, entry in value.items()}
        else:
            changes[name] = _told(position, name, value, seen, NONE)
    return dataclasses.replace(position, **changes)


def _told(record: Any, name: str, value: Any, seen: Seen, eyes: Eyes) -> Any:
    if seen.eyes is None or seen.eyes & eyes:
        return _inside(value, eyes) if seen.deep else value
    if seen.instead is ITS_DEFAULT:
        kind: Any = type(record)
        return _default(kind, name)
    return seen.instead(value) if callable(seen.instead) else seen.instead


def _inside(value: Any, eyes: Eyes) -> Any:
    """A value with the records inside as these relations see them; the same object where nothing changes."""
    if isinstance(value, Mapping):
        told = {key: _inside(one, eyes) for key, one in value.items()}
        return told if any(told[key] is not one for key, one in value.items()) else value
    if isinstance(value, tuple):
        items = tuple(_inside(one, eyes) for one in value)
        return items if any(one is not was for one, was in zip(items, value, strict=True)) else value
    return shown(value, eyes) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


@cache
def _plan(kind: Any) -> dict[str, Seen]:
    plan = {}
    for name, hint in _hints(kind).items():
        seen = _declared(hint)
        if seen is None:
            raise TypeError(f"{kind.__name__}.{name} does not say who sees it: see core.contract.seen")
        plan[name] = seen
    return plan


@cache
def _is_open(kind: Any) -> bool:
    """True if every viewer of a record of this kind sees all of it, so that nothing inside needs checking."""
    return all(
        seen.eyes is None
        and not seen.seats
        and seen.made is None
        and (not seen.deep or all(_is_open(one) for one in _records(hint)))
        for seen, hint in zip(_plan(kind).values(), _hints(kind).values(), strict=True)
    )


@cache
def _default(kind: Any, name: str) -> Any:
    (field,) = (field for field in dataclasses.fields(kind) if field.name == name)
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    raise TypeError(
        f"{kind.__name__}.{name} has no default to show to those who do not see it: say what they see instead"
    )


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _declared(hint: Any) -> Seen | None:
    """The viewers that a field's type declares: the outermost declaration counts."""
    said = [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Seen)]
    return said[-1] if said else None


def _records(hint: Any) -> list[Any]:
    """The records in a field's type."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [record for inner in get_args(hint) for record in _records(inner)]
