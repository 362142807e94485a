"""Noblesse's treaties: every form of clause, kept and broken, reported, enforced, ended (NB-T, NB-M, NB-N, NB-Z, NB-H)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import Text
from adjudicator.rulesets.noblesse import day, host, treaties
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import (
    Debt,
    Heir,
    Holding,
    Penance,
    Phase,
    Position,
    Settings,
    Unit,
    seen_by,
)
from adjudicator.rulesets.noblesse.scenario import Stock, scenario_named
from adjudicator.rulesets.noblesse.treaties import (
    EXPIRATIONS,
    PENALTIES,
    PROMISES,
    Breach,
    Deed,
    Expiration,
    Penalty,
    Promise,
    Proposal,
    Reached,
    Report,
)
from adjudicator.rulesets.noblesse.work import Work

FARNA = scenario_named("farna")
DICE = NamedDice(b"t" * 32)


def start() -> Position:
    """The first Night, with everybody at home and no unit on the board."""
    return day.found_courts(day.setup(Settings(), NamedDice(b"k" * 32)), {}, DICE).position


def leader(position: Position, faction: str) -> str:
    name = position.factions[faction].leader
    assert name is not None
    return name


def members(position: Position, faction: str) -> list[str]:
    return [seat for seat, player in sorted(position.players.items()) if player.faction == faction]


def night(position: Position, **sheets: Sheet) -> Resolution[Position, Any]:
    return resolve_night(replace(position, phase=Phase.NIGHT), sheets, DICE)


def by_day(position: Position, **sheets: Sheet) -> Resolution[Position, Any]:
    return day.resolve_day(replace(position, phase=Phase.DAY), sheets, DICE)


KEEP = Promise(form="enter", will=False, estates=("E5",))
FINE = Penalty(form="pays", amounts=Stock(money=1))
TIME = Expiration(form="cycles", number=3)


def proposal(to: str = "TCK", **fields: Any) -> Proposal:
    usual: dict[str, Any] = {"mine": (KEEP,), "theirs": (KEEP,), "penalties": (FINE,), "ends": (TIME,)}
    return Proposal(to=to, **{**usual, **fields})


def in_force(position: Position, **fields: Any) -> Position:
    """A treaty T100 between Pape and TCK, in force since this cycle."""
    usual: dict[str, Any] = {"mine": (KEEP,), "theirs": (KEEP,), "penalties": (FINE,), "ends": (TIME,)}
    state = fields.pop("state", None)
    parties = fields.pop("parties", ("Pape", "TCK"))
    more = {key: fields.pop(key) for key in ("breaches", "declared", "deeds") if key in fields}
    made = treaties.treaty_of(Proposal(to=parties[1], state=state, **{**usual, **fields}), parties[0])
    return replace(position, treaties={"T100": replace(made, status="in force", began=position.cycle, **more)})


def verdict_of(done: Resolution[Position, Any], seat: str) -> tuple[str, str, str]:
    (own,) = (verdict for verdict in done.verdicts if verdict.seat == seat)
    return own.result, own.reason, own.rule


# Proposals ---------------------------------------------------------------------------------------------------------


def test_every_listed_form_is_known_and_no_other() -> None:
    """NB-T-3: ten promises, seven penalties, seven expirations."""
    assert [listed.rule for listed in PROMISES.values()] == [f"M-{number}" for number in range(1, 11)]
    assert [listed.rule for listed in PENALTIES.values()] == [f"N-{number}" for number in range(1, 8)]
    assert [listed.rule for listed in EXPIRATIONS.values()] == [f"Z-{number}" for number in range(1, 8)]
    assert [form for form, listed in PROMISES.items() if not listed.checked] == ["show units", "show players"]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({}, ""),
        ({"to": "Nobody"}, "no faction is called 'Nobody'"),
        ({"mine": (Promise(form="peace"),)}, "no clause has the form 'peace' (NB-T-3)"),
        ({"mine": (Promise(form="enter"),)}, "'enter' needs 'estates'"),
        ({"mine": (replace(KEEP, amounts=Stock(money=1)),)}, "'enter' has no blank 'amounts'"),
        ({"mine": (replace(KEEP, estates=("Z9",)),)}, "'Z9' is not an estate, row or column"),
        ({"mine": (replace(KEEP, units=("knights",)),)}, "no formation is called 'knights'"),
        ({"penalties": (Penalty(form="pays"),)}, "'pays' needs 'amounts'"),
        ({"penalties": (Penalty(form="acts", action="hostages", who=("Rue",)),)}, "'hostages' cannot be used on a player of the same faction (NB-T-14)"),
        ({"penalties": (Penalty(form="acts", action="poison", who=("Rue",)),)}, ""),
        ({"penalties": (Penalty(form="acts"),)}, ""),
        ({"ends": (Expiration(form="action", action="marriage"),)}, ""),
        ({"ends": (Expiration(form="members", faction="Papes"),)}, "no faction is called 'Papes'"),
        ({"ends": (Expiration(form="action"),)}, "'action' needs 'action'"),
        ({"ends": (Expiration(form="action", action="noble"),)}, "'noble' is not an action against somebody (NB-Z-5)"),
        (
            {"penalties": (Penalty(form="ends", cycles=1), Penalty(form="lasts", cycles=2))},
            "a treaty cannot both end and go on after a breach (NB-T-12)",
        ),
    ],
)  # fmt: skip
def test_a_clause_has_a_listed_form_with_its_blanks_filled(fields: Mapping[str, Any], what: str) -> None:
    """NB-T-2, NB-T-3, NB-T-12, NB-T-14."""
    given = proposal(**fields)
    assert [fault[1] for fault in treaties.faults(given, FARNA)] == ([what] if what else [])
    position = start()
    pape = leader(position, "Pape")
    done = night(position, **{pape: Sheet(treaties=(given,))})
    assert verdict_of(done, pape)[:2] == (("illegal", "bad-clause") if what else ("succeeds", "proposed"))
    assert bool(done.position.treaties) == (not what)


FILLED: Mapping[str, Any] = {
    "will": False, "estates": ("E5",), "units": ("regiment",), "amounts": Stock(money=1), "side": "place", "text": "x",
    "who": ("Rue",), "factions": ("Fleurs",), "things": ("structures",), "actions": ("arson",), "number": 2, "cycles": 2,
    "each": True, "action": "assassin", "facts": ("roles",), "forms": ("pay",), "faction": "Pape", "what": "nobles",
    "when": "end", "every": True, "by": "wronged", "buildings": ("university",), "of": "Fleurs", "besides": Reached(kills=1),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "kind", "forms"),
    [
        ("mine", Promise, treaties.PROMISE_FORMS),
        ("penalties", Penalty, treaties.PENALTY_FORMS),
        ("ends", Expiration, treaties.EXPIRATION_FORMS),
    ],
)
def test_editors_and_the_desk_know_each_forms_blanks(side: str, kind: type[Any], forms: Any) -> None:
    """The sheet's JSON Schema refuses exactly the invalid clauses: a blank too few, or too many (NB-T-3)."""
    schema = jsonschema.Draft202012Validator(schemas("noblesse")["sheet"])
    keys = {field.name for field in dataclasses.fields(kind)} - {"form"}
    seen = set()
    for form, (must, may) in forms.items():
        trials = [must, must | may, *(must - {key} for key in must), *(must | {key} for key in keys)]
        for trial in trials:
            clause = kind(form=form, **{key: FILLED[key] for key in trial})
            given = proposal("TCK", **{side: (clause,)})
            wrong = [what for _, what, _ in treaties.faults(given, FARNA)]
            if len(wrong) == 1 and "whose players are killed" in wrong[0]:
                continue  # the check covers dependencies between blanks
            assert schema.is_valid(encode(Sheet(treaties=(given,)))) == (not wrong), (form, trial, wrong)
            seen.add(not wrong)
    assert seen == {True, False}
    unlisted = proposal("TCK", **{side: (kind(form="peace"),)})
    assert not schema.is_valid(encode(Sheet(treaties=(unlisted,))))
    for count, right in ((0, False), (3, True), (4, False)):  # NB-T-2
        given = encode(Sheet(treaties=(proposal(),)))
        given["treaties"][0][side] *= count
        assert schema.is_valid(given) == right


def test_a_treaty_is_proposed_signed_published_and_begins() -> None:
    """NB-T-5, NB-T-9, NB-T-16: signed by day, in force from step 1 of the next Night; the intent is for everybody."""
    position = start()
    pape, tck = leader(position, "Pape"), leader(position, "TCK")
    done = night(position, **{pape: Sheet(treaties=(proposal(state="neutral", intent="Peace."),))})
    ((name, treaty),) = done.position.treaties.items()
    assert treaty.status == "proposed"
    told = [(event.event, event.heard) for event in done.events if event.event == "proposed"]
    assert told == [("proposed", tuple(sorted((pape, tck))))]
    assert verdict_of(by_day(done.position, **{pape: Sheet(orders=(f"Sign {name}",))}), pape) == (
        "fails",
        "not-open",
        "NB-T-9",
    )
    signed = by_day(done.position, **{tck: Sheet(orders=(f"Sign {name}",))})
    assert verdict_of(signed, tck) == ("succeeds", "signed", "NB-T-9")
    published = [(e.faction, e.text, e.heard) for e in signed.events if e.event == "published"]
    assert published == [("Pape", "Peace.", None), ("TCK", "Peace.", None)]
    own = by_day(done.position, **{tck: Sheet(orders=(f"sign {name.lower()} saying: A breath, no more.",))})
    assert [v.order for v in own.verdicts] == [f"Sign {name} saying: A breath, no more."]
    assert [(e.faction, e.text) for e in own.events if e.event == "published"] == [
        ("Pape", "Peace."),
        ("TCK", "A breath, no more."),
    ]
    silent = night(position, **{pape: Sheet(treaties=(proposal(),))}).position
    signed_ = by_day(silent, **{tck: Sheet(orders=(f"Sign {next(iter(silent.treaties))}",))})
    assert [e for e in signed_.events if e.event == "published"] == []
    assert treaties.relation(signed.position.treaties, "Pape", "TCK") == "hostile"
    begun = night(signed.position)
    assert begun.position.treaties[name].began == 2
    assert treaties.relation(begun.position.treaties, "TCK", "Pape") == "neutral"
    # Proposed and signed treaties survive writing and reading, and only the two leaders see them (NB-T-1).
    assert decode(Position, Text("position", encode(begun.position), {})) == begun.position
    for seat in (None, *begun.position.players):
        assert bool(seen_by(begun.position, seat).treaties) == (seat in {pape, tck})


def test_the_friendliest_state_counts() -> None:
    """NB-H-1, NB-H-14, NB-T-4."""
    treaty = in_force(start(), state="neutral").treaties["T100"]
    assert treaties.relation({}, "Pape", "TCK") == "hostile"
    assert treaties.relation({"T1": replace(treaty, state=None)}, "Pape", "TCK") == "hostile"
    assert treaties.relation({"T1": treaty, "T2": replace(treaty, state="allied")}, "Pape", "TCK") == "allied"
    assert treaties.relation({"T1": replace(treaty, status="signed")}, "Pape", "TCK") == "hostile"
    assert treaties.relation({"T1": treaty}, "Pape", "Fleurs") == "hostile"


# Promises ----------------------------------------------------------------------------------------------------------

P = Promise
PAID = P(form="pay", amounts=Stock(money=3), cycles=2)


def deed_of(kind: Any, cycle: int = 1, **fields: Any) -> Deed:
    return Deed(by="Pape", cycle=cycle, kind=kind, **fields)


@pytest.mark.parametrize(
    ("promise", "deeds", "cycle", "answer"),
    [
        (P(form="enter", will=False, estates=("E",), cycles=2), (), 2, "open"),
        (P(form="enter", will=False, estates=("E",), cycles=2), (), 3, "kept"),
        (P(form="enter", will=False, estates=("E",), cycles=2), (deed_of("entered", at="E7"),), 2, "broken"),
        (P(form="enter", will=False, estates=("7",), cycles=2), (deed_of("entered", at="E7"),), 2, "broken"),
        (P(form="enter", will=False, estates=("D",), cycles=2), (deed_of("entered", at="E7"),), 2, "open"),
        (P(form="enter", will=False, estates=("E",), cycles=2), (deed_of("entered", 3, at="E7"),), 4, "kept"),
        (P(form="enter", will=False, estates=("E",), units=("brigade",)), (deed_of("entered", at="E7", what="regiment"),), 1, "open"),
        (P(form="enter", estates=("E5", "E6"), cycles=2), (), 2, "open"),
        (P(form="enter", estates=("E5", "E6"), cycles=2), (), 3, "broken"),
        (P(form="enter", estates=("E5", "E6"), cycles=2), (deed_of("entered", at="E6"),), 2, "kept"),
        (PAID, (deed_of("paid", who="TCK", amounts=Stock(money=2)),), 2, "open"),
        (PAID, (deed_of("paid", who="TCK", amounts=Stock(money=2)), deed_of("paid", 2, who="TCK", amounts=Stock(money=1))), 2, "kept"),
        (PAID, (deed_of("paid", who="TCK", amounts=Stock(money=2)),), 3, "broken"),
        (PAID, (deed_of("paid", who="Fleurs", amounts=Stock(money=3)),), 3, "broken"),
        (replace(PAID, each=True), (deed_of("paid", who="TCK", amounts=Stock(money=3)),), 2, "open"),
        (replace(PAID, each=True), (deed_of("paid", who="TCK", amounts=Stock(money=3)),), 3, "broken"),
        (replace(PAID, each=True), (deed_of("paid", who="TCK", amounts=Stock(money=3)), deed_of("paid", 2, who="TCK", amounts=Stock(money=4))), 3, "kept"),
        (P(form="move", side="remove", estates=("B2",)), (deed_of("removed", at="B2", what="regiment"),), 2, "kept"),
        (P(form="move", side="remove", estates=("B2",)), (deed_of("removed", at="B2", what="spies"), deed_of("stands", at="B2", what="regiment")), 2, "broken"),
        (P(form="move", will=False, side="place", estates=("B2",)), (deed_of("placed", at="B2", what="regiment"),), 1, "broken"),
        (P(form="show units", text="all values"), (), 9, "unknown"),
        (P(form="show players", text="alignment", who=("Rue",)), (), 9, "unknown"),
        (P(form="votes", who=("Rue",), number=2), (deed_of("voted", who="Rue"),), 2, "broken"),
        (P(form="votes", who=("Rue",), number=2), (deed_of("voted", who="Rue"), deed_of("voted", who="Rue")), 2, "kept"),
        (P(form="votes", will=False, who=("Rue",)), (deed_of("voted", who="Rue"),), 1, "broken"),
        (P(form="battle", will=False, factions=("TCK",)), (deed_of("attacked", against="TCK"),), 1, "broken"),
        (P(form="battle", factions=("TCK",)), (deed_of("attacked", against="Fleurs"),), 2, "broken"),
        (P(form="control", estates=("E5",)), (deed_of("controls", at="E5"),), 2, "kept"),
        (P(form="control", estates=("E5",), things=("spies",), side="place"), (deed_of("placed", at="E5", what="spies"),), 1, "kept"),
        (P(form="control", will=False, estates=("E5",)), (deed_of("gained", at="E5"),), 1, "broken"),
        (P(form="control", estates=("E5",), things=("units",), side="place"), (deed_of("placed", at="E5", what="brigade"),), 1, "kept"),
        (P(form="control", estates=("E5",), things=("units",), side="remove"), (deed_of("stands", at="E5", what="brigade"),), 2, "broken"),
        (P(form="withdraw", things=("units",), estates=("E5",)), (deed_of("removed", at="E5", what="brigade"),), 2, "kept"),
        (P(form="withdraw", things=("units",), estates=("E5",)), (deed_of("removed", at="E5", what="spies"), deed_of("stands", at="E5", what="brigade")), 2, "broken"),
        (P(form="withdraw", things=("spies",), number=2), (deed_of("removed", what="spies"), deed_of("stands", what="spies")), 2, "broken"),
        (P(form="withdraw", things=("spies",)), (deed_of("removed", what="spies"),), 2, "kept"),
        (P(form="withdraw", things=("structures",), side="place"), (deed_of("placed", what="structures"),), 2, "kept"),
        (P(form="actions", will=False, actions=("assassin",), who=("Rue",)), (deed_of("acted", what="assassin", who="Rue"),), 1, "broken"),
        (P(form="actions", will=False, actions=("assassin",), who=("Rue",)), (deed_of("acted", what="assassin", who="Dill"),), 1, "open"),
        (P(form="actions", actions=("arson",)), (deed_of("acted", what="arson"),), 1, "kept"),
    ],
)  # fmt: skip
def test_promises_are_judged_by_what_was_done(
    promise: Promise, deeds: tuple[Deed, ...], cycle: int, answer: str
) -> None:
    """NB-M-1, NB-M-2, NB-M-3, NB-M-4, NB-M-5, NB-M-6, NB-M-7, NB-M-8, NB-M-9, NB-M-10, NB-T-10: the program checks what it can; deeds of others
    and of other times do not count."""
    given = in_force(
        start(), mine=(promise,), deeds=(*deeds, Deed(by="TCK", cycle=1, kind="paid", amounts=Stock(money=9)))
    )
    treaty = given.treaties["T100"]
    assert treaties.standing(promise, "Pape", treaty, cycle, FARNA) == answer
    assert list(treaties.faults(proposal(mine=(promise,)), FARNA)) == []


def test_deeds_are_noted_as_they_are_done() -> None:
    """NB-T-10: moves, votes, posts and actions of both parties that a clause may ask for, and nobody else's."""
    position = start()
    pape, fleurs = leader(position, "Pape"), leader(position, "Fleurs")
    home = position.players[pape].home or ""
    asked = (
        Promise(form="enter", will=False, estates=FARNA.estates),
        Promise(form="move", side="remove", estates=(home,)),
        Promise(form="control", side="place", estates=FARNA.estates, things=("spies",)),
    )
    more = (
        Promise(form="actions", actions=("assassin",)),
        Promise(form="votes", who=(fleurs,)),
        Promise(form="battle", factions=("TCK",)),
    )
    idle = in_force(position)
    position = in_force(position, mine=asked, theirs=(KEEP,), ends=(Expiration(form="cycles", number=9),))
    second = in_force(position, mine=more).treaties["T100"]
    position = replace(position, treaties={**position.treaties, "T101": second, "T102": idle.treaties["T100"]})
    near = FARNA.neighbours(home)[0]
    unit = Unit(
        owner=pape,
        formation="regiment",
        at=home,
        companies=("Lancers",),
        leader="company",
        name="Sergeant",
        recruited=0,
    )
    rich = {pape: replace(position.players[pape], stock=Stock(money=8, influence=9))}
    position = replace(position, units={"U1": unit}, players={**position.players, **rich})
    orders = (f"Move U1 to {near}", f"Spy from {home} to {near}", f"Assassin on {fleurs}")
    done = night(
        position,
        **{pape: Sheet(orders=orders), fleurs: Sheet(orders=(f"Spy from {position.players[fleurs].home} to B9",))},
    )
    noted = {
        name: {(deed.by, deed.kind, deed.at, deed.what, deed.who, deed.against) for deed in treaty.deeds}
        for name, treaty in done.position.treaties.items()
    }
    assert noted == {
        "T100": {
            ("Pape", "entered", near, "regiment", "", ""),
            ("Pape", "removed", home, "regiment", "", ""),
            ("Pape", "stands", near, "regiment", "", ""),
            ("Pape", "placed", near, "spies", "", ""),
            ("Pape", "stands", near, "spies", "", ""),
        },
        "T101": {("Pape", "acted", "", "assassin", fleurs, "Fleurs")},
        "T102": set(),
    }
    voted = by_day(done.position, **{pape: Sheet(orders=(f"Vote {fleurs}",)), fleurs: Sheet(orders=(f"Vote {pape}",))})
    assert [deed.who for deed in voted.position.treaties["T101"].deeds if deed.kind == "voted"] == [fleurs]
    # When a treaty is over its ledger is closed.
    ended = night(replace(voted.position, cycle=99)).position.treaties
    assert [(treaty.status, treaty.deeds) for treaty in ended.values()] == [("ended", ())] * 3


def test_a_deed_to_a_unit_counts_for_the_estate_where_the_unit_is() -> None:
    """NB-M-8, NB-M-9: a promise may name the estates, which an order to lead or to leave a unit does not."""
    position = start()
    pape = leader(position, "Pape")
    home = position.players[pape].home or ""
    placed = P(form="control", estates=(home,), things=("commanders",), side="place")
    taken = P(form="withdraw", estates=(home,), things=("commanders",))
    position = in_force(position, mine=(placed, taken))
    unit = Unit(
        owner=pape,
        formation="garrison",
        at=home,
        companies=("Militia",),
        leader="company",
        name="Sergeant",
        recruited=0,
    )
    led = night(replace(position, units={"U1": unit}), **{pape: Sheet(orders=("Lead U1 with pc",))}).position
    left = night(led, **{pape: Sheet(orders=("Leave U1",))}).position
    assert [(deed.kind, deed.at, deed.what) for deed in left.treaties["T100"].deeds] == [
        ("placed", home, "commanders"),
        ("stands", home, "commanders"),
        ("removed", home, "commanders"),
    ]


def test_a_forced_march_is_an_action_like_others() -> None:
    """NB-M-10, NB-X-17: it is on the list, and read with movement."""
    position = in_force(start(), mine=(P(form="actions", actions=("march",)),))
    pape = leader(position, "Pape")
    home = position.players[pape].home or ""
    near = FARNA.neighbours(home)[0]
    unit = Unit(
        owner=pape,
        formation="regiment",
        at=home,
        companies=("Militia",),
        leader="company",
        name="Sergeant",
        recruited=0,
    )
    rich = {pape: replace(position.players[pape], stock=Stock(manpower=2))}
    position = replace(position, units={"U1": unit}, players={**position.players, **rich})
    done = night(position, **{pape: Sheet(orders=(f"March U1 to {near}",))}).position
    assert (
        treaties.standing(done.treaties["T100"].promises["Pape"][0], "Pape", done.treaties["T100"], 1, FARNA) == "kept"
    )


def test_a_line_written_twice_is_one_deed_if_it_succeeds_once() -> None:
    """NB-T-10: there is money for only one assassin."""
    position = in_force(start(), mine=(P(form="actions", actions=("assassin",), number=2),))
    pape, tck = leader(position, "Pape"), leader(position, "TCK")
    rich = {pape: replace(position.players[pape], stock=Stock(money=8))}
    position = replace(position, players={**position.players, **rich})
    done = night(position, **{pape: Sheet(orders=(f"Assassin on {tck}", f"Assassin on {tck}"))})
    assert [verdict.reason for verdict in done.verdicts] == ["struck", "too-poor"]
    assert [deed.what for deed in done.position.treaties["T100"].deeds] == ["assassin"]


# Breaches and penalties ----------------------------------------------------------------------------------------------


def break_promise(**fields: Any) -> tuple[Position, str, str]:
    """A Day when Pape can report that TCK entered E5."""
    deed = Deed(by="TCK", cycle=1, kind="entered", at="E5", what="regiment")
    position = in_force(start(), deeds=(deed,), **fields)
    return position, leader(position, "Pape"), leader(position, "TCK")


def test_a_true_report_is_upheld_and_a_false_one_rejected() -> None:
    """NB-T-6, NB-T-7, NB-T-10."""
    position, pape, tck = break_promise()
    done = by_day(
        position, **{pape: Sheet(orders=("Report T100 promise 1",)), tck: Sheet(orders=("Report T100 promise 1",))}
    )
    assert verdict_of(done, pape) == ("succeeds", "breach", "NB-T-7")
    assert verdict_of(done, tck) == ("fails", "false-report", "NB-T-10")
    assert done.position.treaties["T100"].breaches == (Breach(by="TCK", promise=1, cycle=1),)
    again = by_day(done.position, **{pape: Sheet(orders=("Report T100 promise 1",))})
    assert verdict_of(again, pape) == ("fails", "reported-already", "NB-T-10")
    assert verdict_of(by_day(position, **{pape: Sheet(orders=("Report T100 promise 3",))}), pape)[1] == "no-promise"


def test_a_report_that_cannot_be_checked_needs_a_concession() -> None:
    """NB-T-10: the accused concedes, that Day or later; the breaker may admit their own breach (NB-T-6)."""
    position, pape, tck = break_promise(theirs=(Promise(form="show units", text="Morale of all"),))
    report, concede = Sheet(orders=("Report T100 promise 1",)), Sheet(orders=("Concede T100 promise 1",))
    for sheets in ({pape: report, tck: concede}, {tck: concede}):
        assert by_day(position, **sheets).position.treaties["T100"].breaches == (Breach(by="TCK", promise=1, cycle=1),)


def report_and_wait(**fields: Any) -> tuple[Position, str, str]:
    """Night 2, with a report of Pape's that waits for the host."""
    lasting = {"ends": (Expiration(form="cycles", number=9),)}
    position, pape, tck = break_promise(
        theirs=(Promise(form="show units", text="Morale of all"),), **{**lasting, **fields}
    )
    done = by_day(position, **{pape: Sheet(orders=("Report T100 promise 1",))})
    assert verdict_of(done, pape) == ("succeeds", "waits", "NB-T-10")
    told = [(event.event, event.heard, event.by) for event in done.events if event.event == "reported"]
    assert told == [("reported", tuple(sorted((pape, tck))), "TCK")]
    assert done.position.treaties["T100"].reports == (Report(by="TCK", promise=1),)
    return done.position, pape, tck


def decision(*, broken: bool, **fields: Any) -> host.Decision:
    return host.Decision(**{"treaty": "T100", "by": "TCK", "promise": 1, "broken": broken, **fields})


def test_a_report_that_nobody_can_judge_waits_for_the_host() -> None:
    """FN-10, NB-T-10: the source accepts the report by itself; here the host rules whether it was true."""
    position, pape, tck = report_and_wait()
    (waits,) = host.waits(position)
    assert waits.startswith("Pape reports that TCK broke promise 1 of T100 (“TCK will show: “Morale of all” within")
    assert waits.endswith(
        "`rulings: [{decide: {treaty: T100, by: TCK, promise: 1, broken: true}, reason: WHY}]`, or `broken: false`"
    )
    idle = night(position).position.treaties["T100"]
    assert (idle.reports, idle.breaches) == ((Report(by="TCK", promise=1),), ())
    ruled = host.apply(position, decision(broken=True), "Seen.")
    assert host.waits(ruled) == ()
    rich = {tck: replace(ruled.players[tck], stock=Stock(money=1))}
    done = night(replace(ruled, players={**ruled.players, **rich}))
    told = [(event.event, event.heard) for event in done.events if event.event in {"breached", "paid"}]
    both = tuple(sorted((pape, tck)))
    assert told == [
        ("breached", both),
        ("paid", both),
    ]  # in that very Night, as if it had been reported and upheld by day
    assert done.position.treaties["T100"].breaches == (Breach(by="TCK", promise=1, cycle=1),)
    assert done.position.treaties["T100"].reports == ()
    late = by_day(host.apply(night(position).position, decision(broken=True), "Seen."))
    assert late.position.treaties["T100"].breaches == (Breach(by="TCK", promise=1, cycle=2),)


def test_the_host_can_rule_that_nothing_was_broken() -> None:
    """FN-10, NB-T-10: nothing follows, both leaders hear it, and it can be reported again."""
    position, pape, tck = report_and_wait()
    done = night(host.apply(position, decision(broken=False), "Seen."))
    assert [(event.event, event.heard) for event in done.events if event.event == "dismissed"] == [
        ("dismissed", tuple(sorted((pape, tck))))
    ]
    treaty = done.position.treaties["T100"]
    assert (treaty.reports, treaty.breaches, done.position.factions["TCK"].owed) == ((), (), ())
    again = by_day(done.position, **{pape: Sheet(orders=("Report T100 promise 1",))})
    assert verdict_of(again, pape) == ("succeeds", "waits", "NB-T-10")


def test_a_waiting_report_can_be_conceded_but_not_repeated() -> None:
    """FN-10, NB-T-10, NB-T-6."""
    position, pape, tck = report_and_wait()
    next_day = night(position).position
    again = by_day(next_day, **{pape: Sheet(orders=("Report T100 promise 1",))})
    assert verdict_of(again, pape) == ("fails", "waits-already", "NB-T-10")
    done = by_day(next_day, **{tck: Sheet(orders=("Concede T100 promise 1",))})
    assert verdict_of(done, tck) == ("succeeds", "breach", "NB-T-7")
    assert done.position.treaties["T100"].reports == ()
    assert done.position.treaties["T100"].breaches == (Breach(by="TCK", promise=1, cycle=2),)


def test_a_report_waits_no_longer_than_its_treaty_lasts() -> None:
    """FN-5, FN-10, NB-T-8."""
    position, _, _ = report_and_wait(ends=(TIME,))
    assert night(replace(position, cycle=4)).position.treaties["T100"].reports == ()


def test_the_host_can_rule_only_on_waiting_reports() -> None:
    """FN-10: a wrong decision is refused with the right form."""
    position, _, _ = report_and_wait()
    waits = "; ".join(host.waits(position))
    assert host.faults(position, decision(broken=True)) == ()
    assert [fault.right for fault in host.faults(position, decision(broken=True, treaty="T999"))] == [waits]
    assert [fault.right for fault in host.faults(position, decision(broken=True, by="Pape"))] == [waits]
    assert [fault.right for fault in host.faults(start(), decision(broken=True))] == ["no report is waiting"]
    assert host.tell(decision(broken=False)) == "TCK did not break promise 1 of T100."


def report_breach(penalty: Penalty, **fields: Any) -> tuple[Position, str, str]:
    position, pape, tck = break_promise(penalties=(penalty,), **fields)
    return by_day(position, **{pape: Sheet(orders=("Report T100 promise 1",))}).position, pape, tck


@pytest.mark.parametrize(("form", "rule"), [("ends", "NB-N-1"), ("lasts", "NB-N-4")])
def test_a_treaty_ends_the_agreed_number_of_cycles_after_the_report(form: str, rule: str) -> None:
    """NB-N-1, NB-N-4: reported in cycle 1, it ends with step 1 of cycle 3, though its own time was over in cycle 2."""
    position, _, _ = report_breach(Penalty(form=form, cycles=2), ends=(Expiration(form="cycles", number=1),))
    at_two = night(position).position.treaties["T100"].status
    assert at_two == ("in force" if form == "lasts" else "ended")
    if form == "lasts":
        done = night(replace(position, cycle=3))
        assert [event.rule for event in done.events if event.event == "treaty_ended"] == [rule]


def test_a_breaker_pays_and_owes_what_is_missing() -> None:
    """NB-N-2, NB-L-9: in each of two cycles."""
    position, pape, tck = report_breach(
        Penalty(form="pays", amounts=Stock(money=3), cycles=2, each=True), ends=(Expiration(form="cycles", number=9),)
    )
    assert position.factions["TCK"].owed[0].amount == Stock(money=3)
    position = replace(
        position, players={**position.players, tck: replace(position.players[tck], stock=Stock(money=4))}
    )
    paid = night(position)
    assert [paid.position.players[seat].stock.money for seat in (pape, tck)] == [3, 1]
    assert [debt.due for debt in paid.position.factions["TCK"].owed] == [3]
    later = night(replace(paid.position, cycle=3)).position
    assert [later.players[seat].stock.money for seat in (pape, tck)] == [4, 0]
    assert [debt.amount for debt in later.factions["TCK"].owed] == [Stock(money=2)]


def test_a_payment_within_some_cycles_is_due_in_the_last() -> None:
    """FN-5, NB-N-2: within three cycles, and the treaty outlasts them."""
    position, pape, tck = report_breach(
        Penalty(form="pays", amounts=Stock(money=3), cycles=3), ends=(Expiration(form="cycles", number=9),)
    )
    rich = {tck: replace(position.players[tck], stock=Stock(money=3))}
    position = replace(position, players={**position.players, **rich})
    paid = []
    for cycle in (2, 3, 4):
        position = night(replace(position, cycle=cycle)).position
        paid.append(position.players[pape].stock.money)
    assert paid == [0, 0, 3]


@pytest.mark.parametrize(
    "penalty",
    [
        Penalty(form="pays", amounts=Stock(money=1), cycles=9),
        Penalty(form="pays", amounts=Stock(money=1), cycles=9, each=True),
        Penalty(form="acts", action="assassin", who=("Hyssop", "Fennel", "Lovage", "Anise", "Basil", "Borage")),
        Penalty(form="acts"),
        Penalty(form="votes", who=("Rue",), number=3, cycles=9),
    ],
)
def test_penalties_end_with_their_treaty(penalty: Penalty) -> None:
    """FN-5, NB-T-8: after its end all clauses are null and void."""
    position, pape, tck = report_breach(penalty, ends=(Expiration(form="cycles", number=1),))
    faction = position.factions["TCK"]
    assert faction.owed or faction.penance or faction.forced or position.treaties["T100"].unnamed
    rich = {seat: replace(position.players[seat], stock=Stock(money=9)) for seat in (pape, tck)}
    done = night(replace(position, players={**position.players, **rich}))
    assert done.position.treaties["T100"].status == "ended"
    assert done.position.treaties["T100"].unnamed == ()
    over = done.position.factions["TCK"]
    assert (over.owed, over.penance, over.forced) == ((), (), ())
    assert [event.event for event in done.events if event.event in {"paid", "wounded"}] == []


def test_penalties_of_other_treaties_stay() -> None:
    """FN-5, NB-T-8: demands of another treaty's penalty remain."""
    position, _, _ = report_breach(FINE, ends=(Expiration(form="cycles", number=1),))
    other = Debt(to="Fleurs", amount=Stock(money=2), treaty="T200", due=9)
    mine = position.factions["TCK"]
    position = replace(position, factions={**position.factions, "TCK": replace(mine, owed=(*mine.owed, other))})
    assert night(position).position.factions["TCK"].owed == (other,)


def test_a_fine_does_not_count_as_a_promised_payment() -> None:
    """NB-M-2, NB-N-2."""
    position, _, tck = report_breach(FINE)
    rich = {tck: replace(position.players[tck], stock=Stock(money=1))}
    done = night(replace(position, players={**position.players, **rich}))
    assert [event.event for event in done.events if event.event == "paid"] == ["paid"]
    assert [deed.kind for deed in done.position.treaties["T100"].deeds] == ["entered"]


def test_a_breakers_leader_strikes_their_own_player() -> None:
    """NB-N-3: the first of the leader's step 4 orders, without an Envoy; it waits until they can pay."""
    position, _, tck = break_promise()
    victim = next(seat for seat in members(position, "TCK") if seat != tck)
    position, _, _ = report_breach(Penalty(form="acts", action="assassin", who=(victim,)))
    waiting = night(position).position
    assert (waiting.players[victim].wounds, len(waiting.factions["TCK"].penance)) == (0, 1)
    rich = {**waiting.players, tck: replace(waiting.players[tck], stock=Stock(money=9))}
    done = night(replace(waiting, players=rich)).position
    assert (done.players[victim].wounds, done.factions["TCK"].penance, done.players[tck].stock) == (
        1,
        (),
        Stock(money=1),
    )


def strike(action: str, victim: str, position: Position, tck: str) -> Position:
    """The Night after, with Spies of the leader where they may be needed and money for everything."""
    home = position.players[victim].home or ""
    first, second, *others = position.players[tck].courtiers
    spies = (replace(first, post="spy", at=home), replace(second, post="spy", at=home), *others)
    rich = replace(position.players[tck], stock=Stock(money=20, influence=9), courtiers=spies)
    victims = replace(position.players[victim], unit="U1")
    unit = Unit(owner=victim, formation="regiment", at=home, companies=("Militia",), leader="pc", recruited=0)
    estates = {**position.estates, home: Holding(by=victim, buildings={"arsenal": 0})}
    players = {**position.players, tck: rich, victim: victims}
    return replace(position, players=players, units={"U1": unit}, estates=estates)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("assassin", "X-11"), ("knife", "X-13"), ("poison", "X-10"), ("arson", "X-8"), ("bribery", "X-9"),
        ("incapacitate", "X-12"), ("marriage", "X-3"),
    ],
)  # fmt: skip
def test_a_penalty_can_demand_any_action_on_a_player(action: str, told: str) -> None:
    """FN-11, NB-N-3, NB-T-14: against the player's own; the leader needs a Spy where others would, but no Envoy."""
    position, _, tck = break_promise()
    victim = next(seat for seat in members(position, "TCK") if seat != tck)
    lasting = (Expiration(form="cycles", number=9),)
    position, _, _ = report_breach(Penalty(form="acts", action=action, who=(victim,)), ends=lasting)
    assert len(night(position).position.factions["TCK"].penance) == 1  # it waits for as long as they cannot
    done = night(strike(action, victim, position, tck))
    assert [(verdict.result, verdict.rule) for verdict in done.verdicts if verdict.seat == tck] == [
        ("succeeds", f"NB-{told}")
    ]
    assert done.position.factions["TCK"].penance == ()


def test_an_action_that_a_penalty_demands_hits_no_heir() -> None:
    """FN-11, NB-T-14, NB-P-6: incapacitate is not spent on a unit that an Heir leads."""
    position, _, tck = break_promise()
    victim = next(seat for seat in members(position, "TCK") if seat != tck)
    lasting = (Expiration(form="cycles", number=9),)
    position, _, _ = report_breach(Penalty(form="acts", action="incapacitate", who=(victim,)), ends=lasting)
    position = strike("incapacitate", victim, position, tck)
    led = replace(position.players[victim], unit=None, heir=Heir(other="Pape", unit="U1"), had_heir=True)
    unit = replace(position.units["U1"], leader="heir")
    position = replace(position, units={"U1": unit}, players={**position.players, victim: led})
    done = night(position).position
    assert (done.units["U1"].leader, len(done.factions["TCK"].penance)) == ("heir", 1)
    assert done.players[tck].stock == position.players[tck].stock


def test_every_action_that_can_be_demanded_is_tried() -> None:
    """FN-11, NB-T-14."""
    assert set(treaties.DEMANDED) == {*treaties.AGAINST} - {"hostages"}


@pytest.mark.parametrize("by", ["breaker", "wronged"])
@pytest.mark.parametrize(("action", "fixed"), [("", False), ("assassin", False), ("", True), ("knife", True)])
def test_the_open_parts_of_a_penalty_are_named_after_the_report(by: str, action: str, fixed: bool) -> None:
    """FN-11, NB-N-3, NB-T-14: action and player are fixed at signing or named at the report, by the one leader or the other."""
    position, pape, tck = break_promise()
    victim = next(seat for seat in members(position, "TCK") if seat != tck)
    whom = (victim,) if fixed else ()
    penalty = Penalty(form="acts", action=action, who=whom, by=by)  # type: ignore[arg-type]  # one of two
    position, _, _ = report_breach(penalty, ends=(Expiration(form="cycles", number=9),))
    wanted = Penance(action=action or "assassin", who=victim, treaty="T100")
    if action and fixed:
        assert position.factions["TCK"].penance == (wanted,)
        return
    position = replace(position, cycle=2)
    named = Sheet(orders=(f"Choose {action or 'assassin'} on {victim} under T100",))
    mine, other = (tck, pape) if by == "breaker" else (pape, tck)
    for seat, reason in ((mine, "chosen"), (other, "nothing-to-name")):
        done = by_day(position, **{seat: named})
        assert verdict_of(done, seat)[1:] == (reason, "NB-N-3")
        assert done.position.factions["TCK"].penance == ((wanted,) if seat == mine else ())
        assert len(done.position.treaties["T100"].unnamed) == (seat != mine)
    # A leader who lets the Day after the report pass leaves it to the other as well.
    late = by_day(replace(position, cycle=3), **{other: named})
    assert late.position.factions["TCK"].penance == (wanted,)
    twice = by_day(late.position, **{mine: named})
    assert verdict_of(twice, mine)[1] == "nothing-to-name"
    if action:
        wrong = Sheet(orders=(f"Choose bribery on {victim} under T100",))
        assert verdict_of(by_day(position, **{mine: wrong}), mine)[1] == "nothing-to-name"


def test_naming_a_player_does_not_reveal_their_faction() -> None:
    """FN-11, NB-T-14, NB-C-9: the wronged leader hears the same for any name; the breaker's leader knows their own players."""
    position, pape, tck = break_promise()
    penalty = Penalty(form="acts", action="assassin", by="wronged")
    position, _, _ = report_breach(penalty, ends=(Expiration(form="cycles", number=9),))
    said = []
    for who in (members(position, "TCK")[0], members(position, "Alliance")[0]):
        done = by_day(position, **{pape: Sheet(orders=(f"Choose assassin on {who} under T100",))})
        (verdict,) = (verdict for verdict in done.verdicts if verdict.seat == pape)
        said.append((verdict.result, verdict.reason, verdict.facts))
        assert seen_by(done.position, pape).treaties["T100"].unnamed == ()
    assert said[0] == said[1]
    stranger = Sheet(orders=(f"Choose assassin on {pape} under T100",))
    own, _, _ = report_breach(replace(penalty, by="breaker"), ends=(Expiration(form="cycles", number=9),))
    assert verdict_of(by_day(own, **{tck: stranger}), tck) == ("fails", "not-of-faction", "NB-N-3")
    # Against a player of another faction it has no effect.
    rich = {**done.position.players, tck: replace(done.position.players[tck], stock=Stock(money=9))}
    nothing = night(replace(done.position, players=rich))
    assert [event.event for event in nothing.events if event.event == "wounded"] == []
    assert nothing.position.factions["TCK"].penance == ()


def test_a_breaker_reveals_true_facts_only_to_the_wronged_leader() -> None:
    """NB-N-5."""
    position, pape, tck = break_promise(penalties=(Penalty(form="reveals", facts=("roles", "estates")),))
    done = by_day(position, **{pape: Sheet(orders=("Report T100 promise 1",))})
    (event,) = (event for event in done.events if event.event == "revealed")
    assert event.heard == (pape,)
    roles = [f"{seat} is {position.players[seat].role}" for seat in members(position, "TCK")]
    estates = [f"{seat} controls {position.players[seat].home}" for seat in members(position, "TCK")]
    assert sorted(event.facts) == sorted(roles + estates)
    assert tck in members(position, "TCK")


@pytest.mark.parametrize("will", [True, False])
def test_a_breakers_votes_are_set_or_left_out(will: bool) -> None:
    """NB-N-6."""
    position = start()
    target = members(position, "Fleurs")[0]
    position, _, tck = report_breach(Penalty(form="votes", who=(target,), number=2, will=will, cycles=1))
    own = {seat: Sheet(orders=(f"Vote {target}",)) for seat in members(position, "TCK")}
    done = by_day(replace(position, cycle=2), **({} if will else own))
    (event,) = (event for event in done.events if event.event == "voted")
    ordered = sorted(members(position, "TCK"), key=lambda seat: (seat != tck, seat))
    forced, free = ordered[:2], ordered[2:]
    assert event.votes == tuple(sorted((seat, target) for seat in (forced if will else free)))
    assert done.position.factions["TCK"].forced == ()


@pytest.mark.parametrize("will", [True, False])
def test_votes_are_free_on_the_day_of_the_report(will: bool) -> None:
    """NB-N-6, NB-T-10: a penalty starts with the next Night."""
    position, pape, tck = break_promise(penalties=(Penalty(form="votes", who=("Rue",), number=3, will=will, cycles=1),))
    votes = Sheet(orders=("Vote Rue",))
    sheets = {pape: Sheet(orders=("Report T100 promise 1",))} | ({} if will else {tck: votes})
    (event,) = (event for event in by_day(position, **sheets).events if event.event == "voted")
    assert event.votes == (() if will else ((tck, "Rue"),))


# Ends --------------------------------------------------------------------------------------------------------------


def ends_at(position: Position, cycle: int) -> str | None:
    done = night(replace(position, cycle=cycle))
    return next((event.rule for event in done.events if event.event == "treaty_ended"), None)


def test_every_expiration_ends_its_treaty() -> None:
    """NB-Z-1 to NB-Z-7, NB-T-8, NB-T-11: one that is met is enough."""
    first = start()
    lasting = {"ends": (Expiration(form="cycles", number=9),)}

    def with_end(end: Expiration, **fields: Any) -> Position:
        return in_force(first, **{**lasting, "ends": (end, Expiration(form="cycles", number=9)), **fields})

    assert [ends_at(with_end(Expiration(form="cycles", number=2)), cycle) for cycle in (2, 3)] == [None, "NB-Z-1"]
    short = {"mine": (replace(KEEP, cycles=1),), "theirs": (replace(KEEP, cycles=1),)}
    assert [ends_at(with_end(Expiration(form="all kept"), **short), cycle) for cycle in (1, 2)] == [None, "NB-Z-2"]
    assert ends_at(with_end(Expiration(form="all kept"), declared=("Pape", "TCK")), 1) == "NB-Z-2"
    assert ends_at(with_end(Expiration(form="one kept"), declared=("Pape",)), 1) is None
    assert (
        ends_at(with_end(Expiration(form="one kept"), declared=("Pape",), mine=(replace(KEEP, cycles=1),)), 2)
        == "NB-Z-3"
    )
    assert ends_at(with_end(Expiration(form="members", faction="TCK", number=4)), 2) == "NB-Z-4"
    assert ends_at(with_end(Expiration(form="members", faction="TCK", number=3)), 2) is None
    for against, rule in (("Pape", "NB-Z-5"), ("Fleurs", None), ("", None)):
        struck = (Deed(by="TCK", cycle=1, kind="acted", what="arson", against=against),)
        assert ends_at(with_end(Expiration(form="action", action="arson"), deeds=struck), 2) == rule
    held = with_end(Expiration(form="reaches", faction="Pape", number=1))
    assert ends_at(held, 2) is None
    assert ends_at(replace(held, estates={**held.estates, "E5": Holding(by="Pape")}), 2) == "NB-Z-6"
    assert (
        ends_at(with_end(Expiration(form="breach", number=2), breaches=(Breach(by="TCK", promise=1, cycle=1),)), 2)
        is None
    )
    assert (
        ends_at(with_end(Expiration(form="breach", number=2), breaches=(Breach(by="TCK", promise=1, cycle=1),)), 3)
        == "NB-Z-7"
    )
    late = with_end(Expiration(form="breach", number=2, when="end"), breaches=(Breach(by="TCK", promise=1, cycle=1),))
    assert [ends_at(late, cycle) for cycle in (2, 3)] == [None, "NB-Z-7"]  # after step 10 of Night 3


def test_a_later_report_postpones_the_end() -> None:
    """NB-N-4, NB-T-17: with `lasts` the treaty goes on until so many cycles after the last report."""
    first, second = Breach(by="TCK", promise=1, cycle=1), Breach(by="Pape", promise=1, cycle=3)
    usual = {"penalties": (Penalty(form="lasts", cycles=2),), "ends": (Expiration(form="cycles", number=1),)}
    once = in_force(start(), **usual, breaches=(first,))
    assert [ends_at(once, cycle) for cycle in (2, 3)] == [None, "NB-N-4"]
    twice = in_force(start(), **usual, breaches=(first, second))
    assert [ends_at(twice, cycle) for cycle in (3, 4, 5)] == [None, None, "NB-N-4"]


def test_kills_are_deaths_on_the_other_side() -> None:
    """NB-Z-6, NB-T-15: deaths in the third faction do not count, nor do those on the killer's side."""
    for victim, rule in (("TCK", "NB-Z-6"), ("Fleurs", None), ("Pape", None)):
        end = Expiration(form="reaches", faction="Pape", what="kills", number=1)
        position = in_force(start(), ends=(end, Expiration(form="cycles", number=9)))
        doomed = next(seat for seat in members(position, victim) if seat != leader(position, victim))
        votes = {seat: Sheet(orders=(f"Vote {doomed}",)) for seat in position.players}
        after = by_day(position, **votes).position
        assert not after.players[doomed].alive
        assert ends_at(after, after.cycle) == rule, victim


@pytest.mark.parametrize(("victim", "rule"), [("TCK", "NB-Z-5"), ("Fleurs", None)])
@pytest.mark.parametrize("kind", ["marriage", "hostages"])
def test_an_offer_has_succeeded_when_it_is_accepted(kind: str, victim: str, rule: str | None) -> None:
    """FN-11, NB-Z-5, NB-T-17, NB-X-18."""
    position = in_force(start(), ends=(Expiration(form="action", action=kind),))
    pape, target = leader(position, "Pape"), leader(position, victim)
    rich = replace(position.players[pape], stock=Stock(influence=3))
    position = replace(position, players={**position.players, pape: rich})
    if kind == "hostages":
        wed = {seat: replace(position.players[seat], married=other) for seat, other in ((pape, target), (target, pape))}
        position = replace(position, players={**position.players, **wed})
    offered = night(position, **{pape: Sheet(orders=(f"Offer {kind} to {target}",))})
    assert ends_at(offered.position, 2) is None
    accepted = by_day(offered.position, **{target: Sheet(orders=(f"Accept {kind} of {pape}",))}).position
    agreed = night(accepted).position
    assert agreed.treaties["T100"].status == "in force"
    assert ends_at(agreed, 3) == rule


@pytest.mark.parametrize(("victim", "rule"), [("TCK", "NB-Z-5"), ("Fleurs", None)])
@pytest.mark.parametrize("action", ["assassin", "bribery", "incapacitate"])
def test_an_action_is_done_to_one_faction(action: str, victim: str, rule: str | None) -> None:
    """NB-Z-5: by one against the other: a player, an estate, a unit of theirs."""
    position = in_force(start(), ends=(Expiration(form="action", action=action),))
    pape, target = leader(position, "Pape"), leader(position, victim)
    home = position.players[target].home or ""
    spy, *others = position.players[pape].courtiers
    rich = replace(position.players[pape], stock=Stock(money=8), courtiers=(replace(spy, post="spy", at=home), *others))
    unit = Unit(owner=target, formation="regiment", at=home, companies=("Militia",), leader="pc", recruited=0)
    led = replace(position.players[target], unit="U1")
    position = replace(position, players={**position.players, pape: rich, target: led}, units={"U1": unit})
    lines = {
        "assassin": f"Assassin on {target}", "bribery": f"Bribery at {home} for money", "incapacitate": "Incapacitate U1",
    }  # fmt: skip
    done = night(position, **{pape: Sheet(orders=(lines[action],))})
    assert verdict_of(done, pape)[0] == "succeeds"
    assert ends_at(done.position, 2) == rule


def test_a_leader_declares_the_end_of_a_treaty_by_day() -> None:
    """NB-Z-3, NB-Y-5."""
    position = in_force(start())
    pape = leader(position, "Pape")
    done = by_day(position, **{pape: Sheet(orders=("Declare end of T100",))})
    assert verdict_of(done, pape) == ("succeeds", "declared", "NB-Z-3")
    assert done.position.treaties["T100"].declared == ("Pape",)


def test_a_treaty_of_a_faction_that_is_gone_is_void() -> None:
    """NB-P-17."""
    position = in_force(start())
    gone = replace(position, factions={**position.factions, "TCK": replace(position.factions["TCK"], leader=None)})
    assert ends_at(gone, 2) == "NB-P-17"
    signed = replace(gone.treaties["T100"], status="signed", starts=1, began=None)
    assert night(replace(gone, treaties={"T100": signed})).position.treaties == {}


# States on the board -------------------------------------------------------------------------------------------------


def meeting(state: str | None, at: str, by: str | None, *orders: str) -> tuple[Resolution[Position, Any], str]:
    """A regiment of Pape enters where TCK has one (or only the estate), under a treaty of this state."""
    position = start()
    pape, tck = leader(position, "Pape"), leader(position, "TCK")
    if state is not None:
        position = in_force(position, state=state, ends=(Expiration(form="cycles", number=9),))
    near = FARNA.neighbours(at)[0]

    def unit(owner: str, estate: str) -> Unit:
        return Unit(
            owner=owner,
            formation="regiment",
            at=estate,
            companies=("Militia",),
            leader="company",
            name="Sergeant",
            recruited=0,
        )

    units = {"U1": unit(pape, near), "U2": unit(tck, at)}
    estates = {**position.estates} | ({at: Holding(by=by)} if by else {})
    position = replace(position, units=units, estates=estates)
    return night(position, **{pape: Sheet(orders=orders or (f"Move U1 to {at}",))}), pape


@pytest.mark.parametrize(
    ("state", "by", "fights"),
    [
        (None, "TCK", True), (None, None, True),  # NB-H-2
        ("neutral", "TCK", False),  # NB-H-5
        ("neutral", None, True),  # NB-H-3
        ("neutral", "Fleurs", True),  # NB-H-4
        ("allied", "TCK", False), ("allied", None, False), ("allied", "Fleurs", False),  # NB-H-10
    ],
)  # fmt: skip
def test_treaties_decide_who_fights_whom(state: str | None, by: str | None, fights: bool) -> None:
    """NB-H-2 to NB-H-5, NB-H-10."""
    done, _ = meeting(state, "E5", by)
    assert any(event.event == "rumour" for event in done.events) == fights
    assert done.position.units["U1"].at == "E5" if not fights else True


def test_a_request_ends_the_treaties_and_makes_the_factions_hostile() -> None:
    """NB-H-5, NB-H-7, NB-H-8, NB-H-9: asked for on the owner's estate; void elsewhere."""
    done, pape = meeting("neutral", "E5", "TCK", "Move U1 to E5 asking battle")
    assert verdict_of(done, pape) == ("succeeds", "challenged", "NB-H-7")
    assert done.position.treaties["T100"].status == "ended"
    assert any(event.event == "rumour" for event in done.events)
    void, pape = meeting("neutral", "E5", "Fleurs", "Move U1 to E5 asking battle")
    assert verdict_of(void, pape)[:2] == ("succeeds", "challenged")
    assert void.position.treaties["T100"].status == "in force"
    allied, pape = meeting("allied", "E5", "TCK", "Move U1 to E5 asking conquest")
    assert verdict_of(allied, pape) == ("void", "allied", "NB-H-10")
    nobodys, pape = meeting("neutral", "E5", None, "Move U1 to E5 asking battle")
    assert verdict_of(nobodys, pape) == ("void", "request-void", "NB-H-8")


def test_breaches_of_a_treaty_that_a_request_ended_cannot_be_reported() -> None:
    """FN-5, NB-H-9, NB-T-8: with the treaty all its clauses are null and void."""
    done, _ = meeting("neutral", "E5", "TCK", "Move U1 to E5 asking battle")
    tck, report = leader(done.position, "TCK"), Sheet(orders=("Report T100 promise 1",))
    assert verdict_of(by_day(done.position, **{tck: report}), tck) == ("illegal", "no-treaty", "NB-T-10")


def test_an_ally_does_not_fight_and_counts_for_a_joint_victory() -> None:
    """NB-V-11, NB-H-11: an Ally's unit defends, and counts for a joint victory."""
    position = in_force(start(), state="allied")
    world = Work(position, {}, DICE)
    assert world.relation("Pape", "TCK") == "allied"
    assert not world.must_fight("E5", "Pape", "TCK")
    prizes = {"E5": Holding(by="Pape"), "E6": Holding(by="Pape"), "F5": Holding(by="TCK"), "F6": Holding(by="TCK")}
    done = night(replace(position, estates={**position.estates, **prizes}))
    assert done.ended is not None
    assert (done.ended.how, done.ended.rule) == ("alliance", "NB-V-2")
    assert set(done.ended.winners) == {*members(position, "Pape"), *members(position, "TCK")}
    three = {**prizes, "F5": Holding(by="Pape")}
    done = night(replace(position, estates={**position.estates, **three}))
    assert done.ended is not None
    assert (done.ended.how, set(done.ended.winners)) == ("military", set(members(position, "Pape")))
