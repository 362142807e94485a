"""Faults in files, as values, and the one error that carries them all at once."""

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
"""The separators that a printed text keeps."""


Level = Literal["error", "warning", "note"]
"""How grave a remark is: what stops a file, what is rarely meant, what is good to know."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A fault in a file: where it stands, what is wrong, what would be right.

    `line` and `column` count from 1; 0 means the whole file (or the whole line).
    """

    path: str
    line: int
    column: int
    what: str
    right: str = ""
    level: Level = "error"
    """`error` stops the file; `warning` is a remark on something that is allowed but rarely meant; `note` says what a line comes to."""

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
    """Raised once with every fault found, sorted by place; never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        assert self.problems, "Problems needs at least one problem"
        super().__init__("\n".join(map(str, self.problems)))


def problem(path: str, what: str, right: str = "", *, line: int = 0, column: int = 0) -> Problems:
    """One problem, ready to be raised."""
    return Problems([Problem(path, line, column, what, right)])


@contextlib.contextmanager
def with_path(path: str) -> Iterator[None]:
    """Gives `path` to problems that were raised without one, so that each says at least which file or game it is in."""
    try:
        yield
    except Problems as error:
        if all(fault.path for fault in error.problems):
            raise
        raise Problems(replace(fault, path=fault.path or path) for fault in error.problems) from None


RAISED = "COURTLY_TRACEBACK"
"""The variable that lets unforeseen errors through as they are, for authors of rulesets."""


@contextlib.contextmanager
def contain_errors(path: str, *, quiet: bool = False) -> Iterator[None]:
    """Turns an error that nobody foresaw into a problem of one game, so that it stops no other game.

    `quiet` leaves out what the error says: in a game with hidden information that could be anything.
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
    """The allowed word that looks most like `word`, if any does.

    An ending that all choices share does not count. A code of three letters is like many words, so it is the answer to short
    words alone. Among many choices some are always a little alike, so there a word must be more like one.
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
"""Letters that a code has at most."""
ALIKE, MORE_ALIKE = 0.6, 0.75
MANY = 40
"""With more choices than this a word must be more alike: all places of a board, but not the keys of a file."""


MOST_NAMED = 12
"""Words that `among` lists."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """`did you mean ...?` for the allowed word that looks most like `word`, or nothing."""
    choice = closest(word, allowed)
    return f"did you mean {choice!r}?" if choice is not None else ""


def among(word: str, allowed: Iterable[str]) -> str:
    """`did you mean ...?`, or the words that there are, where none looks like `word`: the first of them, if they are many."""
    names = list(allowed)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return nearest(word, names) or f"there are: {', '.join(names[:MOST_NAMED]) or 'none'}{more}"


def plain(text: str) -> str:
    """`text` on one line with what nobody sees made visible, as `\\u200b`.

    A stranger's file must not be able to colour, rewind or reorder a terminal or a workflow log.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"\\u{ord(char):04x}" if kind(char) else char for char in text)


def printable(source: bytes) -> bytes:
    """A stranger's text as it may be printed: unseen characters, and bytes that are not UTF-8, are made visible.

    Tabs and ends of lines stay, so a text without such characters is unchanged.
    """
    text = source.decode("utf-8", "backslashreplace")
    return "".join(part if part in ("\n", "\t", "\r\n") else plain(part) for part in ENDS.split(text)).encode()
