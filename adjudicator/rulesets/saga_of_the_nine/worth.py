"""Aims of stand-ins: to keep their heirs safe, to wed them, to kill other Majors' heirs, and to take centres. DP serve all of these.

In the war, they plan as the stand-ins of standard Diplomacy do. Two stand-ins that ask `chance` for the same name get the same answer, so the
heirs of two Majors agree on each other and on the place.
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.mechanics.adjustments import build_sites
from adjudicator.mechanics.movement import Move
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.heirs import can_build_heir, fit_locations, unwelcome
from adjudicator.rulesets.saga_of_the_nine.options import open_to_bids, unit_lines
from adjudicator.rulesets.saga_of_the_nine.orders import MarryHeir, MarryMinor, Sheet, speech_of
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    capital_of,
    centre_of,
    heirs_of,
    living,
    minors,
    purse_of,
    ruled_by,
    rulers_of,
    shared_vassal,
    total_of,
)
from adjudicator.rulesets.saga_of_the_nine.vassals import builders

ELIMINATES, KILLS, GUARDS = 1200, 500, 220
"""Extra value of a centre: if its fall eliminates a rival, if rivals' heirs live in it, and if the power's own heir does."""
TRUST = 30
"""Percentage of pairs of Majors that trust each other enough in an Autumn for their heirs to wed."""


def write(position: Position, major: SeatId, chance: Chance) -> Sheet:
    """The sheet that a stand-in sends."""
    match position.phase:
        case Phase.ORDERS:
            sheet = _Mind(position, major, chance).order()
        case Phase.RETREATS:
            sheet = Sheet(orders=_for_all(position, major, chance))
        case Phase.WINTER:
            heir = ("Build Heir",) if can_build_heir(position, major) else ()
            sheet = Sheet(orders=(*_for_all(position, major, chance), *heir))
    return sheet


def _for_all(position: Position, major: SeatId, chance: Chance) -> tuple[str, ...]:
    """Retreats or adjustments of a Major and its Vassals."""
    lines: list[str] = []
    for power in (major, *ruled_by(position, major)):
        plan = _plan(position, power, chance)
        lines += plan.choose(sparing(position, power, unit_lines(position, power)), most=_most(position, power))
    return tuple(lines)


def _most(position: Position, power: SeatId) -> int:
    """Most units that a power builds or removes in winter; in retreats 100, in effect without a limit."""
    if position.phase is not Phase.WINTER:
        return 100
    ground, sites = position.ground, builders(position)[power]
    owned, units = ground.owned(power), sum(whose == power for whose, _ in ground.units.values())
    if len(owned) <= units:
        return units - len(owned)
    return min(len(owned) - units, len(build_sites(ground.board, power, owned, {*ground.units}, sites)))


def prizes(position: Position, power: SeatId) -> dict[str, int]:
    """Code of a province -> its extra value to a power: for its own Capital, and for places where others' heirs live."""
    board = position.ground.board
    mine = leaders_of(position, power)
    worth: dict[str, int] = {}
    autumn = position.season is Season.AUTUMN
    for major in living(position):
        homes, capital = heirs_of(position, major), board.provinces[capital_of(board, major)].name
        for name in homes:
            code = board.places[name]
            if major == power and name == capital:
                worth[code] = worth.get(code, 0) + (GUARDS * 2 if len(homes) == 1 else GUARDS) * (2 if autumn else 1)
            elif major not in mine:
                last = len(homes) == 1 and position.ground.owners.get(capital_of(board, major)) != major
                falls = last or homes == (capital,)
                worth[code] = worth.get(code, 0) + (ELIMINATES if falls else KILLS) // (1 if autumn else 2)
    if power in position.vassals:  # A Vassal lives and dies with its Capital.
        worth[board.places[position.vassals[power].capital]] = GUARDS * 3
    return worth


def _plan(position: Position, power: SeatId, chance: Chance) -> diplomacy.Plan:
    """A power's plan for the war. It gives extra value to places that matter for heirs, and counts its side's Thralls and Vassals as allies."""
    return diplomacy.Plan(position.war, power, chance, prizes(position, power), _side(position, power))


def _side(position: Position, power: SeatId) -> frozenset[SeatId]:
    """The power, those who command it, and the Thralls and Vassals that they rule."""
    leaders = leaders_of(position, power)
    thralls = {thrall for thrall, major in position.thralls.items() if major in leaders}
    return leaders | thralls | {vassal for major in leaders for vassal in ruled_by(position, major)}


def leaders_of(position: Position, power: SeatId) -> frozenset[SeatId]:
    """Majors whose heirs a power spares: a Major itself, or both who command a Vassal."""
    return frozenset(rulers_of(position, power) or (power,))


def spared(position: Position, power: SeatId) -> frozenset[str]:
    """Provinces that a power does not enter: others' centres where heirs of its side live."""
    board = position.ground.board
    homes = {board.places[name] for major in leaders_of(position, power) for name in heirs_of(position, major)}
    return frozenset(code for code in homes if position.ground.owners.get(code) != power)


def sparing(position: Position, power: SeatId, lines: Iterable[str], more: str = "") -> list[str]:
    """The lines that neither enter a spared province, or the province `more`, nor help others to do so."""
    closed = {*spared(position, power), more}
    read = position.ground.notation.read
    return [line for line in lines if getattr(read(line), "to", None) not in closed]


class _Mind:
    """One Major's decisions in a phase of orders."""

    def __init__(self, position: Position, major: SeatId, chance: Chance) -> None:
        self.position, self.major, self.chance = position, major, chance
        self.ground = position.ground
        self.board = self.ground.board
        self.plan = _plan(position, major, chance)
        self.left = purse_of(position, major)
        self.bids: list[str] = []

    def order(self) -> Sheet:
        """The Major's sheet. Decides for the heir first, then units, then DP, so that a bride is not attacked and DP help the moves."""
        suit = self.court()
        bride = suit.centre if isinstance(suit, MarryMinor) else ""
        lines = self.plan.choose(sparing(self.position, self.major, unit_lines(self.position, self.major), bride))
        self.lead_vassals()
        self.hire(lines)
        married = (speech_of(self.position).write(suit, {}),) if suit is not None else ()
        return Sheet(orders=(*lines, *married), bids=tuple(self.bids), draw=self.votes())

    def bid(self, dp: int, wish: str) -> None:
        """Bids this many DP, or as many as are left."""
        dp = min(dp, self.left)
        if dp > 0:
            self.bids.append(f"{dp} DP to {wish}")
            self.left -= dp

    # Heirs ------------------------------------------------------------------------------------------------------------

    def court(self) -> MarryMinor | MarryHeir | None:
        """The heir's order to marry, if any. Also makes the bid that it needs."""
        position, major = self.position, self.major
        if major not in position.heirs or unwelcome(position, major) is not None:
            return None
        if position.season is Season.AUTUMN:
            match = self.match()
            if match is not None:
                return match
        bride = self.bride()
        if bride is None:
            return None
        centre = centre_of(self.board, bride)
        unit = self.board.unit_name(self.ground.units[centre][1])
        contested = any(
            whose not in (major, bride) and centre in self.board.reach(other) and whose in self.board.powers
            for whose, other in self.ground.units.values()
        )
        self.bid(3 if contested else 2, f"{unit} Marry Heir {major}")
        return MarryMinor(major, centre)

    def bride(self) -> SeatId | None:
        """The safest Minor to marry near home, or anywhere after cycle 2 or if the Capital may fall; None for no marriage."""
        position, board = self.position, self.board
        near = board.distances(board.homes(self.major))
        flees = position.season is Season.AUTUMN and self.threatened()
        ranked: list[tuple[int, int, SeatId]] = []
        for minor in minors(position):
            centre = centre_of(board, minor)
            here = self.ground.units.get(centre)
            if here is None or here[0] != minor:
                continue
            foes = sum(
                1
                for whose, unit in self.ground.units.values()
                if whose != self.major and whose in board.powers and centre in board.reach(unit)
            )
            steps = near.get(centre, 9)
            if flees or (foes < 2 and (steps <= 2 or self.position.cycle > 2)):
                ranked.append((foes * 3 + steps, self.chance(f"{self.major}:bride {minor}", 100), minor))
        if not ranked or not (flees or self.chance(f"{self.major}:court", 100) < 55):
            return None
        return min(ranked)[2]

    def threatened(self) -> bool:
        """True if more of one rival's units can reach the Capital than can defend it."""
        capital = capital_of(self.board, self.major)
        return self.plan.rivals.get(capital, 0) > self.plan.friends.get(capital, 0)

    def match(self) -> MarryHeir | None:
        """An order to marry another Major's heir at the place that both name, if the two trust each other."""
        position, major = self.position, self.major
        for other in sorted(
            position.heirs, key=lambda one: self.chance(f"match:{min(one, major)}:{max(one, major)}", 10**6)
        ):
            one, two = sorted((other, major))
            if (
                other == major
                or shared_vassal(position, one, two) is not None
                or unwelcome(position, other) is not None
            ):
                continue
            if self.chance(f"trust:{one}:{two}", 100) >= TRUST or not self.first_choice(other):
                continue
            place = self.place_of(one, two)
            if place:
                return MarryHeir(major, other, place)
        return None

    def first_choice(self, other: SeatId) -> bool:
        """True if the other Major prefers no third Major to this one."""
        pairs = {
            third: self.chance(f"match:{min(third, other)}:{max(third, other)}", 10**6)
            for third in self.position.heirs
            if third != other and self.chance(f"trust:{min(third, other)}:{max(third, other)}", 100) < TRUST
        }
        return not pairs or min(pairs, key=lambda third: (pairs[third], third)) == self.major

    def place_of(self, one: SeatId, two: SeatId) -> str:
        """The pair's centre that is farthest from others' units; empty if the pair has none."""
        places = fit_locations(self.position, one, two)

        def foes(code: str) -> int:
            return sum(
                1
                for whose, unit in self.ground.units.values()
                if whose not in (one, two) and code in self.board.reach(unit)
            )

        return min(
            places, key=lambda code: (foes(code), self.chance(f"place:{one}:{two}:{code}", 100), code), default=""
        )

    # DP ---------------------------------------------------------------------------------------------------------------

    def lead_vassals(self) -> None:
        """Bids up to 2 DP on one unit of each Vassal, for the first action in the Vassal's own plan."""
        for vassal in ruled_by(self.position, self.major):
            if self.left <= 0:
                return
            plan = _plan(self.position, vassal, self.chance)
            lines = plan.choose(sparing(self.position, vassal, unit_lines(self.position, vassal)))
            acting = [line for line in lines if plan.acts(line)]
            if acting:
                self.bid(2, acting[0])

    def hire(self, lines: tuple[str, ...]) -> None:
        """Bids the rest of the DP on supports for the Major's moves, sorties into its exposed centres, and Thralls that hold."""
        orders = [self.ground.notation.read(line) for line in lines]
        moves = [order for order in orders if isinstance(order, Move)]
        attacked = {getattr(order, "to", "") for order in orders}
        wanted = [move for move in moves if self.hard(move)]
        kept = {*attacked, *({*self.plan.own} - {move.unit.province for move in moves})}
        exposed = sorted(code for code in self.ground.owned(self.major) - kept if self.plan.rivals.get(code, 0))
        for power in open_to_bids(self.position, self.major):
            if self.left <= 0:
                return
            if power in self.position.vassals:
                continue
            centre = centre_of(self.board, power)
            if centre in attacked or any(self.name(centre) in bid for bid in self.bids):
                continue
            reach = self.board.reach(self.ground.units[centre][1])
            helped = next((move for move in wanted if move.to in reach), None)
            if helped is not None:
                wanted.remove(helped)
                self.bid(2, f"{self.name(centre)} S {self.name(helped.unit.province)} - {self.province(helped.to)}")
                continue
            opening = next((code for code in exposed if code in reach), None)
            if opening is not None:
                exposed.remove(opening)
                self.bid(1, f"{self.name(centre)} - {self.province(opening)}")
            elif self.position.thralls.get(power) == self.major:
                self.bid(1, f"{self.name(centre)} H")

    def hard(self, move: Move) -> bool:
        """True if a move needs help: another power is in its goal, or can reach it."""
        here = self.ground.units.get(move.to)
        return (here is not None and here[0] != self.major) or self.plan.rivals.get(move.to, 0) > 0

    def name(self, province: str) -> str:
        """The unit in a province, as orders name it."""
        return self.board.unit_name(self.ground.units[province][1])

    def province(self, code: str) -> str:
        """A province, as orders name it."""
        return self.board.provinces[code].name

    # Votes ------------------------------------------------------------------------------------------------------------

    def votes(self) -> bool | None:
        """True to vote for a draw from now on, False to withdraw the vote, None to leave it unchanged."""
        position = self.position
        if position.settings.draws is diplomacy.Draws.NONE:
            return None
        totals = {major: total_of(position, major).all for major in living(position)}
        victory = position.settings.victory or self.board.victory
        years = self.board.calendar.years(self.board.starts, position.cycle) - 1
        wants = diplomacy.wants_draw(self.chance, self.major, years, totals[self.major], victory, max(totals.values()))
        return wants if wants != (self.major in position.votes) else None
