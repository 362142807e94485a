"""Games as other programs save or print them (HO-7, H3-15): the same game in ten texts, each judged again without a difference.

The texts in `tests/data/elsewhere` were written by the published grammars of these programs from a game of this archive. Those of jDip end
after two years, because its files are long.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.resolution import PlayedGame
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.exchange import played_turns
from adjudicator.core.jobs.whole import whole_game, whole_schema
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.diplomacy.elsewhere.jdip_save import write_jdip
from adjudicator.rulesets.diplomacy.elsewhere.judge_report import write_reports
from adjudicator.rulesets.diplomacy.exchange import read_game, split_games
from adjudicator.rulesets.diplomacy.position import Position, Season, Settings
from adjudicator.rulesets.diplomacy.records import judge_orders
from tests.conftest import FUZZ, ROOT

FOLDER = ROOT / "tests/data/elsewhere"
TEXTS = {path.name.removesuffix(".gz"): gzip.decompress(path.read_bytes()) for path in sorted(FOLDER.glob("*.gz"))}
GAME = "six-left-standing"
TITLES = {
    "daide.txt": "Log of DAIDE", "diplomacygm.txt": "Reported game", "dpjudge.txt": GAME, "jdip-game.xml": "six", "jdip.xml": "six",
    "njudge.txt": "six", "realpolitik.dpy": GAME, "realpolitik.txt": GAME, "webdiplomacy-history.json": "webDiplomacy 123456",
    "webdiplomacy.json": "webDiplomacy 123456",
}  # fmt: skip


def played(source: bytes) -> PlayedGame[Position]:
    (piece,) = split_games(source)
    return read_game(piece, Settings())


def differences(game: PlayedGame[Position]) -> list[str]:
    return [*game.faults, *(line for turn in game.turns for line in turn.differences)]


def test_every_format_has_a_text() -> None:
    assert set(TEXTS) == set(TITLES)


@pytest.mark.parametrize("name", TEXTS)
def test_a_game_comes_out_as_in_the_archive_whatever_program_tells_it(name: str) -> None:
    game = played(TEXTS[name])
    assert differences(game) == []
    assert game.title == TITLES[name]
    archive = Archive(ROOT)
    ours = load_game(archive, GAME)
    turns = [load_turn(archive, ours, turn).data for turn in archive.turns(GAME)]
    told = {(turn.position.year, turn.position.season, turn.position.phase): turn for turn in game.turns}
    assert len(told) == len(game.turns) >= 9
    for data in turns[: len(game.turns)]:
        at = data.position
        turn = told[at.year, at.season, at.phase]
        assert (turn.position.units, turn.position.centres) == (at.units, at.centres), at
        assert turn.compared


@pytest.mark.parametrize("name", TEXTS)
def test_a_packed_text_is_read_too(name: str) -> None:
    assert differences(played(gzip.compress(TEXTS[name]))) == []


WRONG: dict[str, tuple[str, str, str]] = {
    "daide.txt": (r"\( \( GER AMY MUN \) MTO BUR \) \( BNC \)", "( ( GER AMY MUN ) MTO BUR ) ( SUC )", "S1901M: Germany: A MUN - BUR: the record says success, we say fails"),
    "diplomacygm.txt": (r"A Berlin - Kiel", "A Berlin - Kyiv", "the order 'A Berlin - Kyiv' cannot be read"),
    "dpjudge.txt": (r"Army Munich -> Burgundy\.  \(\*bounce\*\)", "Army Munich -> Burgundy.", "the record says success, we say fails"),
    "jdip-game.xml": (r'<bouncedOrderResult power="Turkey" category="FAILURE"( order="T\.0\.6")', r'<orderResult power="Turkey" category="SUCCESS"\1', ""),
    "jdip.xml": (r'class="dip\.order\.result\.BouncedResult"', 'class="dip.order.result.DislodgedResult"', "the record says dislodged, we say fails"),
    "njudge.txt": (r"Burgundy\. \(\*bounce\*\)", "Burgundy.", "S1901M: Germany: Army Munich -> Burgundy: the record says success, we say fails"),
    "realpolitik.dpy": (r"A Mun - Bur \(\*Fails\*\)", "A Mun - Bur", "the record says success, we say fails"),
    "realpolitik.txt": (r"A Munich - Burgundy \(\*Fails\*\)", "A Munich - Burgundy", "the record says success, we say fails"),
    "webdiplomacy-history.json": (r'("type": ?"Move", ?"toTerrID": ?48, ?"fromTerrID": ?null, ?"viaConvoy": ?false, ?"success": ?)false', r"\1true", "the record says success, we say fails"),
    "webdiplomacy.json": (r'("type":"Move","toTerrID":48,"fromTerrID":0,"viaConvoy":"No","success":)"No"', r'\1"Yes"', "the record says success, we say fails"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_one_wrong_result_is_one_difference(name: str) -> None:
    """The difference names its phase, whether our rules give another result or the board lacks a place."""
    pattern, new, message = WRONG[name]
    text = TEXTS[name].decode()
    changed = re.sub(pattern, new, text, count=1)
    if name == "jdip-game.xml":  # its closing tag too
        at = changed.index('category="SUCCESS" order="T.0.6"')
        changed = changed[:at] + changed[at:].replace("</bouncedOrderResult>", "</orderResult>", 1)
    assert changed != text
    found = differences(played(changed.encode()))
    # Without positions, a report that loses an order leads elsewhere from there on.
    assert len(found) in (1, 2) or name == "diplomacygm.txt", found
    assert any(message in line for line in found)


def test_a_rule_that_explains_the_record_is_named() -> None:
    """ST-7: results as another program prints them lead to the same answer as our own format."""
    report = """\
Movement results for Spring of 1901.  (x.001)

France: Army Marseilles HOLD.
France: Fleet Brest -> Gascony.

Movement results for Fall of 1901.  (x.002)

France: Army Marseilles HOLD.
France: Fleet Gascony -> Spain. (*void*)
"""
    game = played(report.encode())
    assert differences(game) == []
    assert game.remarks == (
        "F1901M: played by another rule: a fleet's move had to name its coast (DP-O-8, coasts: strict)",
    )
    # The game goes on from the position that this rule leads to: the fleet is still in Gascony.
    later = f"{report}\nMovement results for Spring of 1902.  (x.003)\n\nFrance: Fleet Gascony -> Brest.\n"
    assert differences(played(later.encode())) == []
    there = next(turn.position for turn in played(later.encode()).turns if turn.position.year == 1902)
    assert "F Gascony" in there.units["France"]


def test_a_phase_that_nobody_needed_may_be_missing() -> None:
    """The report leaves out a winter without orders."""
    report = """\
1901 Spring Moves
**Austria** (1/3)
__Submitted Orders:__
A Vienna - Galicia
__Missing Orders:__
A Budapest
F Trieste
1901 Fall Moves
**Austria** (1/3)
__Submitted Orders:__
A Galicia - Rumania
1902 Spring Moves
**Austria** (0/3)
"""
    game = played(report.encode())
    assert differences(game) == []
    assert [turn.position.phase.value for turn in game.turns][:3] == ["movement", "movement", "adjustments"]


REFUSED = {
    "entities": (b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><game creator="jDip"><turn/></game>', "the file declares entities or a document type"),
    "damaged": (b'<game creator="jDip"><turn></game>', "the XML is damaged"),
    "no phase": (b'<game creator="jDip"></game>', "there is no phase with orders in this file"),
    "another board": (b'{"gameID":1,"variantID":15,"phases":[{"turn":0,"phase":"Diplomacy","units":[],"orders":[],"terrID":1}]}', "webDiplomacy's board number 15"),
    "half a game": (b"Movement results for Spring of 1905. (x.009)\n\nAustria: Army Vienna HOLD.\n", "the report begins with S1905M"),
    "a web page": (b"<!doctype html><html></html>", "this looks like a web page"),
    "a number without end": (re.sub(rb'"turn": ?0', b'"turn":1e999', TEXTS["webdiplomacy-history.json"], count=1), "this is not a game as webDiplomacy gives it"),
    "no world": (b"<jsx>dip.world</jsx>", "this is not a game as jDip saves it"),
    "no place": (TEXTS["daide.txt"].replace(b"MTO BUR", b"MTO ( )", 1), "this message is not DAIDE"),
    "no such coast": (TEXTS["daide.txt"].replace(b"( GER AMY MUN ) MTO", b"( GER AMY (MUN XCS) ) MTO", 1), "this message is not DAIDE"),
    "a second game": (TEXTS["daide.txt"] * 2, "a second game begins here; import one game at a time"),
    "an unknown power": (TEXTS["daide.txt"].replace(b"( GER AMY MUN )", b"( XYZ AMY MUN )"), "'XYZ' is not a power on the board"),
    "anything": (b"Dear Anna, please find my orders below.", "this is in no form that is known here"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_said_in_words(name: str, tmp_path: Path) -> None:
    source, message = REFUSED[name]
    with pytest.raises(Problems, match=re.escape(message)):
        played(source)
    file = tmp_path / "game.txt"
    file.write_bytes(source)
    done = CliRunner().invoke(main, ["import", str(file), "--verify-only", "--jobs", "1"])
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Error(" not in done.stderr


@pytest.mark.parametrize("name", TEXTS)
def test_damage_never_shows_a_traceback(name: str) -> None:
    """Lines removed, doubled, cut and mixed up: a problem, or a game with differences."""
    lines = TEXTS[name].decode().splitlines()[:400]
    for seed in range(400 if FUZZ else 6):
        dice = random.Random(f"{name}{seed}")
        some = [line for line in lines if dice.random() > 0.02]
        for _ in range(5):
            at = dice.randrange(len(some))
            line = some[at]
            cut = dice.randrange(len(line) + 1)
            some[at] = dice.choice((line[:cut], line[cut:], line + line, line.upper(), line[::-1], json.dumps(line)))
        try:
            game = played("\n".join(some).encode())
        except Problems:
            continue
        assert isinstance(differences(game), list)


@pytest.mark.parametrize("name", TEXTS)
def test_a_mark_of_byte_order_is_no_fault(name: str) -> None:
    assert differences(played(b"\xef\xbb\xbf" + TEXTS[name])) == []


def test_a_line_separator_inside_a_name_does_not_cut_it() -> None:
    text = TEXTS["webdiplomacy-history.json"].replace(b"{", '{"x":"a\u2028b",'.encode(), 1)
    assert differences(played(text)) == []


HEADING = "Movement results for Spring of 1901.  (x.001)\n\n"
ODD = {
    "a result without an order": ("Austria: (*bounce*)\n(*bounce*)\n", []),
    "a result before the first order": ("Austria:\n(*bounce*)\nArmy Vienna HOLD.\n", []),
    "many blanks": (f"Austria: Army Vienna{' ' * 100_000}HOLD.\n", ["S1901M: Austria: the order 'Army Vienna' cannot be read: no order after the unit"]),
    "many arrows": (f"Austria: Army Vienna{' ->' * 30_000}\n", ["S1901M: Austria: the order 'Army Vienna -  via convoy' cannot be read: no place is called 'via'"]),
    "a power of another board": ("Austria: Army Vienna HOLD.\nUtopia: Army Vienna HOLD.\n", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_lines_of_a_report_are_faults_at_most(name: str) -> None:
    lines, wanted = ODD[name]
    found = differences(played(f"{HEADING}{lines}".encode()))
    assert found == wanted if wanted is not None else found


def test_the_later_report_of_a_phase_counts() -> None:
    text = TEXTS["njudge.txt"].decode()
    spring = text[: text.index("Movement results for Fall of 1901")]
    wrong = spring.replace("Burgundy. (*bounce*)", "Burgundy.")
    assert wrong != spring
    assert differences(played((wrong + text).encode())) == []
    assert played((wrong + text).encode()).turns == played(text.encode()).turns


def test_a_report_shows_owners_after_the_last_phase_of_fall_only() -> None:
    """After the moves if nobody retreats, otherwise after the retreats; DP-W-1."""
    archive = Archive(ROOT)
    report = write_reports(GAME, played_turns(archive, load_game(archive, GAME))).decode()
    at = [load_turn(archive, load_game(archive, GAME), name).data.position for name in archive.turns(GAME)]
    after = {
        one.year: {power: centres for power, centres in then.centres.items() if centres}
        for one, then in pairwise(at)
        if one.season is Season.FALL and then.season is not Season.FALL
    }
    shown = {}
    for part in re.split(r"^(?=\w+ (?:results|orders) for )", report, flags=re.MULTILINE):
        before, said, owners = part.partition("Ownership of supply centers:")
        if said:
            year = int(re.findall(r"for Fall of (\d+)", before)[0])
            assert year not in shown
            found = re.findall(r"^(\w+): (.*)\.$", owners, re.MULTILINE)
            shown[year] = {power: tuple(some.split(", ")) for power, some in found}
    assert shown == after
    assert len(shown) > 5


def test_a_void_convoy_by_an_army_is_no_step_of_a_route() -> None:
    archive = Archive(ROOT)
    at = load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[0]).data.position
    orders = ["A Berlin C A Munich - Kiel", "A Munich - Kiel via convoy"]
    _, done = judge_orders(at, {"Germany": orders})
    assert {verdict.result for verdict in done.verdicts if " C " in verdict.order or "convoys" in verdict.order} == {
        "illegal"
    }
    text = write_reports("void", [(at, {}, done)]).decode()
    assert "Germany: Army Munich -> Kiel." in text


@pytest.mark.parametrize("name", ["njudge.txt", "webdiplomacy-history.json"])
def test_an_imported_game_is_written_and_verifies(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / name
    file.write_bytes(TEXTS[name])
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    done = runner.invoke(main, ["import", str(file), "--here", "--as", "old", "--opened", "2002-01-20", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert runner.invoke(main, ["verify", "old"]).exit_code == 0


# Export -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_reports, write_jdip])
@pytest.mark.parametrize("slug", ["austria-alone", "france-by-one", GAME])
def test_what_is_exported_comes_back_the_same(slug: str, write: Callable[..., bytes]) -> None:
    """Every order, result and position of the archived games of Diplomacy survives the way there and back."""
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    back = played(write(slug, played_turns(archive, game)))
    assert differences(back) == []
    turns = [load_turn(archive, game, name).data for name in archive.turns(slug)]
    judged = [data.position for data in turns if data.status == "resolved"]
    house = Settings()
    assert [replace(turn.position, settings=house) for turn in back.turns] == [
        replace(at, settings=house) for at in judged
    ]
    assert back.title == slug


@pytest.mark.parametrize("slug", ["austria-alone", GAME])
def test_a_saved_game_has_only_what_jdip_saves(slug: str) -> None:
    """Element by element, with its attributes and the element that it is in: compared with a game that jDip 1.6.8 saved."""

    def shape(text: bytes) -> set[tuple[str, ...]]:
        root = ET.fromstring(text)
        found = {(root.tag, *root.attrib)}
        for parent in root.iter():
            for child in parent:
                found.update((parent.tag, child.tag, key) for key in child.attrib or ("",))
        return found

    archive = Archive(ROOT)
    saved = write_jdip(slug, played_turns(archive, load_game(archive, slug)))
    assert shape(saved) <= shape(TEXTS["jdip-game.xml"])
    turns = [*ET.fromstring(saved).iter("turn")]
    assert len(turns) == len(archive.turns(slug))
    assert {turn.get("phase") for turn in turns} <= {"Movement", "Retreat", "Adjustment"}
    orders = [order.get("id") for order in ET.fromstring(saved).iter("order")]
    assert len(orders) == len({*orders}) > 100


def test_an_order_that_failed_or_was_dislodged_says_so_in_a_saved_game() -> None:
    archive = Archive(ROOT)
    at = load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[0]).data.position
    _, done = judge_orders(at, {"Germany": ["A Berlin - Kiel", "A Munich - Kiel", "F Kiel - Spain"]})
    root = ET.fromstring(write_jdip("one", [(at, {}, done)]))
    text = {order.get("id"): order.get("text") for order in root.iter("order")}
    said = {(text[one.get("order")], one.tag, one.get("category")) for one in root.find(".//results") or ()}
    assert {one for one in said if str(one[0]).startswith("Germany")} == {
        ("Germany: A ber-kie", "bouncedOrderResult", "FAILURE"),
        ("Germany: A mun-kie", "bouncedOrderResult", "FAILURE"),
        ("Germany: F kie-spa", "orderResult", "VALIDATION_FAILURE"),
    }


@pytest.mark.parametrize("slug", Archive(ROOT).slugs())
def test_a_whole_game_of_any_ruleset_fits_its_schema(slug: str) -> None:
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    data = json.loads(whole_game(archive, game))
    validator = jsonschema.Draft202012Validator(whole_schema(game.ruleset.about.slug))
    assert [error.message for error in validator.iter_errors(data)] == []
    assert [turn["turn"]["turn"] for turn in data["turns"]] == archive.turns(slug)
    assert (data["ending"] is None) is not archive.has_ended(slug)
    sent = [turn["turn"].get("sheets") or {} for turn in data["turns"]]
    assert [set(turn["sheets"]) for turn in data["turns"]] == [set(sheets) for sheets in sent]


def test_export_says_which_forms_there_are() -> None:
    runner = CliRunner()
    wrong = runner.invoke(main, ["export", GAME, "--form", "jugde"])
    assert wrong.exit_code == 1
    assert "did you mean 'judge'?" in wrong.stderr
    only = runner.invoke(main, ["export", "nine-courts", "--form", "judge"])
    assert "games of Saga of the Nine are not written as 'judge'; forms: json" in only.stderr
    assert json.loads(runner.invoke(main, ["export", "nine-courts"]).stdout)["schema"] == 1
