"""Lists of a sheet whose lines are tried in order, each with conditions. The order desk reads such lines, and helps to write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.lines import Blank, Lines
from adjudicator.core.contract.resolution import SeatId


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Format of the lines of one list."""

    forms: tuple[str, ...]
    endings: tuple[str, ...] = ()
    """Texts that may follow any form, each at most once and in this order."""
    around: tuple[tuple[str, str], ...] = ()
    """Pairs of a regular expression for text that people write around the words of a line, and its replacement."""
    certain: tuple[str, ...] = ()
    """Forms whose possible lines are all among a seat's options. Other lines of these forms are not possible now."""
    terms: tuple[str, ...] = ()
    """The numbers and flags that have a value in this list now. A line that uses any other never applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question that a tap answers. Each answer is a line of a list."""

    key: str
    """The list's key."""
    label: str
    answers: tuple[tuple[str, str], ...]
    """Label of each button, and the line that it writes. If a line has an open blank, the button starts it in the list's text field."""
    one: bool = False
    """Whether an answer replaces the earlier one."""
    ends: tuple[tuple[str, str], ...] = ()
    """Endings that may follow the chosen line: for each, its label in a menu, and its text in the line."""
    folded: bool = False
    """Whether the question is of interest to few, and shown folded."""
    link: str = ""
    """The beginning of a line that the player completes by pasting a link; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A part of a sheet that players fill in by taps, such as the report of one battle."""

    title: str
    about: str
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The lists of a sheet that are plans, and the blanks of their lines."""

    lists: Mapping[str, Plan]
    """Key of a field -> its plan."""
    blanks: Mapping[str, Blank]
    names: Mapping[str, str]
    """Alternative names of words -> the words, anywhere in a line."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Word -> its display name at the desk, such as a card's title. The number of a copy may follow the word, `#2`."""
    about: Mapping[str, str]
    """Number or flag of a condition -> its meaning in a few words."""
    told: Mapping[SeatId, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Seat -> key of a field -> sentences with public facts that help whoever writes this list."""

    cards: Mapping[SeatId, tuple[Card, ...]] = field(default_factory=dict)
    """Seat -> cards that it can fill in by taps. The taps write lines into its lists."""

    def canonical(self, key: str, line: str) -> str:
        """Write a line of a list as a verdict does. A line comes back unchanged if it is not understood, or if the field is not a plan."""
        plan = self.lists.get(key)
        if plan is None:
            return line
        return Lines({key: plan.forms}, self.blanks, endings=plan.endings, names=self.names).canonical(line)
