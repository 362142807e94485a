"""The movement phase: which moves succeed, which supports are cut, who is dislodged, and why.

The solver works on three-valued decisions: a move succeeds, fails or is unknown; likewise supports and convoy routes.
A decision is made as soon as nothing that is still unknown could change it: strengths are compared as ranges from the
certain to the possible. So the sequence of decisions makes no difference, and neither does that of the orders. Decisions that stay unknown
to the end depend on themselves, and there are two kinds of them (DATC 5.B):

* a ring of moves where each waits for the next to leave: all of them succeed;
* a convoy whose route depends on the convoyed army's attack: a paradox. The army has no effect and stays
  (Szykman's rule, DATC 4.A.2).

`solve` matches orders with units and rejects the illegal ones, then decides, then explains. References such as DATC 6.D.5
name the test case that a line of code is there for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from adjudicator.mechanics.movement.convoys import are_connected, broken_by, on_route
from adjudicator.mechanics.movement.orders import (
    Convoy,
    Hold,
    Move,
    Named,
    Order,
    Outcome,
    Reason,
    Result,
    SupportHold,
    SupportMove,
)
from adjudicator.mechanics.provinces import Board, Unit


class AdjacentConvoys(StrEnum):
    """When an army goes by convoy although it could walk (DATC 4.A.3)."""

    INTENT = "intent"
    """If its order says `via convoy`, or a fleet of its power is ordered to convoy it."""
    EXPLICIT = "explicit"
    """Only if its order says `via convoy`."""


class MultiRoute(StrEnum):
    """When a convoy with several routes is broken (DATC 4.A.1)."""

    ANY = "any"
    """If no unbroken route is left."""
    ALL = "all"
    """If any fleet on a route is dislodged (the 1971 rules)."""


class ConvoyedAttack(StrEnum):
    """Whether an attack by convoy on a supporting unit counts as coming from the army's province or from the sea (DATC 4.A.4)."""

    ORIGIN = "origin"
    SEA = "sea"


class Disengaged(StrEnum):
    """Whether a dislodged unit's move can bounce others from its attacker's province, if one of the two went by convoy (DATC 4.A.7)."""

    BOUNCES = "bounces"
    HARMLESS = "harmless"


class Coasts(StrEnum):
    """How to read a fleet's move to a province with several coasts (DATC 4.B.2, 4.B.3)."""

    LENIENT = "lenient"
    """A missing coast is filled in if only one can be reached; a wrong coast makes the order illegal."""
    STRICT = "strict"
    """A missing or wrong coast makes the order illegal."""
    CORRECTED = "corrected"
    """Like `LENIENT`, but a wrong coast is corrected if only one can be reached."""


class SupportCoasts(StrEnum):
    """How to read a support for a fleet that moves to a province with several coasts (DATC 4.B.4)."""

    LENIENT = "lenient"
    """It may omit the coast; a coast that it names must be the right one."""
    STRICT = "strict"
    """It must name the coast that the fleet moves to."""


class UnitCoast(StrEnum):
    """How to treat an order that says its fleet is on one coast, when it is on another (DATC 4.B.5)."""

    IGNORED = "ignored"
    BINDING = "binding"
    """The order is illegal, because there is no such fleet."""


class UnitKind(StrEnum):
    """How to treat an order that calls an army a fleet, or a fleet an army."""

    BINDING = "binding"
    """The order is illegal, because there is no such unit."""
    IGNORED = "ignored"


class DoubleOrders(StrEnum):
    """The order that counts if a power gives one unit two different ones."""

    NONE = "none"
    """Neither, because choosing one would be a guess."""
    LAST = "last"
    """The last one on the sheet."""


class Impossible(StrEnum):
    """Effect of an impossible move on its unit (DATC 4.E.1)."""

    IGNORED = "ignored"
    """It holds, and can be supported to hold."""
    FAILED_MOVE = "failed-move"
    """It counts as a unit that tried to move: it cannot be supported to hold."""


class Paradox(StrEnum):
    """How to treat a convoyed army's attack on a unit that supports an attack on the convoy (DATC 4.A.2)."""

    SZYKMAN = "szykman"
    """It cuts the support like any other attack, but has no effect if the convoy depends on that."""
    RULEBOOK = "rulebook"
    """It does not cut the support if the convoy needs the fleet under attack."""


@dataclass(frozen=True, slots=True)
class MovementRules:
    """The choices that the DATC lists for the movement phase; the defaults are its preferences."""

    adjacent_convoys: AdjacentConvoys = AdjacentConvoys.INTENT
    multi_route: MultiRoute = MultiRoute.ANY
    convoyed_attack: ConvoyedAttack = ConvoyedAttack.ORIGIN
    disengaged: Disengaged = Disengaged.BOUNCES
    coasts: Coasts = Coasts.LENIENT
    impossible: Impossible = Impossible.IGNORED
    support_coasts: SupportCoasts = SupportCoasts.LENIENT
    unit_coast: UnitCoast = UnitCoast.IGNORED
    unit_kind: UnitKind = UnitKind.BINDING
    double_orders: DoubleOrders = DoubleOrders.NONE
    paradox: Paradox = Paradox.SZYKMAN

    def names_another_kind(self, named: Named, unit: Unit) -> bool:
        """True if an order calls an army a fleet, or a fleet an army, and that matters."""
        return named.kind not in ("", unit.kind) and self.unit_kind is UnitKind.BINDING

    def names_another_coast(self, named: Named, unit: Unit) -> bool:
        """True if an order names a coast that its unit is not on, and that matters."""
        elsewhere = named.coast != "" and unit.place != f"{named.province}/{named.coast}"
        return elsewhere and self.unit_coast is UnitCoast.BINDING


@dataclass(frozen=True, slots=True)
class Movement:
    """The result of a movement phase."""

    outcomes: list[Outcome]
    """One for each order, in the same sequence."""
    unordered: dict[str, Outcome]
    """Province of each unit without a usable order -> the outcome of its hold."""
    moved: dict[str, Unit]
    """Old province of each unit that moved -> the unit in its new place."""
    dislodged: dict[str, str]
    """Province of a dislodged unit -> the province that its attacker came from, `""` if it came by convoy."""
    attackers: dict[str, str]
    """Province of a dislodged unit -> the province that its attacker came from, by convoy or not."""
    contested: frozenset[str]
    """Provinces that a standoff left empty; no unit may retreat there."""


DEFAULT_RULES = MovementRules()
NOWHERE: frozenset[str] = frozenset()
STANDS = Outcome(Result.STANDS, Reason.UNATTACKED)
NONE: tuple[str, ...] = ()


def step(board: Board, unit: Unit, to: str, coast: str, rules: MovementRules = DEFAULT_RULES) -> str | Reason:
    """The place that a unit reaches when it moves to `to` without a convoy, or the reason why it cannot."""
    if to == unit.province:
        return Reason.SAME_PLACE
    if unit.kind == "A":
        if to in board.army_to[unit.province]:
            return to  # A coast that an army names is dropped (DATC 6.B.12).
        return Reason.ARMY_TO_SEA if to in board.seas else Reason.NOT_ADJACENT
    places = board.fleet_to[unit.place].get(to)
    if places is None:
        return Reason.FLEET_TO_LAND if board.provinces[to].kind == "inland" else Reason.NOT_ADJACENT
    if coast:
        wanted = f"{to}/{coast}"
        if wanted in places:
            return wanted
        if rules.coasts is Coasts.CORRECTED and len(places) == 1:
            return places[0]
        # If the province has no coasts to choose from, naming one is a slip of the pen, and is ignored.
        return Reason.WRONG_COAST if board.provinces[to].coasts else places[0]
    if len(places) > 1 or (rules.coasts is Coasts.STRICT and "/" in places[0]):
        return Reason.COAST_NEEDED
    return places[0]


def solve(
    board: Board,
    units: Mapping[str, tuple[str, Unit]],
    orders: Sequence[tuple[str, Order]],
    rules: MovementRules = DEFAULT_RULES,
    attack: Mapping[str, int] | None = None,
    stationary: frozenset[str] = NOWHERE,
) -> Movement:
    """Judge one movement phase.

    `units` maps each occupied province to its power and unit; `orders` are (power, order) pairs. The result does not
    depend on the order of either, unless a house rule says that the last of two orders for a unit counts.

    With `attack` every strength counts double, and a unit that it names attacks with the given strength: with `{"TOL": 3}`
    the unit in TOL attacks with the strength of one and a half units, and defends and supports with that of one.

    Units in `stationary` provinces never leave them: their moves are judged like any other (they cut supports, bounce
    others and meet them head-on) but never succeed. Fleets cannot carry them, and nobody can support them to go where only fleets could carry them.
    """
    if attack is not None:
        return _Weighted(board, units, orders, rules, attack, stationary).solve()
    return _Phase(board, units, orders, rules, stationary).solve()


def check_orders(
    board: Board,
    units: Mapping[str, tuple[str, Unit]],
    orders: Sequence[tuple[str, Order]],
    rules: MovementRules = DEFAULT_RULES,
    stationary: frozenset[str] = NOWHERE,
) -> list[Outcome | None]:
    """For each order, the outcome that rules it out whatever the others do; None if it is possible."""
    phase = _Phase(board, units, orders, rules, stationary)
    phase.read_orders()
    return [phase.ruled_out.get(index) for index in range(len(orders))]


class _Phase:
    """The state of one movement phase while it is being judged. Units are identified by their provinces."""

    __slots__ = (
        "attackers", "board", "convoyed", "convoys", "cut", "fleets", "ok", "order_of", "orders", "paradox", "place",
        "ring", "route", "ruled_out", "rules", "stationary", "supports", "target", "to", "units",
    )  # fmt: skip

    def __init__(
        self,
        board: Board,
        units: Mapping[str, tuple[str, Unit]],
        orders: Sequence[tuple[str, Order]],
        rules: MovementRules,
        stationary: frozenset[str],
    ) -> None:
        self.stationary = stationary
        self.board = board
        self.units = units
        self.orders = orders
        self.rules = rules
        self.order_of: dict[str, int] = {}
        self.to: dict[str, str] = {}
        """Unit that moves -> its destination province."""
        self.place: dict[str, str] = {}
        """Unit that moves -> its destination with the coast."""
        self.convoyed: set[str] = set()
        self.attackers: dict[str, list[str]] = {}
        """Province -> units that move there."""
        self.supports: dict[str, list[str]] = {}
        """Supported unit -> units whose support orders match its action."""
        self.target: dict[str, str] = {}
        """Supporting unit -> the province where its support has effect."""
        self.convoys: dict[str, list[str]] = {}
        """Convoyed unit -> fleets with orders to carry it to its destination."""
        self.fleets: frozenset[str] | None = None
        self.ok: dict[str, bool] = {}
        self.cut: dict[str, tuple[str, ...]] = {}
        """Supporting unit -> units that cut it; empty if the support is given. Absent while unknown."""
        self.route: dict[str, bool] = {}
        self.paradox: set[str] = set()
        self.ring: set[str] = set()
        self.ruled_out: dict[int, Outcome] = {}

    alone = (1, 1)
    """Least and greatest strength of a unit that no support can help."""

    def strength_with(self, unit: str, supporters: Collection[str]) -> int:
        """The strength of a unit with these supports."""
        return 1 + len(supporters)

    # Matching orders with units ------------------------------------------------------------------------------------

    def solve(self) -> Movement:
        self.read_orders()
        self.decide()
        return self.explain_all()

    def rule_out(self, index: int, reason: Reason, *by: str) -> None:
        self.ruled_out[index] = Outcome(Result.ILLEGAL, reason, by=by)

    def read_orders(self) -> None:
        units, orders, order_of = self.units, self.orders, self.order_of
        twice: dict[str, list[int]] = {}
        for index, (power, order) in enumerate(orders):
            named = order.unit
            province = named.province
            here = units.get(province)
            if here is None:
                self.rule_out(index, Reason.NO_UNIT)
            elif here[0] != power:
                self.rule_out(index, Reason.NOT_YOURS)
            elif self.rules.names_another_kind(named, here[1]):
                self.rule_out(index, Reason.WRONG_KIND)
            elif self.rules.names_another_coast(named, here[1]):
                self.rule_out(index, Reason.ON_OTHER_COAST)
            elif province in order_of:
                twice.setdefault(province, []).append(index)
                self.rule_out(index, Reason.ORDERED_TWICE)
            else:
                order_of[province] = index
        for province, others in twice.items():
            # Two different orders for one unit: choosing one would be a guess, so the unit holds. An order that is merely
            # repeated, with or without `A` and `F`, is valid, and the repetition is ignored.
            first = order_of[province]
            said = self.normalise(orders[first][1])
            if self.rules.double_orders is DoubleOrders.LAST:
                last = self.normalise(orders[others[-1]][1])
                # Of equal orders the first is carried out, as long as no other one came after it.
                *before, at = [first, *others]
                while before and self.normalise(orders[before[-1]][1]) == last:
                    at = before.pop()
                for other in before:
                    self.rule_out(other, Reason.REPLACED)
                self.ruled_out.pop(at, None)
                order_of[province] = at
            elif any(self.normalise(orders[other][1]) != said for other in others):
                self.rule_out(first, Reason.ORDERED_TWICE)
                del order_of[province]
        convoys: list[tuple[str, Convoy]] = []
        supports: list[tuple[str, SupportHold | SupportMove]] = []
        moves: list[tuple[str, Move]] = []
        for province, index in order_of.items():
            order = orders[index][1]
            kind = order.__class__
            if kind is Move:
                moves.append((province, order))  # type: ignore[arg-type]  # mypy does not narrow `kind is Move`
            elif kind is SupportMove or kind is SupportHold:
                supports.append((province, order))  # type: ignore[arg-type]
            elif kind is Convoy:
                convoys.append((province, order))  # type: ignore[arg-type]
        carried: dict[tuple[str, str], list[str]] = {}
        for fleet, convoy in convoys:
            reason = self.convoy_fault(fleet, convoy)
            if reason is None:
                carried.setdefault((convoy.target.province, convoy.to), []).append(fleet)
            else:
                self.rule_out(order_of[fleet], reason)
        army_to, fleet_to = self.board.army_to, self.board.fleet_to
        to, attackers = self.to, self.attackers
        for province, move in moves:
            goal = move.to
            unit = units[province][1]
            if unit.kind == "A":
                if goal in army_to[province] and not move.via and (province, goal) not in carried:
                    self.place[province] = goal
                else:
                    reason = self.army_fault(province, move, carried.get((province, goal), []))
                    if reason is not None:
                        self.rule_out(order_of[province], reason)
                        continue
            else:
                places = fleet_to[unit.place].get(goal)
                if places is not None and len(places) == 1 and not move.coast and "/" not in places[0]:
                    self.place[province] = places[0]
                else:
                    where = step(self.board, unit, goal, move.coast, self.rules)
                    if isinstance(where, Reason):
                        self.rule_out(order_of[province], where)
                        coast = move.unit.coast
                        from_there = self.board.fleet_reach.get(f"{province}/{coast}", frozenset())
                        if coast and unit.place != f"{province}/{coast}" and goal in from_there:
                            # The move is possible from the coast that the order names, but the fleet is not there (DATC 6.B.11).
                            self.ruled_out[order_of[province]] = Outcome(Result.FAILS, Reason.ON_OTHER_COAST)
                        continue
                    self.place[province] = where
            to[province] = goal
            if goal in attackers:
                attackers[goal].append(province)
            else:
                attackers[goal] = [province]
        for province, support in supports:
            self.read_support(province, support)
        for army in sorted(self.convoyed):
            self.convoys[army] = carried.get((army, to[army]), [])

    def normalise(self, order: Order) -> Order:
        """Fill in the kinds that `order` omits, and drop coasts that make no difference, such as any in an army's move."""

        def complete(named: Named) -> Named:
            here = self.units.get(named.province)
            if here is not None and (not named.kind or self.rules.unit_kind is UnitKind.IGNORED):
                return Named(here[1].kind, named.province)
            return Named(named.kind, named.province)

        if isinstance(order, SupportHold | SupportMove | Convoy):
            order = replace(order, unit=complete(order.unit), target=complete(order.target))
            return (
                replace(order, coast="") if order.target.kind == "A" and not isinstance(order, SupportHold) else order
            )
        unit = complete(order.unit)
        if isinstance(order, Move) and unit.kind == "A":
            return replace(order, unit=unit, coast="")
        return replace(order, unit=unit)

    def fleets_at_sea(self) -> frozenset[str]:
        if self.fleets is None:
            waters = self.board.waters
            self.fleets = frozenset(at for at, (_, unit) in self.units.items() if at in waters and unit.kind == "F")
        return self.fleets

    def convoy_fault(self, fleet: str, convoy: Convoy) -> Reason | None:
        army = self.units.get(convoy.target.province)
        if self.units[fleet][1].kind != "F" or fleet not in self.board.waters:
            return Reason.CONVOY_NOT_AT_SEA
        if army is None:
            return Reason.CONVOYED_ABSENT
        if army[1].kind != "A" or self.rules.names_another_kind(convoy.target, army[1]):
            return Reason.ONLY_ARMIES_CONVOYED
        if convoy.target.province in self.stationary:
            return Reason.NEVER_CONVOYED
        if convoy.to == convoy.target.province:
            return Reason.SAME_PLACE
        start, goal = convoy.target.province, convoy.to
        # If the army could walk, a convoy order shows intent, and only a fleet that a route needs may show it
        # (DATC 6.G.19). Otherwise a fleet that merely could carry the army does no harm.
        strict = goal in self.board.army_to[start]
        if not on_route(self.board, start, goal, self.fleets_at_sea(), fleet, direct=strict):
            return Reason.CONVOY_USELESS
        return None

    def army_fault(self, province: str, move: Move, carriers: list[str]) -> Reason | None:
        """Settle whether an army walks or sails; return the reason if it can do neither."""
        goal = move.to
        if goal == province:
            return Reason.SAME_PLACE
        near = goal in self.board.army_to[province]
        power = self.units[province][0]
        sails = (
            not near
            or move.via
            or (
                self.rules.adjacent_convoys is AdjacentConvoys.INTENT
                and any(self.units[fleet][0] == power for fleet in carriers)
            )
        )
        self.place[province] = goal
        if not sails:
            return None
        if province in self.stationary:
            del self.place[province]
            if goal in self.board.seas:
                return Reason.ARMY_TO_SEA
            return Reason.NEVER_CONVOYED
        if not are_connected(self.board, province, goal, self.fleets_at_sea()):
            del self.place[province]
            if goal in self.board.seas:
                return Reason.ARMY_TO_SEA
            return Reason.NO_ROUTE if near or goal in self.board.coastal else Reason.NOT_ADJACENT
        self.convoyed.add(province)
        return None

    def read_support(self, province: str, support: SupportHold | SupportMove) -> None:
        units, board = self.units, self.board
        named = support.target
        target = named.province
        index = self.order_of[province]
        unit = units[province][1]
        goal = target if support.__class__ is SupportHold else support.to  # type: ignore[union-attr]
        reach = board.army_to[province] if unit.kind == "A" else board.fleet_reach[unit.place]
        other = units.get(target)
        if target == province:
            self.rule_out(index, Reason.SUPPORTS_ITSELF)
        elif goal == target and support.__class__ is SupportMove:
            self.rule_out(index, Reason.SAME_PLACE)
        elif goal not in reach:
            self.rule_out(index, Reason.SUPPORT_OUT_OF_REACH)
        elif other is None:
            self.rule_out(index, Reason.SUPPORTED_ABSENT)
        elif self.rules.names_another_kind(named, other[1]):
            self.rule_out(index, Reason.WRONG_KIND)
        elif support.__class__ is SupportHold:
            self.target[province] = goal
            holds = self.rules.impossible is Impossible.IGNORED or not self.tried_to_move(target)
            if target not in self.to and holds:
                self.supports.setdefault(target, []).append(province)
        else:
            assert isinstance(support, SupportMove)
            if not self.possible(other[1], goal, without=province):
                self.rule_out(index, Reason.SUPPORTED_CANNOT_REACH)
                return
            self.target[province] = goal
            if self.to.get(target) == goal and self.coast_agrees(target, support.coast):
                supporters = self.supports.get(target)
                if supporters is None:
                    self.supports[target] = [province]
                else:
                    supporters.append(province)

    def tried_to_move(self, province: str) -> bool:
        index = self.order_of.get(province)
        return index is not None and self.orders[index][1].__class__ is Move

    def possible(self, unit: Unit, goal: str, *, without: str) -> bool:
        """True if `unit` could reach `goal` at all, without the fleet in `without` (DATC 6.D.31)."""
        if unit.kind == "F":
            return goal in self.board.fleet_reach[unit.place]
        if goal in self.board.army_to[unit.province]:
            return True
        if unit.province in self.stationary:
            return False
        return goal in self.board.coastal and are_connected(
            self.board, unit.province, goal, self.fleets_at_sea() - {without}
        )

    def coast_agrees(self, mover: str, coast: str) -> bool:
        """True if a support's coast agrees with the move: the support may omit it, but not name another (DATC 6.B.9, 4.B.4)."""
        if not coast and self.rules.support_coasts is SupportCoasts.STRICT:
            return "/" not in self.place[mover]
        return not coast or self.place[mover] in (f"{self.to[mover]}/{coast}", self.to[mover])

    # Deciding ------------------------------------------------------------------------------------------------------

    def decide(self) -> None:
        units, ok, convoyed, attackers, stationary = self.units, self.ok, self.convoyed, self.attackers, self.stationary
        pending_supports: list[str] = []
        cut, target = self.cut, self.target
        for supporter in target:
            foes = attackers.get(supporter)
            if foes is None:
                cut[supporter] = NONE
            elif not self.decide_support(supporter, foes):
                pending_supports.append(supporter)
        routes = sorted(convoyed)
        moves: list[str] = []
        for goal, comers in attackers.items():
            if len(comers) == 1 and goal not in units and comers[0] not in convoyed:
                ok[comers[0]] = comers[0] not in stationary
            else:
                moves.extend(comers)
        while True:
            while moves or pending_supports or routes:
                before = len(moves) + len(pending_supports) + len(routes)
                routes = [army for army in routes if not self.decide_route(army)]
                pending_supports = [s for s in pending_supports if not self.decide_support(s, attackers[s])]
                moves = [mover for mover in moves if not self.decide_move(mover)]
                if len(moves) + len(pending_supports) + len(routes) == before:
                    break
            if not (moves or pending_supports or routes):
                return
            self.break_cycle(moves, pending_supports, routes)
            moves = [mover for mover in moves if mover not in ok]
            routes = [army for army in routes if army not in self.route]

    def decide_support(self, supporter: str, foes: list[str]) -> bool:
        """Decide a support under attack if possible; return True if it is decided (DATC 5.B.7).

        One certain cut decides it; further attackers that may also cut it matter only to the explanation.
        """
        units = self.units
        power = units[supporter][0]
        target = self.target[supporter]
        cutters: list[str] = []
        unknown = False
        for foe in foes:
            if units[foe][0] == power:
                continue  # No power cuts its own support (DATC 6.D.20).
            if foe in self.convoyed:
                if self.rules.paradox is Paradox.RULEBOOK and self.spares(foe, supporter):
                    continue
                reaches = self.route.get(foe)
                if reaches is None:
                    unknown = True
                    continue
                if not reaches:
                    continue
                if foe == target and self.rules.convoyed_attack is ConvoyedAttack.SEA:
                    cutters.append(foe)
                    continue
            if foe == target:
                # An attack from the province that the support is aimed at cuts only by dislodging (DATC 6.D.15, 6.D.16).
                success = self.ok.get(foe)
                if success is None:
                    unknown = True
                elif success:
                    cutters.append(foe)
            else:
                cutters.append(foe)
        if unknown and not cutters:
            return False
        self.cut[supporter] = tuple(sorted(cutters)) if cutters else NONE
        return True

    def spares(self, army: str, supporter: str) -> bool:
        """True if the support is for an attack on a fleet that the army's convoy needs (see `Paradox.RULEBOOK`)."""
        fleet = self.target[supporter]
        if fleet not in self.convoys[army] or not isinstance(self.orders[self.order_of[supporter]][1], SupportMove):
            return False
        others = {each for each in self.convoys[army] if each != fleet}
        needed = not are_connected(self.board, army, self.to[army], others)
        return needed or self.rules.multi_route is MultiRoute.ALL

    def decide_route(self, army: str) -> bool:
        if army in self.route:
            return True
        fleets = self.convoys[army]
        start, goal = army, self.to[army]
        if self.rules.multi_route is MultiRoute.ALL:
            # A fleet ordered to carry the army on no chain of such fleets does not count (DP-C-2).
            fleets = [one for one in fleets if on_route(self.board, start, goal, {*fleets}, one, direct=False)]
        safe: set[str] = set()
        afloat: set[str] = set()
        for fleet in fleets:
            lost = self.is_dislodged(fleet)
            if lost is False:
                safe.add(fleet)
            if lost is not True:
                afloat.add(fleet)
        if self.rules.multi_route is MultiRoute.ALL and len(afloat) < len(fleets):
            afloat = set()
        if not are_connected(self.board, start, goal, afloat):
            self.route[army] = False
        elif len(safe) == len(fleets) or (
            self.rules.multi_route is MultiRoute.ANY and are_connected(self.board, start, goal, safe)
        ):
            self.route[army] = True
        else:
            return False
        return True

    def is_dislodged(self, province: str) -> bool | None:
        """True if the unit in `province`, which does not move, is dislodged; None while unknown."""
        dislodged: bool | None = False
        for foe in self.attackers.get(province, NONE):
            success = self.ok.get(foe)
            if success:
                return True
            if success is None:
                dislodged = None
        return dislodged

    def strength(self, unit: str, against: str | None) -> tuple[int, int]:
        """The unit's least and greatest strength; supports by the power `against` do not count (DATC 6.D.10)."""
        supporters = self.supports.get(unit)
        if supporters is None:
            return 1, 1
        low = high = 1
        cut, units = self.cut, self.units
        for supporter in supporters:
            if against is not None and units[supporter][0] == against:
                continue
            cutters = cut.get(supporter)
            if cutters is None:
                high += 1
            elif not cutters:
                low += 1
                high += 1
        return low, high

    def decide_move(self, mover: str) -> bool:
        """Decide a move if possible; return True if it is decided (DATC 5.B.1 to 5.B.10)."""
        ok, to, units, convoyed = self.ok, self.to, self.units, self.convoyed
        reaches = self.route.get(mover) if mover in convoyed else True
        if reaches is False or mover in self.stationary:
            ok[mover] = False
            return True
        goal = to[mover]
        occupant = units.get(goal)
        # Among all rivals for the province: the greatest certain and the greatest possible strength.
        rival_low = rival_high = 0
        for rival in self.attackers[goal]:
            if rival != mover:
                low, high = self.prevents(rival)
                rival_low = max(rival_low, low)
                rival_high = max(rival_high, high)
        wins = loses = True
        if occupant is not None and goal in to:
            if to[goal] == mover and mover not in convoyed and goal not in convoyed:
                wins, loses = self.battle(mover, occupant[0], self.strength(goal, None), rival_low, rival_high)
            else:
                leaves = ok.get(goal)
                if leaves is not False:
                    wins, loses = self.battle(mover, None, (0, 0), rival_low, rival_high)
                if leaves is not True:
                    wins_too, loses_too = self.battle(mover, occupant[0], self.alone, rival_low, rival_high)
                    wins, loses = wins and wins_too, loses and loses_too
        elif occupant is not None:
            wins, loses = self.battle(mover, occupant[0], self.strength(goal, None), rival_low, rival_high)
        else:
            wins, loses = self.battle(mover, None, (0, 0), rival_low, rival_high)
        if loses:
            ok[mover] = False
        elif wins and reaches:
            ok[mover] = True
        else:
            return False
        return True

    def battle(
        self, mover: str, defender: str | None, hold: tuple[int, int], rival_low: int, rival_high: int
    ) -> tuple[bool, bool]:
        """Whether the move certainly wins, and whether it certainly loses, against `hold` and the rivals."""
        if defender is not None and defender == self.units[mover][0]:
            return False, True  # No power dislodges its own unit (DATC 6.D.10).
        low, high = self.strength(mover, defender)
        return low > hold[1] and low > rival_high, high <= hold[0] or high <= rival_low

    def prevents(self, rival: str) -> tuple[int, int]:
        """Least and greatest strength of a move in keeping others out of its destination (DATC 5.B.6)."""
        reaches = self.route.get(rival) if rival in self.convoyed else True
        if reaches is False:
            return 0, 0
        low, high = self.strength(rival, None)
        goal = self.to[rival]
        if self.to.get(goal) == rival:
            head_on = rival not in self.convoyed and goal not in self.convoyed
            if head_on or self.rules.disengaged is Disengaged.HARMLESS:
                # The loser of a head-to-head battle has no effect on the province that the winner came from (DATC 6.E.1).
                beaten = self.ok.get(goal)
                if beaten is True and (head_on or self.ok.get(rival) is False):
                    return 0, 0
                if beaten is None or (beaten and not head_on and rival not in self.ok):
                    low = 0
        return (low if reaches else 0), high

    def break_cycle(self, moves: list[str], supports: list[str], routes: list[str]) -> None:
        """Settle decisions that wait for each other: convoys in a paradox fail (Szykman's rule), moves in a ring succeed.

        Only one group of such decisions is settled: one that waits for nothing outside itself. Others may be decided afterwards.
        """
        waits = self.dependencies(moves, supports, routes)
        reach = {node: _closure(node, waits) for node in waits}
        knots = [{m for m in waits if m in reach[n] and n in reach[m]} for n in sorted(waits)]
        closed = [knot for knot, n in zip(knots, sorted(waits), strict=True) if knot and reach[n] <= knot]
        knot = min(closed, key=sorted)
        armies = sorted(name for kind, name in knot if kind == "route")
        if armies:
            for army in armies:
                self.route[army] = False
                self.paradox.add(army)
            return
        for kind, name in sorted(knot):
            assert kind == "move", "only convoys and rings of moves can wait for themselves"
            self.ok[name] = True
            self.ring.add(name)

    def dependencies(
        self, moves: list[str], supports: list[str], routes: list[str]
    ) -> dict[tuple[str, str], set[tuple[str, str]]]:
        """Open decision -> the open decisions that it waits for."""
        waits: dict[tuple[str, str], set[tuple[str, str]]] = {}
        ok, cut, to = self.ok, self.cut, self.to

        def unsure(*units: str) -> set[tuple[str, str]]:
            pending = {("support", s) for u in units for s in self.supports.get(u, NONE) if s not in cut}
            return pending | {("route", u) for u in units if u in self.convoyed and u not in self.route}

        for mover in moves:
            goal = to[mover]
            needs = unsure(mover, *self.attackers[goal])
            if goal in to:
                head_on = to[goal] == mover and mover not in self.convoyed and goal not in self.convoyed
                if head_on:
                    needs |= unsure(goal)
                elif goal not in ok:
                    needs.add(("move", goal))
                if any(to[goal] == rival for rival in self.attackers[goal] if rival != mover) and goal not in ok:
                    needs.add(("move", goal))
            elif goal in self.units:
                needs |= {("support", s) for s in self.supports.get(goal, NONE) if s not in cut}
            waits["move", mover] = needs
        for supporter in supports:
            foes = self.attackers[supporter]
            waits["support", supporter] = {
                *(("route", foe) for foe in foes if foe in self.convoyed and foe not in self.route),
                *(("move", foe) for foe in foes if foe == self.target[supporter] and foe not in ok),
            }
        for army in routes:
            foes = [foe for fleet in self.convoys[army] for foe in self.attackers.get(fleet, NONE)]
            waits["route", army] = {("move", foe) for foe in foes if foe not in ok}
        return waits

    # Explaining ----------------------------------------------------------------------------------------------------

    def explain_all(self) -> Movement:
        units, ok, to, attackers = self.units, self.ok, self.to, self.attackers
        moved: dict[str, Unit] = {}
        winners: dict[str, str] = {}
        for mover, success in ok.items():
            if success:
                unit = units[mover][1]
                moved[mover] = self.board.unit(f"{unit.kind} {self.place[mover]}")
                goal = to[mover]
                if goal in units and not ok.get(goal, False):
                    winners[goal] = mover
        dislodged = {
            province: "" if winner in self.convoyed else winner for province, winner in sorted(winners.items())
        }
        contested = frozenset(
            goal
            for goal, comers in attackers.items()
            if (len(comers) > 1 or comers[0] in self.stationary)
            and (goal not in units or ok.get(goal, False))
            and not any(ok[comer] for comer in comers)
            and any(self.prevents(comer)[0] for comer in comers)
        )
        explain = self.explain
        ruled_out, orders = self.ruled_out, self.orders
        outcomes: list[Outcome] = []
        for index, (power, order) in enumerate(orders):
            fault = ruled_out.get(index)
            if fault is None:
                outcomes.append(explain(order.unit.province, order, winners))
            else:
                province = order.unit.province
                here = winners.get(province)
                if here is not None and units[province][0] == power:
                    fault = Outcome(fault.result, fault.reason, by=fault.by, dislodged=here)
                outcomes.append(fault)
        unordered: dict[str, Outcome] = {}
        order_of = self.order_of
        if len(order_of) < len(units):
            for province in units:
                if province not in order_of:
                    unordered[province] = self.explain_stay(province, winners.get(province, ""))
        return Movement(outcomes, unordered, moved, dislodged, dict(sorted(winners.items())), contested)

    def explain(self, province: str, order: Order, winners: dict[str, str]) -> Outcome:
        """Outcome of a legal order."""
        kind = order.__class__
        winner = winners.get(province, "")
        if kind is Move:
            return self.explain_move(province, winner)
        if kind is Hold:
            if province not in self.attackers:
                return STANDS
            return self.explain_stay(province, winner)
        if kind is Convoy:
            return self.explain_convoy(province, order, winner)  # type: ignore[arg-type]
        return self.explain_support(province, order, winner)  # type: ignore[arg-type]

    def counting_supporters(self, unit: str, against: str | None) -> tuple[str, ...]:
        """Units whose supports count for `unit`, in alphabetical order; supports by the power `against` do not count."""
        supporters = self.supports.get(unit)
        if supporters is None:
            return NONE
        cut, units = self.cut, self.units
        counted_for = [s for s in supporters if not cut[s] and (against is None or units[s][0] != against)]
        return tuple(sorted(counted_for)) if len(counted_for) > 1 else tuple(counted_for)

    def explain_stay(self, province: str, winner: str) -> Outcome:
        """Outcome for a unit that did not move."""
        comers = self.attackers.get(province)
        if comers is None:
            return STANDS
        counted_for = self.counting_supporters(province, None)
        power = self.units[province][0]
        if winner:
            aided = self.counting_supporters(winner, power)
            return Outcome(
                Result.STANDS,
                Reason.DISLODGED,
                self.strength_with(province, counted_for),
                self.strength_with(winner, aided),
                (winner,),
                aided,
                counted_for,
                winner,
            )
        # Armies whose convoy failed, units of the same power (DP-M-9) and stationary units do not threaten it.
        foes = {
            comer: self.strength(comer, power)[0]
            for comer in comers
            if self.route.get(comer, True) and self.units[comer][0] != power and comer not in self.stationary
        }
        if not foes:
            return Outcome(
                Result.STANDS, Reason.UNATTACKED, self.strength_with(province, counted_for), supporters=counted_for
            )
        strongest = max(foes.values())
        by = tuple(sorted(foe for foe, strength in foes.items() if strength == strongest))
        aided = tuple(sorted(supporter for foe in by for supporter in self.counting_supporters(foe, power)))
        return Outcome(
            Result.STANDS,
            Reason.WITHSTOOD,
            self.strength_with(province, counted_for),
            strongest,
            by,
            aided,
            counted_for,
        )

    def explain_move(self, mover: str, winner: str) -> Outcome:
        units, to, ok = self.units, self.to, self.ok
        goal = to[mover]
        occupant = units.get(goal)
        if ok[mover]:
            leaves = occupant is not None and ok.get(goal, False)
            against_power = None if occupant is None or leaves else occupant[0]
            counted_for = self.counting_supporters(mover, against_power)
            strength = self.strength_with(mover, counted_for)
            # Rivals that cannot keep anyone out (their convoy failed, or DP-M-8) are not mentioned.
            if not any(self.prevents(rival)[0] for rival in self.attackers[goal] if rival != mover):
                if occupant is None:
                    return Outcome(Result.SUCCEEDS, Reason.UNOPPOSED, strength, supporters=counted_for)
                if leaves:
                    reason = Reason.CIRCULAR if mover in self.ring else Reason.FOLLOWED
                    return Outcome(Result.SUCCEEDS, reason, strength, by=(goal,), supporters=counted_for)
            held, by, aided = self.opposition(mover, goal, occupant, leaves=leaves)
            return Outcome(Result.SUCCEEDS, Reason.STRONGER, strength, held, by, aided, counted_for)
        if mover in self.convoyed and not self.route[mover]:
            if mover in self.paradox:
                return Outcome(Result.FAILS, Reason.PARADOX, by=tuple(sorted(self.convoys[mover])), dislodged=winner)
            fleets = set(self.convoys[mover])
            if not are_connected(self.board, mover, goal, fleets):
                return Outcome(Result.INVALID, Reason.CONVOY_MISSING, dislodged=winner)
            lost = {fleet for fleet in fleets if self.is_dislodged(fleet)}
            culprits = broken_by(self.board, mover, goal, fleets, lost)
            return Outcome(Result.FAILS, Reason.CONVOY_BROKEN, by=culprits, dislodged=winner)
        # A unit that the mover met head-on counts as an obstacle, even if it won the battle and has left.
        leaves = occupant is not None and ok.get(goal, False) and not self.head_on(mover, goal)
        defender = occupant[0] if occupant is not None and not leaves else None
        if defender is not None and defender == units[mover][0] and not self.beaten_anyway(mover, goal):
            return Outcome(
                Result.FAILS,
                Reason.OWN_UNIT,
                self.strength_with(mover, self.counting_supporters(mover, None)),
                by=(goal,),
                dislodged=winner,
            )
        counted_for = self.counting_supporters(mover, defender)
        strength = self.strength_with(mover, counted_for)
        held, by, aided = self.opposition(mover, goal, occupant, leaves=leaves)
        if strength > held:
            # It beat all opposition, so it must be one of the units that never leave their place.
            return Outcome(Result.FAILS, Reason.SORTIE, strength, held, by, aided, counted_for, winner)
        if by == (goal,) and defender is not None:
            reason = Reason.HEAD_TO_HEAD if self.head_on(mover, goal) else Reason.BOUNCED
        else:
            reason = Reason.STANDOFF
        return Outcome(Result.FAILS, reason, strength, held, by, aided, counted_for, winner)

    def head_on(self, mover: str, other: str) -> bool:
        return self.to.get(other) == mover and mover not in self.convoyed and other not in self.convoyed

    def beaten_anyway(self, mover: str, goal: str) -> bool:
        """True if a rival is stronger than the move, which would then fail even without the power's own unit in the goal."""
        return any(
            self.prevents(rival)[0] > self.strength(mover, None)[0] for rival in self.attackers[goal] if rival != mover
        )

    def opposition(
        self, mover: str, goal: str, occupant: tuple[str, Unit] | None, *, leaves: bool
    ) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
        """The greatest opposing strength, the units that have it, and the units that supported them."""
        opponents: list[tuple[int, str]] = []
        if occupant is not None and not leaves:
            if goal in self.to and not self.head_on(mover, goal):
                opponents.append((self.alone[0], goal))
            else:
                opponents.append((self.strength_with(goal, self.counting_supporters(goal, None)), goal))
        opponents.extend((self.prevents(rival)[0], rival) for rival in self.attackers[goal] if rival != mover)
        held = max((strength for strength, _ in opponents), default=0)
        by = tuple(sorted(unit for strength, unit in opponents if strength == held))
        if occupant is not None and not leaves and goal in by:
            by = (goal,)  # A player looks first at the unit in the province.
        aided = tuple(
            sorted(
                supporter
                for unit in by
                if not (unit == goal and goal in self.to and not self.head_on(mover, goal))
                for supporter in self.counting_supporters(unit, None)
            )
        )
        return held, by, aided

    def explain_support(self, supporter: str, support: SupportHold | SupportMove, winner: str) -> Outcome:
        target = support.target.province
        if supporter not in self.supports.get(target, NONE):
            # DP-S-3 overrides DP-S-4: a support that does not match its unit's action helps nobody, attacked or not (S-6).
            missed = support.__class__ is SupportMove and self.to.get(target) == self.target[supporter]
            reason = Reason.OTHER_COAST if missed else Reason.NOT_AS_SUPPORTED
            return Outcome(Result.INVALID, reason, by=(target,), dislodged=winner)
        if not self.cut[supporter]:
            goal = self.target[supporter]
            there = self.units.get(goal)
            stays = target in self.to and there is not None and not self.ok.get(goal, False)
            if stays and there is not None and there[0] == self.units[supporter][0]:
                return Outcome(Result.GIVEN, Reason.AGAINST_OWN, by=(goal,), dislodged=winner)
            return Outcome(Result.GIVEN, Reason.SUPPORTED, by=(target,), dislodged=winner)
        self.decide_support(supporter, self.attackers[supporter])  # Again: now all units that cut it are known.
        cutters = self.cut[supporter]
        # Under the setting `sea` a convoyed attack from the target cuts without dislodging (DATC 4.A.4).
        dislodged = winner != "" and cutters == (self.target[supporter],)
        reason = Reason.CUT_BY_DISLODGEMENT if dislodged else Reason.CUT_BY_ATTACK
        return Outcome(Result.CUT, reason, by=cutters, dislodged=winner)

    def explain_convoy(self, fleet: str, convoy: Convoy, winner: str) -> Outcome:
        army = convoy.target.province
        if self.to.get(army) != convoy.to:
            return Outcome(Result.INVALID, Reason.NOT_AS_CONVOYED, by=(army,), dislodged=winner)
        if winner:
            return Outcome(Result.DISRUPTED, Reason.CONVOY_DISLODGED, by=(winner,), dislodged=winner)
        if army not in self.convoyed:
            return Outcome(Result.AVAILABLE, Reason.CONVOY_UNUSED, by=(army,))
        if army in self.paradox:
            # If all its fleets are still there, the rule itself broke the convoy; otherwise the loss of a fleet did.
            whole = all(not self.is_dislodged(other) for other in self.convoys[army])
            return Outcome(Result.DISRUPTED if whole else Result.AVAILABLE, Reason.PARADOX, by=(army,))
        return Outcome(Result.AVAILABLE, Reason.CONVOYED, by=(army,))


class _Weighted(_Phase):
    """A movement phase where strengths count double, and some units attack with a special strength."""

    __slots__ = ("attack",)
    alone = (2, 2)

    def __init__(
        self,
        board: Board,
        units: Mapping[str, tuple[str, Unit]],
        orders: Sequence[tuple[str, Order]],
        rules: MovementRules,
        attack: Mapping[str, int],
        stationary: frozenset[str],
    ) -> None:
        super().__init__(board, units, orders, rules, stationary)
        self.attack = attack

    def base(self, unit: str) -> int:
        """A unit's strength without supports; a special strength counts only if the unit moves."""
        return self.attack.get(unit, 2) if unit in self.to else 2

    def strength_with(self, unit: str, supporters: Collection[str]) -> int:
        return self.base(unit) + 2 * len(supporters)

    def strength(self, unit: str, against: str | None) -> tuple[int, int]:
        low, high = super().strength(unit, against)
        extra = self.base(unit) - 2
        return 2 * low + extra, 2 * high + extra


def _closure(start: tuple[str, str], waits: dict[tuple[str, str], set[tuple[str, str]]]) -> set[tuple[str, str]]:
    seen: set[tuple[str, str]] = set()
    todo = [start]
    while todo:
        for node in waits.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen
