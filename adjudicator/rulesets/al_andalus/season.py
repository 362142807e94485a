"""Spring and fall: combines what princes and wazirs order for the same units (AA-B to AA-D, AA-G, AA-H)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.mechanics.movement import Move
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import courts
from adjudicator.rulesets.al_andalus.events import (
    HeldBack,
    Paid,
    Plundered,
)
from adjudicator.rulesets.al_andalus.orders import (
    PrinceSheet,
    unit_to_hold,
    units_of,
)
from adjudicator.rulesets.al_andalus.position import (
    WAZIRS,
    wazir_of,
)
from adjudicator.rulesets.al_andalus.work import GENERAL, Realm, Work, Written


def read_orders(work: Work) -> None:
    """Reads every order. An illegal one gets its verdict here and does not count (AA-B-5)."""
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
        written = _judge_legality(work, realm.prince, realm.prince, sheet.orders[index], order)
        if written is None:
            continue
        if written.province == realm.general:
            work.judge(realm.prince, written.line, "illegal", "generals-unit", "AA-L-2")
            continue
        legal.setdefault(written.province, []).append(written)
    for province, several in legal.items():
        if len({written.line for written in several}) > 1:
            for written in several:
                work.judge(realm.prince, written.line, "illegal", "ordered-twice", "DP-O-5")
            continue
        realm.orders[province] = several[0]
        for _ in several[1:]:
            work.judge(realm.prince, several[0].line, "illegal", "repeated", "DP-O-5")


def _read_wazir(work: Work, wazir: SeatId, text: str) -> None:
    """Reads a wazir's one order (AA-C-1, AA-C-2). A general may order only their own unit (AA-L-2)."""
    assert work.hirings is not None
    prince = work.position.courts.get(wazir)
    general = work.position.generals.get(wazir)
    if wazir in work.hirings.leaving:
        work.judge(wazir, text[:ORDER_LETTERS], "fails", "on-his-way", "AA-C-10")
        return
    owner = prince if prince is not None else wazir
    realm = next((realm for realm in work.realms if realm.prince == owner), None)
    if realm is None or (prince is None and general is None):
        work.judge(wazir, text[:ORDER_LETTERS], "illegal", "no-court", "AA-C-1")
        return
    _, order = diplomacy.read_orders(work.field, diplomacy.Sheet(orders=(text,)))[0]
    written = _judge_legality(work, wazir, owner, text, order)
    if written is None:
        return
    if general is not None and written.province != realm.general:
        work.judge(wazir, written.line, "illegal", "not-his-unit", "AA-L-2", unit=general.unit)
        return
    realm.advice = written


def _judge_legality(
    work: Work, seat: SeatId, owner: SeatId, text: str, order: diplomacy.AnyOrder | Fault
) -> Written | None:
    """Returns the order if it is legal for its unit; otherwise adds a verdict and returns None (AA-B-5)."""
    if isinstance(order, Fault):
        work.verdicts.append(diplomacy.unreadable_verdict(seat, text, order))
        return None
    line = work.field.notation.write(order, work.field.names())
    if not diplomacy.is_for_moves(order):
        work.verdicts.append(diplomacy.not_now_verdict(seat, line, order))
        return None
    outcome = diplomacy.reason_against(work.field, work.position.war, owner, order)
    if outcome is not None:
        work.verdicts += diplomacy.verdicts_on(work.field, [diplomacy.Judged(seat, order, outcome)])
        return None
    return Written(seat, order, order.unit.province, line)


def put_orders_together(work: Work) -> None:
    """Step 3: makes one order per unit, with overrides, confusion, and the unit that is held (AA-B, AA-C, AA-D)."""
    for realm in work.realms:
        if realm.arrest or realm.plunder:
            _hold_all(work, realm)
        else:
            _combine(work, realm)


def _hold_all(work: Work, realm: Realm) -> None:
    """Voids a realm's orders in a season of arrest or plunder, when all units hold (AA-G-1, AA-H-1)."""
    reason, rule = ("arrest-held", "AA-H-1") if realm.arrest else ("plunder-held", "AA-G-1")
    for written in (*realm.orders.values(), *((realm.advice,) if realm.advice else ())):
        by = {"by": realm.prince if realm.arrest else (realm.wazir or "")}
        work.judge(written.seat, written.line, "void", reason, rule, **by)


def _mean_same(work: Work, given: Written, other: Written) -> bool:
    """True if two orders mean the same thing. `via convoy` makes a difference only to an army that could also go by land (AA-C-8)."""
    first, second = given.order, other.order
    if isinstance(first, Move) and isinstance(second, Move):
        board, here = work.field.board, first.unit.province
        if work.field.units[here][1].kind == "F" or first.to not in board.army_to[here]:
            return given.line.removesuffix(" via convoy") == other.line.removesuffix(" via convoy")
    return given.line == other.line


def _combine(work: Work, realm: Realm) -> None:
    advice = realm.advice
    fallow = {province for province in realm.units if province not in realm.orders or realm.orders[province].holds}
    realm.final = {province: (written,) for province, written in realm.orders.items()}
    realm.holds = set(fallow)
    if advice is not None:
        here = advice.province
        princely = realm.orders.get(here)
        if princely is None:
            realm.final[here] = (advice,)
            if not advice.holds:
                realm.holds.discard(here)  # AA-C-3; the prince left the unit fallow, which meets AA-B-1 (AA-D-5)
        elif princely.holds and not advice.holds:
            work.judge(
                princely.seat, princely.line, "overridden", "overridden", "AA-C-4", by=advice.seat, order=advice.line
            )
            realm.final[here] = (advice,)
            realm.holds.discard(here)
        elif _mean_same(work, princely, advice):
            realm.final[here] = (princely, advice)  # AA-C-7, AA-C-8; two holds are a match as well (AA-C-6)
        else:
            for given, other in ((princely, advice), (advice, princely)):
                work.judge(given.seat, given.line, "confused", "confused", "AA-C-5", by=other.seat, order=other.line)
            del realm.final[here]
            realm.holds.add(here)
            fallow.add(here)  # a confused unit holds in any case, and so satisfies AA-B-1 (AA-D-1)
    if fallow or len(realm.units) < 2 or realm.general is not None or realm.prince in WAZIRS:
        return
    board = work.field.board
    unit, distance = unit_to_hold(board, realm.prince, units_of(work.field, realm.prince))
    for given in realm.final.pop(unit.province):
        facts: dict[str, Fact] = {"distance": distance}
        work.judge(given.seat, given.line, "held", "held-back", "AA-B-3", **facts)
    realm.holds.add(unit.province)
    work.tell(HeldBack(prince=realm.prince, unit=board.unit_name(unit), distance=distance))


def wage_war(work: Work) -> None:
    """Step 4: judges the movement, as in standard Diplomacy; a general's unit attacks with strength 3, others with 2 (AA-L-3, AA-L-4).

    Centres are counted later, once units and land have followed their generals (`count_centres`).
    """
    attack = None
    if work.position.settings.generals:
        attack = {realm.general: GENERAL for realm in work.realms if realm.general is not None}
    given = [(realm, several) for realm in work.realms for several in realm.final.values()]
    orders = [(realm.prince, several[0].order) for realm, several in given]
    war = work.war = diplomacy.begin(work.position.war)
    war.orders, war.attack = orders, attack
    diplomacy.carry_out(war)
    done = diplomacy.verdicts_on(war.start, war.judged)
    implied = diplomacy.verdicts_on(war.start, war.implied)
    for realm in work.realms:
        for (whose, several), verdict in zip(given, done, strict=True):
            if whose is realm:
                _share(work, verdict, several)
        work.verdicts.extend(verdict for verdict in implied if verdict.seat == realm.prince)
    work.events.extend(war.events)


def _share(work: Work, verdict: diplomacy.UnitVerdict, given: tuple[Written, ...]) -> None:
    """Gives the war's verdict on an order to everyone who gave that order (AA-C-7)."""
    for written in given:
        facts = dict(verdict.facts or {})
        if len(given) == 2:
            facts["with"] = next(other.seat for other in given if other is not written)
        work.verdicts.append(replace(verdict, seat=written.seat, facts=facts or None))


def pay(work: Work) -> None:
    """Step 5: works out arrests, plunder, and pay: a dinar for each unit that held by order (AA-F, AA-G, AA-H)."""
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
