"""The pages of cards: one with all faces of a set, and one for each card with its deeds in the archive's games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.core.contract.pages import Card
from adjudicator.core.contract.ruleset import find
from adjudicator.core.contract.words import many
from adjudicator.site.markup import inline_svg, join, link, table, tag
from adjudicator.site.story import Story

FOLDER = "cards"
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Did:
    """The deeds of a card in one game."""

    game: str
    """The game's slug."""
    title: str
    what: Mapping[str, int]
    """The deed in a word or two -> how often."""


@dataclass(frozen=True, slots=True)
class CardPage:
    """A page about cards."""

    address: str
    title: str
    about: str
    body: Markup


def page_of(card: str) -> str:
    """The file of a card's page. No card gets the name of the page of all cards, even if a host calls a card `index`."""
    return f"{card}{'_' if card == 'index' else ''}.html"


def shipped_folder(slug: str) -> str:
    """The folder of the cards that a ruleset ships, relative to the site's folder."""
    return f"rulesets/{slug}/{FOLDER}"


def has_own_cards(story: Story) -> bool:
    """True if a game has custom cards instead of its ruleset's."""
    cards = story.game.ruleset.cards
    return cards is not None and not story.record and cards.own(story.turns[0].data.position)


def did_in(story: Story) -> dict[str, Did]:
    """Card -> its deeds in a game, as far as the public may know them."""
    cards = story.game.ruleset.cards
    if cards is None or story.record:
        return {}
    return {name: Did(story.slug, story.game.title, dict(what)) for name, what in cards.did(story.told()).items()}


def shipped_pages(slug: str, did: Mapping[str, Sequence[Did]]) -> Iterator[CardPage]:
    """The pages of the cards that a ruleset ships, with the deeds of each, game by game."""
    rules = find(slug)
    if rules.cards is None:
        return
    back = link(f"The rulebook of {rules.about.title}", f"../../{slug}.html")
    title = f"The cards of {rules.about.title}"
    yield from _pages(shipped_folder(slug), title, back, rules.cards.shipped(), did, "../../../games/")


def game_pages(story: Story) -> Iterator[CardPage]:
    """The pages of a game's custom cards, with the deeds of each; none if it uses those of its ruleset."""
    rules = story.game.ruleset
    if rules.cards is None or not has_own_cards(story):
        return
    cards = rules.cards.of(story.turns[0].data.position)
    did = {name: (one,) for name, one in did_in(story).items()}
    back = link(story.game.title, "../index.html")
    yield from _pages(f"games/{story.slug}/{FOLDER}", f"The cards of {story.game.title}", back, cards, did, "../../")


def _pages(
    folder: str, title: str, back: Markup, cards: Sequence[Card], did: Mapping[str, Sequence[Did]], games: str
) -> Iterator[CardPage]:
    yield CardPage(
        f"{folder}/index.html", title, f"{many(len(cards), 'card')}, each with its face.", _all(title, back, cards, did)
    )
    ways = {card.name: at for at, card in enumerate(cards)}
    for card in cards:
        at = ways[card.name]
        near = (cards[at - 1] if at else None, cards[at + 1] if at + 1 < len(cards) else None)
        about = " ".join(filter(None, card.said)) or card.group
        yield CardPage(
            f"{folder}/{page_of(card.name)}",
            card.title,
            about,
            _one(title, back, card, near, did.get(card.name, ()), games),
        )


def _all(title: str, back: Markup, cards: Sequence[Card], did: Mapping[str, Sequence[Did]]) -> Markup:
    """All cards of a set, grouped by kind, with the deeds of each."""
    sections = []
    groups = dict.fromkeys(card.group for card in cards)
    first = True
    for group in groups:
        faces = []
        for card in cards:
            if card.group == group:
                # One style sheet is enough for all pictures of a page.
                face = card.face if first else STYLE.sub("", card.face)
                first = False
                faces.append(tag("li", link(inline_svg(face), page_of(card.name), aria_label=card.title), id=card.name))
        sections.append(tag("section", tag("h2", group), tag("ul", join(faces), class_="courtly-faces")))
    rows = [
        (link(card.title, page_of(card.name)), card.group, len(did[card.name]), words_of(_sum(did[card.name])))
        for card in cards
        if did.get(card.name)
    ]
    idle = [link(card.title, page_of(card.name)) for card in cards if not did.get(card.name)]
    counted = tag(
        "section",
        tag("h2", "What they did"),
        table(("Card", "Kind", "Games", "What it did"), rows, "In the archive’s games")
        if rows
        else tag("p", "No game here has been played with them yet."),
        tag("p", "In no game so far: ", join(idle, ", "), ".") if rows and idle else None,
    )
    return tag(
        "div", tag("p", back, class_="courtly-crumbs"), tag("h1", title), join(sections), counted, class_="courtly courtly-deck"
    )  # fmt: skip


def _one(
    title: str, back: Markup, card: Card, near: tuple[Card | None, Card | None], did: Sequence[Did], games: str
) -> Markup:
    """One card: its face, its deeds game by game, and its entry in the set as a table."""
    before, after = near
    rows = [(link(one.title, f"{games}{one.game}/index.html"), words_of(one.what)) for one in did]
    made = card.table
    return tag(
        "div",
        tag("p", back, " › ", link(title, "index.html"), class_="courtly-crumbs"),
        tag("h1", card.title),
        tag(
            "nav",
            link(f"← {before.title}", page_of(before.name), rel="prev") if before else tag("span", "The first card"),
            link(f"{after.title} →", page_of(after.name), rel="next") if after else tag("span", "The last card"),
            class_="courtly-pager",
            aria_label="Cards",
        ),
        tag("div", inline_svg(card.face), class_="courtly-face"),
        tag("section", tag("h2", "What it did"), table(("Game", "What it did"), rows, "In the archive’s games") if rows else tag("p", "Nothing in any game here so far.")),
        tag("details", tag("summary", made.title), table(made.head, [map(_as_written, row) for row in made.rows], made.title)),
        class_="courtly courtly-one",
    )  # fmt: skip


def _as_written(cell: object) -> object:
    """A cell of a card's entry; text in the notation of card sets is marked as code."""
    return tag("code", cell) if isinstance(cell, str) and re.search(r"[{}\[\]]", cell) else cell


def _sum(did: Sequence[Did]) -> dict[str, int]:
    """The deeds of a card in several games, added up."""
    total: dict[str, int] = {}
    for one in did:
        for what, count in one.what.items():
            total[what] = total.get(what, 0) + count
    return total


def words_of(what: Mapping[str, int]) -> str:
    """`joined 5 times, killed`; most frequent first."""
    some = sorted(what.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(word if count == 1 else f"{word} {many(count, 'time')}" for word, count in some)
