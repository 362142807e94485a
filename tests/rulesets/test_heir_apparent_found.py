"""Heir Apparent: players' findings, each with its kind; ids are those of the findings."""

from __future__ import annotations

import functools
import importlib
from collections import defaultdict
from pathlib import Path
from typing import Any, get_args

import pytest

from adjudicator.core.contract.rulebook import RULE_ID, rules_in
from adjudicator.core.jobs.check import check_file
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text, read
from adjudicator.rulesets.heir_apparent import RULESET
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.brief import brief
from adjudicator.rulesets.heir_apparent.examples import Case, Side, case_files, position_of
from adjudicator.rulesets.heir_apparent.options import check
from adjudicator.rulesets.heir_apparent.orders import STANDING, EventSheet, sheet_type
from adjudicator.rulesets.heir_apparent.plans import Progress
from adjudicator.rulesets.heir_apparent.position import Phase, seen_by
from adjudicator.rulesets.heir_apparent.prose import act_of, tell
from adjudicator.rulesets.heir_apparent.variables import FLAGS, NUMBERS, PLAYED_IN, Part
from adjudicator.rulesets.heir_apparent.words import owned
from adjudicator.rulesets.heir_apparent.work import Turn
from tests.judges import heir_turns
from tests.rulesets.test_heir_apparent_gather import GAME, begun
from tests.rulesets.worked import by_name

resolve = importlib.import_module("adjudicator.rulesets.heir_apparent.resolve")
BOOK = frozenset(rules_in((RULESET.folder / "RULES.md").read_text(encoding="utf-8")))
MANY = 700
"""Number of random windows that are played to see the conditions that plans can use, and where."""


# HE-1: every variable has a meaning in every list that is documented for it ---------------------------------------------


def samples(work: Turn) -> dict[str, tuple[str, ...]]:
    """Sample arguments for a variable's brackets."""
    people = tuple(work.table.people)[:6]
    cards = tuple({card for hand in work.hands.values() for card in hand})[:4]
    princes = (*work.table.princes.values(), "me")
    pools = ("support", "oppose", "me")
    return {
        "prince": princes, "character": people, "person": (*people, "me"), "card": cards or ("hush",), "thing": (*people, *cards),
        "target": (*people, *pools), "keyword": ("Wizard", "Fighter"), "step": ("a",),
    }  # fmt: skip


def note(work: Turn, seat: str, part: str, seen: dict[str, set[str]]) -> None:
    """Record every variable that has a value in a list now."""
    asked, known = work.ask(seat), samples(work)
    for name, variable in (*NUMBERS.items(), *FLAGS.items()):
        if part in seen[name]:
            continue
        first = [known[blank] for blank in variable.blanks]
        tries = [tuple(values[at % len(values)] for values in first) for at in range(6)] if first else [()]
        value = asked.number if name in NUMBERS else asked.flag
        if any(value(name, arguments) is not None for arguments in tries):
            seen[name].add(part)


@functools.cache
def reached() -> dict[str, set[str]]:
    """Variable -> the lists where it has had a value, over many random windows."""
    seen: dict[str, set[str]] = defaultdict(set)
    holds, reopening = Turn.holds, resolve._reopening

    def asks(self: Turn, seat: str, line: Progress) -> bool:
        part = next((part for (_, part), plan in self.plans.items() if any(line is one for one in plan.lines)), None)
        if part is not None:
            note(self, seat, part, seen)
        return holds(self, seat, line)

    def reopens(turn: Any) -> Any:
        for seat in turn.start.ring:
            note(turn, seat, "reopen", seen)
        return reopening(turn)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turn, "holds", asks)
        patch.setattr(resolve, "_reopening", reopens)
        for _ in heir_turns.turns(40, MANY):
            pass
    return seen


PAIRS = [
    (name, part) for name, variable in (*NUMBERS.items(), *FLAGS.items()) for part in sorted(PLAYED_IN[variable.where])
]


@pytest.mark.parametrize(("name", "part"), PAIRS)
def test_every_variable_has_a_value_wherever_it_is_documented(name: str, part: Part) -> None:
    """HE-1: `acts` and `passes` had no value in `reopen`, nor during the outcome: a valid reopening was lost."""
    assert part in reached()[name]


def test_every_list_is_covered() -> None:
    assert {part for _, part in PAIRS} == {*get_args(Part)}


# HE-2: a check that changes what it checks against ------------------------------------------------------------------------


def played(turn: Any) -> tuple[Any, Any]:
    """A random window: its position, and its outcome."""
    position = decode(RULESET.types.position, Text("position", turn.data, {}))
    sheets = {seat: decode(sheet_type(position, seat), Text("sheet", sheet, {})) for seat, sheet in turn.sheets.items()}
    return position, RULESET.rules.resolve(position, sheets, NamedDice(turn.key))


@functools.cache
def windows() -> tuple[Any, ...]:
    """Random windows, played."""
    return tuple(map(played, heir_turns.turns(90, 120)))


def test_a_hidden_hand_may_hold_every_card_of_a_sheet() -> None:
    """HE-2: two different cards on one sheet. For anyone who cannot see the hand, neither is missing."""
    position = next(position for position, _ in windows() if position.phase is Phase.EVENT)
    view = RULESET.view(position, None)
    seat = position.ring[0]
    sheet = EventSheet(
        event=("play Marsh Lights at me", "play Market Rumour at me", "play Royal Writ at me"),
        reactions=("on kill_pending play Borrowed Cloak", "on kill_pending play Borrowed Cloak if hits(me)"),
    )
    assert [remark for remark in check(view, seat, sheet) if "not in the hand" in remark.what] == []


# HE-6: results with their reasons ---------------------------------------------------------------------------------------


def test_every_result_cites_its_rule() -> None:
    """HE-6: settled, fought, ranked, and the beginner: tokens, popularity or a tie, and a rule that exists."""
    kinds: dict[str, set[Any]] = defaultdict(set)
    for position, done in map(played, heir_turns.turns(300, 500)):
        for fact in done.events:
            match fact:
                case e.Settled(winner=None, success=None):
                    continue
                case e.Settled(by=by) | e.Fought(by=by):
                    if isinstance(fact, e.Fought) and fact.loser is None:
                        continue
                case e.Ranked(tied=tied):
                    by = "tie" if tied else None
                case e.Began(turn=1, by=by):
                    pass
                case _:
                    continue
            kinds[fact.event].add(by)
            rules = [match[0] for match in RULE_ID.finditer(tell(position, fact))]
            assert rules, fact
            assert {*rules} <= BOOK
    assert {"tokens", "popularity", "tie"} <= kinds["settled"]
    assert {"tokens", "tie"} <= kinds["fought"]
    assert kinds["began"]
    assert kinds["ranked"]


# HE-7, HE-11 ------------------------------------------------------------------------------------------------------------


def test_lines_whose_condition_failed_can_be_told_apart() -> None:
    """HE-7: each with its list and its number, and the clause that failed with the values that it compared."""
    told = []
    for position, done in windows():
        for verdict in done.verdicts:
            if verdict.reason == "never-held" and (verdict.facts or {}).get("failed"):
                sentence = tell(position, verdict)
                told.append(sentence)
                where = f"line {verdict.facts['line']} of {verdict.facts['list']}"
                assert sentence.startswith(f"{where}, {verdict.order} was not used: ")
                assert " was false." in sentence
    assert any(" was " in sentence.partition("not used")[2] for sentence in told)


@pytest.mark.parametrize(
    ("name", "whole"), [("The Grey Captain", "Corvin’s Grey Captain"), ("Lord Marrow", "Corvin’s Lord Marrow")]
)
def test_no_possessive_comes_before_an_article(name: str, whole: str) -> None:
    assert owned("Corvin", name) == whole


def test_an_act_is_reported_without_its_condition() -> None:
    assert act_of("join lord-marrow for support if opp >= 6") == "join lord-marrow for support"


def test_standing_lists_are_those_of_the_sheet() -> None:
    """HE-3: a line of `keep` without a drawn Character does not count."""
    assert "keep" not in STANDING.keys
    for _, done in windows():
        for verdict in done.verdicts:
            if verdict.reason == "waits":
                assert not verdict.order.startswith(("refuse", "draw ")), verdict


# HE-5, HE-8, HE-9 -------------------------------------------------------------------------------------------------------


def window(phase: Phase, hand: tuple[str, ...] = (), court: tuple[str, ...] = ()) -> Any:
    """A window of Aldemar, who holds these cards; Brannoc and Odo are not in play."""
    players = {"aldemar": Side(hand=hand, court=court), "corvin": Side(court=("hob-lantern",)), "ysolde": Side()}
    event = "grain-toll" if phase is Phase.EVENT else None
    case = Case(id="x", title="x", rules=(), phase=phase, event=event, players=players, told=(), verdicts=())
    return position_of(case)


def test_a_brief_says_what_cards_do() -> None:
    """HE-5: the text of each card in hand, keywords behind ratings, and the text of each ability."""
    position = window(Phase.MAIN, ("borrowed-cloak#2", "market-rumour#1", "market-rumour#2"), ("sukey-cray",))
    sentences = brief(seen_by(position, "First"), "First")
    assert sentences[1:6] == (
        "Your characters: Aldemar (3/2, Noble, Palace); Sukey Cray (1/4).",
        "Sukey Cray: Turn this card in your Actions phase to take 1 favor from a rival of your choice.",
        "Your hand: Borrowed Cloak (borrowed-cloak#2), Market Rumour (market-rumour#1), Market Rumour (market-rumour#2).",
        "Borrowed Cloak: When a character is about to be killed or dismissed, it is not.",
        "Market Rumour: Add 2 tokens to a pool.",
    )


SLIPS = [
    (Phase.MAIN, "actions", "use Odo", "use odo-the-chamberlain: the character is not in play (HA-M-13)", "it may be possible later"),
    (Phase.MAIN, "actions", "draw with aldemar", "draw with aldemar: Princes take no part in that (HA-G-2)", "leave it out"),
    (Phase.MAIN, "actions", "draw action", "'draw action' is no order", "such as `draw with lord-marrow`"),
    (Phase.EVENT, "draw", "draw action", "'draw action' is no order", "such as `draw action by base` or `draw action by slot`"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("phase", "part", "line", "what", "right"), SLIPS, ids=[f"{part}: {line}" for _, part, line, _, _ in SLIPS]
)
def test_hints_name_only_what_is_in_play(phase: Phase, part: str, line: str, what: str, right: str) -> None:
    """HE-8: a name's first word finds it, a form has no bare blanks, and the rule is the one for that line."""
    view = seen_by(window(phase, court=("lord-marrow",)), "First")
    lists: dict[str, Any] = {part: (line,)}
    sheet = sheet_type(view, "First")(**lists)
    told = [(remark.what, remark.right) for remark in check(view, "First", sheet)]
    assert told[0] == (what, right)


def test_a_title_that_goes_first_means_every_copy_of_it() -> None:
    """HE-9, HA-L-3: two Catch in the Throat and Physician's Note, drawn last, where two must go."""
    hand = (
        "catch-in-the-throat#1", "hush#1", "catch-in-the-throat#2", "hush#2", "glass-oath#1", "last-word#1", "physicians-note#1",
    )  # fmt: skip
    position = window(Phase.EVENT, hand)
    done = RULESET.rules.resolve(position, {"First": EventSheet(discard=("catch-in-the-throat",))}, NamedDice(b"HE-9"))
    gone = [fact.cards for fact in done.events if isinstance(fact, e.Discarded) and fact.seat == "First"]
    assert gone == [("catch-in-the-throat#1", "catch-in-the-throat#2")]


# HE-12 ------------------------------------------------------------------------------------------------------------------


def test_check_warns_of_an_open_sheet_if_hands_are_hidden(tmp_path: Path) -> None:
    """HE-12: `courtly check` on a terminal, as the desk does."""
    archive = begun(tmp_path / "a", "x")
    turn = archive.game_folder(GAME) / archive.turns(GAME)[-1]
    (turn / "orders").mkdir()
    sheet = turn / "orders" / "first.yaml"
    sheet.write_text("bid: 0\n", encoding="utf-8")
    told = [(problem.level, problem.what, problem.right) for problem in check_file(archive, sheet)]
    shown = sheet.relative_to(archive.root)
    assert told[-1] == (
        "warning", "this sheet is open: everybody can read it, and what it reveals of your hidden information",
        f"seal it: `courtly seal {shown}`",
    )  # fmt: skip


def test_a_key_of_another_window_is_answered_with_all_windows_that_have_it() -> None:
    """A choice has a separate sheet, or by house rule appears on the sheet of the Event (HA-W-3)."""
    position = position_of(by_name(case_files())["actions/plan"])
    with pytest.raises(Problems) as refused:
        RULESET.read_sheet(position, "Third", read(b"choice: {accused: queen-oda}\n", "third.yaml"))
    assert "choice is for the choice sheet or the event sheet; this one has: actions" in str(refused.value)
