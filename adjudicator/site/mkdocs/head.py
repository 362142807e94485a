"""The head of a page: its description, the preview for places where its address is shared, and its feeds."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.site.feeds import FEED_OF_ALL, Feed, game_feed, player_feeds
from adjudicator.site.markup import join, tag
from adjudicator.site.pictures import HEIGHT, NAME, WIDTH
from adjudicator.site.story import Story
from adjudicator.site.words import state_in_words

DESCRIPTION = "COURTLYDESCRIPTION"
"""Placeholder for the theme, which would put the real description, perhaps a stranger's words, into the page unescaped."""
PLACE = re.compile(rf'<meta name="description" content="{DESCRIPTION}">')
REL = "alternate feed"
"""Readers of feeds look for the first word. Without the second, the theme's script would take the link for the page in another
language, and ask for a sitemap beside it."""
LATE = "assets/late.js"
"""The script that runs before the theme's."""
LONGEST = 200
"""Greatest length of a description, in letters."""
PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The contents of one page's head."""

    title: str
    description: str
    kind: str
    """`website` or `article`, as Open Graph has it."""
    address: str | None
    """The address of the published page; None if nobody has named it."""
    feeds: tuple[Feed, ...]
    root: str
    """Path from the page to the site's folder."""
    picture: str | None = None
    """The address of the published picture that is shown below a link to the page; None if there is none."""

    def tags(self, site_name: str) -> Markup:
        """The elements that replace the theme's description."""
        said = shorten(self.description)
        shared = {
            "og:site_name": site_name,
            "og:title": self.title,
            "og:description": said,
            "og:type": self.kind,
            "og:url": self.address,
        }
        if self.picture is not None:
            size = {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
            shared |= {"og:image": self.picture, **size, "og:image:alt": said}
        return join(
            [
                tag("meta", name="description", content=said),
                *(tag("meta", property=name, content=text) for name, text in shared.items() if text is not None),
                tag("meta", name="twitter:card", content="summary" if self.picture is None else "summary_large_image"),
                tag("script", src=f"{self.root}{LATE}"),
                *(
                    tag(
                        "link",
                        rel=REL,
                        type="application/atom+xml",
                        title=feed.title,
                        href=f"{self.root}{feed.address}",
                    )
                    for feed in self.feeds
                ),
            ],
            "\n      ",
        )

    def put_into(self, text: str, site_name: str) -> str:
        """A page's text with its head filled in."""
        return PLACE.sub(lambda _: str(self.tags(site_name)), text, count=1)


def shorten(text: str, longest: int = LONGEST) -> str:
    """Text on one line, cut between words if it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[: longest - 1].rsplit(" ", 1)[0].rstrip(",;:. ") + "…"


def describe(content: str, title: str, otherwise: str) -> str:
    """The description of a hand-written page: its first paragraph, as text."""
    for paragraph in PARAGRAPH.findall(content):
        text = " ".join(html.unescape(re.sub(r"<[^>]*>", "", paragraph)).split())
        if len(text) >= 40:  # not a line of links or a date
            return text
    return f"{title}. {otherwise}"


def game_heads(
    story: Story, base: str | None, titles: Iterable[tuple[str, str]], pictures: Container[str]
) -> dict[str, Head]:
    """Address -> head, for each of a game's pages, which are given by address and title; `pictures` are addresses too."""
    folder = f"games/{story.slug}"
    name, state = story.game.ruleset.about.title, state_in_words(story)
    headlines = {turn.name: story.headline(turn) for turn in story.turns}
    newest = next((text for text in reversed(headlines.values()) if text is not None), None)
    told = {f"{folder}/index.html": f"{name}, {state}." + (f" {newest}" if newest else "")}
    for turn in story.turns:
        headline = headlines[turn.name] or f"Orders are awaited for {turn.data.phase}."
        told[f"{folder}/{turn.name}/index.html"] = f"{headline} {story.game.title}: {turn.data.phase}."
    feeds = (game_feed(story), FEED_OF_ALL)
    return {
        address: Head(
            title=title,
            description=told.get(address, f"{title}: {name}, {state}."),
            kind="website" if address == f"{folder}/index.html" else "article",
            address=None if base is None else base + address,
            feeds=(*feeds, *player_feeds(story)) if address == f"{folder}/index.html" else feeds,
            root="../" * address.count("/"),
            picture=_picture(address, base, pictures),
        )
        for address, title in titles
    }


def _picture(address: str, base: str | None, pictures: Container[str]) -> str | None:
    """The published address of a game page's picture: its own, or else the game's; None if there is neither."""
    folders = (address.rpartition("/")[0], "/".join(address.split("/")[:2]))
    names = (f"{folder}/{NAME}" for folder in folders)
    return next((base + name for name in names if name in pictures), None) if base is not None else None
