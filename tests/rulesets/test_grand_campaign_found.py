"""The Grand Campaign: players' findings, as laws; ids are those of the findings."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.contract.ruleset import find
from adjudicator.core.secrets.dice import Dice, GivenDice, NamedDice, turn_key
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign import host, prose
from adjudicator.rulesets.grand_campaign.acts import LINES, PARTS
from adjudicator.rulesets.grand_campaign.campaign import campaign_named
from adjudicator.rulesets.grand_campaign.examples import play
from adjudicator.rulesets.grand_campaign.options import _candidates, check, options
from adjudicator.rulesets.grand_campaign.orders import Order, PlacementSheet, SeasonSheet, reader_of
from adjudicator.rulesets.grand_campaign.position import Phase
from adjudicator.rulesets.grand_campaign.resolve import due, resolve
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS
from tests import laws
from tests.conftest import FUZZ
from tests.judges import campaign_turns
from tests.rulesets.test_grand_campaign_cases import CASES

MANY = 3_000 if FUZZ else 250


class Loaded(NamedDice):
    """Dice of a turn, one of them loaded."""

    def __init__(self, key: bytes, name: str, value: int) -> None:
        super().__init__(key)
        self.given = GivenDice({name: value})
        self.name = name

    def roll(self, name: str, sides: int) -> int:
        return self.given.roll(name, sides) if name == self.name else super().roll(name, sides)


@functools.cache
def battles() -> tuple[Any, ...]:
    """Positions with battles to be reported, and the sheets that came in."""
    return tuple(
        turn
        for turn in campaign_turns.turns(700, MANY)
        if turn.position.phase is Phase.BATTLES and turn.position.battles
    )


def outcome(turn: Any, dice: Dice) -> Any:
    """The turn with these dice."""
    return resolve(turn.position, turn.sheets, dice)


def test_a_better_result_of_the_defeat_table_never_leaves_less() -> None:
    """F1: an army was lost on 3 to 6 and survived on a 2. From 2 on no army is lost while its side has a settlement left."""
    rolled = 0
    for number, turn in enumerate(battles()):
        key = turn_key(b"defeats", "campaign", str(number), "")
        plain = outcome(turn, NamedDice(key))
        for army in {event.army for event in plain.events if isinstance(event, e.Beaten) and event.why == "defeat"}:
            lost_by = []
            for value in range(1, 7):
                done = outcome(turn, Loaded(key, f"defeat:{army}", value))
                (beaten,) = [one for one in done.events if isinstance(one, e.Beaten) and one.army == army]
                lost = any(
                    isinstance(one, e.Perished) and one.who == army and one.why in {"defeat", "nowhere"}
                    for one in done.events
                )
                lost_by.append(lost)
                rolled += 1
                if lost and beaten.result != "destroyed":
                    assert not refuges(turn, army), (army, value, beaten)
            assert lost_by == sorted(lost_by, reverse=True), (army, lost_by)
    assert rolled > 100


def refuges(turn: Any, army: str) -> list[str]:
    """Friendly settlements of an army's side, except the one fought over."""
    owner = army.rpartition(" ")[0]
    friends = {owner, *(seat for pair in turn.position.relations.alliance if owner in pair for seat in pair)}
    over = {battle.at for battle in turn.position.battles if battle.defender == army}
    return [
        label
        for label, kind in turn.position.works.items()
        if CONSTRUCTIONS[kind].settlement and turn.position.holder.get(label) in friends and label not in over
    ]


def test_every_report_is_believed_disputed_or_refused() -> None:
    """F2: no line of `results` succeeds while something else decides."""
    seen = set()
    for number, turn in enumerate(battles()):
        done = outcome(turn, NamedDice(turn_key(b"reports", "campaign", str(number), "")))
        how = {event.id: event.how for event in done.events if isinstance(event, e.Fought)}
        reader = reader_of(turn.position.plan)
        for verdict in done.verdicts:
            order = reader.read("results", verdict.order)
            if not isinstance(order, Order) or order.kind not in {"result", "result_in"}:
                continue
            seen.add(verdict.reason)
            if order.args["battle"] in turn.position.rulings:  # The host's word overrides every report.
                continue
            if verdict.reason == "resolved":
                assert how[order.args["battle"]] == "resolver"
                assert order.args["result"] == "auto", verdict
            elif verdict.result == "succeeds":
                assert verdict.reason in {"agreed", "alone", "conceded", "overruled"}, verdict
            else:
                assert verdict.reason in {"disputed", "unconfirmed", "not-your-battle", "twice", "unreadable"}, verdict
    assert {"agreed", "alone", "disputed", "unconfirmed"} <= seen


def test_everybody_in_a_battle_or_a_skirmish_is_waited_for() -> None:
    """F3."""
    seen = 0
    for turn in campaign_turns.turns(900, MANY):
        done = outcome(turn, NamedDice(turn_key(b"due", "campaign", str(turn.position.turn), "")))
        after = done.position
        if after.phase is not Phase.BATTLES or after.closed:
            assert not any(isinstance(event, e.Met) for event in done.events) or any(
                isinstance(event, e.Skirmished) for event in done.events
            )
            continue
        inside = {key.rpartition(" ")[0] for quarrel in after.quarrels for key in (quarrel.comer, quarrel.other)}
        assert inside <= due(after)
        seen += bool(inside)
    assert seen


@pytest.mark.parametrize("part", [*PARTS])
def test_every_alternative_form_means_an_existing_one(part: Any) -> None:
    """F6: an alternative name in a form keeps its blanks, and the form that it means is in the list."""
    lines = reader_of(campaign_named("sample")).lines[part]
    for other, meant in lines.also.items():
        assert meant in LINES.forms(part), other
        sample = lines.sample(other)
        found = lines.read(sample)
        assert not hasattr(found, "what"), (sample, found)
        assert found[0] == meant, sample


@pytest.mark.parametrize("part", [*PARTS])
def test_every_suggestion_can_be_written(part: Any) -> None:
    """F7: a hint is a readable line, and never a form with bare blanks."""
    lines = reader_of(campaign_named("sample")).lines[part]
    for form in LINES.forms(part):
        sample = lines.sample(form)
        assert sample, form
        found = lines.read(sample)
        assert not hasattr(found, "what"), (sample, found)


def test_check_warns_of_a_wish_that_can_never_be_granted() -> None:
    """F17: a Town beside the player's own City is warned about; one that is far enough away is not."""
    rules = find("grand_campaign")
    view = rules.view(laws.first(rules), "Anna")
    good = PlacementSheet(city=("0204",), fortress=("0504",), towns=("0301", "0307"), armies=("0504", "0307"))
    assert rules.rules.check(view, "Anna", good) == ()
    (told,) = rules.rules.check(view, "Anna", replace(good, towns=("0205", "0301", "0307")))
    assert (told.place, told.level) == (("towns", 0), "warning")
    assert told.what.startswith("a Town cannot be placed on 0205")


def said(name: str) -> list[str]:
    """Line, result, reason and rule of each verdict of a worked example, played."""
    _, done = play(CASES[name])
    return [f"{one.order}: {one.result} {one.reason} {one.rule}" for one in done.verdicts]


def test_photos_of_a_battle_wait_until_it_is_settled() -> None:
    """F4: if the reports of a battle differ, or it waits for the host, its photos are kept, and paid for when it is settled."""
    photos = "B1: photos https://example.org"
    assert said("defeat/told-while-disputed")[-1] == f"{photos}/field: partly waits-for-ruling GC-W-3"
    assert said("defeat/garrison-played")[-1] == f"{photos}/siege: partly waits-for-ruling GC-W-3"
    position, done = play(CASES["defeat/told-while-disputed"])
    rules = find("grand_campaign")
    decisions = rules.decisions
    assert decisions is not None
    ruled = decisions.apply(done.position, host.Decision(battle="B1", outcome="attacker"), "I saw it")
    settled = resolve(ruled, {}, NamedDice(turn_key(b"F4", "campaign", "1", "")))
    (paid,) = [event for event in settled.events if isinstance(event, e.Honoured)]
    assert (paid.battle, paid.by, paid.seats, paid.gold) == ("B1", "Anna", ("Anna", "Ben"), 50)
    assert settled.position.realms["Anna"].gold == position.realms["Anna"].gold + 50


def test_a_party_beside_a_ruin_is_advised_to_move_onto_it() -> None:
    """F9: it is not told that no ruin is beside it, since only armies need one."""
    assert said("parties/beside-a-ruin") == ["P1: Explore Ruin: fails not-on-ruin GC-Q-12"]
    position, done = play(CASES["parties/beside-a-ruin"])
    assert prose.tell(position, done.verdicts[0]) == (
        "P1: Explore Ruin: 0 of 1 done; Explore Ruin failed: a party must stand on the ruin, and there is none in 0203."
    )


def test_a_player_can_bring_home_as_much_gold_as_they_wish() -> None:
    """F10: 150 of 200."""
    assert said("parties/some-gold") == ["P1: Convert 150 Gold: succeeds done GC-Q-19"]
    _, done = play(CASES["parties/some-gold"])
    (party,) = done.position.parties
    assert (done.position.realms["Anna"].gold, party.gold) == (150, 50)


def test_there_is_no_peace_without_its_price() -> None:
    """F11: one line holds both, and a promise of more than the purse holds causes a warning."""
    assert said("generals/peace-at-a-price") == [
        "peace with Ben: nothing for 500 gold: fails cannot-pay GC-L-12",
        "peace with Anna: 500 gold for nothing: fails cannot-pay GC-L-12",
        "peace with Cora: nothing for 500 gold: succeeds done GC-L-5",
        "peace with Anna: 500 gold for nothing: succeeds done GC-L-5",
    ]
    position, _ = play(CASES["generals/peace-at-a-price"])
    for line, gold in (("trade with Ben: 300 gold for nothing", 300), ("peace with Ben: 500 gold for nothing", 500)):
        (told,) = check(position, "Anna", SeasonSheet(diplomacy=(line,)))
        assert (told.place, told.level) == (("diplomacy", 0), "warning")
        assert told.what == f"you promise {gold} gold, but your purse has 0 when trades are made (GC-L-12)"


def test_an_ally_is_offered_no_alliance_and_no_peace() -> None:
    """F12: and the form that declares war can be read."""
    position, _ = play(CASES["generals/peace-at-a-price"])
    view = replace(position, relations=replace(position.relations, war=(), alliance=(("Anna", "Ben"),)))
    offered = {line for sheet in options(view, "Anna") if isinstance(sheet, SeasonSheet) for line in sheet.diplomacy}
    assert offered == {"alliance with Cora", "dissolve alliance with Ben", "war with Ben", "war with Cora"}
    order = reader_of(view.plan).read("diplomacy", "Declare war on Ben")
    assert isinstance(order, Order)
    assert order.line == "war with Ben"


def test_a_promise_to_conquer_nothing_can_be_kept() -> None:
    """F13: without a line the army would take what lies around it."""
    assert said("defeat/nothing-conquered")[0] == "A1: nothing: succeeds kept GC-V-18"
    position, done = play(CASES["defeat/nothing-conquered"])
    assert done.position.holder == position.holder
    case = CASES["defeat/nothing-conquered"]
    silent = replace(case, sheets={**case.sheets, "Anna": {"results": ["B1: win"]}})
    assert play(silent)[1].position.holder != position.holder


def test_a_copied_campaign_leaves_no_battle_to_dice() -> None:
    """F14, GC-A-10: between two armies; a garrison that nobody led is the resolver's (GC-Z-19)."""
    assert campaign_named("sample").configuration.unplayed == "stalemate"
    case = CASES["defeat/told-while-disputed"]
    assert case.settings.unplayed is None
    (fought,) = [event for event in play(replace(case, sheets={}))[1].events if isinstance(event, e.Fought)]
    assert (fought.winner, fought.how) == (None, "unplayed")


WORDS = [
    ("armies", "A1: Improve Settlement (City)", "A1: Improve City"),
    ("armies", "A1: Annex", "A1: Annex Territory"),
    ("armies", "A1: Nurture Forest (Pine)", "A1: Nurture Forest as pine"),
    ("armies", "Army A1: E", "A1: E"),
    ("parties", "P1: Explore Ruins", "P1: Explore Ruin"),
    ("parties", "P1: Patrol (enemies)", "P1: Patrol"),
    ("diplomacy", "Declare War on Ben", "war with Ben"),
    ("diplomacy", "Peace Treaty with Ben", "peace with Ben"),
    ("conquest", "A1: Conquer Territory 1004", "A1: claim 1004"),
    ("results", "B1: won", "B1: win"),
    ("results", "B1: i-concede", "B1: I concede"),
]


@pytest.mark.parametrize(("part", "line", "means"), WORDS, ids=[line for _, line, _ in WORDS])
def test_the_words_of_the_source_are_read(part: Any, line: str, means: str) -> None:
    """F6."""
    order = reader_of(campaign_named("sample")).read(part, line)
    assert isinstance(order, Order), order
    assert order.line == means


def test_the_offered_lines_are_those_that_check_accepts() -> None:
    """Checking an offered line stops where the line does; the answer is that of the whole turn, carried out."""
    offered = refused = 0
    for turn in campaign_turns.turns(705, MANY // 10):
        view = turn.position
        seat = sorted(view.realms)[turn.position.turn % len(view.realms)]
        if view.closed or view.realms[seat].out:
            continue
        lines = [*_candidates(view, seat)]
        legal = [one for one in lines if all(remark.level == "note" for remark in check(view, seat, one))]
        assert [*options(view, seat)] == legal
        offered += len(legal)
        refused += len(lines) - len(legal)
    assert offered > 4 * MANY
    assert refused > 4 * MANY
