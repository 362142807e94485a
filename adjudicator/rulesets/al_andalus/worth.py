"""Aims of stand-ins: princes want centres and a wazir, and wazirs want dinars, a vacant throne, and now and then freedom.

Stand-ins that ask `chance` for the same name get the same answer. This lets two seats agree on a hiring, and lets a wazir on good
terms with their prince know which unit the prince will leave to them.
"""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.orders import FREE, AnySheet, Fate, PrinceSheet, WazirSheet, is_for, is_movement
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, princes, wazir_of

FIRST = 10**12
"""A worth higher than any unit order's, for choices that decide the rest of the sheet."""
Worth = Callable[[AnySheet, AnySheet], int | None]


def worth(position: Position, seat: SeatId, chance: Chance) -> Worth:
    """Return the function that values one more option on a prince's or wazir's sheet."""
    return _worth_to_wazir(position, seat, chance) if seat in WAZIRS else _worth_to_prince(position, seat, chance)


def _centres(position: Position) -> dict[SeatId, int]:
    return {prince: len(position.war.centres.get(prince, ())) for prince in princes(position.settings)}


def _deal(chance: Chance, prince: SeatId, wazir: SeatId) -> int:
    """How much a prince and a wazir like each other this season, from 0 to 99."""
    return chance(f"deal:{prince}:{wazir}", 100)


def _limit(position: Position, prince: SeatId) -> int:
    """Number of units that a prince may use (AA-B-1, AA-L-2)."""
    units = len(position.war.units.get(prince, ()))
    serving = wazir_of(position, prince)
    return units if units == 1 or serving in position.generals else units - 1


def _worth_to_prince(position: Position, seat: SeatId, chance: Chance) -> Worth:
    plan = diplomacy.Plan(position.war, seat, chance)
    serving = wazir_of(position, seat)
    centres = _centres(position)
    leading = max(centres.values())
    victory = position.settings.victory or plan.board.victory
    years = position.war.year - plan.board.starts
    draw = diplomacy.wants_draw(chance, seat, years, centres.get(seat, 0), victory, leading)
    # Now and then a prince uses all their units and sees what happens (AA-B-3).
    bold = chance(f"bold:{seat}", 25) == 0
    moving = is_movement(position)
    most = 100 if bold or not moving else _limit(position, seat)
    purse = position.purses.get(serving, 0) if serving else 0
    # A purse that nears a wazir's victory, or that is merely fat, tempts a prince.
    tempted = purse >= 6 and chance(f"arrest:{seat}", 100) < (60 if purse * 5 > leading * 12 else 6)

    def judge(sheet: AnySheet, more: AnySheet) -> int | None:
        assert isinstance(sheet, PrinceSheet)
        assert isinstance(more, PrinceSheet)
        if more.orders:
            full = moving and plan.count_acting(sheet.orders) >= most
            if sheet.arrest or (full and plan.acts(more.orders[0])):
                return None
            return plan.worth(sheet.orders, more.orders[0])
        if more.arrest:
            return FIRST if tempted else None
        if more.hire is not None:
            if sheet.hire is not None or sheet.arrest:
                return None
            liking = _deal(chance, seat, more.hire) + (40 if more.hire not in position.courts else 0)
            return FIRST // 2 + liking if serving is None or liking >= 95 else None
        if more.appoint is not None:
            return 1 + chance(f"appoint:{seat}:{more.appoint}", 9) - (7 if sheet.appoint is None else 99)
        if more.fate:
            ((wazir, fate),) = more.fate.items()
            if wazir in sheet.fate:
                return None
            dangerous = position.purses[wazir] * 2 > 3 * leading
            wish = Fate.EXECUTE if dangerous or chance(f"mercy:{seat}:{wazir}", 3) == 0 else Fate.FREE
            if serving is None and not dangerous and Fate.TAKE not in sheet.fate.values():
                wish = Fate.TAKE
            return FIRST if fate is wish else 0  # the wish may change with the fates of other wazirs
        return 1 if more.draw and draw and sheet.draw is None and seat not in position.votes else None

    return judge


def _expected_orders(position: Position, prince: SeatId, plan: diplomacy.Plan) -> tuple[str, ...]:
    """Orders that a prince's stand-in is expected to give, as far as their wazir can foresee them."""
    serving = wazir_of(position, prince)
    generals_unit = position.generals[serving].unit if serving is not None and serving in position.generals else ""
    lines = [
        line
        for order, line in diplomacy.legal_lines(position.war, prince)
        if not generals_unit or not is_for(plan.field, order, generals_unit)
    ]
    return plan.choose(lines, acting=_limit(position, prince))


def _worth_to_wazir(position: Position, seat: SeatId, chance: Chance) -> Worth:
    prince = position.courts.get(seat)
    general = position.generals.get(seat)
    centres = _centres(position)
    leading = max(centres.values())
    mood = chance(f"mood:{seat}", 100)
    owner = prince if prince is not None else seat
    units = len(position.war.units.get(owner, ()))
    purse = position.purses.get(seat, 0)
    wins = purse <= 3 * leading < purse + units
    plunders = prince is not None and units > 2 and (wins or mood < 10)
    idle = general is None and 10 <= mood < 30  # a unit that holds earns the wazir a dinar
    plan: diplomacy.Plan | None = None
    lines: tuple[str, ...] = ()
    if (prince is not None and not plunders and is_movement(position)) or general is not None:
        plan = diplomacy.Plan(position.war, owner, chance)
        # One season in ten, a wazir does not ask what their prince is about to order, and may get in the way.
        if is_movement(position) and mood < 90:
            # A wazir may give another order to a unit that the prince orders to hold (AA-C-4).
            lines = tuple(line for line in _expected_orders(position, owner, plan) if plan.acts(line))

    def judge(sheet: AnySheet, more: AnySheet) -> int | None:
        assert isinstance(sheet, WazirSheet)
        assert isinstance(more, WazirSheet)
        if sheet.plunder or sheet.court is not None or sheet.throne:
            return None
        if more.throne:
            return FIRST * 2
        if more.plunder:
            return FIRST if plunders else None
        if more.court == FREE:
            return FIRST // 2 if mood > 95 else None
        if more.court is not None:
            liking = _deal(chance, more.court, seat)
            vacant = wazir_of(position, more.court) is None
            if prince is None:
                return FIRST // 2 + liking + (50 if vacant else 0) + position.treasuries.get(more.court, 0)
            return FIRST // 2 + liking if liking >= (90 if vacant else 98) else None
        if more.refuse:
            return 1 if mood % 10 == 3 else None
        if more.resign:
            return 1 if mood == 50 else None
        if more.order is not None and plan is not None and sheet.order is None and not idle:
            return plan.worth(lines, more.order)
        return None

    return judge
