"""Plans: the lists of lines that players sent, and what became of each line (HA-W-4, HA-W-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.rulesets.heir_apparent.events import WAITS, Verdict
from adjudicator.rulesets.heir_apparent.orders import MOST_STEPS, STANDING, Kind, Reader, Step, Unreadable
from adjudicator.rulesets.heir_apparent.variables import Part

Reason = Literal[
    # It was carried out.
    "done", "passed", "countered", "cancelled", "vanished", "spent",
    # It was not.
    "waits", "never-held", "not-reached", "no-character", "not-your-turn", "not-next", "unreadable", "surplus",
    # It could not be.
    "not-in-play", "not-yours", "turned", "too-weak", "barred", "no-pool", "closed-pool", "gave-before", "not-in-hand", "gone",
    "other-phase", "no-wizard", "no-favor", "nobody-to-turn", "few-targets", "bad-target", "same-title", "no-ability", "prince",
    "no-fighter", "own-side", "no-combat", "principal", "other-trigger", "not-pending",
    "base-taken", "no-slot", "no-trade", "refused-before", "no-token", "no-act", "no-choice",
    # Stopping the run.
    "asked", "goes-on", "stopped-here", "half-done",
    # Spending no more than wins.
    "not-needed", "not-enough",
    # Unturning before the Event.
    "house-rule", "risen",
    # The auction and what follows an Event.
    "won", "outbid", "out", "took", "default", "chosen", "reopened", "closed-first", "not-lost", "rose", "agreed", "alone",
]  # fmt: skip
"""Reasons in the verdicts on lines; `prose.REASONS` has a sentence for each."""
RULES: Mapping[Reason, str] = {
    "done": "HA-E-3", "passed": "HA-W-5", "countered": "HA-O-7", "cancelled": "HA-R-1", "vanished": "HA-R-15", "spent": "HA-W-13",
    "waits": "HA-W-8", "never-held": "HA-W-6", "not-reached": "HA-W-4", "no-character": "HA-F-7", "not-your-turn": "HA-G-1", "not-next": "HA-F-1",
    "unreadable": "HA-W-7", "surplus": "HA-W-7",
    "not-in-play": "HA-M-13", "not-yours": "HA-M-10", "turned": "HA-M-11", "too-weak": "HA-I-3", "barred": "HA-B-20",
    "no-pool": "HA-J-1", "closed-pool": "HA-J-3", "gave-before": "HA-I-6", "not-in-hand": "HA-B-12", "gone": "HA-B-12", "other-phase": "HA-B-10",
    "no-wizard": "HA-O-1", "no-favor": "HA-Q-3", "nobody-to-turn": "HA-R-28", "few-targets": "HA-R-29", "bad-target": "HA-R-15",
    "same-title": "HA-B-9", "no-ability": "HA-G-7", "prince": "HA-H-3", "no-fighter": "HA-N-1", "own-side": "HA-H-4",
    "no-combat": "HA-H-7", "principal": "HA-H-8", "other-trigger": "HA-P-1", "not-pending": "HA-R-12",
    "base-taken": "HA-F-2", "no-slot": "HA-F-3", "no-trade": "HA-F-17", "refused-before": "HA-F-13", "no-token": "HA-W-10",
    "no-act": "HA-W-10", "no-choice": "HA-I-1",
    "asked": "HA-W-21", "goes-on": "HA-W-22", "stopped-here": "HA-W-21", "half-done": "HA-W-21",
    "not-needed": "HA-W-24", "not-enough": "HA-W-24",
    "house-rule": "HA-L-11", "risen": "HA-L-11",
    "won": "HA-D-8", "outbid": "HA-D-8", "out": "HA-D-7", "took": "HA-D-14", "default": "HA-D-15", "chosen": "HA-I-1",
    "reopened": "HA-W-10", "closed-first": "HA-W-11", "not-lost": "HA-W-10", "rose": "HA-L-5", "agreed": "HA-L-10", "alone": "HA-L-10",

}  # fmt: skip
"""Reason -> the rule behind it."""
DONE: Mapping[Kind, str] = {
    "pass": "HA-E-3", "join": "HA-I-3", "free": "HA-I-6", "play": "HA-B-10", "use": "HA-G-1", "draw with": "HA-G-2",
    "attack": "HA-G-4", "assist": "HA-H-6", "react": "HA-W-13", "counter": "HA-O-3", "draw": "HA-F-2", "trade": "HA-F-17",
    "keep": "HA-F-7", "refuse": "HA-F-13", "reopen": "HA-W-10", "ask": "HA-W-21", "enough": "HA-W-24", "unturn": "HA-L-11",
}  # fmt: skip
"""Kind of line -> the rule for carrying it out."""
PRINCES: Mapping[Kind, str] = {"draw": "HA-F-5", "draw with": "HA-G-2"}
"""Kind of line -> the rule that keeps Princes out of it, if that is not the rule for melees (HA-H-3)."""
DID = frozenset({"asked", "done", "passed", "spent", "won", "out", "took", "chosen", "reopened", "rose", "agreed"})
"""Reasons of lines that succeeded."""
WITHOUT = frozenset(
    {
        "waits",
        "never-held",
        "not-reached",
        "no-character",
        "closed-first",
        "not-lost",
        "alone",
        "not-next",
        "goes-on",
        "not-needed",
    }
)
"""Reasons of lines that had no occasion to act."""
ILLEGAL = frozenset(
    {
        "surplus",
        "not-your-turn",
        "other-phase",
        "no-pool",
        "not-in-hand",
        "few-targets",
        "no-ability",
        "prince",
        "other-trigger",
        "no-trade",
        "no-choice",
        "house-rule",
    }
)
"""Reasons of lines that nothing could have made possible in their window. All others depend on the situation at a line's chances."""
FAILED = frozenset({"countered", "cancelled", "vanished", "outbid", "out", "default"})
"""Reasons of lines that were carried out without success."""


@dataclass(slots=True)
class Progress:
    """A line, and what has become of it so far."""

    step: Step | Unreadable
    sent: bool
    """True if it came with this turn's sheet, False if it is from an earlier one."""
    number: int
    acts: list[int] = field(default_factory=list)
    """The numbers of the acts that carried it out."""
    held: bool = False
    """True if its condition was tested and held."""
    asked: bool = False
    failed: str = ""
    """The clause that did not hold at the last test, with the values compared."""
    fault: Reason | None = None
    """Why it could not be carried out when its condition held."""
    end: Reason | None = None
    """How it ended."""
    goes_on: bool = False
    """True if its list goes on in the next window (HA-W-22)."""


@dataclass(slots=True)
class Plan:
    """A list of one player's lines in one turn."""

    seat: SeatId
    part: Part
    lines: list[Progress]
    done: set[int] = field(default_factory=set)
    """Lines that have been carried out in this phase, by their numbers."""

    @property
    def steps(self) -> list[tuple[Progress, Step]]:
        """The lines that could be read."""
        return [(line, line.step) for line in self.lines if isinstance(line.step, Step)]

    def afresh(self) -> Plan:
        """A copy of the plan for another phase, with no line carried out yet (HR-8)."""
        return Plan(self.seat, self.part, self.lines)

    def done_names(self) -> set[str]:
        """The names of steps that have been carried out."""
        return {line.step.name for line in self.lines if isinstance(line.step, Step) and line.number in self.done}


def plan_of(
    reader: Reader, seat: SeatId, part: Part, lines: Sequence[str] | None, *, sent: bool
) -> tuple[Plan, list[Progress]]:
    """The plan that these lines make, and the lines beyond the 40th, which do not count (HA-W-7)."""
    read = [Progress(reader.read(part, line), sent, number) for number, line in enumerate(lines or ())]
    return Plan(seat, part, read[:MOST_STEPS]), read[MOST_STEPS:]


def verdict_of(plan: Plan, line: Progress) -> Verdict | None:
    """The verdict on a line; None if the line is from an earlier sheet and there is nothing to report about it."""
    if isinstance(line.step, Unreadable):
        return unreadable(plan.seat, line.step) if line.sent else None
    reason: Reason
    if line.acts:
        reason = line.end or "done"
    elif line.end == "asked":
        reason = line.end
    elif line.goes_on:
        if not line.sent:
            return None
        reason = "goes-on"
    elif line.fault is not None:
        reason = line.fault
    elif line.end is not None:
        reason = line.end
    elif not line.sent:
        return None
    elif not line.asked:
        # The type of the sheet decides which lists apply beyond one turn (HE-3).
        reason = "waits" if plan.part in STANDING.keys else "no-character" if plan.part == "keep" else "not-reached"
    else:
        reason = "not-reached" if line.held else "never-held"
    acts = [act for act in line.acts if act]
    facts = {"acts": ", ".join(map(str, acts))} if acts else {}
    if not line.acts and reason in WITHOUT:
        facts |= {"line": str(line.number + 1), "list": plan.part}
    if reason == "never-held":
        facts["failed"] = line.failed
    found = verdict(plan.seat, line.step.line, reason, facts or None)
    kind = line.step.kind
    rule = DONE[kind] if reason == "done" else PRINCES.get(kind, found.rule) if reason == "prince" else found.rule
    return replace(found, rule=rule)


def unreadable(seat: SeatId, line: Unreadable) -> Verdict:
    """The verdict on a line that cannot be read (HA-W-7)."""
    return verdict(seat, line.line, "unreadable", {"what": line.what, "right": line.right})


def verdict(seat: SeatId, order: str, reason: Reason, facts: Mapping[str, str] | None = None) -> Verdict:
    """A verdict, with the result and the rule that follow from its reason."""
    result = (
        "succeeds" if reason in DID
        else "fails" if reason in FAILED
        else WAITS if reason in WITHOUT
        else "unreadable" if reason == "unreadable"
        else "illegal" if reason in ILLEGAL
        else "blocked"
    )  # fmt: skip
    return Verdict(
        seat=seat, order=order[:ORDER_LETTERS], result=result, reason=reason, rule=RULES[reason], facts=facts or None
    )
