"""The options of a seat, from the public position; and a check of a sheet as if nobody else sent one."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.core.contract.lines import find_name
from adjudicator.core.contract.resolution import Remark, SeatId, Verdict
from adjudicator.core.contract.sheet import ORDER_LETTERS, SheetWords
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.hexes import DIRECTIONS
from adjudicator.rulesets.grand_campaign.acts import BATTLE_PARTS, MOVES, PARTS, SEASON_PARTS, Part
from adjudicator.rulesets.grand_campaign.bonus import WORDS
from adjudicator.rulesets.grand_campaign.diplomacy import goods_of
from adjudicator.rulesets.grand_campaign.events import AnyEvent, Earned
from adjudicator.rulesets.grand_campaign.march import Trouble
from adjudicator.rulesets.grand_campaign.marching import Phase as Marching
from adjudicator.rulesets.grand_campaign.orders import (
    RESULTS,
    Account,
    AnySheet,
    BattlesSheet,
    Order,
    PlacementSheet,
    SeasonSheet,
    Unreadable,
    reader_of,
    sheet_type,
)
from adjudicator.rulesets.grand_campaign.placing import asked, vain_wishes
from adjudicator.rulesets.grand_campaign.position import Army, Battle, Position, pair
from adjudicator.rulesets.grand_campaign.prose import verdict_words
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.resolve import resolve, resolve_in
from adjudicator.rulesets.grand_campaign.rosters import character, roster_faults, unit
from adjudicator.rulesets.grand_campaign.season import at_home, in_the_field
from adjudicator.rulesets.grand_campaign.skirmishes import skirmish_id
from adjudicator.rulesets.grand_campaign.tables import ACTIONS, FACTIONS, PARTIES
from adjudicator.rulesets.grand_campaign.world import Enough, World

AFIELD: tuple[Part, ...] = ("armies", "parties")
"""Lists that are read only when armies and parties set out."""
ALONE = NamedDice
"""Dice for trying a sheet by itself; nobody sees their rolls."""
BY_OTHERS: frozenset[Reason] = frozenset(
    {"unanswered", "no-majority", "nobody-came", "no-joust", "halted", "met-before", "one-sided", "rolled", "twice", "lost-roll-off"}
)  # fmt: skip
"""Reasons that apply only because the others sent nothing: they cause no warning."""

# Checking -----------------------------------------------------------------------------------------------------------


def check(view: Position, seat: SeatId, sheet: SheetWords) -> tuple[Remark, ...]:
    """The faults in a sheet: unreadable lines are errors, and lines that would fail in the current position are warnings (GC-Z-9)."""
    return tuple(_remarks(view, seat, sheet))


def _remarks(view: Position, seat: SeatId, sheet: SheetWords, glances: _Glances | None = None) -> Iterator[Remark]:
    if view.closed or seat not in view.realms:
        return
    match sheet:
        case PlacementSheet():
            yield from _wishes(view, seat, sheet)
        case SeasonSheet():
            yield from _rosters(sheet)
            yield from _lines(view, seat, sheet, SEASON_PARTS, glances)
        case BattlesSheet():
            known = {battle.id for battle in view.battles}
            for at, account in enumerate(sheet.accounts):
                if account.battle not in known:
                    what = f"there is no battle {account.battle!r:.10}"
                    yield Remark(("accounts", at, "battle"), what, ", ".join(sorted(known)))
            yield from _lines(view, seat, sheet, BATTLE_PARTS, glances)
        case _:
            raise AssertionError(sheet)


def _wishes(view: Position, seat: SeatId, sheet: PlacementSheet) -> Iterator[Remark]:
    """Wishes for hexes that the map does not have, and wishes that cannot come true."""
    for key in ("city", "fortress", "towns", "armies", "general"):
        for number, label in enumerate(getattr(sheet, key)):
            if label.strip() not in view.grid:
                right = (
                    nearest(label.strip(), view.grid.hexes) or f"write {view.grid.hexes[0]} to {view.grid.hexes[-1]}"
                )
                yield Remark((key, number), f"{label!r:.20} is not a hex on this map", right)
    now = asked(view, seat)
    for key in WISHED:
        if getattr(sheet, key) and key not in now:
            yield Remark((key,), f"you place {WISHED[key]} in another turn (GC-C-17)", _now(now), level="warning")
    for key, label in vain_wishes(view, seat, sheet):
        if label in view.grid:
            number = [one.strip() for one in getattr(sheet, key)].index(label)
            what = f"{WISHED[key]} cannot be placed on {label}, even if nobody else is near (GC-C-9 to GC-C-15)"
            yield Remark((key, number), what, WHERE[key], level="warning")


def _now(keys: Sequence[str]) -> str:
    """The lists that a player fills in this turn, as advice."""
    return f"this turn is for {' and '.join(keys)}" if keys else "it is another player's turn"


WISHED: Mapping[str, str] = {
    "city": "a City", "fortress": "a Fortress", "towns": "a Town", "armies": "an army", "general": "the General's Army",
}  # fmt: skip
AWAY = "choose free ground, far from other settlements, on land that joins yours"
OWN = "choose a hex of your own realm that the army may enter, with no other army on it"
WHERE: Mapping[str, str] = {"city": AWAY, "fortress": AWAY, "towns": AWAY, "armies": OWN, "general": OWN}


def _rosters(sheet: SeasonSheet) -> Iterator[Remark]:
    """Faults in army lists on the sheet (GC-F-3)."""
    for at, roster in enumerate(sheet.rosters):
        for path, what, right in roster_faults(roster, tuple(FACTIONS)):
            yield Remark(("rosters", at, *path), what, right)
        if roster.name in {other.name for other in sheet.rosters[:at]}:
            yield Remark(("rosters", at, "name"), f"two lists are called {roster.name!r:.60}", "give each its own name")


class _Glances:
    """Tries sheets of one line, one after the other, each in a copy of the world and only until its line has a verdict."""

    def __init__(self, view: Position) -> None:
        self.fresh = World(view, {}, ALONE(b"alone"))

    @functools.cached_property
    def afield(self) -> World:
        """The world when armies and parties set out."""
        world = self.fresh.trial(ALONE(b"alone"))
        at_home(world)
        return world

    def look(self, seat: SeatId, sheet: SheetWords, places: Mapping[str, Sequence[tuple[str | int, ...]]]) -> World:
        """Try a sheet in a copy of the world; `places` maps its lines to their paths on the sheet."""
        afield = all(found[0][0] in AFIELD for found in places.values())
        world = (self.afield if afield else self.fresh).trial(ALONE(b"alone"))
        world.sheets, world.wanted = {seat: sheet}, {line[:ORDER_LETTERS] for line in places}
        with contextlib.suppress(Enough):
            if afield:
                world.read(*AFIELD)
                in_the_field(world)
            else:
                resolve_in(world)
        return world


def _lines(
    view: Position, seat: SeatId, sheet: SheetWords, parts: tuple[Part, ...], glances: _Glances | None
) -> Iterator[Remark]:
    """Faults in single lines, and their outcome if nobody else did anything.

    With `glances` of this view, a sheet of one line is tried only until that line has a verdict.
    """
    reader = reader_of(view.plan)
    world = glances.fresh if glances is not None else World(view, {}, ALONE(b"alone"))
    places: dict[str, list[tuple[str | int, ...]]] = defaultdict(list)
    for part in parts:
        seen: dict[tuple[str, ...], int] = {}
        for number, text in enumerate(getattr(sheet, part, None) or ()):
            found = reader.read(part, world.named(seat, text))
            if isinstance(found, Unreadable):
                right = found.right
                if right.startswith("such as"):
                    right = reader.hint(part, text, samples_of(view, seat)) or right
                yield Remark((part, number), found.what, right)
                continue
            if found.rolled:
                what = "dice written on a line do not count: the turn's dice decide (GC-P-7)"
                yield Remark((part, number), what, found.line, level="warning")
            yield from _strangers(view, seat, found, (part, number))
            key = reader.once(found)
            if key in seen:
                what = f"line {seen[key] + 1} of `{part}` already says so (GC-P-5)"
                yield Remark((part, number), what, "leave out one of the two")
                continue
            seen[key] = number
            places[found.line].append((part, number))
    if isinstance(sheet, SeasonSheet) and glances is None:
        yield from _costs(view, seat, {line: places[line] for line in places if places[line][0][0] == "armies"})
    yield from _promised(view, seat, sheet)
    glance = glances.look(seat, sheet, places) if glances is not None and places else None
    done = glance or resolve(view, {seat: sheet}, ALONE(b"alone"))
    yield from _spilt(seat, done.events, places)
    for verdict in done.verdicts:
        reason: Reason = verdict.reason  # type: ignore[assignment]  # `World.judge` writes no other
        bad = verdict.result in {"fails", "partly", "illegal"} and reason not in BY_OTHERS
        if verdict.seat == seat and bad and places.get(verdict.order):
            words = verdict_words(verdict).removeprefix(f"{verdict.order.rstrip('.')}: ").rstrip(".")
            what = f"as things stand: {words} ({verdict.rule})"
            right = _right_for(view, seat, sheet, verdict) or "it may turn out differently when everybody moves"
            yield Remark(places[verdict.order].pop(0), what, right, level="warning")


def _promised(view: Position, seat: SeatId, sheet: SheetWords) -> Iterator[Remark]:
    """Warnings about promised gold that is not in the purse: trades come before the season's income (GC-L-12, GC-J-1)."""
    if not isinstance(sheet, SeasonSheet):
        return
    reader, purse, gold = reader_of(view.plan), view.realms[seat].gold, 0
    for number, text in enumerate(sheet.diplomacy):
        order = reader.read("diplomacy", text)
        if isinstance(order, Order) and order.kind in {"trade", "priced_peace"}:
            gold += goods_of(order.args["goods"]).gold
            if gold > purse:
                what = f"you promise {gold} gold, but your purse has {purse} when trades are made (GC-L-12)"
                yield Remark(("diplomacy", number), what, "promise less: income comes after trades", level="warning")


def samples_of(view: Position, seat: SeatId) -> dict[str, str]:
    """Current samples for the blanks of a player's forms: a rival, one of the player's armies, a hex of the realm."""
    mine = [army for army in view.armies if army.owner == seat]
    rivals = [other for other in view.plan.seats if other != seat and not view.realms[other].out]
    parties = [party.id for party in view.parties if party.owner == seat]
    battles = [battle for battle in view.battles if _fights_in(battle, seat)]
    army = mine[0] if mine else None
    found = {
        "seat": rivals[0] if rivals else "",
        "army": army.id if army is not None else "",
        "hex": army.at if army is not None and army.at is not None else "",
        "character": character(army.characters[0]).name if army is not None and army.characters else "",
        "party": parties[0] if parties else "P1",
        "roster": next(iter(view.plan.rosters), ""),
        "battle": battles[0].id if battles else "",
    }
    if battles:
        keys = (battles[0].attackers[0], battles[0].defender)
        sides = sorted((one for one in view.armies if one.key in keys), key=lambda one: one.owner != seat)
        people = [character(one.characters[0]).name for one in sides if one.characters]
        found |= dict(zip(("who", "foe"), people, strict=False))
    return {name: text for name, text in found.items() if text}


def _fights_in(battle: Battle, seat: SeatId) -> bool:
    return seat in {key.rpartition(" ")[0] for key in (battle.attackers[0], battle.defender or "")}


def _right_for(view: Position, seat: SeatId, sheet: SheetWords, verdict: Verdict) -> str:
    """Advice for a line that names something missing; empty if there is none."""
    facts = verdict.facts or {}
    match verdict.reason:
        case "no-army":
            return _listed("your armies", (army.id for army in view.armies if army.owner == seat))
        case "no-party":
            return _listed("your parties", (party.id for party in view.parties if party.owner == seat))
        case "not-your-battle":
            return _listed("your battles", (battle.id for battle in view.battles if _fights_in(battle, seat)))
        case "nobody" | "which":
            keys = {
                key
                for battle in view.battles
                for key in (battle.attackers[0], battle.defender)
                if _fights_in(battle, seat)
            }
            lines = [
                one.name
                for army in view.armies
                if army.key in keys
                for one in (*map(character, army.characters), *map(unit, army.units))
            ]
            return nearest(str(facts.get("who", "")), lines) or _listed("they fought", lines[:12])
        case "no-roster":
            lists = [*(sheet.lists if isinstance(sheet, SeasonSheet) else ()), *view.plan.rosters]
            return nearest(str(facts.get("roster", "")), lists) or _listed("lists", lists[:12])
        case _:
            return ""


def _strangers(view: Position, seat: SeatId, order: Order, place: tuple[str | int, ...]) -> Iterator[Remark]:
    """A warning about a character that the army on the same line does not have."""
    if {"army", "character"} - order.args.keys():
        return
    id_, name = order.args["army"], order.args["character"]
    people = {army.id: [character(one).name for one in army.characters] for army in view.armies if army.owner == seat}
    if id_ in people and find_name(name, people[id_]) is None:
        where = [f"{other} {found}" for other, names in people.items() if (found := find_name(name, names))]
        right = f"did you mean {where[0]}?" if where else nearest(name, people[id_])
        what = f"nobody in {id_} is called {name!r:.60}"
        yield Remark(place, what, right or _listed(f"in {id_} there are", people[id_]), level="warning")


def _listed(what: str, names: Iterable[str]) -> str:
    found = list(names)
    return f"{what}: {', '.join(found)}" if found else ""


def _spilt(
    seat: SeatId, events: Iterable[AnyEvent], places: Mapping[str, Sequence[tuple[str | int, ...]]]
) -> Iterator[Remark]:
    """Warnings about a party's gold that does not fit into the realm's purse (GC-Q-20)."""
    for event in events:
        if not isinstance(event, Earned) or event.what != "convert_gold" or event.gold >= event.purse:
            continue
        owner, _, id_ = event.who.rpartition(" ")
        for line, found in places.items():
            if owner == seat and found[0][0] == "parties" and line.startswith(f"{id_}:"):
                what = f"{event.purse - event.gold} of {event.purse} gold would be lost: the purse is full (GC-Q-20)"
                yield Remark(found[0], what, "spend some first, or bring it home later", level="warning")


def _costs(view: Position, seat: SeatId, lines: Mapping[str, Sequence[tuple[str | int, ...]]]) -> Iterator[Remark]:
    """Notes on the Movement of lines that meet no trouble, step by step, and on their last hex."""
    armies = {army.id: army for army in view.armies if army.owner == seat}
    for line, (place, *_) in lines.items():
        army = armies.get(line.partition(":")[0])
        found = preview(view, army, line) if army is not None else None
        if army is None or found is None or found[1]:
            continue
        march = found[0].marches[army.key]
        before = [0, *(spent for spent, _ in march.path)]
        steps = [
            f"{found[0].world.ground(label).name} {spent - had}"
            for (spent, label), had in zip(march.path, before, strict=False)
        ]
        rest = march.spent - sum(spent - had for (spent, _), had in zip(march.path, before, strict=False))
        parts = [*steps, *([f"{rest} for Actions"] if rest else [])]
        what = f"{march.spent} of {march.allowance} Movement" + (f": {', '.join(parts)}" if parts else "")
        yield Remark(place, what, f"it ends on {march.trail[-1]}", level="note")


# Looking at one army ------------------------------------------------------------------------------------------------


def preview(view: Position, army: Army, line: str) -> tuple[Marching, list[Trouble]] | None:
    """Try an army's line while all others stay: the phase, and the troubles it met; None if the line is unreadable."""
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
    """Sheets of one line each that are legal in the current position; of a path, only the first step."""
    if view.closed or view.realms[seat].out:
        return
    glances = _Glances(view)
    for sheet in _candidates(view, seat):
        if not any(remark.level != "note" for remark in _remarks(view, seat, sheet, glances)):
            yield sheet


def _candidates(view: Position, seat: SeatId) -> Iterator[AnySheet]:
    kind = sheet_type(view, seat)
    if kind is PlacementSheet:
        for key in asked(view, seat)[:1]:
            yield from (replace(PlacementSheet(), **{key: (label,)}) for label in view.grid.hexes[:12])  # type: ignore[arg-type]  # a list
        return
    if kind is BattlesSheet:
        for battle in view.battles:
            if seat in {key.rpartition(" ")[0] for key in (battle.attackers[0], battle.defender or "")}:
                yield from (BattlesSheet(results=(f"{battle.id}: {result}",)) for result in RESULTS)
                fought = (f"{battle.id}: draw",)  # claims about a battle count only if it was fought
                yield from (BattlesSheet(results=fought, deeds=(line,)) for line in _deeds(view, battle))
                told = (Account(battle=battle.id, text="word " * max(WORDS.values())),)
                for what in WORDS:
                    yield BattlesSheet(results=fought, bonus=(f"{battle.id}: {what}",), accounts=told)
        for at, quarrel in enumerate(view.quarrels):
            if seat in {key.rpartition(" ")[0] for key in (quarrel.comer, quarrel.other)}:
                yield from (BattlesSheet(skirmishes=(f"{skirmish_id(at)}: {how}",)) for how in ("tie", "not played"))
        return
    for part, line in season_lines(view, seat):
        sheet: dict[str, Any] = {part: (line,)}
        yield SeasonSheet(**sheet)


def _deeds(view: Position, battle: Battle) -> Iterator[str]:
    """Possible deeds in a battle: all of them for characters, those that count for units (GC-S, GC-T)."""
    armies = [army for army in view.armies if army.key in {battle.attackers[0], battle.defender}]
    for army, foe in itertools.permutations(armies, 2):
        people, others = ([character(line) for line in one.characters] for one in (army, foe))
        units, theirs = ([unit(line) for line in one.units] for one in (army, foe))
        scoring, broken = ([one.name for one in some if "scoring" in one.tags] for some in (units, theirs))
        for one in people:
            yield from (f"{battle.id}: {one.name} beat {other.name}" for other in others)
            yield f"{battle.id}: {one.name} fell"
            yield f"{battle.id}: {one.name} slew a monster"
        for name in scoring:
            yield from (f"{battle.id}: {name} broke {other}" for other in broken)
        yield from (f"{battle.id}: {one.name} lost the standard" for one in units if "standard" in one.tags)


def season_lines(view: Position, seat: SeatId) -> Iterator[tuple[Part, str]]:
    """Lines of a season that a player might write, legal or not."""
    for other in view.plan.seats:
        if other != seat and not view.realms[other].out:
            both = pair(seat, other)
            at_war, allied = both in view.relations.war, both in view.relations.alliance
            words = (
                ("peace with",)
                if at_war
                else ("dissolve alliance with", "war with")
                if allied
                else ("war with", "alliance with")
            )
            yield from (("diplomacy", f"{word} {other}") for word in words)
    for army in view.armies:
        if army.owner == seat and army.at is not None:
            yield from (("armies", f"{army.id}: {way}") for way in DIRECTIONS)
            simple = (form for form in MOVES.kinds if "{" not in form and form not in DIRECTIONS)
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
