"""Heir Apparent: the card set that comes with the game, and every fault that a host's set can have, with its line."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.text.codec import schema
from adjudicator.core.text.problems import Problems
from adjudicator.rulesets.heir_apparent.cardset import SETS, cards_named, load_cards, shipped_sets
from adjudicator.rulesets.heir_apparent.selectors import CALLS, WORDS, Filter, Unread, read_filter, read_selector
from adjudicator.rulesets.heir_apparent.steps import WORDS as STEPS
from adjudicator.rulesets.heir_apparent.steps import Deed, Step
from adjudicator.rulesets.heir_apparent.titles import TRIGGERS, Action, CardSet

SOURCE = (SETS / "avermark.yaml").read_text(encoding="utf-8")


def faults_with(old: str, new: str) -> list[str]:
    """Faults of the shipped set after one change, each as `LINE what; right`; the line is counted from the change's."""
    assert SOURCE.count(old) >= 1, old
    at = SOURCE[: SOURCE.index(old)].count("\n") + 1
    try:
        load_cards(SOURCE.replace(old, new, 1).encode(), "own.yaml")
    except Problems as problems:
        return [f"{problem.line - at:+} {problem.what}; {problem.right}" for problem in problems.problems]
    return []


def test_the_shipped_set_is_complete() -> None:
    assert shipped_sets() == ("avermark",)
    cards = cards_named("avermark")
    titles = [title for _, title in cards.titles()]
    assert len(titles) == 96
    assert sum(title.copies if isinstance(title, Action) else 1 for title in titles) == 120  # HA-A-2
    ids = [card for action in cards.actions for card in action.cards]
    assert len(ids) == len({*ids}) == 55  # HA-A-5
    assert cards.actions[0].cards == ("market-rumour#1", "market-rumour#2", "market-rumour#3")


def test_the_shipped_set_uses_the_whole_vocabulary() -> None:
    """All but two triggers, `per(...)` and `prince`, which no card uses."""
    steps = [step for part in parts(cards_named("avermark")) for step in part]
    assert {word for step in steps for word in step.words} == {*STEPS}
    assert any(event.limit for event in cards_named("avermark").events)
    triggers = {trigger for action in cards_named("avermark").actions for trigger in action.trigger}
    assert {*TRIGGERS} - triggers == {"event_revealed", "melee_declared"}
    effects = "\n".join(line.partition("text:")[0].partition("flavour:")[0] for line in SOURCE.splitlines())
    assert {call for call in CALLS if f"{call}(" not in effects} == {"per"}
    filters = {word.strip() for words in re.findall(r"\[([^\[\]{}]*)\]", effects) for word in words.split(",")}
    assert {*WORDS} - filters == {"prince"}


def parts(cards: CardSet) -> Iterator[tuple[Step, ...]]:
    for action in cards.actions:
        yield from (action.effect, action.while_)
    for character in cards.characters:
        yield from (ability.effect for ability in character.abilities)
    for event in cards.events:
        yield from (part for part in (event.winner, event.loser, event.success, event.failure) if part)
        yield from (event.lasting.while_,) if event.lasting else ()


def test_each_step_has_one_record() -> None:
    """HE-10: exactly the steps listed in CARDS.md can be worked; `limit` is a part of an Event, not a step."""
    listed = (SETS.parent / "CARDS.md").read_text("utf-8").partition("\n## Steps\n")[2].partition("\n## ")[0]
    assert {*re.findall(r"^\| `(\w+)` \|", listed, re.MULTILINE)} == {*STEPS}
    deeds = {field.type.split(" |")[0] for field in dataclasses.fields(Step)}
    assert sorted(deeds) == sorted(deed.__name__ for deed in get_args(Deed))
    assert len(STEPS) == 20  # CARDS.md
    assert Step(cancel=cards_named("avermark").actions[8].effect[0].deed).words == ("cancel",)  # type: ignore[arg-type]  # it is one


FAULTS = [
    # Unreadable text
    ("id: aldemar", "id: Aldemar", "+0 princes.0.id is 'Aldemar'"),
    ("popularity: 5", "popularity: 6", "+0 princes.0.popularity is 6; write 5 or less"),
    ("keywords: [Noble, Palace]", "keywords: [Nobel, Palace]", "+0 princes.0.keywords.0 is 'Nobel'; did you mean 'Noble'?"),
    ("{who: winner, n: 3}", "{whom: winner, n: 3}", "+0 unknown key 'whom'; allowed: who, n, max"),
    ("{favor: {who: winner, n: 3}}", "{favour: {who: winner, n: 3}}", "+0 unknown key 'favour'; did you mean 'favor'?"),
    ("{from: loser, to: winner, n: 1}", "{form: loser, to: winner, n: 1}", "+0 unknown key 'form'; did you mean 'from'?"),
    ("while: [{stat: {target: self, skill: combat, n: 1", "whlie: [{stat: {target: self, skill: combat, n: 1", "+0 unknown key 'whlie'; did you mean 'while'?"),
    # Selectors
    ('[other, unturned])"}}],\n     text: "Turn a rival', '[other, unturnd])"}}],\n     text: "Turn a rival', "+0 hush: there is no word of a filter 'unturnd'; did you mean 'unturned'?"),
    ("keyword:Fighter])", "keyword:Figther])", "+0 march-levy: there is no keyword 'Figther'; did you mean 'Fighter'?"),
    ("choose(side, [pool])", "chose(side, [pool])", "+0 the-weathercock: there is no selector 'chose'; did you mean 'choose'?"),
    ("choose(side, [pool])", "choose(side)", "+0 the-weathercock: choose(side) cannot be read; write choose(NAME, [WORD, ...])"),
    ("choose(side, [pool])", "choose(mine, [pool])", "+0 the-weathercock: 'mine' cannot name a choice; use another word, in lower case"),
    ("choose(side, [pool])", "choose(side, [pool, mine])", "+0 the-weathercock: [pool, mine]: a pool has no such property; write [pool]"),
    ("choose(side, [pool])", "choose(side, [mine])", "+0 the-weathercock: 'side' is a choice of character, not of pool; write choose(NAME, [pool])"),
    ("choose(friend, [mine, not-prince, turned])", "choose(friend, [mine, turned, unturned])", "+0 long-memory: [mine, turned, unturned] contradicts itself; write turned or unturned"),
    ("choose(friend, [mine, not-prince, turned])", "choose(friend, [mine, mine])", "+0 long-memory: [mine, mine] says something twice; say it once"),
    ("choose(friend, [mine, not-prince, turned])", "choose(friend, [turned])", "+0 long-memory: [turned] does not say whose characters; add mine, other or any"),
    ("choose(friend, [mine, not-prince, turned])", "choose(friend, [player, pool])", "+0 long-memory: [player, pool] asks for two kinds of thing; write player or pool"),
    ("choose(friend, [mine, not-prince, turned])", "A friend!", "+0 long-memory: 'A friend!' is not something that a card can refer to; see “What a card can do”"),
    ("actions(2)", "actions(0)", "+0 brother-quill: actions(0) cannot be read; write how many cards, such as actions(2)"),
    ("while: [{stat: {target: self, skill: combat, n: 1", 'while: [{stat: {target: "each([mine])", skill: combat, n: 1', "+0 spurs-at-the-ford: each([mine]) cannot be the target here; write self"),
    # Arguments of a step
    ('attach: {target: "choose(bearer, [mine])"}', 'attach: {target: "each([mine])"}', "+0 quilted-coat: each([mine]) may mean more than one; name one: choose(NAME, [WORD, ...])"),
    ("target: saved}}],", "target: savd}}],", "+0 borrowed-cloak: nothing is chosen as 'savd'; did you mean 'saved'?"),
    ('source(choose(speaker, [other, joined]))", n: 3', 'choose(speaker, [other, joined])", n: 3', "+0 royal-writ: choose(speaker, [other, joined]) does not name any source; write source(choose(NAME, [other, joined]))"),
    ('source(choose(speaker, [other, joined]))", n: 3', 'source(choose(speaker, [other]))", n: 3', "+0 royal-writ: a character that did not join has no tokens; add joined"),
    ("{who: supporters, n: 1}", "{who: winner, n: 1}", "+0 grain-toll: there is no winner here; players here: active, all, chief-opponent, chief-supporter, opponents, supporters"),
    ("{favor: {who: winner, n: 3}}", "{favor: {who: me, n: 3}}", "+0 tourney-of-reeds: there is no me here; players here: active, all, loser, winner"),
    ("{favor: {who: winner, n: 3}}", "{favor: {who: winner, n: 3}, draw: {who: winner, n: 3}}", "+0 tourney-of-reeds: a step must do one thing, not favor and draw; write one of " + ", ".join(STEPS)),
    ("{favor: {who: winner, n: 3}}", "{kill: {target: self}}", "+0 tourney-of-reeds: self has a meaning only in an ability or under while:; name a character: choose(NAME, [WORD, ...])"),
    ("{favor: {who: winner, n: 3}}", '{turn: {target: "each([mine])"}}', "+0 tourney-of-reeds: an Event belongs to nobody, so mine and other have no meaning; write any"),
    ("{favor: {who: winner, n: 3}}", "{support: {pool: side, n: 3}}", "+0 tourney-of-reeds: an outcome cannot use support; leave it to Action cards and abilities"),
    ("{draw: {who: me, n: 1}}", "{draw: {who: me, n: 0}}", "+0 sealed-letter: 0 is out of range; write 1 or more"),
    ("{draw: {who: me, n: 1}}", '{draw: {who: me, n: "per([mine])"}}', "+0 sealed-letter: per([mine]) has no max; add max"),
    ("{draw: {who: me, n: 1}}", '{draw: {who: me, n: "each([mine])"}}', "+0 sealed-letter: each([mine]) does not name any number; write a whole number, or per([WORD, ...]) with max"),
    ("{draw: {who: me, n: 1}}", "{draw: {who: me, n: 1, max: 2}}", "+0 sealed-letter: a fixed number needs no max; remove max"),
    # Places for a step
    ("spell: false, phases: [event],\n     effect: [{support", "spell: false, phases: [action],\n     effect: [{support", "+1 market-rumour: support works only in an event, where there are tokens; write phases: [event]"),
    ("trigger: [joined]", "trigger: [favor_loss]", "+0 catch-in-the-throat: only a shield can answer favor_loss, and this card has none; write another trigger, or add shield"),
    ("trigger: [card_played],\n     effect: [{cancel: {}}],", "trigger: [joined],\n     effect: [{cancel: {}}],", "+1 point-of-order: cancel can answer only card_played; write trigger: [card_played]"),
    ("trigger: [favor_loss]", "trigger: [kill_pending]", "+0 iron-bound-chest: a shield must answer exactly what it protects from; write trigger: [favor_loss]"),
    ("n: -2, until: turn", "n: -2, until: game", "+0 sand-in-the-eyes: stat in an effect cannot last until game; write until: event or until: turn"),
    ("skill: combat, n: 2, until: attached", "skill: combat, n: 2, until: turn", "+0 tourney-blade: it cannot last until turn; write until: attached"),
    ("phases: [action],\n     effect: [{favor: {who: me, n: 1}},", "phases: [event],\n     effect: [{favor: {who: me, n: 1}},", "+2 thrown-glove: a melee can begin only in the Actions phase (HA-H-17); write phases: [action]"),
    ("spell: false, phases: [action],\n     effect: [{attach", "spell: false, phases: [reaction],\n     effect: [{attach", "+0 tourney-blade: a reaction must say what sets it off, and no other card may; write both phases: [reaction] and trigger:"),
    ('cost: {turn: [mine, unturned, "keyword:Wealthy"]}', 'cost: {turn: [mine, "keyword:Wealthy"]}', "+0 called-debts: a cost can turn only one's own unturned character; add mine and unturned"),
    ("phases: [event, melee]", "phases: [event, event]", "+0 sand-in-the-eyes: a phase is listed twice; write it once"),
    ("{target: self, skill: politics, n: 2", "{target: bearer, skill: politics, n: 2", "+0 ivory-spectacles: nothing is chosen as 'bearer'; "),
    # Parts of titles
    ("    loser: [{favor: {who: loser, n: -1}}]\n", "", "-7 tourney-of-reeds: a contest must have `loser`; add loser: []"),
    ("    mandatory: false\n", "", "-5 tourney-of-reeds: a contest must say whether it is mandatory; add mandatory: false"),
    ("limit: {only: Noble, unless: Fighter}", "limit: {unless: Fighter}", "+0 march-levy: a limit must say either who may join or who may not; write one of only: and bar:"),
    ("{dismiss: {target: accused}}", "{favor: {who: active, n: 1}}", None),
    ("choice: {accused: [any, not-prince]}", "choice: {accused: [any, not-prince], other-one: [any]}", "+0 inquest-in-the-gallery: what is chosen as other-one is never used; use it, or remove it"),
    ('text: "The winner gains 3 favor. The loser loses 1 favor."', 'text: "The winner gains 4 favor. The loser loses 1 favor."', "+0 tourney-of-reeds: the text has the numbers 1, 4, but the card needs 1, 3; state each, and no other number"),
    ("name: Brannoc", "name: Aldemar", "+0 aldemar has the same name; no two cards may share one"),
    ("choose(side, [pool])", "choose(hush, [pool])", "+0 'hush' names a choice, but also a card; give the choice another name"),
    ("effect: [{peek: {what: actions(2), to: me}}]", "effect: [{limit: {bar: Fighter, unless: Noble}}]", "+0 unknown key 'limit'; allowed: favor, favor_move, draw, discard_hand, stat, keyword, support, strip, redirect, turn, unturn, kill, dismiss, control, attach, detach, melee, cancel, shield, peek"),
    # The budget
    ("copies: 3, kind: effect", "copies: 2, kind: effect", "Action cards: 54; a set must have 55"),
    ("{draw: {who: me, n: 1}}", "{draw: {who: me, n: 2}}", "+0 sealed-letter: it draws 2 cards; a card may draw at most 1, so that the Actions phase ends"),
    ("keywords: [Noble, Palace]", "keywords: [Noble, Fighter]", "Princes of the Palace: 1; a set must have 2"),
    ("popularity: 4", "popularity: 5", "different popularities: 4; a set must have 5"),
    ("politics: 2, combat: 3, keywords: [Noble, Palace], points: 5", "politics: 2, combat: 3, keywords: [Noble, Palace], points: 6", "+0 dame-ottoline: 1 of its points are left for 0 abilities; its ratings and keywords cost 5, each ability 1, a strong one 2"),
    ("skill: combat, n: 2, until: attached", "skill: combat, n: 3, until: attached", "+0 tourney-blade: its bonus does not fit its copies; with copies: 2 it must change one rating by 2"),
    ('[pool])", n: 2}}],', '[pool])", n: 4}}],', "+0 market-rumour: it gives 4 tokens; with copies: 3 it may give at most 3"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "told"), FAULTS)
def test_every_fault_comes_with_its_line_and_the_right_form(old: str, new: str, told: str | None) -> None:
    found = faults_with(old, new)
    assert found, "a fault is found"
    if told is not None:
        assert any(told in fault for fault in found), "\n".join(found)


def test_all_faults_are_reported_at_once() -> None:
    source = SOURCE.replace("choose(side, [pool])", "chose(side, [pool])").replace("name: Brannoc", "name: Aldemar")
    with pytest.raises(Problems) as caught:
        load_cards(source.encode(), "own.yaml")
    told = Counter(problem.what.split(":")[0] for problem in caught.value.problems)
    assert told["market-rumour"] == told["marsh-lights"] == told["aldemar has the same name"] == 1


def test_an_unknown_set_is_reported_with_the_existing_ones() -> None:
    with pytest.raises(Problems, match=r"no card set is called 'avermrak'; did you mean 'avermark'\?"):
        cards_named("avermrak")


def test_the_schema_of_a_set_uses_the_words_of_files() -> None:
    text = str(schema(CardSet, "Cards", "https://example.org/cards.json"))
    assert "'while'" in text
    assert "'from'" in text
    assert "while_" not in text
    assert "from_" not in text


@given(st.lists(st.sampled_from([*WORDS, "keyword:Noble", "keyword:None", "turnd"]), max_size=4))
def test_a_filter_is_read_in_any_order(words: list[str]) -> None:
    found, back = read_filter(words), read_filter(words[::-1])
    assert isinstance(found, Unread) == isinstance(back, Unread)
    if isinstance(found, Filter):
        assert found == back


def test_nested_selectors_come_to_an_end() -> None:
    found = read_selector("controller(" * 5000 + ")" * 5000)
    assert isinstance(found, Unread)
    assert "has 60000 letters" in found.what
    assert isinstance(read_selector("controller(" * 9 + "self" + ")" * 9), Unread)


@given(st.text(alphabet="chose(aei,[]) m-urcotlny:F2\n\u202e", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = read_selector(text)
    assert not isinstance(found, Unread) or found.what
