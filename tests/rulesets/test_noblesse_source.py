"""Noblesse compared with the words of its source: where an independent second judge and the rules post differed, each by its id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.secrets.dice import GivenDice
from adjudicator.rulesets.noblesse.events import Battle, Control, Earned, Harmed, Moved, Raised, SpyReport, TreatyEnded
from adjudicator.rulesets.noblesse.options import check, options
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Noble, OwnScenario, Seen, SeenUnit
from adjudicator.rulesets.noblesse.prose import tell, why
from adjudicator.rulesets.noblesse.scenario import DATA, Stock, load_scenario
from adjudicator.rulesets.noblesse.secrecy import heard_by
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, treaty_of
from adjudicator.rulesets.noblesse.work import NOBODY
from tests.rulesets.noblesse_world import STRONG, WALLS, Board, Turn, resolve

LONG = Expiration(form="cycles", number=9)


def bind(
    board: Board, faction: str, other: str, *, state: str | None = None, name: str = "T417", **fields: object
) -> Board:
    """A treaty of two factions, in force since this cycle."""
    keep = Promise(form="enter", will=False, estates=("J5",))
    usual = {"mine": (keep,), "theirs": (keep,), "penalties": (Penalty(form="ends", cycles=1),), "ends": (LONG,)}
    made = treaty_of(Proposal(to=other, state=state, **{**usual, **fields}), faction)  # type: ignore[arg-type]  # one of the states
    treaty = replace(made, status="in force", began=board.now.cycle)
    board.now = replace(board.now, treaties={**board.now.treaties, name: treaty})
    return board


# Numbers of units -------------------------------------------------------------------------------------------------


def test_a_number_in_use_when_the_night_began_is_not_drawn_in_it() -> None:
    """FN-13, NB-B-23: a garrison raised under the number of a regiment that moved and was disbanded would have moved."""
    removed = Promise(form="move", side="remove", estates=("A1",), units=("regiment",))
    board = bind(Board().rich("Anise").unit("U417", "Anise", "A1"), "Pape", "TCK", mine=(removed,))
    lines = ("Move U417 to B1", "Disband U417", f"Recruit garrison at A1 led by Sergeant: {WALLS}")
    dice = GivenDice({"unit:5:Anise:1": 417 - 99, "unit:5:Anise:2": 418 - 99})
    done = resolve(board.now, {"Anise": Sheet(orders=lines)}, dice)
    assert [event.unit for event in done.events if isinstance(event, Moved)] == ["U417"]
    assert [event.unit for event in done.events if isinstance(event, Raised)] == ["U418"]
    assert [(deed.kind, deed.what) for deed in done.position.treaties["T417"].deeds] == [("removed", "regiment")]


# Courtiers on an estate that is lost --------------------------------------------------------------------------------


def test_when_an_estate_is_lost_all_spies_go_home_and_commanders_stay() -> None:
    """FN-9, NB-E-14: "all Courtiers present on the estate are moved back"; those elsewhere stay."""
    board = Board().hold("D4", "Pape").post("Borage", "steward", "D4")
    for seat in ("Basil", "Dill", "Fennel", "Hyssop"):
        board.post(seat, "spy", "D4")
    board.post("Dill", "spy", "D5").unit("U1", "Fennel", "D3")
    turn = board.night(Fennel=["Move U1 to D4"], Dill=["Spy from D4 to E4"], Hyssop=["Recall spy at D4"])
    assert {seat: turn.posts(seat) for seat in ("Basil", "Borage", "Dill", "Fennel", "Hyssop")} == {
        "Basil": [], "Borage": [], "Dill": [("spy", "D5", None)], "Fennel": [("commander", "D3", "U1")], "Hyssop": [],
    }  # fmt: skip
    assert (turn.said("Dill"), turn.said("Hyssop")) == (["fails no-spy NB-K-8"], ["fails nobody-there NB-K-8"])
    assert [(event.seat, [seen.at for seen in event.estates]) for event in turn.all(SpyReport)] == [("Dill", ["D5"])]


def test_a_courtier_who_was_sent_home_may_serve_again_the_same_night() -> None:
    """FN-9, NB-E-14, NB-K-1: the Courtier had no assignment yet, and starts from home like others."""
    board = Board().hold("D4", "Pape").unit("U1", "Fennel", "D3").post("Anise", "spy", "D4")
    board.player("Anise", courtiers=board.now.players["Anise"].courtiers[:1])
    turn = board.night(Fennel=["Move U1 to D4"], Anise=["Spy from A1 to B1"])
    assert (turn.said("Anise"), turn.posts("Anise")) == (["succeeds spying NB-K-8"], [("spy", "B1", None)])


def test_spies_stay_if_no_control_is_lost() -> None:
    """FN-9, NB-E-14: units that enter an uncontrolled estate, or one of their faction, send nobody home."""
    board = Board().hold("D4", "TCK").post("Anise", "spy", "D4").post("Anise", "spy", "D6").unit("U1", "Fennel", "D3")
    turn = board.unit("U2", "Fennel", "D5").night(Fennel=["Move U1 to D4", "Move U2 to D6"])
    assert turn.posts("Anise") == [("spy", "D4", None), ("spy", "D6", None)]


# Heirs, and who commands ------------------------------------------------------------------------------------------


def board_with_spy(commander: str) -> Board:
    """Anise's Spy at D4 saw a unit there, with this leader."""
    board = Board().rich("Anise").post("Anise", "spy", "D4")
    unit = SeenUnit(unit="U300", faction="TCK", formation="regiment", commander=commander)
    return board.player("Anise", reports=(Seen(at="D4", income=Stock(), units=(unit,)),))


def options_of(board: Board, seat: str) -> list[str]:
    return [line for sheet in options(board.now, seat) for line in sheet.orders]


def remarks(board: Board, seat: str, *lines: str) -> list[tuple[str, str]]:
    return [(remark.level, remark.what) for remark in check(board.now, seat, Sheet(orders=lines))]


def test_an_heir_stays_in_command_and_fights() -> None:
    """FN-4, NB-P-6, NB-X-26: "the Heir is immune to the nasty Money actions"; the price is spent."""
    board = (
        Board()
        .rich("Anise")
        .post("Anise", "spy", "D4")
        .heir("Hyssop", "Dill")
        .unit("U1", "Hyssop", "D4", leader="heir")
    )
    turn = board.night(Anise=["Incapacitate U1"])
    heir = turn.player("Hyssop").heir
    assert (turn.said("Anise"), turn.stock("Anise"), turn.all(Harmed)) == (["fails heir-led NB-P-6"], (40, 40, 32), [])
    assert (heir is not None and heir.unit, turn.after.units["U1"].leader) == ("U1", "heir")
    (verdict,) = turn.verdicts("Anise")
    assert tell(turn.before, verdict) == (
        "Incapacitate U1 failed: an Heir leads U1, and no action paid for in money can touch an Heir; the price is spent."
    )


def test_an_heir_who_has_succeeded_is_no_longer_immune() -> None:
    """FN-4, NB-P-6: "until then": earlier in the same Night the player died of their wounds."""
    board = Board().rich("Anise", "Basil").post("Anise", "spy", "D4").heir("Hyssop", "Dill").player("Hyssop", wounds=2)
    board.unit("U1", "Hyssop", "D4", leader="heir")
    turn = board.night(Basil=["Assassin on Hyssop"], Anise=["Incapacitate U1"])
    assert (turn.said("Anise"), turn.player("Hyssop").unit) == (["succeeds incapacitated NB-X-12"], None)


@pytest.mark.parametrize(("commander", "heir"), [("an heir", True), ("a player", False), ("a courtier", False)])
def test_check_warns_a_player_who_saw_an_heir_in_command(commander: str, heir: bool) -> None:
    """FN-4, NB-P-6: it is not offered to stand-ins, and the check warns about it."""
    board, line = board_with_spy(commander), "Incapacitate U300"
    assert (line in options_of(board, "Anise")) != heir
    told = "Incapacitate U300: an Heir led it when your Spy saw it, and no paid action removes an Heir (NB-P-6)"
    assert remarks(board, "Anise", line) == ([("warning", told)] if heir else [])


@pytest.mark.parametrize(("leader", "name"), [("courtier", "Courtier"), ("noble of A2", "Noble")])
@pytest.mark.parametrize("who", ["pc", "heir"])
def test_a_family_member_does_not_free_a_commander(who: str, leader: str, name: str) -> None:
    """FN-7, NB-K-6, NB-P-8: "Commanders cannot be recalled until their army is destroyed or disbanded"."""
    board = Board().heir("Basil", "Dill").faction("Pape", nobles={"of A2": Noble(at="A2")})
    board.unit("U1", "Basil", "A2", leader=leader)
    line = f"Lead U1 with {who}"
    turn = board.night(Basil=[line])
    assert turn.said("Basil") == ["fails commander-bound NB-K-6"]
    assert (turn.after.units, turn.after.factions, turn.player("Basil").unit) == (
        board.now.units,
        board.now.factions,
        None,
    )
    assert turn.player("Basil").courtiers == board.now.players["Basil"].courtiers
    (verdict,) = turn.verdicts("Basil")
    bound = f"a {name} leads {{}}, and is bound to it until it is destroyed or disbanded"
    assert tell(turn.before, verdict) == f"{line} failed: {bound.format('U1')}."
    assert line not in options_of(board, "Basil")
    assert remarks(board, "Basil", line) == [("warning", f"{line}: {bound.format('U1')}, as things stand (NB-K-6)")]


def test_a_commander_who_was_sent_home_can_be_replaced() -> None:
    """FN-7, NB-K-6, NB-X-12: an officer leads since Incapacitate, earlier in the same Night; a disbanded army frees the Commander too."""
    board = Board().rich("Dill").post("Dill", "spy", "A2").unit("U1", "Basil", "A2")
    turn = board.night(Dill=["Incapacitate U1"], Basil=["Lead U1 with pc"])
    assert (turn.said("Basil"), turn.posts("Basil")) == (["succeeds leads NB-P-8"], [])
    turn = board.night(Basil=["Disband U1"])
    assert (turn.said("Basil"), turn.posts("Basil")) == (["succeeds disbanded NB-B-21"], [])


def test_an_officers_unit_is_offered_to_the_family() -> None:
    """FN-7, NB-P-8: to stand-ins and at the desk."""
    board = Board().unit("U1", "Basil", "A2", leader="Captain")
    assert ("Lead U1 with pc" in options_of(board, "Basil"), remarks(board, "Basil", "Lead U1 with pc")) == (True, [])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Recall spy at B2", "nobody holds that post at B2 (NB-K-8)"),
        ("Spy from B2 to B3", "Anise has no Spy at B2 (NB-K-8)"),
        ("Open city at A1", "it takes a Steward on an estate other than the Home Estate (NB-X-1)"),
        ("Open city at B2", "no Steward of Anise is at B2, as things stand (NB-X-1)"),
        ("Offer marriage to Anise", "it takes another living player (NB-X-3)"),
        ("Create heir", "Anise had an Heir already, and there is never a second (NB-X-4)"),
    ],
)
def test_check_warns_of_what_the_night_will_refuse(line: str, told: str) -> None:
    """The step that judges an order and the check ask the same deed: the check warns, the Night says the same reason."""
    board = Board().rich("Anise").player("Anise", had_heir=True)
    assert remarks(board, "Anise", line) == [("warning", f"{line}: {told}")]
    turn = board.night(Anise=[line])
    (verdict,) = turn.verdicts("Anise")
    assert f"{why(verdict)} ({verdict.rule})" == told.replace(", as things stand", "")


# Homes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["TCK", "Fennel"])
@pytest.mark.parametrize(
    ("state", "ask", "after"),
    [
        (None, "", "Anise"),
        ("neutral", "", "kept"),
        ("neutral", " asking conquest", "Anise"),
        ("neutral", " asking battle", "Anise"),
        ("allied", "", "kept"),
        ("allied", " asking conquest", "kept"),
    ],
)
def test_a_home_is_retaken_like_any_estate(state: str | None, ask: str, after: str, by: str) -> None:
    """FN-6, NB-E-16, NB-H-6, NB-H-10: a Neutral "will maintain control, unless conquest is specifically requested", an Ally always."""
    board = bind(Board().hold("A1", by).unit("U1", "Borage", "A2"), "Pape", "TCK", state=state)
    turn = board.night(Borage=[f"Move U1 to A1{ask}"])
    assert turn.by("A1") == (by if after == "kept" else after)
    controls = [(event.by, event.before) for event in turn.all(Control)]
    assert controls == ([] if after == "kept" else [(None, by), ("Anise", None)])


@pytest.mark.parametrize("by", [None, "Pape"])
def test_a_home_comes_back_from_nobody_and_from_its_own_faction(by: str | None) -> None:
    """FN-6, NB-E-16: whatever the relations between others; nobody seized it, and so Spies stay (FN-9, NB-E-14)."""
    board = bind(Board().hold("A1", by).unit("U1", "Borage", "A2"), "Pape", "TCK", state="allied").post(
        "Dill", "spy", "A1"
    )
    if by is not None:
        board.post("Basil", "steward", "A1")
    turn = board.night(Borage=["Move U1 to A1"])
    assert (turn.by("A1"), turn.posts("Basil"), turn.posts("Dill")) == ("Anise", [], [("spy", "A1", None)])


# Hostages in battle -----------------------------------------------------------------------------------------------


def sides_of_fights(turn: Turn) -> list[tuple[str, ...]]:
    """Pairs that fought, in order."""
    return [fight.sides for battle in turn.all(Battle) for fight in battle.fights]


def hold_hostages(*pairs: tuple[str, str]) -> Board:
    """A board where the second seat holds Heirs of the first as hostages; Anise's and Fennel's armies are about to arrive."""
    board = Board().rich("Anise", "Fennel")
    for giver, holder in pairs:
        board.heir(giver, holder, hostage=holder)
    return board.unit("U1", "Anise", "I1", leader="Sergeant").unit("U2", "Fennel", "J2", STRONG, "Sergeant")


GARRISON = f"Recruit garrison at J1 led by Sergeant: {WALLS}"


@pytest.mark.parametrize(
    ("moves", "fight"),
    [
        ({}, False),
        ({"Anise": ["Move U1 to I2"]}, False),
        ({"Anise": ["Move U1 to J1"], "Fennel": ["Move U2 to J1"]}, True),
        ({"Anise": ["Move U1 to J1"]}, False),
        ({"Anise": ["Move U1 to J1"], "Fennel": [GARRISON]}, True),
    ],
)
def test_a_hostage_holder_starts_no_battle_but_may_be_attacked(moves: dict[str, list[str]], fight: bool) -> None:
    """FN-12, NB-P-12, NB-P-15: the holder may not "initiate battles against you"; the side that comes, or raises a unit, begins."""
    board = (
        hold_hostages(("Fennel", "Anise"))
        .unit("U3", "Fennel", "J1", leader="Sergeant")
        .unit("U4", "Anise", "J2", leader="Sergeant")
    )
    board.unit("U5", "Fennel", "I2", leader="Sergeant")
    turn = board.night(**moves)
    assert sides_of_fights(turn) == ([("Pape", "TCK")] if fight else [])
    unbound = hold_hostages().unit("U3", "Fennel", "J1", leader="Sergeant").night(Anise=["Move U1 to J1"])
    assert len(sides_of_fights(unbound)) == 1


@pytest.mark.parametrize(
    ("pairs", "fight"),
    [((), True), ((("Fennel", "Anise"),), True), ((("Fennel", "Anise"), ("Anise", "Fennel")), False)],
)
def test_a_giver_may_attack_the_holder_unless_they_hold_a_hostage_too(
    pairs: tuple[tuple[str, str], ...], fight: bool
) -> None:
    """FN-12, NB-P-15: an exchange binds both; one Heir binds one."""
    turn = hold_hostages(*pairs).unit("U3", "Anise", "J1", leader="Sergeant").night(Fennel=["Move U2 to J1"])
    assert bool(sides_of_fights(turn)) == fight
    assert ("U3" in turn.after.units) != fight


def test_a_fellow_of_the_giver_may_begin_for_their_side() -> None:
    """FN-12, NB-P-15, NB-CH-1: the side is one; without the giver, a holder meets the giver's fellows like anybody."""
    board = (
        hold_hostages(("Fennel", "Anise"))
        .unit("U3", "Anise", "J2", leader="Sergeant")
        .unit("U4", "Hyssop", "J3", leader="Sergeant")
    )
    assert sides_of_fights(board.night()) == []
    assert sides_of_fights(board.night(Hyssop=["Move U4 to J2"])) == [("Pape", "TCK")]
    assert sides_of_fights(board.unit("U5", "Anise", "I3").night(Anise=["Move U5 to J3"])) == [("Pape", "TCK")]


def test_a_hostage_holder_fights_third_factions_where_the_giver_is() -> None:
    """FN-12, NB-P-15: each fights the third, in battle order, and they leave each other in peace."""
    board = (
        hold_hostages(("Fennel", "Anise"))
        .unit("U3", "Tansy", "J1", leader="Sergeant")
        .unit("U4", "Fennel", "J1", STRONG)
    )
    board.unit("U5", "Anise", "I1", STRONG, "Sergeant").hold("J1", None)
    turn = board.night(Anise=["Move U1 to J1", "Move U5 to J1"])
    assert sides_of_fights(turn) == [("Alliance", "TCK")]
    assert set(turn.after.units) == {"U1", "U2", "U4", "U5"}
    weak = board.unit("U4", "Fennel", "J1", leader="Sergeant").unit("U3", "Tansy", "J1", STRONG)
    turn = weak.night(Anise=["Move U5 to J1"])
    assert sides_of_fights(turn) == [("Alliance", "TCK"), ("Alliance", "Pape")]
    assert "U4" not in turn.after.units


def test_a_hostage_holder_cannot_take_the_givers_own_estate() -> None:
    """FN-12, NB-P-15, NB-E-11, NB-E-16: the holder's fellows may; the holder may take the giver's faction's, but not even their Home back from
    the giver."""
    board = hold_hostages(("Fennel", "Anise")).hold("I2", "TCK").unit("U3", "Anise", "H2")
    turn = board.night(Anise=["Move U1 to J1", "Move U3 to I2"])
    assert (turn.by("J1"), turn.by("I2")) == ("Fennel", None)
    assert board.unit("U4", "Borage", "J1", leader="Sergeant").night().by("J1") is None
    assert (
        hold_hostages(("Fennel", "Anise")).hold("A1", "Fennel").unit("U3", "Anise", "A1").night().by("A1") == "Fennel"
    )


def test_a_hostage_holder_can_march_past_the_giver() -> None:
    """FN-12, NB-X-6, NB-X-17: where they would begin no battle, nothing holds them; where the giver came, a battle does."""
    board = hold_hostages(("Fennel", "Anise")).unit("U3", "Fennel", "J1", leader="Sergeant")
    turn = board.night(Anise=["Move U1 to J1", "March U1 to J2"])
    assert turn.said("Anise") == ["succeeds moved NB-B-5", "succeeds marched NB-X-6"]
    turn = board.night(Anise=["Move U1 to J1", "March U1 to I1"], Fennel=["Move U2 to J1"])
    assert turn.said("Anise")[-1] == "fails battle-starts NB-X-6"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (None, "fails battle-starts NB-X-6"),
        ("neutral", "fails battle-starts NB-X-6"),
        ("allied", "succeeds marched NB-X-6"),
    ],
)
def test_a_battle_between_others_keeps_a_unit_from_marching(state: str | None, said: str) -> None:
    """NB-X-6, NB-X-17: "if no battle starts" there, between any sides: two visitors, and the owner is Neutral to both."""
    board = bind(Board().rich("Anise").hold("D4", "Pape"), "Pape", "TCK", state="neutral")
    board = bind(board, "Pape", "Fleurs", state="neutral", name="T418")
    if state is not None:
        board = bind(board, "Fleurs", "TCK", state=state, name="T419")
    board.unit("U1", "Anise", "C4").unit("U2", "Fennel", "D4").unit("U3", "Dill", "D4")
    turn = board.night(Anise=["Move U1 to D4", "March U1 to E4"])
    assert turn.said("Anise") == ["succeeds moved NB-B-5", said]
    assert (turn.stock("Anise")[1], turn.at("U1")) == ((40, "D4") if said.startswith("fails") else (38, "E4"))


# Deaths in one Night ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [("U1", "U2"), ("U2", "U1")])
def test_a_courtier_whose_unit_falls_with_their_player_passes_to_nobody(first: str, second: str) -> None:
    """NB-P-16, NB-K-7: whatever the numbers of the two units."""
    board = Board().unit(first, "Anise", "D4", leader="pc").unit(second, "Anise", "D4")
    turn = board.unit("U3", "Fennel", "D4", STRONG).unit("U4", "Fennel", "D4", STRONG).night()
    assert (turn.player("Anise").alive, set(turn.after.units)) == (False, {"U3", "U4"})
    assert [courtier.id for courtier in turn.player("Basil").courtiers] == list(range(1, 11))


@pytest.mark.parametrize(("first", "second"), [("U1", "U2"), ("U2", "U1")])
def test_a_player_who_falls_with_their_leader_does_not_succeed_them(first: str, second: str) -> None:
    """NB-P-16, NB-L-4, NB-P-19: the leader's stock goes to a survivor, the fellow's is lost; even if they were named successor."""
    board = Board().stock("Basil", money=7).stock("Borage", money=5).faction("Pape", successor="Borage")
    board.unit(first, "Basil", "D4", leader="pc").unit(second, "Borage", "D4", leader="pc")
    turn = board.unit("U3", "Fennel", "D4", STRONG).unit("U4", "Fennel", "D4", STRONG).night()
    assert (turn.player("Basil").alive, turn.player("Borage").alive) == (False, False)
    assert (turn.after.factions["Pape"].leader, turn.stock("Anise")) == ("Anise", (0, 0, 7))


# Recalls --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said", "posts"),
    [
        (
            ("Spy from D4 to E4", "Recall spy at D4"),
            ["succeeds spying NB-K-8", "fails nobody-there NB-K-8"],
            [("spy", "E4", None), ("staff", "A1", "arsenal")],
        ),
        (
            ("Recall spy at D4", "Spy from D4 to E4"),
            ["succeeds recalled NB-K-8", "fails no-spy NB-K-8"],
            [("staff", "A1", "arsenal")],
        ),
        (
            ("Spy from D4 to E4", "Recall spy at E4"),
            ["succeeds spying NB-K-8", "fails nobody-there NB-K-8"],
            [("spy", "E4", None), ("staff", "A1", "arsenal")],
        ),
        (
            ("Staff arsenal at A1", "Recall staff arsenal at A1"),
            ["fails post-taken NB-G-6", "succeeds recalled NB-G-9"],
            [("spy", "D4", None)],
        ),
        (
            ("Recall staff arsenal at A1", "Staff arsenal at A1", "Recall staff arsenal at A1"),
            ["succeeds recalled NB-G-9", "succeeds posted NB-G-9", "fails nobody-there NB-G-9"],
            [("spy", "D4", None), ("staff", "A1", "arsenal")],
        ),
    ],
)
def test_recalls_in_step_8_happen_in_the_order_written(
    lines: tuple[str, ...], said: list[str], posts: list[tuple[str, str, str | None]]
) -> None:
    """NB-A-7, NB-K-1: like a player's other orders; and a Courtier sent tonight is not recalled the same Night."""
    turn = Board().building("Anise", "arsenal").post("Anise", "spy", "D4").night(Anise=list(lines))
    assert (turn.said("Anise"), sorted(turn.posts("Anise"))) == (said, posts)


# Allies in battle -------------------------------------------------------------------------------------------------


def battle_order(board: Board, *seats: str) -> tuple[str, ...]:
    """The battle order of these players' units at D4."""
    for number, seat in enumerate(seats, 101):
        board.unit(f"U{number}", seat, "D4", leader="Sergeant")
    (battle,) = board.night().all(Battle)
    return tuple(side.name for side in battle.sides)


@pytest.mark.parametrize(
    ("nobles", "order"),
    [
        # Alliance's two Nobles with Pape's prestige would come after Fleurs' two.
        ({"Alliance": 2, "Fleurs": 2}, ("TCK", "Pape and Alliance", "Fleurs")),
        ({"Alliance": 2, "TCK": 2}, ("Fleurs", "Pape and Alliance", "TCK")),
        ({"Pape": 2, "Fleurs": 2}, ("TCK", "Fleurs", "Pape and Alliance")),
        ({"Pape": 1, "Alliance": 1, "Fleurs": 1}, ("TCK", "Fleurs", "Pape and Alliance")),
        ({}, ("TCK", "Fleurs", "Pape and Alliance")),
    ],
)
def test_an_allied_side_ranks_as_its_higher_member(nobles: dict[str, int], order: tuple[str, ...]) -> None:
    """FN-2, NB-A-4, NB-A-5, battle procedure 2: as a whole, not by the Nobles of the one and the prestige of the other."""
    board, seats = bind(Board(), "Pape", "Alliance", state="allied"), iter(("G4", "G5", "G6", "G7"))
    for faction, count in nobles.items():
        board.noble(faction, *(next(seats) for _ in range(count)))
    assert battle_order(board, "Anise", "Dill", "Fennel", "Tansy") == order


def ally(owner: str = "Alliance") -> Board:
    """Pape's Ally controls D4 and has no units there."""
    return bind(Board().hold("D4", owner), "Pape", "Alliance", state="allied", name="T101")


@pytest.mark.parametrize("owner", ["Alliance", "Tansy"])
@pytest.mark.parametrize("nobles", [{}, {"TCK": 1}, {"Fleurs": 2, "TCK": 1}])
def test_an_ally_is_the_defender_of_an_absent_owners_estate(owner: str, nobles: dict[str, int]) -> None:
    """FN-1, NB-H-11: "has no units present, then faction 1 will act as the defender in any battles"; otherwise it would come first."""
    board, seats = ally(owner), iter(("G4", "G5", "G6", "G7"))
    for faction, count in nobles.items():
        board.noble(faction, *(next(seats) for _ in range(count)))
    assert battle_order(board, "Anise", "Dill", "Fennel")[-1] == "Pape"


def test_an_owner_who_is_present_and_their_ally_are_one_side() -> None:
    """FN-1, NB-H-10, NB-H-11: and so they come last together."""
    assert battle_order(ally().noble("TCK", "G4"), "Anise", "Tansy", "Fennel") == ("TCK", "Pape and Alliance")


@pytest.mark.parametrize(
    ("state", "by"), [(None, "Alliance"), ("neutral", "Alliance"), ("allied", None), ("allied", "Fleurs")]
)
def test_nobody_else_defends_for_an_owner(state: str | None, by: str | None) -> None:
    """FN-1, NB-H-11: neither a Neutral, nor somebody else's Ally; Nobles and prestige decide as usual."""
    board = bind(Board().hold("D4", by), "Pape", "Alliance", state=state).noble("TCK", "G4")
    assert battle_order(board, "Anise", "Fennel") == ("Pape", "TCK")


@pytest.mark.parametrize(
    ("state", "to", "fights", "keeps"),
    [
        # The visitor, TCK, and its relations to the owner (Alliance) and their Ally (Pape).
        (None, "Alliance", True, False),
        ("neutral", "Alliance", True, True),
        ("neutral", "Pape", True, False),
        ("allied", "Pape", False, True),
    ],
)
def test_battles_follow_the_allys_treaties_and_control_the_owners(
    state: str | None, to: str, fights: bool, keeps: bool
) -> None:
    """FN-1, NB-H-4, NB-H-6, NB-H-10, NB-H-11, NB-E-13: battles go by the Ally's states, control by the owner's."""
    board = (
        bind(ally(), "TCK", to, state=state).unit("U1", "Anise", "D4", leader="Sergeant").post("Tansy", "steward", "D4")
    )
    turn = board.unit("U2", "Fennel", "D3", STRONG).night(Fennel=["Move U2 to D4", "Steward at D4"])
    assert sides_of_fights(turn) == ([("TCK", "Pape")] if fights else [])
    assert set(turn.after.units) == ({"U2"} if fights else {"U1", "U2"})
    assert turn.by("D4") == ("Alliance" if keeps else "TCK")
    assert turn.posts("Tansy") == ([("steward", "D4", None)] if keeps else [])


def test_an_ally_who_wins_keeps_the_estate_for_its_owner() -> None:
    """FN-1, NB-H-10, NB-H-11, NB-E-13: and takes nothing, with a Steward or on request."""
    board = ally().unit("U1", "Anise", "D5", STRONG).unit("U2", "Fennel", "D4", leader="Sergeant")
    turn = board.night(Anise=["Move U1 to D4 asking conquest", "Steward at D4"])
    assert turn.said("Anise") == ["void allied NB-H-10", "fails controlled NB-E-6"]
    assert (sides_of_fights(turn), turn.by("D4"), turn.all(Control)) == ([("TCK", "Pape")], "Alliance", [])


def test_two_allies_of_an_owner_would_both_come_last() -> None:
    """FN-1, NB-H-11, NB-H-12: no treaty gives anybody two; a position that a host corrected is judged anyway."""
    board = bind(ally(), "TCK", "Alliance", state="allied", name="T102").noble("Fleurs", "G4")
    assert battle_order(board, "Anise", "Dill", "Fennel") == ("Fleurs", "TCK", "Pape")


def test_unowned_units_still_defend_unowned_estates() -> None:
    """FN-1, NB-E-17: last of all on an uncontrolled estate; on an owner's they keep their usual rank."""
    board = ally().hold("E4", None).unit("U1", "Anise", "E4", leader="Sergeant")
    nobody = replace(board.now.units["U1"], owner=NOBODY)
    board.now = replace(board.now, units={**board.now.units, "U2": nobody})
    (battle,) = board.night().all(Battle)
    assert [side.name for side in battle.sides] == ["Pape", "neutral units"]
    board.now = replace(board.now, units={name: replace(unit, at="D4") for name, unit in board.now.units.items()})
    (battle,) = board.night().all(Battle)
    assert [side.name for side in battle.sides] == ["neutral units", "Pape"]


# Marches of a fellow's unit, requests between enemies, officers with a colour --------------------------------------


def test_a_player_who_marches_a_fellows_unit_does_not_learn_whose_it_is() -> None:
    """FN-14, NB-X-17, NB-C-9, NB-L-12: its player and their leader hear of the move; the marcher has a verdict."""
    board = Board().rich("Anise", "Basil").unit("U1", "Borage", "C5").unit("U2", "Anise", "F5")
    turn = board.night(Anise=["March U1 to C4", "March U2 to F4"])
    assert turn.said("Anise") == ["succeeds marched NB-X-6"] * 2
    assert [(event.unit, event.heard) for event in turn.all(Moved)] == [
        ("U1", ("Basil", "Borage")),
        ("U2", ("Anise", "Basil")),
    ]
    assert not any(
        name in str([heard_by(event, "Anise") for event in turn.done.events]) for name in ("Borage", "Basil")
    )
    assert [verdict.facts for verdict in turn.verdicts("Anise")] == [
        {"unit": "U1", "at": "C4"},
        {"unit": "U2", "at": "F4"},
    ]
    led = board.night(Basil=["March U1 to C4"])
    assert [event.heard for event in led.all(Moved)] == [("Basil", "Borage")]


@pytest.mark.parametrize(("lacks", "said"), [("envoy", "fails no-envoy NB-K-12"), ("price", "fails too-poor NB-A-13")])
def test_a_refused_march_reveals_nothing_about_the_unit(lacks: str, said: str) -> None:
    """FN-14, NB-K-18, NB-C-9: one answer for a fellow's unit, for an enemy's, and for one that does not exist."""
    board = Board().unit("U1", "Borage", "C5").unit("U2", "Fennel", "C5")
    if lacks == "envoy":
        board.rich("Anise").player("Anise", courtiers=())
    turn = board.night(Anise=["March U1 to C4", "March U2 to C4", "March U3 to C4"])
    assert turn.said("Anise") == [said] * 3


@pytest.mark.parametrize(("state", "status"), [(None, "in force"), ("neutral", "ended")])
def test_a_request_ends_only_treaties_of_neutral_factions(state: str | None, status: str) -> None:
    """FN-14, NB-H-7, ST-8: Hostile factions need no request; they fight, and their treaty goes on. The verdict does not differ."""
    board = bind(Board().hold("D4", "TCK"), "Pape", "TCK", state=state).unit("U1", "Anise", "D3", STRONG)
    board = bind(board, "TCK", "Pape", name="T418")
    turn = board.unit("U2", "Fennel", "D4").night(Anise=["Move U1 to D4 asking battle"])
    assert {treaty.status for treaty in turn.after.treaties.values()} == {status}
    assert len(turn.all(TreatyEnded)) == (2 if status == "ended" else 0)
    assert sides_of_fights(turn) == [("Pape", "TCK")]
    (verdict,) = turn.verdicts("Anise")
    assert (turn.said("Anise"), verdict.facts) == (["succeeds challenged NB-H-7"], {"unit": "U1", "at": "D4"})
    assert tell(turn.before, verdict) == (
        "Move U1 to D4 asking battle: U1 is at D4, whose owner is Hostile now; "
        "if the two were Neutral, all treaties between them are over."
    )


def test_a_second_request_finds_the_two_factions_hostile() -> None:
    """FN-14, NB-H-7, NB-H-8: one is enough for the whole board."""
    board = bind(Board().hold("D4", "TCK").hold("E4", "TCK"), "Pape", "TCK", state="neutral")
    board.unit("U1", "Anise", "D3").unit("U2", "Borage", "E3")
    turn = board.night(Anise=["Move U1 to D4 asking conquest"], Borage=["Move U2 to E4 asking conquest"])
    assert (turn.by("D4"), turn.by("E4"), len(turn.all(TreatyEnded))) == (None, None, 1)
    assert turn.said("Anise") == turn.said("Borage") == ["succeeds challenged NB-H-7"]


def with_coloured_sergeants() -> OwnScenario:
    """The default scenario with gold Sergeants, who keep accounts."""
    source = (DATA / "farna.yaml").read_text(encoding="utf-8")
    old = "Sergeant: {slot: officer, attack: 1}"
    assert source.count(old) == 1
    text = source.replace(old, "Sergeant: {slot: officer, attack: 1, colour: gold}")
    return OwnScenario(scenario="ours.yaml", digest="0" * 64, own=load_scenario(text.encode(), "ours.yaml"))


def test_an_officer_company_with_a_colour_yields_income_like_others() -> None:
    """FN-14, NB-F-10, NB-B-12: while it leads. An officer who takes over without a company yields nothing, and neither does an unowned unit."""
    board = Board()
    board.now = replace(board.now, settings=with_coloured_sergeants())
    pay = "own, Lancers, 3 Pikes"
    board.unit("U1", "Anise", "D4", leader="Sergeant").unit("U2", "Anise", "D5", pay, "Sergeant").unit(
        "U3", "Anise", "D6"
    )
    board.unit("U4", "Anise", "D7", leader="Sergeant")
    board.now = replace(
        board.now,
        units={
            **board.now.units,
            "U4": replace(board.now.units["U4"], name="officer"),
            "U5": replace(board.now.units["U1"], owner=NOBODY, at="G4"),
        },
    )
    turn = board.night()
    (earned,) = turn.all(Earned)
    assert [(source.of, str(source.amount)) for source in earned.sources] == [("U1", "1 money"), ("U2", "1 money")]
    assert turn.stock("Anise") == (0, 0, 2)
    # An officer who takes a unit over from its Sergeant does not get the Sergeant's accounts.
    home = board.unit("U6", "Basil", "A2", leader="Sergeant")
    assert (home.night().stock("Basil"), home.night(Basil=["Lead U6 with pc"]).stock("Basil")) == ((0, 0, 1), (0, 0, 0))
