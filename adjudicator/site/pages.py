"""Pages for readers: the games, a game, a turn. HTML fragments; knows neither MkDocs nor any game.

Every function takes the way back to the site's root (`../../`), because pages are read from files as well as from
servers.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.pages import Cell, Chapter, Table, Timeline
from adjudicator.core.contract.resolution import Example, Verdict
from adjudicator.core.contract.ruleset import Ruleset, find, slugs
from adjudicator.core.contract.scene import Drawing, drawing_of
from adjudicator.core.game.archive import UNDONE, display
from adjudicator.core.game.game import house_rules, nothing_beside, seat_file
from adjudicator.core.game.rulings import Ruling, reveal_hidden, said
from adjudicator.core.game.schedule import WEEKDAYS, Judge, judge_or_wait, read_time
from adjudicator.core.jobs.voids import void_effects
from adjudicator.core.jobs.waiting import host_decides
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.files import scene_of
from adjudicator.core.turn.judge import as_open
from adjudicator.core.turn.sheets import by_seat, holder
from adjudicator.render import line_chart, timeline
from adjudicator.site.luck import foreseen, rolls_of
from adjudicator.site.markup import drawn, join, link, listed, marked, table, tag
from adjudicator.site.seats import seats_to_join
from adjudicator.site.story import Story, unnamed


def anchor(rule: str) -> str:
    """A rule's anchor on its rulebook page."""
    return rule.lower()


@functools.cache
def rulebook_of(rule: str, slug: str) -> str:
    """The ruleset in whose rulebook a rule stands: the game's own, or one that it builds on."""
    prefix = rule.partition("-")[0]
    return next((name for name in (slug, *slugs()) if find(name).about.prefix == prefix), slug)


def rule_link(root: str, slug: str, rule: str) -> Markup | str:
    """A rule's number as a link to where it is written."""
    if not rule:
        return ""
    return link(rule, f"{root}rulesets/{rulebook_of(rule, slug)}.html#{anchor(rule)}", class_="courtly-rule")


def tables(found: Iterable[Table], before: Iterable[Table] = ()) -> Markup:
    """Standings; with those `before`, every number that changed says by how much."""
    old = {one.title: {row[0]: row for row in one.rows} for one in before}
    shown = []
    for one in found:
        rows = [
            [_changed(cell, old.get(one.title, {}).get(row[0]), at) for at, cell in enumerate(row)] for row in one.rows
        ]
        shown.append(table(one.head, rows, one.title))
    return join(shown)


def _changed(cell: Cell, row: Sequence[Cell] | None, at: int) -> str:
    """A cell of a standing: `5 (+1)` where the row it came from had 4."""
    was = row[at] if row is not None and at < len(row) else None
    if isinstance(cell, int) and isinstance(was, int) and cell != was:
        return f"{cell} ({cell - was:+d})".replace("-", "−")
    return str(cell)


# The home page ----------------------------------------------------------------------------------------------------


def games_list(stories: Sequence[Story], root: str, latest: Mapping[str, Drawing]) -> Markup:
    """Every game with its state, filtered by ruleset, state and number of players; latest turns first.

    `latest` has each game's latest map, by its folder's name.
    """
    ordered = sorted(stories, key=lambda story: (story.updated(story.last), story.slug), reverse=True)
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
        tag("p", f"{game.ruleset.about.title} · {len(game.seats)} seats · {_state(story)}"),
        tag("p", headline, class_="courtly-small") if (headline := story.latest_headline()) else None,
        class_="courtly-card",
        data_ruleset=game.ruleset.about.slug,
        data_state=story.state,
        data_players=len(game.seats),
    )


def _state(story: Story) -> str:
    if story.record:
        return f"a record: {', '.join(turn.data.phase for turn in story.turns)}"
    if story.ending is None:
        return f"now: {story.last.data.phase}"
    return ended_in_words(story)


def ended_in_words(story: Story) -> str:
    """How a finished game ended."""
    assert story.ending is not None
    return story.game.ruleset.words.ended(story.ending)


# A game -----------------------------------------------------------------------------------------------------------


def game_page(story: Story, root: str, latest: Drawing, more: Sequence[Chapter] = ()) -> Markup:
    """A game: how it stands, a replay that begins with the latest map, its chapters, charts, standings, story and turns."""
    game, rules = story.game, story.game.ruleset
    last = story.last
    positions = [story.position(turn) for turn in story.turns] + ([story.final] if story.ending else [])
    sides = rules.pictures.draw(positions[0], None).sides
    charts = (
        []
        if story.record
        else [
            (chart.title, timeline(chart, sides) if isinstance(chart, Timeline) else line_chart(chart, sides))
            for chart in rules.tables.chart(positions)
            if len(chart.labels) > 1
        ]
    )
    people = [(seat, _people(story, seat)) for seat in game.seats]
    lead = [
        link(rules.about.title, f"{root}rulesets/{rules.about.slug}.html"),
        _state(story),
        f"opened {game.data.opened}",
        *([f"hosted by {game.data.host}"] if game.data.host else []),
    ]
    return tag(
        "div",
        tag("p", link("All games", f"{root}index.html"), class_="courtly-crumbs"),
        tag("h1", game.title),
        tag("p", join(lead, " · "), class_="courtly-lead"),
        tag("p", marked(game.data.about)) if game.data.about else None,
        foreseen(story),
        tag(
            "p",
            link(
                "Write a sheet at the order desk", f"{root}desk.html#{game.slug}", class_="md-button md-button--primary"
            ),
        )
        if last.data.status == "open"
        else None,
        None if story.ending or story.record else seats_to_join(story.archive, game, last.data.players, root),
        _host_decides(story, last),
        _replay(story, latest),
        _contents(story, more),
        join(
            tag("section", tag("h2", f"{title} over time"), tag("figure", drawn(svg), class_="courtly-chart"))
            for title, svg in charts
        ),
        None
        if story.record
        else tag(
            "section",
            tag("h2", "Final standings" if story.ending else "Standings"),
            tables(rules.tables.tally(positions[-1])),
        ),
        None if story.record else _house_rules(story, root),
        None
        if story.record and all(map(unnamed, (name for _, name in people)))
        else tag("section", tag("h2", "Players"), table(("Seat", "Player"), people, "Players")),
        _told(story),
        tag(
            "section",
            tag("h2", "Every turn"),
            listed(
                (link(turn.data.phase, f"{turn.name}/index.html") for turn in story.turns),
                ordered=True,
                class_="courtly-turns",
            ),
        ),
        tag("p", link("The luck of this game", "luck.html")) if rolls_of(story) else None,
        tag("p", f"Source: {game.data.source}", class_="courtly-small") if game.data.source else None,
        tag("p", link("Atom feed of this game", "feed.xml"), class_="courtly-small"),
        class_="courtly courtly-game",
    )


def _contents(story: Story, more: Sequence[Chapter]) -> Markup | None:
    """The ways to the game's other pages: its chapters, and the game as each seat saw it."""
    ways = [tag("li", link(one.title, f"{one.name}.html"), tag("span", one.about)) for one in more]
    seats = [link(seat, f"seat-{seat_file(seat)}.html") for seat in seats_told(story)]
    if seats:
        ways.append(tag("li", tag("strong", "As each seat saw it: "), join(seats, ", ")))
    if not ways:
        return None
    return tag("section", tag("h2", "More of this game"), tag("ul", join(ways), class_="courtly-contents"))


def seats_told(story: Story) -> tuple[str, ...]:
    """The seats from whose side a game can be told: all, once what was hidden is known."""
    told = story.game.ruleset.secrecy is not None and story.ending is not None
    return story.game.seats if told else ()


def _people(story: Story, seat: str) -> str:
    """Who plays a seat, and who did before."""
    names = [story.game.player(seat)]
    for turn in story.turns:
        name = holder(story.game, turn.data, seat).player
        if name != names[-1]:
            names.append(name)
    return names[-1] + (f" (before: {', '.join(names[:-1])})" if len(names) > 1 else "")


def _house_rules(story: Story, root: str) -> Markup:
    """The settings in which a game differs from what is usual here."""
    game = story.game
    # Those of the position: a ruling may have changed what game.yaml says.
    usual_rules, _ = house_rules(game.ruleset, Text("", {}, {}), nothing_beside)
    chosen, usual = encode(story.last.data.position.settings), encode(usual_rules)
    own = [(key, str(value)) for key, value in chosen.items() if usual.get(key) != value]
    host = link("What the settings mean", f"{root}host.html#house-rules")
    body = listed(f"{key}: {value}" for key, value in own) if own else tag("p", "The usual rules, without exception.")
    return tag("section", tag("h2", "House rules"), body, tag("p", host, class_="courtly-small"))


def _replay(story: Story, latest: Drawing) -> Markup:
    """The latest map; a script adds a slider over all of them."""
    shots = [[turn.name, turn.data.phase, f"{turn.name}/map.svg", f"{turn.name}/index.html"] for turn in story.turns]
    if story.ending:
        shots.append(["end", "The end", "map.svg", f"{story.last.name}/index.html"])
    _, phase, picture, page = shots[-1]
    return tag(
        "section",
        tag("h2", "The board"),
        tag(
            "figure",
            link(tag("img", src=picture, alt=f"Map: {phase}", width=latest.width, height=latest.height), page),
            tag("figcaption", link(phase, page)),
            class_="courtly-map",
        ),
        id="replay",
        data_turns=json.dumps(shots, ensure_ascii=False),
    )


LATEST = 6
"""How many of the latest turns are told in the open; the rest unfolds."""


def _told(story: Story) -> Markup:
    """The story so far, latest first."""
    chapters = []
    for turn in reversed(story.turns):
        told = list(story.events(turn))
        if told:
            chapters.append(
                tag("div", tag("h3", link(turn.data.phase, f"{turn.name}/index.html")), tag("p", " ".join(told)))
            )
    if not chapters:
        chapters.append(tag("p", "Nothing has happened yet."))
    older = chapters[LATEST:]
    return tag(
        "section",
        tag("h2", "The story so far" if story.state == "running" else "The story"),
        join(chapters[:LATEST]),
        tag("details", tag("summary", f"{len(older)} earlier turns"), join(older)) if older else None,
        class_="courtly-story",
    )


RECORD = "This is a record: nothing here was judged, and what is not shown is not known."


# A turn -----------------------------------------------------------------------------------------------------------


def turn_page(story: Story, index: int, picture: str, root: str) -> Markup:
    """A turn: map, everybody's orders with verdict, reason and rule, events, standings, dice."""
    game, turn = story.game, story.turns[index]
    slug = game.ruleset.about.slug
    resolved = turn.data.status == "resolved"
    parts: list[Markup | None] = [
        tag(
            "p",
            link("All games", f"{root}index.html"),
            " › ",
            link(game.title, "../index.html"),
            class_="courtly-crumbs",
        ),
        tag("h1", turn.data.phase),
        _pager(story, index),
        tag(
            "figure",
            drawn(picture),
            tag(
                "figcaption",
                game.ruleset.pictures.draw(story.position(turn), turn.resolution).legend,
                " ",
                link("The map by itself", "map.svg"),
            ),
            class_="courtly-map",
        ),
    ]
    if resolved:
        parts += [
            tag("section", tag("h2", "What happened"), _happened(story, turn)),
            _reports(story, turn),
            tag("section", tag("h2", "Orders"), _orders(story, turn, root, slug), _noted(story, turn)),
        ]
        if turn.data.ended:
            parts.insert(2, tag("p", f"The game ended here: {ended_in_words(story)}.", class_="courtly-lead"))
    else:
        parts.append(_open(story, turn, root))
    parts[2:2] = _standing(story, turn)
    parts.append(_rulings(story, turn))
    if story.record:
        return tag("div", *parts, tag("p", RECORD, class_="courtly-small"), class_="courtly courtly-turn", id="turn")
    tally = game.ruleset.tables.tally
    before, after = tally(story.position(turn)), story.after(index)
    if after is None:
        standings = tag("section", tag("h2", "Standings"), tables(before))
    else:
        standings = tag("section", tag("h2", "Standings after this turn"), tables(tally(after), before))
    parts += [standings, _dice(story, turn, root)]
    return tag("div", *parts, class_="courtly courtly-turn", id="turn")


def _standing(story: Story, turn: Turn) -> list[Markup]:
    """What everybody should know of a turn before they read it: that it is not judged by the rules, or not for the first time."""
    game, found = story.game, []
    if (reason := (game.data.as_played or {}).get(turn.name)) is not None:
        what = (
            "This turn stands as it was played; by today's rules it would be judged otherwise, and nobody verifies it."
        )
        found.append(f"{what} Reason: {reason}")
    if (reason := (game.data.rejudged or {}).get(turn.name)) is not None:
        found.append(f"From this turn on the game was judged anew, by rules that had been mended. Reason: {reason}")
    if turn.data.put_back is not None:
        kept = f"What was sent for it before is kept in games/{game.slug}/{UNDONE}/."
        found.append(f"The host put this turn back, and it is played again. Reason: {turn.data.put_back} {kept}")
    return [tag("p", line, class_="courtly-standing") for line in found]


def _happened(story: Story, turn: Turn) -> Markup:
    """The facts of a turn, under their headings if they have any."""
    told = story.parts(turn)
    if not told:
        return tag("p", story.game.ruleset.words.quiet)
    return join(join([tag("h3", heading) if heading else "", listed(lines)]) for heading, lines in told)


def _reports(story: Story, turn: Turn) -> Markup | None:
    """The facts of a turn that are told in full, each with its table and its chart."""
    rules = story.game.ruleset
    found = [
        tag(
            "section",
            tag("h3", one.title),
            tag("p", one.about),
            tag("figure", drawn(line_chart(one.chart, one.sides)), class_="courtly-chart")
            if one.chart is not None and one.sides is not None and len(one.chart.labels) > 1
            else None,
            tables([one.table]),
            id=one.anchor,
        )
        for one in rules.tables.reports(turn.data.position, story.heard(turn))
    ]
    return tag("section", tag("h2", "Reports"), join(found), class_="courtly-reports") if found else None


def map_of(story: Story, turn: Turn) -> Drawing:
    """The turn's picture, drawn anew: a file in the archive is not to be trusted with a place in a page."""
    scene = scene_of(story.game, story.position(turn), turn.resolution)
    return drawing_of(story.game.ruleset.pictures.paint(scene))


def _pager(story: Story, index: int) -> Markup:
    """Previous and next turn; a script puts a slider between them."""
    turns = story.turns
    before = turns[index - 1] if index else None
    after = turns[index + 1] if index + 1 < len(turns) else None
    names = json.dumps([[turn.name, turn.data.phase] for turn in turns], ensure_ascii=False)
    return tag(
        "nav",
        link("← " + before.data.phase, f"../{before.name}/index.html", rel="prev")
        if before
        else tag("span", "The first turn"),
        tag("span", f"Turn {index + 1} of {len(turns)}", class_="courtly-count"),
        link(after.data.phase + " →", f"../{after.name}/index.html", rel="next")
        if after
        else tag("span", "The latest turn"),
        class_="courtly-pager",
        aria_label="Turns",
        data_turns=names,
        data_index=index,
    )


def _orders(story: Story, turn: Turn, root: str, slug: str) -> Markup:
    """Everybody's orders: each with verdict, reason and rule."""
    game = story.game
    groups = []
    for seat in game.seats:
        verdicts = [verdict for verdict in turn.data.verdicts if verdict.seat == seat]
        if not verdicts:
            continue
        groups.append(tag("div", tag("h3", seat), order_list(story, turn, verdicts, root, slug)))
    secret = game.ruleset.secrecy is not None and not story.ending
    none = "What was ordered is told when the game is over." if secret else "Nobody had anything to order."
    return tag("div", join(groups) if groups else tag("p", none), class_="courtly-sheets")


def order_list(story: Story, turn: Turn, verdicts: Iterable[Verdict], root: str, slug: str) -> Markup:
    """Orders, each with verdict, reason and rule."""
    rows = join(_order_row(story, turn, verdict, root, slug) for verdict in verdicts)
    return tag("ul", rows, class_="courtly-orders")


def _order_row(story: Story, turn: Turn, verdict: Verdict, root: str, slug: str) -> Markup:
    sign = "✓" if verdict.ok else "✗" if verdict.known else "?"
    word = ", ".join(filter(None, (verdict.result, "no order" if verdict.implied else "", verdict.also)))
    return tag(
        "li",
        tag("span", sign, class_="courtly-sign", aria_hidden="true"),
        tag("strong", verdict.order, class_="courtly-order"),
        tag("span", word, class_="courtly-result"),
        tag(
            "span",
            story.tell(turn, verdict),
            " ",
            rule_link(root, slug, verdict.rule),
            class_="courtly-why",
        ),
        class_="courtly-good" if verdict.ok else "courtly-bad",
    )


def example_box(rules: Ruleset[Any, Any, Any], example: Example[Any, Any]) -> Markup:
    """A worked example of a rulebook: how it stood, what was ordered, and what became of it."""
    done = example.resolution
    rows = [
        tag(
            "li",
            tag("span", "✓" if verdict.ok else "✗", class_="courtly-sign", aria_hidden="true"),
            tag("strong", verdict.order, class_="courtly-order"),
            tag("span", verdict.seat, class_="courtly-result"),
            tag(
                "span",
                rules.words.tell(example.position, verdict),
                " ",
                rule_link("../", rules.about.slug, verdict.rule),
                class_="courtly-why",
            ),
            class_="courtly-good" if verdict.ok else "courtly-bad",
        )
        for verdict in done.verdicts
        if not verdict.idle
    ]
    told = " ".join(rules.words.tell(example.position, event) for event in done.events)
    return tag(
        "details",
        tag("summary", "Example: ", example.title),
        tag("p", f"{rules.when(example.position)}. {example.about}".strip()),
        tag("ul", join(rows), class_="courtly-orders") if rows else None,
        tag("p", told) if told else None,
        class_="courtly-example",
    )


def _open(story: Story, turn: Turn, root: str) -> Markup:
    """What an open turn waits for, and how to send a sheet."""
    game, data = story.game, turn.data
    answer = judge_or_wait(as_open(game, data), None)
    if isinstance(answer, Judge):
        deadline, waited = "Nothing is waited for:", "the turn is judged with the next run."
    else:
        set_ = f"Deadline: {in_words(answer.until)}." if answer.until else "This game has no deadlines."
        deadline = "The game is paused by the host." if answer.why == "paused" else set_
        waited = f"Sheets are awaited from {', '.join(data.owing)}." if data.owing else "Nobody’s sheet is awaited."
    sent = story.sent(turn)
    rows = [
        (seat, holder(game, data, seat).player, sent.get(seat, "nothing yet" if seat in data.owing else "nothing"))
        for seat in game.seats
        if seat in data.owing or seat in sent
    ]
    absent = f"In civil disorder, and not waited for: {', '.join(data.absent)}." if data.absent else None
    return tag(
        "section",
        tag("h2", "Orders are awaited"),
        tag("p", f"{deadline} {waited}"),
        _host_decides(story, turn),
        tag("p", absent) if absent else None,
        tag(
            "p",
            link(
                "Write a sheet at the order desk", f"{root}desk.html#{game.slug}", class_="md-button md-button--primary"
            ),
        ),
        table(("Seat", "Player", "Sent"), rows, "Sheets") if rows else None,
        tag(
            "p",
            "A sheet is a file ",
            tag("code", f"games/{game.slug}/{turn.name}/orders/SEAT.yaml"),
            *((", or sealed ", tag("code", "SEAT.yaml.age")) if data.seal else ()),
            "; ",
            link("how to play", f"{root}play.html"),
            " says what goes into it.",
        ),
        tag("p", "Sheets are sealed to the key ", tag("code", data.seal.recipient, class_="courtly-long"), ".")
        if data.seal
        else None,
    )


def _host_decides(story: Story, turn: Turn) -> Markup | None:
    """Who keeps the turn waiting for its host, and from when on; a script says whether that time has come."""
    then = host_decides(story.archive, turn)
    if then is None or then.since is None:
        return None
    seats, when = ", ".join(then.seats), in_words(then.since)
    return tag(
        "p",
        f"If no sheet comes from {seats} before {when}, the turn waits for its host to decide.",
        class_="courtly-host",
        data_since=then.since,
        data_past=f"No sheet came from {seats}: the turn has waited for its host to decide since {when}.",
    )


def in_words(time: str) -> str:
    """`2026-11-24T17:00Z` as `Tuesday 24 November 2026, 17:00 UTC`, in English on every machine."""
    at = read_time(time)
    return f"{WEEKDAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}, {at.hour:02d}:{at.minute:02d} UTC"


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _opened(turn: Turn, ruling: Ruling) -> Ruling:
    """A ruling on what was hidden as what it was, once the turn's key is published."""
    key = turn.data.seal.identity if turn.data.seal is not None else None
    if ruling.hidden is None or key is None:
        return ruling
    inside = reveal_hidden(ruling.hidden, key, turn.name)
    return replace(ruling, hidden=None, correct=inside.correct or None, decide=inside.decide)


def _rulings(story: Story, turn: Turn) -> Markup | None:
    """The host's rulings in this turn, with their reasons, and what a judged one voided."""
    if not turn.data.rulings:
        return None
    effects = void_effects(story.archive, turn)
    told = (
        " ".join(
            filter(None, (said(story.game, _opened(turn, ruling)), effects.get(index), f"Reason: {ruling.reason}"))
        )
        for index, ruling in enumerate(turn.data.rulings)
    )
    return tag("section", tag("h2", "Rulings of the host"), listed(told, class_="courtly-rulings"))


def _noted(story: Story, turn: Turn) -> Markup | None:
    """Which sheets were not what they might seem: standing ones, sealed ones that could not be judged, those that came by no receipt."""
    stood = [f"{seat}: the standing sheet of {name}." for seat, name in (turn.data.stood or {}).items()]
    refused = [f"{name} did not count: {why}" for name, why in (turn.data.refused or {}).items()]
    by_hand = [
        f"{path.name} was not taken in by intake: somebody added it who may push, and there is no receipt for it."
        for path in _by_hand(story, turn)
    ]
    if not stood and not refused and not by_hand:
        return None
    return tag("section", tag("h3", "About the sheets"), listed([*stood, *refused, *by_hand]))


def _by_hand(story: Story, turn: Turn) -> Iterator[Path]:
    """The sheets of a turn that no commit of intake brought, where that can be known (FS-14)."""
    if story.taken is None:
        return
    for files in by_seat(story.archive, turn)[0].values():
        for _, path in reversed(files):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if (display(path, story.archive.root), digest) not in story.taken:
                yield path


def _dice(story: Story, turn: Turn, root: str) -> Markup:
    """The dice and their proof, and the turn's key."""
    dice = turn.data.dice
    rows = [("Commitment", dice.commitment)]
    if dice.secret:
        rows += [("Secret", dice.secret)]
    if dice.digest:
        rows += [("Digest of the sheets", dice.digest)]
    if turn.data.seal:
        rows += [("Key to which sheets were sealed", turn.data.seal.recipient)]
        if turn.data.seal.identity:
            rows += [("Key that opens them", turn.data.seal.identity)]
    rolls = [(roll.name, roll.sides, roll.value) for roll in turn.data.rolls]
    secret = story.game.ruleset.secrecy is not None and not story.ending
    none = (
        "Nothing was rolled that everybody sees while the game runs." if secret else "Nothing in this turn was rolled."
    )
    words = none if not rolls else f"{len(rolls)} rolls{' that everybody sees' if secret else ''}."
    check = link("Check it in your browser", f"{root}dice-check.html#{story.slug}/{turn.name}")
    return tag(
        "details",
        tag("summary", "Dice and their proof"),
        foreseen(story),
        tag("p", words, " ", check, ". ", link("How the dice work", f"{root}dice.html"), "."),
        tag("dl", join(tag("dt", key) + tag("dd", tag("code", value)) for key, value in rows)),
        table(("Roll", "Sides", "Value"), rolls, "Rolls") if rolls else None,
        class_="courtly-dice",
    )


def proof(turn: Turn) -> str:
    """What a browser needs to check a turn's dice, as JSON."""
    data = turn.data
    found: dict[str, Any] = {
        "game": data.game,
        "turn": data.turn,
        "phase": data.phase,
        "title": turn.game.title,
        "foreseen": turn.game.foreseen,
        "commitment": data.dice.commitment,
        "secret": data.dice.secret,
        "digest": data.dice.digest,
        "sheets": dict(data.sheets or {}),
        "rolls": encode(data.rolls),
        "setup": encode(data.setup) if data.setup else None,
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"
