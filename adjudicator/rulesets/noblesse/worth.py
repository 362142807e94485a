"""What a stand-in's orders are worth to it: income first, then land, then units, and now and then a crime."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudicator.core.resolution import SeatId
from adjudicator.core.ruleset import Chance
from adjudicator.rulesets.noblesse.night import price_of
from adjudicator.rulesets.noblesse.orders import ABILITIES, Order, Sheet, reader_of
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.scenario import Effect, place_of, tables

COURTLY = frozenset({
    "tax", "lobby", "steward", "staff", "message", "march", *ABILITIES, "open city", "noble", "marriage", "heir", "hostages",
    "release", "surgeon", "arson", "bribery", "poison", "assassin", "incapacitate", "knife", "spy",
})  # fmt: skip
"""Orders that take a Courtier who is at court (NB-K-1, NB-K-12)."""
TEMPTED = {
    "assassin": 12, "knife": 12, "incapacitate": 1, "poison": 4, "arson": 9, "bribery": 6, "hostages": 3, "open city": 6,
}  # fmt: skip
"""In one of how many chances a stand-in is tempted: what can seldom be done at all is done when it can."""
KEEN: Mapping[Effect, int] = {
    "inspire": 4, "levy": 1, "thrift": 1, "gather": 1, "ward": 8, "retain": 1, "march": 3, "reach": 8, "expel": 1, "survey": 1,
    "gauge": 1, "plunder": 1,
}  # fmt: skip
"""In one of how many chances a stand-in uses an ability that it can pay, by what it does."""
FEW = 5
"""Courtiers left below which how many there are counts for what an order is worth."""
HANGS_ON: Mapping[str, tuple[str, ...]] = {"tax": ("lobby",), "steward": ("move",)}
"""Kind of order -> the kinds whose worth it changes, beside its own and that of abilities."""
CRIMES = frozenset({"assassin", "knife", "incapacitate", "poison", "arson", "bribery"})
MOODS = {
    "lead": 12, "leave": 12, "release": 12, "message": 40, "march": 40, "recall tax": 50, "recall lobby": 50, "recall staff": 50,
    "recall spy": 50, "disband": 50,
}  # fmt: skip
"""Orders that are given for no good reason, so that they are given: in one of how many chances."""


def worth(position: Position, seat: SeatId, chance: Chance) -> Callable[[Sheet, Sheet], int | None]:
    """What each option is worth to a seat, which sees this much; for `stand_in`."""
    return _Mind(position, seat, chance).judge


class _Mind:
    """A stand-in's mind for one turn."""

    def __init__(self, position: Position, seat: SeatId, chance: Chance) -> None:
        self.position = position
        self.seat = seat
        self.chance = chance
        self.player = position.players[seat]
        self.scenario = position.settings.board
        self.reader = reader_of(self.scenario)
        self.free = sum(one.post == "court" for one in self.player.courtiers)
        alive = sorted(name for name, one in position.players.items() if one.alive)
        self.mob = alive[chance("mob", len(alive))] if alive else ""
        """Whom the angry vote for: a chance that all share."""
        self.centre = [place_of(prize) for prize in self.scenario.prizes]
        self.mine = {name: unit for name, unit in position.units.items() if unit.owner == seat}
        self.done: tuple[tuple[str, ...], list[Order], int] = ((), [], self.free)
        """The lines of a sheet, those of them that are orders, and the Courtiers left: the same for one option after the other."""
        self.lots: dict[str, int] = {}
        self.parts: dict[str, tuple[Callable[[Order, list[Order], int, str], int | None], ...]] = {}
        """Kind of order -> the part of the mind whose business it is, once it is known: none for some."""
        self.ways: dict[str, int] = {}
        self.costs: dict[tuple[str, str, int], int] = {}
        self.values: dict[str, int | None] = {}
        """Line -> its worth beside the orders so far, until one is added on which it hangs."""
        self.kept: dict[str, list[str]] = {}
        """Kind of order -> the lines whose worth is known."""

    def judge(self, sheet: Sheet, more: Sheet) -> int | None:
        """How much better a sheet gets by one option more."""
        if self.position.phase is Phase.SETUP:
            return self.found(sheet, more)
        if more.treaties:
            return self.treaty(sheet, more)
        done, left = self.ordered(sheet.orders)
        order, line = self.reader.written(more.orders[0])
        assert isinstance(order, Order)
        if line in self.values:
            return self.values[line]
        value = (
            None
            if line in sheet.orders
            else self.by_day(order, done)
            if self.by_daylight
            else self.by_night(order, done, left, line)
        )
        self.values[line] = value
        self.kept.setdefault(order.kind, []).append(line)
        return value

    def by_night(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """What an order of the Night is worth beside those on the sheet, with so many Courtiers left."""
        if order.kind in COURTLY and left <= 0:
            return None
        for part in self.parts.get(order.kind, (self.posts, self.units, self.abilities, self.family, self.crimes)):
            value = part(order, done, left, line)
            if value != UNSAID:
                self.parts[order.kind] = (part,)
                return value
        self.parts[order.kind] = ()
        often, lot = MOODS.get(order.kind), self.lot(line)
        if often is None:
            return 1 if lot == 0 else None
        return 10 + lot % 10 if lot % often == 0 and not any(one.kind == order.kind for one in done) else None

    def ordered(self, lines: tuple[str, ...]) -> tuple[list[Order], int]:
        """The orders among the lines of a sheet, and how many Courtiers are left for others."""
        before, done, left = self.done
        if before is lines or before == lines:
            return done, left
        if len(lines) == len(before) + 1 and lines[:-1] == before:
            more = self.reader.read(lines[-1])
            added = [more] if isinstance(more, Order) else []
        else:
            added = [order for line in lines if isinstance(order := self.reader.read(line), Order)]
            done, left = [], self.free
            self.values.clear()
            self.kept.clear()
        left -= sum(
            one.kind in COURTLY or (one.kind == "recruit" and one.args["leader"] == "courtier") for one in added
        )
        self.done = lines, [*done, *added], left
        for one in added:
            self.forget(one, left)
        return self.done[1], self.done[2]

    def forget(self, added: Order, left: int) -> None:
        """Forgets the worths that hang on an order that was added, or on how many Courtiers are left."""
        if self.by_daylight or left <= FEW:
            self.values.clear()
            self.kept.clear()
            return
        same = {added.kind, *(TEMPTED if added.kind in CRIMES else ()), *ABILITIES, *HANGS_ON.get(added.kind, ())}
        if "unit" in added.args:
            same |= {"move", "challenge"}
        for kind in same:
            for line in self.kept.pop(kind, ()):
                self.values.pop(line, None)

    @property
    def by_daylight(self) -> bool:
        """Whether it is Day."""
        return self.position.phase is Phase.DAY

    def lot(self, line: str) -> int:
        """What is drawn for a line by lot, out of 1000."""
        found = self.lots.get(line)
        if found is None:
            found = self.lots[line] = self.chance(f"{self.seat}:{line}", 1000)
        return found

    def found(self, sheet: Sheet, more: Sheet) -> int | None:
        """Choices before the start, by lot; three wishes for a home."""
        for key in ("income", "without", "unit"):
            if wanted := more.choices[key]:
                return None if sheet.choices[key] else 1 + self.chance(f"{self.seat}:{wanted}", 100)
        if len(sheet.homes) >= 3:
            return None
        return 1 + self.chance(f"{self.seat}:{more.homes}", 100)

    def treaty(self, sheet: Sheet, more: Sheet) -> int | None:
        """Now and then a proposal to a faction with which there is no treaty."""
        one = more.treaties[0]
        bound = any(one.to in made.parties and made.status != "ended" for made in self.position.treaties.values())
        keen = self.chance(f"{self.seat}:{one.to}:{one.state}:{one.ends[0].form}", 24) == 0
        return 40 if keen and not bound and not sheet.treaties else None

    def by_day(self, order: Order, done: list[Order]) -> int | None:
        """Votes with the mob or for night, answers, signatures, and what a leader settles."""
        if order.kind in {"vote", "vote night"}:
            if any(one.kind in {"vote", "vote night"} for one in done):
                return None
            angry = self.chance(f"anger:{self.seat}", 10) < 4 + self.position.cycle // 3
            wish = f"Vote {self.mob}" if angry and self.mob != self.seat else "Vote night"
            return 5 if order.line == wish else None
        if order.kind in {"accept", "refuse"}:
            if any(one.kind in {"accept", "refuse"} and one.args == order.args for one in done):
                return None
            yes = self.chance(f"deal:{order.args['seat']}:{self.seat}", 4) > 0
            return 5 if (order.kind == "accept") == yes else None
        if any(one.kind == order.kind for one in done):
            return None
        if order.kind in {"sign", "sign with"}:
            if any(one.kind in {"sign", "sign with"} for one in done):
                return None
            return 5 if self.chance(f"{self.seat}:{order.line}", 3) else None
        return 1 if self.chance(f"{self.seat}:{order.line}", 12) == 0 else None

    def posts(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """Courtiers: taxes and Stewards first, then Lobbyists, staff, buildings and Spies."""
        player, at = self.player, order.args.get("estate", "")
        match order.kind:
            case "tax":
                here = (at, order.args["resource"])
                return (
                    None if any(one.post == "tax" and (one.at, one.what) == here for one in player.courtiers) else 5000
                )
            case "lobby":
                posts = {(one.post, one.at, one.what) for one in player.courtiers}
                here = at, order.args["resource"]
                if ("lobby", *here) in posts:
                    return None
                taxed = ("tax", *here) in posts or any(
                    one.kind == "tax" and (one.args["estate"], one.args["resource"]) == here for one in done
                )
                return (4000 if left > 4 else None) if taxed else 0
            case "steward":
                held = any(one.post in {"steward", "tax"} and one.at == at for one in player.courtiers)
                return None if at == player.home or held else 6000
            case "hand":
                return 5600 if self.lot(line) % 3 == 0 and not _given(done, "hand") else None
            case "staff":
                need = tables().buildings[order.args["building"]].staff
                have = sum(one.post == "staff" and one.what == order.args["building"] for one in player.courtiers)
                return 3000 if have + _given(done, "staff") < need else None
            case "build":
                needed = tables().buildings[order.args["building"]]
                if _given(done, "build") or left < needed.overseers + 2 or not player.stock.covers(needed.price):
                    return None
                return 900 + self.lot(line) % 200 if self.lot(line) % 3 == 0 else None
            case "spy":
                return 50 + self.lot(line) % 40 if left > 5 and not _given(done, "spy") else None
        return UNSAID

    def units(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """Units: as dear a one as can be paid, up to four, and towards the estates that win."""
        player, name = self.player, order.args.get("unit", "")
        match order.kind:
            case "move":
                if any(one.args.get("unit") == name for one in done):
                    return None
                unit = self.mine[name]
                if unit.leader == "pc" and self.chance(f"brave:{self.seat}", 3) == 0:
                    return None
                waits = self.position.estates.get(unit.at) is None and not any(
                    one.kind == "steward" and one.args["estate"] == unit.at for one in done
                )
                step = self.far(unit.at) - self.far(order.path[-1])
                return (
                    None
                    if waits and unit.at != player.home and self.lot(line) % 3
                    else max(1, 300 + 200 * step + self.lot(line) % 150)
                )
            case "challenge":
                return (
                    400 if self.lot(line) % 150 == 0 and not any(one.args.get("unit") == name for one in done) else None
                )
            case "recruit":
                if _given(done, "recruit") or len(self.mine) >= 4:
                    return None
                cost = self.cost(order)
                if cost > player.stock.manpower or (order.args["leader"] == "courtier" and left < 3):
                    return None
                family = order.args["leader"] in {"pc", "heir"}
                return None if family and self.lot(line) % 5 else 2000 + cost * 100 + self.lot(line) % 300
            case "hire":
                return (
                    1200 if player.stock.money >= 14 and not _given(done, "hire") and self.lot(line) % 3 == 0 else None
                )
        return UNSAID

    def cost(self, order: Order) -> int:
        """The Manpower that a unit costs which is recruited: most are offered at several places, under several leaders."""
        company = self.scenario.companies.get(order.args["leader"])
        officer = company.tier if company is not None else 0
        unit = order.args["formation"], order.args["companies"], officer
        if unit not in self.costs:
            formation = order.args["formation"]
            self.costs[unit] = price_of(self.scenario, self.player.role, formation, order.companies, officer)
        return self.costs[unit]

    def abilities(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """Each of the role's abilities once a Night, if it can be paid, and as often as what it does is worth."""
        if order.kind not in ABILITIES:
            return UNSAID
        player, option = self.player, order.option
        ability = self.scenario.ability(player.role, option)
        used = any(one.kind in ABILITIES and one.option == option for one in done)
        if used or left < 2 or not player.stock.covers(self.scenario.ability_price(player.faction, option)):
            return None
        bought = {"levy": "recruit", "thrift": ability.of or ""}.get(ability.effect)
        if bought is not None and not any(bought in {one.kind, one.args.get("building")} for one in done):
            return 0  # there may be something to make cheaper yet
        return 100 + self.lot(line) % 50 if self.lot(line) % KEEN[ability.effect] == 0 else None

    def family(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """Nobles, marriages, Heirs, the surgeon; and what leaders give away."""
        player = self.player
        match order.kind:
            case "noble":
                return (
                    2500 if player.stock.influence >= 6 and not _given(done, "noble") and self.lot(line) % 2 else None
                )
            case "marriage":
                if _given(done, "marriage") or player.had_heir or player.stock.influence < 6:
                    return None
                return (
                    700 + self.lot(line) % 100
                    if self.chance(f"deal:{min(self.seat, order.args['seat'])}", 3) == 0
                    else None
                )
            case "heir":
                can = player.stock.covers(tables().actions["heir"]) and not player.had_heir and left > 1
                return 2600 if can else None
            case "surgeon":
                return 2800 if player.wounds > 1 and not _given(done, "surgeon") else None
            case "share":
                return 200 + self.lot(line) % 50 if _given(done, "share") < 2 and self.lot(line) % 6 == 0 else None
            case "pay":
                return 300 if self.lot(line) % 3 == 0 and not _given(done, "pay") else None
        return UNSAID

    def crimes(self, order: Order, done: list[Order], left: int, line: str) -> int | None:
        """One crime a Night, of those that can be paid, when it is tempted."""
        if order.kind not in TEMPTED:
            return UNSAID
        if not self.player.stock.covers(tables().actions[order.kind]) or any(one.kind in CRIMES for one in done):
            return None
        rare = 300 if order.kind == "incapacitate" else 0  # it can seldom be done at all
        return 800 + rare + self.lot(line) % 200 if self.lot(line) % TEMPTED[order.kind] == 0 else None

    def far(self, estate: str) -> int:
        """Estates between one and the nearest that wins."""
        found = self.ways.get(estate)
        if found is None:
            row, column = place_of(estate)
            found = self.ways[estate] = min(abs(row - one) + abs(column - other) for one, other in self.centre)
        return found


UNSAID = -1
"""What a part of the mind says of orders that are not its business."""


def _given(done: list[Order], kind: str) -> int:
    """How often an order of this kind is on the sheet already."""
    return sum(one.kind == kind for one in done)
