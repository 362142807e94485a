"""Battles and skirmishes for the pages: from the season that joined them to the turn that settled them, with both sides' reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import Resolution, SeatId, Verdict
from adjudicator.core.contract.words import join_words
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.accounts import Accounts, Deed
from adjudicator.rulesets.grand_campaign.acts import BATTLE_PARTS, Part
from adjudicator.rulesets.grand_campaign.orders import Order, reader_of
from adjudicator.rulesets.grand_campaign.position import Battle, Phase, Position, Quarrel
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.skirmishes import skirmish_id
from adjudicator.rulesets.grand_campaign.words import reason_words, who
from adjudicator.rulesets.grand_campaign.world import World

Turns = Sequence[Resolution[Position, e.AnyEvent]]
KINDS: Mapping[Part, str] = {"results": "Result", "deeds": "Deed", "bonus": "For the readers", "skirmishes": "Result"}
"""The lists of a report -> label of their lines."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a report, by each player who wrote it."""

    part: Part
    by: Mapping[SeatId, Verdict]

    def line(self, seat: SeatId) -> str:
        """A player's line, without the battle's id; empty if they wrote none."""
        return self.by[seat].order.partition(": ")[2] if seat in self.by else ""

    def came(self, seats: Sequence[SeatId]) -> str:
        """The outcome of the line: agreed, disputed or one-sided, in the words of the verdicts (GC-Z-15 to GC-Z-20)."""
        if self.part == "deeds" and {verdict.reason for verdict in self.by.values()} == {"disputed"}:
            named = "both name it" if len(self.by) == len(seats) else f"{join_words([*self.by])} names it"
            return f"{named}; undecided, like the battle"
        words = [_words(verdict) for verdict in self.by.values()]
        return "; ".join(dict.fromkeys(words))


def _words(verdict: Verdict) -> str:
    reason: Reason = verdict.reason  # type: ignore[assignment]  # `World.judge` writes no other
    return reason_words(reason, dict(verdict.facts or {}))


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of a battle that was waiting for its reports, with the reports and their outcome."""

    turn: int
    battle: Battle
    """The battle in that turn. Its armies may have had other names when it was joined."""
    seats: tuple[SeatId, ...]
    """The players who report it, the attacker first (GC-Z-14)."""
    said: tuple[Said, ...]
    came: e.Fought | e.Disputed | e.Struck | None
    """None while the turn is open."""


@dataclass(slots=True)
class Fight:
    """A battle from the turn that joined it to the turn that settled it."""

    joined: int
    event: e.Joined
    season: int
    rounds: list[Round] = field(default_factory=list)

    @property
    def settled(self) -> int | None:
        """The turn that settled it; None until then."""
        return self.rounds[-1].turn if self.fought is not None else None

    @property
    def fought(self) -> e.Fought | None:
        """Its result, once there is one."""
        came = self.rounds[-1].came if self.rounds else None
        return came if isinstance(came, e.Fought) else None


def fights(turns: Turns) -> list[Fight]:
    """Every battle of a campaign, in the order they were joined."""
    found: list[Fight] = []
    open_: dict[tuple[int, str], Fight] = {}

    def known(at: int, season: int, event: e.Joined) -> Fight:
        if (season, event.id) not in open_:
            found.append(open_.setdefault((season, event.id), Fight(at, event, season)))
        return open_[season, event.id]

    for at, turn in enumerate(turns):
        season = turn.position.turn
        if turn.position.phase is Phase.BATTLES:
            for one in turn.position.battles:  # a campaign may begin with some: the host can write positions
                event = e.Joined(
                    id=one.id, at=one.at, attackers=one.attackers, defender=one.defender, scenario=one.scenario
                )
                known(at, season, event).rounds.append(_round(turn, at, one))
        for joined in turn.events:
            if isinstance(joined, e.Joined):
                known(at, season, joined)
    return found


def _round(turn: Resolution[Position, e.AnyEvent], at: int, battle: Battle) -> Round:
    accounts = Accounts(World(turn.position, {}, NamedDice(b"pages")))
    seats = accounts.seats(battle)
    grouped: dict[tuple[Part, object], dict[SeatId, Verdict]] = {}
    for part, order, verdict in _lines(turn, seats):
        if order.args.get("battle") == battle.id and part != "skirmishes":
            deed = accounts.deed(battle, order) if part == "deeds" else None
            what = "" if part == "results" else deed if isinstance(deed, Deed) else order.line
            grouped.setdefault((part, what), {})[verdict.seat] = verdict
    kinds = e.Fought | e.Disputed | e.Struck
    came = [event for event in turn.events if isinstance(event, kinds) and event.id == battle.id]
    said = sorted((Said(part, by) for (part, _), by in grouped.items()), key=lambda one: BATTLE_PARTS.index(one.part))
    return Round(at, battle, seats, tuple(said), came[-1] if came else None)  # a disputed one may be struck later


def _lines(turn: Resolution[Position, e.AnyEvent], seats: Sequence[SeatId]) -> Iterator[tuple[Part, Order, Verdict]]:
    """The lines that these players reported in a turn, each with its list, the order that it was read as, and its verdict."""
    reader = reader_of(turn.position.plan)
    for verdict in turn.verdicts:
        if verdict.seat in seats and verdict.reason not in {"unreadable", "twice"}:
            for part in KINDS:
                order = reader.read(part, verdict.order)
                if isinstance(order, Order):
                    yield part, order, verdict
                    break


@dataclass(frozen=True, slots=True)
class Duel:
    """A skirmish of two parties, with both reports (GC-W-9)."""

    id: str
    turn: int
    quarrel: Quarrel
    seats: tuple[SeatId, SeatId]
    said: tuple[Said, ...]
    came: e.Skirmished | None


def duels(turns: Turns, at: int) -> Iterator[Duel]:
    """The skirmishes that the sheets of a turn report on, fought or still to be fought (GC-W-17)."""
    turn = turns[at]
    for number, quarrel in enumerate(turn.position.quarrels):
        id_ = skirmish_id(number)
        seats = (quarrel.comer.rpartition(" ")[0], quarrel.other.rpartition(" ")[0])
        by = {
            verdict.seat: verdict
            for part, order, verdict in _lines(turn, seats)
            if part == "skirmishes" and order.args["skirmish"] == id_
        }
        came = next((event for event in turn.events if isinstance(event, e.Skirmished) and event.id == id_), None)
        yield Duel(id_, at, quarrel, seats, (Said("skirmishes", by),) if by else (), came)


def foe_of(battle: Battle | e.Joined | e.Fought) -> str:
    """The defender of a battle, in words."""
    return who(battle.defender) if battle.defender is not None else "the garrison"
