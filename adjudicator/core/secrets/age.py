"""Keys and files of age v1 (age-encryption.org/v1): by pyrage here, by `age` on a terminal, by age-encryption in a browser."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adjudicator.core.text.problems import Problems, problem

MOST_RECIPIENTS = 16
MOST_STANZAS = MOST_RECIPIENTS + 1
"""Entries that the header of an age file may have: one for each key, and one for nobody, which some tools add."""
HEADER = 4096
"""The most bytes of a header: reading a long one costs far more than its length."""
CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def bech32(kind: str, data: bytes) -> str:
    """`data` in Bech32 (BIP 173), the writing of age's keys; tested against age and pyrage.

    Twenty lines of a frozen specification: the package of that name is untyped and has not changed since 2020.
    """

    def polymod(values: Iterable[int]) -> int:
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                if top >> bit & 1:
                    check ^= generator
        return check

    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    head = [ord(char) >> 5 for char in kind] + [0] + [ord(char) & 31 for char in kind]
    check = polymod([*head, *values, 0, 0, 0, 0, 0, 0]) ^ 1
    values += [check >> 5 * (5 - at) & 31 for at in range(6)]
    return kind + "1" + "".join(CHARSET[value] for value in values)


def new_identity() -> str:
    """A player's own new identity."""
    from pyrage import x25519

    return str(x25519.Identity.generate())


def recipient_of(identity: str) -> str:
    """The public key of an identity, `age1...`; raises `Problems` if it is malformed."""
    return str(_identity(identity, "").to_public())


def check_recipient(text: str) -> str | None:
    """Why private news cannot be sealed to this key; None when it can."""
    try:
        _recipient(text)
    except Problems as error:
        return error.problems[0].what
    return None


def canonical_key(text: str) -> str:
    """A key without the comment that an SSH key may carry, so that the same key is seen to be the same."""
    return " ".join(text.split()[:2])


PRIME = 2**255 - 19
SMALL_ORDER = (
    0, 1, PRIME - 1, PRIME, PRIME + 1,
    0xB8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
)  # fmt: skip
"""The points of Curve25519 that nothing can be sealed to: age's library does not refuse them, it stops the process."""


@lru_cache(maxsize=1)
def _dead_keys() -> frozenset[str]:
    points = (point | top for point in SMALL_ORDER for top in (0, 1 << 255))
    return frozenset(bech32("age", point.to_bytes(32, "little")) for point in points)


def _recipient(text: str) -> Any:
    import pyrage

    words = text.split()
    try:
        if len(words) == 1 and text.startswith("age1") and text not in _dead_keys():
            return pyrage.x25519.Recipient.from_str(text)
        if len(words) >= 2 and words[0] in ("ssh-ed25519", "ssh-rsa"):
            return pyrage.ssh.Recipient.from_str(text)
    except (pyrage.RecipientError, ValueError):
        pass
    what = f"{text!r:.40} is no key that can be sealed to"
    raise problem("", what, "an age key (age1...) or an SSH key (ssh-ed25519 ... or ssh-rsa ...)")


def _identity(text: str, where: str) -> Any:
    import pyrage

    try:
        if "PRIVATE KEY-----" in text:
            return pyrage.ssh.Identity.from_buffer(text.encode())
        line = next(line for line in text.splitlines() if line.strip() and not line.startswith("#"))
        return pyrage.x25519.Identity.from_str(line.strip())
    except (pyrage.IdentityError, StopIteration, ValueError):
        right = "an age identity (AGE-SECRET-KEY-1...) or an SSH private key without a passphrase"
        raise problem(where, "this is no identity", right) from None


def encrypt(text: bytes, recipients: Iterable[str], *, armored: bool = False) -> bytes:
    """`text` as an age file that each of the recipients can open; raises `Problems` for a malformed key."""
    import pyrage

    return bytes(pyrage.encrypt(text, [_recipient(key) for key in recipients], armored=armored))


SEAL_AGAIN = "seal it again with the key in this turn's turn.yaml"


def decrypt(source: bytes, identities: Iterable[str], path: str, right: str = SEAL_AGAIN) -> bytes:
    """The text of an age file; raises `Problems` if it is malformed, was changed, or no identity opens it: then `right` would be right."""
    import pyrage

    texts = tuple(identities)
    keys = [_identity(text, path) for text in texts]
    examine(source, path)
    mark = hashlib.sha256("\n".join(texts).encode() + b"\0" + source).digest()
    if mark not in SHUT:
        try:
            return bytes(pyrage.decrypt(source, keys))
        except pyrage.DecryptError:
            SHUT.add(mark)
    raise problem(path, "this cannot be opened: it was sealed to another key, or is damaged", right)


SHUT: set[bytes] = set()
"""Digests of keys and files that they did not open in this process, so that a second batch does not try them again."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What anyone can see of an age file without opening it."""

    recipients: tuple[str, ...]
    """The kinds of its recipients: `X25519`, `ssh-ed25519`, `ssh-rsa`."""
    length: int
    """Bytes of the text inside."""


BINARY, ARMORED = b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----"
CHUNK, TAG, NONCE = 64 * 1024, 16, 16


def examine(source: bytes, path: str) -> Shape:
    """The shape of an age file, binary or armored; raises `Problems` if it is not one."""

    def fail(what: str) -> Problems:
        return problem(path, what, "seal the sheet with `courtly seal`, the order desk or `age`")

    body = source
    if source.startswith(ARMORED):
        lines = source.decode("ascii", "replace").split()
        # BEGIN and END AGE ENCRYPTED FILE are four words each.
        inner = "".join(lines[4:-4])
        try:
            body = base64.b64decode(inner, validate=True)
        except (binascii.Error, ValueError):
            raise fail("the sealed text is damaged: it is not base64") from None
    if not body.startswith(BINARY):
        raise fail("this is not an age file")
    kinds: list[str] = []
    stanzas = 0
    at = len(BINARY)
    while True:
        end = body.find(b"\n", at)
        if (end if end >= 0 else len(body)) >= HEADER:
            raise fail(f"the header is longer than {HEADER} bytes")
        if end < 0:
            raise fail("the sealed text is cut off")
        line = body[at:end]
        at = end + 1
        if line.startswith(b"-> "):
            words = line[3:].decode("ascii", "replace").split(" ")
            stanzas += 1
            if not words[0].endswith("-grease"):  # by the format, for nobody: it is there to be passed over
                kinds.append(words[0])
            if len(kinds) > MOST_RECIPIENTS:
                raise fail(f"it is sealed to more than {MOST_RECIPIENTS} keys")
            if stanzas > MOST_STANZAS:
                raise fail(f"the header has more than {MOST_STANZAS} entries")
        elif line.startswith(b"--- "):
            break
    sealed = len(body) - at - NONCE
    if sealed < TAG:
        raise fail("the sealed text is cut off")
    chunks = -(-sealed // (CHUNK + TAG))
    return Shape(tuple(kinds), sealed - chunks * TAG)
