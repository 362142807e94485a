"""Every line that may appear in a list on a sheet of Heir Apparent, with its help and its rule."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.acts import Act, Acts, Row
from adjudicator.rulesets.heir_apparent.variables import Part

LISTS: Mapping[str, frozenset[Part]] = {
    "all three": frozenset({"actions", "event", "melee"}),
    "actions, event": frozenset({"actions", "event"}),
    "actions": frozenset({"actions"}),
    "event": frozenset({"event"}),
    "melee": frozenset({"melee"}),
}
"""Words that say where an act may appear -> the lists they mean."""

ACTING = Acts("HA", {name: name for name in LISTS}, (
    Act("pass", "all three", "pass", rule="W-5", help="pass this chance"),
    Act("ask", "all three", "ask", rule="W-21", help="stop here for a reopen token, see the table and plan again"),
    Act("join", "event", "join {character} for {pool}", rule="I-3", help="turn a character into the Event"),
    Act("enough", "event", "enough {helpers} for {pool}", rule="W-24",
        help="of those named, add the weakest that makes the pool win, and no more"),
    Act("free", "event", "prince for {pool}", rule="I-6", help="give the Prince’s 2 free tokens"),
    Act("play", "all three", "play {card}", rule="B-10", help="play a card from the hand that names this phase",
        variants=("play {card} at {targets}",)),
    Act("use", "actions, event", "use {character}", rule="G-1", help="turn a character for its ability",
        variants=("use {character} {ability}", "use {character} at {targets}", "use {character} {ability} at {targets}")),
    Act("draw with", "actions", "draw with {character}", rule="G-2", help="turn a character to draw an Action card"),
    Act("attack", "actions", "attack {character} with {fighter}", rule="G-4",
        help="turn a Fighter to attack another player’s character"),
    Act("unturn", "actions", "unturn", rule="L-11", help="by house rule: unturn all before the Event, and not after it"),
    Act("assist", "melee", "assist {side} with {character}", rule="H-6", help="turn a character for `attack` or `defence`"),
), [tuple(LISTS)], where=True)  # fmt: skip
"""Acts in the lists of plans."""

OTHERS = Acts("HA", {part: part for part in ("reactions", "counters", "draw", "keep", "reopen")}, (
    Act("react", "reactions", "on {trigger} play {card}", rule="P-1", help="play a Reaction card when its trigger occurs",
        variants=("on {trigger} play {card} at {targets}",),
        more=(
            Row(("on {trigger} of {target} play {card}", "on {trigger} of {target} play {card} at {targets}"), "W-18",
                "the same for `hits({target})`"),
            Row(("on {trigger} if {condition} play {card}", "on {trigger} if {condition} play {card} at {targets}"), "W-13",
                "the same, if the condition holds"),
            Row(("on {trigger} of {target} if {condition} play {card}", "on {trigger} of {target} if {condition} play {card} at {targets}"),
                "W-18", "both"),
        )),
    Act("counter", "counters", "counter with {character}", rule="O-3",
        help="turn a Wizard to counter a spell or a counter; ` if {condition}` may follow",
        variants=("counter with {character} limit {number}",)),
    Act("draw", "draw", "draw {deck} by base", rule="F-2", help="make the base draw, from the `action` or the `character` deck",
        more=(
            Row(("draw {deck} by slot",), "F-3", "draw for an open slot"),
            Row(("draw {deck} by {character}",), "F-4", "turn a character to draw"),
        )),
    Act("trade", "draw", "trade {card}, {other} for {deck}", rule="F-17",
        help="discard two cards from the hand, each equipment or a Spell, for a draw"),
    Act("keep", "keep", "play", rule="F-7", help="in `keep`: the drawn Character comes into play",
        variants=("play releasing {character}",)),
    Act("refuse", "keep", "refuse", rule="F-13", help="in `keep`: the drawn Character does not come into play"),
    Act("reopen", "reopen", "{condition}", rule="W-10",
        help="call for reopening if all lines hold when the Event has closed; an empty list always calls"),
), (("reactions", "counters"), ("draw", "keep"), ("reopen",)))  # fmt: skip
"""Lines of the other lists."""
