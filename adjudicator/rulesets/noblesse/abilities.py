"""Abilities of roles (NB-C-12). Core abilities apply from the start of every Night; those with a price are used in step 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.rulesets.noblesse.battle import VALUES, Strength
from adjudicator.rulesets.noblesse.events import Harmed, Learned, Moved, Used
from adjudicator.rulesets.noblesse.orders import ABILITIES, FORM_OF, Order
from adjudicator.rulesets.noblesse.position import Courtier, Unit
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Ability, Effect, Resource, Scenario, Stock, amount_of
from adjudicator.rulesets.noblesse.work import Work

RULE: dict[Effect, str] = {
    "council": "C-11", "inspire": "C-13", "levy": "C-14", "thrift": "C-15", "gather": "C-16", "ward": "C-17", "retain": "C-18",
    "march": "C-19", "reach": "C-20", "domain": "C-21", "expel": "C-22", "survey": "C-23", "gauge": "C-24", "plunder": "C-25",
    "win over": "C-26",
}  # fmt: skip
"""Effect of an ability -> its rule."""


def lay_cores(work: Work) -> None:
    """Apply the core abilities that last a whole Night, as if they had been used. The others are checked where they matter (NB-C-12)."""
    for seat in work.living():
        player = work.players[seat]
        for core in work.scenario.cores(player.role):
            match core.effect:
                case "levy" | "thrift" | "gather" | "reach":
                    _lay_effect(work, seat, core)
                case "ward":
                    if player.home is not None and work.holding(player.home).by == seat:
                        work.warded.add(player.home)
                case "council" | "inspire" | "retain" | "march" | "domain":
                    pass  # they matter in strengths, the setup, moves and control
                case "expel" | "survey" | "gauge" | "plunder" | "win over":
                    raise AssertionError(core.effect)  # no scenario has such a core
                case _:
                    assert_never(core.effect)


def is_swift(scenario: Scenario, role: str, unit: Unit, cycle: int) -> bool:
    """True if a unit may go two estates in a Night, because it was just recruited or because of a core ability (NB-B-6, C-19)."""
    marches = (core for core in scenario.cores(role) if core.effect == "march")
    return unit.recruited == cycle - 1 or any(core.of in {None, unit.formation} for core in marches)


def use_abilities(work: Work) -> None:
    """Step 3: use abilities with a price, each with an Envoy (NB-K-12, NB-C-1, NB-C-12)."""
    for seat, order in work.orders_of(*USES):
        work.carry_out(seat, order, USES[order.kind])


def _use_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    ability = work.scenario.ability(work.players[seat].role, order.option)
    unit = work.units.get(order.args.get("unit", ""))
    if not work.has_option(seat, order.option):
        return because("without", "C-3", "illegal", known=True)
    if FORM_OF[ability.effect] != order.kind:
        return because("other-ability", "C-1", "illegal", ability=order.args["ability"])
    if ability.effect in {"inspire", "march"} and (unit is None or unit.owner != seat):
        return work.not_your_unit(seat, order, "A-16")
    if found := _fault(work, seat, order, ability.effect):
        reason, rule = found
        return Fault(reason, rule, facts=_facts(order, ability))
    return None if work.free_courtiers(seat) else because("no-envoy", "K-12")


def _use(work: Work, seat: SeatId, order: Order) -> None:
    ability, envoy = work.scenario.ability(work.players[seat].role, order.option), work.free_courtiers(seat)[0]
    if not work.pay(seat, order, work.ability_price(seat, order.option)):
        return
    work.busy[seat].add(envoy.id)
    facts = _facts(order, ability)
    if ability.effect == "win over":
        # Players learn whose Heir it is only if they pay, never from an order that fails (NB-C-26).
        parent = _heirs_to_win(work, seat, order.args["estate"])[0]
        facts |= {"seat": parent, "faction": work.players[seat].faction}
    work.judge(seat, order, "succeeds", ability.effect, RULE[ability.effect], **facts)
    on = next((order.args[key] for key in ("target", "unit", "estate") if key in order.args), None)
    work.tell(Used(heard=(seat,), seat=seat, ability=ability, on=on))
    _carry_out(work, seat, order, ability)


def _facts(order: Order, ability: Ability) -> dict[str, Fact]:
    """The facts of the verdict on an ability."""
    facts = {
        "at": _target_estate(order), "unit": order.args.get("unit"), "of": ability.of, "value": ability.value, "amount": ability.amount,
    }  # fmt: skip
    return {key: fact for key, fact in facts.items() if fact}


def _target_estate(order: Order) -> str:
    """The estate that an ability is used on: the one that the order names, or the one where the named post is."""
    if "target" in order.args:
        return order.args["target"].rpartition(" at ")[2]
    return order.args.get("estate", "")


def _post_holder(work: Work, order: Order) -> tuple[SeatId, Courtier] | None:
    """The player and the Courtier at the post that an ability is used on; None if nobody is there."""
    kind, _, at = order.args["target"].rpartition(" at ")
    post, _, what = kind.partition(" ")
    return next(iter(work.posted(post, at, what or None)), None)


def _heirs_to_win(work: Work, seat: SeatId, estate: str) -> list[SeatId]:
    """Players whose Heirs at an estate can still be won over tonight (NB-C-26), by name, but with the player themselves last."""
    there = (
        giver for giver in work.heirs_at(estate) if not work.spares(seat, giver) and (seat, giver) not in work.wooed
    )
    return sorted(there, key=lambda giver: (giver == seat, giver))


def _fault(work: Work, seat: SeatId, order: Order, effect: Effect) -> tuple[str, str] | None:
    """The reason why an ability cannot be used, and its rule, leaving aside its Envoy and its price; None if it can."""
    at = _target_estate(order)
    match effect:
        case "inspire" | "levy" | "thrift" | "gather" | "ward" | "retain" | "reach":
            return None
        case "march":
            unit = work.units[order.args["unit"]]
            if at not in work.scenario.neighbours(unit.at):
                return "no-neighbour", "C-19"
            if order.args["unit"] in work.marched:
                return "marched-already", "C-19"
            return None if work.fits(at, work.faction_of(unit), unit.formation) else ("no-room", "B-9")
        case "expel":
            if not work.has_spy(seat, at):
                return "no-spy", "C-22"
            victim = _post_holder(work, order)
            if victim is None:
                return "nobody-there", "C-22"
            if work.spares(seat, victim[0]):
                return "hostage", "P-12"
            return ("warded", "C-17") if at in work.warded else None
        case "survey":
            if not work.has_spy(seat, at):
                return "no-spy", "C-23"
            return ("hostage", "P-12") if work.spares_at(seat, at) else None
        case "gauge":
            seen = work.units.get(order.args["unit"])
            if seen is None or not work.has_spy(seat, seen.at):
                return "no-spy", "C-24"
            return ("hostage", "P-12") if work.spares(seat, seen.owner) else None
        case "plunder":
            if not any(work.units[name].owner == seat for name in work.units_at(at)):
                return "no-own-unit", "C-25"
            if at in work.plundered:
                return "plundered-already", "C-25"
            return ("hostage", "P-12") if work.spares_at(seat, at) else None
        case "win over":
            if not work.has_spy(seat, at):
                return "no-spy", "C-26"
            if _heirs_to_win(work, seat, at):
                return None
            held = any(work.spares(seat, giver) for giver in work.heirs_at(at))
            return ("hostage", "P-12") if held else ("no-heir-there", "C-26")
        case "council" | "domain":
            raise AssertionError(effect)  # no ability with a price has it
        case _:
            assert_never(effect)


def _carry_out(work: Work, seat: SeatId, order: Order, ability: Ability) -> None:
    """Carry out an ability that has been paid for."""
    name, at = order.args.get("unit", ""), _target_estate(order)
    match ability.effect:
        case "inspire":
            work.inspired[name] = work.inspired.get(name, Strength()) + ability.strength
        case "levy" | "thrift" | "gather" | "reach":
            _lay_effect(work, seat, ability)
        case "ward":
            work.warded.add(at)
        case "retain":
            for _ in range(ability.amount):
                work.busy[seat].add(work.add_courtier(seat))  # they serve from the next Night on
        case "march":
            path = (work.units[name].at, at)
            work.units[name] = replace(work.units[name], at=at)
            work.marched.add(name)
            work.tell(Moved(heard=work.hearers(seat), unit=name, owner=seat, path=path))
        case "expel":
            victim = _post_holder(work, order)
            assert victim is not None
            work.send_home(victim[0], victim[1].id)
            work.busy[victim[0]].add(victim[1].id)
            post = order.args["target"].partition(" at ")[0]
            work.tell(Harmed(heard=work.hearers(victim[0]), kind="expel", at=at, what=post))
        case "survey":
            posts = ("tax", "lobby", "steward", "staff", "overseer", "spy")
            there = [(who, courtier) for post in posts for who, courtier in work.posted(post, at) if who != seat]
            facts = tuple(f"{who}: {courtier.post} {courtier.what or ''}".strip() for who, courtier in there)
            work.tell(Learned(heard=(seat,), seat=seat, about=at, facts=facts))
        case "gauge":
            strength = work.strength(name)
            told = tuple(f"{value} {amount}" for value in VALUES if (amount := getattr(strength, value)))
            work.tell(Learned(heard=(seat,), seat=seat, about=name, facts=told))
        case "plunder":
            work.plundered[at] = seat
        case "win over":
            parent = _heirs_to_win(work, seat, at)[0]
            heir = work.players[parent].heir
            assert heir is not None
            work.change(parent, heir=replace(heir, won=work.players[seat].faction))
            work.wooed.add((seat, parent))
        case "council" | "domain":
            raise AssertionError(ability.effect)  # no ability with a price has it
        case _:
            assert_never(ability.effect)


def _lay_effect(work: Work, seat: SeatId, ability: Ability) -> None:
    """Apply a discount, an extra yield or extra reach for a Night, from a core ability or one with a price."""
    match ability.effect:
        case "levy":
            work.levies.setdefault(seat, []).append(ability.amount)
        case "thrift":
            work.thrift[seat, ability.of or ""] += ability.amount
        case "reach":
            work.reach[seat] += ability.amount
        case "gather":
            resource: Resource = ability.of  # type: ignore[assignment]  # `gather` is of a resource
            work.gathered[seat] = work.gathered.get(seat, Stock()) + amount_of(resource, ability.amount)
        case _:
            raise AssertionError(ability.effect)  # the others act at once, or are checked where they matter


def extra_yield(work: Work, seat: SeatId) -> Stock:
    """Extra yield of a player's Home tonight, without bribed resources; nothing while others control it (NB-C-16)."""
    home = work.players[seat].home or ""
    if seat not in work.gathered or work.holding(home).by != seat:
        return Stock()
    more = work.gathered[seat]
    return Stock(**{name: 0 if (home, name) in work.bribed else getattr(more, name) for name in RESOURCES})


def raider(work: Work, estate: str) -> SeatId | None:
    """The player who takes an estate's whole income, if a unit of theirs is still there (NB-C-25)."""
    seat = work.plundered.get(estate)
    if seat is None:
        return None
    return seat if any(work.units[name].owner == seat for name in work.units_at(estate)) else None


USES: Mapping[str, Deed[Work, Order]] = {kind: Deed(_use_fault, _use) for kind in sorted(ABILITIES)}
"""Kind of order -> its conditions and its effect."""
