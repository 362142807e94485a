"""How reliable an account is: the turns of an archive that waited for its orders, and those that got them."""

from __future__ import annotations

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.text.problems import problem
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import holder


def record_of(archive: Archive, account: int) -> tuple[int, int]:
    """The turns in all games that got an account's orders in time, and all that waited for them.

    Records and imported turns say nothing about when orders came, so they do not count; nor do turns in civil disorder.
    """
    sent = owed = 0
    for slug in archive.slugs():
        game = load_game(archive, slug)
        if game.data.kind is GameKind.RECORD or not may_have_played(game, account):
            continue
        for name in archive.turns(slug):
            data = load_turn(archive, game, name).data
            if data.status != "resolved" or data.closed is None:
                continue
            for seat in sorted(game.ruleset.due(data.position) - set(data.absent)):
                if holder(game, data, seat).account == account:
                    owed += 1
                    sent += seat in (data.sheets or {}) or seat in (data.stood or {})
    return sent, owed


def may_have_played(game: Game, account: int) -> bool:
    """True if an account holds a seat by game.yaml or by joining, or if rulings may have given it one."""
    known = [*game.data.seats.values(), *(joined.person for joined in game.joined.values())]
    return any(player.account == account for player in known) or any(player.account is None for player in known)


def check_reliable(archive: Archive, game: Game, account: int) -> None:
    """Raise `Problems` if a game asks for more reliable players. Newcomers may join every game."""
    least = game.data.join_least
    if least is None:
        return
    sent, owed = record_of(archive, account)
    if 100 * sent < least * owed:
        what = f"you sent {sent} of the {owed} sheets that games here waited for, and this game asks for {least} %"
        raise problem("", what, "ask its host for a seat, or play another game first")
