"""The home page: three doors, a board in play, the games, and the rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.contract.scene import Drawing
from adjudicator.core.contract.words import many
from adjudicator.core.game.game import Game, house_rules, nothing_beside
from adjudicator.core.game.join import open_seats
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.yamltext import Text
from adjudicator.site.markup import item_list, join, link, tag
from adjudicator.site.now import now_line
from adjudicator.site.people import EVERYBODY
from adjudicator.site.seats import when_it_opens
from adjudicator.site.story import Story
from adjudicator.site.words import state_in_words

BOARD = "boards/{}.svg"
"""The picture of a ruleset on the home page: its board before the first turn."""


def ruleset_boards() -> dict[str, str]:
    """Address -> picture of a ruleset's board, as everybody sees it before the first turn of a game by the usual rules."""
    boards = {}
    for slug in slugs():
        rules = find(slug)
        settings, _ = house_rules(rules, Text("", {}, {}), nothing_beside)
        start = rules.rules.setup(settings, NamedDice(b"home"))
        boards[BOARD.format(slug)] = rules.pictures.picture(rules.view(start, None), None).svg
    return boards


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
    title: str
    shown: str
    """The turn whose events its map shows; empty before there is one."""
    headline: str
    """Headline of that turn; empty without one."""
    judged: int
    """Number of turns that were judged."""
    size: tuple[int, int]
    """Width and height of its map."""
    open: tuple[str, ...]
    """Seats that anybody can take."""


def home_lists(cards: Iterable[Card], waiting: Sequence[Game], more: Markup | None) -> Markup:
    """The home page below its title and its first words: doors, a board in play, all games, and the rulesets."""
    ordered = _ordered(cards)
    running = [card for card in ordered if card.state == "running"]
    over = [card for card in ordered if card.state != "running"]
    gathering = any(open_seats(game, begun=False) for game in waiting)
    free = gathering or any(card.open for card in running)
    return join(
        [
            _doors(free=free),
            _in_play(ordered) if ordered else Markup(""),
            STEPS,
            _section("Waiting for players", [_waiting_row(game) for game in waiting], id=OPEN if gathering else None),
            _section("Being played", [card.markup for card in running], id=None if gathering else OPEN),
            _rulesets(),
            _over(ordered, over),
            more or Markup(""),
            tag("p", join(WAYS, " · ")),
        ]
    )


OPEN = "open"
"""The anchor of the games with open seats, which a door leads to."""


def _section(title: str, rows: Sequence[Markup], *above: Markup, **attributes: Any) -> Markup:
    """A heading and rows of games below it; empty without rows."""
    shown = tag("div", join(rows), class_="courtly-cards")
    return tag("section", tag("h2", title), *above, shown, **attributes) if rows else Markup("")


def _over(cards: Sequence[Card], over: Sequence[Card]) -> Markup:
    """The games that are over, below the filters of all games, which a script shows."""
    return _section("Finished", [card.markup for card in over], _filters(cards))


def _ordered(cards: Iterable[Card]) -> list[Card]:
    """Running games first, then those with the latest turns."""
    ordered = sorted(cards, key=lambda card: (card.time, card.slug), reverse=True)
    ordered.sort(key=lambda card: card.state != "running")
    return ordered


def _doors(*, free: bool) -> Markup:
    """The ways in: a lesson, an open seat if there is one, and a new group."""
    button = "md-button"
    lesson = link("Try a turn (3 minutes)", "desk.html#lesson/diplomacy/first", class_=f"{button} {button}--primary")
    seat = link("Join an open game", f"#{OPEN}", class_=button) if free else None
    group = link("Start a game with your group", "group.html", class_="courtly-door" if free else button)
    return tag("p", *(way for way in (lesson, seat, group) if way is not None), class_="courtly-doors")


def _in_play(ordered: Sequence[Card]) -> Markup:
    """The latest board of a running game, or else of a finished one, with its headline."""
    told = [card for card in ordered if card.headline and card.state != "record"]
    card = (told or ordered)[0]
    address = f"games/{card.slug}/index.html"
    width, height = card.size
    parts = [
        card.title if card.headline else "",
        card.shown,
        many(card.judged, "turn") + " played" if card.judged else "",
    ]
    about = " · ".join(part for part in parts if part)
    return tag(
        "figure",
        tag(
            "figcaption",
            tag("strong", link(card.headline or card.title, address)),
            tag("span", about) if about else None,
        ),
        link(
            tag(
                "img",
                src=f"games/{card.slug}/map.svg",
                alt=f"The board of {card.title}",
                width=width,
                height=height,
                fetchpriority="high",
            ),
            address,
            tabindex="-1",
        ),
        class_="courtly-in-play",
    )


WAYS = (
    link("Players, ratings and records", EVERYBODY),
    link("Atom feed of all games", "feed.xml"),
    link("Calendar of all deadlines", "deadlines.ics"),
)


STEPS = item_list(
    [
        join([tag("strong", title), f" {text}"])
        for title, text in (
            ("Write your orders.", "Tap a unit, then where it goes. Your browser seals them."),
            ("The deadline comes.", "All orders are opened and carried out together."),
            ("See what happened.", "A map, a story, and the reason for every result."),
        )
    ],
    ordered=True,
    class_="courtly-how",
)


def games_list(cards: Iterable[Card]) -> Markup:
    """A list of games with filters, for the page of a year."""
    ordered = _ordered(cards)
    rows = tag("div", join(card.markup for card in ordered), class_="courtly-cards")
    return tag("section", _filters(ordered), rows)


def _filters(cards: Sequence[Card]) -> Markup:
    return tag(
        "form",
        _select("ruleset", "Game", sorted({card.ruleset for card in cards})),
        _select("state", "State", [(state, state) for state in ("running", "finished", "record")]),
        _select("players", "Players", [(str(n), str(n)) for n in sorted({card.seats for card in cards})]),
        tag("output", many(len(cards), "game"), aria_live="polite"),
        class_="courtly-filters",
        hidden=True,
    )


def _select(name: str, label: str, choices: Iterable[tuple[str, str]]) -> Markup:
    options = [tag("option", "all", value="")] + [tag("option", text, value=value) for value, text in choices]
    return tag("label", f"{label} ", tag("select", join(options), name=name))


def _rulesets() -> Markup:
    """A card for each ruleset: its board, its number of players, and its subject."""
    cards = []
    for slug in slugs():
        about = find(slug).about
        book = f"rulesets/{slug}.html"
        picture = tag("img", src=BOARD.format(slug), alt="", loading="lazy", width=480, height=300)
        cards.append(
            tag(
                "article",
                link(picture, book, tabindex="-1", aria_hidden="true"),
                tag("h3", link(about.title, book)),
                tag("p", f"{about.players} players. {about.summary}"),
                class_="courtly-ruleset",
            )
        )
    title = f"{NUMBERS.get(len(cards), str(len(cards)))} games"
    return tag("section", tag("h2", title), tag("div", join(cards), class_="courtly-rulesets"), id="rulesets")


NUMBERS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
"""A number as the beginning of a heading."""
THUMB = 480
"""Greatest width of a map in the list of games, in pixels."""


def _seats_to_take(seats: Sequence[str], address: str) -> Markup | None:
    """The open seats of a game, each as a way to its page; None without any."""
    if not seats:
        return None
    chips = [link(f"+ {seat}", address) for seat in seats[:MOST_CHIPS]]
    rest = len(seats) - MOST_CHIPS
    return tag("p", join([*chips, *([f"and {rest} more"] if rest > 0 else [])], " "), class_="courtly-chips")


MOST_CHIPS = 6
"""Most open seats that a row names."""


def _row(
    title: str, address: str, picture: Markup | None, lines: Iterable[object], way: str, **attributes: Any
) -> Markup:
    """A game as a row: its picture, a few lines about it, and a button that leads to its page."""
    shown = link(picture, address, tabindex="-1", aria_hidden="true") if picture is not None else None
    return tag(
        "article",
        shown,
        tag("div", tag("h3", link(title, address)), *(line for line in lines if line is not None)),
        link(way, address, class_="md-button", aria_label=f"{way}: {title}"),
        class_="courtly-card",
        **attributes,
    )


def _waiting_row(game: Game) -> Markup:
    """The row of a game that has no turn yet."""
    address, free = f"games/{game.name}/index.html", open_seats(game, begun=False)
    about = game.ruleset.about
    lines = [
        tag("p", f"{about.title} · {many(len(game.seats), 'seat')} · {when_it_opens(game)}"),
        _seats_to_take(free, address),
    ]
    way = "Take a seat" if free else "Look"
    return _row(
        game.title,
        address,
        tag("img", src=BOARD.format(about.slug), alt="", loading="lazy", width=480, height=300),
        lines,
        way,
        data_ruleset=about.slug,
        data_state="running",
        data_players=len(game.seats),
    )


def card_of(story: Story, root: str, board: Drawing) -> Card:
    """A game's row in the lists, with the values that the home page shows."""
    game, about = story.game, story.game.ruleset.about
    address = f"{root}games/{game.slug}/index.html"
    now = now_line(story, root, write=False)
    begun = story.state == "running"
    free = tuple(open_seats(game, story.last.data.players, begun=True)) if begun else ()
    judged = [turn for turn in story.turns if turn.data.status != "open"]
    headline = (story.headline(judged[-1]) or "") if judged else ""
    lines = [
        tag(
            "p",
            " · ".join([about.title, f"{len(game.seats)} seats", *([state_in_words(story)] if now is None else [])]),
        ),
        now,
        tag("p", latest, class_="courtly-small") if (latest := story.latest_headline()) else None,
        _seats_to_take(free, address),
    ]
    picture = tag(
        "img",
        src=f"{root}games/{game.slug}/map.svg",
        alt="",
        loading="lazy",
        width=THUMB,
        height=round(THUMB * board.height / board.width),
    )
    way = "Take a seat" if free else "Watch" if begun else "Replay"
    markup = _row(
        game.title,
        address,
        picture,
        lines,
        way,
        data_ruleset=about.slug,
        data_state=story.state,
        data_players=len(game.seats),
    )
    return Card(
        markup,
        story.slug,
        story.atom_time(story.last),
        story.state,
        (about.slug, about.title),
        len(game.seats),
        game.title,
        judged[-1].data.phase if judged else "",
        headline,
        len(judged),
        (round(board.width), round(board.height)),
        free,
    )
