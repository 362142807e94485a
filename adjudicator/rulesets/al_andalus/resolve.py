"""Judges an Al-Andalus turn, from sheets to the next position (AA-M).

The war is standard Diplomacy. The orders of princes and wazirs are combined into one order per unit, which the war judges. `courts`
handles the courts. Every order gets one verdict, and so does every unit without an order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import courts
from adjudicator.rulesets.al_andalus.events import (
    AnyEvent,
    Arrested,
    Ascended,
    CommandEnded,
    CourtFell,
    Decided,
    Silent,
    TreasuryLost,
    Vacant,
)
from adjudicator.rulesets.al_andalus.generals import appoint_generals, follow_commands, follow_the_war, update_land
from adjudicator.rulesets.al_andalus.orders import (
    AnySheet,
    Fate,
    PrinceSheet,
    WazirSheet,
    due,
    is_movement,
    units_of,
    vacant_throne,
)
from adjudicator.rulesets.al_andalus.position import (
    WAZIRS,
    Conquest,
    Position,
    check_courts,
    living_wazirs,
    princes,
    wazir_of,
)
from adjudicator.rulesets.al_andalus.season import pay, put_orders_together, read_orders, wage_war
from adjudicator.rulesets.al_andalus.victory import end_the_game
from adjudicator.rulesets.al_andalus.work import Realm, Work, line_of, province_of_unit, read_lines


def resolve(position: Position, sheets: Mapping[SeatId, AnySheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judges one turn. Al-Andalus rolls no dice."""
    check_courts(position)
    work = Work(position, sheets, dice)
    for step in SEASON if is_movement(position) else OTHER:
        step(work)
    work.verdicts.sort(key=lambda verdict: _rank(position, verdict.seat))
    return work.done(work.position)


def _rank(position: Position, seat: SeatId) -> int:
    return (*princes(position.settings), *WAZIRS).index(seat)


def note_the_silent(work: Work) -> None:
    """Reports princes whose silence counts as an arrest (AA-I-1), counts turns missed in a row, and lets wazirs take thrones (AA-I-5)."""
    missed, heirs = dict(work.position.missed), dict(work.position.heirs)
    for seat in (*princes(work.position.settings), *living_wazirs(work.position)):
        if seat not in due(work.position):
            continue
        missed[seat] = missed.get(seat, 0) + 1 if seat in work.silent else 0
        if seat in work.silent and seat not in WAZIRS:
            work.tell(Silent(prince=seat))
        serving = wazir_of(work.position, seat)
        if seat not in work.silent:
            heirs.pop(seat, None)
        elif serving is not None:
            heirs[seat] = serving
    work.amend(heirs=dict(sorted(heirs.items())))
    for wazir, sheet in sorted(work.wazirs.items()):
        if sheet.throne:
            _ascend(work, wazir, missed)
    owing = due(work.position)  # eliminated and executed seats no longer miss anything
    work.amend(missed={seat: n for seat, n in missed.items() if n and seat in owing})


def _ascend(work: Work, wazir: SeatId, missed: dict[SeatId, int]) -> None:
    """Lets a wazir replace their prince if the prince had missed two turns before this one (AA-I-5, AA-I-6); adds the verdict."""
    heirs = work.position.heirs
    prince = work.position.courts.get(wazir) or next((silent for silent, heir in heirs.items() if heir == wazir), None)
    succeeds = prince in work.silent and vacant_throne(work.position, wazir) is not None
    work.verdicts.append(
        diplomacy.UnitVerdict(
            seat=wazir, order="Throne", result="succeeds" if succeeds else "illegal",
            reason="ascended" if succeeds else "not-vacant", rule="AA-I-5", facts={"prince": prince} if prince else None,
        )
    )  # fmt: skip
    if succeeds:
        assert prince is not None
        dinars = work.position.purses[wazir]
        for order, rule in _wishes(work.wazirs[wazir]):
            if order != "Throne":
                work.judge(wazir, order, "void", "on-the-throne", rule, prince=prince)
        work.tell(Ascended(wazir=wazir, prince=prince, dinars=dinars))
        if wazir in work.position.generals:
            unit = work.position.generals[wazir].unit
            work.tell(CommandEnded(wazir=wazir, unit=unit, why="throne"))
        courts_left = {other: court for other, court in work.position.courts.items() if other != wazir}
        generals = {other: command for other, command in work.position.generals.items() if other != wazir}
        work.amend(
            courts=courts_left,
            generals=generals,
            purses={**work.position.purses, wazir: 0},
            heirs={other: heir for other, heir in heirs.items() if wazir != heir and other != prince},
        )
        missed[prince] = 0
        work.wazirs[wazir] = WazirSheet()


def _wishes(sheet: AnySheet) -> list[tuple[str, str]]:
    """A sheet's entries as orders, each with its rule. A prince's unit orders, fates and vote are left out."""
    if isinstance(sheet, PrinceSheet):
        return [
            *([(f"Hire {sheet.hire[:60]}", "AA-E-10")] if sheet.hire is not None else []),
            *([("Arrest", "AA-H-1")] if sheet.arrest else []),
            *([(f"Appoint {sheet.appoint[:60]}", "AA-L-1")] if sheet.appoint is not None else []),
        ]
    return [
        *([(f"Court {sheet.court[:60]}", "AA-E-10")] if sheet.court is not None else []),
        *([(sheet.order[:ORDER_LETTERS], "AA-C-9")] if sheet.order is not None else []),
        *([("Plunder", "AA-G-1")] if sheet.plunder else []),
        *([("Refuse", "AA-L-14")] if sheet.refuse else []),
        *([("Resign", "AA-L-12")] if sheet.resign else []),
        *([("Throne", "AA-I-5")] if sheet.throne else []),
    ]


def match_hirings(work: Work) -> None:
    """Step 1: decides who goes to whose court (AA-E)."""
    arresting = {prince for prince, sheet in work.princely.items() if sheet.arrest}
    work.hirings = courts.match_hirings(work.position, work.princely, work.wazirs, work.silent | arresting)
    work.verdicts.extend(work.hirings.verdicts)


def name_the_vacant(work: Work) -> None:
    """Reports seats that are vacant after two missed turns in a row (AA-I-4). Drops heirs who go to a court or whose prince is back (AA-I-5)."""
    assert work.hirings is not None
    position = work.position
    heirs = {
        prince: heir
        for prince, heir in position.heirs.items()
        if prince in work.silent and heir not in work.hirings.accepted and position.courts.get(heir, prince) == prince
    }
    for seat in (*princes(position.settings), *living_wazirs(position)):
        if seat in work.silent and position.missed.get(seat) == 2:
            work.tell(Vacant(seat=seat, chooser=heirs.get(seat)))
    work.amend(heirs=heirs)


def gather_courts(work: Work) -> None:
    """Step 2: gathers each prince's units and wazir, and whether the prince arrests or is plundered (AA-G, AA-H)."""
    assert work.hirings is not None
    position = work.position
    owners = [*princes(position.settings), *(w for w in living_wazirs(position) if w in position.generals)]
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
            work.judge(owner, "Arrest", "succeeds", "arrest", "AA-H-1")
        if plundering and wazir is not None:
            reason = "plundered" if realm.plunder else ("on-his-way" if realm.wazir is None else "countered")
            rule = {"plundered": "AA-G-1", "on-his-way": "AA-C-10", "countered": "AA-H-5"}[reason]
            work.judge(wazir, "Plunder", "succeeds" if realm.plunder else "fails", reason, rule, prince=owner)
        work.realms.append(realm)
    for wazir, plans in sorted(work.wazirs.items()):
        if plans.plunder and wazir not in position.courts:
            work.judge(wazir, "Plunder", "illegal", "no-court", "AA-G-1")


def change_courts(work: Work) -> None:
    """Step 6: moves dinars and wazirs (AA-E-3, AA-F-5), then updates commands and appoints generals (AA-L)."""
    assert work.hirings is not None
    purses, hired = courts.settle(work.position, work.hirings, tuple(work.gains))
    work.events.extend(hired)
    arrested = {gain.wazir: gain.prince for gain in work.gains if isinstance(gain, Arrested) and gain.wazir is not None}
    before = work.position
    work.amend(courts=purses.courts, purses=purses.purses, treasuries=purses.treasuries)
    follow_commands(work, before, arrested)
    appoint_generals(work, before, arrested)


def refuse_fates(work: Work) -> None:
    """In spring and fall, refuses decisions about the wazirs of fallen courts (AA-J-4)."""
    for prince, sheet in sorted(work.princely.items()):
        for wazir, fate in sorted(sheet.fate.items()):
            order = f"{fate.value.capitalize()} {wazir[:40]}"
            work.judge(prince, order, "illegal", "not-his-to-decide", "AA-J-4")


def note_who_is_back(work: Work) -> None:
    """Forgets the missed turns, and heirs, of seats that send a sheet between two seasons of moves (AA-I-5, AA-I-8)."""
    sent = work.princely.keys() | work.wazirs.keys()
    missed = {seat: n for seat, n in work.position.missed.items() if seat not in sent}
    heirs = {prince: heir for prince, heir in work.position.heirs.items() if prince not in sent}
    work.amend(missed=missed, heirs=heirs)


def refuse_what_is_for_seasons(work: Work) -> None:
    """Refuses changes of court, plunder and arrests outside spring and fall (AA-E-10, AA-G-1, AA-H-1)."""
    for seat, sheet in sorted((work.princely | work.wazirs).items()):
        for order, rule in _wishes(sheet):
            if not (isinstance(sheet, WazirSheet) and sheet.order is not None and rule == "AA-C-9"):
                work.judge(seat, order, "illegal", "not-this-season", rule)


def carry_on_the_war(work: Work) -> None:
    """Judges retreats and adjustments as in standard Diplomacy, without a say for wazirs (AA-B-7, AA-C-9).

    A general's dislodged unit gets its orders from the general (AA-L-2).
    """
    position = work.position
    dislodged = {(lost.power, lost.unit) for lost in position.war.dislodged}
    generals = {
        position.courts.get(wazir, wazir): wazir
        for wazir, command in position.generals.items()
        if wazir in living_wazirs(position) and (position.courts.get(wazir, wazir), command.unit) in dislodged
    }
    """Owner of a general's dislodged unit -> the general."""
    orders: list[diplomacy.Command] = []
    givers: list[SeatId] = []
    for wazir in living_wazirs(position):
        if wazir in work.wazirs and work.wazirs[wazir].order is not None and wazir not in generals.values():
            work.judge(wazir, (work.wazirs[wazir].order or "")[:ORDER_LETTERS], "illegal", "no-influence", "AA-C-9")
    for owner in work.field.powers:
        general = generals.get(owner)
        generals_province = province_of_unit(work, position.generals[general].unit) if general is not None else None
        sheet = work.princely.get(owner)
        unreadable = []
        for text, order in read_lines(work, sheet.orders if sheet is not None else ()):
            if isinstance(order, Fault):
                unreadable.append(diplomacy.unreadable_verdict(owner, text, order))
            elif generals_province is not None and diplomacy.province_of(order) == generals_province:
                work.judge(owner, line_of(work, order), "illegal", "generals-unit", "AA-L-2")
            else:
                orders.append((owner, order))
                givers.append(owner)
        work.verdicts += unreadable
        line_given = work.wazirs[general].order if general in work.wazirs else None
        if general is None or line_given is None:
            continue
        ((text, order),) = read_lines(work, (line_given,))
        if not isinstance(order, Fault) and diplomacy.province_of(order) == generals_province:
            orders.append((owner, order))
            givers.append(general)
        else:
            line, unit = (
                text[:ORDER_LETTERS] if isinstance(order, Fault) else line_of(work, order),
                position.generals[general].unit,
            )
            work.judge(general, line, "illegal", "not-his-unit", "AA-L-2", unit=unit)
    war = work.war = diplomacy.begin(position.war)
    war.orders = orders
    diplomacy.carry_out(war)
    for giver, verdict in zip(givers, diplomacy.verdicts_on(war.start, war.judged), strict=True):
        work.verdicts.append(replace(verdict, seat=giver))
    work.verdicts += diplomacy.verdicts_on(war.start, war.implied)
    work.events.extend(war.events)
    follow_the_war(work)


def decide_fates(work: Work) -> None:
    """Carries out the conquerors' decisions about the wazirs of courts that fell (AA-J-1 to AA-J-4)."""
    for conquest in work.position.conquests:
        wazir, conqueror = conquest.wazir, conquest.conqueror
        sheet = work.princely.get(conqueror, PrinceSheet())
        fate = sheet.fate.get(wazir)
        serving = wazir_of(work.position, conqueror)
        if fate is Fate.TAKE and serving is not None:
            work.judge(conqueror, f"Take {wazir}", "illegal", "fate-full", "AA-J-2", own=serving or "")
            fate = None
        elif fate is not None:
            rule = "AA-J-2" if serving else "AA-J-1"
            work.judge(
                conqueror, f"{fate.value.capitalize()} {wazir}", "succeeds", f"fate-{fate.value}", rule, wazir=wazir
            )
        chosen = fate or Fate.FREE
        vanished = 0
        position = work.position
        if chosen is Fate.TAKE:
            work.amend(courts=dict(sorted({**position.courts, wazir: conqueror}.items())))
        elif chosen is Fate.EXECUTE:
            vanished = position.purses[wazir]
            purses = {other: dinars for other, dinars in position.purses.items() if other != wazir}
            work.amend(executed=(*position.executed, wazir), purses=purses)
        work.tell(Decided(conqueror=conqueror, wazir=wazir, fate=chosen.value, dinars=vanished))
    for prince, sheet in sorted(work.princely.items()):
        for wazir, fate in sorted(sheet.fate.items()):
            if not any((each.wazir, each.conqueror) == (wazir, prince) for each in work.position.conquests):
                work.judge(prince, f"{fate.value.capitalize()} {wazir[:40]}", "illegal", "not-his-to-decide", "AA-J-4")
    work.amend(conquests=())


def count_centres(work: Work) -> None:
    """Step 7: after a fall, gives centres to their takers and ends the courts that fall with them (AA-F-6, AA-J)."""
    assert work.war is not None
    war, told = work.war, len(work.war.events)
    # The land of a free general whose command ended is nobody's, so its taker takes it from nobody (AA-L-12).
    landless = {wazir for wazir in WAZIRS if wazir not in work.position.generals}
    for code, owner in list(war.field.owners.items()):
        if owner in landless:
            del war.field.owners[code]
    diplomacy.take_centres(war)
    diplomacy.name_the_eliminated(war)
    # A wazir who has lost unit and land is still in the game.
    work.events.extend(
        event for event in war.events[told:] if not (isinstance(event, diplomacy.Eliminated) and event.power in WAZIRS)
    )
    taken = [event for event in war.events if isinstance(event, diplomacy.Taken)]
    generals = {wazir: update_land(work, command, taken) for wazir, command in work.position.generals.items()}
    work.amend(generals=generals)
    _conquer_courts(work, taken)
    for event in war.events[told:]:
        if isinstance(event, diplomacy.Eliminated) and event.power not in WAZIRS:
            _close_court(work, event.power)


def _conquer_courts(work: Work, taken: list[diplomacy.Taken]) -> None:
    """Ends the courts of princes who lost their last centre to others (AA-J)."""
    assert work.war is not None
    before, after = work.field, work.war.field
    conquests = []
    courts_left = dict(work.position.courts)
    for prince in princes(work.position.settings):
        lost = [event for event in taken if event.lost_by == prince]
        if not lost or after.owned(prince) or not before.owned(prince):
            continue
        wazir = next((wazir for wazir, court in courts_left.items() if court == prince), None)
        if wazir is None:
            continue
        takers = {event.power for event in lost}
        conqueror = takers.pop() if len(takers) == 1 else None
        if conqueror in WAZIRS:
            conqueror = None
        del courts_left[wazir]
        work.tell(CourtFell(prince=prince, wazir=wazir, conqueror=conqueror))
        if wazir in work.position.generals:
            command = work.position.generals[wazir]
            work.tell(CommandEnded(wazir=wazir, unit=command.unit, why="fell"))
            generals = {other: c for other, c in work.position.generals.items() if other != wazir}
            work.amend(generals=generals)
        if conqueror is not None:
            conquests.append(Conquest(wazir=wazir, conqueror=conqueror))
    work.amend(courts=courts_left, conquests=(*work.position.conquests, *conquests))


def _close_court(work: Work, prince: SeatId) -> None:
    """Closes an eliminated prince's court. The treasury is lost (AA-F-6), and a wazir who still serves there goes free (AA-J-6)."""
    position = work.position
    dinars, wazir = position.treasuries[prince], wazir_of(position, prince)
    if dinars:
        work.tell(TreasuryLost(prince=prince, dinars=dinars))
        work.amend(treasuries={**position.treasuries, prince: 0})
    if wazir is not None:
        work.tell(CourtFell(prince=prince, wazir=wazir))
        work.amend(courts={other: court for other, court in position.courts.items() if other != wazir})


def turn_the_page(work: Work) -> None:
    """Goes on to the next turn with something to decide. Fates, if any, are decided in winter (AA-J-4)."""
    assert work.war is not None
    diplomacy.turn_the_page(work.war)
    assert work.war.after is not None
    war, start = work.war.after, work.start.war
    if work.position.conquests:
        war = replace(war, year=start.year, season=diplomacy.Season.WINTER, phase=diplomacy.Phase.ADJUSTMENTS)
    work.amend(war=war)


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
"""The steps of spring and fall, and of other turns, in the order of AA-M."""
