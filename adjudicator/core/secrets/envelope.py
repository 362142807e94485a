"""Contents of sealed files: everything that a replay needs, padded to a length that reveals nothing.

Contents are compressed (a gzip member). A comment in the member's header then makes all contents of one kind in a turn equally
long; `age -d | gunzip` reads the result. A sealed sheet names the archive, game, turn, attempt, seat and account that it is for,
and carries its number and a nonce. In format 1 (games without a random id) texts are not compressed, but padded to a
multiple of 512 bytes. Such games keep their format.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.core.secrets.age import SEAL_AGAIN, decrypt
from adjudicator.core.secrets.chance import drawn
from adjudicator.core.text.codec import Whole, decode, encode, record
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import LIMIT, OWN_LIMIT, Text, read, write

STEP = 512
"""Format 1: the length of sealed texts is a multiple of this number of bytes, so that it reveals nothing."""
WIDE = 8192
"""Format 1: the minimum length of a sealed text, in bytes, in games with hidden information."""
NEWS_STEP = 4096
"""Format 1: the minimum length of private news, in bytes. It is doubled for longer news, so that it does not show the size of a hand."""
OPEN_WIDTH = 1024
HIDDEN_WIDTH = 3072
"""Format 2: the length of sealed sheets in bytes, in games without and with hidden information.

In games without hidden information, a longer sheet has a multiple of this length. Compressed sheets of real games have 200 to 700 bytes.
"""
MOST_INSIDE = 11 * 1024
"""Format 2: the maximum length of a sealed text in bytes. Sealed and armored, it still fits into the 16 KiB of a file in a pull request."""
NEWS_WIDTH = 6144
"""Format 2: the minimum length of `secret.age` in bytes. It is doubled for longer contents."""
DISPATCH_WIDTH = 12_288
"""Format 2: the minimum length of dispatches in bytes, enough for a whole game of Noblesse. It is doubled for longer ones."""


@record
class Envelope:
    """Contents of a sealed sheet."""

    archive: str
    game: str
    turn: str
    attempt: Whole | None = None
    """Number of the attempt at the turn; absent in format 1."""
    seat: str
    account: Whole | None = None
    """The number of the account that plays the seat; absent if the game does not name one."""
    sequence: Whole
    """1 for a seat's first sheet of the turn, as in the file's name."""
    nonce: str
    """Random, so that two sheets with the same orders differ, and the dice depend on every player."""
    sheet: Mapping[str, Any]


def new_nonce() -> str:
    """16 random bytes in hexadecimal."""
    return drawn(16)


def pad(text: bytes, step: int = STEP, least: int = 0) -> bytes:
    """Append a comment to `text` so that its length is a multiple of `step`, and at least `least`."""
    bare = len(text) + 3
    missing = max(least - bare, -bare % step)
    return text + b"\n#" + b"." * missing + b"\n"


def news_size(texts: Iterable[bytes]) -> int:
    """Format 1: the length of private news in bytes: 4 KiB, doubled until it holds the longest of `texts`.

    The news of all seats has the same length, so that it does not show who learns more than others.
    """
    size = NEWS_STEP
    longest = max(map(len, texts), default=0) + 3
    while size < longest:
        size *= 2
    return size


def pad_news(text: bytes, size: int = 0) -> bytes:
    """Pad private news to `size` bytes; by default, to the `news_size` of this news."""
    return pad(text, size or news_size([text]))


@dataclass(frozen=True, slots=True)
class Width:
    """Lengths that sealed texts of a turn may have: multiples of `step`, from `least` to `most` bytes."""

    step: int
    least: int
    most: int = OWN_LIMIT
    packs: bool = False
    """Whether texts are compressed before they are padded (format 2)."""

    def holds(self, length: int) -> bool:
        """True if a sealed text may have this length."""
        return self.least <= length <= self.most and length % self.step == 0

    @property
    def right(self) -> str:
        """Advice for a text whose length is not allowed."""
        if self.least == self.most:
            return f"pad it to {self.least} bytes, as all sheets of this turn, so that its length tells nothing"
        more = f", {self.least} at the least" if self.least > self.step else ""
        return f"pad it to a multiple of {self.step}{more}, so that its length tells nothing"

    def readable(self, text: bytes) -> bytes:
        """Pad `text` to an allowed length, for people who seal it by hand. It stays readable; it is compressed only if it would be too long."""
        fits = not self.packs or max(self.least, -(-(len(text) + 3) // self.step) * self.step) <= self.most
        return pad(text, self.step, self.least) if fits else self.pad_text(text)

    def pad_text(self, text: bytes) -> bytes:
        """Pad `text` to an allowed length, compressed in format 2. Raises `Problems` if it is too long for all of them."""
        if not self.packs:
            return pad(text, self.step, self.least)
        member = pack(text)
        length = max(self.least, -(-len(member) // self.step) * self.step)
        if length > self.most:
            what = f"sealed, the sheet would have {len(member)} bytes"
            raise problem("", what, f"at most {self.most} are allowed for any sheet: shorten its longest texts")
        return stretch(member, length)


WIDTH_1, HIDDEN_WIDTH_1 = Width(STEP, STEP), Width(STEP, WIDE)


def width_of(bytes_: int, *, hidden: bool) -> Width:
    """Format 2: the allowed lengths in a turn with this width: only the width itself if information is `hidden`, otherwise multiples too."""
    return Width(bytes_, bytes_, bytes_ if hidden else max(bytes_, MOST_INSIDE // bytes_ * bytes_), packs=True)


GZIP, COMMENT = b"\x1f\x8b", b"\x1f\x8b\x08\x10\0\0\0\0\0\xff"
"""Beginning of a gzip member, and of one with a comment but no time or system (RFC 1952)."""


def pack(text: bytes) -> bytes:
    """Compress `text` to a gzip member, as short as possible, with an empty comment in its header."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(text) + deflate.flush()
    tail = b"\0" + body + zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")
    return COMMENT + tail


def stretch(member: bytes, length: int) -> bytes:
    """Lengthen a member from `pack` to `length` bytes by filling its comment, if it is shorter."""
    return COMMENT + b"." * (length - len(member)) + member[len(COMMENT) :]


def unpack(body: bytes, path: str, limit: int) -> bytes:
    """The text of a gzip member; other bytes come back unchanged. Raises `Problems` if it is damaged or over `limit` bytes."""
    if not body.startswith(GZIP):
        return body
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = inflate.decompress(body, limit + 1)
    except zlib.error:
        raise problem(path, "the sealed text is damaged: it cannot be decompressed", "seal it again") from None
    if len(text) > limit:
        raise problem(path, f"the sealed text is longer than {limit} bytes", f"at most {limit} are allowed")
    if not inflate.eof or inflate.unused_data:
        raise problem(path, "the sealed text is damaged: something is missing or follows it", "seal it again")
    return text


def news_width(members: Iterable[bytes], least: int = NEWS_WIDTH) -> int:
    """Format 2: the length of the program's sealed texts in bytes: `least`, doubled until it holds the longest of `members`."""
    length, longest = least, max(map(len, members), default=0)
    while length < longest:
        length *= 2
    return length


def envelope_text(envelope: Envelope, lengths: Width = WIDTH_1, *, readable: bool = False) -> bytes:
    """An envelope's text, padded to an allowed length (see `Width.readable`), ready to be sealed. Raises `Problems` if it is too long."""
    text = write(encode(envelope)).encode()
    return lengths.readable(text) if readable else lengths.pad_text(text)


def open_envelope(
    source: bytes,
    identities: Iterable[str],
    path: str,
    wanted: Envelope,
    lengths: Width = WIDTH_1,
    *,
    unnamed: bool = False,
) -> Text:
    """Open a sealed sheet, and return the sheet inside with its marks. Raises `Problems` unless it was sealed for the data in `wanted`.

    This compares archive, game, turn, attempt, seat, account and number, but not the nonce or the sheet of `wanted`.
    `unnamed` also accepts a sheet that does not name an account.
    """
    body = decrypt(source, identities, path)
    if not lengths.holds(len(body)):
        raise problem(path, f"the sealed text has {len(body)} bytes", lengths.right)
    text = read(unpack(body, path, LIMIT) if lengths.packs else body, path, limit=LIMIT)
    envelope = decode(Envelope, text)
    for name in ("archive", "game", "turn", "attempt", "seat", "sequence", "account"):
        said, right = getattr(envelope, name), getattr(wanted, name)
        nobody = name == "account" and (right is None or (said is None and unnamed))
        if said != right and not nobody:
            raise problem(path, f"sealed for another {name}: {said!r:.80}", f"here it is {right!r:.80}")
    return text.under("sheet")


def open_own(source: bytes, identities: Iterable[str], path: str, right: str = SEAL_AGAIN) -> bytes:
    """Open a text that the program sealed, and remove its padding. `right` is the advice if no identity opens it."""
    body = decrypt(source, identities, path, right)
    if len(body) > OWN_LIMIT:
        raise problem(path, f"the sealed text has {len(body)} bytes", f"at most {OWN_LIMIT} are allowed")
    if body.startswith(GZIP):
        return unpack(body, path, OWN_LIMIT)
    head, mark, tail = body.rpartition(b"\n#")
    return head if mark and not tail.strip(b".\n") else body
