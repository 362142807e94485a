"""What a seat may order, from what everybody sees; and what would become of a sheet if nobody else sent one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.hexes import DIRECTIONS
from adjudicator.rulesets.grand_campaign.march import Trouble
from adjudicator.rulesets.grand_campaign.marching import Phase as Marching
from adjudicator.rulesets.grand_campaign.orders import (
    BATTLE_PARTS,
    ITEMS,
    PARTS,
    RESULTS,
    SEASON_PARTS,
    AnySheet,
    BattlesSheet,
    Order,
    Part,
    PlacementSheet,
    SeasonSheet,
    Unreadable,
    reader_of,
    sheet_type,
)
from adjudicator.rulesets.grand_campaign.position import Army, Position
from adjudicator.rulesets.grand_campaign.prose import verdict_words
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.resolve import resolve
from adjudicator.rulesets.grand_campaign.rosters import roster_faults
from adjudicator.rulesets.grand_campaign.tables import ACTIONS, FACTIONS, PARTIES
from adjudicator.rulesets.grand_campaign.world import World

ALONE = NamedDice
"""Dice of a sheet that is looked at by itself: what they show is told to nobody."""
BY_OTHERS: frozenset[Reason] = frozenset(
    {"unanswered", "no-majority", "nobody-came", "no-joust", "halted", "met-before", "one-sided", "rolled", "twice", "lost-roll-off"}
)  # fmt: skip
"""Why something comes to nothing when others send nothing: nobody is warned of it."""

# Checking -----------------------------------------------------------------------------------------------------------


def check(view: Position, seat: SeatId, sheet: SheetWords) -> tuple[Remark, ...]:
    """What is wrong with a sheet: unreadable lines are errors, lines that would fail as things stand are warnings (GC-Z-9)."""
    return tuple(_remarks(view, seat, sheet))


def _remarks(view: Position, seat: SeatId, sheet: SheetWords) -> Iterator[Remark]:
    if view.closed or seat not in view.realms:
        return
    match sheet:
        case PlacementSheet():
            yield from _wishes(view, sheet)
        case SeasonSheet():
            yield from _rosters(sheet)
            yield from _lines(view, seat, sheet, SEASON_PARTS)
        case BattlesSheet():
            known = {battle.id for battle in view.battles}
            for name in sheet.accounts:
                if name not in known:
                    yield Remark(("accounts", name), f"there is no battle {name!r:.10}", ", ".join(sorted(known)))
            yield from _lines(view, seat, sheet, BATTLE_PARTS)
        case _:
            raise AssertionError(sheet)


def _wishes(view: Position, sheet: PlacementSheet) -> Iterator[Remark]:
    """Hexes that the map does not have."""
    for key in ("city", "fortress", "towns", "armies", "general"):
        for number, label in enumerate(getattr(sheet, key)):
            if label.strip() not in view.grid:
                right = nearest(label.strip(), view.grid.hexes) or f"{view.grid.hexes[0]} to {view.grid.hexes[-1]}"
                yield Remark((key, number), f"{label!r:.20} is no hex of this map", right)


def _rosters(sheet: SeasonSheet) -> Iterator[Remark]:
    """Lists that are no lists (GC-F-3)."""
    for name, roster in sheet.rosters.items():
        for path, what, right in roster_faults(roster, tuple(FACTIONS)):
            yield Remark(("rosters", name, *path), what, right)


def _lines(view: Position, seat: SeatId, sheet: SheetWords, parts: tuple[Part, ...]) -> Iterator[Remark]:
    """What is wrong with lines by themselves, and what would become of them if nobody else did anything."""
    reader = reader_of(view.plan)
    world = World(view, {}, ALONE(b"alone"))
    places: dict[str, list[tuple[str | int, ...]]] = defaultdict(list)
    for part in parts:
        seen: dict[tuple[str, ...], int] = {}
        for number, text in enumerate(getattr(sheet, part, None) or ()):
            found = reader.read(part, world.named(seat, text))
            if isinstance(found, Unreadable):
                yield Remark((part, number), found.what, found.right)
                continue
            if found.rolled:
                what = "dice written on a line are left out: the turn's own decide (GC-P-7)"
                yield Remark((part, number), what, found.line, level="warning")
            key = reader.once(found)
            if key in seen:
                what = f"line {seen[key] + 1} of `{part}` says so already (GC-P-5)"
                yield Remark((part, number), what, "leave one of the two out")
                continue
            seen[key] = number
            places[found.line].append((part, number))
    done = resolve(view, {seat: sheet}, ALONE(b"alone"))
    for verdict in done.verdicts:
        reason: Reason = verdict.reason  # type: ignore[assignment]  # `World.judge` writes no other
        bad = verdict.result in {"fails", "partly", "illegal"} and reason not in BY_OTHERS
        if verdict.seat == seat and bad and places.get(verdict.order):
            words = verdict_words(verdict).removeprefix(f"{verdict.order.rstrip('.')}: ").rstrip(".")
            what = f"as things stand: {words} ({verdict.rule})"
            yield Remark(
                places[verdict.order].pop(0), what, "it may be otherwise when everybody moves", level="warning"
            )


# Looking at one army ------------------------------------------------------------------------------------------------


def preview(view: Position, army: Army, line: str) -> tuple[Marching, list[Trouble]] | None:
    """An army's line carried out while everybody else stands still: the phase, and what was in its way; None if it is unreadable."""
    order = reader_of(view.plan).read("armies", line)
    if not isinstance(order, Order):
        return None
    world = World(view, {}, ALONE(b"alone"))
    world.orders[army.owner, "armies"] = [order]
    marching = Marching(world)
    marching.prepare()
    marching.run()
    return marching, marching.marches[army.key].troubles


# Options ------------------------------------------------------------------------------------------------------------


def options(view: Position, seat: SeatId) -> Iterable[AnySheet]:
    """Sheets of one line each that are legal as things stand; of what is without number (paths, lists, trades) the first step."""
    if view.closed or view.realms[seat].out:
        return
    for sheet in _candidates(view, seat):
        if not any(True for _ in _remarks(view, seat, sheet)):
            yield sheet


def _candidates(view: Position, seat: SeatId) -> Iterator[AnySheet]:
    kind = sheet_type(view, seat)
    if kind is PlacementSheet:
        yield from (PlacementSheet(city=(label,)) for label in view.grid.hexes[:12])
        return
    if kind is BattlesSheet:
        for battle in view.battles:
            if seat in {key.rpartition(" ")[0] for key in (battle.attackers[0], battle.defender or "")}:
                yield from (BattlesSheet(results=(f"{battle.id}: {result}",)) for result in RESULTS)
        return
    for part, line in season_lines(view, seat):
        sheet: dict[str, Any] = {part: (line,)}
        yield SeasonSheet(**sheet)


def season_lines(view: Position, seat: SeatId) -> Iterator[tuple[Part, str]]:
    """Lines of a season that a player might write, legal or not."""
    for other in view.plan.seats:
        if other != seat and not view.realms[other].out:
            for word in ("war with", "alliance with", "peace with", "dissolve alliance with"):
                yield "diplomacy", f"{word} {other}"
    for army in view.armies:
        if army.owner == seat and army.at is not None:
            yield from (("armies", f"{army.id}: {way}") for way in DIRECTIONS)
            simple = (form for form in ITEMS if "{" not in form and form not in DIRECTIONS)
            yield from (("armies", f"{army.id}: {form}") for form in simple)
            yield from (("armies", f"{army.id}: Prepare to Attack {way}") for way in DIRECTIONS)
    faction = FACTIONS[view.realms[seat].faction]
    free = next(
        f"P{number}" for number in range(1, 100) if f"{seat} P{number}" not in {one.key for one in view.parties}
    )
    spots = {
        near
        for label, kind in view.works.items()
        if view.holder.get(label) == seat
        for near in view.grid.neighbours(label).values()
    }
    for spot in sorted(spots)[:12]:
        yield from (("spending", f"party {free} of 2 {kind} at {spot}") for kind in faction.parties if kind in PARTIES)
    for party in view.parties:
        if party.owner == seat:
            yield from (("parties", f"{party.id}: {way}") for way in DIRECTIONS)
            yield from (
                ("parties", f"{party.id}: {one.name}")
                for one in ACTIONS.parties.values()
                if one.name in {"Loot Town", "Explore Ruin", "Sabotage Mine", "Convert Gold"}
            )


assert set(PARTS) == {*SEASON_PARTS, *BATTLE_PARTS}, "every list is on one of the sheets"
