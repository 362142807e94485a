"""Sealing: sheets come out unchanged, changed files stay closed, no two turns share a key, and age itself agrees."""

from __future__ import annotations

import base64
import gzip
import hashlib
import hmac
import itertools
import json
import os
import random
import re
import stat
import subprocess
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import click
import pyrage
import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, seat_file
from adjudicator.core.jobs.new import new_charter, new_game, setup_commitment
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.seal import seal_sheet
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import (
    CHARSET,
    MOST_RECIPIENTS,
    bech32,
    check_recipient,
    decrypt,
    encrypt,
    examine,
    new_identity,
    recipient_of,
)
from adjudicator.core.secrets.envelope import (
    GZIP,
    HIDDEN_WIDTH,
    MOST_INSIDE,
    NEWS_STEP,
    OPEN_WIDTH,
    STEP,
    Envelope,
    envelope_text,
    new_nonce,
    open_envelope,
    open_own,
    pack,
    pad,
    pad_news,
    stretch,
    unpack,
    width_of,
)
from adjudicator.core.secrets.masters import (
    Masters,
    dice_secret,
    kid_of,
    masters_from,
    new_master,
    read_masters,
    turn_identity,
)
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.unseen import kind as unseen_kind
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.core.turn.sheets import MOST_BYTES
from tests import hazard
from tests.agefiles import CHUNK, age_with
from tests.conftest import FUZZ, examples, tool
from tests.core.test_deadlines import FIRST, JUDGED, MASTER, SEATS, STROKE, Play
from tests.core.test_secrets import Table

pytestmark = [pytest.mark.usefixtures("with_hazard"), pytest.mark.own_chance]

LAW = examples(40)
IDENTITY = bech32("age-secret-key-", bytes(range(32))).upper()
RECIPIENT = recipient_of(IDENTITY)
SECRET = bytes.fromhex("5a" * 32)
NO_KEY = "is not a key that can be sealed to"
NO_IDENTITY = (
    "this is not an identity; use an age identity (AGE-SECRET-KEY-1...) or an SSH private key without a passphrase"
)
CLOSED = "this cannot be opened: it was sealed to another key, or is damaged; seal it again with the key in this turn's turn.yaml"
NO_AGE = "this is not an age file; seal the sheet with `courtly seal`, the order desk or `age`"
CUT = "the sealed text is cut off; seal the sheet with `courtly seal`, the order desk or `age`"
NO_BASE64 = "the sealed text is damaged: it is not base64; seal the sheet with `courtly seal`, the order desk or `age`"


def envelope(**changes: Any) -> Envelope:
    said: dict[str, Any] = {
        "archive": "0123456789abcdef", "game": "summer", "turn": FIRST, "seat": "Austria", "account": 7, "sequence": 1,
        "nonce": "0" * 32, "sheet": {"orders": ["A Vienna - Galicia"]},
    }  # fmt: skip
    return Envelope(**(said | changes))


# A sealed sheet opens unchanged -----------------------------------------------------------------------------------

TEXTS = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp"]).filter(lambda char: not unseen_kind(char)), max_size=40
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
ENVELOPES = st.builds(
    Envelope,
    archive=TEXTS,
    game=TEXTS,
    turn=TEXTS,
    seat=TEXTS,
    account=st.none() | st.integers(0, 10**12),
    sequence=st.integers(1, 99),
    nonce=st.builds(bytes.hex, st.binary(min_size=16, max_size=16)),
    sheet=st.dictionaries(TEXTS, VALUES, max_size=6),
)


@pytest.mark.slow
@LAW
@given(ENVELOPES, st.booleans())
def test_a_sealed_envelope_opens_unchanged(sent: Envelope, armored: bool) -> None:
    body = encrypt(envelope_text(sent), [RECIPIENT], armored=armored)
    assert decode(Envelope, read(decrypt(body, [IDENTITY], "sheet"), "sheet")) == sent
    assert open_envelope(body, [IDENTITY], "sheet", sent).data == sent.sheet
    shape = examine(body, "sheet")
    assert (shape.recipients[0], shape.length) == ("X25519", len(envelope_text(sent)))
    assert body.startswith(b"-----BEGIN AGE ENCRYPTED FILE-----\n" if armored else b"age-encryption.org/v1\n")


@pytest.mark.slow
@LAW
@given(ENVELOPES, st.data())
def test_an_envelope_meant_for_another_place_does_not_open(sent: Envelope, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["archive", "game", "turn", "seat", "account", "sequence"]))
    other = data.draw(st.integers(0, 10**12) if name in ("account", "sequence") else TEXTS)
    if other == getattr(sent, name):
        return
    body = encrypt(envelope_text(sent), [RECIPIENT])
    wanted: dict[str, Any] = {name: other}
    with pytest.raises(Problems) as caught:
        open_envelope(body, [IDENTITY], "sheet", replace(sent, **wanted))
    (fault,) = caught.value.problems
    assert fault.what == f"sealed for another {name}: {getattr(sent, name)!r:.80}"
    assert fault.right == f"here it is {other!r:.80}"


def test_a_game_without_accounts_asks_for_none() -> None:
    body = encrypt(envelope_text(envelope(account=7)), [RECIPIENT])
    assert open_envelope(body, [IDENTITY], "sheet", envelope(account=None)).data == envelope().sheet


@LAW
@given(st.binary(max_size=3000), st.integers(1, 5000))
def test_padding_gives_a_whole_number_of_steps_and_no_more_than_needed(text: bytes, step: int) -> None:
    body = pad(text, step)
    assert len(body) == step * -(-(len(text) + 3) // step)
    assert re.fullmatch(re.escape(text) + rb"\n#\.*\n", body)


@LAW
@given(st.integers(0, 4000), st.integers(0, 4000))
def test_within_a_step_the_length_of_a_sealed_file_reveals_nothing(one: int, other: int) -> None:
    # The least padding is three bytes.
    same = (one + 2) // STEP == (other + 2) // STEP
    sealed = [encrypt(pad(b"a" * length), [RECIPIENT]) for length in (one, other)]
    lengths = [examine(body, "sheet").length for body in sealed]
    assert all(length % STEP == 0 for length in lengths)
    assert (lengths[0] == lengths[1]) == same


@LAW
@given(st.text(st.characters(codec="ascii", categories=["L"]), max_size=3000))
def test_sheets_of_any_orders_are_padded(orders: str) -> None:
    assert len(envelope_text(envelope(sheet={"orders": [orders]}))) % STEP == 0


@LAW
@given(st.binary(max_size=20000).filter(lambda text: not text.startswith(GZIP)))
def test_private_news_is_padded_to_doubling_lengths_and_opens_without_padding(text: bytes) -> None:
    body = pad_news(text)
    assert len(body) in {NEWS_STEP << n for n in range(10)}
    assert len(body) == NEWS_STEP or len(body) // 2 < len(text) + 3
    assert open_own(encrypt(body, [RECIPIENT]), [IDENTITY], "news") == text


def test_a_nonce_has_sixteen_random_bytes() -> None:
    nonces = {new_nonce() for _ in range(100)}
    assert len(nonces) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", nonce) for nonce in nonces)


def test_the_same_sheet_is_never_sealed_to_the_same_bytes() -> None:
    assert len({encrypt(envelope_text(envelope()), [RECIPIENT]) for _ in range(50)}) == 50


# A changed file stays closed --------------------------------------------------------------------------------------


def opened(body: bytes) -> str:
    """Open a file; return the sheet as text, or the reason why it stays closed."""
    try:
        return str(open_envelope(body, [IDENTITY], "", envelope()).data)
    except Problems as error:
        return str(error)


@pytest.mark.slow
def test_no_bit_of_a_sealed_sheet_can_be_flipped() -> None:
    body = encrypt(envelope_text(envelope()), [RECIPIENT])
    assert opened(body) == str(envelope().sheet)
    header = body.index(b"\n---")
    reasons: dict[str, set[str]] = {"intro": set(), "stanzas": set(), "mac": set(), "payload": set()}
    for at, bit in itertools.product(range(len(body)), range(8) if FUZZ else (0, 5)):
        changed = bytearray(body)
        changed[at] ^= 1 << bit
        region = "intro" if at < 22 else "stanzas" if at <= header else "mac" if at <= header + 48 else "payload"
        reasons[region].add(opened(bytes(changed)))
    assert (reasons["intro"], reasons["payload"]) == ({NO_AGE}, {CLOSED})
    assert reasons["stanzas"] | reasons["mac"] == {CLOSED, CUT}


def test_no_bit_of_an_armored_sheet_can_be_flipped() -> None:
    body = encrypt(envelope_text(envelope()), [RECIPIENT], armored=True)
    for at in range(len(body)):
        for bit in random.Random(at).sample(range(8), 2):
            changed = bytearray(body)
            changed[at] ^= 1 << bit
            assert opened(bytes(changed)) in {NO_AGE, CLOSED, CUT, NO_BASE64}, (at, bit)


@pytest.mark.parametrize("armored", [False, True])
def test_a_truncated_or_extended_sealed_sheet_stays_closed(armored: bool) -> None:
    body = encrypt(envelope_text(envelope()), [RECIPIENT], armored=armored)
    wrong = {NO_AGE, CLOSED, CUT, NO_BASE64}
    assert {opened(body[:length]) for length in range(len(body) - armored)} <= wrong, "a last line needs no end"
    assert opened(body + b"x") in wrong
    assert opened(body + body) in wrong
    assert opened(body[:300] + body[301:]) in wrong
    assert opened(b"") == NO_AGE


@pytest.mark.parametrize(
    "more",
    [b"\n-> -grease" * 1300, b"\n-> x-grease\n" * 600, b"\n-> x-grease" + b" AAAA" * 800],
    ids=["without bodies", "with bodies", "a long one"],
)
def test_a_headers_size_is_limited_whatever_its_entries_are_for(more: bytes) -> None:
    """FS-11: entries for nobody were not counted, and the library took 1.6 to 2.2 s to refuse 1,300 of them."""
    identity = new_identity()
    body = encrypt(pad(b"orders: []"), [recipient_of(identity)])
    assert examine(body, "sheet").recipients == ("X25519",)
    with_more = body.replace(b"\n--- ", more + b"\n--- ")
    with (
        mock.patch("pyrage.decrypt", side_effect=AssertionError("it was tried")),
        pytest.raises(Problems, match=r"the header has more than 17 entries|the header is longer than 4096 bytes"),
    ):
        decrypt(with_more, [identity], "sheet")


def test_a_file_that_did_not_open_is_not_tried_again() -> None:
    """FS-11: when others' pushes make a batch run again, it does not try again the files that no key opens."""
    identity, other = new_identity(), new_identity()
    body = encrypt(pad(b"orders: []"), [recipient_of(identity)])
    with mock.patch("pyrage.decrypt", side_effect=pyrage.decrypt) as tried:
        said = []
        for _ in range(3):
            with pytest.raises(Problems) as error:
                decrypt(body, [other], "sheet")
            said.append(str(error.value))
        assert (tried.call_count, len(set(said))) == (1, 1)
        assert decrypt(body, [identity], "sheet") == pad(b"orders: []")
        assert decrypt(body, [identity, other], "sheet") == pad(b"orders: []")
    assert tried.call_count == 3


def test_parts_of_two_sheets_sealed_to_the_same_key_cannot_make_a_third() -> None:
    first, other = (encrypt(envelope_text(envelope(sheet={"orders": [text]})), [RECIPIENT]) for text in ("A", "B"))
    heads = [body[: body.index(b"\n---") + 48] for body in (first, other)]
    for head, body in ((heads[0], other), (heads[1], first)):
        mixed = head + body[body.index(b"\n---") + 48 :]
        assert opened(mixed) == CLOSED


def test_a_sheet_opens_only_with_its_own_key() -> None:
    body = encrypt(envelope_text(envelope()), [RECIPIENT])
    other = bech32("age-secret-key-", bytes(range(1, 33))).upper()
    with pytest.raises(Problems, match="it was sealed to another key, or is damaged"):
        decrypt(body, [other], "sheet")
    assert decrypt(body, [other, IDENTITY], "sheet") == envelope_text(envelope())
    with pytest.raises(Problems):
        decrypt(body, [], "sheet")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "the sealed text has 0 bytes; pad it to a multiple of 512, so that its length tells nothing"),
        (b"x" * 513, "the sealed text has 513 bytes; pad it to a multiple of 512, so that its length tells nothing"),
        (pad(b"orders: []"), ":1:1: unknown key 'orders'"),
        (pad(b"\xff"), ":1: the file is not UTF-8 text; save it as UTF-8"),
        (pad(b"a" * 70000, STEP), "the file has 70144 bytes; at most 65536 are allowed"),
        (pad(b"[" * 30), "nested deeper than 20 levels"),
        (pad(b"a: &a [x]\nb: *a"), "an anchor (&a)"),
    ],
)  # fmt: skip
def test_a_wrongly_sealed_file_is_explained_in_words(text: bytes, fault: str) -> None:
    assert fault in opened(encrypt(text, [RECIPIENT]))


# Keys -------------------------------------------------------------------------------------------------------------


def test_keys_are_derived_as_the_documents_say() -> None:
    def mac(text: str) -> bytes:
        return hmac.digest(SECRET, text.encode(), "sha256")

    assert kid_of(SECRET) == mac("kid/v1").hex()[:16] == "064d8cb1785ff62d"
    assert dice_secret(SECRET, "a1", "summer", "001-x") == mac("dice/v1|a1|summer|001-x")
    assert turn_identity(SECRET, "a1", "summer", "001-x") == bech32(
        "age-secret-key-", mac("seal/v1|a1|summer|001-x")
    ).upper()  # fmt: skip
    # Format 2 (FS-5): a random id of the game, and the attempt.
    again = ("a1", "summer", "001-x", "0f" * 8, 2)
    assert dice_secret(SECRET, *again) == mac(f"dice/v2|a1|summer|{'0f' * 8}|001-x|2")
    assert turn_identity(SECRET, *again) == bech32(
        "age-secret-key-", mac(f"seal/v2|a1|summer|{'0f' * 8}|001-x|2")
    ).upper()  # fmt: skip


TRIPLES = st.tuples(
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.from_regex(r"[a-z0-9][a-z0-9-]{0,12}", fullmatch=True),
    st.from_regex(r"[0-9]{3,4}-[a-z0-9-]{1,12}", fullmatch=True) | st.just("setup"),
)


@pytest.mark.slow
@LAW
@given(st.lists(TRIPLES, min_size=2, max_size=12, unique=True), st.binary(min_size=32, max_size=32))
def test_no_two_turns_of_any_archives_share_a_key(triples: list[tuple[str, str, str]], other: bytes) -> None:
    masters = [SECRET, other] if other != SECRET else [SECRET]
    identities = [turn_identity(master, *triple) for master in masters for triple in triples]
    secrets = [dice_secret(master, *triple) for master in masters for triple in triples]
    recipients = [recipient_of(identity) for identity in identities]
    assert len(set(identities)) == len(set(secrets)) == len(set(recipients)) == len(masters) * len(triples)
    as_identities = {bech32("age-secret-key-", secret).upper() for secret in secrets}
    assert as_identities.isdisjoint(identities), "who sees the dice's secret opens no sheet with it"
    assert as_identities.isdisjoint(bech32("age-secret-key-", master).upper() for master in masters)


def test_age_keygen_finds_the_same_recipients(tmp_path: Path) -> None:
    identities = [turn_identity(SECRET, f"{n:016x}", "summer", f"{n:03d}-spring") for n in range(40)]
    path = tmp_path / "keys.txt"
    path.write_text("\n".join([*identities, new_identity()]) + "\n")
    done = subprocess.run([tool("age-keygen"), "-y", str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split()[:-1] == [recipient_of(identity) for identity in identities]
    assert done.stdout.split()[-1] == recipient_of(path.read_text().split()[-1])


def five_bits(data: str) -> bytes:
    """Bytes of the characters between a Bech32 text's `1` and its checksum."""
    bits = "".join(f"{CHARSET.index(char):05b}" for char in data)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8))


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        ("a", "", "a12uel5l"),
        ("?", "", "?1ezyfcl"),
        (
            "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio", "",
            "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
        ),
        ("abcdef", "00443214c74254b635cf84653a56d7c675be77df", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"),
        (
            "split", "c5f38b70305f519bf66d85fb6cf03058f3dde463ecd7918f2dc743918f2d",
            "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
        ),
    ],
)  # fmt: skip
def test_bech32_writes_the_examples_of_bip_173(kind: str, data: str, text: str) -> None:
    assert bech32(kind, bytes.fromhex(data)) == text
    assert five_bits(text.rpartition("1")[2][:-6]).hex() == data


@LAW
@given(st.binary(min_size=32, max_size=32))
def test_bech32_writes_keys_as_age_does(secret: bytes) -> None:
    text = bech32("age-secret-key-", secret).upper()
    identity = pyrage.x25519.Identity.from_str(text)
    assert str(identity) == text
    recipient = str(identity.to_public())
    assert recipient == recipient_of(text)
    assert bech32("age", five_bits(recipient.removeprefix("age1")[:-6])) == recipient


PRIME = 2**255 - 19


@pytest.mark.parametrize("top", [0, 1 << 255])
@pytest.mark.parametrize(
    "point",
    [
        0, 1, PRIME - 1, PRIME, PRIME + 1,
        325606250916557431795983626356110631294008115727848805560023387167927233504,
        39382357235489614581723060781553021112529911719440698176882885853963445705823,
    ],
)  # fmt: skip
def test_keys_to_which_nothing_can_be_sealed_are_refused(point: int, top: int) -> None:
    # age's library panics when it has to seal to a point of small order, and no `except Exception` would contain that:
    # a player with such a key could stop every game of an archive.
    key = bech32("age", (point | top).to_bytes(32, "little"))
    assert check_recipient(key) == f"{key!r:.40} {NO_KEY}"
    with pytest.raises(Problems, match=NO_KEY):
        encrypt(b"", [key])


@pytest.mark.parametrize(
    "text",
    [
        "", "age1", "AGE1", RECIPIENT.upper(), f" {RECIPIENT}", f"{RECIPIENT}\n", RECIPIENT[:-1], RECIPIENT[:-1] + "b",
        IDENTITY, "age1yubikey1qqqqqqqq", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-rsa AAAA", "ssh-dss AAAA",
        "ssh-ed25519 é", "ecdsa-sha2-nistp256 AAAA", "-----BEGIN AGE ENCRYPTED FILE-----", "\x00", "age1" + "q" * 58,
    ],
)  # fmt: skip
def test_a_text_that_is_not_a_key_is_refused_in_one_line(text: str) -> None:
    assert check_recipient(text) == f"{text!r:.40} {NO_KEY}"


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "# a comment\n", "nonsense", RECIPIENT, IDENTITY[:-1], IDENTITY[:-1] + "2", "AGE-PLUGIN-YUBIKEY-1QQQ",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n\n-----END OPENSSH PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----", "\x00",
    ],
)  # fmt: skip
def test_a_text_that_is_not_an_identity_is_refused_and_not_repeated(text: str) -> None:
    body = encrypt(b"", [RECIPIENT])
    with pytest.raises(Problems) as caught:
        decrypt(body, [text], "key.txt")
    assert str(caught.value) == f"key.txt: {NO_IDENTITY}"
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "text", [f"{IDENTITY}\n", f"# created: 2026\n# public key: {RECIPIENT}\n{IDENTITY}\n", f"\n  {IDENTITY}  \n\n"]
)
def test_an_identity_is_read_as_age_keygen_writes_it(text: str) -> None:
    assert recipient_of(text) == RECIPIENT


# Keys of the seats ------------------------------------------------------------------------------------------------


def faults_of(**keys: str) -> list[str]:
    """Faults of a game whose seats pin these keys."""
    people = {seat: {"player": "x"} | ({"key": keys[seat]} if seat in keys else {}) for seat in SEATS}
    data = {"schema": 1, "ruleset": "diplomacy", "title": "A", "opened": "2026-11-20", "seats": people, "sealed": True}
    try:
        Game("summer", read(write(data).encode(), "game.yaml"), archive="a")
    except Problems as error:
        return [str(fault) for fault in error.problems]
    return []


def test_two_seats_cannot_pin_the_same_key() -> None:
    other = recipient_of(new_identity())
    assert faults_of(Austria=RECIPIENT, England=other) == []
    assert faults_of(Austria=RECIPIENT, England=other, Turkey=RECIPIENT) == [
        "game.yaml:12:28: Austria has the same key; each seat needs its own key"
    ]


# The age command --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ssh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files of private SSH keys by kind; the public ones are beside them."""
    folder = tmp_path_factory.mktemp("ssh")
    kinds = {"ed25519": [], "rsa": ["-b", "2048"], "ecdsa": [], "locked": []}
    for name, more in kinds.items():
        kind, words = ("ed25519", "secret words") if name == "locked" else (name, "")
        subprocess.run(
            [tool("ssh-keygen"), "-q", "-t", kind, *more, "-N", words, "-C", "me@home", "-f", str(folder / name)],
            check=True,
        )
    return {name: folder / name for name in kinds}


def public(path: Path) -> str:
    return path.with_name(f"{path.name}.pub").read_text().strip()


def age(*args: str, stdin: bytes = b"", check: bool = True) -> bytes:
    return subprocess.run([tool("age"), *args], input=stdin, capture_output=True, check=check).stdout


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key.txt"
    path.write_text(f"# public key: {RECIPIENT}\n{IDENTITY}\n")
    return path


@pytest.mark.parametrize("armored", [False, True])
def test_age_opens_what_we_seal(key_file: Path, armored: bool) -> None:
    text = envelope_text(envelope(seat="Österreich", sheet={"orders": ["A Wien – Galizien"]}))
    body = encrypt(text, [recipient_of(new_identity()), RECIPIENT], armored=armored)
    assert age("-d", "-i", str(key_file), stdin=body) == text


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
@pytest.mark.parametrize("armored", [False, True])
def test_files_that_tests_seal_with_fixed_randomness_are_age_files(key_file: Path, armored: bool, length: int) -> None:
    """Age and pyrage open it; the same randomness gives the same bytes, and different randomness gives different ones."""
    text = random.Random(length).randbytes(length)

    def made(number: int) -> tuple[str, bytes]:
        with age_with(random.Random(number).randbytes):
            identity = new_identity()
            return identity, encrypt(text, [recipient_of(identity), RECIPIENT], armored=armored)

    (identity, body), (other, another) = made(1), made(2)
    assert made(1) == (identity, body)
    assert identity != other
    assert body != another
    assert age("-d", "-i", str(key_file), stdin=body) == text
    assert decrypt(body, [identity], "sheet") == text


@pytest.mark.parametrize("more", [[], ["-a"]], ids=["binary", "armored"])
def test_we_open_what_age_seals(more: list[str]) -> None:
    text = envelope_text(envelope())
    body = age("-r", recipient_of(new_identity()), "-r", RECIPIENT, *more, stdin=text)
    assert decrypt(body, [IDENTITY], "sheet") == text
    assert open_envelope(body, [IDENTITY], "sheet", envelope()).data == envelope().sheet
    shape = examine(body, "sheet")
    assert (shape.recipients, shape.length) == (("X25519", "X25519"), len(text))


@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_ssh_keys_work_both_ways(ssh: dict[str, Path], kind: str) -> None:
    key, text = public(ssh[kind]), pad_news(b"the news")
    assert check_recipient(key) is None
    ours, theirs = encrypt(text, [key]), age("-r", key, stdin=text)
    for body in (ours, theirs):
        assert age("-d", "-i", str(ssh[kind]), stdin=body) == text
        assert decrypt(body, [ssh[kind].read_text()], "news") == text
        assert examine(body, "news").recipients[0] == f"ssh-{kind}"


def test_unsupported_and_locked_ssh_keys_are_refused_in_words(ssh: dict[str, Path]) -> None:
    key = public(ssh["ecdsa"])
    assert check_recipient(key) == f"{key!r:.40} {NO_KEY}"
    body = encrypt(b"", [public(ssh["locked"])])
    for name in ("locked", "ecdsa"):
        with pytest.raises(Problems) as caught:
            decrypt(body, [ssh[name].read_text()], "key")
        assert str(caught.value) == f"key: {NO_IDENTITY}"


def test_two_seats_cannot_pin_the_same_ssh_key_under_another_comment(ssh: dict[str, Path]) -> None:
    for kind in ("ed25519", "rsa"):
        words = public(ssh[kind]).split()
        bare, other = " ".join(words[:2]), f"{words[0]} {words[1]} you@work and more"
        assert faults_of(Austria=public(ssh[kind])) == []
        for same in (public(ssh[kind]), bare, other):
            (fault,) = faults_of(Austria=public(ssh[kind]), Italy=same)
            assert fault.endswith(": Austria has the same key; each seat needs its own key"), same
    assert faults_of(Austria=public(ssh["ed25519"]), Italy=public(ssh["rsa"])) == []


def hazard_data(keys: dict[str, str], **more: Any) -> dict[str, Any]:
    people = {seat: {"player": seat, "key": keys[seat]} for seat in hazard.SEATS}
    return {
        "ruleset": "hazard", "title": "Cards", "opened": "2026-11-20", "sealed": True, "schedule": {"turn": "1d"},
        "seats": people,
    } | more  # fmt: skip


def test_age_opens_private_news_sealed_to_ssh_keys(ssh: dict[str, Path], key_file: Path, tmp_path: Path) -> None:
    root = tmp_path / "archive"
    archive = Archive(root, read_masters(MASTER, ""))
    new_charter(archive)
    new_game(archive, "cards", hazard_data(
        {"Ash": public(ssh["ed25519"]), "Birch": public(ssh["rsa"]), "Cedar": RECIPIENT}))  # fmt: skip
    game = load_game(archive, "cards")
    turn = load_turn(archive, game, archive.turns("cards")[0])
    hands = load_all(archive, turn).position.hands
    for seat, key in {"Ash": ssh["ed25519"], "Birch": ssh["rsa"], "Cedar": key_file}.items():
        path = turn.folder / "dispatches" / f"{seat_file(seat)}.age"
        by_age = age("-d", "-i", str(key), str(path))
        news: Any = read(by_age, "news").data
        assert (news["seat"], tuple(news["position"]["hands"][seat])) == (seat, hands[seat])
        by_us = courtly(root, "open", str(path), "-i", str(key)).stdout
        assert by_age.decode().startswith(by_us), "and what comes after is padding"
        assert set(by_age.decode()[len(by_us) :]) == set("\n#.")
        others = {*ssh.values(), key_file} - {key, ssh["locked"], ssh["ecdsa"]}
        assert all(age("-d", "-i", str(other), str(path), check=False) == b"" for other in others)


# The commands -----------------------------------------------------------------------------------------------------


def courtly(root: Path, *args: str, **env: str) -> Result:
    """Run the command as a person does, with only the given master secret; assert that it never shows a traceback."""
    clean = {"COURTLY_MASTER": "", "COURTLY_MASTER_FILE": ""}
    result = CliRunner().invoke(main, ["-C", str(root), *args], env=clean | env)
    assert result.exception is None or isinstance(result.exception, SystemExit), f"a traceback: {result.exc_info}"
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Play]:
    """A sealed game of Diplomacy."""
    made = Play(tmp_path / "archive", sealed=True)
    yield made
    made.check()


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "austria.yaml"
    path.write_text("orders: [A Vienna - Galicia, A Budapest - Serbia, F Trieste - Albania]\n")
    return path


def place(game: Play, name: str = "austria.yaml.age") -> Path:
    return game.turn().folder / "orders" / name


def test_keygen_makes_a_key_that_age_accepts(tmp_path: Path) -> None:
    path = tmp_path / "my-key.txt"
    done = courtly(tmp_path, "keygen", "-o", str(path))
    identity = path.read_text().splitlines()[1]
    key = recipient_of(identity)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{path}: keep it secret. Public key: {key}\n"
    assert path.read_text() == f"# public key: {key}\n{identity}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert age("-d", "-i", str(path), stdin=encrypt(b"x", [key])) == b"x"
    printed = courtly(tmp_path, "keygen").stdout
    assert re.fullmatch(r"# public key: age1[02-9ac-hj-np-z]{58}\nAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\n", printed)
    assert identity not in printed
    written = json.loads(courtly(tmp_path, "--json", "keygen", "-o", str(tmp_path / "other.txt")).stdout)
    assert written == {
        "path": str(tmp_path / "other.txt"), "public": recipient_of((tmp_path / "other.txt").read_text()),
    }  # fmt: skip


def test_keygen_makes_a_master_secret(tmp_path: Path) -> None:
    path = tmp_path / "master.txt"
    done = courtly(tmp_path, "keygen", "--master", "-o", str(path))
    (secret,) = read_masters(path.read_text(), "").secrets
    assert done.output == f"{path}: keep it secret. Its name is {kid_of(secret)}.\n"
    assert path.read_text() == f"# courtly master secret {kid_of(secret)}\ncourtly-master-1-{secret.hex()}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (printed,) = read_masters(courtly(tmp_path, "keygen", "--master").stdout, "").secrets
    assert len({secret, printed}) == 2


@pytest.mark.parametrize(
    ("made", "target"),
    [
        (".git/HEAD", "master.txt"),
        (".git", "keys/deep/master.txt"),
        ("games/archive.yaml", "master.txt"),
        ("games/summer/game.yaml", "games/summer/master.txt"),
        (".git/HEAD", "link/master.txt"),
    ],
)
def test_a_master_secret_is_not_written_where_a_push_would_publish_it(tmp_path: Path, made: str, target: str) -> None:
    """FH-2: at any depth of a repository, of a second work tree, or of an archive, and even through a link."""
    folder = tmp_path / "ours"
    (folder / made).parent.mkdir(parents=True)
    (folder / made).write_text("x")
    (folder / "keys/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder / "keys")
    path = (tmp_path if target.startswith("link") else folder) / target
    before = sorted(tmp_path.rglob("*"))
    done = courtly(tmp_path, "keygen", "--master", "-o", str(path))
    right = os.path.relpath(tmp_path / "master.txt")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"error: {path}: the next push could publish the master secret from here; "
        f"keep it outside {folder}, such as with -o {right}\n"
    )
    assert sorted(tmp_path.rglob("*")) == before
    assert courtly(tmp_path, "keygen", "--master", "-o", str(tmp_path / "master.txt")).exit_code == 0


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_a_key_is_never_readable_by_others(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        courtly(tmp_path, "keygen", "-o", str(tmp_path / "key.txt"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key.txt").stat().st_mode) == 0o600


@pytest.mark.parametrize("master", [[], ["--master"]])
@pytest.mark.parametrize("what", ["file", "link", "dead link"])
def test_keygen_overwrites_nothing(tmp_path: Path, master: list[str], what: str) -> None:
    path, kept = tmp_path / "key.txt", tmp_path / "kept.txt"
    if what != "dead link":
        kept.write_text("mine")
    path.write_text("mine") if what == "file" else path.symlink_to(kept)
    done = courtly(tmp_path, "keygen", *master, "-o", str(path))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"error: {path}: a file with that name already exists; choose another name\n"
    assert {p.read_text() for p in (path, kept) if p.exists()} <= {"mine"}
    assert kept.exists() == (what != "dead link")


def test_seal_puts_the_sheet_where_it_belongs_and_shows_its_digest(game: Play, sheet: Path) -> None:
    done = courtly(game.root, "seal", str(sheet), "--game", "game")
    body = place(game).read_bytes()
    digest = hashlib.sha256(body).hexdigest()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        f"{place(game)}: sealed for Austria, {FIRST}. SHA-256 {digest}. Send this file, not the open one.\n"
    )
    assert body.startswith(b"-----BEGIN AGE ENCRYPTED FILE-----\n")
    assert b"Galicia" not in body
    other = sheet.parent / "elsewhere" / "x.age"
    told = json.loads(courtly(game.root, "--json", "seal", str(sheet), "--game", "game", "-o", str(other)).stdout)
    assert told == {"path": str(other), "digest": hashlib.sha256(other.read_bytes()).hexdigest(), "sequence": 2}
    other.unlink()
    game.sheets("Austria", final=True)
    courtly(game.root, "seal", str(write_final(sheet)), "--game", "game")
    assert game.run("2026-11-20T06:00Z") == JUDGED
    assert game.turn(1).data.refused is None
    assert game.turn(2).data.position.units["Austria"] == ("A Galicia", "A Serbia", "F Albania")


def write_final(sheet: Path) -> Path:
    sheet.write_text(sheet.read_text() + "final: true\n")
    return sheet


def test_seal_numbers_a_sheet_after_those_that_were_sent(game: Play, sheet: Path) -> None:
    for number in range(1, 12):
        assert courtly(game.root, "seal", str(sheet), "--game", "game").exit_code == 0
        name = f"austria.{number}.yaml.age" if number > 1 else "austria.yaml.age"
        assert place(game, name).exists()
    said = read(
        courtly(game.root, "open", str(place(game, "austria.11.yaml.age")), COURTLY_MASTER=MASTER).stdout.encode(), "x"
    )
    assert isinstance(said.data, dict)
    assert {key: said.data[key] for key in ("game", "turn", "seat", "account", "sequence")} == {
        "game": "game", "turn": FIRST, "seat": "Austria", "account": 101, "sequence": 11,
    }  # fmt: skip
    place(game, "austria.11.yaml.age").rename(place(game, "austria.99.yaml.age"))
    done = courtly(game.root, "seal", str(sheet), "--game", "game")
    assert (done.exit_code, done.stderr) == (
        1, f"error: {sheet}: Austria has sent 99 sheets this turn; that is the limit; ask the host\n",
    )  # fmt: skip
    place(game, "austria.99.yaml.age").unlink()


def git(root: Path, *args: str) -> str:
    return subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=True).stdout


def test_the_open_sheet_is_moved_out_of_harms_way_when_it_is_sealed(game: Play, sheet: Path) -> None:
    """FH-7. Beside the sealed sheet it stopped the next run, and `git add` published it."""
    git(game.root, "init", "-q")
    place(game).parent.mkdir()
    for number, name in enumerate(("austria", "austria.2"), 1):
        lies, text = place(game, f"{name}.yaml"), sheet.read_text() + "final: true\n" * (number - 1)
        lies.write_text(text)
        done = courtly(game.root, "seal", str(lies))
        away = game.root / f"open-sheets/game/{FIRST}/{name}.yaml"
        sealed = place(game, f"{name}.yaml.age")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{sealed}: sealed for Austria")
        assert done.stdout.endswith(
            f"Send this file, not the open one. The open one is now {away}, which git ignores.\n"
        )
        assert (lies.exists(), away.read_text()) == (False, text)
    git(game.root, "add", "-A")
    staged = git(game.root, "diff", "--cached", "--name-only").splitlines()
    assert [path for path in staged if "austria" in path or "open-sheets" in path] == [
        f"games/game/{FIRST}/orders/austria.2.yaml.age", f"games/game/{FIRST}/orders/austria.yaml.age",
    ]  # fmt: skip
    game.sheets("Austria", final=True)
    assert game.run("2026-11-20T06:00Z") == JUDGED
    assert game.turn(2).data.position.units["Austria"] == ("A Galicia", "A Serbia", "F Albania")


def test_an_open_sheet_is_never_moved_over_another(game: Play, sheet: Path) -> None:
    """FH-7. With another destination, the sealed sheet has the same number again."""
    place(game).parent.mkdir()
    for number in range(1, 4):
        place(game, "austria.yaml").write_text(f"{sheet.read_text()}# {number}\n")
        out = sheet.parent / f"{number}.age"
        assert courtly(game.root, "seal", str(place(game, "austria.yaml")), "-o", str(out)).exit_code == 0
    away = game.root / f"open-sheets/game/{FIRST}"
    texts = {path.name: path.read_text()[-2:-1] for path in away.iterdir()}
    assert texts == {"austria.yaml": "1", "austria.2.yaml": "2", "austria.3.yaml": "3"}


def test_seal_warns_of_an_open_sheet_that_git_would_publish_if_age_is_to_seal_it(game: Play, sheet: Path) -> None:
    """FH-7. Nothing is sealed yet, so nothing is moved; and a sheet in another place does not matter."""
    assert courtly(game.root, "seal", str(sheet), "--game", "game", "--envelope").stderr == ""
    place(game).parent.mkdir()
    lies = sheet.rename(place(game, "austria.yaml"))
    done = courtly(game.root, "seal", str(lies), "--envelope")
    assert (done.exit_code, lies.exists()) == (0, True)
    assert done.stderr == (
        f"warning: {lies}: the open sheet is in a folder where `git add` would publish it; move it away before you send the sealed one\n"
    )
    place(game).write_bytes(b"sealed by age, and the open one left")
    with pytest.raises(
        Problems, match=r"austria.yaml: two sheets of Austria have the number 1; move the open one out of this folder"
    ):
        game.run(STROKE)
    place(game).unlink()
    lies.unlink()


@pytest.mark.slow
def test_seal_can_encrypt_for_several_readers(
    game: Play, sheet: Path, ssh: dict[str, Path], key_file: Path, tmp_path: Path
) -> None:
    readers = [RECIPIENT, public(ssh["ed25519"]), public(ssh["rsa"])]
    for more in ([], ["--binary"]):
        path = tmp_path / f"sheet{len(more)}.age"
        options = [word for key in readers for word in ("--for", key)]
        assert courtly(game.root, "seal", str(sheet), "--game", "game", "-o", str(path), *options, *more).exit_code == 0
        assert path.read_bytes().startswith(b"age-encryption.org/v1\n" if more else b"-----BEGIN AGE")
        texts = {
            courtly(game.root, "open", str(path), "-i", str(key)).stdout
            for key in (key_file, ssh["ed25519"], ssh["rsa"])
        }
        (text,) = texts
        assert "sheet:\n  orders: [A Vienna - Galicia, A Budapest - Serbia, F Trieste - Albania]\n" in text
        assert text.encode() in age("-d", "-i", str(ssh["rsa"]), str(path))
        nobody = courtly(game.root, "open", str(path))
        assert (nobody.exit_code, nobody.stderr) == (
            1, f"error: {path}: its key is not published yet; name your own key's file with -i\n",
        )  # fmt: skip
        keys = keys_for(game.turn().game, FIRST)
        assert keys.identity is not None
        assert text.encode() in decrypt(path.read_bytes(), [keys.identity], "sheet")


@pytest.mark.parametrize("count", [MOST_RECIPIENTS - 1, MOST_RECIPIENTS])
def test_seal_makes_no_file_that_would_be_refused_for_too_many_keys(game: Play, sheet: Path, count: int) -> None:
    options = [word for _ in range(count) for word in ("--for", recipient_of(new_identity()))]
    done = courtly(game.root, "seal", str(sheet), "--game", "game", *options)
    if count < MOST_RECIPIENTS:
        assert done.exit_code == 0
        assert courtly(game.root, "check", str(place(game))).exit_code == 0
    else:
        assert (done.exit_code, done.stderr) == (
            1,
            "error: --for: 16 keys are too many; name at most 15 besides the turn's key\n",
        )
        assert not place(game).exists()


def test_seal_makes_no_file_that_would_be_refused_for_long_keys(game: Play, sheet: Path, ssh: dict[str, Path]) -> None:
    """FS-11: the header has 4 KiB, which a dozen RSA keys fill."""
    options = [word for _ in range(12) for word in ("--for", public(ssh["rsa"]))]
    done = courtly(game.root, "seal", str(sheet), "--game", "game", *options)
    assert (done.exit_code, done.stderr) == (
        1, "error: --for: taken together, these keys are too long; name fewer readers, or use age keys\n",
    )  # fmt: skip
    assert not place(game).exists()


def test_seal_makes_no_file_that_would_be_refused_for_its_size(game: Play, tmp_path: Path) -> None:
    path = tmp_path / "austria.yaml"
    path.write_text("orders:\n" + "".join(f"- {n:0200d}\n" for n in range(90)))
    done = courtly(game.root, "seal", str(path), "--game", "game")
    assert done.exit_code == 1
    assert re.fullmatch(rf"error: {path}: sealed, the sheet has \d+ bytes; at most 16384 are allowed\n", done.stderr)
    assert not place(game).exists()


@pytest.mark.parametrize("more", [[], ["-a"]], ids=["binary", "armored"])
def test_a_sheet_that_the_age_command_sealed_is_played(game: Play, sheet: Path, more: list[str]) -> None:
    path = place(game)
    path.parent.mkdir()
    printed = courtly(game.root, "seal", str(write_final(sheet)), "--game", "game", "--envelope")
    assert (printed.exit_code, printed.stderr, path.exists()) == (0, "", False)
    assert len(printed.stdout_bytes) % STEP == 0
    seal = game.turn().data.seal
    assert seal is not None
    path.write_bytes(age("-r", seal.recipient, "-r", RECIPIENT, *more, stdin=printed.stdout_bytes))
    assert courtly(game.root, "check", str(path)).output == "1 sheet can be judged.\n"
    game.sheets("Austria", final=True)
    assert game.run("2026-11-20T06:00Z") == JUDGED
    assert game.turn(1).data.refused is None
    assert game.turn(2).data.position.units["Austria"] == ("A Galicia", "A Serbia", "F Albania")
    published = game.turn(1).data.seal
    assert published is not None
    key = sheet.parent / "published.txt"
    key.write_text(published.identity or "")
    assert age("-d", "-i", str(key), str(path)) == printed.stdout_bytes
    opened_again = courtly(game.root, "open", str(path))
    assert (opened_again.exit_code, opened_again.stderr) == (0, ""), "by anyone, once the turn is judged"
    assert printed.stdout.startswith(opened_again.stdout)


HOSTILE = b"a: \x1b]0;owned\x07\x1b[2J\rb \xc2\x9b31m \xe2\x80\xae\xe2\x80\x8b \xff\xf3\xa0\x81\x81\x00"
HARMLESS = "# Žluťoučký kůň 👑\r\norders:\t[A Vienna H]\n\n- ends without an end".encode()


@pytest.mark.parametrize("whose", ["one's own", "judged"])
def test_a_rivals_sealed_text_cannot_control_the_terminal(game: Play, tmp_path: Path, whose: str) -> None:
    """FS-19: on a terminal, and in a pipe, which may end in a terminal; harmless text comes out unchanged."""
    key, path = tmp_path / "key.txt", place(game)
    path.parent.mkdir(exist_ok=True)
    key.write_text(IDENTITY)
    seal = game.turn().data.seal
    assert seal is not None
    path.write_bytes(encrypt(HOSTILE, [RECIPIENT, seal.recipient]))
    place(game, "austria.2.yaml.age").write_bytes(encrypt(HARMLESS, [RECIPIENT, seal.recipient]))
    options = ["-i", str(key)]
    if whose == "judged":
        game.run("2026-11-20T06:00Z", now=True)
        options = []
    done = courtly(game.root, "open", str(path), *options)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout_bytes == (rb"a: \u001b]0;owned\u0007\u001b[2J\u000db \u009b31m \u202e\u200b \xff\ue0041\u0000")
    again = courtly(game.root, "open", str(path.with_name("austria.2.yaml.age")), *options)
    assert (again.stderr, again.stdout_bytes) == ("", HARMLESS)


def test_each_envelope_has_a_new_nonce(game: Play, sheet: Path) -> None:
    printed = {courtly(game.root, "seal", str(sheet), "--game", "game", "--envelope").stdout for _ in range(3)}
    assert len(printed) == 3
    assert len({re.sub(r"nonce: \S+", "nonce", text.rstrip("\n.#")) for text in printed}) == 1


@pytest.mark.parametrize("envelope", [[], ["--envelope"]])
def test_a_sheet_with_errors_is_sealed_only_with_anyway(game: Play, tmp_path: Path, envelope: list[str]) -> None:
    """FH-7. It used to be sealed nevertheless, with status 0."""
    path = tmp_path / "austria.yaml"
    path.write_text("orders: [A Vienna - Paris, A Budapest H, F Trieste H]\n")
    done = courtly(game.root, "seal", str(path), "--game", "game", *envelope)
    assert (done.exit_code, done.stdout) == (1, "")
    (last, first) = done.stderr.splitlines()
    assert first.startswith(f"error: {path}:1:10: A Vienna - Paris: ")
    assert last == f"error: {path}: it has errors, so it was not sealed; correct it, or seal it anyway with --anyway"
    assert not place(game).exists()
    done = courtly(game.root, "seal", str(path), "--game", "game", "--anyway", *envelope)
    assert done.exit_code == 0
    assert done.stderr == f"{first}\n"
    assert place(game).exists() != bool(envelope)


def test_a_sheet_with_only_warnings_is_sealed(game: Play, tmp_path: Path) -> None:
    """FH-7."""
    path = tmp_path / "austria.yaml"
    path.write_text("orders: [A Budapest H, F Trieste H]\n")
    done = courtly(game.root, "seal", str(path), "--game", "game")
    assert done.exit_code == 0
    assert done.stderr == f"warning: {path}:1:1: A Vienna has no order and would hold; add a line for it\n"
    assert place(game).exists()


WRONG: dict[str, tuple[list[str], str]] = {
    "no game": (["{sheet}"], "{sheet}: nothing shows which game this sheet is for; name it with --game, or put the sheet into games/GAME/TURN/orders/"),
    "no such game": (["{sheet}", "--game", "gmae"], "games/gmae: there is no such game; did you mean 'game'?"),
    "no game's name": (["{sheet}", "--game", "../x"], "'../x' cannot be a game's name; use lowercase letters, digits and hyphens"),
    "no such seat": (["{sheet}", "--game", "game", "--seat", "Autria"], "{sheet}: no seat is called 'Autria'; did you mean 'Austria'?"),
    "no such turn": (["{sheet}", "--game", "game", "--turn", "002-fall-1901-movement"],
                     "games/game: there is no turn '002-fall-1901-movement'; did you mean '001-spring-1901-movement'?"),
    "no key": (["{sheet}", "--game", "game", "--for", "age1x"],
               "'age1x' is not a key that can be sealed to; use an age key (age1...) or an SSH key (ssh-ed25519 ... or ssh-rsa ...)"),
    "no sheet": (["{folder}/nothing.yaml", "--game", "game", "--seat", "Italy"], "{folder}/nothing.yaml: there is no such file"),
    "a folder": (["{folder}", "--game", "game", "--seat", "Italy"], "{folder}: this is not a file"),
    "not text": (["{folder}/noise", "--game", "game", "--seat", "Italy"], "{folder}/noise:1: the file is not UTF-8 text; save it as UTF-8"),
    "not a sheet": (["{folder}/letter.yaml", "--game", "game", "--seat", "Italy"],
                    "{folder}/letter.yaml:1:13: unknown key 'salutation'; allowed: orders, draw, among, concede, retreats, winter, words, answer, final, standing, ahead"),
    "into a file": (["{sheet}", "--game", "game", "-o", "{sheet}/x.age"], "{sheet}: a part of this path is a file; check the name"),
    "over a file": (["{sheet}", "--game", "game", "-o", "{folder}/noise"], "{folder}/noise: there is already a file with that name; choose another name with -o"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_uses_of_seal_give_one_clear_line(game: Play, sheet: Path, case: str) -> None:
    folder = sheet.parent
    (folder / "noise").write_bytes(b"\xff\x00")
    (folder / "letter.yaml").write_text("salutation: Dear host\n")
    args, line = WRONG[case]
    done = courtly(game.root, "seal", *(arg.format(sheet=sheet, folder=folder) for arg in args))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"error: {line.format(sheet=sheet, folder=folder)}\n"
    assert not place(game).exists()
    assert (folder / "noise").read_bytes() == b"\xff\x00"


def test_seal_needs_a_sealed_game_with_an_open_turn(tmp_path: Path, sheet: Path) -> None:
    open_game = Play(tmp_path / "open")
    done = courtly(open_game.root, "seal", str(sheet), "--game", "game")
    assert (done.exit_code, done.stderr) == (
        1, "error: games/game: this game is not sealed; send the sheet as it is, ending in .yaml\n",
    )  # fmt: skip
    over = Play(tmp_path / "over", sealed=True)
    over.sheets(final=True)
    over.run(STROKE)
    done = courtly(over.root, "seal", str(sheet), "--game", "game", "--turn", FIRST)
    assert (done.exit_code, done.stderr) == (
        1, f"error: games/game/{FIRST}: this turn has been judged; seal a sheet for the open turn\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["{sheet}"], "{sheet}: its key is not published yet; name your own key's file with -i"),
        (["{sheet}", "-i", "{folder}/none"], "{folder}/none: there is no such file; name the file that holds your key"),
        (["{sheet}", "-i", "{sheet}"], f"{{sheet}}: {NO_IDENTITY}"),
        (["{sheet}", "-i", "{folder}/noise"], f"{{sheet}}: {NO_IDENTITY}"),
        (["{sheet}", "-i", "{folder}/key.txt"], f"{{sheet}}: {NO_AGE}"),
        (["{folder}/none", "-i", "{folder}/key.txt"], "{folder}/none: there is no such file"),
        (["{folder}", "-i", "{folder}/key.txt"], "{folder}: this is not a file"),
        (["{sealed}", "-i", "{folder}/key.txt"], f"{{sealed}}: {CLOSED}"),
    ],
)  # fmt: skip
def test_wrong_uses_of_open_give_one_clear_line(
    game: Play, sheet: Path, key_file: Path, args: list[str], line: str
) -> None:
    names = {"sheet": sheet, "folder": sheet.parent, "sealed": sheet.parent / "sealed.age"}
    (sheet.parent / "noise").write_bytes(b"\xff\xfe\x00AGE-SECRET-KEY-1")
    names["sealed"].write_bytes(encrypt(b"x", [recipient_of(new_identity())]))
    done = courtly(game.root, "open", *(arg.format(**names) for arg in args))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"error: {line.format(**names)}\n"


@pytest.mark.parametrize(
    "args",
    [["seal"], ["open"], ["reveal"], ["keygen", "extra"], ["seal", "a", "b"], ["keygen", "-o", "."], ["open", "x", "-i", "."],
     ["seal", "x", "-o", "."], ["keygen", "--master", "secret"]],
)  # fmt: skip
def test_wrong_options_give_status_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = courtly(tmp_path, *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Error: " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_reveal_reports_what_it_did_or_that_there_is_nothing_to_do(tmp_path: Path, game: Play) -> None:
    done = courtly(game.root, "reveal", "game")
    assert (done.exit_code, done.stderr) == (
        1, "error: games/game: Diplomacy has nothing hidden; its keys were published turn by turn\n",
    )  # fmt: skip
    table = Table(tmp_path / "cards")
    done = courtly(table.root, "reveal", "cards", COURTLY_MASTER=MASTER)
    assert (done.exit_code, done.stderr) == (
        1, "error: games/cards: the game is not over; end it first; an `end` ruling can do that\n",
    )  # fmt: skip
    table.play()
    done = courtly(table.root, "reveal", "cards")
    assert (done.exit_code, done.output) == (0, "Everything has already been revealed.\n")
    done = courtly(table.root, "reveal", "crads")
    assert (done.exit_code, done.stderr) == (1, "error: games/crads: there is no such game; did you mean 'cards'?\n")


def test_reveal_publishes_what_a_killed_run_left_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path / "cards")
    table.play(hazard.LAST - 1)
    for seat in hazard.SEATS:
        table.sheet(seat, "last")
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.core.jobs.run._reveal", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            table.run("2026-11-24T00:00Z")
    without = courtly(table.root, "reveal", "cards")
    assert without.exit_code == 1
    assert "the master secret " in without.stderr
    master = "courtly-master-1-" + "7e" * 32
    done = courtly(table.root, "reveal", "cards", COURTLY_MASTER=master)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "".join(f"cards: revealed Round {n}, cards\n" for n in range(1, hazard.LAST + 1))
    assert table.run("2026-11-24T00:00Z") == ["ended", "put away"]
    assert verify_game(Archive(table.root), "cards").problems == ()


# The master secret ------------------------------------------------------------------------------------------------


def test_masters_are_read_newest_first_with_comments_and_empty_lines() -> None:
    newest, older = new_master(), new_master()
    kept = read_masters(f"# newest\n{newest}\n\n  {older}  \n{newest}\n", "x").secrets
    assert [f"courtly-master-1-{secret.hex()}" for secret in kept] == [newest, older]
    assert read_masters("# none yet\n\n", "x").secrets == ()
    masters = Masters(kept)
    assert (masters.named(None), masters.named(kid_of(kept[1])), masters.named("0" * 16)) == (kept[0], kept[1], None)
    assert Masters().named(None) is None


def test_the_master_secret_comes_from_the_environment_and_nowhere_else(tmp_path: Path) -> None:
    path = tmp_path / "master.txt"
    path.write_text(f"# mine\n{MASTER}\n")
    other = new_master()
    assert masters_from({}) == Masters()
    assert masters_from({"COURTLY_MASTER": "", "COURTLY_MASTER_FILE": ""}) == Masters()
    assert masters_from({"COURTLY_MASTER": MASTER}) == masters_from({"COURTLY_MASTER_FILE": str(path)})
    assert masters_from({"COURTLY_MASTER": other, "COURTLY_MASTER_FILE": str(path)}) == read_masters(other, "")
    assert "keygen" in main.list_commands(click.Context(main))
    options = {
        (name, option.name)
        for name, command in main.commands.items()
        for option in command.params
        if "master" in str(option.name)
    }
    assert options == {("keygen", "master")}, "which is a flag, and takes no secret"
    assert all(option.is_flag for option in main.commands["keygen"].params if option.name == "master")  # type: ignore[attr-defined]


DIGITS = "0123456789abcdef" * 4
MALFORMED = [
    DIGITS, f"courtly-master-1-{DIGITS[1:]}", f"courtly-master-1-{DIGITS}0", f"courtly-master-2-{DIGITS}",
    f"courtly-master-1-{DIGITS.upper()}", f"courtly-master-1- {DIGITS}", f"COURTLY_MASTER={DIGITS}",
    f"{MASTER}\ncourtly-master-1-{DIGITS}x", f"courtly-master-1-{DIGITS},{MASTER}", f'"courtly-master-1-{DIGITS}"',
    f"courtly-master-1-{DIGITS}\x7f", f"courtly-master-1-{DIGITS}\u2028x", f"AGE-SECRET-KEY-1{DIGITS.upper()}", "é" * 64,
]  # fmt: skip


def pieces(text: str) -> set[str]:
    """Every run of eight characters in a secret; no output may repeat one."""
    return set(re.findall(r"(?=([0-9a-fA-F]{8}|é{8}))", text))


@pytest.mark.slow
@pytest.mark.parametrize("text", MALFORMED)
@pytest.mark.parametrize("through", ["COURTLY_MASTER", "COURTLY_MASTER_FILE"])
def test_a_malformed_master_secret_is_refused_and_never_repeated(
    game: Play, tmp_path: Path, text: str, through: str
) -> None:
    path = tmp_path / "secret-file"
    path.write_text(text, encoding="utf-8")
    value = text if through == "COURTLY_MASTER" else str(path)
    with pytest.raises(Problems) as caught:
        masters_from({through: value})
    number = 1 + (text.startswith(MASTER) or "\u2028" in text)
    line = f"${through}:{number}: this is not a master secret; make one with `courtly keygen --master`"
    assert str(caught.value) == line
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(caught.value.problems)
    for words in (["run"], ["check"], ["verify"], ["doctor"], ["--json", "verify"], ["new", "other", "--sealed"], ["reveal", "game"],
                  ["open", str(path)], ["render", "game"]):  # fmt: skip
        done = courtly(game.root, *words, **{through: value})
        assert done.exit_code == 1
        assert done.output.count("this is not a master secret") == 1
        told += done.output
    assert pieces(text)
    assert not {piece for piece in pieces(text) | pieces(MASTER) if piece in told}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (None, "$COURTLY_MASTER_FILE: there is no such file; name the file that holds the master secret"),
        ("folder", "$COURTLY_MASTER_FILE: there is no such file; name the file that holds the master secret"),
        (
            b"\xff\xfe" + MASTER.encode(),
            "$COURTLY_MASTER_FILE:1: this is not a master secret; make one with `courtly keygen --master`",
        ),
    ],
    ids=["none", "folder", "not text"],
)
def test_a_faulty_master_secret_file_is_refused_in_one_line(
    game: Play, tmp_path: Path, body: bytes | str | None, line: str
) -> None:
    path = tmp_path / "secret-file"
    if isinstance(body, bytes):
        path.write_bytes(body)
    elif body:
        path.mkdir()
    done = courtly(game.root, "check", COURTLY_MASTER_FILE=str(path))
    assert (done.exit_code, done.output) == (1, f"error: {line}\n")


@pytest.mark.slow
def test_the_master_secret_is_in_nothing_that_is_printed_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = new_master()
    masters = read_masters(text, "x")
    (secret,) = masters.secrets
    root = tmp_path / "archive"
    root.mkdir()
    told = repr(masters) + str(masters) + f"{masters!r:>200}" + repr([masters]) + repr(vars(Archive(root, masters)))
    assert repr(masters) == f"Masters({kid_of(secret)})"
    for words in (
        ["new", "summer", "--sealed", "--opened", "2026-11-20", "--turn", "1d"], ["--json", "new", "winter", "--sealed"],
        ["run", "--at", "2026-11-21T00:00Z"], ["run", "--now"], ["check"], ["verify"], ["--json", "verify"], ["doctor"],
        ["render", "summer"], ["reveal", "summer"], ["open", "games/summer/game.yaml"], ["export", "summer"], ["run", "--at", "x"],
    ):  # fmt: skip
        told += courtly(root, *words, COURTLY_MASTER=text).output
    archive = Archive(root, masters)
    game = load_game(archive, "summer")
    for name in archive.turns("summer")[:-1]:
        keys = keys_for(game, name, load_turn(archive, game, name).data)
        assert keys.dice.hex() not in told
    hidden = keys_for(game, archive.turns("summer")[-1])
    assert hidden.identity is not None
    written = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    for form in (
        text,
        secret.hex(),
        base64.b64encode(secret).decode(),
        str(secret),
        hidden.identity,
        hidden.dice.hex(),
    ):
        assert form.lower() not in told.lower(), "printed"
        assert form.lower().encode() not in written.lower(), "written"
    assert kid_of(secret).encode() in written, "its name alone"

    def breaks(*args: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr("adjudicator.core.turn.keys.dice_secret", breaks)
    done = courtly(root, "run", "--now", "--game", "summer", COURTLY_MASTER=text)
    assert done.exit_code == 1
    assert "courtly failed here: ValueError: broken" in done.output
    assert not any(piece in done.output for piece in pieces(text))


def test_without_the_master_secret_a_sealed_game_waits_and_says_which_one_is_missing(game: Play) -> None:
    line = "error: games/game: the game is sealed, and the master secret 064d8cb1785ff62d is not here; give it in COURTLY_MASTER or COURTLY_MASTER_FILE\n"
    for env in ({}, {"COURTLY_MASTER": new_master()}, {"COURTLY_MASTER": "# none\n"}):
        done = courtly(game.root, "run", "--now", **env)
        assert (done.exit_code, done.stderr) == (1, line)
    assert len(game.turns) == 1
    assert courtly(game.root, "check").exit_code == 0, "players need none"
    assert courtly(game.root, "verify").exit_code == 0


# Another master secret --------------------------------------------------------------------------------------------

NEWER = "courtly-master-1-" + "a5" * 32
OLD, NEW = kid_of(SECRET), kid_of(bytes.fromhex("a5" * 32))


def kids(archive: Archive, slug: str) -> list[str]:
    game = load_game(archive, slug)
    turns = [load_turn(archive, game, name) for name in archive.turns(slug)]
    return [turn.data.seal.kid for turn in turns if turn.data.seal]


@pytest.mark.slow
def test_after_a_rotation_open_turns_keep_their_key_and_new_ones_take_the_newest(game: Play) -> None:
    game.sheet("Austria", "A Vienna - Galicia")
    game.archive.masters = read_masters(f"{NEWER}\n{MASTER}\n", "")
    game.sheet("Italy", "A Venice - Piedmont")
    assert game.run("2026-11-21T00:00Z") == []
    assert game.run(STROKE) == JUDGED
    assert game.turn(1).data.refused is None
    assert {"A Galicia", "A Piedmont"} <= {
        unit for units in game.turn(2).data.position.units.values() for unit in units
    }
    assert kids(game.archive, "game") == [OLD, NEW]
    game.archive.masters = read_masters(NEWER, "")
    game.sheet("Austria", "A Galicia - Ukraine")
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"], "what is judged needs no secret any more"
    assert kids(game.archive, "game") == [OLD, NEW, NEW]
    game.archive.masters = read_masters(MASTER, "")
    with pytest.raises(Problems, match=f"the master secret {NEW} is not here"):
        game.run("2026-11-26T00:00Z")
    game.archive.masters = None
    game.check()


def test_a_master_secret_that_was_removed_too_early_is_named(game: Play) -> None:
    game.archive.masters = read_masters(NEWER, "")
    with pytest.raises(Problems, match=f"the master secret {OLD} is not here; give it in COURTLY_MASTER"):
        game.run(STROKE)


@pytest.mark.parametrize("rounds", [0, 2])
def test_after_a_rotation_a_game_with_hidden_information_goes_on_and_verifies(tmp_path: Path, rounds: int) -> None:
    old = "courtly-master-1-" + "7e" * 32
    table = Table(tmp_path / "cards")
    table.play(rounds)
    table.archive.masters = read_masters(f"{NEWER}\n{old}", "")
    assert [str(fault) for fault in verify_game(table.archive, "cards").problems] == []
    while not table.archive.has_ended("cards"):
        for seat in hazard.SEATS:
            table.sheet(seat, "word")
        table.run(f"2026-11-2{len(table.archive.turns('cards'))}T12:00Z")
        assert [str(fault) for fault in verify_game(table.archive, "cards").problems] == []
    first = kid_of(bytes.fromhex("7e" * 32))
    count = rounds + 1
    assert kids(table.archive, "cards") == [first] * count + [NEW] * (hazard.LAST - count)
    checked = verify_game(Archive(table.root), "cards")
    assert ([str(fault) for fault in checked.problems], checked.turns) == ([], hazard.LAST)


def test_the_setup_is_rolled_with_the_secret_that_it_was_committed_to(tmp_path: Path) -> None:
    keys = {seat: recipient_of(new_identity()) for seat in hazard.SEATS}
    archive = Archive(tmp_path, read_masters(MASTER, ""))
    new_charter(archive)
    new_game(archive, "cards", hazard_data(keys, setup=setup_commitment(archive, "cards")))
    path = tmp_path / "games/cards/game.yaml"
    for seat in hazard.SEATS:
        path.write_text(path.read_text().replace(f"{{player: {seat}, ", f"{{player: {seat}, nonce: nonce{seat}0, "))
    archive.masters = read_masters(NEWER, "")
    with pytest.raises(Problems, match="the master secret behind the commitment to the setup is not here"):
        list(run_game(archive, "cards", at=STROKE))
    assert archive.turns("cards") == []
    archive.masters = read_masters(f"{NEWER}\n{MASTER}", "")
    assert [step.what for step in run_game(archive, "cards", at="2026-11-20T00:00Z")] == ["opened"]
    assert [str(fault) for fault in verify_game(archive, "cards").problems] == []


def test_the_library_and_the_command_make_the_same_sheet(game: Play, sheet: Path) -> None:
    made = seal_sheet(Archive(game.root), sheet, game="game", seat="Austria", turn=None, readers=[RECIPIENT])
    assert (made.seat, made.turn, made.number, made.place, made.remarks) == ("Austria", FIRST, 1, place(game), ())
    assert decrypt(made.body, [IDENTITY], "sheet") == made.envelope
    assert len(made.envelope) % STEP == 0
    decode_any: Callable[..., Any] = decode
    said = decode_any(Envelope, read(made.envelope, "sheet"))
    assert said.sheet == {"orders": ["A Vienna - Galicia", "A Budapest - Serbia", "F Trieste - Albania"]}
    assert (said.account, said.sequence, len(said.nonce)) == (101, 1, 32)


def test_seal_gives_no_remark_on_what_only_the_player_can_know(tmp_path: Path) -> None:
    # No public file shows if a card is in the hand, and a remark that it is not there would be wrong.
    table = Table(tmp_path / "cards")
    hand = load_all(table.archive, table.turn).position.hands["Ash"]
    path = tmp_path / "ash.yaml"
    path.write_text(f"play: {hand[0]}\n")
    done = courtly(table.root, "seal", str(path), "--game", "cards")
    assert (done.exit_code, done.stderr) == (0, "")
    path.write_text("paly: x\n")
    done = courtly(table.root, "seal", str(path), "--game", "cards")
    assert (done.exit_code, done.stderr) == (1, f"error: {path}:1:7: unknown key 'paly'; did you mean 'play'?\n")


# Format 2: compressed, then padded --------------------------------------------------------------------------------


@LAW
@given(st.binary(max_size=5000), st.integers(0, 9000))
def test_a_packed_text_has_the_right_length_and_any_gunzip_unpacks_it(text: bytes, length: int) -> None:
    body = stretch(pack(text), length)
    assert len(body) == max(length, len(pack(text)))
    assert gzip.decompress(body) == text
    assert unpack(body, "x", 5000) == text
    assert open_own(encrypt(body, [RECIPIENT]), [IDENTITY], "x") == text


def test_a_small_text_that_expands_to_a_large_one_is_refused() -> None:
    bomb = pack(b"a" * 10_000_000)
    assert len(bomb) < 12_000
    with pytest.raises(Problems, match="the sealed text is longer than 65536 bytes; at most 65536 are allowed"):
        unpack(bomb, "x", 65536)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda body: body[:-1], "something is missing or follows it"),
        (lambda body: body + b"x", "something is missing or follows it"),
        (lambda body: body[:-5] + b"abcde", "it cannot be decompressed"),
        (lambda body: body[:3] + b"\xff" + body[4:], "it cannot be decompressed"),
    ],
)
def test_a_packed_text_that_is_damaged_is_refused(spoilt: Callable[[bytes], bytes], said: str) -> None:
    with pytest.raises(Problems, match=said):
        unpack(spoilt(stretch(pack(b"orders: []\n"), 1024)), "x", 65536)


DENSE = "".join(hashlib.sha256(b"%d" % number).hexdigest() for number in range(120))
"""Text that cannot be compressed to much less than half."""


@LAW
@given(st.text(st.characters(codec="ascii", categories=["L"]), max_size=6000))
@example(DENSE)
@example(DENSE[:4000])
def test_sheets_of_a_hidden_turn_have_one_length_or_are_refused(orders: str) -> None:
    """FS-21: a sheet above 8 KiB showed its length."""
    lengths = width_of(HIDDEN_WIDTH, hidden=True)
    sent = envelope(attempt=1, sheet={"orders": [orders]})
    if len(pack(write(encode(sent)).encode())) > HIDDEN_WIDTH:
        with pytest.raises(Problems, match="3072 are allowed for any sheet: shorten its longest texts"):
            envelope_text(sent, lengths)
        return
    text = envelope_text(sent, lengths)
    assert len(text) == HIDDEN_WIDTH
    body = encrypt(text, [RECIPIENT])
    assert open_envelope(body, [IDENTITY], "sheet", sent, lengths).data == sent.sheet
    readable = envelope_text(sent, lengths, readable=True)
    assert open_envelope(encrypt(readable, [RECIPIENT]), [IDENTITY], "sheet", sent, lengths).data == sent.sheet


def test_the_longest_sheet_is_within_intakes_limit() -> None:
    lengths = width_of(OPEN_WIDTH, hidden=False)
    body = encrypt(b"x" * lengths.most, [RECIPIENT], armored=True)
    assert lengths.most == MOST_INSIDE
    assert len(body) <= MOST_BYTES


def test_a_sheet_for_another_attempt_does_not_count() -> None:
    lengths = width_of(OPEN_WIDTH, hidden=False)
    body = encrypt(envelope_text(envelope(attempt=1), lengths), [RECIPIENT])
    with pytest.raises(Problems, match="sealed for another attempt: 1; here it is 2"):
        open_envelope(body, [IDENTITY], "sheet", envelope(attempt=2), lengths)


def test_an_account_that_a_seat_gets_later_does_not_affect_judged_turns(tmp_path: Path) -> None:
    """A sealed sheet of a seat without an account does not name one; the host may add one for later turns."""
    game = Play(tmp_path / "archive", sealed=True)
    path = game.root / "games/game/game.yaml"
    text = path.read_text()
    bare = text.replace(", account: 105}", "}")
    assert bare != text
    path.write_text(bare)
    game.sheet("Italy", "A Rome - Apulia", unnamed=True)
    game.run("2026-11-22T00:00Z")
    path.write_text(text)
    assert [str(fault) for fault in verify_game(game.archive, "game").problems] == []
    assert "Italy" in (game.turn(1).data.sheets or {})
    # In an open turn it must name the account: the seat may have belonged to somebody else before.
    game.sheet("Italy", "A Rome H", unnamed=True)
    game.run("2026-11-24T00:00Z")
    assert (game.turn(2).data.refused or {})["italy.yaml.age"].startswith(
        "sealed for another account: None; here it is 105"
    )
