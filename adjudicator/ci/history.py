"""What only the history can prove: that secrets were fixed before sheets came, and that nothing sent, said or judged was changed.

Every version that a file ever had, in any commit that can be reached (those on side branches and in merges, too), is held against what
is there now; and every change against what its turn allowed at that time. The table in SECURITY.md says what may change when; each of
its cells is a rule here. What may change but deserves to be known is a note, and no alarm.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.ci.objects import TREE, Change, Commit, Entry, Objects
from adjudicator.core.archive import SLUG, TURN, UNDONE
from adjudicator.core.game import CHARTER
from adjudicator.core.join import FOLDER
from adjudicator.core.problems import Problem, Problems, problem
from adjudicator.core.schedule import read_time, write_time
from adjudicator.core.yamltext import OWN_LIMIT, read

_TURN = rf"games/(?P<game>{SLUG.pattern})/(?P<turn>{TURN.pattern})"
FILES = {
    "charter": re.compile(re.escape(CHARTER)),
    "game": re.compile(rf"games/(?P<game>{SLUG.pattern})/game\.yaml"),
    "turn": re.compile(rf"{_TURN}/turn\.yaml"),
    "sheet": re.compile(rf"{_TURN}/orders/[a-z0-9.-]+\.yaml(?:\.age)?"),
    "ruling": re.compile(rf"{_TURN}/ruling\.yaml"),
    "dispatch": re.compile(rf"{_TURN}/dispatches/[a-z0-9-]+\.age"),
    "secret": re.compile(rf"{_TURN}/secret\.age"),
    "joined": re.compile(rf"games/(?P<game>{SLUG.pattern})/{FOLDER}/[a-z0-9-]+\.yaml"),
    "undone": re.compile(rf"games/(?P<game>{SLUG.pattern})/{UNDONE}/.+"),
}
"""Kind of file -> where it lies."""
FIXED = ("ruleset", "id", "sealed", "seed", "setup", "opened", "settings", "kind")
"""What of a game.yaml never changes once the game has begun."""
JUDGED = frozenset(
    {
        "verdicts",
        "events",
        "rolls",
        "ended",
        "position",
        "deadline",
        "sheets",
        "stood",
        "refused",
        "standing",
        "absent",
        "owing",
    }
)
"""What of a turn's file may differ when the project judged it anew, and says so under `rejudged`."""
MOVES = frozenset({"correct", "decide", "hidden", "replace"})
"""Rulings after which a turn's position or its dispatches are others."""
RESTORE = "restore it from the history"


@dataclass
class Report:
    """What a history proves: judged turns by whether they were seen open before; what speaks against any; what is worth knowing."""

    seen: int = 0
    unseen: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)


def check_history(root: Path) -> Report:
    """What the history of an archive proves. Raises `Problems` when this is no git repository with its whole history."""
    with Objects(root) as objects:
        return _History(objects, root).report()


class _History:
    """A history while it is read: every version of every file, and who put it there."""

    def __init__(self, objects: Objects, root: Path) -> None:
        self.objects, self.root = objects, root
        self.versions: dict[str, dict[Entry, list[Commit]]] = defaultdict(dict)
        """Path -> each version it ever had -> the commits that put it there."""
        self.found = Report()
        self.told: set[tuple[str, str]] = set()
        self.plain: dict[str, Mapping[str, Any]] = {}

    # Saying -----------------------------------------------------------------------------------------------------------

    def fault(self, path: str, what: str, commit: Commit | None = None, right: str = RESTORE) -> None:
        self._say(self.found.problems, path, what, commit, right, "error")

    def note(self, path: str, what: str, commit: Commit | None = None, right: str = "") -> None:
        self._say(self.found.notes, path, what, commit, right, "warning")

    def _say(self, where: list[Problem], path: str, what: str, commit: Commit | None, right: str, level: Any) -> None:
        if (path, what) not in self.told:  # the first commit that shows it
            self.told.add((path, what))
            where.append(Problem(path, 0, 0, what + (f" (commit {commit.sha[:12]})" if commit else ""), right, level))

    # Reading ----------------------------------------------------------------------------------------------------------

    def report(self) -> Report:
        for change in self._changes():
            for entry in (change.old, change.new):
                if entry is not None:
                    self.versions[change.path].setdefault(entry, [])
            if change.new is not None:
                self.versions[change.path][change.new].append(change.commit)
            if change.parent is not None:
                self._judge_change(change)
        for path in sorted(self.versions):
            self._judge_path(path)
        self._taken_in()
        self._exceptions()
        return self.found

    def _changes(self) -> Iterator[Change]:
        """Every change below games/, from the beginning, or from where archive.yaml says that the history counts."""
        skipped: set[str] = set()
        charter = self.now(CHARTER)
        since = charter.get("since") if charter else None
        if isinstance(since, dict):
            commit, why = str(since.get("commit")), str(since.get("reason"))
            skipped = self.objects.reaches(commit)
            if commit not in self.objects.reaches(self.objects.head):
                raise problem(CHARTER, f"the commit {commit[:12]} is none before this one", "see `since:`")
            self.note(CHARTER, f"the history before commit {commit[:12]} is not looked at: {why}")
            start = self.objects.commit(commit)
            bare = Commit(start.sha, start.tree, (), start.message)
            yield from self.objects.changes(bare, "games")
        for commit_ in self.objects.commits():
            if commit_.sha not in skipped:
                yield from self.objects.changes(commit_, "games")

    def data(self, body: bytes, path: str) -> Mapping[str, Any]:
        """A file's data; nothing for one that cannot be read, which is no file of an archive."""
        name = self.objects.name_of(body)
        if name not in self.plain:
            try:
                found = read(body, path, limit=OWN_LIMIT).data
            except Problems:
                found = None
            self.plain[name] = found if isinstance(found, dict) else {}
        return self.plain[name]

    def now(self, path: str) -> Mapping[str, Any] | None:
        """A file as it lies here, read; None where there is none."""
        body = self.body(path)
        return self.data(body, path) if body is not None else None

    def body(self, path: str) -> bytes | None:
        """The bytes of a file as it lies here; None where there is none."""
        place = self.root / path
        return place.read_bytes() if place.is_file() and not place.is_symlink() else None

    def at(self, commit: str, path: str) -> Mapping[str, Any]:
        """A file in a commit, read; nothing where there is none."""
        body = self.objects.file(commit, path)
        return self.data(body, path) if body is not None else {}

    def places(self, path: str) -> list[str]:
        """Where a turn's file may lie now: where it lay, or among what was undone."""
        _, game, turn, rest = path.split("/", 3)
        undone = self.root / "games" / game / UNDONE
        found = sorted(undone.glob(f"{turn}.*")) if undone.is_dir() else []
        return [path, *(f"games/{game}/{UNDONE}/{one.name}/{rest}" for one in found)]

    # Changes, each by what its turn allowed at that time ------------------------------------------------------------------

    def _judge_change(self, change: Change) -> None:
        for kind, pattern in FILES.items():
            if match := pattern.fullmatch(change.path):
                rule = getattr(self, f"_changed_{kind}", None)
                if rule is not None:
                    rule(change, match)

    def _was_judged(self, change: Change, match: re.Match[str]) -> bool:
        """Whether a turn had been judged before a change, and was not begun again by it."""
        assert change.parent is not None
        path = f"games/{match['game']}/{match['turn']}/turn.yaml"
        was, is_ = self.at(change.parent, path), self.at(change.commit.sha, path)
        return was.get("status") == "resolved" and bool(is_) and attempt(was) == attempt(is_)

    def _changed_sheet(self, change: Change, match: re.Match[str]) -> None:
        if change.old is None and self._was_judged(change, match):
            self.fault(change.path, "this sheet was added after its turn had been judged", change.commit, "remove it")

    def _changed_ruling(self, change: Change, match: re.Match[str]) -> None:
        if self._was_judged(change, match):
            self.fault(change.path, "rulings were changed after their turn had been judged", change.commit)

    def _changed_dispatch(self, change: Change, match: re.Match[str]) -> None:
        if change.old is not None and not self._goes_with_its_turn(change, match):
            done = "changed" if change.new is not None else "removed"
            over = self.objects.file(change.parent or "", f"games/{match['game']}/ending.yaml") is not None
            if over and done == "removed":
                self.note(f"games/{match['game']}", "dispatches were removed after the game's end", change.commit)
            else:
                self.fault(change.path, f"this dispatch was {done}, and no ruling says why", change.commit)

    def _goes_with_its_turn(self, change: Change, match: re.Match[str]) -> bool:
        """Whether a change of what is sealed goes with new rulings, or with the turn's being put back."""
        assert change.parent is not None
        path = f"games/{match['game']}/{match['turn']}/turn.yaml"
        was, is_ = self.at(change.parent, path), self.at(change.commit.sha, path)
        if not is_ or attempt(was) != attempt(is_):
            return True  # the turn itself went, or was begun again; that is judged by its own rule
        return rulings(was) != rulings(is_) or bool(
            was.get("status") != is_.get("status") and match.re is FILES["secret"]
        )

    def _changed_secret(self, change: Change, match: re.Match[str]) -> None:
        if change.old is not None and not self._goes_with_its_turn(change, match):
            done = "changed" if change.new is not None else "removed"
            self.fault(
                change.path, f"what is sealed of the turn was {done}, and its file does not say why", change.commit
            )

    def _changed_charter(self, change: Change, match: re.Match[str]) -> None:
        assert change.parent is not None
        was, is_ = self.at(change.parent, CHARTER), self.at(change.commit.sha, CHARTER)
        if was and was.get("archive") != is_.get("archive"):
            self.fault(CHARTER, "the archive's id was changed", change.commit)
        for key in ("repository", "branch", "since"):
            if was and was.get(key) != is_.get(key):
                self.note(CHARTER, f"`{key}` was changed", change.commit)

    def _changed_game(self, change: Change, match: re.Match[str]) -> None:
        assert change.parent is not None
        folder = self.objects.folder(change.parent, f"games/{match['game']}")
        names = self.objects.tree(folder) if folder is not None else {}
        begun = any(TURN.fullmatch(name) and one.mode == TREE for name, one in names.items())
        if change.old is None or change.new is None or not begun:
            return
        was, is_ = self.at(change.parent, change.path), self.at(change.commit.sha, change.path)
        for key in sorted({*was, *is_} - {"seats"}):
            if was.get(key) != is_.get(key):
                if key in FIXED:
                    self.fault(change.path, f"`{key}` was changed after the game had begun", change.commit)
                else:
                    self.note(change.path, f"`{key}` was changed", change.commit)
        self._seats(change, _mapping(was.get("seats")), _mapping(is_.get("seats")))

    def _seats(self, change: Change, was: Mapping[str, Any], is_: Mapping[str, Any]) -> None:
        if set(was) != set(is_):
            self.fault(change.path, "seats were added or removed after the game had begun", change.commit)
        for seat in sorted(set(was) & set(is_)):
            old, new = _mapping(was[seat]), _mapping(is_[seat])
            for key in sorted(key for key in {*old, *new} if old.get(key) != new.get(key)):
                if key == "player" or key not in old:
                    self.note(
                        change.path, f"`{key}` of {seat} was {'changed' if key in old else 'added'}", change.commit
                    )
                else:
                    right = "give the seat to another by a ruling `replace`"
                    self.fault(change.path, f"`{key}` of {seat} was changed without a ruling", change.commit, right)

    # Versions, each against what is there now --------------------------------------------------------------------------------

    def _judge_path(self, path: str) -> None:
        for kind in ("turn", "sheet", "ruling", "joined", "undone"):
            if FILES[kind].fullmatch(path):
                getattr(self, f"_kept_{kind}")(path)

    def _gone(self, path: str) -> bool:
        """Whether a file's whole game is gone, which is said once."""
        game = path.split("/")[1]
        if (self.root / "games" / game).is_dir():
            return False
        self.fault(f"games/{game}", "this game was removed or renamed", None, RESTORE)
        return True

    def _kept_sheet(self, path: str) -> None:
        if self._gone(path):
            return
        here = {self.objects.name_of(body) for place in self.places(path) if (body := self.body(place)) is not None}
        for entry, commits in self.versions[path].items():
            if entry.sha not in here:
                done = "was changed" if self.body(path) is not None else "is gone"
                self.fault(path, f"this sheet {done}, which once was sent as {entry.sha[:12]}", _first(commits))

    def _kept_joined(self, path: str) -> None:
        if self._gone(path):
            return
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        for entry, commits in self.versions[path].items():
            if entry.sha != here:
                done = "is gone" if here is None else "was changed"
                right = "give the seat to another by a ruling `replace`"
                self.fault(path, f"who joined {done}", _first(commits), right)
            elif not any(self._receipt(one, path, entry) for one in commits):
                self.note(path, "who joined was not entered by intake", _first(commits))

    def _kept_undone(self, path: str) -> None:
        body = self.body(path)
        here = self.objects.name_of(body) if body is not None else None
        for entry, commits in self.versions[path].items():
            if entry.sha != here and not self._gone(path):
                self.fault(
                    path, "this is kept of a turn that was put back, and was changed or removed", _first(commits)
                )

    def _kept_ruling(self, path: str) -> None:
        if self._gone(path):
            return
        now = [rulings(one) for place in self.places(path) if (one := self.now(place)) is not None]
        for entry, commits in self.versions[path].items():
            was = rulings(self.data(self.objects.blob(entry.sha), path))
            if was and not any(one[: len(was)] == was for one in now):
                self.note(path, "a ruling was taken back or changed before it was applied", _first(commits))

    def _kept_turn(self, path: str) -> None:
        if self._gone(path):
            return
        now = {attempt(one): (place, one) for place in self.places(path) if (one := self.now(place)) is not None}
        open_seen: set[int] = set()
        before = len(self.found.problems)
        for entry, commits in self.versions[path].items():
            was = self.data(self.objects.blob(entry.sha), path)
            if not was:
                continue
            place, is_ = now.get(attempt(was), (path, None))
            if was.get("status") == "open":
                open_seen.add(attempt(was))
            if is_ is None:
                self.fault(path, "this turn was removed", _first(commits))
            else:
                for what in self._differs(path, was, is_):
                    self.fault(place, what, _first(commits))
        for number, (_, is_) in sorted(now.items()):
            if is_.get("status") != "resolved":
                continue
            if number in open_seen:
                self.found.seen += len(self.found.problems) == before
            else:
                self.found.unseen += 1

    def _differs(self, path: str, was: Mapping[str, Any], is_: Mapping[str, Any]) -> Iterator[str]:
        """What an earlier version of a turn's file says that the one here does not go on from."""
        for name, (group, key) in COMMITTED.items():
            if _mapping(was.get(group)).get(key) != _mapping(is_.get(group)).get(key):
                yield f"{name} is not the one it once was"
        given, now = rulings(was), rulings(is_)
        if now[: len(given)] != given:
            yield "a ruling that was applied was changed or removed"
            return
        anew = self._anew(path)
        if was.get("status") == "resolved":
            yield from self._differs_judged(was, is_, anew=anew)
            return
        if was.get("opened") != is_.get("opened"):
            yield "the time at which it opened is not what it was"
        moved = any(MOVES & set(_mapping(ruling)) for ruling in now[len(given) :])
        if _deadline(was, now[len(given) :]) != is_.get("deadline") and not anew:
            yield "the deadline is another, and no ruling says so"
        if not moved and not anew:
            if was.get("position") != is_.get("position"):
                yield "the position it began with is another, and no ruling says so"
            if was.get("dispatches") != is_.get("dispatches"):
                yield "the digests of its dispatches are others, and no ruling says so"

    def _differs_judged(self, was: Mapping[str, Any], is_: Mapping[str, Any], *, anew: bool) -> Iterator[str]:
        if is_.get("status") == "open":
            yield "it was judged, and is open again: its keys were published"
            return
        for key in sorted({*was, *is_}):
            if key in SECRET:
                old, new = _mapping(was.get(key)), _mapping(is_.get(key))
                if any(new.get(name) != value for name, value in old.items() if name != "rolls"):
                    yield f"`{key}` was changed after it was judged"
            elif was.get(key) != is_.get(key) and not (anew and key in JUDGED):
                yield f"`{key}` was changed after it was judged"

    def _anew(self, path: str) -> bool:
        """Whether the game says that it was judged anew from this turn on, or from one before it."""
        _, game, turn, _ = path.split("/")
        named = _mapping((self.now(f"games/{game}/game.yaml") or {}).get("rejudged"))
        return any(_number(one) <= _number(turn) for one in named)

    # What is worth knowing ------------------------------------------------------------------------------------------------

    def _taken_in(self) -> None:
        """The sheets that no commit of intake brought: whoever may push can add one, above a player's too (FS-14)."""
        by_game: dict[str, list[str]] = defaultdict(list)
        sheets: dict[str, int] = defaultdict(int)
        for path, versions in sorted(self.versions.items()):
            if match := FILES["sheet"].fullmatch(path):
                body = self.body(path)
                here = self.objects.name_of(body) if body is not None else None
                sheets[match["game"]] += here is not None
                for entry, commits in versions.items():
                    if entry.sha == here and not any(self._receipt(one, path, entry) for one in commits):
                        by_game[match["game"]].append(path.removeprefix(f"games/{match['game']}/"))
        for game, names in by_game.items():
            what = f"{len(names)} of {sheets[game]} sheets were not taken in by intake"
            told = (
                "" if len(names) == sheets[game] else ": " + ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")
            )
            self.note(f"games/{game}", what + told)
        if self.found.unseen:
            what = f"{self.found.unseen} judged turns were never seen open: that their secrets were fixed in time is not proved"
            self.note("games", what)

    def _receipt(self, commit: Commit, path: str, entry: Entry) -> bool:
        said = dict(line.split(": ", 1) for line in commit.message.splitlines() if line.startswith("Courtly-"))
        digest = hashlib.sha256(self.objects.blob(entry.sha)).hexdigest()
        return said.get("Courtly-File") == path and said.get("Courtly-SHA256") == digest

    def _exceptions(self) -> None:
        """The turns and games that are not judged, or were judged anew, and the commit that says so first (FS-8)."""
        for path in sorted(one for one in self.versions if FILES["game"].fullmatch(one)):
            now = self.now(path) or {}
            if now.get("kind") == "record":
                self.note(path, "this is a record, and is not judged", self._since(path, "kind", None))
            for key, what in (
                ("as_played", "stands as it was played"),
                ("rejudged", "was judged anew, with all after it"),
            ):
                for turn, reason in _mapping(now.get(key)).items():
                    self.note(path, f"{turn} {what}: {reason}", self._since(path, key, turn))

    def _since(self, path: str, key: str, name: str | None) -> Commit | None:
        now = (self.now(path) or {}).get(key)
        for entry, commits in self.versions[path].items():
            was = self.data(self.objects.blob(entry.sha), path).get(key)
            if (was == now) if name is None else (name in _mapping(was)):
                return _first(commits)
        return None


COMMITTED = {
    "the commitment to its dice": ("dice", "commitment"),
    "the key that sheets are sealed to": ("seal", "recipient"),
    "the name of its master secret": ("seal", "kid"),
    "the format of its key": ("seal", "format"),
    "the width of its sheets": ("seal", "width"),
    "the commitment to the setup": ("setup", "commitment"),
}
"""What a turn's file fixes when the turn opens."""
SECRET = ("dice", "seal", "setup")
"""Parts of a judged turn's file to which the reveal adds, and from which nothing goes."""


def attempt(turn: Mapping[str, Any]) -> int:
    """How often a turn had been begun, by its file."""
    said = turn.get("attempt")
    return int(said) if isinstance(said, int | str) and str(said).isdigit() else 1


def rulings(of: Mapping[str, Any]) -> list[Any]:
    """The rulings in a turn's file, or in a `ruling.yaml`."""
    found = of.get("rulings")
    return found if isinstance(found, list) else []


def _deadline(turn: Mapping[str, Any], more: list[Any]) -> Any:
    """A turn's deadline after more rulings."""
    deadline = turn.get("deadline")
    for ruling in more:
        time = _mapping(ruling).get("extend") or _mapping(ruling).get("resume")
        if isinstance(time, str):
            try:
                deadline = write_time(read_time(time))
            except Problems:
                deadline = time
    return deadline


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(turn: str) -> int:
    head = turn.partition("-")[0]
    return int(head) if head.isdigit() else 0


def _first(commits: list[Commit]) -> Commit | None:
    return commits[0] if commits else None
