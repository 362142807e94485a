"""All that a ruleset needs, under one name: `from adjudicator.rules import Ruleset, fact, record`.

Large rulesets import from the rooms themselves; a small game reads better like this. The page "Add a ruleset" explains every name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field as Choice

from adjudicator.core.contract.cases import turns, wrong_turns
from adjudicator.core.contract.facts import EVERYBODY, ITS_SEAT, Facts, Hearers, Say, fact, heard_by
from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.pages import Chart, Side, Table
from adjudicator.core.contract.resolution import Ending, Example, Remark, Resolution, SeatId, Verdict
from adjudicator.core.contract.ruleset import (
    About,
    Desk,
    Pictures,
    PlayedBy,
    Rules,
    Ruleset,
    Secrecy,
    StandIn,
    Tables,
    Types,
    Words,
    Worth,
    Writer,
    at_random,
    by_its_own_name,
    ended,
    no_chapters,
    no_parts,
    no_reports,
    one_sheet,
    the_seat,
)
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.seen import Everybody, InFull, Mine, Nobody, Owner, by_seat, instead, made, only, views
from adjudicator.core.contract.sheet import SeatName, SheetWords, StandingWords
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import Flag, Whole, field_text, record
from adjudicator.mechanics.cards import BACK, Deck, face_down, new_deck
from adjudicator.mechanics.cards import draw as draw_cards
from adjudicator.mechanics.standing import StandingParts
from adjudicator.render import render, render_grid, render_hexes, render_table
from adjudicator.render.scenes import Chair, Heap, HexScene, Pile, TableCard, TableScene

P = TypeVar("P", bound=PlayedBy)
S = TypeVar("S", bound=SheetWords)
E = TypeVar("E")

NO_DESK: Desk[Any] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    cautions=None,
    unasked=None,
    plans=None,
    stands=None,
    prices=None,
    meanings=None,
    walks=None,
    beside=None,
)
"""For `Ruleset.desk`: the order desk makes its form from the sheet's type, and knows nothing more."""


def words_of(facts: Facts[E], tell: Callable[[P, Verdict], str], *, quiet: str, plain: int) -> Words[P, E]:
    """The words of a game whose facts have sentences at their records; `tell` gives the sentence of a verdict."""
    return Words(
        tell=lambda view, told: tell(view, told) if isinstance(told, Verdict) else facts.tell(view, told),
        ended=ended,
        quiet=quiet,
        weight=facts.weight,
        plain=plain,
        joints=facts.joints,
        called=by_its_own_name,
        part=facts.part,
    )


def small_ruleset(
    *,
    about: About,
    folder: Path,
    types: Types[P, S],
    rules: Rules[P, S, E],
    words: Words[P, E],
    pictures: Pictures[P, E],
    tables: Tables[P, E],
    secrecy: Secrecy[P, E] | None,
    examples: Callable[[], Iterable[Example[P, E]]],
    stand_in: StandIn[P, S] | None = None,
) -> Ruleset[P, S, E]:
    """A ruleset without pages of cards, files or decisions of the host, and exchange with other programs. Stand-ins play it at random."""
    return Ruleset(
        about=about,
        folder=folder,
        types=types,
        rules=rules,
        words=words,
        pictures=pictures,
        tables=tables,
        cards=None,
        secrecy=secrecy,
        desk=NO_DESK,
        stand_in=stand_in or StandIn(mind=Worth(at_random), party=the_seat),
        host_files=None,
        decisions=None,
        exchange=None,
        examples=examples,
    )


__all__ = [
    "BACK", "EVERYBODY", "ITS_SEAT", "NO_DESK", "About", "Chair", "Chart", "Choice", "Deck", "Desk", "Dice", "Ending", "Everybody",
    "Example", "Facts", "Flag", "Heap", "Hearers", "HexScene", "InFull", "Joint", "Lengths", "Mine", "Nobody", "Owner", "Pictures",
    "Pile", "Remark", "Resolution", "Rules", "Ruleset", "Say", "SeatId", "SeatName", "Secrecy", "SheetWords", "Side", "StandIn",
    "StandingParts", "StandingWords", "Table", "TableCard", "TableScene", "Tables", "Types", "Verdict", "Whole", "Words", "Worth",
    "Writer", "at_random", "by_its_own_name", "by_seat", "draw_cards", "ended", "face_down", "fact", "field_text", "heard_by", "instead", "join_words",
    "made", "many", "new_deck", "no_chapters", "no_parts", "no_reports", "one_sheet", "only", "record", "render", "render_grid",
    "render_hexes", "render_table", "small_ruleset", "the_seat", "turns", "views", "whose", "words_of", "wrong_turns",
]  # fmt: skip
