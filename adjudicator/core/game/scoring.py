"""Points of a finished game, as a pure function of its outcome. All numbers are exact; pages round them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal

from adjudicator.core.text.codec import Whole, field_text, record
from adjudicator.core.text.problems import Problem, Problems, problem

WHOLE = Fraction(100)
"""The points that the winners of a game share."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, as far as scores depend on it."""

    seats: tuple[str, ...]
    """All seats, in the order of the game."""
    winners: tuple[str, ...]
    counts: Mapping[str, int] | None = None
    """Seat -> its centres, or what else the game counts first; None in a game without such numbers."""

    @property
    def alone(self) -> str | None:
        """The solo winner."""
        return self.winners[0] if len(self.winners) == 1 else None


@record
class Scoring:
    """How a series scores its games."""

    by: Annotated[
        Literal["draws", "squares", "places", "formula"],
        field_text(
            "`draws`: the winners share 100. `squares`: 100 by the squares of the centres; a solo winner gets all. `places`: points for places "
            "and centres. `formula`: your own."
        ),
    ]
    places: Annotated[
        tuple[Whole, ...], field_text("With `places`: the points of the first place, the second, and so on.")
    ] = field(default=(38, 14, 7))
    centre: Annotated[Whole, field_text("With `places`: the points of a centre.")] = 1
    alone: Annotated[
        Whole | None,
        field_text(
            "With `places` and `formula`: the points of a solo winner; the others then get nothing. Left out, nothing changes."
        ),
    ] = None
    formula: Annotated[
        str | None,
        field_text("With `formula`: a seat’s points, from c, s, t, n, w, r, won and solo, such as `100 * c * c / s`."),
    ] = None


NAMES: Mapping[str, str] = {
    "c": "the seat’s centres", "s": "the sum of the squares of all centres", "t": "all centres that somebody owns",
    "n": "the number of seats with centres", "w": "the number of winners", "r": "the seat’s place by centres, the mean if several share it",
    "won": "1 if the seat is a winner", "solo": "1 if the seat won alone",
}  # fmt: skip
"""Name in a formula -> its meaning."""
MOST_LETTERS, MOST_POWER, MOST_BITS = 200, 4, 256


def points(outcome: Outcome, scoring: Scoring) -> dict[str, Fraction]:
    """Seat -> its points. Raises `Problems` if the score needs centres and the game has none, or if the formula has no value."""
    if scoring.by == "draws":
        share = WHOLE / len(outcome.winners) if outcome.winners else Fraction(0)
        return {seat: share if seat in outcome.winners else Fraction(0) for seat in outcome.seats}
    counts = outcome.counts
    if counts is None:
        right = "score them by `draws`: the winners share 100 points"
        raise problem("", f"`{scoring.by}` counts centres, and games of this ruleset have none", right)
    owned = {seat: counts.get(seat, 0) for seat in outcome.seats}
    if scoring.by == "squares":
        if outcome.alone is not None:
            return {seat: WHOLE if seat == outcome.alone else Fraction(0) for seat in outcome.seats}
        squares = sum(count * count for count in owned.values())
        return {seat: WHOLE * count * count / squares if squares else Fraction(0) for seat, count in owned.items()}
    if outcome.alone is not None and scoring.alone is not None:
        return {seat: Fraction(scoring.alone if seat == outcome.alone else 0) for seat in outcome.seats}
    if scoring.by == "places":
        ranked = _places(owned, outcome.alone)
        return {
            seat: _for_places(scoring.places, ranked[seat]) + scoring.centre * owned[seat] for seat in outcome.seats
        }
    return {seat: _value(scoring.formula or "", known) for seat, known in _known(outcome, owned).items()}


def _places(owned: Mapping[str, int], first: str | None) -> dict[str, tuple[int, ...]]:
    """Seat -> the places, from 0, that it shares with others of as many centres; a solo winner is `first`."""

    def worth(seat: str) -> tuple[bool, int]:
        return seat == first, owned[seat]

    order = sorted(owned, key=worth, reverse=True)
    return {seat: tuple(at for at, other in enumerate(order) if worth(other) == worth(seat)) for seat in owned}


def _for_places(values: Sequence[int], places: Sequence[int]) -> Fraction:
    """The points of places that several share: their mean."""
    return Fraction(sum(values[at] if at < len(values) else 0 for at in places), len(places))


def _known(outcome: Outcome, owned: Mapping[str, int]) -> dict[str, dict[str, Fraction]]:
    """Seat -> the values of the names in a formula."""
    places = _places(owned, outcome.alone)
    common = {
        "s": sum(count * count for count in owned.values()), "t": sum(owned.values()), "n": sum(count > 0 for count in owned.values()),
        "w": len(outcome.winners),
    }  # fmt: skip
    return {
        seat: {
            **{name: Fraction(value) for name, value in common.items()},
            "c": Fraction(owned[seat]),
            "r": Fraction(sum(places[seat]), len(places[seat])) + 1,
            "won": Fraction(seat in outcome.winners),
            "solo": Fraction(seat == outcome.alone),
        }
        for seat in outcome.seats
    }


# Formulas: arithmetic and nothing else ------------------------------------------------------------------------------

OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
FUNCTIONS: Mapping[str, Callable[..., Fraction]] = {"min": min, "max": max}


def _value(formula: str, known: Mapping[str, Fraction]) -> Fraction:
    """The value of a formula; raises `Problems` if it has none."""
    if len(formula) > MOST_LETTERS:
        raise problem("", f"the formula has {len(formula)} letters", f"at most {MOST_LETTERS} are allowed")
    try:
        return _of(ast.parse(formula.strip(), mode="eval").body, known)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise problem(
            "", f"the formula {formula!r:.60} cannot be read", "write arithmetic, such as 100 * c * c / s"
        ) from None
    except ZeroDivisionError:
        raise problem(
            "", f"the formula {formula!r:.60} divides by nothing in one of the games", "add 1, or use max(1, ...)"
        ) from None


def _of(node: ast.expr, known: Mapping[str, Fraction]) -> Fraction:
    """The value of a part of a formula; raises `Problems` for other code, and for numbers that are far too large or exact."""
    value = _part(node, known)
    if max(abs(value.numerator), value.denominator).bit_length() > MOST_BITS:
        raise problem("", "the formula has a part that is far too large or too exact", "use smaller numbers")
    return value


def _part(node: ast.expr, known: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as number):
            return Fraction(str(number))
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Name(id=name):
            raise problem("", f"the formula has no name {name!r:.20}", "names: " + ", ".join(NAMES))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_of(inner, known)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if 0 <= power <= MOST_POWER:
            return _of(left, known) ** power
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_of(left, known), _of(right, known))
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as args, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_of(one, known) for one in args))
        case _:
            pass
    allowed = f"use numbers, {', '.join(NAMES)}, + - * / ** ( ), min and max"
    raise problem("", f"the formula has a part that is no arithmetic: {ast.unparse(node)!r:.40}", allowed)


def scoring_faults(scoring: Scoring) -> list[Problem]:
    """The faults in a way to score, found on a game that shows every case."""
    if scoring.by == "formula" and not (scoring.formula or "").strip():
        return [Problem("", 0, 0, "there is no formula", "write one, such as formula: 100 * c * c / s")]
    seats = ("A", "B", "C", "D")
    if scoring.by == "places" and not scoring.places:
        return [Problem("", 0, 0, "there are no points for places", "write some, such as places: [38, 14, 7]")]
    for counts in ({"A": 10, "B": 10, "C": 4, "D": 0}, dict.fromkeys(seats, 0)):
        for winners in ((), ("A",), ("A", "B"), ("D",)):
            try:
                points(Outcome(seats, winners, counts), scoring)
            except Problems as error:
                return list(error.problems)
    return []
