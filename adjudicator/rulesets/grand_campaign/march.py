"""An army in its phase: its list of things to do, the Movement it has spent, and what was in its way (catalogue 3.4, A5)."""

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
    """How many hexes of Farmland somebody has entered in their phase, without and with roads (GC-X-11)."""

    farms: int = 0
    roads: int = 0

    def enter(self, ground: Terrain, *, road: bool) -> None:
        """Counts a hex that was entered; other ground is not counted."""
        if ground.every:
            self.roads += road
            self.farms += not road

    def cost(self, ground: Terrain, *, road: bool) -> int | None:
        """What the next one costs: 0, or 1 for each so many (GC-X-10); None for other ground."""
        every = ground.roaded if road else ground.every
        return int(((self.roads if road else self.farms) + 1) % every == 0) if every else None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something on a list was not done."""

    reason: Reason
    facts: Mapping[str, Fact]


@dataclass(slots=True)
class March:
    """An army in its phase."""

    key: ArmyKey
    order: Order | None
    items: list[Item]
    """What is left of its list."""
    allowance: int
    state: State = "finished"
    spent: int = 0
    cost: int | None = None
    """Of the next item, fixed when the army is looked at (GR-22)."""
    farmland: Farmland = field(default_factory=Farmland)
    trail: list[Hex] = field(default_factory=list)
    path: list[tuple[int, Hex]] = field(default_factory=list)
    """Each hex that it entered, behind the Movement spent by then."""
    used: list[str] = field(default_factory=list)
    """Actions that it took; a General's Army takes none twice (GC-O-9)."""
    skipped: bool = False
    aim: Hex | None = None
    """What it prepared to attack, or annexes (GC-O-40, GC-O-45)."""
    lead: bool = False
    number: int = 0
    """How many items were done."""
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def item(self) -> Item:
        """The next item."""
        return self.items[0]

    def trouble(self, reason: Reason, item: Item | None = None, /, **facts: Fact) -> None:
        """Notes why something was not done."""
        self.troubles.append(trouble(reason, item, **facts))

    def end(self) -> None:
        """Ends its phase where it is; the rest of its list is dropped."""
        self.items.clear()
        self.state, self.cost = "finished", None


def trouble(reason: Reason, item: Item | None = None, /, **facts: Fact) -> Trouble:
    """Why an item was not done."""
    named: dict[str, Fact] = {"item": item.line} if item is not None else {}
    return Trouble(reason, named | facts)
