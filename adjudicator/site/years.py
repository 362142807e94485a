"""Games by the year of their end. Games beyond the limit of the home page go to a page or a site for their year."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Charter, GameKind
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.yamltext import read
from adjudicator.site.home import Card
from adjudicator.site.markup import item_list, link, tag

MOST = 120
"""Most finished games on the home page; if there are more, each year's games get a page."""
PAGE = re.compile(r"games-[0-9]{4}\.html")
HEAD = 4096
"""Number of leading bytes of a turn's file, enough to include the time it was closed."""
OPENED = re.compile(rb"^opened: [\"']?([0-9]{4})-", re.MULTILINE)
CLOSED = re.compile(rb"^closed: [\"']?([0-9]{4})-", re.MULTILINE)


def page_of(year: str) -> str:
    """The page of a year's games."""
    return f"games-{year}.html"


def year_of(archive: Archive, slug: str) -> str | None:
    """The year of a game's end, as on its card; None while it runs. Reads the beginnings of two files."""
    folder, names = archive.game_folder(slug), archive.turns(slug)
    try:
        game = archive.files.read(folder / "game.yaml")
        if not names or not (
            archive.has_ended(slug) or (b"record" in game and _said(game).get("kind") == GameKind.RECORD)
        ):
            return None
        closed = CLOSED.search(archive.files.start(folder / names[-1] / "turn.yaml", HEAD)) or OPENED.search(game)
        return closed[1].decode() if closed is not None else str(_said(game).get("opened"))[:4]
    except (OSError, Problems):
        return None  # its fault is reported where it is read


def _said(game: bytes) -> dict[str, object]:
    """The contents of a game.yaml, which people write in many ways. Raises `Problems`."""
    data = read(game, "game.yaml").data
    return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}


def sites_of(charter: Charter | None) -> Mapping[str, str]:
    """Year -> address of its site, ending in a slash. Raises `Problems` for an invalid year or address."""
    faults = []
    years = (charter.years or {}) if charter is not None else {}
    for year, address in years.items():
        if not re.fullmatch("[0-9]{4}", year):
            faults.append(f"{year!r:.20} is not a year")
        if not is_address(address):
            faults.append(f"{address!r:.80} is not the address of a site")
    if charter is not None and charter.main is not None and not is_address(charter.main):
        faults.append(f"{charter.main!r:.80} is not the address of a site")
    if faults:
        right = "write it like `years: {2025: https://anna.github.io/games-2025/}`"
        raise Problems(Problem("games/archive.yaml", 0, 0, fault, right) for fault in faults)
    return {year: address.rstrip("/") + "/" for year, address in sorted(years.items())}


def is_address(text: str) -> bool:
    """True if `text` is the address of a site."""
    return re.fullmatch(r"https?://[^\s\"'<>]+", text) is not None


@dataclass(frozen=True, slots=True)
class Shown:
    """The games on the home page, and those that are elsewhere."""

    cards: tuple[Card, ...]
    years: Mapping[str, tuple[Card, ...]]
    """Year -> its games, for the years that have a page."""


def shown_of(cards: Iterable[Card]) -> Shown:
    """Choose the games for the home page: all of them or, if too many are over, only the latest of those, with a page for each year."""
    cards = sorted(cards, key=lambda card: (card.time, card.slug), reverse=True)
    over = [card for card in cards if card.state != "running"]
    if len(over) <= MOST:
        return Shown(tuple(cards), {})
    latest = {card.slug for card in over[:MOST]}
    years: dict[str, list[Card]] = {}
    for card in over:
        years.setdefault(card.time[:4], []).append(card)
    here = tuple(card for card in cards if card.state == "running" or card.slug in latest)
    return Shown(here, {year: tuple(them) for year, them in sorted(years.items())})


def other_games(shown: Shown, sites: Mapping[str, str], main: str | None, own: str | None) -> Markup | None:
    """Links to games on other pages and sites; `own` is the year of this site, if it has only one."""
    ways = [link("Games that are running now", main)] if main is not None else []
    elsewhere = {*sites} - {own or ""}
    for year in sorted({*shown.years, *elsewhere}, reverse=True):
        if year in shown.years:
            ways.append(link(f"All games of {year}", page_of(year)) + f" ({many(len(shown.years[year]), 'game')})")
        if year in elsewhere:
            ways.append(link(f"Games of {year}, on a separate site", sites[year]))
    if not ways:
        return None
    return tag("section", tag("h2", "More games"), item_list(ways), id="more-games")
