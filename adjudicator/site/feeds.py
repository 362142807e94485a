"""Atom feeds: all games, each game, each player."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adjudicator.core.contract.words import join_words
from adjudicator.site.pictures import NAME
from adjudicator.site.story import Story, is_unnamed, person_slug

ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: its title, and its address below the site's root."""

    title: str
    address: str


FEED_OF_ALL = Feed("All games", "feed.xml")
MOST_WORDS = 60
"""Most words of an entry's summary, which readers of feeds see in a list."""
LIMIT = 40
"""Most entries in a feed, latest first."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A judged turn in a feed, or one that is open until a deadline, in words; entries are ordered by time."""

    updated: str
    key: str
    """Game and turn, as in addresses."""
    title: str
    summary: str
    part: str = ""
    """The deadline of an open turn, as a part of its page: a deadline that moves makes a new entry."""


def shared_feed(feed: Feed, entries: Iterable[Entry], base: str, *, pictures: bool = False) -> bytes:
    """A feed of several games, from the newest entries of each; `base` is the site's address and ends in a slash."""
    return _written(feed, sorted(entries, reverse=True)[:LIMIT], base, pictures=pictures)


def game_feed(story: Story) -> Feed:
    """The feed of one game."""
    return Feed(story.game.title, f"games/{story.slug}/feed.xml")


def player_feeds(story: Story) -> tuple[Feed, ...]:
    """The feeds of a game's players, by name. Two names that give the same address share one."""
    names = sorted({name for seat in story.game.seats for name in story.players_of(seat)})
    theirs = {feed.address: feed for name in reversed(names) if (feed := player_feed(name)) is not None}
    return tuple(sorted(theirs.values(), key=lambda feed: feed.title))


def player_feed(name: str) -> Feed | None:
    """The feed of one player; None for a seat without a name, or with a name that gives no address."""
    slug = "" if is_unnamed(name) else person_slug(name)
    return Feed(f"Games of {name}", f"players/{slug}/feed.xml") if slug else None


def feed(title: str, address: str, stories: Iterable[Story], base: str, *, pictures: bool = False) -> bytes:
    """A feed of these games: an entry for each judged turn, which begins with the turn's headline."""
    entries = (entry for story in stories for entry in newest_entries(story))
    return shared_feed(Feed(title, address), entries, base, pictures=pictures)


def newest_entries(story: Story) -> list[Entry]:
    """The feed entries of a game's newest judged turns, and of its open turn if it has a deadline."""
    judged = [turn for turn in story.turns if turn.data.status == "resolved"]
    judged.sort(key=lambda turn: (story.atom_time(turn), turn.name), reverse=True)
    entries = []
    for turn in judged[:LIMIT]:
        told = story.shortly(turn)
        headline = told.headline or story.game.ruleset.words.quiet
        title = f"{headline.removesuffix('.')} ({story.game.title}: {turn.data.phase})"
        key = f"{story.slug}/{turn.name}"
        entries.append(Entry(story.atom_time(turn), key, title, in_short(told.sentences) or headline))
    return [*_open_entry(story), *entries]


def _open_entry(story: Story) -> Iterator[Entry]:
    """The entry of the turn that is open until a deadline, dated when it opened; none while the game is paused."""
    if not story.turns or story.state != "running":
        return
    turn, data = story.last, story.last.data
    if data.status != "open" or data.deadline is None or data.paused:
        return
    opened = story.atom_time(story.turns[-2]) if len(story.turns) > 1 else f"{story.game.data.opened}T00:00:00Z"
    if data.opened is not None:
        opened = data.opened.replace("Z", ":00Z")
    until = f"{data.deadline[:10]} {data.deadline[11:16]} UTC"
    owed = join_words(data.owing) if data.owing else "nobody"
    title = f"{story.game.title}: {data.phase} is open until {until}"
    summary = f"Sheets for {data.phase} count until {until}. The turn needs one from {owed}."
    yield Entry(opened, f"{story.slug}/{turn.name}", title, summary, f"#until-{data.deadline}")


def in_short(sentences: Iterable[str]) -> str:
    """The first of these sentences, as many as have 60 words together; always the first, however long it is."""
    told: list[str] = []
    words = 0
    for sentence in sentences:
        words += len(sentence.split())
        if told and words > MOST_WORDS:
            break
        told.append(sentence)
    return " ".join(told)


def _written(feed: Feed, entries: Sequence[Entry], base: str, *, pictures: bool) -> bytes:
    """A feed of these entries."""
    ET.register_namespace("", ATOM)
    root = ET.Element(f"{{{ATOM}}}feed")
    _text(root, "title", feed.title)
    _text(root, "id", base + feed.address)
    ET.SubElement(root, f"{{{ATOM}}}link", rel="self", href=base + feed.address)
    ET.SubElement(root, f"{{{ATOM}}}link", href=base)
    _text(root, "updated", entries[0].updated if entries else "1970-01-01T00:00:00Z")
    author = ET.SubElement(root, f"{{{ATOM}}}author")
    _text(author, "name", "Courtly")
    for told in entries:
        entry = ET.SubElement(root, f"{{{ATOM}}}entry")
        page = f"{base}games/{told.key}/index.html"
        _text(entry, "title", told.title)
        _text(entry, "id", page + told.part)
        ET.SubElement(entry, f"{{{ATOM}}}link", href=page)
        if pictures:
            card = f"{base}games/{told.key}/{NAME}"
            ET.SubElement(entry, f"{{{ATOM}}}link", rel="enclosure", type="image/png", href=card)
        _text(entry, "updated", told.updated)
        _text(entry, "summary", told.summary)
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
