"""Sealed sheets and dispatches: age files, one key a turn, everything said inside that a replay would need.

The archive has one master secret, held where its batches run. A turn's X25519 identity is
bech32(HMAC(master, "seal/v2|archive|game|id|turn|attempt")), so nothing but the master need be kept, and no two turns share
a key. The archive's id is part of it, because an organisation may give several repositories the same secret; the game's own
random id, because a game may be removed and another opened under its name; the attempt, because a turn may be played again:
a key that was published for one of them opens nothing of another. The turn's recipient stands in `turn.yaml` from the moment
the turn opens; the identity is published there once it is judged (when the game ends, where a ruleset has hidden information).

What is sealed is compressed (a gzip member) and then made as long as everything of its kind in that turn, by the comment in
the member's header: `age -d | gunzip` reads it. A sealed sheet says inside which archive, game, turn, attempt, seat and account
it is for, and carries its number and a nonce.

Games that have no id of their own are of format 1: keys from "seal/v1|archive|game|turn", texts as they are, padded to steps of
512 bytes. They go on as they began. HMAC is HMAC-SHA256; sealing is age v1 (age-encryption.org/v1), by pyrage here, by `age`
on a terminal, by the package age-encryption in a browser.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from adjudicator.core.codec import Whole, decode, encode, record
from adjudicator.core.problems import Problems, problem
from adjudicator.core.yamltext import LIMIT, OWN_LIMIT, Text, read, write

STEP = 512
"""Format 1: bytes to a multiple of which a sealed text is padded, so that its length tells nothing."""
WIDE = 8192
"""Format 1: how long a sealed text is at the least in games with hidden information."""
NEWS_STEP = 4096
"""Format 1: the least length of private news; longer news doubles, so that the length of a hand does not show."""
OPEN_WIDTH, HIDDEN_WIDTH = 1024, 3072
"""Format 2: how long every sealed sheet is; where nothing is hidden, a longer one has a multiple of it. Sheets of real games
are 200 to 700 bytes when they are compressed."""
MOST_INSIDE = 11 * 1024
"""Format 2: the longest a sealed text can be for its file, in letters, to be taken in by pull request (16 KiB)."""
NEWS_WIDTH = 6144
"""Format 2: the least length of private news, and of what is sealed of a whole turn; longer ones double."""
MOST_RECIPIENTS = 16
MOST_STANZAS = MOST_RECIPIENTS + 1
"""Entries that the header of an age file may have: one for each key, and one for nobody, which some tools add."""
HEADER = 4096
"""Bytes that the header may have. Reading it costs far more than its length when nobody bounds either."""
MASTER = re.compile(r"courtly-master-1-([0-9a-f]{64})", re.ASCII)
VARIABLE, FILE_VARIABLE = "COURTLY_MASTER", "COURTLY_MASTER_FILE"


# The master secret ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Masters:
    """The archive's master secrets, newest first; `kid` names each without telling anything of it."""

    secrets: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        """The names alone: a secret is never printed."""
        return f"Masters({', '.join(map(kid, self.secrets))})"

    def named(self, name: str | None) -> bytes | None:
        """The secret of that name, or the newest; None when it is not here."""
        if name is None:
            return self.secrets[0] if self.secrets else None
        return next((secret for secret in self.secrets if kid(secret) == name), None)


def new_master() -> str:
    """A new master secret, as it is kept in a secret store."""
    return f"courtly-master-1-{os.urandom(32).hex()}"


def kid(secret: bytes) -> str:
    """The name of a master secret: 16 hexadecimal digits."""
    return _hmac(secret, "kid/v1").hex()[:16]


def read_masters(text: str, where: str) -> Masters:
    """Masters from text of one secret a line, newest first; raises `Problems`, which never repeat what was read."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not (stripped := line.strip()) or stripped.startswith("#"):
            continue
        match = MASTER.fullmatch(stripped)
        if match is None:
            raise problem(where, "this is not a master secret", "make one with `courtly keygen --master`", line=number)
        found.append(bytes.fromhex(match[1]))
    return Masters(tuple(dict.fromkeys(found)))


def masters_from(environment: Mapping[str, str]) -> Masters:
    """The masters that the environment gives: `COURTLY_MASTER` itself, or a file in `COURTLY_MASTER_FILE`."""
    if text := environment.get(VARIABLE):
        return read_masters(text, f"${VARIABLE}")
    if name := environment.get(FILE_VARIABLE):
        path = Path(name)
        if not path.is_file():
            raise problem(f"${FILE_VARIABLE}", "there is no such file", "name the file that holds the master secret")
        # What is not text is no master secret either, and is said to be none.
        return read_masters(path.read_text(encoding="utf-8", errors="replace"), f"${FILE_VARIABLE}")
    return Masters()


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def dice_secret(master: bytes, archive: str, game: str, turn: str, own: str = "", attempt: int = 1) -> bytes:
    """The secret s of one turn's dice; `own` is the game's own id, empty in a game of format 1."""
    return _hmac(master, _derivation("dice", archive, game, turn, own, attempt))


def turn_identity(master: bytes, archive: str, game: str, turn: str, own: str = "", attempt: int = 1) -> str:
    """The age identity that opens what was sealed for one turn: `AGE-SECRET-KEY-1...`."""
    return bech32("age-secret-key-", _hmac(master, _derivation("seal", archive, game, turn, own, attempt))).upper()


def _derivation(what: str, archive: str, game: str, turn: str, own: str, attempt: int) -> str:
    if own:
        return f"{what}/v2|{archive}|{game}|{own}|{turn}|{attempt}"
    return f"{what}/v1|{archive}|{game}|{turn}" + (f"|{attempt}" if attempt > 1 else "")


def news_salt(secret: bytes, seat: str, moved: int) -> str:
    """What makes the digest of a seat's news tell nothing to who guesses at them: from the secret of the turn's dice.

    `moved` is how often a ruling has changed the position of the turn since it opened.
    """
    return _hmac(secret, f"news/v2|{seat}|{moved}").hex()[:32]


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


# age --------------------------------------------------------------------------------------------------------------


def new_identity() -> str:
    """A player's own new identity."""
    from pyrage import x25519

    return str(x25519.Identity.generate())


def recipient_of(identity: str) -> str:
    """What is sealed to, for an identity: `age1...`; raises `Problems`."""
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
"""The points of Curve25519 to which nothing can be sealed: asked to, age's library does not refuse, it stops the process."""


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


def encrypted(text: bytes, recipients: Iterable[str], *, armored: bool = False) -> bytes:
    """`text` as an age file that each of the recipients can open; raises `Problems` for a key that is none."""
    import pyrage

    return bytes(pyrage.encrypt(text, [_recipient(key) for key in recipients], armored=armored))


def decrypted(source: bytes, identities: Iterable[str], path: str) -> bytes:
    """The text of an age file; raises `Problems` if it is none, was changed, or none of the identities opens it."""
    import pyrage

    texts = tuple(identities)
    keys = [_identity(text, path) for text in texts]
    examined(source, path)
    mark = hashlib.sha256("\n".join(texts).encode() + b"\0" + source).digest()
    if mark not in SHUT:
        try:
            return bytes(pyrage.decrypt(source, keys))
        except pyrage.DecryptError:
            SHUT.add(mark)
    right = "seal it again with the key in this turn's turn.yaml"
    raise problem(path, "this cannot be opened: it was sealed to another key, or is damaged", right)


SHUT: set[bytes] = set()
"""What these keys did not open in this process, by digest: a batch that runs again does not try the same files again."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What anyone can see of an age file without opening it."""

    recipients: tuple[str, ...]
    """The kinds of its recipients: `X25519`, `ssh-ed25519`, `ssh-rsa`."""
    length: int
    """Bytes of the text inside."""


BINARY, ARMORED = b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----"
CHUNK, TAG, NONCE = 64 * 1024, 16, 16


def examined(source: bytes, path: str) -> Shape:
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


# What is sealed ---------------------------------------------------------------------------------------------------


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
    return os.urandom(16).hex()


def padded(text: bytes, step: int = STEP, least: int = 0) -> bytes:
    """`text` with a comment at its end that makes its length a multiple of `step`, and `least` at the least."""
    bare = len(text) + 3
    missing = max(least - bare, -bare % step)
    return text + b"\n#" + b"." * missing + b"\n"


def news_size(texts: Iterable[bytes]) -> int:
    """How long private news are made: 4 KiB, or the next doubling of it that holds the longest of them.

    What goes to all seats at once is of one length, because who is told more than others may be what nobody is to know.
    """
    size = NEWS_STEP
    longest = max(map(len, texts), default=0) + 3
    while size < longest:
        size *= 2
    return size


def padded_news(text: bytes, size: int = 0) -> bytes:
    """Private news, padded to a size of `news_size`."""
    return padded(text, size or news_size([text]))


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
        """What a sealed text's length is to be, in words."""
        if self.least == self.most:
            return f"pad it to {self.least} bytes, as all sheets of this turn, so that its length tells nothing"
        more = f", {self.least} at the least" if self.least > self.step else ""
        return f"pad it to a multiple of {self.step}{more}, so that its length tells nothing"

    def readable(self, text: bytes) -> bytes:
        """A text as it is, at a length that it may have, for people who seal by themselves; compressed if it is too long for that."""
        fits = not self.packs or max(self.least, -(-(len(text) + 3) // self.step) * self.step) <= self.most
        return padded(text, self.step, self.least) if fits else self.padded(text)

    def padded(self, text: bytes) -> bytes:
        """A text at a length that it may have; raises `Problems` when it is too long for any."""
        if not self.packs:
            return padded(text, self.step, self.least)
        member = packed(text)
        length = max(self.least, -(-len(member) // self.step) * self.step)
        if length > self.most:
            what = f"sealed, the sheet would have {len(member)} bytes"
            raise problem("", what, f"at most {self.most} are allowed, as for everybody: shorten its longest texts")
        return stretched(member, length)


WIDTH_1, HIDDEN_WIDTH_1 = Width(STEP, STEP), Width(STEP, WIDE)


def width(bytes_: int, *, hidden: bool) -> Width:
    """The lengths of format 2, for the width that a turn names: just that one where information is hidden."""
    return Width(bytes_, bytes_, bytes_ if hidden else max(bytes_, MOST_INSIDE // bytes_ * bytes_), packs=True)


GZIP, COMMENT = b"\x1f\x8b", b"\x1f\x8b\x08\x10\0\0\0\0\0\xff"
"""How a gzip member begins, and one that has a comment, no time and no system (RFC 1952)."""


def packed(text: bytes) -> bytes:
    """`text` as a gzip member, as short as it gets, with an empty comment in its header."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(text) + deflate.flush()
    tail = b"\0" + body + zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")
    return COMMENT + tail


def stretched(member: bytes, length: int) -> bytes:
    """A member of `packed`, made `length` bytes long by its comment if it is shorter."""
    return COMMENT + b"." * (length - len(member)) + member[len(COMMENT) :]


def unpacked(body: bytes, path: str, limit: int) -> bytes:
    """The text of a gzip member, at most `limit` bytes of it; what is none is a text as it stands. Raises `Problems`."""
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


def news_width(members: Iterable[bytes]) -> int:
    """How long private news are made in format 2: 6 KiB, or the next doubling of it that holds the longest member of them."""
    length, longest = NEWS_WIDTH, max(map(len, members), default=0)
    while length < longest:
        length *= 2
    return length


def envelope_text(envelope: Envelope, lengths: Width = WIDTH_1, *, readable: bool = False) -> bytes:
    """An envelope's text at a length that it may have: what is given to age. Raises `Problems` when it is too long."""
    text = write(encode(envelope)).encode()
    return lengths.readable(text) if readable else lengths.padded(text)


def open_envelope(
    source: bytes,
    identities: Iterable[str],
    path: str,
    wanted: Envelope,
    lengths: Width = WIDTH_1,
    *,
    unnamed: bool = False,
) -> Text:
    """The sheet inside a sealed sheet, with its marks; raises `Problems` unless it was meant for just this place.

    `wanted` says which archive, game, turn, attempt, seat, account and number it must be for; its nonce and sheet do not count.
    `unnamed` lets a sheet count that names no account.
    """
    body = decrypted(source, identities, path)
    if not lengths.holds(len(body)):
        raise problem(path, f"the sealed text has {len(body)} bytes", lengths.right)
    text = read(unpacked(body, path, LIMIT) if lengths.packs else body, path, limit=LIMIT)
    envelope = decode(Envelope, text)
    for name in ("archive", "game", "turn", "attempt", "seat", "sequence", "account"):
        said, right = getattr(envelope, name), getattr(wanted, name)
        nobody = name == "account" and (right is None or (said is None and unnamed))
        if said != right and not nobody:
            raise problem(path, f"sealed for another {name}: {said!r:.80}", f"here it is {right!r:.80}")
    return text.under("sheet")


def open_own(source: bytes, identities: Iterable[str], path: str) -> bytes:
    """The text of something the program sealed, without its padding."""
    body = decrypted(source, identities, path)
    if len(body) > OWN_LIMIT:
        raise problem(path, f"the sealed text has {len(body)} bytes", f"at most {OWN_LIMIT} are allowed")
    if body.startswith(GZIP):
        return unpacked(body, path, OWN_LIMIT)
    head, mark, tail = body.rpartition(b"\n#")
    return head if mark and not tail.strip(b".\n") else body
