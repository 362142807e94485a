"""Worth of orders to a stand-in: income first, then land, then units, and now and then a crime."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.rulesets.noblesse.orders import ABILITIES, FAMILY, Order, Sheet, reader_of
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.recruiting import price_of
from adjudicator.rulesets.noblesse.scenario import Effect, square_of, tables

COURTLY = frozenset({
    "tax", "lobby", "steward", "staff", "message", "march", *ABILITIES, "open city", "noble", "marriage", "heir", "hostages",
    "release", "surgeon", "arson", "bribery", "poison", "assassin", "incapacitate", "knife", "spy",
})  # fmt: skip
"""Orders that need a Courtier at court (NB-K-1, NB-K-12)."""
TEMPTED = {
    "assassin": 12, "knife": 12, "incapacitate": 1, "poison": 4, "arson": 9, "bribery": 6, "hostages": 3, "open city": 6,
}  # fmt: skip
"""Kind of crime -> a stand-in is tempted once in this many chances. Crimes that are seldom possible have low numbers."""
KEEN: Mapping[Effect, int] = {
    "inspire": 4, "levy": 1, "thrift": 1, "gather": 1, "ward": 8, "retain": 1, "march": 3, "reach": 8, "expel": 1, "survey": 1,
    "gauge": 1, "plunder": 1, "win over": 1,
}  # fmt: skip
"""Effect -> a stand-in uses an affordable ability once in this many chances."""
FEW = 5
"""If this many Courtiers or fewer are left, their number changes the worth of orders."""
HANGS_ON: Mapping[str, tuple[str, ...]] = {"tax": ("lobby",), "steward": ("move",)}
"""Kind of order -> other kinds whose worth it changes. Every order also changes the worth of others of its kind and of abilities."""
CRIMES = frozenset({"assassin", "knife", "incapacitate", "poison", "arson", "bribery"})
MOODS = {
    "lead": 12, "leave": 12, "release": 12, "message": 40, "march": 40, "recall tax": 50, "recall lobby": 50, "recall staff": 50,
    "recall spy": 50, "disband": 50,
}  # fmt: skip
"""Kind of order that stand-ins give without a good reason, so that it occurs at all -> once in this many chances."""


def worth(position: Position, seat: SeatId, chance: Chance) -> Callable[[Sheet, Sheet], int | None]:
    """Return the function that values one more option on a seat's sheet; it returns None for an option without worth."""
    if position.phase is Phase.SETUP:
        return functools.partial(worth_of_choice, seat, chance)
    return _Mind(position, seat, chance).judge


def worth_of_choice(seat: SeatId, chance: Chance, sheet: Sheet, more: Sheet) -> int | None:
    """Worth of a choice before the start, by lot; at most three wishes for a home."""
    for key in ("income", "without", "unit"):
        if wanted := more.choices[key]:
            return None if sheet.choices[key] else 1 + chance(f"{seat}:{wanted}", 100)
    if len(sheet.homes) >= 3:
        return None
    return 1 + chance(f"{seat}:{more.homes}", 100)


class _Mind:
    """A stand-in's mind for one turn.

    It judges the same sheet hundreds of times a turn. So it examines the sheet once (`look`), and it remembers an order's
    worth until the sheet gets an order that changes it (`forget`).
    """

    def __init__(self, position: Position, seat: SeatId, chance: Chance) -> None:
        self.position = position
        self.seat = seat
        self.chance = chance
        self.player = position.players[seat]
        self.scenario = position.settings.board
        self.read = reader_of(self.scenario).read
        self.day = position.phase is Phase.DAY
        self.free = sum(courtier.post == "court" for courtier in self.player.courtiers)
        alive = sorted(name for name, player in position.players.items() if player.alive)
        self.mob = alive[chance("mob", len(alive))] if alive else ""
        """The player whom angry stand-ins vote for, the same for all of them."""
        self.centre = [square_of(prize) for prize in self.scenario.prizes]
        self.mine = {name: unit for name, unit in position.units.items() if unit.owner == seat}
        self.posts = {(courtier.post, courtier.at, courtier.what) for courtier in self.player.courtiers}
        self.lots: dict[str, int] = {}
        self.ways: dict[str, int] = {}
        self.costs: dict[tuple[str, str, int], int] = {}
        self.values: dict[str, dict[str, int | None]] = {}
        """Kind of order -> line -> its worth given the orders so far."""
        self.lines: tuple[str, ...] = ()
        self.orders: list[Order] = []
        """The lines of the sheet, and the orders among them."""
        self.given: Counter[str] = Counter()
        """Number of orders of each kind on the sheet."""
        self.ordered: set[str] = set()
        """Units that have an order on the sheet."""
        self.left = self.free
        """Number of Courtiers that the sheet leaves at court."""

    def judge(self, sheet: Sheet, more: Sheet) -> int | None:
        """Worth of one more option on a sheet."""
        if more.treaties:
            return self.treaty(sheet, more)
        if sheet.orders is not self.lines:
            self.look(sheet.orders)
        line = more.orders[0]
        order = self.read(line)
        assert isinstance(order, Order)
        worths = self.values.setdefault(order.kind, {})
        if line not in worths:
            worths[line] = (
                None if line in self.lines else self.by_day(order) if self.day else self.by_night(order, line)
            )
        return worths[line]

    def by_night(self, order: Order, line: str) -> int | None:
        """Worth of a Night's order, given those on the sheet."""
        kind = order.kind
        if self.left <= 0 and kind in COURTLY:
            return None
        part = PARTS.get(kind)
        if part is not None:
            return part(self, order, line)
        often, lot = MOODS.get(kind), self.lot(line)
        if often is None:
            return 1 if lot == 0 else None
        return 10 + lot % 10 if lot % often == 0 and not self.given[kind] else None

    def look(self, lines: tuple[str, ...]) -> None:
        """Examine a sheet: the orders on it, and the Courtiers left."""
        before = self.lines
        if lines[:-1] == before and lines:
            read = [self.read(lines[-1])]
        else:
            read = [self.read(line) for line in lines]
            self.orders, self.left = [], self.free
            self.given.clear()
            self.ordered.clear()
            self.values.clear()
        self.lines = lines
        added = [order for order in read if isinstance(order, Order)]
        for order in added:
            self.orders.append(order)
            self.given[order.kind] += 1
            if "unit" in order.args:
                self.ordered.add(order.args["unit"])
            self.left -= order.kind in COURTLY or (order.kind == "recruit" and order.args["leader"] == "courtier")
        for order in added:
            self.forget(order)

    def forget(self, added: Order) -> None:
        """Forget the worths that an added order changes, or all of them by day and when few Courtiers are left."""
        if self.day or self.left <= FEW:
            self.values.clear()
            return
        for kind in (added.kind, *(TEMPTED if added.kind in CRIMES else ()), *ABILITIES, *HANGS_ON.get(added.kind, ())):
            self.values.pop(kind, None)
        if "unit" in added.args:
            self.values.pop("move", None)
            self.values.pop("challenge", None)

    def lot(self, line: str) -> int:
        """A number below 1000 drawn by lot for a line."""
        number = self.lots.get(line)
        if number is None:
            number = self.lots[line] = self.chance(f"{self.seat}:{line}", 1000)
        return number

    def treaty(self, sheet: Sheet, more: Sheet) -> int | None:
        """Worth of a proposal, now and then, to a faction without a treaty with the player's faction."""
        proposal = more.treaties[0]
        bound = any(proposal.to in made.parties and made.status != "ended" for made in self.position.treaties.values())
        keen = self.chance(f"{self.seat}:{proposal.to}:{proposal.state}:{proposal.ends[0].form}", 24) == 0
        return 40 if keen and not bound and not sheet.treaties else None

    def by_day(self, order: Order) -> int | None:
        """Worth of a Day's order: votes with the mob or for night, answers, signatures, a leader's decisions."""
        if order.kind in {"vote", "vote night"}:
            if self.given["vote"] or self.given["vote night"]:
                return None
            angry = self.chance(f"anger:{self.seat}", 10) < 4 + self.position.cycle // 3
            wish = f"Vote {self.mob}" if angry and self.mob != self.seat else "Vote night"
            return 5 if order.line == wish else None
        if order.kind in {"accept", "refuse"}:
            if any(other.kind in {"accept", "refuse"} and other.args == order.args for other in self.orders):
                return None
            yes = self.chance(f"deal:{order.args['seat']}:{self.seat}", 4) > 0
            return 5 if (order.kind == "accept") == yes else None
        if self.given[order.kind]:
            return None
        if order.kind in {"sign", "sign with"}:
            if self.given["sign"] or self.given["sign with"]:
                return None
            return 5 if self.chance(f"{self.seat}:{order.line}", 3) else None
        return 1 if self.chance(f"{self.seat}:{order.line}", 12) == 0 else None

    # Courtiers: taxes and Stewards first, then Lobbyists, staff, buildings and Spies ---------------------------------

    def tax(self, order: Order, line: str) -> int | None:
        """Worth of a Tax Collector for a tax that no Courtier collects yet."""
        return None if ("tax", order.args["estate"], order.args["resource"]) in self.posts else 5000

    def lobby(self, order: Order, line: str) -> int | None:
        """Worth of a Lobbyist beside a Tax Collector, while there are enough Courtiers."""
        here = order.args["estate"], order.args["resource"]
        if ("lobby", *here) in self.posts:
            return None
        taxed = ("tax", *here) in self.posts or any(
            other.kind == "tax" and (other.args["estate"], other.args["resource"]) == here for other in self.orders
        )
        return (4000 if self.left > 4 else None) if taxed else 0

    def steward(self, order: Order, line: str) -> int | None:
        """Worth of a Steward away from home, where there is neither a Steward nor a Tax Collector."""
        at = order.args["estate"]
        held = any(post in {"steward", "tax"} and where == at for post, where, _ in self.posts)
        return None if at == self.player.home or held else 6000

    def hand(self, order: Order, line: str) -> int | None:
        """Worth of handing an estate to the Heir, now and then."""
        return 5600 if not self.given["hand"] and self.lot(line) % 3 == 0 else None

    def staff(self, order: Order, line: str) -> int | None:
        """Worth of staff that a building lacks."""
        building = order.args["building"]
        have = sum(courtier.post == "staff" and courtier.what == building for courtier in self.player.courtiers)
        return 3000 if have + self.given["staff"] < tables().buildings[building].staff else None

    def build(self, order: Order, line: str) -> int | None:
        """Worth of a building, now and then, that can be paid for and overseen; at most one a Night."""
        needed = tables().buildings[order.args["building"]]
        if self.given["build"] or self.left < needed.overseers + 2 or not self.player.stock.covers(needed.price):
            return None
        return 900 + self.lot(line) % 200 if self.lot(line) % 3 == 0 else None

    def spy(self, order: Order, line: str) -> int | None:
        """Worth of sending a Spy: one a Night, while there are enough Courtiers."""
        return 50 + self.lot(line) % 40 if self.left > 5 and not self.given["spy"] else None

    # Units: the dearest that can be paid, up to four, and towards the estates that win --------------------------------

    def move(self, order: Order, line: str) -> int | None:
        """Worth of a move towards the winning estates. Units seldom leave a new estate without a Steward, and never if a timid PC leads them."""
        name = order.args["unit"]
        if name in self.ordered:
            return None
        unit = self.mine[name]
        if unit.leader == "pc" and self.chance(f"brave:{self.seat}", 3) == 0:
            return None
        lot, new = self.lot(line), unit.at != self.player.home and self.position.estates.get(unit.at) is None
        if (
            lot % 3
            and new
            and not any(other.kind == "steward" and other.args["estate"] == unit.at for other in self.orders)
        ):
            return None
        return max(1, 300 + 200 * (self.distance(unit.at) - self.distance(order.path[-1])) + lot % 150)

    def challenge(self, order: Order, line: str) -> int | None:
        """Worth of a move that asks for battle or conquest. Stand-ins seldom make one."""
        return 400 if self.lot(line) % 150 == 0 and order.args["unit"] not in self.ordered else None

    def recruit(self, order: Order, line: str) -> int | None:
        """Worth of recruiting a unit: one a Night, the dearer the better, and seldom led by a family member."""
        if self.given["recruit"] or len(self.mine) >= 4:
            return None
        cost, leader = self.cost(order), order.args["leader"]
        if cost > self.player.stock.manpower or (leader == "courtier" and self.left < 3):
            return None
        return None if leader in FAMILY and self.lot(line) % 5 else 2000 + cost * 100 + self.lot(line) % 300

    def hire(self, order: Order, line: str) -> int | None:
        """Worth of mercenaries, now and then, with money to spare."""
        rich = self.player.stock.money >= 14 and not self.given["hire"]
        return 1200 if rich and self.lot(line) % 3 == 0 else None

    def cost(self, order: Order) -> int:
        """Manpower that a recruited unit costs, cached because most units are offered at several estates."""
        company = self.scenario.companies.get(order.args["leader"])
        officer = company.tier if company is not None else 0
        unit = order.args["formation"], order.args["companies"], officer
        if unit not in self.costs:
            formation = order.args["formation"]
            self.costs[unit] = price_of(self.scenario, self.player.role, formation, order.companies, officer)
        return self.costs[unit]

    def distance(self, estate: str) -> int:
        """Steps from an estate to the nearest winning estate."""
        steps = self.ways.get(estate)
        if steps is None:
            row, column = square_of(estate)
            steps = self.ways[estate] = min(
                abs(row - prize_row) + abs(column - prize_column) for prize_row, prize_column in self.centre
            )
        return steps

    # Abilities and crimes -------------------------------------------------------------------------------------------

    def ability(self, order: Order, line: str) -> int | None:
        """Worth of one of the role's abilities: each at most once a Night, if it can be paid for, and as often as its effect deserves."""
        player, option = self.player, order.option
        ability = self.scenario.ability(player.role, option)
        used = any(other.kind in ABILITIES and other.option == option for other in self.orders)
        if used or self.left < 2 or not player.stock.covers(self.scenario.ability_price(player.faction, option)):
            return None
        bought = {"levy": "recruit", "thrift": ability.of or ""}.get(ability.effect)
        if bought is not None and not any(bought in {other.kind, other.args.get("building")} for other in self.orders):
            return 0  # an order that it makes cheaper may still come
        return 100 + self.lot(line) % 50 if self.lot(line) % KEEN[ability.effect] == 0 else None

    def crime(self, order: Order, line: str) -> int | None:
        """Worth of a crime, if the stand-in is tempted: at most one a Night, and only if it can be paid for."""
        kind = order.kind
        if not self.player.stock.covers(tables().actions[kind]) or not CRIMES.isdisjoint(self.given):
            return None
        rare = 300 if kind == "incapacitate" else 0  # it can seldom be done at all
        return 800 + rare + self.lot(line) % 200 if self.lot(line) % TEMPTED[kind] == 0 else None

    # Nobles, marriages, Heirs, the surgeon; and the gifts of leaders --------------------------------------------------

    def noble(self, order: Order, line: str) -> int | None:
        """Worth of creating a Noble: one a Night, if there is influence to spare."""
        rich = self.player.stock.influence >= 6 and not self.given["noble"]
        return 2500 if rich and self.lot(line) % 2 else None

    def marriage(self, order: Order, line: str) -> int | None:
        """Worth of an offer of marriage, if the two are willing, which is decided by the same chance for both."""
        if self.given["marriage"] or self.player.had_heir or self.player.stock.influence < 6:
            return None
        meant = self.chance(f"deal:{min(self.seat, order.args['seat'])}", 3) == 0
        return 700 + self.lot(line) % 100 if meant else None

    def heir(self, order: Order, line: str) -> int | None:
        """Worth of an Heir, as soon as possible."""
        can = self.player.stock.covers(tables().actions["heir"]) and not self.player.had_heir and self.left > 1
        return 2600 if can else None

    def surgeon(self, order: Order, line: str) -> int | None:
        """Worth of a surgeon for a player with more than one wound."""
        return 2800 if self.player.wounds > 1 and not self.given["surgeon"] else None

    def share(self, order: Order, line: str) -> int | None:
        """Worth of a gift; at most two a Night."""
        return 200 + self.lot(line) % 50 if self.given["share"] < 2 and self.lot(line) % 6 == 0 else None

    def pay(self, order: Order, line: str) -> int | None:
        """Worth of a payment, now and then, to the other party of a treaty."""
        return 300 if not self.given["pay"] and self.lot(line) % 3 == 0 else None


Part: TypeAlias = Callable[[_Mind, Order, str], int | None]
PARTS: Final[Mapping[str, Part]] = {
    "tax": _Mind.tax, "lobby": _Mind.lobby, "steward": _Mind.steward, "hand": _Mind.hand, "staff": _Mind.staff,
    "build": _Mind.build, "spy": _Mind.spy,
    "move": _Mind.move, "challenge": _Mind.challenge, "recruit": _Mind.recruit, "hire": _Mind.hire,
    "noble": _Mind.noble, "marriage": _Mind.marriage, "heir": _Mind.heir, "surgeon": _Mind.surgeon, "share": _Mind.share,
    "pay": _Mind.pay,
    **dict.fromkeys(ABILITIES, _Mind.ability), **dict.fromkeys(TEMPTED, _Mind.crime),
}  # fmt: skip
"""Kind of order -> the function for its worth; `MOODS` has the other kinds."""
