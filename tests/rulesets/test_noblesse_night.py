"""Noblesse turn by turn: every rule of Nights, Days and the setup, each on a small board with its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudicator.core.text.codec import decode, dump, encode, load
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.noblesse.battle import Fight
from adjudicator.rulesets.noblesse.day import found_courts, setup
from adjudicator.rulesets.noblesse.events import (
    Agreed,
    Battle,
    Built,
    Control,
    Died,
    Ennobled,
    FactionGone,
    Gone,
    HeirBorn,
    Message,
    Moved,
    Raised,
    Rumour,
    Silent,
    SpyReport,
    Succession,
    Trained,
    Untitled,
    Victory,
    Voted,
    Wounded,
)
from adjudicator.rulesets.noblesse.night import NIGHT
from adjudicator.rulesets.noblesse.options import check
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import OPTIONS, Heir, Holding, Noble, Phase, Position, Settings
from adjudicator.rulesets.noblesse.recruiting import price_of
from adjudicator.rulesets.noblesse.scenario import (
    DATA,
    RESOURCES,
    Company,
    Stock,
    amount_of,
    load_scenario,
    tables,
)
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal
from tests.rulesets.noblesse_world import FACTIONS, HOMES, STRONG, WALLS, WEAK, Board, Turn, dice, play_turn, resolve

FARNA = Settings().board
DAY = Phase.DAY


def stock(influence: int = 0, manpower: int = 0, money: int = 0) -> Stock:
    return Stock(influence=influence, manpower=manpower, money=money)


def fights(turn: Turn) -> tuple[Fight, ...]:
    """The fights of the only battle of a Night."""
    (battle,) = turn.all(Battle)
    return battle.fights


def survivors(turn: Turn) -> set[str]:
    return set(turn.after.units)


# A. Time, phases, order of work -----------------------------------------------------------------------------------


def test_nights_and_days_alternate() -> None:
    """NB-A-1, NB-A-2, NB-W-1: the setup, then Night 1 first; cycle k is Night k and Day k."""
    position = setup(Settings(), dice())
    seen = []
    for _ in range(5):
        seen.append((position.cycle, position.phase.value))
        position = play_turn(position, {}).after
    assert seen == [(1, "setup"), (1, "night"), (1, "day"), (2, "night"), (2, "day")]


def test_a_night_has_its_steps_in_order() -> None:
    """NB-A-3."""
    assert [step.__name__ for step in NIGHT] == [
        "begin", "move_units", "use_abilities", "carry_out_actions", "recruit", "fight", "complete_buildings",
        "post_courtiers", "collect", "report_spies", "end_with_the_cycle", "note_deeds",
        "win",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("nobles", "first"),
    [({}, "Pape"), ({"TCK": 1}, "TCK"), ({"TCK": 1, "Alliance": 2}, "Alliance"), ({"Fleurs": 1, "TCK": 1}, "Fleurs")],
)
def test_factions_act_by_nobles_then_prestige(nobles: Mapping[str, int], first: str) -> None:
    """NB-A-4, NB-A-5: four leaders want the one company that is for rent."""
    board = Board()
    seats = iter(("D4", "D5", "D6", "D7"))
    for faction, count in nobles.items():
        board.noble(faction, *(next(seats) for _ in range(count)))
    leaders = [members[0] for members in FACTIONS.values()]
    turn = board.rich(*leaders).night(**{seat: [f"Hire Kantonians for {seat}"] for seat in leaders})
    for faction, (leader, *_) in FACTIONS.items():
        won = faction == first
        assert turn.said(leader) == ["succeeds hired NB-L-6" if won else "fails rented NB-L-11"]


def test_inside_a_faction_the_leader_goes_first_then_names() -> None:
    """NB-A-7, NB-E-9: three with units there want to place the Steward."""
    board = Board()
    for number, seat in enumerate(FACTIONS["Pape"], start=1):
        board.unit(f"U{number}", seat, "D4")
    want = ["Steward at D4"]
    turn = board.night(Anise=want, Basil=want, Borage=want)
    assert turn.said("Basil") == ["succeeds posted NB-E-7"]
    assert turn.said("Anise") == turn.said("Borage") == ["fails post-taken NB-F-3"]
    turn = board.night(Borage=want, Anise=want)
    assert turn.said("Anise") == ["succeeds posted NB-E-7"]


def test_stocks_have_no_upper_limit() -> None:
    """NB-A-13, NB-A-14: whole numbers, never negative, as large as they like; a saved position is read again."""
    board = Board().stock("Basil", money=1500).stock("Anise", money=990).post("Anise", "tax", "A1", "money")
    turn = board.night(Basil=["Share 1200 money with Anise"])
    assert (turn.stock("Basil"), turn.stock("Anise")) == ((0, 0, 300), (0, 0, 2191))
    assert encode(decode(Position, Text("position", encode(turn.after), {}))) == encode(turn.after)


def test_stocks_start_at_nothing_and_the_first_unit_is_free() -> None:
    """NB-A-14."""
    turn = resolve_setup({seat: Sheet(unit="regiment led by pc: 2 Lancers, 3 Pikes") for seat in FARNA.players})
    assert {str(player.stock) for player in turn.after.players.values()} == {"nothing"}
    assert {event.price for event in turn.all(Raised)} == {stock()}
    assert len(turn.after.units) == 12


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Dance", "unreadable unreadable NB-A-16"),
        ("Move U1 to Z9", "unreadable unreadable NB-A-16"),
        ("Move U9 to A2", "illegal not-your-unit NB-A-16"),
        ("Move U2 to J2", "illegal not-your-unit NB-A-16"),
        ("Vote Fennel", "illegal not-now NB-A-16"),
        ("Accept marriage of Fennel", "illegal not-now NB-A-16"),
        ("Ability 2 on U2", "illegal not-your-unit NB-A-16"),
        (f"Recruit regiment at A1 led by Noble of D4: {WEAK}", "fails no-such-noble NB-X-2"),
        (f"Recruit regiment at A1 led by noble of D9: {WEAK}", "fails no-such-noble NB-X-2"),
    ],
)
def test_a_wrong_order_never_stops_the_night(line: str, said: str) -> None:
    """NB-A-16: skipped with a reason, and the rest goes on."""
    board = Board().rich("Anise").unit("U1", "Anise", "A1").unit("U2", "Fennel", "J1").player("Anise", without="five")
    turn = board.night(Anise=[line, "Move U1 to B1"])
    assert sorted(turn.said("Anise")) == sorted([said, "succeeds moved NB-B-5"])
    assert turn.at("U1") == "B1"


# C. Setup and roles -----------------------------------------------------------------------------------------------

START = setup(Settings(), dice())


def of_faction(faction: str, position: Position = START) -> list[str]:
    return sorted(seat for seat, player in position.players.items() if player.faction == faction)


def resolve_setup(sheets: Mapping[str, Sheet], position: Position = START) -> Turn:
    return Turn(position, found_courts(position, sheets, dice()))


def test_roles_are_dealt() -> None:
    """NB-C-1, NB-C-8: each role once; three players a faction, led by its first role; ten Courtiers each, unless an ability gives more (NB-C-18)."""
    assert sorted(player.role for player in START.players.values()) == sorted(FARNA.roles)
    more = {player.role: len(player.courtiers) for player in START.players.values() if len(player.courtiers) != 10}
    assert more == {"Lorenzo di Vicire": 13, "Giovanni di Vicire": 11, "Toto di Vicire": 11}
    for name, faction in START.factions.items():
        assert len(of_faction(name)) == 3
        assert faction.leader is not None
        assert START.players[faction.leader].role == FARNA.roles_of(name)[0]


def test_players_without_a_sheet_before_the_start_still_get_a_home_and_an_income() -> None:
    """NB-C-2, NB-C-7, NB-E-1: every player has a separate square in their range, five points, and one option less."""
    turn = resolve_setup({})
    homes = [player.home or "" for player in turn.after.players.values()]
    assert len(set(homes)) == 12
    for player in turn.after.players.values():
        assert player.home in FARNA.start(player.faction)
        assert sum(encode(player.design).values()) == 5
        assert player.without in OPTIONS
    assert turn.after.units == {}


def test_a_home_must_be_in_the_roles_range() -> None:
    """NB-C-1: the role's squares."""
    seat = of_faction("Pape")[0]
    turn = resolve_setup({seat: Sheet(homes=("E5", "C3"))})
    assert turn.said(seat) == ["illegal not-in-range NB-C-1", "succeeds home NB-C-2"]
    assert turn.player(seat).home == "C3"


@pytest.mark.parametrize(
    ("without", "line", "said"),
    [
        ("two", "Ability 2 on U1", "illegal without NB-C-3"),
        ("five", "Ability 5", "illegal without NB-C-3"),
        ("eight", "Ability 8 on steward at D4", "illegal without NB-C-3"),
        ("companies", "Recruit regiment at A1 led by Sergeant: 2 own, 3 Militia", "illegal without NB-C-3"),
        ("five", "Ability 2 on U1", "succeeds inspire NB-C-13"),
        ("two", "Ability 5", "succeeds levy NB-C-14"),
        ("two", "Ability 8 on steward at D4", "succeeds expel NB-C-22"),
        ("two", "Recruit regiment at A1 led by Sergeant: 2 own, 3 Militia", "succeeds recruited NB-B-15"),
        ("two", "Recruit garrison at A1 led by Sergeant: 5 Pikes, 3 own", "illegal not-filled NB-B-15"),
    ],
)
def test_an_ability_that_was_left_out_cannot_be_used(without: str, line: str, said: str) -> None:
    """NB-C-3."""
    board = Board().rich("Anise").player("Anise", without=without).unit("U1", "Anise", "A1")
    board.hold("D4", "TCK").post("Fennel", "steward", "D4").post("Anise", "spy", "D4")
    assert board.night(Anise=[line]).said("Anise") == [said]


@pytest.mark.parametrize(
    ("line", "seat", "paid"),
    [
        ("Ability 2 on U1", "Anise", stock(money=2)),
        ("Ability 5", "Anise", stock(money=5)),
        ("Ability 8 on steward at D4", "Anise", stock(money=8)),
        ("Ability 5", "Dill", stock(manpower=5)),
        ("Ability 5", "Fennel", stock(manpower=5)),
        ("Ability 5", "Tansy", stock(influence=5)),
    ],
)
def test_abilities_cost_2_5_and_8_of_the_factions_resource(line: str, seat: str, paid: Stock) -> None:
    """NB-C-1, NB-K-12: and an Envoy."""
    board = Board().rich(seat).unit("U1", seat, "D5").hold("D4", "TCK").post("Hyssop", "steward", "D4")
    board.post("Anise", "spy", "D4")
    turn = board.night(**{seat: [line]})
    assert board.now.players[seat].stock - turn.player(seat).stock == paid


def test_each_ability_has_its_effect() -> None:
    """NB-5.6, NB-C-1: 5 more Morale tonight; 3 Manpower less, not below the formation; sent home and not posted tonight."""
    board = Board().rich("Anise", "Fennel").unit("U1", "Anise", "D4", leader="Sergeant")
    board.unit("U2", "Fennel", "D4", leader="Sergeant").hold("E7", "TCK").post("Fennel", "steward", "E7")
    assert fights(board.night())[0].start == (10, 15)
    assert fights(board.night(Anise=["Ability 2 on U1"]))[0].start == (10, 20)
    for companies, usual, less in ((WALLS, 6, 3), ("5 Militia, 3 Crossbows", 5, 2), ("5 Militia, 3 Levy Office", 5, 2)):
        order = f"Recruit garrison at A1 led by courtier: {companies}"
        assert board.night(Anise=[order]).all(Raised)[0].price == amount_of("manpower", usual)
        assert board.night(Anise=["Ability 5", order]).all(Raised)[0].price == amount_of("manpower", less)
    board.post("Anise", "spy", "E7")
    turn = board.night(Anise=["Ability 8 on steward at E7"])
    assert (turn.posts("Fennel"), turn.by("E7")) == ([], "TCK")


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("regiment led by courtier: 2 Lancers, 3 Halberds", "succeeds first-unit NB-C-4"),
        ("regiment led by Sergeant: 2 Lancers, 3 Halberds", "illegal too-dear NB-C-4"),
        ("regiment led by Sergeant: 2 Lancers, 3 Pikes", "succeeds first-unit NB-C-4"),
        ("garrison led by pc: 5 Militia, 3 Longbows", "succeeds first-unit NB-C-4"),
        ("garrison led by pc: 5 Pikes, 3 Longbows", "illegal too-dear NB-C-4"),
        ("brigade led by pc: 2 Outriders, 5 Militia, 2 Notaries", "illegal too-dear NB-C-4"),
        ("division led by pc: 4 Outriders, 7 Militia, 2 Notaries", "illegal too-dear NB-C-4"),
        ("regiment led by heir: 2 Lancers, 3 Pikes", "illegal no-officer NB-C-6"),
        ("regiment led by Legate of Prosperity: 2 Lancers, 3 Pikes", "illegal no-officer NB-C-6"),
        ("regiment led by pc: 2 Lancers, 2 Pikes", "illegal not-filled NB-C-4"),
        ("regiment led by pc: 2 Dragons, 3 Pikes", "unreadable unreadable NB-C-4"),
    ],
)
def test_a_starting_unit_stays_within_its_budget(unit: str, said: str) -> None:
    """NB-C-4, NB-C-5, NB-C-6: 5 Manpower at most, 30 tiers for a Regiment or Garrison, never a Division."""
    turn = resolve_setup({"Anise": Sheet(unit=unit)})
    assert turn.said("Anise") == [said]
    assert len(turn.after.units) == said.startswith("succeeds")


def test_no_division_fits() -> None:
    """NB-C-5: thirteen companies of tier 1 already cost 6; thirty tiers are 5 for Regiment and Garrison, twenty for a Brigade."""
    forms = tables().formations
    assert forms["division"].price + -(-13 // 10) == 6
    most = {name: (5 - form.price) * 10 for name, form in forms.items()}
    assert most == {"regiment": 30, "brigade": 20, "division": 10, "garrison": 30}


def test_a_starting_unit_may_move_two_estates_in_the_first_night() -> None:
    """NB-C-6, NB-B-6: two estates in the first Night."""
    seat = of_faction("Pape")[0]
    turn = resolve_setup({seat: Sheet(homes=("C3",), unit="regiment led by pc: 2 Lancers, 3 Pikes")})
    (name,) = turn.after.units
    after = turn.again(**{seat: [f"Move {name} to D3, E3"]})
    assert (after.said(seat), after.at(name)) == (["succeeds moved NB-B-5"], "E3")
    assert after.again().again(**{seat: [f"Move {name} to E4, E5"]}).said(seat) == ["illegal too-far NB-B-6"]


def test_of_two_players_who_wish_for_one_square_the_first_by_name_gets_it() -> None:
    """NB-C-7: inside a faction the name decides, not the leadership; the other player gets their next wish."""
    position = next(
        position
        for number in range(50)
        for position in (setup(Settings(), dice(f"wish {number}")),)
        if position.factions["Pape"].leader == of_faction("Pape", position)[-1]
    )
    first, second, third = of_faction("Pape", position)
    turn = resolve_setup({seat: Sheet(homes=("B2", "B3", "C3")) for seat in (first, second, third)}, position)
    assert [turn.player(seat).home for seat in (first, second, third)] == ["B2", "B3", "C3"]
    assert turn.said(third) == ["fails home-taken NB-C-7", "fails home-taken NB-C-7", "succeeds home NB-C-2"]


def test_a_player_without_wishes_takes_no_square_that_another_wished_for() -> None:
    """NB-C-7: only players who wrote a square down compete for it."""
    for seat in of_faction("Pape"):
        turn = resolve_setup({seat: Sheet(homes=("A1",))})
        assert (turn.said(seat), turn.player(seat).home) == (["succeeds home NB-C-2"], "A1")


# E. Estates and control -------------------------------------------------------------------------------------------


def test_there_are_21_designs() -> None:
    """NB-E-1, NB-E-2: every way of writing 5 as three whole numbers, and no other."""
    good = 0
    for influence in range(7):
        for manpower in range(7):
            for money in range(7):
                design = stock(influence, manpower, money)
                turn = resolve_setup({"Anise": Sheet(income=design)})
                if influence + manpower + money == 5:
                    good += 1
                    assert (turn.said("Anise"), turn.player("Anise").design) == (["succeeds design NB-E-1"], design)
                elif design:
                    assert turn.said("Anise") == ["illegal not-five NB-E-1"]
                    assert sum(encode(turn.player("Anise").design).values()) == 5
    assert good == 21
    with pytest.raises(Problems):
        load(Sheet, b"income: {influence: 6, manpower: 0, money: -1}\n", "sheet")


def test_a_design_cannot_be_changed_later() -> None:
    """NB-E-3."""
    board = Board().post("Anise", "tax", "A1", "influence")
    done = play_turn(board.now, {})
    sheets = {"Anise": Sheet(income=stock(5), homes=("C3",), without="two")}
    with_sheet = resolve_with(board.now, sheets)
    assert with_sheet.after.players["Anise"] == replace(done.after.players["Anise"], missed=0)
    assert with_sheet.stock("Anise") == (2, 0, 0)


def resolve_with(position: Position, sheets: Mapping[str, Sheet]) -> Turn:
    from adjudicator.rulesets.noblesse.night import resolve_night

    return Turn(position, resolve_night(position, sheets, dice()))


@pytest.mark.parametrize(
    ("change", "said", "by"),
    [
        ("", "succeeds handed NB-K-17", "Anise"),
        ("no heir", "fails no-heir NB-K-17", "Pape"),
        ("hostage", "fails no-heir NB-K-17", "Pape"),
        ("second", "fails no-more-estates NB-E-5", "Pape"),
        ("another’s Steward", "fails no-steward NB-K-17", "Pape"),
        ("lost", "fails no-steward NB-K-17", None),
        ("mine", "fails not-the-factions NB-K-17", "Anise"),
    ],
)
def test_a_steward_hands_their_estate_to_the_heir(change: str, said: str, by: str | None) -> None:
    """NB-K-5, NB-K-17: it is then the player’s, as their one extra estate; the Steward is at court, for the next cycle."""
    owner = {"lost": None, "mine": "Anise"}.get(change, "Pape")
    board = Board().hold("D4", owner)
    if change != "lost":
        board.post("Basil" if change == "another’s Steward" else "Anise", "steward", "D4")
    if change != "no heir":
        board.heir("Anise", "Fennel", **({"hostage": "Fennel"} if change == "hostage" else {}))
    if change == "second":
        board.hold("D5", "Anise")
    turn = board.night(Anise=["Hand D4 to heir"])
    assert (turn.said("Anise"), turn.by("D4")) == ([said], by)
    if change == "":
        assert turn.posts("Anise") == []
        assert [(event.at, event.by, event.before) for event in turn.all(Control)] == [("D4", "Anise", "Pape")]
        # The Steward is free again, but not in the same cycle (NB-K-1); a Tax Collector from court may go at once.
        idle = [courtier for courtier in board.now.players["Anise"].courtiers if courtier.post == "court"]
        lines = [f"Tax {name} at D4" for name in ("influence", "manpower")]
        busy = tuple(replace(courtier, post="spy", at="A1") for courtier in idle[1:])
        steward = tuple(courtier for courtier in board.now.players["Anise"].courtiers if courtier.post != "court")
        board.player("Anise", courtiers=(*idle[:1], *busy, *steward))
        again = board.night(Anise=["Hand D4 to heir", *lines])
        assert again.said("Anise") == ["succeeds handed NB-K-17", "succeeds posted NB-F-2", "fails no-courtier NB-K-1"]


def test_an_estate_with_others_on_it_is_not_taken() -> None:
    """NB-E-6, NB-H-13, NB-P-15: units that do not fight each other still keep each other from taking it."""
    board = Board().unit("U1", "Anise", "D4").unit("U2", "Fennel", "D4").heir("Fennel", "Anise", hostage="Anise")
    turn = board.night(Anise=["Steward at D4"], Fennel=["Steward at D4"])
    assert turn.said("Anise") == turn.said("Fennel") == ["fails others-there NB-E-6"]
    assert (turn.all(Battle), turn.by("D4")) == ([], None)


@pytest.mark.parametrize("by", [None, "TCK", "Pape", "Fennel", "Fleurs"])
def test_a_player_without_a_unit_on_an_estate_learns_nothing_by_asking(by: str | None) -> None:
    """NB-C-9, NB-K-18: whoever holds it, and whatever is posted there, strangers get one and the same answer."""
    board = Board().unit("U1", "Anise", "D5").hold("D4", by)
    if by == "TCK":
        board.post("Hyssop", "steward", "D4").noble("TCK", "D4")
    elif by == "Fennel":
        board.post("Fennel", "tax", "D4", "money")
    elif by == "Pape":
        board.post("Borage", "steward", "D4")
    lines = ["Steward at D4", "Lobby money at D4", "Lobby influence at A9", "Tax money at D4", "Staff arsenal at D4"]
    turn = board.night(Anise=lines)
    assert turn.said("Anise") == [
        "fails no-unit-there NB-E-6",
        "fails no-collector NB-F-4",
        "fails no-collector NB-F-4",
        "illegal not-your-estate NB-F-2",
        "illegal not-your-estate NB-G-6",
    ]
    # The leader knows what their faction has, and may serve it anywhere.
    led = board.night(Basil=["Steward at D4"]).said("Basil")
    assert led == ["fails post-taken NB-F-3" if by == "Pape" else "fails no-unit-there NB-E-6"]


def test_only_its_owner_and_their_leader_learn_why_a_unit_does_not_march() -> None:
    """NB-X-17, NB-C-9: a member may send any unit of their faction; if it does not go, they do not learn why."""
    board = Board().unit("U1", "Borage", "C5").unit("U2", "Fennel", "C6").rich("Anise", "Basil")
    turn = board.night(Anise=["March U1 to A1", "March U2 to A1", "March U3 to A1"], Basil=["March U1 to A1"])
    assert turn.said("Anise") == ["illegal not-your-unit NB-X-17"] * 3
    assert [verdict.facts for verdict in turn.verdicts("Anise")] == [{"unit": f"U{number}"} for number in (1, 2, 3)]
    assert turn.said("Basil") == ["fails not-beside NB-X-17"]
    assert board.night(Anise=["March U1 to C4"]).said("Anise") == ["succeeds marched NB-X-6"]


def test_everything_on_a_lost_estate_goes_home_or_is_gone() -> None:
    """FN-9, NB-E-11, NB-E-12, NB-E-14, NB-E-15: all Courtiers there go home, Spies too; unfinished buildings are gone."""
    board = Board().hold("A1", "Anise", arsenal=0, university=6).unit("U1", "Fennel", "B1")
    for post, what in (("tax", "money"), ("lobby", "money"), ("staff", "arsenal"), ("overseer", "university")):
        board.post("Anise", post, "A1", what)
    board.post("Anise", "spy", "A1").unit("U2", "Anise", "D4").post("Anise", "tax", "A1", "influence")
    turn = board.night(Fennel=["Move U1 to A1"])
    assert turn.posts("Anise") == [("commander", "D4", "U2")]
    assert turn.after.estates["A1"] == Holding(by=None, buildings={"arsenal": 0})
    assert turn.stock("Anise") == (0, 0, 0)
    assert [(event.by, event.before) for event in turn.all(Control)] == [(None, "Anise")]
    after = turn.again().again(Fennel=["Steward at A1"])
    assert (after.by("A1"), after.stock("Hyssop")) == ("TCK", (1, 1, 1))


@pytest.mark.parametrize(("defended", "by"), [(True, "Anise"), (False, None)])
def test_an_estate_with_a_defender_is_kept(defended: bool, by: str | None) -> None:
    """NB-E-13: any unit of the faction holds it, here one that the visitor does not fight (NB-P-15)."""
    board = Board().unit("U1", "Fennel", "A1").heir("Fennel", "Borage", hostage="Borage")
    if defended:
        board.unit("U2", "Borage", "A1")
    assert board.night().by("A1") == by


def test_a_home_is_lost_and_comes_back() -> None:
    """NB-E-16: no income, recruits or buildings while another has it; back at the end of combat without a Steward."""
    board = Board().hold("A1", "TCK").post("Fennel", "steward", "A1").rich("Anise").unit("U1", "Borage", "A2")
    orders = ["Tax money at A1", f"Recruit garrison at A1 led by pc: {WALLS}", "Build arsenal at A1", "Tax money at A2"]
    turn = board.night(Anise=orders)
    assert sorted(turn.said("Anise")) == [
        "illegal not-your-estate NB-B-20", "illegal not-your-estate NB-F-2", "illegal not-your-estate NB-F-2",
        "illegal not-your-estate NB-G-6",
    ]  # fmt: skip
    assert turn.player("Anise").alive
    turn = board.night(Borage=["Move U1 to A1"], Anise=["Tax money at A1"])
    assert (turn.by("A1"), turn.said("Anise"), turn.posts("Fennel")) == ("Anise", ["succeeds posted NB-F-2"], [])
    assert [(event.by, event.before) for event in turn.all(Control)] == [(None, "TCK"), ("Anise", None)]


# F. Income --------------------------------------------------------------------------------------------------------


def test_base_incomes_are_0_to_5() -> None:
    """NB-F-1, 5.2: 0 to 5 of each; and no scenario may have more."""
    assert all(0 <= getattr(FARNA.income(estate), name) <= 5 for estate in FARNA.estates for name in RESOURCES)
    incomes = {estate: str(FARNA.income(estate)) for estate in ("E5", "A1", "J10")}
    assert incomes == {
        "E5": "3 influence, 2 manpower", "A1": "1 influence, 1 manpower", "J10": "1 influence, 1 manpower",
    }  # fmt: skip
    text = (DATA / "farna.yaml").read_bytes()
    with pytest.raises(Problems, match="NB-F-1"):
        load_scenario(text.replace(b"A1: [1, 1, 0]", b"A1: [1, 6, 0]"), "farna.yaml")


WORKED = stock(0, 3, 2)


@pytest.mark.parametrize(
    ("orders", "said", "gained"),
    [
        (["Steward at A1"], ["succeeds posted NB-F-3"], (0, 1, 1)),
        (["Tax manpower at A1", "Tax money at A1"], ["succeeds posted NB-F-2"] * 2, (0, 3, 2)),
        (
            ["Tax manpower at A1", "Tax money at A1", "Lobby money at A1"],
            ["succeeds posted NB-F-2", "succeeds posted NB-F-2", "succeeds posted NB-F-4"],
            (0, 3, 4),
        ),
        (
            ["Tax money at A1", "Lobby influence at A1"],
            ["succeeds posted NB-F-2", "fails nothing-to-tax NB-F-4"],
            (0, 0, 2),
        ),
        (["Steward at A1", "Steward at A1"], ["succeeds posted NB-F-3", "fails post-taken NB-F-3"], (0, 1, 1)),
        (["Tax influence at A1"], ["fails nothing-to-tax NB-F-2"], (0, 0, 0)),
        (["Tax money at A1"] * 2, ["succeeds posted NB-F-2", "fails post-taken NB-F-2"], (0, 0, 2)),
        (["Lobby money at A1"], ["fails no-collector NB-F-4"], (0, 0, 0)),
        (["Tax money at A1", "Steward at A1"], ["succeeds posted NB-F-2", "fails collectors-there NB-F-3"], (0, 0, 2)),
        (
            ["Tax money at A1", "Lobby money at A1", "Lobby money at A1"],
            ["succeeds posted NB-F-2", "succeeds posted NB-F-4", "fails post-taken NB-F-5"],
            (0, 0, 4),
        ),
        (["Steward at A1", "Tax money at A1"], ["succeeds posted NB-F-3", "succeeds posted NB-F-2"], (0, 0, 2)),
        (["Tax money at D4"], ["illegal not-your-estate NB-F-2"], (0, 0, 0)),
    ],
)
def test_the_worked_example_of_income_comes_out_right(
    orders: list[str], said: list[str], gained: tuple[int, int, int]
) -> None:
    """NB-F-8 with NB-F-2 to NB-F-5: manpower 3, money 2, influence 0."""
    turn = Board().player("Anise", design=WORKED).night(Anise=orders)
    assert (turn.said("Anise"), turn.stock("Anise")) == (said, gained)


@pytest.mark.parametrize(
    ("design", "kinds"),
    [(stock(5), 1), (stock(3, 2), 2), (stock(0, 1, 4), 2), (stock(2, 2, 1), 3), (stock(3, 1, 1), 3)],
)
def test_a_full_home_yields_5_and_1_for_each_courtier(design: Stock, kinds: int) -> None:
    """NB-F-9: 5 + 2k for 2k Courtiers."""
    board = Board().player("Anise", design=design)
    names = [name for name in RESOURCES if getattr(design, name)]
    turn = board.night(Anise=[f"{what} {name} at A1" for what in ("Tax", "Lobby") for name in names])
    assert len(turn.posts("Anise")) == 2 * kinds
    assert sum(turn.stock("Anise")) == 5 + 2 * kinds


def test_a_bribed_collector_and_their_lobbyist_yield_nothing() -> None:
    """NB-F-5, NB-X-9, NB-X-27: only tonight."""
    board = (
        Board().post("Anise", "tax", "A1", "money").post("Anise", "lobby", "A1", "money").post("Hyssop", "spy", "A1")
    )
    turn = board.rich("Hyssop").night(Hyssop=["Bribery at A1 for money"])
    assert (turn.stock("Anise"), turn.stock("Hyssop")) == ((0, 0, 0), (40, 40, 37))
    assert turn.again().again().stock("Anise") == (0, 0, 3)


# G. Buildings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "overseers", "cost", "staff"),
    [
        ("war council", 2, stock(1, 3), 1), ("university", 2, stock(3, 3, 3), 2), ("spymaster", 1, stock(3, 0, 1), 1),
        ("arsenal", 2, stock(1, 0, 3), 1), ("star fortress", 2, stock(3, 3, 3), 1),
    ],
)  # fmt: skip
def test_a_building_is_begun_in_one_night_and_complete_in_the_next(
    name: str, overseers: int, cost: Stock, staff: int
) -> None:
    """NB-G-1 to NB-G-7, NB-G-11, NB-K-13: paid and begun in one Night, complete in the next, staffed the same Night."""
    turn = Board().rich("Anise").night(Anise=[f"Build {name} at A1", f"Staff {name} at A1"])
    assert turn.said("Anise") == ["succeeds begun NB-G-7", "fails not-built NB-G-7"]
    assert turn.before.players["Anise"].stock - turn.player("Anise").stock == cost
    assert turn.posts("Anise") == [("overseer", "A1", name)] * overseers
    after = turn.again().again(Anise=[f"Staff {name} at A1"] * (staff + 1))
    assert [(event.at, event.building) for event in after.all(Built)] == [("A1", name)]
    assert after.said("Anise") == ["succeeds posted NB-G-9"] * staff + ["fails post-taken NB-G-6"]
    assert after.posts("Anise") == [("staff", "A1", name)] * staff


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (["Build arsenal at A1", "Build arsenal at A1"], ["succeeds begun NB-G-7", "illegal built-already NB-G-8"]),
        (["Build arsenal at A2"], ["illegal not-your-estate NB-G-6"]),
        (["Build arsenal at D4"], ["illegal not-your-estate NB-G-6"]),
        (["Staff arsenal at A2"], ["illegal not-your-estate NB-G-6"]),
    ],
)
def test_players_build_each_kind_once_on_their_own_estate(orders: list[str], said: list[str]) -> None:
    """NB-G-6, NB-G-8: on their own estate, each kind once."""
    board = Board().rich("Anise").hold("D4", "Pape").hold("A2", "Basil", arsenal=0)
    assert board.night(Anise=orders).said("Anise") == said


def test_overseers_must_be_free() -> None:
    """NB-G-7, NB-K-13: no Envoy, but Courtiers at court."""
    board = Board().rich("Anise")
    for _ in range(9):
        board.post("Anise", "spy", "D4")
    turn = board.night(Anise=["Build arsenal at A1", "Build spymaster at A1"])
    assert turn.said("Anise") == ["fails no-overseers NB-G-7", "succeeds begun NB-G-7"]
    assert turn.stock("Anise") == (37, 40, 39)


def test_a_war_council_gives_every_unit_the_bonus() -> None:
    """NB-G-1, NB-G-6, NB-X-8, 5.4, 5.6: every unit has the bonus; without it, or unstaffed or burnt, only the first unit."""
    board = (
        Board().unit("U1", "Anise", "D4", leader="Sergeant").unit("U2", "Anise", "D4", leader="Sergeant", recruited=2)
    )
    board.unit("U3", "Fennel", "D4", leader="Sergeant").post("Hyssop", "spy", "A1").rich("Hyssop")

    def morale(**orders: list[str]) -> int:
        return fights(board.night(**orders))[0].start[1]

    assert morale() == 25
    board.building("Anise", "war council", staff=0)
    assert morale() == 25
    board.post("Anise", "staff", "A1", "war council")
    assert morale() == 30
    assert morale(Hyssop=["Arson at A1 on war council"]) == 25


def test_a_staffed_university_gives_a_courtier_each_night() -> None:
    """FN-8, NB-G-2, NB-G-6, NB-G-8, NB-G-9: with both its staff one more Courtier each Night; and of two Universities each."""
    board = Board().building("Anise", "university", staff=1)
    assert board.night().all(Trained) == []
    board.post("Anise", "staff", "A1", "university")
    turn = board.night()
    assert [event.courtier for event in turn.all(Trained)] == [11]
    assert len(turn.player("Anise").courtiers) == 11
    board.heir("Anise", "Fennel").hold("D4", "Anise", university=0)
    board.post("Anise", "staff", "D4", "university").post("Anise", "staff", "D4", "university")
    assert [event.courtier for event in board.night().all(Trained)] == [11, 12]


def test_a_new_courtier_serves_from_the_next_night() -> None:
    """NB-G-9, NB-K-1: nine are elsewhere; the tenth and the new one."""
    board = Board().building("Anise", "university", staff=2)
    for _ in range(7):
        board.post("Anise", "spy", "D4")
    tax = ["Tax money at A1", "Tax influence at A1"]
    turn = board.night(Anise=tax)
    assert turn.said("Anise") == ["succeeds posted NB-F-2", "fails no-courtier NB-K-1"]
    assert turn.again().again(Anise=tax[1:]).said("Anise") == ["succeeds posted NB-F-2"]


def test_staff_stays_until_it_is_withdrawn() -> None:
    """NB-G-9."""
    board = Board().building("Anise", "arsenal")
    assert board.night().posts("Anise") == [("staff", "A1", "arsenal")]
    turn = board.night(Anise=["Recall staff arsenal at A1", "Recall staff arsenal at A1"])
    assert turn.said("Anise") == ["succeeds recalled NB-G-9", "fails nobody-there NB-G-9"]
    assert turn.posts("Anise") == []


@pytest.mark.parametrize(("staff", "orders", "said"), [
    (1, [], "succeeds spying NB-K-8"),
    (0, [], "illegal too-far NB-K-8"),
    (1, ["Arson at A1 on spymaster"], "illegal too-far NB-K-8"),
])  # fmt: skip
def test_a_staffed_spymaster_allows_spies_without_limit(staff: int, orders: list[str], said: str) -> None:
    """NB-G-3, NB-G-6, NB-G-10, NB-X-8: Spies without a limit, if it is staffed before they go."""
    board = Board().building("Anise", "spymaster", staff).rich("Hyssop").post("Hyssop", "spy", "A1")
    turn = board.night(Anise=["Spy from A1 to B1, C1, D1, E1, E2"], Hyssop=orders)
    assert turn.said("Anise") == [said]


def test_an_arsenal_adds_morale_and_arson_takes_it_away_tonight() -> None:
    """NB-G-4, NB-G-6, NB-X-27; guard: 15 Morale for each Garrison on the player's estates; Arson lowers it tonight."""
    board = (
        Board().unit("U1", "Anise", "A1", WALLS, "Sergeant").unit("U2", "Anise", "A1", WALLS, "Sergeant", recruited=2)
    )
    board.unit("U3", "Anise", "A1", leader="Sergeant", recruited=3).unit("U4", "Fennel", "A1")
    board.building("Anise", "arsenal").post("Hyssop", "spy", "A1").rich("Hyssop")
    usual = 18 + 18 + 10 + 5
    assert fights(board.night())[0].start[1] == usual + 30
    turn = board.night(Hyssop=["Arson at A1 on arsenal"])
    assert (turn.said("Hyssop"), fights(turn)[0].start[1]) == (["succeeds burnt NB-X-8"], usual)
    board.unit("U5", "Anise", "D4", WALLS, "Sergeant", recruited=4).unit("U6", "Fennel", "D4")
    away = next(event for event in board.night().all(Battle) if event.at == "D4")
    assert away.fights[0].start[1] == 18


def test_a_star_fortress_protects_units_on_their_home_from_ambush() -> None:
    """NB-G-5: no ambush harms the player's units on their Home; elsewhere, unstaffed or burnt it does."""
    ambush = "2 Outriders, 3 Militia"
    board = Board().unit("U1", "Anise", "A1", leader="Sergeant").unit("U2", "Fennel", "A1", ambush, "Sergeant")
    board.post("Hyssop", "spy", "A1").rich("Hyssop")

    def struck(turn: Turn) -> int:
        (fight,) = fights(turn)
        return sum(dealt.loss for dealt in fight.rounds[0].suffered[1])

    assert struck(board.night()) == 6
    board.building("Anise", "star fortress", staff=0)
    assert struck(board.night()) == 6
    board.post("Anise", "staff", "A1", "star fortress")
    assert struck(board.night()) == 0
    assert struck(board.night(Hyssop=["Arson at A1 on star fortress"])) == 6
    away = Board().building("Anise", "star fortress").unit("U1", "Anise", "D4", leader="Sergeant")
    assert struck(away.unit("U2", "Fennel", "D4", ambush, "Sergeant").night()) == 6


def test_most_buildings_cost_all_three_resources() -> None:
    """NB-G-11."""
    prices = {name: building.price for name, building in tables().buildings.items()}
    assert [name for name, price in prices.items() if not price.manpower] == ["spymaster", "arsenal"]
    assert [name for name, price in prices.items() if not price.money] == ["war council"]


# K. Courtiers -----------------------------------------------------------------------------------------------------


def test_a_courtier_has_one_assignment_per_cycle() -> None:
    """NB-K-1, NB-K-12: an Envoy is back by day, and has no post the same Night."""
    board = Board().rich("Anise").player("Anise", courtiers=Board().now.players["Anise"].courtiers[:1])
    turn = board.night(Anise=["Field surgeon", "Field surgeon", "Tax money at A1", "Message to Basil: good evening"])
    assert turn.said("Anise") == [
        "succeeds nothing-to-heal NB-X-15", "fails no-envoy NB-K-12", "fails no-courtier NB-K-1", "fails no-courtier NB-K-1",
    ]  # fmt: skip
    assert (turn.stock("Anise"), turn.posts("Anise")) == ((40, 37, 40), [])
    assert turn.again().again(Anise=["Tax money at A1"]).said("Anise") == ["succeeds posted NB-F-2"]


def test_collectors_and_lobbyists_can_be_recalled_at_the_start_of_a_cycle() -> None:
    """NB-K-3, NB-K-4: at the start of the cycle, and free for something else tonight."""
    board = Board().player("Anise", courtiers=Board().now.players["Anise"].courtiers[:2])
    board.post("Anise", "tax", "A1", "money").post("Anise", "lobby", "A1", "money")
    turn = board.night(
        Anise=["Recall tax money at A1", "Recall lobby money at A1", "Recall tax money at A1", "Steward at A1"]
    )
    assert turn.said("Anise") == [
        "succeeds recalled NB-K-3", "succeeds recalled NB-K-4", "fails nobody-there NB-K-3", "succeeds posted NB-F-3",
    ]  # fmt: skip
    assert (turn.posts("Anise"), turn.stock("Anise")) == ([("steward", "A1", None)], (1, 1, 1))


def test_a_commander_survives_their_unit() -> None:
    """NB-K-7, 3.2: Courtiers and Nobles go home; Officer companies are lost."""
    board = Board().noble("Pape", "D7").unit("U1", "Anise", "D4").unit("U2", "Basil", "D4", leader="noble of D7")
    turn = board.unit("U3", "Fennel", "D4", STRONG).night()
    assert (survivors(turn), turn.posts("Anise")) == ({"U3"}, [])
    assert turn.after.factions["Pape"].nobles == {"of D7": Noble(at="D7")}
    assert {(event.unit, event.why, event.leader) for event in turn.all(Gone)} == {
        ("U1", "destroyed", "home"), ("U2", "destroyed", "home"),
    }  # fmt: skip


def test_spies_report_every_estate_on_their_way() -> None:
    """NB-K-8, NB-K-9, 2.A (10): controller, base income and every unit on each estate of the way, after step 8."""
    board = Board().post("Hyssop", "spy", "C1").unit("U1", "Anise", "C1", WALLS, "pc").unit("U2", "Basil", "B1", STRONG)
    board.noble("Pape", "D7").unit("U3", "Basil", "A1", leader="noble of D7").unit(
        "U4", "Anise", "A1", leader="Sergeant"
    )
    turn = board.night(Hyssop=["Spy from C1 to B1, A1"], Basil=["Move U2 to C1"], Anise=["Steward at C1"])
    (report,) = turn.all(SpyReport)
    assert report.heard == ("Hyssop",)
    assert [(s.at, s.by, str(s.income), [(u.unit, u.faction, u.formation, u.commander) for u in s.units]) for s in report.estates] == [
        ("B1", None, "1 manpower, 1 money", []),
        ("A1", "Anise", "2 influence, 2 manpower, 1 money",
         [("U3", "Pape", "regiment", "a noble"), ("U4", "Pape", "regiment", "an officer")]),
    ]  # fmt: skip
    still = board.night(Anise=["Steward at C1"])
    (report,) = still.all(SpyReport)
    assert [(s.at, s.by, [u.commander for u in s.units]) for s in report.estates] == [("C1", "Pape", ["a player"])]


def test_a_recalled_spy_is_home_for_the_next_cycle() -> None:
    """NB-K-8."""
    board = Board().player("Anise", courtiers=Board().now.players["Anise"].courtiers[:1]).post("Anise", "spy", "D4")
    turn = board.night(Anise=["Recall spy at D4", "Tax money at A1"])
    assert turn.said("Anise") == ["succeeds recalled NB-K-8", "fails no-courtier NB-K-1"]
    assert (turn.posts("Anise"), turn.all(SpyReport)) == ([], [])
    assert turn.again().again(Anise=["Tax money at A1"]).said("Anise") == ["succeeds posted NB-F-2"]


def test_a_sender_learns_only_that_the_messenger_went() -> None:
    """NB-K-10, NB-K-11, FS-21: to their own faction; the sender learns only that the Messenger went, whatever the other's faction."""
    turn = (
        Board()
        .dead("Borage")
        .night(Anise=[f"Message to {seat}: good evening" for seat in ("Basil", "Fennel", "Dill", "Borage")])
    )
    assert turn.said("Anise") == ["succeeds sent NB-K-11"] * 4
    assert [(event.heard, event.text) for event in turn.all(Message)] == [(("Basil",), "good evening")]
    facts = [{**(verdict.facts or {}), "seat": ""} for verdict in turn.verdicts("Anise")]
    assert facts[0] == facts[1] == facts[2] == facts[3]
    assert turn.posts("Anise") == []


def test_nobody_dies_at_court() -> None:
    """NB-K-15: whatever happens on the player's Home, unposted Courtiers are there the next day."""
    board = Board().rich("Hyssop").post("Hyssop", "spy", "A1").post("Hyssop", "spy", "A1")
    turn = board.night(
        Hyssop=["Poison the wells at A1", "Arson at A1 on arsenal", "Bribery at A1 for money", "Assassin on Anise"]
    )
    assert [v.result for v in turn.verdicts("Hyssop")] == ["succeeds"] * 4
    assert turn.player("Anise").courtiers == turn.before.players["Anise"].courtiers


def test_an_heir_brings_the_court_to_14_courtiers() -> None:
    """NB-K-16, NB-X-4, NB-X-20: 10 - 1 + 5 = 14, for 3 influence, 1 manpower, 1 money; once a game."""
    turn = Board().wed("Anise", "Fennel").rich("Anise").night(Anise=["Create heir", "Create heir"])
    assert turn.said("Anise") == ["succeeds heir-born NB-X-4", "illegal had-heir NB-X-4"]
    player = turn.player("Anise")
    assert (len(player.courtiers), player.heir, player.had_heir) == (14, Heir(other="TCK"), True)
    assert turn.stock("Anise") == (37, 39, 39)
    assert [(event.seat, event.other) for event in turn.all(HeirBorn)] == [("Anise", "Fennel")]


# X. Actions -------------------------------------------------------------------------------------------------------

PRICES: Mapping[str, tuple[str, Stock, str]] = {
    "X-1": ("Open city at D4", stock(2), "succeeds opened NB-X-16"),
    "X-2": ("Create noble at D4", stock(3), "succeeds ennobled NB-X-2"),
    "X-3": ("Offer marriage to Dill", stock(3), "succeeds offered NB-X-3"),
    "X-6": ("March U1 to B2", stock(0, 2), "succeeds marched NB-X-6"),
    "X-7": ("Field surgeon", stock(0, 3), "succeeds healed NB-X-7"),
    "X-8": ("Arson at J1 on arsenal", stock(0, 0, 2), "succeeds burnt NB-X-8"),
    "X-9": ("Bribery at J1 for money", stock(0, 0, 3), "succeeds bribed NB-X-9"),
    "X-10": ("Poison the wells at J1", stock(0, 0, 5), "succeeds poisoned NB-X-10"),
    "X-11": ("Assassin on Fennel", stock(0, 0, 8), "succeeds struck NB-X-11"),
    "X-12": ("Incapacitate U2", stock(0, 0, 8), "succeeds incapacitated NB-X-12"),
    "X-13": ("Knife at J1 for Fennel", stock(0, 0, 8), "succeeds stabbed NB-X-13"),
}


@pytest.mark.parametrize("rule", PRICES)
def test_every_action_costs_its_price_and_an_envoy(rule: str) -> None:
    """NB-X-1 to NB-X-13, NB-K-12, NB-K-13: a price and an Envoy; without either, nothing."""
    line, price, said = PRICES[rule]
    board = Board().rich("Anise").player("Anise", wounds=2).hold("D4", "Pape").post("Anise", "steward", "D4")
    board.post("Anise", "spy", "J1").unit("U1", "Anise", "B1").unit("U2", "Fennel", "J1")
    turn = board.night(Anise=[line])
    assert turn.said("Anise") == [said]
    assert board.now.players["Anise"].stock - turn.player("Anise").stock == price
    poor = Board.__new__(Board)
    poor.now = board.now
    poor.player("Anise", stock=Stock(influence=1, manpower=1, money=1)).noble("Pape", "D9")
    turn = poor.night(Anise=[line])
    assert (turn.said("Anise"), turn.stock("Anise")) == (["fails too-poor NB-A-13"], (1, 1, 1))
    for _ in range(7):
        board.post("Anise", "spy", "E9")
    turn = board.night(Anise=[line])
    assert (turn.said("Anise"), turn.stock("Anise")) == (["fails no-envoy NB-K-12"], (40, 40, 40))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Open city at E5", "fails no-steward NB-X-1"),
        ("Open city at A1", "illegal at-home NB-X-1"),
        ("Create noble at E5", "fails no-steward NB-X-2"),
        ("Create noble at A1", "illegal at-home NB-X-2"),
        ("Offer marriage to Anise", "illegal not-possible NB-X-3"),
        ("Create heir", "fails unmarried NB-X-19"),
        ("Offer hostages to Fennel", "illegal not-your-partner NB-X-5"),
        ("Release hostages with Fennel", "fails no-hostages NB-P-15"),
        ("Arson at E5 on arsenal", "fails no-spy NB-X-8"),
        ("Bribery at D5 for money", "fails no-spy NB-X-9"),
        ("Poison the wells at D5", "fails no-spy NB-X-10"),
        ("Incapacitate U2", "fails no-spy NB-X-12"),
        ("Incapacitate U9", "fails no-spy NB-X-12"),
        ("Knife at D5 for Fennel", "fails no-spy NB-X-13"),
        ("Assassin on Dill", "fails dead-already NB-X-11"),
    ],
)
def test_an_action_without_its_conditions_costs_nothing(line: str, said: str) -> None:
    """NB-X-1 to NB-X-13, NB-X-19: without it nothing is paid."""
    board = Board().rich("Anise").post("Anise", "steward", "A1").unit("U1", "Anise", "D5").unit("U2", "Fennel", "J1")
    turn = board.dead("Dill").night(Anise=[line])
    assert (turn.said("Anise"), turn.stock("Anise")) == ([said], (41, 41, 41))


@pytest.mark.parametrize("opened", [True, False])
def test_in_an_open_city_there_is_no_battle_that_night(opened: bool) -> None:
    """NB-X-1, NB-X-16: tonight no battle there, between any sides, and no loss of control; the next Night there is."""
    board = (
        Board()
        .hold("D4", "TCK")
        .post("Hyssop", "steward", "D4")
        .stock("Hyssop", influence=2)
        .unit("U1", "Fennel", "D4")
    )
    board.unit("U2", "Anise", "D5", STRONG).unit("U3", "Dill", "D3")
    turn = board.night(Hyssop=["Open city at D4"] * opened, Anise=["Move U2 to D4"], Dill=["Move U3 to D4"])
    if opened:
        assert (turn.all(Battle), survivors(turn), turn.by("D4")) == ([], {"U1", "U2", "U3"}, "TCK")
        turn = turn.again().again()
    assert (survivors(turn), turn.by("D4"), turn.posts("Hyssop")) == ({"U2"}, None, [])
    assert [fight.sides for fight in fights(turn)] == [("Fleurs", "Pape"), ("Pape", "TCK")]


def test_a_steward_can_become_a_noble() -> None:
    """NB-X-2, NB-X-24, NB-F-6: the Steward leaves their player for good, and goes on collecting for the leader."""
    board = Board().rich("Anise").hold("D4", "Pape").post("Anise", "steward", "D4")
    turn = board.night(Anise=["Create noble at D4"])
    assert turn.after.factions["Pape"].nobles == {"of D4": Noble(at="D4")}
    assert (len(turn.player("Anise").courtiers), turn.stock("Basil")) == (9, (1, 1, 0))
    assert [(event.faction, event.at) for event in turn.all(Ennobled)] == [("Pape", "D4")]
    after = turn.again().again(Basil=["Steward at D4"], Anise=["Create noble at D4"])
    assert (after.said("Basil"), after.said("Anise")) == (["fails post-taken NB-X-2"], ["fails no-steward NB-X-2"])
    assert after.stock("Basil") == (2, 2, 0)


def test_a_noble_recruits_and_commands() -> None:
    """NB-X-2, NB-X-23, NB-B-17, NB-B-20: on their seat, for the leader, with attack 2; their Stewardship goes on meanwhile."""
    board = Board().rich("Basil", "Anise").noble("Pape", "D4")
    order = f"led by noble of D4: {WEAK}"
    turn = board.night(
        Basil=[f"Recruit regiment at D4 {order}", f"Recruit regiment at D4 {order}"],
        Anise=[f"Recruit regiment at D4 {order}"],
    )
    assert turn.said("Basil") == ["succeeds recruited NB-B-15", "fails no-such-noble NB-X-2"]
    assert turn.said("Anise") == ["illegal not-your-estate NB-B-20"]
    (name,) = survivors(turn)
    assert turn.after.factions["Pape"].nobles["of D4"].unit == name
    assert turn.stock("Basil") == (41, 40 - 4 + 1, 40)
    board.unit("U1", "Basil", "D4", leader="noble of D4").unit("U2", "Fennel", "D4", leader="Sergeant")
    assert fights(board.night())[0].net == (1, 2)


def test_a_noble_commands_only_what_is_raised_on_their_seat() -> None:
    """NB-X-2: `a unit recruited on that estate`."""
    board = Board().rich("Basil").noble("Pape", "D4")
    turn = board.night(Basil=[f"Recruit regiment at A2 led by noble of D4: {WEAK}"])
    assert (survivors(turn), turn.stock("Basil")) == (set(), (41, 41, 40))


def test_eight_nobles_cost_52_influence_and_win_the_game() -> None:
    """NB-X-2, NB-X-21, NB-X-22, NB-V-3, NB-V-4: 3 + 4 + ... + 10 = 52 influence, each counted when it is made; and then the game is won."""
    board = Board().stock("Anise", influence=52)
    seats = [f"{row}{column}" for row in "DE" for column in (7, 8, 9, 10)]
    for at in seats:
        board.hold(at, "Pape").post("Anise", "steward", at)
    position, paid = board.now, []
    for suitor, partner in zip(seats[::2], seats[1::2], strict=True):
        before = position.players["Anise"].stock.influence
        turn = play_turn(position, {"Anise": [f"Create noble at {suitor}", f"Create noble at {partner}"]})
        assert turn.said("Anise") == ["succeeds ennobled NB-X-2"] * 2
        paid.append(before - turn.stock("Anise")[0])
        position = turn.again().after
    assert (paid, turn.stock("Anise")) == ([7, 11, 15, 19], (0, 0, 0))
    assert turn.ended is not None
    assert (turn.ended.how, turn.ended.winners, turn.ended.rule) == ("dynastic", ("Anise", "Basil", "Borage"), "NB-V-3")


def test_hostages_do_not_make_nobles_dearer() -> None:
    """NB-X-22, NB-P-15."""
    board = Board().hold("D4", "Pape").post("Anise", "steward", "D4").stock("Anise", influence=3)
    turn = board.heir("Fennel", "Anise", hostage="Anise").night(Anise=["Create noble at D4"])
    assert (turn.said("Anise"), turn.stock("Anise")) == (["succeeds ennobled NB-X-2"], (0, 0, 0))


@pytest.mark.parametrize("commands", [False, True])
def test_a_noble_loses_their_seat(commands: bool) -> None:
    """NB-X-23, NB-E-11: they are an ordinary Courtier of the leader, and go on commanding what they command."""
    board = Board().noble("Pape", "D4").unit("U1", "Fennel", "D5")
    if commands:
        board.unit("U2", "Basil", "B5", leader="noble of D4")
    turn = board.night(Fennel=["Move U1 to D4"])
    assert (turn.after.factions["Pape"].nobles, turn.by("D4")) == ({}, None)
    assert len(turn.player("Basil").courtiers) == 11
    assert turn.posts("Basil") == ([("commander", None, "U2")] if commands else [])
    assert [event.noble for event in turn.all(Untitled)] == ["of D4"]


def test_a_marriage_is_offered_at_night_and_answered_by_day() -> None:
    """NB-X-3, NB-X-18: offered at Night, answered by day, in force at step 1 of the next Night, when an Heir may be born."""
    turn = Board().rich("Anise").night(Anise=["Offer marriage to Fennel"])
    assert (turn.stock("Anise"), turn.player("Anise").married) == ((37, 40, 40), None)
    day = turn.again(Fennel=["Accept marriage of Anise", "Accept marriage of Dill"])
    assert day.said("Fennel") == ["succeeds accepted NB-X-18", "illegal no-offer NB-X-18"]
    assert day.player("Anise").married is None
    night = day.again(Anise=["Create heir"])
    assert (night.player("Anise").married, night.player("Fennel").married) == ("Fennel", "Anise")
    assert night.said("Anise") == ["succeeds heir-born NB-X-4"]
    assert [(event.kind, event.heard) for event in night.all(Agreed)] == [("marriage", ("Anise", "Fennel"))]


@pytest.mark.parametrize("answer", [["Refuse marriage of Anise"], []])
def test_an_offer_of_marriage_without_a_yes_lapses(answer: list[str]) -> None:
    """NB-X-18: refused or unanswered, it costs and lapses."""
    turn = Board().rich("Anise").night(Anise=["Offer marriage to Fennel"]).again(Fennel=answer).again()
    assert (turn.stock("Anise"), turn.player("Anise").married, turn.after.offers) == ((37, 40, 40), None, ())
    assert turn.again(Fennel=["Accept marriage of Anise"]).said("Fennel") == ["illegal no-offer NB-X-18"]


def test_offers_that_cross_are_accepted() -> None:
    """NB-X-18: both pay, and no answer undoes it."""
    turn = Board().rich("Anise", "Fennel").night(Anise=["Offer marriage to Fennel"], Fennel=["Offer marriage to Anise"])
    assert (turn.said("Anise"), turn.said("Fennel")) == (["succeeds offered NB-X-3"], ["succeeds crossed NB-X-3"])
    assert (turn.stock("Anise")[0], turn.stock("Fennel")[0]) == (37, 37)
    after = turn.again(Anise=["Refuse marriage of Fennel"]).again()
    assert (after.player("Anise").married, after.player("Fennel").married) == ("Fennel", "Anise")


def test_nobody_marries_twice() -> None:
    """NB-X-3: a married player cannot marry again; a player who accepts two offers marries the first."""
    board = Board().rich("Anise", "Dill").wed("Fennel", "Tansy")
    turn = board.night(Fennel=["Offer marriage to Anise"], Anise=["Offer marriage to Fennel"])
    assert turn.said("Fennel") == ["fails married NB-X-3"]
    after = turn.again(Fennel=["Accept marriage of Anise"]).again()
    assert (after.player("Anise").married, after.player("Fennel").married) == (None, "Tansy")


@pytest.mark.parametrize(
    ("unit", "goal", "said", "at"),
    [
        ("U1", "D5", "succeeds marched NB-X-6", "D5"),
        ("U3", "D3", "illegal not-your-unit NB-X-17", "D2"),
        ("U2", "A2", "illegal garrison NB-X-17", "A1"),
        ("U4", "C6", "fails battle-starts NB-X-6", "B6"),
        ("U1", "E5", "fails not-beside NB-X-17", "D4"),
        ("U6", "B8", "succeeds marched NB-X-6", "B8"),
    ],
)
def test_a_forced_march_is_one_more_move_unless_a_battle_would_start(unit: str, goal: str, said: str, at: str) -> None:
    """NB-X-6, NB-X-17, NB-A-13: any mobile unit of the faction, once more, unless a battle would start; a failure is not paid."""
    board = Board().rich("Anise").unit("U1", "Anise", "C4").unit("U2", "Anise", "A1", WALLS).unit("U3", "Fennel", "D2")
    board.unit("U4", "Anise", "B5").unit("U5", "Fennel", "B6").unit("U6", "Borage", "B7")
    turn = board.night(Anise=["Move U1 to D4", "Move U4 to B6", f"March {unit} to {goal}"])
    assert (turn.said("Anise")[-1], turn.at(unit)) == (said, at) if unit != "U4" else turn.said("Anise")[-1] == said
    assert turn.stock("Anise")[1] == (38 if said.startswith("succeeds") else 40)


def test_a_unit_that_is_held_back_may_march() -> None:
    """NB-X-17, 3.2, NB-P-15: a hostage's holder starts no battle with the giver, and so none holds them."""
    board = (
        Board()
        .rich("Anise")
        .heir("Fennel", "Anise", hostage="Anise")
        .unit("U1", "Anise", "D4")
        .unit("U2", "Fennel", "D4")
    )
    turn = board.night(Anise=["March U1 to D5"])
    assert (turn.said("Anise"), turn.at("U1")) == (["succeeds marched NB-X-6"], "D5")


@pytest.mark.parametrize(("wounds", "after", "said"), [
    (0, 0, "succeeds nothing-to-heal NB-X-15"), (1, 1, "succeeds nothing-to-heal NB-X-15"), (2, 1, "succeeds healed NB-X-7"),
])  # fmt: skip
def test_a_field_surgeon_heals_all_wounds_but_one(wounds: int, after: int, said: str) -> None:
    """NB-X-7, NB-X-15: down to 1, and it costs in any case; nothing else ever heals."""
    board = Board().rich("Anise").player("Anise", wounds=wounds)
    turn = board.night(Anise=["Field surgeon"])
    assert (turn.said("Anise"), turn.player("Anise").wounds, turn.stock("Anise")) == ([said], after, (40, 37, 40))
    assert board.night().again().again().player("Anise").wounds == wounds


def test_poison_hits_every_player_there() -> None:
    """NB-X-10, NB-X-25, NB-P-1, NB-P-6: where they are, with their unit or at home; the poisoner too; no Heir."""
    board = Board().rich("Hyssop").post("Hyssop", "spy", "A1").unit("U1", "Hyssop", "A1", WEAK, "pc")
    board.unit("U2", "Borage", "D4", WEAK, "pc").heir("Anise", "Dill")
    turn = board.night(Hyssop=["Poison the wells at A1"])
    assert {event.seat for event in turn.all(Wounded)} == {"Anise", "Hyssop"}
    assert [turn.player(seat).wounds for seat in ("Anise", "Hyssop", "Borage", "Dill")] == [1, 1, 0, 0]
    away = Board().rich("Hyssop").post("Hyssop", "spy", "A1").unit("U1", "Anise", "D4", WEAK, "pc")
    assert away.night(Hyssop=["Poison the wells at A1"]).all(Wounded) == []


def test_a_third_wound_removes_a_player_at_once() -> None:
    """NB-X-11, NB-X-14, NB-X-15: removed at once, in step 4; their later orders are void, their earlier ones count."""
    board = Board().rich("Anise", "Fennel").player("Fennel", wounds=2).unit("U1", "Fennel", "J1")
    turn = board.night(Anise=["Assassin on Fennel"], Fennel=["Move U1 to I1", "Field surgeon", "Tax money at J1"])
    assert turn.said("Fennel") == ["succeeds moved NB-B-5", "void dead NB-P-16", "void dead NB-P-16"]
    assert [
        (event.seat, event.why, event.role, event.faction, event.heir, event.heard) for event in turn.all(Died)
    ] == [("Fennel", "wounds", board.now.players["Fennel"].role, "TCK", False, None)]
    assert not turn.player("Fennel").alive


@pytest.mark.parametrize(
    ("leader", "said", "net"),
    [
        ("pc", "succeeds incapacitated NB-X-12", 1),
        ("courtier", "succeeds incapacitated NB-X-12", 1),
        ("heir", "fails heir-led NB-P-6", 3),
        ("noble of G7", "succeeds incapacitated NB-X-12", 1),
        ("Colonel", "fails officer-led NB-X-26", 3),
        ("Magnarsson's Sword", "fails officer-led NB-X-26", 4),
    ],
)
def test_an_incapacitated_commander_goes_home(leader: str, said: str, net: int) -> None:
    """FN-4, NB-X-12, NB-X-26, NB-P-6; guard: it changes tonight's attack sum. The commander is at home; a failure is paid."""
    board = Board().rich("Anise").noble("TCK", "G7").heir("Hyssop", "Dill").post("Anise", "spy", "D4")
    board.unit("U1", "Hyssop", "D4", leader=leader).unit("U2", "Anise", "D4", STRONG)
    turn = board.night(Anise=["Incapacitate U1"])
    assert (turn.said("Anise"), turn.stock("Anise")) == ([said], (40, 40, 32))
    done = fights(turn)[0]
    assert done.net[done.sides.index("TCK")] == net
    player = turn.player("Hyssop")
    if net == 1:
        assert (player.alive, player.unit, player.heir, turn.posts("Hyssop")) == (True, None, Heir(other="Fleurs"), [])
        assert turn.after.factions["TCK"].nobles == {"of G7": Noble(at="G7")}


# P. Player Characters, Heirs, hostages ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leader", "attack"), [("pc", 3), ("heir", 3), ("courtier", 2), ("noble of D7", 2), ("Captain", 2), ("officer", 1)]
)
def test_each_kind_of_leader_has_its_attack(leader: str, attack: int) -> None:
    """NB-P-2, NB-P-4, NB-K-6, NB-X-23, 3.3: 3 for the family, 2 for Courtiers and Nobles, an officer by their company."""
    board = Board().noble("Pape", "D7").heir("Basil", "Dill").unit("U1", "Basil", "D4", leader=leader)
    assert fights(board.unit("U2", "Fennel", "D4").night())[0].net[1] == attack


@pytest.mark.parametrize("leader", ["pc", "heir", "courtier"])
def test_the_family_can_lead_a_recruited_unit_without_extra_cost(leader: str) -> None:
    """NB-P-2, NB-P-4, NB-B-16: tiers 28, so 2 + 3; nobody is led from afar (NB-P-1)."""
    board = Board().rich("Anise").heir("Anise", "Fennel")
    order = f"Recruit regiment at A1 led by {leader}: 2 Lancers, 3 Pikes"
    turn = board.night(Anise=[order, order])
    (new, *_) = [event.unit for event in turn.all(Raised)]
    if leader == "courtier":
        assert turn.said("Anise") == ["succeeds recruited NB-B-15"] * 2
        return
    assert turn.said("Anise") == ["succeeds recruited NB-B-15", "fails family-away NB-P-8"]
    assert turn.stock("Anise") == (40, 35, 40)
    player = turn.player("Anise")
    assert (player.unit, player.heir and player.heir.unit) == ((new, None) if leader == "pc" else (None, new))


def test_a_player_dies_with_their_unit() -> None:
    """NB-P-3, NB-P-5, NB-P-7: their Heir, who is at home, is the player now, without wounds, and may not have another."""
    board = Board().unit("U1", "Anise", "D4", leader="pc").unit("U2", "Fennel", "D4", STRONG)
    turn = board.night()
    assert (turn.player("Anise").alive, [event.why for event in turn.all(Died)]) == (False, ["battle"])
    board.heir("Anise", "Dill").player("Anise", wounds=2).hold("D9", "Anise").rich("Anise")
    turn = board.night()
    player = turn.player("Anise")
    assert (player.alive, player.wounds, player.unit, player.heir, player.had_heir) == (True, 0, None, None, True)
    assert (turn.by("A1"), turn.by("D9"), len(player.courtiers)) == ("Anise", "Anise", 10)
    assert [event.heir for event in turn.all(Died)] == [True]
    assert turn.again().again(Anise=["Create heir"]).said("Anise") == ["illegal had-heir NB-X-4"]


def test_an_heir_takes_over_where_they_are() -> None:
    """NB-P-5, NB-P-7, NB-P-9: in command, and of their player's faction."""
    board = (
        Board().heir("Anise", "Dill").unit("U1", "Anise", "B5", leader="heir").player("Anise", wounds=2).rich("Fennel")
    )
    turn = board.night(Fennel=["Assassin on Anise"])
    player = turn.player("Anise")
    assert (player.unit, player.wounds, player.faction, player.heir) == ("U1", 0, "Pape", None)
    assert turn.after.units["U1"].leader == "pc"


@pytest.mark.parametrize("leader", ["Captain", "Captain of the Mercatore"])
@pytest.mark.parametrize("who", ["pc", "heir"])
def test_the_family_can_take_over_a_unit_at_home(who: str, leader: str) -> None:
    """NB-P-8: a Unique Officer is at hand again; an Officer company is lost without refund."""
    board = Board().heir("Basil", "Dill").unit("U1", "Basil", "A2", leader=leader)
    turn = board.night(Basil=[f"Lead U1 with {who}"])
    assert turn.said("Basil") == ["succeeds leads NB-P-8"]
    assert (turn.after.units["U1"].leader, turn.after.units["U1"].name, turn.posts("Basil")) == (who, "", [])
    officers = turn.after.factions["Pape"].officers
    assert officers == {"Captain of the Mercatore": "Basil", "Legate of Prosperity": "Basil"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Lead U1 with pc", "fails family-away NB-P-8"),
        ("Lead U2 with heir", "fails led-already NB-P-8"),
        ("Lead U3 with heir", "illegal not-your-unit NB-P-8"),
        ("Lead U9 with heir", "illegal not-your-unit NB-P-8"),
        ("Lead U1 with heir", "fails family-away NB-P-8"),
        ("Leave U2", "succeeds left NB-P-8"),
        ("Leave U1", "fails not-your-unit NB-P-8"),
    ],
)
def test_units_can_be_taken_over_and_left_only_at_home(line: str, said: str) -> None:
    """NB-P-8: only on the Home Estate; a unit that is left that way gets a tier 1 officer."""
    board = (
        Board()
        .heir("Anise", "Dill")
        .unit("U1", "Anise", "D4")
        .unit("U2", "Anise", "A1", leader="pc")
        .unit("U3", "Basil", "A2")
    )
    turn = board.night(Anise=[line])
    assert turn.said("Anise") == [said]
    if line == "Leave U2":
        assert (turn.player("Anise").unit, turn.after.units["U2"].leader, turn.after.units["U2"].name) == (
            None,
            "company",
            "officer",
        )


def test_leaving_needs_the_home() -> None:
    """NB-P-8."""
    turn = Board().unit("U1", "Anise", "D4", leader="pc").night(Anise=["Leave U1"])
    assert turn.said("Anise") == ["fails family-away NB-P-8"]


def test_hostages_change_sides_and_cannot_be_used_as_family() -> None:
    """NB-P-10, NB-P-11, NB-X-5, NB-X-18: both Heirs change sides and cannot be used as family."""
    board = Board().rich("Anise", "Fennel").heir("Anise", "Fennel").heir("Fennel", "Anise")
    board.unit("U1", "Anise", "A1").unit("U2", "Fennel", "J1", leader="heir")
    turn = board.night(Anise=["Offer hostages to Fennel"]).again(Fennel=["Accept hostages of Anise"])
    turn = turn.again(Anise=["Lead U1 with heir", f"Recruit regiment at A1 led by heir: {WEAK}"])
    assert turn.player("Anise").heir == Heir(other="TCK", hostage="Fennel")
    assert turn.player("Fennel").heir == Heir(other="Pape", hostage="Anise")
    assert turn.said("Anise") == ["fails family-away NB-P-8"] * 2
    assert turn.after.units["U2"].name == "officer"


def test_one_side_may_have_no_heir() -> None:
    """NB-P-10."""
    turn = Board().heir("Anise", "Fennel").offer("hostages", "Fennel", "Anise", accepted=True).night()
    assert (turn.player("Anise").heir, turn.player("Fennel").heir) == (Heir(other="TCK", hostage="Fennel"), None)


@pytest.mark.parametrize(
    "line",
    [
        "Assassin on Fennel", "Arson at J1 on arsenal", "Bribery at J1 for money", "Poison the wells at J1",
        "Knife at J1 for Fennel", "Incapacitate U1", "Knife at D4 for Fennel", "Ability 8 on tax money at J1",
    ],
)  # fmt: skip
def test_a_holder_spares_the_giver(line: str) -> None:
    """NB-P-12: neither the giver nor their Heir nor their estates, wherever they are; and nothing is paid."""
    board = Board().rich("Anise").heir("Fennel", "Anise", hostage="Anise").unit("U1", "Fennel", "D4", leader="pc")
    board.post("Anise", "spy", "J1").post("Anise", "spy", "D4").post("Fennel", "tax", "J1", "money")
    turn = board.night(Anise=[line])
    assert turn.said("Anise") == ["fails hostage NB-P-12"]
    assert (turn.stock("Anise"), turn.player("Fennel").wounds, len(turn.posts("Anise"))) == ((40, 40, 40), 0, 2)


@pytest.mark.parametrize("held", [True, False])
def test_a_holders_units_do_not_fight_the_giver(held: bool) -> None:
    """NB-P-12, NB-P-15."""
    board = Board().heir("Fennel", "Anise", hostage="Anise" if held else None)
    turn = board.unit("U1", "Anise", "D4", STRONG).unit("U2", "Fennel", "D4").night()
    assert survivors(turn) == ({"U1", "U2"} if held else {"U1"})


def test_a_holder_and_their_fellows_fight_as_one_side() -> None:
    """FN-12, NB-P-15, NB-CH-1, 3.2: a fellow is bound by nothing, and all units of a side are one pool."""
    board = Board().heir("Fennel", "Anise", hostage="Anise").unit("U1", "Anise", "D4", STRONG)
    turn = board.unit("U2", "Borage", "D4").unit("U3", "Fennel", "D4", STRONG).night()
    (done,) = fights(turn)
    assert done.start == (42, 47 + 15)
    assert survivors(turn) == {"U1", "U2"}


def test_a_hostage_comes_back_as_the_player() -> None:
    """NB-P-13."""
    board = Board().heir("Fennel", "Anise", hostage="Anise").player("Fennel", wounds=2).rich("Dill")
    turn = board.night(Dill=["Assassin on Fennel"])
    player = turn.player("Fennel")
    assert (player.alive, player.heir, player.wounds, player.faction) == (True, None, 0, "TCK")


def test_hostages_are_released_by_matching_orders() -> None:
    """NB-P-15."""
    board = Board().heir("Fennel", "Anise", hostage="Anise").heir("Anise", "Fennel", hostage="Fennel")
    turn = board.night(Anise=["Release hostages with Fennel"], Fennel=["Release hostages with Anise"])
    assert turn.said("Fennel") == ["succeeds crossed NB-P-15"]
    after = turn.again().again()
    assert (after.player("Anise").heir, after.player("Fennel").heir) == (Heir(other="TCK"), Heir(other="Pape"))


def test_the_possessions_of_the_dead_pass_to_the_leader_or_to_nobody() -> None:
    """NB-P-16, NB-L-4: units, Officers and Stewards pass to the leader; their estates to nobody; other Courtiers vanish."""
    board = Board().rich("Fennel").player("Anise", wounds=2).heir("Borage", "Dill").hold("D4", "Pape")
    board.post("Anise", "steward", "D4").post("Anise", "tax", "A1", "money").post("Anise", "spy", "E5")
    board.unit("U1", "Anise", "B5").unit("U2", "Anise", "B6", leader="Legate of Prosperity").unit(
        "U3", "Anise", "A1", leader="pc"
    )
    board.unit("U4", "Anise", "B7", leader="Captain", rented="Kantonians")
    board.faction("Pape", officers={"Captain of the Mercatore": "Anise"}).stock("Basil", money=3)
    turn = board.night(Fennel=["Assassin on Anise"])
    assert {unit.owner for unit in turn.after.units.values()} == {"Basil"}
    assert (turn.after.units["U3"].leader, turn.after.units["U3"].name) == ("company", "officer")
    assert turn.after.factions["Pape"].officers == {"Captain of the Mercatore": "Basil"}
    assert (turn.by("A1"), turn.by("D4"), turn.player("Anise").courtiers) == (None, "Pape", ())
    assert sorted(turn.posts("Basil")) == [("commander", None, "U1"), ("steward", "D4", None)]
    assert turn.stock("Basil") == (1, 1, 1)
    assert board.now.players["Anise"].design == turn.player("Anise").design


def test_the_second_own_estate_of_a_dead_player_becomes_free() -> None:
    """NB-P-16."""
    board = (
        Board().rich("Fennel").heir("Anise", "Dill").player("Anise", wounds=2, heir=None).hold("D4", "Anise", arsenal=0)
    )
    turn = board.post("Anise", "tax", "D4", "influence").night(Fennel=["Assassin on Anise"])
    assert (turn.by("A1"), turn.by("D4"), turn.after.estates["D4"].buildings) == (None, None, {"arsenal": 0})


def test_a_faction_without_players_is_gone() -> None:
    """NB-P-17."""
    board = (
        Board()
        .dead("Anise", "Borage")
        .rich("Fennel")
        .player("Basil", wounds=2)
        .unit("U1", "Basil", "B5")
        .noble("Pape", "D4")
    )
    turn = board.night(Fennel=["Assassin on Basil"])
    assert (survivors(turn), turn.by("D4"), turn.by("A2")) == (set(), None, None)
    assert turn.after.factions["Pape"] == replace(board.now.factions["Pape"], leader=None, nobles={}, officers={})
    assert [event.faction for event in turn.all(FactionGone)] == ["Pape"]


def test_everybody_hears_of_two_or_more_nights_without_orders() -> None:
    """NB-P-18: everybody hears of it after two, and the moderator may then put in a substitute."""
    turn = Board().night(Anise=[]).again().again()
    assert (turn.player("Anise").missed, turn.player("Fennel").missed) == (1, 2)
    assert turn.again().again(Fennel=[]).player("Fennel").missed == 0
    silent = [(event.seat, event.nights, event.heard) for event in turn.all(Silent)]
    assert silent == [(seat, 2, None) for seat in sorted(turn.after.players) if seat != "Anise"]
    assert Board().night().all(Silent) == []
    third = turn.again(Anise=[]).again(Anise=[])
    assert {event.nights for event in third.all(Silent)} == {3}


# B. Units and movement --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formation", "companies", "rule"),
    [
        ("regiment", "2 Lancers, 3 Pikes", "B-1"),
        ("brigade", "2 Lancers, 5 Pikes, 2 Crossbows", "B-2"),
        ("division", "4 Lancers, 7 Pikes, 2 Crossbows", "B-3"),
        ("garrison", "5 Pikes, 3 Crossbows", "B-4"),
    ],
)
def test_each_formation_is_filled_exactly(formation: str, companies: str, rule: str) -> None:
    """NB-B-1 to NB-B-4, NB-B-8, NB-B-15: filled at once and exactly; a Garrison never moves."""
    board = Board().rich("Anise")
    head = f"Recruit {formation} at A1 led by Sergeant:"
    good, short = (
        board.night(Anise=[f"{head} {companies}"]),
        board.night(Anise=[f"{head} {companies.rpartition(', ')[0]}"]),
    )
    many = board.night(Anise=[f"{head} {companies}, Pikes"])
    assert good.said("Anise") == ["succeeds recruited NB-B-15"]
    assert short.said("Anise") == many.said("Anise") == ["illegal not-filled NB-B-15"]
    (name,) = survivors(good)
    price = {"B-1": 2, "B-2": 3, "B-3": 4, "B-4": 2}[rule]
    assert tables().formations[formation].price == price
    assert len(good.after.units[name].companies) + 1 == {"B-1": 6, "B-2": 10, "B-3": 14, "B-4": 9}[rule]
    moved = good.again().again(Anise=[f"Move {name} to B1"])
    said = "illegal garrison NB-B-8" if formation == "garrison" else "succeeds moved NB-B-5"
    assert moved.said("Anise") == [said]


@pytest.mark.parametrize(
    ("path", "recruited", "said", "at"),
    [
        ("D5", 1, "succeeds moved NB-B-5", "D5"),
        ("E5", 1, "illegal not-beside NB-B-5", "D4"),
        ("D4", 1, "illegal not-beside NB-B-5", "D4"),
        ("D5, D6", 1, "illegal too-far NB-B-6", "D4"),
        ("D5, D6", 3, "illegal too-far NB-B-6", "D4"),
        ("D5, D6", 4, "succeeds moved NB-B-5", "D6"),
        ("D5, E6", 4, "illegal not-beside NB-B-5", "D4"),
        ("D5, D6, D7", 4, "illegal too-far NB-B-5", "D4"),
        ("D3, D2", 4, "succeeds first-leg NB-B-7", "D3"),
        ("C4, B4", 4, "succeeds moved NB-B-5", "B4"),
    ],
)
def test_units_move_one_estate_or_two_after_recruitment(path: str, recruited: int, said: str, at: str) -> None:
    """NB-B-5 to NB-B-7: one estate; two in the Night after recruitment, past units of the same faction only."""
    board = Board().unit("U1", "Anise", "D4", recruited=recruited).unit("U2", "Fennel", "D3").unit("U3", "Borage", "C4")
    turn = board.night(Anise=[f"Move U1 to {path}"], Fennel=["Move U2 to E3"])
    assert (turn.said("Anise"), turn.at("U1")) == ([said], at)
    assert [event.path for event in turn.all(Moved) if event.unit == "U1"] == (
        [("D4", *path.split(", "))] if "moved" in said else [("D4", at)] if "first-leg" in said else []
    )


def crowd(mobile: int, garrisons: int) -> Board:
    board = Board().rich("Anise")
    for number in range(mobile):
        board.unit(f"U{number + 1}", "Anise", "A1", leader="Sergeant")
    for number in range(garrisons):
        board.unit(f"U{number + 11}", "Anise", "A1", WALLS, "Sergeant")
    return board


@pytest.mark.parametrize(
    ("mobile", "garrisons", "regiment", "garrison"),
    [
        (0, 0, True, True), (2, 0, True, True), (3, 0, False, True), (3, 1, False, True), (3, 2, False, False),
        (2, 2, True, True), (2, 3, False, False), (0, 4, True, True), (0, 5, False, False), (1, 1, True, True),
    ],
)  # fmt: skip
def test_an_estate_holds_a_limited_number_of_units(mobile: int, garrisons: int, regiment: bool, garrison: bool) -> None:
    """NB-B-9, NB-B-10: three of a faction, and two Garrisons besides; recruiting and arriving alike."""
    board = crowd(mobile, garrisons)
    said = {True: ["succeeds recruited NB-B-15"], False: ["fails no-room NB-B-9"]}
    for formation, companies, fits in (("regiment", WEAK, regiment), ("garrison", WALLS, garrison)):
        turn = board.night(Anise=[f"Recruit {formation} at A1 led by Sergeant: {companies}"])
        assert turn.said("Anise") == said[fits]
        assert (turn.stock("Anise")[1] == 40) == (not fits)
    turn = board.unit("U30", "Borage", "B1").night(Borage=["Move U30 to A1"])
    assert turn.at("U30") == ("A1" if regiment else "B1")


def test_units_that_stay_count_before_those_that_arrive() -> None:
    """NB-B-10: units that stay count first, then arrivals by order; a refused unit stays, and may keep another out."""
    board = crowd(2, 0).unit("U21", "Borage", "B1").unit("U22", "Basil", "A2").unit("U23", "Borage", "C1")
    for number in range(31, 33):
        board.unit(f"U{number}", "Borage", "B1", leader="Sergeant")
    turn = board.night(Borage=["Move U21 to A1", "Move U23 to B1"], Basil=["Move U22 to A1"])
    assert (turn.said("Basil"), turn.said("Borage")) == (
        ["succeeds moved NB-B-5"], ["fails no-room NB-B-9", "fails no-room NB-B-9"],
    )  # fmt: skip
    assert (turn.at("U21"), turn.at("U22"), turn.at("U23")) == ("B1", "A1", "C1")
    freed = board.night(Borage=["Move U21 to A1", "Move U23 to B1"])
    assert (freed.at("U21"), freed.at("U23")) == ("A1", "B1")


def test_tiers_of_companies_are_as_listed() -> None:
    """NB-B-12 to NB-B-14, 5.3: a tier is the plain sum, a colour 1, and 1 to 10; as the list of the default scenario says."""
    assert Company(slot="flank", malus=2, melee=2, morale=4).tier == 8
    listed = {
        "Sergeant": 1, "Captain": 3, "Colonel": 5, "Light Horse": 5, "Lancers": 6, "Vanguard": 6, "Outriders": 4,
        "Harassers": 4, "Militia": 3, "Men-at-arms": 6, "Pikes": 5, "Halberds": 6, "Heavy Foot": 6, "Crossbows": 3,
        "Longbows": 4, "Sappers": 4, "Levy Office": 2, "Notaries": 2, "Tithe Barn": 2,
    }  # fmt: skip
    assert {name: company.tier for name, company in FARNA.companies.items()} == listed
    assert all(1 <= role.company.tier <= 8 for role in FARNA.roles.values())
    text = (DATA / "farna.yaml").read_bytes()
    for bad in (b"Militia: {slot: centre}", b"Militia: {slot: centre, melee: 9, morale: 2}"):
        with pytest.raises(Problems, match="NB-B-14"):
            load_scenario(text.replace(b"Militia: {slot: centre, melee: 1, morale: 2}", bad), "farna.yaml")


def price_of_unit(formation: str, tiers: list[int], officer: int = 0) -> int:
    """The price of a unit of companies of these tiers."""
    companies = {f"T{tier}": Company(slot="centre", morale=tier) for tier in range(1, 11)}
    return price_of(
        replace(FARNA, companies=companies), "Abbe Corvin", formation, tuple(f"T{tier}" for tier in tiers), officer
    )


@pytest.mark.parametrize(
    ("tiers", "officer", "cost"),
    [([4, 4, 4, 6, 7], 0, 5), ([6, 6, 6, 6, 6], 0, 5), ([6, 6, 6, 6, 7], 0, 6), ([4, 4, 4, 6, 7], 1, 5), ([4] * 5, 0, 4), ([4] * 5, 1, 5)],
)  # fmt: skip
def test_prices_of_units_match_the_examples(tiers: list[int], officer: int, cost: int) -> None:
    """NB-B-15, NB-B-18: 25 tiers cost 5, 30 too, 31 cost 6, 26 with an officer 5."""
    assert price_of_unit("regiment", tiers, officer) == cost


@pytest.mark.parametrize(
    ("formation", "companies", "least", "most", "led"),
    [("regiment", 5, 3, 7, 8), ("brigade", 9, 4, 12, 13), ("division", 13, 6, 17, 18), ("garrison", 8, 3, 10, 11)],
)
def test_prices_of_units_stay_in_their_ranges(formation: str, companies: int, least: int, most: int, led: int) -> None:
    """NB-B-19."""
    prices = (
        price_of_unit(formation, [1] * companies),
        price_of_unit(formation, [10] * companies),
        price_of_unit(formation, [10] * companies, 10),
    )
    assert prices == (least, most, led)


def test_survivors_are_whole_again() -> None:
    """NB-B-22: what the ambush cost them is back at the start of the next battle."""
    board = Board().unit("U1", "Anise", "D4", STRONG).unit("U2", "Fennel", "D4", "2 Outriders, 3 Militia")
    turn = board.unit("U3", "Fennel", "D5").night()
    assert (fights(turn)[0].start[1], fights(turn)[0].left[1], survivors(turn)) == (47, 41, {"U1", "U3"})
    after = turn.again().again(Fennel=["Move U3 to D4"])
    assert fights(after)[0].start[1] == 47


# 3.2 Battles on the board -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nobles", "owner", "order"),
    [
        ({}, None, ("Alliance", "TCK", "Fleurs", "Pape")),
        ({"Alliance": 1}, None, ("TCK", "Fleurs", "Pape", "Alliance")),
        ({"Alliance": 1, "Fleurs": 2}, None, ("TCK", "Pape", "Alliance", "Fleurs")),
        ({}, "Alliance", ("TCK", "Fleurs", "Pape", "Alliance")),
        ({"Pape": 1}, "TCK", ("Alliance", "Fleurs", "Pape", "TCK")),
    ],
)
def test_sides_are_ordered_by_nobles_then_prestige(
    nobles: Mapping[str, int], owner: str | None, order: tuple[str, ...]
) -> None:
    """NB-3.2, NB-H-1, NB-H-2: fewest Nobles first, then lower prestige; who controls the estate last; all hostile."""
    board = Board()
    seats = iter(("G4", "G5", "G6", "G7"))
    for faction, count in nobles.items():
        board.noble(faction, *(next(seats) for _ in range(count)))
    if owner:
        board.hold("D4", owner)
    for number, seat in enumerate(("Anise", "Dill", "Fennel", "Tansy"), start=1):
        board.unit(f"U{number}", seat, "D4", leader="Sergeant")
    turn = board.night()
    (battle,) = turn.all(Battle)
    assert tuple(side.name for side in battle.sides) == order
    assert battle.fights[0].sides == order[:2]
    (rumour,) = turn.all(Rumour)
    # Public news has another order: this one would reveal the estate's holder, and the faction with most Nobles.
    assert (rumour.heard, rumour.sides) == (None, ("Pape", "Fleurs", "TCK", "Alliance"))
    assert set(rumour.left) == {turn.after.players[unit.owner].faction for unit in turn.after.units.values()}


# L. Leaders -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("named", "leader"), [("Borage", "Borage"), (None, "Anise")])
def test_the_named_successor_or_the_first_by_name_succeeds(named: str | None, leader: str) -> None:
    """NB-L-1, NB-L-3, NB-L-4, NB-L-9: the named successor, or the first by name; with the stock, hired units and Officers."""
    board = Board(phase=DAY).unit("U1", "Basil", "B5", leader="Captain", rented="Kantonians").stock("Basil", money=7)
    votes = {seat: ["Vote Basil"] for seat in HOMES if seat != "Basil"}
    turn = board.day(**votes, Basil=[f"Successor {named}"] if named else [])
    assert turn.after.factions["Pape"].leader == leader
    assert (turn.stock(leader), turn.stock("Basil"), turn.after.units["U1"].owner) == ((0, 0, 7), (0, 0, 0), leader)
    assert set(turn.after.factions["Pape"].officers.values()) == {leader}
    assert [(event.leader, event.heard) for event in turn.all(Succession)] == [(leader, ("Anise", "Borage"))]


def test_a_faction_has_two_unique_officers_for_one_unit_at_a_time() -> None:
    """NB-L-5, NB-L-10, NB-B-17, 5.5: two a faction; handed out by day, used at Night, one unit at a time, lost with it."""
    board = Board(phase=DAY).rich("Anise")
    day = board.day(Basil=["Give Captain of the Mercatore to Anise"])
    order = f"Recruit regiment at A1 led by Captain of the Mercatore: {WEAK}"
    turn = day.again(Anise=[order, order, f"Recruit regiment at A1 led by Legate of Prosperity: {WEAK}"])
    assert turn.said("Anise") == [
        "succeeds recruited NB-B-15",
        "fails not-your-officer NB-L-10",
        "fails not-your-officer NB-L-10",
    ]
    assert turn.after.factions["Pape"].officers == {"Legate of Prosperity": "Basil"}
    fight = (
        Board().unit("U1", "Basil", "D4", leader="Captain of the Mercatore").unit("U2", "Fennel", "D4", STRONG).night()
    )
    assert (fights(fight)[0].net[1], fights(fight)[0].start[1]) == (4, 10 + 5 + 4)
    assert fight.after.factions["Pape"].officers == {"Legate of Prosperity": "Basil"}
    assert [event.leader for event in fight.all(Gone)] == ["lost"]


def test_rent_is_due_every_night() -> None:
    """NB-L-11, 5.5: the formation price; unpaid they leave, and can be hired again two cycles later."""
    board = Board().stock("Basil", money=7)
    turn = board.night(Basil=["Hire Kantonians for Anise"])
    assert turn.stock("Basil") == (0, 0, 2)
    turn = turn.again().again()
    assert (turn.stock("Basil"), len(survivors(turn))) == ((0, 0, 0), 1)
    turn = turn.again().again()
    assert (survivors(turn), [event.why for event in turn.all(Gone)], turn.after.away) == (
        set(),
        ["unpaid"],
        {"Kantonians": 9},
    )
    position = turn.again().after
    position = replace(
        position, players={**position.players, "Basil": replace(position.players["Basil"], stock=stock(0, 0, 20))}
    )
    for _ in range(2):
        turn = play_turn(position, {"Basil": ["Hire Kantonians for Anise"]})
        position = turn.again().after
        assert turn.said("Basil") == ["fails rented NB-L-11" if turn.before.cycle < 9 else "succeeds hired NB-L-6"]


@pytest.mark.parametrize("numbers", [("U1", "U2"), ("U2", "U1")])
def test_rent_is_paid_in_the_order_of_names(numbers: tuple[str, str]) -> None:
    """NB-L-11: not in the order of the units' numbers, which are drawn by lot. There are 2 Money, the price of one formation."""
    turn = (
        Board().stock("Basil", money=40).night(Basil=["Hire Kantonians for Anise", "Hire Zimella Veterans for Basil"])
    )
    rented = {unit.rented: unit for unit in turn.after.units.values()}
    units = dict(zip(numbers, (rented["Kantonians"], rented["Zimella Veterans"]), strict=True))
    basil = replace(turn.after.players["Basil"], stock=stock(0, 0, 2))
    position = replace(turn.after, units=units, players={**turn.after.players, "Basil": basil})
    after = play_turn(position, {}).again()
    assert {unit.rented for unit in after.after.units.values()} == {"Kantonians"}


def test_mercenaries_count_towards_the_limit() -> None:
    """NB-L-11, NB-B-9."""
    turn = crowd(3, 0).rich("Basil").night(Basil=["Hire Kantonians for Anise", "Hire Zimella Veterans for Anise"])
    assert turn.said("Basil") == ["fails no-room NB-B-9", "succeeds hired NB-L-6"]


# Y and W. Days ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alive", "votes", "lynched"),
    [(12, 6, False), (12, 7, True), (11, 6, True), (11, 5, False), (3, 2, True), (2, 1, False)],
)
def test_a_lynch_needs_more_than_half(alive: int, votes: int, lynched: bool) -> None:
    """NB-Y-1, NB-Y-2, NB-Y-3, NB-W-5: strictly more than half of the living on one name."""
    board = Board(phase=DAY)
    order = [
        "Anise",
        "Fennel",
        "Dill",
        "Tansy",
        "Basil",
        "Rue",
        "Hyssop",
        "Borage",
        "Chervil",
        "Lovage",
        "Marjoram",
        "Caraway",
    ]
    board.dead(*order[alive:])
    voters = {seat: ["Vote Anise"] for seat in order[1 : votes + 1]}
    turn = board.day(**voters)
    (voted,) = turn.all(Voted)
    assert (voted.lynched, turn.player("Anise").alive) == (("Anise", False) if lynched else (None, True))
    assert voted.needed == alive // 2 + 1
    assert dict(voted.votes) == dict.fromkeys(voters, "Anise")
    assert voted.heard is None


@pytest.mark.parametrize("heir", [True, False])
def test_a_lynch_reveals_character_and_faction(heir: bool) -> None:
    """NB-Y-3, NB-Y-4, NB-P-5, W11: character and faction are published; an Heir goes on under the same name."""
    board = Board(phase=DAY)
    if heir:
        board.heir("Anise", "Fennel")
    turn = board.day(**{seat: ["Vote Anise"] for seat in HOMES if seat != "Anise"})
    (died,) = turn.all(Died)
    assert (died.heard, died.why, died.role, died.faction, died.heir) == (
        None,
        "lynched",
        "Mercatore Ruggero",
        "Pape",
        heir,
    )
    assert turn.player("Anise").alive == heir


# V. Victory -------------------------------------------------------------------------------------------------------


def victories(turn: Turn) -> dict[str, str]:
    return {event.faction: event.how for event in turn.all(Victory)}


def test_a_military_victory_needs_all_four_estates() -> None:
    """NB-V-1, NB-V-9, NB-V-10: all four, by the faction or by a player of it; three are not enough."""
    board = Board().hold("E5", "Pape").hold("E6", "Pape").hold("F5", "Anise")
    assert board.night().ended is None
    turn = board.hold("F6", "Pape").night()
    assert turn.ended is not None
    assert (turn.ended.how, turn.ended.winners, turn.ended.when, turn.ended.rule) == (
        "military", ("Anise", "Basil", "Borage"), "Night 5", "NB-V-1",
    )  # fmt: skip
    assert board.hold("F6", "TCK").night().ended is None
    assert board.hold("F6", "Fennel").night().ended is None


@pytest.mark.parametrize(("nobles", "hostages", "wins"), [(7, 0, False), (8, 0, True), (7, 1, True), (6, 1, False)])
def test_enough_nobles_and_hostages_are_a_dynastic_victory(nobles: int, hostages: int, wins: bool) -> None:
    """NB-V-3, NB-V-4, NB-P-11, NB-P-15: eight Nobles, twice the factions, hostages held among them."""
    assert Settings().nobles == 8
    assert Settings(dynastic=5).nobles == 5
    board = Board().noble("Pape", *[f"D{number}" for number in range(1, nobles + 1)])
    if hostages:
        board.heir("Fennel", "Anise", hostage="Anise")
    assert victories(board.night()) == ({"Pape": "dynastic"} if wins else {})


@pytest.mark.parametrize(
    ("alive", "heirs", "wins"),
    [
        ({"Pape": 3, "TCK": 2}, [], ["Pape"]),
        ({"Pape": 3, "TCK": 3}, [], []),
        ({"Pape": 2, "TCK": 1, "Fleurs": 1}, [], []),
        ({"Pape": 3, "TCK": 1, "Fleurs": 1}, [], ["Pape"]),
        ({"Pape": 1}, [], ["Pape"]),
        # An Heir of both counts for both; one of neither against.
        ({"Pape": 3, "TCK": 3}, [("Fennel", "Anise", None)], ["Pape", "TCK"]),
        ({"Pape": 3, "TCK": 2}, [("Fennel", "Dill", None)], []),
        ({"Pape": 3, "TCK": 3}, [("Fennel", "Anise", "Anise")], ["Pape"]),
        ({"Pape": 3, "TCK": 2}, [("Anise", "Fennel", "Fennel")], []),
    ],
)
def test_a_supremacy_needs_more_than_all_others_together(
    alive: Mapping[str, int], heirs: list[tuple[str, str, str | None]], wins: list[str]
) -> None:
    """NB-V-5 to NB-V-8, NB-V-10, NB-P-11: more than all others together, Heirs of both sides, hostages counted only for their holder."""
    for phase in (Phase.NIGHT, DAY):
        board = Board(phase=phase)
        for seat, other, hostage in heirs:
            board.heir(seat, other, hostage=hostage)
        for faction, members in FACTIONS.items():
            board.dead(*sorted(members, key=lambda seat: seat not in {"Anise", "Fennel"})[alive.get(faction, 0) :])
        turn = board.turn()
        assert victories(turn) == dict.fromkeys(wins, "supremacy")
        assert (turn.ended is not None) == bool(wins)


def test_a_position_can_be_saved() -> None:
    """With everything on it that these tests can set up."""
    board = (
        Board(scenario=FARNA)
        .heir("Anise", "Fennel", hostage="Fennel")
        .unit("U1", "Basil", "D4", leader="Legate of Prosperity")
        .noble("TCK", "D5")
    )
    board.offer("marriage", "Dill", "Tansy").offer("hostages", "Anise", "Fennel", accepted=True).hold(
        "A1", "Anise", arsenal=0
    )
    assert load(Position, dump(board.now).encode(), "position.yaml") == board.now


# Nothing is dropped in silence ------------------------------------------------------------------------------------


def test_lines_for_another_turn_are_reported() -> None:
    """NB-A-16, NB-C-2: choices of the setup on a Night's sheet, and treaties before the first Night."""
    sheet = Sheet(homes=("B2", "B3"), income=stock(3, 1, 1), without="two", unit="garrison led by pc: 5 Pikes")
    done = resolve(Board().now, {"Anise": sheet}, dice())
    assert [(verdict.order, verdict.result, verdict.reason) for verdict in done.verdicts] == [
        ("Home B2", "illegal", "not-now"),
        ("Home B3", "illegal", "not-now"),
        ("Income 3 influence, 1 manpower, 1 money", "illegal", "not-now"),
        ("Without two", "illegal", "not-now"),
        ("Unit garrison led by pc: 5 Pikes", "illegal", "not-now"),
    ]
    assert [remark.place for remark in check(Board().now, "Anise", sheet)] == [
        ("homes",),
        ("income",),
        ("without",),
        ("unit",),
    ]
    promise, penalty, end = (
        Promise(form="enter", estates=("E5",)),
        Penalty(form="ends", cycles=1),
        Expiration(form="one kept"),
    )
    treaty = Proposal(to="TCK", mine=(promise,), theirs=(promise,), penalties=(penalty,), ends=(end,))
    early = found_courts(setup(Settings(), dice()), {"Anise": Sheet(treaties=(treaty,))}, dice())
    assert [(verdict.order, verdict.reason) for verdict in early.verdicts] == [("Treaty with TCK", "not-now")]
