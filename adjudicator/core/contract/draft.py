"""A turn in the making: the position as it changes, with the verdicts and facts so far.

    class Work(Draft[Position, Verdict, AnyEvent], rules="XX"):
        hands: dict[SeatId, tuple[str, ...]]
        deck: list[str]

    work = Work(position, sheets, dice)
    work.hands["East"] = ()
    work.judge("East", "Play Queen", "succeeds", "played", "T-1")
    work.tell(Played(seat="East", card="Queen"))
    return work.done(work.after(turn=position.turn + 1))

The fields that a class declares are copied out of the position so that steps may change them, and `after` puts them back. Only the field
itself is copied, not what it holds. Other fields are changed with `amend`. Values that only the turn needs are set in `__init__`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast, get_args

from adjudicator.core.contract.acts import Deed, Fault
from adjudicator.core.contract.resolution import Ending, Fact, Resolution, SeatId, Verdict
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.secrets.dice import Dice

P = TypeVar("P")
V = TypeVar("V", bound=Verdict)
E = TypeVar("E")


class Line(Protocol):
    """An order that has been read."""

    @property
    def line(self) -> str:
        """The order as people write it."""


O = TypeVar("O", bound=Line)  # noqa: E741  # an order, as in `acts`


class Draft(Generic[P, V, E]):
    """A turn in the making, for a position `P`, verdicts `V` and facts `E`."""

    _fields: ClassVar[frozenset[str]] = frozenset()
    _copied: ClassVar[tuple[str, ...]] = ()
    _sorted: ClassVar[frozenset[str]] = frozenset()
    _rules: ClassVar[str] = ""
    _verdict: ClassVar[type[Verdict]] = Verdict

    def __init_subclass__(cls, rules: str = "", by_key: tuple[str, ...] = ()) -> None:
        """Register the fields that a subclass declares, in addition to those of its base.

        `rules` is the prefix that `judge` puts before rules; empty if they are cited in full. `by_key` names the declared mappings that
        `after` sorts by key. Raises `TypeError` for a declared name that is not a field of the position or that every draft uses itself, and
        for a name in `by_key` that is not declared.
        """
        super().__init_subclass__()
        if given := get_args(vars(cls).get("__orig_bases__", (None,))[0]):
            cls._fields, cls._verdict = frozenset(one.name for one in dataclasses.fields(given[0])), given[1]
        declared = [name for name in inspect.get_annotations(cls) if name not in vars(cls)]
        for name in (*declared, *by_key):
            if name in {"sheets", "dice"}:
                continue  # they may be declared with narrower types
            if hasattr(Draft, name) or name in OWN:
                raise TypeError(f"{cls.__name__}.{name}: every draft uses this name itself; set a copy in __init__")
            if name not in cls._fields:
                raise TypeError(f"{cls.__name__}.{name}: the position has no such field; set it in __init__")
        cls._copied = (*cls._copied, *(name for name in declared if name not in {"sheets", "dice"}))
        cls._sorted, cls._rules = cls._sorted | {*by_key}, rules or cls._rules
        if undeclared := sorted(cls._sorted - {*cls._copied}):
            raise TypeError(f"{cls.__name__} sorts what it does not declare: {', '.join(undeclared)}")

    def __init__(self, start: P, sheets: Mapping[SeatId, Any], dice: Dice) -> None:
        """Begin a turn from a position. Mappings become dicts, tuples lists and frozensets sets."""
        self.start = start
        self._now = start
        self.sheets = sheets
        self.dice = dice
        self.verdicts: list[V] = []
        self.events: list[E] = []
        self.ended: Ending | None = None
        for name in self._copied:
            setattr(self, name, _loose(getattr(start, name)))

    @property
    def position(self) -> P:
        """The position with all changes so far."""
        return self.after() if self._copied else self._now

    def verdict(self, seat: SeatId, order: Line | str, result: str, reason: str, rule: str, /, **facts: Fact) -> V:
        """Make the verdict on an order, which is given as read or as text."""
        verdict = self._verdict(
            seat=seat,
            order=(order if isinstance(order, str) else order.line)[:ORDER_LETTERS],
            result=result,
            reason=reason,
            rule=f"{self._rules}-{rule}" if self._rules else rule,
            facts=facts or None,
        )
        return cast("V", verdict)

    def judge(self, seat: SeatId, order: Line | str, result: str, reason: str, rule: str, /, **facts: Fact) -> None:
        """Record the verdict on an order, which is given as read or as text."""
        self.verdicts.append(self.verdict(seat, order, result, reason, rule, **facts))

    def fail(self, seat: SeatId, order: Line | str, fault: Fault) -> None:
        """Record the verdict on an order that comes to nothing."""
        self.judge(seat, order, fault.result, fault.reason, fault.rule, **fault.facts)

    def carry_out(self, seat: SeatId, order: O, deed: Deed[Self, O]) -> None:
        """Carry out an order, or record the verdict on it if it has a fault."""
        fault = deed.fault(self, seat, order)
        if fault is None:
            deed.does(self, seat, order)
        else:
            self.fail(seat, order, fault)

    def tell(self, *facts: E) -> None:
        """Record facts."""
        self.events.extend(facts)

    def amend(self, **fields: Any) -> None:
        """Change fields of the position that are not copied. Raises `TypeError` for a copied field."""
        if copied := sorted({*fields} & {*self._copied}):
            raise TypeError(f"{', '.join(copied)}: change the copy")
        self._now = dataclasses.replace(cast("Any", self._now), **fields)

    def after(self, **fields: Any) -> P:
        """The position with all changes so far, and with these fields; a field given here overrides its copy."""
        changed = {name: self._fixed(name) for name in self._copied if name not in fields}
        return cast("P", dataclasses.replace(cast("Any", self._now), **changed, **fields))

    def _fixed(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, dict):
            return dict(sorted(value.items())) if name in self._sorted else dict(value)
        return tuple(value) if isinstance(value, list) else frozenset(value) if isinstance(value, set) else value

    def done(self, position: P) -> Resolution[P, E]:
        """The outcome of the turn, with the next position."""
        return Resolution(position, tuple(self.verdicts), tuple(self.events), self.ended)


OWN = frozenset({"start", "sheets", "dice", "verdicts", "events", "ended"})
"""Attributes of every draft."""


def _loose(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else set(value) if isinstance(value, frozenset) else value
