"""Costs of a Night's orders in stock and Courtiers, as a table that the order desk adds up."""

from __future__ import annotations

from dataclasses import asdict

from adjudicator.core.contract.prices import Amounts, Price, Prices
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.actions import usual_price
from adjudicator.rulesets.noblesse.acts import ACTS, POSTING
from adjudicator.rulesets.noblesse.orders import ABILITIES
from adjudicator.rulesets.noblesse.position import Phase, Player, Position
from adjudicator.rulesets.noblesse.recruiting import TENTH, rent_of
from adjudicator.rulesets.noblesse.scenario import ABILITY, Scenario, Stock, tables

COURTIER = "Courtiers at court"
NOTE = "Abilities that make things cheaper tonight are not counted, nor are Courtiers who come home tonight. Income comes last (NB-A-3)."


def prices(view: Position, seat: SeatId) -> Prices | None:
    """A player's means as a Night begins, and the costs of its orders; None by day, when orders are free, and if the player is dead or unknown."""
    player = view.players[seat]
    if view.phase is not Phase.NIGHT or not player.role or not player.alive:
        return None
    idle = sum(courtier.post == "court" for courtier in player.courtiers)
    return Prices(
        purse={**asdict(player.stock), COURTIER: idle},
        forms={ACTS.by_kind[kind].form: price for kind, price in _prices_by_kind(view, player).items()},
        note=NOTE,
    )


def _prices_by_kind(view: Position, player: Player) -> dict[str, Price]:
    scenario, nobles = view.settings.board, len(view.factions[player.faction].nobles)
    stewards = [courtier.at or "" for courtier in player.courtiers if courtier.post == "steward"]
    spies = [courtier.at for courtier in player.courtiers if courtier.post == "spy"]
    taxed = {**{estate: {} for estate in stewards}, "": {COURTIER: 1}}  # a Steward stays where they are (NB-K-5)
    fresh = {home: {COURTIER: 1} for home in (player.home,) if home is not None and home not in spies}
    known: dict[str, Price] = {}
    for kind in tables().actions:
        known[kind] = Price(fixed=_with_courtiers(usual_price(kind, nobles), ACTS.by_kind[kind].people))
    resource = scenario.factions[player.faction].resource
    paid: dict[str, Amounts] = {str(price): {resource: price} for price in ABILITY.values()}
    for act in ACTS.of(POSTING):
        if act.people:
            known[act.kind] = Price(fixed={COURTIER: act.people})
    known |= {kind: Price(fixed={COURTIER: 1}, by={"ability": paid}) for kind in sorted(ABILITIES)}
    built = {name: _with_courtiers(building.price, building.overseers) for name, building in tables().buildings.items()}
    return known | {
        "build": Price(by={"building": built}),
        "recruit": _recruiting(scenario, player),
        "hire": Price(by={"mercenaries": {name: {"money": rent_of(scenario, name)} for name in scenario.mercenaries}}),
        "tax": Price(by={"estate": taxed}),
        "spy": Price(by={"estate": fresh}),
    }


def _recruiting(scenario: Scenario, player: Player) -> Price:
    """The price of a unit: that of its formation, and a tenth of its companies' tiers, rounded up (NB-B-15). A Courtier who leads it counts too."""
    own = scenario.roles[player.role].company.tier
    tiers = {name: company.tier for name, company in scenario.companies.items()}
    officers = {name: tiers[name] for name, company in scenario.companies.items() if company.slot == "officer"}
    return Price(
        by={
            "formation": {name: {"manpower": formation.price} for name, formation in tables().formations.items()},
            "leader": {"courtier": {COURTIER: 1}},
        },
        thing="manpower",
        per=TENTH,
        shares={"companies": {**tiers, "own": own}, "leader": officers},
    )


def _with_courtiers(stock: Stock, courtiers: int) -> Amounts:
    """The amounts that an order costs, Courtiers included; zeros are left out."""
    return {thing: number for thing, number in {**asdict(stock), COURTIER: courtiers}.items() if number}
