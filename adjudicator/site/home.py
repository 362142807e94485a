"""The list of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from adjudicator.core.contract.scene import Drawing
from adjudicator.site.markup import join, link, tag
from adjudicator.site.now import now_line
from adjudicator.site.story import Story
from adjudicator.site.words import state_in_words


def games_list(stories: Sequence[Story], root: str, latest: Mapping[str, Drawing]) -> Markup:
    """Every game with its state, filtered by ruleset, state and number of players; latest turns first.

    `latest` has each game's latest map, by its folder's name.
    """
    ordered = sorted(stories, key=lambda story: (story.atom_time(story.last), story.slug), reverse=True)
    ordered.sort(key=lambda story: story.state != "running")
    cards = [_card(story, root, latest[story.slug]) for story in ordered]
    rulesets = sorted({(story.game.ruleset.about.slug, story.game.ruleset.about.title) for story in stories})
    players = sorted({len(story.game.seats) for story in stories})
    filters = tag(
        "form",
        _select("ruleset", "Ruleset", rulesets),
        _select("state", "State", [(state, state) for state in ("running", "finished", "record")]),
        _select("players", "Players", [(str(n), str(n)) for n in players]),
        tag("output", f"{len(cards)} games", aria_live="polite"),
        class_="courtly-filters",
        hidden=True,
    )
    feeds = tag("p", link("Atom feed of all games", f"{root}feed.xml"), class_="courtly-small")
    return tag("section", filters, tag("div", join(cards), class_="courtly-cards"), feeds, id="games")


def _select(name: str, label: str, choices: Iterable[tuple[str, str]]) -> Markup:
    options = [tag("option", "all", value="")] + [tag("option", text, value=value) for value, text in choices]
    return tag("label", f"{label} ", tag("select", join(options), name=name))


THUMB = 480
"""How wide a map in the list of games is, at most."""


def _card(story: Story, root: str, latest: Drawing) -> Markup:
    game = story.game
    address = f"{root}games/{game.slug}/index.html"
    now = now_line(story, root, write=False)
    picture = f"{root}games/{game.slug}/" + ("map.svg" if story.ending else f"{story.last.name}/map.svg")
    return tag(
        "article",
        link(
            tag(
                "img",
                src=picture,
                alt="",
                loading="lazy",
                width=THUMB,
                height=round(THUMB * latest.height / latest.width),
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
