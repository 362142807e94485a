"""Roles and their abilities in Noblesse: twelve different roles in the default scenario, and every effect that a role can have (FN-15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.abilities import RULE
from adjudicator.rulesets.noblesse.battle import VALUES
from adjudicator.rulesets.noblesse.brief import abilities as told_abilities
from adjudicator.rulesets.noblesse.brief import brief
from adjudicator.rulesets.noblesse.chapters import ABILITY_HEAD, ability_rows
from adjudicator.rulesets.noblesse.day import setup
from adjudicator.rulesets.noblesse.events import AnyEvent, Battle, Earned, Event, Harmed, Learned, Raised, Used
from adjudicator.rulesets.noblesse.options import check, options
from adjudicator.rulesets.noblesse.orders import FORM_OF, Order, Sheet, reader_of
from adjudicator.rulesets.noblesse.position import Heir, Penance, Settings, seen_by
from adjudicator.rulesets.noblesse.prose import tell
from adjudicator.rulesets.noblesse.scenario import (
    ABILITY,
    CORES,
    DATA,
    EFFECTS,
    MEASURED,
    PRICED,
    Ability,
    Effect,
    Scenario,
    Stock,
    amount_of,
    load_scenario,
)
from adjudicator.rulesets.noblesse.secrecy import heard_by
from adjudicator.rulesets.noblesse.work import Work
from tests.rulesets.noblesse_world import FACTIONS, FARNA, PLAIN, STRONG, WALLS, Board, Turn, dice

BOOK = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")


def role_of(seat: str) -> str:
    """The role of a seat of the tests' board."""
    return Board().now.players[seat].role


def grant(seat: str, core: Ability | None = None, **abilities: Ability) -> Scenario:
    """The plain scenario, except that one seat's role has this core and these abilities."""
    roles = dict(PLAIN.roles)
    roles[role_of(seat)] = replace(roles[role_of(seat)], personal=core, abilities=abilities)  # type: ignore[arg-type]  # priced options
    return replace(PLAIN, roles=roles)


def board_with(seat: str, core: Ability | None = None, **abilities: Ability) -> Board:
    """A board where one seat's role has this core and these abilities, and the resources to pay for them."""
    return Board(scenario=grant(seat, core, **abilities)).rich(seat)


def effect(kind: Effect, amount: int = 0, about: str | None = None, value: str | None = None) -> Ability:
    return Ability(effect=kind, amount=amount, of=about, value=value)  # type: ignore[arg-type]  # one of the values


# The roles of the default scenario ----------------------------------------------------------------------------------


def what_it_can(role: str) -> tuple[Ability, ...]:
    """The role's personal core, and its abilities with their prices."""
    own = FARNA.roles[role].personal
    assert own is not None, role
    return (own, *(FARNA.ability(role, option) for option in ABILITY))


def test_there_are_twelve_different_roles_each_with_a_reason_to_play_it() -> None:
    """FN-15, NB-C-1: a common core for each faction, and a personal core with three abilities that no other role combines."""
    assert len(FARNA.roles) == 12
    commons = [faction.core for faction in FARNA.factions.values()]
    assert len({(core.effect, core.value, core.of) for core in commons}) == 4
    for role, other in combinations(FARNA.roles, 2):
        assert what_it_can(role) != what_it_can(other)
        shared = Counter(what_it_can(role)) & Counter(what_it_can(other))
        assert shared.total() <= 2, (role, other)
    assert len({repr(FARNA.roles[role].personal) for role in FARNA.roles}) == 12
    assert len({FARNA.roles[role].why for role in FARNA.roles}) == 12
    assert all(FARNA.roles[role].why.endswith(".") for role in FARNA.roles)


def test_every_effect_is_used_and_none_by_every_role() -> None:
    """FN-15, NB-C-12, ST-5: all but `win over`, which is only for hosts' scenarios, since games of the default one are on record."""
    used = {ability.effect for role in FARNA.roles for ability in (*what_it_can(role), *FARNA.cores(role))}
    assert {*used, "win over"} == {*CORES, *PRICED} == set(EFFECTS)
    assert "win over" not in used
    for kind in EFFECTS:
        having = [role for role in FARNA.roles if kind in {ability.effect for ability in what_it_can(role)}]
        assert len(having) <= 6, kind
    assert set(RULE) == set(EFFECTS)
    assert set(FORM_OF) == set(PRICED)


def test_no_role_pays_in_the_resource_that_its_ability_saves_or_gathers() -> None:
    """FN-15: a levy is useless to a role that pays for it in Manpower, and no role gathers the resource that it pays in."""
    for name, role in FARNA.roles.items():
        paid = FARNA.factions[role.faction].resource
        for option in ABILITY:
            ability = FARNA.ability(name, option)
            assert not (ability.effect == "levy" and paid == "manpower"), name
            assert not (ability.effect == "gather" and ability.of == paid), name


def table_of_roles() -> list[str]:
    """The rulebook's table of roles, made from the data: two columns, because a phone is too narrow for more."""
    head = ("Role, and a reason to play it", "What it can do")
    rows = [
        (
            f"**{name}** ({FARNA.roles[name].faction})<br>{FARNA.roles[name].why.rstrip('.')}",
            "<br>".join(f"*{kind}:* {said}" for kind, said in zip(ABILITY_HEAD[1:], rest, strict=True)),
        )
        for name, *rest in ability_rows(FARNA)
    ]
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def test_the_rulebooks_table_of_roles_matches_the_data() -> None:
    """FN-15."""
    assert "\n".join(table_of_roles()) in BOOK


def test_the_brief_shows_what_a_role_can_do() -> None:
    """FN-15, NB-C-1: the brief before the start gives the reason to play it, every turn lists core and abilities, and neither lists what is left
    out."""
    position = setup(Settings(), dice())
    for seat, player in position.players.items():
        said = brief(seen_by(position, seat), seat)
        assert FARNA.roles[player.role].why in said
        assert [line for line in said if line in {*told_abilities(FARNA, player)}] == [*told_abilities(FARNA, player)]
        assert len([*told_abilities(FARNA, player)]) == 4
        assert len([*told_abilities(FARNA, replace(player, without="two"))]) == 3


# Every effect, played -----------------------------------------------------------------------------------------------


def starts(turn: Turn) -> tuple[int, int]:
    """Starting Morale in the only fight of a Night."""
    (battle,) = turn.all(Battle)
    return battle.fights[0].start


def the_council_for_one_unit() -> None:
    """NB-C-11: 5 Morale more for Pape's oldest unit, as a core of the faction; no bonus with another core."""
    board = Board().unit("U1", "Anise", "D4", leader="Sergeant").unit("U2", "Fennel", "D4", leader="Sergeant")
    assert starts(board.night()) == (10, 15)
    bare = replace(PLAIN, factions={**PLAIN.factions, "Pape": replace(PLAIN.factions["Pape"], core=effect("reach", 1))})
    board = Board(scenario=bare).unit("U1", "Anise", "D4", leader="Sergeant")
    assert starts(board.unit("U2", "Fennel", "D4", leader="Sergeant").night()) == (10, 10)


def a_value_more_for_a_unit() -> None:
    """NB-C-13: for one unit tonight, twice if it is paid for twice; as a core for a formation, or for the unit that the PC leads."""
    board = board_with("Anise", two=effect("inspire", 4), five=effect("inspire", 3, value="melee"))
    board.unit("U1", "Anise", "D4", leader="Sergeant").unit("U2", "Fennel", "D4", leader="Sergeant")
    assert starts(board.night()) == (10, 15)
    assert starts(board.night(Anise=["Ability 2 on U1"])) == (10, 19)
    assert starts(board.night(Anise=["Ability 2 on U1", "Ability 2 on U1"])) == (10, 23)
    turn = board.night(Anise=["Ability 5 on U1"])
    (battle,) = turn.all(Battle)
    dealt = [total for stage in battle.fights[0].rounds for total in stage.suffered[0] if total.kind == "melee"]
    assert {total.dealt for total in dealt} == {7 + 3}
    for core, units in (("pc", {"U1"}), ("regiment", {"U1", "U2"}), ("garrison", {"U3"})):
        board = board_with("Borage", effect("inspire", 2, core, "toughness")).unit("U1", "Borage", "A3", leader="pc")
        board.unit("U2", "Borage", "A3").unit("U3", "Borage", "A3", WALLS).unit("U4", "Anise", "A1", leader="pc")
        work = Work(board.now, {}, dice())
        assert {name for name in work.units if work.strength(name).toughness == 2} == units


def a_cheaper_unit() -> None:
    """NB-C-14: not below the formation; first the core's discount, then the paid ones; one unit each."""
    order = f"Recruit garrison at A1 led by courtier: {WALLS}"
    board = board_with("Anise", effect("levy", 1), two=effect("levy", 9))
    prices = [event.price for event in board.night(Anise=["Ability 2", order, order, order]).all(Raised)]
    assert prices == [amount_of("manpower", 5), amount_of("manpower", 2), amount_of("manpower", 6)]
    turn = board_with("Anise", effect("levy", 1)).night(Anise=[order, order])
    assert [event.price.manpower for event in turn.all(Raised)] == [5, 6]


def a_cheaper_action() -> None:
    """NB-C-15: of the list, including the forced march, or a building; a Noble's rising price; at least 1 of each resource remains."""
    for about, line, usual, less in (
        ("assassin", "Assassin on Fennel", Stock(money=8), Stock(money=5)),
        ("heir", "Create heir", Stock(influence=3, manpower=1, money=1), Stock(influence=1, manpower=1, money=1)),
        ("arsenal", "Build arsenal at A1", Stock(influence=1, money=3), Stock(influence=1, money=1)),
        ("march", "March U1 to B1", Stock(manpower=2), Stock(manpower=1)),
        ("noble", "Create noble at D5", Stock(influence=4), Stock(influence=1)),
    ):
        for core in (True, False):
            given = effect("thrift", 3, about)
            board = board_with("Anise", given) if core else board_with("Anise", two=given)
            board.wed("Anise", "Dill").unit("U1", "Anise", "A1").noble("Pape", "D4").hold("D5", "Pape")
            board.post("Anise", "steward", "D5")
            # A forced march is paid for in step 2, before an ability is used in step 3.
            wanted = usual if about == "march" and not core else less
            before = board.now.players["Anise"].stock - (Stock() if core else Stock(money=2))
            turn = board.night(Anise=[line] if core else ["Ability 2", line])
            assert before - turn.player("Anise").stock == wanted, (about, core)


def test_a_penance_is_cheaper_too() -> None:
    """NB-C-15, NB-N-3: an action that a penalty makes a leader do costs its usual price."""
    board = board_with("Basil", effect("thrift", 3, "assassin")).stock("Basil", money=5)
    turn = board.faction("Pape", penance=(Penance(action="assassin", who="Anise", treaty="T100"),)).night()
    assert (turn.player("Anise").wounds, turn.stock("Basil")) == (1, (0, 0, 0))


def more_at_home() -> None:
    """NB-C-16: without a collector; not while others hold the Home, and without the part that is bribed away there."""
    board = board_with("Anise", effect("gather", 3, "influence")).post("Anise", "tax", "A1", "money")
    assert board.night().stock("Anise") == (43, 40, 41)
    board.rich("Fennel").post("Fennel", "spy", "A1")
    assert board.night(Fennel=["Bribery at A1 for influence"]).stock("Anise") == (40, 40, 41)
    assert board_with("Anise", two=effect("gather", 4, "influence")).night(Anise=["Ability 2"]).stock("Anise") == (
        44,
        40,
        38,
    )
    lost = board_with("Anise", effect("gather", 3, "influence")).hold("A1", "TCK")
    assert lost.night().stock("Anise") == (40, 40, 40)


HARM = (
    "Arson at A1 on arsenal", "Bribery at A1 for money", "Poison the wells at A1", "Knife at A1 for Anise", "Incapacitate U1",
    "Ability 8 on tax money at A1",
)  # fmt: skip


def an_estate_is_protected() -> None:
    """NB-C-17: actions there have no effect and are not paid for; as a core at a Home that its player controls."""
    for line in HARM:
        for core in (True, False):
            board = board_with("Anise", effect("ward")) if core else board_with("Anise", two=effect("ward"))
            board.rich("Fennel").post("Fennel", "spy", "A1").post("Anise", "tax", "A1", "money")
            board.unit("U1", "Anise", "A1", leader="pc")
            mine = [] if core else ["Ability 2 at A1"]
            turn = board.night(Anise=mine, Fennel=[line])
            assert turn.said("Fennel") == ["fails warded NB-C-17"], line
            assert turn.stock("Fennel") == (40, 40, 40)
            assert turn.player("Anise").wounds == 0
            assert board.hold("A1", "TCK").night(Fennel=[line]).said("Fennel") != ["fails warded NB-C-17"]
    elsewhere = board_with("Anise", two=effect("ward")).rich("Fennel").post("Fennel", "spy", "A3")
    turn = elsewhere.night(Anise=["Ability 2 at D4"], Fennel=["Poison the wells at A3"])
    assert turn.said("Fennel") == ["succeeds poisoned NB-X-10"]
    # Assassins come from anywhere.
    turn = board_with("Anise", effect("ward")).rich("Fennel").night(Fennel=["Assassin on Anise"])
    assert turn.player("Anise").wounds == 1


def more_courtiers() -> None:
    """NB-C-18: permanently, from the next Night on; as a core from the start."""
    messages = [f"Message to Basil: {number}" for number in range(12)]
    turn = board_with("Anise", two=effect("retain", 2)).night(Anise=["Ability 2", *messages])
    assert Counter(turn.said("Anise")) == {
        "succeeds retain NB-C-18": 1, "succeeds sent NB-K-11": 9, "fails no-courtier NB-K-1": 3,
    }  # fmt: skip
    assert len(turn.player("Anise").courtiers) == 12
    later = turn.again().again(Anise=messages)
    assert later.said("Anise") == ["succeeds sent NB-K-11"] * 12
    started = setup(Settings(), dice()).players.values()
    assert {player.role: len(player.courtiers) - 10 for player in started if len(player.courtiers) > 10} == {
        "Lorenzo di Vicire": 3,
        "Giovanni di Vicire": 1,
        "Toto di Vicire": 1,
    }


def a_unit_marches() -> None:
    """NB-C-19, NB-B-6: after its move, even a Garrison, even away from a coming battle, once; as a core two estates."""
    board = board_with("Anise", two=effect("march")).unit("U1", "Anise", "A1").unit("U2", "Anise", "A1", WALLS)
    turn = board.night(
        Anise=["Move U1 to B1", "Ability 2 on U1 to C1", "Ability 2 on U2 to A2", "Ability 2 on U1 to D1"]
    )
    assert (turn.at("U1"), turn.at("U2")) == ("C1", "A2")
    assert turn.said("Anise").count("fails marched-already NB-C-19") == 1
    assert board.night(Anise=["Ability 2 on U1 to C3"]).said("Anise") == ["fails no-neighbour NB-C-19"]
    assert board.night(Anise=["March U1 to B1", "Ability 2 on U1 to C1"]).at("U1") == "B1"
    board = board_with("Anise", two=effect("march")).unit("U1", "Anise", "D4").unit("U2", "Fennel", "D4", STRONG)
    assert board.night(Anise=["March U1 to D5"]).at("U1") is None
    assert board.night(Anise=["Ability 2 on U1 to D5"]).at("U1") == "D5"
    for about, reached in ((None, "C1"), ("regiment", "C1"), ("brigade", "A1")):
        board = board_with("Anise", effect("march", about=about)).unit("U1", "Anise", "A1")
        turn = board.night(Anise=["Move U1 to B1, C1"])
        assert turn.at("U1") == reached
        offered = ("Move U1 to B1, C1",) in {sheet.orders for sheet in options(seen_by(board.now, "Anise"), "Anise")}
        assert offered == (reached == "C1")


def spies_go_further() -> None:
    """NB-C-20, NB-K-8: three estates instead of two, with a report on those that they passed."""
    line = "Spy from A1 to B1, C1, D1"
    for board, lines in (
        (board_with("Anise", effect("reach", 1)), [line]),
        (board_with("Anise", two=effect("reach", 1)), ["Ability 2", line]),
    ):
        turn = board.night(Anise=lines)
        assert turn.said("Anise")[-1] == "succeeds spying NB-K-8"
        assert [report.at for report in turn.player("Anise").reports] == ["B1", "C1", "D1"]
        assert board.night(Anise=[*lines[:-1], f"{line}, E1"]).said("Anise")[-1] == "illegal too-far NB-K-8"
    assert Board().night(Anise=[line]).said("Anise") == ["illegal too-far NB-K-8"]


def an_estate_more() -> None:
    """NB-C-21, NB-E-4, NB-E-8: a Steward becomes Tax Collector without an Heir; with an Heir, of a second estate as well."""
    for core, heir, said in ((True, False, 1), (False, False, 0), (True, True, 2), (False, True, 1)):
        board = board_with("Anise", effect("domain", 1)) if core else board_with("Anise")
        board.hold("D4", "Pape").hold("E5", "Pape").post("Anise", "steward", "D4").post("Anise", "steward", "E5")
        if heir:
            board.heir("Anise", "Dill")
        turn = board.night(Anise=["Tax influence at D4", "Tax influence at E5"])
        assert [turn.by("D4"), turn.by("E5")].count("Anise") == said
        if core:
            assert ("Tax influence at D4",) in {sheet.orders for sheet in options(seen_by(board.now, "Anise"), "Anise")}


def a_post_is_cleared() -> None:
    """NB-C-22: sent home and not posted again tonight; their player hears that it happened, not who did it."""
    board = board_with("Anise", two=effect("expel")).post("Anise", "spy", "J1").post("Fennel", "tax", "J1", "money")
    turn = board.night(
        Anise=["Ability 2 on tax money at J1"], Fennel=[f"Message to Rue: {number}" for number in range(10)]
    )
    assert (turn.posts("Fennel"), turn.said("Fennel").count("succeeds sent NB-K-11")) == ([], 9)
    (harmed,) = turn.all(Harmed)
    assert (harmed.kind, harmed.heard) == ("expel", ("Fennel", "Hyssop"))
    assert board.night(Anise=["Ability 2 on steward at J1"]).said("Anise") == ["fails nobody-there NB-C-22"]
    assert board.night(Anise=["Ability 2 on steward at J2"]).said("Anise") == ["fails no-spy NB-C-22"]


def posts_are_shown() -> None:
    """NB-C-23: everybody else's posts, shown only to the player who asks, even if nobody is there."""
    board = board_with("Anise", two=effect("survey")).post("Anise", "spy", "J1").post("Fennel", "tax", "J1", "money")
    board.building("Fennel", "arsenal").post("Dill", "spy", "J1").post("Anise", "spy", "D4")
    (told,) = board.night(Anise=["Ability 2 at J1"]).all(Learned)
    assert (told.heard, told.about) == (("Anise",), "J1")
    assert tell(board.now, told) == (
        "Anise learned about J1: Fennel’s Tax Collector for money, Fennel’s staff of the Arsenal and Dill’s Spy."
    )
    (none,) = board.night(Anise=["Ability 2 at D4"]).all(Learned)
    assert tell(board.now, none) == "Anise learned that nobody holds a post at D4."
    assert board.night(Anise=["Ability 2 at J2"]).said("Anise") == ["fails no-spy NB-C-23"]


def a_units_strength_is_shown() -> None:
    """NB-C-24: with its leader, and anything added to it before."""
    board = board_with("Anise", two=effect("gauge")).post("Anise", "spy", "D4").unit("U1", "Fennel", "D4", leader="pc")
    board.unit("U2", "Fennel", "D5")
    (told,) = board.night(Anise=["Ability 2 on U1"]).all(Learned)
    strength = Work(board.now, {}, dice()).strength("U1")
    assert told.facts == tuple(f"{name} {amount}" for name in VALUES if (amount := getattr(strength, name)))
    assert tell(board.now, told).startswith("Anise learned about U1: attack 3, melee 10, charge 2")
    for line in ("Ability 2 on U2", "Ability 2 on U9"):  # The player must not find out whether there is such a unit.
        assert board.night(Anise=[line]).said("Anise") == ["fails no-spy NB-C-24"]


def an_estate_is_plundered() -> None:
    """NB-C-25: the player with a unit there takes everything, whoever controls it; not if the unit is gone by then; the first in order."""
    board = board_with("Anise", two=effect("plunder")).hold("E5", "TCK").post("Hyssop", "steward", "E5")
    board.unit("U1", "Anise", "E5", STRONG)
    turn = board.night(Anise=["Ability 2 at E5"])
    assert (turn.stock("Anise"), turn.stock("Hyssop")) == ((43, 42, 38), (0, 0, 0))
    beaten = board_with("Anise", two=effect("plunder")).unit("U1", "Anise", "E5").unit("U2", "Fennel", "E5", STRONG)
    assert beaten.night(Anise=["Ability 2 at E5"]).stock("Anise") == (40, 40, 38)
    # The leader hears of it if the estate is their faction's, and gets nothing from it; nobody hears who did it.
    board = board_with("Anise", two=effect("plunder")).hold("E5", "Pape").post("Basil", "steward", "E5")
    turn = board.unit("U1", "Anise", "E5").night(Anise=["Ability 2 at E5"])
    assert (turn.stock("Anise"), turn.stock("Basil")) == ((43, 42, 38), (0, 0, 0))
    (harmed,) = turn.all(Harmed)
    assert (harmed.heard, tell(board.now, harmed)) == (
        ("Basil",),
        "Somebody plundered E5; all its income tonight is lost.",
    )
    assert board_with("Anise", two=effect("plunder")).night(Anise=["Ability 2 at E5"]).said("Anise") == [
        "fails no-own-unit NB-C-25"
    ]
    # Two players of one faction want it.
    both = grant("Anise", two=effect("plunder"))
    roles = {
        **both.roles,
        role_of("Borage"): replace(both.roles[role_of("Borage")], abilities=both.roles[role_of("Anise")].abilities),
    }
    board = (
        Board(scenario=replace(both, roles=roles))
        .rich("Anise", "Borage")
        .unit("U1", "Anise", "E5")
        .unit("U2", "Borage", "E5")
    )
    turn = board.night(Anise=["Ability 2 at E5"], Borage=["Ability 2 at E5"])
    assert turn.said("Borage") == ["fails plundered-already NB-C-25"]
    # The whole base income, without the bribed part and without a Home's gathering.
    board = (
        board_with("Anise", two=effect("plunder")).rich("Fennel").post("Fennel", "spy", "E5").unit("U1", "Anise", "E5")
    )
    turn = board.night(Anise=["Ability 2 at E5"], Fennel=["Bribery at E5 for influence"])
    assert turn.stock("Anise") == (40, 42, 38)


def an_heir_is_won_over() -> None:
    """NB-C-26, ST-5: the Heir where a Spy is, for the player's faction; a failed attempt costs nothing."""
    board = board_with("Anise", two=effect("win over")).post("Anise", "spy", "J1").heir("Fennel", "Dill")
    turn = board.night(Anise=["Ability 2 at J1"])
    assert turn.player("Fennel").heir == Heir(other="Fleurs", won="Pape")
    assert (turn.said("Anise"), turn.stock("Anise")) == (["succeeds win over NB-C-26"], (40, 40, 38))
    turn = board.night(Anise=["Ability 2 at J2", "Ability 2 at J1", "Ability 2 at J1"])
    assert turn.said("Anise") == [
        "fails no-spy NB-C-26", "succeeds win over NB-C-26", "fails no-heir-there NB-C-26",
    ]  # fmt: skip
    assert turn.stock("Anise") == (40, 40, 38)


PLAYED: dict[Effect, Callable[[], None]] = {
    "council": the_council_for_one_unit,
    "inspire": a_value_more_for_a_unit,
    "levy": a_cheaper_unit,
    "thrift": a_cheaper_action,
    "gather": more_at_home,
    "ward": an_estate_is_protected,
    "retain": more_courtiers,
    "march": a_unit_marches,
    "reach": spies_go_further,
    "domain": an_estate_more,
    "expel": a_post_is_cleared,
    "survey": posts_are_shown,
    "gauge": a_units_strength_is_shown,
    "plunder": an_estate_is_plundered,
    "win over": an_heir_is_won_over,
}


@pytest.mark.parametrize("kind", EFFECTS)
def test_every_effect_works_in_a_night(kind: Effect) -> None:
    """FN-15: NB-C-11 and NB-C-13 to NB-C-26, each played as a core and as an ability where it can be both."""
    PLAYED[kind]()


ROLE_SEATS = {Board().now.players[seat].role: seat for seats in FACTIONS.values() for seat in seats}


def stage_board(seat: str) -> Board:
    """A Night where every ability of a role has a target, seen by Spies."""
    board = Board(scenario=FARNA).player(seat, without="companies").rich(seat).unit("U1", seat, "E5")
    enemy = "Dill" if board.now.players[seat].faction != "Fleurs" else "Fennel"
    board.unit("U2", enemy, "D5").hold("D5", board.now.players[enemy].faction).post(enemy, "steward", "D5")
    board.post(seat, "spy", "D5")
    board.now = replace(board.turn().after, phase=board.now.phase, cycle=board.now.cycle + 1)
    return board


@pytest.mark.parametrize("role", FARNA.roles)
def test_each_ability_of_each_role_is_offered_and_works(role: str) -> None:
    """FN-15, NB-C-3: a stand-in's options include each ability that is not left out, and each one takes effect."""
    seat = ROLE_SEATS[role]
    for option, price in ABILITY.items():
        board = stage_board(seat)
        offered = [
            line
            for sheet in options(seen_by(board.now, seat), seat)
            for line in sheet.orders
            if line.startswith(f"Ability {price}")
        ]
        assert offered, option
        nights = [board.night(**{seat: [line]}) for line in offered]
        worked = [turn for turn in nights if turn.said(seat)[0].startswith("succeeds")]
        assert worked, option
        for turn in nights:
            assert all(tell(board.now, fact).endswith(".") for fact in (*turn.done.verdicts, *turn.done.events))
        assert {used.ability for turn in worked for used in turn.all(Used)} == {FARNA.ability(role, option)}
        board.player(seat, without=option)
        again = [line for sheet in options(seen_by(board.now, seat), seat) for line in sheet.orders]
        assert not [line for line in again if line.startswith(f"Ability {price}")]
        assert board.night(**{seat: offered[:1]}).said(seat) == ["illegal without NB-C-3"]


def test_an_ability_must_be_written_in_the_form_of_its_effect() -> None:
    """NB-C-1, NB-C-12: another form is warned about before the deadline, and has no effect after it."""
    lines = {
        "ability": "Ability 2", "ability on unit": "Ability 2 on U1", "ability on post": "Ability 2 on tax money at J1",
        "ability at": "Ability 2 at J1", "ability to": "Ability 2 on U1 to A2",
    }  # fmt: skip
    assert set(lines) == set(FORM_OF.values())
    for kind in PRICED:
        of_ = {"thrift": "assassin", "gather": "money"}.get(kind)
        given = effect(kind, 1 if kind in MEASURED else 0, of_)
        board = (
            board_with("Anise", two=given)
            .unit("U1", "Anise", "A1")
            .unit("U2", "Anise", "J1")
            .post("Anise", "spy", "J1")
        )
        board.post("Anise", "spy", "A1").post("Fennel", "tax", "J1", "money").heir("Fennel", "Dill")
        for form, line in lines.items():
            order = reader_of(board.now.settings.board).read(line)
            assert isinstance(order, Order)
            assert (order.kind, order.line) == (form, line)
            right = FORM_OF[kind] == form
            assert bool(check(seen_by(board.now, "Anise"), "Anise", Sheet(orders=(line,)))) != right
            turn = board.night(Anise=[line])
            assert all(tell(board.now, fact).endswith(".") for fact in (*turn.done.verdicts, *turn.done.events))
            said = turn.said("Anise")
            assert said == ([f"succeeds {kind} NB-{RULE[kind]}"] if right else ["illegal other-ability NB-C-1"])


@pytest.mark.parametrize("kind", ["expel", "survey", "gauge", "plunder", "win over"])
def test_abilities_spare_the_giver_of_a_hostage(kind: Effect) -> None:
    """NB-P-12: and nothing is paid."""
    line = {
        "expel": "on tax money at J1",
        "survey": "at J1",
        "gauge": "on U2",
        "plunder": "at J1",
        "win over": "at A1",
    }[kind]
    board = board_with("Anise", two=effect(kind)).heir("Fennel", "Anise", hostage="Anise").post("Anise", "spy", "J1")
    board.post("Anise", "spy", "A1")
    board.post("Fennel", "tax", "J1", "money").unit("U1", "Anise", "J1").unit("U2", "Fennel", "J1")
    turn = board.night(Anise=[f"Ability 2 {line}"])
    assert turn.said("Anise") == ["fails hostage NB-P-12"]
    assert turn.stock("Anise") == (40, 40, 40)


def test_an_ability_costs_an_envoy_and_its_price() -> None:
    """NB-K-12, NB-A-13: for every use; without a free Courtier, or with too little to pay, nothing happens."""
    board = board_with("Anise", two=effect("gather", 1, "influence")).stock("Anise", money=5)
    turn = board.night(Anise=["Ability 2"] * 3)
    assert turn.said("Anise") == ["succeeds gather NB-C-16"] * 2 + ["fails too-poor NB-A-13"]
    assert turn.stock("Anise") == (2, 0, 1)
    for _ in range(10):
        board.post("Anise", "spy", "D4")
    assert board.night(Anise=["Ability 2"]).said("Anise") == ["fails no-envoy NB-K-12"]


def test_nobody_else_hears_of_an_ability() -> None:
    """NB-C-12, NB-C-9: not even the leader of the player who used it."""
    board = board_with("Anise", two=effect("ward"), five=effect("survey")).post("Anise", "spy", "J1")
    turn = board.night(Anise=["Ability 2 at A2", "Ability 5 at J1"])
    told = [event for event in turn.done.events if isinstance(event, Used | Learned)]
    assert len(told) == 3
    for event in told:
        assert [seat for seat in board.now.players if heard_by(event, seat) is not None] == ["Anise"]
        assert heard_by(event, None) is None


def test_facts_of_abilities_survive_writing() -> None:
    """Facts in a turn's file can be read again."""
    events: tuple[AnyEvent, ...] = (
        Used(heard=("Anise",), seat="Anise", ability=effect("gather", 3, "money")),
        Learned(heard=("Anise",), seat="Anise", about="J1", facts=("Fennel: tax money",)),
    )
    assert decode(tuple[Event, ...], Text("events", encode(list(events)), {})) == events


def test_income_is_reported_with_its_source() -> None:
    """NB-C-16: gathered resources appear with the collectors' at Home."""
    board = board_with("Anise", effect("gather", 3, "influence")).post("Anise", "tax", "A1", "money")
    (earned,) = board.night().all(Earned)
    assert [(source.of, source.amount) for source in earned.sources] == [("A1", Stock(influence=3, money=1))]


# A host's scenario --------------------------------------------------------------------------------------------------

FARNA_TEXT = (DATA / "farna.yaml").read_text(encoding="utf-8")
FAULTS = {
    ("personal: {effect: ward}", "personal: {effect: plunder}"): "`plunder` is not an effect of a core ability (NB-C-12)",
    ("two: {effect: plunder}", "two: {effect: council}"): "`council` is not an effect of an ability that has a price (NB-C-12)",
    ("personal: {effect: retain, amount: 2}", "personal: {effect: retain}"): "`retain` needs an amount (NB-C-12)",
    ("personal: {effect: ward}", "personal: {effect: ward, amount: 1}"): "`ward` takes no amount (NB-C-12)",
    ("two: {effect: survey}", "two: {effect: survey, value: melee}"): "`survey` takes no value (NB-C-12)",
    ("of: university}", "of: universty}"): "`thrift` cannot apply to 'universty' (NB-C-12); did you mean 'university'?",
    ("amount: 2, of: university}", "amount: 2}"): "`thrift` needs something to apply to (NB-C-12)",
    ("amount: 8, of: money}", "amount: 8, of: bronze}"): "`gather` cannot apply to 'bronze' (NB-C-12); influence, manpower, money",
    ("{effect: march, of: regiment}", "{effect: march, of: garrison}"): "`march` cannot apply to 'garrison' (NB-C-12)",
    ("two: {effect: march}", "two: {effect: march, of: regiment}"): "`march` cannot apply to 'regiment' (NB-C-12); leave it out",
    ("amount: 6, of: pc}", "amount: 6}"): "`inspire` needs something to apply to (NB-C-12); write `of` with one of pc, regiment",
    ("core: {effect: council}", "core: {effect: gauge}"): "`gauge` is not an effect of a core ability (NB-C-12)",
    ("      five: {effect: expel}\n", ""): "the role has no ability 'five' (NB-C-1); describe it here",
    ("personal: {effect: ward}", "personal: {effect: win over}"): "`win over` is not an effect of a core ability (NB-C-12)",
    ("two: {effect: plunder}", "two: {effect: win over, amount: 1}"): "`win over` takes no amount (NB-C-12); leave it out",
    ("two: {effect: plunder}", "two: {effect: win over, of: money}"): "`win over` cannot apply to 'money' (NB-C-12); leave it out",
    ("{effect: retain, amount: 2}", "{effect: retain, amount: 100}"): "amount is 100",
    ("value: toughness}", "value: hardness}"): "is 'hardness'; allowed: 'attack'",
}  # fmt: skip


@pytest.mark.parametrize("change", FAULTS, ids=lambda change: change[1].strip()[:30])
def test_faults_in_an_ability_are_reported_with_their_line(change: tuple[str, str]) -> None:
    """FN-15, NB-C-12."""
    old, new = change
    assert FARNA_TEXT.count(old) >= 1
    with pytest.raises(Problems) as caught:
        load_scenario(FARNA_TEXT.replace(old, new, 1).encode(), "ours.yaml")
    assert [problem.line > 1 for problem in caught.value.problems] == [True]
    assert FAULTS[change] in str(caught.value.problems[0])


def test_all_faults_in_abilities_are_reported_at_once() -> None:
    """Three faults, three lines."""
    text = FARNA_TEXT.replace("two: {effect: survey}", "two: {effect: domain, amount: 1}")
    text = text.replace("personal: {effect: ward}", "personal: {effect: ward, amount: 1}").replace(
        "of: knife", "of: nife"
    )
    with pytest.raises(Problems) as caught:
        load_scenario(text.encode(), "ours.yaml")
    assert len({problem.line for problem in caught.value.problems}) == 3


def test_a_role_may_lack_the_common_core() -> None:
    """NB-C-12: `core: none`; the personal part remains."""
    name = role_of("Borage")
    roles = {**FARNA.roles, name: replace(FARNA.roles[name], core="none")}
    assert [core.effect for core in replace(FARNA, roles=roles).cores(name)] == ["reach"]
    assert [core.effect for core in FARNA.cores(name)] == ["council", "reach"]
