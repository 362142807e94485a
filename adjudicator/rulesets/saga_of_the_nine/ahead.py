"""Orders ahead: retreats and winter orders on a sheet of orders, for Majors that send no sheet later (S9-N-6)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.ahead import Ahead
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.orders import BuildHeir, MarryHeir, MarryMinor, WaiveFor, speech_of
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Position, Season


def _lists(position: Position) -> Mapping[str, str]:
    last = position.season is Season.AUTUMN
    return diplomacy.lists_of(position.phase is Phase.ORDERS, last, Phase.RETREATS.value, Phase.WINTER.value)


def _fault(position: Position, major: SeatId, key: str, line: str) -> Remark | None:
    said = speech_of(position).read(line, major)
    if isinstance(said, BuildHeir | WaiveFor) and key == diplomacy.WINTER:
        return None
    if isinstance(said, MarryMinor | MarryHeir | BuildHeir | WaiveFor):
        return Remark((), "this is not an order for that turn", "order units; heirs are for the turns of orders")
    vassals = frozenset(name for name, vassal in position.vassals.items() if major in vassal.controllers)
    return diplomacy.fault_ahead(position.ground, major, key, said, others=vassals)


AHEAD: Ahead[Position] = Ahead(
    lists=_lists,
    keys=diplomacy.AHEAD.keys,
    fault=_fault,
    fits=lambda view, major, chosen, line: diplomacy.fits_ahead(speech_of(view).read, chosen, line),
    terms=diplomacy.TERMS,
    argument=lambda view: diplomacy.argument_for(view.ground),
    values=lambda view, major: diplomacy.values_on(view.ground),
)
