"""The judge for a page in a reader's browser: questions and answers in JSON, files held in memory.

A page fetches the files of a game from the site, opens the age files with the keys that the archive has published, and asks its questions.
The judge holds only the files that the page gave, and no question reads any other file.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.contract.forms import SHARED
from adjudicator.core.files.memory import Memory
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.again import earlier_turns, judge_again, sealed_files
from adjudicator.core.jobs.at_desk import Checking, checking_at, pasted
from adjudicator.core.jobs.case import case_text
from adjudicator.core.jobs.what_if import Step, Table, table_at
from adjudicator.core.secrets import age
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import OWN_LIMIT, read, write

Sheet = str | dict[str, Any]
"""A sheet: the text that its author wrote, or plain data."""


def _text(sheet: Sheet) -> str:
    return sheet if isinstance(sheet, str) else write(sheet)


class Opened:
    """The contents of age files that the page has opened; used in place of pyrage."""

    def __init__(self) -> None:
        self.texts: dict[bytes, bytes] = {}
        """SHA-256 of an age file -> its content."""
        self.keys: dict[str, str] = {}
        """Identity -> its public key."""

    def new(self) -> str:
        """Raise `Problems`: no keys are made here."""
        raise problem("", "keys are not made here", "make one at the order desk")

    def is_key(self, recipient: str) -> bool:
        """True for any text: keys are not checked here."""
        return True

    def public(self, identity: str) -> str | None:
        """The public key of an identity, if the page has given it; otherwise None."""
        return self.keys.get(identity)

    def seal(self, text: bytes, recipients: Iterable[str], *, armored: bool) -> bytes:
        """Raise `Problems`: files made here are not stored, so nothing is sealed."""
        raise problem("", "nothing is sealed here", "seal it at the order desk")

    def unseal(self, source: bytes, identities: Iterable[str]) -> bytes | None:
        """The content of an age file, if the page has opened it; otherwise None."""
        return self.texts.get(hashlib.sha256(source).digest())


class Page:
    """The files that a web page has handed over, and the answers to its questions."""

    def __init__(self) -> None:
        self.backend = Opened()
        self.held: dict[str, bytes] = {}
        self._table: Table | None = None
        self._checking: Checking | None = None
        age.use(self.backend)

    @functools.cached_property
    def archive(self) -> Archive:
        """The archive that these files make up."""
        return Archive(Path("/archive"), files=Memory(Path("/archive"), self.held))

    def files(self, files: Mapping[str, str | Mapping[str, str]]) -> None:
        """Take in files: path -> text, or `{base64: ...}` if the bytes are not text."""
        for path, body in files.items():
            if "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
                raise problem(f"{path!r:.60}", "this cannot be a path in an archive", "load the page again")
            self.held[path] = (
                body.encode() if isinstance(body, str) else base64.b64decode(body["base64"], validate=True)
            )
        self.__dict__.pop("archive", None)

    def forget(self) -> None:
        """Forget all files, and what the page has opened."""
        self.held.clear()
        self.backend.texts.clear()
        self.__dict__.pop("archive", None)

    def needed(self, game: str) -> list[str]:
        """The earlier turns whose files are also needed to judge the turns that are held."""
        return earlier_turns(self.archive, game)

    def sealed(self, game: str) -> dict[str, dict[str, str]]:
        """Identity -> path -> bytes in base64, for the age files that must be opened before a turn is judged."""
        root = self.archive.root
        return {
            identity: {
                (name := path.relative_to(root).as_posix()): base64.b64encode(self.held[name]).decode()
                for path in paths
            }
            for identity, paths in sealed_files(self.archive, game).items()
        }

    def opened(self, texts: Mapping[str, str | None], keys: Mapping[str, str]) -> None:
        """Take in the files that the page has opened. `texts` is path -> content in base64 or None; `keys` is identity -> public key."""
        self.backend.keys |= keys
        for path, text in texts.items():
            if text is not None:
                self.backend.texts[hashlib.sha256(self.held[path]).digest()] = base64.b64decode(text)

    def again(self, game: str, turn: str, maps: Mapping[str, str]) -> dict[str, Any]:
        """Judge a turn again; `maps` is turn -> SHA-256 of its map, for the maps that the archive keeps."""
        done = judge_again(self.archive, game, turn, maps)
        return {
            "phase": done.phase,
            "sheets": done.sheets,
            "files": done.files,
            "leads_to": done.leads_to,
            "differences": encode(done.differences),
            "notes": list(done.notes),
        }

    # An order desk: a sheet in the making ------------------------------------------------------------------------------

    def desk(self, game: str, turn: str, seat: str, news: str | None) -> None:
        """Set up the check of a seat's sheets, with the view in the seat's `news`, or else the public view."""
        self._checking = checking_at(self.archive, game, turn, seat, news)

    def look(self, sheet: dict[str, Any]) -> Any:
        """The remarks of `courtly check` on the sheet, each with `where` (the part of the sheet), `what`, `right`, `level` and `stops`."""
        if self._checking is None:
            raise problem("", "no desk is set up", "load the page again")
        return encode(self._checking.look(sheet))

    def pasted(self, lines: list[str]) -> list[list[str]]:
        """For each pasted line, the orders in it as the desk writes them; an empty list for a line that cannot be read, or needs no change."""
        if self._table is not None:
            return pasted(self._table.game, self._table.position, lines)
        if self._checking is None:
            raise problem("", "no desk is set up", "load the page again")
        return pasted(self._checking.game, self._checking.data.position, lines)

    # A table: playing on from a turn ----------------------------------------------------------------------------------

    def table(self, game: str, turn: str) -> dict[str, Any]:
        """Set up a table at a turn, in place of any earlier table; returns the table's state."""
        self._table = table_at(self.archive, game, turn)
        return self._stands()

    def begin(self, start: dict[str, Any] | str, seed: str) -> dict[str, Any]:
        """Set up a table for a game that begins here, in place of any earlier table; returns the table's state and the `start`.

        `start` has a `ruleset`, and perhaps a `title`, `settings` and a `position`.
        """
        from adjudicator.core.jobs.case import (  # only needed to begin a game
            START_KEYS,
            start_in,
        )
        from adjudicator.core.jobs.house import begin

        text = _text(start)
        self._table = begin(start_in(text.encode(), "what you wrote"), seed)
        said: Any = read(text.encode(), "what you wrote", limit=OWN_LIMIT).data
        return {**self._stands(), "start": {key: said[key] for key in START_KEYS if key in said}}

    def start(self) -> str:
        """The position of the next turn, in the format of `courtly new --from`."""
        return case_text(self._there().start())

    def case(self) -> str:
        """The last step as a case file."""
        return case_text(self._there().case())

    def exported(self) -> str:
        """The game played at the table in the exchange format of its ruleset."""
        return self._there().exported().decode()

    def whole(self) -> str:
        """The archive of a game that began here, as a zip file in base64; raises `Problems` for any other table."""
        from adjudicator.core.jobs.house import House

        table = self._there()
        if not isinstance(table, House):
            raise problem(
                "", "only a game that began here can be saved as an archive", "begin one on the What if? page"
            )
        return base64.b64encode(table.whole()).decode()

    def seat(self, seat: str) -> dict[str, Any]:
        """A seat's order desk: its `desk` as in `desk.json`, its `map` and its secrets (`brief`).

        Also the `meanings` of words in its orders, and the keys of a sheet that have no effect here (`unasked`).
        """
        return seat_at(self._there(), seat)

    def check(self, seat: str, sheet: Sheet) -> Any:
        """Like `look`, for the sheet of a seat at the table."""
        return encode(self._there().look(seat, sheet))

    def judge(self, sheets: Mapping[str, Sheet]) -> dict[str, Any]:
        """Judge the turn with these sheets; returns the results and the new state."""
        table = self._there()
        step = table.judge({seat: _text(sheet) for seat, sheet in sheets.items()})
        return {**self._came(table, step), "next": self._stands()}

    def back(self) -> dict[str, Any]:
        """Take the last step back; returns the new state."""
        self._there().back()
        return self._stands()

    def _there(self) -> Table:
        if self._table is None:
            raise problem("", "no table is set up", "choose a turn to begin from")
        return self._table

    def _stands(self) -> dict[str, Any]:
        """The table's state: the turn to be judged, the seats that can order, the board, at the first step the archived sheets, and so on."""
        table = self._there()
        pictures, begins = table.game.ruleset.pictures, not table.steps
        scene = pictures.draw(table.position, None).to_click()
        return {
            "phase": table.phase,
            "step": len(table.steps),
            "ended": table.ended,
            "seats": list(table.game.seats),
            "called": {
                seat: called
                for seat in table.game.seats
                if (called := table.game.ruleset.words.called(table.position, seat)) is not None
            },
            "due": list(table.due),
            "played": {seat: read(text.encode(), seat).data for seat, text in table.played.items()} if begins else {},
            "map": pictures.paint(scene),
            "title": table.game.title,
            "exports": table.game.ruleset.exchange is not None,
            "open": table.game.ruleset.secrecy is None,
        }

    def _came(self, table: Table, step: Step) -> dict[str, Any]:
        """Results of a step: the verdict on each order with its reason, the events, and the board with both."""
        rules, done = table.game.ruleset, step.resolution
        facts: dict[tuple[int, str], list[str]] = {}
        for event in done.events:
            facts.setdefault(rules.words.part(step.position, event), []).append(rules.words.tell(step.position, event))
        told = rules.told(step.position, done.events)
        return {
            "verdicts": [
                {**encode(one), "ok": one.ok, "why": rules.words.tell(step.position, one)} for one in done.verdicts
            ],
            "headline": told.headline or rules.words.quiet,
            "facts": [[heading, lines] for (_, heading), lines in sorted(facts.items())],
            "left_out": {seat: encode(faults) for seat, faults in step.left_out.items()},
            "ended": rules.words.ended(done.ended) if done.ended is not None else None,
            "map": rules.pictures.paint(rules.pictures.draw(step.position, done)),
        }


def seat_at(table: Table, seat: str) -> dict[str, Any]:
    """A seat's order desk at a table, in the format of `Page.seat`."""
    rules = table.game.ruleset
    desk, picture = table.desk(seat)
    meanings = rules.desk.meanings(rules.view(table.position, seat), seat) if rules.desk.meanings else {}
    return {
        "desk": desk,
        "map": picture,
        "brief": table.brief(seat),
        "meanings": dict(meanings),
        "unasked": sorted(SHARED),
    }


QUESTIONS = frozenset({
    "files", "forget", "needed", "sealed", "opened", "again",
    "table", "seat", "check", "judge", "back",
    "desk", "look", "pasted",
    "begin", "start", "case", "exported", "whole",
})  # fmt: skip


READING = frozenset({"files", "needed", "sealed", "opened", "again", "table", "desk"})
"""Questions about the files that a page gave."""
OF_FILES = (
    "this site's files of the game cannot be judged",
    "they may be damaged; `courtly verify` in a clone of the archive shows what is wrong",
)
OF_QUESTIONS = (
    "the judge cannot make sense of this",
    "check what you wrote; if the page wrote it this way, report that",
)
FORESEEN = (
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, OSError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""Exceptions caused by damaged files and wrong questions."""


HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which JSON can express but no text in a file can contain."""


def asking() -> Callable[[str], str]:
    """A function that answers questions in JSON: `{"do": name, ...}` gives `{"answer": ...}` or `{"faults": [...]}`."""
    page = Page()

    def ask(question: str) -> str:
        asked = ""
        try:
            said = json.loads(question)
            asked = str(said.pop("do"))
            if asked not in QUESTIONS:
                raise problem("", f"there is no question {asked!r:.40}", f"questions: {', '.join(sorted(QUESTIONS))}")
            if asked not in READING and HALF.search(json.dumps(said, ensure_ascii=False)):
                raise problem("", "what you wrote contains half a character", "write it again")
            found = getattr(page, asked)(**said)
            answer: dict[str, Any] = {"answer": found}
        except Problems as error:
            answer = {"faults": encode(error.problems)}
        except FORESEEN as error:
            what, right = OF_FILES if asked in READING else OF_QUESTIONS
            what = f"{what}: {type(error).__name__}"
            answer = {"faults": encode(problem("", what, right).problems)}
        return json.dumps(answer, ensure_ascii=False)

    return ask
