"""The list of games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.core.contract.scene import Drawing
from adjudicator.site.markup import join, link, tag
from adjudicator.site.now import now_line
from adjudicator.site.story import Story
from adjudicator.site.words import state_in_words


@dataclass(frozen=True, slots=True)
class Card:
    """A game in the list, with the values that sort and filter the list."""

    markup: Markup
    slug: str
    time: str
    """Time of its latest judgement, as `atom_time` writes it."""
    state: str
    ruleset: tuple[str, str]
    """Name and title."""
    seats: int


def games_list(cards: Iterable[Card], root: str) -> Markup:
    """Every game with its state, filtered by ruleset, state and number of players; latest turns first."""
    ordered = sorted(cards, key=lambda card: (card.time, card.slug), reverse=True)
    ordered.sort(key=lambda card: card.state != "running")
    filters = tag(
        "form",
        _select("ruleset", "Ruleset", sorted({card.ruleset for card in ordered})),
        _select("state", "State", [(state, state) for state in ("running", "finished", "record")]),
        _select("players", "Players", [(str(n), str(n)) for n in sorted({card.seats for card in ordered})]),
        tag("output", f"{len(ordered)} games", aria_live="polite"),
        class_="courtly-filters",
        hidden=True,
    )
    feeds = tag("p", link("Atom feed of all games", f"{root}feed.xml"), class_="courtly-small")
    shown = tag("div", join(card.markup for card in ordered), class_="courtly-cards")
    return tag("section", filters, shown, feeds, id="games")


def _select(name: str, label: str, choices: Iterable[tuple[str, str]]) -> Markup:
    options = [tag("option", "all", value="")] + [tag("option", text, value=value) for value, text in choices]
    return tag("label", f"{label} ", tag("select", join(options), name=name))


THUMB = 480
"""Greatest width of a map in the list of games, in pixels."""


def card_of(story: Story, root: str, board: Drawing) -> Card:
    """A game's card, with the map that represents the game."""
    game = story.game
    address = f"{root}games/{game.slug}/index.html"
    now = now_line(story, root, write=False)
    markup = tag(
        "article",
        link(
            tag(
                "img",
                src=f"{root}games/{game.slug}/map.svg",
                alt="",
                loading="lazy",
                width=THUMB,
                height=round(THUMB * board.height / board.width),
            ),
            address,
            tabindex="-1",
            aria_hidden="true",
        ),
        tag("h3", link(game.title, address)),
        tag(
            "p",
            " · ".join(
                [
                    game.ruleset.about.title,
                    f"{len(game.seats)} seats",
                    *([state_in_words(story)] if now is None else []),
                ]
            ),
        ),
        now,
        tag("p", headline, class_="courtly-small") if (headline := story.latest_headline()) else None,
        class_="courtly-card",
        data_ruleset=game.ruleset.about.slug,
        data_state=story.state,
        data_players=len(game.seats),
    )
    about = game.ruleset.about
    return Card(
        markup, story.slug, story.atom_time(story.last), story.state, (about.slug, about.title), len(game.seats)
    )
