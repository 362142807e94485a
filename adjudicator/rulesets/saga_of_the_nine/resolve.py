"""Judges a turn of a saga, from sheets to the next position.

Bids decide the orders of units without a player. Then the war is judged as in standard Diplomacy, each unit under its own power's
name. After the war, heirs wed, and in Autumn the Census follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.boards import NAME
from adjudicator.mechanics.notation import RESERVED, AnyOrder, Fault, Waive, spoken_words
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import census, victory
from adjudicator.rulesets.saga_of_the_nine.bidding import refuse_bids, take_bids
from adjudicator.rulesets.saga_of_the_nine.events import AnyEvent, Renamed
from adjudicator.rulesets.saga_of_the_nine.heirs import (
    betroth,
    build_heirs,
    can_build_heir,
    hear_suits,
    refuse_suits,
    wed_minors,
)
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet, WaiveFor, is_of_units, read_bids, read_lines
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    living,
    majors,
    ruled_by,
    stationary,
)
from adjudicator.rulesets.saga_of_the_nine.vassals import builders, command_retreats, command_winter
from adjudicator.rulesets.saga_of_the_nine.work import Work, add_command, add_unreadable


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judges one turn. A saga rolls no dice."""
    work = Work(position, sheets, dice)
    refuse_the_fallen(work, sheets)
    for step in STEPS[position.phase]:
        step(work)
    ranked = {power: number for number, power in enumerate(work.war.powers)}
    work.verdicts.sort(key=lambda verdict: ranked[verdict.seat])
    return work.done(work.position)


def refuse_the_fallen(work: Work, sheets: Mapping[SeatId, Sheet]) -> None:
    """Refuses the orders of eliminated Majors (S9-N-4)."""
    units = work.war.start.names()
    for major in majors(work.start.settings):
        if major in work.sheets or major not in sheets:
            continue
        for line in read_lines(work.speech, sheets[major], major):
            if isinstance(line.said, Fault):
                add_unreadable(work, major, line.text, line.said)
            else:
                work.judge(major, work.speech.write(line.said, units), "illegal", "eliminated", "N-4")
        for bid in read_bids(work.speech, sheets[major], major):
            if isinstance(bid.offer, Fault):
                add_unreadable(work, major, bid.text, bid.offer)
            else:
                work.judge(major, work.speech.write_bid(bid.offer, units), "illegal", "eliminated", "N-4")
        for vassal, name in sorted(sheets[major].name.items()):
            work.judge(major, naming(vassal, name), "illegal", "eliminated", "N-4")


# Steps that all turns share -----------------------------------------------------------------------------------------


def note_missing_sheets(work: Work) -> None:
    """Reports Majors that owed a sheet and sent none (S9-N-1, S9-N-2), and counts phases of orders missed in a row (S9-K-11)."""
    owed = due(work.start)
    missed = {major: turns for major, turns in work.start.missed.items() if major not in work.sheets}
    for major in majors(work.start.settings):
        if major in owed and major not in work.sheets:
            work.tell(diplomacy.Missing(power=major))
            if work.start.phase is Phase.ORDERS:
                missed[major] = missed.get(major, 0) + 1
    work.amend(missed=dict(sorted(missed.items())))


def print_the_war(work: Work) -> None:
    """Adds verdicts for everybody who gave an order and for every unit that nobody ordered, and the war's facts."""
    judged = diplomacy.verdicts_on(work.war.start, work.war.judged, RULE_OF)
    for verdict, (power, order), givers in zip(judged, work.commands, work.given, strict=True):
        line = _for_vassals(work, power, order, verdict)
        for major in givers:
            facts = dict(line.facts or {})
            if len(givers) > 1:
                facts["with"] = next(other for other in givers if other != major)
            work.verdicts.append(replace(line, seat=major, facts=facts or None))
        if not givers:
            work.verdicts.append(replace(line, implied=True))
    yielded = {work.unit_name(province): name for name, province in work.gave_way}
    for verdict in diplomacy.verdicts_on(work.war.start, work.war.implied, RULE_OF):
        if yielded.get(verdict.order.removeprefix("Disband ")) != verdict.seat:
            work.verdicts.append(verdict)
    for event in work.war.events:
        if isinstance(event, diplomacy.Disbanded) and yielded.get(event.unit) == event.power:
            work.tell(replace(event, why="collided"))
        else:
            work.tell(event)


def _for_vassals(work: Work, power: SeatId, order: AnyOrder, verdict: diplomacy.UnitVerdict) -> diplomacy.UnitVerdict:
    """A verdict adapted to a Vassal, which builds only in its Capital (S9-V-21) and is named in its waivers."""
    if power not in work.start.vassals:
        return verdict
    if isinstance(order, Waive):
        verdict = replace(verdict, order=work.speech.write(WaiveFor(power), {}))
    if verdict.reason == "not-a-home-centre":
        capital = work.start.vassals[power].capital
        return replace(
            verdict, reason="not-vassals-capital", rule="S9-V-21", facts={"vassal": power, "capital": capital}
        )
    return verdict


RULE_OF: Mapping[str, str] = {**diplomacy.RULE_OF, "sortie": "S9-E-3", "never-convoyed": "S9-E-3"}


def finish_autumn(work: Work) -> None:
    """Holds the Census once nobody has to retreat (S9-A-10)."""
    if work.start.season is Season.AUTUMN and not work.war.forced:
        census.hold_census(work)


def end_the_game(work: Work) -> None:
    """Counts the votes for a draw, and ends the game by a victory, a draw or a concession (S9-K)."""
    victory.count_votes(work)
    if work.start.season is Season.AUTUMN and not work.war.forced:
        put_board(work)
        victory.end_at_census(work)
    victory.concede(work)


def put_board(work: Work) -> None:
    """Copies the current board into the position."""
    field = work.war.field
    work.amend(
        units=diplomacy.unit_texts(work.board, field.units),
        centres=diplomacy.centre_texts(work.board, field.owners),
    )


def turn_the_page(work: Work) -> None:
    """Goes on to the next turn with something to decide (S9-A-10, S9-A-11)."""
    put_board(work)
    board, field, forced = work.board, work.war.field, work.war.forced
    work.amend(
        dislodged=tuple(
            diplomacy.DislodgedUnit(
                power=power,
                unit=board.unit_name(unit),
                attacked_from=work.name(attacker) if attacker else None,
            )
            for _, (power, unit, attacker) in sorted(field.dislodged.items())
        ),
        contested=tuple(sorted(work.name(code) for code in work.war.contested)) if forced else (),
    )
    position = work.position
    cycle, season, phase = position.cycle, position.season, Phase.ORDERS
    if forced:
        phase = Phase.RETREATS
    elif season is Season.SPRING:
        season = Season.AUTUMN
    elif season is Season.AUTUMN and has_winter(position):
        season, phase = Season.WINTER, Phase.WINTER
    else:
        cycle, season = board.calendar.after(cycle), Season.SPRING
    work.amend(cycle=cycle, season=season, phase=phase)


# Names --------------------------------------------------------------------------------------------------------------


def naming(vassal: str, name: str) -> str:
    """The line that names a Vassal, as its verdict shows it."""
    return f"Name {vassal[:40]} {name[:40]}"


def name_vassals(work: Work) -> None:
    """Gives a young Vassal the name that both its controllers write in one turn (S9-V-34)."""
    wanted = {major: dict(sorted(sheet.name.items())) for major, sheet in work.sheets.items()}
    agreed: dict[str, set[SeatId]] = {}
    """Name -> the young Vassals whose two controllers both write it."""
    for vassal, data in work.start.vassals.items():
        if not is_young(work.start, vassal):
            continue
        giver, receiver = (wanted.get(who, {}).get(vassal) for who in data.controllers)
        if giver is not None and giver == receiver:
            agreed.setdefault(giver, set()).add(vassal)
    names: dict[SeatId, SeatId] = {}
    for major, wishes in wanted.items():
        for vassal, name in wishes.items():
            order = naming(vassal, name)
            if vassal not in ruled_by(work.start, major):
                work.judge(major, order, "illegal", "not-your-vassal", "V-34", vassal=vassal[:40])
                continue
            other = next(who for who in work.start.vassals[vassal].controllers if who != major)
            if not is_young(work.start, vassal):
                work.judge(major, order, "illegal", "no-longer-young", "V-34", vassal=vassal)
            elif (fault := against_name(work.start, name)) is not None:
                work.judge(major, order, "illegal", "no-name", "V-34", what=fault)
            elif wanted.get(other, {}).get(vassal) != name:
                work.judge(major, order, "fails", "name-alone", "V-34", other=other)
            elif len(agreed[name]) > 1:
                work.judge(major, order, "fails", "name-taken", "V-34")
            else:
                names[vassal] = name
                work.judge(major, order, "succeeds", "named", "V-34", vassal=vassal)
    for vassal, name in names.items():
        work.tell(Renamed(vassal=vassal, name=name))
    _rename(work, names)


def _rename(work: Work, names: Mapping[SeatId, SeatId]) -> None:
    """Renames Vassals everywhere in the position."""
    if not names:
        return
    position = work.position

    def rename(table: Mapping[SeatId, tuple[str, ...]]) -> dict[SeatId, tuple[str, ...]]:
        return {names.get(power, power): texts for power, texts in table.items()}

    work.amend(
        units=rename(position.units),
        centres=rename(position.centres),
        dislodged=tuple(replace(lost, power=names.get(lost.power, lost.power)) for lost in position.dislodged),
        vassals=dict(sorted((names.get(name, name), vassal) for name, vassal in position.vassals.items())),
    )


def is_young(position: Position, vassal: SeatId) -> bool:
    """True if a Vassal may still get a name: until the first Spring orders after its founding have been judged (S9-V-34)."""
    born = position.vassals[vassal].born
    if position.season is Season.WINTER:
        return born == position.cycle
    after = position.settings.ground.calendar.after(born)
    return position.cycle == after and (position.season, position.phase) == (Season.SPRING, Phase.ORDERS)


def against_name(position: Position, name: str) -> str | None:
    """The fault in a name for a Vassal; None if it has none (S9-V-34)."""
    board = position.settings.ground
    words = spoken_words(name)
    if not NAME.fullmatch(name) or not words or {*words} & {*RESERVED, "heir", "dp"}:
        return "an order cannot contain this name"
    taken = [*board.powers, *board.others, *position.vassals]
    taken += [text for code, one in board.provinces.items() for text in (code, one.name, *one.also)]
    if words in {spoken_words(other) for other in taken}:
        return "somebody or something already has that name"
    if len(words[0]) == 3 and len(words) == 1 and words[0][0] == "v":
        return "such names are those of other Vassals (S9-V-16)"
    return None


# Orders -------------------------------------------------------------------------------------------------------------


def command_units(work: Work) -> None:
    """Takes Majors' orders for their own units, and refuses those for other units, which bids decide about (S9-D-1, S9-V-20)."""
    units = work.war.start.names()
    for major, lines in work.lines.items():
        for line in lines:
            said = line.said
            if isinstance(said, WaiveFor):
                work.verdicts.append(diplomacy.not_now_verdict(major, work.speech.write(said, units)))
            elif is_of_units(said):
                order: AnyOrder = said  # type: ignore[assignment]  # an order of a unit, as was just checked
                here = work.war.start.units.get(diplomacy.province_of(order))
                if here is None or here[0] in majors(work.start.settings):
                    add_command(work, major, order, major)
                    continue
                rule = "V-20" if here[0] in work.start.vassals else "D-1"
                text = work.speech.write(order, units)
                work.judge(major, text, "illegal", "ordered-by-bids", rule, power=here[0])


def move_units(work: Work) -> None:
    """Resolves all units' orders together. Minors' and Thralls' units never leave their place (S9-E-1, S9-E-3)."""
    work.war.orders = work.commands
    work.war.stationary = stationary(work.start)
    diplomacy.carry_out(work.war)


# Retreats and winter ------------------------------------------------------------------------------------------------


def carry_out(work: Work) -> None:
    """Carries out retreats, or builds and removals of Majors and Vassals (S9-W-1, S9-V-21)."""
    work.war.orders = work.commands
    work.war.builders = builders(work.start)
    diplomacy.carry_out(work.war)


STEPS: Mapping[Phase, tuple[Callable[[Work], None], ...]] = {
    Phase.ORDERS: (
        note_missing_sheets,
        hear_suits,
        command_units,
        take_bids,
        move_units,
        print_the_war,
        wed_minors,
        betroth,
        finish_autumn,
        end_the_game,
        turn_the_page,
        name_vassals,
    ),
    Phase.RETREATS: (
        note_missing_sheets,
        refuse_suits,
        refuse_bids,
        command_retreats,
        carry_out,
        print_the_war,
        finish_autumn,
        end_the_game,
        turn_the_page,
        name_vassals,
    ),
    Phase.WINTER: (
        note_missing_sheets,
        refuse_suits,
        refuse_bids,
        command_winter,
        carry_out,
        print_the_war,
        build_heirs,
        end_the_game,
        turn_the_page,
        name_vassals,
    ),
}
"""The steps of each kind of turn. Vassals are named last, so that the turn's facts use their old names."""


# Sheets that are due ------------------------------------------------------------------------------------------------


def due(position: Position) -> frozenset[SeatId]:
    """The Majors with something to order (S9-N-5)."""
    match position.phase:
        case Phase.ORDERS:
            return frozenset(living(position))
        case Phase.RETREATS:
            powers = {lost.power for lost in position.dislodged}
        case Phase.WINTER:
            powers = {name for name in builders(position) if adjusts(position, name)}
            powers |= {major for major in living(position) if can_build_heir(position, major)}
        case _:
            assert_never(position.phase)
    return frozenset(
        major for major in living(position) if major in powers or powers.intersection(ruled_by(position, major))
    )


def adjusts(position: Position, power: SeatId) -> bool:
    """True if a Major or Vassal has something to build or to remove in winter."""
    return diplomacy.adjusts(position.ground, position.war, power, builders(position)[power])


def has_winter(position: Position) -> bool:
    """True if anybody can do anything in the winter of this cycle (S9-W-6)."""
    return any(adjusts(position, power) for power in builders(position)) or any(
        can_build_heir(position, major) for major in living(position)
    )
