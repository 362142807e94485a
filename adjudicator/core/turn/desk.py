"""The data of an order desk that follows from a position, and whole desks for lessons and tables, which send nothing.

The `desk.json` of a running game is made from the public view; the desk of a lesson or a table is made from its seat's view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.cautions import plain_caution
from adjudicator.core.contract.forms import SHARED, Field, Offered, form_for, offered
from adjudicator.core.contract.lines import MOST_WORDS, Blank, Lines, Spelling
from adjudicator.core.contract.plans import Plans
from adjudicator.core.contract.prices import plain_prices
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.game.game import seat_file
from adjudicator.core.secrets.age import MOST_RECIPIENTS
from adjudicator.core.secrets.envelope import OPEN_WIDTH, Width
from adjudicator.core.text.yamltext import WIDTH
from adjudicator.core.turn.desk_data import (
    BoardPart,
    DeskFile,
    Limits,
    SeatEntry,
    SeatPart,
    WrittenLines,
    WrittenPlans,
)
from adjudicator.core.turn.sheets import MOST_BYTES, MOST_SHEETS

SCHEMA = 1
LIMITS: Limits = {
    "keys": MOST_RECIPIENTS,
    "sheets": MOST_SHEETS,
    "letters": ORDER_LETTERS,
    "bytes": MOST_BYTES,
    "line": WIDTH,
    "words": MOST_WORDS,
}
NOTHING: SeatPart = {"options": {}, "without": [], "cautions": [], "stands": {}, "prices": None}
"""The `SeatPart` of a seat that a desk is not for."""


def board_part(rules: Ruleset[Any, Any, Any], view: Any, names: list[str], beside: Beside | None) -> BoardPart:
    """The part of a desk that is the same for every seat: the board's `names`, how orders are written, and orders other than those to units."""
    on_foot = rules.desk.walks(view) if rules.desk.walks is not None else None
    return {
        "names": names,
        "spelling": asdict(rules.desk.spelling(view) if rules.desk.spelling is not None else Spelling(words={})),
        "lines": written(rules.desk.lines(view)) if rules.desk.lines is not None else None,
        "plans": written_plans(rules.desk.plans(view)) if rules.desk.plans is not None else None,
        "walks": asdict(on_foot) if on_foot is not None else None,
        "beside": asdict(beside) if beside is not None else None,
    }


def seat_part(
    rules: Ruleset[Any, Any, Any], view: Any, seat: str, options: Mapping[str, list[str]], *, told: bool
) -> SeatPart:
    """The part of a desk for one seat, made from a view and the seat's legal `options`; with `told` it may include the seat's secrets."""
    desk = rules.desk
    priced = desk.prices(view, seat) if told and desk.prices is not None else None
    stands = desk.stands(view, seat) if told and desk.stands is not None else {}
    cautions = desk.cautions(view, seat) if desk.cautions is not None else ()
    empty = rules.sheet_for(view, seat)()
    return {
        "options": options,
        "without": [remark.what for remark in rules.rules.check(view, seat, empty)] if told else [],
        "cautions": [plain_caution(caution) for caution in cautions],
        "stands": {key: list(lines) for key, lines in stands.items()},
        "prices": plain_prices(priced) if priced is not None else None,
    }


def listed(offers: Offered, bid: str | None) -> dict[str, list[str]]:
    """Key of a field -> the legal lines it offers. The field with the key `bid` is left out, because all seats share its lines."""
    return {key: lines for key, lines in offers.texts.items() if lines and key != bid}


def beside_at(rules: Ruleset[Any, Any, Any], view: Any) -> Beside | None:
    """Orders other than those to a seat's own units, in games that have any; otherwise None."""
    return rules.desk.beside(view) if rules.desk.beside is not None else None


def key_of_bids(beside: Beside | None) -> str | None:
    """The key of the field for bids; None if there are no bids. All seats share its legal lines, so that no seat's options repeat them."""
    return beside.bidding.key if beside is not None and beside.bidding is not None else None


def desk_alone(
    rules: Ruleset[Any, Any, Any],
    view: Any,
    seats: tuple[str, ...],
    seat: str,
    own: SeatPart,
    fields: list[Field],
    names: list[str],
    *,
    game: str,
    turn: str,
    title: str,
    phase: str,
) -> DeskFile:
    """A desk for one seat, built from its view and its `own` part. It sends nothing and contains no other seat's part."""
    beside = beside_at(rules, view)
    if beside is not None:
        purses = {name: purse for name, purse in beside.purses.items() if name == seat}
        persons = {name: persons for name, persons in beside.persons.items() if name == seat}
        beside = replace(beside, purses=purses, persons=persons)
    entries: list[SeatEntry] = [
        {
            "name": name, "file": seat_file(name), "player": "", "account": None, "open": False, "join": None, "next": 1,
            "sent": 0, "owes": False, "form": 0, "key": None, "news": None, "happened": [],
            **(own if name == seat else NOTHING),
        }
        for name in seats
    ]  # fmt: skip
    return {
        "schema": SCHEMA,
        "archive": None,
        "forge": None,
        "doors": [],
        "game": game,
        "folder": f"games/{game}",
        "title": title,
        "ruleset": rules.about.title,
        "turn": turn,
        "phase": phase,
        "before": None,
        "deadline": None,
        "paused": False,
        "hidden": rules.secrecy is not None,
        "judge": False,
        "attempt": None,
        "limits": LIMITS,
        "width": asdict(Width(step=OPEN_WIDTH, least=OPEN_WIDTH, most=OPEN_WIDTH)),
        "recipient": None,
        "ahead": None,
        "host": None,
        "letters": None,
        "seats": entries,
        "forms": [fields],
        **board_part(rules, view, names, beside),
    }


def desk_at_table(
    rules: Ruleset[Any, Any, Any], position: Any, seats: tuple[str, ...], seat: str, title: str
) -> tuple[DeskFile, str]:
    """Make a seat's desk at a table from the seat's view. Return it with the picture of the board.

    At a table, turns are judged when the players decide, and no sheet carries over to a later turn. Fields that only an archive uses are
    therefore left out.
    """
    view = rules.view(position, seat)
    scene = rules.pictures.draw(view, None).to_click()
    names = sorted(set(scene.names.values()))
    offers = offered(rules.rules.options(view, seat))
    own = seat_part(rules, view, seat, listed(offers, key_of_bids(beside_at(rules, view))), told=True)
    sure, public = rules.secrecy is None, rules.view(position, None)
    fields = form_for(rules, public, seat, offers, names, listed=True, sure=sure)
    fields = [field for field in fields if field["key"] not in SHARED]
    data = desk_alone(
        rules, view, seats, seat, own, fields, names,
        game="table", turn="table", title=title, phase=rules.when(position),
    )  # fmt: skip
    return data, rules.pictures.paint(scene)


def written(lines: Lines) -> WrittenLines:
    """Convert the forms of orders, and the possible values of their blanks, to plain data."""
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
    """Convert the lists whose lines are tried in order, and the possible values of their blanks, to plain data."""
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
    """The blanks as plain data, without their empty settings."""
    return {name: {key: value for key, value in asdict(blank).items() if value} for name, blank in blanks.items()}
