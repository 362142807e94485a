"""Check what only the history can prove: secrets were fixed before sheets came in, and no sheet, message or result was changed.

Every version that a file ever had, in any reachable commit (including those on side branches and in merges), is compared with the current
one. Every change between a commit and each of its parents is compared with the rules of its turn at that time. A turn that was put back
has a different path but is the same turn: its files are compared with those that were moved. The table in SECURITY.md lists what may change
and when; each of its cells is a rule here. A permitted change that people should know about is a note, not an alarm.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from adjudicator.ci.objects import TREE, Change, Commit, Entry, Objects
from adjudicator.ci.places import NOWHERE, Moved, Places
from adjudicator.core.files.disk import Disk
from adjudicator.core.game.absence import FOLDER as ABSENCES
from adjudicator.core.game.archive import OVER, SLUG, TURN, UNDONE
from adjudicator.core.game.game import CHARTER, LETTERS, LETTERS_KEY, seat_file
from adjudicator.core.game.join import FOLDER
from adjudicator.core.game.schedule import Schedule, past_absences, read_time, write_time
from adjudicator.core.jobs.intake import BY_HOST
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Level, Problem, Problems, plain, problem
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read

WISH = r"wish\.[1-9][0-9]{0,17}"
"""Name of a file with a wish for seats, which contains the account's number; without the file name's ending."""
GAME = re.compile(rf"games/(?P<game>{SLUG.pattern})/game\.yaml")
OPENED = re.compile(rf"games/(?P<game>{SLUG.pattern})/(?P<turn>{TURN.pattern})/(?P<rest>.+)")
PUT_BACK = re.compile(
    rf"games/(?P<game>{SLUG.pattern})/{UNDONE}/(?P<turn>{TURN.pattern})\.(?P<attempt>[0-9]{{1,4}})/(?P<rest>.+)"
)
KEPT = re.compile(rf"games/(?P<game>{SLUG.pattern})/{UNDONE}/.+")
JOINED = re.compile(rf"games/(?P<game>{SLUG.pattern})/{FOLDER}/(?:[a-z0-9-]+|{WISH})\.yaml")
DRAWN = re.compile(rf"games/(?P<game>{SLUG.pattern})/{FOLDER}/(?:(?P<draw>draw)|{WISH})\.yaml")
ABSENCE = re.compile(rf"games/(?P<game>{SLUG.pattern})/{ABSENCES}/(?P<seat>[a-z0-9-]+)\.[0-9-]+\.yaml")
LETTER = re.compile(rf"games/(?P<game>{SLUG.pattern})/{LETTERS}/(?P<name>[a-z0-9.-]+\.yaml\.age)")
OPENS = re.compile(rf"games/(?P<game>{SLUG.pattern})/{re.escape(LETTERS_KEY)}")
"""The file that opens a game's letters when the game is over."""
FILES = {
    "turn": re.compile(r"turn\.yaml"),
    "sheet": re.compile(r"orders/[a-z0-9.-]+\.yaml(?:\.age)?"),
    "ruling": re.compile(r"ruling\.yaml"),
    "dispatch": re.compile(r"dispatches/.+"),
    "secret": re.compile(r"secret\.age"),
    "unopened": re.compile(r"unopened\.yaml"),
}
"""Kind of file -> its path in a turn's folder."""
FIXED = (
    "ruleset",
    "id",
    "archive",
    "sealed",
    "seed",
    "setup",
    "draw",
    "opened",
    "settings",
    "kind",
    "letters",
    "words",
    "names",
    "standing",
)
"""Keys of game.yaml that never change once the game has begun."""
COMMITS = ("draw", "id", "sealed", "seed")
"""Keys of game.yaml that fix the draw of the game's seats, and never change once there is a wish for seats."""
DEALS = ("setup", "id", "archive", "sealed", "seed")
"""Keys of game.yaml that fix the dice of the setup. They never change once a player has given a nonce: other dice would deal a different setup."""
SHAPES = ("ruleset", "settings")
"""Keys of game.yaml that decide what the dice of the setup deal: changes are noted, because the host can know the result."""
BEGUN = frozenset(
    {
        "position",
        "deadline",
        "remind",
        "earliest",
        "early",
        "players",
        "absent",
        "misses",
        "owing",
        "standing",
        "ahead",
        "dispatches",
    }
)
"""Keys of a turn's file that come from the turns before it."""
RESULT = frozenset(
    {
        "verdicts",
        "events",
        "rolls",
        "ended",
        "sheets",
        "stood",
        "from_ahead",
        "refused",
        "partly",
        "words",
        "answers",
        "judged_by",
    }
)
"""Keys of a turn's file that come from judging the turn."""
MOVES = frozenset({"correct", "decide", "hidden", "replace"})
"""Kinds of rulings that change a turn's position or its dispatches."""
RESTORE = "restore it from the history"


@dataclass
class Report:
    """Findings about a history: how many judged turns were seen open before and how many were not, the problems, and the notes."""

    seen: int = 0
    unseen: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)


def check_history(root: Path) -> Report:
    """Check the history of an archive; raises `Problems` if this is not a git repository with its whole history."""
    with Objects(root) as objects:
        return _History(objects, root).report()


@dataclass(frozen=True, slots=True)
class Step:
    """A change of a file in a turn's folder between two commits, with turn.yaml before and after (empty if there was no such turn)."""

    change: Change
    game: str
    rest: str
    was: Mapping[str, Any]
    is_: Mapping[str, Any]

    @property
    def done(self) -> str:
        """The kind of change, in a word."""
        return "added" if self.change.old is None else "removed" if self.change.new is None else "changed"

    @property
    def judged(self) -> bool:
        """True if the turn had been judged before."""
        return self.was.get("status") == "resolved"

    @property
    def new_rulings(self) -> list[Mapping[str, Any]]:
        """The rulings that were applied between the two commits."""
        return [_mapping(ruling) for ruling in rulings(self.is_)[len(rulings(self.was)) :]]


class _History:
    """A history that is being read: every version of every file, and the commits that introduced it."""

    def __init__(self, objects: Objects, root: Path) -> None:
        self.objects, self.root, self.files = objects, root, Disk(root)
        self.places = Places(objects, root, self.data)
        self.versions: dict[str, dict[Entry, list[Commit]]] = defaultdict(dict)
        """Path -> each version it ever had -> the commits that introduced it."""
        self.proof = Report()
        self.told: set[tuple[str, str]] = set()
        self.faulty: set[str] = set()
        self.plain: dict[str, Mapping[str, Any]] = {}
        self.here: dict[str, bytes | None] = {}
        self.last: dict[str, Mapping[str, Any]] = {}
        """Path -> the last version of it that could be read."""
        self.applied: dict[str, list[Any]] = defaultdict(list)
        """Path of a ruling.yaml -> the rulings in it that were applied."""
        self.keys: dict[tuple[str, str], str] = {}
        """(Name, value) that a turn's file fixes -> the turn and attempt that fixed it."""
        self.sources: dict[tuple[str, str], str] = {}
        """(Request, account) in a receipt -> the first file that names it."""
        self.listed: dict[str, Mapping[str, list[str]]] = {}
        """Game -> turn -> the folders of its attempts that were put back."""

    # Saying -----------------------------------------------------------------------------------------------------------

    def fault(
        self, path: str, what: str, commit: Commit | None = None, right: str = RESTORE, by: str = "commit"
    ) -> None:
        """Report a fault; `by` is `commit` for the commit that introduced it, or `unlike commit` for one that the file differs from."""
        self.faulty.add(path)
        self._say(self.proof.problems, path, what, commit, right, "error", by)

    def note(self, path: str, what: str, commit: Commit | None = None, right: str = "") -> None:
        self._say(self.proof.notes, path, what, commit, right, "warning", "commit")

    def _say(
        self, where: list[Problem], path: str, what: str, commit: Commit | None, right: str, level: Level, by: str
    ) -> None:
        if (path, what) not in self.told:  # only for the first commit that shows it
            self.told.add((path, what))
            shown = plain(self._shown(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))
            where.append(Problem(shown, 0, 0, what + (f" ({by} {commit.sha[:12]})" if commit else ""), right, level))

    def _shown(self, path: str) -> str:
        """A path for messages: the current one, if the game still exists."""
        here = self.places.here(path)
        return path if NOWHERE in here else here

    # Reading ----------------------------------------------------------------------------------------------------------

    def report(self) -> Report:
        for commit, parents in self._commits():
            for parent in parents:
                changes, moved, twice = self.places.changes(commit, parent)
                for change in changes:
                    for entry in (change.old, change.new):
                        if entry is not None:
                            self.versions[change.path].setdefault(entry, [])
                    if change.new is not None:
                        self.versions[change.path][change.new].append(commit)
                for name in twice:
                    self.fault(f"games/{name}", TWICE, commit, "give one of them a different original name")
                for game in moved:
                    self._judge_move(commit, game)
                self._judge(commit, parent, changes)
        for path in sorted(self.versions):
            self._judge_path(path)
        self._check_undone()
        self._note_sheets_past_intake()
        self._note_exceptions()
        for messages in (self.proof.problems, self.proof.notes):
            messages.sort(
                key=lambda fault: (fault.path != CHARTER, fault.path)
            )  # first of all, report that part of the history does not count
        return self.proof

    def _commits(self) -> Iterator[tuple[Commit, tuple[str | None, ...]]]:
        """Every commit that counts, each with its parents: from the first commit on, or from the one that `since` in archive.yaml names."""
        charter = self.now(CHARTER) or {}
        since = _mapping(charter.get("since"))
        start, skipped = str(since.get("commit")), set[str]()
        if since:
            reached = self.objects.reaches(start)
            if reached is None:
                right = "name one by all its digits"
                raise problem(CHARTER, f"`since` names {start[:40]!r}, which is not a commit before this one", right)
            self.note(CHARTER, f"the history before commit {start[:12]} is not checked: {since.get('reason')}")
            skipped = reached
            yield self.objects.commit(start), (None,)
        for commit in self.objects.commits():
            if commit.sha not in skipped:
                # A side branch may have begun before the history that counts: the state where it began then does not count either.
                yield (
                    commit,
                    tuple(parent if parent == start or parent not in skipped else None for parent in commit.parents)
                    or (None,),
                )

    def data(self, entry: Entry | None, path: str) -> Mapping[str, Any]:
        """A version's data; empty for None, and for a version that cannot be read as a file of an archive."""
        if entry is None:
            return {}
        if entry.sha not in self.plain:
            body = self.objects.blob(entry)
            self.plain[entry.sha] = _read(body, path) if body is not None else {}
        return self.plain[entry.sha]

    def now(self, path: str) -> Mapping[str, Any] | None:
        """A file as it is now, parsed; None if it is missing."""
        body = self.body(path)
        if body is None:
            return None
        name = self.objects.name_of(body)
        if name not in self.plain:
            self.plain[name] = _read(body, path)
        return self.plain[name]

    def body(self, path: str) -> bytes | None:
        """The bytes of a file as it is now; None if it is missing, or reached by a link."""
        if path not in self.here:
            file = self.root / self.places.here(path)
            self.here[path] = self.files.read(file) if self.files.is_file(file) else None
        return self.here[path]

    def at(self, commit: str | None, path: str) -> Mapping[str, Any]:
        """A file in a commit, parsed; empty if it is missing."""
        return self.data(self.file(commit, path), path) if commit is not None else {}

    def file(self, commit: str, path: str) -> Entry | None:
        """A file in a commit; None if it is missing."""
        return self.objects.file(commit, self.places.there(commit, path))

    def folder(self, commit: str, path: str) -> str | None:
        """The tree of a folder in a commit; None if it is missing."""
        return self.objects.folder(commit, self.places.there(commit, path))

    def names(self, commit: str, path: str) -> Mapping[str, Entry]:
        """The entries of a folder in a commit; empty if it is missing."""
        return self.objects.names(commit, self.places.there(commit, path))

    # Changes, each against the rules of its turn at the time ---------------------------------------------------------------

    def _judge(self, commit: Commit, parent: str | None, changes: list[Change]) -> None:
        """Judge the changes between a commit and one of its parents."""
        moved = self._moves(commit, parent, changes)
        for here, there in sorted(moved.items()):
            assert parent is not None
            self._check_not_over(commit, parent, there)
            old, new = self.folder(parent, here), self.folder(commit.sha, there)
            was, is_ = self.at(parent, f"{here}/turn.yaml"), self.at(commit.sha, f"{there}/turn.yaml")
            for path, *sides in sorted(self.objects.between(old, new, there)):
                self._step(Change(commit, parent, path, *sides), was, is_)
        gone = {name for name in self._games(changes) if self.folder(commit.sha, f"games/{name}") is None}
        for name in sorted(gone):
            self.fault(f"games/{name}", GONE, commit)
        for change in changes:
            if change.path == CHARTER:
                self._judge_charter(change)
            elif change.path.split("/")[1] in gone:
                continue
            elif match := GAME.fullmatch(change.path):
                self._judge_game(change, match["game"])
            elif match := DRAWN.fullmatch(change.path):
                self._judge_drawn(change, match)
            elif match := LETTER.fullmatch(change.path):
                self._judge_letter(change, match)
            elif match := OPENS.fullmatch(change.path):
                self._judge_opening(change, match)
            elif match := PUT_BACK.fullmatch(change.path):
                there = change.path.removesuffix(f"/{match['rest']}")
                if parent is not None and self.folder(parent, there) is not None:
                    was, is_ = (self.at(sha, change.path) for sha in (parent, commit.sha))
                    if match["rest"] != "turn.yaml" or not self._adds_secrets_alone(was, is_):
                        self.fault(change.path, MOVED, commit)
                elif there not in moved.values():  # a squashed history shows no move
                    self._step(change, {}, self.at(commit.sha, f"{there}/turn.yaml"))
            elif match := OPENED.fullmatch(change.path):
                here = change.path.removesuffix(f"/{match['rest']}")
                is_ = self.at(commit.sha, f"{here}/turn.yaml")
                if here not in moved:
                    self._step(change, self.at(parent, f"{here}/turn.yaml"), is_)
                elif change.new is not None:  # the file that is there now belongs to the next attempt
                    self._step(Change(commit, parent, change.path, None, change.new), {}, is_)

    def _games(self, changes: list[Change]) -> set[str]:
        """The games that lost a file."""
        matches = (
            GAME.fullmatch(change.path) or OPENED.fullmatch(change.path) for change in changes if change.new is None
        )
        return {match["game"] for match in matches if match is not None}

    def _judge_move(self, commit: Commit, game: Moved) -> None:
        """Judge the renaming of a game's folder, or its move to the games that are over."""
        path = f"games/{game.name}"
        if any(self.places.place(parent, game.name) == game.is_ for parent in commit.parents):
            return  # a merge: the game was moved on the other side, and is judged there
        if game.renamed:
            was, is_ = (self.data(entry, path) for entry in self._game_files(commit, game))
            others = {key for key in {*was, *is_} if was.get(key) != is_.get(key)} - {"named"}
            if others or {*game.files} - {"game.yaml"}:
                self.fault(path, RENAMED, commit, "rename it in a separate commit")
            self.note(path, f"games/{game.was} was renamed to games/{game.is_}", commit)
        if game.is_.startswith(f"{OVER}/") and self.file(commit.sha, f"{path}/ending.yaml") is None:
            self.fault(path, NOT_OVER, commit, "move it back to games/")
        if game.was.startswith(f"{OVER}/") and not game.is_.startswith(f"{OVER}/"):
            self.note(path, "this game was moved back to the running games", commit)

    def _game_files(self, commit: Commit, game: Moved) -> Iterator[Entry | None]:
        """A game's game.yaml before it moved, and after."""
        before = (self.objects.file(parent, f"games/{game.was}/game.yaml") for parent in commit.parents)
        yield next((entry for entry in before if entry is not None), None)
        yield self.objects.file(commit.sha, f"games/{game.is_}/game.yaml")

    def _moves(self, commit: Commit, parent: str | None, changes: list[Change]) -> dict[str, str]:
        """Folder of a turn that was put back between two commits -> its folder afterwards."""
        moves: dict[str, str] = {}
        for match in (PUT_BACK.fullmatch(change.path) for change in changes if change.new is not None):
            if match is None or parent is None:
                continue
            here = f"games/{match['game']}/{match['turn']}"
            there = f"games/{match['game']}/{UNDONE}/{match['turn']}.{match['attempt']}"
            if (
                there not in moves.values()
                and self.folder(parent, there) is None
                and (was := self.at(parent, f"{here}/turn.yaml"))
                and attempt(was) == int(match["attempt"])
            ):
                moves[here] = there
        return moves

    def _check_not_over(self, commit: Commit, parent: str, there: str) -> None:
        if self.file(parent, f"{there.partition(f'/{UNDONE}/')[0]}/ending.yaml") is not None:
            self.fault(there, "this turn was put back after its game had ended", commit)

    def _step(self, change: Change, was: Mapping[str, Any], is_: Mapping[str, Any]) -> None:
        match = PUT_BACK.fullmatch(change.path) or OPENED.fullmatch(change.path)
        assert match is not None
        for kind, pattern in FILES.items():
            # A turn that is gone is reported once; its sheets are reported separately.
            if pattern.fullmatch(match["rest"]) and (is_ or not was or kind == "turn"):
                getattr(self, f"_judge_{kind}")(Step(change, match["game"], match["rest"], was, is_))

    def _judge_turn(self, step: Step) -> None:
        change, path = step.change, step.change.path
        if change.new is None:
            self.fault(path, "this turn was removed", change.commit)
        elif not step.is_:
            self.fault(path, "this turn cannot be read", change.commit)
        elif OPENED.fullmatch(path) and (due := self._due(change.commit, path)) != attempt(step.is_):
            what = f"this is attempt {attempt(step.is_)}, but going by undone/ it should be attempt {due}"
            self.fault(path, what, change.commit)
        else:
            for what in (*_too_early(step.is_), *(self._differs(path, step.was, step.is_) if step.was else ())):
                self._tell(path, what, change.commit)

    def _due(self, commit: Commit, path: str) -> int:
        """The number of a turn's current attempt in a commit: one more than the highest in undone/."""
        _, game, turn, _ = path.split("/")
        numbers = (name.rpartition(".") for name in self.names(commit.sha, f"games/{game}/{UNDONE}"))
        return 1 + max(
            (int(number) for name, _, number in numbers if name == turn and NUMBER.fullmatch(number)), default=0
        )

    def _tell(self, path: str, what: str, commit: Commit | None, by: str = "commit") -> None:
        """Report a fault in a turn's own file; for a record, which people write and mend, as a note."""
        if self._is_record(path):
            self.note(path, f"a record was mended: {what}", commit)
        else:
            self.fault(path, what, commit, by=by)

    def _is_record(self, path: str) -> bool:
        return (self.now(f"games/{path.split('/')[1]}/game.yaml") or {}).get("kind") == "record"

    def _judge_sheet(self, step: Step) -> None:
        if step.done == "added" and step.judged:
            self.fault(
                step.change.path, "this sheet was added after its turn had been judged", step.change.commit, "remove it"
            )

    def _judge_ruling(self, step: Step) -> None:
        change, path = step.change, step.change.path
        if step.judged:
            self.fault(path, "rulings were changed after their turn had been judged", change.commit)
            return
        old, new = self.data(change.old, path), self.data(change.new, path)
        # A file that could not be read is compared with its last readable version.
        applied = rulings(old)[: len(rulings(step.was))]
        mine = f"{step.game}/{path.split('/')[-2]}.{attempt(step.is_)}"
        if len(applied) > len(self.applied[mine]):
            self.applied[mine] = applied
        if change.new is not None and not new:
            self.note(path, UNREADABLE, change.commit)
        elif rulings(new)[: len(self.applied[mine])] != self.applied[mine]:
            self.fault(path, APPLIED, change.commit)

    def _judge_dispatch(self, step: Step) -> None:
        change = step.change
        told = [ruling for ruling in step.new_rulings if MOVES & set(ruling)]
        seats = {f"dispatches/{seat_file(str(_mapping(ruling.get('replace')).get('seat')))}.age" for ruling in told}
        others = any((MOVES - {"replace"}) & set(ruling) for ruling in told)
        if (
            not step.was
            or (not step.judged and (others or step.rest in seats))
            or self._is_judged_anew(change.path, BEGUN)
        ):
            return
        over = self.file(change.parent or "", f"games/{step.game}/ending.yaml") is not None
        if over and step.done == "removed":
            self.note(f"games/{step.game}", "dispatches were removed after the game's end", change.commit)
        else:
            self.fault(change.path, f"this dispatch was {step.done}, but no ruling says why", change.commit)

    def _judge_secret(self, step: Step) -> None:
        if step.was and not self._is_judged_anew(step.change.path, RESULT if step.judged else BEGUN):
            now_judged = not step.judged and step.is_.get("status") == "resolved"
            if step.done == "added" or step.judged or not (now_judged or step.new_rulings):
                what = f"the sealed part of this turn was {step.done}, but turn.yaml does not say why"
                self.fault(step.change.path, what, step.change.commit)

    def _judge_unopened(self, step: Step) -> None:
        """Judge `unopened.yaml`: names of sheets that do not open are added while the turn is open, and never removed."""
        change, path = step.change, step.change.path
        was, is_ = (_files(self.data(entry, path)) for entry in (change.old, change.new))
        if step.judged:
            self.fault(
                path, "the list of sheets that do not open was changed after the turn had been judged", change.commit
            )
        elif not was <= is_:
            self.fault(path, "sheets that were listed as unopened are no longer listed", change.commit)

    def _judge_charter(self, change: Change) -> None:
        was, is_ = self._last_readable(change)
        if was and change.new is None:
            self.fault(CHARTER, "the archive's id was removed", change.commit)
        elif was and is_ and was.get("archive") != is_.get("archive"):
            self.fault(CHARTER, "the archive's id was changed", change.commit)
        for key in ("repository", "forge", "branch", "doors", "since", "maps", "years", "main"):
            if was and is_ and was.get(key) != is_.get(key):
                self.note(CHARTER, f"`{key}` was changed", change.commit)

    def _last_readable(self, change: Change) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """A file's data before and after a change; for an unreadable version, the last readable one."""
        old, new = self.data(change.old, change.path), self.data(change.new, change.path)
        was = old or (self.last.get(change.path, {}) if change.parent is not None else {})
        if new:
            self.last[change.path] = new
        elif was:
            self.note(change.path, UNREADABLE, change.commit)
        return was, new

    def _judge_game(self, change: Change, game: str) -> None:
        was, is_ = self._last_readable(change)
        if not was and any(is_.get(key) not in (None, own) for key, own in (("named", game), ("archive", None))):
            self.note(change.path, MOVED_IN, change.commit)
        if not was or not is_:
            return
        begun = change.parent is not None and self._has_begun(change.parent, game)
        wished = change.parent is not None and self._has_wishes(change.parent, game)
        given = was.get("setup") and any(_mapping(seat).get("nonce") for seat in _mapping(was.get("seats")).values())
        for key in sorted({*was, *is_} - {"seats"}):
            if was.get(key) != is_.get(key):
                if wished and not begun and key in COMMITS:
                    self.fault(change.path, f"`{key}` was changed after people had wished for seats", change.commit)
                elif given and not begun and key in DEALS:
                    self.fault(change.path, f"`{key}` was changed after players had given nonces", change.commit)
                elif given and not begun and key in SHAPES:
                    self.note(change.path, f"`{key}` was changed after players had given nonces", change.commit)
                elif key not in FIXED:
                    self.note(change.path, f"`{key}` was changed", change.commit)
                elif begun:
                    self.fault(change.path, f"`{key}` was changed after the game had begun", change.commit)
        old, new = _mapping(was.get("seats")), _mapping(is_.get("seats"))
        if begun and set(old) != set(new):
            self.fault(change.path, "seats were added or removed after the game had begun", change.commit)
        for seat in sorted(set(old) & set(new)):
            self._judge_seat(change, seat, _mapping(old[seat]), _mapping(new[seat]), begun=begun)

    def _judge_drawn(self, change: Change, match: re.Match[str]) -> None:
        """Judge a new wish, or the draw: a wish may not come after the draw, nor the draw after the first turn."""
        if change.old is not None or change.parent is None:
            return  # changes and removals are found by comparing with the current file
        game = f"games/{match['game']}"
        if match["draw"] and self._has_begun(change.parent, match["game"]):
            self.fault(change.path, "the seats were drawn after the game had begun", change.commit)
        elif not match["draw"] and self.file(change.parent, f"{game}/{FOLDER}/draw.yaml") is not None:
            self.fault(change.path, "this wish was added after the seats had been drawn", change.commit, "remove it")

    def _judge_letter(self, change: Change, match: re.Match[str]) -> None:
        """Judge a letter that came or went: none may come after the game's end. Changes are found by comparing with the current file."""
        parent = change.parent
        if change.new is None:
            self.fault(change.path, "this letter was removed", change.commit)
        if change.old is None and parent and self.file(parent, f"games/{match['game']}/ending.yaml") is not None:
            what = "this letter was added after its game had ended, when the key of letters was public"
            self.fault(change.path, what, change.commit, "remove it")

    def _judge_opening(self, change: Change, match: re.Match[str]) -> None:
        """Judge the publishing of the key of a game's letters, which comes with the game's end."""
        parent, over = change.parent, f"games/{match['game']}/ending.yaml"
        if change.new is None:
            self.fault(change.path, "the key of the game's letters was removed", change.commit)
        elif change.old is None and parent and self.file(parent, over) is not None:
            self.fault(
                change.path, "the key of the game's letters was published later than the game's end", change.commit
            )
        elif self.file(change.commit.sha, over) is None:
            what = "the key of the game's letters was published before the game was over"
            self.fault(change.path, what, change.commit, "nobody can make it secret again: tell the players")

    def _has_begun(self, commit: str, game: str) -> bool:
        """True if a game had a turn in a commit."""
        names = self.names(commit, f"games/{game}")
        return any(TURN.fullmatch(name) and entry.mode == TREE for name, entry in names.items())

    def _has_wishes(self, commit: str, game: str) -> bool:
        """True if there was a wish for seats of a game in a commit."""
        return any(re.fullmatch(rf"{WISH}\.yaml", name) for name in self.names(commit, f"games/{game}/{FOLDER}"))

    def _judge_seat(
        self, change: Change, seat: str, was: Mapping[str, Any], is_: Mapping[str, Any], *, begun: bool
    ) -> None:
        for key in sorted(key for key in {*was, *is_} if was.get(key) != is_.get(key)):
            done = "added" if key not in was else "removed" if key not in is_ else "changed"
            if key == "player" or done == "added" or (not begun and key != "nonce"):
                self.note(change.path, f"`{key}` of {seat} was {done}", change.commit)
            else:
                right = "restore it; a `replace` ruling gives the seat to somebody else"
                self.fault(change.path, f"`{key}` of {seat} was {done}", change.commit, right)

    # Versions, each compared with the current one --------------------------------------------------------------------------

    def _judge_path(self, path: str) -> None:
        if path == CHARTER:
            self._compare_charter()
        elif match := next((found for kind in COMPARED if (found := kind.fullmatch(path))), None):
            if self._is_gone(path):
                return
            if match.re in (LETTER, OPENS):
                self._compare_letter(path, match)
            if match.re is KEPT:
                self._compare_undone(path)
            if match.re is JOINED:
                self._compare_joined(path)
            if match.re is ABSENCE:
                self._compare_absence(path, match)
            for kind in ("turn", "sheet", "ruling"):
                if match.re is OPENED and FILES[kind].fullmatch(match["rest"]):
                    getattr(self, f"_compare_{kind}")(path, [path, *self._elsewhere(match)])

    def _elsewhere(self, match: re.Match[str]) -> list[str]:
        """The other paths that a file of a turn may have now: in undone/, for each attempt that is there or ever was."""
        game = match["game"]
        folder = self.root / self.places.here(f"games/{game}/{UNDONE}")
        if game not in self.listed:
            once = (path.split("/")[3] for path in self.versions if path.startswith(f"games/{game}/{UNDONE}/"))
            self.listed[game] = defaultdict(list)
            for name in sorted({*once, *(path.name for path in self.files.paths(folder))}):
                turn, _, number = name.rpartition(".")
                if NUMBER.fullmatch(number):
                    self.listed[game][turn].append(name)
        return [f"games/{game}/{UNDONE}/{name}/{match['rest']}" for name in self.listed[game][match["turn"]]]

    def _is_gone(self, path: str) -> bool:
        """True if a file's whole game is gone; reports it once."""
        game = path.split("/")[1]
        if self.files.is_folder(self.root / self.places.here(f"games/{game}")):
            return False
        self.fault(f"games/{game}", GONE)
        return True

    def _compare_charter(self) -> None:
        now = self.now(CHARTER)
        for entry, commits in self.versions[CHARTER].items():
            was = self.data(entry, CHARTER)
            if was and now is None:
                self.fault(CHARTER, "the archive's id was removed", _first(commits), by="unlike commit")
            elif was and now and was.get("archive") != now.get("archive"):
                self.fault(CHARTER, "the archive's id was changed", _first(commits), by="unlike commit")

    def _compare_sheet(self, path: str, paths: list[str]) -> None:
        here = {self.objects.name_of(body) for other in paths if (body := self.body(other)) is not None}
        # A sheet that was put back and is gone from undone/ is reported there, with its path in undone/.
        here |= {entry.sha for other in paths[1:] for entry in self.versions.get(other, ())}
        for entry, commits in self.versions[path].items():
            if entry.sha not in here:
                done = "was changed" if self.body(path) is not None else "is gone"
                self.fault(path, f"this sheet {done}, but was once sent as {entry.sha[:12]}", _first(commits))

    def _compare_undone(self, path: str) -> None:
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        for entry, commits in self.versions[path].items():
            is_turn = path.endswith("/turn.yaml")
            if entry.sha != here and not (is_turn and self._adds_secrets_alone(self.data(entry, path), self.now(path))):
                self.fault(path, MOVED, _first(commits), by="unlike commit")

    def _adds_secrets_alone(self, was: Mapping[str, Any], is_: Mapping[str, Any] | None) -> bool:
        """True if a turn that was put back is unchanged, except for secrets that are published when its game is over."""
        if not was or not is_ or any(was.get(key) != is_.get(key) for key in {*was, *is_} - set(SECRET)):
            return False
        return all(
            _mapping(is_.get(key)).get(name) == value
            for key in SECRET
            for name, value in _mapping(was.get(key)).items()
            if name not in GROWING
        ) and all(_grew(was.get(key), is_.get(key)) for key in SECRET)

    def _compare_joined(self, path: str) -> None:
        drawn = DRAWN.fullmatch(path)
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        for entry, commits in self.versions[path].items():
            if entry.sha != here:
                done = "is gone" if here is None else "was changed"
                what = "the draw of the seats" if drawn and drawn["draw"] else "this wish" if drawn else WHO_JOINED
                right = RESTORE if drawn else "give the seat to somebody else with a `replace` ruling"
                self.fault(path, f"{what} {done}", _first(commits), right)
            elif drawn and drawn["draw"]:
                continue  # a run writes it, not a pull request
            elif not any(self._receipt(commit, path, entry) for commit in commits):
                what = "this wish" if drawn else WHO_JOINED
                self.note(path, f"{what} was not entered by intake", _first(commits))

    def _compare_absence(self, path: str, match: re.Match[str]) -> None:
        """Compare the record of an absence with every version that it ever had: deadlines depend on it."""
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        for entry, commits in self.versions[path].items():
            if entry.sha != here:
                done = "is gone" if here is None else "was changed"
                self.fault(path, f"this absence {done}", _first(commits), RESTORE)
                continue
            receipts = [commit for commit in commits if self._receipt(commit, path, entry)]
            if not receipts:
                self.note(path, "this absence was not entered by intake", _first(commits))
            for commit in receipts[:1]:
                if commit.trailers.get("Courtly-Source") == BY_HOST:
                    self.note(path, "this absence was entered by the host", commit)
                    continue
                turns = [name for name in self.names(commit.sha, f"games/{match['game']}") if TURN.fullmatch(name)]
                self._check_receipt(path, match["game"], max(turns, key=_number, default=""), match["seat"], commit)

    def _compare_letter(self, path: str, match: re.Match[str]) -> None:
        """Compare a letter, or the key that opens letters, with every version that it ever had."""
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        what = "the key of the game's letters" if match.re is OPENS else "this letter"
        for entry, commits in self.versions[path].items():
            if entry.sha != here:
                self.fault(path, f"{what} {'is gone' if here is None else 'was changed'}", _first(commits))
            elif match.re is LETTER:
                receipts = [commit for commit in commits if self._receipt(commit, path, entry)]
                if not receipts:
                    self.note(path, "this letter was not taken in by intake", _first(commits))
                for commit in receipts[:1]:
                    turns = [name for name in self.names(commit.sha, f"games/{match['game']}") if TURN.fullmatch(name)]
                    latest = max(turns, key=_number, default="")
                    self._check_receipt(path, match["game"], latest, match["name"].partition(".")[0], commit)

    def _compare_ruling(self, path: str, paths: list[str]) -> None:
        now = [rulings(data) for other in paths if (data := self.now(other)) is not None]
        for entry, commits in self.versions[path].items():
            was = rulings(self.data(entry, path))
            if was and not any(listed[: len(was)] == was for listed in now):
                self.note(path, "a ruling was taken back or changed before it was applied", _first(commits))

    def _note_time(self, path: str, was: Mapping[str, Any], commit: Commit | None) -> None:
        """Note a turn whose time of opening or closing is later than its commit (RT-6)."""
        if commit is None or not commit.at:
            return
        for key in ("opened", "closed"):
            said = was.get(key)
            with contextlib.suppress(Problems):
                if isinstance(said, str) and read_time(said).timestamp() > commit.at + LATE:
                    when = datetime.fromtimestamp(commit.at, UTC).strftime("%Y-%m-%dT%H:%MZ")
                    self.note(path, f"it says that it was {key} at {said[:20]}, but was committed at {when}", commit)

    def _compare_turn(self, path: str, paths: list[str]) -> None:
        """Compare a turn's versions, separately for each attempt, with the current version of the attempt."""
        now = {int(other.split("/")[3].rpartition(".")[2]): other for other in paths[1:]}
        due = 1 + max(now, default=0)
        if (is_ := self.now(path)) is not None:
            now[due] = path
            if not is_:
                self.fault(path, "this turn cannot be read")
                return
            if attempt(is_) != due:
                self.fault(path, f"this is attempt {attempt(is_)}, but going by undone/ it should be attempt {due}")
                return
        seen: set[int] = set()
        for entry, commits in self.versions[path].items():
            if was := self.data(entry, path):
                number = attempt(was)
                self._compare_attempt(path, now.get(number), was, _first(commits))
                self._note_time(path, was, _first(commits))
                if was.get("status") == "open":
                    seen.add(number)
        sound = self.faulty.isdisjoint({path, *now.values()})
        for number, where in sorted(now.items()):
            if (self.now(where) or {}).get("status") == "resolved" and not self._is_record(where):
                self.proof.seen += number in seen and sound
                self.proof.unseen += number not in seen

    def _compare_attempt(self, path: str, where: str | None, was: Mapping[str, Any], commit: Commit | None) -> None:
        """Compare one version of a turn with the current version of the same attempt."""
        _, game, turn, _ = path.split("/")
        mine = f"{game}, {turn}, attempt {attempt(was)}"
        for name, value in (("key", _mapping(was.get("seal")).get("recipient")), ("dice", _sealed_dice(was))):
            if isinstance(value, str) and (owner := self.keys.setdefault((name, value), mine)) != mine:
                what = f"its {name} {'are those' if name == 'dice' else 'is that'} of another turn: {owner}"
                self.fault(where or path, what, commit)
        is_ = self.now(where) if where is not None else None
        if where is not None and is_ is not None:
            for what in self._differs(path, was, is_):
                self._tell(where, what, commit, by="unlike commit")
            more = [_mapping(one) for one in rulings(is_)[len(rulings(was)) :]]
            if _sooner(was, more, is_):
                self.note(
                    where, "its deadline moved forward, as the schedule says for a turn whose sheets are all in", commit
                )
            if _deadline(was, more) != is_.get("deadline") and self._away(path, was, is_):
                self.note(where, "its deadline moved back, because a player is away", commit)
        elif f"games/{game}/{UNDONE}/{turn}.{attempt(was)}/turn.yaml" not in self.versions:
            self.fault(path, "this turn was removed", commit, by="unlike commit")

    def _differs(self, path: str, was: Mapping[str, Any], is_: Mapping[str, Any]) -> Iterator[str]:
        """Contradictions between an earlier and a later version of a turn's file."""
        for name, (group, key) in COMMITTED.items():
            if _mapping(was.get(group)).get(key) != _mapping(is_.get(group)).get(key):
                yield f"{name} is no longer the same"
        given, now = rulings(was), rulings(is_)
        if now[: len(given)] != given:
            yield APPLIED
            return
        if was.get("opened") != is_.get("opened"):
            yield "the time at which it opened has changed"
        if was.get("status") == "resolved":
            yield from self._differs_judged(path, was, is_)
        else:
            yield from self._differs_open(path, was, is_, [_mapping(ruling) for ruling in now[len(given) :]])

    def _differs_open(
        self, path: str, was: Mapping[str, Any], is_: Mapping[str, Any], more: list[Mapping[str, Any]]
    ) -> Iterator[str]:
        if self._is_judged_anew(path, BEGUN):
            return
        moved = _deadline(was, more) != is_.get("deadline")
        if moved and not _sooner(was, more, is_) and not self._away(path, was, is_):
            yield "the deadline has changed, but no ruling says so"
        still = WAITING.items() if is_.get("status") == "open" else ()
        for key, (what, kinds) in (*RULED.items(), *still):
            if was.get(key) != is_.get(key) and not any(kinds & set(ruling) for ruling in more):
                yield f"{what}, but no ruling says so"

    def _away(self, path: str, was: Mapping[str, Any], is_: Mapping[str, Any]) -> bool:
        """True if an open turn got a later deadline, no ruling had set it, and absences of its game move the old one exactly there.

        It tries every absence, every kind of turn and every schedule that the game ever had.
        """
        if was.get("status") != "open" or any({"extend", "resume"} & set(_mapping(one)) for one in rulings(was)):
            return False
        game = f"games/{path.split('/')[1]}"
        absences = [
            said for name in self.versions if name.startswith(f"{game}/{ABSENCES}/") and (said := self.now(name))
        ]
        schedules = [
            self.data(entry, f"{game}/game.yaml").get("schedule") for entry in self.versions[f"{game}/game.yaml"]
        ]
        before, after = str(was.get("deadline")), str(is_.get("deadline"))
        reached = {before}
        for said in schedules if absences else ():
            with contextlib.suppress(Problems):
                schedule = decode(Schedule, Text("schedule", said, {}))
                for kind in ("", *(schedule.phases or {})):
                    reached |= _moved(schedule, kind, before, absences)
        # Once all sheets are in, a turn that does not wait longer may get an earlier deadline again.
        early = was.get("early") == "all" and any(before < after < other for other in reached)
        return after != before and (after in reached or early)

    def _differs_judged(self, path: str, was: Mapping[str, Any], is_: Mapping[str, Any]) -> Iterator[str]:
        if is_.get("status") == "open":
            yield "it was judged but is open again, although its keys were published"
            return
        for key in sorted({*was, *is_} - {"opened"}):
            if key in SECRET:
                old, new = _mapping(was.get(key)), _mapping(is_.get(key))
                fixed = (
                    name for name in old if name not in {*GROWING, "digest"} and (key, name) not in COMMITTED.values()
                )
                again = self._is_judged_anew(path, RESULT)
                if any(new.get(name) != old[name] for name in fixed) or (
                    not again and (old.get("digest") != new.get("digest") or not _grew(old, new))
                ):
                    yield f"`{key}` was changed after the turn had been judged"
            elif was.get(key) != is_.get(key) and not self._is_judged_anew(path, frozenset({key})):
                yield f"`{key}` was changed after the turn had been judged"

    def _is_judged_anew(self, path: str, keys: frozenset[str]) -> bool:
        """True if these keys of a turn's file may differ, because game.yaml declares that the game was judged again from some turn on."""
        match = PUT_BACK.fullmatch(path) or OPENED.fullmatch(path)
        if match is None or not keys <= BEGUN | RESULT:
            return False
        game = f"games/{match['game']}"
        named = _mapping((self.now(f"{game}/game.yaml") or {}).get("rejudged"))
        turns = [turn for turn in named if TURN.fullmatch(turn) and self.body(f"{game}/{turn}/turn.yaml") is not None]
        begins = bool(keys & BEGUN)
        return any(_number(turn) + begins <= _number(match["turn"]) for turn in turns)

    # Turns in undone/ ------------------------------------------------------------------------------------------------------

    def _check_undone(self) -> None:
        """Report turns in undone/ without an `undo` ruling. The ruling is in the open turn that was moved there with the judged one."""
        by_game: dict[str, dict[str, None]] = defaultdict(dict)
        for match in (PUT_BACK.fullmatch(path) for path in sorted(self.versions)):
            if match is not None:
                folder = f"games/{match['game']}/{UNDONE}/{match['turn']}.{match['attempt']}"
                if self.body(f"{folder}/turn.yaml") is not None:
                    by_game[match["game"]][folder] = None
        for folders in by_game.values():
            said = Counter(_number(_turn_of(folder)) for folder in folders if self._undoes(folder))
            for folder in folders:
                number = _number(_turn_of(folder))
                judged = (self.now(f"{folder}/turn.yaml") or {}).get("status") == "resolved"
                if judged:
                    said[number + 1] -= 1
                if (judged and said[number + 1] < 0) or not (judged or self._undoes(folder)):
                    self.fault(folder, "this turn was put back, but no `undo` ruling says so")

    def _undoes(self, folder: str) -> bool:
        """True if a turn that was put back has an `undo` ruling."""
        return any(_mapping(ruling).get("undo") for ruling in rulings(self.now(f"{folder}/ruling.yaml") or {}))

    # Notes -----------------------------------------------------------------------------------------------------------------

    def _note_sheets_past_intake(self) -> None:
        """Note sheets that no commit of intake introduced: whoever can push can add one, even in place of a player's (FS-14)."""
        by_game: dict[str, list[str]] = defaultdict(list)
        laid: dict[str, list[str]] = defaultdict(list)
        sheets: dict[str, int] = defaultdict(int)
        for path, versions in sorted(self.versions.items()):
            if (match := OPENED.fullmatch(path)) and FILES["sheet"].fullmatch(match["rest"]):
                body = self.body(path)
                here = self.objects.name_of(body) if body is not None else None
                sheets[match["game"]] += here is not None
                for entry, commits in versions.items():
                    receipts = [commit for commit in commits if self._receipt(commit, path, entry)]
                    name = path.removeprefix(f"games/{match['game']}/")
                    if entry.sha == here and not receipts:
                        by_game[match["game"]].append(name)
                    for commit in receipts[:1]:
                        if commit.trailers.get("Courtly-Source") == BY_HOST:
                            laid[match["game"]].append(name)
                        else:
                            file = match["rest"].partition("/")[2].partition(".")[0]
                            self._check_receipt(path, match["game"], match["turn"], file, commit)
                        if entry.sha == here:
                            self._check_arrival(path, match, commit)
        for game, names in sorted(by_game.items()):
            what = f"{len(names)} of {sheets[game]} sheets were not taken in by intake"
            told = (
                "" if len(names) == sheets[game] else ": " + ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")
            )
            self.note(f"games/{game}", what + told)
        for game, names in sorted(laid.items()):
            more = " ..." if len(names) > 10 else ""
            what = f"{len(names)} of {sheets[game]} sheets were entered by the host: {', '.join(names[:10])}{more}"
            self.note(f"games/{game}", what)
        for file in sorted(
            file
            for inside in ((), (OVER,))
            for file in self.files.each(self.root.joinpath("games", *inside), "*", "*", "turn.yaml")
        ):
            path = self.places.known(file.relative_to(self.root).as_posix())  # a file that is in no commit
            if path not in self.versions and OPENED.fullmatch(path) and not self._is_record(path):
                self.proof.unseen += (self.now(path) or {}).get("status") == "resolved"
        if self.proof.unseen:
            what = f"{self.proof.unseen} judged turns were never seen open: nothing proves that their secrets were fixed in time"
            self.note("games", what)

    def _check_arrival(self, path: str, match: re.Match[str], commit: Commit) -> None:
        """Note a sheet whose receipt is later than its turn's closing time: the closing time may be false (RT-6)."""
        closed = (self.now(f"games/{match['game']}/{match['turn']}/turn.yaml") or {}).get("closed")
        came = commit.trailers.get("Courtly-Received", "")
        with contextlib.suppress(Problems):
            if isinstance(closed, str) and (read_time(came) - read_time(closed)).total_seconds() > LATE:
                self.note(
                    path, f"it came in at {came[:20]}, but its turn says that it was closed at {closed[:20]}", commit
                )

    def _check_receipt(self, path: str, slug: str, turn: str, file: str, commit: Commit) -> None:
        """Note impossible receipts of intake: an account that did not hold the seat, or one request for two files."""
        said = commit.trailers
        game = f"games/{slug}"
        held = {
            str(person.get("account"))
            for people in (
                _mapping(self.at(commit.sha, f"{game}/game.yaml").get("seats")),
                _mapping(self.at(commit.sha, f"{game}/{turn}/turn.yaml").get("players")),
                {ruled.get("seat"): ruled for ruled in self._replaced(commit, game, turn)},
                {file: self.at(commit.sha, f"{game}/{FOLDER}/{file}.yaml")},
                {pick.get("seat"): pick for pick in self._picks(commit, game)},
            )
            for seat, person in ((str(seat), _mapping(person)) for seat, person in people.items())
            if seat_file(seat) == file
        }
        account, source = said.get("Courtly-Account", ""), said.get("Courtly-Source", "")
        by = f"account {account[:20]}" if account else "nobody"
        if source and account not in held:
            self.note(path, f"its receipt says that it came from {by}, who did not hold the seat then", commit)
        if source and (other := self.sources.setdefault((source, account), path)) != path:
            self.note(path, f"its receipt names {source[:40]}, which also brought {other}", commit)

    def _replaced(self, commit: Commit, game: str, turn: str) -> Iterator[Mapping[str, Any]]:
        """Players who got a seat by a ruling in the turn, applied or waiting."""
        for ruling in rulings(self.at(commit.sha, f"{game}/{turn}/ruling.yaml")):
            yield _mapping(_mapping(ruling).get("replace"))

    def _picks(self, commit: Commit, game: str) -> Iterator[Mapping[str, Any]]:
        """Players who got a seat by the draw of the game's seats."""
        picks = self.at(commit.sha, f"{game}/{FOLDER}/draw.yaml").get("picks")
        yield from map(_mapping, picks if isinstance(picks, list) else [])

    def _receipt(self, commit: Commit, path: str, entry: Entry) -> bool:
        there = self.places.there(commit.sha, path)
        body = self.objects.blob(entry) if commit.trailers.get("Courtly-File") == there else None
        return body is not None and commit.trailers.get("Courtly-SHA256") == hashlib.sha256(body).hexdigest()

    def _note_exceptions(self) -> None:
        """Note turns and games that are not judged or were judged again, with the first commit that shows this (FS-8)."""
        for path in sorted(path for path in self.versions if GAME.fullmatch(path)):
            now = self.now(path) or {}
            if now.get("kind") == "record":
                self.note(path, "this is a record, which is not judged", self._since(path, "kind", None))
            for key, what in (
                ("as_played", "is kept as it was played"),
                ("rejudged", "was judged again, with all turns after it"),
            ):
                for turn, reason in _mapping(now.get(key)).items():
                    self.note(path, f"{turn} {what}: {reason}", self._since(path, key, turn))
            for turn in _mapping(now.get("as_played")):
                if self._is_judged_anew(path.replace("game.yaml", f"{turn}/turn.yaml"), RESULT):
                    self.note(path, f"{turn} was judged again and is kept as it was played: nothing proves its results")

    def _since(self, path: str, key: str, name: str | None) -> Commit | None:
        now = (self.now(path) or {}).get(key)
        for entry, commits in self.versions[path].items():
            was = self.data(entry, path).get(key)
            if (was == now) if name is None else (name in _mapping(was)):
                return _first(commits)
        return None


LATE = 60 * 60
"""The most seconds that clocks may differ: two times that contradict each other are noted only if they are further apart."""
GROWING = frozenset({"rolls"})
"""Lists with entries that are secret for a while: publishing adds these entries, and changes no others."""


def _grew(was: object, is_: object) -> bool:
    """True if every list that may grow still begins with its earlier entries, in order. Nonces must not change at all."""
    before, after = _mapping(was), _mapping(is_)
    if before.get("nonces") != after.get("nonces"):
        return False
    for name in GROWING:
        held, now = before.get(name), after.get(name)
        left: Iterator[object] = iter(now if isinstance(now, list) else ())
        if not all(any(one == other for other in left) for one in (held if isinstance(held, list) else ())):
            return False
    return True


COMMITTED = {
    "the commitment to its dice": ("dice", "commitment"),
    "the key that sheets are sealed to": ("seal", "recipient"),
    "the name of its master secret": ("seal", "kid"),
    "the format of its key": ("seal", "format"),
    "the width of its sheets": ("seal", "width"),
    "the keys that orders ahead are sealed to": ("seal", "ahead"),
    "the length of its dispatches": ("seal", "dispatch"),
    "the length of its secret.age": ("seal", "secret"),
    "the commitment to the setup": ("setup", "commitment"),
    "the digest of the game's start": ("start", "digest"),
    "the list of ruleset files that the game uses": ("start", "files"),
}
"""Values in a turn's file that are fixed when the turn opens."""
SECRET = ("dice", "seal", "setup")
"""Parts of a judged turn's file that the reveal adds to; nothing in them may change or disappear."""
RULED: Mapping[str, tuple[str, frozenset[str]]] = {
    "position": ("the position that it began with has changed", MOVES),
    "dispatches": ("the digests of its dispatches have changed", MOVES),
    "players": ("who plays its seats has changed", frozenset({"replace"})),
    "absent": ("who is in civil disorder has changed", frozenset({"replace", "absent"})),
    "misses": ("the turns that its seats missed have changed", frozenset({"replace"})),
    "earliest": ("the earliest time for it to be judged has changed", frozenset()),
    "early": ("whether it is judged early has changed", frozenset()),
    "standing": ("its standing sheets have changed", frozenset({"replace"})),
    "ahead": ("whose orders ahead it has has changed", frozenset({"replace"})),
    "phase": ("its phase has changed", frozenset()),
    "put_back": ("the reason for putting back the attempt before it has changed", frozenset()),
}
"""Key of an open turn's file that only rulings change -> the fault if none did, and the kinds of rulings that may."""
WAITING: Mapping[str, tuple[str, frozenset[str]]] = {
    "owing": ("the list of seats that it is waiting for has changed", MOVES | {"absent"}),
    "paused": ("it was paused or resumed", frozenset({"pause", "resume"})),
}
"""Like `RULED`, but only while the turn is open."""
GONE = "this game was removed, or renamed without keeping its original name"
RENAMED = "this game was renamed, and something in it was changed in the same commit"
NOT_OVER = "this game was moved to the games that are over, but it is not over"
TWICE = "two games have this original name"
MOVED_IN = (
    "this game came from another archive, or from before this history: only its files here show how it was opened"
)
UNREADABLE = "this file was gone or could not be read for a while"
MOVED = "this belongs to a turn that was put back, but was changed, removed or added later"
COMPARED = (GAME, KEPT, JOINED, ABSENCE, LETTER, OPENS, OPENED)
"""The paths whose versions are compared, the more special ones first."""
WHO_JOINED = "the record of who joined"
APPLIED = "a ruling was changed or removed after it had been applied"
NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


def attempt(turn: Mapping[str, Any]) -> int:
    """Attempt number in a turn's file; 1 by default."""
    said = str(turn.get("attempt"))
    return int(said) if NUMBER.fullmatch(said) else 1


def rulings(of: Mapping[str, Any]) -> list[Any]:
    """The rulings in a turn's file, or in a `ruling.yaml`."""
    given = of.get("rulings")
    return given if isinstance(given, list) else []


def _deadline(turn: Mapping[str, Any], more: list[Any]) -> Any:
    """A turn's deadline after these further rulings."""
    deadline = turn.get("deadline")
    for ruling in more:
        time = _mapping(ruling).get("extend") or _mapping(ruling).get("resume")
        if isinstance(time, str):
            try:
                deadline = write_time(read_time(time))
            except Problems:
                deadline = time
    return deadline


def _moved(schedule: Schedule, kind: str, deadline: str, absences: list[Mapping[str, Any]]) -> set[str]:
    """Every deadline that absences can lead to from this one, if one after the other moves it."""
    found, left = set[str](), [deadline]
    while left and len(found) < MOST_MOVES:
        found.add(at := left.pop())
        for said in absences:
            with contextlib.suppress(Problems, ValueError, OverflowError):
                span = date.fromisoformat(str(said.get("first"))), date.fromisoformat(str(said.get("last")))
                if read_time(str(said.get("announced"))) > read_time(at):
                    continue
                to = past_absences(schedule, kind, at, [span])
                left += [to] if to not in found else []
    return found - {deadline}


MOST_MOVES = 50
"""Maximum number of deadlines that are tried; no turn is moved so often."""


def _sooner(was: Mapping[str, Any], more: list[Mapping[str, Any]], is_: Mapping[str, Any]) -> bool:
    """True if a turn that is judged once all sheets are in got an earlier deadline by that."""
    times = (_deadline(was, more), is_.get("deadline"))
    if was.get("early") != "all" or was.get("status") != "open" or not all(isinstance(time, str) for time in times):
        return False
    try:
        before, after = (read_time(str(time)) for time in times)
    except Problems:
        return False
    return after < before


def _files(data: Mapping[str, Any]) -> set[str]:
    """The names in a turn's `unopened.yaml`."""
    names = data.get("files")
    return {str(name) for name in names} if isinstance(names, list) else set()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(turn: str) -> int:
    head = turn.partition("-")[0]
    return int(head) if NUMBER.fullmatch(head) else 0


def _turn_of(folder: str) -> str:
    """The name of the turn in a folder of undone/."""
    return folder.rpartition("/")[2].rpartition(".")[0]


def _too_early(turn: Mapping[str, Any]) -> Iterator[str]:
    """Faults if an open turn's file contains facts that are known only once the turn has been judged."""
    if turn.get("status") != "open":
        return
    early = [
        *((key,) for key in sorted(RESULT | {"closed"})),
        ("seal", "identity"),
        ("seal", "ahead_identity"),
        ("dice", "secret"),
        ("dice", "digest"),
    ]
    if "dispatches" in turn:  # without hidden information a setup's dice are public from the beginning
        early.append(("setup", "secret"))
    for key, *below in early:
        value = turn.get(key) if not below else _mapping(turn.get(key)).get(below[0])
        if value is not None:
            yield f"`{'.'.join((key, *below))}` was in the file before the turn was judged"


def _sealed_dice(turn: Mapping[str, Any]) -> Any:
    """The commitment to a turn's dice in a sealed game; otherwise None."""
    return _mapping(turn.get("dice")).get("commitment") if "seal" in turn else None


def _read(body: bytes, path: str) -> Mapping[str, Any]:
    try:
        data = read(body, path, limit=OWN_LIMIT).data
    except Problems:
        return {}
    return data if isinstance(data, dict) else {}


def _first(commits: list[Commit]) -> Commit | None:
    return commits[0] if commits else None
