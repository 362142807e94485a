"""Each order is declared in one place: an order that cannot be given is an error when its module is read."""

from __future__ import annotations

import re

import pytest

from adjudicator.core.contract.acts import Act, Acts, Row, because
from adjudicator.core.contract.lines import BLANK, Blank, Misfit
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.orders import Order, blanks_of, reader_of
from tests.rulesets.noblesse_world import Board
from tests.tools.tables import with_tables

PARTS = {"night": "By night", "day": "By day"}
TAX = Act(
    "tax", "night", "Tax {thing} at {place}", rule="F-2", help="where you rule", also=("Collect {thing} at {place}",)
)
VOTE = Act("vote", "day", "Vote {who}", rule="W-5", help="lynch `{who}`", once=("vote",))
NIGHT = Act("vote night", "day", "Vote night", rule="W-3", help="lynch nobody", once=("vote",))
SMALL = Acts("XX", PARTS, (TAX, VOTE, NIGHT))
BLANKS = {"thing": Blank(words=("gold",)), "place": Blank(words=("home",)), "who": Blank(words=("Ada", "Ben"))}


def test_lines_are_read_and_written_by_the_acts() -> None:
    lines = SMALL.lines(PARTS, BLANKS, {"Tax {thing} {place}": TAX.form, "Sing {who}": "Sing to {who}"})
    assert lines.forms == {"By night": (TAX.form,), "By day": (VOTE.form, NIGHT.form)}
    for text in ("tax GOLD at home", "collect gold at home", "Tax gold home"):
        assert lines.read(text) == (TAX.form, {"thing": "gold", "place": "home"}), text
    assert isinstance(lines.read("Sing Ada"), Misfit)
    assert SMALL.line("tax", {"thing": "gold", "place": "home"}) == "Tax gold at home"
    assert lines.once_key(VOTE.form, {"who": "Ada"}) == lines.once_key(NIGHT.form, {})
    by_day = SMALL.lines(("day",), BLANKS, {"Tax {thing} {place}": TAX.form})
    assert (by_day.forms, by_day.also) == ({"By day": (VOTE.form, NIGHT.form)}, {})


def test_the_tables_of_a_page_follow_from_the_acts() -> None:
    row = "| `Vote {who}` | lynch `{who}` | [XX-W-5](xx.md#xx-w-5) |\n"
    assert row in SMALL.rows(("day",), "xx.md")
    old = "# Lines\n\n" + SMALL.rows(("day",), "xx.md").replace("lynch nobody", "nothing") + "\nMore.\n"
    assert with_tables(old, [SMALL], "xx.md") == old.replace("nothing", "lynch nobody")


FAULTS = {
    "two acts are called 'tax'": (TAX, TAX),
    "'Vote {who}' is a form of 'vote' and of 'choose'": (VOTE, Act("choose", "day", "Vote {who}", rule="W-1", help="x")),
    "'Tax {thing}' does not have the same blanks as 'Tax {place}'": (Act("tax", "day", "Tax {place}", rule="F-1", help="x", also=("Tax {thing}",)),),
    "tax: no part of a turn is called 'noon'": (Act("tax", "noon", "Tax", rule="F-1", help="x"),),
    "tax: 'XX-F-1' is not a rule's number, such as F-2": (Act("tax", "day", "Tax", rule="XX-F-1", help="x"),),
    "tax: 'F' is not a rule's number, such as F-2": (
        Act("tax", "day", "Tax", rule="F-1", help="x", more=(Row(("Tax {place}",), "F", "there"),)),
    ),
    "'Vote {who}' is a form of 'vote' and of 'choose' ": (
        VOTE, Act("choose", "day", "Choose", rule="W-1", help="x", more=(Row(("Vote {who}",), "W-2", "as a vote"),)),
    ),
    "tax has no help": (Act("tax", "day", "Tax", rule="F-1", help=""),),
    "tax: 'Tax' has no blank place": (Act("tax", "day", "Tax", rule="F-1", help="x", once=("tax", "place")),),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_act_is_refused(fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault.strip())):
        Acts("XX", PARTS, FAULTS[fault])


def test_a_fault_keeps_its_facts() -> None:
    fault = because("taken", "F-2", at="home", known=True)
    assert (fault.reason, fault.rule, fault.result, fault.known, fault.facts) == (
        "taken",
        "F-2",
        "fails",
        True,
        {"at": "home"},
    )


def test_every_line_of_noblesse_is_read_as_its_act() -> None:
    board = Board().now.settings.board
    blanks = blanks_of(board)

    def filled(form: str) -> str:
        return BLANK.sub(lambda match: value(blanks[match[1]]), form)

    def value(blank: Blank) -> str:
        """Return a text that fits the blank."""
        if blank.sample or blank.words:
            return blank.sample or blank.words[0]
        number = "2 " if blank.number else ""
        return number + (value(blanks[blank.of]) if blank.of else filled(blank.forms[0]))

    tried = set()
    for act in ACTS.acts:
        for form in act.forms:
            line = filled(form)
            order = reader_of(board).read(line)
            assert isinstance(order, Order), line
            assert order.kind == act.kind, line
            tried.add(act.kind)
    assert tried == {*ACTS.by_kind}
