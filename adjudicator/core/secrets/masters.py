"""The archive's master secrets, and the values derived from them: for each turn an identity and a secret for its dice.

A turn's X25519 identity is bech32(HMAC(master, "seal/v2|archive|game|id|turn|attempt")). So only the master must be kept, and
no two turns share a key. The archive's id is included because an organisation may give several repositories the same secret.
The game's random id is included because a game may be removed and another opened under its name. The attempt is included
because a turn may be played again, and a key published for one attempt must not open another. `turn.yaml` shows the turn's
recipient from the moment the turn opens, and the identity once the turn is judged (once the game ends, if the ruleset has
hidden information). Games without a random id have format 1: keys from "seal/v1|archive|game|turn". Archive and game are
the names under which the game was opened, wherever its folder is now. HMAC is HMAC-SHA256.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.files.places import named, read_named
from adjudicator.core.secrets.age import bech32
from adjudicator.core.secrets.chance import drawn
from adjudicator.core.text.problems import problem

MASTER = re.compile(r"courtly-master-1-([0-9a-f]{64})", re.ASCII)
VARIABLE = "COURTLY_MASTER"
FILE_VARIABLE = "COURTLY_MASTER_FILE"


@dataclass(frozen=True, slots=True)
class Masters:
    """The archive's master secrets, newest first. A `kid` names each without revealing anything about it."""

    secrets: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        """Remember the secrets for processes that this one starts."""
        _HERE.update((kid_of(secret), secret) for secret in self.secrets)

    def __reduce__(self) -> tuple[Callable[..., Masters], tuple[str, ...]]:
        """Pickle only the names: a secret never leaves a process, and another process reads it for itself (RT-10)."""
        return masters_here, tuple(map(kid_of, self.secrets))

    def __repr__(self) -> str:
        """Show only the names, because secrets must not be printed."""
        return f"Masters({', '.join(map(kid_of, self.secrets))})"

    def named(self, name: str | None) -> bytes | None:
        """The secret called `name`, or the newest for None. None if that secret is not here."""
        if name is None:
            return self.secrets[0] if self.secrets else None
        return next((secret for secret in self.secrets if kid_of(secret) == name), None)


_HERE: dict[str, bytes] = {}
"""Name -> secret, for all that this process has used. A forked process inherits them; one on another machine does not."""


def masters_here(*names: str) -> Masters:
    """The master secrets with these names in a worker: from its parent process, or from its environment.

    Raises `Problems` if one is missing.
    """
    own = {kid_of(secret): secret for secret in masters_from(os.environ).secrets} if {*names} - {*_HERE} else {}
    found = _HERE | own
    for name in names:
        if name not in found:
            what = f"a worker does not have the master secret {name}"
            raise problem("--scheduler", what, f"set {VARIABLE} or {FILE_VARIABLE} where workers are started")
    return Masters(tuple(found[name] for name in names))


def new_master() -> str:
    """Make a new master secret, as text for a secret store."""
    return f"courtly-master-1-{drawn(32)}"


def keep(path: Path, body: str) -> None:
    """Write a secret to a new file that only its owner can read. Raises `Problems` if the file exists."""
    try:
        files, file = named(path)
        files.create(file, body.encode(), private=True)
    except FileExistsError:
        raise problem(str(path), "a file with that name already exists", "choose another name") from None


def master_file(secret: str) -> tuple[str, str]:
    """The text of a file that keeps a master secret, and the secret's name."""
    name = kid_of(read_masters(secret, "").secrets[0])
    return f"# courtly master secret {name}\n{secret}\n", name


def kid_of(secret: bytes) -> str:
    """The name of a master secret: 16 hexadecimal digits."""
    return _hmac(secret, "kid/v1").hex()[:16]


def read_masters(text: str, where: str) -> Masters:
    """Read masters from text with one secret per line, newest first. Raises `Problems`, which never repeat the text."""
    secrets = []
    for number, line in enumerate(text.splitlines(), 1):
        if not (stripped := line.strip()) or stripped.startswith("#"):
            continue
        match = MASTER.fullmatch(stripped)
        if match is None:
            raise problem(where, "this is not a master secret", "make one with `courtly keygen --master`", line=number)
        secrets.append(bytes.fromhex(match[1]))
    return Masters(tuple(dict.fromkeys(secrets)))


def masters_from(environment: Mapping[str, str]) -> Masters:
    """Read masters from the environment: from `COURTLY_MASTER` itself, or from the file that `COURTLY_MASTER_FILE` names."""
    if text := environment.get(VARIABLE):
        return read_masters(text, f"${VARIABLE}")
    if name := environment.get(FILE_VARIABLE):
        try:
            text = read_named(Path(name), follow=True).decode("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            what = "there is no such file"
            raise problem(f"${FILE_VARIABLE}", what, "name the file that holds the master secret") from None
        # A file that is not text contains no master secret, and `read_masters` reports that.
        return read_masters(text, f"${FILE_VARIABLE}")
    return Masters()


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def dice_secret(master: bytes, archive: str, game: str, turn: str, own: str = "", attempt: int = 1) -> bytes:
    """The secret s of one turn's dice. `own` is the game's random id, empty in a game of format 1."""
    return _hmac(master, _derivation("dice", archive, game, turn, own, attempt))


def turn_identity(master: bytes, archive: str, game: str, turn: str, own: str = "", attempt: int = 1) -> str:
    """The age identity that opens texts sealed for one turn: `AGE-SECRET-KEY-1...`."""
    return bech32("age-secret-key-", _hmac(master, _derivation("seal", archive, game, turn, own, attempt))).upper()


def ahead_identity(
    master: bytes, what: str, archive: str, game: str, turn: str, own: str = "", attempt: int = 1
) -> str:
    """The age identity that opens one turn's orders ahead for a later turn; `what` is the key of their list."""
    return bech32(
        "age-secret-key-", _hmac(master, _derivation(f"ahead-{what}", archive, game, turn, own, attempt))
    ).upper()


def _derivation(what: str, archive: str, game: str, turn: str, own: str, attempt: int) -> str:
    if own:
        return f"{what}/v2|{archive}|{game}|{own}|{turn}|{attempt}"
    return f"{what}/v1|{archive}|{game}|{turn}" + (f"|{attempt}" if attempt > 1 else "")


def news_salt(secret: bytes, seat: str, moved: int) -> str:
    """The salt in a seat's news, derived from the secret of the turn's dice. Without a salt, the digest of the news would confirm a guess.

    `moved` counts the rulings that changed the position since the turn opened.
    """
    return _hmac(secret, f"news/v2|{seat}|{moved}").hex()[:32]
