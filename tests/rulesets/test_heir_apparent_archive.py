"""Coverage of the archive's game of Heir Apparent: every Action card, effect, kind of line, keyword, and every trigger that a card answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.rulesets.heir_apparent.chapters import chapters
from adjudicator.rulesets.heir_apparent.index import index_of, title_of
from adjudicator.rulesets.heir_apparent.orders import Kind, Step, reader_of
from adjudicator.rulesets.heir_apparent.selectors import KEYWORDS
from adjudicator.rulesets.heir_apparent.steps import Step as Deed
from adjudicator.rulesets.heir_apparent.variables import Part
from tests.conftest import ROOT

GAME = "the-heir-of-avermark"
INDEX = index_of(cards_named("avermark"))
SHOWN_BY: Mapping[str, str] = {
    "gained": "favor", "lost": "favor", "took": "favor_move", "rated": "stat", "marked": "keyword", "fed": "support", "stripped": "strip",
    "redirected": "redirect", "unturned": "unturn", "killed": "kill", "dismissed": "dismiss", "controlled": "control", "tucked": "attach",
    "untucked": "detach", "shielded": "shield", "peeked": "peek",
}  # fmt: skip
"""Fact -> the step that causes it; other facts need more than their step."""


@pytest.fixture(scope="module")
def turns() -> list[Any]:
    archive = Archive(ROOT)
    game = load_game(archive, GAME)
    return [load_all(archive, load_turn(archive, game, name)) for name in archive.turns(GAME)]


def facts(turns: list[Any]) -> Iterator[tuple[Any, e.AnyEvent]]:
    return ((turn, fact) for turn in turns for fact in turn.events)


def steps_shown(turns: list[Any]) -> Iterator[str]:
    """Steps of cards that had an effect."""
    cards = {*INDEX.actions, *INDEX.events}
    for turn, fact in facts(turns):
        of = title_of(getattr(fact, "of", ""))
        match fact:
            case e.Drew() if of in cards:
                yield "draw"
            case e.Discarded(why="effect"):
                yield "discard_hand"
            case e.Turned() if of in cards:
                yield "turn"
            case e.Attacked(act=0):
                yield "melee"
            case e.Stopped(why="cancelled"):
                yield "cancel"
            case e.Joined() if INDEX.events[turn.position.event].limit is not None:
                yield "limit"
            case e.Tucked() if (one := INDEX.actions.get(title_of(fact.card))) is not None:
                yield from ("attach", *(name for step in one.while_ for name in said(step)))
            case _ if fact.event in SHOWN_BY:
                yield SHOWN_BY[fact.event]
            case _:
                pass


def said(step: Deed) -> list[str]:
    """The primitive of a step."""
    return [name for name in Deed.__dataclass_fields__ if name != "deed" and getattr(step, name, None) is not None]


def lines_done(turns: list[Any]) -> Iterator[Kind]:
    """The kinds of the lines that were carried out."""
    reader = reader_of(INDEX, tuple(turns[-1].position.players[seat].prince for seat in turns[-1].position.ring))
    parts: tuple[Part, ...] = get_args(Part)
    for turn in turns:
        for verdict in turn.verdicts:
            if not verdict.ok and verdict.reason not in ("passed", "spent"):
                continue
            if verdict.order.startswith("reopen"):
                yield "reopen"
                continue
            keeps = [part for part in parts if isinstance(reader.read(part, verdict.order), Step)]
            step = reader.read(keeps[0], verdict.order) if keeps else None
            if isinstance(step, Step):
                yield step.kind


def test_every_action_card_is_played(turns: list[Any]) -> None:
    assert {title_of(fact.card) for _, fact in facts(turns) if isinstance(fact, e.Played)} == {*INDEX.actions}


def test_every_trigger_that_a_card_answers_is_answered(turns: list[Any]) -> None:
    answered = {fact.trigger for _, fact in facts(turns) if isinstance(fact, e.Played) and fact.trigger}
    assert answered == {trigger for card in INDEX.actions.values() for trigger in card.trigger}


def test_every_effect_does_something(turns: list[Any]) -> None:
    primitives = {name for name in Deed.__dataclass_fields__ if name != "deed"} | {"limit"}
    assert {*steps_shown(turns)} == primitives


def test_every_kind_of_line_is_carried_out(turns: list[Any]) -> None:
    """All the kinds that existed when it was played: stops, `enough` and `unturn` are newer (HA-W-21, HA-W-24, HA-L-11)."""
    assert {*lines_done(turns)} == {*get_args(Kind)} - {"ask", "enough", "unturn"}


def test_every_keyword_is_in_play_and_nearly_every_fact_happens(turns: list[Any]) -> None:
    """Marked is a keyword that an ability gives for a while; no line of play was found that had it too."""
    held = {word for turn in turns for name in turn.position.court for word in INDEX.person(name).keywords}
    assert held == {*KEYWORDS}
    every = {kind.__dataclass_fields__["event"].default for kind in get_args(e.AnyEvent)}
    assert every - {fact.event for _, fact in facts(turns)} == {"marked", "asked"}


def test_the_game_is_played_to_its_end(turns: list[Any]) -> None:
    assert len(turns) == 39
    assert len(turns[0].position.players) == 4
    assert turns[-1].ended is not None


def test_its_events_are_described_in_two_sentences(turns: list[Any]) -> None:
    """An Event that was reopened, with the acts of both windows; and one that was tied."""
    done = [Resolution(turn.position, turn.verdicts, turn.events, turn.ended) for turn in turns]
    told = next(chapter for chapter in chapters(done, turns[-1].position) if chapter.name == "events").sections[0].about
    assert len(told) == 16
    assert told[2] == (
        "Smugglers' Tide (a Challenge of Combat, Money) took 7 acts, the last of them by Aldemar. "
        "It succeeded, 23 to 0, led by Melisend: Aldemar -1, Brannoc -1, Ysolde -1, Melisend +3."
    )
    assert told[14].endswith("Aldemar won by popularity, 4 to 4, and Melisend lost: Aldemar +2.")
