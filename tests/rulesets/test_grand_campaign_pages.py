"""The Grand Campaign: pages beside the turns, standings, and the reports of a turn, in a campaign that stand-ins play."""

from __future__ import annotations

from functools import cache

from adjudicator.core.contract.pages import Chapter, Table
from adjudicator.core.contract.resolution import Resolution
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.chapters import chapters
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.position import Phase, Position
from adjudicator.rulesets.grand_campaign.standings import chart, reports, tally
from adjudicator.rulesets.grand_campaign.words import some
from tests.rulesets.test_grand_campaign_laws import turns


@cache
def campaign() -> tuple[Resolution[Position, AnyEvent], ...]:
    """The turns of a whole campaign, each with its first position."""
    return tuple(Resolution(before, done.verdicts, done.events) for before, _, done in turns(11, 80))


@cache
def pages() -> dict[str, Chapter]:
    """Chapters of the campaign, by name."""
    *_, (_, _, last) = turns(11, 80)
    assert last.ended is not None
    return {chapter.name: chapter for chapter in chapters(campaign(), last.position)}


def rows(name: str) -> list[tuple[str, ...]]:
    """The rows of all tables of a chapter as text."""
    return [
        tuple(map(str, row)) for section in pages()[name].sections for table in section.tables for row in table.rows
    ]


def facts(kind: type[AnyEvent]) -> list[AnyEvent]:
    """All facts of a kind."""
    return [event for turn in campaign() for event in turn.events if isinstance(event, kind)]


def test_every_page_exists() -> None:
    """A closed campaign has its closing page first; one without a season has no pages."""
    assert [*pages()] == ["closing", "referee", "chronicle", "battles", "armies", "realms", "treaties", "treasures"]
    assert chapters((), campaign()[0].position) == ()
    assert chapters(campaign()[:1], None) == ()


def test_every_battle_is_listed() -> None:
    """Each battle that was joined has its row, and so has each reported thing (F15); the chronicle names each battle that was fought."""
    joined, fought = facts(e.Joined), facts(e.Fought)
    battles, reports_ = (section.tables[0].rows for section in pages()["battles"].sections)
    assert len(battles) == len(joined) > 5
    named = "; ".join(row[3] for row in rows("chronicle"))
    assert named.count("B") >= len(fought)
    for row in reports_:
        assert all(str(cell).count(": ") <= 1 for cell in row[2:4]), row
    assert any(row[2] and row[3] for row in reports_)


def test_facts_that_all_armies_share_are_stated_once() -> None:
    """F15: one sentence names the armies that never fought, and a folded table has a summary of its content."""
    sections = pages()["armies"].sections
    said = [sentence for section in sections for sentence in section.about]
    idle = [sentence for sentence in said if sentence.startswith("No battle")]
    assert len(idle) <= 1
    fought = sum(" won, " in sentence for sentence in said)
    assert fought + (idle[0].count("’s") if idle else 0) == sum(" Leadership " in sentence for sentence in said)
    titles = {table.title for section in sections for table in section.tables if table.folded}
    assert titles
    assert all(title.startswith("Characters and units of ") for title in titles)


def test_ledgers_add_up() -> None:
    """Income in the ledgers equals that of the facts; each surviving army has its section, each lost one its row."""
    income = sum(event.total for event in facts(e.Income) if isinstance(event, e.Income))
    assert sum(int(row[2]) for row in rows("realms")) == income > 0
    gone = [row for row in rows("armies") if len(row) == 4]
    assert len(gone) == len(facts(e.Perished))
    assert [row[1] for row in rows("treaties") if len(row) == 2] != []


def test_standings_and_reports_agree_with_the_facts() -> None:
    """Every table's rows are as long as its head; a season has its clock, and the resolver's sums are those of its facts."""
    for turn in campaign():
        for table in tally(turn.position):
            assert {len(row) for row in table.rows} <= {len(table.head)}
        told = {report.anchor: report for report in reports(turn.position, turn.events)}
        marched = [event for event in turn.events if isinstance(event, e.Marched | e.Built)]
        assert not marched or "clock" in told or turn.position.phase is not Phase.SEASON
        for event in turn.events:
            if isinstance(event, e.Rated):
                sums = {row[1]: row[-1] for row in told["resolver"].table.rows if row[0] == event.id}
                assert sums["attacker"] - sums["defender"] == event.margin  # type: ignore[operator]  # numbers
    shown = chart([turn.position for turn in campaign()])
    assert [one.title for one in shown] == ["Land", "Gold", "Cities"]
    assert not Table("x", (), ()).rows


def test_plurals_are_formed_correctly() -> None:
    """City, Fortress and hex in the plural."""
    assert [some(2, noun) for noun in ("City", "Fortress", "hex", "Town")] == [
        "2 Cities",
        "2 Fortresses",
        "2 hexes",
        "2 Towns",
    ]
    assert (some(1, "hex"), some(0, "battle", "no")) == ("1 hex", "no battle")
