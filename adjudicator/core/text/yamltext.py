"""Read YAML as plain data with the line of every key, and write plain data as canonical YAML.

Reading accepts only the part of YAML 1.2 that people write by hand. It refuses tags, anchors, aliases, merge keys, directives,
second documents, repeated keys, unseen characters, more than 20 levels of nesting, and files over 64 KiB (a stranger's) or 4 MiB (our own).
The types of values are guessed as little as possible: `true` and `false` are booleans, plain digits are integers, `null` and empty
values are null. Everything else is text, so that NO is Norway and 0712 keeps its zero.

There are two parsers: ruamel.yaml's own, and libyaml, which is faster but does not exist in a browser. The result must not depend on
which of them is there. So ruamel.yaml's parser reads a person's file if the two are known to differ on it, and reads it again if
libyaml finds a fault.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from adjudicator.core.text.problems import Level, Problem, Problems, plain
from adjudicator.core.text.unseen import kind as kind_of
from adjudicator.core.text.unseen import unseen
from adjudicator.core.text.unseen import what as name_unseen

try:
    from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]  # it is meant for this, but not exported
except ImportError:  # no libyaml here, so the other parser reads everything
    CParser = None

QUICK: Any = CParser
"""libyaml's parser, or None without libyaml."""

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
Place: TypeAlias = tuple[str | int, ...]

LIMIT = 64 * 1024
"""Maximum size in bytes of a file that a person wrote."""
OWN_LIMIT = 4 * 1024 * 1024
"""Maximum size in bytes of a file that the program wrote."""
QUOTES = ("'", '"')
BLOCKS = ("|", ">")
HALF = re.compile("[\ud800-\udfff]")
BEGINS_WITH_TAB = re.compile(r"^\t", re.MULTILINE)
DEPTH = 20
DIGITS = 18
"""Maximum digits of an integer. Longer ones are read as text, so that no stranger can make us compute with huge numbers."""

INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Text:
    """A file that was read: its plain data, and the position of every value."""

    path: str
    data: Plain
    marks: dict[Place, tuple[int, int]] = field(repr=False)
    joined: dict[Place, tuple[int, ...]] = field(default_factory=dict, repr=False)
    """Place of a value -> the numbers of lines that look like list entries, but were read as part of that value."""

    def mark(self, place: Place) -> tuple[int, int]:
        """Line and column (from 1) of the value at `place`, or of the smallest part around it that has a mark; otherwise (0, 0)."""
        while place and place not in self.marks:
            place = place[:-1]
        return self.marks.get(place, (0, 0))

    def under(self, *place: str | int) -> Text:
        """The part of a file at a place, as a `Text` whose marks still point into the file. Its data is None if nothing is there."""
        data: Plain = self.data
        for step in place:
            if isinstance(data, dict) and isinstance(step, str):
                data = data.get(step)
            else:
                data = data[step] if isinstance(data, list) and isinstance(step, int) and step < len(data) else None
        depth = len(place)
        marks = {at[depth:]: mark for at, mark in self.marks.items() if at[:depth] == place}
        marks.setdefault((), self.mark(place[:-1]))
        joined = {at[depth:]: lines for at, lines in self.joined.items() if at[:depth] == place}
        return Text(self.path, data, marks, joined)

    def misindented(self) -> list[Problem]:
        """A problem for each list entry that YAML read as part of the entry before it, because of its column."""
        return [
            Problem(
                self.path,
                line,
                0,
                f"line {line} is indented differently, so it was read as part of line {self.mark(place)[0]}",
                "begin both in the same column",
            )
            for place, lines in self.joined.items()
            for line in lines
        ]

    def problem(self, place: Place, what: str, right: str = "", *, offset: int = 0, level: Level = "error") -> Problem:
        """Make a problem with the value at `place`. `offset` is the fault's position in a one-line value, in characters from 0."""
        line, column = self.mark(place)
        return Problem(self.path, line, column + offset if column else 0, what, right, level)


def read(source: bytes, path: str, *, limit: int = LIMIT) -> Text:
    """Read the plain data of a YAML file with its marks. Raises `Problems` with every fault found.

    Unseen characters are refused in every file. In files that people write, escapes for them (`"\\u200b"`) are refused too. The
    program's own files may hold escapes, since they repeat text that was once accepted.
    """
    if len(source) > limit:
        raise Problems([Problem(path, 0, 0, f"the file has {len(source)} bytes", f"at most {limit} are allowed")])
    source = source.removeprefix(b"\xef\xbb\xbf")  # Some editors begin a file with an unseen byte order mark.
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise Problems([Problem(path, line, 0, "the file is not UTF-8 text", "save it as UTF-8")]) from None
    if unseen(text.replace("\r\n", "\n")):
        raise Problems(_unseen(text, path))
    own = limit > LIMIT
    builder = _Builder(path, source, escapes=own)
    large = len(source) > LIMIT
    quick = QUICK is not None and (large or not DIFFERS.search(text))
    data = builder.build(_quick_events(source) if quick else _events(source))
    # Large files are the program's own. A precise message about a damaged one is not worth the minute that it would take.
    if builder.faults and quick and not large:
        builder = _Builder(path, source, escapes=own)
        data = builder.build(_events(source))
    if builder.faults:
        raise Problems(builder.faults)
    return Text(path, data, builder.marks, builder.joined)


DIFFERS = re.compile(
    r"""\t|^\.\.\.[^\n]*\n(?:[ \r]*(?:\#[^\n]*)?\n)*\.\.\.|[|>][-+0-9]*(?:\#|[ ]*(?:\#[^\n]*)?\r?\n[ \r]*(?:\n|\Z))|["'][ ]*:[^ \r\n]""",
    re.MULTILINE,
)
"""Texts that the two parsers are known to read differently.

They have tabs, a second `...`, a comment or a blank line directly after | or >, or a value directly after a quoted key's colon.
"""


def _quick_events(source: bytes) -> Iterator[Any]:
    """Parse a text with libyaml, and yield the events. Raises `YAMLError`."""
    parser = QUICK(source)
    while parser.check_event():
        yield parser.get_event()


def _events(source: bytes) -> Iterator[Any]:
    """Parse a text with ruamel.yaml's own parser, and return the events."""
    return iter(YAML(typ="safe", pure=True).parse(source))


def _unseen(text: str, path: str) -> Iterator[Problem]:
    """Yield a problem for the first unseen character of each kind in each line.

    A CR before LF is allowed. A lone CR, U+2028 and U+2029 end a line for the parser but not in most editors, so an order could
    hide in a comment.
    """
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        kinds = {kind_of(char): char for char in sorted(unseen(line), key=line.index, reverse=True)}
        for char in kinds.values():
            yield Problem(path, number, line.index(char) + 1, name_unseen(char), "remove it")


class _Builder:
    """Builds plain data in one pass over a parser's events. It uses no recursion, so deep nesting does no harm."""

    def __init__(self, path: str, source: bytes, *, escapes: bool) -> None:
        self.path = path
        self.source = source
        self.escapes = escapes
        """Whether quoted text may hold unseen characters as escapes."""
        self.marks: dict[Place, tuple[int, int]] = {}
        self.joined: dict[Place, tuple[int, ...]] = {}
        self.faults: list[Problem] = []

    def fault(self, event: Any, what: str, right: str) -> None:
        mark = event.start_mark
        self.faults.append(Problem(self.path, mark.line + 1, mark.column + 1, what, right))

    def build(self, events: Iterator[Any]) -> Plain:
        root: list[Any] = []
        # Each open container and its place; below, for each, the key that is waiting for its value (None in a list).
        stack: list[tuple[Any, Place]] = []
        keys: list[str | None] = []
        flow: list[bool] = []
        """For each open container, whether it is written between brackets."""
        documents = 0
        last: Any = None
        try:
            for event in events:
                last = event
                kind = event.__class__
                if kind is DocumentStartEvent:
                    documents += 1
                    begun = self.lines[: event.end_mark.line + 1] if documents == 1 else []
                    if event.version or event.tags or any(one.startswith("%") for one in begun):
                        line = next(number for number, one in enumerate(self.lines, 1) if one.startswith("%"))
                        self.faults.append(
                            Problem(self.path, line, 1, "a YAML directive", "remove the line that begins with %")
                        )
                    if documents > 1:
                        self.fault(event, "a second document", "one file holds one document; remove the ---")
                        return None
                    continue
                if kind is MappingEndEvent or kind is SequenceEndEvent:
                    stack.pop()
                    keys.pop()
                    flow.pop()
                    continue
                if kind is AliasEvent:
                    self.fault(event, f"an alias (*{event.anchor})", "write the value out")
                    value: Any = None
                elif kind is ScalarEvent or kind is MappingStartEvent or kind is SequenceStartEvent:
                    if event.anchor is not None:
                        self.fault(event, f"an anchor (&{event.anchor})", "remove it")
                    if event.tag is not None:
                        self.fault(event, f"a tag ({event.tag})", "remove the part that begins with !")
                    if kind is ScalarEvent and not self.escapes and event.style == '"':
                        for char in sorted(unseen(str(event.value))):
                            self.fault(event, f"{name_unseen(char)}, written as an escape", "leave it out")
                    if kind is ScalarEvent and self.escapes and event.style == '"' and HALF.search(event.value):
                        self.fault(event, "half a character, written as an escape", "leave it out")
                    if kind is ScalarEvent and event.style in BLOCKS and BEGINS_WITH_TAB.search(event.value):
                        self.fault(event, "a line that begins with a tab", "indent with spaces")
                    if kind is ScalarEvent and not event.style and flow[-1:] == [True] and ":" in event.value:
                        self.fault(event, "not YAML: a colon in a text between brackets", "put the text in quotes")
                    if kind is ScalarEvent and not event.style and flow[-1:] == [True] and "?" in event.value:
                        self.fault(event, "a question mark in a text between brackets", "put the text in quotes")
                    value = _scalar(event) if kind is ScalarEvent else ({} if kind is MappingStartEvent else [])
                else:
                    continue
                mark = event.start_mark
                # Quoted text begins one column further on, and columns of faults are counted from there.
                where = (mark.line + 1, mark.column + (2 if kind is ScalarEvent and event.style in QUOTES else 1))
                if not stack:
                    place: Place = ()
                    root.append(value)
                    if kind is ScalarEvent and value is None:
                        where = (1, 1)  # The document has no value.
                else:
                    parent, parent_place = stack[-1]
                    if isinstance(parent, list):
                        place = (*parent_place, len(parent))
                        parent.append(value)
                    elif keys[-1] is None:
                        keys[-1] = name = self.key(event, kind, parent)
                        if kind is ScalarEvent:
                            self.marks[(*parent_place, name)] = where
                            continue
                        place = (*parent_place, "?")
                    else:
                        key = keys[-1]
                        place = (*parent_place, key)
                        parent[key] = value
                        keys[-1] = None
                # An empty value gets the place of its key, because the parsers disagree on its position.
                empty = kind is ScalarEvent and value is None and event.value == "" and place in self.marks
                if (kind is ScalarEvent and not empty) or place not in self.marks:
                    self.marks[place] = where  # A list or a mapping keeps the place of its key.
                if kind is ScalarEvent and not event.style and event.end_mark.line > mark.line:
                    self.note_joined(place, mark.line + 1, event.end_mark.line + 1)
                if kind is MappingStartEvent or kind is SequenceStartEvent:
                    if len(stack) >= DEPTH:
                        self.fault(event, f"nested deeper than {DEPTH} levels", "write it flatter")
                        return None
                    stack.append((value, place))
                    keys.append(None)
                    flow.append(bool(event.flow_style))
        except MarkedYAMLError as error:
            fault = _syntax(self.path, self.source, error)
            # One of the parser's errors has no place, so use the line below the last event.
            self.faults.append(fault if fault.line or last is None else replace(fault, line=last.end_mark.line + 1))
        except YAMLError as error:
            self.faults.append(Problem(self.path, 0, 0, f"not YAML: {plain(str(error))[:200]}", ""))
        # The parser raises these errors for some escapes, and for some YAML versions named in a directive.
        except (ValueError, OverflowError, AssertionError):
            what = "not YAML: an escape or a directive that nobody can read"
            line = last.start_mark.line + 1 if last is not None else 0
            self.faults.append(Problem(self.path, line, 0, what, "look below this line, and leave it out"))
        return root[0] if root else None

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the file. They are split only once, because a hostile file could make us need them thousands of times."""
        return self.source.decode(errors="replace").split("\n")

    def note_joined(self, place: Place, first: int, last: int) -> None:
        """Note the lines of a value, counted from 1, that look like list entries."""
        below = enumerate(self.lines[first:last], first + 1)
        numbers = tuple(number for number, line in below if line.lstrip().startswith("- "))
        if numbers:
            self.joined[place] = numbers

    def key(self, event: Any, kind: type, parent: dict[str, Any]) -> str:
        if kind is not ScalarEvent:
            self.fault(event, "a key that is a list or a mapping", "a key is one word")
            return f"?{len(parent)}"
        key = str(event.value)
        if key == "" and not event.style:
            self.fault(event, "a colon with no key before it", "write the key, or leave the colon out")
        if key == "<<" and not event.style:
            self.fault(event, "a merge key (<<)", "write the keys out")
        if key in parent:
            self.fault(event, f"the key {key!r} appears twice", "keep one of them")
        return key


def _syntax(path: str, source: bytes, error: MarkedYAMLError) -> Problem:
    """Translate the YAML parser's error into words for players, at the place where the mistake began."""
    here, began = error.problem_mark, error.context_mark
    said = plain(str(error.problem or error.context or "not readable"))
    lines = source.decode(errors="replace").split("\n")

    def problem(mark: Any, what: str, right: str) -> Problem:
        return Problem(path, mark.line + 1 if mark else 0, mark.column + 1 if mark else 0, f"not YAML: {what}", right)

    line = lines[here.line] if here and here.line < len(lines) else ""
    char = line[here.column] if here and here.column < len(line) else ""
    if "cannot start any token" in said and char == "\t":
        return problem(here, "a tab", "indent with spaces")
    if "cannot start any token" in said and char:
        return problem(here, f"{char!r} cannot begin a text", "put the text in quotes")
    if "expected ':'" in said and began:
        text = lines[began.line].strip() if began.line < len(lines) else ""
        if text.lstrip("- ")[:1] in ("{", "["):
            return problem(began, "a colon in a text between brackets", "put the text in quotes")
        right = "begin each entry of a list with `- ` (a hyphen and a space)"
        return problem(began, f"{text!r:.60} is neither `key: value` nor an entry of a list", right)
    context = str(error.context)
    if "expected <block end>" in said or "<document start>" in said or "block mapping" in context:
        return problem(
            here, "this line does not fit the lines before it", "indent it like them, and begin entries with `- `"
        )
    if "quoted scalar" in str(error.context) and began:
        return problem(began, "a quote that is not closed", "close it, or leave the quotes out")
    if "flow" in str(error.context):
        return problem(here, "a bracket before this is not closed, or a comma is missing in it", "close it")
    if "more indented" in said:
        return problem(here, "a line before this has fewer spaces than the first", "indent all of this text alike")
    if "chomping" in said or "a comment or a line break" in said:
        return problem(here, "a text that begins with | or >", "put the text in quotes")
    if "alphabetic or numeric" in said:
        return problem(here, "a text that begins with & or *", "put the text in quotes")
    if "sequence entries are not allowed" in said:
        return problem(here, "a list entry follows other text on its line", "begin it on a new line")
    if "mapping values are not allowed" in said:
        return problem(here, "a colon in the middle of a text", "leave it out, or put the text in quotes")
    return problem(here or began, said, "check indentation, brackets, quotes and colons near here")


def plain_value(text: str) -> bool | int | str | None:
    """Parse a single value, for example from a command line, by the rules for files."""
    if text in ("", "null", "~"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if text[0] in "-0123456789" and INTEGER.fullmatch(text) and len(text.lstrip("-")) <= DIGITS:
        return int(text)
    return text


def _scalar(event: Any) -> bool | int | str | None:
    value = str(event.value)
    return value if event.style else plain_value(value)


# Writing ----------------------------------------------------------------------------------------------------------

WIDTH = 118
PLAIN_TEXT = re.compile(r"[^\W\d_](?:[\w ./()+'’→–-]|:(?=\S)|,(?=\S))*", re.UNICODE)
PLAIN_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?")
MISREAD = re.compile(r"(?i)(y|n|yes|no|on|off|true|false|null|nan|inf)")
LONGEST_MISREAD = len("false")
SHORT_WORD = 40
"""Maximum length of words whose YAML form is cached."""
NOT_AS_IS = re.compile(r'["\\]|[^ -~]')
"""Characters that quoted text must escape."""
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def write(data: dict[str, Any]) -> str:
    """Write `data` as canonical YAML text: keys in the order given, small records on one line, LF, final newline."""
    if not data:
        return "{}\n"
    lines: list[str] = []
    _block_mapping(data, 0, lines)
    return "\n".join(lines) + "\n"


def _block_mapping(data: dict[str, Any], indent: int, lines: list[str]) -> None:
    pad = "  " * indent
    for key, value in data.items():
        head = f"{pad}{scalar(key)}:"
        if not isinstance(value, dict | list):
            lines.append(f"{head} {scalar(value)}".rstrip())
        elif not value:
            lines.append(f"{head} {'{}' if isinstance(value, dict) else '[]'}")
        elif indent and (line := _flow(value, WIDTH - len(head))) is not None:
            lines.append(f"{head} {line}")
        elif isinstance(value, dict):
            lines.append(head)
            _block_mapping(value, indent + 1, lines)
        else:
            lines.append(head)
            _block_list(value, indent, lines)


def _block_list(data: list[Any], indent: int, lines: list[str]) -> None:
    pad = "  " * indent + "- "
    for value in data:
        if not isinstance(value, dict | list):
            lines.append(pad + scalar(value))
        elif (line := _flow(value, 10_000)) is not None:
            lines.append(pad + line)
        else:
            inner: list[str] = []
            if isinstance(value, dict):
                _block_mapping(value, indent + 1, inner)
            else:
                _block_list(value, indent + 1, inner)
            inner[0] = pad + inner[0][len(pad) :]
            lines.extend(inner)


def _flow(value: Any, width: int) -> str | None:
    text = _flow_text(value)
    return text if len(text) <= width else None


def _flow_text(value: Any) -> str:
    flow = True
    if isinstance(value, str):  # most values; lists are quicker to join than generators
        return _known(value, flow) if len(value) <= SHORT_WORD else _quoted(value, flow)
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_flow_text(key)}: {_flow_text(inner)}" for key, inner in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([_flow_text(inner) for inner in value]) + "]"
    return scalar(value, flow=flow)


def scalar(value: bool | int | str | None, *, flow: bool = False) -> str:
    """One value as YAML, quoted only where some YAML reader would misread it."""
    if isinstance(value, str):
        return _known(value, flow) if len(value) <= SHORT_WORD else _quoted(value, flow)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)


def _quoted(value: str, flow: bool) -> str:
    # libyaml accepts no colon in plain text between brackets, not even in a time.
    if not (flow and ("," in value or ":" in value)):
        if PLAIN_TEXT.fullmatch(value) and value[-1] not in " :," and (value.isascii() or not unseen(value)):
            return f'"{value}"' if len(value) <= LONGEST_MISREAD and MISREAD.fullmatch(value) else value
        if PLAIN_DATE.fullmatch(value):
            return value
    return '"' + NOT_AS_IS.sub(_escaped, value) + '"'


_known = functools.lru_cache(maxsize=10_000)(_quoted)
"""Cache of `_quoted` for frequent words: keys, names of seats and places."""


def _escaped(found: re.Match[str]) -> str:
    """Escape a character of quoted text if it is special there or cannot be seen."""
    char = found[0]
    if char in SHORT:
        return SHORT[char]
    if kind_of(char) in ("", "half"):  # UTF-8 cannot contain half a character
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
