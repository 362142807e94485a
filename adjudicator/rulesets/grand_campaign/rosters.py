"""Rosters: an army's characters and units, one per line, with their experience (GC-F-1, GC-F-3)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import Field as Choice

from adjudicator.core.text.codec import Whole, field_text, record
from adjudicator.core.text.problems import nearest

Tag = Literal["core", "scoring", "standard", "cavalry", "cave goblins", "goblin", "monster"]
TAGS: tuple[Tag, ...] = get_args(Tag)
GENERAL, BEARER, VAMPIRE = "general", "standard bearer", "vampire"
POINTS = 2500
"""Most points of a list (GC-F-1)."""
LEVEL = 4
"""Experience for each Level (GC-S-11, GC-T-6)."""
NAME = re.compile(r"[^\W\d_](?:[\w' .-]{0,38}[\w'])?")
RIGHT_NAME = "use up to 40 letters, digits, spaces, hyphens and apostrophes, and begin with a letter"
NUMBERED = re.compile(r"(?:level ([1-4])|([0-9]{1,3}) xp|([1-9][0-9]{0,2}) models?|bears (.+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Member:
    """A character or a unit in an army."""

    name: str
    xp: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Character(Member):
    """A character: the General, the Battle Standard Bearer or another; champions do not count (GC-S-13)."""

    role: str = ""
    vampire: bool = False
    bears: str | None = None
    """Their Magical Artefact (GC-U-4)."""

    @property
    def cap(self) -> int:
        """The highest Level they can reach (GC-S-12)."""
        return 4 if self.role else 3

    @property
    def line(self) -> str:
        """Its line in a roster."""
        parts = [self.name, self.role, VAMPIRE if self.vampire else "", *_learned(self)]
        return ", ".join(part for part in (*parts, f"bears {self.bears}" if self.bears else "") if part)


@dataclass(frozen=True, slots=True)
class Unit(Member):
    """A unit with its tags; Scoring ones gain experience (GC-T-1)."""

    tags: tuple[str, ...] = ()
    models: int = 0
    """0 if unknown. A veteran unit never has more models than when it became a veteran (GC-T-9)."""

    @property
    def line(self) -> str:
        """Its line in a roster."""
        models = (f"{self.models} model{'s' * (self.models != 1)}",) if self.models else ()
        return ", ".join((self.name, *self.tags, *models, *_learned(self)))

    cap = 3
    """The highest Level that a unit can reach (GC-T-6)."""


def _learned(member: Member) -> list[str]:
    parts = [f"level {member.level}"] if member.level else []
    return [*parts, f"{member.xp} XP"] if member.xp else parts


@dataclass(frozen=True, slots=True)
class Misread:
    """The fault in a roster's line, and the correction."""

    what: str
    right: str


@functools.lru_cache(maxsize=20_000)
def read_character(line: str) -> Character | Misread:
    """Parse a character's line: `Lord Ansel, general`. In a position it may also have experience and an artefact."""
    name, *parts = (part.strip() for part in line.split(","))
    if not NAME.fullmatch(name):
        return Misread(f"{name[:40]!r} cannot be a character's name", RIGHT_NAME)
    found = Character(name)
    for part in parts:
        word, number = part.casefold(), NUMBERED.fullmatch(part)
        if word in {GENERAL, BEARER} and not found.role:
            found = replace(found, role=word)
        elif word == VAMPIRE:
            found = replace(found, vampire=True)
        elif number is not None and number[1]:
            found = replace(found, level=int(number[1]))
        elif number is not None and number[2]:
            found = replace(found, xp=int(number[2]))
        elif number is not None and number[4]:
            found = replace(found, bears=number[4])
        else:
            words = (GENERAL, BEARER, VAMPIRE)
            return Misread(f"a character is not {part[:40]!r}", nearest(word, words) or ", ".join(words))
    return found


@functools.lru_cache(maxsize=20_000)
def read_unit(line: str) -> Unit | Misread:
    """Parse a unit's line: `Citizen Spears, core, scoring, standard, 20 models`."""
    name, *parts = (part.strip() for part in line.split(","))
    if not NAME.fullmatch(name):
        return Misread(f"{name[:40]!r} cannot be a unit's name", RIGHT_NAME)
    found = Unit(name)
    for part in parts:
        word, number = part.casefold(), NUMBERED.fullmatch(part)
        if word in TAGS and word not in found.tags:
            found = replace(found, tags=tuple(tag for tag in TAGS if tag in {*found.tags, word}))
        elif number is not None and number[1]:
            found = replace(found, level=int(number[1]))
        elif number is not None and number[2]:
            found = replace(found, xp=int(number[2]))
        elif number is not None and number[3]:
            found = replace(found, models=int(number[3]))
        else:
            return Misread(f"a unit is not {part[:40]!r}", nearest(word, TAGS) or f"{', '.join(TAGS)}, `20 models`")
    return found


def character(line: str) -> Character:
    """Parse a character's line that is known to be valid."""
    found = read_character(line)
    assert isinstance(found, Character), line
    return found


def unit(line: str) -> Unit:
    """Parse a unit's line that is known to be valid."""
    found = read_unit(line)
    assert isinstance(found, Unit), line
    return found


Learner = TypeVar("Learner", Character, Unit)


def learn(one: Learner, change: int) -> Learner:
    """Change the experience of a character or a unit. A Level once reached is kept (GC-S-11, GC-S-17, GC-T-6)."""
    xp = max(0, one.xp + change)
    return replace(one, xp=xp, level=max(one.level, min(one.cap, xp // LEVEL)))


Members = Annotated[tuple[str, ...], Choice(max_length=40)]


@record
class Roster:
    """An army list, as far as the campaign needs it. The group checks whether it is legal at the table (GC-F-3)."""

    faction: Annotated[str | None, field_text("The army's faction; the player's own if left out (GC-I-1).")] = None
    reason: Annotated[str, Choice(max_length=300), field_text("Why the army is of a foreign faction (GC-I-82).")] = ""
    points: Annotated[Whole, Choice(ge=0, le=POINTS)] = POINTS
    ld: Annotated[Whole, Choice(ge=2, le=10), field_text("The General's Leadership.")]
    characters: Annotated[
        Members,
        Choice(min_length=1),
        field_text("Such as `Lord Ansel, general`, `Brise, standard bearer`, `Corm, vampire`."),
    ]
    units: Annotated[Members, field_text("Such as `Citizen Spears, core, scoring, standard, 20 models`.")] = ()
    list: Annotated[
        str, Choice(max_length=4000), field_text("The whole list as in the tabletop game, for the players to read.")
    ] = ""

    @property
    def general(self) -> Character:
        """The General; the army has the same name (GC-F-16)."""
        return next(one for one in map(character, self.characters) if one.role == GENERAL)


@record
class NamedRoster(Roster):
    """A roster on a sheet (GC-F-4)."""

    name: Annotated[
        str, Choice(min_length=1, max_length=60), field_text("The name that lines use for the list.", title="Name")
    ]

    @property
    def roster(self) -> Roster:
        """The roster without its name."""
        return Roster(**{one.name: getattr(self, one.name) for one in fields(Roster)})


Path = tuple[str | int, ...]


def roster_faults(roster: Roster, factions: tuple[str, ...]) -> Iterator[tuple[Path, str, str]]:
    """The faults in a roster, each as its path, the fault and the correction (GC-F-3)."""
    if roster.faction is not None and roster.faction not in factions:
        right = nearest(roster.faction, factions) or ", ".join(factions)
        yield ("faction",), f"no faction is called {roster.faction!r:.40}", right
    seen: set[str] = set()
    generals = bearers = 0
    for key, lines in (("characters", roster.characters), ("units", roster.units)):
        for at, line in enumerate(lines):
            found: Character | Unit | Misread = read_character(line) if key == "characters" else read_unit(line)
            if isinstance(found, Misread):
                yield (key, at), found.what, found.right
                continue
            if found.xp or found.level or (isinstance(found, Character) and found.bears):
                yield (key, at), "a new roster has no experience and no artefacts (GC-F-1)", "leave them out"
            if found.name.casefold() in seen:
                what = f"{found.name!r} is in this roster already"
                yield (key, at), what, "give each a different name, such as Second Spears"
            seen.add(found.name.casefold())
            generals += isinstance(found, Character) and found.role == GENERAL
            bearers += isinstance(found, Character) and found.role == BEARER
    if generals != 1:
        yield ("characters",), f"the roster has {generals} Generals (GC-F-3)", "name exactly one: `Lord Ansel, general`"
    if bearers > 1:
        yield ("characters",), f"the roster has {bearers} Battle Standard Bearers", "name at most one"


def mostly(units: tuple[str, ...], tag: str) -> bool:
    """Whether more than half of the Core units have a tag (GC-I-8)."""
    core = [one for one in map(unit, units) if "core" in one.tags]
    return 2 * sum(tag in one.tags for one in core) > len(core)
