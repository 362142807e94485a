"""The host's rulings on battles whose reports disagree, or that the host watched (GC-Z-16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, get_args

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.core.text.problems import nearest
from adjudicator.rulesets.grand_campaign.orders import Unreadable, reader_of
from adjudicator.rulesets.grand_campaign.position import Battle, Phase, Position, Ruled, Ruling
from adjudicator.rulesets.grand_campaign.tables import SCENARIOS
from adjudicator.rulesets.grand_campaign.words import who


@record
class Decision:
    """A ruling on a battle; it replaces both reports (GC-Z-16)."""

    battle: Annotated[str, field_text("The battle, such as B1.")]
    outcome: Annotated[Ruled, field_text("Who won, that nobody did, or that the resolver is to judge.")]
    major: Annotated[Flag, field_text("Whether it was a great victory (GC-R-11).")] = False
    scenario: Annotated[str | None, field_text("The scenario that was played, if it was a different one.")] = None
    deeds: Annotated[
        tuple[str, ...],
        Choice(max_length=100),
        field_text("Deeds that count for experience, such as `Ansel beat Gorm`."),
    ] = ()


def faults(position: Position, decision: Decision) -> tuple[Remark, ...]:
    """Faults in a decision: a battle that is not waiting, an unknown scenario, or an unreadable deed."""
    return tuple(_faults(position, decision))


def _faults(position: Position, decision: Decision) -> Iterator[Remark]:
    names = [battle.id for battle in position.battles] if position.phase is Phase.BATTLES else []
    if decision.battle not in names:
        yield Remark(
            ("battle",), f"no battle {decision.battle!r:.20} is waiting", ", ".join(names) or "no battle is waiting now"
        )
    if decision.scenario is not None and decision.scenario not in SCENARIOS:
        yield Remark(
            ("scenario",),
            f"no scenario is called {decision.scenario!r:.40}",
            nearest(decision.scenario, SCENARIOS) or ", ".join(SCENARIOS),
        )
    reader = reader_of(position.plan)
    for at, text in enumerate(decision.deeds):
        found = reader.read("deeds", f"{decision.battle}: {text}")
        if isinstance(found, Unreadable):
            yield Remark(("deeds", at), found.what, found.right)


def apply(position: Position, decision: Decision, reason: str) -> Position:
    """The position with a ruling on its battle and the host's reason; the turn's resolution acts on it."""
    ruling = Ruling(
        outcome=decision.outcome,
        major=decision.major,
        scenario=decision.scenario,
        deeds=decision.deeds,
        reason=reason,
    )
    return replace(position, rulings={**position.rulings, decision.battle: ruling})


def tell(decision: Decision) -> str:
    """One sentence about a decision."""
    major = "great " if decision.major else ""
    words = {
        "attacker": f"a {major}victory for the attacker",
        "defender": f"a {major}victory for the defender",
        "draw": "a draw",
        "stalemate": "not fought",
        "auto": "left to the resolver",
        "attacker concedes": "conceded by the attacker",
        "defender concedes": "conceded by the defender",
    }
    return f"{decision.battle} is {words[decision.outcome]}."


DECISIONS: tuple[tuple[Ruled, bool], ...] = tuple(
    (outcome, major)
    for outcome in get_args(Ruled)
    for major in ((False, True) if outcome in {"attacker", "defender"} else (False,))
)
"""Every outcome that a host can rule, and whether it is a great victory (GC-R-11)."""


def ruling_text(decision: Decision, reason: str = "WHY") -> str:
    """A whole `ruling.yaml` with this decision on one line (F5). Its values need no quotes: names are letters and digits."""
    parts = {
        "battle": decision.battle,
        "outcome": decision.outcome,
        "major": "true" if decision.major else "",
        "deeds": f"[{', '.join(decision.deeds)}]" if decision.deeds else "",
    }
    decided = ", ".join(f"{key}: {text}" for key, text in parts.items() if text)
    return f"rulings: [{{decide: {{{decided}}}, reason: {reason}}}]"


def waits(position: Position) -> tuple[str, ...]:
    """The battles that are waiting for the host, each with a ruling to copy."""
    return tuple(
        f"{_why(battle)}`{ruling_text(Decision(battle=battle.id, outcome='attacker'))}`"
        for battle in position.battles
        if battle.disputed and battle.id not in position.rulings
    )


def _why(battle: Battle) -> str:
    """The reason why a battle is waiting, as the beginning of a sentence."""
    attacker = who(battle.attackers[0])
    if battle.defender is None:
        return f"the report of {battle.id}, {attacker} against the garrison, is to be confirmed: "
    return f"the reports of {battle.id}, {attacker} against {who(battle.defender)}, disagree: "
