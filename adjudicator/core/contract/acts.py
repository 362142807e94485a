"""Everything about an order in one place: how people write it, its help and its rule. The step that judges the order defines why it fails.

    ACTS = Acts("XX", {"night": "By night"}, (
        Act("tax", "night", "Tax {thing} at {place}", rule="F-2", help="where you rule", also=("Collect {thing} at {place}",)),
    ))
    TAX = Deed(_tax_fault, _tax)

The reader, the canonical line, the forms at the desk and the tables of ORDERS.md are made from the acts. The step judges an order with
its deed's `fault`, and `check` uses the same function to warn of faults that the player can know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Generic, TypeVar

from adjudicator.core.contract.lines import BLANK, Blank, Lines, fill_form
from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.core.contract.rulebook import RULE_ID

W = TypeVar("W")
"""The turn while it is being resolved."""
O = TypeVar("O")  # noqa: E741  # an order, beside W


@dataclass(frozen=True, slots=True)
class Row:
    """Further canonical forms of an act. They have a separate row in ORDERS.md, because they do more or follow another rule."""

    forms: tuple[str, ...]
    rule: str
    help: str


@dataclass(frozen=True, slots=True)
class Act:
    """A kind of order as people write it."""

    kind: str
    when: str
    """The part of a turn that resolves it."""
    form: str
    """The canonical line, with blanks: `Tax {thing} at {place}`."""
    _: KW_ONLY
    rule: str
    """Number of its rule in the rulebook, without the prefix: `F-2`."""
    help: str
    """Its help in ORDERS.md, in Markdown."""
    variants: tuple[str, ...] = ()
    """Other canonical forms of the same kind, with other blanks."""
    more: tuple[Row, ...] = ()
    also: tuple[str, ...] = ()
    """Other ways to write `form`, with the same blanks."""
    once: tuple[str, ...] = ()
    """A word, then blanks: a sheet may hold only one line with this word and the same values in these blanks."""
    people: int = 0
    """Number of people that the order takes, in games that count them."""

    @property
    def forms(self) -> tuple[str, ...]:
        """All its canonical forms."""
        return tuple(form for row in self.rows for form in row.forms)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its rows in ORDERS.md."""
        return (Row((self.form, *self.variants), self.rule, self.help), *self.more)


class Acts:
    """All acts of a ruleset, or all acts of one kind of line, such as purchases."""

    def __init__(
        self,
        prefix: str,
        parts: Mapping[Any, str],
        acts: Iterable[Act],
        tables: Iterable[tuple[str, ...]] | None = None,
        *,
        where: bool = False,
    ) -> None:
        """Take the prefix of the ruleset's rules, the parts of a turn with their headings, and the acts in the order of ORDERS.md.

        `tables` are the parts that each table of ORDERS.md shows, one part by default. With `where`, the tables have a column for the part's
        heading. Raises `ValueError` for two acts with the same kind or form, a part that is not in `parts`, a misspelt rule, an act without
        help, another spelling with different blanks, and a blank in `once` that the form does not have.
        """
        self.prefix, self.parts = prefix, dict(parts)
        self.tables = tuple((part,) for part in self.parts) if tables is None else tuple(tables)
        self.where = where
        self.acts = tuple(acts)
        if faults := list(self._faults()):
            raise ValueError("; ".join(faults))
        self.by_kind: Mapping[str, Act] = {act.kind: act for act in self.acts}
        self.kinds: Mapping[str, str] = {form: act.kind for act in self.acts for form in act.forms}
        """Form -> kind of the act."""

    def _faults(self) -> Iterator[str]:
        if strange := sorted({part for parts in self.tables for part in parts} - {*self.parts}):
            yield f"no part of a turn is called {', '.join(map(repr, strange))}"
        forms: dict[str, str] = {}
        kinds: set[str] = set()
        for act in self.acts:
            if act.kind in kinds:
                yield f"two acts are called {act.kind!r}"
            kinds.add(act.kind)
            for form in (*act.forms, *act.also):
                if form in forms:
                    yield f"{form!r} is a form of {forms[form]!r} and of {act.kind!r}"
                forms[form] = act.kind
            for form in act.also:
                if {*BLANK.findall(form)} != {*BLANK.findall(act.form)}:
                    yield f"{form!r} does not have the same blanks as {act.form!r}"
            if act.when not in self.parts:
                yield f"{act.kind}: no part of a turn is called {act.when!r}"
            for row in act.rows:
                if not RULE_ID.fullmatch(f"{self.prefix}-{row.rule}"):
                    yield f"{act.kind}: {row.rule!r} is not a rule's number, such as F-2"
                if not row.help:
                    yield f"{act.kind} has no help"
            if strange := [name for name in act.once[1:] if name not in BLANK.findall(act.form)]:
                yield f"{act.kind}: {act.form!r} has no blank {', '.join(strange)}"

    def of(self, *parts: str) -> tuple[Act, ...]:
        """The acts of these parts of a turn."""
        return tuple(act for act in self.acts if act.when in parts)

    def forms(self, *parts: str) -> Mapping[str, str]:
        """Form -> kind, for some parts of a turn."""
        return {form: act.kind for act in self.of(*parts) for form in act.forms}

    def line(self, kind: str, args: Mapping[str, str]) -> str:
        """The canonical line of an order."""
        return fill_form(self.by_kind[kind].form, args)

    def lines(
        self, parts: Iterable[str], blanks: Mapping[str, Blank], more: Mapping[str, str], **options: Any
    ) -> Lines:
        """The forms of these parts of a turn, under their headings, for the reader and the desk.

        `more` has alternative forms besides those of the acts, each with the form that it means; `options` go to `Lines`.
        """
        chosen = [act for part in parts for act in self.of(part)]
        named = {form for act in chosen for form in act.forms}
        also = {other: act.form for act in chosen for other in act.also}
        also |= {other: form for other, form in more.items() if form in named and other not in also}
        # Those with the most fixed text come first, as for other forms: `killed a monster` before `killed {foe}`.
        also = dict(sorted(also.items(), key=lambda pair: -len(BLANK.sub("", pair[0]))))
        return Lines(
            {self.parts[part]: tuple(form for act in self.of(part) for form in act.forms) for part in parts},
            blanks,
            {form: act.once for act in chosen if act.once for form in act.forms},
            also=also,
            **options,
        )

    def rows(self, parts: tuple[str, ...], page: str) -> str:
        """The rows of a table of ORDERS.md; `page` is the address of the rulebook, which the rules link to."""
        return "".join(
            f"| {', '.join(f'`{form}`' for form in row.forms)} | {self._heading(act)}{row.help} | [{rule}]({page}#{rule.lower()}) |\n"
            for act in self.of(*parts)
            for row in act.rows
            for rule in (f"{self.prefix}-{row.rule}",)
        )

    def _heading(self, act: Act) -> str:
        return f"{self.parts[act.when]} | " if self.where else ""


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why an order comes to nothing."""

    reason: str
    rule: str
    result: str = "fails"
    known: bool = False
    """True if the seat's view shows it and nothing earlier in the turn can change it: `check` warns of it before the deadline."""
    likely: bool = False
    """True if the seat's view shows it and little can change it: `check` warns of it, for the present state of things."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """The details that its sentence names."""


def because(
    reason: str, rule: str, result: str = "fails", /, *, known: bool = False, likely: bool = False, **facts: Fact
) -> Fault:
    """A fault, with its facts by name."""
    return Fault(reason, rule, result, known, likely, facts)


def illegal(reason: str, rule: str, /, **facts: Fact) -> Fault:
    """Make the fault of an illegal order; the keyword arguments are its facts."""
    return Fault(reason, rule, "illegal", facts=facts)


@dataclass(frozen=True, slots=True)
class Deed(Generic[W, O]):
    """The conditions of an order, and its effect. Both functions take the turn while it is being resolved, the seat and its order."""

    fault: Callable[[W, SeatId, O], Fault | None]
    """The reason why the order would come to nothing now, if any. This function changes nothing, so `check` may call it on a turn made from a view.

    It may ignore the price and leave that to `does`, which then records the verdict itself.
    """
    does: Callable[[W, SeatId, O], Any]
