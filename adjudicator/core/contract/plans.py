"""Lists of a sheet whose lines are tried in order, each with conditions: how the order desk reads them, and helps to write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.lines import Blank, Lines
from adjudicator.core.contract.resolution import SeatId


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the lines of one list are written."""

    forms: tuple[str, ...]
    endings: tuple[str, ...] = ()
    """What may follow any form, each at most once and in this order."""
    around: tuple[tuple[str, str], ...] = ()
    """Regular expressions for what people write around the words of a line, each with what stays of it."""
    certain: tuple[str, ...] = ()
    """Forms whose possible lines are all among a seat's options: another line of them is not possible as things stand."""
    terms: tuple[str, ...] = ()
    """The numbers and flags that mean something in this list now; any other makes its line hold never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question that a tap answers: each answer is a line of a list."""

    key: str
    """The list's key."""
    label: str
    answers: tuple[tuple[str, str], ...]
    """What a button says, and the line that it writes; one with an open blank is begun in the list's own field."""
    one: bool = False
    """Whether an answer takes the place of another."""
    ends: tuple[tuple[str, str], ...] = ()
    """What may follow the line that was chosen: as a menu calls it, and as it is written."""
    folded: bool = False
    """Whether it is for those who look for it."""
    link: str = ""
    """The beginning of a line that a link completes, which is pasted; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A part of a sheet that is filled in by taps, such as the report of one battle."""

    title: str
    about: str
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The lists of a sheet that are plans, and what may stand in their lines."""

    lists: Mapping[str, Plan]
    """Key of a field -> its plan."""
    blanks: Mapping[str, Blank]
    names: Mapping[str, str]
    """Other names of words -> the words, wherever they stand."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Word -> what the desk calls it, such as a card's title; behind a word there may be the number of a copy, `#2`."""
    about: Mapping[str, str]
    """Number or flag of a condition -> what it is, in a few words."""
    told: Mapping[SeatId, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Seat -> key of a field -> sentences that everybody knows, and whoever writes this list should have before their eyes."""

    cards: Mapping[SeatId, tuple[Card, ...]] = field(default_factory=dict)
    """Seat -> what it can fill in by taps; its lists hold the same lines."""

    def canonical(self, key: str, line: str) -> str:
        """A line of a list as a verdict writes it; one that is not understood, or of another field, comes back unchanged."""
        plan = self.lists.get(key)
        if plan is None:
            return line
        return Lines({key: plan.forms}, self.blanks, endings=plan.endings, names=self.names).canonical(line)
