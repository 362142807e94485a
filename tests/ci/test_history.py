"""Proofs from the history: every cell of the table in SECURITY.md both ways, honest histories, and forged ones.

The archive here has a game in every state: `war` is played openly on the map under sealed sheets, `cards` has hidden hands,
`over` is
a finished game of that kind, `gather` waits for its players' nonces. A test works on a copy of it and commits its changes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.ci import history
from adjudicator.ci.history import Report, check_history
from adjudicator.cli import main
from adjudicator.core.contract import ruleset
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs import move as moving
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.new import draw_commitment, letters_key, new_charter, new_game, setup_commitment
from adjudicator.core.jobs.press import seal_letter
from adjudicator.core.jobs.run import run_game, undo_turn
from adjudicator.core.jobs.seal import seal_sheet
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from tests import hazard
from tests.ci.conftest import HOST, MASTER, SEATS
from tests.ci.fake import git
from tests.conftest import ROOT, first_of

SPRING, FALL = "001-spring-1901-movement", "002-fall-1901-movement"
ONE, TWO, THREE = "001-round-1-cards", "002-round-2-cards", "003-round-3-cards"
NOON = "2026-11-20T12:00Z"


class Group:
    """People who play in a git repository. `root` is the archive, which may be a folder of the repository."""

    def __init__(self, root: Path, repository: Path | None = None) -> None:
        self.root = root
        self.repository = repository or root
        self.archive = Archive(root, MASTER)
        self.commits = 0

    def git(self, *arguments: str, stdin: bytes | None = None, **environment: str) -> str:
        return git(self.repository, *arguments, stdin=stdin, **environment).decode()

    def copy(self, root: Path) -> Group:
        """A copy. Files are links until they change: nothing here writes into an existing one."""
        shutil.copytree(self.repository, root, symlinks=True, copy_function=os.link)
        made = Group(root / self.root.relative_to(self.repository), root)
        made.commits = self.commits
        return made

    # Commits ------------------------------------------------------------------------------------------------------

    def commit(self, says: str = "Something", *arguments: str) -> None:
        """Commits all that changed under games/."""
        self.commits += 1
        self.git("add", "--all", "--force", "--", str(self.root / "games"))
        # The dates have no meaning, but they make every commit different.
        date = f"{1_800_000_000 + self.commits} +0000"
        words = ("--quiet", "--no-gpg-sign", "--allow-empty", *arguments, "-m", says)
        self.git("commit", *words, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def received(self, path: str) -> None:
        """Commits one file as intake does."""
        body = (self.root / path).read_bytes()
        digest = hashlib.sha256(body).hexdigest()
        trailers = f"Courtly-File: {path}\nCourtly-SHA256: {digest}\nCourtly-Received: {NOON}\nCourtly-Account: 1\n"
        self.commit(f"Sheet of somebody\n\nPull request 1.\n\n{trailers}")

    # Files --------------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """A file below games/; a `*` in its name matches the rest of a name."""
        if "*" not in name:
            return self.root / "games" / name
        (match,) = sorted((self.root / "games").glob(name))
        return match

    def text(self, name: str) -> str:
        return self.path(name).read_bytes().decode()

    def put(self, name: str, body: str | bytes) -> None:
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(body.encode() if isinstance(body, str) else body)

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace the first match of a pattern in a file; there must be one."""
        before = self.text(name)
        after = re.sub(old, new, before, count=1, flags=re.MULTILINE)
        assert after != before, f"{name} has no {old}"
        self.put(name, after)

    def add(self, name: str, what: str) -> None:
        self.put(name, self.path(name).read_bytes() + what.encode())

    def remove(self, name: str) -> None:
        shutil.rmtree(path) if (path := self.path(name)).is_dir() else path.unlink()

    def move(self, name: str, to: str) -> None:
        self.path(to).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).rename(self.path(to))

    # Play ---------------------------------------------------------------------------------------------------------

    def new(self, slug: str, **data: Any) -> None:
        new_game(self.archive, slug, data, at="2026-11-20T00:00Z")

    def sheet(self, game: str, seat: str, **said: Any) -> str:
        """Seal a sheet into its place; return its name."""
        path = self.root.parent / f"{seat.lower()}.sheet.yaml"
        path.write_text(write(said or {"final": False}), encoding="utf-8")
        made = seal_sheet(Archive(self.root), path, game=game, seat=seat, turn=None, readers=[])
        made.write(Archive(self.root), made.place)
        path.unlink()
        return made.place.relative_to(self.root).as_posix()

    def sends(self, game: str, seat: str, **said: Any) -> None:
        """Send a sheet, and take it in."""
        self.received(self.sheet(game, seat, **said))

    def writes(self, game: str, seat: str, text: str = "I meant it.") -> str:
        """Send a letter, and take it in; return its name."""
        path = self.root.parent / "letter.txt"
        path.write_text(text, encoding="utf-8")
        made = seal_letter(Archive(self.root), path, game=game, seat=seat)
        path.unlink()
        self.put(made.path.removeprefix("games/"), made.body)
        self.received(made.path)
        return made.path

    def rules(self, game: str, **ruling: Any) -> None:
        """Add a ruling to those of the open turn, with a unique reason."""
        path = self.root / "games" / game / self.archive.turns(game)[-1] / "ruling.yaml"
        before: Any = read(path.read_bytes(), "ruling.yaml").data if path.exists() else {"rulings": []}
        path.unlink(missing_ok=True)
        path.write_text(write({"rulings": [*before["rulings"], {"reason": "All agree.", **ruling}]}), encoding="utf-8")

    def run(self, game: str, at: str = NOON) -> list[str]:
        with self.archive.writing():
            return [f"{step.what} {step.turn[:3]}" for step in run_game(self.archive, game, at=at)]

    def ruled(self, game: str, **ruling: Any) -> None:
        """Enter a ruling, and apply it one commit later."""
        self.rules(game, **ruling)
        self.commit("A ruling")
        assert "ruled" in self.run(game)[0]
        self.commit("Ruled")

    def judged(self, game: str, at: str) -> None:
        assert self.run(game, at)[0].startswith("resolved")
        self.commit("Judged")

    def undo(self, game: str, at: str) -> None:
        with self.archive.writing():
            steps = [step.what for step in undo_turn(self.archive, game, "A sheet was lost.", at)]
        assert steps[0] == "put back"
        self.commit("Put back")

    # Findings -----------------------------------------------------------------------------------------------------

    def history(self) -> Report:
        return check_history(self.root)

    def faults(self) -> list[tuple[str, str]]:
        """Faults that the history finds in the archive: path below games/ and words."""
        return told(self.history().problems)

    def notes(self) -> list[tuple[str, str]]:
        return told(self.history().notes)


def told(problems: list[Any]) -> list[tuple[str, str]]:
    return [(fault.path.removeprefix("games/"), fault.what) for fault in problems]


def people(seats: tuple[str, ...], first: int, *, keys: bool) -> dict[str, dict[str, Any]]:
    """Everybody except the last has an account, and a key if there is private news."""
    players: dict[str, dict[str, Any]] = {seat: {"player": f"{seat}’s player"} for seat in seats}
    for at, seat in enumerate(seats[:-1]):
        players[seat]["account"] = first + at
    if keys:
        for seat in seats:
            players[seat]["key"] = recipient_of(new_identity())
    return players


def founded(root: Path, repository: Path | None = None, *options: str) -> Group:
    """An archive with four games that have just opened."""
    group = Group(root, repository)
    (root / "games").mkdir(parents=True)
    git(group.repository, "init", "--quiet", "-b", "main", "--template=", *options)
    for key, value in {
        "core.logAllRefUpdates": "false",
        "core.trustctime": "false",
        "maintenance.auto": "false",
    }.items():
        group.git("config", key, value)
    new_charter(group.archive, "example/games")
    shared: dict[str, Any] = {"opened": "2026-11-20", "sealed": True, "host": "Hanna", "host_account": HOST}
    group.new(
        "war", ruleset="diplomacy", title="A war", id="1a" * 8, schedule={"turn": "2d"},
        seats=people(SEATS, 101, keys=False), settings={"draws": "vote"},
        letters=letters_key(group.archive, "war", "1a" * 8), **shared,
    )  # fmt: skip
    hidden = shared | {"ruleset": "hazard", "schedule": {"turn": "1d"}}
    group.new("cards", title="Cards", id="2b" * 8, seats=people(hazard.SEATS, 201, keys=True), **hidden)
    group.new(
        "done", title="A short game", id="3c" * 8, seats=people(hazard.SEATS, 301, keys=True),
        settings={"rounds": 2}, letters=letters_key(group.archive, "done", "3c" * 8), **hidden,
    )  # fmt: skip
    setup = setup_commitment(group.archive, "gather", "4d" * 8)
    group.new(
        "gather", title="Later", id="4d" * 8, setup=setup, seats=people(hazard.SEATS, 401, keys=True),
        settings={"rounds": 3}, **hidden,
    )  # fmt: skip
    group.commit("The archive")
    return group


def played(root: Path, repository: Path | None = None, *options: str) -> Group:
    """The archive after some days: every game has a turn that was put back; `over` has ended."""
    group = founded(root, repository, *options)
    for game, seats in (("war", SEATS[:2]), ("cards", hazard.SEATS), ("done", hazard.SEATS)):
        for seat in seats:
            group.sends(game, seat)
        group.sends(game, seats[0])  # instead of their first
    group.ruled("war", extend="2026-11-22T18:00Z")
    group.judged("war", "2026-11-22T18:00Z")
    group.sends("war", "Italy")
    group.undo("war", "2026-11-23T00:00Z")
    group.sends("war", "Austria")
    group.sends("war", "Italy")
    group.sends("war", "Italy")
    group.ruled("war", extend="2026-11-25T18:00Z")
    group.judged("war", "2026-11-25T18:00Z")
    group.sends("war", "Austria")
    group.writes("war", "Austria")
    group.writes("done", "Birch")
    group.ruled("war", extend="2026-11-29T00:00Z")
    group.judged("cards", "2026-11-21T00:00Z")
    group.sends("cards", "Ash")
    group.judged("cards", "2026-11-22T00:00Z")
    group.undo("cards", "2026-11-22T12:00Z")
    group.sends("cards", "Birch")
    group.judged("done", "2026-11-21T00:00Z")
    group.undo("done", "2026-11-21T12:00Z")
    group.sends("done", "Ash")
    group.ruled("done", extend="2026-11-23T00:00Z")
    group.judged("done", "2026-11-23T00:00Z")
    group.sends("done", "Ash")
    group.judged("done", "2026-11-24T00:00Z")
    return group


@contextlib.contextmanager
def hazard_known() -> Iterator[pytest.MonkeyPatch]:
    """Make hazard a known ruleset, so that the template's games can be played."""
    real = ruleset.slugs
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "adjudicator.rulesets.hazard", hazard)
        patch.setattr(ruleset, "slugs", lambda: (*real(), "hazard"))
        yield patch


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Group]:
    """The archive that the tests copy."""
    with hazard_known() as patch:
        # Hundreds of tests read the same versions, so each is parsed only once.
        patch.setattr(history, "_read", functools.cache(history._read))
        group = played(tmp_path_factory.mktemp("history") / "archive")
        group.git("gc", "--quiet")
        yield group


@pytest.fixture
def group(start: Group, tmp_path: Path) -> Group:
    """A fresh copy of the archive."""
    return start.copy(tmp_path / "archive")


@pytest.fixture(scope="module")
def shared(start: Group, tmp_path_factory: pytest.TempPathFactory) -> Group:
    """A copy that tests use one after another."""
    return start.copy(tmp_path_factory.mktemp("shared") / "archive")


@pytest.fixture
def lent(start: Group, shared: Group) -> Iterator[Group]:
    """The shared copy, restored after the test: hundreds of copies would take longer than the tests."""
    yield shared
    shared.git("checkout", "--quiet", "--force", "-B", "main", start.head)
    shared.git("clean", "-ffdxq")


# The table in SECURITY.md -----------------------------------------------------------------------------------------

Act = Callable[[Group], object]
Said = tuple[tuple[str, str], ...]
OPEN, JUDGED, OVER = 1, 2, 3
"""Columns of the table: while the turn is open, after it is judged, after the game is over."""
TURNS = {OPEN: f"war/{FALL}", JUDGED: f"war/{SPRING}", OVER: f"over/done/{ONE}"}
HIDDEN = {OPEN: f"cards/{TWO}", JUDGED: f"cards/{ONE}", OVER: f"over/done/{ONE}"}
KEYS = {OPEN: f"cards/{TWO}", JUDGED: f"war/{SPRING}", OVER: f"over/done/{ONE}"}
SENT = {OPEN: "austria", JUDGED: "italy", OVER: "ash"}
NOBODY = recipient_of("AGE-SECRET-KEY-1XD6KLU4LPTMAJAVYT606R0U388RK6SEDLDJGG2UCHJV38VUCS8ZQD00RPY")
SECOND = {OPEN: f"cards/{TWO}", JUDGED: f"cards/{TWO}", OVER: f"over/done/{TWO}"}
"""Turns that follow another turn, which can be judged again."""


@dataclass(frozen=True)
class Case:
    """A change, its cell of the table, and the expected messages: faults or notes, by path and words.

    A path that ends in a slash matches the files below it.
    """

    row: str
    column: int
    name: str
    does: tuple[Act, ...]
    faults: Said = ()
    notes: Said = ()

    @property
    def id(self) -> str:
        state = ("open", "judged", "over")[self.column - 1]
        return f"{self.row.partition(':')[0] if self.row.startswith('orders') else self.row}, {state}: {self.name}"


def edit(name: str, old: str, new: str) -> Act:
    return lambda group: group.edit(name, old, new)


def put(name: str, body: str = "another") -> Act:
    return lambda group: group.put(name, body)


def add(name: str, what: str) -> Act:
    return lambda group: group.add(name, what)


def remove(name: str) -> Act:
    return lambda group: group.remove(name)


def move(name: str, to: str) -> Act:
    return lambda group: group.move(name, to)


def commit(group: Group) -> None:
    group.commit()


def swap(name: str) -> Act:
    """Exchanges a file and puts it back one commit later."""

    def does(group: Group) -> None:
        body = group.path(name).read_bytes()
        group.put(name, "another")
        group.commit()
        group.put(name, body)

    return does


def gone(name: str) -> Act:
    """Removes a file and puts it back one commit later."""

    def does(group: Group) -> None:
        body = group.path(name).read_bytes()
        group.remove(name)
        group.commit()
        group.put(name, body)

    return does


def forged_letters(group: Group) -> None:
    """Pushes two letters as if one request of a stranger had brought them."""
    for seat in ("italy", "turkey"):
        path = f"games/war/letters/{seat}.yaml.age"
        group.put(path.removeprefix("games/"), f"of {seat}")
        digest = hashlib.sha256((group.root / path).read_bytes()).hexdigest()
        more = "Courtly-Account: 666\nCourtly-Source: pull request 7\n"
        group.commit(f"Letter\n\nCourtly-File: {path}\nCourtly-SHA256: {digest}\n{more}")


def rule(game: str, *, at: str = NOON, **ruling: Any) -> Act:
    def does(group: Group) -> None:
        group.rules(game, **ruling)
        group.commit("A ruling")
        group.run(game, at)

    return does


def said(name: str, ruling: str) -> tuple[Act, ...]:
    """Write a ruling by hand into ruling.yaml and turn.yaml alike."""
    return (
        lambda group: group.put(f"{name}/ruling.yaml", _with(group, f"{name}/ruling.yaml", ruling)),
        lambda group: group.put(f"{name}/turn.yaml", _with(group, f"{name}/turn.yaml", ruling)),
    )


def _with(group: Group, name: str, ruling: str) -> str:
    if not group.path(name).exists():
        return f"rulings:\n- {ruling}\n"
    text = group.text(name)
    if "\nrulings:\n" not in f"\n{text}":
        return text.replace("\ndice:\n", f"\nrulings:\n- {ruling}\ndice:\n", 1)
    return re.sub(r"^(rulings:\n(?:- .+\n)*)", rf"\g<1>- {ruling}\n", text, count=1, flags=re.MULTILINE)


def cases(row: str, column: int, *told: tuple[Any, ...]) -> Iterator[Case]:
    """Cases of one cell: name, what is done (one act or several), faults, notes."""
    for name, does, *rest in told:
        yield Case(row, column, name, does if isinstance(does, tuple) else (does,), *rest)


def sheets() -> Iterator[Case]:
    row = "orders/*: sheets"
    for column, turn in TURNS.items():
        path = f"{turn}/orders/{SENT[column]}.yaml.age"
        yield from cases(
            row, column,
            ("changed", put(path), ((path, "changed"),)),
            ("removed", remove(path), ((path, "gone|removed"),)),
            ("renamed", move(path, path.replace(".yaml", ".9.yaml")), (
                (path, "is gone"), *((path.replace(".yaml", ".9.yaml"), "added after") for _ in range(column != OPEN)))),
            ("exchanged and put back", swap(path), ((path, ""),)),
            ("made a link", lambda group, path=path: linked(group, path), ((path, ""),)),
        )  # fmt: skip
    for column, path in (
        (JUDGED, f"war/{SPRING}/orders/france.yaml.age"),
        (OVER, f"over/done/{TWO}/orders/cedar.yaml.age"),
    ):
        yield from cases(row, column, ("added", put(path), ((path, "added|judged"),)))
    yield from cases(
        row, OPEN,
        ("sent", lambda group: group.sends("war", "Italy")),
        ("revised", lambda group: group.sends("war", "Austria")),
    )  # fmt: skip


def linked(group: Group, path: str) -> None:
    group.remove(path)
    group.path(path).symlink_to("../turn.yaml")


def ruling_files() -> Iterator[Case]:
    row = "ruling.yaml"
    for column, turn in TURNS.items():
        path = f"{turn}/ruling.yaml"
        yield from cases(
            row, column,
            ("the reason changed", edit(path, "All agree", "I say so"), ((path, ""),)),
            ("removed", remove(path), ((path, ""),)),
            ("another kind", edit(path, "extend: .+}", "pause: true}"), ((path, ""),)),
            ("a comment", add(path, "# They asked for it.\n"), ((path, ""),)) if column != OPEN else
            ("the reason changed and changed back", (
                edit(path, "All agree", "I say so"), commit, edit(path, "I say so", "All agree")), ((path, ""),)),
        )  # fmt: skip
        if column != OPEN:
            more = '- {reason: Late., extend: "2027-01-01T00:00Z"}\n'
            yield from cases(row, column, ("added", add(path, more), ((path, ""),)))
            yield from cases(
                row, column,
                ("the reason changed in both files", (
                    edit(path, "All agree", "I say so"), edit(f"{turn}/turn.yaml", "All agree", "I say so")),
                 ((path, ""), (f"{turn}/turn.yaml", ""))),
            )  # fmt: skip
    late = {"reason": "Late.", "extend": "2027-01-01T00:00Z"}
    path = f"{TURNS[OPEN]}/ruling.yaml"
    yield from cases(
        row, OPEN,
        ("another, not yet applied", lambda group: group.rules("war", **late)),
        ("another, applied", rule("war", **late)),
        ("one taken back", (
            lambda group: group.rules("war", **late), commit, edit(path, "- {reason: Late.+\n", "")),
         (), ((path, ""),)),
        ("one put above the applied one", edit(path, "rulings:\n", "rulings:\n- {reason: Before., pause: true}\n"),
         ((path, ""),)),
    )  # fmt: skip


def keys() -> Iterator[Case]:
    row = "turn.yaml: commitment, recipients, kid, format, lengths of sealed files, attempt, the time it opened, what the game began with"
    for column, turn in KEYS.items():
        path = f"{turn}/turn.yaml"
        for name, old, new in (
            ("commitment", r"(?<=^dice:\n  commitment: ).+", '"' + "0" * 64 + '"'),
            ("recipient", r"(?<=recipient: ).+", NOBODY),
            ("kid", r"(?<=kid: ).+", '"0000000000000000"'),
            ("format", r"(?<=format: )\d", "1"),
            ("no format", r"  format: \d\n", ""),
            ("width", r"(?<=width: )\d+", "4096"),
            ("recipients of orders ahead", r"^(  recipient: .+\n)", r"\g<1>  ahead: {retreats: " + NOBODY + "}\n"),
            ("attempt", "attempt: 2", "attempt: 3"),
            ("no attempt", "attempt: 2\n", ""),
            ("opened", r"(?<=^opened: ).+", "2026-11-20T00:00Z"),
        ):
            yield from cases(row, column, (name, edit(path, old, new), ((path, ""),)))
    for key in ("dispatch", "secret"):
        path = f"over/done/{ONE}/turn.yaml"
        other = edit(path, rf"(?<={key}: )\d+", "4096")
        yield from cases(row, OVER, (f"length of {key}", other, ((path, "the length of its"),)))
    for column, turn in ((JUDGED, f"war/{SPRING}"), (OVER, f"over/done/{ONE}")):
        path = f"{turn}/turn.yaml"
        other = edit(path, "(?<=^start:\n  digest: ).+", '"' + "0" * 64 + '"')
        yield from cases(row, column, ("digest of the start", other, ((path, "digest of the game's start"),)))
    path = f"war/{SPRING}/turn.yaml"
    gone = edit(path, "^start:\n(?:  .+\n)+", "")
    yield from cases(
        row, JUDGED, ("no start", gone, ((path, "digest of the game's start"), (path, "`start` was changed after")))
    )
    other = edit(path, '(?<=standard.yaml: )["0-9a-f]+', '"' + "f" * 64 + '"')
    yield from cases(row, JUDGED, ("digest of the board", other, ((path, "ruleset files that the game uses"),)))


def anew(row: str, edits: tuple[tuple[str, str, str, str, str], ...], *, own: bool = False) -> Iterator[Case]:
    """Changes that `rejudged` allows if it names an earlier turn or, with `own`, this one. If it names no turn, they are faults."""
    for column, turn in SECOND.items():
        game, _, name = turn.rpartition("/")
        start: tuple[Act, ...] = (lambda group: group.judged("cards", "2026-12-01T00:00Z"),) if column == JUDGED else ()
        for what, rest, old, new, words in edits:
            change = edit(f"{turn}/{rest}", old, new) if old else put(f"{turn}/{rest}")
            for says, named in (("the turn before it", ONE), ("itself", name), ("no turn", "000-nothing")):
                rejudged = add(f"{game}/game.yaml", f"rejudged:\n  {named}: Cards were mended.\n")
                free = named == ONE or (own and named == name and column != OPEN)
                faults, notes = ((f"{turn}/{rest}", words),), ((f"{game}/game.yaml", "rejudged"),)
                does = (*start, rejudged, change)
                yield Case(row, column, f"{what}, when {says} was judged anew", does, () if free else faults, notes)


def deadlines() -> Iterator[Case]:
    row = "turn.yaml: deadline"
    for column, turn in TURNS.items():
        path = f"{turn}/turn.yaml"
        yield from cases(
            row, column,
            ("changed", edit(path, "(?<=^deadline: ).+", "2026-12-24T18:00Z"), ((path, "deadline"),)),
            ("removed", edit(path, "^deadline: .+\n", ""), ((path, "deadline"),)),
        )  # fmt: skip
    later = '{reason: Late., extend: "2027-01-01T00:00Z"}'
    both = [said(TURNS[column], later) for column in (OPEN, JUDGED)]
    change = [
        edit(f"{TURNS[column]}/turn.yaml", "(?<=^deadline: ).+", "2027-01-01T00:00Z") for column in (OPEN, JUDGED)
    ]
    yield from cases(
        row, OPEN,
        ("extended", rule("war", extend="2027-01-01T00:00Z")),
        ("paused and resumed", (rule("war", pause=True), commit, rule("war", resume="2027-01-01T00:00Z"))),
        ("not to the ruling's time", (*both[0], edit(f"{TURNS[OPEN]}/turn.yaml", "(?<=^deadline: ).+", "2027-01-01T00:01Z")),
         ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
        ("by a ruling of another kind", (*said(TURNS[OPEN], "{reason: So., proceed: true}"), change[0]),
         ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
    )  # fmt: skip
    absence = f"{TURNS[OPEN].rpartition('/')[0]}/absence/italy.2026-11-01.yaml"
    days = "schema: 1\nseat: Italy\nfirst: 2026-11-01\nlast: 2026-12-30\nannounced: 2026-11-01T00:00Z\n"
    yield from cases(
        row, OPEN,
        ("past days when somebody is away", (put(absence, days), change[0]), (),
         ((f"{TURNS[OPEN]}/turn.yaml", "its deadline moved back, because a player is away"),)),
        ("to a day when somebody is away",
         (put(absence, days.replace("2026-12-30", "2027-01-02")), change[0]), ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
        ("later than anybody is away",
         (put(absence, days.replace("2026-12-30", "2026-12-20")), change[0]), ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
        ("announced when it was past",
         (put(absence, days.replace("2026-11-01T", "2026-12-01T")), change[0]), ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
        ("and nobody is away on the day of the old one",
         (put(absence, days.replace("2026-11-01", "2026-12-01")), change[0]), ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
        ("after a ruling had set it",
         (put(absence, days), commit, rule("war", extend="2026-12-25T00:00Z"), commit, change[0]),
         ((f"{TURNS[OPEN]}/turn.yaml", "deadline"),)),
    )  # fmt: skip
    yield from cases(
        row, JUDGED,
        ("by a ruling that came later", (*both[1], change[1]),
         ((f"{TURNS[JUDGED]}/turn.yaml", "deadline"), (f"{TURNS[JUDGED]}/ruling.yaml", ""))),
    )  # fmt: skip
    yield from anew(row, (("deadline", "turn.yaml", "(?<=^deadline: ).+", "2027-01-01T00:00Z", "deadline"),))


def positions() -> Iterator[Case]:
    row = "turn.yaml: position, digests of dispatches"
    units = [r"A Budapest, A Vienna, F Trieste", "A Vienna, F Trieste"]
    for column, turn in TURNS.items():
        path = f"{turn}/turn.yaml"
        old, new = units if turn.startswith("war") else ["points: {Ash: 0", "points: {Ash: 5"]
        yield from cases(row, column, ("position", edit(path, old, new), ((path, "position"),)))
    for column, turn in HIDDEN.items():
        path = f"{turn}/turn.yaml"
        digest = edit(path, r"(?<=^dispatches:\n  Ash: ).+", "f" * 64)
        yield from cases(row, column, ("digest", digest, ((path, "dispatches"),)))
    for kind, ruling in (
        ("correct", "correct: {units.Austria: [A Vienna, F Trieste]}"), ("decide", "decide: {vacant: Austria}"),
        ("hidden", "hidden: true"), ("replace", "replace: {seat: Austria, player: Nina}"),
    ):  # fmt: skip
        turn = TURNS[OPEN]
        by_hand = (*said(turn, f"{{reason: So., {ruling}}}"), edit(f"{turn}/turn.yaml", *units))
        yield from cases(row, OPEN, (f"by a ruling `{kind}`, as it is written", by_hand))
    turn = TURNS[OPEN]
    yield from cases(
        row, OPEN,
        ("corrected", rule("war", correct={"units.Austria": ["A Vienna", "F Trieste"]})),
        ("corrected, of hidden information", rule("cards", correct={"points.Ash": 2})),
        ("replaced, with news for another key", rule("cards", replace={
            "seat": "Ash", "player": "Nina", "account": 999, "key": NOBODY})),
        ("by a ruling of another kind", (*said(turn, "{reason: So., proceed: true}"), edit(f"{turn}/turn.yaml", *units)),
         ((f"{turn}/turn.yaml", "position"),)),
        ("under a ruling that was applied before", (
            rule("war", correct={"units.Austria": ["A Vienna", "F Trieste"]}), commit,
            edit(f"{turn}/turn.yaml", "A Liverpool, F Edinburgh", "A Liverpool")),
         ((f"{turn}/turn.yaml", "position"),)),
    )  # fmt: skip
    yield from anew(row, (
        ("position", "turn.yaml", "points: {Ash: .", "points: {Ash: 5", "position"),
        ("digest", "turn.yaml", r"(?<=^dispatches:\n  Ash: ).+", "f" * 64, "dispatches"),
    ))  # fmt: skip
    turn = TURNS[JUDGED]
    by_hand = (*said(turn, "{reason: So., correct: {units.Austria: [A Vienna]}}"), edit(f"{turn}/turn.yaml", *units))
    yield from cases(
        row, JUDGED,
        ("by a ruling that came later", by_hand, ((f"{turn}/turn.yaml", ""), (f"{turn}/ruling.yaml", ""))),
    )  # fmt: skip


def players() -> Iterator[Case]:
    row = "turn.yaml: who plays, who is in civil disorder, whose standing sheets and orders ahead apply, its phase, why it was put back"
    somebody = "players:\n  Ash: {player: Ada, account: 666}\n"
    for column, turn in HIDDEN.items():
        path = f"{turn}/turn.yaml"
        for what, old, new in (
            ("players", "(?=^rulings:|^dice:)", somebody),
            ("absent", "(?=^rulings:|^dice:)", "absent:\n- Ash\n"),
            ("standing", "(?=^rulings:|^dice:)", f"standing:\n  cards: {{Ash: {ONE}}}\n"),
            ("ahead", "^ahead: .+\n|(?=^seal:)", f"ahead: {{Ash: {ONE}}}\n"),
            ("phase", "(?<=^phase: ).+", "Round 9"),
            ("put_back", "^put_back: .+\n|(?=^deadline:)", "put_back: So.\n"),
        ):
            yield from cases(row, column, (what, edit(path, old, new), ((path, ""),)))
    yield from anew(row, (("players", "turn.yaml", "(?=^rulings:|^dice:)", somebody, "players|who plays"),))
    turn = HIDDEN[OPEN]
    proceed = (*said(turn, "{reason: So., proceed: true}"), edit(f"{turn}/turn.yaml", "(?=^rulings:)", somebody))
    yield from cases(
        row, OPEN,
        ("replaced", rule("war", replace={"seat": "Italy", "player": "Nina", "account": 999})),
        ("another player by a ruling of another kind", proceed, ((f"{turn}/turn.yaml", "who plays"),)),
    )  # fmt: skip


def waiting() -> Iterator[Case]:
    row = "turn.yaml: whom it waits for, whether it is paused"
    path = f"{HIDDEN[OPEN]}/turn.yaml"
    yield from cases(
        row, OPEN,
        ("paused", edit(path, "(?=^seal:)", "paused: true\n"), ((path, "paused"),)),
        ("not waited for", edit(path, "^- Ash\n", ""), ((path, "waiting for"),)),
        ("paused by a ruling", rule("cards", pause=True)),
        ("resumed by a ruling", (rule("war", pause=True), commit, rule("war", resume="2026-12-01T00:00Z"))),
        ("paused, and ended by a ruling", (rule("war", pause=True), commit, rule("war", end={"how": "called off"}))),
        ("not waited for, by a ruling", (
            *said(HIDDEN[OPEN], "{reason: So., correct: {hands.Ash: []}}"), edit(path, "^- Ash\n", ""))),
    )  # fmt: skip


def results() -> Iterator[Case]:
    row = "turn.yaml: verdicts, events, rolls, sheets"
    turn = TURNS[OPEN]
    yield from cases(
        row, OPEN,
        ("judged", lambda group: group.judged("war", "2026-11-29T00:00Z")),
        ("judged, of hidden information", lambda group: group.judged("cards", "2026-12-01T00:00Z")),
        ("a verdict while it is open", add(
            f"{turn}/turn.yaml", "verdicts:\n- {seat: Austria, order: A Vienna H, result: stands, reason: unattacked}\n"),
         ((f"{turn}/turn.yaml", ""),)),
    )  # fmt: skip
    war, over = f"{TURNS[JUDGED]}/turn.yaml", f"{TURNS[OVER]}/turn.yaml"
    rolls = f"{HIDDEN[JUDGED]}/turn.yaml"
    roll = 'rolls:\n- {name: "open:tie:1", sides: 6, value: 6}\n'
    for column, path, name, old, new in (
        (JUDGED, war, "verdict", "(?<=order: A Vienna H, result: )stands", "fails"),
        (JUDGED, war, "event", "missing, power: France", "missing, power: Italy"),
        (JUDGED, rolls, "roll", r"\Z", roll),
        (JUDGED, war, "digest of a sheet", "(?<=^sheets:\n  Austria: ).+", "f" * 64),
        (OVER, over, "digest of a sheet", "(?<=^sheets:\n  Ash: ).+", "f" * 64),
    ):
        yield from cases(row, column, (name, edit(path, old, new), ((path, ""),)))
        slug, named, _ = path.rsplit("/", 2)
        mended = add(f"{slug}/game.yaml", f"rejudged:\n  {named}: Convoys were mended.\n")
        noted = ((f"{slug}/game.yaml", "rejudged"),)
        yield from cases(row, column, (f"{name}, judged anew", (mended, edit(path, old, new)), (), noted))
    mended = add("war/game.yaml", f"rejudged:\n  {FALL}: Convoys were mended.\n")
    verdict = edit(war, "(?<=order: A Vienna H, result: )stands", "fails")
    late = (lambda group: group.judged("war", "2026-11-29T00:00Z"), mended, verdict)
    yield from cases(row, JUDGED, ("a turn before the one that was judged anew", late, ((war, "verdicts"),)))
    mended = add("over/done/game.yaml", f"rejudged:\n  {ONE}: Cards were mended.\n")
    sheet = edit(f"over/done/{TWO}/turn.yaml", "(?<=^sheets:\n  Ash: ).+", "f" * 64)
    noted = (("over/done/game.yaml", "rejudged"),)
    yield from cases(row, OVER, ("a turn after the one that was judged anew", (mended, sheet), (), noted))


def closings() -> Iterator[Case]:
    row = "turn.yaml: closed"
    path = f"{TURNS[OPEN]}/turn.yaml"
    yield from cases(
        row, OPEN,
        ("judged", lambda group: group.judged("war", "2026-11-29T00:00Z")),
        ("while it is open", edit(path, "^(deadline: .+\n)", r"\g<1>closed: 2026-11-25T18:00Z\n"), ((path, "closed"),)),
    )  # fmt: skip
    for column in (JUDGED, OVER):
        path = f"{TURNS[column]}/turn.yaml"
        game, _, name = TURNS[column].rpartition("/")
        mended = add(f"{game}/game.yaml", f"rejudged:\n  {name}: So.\n")
        yield from cases(
            row, column,
            ("later", edit(path, "(?<=^closed: ).+", "2026-12-25T18:05Z"), ((path, "closed"),)),
            ("before the deadline", edit(path, "(?<=^closed: ).+", "2026-11-20T17:05Z"), ((path, "closed"),)),
            ("removed", edit(path, "^closed: .+\n", ""), ((path, "closed"),)),
            ("of a turn that was judged anew", (mended, edit(path, "(?<=^closed: ).+", "2026-12-25T18:05Z")),
             ((path, "closed"),)),
        )  # fmt: skip


def judges() -> Iterator[Case]:
    row = "turn.yaml: which courtly judged it"
    path = f"{TURNS[OPEN]}/turn.yaml"
    yield from cases(
        row, OPEN,
        ("judged", lambda group: group.judged("war", "2026-11-29T00:00Z")),
        ("while it is open", edit(path, "^(deadline: .+\n)", r"\g<1>judged_by: so\n"), ((path, "judged_by"),)),
    )  # fmt: skip
    for column in (JUDGED, OVER):
        path = f"{TURNS[column]}/turn.yaml"
        game, _, name = TURNS[column].rpartition("/")
        mended = add(f"{game}/game.yaml", f"rejudged:\n  {name}: So.\n")
        noted = ((f"{game}/game.yaml", "rejudged"),)
        another = edit(path, "(?<=^judged_by: ).+", '"0.0.1"')
        yield from cases(
            row, column,
            ("another", another, ((path, "judged_by"),)),
            ("removed", edit(path, "^judged_by: .+\n", ""), ((path, "judged_by"),)),
            ("another, judged anew", (mended, another), (), noted),
        )  # fmt: skip


def secrets() -> Iterator[Case]:
    row = "turn.yaml: secrets of dice, keys and setup"
    key = "  identity: AGE-SECRET-KEY-1XD6KLU4LPTMAJAVYT606R0U388RK6SEDLDJGG2UCHJV38VUCS8ZQD00RPY\n"
    path = f"{TURNS[OPEN]}/turn.yaml"
    yield from cases(
        row, OPEN,
        ("the key", edit(path, "^(  recipient: .+\n)", rf"\g<1>{key}"), ((path, ""),)),
        ("the key of orders ahead", edit(path, "^(  recipient: .+\n)", rf"\g<1>{key.replace('ident', 'ahead_ident')}"), ((path, ""),)),
        ("the secret of the dice", edit(path, "^(  commitment: .+\n)", r'\g<1>  secret: "00"\n'), ((path, ""),)),
    )  # fmt: skip
    path = f"{HIDDEN[JUDGED]}/turn.yaml"
    yield from cases(
        row, JUDGED,
        ("the key is added", edit(path, "^(  recipient: .+\n)", rf"\g<1>{key}")),
        ("the secret of the dice is added", edit(path, "^(dice:\n  commitment: .+\n)", r'\g<1>  secret: "00"\n')),
    )  # fmt: skip
    for column, turn in ((JUDGED, TURNS[JUDGED]), (OVER, TURNS[OVER])):
        path = f"{turn}/turn.yaml"
        yield from cases(
            row, column,
            ("the key is changed", edit(path, "(?<=identity: ).+", key.split()[1]), ((path, ""),))
            if column == OVER else
            ("the key is changed", edit(path, "(?<=identity: AGE-SECRET-KEY-1)...", "AAA"), ((path, ""),)),
            ("the key is removed", edit(path, "^  identity: .+\n", ""), ((path, ""),)),
            ("the secret is changed", edit(path, r"(?<=^  secret: ).+(?=\n  digest)", "f" * 64), ((path, ""),)),
            ("the secret is removed", edit(path, r"^  secret: .+\n(?=  digest)", ""), ((path, ""),)),
        )  # fmt: skip
    path = f"{TURNS[OVER]}/turn.yaml"
    setup = r"(?<=^setup:\n)(  commitment: .+\n)  secret: .+\n"
    yield from cases(
        row, OVER,
        ("the setup's secret is removed", edit(path, setup, r"\g<1>"), ((path, ""),)),
        ("the setup's secret is changed", edit(path, setup, r'\g<1>  secret: "00"\n'), ((path, ""),)),
        ("added one commit after the end", (revealed_later,)),
    )  # fmt: skip


def revealed_later(group: Group) -> None:
    """Make it look as if a process had been killed between judging the last turn and publishing the secrets."""
    group.git("reset", "--quiet", "--soft", "HEAD~1")
    paths = [f"over/done/{turn}/turn.yaml" for turn in (ONE, TWO)]
    bodies = [group.text(path) for path in paths]
    for path in paths:
        group.edit(path, "^  identity: .+\n", "")
        group.edit(path, r"^  secret: .+\n(?=  digest)", "")
    group.edit(paths[0], r"^(setup:\n  commitment: .+\n)  secret: .+\n  rolls:\n(  - .+\n)+", r"\g<1>")
    group.commit("Judged")
    for path, body in zip(paths, bodies, strict=True):
        group.put(path, body)


def turns() -> Iterator[Case]:
    row = "turn.yaml as a whole"
    for column, turn in TURNS.items():
        path = f"{turn}/turn.yaml"
        slug, _, name = turn.rpartition("/")
        yield from cases(
            row, column,
            ("removed", remove(path), ((path, ""),)),
            ("removed with its folder", remove(turn), ((f"{turn}/", ""),)),
            ("moved to undone/ by hand", move(turn, f"{slug}/undone/{name}.2"), ((f"{slug}/undone/{name}.2/", "ruling says so"),)),
            ("unreadable", put(path, "{"), ((path, ""),)),
            ("unreadable for a while", swap(path), ((path, ""),)),
        )  # fmt: skip
    war = TURNS[JUDGED]
    undone = "{reason: Lost., undo: true}"
    by_hand = (*said("over/done/" + TWO, undone), move("over/done/" + TWO, f"over/done/undone/{TWO}.2"))
    yield from cases(
        row, OPEN,
        ("judged", lambda group: group.judged("war", "2026-11-29T00:00Z")),
        ("put back, with the turn before it", lambda group: group.undo("war", "2026-11-26T00:00Z")),
    )  # fmt: skip
    yield from cases(
        row, JUDGED,
        ("put back", lambda group: group.undo("war", "2026-11-26T00:00Z")),
        ("put back twice", (
            lambda group: group.undo("war", "2026-11-26T00:00Z"),
            lambda group: group.judged("war", "2026-12-26T00:00Z"),
            lambda group: group.undo("war", "2026-12-27T00:00Z"))),
        ("open again", edit(f"{war}/turn.yaml", "status: resolved", "status: open"), ((f"{war}/turn.yaml", ""),)),
        ("open again with the keys that were published", as_it_was, ((f"{war}/turn.yaml", ""),)),
        ("put back by hand, with the keys that were published", (
            lambda group: group.undo("war", "2026-11-26T00:00Z"), old_keys), ((f"{war}/turn.yaml", ""),)),
    )  # fmt: skip
    yield from cases(
        row, OVER, ("put back by a ruling", by_hand, ((f"over/done/undone/{TWO}.2/", "after its game had ended"),))
    )


def as_it_was(group: Group) -> None:
    """The judged turn opens again with its old content, and the open one goes."""
    commit = group.git("log", "-1", "--format=%H", "--grep", "^Judged$", "--", f"games/{TURNS[JUDGED]}/turn.yaml")
    group.git("checkout", "--quiet", f"{commit}~1", "--", f"games/{TURNS[JUDGED]}/turn.yaml")


def old_keys(group: Group) -> None:
    """The turn that was put back opens with the published keys of the attempt before."""
    old, new = group.text(f"war/undone/{SPRING}.2/turn.yaml"), f"{TURNS[JUDGED]}/turn.yaml"
    for key in ("commitment", "recipient"):
        (value,) = re.findall(f"^  {key}: (.+)$", old, re.MULTILINE)
        group.edit(new, f"(?<=^  {key}: ).+", value)
    group.commit("Put back", "--amend")


def news() -> Iterator[Case]:
    row = "dispatches/*"
    for column, turn in HIDDEN.items():
        path = f"{turn}/dispatches/ash.age"
        gone = (
            ("removed", remove(path), (), (("over/done", "dispatches"),))
            if column == OVER
            else ("removed", remove(path), ((path, ""),))
        )
        yield from cases(
            row, column,
            ("changed", put(path), ((path, ""),)),
            ("exchanged and put back", swap(path), ((path, ""),)),
            gone,
            ("added", put(f"{turn}/dispatches/birch.2.age"), ((f"{turn}/dispatches/birch.2.age", ""),)),
        )  # fmt: skip
    yield from anew(row, (("changed", "dispatches/birch.age", "", "", "dispatch"),))
    turn = HIDDEN[OPEN]
    yield from cases(
        row, OPEN,
        ("by a ruling `replace`", rule("cards", replace={
            "seat": "Ash", "player": "Nina", "account": 999, "key": NOBODY})),
        ("by a ruling `correct`", rule("cards", correct={"points.Ash": 2})),
        ("with a ruling that tells nothing", (*said(turn, "{reason: So., proceed: true}"), put(f"{turn}/dispatches/ash.age")),
         ((f"{turn}/dispatches/ash.age", ""),)),
        ("changed when the turn is judged", (
            lambda group: (group.run("cards", "2026-12-01T00:00Z"), group.put(f"{turn}/dispatches/ash.age", "another"))),
         ((f"{turn}/dispatches/ash.age", ""),)),
    )  # fmt: skip


def hidden_parts() -> Iterator[Case]:
    row = "secret.age"
    for column, turn in HIDDEN.items():
        path = f"{turn}/secret.age"
        yield from cases(
            row, column,
            ("changed", put(path), ((path, ""),)),
            ("removed", remove(path), ((path, ""),)),
            ("exchanged and put back", swap(path), ((path, ""),)),
        )  # fmt: skip
    yield from anew(row, (("changed", "secret.age", "", "", "sealed"),), own=True)
    yield from cases(
        row, OPEN,
        ("with a ruling", rule("cards", correct={"points.Ash": 2})),
        ("with the verdict", lambda group: group.judged("cards", "2026-12-01T00:00Z")),
    )  # fmt: skip


def unopened_sheets() -> Iterator[Case]:
    row = "unopened.yaml: sealed sheets that do not open"

    def names(path: str, *files: str) -> Act:
        return lambda group: group.put(path, f"schema: 1\nfiles: [{', '.join(files)}]\n")

    for column, turn in TURNS.items():
        path = f"{turn}/unopened.yaml"
        if column == OPEN:
            yield from cases(
                row, column,
                ("named, and another", (names(path, "a.yaml.age"), commit, names(path, "a.yaml.age", "b.yaml.age"))),
                ("one taken back", (names(path, "a.yaml.age", "b.yaml.age"), commit, names(path, "b.yaml.age")),
                 ((path, "no longer listed"),)),
                ("removed", (names(path, "a.yaml.age"), commit, remove(path)), ((path, "no longer listed"),)),
            )  # fmt: skip
        else:
            yield from cases(row, column, ("named late", names(path, "a.yaml.age"), ((path, "after the turn"),)))


def put_back() -> Iterator[Case]:
    row = "undone/*"
    for column, turn, sheet in (
        (OPEN, f"cards/undone/{TWO}.1", "ash"), (JUDGED, f"war/undone/{SPRING}.1", "austria"),
        (OVER, f"over/done/undone/{ONE}.1", "ash"),
    ):  # fmt: skip
        path, game = f"{turn}/turn.yaml", turn.partition("/undone/")[0]
        played = f"{game}/{turn.rpartition('/')[2][:-2]}/turn.yaml"
        yield from cases(
            row, column,
            ("a sheet changed", put(f"{turn}/orders/{sheet}.yaml.age"), ((f"{turn}/orders/{sheet}.yaml.age", ""),)),
            ("a sheet removed", remove(f"{turn}/orders/{sheet}.yaml.age"), ((f"{turn}/orders/{sheet}.yaml.age", ""),)),
            ("a sheet added", put(f"{turn}/orders/france.yaml.age"), ((f"{turn}/orders/france.yaml.age", ""),)),
            ("its turn changed", edit(path, "(?<=^closed: ).+", "2026-11-01T00:00Z"), ((path, ""),)),
            ("a map changed and changed back", swap(f"{turn}/map.svg"), ((f"{turn}/map.svg", ""),)),
            ("removed", remove(turn), ((f"{turn}/", ""),)),
            ("renamed", move(turn, turn.replace(".1", ".7")), ((f"{turn}/", ""), (played, "attempt"))),
            ("played on from", move(turn, f"{game}/003-later"), ((f"{turn}/", ""), (f"{game}/003-later/turn.yaml", "key"))),
        )  # fmt: skip


def founding() -> Iterator[Case]:
    row = "game.yaml: ruleset, id, archive, sealed, seed, setup, draw, opened, settings, kind, letters, words, names, standing, which seats there are"
    path = "war/game.yaml"
    for name, old, new in (
        ("ruleset", "ruleset: diplomacy", "ruleset: al_andalus"),
        ("id", "(?<=^id: ).+", '"' + "0" * 16 + '"'),
        ("no id", "^id: .+\n", ""),
        ("archive", "^sealed: true\n", 'sealed: true\narchive: "' + "0" * 16 + '"\n'),
        ("sealed", "^sealed: true\n", ""),
        ("seed", "^sealed: true\n", "sealed: true\nseed: mine\n"),
        ("setup", "^sealed: true\n", 'sealed: true\nsetup: "' + "0" * 64 + '"\n'),
        ("opened", "(?<=^opened: ).+", "2026-11-19"),
        ("settings", "draws: vote", "draws: none"),
        ("no settings", "^settings:\n  draws: vote\n", ""),
        ("kind", "^title:", "kind: record\ntitle:"),
        ("words", "^title:", "words: true\ntitle:"),
        ("names", "^title:", "names: at_end\ntitle:"),
        ("standing", "^title:", "standing: false\ntitle:"),
        ("a seat removed", "^  Italy: .+\n", ""),
        ("a seat added", "^(  Italy: .+\n)", r"\g<1>  Spain: {player: Sancho}\n"),
        ("a seat renamed", "^  Italy:", "  Rome:"),
    ):
        yield from cases(row, OPEN, (name, edit(path, old, new), ((path, ""),)))
        yield from cases(row, OPEN, (f"{name}, and back", swapped_text(path, old, new), ((path, ""),)))
    path = "gather/game.yaml"
    yield from cases(
        row, OPEN,
        ("settings before the first turn", edit(path, "rounds: 3", "rounds: 4")),
        ("opened before the first turn", edit(path, "(?<=^opened: ).+", "2026-11-21")),
    )  # fmt: skip


def dealt_with_nonces() -> Iterator[Case]:
    """A host who knows the setup's secret and every nonce knows the deal, and could try secrets until they like it."""
    row, path = "game.yaml: setup, id, archive, sealed and seed of a game whose players give nonces", "gather/game.yaml"
    given = (edit(path, "Birch’s player", "Birch’s player, nonce: abcdefgh"), commit)
    yield from cases(
        row, OPEN,
        *(
            (name, (*given, edit(path, old, new)), ((path, f"`{name.split()[-1]}` was changed after"),))
            for name, old, new in (
                ("another setup", "(?<=^setup: ).+", f'"{"0" * 64}"'), ("another id", "4d4d", "5e5e"), ("no setup", "^setup: .+\n", ""),
                ("another archive", "^sealed: true\n", 'sealed: true\narchive: "0123456789abcdef"\n'),
            )
        ),
        ("another setup, and back", (*given, *swapped_text(path, "(?<=^setup: ).+", f'"{"0" * 64}"')), ((path, "`setup` was changed after"),)),
        ("another setup before there is a nonce", edit(path, "(?<=^setup: ).+", f'"{"0" * 64}"')),
        ("other settings", (*given, edit(path, "rounds: 3", "rounds: 4")), (), ((path, "`settings` was changed after"),)),
    )  # fmt: skip


def swapped_text(path: str, old: str, new: str) -> tuple[Act, ...]:
    """An edit that is taken back one commit later."""
    bodies: list[str] = []
    return (
        lambda group: bodies.append(group.text(path)),
        edit(path, old, new),
        commit,
        lambda group: group.put(path, bodies.pop()),
    )


def people_in_seats() -> Iterator[Case]:
    row = "game.yaml: a seat's account, key or nonce"
    path = "war/game.yaml"
    nina = {"seat": "Italy", "player": "Nina", "account": 999}
    yield from cases(
        row, OPEN,
        ("an account is given", edit(path, "Turkey’s player", "Turkey’s player, account: 777"), (), ((path, "Turkey"),)),
        ("a key is given", edit(path, "Austria’s player", f"Austria’s player, key: {NOBODY}"), (), ((path, "Austria"),)),
        ("a nonce is given", edit("gather/game.yaml", "Birch’s player", "Birch’s player, nonce: abcdefgh"),
         (), (("gather/game.yaml", "Birch"),)),
        ("another account", edit(path, "account: 105", "account: 666"), ((path, "Italy"),)),
        ("another account, of nobody’s sheet", edit(path, "account: 103", "account: 666"), ((path, "France"),)),
        ("no account", edit(path, ", account: 105", ""), ((path, "Italy"),)),
        ("all accounts", tuple(edit(path, f"account: {number}", f"account: {number + 500}") for number in range(101, 107)),
         ((path, "Austria"), (path, "Russia"))),
        ("another account, and back", swapped_text(path, "account: 105", "account: 666"), ((path, "Italy"),)),
        ("another key", edit("cards/game.yaml", "(?<=key: )[^}]+", NOBODY), (("cards/game.yaml", "Ash"),)),
        ("no key", edit("cards/game.yaml", ", key: [^}]+", ""), (("cards/game.yaml", "Ash"),)),
        ("another nonce", (
            edit("gather/game.yaml", "Birch’s player", "Birch’s player, nonce: abcdefgh"), commit,
            edit("gather/game.yaml", "nonce: abcdefgh", "nonce: hgfedcba")), (("gather/game.yaml", "Birch"),)),
        ("another person, by a ruling", rule("war", replace=nina)),
        ("another person, by a ruling and here", (
            rule("war", replace=nina), edit(path, "player: Italy’s player, account: 105", "player: Nina, account: 999")),
         ((path, "`account` of Italy"),)),
    )  # fmt: skip


def the_rest_of_a_game() -> Iterator[Case]:
    row = "game.yaml: everything else (title, about, host, reserve, schedule, players' names, as_played, rejudged)"
    path = "war/game.yaml"
    for name, old, new, word in (
        ("title", "title: A war", "title: Another war", "title"),
        ("about", "^title:", "about: By post.\ntitle:", "about"),
        ("host", "host: Hanna", "host: Hugo", "host"),
        ("host_account", "host_account: 100", "host_account: 666", "host_account"),
        ("schedule", 'turn: "2d"', 'turn: "3d"', "schedule"),
        ("grace", 'turn: "2d"', 'turn: "2d"\n  grace: "3d"', "schedule"),
        ("reserve", "^title:", "reserve:\n- {player: Nina, account: 999}\ntitle:", "reserve"),
        ("a player's name", "Italy’s player", "Ida", "Italy"),
        ("as_played", "^title:", f"as_played:\n  {SPRING}: It was played so.\ntitle:", "as_played"),
        ("rejudged", "^title:", f"rejudged:\n  {SPRING}: Convoys.\ntitle:", "rejudged"),
    ):
        yield from cases(row, OPEN, (name, edit(path, old, new), (), ((path, word),)))
        yield from cases(row, OPEN, (f"{name}, and back", swapped_text(path, old, new), (), ((path, word),)))


def keep(path: str, kept: list[str]) -> Act:
    return lambda group: kept.append(group.text(path))


def back(path: str, kept: list[str]) -> Act:
    return lambda group: group.put(path, kept.pop())


def unreadable() -> Iterator[Case]:
    row = "game.yaml, archive.yaml, ruling.yaml of an open turn: gone or unreadable for a while"
    for path, key, words in (
        ("war/game.yaml", "(?<=ruleset: ).+", "ruleset"), ("archive.yaml", "(?<=^archive: ).+", "id"),
        (f"{TURNS[OPEN]}/ruling.yaml", "All agree", "ruling"),
    ):  # fmt: skip
        kept: list[str] = []
        other = (keep(path, kept), put(path, "{"), commit, back(path, kept), edit(path, key, "0000000000000000"))
        yield from cases(
            row, OPEN,
            (f"{path}, unreadable", swap(path), (), ((path, "could not be read"),)),
            (f"{path}, changed meanwhile", other, ((path, words),)),
        )  # fmt: skip
    path, kept = "war/game.yaml", []
    gone = (keep(path, kept), remove(path), commit, back(path, kept))
    yield from cases(row, OPEN, ("game.yaml, gone", gone, (), ((path, "gone"),)))


def records() -> Iterator[Case]:
    def begun(group: Group) -> None:
        shutil.copytree(ROOT / "games/fall-1085", group.path("fall-1085"))
        group.commit()

    path = "fall-1085/001-fall-1085-movement/turn.yaml"
    mended = edit(path, "result: void", "result: fails")
    yield from cases(
        "turn.yaml of a record (kind: record from the beginning)", JUDGED,
        ("mended", (begun, mended), (), ((path, "verdicts"), ("fall-1085/game.yaml", "record"))),
    )  # fmt: skip


def charter() -> Iterator[Case]:
    path = "archive.yaml"
    yield from cases(
        "archive.yaml: the archive's id", OPEN,
        ("changed", edit(path, "(?<=^archive: ).+", '"0000000000000000"'), ((path, ""),)),
        ("changed and changed back", swapped_text(path, "(?<=^archive: ).+", '"0000000000000000"'), ((path, ""),)),
        ("removed", remove(path), ((path, ""),)),
        ("unreadable for a while", swap(path), (), ((path, "could not be read"),)),
    )  # fmt: skip
    yield from cases(
        "archive.yaml: repository, forge, branch, doors, since, maps, years, main", OPEN,
        ("repository", edit(path, "example/games", "example/other"), (), ((path, "repository"),)),
        ("no repository", edit(path, "^repository: .+\n", ""), (), ((path, "repository"),)),
        ("forge", add(path, "forge: https://mallory.example\n"), (), ((path, "forge"),)),
        ("branch", add(path, "branch: other\n"), (), ((path, "branch"),)),
        ("doors", add(path, "doors: [pull_requests]\n"), (), ((path, "doors"),)),
        ("branch, and back", swapped_text(path, "^repository", "branch: other\nrepository"), (), ((path, "branch"),)),
        ("since", lambda group: group.add(path, since(group.head)), (), ((path, "since"),)),
        ("maps", add(path, "maps: latest\n"), (), ((path, "maps"),)),
        ("years", add(path, "years:\n  2025: https://mallory.example/\n"), (), ((path, "years"),)),
        ("main", add(path, "main: https://mallory.example/\n"), (), ((path, "main"),)),
    )  # fmt: skip


def since(commit: str) -> str:
    return f"since:\n  commit: {commit}\n  reason: Before it games were tried out.\n"


def not_covered() -> Iterator[Case]:
    for path in (f"{TURNS[OPEN]}/map.svg", f"{TURNS[JUDGED]}/map.svg", "over/done/ending.yaml", "over/done/map.svg"):
        yield from cases("map.svg, ending.yaml", OPEN, (path, put(path)), (f"{path}, gone", remove(path)))


def nothing_reads() -> Iterator[Case]:
    row = "README.md, and files that nothing reads"
    for path in (f"war/{FALL}/orders/README.md", f"war/{FALL}/notes.txt", "war/plan.txt", "README.md"):
        changed = (put(path), commit, put(path, "other"), commit, remove(path))
        yield from cases(row, OPEN, (path, put(path)), (f"{path}, changed", changed))


def files_of_a_host() -> Iterator[Case]:
    row = "a host's own files beside game.yaml: boards, shapes, scenarios"
    for path in ("war/islands.yaml", "over/done/islands-outlines.yaml"):
        yield from cases(row, OPEN, (path, put(path)), (f"{path}, changed", (put(path), commit, put(path, "other"))))


def data_kept() -> Iterator[Case]:
    row = "kept/*: what a game keeps of its ruleset's own data, as it was when the game began"
    path = "war/kept/standard.yaml"
    yield from cases(row, OPEN, ("changed", put(path, "other")), ("removed", remove(path)))


def games() -> Iterator[Case]:
    row = "a game as a whole"
    for game in ("war", "over/done", "gather"):
        name = game.rpartition("/")[2]
        yield from cases(
            row, OPEN,
            (f"{name} removed", remove(game), ((f"{name}/", ""),)),
            (f"{name} under another name", move(game, "game"), ((f"{name}/", "removed"),)),
        )  # fmt: skip
    yield from cases(row, OPEN, ("from another archive", visit, (), (("visitor/game.yaml", "another archive"),)))


def visit(group: Group) -> None:
    """Bring a game from another archive."""
    other = Archive(group.root.parent / "other", MASTER)
    shutil.rmtree(other.root, ignore_errors=True)
    other.games.mkdir(parents=True)
    new_charter(other)
    seats = people(SEATS, 501, keys=False)
    new_game(
        other, "visitor", {"ruleset": "diplomacy", "title": "V", "opened": "2026-11-20", "seats": seats, "seed": "s"}
    )
    moving.move(other, "visitor", group.archive)


def renamed(old: str, new: str) -> Act:
    return lambda group: moving.rename(group.archive, old, new)


def names() -> Iterator[Case]:
    row, told = "a game's folder: its name", (("summer", "renamed"),)
    rename = renamed("war", "summer")
    sheet = f"summer/{SPRING}/orders/italy.yaml.age"
    yield from cases(
        row, OPEN,
        ("renamed", rename, (), told),
        ("renamed twice", (rename, commit, renamed("summer", "winter")), (), (("winter", "renamed"),)),
        ("renamed and back", (rename, commit, renamed("summer", "war")), (), (("war", "renamed"),)),
        ("renamed when it is over", renamed("done", "finished"), (), (("over/finished", "renamed"),)),
        ("a hidden game renamed", renamed("cards", "hands"), (), (("hands", "renamed"),)),
        ("played on under the other name", (
            rename, commit, lambda group: group.sends("summer", "France"), lambda group: group.judged("summer", "2026-12-01T00:00Z")
        ), (), told),
        ("put back under the other name", (
            rename, commit, lambda group: group.judged("summer", "2026-12-01T00:00Z"), lambda group: group.undo("summer", "2026-12-02T00:00Z")
        ), (), told),
        ("another game under the name it had not", (rename, commit, renamed("gather", "later")), (), told),
        ("a sheet changed with it", (rename, put(sheet)), ((sheet, "changed"), ("summer", "in the same commit")), told),
        ("a sheet changed later", (rename, commit, put(sheet)), ((sheet, "changed"),), told),
        ("a sheet added with it", (rename, put(f"summer/{FALL}/orders/france.yaml")), (("summer", "in the same commit"),), told),
        ("a turn dropped with it", (rename, remove(f"summer/{SPRING}")), (("summer/", "removed"), ("summer", "same commit")), told),
        ("the title changed with it", (rename, edit("summer/game.yaml", "A war", "The war")), (("summer", "same commit"),), told),
        ("a map with it", (rename, put(f"summer/{SPRING}/map.svg")), (("summer", "same commit"),), told),
        ("without its first name", move("war", "summer"), (("war/", "removed"),)),
        ("without its first name for a while", (
            move("war", "summer"), commit, add("summer/game.yaml", "named: war\n")), (("summer/", "removed"),)),
        ("its first name forgotten later", (
            rename, commit, edit("summer/game.yaml", "^named: war\n", "")), (("war/", "removed"),)),
        ("under another game's first name", (
            move("war", "summer"), add("summer/game.yaml", "named: cards\n")), (("war/", "removed"), ("cards/", "two games"))),
        ("a copy under another name", (
            lambda group: shutil.copytree(group.path("war"), group.path("summer")), add("summer/game.yaml", "named: war\n")
        ), (("war/", "two games"),)),
    )  # fmt: skip


def places() -> Iterator[Case]:
    row = "a game's folder: whether it is in games/over/"
    yield from cases(
        row, OPEN,
        ("put away by the run that ends it", (
            rule("war", end={"how": "called off"}), commit, lambda group: group.run("war"))),
        ("put away later", (move("over/done", "done"), commit, move("done", "over/done")), (), (("over/done", "moved back"),)),
        ("back among those that run", move("over/done", "done"), (), (("done", "moved back"),)),
        ("a game that runs", move("war", "over/war"), (("over/war", "is not over"),)),
        ("a game that runs, and back", (move("war", "over/war"), commit, move("over/war", "war")), (("war", "is not over"),)),
        ("a sheet changed with it", (
            move("over/done", "done"), commit, move("done", "over/done"), put(f"over/done/{TWO}/orders/cedar.yaml.age")
        ), ((f"over/done/{TWO}/orders/cedar.yaml.age", ""),)),
    )  # fmt: skip


def people_who_join() -> Iterator[Case]:
    row = "join/SEAT.yaml: who took an open seat"
    for column, turn in TURNS.items():
        path = f"{turn.rpartition('/')[0]}/join/italy.yaml"
        yield from cases(
            row, column,
            ("changed", (put(path), commit, put(path, "yet another")), ((path, "who joined was changed"),)),
            ("removed", (put(path), commit, remove(path)), ((path, "who joined is gone"),)),
        )  # fmt: skip
    path = f"{TURNS[OPEN].rpartition('/')[0]}/join/italy.yaml"
    yield from cases(row, OPEN, ("added by hand", put(path), (), ((path, "not entered by intake"),)))
    row = "join/SEAT.ACCOUNT.yaml: who asked for one"
    path = path.replace(".yaml", ".1001.yaml")
    yield from cases(row, OPEN, ("added", put(path)), ("removed", (put(path), commit, remove(path))))


def absences() -> Iterator[Case]:
    row = "absence/*: when players are away"
    for column, turn in TURNS.items():
        path = f"{turn.rpartition('/')[0]}/absence/italy.2026-12-20.yaml"
        yield from cases(
            row, column,
            ("changed", (put(path), commit, put(path, "yet another")), ((path, "this absence was changed"),)),
            ("removed", (put(path), commit, remove(path)), ((path, "this absence is gone"),)),
        )  # fmt: skip
    path = f"{TURNS[OPEN].rpartition('/')[0]}/absence/italy.2026-12-20.yaml"
    yield from cases(row, OPEN, ("added by hand", put(path), (), ((path, "not entered by intake"),)))


def wishing(group: Group) -> None:
    """A game of two whose seats will be drawn: one wish came by intake."""
    draw = draw_commitment(group.archive, "lots", "5e" * 8)
    group.new(
        "lots", ruleset="diplomacy", title="Lots", id="5e" * 8, opened="2026-11-20", sealed=True, join="preference",
        draw=draw, seats={seat: {"player": "open"} for seat in ("Assyria", "Babylon")}, settings={"board": "two_rivers"},
    )  # fmt: skip
    group.commit("A game")
    wish(501)(group)


def wish(account: int) -> Act:
    """Send a wish, which intake takes in."""

    def does(group: Group) -> None:
        said = {"schema": 1, "seats": ["Assyria"], "player": f"p{account}", "account": account, "asked": NOON}
        group.put(f"lots/join/wish.{account}.yaml", write(said))
        group.received(f"games/lots/join/wish.{account}.yaml")

    return does


def lots(group: Group) -> None:
    """Draw the seats, and open the game."""
    assert group.run("lots") == ["drew ", "opened 001"]


def drawn_late(group: Group) -> None:
    """Write a draw by hand into a game that began without one."""
    group.edit("lots/game.yaml", "join: preference\n", "")
    group.commit()
    assert group.run("lots") == ["opened 001"]
    group.commit()
    group.put("lots/join/draw.yaml", "schema: 1\n")


def seats_that_are_drawn() -> Iterator[Case]:
    row = "join/wish.ACCOUNT.yaml: who wants to play, and which seats they would like"
    path, draw, game = "lots/join/wish.501.yaml", "lots/join/draw.yaml", "lots/game.yaml"
    by_hand = "lots/join/wish.502.yaml"
    begun = (wishing, wish(502), lots, commit)
    other = edit(path, "Assyria", "Babylon")
    yield from cases(
        row, OPEN,
        ("sent", (wishing, wish(502))),
        ("added by hand", (wishing, put(by_hand)), (), ((by_hand, "this wish was not entered by intake"),)),
        ("changed before the draw", (wishing, other), ((path, "this wish was changed"),)),
        ("removed before the draw", (wishing, remove(path)), ((path, "this wish is gone"),)),
        ("changed, and back", (wishing, swap(path)), ((path, "this wish was changed"),)),
        ("changed after the draw", (*begun, other), ((path, "this wish was changed"),)),
        ("removed after the draw", (*begun, remove(path)), ((path, "this wish is gone"),)),
        ("added after the draw", (*begun, put("lots/join/wish.503.yaml")),
         (("lots/join/wish.503.yaml", "added after the seats had been drawn"),)),
    )  # fmt: skip
    yield from cases(
        "join/draw.yaml: who got which seat, and its proof", OPEN,
        ("drawn", (wishing, wish(502), lots)),
        ("changed", (*begun, edit(draw, "Assyria", "Babylon")), ((draw, "the draw of the seats was changed"),)),
        ("removed", (*begun, remove(draw)), ((draw, "the draw of the seats is gone"),)),
        ("exchanged and put back", (*begun, swap(draw)), ((draw, "the draw of the seats was changed"),)),
        ("drawn when the game had begun", (wishing, wish(502), drawn_late),
         ((draw, "the seats were drawn after the game had begun"),)),
    )  # fmt: skip
    yield from cases(
        "game.yaml: draw, id, sealed and seed of a game whose seats are drawn", OPEN,
        ("another commitment", (wishing, edit(game, "(?<=draw: ).+", f'"{"0" * 64}"')), ((game, "`draw` was changed"),)),
        ("another id", (wishing, edit(game, "5e5e", "6f6f")), ((game, "`id` was changed"),)),
        ("not sealed", (wishing, edit(game, "sealed: true", "seed: s")), ((game, "`sealed` was changed"), (game, "`seed`"))),
        ("another id, and back", (wishing, *swapped_text(game, "5e5e", "6f6f")), ((game, "`id` was changed"),)),
        ("another commitment, when the game has begun", (*begun, edit(game, "(?<=draw: ).+", f'"{"0" * 64}"')),
         ((game, "`draw` was changed after the game had begun"),)),
        ("another title", (wishing, edit(game, "title: Lots", "title: Lot")), (), ((game, "`title` was changed"),)),
    )  # fmt: skip


def letters() -> Iterator[Case]:
    row = "letters/*: what players write for after the game"
    path, over = "war/letters/austria.yaml.age", "over/done/letters/birch.yaml.age"
    by_hand = "war/letters/italy.yaml.age"
    yield from cases(
        row, OPEN,
        ("sent", lambda group: group.writes("war", "Italy")),
        ("added by hand", put(by_hand), (), ((by_hand, "this letter was not taken in by intake"),)),
        ("changed", put(path), ((path, "this letter was changed"),)),
        ("removed", remove(path), ((path, "this letter is gone|removed"),)),
        ("removed and put back", gone(path), ((path, "this letter was removed"),)),
        ("exchanged and put back", swap(path), ((path, "this letter was changed"),)),
        ("with a receipt of somebody else", forged_letters, (),
         ((by_hand, "account 666, who did not hold the seat then"), ("war/letters/turkey.yaml.age", "which also brought"))),
    )  # fmt: skip
    late = "over/done/letters/ash.yaml.age"
    yield from cases(
        row, OVER,
        ("changed", put(over), ((over, "this letter was changed"),)),
        ("removed", remove(over), ((over, "this letter is gone|removed"),)),
        ("added", put(late), ((late, "added after its game had ended"),)),
    )  # fmt: skip
    row = "letters.yaml: the key that opens the letters"
    early, key = "war/letters.yaml", "over/done/letters.yaml"
    yield from cases(
        row, OPEN,
        ("published early", put(early), ((early, "published before the game was over"),)),
        ("published, and taken away again", (put(early), commit, remove(early)), ((early, "before the game was over|gone"),)),
    )  # fmt: skip
    yield from cases(
        row, OVER,
        ("as the run wrote it", commit),
        ("changed", add(key, "# so\n"), ((key, "the key of the game's letters was changed"),)),
        ("removed", remove(key), ((key, "the key of the game's letters is gone|removed"),)),
        ("removed and put back", gone(key), ((key, "the key of the game's letters was removed|later than the game's end"),)),
    )  # fmt: skip


CASES = [
    *letters(),
    *sheets(), *ruling_files(), *keys(), *deadlines(), *positions(), *players(), *waiting(), *results(), *closings(), *judges(), *secrets(), *turns(), *news(),
    *hidden_parts(), *unopened_sheets(), *put_back(), *people_who_join(), *absences(), *seats_that_are_drawn(), *dealt_with_nonces(), *founding(), *people_in_seats(), *the_rest_of_a_game(), *unreadable(), *records(), *charter(), *not_covered(), *files_of_a_host(), *data_kept(), *nothing_reads(),
    *games(), *names(), *places(),
]  # fmt: skip


def agree(found: list[tuple[str, str]], expected: Said, *, whole: bool) -> bool:
    """True if every expected message was found; with `whole`, messages about other files are not allowed."""
    for path, words in expected:
        if not any(within(at, path) and re.search(words, what) for at, what in found):
            return False
    return not whole or all(any(within(at, path) for path, _ in expected) for at, _ in found)


def within(at: str, path: str) -> bool:
    return f"{at}/".startswith(path) if path.endswith("/") else at == path


CASES_HERE = [pytest.param(case, marks=[pytest.mark.long] if at % 4 else []) for at, case in enumerate(CASES)]
"""One case in four is tried by default; `nox -s long` tries the others."""


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES_HERE, ids=[case.id for case in CASES])
def test_every_change_is_reported_as_the_table_says(lent: Group, case: Case) -> None:
    for act in case.does:
        act(lent)
    lent.commit(case.name)
    report = lent.history()
    faults, notes = told(report.problems), told(report.notes)
    assert agree(faults, case.faults, whole=True), faults
    assert agree(notes, case.notes, whole=False), notes


def table() -> dict[str, list[str]]:
    """Rows of the table in SECURITY.md: first cell -> other cells."""
    _, _, rest = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("\n## What may change when\n")
    lines = [line for line in rest.partition("\n\nIt also tells")[0].splitlines() if line.startswith("| ")]
    rows = [[part.strip() for part in line.strip("|").replace("`", "").split("|")] for line in lines[2:]]
    return {row[0]: row[1:] for row in rows}


FORBIDS, ALLOWS = ("never", "only"), ("only", "noted", "unless", "written", "not covered")


def test_every_cell_of_the_table_is_tried_both_ways() -> None:
    rows = table()
    assert {case.row for case in CASES} == set(rows)
    missing = []
    for row, cells in rows.items():
        before = ""
        for column, text in enumerate(cells, 1):
            words = before if text == "the same" else text
            tried = [case for case in CASES if (case.row, case.column) == (row, column)]
            if any(word in words for word in FORBIDS) and not any(case.faults for case in tried):
                missing.append(f"{row}: {words}: nothing that is forbidden")
            if any(word in words for word in ALLOWS) and all(case.faults for case in tried):
                missing.append(f"{row}: {words}: nothing that is allowed")
            assert bool(tried) == bool(text), (row, column)
            before = words
    assert missing == []


# Tamperings of a judged, sealed game ------------------------------------------------------------------------------


def plainly(group: Group) -> None:
    """An ordinary commit."""
    group.commit("Forged")


def under_a_merge(group: Group) -> None:
    """Like `git merge -s ours main` on a branch that left at the first commit and was completed by hand: a push without force."""
    first = group.git("rev-list", "--max-parents=0", "HEAD")
    side = forged(group, first)
    group.git("reset", "--quiet", "--soft", forged(group, side, group.head))


def inside_a_merge(group: Group) -> None:
    """A merge of an honest branch whose commit changes more than either side."""
    side = group.git("commit-tree", "HEAD^{tree}", "-p", "HEAD~3", "-m", "Honest")
    group.git("reset", "--quiet", "--soft", forged(group, group.head, side))


def forged(group: Group, *parents: str) -> str:
    """Commit the current files through a forged tree."""
    group.git("add", "--all", "--force", "--", str(group.root / "games"))
    words = [word for parent in parents for word in ("-p", parent)]
    return group.git("commit-tree", group.git("write-tree"), *words, "-m", "Forged")


WAR, SPRING_TURN, FALL_TURN = "war/game.yaml", f"war/{SPRING}/turn.yaml", f"war/{FALL}/turn.yaml"
AS_PLAYED = add(WAR, f"as_played:\n  {SPRING}: It was played so.\n")
MENDED = add(WAR, f"rejudged:\n  {SPRING}: Convoys were mended.\n")
TAMPERINGS: list[tuple[str, tuple[Act, ...], Said]] = [
    ("deadline of a judged turn", (edit(SPRING_TURN, "(?<=^deadline: ).+", "2026-11-26T18:00Z"),),
     ((SPRING_TURN, "deadline"),)),
    ("deadline of the open turn", (edit(FALL_TURN, "(?<=^deadline: ).+", "2026-11-26T18:00Z"),), ((FALL_TURN, "deadline"),)),
    ("closed", (edit(SPRING_TURN, "(?<=^closed: ).+", "2026-11-26T18:00Z"),), ((SPRING_TURN, "closed"),)),
    ("closed, before the deadline", (edit(SPRING_TURN, "(?<=^closed: ).+", "2026-11-20T18:00Z"),), ((SPRING_TURN, "closed"),)),
    ("closed, removed", (edit(SPRING_TURN, "^closed: .+\n", ""),), ((SPRING_TURN, "closed"),)),
    ("the reason of a ruling, in both files",
     (edit(f"war/{SPRING}/ruling.yaml", "All", "None"), edit(SPRING_TURN, "All", "None")), ((SPRING_TURN, "ruling"),)),
    ("an extend, invented in both files", said(f"war/{SPRING}", '{reason: So., extend: "2026-11-25T18:00Z"}'),
     ((SPRING_TURN, "rulings"),)),
    ("an extend, removed in both files",
     (remove(f"war/{SPRING}/ruling.yaml"), edit(SPRING_TURN, "^rulings:\n- .+\n", "")), ((SPRING_TURN, "ruling"),)),
    ("a correct backdated, with the later turns judged anew",
     (*said(f"war/{SPRING}", "{reason: So., correct: {units.Austria: [A Vienna]}}"),
      edit(SPRING_TURN, "A Budapest, A Vienna, F Trieste", "A Vienna"),
      edit(FALL_TURN, "A Budapest, A Vienna, F Trieste", "A Vienna")),
     ((SPRING_TURN, "rulings"), (FALL_TURN, "position"))),
    ("a comment in ruling.yaml", (add(f"war/{SPRING}/ruling.yaml", "# So.\n"),), ((f"war/{SPRING}/ruling.yaml", "rulings"),)),
    ("dice.commitment of the open turn", (edit(FALL_TURN, "(?<=  commitment: ).+", '"' + "0" * 64 + '"'),),
     ((FALL_TURN, "dice"),)),
    ("seal.recipient of the open turn", (edit(FALL_TURN, "(?<=  recipient: ).+", NOBODY),), ((FALL_TURN, "sealed to"),)),
    ("as_played, with another verdict", (AS_PLAYED, edit(SPRING_TURN, "result: stands", "result: fails")),
     ((SPRING_TURN, "verdicts"),)),
    ("as_played, with another next position", (AS_PLAYED, edit(FALL_TURN, "A Liverpool, F Edinburgh", "A Edinburgh, F Liverpool")),
     ((FALL_TURN, "position"),)),
    ("kind: record, with other orders", (
        edit(WAR, "^title:", "kind: record\ntitle:"), edit(SPRING_TURN, "result: stands", "result: fails")), ((WAR, "kind"),)),
    ("a dispatch forged", (put(f"cards/{ONE}/dispatches/ash.age"),), ((f"cards/{ONE}/dispatches/ash.age", "dispatch"),)),
    ("dispatches removed", (remove(f"cards/{ONE}/dispatches"),), ((f"cards/{ONE}/dispatches/ash.age", "dispatch"),)),
    ("the account of a seat that sent nothing", (edit(WAR, "account: 103", "account: 666"),), ((WAR, "France"),)),
    ("all accounts", tuple(edit(WAR, f"account: {at}", f"account: {at + 500}") for at in range(101, 107)),
     tuple((WAR, seat) for seat in SEATS[:-1])),
    ("opened", (edit(WAR, "(?<=^opened: ).+", "2026-11-19"),), ((WAR, "opened"),)),
    ("a seat's key", (edit("cards/game.yaml", "(?<=key: )[^}]+", NOBODY),), (("cards/game.yaml", "Ash"),)),
    ("a sheet", (put(f"war/{SPRING}/orders/italy.yaml.age"),), ((f"war/{SPRING}/orders/italy.yaml.age", "sheet"),)),
    ("a superseded sheet", (remove(f"war/{SPRING}/orders/italy.yaml.age"),), ((f"war/{SPRING}/orders/italy.yaml.age", "sheet"),)),
    ("the last turns removed", (remove(f"war/{FALL}"),), ((FALL_TURN, "removed"),)),
    ("everything", (put(f"war/{SPRING}/orders/italy.yaml.age"), edit(SPRING_TURN, "result: stands", "result: fails"),
     edit(SPRING_TURN, "(?<=identity: AGE-SECRET-KEY-1)...", "AAA"), edit(FALL_TURN, "A Liverpool, ", "")),
     ((f"war/{SPRING}/orders/italy.yaml.age", "sheet"), (SPRING_TURN, "verdicts"), (SPRING_TURN, "seal"), (FALL_TURN, "position"))),
]  # fmt: skip
"""Ways to tamper with a judged, sealed game, and the expected faults."""
NOTED: list[tuple[str, tuple[Act, ...], Said]] = [
    ("as_played and rejudged, with another verdict", (AS_PLAYED, MENDED, edit(SPRING_TURN, "result: stands", "result: fails")),
     ((WAR, "nothing proves its results"),)),
    ("as_played", (AS_PLAYED,), ((WAR, "is kept as it was played: It was played so.*commit"),)),
    ("rejudged", (MENDED,), ((WAR, "judged again.*Convoys.*commit"),)),
    ("a sheet added by hand above a player's", (put(f"war/{FALL}/orders/austria.2.yaml.age"),), (
        ("war", "1 of 5 sheets were not taken in by intake: 002-fall-1901-movement/orders/austria.2.yaml.age"),)),
    ("archive.yaml: repository", (edit("archive.yaml", "example/games", "mallory/games"),), (("archive.yaml", "repository"),)),
    ("archive.yaml: branch", (add("archive.yaml", "branch: other\n"),), (("archive.yaml", "branch"),)),
    ("title", (edit(WAR, "A war", "A peace"),), ((WAR, "title"),)),
    ("a player's name", (edit(WAR, "Italy’s player", "Ida"),), ((WAR, "player"),)),
    ("host_account", (edit(WAR, "host_account: 100", "host_account: 666"),), ((WAR, "host_account"),)),
    ("schedule, grace", (edit(WAR, '"2d"', '"2d"\n  grace: "9d"'),), ((WAR, "schedule"),)),
]  # fmt: skip
"""Changes that are allowed, and the notes on them."""


@pytest.mark.slow
@pytest.mark.parametrize("way", first_of([inside_a_merge, plainly, under_a_merge], 1))
@pytest.mark.parametrize(("what", "does", "expected"), TAMPERINGS, ids=[what for what, *_ in TAMPERINGS])
def test_tampering_is_noticed_however_it_is_committed(
    lent: Group, way: Act, what: str, does: tuple[Act, ...], expected: Said
) -> None:
    """FS-6, FS-7, FS-8, FS-13: changes by a host with the right to push, in a commit, by `merge -s ours`, inside a merge."""
    for act in does:
        act(lent)
    way(lent)
    faults = lent.faults()
    assert agree(faults, expected, whole=False), faults


@pytest.mark.slow
@pytest.mark.parametrize("way", first_of([inside_a_merge, plainly, under_a_merge], 1))
@pytest.mark.parametrize(("what", "does", "expected"), NOTED, ids=[what for what, *_ in NOTED])
def test_allowed_changes_are_noted(lent: Group, way: Act, what: str, does: tuple[Act, ...], expected: Said) -> None:
    """FS-8, FS-14, and the cells that the table calls noted."""
    for act in does:
        act(lent)
    way(lent)
    assert lent.faults() == []
    assert agree(lent.notes(), expected, whole=False), lent.notes()


def test_check_names_files_that_nothing_reads(group: Group) -> None:
    """Files beside the sheets prove nothing and change nothing; `courtly check` names them."""
    stray = {f"war/{FALL}/orders/plan.txt", f"war/{FALL}/notes.txt", "war/plan.txt"}
    for name in (*stray, f"war/{FALL}/orders/README.md"):
        group.put(name, "Read me.")
    named = {fault.path.removeprefix("games/") for fault in check_archive(Archive(group.root))}
    assert named & {*stray, f"war/{FALL}/orders/README.md"} == stray


# Honest histories -------------------------------------------------------------------------------------------------


def branch(group: Group, at: str, *names: str) -> str:
    """Make a branch from a commit with today's version of these files; return its commit."""
    group.git("checkout", "--quiet", "--detach", at)
    for name in names:
        group.put(name, "somebody’s")
    group.commit("On a branch of mine")
    there = group.head
    group.git("checkout", "--quiet", "main")
    return there


def sound(group: Group) -> Report:
    """Assert that the archive's history has no faults; return the report on it."""
    report = group.history()
    assert told(report.problems) == []
    checks = [verify_game(Archive(group.root), game) for game in ("war", "cards", "done")]
    assert [str(fault) for checked in checks for fault in checked.problems] == []
    return report


@pytest.mark.slow
def test_the_archive_that_the_tests_begin_with_is_sound(group: Group) -> None:
    report = sound(group)
    assert (report.seen, report.unseen, told(report.notes)) == (7, 0, [])


@pytest.mark.slow
def test_intakes_merges_raise_no_alarm(group: Group) -> None:
    """Both kinds: a player's commit as second parent, from a branch that lagged behind, and a commit of one parent."""
    group.sends("war", "Italy")
    main, path = group.head, f"war/{FALL}/orders/russia.yaml.age"
    side = branch(group, "HEAD~4", path)
    group.put(path, "somebody’s")
    group.received(f"games/{path}")
    tree = group.git("rev-parse", "HEAD^{tree}")
    says = group.git("log", "-1", "--format=%B")
    merge = group.git("commit-tree", tree, "-p", main, "-p", side, "-m", says)
    group.git("reset", "--quiet", "--hard", merge)
    report = group.history()
    assert (told(report.problems), told(report.notes)) == ([], [])


@pytest.mark.slow
def test_a_revised_sheet_raises_no_alarm(group: Group) -> None:
    for _ in range(3):
        group.sends("war", "Italy")
    group.judged("war", "2026-11-29T00:00Z")
    assert told(sound(group).notes) == []


@pytest.mark.slow
def test_a_replaced_player_raises_no_alarm(group: Group) -> None:
    group.ruled("war", replace={"seat": "Italy", "player": "Nina", "account": 999})
    group.sends("war", "Italy")
    group.judged("war", "2026-11-29T00:00Z")
    assert told(sound(group).notes) == []


@pytest.mark.slow
def test_turns_that_were_put_back_raise_no_alarm(group: Group) -> None:
    """FS-5: each attempt has separate keys, and nothing that was sent for an earlier one disappears."""
    for day in (27, 29):
        group.undo("war", f"2026-11-{day}T00:00Z")
        group.sends("war", "Italy")
        group.judged("war", f"2026-12-{day}T00:00Z")
    group.undo("cards", "2026-12-30T00:00Z")
    group.judged("cards", "2026-12-31T00:00Z")
    assert told(sound(group).notes) == []


@pytest.mark.slow
def test_an_archive_in_a_folder_of_a_repository_raises_no_alarm(start: Group, tmp_path: Path) -> None:
    root = tmp_path / "whole" / "spiele für uns" / "archiv"
    group = played(root, tmp_path / "whole")
    assert [what for path, what in told(sound(group).notes) if "taken in" not in what] == []
    assert sound(group).seen == 7
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "another")
    group.commit()
    assert [path for path, _ in group.faults()] == [f"war/{SPRING}/orders/italy.yaml.age"]


@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 1, 5, 20, 30])
def test_a_squashed_history_raises_no_alarm(group: Group, kept: int) -> None:
    """All commits after the first `kept` become one; the report counts the turns that nobody saw open."""
    commits = group.git("rev-list", "--reverse", "--first-parent", "HEAD").split()
    before = commits[:kept][-1:]
    parents = [word for parent in before for word in ("-p", parent)]
    group.git("reset", "--quiet", "--soft", group.git("commit-tree", "HEAD^{tree}", *parents, "-m", "All of it"))
    report = sound(group)
    assert report.seen + report.unseen == 7
    proof = "judged turns were never seen open: nothing proves that their secrets were fixed in time"
    assert (("games", f"{report.unseen} {proof}") in told(report.notes)) == bool(report.unseen)
    assert (report.unseen == 7) == (kept == 0)


@pytest.mark.slow
def test_a_project_that_judged_turns_again_raises_no_alarm(group: Group) -> None:
    """FS-8: the mended rules give other verdicts, and so another next position; game.yaml gives the reason, and a note repeats it."""
    group.edit(SPRING_TURN, "result: stands, reason: unattacked", "result: fails, reason: unattacked")
    group.edit(FALL_TURN, "A Liverpool, F Edinburgh", "A Edinburgh, F Liverpool")
    group.add(WAR, f"rejudged:\n  {SPRING}: Convoys were mended.\n")
    group.commit("Judged anew")
    assert group.faults() == []
    assert (
        WAR,
        f"{SPRING} was judged again, with all turns after it: Convoys were mended. (commit {group.head[:12]})",
    ) in group.notes()
    group.edit(WAR, "rejudged:\n.+\n", "")
    group.commit("Who would say so?")
    assert {path for path, _ in group.faults()} == {SPRING_TURN, FALL_TURN}


@pytest.mark.slow
def test_a_game_whose_players_gave_nonces_raises_no_alarm(group: Group) -> None:
    for seat in hazard.SEATS:
        group.edit("gather/game.yaml", f"{seat}’s player", f"{seat}’s player, nonce: share{seat}")
        group.commit(f"The share of {seat}")
    assert group.run("gather") == ["opened 001"]
    group.commit("Opened")
    group.sends("gather", "Ash")
    group.judged("gather", "2026-12-01T00:00Z")
    assert group.faults() == []
    assert [what.partition(" (")[0] for _, what in group.notes()] == [
        f"`nonce` of {seat} was added" for seat in hazard.SEATS
    ]


@pytest.mark.slow
def test_an_open_game_with_every_kind_of_event_raises_no_alarm(group: Group) -> None:
    """Standing sheets, civil disorder, a pause, a resumption, a correction, a turn put back, an end by the host; without sealing."""
    group.new(
        "open", ruleset="diplomacy", title="Open", opened="2026-11-20", seed="s", host="Hanna", host_account=HOST,
        schedule={"turn": "2d", "missing": "civil_disorder"}, seats=people(SEATS, 501, keys=False),
    )  # fmt: skip
    group.commit("Another game")

    def sends(seat: str, **said: Any) -> None:
        name = f"open/{group.archive.turns('open')[-1]}/orders/{seat.lower()}.yaml"
        group.put(name, write({"orders": [], **said}))
        group.received(f"games/{name}")

    sends("Italy", standing=True)
    sends("France")
    group.judged("open", "2026-11-22T00:00Z")
    sends("Germany")
    group.ruled("open", pause=True)
    group.ruled("open", replace={"seat": "Italy", "player": "Nina", "account": 999})
    group.ruled("open", correct={"units.France": ["A Paris", "F Brest"]})
    group.ruled("open", resume="2026-11-26T00:00Z")
    group.judged("open", "2026-11-26T00:00Z")
    group.undo("open", "2026-11-27T00:00Z")
    sends("Russia", standing=True)
    group.judged("open", "2026-12-01T00:00Z")
    group.ruled("open", pause=True)
    group.ruled("open", replace={"seat": "Russia", "player": "Rita", "account": 998})
    group.rules("open", end={"how": "called off"})
    group.run("open", "2026-12-02T00:00Z")
    group.commit("The end")
    assert group.archive.has_ended("open")
    assert verify_game(Archive(group.root), "open").problems == ()
    report = group.history()
    assert (report.seen, report.unseen, told(report.problems), told(report.notes)) == (11, 0, [], [])


# Histories of every shape -----------------------------------------------------------------------------------------


def merged(group: Group, *sides: str) -> None:
    """A merge commit of the current files."""
    group.git("reset", "--quiet", "--soft", forged(group, group.head, *sides))


@pytest.mark.slow
def test_merges_of_every_shape_raise_no_alarm(group: Group) -> None:
    """Octopus and criss-cross merges, branches that lagged behind, reverted commits, a main that is the second parent."""
    sheets = [f"war/{FALL}/orders/{seat}.yaml.age" for seat in ("russia", "turkey", "france")]
    sides = [branch(group, f"HEAD~{number}", sheet) for number, sheet in zip((1, 3, 5), sheets, strict=True)]
    for sheet in sheets:
        group.put(sheet, "somebody’s")
    merged(group, *sides)
    first, second = branch(group, "HEAD", "war/plan.txt"), branch(group, "HEAD", "war/other.txt")
    for name in ("war/plan.txt", "war/other.txt"):
        group.put(name, "somebody’s")
    here, there = forged(group, first, second), forged(group, second, first)
    group.git("reset", "--quiet", "--soft", forged(group, here, there))
    group.remove("war/plan.txt")
    group.commit("Reverted")
    group.put("war/plan.txt", "somebody’s")
    group.commit("Reverted again")
    lagging = branch(group, "HEAD~20")
    group.judged("war", "2026-11-29T00:00Z")
    group.undo("war", "2026-11-30T00:00Z")
    group.git("reset", "--quiet", "--soft", forged(group, lagging, group.head))
    for old in group.git("rev-list", "HEAD").split()[::6]:
        merged(group, old)
    assert group.faults() == []


@pytest.mark.slow
def test_a_sheet_that_a_late_merge_brings_is_noticed(group: Group) -> None:
    """It was sent in time on somebody's branch, and came after its turn had been judged."""
    path = f"war/{FALL}/orders/russia.yaml.age"
    side = branch(group, "HEAD", path)
    group.judged("war", "2026-11-29T00:00Z")
    group.put(path, "somebody’s")
    merged(group, side)
    assert [fault[0] for fault in group.faults()] == [path]


@pytest.mark.slow
def test_a_history_with_two_roots_raises_no_alarm(group: Group) -> None:
    """A merge of another repository, and a detached head."""
    other = group.git("commit-tree", group.git("mktree", stdin=b""), "-m", "Unrelated")
    merged(group, other)
    group.git("checkout", "--quiet", "--detach")
    assert told(group.history().problems) == []


@pytest.mark.slow
def test_changed_modes_raise_no_alarm_but_links_do(group: Group) -> None:
    paths = (f"war/{SPRING}/orders/italy.yaml.age", SPRING_TURN, f"war/{FALL}/ruling.yaml")
    for path in paths:
        group.git("update-index", "--chmod=+x", str(group.path(path)))
    group.git("commit", "--quiet", "-m", "Executable")
    assert group.faults() == []
    for path in paths[:2]:
        group.move(path, f"war/{Path(path).name}.kept")
        group.path(path).symlink_to(group.path(f"war/{Path(path).name}.kept"))
    group.commit("Links")
    assert {path for path, _ in group.faults()} == set(paths[:2])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["war", f"war/{SPRING}", f"war/{SPRING}/orders", "war/undone"])
def test_a_folder_that_became_a_link_is_noticed(group: Group, name: str) -> None:
    """A link leads outside of games/, where the history of the game does not look."""
    folder = group.path(name)
    folder.rename(group.root / "elsewhere")
    folder.symlink_to(group.root / "elsewhere", target_is_directory=True)
    group.git("add", "--all")
    group.commit("Moved away")
    assert group.faults()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"war/{SPRING}/orders/italy.yaml.age", f"war/{SPRING}/orders/Italy.yaml.age"),
        (f"war/{SPRING}/orders", f"war/{SPRING}/Orders"),
        (f"war/{SPRING}", f"war/{SPRING.upper()}"),
        ("war", "War"),
        (f"war/{SPRING}/turn.yaml", f"war/{SPRING}/turn.yml"),
        (f"war/{FALL}", "war/002-fall-1901-moves"),
        ("war/undone", "war/Undone"),
    ],
)
def test_a_rename_is_noticed(group: Group, old: str, new: str) -> None:
    group.git("mv", f"games/{old}", f"games/{new}-")
    group.git("mv", f"games/{new}-", f"games/{new}")
    group.commit("Renamed")
    assert group.faults()


@pytest.mark.slow
def test_a_sha_256_repository_is_read(start: Group, tmp_path: Path) -> None:
    group = played(tmp_path / "archive", None, "--object-format=sha256")
    assert len(group.head) == 64
    report = sound(group)
    assert (report.seen, report.unseen, told(report.notes)) == (7, 0, [])
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "another")
    group.commit()
    assert [path for path, _ in group.faults()] == [f"war/{SPRING}/orders/italy.yaml.age"]


@pytest.mark.slow
@pytest.mark.parametrize("hides", ["graft", "replace", "commit-graph", "environment"])
def test_nothing_that_git_keeps_beside_its_objects_can_hide_a_commit(
    group: Group, hides: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    honest = group.head
    before = group.path(f"war/{SPRING}/orders/italy.yaml.age").read_bytes()
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "another")
    group.commit("Forged")
    group.put(f"war/{SPRING}/orders/italy.yaml.age", before)
    group.commit("As if nothing had been")
    match hides:
        case "graft":
            (group.root / ".git/info").mkdir(exist_ok=True)
            (group.root / ".git/info/grafts").write_text(f"{group.head} {honest}\n")
        case "replace":
            group.git("replace", "--graft", "HEAD", honest)
        case "commit-graph":
            group.git("replace", "--graft", "HEAD", honest)
            group.git("config", "core.commitGraph", "true")
            group.git("commit-graph", "write", "--reachable")
        case _:
            git(tmp_path, "init", "--quiet", "empty")
            monkeypatch.setenv("GIT_DIR", str(tmp_path / "empty/.git"))
            monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "empty/.git/objects"))
    assert [path for path, _ in group.faults()] == [f"war/{SPRING}/orders/italy.yaml.age"]


@pytest.mark.slow
def test_a_submodule_in_place_of_a_file_is_a_fault_and_stops_nothing(group: Group) -> None:
    for path in (
        SPRING_TURN,
        f"war/{SPRING}/orders/italy.yaml.age",
        "over/done/game.yaml",
        "war/other",
        f"war/{FALL}/ruling.yaml",
    ):
        if group.path(path).exists():
            group.remove(path)
        group.git("add", "--all", "--", "games")
        group.git("update-index", "--add", "--cacheinfo", f"160000,{group.head},games/{path}")
    group.git("commit", "--quiet", "-m", "Submodules")
    paths = {path for path, _ in group.faults()}
    assert paths >= {SPRING_TURN, f"war/{SPRING}/orders/italy.yaml.age"}
    assert "war/other" not in paths


@pytest.mark.slow
@pytest.mark.parametrize(
    "says",
    [
        "Courtly-File\nCourtly-SHA256\nCourtly-\nCourtly-: \n",
        "Courtly-File: " + "x" * 100_000,
        "x" * 8_000_000 + "\n\nCourtly-File: games\n",
        "Courtly-File: \u202e\nCourtly-SHA256: \U0001f600\n",
        "\n\n\n",
    ],
    ids=["bare", "long", "huge", "odd", "empty"],
)
def test_no_commit_message_stops_the_history(group: Group, says: str, tmp_path: Path) -> None:
    (tmp_path / "message").write_text(says, encoding="utf-8")
    group.put(f"war/{FALL}/orders/russia.yaml.age", "somebody’s")
    group.git("add", "--all", "--", "games")
    words = ("--quiet", "--allow-empty-message", "--cleanup=verbatim", "-F", str(tmp_path / "message"))
    group.git("commit", *words)
    report = group.history()
    assert told(report.problems) == []
    assert [path for path, _ in told(report.notes)] == ["war"], "the sheet that intake did not bring"


@pytest.mark.slow
def test_a_receipt_is_believed_only_in_the_commit_that_brought_the_file(group: Group) -> None:
    """FS-14: trailers for another file, or for other bytes, do not belong to this sheet."""
    path = f"games/war/{FALL}/orders/russia.yaml.age"
    group.put(path.removeprefix("games/"), "somebody’s")
    digest = hashlib.sha256(b"other").hexdigest()
    group.commit(f"Sheet\n\nCourtly-File: {path}\nCourtly-SHA256: {digest}\n")
    assert [words.partition(":")[0] for _, words in group.notes()] == ["1 of 5 sheets were not taken in by intake"]


@pytest.mark.slow
def test_unreadable_names_are_printed_in_a_readable_form(group: Group) -> None:
    folder = os.fsencode(group.path(f"war/undone/{SPRING}.1"))
    for name in (b"\xff\xfe", b"\x1b[31m", "\u202e".encode()):
        (Path(os.fsdecode(folder)) / os.fsdecode(name)).write_text("Read me.")
    group.commit("Odd names")
    # A tree can hold names that a file cannot have.
    blob = group.git("hash-object", "-w", "--stdin", stdin=b"x")
    group.git("update-index", "--add", "--cacheinfo", f"100644,{blob},games/war/undone/{SPRING}.1/{'x' * 300}")
    group.git("commit", "--quiet", "-m", "A long name")
    done = cli(group, "verify", "--history", "war")
    as_data = cli(group, "--json", "verify", "--history", "war")
    assert (done.exit_code, as_data.exit_code) == (1, 1)
    for text in (done.output, as_data.output):
        assert "\x1b[31m" not in text
        assert "\u202e" not in text
    assert done.output.count(f"error: games/war/undone/{SPRING}.1/") == 4
    assert len([fault for fault in json.loads(as_data.output)["problems"] if "undone" in fault["path"]]) == 4


def cli(group: Group, *words: str) -> Result:
    return CliRunner().invoke(
        main, ["-C", str(group.root), *words], env={"COURTLY_MASTER": "", "COURTLY_MASTER_FILE": ""}
    )


@pytest.mark.parametrize("attempt", ['"²"', "9" * 17, '"' + "9" * 5000 + '"', "[1]", "-1", "0", "{a: 1}"])
def test_an_attempt_that_is_not_a_number_is_an_ordinary_fault(group: Group, attempt: str) -> None:
    group.edit(SPRING_TURN, "attempt: 2", f"attempt: {attempt}")
    group.add(WAR, f"rejudged:\n  ²-x: So.\n  {'9' * 5000}-x: So.\n  ../../../x: So.\n")
    group.commit()
    assert {path for path, _ in group.faults()} == {SPRING_TURN}


@pytest.mark.slow
def test_a_tree_in_an_old_format_is_understood(group: Group) -> None:
    """Git accepts `040000` for a folder, as old programs wrote it; the files in such a folder count like any others."""
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "another")
    group.git("add", "--all", "--", "games")
    games = group.git("rev-parse", f"{group.git('write-tree')}:games")
    digest = bytes.fromhex(games)
    body = b"040000 games\0" + digest
    old = group.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=body)
    group.git("reset", "--quiet", "--soft", group.git("commit-tree", old, "-p", "HEAD", "-m", "Forged"))
    assert [path for path, _ in group.faults()] == [f"war/{SPRING}/orders/italy.yaml.age"]


@pytest.mark.slow
def test_a_tree_of_any_depth_stops_nothing(group: Group) -> None:
    raw = b"100644 x\0" + bytes.fromhex(group.git("hash-object", "-w", "--stdin", stdin=b"x"))
    for _ in range(1_500):
        digest = hashlib.sha1(b"tree %d\0" % len(raw) + raw).digest()
        write_object(group, b"tree", raw)
        raw = b"40000 d\0" + digest
    deep = group.git("hash-object", "-t", "tree", "-w", "--stdin", stdin=raw)
    games = group.git("mktree", stdin=f"040000 tree {deep}\twar\n".encode())
    root = group.git("mktree", stdin=f"040000 tree {games}\tgames\n".encode())
    side = group.git("commit-tree", root, "-m", "Deep")
    merged(group, side)
    assert group.faults() == []


def write_object(group: Group, kind: bytes, body: bytes) -> None:
    """Write a loose object as git does, without a process for each."""
    whole = kind + b" %d\0" % len(body) + body
    name = hashlib.sha1(whole).hexdigest()
    folder = group.root / ".git/objects" / name[:2]
    folder.mkdir(exist_ok=True)
    (folder / name[2:]).write_bytes(zlib.compress(whole))


# Where the history begins -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_commits_before_since_do_not_count_and_that_is_reported_first(group: Group) -> None:
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "tried out")
    group.commit("Trials")
    group.git("checkout", "--quiet", "HEAD~1", "--", "games")
    group.commit("As it was")
    lagging = branch(group, "HEAD~5", f"war/{FALL}/orders/russia.yaml.age")
    start = group.head
    group.put("archive.yaml", group.text("archive.yaml") + since(start))
    group.commit("The history counts from here")
    group.put(f"war/{FALL}/orders/russia.yaml.age", "somebody’s")
    merged(group, lagging)
    report = group.history()
    assert told(report.problems) == []
    says = f"the history before commit {start[:12]} is not checked: Before it games were tried out."
    assert told(report.notes)[0] == ("archive.yaml", says)
    group.put(f"war/{SPRING}/orders/italy.yaml.age", "another")
    group.commit("Forged")
    assert [path for path, _ in group.faults()] == [f"war/{SPRING}/orders/italy.yaml.age"]


@pytest.mark.slow
@pytest.mark.parametrize("commit", ["0" * 40, "HEAD", "main", "--all", "", "elsewhere"])
def test_a_since_that_does_not_name_an_earlier_commit_is_refused(group: Group, commit: str) -> None:
    elsewhere = group.git("commit-tree", "HEAD^{tree}", "-m", "Nobody's")
    group.add("archive.yaml", since(f'"{elsewhere if commit == "elsewhere" else commit}"'))
    group.commit()
    with pytest.raises(Problems, match=r"`since` names .*, which is not a commit before this one"):
        group.history()


def test_a_missing_history_is_reported(start: Group, tmp_path: Path) -> None:
    group = founded(tmp_path / "archive")
    shutil.rmtree(group.root / ".git")
    with pytest.raises(Problems, match="this is not a git repository with commits"):
        group.history()
    group.git("init", "--quiet")
    with pytest.raises(Problems, match="this is not a git repository with commits"):
        group.history()


@pytest.mark.slow
def test_judged_turns_that_are_in_no_commit_are_counted_and_reported(group: Group) -> None:
    shutil.rmtree(group.root / ".git")
    group.git("init", "--quiet")
    group.git("commit", "--quiet", "--allow-empty", "-m", "Nothing")
    report = group.history()
    words = "4 judged turns were never seen open: nothing proves that their secrets were fixed in time"
    assert (report.seen, told(report.notes)) == (0, [("games", words)])
    said = cli(group, "verify", "--history")
    assert words in said.output
    assert "(0 whose dice were committed to while they were open)" in said.output
