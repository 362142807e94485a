"""Writing games: the pages from their shells, and the data about each that the lists of all games keep."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.site.calendars import NAME as CALENDAR
from adjudicator.site.calendars import Deadline, calendar, entry_of, is_dated
from adjudicator.site.cards import Did, did_in, has_own_cards, shipped_pages
from adjudicator.site.desk import open_game, published_dispatches
from adjudicator.site.desk_data import OpenGame
from adjudicator.site.feeds import FEED_OF_ALL, Entry, Feed, feed, game_feed, newest_entries, player_feeds
from adjudicator.site.game_files import GameFiles
from adjudicator.site.home import Card, card_of, games_list
from adjudicator.site.markup import link, tag
from adjudicator.site.mkdocs.head import Head, game_heads
from adjudicator.site.mkdocs.search import Entry as SearchEntry
from adjudicator.site.mkdocs.search import Found, game_entry, page_entry, turn_entries
from adjudicator.site.people import DATA as PEOPLE_DATA
from adjudicator.site.people import EVERYBODY, Part, about, name_in, parts_of, people_data, people_page, person_page
from adjudicator.site.records import DATA as RECORDS_DATA
from adjudicator.site.records import PAGE as RECORDS
from adjudicator.site.records import Record, records_data, records_page
from adjudicator.site.seats import gathering_page, when_it_opens
from adjudicator.site.story import Story
from adjudicator.site.years import page_of

TITLE, BODY, ADDRESS = "COURTLYTITLE", "COURTLYBODY", "COURTLYADDRESS"
MARKS = re.compile(f"{TITLE}|{ADDRESS}")
SITEMAP = "sitemap.xml"
"""The file beside a game's pages that lists their addresses."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The data about a game that the lists of all games keep, in few bytes."""

    slug: str
    card: Card
    desk: OpenGame | None
    feeds: tuple[Feed, ...]
    """The feeds of its players."""
    found: SearchEntry
    """The game's search entry."""
    did: Mapping[str, Did] | None
    """Card of the ruleset's set -> its deeds; None for a game without cards, or with a custom set."""
    ruleset: str
    people: tuple[Part, ...]
    """Everybody who had a seat."""
    record: Record | None
    """The record of a finished game."""
    due: Deadline | None
    """The deadline of a running game's open turn."""

    def plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {**asdict(self), "card": {**asdict(self.card), "markup": str(self.card.markup)}}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Kept:
        """Make it from the data that `plain` returns."""
        card = plain["card"]
        did = plain["did"]
        return cls(
            slug=plain["slug"],
            card=Card(
                **{
                    **card,
                    "markup": Markup(card["markup"]),  # noqa: S704 - our markup from an earlier build
                    **{name: tuple(card[name]) for name in ("ruleset", "size", "open")},
                }
            ),
            desk=plain["desk"],
            feeds=tuple(Feed(**one) for one in plain["feeds"]),
            found=plain["found"],
            did=None if did is None else {name: Did(**one) for name, one in did.items()},
            ruleset=plain["ruleset"],
            people=tuple(Part(**one) for one in plain["people"]),
            record=None if plain["record"] is None else Record.of(plain["record"]),
            due=None
            if plain["due"] is None
            else Deadline(**{**plain["due"], "players": tuple(plain["due"]["players"])}),
        )


@dataclass(frozen=True, slots=True)
class Newest:
    """A game's newest turns, for feeds and for searching."""

    entries: tuple[Entry, ...]
    turns: tuple[Found, ...]

    def text(self) -> str:
        """Return it as JSON."""
        return json.dumps({"entries": [asdict(one) for one in self.entries], "turns": self.turns}, ensure_ascii=False)

    @classmethod
    def of(cls, text: bytes) -> Newest:
        """Make it from the JSON that `text` returns."""
        data = json.loads(text)
        turns = tuple((time, slug, name, entry) for time, slug, name, entry in data["turns"])
        return cls(tuple(Entry(**one) for one in data["entries"]), turns)


class Written:
    """Writes pages into the site."""

    def __init__(
        self,
        files: Files,
        site: Path,
        shells: Mapping[int, str],
        base: str,
        published: str | None,
        name: str,
        picture: str | None,
    ) -> None:
        """`files` reads and writes the site's folder; `base` is its address and ends in a slash; `published` is that address, if it is known.

        `picture` is the address of the picture for links to pages that belong to no game.
        """
        self.files, self.site, self.shells, self.base = files, site, shells, base
        self.published, self.name, self.picture = published, name, picture
        self.addresses: list[str] = []
        """Addresses of the pages that belong to no game."""

    def add(self, story: Story, files: GameFiles) -> tuple[Kept, Newest]:
        """Writes a game's files and removes its old ones, except those that stay; returns the data for the lists."""
        titles = [(address, title) for address, (title, _) in files.pages.items()]
        heads = game_heads(story, self.published, titles, files.cards)
        # Everything that can fail comes before the first file, because half a game is not published.
        card, desk, own = card_of(story, "", files.board), open_game(story), game_feed(story)
        told = feed(own.title, own.address, [story], self.base, pictures=self.picture is not None)
        dispatches = {name: story.archive.files.read(path) for name, path in published_dispatches(story).items()}
        did = None if has_own_cards(story) else did_in(story)
        newest = Newest(tuple(newest_entries(story)), tuple(turn_entries(story)))
        kept = Kept(
            story.slug,
            card,
            desk,
            player_feeds(story),
            game_entry(story),
            did or None,
            story.game.ruleset.about.slug,
            parts_of(story),
            files.record,
            None if story.ending or story.record else entry_of(story, story.last),
        )
        folder = self.site / "games" / story.slug
        beside = {f"games/{story.slug}/{name}": data for name, data in dispatches.items()}
        if is_dated(story):
            deadlines = [one for turn in story.turns if (one := entry_of(story, turn)) is not None]
            beside[f"games/{story.slug}/{CALENDAR}"] = calendar(story.game.title, deadlines, self.base)
        beside |= {own.address: told, f"games/{story.slug}/{SITEMAP}": sitemap(self.base, files.pages)}
        self._remove_others(folder, {*files.pages, *files.others, *files.cards, *beside})
        for address, (_, body) in files.pages.items():
            if body is not None:
                self.write_page(address, heads[address], body)
        for address, text in files.others.items():
            if text is not None:
                put(self.files, self.site / address, text.encode())
        for address, data in beside.items():
            put(self.files, self.site / address, data)
        return kept, newest

    def _remove_others(self, folder: Path, wanted: Container[str]) -> None:
        """Removes files from the site that the game no longer has."""
        for path, kind in sorted(self.files.below(folder), reverse=True):
            if kind != "folder":
                if path.relative_to(self.site).as_posix() not in wanted:
                    self.files.remove(path)
            elif not self.files.names(path):
                self.files.remove(path)

    def add_gathering(self, archive: Archive, game: Game) -> None:
        """Writes the page of a game that has no turn yet."""
        address = f"games/{game.name}/index.html"
        head = Head(
            title=game.title,
            description=f"{game.ruleset.about.title}: {when_it_opens(game)}.",
            kind="website",
            address=self.published and self.published + address,
            feeds=(FEED_OF_ALL,),
            root="../../",
            picture=self.picture,
        )
        self.files.remove(self.site / "games" / game.name)
        self.write_page(address, head, str(gathering_page(archive, game, "../../")))
        self.addresses.append(address)

    def add_cards(self, slug: str, did: Mapping[str, list[Did]]) -> list[SearchEntry]:
        """Writes the pages of the cards that a ruleset ships; returns their search entries."""
        found = []
        for page in shipped_pages(slug, did):
            head = Head(
                title=page.title,
                description=page.about,
                kind="website",
                address=self.published and self.published + page.address,
                feeds=(FEED_OF_ALL,),
                root="../../../",
                picture=self.picture,
            )
            self.write_page(page.address, head, str(page.body))
            self.addresses.append(page.address)
            found.append(page_entry(page.address, page.title, page.about))
        return found

    def add_records(
        self, records: Mapping[str, Sequence[Record]], people: Mapping[str, Sequence[Part]]
    ) -> list[SearchEntry]:
        """Write the page of records of each ruleset, by slug, with its data; return their search entries."""
        players = {part.player: address for address, parts in people.items() for part in parts}
        entries = []
        for slug, theirs in records.items():
            name = theirs[0].rules
            told = f"Ratings of players, results by seat, openings and the longest games of {name}."
            body = records_page(slug, name, theirs, players)
            entries.append(self.add_page(RECORDS.format(slug), f"Records of {name}", told, body))
            put(self.files, self.site / RECORDS_DATA.format(slug), records_data(theirs).encode())
        return entries

    def add_people(
        self, people: Mapping[str, Sequence[Part]], records: Mapping[str, Sequence[Record]], seasons: Mapping[str, str]
    ) -> list[SearchEntry]:
        """Write a page for each player, and the list of all players; return their search entries. `seasons` has the title of each series, by its page."""
        ways = {theirs[0].rules: RECORDS.format(slug) for slug, theirs in records.items()}
        put(self.files, self.site / PEOPLE_DATA, people_data(people).encode())
        everybody = f"{many(len(people), 'player')} with their games and results."
        entries = [
            self.add_page(address, name_in(parts), f"{name_in(parts)} · {about(parts)}", person_page(parts, people))
            for address, parts in people.items()
        ]
        return [*entries, self.add_page(EVERYBODY, "Players", everybody, people_page(people, ways, seasons))]

    def add_year(self, year: str, cards: Iterable[Card]) -> SearchEntry:
        """Write the page of a year's games; return its search entry."""
        cards, title = [*cards], f"Games of {year}"
        crumbs = tag("p", link("All games", "index.html"), class_="courtly-crumbs")
        body = tag("div", crumbs, tag("h1", title), games_list(cards), class_="courtly")
        return self.add_page(page_of(year), title, f"All {many(len(cards), 'game')} that were over in {year}.", body)

    def add_page(self, address: str, title: str, told: str, body: Markup) -> SearchEntry:
        """Write a page that belongs to no game, and list its address; return its search entry."""
        head = Head(
            title=title,
            description=told,
            kind="website",
            address=self.published and self.published + address,
            feeds=(FEED_OF_ALL,),
            root="../" * address.count("/"),
            picture=self.picture,
        )
        self.write_page(address, head, str(body))
        self.addresses.append(address)
        return page_entry(address, title, told)

    def write_page(self, address: str, head: Head, body: str) -> None:
        """Writes one page from its shell."""
        page = stamp(self.shells[address.count("/")], address, self.base, head, self.name, body)
        put(self.files, self.site / address, page.encode())


def sitemap(base: str, addresses: Iterable[str]) -> bytes:
    """A sitemap of these pages."""
    entries = "".join(
        f"    <url>\n         <loc>{html.escape(base + address)}</loc>\n    </url>\n" for address in addresses
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{entries}</urlset>\n".encode()


def put(files: Files, path: Path, data: bytes) -> None:
    """Writes a file of a site and the folders above it; an unchanged file is not touched."""
    if not files.is_folder(path.parent):
        files.make(path.parent)
    files.write(path, data, lasting=False)


def stamp(shell: str, address: str, base: str, head: Head, site_name: str, body: str) -> str:
    """One page from its shell.

    Marks are replaced in the shell only, never in the body: text from a player is not searched for anything.
    """
    above, below = _halves(shell)
    marks = {TITLE: html.escape(head.title), ADDRESS: html.escape(base + address)}

    def fill(part: str) -> str:
        # All at once, because a title may contain the text of a mark.
        return MARKS.sub(lambda match: marks[match[0]], part)

    return head.put_into(fill(above), site_name) + body + fill(below)


@cache
def _halves(shell: str) -> tuple[str, str]:
    """The text of a page above its body, and the text below."""
    above, mark, below = re.sub(rf"<h1[^>]*>{TITLE}</h1>", "", shell).partition(f"<p>{BODY}</p>")
    assert mark, "the theme's page has a place for the body"
    return above, below
