"""Everything about a fact, declared on its record: rules, sentence, weight, who learns of it, and how several facts share a sentence.

    @fact("{giver} gave {taker} {coins:many coin}.", rule="XX-A-1", weight=45, heard=EVERYBODY)
    class Given:
        event: Literal["given"] = "given"
        giver: SeatId
        taker: SeatId
        coins: Whole

A record without words, rule, weight or hearers, or with a blank that no field fills, raises an error when its module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, cast, dataclass_transform, get_args

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId, Verdict
from adjudicator.core.contract.rulebook import RULE_ID
from adjudicator.core.contract.runs import Joint, fill, is_spelling
from adjudicator.core.text.codec import record

if TYPE_CHECKING:
    from typing_extensions import TypeIs  # in `typing` from Python 3.13 on

T = TypeVar("T")
F = TypeVar("F")
Spelling = Callable[[Any, Any], str] | Mapping[Any, str]
"""How a ruleset spells a field: a function of the view and the field's value, or a word for each value."""
TELLING = "__telling__"


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence for facts that meet a condition."""

    text: str | Callable[[Any, Any], str]
    """A template, or a function of view and fact where blanks are not enough. Blanks are the record's fields and properties: `{taker}`,
    `{giver:whose}`, `{coins:many coin}`."""
    where: Mapping[str, object] = field(default_factory=dict)
    """Fields and their required values. A frozenset holds alternatives."""
    weight: int | None = None
    """Weight of such facts, if it differs from the record's."""
    part: str | None = None
    """Heading of such facts, if it differs from the record's."""

    def fits(self, told: object) -> bool:
        """True if a fact has the required values."""
        return all(
            getattr(told, name) in value if isinstance(value, frozenset) else getattr(told, name) == value
            for name, value in self.where.items()
        )


@dataclass(frozen=True, slots=True)
class Hearers:
    """The seats that learn of a fact while the game runs."""

    by: Callable[[Any, SeatId | None], Any]
    """A fact, and a seat or the public (None) -> the version for that reader; None if the reader does not learn of it."""


EVERYBODY = Hearers(lambda told, _: told)
ITS_SEAT = Hearers(lambda told, seat: told if told.seat == seat else None)
"""Only the seat that the fact names under `seat`."""


@dataclass(frozen=True, slots=True)
class Telling:
    """All that a record declares about its facts."""

    says: tuple[Say, ...]
    rules: tuple[str, ...]
    weight: int
    heard: Hearers
    joins: tuple[Joint, ...]
    part: str

    def say(self, told: Any) -> Say:
        """The first sentence that fits a fact."""
        return next(one for one in self.says if one.fits(told))


@dataclass_transform(frozen_default=True, kw_only_default=True)
def fact(
    *says: str | Say | Callable[[Any, Any], str],
    rule: str | tuple[str, ...],
    weight: int,
    heard: Hearers,
    joins: Joint | tuple[Joint, ...] = (),
    part: str = "",
) -> Callable[[type[T]], type[T]]:
    """Return a decorator that makes a class the record of a fact. The first sentence in `says` that fits a fact expresses it.

    `weight` is the fact's weight for the turn's headline (`Words.weight`), and `part` is the heading above the fact. The decorator raises
    `ValueError` for a record whose facts cannot be expressed.
    """
    rules = (rule,) if isinstance(rule, str) else rule
    joints = (joins,) if isinstance(joins, Joint) else joins

    def made(cls: type[T]) -> type[T]:
        kind = record(cls)
        written = tuple(one if isinstance(one, Say) else Say(one) for one in says)
        telling = Telling(written, rules, weight, heard, joints, part)
        if faults := list(_faults(kind, telling)):
            raise ValueError(f"{kind.__name__}: {'; '.join(faults)}")
        setattr(kind, TELLING, telling)
        return kind

    return made


def _faults(kind: type[Any], telling: Telling) -> Iterable[str]:
    """Reasons why facts of a record cannot be expressed."""
    if not telling.rules or not all(RULE_ID.fullmatch(one) for one in telling.rules):
        yield f"a fact must name its rules, such as XX-A-1, not {', '.join(telling.rules) or 'none'}"
    if not name_of(kind):
        yield "a fact must have its kind under `event`"
    says = telling.says
    if not says or says[-1].where or any(not one.where for one in says[:-1]):
        yield "the last sentence must have no condition, and all others must have one"
    named = {name for one in says for name in one.where}
    texts = [one.text for one in says if isinstance(one.text, str)]
    blanks = [blank for text in texts for blank in Joint.blanks(text)]
    for joint in telling.joins:
        named |= {*joint.where}
        blanks += [
            blank for text in (joint.together, joint.item) for blank in Joint.blanks(text) if blank[0] != "items"
        ]
    named |= {name for name, _ in blanks}
    for name in sorted(named):
        if name not in kind.__dataclass_fields__ and not isinstance(getattr(kind, name, None), property):
            yield f"it has no field {name!r}"
    for text in texts:
        if not text.endswith("."):
            yield f"a sentence must end with a full stop: {text!r}"


class Facts(Generic[F]):
    """The facts of a ruleset, put into sentences by their records."""

    def __init__(
        self,
        kinds: Iterable[type[Any]],
        parts: tuple[str, ...] = ("",),
        spellings: Mapping[str, Spelling] | None = None,
    ) -> None:
        """Take the records, the headings in order, and the ruleset's spellings: the blank `{hexes:few}` uses the one called `few`.

        Raises `ValueError` for a record that `fact` did not make, for two records of one kind, and for an unknown heading or spelling.
        """
        self.kinds, self.parts = tuple(kinds), parts
        self.spellings = dict(spellings or {})
        if strange := [kind.__name__ for kind in self.kinds if not hasattr(kind, TELLING)]:
            raise ValueError(f"there is no sentence for {', '.join(strange)}: make every record with `fact`")
        names = [name_of(kind) for kind in self.kinds]
        if len({*names}) < len(names):
            raise ValueError("two kinds of facts have the same name")
        said = {part for kind in self.kinds for part in _parts_of(telling_of(kind))}
        if said - {*parts}:
            raise ValueError(f"no heading is called {', '.join(sorted(said - {*parts}))}")
        if odd := [fault for kind in self.kinds for fault in _misspelt(kind, self.spellings)]:
            raise ValueError("; ".join(odd))
        self.joints: dict[str, tuple[Joint, ...]] = {
            name_of(kind): telling.joins for kind in self.kinds if (telling := telling_of(kind)).joins
        }
        """Kind of fact -> ways to join several in one sentence, for `Words.joints`."""

    @property
    def union(self) -> Any:
        """The type of a fact, for `Types.event`: the records, told apart by their field `event`."""
        kinds: Any = reduce(or_, self.kinds)
        return kinds if len(self.kinds) == 1 else Annotated[kinds, Choice(discriminator="event")]

    @classmethod
    def of(
        cls, union: Any, parts: tuple[str, ...] = ("",), spellings: Mapping[str, Spelling] | None = None
    ) -> Facts[F]:
        """Make `Facts` from a union of records, such as `Types.event`."""
        return cls(get_args(union), parts, spellings)

    def tells(self, told: object) -> TypeIs[F]:
        """True if `told` is one of these facts."""
        return isinstance(told, self.kinds)

    def tell(self, view: Any, told: F) -> str:
        """A fact in one sentence, from the view at the start of its turn."""
        text = telling_of(type(told)).say(told).text
        return fill(text, told, partial(self._own, view)) if isinstance(text, str) else text(view, told)

    def _own(self, view: Any, spec: str) -> Callable[[Any], str] | None:
        """The ruleset's spelling called `spec`, for a view; None if there is none."""
        spelling = self.spellings.get(spec)
        if spelling is None:
            return None
        return spelling.__getitem__ if isinstance(spelling, Mapping) else partial(spelling, view)

    def weight(self, view: Any, told: F) -> int:
        """Weight of a fact for its turn's headline, for `Words.weight`."""
        telling = telling_of(type(told))
        weight = telling.say(told).weight
        return telling.weight if weight is None else weight

    def part(self, view: Any, told: F) -> tuple[int, str]:
        """Position and title of the heading above a fact, for `Words.part`."""
        telling = telling_of(type(told))
        part = telling.say(told).part
        title = telling.part if part is None else part
        return self.parts.index(title), title

    def heard(self, told: F, seat: SeatId | None) -> F | None:
        """The version of a fact that a seat, or the public (None), learns of while the game runs; None if it learns nothing."""
        return cast("F | None", telling_of(type(told)).heard.by(told, seat))


def heard_by(facts: Facts[Any]) -> Callable[[Any, SeatId | None], Any]:
    """Make the function for `Secrecy.heard_by`: a verdict is heard only by the order's author, a fact by those whom its record declares."""

    def heard(told: Any, seat: SeatId | None) -> Any:
        if isinstance(told, Verdict):
            return told if told.seat == seat else None
        return facts.heard(told, seat)

    return heard


def _misspelt(kind: type[Any], spellings: Mapping[str, Spelling]) -> Iterable[str]:
    """Yield a message for each blank of a record whose spelling does not exist.

    Sentences that join facts are made without a view, so only the shared spellings exist for them.
    """
    telling = telling_of(kind)
    said = [(one.text, {*spellings}) for one in telling.says if isinstance(one.text, str)]
    joined: list[tuple[str, set[str]]] = [
        (text, set()) for joint in telling.joins for text in (joint.together, joint.item)
    ]
    for text, own in said + joined:
        for name, spelling in Joint.blanks(text):
            if spelling not in own and not is_spelling(spelling):
                yield f"{kind.__name__}: no spelling is called {spelling!r} ({name})"


def _parts_of(telling: Telling) -> Iterable[str]:
    """The headings that a record names."""
    return (telling.part, *(one.part for one in telling.says if one.part is not None))


def name_of(kind: type[Any]) -> str:
    """Name of a kind of fact in `turn.yaml`; empty if it has none."""
    about = kind.__dataclass_fields__.get("event")
    return about.default if about is not None and isinstance(about.default, str) else ""


def telling_of(kind: type[Any]) -> Telling:
    """All that a record declares about its facts."""
    return cast("Telling", getattr(kind, TELLING))
