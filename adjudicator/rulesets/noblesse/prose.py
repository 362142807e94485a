"""A sentence for every verdict of Noblesse. The sentences for facts are in `events`."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.resolution import Fact, Verdict
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse import events as e
from adjudicator.rulesets.noblesse.acts import REASONS
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.words import FAMILY, HARMS, of_words, value_words

BEFORE: Mapping[str, str] = {
    "succeeds": ": ",
    "fails": " failed: ",
    "illegal": " is not possible: ",
    "void": " came to nothing: ",
}
"""Result of an order -> the text between the order and its reason."""


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    return _tell_verdict(fact) if isinstance(fact, Verdict) else e.FACTS.tell(position, fact)


def part(position: Position, event: e.AnyEvent) -> tuple[int, str]:
    """The rank and the heading of an event on the turn's page, by the steps of a Night; (0, "") by day."""
    return e.FACTS.part(position, event) if position.phase is Phase.NIGHT else (0, "")


# Verdicts -----------------------------------------------------------------------------------------------------------


def _tell_verdict(verdict: Verdict) -> str:
    words = why(verdict)
    if verdict.reason == "unreadable":
        return f"“{verdict.order}” could not be read: {words}. It is ignored."
    return f"{verdict.order}{BEFORE.get(verdict.result, ': ')}{words}."


def why(verdict: Verdict) -> str:
    """The reason for a verdict in words, without a full stop."""
    facts = {key: _fact_words(key, value) for key, value in (verdict.facts or {}).items()}
    at = facts.get("at")
    facts["player"] = verdict.seat
    facts |= {f"{name}’s": whose(facts[name]) for name in ("player", "seat") if name in facts}
    if "amount" in facts:
        facts["retained"] = many(int(facts["amount"]), "Courtier", "no")
    facts["harms"] = HARMS
    facts.setdefault("value", "Morale")  # the default of `inspire` (NB-C-13)
    facts["watcher"] = "Spy or Commander" if verdict.rule == "NB-X-8" else "Spy"
    facts["place"] = f"at {at}" if at else "there"
    facts["limit"] = (
        "a Spy goes two estates a Night at most, unless a Spymaster works for them or an ability says more"
        if "unit" not in facts
        else "a unit goes one estate a Night, and up to two only in the Night after it was recruited or by an ability"
    )
    return REASONS.get(verdict.reason, f"it was ruled so ({verdict.reason})").format_map(facts)


def _fact_words(key: str, value: Fact) -> str:
    """A fact of a verdict in the form that its sentence needs."""
    text = join_words(value) if isinstance(value, tuple) else str(value)
    match key:
        case "price" | "stock":
            return f"{text} manpower" if isinstance(value, int) else join_words(text.split(", "))
        case "what":
            return text.strip().rstrip(";").strip()
        case "building":
            return text.title()
        case "formation" | "commander":
            return text.capitalize()
        case "wanted":
            return f"{join_words(text.split(', '))} companies"
        case "who":
            return FAMILY.get(text, text)
        case "phase":
            return "the setup" if text == "setup" else f"a {text.capitalize()}"
        case "needed":
            return many(int(text), "Courtier", "no")
        case "value":
            return value_words(text)
        case "of":
            return of_words(text)
        case "hit":
            return f"{many(int(text), 'Player Character', 'no')} {'were' if int(text) > 1 else 'was'}"
        case "fielded":
            return "" if text == "0" else f", and {text} {'is' if text == '1' else 'are'} in the field"
        case _:
            return text


# Events -------------------------------------------------------------------------------------------------------------


QUIET = "Nothing happened that everybody hears of."
PLAIN = 40
"""Facts with a lower weight are plain, such as moves, incomes, Spies' reports, offers, new units and buildings."""
