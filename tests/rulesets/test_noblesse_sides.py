"""Noblesse: Heirs who are won over, and players who change sides as a result (ST-5: NB-C-26, NB-P-9, NB-P-20 to NB-P-22)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.text.codec import encode
from adjudicator.rulesets.noblesse.brief import brief
from adjudicator.rulesets.noblesse.chapters import ABILITY_HEAD, ability_rows
from adjudicator.rulesets.noblesse.day import setup
from adjudicator.rulesets.noblesse.events import (
    AnyEvent,
    Battle,
    Died,
    FactionGone,
    Gone,
    HeirDied,
    Left,
    Succession,
    Turned,
    Used,
    Victory,
)
from adjudicator.rulesets.noblesse.options import check, options
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import BASIC, Courtier, Heir, OwnScenario, Phase, Position, faults, seen_by
from adjudicator.rulesets.noblesse.prose import tell
from adjudicator.rulesets.noblesse.scenario import DATA, Stock, load_scenario
from adjudicator.rulesets.noblesse.secrecy import heard_by
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, treaty_of
from adjudicator.rulesets.noblesse.victory import supreme
from adjudicator.rulesets.noblesse.work import Work
from tests.conftest import examples
from tests.rulesets.noblesse_world import (
    FACTIONS,
    FARNA,
    PLAIN,
    RULES,
    STRONG,
    WALLS,
    Board,
    Turn,
    dice,
    resolve,
    wanted_sheets,
)
from tests.rulesets.test_noblesse_abilities import board_with, effect, grant
from tests.rulesets.test_noblesse_laws import assert_sound, random_sheets, wild

WON = effect("win over")


def lynch(board: Board, victim: SeatId) -> Turn:
    """A Day when everybody else votes for one player."""
    voters = [seat for seat, player in board.now.players.items() if player.alive and seat != victim]
    return board.day(**{seat: [f"Vote {victim}"] for seat in voters})


def settled(position: Position) -> None:
    """Check the invariants of a position. The tests' board stores where commanders are; positions leave that to their units."""
    players = {
        seat: replace(
            player,
            courtiers=tuple(replace(c, at=None) if c.post == "commander" else c for c in player.courtiers),
        )
        for seat, player in position.players.items()
    }
    assert_sound(replace(position, players=players))


def on_a_day() -> Board:
    return Board(phase=Phase.DAY)


def heard(turn: Turn, seat: SeatId | None) -> list[str]:
    """The news of a turn for a seat or the public."""
    facts: list[AnyEvent] = [*turn.done.events]
    return [tell(turn.before, fact) for fact in facts if heard_by(fact, seat) is not None]


# Targets ------------------------------------------------------------------------------------------------------------


def test_an_heir_is_won_over_wherever_they_are() -> None:
    """NB-C-26: with their unit, with their holder, or at home; nowhere else."""
    for where, said in (("A3", "fails no-heir-there NB-C-26"), ("D4", "succeeds win over NB-C-26")):
        board = board_with("Rue", two=WON).post("Rue", "spy", where).heir("Borage", "Dill")
        assert board.unit("U1", "Borage", "D4", leader="heir").night(Rue=[f"Ability 2 at {where}"]).said("Rue") == [
            said
        ]
    for where, said in (("A3", "fails no-heir-there NB-C-26"), ("A10", "succeeds win over NB-C-26")):
        board = board_with("Rue", two=WON).post("Rue", "spy", where).heir("Borage", "Dill", hostage="Dill")
        assert board.night(Rue=[f"Ability 2 at {where}"]).said("Rue") == [said]
    # An Heir who has succeeded, or who was never born, is not a target.
    turn = (
        board_with("Rue", two=WON)
        .post("Rue", "spy", "A3")
        .player("Borage", had_heir=True)
        .night(Rue=["Ability 2 at A3"])
    )
    assert (turn.said("Rue"), turn.stock("Rue")) == (["fails no-heir-there NB-C-26"], (40, 40, 40))


def test_of_several_heirs_the_first_by_name_is_won_over_and_the_players_own_last() -> None:
    """NB-C-26: a second use in the same Night is for the next Heir; a third for the player's own, and a fourth for nobody."""
    board = board_with("Borage", two=WON).post("Borage", "spy", "D4")
    for seat in ("Borage", "Rue", "Dill"):
        board.heir(seat, "Tansy").unit(f"U{len(board.now.units) + 1}", seat, "D4", leader="heir")
    turn = board.night(Borage=["Ability 2 at D4"] * 4)
    said = [(verdict.reason, (verdict.facts or {}).get("seat")) for verdict in turn.verdicts("Borage")]
    assert said == [("win over", "Dill"), ("win over", "Rue"), ("win over", "Borage"), ("no-heir-there", None)]


def test_the_last_player_to_win_an_heir_over_gets_them() -> None:
    """NB-C-26: the last of several; won over for the faction of the Heir's own player, they stay."""
    scenario = grant("Rue", two=WON)
    roles = {name: replace(role, abilities={"two": WON}) for name, role in scenario.roles.items()}
    board = Board(scenario=replace(scenario, roles=roles)).rich("Rue", "Hyssop", "Basil").heir("Borage", "Dill")
    for seat in ("Rue", "Hyssop", "Basil"):
        board.post(seat, "spy", "A3")
    line = ["Ability 2 at A3"]
    first = board.night(Rue=line)
    assert first.player("Borage").heir == Heir(other="Fleurs", won="Alliance")
    later = first.again().again(Hyssop=line)
    assert later.player("Borage").heir == Heir(other="Fleurs", won="TCK")
    back = later.again().again(Basil=line).again(**{seat: ["Vote Borage"] for seat in board.now.players})
    assert (back.player("Borage").faction, back.all(Turned)) == ("Pape", [])
    # In one Night the order of work decides: TCK comes before the Alliance.
    assert board.night(Rue=line, Hyssop=line).player("Borage").heir == Heir(other="Fleurs", won="Alliance")


def test_a_faction_that_is_gone_gains_nobody() -> None:
    """NB-P-9."""
    board = on_a_day().heir("Borage", "Dill", won="TCK").dead(*FACTIONS["TCK"]).faction("TCK", leader=None)
    turn = lynch(board, "Borage")
    assert (turn.player("Borage").faction, turn.all(Turned)) == ("Pape", [])


def test_an_heir_who_falls_first_makes_nobody_change_sides() -> None:
    """NB-P-4, NB-P-9."""
    board = Board().heir("Borage", "Dill", won="TCK").unit("U1", "Borage", "D4", leader="heir")
    turn = board.unit("U2", "Fennel", "D4", STRONG).night()
    assert len(turn.all(HeirDied)) == 1
    assert (turn.player("Borage").heir, turn.player("Borage").faction) == (None, "Pape")


def test_a_hostage_who_comes_home_may_belong_to_another_faction() -> None:
    """NB-P-13, NB-P-9: the holder's reason is gone; hostages that the player holds stay held (NB-P-20)."""
    board = on_a_day().heir("Borage", "Dill", hostage="Dill", won="Fleurs").heir("Dill", "Borage", hostage="Borage")
    turn = lynch(board, "Borage")
    assert (turn.player("Borage").faction, turn.player("Borage").heir) == ("Fleurs", None)
    assert turn.player("Dill").heir == Heir(other="Pape", hostage="Borage")


# Losses and gains of a change ------------------------------------------------------------------------------------------


def house() -> Board:
    """Basil, the leader of Pape, with everything a leader can have; the Heir was won over for the Alliance."""
    board = Board(phase=Phase.DAY).heir("Basil", "Dill", won="Alliance").stock("Basil", influence=4, money=9)
    board.noble("Pape", "D4", "E4").hold("C3", "Pape").hold("C4", "Basil").faction("Pape", successor="Borage")
    board.building("Basil", "arsenal").post("Basil", "steward", "C3").post("Basil", "steward", "C4")
    board.post("Basil", "tax", "A2", "money").post("Basil", "spy", "J1").post("Anise", "steward", "D5").hold(
        "D5", "Pape"
    )
    board.unit("U1", "Basil", "B1", leader="Captain of the Mercatore").unit("U2", "Basil", "B2", leader="noble of D4")
    board.unit("U3", "Basil", "B3").unit("U4", "Basil", "A2", WALLS, leader="heir", rented="Zimella Veterans")
    board.unit("U5", "Basil", "B4", leader="pc").unit("U6", "Anise", "B5", leader="Sergeant", rented="Kantonians")
    return board


def test_a_leader_who_changes_sides_leaves_the_factions_possessions_behind() -> None:
    """NB-P-20, NB-P-21, NB-L-4: the house goes along; stock, mercenaries, Nobles, officers and estates of Pape stay with it."""
    board = house()
    turn = lynch(board, "Basil")
    after, basil = turn.after, turn.player("Basil")
    assert (basil.faction, basil.role, basil.home, basil.married, basil.had_heir) == (
        "Alliance", board.now.players["Basil"].role, "A2", "Dill", True,
    )  # fmt: skip
    assert (turn.stock("Basil"), turn.stock("Borage")) == ((0, 0, 0), (4, 0, 9))
    assert (after.factions["Pape"].leader, after.factions["Pape"].successor) == ("Borage", None)
    assert after.factions["Alliance"] == board.now.factions["Alliance"]
    assert set(after.factions["Pape"].nobles) == {"of D4", "of E4"}
    assert [noble.unit for noble in after.factions["Pape"].nobles.values()] == [None, None]
    assert after.factions["Pape"].officers == {
        "Captain of the Mercatore": "Borage", "Legate of Prosperity": "Borage",
    }  # fmt: skip
    owners = {name: (unit.owner, unit.leader, unit.name) for name, unit in after.units.items()}
    assert owners == {
        "U1": ("Basil", "company", BASIC), "U2": ("Basil", "company", BASIC), "U3": ("Basil", "courtier", board.now.units["U3"].name),
        "U4": ("Borage", "company", BASIC), "U5": ("Basil", "company", BASIC), "U6": ("Anise", "company", "Sergeant"),
    }  # fmt: skip
    assert basil.unit is None  # the Heir led the mercenaries, who belong to Pape
    assert sorted(turn.posts("Basil"), key=str) == sorted(
        [("staff", "A2", "arsenal"), ("steward", "C4", None), ("tax", "A2", "money"), ("spy", "J1", None), ("commander", "B3", "U3")],
        key=str,
    )  # fmt: skip
    assert turn.posts("Anise") == [("steward", "D5", None)]
    assert after.estates == board.now.estates
    settled(after)


def test_a_named_successor_who_leaves_no_longer_succeeds() -> None:
    """NB-P-21, NB-L-3; and an officer whom a member may use is the leader's again."""
    board = on_a_day().heir("Borage", "Dill", won="TCK").stock("Borage", money=3)
    board.faction("Pape", successor="Borage", officers={"Legate of Prosperity": "Borage"})
    turn = lynch(board, "Borage")
    pape = turn.after.factions["Pape"]
    assert (pape.leader, pape.successor, pape.officers) == ("Basil", None, {"Legate of Prosperity": "Basil"})
    assert (turn.stock("Borage"), turn.all(Succession)) == ((0, 0, 3), [])


def test_a_faction_is_gone_when_its_last_player_leaves() -> None:
    """NB-P-21, NB-P-17: the stock stays theirs, mercenaries leave, nobody controls the faction's estates; few hear of it (NB-P-22)."""
    board = house().dead("Anise", "Borage").faction("Pape", successor=None)
    board.now = replace(
        board.now, units={name: unit for name, unit in board.now.units.items() if unit.owner == "Basil"}
    )
    turn = lynch(board, "Basil")
    pape = turn.after.factions["Pape"]
    assert (pape.leader, dict(pape.nobles), dict(pape.officers)) == (None, {}, {})
    assert turn.stock("Basil") == (4, 0, 9)
    assert [turn.by(at) for at in ("C3", "D4", "D5", "E4", "A2", "C4")] == [None, None, None, None, "Basil", "Basil"]
    assert set(turn.after.units) == {"U1", "U2", "U3", "U5"}
    assert [(gone.unit, gone.why) for gone in turn.all(Gone)] == [("U4", "faction-gone")]
    assert turn.after.away == {"Zimella Veterans": 7}
    (gone,) = turn.all(FactionGone)
    assert gone.heard == ("Basil", "Rue")
    settled(turn.after)


def test_former_fellows_fight_at_once() -> None:
    """NB-P-20: a death in step 4 changes the sides of step 6; effects in force for the old faction do not cover the player."""
    board = Board().heir("Borage", "Dill", won="TCK").player("Borage", wounds=2).stock("Rue", money=8)
    board.unit("U1", "Borage", "D4", STRONG, leader="Sergeant").unit("U2", "Anise", "D4", leader="Sergeant")
    board.unit("U3", "Fennel", "D4", leader="Sergeant")
    assert {side.name: side.units for side in board.night().all(Battle)[0].sides} == {
        "Pape": ("U1", "U2"),
        "TCK": ("U3",),
    }
    turn = board.night(Rue=["Assassin on Borage"])
    assert {side.name: side.units for side in turn.all(Battle)[0].sides} == {"Pape": ("U2",), "TCK": ("U1", "U3")}
    assert set(turn.after.units) == {"U1", "U3"}


def test_a_player_who_falls_in_battle_falls_for_the_old_faction() -> None:
    """NB-P-20, NB-P-22: the old leader hears of the lost unit; the Heir's unit elsewhere fights for the new side that Night."""
    board = Board().heir("Borage", "Dill", won="TCK").unit("U1", "Borage", "D4", leader="pc")
    board.unit("U2", "Fennel", "D4", STRONG).unit("U3", "Borage", "E5", STRONG, leader="heir")
    turn = board.unit("U4", "Anise", "E5").night()
    assert [(event.unit, event.heard) for event in turn.all(Gone)] == [
        ("U1", ("Basil", "Borage")), ("U4", ("Anise", "Basil")),
    ]  # fmt: skip
    assert (turn.player("Borage").unit, turn.after.units["U3"].leader) == ("U3", "pc")
    settled(turn.after)


def test_an_estate_may_exceed_its_limit_but_no_more_units_come() -> None:
    """NB-P-20, NB-B-9, NB-B-10."""
    board = on_a_day().heir("Borage", "Dill", won="TCK").unit("U1", "Borage", "D4", leader="Sergeant")
    for name in ("U2", "U3", "U4"):
        board.unit(name, "Fennel", "D4", leader="Sergeant")
    board.unit("U5", "Lovage", "D5", leader="Sergeant")
    turn = lynch(board, "Borage").again(Lovage=["Move U5 to D4"])
    assert turn.said("Lovage") == ["fails no-room NB-B-9"]
    assert [turn.at(name) for name in ("U1", "U2", "U3", "U4", "U5")] == ["D4", "D4", "D4", "D4", "D5"]
    away = turn.again().again(Borage=["Move U1 to E4"], Fennel=["Move U2 to C4"])
    assert (away.at("U1"), away.at("U2")) == ("E4", "C4")


def test_an_ability_costs_the_new_factions_resource() -> None:
    """NB-P-20, NB-C-1, NB-G-1: the role stays, with its core; its price, and the bonus of a War Council, are the new faction's."""
    board = on_a_day().heir("Borage", "Dill", won="Alliance")
    turn = lynch(board, "Borage")
    told = brief(seen_by(turn.after, "Borage"), "Borage")
    assert told[0] == f"You are {board.now.players['Borage'].role}, of Alliance."
    assert any("Your ability 2, for 2 influence" in line for line in told)
    work = Work(turn.after, {}, dice())
    assert work.ability_price("Borage", "two") == Stock(influence=2)
    built = Board().building("Borage", "war council").unit("U1", "Borage", "A3", leader="Sergeant")
    assert Work(built.player("Borage", faction="Alliance").now, {}, dice()).strength("U1").pike == 3


def test_estates_count_for_the_new_faction() -> None:
    """NB-V-9, NB-V-10: a leap in the middle of the board may win the game, for all of the new faction."""
    board = Board().heir("Borage", "Dill", won="TCK").player("Borage", wounds=2).stock("Rue", money=8)
    for estate, by in (("E5", "Borage"), ("E6", "TCK"), ("F5", "TCK"), ("F6", "TCK")):
        board.hold(estate, by)
    assert board.night().ended is None
    turn = board.night(Rue=["Assassin on Borage"])
    assert [(event.faction, event.how) for event in turn.all(Victory)] == [("TCK", "military")]
    assert turn.ended is not None
    assert turn.ended.winners == ("Borage", "Fennel", "Hyssop", "Lovage")


def test_until_they_succeed_heirs_count_as_before() -> None:
    """NB-V-6, NB-P-9: for both parents' factions in Supremacy, and for nobody who won them over; then for one only."""
    board = on_a_day().dead("Anise", "Basil", "Chervil", "Caraway", "Tansy", "Marjoram", "Lovage", "Hyssop")
    board.heir("Borage", "Dill", won="TCK").heir("Fennel", "Rue")
    work = Work(board.now, {}, dice())
    plain = Work(board.heir("Borage", "Dill").now, {}, dice())
    assert [supreme(work, name) for name in FACTIONS] == [supreme(plain, name) for name in FACTIONS]
    before = Board(phase=Phase.DAY).dead(
        "Anise", "Basil", "Chervil", "Caraway", "Tansy", "Marjoram", "Lovage", "Hyssop", "Rue"
    )
    for won, ended in ((None, False), ("TCK", True)):
        board = replace_heir(before, won)
        turn = lynch(board, "Borage")
        assert (turn.ended is not None) == ended


def replace_heir(board: Board, won: str | None) -> Board:
    made = Board(phase=Phase.DAY)
    made.now = board.now
    return made.heir("Borage", "Dill", won=won)


def test_votes_and_messages_belong_to_the_new_faction() -> None:
    """NB-K-11, NB-L-2, NB-F-12: a Messenger's readers, a leader's members, and partners for sharing follow the new faction."""
    board = on_a_day().heir("Borage", "Dill", won="TCK").stock("Hyssop", money=4)
    turn = lynch(board, "Borage")
    assert seen_by(turn.after, "Hyssop").players["Borage"].faction == "TCK"
    assert seen_by(turn.after, "Basil").players["Borage"].faction == ""
    night = turn.again(
        Borage=["Message to Fennel: here I am", "Message to Anise: farewell"], Hyssop=["Share 1 money with Borage"]
    )
    assert [(event.event, event.to) for event in night.done.events if event.event == "message"] == [
        ("message", "Fennel")
    ]
    assert night.stock("Borage") == (0, 0, 1)


def test_earlier_deeds_belong_to_the_old_faction() -> None:
    """NB-P-20, NB-M-6, NB-M-1: under a treaty the vote of the Day counts for Pape, and a unit raised after the change does not."""
    vote = Promise(form="votes", will=False, who=("Fennel",), cycles=3)
    enter = Promise(form="enter", will=False, estates=("A3",), cycles=3)
    place = Promise(form="move", will=False, side="place", estates=("A3",), cycles=3)
    proposal = Proposal(
        to="Fleurs", mine=(vote, enter, place), theirs=(vote, enter, place), penalties=(Penalty(form="ends", cycles=1),),
        ends=(Expiration(form="cycles", number=9),),
    )  # fmt: skip
    bond = replace(treaty_of(proposal, "Pape"), status="in force", began=5)
    board = on_a_day().heir("Borage", "Dill", won="Fleurs")
    board.now = replace(board.now, treaties={"T100": bond})
    voters = {seat: ["Vote Borage"] for seat in board.now.players if seat != "Borage"}
    turn = board.day(Borage=["Vote Fennel"], **voters)
    assert [(deed.by, deed.kind) for deed in turn.after.treaties["T100"].deeds if deed.kind == "voted"] == [
        ("Pape", "voted")
    ]
    for dies, by in ((True, "Fleurs"), (False, "Pape")):
        board = (
            Board().heir("Borage", "Dill", won="Fleurs").player("Borage", wounds=2).stock("Rue", money=8).rich("Borage")
        )
        board.now = replace(board.now, treaties={"T100": bond})
        turn = board.night(
            Borage=[f"Recruit garrison at A3 led by courtier: {WALLS}"], Rue=["Assassin on Borage"] if dies else []
        )
        deeds = [
            deed.by for deed in turn.after.treaties["T100"].deeds if deed.kind == "placed" and deed.what == "garrison"
        ]
        assert deeds == [by]


def test_mercenaries_fight_on_for_the_faction_that_pays_them() -> None:
    """NB-P-21, NB-M-7: mercenaries of a player who left in step 4 fight in step 6 for Pape, and under its treaty."""
    quiet = Promise(form="battle", will=False, factions=("TCK",), cycles=3)
    bond = treaty_of(
        Proposal(
            to="TCK",
            mine=(quiet,),
            theirs=(replace(quiet, factions=("Pape",)),),
            penalties=(Penalty(form="ends", cycles=1),),
            ends=(Expiration(form="cycles", number=9),),
        ),
        "Pape",
    )
    board = Board().heir("Borage", "Dill", won="Fleurs").player("Borage", wounds=2).stock("Rue", money=8).rich("Basil")
    board.unit("U1", "Borage", "D4", STRONG, leader="Sergeant", rented="Electors' Foot")
    board.unit("U2", "Fennel", "D4", leader="Sergeant")
    board.now = replace(board.now, treaties={"T100": replace(bond, status="in force", began=5)})
    turn = board.night(Rue=["Assassin on Borage"])
    assert turn.after.units["U1"].owner == "Basil"
    met = {(deed.by, deed.against, deed.who) for deed in turn.after.treaties["T100"].deeds if deed.kind == "met"}
    assert met == {("Pape", "TCK", "Fennel"), ("TCK", "Pape", "Basil")}


# Secrecy of a change --------------------------------------------------------------------------------------------------


def test_a_change_of_sides_is_heard_of_only_by_those_concerned() -> None:
    """NB-P-22: the player and the new leader hear everything, the old leader half of it, and nobody else anything."""
    turn = lynch(on_a_day().heir("Borage", "Dill", won="TCK"), "Borage")
    (turned,), (left,), (died,) = turn.all(Turned), turn.all(Left), turn.all(Died)
    assert (turned.heard, turned.faction, turned.before) == (("Borage", "Hyssop"), "TCK", "Pape")
    assert (left.heard, left.faction) == (("Basil",), "Pape")
    assert (died.heard, died.faction, died.heir) == (None, "Pape", True)
    told = {seat: heard(turn, seat) for seat in (None, *turn.before.players)}
    plain = lynch(on_a_day().heir("Borage", "Dill"), "Borage")
    for seat, lines in told.items():
        more = [line for line in lines if line not in heard(plain, seat)]
        wanted = {
            "Borage": ["Borage’s Heir had been won over: Borage now belongs to TCK, and no longer to Pape."],
            "Hyssop": ["Borage’s Heir had been won over: Borage now belongs to TCK, and no longer to Pape."],
            "Basil": ["Borage’s Heir had been won over: Borage no longer belongs to Pape."],
        }
        assert more == wanted.get(seat or "", []), seat


def test_nobody_hears_that_an_heir_was_won_over() -> None:
    """NB-C-26: only the player who did it hears; the Heir's own player sees and hears no difference."""
    board = board_with("Rue", two=WON).post("Rue", "spy", "A3").heir("Borage", "Dill")
    done, idle = board.night(Rue=["Ability 2 at A3"]), board.night()
    for seat in (None, *board.now.players):
        if seat == "Rue":
            continue
        assert heard(done, seat) == heard(idle, seat)
        assert seen_by(done.after, seat) == seen_by(idle.after, seat)
    (used,) = done.all(Used)
    assert (used.heard, tell(board.now, used)) == (
        ("Rue",),
        "Rue used an ability at A3: “an Heir on an estate where the player has a Spy is won over, and joins the player’s faction when they succeed”.",
    )
    (verdict,) = done.verdicts("Rue")
    assert tell(board.now, verdict) == (
        "Ability 2 at A3: Borage’s Heir is won over, and joins Alliance when they succeed, if nobody wins them over after that."
    )


def test_the_options_of_a_seat_reveal_nothing() -> None:
    """NB-C-26: only the player's own Spies cause offers and warnings, whether an Heir is there or not."""
    board = board_with("Rue", two=WON).post("Rue", "spy", "A3")
    for made in (board, board.heir("Borage", "Dill"), board.heir("Borage", "Dill", won="TCK")):
        lines = [
            line for sheet in options(seen_by(made.now, "Rue"), "Rue") for line in sheet.orders if "Ability 2" in line
        ]
        assert lines == ["Ability 2 at A3"]
        view = seen_by(made.now, "Rue")
        assert check(view, "Rue", Sheet(orders=("Ability 2 at A3",))) == ()
        (remark,) = check(view, "Rue", Sheet(orders=("Ability 2 at D4",)))
        assert (remark.level, remark.what) == (
            "warning",
            "Ability 2 at D4: you have no Spy at D4, and can win over an Heir only where you have one (NB-C-26)",
        )


factions = st.sampled_from(list(FACTIONS))
seats = st.sampled_from([seat for members in FACTIONS.values() for seat in members])


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(2, 16), seats, factions, st.one_of(st.none(), factions))
@examples(40)
def test_the_faction_that_won_an_heir_over_is_a_secret(
    seed: int, turns: int, seat: SeatId, won: str, other: str | None
) -> None:
    """NB-P-22: viewers who are not the player, do not lead an old or new faction, and hear of no new leader see no difference."""
    position = replace(wild(seed, turns), phase=Phase.DAY)
    if not position.players[seat].alive:
        return
    one, two = (
        lynch(board_of(with_heir(position, seat, side)), seat) for side in (won, other)
    )  # fmt: skip
    mine = position.players[seat].faction
    knows = {seat, *(position.factions[name].leader for name in (won, other, mine) if name is not None)}
    if position.factions[mine].leader == seat:
        knows |= {name for name, player in position.players.items() if player.faction == mine}
    for reader in (None, *position.players):
        if reader in knows and reader is not None:
            continue
        assert heard(one, reader) == heard(two, reader)
        assert encode(seen_by(one.after, reader)) == encode(seen_by(two.after, reader))


def board_of(position: Position) -> Board:
    board = Board()
    board.now = position
    return board


def with_heir(position: Position, seat: SeatId, won: str | None) -> Position:
    """A position where a player's Heir, an existing or a new one, was won over for a faction."""
    player = position.players[seat]
    heir = replace(player.heir or Heir(other=player.faction), won=won)
    return replace(position, players={**position.players, seat: replace(player, heir=heir, had_heir=True)})


# Laws -----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(2, 20), st.builds(Random, st.integers(0, 10**6)))
@examples(40)
def test_nothing_differs_until_an_heir_succeeds(seed: int, turns: int, random: Random) -> None:
    """NB-P-9, NB-C-26: a Night without a player's death ends the same way, except for the allegiance of the Heirs."""
    plain = wild(seed, turns)
    won = plain
    for seat, player in plain.players.items():
        if player.heir is not None:
            won = with_heir(won, seat, random.choice(list(FACTIONS)))
    sheets = random_sheets(plain, random)
    one, two = resolve(plain, sheets, dice()), resolve(won, sheets, dice())
    if any(isinstance(event, Died) for event in one.events):
        return
    assert (one.verdicts, one.events, one.ended) == (two.verdicts, two.events, two.ended)
    back = two.position
    for seat, player in back.players.items():
        if player.heir is not None:
            back = replace(back, players={**back.players, seat: replace(player, heir=replace(player.heir, won=None))})
    assert back == one.position


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(2, 20), st.builds(Random, st.integers(0, 10**6)))
@examples(60)
def test_nothing_is_lost_by_a_change_of_sides(seed: int, turns: int, random: Random) -> None:
    """NB-P-20, NB-P-21: all stocks, Courtiers, units and estates still have an owner, unless a faction is gone; and all invariants hold."""
    position = wild(seed, turns)
    living = [seat for seat, player in position.players.items() if player.alive]
    for seat in living:
        position = with_heir(position, seat, random.choice(list(FACTIONS)))
    work = Work(position, {}, dice())
    for seat in random.sample(living, random.randint(1, len(living))):
        work.kill(seat, "wounds")
        assert work.players[seat].alive
    after = work.after()
    assert_sound(after, crowded=True)
    assert not [*faults(after)]
    assert total(after) == total(position)
    titled = {event.faction for event in work.events if event.event == "untitled"}
    if not titled:
        assert [len(player.courtiers) for player in after.players.values()] == [
            len(player.courtiers) for player in position.players.values()
        ]
    gone = [event for event in work.events if isinstance(event, FactionGone)]
    if not gone:
        assert set(after.units) == set(position.units)
        assert {at: holding.by for at, holding in after.estates.items()} == {
            at: holding.by for at, holding in position.estates.items() if at in after.estates
        }
        assert officers(after) == officers(position)
    own = {name: unit for name, unit in position.units.items() if unit.rented is None}
    assert {name: after.units[name].owner for name in own} == {name: unit.owner for name, unit in own.items()}


def total(position: Position) -> Counter[str]:
    sums: Counter[str] = Counter()
    for player in position.players.values():
        sums.update({name: getattr(player.stock, name) for name in ("influence", "manpower", "money")})
    return sums


def officers(position: Position) -> set[str]:
    leading = {unit.name for unit in position.units.values() if unit.leader == "unique"}
    return leading | {name for faction in position.factions.values() for name in faction.officers}


# A host's scenario ----------------------------------------------------------------------------------------------------

FARNA_TEXT = (DATA / "farna.yaml").read_text(encoding="utf-8")
OURS = load_scenario(FARNA_TEXT.replace("{effect: expel}", "{effect: win over}").encode(), "ours.yaml")
"""The default scenario, with three roles that win Heirs over instead of sending people home."""


def test_a_hosts_scenario_may_have_win_over() -> None:
    """NB-C-12, NB-C-26: in a file, in its table of roles, and in a player's brief."""
    having = [name for name, role in OURS.roles.items() if WON in role.abilities.values()]
    assert len(having) == 3
    rows = {name: " ".join(rest) for name, *rest in ability_rows(OURS)}
    assert len(ABILITY_HEAD) == 5
    for name in having:
        assert "is won over, and joins the player’s faction when they succeed" in rows[name]
    position = setup(OwnScenario(own=OURS), dice())
    seat = next(name for name, player in position.players.items() if player.role == having[0])
    price = OURS.factions[position.players[seat].faction].resource
    told = brief(seen_by(position, seat), seat)
    assert any(f"for 5 {price}: an Heir on an estate where you have a Spy is won over" in line for line in told)


def test_stand_ins_use_win_over() -> None:
    """NB-C-26: whenever they can pay it and have a Spy somewhere."""
    board = board_with("Rue", two=WON).player("Rue", courtiers=tuple(Courtier(id=number) for number in range(1, 31)))
    board.post("Rue", "spy", "A3")
    sheet = write_sheet(RULES, seen_by(board.now, "Rue"), "Rue", chance_of("noblesse", "ST-5"))
    assert "Ability 2 at A3" in sheet.orders


def with_a_spy(position: Position, seat: SeatId, lot: str) -> Position:
    """A position where one of a player's Courtiers is a Spy at the Home of somebody of another faction."""
    player = position.players[seat]
    homes = [other.home for other in position.players.values() if other.faction != player.faction]
    *rest, last = player.courtiers
    sent = replace(last, post="spy", at=Random(lot).choice(homes), what=None)
    return replace(position, players={**position.players, seat: replace(player, courtiers=(*rest, sent))})


@pytest.mark.slow
def test_games_with_win_over_go_on() -> None:
    """NB-C-26, NB-P-20: stand-ins play a scenario where everybody can win Heirs over, and every Heir can be won."""
    roles = {name: replace(role, abilities={}, personal=None) for name, role in FARNA.roles.items()}
    scenario = replace(PLAIN, roles=roles, abilities={**PLAIN.abilities, "two": WON})
    seen: Counter[str] = Counter()
    for seed in range(3):
        position = setup(OwnScenario(own=scenario), dice(f"setup {seed}"))
        for number in range(14):
            for seat, player in position.players.items() if position.phase is not Phase.SETUP else ():
                if player.alive and not player.had_heir:
                    position = with_heir(position, seat, None)
                    position = with_a_spy(position, seat, f"{seed}:{number}:{seat}")
            sheets = wanted_sheets(position, f"{seed}:{number}")
            won = [seat for seat, player in position.players.items() if player.heir is not None and player.heir.won]
            if position.phase is Phase.DAY and won:
                sheets = {seat: replace(sheet, orders=(f"Vote {won[-1]}",)) for seat, sheet in sheets.items()}
            done = resolve(position, sheets, dice(f"{seed}:{number}"))
            seen.update(event.event for event in done.events)
            seen.update(event.ability.effect for event in done.events if isinstance(event, Used))
            assert_sound(done.position, crowded=True)
            for fact in (*done.verdicts, *done.events):
                assert tell(position, fact).endswith(".")
            if done.ended is not None:
                break
            position = done.position
    assert seen["win over"]
    assert seen["turned"] > 2
