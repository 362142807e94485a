"""The order desk for the plans of Heir Apparent."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from adjudicator.core.contract.lines import Blank
from adjudicator.core.contract.plans import Plan, Plans
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Desk
from adjudicator.rulesets.heir_apparent.orders import STANDING, blanks_of, sheet_type
from adjudicator.rulesets.heir_apparent.position import ROUNDS, Phase, Position
from adjudicator.rulesets.heir_apparent.rounds import looked_at
from adjudicator.rulesets.heir_apparent.variables import ABOUT, means

NAMED = {"wishes": "wish", "discard": "card", "release": "character"}
"""List of names -> the blank that each of its lines fills."""


SEEN = frozenset({"join", "free", "draw with", "attack"})
"""Acts that anybody can see to be possible or not, because they do not depend on a hand."""
CERTAIN: Mapping[Phase, str] = {Phase.MAIN: "actions", Phase.EVENT: "event"}
"""Phase -> the list that is played first in it, so that its public acts can be checked as soon as the turn opens."""


def plans(view: Position) -> Plans:
    """The lists on a sheet of this turn: plans, and names in order (what to wish for, discard or release first)."""
    turn = looked_at(view)
    reader, table = turn.reader, turn.table
    keys = [field.name for field in dataclasses.fields(sheet_type(view, view.ring[0]))]
    lists: dict[str, Plan] = {
        part: Plan(
            forms=lines.shown,
            endings=lines.endings,
            around=lines.around,
            certain=tuple(
                form for form in lines.shown if CERTAIN.get(view.phase) == part and reader.kinds[part][form] in SEEN
            ),
            terms=tuple(name for name in ABOUT if means(table, part, name)),
        )
        for part, lines in reader.lines.items()
        if part in keys
    }
    names = {key: Plan(forms=(f"{{{blank}}}",)) for key, blank in NAMED.items() if key in keys}
    blanks = {**blanks_of(table.index, tuple(table.princes.values())), "wish": Blank(words=view.row)}
    some = reader.lines["event"]
    titles = {word: table.index.name(word) for word in sorted({*some.names.values()})}
    return Plans(lists={**lists, **names}, blanks=blanks, names=some.names, titles=titles, about=ABOUT)


def stands(view: Position, seat: SeatId) -> dict[str, tuple[str, ...]]:
    """A seat's lines from earlier sheets that still apply (HA-W-8), and those that go on after a stop or a reopening (HA-W-12, HA-W-22)."""
    kept = STANDING.of(view.standing, seat)
    found = {key: lines for key in STANDING.keys if (lines := getattr(kept, key)) is not None}
    filed = view.filed.get(seat)
    if filed is None or view.underway is None:
        return found
    for key in ("actions" if view.event is None else "event", "reopen", "draw", "keep"):
        lines = getattr(filed, key)
        if lines is not None and not (key == "actions" and view.active != seat):
            done = filed.done if key in ("actions", "event") else ()
            found[key] = tuple(
                line for number, line in enumerate(lines) if number not in done or line.endswith(" again")
            )
    return found


def unasked(view: Position) -> tuple[str, ...]:
    """Keys that mean nothing in a turn: draws before the last round of the auction (HA-C-11), or a choice already made (HA-W-3)."""
    if view.phase is Phase.AUCTION and view.round < ROUNDS:
        return ("draw", "keep")
    made = view.settings.choice == "window" or view.phase is not Phase.EVENT
    return ("choice",) if view.event is not None and view.phase is not Phase.CHOICE and made else ()


DESK: Desk[Position] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    pasted=None,
    cautions=None,
    unasked=unasked,
    plans=plans,
    stands=stands,
    prices=None,
    meanings=None,
    walks=None,
    beside=None,
)
