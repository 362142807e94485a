"""One sentence for every verdict and every fact of Heir Apparent."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.ruleset import ended as shared_ended
from adjudicator.core.contract.words import join_words
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.plans import Reason
from adjudicator.rulesets.heir_apparent.position import Position
from adjudicator.rulesets.heir_apparent.words import names

BEFORE: Mapping[str, str] = {
    "succeeds": ": ",
    "fails": " came to nothing: ",
    "waits": " was not used: ",
    "illegal": " is not possible: ",
    "blocked": " was not possible: ",
    "unreadable": " could not be read: ",
}
"""Result of a line -> the words between the line and its reason."""
REASONS: Mapping[Reason, str] = {
    # It was carried out.
    "done": "it was done{acts}",
    "passed": "the chance was passed",
    "countered": "the spell was countered{acts}",
    "cancelled": "the card was cancelled{acts}",
    "vanished": "its target was none any more when the card worked{acts}",
    "spent": "it was used",
    # It was not.
    "waits": "its chance never came, and it stays in force",
    "never-held": "its condition never held",
    "no-character": "no Character was drawn for it",
    "not-reached": "another line came first at every chance",
    "not-your-turn": "it is for the active player alone",
    "not-next": "the next turn is another player’s",
    "unreadable": "{what}; {right}",
    "surplus": "a list has 40 lines at most",
    # It could not be.
    "not-in-play": "the character is not in play",
    "not-yours": "the character is another player’s",
    "turned": "the character is turned",
    "too-weak": "the character has none of the Event’s skill",
    "barred": "the Event does not admit the character",
    "no-pool": "the Event has no such pool",
    "closed-pool": "the pool’s player does not participate yet",
    "gave-before": "the Prince has given the free 2 in this Event",
    "not-in-hand": "the card is not in the hand",
    "gone": "the card had left the hand",
    "other-phase": "the card or the ability is for another phase",
    "no-wizard": "it takes an unturned Wizard",
    "no-favor": "there is not enough favor to pay for it",
    "nobody-to-turn": "nobody can be turned to pay for it",
    "few-targets": "it names too few targets",
    "bad-target": "that is not a legal target for it",
    "same-title": "the character bears such a card already",
    "no-ability": "the character has no such ability",
    "prince": "Princes take no part in that",
    "no-fighter": "the character is no Fighter",
    "own-side": "both are one player’s characters",
    "no-combat": "the character has no Combat",
    "principal": "the character is one of the two who fight",
    "other-trigger": "the card does not answer what it is to answer",
    "not-pending": "the card does not fit what was about to happen",
    "base-taken": "the base draw was used before",
    "no-slot": "no open slot is left to draw for",
    "no-trade": "only equipment and Spells can be traded in",
    "refused-before": "one Character had been refused in this Draw phase",
    "no-token": "no reopen token is left",
    "no-act": "nothing was left to do in the Event",
    "no-choice": "the Event asks for no such choice now",
    # Stopping the run.
    "asked": "the run was stopped, for one reopen token",
    "goes-on": "it goes on in the next window, unless you send another plan",
    "stopped-here": "the run was stopped at this chance before",
    "half-done": "a card was half worked, and nothing can be stopped then",
    # Unturning before the Event.
    "house-rule": "in this game everybody unturns after the Event",
    "risen": "you had unturned in this turn",
    # Spending no more than wins.
    "not-needed": "the pool was winning without it",
    "not-enough": "all that could be added would not have made the pool win",
    # The auction and what follows an Event.
    "won": "it won, at {price}",
    "outbid": "another player bid more; the price was {price}",
    "out": "others chose first; the price was {price}",
    "took": "wish number {place}, {character}, came true",
    "default": "nobody wished for was left; {character} was taken by default",
    "chosen": "{value} was chosen",
    "reopened": "the Event goes on",
    "closed-first": "an Event is reopened once",
    "not-lost": "another player’s call came first",
    "rose": "{characters} unturned",
    "agreed": "everybody asked for the end",
    "alone": "not everybody asked for the end",
}
"""Reason -> the words that explain it."""
QUIET = "Nothing happened."
PLAIN = 20
"""Facts that weigh less than this are plain."""


def tell(view: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    if isinstance(fact, Verdict):
        return _verdict(view, fact)
    text = e.FACTS.tell(view, fact)
    return text[0].upper() + text[1:]


def ended(ending: Ending) -> str:
    """How a game ended, in a few words."""
    if ending.how != "favor":
        return shared_ended(ending)
    return f"won by {join_words(ending.winners)}, {ending.when}"


def _verdict(view: Position, verdict: Verdict) -> str:
    """The sentence for a verdict on a line."""
    facts = {key: str(value) for key, value in (verdict.facts or {}).items()}
    acts = facts.pop("acts", "")
    if acts:
        acts = f" as acts {acts}" if "," in acts else f" as act {acts}"
    named = {
        key: names(view, text.split(", ")) if key in NAMED and text else text or "nobody" for key, text in facts.items()
    }
    words = dict.fromkeys(("what", "right", "price", "place", "character", "value", "characters"), "") | named
    why = REASONS[verdict.reason].format(acts=acts, **words)  # type: ignore[index]  # its reasons are the keys
    if "line" in facts:  # lines of a list may differ by their conditions only (HE-7)
        why = f"{facts['failed']} was false" if facts.get("failed") else why
        return f"line {facts['line']} of {facts.get('list', 'its list')}, {verdict.order}{BEFORE[verdict.result]}{why}."
    return f"{act_of(verdict.order)}{BEFORE[verdict.result]}{why.removesuffix('; ').strip().rstrip('.?')}."


def act_of(line: str) -> str:
    """A line without its condition or endings, which a sentence about it need not repeat."""
    before, _, rest = line.partition(" if ")
    if before.startswith("on "):
        _, played, card = rest.rpartition(" play ")
        return f"{before}{played}{card}"
    return before.removesuffix(" again").partition(" as ")[0]


NAMED = frozenset({"character", "characters", "value"})
"""Facts of verdicts that are ids of cards."""
