"""The rulebook's worked examples, read from `cases/` and played: illustrations on the site, tests in the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Literal

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Ended, Judged
from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.mechanics.cards import Deck
from adjudicator.rulesets.heir_apparent.events import AnyEvent
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.orders import sheet_type
from adjudicator.rulesets.heir_apparent.position import (
    REOPENINGS,
    SEATS,
    Brawl,
    Courtier,
    Filed,
    Kept,
    Lot,
    Phase,
    Player,
    Position,
    Settings,
    Underway,
)
from adjudicator.rulesets.heir_apparent.resolve import due, resolve

FOLDER = Path(__file__).parent / "cases"
CHAIRS: Mapping[str, SeatId] = dict(zip(("aldemar", "corvin", "ysolde", "brannoc", "melisend"), SEATS, strict=True))
"""Prince in the examples -> their seat."""
IN_PLAY = re.compile(r"(turned )?([a-z-]+)(?: with ([a-z0-9#-]+(?:, [a-z0-9#-]+)*))?(?: of ([a-z]+))?")
"""A character in play, such as `turned sir-hadrec with tourney-blade#1 of corvin`, which is borrowed from Corvin."""


@record
class Side:
    """A player's possessions. Before the turn, a field left out has the Prince's value or is empty; after the turn, it is unchanged."""

    favor: Whole | None = None
    hand: tuple[str, ...] | None = None
    court: tuple[str, ...] | None = None
    """Characters in play; the Prince is listed only if turned or equipped."""
    reopenings: Whole | None = None


@record
class Melee:
    """A melee that was stopped."""

    attacker: str
    defender: str
    lots: tuple[str, ...] = ()
    """Tokens, such as `3 defence corvin dame-ottoline`: number, pile, Prince of the giver, and character."""
    acts: Mapping[str, Whole] = field(default_factory=dict)
    card: str | None = None
    spell: Flag = False


@record
class Stage:
    """An Event that was reopened or stopped, or an Actions phase that was stopped."""

    lots: tuple[str, ...] = ()
    """Tokens, such as `5 support ysolde pell-the-factor`, without the last word if no character gave them."""
    inside: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    acts: Mapping[str, Whole] = field(default_factory=dict)
    next: str
    asked: str | None = None
    """The player who stopped it."""
    last: str | None = None
    passes: Whole = 0
    act: Whole = 0
    stops: Whole = 0
    again: Flag = False
    melee: Melee | None = None


@record
class Zones:
    """All other cards, by place. A place left out is empty before the turn (except the Event deck), and unchanged after it."""

    characters: tuple[str, ...] | None = None
    character_discard: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None
    action_discard: tuple[str, ...] | None = None
    events: tuple[str, ...] | None = None
    past: tuple[str, ...] | None = None
    middle: tuple[str, ...] | None = None
    killed: tuple[str, ...] | None = None
    row: tuple[str, ...] | None = None


@record
class After:
    """The expected position. Fields that are left out are unchanged."""

    players: Mapping[str, Side] = field(default_factory=dict)
    zones: Zones = Zones()
    phase: Phase | None = None
    """The phase of the next window, if it has changed."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Choices that the Event asked for, made in this window."""
    risen: Flag | None = None
    """True if the active player has unturned before the Event; None if that has not changed."""
    underway: Stage | None = None
    """The phase that was stopped and goes on in the next window."""
    done: Mapping[str, tuple[Whole, ...]] = field(default_factory=dict)
    """Prince -> the lines that have been carried out, of a plan that goes on in the next window; numbered from 0."""
    due: tuple[str, ...] | None = None
    """Players who owe a sheet next, if the next window follows a stop or a reopening, or is for a choice."""
    active: str | None = None
    right: str | None = None
    reactions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Prince -> the reactions that are left, if some were spent."""


@record
class Case:
    """One worked example, with only what matters. Hands and decks that it does not mention are empty (except the Event deck)."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    phase: Phase = Phase.EVENT
    turn: Whole = 1
    round: Whole = 0
    right: str | None = None
    active: str | None = None
    """The active player; the first of `players` if left out."""
    event: str | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Choices that the Event asked for, made in an earlier window."""
    draws: Literal["active", "all"] = "active"
    """The house rule about draws (HA-F-19)."""
    choice: Literal["window", "sheet"] = "window"
    """The house rule about an Event's choice (HA-W-3)."""
    unturn: Literal["after", "either"] = "after"
    """The house rule about unturning (HA-L-11)."""
    risen: Flag = False
    """True if the active player has unturned in this turn."""
    players: Mapping[str, Side]
    zones: Zones = Zones()
    standing: Mapping[str, Kept] = field(default_factory=dict)
    underway: Stage | None = None
    filed: Mapping[str, Filed] = field(default_factory=dict)
    sheets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    told: tuple[str, ...]
    """All that happened, in order."""
    verdicts: tuple[Judged, ...]
    after: After = After()
    ended: Ended | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name; raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


def position_of(case: Case) -> Position:
    """The position an example begins with."""
    settings = Settings(players=len(case.players), draws=case.draws, choice=case.choice, unturn=case.unturn)
    index = index_of(settings.set)
    seats = {name: CHAIRS[name] for name in case.players}
    ring = tuple(sorted(seats.values(), key=lambda seat: -index.princes[NAMES[seat]].popularity))
    players: dict[SeatId, Player] = {}
    court: dict[str, Courtier] = {}
    for name, side in case.players.items():
        favor = index.princes[name].favor if side.favor is None else side.favor
        reopenings = REOPENINGS if side.reopenings is None else side.reopenings
        players[seats[name]] = Player(prince=name, favor=favor, hand=side.hand or (), reopenings=reopenings)
        court[name] = Courtier(by=seats[name])
        court |= dict(in_play(text, seats[name]) for text in side.court or ())
    zones = case.zones
    active = case.active or next(iter(case.players))
    return Position(
        phase=case.phase,
        turn=case.turn if case.phase is not Phase.AUCTION else 0,
        round=case.round,
        right=CHAIRS[case.right] if case.right is not None else None,
        active=CHAIRS[active] if case.phase is not Phase.AUCTION else None,
        ring=ring,
        players=players,
        court=dict(sorted(court.items())),
        row=zones.row or (),
        characters=Deck(pile=zones.characters or (), discards=zones.character_discard or ()),
        killed=zones.killed or (),
        actions=Deck(pile=zones.actions or (), discards=zones.action_discard or ()),
        events=("bridge-day", "hunt-in-the-sedge") if zones.events is None else zones.events,
        unused=(),
        event=case.event,
        chosen=case.chosen,
        risen=case.risen,
        past=zones.past or (),
        middle=zones.middle or (),
        underway=_underway(case.underway) if case.underway is not None else None,
        standing={CHAIRS[name]: kept for name, kept in case.standing.items()},
        filed={CHAIRS[name]: filed for name, filed in case.filed.items()},
        settings=settings,
    )


NAMES: Mapping[SeatId, str] = {seat: name for name, seat in CHAIRS.items()}
"""Seat -> its Prince in the examples."""


def in_play(text: str, seat: SeatId) -> tuple[str, Courtier]:
    """Read a character in play from an example, and return its id and its state."""
    found = IN_PLAY.fullmatch(text)
    assert found is not None, text
    tucked = tuple(found[3].split(", ")) if found[3] else ()
    return found[2], Courtier(
        by=seat, turned=bool(found[1]), tucked=tucked, home=CHAIRS[found[4]] if found[4] else None
    )


def as_text(name: str, one: Courtier) -> str:
    """A character in play, in the notation of the examples."""
    tucked = f" with {', '.join(one.tucked)}" if one.tucked else ""
    home = f" of {NAMES[one.home]}" if one.home is not None else ""
    return f"{'turned ' if one.turned else ''}{name}{tucked}{home}"


def _lots(texts: Iterable[str]) -> tuple[Lot, ...]:
    lots = []
    for text in texts:
        amount, pool, name, *source = text.split(" ")
        lots.append(Lot(pool=pool, amount=int(amount), seat=CHAIRS[name], source=source[0] if source else None))
    return tuple(lots)


def _as_texts(lots: Iterable[Lot]) -> tuple[str, ...]:
    """Tokens, in the notation of the examples."""
    return tuple(
        " ".join([str(lot.amount), lot.pool, NAMES[lot.seat], *([lot.source] if lot.source else [])]) for lot in lots
    )


def _named(acts: Mapping[SeatId, int]) -> dict[str, int]:
    return {NAMES[seat]: count for seat, count in acts.items()}


def _underway(stage: Stage) -> Underway:
    lots, melee = _lots(stage.lots), stage.melee
    return Underway(
        lots=lots,
        joined=tuple(lot.source for lot in lots if lot.source is not None),
        inside=tuple(CHAIRS[name] for name in stage.inside),
        free=tuple(CHAIRS[name] for name in stage.free),
        acts={CHAIRS[name]: acts for name, acts in stage.acts.items()},
        next=CHAIRS[stage.next],
        asked=CHAIRS[stage.asked] if stage.asked is not None else None,
        last=CHAIRS[stage.last] if stage.last is not None else None,
        passes=stage.passes,
        act=stage.act,
        stops=stage.stops,
        again=stage.again,
        brawl=Brawl(
            attacker=melee.attacker,
            defender=melee.defender,
            lots=_lots(melee.lots),
            acts={CHAIRS[name]: acts for name, acts in melee.acts.items()},
            card=melee.card,
            spell=melee.spell,
        )
        if melee is not None
        else None,
    )


def _stage(underway: Underway) -> Stage:
    """A phase that was stopped or reopened, in the notation of the examples."""
    brawl = underway.brawl
    return Stage(
        lots=_as_texts(underway.lots),
        inside=tuple(NAMES[seat] for seat in underway.inside),
        free=tuple(NAMES[seat] for seat in underway.free),
        acts=_named(underway.acts),
        next=NAMES[underway.next],
        asked=NAMES[underway.asked] if underway.asked is not None else None,
        last=NAMES[underway.last] if underway.last is not None else None,
        passes=underway.passes,
        act=underway.act,
        stops=underway.stops,
        again=underway.again,
        melee=Melee(
            attacker=brawl.attacker,
            defender=brawl.defender,
            lots=_as_texts(brawl.lots),
            acts=_named(brawl.acts),
            card=brawl.card,
            spell=brawl.spell,
        )
        if brawl is not None
        else None,
    )


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Play every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Plays an example, and returns its first position and the resolution of its sheets."""
    position = position_of(case)
    by_seat = {CHAIRS[name]: sheet for name, sheet in case.sheets.items()}
    sheets = cases.sheets_in(case.id, by_seat, lambda seat: sheet_type(position, seat))
    return position, resolve(position, sheets, NamedDice(b"examples"))


def outcome(position: Position, after: Position) -> After:
    """The differences between two positions, in the notation of the examples."""
    princes = {seat: player.prince for seat, player in position.players.items()}
    players: dict[str, Side] = {}
    for seat, name in princes.items():
        one, two = position.players[seat], after.players[seat]
        before_court, court = _court(position, seat), _court(after, seat)
        side = Side(
            favor=two.favor if two.favor != one.favor else None,
            hand=two.hand if two.hand != one.hand else None,
            court=court if court != before_court else None,
            reopenings=two.reopenings if two.reopenings != one.reopenings else None,
        )
        if side != Side():
            players[name] = side
    zones = {
        key: new if new != old else None for key, (old, new) in {
            "characters": (position.characters.pile, after.characters.pile),
            "character_discard": (position.characters.discards, after.characters.discards),
            "actions": (position.actions.pile, after.actions.pile),
            "action_discard": (position.actions.discards, after.actions.discards),
            "events": (position.events, after.events), "past": (position.past, after.past),
            "middle": (position.middle, after.middle), "killed": (position.killed, after.killed),
            "row": (position.row, after.row),
        }.items()
    }  # fmt: skip
    spent = {
        princes[seat]: kept.reactions
        for seat, kept in after.standing.items()
        if kept.reactions is not None and kept.reactions != position.standing.get(seat, Kept()).reactions
    }
    stopping = after.phase in (Phase.STOPPED, Phase.CHOICE, Phase.REOPENED)
    owing = due(after) if stopping else frozenset[SeatId]()
    return After(
        players=players,
        zones=replace(Zones(), **zones),
        phase=after.phase if after.phase is not position.phase else None,
        risen=after.risen if after.risen != position.risen else None,
        chosen=after.chosen if after.chosen != position.chosen else {},
        underway=_stage(after.underway) if after.underway is not None and after.underway.asked is not None else None,
        done={
            princes[seat]: lines
            for seat, filed in after.filed.items()
            if (lines := (*filed.done, *filed.fought)) and after.phase is Phase.STOPPED
        },
        due=tuple(princes[seat] for seat in position.ring if seat in owing) if owing else None,
        active=princes[after.active] if after.active is not None and after.active != position.active else None,
        right=princes[after.right] if after.right is not None and after.right != position.right else None,
        reactions=spent,
    )


def _court(position: Position, seat: SeatId) -> tuple[str, ...]:
    """A player's characters in the notation of the examples; the Prince is listed only if turned or equipped."""
    mine = {name: one for name, one in position.court.items() if one.by == seat}
    prince = position.players[seat].prince
    return tuple(as_text(name, one) for name, one in mine.items() if name != prince or one != Courtier(by=seat))
