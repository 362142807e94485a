"""Al-Andalus, judged a second time: written only from its catalogue and RULES.md; its war is `diplomacy`.

It shares with the ruleset the shapes of positions and sheets and the board file, but not a single rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adjudicator.rulesets.al_andalus.orders import AnySheet, PrinceSheet, WazirSheet
from adjudicator.rulesets.al_andalus.position import WAZIRS, Command, Conquest, Position, WazirSolo
from adjudicator.rulesets.diplomacy.position import Phase
from tests.judges.diplomacy import ILLEGAL, Told, War
from tests.judges.moves import Field, Order, Said, Unit, province_of, reader_of, said

Fact: TypeAlias = tuple[str | int, ...]
FREE = "free"


@dataclass(frozen=True, slots=True)
class Ending:
    how: str
    winners: tuple[str, ...]


@dataclass
class Judged:
    """Result of a turn."""

    position: Position
    ending: Ending | None
    lines: list[Told]
    facts: Counter[Fact]
    """Facts that the position does not show: pay, plunder, arrests, units held back, commands that ended, courts that fell."""
    seen: Counter[str] = field(default_factory=Counter)


@dataclass
class General:
    """A command: the province of its unit, dislodged or not, and the land that it took."""

    unit: str
    land: set[str]
    away: bool = False
    """True if the unit is dislodged."""


def judge(position: Position, sheets: Mapping[str, AnySheet]) -> Judged:
    """Judge a turn by the rules."""
    return Turn(position, sheets).judge()


class Turn:
    """A turn in the making."""

    def __init__(self, position: Position, sheets: Mapping[str, AnySheet]) -> None:
        self.settings = position.settings
        self.princely = {s: sheet for s, sheet in sheets.items() if isinstance(sheet, PrinceSheet)}
        self.wazirly = {s: sheet for s, sheet in sheets.items() if isinstance(sheet, WazirSheet)}
        self.war = War(position.war, {prince: sheet.orders for prince, sheet in self.princely.items()})
        self.princes = [power for power in self.war.powers if power not in WAZIRS]
        self.courts = {**position.courts}
        self.purses = {**position.purses}
        self.treasuries = {**position.treasuries}
        self.executed = {*position.executed}
        self.conquests = [(conquest.wazir, conquest.conqueror) for conquest in position.conquests]
        self.votes = {*position.votes}
        self.missed = {**position.missed}
        self.heirs = {**position.heirs}
        self.generals = {wazir: self.command(wazir, data) for wazir, data in position.generals.items()}
        self.reign = self.reigning()
        self.facts: Counter[Fact] = Counter()
        self.seen: Counter[str] = self.war.seen
        self.words: list[Told] = []
        """Words that are not lines for units: Hire, Court, Arrest and so on."""
        self.wazir_lines: dict[str, Told] = {}
        reader = reader_of(self.war.board)
        for wazir, sheet in self.wazirly.items():
            if sheet.order is not None:
                told = self.wazir_lines[wazir] = Told(wazir, sheet.order, reader.read(sheet.order))
                if told.order is None:
                    told.said = said("unreadable", {"DP-O-7"})

    def command(self, wazir: str, data: Command) -> General:
        owner = self.courts.get(wazir, wazir)
        unit = self.war.unit(owner, data.unit)
        here = self.war.lost.get(
            unit.province
        )  # it may be where another unit of its owner came, which the general has joined since
        away = here is not None and here[0] == unit
        return General(unit.province, {self.war.code[name] for name in data.land}, away)

    # Princes and wazirs

    def reigning(self) -> list[str]:
        """The princes who have a unit or a centre."""
        left = self.war.left()
        return [prince for prince in self.princes if prince in left]

    @property
    def wazirs(self) -> list[str]:
        return [wazir for wazir in WAZIRS if wazir not in self.executed]

    def served(self, prince: str) -> str | None:
        """The wazir at a court (AA-E-2)."""
        return next((wazir for wazir, court in self.courts.items() if court == prince), None)

    def say(self, seat: str, text: str, what: Said | None) -> None:
        self.words.append(Told(seat, text, None, what))

    # The turn

    def judge(self) -> Judged:
        self.votes_and_silence()
        ending: Ending | None = None
        match self.war.phase:
            case Phase.MOVEMENT:
                self.season()
            case Phase.RETREATS:
                self.not_now()
                self.retreats()
            case Phase.ADJUSTMENTS:
                self.not_now()
                self.winter()
        if self.war.fall_over:
            ending = self.fall()
        self.fallen()
        if self.war.fall_over and not self.conquests and not any(map(self.war.can_adjust, self.war.powers)):
            self.war.next_year()
        ending = ending or self.agreed()
        if ending is not None:
            self.seen[f"ended: {ending.how}"] += 1
        lines = [*self.war.lines, *self.war.again, *self.wazir_lines.values(), *self.words]
        return Judged(self.position(), ending, lines, self.facts, self.seen)

    def votes_and_silence(self) -> None:
        """AA-K-2, AA-I-5, AA-I-7, AA-I-8."""
        for prince, sheet in self.princely.items():
            if prince in self.reign and sheet.draw is not None:
                (self.votes.add if sheet.draw else self.votes.discard)(prince)
        for seat in (*self.princely, *self.wazirly):
            self.missed.pop(seat, None)
            self.heirs.pop(seat, None)
        if self.war.phase is Phase.MOVEMENT:
            for seat in (*self.reign, *self.wazirs):
                if seat not in self.princely and seat not in self.wazirly:
                    self.missed[seat] = self.missed.get(seat, 0) + 1

    def not_now(self) -> None:
        """Words for spring and fall, said in another season (AA-E-10)."""
        for prince, sheet in self.princely.items():
            if sheet.hire is not None:
                self.say(prince, f"Hire {sheet.hire}", said(ILLEGAL))
            if sheet.arrest:
                self.say(prince, "Arrest", said(ILLEGAL))
            if sheet.appoint is not None:
                self.say(prince, f"Appoint {sheet.appoint}", said(ILLEGAL))
            if self.war.phase is Phase.RETREATS:
                for wazir, fate in sheet.fate.items():
                    self.say(prince, f"{fate.value.capitalize()} {wazir}", said(ILLEGAL, {"AA-J-4"}))
        for wazir, words in self.wazirly.items():
            if words.court is not None:
                self.say(wazir, f"Court {words.court}", said(ILLEGAL))
            for key in ("plunder", "refuse", "resign", "throne"):
                if getattr(words, key):
                    self.say(wazir, key.capitalize(), said(ILLEGAL))

    # Spring and fall

    def season(self) -> None:
        self.silent = {prince for prince in self.reign if prince not in self.princely}
        self.arrests = self.silent | {
            prince for prince in self.reign if prince in self.princely and self.princely[prince].arrest
        }
        self.ascended: set[str] = set()
        for wazir in self.wazirs:
            self.throne(wazir)
        self.serving = {**self.courts}
        self.match()
        self.plunders()
        legal = self.orders()
        self.opening = {**self.war.units}
        before = {wazir: self.war.units[general.unit] for wazir, general in self.generals.items()}
        fought = self.war.march(legal, generals=[general.unit for general in self.generals.values()])
        for told in self.wazir_lines.values():
            if told.said is None and told.order is not None:
                told.said = fought.said[told.order.unit.province]
        for wazir in [*self.generals]:
            general = self.generals[wazir]
            general.unit = province_of(fought.moved.get(general.unit, general.unit))
            general.away = before[wazir].province in fought.lost
        self.pay(legal)
        self.transfers(fought.moved, fought.lost)
        self.leave()

    def throne(self, wazir: str) -> None:
        """AA-I-5, AA-I-6, AA-I-9, AA-L-22."""
        if wazir not in self.wazirly or not self.wazirly[wazir].throne:
            return
        prince = self.courts.get(wazir) or next((p for p, heir in self.heirs.items() if heir == wazir), None)
        vacant = (
            prince is not None
            and prince in self.silent
            and self.missed[prince] > 2  # two turns before this one
            and self.served(prince) in (None, wazir)
        )
        if not vacant or prince is None:
            self.say(wazir, "Throne", said(ILLEGAL, {"AA-I-5"}))
            return
        self.say(wazir, "Throne", said("succeeds", {"AA-I-5"}))
        self.ascended.add(wazir)
        self.courts.pop(wazir, None)
        self.facts["ascended", wazir, prince, self.purses[wazir]] += 1
        self.purses[wazir] = 0
        self.missed.pop(prince, None)
        self.drop_heir(wazir)
        self.heirs.pop(prince, None)
        if wazir in self.generals:
            del self.generals[wazir]
            self.facts["command ended", wazir, "throne"] += 1
        self.seen["throne"] += 1

    def drop_heir(self, wazir: str) -> None:
        self.heirs = {prince: heir for prince, heir in self.heirs.items() if heir != wazir}

    def match(self) -> None:
        """Hirings (AA-E), generals who go free (AA-L-7), and the words for both."""
        hires = {prince: sheet.hire for prince, sheet in self.princely.items() if sheet.hire is not None}
        goes = {
            wazir: sheet.court
            for wazir, sheet in self.wazirly.items()
            if sheet.court is not None and wazir not in self.ascended and wazir not in self.executed
        }
        self.leaving: set[str] = set()
        """Generals who go free."""
        late: set[str] = set()
        for wazir, court in goes.items():
            if court == FREE and self.may_be_free(wazir):
                (late if self.courts[wazir] in self.arrests else self.leaving).add(wazir)
        pairs = {
            wazir: court
            for wazir, court in goes.items()
            if court in self.reign and hires.get(court) == wazir and self.courts.get(wazir) != court
        }
        asked = {**pairs}
        while True:  # AA-E-7: a prince whose wazir stays cannot hire anybody
            stuck = {
                wazir
                for wazir, prince in pairs.items()
                if (own := self.served(prince)) is not None and own not in pairs and own not in self.leaving
            }
            if not stuck:
                break
            pairs = {wazir: prince for wazir, prince in pairs.items() if wazir not in stuck}
        self.accepted = pairs
        self.on_the_way = {
            wazir
            for wazir, court in goes.items()
            if wazir in self.leaving or wazir in late or (court in self.reign and court != self.courts.get(wazir))
        }
        for prince, wazir in hires.items():
            self.say(prince, f"Hire {wazir}", self.hire_said(prince, wazir, asked))
        for wazir, sheet in self.wazirly.items():
            if sheet.court is not None:
                self.say(wazir, f"Court {sheet.court}", self.court_said(wazir, sheet.court, asked, late))

    def may_be_free(self, wazir: str) -> bool:
        """AA-E-5, AA-L-8."""
        general = self.generals.get(wazir)
        return wazir in self.courts and general is not None and bool(general.land) and not self.wazirly[wazir].resign

    def hire_said(self, prince: str, wazir: str, asked: Mapping[str, str]) -> Said:
        if prince not in self.reign:
            return said(ILLEGAL)
        if wazir not in self.wazirs:
            return said(ILLEGAL, {"AA-E-1"})
        if self.courts.get(wazir) == prince:
            return said(ILLEGAL, {"AA-E-2"})
        if self.accepted.get(wazir) == prince:
            return said("succeeds", {"AA-E-1"})
        own = self.served(prince)
        full = own is not None and own not in self.accepted and own not in self.leaving
        self.seen["court full"] += asked.get(wazir) == prince
        return said("fails", {"AA-E-7"} if asked.get(wazir) == prince else {"AA-E-1", "AA-E-7"} if full else {"AA-E-1"})

    def court_said(self, wazir: str, court: str, asked: Mapping[str, str], late: Collection[str]) -> Said:
        if wazir in self.ascended:
            return said("void")
        if court == FREE:
            if wazir in self.leaving:
                return said("succeeds", {"AA-L-7"})
            return said("fails", {"AA-L-17"}) if wazir in late else said(ILLEGAL, {"AA-E-5", "AA-L-8"})
        if court not in self.reign or wazir not in self.wazirs:
            return said(ILLEGAL, {"AA-E-1"})
        if self.courts.get(wazir) == court:
            return said(ILLEGAL)
        if wazir in self.accepted:
            return said("succeeds", {"AA-E-3"})
        return said("fails", {"AA-E-7", "AA-E-4"} if asked.get(wazir) == court else {"AA-E-4"})

    def plunders(self) -> None:
        """Plunder and arrest at each court (AA-G, AA-H)."""
        self.plundered: dict[str, str] = {}
        for wazir in self.wazirly:
            if not self.wazirly[wazir].plunder:
                continue
            prince = self.courts.get(wazir)
            if wazir in self.ascended:
                self.say(wazir, "Plunder", said("void"))
            elif prince is None or wazir not in self.wazirs:
                rules = {"AA-G-1", "AA-C-1", "AA-C-10"}
                self.say(wazir, "Plunder", said("illegal|fails" if wazir in self.on_the_way else ILLEGAL, rules))
            elif wazir in self.on_the_way:
                self.say(wazir, "Plunder", said("fails", {"AA-C-10", *({"AA-H-5"} if prince in self.arrests else ())}))
            elif prince in self.arrests:
                self.say(wazir, "Plunder", said("fails", {"AA-H-5"}))
                self.seen["countered"] += 1
            else:
                self.say(wazir, "Plunder", said("succeeds", {"AA-G-1"}))
                self.plundered[prince] = wazir
                self.seen["plundered"] += 1
        for prince in self.princely:
            if self.princely[prince].arrest:
                self.say(prince, "Arrest", said("succeeds", {"AA-H-1"}) if prince in self.reign else None)

    def held(self, prince: str) -> str:
        """Rule that makes all of a prince's units hold, or ""."""
        return "AA-H-1" if prince in self.arrests else "AA-G-1" if prince in self.plundered else ""

    # Each unit's one order (AA-B to AA-D)

    def orders(self) -> dict[str, Order]:
        war = self.war
        field_ = Field(war.ground, war.settings, war.units)
        legal: dict[str, Order] = {}
        self.still: Counter[str] = Counter()
        """Prince -> units that hold by order (AA-F-2)."""
        commanded = {general.unit: wazir for wazir, general in self.generals.items()}
        for prince in war.powers:
            if prince in WAZIRS:
                continue
            mine = self.prince_orders(prince, field_, commanded)
            theirs = self.wazir_orders(prince, field_, commanded)
            if self.held(prince):
                rule = self.held(prince)
                for told, _ in (*mine.values(), *theirs.values()):
                    told.said = said("void", {rule})
                continue
            legal |= self.put_together(prince, mine, theirs)
        for wazir in self.wazir_lines:
            if wazir not in self.courts:
                legal |= self.free_order(wazir, field_)
        return legal

    def prince_orders(self, prince: str, field_: Field, commanded: Mapping[str, str]) -> dict[str, tuple[Told, Order]]:
        """A prince's legal orders by unit; an illegal one counts as none (AA-B-5)."""
        found: dict[str, tuple[Told, Order]] = {}
        for here, lines in self.war.orders_of(prince, self.war.units).items():
            words = "illegal|void" if self.held(prince) else ILLEGAL
            good: list[Told] = []
            for told in lines:
                assert told.order is not None
                broken = field_.breaks(self.war.meant(told.order, self.war.units))
                if here in commanded:
                    told.said = said(ILLEGAL, {"AA-L-2", "DP-O-5", *broken})
                elif broken:
                    told.said = said(words, {*broken, "DP-O-5"} if words == ILLEGAL else ())
                else:
                    good.append(told)
            order = self.war.once(good, self.war.units) if good else None
            if order is not None:
                found[here] = good[0], order
        return found

    def wazir_orders(self, prince: str, field_: Field, commanded: Mapping[str, str]) -> dict[str, tuple[Told, Order]]:
        """Order of the wazir at a court, if it counts (AA-C-1, AA-C-2, AA-C-10, AA-L-2)."""
        wazir = self.served(prince)
        told = self.wazir_lines.get(wazir or "")
        if wazir is None or told is None or told.said is not None or told.order is None:
            return {}
        unit = self.war.units.get(told.order.unit.province)
        strange = unit is None or unit.power != prince or told.order.unit.kind not in ("", unit.kind)
        strange = strange or told.order.does in ("Build", "Disband", "Waive")
        general = self.generals.get(wazir)
        other = general is not None and general.unit != told.order.unit.province
        held = bool(self.held(prince))
        order = None if strange else self.war.meant(told.order, self.war.units)
        broken = field_.breaks(order) if order is not None else {"DP-O-4", "DP-O-6", "AA-L-2", "AA-C-9", "DP-O-1"}
        if other:
            broken |= {"AA-L-2"}
        if wazir in self.on_the_way:
            told.said = said("fails|illegal" if broken else "fails", {"AA-C-10", *broken})
            return {}
        if broken or order is None:
            told.said = said("illegal|void" if held else ILLEGAL, () if held else broken)
            return {}
        return {unit.province: (told, order)} if unit is not None else {}

    def free_order(self, wazir: str, field_: Field) -> dict[str, Order]:
        """Order of a wazir without a court, as the master of the unit that they command (AA-L-8)."""
        told = self.wazir_lines[wazir]
        if told.said is not None or told.order is None:
            return {}
        if wazir in self.ascended:
            told.said = said("void")
            return {}
        general = self.generals.get(wazir)
        away = wazir in self.on_the_way
        if general is None:
            told.said = said("illegal|fails" if away else ILLEGAL, {"AA-C-1", "AA-C-10"} if away else {"AA-C-1"})
            return {}
        unit = self.war.units[general.unit]
        mine = told.order.unit.province == general.unit and told.order.unit.kind in ("", unit.kind)
        order = self.war.meant(told.order, self.war.units)
        broken = field_.breaks(order) if mine else {"AA-L-2", "DP-O-4", "DP-O-6"}
        if away:
            told.said = said("fails|illegal" if broken else "fails", {"AA-C-10", *broken})
            return {}
        if broken:
            told.said = said(ILLEGAL, broken)
            return {}
        return {general.unit: order}

    def same(self, one: Order, other: Order) -> bool:
        """True if two orders mean the same (AA-C-8)."""

        def plain(order: Order) -> Order:
            walks = order.to in self.war.ground.army.get(order.unit.province, ())
            return replace(order, via=order.via and walks and order.unit.kind == "A")

        return plain(one) == plain(other)

    def put_together(
        self, prince: str, mine: dict[str, tuple[Told, Order]], theirs: dict[str, tuple[Told, Order]]
    ) -> dict[str, Order]:
        """One order for each unit (AA-C-3 to AA-C-7), and one that is held back if the prince used all units (AA-B-3)."""
        units = self.war.standing(prince)
        legal = {here: order for here, (_, order) in mine.items()}
        confused: set[str] = set()
        for here, (told, order) in theirs.items():
            if here not in mine:
                legal[here] = order
                self.seen["wazir orders"] += 1
            elif self.same(mine[here][1], order):
                self.seen["same order"] += 1
            elif mine[here][1].does == "H":
                mine[here][0].said = said("overridden", {"AA-C-4"})
                legal[here] = order
                self.seen["overridden"] += 1
            else:
                confused.add(here)
                mine[here][0].said = told.said = said("confused", {"AA-C-5", "AA-C-6"})
                del legal[here]
                self.seen["confused"] += 1
        wazir = self.served(prince)
        used = all(unit.province in mine and mine[unit.province][1].does != "H" for unit in units)
        limited = len(units) > 1 and (wazir is None or wazir not in self.generals)
        if limited and used and not confused:
            unit = self.war.farthest(prince)[0]
            here = unit.province
            homes = [place for place, owner in self.war.ground.homes.items() if owner == prince]
            self.facts[
                "held back", prince, unit.text(self.war.ground), self.war.ground.distances(homes).get(here, -1)
            ] += 1
            for told in [t for t, _ in (mine[here], *([theirs[here]] if here in theirs else []))]:
                told.said = said("held", {"AA-B-3"})
            del legal[here]
            self.seen["held back"] += 1
        self.still[prince] = sum(unit.province not in legal or legal[unit.province].does == "H" for unit in units)
        return legal

    # Pay (AA-F)

    def pay(self, legal: Mapping[str, Order]) -> None:
        for wazir, prince in self.serving.items():
            if prince in self.plundered and self.plundered[prince] == wazir:
                dinars = sum(unit.power == prince for unit in self.opening.values())
                self.purses[wazir] += dinars
                self.facts["plundered", wazir, prince, dinars] += 1
            elif prince not in self.arrests and wazir not in self.accepted and wazir not in self.leaving:
                self.purses[wazir] += self.still[prince]
                self.facts["paid", wazir, prince, self.still[prince]] += 1

    # Transfers, treasuries, generals

    def transfers(self, moved: Mapping[str, str], lost: Mapping[str, str | None]) -> None:
        destroyed = {
            wazir for wazir, general in self.generals.items() if general.away and general.unit not in self.war.lost
        }
        before = {**self.courts}
        self.ends(destroyed)
        for prince in self.reign:  # arrests (AA-H-2 to AA-H-4)
            if prince not in self.arrests:
                continue
            wazir = self.served(prince)
            if wazir is None or wazir in self.accepted:
                self.seen["arrest missed"] += 1
                self.facts["arrested", prince, 0] += 1
                continue
            taken = self.purses[wazir] // 2
            self.facts["arrested", prince, taken] += 1
            self.purses[wazir] -= taken
            self.treasuries[prince] += taken
            del self.courts[wazir]
            self.seen["arrested"] += 1
            if prince in self.silent:
                self.heirs[prince] = wazir
            if wazir in self.generals:  # AA-L-10
                self.end(wazir, "arrested")
        for wazir in sorted(self.leaving):
            self.courts.pop(wazir)
            self.seen["went free"] += 1
            self.take_along(wazir, before[wazir], wazir)
        for wazir, prince in self.accepted.items():
            if wazir in self.generals and (old := before.get(wazir, wazir)) != prince:
                self.take_along(wazir, old, prince)
            self.courts[wazir] = prince
            self.facts["hired", wazir, prince, self.treasuries[prince]] += 1
            self.purses[wazir] += self.treasuries[prince]
            self.treasuries[prince] = 0
            self.drop_heir(wazir)
            self.seen["hired" if wazir not in before else "changed court"] += 1
        self.appointments(moved, lost, before)

    def ends(self, destroyed: Collection[str]) -> None:
        """Commands that end with their units, or are given up, before anybody changes place (AA-L-12, AA-L-18)."""
        for wazir in self.wazirly:
            if not self.wazirly[wazir].resign:
                continue
            prince = self.courts.get(wazir)
            if wazir in self.ascended:
                self.say(wazir, "Resign", said("void"))
            elif wazir not in self.generals or prince is None:
                self.say(wazir, "Resign", said(ILLEGAL, {"AA-L-12"}))
            elif (prince in self.arrests and wazir not in self.accepted) or wazir in destroyed:
                words = "succeeds|fails" if wazir in destroyed else "fails"
                self.say(wazir, "Resign", said(words, {"AA-L-12"}))
            else:
                self.say(wazir, "Resign", said("succeeds", {"AA-L-12"}))
                self.seen["resigned"] += 1
                self.end(wazir, "resigned")
        for wazir in destroyed:
            if wazir in self.generals:
                if wazir not in self.courts:
                    self.war.owner = {place: own for place, own in self.war.owner.items() if own != wazir}
                self.end(wazir, "lost")

    def end(self, wazir: str, why: str) -> None:
        del self.generals[wazir]
        self.facts["command ended", wazir, why] += 1
        self.seen[f"command ended: {why}"] += 1

    def take_along(self, wazir: str, old: str, new: str) -> None:
        """A general's unit and land change sides (AA-L-7, AA-L-9, AA-L-16)."""
        general = self.generals.get(wazir)
        if general is None:
            return
        if general.away:
            unit, origin = self.war.lost[general.unit]
            self.war.lost[general.unit] = replace(unit, power=new), origin
        else:
            self.war.units[general.unit] = replace(self.war.units[general.unit], power=new)
        for place in general.land:
            assert self.war.owner[place] == old, (place, old)
            self.war.owner[place] = new
        self.seen["general took along"] += 1

    def appointments(self, moved: Mapping[str, str], lost: Mapping[str, str | None], before: Mapping[str, str]) -> None:
        """AA-L-1, AA-L-14."""
        met: set[str] = set()
        for prince, sheet in self.princely.items():
            if sheet.appoint is None:
                continue
            text = f"Appoint {sheet.appoint}"
            unit = self.called(sheet.appoint)
            wazir = next((w for w, court in self.serving.items() if court == prince), None)
            if not self.settings.generals or prince not in self.reign or unit is None or unit.power != prince:
                nobody = wazir is None or self.courts.get(wazir) != prince
                self.say(prince, text, said("illegal|fails" if nobody else ILLEGAL, {"AA-L-1"}))
                continue
            if wazir is None:
                self.say(prince, text, said("fails", {"AA-L-1"}))
                continue
            # A reading: a wazir who gives up or loses one command can get another in the same season.
            if wazir in self.generals:
                self.say(prince, text, said("illegal|fails", {"AA-L-1", "AA-L-14"}))
                continue
            refuses = wazir in self.wazirly and self.wazirly[wazir].refuse
            if refuses and self.courts.get(wazir) == prince:
                met.add(wazir)
            here = unit.province
            gone = here in lost and here not in self.war.lost
            if refuses or gone or self.courts.get(wazir) != prince:
                self.say(prince, text, said("fails", {"AA-L-1", "AA-L-14"}))
                self.seen["refused"] += refuses
                continue
            self.say(prince, text, said("succeeds", {"AA-L-1", "AA-L-14"}))
            self.generals[wazir] = General(province_of(moved.get(here, here)), set(), here in lost)
            self.seen["appointed"] += 1
        for wazir in self.wazirly:
            if self.wazirly[wazir].refuse:
                what = said("succeeds", {"AA-L-14"}) if wazir in met else said("fails|illegal|void")
                self.say(wazir, "Refuse", what)

    def called(self, text: str) -> Unit | None:
        """Unit that a prince names, by the places at the opening of the season."""
        order = reader_of(self.war.board).read(f"{text} H")
        unit = self.opening.get(order.unit.province) if order is not None else None
        return unit if unit is not None and order is not None and order.unit.kind in ("", unit.kind) else None

    # Retreats

    def retreats(self) -> None:
        """Only a general orders the retreat of their unit (AA-L-2); other wazirs cannot order one (AA-C-9)."""
        war = self.war
        commands = {general.unit: wazir for wazir, general in self.generals.items() if general.away}
        for told in war.lines:
            if told.order is not None and told.said is None and told.order.unit.province in commands:
                unit, _ = war.lost[told.order.unit.province]
                if unit.power == told.seat:
                    told.said = said(ILLEGAL, {"AA-L-2"})
        lent: dict[str, str] = {}
        for wazir, told in self.wazir_lines.items():
            if told.said is not None or told.order is None:
                continue
            here = told.order.unit.province
            if commands.get(here) != wazir:
                told.said = said(ILLEGAL)
                continue
            lent[here] = told.seat
            told.seat = war.lost[here][0].power  # the unit is ordered as its owner's
            war.lines.append(told)
        before = {here: unit for here, (unit, _) in war.lost.items()}
        saved = {*war.units}
        war.withdraw()
        war.lines = [told for told in war.lines if told not in self.wazir_lines.values()]
        for wazir, told in self.wazir_lines.items():
            told.seat = wazir
        arrived = {here: unit for here, unit in war.units.items() if here not in saved}
        for wazir, general in [*self.generals.items()]:
            if not general.away:
                continue
            unit = before[general.unit]
            goal = self.retreated(general.unit, unit, arrived)
            if goal:
                general.unit, general.away = goal, False
                continue
            if wazir not in self.courts:  # AA-L-12
                war.owner = {place: own for place, own in war.owner.items() if own != wazir}
            self.end(wazir, "lost")
        self.leave()

    def retreated(self, here: str, unit: Unit, arrived: Mapping[str, Unit]) -> str:
        """Province that a unit retreated to; "" if it did not retreat."""
        for told in (*self.war.lines, *self.wazir_lines.values()):
            order = told.order
            if order is None or order.does != "-" or order.unit.province != here or told.said is None:
                continue
            if told.said.words == {"succeeds"} and order.to in arrived and arrived[order.to].power == unit.power:
                return order.to
        return ""

    # Winter

    def winter(self) -> None:
        for told in self.wazir_lines.values():
            if told.said is None:
                told.said = said(ILLEGAL, {"AA-C-9", "AA-L-2", "AA-L-11"})
        self.fates()
        self.war.winter()
        for wazir, general in [*self.generals.items()]:
            if general.unit not in self.war.units:
                self.end(wazir, "removed" if wazir in self.courts else "landless")

    def fates(self) -> None:
        """AA-J-1 to AA-J-4."""
        for prince, sheet in self.princely.items():
            for wazir, wish in sheet.fate.items():
                text = f"{wish.value.capitalize()} {wazir}"
                if (wazir, prince) not in self.conquests:
                    self.say(prince, text, said(ILLEGAL, {"AA-J-4"}))
        for wazir, prince in self.conquests:
            mine = self.princely.get(prince)
            choice = mine.fate.get(wazir) if mine is not None else None
            fate = choice.value if choice is not None else FREE
            full = self.served(prince) is not None
            if choice is not None:
                rules = {"AA-J-2"} if full else {"AA-J-1", "AA-J-2"}
                word = ILLEGAL if full and fate == "take" else "succeeds"
                self.say(prince, f"{fate.capitalize()} {wazir}", said(word, rules))
            if fate == "take" and not full:
                self.courts[wazir] = prince
                self.drop_heir(wazir)
                self.seen["taken over"] += 1
            elif fate == "execute":
                self.executed.add(wazir)
                del self.purses[wazir]
                self.missed.pop(wazir, None)
                self.seen["executed"] += 1
            else:
                self.seen["let go"] += 1
        self.conquests = []

    # After fall

    def leave(self) -> None:
        """Leave the turn. A fall that is over counts the centres (AA-M) and remembers their owners."""
        self.counted = {**self.war.owner}
        self.war.leave_moves()

    def fall(self) -> Ending | None:
        """After fall: generals' land, courts that fall, and the victory (AA-L-5, AA-J, AA-K)."""
        war, before = self.war, self.counted
        for wazir, general in self.generals.items():
            owner = self.courts.get(wazir, wazir)
            here = general.unit
            if not general.away and here in war.ground.centres and before.get(here) != owner:
                general.land.add(here)
                self.seen["land taken"] += 1
            general.land = {place for place in general.land if war.owner.get(place) == owner}
        for prince in self.princes:
            had = [place for place, owner in before.items() if owner == prince]
            servant = self.served(prince)
            if servant is None or not had or war.own(prince):
                continue
            takers = {war.owner[place] for place in had}
            (conqueror,) = takers if len(takers) == 1 and takers <= {*self.princes} else ("",)
            self.fell(prince, servant, conqueror)
        return self.victory()

    def fallen(self) -> None:
        """A prince who is out of the game loses treasury, votes and silence (AA-F-6, AA-I-7, AA-J-6)."""
        now = self.reigning()
        for prince in self.princes:
            if prince in now:
                continue
            if prince in self.reign and self.treasuries[prince]:
                self.facts["treasury lost", prince, self.treasuries[prince]] += 1
            if prince in self.reign:
                self.seen["eliminated"] += 1
                self.treasuries[prince] = 0
            wazir = self.served(prince)
            if wazir is not None and prince in self.reign:
                self.fell(prince, wazir, "")
            self.votes.discard(prince)
            self.missed.pop(prince, None)
            self.heirs.pop(prince, None)

    def fell(self, prince: str, wazir: str, conqueror: str) -> None:
        """A court falls; its wazir goes free, or awaits a fate (AA-J, AA-L-20)."""
        del self.courts[wazir]
        self.facts["court fell", prince, wazir, conqueror] += 1
        self.seen["court conquered" if conqueror else "court fell"] += 1
        if conqueror:
            self.conquests.append((wazir, conqueror))
        if wazir in self.generals:
            self.end(wazir, "fell")

    # The end (AA-K)

    def purse_needed(self) -> int:
        """Dinars for a wazir's solo (AA-K-5, AA-K-6)."""
        most = max((len(self.war.own(prince)) for prince in self.princes), default=0)
        return 3 * most + (self.settings.wazir_solo is WazirSolo.MORE_THAN_3)

    def solo(self) -> tuple[str, ...]:
        """Wazirs who win as sole winner; several if their purses are equal (AA-K-8)."""
        enough = [wazir for wazir in self.wazirs if self.purses[wazir] >= self.purse_needed()]
        best = max((self.purses[wazir] for wazir in enough), default=0)
        return tuple(wazir for wazir in enough if self.purses[wazir] == best)

    def victory(self) -> Ending | None:
        winner = self.war.victor(self.princes)
        wazirs = self.solo()
        if winner is not None:
            return Ending("wazir solo and solo" if wazirs else "solo", (*wazirs, winner))
        if wazirs and self.settings.wazir_solo_ends_game:
            return Ending("wazir solo", wazirs)
        return None

    def agreed(self) -> Ending | None:
        """A draw (AA-K-2, AA-K-3, AA-K-9 to AA-K-11)."""
        left = self.reigning()
        if not left or {*left} - self.votes:
            return None
        if wazirs := self.solo():
            return Ending("wazir solo", wazirs)
        most = max((self.purses[wazir] for wazir in self.wazirs), default=0)
        return Ending("draw", (*left, *(wazir for wazir in self.wazirs if self.purses[wazir] == most)))

    # Afterwards

    def position(self) -> Position:
        names, ground = self.war.ground.names, self.war.ground
        generals: dict[str, Command] = {}
        for wazir, general in self.generals.items():
            unit = self.war.lost[general.unit][0] if general.away else self.war.units[general.unit]
            generals[wazir] = Command(
                unit=unit.text(ground), land=tuple(sorted(names[place] for place in general.land))
            )
        return Position(
            war=self.war.position(),
            courts=self.courts,
            purses=self.purses,
            treasuries=self.treasuries,
            generals=generals,
            executed=tuple(wazir for wazir in WAZIRS if wazir in self.executed),
            conquests=tuple(Conquest(wazir=wazir, conqueror=prince) for wazir, prince in self.conquests),
            votes=tuple(sorted(self.votes)),
            missed={seat: count for seat, count in self.missed.items() if count},
            heirs=self.heirs,
            settings=self.settings,
        )
