"""The Grand Campaign's referee's page: battles to play, army lists, both reports side by side, and rulings that load unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.core.contract.pages import Chapter, Due, Section, Table
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import load_rulings
from adjudicator.core.jobs.run import run_game
from adjudicator.core.text.codec import decode
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_game
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign import host
from adjudicator.rulesets.grand_campaign.resolver import points_of
from adjudicator.rulesets.grand_campaign.world import World
from adjudicator.site.chapters import chapter_page, chapters_of
from tests.site.campaign_table import DISPUTED, GAME, begin, judge, last, story


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A campaign whose battles wait to be played."""
    return begin(tmp_path_factory.mktemp("waiting"))


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The same campaign once it was reported: B1 is to be confirmed, B2 disputed, S1 agreed on."""
    archive = begin(tmp_path_factory.mktemp("disputed"))
    judge(archive, DISPUTED)
    return archive


def page(archive: Archive) -> Chapter:
    """The referee's page."""
    return next(chapter for chapter in chapters_of(story(archive)) if chapter.name == "referee")


def section(archive: Archive, title: str) -> Section:
    """The section of the page with this title."""
    return next(one for one in page(archive).sections if one.title == title)


def lines(table: Table) -> list[tuple[str, ...]]:
    """A table's rows as text."""
    return [tuple(map(str, row)) for row in table.rows]


def test_battles_to_play_are_listed_with_their_deadline(waiting: Archive) -> None:
    """GC-Z-4: the players, the place, the scenario and the time limit, taken from the turn and not from the clock."""
    overview = page(waiting).sections[0].tables[0]
    assert lines(overview) == [
        ("B1", "Cora’s A1 attacks the garrison", "1406, Mountains", "Siege", "to be played and reported", ""),
        ("B2", "Anna’s A1 attacks Ben’s A1", "1005, Grassland", "Siege", "to be played and reported", ""),
        ("S1", "Anna’s P1 meets Ben’s P1", "0808, Grassland", "Skirmish", "to be played, or rolled", ""),
    ]
    assert [row[-1] for row in overview.rows] == [Due(2)] * 3
    shown = str(chapter_page(story(waiting), page(waiting), (), "../../"))
    assert shown.count("24 November 2026") == 5, "three rows, and the sheets of both battles"


def test_a_sheet_has_all_that_the_table_needs(waiting: Archive) -> None:
    """GC-R-10: both sides' points with Waaaagh! (GC-I-50), the scenario's points (GC-V-15), Levels, and what Artefacts do."""
    sheet = section(waiting, "B2: Anna’s A1 against Ben’s A1")
    assert sheet.sheet
    facts, sides, mine, theirs = sheet.tables
    assert lines(facts)[2:] == [
        ("Where", "1005, Grassland, Ben’s Fortress"),
        ("From", "0905, Hills, Ben’s land"),
        ("Scenario", "Siege"),
    ]
    assert [row[0::5] for row in lines(sides)] == [("attacks", "2500"), ("defends", "2625 (2500 + 125)")]
    position = last(waiting).data.position
    ben = next(army for army in position.armies if army.key == "Ben A1")
    assert points_of(World(position, {}, None), ben) == 2625  # type: ignore[arg-type]  # nothing is rolled
    assert mine.title == "Anna’s A1: Captain Ioreth, 2500 points"
    effect = "Sunsplitter (Weapon, legendary): +2 attacks, and wounds ignore half the armour save."
    assert lines(mine)[0] == ("Captain Ioreth", "general", "", "1", "5", effect)
    assert lines(theirs)[2] == ("Gate Axes", "core, scoring, standard", "25", "", "", "")
    said = " ".join(sheet.about)
    assert "a win is worth 8 Conquest Points to the attacker or 5 to the defender" in said
    assert "Ben’s A1 has 125 points more for Waaaagh! (GC-I-50)." in said
    assert "it counts as not fought (GC-Z-18)" in said
    garrison = section(waiting, "B1: Cora’s A1 against the garrison").tables[1]
    assert lines(garrison)[1] == ("defends", "the garrison of the Dwarven Hold", "", "", "9", "")


def test_nothing_about_an_open_turn_is_shown(waiting: Archive, tmp_path: Path) -> None:
    """GC-Z-10: sheets that have been sent do not change the page before the turn is judged."""
    before = chapters_of(story(waiting))
    orders = last(waiting).folder / "orders"
    orders.mkdir()
    (orders / "anna.yaml").write_text("results: ['B2: major win']\n", encoding="utf-8")
    assert chapters_of(story(waiting)) == before
    (orders / "anna.yaml").unlink()
    orders.rmdir()
    assert not any(one.title.endswith("reports") for one in page(waiting).sections)


def test_reports_are_shown_side_by_side(disputed: Archive) -> None:
    """GC-Z-15: a row for each reported thing, with each side's words and the outcome; missing reports are named."""
    told = section(disputed, "B2: reports")
    assert told.tables[0].head == ("What", "Anna, attacker", "Ben, defender", "Outcome")
    assert lines(told.tables[0]) == [
        ("Result", "major win", "loss", "the two reports differ, so the battle waits for the host"),
        ("Deed", "Captain Ioreth beat Thane Brokka", "Captain Ioreth beat Thane Brokka", "both name it; undecided, like the battle"),
        ("Deed", "White Riders broke Deep Miners", "–", "Anna names it; undecided, like the battle"),
    ]  # fmt: skip
    confirm = section(disputed, "B1: reports")
    assert lines(confirm.tables[0]) == [
        ("Result", "win", "nobody leads a garrison: the battle waits for the host, who confirms the report")
    ]
    played = section(disputed, "S1: reports").tables[0]
    assert [row[-1] for row in lines(played)] == ["both say so, so it counts"]
    (row,) = [row for row in lines(page(disputed).sections[0].tables[0]) if row[0] == "B2"]
    assert row[4] == "waiting for the host’s ruling"


def test_every_ruling_loads_unchanged(disputed: Archive) -> None:
    """F5: the text copied from the page is a whole `ruling.yaml`, with the deeds that both sides name (GC-Z-16)."""
    copies = section(disputed, "B2: reports").copies
    assert copies is not None
    assert (copies.file, copies.turn) == ("ruling.yaml", 3)
    assert len(copies.texts) == len(host.DECISIONS) == 9
    garrison = section(disputed, "B1: reports").copies
    assert garrison is not None
    assert len(garrison.texts) == 8, "a garrison writes no sheet that concedes"
    rules, turn = find("grand_campaign"), last(disputed)
    game = load_game(disputed, GAME)
    assert rules.decisions is not None
    for _, text in (*copies.texts, *garrison.texts):
        (ruling,) = load_rulings(game, read(text.encode(), "ruling.yaml"))
        assert ruling.decide is not None
        decision = decode(host.Decision, read(write(dict(ruling.decide)).encode(), "decide"))
        assert rules.decisions.faults(turn.data.position, decision) == ()
        assert ruling.reason == "WHY"
    assert copies.texts[1] == (
        "B2 is a great victory for the attacker.",
        "rulings: [{decide: {battle: B2, outcome: attacker, major: true, deeds: [Captain Ioreth beat Thane Brokka]}, reason: WHY}]",
    )
    assert copies.texts[-1][1] == "rulings: [{decide: {battle: B2, outcome: defender concedes}, reason: WHY}]"


def test_hints_by_the_program_match_the_page(disputed: Archive) -> None:
    """F5: one text for `run`, `check` and the page."""
    hints = host.waits(last(disputed).data.position)
    assert len(hints) == 2
    for id_, hint in zip(("B1", "B2"), hints, strict=True):
        assert f"`{host.ruling_text(host.Decision(battle=id_, outcome='attacker'))}`" in hint


def test_a_copied_ruling_settles_the_battle(tmp_path: Path) -> None:
    """GC-Z-16: a ruling copied from the page into the turn's folder decides the battle, its deeds count, and the page shows it."""
    archive = begin(tmp_path)
    judge(archive, DISPUTED)
    copies = [section(archive, f"{id_}: reports").copies for id_ in ("B1", "B2")]
    texts = [copy.texts[0][1] for copy in copies if copy is not None]
    (last(archive).folder / "ruling.yaml").write_text(
        f"{texts[0].removesuffix(']')}, {texts[1].removeprefix('rulings: [')}\n".replace("WHY", "I saw it"),
        encoding="utf-8",
    )
    with archive.writing():
        list(run_game(archive, GAME, at="2026-11-24T12:00Z", now=True))
    fought = [fact for turn in story(archive).turns for fact in turn.data.events if isinstance(fact, e.Fought)]
    assert [(one.id, one.winner, one.how, one.reason) for one in fought] == [
        ("B1", "attacker", "ruled", "I saw it"),
        ("B2", "attacker", "ruled", "I saw it"),
    ]
    learned = [fact for turn in story(archive).turns for fact in turn.data.events if isinstance(fact, e.Learned)]
    assert any(lesson.name == "Captain Ioreth" and lesson.change == 2 for one in learned for lesson in one.people)
    told = section(archive, "B2: reports")
    assert told.copies is None
    assert told.about[-1] == "B2 for 1005 (Siege): Anna’s A1 beat Ben’s A1 (by the host’s ruling: I saw it)."
    assert len(told.tables) == 1, "nobody had to report it again"


def test_a_campaign_without_a_battle_has_no_referees_page() -> None:
    """Before the first battle there is nothing to referee."""
    rules = find("grand_campaign")
    assert rules.tables.chapters((), None) == ()
