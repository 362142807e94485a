"""Files and keys of age v1 (age-encryption.org/v1) with given randomness: a test's sealed files are identical in every run.

Pyrage draws its own randomness, and dice depend on the sealed text. Pyrage can open the files written here.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pyrage
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adjudicator.core.secrets.age import CHARSET, bech32

Chance = Callable[[int], bytes]
CHUNK = 64 * 1024


def _derived(secret: bytes, salt: bytes, info: str) -> bytes:
    return HKDF(SHA256(), 32, salt, info.encode()).derive(secret)


def _base64(data: bytes) -> bytes:
    return base64.b64encode(data).rstrip(b"=")


def _point(recipient: str) -> bytes:
    """The public key that `age1...` encodes."""
    bits = "".join(f"{CHARSET.index(letter):05b}" for letter in recipient.removeprefix("age1")[:-6])
    return int(bits[:256], 2).to_bytes(32, "big")


def sealed(text: bytes, recipients: list[str], chance: Chance) -> bytes:
    """Encrypt a text to these recipients, `age1...`; return the age file."""
    file_key = chance(16)
    head = b"age-encryption.org/v1\n"
    for key in map(_point, recipients):
        own = X25519PrivateKey.from_private_bytes(chance(32))
        share = own.public_key().public_bytes_raw()
        wrap = _derived(
            own.exchange(X25519PublicKey.from_public_bytes(key)), share + key, "age-encryption.org/v1/X25519"
        )
        head += b"-> X25519 " + _base64(share) + b"\n"
        head += _base64(ChaCha20Poly1305(wrap).encrypt(bytes(12), file_key, None)) + b"\n"
    head += b"---"
    head += b" " + _base64(hmac.digest(_derived(file_key, b"", "header"), head, "sha256")) + b"\n"
    nonce = chance(16)
    cipher = ChaCha20Poly1305(_derived(file_key, nonce, "payload"))
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)] or [b""]
    body = b"".join(
        cipher.encrypt(at.to_bytes(11, "big") + bytes([at == len(chunks) - 1]), chunk, None)
        for at, chunk in enumerate(chunks)
    )
    return head + nonce + body


def armour(data: bytes) -> bytes:
    """An age file as text."""
    text = base64.b64encode(data)
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return b"\n".join([b"-----BEGIN AGE ENCRYPTED FILE-----", *lines, b"-----END AGE ENCRYPTED FILE-----", b""])


@contextmanager
def age_with(chance: Chance) -> Iterator[None]:
    """Make new keys and files of age draw from this; sealing to an SSH key still draws its own randomness."""
    encrypt, x25519 = pyrage.encrypt, pyrage.x25519

    def seal(text: bytes, recipients: list[Any], armored: bool = False) -> bytes:
        if not all(isinstance(one, x25519.Recipient) for one in recipients):
            return bytes(encrypt(text, recipients, armored=armored))
        made = sealed(text, [str(one) for one in recipients], chance)
        return armour(made) if armored else made

    def generate() -> Any:
        return x25519.Identity.from_str(bech32("age-secret-key-", chance(32)).upper())

    identity = SimpleNamespace(from_str=x25519.Identity.from_str, generate=generate)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pyrage, "encrypt", seal)
        patch.setattr(pyrage, "x25519", SimpleNamespace(Identity=identity, Recipient=x25519.Recipient))
        yield
