"""The judge as a page asks it, in a reader's browser: questions and answers in JSON, files held in memory.

A page fetches the files of a game from the site, opens the age files with the keys that the archive has published, and asks. Nothing is
remembered but the files that it gave, and no question reads a file that it did not give.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.files.memory import Memory
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.again import earlier_turns, judge_again, sealed_files
from adjudicator.core.secrets import age
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem


class Opened:
    """What the page has opened, in place of pyrage."""

    def __init__(self) -> None:
        self.texts: dict[bytes, bytes] = {}
        """SHA-256 of an age file -> its text."""
        self.keys: dict[str, str] = {}
        """Identity -> its public key."""

    def new(self) -> str:
        """As `Backend.new`: nobody needs one here."""
        raise problem("", "no key is made here", "make one at the order desk")

    def is_key(self, recipient: str) -> bool:
        """As `Backend.is_key`."""
        return True

    def public(self, identity: str) -> str | None:
        """As `Backend.public`."""
        return self.keys.get(identity)

    def seal(self, text: bytes, recipients: Iterable[str], *, armored: bool) -> bytes:
        """As `Backend.seal`: nothing that is made here is kept."""
        raise problem("", "nothing is sealed here", "seal it at the order desk")

    def unseal(self, source: bytes, identities: Iterable[str]) -> bytes | None:
        """As `Backend.unseal`."""
        return self.texts.get(hashlib.sha256(source).digest())


class Page:
    """The files that a page gave, and its questions."""

    def __init__(self) -> None:
        self.backend = Opened()
        self.held: dict[str, bytes] = {}
        age.use(self.backend)

    @functools.cached_property
    def archive(self) -> Archive:
        """The archive of the files that are held."""
        return Archive(Path("/archive"), files=Memory(Path("/archive"), self.held))

    def files(self, files: Mapping[str, str | Mapping[str, str]]) -> None:
        """Takes in files: path -> text, or `{base64: ...}` where the bytes are none."""
        for path, body in files.items():
            if any(part in ("", ".", "..") for part in path.split("/")):
                raise problem(f"{path:.60}", "this is no path of an archive", "load the page again")
            self.held[path] = body.encode() if isinstance(body, str) else base64.b64decode(body["base64"])
        self.__dict__.pop("archive", None)

    def forget(self) -> None:
        """Forgets all files."""
        self.held.clear()
        self.backend.texts.clear()
        self.__dict__.pop("archive", None)

    def needed(self, game: str, turn: str) -> list[str]:
        """The earlier turns whose files a turn is judged from, too."""
        return earlier_turns(self.archive, game, turn)

    def sealed(self, game: str) -> dict[str, dict[str, str]]:
        """Identity -> path -> bytes in base64, of the age files that are to be opened before a turn is judged."""
        root = self.archive.root
        return {
            identity: {
                (name := path.relative_to(root).as_posix()): base64.b64encode(self.held[name]).decode()
                for path in paths
            }
            for identity, paths in sealed_files(self.archive, game).items()
        }

    def opened(self, texts: Mapping[str, str | None], keys: Mapping[str, str]) -> None:
        """Takes in what the page has opened: path -> the text in base64, None if nothing opens it; identity -> its public key."""
        self.backend.keys |= keys
        for path, text in texts.items():
            if text is not None:
                self.backend.texts[hashlib.sha256(self.held[path]).digest()] = base64.b64decode(text)

    def again(self, game: str, turn: str, map: str | None = None) -> dict[str, Any]:  # noqa: A002 - the page's word
        """Judges a turn again."""
        done = judge_again(self.archive, game, turn, map)
        return {
            "phase": done.phase,
            "sheets": done.sheets,
            "files": done.files,
            "leads_to": done.leads_to,
            "differences": encode(done.differences),
            "notes": list(done.notes),
        }


QUESTIONS = ("files", "forget", "needed", "sealed", "opened", "again")


def asking() -> Callable[[str], str]:
    """A function that answers a question: `{"do": name, ...}` as JSON gives `{"answer": ...}`, or `{"faults": [...]}`."""
    page = Page()

    def ask(question: str) -> str:
        said = json.loads(question)
        try:
            if said["do"] not in QUESTIONS:
                raise problem("", f"there is no question {said['do']!r:.40}", f"questions: {', '.join(QUESTIONS)}")
            found = getattr(page, said.pop("do"))(**said)
            answer: dict[str, Any] = {"answer": found}
        except Problems as error:
            answer = {"faults": encode(error.problems)}
        return json.dumps(answer, ensure_ascii=False)

    return ask
