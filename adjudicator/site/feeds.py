"""Atom feeds: all games, each game, each player."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass

from adjudicator.core.turn.data import Turn
from adjudicator.site.story import Story, is_unnamed, person_slug

ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, by its title and its address below the site's root."""

    title: str
    address: str


FEED_OF_ALL = Feed("All games", "feed.xml")
LIMIT = 40
"""Entries in a feed, latest first."""


def feeds(stories: Iterable[Story], base: str) -> dict[str, bytes]:
    """Address below the site's root -> feed; `base` is the site's own address, ending in a slash."""
    stories = list(stories)
    files = {FEED_OF_ALL.address: feed(FEED_OF_ALL.title, FEED_OF_ALL.address, stories, base)}
    people: dict[str, tuple[Feed, list[Story]]] = {}
    for story in stories:
        own = game_feed(story)
        files[own.address] = feed(own.title, own.address, [story], base)
        for theirs in player_feeds(story):
            people.setdefault(theirs.address, (theirs, []))[1].append(story)
    for address, (theirs, games) in sorted(people.items()):
        files[address] = feed(theirs.title, address, games, base)
    return files


def game_feed(story: Story) -> Feed:
    """The feed of one game."""
    return Feed(story.game.title, f"games/{story.slug}/feed.xml")


def player_feeds(story: Story) -> tuple[Feed, ...]:
    """The feeds of those who play a game, by name; two names that are written alike in an address share one."""
    names = sorted({story.game.player(seat) for seat in story.game.seats})
    theirs = {feed.address: feed for name in reversed(names) if (feed := player_feed(name)) is not None}
    return tuple(sorted(theirs.values(), key=lambda feed: feed.title))


def player_feed(name: str) -> Feed | None:
    """The feed of one player; None for a seat without a name, or with one that makes no address."""
    slug = "" if is_unnamed(name) else person_slug(name)
    return Feed(f"Games of {name}", f"players/{slug}/feed.xml") if slug else None


def feed(title: str, address: str, stories: Iterable[Story], base: str) -> bytes:
    """One feed: a judged turn an entry, its headline first."""
    ET.register_namespace("", ATOM)
    entries: list[tuple[str, str, Story, Turn]] = [
        (story.atom_time(turn), f"{story.slug}/{turn.name}", story, turn)
        for story in stories
        for turn in story.turns
        if turn.data.status == "resolved"
    ]
    entries.sort(key=lambda entry: entry[:2], reverse=True)
    root = ET.Element(f"{{{ATOM}}}feed")
    _text(root, "title", title)
    _text(root, "id", base + address)
    ET.SubElement(root, f"{{{ATOM}}}link", rel="self", href=base + address)
    ET.SubElement(root, f"{{{ATOM}}}link", href=base)
    _text(root, "updated", entries[0][0] if entries else "1970-01-01T00:00:00Z")
    author = ET.SubElement(root, f"{{{ATOM}}}author")
    _text(author, "name", "Courtly")
    for updated, key, story, turn in entries[:LIMIT]:
        entry = ET.SubElement(root, f"{{{ATOM}}}entry")
        page = f"{base}games/{key}/index.html"
        told = story.shortly(turn)
        headline = told.headline or story.game.ruleset.words.quiet
        _text(entry, "title", f"{headline.removesuffix('.')} ({story.game.title}: {turn.data.phase})")
        _text(entry, "id", page)
        ET.SubElement(entry, f"{{{ATOM}}}link", href=page)
        _text(entry, "updated", updated)
        _text(entry, "summary", " ".join(told.sentences) or headline)
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _text(parent: ET.Element, name: str, text: str) -> None:
    """A child with text; characters that XML cannot hold are left out."""
    clean = "".join(
        c
        for c in text
        if c in "\t\n" or (ord(c) >= 0x20 and not 0xD800 <= ord(c) < 0xE000 and ord(c) not in (0xFFFE, 0xFFFF))
    )
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = clean
