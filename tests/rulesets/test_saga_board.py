"""Saga of the Nine: the chapter about its board shows the content of the board's file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.core.contract.pages import Chapter, Table
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.saga_of_the_nine import RULESET
from adjudicator.rulesets.saga_of_the_nine.position import Settings, starting_position
from adjudicator.site.chapters import chapter_page, chapters_of
from adjudicator.site.story import load_story


@pytest.fixture(scope="module")
def board() -> Board:
    return Settings().ground


@pytest.fixture(scope="module")
def chapter() -> Chapter:
    (chapter,) = RULESET.tables.chapters((), starting_position(Settings()))
    return chapter


def tables(chapter: Chapter) -> dict[str, Table]:
    return {table.title: table for section in chapter.sections for table in section.tables}


def column(table: Table, head: str) -> dict[str, set[str]]:
    """The first cell of each row -> its words under this head."""
    at = table.head.index(head)
    return {str(row[0]): {*str(row[at]).split(", ")} - {""} for row in table.rows}


def test_the_chapter_says_where_the_board_comes_from_and_what_wins(board: Board, chapter: Chapter) -> None:
    assert (chapter.name, chapter.title) == ("board", f"The board: {board.title}")
    about = chapter.sections[0].about
    assert about[0] == board.about
    assert "our own" in about[0]
    assert "Natural Earth" in about[0]
    assert (
        about[2] == "A Major wins if its total at a Census is 18 or more, and higher than every other Major’s (S9-K-2)."
    )
    assert about[3] == "After the Census of cycle 11, the game is a draw among all Majors that are left (S9-K-7)."
    other = replace(starting_position(Settings()), settings=Settings(victory=12, cycles=0))
    (short,) = RULESET.tables.chapters((), other)
    assert short.sections[0].about[2:] == (about[2].replace("18", "12"),)


def test_the_table_of_starts_matches_the_boards_file(board: Board, chapter: Chapter) -> None:
    """S9-A-7, S9-A-8, S9-B-1."""
    named = {code: province.name for code, province in board.provinces.items()}
    majors, minors = tables(chapter)["Majors"], tables(chapter)["Minors"]
    assert [row[0] for row in majors.rows] == list(board.powers)
    for major, data in board.powers.items():
        units = [f"{unit.partition(' ')[0]} {named[unit.partition(' ')[2]]}" for unit in data.units]
        assert column(majors, "Units")[major] == {*units}
        assert column(majors, "Capital")[major] == {units[0].partition(" ")[2]}
        homes = {province.name for province in board.provinces.values() if province.home == major}
        assert column(majors, "Capital")[major] | column(majors, "Other homes")[major] == homes
    owners = {province.owner: province.name for province in board.provinces.values() if province.owner in board.others}
    assert {str(minor): (centre, unit) for minor, centre, unit in minors.rows} == {
        minor: (owners[minor], f"{data.units[0].partition(' ')[0]} {owners[minor]}")
        for minor, data in board.others.items()
    }


def test_every_centre_is_listed_with_its_owner(board: Board, chapter: Chapter) -> None:
    said = {str(row[0]): str(row[3]) for row in tables(chapter)["Provinces"].rows}
    capitals = {data.units[0].partition(" ")[2]: major for major, data in board.powers.items()}
    assert said == {
        code: f"Capital of {capitals[code]}"
        if code in capitals
        else f"home of {province.home}"
        if province.home
        else "a Minor’s"
        if province.centre
        else ""
        for code, province in board.provinces.items()
    }


def test_the_chapter_lists_the_places_one_and_two_moves_away(board: Board, chapter: Chapter) -> None:
    table = tables(chapter)["What units can reach"]
    one, two, rivals = (column(table, head) for head in table.head[1:])
    minors = {province.owner: code for code, province in board.provinces.items() if province.owner in board.others}
    for major, data in board.powers.items():
        first = {
            (kind, to) for kind, _, at in (unit.partition(" ") for unit in data.units) for to in reach(board, kind, at)
        }
        near = {to for _, to in first}
        far = {to for kind, at in first for to in reach(board, kind, at)}
        assert one[major] == {minor for minor, code in minors.items() if code in near}
        assert two[major] == {minor for minor, code in minors.items() if code in far - near}
        homes = {home for code in near | far if (home := board.provinces[code].home) not in (None, major)}
        assert rivals[major] - {"nobody"} == homes
        assert one[major]


def reach(board: Board, kind: str, at: str) -> frozenset[str]:
    return board.reach(board.unit(f"{kind} {at}"))


def test_the_page_shows_the_board_at_the_start_of_a_game(tmp_path: Path) -> None:
    """Before the first turn is judged and after it: the picture always shows the start."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(tmp_path)
    seats = {major: {"player": f"Player {at}"} for at, major in enumerate(Settings().ground.powers)}
    new_game(archive, "saga", {"ruleset": "saga_of_the_nine", "title": "Saga", "opened": "2026-11-20", "seats": seats})
    pages = []
    for _ in range(2):
        story = load_story(archive, "saga")
        assert story is not None
        told = chapters_of(story)
        assert [chapter.name for chapter in told] == ["board", "families", "bids"]
        pages.append(str(chapter_page(story, told[0], told, "../")))
        list(play(archive, "saga", tuple(seats), "1", "2026-11-20T18:00Z", 1))
    scene = RULESET.pictures.draw(starting_position(Settings()), None)
    assert all(RULESET.pictures.paint(scene).strip() in page for page in pages)
    assert all(scene.legend in page for page in pages)
    assert pages[0].count('<svg class="cm') == 1
    assert 'data-name="saga-board"' in pages[0]
