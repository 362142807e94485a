"""Reading YAML strictly, writing it canonically."""

from __future__ import annotations

import io
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.unseen import kind, ranges
from adjudicator.core.text.yamltext import DEPTH, LIMIT, OWN_LIMIT, PLAIN_DATE, Text, read, scalar, write
from tests import unseen as made
from tests.conftest import examples

LAW = examples(200)


def data_of(source: str, **limits: int) -> Any:
    return read(source.encode(), "f.yaml", **limits).data


def faults_of(source: str | bytes, **limits: int) -> list[str]:
    body = source.encode() if isinstance(source, str) else source
    with pytest.raises(Problems) as caught:
        read(body, "f.yaml", **limits)
    return [str(fault) for fault in caught.value.problems]


# Reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"), ("no", "no"), ("yes", "yes"), ("on", "on"), ("Off", "Off"), ("y", "y"), ("N", "N"),
        ("True", "True"), ("FALSE", "FALSE"), ("Null", "Null"), ("NULL", "NULL"),
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None),
        ("0", 0), ("7", 7), ("-7", -7), ("123456789012345678", 123456789012345678),
        ("-123456789012345678", -123456789012345678), ("-0", 0),
        ("0712", "0712"), ("-01", "-01"), ("+7", "+7"), ("1_000", "1_000"), ("0x1f", "0x1f"), ("0o17", "0o17"),
        ("1e3", "1e3"), ("1.0", "1.0"), (".5", ".5"), (".inf", ".inf"), ("-.INF", "-.INF"), (".nan", ".nan"),
        ("12:30:45", "12:30:45"), ("2026-11-20", "2026-11-20"), ("2026-12-01T18:00Z", "2026-12-01T18:00Z"),
        ("٣", "٣"), ("=", "="), ('"true"', "true"), ("'7'", "7"), ('""', ""), ('"null"', "null"),
        ("[a, 1, true]", ["a", 1, True]), ("{a: NO}", {"a": "NO"}), ("[]", []), ("{}", {}),
        ("[a, ]", ["a"]), ("|\n  two\n  lines\n", "two\nlines\n"), (">-\n  one\n  line\n", "one line"),
        ("a\n  b", "a b"), ('"\\u263a\\t\\n"', "\u263a\t\n"),
    ],
)  # fmt: skip
def test_scalar_types_are_guessed_as_little_as_possible(text: str, value: object) -> None:
    data = data_of(f"key: {text}\n")
    assert data == {"key": value}
    assert type(data["key"]) is type(value)


def test_keys_are_text_whatever_they_look_like() -> None:
    assert data_of("NO: a\n1: b\ntrue: c\n~: d\n0712: e\n") == {"NO": "a", "1": "b", "true": "c", "~": "d", "0712": "e"}


@pytest.mark.parametrize("source", ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "null\n"])
def test_an_empty_file_is_read_as_none(source: str) -> None:
    assert data_of(source) is None


def test_windows_line_ends_are_read_like_others() -> None:
    assert data_of("a: 1\r\nb:\r\n- x\r\n- y\r\n") == {"a": 1, "b": ["x", "y"]}


def test_every_value_and_key_has_a_mark() -> None:
    text = read("orders:\n- A Paris - Burgundy\n-  é: {x: 1}\n".encode(), "f.yaml")
    assert text.mark(("orders", 0)) == (2, 3)
    assert text.mark(("orders", 1, "é", "x")) == (3, 11)
    assert text.mark(("orders", 9, "gone")) == (1, 1), "what is not there is shown at what is around it"
    assert str(text.problem(("orders", 0), "wrong", "right", offset=10)) == "f.yaml:2:13: wrong; right"


def test_quotes_do_not_shift_the_place_of_a_fault() -> None:
    text = read(b"- A Paris - Burgundi\n- 'A Paris - Burgundi'\n- \"A Paris - Burgundi\"\n", "f")
    assert [text.problem((n,), "", offset=10).column for n in range(3)] == [13, 14, 14]


def test_columns_count_characters_not_bytes() -> None:
    assert read("a: [é🎲, x]\n".encode(), "f").mark(("a", 1)) == (1, 9)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a: !!str 1\n", ["f.yaml:1:4: a tag (tag:yaml.org,2002:str); remove the part that begins with !"]),
        ("a: !x {b: 1}\n", ["f.yaml:1:4: a tag (!x); remove the part that begins with !"]),
        ("a: ! b\n", ["f.yaml:1:4: a tag (!); remove the part that begins with !"]),
        ("!!python/object/apply:os.system [x]\n",
         ["f.yaml:1:1: a tag (tag:yaml.org,2002:python/object/apply:os.system); remove the part that begins with !"]),
        ("a: &x 1\n", ["f.yaml:1:4: an anchor (&x); remove it"]),
        ("a: &x 1\nb: *x\n", ["f.yaml:1:4: an anchor (&x); remove it", "f.yaml:2:4: an alias (*x); write the value out"]),
        ("a: {b: 1}\n<<: {c: 2}\n", ["f.yaml:2:1: a merge key (<<); write the keys out"]),
        ("a: 1\n---\nb: 2\n", ["f.yaml:2:1: a second document; one file holds one document; remove the ---"]),
        ("a: 1\nb: 2\na: 3\n", ["f.yaml:3:1: the key 'a' appears twice; keep one of them"]),
        ("{a: {b: 1, b: 2}}\n", ["f.yaml:1:12: the key 'b' appears twice; keep one of them"]),
        ("a: 1\n'a': 2\n", ["f.yaml:2:1: the key 'a' appears twice; keep one of them"]),
        ("? [a, b]\n: 1\n", ["f.yaml:1:3: a key that is a list or a mapping; a key is one word"]),
        ("? {a: 1}\n: 1\n", ["f.yaml:1:3: a key that is a list or a mapping; a key is one word"]),
        ("a: \u202eb\n", ["f.yaml:1:4: a character that changes the direction of text (U+202E RIGHT-TO-LEFT OVERRIDE); remove it"]),
        ("a: 1\nb: x\u2066y\n", ["f.yaml:2:5: a character that changes the direction of text (U+2066 LEFT-TO-RIGHT ISOLATE); remove it"]),
        ("# \u200f\n", ["f.yaml:1:3: a character that changes the direction of text (U+200F RIGHT-TO-LEFT MARK); remove it"]),
        ("a: \x1b[31m\n", ["f.yaml:1:4: a control character (U+001B); remove it"]),
        ("a: b\x00\n", ["f.yaml:1:5: a control character (U+0000); remove it"]),
        ("a: b\x85c\n", ["f.yaml:1:5: a control character (U+0085); remove it"]),
        ("a: \ufeff1\n", ["f.yaml:1:4: a control character (U+FEFF ZERO WIDTH NO-BREAK SPACE); remove it"]),
        ("a: 1 # x\u2028b: 2\n", ["f.yaml:1:9: a control character (U+2028 LINE SEPARATOR); remove it"]),
        ("a: 1 # x\u2029b: 2\n", ["f.yaml:1:9: a control character (U+2029 PARAGRAPH SEPARATOR); remove it"]),
        ("a: 1 # x\rb: 2\n", ["f.yaml:1:9: a control character (U+000D); remove it"]),
        (b"a: 1\nb: \xff\n", ["f.yaml:2: the file is not UTF-8 text; save it as UTF-8"]),
        ("a: 1\n".encode("utf-16"), ["f.yaml:1: the file is not UTF-8 text; save it as UTF-8"]),
    ],
)  # fmt: skip
def test_the_rest_of_yaml_is_refused_with_its_place(source: str | bytes, expected: list[str]) -> None:
    assert faults_of(source) == expected


UNSEEN = [
    ("\x00", "a control character (U+0000)"),
    ("\x0c", "a control character (U+000C)"),
    ("\x9f", "a control character (U+009F)"),
    ("\xad", "a character that nobody sees (U+00AD SOFT HYPHEN)"),
    ("\u034f", "a character that nobody sees (U+034F COMBINING GRAPHEME JOINER)"),
    ("\u0378", "a character that Unicode 14 does not know (U+0378)"),
    ("\u0600", "a character that forms others (U+0600 ARABIC NUMBER SIGN)"),
    ("\u115f", "a character that nobody sees (U+115F HANGUL CHOSEONG FILLER)"),
    ("\u1160", "a character that nobody sees (U+1160 HANGUL JUNGSEONG FILLER)"),
    ("\u17b4", "a character that nobody sees (U+17B4 KHMER VOWEL INHERENT AQ)"),
    ("\u180b", "a character that nobody sees (U+180B MONGOLIAN FREE VARIATION SELECTOR ONE)"),
    ("\u200b", "a character that nobody sees (U+200B ZERO WIDTH SPACE)"),
    ("\u200d", "a character that nobody sees (U+200D ZERO WIDTH JOINER)"),
    ("\u200e", "a character that changes the direction of text (U+200E LEFT-TO-RIGHT MARK)"),
    ("\u2029", "a control character (U+2029 PARAGRAPH SEPARATOR)"),
    ("\u2060", "a character that nobody sees (U+2060 WORD JOINER)"),
    ("\u2064", "a character that nobody sees (U+2064 INVISIBLE PLUS)"),
    ("\u2800", "a character that nobody sees (U+2800 BRAILLE PATTERN BLANK)"),
    ("\u3164", "a character that nobody sees (U+3164 HANGUL FILLER)"),
    ("\ue000", "a character for private use (U+E000)"),
    ("\ufe0f", "a character that nobody sees (U+FE0F VARIATION SELECTOR-16)"),
    ("\uffa0", "a character that nobody sees (U+FFA0 HALFWIDTH HANGUL FILLER)"),
    ("\ufff9", "a character that nobody sees (U+FFF9 INTERLINEAR ANNOTATION ANCHOR)"),
    ("\uffff", "a character that Unicode 14 does not know (U+FFFF)"),
    ("\U0001d173", "a character that nobody sees (U+1D173 MUSICAL SYMBOL BEGIN BEAM)"),
    ("\U0001fae8", "a character that Unicode 14 does not know (U+1FAE8)"),
    ("\U000e0041", "a character that nobody sees (U+E0041 TAG LATIN CAPITAL LETTER A)"),
    ("\U000e0100", "a character that nobody sees (U+E0100 VARIATION SELECTOR-17)"),
    ("\U0010ffff", "a character that Unicode 14 does not know (U+10FFFF)"),
]
"""FS-18. A shaking face (U+1FAE8) came with Unicode 15, so Python 3.12 knows it and 3.11 does not: no version accepts it yet."""


@pytest.mark.parametrize(("char", "said"), UNSEEN, ids=[f"U+{ord(char):04X}" for char, _ in UNSEEN])
def test_invisible_characters_are_refused_with_name_and_place(char: str, said: str) -> None:
    """FS-18: in orders, keys and comments, directly and as an escape; text that the program wrote is read."""
    where = {"a: 'x": (1, 6), "a: 1\nb": (2, 2), "# ": (1, 3)}
    for before, (line, column) in where.items():
        assert faults_of(f"{before}{char}y'\n") == [f"f.yaml:{line}:{column}: {said}; remove it"]
    escape = f"\\U{ord(char):08x}"
    as_escape = f"{said}, written as an escape; leave it out"
    assert faults_of(f'a: b\nc: [d, "x{escape}"]\n') == [f"f.yaml:2:8: {as_escape}"]
    assert faults_of(f'"x{escape}": b\n') == [f"f.yaml:1:1: {as_escape}"]
    for value in (f"x{char}y", f"{char}A", char):
        text = write({"a": value, "b": [value]})
        assert char not in text
        assert data_of(text, limit=OWN_LIMIT) == {"a": value, "b": [value]}


def test_all_invisible_characters_are_listed() -> None:
    """FS-18: the first of each kind in each line; visible characters of any script are accepted."""
    assert faults_of("a: x\u200by\u200c\u202e\r\nb: 1\r\nc: \ue000\r\n") == [
        "f.yaml:1:5: a character that nobody sees (U+200B ZERO WIDTH SPACE); remove it",
        "f.yaml:1:8: a character that changes the direction of text (U+202E RIGHT-TO-LEFT OVERRIDE); remove it",
        "f.yaml:3:4: a character for private use (U+E000); remove it",
    ]
    seen = "Žluťoučký kůň, Ωμέγα, 中文, العربية, हिन्दी, ไทย, 👩 🎲 → ’ ½ …\u00a0\u3000"
    assert data_of(f"a: '{seen}'\n") == {"a": seen}


@pytest.mark.long
@pytest.mark.slow
def test_invisible_characters_are_the_same_on_every_machine() -> None:
    """FS-18: the table is that of the oldest Python, and the categories of newer ones agree with it for all characters that it knows."""
    listed = {chr(code): kind for first, last, kind in ranges() for code in range(first, last + 1)}
    assert [first for first, _, _ in ranges()] == sorted(first for first, _, _ in ranges())
    for char in map(chr, range(0x110000)):
        category = unicodedata.category(char)
        if category in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            assert listed.get(char), hex(ord(char))
        elif listed.get(char) == "unseen":
            assert category in {"Mn", "Lo", "So"}, hex(
                ord(char)
            )  # invisible by the table, although its category is one of visible characters
        else:
            # A character that this Python knows as visible is refused only if the oldest Python does not know it.
            assert listed.get(char) in {None, "unknown"}, hex(ord(char))
        assert kind(char) == listed.get(char, "")
    if unicodedata.unidata_version == made.UNICODE:
        assert made.table() == made.TABLE.read_text(encoding="utf-8")


def test_directives_are_refused() -> None:
    assert faults_of("%YAML 1.2\n---\na: 1\n") == ["f.yaml:1:1: a YAML directive; remove the line that begins with %"]
    assert faults_of("%TAG ! tag:x,2000:\n---\na: 1\n") == [
        "f.yaml:1:1: a YAML directive; remove the line that begins with %"
    ]


def test_several_faults_are_listed_at_once_in_order() -> None:
    assert faults_of("a: &x 1\nb: *x\nc: !t 2\na: 3\n<<: {d: 4}\n") == [
        "f.yaml:1:4: an anchor (&x); remove it",
        "f.yaml:2:4: an alias (*x); write the value out",
        "f.yaml:3:4: a tag (!t); remove the part that begins with !",
        "f.yaml:4:1: the key 'a' appears twice; keep one of them",
        "f.yaml:5:1: a merge key (<<); write the keys out",
    ]


def test_faults_before_a_syntax_error_are_kept() -> None:
    faults = faults_of("a: &x 1\nb: [1, 2\nc: 3\n")
    assert faults[0] == "f.yaml:1:4: an anchor (&x); remove it"
    assert len(faults) == 2
    assert faults[1].startswith("f.yaml:3:")
    assert "not YAML" in faults[1]


@pytest.mark.parametrize(
    "source",
    ["a: [1\n", "a: 'x\n", "\ta: 1\n", "a: b: c\n", "- a\nb: 1\n", "a: @x\n", "a: `x`\n", "{", "*", "&", "a: %x\n"],
)
def test_text_that_is_not_yaml_gives_one_problem_with_a_line(source: str) -> None:
    (fault,) = faults_of(source)
    assert fault.startswith(("f.yaml:1:", "f.yaml:2:"))
    assert "not YAML" in fault


def test_messages_show_hidden_characters() -> None:
    (fault,) = faults_of('"\\e[31m\\u202e": 1\n"\\e[31m\\u202e": 2\n', limit=OWN_LIMIT)
    assert "\x1b" not in fault
    assert "\u202e" not in fault
    assert fault.startswith("f.yaml:2:1: the key ")


def test_depth_is_limited() -> None:
    fits = "[" * DEPTH + "]" * DEPTH
    assert data_of(f"{fits}\n")
    for hostile in ("[" * (DEPTH + 1) + "]" * (DEPTH + 1), "[" * 60_000, "{a: " * 15_000, "- " * 30_000):
        (fault,) = faults_of(hostile)
        assert fault.endswith(": nested deeper than 20 levels; write it flatter")
    assert faults_of("? " * 30_000)[-1] == "f.yaml:1:41: nested deeper than 20 levels; write it flatter"


def test_size_is_limited() -> None:
    assert read(b"#" * LIMIT, "f.yaml").data is None
    assert faults_of(b"#" * (LIMIT + 1)) == ["f.yaml: the file has 65537 bytes; at most 65536 are allowed"]
    assert faults_of(b"a: 1\n", limit=4) == ["f.yaml: the file has 5 bytes; at most 4 are allowed"]


def test_a_yaml_bomb_is_refused_without_being_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    faults = faults_of("\n".join(lines) + "\n")
    assert len(faults) == 10 + 90
    assert faults[0] == "f.yaml:1:5: an anchor (&a0); remove it"


def test_giant_integers_stay_text() -> None:
    digits = "9" * 60_000
    assert data_of(f"a: {digits}\nb: 1000000000000000000\n") == {"a": digits, "b": "1000000000000000000"}


# Writing ----------------------------------------------------------------------------------------------------------

ODD = [
    "\u2028", "a\u2028b", "\u2029", "\u0085", "a\x85", "🎲", "👩‍👧", " a", "a ", "  ", "\t", "a\tb", "\n", "a\nb\n", "\r", "a\r\nb",
    "#", "a #b", "a#b", ": ", "a: b", "a:b", "a:", ":a", "- ", "- a", "-", "a - b", "? ", "?a", "?", "%", "%a", "@", "@a", "`", "`a`",
    '"', "'", "it's", 'say "x"', "\\", "\\n", "", "~", "null", "Null", "NULL", "true", "True", "FALSE", "yes", "No", "on", "OFF",
    "y", "N", "nan", "inf", "1_000", "0x1f", "0o17", "0712", "017", "1e3", "1", "-1", "+1", "1.5", ".inf", "-.inf", ".NaN", "12:30:45",
    "<<", "=", "!", "!a", "&a", "*a", "|", ">", "[a]", "{a}", "a]", "a}", "a,", "a,b", "a, b", ",", "---", "...", "--- a", "\u202e",
    "\x00", "\x1b[31m", "\x7f", "\ufeff", "\ufffe", "\uffff", "\ufffd", "\U0010ffff", "\u00a0", "é", "À Toledo", "Ωμέγα", "中文", "a\u200bb",
    "2026-99-99x", "x" * 5000, "a (b)", "a/b", "ª", "²", "²a", "٣", "a b: c", "a:,b", "a:(b", "2026-12-01", "2026-12-01T18:00Z",
]  # fmt: skip


@pytest.mark.parametrize("value", ODD, ids=[f"{n}-{ascii(v)[:20]}" for n, v in enumerate(ODD)])
def test_odd_text_survives_wherever_it_can_appear(value: str) -> None:
    data: dict[str, Any] = {
        "top": value,
        "list": [value, [value, value]],
        "map": {"inner": value, "deep": {"list": [value, {"x": value}]}},
        "wide": {"a": [value] * 3, "b": ["w" * 200, value]},
    }
    if len(value) < 1000:  # a longer key is not a simple key
        data |= {f"{value}k": 1, "keys": {value: value}, "flow": [{value: 1}]}
    text = write(data)
    assert data_of(text, limit=OWN_LIMIT) == data
    if not PLAIN_DATE.fullmatch(value):  # YAML 1.2's core schema has no dates, but ruamel.yaml makes them all the same
        assert YAML(typ="safe", pure=True).load(text) == data


def test_plain_text_stays_plain_and_the_rest_is_quoted() -> None:
    assert scalar("A Toledo - Salamanca") == "A Toledo - Salamanca"
    assert scalar("F St Petersburg/SC") == "F St Petersburg/SC"
    assert scalar("2026-11-20") == "2026-11-20"
    assert scalar("NO") == '"NO"'
    assert scalar("0712") == '"0712"'
    assert scalar(712) == "712"
    assert scalar(None) == "null"


def test_the_layout_is_canonical() -> None:
    data: dict[str, Any] = {
        "schema": 1,
        "nothing": None,
        "empty": {},
        "none": [],
        "units": {"Austria": ["A Vienna", "F Trieste"], "Far": ["x" * 60, "y" * 60]},
        "verdicts": [{"order": "A Vienna H", "ok": True}],
        "lines": ["one", "two"],
    }
    assert write(data) == (
        "schema: 1\n"
        "nothing: null\n"
        "empty: {}\n"
        "none: []\n"
        "units:\n"
        "  Austria: [A Vienna, F Trieste]\n"
        "  Far:\n"
        f"  - {'x' * 60}\n"
        f"  - {'y' * 60}\n"
        "verdicts:\n"
        "- {order: A Vienna H, ok: true}\n"
        "lines:\n"
        "- one\n"
        "- two\n"
    )


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [v for v in ODD if len(v) < 100]
)
UNDATED = WORDS.filter(lambda text: not PLAIN_DATE.fullmatch(text))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**18) + 1, 10**18 - 1)
    | WORDS
    | st.text("ab ", min_size=50, max_size=90)
)
PLAIN = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)


@pytest.mark.slow
@LAW
@given(st.dictionaries(WORDS, PLAIN, max_size=5))
def test_written_data_reads_back_the_same(data: dict[str, Any]) -> None:
    text = write(data)
    again = data_of(text, limit=OWN_LIMIT)
    assert again == data
    assert same_types(again, data)
    assert write(again) == text, "writing what was read gives the same bytes"
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert not any(line != line.rstrip() for line in text.split("\n"))


@pytest.mark.slow
@LAW
@given(st.dictionaries(UNDATED, UNDATED, max_size=5))
def test_other_readers_of_yaml_1_2_read_the_same_text(data: dict[str, str]) -> None:
    # Dates are left out: YAML 1.2's core schema does not have them, but ruamel.yaml makes them nevertheless.
    assert YAML(typ="safe", pure=True).load(io.StringIO(write(data))) == data


@LAW
@given(st.binary(max_size=300) | st.text("a:-[]{}&*!%|>'\"#?,\n\t @`~<=0", max_size=60).map(str.encode))
def test_no_bytes_break_the_reader(source: bytes) -> None:
    faults: tuple[Problem, ...] = ()
    text: Text | None = None
    try:
        text = read(source, "f.yaml")
    except Problems as error:
        faults = error.problems
    assert text is not None or faults
    assert all(fault.path == "f.yaml" and fault.what for fault in faults)


def same_types(one: Any, two: Any) -> bool:
    if type(one) is not type(two):
        return False
    if isinstance(one, dict):
        return list(one) == list(two) and all(same_types(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return all(same_types(a, b) for a, b in zip(one, two, strict=True))
    return True
