"""Saga of the Nine: what players found, each with its kind; ids are those of the findings."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.diplomacy import Settings as WarSettings
from adjudicator.rulesets.saga_of_the_nine import RULESET
from adjudicator.rulesets.saga_of_the_nine.options import check, options
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    Settings,
    Vassal,
    faults,
    living,
    majors,
    starting_position,
)
from tests.conftest import FUZZ
from tests.rulesets.worked import NO_DICE

MANY = 40 if FUZZ else 1
"""How many times as many examples there are for `nox -s fuzz`."""
START = starting_position(Settings())


def courtly(root: Path, *words: str) -> tuple[int, str]:
    """What the command answers, and its code."""
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


def judge(position: Position, **sheets: Sheet) -> Any:
    """The turn with these sheets."""
    return RULESET.rules.resolve(position, sheets, NO_DICE)


def told(position: Position, done: Any) -> list[str]:
    """Its facts in words."""
    return [RULESET.words.tell(position, event) for event in done.events]


def with_vassal(season: Season, phase: Phase, **changes: Any) -> Position:
    """vDA of Dokkalfar's dowry to the Aesir, with Permyak for its Capital and Myrkvid."""
    centres = {**START.centres, "vDA": ("Myrkvid", "Permyak"), "Permyak": ()}
    centres["Dokkalfar"] = tuple(name for name in START.centres["Dokkalfar"] if name != "Myrkvid")
    units = {**START.units, "vDA": ("A Myrkvid",), "Permyak": ()}
    units["Dokkalfar"] = tuple(unit for unit in START.units["Dokkalfar"] if unit != "A Myrkvid")
    return replace(
        START,
        cycle=5,
        season=season,
        phase=phase,
        units=changes.pop("units", units),
        centres=centres,
        heirs=tuple(major for major in START.heirs if major not in ("Aesir", "Dokkalfar")),
        vassals={"vDA": Vassal(giver="Dokkalfar", receiver="Aesir", capital="Permyak", born=3)},
        **changes,
    )


# S-3: a default is no act ---------------------------------------------------------------------------------------------


def test_silence_ends_no_game() -> None:
    done = judge(START)
    done = judge(done.position)
    assert done.ended is None
    assert not [line for line in told(done.position, done) if "draw" in line]


def test_a_draw_tells_who_asked_and_who_was_silent() -> None:
    spring = judge(START, Aesir=Sheet(draw=True))
    autumn = judge(spring.position, Aesir=Sheet())
    assert autumn.ended is not None
    assert any(
        line.startswith("The game ended in a draw of Aesir, ")
        and "Aesir voted for it, and Dokkalfar, " in line
        and "who sent nothing twice, did not object" in line
        for line in told(autumn.position, autumn)
    )


def test_one_who_sends_a_sheet_bars_a_draw() -> None:
    spring = judge(START, Aesir=Sheet(draw=True))
    autumn = judge(spring.position, Aesir=Sheet(), Menn=Sheet())
    assert autumn.ended is None
    assert any("Aesir voted for a draw; Menn did not." in line for line in told(autumn.position, autumn))


# S-4: a reason names who did something --------------------------------------------------------------------------------


def test_nobody_is_overruled_by_one_who_wrote_nothing() -> None:
    winter = with_vassal(Season.WINTER, Phase.WINTER)
    lines = ("Build F Permyak", "Build A Permyak")
    alone = judge(winter, Aesir=Sheet(orders=lines), Dokkalfar=Sheet())
    both = judge(winter, Aesir=Sheet(orders=lines[1:]), Dokkalfar=Sheet(orders=lines[:1]))
    said = {verdict.order: verdict.reason for verdict in alone.verdicts if verdict.seat == "Aesir"}
    assert said["Build F Permyak"] == "built"
    assert said["Build A Permyak"] == "already-built"
    assert [v.reason for v in both.verdicts if (v.seat, v.order) == ("Aesir", "Build A Permyak")] == ["giver-first"]


def test_overruled_is_only_what_would_have_stood() -> None:
    """A law over random winters: an overruled line is legal when the other controller writes nothing."""
    seen = 0
    for number in range(60 * MANY):
        random = Random(number)
        units = {
            **START.units,
            "vDA": random.choice((("A Myrkvid",), ("A Permyak", "F Gandvik", "A Myrkvid"))),
            "Permyak": (),
        }
        units["Dokkalfar"] = tuple(unit for unit in START.units["Dokkalfar"] if unit != "A Myrkvid")
        winter = with_vassal(Season.WINTER, Phase.WINTER, units=units)
        pool = ["Build F Permyak", "Build A Permyak", "Waive vDA", *(f"Disband {unit}" for unit in units["vDA"])]
        sheets = {
            major: Sheet(orders=tuple(random.choice(pool) for _ in range(random.randint(0, 4))))
            for major in ("Aesir", "Dokkalfar")
        }
        done = judge(winter, **sheets)
        lone = judge(winter, Aesir=sheets["Aesir"], Dokkalfar=Sheet())
        fine = [v.order for v in lone.verdicts if v.seat == "Aesir" and v.result != "illegal"]
        for verdict in done.verdicts:
            if verdict.result == "overruled":
                seen += 1
                assert verdict.order in fine, (sheets, verdict)
                assert sheets["Dokkalfar"].orders, sheets
    assert seen


# S-5: house rules of the war ------------------------------------------------------------------------------------------


def choices() -> list[tuple[str, Any]]:
    """Every value of every choice that the ruleset offers."""
    hints = get_type_hints(Settings)
    found = []
    for key, kind in hints.items():
        for part in (kind, *get_args(kind)):
            if isinstance(part, type) and issubclass(part, StrEnum):
                found += [(key, value) for value in part]
    return found


@pytest.mark.parametrize(("key", "value"), choices(), ids=str)
def test_every_house_rule_is_judged_with_a_vassal(key: str, value: Any) -> None:
    """No sheet comes: a Vassal with too many units loses one by the distance from its own centres (S9-V-27)."""
    settings = decode(Settings, Text("settings", {key: value.value}, {}))
    units = {**START.units, "vDA": ("A Permyak", "F Gandvik", "F Ylg"), "Permyak": ()}
    for season, phase in ((Season.SPRING, Phase.ORDERS), (Season.AUTUMN, Phase.ORDERS), (Season.WINTER, Phase.WINTER)):
        position = with_vassal(season, phase, units=units, settings=settings)
        done = judge(position)
        if phase is Phase.WINTER:
            assert len(done.position.units["vDA"]) == 2
            assert "A Permyak" in done.position.units["vDA"]


@pytest.mark.parametrize(
    ("key", "value"), [("disband_distance", "home"), ("surplus_orders", "none"), ("cycles", -1), ("victory", 0)]
)
def test_house_rules_that_fit_no_saga_are_refused(key: str, value: Any) -> None:
    with pytest.raises(Problems) as caught:
        decode(Settings, Text("settings", {key: value}, {}))
    assert key in str(caught.value.problems[0])
    assert "<" not in str(caught.value.problems[0])


def test_more_centres_than_there_are_win_nothing(tmp_path: Path) -> None:
    code, said = courtly(tmp_path, "new", "q", "--ruleset", "saga_of_the_nine", "--set", "victory=99")
    assert code == 1
    assert "99 supply centres win" in said


def test_the_war_offers_what_a_saga_does_not() -> None:
    """Or the two choices above would be refused for another reason."""
    assert {"disband_distance", "surplus_orders"} <= {*get_type_hints(WarSettings)}


# S-11: the wrong kind beside the right one ----------------------------------------------------------------------------


def test_an_order_for_a_unit_that_is_not_there_spoils_none() -> None:
    lines = ("Heir Aesir Marry A Permyak", "Heir Aesir Marry Permyak")
    done = judge(START, Aesir=Sheet(orders=lines, bids=("1 DP to F Permyak Marry Heir Aesir",)))
    said = {verdict.order: verdict.reason for verdict in done.verdicts if verdict.seat == "Aesir"}
    assert said["Heir Aesir Marry A Permyak"] == "minor-wrong-kind"
    assert said["Heir Aesir Marry Permyak"] == "wed"


# S-12: positions that cannot be ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"centres": {**START.centres, "Aesir": (), "Vanir": (*START.centres["Vanir"], "Asgard")}}, "S9-H-3"),
        (
            {
                "centres": {**START.centres, "Aesir": (), "Vanir": (*START.centres["Vanir"], "Asgard")},
                "heirs": tuple(major for major in START.heirs if major != "Aesir"),
            },
            "S9-H-13",
        ),
        ({"eliminated": {"Aesir": 1}, "heirs": tuple(m for m in START.heirs if m != "Aesir")}, "S9-X-7"),
    ],
)
def test_positions_that_cannot_be_are_refused(changes: dict[str, Any], words: str) -> None:
    assert [*faults(START)] == []
    assert any(words in remark.right for remark in faults(replace(START, **changes)))


# S-13: what the judge will call illegal, `check` says -----------------------------------------------------------------


@pytest.mark.parametrize("number", range(40 * MANY))
def test_check_names_every_line_that_will_be_illegal(number: int) -> None:
    """A law over random sheets with lines that are repeated, contradicted, or for another phase."""
    random = Random(number)
    seasons = ((Season.SPRING, Phase.ORDERS), (Season.AUTUMN, Phase.ORDERS), (Season.WINTER, Phase.WINTER))
    season, phase = random.choice(seasons)
    position = with_vassal(season, phase)
    major = random.choice(living(position))
    mine, theirs = list(options(position, major)), list(options(position, random.choice(living(position))))
    orders = [sheet.orders[0] for sheet in (*mine, *theirs) if sheet.orders] or ["Build Heir"]
    bids = [sheet.bids[0] for sheet in (*mine, *theirs) if sheet.bids]
    lines = [random.choice(orders) for _ in range(6)]
    offers = [random.choice(bids) for _ in range(4)] if bids else []
    lines += [random.choice(lines), f"Heir {major} Marry Jutland", f"Heir {major} Marry Jutland", "Build Heir"]
    offers += [random.choice(offers)] if offers else []
    sheet = Sheet(orders=tuple(lines), bids=tuple(offers))
    remarks = check(position, major, sheet)
    places = {remark.place for remark in remarks if len(remark.place) == 2}
    done = judge(position, **{major: sheet})
    illegal = [verdict for verdict in done.verdicts if verdict.seat == major and verdict.result == "illegal"]
    assert len(illegal) <= len(places), ([(verdict.order, verdict.reason) for verdict in illegal], remarks)


# S-14: a board of the host's own --------------------------------------------------------------------------------------


def test_a_saga_is_played_on_a_board_of_the_hosts_own(tmp_path: Path) -> None:
    source = next((RULESET.folder / "boards").glob("*/board.yaml")).read_text(encoding="utf-8")
    kept = [line for line in source.splitlines() if not line.startswith("outlines:")]
    (tmp_path / "own.yaml").write_text("\n".join(kept) + "\n", encoding="utf-8")
    code, said = courtly(
        tmp_path, "new", "q", "--ruleset", "saga_of_the_nine", "--set", f"board={tmp_path / 'own.yaml'}", "--here"
    )
    assert code == 0, said
    assert Archive(tmp_path).slugs() == ["q"]
    code, said = courtly(tmp_path, "run", "--now")
    assert code == 0, said
    code, said = courtly(tmp_path, "verify", "--all")
    assert (code, "the same bytes" in said) == (0, True), said


def test_every_seat_of_the_start_is_a_major() -> None:
    assert living(START) == majors(START.settings)
