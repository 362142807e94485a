"""Al-Andalus: the rulebook's worked examples with their whole outcomes, tables of its cells, and its laws."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import Resolution, SeatId, Verdict
from adjudicator.core.contract.runs import join_facts
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import RULESET, events
from adjudicator.rulesets.al_andalus.examples import Case, case_files, position_of, sheets_of
from adjudicator.rulesets.al_andalus.orders import AnySheet, Fate, PrinceSheet, WazirSheet
from adjudicator.rulesets.al_andalus.position import (
    WAZIRS,
    Command,
    Conquest,
    Position,
    Settings,
    WazirSolo,
    living_wazirs,
    princes,
    seats,
    starting_position,
)
from adjudicator.rulesets.al_andalus.prose import REASONS
from tests.conftest import examples
from tests.rulesets.worked import NO_DICE, Played, by_name, ending, sentences, verdicts_of

RULES = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")
RULE_IDS = tuple(re.findall(r"^\*\*(AA-[A-Z]-\d+)\.\*\*", RULES, flags=re.MULTILINE))
WAR_RULES = (diplomacy.RULESET.folder / "RULES.md").read_text(encoding="utf-8")
FIRST, SECOND, THIRD = WAZIRS
Outcome = Resolution[Position, events.AnyEvent]
Units = Mapping[str, tuple[str, ...]]


CASES = by_name(case_files())


@cache
def play_case(name: str) -> Played[Case, Position, events.AnyEvent]:
    case = CASES[name]
    position = position_of(case)
    return Played(case, position, RULESET.rules.resolve(position, sheets_of(case), NO_DICE))


def sorted_units(table: Units) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(texts)) for name, texts in table.items() if texts}


def nonzero(table: Mapping[str, int]) -> dict[str, int]:
    return {name: dinars for name, dinars in table.items() if dinars}


# The whole outcome of every case ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_verdicts(name: str) -> None:
    here = play_case(name)
    assert verdicts_of(here) == here.case.verdicts


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_events_and_ending(name: str) -> None:
    here = play_case(name)
    assert sentences(RULESET, here.position, here.done.events) == here.case.events
    assert ending(RULESET, here) == here.case.ended


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_position_afterwards(name: str) -> None:
    here = play_case(name)
    before, told, after = here.position, here.case.after, here.done.position
    assert sorted_units(after.war.units) == sorted_units(before.war.units if told.units is None else told.units)
    assert sorted_units(after.war.centres) == sorted_units(before.war.centres if told.centres is None else told.centres)
    assert after.courts == (before.courts if told.courts is None else told.courts)
    assert nonzero(after.purses) == nonzero(before.purses if told.purses is None else told.purses)
    assert nonzero(after.treasuries) == nonzero(before.treasuries if told.treasuries is None else told.treasuries)
    assert after.executed == (before.executed if told.executed is None else told.executed)
    assert after.generals == (before.generals if told.generals is None else told.generals)
    assert after.conquests == (before.conquests if told.conquests is None else told.conquests)
    assert after.votes == (before.votes if told.votes is None else told.votes)
    assert after.heirs == (before.heirs if told.heirs is None else told.heirs)
    assert told.missed is None or after.missed == told.missed
    lost = tuple(diplomacy.DislodgedUnit(**lost) for lost in told.dislodged or ())
    assert after.war.dislodged == (before.war.dislodged if told.dislodged is None else lost)
    assert RULESET.when(after) == here.case.next
    assert after.settings == before.settings


# Coverage of the cases --------------------------------------------------------------------------------------------


def test_every_rule_has_an_example() -> None:
    cited = {rule for case in CASES.values() for rule in case.rules}
    print(f"{len(cited)} of {len(RULE_IDS)} rules are cited by {len(CASES)} examples")
    assert len(RULE_IDS) == len(set(RULE_IDS)) == 108
    # Orders ahead need several turns: tests/core/test_ahead.py plays them.
    assert [rule for rule in RULE_IDS if rule not in cited] == ["AA-I-10"]
    assert cited <= set(RULE_IDS)


def test_every_reason_has_an_example() -> None:
    seen = {verdict.reason for name in CASES for verdict in play_case(name).done.verdicts}
    # For a line that appears twice on the sheet, see test_repeated_lines_count_once_and_contradicting_ones_not_at_all.
    assert sorted(set(REASONS) - seen) == ["repeated"]


def test_every_event_has_an_example() -> None:
    seen = {type(event) for name in CASES for event in play_case(name).done.events}
    assert [kind.__name__ for kind in events.OWN.kinds if kind not in seen] == []


def test_every_verdict_and_ending_names_a_rule_of_a_rulebook() -> None:
    war = set(re.findall(r"^\*\*(DP-[A-Z]-\d+)\.\*\*", WAR_RULES, flags=re.MULTILINE))
    for name in CASES:
        done = play_case(name).done
        assert {verdict.rule for verdict in done.verdicts} <= {*RULE_IDS, *war}, name
        assert done.ended is None or done.ended.rule in RULE_IDS, name


def test_the_first_case_is_the_start() -> None:
    assert play_case("frame/start").position == starting_position(Settings())


# One unit, two masters: every cell --------------------------------------------------------------------------------

SPARE = ("A Niebla - Silves", "A Cadiz - Algeciras")
"""The prince's orders for their other units."""
MINE = {"none": None, "hold": "A Carmona H", "moves": "A Carmona - Malaga", "illegal": "A Carmona - Toledo"}
THEIRS = {
    "none": None,
    "hold": "A Carmona H",
    "same": "A Carmona - Malaga",
    "different": "A Carmona - Cordoba",
    "illegal": "A Carmona - Lisbon",
}


def cell(mine: str, theirs: str, others: int) -> tuple[str, bool, int]:
    """Where the unit in Carmona ends, whether a unit was held back, and the pay: AA-B and AA-C restated."""
    fallow = mine in {"none", "hold", "illegal"}
    acts = theirs in {"same", "different"}
    goal = {"same": "Malaga", "different": "Cordoba"}
    if fallow:
        return (goal[theirs], False, 0) if acts else ("Carmona", False, 1)
    if theirs in {"hold", "different"}:
        return "Carmona", False, 1
    # The prince's move applies. If all the other units are used too, one is held: Carmona is the farthest from home.
    return ("Carmona", True, 1) if others else ("Malaga", False, 0)


@pytest.mark.parametrize(("mine", "theirs", "others"), list(product(MINE, THEIRS, (0, 1, 2))))
def test_a_unit_with_two_masters_carries_out_one_order(mine: str, theirs: str, others: int) -> None:
    position = at({"Seville": ("A Carmona", "A Niebla", "A Cadiz")[: 1 + others]}, courts={FIRST: "Seville"})
    orders = tuple(text for text in (MINE[mine], *SPARE[:others]) if text is not None)
    done = RULESET.rules.resolve(
        position, {"Seville": PrinceSheet(orders=orders), FIRST: WazirSheet(order=THEIRS[theirs])}, NO_DICE
    )
    ends, held, pay = cell(mine, theirs, others)
    assert f"A {ends}" in done.position.war.units["Seville"]
    assert any(isinstance(event, events.HeldBack) for event in done.events) == held
    assert done.position.purses[FIRST] == pay
    assert {"A Silves", "A Algeciras"} & set(done.position.war.units["Seville"]) == {"A Silves", "A Algeciras"} & {
        order.replace("Niebla - ", "").replace("Cadiz - ", "") for order in SPARE[:others]
    }
    assert_each_order_once(
        position, {"Seville": PrinceSheet(orders=orders), FIRST: WazirSheet(order=THEIRS[theirs])}, done
    )


def at(
    units: Units,
    centres: Units | None = None,
    chosen: Settings | None = None,
    *,
    season: diplomacy.Season = diplomacy.Season.SPRING,
    courts: Mapping[str, str] | None = None,
    purses: Mapping[str, int] | None = None,
) -> Position:
    chosen = chosen or Settings()
    first = starting_position(chosen)
    war = replace(first.war, season=season, units=units, centres=centres or {})
    return replace(first, war=war, courts=courts or {}, purses={**first.purses, **(purses or {})})


def test_repeated_lines_count_once_and_contradicting_ones_not_at_all() -> None:
    position = at({"Seville": ("A Seville", "A Niebla")})
    sheet = PrinceSheet(orders=("A Seville - Carmona", "A SEV - CAR", "A Niebla - Silves", "A Niebla - Beja"))
    done = RULESET.rules.resolve(position, {"Seville": sheet}, NO_DICE)
    assert sorted(verdict.reason for verdict in done.verdicts) == [
        "ordered-twice", "ordered-twice", "repeated", "unattacked", "unopposed",
    ]  # fmt: skip
    assert done.position.war.units["Seville"] == ("A Carmona", "A Niebla")
    sentences = [RULESET.words.tell(position, verdict) for verdict in done.verdicts]
    assert "A Seville - Carmona stands on the sheet twice." in sentences


# Dinars -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("had", "kept", "taken"), [(7, 4, 3), (24, 12, 12), (1, 1, 0), (0, 0, 0)])
def test_half_is_rounded_down(had: int, kept: int, taken: int) -> None:
    position = at({"Seville": ("A Seville",)}, courts={FIRST: "Seville"}, purses={FIRST: had})
    done = RULESET.rules.resolve(position, {"Seville": PrinceSheet(arrest=True)}, NO_DICE)
    assert (done.position.purses[FIRST], done.position.treasuries["Seville"]) == (kept, taken)
    assert events.Arrested(prince="Seville", wazir=FIRST, had=had, taken=taken) in done.events


# Missing sheets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", list(diplomacy.Phase))
def test_a_silent_prince_faces_the_consequences_in_every_kind_of_turn(phase: diplomacy.Phase) -> None:
    """An arrest in spring and fall; a disbanded unit and a removed one at other times (AA-I-1, AA-I-2)."""
    position = at(
        {"Seville": ("A Cordoba", "A Seville")}, {"Seville": ("Seville",)}, courts={FIRST: "Seville"}, purses={FIRST: 7}
    )
    war = replace(position.war, phase=phase)
    if phase is diplomacy.Phase.RETREATS:
        lost = diplomacy.DislodgedUnit(power="Seville", unit="A Niebla", attacked_from="Beja")
        war = replace(war, units={**war.units, "Badajoz": ("A Niebla",)}, dislodged=(lost,))
    if phase is diplomacy.Phase.ADJUSTMENTS:
        war = replace(war, season=diplomacy.Season.WINTER)
    done = RULESET.rules.resolve(replace(position, war=war), {}, NO_DICE)
    after = done.position
    moving = phase is diplomacy.Phase.MOVEMENT
    assert after.courts == ({} if moving else {FIRST: "Seville"})
    assert (after.purses[FIRST], after.treasuries["Seville"]) == ((4, 3) if moving else (7, 0))
    assert after.missed == ({"Seville": 1} | dict.fromkeys(WAZIRS, 1) if moving else {})
    assert after.war.units["Seville"] == (
        ("A Seville",) if phase is diplomacy.Phase.ADJUSTMENTS else ("A Cordoba", "A Seville")
    )


def test_a_silent_wazir_still_earns() -> None:
    position = at({"Seville": ("A Seville", "A Niebla")}, courts={FIRST: "Seville"})
    done = RULESET.rules.resolve(position, {"Seville": PrinceSheet(orders=("A Seville - Carmona",))}, NO_DICE)
    assert done.position.purses[FIRST] == 1
    assert not [event for event in done.events if isinstance(event, events.Silent)]


def test_the_turn_waits_for_every_seat_that_may_act() -> None:
    """FA-3 (AA-I-7): in spring and fall the turn waits for every seat that may act, with or without units."""
    position = at({"Badajoz": ("A Badajoz",)}, {"Seville": ("Seville",)}, courts={FIRST: "Seville"})
    assert RULESET.due(position) == {"Badajoz", "Seville", *WAZIRS}
    for seat in seats(position.settings):
        assert (seat in RULESET.due(position)) == any(RULESET.rules.options(position, seat)), seat
    away = {**{wazir: WazirSheet() for wazir in WAZIRS}, "Badajoz": PrinceSheet()}
    for missed in (1, 2):
        position = RULESET.rules.resolve(position, away, NO_DICE).position
        assert position.missed == {"Seville": missed}
    position = RULESET.rules.resolve(position, {}, NO_DICE).position  # nothing is built in the winter
    assert WazirSheet(throne=True) in RULESET.rules.options(position, FIRST)
    follows = RULESET.rules.resolve(position, {**away, FIRST: WazirSheet(throne=True)}, NO_DICE)
    assert events.Ascended(wazir=FIRST, prince="Seville", dinars=0) in follows.events


def test_a_free_general_adjusts_nothing() -> None:
    """FA-3 (AA-L-11): in winter the turn waits for no wazir, because wazirs can order nothing then."""
    first = at({FIRST: ("A Carmona",)}, {"Seville": ("Seville",)}, Settings(generals=True))
    war = replace(first.war, season=diplomacy.Season.WINTER, phase=diplomacy.Phase.ADJUSTMENTS)
    position = replace(first, war=war, generals={FIRST: Command(unit="A Carmona")})
    assert RULESET.due(position) == {"Seville"}
    assert not list(RULESET.rules.options(position, FIRST))


@pytest.mark.parametrize("retreat", [False, True])
def test_land_leaves_before_the_centres_are_counted(*, retreat: bool) -> None:
    """FA-1 (AA-L-16): a retreat elsewhere changes neither who owns what nor who wins."""
    units: dict[str, tuple[str, ...]] = {"Seville": ("A Carmona", "A Seville"), "Granada": ("A Malaga",)}
    centres = {"Seville": ("Cordoba", "Niebla", "Seville"), "Granada": ("Granada", "Malaga")}
    sheets: dict[str, AnySheet] = {"Seville": PrinceSheet(), "Granada": PrinceSheet(hire=FIRST)}
    sheets[FIRST] = WazirSheet(court="Granada")
    if retreat:
        units |= {"Castille": ("A Leon",), "Badajoz": ("A Salamanca", "A Porto", "A Lisbon")}
        sheets["Badajoz"] = PrinceSheet(orders=("A Salamanca - Leon", "A Porto S A Salamanca - Leon"))
    first = at(
        units, centres, Settings(generals=True, victory=3), season=diplomacy.Season.FALL, courts={FIRST: "Seville"}
    )
    position = replace(first, generals={FIRST: Command(unit="A Carmona", land=("Cordoba",))})
    done = RULESET.rules.resolve(position, sheets, NO_DICE)
    if retreat:
        assert (done.position.war.phase, done.ended) == (diplomacy.Phase.RETREATS, None)
        done = RULESET.rules.resolve(done.position, {}, NO_DICE)
    assert done.ended is not None
    assert (done.ended.how, done.ended.winners) == ("solo", ("Granada",))
    assert done.position.war.centres["Granada"] == ("Cordoba", "Granada", "Malaga")
    assert done.position.war.centres["Seville"] == ("Niebla", "Seville")


def test_a_player_who_is_back_has_missed_nothing() -> None:
    position = at({"Seville": ("A Seville",)}, courts={FIRST: "Seville"})
    away = RULESET.rules.resolve(position, {SECOND: WazirSheet()}, NO_DICE).position
    assert away.missed == {"Seville": 1, FIRST: 1, THIRD: 1}
    assert away.heirs == {"Seville": FIRST}
    still = RULESET.rules.resolve(away, {FIRST: WazirSheet(), SECOND: WazirSheet()}, NO_DICE)
    assert events.Vacant(seat="Seville", chooser=FIRST) in still.events
    assert events.Vacant(seat=THIRD) in still.events
    follows = RULESET.rules.resolve(still.position, {FIRST: WazirSheet(throne=True)}, NO_DICE)
    assert events.Ascended(wazir=FIRST, prince="Seville", dinars=0) in follows.events
    assert "Seville" not in follows.position.missed
    back = RULESET.rules.resolve(still.position, {"Seville": PrinceSheet(), THIRD: WazirSheet()}, NO_DICE).position
    assert back.missed == {FIRST: 1, SECOND: 1}
    assert back.heirs == {}


# Victory ----------------------------------------------------------------------------------------------------------

OWNED = (
    "Burgos", "Leon", "Santiago", "Salamanca", "Toledo", "Pamplona", "Calatayud", "Zaragoza", "Tortosa", "Valencia",
    "Barcelona", "Cordoba", "Merida", "Coimbra",
)  # fmt: skip


def end(
    centres: int, *, draw: bool = False, solo: WazirSolo = WazirSolo.MORE_THAN_3, ends: bool = False, **purses: int
) -> tuple[str, tuple[str, ...], str] | None:
    chosen = Settings(wazir_solo=solo, wazir_solo_ends_game=ends)
    owned = {"Castille": OWNED[:centres], "Badajoz": ("Lisbon",)}
    dinars = {f"{name.capitalize()} Wazir": number for name, number in purses.items()}
    units = {"Castille": ("A Leon",), "Badajoz": ("A Lisbon",)}
    position = at(units, owned, chosen, season=diplomacy.Season.FALL, purses=dinars)
    sheets: dict[str, AnySheet] = {
        "Castille": PrinceSheet(draw=draw or None),
        "Badajoz": PrinceSheet(draw=draw or None),
    }
    ended = RULESET.rules.resolve(position, sheets, NO_DICE).ended
    return None if ended is None else (ended.how, ended.winners, ended.rule)


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize(
    ("solo", "least8", "least14"), [(WazirSolo.MORE_THAN_3, 25, 43), (WazirSolo.AT_LEAST_3, 24, 42)]
)
def test_every_pair_of_endings_is_decided(solo: WazirSolo, least8: int, least14: int, *, ends: bool) -> None:
    """Every pair of endings, with just enough dinars and with one too few (AA-K-4 to AA-K-8)."""
    pair = ("Badajoz", "Castille")
    draw = end(8, draw=True, solo=solo, ends=ends, first=least8 - 1)
    assert draw == ("draw", (*pair, FIRST), "AA-K-2")
    assert end(8, draw=True, solo=solo, ends=ends, first=least8) == ("wazir solo", (FIRST,), "AA-K-5")
    assert end(8, solo=solo, ends=ends, first=least8 - 1) is None
    alone = ("wazir solo", (FIRST,), "AA-K-7") if ends else None
    assert end(8, solo=solo, ends=ends, first=least8) == alone
    assert end(14, solo=solo, ends=ends, first=least14 - 1) == ("solo", ("Castille",), "AA-K-1")
    both = ("wazir solo and solo", (FIRST, "Castille"), "AA-K-8")
    assert end(14, solo=solo, ends=ends, first=least14) == both
    assert end(14, draw=True, solo=solo, ends=ends, first=least14 - 1) == ("solo", ("Castille",), "AA-K-1")
    two = end(14, solo=solo, ends=ends, first=least14, second=least14 + 1)
    assert two == ("wazir solo and solo", (SECOND, "Castille"), "AA-K-8")
    shared = end(8, draw=True, solo=solo, ends=ends, second=least8, third=least8)
    assert shared == ("wazir solo", (SECOND, THIRD), "AA-K-8")
    tie = end(8, draw=True, solo=solo, ends=ends, second=5, third=5, first=4)
    assert tie == ("draw", (*pair, SECOND, THIRD), "AA-K-2")


def test_a_wazir_can_end_the_game_only_in_fall() -> None:
    """It ends after the centres have changed hands, so not before the retreats (AA-K-7)."""
    chosen = Settings(wazir_solo_ends_game=True)
    spring = at({"Castille": ("A Leon",)}, {"Castille": ("Leon",)}, chosen, purses={FIRST: 30})
    assert RULESET.rules.resolve(spring, {"Castille": PrinceSheet()}, NO_DICE).ended is None
    units = {"Castille": ("A Leon",), "Badajoz": ("A Salamanca", "A Porto", "A Lisbon")}
    fall = at(units, {"Castille": ("Leon", "Burgos")}, chosen, season=diplomacy.Season.FALL, purses={FIRST: 30})
    attack = PrinceSheet(orders=("A Salamanca - Leon", "A Porto S A Salamanca - Leon"))
    moved = RULESET.rules.resolve(fall, {"Castille": PrinceSheet(), "Badajoz": attack}, NO_DICE)
    assert moved.position.war.phase is diplomacy.Phase.RETREATS
    assert moved.ended is None
    after = RULESET.rules.resolve(moved.position, {}, NO_DICE).ended
    assert after is not None
    assert (after.how, after.winners, after.rule) == ("wazir solo", (FIRST,), "AA-K-7")


# Laws -------------------------------------------------------------------------------------------------------------


def wealth(position: Position) -> int:
    return sum(position.purses.values()) + sum(position.treasuries.values())


def dinars_made(event: events.AnyEvent) -> int:
    """How many dinars an event makes; negative when they vanish."""
    match event:
        case events.Paid(dinars=dinars) | events.Plundered(dinars=dinars):
            return dinars
        case events.Decided(dinars=dinars) | events.TreasuryLost(dinars=dinars) | events.Ascended(dinars=dinars):
            return -dinars
        case _:
            return 0


def wishes(position: Position, seat: SeatId, sheet: AnySheet) -> int:
    """Number of verdicts that a sheet is due: one for each of its orders."""
    if isinstance(sheet, PrinceSheet):
        return (
            len(sheet.orders) + (sheet.hire is not None) + sheet.arrest + (sheet.appoint is not None) + len(sheet.fate)
        )
    if seat in position.executed:
        return 0
    asked = (sheet.court is not None) + (sheet.order is not None)
    return asked + sheet.plunder + sheet.refuse + sheet.resign + sheet.throne


def assert_each_order_once(position: Position, sheets: Mapping[str, AnySheet], done: Outcome) -> None:
    for seat, sheet in sheets.items():
        given_ = [verdict for verdict in done.verdicts if verdict.seat == seat and not verdict.implied]
        assert len(given_) == wishes(position, seat, sheet), (seat, sheet, given_)


NOISE = (
    "",
    "A Toledo",
    "A Toledo - Toledo",
    "F Leon H",
    "nonsense",
    "Build A Leon",
    "A Seville - Atlantis",
    "A Leon H",
)
POOL = (
    "A Seville", "A Niebla", "F Cadiz", "A Carmona", "A Granada", "A Malaga", "A Cordoba", "A Jaen", "A Badajoz",
    "A Merida", "A Evora", "A Azuaga", "A Leon", "A Salamanca", "A Toledo", "F Gulf of Cadiz", "A Zaragoza", "A Medinaceli",
)  # fmt: skip
CENTRES = (
    "Seville",
    "Niebla",
    "Cadiz",
    "Granada",
    "Malaga",
    "Cordoba",
    "Badajoz",
    "Merida",
    "Leon",
    "Salamanca",
    "Toledo",
)


def chance(dice: Random, one_in: int) -> bool:
    return dice.randrange(one_in) == 0


def some_position(dice: Random) -> Position:
    """A position in some season, with wazirs at courts."""
    chosen = Settings(
        generals=chance(dice, 2),
        wazir_solo_ends_game=chance(dice, 2),
        wazir_solo=dice.choice(list(WazirSolo)),
        victory=dice.choice([None, 4]),
    )
    rulers = princes(chosen)
    holder = {unit: dice.choice([*rulers, None]) for unit in POOL}
    owner = {name: dice.choice([*rulers, None]) for name in CENTRES}
    units = {prince: tuple(sorted(unit for unit in POOL if holder[unit] == prince)) for prince in rulers}
    centres = {prince: tuple(sorted(name for name in CENTRES if owner[name] == prince)) for prince in rulers}
    alive = [prince for prince in rulers if units[prince] or centres[prince]]
    executed = (THIRD,) if chance(dice, 5) else ()
    left = [wazir for wazir in WAZIRS if wazir not in executed]
    serving = dice.sample([*alive, None, None], len(left))
    courts = {wazir: prince for wazir, prince in zip(left, serving, strict=True) if prince is not None}
    generals = {}
    for wazir, prince in courts.items():
        if chosen.generals and units[prince] and chance(dice, 2):
            land = tuple(name for name in centres[prince] if chance(dice, 2))
            generals[wazir] = Command(unit=dice.choice(units[prince]), land=land)
    free = [wazir for wazir in left if wazir not in courts]
    if chosen.generals and free and chance(dice, 2):
        wazir = free.pop()
        spare = next((unit for unit in POOL if holder[unit] is None), None)
        land = tuple(sorted(name for name in CENTRES if owner[name] is None))
        if spare is not None:
            units[wazir], centres[wazir], generals[wazir] = (spare,), land, Command(unit=spare, land=land)
    when = dice.choice(["Spring", "Spring", "Fall", "Fall", "Winter", "Retreats"])
    phase = {"Winter": diplomacy.Phase.ADJUSTMENTS, "Retreats": diplomacy.Phase.RETREATS}.get(
        when, diplomacy.Phase.MOVEMENT
    )
    dislodged = []
    conquests: tuple[Conquest, ...] = ()
    if when == "Retreats":
        for wazir, command in generals.items():
            other = courts.get(wazir, wazir)
            if chance(dice, 2):  # The unit was dislodged by the one that is there now.
                units[other] = tuple(unit for unit in units[other] if unit != command.unit)
                winner = dice.choice([prince for prince in alive if prince != other] or list(rulers))
                units[winner] = tuple(sorted((*units[winner], command.unit)))
                dislodged.append(diplomacy.DislodgedUnit(power=other, unit=command.unit, attacked_from=None))
        taken = {lost.unit for lost in dislodged}
        standing = [(prince, unit) for prince in alive for unit in units[prince] if unit not in taken]
        if standing and len(alive) > 1:
            prince, unit = dice.choice(standing)
            loser = dice.choice([other for other in alive if other != prince])
            dislodged.append(diplomacy.DislodgedUnit(power=loser, unit=unit, attacked_from=None))
    if when == "Winter" and free and alive:
        conquests = (Conquest(wazir=free[0], conqueror=dice.choice(alive)),)
    first = starting_position(chosen)
    war = replace(
        first.war,
        season=diplomacy.Season.FALL if when == "Retreats" else diplomacy.Season(when),
        phase=phase,
        units={**first.war.units, **units},
        dislodged=tuple(dislodged),
        centres={**first.war.centres, **centres},
    )
    return replace(
        first,
        war=war,
        courts=courts,
        purses={wazir: dice.randrange(30) for wazir in left},
        treasuries={prince: dice.randrange(30) for prince in rulers},
        generals=generals,
        executed=executed,
        conquests=conquests,
        votes=tuple(prince for prince in alive if chance(dice, 2)),
        missed={seat: dice.randrange(1, 4) for seat in (*alive, *left) if chance(dice, 2)},
        heirs={prince: dice.choice(left) for prince in alive if chance(dice, 3)},
    )


def some_sheets(dice: Random, position: Position) -> dict[str, AnySheet]:
    """Sheets made of options, other wishes and noise; some princes and wazirs agree."""
    sheets: dict[str, AnySheet] = {}
    rulers = princes(position.settings)
    agreed = {wazir: dice.choice(rulers) for wazir in living_wazirs(position) if chance(dice, 2)}
    for seat in seats(position.settings):
        if chance(dice, 10):
            continue
        offered = list(RULESET.rules.options(position, seat))
        if seat in WAZIRS:
            orders = [sheet.order for sheet in offered if isinstance(sheet, WazirSheet) and sheet.order is not None]
            mode = "court" if seat in agreed else dice.choice(["order", "order", "order", "plunder", "any"])
            strange = mode == "any"
            court = agreed.get(seat)
            if strange and chance(dice, 2):
                court = dice.choice(["free", "free", "Nowhere", *rulers])
            sheets[seat] = WazirSheet(
                court=court,
                order=dice.choice(orders) if orders and chance(dice, 2) else dice.choice([None, None, *NOISE]),
                plunder=mode == "plunder" or (strange and chance(dice, 3)),
                refuse=chance(dice, 6),
                resign=chance(dice, 6),
                throne=chance(dice, 6),
            )
            continue
        lines = [line for sheet in offered if isinstance(sheet, PrinceSheet) for line in sheet.orders]
        ordered: list[str] = []
        for unit in position.war.units[seat]:
            own = [line for line in lines if line.startswith(f"{unit} ") and not line.endswith(" H")]
            if own and not chance(dice, 8):
                ordered.append(dice.choice(own))
        if chance(dice, 2):
            ordered.extend(dice.choices([*lines, *NOISE], k=2))
        hires = [wazir for wazir, prince in agreed.items() if prince == seat]
        asked: list[str] = [conquest.wazir for conquest in position.conquests] or [dice.choice(WAZIRS)] * chance(
            dice, 6
        )
        sheets[seat] = PrinceSheet(
            orders=tuple(ordered),
            hire=dice.choice(hires) if hires else dice.choice([None, None, *WAZIRS, "Nobody"]),
            arrest=chance(dice, 8),
            appoint=dice.choice([*position.war.units[seat], *POOL[:2]]) if chance(dice, 3) else None,
            fate={wazir: dice.choice(list(Fate)) for wazir in asked},
            draw=dice.choice([None, None, True, False]),
        )
    return sheets


def some_turn(seed: int) -> tuple[Position, dict[str, AnySheet]]:
    dice = Random(seed)
    position = some_position(dice)
    return position, some_sheets(dice, position)


SEEDS = st.integers(0, 2**63)
"""Turns are generated from a number, so that each kind is as likely as chosen above."""


@pytest.mark.slow
@examples(100)
@given(SEEDS)
def test_laws_hold_for_random_turns(seed: int) -> None:
    position, sheets = some_turn(seed)
    done = RULESET.rules.resolve(position, sheets, NO_DICE)
    after = done.position
    # Dinars are made by pay and plunder, and vanish with executions, fallen treasuries and thrones.
    assert wealth(after) == wealth(position) + sum(map(dinars_made, done.events))
    assert min((*after.purses.values(), *after.treasuries.values())) >= 0
    # A court has one wazir.
    assert len(set(after.courts.values())) == len(after.courts)
    assert set(after.courts) <= set(living_wazirs(after))
    assert set(after.purses) == set(living_wazirs(after))
    # Every order has its verdict, and every verdict and fact a sentence.
    assert_each_order_once(position, sheets, done)
    for fact in (*done.verdicts, *done.events):
        text = RULESET.words.tell(position, fact)
        assert text.strip(), fact
        assert not re.search(r"[{}]|\bNone\b", text), text
    # Sheets may arrive in any order: the stored outcome does not change.
    items = list(sheets.items())
    Random(seed).shuffle(items)
    other = dict(items)
    assert encode(RULESET.rules.resolve(position, other, NO_DICE)) == encode(done)
    assert decode(Position, Text("position", encode(after), {})) == after
    # A wazir without a command owns nothing. A general's unit belongs to their prince or to themselves.
    for wazir in WAZIRS:
        if wazir not in after.generals:
            assert not after.war.units.get(wazir), wazir
            assert not after.war.centres.get(wazir), wazir
    for wazir, command in after.generals.items():
        owner = after.courts.get(wazir, wazir)
        dislodged = {(lost.power, lost.unit) for lost in after.war.dislodged}
        assert command.unit in after.war.units[owner] or (owner, command.unit) in dislodged, (wazir, command)
        assert set(command.land) <= set(after.war.centres.get(owner, ())), (wazir, command)


def uses_a_unit(verdict: Verdict, prince: str) -> bool:
    """True if a prince's own order moved a unit, or had it support or convoy."""
    return (
        verdict.seat == prince and not verdict.implied and not verdict.order.endswith(" H")
        and verdict.result in {"succeeds", "fails", "given", "cut", "available", "disrupted", "invalid"}
        and verdict.order[:2] in {"A ", "F "}
    )  # fmt: skip


@pytest.mark.slow
@examples(75)
@given(SEEDS)
def test_a_unit_stays_at_home(seed: int) -> None:
    """A prince with several units never uses them all by their own orders (AA-B-1); none moves in an arrest (AA-H-1)."""
    position, sheets = some_turn(seed)
    if position.war.phase is not diplomacy.Phase.MOVEMENT:
        return
    done = RULESET.rules.resolve(position, sheets, NO_DICE)
    for prince in princes(position.settings):
        units = position.war.units[prince]
        acting = [verdict for verdict in done.verdicts if uses_a_unit(verdict, prince)]
        commands = any(position.courts.get(wazir) == prince for wazir in position.generals)
        if len(units) > 1 and not commands:
            assert len(acting) < len(units), (prince, acting)
        sheet = sheets.get(prince)
        if sheet is None or (isinstance(sheet, PrinceSheet) and sheet.arrest):
            assert not acting, (prince, acting)


@pytest.mark.slow
@examples(75)
@given(SEEDS)
def test_offered_orders_are_legal(seed: int) -> None:
    """`options` offers nothing that `check` objects to or that is judged illegal."""
    dice = Random(seed)
    position = some_position(dice)
    for seat in seats(position.settings):
        offered = list(RULESET.rules.options(position, seat))
        for sheet in dice.sample(offered, min(3, len(offered))):
            assert not [remark for remark in RULESET.rules.check(position, seat, sheet) if remark.level == "error"], (
                seat,
                sheet,
            )
            done = RULESET.rules.resolve(position, {seat: sheet}, NO_DICE)
            bad = [
                verdict
                for verdict in done.verdicts
                if verdict.seat == seat and verdict.result in {"illegal", "unreadable"}
            ]
            assert not bad, (seat, sheet, bad)


def test_check_reports_faults_in_wishes() -> None:
    """Appointments, fates, thrones and commands, before the deadline (AA-J-2, AA-L-1, AA-L-12, AA-I-5)."""
    start = RULESET.rules.setup(Settings(generals=True), NO_DICE)
    position = replace(
        start,
        courts={WAZIRS[0]: "Seville"},
        conquests=(Conquest(wazir=WAZIRS[1], conqueror="Granada"), Conquest(wazir=WAZIRS[2], conqueror="Granada")),
    )

    def remarks_on(seat: str, sheet: AnySheet) -> list[str]:
        return [remark.what for remark in RULESET.rules.check(position, seat, sheet) if remark.level == "error"]

    assert remarks_on("Seville", PrinceSheet(appoint="A Seville")) == []
    assert remarks_on("Seville", PrinceSheet(appoint="sev")) == []
    for wrong in ("A Granada", "F Seville", "A Nowhere", "nonsense"):
        assert remarks_on("Seville", PrinceSheet(appoint=wrong)) == [f"{wrong!r} is not one of your units (AA-L-1)"]
    both = {WAZIRS[1]: Fate.TAKE, WAZIRS[2]: Fate.TAKE}
    assert remarks_on("Granada", PrinceSheet(fate=both)) == ["a court has only one wazir (AA-E-2, AA-J-2)"]
    assert remarks_on("Granada", PrinceSheet(fate={**both, WAZIRS[1]: Fate.EXECUTE})) == []
    assert remarks_on(WAZIRS[0], WazirSheet(throne=True, resign=True, refuse=True)) == [
        "you can take a prince's place only after they have missed two turns (AA-I-5)", "you have no command to give up (AA-L-12)",
    ]  # fmt: skip
    plain = replace(position, settings=Settings())
    assert [remark.what for remark in RULESET.rules.check(plain, WAZIRS[0], WazirSheet(refuse=True))] == [
        "this game has no generals (setting `generals`)"
    ]


def remarks_on(position: Position, seat: SeatId, sheet: AnySheet) -> list[str]:
    """Messages of `check` about a sheet, errors marked."""
    remarks = RULESET.rules.check(position, seat, sheet)
    return [("! " if remark.level == "error" else "") + remark.what for remark in remarks]


ALL_BUSY = PrinceSheet(orders=("A Carmona - Malaga", "nie - sil", "A Cadiz - Algeciras"))
HELD = "a prince keeps one unit still (AA-B-3): as things are, that will be A Carmona, 1 step from home"


def test_a_prince_who_uses_all_units_is_warned_which_would_be_held() -> None:
    """FA-4 (AA-B-3): `check` names the unit that would be held, and is silent if none would be."""
    position = at({"Seville": ("A Carmona", "A Niebla", "A Cadiz")})
    assert remarks_on(position, "Seville", ALL_BUSY) == [HELD]
    done = RULESET.rules.resolve(position, {"Seville": ALL_BUSY}, NO_DICE)
    assert events.HeldBack(prince="Seville", unit="A Carmona", distance=1) in done.events
    serving = replace(position, courts={FIRST: "Seville"})
    assert remarks_on(serving, "Seville", ALL_BUSY) == [f"{HELD}, unless {FIRST} confuses another unit first (AA-D-1)"]
    first, *others = ALL_BUSY.orders
    twice = ("A Carmona - Cordoba", first, *others)  # An order given twice does not count, nor does an illegal one.
    for orders in (others, ["A Carmona H", *others], ["A Carmona - Lisbon", *others], twice):
        sheet = PrinceSheet(orders=tuple(orders))
        assert not any("AA-B-3" in text for text in remarks_on(position, "Seville", sheet)), orders
        done = RULESET.rules.resolve(position, {"Seville": sheet}, NO_DICE)
        assert not any(isinstance(event, events.HeldBack) for event in done.events), orders
    assert remarks_on(position, "Seville", replace(ALL_BUSY, arrest=True)) == [
        "in a season of arrest, all your units hold (AA-H-1)",
        "no wazir serves you: your units hold all the same, and no dinars change hands (AA-H-6)",
    ]


def test_generals_change_the_limit_only_for_their_own_prince() -> None:
    """FA-8: with generals on, `check` warns every other prince of the unit that would be held (AA-B-3, AA-L-2)."""
    units = {"Seville": ("A Carmona", "A Niebla", "A Cadiz"), "Granada": ("A Granada",)}
    position = at(units, None, Settings(generals=True), courts={FIRST: "Granada"})
    position = replace(position, generals={FIRST: Command(unit="A Granada")})
    assert remarks_on(position, "Seville", ALL_BUSY) == [HELD]
    own = replace(position, courts={FIRST: "Seville"}, generals={FIRST: Command(unit="A Niebla")})
    alone = "! only First Wazir can order A Niebla (AA-L-2)"
    assert remarks_on(own, "Seville", ALL_BUSY) == [alone]


@pytest.mark.parametrize("line", ["A Niebla - Silves", "nie - sil", "a Labla to Shilb", "NIE H"])
def test_a_generals_unit_is_known_by_every_spelling(line: str) -> None:
    """FA-8 (AA-L-2)."""
    units = {"Seville": ("A Niebla", "A Seville")}
    position = at(units, None, Settings(generals=True), courts={FIRST: "Seville"})
    position = replace(position, generals={FIRST: Command(unit="A Niebla")})
    assert remarks_on(position, "Seville", PrinceSheet(orders=(line,))) == [
        "! only First Wazir can order A Niebla (AA-L-2)"
    ]
    assert remarks_on(position, FIRST, WazirSheet(order=line)) == []


def test_check_warns_of_whatever_comes_to_nothing() -> None:
    """FA-5, FA-8: `check` warns beforehand of whatever the turn would refuse or lose."""
    units = {"Seville": ("A Niebla", "A Seville"), "Granada": ("A Granada",)}
    position = at(units, None, Settings(generals=True), courts={FIRST: "Seville"})
    plunders = "if you plunder, all units hold, and your order is lost (AA-G-1)"
    assert remarks_on(position, FIRST, WazirSheet(order="A Niebla H", plunder=True)) == [plunders]
    leaves = "on the way to another court you order no unit and plunder nothing (AA-C-10)"
    assert remarks_on(position, FIRST, WazirSheet(order="A Niebla H", court="Granada")) == [leaves]
    assert remarks_on(position, FIRST, WazirSheet(plunder=True, court="Granada")) == [leaves]
    command = Command(unit="A Niebla", land=("Niebla",))
    general = replace(position, generals={FIRST: command})
    other = "! a general orders only their own unit: A Niebla (AA-L-2)"
    assert remarks_on(general, FIRST, WazirSheet(order="a sev - car")) == [other]
    assert remarks_on(general, "Seville", PrinceSheet(appoint="A Seville")) == [
        "First Wazir already commands A Niebla: this works only if that command ends this season (AA-L-1)"
    ]
    assert remarks_on(general, FIRST, WazirSheet(court="free")) == []
    assert remarks_on(general, FIRST, WazirSheet(court="free", resign=True)) == [
        "! a general who gives up the command does not go free (AA-L-8)"
    ]
    nobody = "! no wazir serves you, so nobody can become a general this season (AA-L-1)"
    assert remarks_on(position, "Granada", PrinceSheet(appoint="A Granada")) == [nobody]
    lost = "no wazir serves you: your units hold all the same, and no dinars change hands (AA-H-6)"
    assert remarks_on(position, "Granada", PrinceSheet(arrest=True)) == [lost]
    assert remarks_on(position, "Seville", PrinceSheet(arrest=True)) == []
    winter = replace(general.war, season=diplomacy.Season.WINTER, phase=diplomacy.Phase.ADJUSTMENTS)
    remarks = remarks_on(replace(general, war=winter), FIRST, WazirSheet(order="Build A Niebla"))
    assert "! a general gives no orders for adjustments (AA-L-11)" in remarks


def test_a_general_may_be_appointed_when_the_command_ends() -> None:
    """FA-8: so that is a warning, not an error (AA-L-1, AA-L-12)."""
    units = {"Seville": ("A Niebla", "A Seville")}
    position = at(units, None, Settings(generals=True), courts={FIRST: "Seville"})
    position = replace(position, generals={FIRST: Command(unit="A Niebla")})
    sheets: dict[str, AnySheet] = {"Seville": PrinceSheet(appoint="A Seville"), FIRST: WazirSheet(resign=True)}
    done = RULESET.rules.resolve(position, sheets, NO_DICE)
    assert done.position.generals == {FIRST: Command(unit="A Seville")}


def test_a_prince_and_a_capital_with_the_same_name_are_named_once() -> None:
    """ST-8: Badajoz took Seville, not “from Seville”; and an arrest that nobody ordered is not reported as if somebody had."""
    position = starting_position(Settings())
    taken = diplomacy.Taken(centre="Seville", power="Badajoz", lost_by="Seville")
    assert RULESET.words.tell(position, taken) == "Badajoz took Seville."
    done = RULESET.rules.resolve(position, {}, NO_DICE)
    lines = [RULESET.words.tell(position, event) for event in done.events]
    assert "Seville sent no orders, which counts as ordering an arrest." in lines
    assert "There was no wazir at the court of Seville to arrest." in lines


def test_joined_sentences_distinguish_princes_from_cities() -> None:
    """ST-8: where pages report several at once."""
    position = starting_position(Settings())
    taken = [diplomacy.Taken(centre=city, power="Badajoz", lost_by="Seville") for city in ("Seville", "Carmona")]
    arrests = [event for event in RULESET.rules.resolve(position, {}, NO_DICE).events if event.event == "arrested"]
    told = [
        sentence.text
        for facts in (taken, arrests)
        for sentence in join_facts(
            facts, lambda fact: RULESET.words.tell(position, fact), lambda fact: 0, RULESET.words.joints
        )
    ]
    assert told[0] == "Badajoz took Seville and Carmona from the prince of Seville."
    assert told[1:] == [
        "There was no wazir to arrest at the courts of Badajoz, Castille, Granada, Seville and Zaragoza."
    ]


def test_the_rule_that_a_refused_attempt_protects_nobody_is_marked_as_our_choice() -> None:
    """ST-9, AA-H-4: the source says both, and the rule quotes both."""
    rule = " ".join(RULES.partition("**AA-H-4.**")[2].partition("\n\n")[0].split())
    assert rule.startswith("*Ours.*")
    assert '"unless they had switched Princes" to princes' in rule
    assert '"who has not given the order to switch Princes" to wazirs, by which a refused attempt would protect' in rule
