"""The brief that a player gets when a turn opens, and treaties in sentences: every form of clause has one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.brief import brief, clauses, end_words, penalty_words, promise_words
from adjudicator.rulesets.noblesse.position import Phase, Position, Settings, seen_by
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import (
    EXPIRATIONS,
    PENALTIES,
    PROMISES,
    Expiration,
    Penalty,
    Promise,
    Proposal,
    Reached,
    Report,
    Unnamed,
    faults,
    treaty_of,
)
from tests.conftest import examples
from tests.rulesets.noblesse_world import Board, dice, grow

PROMISED = {
    Promise(form="enter", will=False, estates=("A", "3", "B4"), cycles=3): "Pape will not enter row A, column 3 or B4 with any unit for 3 cycles.",
    Promise(form="enter", estates=("E5",), units=("regiment", "brigade"), cycles=2): "Pape will enter E5 with regiments and brigades within 2 cycles.",
    Promise(form="pay", amounts=Stock(money=2, influence=1), cycles=4, each=True): "Pape will pay 1 influence and 2 money to the leader of TCK in each of 4 cycles.",
    Promise(form="move", side="place", estates=("B4",), units=("garrison",)): "Pape will bring garrisons to B4 within 1 cycle.",
    Promise(form="move", will=False, side="remove", estates=("B4",)): "Pape will not take any unit away from B4 for 1 cycle.",
    Promise(form="show units", text="all at the border", estates=("D4",)): "Pape will show: “all at the border” (at D4) within 1 cycle.",
    Promise(form="show players", text="their role", who=("Rue",)): "Pape will show: “their role” (Rue) within 1 cycle.",
    Promise(form="votes", will=False, who=("Rue", "Anise"), cycles=2): "Pape will not cast a vote for Rue or Anise for 2 cycles.",
    Promise(form="votes", who=("Rue",), number=2): "Pape will cast 2 votes for Rue within 1 cycle.",
    Promise(form="battle", factions=("Fleurs",), text="until D4 falls"): "Pape will seek battle with Fleurs: “until D4 falls” within 1 cycle.",
    Promise(form="battle", will=False): "Pape will not seek battle with anybody for 1 cycle.",
    Promise(form="battle", will=False, who=("Rue",)): "Pape will not seek battle with Rue for 1 cycle.",
    Promise(form="enter", estates=("E5",), every=True): "Pape will enter E5 with all its units within 1 cycle.",
    Promise(form="move", side="place", units=("regiment",), estates=("E5",), every=True): "Pape will bring all its regiments to E5 within 1 cycle.",
    Promise(form="control", estates=("D4",)): "Pape will take control of D4 within 1 cycle.",
    Promise(form="control", side="place", estates=("D4",), things=("spies",), number=2): "Pape will place 2 spies at D4 within 1 cycle.",
    Promise(form="control", side="remove", estates=("D4",), things=("stewards",)): "Pape will take stewards away from D4 within 1 cycle.",
    Promise(form="withdraw", things=("units", "spies")): "Pape will withdraw units and spies within 1 cycle.",
    Promise(form="withdraw", side="place", things=("structures",), estates=("A1",)): "Pape will build structures at A1 within 1 cycle.",
    Promise(form="actions", will=False, actions=("assassin", "knife"), who=("Rue",), cycles=5): "Pape will not hire an assassin or use a Knife in the Back against Rue for 5 cycles.",
}  # fmt: skip
PUNISHED = {
    Penalty(form="ends", cycles=2): "After a breach the treaty ends 2 cycles after the report, at the start of the cycle.",
    Penalty(form="pays", amounts=Stock(money=3)): "After a breach the breaker’s leader pays 3 money within 1 cycle.",
    Penalty(form="pays", amounts=Stock(money=3), cycles=2, each=True): "After a breach the breaker’s leader pays 3 money in each of 2 cycles.",
    Penalty(form="acts", action="assassin", who=("Rue",)): "After a breach the breaker’s leader must use a Hired Assassin on Rue of their own faction.",
    Penalty(form="acts", action="knife"): "After a breach the breaker’s leader must use a Knife in the Back on a player of their own faction; they name what is open.",
    Penalty(form="acts", by="wronged"): "After a breach the breaker’s leader must use an action on a player of their own faction; the wronged leader names what is open.",
    Penalty(form="lasts", cycles=3): "After a breach the treaty stays in force until 3 cycles after the report.",
    Penalty(form="reveals", facts=("roles", "units")): "After a breach the breaker reveals the roles and the units of all its players.",
    Penalty(form="votes", who=("Rue",), number=2, cycles=2): "After a breach the breaker gives 2 votes to Rue for 2 cycles.",
    Penalty(form="votes", who=("Rue",), number=1, will=False): "After a breach the breaker keeps back 1 vote from Rue for 1 cycle.",
    Penalty(form="treaties", factions=("Fleurs",), will=False, forms=("pay",)): "After a breach the breaker may not make treaties with Fleurs with promises of the form pay.",
}  # fmt: skip
ENDED = {
    Expiration(form="cycles", number=4): "It ends 4 cycles after its start.",
    Expiration(form="all kept"): "It ends when all promises are kept.",
    Expiration(form="one kept"): "It ends when a side that has kept its promises declares the end.",
    Expiration(form="members", faction="TCK", number=2): "It ends when TCK has fewer than 2 members.",
    Expiration(form="action", action="arson"): "It ends when either side succeeds with Arson against the other.",
    Expiration(form="reaches", faction="TCK", number=2): "It ends when TCK reaches 2 winning estates.",
    Expiration(form="reaches", faction="TCK", number=1, what="kills"): "It ends when TCK reaches 1 kill.",
    Expiration(form="reaches", faction="TCK", number=2, what="kills", of="Fleurs", besides=Reached(prizes=3, nobles=1)): (
        "It ends when TCK reaches 2 kills among the players of Fleurs, 3 winning estates and 1 Noble."
    ),
    Expiration(form="breach", number=2, when="end"): "It ends 2 cycles after a reported breach, at the end of the cycle.",
}  # fmt: skip


def test_every_form_has_its_sentence() -> None:
    """NB-T-3: at least one clause of each listed form, in a sentence that people can read."""
    assert {promise.form for promise in PROMISED} == set(PROMISES)
    assert {penalty.form for penalty in PUNISHED} == set(PENALTIES)
    assert {end.form for end in ENDED} == set(EXPIRATIONS)
    for promise, words in PROMISED.items():
        assert promise_words(promise, "Pape", "TCK") == words
    for penalty, words in PUNISHED.items():
        assert penalty_words(penalty) == words
    for end, words in ENDED.items():
        assert end_words(end) == words


@pytest.mark.parametrize("promise", PROMISED)
def test_the_sentences_are_for_clauses_that_may_be_proposed(promise: Promise) -> None:
    made = Proposal(to="TCK", mine=(promise,), theirs=(promise,), penalties=tuple(PUNISHED)[:1], ends=tuple(ENDED)[:1])
    assert list(faults(made, Settings().board)) == []


def test_a_treaty_in_sentences_numbers_its_promises() -> None:
    """NB-T-10: a report names treaty and promise, by the number shown here."""
    first, second = tuple(PROMISED)[:2]
    made = treaty_of(Proposal(to="TCK", mine=(first, second), theirs=(second,), penalties=tuple(PUNISHED)[:1], ends=tuple(ENDED)[:1]), "Pape")  # fmt: skip
    said = clauses(made)
    assert [line.partition(":")[0] for line in said[:3]] == [
        "Pape’s promise 1",
        "Pape’s promise 2",
        "TCK’s promise 1",
    ]
    assert said[2].endswith("TCK will enter E5 with regiments and brigades within 2 cycles.")
    assert len(said) == 5


# Briefs -------------------------------------------------------------------------------------------------------------


def brief_lines(position: Position, seat: str) -> tuple[str, ...]:
    return brief(seen_by(position, seat), seat)


def test_open_questions_are_shown_to_both_leaders() -> None:
    """FN-10, FN-11, NB-T-10, NB-N-3: questions that wait for the host, and choices to be named, with the words for them."""
    promise, penalty = Promise(form="show players", text="all"), Penalty(form="acts", by="wronged", who=("Fennel",))
    proposal = Proposal(to="TCK", mine=(promise,), theirs=(promise,), penalties=(penalty,), ends=tuple(ENDED)[:1])
    made = treaty_of(proposal, "Pape")
    made = replace(made, status="in force", began=5, reports=(Report(by="TCK", promise=1),))
    made = replace(made, unnamed=(Unnamed(by="TCK", penalty=1, cycle=5),))
    position = replace(Board(phase=Phase.DAY).now, treaties={"T100": made})
    line = "The report that TCK broke promise 1 of T100 waits for the host’s ruling"
    choice = "Name by day what TCK’s leader has to do: `Choose ACTION on Fennel under T100`."
    assert brief_lines(position, "Basil")[-2:] == (f"{line}.", choice)
    assert brief_lines(position, "Hyssop")[-1] == f"{line}, or for you to write `Concede T100 promise 1`."
    for seat in position.players:
        if seat not in {"Basil", "Hyssop"}:
            assert not any("T100" in entry for entry in brief_lines(position, seat))


def test_before_the_start_a_player_reads_who_they_are() -> None:
    """NB-C-1, NB-C-2, NB-C-9: role, blurb, squares, personal company; only the leader sees the members."""
    position = RULESET.rules.setup(Settings(), dice())
    leader = position.factions["Pape"].leader
    assert leader is not None
    said = brief_lines(position, leader)
    role = position.settings.board.roles[position.players[leader].role]
    assert said[:4] == (
        f"You are {position.players[leader].role}, leader of Pape.",
        role.blurb,
        role.why,
        "Your Home will be one of the estates from A1 to C3: list several wishes.",
    )
    assert said[-1].startswith("The other players of your faction: ")
    follower = next(seat for seat, player in position.players.items() if player.faction == "Pape" and seat != leader)
    assert not any("Your players" in line or leader in line for line in brief_lines(position, follower))


def test_a_brief_lists_offers_and_treaties_that_wait_for_an_answer() -> None:
    """NB-X-18, NB-T-1, NB-T-16: with the words that answer them, and the open answers of a player."""
    board = Board(phase=Phase.DAY).stock("Basil", money=3).offer("marriage", "Fennel", "Basil")
    board.unit("U1", "Basil", "C4", leader="pc").player("Basil", wounds=1, without="eight")
    first, second = tuple(PROMISED)[:2]
    made = treaty_of(
        Proposal(
            to="Pape",
            intent="Peace.",
            mine=(first,),
            theirs=(second,),
            penalties=tuple(PUNISHED)[:1],
            ends=tuple(ENDED)[:1],
        ),
        "TCK",
    )
    waiting = replace(board.now, treaties={"T417": made})
    *said, treaty = brief_lines(waiting, "Basil")
    assert said == [
        "You are Legate Ambrosio, leader of Pape.",
        "The other players of your faction: Anise (Mercatore Ruggero) and Borage (Prior Benedetta).",
        "You have 3 money, and 10 Courtiers at court; you have 1 wound.",
        "Your Home is A2. Your units: U1 (a regiment at C4 led by you).",
        "Your core ability: the unit that has been in the field longest has the War Council’s bonus even without the building.",
        "Your ability 2, for 2 money: one unit has 5 more Morale tonight.",
        "Your ability 5, for 5 money: one unit recruited tonight costs 3 manpower less, but never less than the price of its formation.",
        "Fennel offers you marriage: answer by day with `Accept marriage of Fennel` or `Refuse marriage of Fennel`.",
    ]
    assert treaty.startswith(
        "TCK proposes treaty T417, under which your factions would remain hostile: write `Sign T417` by day to accept it. "
        "If it is signed, TCK will publish: “Peace.” TCK’s promise 1: TCK will not enter"
    )
    assert brief_lines(waiting, "Hyssop")[-1].startswith(
        "Your proposal T417 to Pape is waiting for their leader’s answer."
    )
    states: tuple[tuple[Any, str], ...] = (("signed", "is signed"), ("in force", "your factions remain hostile"))
    for status, words in states:
        now = replace(made, status=status, state=None)
        assert words in brief_lines(replace(waiting, treaties={"T417": now}), "Basil")[-1]
    over = replace(waiting, treaties={"T417": replace(made, status="ended")})
    assert not any("T417" in line for line in brief_lines(over, "Basil"))
    assert brief_lines(board.dead("Basil").now, "Basil") == ("Basil is out of the game.",)


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(0, 25))
@examples(12)
def test_the_news_names_nothing_that_the_seat_cannot_see(seed: int, turns: int) -> None:
    """Secrecy (NB-C-9): a seat's news is made only from its view, and names no stranger’s role."""
    position = grow(seed, turns)
    for seat, player in position.players.items():
        view = seen_by(position, seat)
        said = " ".join(brief(view, seat))
        assert said
        for other, stranger in position.players.items():
            if player.alive and view.players[other].role == "":
                assert stranger.role not in said
            if not player.alive:
                assert stranger.role not in said
