"""The contract: optional and required parts of a ruleset, and features that only the small rulesets use."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator import render, rules
from adjudicator.core.contract import facts, ruleset
from adjudicator.core.contract.ahead import Ahead
from adjudicator.core.contract.cases import wrong_turns
from adjudicator.core.contract.lines import Blank, Lines, Misfit
from adjudicator.core.contract.resolution import DONE, Ending, Remark, Verdict
from adjudicator.core.contract.rulebook import rules_in
from adjudicator.core.contract.ruleset import (
    Decisions,
    Desk,
    Exchange,
    HostFiles,
    Pictures,
    Rules,
    Ruleset,
    Secrecy,
    StandIn,
    Tables,
    Types,
    Words,
    find,
    slugs,
)
from adjudicator.core.contract.scene import drawing_of
from adjudicator.core.contract.sheet import SheetWords, StandingWords
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.doctor import examine
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play, write_stand_in_sheets
from adjudicator.core.jobs.rehearse import rehearse
from adjudicator.core.jobs.run import MOST_ALONE, might_be_due, run_game
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.dice import Roll
from adjudicator.core.text.codec import decode, encode, label_of, record, schema
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.load import load_ending, load_game, load_turn
from adjudicator.mechanics.cards import BACK
from adjudicator.mechanics.standing import StandingParts
from adjudicator.render import line_chart
from adjudicator.render.palette import slot_of
from adjudicator.site.desk import desk_files
from adjudicator.site.game import game_page
from adjudicator.site.luck import foresight_warning, luck_page
from adjudicator.site.story import load_story
from adjudicator.site.turn import map_of, proof, turn_page
from tests import hazard, laws, moot
from tests.conftest import ORIGIN, ROOT
from tests.core.test_secrets import MASTER, cli

SMALL = {"hazard": hazard, "moot": moot}


@pytest.fixture(autouse=True)
def _among_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the small rulesets among the others for these tests."""
    real = ruleset.slugs
    for name, module in SMALL.items():
        monkeypatch.setitem(sys.modules, f"adjudicator.rulesets.{name}", module)
    monkeypatch.setattr(ruleset, "slugs", lambda: (*real(), *SMALL))


# Required texts ----------------------------------------------------------------------------------------------------


def test_no_secret_can_be_left_out() -> None:
    """Each call is a type error too: with mypy's `warn_unused_ignores`, an ignore that is not needed is an error."""
    secrecy = hazard.RULESET.secrecy
    assert secrecy is not None
    secrets: dict[str, Any] = {
        "seen_by": secrecy.seen_by, "heard_by": facts.heard_by(hazard.FACTS), "public_roll": lambda name: False, "brief": hazard.brief,
        "lengths": lambda settings: hazard.LENGTHS,
    }  # fmt: skip
    assert {field.name for field in fields(Secrecy)} == set(secrets)
    seen_by, heard_by, public_roll, brief, lengths = secrets.values()
    with pytest.raises(TypeError, match="seen_by"):
        Secrecy(heard_by=heard_by, public_roll=public_roll, brief=brief, lengths=lengths)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="heard_by"):
        Secrecy(seen_by=seen_by, public_roll=public_roll, brief=brief, lengths=lengths)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="public_roll"):
        Secrecy(seen_by=seen_by, heard_by=heard_by, brief=brief, lengths=lengths)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="brief"):
        Secrecy(seen_by=seen_by, heard_by=heard_by, public_roll=public_roll, lengths=lengths)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="lengths"):
        Secrecy(seen_by=seen_by, heard_by=heard_by, public_roll=public_roll, brief=brief)  # type: ignore[call-arg]


def test_a_ruleset_says_that_it_has_no_secrets() -> None:
    said = {field.name: getattr(hazard.RULESET, field.name) for field in fields(Ruleset)}
    with pytest.raises(TypeError, match="secrecy"):
        Ruleset(**{name: group for name, group in said.items() if name != "secrecy"})


@pytest.mark.parametrize("group", [Ruleset, Types, Rules, Words, Tables, Secrecy, Desk, HostFiles, Decisions])
def test_nothing_in_a_group_has_a_default(group: Any) -> None:
    assert [field.name for field in fields(group) if (field.default, field.default_factory) != (MISSING, MISSING)] == []


@pytest.mark.parametrize("left_out", ["seen_by", "heard_by", "public_roll"])
def test_every_secret_of_hazard_would_be_published_if_it_were_left_open(left_out: str, tmp_path: Path) -> None:
    """This proves that the test above checks something: an open answer in a secret's place appears in the public bytes of the first two turns."""
    from tests.core.test_secrets import Table, public_bytes

    opened: dict[str, Any] = {
        "seen_by": lambda position, seat: position,
        "heard_by": lambda fact, seat: fact,
        "public_roll": lambda name: True,
    }
    assert hazard.RULESET.secrecy is not None

    def told(secrecy: Secrecy[Any, Any], where: Path) -> bytes:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hazard, "RULESET", replace(hazard.RULESET, secrecy=secrecy))
            table = Table(where)
            for seat in hazard.SEATS:
                table.sheet(seat, "nothing")
            table.run("2026-11-21T00:00Z")
            return b"".join(body for path, body in public_bytes(table.root).items() if path.endswith("turn.yaml"))

    secrets = {"seen_by": rb"card-\d\d", "heard_by": rb"Play card-\d\d", "public_roll": rb"secret:draw|setup:deck"}
    assert not re.search(secrets[left_out], told(hazard.RULESET.secrecy, tmp_path / "shut"))
    left_open: Any = replace(hazard.RULESET.secrecy, **{left_out: opened[left_out]})
    assert re.search(secrets[left_out], told(left_open, tmp_path / "open"))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_small_rulesets_keep_the_laws_of_every_ruleset(name: str, law: Callable[[Any, int], None]) -> None:
    laws.says_who_it_is(SMALL[name].RULESET)
    law(SMALL[name].RULESET, 5)


def test_every_rule_of_the_small_rulesets_is_used() -> None:
    """HZ-H-1, HZ-H-2, HZ-P-1 to HZ-P-5, HZ-V-1; MT-A-1 to MT-A-5."""
    for name, module in SMALL.items():
        book = rules_in((module.RULESET.folder / "RULES.md").read_text(encoding="utf-8"))
        code = (module.RULESET.folder / "__init__.py").read_text(encoding="utf-8")
        assert [rule for rule in book if not re.search(rf"\({rule}|{rule}[,\")]", code)] == [], name


def test_the_cases_of_hazard_have_their_stated_outcome() -> None:
    assert wrong_turns(hazard.RULESET) == []
    assert [example.id for example in hazard.RULESET.examples()] == ["hands/highest", "hands/reserve"]


@pytest.mark.parametrize("ruleset", slugs())
def test_worked_examples_illustrate_a_rulebook(ruleset: str) -> None:
    """HS-7: seven in eight of its rules have an example that a reader can look at, not only a test."""
    rules = find(ruleset)
    book = {*rules_in((rules.folder / "RULES.md").read_text(encoding="utf-8"))}
    shown = {rule for example in rules.examples() for rule in example.rules} & book
    assert len(shown) * 8 >= len(book) * 7, sorted(book - shown)


def test_a_case_with_another_outcome_than_stated_is_named(tmp_path: Path) -> None:
    shutil.copytree(hazard.RULESET.folder / "cases", tmp_path / "cases")
    file = tmp_path / "cases/hands.yaml"
    file.write_text(
        file.read_text().replace("Birch scored", "Cedar scored").replace("reason: from-reserve", "reason: played")
    )
    highest, reserve = wrong_turns(replace(hazard.RULESET, folder=tmp_path))
    assert highest == "cases/hands.yaml, highest: it says Cedar scored., but the outcome is Birch scored."
    assert reserve.startswith("cases/hands.yaml, reserve: it says Judged(seat='Ash', order='Play card-05', ")
    assert "reason='played'" in reserve.partition(", but the outcome is ")[0]


def test_the_page_for_authors_names_every_painter_and_the_import() -> None:
    """HS-4: it named half of the painters, and the template hid the rest. Every name in `adjudicator.rules` exists."""
    page = (ROOT / "site_src/rulesets.md").read_text(encoding="utf-8")
    drawn_by_the_site = {"chart_pictures"}
    for name in {*render.__all__} - drawn_by_the_site:
        assert f"`{name}`" in page, name
    for scene in ("ProvinceScene", "HexScene", "GridScene", "TableScene", "CardFace"):
        assert re.search(rf"\| `{scene}` \| `render\w*` \|", page), scene
    assert all(getattr(rules, name) is not None for name in rules.__all__)
    used = set(re.findall(r"\bgame\.(\w+)", page)) | set(
        re.findall(r"\bgame\.(\w+)", Path(hazard.__file__).read_text("utf-8"))
    )
    assert used - {"yaml"} <= {*rules.__all__}


# Words of sheets ---------------------------------------------------------------------------------------------------


def test_inherited_fields_of_a_record_come_last() -> None:
    """In files, schemas and forms. A sheet first says what it is about."""

    @record
    class Own(StandingWords):
        bid: int = 0

    assert [field.name for field in fields(Own)] == ["bid", "words", "answer", "final", "standing"]
    assert [*encode(Own())] == ["bid", "final", "standing"]
    assert [*schemas("diplomacy")["sheet"]["properties"]] == [
        "orders",
        "draw",
        "among",
        "concede",
        "retreats",
        "winter",
        "words",
        "answer",
        "final",
        "standing",
        "ahead",
    ]
    assert issubclass(hazard.Sheet, SheetWords)
    assert not issubclass(hazard.Sheet, StandingWords)


def test_the_core_reads_only_declared_keys_of_sheets() -> None:
    paths = [*(ROOT / "adjudicator/core").rglob("*.py")]
    assert len(paths) > 100
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'getattr\([^)]*"(final|standing|draw|concede)"', text), path


def test_a_sheet_may_have_a_key_called_draw() -> None:
    """In hazard it asks for a card (HZ-P-4); in moot it names a seat, and the desk has a choice for it."""
    position = laws.first(hazard.RULESET)
    sheets = {"Birch": hazard.Sheet(draw=True)}
    drew = [
        event.seat
        for number in range(9)
        for event in hazard.resolve(position, sheets, laws.dice(str(number))).events
        if isinstance(event, hazard.Drew)
    ]
    assert drew == ["Birch"] * 9
    assert rehearse(hazard.RULESET, hazard.Settings(), "0", 9).turns == hazard.LAST


# Standing parts ----------------------------------------------------------------------------------------------------


def test_standing_parts_apply_until_they_are_given_again() -> None:
    """HZ-P-3: key by key. An empty list is an answer; silence is not."""
    reserve, other = ("card-01", "card-02"), ("card-03",)
    said = hazard.STANDING.after({}, {"Ash": hazard.Sheet(reserve=reserve), "Birch": hazard.Sheet(play="card-09")})
    assert said == {"Ash": hazard.Kept(reserve=reserve)}
    assert hazard.STANDING.after(said, {"Ash": hazard.Sheet(play="card-01")}) == said
    assert hazard.STANDING.after(said, {}) == said
    assert hazard.STANDING.after(said, {"Ash": hazard.Sheet(reserve=other)})["Ash"].reserve == other
    assert hazard.STANDING.after(said, {"Ash": hazard.Sheet(reserve=())})["Ash"].reserve == ()
    assert hazard.STANDING.of(said, "Cedar") == hazard.Kept()


def test_standing_parts_are_hidden_with_the_position() -> None:
    kept = {seat: hazard.Kept(reserve=(f"card-0{at}",)) for at, seat in enumerate(hazard.SEATS, 1)}
    position = replace(laws.first(hazard.RULESET), standing=kept)
    assert hazard.RULESET.view(position, None).standing == {}
    assert hazard.RULESET.view(position, "Ash").standing == {"Ash": kept["Ash"]}


def test_a_standing_part_must_be_on_the_sheet_with_none_as_default() -> None:
    @record
    class Bad(SheetWords):
        reserve: tuple[str, ...] = ()

    with pytest.raises(AssertionError, match="Bad needs reserve with None as the default"):
        StandingParts(hazard.Kept, [Bad])
    with pytest.raises(AssertionError, match="GiftSheet needs reserve"):
        StandingParts(hazard.Kept, [moot.GiftSheet])


# Moot: an open game in the archive ---------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Archive:
    """An archive with a game of moot."""
    archive = Archive(tmp_path)
    archive.games.mkdir()
    data = {
        "ruleset": "moot", "title": "A moot", "opened": "2026-11-20", "seed": "s", "schedule": {"turn": "2d"},
        "seats": {seat: {"player": f"{seat}’s elder"} for seat in moot.VILLAGES},
    }  # fmt: skip
    new_game(archive, "ring", data)
    return archive


def steps(place: Archive, at: str, *, now: bool = False) -> list[str]:
    return [f"{step.what} {step.turn}" for step in run_game(place, "ring", at=at, now=now)]


def sheet(place: Archive, seat: str, body: str) -> Path:
    path = place.games / "ring" / place.turns("ring")[-1] / "orders" / f"{seat.lower()}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(body, encoding="utf-8")
    return path


def turn(place: Archive, number: int = -1) -> Any:
    return load_turn(place, load_game(place, "ring"), place.turns("ring")[number])


def test_each_window_has_its_own_type_of_sheet(place: Archive) -> None:
    assert set(schemas("moot")) == {"game", "gift-sheet", "speech-sheet", "decision"}
    wrong = sheet(place, "Firle", "orders: [Speak for Firle]\n")
    assert [str(fault) for fault in check_archive(place)] == [
        "games/ring/001-moot-1-gifts/orders/firle.yaml:1:1: unknown key 'orders'; orders is for the speech sheet; this one has: gift, draw, words, answer, final"
    ]
    wrong.write_text("gift: 3\ndraw: Corfe\n")
    assert check_archive(place) == []
    steps(place, "2026-11-22T00:00Z")
    assert turn(place).data.position.drawn == {"Firle": "Corfe"}
    sheet(place, "Firle", "gift: 3\n")
    assert "unknown key 'gift'" in str(check_archive(place)[0])
    sheet(place, "Firle", "orders: [Walk Elstow]\n")
    assert check_archive(place) == []
    sheet(place, "Firle", "orders: ['Walk Firle, Elstow']\n")
    assert [(fault.what, fault.right) for fault in check_archive(place)] == [
        ("from Firle there is no way to Elstow", "from Firle one goes to Fenwick, Glynde")
    ]


def test_conditions_in_lines_are_read_canonically_and_take_effect(place: Archive) -> None:
    sheet(place, "Firle", "gift: 3\n")
    sheet(place, "Corfe", "gift: 5\n")
    steps(place, "2026-11-22T00:00Z")
    sheet(
        place,
        "Ashford",
        "orders:\n"
        "- walk ashford THEN bourne, bramley\n"
        "- speak for colne if gift of colne > 0\n"
        "- speak for firle if GIFT(firle) >= most\n"
        "- Speak for Corfe if gift of corfe=most and not burnt(corfe)\n"
        "- Speak for Firle\n",
    )
    assert [str(fault) for fault in check_archive(place)] == []
    assert steps(place, "2026-11-24T00:00Z")[0] == "resolved 002-moot-1-speeches"
    told = [(verdict.order, verdict.result, verdict.reason, verdict.ok) for verdict in turn(place, 1).data.verdicts]
    assert told == [
        ("Walk Ashford, Bourne, Bramley", "succeeds", "walked", True),
        ("Speak for Colne if gift(Colne) > 0", "fails", "does-not-hold", False),
        ("Speak for Firle if gift(Firle) >= most", "fails", "does-not-hold", False),
        ("Speak for Corfe if gift(Corfe) = most and not burnt(Corfe)", "succeeds", "spoke", True),
        ("Speak for Firle", "fails", "spoke-already", False),
    ]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Speak for Firle if gift(Firle) > ", "a comparison has a number on one side alone"),
        ("Speak for Firle if gold > 3", "no number is called 'gold'"),
        ("Speak for Firle if gift > 3", "'gift' names nothing"),
        ("Speak for Firle if gift(Nowhere) > 3", "no village is called 'Nowhere'"),
        ("Speak for Firle if giftof Firle > 3", "no number is called 'giftof Firle'"),
        ("Speak for Firle if round", "'round' is a number and no flag"),
        ("Speak for Firle if home = 3", "'home' is a flag and no number"),
        ("Speak for Firle if not", "no flag is called 'not'"),
        ("Speak for Firle if home and and home", "no flag is called 'and home'"),
        ("Speak for Firle if home or drawn", "'home or drawn' is no clause"),
        ("Speak for Firle if __import__('os')", "no flag is called"),
        ("Speak for Firle if home" + " and home" * 12, "the condition has 13 clauses"),
        ("Walk Firle, Corfe", "from Firle there is no way to Corfe"),
        ("Walk Atlantis", "no village is called 'Atlantis'"),
        ("Sing", "'Sing' is no order"),
    ],
)
def test_a_faulty_line_is_reported_with_what_would_be_right(line: str, what: str) -> None:
    read = moot.LINES.read(line)
    assert isinstance(read, Misfit)
    assert read.what.startswith(what)
    assert read.right


def test_a_name_without_a_value_makes_every_comparison_false() -> None:
    position = replace(laws.first(moot.RULESET), gifts={"Firle": 2})
    for text, expected in {
        "gift(Firle) = 2": True, "gift(Corfe) = 0": False, "gift(Corfe) != 0": False, "not drawn": True, "home": True,
        "gift(Firle) + 1 > round and round <= 1": True, "gift(Firle) - 2 > 0": False, "1 < 2": True,
    }.items():  # fmt: skip
        assert moot.holds(position, "Ashford", text) is expected, text


def test_a_turn_that_nobody_owes_a_sheet_for_is_judged_at_once(place: Archive) -> None:
    """FH-13: without a deadline such a turn never became due."""
    assert steps(place, "2026-11-22T00:00Z") == ["resolved 001-moot-1-gifts", "opened 002-moot-1-speeches"]
    assert not might_be_due(place, "ring", "2026-11-23T00:00Z")
    # The count follows in the same run, long before its deadline; nobody spoke, so nobody wins (MT-A-4).
    assert steps(place, "2026-11-24T00:00Z") == [
        "resolved 002-moot-1-speeches", "opened 003-moot-1-count", "resolved 003-moot-1-count", "ended 003-moot-1-count", "put away 003-moot-1-count",
    ]  # fmt: skip
    checked = verify_game(place, "ring")
    assert ([str(fault) for fault in checked.problems], checked.turns) == ([], 3)


def test_an_end_without_winners_and_a_quiet_turn_are_reported_in_the_rulesets_words(place: Archive) -> None:
    """FH-14. Ends read `units: , Round 3, battle`, and every game without news reported that no land changed hands."""
    steps(place, "2026-11-22T00:00Z")
    steps(place, "2026-11-24T00:00Z")
    assert load_ending(place, load_game(place, "ring")).ended.winners == ()
    story = load_story(place, "ring")
    assert story is not None
    page = str(game_page(story, "../../", map_of(story, story.last)))
    assert "moot: nobody won, Moot 1, count" in page
    assert "The game ended here, moot: nobody won" in str(turn_page(story, 2, "<svg></svg>", "../../../"))
    assert story.headline(story.turns[2]) == "Nobody spoke for anybody."
    assert story.headline(story.turns[0]) == "Nobody said a word."
    assert 'width="700" height="90"' in page


def test_a_game_in_which_nobody_owes_a_sheet_any_more_stops_the_run(
    place: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = replace(moot.RULESET.rules, due=lambda view: frozenset())
    monkeypatch.setattr(moot, "RULESET", replace(moot.RULESET, rules=replace(alone, resolve=_on_and_on)))
    with pytest.raises(Problems, match=f"nobody owed a sheet in any of the last {MOST_ALONE} turns"):
        steps(place, "2026-11-20T00:00Z")
    judged = place.turns("ring")
    assert len(judged) == MOST_ALONE + 1
    with pytest.raises(
        Problems, match="in any of the last 100 turns"
    ):  # the next run does not continue from that point
        steps(place, "2026-11-21T00:00Z")
    assert place.turns("ring") == judged


def _on_and_on(position: moot.Position, sheets: Any, dice: Any) -> Any:
    return replace(moot.resolve(position, sheets, dice), ended=None)


def test_a_decision_is_checked_applied_kept_and_judged_again(place: Archive) -> None:
    ruling = place.games / "ring/001-moot-1-gifts/ruling.yaml"
    ruling.write_text("rulings:\n- reason: lightning\n  decide: {village: Firel, left: 2}\n")
    assert [str(fault) for fault in check_archive(place)] == [
        f"games/ring/001-moot-1-gifts/ruling.yaml:3:21: 'Firel' is no village; villages: {', '.join(moot.VILLAGES)}"
    ]
    ruling.write_text("rulings:\n- reason: lightning\n  decide: {vilage: Firle}\n")
    assert {fault.what for fault in check_archive(place)} == {"unknown key 'vilage'", "'village' is missing"}
    ruling.write_text("rulings:\n- reason: lightning\n  decide: {village: Firle, left: 2}\n")
    assert check_archive(place) == []
    assert steps(place, "2026-11-20T00:00Z") == ["ruled 001-moot-1-gifts"]
    kept = turn(place).source.decode()
    assert "rulings:\n- {reason: lightning, decide: {village: Firle, left: 2}}\n" in kept
    assert (turn(place).data.position.burnt, turn(place).data.position.gifts["Firle"]) == (("Firle",), 2)
    steps(place, "2026-11-22T00:00Z")
    assert [str(fault) for fault in verify_game(place, "ring").problems] == []
    story = load_story(place, "ring")
    assert story is not None
    assert "Firle burnt down; 2 of its gifts are left. Reason: lightning" in str(
        turn_page(story, 0, "<svg></svg>", "../")
    )
    ruling.write_text("rulings:\n- reason: lightning\n  decide: {village: Firle, left: 3}\n")
    assert "a ruling was changed or removed" in str(verify_game(place, "ring").problems)


@record
class Burn:
    """A card that leaves a hand."""

    seat: str
    card: str


def test_a_decision_in_a_game_with_secrets_is_judged_by_what_everybody_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.core.test_secrets import Table

    asked: list[Any] = []

    def faults(view: hazard.Position, decision: Burn) -> tuple[Remark, ...]:
        asked.append(view.hands)
        hand = view.hands.get(decision.seat, ())
        if hand and decision.card not in hand and BACK not in hand:
            return (Remark(("card",), f"{decision.card} is not in the hand", "the hand: " + ", ".join(hand)),)
        return () if hand else (Remark(("seat",), f"{decision.seat!r} has no hand", "name a seat"),)

    burns: Any = Decisions(
        kind=Burn,
        hidden=False,
        waits=lambda position: (),
        faults=faults,
        apply=lambda position, _, reason: position,
        tell=lambda one: f"{one.card} is burnt.",
    )
    monkeypatch.setattr(hazard, "RULESET", replace(hazard.RULESET, decisions=burns))
    table = Table(tmp_path)
    ruling = table.turn.folder / "ruling.yaml"
    ruling.write_text("rulings:\n- reason: so\n  decide: {seat: Asche, card: card-12}\n")
    for said in (cli(table.root, "check"), cli(table.root, "run", "--at", "2026-11-20T01:00Z", COURTLY_MASTER=MASTER)):
        assert said.exit_code == 1
        assert "ruling.yaml:3:18: 'Asche' has no hand; name a seat" in said.output
    ruling.write_text("rulings:\n- reason: so\n  decide: {seat: Ash, card: card-12}\n")
    assert cli(table.root, "check").exit_code == 0
    said = cli(table.root, "run", "--at", "2026-11-20T01:00Z", COURTLY_MASTER=MASTER)
    assert said.exit_code == 0
    assert "card-" not in said.output
    assert asked
    assert all(card == BACK for hands in asked for hand in hands.values() for card in hand)


def test_an_unreadable_sheet_can_be_declared_void(place: Archive) -> None:
    sheet(place, "Firle", "gift: many\n")
    ruling = place.games / "ring/001-moot-1-gifts/ruling.yaml"
    ruling.write_text("rulings:\n- reason: it is none\n  void: {seat: Firle}\n")
    assert steps(place, "2026-11-20T02:00Z") == ["ruled 001-moot-1-gifts"]
    assert "resolved 001-moot-1-gifts" in steps(place, "2026-12-20T02:00Z")
    assert verify_game(place, "ring")


def test_a_ruleset_has_the_name_of_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "tests/hazard", tmp_path / "misnamed")
    monkeypatch.setenv("COURTLY_RULESETS", str(tmp_path))
    with pytest.raises(Problems, match="the ruleset in the folder misnamed calls itself 'hazard'"):
        find("misnamed")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn/RULES.md").touch()
    (tmp_path / "torn/__init__.py").write_text('raise TypeError("Position.marked does not say who sees it")\n')
    told = [line for fine, line in examine(Archive(tmp_path), "2026-11-27T00:00Z") if not fine]
    assert "the ruleset torn cannot be read: TypeError: Position.marked does not say who sees it" in told
    assert any("the ruleset in the folder misnamed calls itself 'hazard'" in line for line in told)
    monkeypatch.delitem(sys.modules, "adjudicator.rulesets.misnamed")


def test_a_form_with_an_unknown_blank_is_a_fault_of_its_ruleset() -> None:
    with pytest.raises(AssertionError, match="no blank is called place"):
        Lines({"": ("Go to {place}",)}, {})


def test_an_overlong_line_is_not_tried_against_every_form() -> None:
    read = Lines({"": ("Go to {place}",)}, {"place": Blank()}).read("Go to " + "a" * 2000)
    assert read == Misfit("the line has 2006 letters", "at most 2000 are allowed")


def test_a_ruleset_that_leaves_nothing_to_the_host_accepts_no_decision(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.games.mkdir()
    people = {seat: {"player": seat} for seat in find("diplomacy").rules.seats(find("diplomacy").types.settings())}
    new_game(
        archive, "war", {"ruleset": "diplomacy", "title": "A war", "opened": "2026-11-20", "seed": "s", "seats": people}
    )
    ruling = archive.games / "war/001-spring-1901-movement/ruling.yaml"
    ruling.write_text("rulings:\n- reason: so\n  decide: {who: Austria}\n")
    (fault,) = check_archive(archive)
    assert (fault.what, fault.right) == (
        "Diplomacy leaves no decision to the host",
        "use another kind of ruling, such as `correct`",
    )


def test_a_stand_in_may_write_a_whole_sheet(place: Archive) -> None:
    written = write_stand_in_sheets(place, "ring", ["Firle"], "7")
    assert written == ["Firle"]
    body = (place.games / "ring/001-moot-1-gifts/orders/firle.yaml").read_text()
    assert re.fullmatch(r"# By a stand-in\.\n(gift: \d\n)?draw: (Fenwick|Glynde)\nfinal: true\n", body)
    done = list(play(place, "ring", moot.VILLAGES, "7", "2026-11-22T00:00Z", 4))
    assert [step.what for step in done[-2:]] == ["ended", "put away"]
    assert [str(fault) for fault in verify_game(place, "ring").problems] == []
    assert not [verdict for verdict in turn(place, 1).data.verdicts if verdict.result == "unreadable"]


def test_twelve_sides_have_their_own_slots_and_lines(place: Archive) -> None:
    scene = moot.draw(turn(place).data.position, None)
    assert (
        len({side.letter for side in scene.sides.values()})
        == len({slot_of(side) for side in scene.sides.values()})
        == 12
    )
    (chart,) = moot.chart([turn(place).data.position] * 2)
    assert len(set(re.findall(r'class="o(\d+)', line_chart(chart, scene.sides)))) == 12


def test_the_desk_of_an_open_game_has_the_forms_of_its_lines(place: Archive) -> None:
    story = load_story(place, "ring")
    assert story is not None
    desk = json.loads(desk_files(story, None)["desk.json"])
    assert desk["hidden"] is False
    assert desk["lines"]["forms"] == {
        "Speeches": ["Walk {path}", "Speak for {village}", "Speak for {village} if {condition}"]
    }
    (form,) = desk["forms"]
    assert [(field["key"], field["kind"]) for field in form] == [
        ("gift", "number"),
        ("draw", "choice"),
        ("final", "flag"),
    ]
    assert form[1]["choices"] == list(moot.VILLAGES)


# Verdicts, endings, pictures ---------------------------------------------------------------------------------------


def test_the_success_of_an_order_is_derived_and_never_written() -> None:
    for result in (*DONE, "fails", "illegal", "cut", "void", "held"):
        verdict = Verdict(seat="A", order="x", result=result, reason="r", rule="X-Y-1")
        assert verdict.ok is (result in DONE)
        assert [*encode(verdict)] == ["seat", "order", "result", "reason", "rule"]
    war = find("diplomacy").types.verdict
    lost = war(seat="A", order="x", result="stands", reason="overcome", rule="DP-M-3", facts={"dislodged_by": "A Ruhr"})
    assert (lost.ok, lost.also, lost.idle) == (False, "dislodged", False)
    assert decode(Verdict, Text("", encode(lost), {})).ok is True, "of what befell a unit only its ruleset knows"


@pytest.mark.parametrize("slug", slugs())
def test_every_ruleset_has_words_for_ends_other_than_its_own(slug: str) -> None:
    """FH-14."""
    words = find(slug).words
    assert words.ended(Ending(how="stopped", winners=(), when="Spring", rule="")) == "stopped after Spring, no winner"
    assert words.ended(Ending(how="weather", winners=(), when="Spring", rule="")) == "weather: nobody won, Spring"
    assert (
        words.ended(Ending(how="weather", winners=("A", "B"), when="Spring", rule=""))
        == "won by A and B (weather), Spring"
    )


def test_a_picture_must_state_its_size() -> None:
    assert (
        drawing_of('<svg role="img" viewBox="0 0 12 34.5">').width,
        drawing_of('<svg viewBox="0 0 1 2">').height,
    ) == (12, 2)
    with pytest.raises(AssertionError, match="a picture must give its size"):
        drawing_of("<svg></svg>")


# Luck that can be foreseen -----------------------------------------------------------------------------------------


def test_pages_warn_of_dice_that_anybody_can_compute_wherever_they_show_them(
    place: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FS-20: in a game of moot with a seed in clear, whose ruleset rolls; nowhere in a sealed one, or where nothing is rolled."""
    list(play(place, "ring", moot.VILLAGES, "7", "2026-11-22T00:00Z", 4))
    story = load_story(place, "ring")
    assert story is not None
    monkeypatch.setattr(
        "adjudicator.site.luck.rolls_of", lambda story: [("Setup", Roll(name="setup:first", sides=12, value=3))]
    )
    with_dice = [
        str(game_page(story, "../../", map_of(story, story.last))),
        *(str(turn_page(story, number, "<svg></svg>", "../../../")) for number in range(len(story.turns))),
        str(luck_page(story, "../../")),
    ]
    assert all("These dice can be foreseen." in page for page in with_dice)
    assert {json.loads(proof(turn))["foreseen"] for turn in story.turns} == {True}
    for change in ({"sealed": True}, {"kind": GameKind.RECORD}):
        story.game.data = replace(story.game.data, **change)
        assert foresight_warning(story) is None
    story.game.data = replace(story.game.data, sealed=False, kind=GameKind.GAME)
    assert foresight_warning(story) is not None
    story.game.ruleset = find("diplomacy")
    story.game.settings = story.game.ruleset.types.settings()
    assert foresight_warning(story) is None


def test_new_says_that_its_dice_can_be_foreseen(tmp_path: Path) -> None:
    """FS-20: for a ruleset that rolls, unless the game is sealed."""
    for game, words in (("a", ("--ruleset", "moot")), ("b", ("--ruleset", "moot", "--sealed")), ("c", ())):
        done = cli(tmp_path, "new", game, *words, COURTLY_MASTER=MASTER)
        assert done.exit_code == 0, done.output
        assert done.stderr == (
            "warning: games/a: anybody can compute its dice before a turn is judged, and choose orders to suit: the seed "
            "is in game.yaml; for dice that no player can foresee, open it with --sealed\n"
        ) * (game == "a")


# Checking with a key -----------------------------------------------------------------------------------------------


def test_check_with_a_seats_key_reports_faults_that_only_the_seat_can_see(tmp_path: Path) -> None:
    from tests.core.test_secrets import Table

    table = Table(tmp_path / "archive")
    keys = {seat: tmp_path / f"{seat}.txt" for seat in hazard.SEATS}
    for seat, path in keys.items():
        path.write_text(table.identities[seat])
    path = table.turn.folder / "orders/ash.yaml"
    path.parent.mkdir()
    path.write_text("play: card-99\n")
    where = str(path.relative_to(table.root))
    assert cli(table.root, "check", where).exit_code == 0
    told = cli(table.root, "check", where, "-i", str(keys["Ash"]))
    assert told.exit_code == 1
    assert "'card-99' is not in your hand (HZ-P-1); your hand: card-" in told.output
    other = cli(table.root, "check", where, "-i", str(keys["Birch"]))
    assert other.exit_code == 1
    assert "hand" not in other.output
    assert cli(table.root, "check", "-i", str(keys["Ash"])).exit_code == 2


# A ruleset outside the package -------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with a copy of hazard under another name."""
    folder = tmp_path / "rulesets" / "dragons"
    shutil.copytree(ROOT / "tests/hazard", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / "__init__.py", folder / "RULES.md", *(folder / "cases").glob("*.yaml")):
        text = path.read_text(encoding="utf-8").replace("HZ-", "DR-").replace('prefix="HZ"', 'prefix="DR"')
        path.write_text(text.replace('slug="hazard"', 'slug="dragons"').replace("Hazard", "Dragons"), encoding="utf-8")
    return folder.parent


ONE_BY_ONE = """
import json, sys
from adjudicator.cli import main
if __name__ == "__main__":
    for words in json.loads(sys.argv[1]):
        main(words, standalone_mode=False)
"""


@pytest.mark.slow
def test_a_ruleset_is_added_played_and_published_with_only_its_folder(elsewhere: Path, tmp_path: Path) -> None:
    """Without a change to the package: COURTLY_RULESETS names the folder, and the command does the rest."""
    master = tmp_path / "master.txt"
    env = {**os.environ, ruleset.MORE: str(elsewhere), "COURTLY_MASTER_FILE": str(master), "COURTLY_MASTER": ""}
    root = tmp_path / "ours"
    root.mkdir()

    def courtly(*commands: tuple[str, ...]) -> str:
        """Run commands one after the other in a separate process; return their output."""
        command = [sys.executable, "-c", ONE_BY_ONE, json.dumps([["-C", str(root), *words] for words in commands])]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    before = {
        path: path.stat().st_mtime_ns for path in (ROOT / "adjudicator").rglob("*") if "__pycache__" not in str(path)
    }
    key_files = [("keygen", "-o", str(tmp_path / f"{seat}.txt")) for seat in hazard.SEATS]
    courtly(("keygen", "--master", "-o", str(master)), ("init", "--title", "Ours", "--from", ORIGIN), *key_files)
    keys = []
    for seat in hazard.SEATS:
        public = (tmp_path / f"{seat}.txt").read_text().splitlines()[0].removeprefix("# public key: ")
        keys += ["--key", f"{seat}={public}"]
    said = courtly(
        ("new", "lair", "--ruleset", "dragons", "--title", "The lair", "--set", "rounds=2", *keys),
        ("play", "lair", "--all", "--seed", "1", "--turns", "3"),
        ("verify",),
        ("doctor",),
        ("site",),
    )
    assert "Opened" in said
    assert "ended Round 2, cards" in said
    assert "2 turns judged again: the same bytes" in said
    assert "every rule" not in said
    assert "| score | 3 |" in courtly(("rehearse", "dragons", "--games", "3", "--jobs", "2"))
    assert "play" in json.loads(courtly(("schema", "sheet", "--ruleset", "dragons")))["properties"]
    book = (root / "public/rulesets/dragons.html").read_text(encoding="utf-8")
    assert 'id="dr-p-1"' in book
    assert "The highest card scores" in book
    assert "<code>rounds</code>" in book
    assert "<code>reserve</code>" in book
    assert "won by " in (root / "public/games/lair/index.html").read_text(encoding="utf-8")
    assert "<code>rounds</code>" in (root / "public/host.html").read_text(encoding="utf-8")
    after = {
        path: path.stat().st_mtime_ns for path in (ROOT / "adjudicator").rglob("*") if "__pycache__" not in str(path)
    }
    assert after == before


# The documentation -------------------------------------------------------------------------------------------------


def test_the_page_for_authors_has_every_member_of_every_group() -> None:
    text = (ROOT / "site_src/rulesets.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:`(\w+)`)? ?\| ?(?:`(\w+)`)? ?\|", text, re.MULTILINE)
    told: dict[str, set[str]] = {}
    group = ""
    for name, member in rows:
        group = name or group
        told.setdefault(group, set()).update({member} if member else ())
    parts: dict[str, Any] = {
        "types": Types, "rules": Rules, "words": Words, "pictures": Pictures, "tables": Tables, "secrecy": Secrecy, "desk": Desk,
        "stand_in": StandIn, "host_files": HostFiles, "decisions": Decisions, "exchange": Exchange, "ahead": Ahead,
    }  # fmt: skip
    assert {field.name for field in fields(Ruleset)} <= set(told)
    for name, kind in parts.items():
        assert told[name] == {field.name for field in fields(kind)}, name
    assert "tests/hazard" in text
    for law in laws.LAWS:
        assert f"| {law.__name__.replace('_', ' ')} |" in text


@pytest.mark.parametrize("slug", slugs())
def test_each_games_ruleset_record_fits_on_one_screen(slug: str) -> None:
    text = (find(slug).folder / "__init__.py").read_text(encoding="utf-8")
    assert text[text.index("RULESET: ") :].count("\n") <= 60


def test_every_setting_and_every_key_of_a_sheet_is_explained() -> None:
    """The tables and forms are made from the types, so a field without title and description would have no words there."""
    for slug in slugs():
        rules = find(slug)
        kinds = {"settings": rules.types.settings, **rules.types.sheets}
        for name, kind in kinds.items():
            for key, spec in schema(kind, "", "")["properties"].items():
                titled = spec.get("title", label_of(key)) != label_of(key)
                assert titled or spec.get("description") or key == "orders", (slug, name, key)
