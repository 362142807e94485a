"""The picture of a campaign: land, realms, constructions, armies and parties, and the events of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import load
from adjudicator.mechanics.hexes import Hex
from adjudicator.render.palette import letters
from adjudicator.render.scenes import Arrow, Hexagon, HexScene, HexSigns, Mark, Token
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.position import Army, Party, Phase, Position, when
from adjudicator.rulesets.grand_campaign.prose import tell
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, FACTIONS, PARTIES, TERRAIN, Code
from adjudicator.rulesets.grand_campaign.words import some, who

SIGNS = load(HexSigns, read_own(Path(__file__).parent / "data" / "signs.yaml"), "data/signs.yaml", own=True)
"""Drawings of terrain and constructions."""
LEGEND = (
    "A coloured line bounds each realm, and its land is tinted and hatched. Squares with letters are armies (a crown marks a General’s) and "
    "circles are parties. Houses mark a Town, towers a Fortress, and walls a City; an arch marks a Mine, and broken columns a ruin. Dotted lines "
    "are marches, thick arrows attacks, dashed ones retreats; crossed swords mark battles."
)


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> HexScene:
    """The scene of the position at the start of a turn, with the marches, attacks and battles of its events."""
    events = done.events if done is not None else ()
    sides, holder = sides_of(position), position.holder
    terrain = position.terrain
    return HexScene(
        title=when(position),
        description=_describe(position, events),
        sides=sides,
        columns=position.grid.columns,
        rows=position.grid.rows,
        signs=SIGNS,
        hexes=tuple(_hexagon(position, label, terrain[label], holder.get(label)) for label in position.grid.hexes),
        rivers=_rivers(position),
        tokens=(*_armies(position), *_parties(position)),
        arrows=tuple(_arrows(position, events)),
        marks=tuple(_marks(position, events)),
        legend=LEGEND,
        standings=tuple((seat, _standing(position, seat)) for seat in sides),
        names={label: label for label in position.grid.hexes},
    )


def sides_of(position: Position) -> dict[SeatId, Side]:
    """The players as sides of a picture."""
    signs = letters(position.plan.seats)
    return {seat: Side(slot, seat, signs[seat]) for slot, seat in enumerate(position.plan.seats, 1)}


def _standing(position: Position, seat: SeatId) -> str:
    realm = position.realms[seat]
    return "out" if realm.out else f"{len(realm.hexes)} hexes, {realm.gold} gold"


def _rivers(position: Position) -> tuple[tuple[Hex, Hex], ...]:
    pairs = (tuple(sorted(edge)) for edge in position.plan.wet)
    return tuple(sorted((one, other) for one, other in pairs))


def _hexagon(position: Position, label: Hex, code: Code, owner: SeatId | None) -> Hexagon:
    work = position.works.get(label) or position.cities.get(label, "")
    plan = position.plan
    name = plan.names.get(label, "")
    said = [TERRAIN[code].name]
    if work:
        said.append(
            f"{whose(owner)} {CONSTRUCTIONS[work].name}" if owner else f"{CONSTRUCTIONS[work].name} of nobody’s"
        )
    elif owner:
        said.append(whose(owner))
    said += [
        word for word, there in (("a ruin", label in position.ruins), ("a road", label in position.roads)) if there
    ]
    portals = position.opening.portals if position.opening is not None else ()
    if label in portals:
        said.append("a portal")
    return Hexagon(
        place=label,
        ground=code,
        title=f"{label}{f' {name}' if name else ''}: {', '.join(said)}",
        owner=owner,
        work=work,
        name=name,
        ruin=label in position.ruins,
        road=label in position.roads or bool(work and CONSTRUCTIONS[work].settlement),
        river=label in plan.rivers.hexes,
        portal=label in portals,
    )


def _armies(position: Position) -> Iterator[Token]:
    for army in position.armies:
        if army.at is not None:
            yield Token(army.at, army.owner, "general" if army.general else "army", army_words(army))


def army_words(army: Army) -> str:
    """A line about an army: its name, faction, Leadership and state."""
    state = ", rests" if army.rests else ""
    aim = f", prepared to attack {army.aim}" if army.aim else ""
    return f"{army.owner} {army.id}: {army.name}, {FACTIONS[army.faction].name}, Leadership {army.ld}{state}{aim}"


def _parties(position: Position) -> Iterator[Token]:
    for party in position.parties:
        yield Token(party.at, party.owner, "party", party_words(party))


def party_words(party: Party) -> str:
    """A line about a party: its members, type, gold and state."""
    stones = f", {many(party.weirdstone, 'Weirdstone')}" if party.weirdstone else ""
    patrol = ", patrols" if party.patrol is not None else ""
    kind = PARTIES[party.type_].name
    return f"{party.owner} {party.id}: {many(party.members, 'member')} of {kind}, {party.gold} gold{stones}{patrol}"


def _arrows(position: Position, events: Iterable[AnyEvent]) -> Iterator[Arrow]:
    for event in events:
        match event:
            case facts.Marched(who=key, start=start, path=path):
                hexes = (start, *(label for _, label in path))
                yield Arrow("move", hexes, _owner(key), ok=True, title=tell(position, event))
            case facts.Joined(attackers=attackers, at=at):
                for key in attackers:
                    here = _where(position, events, key)
                    if here is not None and here != at:
                        yield Arrow("attack", (here, at), _owner(key), ok=True, title=tell(position, event))
            case facts.Unchallenged(army=key, at=at):
                here = _where(position, events, key)
                if here is not None:
                    yield Arrow("attack", (here, at), _owner(key), ok=True, title=tell(position, event))
            case facts.Retreated(army=key, start=start, at=at, path=path):
                yield Arrow("retreat", (start, *(path or (at,))), _owner(key), ok=True, title=tell(position, event))
            case facts.Advanced(army=key, start=start, at=at):
                yield Arrow("move", (start, at), _owner(key), ok=True, title=tell(position, event))
            case _:
                pass
    if not events:
        for battle in position.battles:
            for key in battle.attackers:
                here = next((army.at for army in position.armies if army.key == key), None)
                if here is not None and here != battle.at:
                    yield Arrow(
                        "attack",
                        (here, battle.at),
                        _owner(key),
                        ok=True,
                        title=f"{battle.id}: {who(key)} attacks {battle.at}",
                    )


def _where(position: Position, events: Iterable[AnyEvent], key: str) -> Hex | None:
    """An army's hex when it attacked."""
    here = next((army.at for army in position.armies if army.key == key), None)
    for event in events:
        if isinstance(event, facts.Marched) and event.who == key:
            here = event.path[-1][1]
        elif isinstance(event, facts.Recruited) and event.who == key:
            here = event.at
    return here


def _owner(key: str) -> SeatId:
    return key.rpartition(" ")[0]


def _marks(position: Position, events: Iterable[AnyEvent]) -> Iterator[Mark]:
    for event in events:
        match event:
            case facts.Joined(at=at) | facts.Fought(at=at) | facts.Skirmished(at=at):
                yield Mark("battle", at, None, ok=True, title=tell(position, event))
            case facts.Built(at=at, seat=seat) | facts.Recruited(at=at, who=seat):
                yield Mark(
                    "new", at, seat if seat in position.realms else _owner(seat), ok=True, title=tell(position, event)
                )
            case facts.Perished(at=at, who=key) if at:
                yield Mark("gone", at, _owner(key), ok=True, title=tell(position, event))
            case facts.Wrecked(at=at):
                yield Mark("gone", at, None, ok=True, title=tell(position, event))
            case _:
                pass
    if not events:
        for battle in position.battles:
            yield Mark("battle", battle.at, None, ok=True, title=f"{battle.id} for {battle.at}")


def _describe(position: Position, events: Iterable[AnyEvent]) -> str:
    """The picture in words."""
    realms = [
        f"{seat} holds {some(len(realm.hexes), 'hex', 'no')} with {_works(position, seat)}"
        for seat, realm in position.realms.items()
        if not realm.out
    ]
    armies = [f"{army.owner} {army.id} in {army.at}" for army in position.armies if army.at is not None]
    said = [f"{when(position)}.", f"{join_words(realms)}."]
    if armies:
        said.append(f"Armies: {', '.join(armies)}.")
    if position.phase is Phase.BATTLES and position.battles:
        said.append(f"Battles: {', '.join(f'{battle.id} for {battle.at}' for battle in position.battles)}.")
    return " ".join(said)


def _works(position: Position, seat: SeatId) -> str:
    counted: dict[str, int] = {}
    holder = position.holder
    for label, kind in position.works.items():
        if holder.get(label) == seat:
            counted[CONSTRUCTIONS[kind].name] = counted.get(CONSTRUCTIONS[kind].name, 0) + 1
    return join_words([some(number, name) for name, number in sorted(counted.items())]) or "nothing on them"
