"""The keys of a turn, from the archive's master secret or from the file of a turn that is over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from adjudicator.core.game.game import Game
from adjudicator.core.secrets import dice as luck
from adjudicator.core.secrets.age import recipient_of
from adjudicator.core.secrets.envelope import HIDDEN_WIDTH_1, OPEN_WIDTH, WIDTH_1, Width, width_of
from adjudicator.core.secrets.masters import FILE_VARIABLE, VARIABLE, dice_secret, kid_of, turn_identity
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.turn.data import SealData, TurnData

Sizes: TypeAlias = tuple[int | None, int | None, int | None, int | None]
"""A format, then the lengths of sheets, of dispatches and of `secret.age`, as far as they are fixed."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets of one turn: that of its dice, and the identity that opens its sealed files (None in a game that is not sealed)."""

    dice: bytes
    identity: str | None = None
    kid: str | None = None
    lengths: Sizes = (None, None, None, None)
    """The format, and the lengths of sealed sheets, dispatches and `secret.age`; all None in format 1."""

    @property
    def seal(self) -> SealData | None:
        """The public half of an open turn's key."""
        if self.identity is None:
            return None
        assert self.kid is not None
        format_, width, dispatch, secret = self.lengths
        public = recipient_of(self.identity)
        return SealData(kid=self.kid, recipient=public, format=format_, width=width, dispatch=dispatch, secret=secret)


def sheet_width(game: Game, data: TurnData) -> Width:
    """The lengths that a turn's sealed sheets may have."""
    hidden = game.ruleset.secrecy is not None
    if data.seal is None or data.seal.width is None:
        return HIDDEN_WIDTH_1 if hidden else WIDTH_1
    return width_of(data.seal.width, hidden=hidden)


def keys_for(
    game: Game, turn: str, archived: TurnData | None = None, attempt: int = 1, before: SealData | None = None
) -> Keys:
    """A turn's keys: as published when it was judged, or derived; raises `Problems` if neither is possible.

    `archived` is the turn in the archive, if it is there. Otherwise the keys are for the turn's attempt number `attempt`, and `before` is the
    seal of an earlier turn or attempt, if there is one: its format and lengths are kept.
    """
    if archived is None:
        keys = derive_keys(game, turn, None, attempt)
        return replace(keys, lengths=before.lengths) if before is not None and keys.identity is not None else keys
    name = archived.seal.kid if archived.seal is not None else None
    published = (
        archived.status != "open" and archived.dice.secret and archived.seal is not None and archived.seal.identity
    )
    if game.data.sealed and published:
        assert archived.dice.secret is not None
        assert archived.seal is not None
        try:
            return Keys(bytes.fromhex(archived.dice.secret), archived.seal.identity, name, archived.seal.lengths)
        except ValueError:
            raise problem("", "the secret of the dice is not hexadecimal", "restore the file") from None
    keys = derive_keys(game, turn, name, archived.attempt or 1)
    return replace(keys, lengths=archived.seal.lengths) if archived.seal is not None else keys


def derive_keys(game: Game, turn: str, name: str | None, attempt: int) -> Keys:
    """Derive a turn's keys from the master secret called `name` (None: the newest), or from the seed if the game is not sealed.

    Raises `Problems` if the master secret is not available.
    """
    if not game.data.sealed:
        return Keys(luck.turn_secret(game.data.seed, game.name, turn, attempt))
    master = game.masters.named(name)
    if master is None:
        what = "the game is sealed, and the master secret" + (f" {name}" if name else "") + " is not here"
        raise problem(game.home, what, f"give it in {VARIABLE} or {FILE_VARIABLE}")
    origin = (game.archive, game.name, turn, game.data.id or "", attempt)
    return Keys(dice_secret(master, *origin), turn_identity(master, *origin), kid_of(master), _lengths(game))


def _lengths(game: Game) -> Sizes:
    """The format and the lengths for a game that begins now."""
    if game.data.id is None:
        return None, None, None, None
    if game.ruleset.secrecy is None:
        return 2, OPEN_WIDTH, None, None
    lengths = game.ruleset.secrecy.lengths(game.settings)
    return 3, lengths.sheet, lengths.dispatch, lengths.secret


def has_keys(game: Game, data: TurnData) -> bool:
    """True if a turn's keys are available."""
    try:
        keys_for(game, data.turn, data)
    except Problems:
        return False
    return True


def setup_secret(game: Game, committed: str | None) -> bytes:
    """The secret of the setup's dice, from the master secret that matches the commitment. Raises `Problems` if none of them matches."""
    if not game.data.sealed or committed is None:
        return keys_for(game, "setup").dice
    for master in game.masters.secrets:
        secret = dice_secret(master, game.archive, game.name, "setup", game.data.id or "")
        if luck.commitment(secret) == committed:
            return secret
    what = "the master secret behind the commitment to the setup is not here"
    raise problem(game.home, what, f"give it in {VARIABLE} or {FILE_VARIABLE}")
