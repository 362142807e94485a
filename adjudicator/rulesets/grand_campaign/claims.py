"""Claims of the Army Phase, settled at its end: the border runs halfway between centres (GC-P-14, GC-P-15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.world import World


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim: its player, centre, tick and radius, and whether a construction makes it."""

    seat: SeatId
    centre: Hex
    tick: int
    radius: int
    built: bool


class Claims:
    """The claims of a phase, and the holders of hexes until it ends."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.made: list[Claim] = []

    def add(self, seat: SeatId, centre: Hex, tick: int, *, radius: int = 1, built: bool = False) -> None:
        """Record a claim."""
        self.made.append(Claim(seat, centre, tick, radius, built))

    def builder(self, label: Hex) -> SeatId | None:
        """The player who built on a hex in this phase. The hex is theirs immediately (GR-2)."""
        return next((claim.seat for claim in self.made if claim.built and claim.centre == label), None)

    def owner(self, label: Hex) -> SeatId | None:
        """The holder of a hex during the phase: its builder, or the holder when the phase began (GC-O-17)."""
        return self.builder(label) or self.world.holder.get(label)

    def mine(self, seat: SeatId, label: Hex) -> bool:
        """Whether a hex counts as a player's own: held, or claimed in this phase (GC-O-17)."""
        owner = self.owner(label)
        return owner == seat or (
            owner is None and any(self._reaches(claim, label) for claim in self.made if claim.seat == seat)
        )

    def _reaches(self, claim: Claim, label: Hex) -> bool:
        return distance(claim.centre, label) <= claim.radius

    def _beats(self, one: Claim, other: Claim) -> bool:
        """Whether one claim beats the other: it is another player's, from the same hex, and earlier (GR-2)."""
        return one.centre == other.centre and one.seat != other.seat and one.tick < other.tick

    def settle(self) -> None:
        """Give each claimed hex to the nearest centre's player; if two players' are equally near, it stays unclaimed (GC-P-15).

        Of two claims from one hex the earlier counts (GR-2); a construction's hex always goes to its builder.
        """
        world = self.world
        got: dict[tuple[SeatId, bool], list[Hex]] = {}
        contested: dict[tuple[SeatId, ...], list[Hex]] = {}
        reached: dict[Hex, list[Claim]] = {}
        for claim in self.made:
            for label in world.grid.within(claim.centre, claim.radius):
                if self._open(claim, label):
                    reached.setdefault(label, []).append(claim)
        for label in sorted(reached, key=hex_order):
            builder = self.builder(label)
            claims = [one for one in reached[label] if not any(self._beats(other, one) for other in reached[label])]
            near = min(distance(claim.centre, label) for claim in claims)
            nearest = [claim for claim in claims if distance(claim.centre, label) == near]
            seats = sorted({claim.seat for claim in nearest}) if builder is None else [builder]
            if len(seats) == 1:
                built = any(claim.built and claim.seat == seats[0] for claim in nearest)
                got.setdefault((seats[0], built), []).append(label)
            else:
                contested.setdefault(tuple(seats), []).append(label)
        for (seat, built), hexes in sorted(got.items(), key=lambda one: (world.rank[one[0][0]], one[0][1])):
            taken = world.take(seat, hexes)
            mines = built and all(label in world.works and not world.settled().get(label) for label in hexes)
            why: Literal["mine", "settlement", "claim"] = "mine" if mines else "settlement" if built else "claim"
            world.tell(facts.Claimed(seat=seat, hexes=taken, why=why))
        for seats_, hexes in sorted(contested.items()):
            world.tell(facts.Contested(hexes=tuple(hexes), seats=seats_))

    def _open(self, claim: Claim, label: Hex) -> bool:
        """Whether a claim can win a hex: nobody holds it, and no other player's army bars it (GC-O-18, GC-E-7, GC-O-57; GR-18, GR-35)."""
        world = self.world
        if label in world.cities or label in world.holder:
            return False
        if claim.built and label == claim.centre:
            return True
        army = world.standing(label)
        if army is None or army.owner == claim.seat:
            return True
        return claim.built and world.relation(claim.seat, army.owner) == "allied"
