"""Shared by the tests of worked examples: cases by name, a game without dice, and results and events in the words of a case."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from adjudicator.core.contract.cases import CaseFile, Ended, Judged, Titled
from adjudicator.core.contract.resolution import PlayedGame, Resolution
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.diplomacy.exchange import read_game, split_games
from adjudicator.rulesets.diplomacy.position import Position, Settings

C = TypeVar("C", bound=Titled)
P = TypeVar("P")
E = TypeVar("E")


def read_played(source: bytes, settings: Settings, chosen: Collection[str] = ()) -> Iterator[PlayedGame[Position]]:
    """The games in a file, judged one by one. Raises `Problems`."""
    return (read_game(piece, settings, chosen) for piece in split_games(source))


class NoDice:
    """Dice of a game that must not roll."""

    rolls = ()

    def roll(self, name: str, sides: int) -> int:
        raise AssertionError(f"rolled {name} with {sides} sides")

    def shuffle(self, name: str, items: object) -> tuple[()]:
        raise AssertionError(f"shuffled {items} for {name}")


NO_DICE: Dice = NoDice()


@dataclass(frozen=True)
class Played(Generic[C, P, E]):
    """A case with its outcome."""

    case: C
    position: P
    done: Resolution[P, E]


def by_name(files: Mapping[str, CaseFile[C]]) -> dict[str, C]:
    """`chapter/case` -> the case."""
    return {f"{stem}/{case.id}": case for stem, file in files.items() for case in file.cases}


def verdicts_of(here: Played[Any, Any, Any], *, idle: bool = True) -> tuple[Judged, ...]:
    """The verdicts as a case lists them; without `idle`, units without orders that nothing happened to are left out."""
    return tuple(
        Judged(seat=v.seat, order=v.order, result=v.result, reason=v.reason, rule=v.rule, implied=bool(v.implied))
        for v in here.done.verdicts
        if idle or not v.idle
    )


def sentences(ruleset: Ruleset[Any, Any, Any], position: Any, events: Iterable[Any]) -> tuple[str, ...]:
    """The events as a case lists them."""
    return tuple(ruleset.words.tell(position, event) for event in events)


def ending(ruleset: Ruleset[Any, Any, Any], here: Played[Any, Any, Any]) -> Ended | None:
    """The end of the game, as a case has it; checks that it ended in the case's own phase."""
    ended = here.done.ended
    if ended is None:
        return None
    assert ended.when == ruleset.when(here.position)
    return Ended(how=ended.how, winners=ended.winners, rule=ended.rule)
