"""Results of battles from the reports of both sides: whose report counts, and which deeds count (GC-Z-14 to GC-Z-20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.lines import find_name
from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.events import How, Side
from adjudicator.rulesets.grand_campaign.orders import CUSTOM, Order, Unreadable, reader_of
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Battle, Ruling
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.rosters import BEARER, Character, Unit, character, unit
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS, SCENARIOS
from adjudicator.rulesets.grand_campaign.world import World

MIRROR: Mapping[str, str] = {
    "win": "loss", "major win": "major loss", "loss": "win", "major loss": "major win", "draw": "draw", "stalemate": "stalemate",
    "auto": "auto",
}  # fmt: skip
"""One side's report -> the other side's report that agrees with it (GC-Z-15)."""
BELIEVED: Mapping[How, Reason] = {
    "agreed": "agreed", "alone": "alone", "resolver": "resolved", "ruled": "overruled", "conceded": "conceded",
}  # fmt: skip
"""Source of a result -> the reason in both sides' verdicts."""
SCENARIO_OF = {one.name: id_ for id_, one in SCENARIOS.items()}


@dataclass(frozen=True, slots=True, order=True)
class Fighter:
    """A character or a unit in a battle: its army and its name."""

    army: ArmyKey
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Deed:
    """A deed that a battle's report names, such as `Ansel beat Gorm`."""

    kind: str
    who: Fighter
    foe: Fighter | None = None
    number: int = 1
    artefact: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A battle whose result is known."""

    battle: Battle
    winner: Side | None
    """None for a draw or a stalemate."""
    how: How
    major: bool = False
    drawn: bool = False
    """True if it was fought and nobody won."""
    scenario: str = ""
    """The scenario that was played, whose points count (GC-R-2)."""
    deeds: tuple[Deed, ...] = ()

    @property
    def fought(self) -> bool:
        """Whether it was fought at all."""
        return self.drawn or (self.winner is not None and self.how != "conceded")

    def army(self, side: Side) -> ArmyKey | None:
        """The army that fought on a side; None for a garrison."""
        return self.battle.attackers[0] if side == "attacker" else self.battle.defender

    @property
    def victor(self) -> ArmyKey | None:
        """The army that won; None for a garrison, or if nobody won."""
        return self.army(self.winner) if self.winner is not None else None

    @property
    def loser(self) -> ArmyKey | None:
        """The army that lost; None for a garrison, or if nobody lost."""
        return None if self.winner is None else self.army("defender" if self.winner == "attacker" else "attacker")


@dataclass(slots=True)
class Version:
    """One side's report of a battle."""

    seat: SeatId
    result: str | None = None
    scenario: str = ""
    line: str = ""
    deeds: dict[Deed, str] = field(default_factory=dict)
    """Deed -> its line."""


class Accounts:
    """The reports of a turn's battles."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.battles = {battle.id: battle for battle in world.start.battles}
        self.sides: dict[tuple[str, SeatId], Version] = {}
        for battle in self.battles.values():
            for seat in self.seats(battle):
                self.sides[battle.id, seat] = Version(seat)
        self._read()

    def seats(self, battle: Battle) -> tuple[SeatId, ...]:
        """Seats whose armies fight, the attacker first; a garrison has none."""
        armies = (battle.attackers[0], *((battle.defender,) if battle.defender is not None else ()))
        return tuple(self.world.armies[key].owner for key in armies)

    def _side(self, seat: SeatId, order: Order) -> Version | None:
        """The report that a line belongs to; None, with a verdict, if the battle is not the player's."""
        found = self.sides.get((order.args["battle"], seat))
        if found is None:
            self.world.judge(seat, order.line, "illegal", "not-your-battle", battle=order.args["battle"])
        return found

    def _read(self) -> None:
        for seat, order in self.world.orders_of("results"):
            side = self._side(seat, order)
            if side is not None:
                side.result, side.line = order.args["result"], order.line
                side.scenario = order.args.get("scenario", "")
        for seat, order in self.world.orders_of("deeds"):
            side = self._side(seat, order)
            if side is None:
                continue
            found = self.deed(self.battles[order.args["battle"]], order)
            if isinstance(found, Deed):
                side.deeds[found] = order.line
            else:
                reason, named = found
                self.world.judge(seat, order.line, "illegal", reason, **named)

    # Deeds ----------------------------------------------------------------------------------------------------------

    def deed(self, battle: Battle, order: Order) -> Deed | tuple[Reason, Mapping[str, Fact]]:
        """Read a line as a deed of those who fought, or return the reason why it cannot be one (GC-S, GC-T)."""
        who = self._member(battle, order.args["who"])
        if not isinstance(who, Fighter):
            return who
        foe: Fighter | None = None
        if "foe" in order.args:
            other = self._member(battle, order.args["foe"])
            if not isinstance(other, Fighter):
                return other
            if other.army == who.army:
                return "same-side", {"who": other.name}
            foe = other
        kind = "slew" if order.kind == "slew_many" else order.kind
        wrong = self._wrong(kind, who, foe, order.args.get("artefact"))
        if wrong is not None:
            return wrong
        return Deed(kind, who, foe, int(order.args.get("number", 1)), order.args.get("artefact"))

    def _member(self, battle: Battle, text: str) -> Fighter | tuple[Reason, Mapping[str, Fact]]:
        """Find a character or a unit by its name, preceded by the player's name if both sides have that name."""
        found, everybody = list[Fighter](), list[Fighter]()
        for key in (battle.attackers[0], battle.defender):
            army = self.world.armies.get(key) if key is not None else None
            if army is None:
                continue
            names = [one.name for one in (*map(character, army.characters), *map(unit, army.units))]
            said = text.casefold()
            found += [
                Fighter(army.key, name)
                for name in names
                if said in {name.casefold(), f"{army.owner} {name}".casefold()}
            ]
            everybody += [Fighter(army.key, name) for name in names]
        if not found:
            meant = find_name(text, (one.name for one in everybody))
            found = [one for one in everybody if one.name == meant]
        if not found:
            return "nobody", {"who": text}
        if len(found) > 1:
            return "which", {"who": text, "seat": found[0].army.rpartition(" ")[0]}
        return found[0]

    def person(self, who: Fighter) -> Character | Unit:
        """The character or unit of a fighter, in its current state."""
        army = self.world.armies[who.army]
        people: tuple[Character | Unit, ...] = (*map(character, army.characters), *map(unit, army.units))
        return next(one for one in people if one.name == who.name)

    def _wrong(
        self, kind: str, who: Fighter, foe: Fighter | None, artefact: str | None
    ) -> tuple[Reason, Mapping[str, Fact]] | None:
        """The reason why a fighter cannot have done a deed of this kind; None if they can."""
        one = self.person(who)
        other = self.person(foe) if foe is not None else None
        match kind:
            case "beat" if not isinstance(one, Character) or not isinstance(other, Character):
                return "no-character", {"who": foe.name if isinstance(one, Character) and foe is not None else who.name}
            case "broke" if not _scores(one) or not _scores(other):
                return "no-scoring", {"who": foe.name if _scores(one) and foe is not None else who.name}
            case "panicked" if isinstance(one, Character) and not _flies(other):
                return "no-standard", {"who": foe.name if foe is not None else ""}
            case "panicked" if isinstance(one, Unit) and not (_scores(one) and _scores(other)):
                return "no-scoring", {"who": foe.name if _scores(one) and foe is not None else who.name}
            case "slew" if isinstance(one, Unit) and not _scores(one):
                return "no-scoring", {"who": who.name}
            case "lost" if not _flies(one) and not (isinstance(one, Character) and one.role == BEARER):
                return "no-standard", {"who": who.name}
            case "took" | "gave" if not isinstance(one, Character):
                return "no-character", {"who": who.name}
            case "gave" if not isinstance(other, Character):
                return "no-character", {"who": foe.name if foe is not None else ""}
            case "gave" if ARTEFACTS[str(artefact)].class_ != "cursed":
                return "not-cursed", {"what": str(artefact)}
            case _:
                return None

    # Whose report counts --------------------------------------------------------------------------------------------

    def settle(self, battle: Battle) -> Settled | None:
        """The result of a battle; None while its reports disagree (GC-Z-15 to GC-Z-20). Battles for the resolver come back unjudged."""
        ruling = self.world.start.rulings.get(battle.id)
        if ruling is not None:
            return self._ruled(battle, ruling)
        sides = [self.sides[battle.id, seat] for seat in self.seats(battle)]
        if battle.defender is None:
            return self._garrison(battle, sides[0])
        one, other = sides
        conceded = [side for side in sides if side.result == "I concede"]
        if len(conceded) == 2:
            return Settled(battle, None, "conceded", scenario=battle.scenario)
        if conceded:
            winner: Side = "defender" if conceded[0] is one else "attacker"
            return Settled(battle, winner, "conceded", scenario=battle.scenario)
        sent = [side for side in sides if side.result is not None]
        if not sent:
            return self._unplayed(battle)
        if len(sent) == 2 and not self._agree(battle, one, other):
            return None
        believed = sent[0]
        assert believed.result is not None
        result = believed.result if believed is one else MIRROR[believed.result]
        deeds = [deed for deed in believed.deeds if len(sent) == 1 or deed in other.deeds]
        return self._result(battle, result, "agreed" if len(sent) == 2 else "alone", believed.scenario, deeds)

    def _agree(self, battle: Battle, one: Version, other: Version) -> bool:
        """Whether two reports agree (GC-Z-15). A side that names no scenario means the one that the place gives (GC-R-3)."""
        same = MIRROR[str(one.result)] == other.result
        return same and self._played(battle, one.scenario) == self._played(battle, other.scenario)

    def _played(self, battle: Battle, name: str) -> str:
        """The scenario that was played, from its name in a report; a made-up one counts as the place's own (GC-A-15)."""
        return battle.scenario if name in {"", CUSTOM} else SCENARIO_OF[name]

    def _result(self, battle: Battle, result: str, how: How, scenario: str, deeds: Iterable[Deed]) -> Settled:
        """A result from the attacker's report."""
        played, kept = self._played(battle, scenario), tuple(dict.fromkeys(deeds))
        match result:
            case "auto":
                return Settled(battle, None, "resolver", scenario=played)
            case "stalemate":
                return Settled(battle, None, how, scenario=battle.scenario)
            case "draw":
                return Settled(battle, None, how, drawn=True, scenario=played, deeds=kept)
            case _:
                winner: Side = "attacker" if result.endswith("win") else "defender"
                major = result.startswith("major")
                return Settled(battle, winner, how, major=major, scenario=played, deeds=kept)

    def _garrison(self, battle: Battle, side: Version) -> Settled | None:
        """The result against a garrison: the resolver's, unless the player reports one, which the host has to confirm (GC-H-15, GC-Z-19).

        Dice never silently replace a report (F2): until the host has ruled, the result is None.
        """
        if side.result == "I concede":
            return Settled(battle, "defender", "conceded", scenario=battle.scenario)
        if side.result not in {None, "auto"}:
            return None
        return Settled(battle, None, "resolver", scenario=battle.scenario)

    def _unplayed(self, battle: Battle) -> Settled:
        """The result of a battle without reports: undecided, or the resolver's (GC-Z-18)."""
        settings = self.world.start.settings
        auto = (settings.unplayed or settings.plan.configuration.unplayed) == "auto"
        return Settled(battle, None, "resolver" if auto else "unplayed", scenario=battle.scenario)

    def _ruled(self, battle: Battle, ruling: Ruling) -> Settled:
        """The result that the host ruled (GC-Z-16)."""
        deeds = []
        for text in ruling.deeds:
            order = reader_of(self.world.plan).read("deeds", f"{battle.id}: {text}")
            found = self.deed(battle, order) if not isinstance(order, Unreadable) else None
            if isinstance(found, Deed):
                deeds.append(found)
        match ruling.outcome:
            case "attacker concedes":
                return Settled(battle, "defender", "conceded", scenario=battle.scenario)
            case "defender concedes":
                return Settled(battle, "attacker", "conceded", scenario=battle.scenario)
            case "attacker":
                result = "major win" if ruling.major else "win"
            case "defender":
                result = "major loss" if ruling.major else "loss"
            case _:
                result = ruling.outcome
        return self._result(battle, result, "ruled", ruling.scenario or "", deeds)

    # Verdicts -------------------------------------------------------------------------------------------------------

    def judge(self, battle: Battle, settled: Settled | None) -> None:
        """Give verdicts on the lines about a battle (GC-Z-15 to GC-Z-17)."""
        world = self.world
        for seat in self.seats(battle):
            side = self.sides[battle.id, seat]
            if side.line:
                if settled is None:
                    world.judge(seat, side.line, "partly", "unconfirmed" if battle.defender is None else "disputed")
                else:
                    world.succeeds(seat, side.line, BELIEVED[settled.how])
            for deed, line in side.deeds.items():
                if settled is None:
                    world.judge(seat, line, "partly", "disputed")
                elif deed in settled.deeds:
                    world.succeeds(seat, line, "counted")
                elif not settled.fought or settled.how == "resolver":
                    world.fails(seat, line, "not-fought")
                else:
                    world.fails(seat, line, "one-sided")
        if settled is None:
            lines = [self.sides[battle.id, seat].line for seat in self.seats(battle)]
            world.tell(facts.Disputed(id=battle.id, attacker=lines[0], defender="".join(lines[1:])))


def _scores(one: Character | Unit | None) -> bool:
    return isinstance(one, Unit) and "scoring" in one.tags


def _flies(one: Character | Unit | None) -> bool:
    return isinstance(one, Unit) and "standard" in one.tags
