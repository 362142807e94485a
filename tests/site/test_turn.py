"""A turn's orders: the sign of each, and the folded ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from adjudicator.core.contract.resolution import NOT_RECORDED, Verdict
from adjudicator.core.game.archive import Archive
from adjudicator.site.chapters import seat_pages
from adjudicator.site.rulebook import sign_of
from adjudicator.site.story import Story, load_story
from adjudicator.site.turn import map_of, order_list, scene_to_see, turn_page, why_beside
from tests.conftest import ROOT
from tests.site.test_story import story_of


@dataclass(frozen=True, kw_only=True)
class Waiting(Verdict):
    """A line that waited for something that did not come."""

    @property
    def unused(self) -> bool:
        """True if the occasion never came."""
        return True


def _story() -> Story:
    story = load_story(Archive(ROOT), Archive(ROOT).slugs()[0])
    assert story is not None
    return story


def _verdict(kind: type[Verdict] = Verdict, **changes: Any) -> Verdict:
    given = {"seat": "France", "order": "A Par H", "result": "failed", "reason": "bounced", "rule": "4.A.1", **changes}
    return kind(**given)


@pytest.mark.parametrize(
    ("verdict", "sign"),
    [
        (_verdict(result="succeeds"), ("✓", "courtly-good")),
        (_verdict(), ("✗", "courtly-bad")),
        (_verdict(result=NOT_RECORDED), ("?", "courtly-bad")),
        (_verdict(Waiting), ("–", "courtly-waits")),
    ],
)
def test_every_verdict_has_its_sign(verdict: Verdict, sign: tuple[str, str]) -> None:
    assert sign_of(verdict) == sign


@pytest.mark.parametrize(("waiting", "folded"), [(0, None), (1, "1 line"), (3, "3 lines")])
def test_lines_without_an_occasion_are_folded(waiting: int, folded: str | None) -> None:
    """Beside a line that failed; all of them are still on the page, each once."""
    story = _story()
    lines = [
        _verdict(order="the failed", result=NOT_RECORDED),
        *(_verdict(Waiting, order=f"the {number}.", result=NOT_RECORDED) for number in range(waiting)),
    ]
    page = str(order_list(story, story.turns[0], lines, "../", "diplomacy"))
    assert page.count("<li") == 1 + waiting
    assert all(page.count(f">{line.order}<") == 1 for line in lines)
    assert (f"<summary>{folded} for events that did not come up</summary>" in page) == (folded is not None)
    assert ("<details>" in page) == (folded is not None)
    if folded:
        assert page.index("the failed") < page.index("<details>") < page.index("the 0.")


def test_a_turn_with_only_folded_lines_has_no_empty_list() -> None:
    story = _story()
    page = str(order_list(story, story.turns[0], [_verdict(Waiting, result=NOT_RECORDED)], "../", "diplomacy"))
    assert page.startswith("<details>")
    assert page.count("<ul") == 1


@pytest.mark.parametrize("slug", Archive(ROOT).slugs())
def test_every_verdict_with_something_to_say_is_on_its_page(slug: str) -> None:
    """Including units of Minors, Thralls and Vassals, which have no seat (S-2). A reason does not repeat the order beside it."""
    story = load_story(Archive(ROOT), slug)
    assert story is not None
    for index, turn in enumerate(story.turns):
        page = str(turn_page(story, index, "<svg></svg>", "../../../", legend=""))
        for verdict in turn.data.verdicts:
            if not verdict.idle:
                told, order = story.tell(turn, verdict), story.readable(verdict.order)
                beside = why_beside(order, told)
                assert str(escape(beside)) in page, (turn.name, verdict)
                assert not beside.startswith(f"{order}: "), (turn.name, verdict)
                whole = told.casefold().endswith(
                    beside.casefold().removeprefix("it " if told.startswith(f"{order} ") else "")
                )
                assert whole or told.startswith("line "), (turn.name, verdict)
                assert story.record or f">{verdict.rule}</a>" in page, (turn.name, verdict)


def test_a_turn_begins_with_its_headline_and_folds_many_events(root: Path) -> None:
    """UX-13: a Night of Noblesse was a list of 55 points."""
    story = story_of(root, "fighting-over-farna")
    index = next(at for at, turn in enumerate(story.turns) if turn.data.phase == "Night 6")
    page = str(turn_page(story, index, map_of(story, story.turns[index]).svg, "../../../"))
    happened = page[page.index("<h2>What happened</h2>") : page.index("<h2>Orders</h2>")]
    told, parts = story.shortly(story.turns[index]), story.parts(story.turns[index])
    assert told.headline
    lines = [line for _, lines in parts for line in lines]
    begun, _, folded = happened.partition('<details class="courtly-all">')
    assert begun.index(str(escape(told.headline))) < begun.index(str(escape(told.rest[0])))
    assert f"<summary>All {len(lines)} events, one by one</summary>" in folded
    assert all(str(escape(line)) in folded for line in lines), "nothing is lost"


def test_few_events_are_listed_without_folding(root: Path) -> None:
    story = story_of(root, "six-left-standing")
    index = next(at for at, turn in enumerate(story.turns) if turn.data.phase == "Fall 1906, movement")
    page = str(turn_page(story, index, map_of(story, story.turns[index]).svg, "../../../"))
    happened = page[page.index("<h2>What happened</h2>") : page.index("<h2>Orders</h2>")]
    assert "<details" not in happened
    assert happened.count("<li>") == 5


@pytest.mark.parametrize(
    ("order", "told", "beside"),
    [
        ("B3: major loss", "B3: major loss: both reports agree.", "Both reports agree."),
        ("A1: NE, NW, Hide", "A1: NE, NW, Hide: done.", "Done."),
        ("join Nim for me if mine(Nim)", "join Nim for me: it was done as act 3.", "It was done as act 3."),
        ("Hire Third Wazir", "Hire Third Wazir failed: Third Wazir went to another court.", "Third Wazir went to another court."),
        ("Arson at H5", "Arson at H5 failed: it costs 4 money.", "It costs 4 money."),
        ("Sign T1 saying: We mean it.", "Sign T1 saying: We mean it. failed: Ada has no such treaty.", "Ada has no such treaty."),
        ("Recruit unit: 2 Pikes", "Recruit unit: 2 Pikes failed: it costs 4 money.", "It costs 4 money."),
        ("A Vienna - Galicia", "A Vienna - Galicia moved: nothing stood in its way.", "It moved: nothing stood in its way."),
        ("F London H", "F London held.", "F London held."),
        (
            "draw character by slot if chars(me) <= 4",
            "line 4 of draw, draw character by slot if chars(me) <= 4 was not used: chars(me) <= 4 (chars(me) was 5) was false.",
            "chars(me) <= 4 (chars(me) was 5) was false (line 4 of draw).",
        ),
        ("assist", "line 2 of melee, assist was not used: its chance never came, and it stays in force.",
         "Its chance never came, and it stays in force (line 2 of melee)."),
        ("army A2 from Clan Gutter at 1805", "Army A2 from Clan Gutter at 1805: done.", "Done."),
    ],
)  # fmt: skip
def test_a_reason_does_not_repeat_the_order_beside_it(order: str, told: str, beside: str) -> None:
    """UX-14: half of a long list of orders was read twice."""
    assert why_beside(order, told) == beside


def test_a_short_turn_says_its_headline_once(root: Path) -> None:
    story = story_of(root, "nine-courts")
    index = next(at for at, turn in enumerate(story.turns) if turn.name == "025-spring-6-retreats")
    page = str(turn_page(story, index, "<svg></svg>", "../../../", legend=""))
    headline = str(escape(story.headline(story.turns[index])))
    assert page.count(headline) == 1
    for _, lines in story.parts(story.turns[index]):
        assert all(str(escape(line)) in page for line in lines)


def test_seats_have_their_maps_disc_and_further_standings_are_folded(root: Path) -> None:
    """The letter and the colour are those of the map's key."""
    story = story_of(root, "the-amber-reach")
    index = next(at for at, turn in enumerate(story.turns) if turn.name == "009-winter-of-year-1-battles")
    page = str(turn_page(story, index, "<svg></svg>", "../../../", legend=""))
    turn = story.turns[index]
    sent = {verdict.seat for verdict in turn.data.verdicts}
    sides = scene_to_see(story, turn).sides
    found = re.findall(
        r'<h3><span class="cm courtly-disc courtly-o(\d+)" aria-hidden="true">(\w+)</span>([^<]+)</h3>', page
    )
    assert len(sent) > 3
    assert found == [(f"{sides[seat].slot}", sides[seat].letter, seat) for seat in story.game.seats if seat in sent]
    first, *rest = story.game.ruleset.tables.tally(story.after(index))
    assert f"<summary>{first.title}</summary>" not in page
    assert rest
    assert all(f"<summary>{one.title}</summary>" in page for one in rest)


def test_a_seats_view_of_a_long_game_has_twelve_turns_a_page(root: Path) -> None:
    """PF-8: one page had 676 KB, and grew with every turn."""
    story = story_of(root, "the-heir-of-avermark")
    pages = seat_pages(story, "Second", "../../")
    assert list(pages) == ["seat-second.html", *(f"seat-second.{number}.html" for number in (2, 3, 4))]
    shown = [re.findall(r'<a href="([^"/]+)/index.html">The whole turn', str(page)) for page in pages.values()]
    assert [len(names) for names in shown] == [12, 12, 12, 3]
    assert [name for names in shown for name in names] == [turn.name for turn in story.turns]
    for own, page in pages.items():
        assert all((f'href="{name}"' in str(page)) == (name != own) for name in pages)
        assert ("<figure" in str(page)) == (own == "seat-second.html")
