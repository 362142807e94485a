"""Keys and files of age v1 (age-encryption.org/v1). We use pyrage; people can use the `age` command, and browsers use age-encryption.

This code runs in a browser too, but pyrage does not. There the page opens the files first, and a backend set with `use` returns their contents.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from adjudicator.core.text.problems import Problems, problem

MOST_RECIPIENTS = 16
MOST_STANZAS = MOST_RECIPIENTS + 1
"""Maximum entries in the header of an age file: one for each key, and a dummy that some tools add."""
HEADER = 4096
"""Maximum bytes of a header. Long headers take disproportionately long to read."""
CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def bech32(kind: str, data: bytes) -> str:
    """Encode `data` in Bech32 (BIP 173), the format of age's keys. The tests compare it with age and pyrage.

    These twenty lines of a frozen specification need no package. The one called `bech32` has no types, and has not changed since 2020.
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


class Backend(Protocol):
    """A library that opens and seals age files."""

    def new(self) -> str:
        """Make a new identity."""

    def is_key(self, recipient: str) -> bool:
        """True if this key has a form that age knows and can seal to."""

    def public(self, identity: str) -> str | None:
        """The public key of an identity; empty for an SSH key. None if the identity is malformed."""

    def seal(self, text: bytes, recipients: Iterable[str], *, armored: bool) -> bytes:
        """Make an age file that each of the recipients can open."""

    def unseal(self, source: bytes, identities: Iterable[str]) -> bytes | None:
        """Open an age file and return its contents. None if no identity opens it."""


class Pyrage:
    """The backend that uses pyrage, age's implementation in Rust."""

    def new(self) -> str:
        """See `Backend.new`."""
        from pyrage import x25519

        return str(x25519.Identity.generate())

    def is_key(self, recipient: str) -> bool:
        """See `Backend.is_key`."""
        import pyrage

        try:
            self._recipient(recipient)
        except (pyrage.RecipientError, ValueError):
            return False
        return True

    def _recipient(self, text: str) -> object:
        from pyrage import ssh, x25519

        kind = x25519 if text.startswith("age1") else ssh
        return kind.Recipient.from_str(text)

    def public(self, identity: str) -> str | None:
        """See `Backend.public`."""
        import pyrage

        try:
            found = self._identity(identity)
        except (pyrage.IdentityError, ValueError):
            return None
        return "" if SSH in identity else str(found.to_public())

    def _identity(self, text: str) -> Any:
        from pyrage import ssh, x25519

        return ssh.Identity.from_buffer(text.encode()) if SSH in text else x25519.Identity.from_str(text)

    def seal(self, text: bytes, recipients: Iterable[str], *, armored: bool) -> bytes:
        """See `Backend.seal`."""
        import pyrage

        return bytes(pyrage.encrypt(text, [self._recipient(key) for key in recipients], armored=armored))

    def unseal(self, source: bytes, identities: Iterable[str]) -> bytes | None:
        """See `Backend.unseal`."""
        import pyrage

        try:
            return bytes(pyrage.decrypt(source, [self._identity(text) for text in identities]))
        except pyrage.DecryptError:
            return None


SSH = "PRIVATE KEY-----"
_used: list[Backend] = [Pyrage()]


def use(backend: Backend) -> None:
    """Use another backend from now on, where pyrage cannot run."""
    _used[:] = [backend]


def new_identity() -> str:
    """Make a new identity for a player."""
    return _used[0].new()


def recipient_of(identity: str) -> str:
    """The public key of an identity, `age1...`. Raises `Problems` if it is malformed."""
    return _read_identity(identity, "")[1]


def check_recipient(text: str) -> str | None:
    """Reason why private news cannot be sealed to this key; None if it can."""
    try:
        _check_recipient(text)
    except Problems as error:
        return error.problems[0].what
    return None


def canonical_key(text: str) -> str:
    """A key without the comment that an SSH key may carry, so that equal keys compare equal."""
    return " ".join(text.split()[:2])


PRIME = 2**255 - 19
SMALL_ORDER = (
    0, 1, PRIME - 1, PRIME, PRIME + 1,
    0xB8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
)  # fmt: skip
"""Points of Curve25519 that cannot be sealed to. The library does not refuse them; it aborts the process."""


@lru_cache(maxsize=1)
def _dead_keys() -> frozenset[str]:
    points = (point | top for point in SMALL_ORDER for top in (0, 1 << 255))
    return frozenset(bech32("age", point.to_bytes(32, "little")) for point in points)


def _check_recipient(text: str) -> str:
    words = text.split()
    age = len(words) == 1 and text.startswith("age1") and text not in _dead_keys()
    if (age or (len(words) >= 2 and words[0] in ("ssh-ed25519", "ssh-rsa"))) and _used[0].is_key(text):
        return text
    what = f"{text!r:.40} is not a key that can be sealed to"
    raise problem("", what, "use an age key (age1...) or an SSH key (ssh-ed25519 ... or ssh-rsa ...)")


def _read_identity(text: str, where: str) -> tuple[str, str]:
    """An identity without the comments around it in its file, and its public key."""
    lines = (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    identity = text if SSH in text else next(lines, "")
    public = _used[0].public(identity)
    if public is None:
        right = "use an age identity (AGE-SECRET-KEY-1...) or an SSH private key without a passphrase"
        raise problem(where, "this is not an identity", right)
    return identity, public


def encrypt(text: bytes, recipients: Iterable[str], *, armored: bool = False) -> bytes:
    """Seal `text` in an age file that each of the recipients can open. Raises `Problems` for a malformed key."""
    return _used[0].seal(text, [_check_recipient(key) for key in recipients], armored=armored)


SEAL_AGAIN = "seal it again with the key in this turn's turn.yaml"


def decrypt(source: bytes, identities: Iterable[str], path: str, right: str = SEAL_AGAIN) -> bytes:
    """Open an age file. Raises `Problems` if it is malformed or changed, or if no identity opens it; then `right` is the advice."""
    texts = tuple(identities)
    keys = [_read_identity(text, path)[0] for text in texts]
    examine(source, path)
    mark = hashlib.sha256("\n".join(texts).encode() + b"\0" + source).digest()
    if mark not in SHUT:
        opened = _used[0].unseal(source, keys)
        if opened is not None:
            return opened
        SHUT.add(mark)
    raise problem(path, "this cannot be opened: it was sealed to another key, or is damaged", right)


SHUT: set[bytes] = set()
"""A digest for each file that could not be opened, together with the identities tried, so that this process does not try them again."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Properties of an age file that anyone can see without opening it."""

    recipients: tuple[str, ...]
    """The kinds of its recipients: `X25519`, `ssh-ed25519`, `ssh-rsa`."""
    length: int
    """Length of the text inside, in bytes."""


BINARY, ARMORED = b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----"
CHUNK, TAG, NONCE = 64 * 1024, 16, 16


def examine(source: bytes, path: str) -> Shape:
    """The shape of an age file, binary or armored. Raises `Problems` if the file is not one."""

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
            if not words[0].endswith("-grease"):  # in this format, a dummy for readers to ignore
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
