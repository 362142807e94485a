"""Heirs: which of their orders are legal, who weds whom, and who is betrothed until the Census (S9-M, S9-T, S9-V)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract import acts
from adjudicator.core.contract.acts import illegal
from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.mechanics.notation import Fault
from adjudicator.mechanics.provinces import Unit
from adjudicator.rulesets.saga_of_the_nine.events import HeirBuilt, Promised, Wed
from adjudicator.rulesets.saga_of_the_nine.orders import BuildHeir, HeirOrder, MarryHeir, MarryMinor
from adjudicator.rulesets.saga_of_the_nine.position import (
    Betrothal,
    Phase,
    Position,
    Season,
    capital_of,
    living,
    minors,
    owner_of,
    shared_vassal,
)
from adjudicator.rulesets.saga_of_the_nine.work import Suit, Work, add_unreadable


def unwelcome(position: Position, major: SeatId) -> tuple[SeatId, Unit] | None:
    """Another power and its unit in a Major's Capital; None if no such unit is there (S9-M-5, S9-M-6)."""
    ground = position.ground
    here = ground.units.get(capital_of(ground.board, major))
    return here if here is not None and here[0] != major else None


def against_heir(position: Position, major: SeatId, order: HeirOrder) -> acts.Fault | None:
    """Why an heir's order is illegal, whatever others do; None if it is legal (S9-M-4, S9-M-5, S9-T-2, S9-V-1 to S9-V-8)."""
    if order.heir != major:
        return illegal("not-your-heir", "M-4", heir=order.heir)
    if major not in position.heirs:
        return illegal("no-heir", "M-4", heir=major)
    stranger = unwelcome(position, major)
    if stranger is not None:
        unit = position.ground.board.unit_name(stranger[1])
        return illegal("capital-held", "M-5", unit=unit, power=stranger[0])
    if isinstance(order, MarryMinor):
        return _against_minor(position, order)
    return _against_match(position, order)


def _against_minor(position: Position, order: MarryMinor) -> acts.Fault | None:
    """Why an order to marry a Minor is illegal; None if it is legal."""
    ground = position.ground
    place = ground.board.provinces[order.centre]
    owner = ground.owners.get(order.centre)
    if owner in position.thralls and owner is not None:
        return illegal("is-thrall", "T-16", thrall=owner, controller=position.thralls[owner])
    if owner is None or owner not in minors(position):
        return illegal("no-minor", "T-1", place=place.name, **{"owner": owner} if owner else {})
    here = ground.units.get(order.centre)
    if here is None or here[0] != owner:
        return illegal("minor-without-unit", "T-2", minor=owner)
    if order.kind and order.kind != here[1].kind:
        return illegal("minor-wrong-kind", "T-2", unit=ground.board.unit_name(here[1]))
    return None


def _against_match(position: Position, order: MarryHeir) -> acts.Fault | None:
    """Why an order to marry another Major's heir is illegal; None if it is legal."""
    ground, me, other = position.ground, order.heir, order.other
    board = ground.board
    if position.season is not Season.AUTUMN:
        return illegal("not-in-spring", "V-1")
    if me == other:
        return illegal("with-itself", "M-1")
    if not order.at:
        return illegal("no-location", "V-2")
    place = board.provinces[order.at]
    facts: dict[str, Fact] = {"place": place.name, "other": other}
    if other not in position.heirs:
        return illegal("other-has-no-heir", "M-1", **facts)
    vassal = shared_vassal(position, me, other)
    if vassal is not None:
        return illegal("share-a-vassal", "V-6", vassal=vassal, other=other)
    if place.home in (me, other):
        return illegal("location-is-home", "V-3", place=place.name, home=place.home)
    giver = ground.owners.get(order.at)
    if giver not in (me, other):
        return illegal("location-is-neithers", "V-3", **facts)
    here = ground.units.get(order.at)
    if here is not None and here[0] != giver:
        facts = {"unit": board.unit_name(here[1]), "power": here[0], "place": place.name}
        return illegal("location-held", "V-8", **facts)
    stranger = unwelcome(position, other)
    if stranger is not None:
        return illegal("their-capital-held", "V-8", unit=board.unit_name(stranger[1]), power=stranger[0])
    return None


def fit_locations(position: Position, one: SeatId, other: SeatId) -> tuple[str, ...]:
    """Codes of the centres where two heirs could marry now, sorted (S9-V-3, S9-V-4, S9-V-8)."""
    ground = position.ground
    return tuple(
        code
        for code, owner in sorted(ground.owners.items())
        if owner in (one, other)
        and ground.board.provinces[code].home not in (one, other)
        and (code not in ground.units or ground.units[code][0] == owner)
    )


# Orders -------------------------------------------------------------------------------------------------------------


def hear_suits(work: Work) -> None:
    """Judges the heirs' orders by the position at the start of the phase (S9-M-2, S9-M-4, S9-M-5)."""
    units = work.war.start.names()
    for major, lines in work.lines.items():
        own: dict[HeirOrder, str] = {}
        repeated: list[str] = []
        for line in lines:
            if isinstance(line.said, Fault):
                add_unreadable(work, major, line.text, line.said)
            elif isinstance(line.said, BuildHeir):
                work.judge(major, work.speech.write(line.said, units), "illegal", "heir-not-now", "W-3")
            elif isinstance(line.said, MarryMinor | MarryHeir):
                text = work.speech.write(line.said, units)
                if line.said.heir != major:
                    work.judge(major, text, "illegal", "not-your-heir", "M-4", heir=line.said.heir)
                elif is_of_another_kind(
                    work.start, line.said
                ):  # It is for a unit that is not there, and spoils no other order.
                    objection = against_heir(work.start, major, line.said)
                    assert objection is not None
                    work.fail(major, text, objection)
                elif (order := plain_suit(work.start, line.said)) in own:
                    repeated.append(text)
                else:
                    own[order] = text
        for text in repeated:
            if len(own) == 1:
                work.judge(major, text, "illegal", "heir-repeated", "M-2")
            else:
                work.judge(major, text, "illegal", "heir-told-twice", "M-2")
        for order, text in own.items():
            if len(own) > 1:
                work.judge(major, text, "illegal", "heir-told-twice", "M-2")
                continue
            objection = against_heir(work.start, major, order)
            if objection is not None:
                work.fail(major, text, objection)
            else:
                work.suits[major] = Suit(order, text)


def is_of_another_kind(position: Position, order: HeirOrder) -> bool:
    """True if an order to marry a Minor names the wrong kind of unit (DP-O-6)."""
    if not isinstance(order, MarryMinor) or not order.kind:
        return False
    here = position.ground.units.get(order.centre)
    return here is not None and here[1].kind != order.kind


def plain_suit(position: Position, order: HeirOrder) -> HeirOrder:
    """The order in the form that equal orders share: without the kind of the Minor's unit, unless it is the wrong kind."""
    if not isinstance(order, MarryMinor):
        return order
    here = position.ground.units.get(order.centre)
    return replace(order, kind="") if here is None or here[1].kind == order.kind else order


def refuse_suits(work: Work) -> None:
    """Refuses heirs' orders out of season. Heirs marry only in phases of orders (S9-M-1), and are built only in winter (S9-W-3)."""
    units = work.war.start.names()
    for major, lines in work.lines.items():
        for line in lines:
            if isinstance(line.said, Fault):
                add_unreadable(work, major, line.text, line.said)
            elif isinstance(line.said, MarryMinor | MarryHeir):
                work.judge(major, work.speech.write(line.said, units), "illegal", "marry-not-now", "M-1")
            elif isinstance(line.said, BuildHeir) and work.start.phase is Phase.RETREATS:
                work.judge(major, work.speech.write(line.said, units), "illegal", "heir-not-now", "W-3")


def wed_minors(work: Work) -> None:
    """Weds heirs to Minors that accept and were not dislodged. The heir moves there, and the Minor becomes a Thrall (S9-T-4, S9-T-7, S9-T-8)."""
    for major, suit in work.suits.items():
        if not isinstance(suit.order, MarryMinor):
            continue
        province = suit.order.centre
        minor = work.war.start.owners[province]
        answer = work.told.get(province)
        facts: dict[str, Fact] = {"minor": minor}
        if province in work.war.dislodged:
            work.judge(major, suit.line, "fails", "bride-dislodged", "T-4", **facts)
        elif answer == major:
            _wed(work, major, minor, suit.line, province)
        elif answer is not None and _weds(work, answer, province):
            work.judge(major, suit.line, "fails", "wed-another", "M-3", **facts | {"other": answer})
        elif answer is not None:
            work.judge(major, suit.line, "fails", "named-another", "M-3", **facts | {"other": answer})
        else:
            work.judge(major, suit.line, "fails", "no-yes", "T-3", **facts)


def _weds(work: Work, major: SeatId, province: str) -> bool:
    """True if a Major's heir has a legal order to marry the Minor in this province."""
    suit = work.suits.get(major)
    return suit is not None and isinstance(suit.order, MarryMinor) and suit.order.centre == province


def _wed(work: Work, major: SeatId, minor: SeatId, line: str, province: str) -> None:
    position = work.position
    helped = tuple(other for other in work.helpers.get(province, ()) if other != major)
    capital = work.name(capital_of(work.board, major))
    work.judge(major, line, "succeeds", "wed", "T-7", minor=minor)
    work.tell(Wed(major=major, minor=minor, capital=capital, helped=helped))
    work.amend(
        heirs=tuple(other for other in position.heirs if other != major),
        thralls=dict(sorted({**position.thralls, minor: major}.items())),
    )


def betroth(work: Work) -> None:
    """Betroths heirs who name each other and the same Location, until the Census (S9-V-2, S9-V-11)."""
    pairs: list[Betrothal] = []
    for major, suit in work.suits.items():
        order = suit.order
        if not isinstance(order, MarryHeir):
            continue
        answer = work.suits.get(order.other)
        facts: dict[str, Fact] = {"other": order.other, "place": work.name(order.at)}
        if answer is None or not isinstance(answer.order, MarryHeir) or answer.order.other != major:
            work.judge(major, suit.line, "fails", "no-answer", "V-2", **facts)
            continue
        if answer.order.at != order.at:
            work.judge(
                major, suit.line, "fails", "other-location", "V-2", **facts | {"there": work.name(answer.order.at)}
            )
            continue
        work.judge(major, suit.line, "succeeds", "betrothed", "V-11", **facts)
        giver = work.war.start.owners[order.at]
        if giver == major:
            pairs.append(Betrothal(giver=giver, receiver=order.other, at=work.name(order.at)))
    pairs.sort(key=lambda pair: pair.giver)
    work.events += [Promised(giver=pair.giver, receiver=pair.receiver, at=pair.at) for pair in pairs]
    work.amend(betrothed=tuple(pairs))


# Winter -------------------------------------------------------------------------------------------------------------


def against_new_heir(position: Position, major: SeatId, order: BuildHeir) -> acts.Fault | None:
    """Why a Major cannot build an heir this winter; None if it can (S9-H-6)."""
    board = position.ground.board
    capital = capital_of(board, major)
    name = board.provinces[capital].name
    if order.at and order.at != capital:
        owner = position.ground.owners.get(order.at)
        if owner in position.vassals and owner is not None:
            return illegal("vassals-build-no-heirs", "V-23", vassal=owner)
        return illegal("heir-elsewhere", "H-6", capital=name, place=board.provinces[order.at].name)
    if owner_of(position, name) != major:
        return illegal("capital-lost", "H-6", capital=name)
    if major in position.heirs:
        return illegal("heir-there", "H-6", capital=name)
    if position.built.get(major) == position.cycle - 1:
        return illegal("heir-last-winter", "H-6", cycle=position.cycle - 1)
    return None


def can_build_heir(position: Position, major: SeatId) -> bool:
    """True if a Major may build an heir in the winter of this cycle."""
    return against_new_heir(position, major, BuildHeir()) is None


def build_heirs(work: Work) -> None:
    """Builds new heirs in their Capitals (S9-H-6, S9-W-3, S9-W-4)."""
    units = work.war.start.names()
    for major, lines in work.lines.items():
        done = False
        for line in lines:
            if not isinstance(line.said, BuildHeir):
                continue
            capital = capital_of(work.board, major)
            order = BuildHeir() if line.said.at == capital else line.said
            text = work.speech.write(order, units)
            objection = against_new_heir(work.start, major, order)
            if objection is not None:
                work.fail(major, text, objection)
            elif done:
                work.judge(major, text, "illegal", "heir-repeated", "H-3")
            else:
                done = True
                work.judge(major, text, "succeeds", "heir-built", "H-6", capital=work.name(capital))
                work.tell(HeirBuilt(major=major, at=work.name(capital)))
                position = work.position
                work.amend(
                    heirs=tuple(each for each in living(position) if each in (*position.heirs, major)),
                    built=dict(sorted({**position.built, major: position.cycle}.items())),
                )
