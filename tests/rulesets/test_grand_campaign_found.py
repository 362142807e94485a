"""The Grand Campaign: what players found, as laws; ids are those of the findings."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.contract.ruleset import find
from adjudicator.core.secrets.dice import Dice, GivenDice, NamedDice, turn_key
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.campaign import campaign_named
from adjudicator.rulesets.grand_campaign.orders import FORMS, PARTS, Order, PlacementSheet, reader_of
from adjudicator.rulesets.grand_campaign.position import Phase
from adjudicator.rulesets.grand_campaign.resolve import due, resolve
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS
from tests import laws
from tests.conftest import FUZZ
from tests.judges import campaign_turns

MANY = 3_000 if FUZZ else 250


class Loaded(NamedDice):
    """Dice of a turn, of which one shows what it is told to."""

    def __init__(self, key: bytes, name: str, value: int) -> None:
        super().__init__(key)
        self.given = GivenDice({name: value})
        self.name = name

    def roll(self, name: str, sides: int) -> int:
        return self.given.roll(name, sides) if name == self.name else super().roll(name, sides)


@functools.cache
def battles() -> tuple[Any, ...]:
    """Positions with battles to be reported, and the sheets that came."""
    return tuple(
        turn
        for turn in campaign_turns.turns(700, MANY)
        if turn.position.phase is Phase.BATTLES and turn.position.battles
    )


def outcome(turn: Any, dice: Dice) -> Any:
    """The turn with these dice."""
    return resolve(turn.position, turn.sheets, dice)


def test_a_better_result_of_the_defeat_table_never_leaves_less() -> None:
    """F1: an army was lost on 3 to 6 and lived on a 2. From 2 on no army is lost while a settlement of its side stands."""
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
    """Friendly settlements of an army's side, but for the one fought over."""
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
            if order.args["battle"] in turn.position.rulings:  # the host's word goes before every report
                continue
            if verdict.reason == "resolved":
                assert how[order.args["battle"]] == "resolver"
                assert order.args["result"] == "auto", verdict
            elif verdict.result == "succeeds":
                assert verdict.reason in {"agreed", "alone", "conceded", "overruled"}, verdict
            else:
                assert verdict.reason in {"disputed", "unconfirmed", "not-your-battle", "twice", "unreadable"}, verdict
    assert {"agreed", "alone", "disputed", "unconfirmed"} <= seen


def test_whoever_is_in_a_battle_or_a_skirmish_is_waited_for() -> None:
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


@pytest.mark.parametrize("part", [*FORMS])
def test_every_other_form_means_one_that_is_there(part: Any) -> None:
    """F6: another name in a form keeps its blanks, and a form that is meant is one of the list."""
    lines = reader_of(campaign_named("sample")).lines[part]
    for other, meant in lines.also.items():
        assert meant in FORMS[part], other
        sample = lines.sample(other)
        found = lines.read(sample)
        assert not hasattr(found, "what"), (sample, found)
        assert found[0] == meant, sample


@pytest.mark.parametrize("part", [*PARTS])
def test_what_is_shown_as_right_can_be_written(part: Any) -> None:
    """F7: a hint is a line that is read, and never a form with bare blanks."""
    lines = reader_of(campaign_named("sample")).lines[part]
    for form in FORMS[part]:
        sample = lines.sample(form)
        assert sample, form
        found = lines.read(sample)
        assert not hasattr(found, "what"), (sample, found)


def test_a_wish_that_can_never_be_is_warned_of() -> None:
    """F17: a Town beside one's own City; what is far enough gets no word."""
    rules = find("grand_campaign")
    view = rules.view(laws.first(rules), "Anna")
    good = PlacementSheet(city=("0204",), fortress=("0504",), towns=("0301", "0307"), armies=("0504", "0307"))
    assert rules.rules.check(view, "Anna", good) == ()
    (told,) = rules.rules.check(view, "Anna", replace(good, towns=("0205", "0301", "0307")))
    assert (told.place, told.level) == (("towns", 0), "warning")
    assert told.what.startswith("a Town cannot be placed on 0205")
