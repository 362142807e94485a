"""Lines as people write them, by their forms: mostly right, with slips of every kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from adjudicator.core.contract.conditions import Terms
from adjudicator.core.contract.lines import BLANK, Lines

SLIPS = "abcdefghijklmnopqrstuvwxyz"
WRITTEN_TEXT = ("Be kind; to everybody.", "TAX money", "ß and {text}", "a: b, c")


def some_condition(dice: random.Random, terms: Terms, one: Callable[[str], str]) -> str:
    """A condition as people write it, mostly right: of numbers and flags, either way of naming a player, sums, `not`, and slips."""

    def term(names: Mapping[str, tuple[str, ...]]) -> str:
        name = dice.choice(sorted(names))
        given = [one(blank) for blank in names[name]][: None if dice.random() < 0.95 else -1]
        if dice.random() < 0.1:
            name = name.upper()
        if not given:
            return name
        return (
            f"{name} of {', '.join(given)}"
            if dice.random() < 0.2
            else f"{name}{dice.choice(('', ' '))}({','.join(given)})"
        )

    def number() -> str:
        if dice.random() < 0.4:
            return dice.choice(("0", "6", "-3", "007", "1234567", "", "six"))
        more = dice.choice(("", "", " + 4", "-1", " +0", " - x"))
        return term(terms.numbers) + more

    def clause() -> str:
        if dice.random() < 0.5:
            space = dice.choice((" ", "", "  "))
            return number() + space + dice.choice((">=", ">", "=", "!=", "<", "<=", "==", "=>")) + space + number()
        return dice.choice(("", "", "not ", "NOT ")) + term(terms.flags)

    return dice.choice((" and ", " and ", " AND ", " or ")).join(clause() for _ in range(dice.choice((1, 1, 2, 2, 13))))


def filled_in(dice: random.Random, lines: Lines, form: str, depth: int = 0) -> str:
    """A form with something in each blank: mostly a valid value, as people write it."""

    def one(name: str) -> str:
        blank = lines.blanks[name]
        if blank.terms:
            return some_condition(dice, blank.terms, one)
        if blank.of:
            some = []
            for _ in range(dice.randint(1, 3)):
                counted = blank.number and not (blank.bare and dice.random() < 0.5)
                some.append((f"{dice.randint(0, 12)} " if counted else "") + one(blank.of))
            return dice.choice((", ", " and ", ",", "-", " then ", "; ")).join(some)
        choices = [*blank.words]
        if blank.shape:
            choices += [
                f"{blank.shape[0]}{dice.randint(1, 999)}",
                f"{blank.shape[0].lower()}{dice.randint(1, 9)}",
                "X3",
            ]
        if blank.forms and depth < 2:
            choices += [filled_in(dice, lines, inner, depth + 1) for inner in blank.forms]
        text = dice.choice(choices or WRITTEN_TEXT)
        match dice.randrange(10):
            case 0:
                return text.upper()
            case 1:
                return text + "s"
            case 2:
                return text.removesuffix("s")
            case 3:
                at = dice.randrange(len(text))
                return text[:at] + dice.choice(SLIPS) + text[at + 1 :]
        return text

    ends = "".join(ending for ending in lines.endings if dice.random() < 0.4)
    line = BLANK.sub(lambda blank: one(blank[1]), form + ends if depth == 0 else form)
    return dice.choice(
        (line, line, line.lower(), f"{line}.", f" {line};", line.replace(" ", "  ", 1), line[: len(line) // 2])
    )
