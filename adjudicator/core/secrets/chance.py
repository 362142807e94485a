"""What the program draws at random: secrets, ids and nonces, which nobody shall guess. Dice can be checked later, and are none of it."""

from __future__ import annotations

from os import urandom


def drawn(width: int) -> str:
    """So many bytes at random, in hexadecimal."""
    return urandom(width).hex()
