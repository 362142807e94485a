"""Random secrets, ids and nonces, which nobody must be able to guess. Dice are separate, because they can be checked later."""

from __future__ import annotations

from os import urandom


def drawn(width: int) -> str:
    """`width` random bytes in hexadecimal."""
    return urandom(width).hex()
