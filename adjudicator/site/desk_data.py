"""The shapes of the other files that the order desk reads: `desks.json`, lessons, and the table of unseen characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from adjudicator.core.turn.aside import Aside
from adjudicator.core.turn.desk_data import DeskFile


class OpenGame(TypedDict):
    """A game that has a desk, in `games/desks.json`."""

    game: str
    title: str
    phase: str


class Foreseen(TypedDict):
    """A wrong answer that the lesson foresees, and the reply to it."""

    answer: Mapping[str, Any]
    says: str


class LessonStep(TypedDict):
    """One task of a lesson."""

    task: str
    accepts: list[Mapping[str, Any]]
    """Right answers: the entries that a sheet must have, whatever else it has. Null marks a key that is left empty."""
    right: str
    hint: str
    wrong: list[Foreseen]


class VerdictTold(TypedDict):
    """One order and its fate."""

    seat: str
    order: str
    good: bool
    unused: bool
    """True if it waited for an event that did not come."""
    why: str
    rule: str
    address: str
    """The address of the rule, relative to the site's folder."""


class LessonEnd(TypedDict):
    """A sheet that a lesson leads to, judged."""

    sheet: Mapping[str, Any]
    picture: str
    headline: str
    more: list[str]
    plain: list[str]
    """Events that everybody expects of a turn."""
    verdicts: list[VerdictTold]


class LessonFile(TypedDict):
    """A lesson: `lessons/RULESET/NAME.json`."""

    schema: int
    lesson: str
    title: str
    book: str
    """The address of the rulebook."""
    before: list[str]
    after: list[str]
    desk: DeskFile
    aside: Aside | None
    """The data that the learner's dispatch would give the desk; None in a game without secrets."""
    seat: str
    """The learner's seat, as its sheets are named."""
    steps: list[LessonStep]
    ends: list[LessonEnd]


class LessonEntry(TypedDict):
    """A lesson, in `lessons/lessons.json`."""

    lesson: str
    title: str
    ruleset: str
    seat: str


class UnseenTable(TypedDict):
    """Characters that no sheet may hold: `assets/unseen.json`."""

    kinds: Mapping[str, str]
    ranges: tuple[tuple[int, int, str], ...]
    """First and last character of a range, and its kind; in ascending order."""
    names: Mapping[str, str]
    """Number in hexadecimal digits -> name."""
