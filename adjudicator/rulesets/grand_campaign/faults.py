"""Faults in a position that does not match its campaign, for people who write or repair positions by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.core.contract.lines import Misfit
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.text.problems import among
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.orders import reader_of
from adjudicator.rulesets.grand_campaign.position import Phase, Position
from adjudicator.rulesets.grand_campaign.rosters import GENERAL, Character, Misread, read_character, read_unit
from adjudicator.rulesets.grand_campaign.tables import (
    ARTEFACTS,
    CONSTRUCTIONS,
    FACTIONS,
    PARTIES,
    SCENARIOS,
    TERRAIN,
)


def faults(position: Position) -> Iterator[Remark]:
    """Names and places in a position that its campaign does not have, and duplicates where only one thing is allowed."""
    plan, grid = position.plan, position.grid
    codes = [code for row in position.rows for code in row.split()]
    shape = [len(row.split()) for row in position.rows]
    if shape != [grid.columns] * grid.rows or any(code not in TERRAIN for code in codes):
        yield Remark(
            ("rows",), "these rows do not match the campaign's map", "write one terrain code for each of its hexes"
        )
    names: Mapping[str, Iterable[str]] = {
        "player": plan.seats,
        "hex": grid.hexes,
        "faction": FACTIONS,
        "construction": CONSTRUCTIONS,
        "type of party": PARTIES,
        "army": {army.key for army in position.armies},
        "party": {party.key for party in position.parties},
        "artefact": ARTEFACTS,
        "scenario": SCENARIOS,
    }
    for what, path, name in _names_in(position):
        if name not in names[what]:
            right = among(name, names[what])
            yield Remark(path, f"this game has no {what} called {name!r:.40}", right)
    for seat in plan.seats:
        if seat not in position.realms:
            yield Remark(("realms",), f"{seat} is missing", "name every player")
    if (position.opening is None) is (position.phase is not Phase.PLACEMENT):
        yield Remark(("opening",), "a season must have an opening, and placing must not", "see GC-Z-1")
    orders = [
        ("order", position.order),
        *((("opening", position.opening.order),) if position.opening is not None else ()),
    ]
    for key, order in orders:
        if sorted(order) != sorted(plan.seats):
            yield Remark(
                (key,), f"the order is {', '.join(order)}", f"name each of {', '.join(plan.seats)} once (GC-D-1)"
            )
    yield from _doubles(position)
    yield from _lines(position)


def _lines(position: Position) -> Iterator[Remark]:
    """Plans of conquest that cannot be read, or name a hex that is not on the map."""
    reader, grid = reader_of(position.plan), position.grid
    for key, texts in position.plans.items():
        for at, text in enumerate(texts):
            found = reader.item("plan", text)
            if isinstance(found, Misfit):
                yield Remark(("plans", key, at), found.what, found.right)
            elif (label := found.args.get("hex")) is not None and label not in grid.hexes:
                yield Remark(("plans", key, at), f"{label!r:.40} is not a hex on this map", among(label, grid.hexes))


def _doubles(position: Position) -> Iterator[Remark]:
    held: dict[Hex, SeatId] = {}
    for seat, realm in position.realms.items():
        for label in realm.hexes:
            if label in held:
                what = f"{label} already belongs to {held[label]} (GC-E-1)"
                yield Remark(("realms", seat, "land"), what, "a hex may have only one controller")
            held[label] = seat
    stood: dict[Hex, str] = {}
    for number, army in enumerate(position.armies):
        if army.at is not None and army.at in stood:
            what = f"{stood[army.at]} is already on {army.at} (GC-O-8)"
            yield Remark(("armies", number, "at"), what, "put only one army on a hex")
        if army.at is not None:
            stood[army.at] = army.key
        read: list[str] = []
        for key, reader in (("characters", read_character), ("units", read_unit)):
            for line, text in enumerate(getattr(army, key)):
                found = reader(text)
                if isinstance(found, Misread):
                    yield Remark(("armies", number, key, line), found.what, found.right)
                elif isinstance(found, Character):
                    read.append(found.role)
        if read.count(GENERAL) != 1:
            yield Remark(
                ("armies", number, "characters"),
                f"{army.key} has {read.count(GENERAL)} generals",
                "an army must have one (GC-F-3)",
            )
    for key in ("armies", "parties"):
        seen: set[str] = set()
        for number, thing in enumerate(getattr(position, key)):
            if thing.key in seen:
                yield Remark((key, number, "id"), f"{thing.key} is listed twice (GC-F-17)", "give it another id")
            seen.add(thing.key)
    fought: set[str] = set()
    for number, battle in enumerate(position.battles):
        for name in (battle.id, *battle.attackers, *filter(None, (battle.defender,))):
            if name in fought:
                yield Remark(
                    ("battles", number), f"{name} is already in another battle", "an army may fight only once (GC-O-53)"
                )
            fought.add(name)


def _names_in(position: Position) -> Iterator[tuple[str, tuple[str | int, ...], str]]:
    """Every name in a position that its campaign must have: its kind, its path and the name."""
    for key in ("ruins", "roads", "sabotaged"):
        yield from (("hex", (key, at), label) for at, label in enumerate(getattr(position, key)))
    for key in ("cities", "works"):
        for label, kind in getattr(position, key).items():
            yield "hex", (key, label), label
            yield "construction", (key, label), kind
    yield from (("player", ("order", at), seat) for at, seat in enumerate(position.order))
    for seat, realm in position.realms.items():
        yield "player", ("realms", seat), seat
        yield "faction", ("realms", seat, "faction"), realm.faction
        yield from (("hex", ("realms", seat, "land"), label) for label in realm.hexes)
    for key in ("war", "alliance"):
        for at, both in enumerate(getattr(position.relations, key)):
            yield from (("player", ("relations", key, at), seat) for seat in both)
    for number, army in enumerate(position.armies):
        here = ("armies", number)
        yield "player", (*here, "owner"), army.owner
        yield "faction", (*here, "faction"), army.faction
        spots = (("at", army.at), ("sank", army.sank), ("aim", army.aim))
        yield from (("hex", (*here, key), label) for key, label in spots if label is not None)
        for line, text in enumerate(army.characters):
            found = read_character(text)
            if not isinstance(found, Misread) and found.bears is not None:
                yield "artefact", (*here, "characters", line), found.bears
    for number, party in enumerate(position.parties):
        yield "player", ("parties", number, "owner"), party.owner
        yield "type of party", ("parties", number, "type"), party.type_
        yield "hex", ("parties", number, "at"), party.at
    for number, battle in enumerate(position.battles):
        yield "hex", ("battles", number, "at"), battle.at
        yield "scenario", ("battles", number, "scenario"), battle.scenario
        named = (*battle.attackers, *((battle.defender,) if battle.defender is not None else ()))
        yield from (("army", ("battles", number), key) for key in named)
    if position.opening is not None:
        hexes = (("portals", position.opening.portals), ("dice", position.opening.dice))
        yield from (("hex", ("opening", key), label) for key, labels in hexes for label in labels)
        yield from (("player", ("opening", "golden"), seat) for seat in (position.opening.golden,) if seat is not None)
    for name in position.plans:
        yield "army", ("plans", name), name
    for name, label in position.annexes.items():
        yield "army", ("annexes", name), name
        yield "hex", ("annexes", name), label
    for number, halted in enumerate(position.stopped):
        yield "army", ("stopped", number, "army"), halted.army
        yield from (("hex", ("stopped", number, "trail"), label) for label in halted.trail)
    for number, quarrel in enumerate(position.quarrels):
        yield from (("party", ("quarrels", number, key), getattr(quarrel, key)) for key in ("comer", "other"))
        yield "hex", ("quarrels", number, "at"), quarrel.at
    for number, claim in enumerate(position.claims):
        yield "player", ("claims", number, "seat"), claim.seat
