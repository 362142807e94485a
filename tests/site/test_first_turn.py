"""The first page of each rulebook: a newcomer's aims, first sheet and start, checked against the game itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from adjudicator.core.contract.rulebook import RULE_LINE, rules_in
from adjudicator.core.contract.ruleset import RULESETS, find, slugs
from adjudicator.core.game.schedule import Schedule
from adjudicator.core.text.codec import decode
from adjudicator.core.text.yamltext import read
from adjudicator.site.lessons import lesson_paths
from adjudicator.site.rulebook import with_anchors, with_examples
from tests import laws
from tests.tools.starts import TABLES

SHIPPED = sorted(slug for slug in slugs() if find(slug).folder.parent == RULESETS)
HEADING = "## Your first turn\n"
MOST_WORDS = 320
WRITERS: Mapping[str, tuple[str, ...]] = {
    "al_andalus": ("Seville", "First Wazir"),
    "diplomacy": ("Austria",),
    "grand_campaign": ("Anna",),
    "heir_apparent": ("First", "Second", "Third", "Fourth"),
    "noblesse": ("the Pape's",),  # whichever seats get one of these roles
    "saga_of_the_nine": ("Dokkalfar",),
}
"""Seats whose first sheets the page shows, a block of YAML each; if several could write a block, all of them."""
UNWANTED = ("stands for", "is told", "hangs on", "anew", "alone", "what is asked of")
"""Words that the page avoids."""


def book(slug: str) -> str:
    """A rulebook."""
    return (find(slug).folder / "RULES.md").read_text(encoding="utf-8")


def page(slug: str) -> str:
    """The first page of a rulebook."""
    return book(slug).partition(HEADING)[2].partition("\n## ")[0]


def sheets(slug: str) -> list[str]:
    """The sheets that the first page shows."""
    return re.findall(r"^```yaml\n(.*?)^```$", page(slug), re.DOTALL | re.MULTILINE)


def writers(slug: str) -> list[tuple[str, str]]:
    """Each seat that can write a first sheet of the page, with the sheet."""
    shown = sheets(slug)
    match slug:
        case "noblesse":
            dealt = laws.first(find(slug)).players.items()
            return [(seat, shown[0]) for seat, player in dealt if player.faction == "Pape"]
        case "al_andalus":
            return [*zip(WRITERS[slug], shown, strict=True)]
    return [(seat, shown[0]) for seat in WRITERS[slug]]


def test_every_rulebook_is_tested() -> None:
    assert {*SHIPPED} == {*TABLES} == {*WRITERS}


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_first_page_comes_before_the_first_rule(slug: str) -> None:
    """S-10, F16."""
    text = book(slug)
    assert text.count(HEADING) == 1
    first = RULE_LINE.search(text)
    assert first is not None
    assert text.index(HEADING) == text.index("\n## ") + 1
    assert text.index(HEADING) < first.start()
    assert not rules_in(page(slug))
    cited = {*re.findall(r"\b[A-Z][A-Z0-9]-[A-Z]{1,2}-\d+\b", page(slug))}
    assert cited
    assert cited <= {*rules_in(text)}


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_first_page_is_about_a_screen_of_plain_words(slug: str) -> None:
    words = re.sub(r"^```.*?^```$|^\|.*?$", "", page(slug), flags=re.DOTALL | re.MULTILINE)
    print(f"{slug}: {len(words.split())} words")
    assert 150 <= len(words.split()) <= MOST_WORDS
    assert [one for one in UNWANTED if re.search(rf"\b{one}\b", " ".join(words.split()))] == []
    said = " ".join(words.split())
    assert [one for one in ("deadline", "want|win", "sends? nothing", "ends|closes") if not re.search(one, said)] == []


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_sheet_on_the_first_page_is_valid_for_the_first_turn(slug: str) -> None:
    """It can be read, has content, and contains no fault: judged by the seat's own view if the game hides information."""
    rules = find(slug)
    now = laws.first(rules)
    asked = writers(slug)
    assert asked
    for seat, block in asked:
        text = read(block.encode(), "sheet.yaml")
        sheet = rules.read_sheet(now, seat, text)
        assert sheet == rules.salvage_sheet(now, seat, text)[0]
        assert rules.salvage_sheet(now, seat, text)[1] == ()
        assert sheet != rules.sheet_for(now, seat)()
        for view in (rules.view(now, seat), rules.view(now, None)):
            assert [remark.what for remark in rules.rules.check(view, seat, sheet) if remark.level == "error"] == []


@pytest.mark.parametrize("slug", SHIPPED)
def test_everything_on_that_sheet_succeeds(slug: str) -> None:
    """If nobody else sends a sheet. A prince and a wazir find each other; the second wish for a square is not needed."""
    rules = find(slug)
    now = laws.first(rules)
    each = [dict(writers(slug))] if slug == "al_andalus" else [{seat: block} for seat, block in writers(slug)]
    for blocks in each:
        sent = {seat: rules.read_sheet(now, seat, read(block.encode(), "sheet.yaml")) for seat, block in blocks.items()}
        done = rules.rules.resolve(now, sent, laws.dice("first turn"))
        mine = [verdict for verdict in done.verdicts if verdict.seat in sent]
        assert mine
        failed = [verdict.order for verdict in mine if not verdict.ok]
        assert [order for order in failed if slug != "noblesse" or order not in ("Home A3", "Home C1")] == []


def test_the_campaigns_season_can_be_ordered_as_shown() -> None:
    rules = find("grand_campaign")
    now = rules.rules.resolve(laws.first(rules), {}, laws.dice("first turn")).position
    sheet = rules.read_sheet(now, "Anna", read(sheets("grand_campaign")[1].encode(), "sheet.yaml"))
    assert [remark.what for remark in rules.rules.check(now, "Anna", sheet)] == []
    done = rules.rules.resolve(now, {"Anna": sheet}, laws.dice("first season"))
    assert [verdict.order for verdict in done.verdicts if verdict.seat == "Anna" and not verdict.ok] == []


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_table_of_starts_matches_the_data(slug: str) -> None:
    """`python -m tests.tools.starts` prints it. The page has no other tables (S-10)."""
    table = TABLES[slug]()
    assert f"\n\n{table}\n" in page(slug)
    assert [line for line in page(slug).splitlines() if line.startswith("|")] == [
        line for line in table.splitlines() if line
    ]


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_first_page_links_to_every_lesson_of_the_game(slug: str) -> None:
    """S-10, F16."""
    lessons = [path.stem for path in lesson_paths(find(slug))]
    assert lessons
    found = re.findall(r"\]\(\.\./desk\.html#lesson/(\w+)/(\w+)\)", page(slug))
    assert sorted(found) == sorted((slug, name) for name in lessons)


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_site_shows_the_first_page_as_written(slug: str) -> None:
    """It has neither anchors nor worked examples."""
    shown = with_anchors(with_examples(book(slug), find(slug)))
    assert shown.partition(HEADING)[2].partition("\n## ")[0].split() == page(slug).split()


WORKSHOP = r"from the stream|[Ss]tage [ABC]\b|[Cc]atalogue|[Cc]onfig key|[Ss]heet [AB]\b|Resolve [AB]|Open\(n|\bVector\b|\btrail\b|\d mod \d|\bdiv \d"
"""Words that only the makers of a game would understand: names of variables, of notes and of parts of the program."""


@pytest.mark.parametrize("slug", SHIPPED)
def test_a_rulebook_uses_no_workshop_jargon(slug: str) -> None:
    """F16."""
    assert re.findall(WORKSHOP, book(slug)) == []


def test_a_capital_is_where_the_table_says() -> None:
    """S9-A-7, S-10."""
    assert "[table of starts](#your-first-turn)" in book("saga_of_the_nine").partition("**S9-A-7.**")[2][:60]


def test_the_campaigns_phases_are_named_and_timed() -> None:
    """GC-J-1: ten phases; the schedule shown is valid, and for an existing kind of turn (F16, F17)."""
    text = page("grand_campaign")
    assert re.findall(r"^(\d+)\. ", text, re.MULTILINE) == [str(number) for number in range(1, 11)]
    shown = re.search(r"`schedule: (\{.*?\}\})`", text)
    assert shown is not None
    schedule = decode(Schedule, read(shown[1].encode(), "game.yaml"))
    assert schedule.phases is not None
    assert [*schedule.phases] == ["battles"]
    assert "battles" in find("grand_campaign").rules.kinds
    for short, means in (("RG", "Realm Gold"), ("MP", "Movement"), ("CP", "Conquest Points")):
        assert text.index(f"{means} ({short})") == text.index(short) - len(means) - 2
