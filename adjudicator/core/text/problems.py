"""Faults in files, as data, and an exception that carries all of them at once."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from adjudicator.core.text.unseen import kind

ENDS = re.compile(r"(\r?\n|\t)")
"""Tabs and line ends, which printed text keeps."""


Level = Literal["error", "warning", "note"]
"""Severity of a remark; `Problem.level` explains the three."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A fault in a file: where it is, what is wrong, and what would be right.

    `line` and `column` count from 1. 0 means the whole file (or the whole line).
    """

    path: str
    line: int
    column: int
    what: str
    right: str = ""
    level: Level = "error"
    """An `error` must be corrected. A `warning` marks something allowed but rarely intended. A `note` explains the effect of a line."""

    def __str__(self) -> str:
        where = self.path
        if self.line:
            where += f":{self.line}"
            if self.column:
                where += f":{self.column}"
        text = f"{where}: {self.what}" if where else self.what
        text = f"{text}; {self.right}" if self.right else text
        return plain(text)

    def as_data(self) -> dict[str, Any]:
        """The problem as JSON data: path, line, column, level, what, right."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "level": self.level,
            "what": plain(self.what),
            "right": plain(self.right),
        }


class Problems(Exception):
    """Raised once with every fault found, sorted by place. Never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        assert self.problems, "Problems needs at least one problem"
        super().__init__("\n".join(map(str, self.problems)))


def problem(path: str, what: str, right: str = "", *, line: int = 0, column: int = 0) -> Problems:
    """Make a `Problems` with a single problem, ready to raise."""
    return Problems([Problem(path, line, column, what, right)])


@contextlib.contextmanager
def with_path(path: str) -> Iterator[None]:
    """Add `path` to problems that were raised without one, so that each names at least its file or game."""
    try:
        yield
    except Problems as error:
        if all(fault.path for fault in error.problems):
            raise
        raise Problems(replace(fault, path=fault.path or path) for fault in error.problems) from None


RAISED = "COURTLY_TRACEBACK"
"""Environment variable for authors of rulesets: if it is set, unforeseen errors are raised with their traceback."""


@contextlib.contextmanager
def contain_errors(path: str, *, quiet: bool = False) -> Iterator[None]:
    """Turn an unforeseen error into a problem in one game, so that it does not stop the other games.

    `quiet` leaves out the error's message, which could reveal secrets of a game with hidden information.
    """
    try:
        yield
    except (Problems, OSError):
        raise
    except Exception as error:
        if os.environ.get(RAISED):
            raise
        frame = traceback.extract_tb(error.__traceback__)[-1]
        said = "" if quiet else f": {error!s:.200}"
        what = f"courtly failed here: {type(error).__name__}{said} ({Path(frame.filename).name}:{frame.lineno})"
        raise problem(path, what, "a file of the game may be damaged; if not, please report this") from error


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed word most similar to `word`, if any is similar enough.

    A file extension that all choices share does not count. A code of three letters resembles many words, so it is suggested only for
    short words. If there are many choices, some are always a little similar, so more similarity is required.
    """
    choices = sorted(set(allowed))
    _, dot, ending = word[:80].rpartition(".")
    shared = f"{dot}{ending}" if dot and all(choice.endswith(f"{dot}{ending}") for choice in choices) else ""
    given = word[:80].removesuffix(shared).casefold()
    lowered = {choice.removesuffix(shared).casefold(): choice for choice in reversed(choices)}
    likely = [choice for choice in lowered if len(choice) > CODE or len(given) <= CODE]
    matches = difflib.get_close_matches(given, likely, n=1, cutoff=ALIKE if len(choices) <= MANY else MORE_ALIKE)
    return lowered[matches[0]] if matches else None


CODE = 3
"""Maximum number of letters in a code."""
ALIKE, MORE_ALIKE = 0.6, 0.75
MANY = 40
"""With more choices than this, a word must be more similar. A board has more places than this; a file has fewer keys."""


MOST_NAMED = 12
"""Maximum number of words that `among` lists."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """`did you mean ...?` for the allowed word most similar to `word`; empty if none is similar enough."""
    choice = closest(word, allowed)
    return f"did you mean {choice!r}?" if choice is not None else ""


def among(word: str, allowed: Iterable[str]) -> str:
    """`did you mean ...?`, or a list of the allowed words if none is similar. If there are many, only the first ones are listed."""
    names = list(allowed)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return nearest(word, names) or f"the choices are: {', '.join(names[:MOST_NAMED]) or 'none'}{more}"


def plain(text: str) -> str:
    """Put `text` on one line and make unseen characters visible, such as `\\u200b`.

    A stranger's file must not be able to colour, rewind or reorder a terminal or a workflow log.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"\\u{ord(char):04x}" if kind(char) else char for char in text)


def printable(source: bytes) -> bytes:
    """Make a stranger's text safe to print: unseen characters, and bytes that are not UTF-8, become visible.

    Tabs and line ends stay, so ordinary text is unchanged.
    """
    text = source.decode("utf-8", "backslashreplace")
    return "".join(part if part in ("\n", "\t", "\r\n") else plain(part) for part in ENDS.split(text)).encode()
