"""Seats by preference (`join: preference`): people rank the seats they would like, and the game's dice distribute them.

Whoever wants to play sends `games/GAME/join/wish.yaml`. Intake keeps it as `wish.ACCOUNT.yaml`, with the account that GitHub names. When
there are as many wishes as open seats, the next run draws and writes `draw.yaml`. It puts the people in a random order. One by one, they
get the best of their ranked seats that is still free. The seats that remain are shuffled, and go to those whose ranked seats were all taken.
So nobody gains by misstating their ranking, or by ranking fewer seats.

The draw is rolled like a turn's dice. Its secret s is derived for the purpose `seats`, and `draw:` in game.yaml shows the SHA-256 of s from
the beginning. The digest X of all wishes is mixed in: K = HMAC(s, "mix|GAME|seats|" + X). So nobody who sends a wish can foresee the draw,
and the host cannot choose it after seeing the wishes. s and X are published in `draw.yaml`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.drawn import Draw, Pick
from adjudicator.core.game.game import SCHEMA, Game, Joined, check_schema
from adjudicator.core.secrets import dice as luck
from adjudicator.core.secrets.masters import FILE_VARIABLE, VARIABLE, dice_secret
from adjudicator.core.text.codec import Whole, decode, encode, record
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import read, write

FOLDER = "join"
SENT = "wish.yaml"
"""The name of a wish in a pull request."""
DRAW = "draw.yaml"
KEPT = re.compile(r"wish\.([1-9][0-9]{0,17})\.yaml", re.ASCII)
"""File name of a wish that intake keeps, with its account."""
PURPOSE = "seats"
"""The purpose that the draw's secret is derived for. A turn's secret is derived for the turn's name, and no turn has this name."""
RESTORE = "restore it from the history"


@record
class Wished:
    """The file of somebody who would like to play: `games/GAME/join/wish.yaml` of a pull request."""

    seats: tuple[str, ...]
    """The open seats they would like, best first."""
    key: str | None = None
    """The age or SSH key to seal their private news to."""


@record
class Wish:
    """A wish that intake keeps: its author's text, and the account that GitHub names as its author."""

    schema: int
    seats: tuple[str, ...]
    player: str
    account: Whole
    key: str | None = None
    asked: str
    """The time of the request, by the server's clock."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A wish in the archive."""

    wish: Wish
    digest: str
    """SHA-256 of its file, in hexadecimal."""


def wish_path(game: Game, account: int) -> str:
    """The path of the file that intake writes for an account's wish."""
    return f"{game.home}/{FOLDER}/wish.{account}.yaml"


def load_wishes(archive: Archive, game: Game) -> list[Kept]:
    """The wishes for seats of a game, sorted by account; raises `Problems` for files that intake did not write."""
    folder = archive.game_folder(game.slug) / FOLDER
    kept: list[Kept] = []
    faults: list[Problem] = []
    for path in archive.files.paths(folder, "wish.*.yaml"):
        if (match := KEPT.fullmatch(path.name)) is None:
            continue  # reported by `load_joined`, which reads the whole folder
        try:
            kept.append(_read_wish(game, archive.read(path), display(path, archive.root), int(match[1])))
        except Problems as error:
            faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return sorted(kept, key=lambda one: one.wish.account)


def _read_wish(game: Game, body: bytes, path: str, account: int) -> Kept:
    text = read(body, path)
    check_schema(text)
    wish = decode(Wish, text)
    if wish.account != account:
        raise Problems([text.problem((), "the file's name does not match its contents", "restore one or the other")])
    if unknown := [seat for seat in wish.seats if seat not in game.seats]:
        raise Problems([text.problem(("seats",), f"no seat is called {unknown[0]!r:.60}", RESTORE)])
    return Kept(wish, hashlib.sha256(body).hexdigest())


def load_draw(archive: Archive, game: Game) -> Draw | None:
    """The draw of a game's seats; None before the draw. Raises `Problems` for a file that no run wrote."""
    path = archive.game_folder(game.slug) / FOLDER / DRAW
    if not archive.files.exists(path):
        return None
    text = read(archive.read(path), display(path, archive.root))
    check_schema(text)
    draw = decode(Draw, text)
    seats = [pick.seat for pick in draw.picks if pick.seat is not None]
    if not set(seats) <= set(game.seats) or len(set(seats)) < len(seats):
        raise Problems([text.problem(("picks",), "a seat is given twice, or is not in this game", RESTORE)])
    return draw


def holders_by_draw(archive: Archive, game: Game, draw: Draw) -> list[Joined]:
    """The people who got seats in a draw, with the keys in their wishes; raises `Problems` if a wish is gone."""
    wishes = {kept.wish.account: kept.wish for kept in load_wishes(archive, game)}
    if gone := [pick for pick in draw.picks if pick.account not in wishes]:
        raise problem(
            wish_path(game, gone[0].account),
            "this wish is missing, although its author got a seat in the draw",
            RESTORE,
        )
    return [
        Joined(
            schema=SCHEMA, seat=pick.seat, player=wishes[pick.account].player, account=pick.account,
            key=wishes[pick.account].key, asked=wishes[pick.account].asked,
        )
        for pick in draw.picks
        if pick.seat is not None
    ]  # fmt: skip


# Drawing ----------------------------------------------------------------------------------------------------------


def draw_secret(game: Game) -> bytes:
    """The secret of the draw that game.yaml commits to; raises `Problems` if its master secret is not available."""
    if not game.data.sealed:
        return luck.turn_secret(game.data.seed, game.name, PURPOSE)
    for master in game.masters.secrets:
        secret = dice_secret(master, game.archive, game.name, PURPOSE, game.data.id or "")
        if luck.commitment(secret) == game.data.draw:
            return secret
    what = "the master secret behind the commitment to the draw of the seats is not here"
    right = f"give it in {VARIABLE} or {FILE_VARIABLE}; or restore `draw:` and `id:` in game.yaml, if they were changed"
    raise problem(game.home, what, right)


def draw_seats(slug: str, secret: bytes, wishes: Sequence[Kept], seats: Sequence[str], at: str | None) -> Draw:
    """Distribute the open seats among those who wish for them, with the same result on any machine.

    The people, by account, are shuffled by the roll `order`. One by one, they take the first seat of their wish that is still free. The
    remaining seats, in the order of the game, are shuffled by the roll `left`. They go to the people without a seat, in the order of `order`.
    """
    digest = luck.digest({str(kept.wish.account): kept.digest for kept in wishes})
    dice = luck.NamedDice(luck.turn_key(secret, slug, PURPOSE, digest))
    order = dice.shuffle("order", sorted(wishes, key=lambda kept: kept.wish.account))
    free = list(seats)
    given: dict[int, tuple[str, int | None]] = {}
    for kept in order:
        choice = next((number for number, seat in enumerate(kept.wish.seats, 1) if seat in free), None)
        if choice is not None:
            seat = kept.wish.seats[choice - 1]
            free.remove(seat)
            given[kept.wish.account] = (seat, choice)
    left = dice.shuffle("left", free)
    without = [kept.wish.account for kept in order if kept.wish.account not in given]
    given |= {account: (seat, None) for account, seat in zip(without, left, strict=False)}
    picks = []
    for kept in order:
        seat_and_choice = given.get(kept.wish.account, (None, None))
        picks.append(
            Pick(
                account=kept.wish.account, player=kept.wish.player, wish=kept.digest,
                seat=seat_and_choice[0], choice=seat_and_choice[1],
            )
        )  # fmt: skip
    return Draw(
        schema=SCHEMA, drawn=at, secret=secret.hex(), digest=digest, picks=tuple(picks), rolls=dice.rolls
    )  # fmt: skip


def draw_text(draw: Draw) -> bytes:
    """`join/draw.yaml` as a run writes it."""
    head = "# Written by the run that drew the seats. It is not changed; a ruling `replace` gives a seat to another.\n"
    return (head + write(encode(draw))).encode()


# Checking ---------------------------------------------------------------------------------------------------------


def draw_faults(archive: Archive, game: Game, *, begun: bool) -> list[Problem]:
    """The faults in the draw of a game's seats, found by drawing again from the wishes. Raises `Problems`.

    This needs no master secret, because `draw.yaml` shows the secret of the draw.
    """
    where = f"{game.home}/{FOLDER}/{DRAW}"
    wishes = {kept.wish.account: kept for kept in load_wishes(archive, game)}
    draw = game.drawn
    if draw is None:
        if not begun and game.data.join is Joining.PREFERENCE and game.masters.secrets:
            try:
                draw_secret(game)  # report a missing secret before people wish for seats that could not be drawn
            except Problems as error:
                return list(error.problems)
        # A host may also have named everybody in game.yaml. Then nothing was drawn, and wishes may be left over.
        open_still = any(player.free for player in game.data.seats.values())
        lost = begun and wishes and open_still and game.data.join is Joining.PREFERENCE
        return (
            [Problem(where, 0, 0, "the game has begun, but the draw of its seats is missing", RESTORE)] if lost else []
        )
    faults = []
    for pick in draw.picks:
        kept = wishes.pop(pick.account, None)
        if kept is None or kept.digest != pick.wish:
            path = wish_path(game, pick.account)
            faults.append(Problem(path, 0, 0, "this wish differs from the one in the draw", RESTORE))
    seated = {player.account for player in game.data.seats.values()}
    faults += [
        Problem(wish_path(game, account), 0, 0, "this wish was not in the draw", "remove it, or restore the draw")
        for account in wishes
        if account not in seated
    ]
    secret = bytes.fromhex(draw.secret) if re.fullmatch(r"[0-9a-f]{64}", draw.secret, re.ASCII) else b""
    right = luck.commitment(secret) == game.data.draw if game.data.sealed else secret == draw_secret(game)
    if not right:
        faults.append(
            Problem(where, 0, 0, "the secret of the draw does not match the commitment in game.yaml", RESTORE)
        )
    if faults:
        return faults
    named = [kept for kept in load_wishes(archive, game) if kept.wish.account in {pick.account for pick in draw.picks}]
    drawn = {pick.seat for pick in draw.picks}
    again = draw_seats(game.name, secret, named, [seat for seat in game.seats if seat in drawn], draw.drawn)
    if again != draw:
        return [Problem(where, 0, 0, _difference(again, draw), RESTORE)]
    body = archive.read(archive.root / where)
    return (
        []
        if body == draw_text(again)
        else [Problem(where, 0, 0, "the file differs from what the draw writes", RESTORE)]
    )


def _difference(again: Draw, draw: Draw) -> str:
    """The first difference between a draw and its repetition, in words."""
    if [pick.account for pick in again.picks] != [pick.account for pick in draw.picks]:
        return "drawn again, the people choose in a different order"
    for mine, theirs in zip(again.picks, draw.picks, strict=True):
        if mine != theirs and mine.seat == theirs.seat:
            return f"drawn again, account {mine.account} chooses differently from the draw"
        if mine != theirs:
            return f"drawn again, account {mine.account} gets {mine.seat or 'no seat'}, not {theirs.seat or 'no seat'}"
    return "drawn again, its digest or its rolls differ"
