"""Orders ahead of a turn's seats: sealed on their own, opened when a later turn needs them, and made into its sheets.

In a sealed game the key of a turn is published when the turn is judged, and its sheets with it. Their orders ahead must stay secret until the
turn that they are for, so inside the sheet each list is sealed again, to a different key. That key is published with the later turn, if
somebody's list was needed then. Lists for a turn that never comes stay sealed.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field

from adjudicator.core.contract.ahead import MOST_AHEAD, SEALED, Ahead, AheadLine, split_line, usable
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.game.game import Game
from adjudicator.core.secrets.age import decrypt, encrypt, recipient_of
from adjudicator.core.secrets.envelope import pad
from adjudicator.core.secrets.masters import FILE_VARIABLE, VARIABLE, ahead_identity
from adjudicator.core.text.codec import decode, encode, record
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.data import SealData, Turn

STEP = 512
"""Plain texts of sealed lists have a multiple of this length, in bytes."""


@record
class SealedList:
    """The plain text of a list that is sealed on its own."""

    turn: str
    seat: str
    lines: Annotated[tuple[AheadLine, ...], Field(max_length=MOST_AHEAD)] = ()


def ahead_recipients(game: Game, kid: str, keys: Iterable[str], turn: str, attempt: int) -> dict[str, str]:
    """Key of each of these lists -> the recipient that the list is sealed to in a turn. Empty without the master secret called `kid`."""
    master = game.masters.named(kid)
    if master is None or game.data.id is None:
        return {}
    origin = (game.archive, game.name, turn, game.data.id, attempt)
    return {key: recipient_of(ahead_identity(master, key, *origin)) for key in sorted(keys)}


def shut_lists(
    seal: SealData, turn: str, seat: str, plain: Mapping[str, Any], sheet: Any, ahead: Ahead[Any] | None
) -> dict[str, Any]:
    """The data of a sheet (`plain`, with its keys in standard spelling; `sheet` is the same, decoded) with its lists sealed on their own.

    If the sheet has any, all lists of the turn are sealed, so that none shows which it has. Raises `Problems` if the turn has no key for one.
    """
    lists = {key: getattr(sheet, key) for key in (ahead.keys if ahead is not None else ()) if getattr(sheet, key, ())}
    if not lists:
        return {**plain}
    if missing := [key for key in lists if key not in (seal.ahead or {})]:
        what = f"this turn has no key to seal `{missing[0]}` to, so everybody could read it after the turn"
        raise problem("", what, "leave it out, or send the sheet open")
    shut = {}
    for key, recipient in (seal.ahead or {}).items():
        inside = SealedList(turn=turn, seat=seat, lines=lists.get(key, ()))
        shut[key] = base64.b64encode(encrypt(pad(write(encode(inside)).encode(), STEP), [recipient])).decode()
    return {**{key: value for key, value in plain.items() if key not in lists}, SEALED: shut}


def list_for(before: Turn, sheet: SheetWords, kind: str) -> str | None:
    """The key of the list on a sheet of the turn `before` that is for turns of this kind; None if there is none."""
    ahead = before.game.ruleset.ahead
    lists = ahead.lists(before.data.position) if ahead is not None else {}
    return next((key for key, other in lists.items() if other == kind and hasattr(sheet, key)), None)


def identity_of_lists(turn: Turn, before: Turn, key: str) -> str | None:
    """The identity that opens the lists `key` of the turn `before`: as published with the later turn, or derived.

    None if nothing is sealed in that turn. Raises `Problems` if the master secret is needed and not available.
    """
    data, game, seal = turn.data, turn.game, before.data.seal
    if data.status != "open" and data.seal is not None and data.seal.ahead_identity is not None:
        return data.seal.ahead_identity
    if seal is None or key not in (seal.ahead or {}):
        return None
    master = game.masters.named(seal.kid)
    if master is None:
        right = f"give the master secret {seal.kid} too, in {VARIABLE} or {FILE_VARIABLE}"
        raise problem(
            f"{game.home}/{turn.name}",
            f"orders ahead from {before.name} are sealed, and their master secret is not here",
            right,
        )
    return ahead_identity(
        master, key, game.archive, game.name, before.name, game.data.id or "", before.data.attempt or 1
    )


def counts(ahead: Ahead[Any], before: Turn, seat: str, key: str, lines: Iterable[str]) -> bool:
    """True if a list has a line that could be an order of the later turn: anything else is as good as no list."""
    view = before.game.ruleset.view(before.data.position, None)
    return any(ahead.fault(view, seat, key, split_line(line)[0]) is None for line in lines)


def open_list(sealed: str, identity: str, before: Turn, seat: str, path: str) -> tuple[str, ...]:
    """The lines of a sealed list. Raises `Problems` if it does not open, or was sealed for another turn or seat."""
    try:
        body = base64.b64decode(sealed, validate=True)
    except (binascii.Error, ValueError):
        raise problem(path, "the sealed list is not base64", "seal the sheet again") from None
    inside = decode(SealedList, read(decrypt(body, [identity], path), path))
    if (inside.turn, inside.seat) != (before.name, seat):
        raise problem(path, "the list was sealed for another turn or seat", "seal the sheet again")
    return inside.lines


def sheet_from(game: Game, position: Any, seat: str, lines: tuple[str, ...]) -> SheetWords:
    """The sheet that a list of orders ahead gives in a later turn with this position. It may be empty."""
    rules, ahead = game.ruleset, game.ruleset.ahead
    assert ahead is not None
    view = rules.view(position, None)
    kind = rules.sheet_for(position, seat)

    def legal(orders: tuple[str, ...]) -> bool:
        return all(remark.level != "error" for remark in rules.rules.check(view, seat, kind(orders=orders)))

    sheet: SheetWords = kind(orders=usable(ahead, view, seat, lines, legal))
    return sheet


def without_lists(sheet: Any, ahead: Ahead[Any]) -> bool:
    """True if a sheet has no orders ahead, neither open nor sealed."""
    return not any(getattr(sheet, key, ()) for key in (*ahead.keys, SEALED))
