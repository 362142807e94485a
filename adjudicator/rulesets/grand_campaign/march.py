"""An army in the Army Phase: its list, the Movement it has spent, and the troubles it met (catalogue 3.4, A5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from adjudicator.core.contract.resolution import Fact
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.orders import Item, Order
from adjudicator.rulesets.grand_campaign.position import ArmyKey
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.tables import Terrain

State = Literal["ready", "finished", "locked", "annexing", "away"]


@dataclass(slots=True)
class Farmland:
    """Numbers of Farmland hexes that an army or a party entered in its phase, without and with roads (GC-X-11)."""

    farms: int = 0
    roads: int = 0

    def enter(self, ground: Terrain, *, road: bool) -> None:
        """Count a hex that was entered; other ground is ignored."""
        if ground.every:
            self.roads += road
            self.farms += not road

    def cost(self, ground: Terrain, *, road: bool) -> int | None:
        """The Movement that the next Farmland hex costs: 1 for every n-th hex, otherwise 0 (GC-X-10); None for other ground."""
        every = ground.roaded if road else ground.every
        return int(((self.roads if road else self.farms) + 1) % every == 0) if every else None


@dataclass(frozen=True, slots=True)
class Trouble:
    """The reason why something on a list was not done."""

    reason: Reason
    facts: Mapping[str, Fact]


@dataclass(slots=True)
class March:
    """An army in the Army Phase."""

    key: ArmyKey
    order: Order | None
    items: list[Item]
    """The items of its list that are left."""
    allowance: int
    state: State = "finished"
    spent: int = 0
    cost: int | None = None
    """Movement for the next item, fixed when that item comes up (GR-22)."""
    farmland: Farmland = field(default_factory=Farmland)
    trail: list[Hex] = field(default_factory=list)
    path: list[tuple[int, Hex]] = field(default_factory=list)
    """The Movement spent so far and the hex, for each hex that it entered."""
    used: list[str] = field(default_factory=list)
    """Actions that it took; a General's Army takes no Action twice (GC-O-9)."""
    skipped: bool = False
    aim: Hex | None = None
    """Hex that it prepared to attack, or annexes (GC-O-40, GC-O-45)."""
    lead: bool = False
    number: int = 0
    """Number of items done."""
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def item(self) -> Item:
        """The next item."""
        return self.items[0]

    def trouble(self, reason: Reason, item: Item | None = None, /, **facts: Fact) -> None:
        """Note why something was not done."""
        self.troubles.append(trouble(reason, item, **facts))

    def end(self) -> None:
        """End the army's phase where it is, and drop the rest of its list."""
        self.items.clear()
        self.state, self.cost = "finished", None


def trouble(reason: Reason, item: Item | None = None, /, **facts: Fact) -> Trouble:
    """The reason why an item was not done."""
    named: dict[str, Fact] = {"item": item.line} if item is not None else {}
    return Trouble(reason, named | facts)
