"""One sentence for every verdict and every fact of the campaign."""

from __future__ import annotations

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.words import join_words
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.position import Phase, Position
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.words import reason_words, turn_words

QUIET = "Nothing happened."
PLAIN = 10
"""Facts below this weight are plain: the tables and the map show them."""


def tell(view: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    text = verdict_words(fact) if isinstance(fact, Verdict) else e.FACTS.tell(view, fact)
    return text[0].upper() + text[1:]


def ended(ending: Ending) -> str:
    """How a campaign ended, in a few words; it has no winner (GC-A-4)."""
    return f"closed after {turn_words(ending.when)}" if ending.how == "closed" else ruleset.ended(ending)


def verdict_words(verdict: Verdict) -> str:
    """The sentence about the outcome of a line."""
    facts = dict(verdict.facts or {})
    reason: Reason = verdict.reason  # type: ignore[assignment]  # `World.judge` writes no other
    said = reason_words(reason, facts)
    if "of" in facts:
        more = facts.get("more")
        others = f"; not done either: {join_words([*more])}" if isinstance(more, tuple) else ""
        done = f"all {facts['of']} done" if facts["done"] == facts["of"] else f"{facts['done']} of {facts['of']} done"
        said = f"{done}; {said}{others}"
    return f"{verdict.order.rstrip('.')}: {said}."


def part(position: Position, event: e.AnyEvent) -> tuple[int, str]:
    """The place and heading of a fact on its turn's page. In a turn of battles, only victors move, after their battles (GC-V-13)."""
    if position.phase is Phase.BATTLES and isinstance(event, e.Marched | e.Built | e.Claimed | e.Halted):
        return e.HEADINGS.index(e.DEFEAT) + 1, e.DEFEAT
    return e.FACTS.part(position, event)
