"""Counts for rehearsals of Heir Apparent: cards played, characters wanted, how Events end, and winners by their place at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.ruleset import Census
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.events import AnyEvent
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import Position

ACTIONS, CHARACTERS, ABILITIES = "Action card", "Character", "Ability"
CONTESTS, CHALLENGES, PLACES, TURNS = "Contest", "Challenge", "Place in a Contest", "Place in the order of turns"
ORDINALS = ("first", "second", "third", "fourth", "fifth")
"""Places at the table, clockwise from the active player, or from the one with the first turn."""


def tables(position: Position) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Table of a rehearsed game -> its columns and its rows."""
    cards, places = position.settings.set, ORDINALS[: len(position.ring)]
    events = {kind: tuple(one.name for one in cards.events if one.type == kind) for kind in ("contest", "challenge")}
    able = tuple(f"{one.name}: {ability.id}" for one in cards.characters for ability in one.abilities)
    return {
        ACTIONS: (("Played",), tuple(one.name for one in cards.actions)),
        CHARACTERS: (("For sale", "Taken", "Chosen first", "Won with"), tuple(one.name for one in cards.characters)),
        ABILITIES: (("Used",), able),
        CONTESTS: (("Won", "Won by nobody"), events["contest"]),
        CHALLENGES: (("Succeeded", "Failed"), events["challenge"]),
        PLACES: (("Won", "Lost"), places),
        TURNS: (("Won the game",), places),
    }


def marks(before: Position, done: Resolution[Position, AnyEvent]) -> Iterator[tuple[str, str, str]]:
    """Counts from one window, as (table, row, column)."""
    index = index_of(before.settings.set)
    for name in before.row:
        yield CHARACTERS, index.name(name), "For sale"
    for fact in done.events:
        match fact:
            case e.Played():
                yield ACTIONS, index.name(fact.card), "Played"
            case e.Used():
                yield ABILITIES, f"{index.name(fact.character)}: {fact.ability}", "Used"
            case e.Chose():
                yield CHARACTERS, index.name(fact.character), "Taken"
                if fact.place == 1:
                    yield CHARACTERS, index.name(fact.character), "Chosen first"
            case e.Settled() if fact.success is None:
                yield CONTESTS, index.name(fact.name), "Won" if fact.winner is not None else "Won by nobody"
                assert before.active is not None
                for seat, column in ((fact.winner, "Won"), (fact.loser, "Lost")):
                    if seat is not None:
                        yield PLACES, _place(before, before.active, seat), column
            case e.Settled():
                yield CHALLENGES, index.name(fact.name), "Succeeded" if fact.success else "Failed"
            case _:
                pass
    if done.ended is not None:
        winner, first = done.ended.winners[0], _first(before)
        yield TURNS, _place(before, first, winner), "Won the game"
        for name, one in done.position.court.items():
            if one.by == winner and not index.princes.get(name):
                yield CHARACTERS, index.name(name), "Won with"


def _place(position: Position, first: SeatId, seat: SeatId) -> str:
    """A player's place in words, counted clockwise from `first`."""
    ring = position.ring
    return ORDINALS[(ring.index(seat) - ring.index(first)) % len(ring)]


def _first(position: Position) -> SeatId:
    """The player who had the first turn, counted back from the active player (HA-C-12)."""
    assert position.active is not None
    ring = position.ring
    return ring[(ring.index(position.active) - (position.turn - 1)) % len(ring)]


CENSUS: Census[Position] = Census(tables=tables, marks=marks)
