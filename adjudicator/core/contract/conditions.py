"""Conditions in lines of orders: a closed language over the numbers and flags in a ruleset's table.

    condition = clause {" and " clause}
    clause    = num op num | ["not "] flag
    op        = < | <= | = | != | >= | >
    num       = INT | name | name + INT | name - INT

A name may take arguments, `favor(me)` or `favor of me`. The table lists the blanks of each name. Nothing else can be written, so a
condition can test only what its table names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.core.text.problems import nearest

Argument = Callable[[str, str], "str | Wrong"]
"""Blank and text -> the canonical text, or the fault."""
TERM = re.compile(r"([a-z_]\w*)(?:\s*\((.*)\)|\s+of\s+(.+))?", re.IGNORECASE | re.ASCII | re.DOTALL)
SUM = re.compile(r"(.+?)\s*([+-])\s*([0-9]{1,6})", re.ASCII | re.DOTALL)
NUMBER = re.compile(r"-?[0-9]{1,6}", re.ASCII)
COMPARISON = re.compile(r"(.*?)\s*(<=|>=|!=|=|<|>)\s*(.*)", re.DOTALL)
AND = re.compile(r"\s+and\s+", re.IGNORECASE)
NOT = re.compile(r"not\s+(.+)", re.IGNORECASE | re.DOTALL)
OPERATORS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    ">=": lambda left, right: left >= right,
    ">": lambda left, right: left > right,
}


@dataclass(frozen=True, slots=True)
class Wrong:
    """Fault in a condition, and the right form."""

    what: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms that conditions may use: names of numbers and of flags, each with the blanks of its arguments."""

    numbers: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, tuple[str, ...]]
    most: int = 12
    """Maximum number of clauses in a condition."""

    def __post_init__(self) -> None:
        """Assert that no name is a keyword of the language."""
        assert not {"and", "or", "not", "of"} & {*self.numbers, *self.flags}, "and, or, not and of cannot be names"


@dataclass(frozen=True, slots=True)
class Term:
    """A flag, or a named number plus an optional constant."""

    name: str
    arguments: tuple[str, ...] = ()
    more: int = 0

    def __str__(self) -> str:
        shown = f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name
        return shown + (f" {'+' if self.more > 0 else '-'} {abs(self.more)}" if self.more else "")


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of two numbers."""

    left: Term | int
    operator: str
    right: Term | int

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True, slots=True)
class Flagged:
    """A flag that must be up, or must be down."""

    flag: Term
    up: bool

    def __str__(self) -> str:
        return f"{'' if self.up else 'not '}{self.flag}"


Clause = Compared | Flagged


@dataclass(frozen=True, slots=True)
class Condition:
    """Clauses that must all hold."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.clauses))

    def holds(
        self,
        number: Callable[[str, tuple[str, ...]], int | None],
        flag: Callable[[str, tuple[str, ...]], bool | None],
    ) -> bool:
        """True if every clause holds. A name that has no value at the moment (None) makes its clause false, with or without `not`."""
        return all(_holds(clause, number, flag) for clause in self.clauses)

    def first_failing(
        self,
        number: Callable[[str, tuple[str, ...]], int | None],
        flag: Callable[[str, tuple[str, ...]], bool | None],
    ) -> str | None:
        """The first clause that fails, with the values that it compared: `opp >= 6 (opp was 4)`. None if all hold."""
        clause = next((clause for clause in self.clauses if not _holds(clause, number, flag)), None)
        if clause is None or isinstance(clause, Flagged):
            return None if clause is None else str(clause)
        terms = [side for side in (clause.left, clause.right) if isinstance(side, Term)]
        values = []
        for term in terms:
            amount = number(term.name, term.arguments)
            shown = replace(term, more=0)
            values.append(f"{shown} was {amount}" if amount is not None else f"{shown} means nothing there")
        return f"{clause} ({', '.join(values)})" if values else str(clause)


def _holds(
    clause: Clause,
    number: Callable[[str, tuple[str, ...]], int | None],
    flag: Callable[[str, tuple[str, ...]], bool | None],
) -> bool:
    if isinstance(clause, Flagged):
        up = flag(clause.flag.name, clause.flag.arguments)
        return up is not None and up is clause.up

    def value(side: Term | int) -> int | None:
        if isinstance(side, int):
            return side
        amount = number(side.name, side.arguments)
        return None if amount is None else amount + side.more

    left, right = value(clause.left), value(clause.right)
    return left is not None and right is not None and OPERATORS[clause.operator](left, right)


def read_condition(text: str, terms: Terms, argument: Argument) -> Condition | Wrong:
    """Parse `text` with the names in `terms`, or return the fault. `argument` parses each argument of a name."""
    text = " ".join(text.split())
    parts = AND.split(text) if text else []
    if not parts:
        return Wrong("the condition is empty", "such as `" + _example(terms) + "`")
    if len(parts) > terms.most:
        return Wrong(f"the condition has {len(parts)} clauses", f"at most {terms.most} are allowed")
    clauses: list[Clause] = []
    for part in parts:
        clause = _clause(part.strip(), terms, argument)
        if isinstance(clause, Wrong):
            return clause
        clauses.append(clause)
    return Condition(tuple(clauses))


def _example(terms: Terms) -> str:
    return next(
        (f"{name} > 3" for name, arguments in terms.numbers.items() if not arguments), next(iter(terms.flags), "")
    )


def _clause(text: str, terms: Terms, argument: Argument) -> Clause | Wrong:
    compared = COMPARISON.fullmatch(text)
    if compared is not None:
        sides: list[Term | int] = []
        for side in (compared[1], compared[3]):
            value = _number(side.strip(), terms, argument)
            if isinstance(value, Wrong):
                return value
            sides.append(value)
        return Compared(sides[0], compared[2], sides[1])
    denied = NOT.fullmatch(text)
    flag = _term((denied[1] if denied else text).strip(), terms.flags, "flag", argument, terms)
    return flag if isinstance(flag, Wrong) else Flagged(flag, up=denied is None)


def _number(text: str, terms: Terms, argument: Argument) -> Term | int | Wrong:
    if NUMBER.fullmatch(text):
        return int(text)
    if not text:
        return Wrong("a comparison has a number on one side alone", f"such as `{_example(terms)}`")
    summed = SUM.fullmatch(text)
    term = _term((summed[1] if summed else text).strip(), terms.numbers, "number", argument, terms)
    if isinstance(term, Wrong) or summed is None:
        return term
    return Term(term.name, term.arguments, int(summed[3]) * (1 if summed[2] == "+" else -1))


def _term(text: str, names: Mapping[str, tuple[str, ...]], what: str, argument: Argument, terms: Terms) -> Term | Wrong:
    match = TERM.fullmatch(text)
    name = match[1].lower() if match else text[:40]
    blanks = names.get(name)
    if match is None or blanks is None:
        other = "number" if what == "flag" else "flag"
        if match is not None and name in (terms.numbers if what == "flag" else terms.flags):
            right = f"compare it, as `{name} > 3`" if what == "flag" else f"write `{name}` or `not {name}` by itself"
            return Wrong(f"{name!r} is a {other} and no {what}", right)
        if re.search(r"\bor\b", text, re.IGNORECASE):
            return Wrong(
                f"{text[:40]!r} is no clause",
                "clauses are joined by `and` alone; write another line for the other case",
            )
        return Wrong(f"no {what} is called {text[:40]!r}", nearest(name, names) or f"{what}s: " + ", ".join(names))
    inside = match[2] if match[2] is not None else match[3]
    given: Sequence[str] = [part.strip() for part in inside.split(",")] if inside is not None and inside.strip() else []
    if len(given) != len(blanks):
        shown = f"{name}({', '.join(blanks)})" if blanks else name
        return Wrong(f"{text[:40]!r} names {len(given) or 'nothing'}", f"write {shown}")
    arguments: list[str] = []
    for blank, part in zip(blanks, given, strict=True):
        value = argument(blank, part)
        if isinstance(value, Wrong):
            return value
        arguments.append(value)
    return Term(name, tuple(arguments))
