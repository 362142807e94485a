"""The reserve: people who take over, in their order, the seats that fall into civil disorder by the game's own rules."""

from __future__ import annotations

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, Player
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.load import load_turn


def take_over(archive: Archive, game: Game, judged: TurnData, after: TurnData) -> bytes | None:
    """The `ruling.yaml` that gives seats of a turn that opens to people of the reserve; None if nobody takes one over.

    A seat is taken over if it was not in civil disorder in the turn before, even by a ruling, and is now. Each person takes over at most one
    seat in a game, and none if they hold one or held one before.
    """
    out = [seat for seat in after.absent if seat not in judged.absent]
    if not out or not game.data.reserve:
        return None
    turns = [judged, *(load_turn(archive, game, name).data for name in archive.turns(game.slug))]
    known = {
        *(player.account for player in game.data.seats.values()),
        *(joined.account for joined in game.joined.values()),
        *(ruling.replace.account for turn in turns for ruling in turn.rulings if ruling.replace is not None),
    }
    left = [person for person in game.data.reserve if person.account not in known]
    rulings = [
        {"reason": f"{seat} is in civil disorder, and {person.player} is next on the reserve list.", "replace": _given(seat, person)}
        for seat, person in zip(out, left, strict=False)
    ]  # fmt: skip
    return b"# Written by the run.\n" + write({"rulings": rulings}).encode() if rulings else None


def _given(seat: str, person: Player) -> dict[str, object]:
    said: dict[str, object] = {"seat": seat, "player": person.player, "account": person.account}
    return said | ({"key": person.key} if person.key is not None else {})
