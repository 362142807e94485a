"""Playing on from a turn: played as before, it is the archive's game, dice included; otherwise it belongs only to the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.page import asking
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.jobs.what_if import Table, table_at
from adjudicator.core.secrets import age
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.load import load_all, load_game, load_turn
from tests.conftest import ROOT, first_of

ARCHIVE = Archive(ROOT)
GAMES = [slug for slug in ARCHIVE.slugs() if slug != "fall-1085"]
FINISHED = [
    (slug, name) for slug in GAMES for name in ARCHIVE.turns(slug) if slug != "first-lessons" or name[:3] != "003"
]
SPREAD = [one for at, one in enumerate(FINISHED) if at % 17 == 0]
"""A turn of every game, and more of the long ones."""


@pytest.mark.parametrize(
    ("slug", "name"), first_of([*SPREAD, *(one for one in FINISHED if one not in SPREAD)], len(SPREAD))
)
def test_a_turn_replayed_with_the_same_sheets_gives_the_archives_result(slug: str, name: str) -> None:
    table = table_at(ARCHIVE, slug, name)
    whole = load_all(ARCHIVE, load_turn(ARCHIVE, load_game(ARCHIVE, slug), name))
    step = table.judge(table.played)
    assert step.left_out == {}
    assert encode(step.resolution.verdicts) == encode(whole.verdicts)
    assert encode(step.resolution.events) == encode(whole.events)
    assert table.position == step.resolution.position
    table.back()
    assert encode(table.position) == encode(whole.position)


def by_stand_ins(table: Table, number: int) -> dict[str, str]:
    """A sheet of a stand-in for each seat that owes one."""
    rules = table.game.ruleset
    return {
        seat: write(encode(write_sheet(rules, table.position, seat, chance_of("7", f"{number}|{seat}"))))
        for seat in table.due
    }


@pytest.mark.parametrize("slug", GAMES)
def test_a_table_can_go_on_and_back_and_reach_the_same_result(slug: str) -> None:
    """Three turns on, with the table's dice; back to the beginning; again the same, to the letter."""

    def play() -> list[Any]:
        steps = []
        for number in range(3):
            if table.ended:
                break
            texts = by_stand_ins(table, number)
            for seat, text in texts.items():
                assert not [fault for fault in table.look(seat, text) if fault.level == "error"]
            steps.append(encode(table.judge(texts).resolution))
        return steps

    table = table_at(ARCHIVE, slug, ARCHIVE.turns(slug)[1])
    first = encode(table.position)
    once = play()
    while table.steps:
        table.back()
    assert encode(table.position) == first
    assert play() == once
    with pytest.raises(Problems, match="there is no step to take back"):
        table_at(ARCHIVE, slug, ARCHIVE.turns(slug)[0]).back()


@pytest.mark.parametrize("slug", GAMES)
def test_options_come_from_the_seats_own_view(slug: str) -> None:
    """B6: with the whole position Noblesse could not answer; a seat's options come from the things it may know."""
    for name in ARCHIVE.turns(slug)[1:6]:
        table = table_at(ARCHIVE, slug, name)
        for seat in table.game.seats:
            offers = table.offers(seat)
            assert all(isinstance(line, str) for lines in offers.texts.values() for line in lines)


def test_a_faulty_sheet_loses_only_its_faulty_parts() -> None:
    table = table_at(ARCHIVE, "first-lessons", ARCHIVE.turns("first-lessons")[0])
    texts = {"Austria": "orders:\n  - A Bud - Ser\n  - [x]\n", "England": "orders: [", "France": "order: x\n"}
    step = table.judge(texts)
    assert {*step.left_out} == {*texts}
    assert [(one.order, one.result) for one in step.resolution.verdicts if one.order.startswith("A Budapest")] == [
        ("A Budapest - Serbia", "succeeds")
    ]
    assert step.left_out["England"][0].path == "England’s sheet"


def test_unknown_sheets_and_unknown_seats_are_refused() -> None:
    with pytest.raises(Problems, match="this is a record"):
        table_at(ARCHIVE, "fall-1085", ARCHIVE.turns("fall-1085")[0])
    table = table_at(ARCHIVE, "first-lessons", "003-winter-1901-adjustments")
    assert table.played == {}
    with pytest.raises(Problems, match="the game has no seat 'Spain'"):
        table.offers("Spain")


def test_a_table_does_not_go_on_after_the_end() -> None:
    slug = "the-heir-of-avermark"
    table = table_at(ARCHIVE, slug, ARCHIVE.turns(slug)[-1])
    table.judge(table.played)
    assert table.ended
    with pytest.raises(Problems, match="the game is over"):
        table.judge({})


@pytest.fixture
def ask() -> Iterator[Any]:
    """Answer a page's questions in this process."""
    answer = asking()
    yield lambda **question: json.loads(answer(json.dumps(question)))
    age.use(age.Pyrage())


@pytest.mark.parametrize("slug", [slug for slug in GAMES if load_game(ARCHIVE, slug).ruleset.secrecy is None])
def test_a_page_gets_the_same_answers(ask: Any, slug: str) -> None:
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in Path(ARCHIVE.game_folder(slug)).rglob("*.yaml")
        if path.parent.parent.name == ARCHIVE.turns(slug)[0] or path.parent.name in (slug, ARCHIVE.turns(slug)[0])
    }
    native = table_at(ARCHIVE, slug, ARCHIVE.turns(slug)[0])
    assert ask(do="check", seat=native.game.seats[0], sheet="")["faults"][0]["what"] == "no table is set up"
    ask(do="files", files={**files, "games/archive.yaml": (ROOT / "games/archive.yaml").read_text("utf-8")})
    if native.real is not None and native.real[0].identity is not None:
        ask(do="opened", texts={}, keys={native.real[0].identity: "age1x"})
    stands = ask(do="table", game=slug, turn=ARCHIVE.turns(slug)[0])["answer"]
    assert (stands["phase"], stands["due"]) == (native.phase, list(native.due))
    assert {seat: write(sheet) for seat, sheet in stands["played"].items()} == dict(native.played)
    seat = (native.due or native.game.seats)[0]
    desk, picture = native.desk(seat)
    assert ask(do="seat", seat=seat)["answer"] == json.loads(
        json.dumps(
            {
                "desk": desk,
                "map": picture,
                "brief": [],
                "meanings": {},
                "unasked": ["answer", "final", "standing", "words"],
            }
        )
    )
    (own,) = [one for one in desk["seats"] if one["name"] == seat]
    assert set(own["options"].get("orders", [])) == set(native.offers(seat).texts.get("orders", []))
    assert [one for one in desk["seats"] if one["name"] != seat and one["options"]] == []
    text = "orders: [A Par - Gal, x]\nfinal: maybe\n"
    assert ask(do="check", seat=seat, sheet=text)["answer"] == encode(native.look(seat, text))
    came = ask(do="judge", sheets=stands["played"])["answer"]
    step = native.judge(native.played)
    assert [one["order"] for one in came["verdicts"]] == [one.order for one in step.resolution.verdicts]
    assert all(one["why"].endswith(".") for one in came["verdicts"])
    assert came["next"]["phase"] == native.phase
    assert ask(do="back")["answer"] == stands
