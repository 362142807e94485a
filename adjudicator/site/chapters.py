"""A game's pages besides its turns: the chapters that its ruleset tells, and the whole game as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from adjudicator.core.contract.pages import At, Chapter, Copies, Due, Of, Section, Table
from adjudicator.core.contract.rulebook import RULE_ID
from adjudicator.core.contract.words import many
from adjudicator.core.game.game import seat_file
from adjudicator.core.turn.data import Turn
from adjudicator.site.cards import FOLDER, has_own_cards, page_of, shipped_folder
from adjudicator.site.charts import chart_figure
from adjudicator.site.markup import inline_svg, item_list, join, link, mark_code, table, tag
from adjudicator.site.now import deadline_of
from adjudicator.site.rulebook import rule_link
from adjudicator.site.story import Story
from adjudicator.site.turn import board_figure, order_list


def chapters_of(story: Story) -> tuple[Chapter, ...]:
    """The chapters of a game, as far as the public may know them; empty for a record."""
    return () if story.record else story.game.ruleset.tables.chapters(story.told(), story.final)


def chapter_page(story: Story, chapter: Chapter, others: Iterable[Chapter], root: str) -> Markup:
    """One chapter of a game."""
    others = tuple(others)
    ways = [
        tag("strong", other.title) if other.name == chapter.name else link(other.title, f"{other.name}.html")
        for other in others
    ]
    return tag(
        "div",
        _crumbs(story, root),
        tag("h1", f"{chapter.title} of {story.game.title}" if ":" not in chapter.title else chapter.title),
        tag("nav", join(ways, " · "), class_="courtly-small", aria_label="Chapters") if len(others) > 1 else "",
        tag("p", chapter.about, class_="courtly-lead"),
        join(_section(story, section, root) for section in chapter.sections),
        class_="courtly courtly-chapter",
    )


def _crumbs(story: Story, root: str) -> Markup:
    back = link(story.game.title, "index.html")
    return tag("p", link("All games", f"{root}index.html"), " › ", back, class_="courtly-crumbs")


def _section(story: Story, section: Section, root: str) -> Markup:
    said = [_link_rules(story, sentence, root) for sentence in section.about if sentence]
    about = item_list(said) if len(said) > 2 else join(tag("p", sentence) for sentence in said)
    parts = [part for part in section.tables if part.rows]
    named = sum(not part.folded for part in parts) > 1  # the section's heading names a single table
    return tag(
        "section",
        tag("h2", section.title),
        about,
        None if section.position is None else _board(story, section.position),
        join(chart_figure(picture.of, picture.sides, story.turns) for picture in section.pictures),
        join(_table(story, part, root, named=named) for part in parts),
        None if section.copies is None else _copies(story, section.copies),
        class_="courtly-sheet" if section.sheet else None,
    )


def _copies(story: Story, copies: Copies) -> Markup:
    """Blocks of text to copy; the theme adds a copy button to each block of code."""
    path = f"{story.game.home}/{story.turns[copies.turn].name}/{copies.file}"
    blocks = join(tag("p", what, class_="courtly-small") + tag("pre", tag("code", text)) for what, text in copies.texts)
    return tag("div", tag("p", "Put one of these into ", tag("code", path), ":"), blocks, class_="courtly-copies")


def _board(story: Story, position: object) -> Markup:
    """The picture of a position."""
    scene = story.game.ruleset.pictures.draw(position, None)
    return board_figure(story.game.ruleset.pictures.paint(scene), scene.legend, f"{story.slug}-board")


def _table(story: Story, contents: Table, root: str, *, named: bool) -> Markup:
    """A table whose cells may link to turns and rules. A folded table can be unfolded. If `named`, any other has its title above it."""
    rows = [[_cell(story, cell, root) for cell in row] for row in contents.rows]
    shown = table(contents.head, rows, contents.title)
    if contents.folded:
        return tag("details", tag("summary", contents.title), shown)
    return tag("h3", contents.title) + shown if named else shown


def _link_rules(story: Story, text: str, root: str) -> Markup:
    """A sentence whose rules are links to the rulebook."""
    parts: list[object] = []
    done = 0
    for match in RULE_ID.finditer(text):
        parts += [text[done : match.start()], rule_link(root, story.game.ruleset.about.slug, match[0])]
        done = match.end()
    return join([*parts, text[done:]])


def _cell(story: Story, cell: object, root: str) -> object:
    if isinstance(cell, str) and RULE_ID.fullmatch(cell):
        return rule_link(root, story.game.ruleset.about.slug, cell)
    if isinstance(cell, Of):
        folder = FOLDER if has_own_cards(story) else root + shipped_folder(story.game.ruleset.about.slug)
        return link(cell.text, f"{folder}/{page_of(cell.card)}")
    if isinstance(cell, Due):
        turn = story.turns[cell.turn]
        return deadline_of(story, turn) if turn.data.status == "open" and story.ending is None else ""
    if not isinstance(cell, At):
        return cell
    anchor = f"#{cell.anchor}" if cell.anchor else ""
    return link(cell.text, f"{story.turns[cell.turn].name}/index.html{anchor}")


def _number(things: Sequence[object], word: str) -> str:
    """`1 order`, `3 orders`, `no orders`."""
    return many(len(things), word) if things else f"no {word}s"


TURNS_A_PAGE = 12
"""Most turns on a page of a seat's view; a whole game of cards would be one page of 700 KB (PF-8)."""


def seat_pages(story: Story, seat: str, root: str) -> dict[str, Markup]:
    """A finished game as one seat saw it, by the names of its pages: its news and the fate of its orders, and first of all its last map."""
    judged = [turn for turn in story.turns if turn.data.status == "resolved"]
    groups = [judged[at : at + TURNS_A_PAGE] for at in range(0, len(judged), TURNS_A_PAGE)] or [[]]
    first = f"seat-{seat_file(seat)}"
    # A dot is in no seat's file, so no other seat has a page of that name.
    names = [first + (f".{number}" if number > 1 else "") + ".html" for number in range(1, len(groups) + 1)]
    return {name: _seat_page(story, seat, root, groups, names, at) for at, name in enumerate(names)}


def _seat_page(
    story: Story, seat: str, root: str, groups: Sequence[Sequence[Turn]], names: Sequence[str], at: int
) -> Markup:
    """One of the pages of a seat's view, with links to the others."""
    rules, slug = story.game.ruleset, story.game.ruleset.about.slug
    parts = []
    for turn in groups[at]:
        view = rules.view(turn.data.position, seat)
        news = [rules.words.tell(view, fact) for fact in rules.heard(turn.data.events, seat)]
        own = rules.heard(turn.data.verdicts, seat)
        brief = rules.secrecy.brief(view, seat) if rules.secrecy is not None else ()
        parts.append(
            tag(
                "details",
                tag(
                    "summary",
                    f"{turn.data.phase}: {_number(own, 'order')}, {_number(news, 'piece') + ' of news' if news else 'no news'}",
                ),
                tag("p", link("The whole turn", f"{turn.name}/index.html"), class_="courtly-small"),
                item_list(mark_code(story.readable(line)) for line in brief),
                order_list(story, turn, own, root, slug),
                item_list(map(story.readable, news)),
            )
        )
    ways = [
        tag("strong", words) if number == at else link(words, name)
        for number, name in enumerate(names)
        if (words := f"{groups[number][0].data.phase} to {groups[number][-1].data.phase}" if groups[number] else "")
    ]
    others = tag("p", join(ways, " · "), class_="courtly-small") if len(names) > 1 else None
    last = rules.pictures.picture(rules.view(story.final, seat), None).svg if at == 0 else None
    return tag(
        "div",
        _crumbs(story, root),
        tag("h1", f"{story.game.title}, as {seat} saw it"),
        tag("p", "What this seat knew when each turn opened, what it ordered, and what it heard afterwards."),
        tag(
            "figure",
            inline_svg(last),
            tag("figcaption", f"The board at the end, as {seat} knew it."),
            class_="courtly-map",
        )
        if last is not None
        else None,
        others,
        join(parts),
        others,
        class_="courtly courtly-seat",
    )
