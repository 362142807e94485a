"""A whole game of Noblesse with treaties, from the setup on: `tests/data/noblesse-treaty-game.yaml` (NB-T, M, N, Z, H).

`test_noblesse_treaties` tests each clause separately, in positions made for it. Here a treaty lives its whole life: proposed on one sheet, signed
on another, kept or broken by the effects of orders, reported, enforced, ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from adjudicator.core.contract.resolution import SeatId, Verdict
from adjudicator.core.game.game import Game, nothing_beside
from adjudicator.core.game.rulings import Ruling, apply_correction, unseen_parts
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.dice import Roll
from adjudicator.core.text.codec import decode, encode, load, record
from adjudicator.core.text.yamltext import Text, read, write
from adjudicator.rulesets.noblesse import RULESET, prose, treaties
from adjudicator.rulesets.noblesse.events import (
    Breached,
    Died,
    Dismissed,
    Event,
    Paid,
    Proposed,
    Published,
    Reported,
    Revealed,
    Rumour,
    TreatyBegan,
    TreatyEnded,
    Voted,
    Wounded,
)
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position, Settings
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import EXPIRATIONS, PENALTIES, PROMISES
from tests.rulesets.noblesse_world import Outcome

T = TypeVar("T")

SCRIPT = Path(__file__).parent.parent / "data" / "noblesse-treaty-game.yaml"
TOLD = (
    Proposed, Published, TreatyBegan, TreatyEnded, Breached, Paid, Revealed, Wounded, Rumour, Voted, Died,
    Reported, Dismissed,
)  # fmt: skip
"""Facts about treaties, and facts that show a broken promise or an enforced penalty."""
ABOUT_TREATIES = ("NB-T-", "NB-M-", "NB-N-", "NB-Z-", "NB-H-")
CHECKED = {form for form, listed in PROMISES.items() if listed.checked}


@record
class Scene:
    """One turn as written: its sheets, and their outcome."""

    when: str
    about: str
    sheets: Mapping[SeatId, Sheet] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    stood: tuple[str, ...] = ()


@record
class Script:
    """The game as written."""

    stocks: Mapping[SeatId, Stock]
    turns: tuple[Scene, ...]


class LotsInOrder:
    """Lots that fall in order, so that names can be written down: the first role to the first player, then T100, T101."""

    rolls: tuple[Roll, ...] = ()

    def roll(self, name: str, sides: int) -> int:
        return int(name.rpartition(":")[2])

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items)


Promised = tuple[str, str, int]
"""A promise: its treaty, the faction that made it, its number."""


@dataclass(frozen=True)
class Played:
    """A scene and its outcome."""

    scene: Scene
    before: Position
    done: Outcome

    def all(self, kind: type[T]) -> list[T]:
        return [event for event in self.done.events if isinstance(event, kind)]

    def verdicts(self, verb: str) -> list[Verdict]:
        """Verdicts of the orders that begin with this verb."""
        return [verdict for verdict in self.done.verdicts if verdict.order.startswith(f"{verb} ")]

    def changes(self) -> Iterator[tuple[Promised, str]]:
        """Promises whose state differs from before the turn, with their new state."""
        before = standings(self.before)
        return (
            (key, standing)
            for key, standing in standings(self.done.position).items()
            if standing != before.get(key, "open")
        )

    def form(self, promised: Promised) -> str:
        name, faction, number = promised
        return self.done.position.treaties[name].promises[faction][number - 1].form


def standings(position: Position) -> dict[Promised, str]:
    """State of every promise in the treaties in force when the next turn begins."""
    return {
        (name, faction, number): treaties.standing(
            promise, faction, treaty, position.cycle, position.settings.board, by_day=position.phase is Phase.DAY
        )
        for name, treaty in position.treaties.items()
        if treaty.status == "in force"
        for faction in treaty.parties
        for number, promise in enumerate(treaty.promises[faction], 1)
    }


@cache
def script() -> Script:
    return load(Script, SCRIPT.read_bytes(), SCRIPT.name)


@cache
def game() -> tuple[Played, ...]:
    """The game, turn by turn."""
    position = RULESET.rules.setup(Settings(), LotsInOrder())
    rich = {seat: replace(position.players[seat], stock=stock) for seat, stock in script().stocks.items()}
    position = replace(position, players={**position.players, **rich})
    played = []
    for scene in script().turns:
        played.append(Played(scene, position, RULESET.rules.resolve(position, scene.sheets, LotsInOrder())))
        position = played[-1].done.position
    return tuple(played)


def turn(when: str) -> Played:
    return next(scene for scene in game() if scene.scene.when == when)


# Turn by turn --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [scene.when for scene in script().turns])
def test_each_turn_has_the_outcome_written_for_it(when: str) -> None:
    """NB-T-1 to NB-T-11, NB-T-13, NB-H-7, NB-H-9: every fact about treaties, every verdict, every promise."""
    played = turn(when)
    position = played.done.position
    assert RULESET.when(played.before) == when
    assert [prose.tell(position, event) for event in played.done.events if isinstance(event, TOLD)] == list(
        played.scene.told
    )
    assert [
        f"{verdict.seat}, {verdict.order} -> {verdict.result} {verdict.reason} {verdict.rule}"
        for verdict in played.done.verdicts
        if verdict.rule.startswith(ABOUT_TREATIES) or verdict.result != "succeeds"
    ] == list(played.scene.judged)
    assert [
        f"{name} promise {number} of {faction} ({played.form((name, faction, number))}) is {standing}"
        for (name, faction, number), standing in played.changes()
    ] == list(played.scene.stood)
    assert played.done.ended is None


def test_the_desk_would_accept_every_sheet() -> None:
    """NB-T-2, NB-T-3: the desk finds no fault, with the knowledge of the seat that writes it."""
    for played in game():
        for seat, sheet in played.scene.sheets.items():
            remarks = list(RULESET.rules.check(RULESET.view(played.before, seat), seat, sheet))
            assert remarks == [], (played.scene.when, seat)


def test_only_the_two_leaders_see_a_treaty_and_hear_of_it() -> None:
    """NB-T-1, NB-T-6, NB-L-8: except for its intent (NB-T-5) and what the board shows."""
    for played in game():
        position = played.done.position
        for seat in (None, *position.players):
            led = next(
                (name for name, faction in position.factions.items() if seat is not None and faction.leader == seat), ""
            )
            own = {name for name, treaty in position.treaties.items() if led in treaty.parties}
            assert set(RULESET.view(position, seat).treaties) == own
        for event in played.done.events:
            if isinstance(event, Proposed | TreatyBegan | TreatyEnded | Breached):
                parties = position.treaties[event.treaty].parties
                assert event.heard == tuple(sorted(str(position.factions[party].leader) for party in parties))
            elif isinstance(event, Paid):
                both = (event.by, event.to)
                assert event.heard == tuple(sorted(str(position.factions[member].leader) for member in both))


def test_a_position_with_treaties_can_be_corrected_by_night_and_by_day() -> None:
    """FS-16: every `correct` on a Day with a reportable treaty was refused, because of a KeyError in the options."""
    settings = game()[0].before.settings
    seats = {seat: {"player": "P", "key": recipient_of(new_identity())} for seat in game()[0].before.players}
    data = {"schema": 1, "ruleset": "noblesse", "title": "T", "opened": "2026-11-20", "sealed": True, "seats": seats}
    table = Game("treaties", read(write(data).encode(), "game.yaml"), archive="0" * 16, beside=nothing_beside)
    corrected_once = 0
    for played in game():
        position = replace(played.before, settings=settings)
        seat = next(name for name, player in position.players.items() if player.alive)
        money = {"influence": 1, "manpower": 2, "money": 33}
        ruling = Ruling(reason="So.", correct={f"players.{seat}.stock": money})
        after = apply_correction(table, position, ruling, Text("ruling.yaml", None, {}), ("rulings", 0, "correct"))
        assert after.players[seat].stock.money == 33
        assert unseen_parts(table, position, ruling.correct or {}) == [f"players.{seat}.stock"], "sealed, or not at all"
        corrected_once += bool(position.treaties)
    assert corrected_once > 5


def test_every_turn_survives_writing_and_reading() -> None:
    """Including treaties with deeds and breaches, debts, penance and forced votes."""
    for played in game():
        position, events = played.done.position, played.done.events
        assert decode(Position, Text("position", encode(position), {})) == position
        assert decode(tuple[Event, ...], Text("events", encode(list(events)), {})) == events


# Completeness -- Each set is gathered from the game and compared with the ruleset's own tables, so that a new form fails until it is used.


def forms() -> tuple[set[str], set[str], set[str]]:
    """The forms of promises, penalties and expirations in treaties that came into force."""
    made = [treaty for treaty in game()[-1].done.position.treaties.values() if treaty.began is not None]
    promises = {promise.form for treaty in made for side in treaty.promises.values() for promise in side}
    return (
        promises,
        {penalty.form for treaty in made for penalty in treaty.penalties},
        {end.form for treaty in made for end in treaty.ends},
    )


def test_every_form_was_in_force() -> None:
    """NB-T-3, NB-T-9: ten promises, seven penalties, seven expirations, in treaties proposed and signed."""
    assert forms() == (set(PROMISES), set(PENALTIES), set(EXPIRATIONS))


def test_every_promise_that_can_be_checked_was_kept_and_broken() -> None:
    """NB-M-1, NB-M-2, NB-M-3, NB-M-6, NB-M-7, NB-M-8, NB-M-9, NB-M-10; what cannot be is neither (NB-M-4, NB-M-5)."""
    seen: dict[str, set[str]] = {"open": set(), "kept": set(), "broken": set(), "unknown": set()}
    for played in game():
        for key, how in played.changes():
            seen[how].add(played.form(key))
    assert seen == {"open": set(), "kept": CHECKED, "broken": CHECKED, "unknown": set(PROMISES) - CHECKED}


def forms_judged(verb: str, reason: str) -> set[str]:
    """The forms of promises that were reported or conceded to this end."""
    seen = set()
    for played in game():
        for verdict in played.verdicts(verb):
            if verdict.reason == reason:
                _, name, _, number = verdict.order.split(" ")
                position = played.done.position
                parties = position.treaties[name].parties
                leads = next(party for party in parties if position.factions[party].leader == verdict.seat)
                breaker = leads if verb == "Concede" else treaties.other_party(position.treaties[name], leads)
                seen.add(played.form((name, breaker, int(number))))
    return seen


def test_breaches_were_reported_conceded_and_made_up() -> None:
    """NB-T-6, NB-T-10: every breach is reported, those that cannot be checked on a concession; a false report costs nothing."""
    assert forms_judged("Report", "breach") == set(PROMISES)
    assert forms_judged("Report", "waits") == {"show players"}
    assert forms_judged("Concede", "breach") == {"enter"}  # before anybody reports it
    assert (
        forms_judged("Concede", "reported-already") == set(PROMISES) - CHECKED
    )  # announced on the Day of the report, and heard
    false = [
        (verdict.facts or {})["found"]
        for played in game()
        for verdict in played.verdicts("Report")
        if verdict.reason == "false-report"
    ]
    assert sorted(map(str, false)) == ["kept", "kept", "open"]
    breached = sum(len(played.all(Breached)) for played in game())
    held = [treaty.breaches for treaty in game()[-1].done.position.treaties.values()]
    upheld = [verdict for played in game() for verdict in played.done.verdicts if verdict.reason == "breach"]
    assert breached == sum(map(len, held)) == len(upheld)


def forms_enforced(played: Played) -> Iterator[str]:
    """Forms of penalties that are visibly at work in a turn, by events that nobody ordered."""
    rules = {f"NB-{listed.rule}": form for form, listed in PENALTIES.items()}
    yield from (rules[event.rule] for event in played.all(TreatyEnded) if event.rule in rules)
    yield from (rules[verdict.rule] for verdict in played.done.verdicts if verdict.rule in rules)
    paid = [verdict.seat for verdict in played.verdicts("Pay")]
    if any(played.before.factions[event.by].leader not in paid for event in played.all(Paid)):
        yield "pays"
    for name, faction in played.before.factions.items():
        struck = {penance.who for penance in faction.penance} - {
            penance.who for penance in played.done.position.factions[name].penance
        }
        if struck & {event.seat for event in played.all(Wounded)}:
            yield "acts"
    if played.all(Revealed):
        yield "reveals"
    ordered = {(verdict.seat, verdict.order.removeprefix("Vote ")) for verdict in played.verdicts("Vote")}
    if any(set(event.votes) != ordered for event in played.all(Voted)):
        yield "votes"


def test_every_penalty_was_enforced() -> None:
    """NB-N-1 to NB-N-7, NB-T-7."""
    assert {form for played in game() for form in forms_enforced(played)} == set(PENALTIES)


def test_penalties_begin_with_the_next_night() -> None:
    """NB-T-10: on the Day of the report nobody pays, nobody is struck, and every vote counts as given (NB-N-6)."""
    for when in ("Day 2", "Day 3", "Day 6"):  # A breach reported on Day 3 has effect on Day 4.
        assert turn(when).all(Breached)
        assert set(forms_enforced(turn(when))) <= {"reveals"}  # which is sent with the report (NB-N-5)


def test_a_missing_payment_is_owed() -> None:
    """NB-N-2: Caraway owes ten, has nine, and pays the last out of new income."""
    owed = {
        played.scene.when: sum(debt.amount.money for debt in played.done.position.factions["Fleurs"].owed)
        for played in game()
    }
    assert [owed[when] for when in ("Night 2", "Day 2", "Night 3", "Day 3", "Night 4")] == [0, 10, 1, 1, 0]


def test_a_treaty_outlasts_its_own_time_after_a_breach() -> None:
    """NB-N-4: in force since Night 2 for two cycles (NB-Z-1), it goes on until two after the report of Day 3."""
    assert [turn(when).done.position.treaties["T105"].status for when in ("Night 4", "Night 5")] == [
        "in force",
        "ended",
    ]


def test_every_expiration_ended_a_treaty() -> None:
    """NB-Z-1 to NB-Z-7, NB-T-8, NB-T-11; two ended by a penalty (NB-N-1, NB-N-4), and one was challenged (NB-H-7)."""
    rules = sorted(event.rule for played in game() for event in played.all(TreatyEnded))
    assert rules == sorted(
        ["NB-H-7", "NB-N-1", "NB-N-4", *(f"NB-{listed.rule}" for listed in EXPIRATIONS.values())],
    )
