"""How reliable an account is: the turns of an archive that waited for its orders, and those that got them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind, Player
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import holder


def record_of(archive: Archive, account: int) -> tuple[int, int]:
    """The turns in all games that got an account's orders in time, and all that waited for them.

    Records and imported turns say nothing about when orders came, so they do not count; nor do turns in civil disorder.
    """
    sent = owed = 0
    for slug in archive.slugs():
        with contextlib.suppress(Problems):  # a game with faults says nothing about anybody
            more = _in_game(archive, slug, account)
            sent, owed = sent + more[0], owed + more[1]
    return sent, owed


def _in_game(archive: Archive, slug: str, account: int) -> tuple[int, int]:
    """The same for one game. Raises `Problems` if it cannot be read."""
    game, names = load_game(archive, slug), archive.turns(slug)
    if game.data.kind is GameKind.RECORD or not names or not may_have_played(archive, game, names[-1], account):
        return 0, 0
    turns = (load_turn(archive, game, name).data for name in names)
    return in_time(game, turns, game.seats, lambda player: player.account == account)


def in_time(
    game: Game, turns: Iterable[TurnData], seats: Iterable[str], theirs: Callable[[Player], bool]
) -> tuple[int, int]:
    """How many turns got orders for those of these seats that a person held, sent or standing; and how many waited for some."""
    sent = owed = 0
    for data in turns:
        if data.status != "resolved" or data.closed is None:
            continue  # an imported turn says nothing about when its orders came
        waited = game.ruleset.due(data.position) - set(data.absent)
        for seat in seats:
            if seat in waited and theirs(holder(game, data, seat)):
                owed += 1
                sent += seat in (data.sheets or {})
    return sent, owed


def may_have_played(archive: Archive, game: Game, latest: str, account: int) -> bool:
    """True if an account holds a seat by game.yaml or by joining, or if the latest turn names it: rulings may have given it one."""
    known = [*game.data.seats.values(), *(joined.person for joined in game.joined.values())]
    named = re.compile(rb"\b%d\b" % account)
    turn = archive.game_folder(game.slug) / latest / "turn.yaml"
    return any(player.account == account for player in known) or named.search(archive.files.read(turn)) is not None


def check_reliable(archive: Archive, game: Game, account: int) -> None:
    """Raise `Problems` if a game asks for players more reliable than this account. Newcomers may join any game."""
    least = game.data.join_least
    if least is None:
        return
    sent, owed = record_of(archive, account)
    if 100 * sent < least * owed:
        what = f"you sent {sent} of the {owed} sheets that games here waited for, and this game asks for {least}%"
        raise problem("", what, "ask its host for a seat, or play another game first")
