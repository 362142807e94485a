"""What the order desk needs of a running game, as data: seats, legal orders, spellings, the turn's key.

The desk is a page of its own (`desk.html`) that reads `games/GAME/desk.json` and `games/GAME/desk.svg`. Only what the
public may know goes into either.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.cautions import plain_caution
from adjudicator.core.contract.forms import Field, form_for, offered
from adjudicator.core.contract.lines import MOST_WORDS, Blank, Lines, Spelling
from adjudicator.core.contract.plans import Plans
from adjudicator.core.contract.prices import plain_prices
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.game.forges import WAYS, Place
from adjudicator.core.game.game import Charter, seat_file
from adjudicator.core.game.join import Holder, holders
from adjudicator.core.jobs.intake import MOST_BYTES
from adjudicator.core.secrets.age import MOST_RECIPIENTS, canonical_key
from adjudicator.core.text.unseen import KINDS, ranges
from adjudicator.core.text.yamltext import WIDTH
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.sheets import MOST_SHEETS, holder, read_name, sealed_attempt, sheet_files
from adjudicator.site.desk_data import (
    DeskFile,
    ForgeWays,
    Limits,
    OpenGame,
    SeatEntry,
    UnseenTable,
    WrittenLines,
    WrittenPlans,
)
from adjudicator.site.engine import has_engine
from adjudicator.site.seats import join_file
from adjudicator.site.story import Story

NAMED = frozenset(KINDS) - {"unknown", "half", "private"}
"""Kinds of unseen characters that have names."""


LIMITS: Limits = {
    "keys": MOST_RECIPIENTS,
    "sheets": MOST_SHEETS,
    "letters": ORDER_LETTERS,
    "bytes": MOST_BYTES,
    "line": WIDTH,
    "words": MOST_WORDS,
}


def desk_files(story: Story, charter: Charter | None) -> dict[str, str]:
    """The desk's files of a game whose turn is open, by their names; none for any other game."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None:
        return {}
    game, rules = story.game, story.game.ruleset
    position = story.position(turn)
    before = story.turns[-2] if len(story.turns) > 1 else None
    numbers: dict[str, int] = {}
    for path in sheet_files(story.archive, turn.folder):
        file = read_name(game, path.name)
        if file is not None:
            numbers[file.seat] = max(numbers.get(file.seat, 0), file.number)
    scene = rules.pictures.draw(position, None).to_click()
    names = sorted(set(scene.names.values()))
    everything = {seat: offered(rules.rules.options(position, seat)) for seat in game.seats}
    listed = any(offers.any for offers in everything.values())
    answers = holders(game, turn.data.players, begun=True)
    shut = {Holder.JOINABLE} if game.data.join is None else {Holder.JOINABLE, Holder.NOBODY}
    beside = rules.desk.beside(position) if rules.desk.beside is not None else None
    on_foot = rules.desk.walks(position) if rules.desk.walks is not None else None
    bid = key_of_bids(beside)
    seats: list[SeatEntry] = []
    forms: list[list[Field]] = []
    for seat in game.seats:
        person = holder(game, turn.data, seat)
        called = rules.words.called(position, seat)
        offers = everything[seat]
        asked = form_for(rules, position, seat, offers, names, listed=listed)
        if asked not in forms:
            forms.append(asked)
        seats.append(
            {
                "name": seat,
                "file": seat_file(seat),
                "player": person.player if called is None else f"{person.player}, as {called}",
                "account": person.account,
                "open": answers[seat] in shut,
                "join": join_file(game, seat, charter) if answers[seat] is Holder.JOINABLE else None,
                "next": min(numbers.get(seat, 0) + 1, MOST_SHEETS),
                "sent": numbers.get(seat, 0),
                "owes": seat in turn.data.owing,
                "form": forms.index(asked),
                "without": []
                if rules.secrecy is not None
                else [r.what for r in rules.rules.check(position, seat, rules.sheet_for(position, seat)())],
                "options": {key: lines for key, lines in offers.texts.items() if lines and key != bid},
                "key": canonical_key(person.key) if person.key is not None and rules.secrecy is not None else None,
                "news": (turn.data.dispatches or {}).get(seat),
                "stands": stands_for(rules, position, seat),
                "happened": happened_to(story, before, seat),
                "prices": prices_for(rules, position, seat),
                "cautions": [plain_caution(one) for one in rules.desk.cautions(position, seat)]
                if rules.desk.cautions
                else [],
            }
        )
    data: DeskFile = {
        "schema": 1,
        "archive": charter.archive if charter else None,
        "forge": forge_ways(charter.place if charter else None),
        "doors": [door.value for door in charter.open_doors] if charter else [],
        "game": game.name,
        "folder": game.home,
        "title": game.title,
        "ruleset": rules.about.title,
        "turn": turn.name,
        "phase": turn.data.phase,
        "before": {"turn": before.name, "phase": before.data.phase} if before is not None else None,
        "deadline": turn.data.deadline,
        "paused": turn.data.paused,
        "hidden": rules.secrecy is not None,
        "judge": has_engine(),
        "attempt": sealed_attempt(turn.data),
        "limits": LIMITS,
        "width": asdict(sheet_width(game, turn.data)),
        "recipient": turn.data.seal.recipient if turn.data.seal else None,
        "seats": seats,
        "forms": forms,
        "names": names,
        "spelling": asdict(rules.desk.spelling(position) if rules.desk.spelling is not None else Spelling(words={})),
        "lines": written(rules.desk.lines(position)) if rules.desk.lines is not None else None,
        "plans": written_plans(rules.desk.plans(position)) if rules.desk.plans is not None else None,
        "walks": asdict(on_foot) if on_foot is not None else None,
        "beside": asdict(beside) if beside is not None else None,
    }
    picture = rules.pictures.paint(scene)
    return {"desk.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "desk.svg": picture}


def forge_ways(place: Place | None) -> ForgeWays | None:
    """The pages and questions of the forge where an archive lives; None if it does not say where."""
    if place is None:
        return None
    ways = {way: place.template(way) for way in WAYS if way in ForgeWays.__annotations__}
    return cast("ForgeWays", {"name": place.kind.name, "bot": place.kind.bot, **ways})


def stands_for(rules: Ruleset[Any, Any, Any], position: Any, seat: str) -> dict[str, list[str]]:
    """What stands of a seat's earlier sheets, where everybody may know it; where not, its news tells."""
    if rules.secrecy is not None or rules.desk.stands is None:
        return {}
    return {key: list(lines) for key, lines in rules.desk.stands(position, seat).items()}


def happened_to(story: Story, before: Turn | None, seat: str) -> list[tuple[str, bool]]:
    """What became of a seat's orders in the turn before, where everybody may know it; its news tells where not."""
    rules = story.game.ruleset
    if before is None or rules.secrecy is not None:
        return []
    position = story.position(before)
    return [(rules.words.tell(position, one), one.ok) for one in before.data.verdicts if one.seat == seat]


def prices_for(rules: Ruleset[Any, Any, Any], position: Any, seat: str) -> dict[str, Any] | None:
    """What a seat's orders take, where everybody may know it."""
    priced = rules.desk.prices(position, seat) if rules.secrecy is None and rules.desk.prices is not None else None
    return plain_prices(priced) if priced is not None else None


def published_dispatches(story: Story) -> dict[str, Path]:
    """The dispatches of an open turn, each sealed to its seat's own key: address within the game's folder -> file."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None or story.game.ruleset.secrecy is None:
        return {}
    files = {f"{turn.name}/dispatches/{seat_file(seat)}.age" for seat in story.game.seats}
    folder = turn.folder.parent
    return {name: folder / name for name in sorted(files) if story.archive.files.is_file(folder / name)}


def open_game(story: Story) -> OpenGame | None:
    """A game's entry in `games/desks.json`; None if it has no desk."""
    if story.ending is not None or story.last.data.status != "open":
        return None
    return {"game": story.slug, "title": story.game.title, "phase": story.last.data.phase}


def unseen_table() -> str:
    """`assets/unseen.json`: the characters that no sheet may hold, so that the desk refuses what the archive would."""
    numbers = (code for first, last, kind in ranges() if kind in NAMED for code in range(first, last + 1))
    names = {f"{code:04X}": name for code in numbers if (name := unicodedata.name(chr(code), ""))}
    data: UnseenTable = {"kinds": KINDS, "ranges": ranges(), "names": names}
    return json.dumps(data, separators=(",", ":")) + "\n"


def key_of_bids(beside: Beside | None) -> str | None:
    """The key of the field whose legal lines all seats share, so that no seat's options repeat them."""
    return beside.bidding.key if beside is not None and beside.bidding is not None else None


def written(lines: Lines) -> WrittenLines:
    """The forms of orders and what may stand in their blanks."""
    once = dict(lines.once) if lines.once is not None else None
    return {
        "forms": dict(lines.forms),
        "blanks": _said(lines.blanks),
        "once": once,
        "also": dict(lines.also),
        "around": lines.around,
        "says": lines.says,
    }


def written_plans(plans: Plans) -> WrittenPlans:
    """The lists whose lines are tried in order, and what may stand in their blanks."""
    lists = {key: asdict(plan) for key, plan in plans.lists.items()}
    told = {seat: {key: list(lines) for key, lines in said.items()} for seat, said in plans.told.items()}
    return {
        "lists": lists,
        "blanks": _said(plans.blanks),
        "names": dict(plans.names),
        "titles": dict(plans.titles),
        "about": dict(plans.about),
        "told": told,
        "cards": {seat: [asdict(card) for card in cards] for seat, cards in plans.cards.items()},
    }


def _said(blanks: Mapping[str, Blank]) -> dict[str, dict[str, Any]]:
    """Of each blank only what is said."""
    return {name: {key: value for key, value in asdict(blank).items() if value} for name, blank in blanks.items()}
