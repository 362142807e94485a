"""The part of a seat's dispatch for its order desk, after the news: the seat's options, its forms, its map.

It is a second document in the dispatch, on one line of JSON. Everything in it follows from the seat's view and from the facts that the seat
heard, which the news already lists. It is therefore not evidence, and `turn.yaml` has no digest of it. The desk reads the facts from the
news, and compares the digest of the news with the one in `turn.yaml`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Annotated, Any, TypedDict

from adjudicator.core.contract.cautions import Caution
from adjudicator.core.contract.forms import WORDS, Field, Offered, form_for, offered
from adjudicator.core.contract.prices import Prices
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.said import Said
from adjudicator.core.turn.desk import listed, seat_part

MARK = b"--- # For the order desk. It follows from what stands above.\n"
"""The line between the news and the aside; canonical YAML contains no such line."""
SCHEMA = 2
GROUPS = re.compile(r"<[^/<][^<]*(?:</[^<]*)*")
"""Parts of a picture that are compared first: the beginning of an element, with the closing tags that follow it."""
PIECES = re.compile(r'[<{};" ][^<{};" ]*|[^<{};" ]+')
"""Pieces of a picture: an element, an attribute or a style rule takes several, and each element begins a new one. The desk uses the same pattern."""


class OwnMap(TypedDict):
    """A seat's map, as its differences from the map that everybody sees at the desk."""

    base: str
    """SHA-256 of the picture that the edits apply to."""
    edits: list[tuple[int, int, str]]
    """In the order of the picture: how many pieces are kept, how many are then removed, and the text that replaces them."""


class Aside(TypedDict):
    """The part of a seat's dispatch for its desk."""

    schema: int
    game: str
    turn: str
    seat: str
    form: list[str | Field]
    """The form of its sheet; a field that everybody knows is given by its key only."""
    options: Mapping[str, list[str]]
    """Key of a field -> its legal values, as far as the seat can know them."""
    without: list[str]
    """Sentences about what happens without orders."""
    cautions: list[Annotated[Mapping[str, Any], Said(Caution)]]
    stands: Mapping[str, list[str]]
    """Key of a field -> lines of earlier sheets that still apply."""
    prices: Annotated[Mapping[str, Any], Prices] | None
    meanings: Mapping[str, str]
    """Words in its orders -> their meanings."""
    map: OwnMap | None
    """None if it did not fit into the dispatch."""


@dataclass(frozen=True, slots=True)
class Asides:
    """A seat's aside, and shorter ones in case the dispatch is too small for it. Iteration begins with the longest."""

    whole: Aside
    still: OwnMap
    """Its map without the events of the turn before."""

    def __iter__(self) -> Iterator[Aside]:
        yield self.whole
        yield {**self.whole, "map": self.still}
        yield {**self.whole, "map": None}


def asides_for(
    rules: Ruleset[Any, Any, Any],
    game: str,
    turn: str,
    position: Any,
    heard: Mapping[str, tuple[Any, ...]],
    without: Collection[str] = WORDS,
) -> dict[str, Asides]:
    """Make the asides of each seat for the turn that begins with `position`.

    `heard` lists, for each seat, the facts that it heard about the turn before; they appear on its map. `without` names fields of sheets that
    the game does not use.
    """
    draw, paint = rules.pictures.draw, rules.pictures.paint
    public = rules.view(position, None)
    scene = draw(public, None).to_click()
    common, places = paint(scene), sorted(set(scene.names.values()))
    asides: dict[str, Asides] = {}
    for seat, facts in heard.items():
        view = rules.view(position, seat)
        options = offered(rules.rules.options(view, seat))
        known = form_for(
            rules, public, seat, offered(rules.rules.options(public, seat)), places, listed=False, without=without
        )
        fields = form_for(rules, public, seat, options, places, listed=True, sure=False, without=without)
        part = seat_part(rules, view, seat, listed(options, None), told=True)
        own, still = (paint(draw(view, Resolution(view, (), seen, None)).to_click()) for seen in (facts, ()))
        aside: Aside = {
            "schema": SCHEMA,
            "game": game,
            "turn": turn,
            "seat": seat,
            "form": [field["key"] if field in known else field for field in fields if asks(field, options)],
            **part,
            "meanings": dict(rules.desk.meanings(view, seat)) if rules.desk.meanings is not None else {},
            "map": own_map(common, own),
        }
        asides[seat] = Asides(aside, own_map(common, still))
    return asides


def asks(field: Field, options: Offered) -> bool:
    """True if a seat's form should show a field. A list of records is left out if no legal sheet of the turn fills it."""
    return field["kind"] != "records" or field["key"] in options.keys


def own_map(common: str, own: str) -> OwnMap:
    """`own` as edits of `common`, the map that everybody can see."""
    before, after = GROUPS.findall(common), GROUPS.findall(own)
    assert "".join(before) == common
    assert "".join(after) == own
    edits, stay = [], 0
    # Closing tags all look alike, so each would match every other. Comparing groups first avoids that.
    for kind, begin, end, start, to in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = (PIECES.findall("".join(groups)) for groups in (before[begin:end], after[start:to]))
        if kind == "equal":
            stay += len(old)
            continue
        for how, here, there, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if how == "equal":
                stay += there - here
            else:
                edits.append((stay, there - here, "".join(new[first:last])))
                stay = 0
    return {"base": hashlib.sha256(common.encode()).hexdigest(), "edits": edits}


def with_aside(news: bytes, aside: Aside) -> bytes:
    """A dispatch's text: the news followed by the aside."""
    return news + MARK + json.dumps(aside, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def news_alone(text: bytes) -> bytes:
    """A dispatch's news, without its aside if it has one."""
    return text.partition(MARK)[0]
