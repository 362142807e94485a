"""The corpus of lines (tests/data/lines.yaml), as the archive reads it. tests/site/test_desk_modules.py checks the order desk against it too."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core.contract.lines import Misfit, fill_form
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets.diplomacy.position import notation_of
from tests.conftest import LINES
from tests.rulesets.noblesse_world import FORMS_OF_FARNA as FARNA

BOARDS = ("standard", "taifas")


def test_every_line_appears_once_and_has_one_meaning() -> None:
    assert {*LINES} == {*BOARDS, "farna"}
    for lines in LINES.values():
        assert len({one["line"] for one in lines}) == len(lines) > 30
        assert [one for one in lines if ("is" in one) == ("fault" in one)] == []
        assert {key for one in lines for key in one} <= {
            "line",
            "is",
            "at",
            "fault",
            "right",
            "desk",
            "near",
            "desk_reads",
        }


@pytest.mark.parametrize(
    ("board", "line"), [(board, one) for board in BOARDS for one in LINES[board]], ids=lambda one: str(one)[:60]
)
def test_lines_on_a_board_are_read_as_the_corpus_says(board: str, line: dict[str, Any]) -> None:
    notation = notation_of(board)
    order = notation.read(line["line"])
    if isinstance(order, Fault):
        assert line["fault"] in order.what, order
        assert line.get("right", "") in order.right, order
        assert order.offset == line["at"], order
    else:
        assert notation.write(order) == line["is"]
        assert notation.read(line["is"]) == order


@pytest.mark.parametrize("line", LINES["farna"], ids=lambda one: str(one)[:60])
def test_lines_with_forms_are_read_as_the_corpus_says(line: dict[str, Any]) -> None:
    read_as = FARNA.read(line["line"])
    if isinstance(read_as, Misfit):
        assert line["fault"] in read_as.what, read_as
        assert line.get("right", "") in read_as.right, read_as
    else:
        assert fill_form(*read_as) == line["is"]
        assert FARNA.read(line["is"]) == read_as
