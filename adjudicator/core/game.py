"""`game.yaml`: what people decide about a game before it begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any

from adjudicator.core.codec import decode, record
from adjudicator.core.problems import Problem, Problems, nearest
from adjudicator.core.ruleset import Ruleset, find
from adjudicator.core.schedule import Schedule, duration
from adjudicator.core.yamltext import INTEGER, Place, Text

SCHEMA = 1
"""The version of the archive's files that this program writes; it reads this one and none later."""


class GameKind(StrEnum):
    """`game` is judged; `record` is known from reports only: shown, never judged."""

    GAME = "game"
    RECORD = "record"


@record
class Player:
    """The person in a seat."""

    player: str


@record
class GameData:
    """`game.yaml` as it is written. `settings` are the ruleset's house rules and are read by its own type."""

    schema: int
    ruleset: str
    title: str
    opened: str
    """The day the game was opened, `2026-11-20`."""
    seats: Mapping[str, Player]
    kind: GameKind = GameKind.GAME
    host: str | None = None
    about: str | None = None
    source: str | None = None
    """Where a game that was played elsewhere comes from, and its licence."""
    seed: str = ""
    """What the dice are derived from, in clear."""
    schedule: Schedule | None = None
    settings: Mapping[str, Any] | None = None
    as_played: Mapping[str, str] | None = None
    """Turns that stand as they were played though today's rules would judge otherwise, each with the reason."""


DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def is_day(text: str) -> bool:
    """Whether `text` is a day of the calendar, as `2026-11-20`."""
    try:
        return bool(DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


class Game:
    """A game's `game.yaml`, read and checked: `data`, its `ruleset`, its `settings`."""

    def __init__(self, slug: str, text: Text) -> None:
        self.slug = slug
        check_schema(text)
        self.data = decode(GameData, text)
        faults: list[Problem] = []
        if not is_day(self.data.opened):
            faults.append(
                text.problem(("opened",), f"{self.data.opened!r:.40} is not a day", "write it like 2026-11-20")
            )
        if self.data.schedule is not None:
            lengths: dict[Place, str] = {("schedule", "turn"): self.data.schedule.turn}
            lengths |= {("schedule", "phases", k): v for k, v in (self.data.schedule.phases or {}).items()}
            for place, length in lengths.items():
                try:
                    duration(length)
                except Problems as error:
                    faults.extend(text.problem(place, p.what, p.right) for p in error.problems)
        try:
            self.ruleset: Ruleset[Any, Any, Any] = find(self.data.ruleset)
        except Problems as error:
            raise Problems([*faults, *(text.problem(("ruleset",), p.what, p.right) for p in error.problems)]) from None
        try:
            self.settings = decode(self.ruleset.settings, subtext(text, "settings"))
            seats = self.ruleset.seats(self.settings)
        except Problems as error:
            raise Problems([*faults, *(_at(p, text) for p in error.problems)]) from None
        self.seats: tuple[str, ...] = seats
        for seat in self.data.seats:
            if seat not in seats:
                right = nearest(seat, seats) or "seats: " + ", ".join(seats)
                faults.append(text.problem(("seats", seat), f"no seat is called {seat!r:.60}", right))
        faults.extend(
            text.problem(("seats",), f"the seat {seat} has no player", f"add `{seat}: {{player: NAME}}`")
            for seat in seats
            if seat not in self.data.seats
        )
        if faults:
            raise Problems(faults)

    @property
    def title(self) -> str:
        """The game's title."""
        return self.data.title

    def player(self, seat: str) -> str:
        """The name of the person in a seat."""
        return self.data.seats[seat].player


def _at(fault: Problem, text: Text) -> Problem:
    """A fault without a line, placed at the settings."""
    return fault if fault.line else text.problem(("settings",), fault.what, fault.right)


def check_schema(text: Text) -> None:
    """Refuses files of a later version than this program knows, in one clear line; and of none there ever was."""
    version = text.data.get("schema") if isinstance(text.data, dict) else None
    if isinstance(version, bool) or not INTEGER.fullmatch(str(version)) or version == SCHEMA:
        return
    given = str(version)[:40]
    if given.startswith("-") or given == "0":
        raise Problems([text.problem(("schema",), f"there is no schema {given}", f"write schema: {SCHEMA}")])
    if given != str(SCHEMA):
        what = f"the file has schema {given}, and this courtly knows schema {SCHEMA}"
        raise Problems([text.problem(("schema",), what, "update courtly")])


def subtext(text: Text, key: str) -> Text:
    """The part of a file under `key`, as a text of its own whose marks still point into the file."""
    data = text.data.get(key) if isinstance(text.data, dict) else None
    marks = {place[1:]: mark for place, mark in text.marks.items() if place[:1] == (key,)}
    marks.setdefault((), text.mark(()))
    return Text(text.path, data, marks)


def seat_file(seat: str) -> str:
    """The file name (without ending) of a seat's sheet: lower case, spaces as hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", seat.casefold()).strip("-")
