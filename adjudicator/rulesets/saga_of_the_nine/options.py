"""Legal orders of a Major, and remarks on its sheet."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from adjudicator.core.contract import acts
from adjudicator.core.contract.acts import illegal
from adjudicator.core.contract.cautions import Caution
from adjudicator.core.contract.resolution import Fact, Remark, SeatId
from adjudicator.core.contract.words import join_words
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.bids import Bid, Unpaid, pay
from adjudicator.mechanics.movement import Convoy, Hold, Named
from adjudicator.mechanics.notation import AnyOrder, Fault, Waive
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.bidding import against_bid, attacked_by
from adjudicator.rulesets.saga_of_the_nine.heirs import (
    against_heir,
    against_new_heir,
    can_build_heir,
    fit_locations,
    is_of_another_kind,
    plain_suit,
)
from adjudicator.rulesets.saga_of_the_nine.orders import (
    BuildHeir,
    HeirOrder,
    Line,
    Marry,
    MarryHeir,
    MarryMinor,
    Offer,
    Sheet,
    Speech,
    WaiveFor,
    is_of_units,
    power_of_line,
    read_bids,
    read_lines,
    speech_of,
)
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    centre_of,
    living,
    majors,
    minors,
    purse_of,
    ruled_by,
    shared_vassal,
    stationary,
)
from adjudicator.rulesets.saga_of_the_nine.prose import REASONS
from adjudicator.rulesets.saga_of_the_nine.resolve import against_name, is_young
from adjudicator.rulesets.saga_of_the_nine.vassals import builders
from adjudicator.rulesets.saga_of_the_nine.work import Work

SAID: Mapping[str, str] = {
    "bid-on-nothing": "{place} has no unit",
    "bid-on-major": "nobody can bid on a Major’s unit, and this one is {power}’s",
    "bid-on-others-vassal": "{vassal} is ruled by {controllers}",
    "no-heir": "you have no unmarried heir",
    "not-your-heir": "the heir of {heir} is not yours",
    "capital-held": "{unit} of {power} stands in your Capital: no marriage this season",
    "heir-told-twice": "your heir has two different orders, and obeys neither",
    "minor-without-unit": "{minor} has no unit now",
    "is-thrall": "{thrall} is a Thrall of {controller}",
    "location-is-home": "{place} is a home of {home}",
    "location-held": "{unit} of {power} stands in {place}",
    "their-capital-held": "{unit} of {power} stands in the other’s Capital",
    "share-a-vassal": "you and {other} already rule {vassal} together",
    "no-location": "the place of the wedding is missing",
    "not-your-vassal": "{vassal} is not one of your Vassals",
    "capital-lost": "you do not own {capital}",
    "heir-there": "your heir already lives in {capital}",
    "heir-last-winter": "you built an heir in Winter {cycle}, and cannot build one in two Winters in a row",
}
"""Wording of reasons for a sheet's author, where it differs from the public wording."""
NOT_POSSIBLE = "is not possible: "
"""The opening of reasons that are printed after an order. The order's author sees the reason without it, as a sentence."""
ELIMINATED = "you are eliminated (S9-N-4)"
BY_BIDS = "in this phase, bids order the units of {owner}"
TO_VASSALS, TO_OTHERS = "V-20", "D-1"
"""The rules that let bids decide what units do: the rule for Vassals' units, and the one for Minors' and Thralls'."""


def check(position: Position, major: SeatId, sheet: Sheet) -> tuple[Remark, ...]:
    """Remarks on a sheet, each with its rule."""
    if major not in living(position):
        filled = sheet.orders or sheet.bids
        return (Remark(("orders",), ELIMINATED, "send nothing"),) if filled else ()
    return (
        *_check_lines(position, major, sheet),
        *_check_bids(position, major, sheet),
        *_check_words(position, major, sheet),
    )


def told(reason: str, rule: str) -> str:
    """A reason worded for a sheet's author, with its rule, and with placeholders in braces for the facts."""
    words = SAID.get(reason) or REASONS.get(reason) or "it cannot be given that order"
    return f"{words.removeprefix(NOT_POSSIBLE)} (S9-{rule})"


def _remark(place: tuple[str | int, ...], objection: acts.Fault, right: str = "") -> Remark:
    facts = {key: join_words(value) if isinstance(value, tuple) else value for key, value in objection.facts.items()}
    return Remark(place, told(objection.reason, objection.rule).format_map(facts), right)


# Orders -------------------------------------------------------------------------------------------------------------


def _check_lines(position: Position, major: SeatId, sheet: Sheet) -> Iterator[Remark]:
    speech = speech_of(position)
    lines = read_lines(speech, sheet, major)
    for line in lines:
        if isinstance(line.said, Fault):
            right = line.said.right
            if not isinstance(speech.read_bid(line.text, major), Fault):
                right = f"write it under `bids`: {line.text}"
            yield Remark(("orders", line.index), line.said.what, right, line.said.offset)
    yield from _check_heirs(position, major, lines, speech)
    if position.phase is Phase.WINTER:
        built = False
        for line in lines:
            if isinstance(line.said, BuildHeir):
                objection = against_new_heir(position, major, line.said)
                if objection is None and built:
                    objection = illegal("heir-repeated", "H-3")
                built = built or objection is None
                if objection is not None:
                    yield _remark(("orders", line.index), objection, "leave it out")
    yield from _check_units(position, major, lines)


def _check_heirs(position: Position, major: SeatId, lines: tuple[Line, ...], speech: Speech) -> Iterator[Remark]:
    """Remarks on heirs' orders."""
    suits = [line for line in lines if isinstance(line.said, MarryMinor | MarryHeir)]
    own = {
        plain_suit(position, line.said)
        for line in suits
        if isinstance(line.said, MarryMinor | MarryHeir)
        and line.said.heir == major
        and not is_of_another_kind(position, line.said)
    }
    once: set[HeirOrder] = set()
    for line in suits:
        place, said = ("orders", line.index), line.said
        assert isinstance(said, MarryMinor | MarryHeir)
        if position.phase is not Phase.ORDERS:
            yield _remark(place, illegal("marry-not-now", "M-1"), "leave it out")
            continue
        if len(own) > 1 and said.heir == major and not is_of_another_kind(position, said):
            yield _remark(place, illegal("heir-told-twice", "M-2"), "keep one")
            continue
        objection = against_heir(position, major, said)
        if objection is not None:
            yield _remark(place, objection, _right(position, said, objection))
        plain = plain_suit(position, said)
        if plain in once and said.heir == major:
            yield _remark(place, illegal("heir-repeated", "M-2"), "leave it out")
        once.add(plain)
    if position.phase is not Phase.WINTER:
        for line in lines:
            if isinstance(line.said, BuildHeir):
                yield _remark(("orders", line.index), illegal("heir-not-now", "W-3"), "wait for Winter")


def _right(position: Position, said: MarryMinor | MarryHeir, objection: acts.Fault) -> str:
    """A suggestion to replace an heir's illegal order; empty if there is none."""
    names = position.ground.board.provinces
    if isinstance(said, MarryMinor):
        owner = objection.facts.get("owner")
        if owner in living(position):
            return f"to marry their heir, write `Heir {said.heir} Marry Heir {owner} at {names[said.centre].name}`"
        free = [minor for minor in minors(position) if centre_of(position.ground.board, minor) in position.ground.units]
        return (
            "Minors: " + ", ".join(free) if objection.reason in ("no-minor", "is-thrall", "minor-without-unit") else ""
        )
    if objection.reason in ("location-is-home", "location-is-neithers", "location-held", "no-location"):
        fit = [names[code].name for code in fit_locations(position, said.heir, said.other)]
        return "places for the wedding: " + (", ".join(fit) or "none now")
    return ""


def _check_units(position: Position, major: SeatId, lines: tuple[Line, ...]) -> Iterator[Remark]:
    """Remarks on orders for a Major's units and, in retreats and winter, for the units of its Vassals."""
    field, war, still = position.ground, position.war, stationary(position)
    by_power: dict[SeatId, list[tuple[int, AnyOrder]]] = {major: []}
    for line in lines:
        said = line.said
        if isinstance(said, WaiveFor):
            if position.phase is Phase.ORDERS:
                by_power[major].append((line.index, Waive()))
            elif said.vassal not in ruled_by(position, major):
                objection = illegal("not-your-vassal", "V-24", vassal=said.vassal)
                yield _remark(("orders", line.index), objection, "leave it out")
            else:
                by_power.setdefault(said.vassal, []).append((line.index, Waive()))
        elif is_of_units(said):
            order: AnyOrder = said  # type: ignore[assignment]  # an order of a unit, as was just checked
            if position.phase is Phase.ORDERS:
                here = field.units.get(diplomacy.province_of(order))
                if here is not None and here[0] not in majors(position.settings):
                    unit = field.board.unit_name(here[1])
                    what = BY_BIDS.format(owner=here[0])
                    bid = (
                        order if isinstance(order, diplomacy.Movement) else Hold(Named(here[1].kind, here[1].province))
                    )
                    right = f"write it under `bids`: 1 DP to {field.notation.write(bid, field.names())}"
                    rule = TO_VASSALS if here[0] in position.vassals else TO_OTHERS
                    yield Remark(("orders", line.index), f"{unit}: {what} (S9-{rule})", right)
                    continue
                by_power[major].append((line.index, order))
            else:
                by_power.setdefault(power_of_line(position, major, order), []).append((line.index, order))
    where = builders(position)
    named = {line.index: owner for line in lines if (owner := field.notation.owner_said(line.text)) is not None}
    for power, orders in by_power.items():
        owners = tuple((index, named[index]) for index, _ in orders if index in named)
        read, sites = diplomacy.Read(tuple(orders), (), owners), where.get(power)
        yield from diplomacy.remarks_on_orders(war, field, power, read, stationary=still, sites=sites)
        yield from diplomacy.remarks_on_adjustments(war, field, power, read, sites)
    for power in (major, *(ruled_by(position, major) if position.phase is Phase.RETREATS else ())):
        read = diplomacy.Read(tuple(by_power.get(power, ())), ())
        yield from diplomacy.remarks_on_idle_units(war, field, power, read)


def cautions(position: Position, major: SeatId) -> Iterator[Caution]:
    """Cautions about orders that do not fit each other, and about builds and removals that a Major leaves open in winter.

    Its orders for Vassals do not count.
    """
    if position.phase is Phase.ORDERS:
        lines = diplomacy.legal_lines(position.war, major, stationary=stationary(position))
        yield from diplomacy.cautions_of_moves(position.war, position.ground, major, lines)
    if position.phase is Phase.WINTER:
        field, ruled = position.ground, ruled_by(position, major)
        places = {code for code, (owner, _) in field.units.items() if owner in ruled}
        places |= {field.board.places[position.vassals[name].capital] for name in ruled}
        elsewhere = tuple(sorted(field.board.provinces[code].name for code in places))
        sites = builders(position).get(major)
        yield from diplomacy.cautions_of_winter(position.war, field, major, sites, elsewhere)


# Bids ---------------------------------------------------------------------------------------------------------------


def _check_bids(position: Position, major: SeatId, sheet: Sheet) -> Iterator[Remark]:
    speech, units = speech_of(position), position.ground.names()
    legal: list[tuple[int, Bid[str]]] = []
    married: set[str] = set()
    for line in read_bids(speech, sheet, major):
        place = ("bids", line.index)
        if isinstance(line.offer, Fault):
            right = line.offer.right
            if not isinstance(speech.read(line.text, major), Fault):
                right = f"write it under `orders`: {line.text}"
            yield Remark(place, line.offer.what, right, line.offer.offset)
            continue
        if position.phase is not Phase.ORDERS:
            yield _remark(place, illegal("bid-not-now", "D-3"), "leave it out")
            continue
        objection = against_bid(position, major, line.offer)
        if objection is not None:
            yield _against_order(position, place, line.offer, objection, speech)
            continue
        province = line.offer.unit.province
        wish = speech.write_wish(speech.same(line.offer.wish, units), units)
        legal.append((line.index, Bid(major, province, wish, line.offer.amount)))
        if isinstance(line.offer.wish, Marry) and line.offer.wish.heir == major:
            married.add(province)
    purse = purse_of(position, major)
    asked = sum(bid.amount for _, bid in legal)
    for (index, bid), payment in zip(legal, pay([bid for _, bid in legal], purse), strict=True):
        name = position.ground.board.unit_name(units[bid.unit])
        if payment.fault is Unpaid.CONTRADICTED:
            yield Remark(("bids", index), f"two different orders for {name}: neither counts (S9-D-13)", "keep one")
        elif payment.fault is Unpaid.TOO_DEAR:
            what = f"you have {purse} DP and bid {asked}: this bid will not count (S9-D-14)"
            yield Remark(("bids", index), what, f"{payment.left} DP left for it")
    yield from _warn_of_bids(position, major, sheet, legal, married)


def _against_order(
    position: Position, place: tuple[str | int, ...], offer: Offer, objection: acts.Fault, speech: Speech
) -> Remark:
    """A remark on an illegal bid. If the unit could not carry out the order at all, it is Diplomacy's remark on that order."""
    if objection.reason in REASONS:
        return _remark(place, objection)
    order: AnyOrder = offer.wish  # type: ignore[assignment]  # marriages have other reasons
    field, still = position.ground, stationary(position)
    power, _ = field.units[offer.unit.province]
    read = diplomacy.Read(((0, order),), ())
    (said,) = diplomacy.remarks_on_orders(position.war, field, power, read, stationary=still)
    return replace(said, place=place, what=f"{said.what} (S9-{objection.rule})")


def _warn_of_bids(
    position: Position, major: SeatId, sheet: Sheet, legal: list[tuple[int, Bid[str]]], married: set[str]
) -> Iterator[Remark]:
    """Warnings about bids that the sheet's own orders make void, and about a marriage that the sheet orders but does not bid for."""
    if position.phase is not Phase.ORDERS:
        return
    names = position.ground.board.provinces
    work = Work(position, {major: sheet}, NamedDice(b"nothing is rolled"))
    attacked = attacked_by(work, major)
    for index, bid in legal:
        if bid.unit in attacked:
            what = f"you attack {names[bid.unit].name}, so your bid on it is void (S9-D-15)"
            yield Remark(("bids", index), what, "leave one of the two out", level="warning")
    for line in work.lines[major]:
        if isinstance(line.said, MarryMinor) and against_heir(position, major, line.said) is None:
            unit = position.ground.board.unit_name(position.ground.units[line.said.centre][1])
            if line.said.centre not in married:
                what = f"you bid nothing for {unit} to marry your heir (S9-T-3)"
                right = f"write under `bids`: 1 DP to {unit} Marry Heir {major}"
                yield Remark(("orders", line.index), what, right, level="warning")


# Other words --------------------------------------------------------------------------------------------------------


def _check_words(position: Position, major: SeatId, sheet: Sheet) -> Iterator[Remark]:
    reign = majors(position.settings)
    if sheet.concede is not None and sheet.concede not in reign:
        right = nearest(sheet.concede, reign) or "Majors: " + ", ".join(reign)
        yield Remark(("concede",), f"no Major is called {sheet.concede!r:.40}", right)
    for vassal, name in sheet.name.items():
        place = ("name", vassal)
        facts: Mapping[str, Fact] = {"vassal": vassal[:40]}
        if vassal not in ruled_by(position, major):
            yield _remark(place, illegal("not-your-vassal", "V-34", **facts), "leave it out")
        elif not is_young(position, vassal):
            yield _remark(place, illegal("no-longer-young", "V-34"), "leave it out")
        elif (fault := against_name(position, name)) is not None:
            yield Remark(
                place, f"{name!r:.40}: {fault} (S9-V-34)", "use at most 40 letters, and no word that is used in orders"
            )


# Options ------------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=20_000)
def _order(line: str) -> Sheet:
    """A sheet with one order, cached because most turns offer the same orders."""
    return Sheet(orders=(line,))


@functools.lru_cache(maxsize=20_000)
def _bid(line: str) -> Sheet:
    return Sheet(bids=(line,))


def unit_lines(position: Position, power: SeatId) -> tuple[str, ...]:
    """Every legal order of a power's units in this turn, as lines."""
    sites = builders(position).get(power)
    lines = diplomacy.legal_lines(position.war, power, stationary=stationary(position), sites=sites)
    return tuple(
        f"Waive {power}" if isinstance(order, Waive) and power in position.vassals else line for order, line in lines
    )


def wishes_for(position: Position, power: SeatId) -> tuple[str, ...]:
    """Orders for the units of a Minor, Thrall or Vassal that Majors can bid for, as lines (S9-E-2)."""
    lines = diplomacy.legal_lines(position.war, power, stationary=stationary(position))
    wishes = [line for order, line in lines if power in position.vassals or not _convoys(order)]
    if power in minors(position):
        board = position.ground.board
        here = position.ground.units.get(centre_of(board, power))
        if here is not None:
            wishes += [f"{board.unit_name(here[1])} Marry Heir {major}" for major in position.heirs]
    return tuple(wishes)


def _convoys(order: AnyOrder) -> bool:
    return isinstance(order, Convoy)


def open_to_bids(position: Position, major: SeatId) -> tuple[SeatId, ...]:
    """Powers whose units a Major may bid on: Minors, Thralls, and Vassals that it rules (S9-D-6)."""
    return tuple(
        power
        for power in position.ground.powers
        if power not in majors(position.settings)
        and position.units.get(power)
        and (power not in position.vassals or power in ruled_by(position, major))
    )


def marriages(position: Position, major: SeatId) -> Iterator[MarryMinor | MarryHeir]:
    """Every legal order of a Major's heir."""
    if position.phase is not Phase.ORDERS or major not in position.heirs:
        return
    board = position.ground.board
    for minor in minors(position):
        said = MarryMinor(major, centre_of(board, minor))
        if against_heir(position, major, said) is None:
            yield said
    if position.season is not Season.AUTUMN:
        return
    for other in position.heirs:
        if other != major and shared_vassal(position, major, other) is None:
            for code in fit_locations(position, major, other):
                match = MarryHeir(major, other, code)
                if against_heir(position, major, match) is None:
                    yield match


def options(position: Position, major: SeatId) -> Iterable[Sheet]:
    """Every legal order of a Major, one per sheet. Each bid is 1 DP, because the amount does not decide whether it is legal."""
    if major not in living(position):
        return
    speech = speech_of(position)
    for line in unit_lines(position, major):
        yield _order(line)
    if position.phase is Phase.ORDERS:
        for said in marriages(position, major):
            yield _order(speech.write(said, {}))
        for power in open_to_bids(position, major):
            for wish in wishes_for(position, power):
                yield _bid(f"1 DP to {wish}")
    else:
        for vassal in ruled_by(position, major):
            for line in unit_lines(position, vassal):
                yield _order(line)
    if position.phase is Phase.WINTER and can_build_heir(position, major):
        yield _order("Build Heir")
    if position.settings.draws is not diplomacy.Draws.NONE:
        yield Sheet(draw=major not in position.votes)
