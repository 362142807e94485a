"""Attacks of hostile people, case by case: each is refused in words, nothing changes, and the game goes on.

Each case is played twice. The second time the statement that refused is taken out of the program (see `mutants`), and
then the same refusal must not come: so no case passes by accident, and no refusal can be lost unseen.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import json
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias
from unittest import mock

import pytest
from click.testing import CliRunner

from adjudicator.ci.adjudicate import Batch, adjudicate, judge_due_games
from adjudicator.ci.catch_up import Caught
from adjudicator.ci.channels import Channel, announce, news
from adjudicator.ci.clone import Clone
from adjudicator.ci.github import GitHub
from adjudicator.cli import main
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import seat_file
from adjudicator.core.jobs.letters import letter
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import BINARY, decrypt, encrypt, new_identity, recipient_of
from adjudicator.core.secrets.envelope import OPEN_WIDTH, pad
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_game, load_turn
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, MASTER, World, game_data, start
from tests.ci.fake import ENVIRONMENT, OWNER, FakeGitHub, git
from tests.ci.mutants import PACKAGE, Instead, Site, Watch, refusals, without
from tests.conftest import first_of

pytestmark = pytest.mark.slow

NEXT = "002-fall-1901-movement"
STRANGER = 999
LATE = "2026-11-22T06:00:00Z"
"""After every deadline of the first turns."""
SHEET = b"orders:\n  - A Vienna - Galicia\n"
RULING = f"games/open/{FIRST}/ruling.yaml"
REPLACED = b"rulings:\n  - reason: gone\n    replace: {seat: Austria, player: Alex, account: 200}\n"


def path(file: str, game: str = "open", turn: str = FIRST) -> str:
    """Where a sheet lives."""
    return f"games/{game}/{turn}/orders/{file}"


Files: TypeAlias = Mapping[str, bytes | tuple[str, bytes] | None]


def sets(thing: object, name: str, value: object) -> None:
    """Replace a method."""
    setattr(thing, name, value)


# A world, attacked ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with two games, `summer` (sealed) and `open`, and with sheets of England and Russia."""
    folder = tmp_path_factory.mktemp("hostile") / "template"
    folder.mkdir()
    with mock.patch.dict(ENVIRONMENT, GIT_TEMPLATE_DIR=""):  # so there is less to copy
        world = start(folder, {"summer": game_data(), "open": game_data(sealed=False, seed="s")})
        files: Files = {
            path("england.yaml"): b"orders: [F London - North Sea]\n",
            path("russia.yaml"): b"orders: [A Moscow - Ukraine]\n",
            path("england.yaml.age", "summer"): world.sealed("England", ["F London - North Sea"]),
            path("russia.yaml.age", "summer"): world.sealed("Russia", ["A Moscow - Ukraine"]),
        }
        world.fake.push_to_main(files)
        world.clone.update()
        world.github.close_pool()
        world.fake.stop()
        yield folder


class Stranger(str):
    """A comment that somebody else wrote."""

    __slots__ = ()


class Scene:
    """A world for one attack after the other, and the parts of it that must not change."""

    def __init__(self, template: Path, folder: Path) -> None:
        shutil.copytree(template, folder)
        self.folder = folder
        self.fake = FakeGitHub(folder)
        self.fake.limits = None  # hundreds of attacks in one minute
        self.by_catch_up = False
        """True if catch-up answers requests, instead of intake."""
        self.first, self.start = self.fake.main(), self.fake.now
        sets(self.fake.server, "handle_error", lambda *about: None)  # connections are dropped on purpose
        root = folder / "clone"
        git(root, "remote", "set-url", "origin", str(self.fake.repository))
        self.world = World(self.fake, Clone(root, "main"), Archive(root, MASTER), self.connect(), root)
        self.was_judged = False
        self.played: set[str] = set()
        self.folders = 0
        self.verified: set[object] = set()
        self.keep()

    def connect(self) -> GitHub:
        """The job's connection."""
        return GitHub(self.fake.address, OWNER, "token", patience=0.0)

    def calm(self) -> None:
        """End the server's trouble, and begin the next job."""
        self.fake.faults.clear()
        self.fake.before.clear()
        vars(self.fake).pop("serve", None)
        self.world.github.close_pool()
        self.world.github = self.connect()

    def reset(self) -> Scene:
        """Make the world again from the template."""
        self.calm()
        self.fake.pulls.clear()
        self.fake.issues.clear()
        self.fake.calls.clear()
        vars(self.fake).pop("changed", None)
        self.fake.now = self.start
        if self.fake.main() != self.first:
            self.fake.git("update-ref", "refs/heads/main", self.first)
            self.world.clone.update()
        self.was_judged = False
        self.keep()
        return self

    def close(self) -> None:
        self.world.github.close_pool()
        self.fake.stop()

    def keep(self) -> None:
        """Keep the current state of the branch."""
        self.head = self.fake.main()
        self.kept = self.fake.files(self.head)

    # Attacks ------------------------------------------------------------------------------------------------------

    def offer(self, who: str | int, files: Files, login: str = "anna", **more: Any) -> int:
        """Open a pull request by the holder of a seat, or by an account."""
        return self.fake.open_pull(ACCOUNTS[who] if isinstance(who, str) else who, login, files, **more)

    def take(self, number: int) -> str:
        """Run intake or catch-up; return the message to the player, the fault of the job, or the line of a silent outcome."""
        try:
            if self.by_catch_up:
                caught = self.world.catch_up()
                if caught.problems:
                    return f"the job fails: {Problems(caught.problems)}"
                done = next((one for one in caught.outcomes if one.number == number), None)
                if done is None:
                    return "left"
            else:
                done = self.world.intake(number)
        except Problems as error:
            return f"the job fails: {error}"
        if done.what == "refused":
            asked = self.fake.asked_for(number)
            assert asked is not None
            told = [comment for comment in asked.comments if not isinstance(comment, Stranger)]
            assert len(told) == 1
            return told[0]
        return f"{done.what}: {done.line}"

    def tries(self, who: str | int, files: Files, login: str = "anna", **more: Any) -> str:
        """Open a pull request and run intake."""
        return self.take(self.offer(who, files, login, **more))

    def pushes(self, files: Files) -> None:
        """Push as somebody with the right to."""
        self.fake.push_to_main(files)
        self.keep()

    def plays(self, slug: str, *, open_now: bool = False, **data: Any) -> None:
        """One more game."""
        self.world.clone.update()
        new_game(self.world.archive, slug, game_data(**data), open_now=open_now)
        assert self.world.clone.commit([f"A game called {slug}"], "2026-11-20T12:00Z")
        assert self.world.clone.push()
        self.keep()

    def lists(self, number: int, name: str) -> None:
        """Make the server list this file as added by a pull request, whatever the commit contains."""
        real = self.fake.changed
        said = [{"filename": name, "status": "added"}]
        sets(self.fake, "changed", lambda pull: said if pull.number == number else real(pull))

    def answers(self, change: Callable[[str, int, Any], tuple[int, Any] | None]) -> None:
        """Change answers: `change` gets the call, status and data after the server has done its work."""
        real = self.fake.serve

        def changed(method: str, where: str, body: Any) -> tuple[int, Any]:
            status, data = real(method, where, body)
            return change(f"{method} {where}", status, data) or (status, data)

        sets(self.fake, "serve", changed)

    def fails(self, call: str, status: int, headers: Mapping[str, str] | None = None, *, times: int = 10**9) -> None:
        """Let the server answer calls like this with a status, so many times."""
        counted = count(1)

        def fault(method: str, where: str) -> tuple[int, dict[str, str]] | None:
            fits = re.match(call, f"{method} {where}") and next(counted) <= times
            return (status, dict(headers or {})) if fits else None

        self.fake.faults.append(fault)

    def before(self, call: str, act: Callable[[], None], *, times: int = 1) -> None:
        """Do something just before calls like this are answered."""
        counted = count(1)

        def hook(method: str, where: str) -> None:
            if re.match(call, f"{method} {where}") and next(counted) <= times:
                act()
                self.keep()

        self.fake.before.append(hook)

    def drops(self, call: str, *, times: int = 10**9) -> None:
        """Let the server drop the connection at calls like this."""

        def drop() -> None:
            raise ConnectionAbortedError

        self.before(call, drop, times=times)

    @contextlib.contextmanager
    def no_download(self) -> Iterator[None]:
        """Assert that nothing is downloaded meanwhile."""
        done = len(self.fake.calls)
        yield
        assert not [call for call in self.fake.calls[done:] if "/git/blobs" in call]

    # Sealed sheets ------------------------------------------------------------------------------------------------

    @property
    def recipient(self) -> str:
        seal = self.world.turn("summer").data.seal
        assert seal is not None
        return seal.recipient

    def sent(self, seat: str) -> bytes:
        """A seat's first sheet of the sealed game."""
        return self.fake.read(path(f"{seat.lower()}.yaml.age", "summer"))

    def sealed(self, number: int) -> bytes:
        """Another sheet of Russia, sealed."""
        return self.world.sealed("Russia", ["A Moscow - Livonia"], sequence=number)

    def inside(self, number: int, sheet: bytes, **changes: Any) -> bytes:
        """A sealed sheet of Russia with exactly this text inside."""
        game = load_game(self.world.archive, "summer")
        said = {"archive": game.archive, "game": "summer", "turn": FIRST, "attempt": 1, "seat": "Russia"}
        said |= {"account": 106}
        said |= {"sequence": number, "nonce": "0" * 32} | changes
        return encrypt(pad(write(said).encode() + sheet, OPEN_WIDTH), [self.recipient], armored=True)

    # Afterwards ---------------------------------------------------------------------------------------------------

    def turn(self, game: str, name: str = FIRST) -> Turn:
        self.world.clone.update()
        return load_turn(self.world.archive, load_game(self.world.archive, game), name)

    def is_unchanged(self) -> None:
        assert self.fake.main() == self.head
        assert self.fake.files() == self.kept

    def judge(self, at: str = LATE, **options: Any) -> Batch:
        """Run catch-up and the adjudication; assert that people's files did not change."""
        caught = self.world.catch_up(at, **options)
        while caught.left:  # the next run, and the next
            caught.left, again = 0, self.world.catch_up(at, **options)
            caught.outcomes += again.outcomes
            caught.left = again.left
        self.caught = caught
        batch = self.world.adjudicate(at)
        batch.problems = [fault for fault in caught.problems if fault.level == "error"] + batch.problems
        after = {name.replace("games/over/", "games/"): entry for name, entry in self.fake.files().items()}
        assert {name: after.get(name) for name in self.kept if is_peoples(name)} == {
            name: entry for name, entry in self.kept.items() if is_peoples(name)
        }
        self.keep()
        self.was_judged = True
        return batch

    def goes_on(self, *, catches_up: bool = False) -> None:
        """The games are judged all the same, from the sheets of those who sent some, and anybody can verify them."""
        self.calm()
        before = set(filter(is_peoples, self.kept))
        if not self.was_judged:
            batch = self.judge()
            assert (batch.problems, batch.held) == ([], [])
        assert bool(set(filter(is_peoples, self.kept)) - before) == catches_up
        tree = self.fake.git("rev-parse", "main^{tree}")
        if tree in self.verified:
            return  # the same files as after another attack, to the byte
        self.verified.add(tree)
        fresh = self.elsewhere()
        archive = Archive(fresh)
        for slug in archive.slugs():
            assert verify_game(archive, slug).problems == ()
        for game, file in (("summer", "england.yaml.age"), ("open", "england.yaml")):
            data = load_turn(archive, load_game(archive, game), FIRST).data
            digest = hashlib.sha256((archive.game_folder(game) / FIRST / "orders" / file).read_bytes()).hexdigest()
            assert (data.status, (data.sheets or {})["England"]) == ("resolved", digest)

    def elsewhere(self) -> Path:
        """Make a stranger's clone."""
        self.folders += 1
        folder = self.folder / f"clone-{self.folders}"
        git(self.folder, "clone", "--quiet", str(self.fake.repository), str(folder))
        return folder


def is_peoples(name: str) -> bool:
    """True if a file is one that people write."""
    return "/orders/" in name or name.endswith(("ruling.yaml", "game.yaml", "archive.yaml"))


@pytest.fixture(scope="module")
def stage(template: Path) -> Iterator[Scene]:
    """A scene for all the cases of this module, reset for each."""
    scene = Scene(template, template.with_name("stage"))
    yield scene
    scene.close()


@pytest.fixture(scope="module")
def crowd(template: Path) -> Iterator[Scene]:
    """A scene that keeps every pull request open if it changes nothing."""
    scene = Scene(template, template.with_name("crowd"))
    yield scene
    scene.close()


@pytest.fixture(scope="module")
def missed(template: Path) -> Iterator[Scene]:
    """A scene that loses every event; catch-up answers the open pull requests."""
    scene = Scene(template, template.with_name("missed"))
    scene.by_catch_up = True
    yield scene
    scene.close()


# The table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One attack, and the words that refuse it."""

    name: str
    words: str
    play: Callable[[Scene], str]
    instead: Instead | None = None
    """The defence, if the words of refusal do not come from a statement that can be removed."""
    catches_up: bool = False
    """True if the next adjudication takes the sheet in, because nothing was wrong with it."""
    alone: bool = True
    """True if it needs a world to itself."""
    hole: str = ""
    """Why it does not pass yet."""


CASES: list[Case] = []


def case(
    name: str, words: str, instead: Instead | None = None, **more: Any
) -> Callable[[Callable[[Scene], str]], Callable[[Scene], str]]:
    """Put a function into the table."""

    def put(play: Callable[[Scene], str]) -> Callable[[Scene], str]:
        CASES.append(Case(name, words, play, instead, **more))
        return play

    return put


def simple(name: str, words: str, who: str | int, files: Files, login: str = "anna", **more: Any) -> None:
    """A case that is one pull request."""
    CASES.append(Case(name, words, lambda scene: scene.tries(who, files, login, **more), alone=False))


@dataclass(frozen=True)
class Sealed:
    """A sealed sheet whose fault nobody can see from outside, and the words in `turn.yaml` that refuse it."""

    name: str
    words: str
    body: Callable[[Scene, int], bytes]
    """File for Russia's sheet with this number."""


SEALED: list[Sealed] = []

# Seats

simple("another seat's sheet", "your account does not hold Austria; it holds England",
       "England", {path("austria.yaml"): SHEET})  # fmt: skip
simple("another seat's sheet, sealed", "your account does not hold Austria; it holds England",
       "England", {path("austria.yaml.age", "summer"): b"x"})  # fmt: skip
simple("a stranger", "your account does not hold Austria; it holds no seat in this game",
       STRANGER, {path("austria.yaml"): SHEET})  # fmt: skip
simple("the host", "your account does not hold Austria; it holds no seat in this game",
       HOST, {path("austria.yaml"): SHEET})  # fmt: skip
simple("another account by the player's name", "your account does not hold Austria",
       STRANGER, {path("austria.yaml"): SHEET}, "Austria")  # fmt: skip
simple("a forged author of the commit", "your account does not hold Austria",
       STRANGER, {path("austria.yaml"): SHEET}, author="Austria’s player")  # fmt: skip


@case("a seat of which no account is known", "no account is known for Austria; ")
def _(scene: Scene) -> str:
    people = {seat: {"player": "Somebody"} for seat in ACCOUNTS}
    scene.plays("nobody", sealed=False, seed="s", seats=people)
    return scene.tries("Austria", {path("austria.yaml", "nobody"): SHEET})


@case("a sheet by an account that lost the seat", "your account does not hold Austria; it holds no seat")
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    scene.judge("2026-11-20T13:00:00Z")
    scene.was_judged = False
    said = scene.tries("Austria", {path("austria.yaml"): SHEET})
    scene.is_unchanged()
    assert scene.tries(200, {path("austria.yaml"): SHEET}).startswith("accepted")
    scene.keep()
    return said


@case("a sheet sealed by one who loses the seat then", "sealed for another account: 106; here it is 200")
def _(scene: Scene) -> str:
    scene.pushes({f"games/summer/{FIRST}/ruling.yaml": REPLACED.replace(b"Austria", b"Russia")})
    scene.judge("2026-11-20T13:00:00Z")
    scene.judge()
    data = scene.turn("summer").data
    assert "Russia" not in (data.sheets or {})
    return (data.refused or {})["russia.yaml.age"]


# Changes of a pull request

simple("a sheet and one more file", "the pull request changes 2 files; a pull request for a game may contain only one file",
       "Austria", {path("austria.yaml"): SHEET, path("austria.2.yaml"): SHEET})  # fmt: skip
simple("thirty files", "the pull request changes 30 files; a pull request for a game may contain only one file",
       "Austria", {path(f"x{number}.yaml"): SHEET for number in range(30)})  # fmt: skip
simple("a sheet and code", "the pull request changes 2 files; a pull request for a game may contain only one file",
       "Austria", {path("austria.yaml"): SHEET, "adjudicator/core/secrets/age.py": b"import os\n"})  # fmt: skip
simple("a folder of sheets made a link", "the pull request changes 3 files; a pull request for a game may contain only one file",
       "Austria", {path("england.yaml"): None, path("russia.yaml"): None, path("")[:-1]: ("120000", b"/etc")})  # fmt: skip
simple("no game at all", "left: changes no game", "Austria", {"README.md": b"Buy this\n"})
simple("a file called game", "left: changes no game", "Austria", {"game/x": b"x"})
simple("a sheet renamed", "the pull request renames a file",
       "Austria", {path("england.yaml"): None, path("austria.yaml"): b"orders: [F London - North Sea]\n"})  # fmt: skip
simple("one's own sheet removed", "the pull request removes a file", "England", {path("england.yaml"): None})
simple("a rival's sheet removed", "the pull request removes a file", "Austria", {path("england.yaml"): None})
CHANGED = "the pull request changes a file; sheets are added, never changed"
simple("a sheet changed", CHANGED, "England", {path("england.yaml"): SHEET})
simple("a sealed sheet changed", CHANGED, "England", {path("england.yaml.age", "summer"): SHEET})
simple("a sheet made a link", CHANGED, "England", {path("england.yaml"): ("120000", b"austria.yaml")})
simple("a sheet made executable", CHANGED, "England",
       {path("england.yaml"): ("100755", b"orders: [F London - North Sea]\n")})  # fmt: skip
simple("who plays a game", CHANGED, "Austria", {"games/open/game.yaml": b"schema: 1\n"})
simple("the archive's id", CHANGED, "Austria", {"games/archive.yaml": b"schema: 1\n"})
simple("a position that one likes better", CHANGED, "Austria", {f"games/open/{FIRST}/turn.yaml": b"schema: 1\n"})
simple("a link", "austria.yaml is a link; send an ordinary file",
       "Austria", {path("austria.yaml"): ("120000", b"/etc/passwd")})  # fmt: skip
simple("a submodule", "austria.yaml is a submodule; send an ordinary file",
       "Austria", {path("austria.yaml"): ("160000", b"0" * 39 + b"1")})  # fmt: skip
simple("an executable file", "austria.yaml is an executable file; send an ordinary file",
       "Austria", {path("austria.yaml"): ("100755", SHEET)})  # fmt: skip


def listed(name: str, files: Files) -> Callable[[Scene], str]:
    """A pull request whose list of files on the server differs from its real changes."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", files)
        scene.lists(number, name)
        return scene.take(number)

    return play


LINKED: Files = {path("england.yaml"): None, path("russia.yaml"): None, path("")[:-1]: ("120000", b"/etc")}
for name, words, files in (
    ("a folder on the path that is a link", "/orders is not a folder there; leave the folders as they are", LINKED),
    (
        "a folder of a sheet's name",
        "austria.yaml is not a file; send an ordinary file",
        {path("austria.yaml/x"): SHEET},
    ),
    ("a file that is not there", "the file is not in the pull request's commit; push it again", {"x": b""}),
):
    CASES.append(Case(f"listed, {name}", words, listed(path("austria.yaml"), files), alone=False))


@case("twenty megabytes", "the file has 20971520 bytes; at most 16384 are allowed", alone=False)
def _(scene: Scene) -> str:
    with scene.no_download():
        return scene.tries("Austria", {path("austria.yaml"): b"#" * 20 * 1024 * 1024})


@case("a size that does not tell", "the file has 20480 bytes; at most 16384 are allowed")
def _(scene: Scene) -> str:
    def small(call: str, status: int, data: Any) -> None:
        for entry in data["tree"] if "/git/trees" in call else ():
            entry["size"] = 10

    scene.answers(small)
    return scene.tries("Austria", {path("austria.yaml"): b"#" * 20480})


# Paths

NOWHERE, NOBODY = "a sheet does not belong here", "no seat of this game has a sheet of that name"
PATHS = {
    path("Austria.yaml"): NOWHERE,
    path("austria.YAML"): NOWHERE,
    path("\u0430ustria.yaml"): NOWHERE,
    path("\uff41ustria.yaml"): NOWHERE,
    path("austria.yaml "): NOWHERE,
    path("austria.yaml\n"): NOWHERE,
    path("austria\\..\\england.yaml"): NOWHERE,
    path("a" * 200 + ".yaml"): NOWHERE,
    path("deep/austria.yaml"): NOWHERE,
    path("austria.yaml", turn="1-spring"): NOWHERE,
    f"Games/open/{FIRST}/orders/austria.yaml": NOWHERE,
    f"games/open/{FIRST}/austria.yaml": NOWHERE,
    "games/open/.courtly-x": NOWHERE,
    "games/new/game.yaml": NOWHERE,
    f"games/open/{NEXT}/turn.yaml": NOWHERE,
    f"games/open/{FIRST}/dispatches/austria.age": NOWHERE,
    "games/open/ending.yaml": NOWHERE,
    path("```@everyone <img src=x> -->.yaml"): NOWHERE,
    path("austria.yaml."): NOBODY,
    path("austria.1.yaml"): NOBODY,
    path("austria.02.yaml"): NOBODY,
    path("austria.100.yaml"): NOBODY,
    path("austria.yaml.age.age"): NOBODY,
    path("austria.yml"): NOBODY,
    path("austria"): NOBODY,
    path("-austria.yaml"): NOBODY,
    path(".gitattributes"): NOBODY,
    path("a" * 110 + ".yaml"): NOBODY,
}
LISTED = {
    path("../orders/austria.yaml"): NOWHERE,
    path(".."): NOBODY,
    "/" + path("austria.yaml"): NOWHERE,
    "./" + path("austria.yaml"): NOWHERE,
    "games/../" + path("austria.yaml"): NOWHERE,
    "games//open/x": NOWHERE,
    path("austria.yaml\0.md"): NOWHERE,
    path("austria.yaml").replace("/", "\\"): NOWHERE,
    path("austria.yaml\r\n::set-output name=x::y"): NOWHERE,
    path("\ud800.yaml"): NOWHERE,
}
"""Paths that git refuses in a tree, or that a test cannot write: only a list can contain them."""


def shown(name: str) -> str:
    text = name.removeprefix(path("")).encode("unicode_escape").decode()
    return text if len(text) < 60 else f"{text[:20]}... of {len(name)} characters"


for name, words in PATHS.items():
    simple(f"the path {shown(name)}", words, "Austria", {name: SHEET})
for name, words in LISTED.items():
    CASES.append(Case(f"listed, the path {shown(name)}", words, listed(name, {"x": b""}), alone=False))

# Games, turns and time

simple("an unknown game", "there is no game 'opem'; did you mean 'open'?",
       "Austria", {path("austria.yaml", "opem"): SHEET})  # fmt: skip
simple("a turn to come", f"open has no turn '{NEXT}'; the open turn is {FIRST}",
       "Austria", {path("austria.yaml", turn=NEXT): SHEET})  # fmt: skip
simple("a turn that nobody knows", f"open has no turn '009-x'; the open turn is {FIRST}",
       "Austria", {path("austria.yaml", turn="009-x"): SHEET})  # fmt: skip


@case("a turn that was judged", f"the turn {FIRST} has been judged; the open turn is {NEXT}")
def _(scene: Scene) -> str:
    scene.judge()
    return scene.tries("Austria", {path("austria.yaml"): SHEET}, date="2026-11-20T12:00:00Z")


@case("a ruling for a turn that was judged", f"the turn {FIRST} has been judged; the open turn is {NEXT}")
def _(scene: Scene) -> str:
    scene.judge()
    return scene.tries(HOST, {RULING: REPLACED})


@case("a game that has not begun", f"waiting has no turn '{FIRST}'; it has not begun")
def _(scene: Scene) -> str:
    scene.plays("waiting", setup="0" * 64)
    return scene.tries("Austria", {path("austria.yaml", "waiting"): SHEET})


@case("a game that is over", "this game is over")
def _(scene: Scene) -> str:
    scene.pushes({RULING: b"rulings:\n  - {reason: enough, end: {how: draw}}\n"})
    scene.judge()
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


@case("after the deadline, in a commit of before it", "the deadline was 2026-11-22T00:00Z, but by the server's clock")
def _(scene: Scene) -> str:
    scene.fake.now = datetime(2026, 11, 22, 0, 1, tzinfo=UTC)
    return scene.tries("Austria", {path("austria.yaml"): SHEET}, date="2026-11-20T12:00:00Z")


@case(
    "on the stroke of the deadline",
    "by the server's clock this came at 2026-11-22T00:00Z; write a sheet for the next turn",
)
def _(scene: Scene) -> str:
    scene.fake.now = datetime(2026, 11, 22, tzinfo=UTC)
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


@case("opened before the deadline, pushed to after it", "the deadline was 2026-11-22T00:00Z, but by the server's clock")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.fake.now = datetime(2026, 11, 22, 3, tzinfo=UTC)
    scene.fake.force_push(number, {path("austria.yaml"): b"orders: []\n"}, date="2026-11-20T12:00:00Z")
    return scene.take(number)


# FS-10: the time that counts is when a pull request became one that intake may take in.
AT_SIX = "the deadline was 2026-11-22T00:00Z, but by the server's clock this came at 2026-11-22T06:00Z; write a sheet for the next"


def offered_late(name: str, before: Mapping[str, Any], event: str, act: Callable[[FakeGitHub, int], None]) -> None:
    """A pull request that was sent in time, ignored because of its state, and offered after the deadline."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        for key, value in before.items():
            sets(scene.fake.pulls[number], key, value)
        assert scene.take(number).startswith("left: ")
        scene.fake.now = datetime(2026, 11, 22, 6, tzinfo=UTC)
        act(scene.fake, number)
        scene.fake.pulls[number].updated = "2026-11-20T12:00:00Z"
        return scene.take(number)

    CASES.append(
        Case(
            name,
            AT_SIX,
            play,
            Instead("adjudicator.ci.github:GitHub.offer_times", "name in OFFERED", f"name in OFFERED - {{{event!r}}}"),
        )
    )


def pushed_by_force(fake: FakeGitHub, number: int) -> None:
    fake.force_push(number, {path("austria.yaml"): SHEET + b"#"})
    fake.pulls[number].draft = False


offered_late("a draft made ready after the deadline", {"draft": True}, "ready_for_review", FakeGitHub.make_ready)
offered_late("pointed at our branch after the deadline", {"base": "gh-pages"}, "base_ref_changed",
             lambda fake, number: fake.point_at(number, "main"))  # fmt: skip
offered_late("opened again after the deadline", {"state": "closed"}, "reopened",
             lambda fake, number: fake.set_state(fake.pulls[number], "open"))  # fmt: skip
offered_late("pushed to by force after the deadline", {"draft": True}, "head_ref_force_pushed", pushed_by_force)


@case("a second sheet while others are waited for", "the deadline was 2026-11-21T12:00Z, but by the server's clock")
def _(scene: Scene) -> str:
    scene.plays("slow", sealed=False, seed="s", schedule={"turn": "1d12h", "grace": "1d"})
    scene.pushes({path("england.yaml", "slow"): SHEET})
    scene.fake.now = datetime(2026, 11, 21, 15, tzinfo=UTC)
    said = scene.tries("England", {path("england.2.yaml", "slow"): SHEET + b"# other\n"})
    scene.is_unchanged()
    assert scene.tries("Austria", {path("austria.yaml", "slow"): SHEET}).startswith("accepted")
    scene.keep()
    return said


# Numbers

simple("an open twin of a sealed sheet", "England has sent 1 sheet this turn; the next one is called england.2.yaml",
       "England", {path("england.yaml", "summer"): SHEET})  # fmt: skip
simple("a number too high", "Austria has sent 0 sheets this turn; the next one is called austria.yaml",
       "Austria", {path("austria.7.yaml"): SHEET})  # fmt: skip
simple("a number left out", "England has sent 1 sheet this turn; the next one is called england.2.yaml.age and says",
       "England", {path("england.3.yaml.age", "summer"): SHEET})  # fmt: skip


@case("the hundredth sheet", "Austria has sent 99 sheets this turn; that is the limit; ask the host")
def _(scene: Scene) -> str:
    scene.pushes({path("austria.99.yaml"): SHEET})
    return scene.tries("Austria", {path("austria.98.yaml"): b"orders: []\n"})


@case("two pull requests for one seat", "Austria has sent 1 sheet this turn; the next one is called austria.2.yaml")
def _(scene: Scene) -> str:
    first, second = (scene.offer("Austria", {path("austria.yaml"): SHEET + b"#" * size}) for size in (1, 2))
    assert scene.take(first).startswith("accepted")
    scene.keep()
    said = scene.take(second)
    scene.is_unchanged()
    assert scene.tries("Austria", {path("austria.2.yaml"): SHEET}).startswith("accepted")
    scene.keep()
    return said


@case("deliveries in the wrong order", "accepted: ",
      Instead("adjudicator.ci.intake:intake", "isinstance(made.error, Early)", "isinstance(made.error, int)"))  # fmt: skip
def _(scene: Scene) -> str:
    """The event of the first sheet comes after that of the second, which must not cost its author the second."""
    first = scene.offer("Austria", {path("austria.yaml"): SHEET})
    two = scene.offer("Austria", {path("austria.2.yaml"): b"orders: []\n"})
    said = scene.take(two)
    assert scene.take(first) == "left: is already closed"
    assert (scene.fake.read(path("austria.yaml")), scene.fake.read(path("austria.2.yaml"))) == (SHEET, b"orders: []\n")
    scene.keep()
    return said


# Deliveries and races


@case("a delivery that comes twice", "left: is already closed")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    assert scene.take(number).startswith("accepted")
    scene.keep()
    said = scene.take(number)
    assert len(scene.fake.pulls[number].comments) == 1
    return said


def of_two_commits(scene: Scene) -> int:
    """A pull request of two commits, which are not merged unchanged."""
    first = scene.fake.commit({path("austria.yaml"): b"orders: []\n"})
    head = scene.fake.commit({path("austria.yaml"): SHEET}, onto=first)
    return scene.fake.open_pull_of(ACCOUNTS["Austria"], "anna", head)


@case("a delivery of two commits that comes twice", "left: is already closed")
def _(scene: Scene) -> str:
    number = of_two_commits(scene)
    assert scene.take(number).startswith("accepted")
    assert scene.fake.git("rev-list", "--parents", "-1", "main").split()[1:] == [scene.head]
    scene.keep()
    said = scene.take(number)
    assert len(scene.fake.pulls[number].comments) == 1
    return said


@case("a refused pull request delivered twice", "left: is already closed", alone=False)
def _(scene: Scene) -> str:
    number = scene.offer("England", {path("austria.yaml"): SHEET})
    assert "It is closed, and stays refused." in scene.take(number)
    assert scene.fake.pulls[number].state == "closed"
    return scene.take(number)


CLOSING = "GitHub answers 403 for closing a pull request; see the job's permissions"


@case("an accepted sheet whose pull request cannot be closed", "1 comment",
      Instead("adjudicator.ci.intake:decide", "if acceptance_mark(made) in", "if not"))  # fmt: skip
def _(scene: Scene) -> str:
    scene.fails("PATCH /pulls", 403)
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    for _ in range(3):
        assert scene.take(number) == f"the job fails: {CLOSING}"
    assert went_in(scene) == "what was checked"
    return f"{len(scene.fake.pulls[number].comments)} comment"


@case("a refused pull request that cannot be closed", CLOSING)
def _(scene: Scene) -> str:
    scene.fails("PATCH /pulls", 403)
    number = scene.offer("England", {path("austria.yaml"): SHEET})
    said = scene.take(number)
    scene.calm()
    assert scene.take(number).startswith("left: was refused before")
    assert (len(scene.fake.pulls[number].comments), scene.fake.pulls[number].state) == (1, "closed")
    return said


# FS-9: anyone who may choose after the deadline which of their sheets counts has seen the other players' sheets.
AGAIN_REFUSED = "left: was refused before, and stays refused with this commit"


def opened_again(scene: Scene, who: str, files: Files) -> int:
    """A pull request that was refused, and that its author opened again."""
    number = scene.offer(who, files)
    scene.take(number)
    scene.fake.set_state(scene.fake.pulls[number], "open")
    return number


@case("a wrong number that waits until it is the right one", AGAIN_REFUSED)
def _(scene: Scene) -> str:
    third = opened_again(scene, "Austria", {path("austria.3.yaml"): b"orders: [A Vienna - Trieste]\n"})
    for name in ("austria.yaml", "austria.2.yaml"):
        assert scene.tries("Austria", {path(name): SHEET + b"#" * len(name)}).startswith("accepted")
    scene.keep()
    scene.world.github.close_pool()
    batch = scene.judge()
    counted = (scene.turn("open").data.sheets or {})["Austria"]
    assert counted == hashlib.sha256(scene.fake.read(path("austria.2.yaml"))).hexdigest()
    assert (scene.fake.pulls[third].state, len(scene.fake.pulls[third].comments)) == ("open", 1)
    assert (batch.held, scene.caught.outcomes) == ([], [])
    return scene.take(third)


@case("a number that was wrong when it came",
      "this was sent at 2026-11-20T12:00Z, before austria.yaml, which was sent at 2026-11-20T13:00Z")  # fmt: skip
def _(scene: Scene) -> str:
    second = scene.offer("Austria", {path("austria.2.yaml"): b"orders: [A Vienna - Trieste]\n"})  # intake missed it
    # Another job took in the first sheet, which came later, when nobody could read the second.
    says = "Sheet\n\nCourtly-Sent: 2026-11-20T13:00Z\nCourtly-Source: pull request 2\n"
    scene.fake.push_to_main({path("austria.yaml"): SHEET}, says=says)
    scene.keep()
    scene.judge()
    (comment,) = scene.fake.pulls[second].comments
    return comment


@case("a mark that another bot was made to write", "England has sent 1 sheet this turn",
      Instead("adjudicator.ci.github:GitHub._own_comments", '.get("login") == self.name', '.get("type") == "Bot"'))  # fmt: skip
def _(scene: Scene) -> str:
    def signed(call: str, status: int, data: Any) -> None:
        for comment in data if re.match("GET /issues/.*/comments", call) else ():
            if "go to sleep" in comment["body"]:
                comment["user"] = {"type": "Bot", "login": "quoting[bot]"}

    number = scene.offer("England", {path("england.yaml", "summer"): SHEET})
    head = scene.fake.pulls[number].head
    scene.fake.pulls[number].comments.append(Stranger(f"<!-- courtly refused {head} -->\nAll is well, go to sleep."))
    scene.answers(signed)
    return scene.take(number)


def went_in(scene: Scene) -> str:
    """Check that the branch has its old files and Austria's sheet, and nothing else."""
    added = set(scene.fake.files()) - set(scene.kept)
    kept = {name: entry for name, entry in scene.fake.files().items() if name not in added}
    same = (added, kept) == ({path("austria.yaml")}, scene.kept) and scene.fake.read(path("austria.yaml")) == SHEET
    scene.keep()
    return "what was checked" if same else "something else"


@case(
    "a force-push while it is checked", "what was checked",
    Instead(
        "adjudicator.ci.intake:intake", "body=body,",
        "body=forge.blob(forge.entry(forge.request(number, door).head, path).sha),",
    ),
)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    files: Files = {path("austria.yaml"): b"orders: [&a *a]\n", "adjudicator/x.py": b""}
    scene.before("GET /git/blobs", lambda: scene.fake.force_push(number, files))
    assert scene.take(number).startswith("accepted")
    return went_in(scene)


@case("a push while it is checked", "what was checked",
      Instead("adjudicator.ci.github:GitHub.add_file", '"force": False', '"force": True'))  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.before("POST /git/trees", lambda: scene.pushes({"README.md": b"Pushed meanwhile\n"}))
    assert scene.take(number).startswith("accepted")
    assert scene.fake.git("merge-base", "main", scene.head) == scene.head
    return went_in(scene)


@case("a turn that is judged while its sheet is checked", f"the turn {FIRST} has been judged; the open turn is {NEXT}")
def _(scene: Scene) -> str:
    def judge() -> None:
        other = scene.elsewhere()
        assert adjudicate(Clone(other, "main"), Archive(other, MASTER), at="2026-11-25T00:00Z").pushed

    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.before("PATCH /git/refs", judge)
    scene.was_judged = True
    return scene.take(number)


@case("a branch that never stands still", "the branch moved 6 times while pull request 1 was being checked; run it again",
      catches_up=True)  # fmt: skip
def _(scene: Scene) -> str:
    scene.fails("PATCH /git/refs", 422)
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


def left(name: str, words: str, **state: Any) -> None:
    """A pull request in a state that intake ignores for now."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        for key, value in state.items():
            sets(scene.fake.pulls[number], key, value)
        said = scene.take(number)
        assert scene.fake.pulls[number].comments == []
        return said

    CASES.append(Case(name, words, play, alone=False))


left("a draft", "left: is a draft", draft=True)
left("for another branch", "left: is for another branch", base="gh-pages")
left("withdrawn", "left: is already closed", state="closed")

# Content of a sheet

BOMB = b"a: &a [x, x]\n" + b"".join(b"%c: &%c [*%c, *%c]\n" % (n + 1, n + 1, n, n) for n in range(97, 120))
YAML = {
    "an alias": (b"orders: *a\n", "an alias (*a); write the value out"),
    "a bomb of aliases": (BOMB, "an anchor (&a); remove it"),
    "deep nesting": (b"orders: " + b"[" * 5000 + b"\n", "nested deeper than 20 levels; write it flatter"),
    "deep nesting in lines": (b"orders:\n  " + b"- " * 5000 + b"x\n", "nested deeper than 20 levels; write it flatter"),
    "a giant number": (b"draw: " + b"9" * 8000 + b"\n", "draw is '9999"),
    "a tag": (b"orders: !!python/object/apply:os.system [id]\n", "a tag (tag:yaml.org,2002:python/object/apply:os.sys"),
    "a merge key": (b"<<: {orders: []}\n", "a merge key (<<); write the keys out"),
    "a key twice": (b"orders: []\norders: [A Vienna - Galicia]\n", "the key 'orders' appears twice; keep one of them"),
    "a key that is a list": (b"? [orders]\n: []\n", "a key that is a list or a mapping; a key is one word"),
    "an unknown key": (b"oders: []\n", "unknown key 'oders'; did you mean 'orders'?"),
    "a quote that is not closed": (b'orders: ["A Vienna\n', "not YAML: a quote that is not closed"),
    "text against the grain": (
        "orders: [\u202eaicilaG]\n".encode(),
        "changes the direction of text (U+202E RIGHT-TO-LEFT OVERRIDE)",
    ),
    "a line that editors do not see": (
        "# x\u2028orders: []\n".encode(),
        "a control character (U+2028 LINE SEPARATOR); remove it",
    ),
    # FS-18
    "a space without width": (
        "orders: [A Vienna\u200b]\n".encode(),
        "a character that nobody sees (U+200B ZERO WIDTH SPACE); remove",
    ),
    "a space without width, escaped": (
        b'orders: ["A Vienna\\u200b"]\n',
        "nobody sees (U+200B ZERO WIDTH SPACE), written as an",
    ),
    "an emoji of two": (
        "draw: 👩\u200d👧\n".encode(),
        "a character that nobody sees (U+200D ZERO WIDTH JOINER); remove it",
    ),
    "a NUL": (b"orders: []\n\0", "a control character (U+0000); remove it"),
    "a colour": (b"orders: []\n# \x1b[31m\n", "a control character (U+001B); remove it"),
    "no UTF-8": (b"orders: [A M\xfcnchen - Berlin]\n", "the file is not UTF-8 text; save it as UTF-8"),
    "orders without end": (b"orders: [" + b"x," * 2000 + b"]\n", "orders has 2000 entries; at most 100 are allowed"),
    "an order that is a list": (b"orders: [[A Vienna]]\n", "entry 1 of orders is a list; write text"),
    "a vote that is a number": (b"draw: 1\n", "draw is 1; write true or false"),
}
"""Content that cannot be read in any place."""
WHOLE = {
    "a directive": (b"%YAML 1.2\n---\norders: []\n", "a YAML directive; remove the line that begins with %"),
    "a second document": (b"orders: []\n---\norders: []\n", "a second document; one file holds one document"),
    "a list": (b"- [A Vienna, Galicia]\n", "the file is a list; write keys with their values"),
    "a word": (b"hello\n", "the file is 'hello'; write keys with their values"),
    "UTF-16": ("orders: []\n".encode("utf-16"), "the file is not UTF-8 text; save it as UTF-8"),
}
for name, (body, words) in (YAML | WHOLE).items():
    simple(f"a sheet with {name}", words, "Austria", {path("austria.yaml"): body})


def inside(body: bytes) -> Callable[[Scene, int], bytes]:
    return lambda scene, number: scene.inside(number, body)


for name, (body, words) in YAML.items():
    indented = b"sheet:\n  " + body.rstrip(b"\n").replace(b"\n", b"\n  ") + b"\n"
    SEALED.append(Sealed(f"a sealed sheet with {name}", words, inside(indented)))
for name, body, words in (
    ("a list for a sheet", b"sheet: [A Moscow - Livonia]\n", "sheet is a list; write keys and values"),
    ("a word for a sheet", b"sheet: hello\n", "sheet is 'hello'; write keys and values"),
    ("no sheet", b"", "'sheet' is missing; add it"),
    ("a second document", b"sheet: {}\n---\nsheet: {}\n", "a second document; one file holds one document"),
    ("a second seat", b"sheet: {}\nseat: England\n", "the key 'seat' appears twice; keep one of them"),
    ("more than belongs there", b"sheet: {}\nfinal: true\n", "unknown key 'final'; allowed: archive, game"),
):
    SEALED.append(Sealed(f"an envelope with {name}", words, inside(body)))

# Sealed sheets


def sealed_for(name: str, words: str, **changes: Any) -> None:
    """An envelope that is meant for another place."""
    SEALED.append(
        Sealed(f"sealed for {name}", words, lambda scene, number: scene.inside(number, b"sheet: {}\n", **changes))
    )


def unarmored(body: bytes) -> bytes:
    return base64.b64decode("".join(body.decode().splitlines()[1:-1]))


def sealed_again(scene: Scene, number: int) -> bytes:
    """Russia's first sheet, opened and sealed once more, as only Russia could."""
    turn = scene.world.turn("summer")
    identity = keys_for(turn.game, turn.name, turn.data).identity
    assert identity is not None
    return encrypt(decrypt(scene.sent("Russia"), [identity], ""), [scene.recipient])


sealed_for("another archive", "sealed for another archive: 'ffffffffffffffff'; here it is", archive="f" * 16)
sealed_for("another game", "sealed for another game: 'open'; here it is 'summer'", game="open")
sealed_for("another turn", f"sealed for another turn: '{NEXT}'; here it is '{FIRST}'", turn=NEXT)
sealed_for("another seat", "sealed for another seat: 'England'; here it is 'Russia'", seat="England")
sealed_for("another account", "sealed for another account: 102; here it is 106", account=102)
sealed_for("no account", "sealed for another account: None; here it is 106", account=None)
sealed_for("another number", "sealed for another sequence: 1; here it is ", sequence=1)
SEALED.append(Sealed("one's own sealed sheet again, without its armor", "sealed for another sequence: 1; here it is ",
                     lambda scene, number: unarmored(scene.sent("Russia"))))  # fmt: skip
SEALED.append(
    Sealed("one's own sealed sheet, sealed again", "sealed for another sequence: 1; here it is ", sealed_again)
)
SEALED.append(Sealed("a rival's sealed sheet without its armor", "sealed for another seat: 'England'; here it is 'Russ",
                     lambda scene, number: unarmored(scene.sent("England"))))  # fmt: skip

OPENED = "this cannot be opened: it was sealed to another key, or is damaged; seal it again with the key in this turn"
SEALED.append(Sealed("sealed to another key", OPENED,
                     lambda scene, number: encrypt(pad(b"x", OPEN_WIDTH), [recipient_of(new_identity())])))  # fmt: skip


@case("an old sealed sheet in a later turn", OPENED)
def _(scene: Scene) -> str:
    scene.judge()
    old = scene.sent("Russia")
    assert scene.tries("Russia", {path("russia.yaml.age", "summer", NEXT): old}).startswith("accepted")
    scene.judge("2026-11-24T12:00:00Z")
    data = scene.turn("summer", NEXT).data
    assert (data.status, data.sheets or {}) == ("resolved", {})
    return (data.refused or {})["russia.yaml.age"]


@case("one's own sealed sheet again", "this is the file that you sent before; seal your orders again", alone=False)
def _(scene: Scene) -> str:
    return scene.tries("Russia", {path("russia.2.yaml.age", "summer"): scene.sent("Russia")})


@case("a rival's sealed sheet", "this is the file that England sent; seal your orders again", alone=False)
def _(scene: Scene) -> str:
    return scene.tries("Russia", {path("russia.2.yaml.age", "summer"): scene.sent("England")})


def damaged(name: str, words: str, change: Callable[[bytes], bytes]) -> None:
    """A damaged sealed sheet; the fault shows without opening it, unless the damage is inside."""
    if words == OPENED:
        SEALED.append(Sealed(name, words, lambda scene, number: change(unarmored(scene.sealed(number)))))
    else:
        at_once(name, words, lambda scene: change(unarmored(scene.sealed(2))))


def at_once(name: str, words: str, body: Callable[[Scene], bytes]) -> None:
    """A sealed sheet that is refused at intake."""
    CASES.append(
        Case(
            name, words, lambda scene: scene.tries("Russia", {path("russia.2.yaml.age", "summer"): body(scene)}),
            alone=False,
        )
    )  # fmt: skip


def flipped(at: Callable[[bytes], int]) -> Callable[[bytes], bytes]:
    def change(body: bytes) -> bytes:
        where = at(body)
        new = body[where] ^ 1
        if where < mac(body) + 48:  # another letter of base64
            new = ord("A") if body[where] != ord("A") else ord("B")
        return body[:where] + bytes([new]) + body[where + 1 :]

    return change


def mac(body: bytes) -> int:
    return body.index(b"\n--- ")


CUT, BYTES = (
    "the sealed text is cut off; seal the sheet with",
    "pad it to a multiple of 1024, so that its length tells no",
)
NO_AGE, NO_KEY = (
    "this is not an age file; seal the sheet with",
    "it is not sealed to this turn's key; seal it to the key",
)
ONE_KEY = BINARY + b"-> X25519 YWJj\nYWJj\n"
BEGIN, END = b"-----BEGIN AGE ENCRYPTED FILE-----\n", b"-----END AGE ENCRYPTED FILE-----\n"
damaged("a bit of the sealed sheet's first line", NO_AGE, flipped(lambda body: 3))
damaged("a bit of its recipient", OPENED, flipped(lambda body: body.index(b"X25519 ") + 12))
damaged("a bit of its wrapped key", OPENED, flipped(lambda body: mac(body) - 9))
damaged("a bit of its MAC", OPENED, flipped(lambda body: mac(body) + 9))
damaged("a bit of its nonce", OPENED, flipped(lambda body: mac(body) + 52))
damaged("a bit of its text", OPENED, flipped(lambda body: len(body) - 100))
damaged("a bit of its last tag", OPENED, flipped(lambda body: len(body) - 1))
damaged("cut off in the first line", NO_AGE, lambda body: body[:9])
damaged("cut off in the header", CUT, lambda body: body[: mac(body) + 3])
damaged("cut off before the text", CUT, lambda body: body[: mac(body) + 60])
damaged("cut off in the text", BYTES, lambda body: body[:-1])
damaged("something behind the text", BYTES, lambda body: body + b"x")
damaged("1024 bytes behind the text", OPENED, lambda body: body + b"x" * 1024)
damaged(
    "a line without end in the header",
    "the header is longer than 4096 bytes; seal the sheet with",
    lambda body: ONE_KEY + b"x" * 5000 + b"\n--- x\n" + b"y" * 900,
)
damaged("forty keys", "it is sealed to more than 16 keys; seal the sheet with",
        lambda body: encrypt(pad(b"x", OPEN_WIDTH), [recipient_of(new_identity()) for _ in range(40)]))  # fmt: skip
# FS-11: these cases passed here, and the job with the secret took two seconds to refuse each.
damaged("thirteen hundred entries for nobody", "the header has more than 17 entries; seal the sheet with",
        lambda body: body.replace(b"\n--- ", b"\n-> -grease" * 1300 + b"\n--- "))  # fmt: skip
damaged("long entries for nobody", "the header is longer than 4096 bytes; seal the sheet with",
        lambda body: body.replace(b"\n--- ", (b"\n-> x-grease" + b"\n" + b"A" * 64) * 15 + b"A" * 3000 + b"\n--- "))  # fmt: skip
damaged("a passphrase", NO_KEY,
        lambda body: BINARY + b"-> scrypt YWJj 22\nYWJj\n--- YWJj\n" + b"y" * (16 + 1024 + 16))  # fmt: skip
damaged("a key and a passphrase", OPENED,
        lambda body: body.replace(b"\n--- ", b"\n-> scrypt YWJj 63\n" + b"A" * 43 + b"\n--- "))  # fmt: skip
damaged("rubbish behind an age header", CUT, lambda body: ONE_KEY + b"\xff" * 2000)
damaged("nothing behind an age header", CUT, lambda body: ONE_KEY)
damaged("rubbish", NO_AGE, lambda body: b"\xff" * 2000)
damaged("no bytes", NO_AGE, lambda body: b"")
damaged("rubbish in armor", "the sealed text is damaged: it is not base64", lambda body: BEGIN + b"!!!\n" + END)
damaged("armor with nothing in it", NO_AGE, lambda body: BEGIN + END)
damaged("an open sheet under a sealed one's name", NO_AGE, lambda body: SHEET)
at_once("not padded", "the sealed text has 100 bytes; " + BYTES, lambda scene: encrypt(b"#" * 100, [scene.recipient]))
at_once("empty", "the sealed text has 0 bytes; " + BYTES, lambda scene: encrypt(b"", [scene.recipient]))


@case("a thousand keys", "the file has 20028 bytes; at most 16384 are allowed", alone=False)
def _(scene: Scene) -> str:
    with scene.no_download():
        body = BINARY + b"-> X25519 YWJj\nYWJj\n" * 1000 + b"--- x\n"
        return scene.tries("Russia", {path("russia.2.yaml.age", "summer"): body})


@case("sealed in an open game", "this game is not sealed; send the sheet as it is, ending in .yaml", alone=False)
def _(scene: Scene) -> str:
    return scene.tries("Austria", {path("austria.yaml.age"): scene.sealed(2)})


@case("not padded, and past intake", "the sealed text has 100 bytes; " + BYTES)
def _(scene: Scene) -> str:
    scene.pushes({path("russia.2.yaml.age", "summer"): encrypt(b"#" * 100, [scene.recipient])})
    scene.judge()
    return counted_before(scene)["russia.2.yaml.age"]


def counted_before(scene: Scene) -> Mapping[str, str]:
    """Refused sheets of the sealed game's first turn, where Russia's first sheet counts nevertheless."""
    data = scene.turn("summer").data
    assert (data.status, (data.sheets or {})["Russia"]) == (
        "resolved",
        hashlib.sha256(scene.sent("Russia")).hexdigest(),
    )
    return data.refused or {}


# Rulings

HOSTS = "rulings come from the account of the game's host; ask the host"
GIVEN = "a ruling that has been applied is changed or missing; keep it, and add another below it"
simple("a ruling by a player", HOSTS, "Austria", {RULING: REPLACED})
simple("a ruling by a stranger of the host's name", HOSTS, STRANGER, {RULING: REPLACED}, "Hanna")
simple("a ruling that decides two things", "a ruling must decide exactly one thing; give one of: extend, pause",
       HOST, {RULING: b"rulings:\n  - {reason: x, pause: true, proceed: true}\n"})  # fmt: skip
simple("a ruling without a reason", "the reason is empty; say why",
       HOST, {RULING: b"rulings:\n  - {reason: '', pause: true}\n"})  # fmt: skip
simple("a ruling on what is not there", "the position has no part 'armies.Austria'",
       HOST, {RULING: b"rulings:\n  - reason: x\n    correct: {armies.Austria: []}\n"})  # fmt: skip
simple("a ruling for a seat that is none", "no seat is called 'Spain'; seats: Austria, England",
       HOST, {RULING: b"rulings:\n  - reason: x\n    void: {seat: Spain}\n"})  # fmt: skip


@case("a ruling in a game without a host's account", HOSTS)
def _(scene: Scene) -> str:
    scene.plays("hostless", sealed=False, seed="s", host_account=None)
    return scene.tries(HOST, {f"games/hostless/{FIRST}/ruling.yaml": REPLACED})


@case("a ruling that was applied, changed", GIVEN)
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    scene.judge("2026-11-20T13:00:00Z")
    scene.was_judged = False
    return scene.tries(HOST, {RULING: REPLACED.replace(b"200", b"201")})


@case("a ruling that was applied, left out", GIVEN)
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    scene.judge("2026-11-20T13:00:00Z")
    scene.was_judged = False
    return scene.tries(HOST, {RULING: b"rulings: []\n"})


# Seats that can be joined (FH-17)

JOIN = "games/seats/join/austria.yaml"
ASKING = b"seat: Austria\n"


def joining(
    name: str,
    words: str,
    body: bytes = ASKING,
    *,
    who: int = STRANGER,
    where: str = JOIN,
    pushed: Files | None = None,
    late: bool = False,
    **data: Any,
) -> None:
    """Ask for a seat of a game where Austria and Italy are open."""

    def play(scene: Scene) -> str:
        people = game_data()["seats"] | {seat: {"player": "open"} for seat in ("Austria", "Italy")}
        scene.plays("seats", open_now=True, **({"sealed": False, "seed": "s", "seats": people, "join": "first"} | data))
        before = scene.head
        if pushed:
            scene.pushes(pushed)
        return scene.tries(who, {where: body}, onto="main" if late else before)

    CASES.append(Case(name, words, play))


def has_asked(account: int, seat: str = "Austria", number: str = "") -> bytes:
    return f"schema: 1\nseat: {seat}\nplayer: x\naccount: {account}\nasked: 2026-11-20T12:00Z\n".encode()


joining(
    "a seat of a game that nobody joins",
    "this game cannot be joined by pull request; ask its host for a seat",
    join=None,
)
joining("a seat that is none", "no seat of this game has a file of that name; open seats: austria.yaml, italy.yaml",
        where="games/seats/join/spain.yaml")  # fmt: skip
joining("a seat that somebody holds", "England is taken; open seats: Austria, Italy", b"seat: England\n",
        where="games/seats/join/england.yaml")  # fmt: skip
joining("a seat that somebody joined", "Austria is taken; open seats: Italy", pushed={JOIN: has_asked(7)})
joining("a seat that somebody joined before it was asked for", "somebody took this seat before you; the game's page",
        pushed={JOIN: has_asked(7)}, late=True)  # fmt: skip
joining("a second seat", "your account plays England here, and you can join only one seat; ask the host if you want another",
        who=ACCOUNTS["England"])  # fmt: skip
joining("a second request", "your account has already asked for a seat in this game; wait for the host's answer", join="ask",
        pushed={f"games/seats/join/italy.{STRANGER}.yaml": has_asked(STRANGER, "Italy")})  # fmt: skip
joining("a flood of requests", "50 people have asked for seats in this game; ask its host", join="ask",
        pushed={f"games/seats/join/italy.{number}.yaml": has_asked(number, "Italy") for number in range(1, 51)})  # fmt: skip
joining("another account's number", "unknown key 'account'; allowed: seat, key", ASKING + b"account: 102\n")
joining("another seat inside", "the seat is 'Italy'; write Austria, as the file's name says", b"seat: Italy\n")
joining("no key", "'seat' is missing", b"")
joining(
    "a key that is none",
    "is not a key that can be sealed to; use an age key (age1...) or an SSH key",
    ASKING + b"key: age1x\n",
)
joining("a link for a seat", "austria.yaml is a link; send an ordinary file", ("120000", b"/etc/passwd"))  # type: ignore[arg-type]
joining("a sheet where seats are asked for", "unknown key 'orders'", SHEET)


@case("a seat that fell open in a game with secrets", "this game has hidden information and has begun; ask its host")
def _(scene: Scene) -> str:
    rules = find("noblesse")
    seats = rules.rules.seats(rules.types.settings())
    people = {
        seat: {"player": "x", "account": 300 + at, "key": recipient_of(new_identity())} for at, seat in enumerate(seats)
    }
    scene.plays("masks", ruleset="noblesse", seats=people, join="first")
    (turn,) = scene.world.archive.turns("masks")
    key = f"key: {recipient_of(new_identity())}"
    gone = f"rulings:\n- {{reason: gone, replace: {{seat: {seats[0]}, player: open, {key}}}}}\n"
    scene.pushes({f"games/masks/{turn}/ruling.yaml": gone.encode()})
    asking = f"seat: {seats[0]}\n{key}\n".encode()
    said = scene.tries(STRANGER, {f"games/masks/join/{seat_file(seats[0])}.yaml": asking})
    scene.was_judged = True  # other tests cover that a turn of Noblesse is judged
    scene.judge()
    return said


@case(
    "one's own seat again, with another key",
    "you asked for Austria before, with a different key; only the host can change a key",
)
def _(scene: Scene) -> str:
    people = game_data()["seats"] | {"Austria": {"player": "open"}}
    scene.plays("seats", open_now=True, sealed=False, seed="s", seats=people, join="first")
    assert scene.tries(STRANGER, {JOIN: ASKING}).startswith("accepted")
    scene.keep()
    number = scene.offer(STRANGER, {"games/seats/x.yaml": ASKING + f"key: {recipient_of(new_identity())}\n".encode()})
    pull = scene.fake.pulls[number]
    pull.head = scene.fake.commit({JOIN: ASKING + f"key: {recipient_of(new_identity())}\n".encode()}, onto=scene.first)
    return scene.take(number)


# The server

AGAIN = "it will be tried again with the next run"


def trouble(name: str, words: str, arrange: Callable[[Scene], None], **more: Any) -> None:
    """An honest sheet while the server misbehaves: nothing changes, and the next adjudication catches up."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        arrange(scene)
        said = scene.take(number)
        # Trouble at GitHub is not a refusal: nobody comments, and nothing is closed (FS-9).
        assert (scene.fake.pulls[number].comments, scene.fake.pulls[number].state) == ([], "open")
        return said

    CASES.append(Case(name, words, play, catches_up=True, **more))


trouble("an outage", f"GitHub answers 500; {AGAIN}", lambda scene: scene.fails("GET", 500))
trouble("an outage at the first write", f"GitHub answers 503; {AGAIN}", lambda scene: scene.fails("POST", 503))
trouble("an outage at the last write", f"GitHub answers 502; {AGAIN}", lambda scene: scene.fails("PATCH", 502))
trouble("a dropped connection", f"GitHub does not answer (MaxRetryError); {AGAIN}", lambda scene: scene.drops("GET"))
trouble("a dropped connection at a write", f"GitHub does not answer (ProtocolError); {AGAIN}",
        lambda scene: scene.drops("POST /git/trees"))  # fmt: skip
trouble("too many calls, for ever", f"GitHub answers 429; {AGAIN}",
        lambda scene: scene.fails("GET", 429, {"Retry-After": "0"}))  # fmt: skip
trouble("the rate limit", f"GitHub's rate limit is used up; {AGAIN}",
        lambda scene: scene.fails("GET /git/blobs", 403, {"X-RateLimit-Remaining": "0"}))  # fmt: skip
trouble("no permission to read", "GitHub answers 403 for /pulls/1; see the job's permissions",
        lambda scene: scene.fails("GET /pulls", 403))  # fmt: skip
trouble("no permission to write", "GitHub answers 403 for /git/blobs; see the job's permissions",
        lambda scene: scene.fails("POST /git/blobs", 403))  # fmt: skip
trouble("a branch that is protected", "GitHub answers 403 for the branch; see the job's permissions",
        lambda scene: scene.fails("PATCH", 403))  # fmt: skip


def no_hash(call: str, *keys: str | int) -> Callable[[Scene], None]:
    """Put a path in the place of a hash in answers to such calls."""

    def change(asked: str, status: int, data: Any) -> None:
        if re.match(call, asked):
            for key in keys:
                data = data[key]
            data["sha"] = "../../user/keys?x="

    return lambda scene: scene.answers(change)


NO_COMMIT = f"the forge's answer names no commit; {AGAIN}"
trouble("a head that is no hash", NO_COMMIT, no_hash(r"GET /pulls/\d+$", "head"))
trouble("a tree that is no hash", NO_COMMIT, no_hash("GET /git/trees", "tree", -1))
trouble("a new blob that is no hash", NO_COMMIT, no_hash("POST /git/blobs"))
trouble("a new commit that is no hash", NO_COMMIT, no_hash("POST /git/commits"))


@case("an answer that is no JSON", f"GitHub's answer is not JSON; {AGAIN}", catches_up=True)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    unicorn = SimpleNamespace(dumps=lambda data: "<html>Unicorn!</html>", loads=json.loads)
    with mock.patch("tests.ci.fake.json", unicorn):
        return scene.take(number)


@case("a pull request that is not there", "GitHub answers 404 for /pulls/7777; see the job's permissions", alone=False)
def _(scene: Scene) -> str:
    return scene.take(7777)


@case("a refusal that cannot be told", "GitHub answers 403 for a comment; see the job's permissions")
def _(scene: Scene) -> str:
    scene.fails("POST /issues", 403)
    return scene.tries("England", {path("austria.yaml"): SHEET})


@case("a workflow that cannot be started", "GitHub answers 403 for starting pages.yml; give the job `actions: write`")
def _(scene: Scene) -> str:
    scene.fails("POST /actions", 403)
    try:
        scene.world.github.start("pages.yml", "main")
    except Problems as error:
        return str(error)
    return "started"


def recovers(name: str, arrange: Callable[[Scene], None], instead: Instead) -> None:
    """An honest sheet while the server has passing trouble: it goes in."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        arrange(scene)
        assert scene.take(number).startswith("accepted: ")
        assert len(scene.fake.pulls[number].comments) == 1
        return went_in(scene)

    CASES.append(Case(name, "what was checked", play, instead))


TRIES = "adjudicator.ci.rest:Rest.__init__"
recovers("an outage that passes", lambda scene: scene.fails("GET", 500, times=4), Instead(TRIES, "total=4", "total=3"))
recovers(
    "a connection that comes back", lambda scene: scene.drops("GET", times=3), Instead(TRIES, "total=4", "total=2")
)
recovers("a conflict that passes", lambda scene: scene.fails("PATCH", 409, times=2),
         Instead("adjudicator.ci.github:GitHub.add_file", "(409, 422)", "(422,)"))  # fmt: skip
recovers("a branch that moves five times", lambda scene: scene.fails("PATCH", 422, times=5),
         Instead("adjudicator.ci.intake:intake", "continue", "break"))  # fmt: skip


@case("too many calls for seven seconds", "waited 7 s",
      Instead(TRIES, "respect_retry_after_header=True", "respect_retry_after_header=False"))  # fmt: skip
def _(scene: Scene) -> str:
    slept: list[float] = []
    scene.fails("GET", 429, {"Retry-After": "7"}, times=1)
    with mock.patch("urllib3.util.retry.time", SimpleNamespace(sleep=slept.append)):
        assert scene.tries("Austria", {path("austria.yaml"): SHEET}).startswith("accepted")
    assert went_in(scene) == "what was checked"
    return f"waited {sum(slept):.0f} s"


# Output

COMMAND = "::set-output name=x::y"
INJECTED = b"orders: !%0A::set-output%20name=x::y []\n"
"""YAML decodes the text of a tag."""
PLAIN = Instead("adjudicator.core.text.problems:plain", "if text.isascii() and text.isprintable():", "if True:")


def commanded(scene: Scene, *words: str, whole: bool = False) -> str:
    """Check if `courtly ci` prints a line that the runner takes for a command, as actions/runner reads lines.

    Such a line begins with `::`, apart from spaces before it. With `whole`, `##[` anywhere counts too, in the older syntax.
    """
    environment = {
        "GITHUB_API_URL": scene.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "token",
        "GITHUB_EVENT_PATH": str(scene.folder / "event.json"),
    }  # fmt: skip
    result = CliRunner().invoke(main, ["-C", str(scene.world.root), *words], env=environment, catch_exceptions=False)
    lines = re.split(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", result.output)
    assert "ull request" in result.output or '"what"' in result.output
    return (
        "commands"
        if any(line.lstrip().startswith("::") or (whole and "##[" in line) for line in lines)
        else "no command"
    )


def named_so(scene: Scene, number: int) -> int:
    """Give a pull request a title and a branch, and its author a name, that are commands."""
    pull = scene.fake.pulls[number]
    pull.title = pull.body = pull.login = f"x\n{COMMAND}\r{COMMAND}\u2028{COMMAND}%0A{COMMAND}"

    def branch(call: str, status: int, data: Any) -> None:
        if call == f"GET /pulls/{number}":
            data["head"]["ref"] = data["head"]["label"] = pull.title

    scene.answers(branch)
    event = {"action": "opened", "pull_request": {"number": number, "title": pull.title, "user": {"login": pull.login}}}
    (scene.folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
    return number


@case("a command to the runner in a sheet", "no command", PLAIN)
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED}))
    return commanded(scene, "ci", "intake")


@case(
    "a command to the runner in a sheet, told as JSON", "no command",
    Instead(
        "adjudicator.cli.output:say", "json.dumps(data, ensure_ascii=False)", "data['line'].replace('\\\\u000a', '\\n')"
    ),
)  # fmt: skip
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED}))
    return commanded(scene, "--json", "ci", "intake")


@case("a command to the runner in a sheet that is caught up", "no command", PLAIN)
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED}))
    return commanded(scene, "ci", "catch-up")


NAMED = Instead("adjudicator.ci.intake:message", 'login.replace("-", "").isalnum() and login.isascii()', "True")
TRAILERS = ["Courtly-File", "Courtly-SHA256", "Courtly-Received", "Courtly-Account", "Courtly-Sent", "Courtly-Source"]


def trailers(scene: Scene) -> str:
    """The last lines of the latest commit's message, by their keys."""
    lines = scene.fake.git("log", "-1", "--format=%B", "main").rstrip("\n").split("\n")
    assert not [line for line in lines if line.lstrip().startswith("::")]
    scene.keep()
    return ", ".join(line.partition(":")[0] for line in lines[4:])


@case("a command to the runner in a player's name", ", ".join(TRAILERS), NAMED)
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): SHEET}))
    assert commanded(scene, "ci", "intake") == "no command"
    said = trailers(scene)
    return said if said == ", ".join(TRAILERS) else "more"


@case("a player's name with an address in it", ", ".join(TRAILERS), NAMED)
def _(scene: Scene) -> str:
    login = "anna <boss@example.org>\nSigned-off-by: boss <boss@example.org>"
    assert scene.tries("Austria", {path("austria.yaml"): SHEET}, login).startswith("accepted")
    said = trailers(scene)
    return said if said == ", ".join(TRAILERS) else "more"


# Issues


def asked(scene: Scene, who: str | int, where: str, text: str) -> int:
    """Send a file as an issue."""
    return scene.fake.open_issue(ACCOUNTS[who] if isinstance(who, str) else who, "anna", letter(where, text))


@case("an issue that the host edited", "somebody else edited this issue")
def _(scene: Scene) -> str:
    number = asked(scene, "Austria", path("austria.yaml"), "orders: []\n")
    scene.fake.edit_issue(number, letter(path("austria.yaml"), SHEET.decode()), account=HOST)
    return scene.take(number)


@case("an issue edited more often than is shown", "was edited so often that nobody can tell by whom")
def _(scene: Scene) -> str:
    number = asked(scene, "Austria", path("austria.yaml"), "orders: []\n")
    for _ in range(51):
        scene.fake.edit_issue(number, letter(path("austria.yaml"), SHEET.decode()))
    return scene.take(number)


@case(
    "an issue where only pull requests are taken",
    "this archive does not take sheets as an issue; send it as a pull request",
)
def _(scene: Scene) -> str:
    scene.pushes({"games/archive.yaml": scene.fake.read("games/archive.yaml") + b"doors: [pull_requests]\n"})
    return scene.take(asked(scene, "Austria", path("austria.yaml"), SHEET.decode()))


@case("an issue that is gone when it is read", "GitHub shows no issue 1; it may be gone", catches_up=True)
def _(scene: Scene) -> str:
    number = asked(scene, "Austria", path("austria.yaml"), SHEET.decode())

    def gone(call: str, status: int, data: Any) -> None:
        if call == "POST /graphql" and "issue" in (data["data"]["repository"] or {}):
            data["data"]["repository"]["issue"] = None

    scene.answers(gone)
    return str(scene.take(number)).replace(f"issue {number}", "issue 1")


@case(
    "a query that is refused",
    "GitHub answers 200 to a query: Resource not accessible; see the job's permissions",
    catches_up=True,
)
def _(scene: Scene) -> str:
    number = asked(scene, "Austria", path("austria.yaml"), SHEET.decode())

    def refused(call: str, status: int, data: Any) -> tuple[int, Any] | None:
        no = {"data": None, "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}]}
        return (200, no) if call == "POST /graphql" else None

    scene.answers(refused)
    said = scene.take(number)
    assert not scene.fake.issues[number].comments
    return said


@case("older rulings that are offered again", "before the current ones, which were sent at 2026-11-20T13:00Z")
def _(scene: Scene) -> str:
    older = "rulings:\n- reason: snow\n  extend: 2026-11-23T00:00Z\n"
    first = asked(scene, HOST, RULING, older)
    scene.fake.now += timedelta(hours=1)
    newer = older + "- reason: more\n  extend: 2026-11-24T00:00Z\n"
    assert scene.take(asked(scene, HOST, RULING, newer)).startswith("accepted")
    scene.keep()
    issue = scene.fake.issues[first]
    issue.comments.clear()
    issue.events.clear()
    scene.fake.set_state(issue, "open")
    issue.events.clear()
    said = scene.take(first)
    scene.pushes({RULING: None})
    return said


@case("a sheet for a game whose files have a fault", "the archive has a fault: games/open/game.yaml:", catches_up=True)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    was = scene.fake.read("games/open/game.yaml")
    scene.pushes({"games/open/game.yaml": b"titel: x\n" + was})
    said = scene.take(number)
    assert (scene.fake.pulls[number].comments, scene.fake.pulls[number].state) == ([], "open")
    scene.pushes({"games/open/game.yaml": was})
    return said


@case("an answer written twice that cannot be taken back", "GitHub answers 403 for removing a comment")
def _(scene: Scene) -> str:
    number = scene.offer("England", {path("austria.yaml"): SHEET})
    mark = f"<!-- courtly refused {scene.fake.pulls[number].head} -->\nNo."
    scene.before("POST /issues", lambda: scene.fake.pulls[number].comments.append(mark))
    scene.fails("DELETE /issues", 403)
    return scene.take(number)


# Comments

MARKUP = "@everyone <img src=x onerror=alert(1)> --> [x](https://example.org) **b** ~~~"
BACKTICKS = Instead("adjudicator.ci.intake:fence", '.replace("`", "\'")', "")


def in_block(comment: str) -> str:
    """Check that a stranger's text is inside the block of code: line for line, and without a backtick."""
    before, _, rest = comment.partition("\n```text\n")
    block, _, after = rest.partition("\n```\n")
    assert "everyone" in block
    lines = block.split("\n")
    held = all(line.startswith(f"{path('austria.yaml')}:") for line in lines) and "`" not in block
    return "in its block" if held and "everyone" not in before + after and "```" not in after else "out of it"


@case("markup in a sheet", "in its block", BACKTICKS, alone=False)
def _(scene: Scene) -> str:
    key = json.dumps(f"`````\n```\n{MARKUP}")
    return in_block(scene.tries("Austria", {path("austria.yaml"): f"{key}: 1\n{key}: 2\n".encode()}))


@case("markup in a tag, on a line of its own", "in its block", PLAIN, alone=False)
def _(scene: Scene) -> str:
    return in_block(scene.tries("Austria", {path("austria.yaml"): b"orders: !%0A%60%60%60%0A%40everyone%0A []\n"}))


@case("markup in a vote", "in its block", BACKTICKS)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): f"concede: {json.dumps(f'``` {MARKUP}')}\n".encode()})
    assert scene.take(number).startswith("accepted")
    scene.keep()
    return in_block(scene.fake.pulls[number].comments[0])


class Chat:
    """A chat's webhook on loopback."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []
        chat = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
                """Says nothing."""

            def do_POST(self) -> None:
                chat.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/secret"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


TITLE = "@everyone <@1> **b** `c` [x](https://example.org) ||s|| # h"


def announced(scene: Scene) -> dict[str, Any]:
    """Message to the chat when a game with this title is judged."""
    scene.plays("loud", sealed=False, seed="s", title=TITLE)
    batch = scene.judge()
    chat = Chat()
    try:
        assert announce([Channel("discord", chat.address)], [*news(scene.world.archive, batch)]) == []
    finally:
        chat.stop()
    (posted,) = chat.posted
    assert "everyone" in str(posted["content"])
    return posted


def plain_text(text: str) -> str:
    """Check that a chat shows a text only as text, apart from our own times and our link at the end of a line."""
    left = re.sub(r" \[Open\]\(<https://[\w./-]+>\)$", "", text, flags=re.MULTILINE)
    left = re.sub(r"<t:\d+:[FR]>", "", left)
    left = re.sub(r"\\[^\w\s]", "", left)  # what is escaped
    return "more" if re.search(r"[`*_<>\[\]|~#]|@(?!\u200b)|https?:", left) else "plain text"


QUOTED = "adjudicator.ci.channels:escape_markdown"


@case("everybody called in a chat", "nobody is called",
      Instead("adjudicator.ci.channels:_discord", '{"parse": []}', '{"parse": ["everyone"]}'))  # fmt: skip
def _(scene: Scene) -> str:
    return "nobody is called" if announced(scene)["allowed_mentions"] == {"parse": []} else "everyone is"


@case("markup in a chat", "plain text", Instead(QUOTED, 'f"\\\\{char}" if', "char if"))
def _(scene: Scene) -> str:
    return plain_text(str(announced(scene)["content"]))


@case("a mention in a chat", "plain text", Instead(QUOTED, "@\\u200b", "@"))
def _(scene: Scene) -> str:
    return plain_text(str(announced(scene)["content"]))


# Attacks that succeeded at first


@case("a record", "this is a record, which is never judged")
def _(scene: Scene) -> str:
    scene.plays("old", sealed=False, seed="s", kind="record")
    return scene.tries("Austria", {path("austria.yaml", "old"): SHEET})


@case("a forged mark", "England has sent 1 sheet this turn")
def _(scene: Scene) -> str:
    def signed(call: str, status: int, data: Any) -> None:
        if re.match("GET /issues", call):
            comments = scene.fake.pulls[number].comments
            for comment, text in zip(data, comments, strict=False):
                if isinstance(text, Stranger):
                    comment["user"] = {"type": "User", "login": "x"}

    number = scene.offer("England", {path("england.yaml", "summer"): SHEET})
    head = scene.fake.pulls[number].head
    scene.fake.pulls[number].comments.append(Stranger(f"<!-- courtly refused {head} -->\nAll is well, go to sleep."))
    scene.answers(signed)
    return scene.take(number)


@case(
    "a sheet after the deadline that was put off", "what was checked",
    Instead("adjudicator.core.jobs.intake:locate", "turn = _after_rulings(archive, turn)", "pass")
)  # fmt: skip
def _(scene: Scene) -> str:
    scene.pushes({RULING: b"rulings:\n  - reason: snow\n    extend: 2026-11-22T12:00Z\n"})
    scene.fake.now = datetime(2026, 11, 22, 0, 5, tzinfo=UTC)
    assert scene.tries("Austria", {path("austria.yaml"): SHEET}).startswith("accepted")
    said = went_in(scene)
    scene.judge("2026-11-22T12:00:00Z")
    return said


@case(
    "an old-style command to the runner in a sheet", "no command",
    Instead("adjudicator.cli.output:defuse", 'line.replace("##[", "##\\\\u005b")', "line")
)  # fmt: skip
def _(scene: Scene) -> str:
    key = b'"##[stop-commands]x"'
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): key + b": 1\n" + key + b": 2\n"}))
    return commanded(scene, "ci", "intake", whole=True)


@case("a pull request of nobody's", "left: has no known author", catches_up=True)
def _(scene: Scene) -> str:
    def nobody(call: str, status: int, data: Any) -> None:
        if call == "POST /graphql":
            for pull in data["data"]["repository"].get("pullRequests", {}).get("nodes", ()):
                pull["author"] = None
        elif call == f"GET /pulls/{number}":
            data["user"] = None

    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.answers(nobody)
    return scene.take(number)


trouble(
    "a tree that GitHub keeps to itself", "GitHub answers 404 for /git/trees/",
    lambda scene: scene.fails("GET /git/trees", 404),
)  # fmt: skip
trouble("asked to slow down", AGAIN, lambda scene: scene.fails("GET /git/blobs", 403, {"Retry-After": "60"}))


@case("an answer that is lost after the last write", "accepted: ")
def _(scene: Scene) -> str:
    def lost(call: str, status: int, data: Any) -> tuple[int, Any] | None:
        return (502, None) if re.match("PATCH /git/refs", call) else None

    number = of_two_commits(scene)
    scene.answers(lost)
    assert scene.take(number).startswith("the job fails: ")
    scene.calm()
    assert scene.take(number) == "left: another job has just taken it in, and will answer"
    scene.fake.now += timedelta(minutes=10)
    said = scene.take(number)
    (comment,) = scene.fake.pulls[number].comments
    assert "received | 2026-11-20T12:00Z (server time)" in comment
    assert "accepted" in comment.partition("\n")[0]
    assert scene.fake.pulls[number].state == "closed"
    assert went_in(scene) == "what was checked"
    return said


@case(
    "a sheet behind a flood of strangers'", "the first",
    Instead("adjudicator.ci.catch_up:in_turn", "if request.account in players", "if not players")
)  # fmt: skip
def _(scene: Scene) -> str:
    for account in range(900, 920):
        scene.offer(account, {path("austria.yaml"): SHEET})
    mine = scene.offer("Austria", {path("austria.yaml"): SHEET})
    before = len(scene.fake.calls)
    caught = scene.world.catch_up(most=5)
    assert len(scene.fake.calls) - before < 5 * 4 + 8
    scene.keep()
    return "the first" if next(done.number for done in caught.outcomes) == mine else "behind them"


@case("one's first orders again, in the open", "accepted: ")
def _(scene: Scene) -> str:
    for number, body in enumerate((SHEET, b"orders: []\n"), 1):
        name = f"austria.{number}.yaml".replace(".1.", ".")
        assert scene.tries("Austria", {path(name): body}).startswith("accepted")
    scene.keep()
    said = scene.tries("Austria", {path("austria.3.yaml"): SHEET})
    scene.keep()
    return said


@case("a sheet between a ruling and its application", "your account does not hold Austria")
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


@case("a second sheet, sealed in an open game", "England has sent 1 sheet this turn; the next one is called england.2")
def _(scene: Scene) -> str:
    said = scene.tries("England", {path("england.yaml.age"): SHEET})
    assert ".age" not in said
    return said


simple("a file that only begins like a game", "left: changes no game", "Austria", {"games.md": b"Buy this\n"})
simple("a sheet behind code", "the pull request changes 3 files; a pull request for a game may contain only one file",
       "Austria", {"a.py": b"", "b.py": b"", path("austria.yaml"): SHEET})  # fmt: skip


# Attacks without a defence yet: each case must pass one day, and gives the reason why it does not


@case(
    "a player whose account the host wrote with more space", "caught up",
    Instead("adjudicator.ci.catch_up:game_accounts", "numbers.update(", "frozenset("),
)  # fmt: skip
def _(scene: Scene) -> str:
    names = [f"games/{slug}/game.yaml" for slug in ("open", "summer")]
    scene.pushes({name: scene.fake.read(name).replace(b"account: 10", b"account:   10") for name in names})
    scene.world.clone.update()
    for account in range(900, 920):
        scene.offer(account, {path("austria.yaml"): SHEET})
    scene.offer("Austria", {path("austria.yaml"): SHEET})
    caught = scene.world.catch_up(most=5)
    scene.keep()
    return "caught up" if "accepted" in [done.what for done in caught.outcomes] else "overlooked"


# FS-22: a player's flood harms only that player, and comes to an end.


def flooded(scene: Scene) -> Caught:
    """Run catch-up after forty pull requests by England and one by Austria, with a limit of ten answers."""
    for _ in range(40):
        scene.offer("England", {path("austria.yaml"): SHEET})
    scene.offer("Austria", {path("austria.yaml"): SHEET})
    caught = scene.world.catch_up(most=10)
    scene.keep()
    return caught


@case(
    "a flood of a player's own pull requests", "10 answers; requests were not checked; it will be tried again",
    Instead("adjudicator.ci.catch_up:_plan", "answers >= most or", ""),
)  # fmt: skip
def _(scene: Scene) -> str:
    caught = flooded(scene)
    assert scene.fake.dispatched[-1] == "catch-up.yml"
    return f"{len(caught.outcomes)} answers; {str(caught.problems[0]).partition(' ')[2]}"


@case(
    "a sheet behind a flood of another player's", "caught up",
    Instead("adjudicator.ci.catch_up:in_rounds", "rounds[counts[request.account]]", "rounds[0]"),
)  # fmt: skip
def _(scene: Scene) -> str:
    return "caught up" if "accepted" in [done.what for done in flooded(scene).outcomes] else "overlooked"


@case(
    "a turn that is due behind a player's hundred pull requests", "judged after an hour",
    Instead("adjudicator.ci.catch_up:unanswered", "<= MOST_HELD", "< 10**9"),
)  # fmt: skip
def _(scene: Scene) -> str:
    for _ in range(12):
        scene.offer("England", {path("austria.yaml"): SHEET})
    (held,) = scene.world.adjudicate("2026-11-22T00:59:00Z").held
    assert held.count("pull request") == 12
    said = "waits" if scene.world.adjudicate("2026-11-22T01:00:00Z").held else "judged after an hour"
    scene.keep()
    scene.judge()
    return said


# The table is tried -----------------------------------------------------------------------------------------------

SITES: dict[str, set[Site]] = {}
"""Case -> statements that refused something."""
REFUSED: dict[str, Site] = {}
"""The statement that refused in the case's words."""


def tried(one: Case, scene: Scene) -> None:
    """Try a case for the first time: it is refused in its words, and nothing changes."""
    watch = Watch()
    with watch.on():
        said = one.play(scene)
    assert one.words in said
    scene.is_unchanged()
    SITES[one.name] = watch.sites
    if one.instead is None and not one.hole:
        REFUSED[one.name] = watch.site(one.words)


def table(*, alone: bool | None = None) -> list[Any]:
    """The cases as parameters of a test; a case without a defence yet is expected to fail until it has one.

    Five in six of those that judge a game wait for `nox -s long`.
    """
    chosen = [trial for trial in CASES if alone in (None, trial.alone)]
    return [
        pytest.param(
            trial,
            id=trial.name,
            marks=[
                *([pytest.mark.xfail(reason=trial.hole, strict=True)] if trial.hole else []),
                *([pytest.mark.long] if alone and at % 6 else []),
            ],
        )
        for at, trial in enumerate(chosen)
    ]  # fmt: skip


@pytest.mark.parametrize("one", table(alone=False))
def test_an_attack_is_refused_and_changes_nothing(one: Case, crowd: Scene) -> None:
    try:
        tried(one, crowd)
    finally:
        crowd.keep()
    crowd.played.add(one.name)


@pytest.mark.parametrize("one", table(alone=False))
def test_catch_up_gives_the_same_answer_as_intake(one: Case, missed: Scene) -> None:
    """H3-0: the answer is the same, whichever event was lost."""
    try:
        if one.words.startswith(("left: ", "GitHub answers")):
            pytest.skip("nobody is told of it")
        tried(one, missed)
    finally:
        missed.keep()


def test_the_games_go_on_with_all_attacks_open_at_once(crowd: Scene) -> None:
    for trial in CASES:
        if not (trial.alone or trial.hole or trial.name in crowd.played):
            tried(trial, crowd)
    refused = [pull for pull in crowd.fake.pulls.values() if pull.comments]
    assert len(refused) > 90
    crowd.goes_on()
    assert {len(pull.comments) for pull in refused} == {1}


@pytest.mark.parametrize("one", table(alone=True))
def test_an_attack_is_refused_changes_nothing_and_the_game_goes_on(one: Case, stage: Scene) -> None:
    tried(one, stage.reset())
    stage.goes_on(catches_up=one.catches_up)


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raise an error in code that takes too long, where the system can."""

    def stop(*about: object) -> None:
        raise TimeoutError

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def said_without(defence: contextlib.AbstractContextManager[None], play: Callable[[], str]) -> str:
    """Message when a defence is missing; the name of the error, if there is one."""
    try:
        with defence, within(60):
            return play()
    except Exception as error:  # noqa: BLE001 - any other error is not the refusal
        return type(error).__name__


@pytest.mark.long
@pytest.mark.parametrize("one", [trial for trial in CASES if not trial.hole], ids=lambda trial: trial.name)
def test_without_its_defence_an_attack_is_not_refused(one: Case, stage: Scene) -> None:
    if one.instead is None and one.name not in REFUSED:
        tried(one, stage.reset())
    defence = one.instead.missing() if one.instead else without(REFUSED[one.name])
    assert one.words not in said_without(defence, lambda: one.play(stage.reset()))


def one_of(who: str | int, files: Files, login: str = "anna", **more: Any) -> Callable[[Scene], int]:
    return lambda scene: scene.offer(who, files, login, **more)


def in_the_last_second(scene: Scene) -> int:
    scene.fake.now = datetime(2026, 11, 21, 23, 59, 59, tzinfo=UTC)
    return scene.offer("Austria", {path("austria.yaml"): SHEET})


def mended_while_it_was_looked_at(scene: Scene) -> int:
    """A sheet that cannot be read, exchanged for one that can just before it would be refused."""
    number = scene.offer("Austria", {path("austria.yaml"): b"oders: []\n"})
    scene.before("GET /git/blobs", lambda: scene.fake.force_push(number, {path("austria.yaml"): SHEET}))
    return number


def instead_of_one_that_waits(scene: Scene) -> int:
    """A ruling by the host taken back before it was applied."""
    scene.pushes({RULING: b"rulings:\n  - reason: a slip\n    correct: {year: 1902}\n"})
    return scene.offer(HOST, {RULING: b"rulings: []\n"})


def below_one_that_waits(scene: Scene) -> int:
    """A ruling by the host below another, which corrects something and is not applied yet."""
    first = b"rulings:\n  - reason: a slip\n    correct: {settings.victory: 20}\n"
    scene.pushes({RULING: first})
    return scene.offer(HOST, {RULING: first + b"  - reason: snow\n    extend: 2026-11-22T03:00Z\n"})


@pytest.mark.parametrize(
    "honest",
    [
        pytest.param(one_of("Austria", {path("austria.yaml"): SHEET}, "renamed"), id="under a new name"),
        pytest.param(one_of("Austria", {path("austria.yaml"): SHEET}, author="x"), id="with another author"),
        pytest.param(one_of("Russia", {path("russia.2.yaml"): b"orders: []\n"}), id="a second sheet"),
        pytest.param(one_of("Russia", {path("russia.2.yaml", "summer"): SHEET}), id="a second sheet, not sealed"),
        pytest.param(one_of("Austria", {path("austria.yaml"): b""}), id="an empty sheet"),
        pytest.param(one_of("Austria", {path("austria.yaml"): b"orders: [Attack!]\n"}), id="no orders of this game"),
        pytest.param(one_of(HOST, {RULING: REPLACED}), id="a ruling by the host"),
        pytest.param(below_one_that_waits, id="a ruling below one that waits"),
        pytest.param(instead_of_one_that_waits, id="a ruling that waits, taken back"),
        pytest.param(of_two_commits, id="in two commits"),
        pytest.param(in_the_last_second, id="in the last second"),
        pytest.param(mended_while_it_was_looked_at, id="mended while it was looked at"),
    ],
)  # fmt: skip
def test_honest_sheets_are_taken_in(honest: Callable[[Scene], int], stage: Scene) -> None:
    number = honest(stage.reset())
    assert stage.take(number).startswith("accepted: ")
    assert len(set(stage.fake.files().items()) - set(stage.kept.items())) == 1
    assert stage.fake.pulls[number].state == "closed"
    assert len(stage.fake.pulls[number].comments) == 1
    stage.keep()
    stage.goes_on()


@pytest.fixture(scope="module")
def envelopes(stage: Scene) -> Mapping[str, str]:
    """Russia sends all the sealed sheets, with numbers in sequence, and the turn is judged; return the reason against each."""
    stage.reset()
    names: dict[str, str] = {}
    for number, sealed in enumerate(SEALED, 2):
        name = f"russia.{number}.yaml.age"
        assert stage.tries("Russia", {path(name, "summer"): sealed.body(stage, number)}).startswith("accepted"), (
            sealed.name
        )
        names[name] = sealed.name
    stage.keep()
    watch = Watch()
    with watch.on():
        stage.judge()
    refused = counted_before(stage)
    stage.goes_on()
    SITES["sealed"] = watch.sites
    REFUSED.update({sealed.name: watch.site(sealed.words) for sealed in SEALED})
    return {names[name]: why for name, why in refused.items()}


@pytest.mark.parametrize("one", first_of(SEALED[::2] + SEALED[1::2], len(SEALED) // 2), ids=lambda one: one.name)
def test_a_sealed_sheet_with_a_hidden_fault_does_not_count(one: Sealed, envelopes: Mapping[str, str]) -> None:
    assert one.words in envelopes[one.name]


@pytest.mark.long
@pytest.mark.parametrize("one", SEALED, ids=lambda one: one.name)
def test_without_its_defence_such_a_sheet_would_count(one: Sealed, envelopes: Mapping[str, str], stage: Scene) -> None:
    def play() -> str:
        stage.reset()
        stage.world.clone.update()
        (stage.world.root / path("russia.2.yaml.age", "summer")).write_bytes(body)
        batch = judge_due_games(stage.world.archive, "2026-11-22T06:00Z")
        turn = load_turn(stage.world.archive, load_game(stage.world.archive, "summer"), FIRST)
        return " ".join([*(turn.data.refused or {}).values(), *map(str, batch.problems)])

    stage.reset()
    body = one.body(stage, 2)
    assert one.words in play()
    assert one.words not in said_without(without(REFUSED[one.name]), play)


@pytest.mark.long
def test_every_refusal_is_in_the_table(stage: Scene, envelopes: Mapping[str, str]) -> None:
    for trial in CASES:
        if not trial.hole and trial.name not in SITES:
            tried(trial, stage.reset())
    hit = {(site.file, site.line) for sites in SITES.values() for site in sites}
    core, ci = PACKAGE / "core", PACKAGE / "ci"
    wanted = refusals(core / "jobs/intake.py") | refusals(ci / "intake.py")
    # Messages to a host who sends a sheet, and about wishes and letters, which need special games: see test_take,
    # test_draw and test_press.
    wanted -= refusals(core / "jobs/intake.py", ("locate_seat", "_take_wish", "_locate_letter"))
    wanted -= {(file, line) for file, line in wanted if "shape_faults" in file.read_text().splitlines()[line - 2]}
    wanted |= refusals(ci / "github.py") | refusals(ci / "rest.py")
    wanted |= refusals(core / "game/join.py", ("chair", "asked"))
    wanted |= refusals(core / "secrets/age.py", ("examine", "decrypt"))
    wanted |= refusals(core / "secrets/envelope.py", ("open_envelope",))
    wanted |= refusals(core / "jobs/check.py", ("check_sealed",))
    # For a turn whose key was exchanged by a push, not by a pull request, see test_adjudicate.
    wanted -= {(file, line) for file, line in wanted if "is stopped: " in file.read_text().splitlines()[line - 1]}
    never = sorted(f"{file.name}:{line}" for file, line in wanted - hit)
    assert len(wanted) > 30
    assert never == []


def test_there_are_enough_cases() -> None:
    cases: list[Case | Sealed] = [*(trial for trial in CASES if not trial.hole), *SEALED]
    print(f"{len(cases)} hostile cases")
    assert len({trial.name for trial in cases}) == len(cases)
    assert len(cases) >= 60
