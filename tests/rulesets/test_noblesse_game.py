"""A sealed game of Noblesse in an archive: played by stand-ins, verified, reported to each seat separately, and revealed at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, get_args

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.lines import BLANK
from adjudicator.core.contract.pages import At, Chapter, Kinship
from adjudicator.core.contract.words import whose
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_sealed
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.seal import open_file
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import encrypt, examine, new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read
from adjudicator.core.turn.load import load_all, load_charter, load_game, load_turn
from adjudicator.core.turn.sheets import check_sheet
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.events import (
    STEPS,
    Agreed,
    AnyEvent,
    Died,
    Dismissed,
    Event,
    HeirBorn,
    HeirDied,
    Left,
    Proposed,
    Rumour,
    Turned,
    Untitled,
)
from adjudicator.rulesets.noblesse.examples import cast
from adjudicator.rulesets.noblesse.orders import Order, lines, reader_of
from adjudicator.rulesets.noblesse.position import Phase
from adjudicator.rulesets.noblesse.scenario import scenario_named
from adjudicator.rulesets.noblesse.sealed import LENGTHS
from adjudicator.site.chapters import chapter_page, chapters_of, seat_pages
from adjudicator.site.desk import desk_files
from adjudicator.site.game import game_page, told_seats
from adjudicator.site.story import Story, load_story
from adjudicator.site.turn import map_of, turn_page, why_beside

pytestmark = pytest.mark.slow

SLUG = "farna"
SEATS = scenario_named("farna").players


Kept: TypeAlias = tuple[Archive, dict[str, str]]
"""An archive with a game, and the keys of its seats."""


def play_game(root: Path, seed: str, last_cycle: int, turns: int) -> Kept:
    archive = Archive(root, Masters((b"m" * 32,)))
    new_charter(archive)
    keys = {seat: new_identity() for seat in SEATS}
    seats = {seat: {"player": "a stand-in", "key": recipient_of(keys[seat])} for seat in SEATS}
    data: dict[str, Any] = {
        "ruleset": "noblesse",
        "title": "Farna",
        "opened": "2026-11-20",
        "id": "f0" * 8,
        "sealed": True,
        "seats": seats,
    }
    data["settings"] = {"last_cycle": last_cycle}
    new_game(archive, SLUG, data)
    list(play(archive, SLUG, SEATS, seed, "2026-11-20T18:00Z", turns))
    return archive, keys


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A game in progress."""
    return play_game(tmp_path_factory.mktemp("noblesse"), "2", 40, 12)


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A game of five Nights that is over."""
    return play_game(tmp_path_factory.mktemp("over"), "8", 5, 40)


def test_each_seat_can_read_its_own_news_and_no_other(running: Kept, tmp_path: Path) -> None:
    archive, keys = running
    name = archive.turns(SLUG)[7]
    for seat in SEATS[:3]:
        path = archive.game_folder(SLUG) / name / "dispatches" / f"{seat.lower()}.age"
        own, other = tmp_path / f"{seat}.key", tmp_path / "other.key"
        own.write_text(keys[seat], encoding="utf-8")
        other.write_text(keys[SEATS[5]], encoding="utf-8")
        text = open_file(archive, path, own).decode()
        assert f"seat: {seat}" in text
        assert "told:" in text
        with pytest.raises(Exception, match="key"):
            open_file(archive, path, other)


def test_a_seats_map_is_drawn_from_its_own_dispatch(running: Kept, tmp_path: Path) -> None:
    """The view of a seat: its own estates, with fog over the rest."""
    archive, keys = running
    name = archive.turns(SLUG)[7]
    own = tmp_path / "Anise.key"
    own.write_text(keys["Anise"], encoding="utf-8")
    args = ["-C", str(archive.root), "render", SLUG, name, "--seat", "anise", "-i", str(own)]
    wrong = CliRunner().invoke(main, args)
    assert (wrong.exit_code, "-o" in wrong.output) == (2, True)
    target = tmp_path / "map.svg"
    done = CliRunner().invoke(main, [*args, "-o", str(target)])
    assert done.exit_code == 0, done.output
    picture = target.read_text(encoding="utf-8")
    whole = load_all(archive, load_turn(archive, load_game(archive, SLUG), name)).position
    home = whole.players["Anise"].home
    assert f"{home}, Home of Anise" in picture
    for unit, standing in whole.units.items():
        spied = any(unit == two.unit for seen in whole.players["Anise"].reports for two in seen.units)
        led = whole.factions[whole.players[standing.owner].faction].leader == "Anise"
        shown = standing.owner == "Anise" or led or spied
        assert (unit in picture) == shown, unit
    for seat in ("Rue", "nobody"):
        other = CliRunner().invoke(main, [*args[:5], "--seat", seat, "-i", str(own), "-o", str(target)])
        assert other.exit_code == 1
        assert "Traceback" not in other.output


def test_the_running_game_is_public_only_as_far_as_the_rules_say(running: Kept) -> None:
    """The open part of the archive names no living player's role or unit (NB-C-9), except a role that an Heir took over (NB-Y-4)."""
    archive, _ = running
    game = load_game(archive, SLUG)
    last = archive.turns(SLUG)[-1]
    whole = load_all(archive, load_turn(archive, game, last))
    story = load_story(archive, SLUG)
    assert story is not None
    # The game's copy of the scenario, which comes with courtly, lists all roles and reveals nothing of this game.
    files = [
        path for path in archive.root.rglob("*") if path.suffix in {".yaml", ".svg"} and path.parent.name != "kept"
    ]
    public = [path.read_text(encoding="utf-8") for path in files]
    told = chapters_of(story)
    names = {fact.name for fact in told}
    assert {"votes", "scenario"} <= names <= {"players", "battles", "treaties", "votes", "scenario"}
    assert ("players" in names) == any(not player.alive for player in whole.position.players.values())
    assert told_seats(story) == ()
    public += [
        *(str(chapter_page(story, fact, told, "../../")) for fact in told if fact.name != "scenario"),
        str(game_page(story, "../../", map_of(story, story.last), told)),
        *(str(turn_page(story, at, "", "../")) for at in range(len(story.turns))),
    ]
    text = "\n".join(public)
    published = {event.role for turn in story.turns for event in turn.data.events if isinstance(event, Died)}
    for player in whole.position.players.values():
        if player.alive and player.role not in published:
            assert player.role not in text
    for unit in whole.position.units:
        assert unit not in text
    assert "votes were needed" in text


def test_lengths_do_not_reveal_who_leads(running: Kept) -> None:
    """Leaders receive longer news, and propose treaties; a file's length gives neither away (NB-C-9)."""
    archive, _ = running
    for name in archive.turns(SLUG):
        folder = archive.game_folder(SLUG) / name
        news = {examine(path.read_bytes(), "news").length for path in folder.glob("dispatches/*.age")}
        assert len(news) == 1, name
        assert {examine(path.read_bytes(), "sheet").length for path in folder.glob("orders/*.age")} <= {
            LENGTHS.sheet
        }, name


def test_a_sealed_sheet_of_a_revealing_length_is_refused(running: Kept) -> None:
    archive, _ = running
    turn = load_turn(archive, load_game(archive, SLUG), archive.turns(SLUG)[-1])
    assert turn.data.seal is not None
    for length in (512, LENGTHS.sheet - 1, LENGTHS.sheet, LENGTHS.sheet + 1, 2 * LENGTHS.sheet):
        right = "pad it to 2048 bytes, as all sheets of this turn, so that its length tells nothing"
        said = [f"the sealed text has {length} bytes; {right}"] if length != LENGTHS.sheet else []
        body = encrypt(b"#" * length, [turn.data.seal.recipient])
        assert [f"{problem.what}; {problem.right}" for problem in check_sealed(turn, body, "anise.yaml.age")] == said


def test_a_sheet_is_checked_only_as_far_as_everybody_can_see(running: Kept, tmp_path: Path) -> None:
    """Before the deadline: unreadable lines, and lines for another turn; nothing that depends on secrets is checked."""
    archive, _ = running
    turn = load_turn(archive, load_game(archive, SLUG), archive.turns(SLUG)[-1])
    by_day = turn.data.position.phase is Phase.DAY
    written = ["Vtoe Rue", "Tax mony at A1", "Vote night" if by_day else "Tax money at A1"]
    body = "orders:\n" + "".join(f"  - {line}\n" for line in written) + "income: {money: 5}\n"
    problems = check_sheet(turn.game, turn.data, "Anise", read(body.encode(), "anise.yaml"))
    assert [(problem.line, problem.what) for problem in problems] == [
        (2, "'Vtoe Rue' is no order"),
        (3, "no resource is called 'mony'"),
        (5, "this can be chosen only before the first Night (NB-C-2)"),
    ]
    treaty = "{to: Pap, mine: [{form: enter}], theirs: [{form: pay, amounts: {money: 1}}], penalties: [{form: ends, cycles: 1}], ends: [{form: one kept}]}"
    faults = check_sheet(turn.game, turn.data, "Anise", read(f"treaties: [{treaty}]".encode(), "anise.yaml"))
    assert [fault.what for fault in faults] == ["no faction is called 'Pap'", "'enter' needs 'estates'"]


def test_the_order_desk_takes_sheets_and_knows_no_secret(running: Kept) -> None:
    """Everybody can see what can be clicked: votes by day; the rest is typed."""
    archive, _ = running
    story = load_story(archive, SLUG)
    assert story is not None
    files = desk_files(story, load_charter(archive))
    desk = json.loads(files["desk.json"])
    assert [seat["name"] for seat in desk["seats"]] == list(SEATS)
    assert [field["key"] for field in desk["forms"][desk["seats"][0]["form"]]] == [
        "orders",
        "treaties",
        "final",
        "standing",
    ]
    by_day = RULESET.rules.options(RULESET.view(replace(cast(), phase=Phase.DAY), None), "Anise")
    assert [sheet.orders for sheet in by_day][-1] == ("Vote night",)
    whole = load_all(archive, load_turn(archive, load_game(archive, SLUG), archive.turns(SLUG)[-1]))
    assert not [unit for unit in whole.position.units if unit in files["desk.json"] + files["desk.svg"]]


def test_the_forms_offered_are_those_of_the_kind_of_turn(running: Kept) -> None:
    """Every form is for just one kind of turn; the sample values of its blanks are shown, and do not differ between seats."""
    at = {phase: lines(replace(cast(), phase=phase)) for phase in Phase}
    assert all(at.values())
    shown = {phase: [form for some in kinds.forms.values() for form in some] for phase, kinds in at.items()}
    assert shown[Phase.SETUP] == []
    assert shown[Phase.DAY] == [act.form for act in ACTS.of("day")]
    assert sorted(shown[Phase.DAY] + shown[Phase.NIGHT]) == sorted(ACTS.kinds)
    archive, _ = running
    for name in archive.turns(SLUG)[:3]:
        turn = load_turn(archive, load_game(archive, SLUG), name)
        public = lines(turn.data.position)
        assert public == lines(load_all(archive, turn).position)
        inner = [form for blank in public.blanks.values() for form in blank.forms]
        for form in [*inner, *ACTS.kinds]:
            assert set(BLANK.findall(form)) <= set(public.blanks)


def test_every_turn_is_judged_again_and_every_fact_survives(running: Kept) -> None:
    archive, _ = running
    checked = verify_game(archive, SLUG)
    assert [str(problem) for problem in checked.problems] == []
    assert checked.turns == 12
    game = load_game(archive, SLUG)
    for name in archive.turns(SLUG):
        data = load_all(archive, load_turn(archive, game, name))
        assert decode(tuple[Event, ...], Text("events", encode(list(data.events)), {})) == data.events


CHAPTERS = (
    "factions",
    "players",
    "courts",
    "estates",
    "income",
    "battles",
    "treaties",
    "votes",
    "families",
    "scenario",
)
"""Chapters about a game that is over."""


def test_at_the_end_everything_is_revealed(over: Kept) -> None:
    archive, _ = over
    assert archive.has_ended(SLUG)
    open_to_all = Archive(archive.root)
    assert [str(problem) for problem in verify_game(open_to_all, SLUG).problems] == []
    story = load_story(open_to_all, SLUG)
    assert story is not None
    told = chapters_of(story)
    fought = any(isinstance(event, Rumour) for turn in story.told() for event in turn.events)
    assert [chapter.name for chapter in told] == [name for name in CHAPTERS if fought or name != "battles"]
    page = str(game_page(story, "../../", map_of(story, story.last), told))
    for chapter in told:
        assert f'href="{chapter.name}.html"' in page
        _whole_chapter(story, chapter)
    for seat in SEATS:
        assert f'href="seat-{seat.lower()}.html"' in page
    for role in scenario_named("farna").roles:
        assert role.replace("'", "&#39;") in page
    assert "Estates over time" in page


def _whole_chapter(story: Story, chapter: Chapter) -> None:
    """Each chapter has content, and links lead to turns that exist, with a report if they name one."""
    assert chapter.sections
    page = str(chapter_page(story, chapter, (chapter,), "../../"))
    for section in chapter.sections:
        assert section.about or section.pictures or section.tables, (chapter.name, section.title)
        for table in section.tables:
            assert {len(row) for row in table.rows} <= {len(table.head)}, table.title
            for cell in (cell for row in table.rows for cell in row if isinstance(cell, At)):
                turn = story.turns[cell.turn]
                assert f'href="{turn.name}/index.html{"#" + cell.anchor if cell.anchor else ""}"' in page
                if cell.anchor:
                    reports = RULESET.tables.reports(turn.data.position, turn.data.events)
                    assert cell.anchor in {report.anchor for report in reports}


def test_a_seats_page_has_the_news_that_its_dispatches_had(over: Kept, tmp_path: Path) -> None:
    """The game as a seat saw it is exactly the news that was sealed to it, turn by turn."""
    archive, keys = over
    open_to_all = Archive(archive.root)
    story = load_story(open_to_all, SLUG)
    assert story is not None
    assert story.ending is not None
    for seat in ("Anise", "Lovage"):
        own = tmp_path / f"{seat}.key"
        own.write_text(keys[seat], encoding="utf-8")
        whole = "".join(map(str, seat_pages(story, seat, "../../").values()))
        page = unescape(whole).replace("<code>", "`").replace("</code>", "`")
        for before, turn in pairwise(story.turns):
            path = turn.folder / "dispatches" / f"{seat.lower()}.age"
            news = read(open_file(open_to_all, path, own), "news", limit=OWN_LIMIT).data
            assert isinstance(news, dict)
            brief, told = news["brief"], news["told"]
            assert isinstance(brief, list)
            assert isinstance(told, list)
            written: list[str] = ["", *(verdict.order for verdict in before.data.verdicts)]
            for line in (*told, *brief):
                # The page shows an order once, and its reason beside it.
                assert any(why_beside(order, str(line)) in page for order in written), (turn.name, line)
            orders = [verdict for verdict in before.data.verdicts if verdict.seat == seat]
            public = RULESET.heard(before.data.events, None)
            heard = [event for event in RULESET.heard(before.data.events, seat) if event not in public]
            assert len(told) == len(orders) + len(heard)


def test_after_the_game_a_seats_view_is_drawn_without_its_key(over: Kept, tmp_path: Path) -> None:
    archive, keys = over
    own, first, second = tmp_path / "Anise.key", tmp_path / "one.svg", tmp_path / "other.svg"
    own.write_text(keys["Anise"], encoding="utf-8")
    name = archive.turns(SLUG)[7]
    args = ["-C", str(archive.root), "render", SLUG, name, "--seat", "anise", "-o"]
    assert CliRunner().invoke(main, [*args, str(first), "-i", str(own)]).exit_code == 0
    assert CliRunner().invoke(main, [*args, str(second)]).exit_code == 0
    assert first.read_bytes() == second.read_bytes()


# The game in the archive ----------------------------------------------------------------------------------------------


def test_the_archived_game_has_every_kind_of_order_and_of_fact() -> None:
    """Twelve stand-ins to the end: nearly every form of order, proposals of treaties, and nearly all kinds of events.

    The remaining forms need a host to judge them, an Heir in command to die, or a Noble to lose their seat.
    """
    archive = Archive(Path(__file__).parent.parent.parent)
    slug = "fighting-over-farna"
    game = load_game(archive, slug)
    assert "stand-in" in (game.data.made or "")
    assert {game.player(seat) for seat in game.seats} == {"a stand-in"}
    assert archive.has_ended(slug)
    reader = reader_of(game.settings.board)
    orders, facts = set(), set()
    for name in archive.turns(slug):
        data = load_all(archive, load_turn(archive, game, name))
        read_ = [reader.read(verdict.order) for verdict in data.verdicts]
        orders |= {order.kind for order in read_ if isinstance(order, Order)}
        facts |= {type(event) for event in data.events}
    assert set(ACTS.by_kind) - orders == {"choose", "ability on unit"}
    assert {*get_args(AnyEvent)} - facts == {HeirDied, Untitled, Dismissed, Turned, Left}
    assert Proposed in facts


def test_the_archived_game_fills_every_chapter() -> None:
    """Ten chapters: a whole game has content for each."""
    story = load_story(Archive(Path(__file__).parent.parent.parent), "fighting-over-farna")
    assert story is not None
    told = chapters_of(story)
    assert tuple(chapter.name for chapter in told) == CHAPTERS
    for chapter in told:
        _whole_chapter(story, chapter)


def test_the_family_tree_has_every_marriage_and_every_heir_under_their_parents() -> None:
    """NB-X-3, NB-X-4."""
    story = load_story(Archive(Path(__file__).parent.parent.parent), "fighting-over-farna")
    assert story is not None
    (chapter,) = (chapter for chapter in chapters_of(story) if chapter.name == "families")
    (tree,) = (picture.of for picture in chapter.sections[0].pictures)
    assert isinstance(tree, Kinship)
    events = [event for turn in story.told() for event in turn.events]
    weddings = {
        frozenset({event.by, event.to}) for event in events if isinstance(event, Agreed) and event.kind == "marriage"
    }
    born = {
        (f"{whose(event.seat)} Heir", frozenset({event.seat, event.other}))
        for event in events
        if isinstance(event, HeirBorn)
    }
    couples = {frozenset(parent.name for parent in family.parents): family for family in tree.families}
    assert {pair for pair in couples if len(pair) == 2} == weddings
    assert {(child.name, pair) for pair, family in couples.items() for child in family.children} == born
    assert {name for pair in couples for name in pair} == set(SEATS)
    assert weddings
    assert born


def test_the_events_of_a_night_are_listed_by_its_steps() -> None:
    """NB-A-3: the page of a Night has a heading for each step with events, in the order of the steps; a Day has none."""
    story = load_story(Archive(Path(__file__).parent.parent.parent), "fighting-over-farna")
    assert story is not None
    seen: set[str] = set()
    for at, turn in enumerate(story.turns):
        parts = story.parts(turn)
        headings = [heading for heading, _ in parts]
        page = str(turn_page(story, at, "", "../../../"))
        assert sum(len(told) for _, told in parts) == len(turn.data.events)
        if turn.data.position.phase is Phase.NIGHT:
            places = [STEPS.index(heading) for heading in headings]
            assert places == sorted(places)
            assert all(f"<h3>{heading}</h3>" in page for heading in headings)
            seen |= set(headings)
        else:
            assert headings in ([], [""])
    assert {*STEPS[:-1]} <= seen


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("Hello there", "such as `Move U3 to B2`"),
        ("Vote.", "such as `Vote Anise` or `Vote night`"),
        ("Sign;", "such as `Sign T417` or `Sign T417 saying: I will`"),
        ("Hie officer ", "such as `Move U3 to B2`"),
    ],
)
def test_the_suggested_form_is_kept_with_the_turn_word_for_word(line: str, right: str) -> None:
    """The suggested form stays with the facts of an unreadable order, in its turn.yaml."""
    from adjudicator.rulesets.noblesse.orders import Reader, Unreadable
    from adjudicator.rulesets.noblesse.scenario import scenario_named

    assert Reader(scenario_named("farna")).read(line) == Unreadable(f"{line!r} is no order", right)
