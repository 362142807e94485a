"""Saga of the Nine, judged a second time: written only from RULES.md and the readings of its source, top to bottom.

It shares with the ruleset the shapes of positions and sheets and the board file, but not a single rule: its war is `war`,
its
reader `lines`. It knows the default house rules of the war, and all of `cycles`, `draws` and `victory`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet
from adjudicator.rulesets.saga_of_the_nine.position import Betrothal, Phase, Position, Season, Settings, Vassal
from tests.judges.lines import Adjust, Bid, BuildHeir, Line, MarryHeir, MarryMinor, Reader, Waive, Yes
from tests.judges.war import Field, Fought, Named, Order, Unit, fight, world_of

MOST_DP = 3
YES_AFTER = 2
"""Consecutive phases of orders without a sheet that count as a yes (S9-K-11)."""

Words: TypeAlias = frozenset[str]
"""Result of a line: several words if the rules do not choose between them, none if they do not give any."""


Fact: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    how: str
    winners: frozenset[str]


@dataclass
class Judged:
    """Result of a turn."""

    position: Position
    ending: Ending | None
    words: list[tuple[str, str, Words]]
    """Seat, line in canonical form, result."""
    facts: Counter[Fact]
    """Facts that the position does not show: sums of bids (S9-D-18), deaths of heirs, places in a draw."""
    places: dict[str, int]
    """Major -> its place in a draw, which tied Majors share (S9-K-8)."""
    seen: Counter[str] = field(default_factory=Counter)
    """Kinds of events, so that a sample can list its contents."""


PENDING = ""
"""Word of a line whose result is still open."""
ANY = "?"


@dataclass(eq=False)
class Told:
    """A line of a sheet, with its result."""

    seat: str
    text: str
    said: Line | Bid | None
    line: str = ""
    """In canonical form."""
    word: str = "illegal"
    """Result of the line; several words separated by `|`, or ANY."""


def judge(position: Position, sheets: Mapping[str, Sheet]) -> Judged:
    """Judge a turn by the rules."""
    return Turn(position, sheets).judge()


class Turn:
    """A turn in progress: a position that changes, and the lines that were sent."""

    def __init__(self, position: Position, sheets: Mapping[str, Sheet]) -> None:
        settings = position.settings
        assert settings == Settings(
            board=settings.board, draws=settings.draws, victory=settings.victory, cycles=settings.cycles
        )
        self.world = world_of(settings.ground)
        self.settings = settings
        self.season, self.phase, self.cycle = position.season, position.phase, position.cycle
        self.majors = tuple(self.world.homes)
        self.units: dict[str, Unit] = {}
        for power, texts in position.units.items():
            for text in texts:
                kind, _, place = text.partition(" ")
                self.units[place] = Unit(power, kind)
        self.owner = {place: power for power, places in position.centres.items() for place in places}
        self.lost: dict[str, tuple[Unit, str | None]] = {}
        for dislodged in position.dislodged:
            kind, _, place = dislodged.unit.partition(" ")
            self.lost[place] = Unit(dislodged.power, kind), dislodged.attacked_from
        self.closed = {*position.contested}
        self.heirs = {*position.heirs}
        self.built = {**position.built}
        self.thralls = {**position.thralls}
        self.vassals = {**position.vassals}
        self.betrothed = [*position.betrothed]
        self.eliminated = {**position.eliminated}
        self.votes = {*position.votes}
        self.missed = {**position.missed}
        self.sheets = sheets
        self.facts: Counter[Fact] = Counter()
        self.places: dict[str, int] = {}
        self.seen: Counter[str] = Counter()
        reader = Reader(self.world, tuple(self.vassals))
        self.lines = [Told(seat, text, reader.read(text)) for seat, sheet in sheets.items() for text in sheet.orders]
        self.bids = [Told(seat, text, reader.read_bid(text)) for seat, sheet in sheets.items() for text in sheet.bids]
        for told in (*self.lines, *self.bids):
            if told.said is None:
                told.word = "unreadable"
            told.line = self.written(told)
        self.opening = dict(self.units)

    # Powers -----------------------------------------------------------------------------------------------------------

    @property
    def living(self) -> tuple[str, ...]:
        return tuple(major for major in self.majors if major not in self.eliminated)

    def rules(self, major: str, vassal: str) -> bool:
        """True if a Major is one of a Vassal's two controllers."""
        return vassal in self.vassals and major in (self.vassals[vassal].giver, self.vassals[vassal].receiver)

    def is_still(self, place: str) -> bool:
        """True if the unit in a place is a Minor's or a Thrall's (S9-E-1)."""
        return place in self.units and self.units[place].power in self.world.minors

    def own(self, power: str) -> frozenset[str]:
        return frozenset(place for place, owner in self.owner.items() if owner == power)

    def standing(self, power: str) -> list[str]:
        return [place for place, unit in self.units.items() if unit.power == power]

    def total(self, major: str) -> int:
        """S9-K-1, S9-T-10, S9-V-29."""
        thralls = sum(len(self.own(thrall)) for thrall, ruler in self.thralls.items() if ruler == major)
        vassals = sum(len(self.own(vassal)) for vassal in self.vassals if self.rules(major, vassal))
        return len(self.own(major)) + thralls + vassals

    def strangers_in(self, place: str, owner: str) -> bool:
        """True if there is a unit of another power (S9-M-5, S9-M-6, S9-B-6)."""
        return place in self.units and self.units[place].power != owner

    # Writing lines ----------------------------------------------------------------------------------------------------

    def full(self, named: Named) -> Named:
        """The unit with its kind, if the line left it out."""
        here = self.lost[named.place][0] if named.place in self.lost else self.units.get(named.place)
        return Named(named.kind or (here.kind if here else ""), named.place)

    def filled(self, order: Order) -> Order:
        return replace(
            order, unit=self.full(order.unit), whom=self.full(order.whom) if order.whom.place else order.whom
        )

    def written(self, told: Told) -> str:
        """A line in canonical form; an unreadable one stays unchanged."""
        match told.said:
            case Order() as order:
                return str(self.filled(order))
            case Bid(dp, Order() as order):
                return str(Bid(dp, self.filled(order)))
            case Bid(dp, Yes() | Adjust() as wish):
                return str(Bid(dp, replace(wish, unit=self.full(wish.unit))))
            case Adjust(does, unit):
                return str(Adjust(does, self.full(unit)))
            case MarryMinor(heir, minor):
                here = self.units.get(minor.place)
                wrong = minor.kind and (here is None or here.kind != minor.kind)
                return f"Heir {heir} Marry {minor if wrong else minor.place}"
            case BuildHeir(at) if at == self.world.capitals[told.seat] and self.phase is Phase.WINTER:
                return "Build Heir"
            case None:
                return told.text
            case said:
                return str(said)

    # The turn ---------------------------------------------------------------------------------------------------------

    def judge(self) -> Judged:
        self.votes_and_silence()
        names, renamed = self.names()
        match self.phase:
            case Phase.ORDERS:
                census = self.orders()
            case Phase.RETREATS:
                census = self.retreats()
            case Phase.WINTER:
                census = False
                self.winter()
        ending = self.census() if census else None
        ending = ending or self.concession()
        if ending is not None:
            self.seen[f"ended: {ending.how}"] += 1
        for old, new in renamed.items():
            self.rename(old, new)
        words = [(told.seat, told.line, told.word) for told in (*self.lines, *self.bids)]
        several = [
            (seat, line, frozenset(() if word == ANY else word.split("|"))) for seat, line, word in words + names
        ]
        return Judged(self.position(), ending, several, self.facts, self.places, self.seen)

    def votes_and_silence(self) -> None:
        """S9-K-5, S9-K-11, S9-N-1: votes count until they are taken back; silence is counted in phases of orders."""
        for major in self.living:
            sheet = self.sheets.get(major)
            if sheet is not None:
                self.missed.pop(major, None)
                if sheet.draw is not None and self.settings.draws is diplomacy.Draws.VOTE:
                    (self.votes.add if sheet.draw else self.votes.discard)(major)
            elif self.phase is Phase.ORDERS:
                self.missed[major] = self.missed.get(major, 0) + 1

    # Names of Vassals (S9-V-34) ---------------------------------------------------------------------------------------

    def names(self) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
        """Results of the names on sheets, and the Vassals that are renamed."""
        said: dict[tuple[str, str], str] = {}
        words: list[tuple[str, str, str]] = []
        for seat, sheet in self.sheets.items():
            for vassal, name in sheet.name.items():
                if self.may_be_called(seat, vassal, name):
                    said[seat, vassal] = name
        agreed: dict[str, str] = {}
        for vassal, data in self.vassals.items():
            one, other = said.get((data.giver, vassal)), said.get((data.receiver, vassal))
            if one is not None and one == other:
                agreed[vassal] = one
        wanted = Counter(name.casefold() for name in agreed.values())
        renamed = {vassal: name for vassal, name in agreed.items() if wanted[name.casefold()] == 1}
        for seat, sheet in self.sheets.items():
            for vassal, name in sheet.name.items():
                good = "succeeds" if vassal in renamed else "fails"
                words.append((seat, f"Name {vassal} {name}", good if (seat, vassal) in said else "illegal"))
        self.seen["renamed"] += len(renamed)
        return words, renamed

    def may_be_called(self, seat: str, vassal: str, name: str) -> bool:
        if not self.rules(seat, vassal):
            return False
        born = self.vassals[vassal].born
        young = (self.phase is Phase.WINTER and born == self.cycle) or (
            self.phase is Phase.ORDERS and self.season is Season.SPRING and born == self.cycle - 1
        )
        taken = {*self.world.codes, *self.world.codes.values(), *self.majors, *self.world.minors, *self.vassals}
        initials = {major[0] for major in self.majors}
        of_the_form = len(name) == 3 and name[0] == "v" and {*name[1:]} <= initials
        return young and name.casefold() not in {word.casefold() for word in taken} and not of_the_form

    def rename(self, old: str, new: str) -> None:
        self.vassals[new] = self.vassals.pop(old)
        self.units = {p: replace(u, power=new) if u.power == old else u for p, u in self.units.items()}
        self.owner = {place: new if owner == old else owner for place, owner in self.owner.items()}
        self.lost = {p: (replace(u, power=new) if u.power == old else u, frm) for p, (u, frm) in self.lost.items()}

    # Orders -----------------------------------------------------------------------------------------------------------

    def orders(self) -> bool:
        """A phase of orders. Return True if the Census follows at once."""
        war = Field(self.world, self.units, frozenset(place for place in self.units if self.is_still(place)))
        wishes = self.heirs_orders()
        given = self.own_orders(war)
        decided = self.decide_bids(war, given)
        given |= {place: wish for place, wish in decided.items() if isinstance(wish, Order) and wish.does != "H"}
        fought = fight(war, given)
        self.seen += fought.seen
        for told in self.lines:
            if told.word == PENDING:
                assert isinstance(told.said, Order)
                told.word = fought.words[told.said.unit.place]
        self.wed_minors(wishes, decided, fought)
        self.betroth(wishes)
        self.after_battle(war, fought)
        if self.lost:
            self.phase = Phase.RETREATS
            return False
        return self.leave_orders()

    def leave_orders(self) -> bool:
        """From the orders or retreats of a season to the next phase; True if that is the Census (S9-A-10)."""
        self.closed.clear()
        self.phase = Phase.ORDERS
        if self.season is Season.AUTUMN:
            return True
        self.season = Season.AUTUMN
        return False

    def heirs_orders(self) -> dict[str, MarryMinor | MarryHeir]:
        """The legal order of each heir that has one (S9-M-2, S9-M-4); an heir with two different ones does not obey either."""
        wishes: dict[str, MarryMinor | MarryHeir] = {}
        for major in self.living:
            mine = [
                (told, told.said)
                for told in self.lines
                if told.seat == major
                and isinstance(told.said, MarryMinor | MarryHeir)
                and told.said.heir == major
                and not self.is_misnamed(told.said)
            ]
            if major not in self.heirs or len({told.line for told, _ in mine}) != 1:
                continue
            (told, said), *again = mine
            for more, _ in again:
                more.word = ANY
            if self.heir_may(said):
                told.word = "fails"
                wishes[major] = said
        return wishes

    def is_misnamed(self, said: MarryMinor | MarryHeir) -> bool:
        """True if an order gives a Minor's unit the wrong kind: such an order does not spoil another (S9-M-2, DP-O-6)."""
        if isinstance(said, MarryHeir) or not said.minor.kind or said.minor.place not in self.units:
            return False
        return said.minor.kind != self.units[said.minor.place].kind

    def heir_may(self, said: MarryMinor | MarryHeir) -> bool:
        """Conditions of a marriage that are known when the phase opens."""
        major = said.heir
        if self.strangers_in(self.world.capitals[major], major):  # S9-M-5
            return False
        if isinstance(said, MarryMinor):
            place = said.minor.place
            return (
                self.is_still(place)  # S9-T-2
                and self.units[place].power not in self.thralls  # S9-T-16
                and self.owner.get(place) == self.units[place].power  # S9-B-7
                and said.minor.kind in ("", self.units[place].kind)
            )
        other, place = said.other, said.at
        homes = self.world.homes[major] | self.world.homes[other]
        giver = self.owner.get(place, "")
        return (
            self.season is Season.AUTUMN  # S9-V-1
            and other != major
            and other in self.heirs  # S9-M-1
            and not self.strangers_in(self.world.capitals[other], other)  # S9-V-8
            and giver in (major, other)  # S9-V-3, S9-V-4
            and place not in homes  # S9-V-3
            and not self.strangers_in(place, giver)  # S9-V-8
            and not any(self.rules(major, vassal) and self.rules(other, vassal) for vassal in self.vassals)  # S9-V-6
        )

    def own_orders(self, war: Field) -> dict[str, Order]:
        """Legal orders of the Majors' units (DP-O-3 to DP-O-6); an empty word means that the battle decides."""
        given: dict[str, Order] = {}
        for major in self.living:
            mine: dict[str, dict[Order, list[Told]]] = {}
            for told in self.lines:
                if told.seat == major and isinstance(told.said, Order) and war.called(told.said.unit):
                    order = self.filled(told.said)
                    if self.units[order.unit.place].power == major:  # DP-O-4
                        mine.setdefault(order.unit.place, {}).setdefault(order, []).append(told)
            for place, different in mine.items():
                if len(different) > 1:  # DP-O-5
                    continue
                ((order, lines),) = different.items()
                if war.could(order):
                    given[place] = order
                    self.mark(lines, PENDING)
        return given

    # Bids (S9-D) ------------------------------------------------------------------------------------------------------

    def decide_bids(self, war: Field, given: Mapping[str, Order]) -> dict[str, Order | Yes]:
        """Order for each unit that was bid on (S9-D-9); a unit whose bids tie gets none (S9-D-10)."""
        sums: dict[str, Counter[Order | Yes]] = {}
        backers: dict[str, list[tuple[Told, Order | Yes]]] = {}
        for major in self.living:
            offers: list[tuple[Told, int, str, Order | Yes]] = []
            for told in self.bids:
                if told.seat == major and isinstance(told.said, Bid) and not isinstance(told.said.wish, Adjust):
                    wish = self.same(told.said.wish)
                    if self.may_bid(war, major, wish):  # S9-D-7: illegal bids are dropped first (SR-1)
                        offers.append((told, told.said.dp, wish.unit.place, wish))
            left = min(MOST_DP, max(1, len(self.own(major))))  # S9-D-4
            for told, dp, place, wish in offers:
                if len({other for _, _, there, other in offers if there == place}) > 1:  # S9-D-13
                    self.seen["told twice"] += 1
                    continue
                if dp > left:  # S9-D-14
                    self.seen["too dear"] += 1
                    continue
                left -= dp
                if self.is_still(place) and any(
                    order.to == place for here, order in given.items() if self.units[here].power == major
                ):  # S9-D-15 to S9-D-17: legal orders to move there, or to support or convoy a move there
                    told.word = "void"
                    continue
                triple = 3 if self.thralls.get(self.units[place].power) == major else 1  # S9-D-11, S9-D-12
                sums.setdefault(place, Counter())[wish] += dp * triple
                backers.setdefault(place, []).append((told, wish))
        decided: dict[str, Order | Yes] = {}
        for place, count in sums.items():
            unit = f"{self.units[place].kind} {place}"
            self.facts["decided", unit, *sorted(count.values(), reverse=True)] += 1
            most = max(count.values())
            best = [wish for wish, total in count.items() if total == most]
            if len(best) == 1:
                decided[place] = best[0]
            else:
                self.seen["tied"] += 1
            for told, wish in backers[place]:
                told.word = "succeeds" if decided.get(place) == wish else "fails"
        self.seen["decided"] += len(decided)
        return decided

    def same(self, wish: Order | Yes) -> Order | Yes:
        """The wish in the form that is the same for all who mean it (S9-D-8)."""
        if isinstance(wish, Yes):
            return replace(wish, unit=self.full(wish.unit))
        wish = self.filled(wish)
        walks = wish.to in self.world.reach(wish.unit.kind, wish.unit.place)
        return replace(wish, via=wish.via or (wish.does == "-" and not walks))

    def may_bid(self, war: Field, major: str, wish: Order | Yes) -> bool:
        """S9-D-6, S9-D-7."""
        place = wish.unit.place
        unit = war.called(wish.unit)
        if unit is None or unit.power in self.majors:
            return False
        if unit.power in self.vassals and not self.rules(major, unit.power):
            return False
        if isinstance(wish, Yes):  # S9-T-6, S9-T-16, S9-V-23
            return unit.power in self.world.minors and unit.power not in self.thralls and wish.heir in self.heirs
        if place in war.still and (wish.does == "C" or wish.via):  # S9-E-2, S9-E-3
            return False
        return war.could(wish)

    # Weddings of this phase -------------------------------------------------------------------------------------------

    def wed_minors(
        self, wishes: Mapping[str, MarryMinor | MarryHeir], decided: Mapping[str, Order | Yes], fought: Fought
    ) -> None:
        """S9-T-3, S9-T-4, S9-T-7, S9-T-8."""
        for major, said in wishes.items():
            if not isinstance(said, MarryMinor):
                continue
            answer = decided.get(said.minor.place)
            if isinstance(answer, Yes) and answer.heir == major and said.minor.place not in fought.lost:
                self.tell_heir(major, "succeeds")
                self.heirs.remove(major)
                self.thralls[self.units[said.minor.place].power] = major
                self.seen["thrall"] += 1

    def betroth(self, wishes: Mapping[str, MarryMinor | MarryHeir]) -> None:
        """S9-V-2, S9-V-11."""
        for major, said in wishes.items():
            if not isinstance(said, MarryHeir):
                continue
            if wishes.get(said.other) == MarryHeir(said.other, major, said.at):
                self.tell_heir(major, "succeeds")
                if self.owner[said.at] == major:  # S9-V-5
                    self.betrothed.append(Betrothal(giver=major, receiver=said.other, at=said.at))
                    self.seen["betrothed"] += 1

    def tell_heir(self, major: str, word: str) -> None:
        for told in self.lines:
            if told.seat == major and told.word == "fails" and isinstance(told.said, MarryMinor | MarryHeir):
                told.word = word

    def after_battle(self, war: Field, fought: Fought) -> None:
        """Units move; dislodged units wait if they can retreat (S9-E-8, DP-R-6)."""
        self.units = {fought.moved.get(p, p): u for p, u in self.opening.items() if p not in fought.lost}
        self.closed = {*fought.closed}
        for place, came_from in fought.lost.items():
            unit = self.opening[place]
            if place not in war.still and self.ways(place, unit, came_from):
                self.lost[place] = unit, came_from

    def ways(self, place: str, unit: Unit, came_from: str | None) -> set[str]:
        """Places that a dislodged unit can retreat to (DP-R-1, DP-R-2, DP-R-3)."""
        return {*self.world.reach(unit.kind, place)} - self.units.keys() - self.closed - {came_from or ""}

    # Retreats ---------------------------------------------------------------------------------------------------------

    def retreats(self) -> bool:
        """A phase of retreats. Return True if the Census follows."""
        ways = {place: self.ways(place, unit, came_from) for place, (unit, came_from) in self.lost.items()}
        chosen: dict[str, tuple[str, list[Told]]] = {}  # the goal of a unit, and the lines that name it
        of_receiver: set[str] = set()
        for place, (unit, _) in self.lost.items():
            vassal = self.vassals.get(unit.power)
            if vassal is None:
                word = self.word_of(unit.power, place, unit)
                if word is not None and self.may_retreat(word[0].said, ways[place]):
                    self.choose(chosen, place, word)
                elif word is not None:
                    self.mark(word, "illegal")
                continue
            by_giver = self.word_of(vassal.giver, place, unit)
            by_receiver = self.word_of(vassal.receiver, place, unit)
            legal = [word for word in (by_receiver, by_giver) if word and self.may_retreat(word[0].said, ways[place])]
            if not legal:  # S9-V-27: two illegal orders count as none
                continue
            self.choose(chosen, place, legal[0])  # S9-V-25: a legal one, and the Receiver's before the Giver's
            if by_receiver and legal[0] is by_receiver:
                of_receiver.add(place)
            if len(legal) > 1:
                if legal[0][0].line == legal[1][0].line:
                    chosen[place][1].extend(legal[1])
                    self.mark(legal[1], PENDING)
                else:
                    self.mark(legal[1], "overruled")
                    self.seen["overruled"] += 1
        self.meet(chosen, of_receiver)
        self.lost.clear()
        return self.leave_orders()

    def word_of(self, seat: str, place: str, unit: Unit) -> list[Told] | None:
        """Equal lines of a Major for a dislodged unit, which count as one; None without any, or if they differ (DP-O-5, S9-V-26)."""
        different: dict[str, list[Told]] = {}
        for told in self.lines:
            said = told.said
            if told.seat != seat or not isinstance(said, Order | Adjust):
                continue
            if said.unit.place == place and said.unit.kind in ("", unit.kind):
                different.setdefault(told.line, []).append(told)
        if len(different) != 1 or seat not in self.living:
            return None
        ((word),) = different.values()
        return word

    def may_retreat(self, said: Line | Bid | None, ways: set[str]) -> bool:
        match said:
            case Order(does="-", to=to, via=False):
                return to in ways
            case Adjust(does="Disband"):  # DP-R-8
                return True
            case _:
                return False

    def mark(self, word: list[Told], result: str) -> None:
        """Give the word to the first of equal lines; the rules do not give one to the others."""
        word[0].word = result
        for told in word[1:]:
            told.word = ANY

    def choose(self, chosen: dict[str, tuple[str, list[Told]]], place: str, word: list[Told]) -> None:
        self.mark(word, PENDING)
        said = word[0].said
        chosen[place] = (said.to if isinstance(said, Order) else ""), [word[0]]

    def meet(self, chosen: Mapping[str, tuple[str, list[Told]]], of_receiver: set[str]) -> None:
        """DP-R-4, and S9-V-28 for two units of one Vassal from two controllers."""
        going = {place: goal for place, (goal, _) in chosen.items() if goal}
        for vassal in self.vassals:
            for goal in sorted({*going.values()}):
                two = [p for p, to in going.items() if to == goal and self.lost[p][0].power == vassal]
                if len(two) == 2 and len([p for p in two if p in of_receiver]) == 1:
                    self.seen["gave way"] += 1
                    (giver,) = (p for p in two if p not in of_receiver)
                    del going[giver]
                    for told in chosen[giver][1]:
                        told.word = "fails"
        goals = Counter(going.values())
        for place, (goal, lines) in chosen.items():
            alone = place in going and goals[goal] == 1
            self.seen["retreated"] += alone
            self.seen["met"] += bool(place in going) and not alone
            for told in lines:
                if told.word == PENDING:
                    told.word = "succeeds" if alone or not goal else "fails"
            if alone:
                self.units[goal] = self.lost[place][0]

    # The Census (S9-X) ------------------------------------------------------------------------------------------------

    def census(self) -> Ending | None:
        """Acts 1 to 8; then the next phase."""
        self.weddings()
        captured = self.captures()
        self.deaths(captured)
        fell = self.eliminations()
        for minor, (kind, place) in self.world.minors.items():  # act 5: S9-E-9
            if self.owner.get(place) == minor and place not in self.units:
                self.units[place] = Unit(minor, kind)
                self.seen["grown back"] += 1
        ending = self.victory(fell)
        self.season = Season.WINTER
        self.phase = Phase.WINTER
        if not self.winter_is_played():
            self.seen["no winter"] += 1
            self.next_cycle()
        return ending

    def weddings(self) -> None:
        """Act 1: S9-V-9, S9-V-10, S9-V-12 to S9-V-14."""
        for pair in sorted(self.betrothed, key=lambda pair: pair.giver):
            giver, receiver = pair.giver, pair.receiver
            capitals = self.world.capitals
            if (
                self.strangers_in(pair.at, giver)
                or self.strangers_in(capitals[giver], giver)
                or self.strangers_in(capitals[receiver], receiver)
            ):
                self.seen["wedding failed"] += 1
                continue
            name = f"v{giver[0]}{receiver[0]}"  # S9-V-16
            self.vassals[name] = Vassal(giver=giver, receiver=receiver, capital=pair.at, born=self.cycle)
            self.owner[pair.at] = name
            if pair.at in self.units:
                self.units[pair.at] = replace(self.units[pair.at], power=name)
            self.heirs -= {giver, receiver}
            self.seen["vassal"] += 1
        self.betrothed.clear()

    def captures(self) -> set[str]:
        """Act 2: S9-B-2, S9-B-3, S9-X-9."""
        captured = {
            place
            for place in self.world.centres & self.units.keys()
            if self.units[place].power != self.owner.get(place)
        }
        for place in captured:
            self.owner[place] = self.units[place].power
        self.seen["captured"] += len(captured)
        return captured

    def deaths(self, captured: set[str]) -> None:
        """Act 3: S9-H-10, S9-T-14, S9-X-4. Those of a Vassal's Capital go with it in act 4 (S9-V-31)."""
        dead = {major for major in self.heirs if self.world.capitals[major] in captured}
        self.heirs -= dead
        freed = {thrall for thrall in self.thralls if self.world.minors[thrall][1] in captured}
        for major in dead:
            self.kill(major, self.world.capitals[major])
        for thrall in freed:
            self.kill(self.thralls.pop(thrall), self.world.minors[thrall][1])
        for vassal in self.vassals.values():
            if vassal.capital in captured:
                self.kill(vassal.giver, vassal.capital)
                self.kill(vassal.receiver, vassal.capital)
        self.seen["thrall captured"] += len(freed)

    def kill(self, major: str, place: str) -> None:
        self.facts["killed", major, place, self.owner[place]] += 1
        self.seen["heir killed"] += 1

    def eliminations(self) -> set[str]:
        """Act 4: S9-X-5 to S9-X-8. Returns the Majors that fell."""
        vassals = {name for name, data in self.vassals.items() if self.owner.get(data.capital) != name}
        standing = {name: data for name, data in self.vassals.items() if name not in vassals}
        alive = {*self.heirs, *self.thralls.values()}
        alive |= {major for data in standing.values() for major in (data.giver, data.receiver)}
        fell = {
            major for major in self.living if major not in alive and self.owner.get(self.world.capitals[major]) != major
        }
        self.vassals = standing
        gone = fell | vassals
        self.units = {place: unit for place, unit in self.units.items() if unit.power not in gone}
        self.owner = {place: owner for place, owner in self.owner.items() if owner not in gone}
        for major in fell:
            self.eliminated[major] = self.cycle
            self.votes.discard(major)
            self.missed.pop(major, None)
        self.seen["eliminated"] += len(fell)
        self.seen["vassal fell"] += len(vassals)
        return fell

    def victory(self, fell: set[str]) -> Ending | None:
        """Acts 6 to 8: S9-K."""
        living = self.living
        totals = {major: self.total(major) for major in living}
        needed = self.world.victory if self.settings.victory is None else self.settings.victory
        for major, total in totals.items():  # S9-K-2, S9-K-3
            if total >= needed and all(total > other for one, other in totals.items() if one != major):
                return Ending("solo", frozenset({major}))
        if len(living) == 1:  # S9-K-9
            return Ending("solo", frozenset(living))
        if not living:
            return Ending("draw", frozenset(fell))
        agreed = all(major in self.votes or self.missed.get(major, 0) >= YES_AFTER for major in living)  # S9-K-11
        last = self.settings.cycles and self.cycle >= self.settings.cycles  # S9-K-7
        if last or (self.settings.draws is diplomacy.Draws.VOTE and agreed):  # S9-K-5
            self.place(totals)
            return Ending("draw", frozenset(living))
        return None

    def place(self, totals: Mapping[str, int]) -> None:
        """S9-K-8: by total, then by own centres; fallen Majors by the time of their fall."""
        worth = {major: (1, total, len(self.own(major))) for major, total in totals.items()}
        worth |= {major: (0, cycle, 0) for major, cycle in self.eliminated.items()}
        for major, mine in worth.items():
            self.places[major] = 1 + sum(other > mine for other in worth.values())
            self.facts["placed", major] += 1

    def concession(self) -> Ending | None:
        """DP-V-5, S9-K-10: all remaining Majors but one concede to that one."""
        if self.settings.draws is not diplomacy.Draws.VOTE:
            return None
        for major in self.living:
            others = [self.sheets.get(other) for other in self.living if other != major]
            if others and all(sheet is not None and sheet.concede == major for sheet in others):
                return Ending("concession", frozenset({major}))
        return None

    # Winter (S9-W) ----------------------------------------------------------------------------------------------------

    def difference(self, power: str) -> int:
        """Number of units that a power may build, or, if negative, must remove (DP-W-2, S9-W-1, S9-V-21)."""
        return len(self.own(power)) - len(self.standing(power))

    def sites(self, power: str) -> frozenset[str]:
        """Places where a power could build now (S9-W-1, S9-V-21)."""
        homes = frozenset({self.vassals[power].capital}) if power in self.vassals else self.world.homes[power]
        return (homes & self.own(power)) - self.units.keys()

    def may_build_heir(self, major: str) -> bool:
        """S9-H-6 to S9-H-9."""
        return (
            self.owner.get(self.world.capitals[major]) == major
            and major not in self.heirs
            and self.built.get(major) != self.cycle - 1
        )

    def winter_is_played(self) -> bool:
        """S9-W-6."""
        powers = (*self.living, *self.vassals)
        differences = {power: self.difference(power) for power in powers}
        return any(number < 0 or (number > 0 and self.sites(power)) for power, number in differences.items()) or any(
            self.may_build_heir(major) for major in self.living
        )

    def winter(self) -> None:
        """Adjustments, all at once (S9-W-4), heirs, and the next cycle."""
        changes = [self.adjust(power, self.lines_for(power)) for power in (*self.living, *self.vassals)]
        for built, removed in changes:
            self.units = {place: unit for place, unit in self.units.items() if place not in removed} | built
        for major in self.living:
            asked = [told for told in self.lines if told.seat == major and isinstance(told.said, BuildHeir)]
            good = [told for told in asked if told.said in (BuildHeir(), BuildHeir(self.world.capitals[major]))]
            if good and self.may_build_heir(major):
                self.mark(good, "succeeds")
                self.built[major] = self.cycle
                self.heirs.add(major)
                self.seen["heir built"] += 1
        self.next_cycle()

    def next_cycle(self) -> None:
        self.season, self.phase = Season.SPRING, Phase.ORDERS
        self.cycle += 1

    def lines_for(self, power: str) -> list[Told]:
        """The lines of a power's adjustments; for a Vassal the Giver's first (S9-V-26, SR-32, SR-33)."""
        data = self.vassals.get(power)
        seats = (power,) if data is None else (data.giver, data.receiver)
        return [told for seat in seats for told in self.lines if told.seat == seat and self.meant(told, seat) == power]

    def meant(self, told: Told, seat: str) -> str:
        """Power that a line in Winter is for: the owner of the unit or the place; "" without one."""
        match told.said:
            case Adjust("Build", Named(place=place)):
                owner = self.owner.get(place, "")
            case Adjust("Disband", Named(place=place)):
                owner = self.units[place].power if place in self.units else ""
            case Waive(vassal):
                return (vassal if self.rules(seat, vassal) else "") if vassal else seat
            case _:
                return ""
        return owner if self.rules(seat, owner) else seat

    def adjust(self, power: str, lines: list[Told]) -> tuple[dict[str, Unit], set[str]]:
        """Builds and removals of one power, in the order of its lines until the number is reached (DP-W-5)."""
        number, sites = self.difference(power), self.sites(power)
        may = min(number, len(sites))  # number of possible builds, including waivers (SR-9)
        built: dict[str, Unit] = {}
        removed: set[str] = set()
        for told in lines:
            match told.said:
                case Waive():
                    legal = number > 0
                    done = legal and may > 0
                    may -= done
                case Adjust("Build", Named(kind, place)):
                    legal = number > 0 and place in sites and not (kind == "F" and place in self.world.inland)
                    done = legal and may > 0 and place not in built
                    if done:
                        may -= 1
                        built[place] = Unit(power, kind)
                case Adjust("Disband", Named(kind, place)):
                    unit = self.units.get(place)
                    legal = number < 0 and unit is not None and unit.power == power and kind in ("", unit.kind)
                    done = legal and len(removed) < -number and place not in removed
                    if done:
                        removed.add(place)
                case _:
                    continue
            # A line that does not fit beside the Giver's is overruled; if both said the same, the rules do not give a
            # word (S9-V-25).
            beaten = "succeeds|overruled|illegal" if legal and told.seat != power else "illegal"
            told.word = "succeeds" if done else beaten
        rest = [place for place in self.farthest(power) if place not in removed]
        removed |= {*rest[: max(0, -number - len(removed))]}
        self.seen["built"] += len(built)
        self.seen["removed"] += len(removed)
        return built, removed

    def farthest(self, power: str) -> list[str]:
        """A power's units in the order of removal without orders (DP-W-8, S9-V-27)."""
        far = self.world.distances(self.own(power))
        return sorted(self.standing(power), key=lambda place: (-far[place], self.units[place].kind != "F", place))

    # The position -----------------------------------------------------------------------------------------------------

    def position(self) -> Position:
        units: dict[str, list[str]] = {}
        for place, unit in self.units.items():
            units.setdefault(unit.power, []).append(f"{unit.kind} {place}")
        centres: dict[str, list[str]] = {}
        for place, owner in self.owner.items():
            centres.setdefault(owner, []).append(place)
        dislodged = tuple(
            diplomacy.DislodgedUnit(power=unit.power, unit=f"{unit.kind} {place}", attacked_from=came_from)
            for place, (unit, came_from) in self.lost.items()
        )
        return Position(
            cycle=self.cycle,
            season=self.season,
            phase=self.phase,
            units={power: tuple(texts) for power, texts in units.items()},
            centres={power: tuple(places) for power, places in centres.items()},
            dislodged=dislodged,
            contested=tuple(self.closed),
            heirs=tuple(self.heirs),
            built=self.built,
            thralls=self.thralls,
            vassals=self.vassals,
            betrothed=tuple(self.betrothed),
            eliminated=self.eliminated,
            votes=tuple(self.votes),
            missed=self.missed,
            settings=self.settings,
        )
