"""A game's page: its state, story, people, standings, charts and replay."""

from __future__ import annotations

import json
from collections.abc import Sequence

from markupsafe import Markup

from adjudicator.core.contract.pages import Chapter
from adjudicator.core.contract.scene import Drawing
from adjudicator.core.game.game import Charter, Maps, house_rules, nothing_beside, seat_file
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_charter
from adjudicator.render.hatch import is_hatched
from adjudicator.site.absences import absences_of_game
from adjudicator.site.calendars import is_dated
from adjudicator.site.charts import chart_figure
from adjudicator.site.feeds import player_feed
from adjudicator.site.luck import foresight_warning, rolls_of
from adjudicator.site.markup import item_list, join, link, mark_code, table, tag
from adjudicator.site.now import due_line, now_line
from adjudicator.site.people import page_of
from adjudicator.site.press import letters_of_game
from adjudicator.site.replay import NAME
from adjudicator.site.seats import draw_of_seats, reserve_line, seats_to_join, seats_without
from adjudicator.site.standings import tables
from adjudicator.site.story import Story, is_unnamed
from adjudicator.site.turn import _host_decides
from adjudicator.site.words import on_forge, state_in_words


def game_page(story: Story, root: str, latest: Drawing, more: Sequence[Chapter] = ()) -> Markup:
    """A game's page: its state, a replay that begins with the latest map, its chapters, charts, standings, story and turns."""
    game, rules = story.game, story.game.ruleset
    last = story.last
    positions = [story.position(turn) for turn in story.turns] + ([story.final] if story.ending else [])
    sides = rules.pictures.draw(positions[0], None).sides
    charts = (
        []
        if story.record
        else [
            (chart.title, chart_figure(chart, sides, story.turns))
            for chart in rules.tables.chart(positions)
            if len(chart.labels) > 1
        ]
    )
    people = [(seat, _people(story, seat, root), _feed_of(story.players_of(seat)[0], root)) for seat in game.seats]
    columns = 3 if any(feed for _, _, feed in people) else 2
    charter = load_charter(story.archive)
    now = now_line(story, root, write=True)
    due = due_line(story, story.last)
    lead = [
        link(rules.about.title, f"{root}rulesets/{rules.about.slug}.html"),
        *([state_in_words(story)] if now is None else []),
        f"opened {game.data.opened}",
        *([f"hosted by {game.data.host}"] if game.data.host else []),
    ]
    return tag(
        "div",
        tag("p", link("All games", f"{root}index.html"), class_="courtly-crumbs"),
        tag("h1", game.title),
        tag("p", join(lead, " · "), class_="courtly-lead"),
        foresight_warning(story),
        now,
        due,
        None if story.ending or story.record else seats_to_join(story.archive, game, last.data.players, root),
        _host_decides(story, last),
        _replay(story, latest),
        tag("p", mark_code(game.data.about)) if game.data.about else None,
        tag("details", tag("summary", "How this game was made"), tag("p", mark_code(game.data.made)))
        if game.data.made
        else None,
        _just_now(story),
        _contents(story, more),
        join(tag("section", tag("h2", f"{title} over time"), figure) for title, figure in charts),
        None
        if story.record
        else tag(
            "section",
            tag("h2", "Final standings" if story.ending else "Standings"),
            tables(rules.tables.tally(positions[-1])),
        ),
        None if story.record else _house_rules(story, root),
        None
        if story.record and all(is_unnamed(game.player(seat)) for seat in game.seats)
        else tag(
            "section",
            tag("h2", "Players"),
            table(("Seat", "Player", "Feed")[:columns], [row[:columns] for row in people], "Players"),
            seats_without(charter, game, last) if story.state == "running" else None,
            reserve_line(game) if story.state == "running" else None,
        ),
        absences_of_game(story, charter, root),
        letters_of_game(story, root),
        draw_of_seats(game, root, over=story.ending is not None),
        _story_so_far(story),
        tag(
            "section",
            tag("h2", "Every turn"),
            item_list(
                (_turn_ways(story, turn, charter) for turn in story.turns),
                ordered=True,
                class_="courtly-turns",
            ),
        ),
        tag("p", link("The luck of this game", "luck.html")) if rolls_of(story) else None,
        tag("p", f"Source: {game.data.source}", class_="courtly-small") if game.data.source else None,
        tag("p", join(_game_ways(story, charter), " · "), class_="courtly-small"),
        class_="courtly courtly-game",
    )


def _feed_of(name: str, root: str) -> Markup | str:
    """Link to a player's feed; nothing for a seat without a name."""
    feed = player_feed(name)
    return link("Atom", f"{root}{feed.address}", aria_label=f"Atom feed: {feed.title}") if feed is not None else ""


def _turn_ways(story: Story, turn: Turn, charter: Charter | None) -> Markup:
    """Links to a turn's page and to its record on the forge."""
    page = link(turn.data.phase, f"{turn.name}/index.html")
    record = on_forge(charter, f"{story.game.home}/{turn.name}/turn.yaml")
    if record is None:
        return page
    return join(
        [page, link("turn.yaml", record[1], title=f"The record of {turn.data.phase}", class_="courtly-small")], " "
    )


def _game_ways(story: Story, charter: Charter | None) -> list[Markup]:
    """Links to the game's feed and to its folder on the forge."""
    folder = on_forge(charter, story.game.home)
    calendars = [link("Calendar of its deadlines", "deadlines.ics")] if is_dated(story) else []
    return [link("Atom feed of this game", "feed.xml"), *calendars] + (
        [link(f"The game's folder on {folder[0]}", folder[1])] if folder is not None else []
    )


def turn_ways(story: Story, turn: Turn, charter: Charter | None) -> Markup:
    """Links below a turn's page: its record and its map on the forge, and the game's feed."""
    folder = f"{story.game.home}/{turn.name}"
    ways = [link("Atom feed of this game", "../feed.xml")] + [
        link(f"{name}, {what}, on {way[0]}", way[1])
        for name, what in (("turn.yaml", "the record of this turn"), ("map.svg", "its map"))
        if (name != "map.svg" or charter is None or charter.maps is Maps.ALL)
        and (way := on_forge(charter, f"{folder}/{name}")) is not None
    ]
    return tag("div", tag("p", join(ways, " · "), class_="courtly-small"), class_="courtly")


def _contents(story: Story, more: Sequence[Chapter]) -> Markup | None:
    """Links to the game's other pages: its chapters, and the game as each seat saw it."""
    ways = [tag("li", link(chapter.title, f"{chapter.name}.html"), tag("span", chapter.about)) for chapter in more]
    seats = [link(seat, f"seat-{seat_file(seat)}.html") for seat in told_seats(story)]
    if seats:
        ways.append(tag("li", tag("strong", "As each seat saw it: "), join(seats, ", ")))
    if not ways:
        return None
    return tag("section", tag("h2", "More about this game"), tag("ul", join(ways), class_="courtly-contents"))


def told_seats(story: Story) -> tuple[str, ...]:
    """The seats whose views of a game can be shown: all seats, once the game's hidden information is public."""
    told = story.game.ruleset.secrecy is not None and story.ending is not None
    return story.game.seats if told else ()


def _people(story: Story, seat: str, root: str) -> Markup:
    """A seat's current player, and the earlier ones, each with a link to their page."""
    *before, now = (_person(name, root) for name in story.players_of(seat))
    return join([now, *([" (before: ", join(before, ", "), ")"] if before else [])])


def _person(name: str, root: str) -> Markup | str:
    address = page_of(name)
    return link(name, f"{root}{address}") if address is not None else name


def _house_rules(story: Story, root: str) -> Markup:
    """The settings of a game that differ from the defaults."""
    game = story.game
    # From the position, because a ruling may have changed the settings in game.yaml.
    usual_rules, _ = house_rules(game.ruleset, Text("", {}, {}), nothing_beside)
    chosen, usual = encode(story.last.data.position.settings), encode(usual_rules)
    own = [(key, str(value)) for key, value in chosen.items() if usual.get(key) != value]
    host = link("What the settings mean", f"{root}host.html#house-rules")
    body = (
        item_list(f"{key}: {value}" for key, value in own) if own else tag("p", "The usual rules, without exception.")
    )
    return tag("section", tag("h2", "House rules"), body, tag("p", host, class_="courtly-small"))


END = "end"
"""Name of the board at the end of a game, among those of its turns."""


def shown_first(story: Story) -> int:
    """Index of the board that represents the game: a turn's index, or the number of turns for the board at the end.

    The last turn of a running game still awaits its orders, so nothing is drawn on it yet (FR-4).
    """
    if story.ending:
        return len(story.turns)
    waited = story.state == "running" and len(story.turns) > 1 and story.last.data.status == "open"
    return len(story.turns) - (2 if waited else 1)


def _replay(story: Story, latest: Drawing) -> Markup:
    """The map of the latest events. A script adds a slider over all maps, and draws them from one file."""
    shots = [[turn.name, turn.data.phase, f"{turn.name}/index.html"] for turn in story.turns]
    if story.ending:
        shots.append([END, "The end", f"{story.last.name}/index.html"])
    first = shown_first(story)
    _, phase, page = shots[first]
    picture = tag("img", src="map.svg", alt=f"Map: {phase}", width=latest.width, height=latest.height)
    return tag(
        "section",
        tag(
            "figure",
            tag("div", tag("div", link(picture, page), class_="courtly-view"), class_="courtly-board"),
            tag("figcaption", link(phase, page)),
            class_="courtly-map",
        ),
        id="replay",
        aria_label="The board",
        data_turns=json.dumps(shots, ensure_ascii=False),
        data_first=first,
        data_maps=NAME,
        data_hatched="" if is_hatched(latest.svg) else None,
    )


def _just_now(story: Story) -> Markup | None:
    """The events of the last judged turn of a running game."""
    judged = [turn for turn in story.turns if turn.data.status != "open"]
    if story.state != "running" or not judged:
        return None
    return tag("section", tag("h2", "What just happened"), _told_turn(story, judged[-1]), class_="courtly-just")


UNFOLDED = 6
"""Turns that are shown unfolded; the others are folded."""


def _story_so_far(story: Story) -> Markup:
    """The story from its beginning; the latest turns of a running game are unfolded, or the first ones of a finished game."""
    judged = [turn for turn in story.turns if turn.data.status != "open"]
    chapters = [_told_turn(story, turn) for turn in judged]
    running = story.state == "running"
    open_from = max(len(chapters) - UNFOLDED, 0) if running else 0
    open_to = len(chapters) if running else UNFOLDED
    earlier, shown, later = chapters[:open_from], chapters[open_from:open_to], chapters[open_to:]
    return tag(
        "section",
        tag("h2", "The story so far" if running else "The story"),
        _folded_turns(earlier, "earlier") if earlier else None,
        join(shown) if shown else tag("p", "Nothing has happened yet."),
        _folded_turns(later, "later") if later else None,
        class_="courtly-story",
        id="story",
    )


def _told_turn(story: Story, turn: Turn) -> Markup:
    """A turn of the story: its headline, other events that matter, and plain events, folded."""
    told = story.shortly(turn)
    return tag(
        "div",
        tag("h3", link(turn.data.phase, f"{turn.name}/index.html")),
        tag("p", tag("strong", told.headline)) if told.headline else None,
        tag("p", " ".join(told.rest)) if told.rest else None,
        tag("p", story.game.ruleset.words.quiet) if not told.headline and not told.rest else None,
        tag("details", tag("summary", f"{len(told.plain)} more"), item_list(told.plain)) if told.plain else None,
    )


def _folded_turns(chapters: Sequence[Markup], when: str) -> Markup:
    """Turns of the story, folded."""
    summary = f"{len(chapters)} {when} turn{'' if len(chapters) == 1 else 's'}"
    return tag("details", tag("summary", summary), join(chapters))
