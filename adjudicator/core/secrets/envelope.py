"""What is sealed, before it is: everything said inside that a replay would need, at a length that tells nothing.

What is sealed is compressed (a gzip member) and then made as long as everything of its kind in that turn, by the comment in
the member's header: `age -d | gunzip` reads it. A sealed sheet says inside which archive, game, turn, attempt, seat and account
it is for, and carries its number and a nonce. In format 1 (games without an id of their own) texts are as they are, padded to
steps of 512 bytes. They go on as they began.
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
"""Format 1: the bytes that a sealed text's length is a multiple of, so that it tells nothing."""
WIDE = 8192
"""Format 1: the least length of a sealed text in games with hidden information."""
NEWS_STEP = 4096
"""Format 1: the least length of private news; longer news doubles, so that the length of a hand does not show."""
OPEN_WIDTH = 1024
HIDDEN_WIDTH = 3072
"""Format 2: how long every sealed sheet is; where nothing is hidden, a longer one has a multiple of it. Sheets of real games
are 200 to 700 bytes when they are compressed."""
MOST_INSIDE = 11 * 1024
"""Format 2: the longest sealed text whose file, as armored text, can come by pull request (16 KiB)."""
NEWS_WIDTH = 6144
"""Format 2: the least length of `secret.age` in bytes; longer ones double."""
DISPATCH_WIDTH = 12_288
"""Format 2: the least length of dispatches in bytes, which hold all of a game of Noblesse; longer ones double."""


@record
class Envelope:
    """What a sealed sheet says inside."""

    archive: str
    game: str
    turn: str
    attempt: Whole | None = None
    """How often the turn has been begun; absent in format 1."""
    seat: str
    account: Whole | None = None
    """The number of the account that the seat is played from; absent where a game names none."""
    sequence: Whole
    """1 for a seat's first sheet of the turn; the same as in the file's name."""
    nonce: str
    """At random, so that two sheets of the same orders differ, and the dice hang on every player."""
    sheet: Mapping[str, Any]


def new_nonce() -> str:
    """16 random bytes in hexadecimal."""
    return drawn(16)


def pad(text: bytes, step: int = STEP, least: int = 0) -> bytes:
    """`text` with a comment at its end that makes its length a multiple of `step`, and `least` at the least."""
    bare = len(text) + 3
    missing = max(least - bare, -bare % step)
    return text + b"\n#" + b"." * missing + b"\n"


def news_size(texts: Iterable[bytes]) -> int:
    """Format 1: the length of private news in bytes: 4 KiB, doubled until it holds the longest of `texts`.

    All seats' news have one length, because nobody may learn from it who is told more than others.
    """
    size = NEWS_STEP
    longest = max(map(len, texts), default=0) + 3
    while size < longest:
        size *= 2
    return size


def pad_news(text: bytes, size: int = 0) -> bytes:
    """Private news padded to `size` bytes, by default to its own `news_size`."""
    return pad(text, size or news_size([text]))


@dataclass(frozen=True, slots=True)
class Width:
    """How long the sealed texts of a turn are: multiples of `step`, from `least` to `most` bytes."""

    step: int
    least: int
    most: int = OWN_LIMIT
    packs: bool = False
    """Whether texts are compressed before they are padded (format 2)."""

    def holds(self, length: int) -> bool:
        """Whether a sealed text may have this length."""
        return self.least <= length <= self.most and length % self.step == 0

    @property
    def right(self) -> str:
        """What would be right for a text of another length, in words."""
        if self.least == self.most:
            return f"pad it to {self.least} bytes, as all sheets of this turn, so that its length tells nothing"
        more = f", {self.least} at the least" if self.least > self.step else ""
        return f"pad it to a multiple of {self.step}{more}, so that its length tells nothing"

    def readable(self, text: bytes) -> bytes:
        """`text` at an allowed length for people who seal by hand; compressed only if it is too long otherwise."""
        fits = not self.packs or max(self.least, -(-(len(text) + 3) // self.step) * self.step) <= self.most
        return pad(text, self.step, self.least) if fits else self.pad_text(text)

    def pad_text(self, text: bytes) -> bytes:
        """`text` at an allowed length; raises `Problems` if it is too long for any."""
        if not self.packs:
            return pad(text, self.step, self.least)
        member = pack(text)
        length = max(self.least, -(-len(member) // self.step) * self.step)
        if length > self.most:
            what = f"sealed, the sheet would have {len(member)} bytes"
            raise problem("", what, f"at most {self.most} are allowed, as for everybody: shorten its longest texts")
        return stretch(member, length)


WIDTH_1, HIDDEN_WIDTH_1 = Width(STEP, STEP), Width(STEP, WIDE)


def width_of(bytes_: int, *, hidden: bool) -> Width:
    """The lengths of format 2 for the width that a turn names: only that one if information is `hidden`."""
    return Width(bytes_, bytes_, bytes_ if hidden else max(bytes_, MOST_INSIDE // bytes_ * bytes_), packs=True)


GZIP, COMMENT = b"\x1f\x8b", b"\x1f\x8b\x08\x10\0\0\0\0\0\xff"
"""How a gzip member begins, and one that has a comment, no time and no system (RFC 1952)."""


def pack(text: bytes) -> bytes:
    """`text` as a gzip member, as short as it gets, with an empty comment in its header."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(text) + deflate.flush()
    tail = b"\0" + body + zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")
    return COMMENT + tail


def stretch(member: bytes, length: int) -> bytes:
    """A member that `pack` gave, made `length` bytes long by its comment if it is shorter."""
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
        raise problem(path, f"the sealed text has more than {limit} bytes", f"at most {limit} are allowed")
    if not inflate.eof or inflate.unused_data:
        raise problem(path, "the sealed text is damaged: something is missing or follows it", "seal it again")
    return text


def news_width(members: Iterable[bytes], least: int = NEWS_WIDTH) -> int:
    """Format 2: the length of what the program seals in bytes: `least`, doubled until it holds the longest of `members`."""
    length, longest = least, max(map(len, members), default=0)
    while length < longest:
        length *= 2
    return length


def envelope_text(envelope: Envelope, lengths: Width = WIDTH_1, *, readable: bool = False) -> bytes:
    """An envelope's text at an allowed length, ready for age; raises `Problems` if it is too long."""
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
    """The sheet inside a sealed sheet, with its marks; raises `Problems` unless it was sealed for what `wanted` says.

    Compared are archive, game, turn, attempt, seat, account and number; the nonce and the sheet of `wanted` do not count.
    `unnamed` lets a sheet count that names no account.
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
    """The text of something the program sealed, without its padding; `right` is what is said where no identity opens it."""
    body = decrypt(source, identities, path, right)
    if len(body) > OWN_LIMIT:
        raise problem(path, f"the sealed text has {len(body)} bytes", f"at most {OWN_LIMIT} are allowed")
    if body.startswith(GZIP):
        return unpack(body, path, OWN_LIMIT)
    head, mark, tail = body.rpartition(b"\n#")
    return head if mark and not tail.strip(b".\n") else body
