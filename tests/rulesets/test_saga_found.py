"""Saga of the Nine: players' findings, each with its kind; ids are those of the findings."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets.diplomacy import Settings as WarSettings
from adjudicator.rulesets.saga_of_the_nine import RULESET
from adjudicator.rulesets.saga_of_the_nine.chapters import chapters
from adjudicator.rulesets.saga_of_the_nine.options import check, options
from adjudicator.rulesets.saga_of_the_nine.orders import Offer, Sheet, speech_of
from adjudicator.rulesets.saga_of_the_nine.picture import draw
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
"""Multiplier of the number of examples for `nox -s fuzz`."""
START = starting_position(Settings())


def courtly(root: Path, *words: str) -> tuple[int, str]:
    """Output and exit code of the command."""
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


def judge(position: Position, **sheets: Sheet) -> Any:
    """The turn with these sheets."""
    return RULESET.rules.resolve(position, sheets, NO_DICE)


def told(position: Position, done: Any) -> list[str]:
    """The facts of a turn in words."""
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


# S-3: a default is not an act -----------------------------------------------------------------------------------------


def test_silence_ends_no_game() -> None:
    """S-3: two deadlines without a sheet."""
    done = judge(START)
    done = judge(done.position)
    assert done.ended is None
    assert not [line for line in told(done.position, done) if "draw" in line]


def test_a_draw_names_those_who_asked_and_those_who_were_silent() -> None:
    """S-3."""
    spring = judge(START, Aesir=Sheet(draw=True))
    autumn = judge(spring.position, Aesir=Sheet())
    assert autumn.ended is not None
    assert any(
        line.startswith("The game ended in a draw between Aesir, ")
        and "Aesir voted for it, and Dokkalfar, " in line
        and "who sent no orders twice in a row, could not prevent it" in line
        for line in told(autumn.position, autumn)
    )


def test_a_major_who_sends_a_sheet_without_a_vote_bars_a_draw() -> None:
    spring = judge(START, Aesir=Sheet(draw=True))
    autumn = judge(spring.position, Aesir=Sheet(), Menn=Sheet())
    assert autumn.ended is None
    assert any("Aesir voted for a draw; Menn did not." in line for line in told(autumn.position, autumn))


# S-4: a reason names who did something --------------------------------------------------------------------------------


def test_a_controller_who_wrote_nothing_overrules_nobody() -> None:
    """S-4."""
    winter = with_vassal(Season.WINTER, Phase.WINTER)
    lines = ("Build F Permyak", "Build A Permyak")
    alone = judge(winter, Aesir=Sheet(orders=lines), Dokkalfar=Sheet())
    both = judge(winter, Aesir=Sheet(orders=lines[1:]), Dokkalfar=Sheet(orders=lines[:1]))
    said = {verdict.order: verdict.reason for verdict in alone.verdicts if verdict.seat == "Aesir"}
    assert said["Build F Permyak"] == "built"
    assert said["Build A Permyak"] == "already-built"
    assert [v.reason for v in both.verdicts if (v.seat, v.order) == ("Aesir", "Build A Permyak")] == ["giver-first"]


def test_only_a_line_that_would_have_counted_is_overruled() -> None:
    """S-4: a law over random winters: an overruled line is legal if the other controller writes nothing."""
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
def test_turns_with_a_vassal_can_be_judged_under_every_house_rule(key: str, value: Any) -> None:
    """No sheet comes: a Vassal with too many units loses one by the distance from its own centres (S9-V-27, S-5)."""
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
def test_house_rules_that_do_not_fit_a_saga_are_refused(key: str, value: Any) -> None:
    """S-5."""
    with pytest.raises(Problems) as caught:
        decode(Settings, Text("settings", {key: value}, {}))
    assert key in str(caught.value.problems[0])
    assert "<" not in str(caught.value.problems[0])


def test_a_victory_by_more_centres_than_there_are_is_refused(tmp_path: Path) -> None:
    code, said = courtly(tmp_path, "new", "q", "--ruleset", "saga_of_the_nine", "--set", "victory=99")
    assert code == 1
    assert "99 supply centres win" in said


def test_the_war_offers_choices_that_a_saga_does_not() -> None:
    """Otherwise the two choices above would be refused for another reason."""
    assert {"disband_distance", "surplus_orders"} <= {*get_type_hints(WarSettings)}


# S-6: a support for a move that nobody ordered ------------------------------------------------------------------------


def test_a_support_for_a_move_that_nobody_ordered_is_not_reported_as_cut() -> None:
    """S-6, DP-S-3, DP-S-4: nobody bids on A Mackenzie, and the supporting unit is attacked."""
    units = {**START.units, "Zwergar": ("A Nidafjoll",), "Hrimthursar": ("A Nidavellir",)}
    position = replace(START, units=units)
    support = "A Nidafjoll S A Mackenzie - Kitlineq"
    calm = judge(position, Zwergar=Sheet(orders=(support,)))
    attacked = judge(
        position, Zwergar=Sheet(orders=(support,)), Hrimthursar=Sheet(orders=("A Nidavellir - Nidafjoll",))
    )
    for done in (calm, attacked):
        (verdict,) = [one for one in done.verdicts if one.seat == "Zwergar"]
        assert (verdict.result, verdict.reason, verdict.rule) == ("invalid", "not-as-supported", "DP-S-3")
    assert attacked.position.units["Zwergar"] == ("A Nidafjoll",)


# S-7: what people write -----------------------------------------------------------------------------------------------


HEIRLESS = replace(START, season=Season.WINTER, phase=Phase.WINTER, heirs=START.heirs[1:])
AUTUMN = replace(START, season=Season.AUTUMN)
VASSAL = with_vassal(Season.WINTER, Phase.WINTER)
WRITTEN: list[tuple[Position, str, str, str]] = [
    (HEIRLESS, "Aesir", "Build an Heir", "Build Heir"),
    (HEIRLESS, "Aesir", "Build H Asgard", "Build Heir"),
    (HEIRLESS, "Aesir", "Build Heir Aesir", "Build Heir"),
    (HEIRLESS, "Aesir", "build a new heir in Asgard", "Build Heir"),
    (START, "Aesir", "Heir of Aesir marries Permyak", "Heir Aesir Marry Permyak"),
    (START, "Aesir", "Aesir's heir marries Permyak", "Heir Aesir Marry Permyak"),
    (START, "Aesir", "Heir Asgard Marry Svithjod", "Heir Aesir Marry Svithjod"),
    (AUTUMN, "Jotnar", "Heir Jotnar Marry Heir Zwergar at F Thule", "Heir Jotnar Marry Heir Zwergar at Thule"),
    (AUTUMN, "Jotnar", "Heir Jotnar Marry Heir Zwergar, Thule", "Heir Jotnar Marry Heir Zwergar at Thule"),
    (VASSAL, "Aesir", "vDA: Build F Permyak", "Build F Permyak"),
    (START, "Aesir", "F Permyak Marry Heir Aesir 2 DP", "2 DP to F Permyak Marry Heir Aesir"),
    (START, "Aesir", "2 DP to F Permyak: Marry Heir Aesir", "2 DP to F Permyak Marry Heir Aesir"),
    (START, "Aesir", "2 DP to F Permyak sortie Ylg", "2 DP to F Permyak - Ylg"),
    (VASSAL, "Aesir", "3 DP to vDA A Suomi - Kvenland", "3 DP to A Suomi - Kvenland"),
]
"""Position, author, the line they write, and the line that it is read as."""


def test_a_misspelt_heir_gets_the_nearest_name_as_a_suggestion() -> None:
    """S-7."""
    said = speech_of(AUTUMN).read("Heir Jotnar Marry Heir Zwerger at Thule", "Jotnar")
    assert isinstance(said, Fault)
    assert (said.what, said.right) == ("no Major has such an heir", "did you mean 'Zwergar'?")


@pytest.mark.parametrize(("position", "major", "line", "means"), WRITTEN, ids=[line for _, _, line, _ in WRITTEN])
def test_lines_as_people_write_them_are_read(position: Position, major: str, line: str, means: str) -> None:
    """S-7."""
    speech, units = speech_of(position), position.ground.names()
    if " DP to " in means:
        offer = speech.read_bid(line, major)
        assert isinstance(offer, Offer), offer
        assert speech.write_bid(offer, units) == means
    else:
        said = speech.read(line, major)
        assert not isinstance(said, Fault), said
        assert speech.write(said, units) == means


def test_a_bid_among_the_orders_gets_the_advice_to_write_it_under_bids() -> None:
    """S-7."""
    line = "2 DP to F Permyak Marry Heir Aesir"
    (told_of,) = [remark for remark in check(START, "Aesir", Sheet(orders=(line,))) if remark.level == "error"]
    assert (told_of.place, told_of.right) == (("orders", 0), f"write it under `bids`: {line}")


# S-9: words and signs -------------------------------------------------------------------------------------------------


def test_a_minors_centre_is_told_apart_from_an_unowned_one() -> None:
    """S-9, S9-B-1: a Minor owns its centre, whether its unit is there or not."""
    bare = replace(START, units={**START.units, "Permyak": ()}, centres={**START.centres, "Aliaska": ()})
    scene = draw(bare, None)
    shown = {area.title: area.unled for area in scene.areas if area.region in ("PER", "ALI")}
    assert shown == {"Permyak, supply centre of a Minor": True, "Aliaska, supply centre, nobody's": False}
    assert (
        "a Minor’s, and its centre has an empty ring; a small ring inside it means that the centre belongs to nobody."
        in scene.legend
    )
    assert "the rings of their centres have no colour" not in scene.legend


def test_fallen_majors_are_marked_in_the_legend() -> None:
    """S-9."""
    centres = {**START.centres, "Aesir": (), "Vanir": (*START.centres["Vanir"], *START.centres["Aesir"])}
    units = {**START.units, "Aesir": ()}
    late = replace(START, eliminated={"Aesir": 1}, heirs=START.heirs[1:], centres=centres, units=units)
    assert draw(late, None).standings[:2] == (("Aesir", "fallen"), ("Dokkalfar", "3"))


def test_a_minors_unit_that_is_dislodged_is_reported_as_destroyed() -> None:
    """S-9: although it could have retreated, it never leaves its place (S9-E-1, S9-E-8); its centre is not taken from itself."""
    units = {**START.units, "Aesir": ("F Amsvartnir",), "Dokkalfar": ("A Myrkvid",)}
    attack = Sheet(orders=("F Amsvartnir - Mangazeya",))
    done = judge(
        replace(AUTUMN, units=units), Aesir=attack, Dokkalfar=Sheet(orders=("A Myrkvid S F Amsvartnir - Mangazeya",))
    )
    lines = told(AUTUMN, done)
    assert (
        "A Mangazeya was dislodged by F Amsvartnir, and was destroyed: Minors’ and Thralls’ units never retreat."
        in lines
    )
    assert "Aesir took Mangazeya." in lines


def test_the_results_of_bids_are_reported() -> None:
    """S-9, S9-D-15: the purse had one left; `hold` is a word; void bids are spent, and appear among the DP."""
    done = judge(
        START,
        Aesir=Sheet(bids=("2 DP to F Permyak H", "2 DP to A Svithjod H")),
        Vanir=Sheet(bids=("3 DP to F Permyak - Ylg",)),
    )
    assert [RULESET.words.tell(START, one) for one in done.verdicts if " DP to " in one.order] == [
        "2 DP to A Svithjod H does not count and costs nothing: the purse of 3 DP had 1 left.",
        "2 DP to F Permyak H was outbid: “- Ylg” got 3 DP, against its 2.",
        "3 DP to F Permyak - Ylg: this order won with 3 DP against 2 for “hold”.",
    ]
    near = replace(START, units={**START.units, "Aesir": ("F Ylg",)})
    void = judge(near, Aesir=Sheet(orders=("F Ylg - Permyak",), bids=("2 DP to F Permyak H",)))
    assert [one.reason for one in void.verdicts if " DP to " in one.order] == ["bid-void"]
    turn: Any = SimpleNamespace(position=near, verdicts=void.verdicts, events=void.events)
    bids = chapters((turn,), void.position)[-1]
    spent, rows = bids.sections[0].tables[0], bids.sections[1].tables[0].rows
    assert spent.head == ("Major", "DP", "that counted", "that decided", "void")
    assert spent.rows[0] == ("Aesir", 2, 0, 0, 2)
    assert [row[1:] for row in rows] == [("F Permyak H", 2, "void")]


def test_a_draw_of_equals_names_them_once() -> None:
    """S-9."""
    done = judge(judge(START, Aesir=Sheet(draw=True)).position, Aesir=Sheet())
    assert done.ended is not None
    assert RULESET.words.ended(done.ended).count("Zwergar") == 1


# S-11: the wrong kind beside the right one ----------------------------------------------------------------------------


def test_an_order_for_a_missing_unit_spoils_no_other() -> None:
    """S-11."""
    lines = ("Heir Aesir Marry A Permyak", "Heir Aesir Marry Permyak")
    done = judge(START, Aesir=Sheet(orders=lines, bids=("1 DP to F Permyak Marry Heir Aesir",)))
    said = {verdict.order: verdict.reason for verdict in done.verdicts if verdict.seat == "Aesir"}
    assert said["Heir Aesir Marry A Permyak"] == "minor-wrong-kind"
    assert said["Heir Aesir Marry Permyak"] == "wed"


# S-12: impossible positions -------------------------------------------------------------------------------------------


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
def test_impossible_positions_are_refused(changes: dict[str, Any], words: str) -> None:
    """S-12."""
    assert [*faults(START)] == []
    assert any(words in remark.right for remark in faults(replace(START, **changes)))


# S-13: `check` warns of every line that the judge will call illegal ---------------------------------------------------


@pytest.mark.parametrize("number", range(40 * MANY))
def test_check_names_every_line_that_will_be_illegal(number: int) -> None:
    """S-13: a law over random sheets with lines that are repeated, contradicted, or for another phase."""
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


# S-14: a host's own board ---------------------------------------------------------------------------------------------


def test_a_saga_can_be_played_on_a_hosts_board(tmp_path: Path) -> None:
    """S-14."""
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
