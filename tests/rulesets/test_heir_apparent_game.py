"""Heir Apparent as a whole: the setup, the laws of a game, and cards that the shipped set does not have."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode, dump, extend_record, load
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.heir_apparent import RULESET
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.rulesets.heir_apparent.desk import stands
from adjudicator.rulesets.heir_apparent.events import AnyEvent
from adjudicator.rulesets.heir_apparent.examples import CHAIRS, Case, Side, case_files, position_of
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.orders import EventSheet, MainSheet
from adjudicator.rulesets.heir_apparent.position import OwnCards, Phase, Position, Settings, faults, seen_by
from adjudicator.rulesets.heir_apparent.resolve import resolve, setup
from adjudicator.rulesets.heir_apparent.rounds import looked_at
from adjudicator.rulesets.heir_apparent.selectors import KEYWORDS
from adjudicator.rulesets.heir_apparent.steps import Step
from adjudicator.rulesets.heir_apparent.titles import TRIGGERS, Action, CardSet
from adjudicator.rulesets.heir_apparent.variables import FLAGS, NUMBERS
from adjudicator.rulesets.heir_apparent.worth import write
from tests.conftest import examples, first_of
from tests.lines import filled_in
from tests.rulesets.worked import by_name

# Setup ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "row", "events"), [(3, 5, 12), (4, 6, 16), (5, 6, 20)])
def test_the_setup_follows_the_rules(players: int, row: int, events: int) -> None:
    """Where everything is before the first bid.

    HA-A-1, HA-A-2, HA-A-3, HA-A-4, HA-B-1, HA-B-2, HA-B-15, HA-B-16, HA-B-18, HA-C-1, HA-C-7, HA-C-8, HA-C-9, HA-C-13, HA-C-14, HA-D-1, HA-D-3.
    """
    position = setup(Settings(players=players), NamedDice(b"setup"))
    index = index_of(position.settings.set)
    assert [*faults(position)] == []
    assert (len(position.row), len(position.events), len(position.unused)) == (row, events, 30 - events)
    assert (len(position.characters.pile), len(position.actions.pile)) == (30 - row, 55)
    assert {player.hand for player in position.players.values()} == {()}
    for player in position.players.values():
        assert player.favor == index.princes[player.prince].favor
    assert {one.turned for one in position.court.values()} == {False}
    assert (position.phase, position.round, position.right) == (Phase.AUCTION, 1, position.ring[0])


def test_the_setup_is_random() -> None:
    """HA-C-2, HA-C-5, HA-C-6: Princes, decks and Events differ with the dice, and so do the seats."""
    tables = [setup(Settings(players=4), NamedDice(b"%d" % number)) for number in range(20)]
    assert len({dump(table) for table in tables}) == 20
    assert len({tuple(player.prince for player in table.players.values()) for table in tables}) > 10
    assert len({table.ring for table in tables}) > 5


# Laws -----------------------------------------------------------------------------------------------------------------


def game(players: int, seed: int) -> Iterator[tuple[Position, Mapping[str, Any], Any]]:
    """The windows of a game that stand-ins play."""
    position = setup(Settings(players=players), NamedDice(b"game %d" % seed))
    for number in itertools.count(1):
        chance = chance_of("heir", f"{seed}:{number}")
        sheets = {seat: write(seen_by(position, seat), seat, chance) for seat in position.ring}
        done = resolve(position, sheets, NamedDice(b"%d:%d" % (seed, number)))
        yield position, sheets, done
        if done.ended is not None:
            return
        position = done.position


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", first_of(range(4), 2))
def test_laws_hold_through_whole_games(players: int, seed: int) -> None:
    """Every card in one zone, five characters at most, favor moves only by reported causes; windows are counted (HA-M-8, HA-M-13, HA-Q-1, HA-W-1,
    HA-W-2)."""
    windows: Counter[Phase] = Counter()
    for position, sheets, done in game(players, seed):
        windows[position.phase] += 1
        after = done.position
        laws_hold(position, sheets, done)
        concerned(position)
        again = load(Position, dump(after).encode(), "position.yaml", own=True)
        assert again == after
    assert windows[Phase.AUCTION] == 5
    assert windows[Phase.MAIN] == windows[Phase.EVENT] == 4 * players
    assert windows[Phase.CHOICE] <= 4 * players
    assert windows[Phase.REOPENED] + windows[Phase.STOPPED] <= 2 * players


def concerned(position: Position) -> None:
    """HA-W-23: the seats that owe follow from public information, and a seat that does not owe has nothing to do in the window."""
    due = RULESET.due(position)
    assert due
    assert due == RULESET.rules.due(position)
    for seat in {*position.ring} - due:
        mine = seen_by(position, seat)
        acts = [
            sheet
            for sheet in RULESET.rules.options(mine, seat)
            if {*vars_of(sheet)} & {"bid", "wishes", "actions", "event", "choice"}
        ]
        if position.phase is Phase.STOPPED:
            continue  # Their earlier plan continues (HA-W-22).
        assert acts == []


def laws_hold(position: Position, sheets: Mapping[str, Any], done: Any) -> None:
    """Every card in one zone, five characters at most, favor by named causes, the guard not reached, the order of sheets irrelevant."""
    after = done.position
    assert [*faults(after)] == []
    for seat in after.ring:
        held = [one for one in after.court.values() if one.by == seat and one.home is None]
        assert len(held) - 1 <= 5
        assert after.players[seat].favor >= 0
        assert after.players[seat].favor == position.players[seat].favor + moved(done.events, seat)
    assert not any(isinstance(event, e.Closed) and event.guard for event in done.events)
    turned = dict(reversed([*sheets.items()]))
    assert resolve(position, turned, NamedDice(b"none")) == resolve(position, sheets, NamedDice(b"none"))


def wild(position: Position, seat: str, random: Random) -> Any:
    """A sheet that a stranger might send: legal lines in any order, beside every form with anything in its blanks."""
    view = seen_by(position, seat)
    turn = looked_at(view)
    sheet: Any = RULESET.sheet_for(view, seat)()
    for one in random.sample(some := list(RULESET.rules.options(view, seat)), min(len(some), 6)):
        for key, value in vars_of(one).items():
            before = getattr(sheet, key)
            sheet = replace(sheet, **{key: (*(before or ()), *value) if isinstance(value, tuple) else value})
    for part, lines in turn.reader.lines.items():
        if hasattr(sheet, part) and random.random() < 0.6:
            more = tuple(filled_in(random, lines, random.choice(lines.shown)) for _ in range(random.randrange(4)))
            sheet = replace(sheet, **{part: (*(getattr(sheet, part) or ()), *more)})
    return sheet


def vars_of(sheet: Any) -> dict[str, Any]:
    """Fields of a sheet that differ from the default."""
    plain = type(sheet)()
    return {
        field.name: value
        for field in fields(sheet)
        if (value := getattr(sheet, field.name)) != getattr(plain, field.name)
    }


@examples(7)
@hypothesis.given(players=st.integers(3, 5), seed=st.integers(0, 10**6), wishes=st.integers(0, 10**6))
def test_laws_hold_whatever_is_ordered(players: int, seed: int, wishes: int) -> None:
    """HA-A-1, HA-M-8, HA-M-13, HA-Q-1: over an auction and some turns of sheets that nobody would send."""
    position, random = setup(Settings(players=players), NamedDice(b"wild %d" % seed)), Random(wishes)
    for number in range(5 + 6):
        sheets = {seat: wild(position, seat, random) for seat in position.ring}
        done = resolve(position, sheets, NamedDice(b"%d:%d" % (seed, number)))
        laws_hold(position, sheets, done)
        if done.ended is not None:
            return
        position = done.position


def moved(events: tuple[AnyEvent, ...], seat: str) -> int:
    """Each player's gains and losses, by the facts."""
    total = 0
    for event in events:
        match event:
            case e.Gained() if event.seat == seat:
                total += event.amount
            case e.Lost() if event.seat == seat:
                total -= event.amount
            case e.Took():
                total += event.amount * ((event.seat == seat) - (event.before == seat))
            case e.Played() if event.seat == seat:
                total -= event.paid
            case e.Bid() if event.seat == seat:
                total -= event.price
            case _:
                pass
    return total


def test_turns_go_clockwise() -> None:
    """HA-C-3, HA-C-12, HA-E-2: every player has four turns, one after the other."""
    actives = [position.active for position, _, _ in game(4, 9) if position.phase is Phase.MAIN]
    assert Counter(actives) == dict.fromkeys(actives, 4)
    ring = next(game(4, 9))[0].ring
    assert all(ring[(ring.index(one) + 1) % 4] == other for one, other in itertools.pairwise(actives) if one and other)


def test_a_hidden_event_is_never_shown() -> None:
    """HA-C-4, HA-W-15, HA-W-16: no view names an Event left out, a card of a deck, or a card of another's hand."""
    for position, _, done in game(3, 5):
        for reader in (None, *position.ring):
            text = dump(seen_by(done.position, reader))
            assert not any(f"- {name}\n" in text or f"{name}," in text for name in position.unused)
            hidden = {card for seat, player in done.position.players.items() if seat != reader for card in player.hand}
            own = {card for kept in seen_by(done.position, reader).standing.values() for card in str(kept).split()}
            assert not any(card in text for card in hidden - own if not any(card in word for word in own))


# Cards that the shipped set does not have -------------------------------------------------------------------------


def with_cards(*cards: dict[str, Any]) -> CardSet:
    """Avermark with more Action cards; the budget of a set is not checked."""
    plain: dict[str, Any] = {
        "copies": 1,
        "kind": "effect",
        "spell": False,
        "phases": ["action", "event", "melee"],
        "text": "",
        "flavour": "x",
    }
    made = tuple(decode(Action, Text("card", {**plain, "name": card["id"].title(), **card}, {})) for card in cards)
    whole = cards_named("avermark")
    return replace(whole, actions=(*whole.actions, *made))


def table(
    cards: CardSet,
    *,
    phase: str = "main",
    event: str | None = None,
    chosen: Mapping[str, str] | None = None,
    **players: Side,
) -> Position:
    """A position of three players with a custom set; the first of them is active."""
    everybody = {
        name: players.get(name, Side()) for name in (*players, *({"aldemar", "corvin", "ysolde"} - {*players}))
    }
    case = Case(id="x", title="x", rules=(), phase=Phase(phase), event=event, players=everybody, told=(), verdicts=())
    position = replace(position_of(case), chosen=chosen or {})
    return replace(position, settings=extend_record(position.settings, OwnCards, own=cards))


def told(position: Position, **sheets: Any) -> tuple[list[str], Position]:
    """Events in words, and the position afterwards."""
    kind = MainSheet if position.phase is Phase.MAIN else EventSheet
    done = resolve(position, {CHAIRS[name]: kind(**sheet) for name, sheet in sheets.items()}, NamedDice(b"x"))
    return [RULESET.words.tell(position, event) for event in done.events], done.position


def step(**steps: Any) -> list[dict[str, Any]]:
    return [{word: deed} for word, deed in steps.items()]


PLAYERS = [
    ("others", {"Corvin", "Ysolde"}), ("all", {"Aldemar", "Corvin", "Ysolde"}), ("left", {"Corvin"}), ("right", {"Ysolde"}),
    ("active", {"Aldemar"}), ("me", {"Aldemar"}),
]  # fmt: skip


@pytest.mark.parametrize(("who", "gain"), PLAYERS)
def test_selectors_name_the_right_players(who: str, gain: set[str]) -> None:
    """Players that a card can name; several are in seat order from the active one (HA-I-17)."""
    cards = with_cards({"id": "gift", "effect": step(favor={"who": who, "n": 1})})
    happened, _ = told(table(cards, aldemar=Side(hand=("gift#1",))), aldemar={"actions": ("play gift",)})
    gained = [line.split(" ")[0] for line in happened if "gained" in line]
    assert gained == [name for name in ("Aldemar", "Corvin", "Ysolde") if name in gain]


def test_targets_are_counted_up_to_a_maximum() -> None:
    """HA-R-29: how many fit, up to a maximum; Princes count unless it excludes them. Surplus targets are ignored."""
    cards = with_cards(
        {"id": "toll", "effect": step(favor={"who": "me", "n": "per([mine, unturned])", "max": 3})},
        {"id": "tax", "effect": step(favor={"who": "me", "n": "per([mine, not-prince, keyword:Noble])", "max": 9})},
    )
    court = ("sir-hadrec", "lord-marrow", "big-wenna", "turned queen-oda")
    position = table(cards, aldemar=Side(hand=("toll#1", "tax#1"), court=court))
    happened, _ = told(position, aldemar={"actions": ("play toll at corvin, ysolde", "play tax")})
    assert [line for line in happened if "gained" in line] == [
        "Aldemar gained 3 favor and has 11 (Toll).",
        "Aldemar gained 3 favor and has 14 (Tax).",
    ]


def test_a_keyword_that_is_taken_away_stays_away() -> None:
    """HA-N-10: a keyword that is taken away stays away for that long, whatever else gives it."""
    cards = with_cards(
        {
            "id": "gag",
            "effect": step(
                keyword={"target": "choose(who, [any])", "word": "Fighter", "mode": "remove", "until": "turn"}
            ),
        }
    )
    court = ("big-wenna with fresh-horse#1",)
    position = table(cards, aldemar=Side(hand=("gag#1",), court=court), corvin=Side(court=("hob-lantern",)))
    happened, after = told(
        position, aldemar={"actions": ("play gag at big-wenna", "attack hob-lantern with big-wenna")}
    )
    assert "Big Wenna loses the keyword Fighter until the end of the turn (Gag)." in happened
    assert not any("attacked" in line for line in happened)
    assert [change.keyword for change in after.changes] == ["Fighter"]


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_every_trigger_opens_a_ring(trigger: str) -> None:
    """HA-P-2, HA-P-5: each trigger opens a ring, and a card that answers it works there."""
    cards = with_cards(
        {"id": "echo", "phases": ["reaction"], "trigger": [trigger], "effect": step(favor={"who": "me", "n": 1})}
    )
    line = {"reactions": (f"on {trigger} play echo",)}
    corvin = Side(hand=("echo#1",), court=("pell-the-factor",))
    if trigger in ("joined", "outcome_known", "dismiss_pending", "favor_loss"):
        event = {"dismiss_pending": "inquest-in-the-gallery", "favor_loss": "salt-contract"}.get(trigger, "grain-toll")
        chosen = {"accused": "pell-the-factor"} if "inquest" in event else {}
        aldemar = Side(court=("ancel-the-usher",))
        position = table(cards, phase="event", event=event, chosen=chosen, aldemar=aldemar, corvin=corvin)
        pool = "me" if event == "salt-contract" else "support"
        plan: dict[str, tuple[str, ...]] = {"event": (f"join ancel-the-usher for {pool}",)}
    else:
        hand = ("hush#1", "sealed-letter#1")
        position = table(cards, aldemar=Side(hand=hand, court=("sir-hadrec", "nim-of-the-stair")), corvin=corvin)
        act = {
            "turn_forced": "play hush at pell-the-factor", "card_played": "play sealed-letter at corvin",
            "kill_pending": "attack pell-the-factor with sir-hadrec", "melee_declared": "attack pell-the-factor with sir-hadrec",
        }.get(trigger)  # fmt: skip
        plan = {"actions": (act,) if act is not None else ()}
    happened, _ = told(position, aldemar=plan, corvin=line)
    assert "Corvin gained 1 favor and has 11 (Echo)." in happened


def test_a_principal_who_leaves_ends_the_melee() -> None:
    """HA-H-14: at once, without a result; and the attacker stays turned."""
    cards = with_cards({"id": "recall", "effect": step(dismiss={"target": "choose(who, [mine, not-prince])"})})
    corvin = Side(hand=("recall#1",), court=("pell-the-factor",))
    position = table(cards, aldemar=Side(court=("sir-hadrec",)), corvin=corvin)
    happened, after = told(
        position,
        aldemar={"actions": ("attack pell-the-factor with sir-hadrec",)},
        corvin={"melee": ("play recall at pell-the-factor",)},
    )
    assert "The melee of Sir Hadrec and Pell the Factor ended without a result." in happened
    assert (after.killed, after.characters.discards) == ((), ("pell-the-factor",))
    assert after.court["sir-hadrec"].turned


def test_a_melee_goes_on_if_a_principal_changes_hands() -> None:
    """HA-R-25: and `defender(me)` follows the new controller."""
    cards = with_cards(
        {"id": "invite", "effect": step(control={"target": "choose(who, [other, not-prince])", "to": "me"})}
    )
    position = table(
        cards, aldemar=Side(court=("sir-hadrec",)), corvin=Side(court=("pell-the-factor",)), ysolde=Side(hand=("invite#1",), court=("dame-perenelle",))
    )  # fmt: skip
    ysolde = {"melee": ("play invite at pell-the-factor", "assist defence with dame-perenelle if defender(me)")}
    happened, after = told(position, aldemar={"actions": ("attack pell-the-factor with sir-hadrec",)}, ysolde=ysolde)
    assert "Pell the Factor won the melee against Sir Hadrec: Attack 4, Defence 5 (HA-H-12)." in happened
    assert after.court["pell-the-factor"] == replace(after.court["pell-the-factor"], by="Third", home="Second")


def test_a_player_who_looks_sees_only_the_cards_there_are() -> None:
    """HA-R-30: fewer cards than the card says, and nothing is shuffled for it."""
    position = table(cards_named("avermark"), aldemar=Side(court=("brother-quill",)))
    position = replace(position, actions=replace(position.actions, pile=("hush#1",), discards=("hush#2",)))
    happened, after = told(position, aldemar={"actions": ("use brother-quill",)})
    assert "Aldemar looked at the top of the Action deck: Hush (Brother Quill)." in happened
    assert after.actions == position.actions


def test_nested_rings_come_to_an_end() -> None:
    """HA-P-4, HA-R-1: four rings at most are open, one in another."""
    cards = with_cards(
        *(
            {"id": f"no{number}", "phases": ["reaction"], "trigger": ["card_played"], "effect": step(cancel={})}
            for number in range(8)
        )
    )
    hand = tuple(f"no{number}#1" for number in range(8))
    line = tuple(f"on card_played if not by(me) play no{number}" for number in range(8))
    position = table(
        cards,
        phase="event",
        event="grain-toll",
        aldemar=Side(hand=("market-rumour#1", *hand[:4])),
        corvin=Side(hand=hand[4:]),
    )
    happened, _ = told(
        position, aldemar={"event": ("play market-rumour at support",), "reactions": line}, corvin={"reactions": line}
    )
    played = [one.split(" played ")[1] for one in happened if "played No" in one]
    # In the fourth ring Aldemar's cards follow one another: none of them opens a ring where Corvin could answer.
    assert played[:6] == ["No4.", "No0.", "No5.", "No1.", "No2.", "No3."]


def test_effects_on_everyone_spare_princes() -> None:
    """HA-M-2, HA-M-3, X-35: effects that kill, dismiss or bribe everyone spare Princes; their characters go, and the slots are open."""
    cards = with_cards(
        {"id": "plague", "effect": step(dismiss={"target": "each([other])"}, kill={"target": "each([mine])"})}
    )
    position = table(
        cards,
        aldemar=Side(hand=("plague#1",), court=("big-wenna",)),
        corvin=Side(court=("hob-lantern", "joss-the-dyer")),
    )
    _, after = told(position, aldemar={"actions": ("play plague",)})
    assert {*after.court} == {"aldemar", "corvin", "ysolde"}
    assert (after.killed, after.characters.discards) == (("big-wenna",), ("hob-lantern", "joss-the-dyer"))


def test_a_mandatory_challenge_is_refused() -> None:
    """HA-K-8: a set whose Challenge is mandatory is refused; `test_heir_apparent_cards` tests every other fault."""
    assert not any(event.mandatory for event in cards_named("avermark").events if event.type == "challenge")


def test_every_step_holds_one_deed() -> None:
    """Every step of the shipped cards holds one deed."""
    cards = cards_named("avermark")
    steps: list[Step] = [one for action in cards.actions for one in (*action.effect, *action.while_)]
    assert {len(one.words) for one in steps} == {1}
    assert {*KEYWORDS} >= {word for one in cards.characters for word in one.keywords}


# Hostile sheets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "if", " if ", "on", "pass pass", "join", "join for", "use  at ", "play play at at", "on joined if not play hush", "hush#9",
        "counter with", "counter with nim-of-the-stair limit 0", "\u0130\u017f\ud7ff", "join lord marrow for support if " + "sup = 1 and " * 40,
        "on " + "a of " * 99, "x" * 501, "draw action by action by base", "trade hush, for action", "play releasing", "not not passing",
    ],
)  # fmt: skip
def test_any_line_is_read_or_named_to_its_author(line: str) -> None:
    """HA-W-7: any text in any list is read, or named to its author, before the deadline and after it, and never stops the game."""
    lists = ("event", "melee", "reactions", "counters", "draw", "keep", "reopen")
    every: dict[str, Any] = dict.fromkeys(lists, (line,))
    sheet = EventSheet(**every, choice={line: (line,)}, discard=(line,), release=(line,), unturn=(line,))
    position = position_of(
        Case(id="x", title="x", rules=(), phase=Phase.EVENT, event="grain-toll", players={name: Side() for name in ("aldemar", "corvin", "ysolde")}, told=(), verdicts=())
    )  # fmt: skip
    remarks = RULESET.rules.check(position, "First", sheet)
    assert all(remark.what for remark in remarks)
    done = resolve(position, dict.fromkeys(position.ring, sheet), NamedDice(b"wild"))
    unread = [verdict for verdict in done.verdicts if verdict.result == "unreadable"]
    assert len(unread) >= len(position.ring) * (len(lists) - 2)
    for verdict in done.verdicts:
        assert RULESET.words.tell(position, verdict).endswith(".")


# Checks before the deadline -------------------------------------------------------------------------------------

FIRST = {
    "aldemar": Side(court=("lord-marrow", "turned big-wenna", "nim-of-the-stair"), hand=("hush#1", "point-of-order#1")),
    "corvin": Side(court=("hob-lantern",)),
    "ysolde": Side(),
}
SAID = [
    ("event", "join lord-marrow for support as big if sup > 1", "'big if sup > 1' is no step", "error"),
    ("event", "draw with lord-marrow", "'draw with lord-marrow' is a line for `actions`, and stands under `event`", "error"),
    ("event", "join hob-lantern for support", "join hob-lantern for support: the character is another player’s (HA-M-10)", "warning"),
    ("event", "join queen-oda for support", "join queen-oda for support: the character is not in play (HA-M-13)", "warning"),
    ("event", "prince for aldemar", "prince for aldemar: the Event has no such pool (HA-J-1)", "warning"),
    ("event", "join lord-marrow for support if losing(me)", "losing means something only in a Contest, so the condition never holds (HA-W-6)", "warning"),
    ("event", "play point-of-order", "play point-of-order: the card or the ability is for another phase (HA-B-10)", "warning"),
    ("event", "play market-rumour at support", "play market-rumour at support: the card is not in the hand (HA-B-12)", "warning"),
    ("event", "use lord-marrow", "use lord-marrow: the character has no such ability (HA-G-7)", "warning"),
    ("event", "join big-wenna for support if not turned(big-wenna)", None, ""),
    ("event", "join lord-marrow for support if not done(big)", "done(big): no line of `event` has this name (HA-W-6)", "warning"),
    ("event", "join lord-marrow for support if not done(big) as big again", None, ""),
    ("melee", "assist defence with aldemar", "assist defence with aldemar: Princes take no part in that (HA-H-3)", "warning"),
    ("melee", "play hush at hob-lantern", "play hush at hob-lantern: the card or the ability is for another phase (HA-B-10)", "warning"),
    ("counters", "counter with lord-marrow", "counter with lord-marrow: it takes an unturned Wizard (HA-O-1)", "warning"),
    ("counters", "counter with nim-of-the-stair", None, ""),
    ("reactions", "on joined if sup > 1 play point-of-order", "on joined play point-of-order: the card does not answer what it is to answer (HA-P-1)", "warning"),
    ("reactions", "on card_played play point-of-order", "this answers your own cards too", "warning"),
    ("reactions", "on card_played if not by(me) play point-of-order", None, ""),
]  # fmt: skip


def sheet_with(part: str, line: str) -> EventSheet:
    """A sheet of an Event with one line in one of its lists."""
    lists: dict[str, Any] = {part: (line,)}
    return EventSheet(**lists)


@pytest.mark.parametrize(("part", "line", "what", "level"), SAID, ids=[line for _, line, _, _ in SAID])
def test_check_reports_only_lines_that_are_sure_to_fail(part: str, line: str, what: str | None, level: str) -> None:
    """`check` reports the lines that a player can see to be impossible before the deadline, but not those whose chance may still change."""
    position = position_of(
        Case(id="x", title="x", rules=(), phase=Phase.EVENT, event="grain-toll", players=FIRST, told=(), verdicts=())
    )
    remarks = RULESET.rules.check(seen_by(position, "First"), "First", sheet_with(part, line))
    assert [(remark.what, remark.level) for remark in remarks] == ([(what, level)] if what is not None else [])
    in_public = RULESET.rules.check(seen_by(position, None), "First", sheet_with(part, line))
    assert {remark.what for remark in in_public} <= {remark.what for remark in remarks}


SLIPS = [
    ("reactions", "on joined play hush if sup > 1", "here the condition stands before the card: on TRIGGER if ... play CARD"),
    ("counters", "counter with hob-lantern if hits(me) limit 2", "`limit` stands before `if`"),
    ("event", "pass if sup => 3", "comparisons are <, <=, =, !=, >= and >"),
    ("event", "pass if not sup > 3", "turn the comparison round: `not` stands before flags alone"),
    ("event", "pass if sup > 3, opp > 3", "clauses are joined by `and`"),
    ("event", "play market-rumour at opposition", "the pool is called `oppose`"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "line", "right"), SLIPS, ids=[line for _, line, _ in SLIPS])
def test_common_slips_are_answered_with_the_right_form(part: str, line: str, right: str) -> None:
    """Common mistakes are answered with the right form."""
    position = position_of(
        Case(id="x", title="x", rules=(), phase=Phase.EVENT, event="grain-toll", players=FIRST, told=(), verdicts=())
    )
    (remark,) = RULESET.rules.check(position, "First", sheet_with(part, line))
    assert remark.right == right


def test_the_page_of_orders_matches_the_desk() -> None:
    """HA-W-4: ORDERS.md lists every number and flag, and no other, with its arguments, its meaning, and the lists where it applies."""
    _, _, text = (RULESET.folder / "ORDERS.md").read_text("utf-8").partition("\n## Conditions\n")
    rows = re.findall(r"^\| `([a-z_]+)(?:\(([a-z, ]*)\))?` \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    told = {name: (tuple(filter(None, given.split(", "))), about, where) for name, given, about, where in rows}
    variables = {**NUMBERS, **FLAGS}
    assert {*told} == {*variables}
    for name, one in variables.items():
        given, about, where = told[name]
        assert (given, where) == (one.blanks, one.where)
        assert about.startswith(one.about)


def test_the_desk_shows_the_lines_that_go_on_after_a_stop() -> None:
    """HA-W-22: the remaining lines of the stopped plan, shown to its author and nobody else."""
    case = by_name(case_files())["stops/goes-on"]
    position = position_of(case)
    for name, lines in {
        "aldemar": {"event": (), "reopen": ("passing",)},
        "corvin": {"event": ("prince for support if opp >= sup",)},
        "ysolde": {"event": ("join hester-pruett for support if opp >= sup",)},
    }.items():
        seat = CHAIRS[name]
        assert stands(seen_by(position, seat), seat) == lines
        other = next(one for one in position.ring if one != seat)
        assert stands(seen_by(position, other), seat) == {}


def test_after_a_stop_only_the_player_who_asked_owes_a_sheet() -> None:
    """HA-W-23: in an Event, in an Actions phase, and in a melee."""
    cases = by_name(case_files())
    for name, owing in {
        "stops/goes-on": "aldemar",
        "stops/goes-on-in-actions": "ysolde",
        "stops/goes-on-in-melee": "corvin",
    }.items():
        position = position_of(cases[name])
        assert RULESET.due(position) == {CHAIRS[owing]}
        assert RULESET.rules.due(position) == RULESET.due(position)


def test_nobody_can_stop_a_half_worked_card() -> None:
    """HA-W-21: where a card has more to do than its melee, nobody can ask in it."""
    glove = {"id": "glove", "effect": step(melee={"attacker": "choose(a, [mine, not-prince, unturned])", "defender": "choose(b, [other, not-prince])"}, favor={"who": "me", "n": 1})}  # fmt: skip
    position = table(
        with_cards(glove),
        aldemar=Side(hand=("glove#1",), court=("sir-hadrec",)),
        corvin=Side(court=("pell-the-factor",)),
    )
    done = resolve(
        position,
        {
            CHAIRS["aldemar"]: MainSheet(actions=("play glove at sir-hadrec, pell-the-factor",)),
            CHAIRS["corvin"]: MainSheet(melee=("ask",)),
        },
        NamedDice(b"x"),
    )
    assert [(verdict.order, verdict.reason, verdict.rule) for verdict in done.verdicts if verdict.order == "ask"] == [
        ("ask", "half-done", "HA-W-21")
    ]
    assert done.position.phase is Phase.EVENT
    assert done.position.players[CHAIRS["corvin"]].reopenings == 2


ASKS = ("ask", "ask if passes >= 1", "ask if acts(me) >= 1", "ask if need > 2 again")


@pytest.mark.parametrize(("players", "seed"), [(3, 1), (4, 2), (5, 3)])
def test_a_stop_changes_nothing_if_nobody_changes_their_plan(players: int, seed: int) -> None:
    """HA-W-21, HA-W-22: a window that is stopped once or twice and resumed with unchanged plans ends as if nobody had asked."""
    stopped = 0
    for number, (position, sheets, _) in enumerate(game(players, seed)):
        if position.phase not in (Phase.MAIN, Phase.EVENT):
            continue
        key = "actions" if position.phase is Phase.MAIN else "event"
        seat = position.active if position.phase is Phase.MAIN else position.ring[number % players]
        assert seat is not None
        if not position.players[seat].reopenings or any(sheet.reopen for sheet in sheets.values() if key == "event"):
            continue
        plans = {whose: without_asks(sheet) for whose, sheet in sheets.items()}
        plain = resolve(position, plans, NamedDice(b"law"))
        ask = ASKS[number % len(ASKS)] if key == "event" else "ask"
        asking = replace(plans[seat], **{key: (ask, *(getattr(plans[seat], key) or ()))[:40]})
        run = resolve(position, plans | {seat: asking}, NamedDice(b"law"))
        events, stops = [*run.events], 0
        while run.position.phase is Phase.STOPPED:
            stops += 1
            assert RULESET.due(run.position) == {seat}
            assert [*faults(run.position)] == []
            assert load(Position, dump(run.position).encode(), "position.yaml", own=True) == run.position
            run = resolve(run.position, {}, NamedDice(b"law"))
            events += run.events
        spent = [event for event in events if isinstance(event, e.Asked)]
        assert len(spent) == stops <= 2
        if any(isinstance(event, e.Discarded) and event.why == "effect" for event in events):
            continue  # Random choices are drawn under the names of their window.
        stopped += stops
        assert [event for event in events if not isinstance(event, e.Asked)] == [*plain.events]
        tokens = {
            whose: replace(player, reopenings=player.reopenings + stops * (whose == seat))
            for whose, player in run.position.players.items()
        }
        assert replace(run.position, players=tokens) == replace(plain.position, players=plain.position.players)
    assert stopped >= 10


def without_asks(sheet: Any) -> Any:
    """A sheet whose lines stop nothing."""
    lines = getattr(sheet, "event", None)
    return sheet if lines is None else replace(sheet, event=tuple(line for line in lines if not line.startswith("ask")))
