"""Heir Apparent's published rehearsals: the tables bear out the claims of its card set and house rules (HE-13, HA-F-19, HA-L-11)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.core.jobs.rehearse import Rehearsal, count_marks, rehearsals
from adjudicator.rulesets.heir_apparent import RULESET
from adjudicator.rulesets.heir_apparent import census as c
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import Settings

Rows = dict[str, dict[str, int]]
HOUSE = "--set draws=all --set unturn=either"
LETTER = ""
GAMES = 1000


def published(players: int, house: str) -> dict[str, Rows]:
    """The tables below a command of REHEARSALS.md, keyed by the head of their first column."""
    text = (RULESET.folder / "REHEARSALS.md").read_text("utf-8")
    command = f"courtly rehearse heir_apparent --games {GAMES} --set players={players}{house and ' '}{house} --counts"
    _, found, rest = text.partition(f"$ {command}\n```\n")
    assert found, command
    body = rest.partition("\n## ")[0].partition("\n### ")[0]
    return dict(tables_in(body))


def tables_in(body: str) -> Iterator[tuple[str, Rows]]:
    for block in re.findall(r"(?m)^\|.*(?:\n\|.*)*", body):
        head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        if head[1] != "Games with it":
            continue
        yield head[0], {row[0]: dict(zip(head[1:], map(int, row[1:]), strict=True)) for row in rows}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("house", [LETTER, HOUSE])
def test_every_title_is_played_and_every_character_taken(players: int, house: str) -> None:
    """Every ability is used too; the tables name everything in the set."""
    tables, index = published(players, house), index_of(Settings().set)
    assert {*tables[c.ACTIONS]} == {one.name for one in index.actions.values()}
    assert {*tables[c.CHARACTERS]} == {one.name for one in index.characters.values()}
    assert [name for name, row in tables[c.ACTIONS].items() if not row["Played"]] == []
    assert [name for name, row in tables[c.CHARACTERS].items() if not row["Taken"]] == []
    assert [name for name, row in tables[c.ABILITIES].items() if not row["Used"]] == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_event_is_decided_beforehand(players: int) -> None:
    """No Challenge ends one way in more than nine out of ten games, under the house rules."""
    rows = published(players, HOUSE)[c.CHALLENGES]
    shares = {name: row["Succeeded"] / (row["Succeeded"] + row["Failed"]) for name, row in rows.items()}
    assert len(shares) == 15
    assert {name: share for name, share in shares.items() if not 0.1 <= share <= 0.9} == {}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_nobody_wins_because_of_their_place_at_the_table(players: int) -> None:
    """No place in the order of turns wins more than one and a half times its share of games, under the house rules."""
    rows = published(players, HOUSE)[c.TURNS]
    won = {name: row["Won the game"] for name, row in rows.items()}
    assert len(won) == players
    assert sum(won.values()) == GAMES
    assert max(won.values()) <= 1.5 * GAMES / players, won


def test_rehearsals_by_the_letter_of_the_rules_are_published_too() -> None:
    """By the letter of the source, the player who has just unturned wins most Contests, and the active player loses most. The tables show it."""
    for players in (3, 4, 5):
        places = published(players, LETTER)[c.PLACES]
        assert max(places, key=lambda name: places[name]["Won"]) == [*places][-1]
        assert max(places, key=lambda name: places[name]["Lost"]) == "first"


@pytest.mark.long
def test_two_hundred_games_use_every_card_and_every_character() -> None:
    """With today's stand-ins, not only in the published tables: they know every title, ability and character (HE-13)."""
    games = rehearsals("heir_apparent", {"players": 3, "draws": "all", "unturn": "either"}, range(200), 200)
    tables = {table.title: table.rows for table in count_marks(games)}
    for name, column in ((c.ACTIONS, 2), (c.ABILITIES, 2), (c.CHARACTERS, 3)):
        assert [row[0] for row in tables[name] if not row[column]] == []


def test_the_census_of_a_few_games_adds_up() -> None:
    """Nothing is won twice, and each window counts only its own facts."""
    games: list[Rehearsal] = [
        *rehearsals("heir_apparent", {"players": 3, "draws": "all", "unturn": "either"}, range(3), 200)
    ]
    tables: dict[str, Any] = {
        table.title: {row[0]: dict(zip(table.head[1:], row[1:], strict=True)) for row in table.rows}
        for table in count_marks(games)
    }
    assert sum(row["Won the game"] for row in tables[c.TURNS].values()) == len(games)
    assert sum(row["Taken"] for row in tables[c.CHARACTERS].values()) == len(games) * 15
    assert sum(row["For sale"] for row in tables[c.CHARACTERS].values()) == len(games) * 25
    decided = [row["Won"] + row["Won by nobody"] for row in tables[c.CONTESTS].values()]
    decided += [row["Succeeded"] + row["Failed"] for row in tables[c.CHALLENGES].values()]
    assert sum(decided) == len(games) * 12
