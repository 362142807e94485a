"""Games as they are written: the pages from their shells, and what is kept of each game for the lists of all."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.site.cards import Did, did_in, has_own_cards, shipped_pages
from adjudicator.site.desk import open_game, published_dispatches
from adjudicator.site.desk_data import OpenGame
from adjudicator.site.feeds import FEED_OF_ALL, Feeds, feed, game_feed
from adjudicator.site.game_files import GameFiles
from adjudicator.site.home import Card, card_of
from adjudicator.site.mkdocs.head import Head, game_heads
from adjudicator.site.mkdocs.search import Findable
from adjudicator.site.seats import gathering_page
from adjudicator.site.story import Story

TITLE, BODY, ADDRESS = "COURTLYTITLE", "COURTLYBODY", "COURTLYADDRESS"
MARKS = re.compile(f"{TITLE}|{ADDRESS}")


class Written:
    """Writes games into the site; of each it keeps a card, what feeds and search find, and its pages' addresses."""

    def __init__(self, site: Path, shells: Mapping[int, str], base: str, published: str | None, name: str) -> None:
        """`base` is the site's address with a slash at its end, `published` the same where somebody has said it."""
        self.site, self.shells, self.base, self.published, self.name = site, shells, base, published, name
        self.addresses: list[str] = []
        self.cards: list[Card] = []
        self.desks: list[OpenGame] = []
        self.feeds, self.findable = Feeds(), Findable()
        self.did: dict[str, dict[str, list[Did]]] = {}
        """Ruleset -> card that it ships -> what it did, game by game."""

    def add(self, story: Story, files: GameFiles) -> None:
        """Writes the files of a game."""
        heads = game_heads(story, self.published, [(address, title) for address, (title, _) in files.pages.items()])
        # Whatever can fail comes before the first file: half a game is not published.
        card, desk, own = card_of(story, "", files.board), open_game(story), game_feed(story)
        told = feed(own.title, own.address, [story], self.base)
        dispatches = {name: path.read_bytes() for name, path in published_dispatches(story).items()}
        self.feeds.add(story)
        self.findable.add(story)
        for address, (_, body) in files.pages.items():
            self.write_page(address, heads[address], body)
        for address, text in files.others.items():
            put(self.site / address, text.encode())
        for name, sealed in dispatches.items():
            put(self.site / "games" / story.slug / name, sealed)
        put(self.site / own.address, told)
        self.cards.append(card)
        if not has_own_cards(story):
            told_of = self.did.setdefault(story.game.ruleset.about.slug, {})
            for name, one in did_in(story).items():
                told_of.setdefault(name, []).append(one)
        if desk is not None:
            self.desks.append(desk)

    def add_gathering(self, archive: Archive, game: Game) -> None:
        """Writes the page of a game that waits for people."""
        address = f"games/{game.slug}/index.html"
        head = Head(
            title=game.title,
            description=f"{game.ruleset.about.title}, opens when all its seats are taken.",
            kind="website",
            address=self.published and self.published + address,
            feeds=(FEED_OF_ALL,),
            root="../../",
        )
        self.write_page(address, head, str(gathering_page(archive, game, "../../")))

    def add_cards(self, slug: str) -> None:
        """Writes the pages of the cards that a ruleset ships."""
        for page in shipped_pages(slug, self.did.get(slug, {})):
            head = Head(
                title=page.title,
                description=page.about,
                kind="website",
                address=self.published and self.published + page.address,
                feeds=(FEED_OF_ALL,),
                root="../../../",
            )
            self.write_page(page.address, head, str(page.body))
            self.findable.add_page(page.address, page.title, page.about)

    def write_page(self, address: str, head: Head, body: str) -> None:
        """Writes one page from its shell."""
        page = stamp(self.shells[address.count("/")], address, self.base, head, self.name, body)
        put(self.site / address, page.encode())
        self.addresses.append(address)


def put(path: Path, data: bytes) -> None:
    """Writes a file, and the folders it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def stamp(shell: str, address: str, base: str, head: Head, site_name: str, body: str) -> str:
    """One page from its shell.

    Marks are replaced in the shell alone, never in the body: what a player wrote is not searched for anything.
    """
    above, below = _halves(shell)
    marks = {TITLE: html.escape(head.title), ADDRESS: html.escape(base + address)}

    def fill(part: str) -> str:
        # All at once: a title may have the words of a mark in it.
        return MARKS.sub(lambda match: marks[match[0]], part)

    return head.put_into(fill(above), site_name) + body + fill(below)


@cache
def _halves(shell: str) -> tuple[str, str]:
    """What stands above the body of a page, and what below."""
    above, mark, below = re.sub(rf"<h1[^>]*>{TITLE}</h1>", "", shell).partition(f"<p>{BODY}</p>")
    assert mark, "the theme's page has a place for the body"
    return above, below
