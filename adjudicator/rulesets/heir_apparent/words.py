"""How a sentence names players, cards and pools: a player by the name of their Prince."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.contract.facts import Spelling
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.mechanics.cards import BACK
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT, Position
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE

POOLS: Mapping[str, str] = {SUPPORT: "Support", OPPOSE: "Opposition", ATTACK: "Attack", DEFENCE: "Defence"}
"""Display names of the pools that belong to no Prince."""


def called(view: Position, seat: SeatId) -> str | None:
    """Name of a player’s Prince; None before the Princes are dealt (HE-11)."""
    player = view.players.get(seat)
    return index_of(view.settings.set).name(player.prince) if player is not None else None


def who(view: Position, seat: SeatId) -> str:
    """Name of a player’s Prince, or of the seat before there is one."""
    return called(view, seat) or seat


def name(view: Position, thing: str) -> str:
    """Name of a card, a character or a pool."""
    return POOLS.get(thing) or index_of(view.settings.set).name(thing)


def names(view: Position, ids: Iterable[str]) -> str:
    """Names of several cards, characters or pools: `Lord Marrow and Brother Aldric`."""
    return join_words(tuple(name(view, one) for one in ids))


def cards(view: Position, ids: tuple[str, ...]) -> str:
    """Cards by name, or their number if they lie face down."""
    return many(len(ids), "card") if BACK in ids else names(view, ids)


def by(view: Position, of: str) -> str:
    """The card that brought something about, in brackets; empty for a rule."""
    return f" ({name(view, of)})" if of else ""


def pool(view: Position, id_: str) -> str:
    """A pool that tokens go to: `Support`, `Corvin’s pool`."""
    return name(view, id_) if id_ in (SUPPORT, OPPOSE) else f"{whose(name(view, id_))} pool"


def pools(view: Position, tokens: Mapping[str, int]) -> str:
    """Pools with their tokens: `Support 5, Opposition 6`."""
    return ", ".join(f"{name(view, one)} {count}" for one, count in tokens.items())


def owned(player: str, named: str) -> str:
    """A character with its player: `Corvin’s Grey Captain`, without the article (HE-11)."""
    return f"{whose(player)} {named.removeprefix('The ')}"


def own(view: Position, pair: tuple[SeatId, str]) -> str:
    """A player’s character, `Corvin’s Lord Marrow`; a Prince by name only."""
    player, named = who(view, pair[0]), name(view, pair[1])
    return player if player == named else owned(player, named)


SPELLINGS: Mapping[str, Spelling] = {
    "who": who,
    "whose": lambda view, seat: whose(who(view, seat)),
    "card": name,
    "its": lambda view, thing: whose(name(view, thing)),
    "cards": names,
    "hand": cards,
    "by": by,
    "at": lambda view, targets: f" at {names(view, targets)}" if targets else "",
    "pool": pool,
    "pools": pools,
    "after": lambda view, tokens: f": {pools(view, tokens)}" if tokens else "",
    "own": own,
    "deck": {"action": "Action", "character": "Character"},
    "danger": {"kill": "killed", "dismiss": "dismissed", "turn": "turned", "favor_loss": "deprived of favor"},
    "until": {"event": "until the Event is closed", "turn": "until the end of the turn"},
    "gets": {"add": "gets", "remove": "loses"},
    "signed": lambda _, amount: f"{amount:+d}",
}
"""Spelling -> how it writes a field of a fact."""
