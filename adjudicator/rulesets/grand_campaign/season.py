"""A season: diplomacy, income, spending, armies, parties; then the battles to be fought (GC-J-1, phases 3 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.acts import SEASON_PARTS
from adjudicator.rulesets.grand_campaign.adventures import Adventures
from adjudicator.rulesets.grand_campaign.challenges import Outcome, settle
from adjudicator.rulesets.grand_campaign.conquest import kept_plans
from adjudicator.rulesets.grand_campaign.diplomacy import negotiate
from adjudicator.rulesets.grand_campaign.income import collect
from adjudicator.rulesets.grand_campaign.jousts import joust
from adjudicator.rulesets.grand_campaign.marching import Phase as Marching
from adjudicator.rulesets.grand_campaign.orders import SeasonSheet
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Phase, Position, Quarrel, Standing, Stopped
from adjudicator.rulesets.grand_campaign.rosters import Roster
from adjudicator.rulesets.grand_campaign.spending import spend
from adjudicator.rulesets.grand_campaign.world import World


@dataclass(frozen=True, slots=True)
class Season:
    """The result of a season's orders, before its battles."""

    world: World
    outcome: Outcome
    stopped: tuple[Stopped, ...]
    quarrels: tuple[Quarrel, ...]
    plans: Mapping[ArmyKey, tuple[str, ...]]
    closing: bool
    """True if everybody wishes to close the campaign (GC-A-5)."""

    @property
    def position(self) -> Position:
        """The position with its battles yet to be fought."""
        return self.world.after(
            phase=Phase.BATTLES,
            battles=tuple(self.outcome.battles),
            annexes=self.outcome.annexes,
            stopped=self.stopped,
            quarrels=self.quarrels,
            plans=self.plans,
            closing=self.closing or None,
        )


def play_season(world: World) -> Season:
    """Run phases 3 to 7 (catalogue 3.1, Resolve A)."""
    world.read(*SEASON_PARTS)
    at_home(world)
    return in_the_field(world)


def at_home(world: World) -> None:
    """Run phases 3 to 5, after sheets have been read: everything that comes before armies and parties move."""
    _keep(world)
    negotiate(world)
    collect(world)
    spend(world)


def in_the_field(world: World) -> Season:
    """Run phases 6 and 7: armies, then parties, and after them jousts and changes of faction."""
    marching = Marching(world)
    marching.prepare()
    marching.run()
    outcome = settle(marching)
    marching.judge()
    adventures = Adventures(world)
    quarrels = adventures.run()
    joust(world)
    _convert(world)
    return Season(world, outcome, marching.stopped(), quarrels, kept_plans(world), _closing(world))


def _closing(world: World) -> bool:
    """Whether every player who is still in wishes to close the campaign (GC-A-5)."""
    sheets = [world.sheets.get(seat) for seat, realm in world.realms.items() if not realm.out]
    closing = all(isinstance(sheet, SeasonSheet) and sheet.close for sheet in sheets)
    if closing:
        world.tell(facts.Closing())
    return closing


def _keep(world: World) -> None:
    """Keep standing orders: a new list replaces all earlier ones (GC-Z-7)."""
    for seat in world.seats():
        sheet = world.sheets.get(seat)
        if sheet is None or sheet.standing is None:
            continue
        aside: list[str] = []
        answer: tuple[str, ...] = ()
        bearer: dict[str, str] = {}
        general: str | None = None
        at: Hex | None = None
        roster: Roster | None = None
        for order in world.orders[seat, "standing"]:
            match order.kind:
                case "aside":
                    aside.append(order.args["army"])
                case "answer":
                    answer = tuple(order.args["armies"].split(", "))
                case "bearer":
                    bearer[order.args["army"]] = order.args["character"]
                case "promote":
                    general, at = f"promote {order.args['army']}", order.args["hex"]
                case _:
                    general, at = order.args["roster"], order.args["hex"]
                    roster = world.roster(seat, general)
            world.succeeds(seat, order.line, "stands")
        standing = Standing(aside=tuple(aside), answer=answer, bearer=bearer, general=general, roster=roster, at=at)
        world.reform(seat, standing=standing)


def _convert(world: World) -> None:
    """Apply changes of faction when nothing else in this season can depend on them (GC-I-4)."""
    for seat, faction in sorted(world.converts.items()):
        world.reform(seat, faction=faction, changed=world.turn)
        world.tell(facts.Converted(seat=seat, faction=faction))
