"""Everything that a ruleset needs, in one module: `from adjudicator.rules import Ruleset, fact, record`.

Large rulesets import from the modules themselves. For a small game, this one import is enough. The page "Add a ruleset" explains every name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field as Choice

from adjudicator.core.contract.cases import turns, wrong_turns
from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.facts import EVERYBODY, ITS_SEAT, Facts, Hearers, Say, fact, heard_by
from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.lines import Blank, Lines, Misfit
from adjudicator.core.contract.pages import Chapter, Chart, Report, Side, Table, Timeline
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
from adjudicator.core.contract.seen import (
    BySeat,
    Everybody,
    InFull,
    Mine,
    Nobody,
    Owner,
    by_seat,
    instead,
    made,
    only,
    shown,
    views,
)
from adjudicator.core.contract.sheet import SeatName, SheetWords, StandingWords
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import Flag, Whole, field_text, record
from adjudicator.mechanics.cards import BACK, Deck, face_down, new_deck
from adjudicator.mechanics.cards import draw as draw_cards
from adjudicator.mechanics.standing import StandingParts
from adjudicator.render import render, render_card, render_grid, render_hexes, render_table
from adjudicator.render.scenes import (
    CardFace,
    Chair,
    GridScene,
    Heap,
    HexScene,
    Pile,
    ProvinceScene,
    TableCard,
    TableScene,
)

P = TypeVar("P", bound=PlayedBy)
S = TypeVar("S", bound=SheetWords)
E = TypeVar("E")

NO_DESK: Desk[Any] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    pasted=None,
    cautions=None,
    unasked=None,
    plans=None,
    stands=None,
    prices=None,
    meanings=None,
    walks=None,
    beside=None,
)
"""An empty `Ruleset.desk`: the order desk makes its form from the sheet's type, and knows nothing else about the game."""


@record
class NoRules:
    """The `settings` of a game without house rules."""


def by_score(ending: Ending) -> str:
    """How a game with a score ended: `won by West, Round 5`, `won by East and West, Round 5` or `nobody won, Round 5`.

    Other endings are worded by `ended`.
    """
    if ending.how != "score":
        return ended(ending)
    return f"won by {join_words(ending.winners)}, {ending.when}" if ending.winners else f"nobody won, {ending.when}"


def words_of(
    facts: Facts[E],
    tell: Callable[[P, Verdict], str],
    *,
    quiet: str,
    plain: int,
    ended: Callable[[Ending], str] = by_score,
) -> Words[P, E]:
    """Make a game's `Words` from the sentences that its facts' records declare. `tell` returns the sentence for a verdict."""
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


def secrets(
    position: type[P],
    facts: Facts[E],
    *,
    public_roll: Callable[[str], bool],
    brief: Callable[[P, SeatId], tuple[str, ...]],
    lengths: Lengths,
) -> Secrecy[P, E]:
    """Make a game's `Secrecy` from its types: the fields of the position name their readers, and the records of facts name their hearers."""
    return Secrecy(
        seen_by=views(position),
        heard_by=heard_by(facts),
        public_roll=public_roll,
        brief=brief,
        lengths=lambda settings: lengths,
    )


def small_ruleset(
    file: str,
    about: About,
    *,
    seats: tuple[SeatId, ...],
    position: type[P],
    sheet: type[S],
    facts: Facts[E],
    setup: Callable[[Any, Dice], P],
    when: Callable[[P], str],
    check: Callable[[P, SeatId, S], tuple[Remark, ...]],
    options: Callable[[P, SeatId], Iterable[S]],
    resolve: Callable[[P, Mapping[SeatId, S], Dice], Resolution[P, E]],
    tell: Callable[[P, Verdict], str],
    draw: Callable[[P, Resolution[P, E] | None], Any],
    score: tuple[str, Callable[[P], Mapping[SeatId, int]]],
    secrecy: Secrecy[P, E] | None,
    settings: type[Any] = NoRules,
    faults: Callable[[P], Iterable[Remark]] = lambda position: (),
    paint: Callable[[Any], str] = render_table,
    quiet: str = "Nothing happened.",
    stand_in: StandIn[P, S] | None = None,
) -> Ruleset[P, S, E]:
    """Make a ruleset whose turns are all alike: in each, every seat owes a sheet of the same type. The score is a number for each seat.

    `file` is the module's `__file__`; the examples are in `cases/*.yaml` beside it. `score` is the score's name and a function that
    returns every seat's score in a view; the tally and the chart show it. Facts of weight 0 are folded. Without `stand_in`, stand-ins
    play at random. For a game that needs more, write the `Ruleset` in full, or change the result with `dataclasses.replace`.
    """
    name, count = score

    def chart(views: Iterable[P]) -> tuple[Chart, ...]:
        counts = [count(view) for view in views]
        labels = tuple(str(number) for number in range(1, len(counts) + 1))
        return (Chart(name, name.lower(), labels, {seat: tuple(each[seat] for each in counts) for seat in seats}),)

    whole: Ruleset[P, S, E] = Ruleset(
        about=about,
        folder=Path(file).parent,
        types=Types(
            position=position,
            event=facts.union,
            settings=settings,
            verdict=Verdict,
            sheets={"sheet": sheet},
            sheet=one_sheet(sheet),
        ),
        rules=Rules(
            seats=lambda settings: seats,
            setup=setup,
            due=lambda view: frozenset(seats),
            when=when,
            kind=lambda view: "round",
            kinds=("round",),
            check=check,
            options=options,
            resolve=resolve,
            faults=faults,
        ),
        words=words_of(facts, tell, quiet=quiet, plain=1),
        pictures=Pictures(draw=draw, paint=paint),
        tables=Tables(
            tally=lambda view: (Table(name, ("Seat", name), tuple(count(view).items())),),
            chart=chart,
            reports=no_reports,
            chapters=no_chapters,
        ),
        cards=None,
        secrecy=secrecy,
        desk=NO_DESK,
        stand_in=stand_in or StandIn(mind=Worth(at_random), party=the_seat),
        host_files=None,
        decisions=None,
        exchange=None,
        ahead=None,
        examples=lambda: turns(whole),
    )
    return whole


__all__ = [
    "BACK",
    "EVERYBODY",
    "ITS_SEAT",
    "NO_DESK",
    "About",
    "Blank",
    "BySeat",
    "CardFace",
    "Chair",
    "Chapter",
    "Chart",
    "Choice",
    "Deck",
    "Desk",
    "Dice",
    "Draft",
    "Ending",
    "Everybody",
    "Example",
    "Facts",
    "Flag",
    "GridScene",
    "Heap",
    "Hearers",
    "HexScene",
    "InFull",
    "Joint",
    "Lengths",
    "Lines",
    "Mine",
    "Misfit",
    "NoRules",
    "Nobody",
    "Owner",
    "Pictures",
    "Pile",
    "ProvinceScene",
    "Remark",
    "Report",
    "Resolution",
    "Rules",
    "Ruleset",
    "Say",
    "SeatId",
    "SeatName",
    "Secrecy",
    "SheetWords",
    "Side",
    "StandIn",
    "StandingParts",
    "StandingWords",
    "Table",
    "TableCard",
    "TableScene",
    "Tables",
    "Timeline",
    "Types",
    "Verdict",
    "Whole",
    "Words",
    "Worth",
    "Writer",
    "at_random",
    "by_its_own_name",
    "by_score",
    "by_seat",
    "draw_cards",
    "ended",
    "face_down",
    "fact",
    "field_text",
    "heard_by",
    "instead",
    "join_words",
    "made",
    "many",
    "new_deck",
    "no_chapters",
    "no_parts",
    "no_reports",
    "one_sheet",
    "only",
    "record",
    "render",
    "render_card",
    "render_grid",
    "render_hexes",
    "render_table",
    "secrets",
    "shown",
    "small_ruleset",
    "the_seat",
    "turns",
    "views",
    "whose",
    "words_of",
    "wrong_turns",
]
