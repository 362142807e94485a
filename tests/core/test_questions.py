"""A question that the host asks all seats (`ask`): answered on sheets, counted with the turn, decided by nobody but the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.game.rulings import MOST_ANSWERS, MOST_ASKED
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.sheets import check_sheet
from adjudicator.site.desk import desk_files
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.core.test_deadlines import Play

ASKED = {
    "ask": {"question": "A week more for each turn?", "answers": ["yes", "no", "I do not mind"]},
    "reason": "Exams.",
}


def asked(root: Path, *, sealed: bool = False) -> Play:
    game = Play(root / "archive", sealed=sealed)
    game.rule(ASKED)
    game.run("2026-11-20T01:00Z")
    return game


def page(game: Play) -> str:
    story = load_story(game.archive, "game")
    assert story is not None
    return turn_page(story, 0, "<svg></svg>", "../../../")


def faults(game: Play, answer: object) -> list[tuple[str, str]]:
    """The faults of Austria's answer."""
    turn = game.turn()
    found = check_sheet(turn.game, turn.data, "Austria", read(write({"answer": answer}).encode(), "austria.yaml"))
    return [(one.what, one.right) for one in found if one.level == "error"]


@pytest.mark.parametrize("sealed", [False, True])
def test_answers_are_counted_with_the_turn_and_not_before(tmp_path: Path, sealed: bool) -> None:
    game = asked(tmp_path, sealed=sealed)
    open_page = page(game)
    assert "Everybody is asked: “A week more for each turn?” The answers are yes, no and I do not mind." in open_page
    assert "<code>answer: yes</code>" in open_page
    game.sheet("Austria", answer="NO")
    game.sheet("England", answer="yes")
    game.sheet("France", answer="Yes")
    game.sheet("Germany", answer="perhaps")
    game.sheets("Austria", "England", "France", "Germany")
    assert game.turn().data.answers is None
    game.run("2026-11-22T00:00Z")
    assert dict(game.turn(1).data.answers or {}) == {"Austria": "no", "England": "yes", "France": "yes"}
    told = page(game)
    assert "England and France" in told
    assert "Germany, Italy, Russia and Turkey" in told
    assert game.turn().data.rulings == ()  # a question is for one turn, and changes nothing by itself
    assert verify_game(game.archive, "game").problems == ()


def test_check_says_which_answers_there_are(tmp_path: Path) -> None:
    game = asked(tmp_path)
    assert faults(game, "Yes") == []
    assert faults(game, "I do not mynd") == [
        ("'I do not mynd' is not an answer to the host’s question", "did you mean 'I do not mind'?")
    ]
    assert faults(game, "17") == [("'17' is not an answer to the host’s question", "answers: yes, no, I do not mind")]
    assert faults(Play(tmp_path / "other"), "yes") == [("the host asked no question in this turn", "leave it out")]


def test_the_desk_offers_the_answers_while_there_is_a_question(tmp_path: Path) -> None:
    def field(game: Play) -> list[dict[str, Any]]:
        story = load_story(game.archive, "game")
        assert story is not None
        (data,) = (
            read(text.encode(), name).data
            for name, text in desk_files(story, None).items()
            if name.endswith("desk.json")
        )
        assert isinstance(data, dict)
        forms: Any = data["forms"]
        return [dict(one) for one in forms[0] if one["key"] == "answer"]

    assert field(Play(tmp_path / "other")) == []
    (answer,) = field(asked(tmp_path))
    assert (answer["kind"], answer["choices"]) == ("choice", ["yes", "no", "I do not mind"])
    assert answer["help"] == "A week more for each turn?"


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        ({"question": " "}, "this is not a question"),
        ({"question": "x" * (MOST_ASKED + 1)}, "this is not a question"),
        ({"question": "A?", "answers": ["yes"]}, "these are not answers to choose from"),
        ({"question": "A?", "answers": ["Yes", "yes "]}, "these are not answers to choose from"),
        (
            {"question": "A?", "answers": [str(number) for number in range(MOST_ANSWERS + 1)]},
            "these are not answers to choose from",
        ),
        ({"question": "A?", "answers": ["yes", "x" * 41]}, "this is not an answer"),
    ],
)
def test_a_faulty_question_is_refused(tmp_path: Path, ask: dict[str, Any], what: str) -> None:
    game = Play(tmp_path / "archive")
    game.rule({"ask": ask, "reason": "So."})
    with pytest.raises(Problems) as refused:
        game.run("2026-11-20T01:00Z")
    assert [one.what for one in refused.value.problems] == [what]
