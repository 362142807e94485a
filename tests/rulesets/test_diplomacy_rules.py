"""The rulebook's worked examples, each played and compared with its whole outcome."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from adjudicator.core.contract.cases import CaseFile
from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.secrets.dice import GivenDice, NamedDice
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.load import load_game
from adjudicator.mechanics.adjustments import AdjustReason, DisbandDistance
from adjudicator.mechanics.movement import Reason
from adjudicator.mechanics.provinces import Board, BuildSites
from adjudicator.mechanics.retreats import RetreatReason
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.events import AnyEvent, Destroyed
from adjudicator.rulesets.diplomacy.examples import (
    Case,
    Units,
    case_files,
    position_of,
    settings_of,
    sheets_of,
)
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Phase,
    Position,
    Settings,
    Vote,
    board_named,
    field_of,
    starting_position,
)
from adjudicator.rulesets.diplomacy.resolve import resolve
from adjudicator.rulesets.diplomacy.rules import NOT_NOW, RULE_OF, UNREADABLE
from tests.rulesets import worked
from tests.rulesets.worked import NO_DICE, by_name, ending, sentences

MASTER = read_masters("courtly-master-1-" + "5a" * 32, "test")
CASES = RULESET.folder / "cases"
RULES = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")
RULE_IDS = tuple(re.findall(r"^\*\*(DP-[A-Z]-\d+)\.\*\*", RULES, flags=re.MULTILINE))
Played = worked.Played[Case, Position, AnyEvent]


@cache
def files() -> Mapping[str, CaseFile[Case]]:
    return case_files()


@cache
def cases() -> Mapping[str, Case]:
    return by_name(files())


@cache
def play_case(name: str) -> Played:
    case = cases()[name]
    position = position_of(case)
    return Played(case, position, RULESET.rules.resolve(position, sheets_of(case, position), GivenDice(case.dice)))


def play_all() -> list[Played]:
    return [play_case(name) for name in cases()]


NAMES = list(cases())


def result_words(verdict: Verdict, events: tuple[AnyEvent, ...]) -> str:
    """The result as the DATC writes it (`fails, dislodged`); for a unit that held, just `dislodged`."""
    by = (verdict.facts or {}).get("dislodged_by")
    if by is None:
        return verdict.result
    unit = next((word for word in re.split(r" (?:H|-|S|C)(?: |$)", verdict.order) if word), "")
    gone = any(isinstance(event, Destroyed) and event.unit == unit for event in events)
    fate = "destroyed" if gone else "dislodged"
    return fate if verdict.result == "stands" else f"{verdict.result}, {fate}"


def sorted_units(units: Units) -> dict[str, list[str]]:
    return {power: sorted(texts) for power, texts in units.items() if texts}


def coded_units(board: Board, units: Units) -> dict[str, list[str]]:
    names = {board.place_name(place): place for place in (*board.army_to, *board.fleet_to)}
    return {power: sorted(f"{text[:2]}{names[text[2:]]}" for text in texts) for power, texts in units.items() if texts}


def coded_centres(board: Board, centres: Units) -> dict[str, list[str]]:
    codes = {province.name: code for code, province in board.provinces.items()}
    return {power: sorted(codes[name] for name in names) for power, names in centres.items() if names}


# The whole outcome of every case ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_each_case_has_its_verdicts(name: str) -> None:
    here = play_case(name)
    case, verdicts = here.case, list(here.done.verdicts)
    board = settings_of(case).ground
    for line in case.orders:
        assert (line.order is None) != (line.unit is None), f"{line} names either an order or a unit"
        if line.unit is not None:
            unit = board.unit_name(board.unit(line.unit))
            words = (f"{unit} H", f"Disband {unit}")
            matching = [v for v in verdicts if v.implied and v.seat == line.power and v.order in words]
        else:
            # A power's verdicts are in the order of its sheet (unreadable lines first).
            matching = [v for v in verdicts if not v.implied and v.seat == line.power]
        assert matching, f"no verdict for {line}"
        verdict = matching[0]
        verdicts.remove(verdict)
        told = (result_words(verdict, here.done.events), verdict.reason, verdict.rule)
        assert told == (line.result, line.reason, line.rule), f"{line.power}: {line.order or line.unit}: {verdict}"
    assert verdicts == [], "verdicts the case does not mention"


@pytest.mark.parametrize("name", NAMES)
def test_each_case_has_its_position_afterwards(name: str) -> None:
    here = play_case(name)
    case, after = here.case, here.done.position
    board = settings_of(case).ground
    assert coded_units(board, after.units) == sorted_units(case.after.units)
    expected = case.centres if case.after.centres is None else case.after.centres
    assert coded_centres(board, after.centres) == sorted_units(expected)
    provinces = {province.name: code for code, province in board.provinces.items()}
    assert sorted(provinces[text] for text in after.contested) == sorted(case.after.contested)
    field_after = field_of(after)
    lost: dict[str, dict[str, str | None]] = {}
    for power, unit, origin in field_after.dislodged.values():
        lost.setdefault(power, {})[str(unit)] = origin or None
    assert lost == {power: dict(units) for power, units in case.after.dislodged.items()}
    assert RULESET.when(after) == case.next
    assert dict(after.claims) == case.after.claims
    assert dict(after.votes) == case.after.votes
    assert after.settings == settings_of(case)


@pytest.mark.parametrize("name", NAMES)
def test_each_case_has_its_events_and_ending(name: str) -> None:
    here = play_case(name)
    assert sentences(RULESET, here.position, here.done.events) == here.case.events
    assert ending(RULESET, here) == here.case.ended


# Coverage of the cases -------------------------------------------------------------------------------------------


def test_ids_are_unique_and_titles_are_given() -> None:
    assert len(NAMES) == sum(len(file.cases) for file in files().values()) > 100
    for name, case in cases().items():
        assert case.title, name
        assert not case.title.endswith("."), name
        assert case.rules, name
        assert set(case.rules) <= set(RULE_IDS), name


def test_every_rule_has_an_example() -> None:
    cited = {rule for case in cases().values() for rule in case.rules}
    print(f"{len(cited)} of {len(RULE_IDS)} rules are cited by {len(NAMES)} examples")
    assert len(RULE_IDS) == len(set(RULE_IDS)) > 50
    # Orders ahead need several turns: tests/core/test_ahead.py plays them.
    assert [rule for rule in RULE_IDS if rule not in cited] == ["DP-N-2"]


def test_every_verdict_names_a_rule_of_the_rulebook() -> None:
    seen = {verdict.rule for here in play_all() for verdict in here.done.verdicts}
    assert len(seen) > 30
    assert seen <= set(RULE_IDS)
    assert set(RULE_OF.values()) <= set(RULE_IDS)
    endings = {here.done.ended.rule for here in play_all() if here.done.ended}
    assert endings == {"DP-V-1", "DP-V-3", "DP-V-5", "DP-V-7", "DP-V-8", "DP-V-9", "DP-V-10", "DP-V-11"}


def test_every_reason_has_a_rule_and_an_example() -> None:
    seen: set[tuple[Phase, str]] = {
        (here.position.phase, verdict.reason) for here in play_all() for verdict in here.done.verdicts
    }
    wanted = {
        # Standard Diplomacy has no units that never leave their place.
        *((Phase.MOVEMENT, reason.value) for reason in {*Reason} - {Reason.SORTIE, Reason.NEVER_CONVOYED}),
        *((Phase.RETREATS, reason.value) for reason in RetreatReason),
        *((Phase.ADJUSTMENTS, reason.value) for reason in AdjustReason),
        (Phase.MOVEMENT, UNREADABLE),
        (Phase.MOVEMENT, NOT_NOW),
    }
    assert {reason for _, reason in wanted} <= set(RULE_OF)
    assert sorted(wanted - seen) == []


def test_every_event_has_an_example() -> None:
    seen = {type(event) for here in play_all() for event in here.done.events}
    assert {kind.__name__ for kind in get_args(AnyEvent)} == {kind.__name__ for kind in seen}


def test_every_setting_has_an_example_of_every_value() -> None:
    """Except `board` and its digest, which need no rule."""
    seen = {
        (choice.name, str(getattr(case.settings, choice.name)))
        for case in cases().values()
        for choice in dataclasses.fields(Settings)
    }
    defaults = Settings()
    for choice in dataclasses.fields(Settings):
        default = getattr(defaults, choice.name)
        if choice.name in ("board", "digest"):
            continue
        if choice.name == "build_sites":
            assert {settings_of(case).sites for case in cases().values()} == {*BuildSites}
            continue
        if choice.name == "victory":
            assert len({value for name, value in seen if name == "victory"}) > 1
            continue
        if choice.name == "concede_least":
            assert len({value for name, value in seen if name == "concede_least"}) > 1
            continue
        kinds = [kind for kind in get_args(get_type_hints(Settings)[choice.name]) if kind is not type(None)]
        # Left out, a setting without a default means its first value.
        for value in type(default) if default is not None else list(kinds[0])[1:]:
            assert (choice.name, str(value)) in seen, f"{choice.name}: {value} has no example"


SAME = ("swap-via", "draw-among-others", "all-routes-of-ordered-fleets")
"""Cases with the same outcome under the default."""


def test_only_the_setting_makes_the_difference() -> None:
    """A case for another value of a setting has another outcome under the default."""
    for name, case in cases().items():
        settings = case.settings
        if settings == Settings() or settings.victory is not None or case.id in SAME:
            continue
        if case.settings == Settings(board=case.settings.board):
            continue
        default = dataclasses.replace(case, settings=Settings(board=case.settings.board))
        position = position_of(default)
        other = RULESET.rules.resolve(position, sheets_of(case, position), GivenDice(case.dice))
        ours = play_case(name).done
        same = (other.verdicts, other.events, other.ended) == (ours.verdicts, ours.events, ours.ended)
        assert not same, f"{name} comes out the same by default"


def test_the_first_example_position_is_the_start() -> None:
    case = cases()["game/start"]
    board = board_named("standard")
    begin = starting_position(Settings())
    assert sorted_units(case.units) == coded_units(board, begin.units)
    assert sorted_units(case.centres) == coded_centres(board, begin.centres)
    assert position_of(case).year == begin.year


# Messages --------------------------------------------------------------------------------------------------------


def told_everywhere() -> Iterator[tuple[Played, Verdict | AnyEvent, str]]:
    for here in play_all():
        for fact in (*here.done.verdicts, *here.done.events):
            yield here, fact, RULESET.words.tell(here.position, fact)


def test_every_sentence_is_complete_and_free_of_codes() -> None:
    board = board_named("standard")
    codes = set(board.provinces)
    reasons = {reason.value for kind in (Reason, RetreatReason, AdjustReason) for reason in kind if "-" in reason}
    names = sorted((province.name for province in board.provinces.values()), key=len, reverse=True)
    count = 0
    for _, fact, text in told_everywhere():
        count += 1
        assert text.endswith("."), text
        assert "\n" not in text
        if isinstance(fact, Verdict) and fact.reason == UNREADABLE:
            continue  # It quotes the player's words.
        sentences = [part for part in re.split(r"(?<=\.)\s+(?=[A-Z])", text) if part]
        assert 1 <= len(sentences) <= 2, text
        assert not codes & set(re.findall(r"\b[A-Z]{3}\b", text)), text
        # “head-on” and the like are ordinary English; the name of a reason is out of place only as a separate word between spaces.
        bare = text
        for name in names:
            bare = bare.replace(name, "")
        assert not {word for word in reasons if f" {word} " in bare} - {"head-to-head"}, text
        assert not [slip for slip in ("_", "Reason", "None", "  ", " .", " ,") if slip in text], text
    assert count > 300


def test_the_sentence_of_a_bounce_names_the_cause() -> None:
    here = play_case("moves/supported-hold")
    texts = [RULESET.words.tell(here.position, verdict) for verdict in here.done.verdicts]
    assert "A Munich - Berlin bounced: strength 1 against A Berlin’s hold strength of 2 (supported by F Kiel)." in texts
    assert "F Kiel S A Berlin counted for A Berlin." in texts
    assert "A Berlin held with strength 2 (supported by F Kiel) against A Munich’s 1." in texts


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "moves/beleaguered",
            (
                "A Munich held with strength 1 against A Bohemia and A Burgundy, with strength 2 each "
                "(supported by A Ruhr and A Tyrolia): the attackers held each other off."
            ),
        ),
        ("moves/loser-harmless", "F Kiel - Berlin moved: A Berlin left the province."),
        (
            "orders/not-now",
            "Build A Berlin is not possible: units move in this turn; retreats, builds and removals come later.",
        ),
        ("orders/no-order", "A Paris had no valid order and held."),
        ("orders/twice", "A Munich - Berlin is not possible: the unit was given more than one order."),
        (
            "supports/convoyed-attack-sea",
            "A Venice S F Albania - Trieste was cut by A Trieste’s attack.",
        ),
        ("retreats/retreat-none", "A Munich was given no retreat order and disbanded."),
    ],
)
def test_verdicts_have_the_expected_sentences(name: str, sentence: str) -> None:
    here = play_case(name)
    assert sentence in [RULESET.words.tell(here.position, verdict) for verdict in here.done.verdicts]


# Rules that need more than one turn, or a check before the deadline ------------------------------------------------


def remarks(case_name: str, power: str, *orders: str) -> list[str]:
    position = position_of(cases()[case_name])
    return [remark.what for remark in RULESET.rules.check(position, power, Sheet(orders=orders))]


def test_check_warns_according_to_the_settings_of_the_game() -> None:
    assert remarks("winter/distance-owned", "Italy") == ["A Tuscany would be removed for you (DP-W-8)"]
    assert remarks("winter/distance-home", "Italy") == ["A Warsaw would be removed for you (DP-W-8)"]
    assert remarks("winter/build-owned", "Germany", "Build A HOL") == []


def test_a_power_whose_last_unit_retreats_is_not_eliminated() -> None:
    here = play_case("moves/head-on-won")
    kinds = [event.event for event in here.done.events]
    assert kinds == ["forced"]
    after = here.done.position
    assert RULESET.due(after) == {"Russia"}
    stays = RULESET.rules.resolve(after, {"Russia": Sheet(orders=("A PRU - LVN",))}, NO_DICE)
    assert [event.event for event in stays.events] == ["retreated"]
    goes = RULESET.rules.resolve(after, {"Russia": Sheet(orders=("Disband A PRU",))}, NO_DICE)
    assert [event.event for event in goes.events] == ["disbanded", "eliminated"]


def test_a_power_that_must_retreat_shares_in_the_draw() -> None:
    case = cases()["moves/head-on-won"]
    position = position_of(dataclasses.replace(case, votes=("Germany", "Russia")))
    result = RULESET.rules.resolve(
        position, sheets_of(dataclasses.replace(case, votes=("Germany", "Russia")), position), NO_DICE
    )
    assert result.ended is not None
    assert result.ended.winners == ("Germany", "Russia")


def test_a_lost_build_may_be_used_next_winter() -> None:
    """DP-W-6: the centre without a unit is still there a year later."""
    here = play_case("winter/inland-fleet")
    position = here.done.position
    assert RULESET.when(position) == "Spring 1902, movement"
    position = RULESET.rules.resolve(position, {}, NO_DICE).position
    position = RULESET.rules.resolve(position, {}, NO_DICE).position
    assert RULESET.when(position) == "Winter 1902, adjustments"
    built = RULESET.rules.resolve(position, {"Russia": Sheet(orders=("Build A MOS",))}, NO_DICE)
    assert [event.event for event in built.events] == ["built"]


def test_case_files_are_read_like_a_players_file() -> None:
    for path in sorted(CASES.glob("*.yaml")):
        if path.stem != "datc":
            assert read(path.read_bytes(), path.name).data
    broken = (CASES / "game.yaml").read_bytes().replace(b"phase:", b"fase:", 1)
    with pytest.raises(Problems, match="unknown key 'fase'; did you mean 'phase'"):
        decode(CaseFile[Case], read(broken, str(Path("game.yaml"))))


# Removals by lot (DP-W-8, `disband_distance: random`) -----------------------------------------------------------------


def test_before_the_dice_roll_a_check_names_no_unit() -> None:
    assert remarks("winter/distance-random", "Italy") == [
        "1 unit would be removed for you, picked by the dice (DP-W-8)"
    ]


def test_dice_roll_only_for_removals_that_nobody_ordered() -> None:
    position = position_of(cases()["winter/distance-random"])
    dice = NamedDice(b"k")
    one = resolve(position, {}, dice)
    assert [(roll.name, roll.sides) for roll in dice.rolls] == [("removal:Italy:1", 2)]
    by_name = ["A Rome", "A Venice"]
    del by_name[dice.rolls[0].value - 1]
    assert sorted(one.position.units["Italy"]) == sorted(by_name)
    all_ordered = NamedDice(b"k")
    resolve(position, {"Italy": Sheet(orders=("Disband A Rome",))}, all_ordered)
    assert all_ordered.rolls == ()
    usual = dataclasses.replace(
        position, settings=dataclasses.replace(position.settings, disband_distance=DisbandDistance.OWNED)
    )
    none = NamedDice(b"k")
    resolve(usual, {}, none)
    assert none.rolls == ()


@pytest.mark.parametrize("sealed", [False, True])
def test_a_game_with_dice_can_be_foreseen_unless_it_is_sealed(tmp_path: Path, sealed: bool) -> None:
    archive = Archive(tmp_path, MASTER if sealed else None)
    archive.games.mkdir()
    new_charter(archive)
    seats = {seat: {"player": seat} for seat in ("Assyria", "Babylon")}
    data: dict[str, Any] = {"ruleset": "diplomacy", "title": "A game", "opened": "2026-11-20", "seats": seats}
    data |= {"sealed": True} if sealed else {"seed": "s"}
    for slug, rule in (("dice", "random"), ("none", "owned")):
        new_game(archive, slug, data | {"settings": {"board": "two_rivers", "disband_distance": rule}})
    assert load_game(archive, "dice").foreseen is not sealed
    assert not load_game(archive, "none").foreseen


def test_the_tally_shows_votes_that_are_kept() -> None:
    """DP-V-12: a page showed such a vote only in the turn that brought it."""
    position = starting_position(Settings())
    assert [table.title for table in RULESET.tables.tally(position)] == ["Standings"]
    votes = {
        "Austria": Vote(draw=True),
        "Italy": Vote(draw=True, among=("Austria", "Italy")),
        "Turkey": Vote(concede="Russia"),
    }
    _, kept = RULESET.tables.tally(dataclasses.replace(position, votes=votes))
    assert kept.rows == (
        ("Austria", "a draw"),
        ("Italy", "a draw of Austria and Italy"),
        ("Turkey", "the game for Russia"),
    )
