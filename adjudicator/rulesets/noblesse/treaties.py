"""Treaties: the listed forms of clauses, signing, deeds, breaches, penalties and ends (NB-T, M, N, Z).

A leader proposes a treaty as data on their sheet, and the other leader signs it. Every form has its blanks. A clause with
a missing or an extra blank is faulty.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Literal, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.seen import Everybody, InFull, Nobody
from adjudicator.core.text.codec import Flag, Forms, Whole, by_form, field_text, record
from adjudicator.core.text.problems import nearest
from adjudicator.rulesets.noblesse.scenario import Scenario, Stock, tables

State = Literal["neutral", "allied"]
Thing = Literal["units", "spies", "tax collectors", "stewards", "commanders", "structures"]
Number = Annotated[Whole, Choice(ge=1, le=100)]


class PromiseForm(StrEnum):
    """Forms of promises (NB-M)."""

    ENTER = "enter"
    PAY = "pay"
    MOVE = "move"
    SHOW_UNITS = "show units"
    SHOW_PLAYERS = "show players"
    VOTES = "votes"
    BATTLE = "battle"
    CONTROL = "control"
    WITHDRAW = "withdraw"
    ACTIONS = "actions"


class PenaltyForm(StrEnum):
    """Forms of penalties for a breach (NB-N)."""

    ENDS = "ends"
    PAYS = "pays"
    ACTS = "acts"
    LASTS = "lasts"
    REVEALS = "reveals"
    VOTES = "votes"
    TREATIES = "treaties"


class EndForm(StrEnum):
    """Forms of a treaty's end (NB-Z)."""

    CYCLES = "cycles"
    ALL_KEPT = "all kept"
    ONE_KEPT = "one kept"
    MEMBERS = "members"
    ACTION = "action"
    REACHES = "reaches"
    BREACH = "breach"


@dataclass(frozen=True, slots=True)
class Form:
    """A listed form of clause: its rule, its required and optional blanks, and whether the program can check it."""

    rule: str
    must: frozenset[str]
    may: frozenset[str]
    checked: bool = True


def _form(rule: str, must: str = "", may: str = "", *, checked: bool = True) -> Form:
    return Form(rule, frozenset(must.split()), frozenset(may.split()), checked)


PROMISES: Mapping[PromiseForm, Form] = {
    PromiseForm.ENTER: _form("M-1", "estates", "units every"),
    PromiseForm.PAY: _form("M-2", "amounts"),
    PromiseForm.MOVE: _form("M-3", "side estates", "units every"),
    PromiseForm.SHOW_UNITS: _form("M-4", "text", "who estates", checked=False),
    PromiseForm.SHOW_PLAYERS: _form("M-5", "text", "who", checked=False),
    PromiseForm.VOTES: _form("M-6", "who", "number"),
    PromiseForm.BATTLE: _form("M-7", "", "factions who text"),
    PromiseForm.CONTROL: _form("M-8", "estates", "side things buildings number"),
    PromiseForm.WITHDRAW: _form("M-9", "things", "side estates buildings number"),
    PromiseForm.ACTIONS: _form("M-10", "actions", "who"),
}
PENALTIES: Mapping[PenaltyForm, Form] = {
    PenaltyForm.ENDS: _form("N-1", "cycles"),
    PenaltyForm.PAYS: _form("N-2", "amounts", "cycles each"),
    PenaltyForm.ACTS: _form("N-3", "", "action who by"),
    PenaltyForm.LASTS: _form("N-4", "cycles"),
    PenaltyForm.REVEALS: _form("N-5", "facts", "who"),
    PenaltyForm.VOTES: _form("N-6", "who number", "will cycles"),
    PenaltyForm.TREATIES: _form("N-7", "factions", "will forms"),
}
EXPIRATIONS: Mapping[EndForm, Form] = {
    EndForm.CYCLES: _form("Z-1", "number"),
    EndForm.ALL_KEPT: _form("Z-2"),
    EndForm.ONE_KEPT: _form("Z-3"),
    EndForm.MEMBERS: _form("Z-4", "faction number"),
    EndForm.ACTION: _form("Z-5", "action"),
    EndForm.REACHES: _form("Z-6", "faction number", "what of besides"),
    EndForm.BREACH: _form("Z-7", "number", "when"),
}
OFFERED = ("marriage", "hostages")
"""Actions that are offers. They succeed when they are accepted (NB-X-18)."""
AGAINST = ("assassin", "knife", "poison", "arson", "bribery", "incapacitate", *OFFERED)
"""Actions against somebody. Their success can end a treaty (NB-Z-5)."""
DEMANDED = ("assassin", "knife", "poison", "arson", "bribery", "incapacitate", "marriage")
"""Actions that a penalty can make a leader take against a player of their faction (NB-N-3, NB-T-14)."""
PROMISE_FORMS: Forms = {
    form.value: (listed.must, listed.may | {"will", "cycles", "each"}) for form, listed in PROMISES.items()
}
"""Form of a promise -> its required and its optional blanks. Every form has `will`, `cycles` and `each`."""
PENALTY_FORMS: Forms = {form.value: (listed.must, listed.may) for form, listed in PENALTIES.items()}
EXPIRATION_FORMS: Forms = {form.value: (listed.must, listed.may) for form, listed in EXPIRATIONS.items()}
Kind = Annotated[str, Choice(json_schema_extra={"enum": list(PROMISE_FORMS)})]
"""A form of promise. Editors offer the listed forms; any other one is reported with the treaty's other faults."""


@by_form("form", PROMISE_FORMS)
@record
class Promise:
    """A promise in one of the listed forms (NB-M). It holds for `cycles` cycles; with `each`, it falls due in every one of them."""

    form: Annotated[str, field_text("The listed forms are NB-M-1 to M-10.", title="What is promised")]
    will: Annotated[Flag, field_text("If not, the promise is not to do it.", title="It will be done")] = True
    estates: Annotated[
        tuple[str, ...], field_text("Such as B3; B is a whole row, and 3 a whole column.", title="Estates")
    ] = ()
    units: Annotated[tuple[str, ...], field_text("If left empty, any formation.", title="Formations")] = ()
    every: Annotated[Flag, field_text("If not, any one of them is meant.", title="All units of these formations")] = (
        False
    )
    amounts: Stock = Stock()
    side: Annotated[
        Literal["place", "remove"] | None,
        field_text(
            "To place means to go there or to build; to remove means to leave or to take away.", title="Place or remove"
        ),
    ] = None
    text: Annotated[
        str, Choice(max_length=300), field_text("What is shown, or what the battle is for.", title="In words")
    ] = ""
    who: Annotated[tuple[str, ...], field_text(title="Players")] = ()
    factions: Annotated[
        tuple[str, ...],
        field_text("In a promise of battle, leave both players and factions empty for anybody.", title="Factions"),
    ] = ()
    things: Annotated[
        tuple[Thing, ...], field_text("In a promise of control, leave it empty for the estate itself.", title="Of what")
    ] = ()
    buildings: Annotated[
        tuple[str, ...], field_text("Kinds of structure; if left empty, any kind.", title="Buildings")
    ] = ()
    actions: Annotated[
        tuple[str, ...], field_text("By their names in the rules, such as `arson`.", title="Actions")
    ] = ()
    number: Annotated[Number, field_text(title="How many, or how often")] = 1
    cycles: Annotated[Number, field_text("How many it holds for, or within how many it is done.", title="Cycles")] = 1
    each: Annotated[Flag, field_text(title="Again in each of these cycles")] = False

    @property
    def listed(self) -> PromiseForm:
        """Its listed form. A clause with any other form never gets into a treaty (NB-T-3)."""
        return PromiseForm(self.form)


@by_form("form", PENALTY_FORMS)
@record
class Penalty:
    """A penalty for a reported breach (NB-N)."""

    form: Annotated[str, field_text("The listed forms are NB-N-1 to N-7.", title="The penalty")]
    cycles: Annotated[Number | None, field_text("Counted from the report.", title="Cycles")] = None
    amounts: Stock = Stock()
    each: Annotated[Flag, field_text(title="Again in each of these cycles")] = False
    action: Annotated[
        str, field_text("If left empty, it is named after the report (NB-N-3, NB-T-14).", title="The action")
    ] = ""
    who: Annotated[
        tuple[str, ...],
        field_text("In a penalty that acts, leave it empty to name a player after the report.", title="Players"),
    ] = ()
    by: Annotated[Literal["breaker", "wronged"], field_text(title="Whose leader names what is left empty here")] = (
        "breaker"
    )
    facts: Annotated[tuple[Literal["roles", "estates", "units"], ...], field_text(title="What is revealed")] = ()
    number: Annotated[Number, field_text(title="How many")] = 1
    will: Annotated[Flag, field_text("If not, it must not be done.", title="It must be done")] = True
    factions: tuple[str, ...] = ()
    forms: Annotated[
        tuple[Kind, ...], field_text("If left empty, any form.", title="Treaties with promises of these forms")
    ] = ()

    @property
    def listed(self) -> PenaltyForm:
        """Its listed form. A clause with any other form never gets into a treaty (NB-T-3)."""
        return PenaltyForm(self.form)


Reach = Literal["prizes", "nobles", "kills"]
"""Things that a side may have to reach (NB-Z-6)."""


@record
class Reached:
    """How many of each a side must have reached (NB-Z-6); 0 if it does not matter."""

    prizes: Annotated[Whole, field_text(title="Winning estates")] = 0
    nobles: Annotated[Whole, field_text(title="Nobles")] = 0
    kills: Annotated[Whole, field_text(title="Kills")] = 0

    def wanted(self) -> dict[Reach, int]:
        """Thing to reach -> how many of it."""
        counts: dict[Reach, int] = {"prizes": self.prizes, "nobles": self.nobles, "kills": self.kills}
        return {what: count for what, count in counts.items() if count}


@by_form("form", EXPIRATION_FORMS)
@record
class Expiration:
    """A condition that ends a treaty; one of them is enough (NB-Z, NB-T-11)."""

    form: Annotated[str, field_text("The listed forms are NB-Z-1 to Z-7.", title="When it ends")]
    number: Annotated[Number, field_text("Number of cycles, of members, or of things to reach.", title="How many")] = 1
    faction: str = ""
    action: Annotated[str, field_text("By its name in the rules, such as `arson`.", title="The action")] = ""
    what: Annotated[Reach, field_text(title="Of what")] = "prizes"
    of: Annotated[
        str, field_text("The faction whose players are killed; if left empty, the other side.", title="Kills among")
    ] = ""
    besides: Annotated[Reached, field_text("It must have reached these numbers as well.", title="And also")] = Reached()
    when: Annotated[Literal["start", "end"], field_text(title="At the start or the end of the cycle")] = "start"

    def wanted(self) -> dict[Reach, int]:
        """Everything that a side must reach -> how many of it (NB-Z-6)."""
        return {self.what: self.number, **self.besides.wanted()}

    @property
    def listed(self) -> EndForm:
        """Its listed form. A clause with any other form never gets into a treaty (NB-T-3)."""
        return EndForm(self.form)


Some = Choice(min_length=1, max_length=3)


@record
class Proposal:
    """A treaty that a leader proposes on a sheet; sending it also signs it (NB-T-1 to T-5)."""

    to: Annotated[str, field_text(title="The faction it is proposed to")]
    state: Annotated[
        State | None, field_text("If left empty, they stay hostile (NB-T-4).", title="The state between the two")
    ] = None
    intent: Annotated[
        str,
        Choice(max_length=300),
        field_text(
            "When the treaty is signed, both leaders publish it: the other leader in the same words or in different ones (NB-T-5).",
            title="The intent",
        ),
    ] = ""
    starts: Annotated[
        Number | None,
        field_text(
            "If left empty, it starts with the Night after it is signed.", title="The cycle in whose Night it starts"
        ),
    ] = None
    mine: Annotated[tuple[Promise, ...], Some, field_text(title="What my faction promises")]
    theirs: Annotated[tuple[Promise, ...], Some, field_text(title="What the other faction promises")]
    penalties: Annotated[tuple[Penalty, ...], Some, field_text(title="What follows a breach")]
    ends: Annotated[
        tuple[Expiration, ...], Some, field_text("One of them is enough (NB-T-11).", title="When the treaty ends")
    ]


@record
class Deed:
    """Something that a faction did and that a promise may be about, or the state of things after a Night."""

    by: str
    cycle: Whole
    kind: Literal[
        "entered", "placed", "removed", "stands", "gained", "controls", "paid", "voted", "attacked", "met", "defended",
        "acted", "agreed", "killed",
    ]  # fmt: skip
    at: str = ""
    what: str = ""
    """A formation, a thing or a kind of action; for a death, the faction of the dead."""
    unit: str = ""
    who: str = ""
    """A player, or a faction."""
    against: str = ""
    """The other faction, for an action or a battle."""
    building: str = ""
    """The kind of structure."""
    amounts: Stock = Stock()
    sure: Flag = True
    """True if it was certainly done, and against that victim."""


@record
class Breach:
    """A breach of a promise that was reported or conceded (NB-T-6, NB-T-10)."""

    by: str
    """The faction that broke it."""
    promise: Whole
    cycle: Whole


@record
class Report:
    """A reported breach that the program cannot judge. It waits for the host’s ruling or a concession (NB-T-10)."""

    by: str
    """The accused faction."""
    promise: Whole
    ruled: Literal["broken", "kept"] | None = None
    """The host's ruling; the next resolution acts on it."""


@record
class Unnamed:
    """A penalty whose action and player have not been named yet (NB-N-3)."""

    by: str
    """The faction that broke the promise."""
    penalty: Whole
    """The number of the penalty, from 1."""
    cycle: Whole
    """The cycle of the report."""


@record
class Treaty:
    """A treaty between two factions, from its proposal on."""

    parties: Everybody[Annotated[tuple[str, ...], Choice(min_length=2, max_length=2)]]
    """The two factions, the proposer first."""
    status: Everybody[Literal["proposed", "signed", "in force", "ended"]] = "proposed"
    state: InFull[State | None] = None
    intents: Everybody[Mapping[str, str]]
    starts: Everybody[Whole | None] = None
    promises: InFull[Mapping[str, tuple[Promise, ...]]]
    """Faction -> its promises."""
    penalties: InFull[tuple[Penalty, ...]]
    ends: InFull[tuple[Expiration, ...]]
    began: Everybody[Whole | None] = None
    breaches: InFull[tuple[Breach, ...]] = ()
    reports: InFull[tuple[Report, ...]] = ()
    """Reports that are waiting for the host's ruling."""
    unnamed: InFull[tuple[Unnamed, ...]] = ()
    """Penalties whose action and player have not been named yet."""
    declared: Everybody[tuple[str, ...]] = ()
    """Factions that declared the end, or that every promise is kept (NB-Z-2, NB-Z-3)."""
    deeds: Nobody[tuple[Deed, ...]] = ()
    """Deeds of the two factions while it was in force, and the state of things after each Night."""


def other_party(treaty: Treaty, faction: str) -> str:
    """The other faction of a treaty."""
    return treaty.parties[1] if treaty.parties[0] == faction else treaty.parties[0]


def may_name(treaty: Treaty, faction: str, cycle: int) -> Iterator[Unnamed]:
    """Open penalties that a faction's leader may complete: if the treaty says so, or from the second Day after the report (NB-T-14)."""
    for unnamed in treaty.unnamed:
        mine = "breaker" if faction == unnamed.by else "wronged"
        if treaty.penalties[unnamed.penalty - 1].by == mine or cycle > unnamed.cycle + 1:
            yield unnamed


def unlisted_clauses(treaty: Treaty) -> Iterator[tuple[tuple[str | int, ...], str, Iterable[str]]]:
    """Clauses of a treaty whose form is not listed, each with its path, its form, and the listed forms (NB-T-3)."""
    for party, promises in treaty.promises.items():
        yield from (
            (("promises", party, at), promise.form, PROMISES)
            for at, promise in enumerate(promises)
            if promise.form not in PROMISES
        )
    yield from (
        (("penalties", at), penalty.form, PENALTIES)
        for at, penalty in enumerate(treaty.penalties)
        if penalty.form not in PENALTIES
    )
    yield from (
        (("ends", at), end.form, EXPIRATIONS) for at, end in enumerate(treaty.ends) if end.form not in EXPIRATIONS
    )


# Faults of a proposal -----------------------------------------------------------------------------------------------


def faults(proposal: Proposal, scenario: Scenario, by: str = "") -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Faults in a proposal by faction `by`, each with its path, the problem, and what would be right (NB-T-3, NB-T-12)."""
    if proposal.to not in scenario.factions:
        yield ("to",), f"no faction is called {proposal.to!r:.40}", nearest(proposal.to, scenario.factions) or ""
    for side in ("mine", "theirs"):
        for index, promise in enumerate(getattr(proposal, side)):
            path = (side, index)
            yield from _blank_faults(promise, path, PROMISE_FORMS)
            yield from _name_faults(promise, path, scenario)
    for index, penalty in enumerate(proposal.penalties):
        yield from _blank_faults(penalty, ("penalties", index), PENALTY_FORMS)
        yield from _name_faults(penalty, ("penalties", index), scenario)
    for index, end in enumerate(proposal.ends):
        yield from _blank_faults(end, ("ends", index), EXPIRATION_FORMS)
        yield from _name_faults(end, ("ends", index), scenario)
    for index, end in enumerate(proposal.ends):
        if end.form == "reaches":
            yield from _reach_faults(
                end, ("ends", index), (by, proposal.to) if by and end.faction in scenario.factions else ()
            )
    for index, end in enumerate(proposal.ends):
        if end.form == "action" and end.action in tables().actions and end.action not in AGAINST:
            yield (
                ("ends", index, "action"),
                f"{end.action!r} is not an action against somebody (NB-Z-5)",
                ", ".join(AGAINST),
            )
    for index, penalty in enumerate(proposal.penalties):
        if penalty.form == "acts" and penalty.action in tables().actions and penalty.action not in DEMANDED:
            what = f"{penalty.action!r} cannot be used on a player of the same faction (NB-T-14)"
            yield ("penalties", index, "action"), what, ", ".join(DEMANDED)
    if {"ends", "lasts"} <= {penalty.form for penalty in proposal.penalties}:
        yield ("penalties",), "a treaty cannot both end and go on after a breach (NB-T-12)", "leave one of them out"


def _reach_faults(
    end: Expiration, path: tuple[str | int, ...], parties: tuple[str, ...]
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Faults in the names of a `reaches` clause: a party must reach it, and kills must be of another faction (NB-Z-6)."""
    if parties and end.faction and end.faction not in parties:
        what = f"{end.faction} is not a side of this treaty (NB-Z-6)"
        yield (*path, "faction"), what, f"sides: {', '.join(parties)}; `of` names the faction whose players are killed"
    if end.of and end.of == end.faction:
        yield (*path, "of"), "a side cannot count kills among its own players (NB-Z-6)", "name another faction"
    if end.of and end.what != "kills" and not end.besides.kills:
        yield (*path, "of"), "`of` says whose players are killed (NB-Z-6)", "leave it out, or count `kills`"
    if end.what in end.besides.wanted():
        yield (*path, "besides", end.what), f"{end.what!r} stands in `what` already (NB-Z-6)", "say it once"


def _blank_faults(
    clause: Any, path: tuple[str | int, ...], forms: Forms
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    blanks = forms.get(clause.form)
    if blanks is None:
        right = nearest(clause.form, forms) or "forms: " + ", ".join(forms)
        yield (*path, "form"), f"no clause has the form {clause.form!r:.40} (NB-T-3)", right
        return
    must, may = blanks
    for name, field in clause.__dataclass_fields__.items():
        if name == "form":
            continue
        filled = getattr(clause, name) != field.default
        if name in must and not filled and not field.default:  # a default of 1 is an answer, an empty one is not
            yield path, f"{clause.form!r} needs {name!r}", f"fill in: {', '.join(sorted(must))}"
        elif filled and name not in must | may:
            yield (*path, name), f"{clause.form!r} has no blank {name!r}", f"it has: {', '.join(sorted(must | may))}"


def _name_faults(
    clause: Any, path: tuple[str | int, ...], scenario: Scenario
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    lists: tuple[tuple[str, Iterable[str], str], ...] = (
        ("units", tables().formations, "formation"),
        ("who", scenario.players, "player"),
        ("factions", scenario.factions, "faction"),
        ("actions", tables().actions, "action"),
        ("buildings", tables().buildings, "structure"),
        ("forms", PROMISES, "form of promise"),
    )
    for key, names, what in lists:
        for index, name in enumerate(getattr(clause, key, ())):
            if name not in names:
                yield (*path, key, index), f"no {what} is called {name!r:.40}", nearest(name, names) or ""
    if getattr(clause, "buildings", ()) and clause.things and "structures" not in clause.things:
        yield (*path, "buildings"), "kinds of structures, and no `structures` among `things`", "add it to `things`"
    one: tuple[tuple[str, Iterable[str], str], ...] = (
        ("faction", scenario.factions, "faction"),
        ("of", scenario.factions, "faction"),
        ("action", tables().actions, "action"),
    )
    for key, names, what in one:
        name = getattr(clause, key, "")
        if name and name not in names:
            yield (*path, key), f"no {what} is called {name!r:.40}", nearest(name, names) or ""
    for index, name in enumerate(getattr(clause, "estates", ())):
        if not estates_named(name, scenario):
            yield (*path, "estates", index), f"{name!r:.20} is not an estate, row or column", "such as B3, B or 3"


def estates_named(name: str, scenario: Scenario) -> frozenset[str]:
    """The estates that a name means: one estate, a row or a column; empty if the name is unknown."""
    return _estates_named(name, scenario.estates)


@functools.lru_cache(maxsize=2048)
def _estates_named(name: str, estates: tuple[str, ...]) -> frozenset[str]:
    if name in estates:
        return frozenset({name})
    if len(name) == 1 and name.isalpha():
        return frozenset(estate for estate in estates if estate[0] == name)
    if name.isascii() and name.isdigit():
        return frozenset(estate for estate in estates if estate[1:] == name)
    return frozenset()


def treaty_of(proposal: Proposal, by: str) -> Treaty:
    """Turn a proposal by faction `by` into a treaty that waits for the other leader's signature."""
    return Treaty(
        parties=(by, proposal.to),
        state=proposal.state,
        intents={by: proposal.intent} if proposal.intent else {},
        starts=proposal.starts,
        promises={by: proposal.mine, proposal.to: proposal.theirs},
        penalties=proposal.penalties,
        ends=proposal.ends,
    )


# Deeds and promises ------------------------------------------------------------------------------------------------

Standing = Literal["kept", "broken", "open", "unknown"]
"""State of a promise. `unknown` needs people who know what was meant (NB-T-10)."""
Answer = Literal["yes", "perhaps", "no"]


class Bearing(StrEnum):
    """How a deed bears on a promise."""

    DOES = "does"
    """It is what the promise is about."""
    PERHAPS = "perhaps"
    """It may be what the promise is about; the deed by itself does not settle it."""
    UNDOES = "undoes"
    """It puts back something that should be taken away."""
    STANDS = "stands"
    """It is not a deed, but the state of things after a Night."""


def standing(
    promise: Promise, by: str, treaty: Treaty, cycle: int, scenario: Scenario, *, by_day: bool = False
) -> Standing:
    """State of a promise: `kept`, `broken`, still `open`, or `unknown` if it cannot be judged (NB-T-10).

    A promise not to do something is broken by a deed within its time. A promise to do something is broken if the deed is still
    missing when its time is over. With `by_day`, the cycle's Night is over, and with it the time for everything but votes.
    """
    if not PROMISES[promise.listed].checked:
        return "unknown"
    standings = {_standing_of_part(part, by, treaty, cycle, scenario, by_day) for part in _parts(promise)}
    order: tuple[Standing, ...] = ("broken", "unknown", "open", "kept")
    return next(value for value in order if value in standings)


def _parts(promise: Promise) -> Iterator[Promise]:
    """Split a promise about several things into one for each. A withdrawal builds structures and removes the rest (NB-M-9)."""
    if promise.buildings and not promise.things:
        promise = replace(promise, things=("structures",))
    if not promise.things:
        yield promise
        return
    for thing in promise.things:
        usual: Literal["place", "remove"] = "place"
        if promise.listed is PromiseForm.WITHDRAW and thing != "structures":
            usual = "remove"
        yield replace(promise, things=(thing,), side=promise.side or usual)


def _standing_of_part(part: Promise, by: str, treaty: Treaty, cycle: int, scenario: Scenario, by_day: bool) -> Standing:
    assert treaty.began is not None
    last = treaty.began + part.cycles - 1
    night = cycle if by_day else cycle - 1  # the last Night that is over
    past = cycle - 1 if part.listed is PromiseForm.VOTES else night  # the last cycle whose time is up
    other = other_party(treaty, by)
    deeds = [
        (bearing, deed)
        for deed in treaty.deeds
        if deed.by == by and deed.cycle <= last
        if deed.kind != "paid" or deed.who == other  # from leader to leader (NB-M-2)
        if (bearing := bearing_of(part, deed, scenario)) is not None
    ]
    nights = range(treaty.began, min(last, night) + 1)
    if not part.will:
        match _breaks(part, deeds, nights, scenario):
            case "yes":
                return "broken"
            case "perhaps":
                return "unknown"
            case "no":
                return "kept" if past >= last else "open"
    if part.each:
        answers = {
            _fulfils(part, [pair for pair in deeds if pair[1].cycle == due], range(due, due + 1), scenario)
            for due in range(treaty.began, min(last, past) + 1)
        }
        if "no" in answers:
            return "broken"
        return "unknown" if "perhaps" in answers else "kept" if past >= last else "open"
    answer = _fulfils(part, deeds, nights, scenario)
    if answer == "yes":
        return "kept"
    if past < last:
        return "open"
    return "unknown" if answer == "perhaps" else "broken"


def bearing_of(part: Promise, deed: Deed, scenario: Scenario) -> Bearing | None:
    """How a deed bears on a promise about one thing; None if it does not."""
    here = not part.estates or any(deed.at in estates_named(name, scenario) for name in part.estates)
    unit = deed.what in tables().formations
    fits = not part.units or deed.what in part.units
    match part.listed:
        case PromiseForm.ENTER:
            if deed.kind == "stands" and unit and fits and (here or part.every):
                return Bearing.STANDS
            return Bearing.DOES if deed.kind == "entered" and here and fits else None
        case PromiseForm.MOVE:
            return _bearing_on_handling(part, deed, unit and fits, here)
        case PromiseForm.PAY:
            return Bearing.DOES if deed.kind == "paid" else None
        case PromiseForm.VOTES:
            return _bearing_if_sure(deed) if deed.kind == "voted" and deed.who in part.who else None
        case PromiseForm.BATTLE:
            return _bearing_on_battle(part, deed)
        case PromiseForm.CONTROL if not part.things:
            return _bearing_on_control(part, deed, unit) if here else None
        case PromiseForm.CONTROL | PromiseForm.WITHDRAW:
            meant = (unit and "units" in part.things) or deed.what in part.things
            if deed.what == "structures" and part.buildings:
                meant = meant and deed.building in part.buildings
            return _bearing_on_handling(part, deed, meant, here)
        case PromiseForm.ACTIONS:
            named = deed.what in part.actions and (not part.who or deed.who in part.who)
            return _bearing_if_sure(deed) if deed.kind == "acted" and named else None
        case PromiseForm.SHOW_UNITS | PromiseForm.SHOW_PLAYERS:
            return None  # only those who see it know what is shown (NB-M-4, M-5)
        case _:
            assert_never(part.listed)


def _bearing_if_sure(deed: Deed) -> Bearing:
    return Bearing.DOES if deed.sure else Bearing.PERHAPS


def _bearing_on_handling(part: Promise, deed: Deed, fits: bool, here: bool) -> Bearing | None:
    """How a deed bears on a promise to place things or take them away."""
    if not fits or not (here or (part.every and deed.kind == "stands")):
        return None
    match deed.kind:
        case "stands":
            return Bearing.STANDS
        case "placed":
            return _bearing_if_sure(deed) if part.side == "place" else Bearing.UNDOES
        case "removed":
            return _bearing_if_sure(deed) if part.side == "remove" else None
        case _:
            return None


def _bearing_on_battle(part: Promise, deed: Deed) -> Bearing | None:
    """How a deed bears on a promise of battle. The side that came sought battle; if both came, that is in doubt (NB-M-7)."""
    if (part.who or part.factions) and deed.who not in part.who and deed.against not in part.factions:
        return None
    match deed.kind:
        case "attacked":
            # The text says until when battle is sought, and only people can judge that.
            return Bearing.PERHAPS if part.text else Bearing.DOES
        case "met":
            return Bearing.PERHAPS
        case _:
            return None


def _bearing_on_control(part: Promise, deed: Deed, unit: bool) -> Bearing | None:
    """How a deed bears on a promise of control. Gaining control counts as seeking it; coming there may count (NB-M-8)."""
    match deed.kind:
        case "controls":
            return Bearing.STANDS
        case "gained":
            return Bearing.DOES
        case "entered" | "placed":
            return Bearing.PERHAPS if unit else None
        case "stands":
            return Bearing.PERHAPS if unit and part.will else None
        case _:
            return None


Bearings = list[tuple[Bearing, Deed]]


def _enough(deeds: Bearings, wanted: int) -> Answer:
    """Answer whether something was done at least `wanted` times."""
    kinds = [bearing for bearing, _ in deeds]
    sure = kinds.count(Bearing.DOES)
    if sure >= wanted:
        return "yes"
    return "perhaps" if sure + kinds.count(Bearing.PERHAPS) >= wanted else "no"


def _breaks(part: Promise, deeds: Bearings, nights: range, scenario: Scenario) -> Answer:
    """Answer whether a promise not to do something was broken. Staying in place is not a deed."""
    if part.every:
        done = any(bearing is Bearing.DOES for bearing, _ in deeds)
        return _fulfils(part, deeds, nights, scenario) if done else "no"
    if part.listed is PromiseForm.CONTROL and not part.things:
        # Coming to an estate that the faction already holds is not seeking control.
        own = {(deed.at, deed.cycle) for bearing, deed in deeds if bearing is Bearing.STANDS}
        deeds = [pair for pair in deeds if pair[0] is Bearing.DOES or (pair[1].at, pair[1].cycle) not in own]
    if part.side == "remove":
        return _took_away(deeds, nights, part.number)
    return _enough(deeds, part.number)


def _took_away(deeds: Bearings, nights: range, wanted: int) -> Answer:
    """Answer whether at least `wanted` were taken away; `perhaps` if some were put back in the same Night."""
    gone = sure = 0
    for night in nights:
        kinds = [bearing for bearing, deed in deeds if deed.cycle == night]
        gone += kinds.count(Bearing.DOES) + kinds.count(Bearing.PERHAPS)
        sure += max(0, kinds.count(Bearing.DOES) - kinds.count(Bearing.UNDOES))
    return "yes" if sure >= wanted else "perhaps" if gone >= wanted else "no"


def _fulfils(part: Promise, deeds: Bearings, nights: range, scenario: Scenario) -> Answer:
    """Answer whether a promise was fulfilled, by deeds or by the state of things."""
    stood = [deed for bearing, deed in deeds if bearing is Bearing.STANDS]
    here = [
        deed for deed in stood if not part.estates or any(deed.at in estates_named(n, scenario) for n in part.estates)
    ]
    match part.listed:
        case PromiseForm.PAY:
            total = Stock()
            for _, deed in deeds:
                total += deed.amounts
            return "yes" if total.covers(part.amounts) else "no"
        case PromiseForm.ENTER if part.every:
            return _all_came(deeds, stood, here, nights, if_stood="perhaps")
        case PromiseForm.ENTER:
            done = _enough(deeds, 1)
            return "perhaps" if done == "no" and here else done
        case PromiseForm.MOVE | PromiseForm.CONTROL | PromiseForm.WITHDRAW if part.side == "remove":
            if any(night not in {deed.cycle for deed in here} for night in nights):
                return "yes"  # none is left there, no matter who removed it
            return "no" if part.every else _took_away(deeds, nights, part.number)
        case PromiseForm.MOVE if part.every:
            return _all_came(deeds, stood, here, nights, if_stood="yes")
        case PromiseForm.MOVE | PromiseForm.CONTROL | PromiseForm.WITHDRAW:
            most = max((sum(deed.cycle == night for deed in here) for night in nights), default=0)
            if most >= part.number:
                return "yes"
            done = _enough(deeds, part.number)
            return "perhaps" if done == "yes" and part.number > 1 else done
        case PromiseForm.VOTES | PromiseForm.BATTLE | PromiseForm.ACTIONS:
            return _enough(deeds, part.number)
        case PromiseForm.SHOW_UNITS | PromiseForm.SHOW_PLAYERS:
            return "perhaps"
        case _:
            assert_never(part.listed)


def _all_came(
    deeds: Bearings, stood: list[Deed], here: list[Deed], nights: range, *, if_stood: Literal["yes", "perhaps"]
) -> Answer:
    """Answer whether all units that a faction has after a Night came; `if_stood` is the answer if some were there before."""
    best: Answer = "no" if stood else "perhaps"  # a faction without such units cannot be judged
    for night in nights:
        units = {deed.unit for deed in stood if deed.cycle == night}
        came = {deed.unit for bearing, deed in deeds if bearing is Bearing.DOES and deed.cycle <= night}
        if units and units <= came:
            return "yes"
        if units and units <= came | {deed.unit for deed in here if deed.cycle == night}:
            if if_stood == "yes":
                return "yes"
            best = "perhaps"
    return best


def ending_rule(
    treaty: Treaty,
    cycle: int,
    scenario: Scenario,
    *,
    members: Mapping[str, int],
    prizes: Mapping[str, int],
    nobles: Mapping[str, int],
) -> str | None:
    """Rule that ends a treaty in force at the start of a cycle; None while it goes on (NB-Z, NB-N-1, NB-N-4)."""
    assert treaty.began is not None
    for breach in treaty.breaches:
        for penalty in treaty.penalties:
            if penalty.form == "ends" and cycle >= breach.cycle + (penalty.cycles or 1):
                return f"NB-{PENALTIES[penalty.listed].rule}"
    lasting = [penalty.cycles or 1 for penalty in treaty.penalties if penalty.form == "lasts"]
    if treaty.breaches and lasting:
        # The treaty goes on until then, even if another end is reached; a second report postpones this again (NB-N-4).
        last = max(breach.cycle for breach in treaty.breaches) + max(lasting)
        return f"NB-{PENALTIES[PenaltyForm.LASTS].rule}" if cycle >= last else None
    for end in treaty.ends:
        if _end_reached(treaty, end, cycle, scenario, members=members, prizes=prizes, nobles=nobles):
            return f"NB-{EXPIRATIONS[end.listed].rule}"
    return None


def _end_reached(
    treaty: Treaty,
    end: Expiration,
    cycle: int,
    scenario: Scenario,
    *,
    members: Mapping[str, int],
    prizes: Mapping[str, int],
    nobles: Mapping[str, int],
) -> bool:
    """True if a condition that ends a treaty is met at the start of a cycle (NB-Z)."""
    assert treaty.began is not None
    match end.listed:
        case EndForm.CYCLES:
            return cycle >= treaty.began + end.number
        case EndForm.ALL_KEPT:
            return _all_kept(treaty, cycle, scenario)
        case EndForm.ONE_KEPT:
            return any(_kept(treaty, faction, cycle, scenario) for faction in treaty.declared)
        case EndForm.MEMBERS:
            return members.get(end.faction, 0) < end.number
        case EndForm.ACTION:
            return any(_fits_end(treaty, end, deed) for deed in treaty.deeds)
        case EndForm.REACHES:
            of = end.of or other_party(treaty, end.faction)
            kills = sum(deed.kind == "killed" and deed.by == end.faction and deed.what == of for deed in treaty.deeds)
            reached = {"prizes": prizes.get(end.faction, 0), "nobles": nobles.get(end.faction, 0), "kills": kills}
            return all(reached[what] >= number for what, number in end.wanted().items())
        case EndForm.BREACH:
            return end.when == "start" and any(cycle >= breach.cycle + end.number for breach in treaty.breaches)
        case _:
            assert_never(end.listed)


def ends_with_cycle(treaty: Treaty, cycle: int) -> bool:
    """True if a treaty in force ends after step 10 of a cycle's Night (NB-Z-7); one that a penalty prolongs goes on (NB-N-4)."""
    lasts = any(penalty.form == "lasts" for penalty in treaty.penalties)
    return not lasts and any(
        end.form == "breach" and end.when == "end" and cycle >= breach.cycle + end.number
        for end in treaty.ends
        for breach in treaty.breaches
    )


def _fits_end(treaty: Treaty, end: Expiration, deed: Deed) -> bool:
    """True if a deed is the action that an end names, successful and by one party against the other (NB-Z-5)."""
    kind = "agreed" if end.action in OFFERED else "acted"
    return deed.kind == kind and deed.what == end.action and deed.sure and deed.against == other_party(treaty, deed.by)


def concerns(treaty: Treaty, deed: Deed, scenario: Scenario) -> bool:
    """True if any clause of a treaty may need a deed; other deeds are not stored."""
    if deed.by not in treaty.parties:
        return False
    parts = (part for promise in treaty.promises[deed.by] for part in _parts(promise))
    if any(bearing_of(part, deed, scenario) is not None for part in parts):
        return True
    if deed.kind == "killed":
        return any(end.form == "reaches" and "kills" in end.wanted() for end in treaty.ends)
    return any(end.form == "action" and _fits_end(treaty, end, deed) for end in treaty.ends)


def _kept(treaty: Treaty, faction: str, cycle: int, scenario: Scenario) -> bool:
    """True if one side has kept its promises, as far as they can be judged."""
    return all(
        standing(promise, faction, treaty, cycle, scenario) in {"kept", "unknown"}
        for promise in treaty.promises[faction]
    )


def _all_kept(treaty: Treaty, cycle: int, scenario: Scenario) -> bool:
    """True if both leaders declared the treaty's end, or if every promise can be judged and is kept (NB-Z-2)."""
    if set(treaty.parties) <= set(treaty.declared):
        return True
    standings = [
        standing(promise, faction, treaty, cycle, scenario)
        for faction, promises in treaty.promises.items()
        for promise in promises
    ]
    return all(value == "kept" for value in standings)


def relation(treaties: Mapping[str, Treaty], faction: str, other: str) -> str:
    """The state between two factions: the friendliest of their treaties in force, or hostile without one (NB-H-1, NB-H-14)."""
    states = {
        treaty.state
        for treaty in treaties.values()
        if treaty.status == "in force" and set(treaty.parties) == {faction, other} and treaty.state is not None
    }
    return "allied" if "allied" in states else "neutral" if "neutral" in states else "hostile"


def makes_second_ally(treaties: Mapping[str, Treaty], new: Treaty) -> bool:
    """True if a treaty would give a faction a second Ally (NB-H-12, NB-H-15)."""
    if new.state != "allied":
        return False
    return any(
        treaty.state == "allied"
        and treaty.status in {"signed", "in force"}
        and set(treaty.parties) & set(new.parties)
        and set(treaty.parties) != set(new.parties)
        for treaty in treaties.values()
    )


def is_forbidden(treaties: Mapping[str, Treaty], new: Treaty) -> bool:
    """True if a penalty forbids one of the two parties to make this treaty (NB-N-7)."""
    for treaty in treaties.values():
        if treaty.status != "in force":
            continue
        for breach in treaty.breaches:
            for penalty in treaty.penalties:
                if penalty.form != "treaties" or penalty.will or breach.by not in new.parties:
                    continue
                partner = other_party(new, breach.by)
                forms = {promise.form for promises in new.promises.values() for promise in promises}
                if partner in penalty.factions and (not penalty.forms or forms & set(penalty.forms)):
                    return True
    return False
