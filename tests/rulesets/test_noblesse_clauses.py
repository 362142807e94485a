"""Every form of clause with each of its blanks filled (tests/data/noblesse-clauses.yaml), read from a sheet (ST-1, ST-2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import read
from adjudicator.rulesets.noblesse.brief import end_words, penalty_words, promise_words
from adjudicator.rulesets.noblesse.events import Died, Message
from adjudicator.rulesets.noblesse.scenario import scenario_named
from adjudicator.rulesets.noblesse.treaties import (
    EXPIRATION_FORMS,
    PENALTY_FORMS,
    PROMISE_FORMS,
    Expiration,
    Penalty,
    Promise,
    Treaty,
    faults,
)
from tests.rulesets.noblesse_world import Board, play_turn
from tests.rulesets.test_noblesse_treaties import proposal

DATA: Any = read((Path(__file__).parent.parent / "data" / "noblesse-clauses.yaml").read_bytes(), "clauses.yaml").data
KINDS: dict[str, tuple[type[Any], str, Any, Any]] = {
    "promises": (Promise, "mine", PROMISE_FORMS, lambda clause: promise_words(clause, "Pape", "Fleurs")),
    "penalties": (Penalty, "penalties", PENALTY_FORMS, penalty_words),
    "ends": (Expiration, "ends", EXPIRATION_FORMS, end_words),
}
KIND_OF = {side: kind for kind, side, _, _ in KINDS.values()}


def clause_of(kind: type[Any], given: Any) -> Any:
    return decode(kind, read(str(given).encode(), "clause.yaml"))


@pytest.mark.parametrize(("key", "line"), [(key, line) for key in KINDS for line in DATA[key]], ids=str)
def test_a_clause_is_accepted_and_described(key: str, line: dict[str, Any]) -> None:
    kind, side, _, words = KINDS[key]
    clause = clause_of(kind, line["clause"])
    assert [*faults(proposal("Fleurs", **{side: (clause,)}), scenario_named("farna"), "Pape")] == []
    assert words(clause) == line["says"]
    assert decode(kind, read(str(encode(clause)).encode(), "again.yaml")) == clause


@pytest.mark.parametrize("key", KINDS)
def test_every_blank_of_every_form_is_filled_somewhere(key: str) -> None:
    """Blanks of the frame that all promises share are each filled in some promise only."""
    _, _, forms, _ = KINDS[key]
    filled: dict[str, set[str]] = {}
    for line in DATA[key]:
        filled.setdefault(line["clause"]["form"], set()).update(line["clause"])
    assert {*filled} == {*forms}
    shared = {"will", "cycles", "each"} if key == "promises" else set()
    assert shared <= set().union(*filled.values())
    for form, (must, may) in forms.items():
        assert (must | may) - shared <= filled[form], form


@pytest.mark.parametrize("line", DATA["wrong"], ids=str)
def test_faulty_clauses_are_refused(line: dict[str, Any]) -> None:
    clause = clause_of(KIND_OF[line["under"]], line["clause"])
    told = [
        what for _, what, _ in faults(proposal("Fleurs", **{line["under"]: (clause,)}), scenario_named("farna"), "Pape")
    ]
    assert told == [line["what"]]


# Their outcomes -------------------------------------------------------------------------------------------------------


def treaty(promise: Promise | None = None, end: Expiration | None = None) -> Treaty:
    """A treaty of Pape with Fleurs, signed."""
    idle = Promise(form="show units", text="their Morale")
    return Treaty(
        parties=("Pape", "Fleurs"),
        status="signed",
        intents={},
        promises={"Pape": (promise or idle,), "Fleurs": (idle,)},
        penalties=(Penalty(form="ends", cycles=9),),
        ends=(end or Expiration(form="cycles", number=9),),
    )


@pytest.mark.parametrize(("of", "over"), [("TCK", True), ("Alliance", False), ("", False)])
def test_kills_of_a_third_faction_end_a_treaty(of: str, over: bool) -> None:
    """ST-1, NB-Z-6, NB-T-15: “until Pape has eliminated a player of TCK”, whoever killed them."""
    end = Expiration(form="reaches", faction="Pape", number=1, what="kills", of=of)
    board = Board().rich("Anise")
    board.player("Hyssop", wounds=2)
    night = play_turn(replace(board.now, treaties={"T100": treaty(end=end)}), {"Anise": ["Assassin on Hyssop"]})
    assert [fact.seat for fact in night.all(Died)] == ["Hyssop"]
    later = play_turn(play_turn(night.after, {}).after, {})
    assert (later.after.treaties["T100"].status == "ended") is over


def test_several_amounts_must_all_be_reached() -> None:
    """ST-1: kills among TCK's players, and a Noble as well."""
    board = Board().rich("Anise")
    board.player("Hyssop", wounds=2)
    for nobles, over in ((), False), (("Basil",), True):
        made = Board().rich("Anise")
        made.player("Hyssop", wounds=2)
        if nobles:
            made.noble("Pape", *nobles)
        end = decode(
            Expiration,
            read(b"{form: reaches, faction: Pape, number: 1, what: kills, of: TCK, besides: {nobles: 1}}", "x.yaml"),
        )
        night = play_turn(replace(made.now, treaties={"T100": treaty(end=end)}), {"Anise": ["Assassin on Hyssop"]})
        later = play_turn(play_turn(night.after, {}).after, {})
        assert (later.after.treaties["T100"].status == "ended") is over


@pytest.mark.parametrize(("promised", "answer"), [("university", "false-report"), ("spymaster", "breach")])
def test_a_promise_to_build_names_the_structure(promised: str, answer: str) -> None:
    """ST-2, NB-M-9: a university is begun; that keeps a promise of a university, but not one of a spymaster."""
    board = Board().rich("Basil")
    promise = Promise(form="withdraw", things=("structures",), buildings=(promised,))
    home = next(at for at, holding in board.now.estates.items() if holding.by == "Basil")
    position = replace(board.now, treaties={"T100": treaty(promise)})
    night = play_turn(position, {"Basil": [f"Build university at {home}"]})
    assert night.verdicts("Basil")[0].result == "succeeds"
    leader = board.now.factions["Fleurs"].leader
    assert leader is not None
    told = play_turn(night.after, {leader: ["Report T100 promise 1"]}).verdicts(leader)[0]
    assert told.reason == answer


@pytest.mark.parametrize("wed", [True, False])
def test_spouses_talk_without_a_messenger(wed: bool) -> None:
    """ST-3, NB-X-3, NB-K-11: a spouse hears the message across factions, without a Courtier; to others it has no effect."""
    board = Board()
    if wed:
        board.wed("Basil", "Chervil")
    night = board.turn(Basil=["Message to Chervil: hello"])
    verdict = night.verdicts("Basil")[0]
    assert (verdict.reason, verdict.rule) == (("heard", "NB-X-3") if wed else ("sent", "NB-K-11"))
    assert [fact.text for fact in night.all(Message)] == (["hello"] if wed else [])
