"""One sentence for every verdict and every fact of Heir Apparent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from adjudicator.core.contract.resolution import Ending, SeatId, Verdict
from adjudicator.core.contract.ruleset import ended as shared_ended
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.mechanics.cards import BACK
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.index import Index, index_of
from adjudicator.rulesets.heir_apparent.plans import Reason
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT, Position
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE

POOLS: Mapping[str, str] = {SUPPORT: "Support", OPPOSE: "Opposition", ATTACK: "Attack", DEFENCE: "Defence"}
"""What pools are called that are no Prince's."""
BEFORE: Mapping[str, str] = {
    "succeeds": ": ",
    "fails": " came to nothing: ",
    "waits": " was not used: ",
    "illegal": " is not possible: ",
    "blocked": " was not possible: ",
    "unreadable": " could not be read: ",
}
"""Result of a line -> what stands between the line and its reason."""
REASONS: Mapping[Reason, str] = {
    # It was carried out.
    "done": "it was done{acts}",
    "passed": "the chance was passed",
    "countered": "the spell was countered{acts}",
    "cancelled": "the card was cancelled{acts}",
    "vanished": "its target was none any more when the card worked{acts}",
    "spent": "it was used",
    # It was not.
    "waits": "it stands, and there was no occasion for it",
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
    "no-wizard": "no unturned Wizard is there to do it",
    "no-favor": "there is not enough favor to pay for it",
    "nobody-to-turn": "nobody can be turned to pay for it",
    "few-targets": "it names too few targets",
    "bad-target": "what it names is no target for it",
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
    "took": "{character} was taken, wish number {place}",
    "default": "nobody wished for was left; {character} was taken by default",
    "chosen": "{value} was chosen",
    "reopened": "the Event goes on",
    "closed-first": "an Event is reopened once",
    "not-lost": "another player’s call came first",
    "rose": "{characters} unturned",
    "agreed": "everybody asked for the end",
    "alone": "not everybody asked for the end",
}
"""Reason -> why."""
QUIET = "Nothing happened."
PLAIN = 20
"""A fact that weighs less is plain."""
WHY_STOPPED = {
    "countered": "was countered",
    "cancelled": "was cancelled",
    "vanished": "failed: what it was aimed at was no longer a target",
}
DANGERS = {"kill": "killed", "dismiss": "dismissed", "turn": "turned", "favor_loss": "deprived of favor"}
WAYS = {"event": "until the Event is closed", "turn": "until the end of the turn"}


def tell(view: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence."""
    return _Teller(view).tell(fact)


def called(view: Position, seat: SeatId) -> str | None:
    """A player’s Prince (HE-11)."""
    player = view.players.get(seat)
    return index_of(view.settings.set).name(player.prince) if player is not None else None


def ended(ending: Ending) -> str:
    """How a game ended."""
    if ending.how != "favor":
        return shared_ended(ending)
    return f"won by {join_words(ending.winners)}, {ending.when}"


def rules_of(fact: e.Settled) -> str:
    """The rules by which a Contest ended."""
    return "HA-J-9, HA-J-10" if fact.loser is not None else "HA-J-9, HA-J-12"


def owned(player: str, name: str) -> str:
    """A character as a player’s own: `Corvin’s Grey Captain`, for an article stands behind no possessive (HE-11)."""
    return f"{whose(player)} {name.removeprefix('The ')}"


class _Teller:
    """Tells facts with the names of a game's cards and Princes."""

    def __init__(self, view: Position) -> None:
        self.index: Index = index_of(view.settings.set)
        self.view = view

    def tell(self, fact: Verdict | e.AnyEvent) -> str:
        """One sentence."""
        if isinstance(fact, Verdict):
            return self.verdict(fact)
        text = self.fact(fact)
        return text[0].upper() + text[1:]

    def who(self, seat: SeatId) -> str:
        """A player, by the name of their Prince."""
        player = self.view.players.get(seat)
        return self.index.name(player.prince) if player is not None else seat

    def names(self, ids: Iterable[str]) -> str:
        """Several cards, characters or pools."""
        return join_words(tuple(self.name(one) for one in ids))

    def name(self, thing: str) -> str:
        """A card, a character, or a pool of a Challenge."""
        return POOLS.get(thing) or self.index.name(thing)

    def pool(self, pool: str) -> str:
        """A pool, as one gives to it."""
        return self.name(pool) if pool in (SUPPORT, OPPOSE) else f"{whose(self.name(pool))} pool"

    def pools(self, pools: Mapping[str, int]) -> str:
        """Pools with their tokens: `Support 5, Opposition 6`."""
        return ", ".join(f"{self.name(pool)} {tokens}" for pool, tokens in pools.items())

    def cards(self, cards: tuple[str, ...]) -> str:
        """Cards by name, or how many where they are hidden."""
        return many(len(cards), "card") if BACK in cards else self.names(cards)

    def by(self, of: str) -> str:
        """The card that brought something about, in brackets."""
        return f" ({self.name(of)})" if of else ""

    def verdict(self, verdict: Verdict) -> str:
        """What became of a line."""
        facts = {key: str(value) for key, value in (verdict.facts or {}).items()}
        acts = facts.pop("acts", "")
        if acts:
            acts = f" at acts {acts}" if "," in acts else f" at act {acts}"
        named = {
            key: self.names(text.split(", ")) if key in NAMED and text else text or "nobody"
            for key, text in facts.items()
        }
        words = dict.fromkeys(("what", "right", "price", "place", "character", "value", "characters"), "") | named
        why = REASONS[verdict.reason].format(acts=acts, **words)  # type: ignore[index]  # its reasons are the keys
        if "line" in facts:  # lines of a list may differ by their conditions only (HE-7)
            why = f"{facts['failed']} did not hold" if facts.get("failed") else why
            return f"line {facts['line']} of {facts.get('list', 'its list')}, {verdict.order}{BEFORE[verdict.result]}{why}."
        return f"{act_of(verdict.order)}{BEFORE[verdict.result]}{why.removesuffix('; ').strip().rstrip('.?')}."

    def fact(self, fact: e.AnyEvent) -> str:
        """One sentence for a fact; it may begin with a small letter."""
        match fact:
            case e.Act() | e.Countered() | e.Stopped() | e.Shielded():
                return self.act(fact)
            case e.Bid() | e.Chose() | e.Passed() | e.Dealt() | e.Drew() | e.Peeked() | e.Discarded() | e.Reshuffled():
                return self.deal(fact)
            case e.Came() | e.Refused() | e.Released() | e.Began() | e.Revealed() | e.Named():
                return self.course(fact)
            case e.Gained() | e.Lost() | e.Took() | e.Fed() | e.Stripped() | e.Redirected():
                return self.number(fact)
            case e.Fought() | e.Closed() | e.Reopened() | e.Asked() | e.Settled() | e.Laid() | e.Rose() | e.Ranked():
                return self.close(fact)
            case _:
                return self.person(fact)

    def deal(self, fact: e.Bid | e.Chose | e.Passed | e.Dealt | e.Drew | e.Peeked | e.Discarded | e.Reshuffled) -> str:
        """What happened to cards."""
        match fact:
            case e.Bid():
                said = ", ".join(f"{self.who(seat)} {'passed' if bid is None else bid}" for seat, bid in fact.said)
                return f"{self.who(fact.seat)} won round {fact.round} of the auction for {fact.price} favor: {said}."
            case e.Chose():
                return f"{self.who(fact.seat)} took {self.name(fact.character)}."
            case e.Passed():
                return f"{self.names(fact.characters)} went to the Character discard."
            case e.Dealt():
                return f"the row of round {fact.round} is {self.names(fact.characters)}."
            case e.Drew():
                return f"{self.who(fact.seat)} drew {self.cards(fact.cards)}{self.by(fact.of)}."
            case e.Peeked():
                if fact.at == "event":
                    at = "the top of the Event deck"
                else:
                    at = "the top of the Action deck" if fact.at == "actions" else f"{whose(self.name(fact.at))} hand"
                none = "" if fact.cards else ", where nothing was"
                seen = none or (f": {self.names(fact.cards)}" if BACK not in fact.cards else "")
                return f"{self.who(fact.seat)} looked at {at}{seen}{self.by(fact.of)}."
            case e.Discarded():
                why = {"limit": " down to the limit", "trade": " to draw for them", "effect": ""}[fact.why]
                return f"{self.who(fact.seat)} discarded {self.names(fact.cards)}{why}{self.by(fact.of)}."
            case e.Reshuffled():
                deck = fact.deck.capitalize()
                return f"the {deck} discard, {many(fact.cards, 'card')}, was shuffled and is the {deck} deck."
            case _:
                assert_never(fact)

    def course(self, fact: e.Came | e.Refused | e.Released | e.Began | e.Revealed | e.Named) -> str:
        """What happens in the course of a turn."""
        match fact:
            case e.Came():
                return (
                    f"{self.who(fact.seat)} drew {self.name(fact.character)} and played the card; it comes in turned."
                )
            case e.Refused():
                return f"{self.who(fact.seat)} drew {self.name(fact.character)} and refused."
            case e.Released():
                return f"{self.who(fact.seat)} released {self.name(fact.character)}: nobody holds more than five."
            case e.Began():
                why = {
                    None: "",
                    "favor": ", who has most favor left (HA-C-11)",
                    "popularity": ", the most popular of those with most favor left (HA-C-11)",
                }[fact.by]
                return f"turn {fact.turn} is {whose(self.who(fact.seat))}{why}."
            case e.Revealed():
                return f"{self.name(fact.name)} was revealed."
            case e.Named():
                return f"{self.who(fact.seat)} named {self.name(fact.value)} as {fact.name}."
            case _:
                assert_never(fact)

    def act(
        self,
        fact: e.Joined
        | e.Gave
        | e.Played
        | e.Used
        | e.DrewWith
        | e.Attacked
        | e.Assisted
        | e.Countered
        | e.Stopped
        | e.Shielded,
    ) -> str:
        """An act, or what met it."""
        after = f": {self.pools(fact.after)}" if isinstance(fact, e.Act) and fact.after else ""
        match fact:
            case e.Joined():
                return f"{self.mine(fact)} joined, {fact.tokens} for {self.pool(fact.pool)}{after}."
            case e.Gave():
                return f"{self.who(fact.seat)} gave {fact.tokens} to {self.pool(fact.pool)}{after}."
            case e.Played():
                return f"{self.who(fact.seat)} played {self.name(fact.card)}{self.at(fact.at)}{self.paid(fact)}{after}."
            case e.Used():
                return f"{self.mine(fact)} turned for “{fact.ability}”{self.at(fact.at)}{after}."
            case e.DrewWith():
                return f"{self.mine(fact)} turned to draw."
            case e.Attacked():
                return f"{self.name(fact.attacker)} attacked {self.name(fact.defender)}{self.by(fact.of)}."
            case e.Assisted():
                return f"{self.mine(fact)} assisted the {fact.side} with {fact.tokens}{after}."
            case e.Countered():
                what = self.name(fact.card) if fact.number == 1 else "the counter"
                return f"{self.mine(fact)} turned to counter {what}."
            case e.Stopped():
                return f"{self.name(fact.card)} {WHY_STOPPED[fact.why]}{self.by(fact.of)}."
            case e.Shielded():
                return f"{self.name(fact.target)} was not {DANGERS[fact.against]}{self.by(fact.of)}."
            case _:
                assert_never(fact)

    def mine(self, fact: e.Joined | e.Used | e.DrewWith | e.Assisted | e.Countered | e.Killed | e.Dismissed) -> str:
        """A player's character, `Corvin’s Lord Marrow`; a Prince by name alone."""
        player, name = self.who(fact.seat), self.name(fact.character)
        return player if player == name else owned(player, name)

    def at(self, targets: tuple[str, ...]) -> str:
        """What a card was aimed at."""
        return f" at {self.names(targets)}" if targets else ""

    def paid(self, fact: e.Played) -> str:
        """What a card cost, and what it answered."""
        paid = [f"turning {self.name(fact.turned)}"] if fact.turned is not None else []
        paid += [f"paying {fact.paid} favor"] if fact.paid else []
        return f", {' and '.join(paid)}" if paid else ""

    def number(self, fact: e.Gained | e.Lost | e.Took | e.Fed | e.Stripped | e.Redirected) -> str:
        """What happened to favor and tokens."""
        match fact:
            case e.Gained():
                return f"{self.who(fact.seat)} gained {fact.amount} favor and has {fact.favor}{self.by(fact.of)}."
            case e.Lost():
                return f"{self.who(fact.seat)} lost {fact.amount} favor and has {fact.favor}{self.by(fact.of)}."
            case e.Took():
                taker, giver = self.who(fact.seat), self.who(fact.before)
                return f"{taker} took {fact.amount} favor from {giver} and has {fact.favor}; {giver} has {fact.left}{self.by(fact.of)}."
            case e.Fed():
                return f"{self.pool(fact.pool)} got {many(fact.tokens, 'token')} of {whose(self.who(fact.seat))}{self.by(fact.of)}."
            case e.Stripped():
                return f"{self.name(fact.character)} lost {many(fact.tokens, 'token')}{self.by(fact.of)}."
            case e.Redirected():
                return f"{whose(self.name(fact.character))} {many(fact.tokens, 'token')} went to {self.pool(fact.pool)}{self.by(fact.of)}."
            case _:
                assert_never(fact)

    def person(
        self,
        fact: e.Turned
        | e.Unturned
        | e.Killed
        | e.Dismissed
        | e.Controlled
        | e.Returned
        | e.Tucked
        | e.Untucked
        | e.Rated
        | e.Marked,
    ) -> str:
        """What happened to characters."""
        match fact:
            case e.Turned():
                return f"{self.name(fact.character)} was turned{self.by(fact.of) if fact.of else ' to draw'}."
            case e.Unturned():
                return f"{self.name(fact.character)} was unturned{self.by(fact.of)}."
            case e.Killed():
                return f"{self.mine(fact)} was killed by {self.name(fact.of)}."
            case e.Dismissed():
                return f"{self.mine(fact)} was dismissed{self.by(fact.of)}."
            case e.Controlled():
                until = " until the end of the turn" if fact.borrowed else ""
                whom = owned(self.who(fact.before), self.name(fact.character))
                return f"{self.who(fact.seat)} took control of {whom}{until}{self.by(fact.of)}."
            case e.Returned():
                return f"{self.name(fact.character)} went back to {self.who(fact.seat)}."
            case e.Tucked():
                return f"{self.name(fact.card)} was tucked under {self.name(fact.character)}."
            case e.Untucked():
                return f"{self.name(fact.card)} under {self.name(fact.character)} was discarded{self.by(fact.of)}."
            case e.Rated():
                until = WAYS[fact.until]
                return f"{self.name(fact.character)} has {fact.skill} {fact.amount:+d} {until}{self.by(fact.of)}."
            case e.Marked():
                verb, until = "gets" if fact.mode == "add" else "loses", WAYS[fact.until]
                return f"{self.name(fact.character)} {verb} the keyword {fact.keyword} {until}{self.by(fact.of)}."
            case _:
                assert_never(fact)

    def close(self, fact: e.Fought | e.Closed | e.Reopened | e.Asked | e.Settled | e.Laid | e.Rose | e.Ranked) -> str:
        """How something ended."""
        match fact:
            case e.Fought():
                if fact.loser is None:
                    return f"the melee of {self.name(fact.attacker)} and {self.name(fact.defender)} ended without a result."
                winner = fact.attacker if fact.loser == fact.defender else fact.defender
                why = ", and in a tie the attacker dies" if fact.by == "tie" else ""
                piles = f"Attack {fact.attack}, Defence {fact.defence}"
                return f"{self.name(winner)} won the melee against {self.name(fact.loser)}: {piles}{why} (HA-H-12)."
            case e.Closed():
                why = "was stopped after too many acts" if fact.guard else "closed: all passed"
                return f"the Event {why} ({self.pools(fact.pools)})."
            case e.Reopened():
                return f"{self.who(fact.seat)} reopened the Event and has {many(fact.left, 'reopen token')} left."
            case e.Asked():
                pools = f" ({self.pools(fact.pools)})" if fact.pools else ""
                when = f"after act {fact.after}" if fact.after else "before any act"
                left = many(fact.left, "reopen token")
                return f"{self.who(fact.seat)} stopped the run {when}{pools} to think again, and has {left} left."
            case e.Settled():
                return self.settled(fact)
            case e.Laid():
                where = {
                    "middle": "lies in the middle and goes on working",
                    "discard": "went to the Event discard",
                }[fact.where]
                return f"{self.name(fact.name)} {where}."
            case e.Rose():
                return f"{self.who(fact.seat)} unturned {self.names(fact.characters)}."
            case e.Ranked():
                places = ", ".join(f"{self.who(seat)} {fact.favor[seat]}" for seat in fact.places)
                tied = (
                    f"; among {join_words(tuple(map(self.who, fact.tied)))} the more popular comes first"
                    if fact.tied
                    else ""
                )
                return f"{self.who(fact.places[0])} is crowned: {places}{tied} (HA-L-9)."
            case _:
                assert_never(fact)

    def settled(self, fact: e.Settled) -> str:
        """How the Event ended, with its pools."""
        name, pools = self.name(fact.name), self.pools(fact.pools)
        if fact.success is None:
            if fact.winner is None:
                return f"nobody took part in {name}."
            lost = f", {self.who(fact.loser)} lost" if fact.loser is not None else ""
            return f"{self.who(fact.winner)} won {name}{lost} ({pools}; {rules_of(fact)}){self.decided(fact)}."
        chief = fact.chief_supporter if fact.success else fact.chief_opponent
        led = (
            f"; {self.who(chief)} led the {'supporters' if fact.success else 'opponents'}" if chief is not None else ""
        )
        tie = ", as a tie is no success" if fact.by == "tie" else ""
        return f"{name} {'succeeded' if fact.success else 'failed'} ({pools}; HA-K-2){tie}{led}."

    def decided(self, fact: e.Settled) -> str:
        """What decided a Contest where tokens did not."""
        said = []
        if fact.by == "popularity" and fact.winner is not None:
            said.append(f"{self.who(fact.winner)} is the most popular of those with most")
        if fact.lost_by == "popularity" and fact.loser is not None:
            said.append(f"{self.who(fact.loser)} is the least popular of those with fewest")
        return f": {', '.join(said)}" if said else ""


def act_of(line: str) -> str:
    """A line without its condition and its endings: a sentence about it need not repeat them."""
    before, _, rest = line.partition(" if ")
    if before.startswith("on "):
        _, played, card = rest.rpartition(" play ")
        return f"{before}{played}{card}"
    return before.removesuffix(" again").partition(" as ")[0]


NAMED = frozenset({"character", "characters", "value"})
"""Facts of verdicts that are ids of cards."""
WEIGHTS: Mapping[str, int] = {
    "ranked": 100, "killed": 90, "settled": 80, "controlled": 70, "reopened": 66, "fought": 64, "dismissed": 62, "revealed": 60,
    "shielded": 56, "took": 54, "bid": 50, "stopped": 46, "countered": 44, "chose": 42, "gained": 40, "lost": 38, "attacked": 36,
    "began": 30, "named": 28, "laid": 26, "played": 25, "used": 24, "joined": 22, "gave": 21, "assisted": 21,
}  # fmt: skip
"""Kind of fact -> how much it weighs; those that are not named are plain."""


def weight(view: Position, event: e.AnyEvent) -> int:
    """How much a fact weighs among those of its turn."""
    return WEIGHTS.get(event.event, 5)
