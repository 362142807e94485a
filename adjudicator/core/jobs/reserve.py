"""The reserve: people who take over, in their order, the seats that fall into civil disorder by the game's own rules."""

from __future__ import annotations

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, Player
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.load import load_turn

REASON = "{seat} is in civil disorder, and the next person on the reserve list takes over."


def take_over(archive: Archive, game: Game, judged: TurnData, after: TurnData) -> bytes | None:
    """The `ruling.yaml` that gives seats of a turn that opens to people of the reserve; None if nobody takes one over.

    A seat is taken over if it is in civil disorder and would owe a sheet in that turn, so nobody gets a power that is out of the game; unless a
    ruling emptied it or put it there, which leaves it to the host. Each person takes over at most one seat in a game, and none if they hold one
    or held one before. The ruling names nobody in its reason, because pages show reasons unchanged.
    """
    due = game.ruleset.due(after.position)
    out = [seat for seat in after.absent if seat in due]
    if not out or not game.data.reserve:
        return None
    turns = [judged, *(load_turn(archive, game, name).data for name in archive.turns(game.slug))]
    rulings = [ruling for turn in turns for ruling in turn.rulings]
    given = [ruling.replace for ruling in rulings if ruling.replace is not None]
    known = {
        *(player.account for player in game.data.seats.values()),
        *(joined.account for joined in game.joined.values()),
        *(new.account for new in given),
    }
    by_host = {ruling.absent for ruling in rulings} | {new.seat for new in given if new.account is None}
    left = [person for person in game.data.reserve if person.account not in known]
    seats = [seat for seat in out if seat not in by_host]
    told = [
        {"reason": REASON.format(seat=seat), "replace": _given(seat, person)}
        for seat, person in zip(seats, left, strict=False)
    ]
    return b"# Written by the run.\n" + write({"rulings": told}).encode() if told else None


def _given(seat: str, person: Player) -> dict[str, object]:
    said: dict[str, object] = {"seat": seat, "player": person.player, "account": person.account}
    return said | ({"key": person.key} if person.key is not None else {})
