"""An Al-Andalus turn, from sheets to the next position (AA-M).

The war is standard Diplomacy: princes' and wazirs' orders are put together into one order a unit and handed to it. The
courts are `courts`. Every order has one verdict; what a unit did for want of an order is the war's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as default
from typing import Literal

from adjudicator.core.contract.resolution import Ending, Fact, Resolution, SeatId, Verdict
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.movement import Move
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import courts
from adjudicator.rulesets.al_andalus.events import (
    AnyEvent,
    Appointed,
    Arrested,
    Ascended,
    CommandEnded,
    CourtFell,
    Decided,
    Departed,
    Drawn,
    DrawVote,
    HeldBack,
    Paid,
    Plundered,
    Silent,
    TreasuryLost,
    Vacant,
    WazirWon,
)
from adjudicator.rulesets.al_andalus.orders import (
    AnySheet,
    Fate,
    PrinceSheet,
    WazirSheet,
    due,
    held_first,
    movement,
    units_of,
    vacant_throne,
)
from adjudicator.rulesets.al_andalus.position import (
    WAZIRS,
    Command,
    Conquest,
    Position,
    WazirSolo,
    checked,
    living,
    princes,
    reigning,
    wazir_of,
)

GENERAL = 3
"""The strength with which a general's unit attacks, where everything else counts 2 (AA-L-4)."""


@dataclass
class Written:
    """One order for a unit, as it was written: by whom, and what it means."""

    seat: SeatId
    order: diplomacy.Movement
    province: str
    line: str

    @property
    def holds(self) -> bool:
        """Whether it is an order to hold."""
        return isinstance(self.order, diplomacy.Hold)


@dataclass
class Realm:
    """One prince's season while it is judged: his orders, his wazir's, and what his units are told in the end."""

    prince: SeatId
    units: tuple[str, ...]
    """The provinces of his units, by name."""
    wazir: SeatId | None
    """Who may order a unit of his this season."""
    general: str | None = None
    """The province of his general's unit."""
    arrest: bool = False
    plunder: bool = False
    orders: dict[str, Written] = default(default_factory=dict)
    """Province -> the prince's legal order for the unit there."""
    advice: Written | None = None
    """The wazir's legal order."""
    final: dict[str, tuple[Written, ...]] = default(default_factory=dict)
    """Province -> the order its unit carries out, with everyone who gave it."""
    holds: set[str] = default(default_factory=set)
    """Provinces of units that hold by order, and are paid for (AA-F-2)."""


@dataclass
class Work:
    """The turn while it is being judged."""

    position: Position
    princely: dict[SeatId, PrinceSheet]
    wazirs: dict[SeatId, WazirSheet]
    silent: frozenset[SeatId]
    field: diplomacy.Field
    start: Position
    verdicts: list[Verdict] = default(default_factory=list)
    events: list[AnyEvent] = default(default_factory=list)
    gains: list[Arrested | Plundered | Paid] = default(default_factory=list)
    realms: list[Realm] = default(default_factory=list)
    hirings: courts.Hirings | None = None
    war: diplomacy.War | None = None
    ended: Ending | None = None

    def name(self, province: str) -> str:
        """The unit in a province as people write it."""
        return self.field.board.unit_name(self.field.names()[province])


def resolve(position: Position, sheets: Mapping[SeatId, AnySheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judges one turn. Al-Andalus rolls no dice."""
    checked(position)
    work = Work(
        position,
        {seat: sheet for seat, sheet in sheets.items() if isinstance(sheet, PrinceSheet)},
        {seat: sheet for seat, sheet in sheets.items() if isinstance(sheet, WazirSheet) and seat in living(position)},
        frozenset(due(position)) - frozenset(sheets),
        diplomacy.field_of(position.war),
        position,
    )
    for step in SEASON if movement(position) else OTHER:
        step(work)
    work.verdicts.sort(key=lambda verdict: _rank(position, verdict.seat))
    return Resolution(work.position, tuple(work.verdicts), tuple(work.events), work.ended)


def _rank(position: Position, seat: SeatId) -> int:
    return (*princes(position.settings), *WAZIRS).index(seat)


# Spring and fall --------------------------------------------------------------------------------------------------


def note_the_silent(work: Work) -> None:
    """A prince who sent nothing arrests (AA-I-1); turns missed in a row are counted, and thrones are taken (AA-I-5)."""
    missed, heirs = dict(work.position.missed), dict(work.position.heirs)
    for seat in (*princes(work.position.settings), *living(work.position)):
        if seat not in due(work.position):
            continue
        missed[seat] = missed.get(seat, 0) + 1 if seat in work.silent else 0
        if seat in work.silent and seat not in WAZIRS:
            work.events.append(Silent(prince=seat))
        own = wazir_of(work.position, seat)
        if seat not in work.silent:
            heirs.pop(seat, None)
        elif own is not None:
            heirs[seat] = own
    work.position = replace(work.position, heirs=dict(sorted(heirs.items())))
    for wazir, sheet in sorted(work.wazirs.items()):
        if sheet.throne:
            _ascend(work, wazir, missed)
    known = due(work.position)  # who is eliminated or executed misses nothing any more
    work.position = replace(work.position, missed={seat: n for seat, n in missed.items() if n and seat in known})


def _ascend(work: Work, wazir: SeatId, missed: dict[SeatId, int]) -> None:
    """A wazir takes the place of his prince, who had missed two turns before this one (AA-I-5, AA-I-6)."""
    heirs = work.position.heirs
    prince = work.position.courts.get(wazir) or next((one for one, heir in heirs.items() if heir == wazir), None)
    good = prince in work.silent and vacant_throne(work.position, wazir) is not None
    work.verdicts.append(
        diplomacy.UnitVerdict(
            seat=wazir, order="Throne", result="succeeds" if good else "illegal",
            reason="ascended" if good else "not-vacant", rule="AA-I-5", facts={"prince": prince} if prince else None,
        )
    )  # fmt: skip
    if good:
        assert prince is not None
        dinars = work.position.purses[wazir]
        for order, rule in _wishes(work.wazirs[wazir]):
            if order != "Throne":
                _verdict(work, wazir, order, "void", "on-the-throne", rule, {"prince": prince})
        work.events.append(Ascended(wazir=wazir, prince=prince, dinars=dinars))
        if wazir in work.position.generals:
            unit = work.position.generals[wazir].unit
            work.events.append(CommandEnded(wazir=wazir, unit=unit, why="throne"))
        left = {one: court for one, court in work.position.courts.items() if one != wazir}
        generals = {one: command for one, command in work.position.generals.items() if one != wazir}
        work.position = replace(
            work.position,
            courts=left,
            generals=generals,
            purses={**work.position.purses, wazir: 0},
            heirs={one: heir for one, heir in heirs.items() if wazir != heir and one != prince},
        )
        missed[prince] = 0
        work.wazirs[wazir] = WazirSheet()


def _wishes(sheet: AnySheet) -> list[tuple[str, str]]:
    """What a sheet asks for beside the orders of a prince's units, each with the rule that it falls under."""
    if isinstance(sheet, PrinceSheet):
        return [
            *([(f"Hire {sheet.hire[:60]}", "AA-E-10")] if sheet.hire is not None else []),
            *([("Arrest", "AA-H-1")] if sheet.arrest else []),
            *([(f"Appoint {sheet.appoint[:60]}", "AA-L-1")] if sheet.appoint is not None else []),
        ]
    return [
        *([(f"Court {sheet.court[:60]}", "AA-E-10")] if sheet.court is not None else []),
        *([(sheet.order[:200], "AA-C-9")] if sheet.order is not None else []),
        *([("Plunder", "AA-G-1")] if sheet.plunder else []),
        *([("Refuse", "AA-L-14")] if sheet.refuse else []),
        *([("Resign", "AA-L-12")] if sheet.resign else []),
        *([("Throne", "AA-I-5")] if sheet.throne else []),
    ]


def match_hirings(work: Work) -> None:
    """Step 1: who goes to whose court (AA-E)."""
    arresting = {prince for prince, sheet in work.princely.items() if sheet.arrest}
    work.hirings = courts.match_hirings(work.position, work.princely, work.wazirs, work.silent | arresting)
    work.verdicts.extend(work.hirings.verdicts)


def name_the_vacant(work: Work) -> None:
    """Two turns missed in a row leave a seat vacant (AA-I-4); who goes to a court is no silent prince's heir (AA-I-5)."""
    assert work.hirings is not None
    position = work.position
    heirs = {
        prince: heir
        for prince, heir in position.heirs.items()
        if prince in work.silent and heir not in work.hirings.accepted and position.courts.get(heir, prince) == prince
    }
    for seat in (*princes(position.settings), *living(position)):
        if seat in work.silent and position.missed.get(seat) == 2:
            work.events.append(Vacant(seat=seat, chooser=heirs.get(seat)))
    work.position = replace(position, heirs=heirs)


def gather_courts(work: Work) -> None:
    """Step 2: each prince's units and wazir, and whether he arrests or is plundered (AA-G, AA-H)."""
    assert work.hirings is not None
    position = work.position
    owners = [*princes(position.settings), *(w for w in living(position) if w in position.generals)]
    for owner in owners:
        units = [unit.province for unit in units_of(work.field, owner)]
        wazir = wazir_of(position, owner) if owner not in WAZIRS else owner
        if not units and owner not in work.princely and owner not in work.silent and wazir is None:
            continue
        sheet = work.princely.get(owner, PrinceSheet())
        realm = Realm(owner, tuple(units), wazir if wazir not in work.hirings.leaving else None)
        if wazir is not None and (command := position.generals.get(wazir)) is not None:
            realm.general = next((p for p in units if work.name(p) == command.unit), None)
        realm.arrest = owner not in WAZIRS and (sheet.arrest or owner in work.silent)
        plundering = wazir is not None and wazir in work.wazirs and work.wazirs[wazir].plunder and owner not in WAZIRS
        realm.plunder = plundering and realm.wazir is not None and not realm.arrest
        if sheet.arrest:
            _verdict(work, owner, "Arrest", "succeeds", "arrest", "AA-H-1")
        if plundering and wazir is not None:
            reason = "plundered" if realm.plunder else ("on-his-way" if realm.wazir is None else "countered")
            rule = {"plundered": "AA-G-1", "on-his-way": "AA-C-10", "countered": "AA-H-5"}[reason]
            _verdict(work, wazir, "Plunder", "succeeds" if realm.plunder else "fails", reason, rule, {"prince": owner})
        work.realms.append(realm)
    for wazir, plans in sorted(work.wazirs.items()):
        if plans.plunder and wazir not in position.courts:
            _verdict(work, wazir, "Plunder", "illegal", "no-court", "AA-G-1")


def _verdict(
    work: Work, seat: SeatId, order: str, result: str, reason: str, rule: str, facts: Mapping[str, Fact] | None = None
) -> None:
    work.verdicts.append(
        diplomacy.UnitVerdict(seat=seat, order=order, result=result, reason=reason, rule=rule, facts=facts or None)
    )


def read_orders(work: Work) -> None:
    """Reads every order; one that is illegal gets its verdict here and counts as none (AA-B-5)."""
    for realm in work.realms:
        if realm.prince not in WAZIRS:
            sheet = work.princely.get(realm.prince, PrinceSheet())
            _read_prince(work, realm, sheet)
    for wazir, plans in sorted(work.wazirs.items()):
        if plans.order is not None:
            _read_wazir(work, wazir, plans.order)


def _read_prince(work: Work, realm: Realm, sheet: PrinceSheet) -> None:
    legal: dict[str, list[Written]] = {}
    for index, order in diplomacy.read_orders(work.field, diplomacy.Sheet(orders=sheet.orders)):
        written = _legal(work, realm.prince, realm.prince, sheet.orders[index], order)
        if written is None:
            continue
        if written.province == realm.general:
            _verdict(work, realm.prince, written.line, "illegal", "generals-unit", "AA-L-2")
            continue
        legal.setdefault(written.province, []).append(written)
    for province, several in legal.items():
        if len({one.line for one in several}) > 1:
            for one in several:
                _verdict(work, realm.prince, one.line, "illegal", "ordered-twice", "DP-O-5")
            continue
        realm.orders[province] = several[0]
        for _ in several[1:]:
            _verdict(work, realm.prince, several[0].line, "illegal", "repeated", "DP-O-5")


def _read_wazir(work: Work, wazir: SeatId, text: str) -> None:
    """A wazir's one order (AA-C-1, AA-C-2); a general's is for his own unit alone (AA-L-2)."""
    assert work.hirings is not None
    prince = work.position.courts.get(wazir)
    general = work.position.generals.get(wazir)
    if wazir in work.hirings.leaving:
        _verdict(work, wazir, text[:200], "fails", "on-his-way", "AA-C-10")
        return
    owner = prince if prince is not None else wazir
    realm = next((one for one in work.realms if one.prince == owner), None)
    if realm is None or (prince is None and general is None):
        _verdict(work, wazir, text[:200], "illegal", "no-court", "AA-C-1")
        return
    _, order = diplomacy.read_orders(work.field, diplomacy.Sheet(orders=(text,)))[0]
    written = _legal(work, wazir, owner, text, order)
    if written is None:
        return
    if general is not None and written.province != realm.general:
        _verdict(work, wazir, written.line, "illegal", "not-his-unit", "AA-L-2", {"unit": general.unit})
        return
    realm.advice = written


def _legal(work: Work, seat: SeatId, owner: SeatId, text: str, order: diplomacy.AnyOrder | Fault) -> Written | None:
    """The order if its unit could be given it; else its verdict is written (AA-B-5)."""
    if isinstance(order, Fault):
        work.verdicts.append(diplomacy.unreadable(seat, text, order))
        return None
    line = work.field.notation.write(order, work.field.names())
    if not isinstance(order, diplomacy.Movement):
        work.verdicts.append(diplomacy.not_now(seat, line))
        return None
    outcome = diplomacy.ruled_out(work.field, work.position.war, owner, order)
    if outcome is not None:
        work.verdicts += diplomacy.verdicts(work.field, [diplomacy.Judged(seat, order, outcome)])
        return None
    return Written(seat, order, order.unit.province, line)


def put_orders_together(work: Work) -> None:
    """Step 3: one order a unit: overrides, confusion, and the unit that is held (AA-B, AA-C, AA-D)."""
    for realm in work.realms:
        if realm.arrest or realm.plunder:
            _all_hold(work, realm)
        else:
            _combine(work, realm)


def _all_hold(work: Work, realm: Realm) -> None:
    """In a season of arrest or plunder all units hold, whatever they were ordered (AA-G-1, AA-H-1)."""
    reason, rule = ("arrest-held", "AA-H-1") if realm.arrest else ("plunder-held", "AA-G-1")
    for written in (*realm.orders.values(), *((realm.advice,) if realm.advice else ())):
        by = {"by": realm.prince if realm.arrest else (realm.wazir or "")}
        _verdict(work, written.seat, written.line, "void", reason, rule, by)


def _same(work: Work, one: Written, other: Written) -> bool:
    """Whether two orders mean the same; `via convoy` tells no fleet anything, nor an army without a way by land (AA-C-8)."""
    first, second = one.order, other.order
    if isinstance(first, Move) and isinstance(second, Move):
        board, here = work.field.board, first.unit.province
        if work.field.units[here][1].kind == "F" or first.to not in board.army_to[here]:
            return one.line.removesuffix(" via convoy") == other.line.removesuffix(" via convoy")
    return one.line == other.line


def _combine(work: Work, realm: Realm) -> None:
    advice = realm.advice
    fallow = {province for province in realm.units if province not in realm.orders or realm.orders[province].holds}
    realm.final = {province: (written,) for province, written in realm.orders.items()}
    realm.holds = set(fallow)
    if advice is not None:
        here = advice.province
        own = realm.orders.get(here)
        if own is None:
            realm.final[here] = (advice,)
            if not advice.holds:
                realm.holds.discard(here)  # AA-C-3; the unit was left alone, and so meets AA-B-1 (AA-D-5)
        elif own.holds and not advice.holds:
            _verdict(
                work,
                own.seat,
                own.line,
                "overridden",
                "overridden",
                "AA-C-4",
                {"by": advice.seat, "order": advice.line},
            )
            realm.final[here] = (advice,)
            realm.holds.discard(here)
        elif _same(work, own, advice):
            realm.final[here] = (own, advice)  # AA-C-7, AA-C-8; two holds are a match as well (AA-C-6)
        else:
            for one, other in ((own, advice), (advice, own)):
                _verdict(
                    work, one.seat, one.line, "confused", "confused", "AA-C-5", {"by": other.seat, "order": other.line}
                )
            del realm.final[here]
            realm.holds.add(here)
            fallow.add(here)  # a confused unit holds anyway, and satisfies AA-B-1 (AA-D-1)
    if fallow or len(realm.units) < 2 or realm.general is not None or realm.prince in WAZIRS:
        return
    board = work.field.board
    unit, distance = held_first(board, realm.prince, units_of(work.field, realm.prince))
    for one in realm.final.pop(unit.province):
        facts: dict[str, Fact] = {"distance": distance}
        _verdict(work, one.seat, one.line, "held", "held-back", "AA-B-3", facts)
    realm.holds.add(unit.province)
    work.events.append(HeldBack(prince=realm.prince, unit=board.unit_name(unit), distance=distance))


def wage_war(work: Work) -> None:
    """Step 4: the movement, as in standard Diplomacy; a general's unit attacks with 3 against 2 (AA-L-3, AA-L-4).

    Centres are counted when units and land have changed places with their generals (`count_centres`).
    """
    attack = None
    if work.position.settings.generals:
        attack = {realm.general: GENERAL for realm in work.realms if realm.general is not None}
    given = [(realm, several) for realm in work.realms for several in realm.final.values()]
    orders = [(realm.prince, several[0].order) for realm, several in given]
    war = work.war = diplomacy.begin(work.position.war)
    war.orders, war.attack = orders, attack
    diplomacy.carry_out(war)
    done = diplomacy.verdicts(war.start, war.judged)
    implied = diplomacy.verdicts(war.start, war.implied)
    for realm in work.realms:
        for (whose, several), verdict in zip(given, done, strict=True):
            if whose is realm:
                _share(work, verdict, several)
        work.verdicts.extend(verdict for verdict in implied if verdict.seat == realm.prince)
    work.events.extend(war.events)


def _share(work: Work, verdict: diplomacy.UnitVerdict, given: tuple[Written, ...]) -> None:
    """The war's verdict on an order goes to whoever gave it; to both, if two gave the same (AA-C-7)."""
    for one in given:
        facts = dict(verdict.facts or {})
        if len(given) == 2:
            facts["with"] = next(other.seat for other in given if other is not one)
        work.verdicts.append(replace(verdict, seat=one.seat, facts=facts or None))


def pay(work: Work) -> None:
    """Step 5: plunder, arrests, and a dinar for each unit that held by order (AA-F, AA-G, AA-H)."""
    assert work.hirings is not None
    for realm in work.realms:
        if realm.prince in WAZIRS:
            continue
        wazir = wazir_of(work.position, realm.prince)
        names = tuple(work.name(province) for province in realm.units if province in realm.holds)
        if realm.arrest:
            work.gains.append(courts.arrest_of(work.position, realm.prince, work.hirings))
        elif realm.plunder and wazir is not None:
            work.gains.append(Plundered(wazir=wazir, prince=realm.prince, dinars=len(realm.units)))
        elif wazir is not None and wazir not in work.hirings.accepted and wazir not in work.hirings.freed:
            work.gains.append(Paid(wazir=wazir, prince=realm.prince, dinars=len(names), units=names))
    work.events.extend(work.gains)


def change_courts(work: Work) -> None:
    """Step 6: dinars and wazirs change places (AA-E-3, AA-F-5); appointments and commands take effect (AA-L)."""
    assert work.hirings is not None
    purses, hired = courts.settle(work.position, work.hirings, tuple(work.gains))
    work.events.extend(hired)
    arrested = {gain.wazir: gain.prince for gain in work.gains if isinstance(gain, Arrested) and gain.wazir is not None}
    before = work.position
    work.position = replace(work.position, courts=purses.courts, purses=purses.purses, treasuries=purses.treasuries)
    _follow_commands(work, before, arrested)
    _appoint(work, before, arrested)


def _moved_units(work: Work) -> dict[str, str]:
    """Each unit as it was called before the movement -> as it is called after it; absent when it was destroyed."""
    assert work.war is not None
    found = {}
    for realm in work.realms:
        for province in realm.units:
            now = work.war.now(realm.prince, work.field.names()[province])
            if now is not None:
                found[work.name(province)] = work.field.board.unit_name(now)
    return found


def _follow_commands(work: Work, before: Position, arrested: Mapping[SeatId, SeatId]) -> None:
    """Generals' units moved, were lost, left with them, or went back to the prince who arrests (AA-L-7 to AA-L-12)."""
    assert work.hirings is not None
    moved = _moved_units(work)
    resigned: set[SeatId] = set()
    generals: dict[SeatId, Command] = {}
    for wazir, command in before.generals.items():
        unit = moved.get(command.unit)
        if unit is None:
            work.events.append(CommandEnded(wazir=wazir, unit=command.unit, why="lost"))
        elif wazir in arrested:
            work.events.append(CommandEnded(wazir=wazir, unit=command.unit, why="arrested"))
        elif wazir in work.wazirs and work.wazirs[wazir].resign and wazir in before.courts:
            resigned.add(wazir)
            _verdict(work, wazir, "Resign", "succeeds", "resigned", "AA-L-12")
            work.events.append(CommandEnded(wazir=wazir, unit=command.unit, why="resigned"))
        else:
            generals[wazir] = replace(command, unit=unit)
            goes = wazir in work.hirings.accepted or wazir in work.hirings.freed
            if goes:
                _depart(work, before, wazir, generals[wazir])
    for wazir, sheet in sorted(work.wazirs.items()):
        if not sheet.resign or wazir in resigned:
            continue
        if wazir in before.generals and wazir in before.courts:
            _verdict(work, wazir, "Resign", "fails", "command-over", "AA-L-12")
        else:
            _verdict(work, wazir, "Resign", "illegal", "no-command", "AA-L-12")
    work.position = replace(work.position, generals=generals)


def _depart(work: Work, before: Position, wazir: SeatId, command: Command) -> None:
    """A general leaves with unit and land: to be his own master, or to another prince, whose they become (AA-L-7 to L-9)."""
    assert work.hirings is not None
    assert work.war is not None
    to = work.hirings.accepted.get(wazir)
    owner = to if to is not None else wazir
    former = before.courts.get(wazir, wazir)
    field_ = work.war.field
    here = _province(work, command.unit)
    lost = field_.dislodged.get(here)
    if lost is not None and lost[0] == former:  # Who dislodged it stands there now.
        field_.dislodged[here] = (owner, *lost[1:])
    else:
        field_.units[here] = (owner, field_.units[here][1])
    for code in field_.board.centres:
        if field_.board.provinces[code].name in command.land:
            field_.owners[code] = owner
    work.events.append(Departed(wazir=wazir, prince=former, to=to, unit=command.unit, land=command.land))


def _appoint(work: Work, before: Position, arrested: Mapping[SeatId, SeatId]) -> None:
    """Appointments take effect at the season's end (AA-L-1, AA-L-14)."""
    moved = _moved_units(work)
    refused: set[SeatId] = set()
    generals = dict(work.position.generals)
    for prince, sheet in sorted(work.princely.items()):
        if sheet.appoint is None:
            continue
        wazir = wazir_of(before, prince)
        own = {name: name for realm in work.realms if realm.prince == prince for name in map(work.name, realm.units)}
        unit = own.get(_unit_named(work, sheet.appoint))
        order = f"Appoint {sheet.appoint[:60]}"
        if not work.position.settings.generals:
            _verdict(work, prince, order, "illegal", "no-generals", "AA-L-1")
        elif wazir is None or work.position.courts.get(wazir) != prince or wazir in arrested:
            _verdict(work, prince, order, "fails", "no-wazir", "AA-L-1")
        elif unit is None:
            _verdict(work, prince, order, "illegal", "no-such-unit", "AA-L-1")
        elif unit not in moved:
            _verdict(work, prince, order, "fails", "unit-destroyed", "AA-L-14", {"unit": unit})
        elif wazir in generals:
            _verdict(work, prince, order, "illegal", "general-already", "AA-L-1", {"wazir": wazir})
        elif wazir in work.wazirs and work.wazirs[wazir].refuse:
            _verdict(work, prince, order, "fails", "refused", "AA-L-14", {"wazir": wazir})
            _verdict(work, wazir, "Refuse", "succeeds", "refuses", "AA-L-14")
            refused.add(wazir)
        else:
            generals[wazir] = Command(unit=moved[unit])
            _verdict(work, prince, order, "succeeds", "appointed", "AA-L-1", {"wazir": wazir})
            work.events.append(Appointed(prince=prince, wazir=wazir, unit=moved[unit]))
    for wazir, plans in sorted(work.wazirs.items()):
        if plans.refuse and wazir not in refused:
            could = before.settings.generals and wazir in before.courts and wazir not in before.generals
            _verdict(work, wazir, "Refuse", "fails" if could else "illegal", "nothing-to-refuse", "AA-L-14")
    work.position = replace(work.position, generals=dict(sorted(generals.items())))


def _unit_named(work: Work, text: str) -> str:
    """A unit as people write it, from any spelling; the text itself where it names none."""
    order = work.field.notation.read(f"{text} H")
    if isinstance(order, Fault) or not isinstance(order, diplomacy.Hold) or order.unit.province not in work.field.units:
        return text
    unit = work.field.units[order.unit.province][1]
    return work.field.board.unit_name(unit) if order.unit.kind in {"", unit.kind} else text


def refuse_fates(work: Work) -> None:
    """Nothing is decided about the wazirs of fallen courts in spring and fall (AA-J-4)."""
    for prince, sheet in sorted(work.princely.items()):
        for wazir, fate in sorted(sheet.fate.items()):
            order = f"{fate.value.capitalize()} {wazir[:40]}"
            _verdict(work, prince, order, "illegal", "not-his-to-decide", "AA-J-4")


# Retreats and adjustments -----------------------------------------------------------------------------------------


def note_who_is_back(work: Work) -> None:
    """Who sends a sheet between two seasons of moves has missed neither, and nobody follows him (AA-I-5, AA-I-8)."""
    sent = work.princely.keys() | work.wazirs.keys()
    missed = {seat: n for seat, n in work.position.missed.items() if seat not in sent}
    heirs = {prince: heir for prince, heir in work.position.heirs.items() if prince not in sent}
    work.position = replace(work.position, missed=missed, heirs=heirs)


def refuse_what_is_for_seasons(work: Work) -> None:
    """Courts change, and wazirs plunder and are arrested, in spring and fall only (AA-E-10, AA-G-1, AA-H-1)."""
    for seat, sheet in sorted((work.princely | work.wazirs).items()):
        for order, rule in _wishes(sheet):
            if not (isinstance(sheet, WazirSheet) and sheet.order is not None and rule == "AA-C-9"):
                _verdict(work, seat, order, "illegal", "not-this-season", rule)


def carry_on_the_war(work: Work) -> None:
    """Retreats and adjustments are the war's alone (AA-B-7, AA-C-9); a general orders his own unit's (AA-L-2)."""
    position = work.position
    lost = {(one.power, one.unit) for one in position.war.dislodged}
    generals = {
        position.courts.get(wazir, wazir): wazir
        for wazir, command in position.generals.items()
        if wazir in living(position) and (position.courts.get(wazir, wazir), command.unit) in lost
    }
    """Whose dislodged unit is a general's -> the general."""
    orders: list[diplomacy.Command] = []
    givers: list[SeatId] = []
    for wazir in living(position):
        if wazir in work.wazirs and work.wazirs[wazir].order is not None and wazir not in generals.values():
            _verdict(work, wazir, (work.wazirs[wazir].order or "")[:200], "illegal", "no-influence", "AA-C-9")
    for owner in work.field.powers:
        general = generals.get(owner)
        kept = _province(work, position.generals[general].unit) if general is not None else None
        sheet = work.princely.get(owner)
        unreadable = []
        for text, order in _read(work, sheet.orders if sheet is not None else ()):
            if isinstance(order, Fault):
                unreadable.append(diplomacy.unreadable(owner, text, order))
            elif kept is not None and diplomacy.province_of(order) == kept:
                _verdict(work, owner, _line(work, order), "illegal", "generals-unit", "AA-L-2")
            else:
                orders.append((owner, order))
                givers.append(owner)
        work.verdicts += unreadable
        own = work.wazirs[general].order if general in work.wazirs else None
        if general is None or own is None:
            continue
        ((text, order),) = _read(work, (own,))
        if not isinstance(order, Fault) and diplomacy.province_of(order) == kept:
            orders.append((owner, order))
            givers.append(general)
        else:
            line, unit = text[:200] if isinstance(order, Fault) else _line(work, order), position.generals[general].unit
            _verdict(work, general, line, "illegal", "not-his-unit", "AA-L-2", {"unit": unit})
    war = work.war = diplomacy.begin(position.war)
    war.orders = orders
    diplomacy.carry_out(war)
    for giver, verdict in zip(givers, diplomacy.verdicts(war.start, war.judged), strict=True):
        work.verdicts.append(replace(verdict, seat=giver))
    work.verdicts += diplomacy.verdicts(war.start, war.implied)
    work.events.extend(war.events)
    _follow_the_war(work)


def _read(work: Work, lines: tuple[str, ...]) -> list[tuple[str, diplomacy.AnyOrder | Fault]]:
    """Each line with the order that it is."""
    return [(line, work.field.notation.read(line)) for line in lines]


def _line(work: Work, order: diplomacy.AnyOrder) -> str:
    """An order as it is written canonically."""
    return work.field.notation.write(order, work.field.names())[:200]


def _province(work: Work, unit: str) -> str:
    """The province of a unit that a position names."""
    order = work.field.notation.read(f"{unit} H")
    assert isinstance(order, diplomacy.Hold), unit
    return order.unit.province


def _follow_the_war(work: Work) -> None:
    """Generals' units retreated, disbanded or were removed (AA-L-12, AA-L-13)."""
    war = work.war
    assert war is not None
    generals: dict[SeatId, Command] = {}
    for wazir, command in work.position.generals.items():
        here = (work.position.courts.get(wazir, wazir), _province(work, command.unit))
        if here not in war.became:
            generals[wazir] = command
            continue
        now = war.became[here]
        if now is not None:
            generals[wazir] = replace(command, unit=work.field.board.unit_name(now))
            continue
        winter = war.position.phase is diplomacy.Phase.ADJUSTMENTS
        why: Literal["removed", "landless", "lost"] = "lost"
        if winter:
            why = "removed" if wazir in work.position.courts else "landless"
        work.events.append(CommandEnded(wazir=wazir, unit=command.unit, why=why))
    work.position = replace(work.position, generals=generals)


def decide_fates(work: Work) -> None:
    """In winter conquerors decide about the wazirs of courts that fell (AA-J-1 to AA-J-4)."""
    for conquest in work.position.conquests:
        wazir, conqueror = conquest.wazir, conquest.conqueror
        sheet = work.princely.get(conqueror, PrinceSheet())
        fate = sheet.fate.get(wazir)
        own = wazir_of(work.position, conqueror)
        if fate is Fate.TAKE and own is not None:
            _verdict(work, conqueror, f"Take {wazir}", "illegal", "fate-full", "AA-J-2", {"own": own or ""})
            fate = None
        elif fate is not None:
            rule = "AA-J-2" if own else "AA-J-1"
            _verdict(
                work,
                conqueror,
                f"{fate.value.capitalize()} {wazir}",
                "succeeds",
                f"fate-{fate.value}",
                rule,
                {"wazir": wazir},
            )
        chosen = fate or Fate.FREE
        vanished = 0
        position = work.position
        if chosen is Fate.TAKE:
            work.position = replace(position, courts=dict(sorted({**position.courts, wazir: conqueror}.items())))
        elif chosen is Fate.EXECUTE:
            vanished = position.purses[wazir]
            purses = {one: dinars for one, dinars in position.purses.items() if one != wazir}
            work.position = replace(position, executed=(*position.executed, wazir), purses=purses)
        work.events.append(Decided(conqueror=conqueror, wazir=wazir, fate=chosen.value, dinars=vanished))
    for prince, sheet in sorted(work.princely.items()):
        for wazir, fate in sorted(sheet.fate.items()):
            if not any(one.wazir == wazir and one.conqueror == prince for one in work.position.conquests):
                _verdict(
                    work, prince, f"{fate.value.capitalize()} {wazir[:40]}", "illegal", "not-his-to-decide", "AA-J-4"
                )
    work.position = replace(work.position, conquests=())


# After every turn -------------------------------------------------------------------------------------------------


def count_centres(work: Work) -> None:
    """Step 7: after a fall the centres change hands, and courts fall with them (AA-F-6, AA-J)."""
    assert work.war is not None
    war, told = work.war, len(work.war.events)
    # The land of a free general whose command ended is nobody's, and who takes it takes it from nobody (AA-L-12).
    landless = {wazir for wazir in WAZIRS if wazir not in work.position.generals}
    for code, owner in list(war.field.owners.items()):
        if owner in landless:
            del war.field.owners[code]
    diplomacy.take_centres(war)
    diplomacy.name_the_eliminated(war)
    # A wazir who commands nothing any more is a wazir still.
    work.events.extend(
        event for event in war.events[told:] if not (isinstance(event, diplomacy.Eliminated) and event.power in WAZIRS)
    )
    taken = [event for event in war.events if isinstance(event, diplomacy.Taken)]
    generals = {wazir: _with_land(work, command, taken) for wazir, command in work.position.generals.items()}
    work.position = replace(work.position, generals=generals)
    _conquer_courts(work, taken)
    for event in war.events[told:]:
        if isinstance(event, diplomacy.Eliminated) and event.power not in WAZIRS:
            _close_court(work, event.power)


def _with_land(work: Work, command: Command, taken: list[diplomacy.Taken]) -> Command:
    """A command after centres changed hands: with those its unit took, without those that others took (AA-L-7)."""
    centres = {event.centre for event in taken}
    here = work.field.board.provinces[_province(work, command.unit)].name
    return replace(command, land=tuple(sorted((set(command.land) - centres) | (centres & {here}))))


def _conquer_courts(work: Work, taken: list[diplomacy.Taken]) -> None:
    """The courts of princes whose last centre others took fall (AA-J)."""
    assert work.war is not None
    before, after = work.field, work.war.field
    conquests = []
    left = dict(work.position.courts)
    for prince in princes(work.position.settings):
        lost = [event for event in taken if event.lost_by == prince]
        if not lost or after.owned(prince) or not before.owned(prince):
            continue
        serving = [one for one, court in left.items() if court == prince]
        if not serving:
            continue
        wazir = serving[0]
        takers = {event.power for event in lost}
        conqueror = takers.pop() if len(takers) == 1 else None
        if conqueror in WAZIRS:
            conqueror = None
        del left[wazir]
        work.events.append(CourtFell(prince=prince, wazir=wazir, conqueror=conqueror))
        if wazir in work.position.generals:
            command = work.position.generals[wazir]
            work.events.append(CommandEnded(wazir=wazir, unit=command.unit, why="fell"))
            generals = {one: c for one, c in work.position.generals.items() if one != wazir}
            work.position = replace(work.position, generals=generals)
        if conqueror is not None:
            conquests.append(Conquest(wazir=wazir, conqueror=conqueror))
    work.position = replace(work.position, courts=left, conquests=(*work.position.conquests, *conquests))


def _close_court(work: Work, prince: SeatId) -> None:
    """The treasury of a prince who is eliminated is lost (AA-F-6); who serves him still goes free (AA-J-6)."""
    position = work.position
    dinars, wazir = position.treasuries[prince], wazir_of(position, prince)
    if dinars:
        work.events.append(TreasuryLost(prince=prince, dinars=dinars))
        position = replace(position, treasuries={**position.treasuries, prince: 0})
    if wazir is not None:
        work.events.append(CourtFell(prince=prince, wazir=wazir))
        position = replace(position, courts={one: court for one, court in position.courts.items() if one != wazir})
    work.position = position


def turn_the_page(work: Work) -> None:
    """The next turn in which something can happen; fates are decided in the winter (AA-J-4)."""
    assert work.war is not None
    diplomacy.turn_the_page(work.war)
    assert work.war.after is not None
    war, start = work.war.after, work.start.war
    if work.position.conquests:
        war = replace(war, year=start.year, season=diplomacy.Season.WINTER, phase=diplomacy.Phase.ADJUSTMENTS)
    work.position = replace(work.position, war=war)


def end_the_game(work: Work) -> None:
    """A prince's solo, a wazir's, or a draw that all princes vote for (AA-K)."""
    assert work.war is not None
    position = work.position
    phase = when(work.start)
    votes = set(position.votes)
    for prince, sheet in work.princely.items():
        if sheet.draw is not None:
            (votes.add if sheet.draw else votes.discard)(prince)
    left = reigning(position)
    votes &= set(left)
    work.position = position = replace(position, votes=tuple(prince for prince in left if prince in votes))
    field_ = diplomacy.field_of(position.war)
    counts = {prince: len(field_.owned(prince)) for prince in princes(position.settings)}
    leader = max(sorted(counts), key=lambda prince: counts[prince])
    rich = _rich(position, counts[leader])
    won = diplomacy.victor(work.war, princes(position.settings))  # AA-L-15
    fall = work.start.war.season is diplomacy.Season.FALL
    changed = fall and not work.war.forced  # the centres have changed hands
    if won is not None:
        work.events.append(won)
        work.ended = Ending(how="solo", winners=(won.power,), when=phase, rule="AA-K-1")
    elif set(left) == votes and left:
        most = max((position.purses[wazir] for wazir in living(position)), default=0)
        richest = tuple(wazir for wazir in living(position) if position.purses[wazir] == most)
        work.events.append(Drawn(princes=left, wazirs=richest))
        work.ended = Ending(how="draw", winners=(*left, *richest), when=phase, rule="AA-K-2")
    elif rich and position.settings.wazir_solo_ends_game and changed:
        work.ended = Ending(how="wazir solo", winners=rich, when=phase, rule="AA-K-7")
    elif any(sheet.draw is not None for sheet in work.princely.values()) and votes:
        needed = tuple(prince for prince in left if prince not in votes)
        work.events.append(DrawVote(princes=position.votes, needed=needed))
    if work.ended is not None and rich:
        event = WazirWon(wazirs=rich, dinars=position.purses[rich[0]], prince=leader, centres=counts[leader])
        work.events.append(event)
        both = won is not None
        winners = (*rich, won.power) if won is not None else rich
        work.ended = replace(
            work.ended,
            how="wazir solo and solo" if both else "wazir solo",
            winners=winners,
            rule="AA-K-8" if both or len(rich) > 1 else ("AA-K-7" if work.ended.rule == "AA-K-7" else "AA-K-5"),
        )


def _rich(position: Position, centres: int) -> tuple[SeatId, ...]:
    """The wazirs who have enough for a solo; of several the richest, or all that are equally rich (AA-K-5, AA-K-8)."""
    need = 3 * centres + (1 if position.settings.wazir_solo is WazirSolo.MORE_THAN_3 else 0)
    enough = {
        wazir: dinars for wazir, dinars in position.purses.items() if dinars >= need and wazir in living(position)
    }
    most = max(enough.values(), default=0)
    return tuple(wazir for wazir in living(position) if enough.get(wazir) == most and wazir in enough)


def when(position: Position) -> str:
    """`Spring 1080, movement`."""
    return diplomacy.when(position.war)


SEASON = (
    note_the_silent,
    match_hirings,
    name_the_vacant,
    gather_courts,
    read_orders,
    put_orders_together,
    wage_war,
    pay,
    change_courts,
    refuse_fates,
    count_centres,
    turn_the_page,
    end_the_game,
)
OTHER = (
    note_who_is_back,
    refuse_what_is_for_seasons,
    carry_on_the_war,
    decide_fates,
    count_centres,
    turn_the_page,
    end_the_game,
)
"""The turn reads as AA-M says: each step is a function above."""
