"""The host's rulings: their effects, how they are kept and verified; and none is ever half applied."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import shutil
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import KINDS, HiddenCorrection, hide, load_rulings, sentence_of
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.intake import Place, examine_file
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.seal import open_file, seal_rulings
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.jobs.voids import void_effects, void_of_nothing
from adjudicator.core.secrets.age import decrypt, new_identity, recipient_of
from adjudicator.core.secrets.envelope import open_own
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.aside import news_alone
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.files import map_text, secret_file
from adjudicator.core.turn.load import load_all, load_ending, load_game, load_turn
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests import hazard
from tests.core.test_deadlines import FIRST, JUDGED, MASTER, SEATS, STROKE, Play, both, missing
from tests.core.test_secrets import Table as Cards

pytestmark = pytest.mark.usefixtures("with_hazard")

EARLY, NOON = "2026-11-20T06:00Z", "2026-11-20T12:00Z"
WHERE = f"games/game/{FIRST}/ruling.yaml"


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    """Make games, and verify each of them at the end of the test."""
    made: list[Play] = []

    def make(**options: Any) -> Play:
        made.append(Play(tmp_path / f"archive-{len(made)}", **options))
        return made[-1]

    yield make
    for game in made:
        game.check()


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted((root / "games").rglob("*")) if path.is_file()
    }


def faults(root: Path, game: str = "game") -> list[str]:
    return [str(fault) for fault in verify_game(Archive(root), game).problems]


def refusal(game: Play, at: str = NOON) -> list[str]:
    """Message of a run that stops. It writes nothing, and checking the archive gives the same message beforehand."""
    before = files(game.root)
    looked = [str(fault) for fault in check_archive(game.archive) if fault.level == "error"]
    with pytest.raises(Problems) as caught:
        game.run(at)
    assert files(game.root) == before
    assert looked == [str(fault) for fault in caught.value.problems]
    return looked


# Effects of each ruling -------------------------------------------------------------------------------------------


def seen(data: TurnData) -> dict[str, Any]:
    """Parts of a turn that rulings can change, without those that are still as they opened."""
    units = dict(data.position.units)
    plain = {
        "status": data.status,
        "deadline": data.deadline,
        "paused": data.paused,
        "owing": data.owing,
        "victory": data.position.settings.victory,
        "Austria": units["Austria"],
        "players": {seat: (player.player, player.account) for seat, player in (data.players or {}).items()},
    }
    opened = {
        "status": "open", "deadline": STROKE, "paused": False, "owing": SEATS, "victory": None,
        "Austria": ("A Budapest", "A Vienna", "F Trieste"), "players": {},
    }  # fmt: skip
    return {key: value for key, value in plain.items() if value != opened[key]}


EFFECTS: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "extend": (
        {"extend": "2026-11-25T20:00+02:00"},
        'extend: "2026-11-25T20:00+02:00"',
        "The deadline is 2026-11-25T20:00+02:00.",
        {"deadline": "2026-11-25T18:00Z"},
    ),
    "pause": ({"pause": True}, "pause: true", "The game is paused.", {"paused": True}),
    "resume": (
        {"resume": "2026-12-01T00:00Z"},
        'resume: "2026-12-01T00:00Z"',
        "The game goes on; the deadline is 2026-12-01T00:00Z.",
        {"deadline": "2026-12-01T00:00Z"},
    ),
    "proceed": ({"proceed": True}, "proceed: true", "The turn no longer waits for missing sheets.", {}),
    "correct": (
        {"correct": {"units.Austria": [], "settings.victory": 20}},
        "correct: {units.Austria: [], settings.victory: 20}",
        "The position is corrected: units.Austria, settings.victory.",
        {"Austria": (), "victory": 20, "owing": tuple(seat for seat in SEATS if seat != "Austria")},
    ),
    "void a sheet": (
        {"void": {"seat": "Italy"}}, "void: {seat: Italy}", "The sheet of Italy is void.", {},
    ),
    "void an order": (
        {"void": {"seat": "Italy", "order": "A Venice - Trieste"}},
        "void: {seat: Italy, order: A Venice - Trieste}",
        "The order “A Venice - Trieste” of Italy is void.",
        {},
    ),
    "replace": (
        {"replace": {"seat": "Italy", "player": "Ida", "account": 777}},
        "replace: {seat: Italy, player: Ida, account: 777}",
        "Ida plays Italy from here on.",
        {"players": {"Italy": ("Ida", 777)}},
    ),
    "absent": (
        {"absent": "Italy"},
        "absent: Italy",
        "Italy is in civil disorder: no turn waits for it until it sends a sheet or gets a new player.",
        {"owing": tuple(seat for seat in SEATS if seat != "Italy")},
    ),
    "ask": (
        {"ask": {"question": "A week more?", "answers": ["yes", "no"]}},
        'ask: {question: "A week more?", answers: ["yes", "no"]}',
        "Everybody is asked: “A week more?” The answers are yes and no.",
        {},
    ),
    "end": (
        {"end": {"how": "called off", "winners": ["France", "Italy"]}},
        "end: {how: called off, winners: [France, Italy]}",
        "The game ends: called off, France, Italy.",
        {"status": "resolved", "owing": ()},
    ),
    "end without winners": (
        {"end": {"how": "called off"}},
        "end: {how: called off}",
        "The game ends: called off.",
        {"status": "resolved", "owing": ()},
    ),
}  # fmt: skip


def test_every_kind_of_ruling_has_a_test() -> None:
    elsewhere = {
        "decide",
        "hidden",
        "undo",
    }  # tested in test_contract (rulesets that leave something to the host), below, and in test_undo
    assert {next(iter(decision)) for decision, *_ in EFFECTS.values()} == set(KINDS) - elsewhere


@pytest.mark.slow
@both
@pytest.mark.parametrize("name", EFFECTS)
def test_a_ruling_is_kept_with_its_reason_and_has_its_effect(
    play: Callable[..., Play], sealed: bool, name: str
) -> None:
    decision, line, sentence, effect = EFFECTS[name]
    game = play(sealed=sealed)
    if name.startswith("void"):
        game.sheet("Italy", "A Venice - Trieste")
    assert seen(game.turn().data) == {}
    game.rule({"reason": "It’s: so, “fair” – #1", **decision})
    steps = game.run(NOON)
    assert steps == ["ruled 001"] + (["resolved 001", "ended 001", "put away 001"] if "end" in decision else [])
    turn = game.turn(1)
    kept = f'\nrulings:\n- {{reason: "It’s: so, “fair” – #1", {line}}}\n'
    assert kept in turn.source.decode()
    assert seen(turn.data) == effect
    (ruling,) = turn.data.rulings
    assert (ruling.kind, ruling.reason, sentence_of(turn.game, ruling)) == (
        name.partition(" ")[0],
        "It’s: so, “fair” – #1",
        sentence,
    )
    if game.archive.has_ended("game"):
        return
    after = game.run("2026-12-24T00:00Z")
    assert after == ([] if name == "pause" else JUDGED)
    if after:
        assert kept in game.turn(1).source.decode(), "and stays when the turn is judged"
        assert game.turn(2).data.rulings == ()


@both
def test_rulings_are_applied_in_order(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    first: list[dict[str, Any]] = [
        {"reason": "1", "extend": "2026-12-01T00:00Z"},
        {"reason": "2", "pause": True},
        {"reason": "3", "replace": {"seat": "Italy", "player": "Ida", "account": 777}},
        {"reason": "4", "correct": {"settings.victory": 20, "units.Austria": ["A Vienna"]}},
        {"reason": "5", "correct": {"units.Austria": ["A Tyrolia"], "units.Italy": ["A Vienna"]}},
        {"reason": "6", "replace": {"seat": "Italy", "player": "Ugo"}},
        {"reason": "7", "resume": "2026-11-30T00:00Z"},
    ]
    later: list[dict[str, Any]] = [{"reason": "8", "resume": "2026-11-29T00:00Z"}, {"reason": "9", "pause": True}]
    game.rule(*first)
    assert game.run(EARLY) == ["ruled 001"], "in one step"
    assert seen(game.turn().data) == {
        "deadline": "2026-11-30T00:00Z",
        "victory": 20,
        "Austria": ("A Tyrolia",),
        "players": {"Italy": ("Ugo", None)},
    }
    assert game.turn().data.position.units["Italy"] == ("A Vienna",)
    game.rule(*later)
    assert game.run(NOON) == ["ruled 001"]
    assert [ruling.reason for ruling in game.turn().data.rulings] == list("123456789")
    assert (game.turn().data.deadline, game.turn().data.paused) == ("2026-11-29T00:00Z", True)
    assert game.run(NOON) == []


@pytest.mark.slow
def test_rulings_have_the_same_result_one_by_one_and_together(play: Callable[..., Play]) -> None:
    rulings: list[dict[str, Any]] = [{"reason": "So.", **decision} for decision, *_ in list(EFFECTS.values())[:-2]]
    together, apart = play(), play()
    for game in (together, apart):
        game.sheet("Italy", "A Venice - Trieste")
    together.rule(*rulings)
    assert together.run(NOON) == ["ruled 001"]
    for ruling in rulings:
        apart.rule(ruling)
        assert apart.run(NOON) == ["ruled 001"]
    assert apart.turn().source == together.turn().source


# Refusals ---------------------------------------------------------------------------------------------------------

FAULTY = """\
rulings:
- {reason: two at once, pause: true, proceed: true}
- {reason: none at all}
- {reason: not that, pause: false}
- reason: "  "
  extend: soon
- reason: ""
  pause: true
  resume: 2026-12-01
- {reason: who, void: {seat: Itlay}}
- {reason: who, replace: {seat: Italia, player: Ida}}
- {reason: who, end: {how: draw, winners: [France, Nobody]}}
- reason: which key
  replace:
    seat: Italy
    player: Ida
    key: age1nonsense
- {reason: of what, correct: {}}
"""
ONE_THING = "a ruling must decide exactly one thing; give one of: " + ", ".join(KINDS)
AGE_KEY = "use an age key (age1...) or an SSH key"


def test_every_fault_in_a_file_is_reported_at_once_with_its_line(play: Callable[..., Play]) -> None:
    game = play()
    path = game.rule()
    path.write_text(FAULTY)
    assert refusal(game) == [
        f"{WHERE}:2:3: {ONE_THING}",
        f"{WHERE}:3:3: {ONE_THING}",
        f"{WHERE}:4:3: {ONE_THING}",
        f"{WHERE}:5:12: the reason is empty; say why",
        f"{WHERE}:6:11: 'soon' is not a time; write it like 2026-12-01T18:00Z",
        f"{WHERE}:7:3: {ONE_THING}",
        f"{WHERE}:7:12: the reason is empty; say why",
        f"{WHERE}:9:11: '2026-12-01' is not a time; write it like 2026-12-01T18:00Z",
        f"{WHERE}:10:17: no seat is called 'Itlay'; did you mean 'Italy'?",
        f"{WHERE}:11:17: no seat is called 'Italia'; did you mean 'Italy'?",
        f"{WHERE}:12:17: no seat is called 'Nobody'; seats: " + ", ".join(SEATS),
        f"{WHERE}:17:10: 'age1nonsense' is not a key that can be sealed to; {AGE_KEY}",
        f"{WHERE}:18:3: {ONE_THING}",
    ]
    path.unlink()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("rulings: [{reason: x, paws: true}]", ["1:29: unknown key 'paws'; did you mean 'pause'?"]),
        ("rulings: [{pause: true}]", ["1:11: 'reason' is missing; add it"]),
        ("rulings: [{reason: x, pause: 1}]", ["1:30: rulings.0.pause is 1; write true or false"]),
        (
            "rulings: [{reason: x, void: {order: A Venice H}}, {reason: x, replace: {seat: Italy, account: one}}]",
            [
                "1:23: 'seat' is missing; add it",
                "1:63: 'player' is missing; add it",
                "1:95: rulings.1.replace.account is 'one'; write a whole number",
            ],
        ),
        ("rulings:", ["1:1: rulings is empty; write each entry on its own line below it, beginning with `- `"]),
        ("ruling: []", ["1:1: unknown key 'ruling'; did you mean 'rulings'?"]),
        ("- reason: x", ["1:1: the file is a list; write keys with their values: `rulings:`"]),
        (
            "rulings:\n- {reason: x, extend: 2026-12-01T18:00Z}",
            ["2:23: not YAML: a colon in a text between brackets; put the text in quotes"],
        ),
        ("rulings: [\n", ["2:1: not YAML: a bracket before this is not closed, or a comma is missing in it; close it"]),
    ],
)  # fmt: skip
def test_anything_but_a_list_of_rulings_is_refused_with_its_line(
    play: Callable[..., Play], text: str, faults: list[str]
) -> None:
    game = play()
    path = game.rule()
    path.write_text(text)
    assert refusal(game) == [f"{WHERE}:{fault}" for fault in faults]
    path.unlink()


BAD_CORRECTIONS = """\
rulings:
- {reason: fine, correct: {contested: [Trieste]}}
- reason: not fine
  correct:
    untis.Austria: [A Vienna]
    year.month: 3
    units.Austria: [A Vienna]
    units.Austria.first: A Vienna
    "": 1
"""
NONSENSE = {
    "units.Austria: [A Nowhere]": "'A Nowhere' is not a unit that this board can have",
    "units.Austria: [A VIE]": "'A VIE' is not a unit that this board can have; write A Vienna",
    "units.Austria: [F Spain]": "'F Spain' is not a unit that this board can have; write F Spain/NC or F Spain/SC",
    "units.Austria: [F Vienna]": "'F Vienna' is not a unit that this board can have; a fleet does not go inland",
    "units.Austria: [A Paris]": "two units are in Paris; a province holds only one unit",
    "units.Atlantis: [A Vienna]": "'Atlantis' is not a power on this board",
    "units.Austria: A Vienna": "units.Austria is 'A Vienna'; write each entry on its own line below it, beginning with `- `",
    "season: Sommer": "season is 'Sommer'; allowed: 'Spring', 'Fall' or 'Winter'",
    "year: soon": "year is 'soon'; write a whole number",
    "settings.board: moon": "no board is called 'moon'; boards: fleet_rome, nine_worlds, standard, taifas, taifas_generals, two_rivers",
    "untis: {}": "unknown key 'untis'; did you mean 'units'?",
    "dislodged: [{power: Austria, unit: A Nowhere}]": "'A Nowhere' is not a unit that this board can have",
}


def test_corrections_of_missing_parts_are_reported_at_once_with_their_lines(play: Callable[..., Play]) -> None:
    game = play()
    path = game.rule()
    path.write_text(BAD_CORRECTIONS)
    no_part, name = "the position has no part", "name a key of the position in turn.yaml"
    assert refusal(game) == [
        f"{WHERE}:5:5: {no_part} 'untis.Austria'; did you mean 'units'?",
        f"{WHERE}:6:17: {no_part} 'year.month'; {name}",
        f"{WHERE}:8:26: {no_part} 'units.Austria.first'; {name}",
    ]
    path.unlink()


@pytest.mark.parametrize("correction", NONSENSE)
def test_a_correction_that_makes_nonsense_is_refused_with_its_line(play: Callable[..., Play], correction: str) -> None:
    game = play()
    path = game.rule()
    key, _, value = correction.partition(": ")
    path.write_text(f"rulings:\n- reason: x\n  correct:\n    {key}: {value}\n")
    (line,) = refusal(game)
    assert re.fullmatch(re.escape(f"{WHERE}:") + "[34]:[0-9]+: " + re.escape(NONSENSE[correction]) + "(;.*)?", line)
    path.unlink()


def test_rulings_that_come_in_are_read_once(play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch) -> None:
    """HS-14: intake reads them, and hands them on."""
    game = play()
    body = b'rulings:\n- reason: We meet on Sunday.\n  extend: "2026-12-24T18:00Z"\n'
    place = Place(path=WHERE, turn=game.turn(), file=None)
    calls: list[object] = []

    def counted(*given: Any) -> Any:
        calls.append(given)
        return load_rulings(*given)

    for module in ("intake", "coming"):
        name = f"adjudicator.core.jobs.{module}.load_rulings"
        monkeypatch.setattr(name, counted)
    assert examine_file(game.archive, place, body).body == body
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("make", "right"),
    [
        (lambda path: path.symlink_to("turn.yaml"), "this is a link; put the file itself here"),
        (lambda path: path.symlink_to("nowhere"), "this is a link; put the file itself here"),
        (lambda path: path.mkdir(), "this is not a file"),
        (lambda path: path.write_text("#" * 70000), "the file has 70000 bytes; at most 65536 are allowed"),
        (lambda path: path.write_bytes(b"\xff"), ":1: the file is not UTF-8 text; save it as UTF-8"),
    ],
    ids=["link", "dead link", "folder", "too large", "not text"],
)
def test_an_unreadable_ruling_file_stops_the_game(
    play: Callable[..., Play], make: Callable[[Path], None], right: str
) -> None:
    game = play()
    path = game.turn().folder / "ruling.yaml"
    make(path)
    assert refusal(game) == [WHERE + (right if right.startswith(":") else f": {right}")]
    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.parametrize("text", ["", "rulings: []\n", "# nothing yet\n", "{}\n"])
def test_a_file_without_rulings_rules_nothing(play: Callable[..., Play], text: str) -> None:
    game = play()
    game.rule().write_text(text)
    assert check_archive(game.archive) == []
    assert game.run(NOON) == []


# Applied rulings are final ----------------------------------------------------------------------------------------

TWO = 'rulings:\n- {reason: first, extend: "2026-12-01T00:00Z"}\n- {reason: second, void: {seat: Italy}}\n'
TAMPERED = {
    "another reason": TWO.replace("first", "other"),
    "another time": TWO.replace("12-01", "12-02"),
    "another seat": TWO.replace("Italy", "France"),
    "one removed": "\n".join(TWO.split("\n")[:2]),
    "all removed": "rulings: []\n",
    "the file removed": "",
    "in another order": "rulings:\n" + "\n".join(TWO.split("\n")[:0:-1]),
    "one put before": TWO.replace("rulings:\n", "rulings:\n- {reason: new, pause: true}\n"),
}
CHANGED = f"{WHERE}: a ruling was changed or removed after it had been applied; "


@pytest.mark.slow
@pytest.mark.parametrize("how", TAMPERED)
def test_an_applied_ruling_can_be_neither_changed_nor_removed(play: Callable[..., Play], how: str) -> None:
    game = play()
    game.sheets()
    path = game.rule()
    path.write_text(TWO)
    assert game.run(EARLY) == ["ruled 001"]
    path.write_text(TAMPERED[how])
    if not TAMPERED[how]:
        path.unlink()
    assert refusal(game) == [CHANGED + "restore it, and add another ruling"]
    assert faults(game.root) == [CHANGED + "restore the file from the history"]
    path.write_text(TWO + '- {reason: third, resume: "2026-11-21T00:00Z"}\n')
    assert game.run(NOON) == ["ruled 001"], "restored, the game goes on"
    assert game.run("2026-11-21T00:00Z") == JUDGED


@pytest.mark.slow
@pytest.mark.parametrize("how", TAMPERED)
def test_a_ruling_changed_after_its_turn_was_judged_is_noticed(play: Callable[..., Play], how: str) -> None:
    game = play()
    path = game.rule()
    path.write_text(TWO)
    game.sheets(final=True)
    assert game.run(EARLY) == ["ruled 001", *JUDGED]
    path.write_text(TAMPERED[how])
    if not TAMPERED[how]:
        path.unlink()
    assert faults(game.root) == [CHANGED + "restore the file from the history"]
    path.write_text(TWO)


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", TWO])
def test_a_ruling_added_after_its_turn_was_judged_is_noticed_and_changes_nothing(
    play: Callable[..., Play], before: str
) -> None:
    game = play()
    path = game.rule()
    path.write_text(before or "rulings: []\n")
    game.sheets(final=True)
    game.run(EARLY)
    path.write_text((before or "rulings:\n") + "- {reason: late, void: {seat: France}}\n")
    assert game.run(NOON) == []
    assert faults(game.root) == [
        f"{WHERE}: a ruling was added after the turn was judged; restore the file from the history"
    ]
    path.write_text(before or "rulings: []\n")


def test_rewording_the_file_around_applied_rulings_is_allowed(play: Callable[..., Play]) -> None:
    game = play()
    game.sheet("Italy")
    path = game.rule()
    path.write_text(TWO)
    game.run(EARLY)
    block = "- extend: 2026-12-01T00:00Z\n  reason: >-\n    first\n"
    path.write_text("# The host explains.\n" + TWO.replace(TWO.split("\n")[1] + "\n", block))
    assert game.run(NOON) == []


# Rulings that give no time, and rulings that would make another turn -------------------------------------------------


@pytest.mark.parametrize(
    ("time", "meant"),
    [
        (STROKE, ""),
        ("2026-11-21T12:00Z", ""),
        ("2026-11-22T01:00+01:00", ""),
        ("2025-12-05T18:00Z", "did you mean 2026-12-05T18:00Z? "),
        ("2026-01-05T18:00Z", "did you mean 2027-01-05T18:00Z? "),
    ],
)
def test_extend_must_give_more_time_and_otherwise_the_message_suggests_the_intended_time(
    play: Callable[..., Play], time: str, meant: str
) -> None:
    """FH-6. With a mistyped year the turn was judged at once, without sheets."""
    game = play()
    path = game.rule({"reason": "A holiday.", "extend": time})
    assert refusal(game) == [
        (
            f"{WHERE}:2:33: {time} gives no more time: the deadline is {STROKE}; {meant}give a later time; "
            "`resume: TIME` brings a deadline forward"
        )
    ]
    path.unlink()


def test_a_ruling_with_a_past_deadline_gets_a_remark_before_it_is_sent(play: Callable[..., Play]) -> None:
    """FH-6. A host who runs by hand may have given it in time, so the run takes it."""
    game = play(missing="host")
    for kind in ("extend", "resume"):
        path = game.rule({"reason": "So.", kind: "2026-11-24T00:00Z"})
        at = {time: [str(fault) for fault in check_archive(game.archive, time)] for time in (NOON, "2026-11-25T00:00Z")}
        assert at == {
            NOON: [],
            "2026-11-25T00:00Z": [
                (
                    f"{WHERE}:2:26: at 2026-11-25T00:00Z, 2026-11-24T00:00Z is already past, so nobody gets "
                    "more time; if you want to give more, write a time in the future"
                )
            ],
        }
        path.unlink()
    game.rule({"reason": "So.", "extend": "2026-11-24T00:00Z"})
    assert game.run("2026-11-25T00:00Z") == ["ruled 001"]


@pytest.mark.parametrize(
    ("correction", "would"),
    [
        ({"season": "Fall"}, "Fall 1901, movement"),
        ({"year": 1902}, "Spring 1902, movement"),
        ({"phase": "adjustments", "season": "Winter"}, "Winter 1901, adjustments"),
    ],
)
def test_a_correction_cannot_turn_this_turn_into_another(
    play: Callable[..., Play], correction: dict[str, Any], would: str
) -> None:
    """FH-6. Afterwards the folder named one turn, and the position another."""
    game = play()
    path = game.rule({"reason": "So.", "correct": correction})
    assert refusal(game) == [
        (
            f"{WHERE}:2:17: this turn is Spring 1901, movement, but the ruling would make it {would}; "
            "correct only the position on the board: a ruling cannot change which turn this is"
        )
    ]
    path.unlink()


ALL_AT_ONCE = """\
rulings:
- {reason: fine, void: {seat: Italy}}
- {reason: x, extend: soon}
- {reason: x, void: {seat: Austria}}
- {reason: x, paws: true}
- {reason: "", pause: true}
- reason: x
  extend: 2026-11-21T00:00Z
- {reason: x, correct: {untis.Austria: [A Vienna]}}
- {reason: x, correct: {year: 1902}}
"""


def test_all_faults_in_rulings_are_reported_in_one_round(play: Callable[..., Play]) -> None:
    """FH-16. Faults that need no position came first, and the others only after those were corrected."""
    game = play()
    game.sheet("Italy")
    path = game.rule()
    path.write_text(ALL_AT_ONCE)
    faults = [line.removeprefix(f"{WHERE}:") for line in refusal(game)]
    assert [line.partition(";")[0] for line in faults] == [
        "3:23: 'soon' is not a time",
        "4:28: Austria has sent no sheet for this turn",
        "5:21: unknown key 'paws'",
        "6:13: the reason is empty",
        "8:11: 2026-11-21T00:00Z gives no more time: the deadline is 2026-11-22T00:00Z",
        "9:25: the position has no part 'untis.Austria'",
        "10:15: this turn is Spring 1901, movement, but the ruling would make it Spring 1902, movement",
    ]
    path.unlink()


# Corrections ------------------------------------------------------------------------------------------------------


@both
def test_a_correction_is_seen_before_the_deadline_and_the_next_turn_follows_from_it(
    play: Callable[..., Play], sealed: bool
) -> None:
    game = play(sealed=sealed)
    before = (game.turn().folder / "map.svg").read_bytes()
    game.rule({"reason": "The box was packed wrongly.", "correct": {"units.Austria": ["A Serbia", "F Greece"]}})
    assert game.run(EARLY) == ["ruled 001"]
    turn = game.turn()
    assert turn.data.position.units["Austria"] == ("A Serbia", "F Greece")
    assert b"    Austria: [A Serbia, F Greece]\n" in turn.source
    drawn = (turn.folder / "map.svg").read_bytes()
    assert drawn == map_text(turn.game, turn.data) != before
    assert b"A Serbia" in drawn
    assert b"A Serbia" not in before
    game.sheet("Austria", "A Serbia - Bulgaria", "F Greece H", final=True)
    game.sheets("Austria", final=True)
    assert game.run(NOON) == JUDGED
    assert game.turn(2).data.position.units["Austria"] == ("A Bulgaria", "F Greece")


def test_a_correction_changes_who_is_waited_for(play: Callable[..., Play]) -> None:
    game = play()
    game.rule({"reason": "They had fallen.", "correct": {"units.Austria": [], "units.Italy": []}})
    assert game.run(EARLY) == ["ruled 001"]
    assert game.turn().data.owing == ("England", "France", "Germany", "Russia", "Turkey")
    game.sheets(final=True)
    assert game.run(NOON) == JUDGED
    assert missing(game.turn(1)) == []


def test_a_changed_position_that_no_ruling_corrected_is_not_judged(play: Callable[..., Play]) -> None:
    game = play()
    game.rule({"reason": "So.", "correct": {"units.Austria": ["A Serbia"]}})
    game.run(EARLY)
    path = game.turn().folder / "turn.yaml"
    kept = path.read_text()
    path.write_text(kept.replace("    Austria: [A Serbia]", "    Austria: [A Serbia, A Vienna]"))
    game.sheets(final=True)
    with pytest.raises(Problems, match="the position is not the one that the game began with"):
        game.run(NOON)
    path.write_text(kept)


# Void -------------------------------------------------------------------------------------------------------------


@both
def test_a_void_order_does_not_count_but_the_others_on_its_sheet_do(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    path = game.sheet("Italy", "A Venice - Trieste", "A Rome - Apulia", final=True)
    game.sheet("Austria", "A Venice - Trieste", "F Trieste - Albania", final=True)
    game.sheets("Italy", "Austria", final=True)
    game.rule({"reason": "Sent by mistake.", "void": {"seat": "Italy", "order": "A Venice - Trieste"}})
    assert game.run(NOON) == ["ruled 001", *JUDGED]
    turn = game.turn(1)
    orders = {(v.seat, v.order): v.result for v in turn.data.verdicts if v.seat in ("Austria", "Italy")}
    assert orders == {
        ("Austria", "A Venice - Trieste"): "illegal",
        ("Austria", "F Trieste - Albania"): "succeeds",
        ("Austria", "A Budapest H"): "stands",
        ("Austria", "A Vienna H"): "stands",
        ("Italy", "A Rome - Apulia"): "succeeds",
        ("Italy", "A Venice H"): "stands",
        ("Italy", "F Naples H"): "stands",
    }
    assert turn.data.sheets is not None
    assert turn.data.sheets["Italy"] == hashlib.sha256(path.read_bytes()).hexdigest(), "the file is kept and told"


@both
def test_a_void_sheet_does_not_count_and_nobody_waits_for_another(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed, missing="civil_disorder")
    path = game.sheet("Italy", "A Venice - Trieste", draw=True, final=True)
    game.sheets("Italy", draw=True, final=True)
    game.rule({"reason": "Sent by another.", "void": {"seat": "Italy"}})
    assert game.run(NOON) == ["ruled 001", *JUDGED], "no draw: one vote is void"
    turn = game.turn(1)
    assert missing(turn) == ["Italy"]
    assert {(v.order, v.implied) for v in turn.data.verdicts if v.seat == "Italy"} == {
        ("A Rome H", True), ("A Venice H", True), ("F Naples H", True),
    }  # fmt: skip
    assert turn.data.sheets is not None
    assert turn.data.sheets["Italy"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert game.turn(2).data.absent == (), "the player did send one"


@both
def test_a_sheet_that_nobody_sent_cannot_be_declared_void(play: Callable[..., Play], sealed: bool) -> None:
    """FH-6. It had no effect, but the page claimed that it had."""
    game = play(sealed=sealed)
    game.sheets("Italy")
    path = game.rule(
        {"reason": "a", "void": {"seat": "Italy"}},
        {"reason": "b", "void": {"seat": "Italy", "order": "A Venice - Trieste"}},
    )
    nothing = "Italy has sent no sheet for this turn; there is nothing to void: leave the ruling out"
    assert refusal(game) == [f"{WHERE}:2:28: {nothing}", f"{WHERE}:3:28: {nothing}"]
    game.sheet("Italy", "A Venice - Trieste")
    assert game.run(EARLY) == ["ruled 001"], "now there is something"
    assert len(path.read_text().splitlines()) == 3


SPELLINGS = ["A Venice - Trieste", "A Ven-Tri", "  army  venice to\u00a0trieste ", "Ven - Tri"]


@both
@pytest.mark.parametrize("spelt", SPELLINGS)
@pytest.mark.parametrize("void", SPELLINGS)
def test_a_void_order_is_found_by_its_meaning(play: Callable[..., Play], sealed: bool, void: str, spelt: str) -> None:
    """FS-17. Matched by its spelling only, a void order had no effect, yet the page claimed that it had."""
    game = play(sealed=sealed)
    game.sheet("Italy", spelt, "A Rome - Apulia")
    game.rule({"reason": "Sent by mistake.", "void": {"seat": "Italy", "order": void}})
    assert game.run(STROKE) == ["ruled 001", *JUDGED]
    orders = {(v.order, v.implied) for v in game.turn(1).data.verdicts if v.seat == "Italy"}
    assert orders == {("A Venice H", True), ("A Rome - Apulia", None), ("F Naples H", True)}
    told = {} if void == spelt else {0: f"On the sheet it reads “{spelt}”."}
    assert void_effects(game.archive, game.turn(1)) == told
    assert list(void_of_nothing(game.archive, "game", FIRST)) == []


def test_a_void_order_that_nobody_gave_is_refused_with_a_list_of_those_given(play: Callable[..., Play]) -> None:
    """FS-17, FH-6."""
    game = play()
    game.sheet("Italy", "A Ven - Tri", "A Rome - Apulia")
    path = game.rule(
        {"reason": "a", "void": {"seat": "Italy", "order": "A Venice - Tyrolia"}},
        {"reason": "b", "void": {"seat": "Italy", "order": "Build A Rome"}},
    )
    assert refusal(game) == [
        f"{WHERE}:2:42: no order of Italy reads 'A Venice - Tyrolia'; did you mean 'A Ven - Tri'?",
        f"{WHERE}:3:42: no order of Italy reads 'Build A Rome'; its orders: A Ven - Tri; A Rome - Apulia",
    ]
    game.sheet("Italy", "A Venice H")
    game.sheet("Italy", "A Venice - Tyrolia")
    game.sheet("Italy", "A Venice H")
    path.write_text(path.read_text().replace("Build A Rome", "A Venice - Trieste"))
    assert game.run(STROKE) == ["ruled 001", *JUDGED], "a player who sends another sheet makes no ruling a fault"
    nothing = "the sheet of Italy that counted has no such order"
    assert void_effects(game.archive, game.turn(1)) == dict.fromkeys((0, 1), f"It voided nothing: {nothing}.")
    assert [str(fault) for fault in void_of_nothing(game.archive, "game", FIRST)] == [
        f"{WHERE}:{line}:15: this voided nothing: {nothing}" for line in (2, 3)
    ]


def test_if_a_ruling_voids_nothing_on_a_sealed_sheet_judging_reports_it(play: Callable[..., Play]) -> None:
    """FS-17. Nobody can know it before."""
    game = play(sealed=True)
    game.sheet("Italy", "A Rome - Apulia")
    game.rule({"reason": "Sent by mistake.", "void": {"seat": "Italy", "order": "A Venice - Trieste"}})
    assert game.run(EARLY) == ["ruled 001"]
    assert void_effects(game.archive, game.turn(1)) == {}
    done = CliRunner().invoke(
        main, ["-C", str(game.root), "run", "--at", STROKE], env={"COURTLY_MASTER": MASTER}, catch_exceptions=False
    )
    assert done.stderr == (
        f"warning: {WHERE}:2:30: this voided nothing: the sheet of Italy that counted has no such order\n"
    )
    assert done.exit_code == 0
    story = load_story(Archive(game.root), "game")
    assert story is not None
    page = str(turn_page(story, 0, "<svg/>", "../../../"))
    assert (
        "The order “A Venice - Trieste” of Italy is void. It voided nothing: the sheet of Italy that counted has no such order. "
        "Reason: Sent by mistake."
    ) in page


def test_a_running_hidden_game_does_not_show_what_a_void_order_struck_off(table: Table) -> None:
    """FS-17. The sheet decides if it struck something off."""
    for seat in hazard.SEATS:
        table.sheet(seat, f"word of {seat}")
    rule(table, {"reason": "So.", "void": {"seat": "Ash", "order": "word of Nobody"}})
    assert table.run("2026-11-20T12:00Z") == ["ruled", "resolved", "opened"]
    first = load_turn(table.archive, load_game(table.archive, "cards"), ROUND)
    assert void_effects(table.archive, first) == {}
    assert list(void_of_nothing(table.archive, "cards", ROUND)) == []
    proved(table)


@both
def test_a_void_sheet_does_not_become_a_standing_sheet(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheet("Italy", "A Venice - Trieste", standing=True)
    game.rule({"reason": "Sent by another.", "void": {"seat": "Italy"}})
    assert game.run(STROKE) == ["ruled 001", *JUDGED]
    assert missing(game.turn(1)) == list(SEATS)
    assert game.turn(2).data.standing is None, "else it would count from the next turn on"


@both
def test_a_standing_sheet_that_is_declared_void_no_longer_applies(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheet("Italy", "A Venice - Piedmont", standing=True)
    game.run(STROKE)
    game.rule({"reason": "Italy asked for it.", "void": {"seat": "Italy"}})
    assert game.run("2026-11-24T00:00Z") == ["ruled 002", "resolved 002", "opened 003"]
    assert game.turn(2).data.stood == {"Italy": FIRST}, "that it was there is told"
    assert missing(game.turn(2)) == list(SEATS)
    assert game.turn(3).data.standing is None


@both
def test_a_void_order_on_a_standing_sheet_is_void_only_in_that_turn(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheet("Italy", "A Venice - Piedmont", "A Rome - Apulia", standing=True)
    game.rule({"reason": "Too late for this one.", "void": {"seat": "Italy", "order": "A Rome - Apulia"}})
    assert game.run(STROKE) == ["ruled 001", *JUDGED]
    assert game.turn(2).data.position.units["Italy"] == ("A Piedmont", "A Rome", "F Naples")
    assert game.run("2026-11-24T00:00Z")[:2] == ["resolved 002", "opened 003"]
    assert "A Apulia" in game.turn(3).data.position.units["Italy"]


# The end ----------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("more", [[], [{"reason": "First.", "pause": True}]], ids=["running", "paused"])
def test_end_ends_the_game_at_once_and_publishes_the_key(
    play: Callable[..., Play], sealed: bool, more: list[dict[str, Any]]
) -> None:
    game = play(sealed=sealed, missing="host")
    path = game.sheet("Italy", "A Venice - Trieste")
    position = game.turn().data.position
    game.rule(*more, {"reason": "Nobody plays on.", "end": {"how": "abandoned", "winners": ["Turkey"]}})
    assert game.run(EARLY) == ["ruled 001", "resolved 001", "ended 001", "put away 001"]
    turn, ending = game.turn(), load_ending(game.archive, game.turn().game)
    assert turn.data.ended == ending.ended
    assert (ending.ended.how, ending.ended.winners, ending.ended.when, ending.ended.rule) == (
        "abandoned", ("Turkey",), "Spring 1901, movement", "",
    )  # fmt: skip
    assert ending.position == position, "nothing was carried out"
    assert (turn.data.verdicts, turn.data.events, turn.data.closed, turn.data.paused) == ((), (), EARLY, False)
    assert sorted(turn.data.sheets or {}) == ["Italy"]
    assert (turn.data.dice.secret is None, turn.data.dice.digest is None) == (False, False)
    if sealed:
        assert turn.data.seal is not None
        assert turn.data.seal.identity is not None
        path = turn.folder / "orders" / path.name
        assert b"A Venice - Trieste" in decrypt(path.read_bytes(), [turn.data.seal.identity], "sheet")
        assert b"A Venice - Trieste" in open_file(Archive(game.root), path, None)
    assert game.run("2027-01-01T00:00Z") == []


def test_of_two_endings_the_first_counts(play: Callable[..., Play]) -> None:
    game = play()
    game.rule({"reason": "a", "end": {"how": "one"}}, {"reason": "b", "end": {"how": "two"}})
    game.run(EARLY)
    ended = game.turn().data.ended
    assert ended is not None
    assert ended.how == "one"


# Hidden information -----------------------------------------------------------------------------------------------

ROUND = "001-round-1-cards"


class Table(Cards):
    """The game of hidden hands, which can be copied to go on differently."""

    def copy(self, root: Path) -> Table:
        made = copy(self)
        shutil.copytree(self.root, root)
        made.root, made.archive = root, Archive(root, self.archive.masters)
        return made


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "archive")


def rule(table: Table, *rulings: dict[str, Any]) -> Path:
    path = table.turn.folder / "ruling.yaml"
    before: Any = read(path.read_bytes(), "ruling.yaml").data if path.exists() else {"rulings": []}
    path.write_text(write({"rulings": [*before["rulings"], *rulings]}), encoding="utf-8")
    with contextlib.suppress(Problems):  # the run refuses anything that is not a ruling
        seal_rulings(Archive(table.root), path)  # for hidden parts; the host needs no secret for it (FS-16)
    return path


def letters(table: Table) -> dict[str, bytes]:
    return {seat: (table.turn.folder / f"dispatches/{seat.lower()}.age").read_bytes() for seat in hazard.SEATS}


def opens(letter: bytes, identity: str) -> Any:
    """Content of a letter for the holder of this key; None when it stays closed."""
    try:
        return read(news_alone(open_own(letter, [identity], "letter")), "letter").data
    except Problems:
        return None


def proved(table: Table) -> None:
    """While the game runs, verification finds no fault with the master, and none without it."""
    assert [str(fault) for fault in verify_game(table.archive, "cards").problems] == []
    assert faults(table.root, "cards") == []


@pytest.mark.parametrize("rounds", [0, 2])
def test_a_replaced_player_gets_no_more_news_and_the_new_one_gets_all_of_it(table: Table, rounds: int) -> None:
    table.play(rounds)
    before, old, new = letters(table), table.identities["Birch"], new_identity()
    told = opens(before["Birch"], old)
    rule(
        table,
        {
            "reason": "Birch fell.",
            "replace": {"seat": "Birch", "player": "Bea", "account": 9, "key": recipient_of(new)},
        },
    )
    at = f"2026-11-2{rounds}T12:00Z"
    assert table.run(at) == ["ruled"]
    after = letters(table)
    assert {seat for seat in hazard.SEATS if after[seat] != before[seat]} == {"Birch"}
    assert opens(after["Birch"], old) is None
    assert opens(after["Birch"], new) == told is not None
    assert all(opens(after["Birch"], other) is None for other in table.identities.values())
    proved(table)
    table.identities["Birch"] = new
    for seat in hazard.SEATS:
        table.sheet(seat, f"word of {seat}")
    assert table.run(at) == ["resolved", "opened"]
    letter = letters(table)["Birch"]
    assert opens(letter, old) is None, "nor in any later turn"
    assert opens(letter, new)["position"]["whispers"] == {"Birch": "word of Birch"}
    proved(table)


def test_a_hidden_correction_is_sent_to_all_seats_and_shown_in_no_turn(table: Table) -> None:
    before, public = letters(table), table.turn.data
    hidden = load_all(table.archive, table.turn).position
    hand = [*hidden.hands["Ash"][:2], hidden.deck.pile[0]]
    rule(table, {"reason": "Dealt wrongly.", "correct": {"hands.Ash": hand, "points.Cedar": 2}})
    assert table.run("2026-11-20T12:00Z") == ["ruled"]
    after = letters(table)
    assert {seat for seat in hazard.SEATS if after[seat] != before[seat]} == set(hazard.SEATS)
    news = {seat: opens(after[seat], table.identities[seat])["position"] for seat in hazard.SEATS}
    assert news["Ash"]["hands"] == {"Ash": hand, "Birch": ["back"] * 3, "Cedar": ["back"] * 3}
    assert news["Birch"]["hands"]["Ash"] == ["back"] * 3
    assert ["points" in body for body in news.values()] == [False] * 3, "what is public stands in turn.yaml alone"
    assert load_all(table.archive, table.turn).position == replace(
        hidden, hands=hidden.hands | {"Ash": tuple(hand)}, points=hidden.points | {"Cedar": 2}
    )
    assert table.turn.data.position == replace(public.position, points=public.position.points | {"Cedar": 2})
    proved(table)
    table.play(1)
    assert table.turn.name == "002-round-2-cards"
    proved(table)


def test_a_hidden_part_cannot_be_corrected_in_the_open(table: Table) -> None:
    """FS-16: it was written in clear in the public turn.yaml, and its messages named hidden things in a public log."""
    path = table.turn.folder / "ruling.yaml"
    path.write_text(
        "rulings:\n- {reason: x, correct: {hands.Ash: [card-01]}}\n- {reason: y, correct: {points.Ash: 1}}\n"
    )
    said = (
        "games/cards/001-round-1-cards/ruling.yaml:2:25: the public does not see 'hands.Ash', but here everybody could read it; "
        "`courtly seal games/cards/001-round-1-cards/ruling.yaml` seals it to the turn"
    )
    with pytest.raises(Problems) as caught:
        table.run("2026-11-20T12:00Z")
    assert [str(fault) for fault in caught.value.problems] == [said]
    assert [str(fault) for fault in check_archive(Archive(table.root))] == [said], "as intake says, without the master"
    done = CliRunner().invoke(main, ["-C", str(table.root), "seal", str(path)])
    assert (done.exit_code, done.output) == (0, f"{path}: 1 ruling sealed.\n")
    assert "card-01" not in path.read_text()
    assert "points.Ash" in path.read_text(), "what everybody sees stays in the open"
    assert table.run("2026-11-20T12:00Z") == ["ruled"]
    assert load_all(table.archive, table.turn).position.hands["Ash"] == ("card-01",)
    public = (table.turn.folder / "turn.yaml").read_text()
    assert "card-01" not in public
    story = load_story(Archive(table.root), "cards")
    assert story is not None
    assert "A part of the position that is hidden is corrected. Reason: x" in str(turn_page(story, 0, "", "../"))
    table.play()
    over = load_story(Archive(table.root), "cards")
    assert over is not None
    assert over.ending is not None
    assert "The position is corrected: hands.Ash. Reason: x" in str(turn_page(over, 0, "", "../"))
    proved(table)


def test_a_correction_that_the_public_would_not_see_is_hidden_even_when_it_is_empty(table: Table) -> None:
    """An empty value looks like the public's blank, and yet removes a value."""
    path = table.turn.folder / "ruling.yaml"
    for part in ("whispers: {}", "standing: {}", "standing.Ash: {reserve: [card-01]}", "standing.Birch.reserve: []"):
        path.write_text(f"rulings:\n- {{reason: x, correct: {{{part}}}}}\n")
        (fault,) = check_archive(Archive(table.root))
        assert fault.what.startswith(
            "the public does not see 'whispers'" if "whispers" in part else "the public does not see 'standing"
        )
        with pytest.raises(Problems) as caught:
            table.run("2026-11-20T12:00Z")
        assert [str(fault) for fault in caught.value.problems] == [str(fault)], "and not a word of what is there"
    path.unlink()


def test_a_hidden_correction_does_not_show_whom_it_was_about(table: Table) -> None:
    """Only one seat's news differs, and yet every digest does."""
    before = table.turn.data.dispatches or {}
    # As many cards as before: nobody else notices a difference.
    rule(table, {"reason": "x", "correct": {"hands.Ash": ["card-01", "card-02", "card-03"]}})
    table.run("2026-11-20T12:00Z")
    after = table.turn.data.dispatches or {}
    assert set(before) == set(after) == set(hazard.SEATS)
    assert [seat for seat in hazard.SEATS if before[seat] == after[seat]] == []
    proved(table)


def test_a_hidden_correction_counts_only_in_its_own_turn_and_its_faults_reveal_nothing(table: Table) -> None:
    """FS-16: replayed from another turn, sealed to another key, for a part that does not exist."""
    path = rule(table, {"reason": "x", "correct": {"hands.Ash": ["card-01"]}})
    sealed = read(path.read_bytes(), "").data["rulings"][0]["hidden"]  # type: ignore[index,call-overload]
    table.play(1)
    seal_data = table.turn.data.seal
    assert seal_data is not None

    def hidden(recipient: str, correct: dict[str, Any], **changes: Any) -> str:
        here: dict[str, Any] = {
            "archive": load_game(table.archive, "cards").archive,
            "game": "cards",
            "turn": table.turn.name,
            "attempt": 1,
        }
        return hide(HiddenCorrection(**(here | changes), correct=correct), recipient)

    good: dict[str, Any] = {"hands.Ash": ["card-01"]}
    for text in (
        sealed,
        "bm90IGFuIGFnZSBmaWxl",
        "not base64",
        hidden(recipient_of(new_identity()), good),
        hidden(seal_data.recipient, good, turn="001-round-1-cards"),
        hidden(seal_data.recipient, good, attempt=2),
        hidden(seal_data.recipient, {"hads.Ash": ["card-01"]}),
        hidden(seal_data.recipient, {"hands.Ash": ["card-77"]}),
    ):
        file = table.turn.folder / "ruling.yaml"
        file.write_text(write({"rulings": [{"reason": "x", "hidden": text}]}))
        with pytest.raises(Problems) as caught:
            table.run("2026-11-21T06:00Z")
        (fault,) = caught.value.problems
        assert fault.what == "this hidden correction cannot be made in this turn"
        assert not re.search("card-|hands|hads", str(fault))
        file.unlink()


@pytest.mark.parametrize("kind", ["extend", "pause", "void"])
def test_other_rulings_send_no_news(table: Table, kind: str) -> None:
    table.sheet("Ash", "word of Ash")
    before = letters(table)
    rule(table, {"reason": "So.", kind: {"extend": "2026-11-22T00:00Z", "pause": True, "void": {"seat": "Ash"}}[kind]})
    assert table.run("2026-11-20T12:00Z") == ["ruled"]
    assert letters(table) == before
    proved(table)


def test_a_finished_game_with_every_ruling_verifies_without_the_master_secret(table: Table) -> None:
    new = new_identity()
    rule(
        table,
        {"reason": "a", "correct": {"points.Ash": 1}},
        {"reason": "b", "replace": {"seat": "Ash", "player": "Ann", "key": recipient_of(new)}},
        {"reason": "c", "extend": "2026-11-21T06:00Z"},
    )
    table.run("2026-11-20T12:00Z")
    table.identities["Ash"] = new
    table.play(2)
    rule(table, {"reason": "d", "void": {"seat": "Cedar"}})
    table.play(1)
    rule(table, {"reason": "e", "end": {"how": "called off", "winners": ["Birch"]}})
    assert table.run("2026-11-25T00:00Z") == [
        "ruled",
        "resolved",
        *["revealed"] * len(table.archive.turns("cards")),
        "ended",
        "put away",
    ]
    checked = verify_game(Archive(table.root), "cards")
    assert ([str(fault) for fault in checked.problems], checked.sealed) == ([], 0)
    assert checked.turns == len(table.archive.turns("cards"))
    for name in table.archive.turns("cards"):
        turn = load_turn(Archive(table.root), load_game(Archive(table.root), "cards"), name)
        assert turn.data.seal is not None
        assert (turn.data.seal.identity or "").startswith("AGE-SECRET-KEY-1")


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({}, "2:15: Birch needs a key that its private news can be sealed to; add `key:` with an age key (age1...) or an SSH key"),
        ({"key": "Ash"}, "2:56: Ash has the same key; each seat needs its own key"),
        ({"key": "age1x"}, f"2:56: 'age1x' is not a key that can be sealed to; {AGE_KEY}"),
    ],
    ids=["none", "another’s", "nonsense"],
)  # fmt: skip
def test_a_seat_with_private_news_changes_hands_only_with_a_new_key(
    table: Table, more: dict[str, str], fault: str
) -> None:
    if more.get("key") == "Ash":
        more = {"key": recipient_of(table.identities["Ash"])}
    rule(table, {"reason": "x", "replace": {"seat": "Birch", "player": "Bea", **more}})
    before = files(table.root)
    with pytest.raises(Problems) as caught:
        table.run("2026-11-20T12:00Z")
    assert str(caught.value) == f"games/cards/{ROUND}/ruling.yaml:{fault}"
    assert files(table.root) == before


# Killed between any two writes ------------------------------------------------------------------------------------


class Killed(KeyboardInterrupt):
    """The process dies here."""


T = TypeVar("T", Play, Table)


def deaths(start: T, slug: str, at: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[T]:
    """The game after a run that died before its first write; then before its second; and so on."""

    def dying(write: Callable[..., Any], left: list[None]) -> Callable[..., Any]:
        def instead(*args: Any) -> Any:
            if not left:
                raise Killed
            left.pop()
            return write(*args)

        return instead

    for survived in itertools.count():
        here, left, died = start.copy(folder / f"death-{survived}"), [None] * survived, False
        with monkeypatch.context() as patch:
            patch.setattr(Files, "write", dying(Files.write, left))
            patch.setattr(Files, "write_folder", dying(Files.write_folder, left))
            try:
                list(run_game(here.archive, slug, at=at))
            except Killed:
                died = True
        if not died:
            return
        yield here


def turn_files(root: Path) -> dict[str, bytes]:
    """All files that are not sealed: age never seals to the same bytes twice."""
    return {name: body for name, body in files(root).items() if not name.endswith(".age")}


@pytest.mark.slow
@both
def test_a_run_killed_between_the_writes_of_a_ruling_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    start = Play(tmp_path / "start", sealed=sealed)
    start.sheets()
    start.rule(
        {"reason": "a", "correct": {"units.Austria": ["A Serbia"]}},
        {"reason": "b", "replace": {"seat": "Italy", "player": "Ida"}},
    )
    straight = start.copy(tmp_path / "straight")
    assert straight.run(STROKE) == ["ruled 001", *JUDGED]
    died = 0
    for here in deaths(start, "game", STROKE, tmp_path, monkeypatch):
        died += 1
        here.run(STROKE)
        here.check()
        assert turn_files(here.root) == turn_files(straight.root)
    assert died == 5, "before map and turn.yaml as ruled and as judged, and before the next turn"


HIDDEN_RULINGS: tuple[dict[str, Any], ...] = (
    {"reason": "a", "correct": {"points.Ash": 1, "hands.Cedar": ["card-01", "card-02"]}},
    {"reason": "b", "correct": {"hands.Cedar": ["card-03"]}},
    {"reason": "c", "extend": "2026-11-23T00:00Z"},
)


@pytest.mark.parametrize(
    "earlier", [(), ({"reason": "0", "pause": True}, {"reason": "1", "resume": "2026-11-22T00:00Z"})]
)
def test_a_run_killed_between_the_writes_of_a_hidden_ruling_goes_on_to_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: tuple[dict[str, Any], ...]
) -> None:
    at = "2026-11-20T12:00Z"
    start = Table(tmp_path / "start")
    if earlier:
        rule(start, *earlier)
        start.run(at)
    new = new_identity()
    rule(
        start, *HIDDEN_RULINGS,
        {"reason": "d", "replace": {"seat": "Birch", "player": "Bea", "key": recipient_of(new)}},
    )  # fmt: skip

    def content(table: Table) -> dict[str, Any]:
        keys = table.identities | {"Birch": new}
        return {
            "files": turn_files(table.root),
            "letters": {seat: opens(letter, keys[seat]) for seat, letter in letters(table).items()},
            "all": load_all(table.archive, table.turn),
        }

    straight = start.copy(tmp_path / "straight")
    assert straight.run(at) == ["ruled"]
    wanted = content(straight)
    assert [ruling.reason for ruling in straight.turn.data.rulings[-4:]] == list("abcd")
    died = 0
    for here in deaths(start, "cards", at, tmp_path, monkeypatch):
        died += 1
        assert here.run(at) == (["ruled"] if died < 7 else [])
        assert here.run(at) == []
        assert content(here) == wanted
        proved(here)
    assert died == 7, "before secret.age, three letters, the map, turn.yaml, and a look at the map"


def test_a_run_killed_while_it_judges_a_hidden_game_has_judged_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All are ready; the run dies; and before the next one the host gives more time.
    late = "2026-11-20T12:00Z"
    start = Table(tmp_path / "start")
    for seat in hazard.SEATS:
        start.sheet(seat, f"word of {seat}")
    steps = []
    for here in deaths(start, "cards", late, tmp_path, monkeypatch):
        if here.turn.name == ROUND and here.turn.data.status == "open":
            assert load_all(here.archive, here.turn).status == "open"
            proved(here)
            rule(here, {"reason": "Wait.", "pause": True})
        steps.append(here.run(late))
        if steps[-1] == ["ruled"]:
            assert (here.turn.data.status, here.turn.data.paused, here.turn.data.verdicts) == ("open", True, ())
        proved(here)
    # Before the map, secret.age and turn.yaml of the judged turn; before the next turn, whose map is not drawn again.
    assert steps == [["ruled"], ["ruled"], ["ruled"], ["mended"]]


@pytest.mark.slow
def test_a_hidden_game_ends_the_same_way_if_the_run_that_ends_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = "2026-11-24T00:00Z"
    start = Table(tmp_path / "start")
    start.play(hazard.LAST - 1)
    for seat in hazard.SEATS:
        start.sheet(seat, f"last word of {seat}")
    straight = start.copy(tmp_path / "straight")
    assert straight.run(at) == ["resolved", *["revealed"] * hazard.LAST, "ended", "put away"]
    died = 0
    for here in deaths(start, "cards", at, tmp_path, monkeypatch):
        died += 1
        here.run(at)
        assert turn_files(here.root) == turn_files(straight.root)
        assert faults(here.root, "cards") == []
    assert died == 3 + hazard.LAST + 2, "before map, secret.age, turn.yaml; each turn’s keys; the last map, the ending"


# Nothing leaks ----------------------------------------------------------------------------------------------------


def words_of(table: Table) -> list[str]:
    """All secrets of the open turn: cards in hands and deck, whispered words."""
    position = load_all(table.archive, table.turn).position
    return [
        *(card for hand in position.hands.values() for card in hand),
        *position.deck.cards,
        *position.whispers.values(),
    ]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("  turn: ", "  turn: 9"),
        ("  hands: ", "  hands: {}"),
        ("  deck: ", "  deck: []"),
        ("- {event: scored", "- {event: scored, seat: Nobody}"),
    ],
)
def test_a_changed_public_turn_stops_the_game_and_reveals_nothing_hidden(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, other: str
) -> None:
    table.play(1)
    for seat in hazard.SEATS:
        table.sheet(seat, f"whisper of {seat}")
    secret = [*words_of(table), *(f"whisper of {seat}" for seat in hazard.SEATS)]
    after = deaths(table, "cards", "2026-11-22T00:00Z", tmp_path, monkeypatch)
    table = next(here for here in after if here.turn.data.status == "resolved")  # and the next turn is not open yet
    path = table.turn.folder / "turn.yaml"
    text = path.read_text()
    path.write_text(re.sub(f"^{re.escape(line)}.*$", other, text, count=1, flags=re.MULTILINE))
    assert path.read_text() != text
    with pytest.raises(Problems) as caught:
        table.run("2026-11-22T00:00Z")
    assert f"{path.relative_to(table.root).as_posix()}:" in str(caught.value)
    assert [word for word in (*secret, "AGE-SECRET-KEY-1") if word in str(caught.value)] == []


def test_verify_reports_a_changed_sealed_part_without_its_content(table: Table) -> None:
    table.play(1)
    turn = table.turn
    whole = load_all(table.archive, turn)
    hands = dict(whole.position.hands)
    forged = replace(
        whole, position=replace(whole.position, hands=hands | {"Ash": hands["Birch"], "Birch": hands["Ash"]})
    )
    assert turn.data.seal is not None
    (turn.folder / "secret.age").write_bytes(secret_file(turn.game, forged, whole=True))
    faults = [str(fault) for fault in verify_game(table.archive, "cards").problems]
    where = f"games/cards/{turn.name}"
    assert faults == [
        f"{where}/secret.age: judging the turn again gives a different sealed part; restore the file from the history",
        f"{where}/turn.yaml: the position is not the one the turn before led to",
    ]
    with pytest.raises(Problems) as caught:
        table.run("2026-11-23T00:00Z")
    assert str(caught.value).startswith(f"{where}/turn.yaml: the position is not the one the turn before led to")


def test_verify_does_not_repeat_an_error_message_from_a_hidden_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(1)

    def breaks(*args: object) -> Any:
        raise ValueError(f"{args}")

    monkeypatch.setattr(hazard, "RULESET", replace(hazard.RULESET, rules=replace(hazard.RULESET.rules, resolve=breaks)))
    (fault,) = verify_game(table.archive, "cards").problems
    assert fault.what.startswith("courtly failed here: ValueError (")
