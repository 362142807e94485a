"""The table as a scene: seats clockwise with their characters, and between them the row, the Event with its pools, and the decks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import load, record
from adjudicator.mechanics.cards import BACK
from adjudicator.render.scenes import Chair, Heap, Pile, TableCard, TableScene
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.index import Index, index_of
from adjudicator.rulesets.heir_apparent.position import SEATS, Phase, Player, Position
from adjudicator.rulesets.heir_apparent.resolve import when
from adjudicator.rulesets.heir_apparent.selectors import KEYWORDS
from adjudicator.rulesets.heir_apparent.table import Table
from adjudicator.rulesets.heir_apparent.titles import Event
from adjudicator.rulesets.heir_apparent.words import POOLS


@record
class Signs:
    """The shape drawn for each keyword."""

    Noble: str
    Palace: str
    Wealthy: str
    Wizard: str
    Fighter: str


SIGNS = load(Signs, read_own(Path(__file__).parent / "data" / "signs.yaml"), "data/signs.yaml", own=True)
LEGEND = (
    "Players sit clockwise from the top, the most popular first; a diamond marks whose turn it is. Each field is a character, the one "
    "with a crown the Prince. Its small card stands upright, or lies on its side if the character is turned, and the field is grey "
    "then. The number in the circle is Politics and the one in the shield is Combat, as they are now. Signs: a crown is Noble, a house Palace, a coin Wealthy, a "
    "star Wizard, a sword Fighter. Cards below a field are tucked under the character. Between the players lie the Event with its "
    "pools, or the row of the auction, and the decks."
)
SLOTS: Mapping[SeatId, int] = dict(zip(SEATS, (1, 3, 5, 7, 2), strict=True))
"""The seats' colours. None is grey, because turned characters are."""
SKILLS = {"politics": "Politics", "combat": "Combat"}


def sides_of(view: Position) -> dict[SeatId, Side]:
    """Each seat with its colour, and the name and letter of its Prince."""
    index = index_of(view.settings.set)
    return {seat: Side(SLOTS[seat], name := index.name(view.players[seat].prince), name[0]) for seat in view.ring}


def draw(view: Position, done: Resolution[Position, e.AnyEvent] | None) -> TableScene:
    """The scene at the start of a turn, with the pools at its end and the fates of characters."""
    index, table = index_of(view.settings.set), Table(view)
    events = done.events if done is not None else ()
    notes = _notes(events)
    gone = {event.character for event in events if isinstance(event, e.Killed | e.Dismissed | e.Released)}
    chairs = tuple(_chair(view, index, table, seat, notes, gone) for seat in view.ring)
    taken = {event.character: event.seat for event in events if isinstance(event, e.Chose)}
    row = tuple(_row_card(view, index, name, taken) for name in view.row)
    event = index.events[view.event] if view.event is not None else _revealed(index, events)
    names = {name: index.name(name) for name in (*view.court, *view.row)}
    return TableScene(
        title=when(view),
        description=_description(view, index, table, event),
        sides=sides_of(view),
        signs={word: getattr(SIGNS, word) for word in KEYWORDS},
        chairs=chairs,
        middle=_face(event) if event is not None else (),
        heaps=_heaps(view, index, table, events) if view.event is not None else (),
        row=row,
        piles=_piles(view),
        lying=tuple(index.name(name) for name in view.middle),
        legend=LEGEND,
        names=names,
    )


def _chair(
    view: Position, index: Index, table: Table, seat: SeatId, notes: Mapping[str, str], gone: Iterable[str]
) -> Chair:
    player = view.players[seat]
    mine = sorted(name for name, one in view.court.items() if one.by == seat and name != player.prince)
    cards = tuple(_card(index, table, name, notes, gone) for name in (player.prince, *mine))
    hand = {} if BACK in player.hand else {card: index.name(card) for card in player.hand}
    return Chair(
        seat=seat, title=index.name(player.prince), notes=_has(view, seat, player), cards=cards, hand=hand, turn=view.active == seat
    )  # fmt: skip


def _has(view: Position, seat: SeatId, player: Player) -> tuple[str, ...]:
    """A player's possessions, each in a word or two."""
    right = ("bids first",) if view.right == seat else ()
    return (*right, f"{player.favor} favor", f"hand {len(player.hand)}", f"{many(player.reopenings, 'reopen token')}")


def _card(index: Index, table: Table, name: str, notes: Mapping[str, str], gone: Iterable[str]) -> TableCard:
    one, words = table.people[name], table.keywords(name)
    numbers = (table.rating(name, "politics"), table.rating(name, "combat"))
    tucked = tuple(index.name(card) for card in one.tucked)
    shown = [
        f"{index.name(name)}, {'turned' if one.turned else 'unturned'}",
        f"Politics {numbers[0]}, Combat {numbers[1]}",
    ]
    shown += [word for word in KEYWORDS if word in words]
    shown += [f"with {join_words(tucked)}"] if tucked else []
    if one.home is not None:
        shown.append(f"borrowed from {index.name(table.princes[one.home])}")
    return TableCard(
        name=name,
        title=index.name(name),
        numbers=numbers,
        tooltip="; ".join(shown),
        signs=tuple(word for word in KEYWORDS if word in words),
        turned=one.turned,
        chief=one.prince,
        tucked=tucked,
        note=notes.get(name, ""),
        gone=name in {*gone},
    )


def _row_card(view: Position, index: Index, name: str, taken: Mapping[str, SeatId]) -> TableCard:
    """A character in the auction's row, with the player who took it."""
    one = index.characters[name]
    whom = taken.get(name)
    return TableCard(
        name=name,
        title=one.name,
        numbers=(one.politics, one.combat),
        tooltip=f"{one.name}; Politics {one.politics}, Combat {one.combat}; {', '.join(one.keywords) or 'no keywords'}. {one.text}".strip(),
        signs=tuple(word for word in KEYWORDS if word in one.keywords),
        note=f"to {index.name(view.players[whom].prince)}" if whom is not None else "",
    )


def _notes(events: Iterable[e.AnyEvent]) -> dict[str, str]:
    """Character -> the last thing that it did or suffered in the turn, in a word or two."""
    notes: dict[str, str] = {}
    for event in events:
        match event:
            case e.Joined():
                notes[event.character] = f"joined: {event.tokens}"
            case e.Assisted():
                notes[event.character] = f"{event.side}: {event.tokens}"
            case e.Attacked():
                notes[event.attacker], notes[event.defender] = "attacked", "attacked by"
            case e.Killed():
                notes[event.character] = "killed"
            case e.Dismissed():
                notes[event.character] = "dismissed"
            case e.Released():
                notes[event.character] = "released"
            case e.Countered():
                notes[event.character] = "cast a counter"
            case e.Controlled():
                notes[event.character] = "borrowed" if event.borrowed else "changed sides"
            case e.Used() | e.DrewWith():
                notes[event.character] = "used" if isinstance(event, e.Used) else "drew"
            case _:
                pass
    return {name: "was attacked" if note == "attacked by" else note for name, note in notes.items()}


def _revealed(index: Index, events: Iterable[e.AnyEvent]) -> Event | None:
    """The Event that a turn revealed, if any."""
    return next((index.events[event.name] for event in events if isinstance(event, e.Revealed)), None)


def _face(event: Event) -> tuple[str, ...]:
    """The Event's card: its name, its kind, and its text."""
    return (event.name, kind_of(event), event.text)


def kind_of(event: Event) -> str:
    """An Event's kind, such as `Mandatory Contest of Politics, Money`."""
    mandatory = "Mandatory " if event.mandatory else ""
    return ", ".join([f"{mandatory}{event.type.capitalize()} of {SKILLS[event.skill]}", *event.themes])


def _heaps(view: Position, index: Index, table: Table, events: Iterable[e.AnyEvent]) -> tuple[Heap, ...]:
    """The pools when the Event closed; if it has not, as the turn found them."""
    settled = [event.pools for event in events if isinstance(event, e.Settled | e.Closed)]
    pools = settled[-1] if settled else {pool: table.tokens(pool) for pool in table.pools}
    return tuple(
        Heap(POOLS.get(pool) or index.name(pool), tokens, table.seats.get(pool)) for pool, tokens in pools.items()
    )


def _piles(view: Position) -> tuple[Pile, ...]:
    piles = {
        "Action deck": len(view.actions.pile), "Character deck": len(view.characters.pile), "Event deck": len(view.events),
        "Action discard": len(view.actions.discards), "Character discard": len(view.characters.discards),
        "Event discard": len(view.past),
    }  # fmt: skip
    return tuple(Pile(title, cards) for title, cards in piles.items())


def _description(view: Position, index: Index, table: Table, event: Event | None) -> str:
    """The whole scene in words."""
    parts = []
    for seat in view.ring:
        player = view.players[seat]
        people = [
            f"{index.name(name)}{' (turned)' if table.people[name].turned else ''}" for name in table.court_of(seat)
        ]
        turned = " (turned)" if table.people[player.prince].turned else ""
        parts.append(
            f"{index.name(player.prince)}{turned} has {player.favor} favor, {many(len(player.hand), 'card')} in hand and "
            f"{join_words(people) or 'no characters'}"
        )
    if event is not None:
        parts.append(f"in the middle lies {event.name}")
    if view.row:
        parts.append(f"in the row are {join_words(index.name(name) for name in view.row)}")
    if view.active is not None and view.phase is not Phase.AUCTION:
        parts.append(f"it is {whose(index.name(view.players[view.active].prince))} turn")
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."
