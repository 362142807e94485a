"""Atom feeds: all games, each game, each player."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from adjudicator.core.turn.data import Turn
from adjudicator.site.story import Story, is_unnamed, person_slug

ATOM = "http://www.w3.org/2005/Atom"
LIMIT = 40
"""Entries in a feed, latest first."""


def feeds(stories: Iterable[Story], base: str) -> dict[str, bytes]:
    """Address below the site's root -> feed; `base` is the site's own address, ending in a slash."""
    stories = list(stories)
    files = {"feed.xml": feed("All games", "feed.xml", stories, base)}
    people: dict[str, tuple[str, list[Story]]] = {}
    for story in stories:
        address = f"games/{story.slug}/feed.xml"
        files[address] = feed(story.game.title, address, [story], base)
        for name in sorted({story.game.player(seat) for seat in story.game.seats}):
            if not is_unnamed(name) and (slug := person_slug(name)):
                people.setdefault(slug, (name, []))[1].append(story)
    for slug, (name, games) in sorted(people.items()):
        address = f"players/{slug}/feed.xml"
        files[address] = feed(f"Games of {name}", address, games, base)
    return files


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
