"""What hostile people try, case by case: each is refused in words, nothing changes, and the game goes on.

Each case is played twice. The second time the statement that refused is taken out of the program (see `mutants`), and
then the same refusal must not come: so no case passes by accident, and no refusal can be lost unseen.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import http.server
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from click.testing import CliRunner

from adjudicator.ci.adjudicate import Batch, adjudicate, announce, announcements, quoted
from adjudicator.ci.clone import Clone
from adjudicator.ci.github import GitHub
from adjudicator.cli import main
from adjudicator.core.archive import Archive
from adjudicator.core.enter import new_game
from adjudicator.core.problems import Problems
from adjudicator.core.proof import verify_game
from adjudicator.core.seal import (
    BINARY,
    Envelope,
    decrypted,
    encrypted,
    envelope_text,
    new_identity,
    padded,
    recipient_of,
)
from adjudicator.core.turn import Turn, keys_for, load_game, load_turn
from adjudicator.core.yamltext import write
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, MASTER, World, game_data, start
from tests.ci.fake import OWNER, FakeGitHub, git
from tests.ci.mutants import PACKAGE, Instead, Site, Watch, refusals, without

NEXT = "002-fall-1901-movement"
STRANGER = 999
LATE = "2026-12-25T00:00:00Z"
"""After every deadline of the first turns."""
DEADLINE = "2026-11-22T00:00:00Z"
SHEET = b"orders:\n  - A Vienna - Galicia\n"
REPLACED = b"rulings:\n  - reason: gone\n    replace: {seat: Austria, player: Alex, account: 200}\n"


def path(file: str, game: str = "open", turn: str = FIRST) -> str:
    """Where a sheet lives."""
    return f"games/{game}/{turn}/orders/{file}"


def sets(thing: object, name: str, value: object) -> None:
    """Puts something of the test's in place of a method."""
    setattr(thing, name, value)


# A world, attacked ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games, `summer` (sealed) and `open`, in which England and Russia have sent sheets."""
    folder = tmp_path_factory.mktemp("template") / "world"
    folder.mkdir()
    world = start(folder, {"summer": game_data(), "open": game_data(sealed=False, seed="s")})
    files: dict[str, bytes | tuple[str, bytes] | None] = {
        path("england.yaml"): b"orders: [F London - North Sea]\n",
        path("russia.yaml"): b"orders: [A Moscow - Ukraine]\n",
        path("england.yaml.age", "summer"): world.sealed("England", ["F London - North Sea"]),
        path("russia.yaml.age", "summer"): world.sealed("Russia", ["A Moscow - Ukraine"]),
    }
    world.fake.push_to_main(files)
    world.clone.update()
    world.github.close_pool()
    world.fake.stop()
    return folder


class Scene:
    """A world of its own for one attack, and what may not change in it."""

    def __init__(self, template: Path, folder: Path) -> None:
        shutil.copytree(template, folder)
        self.folder = folder
        self.fake = FakeGitHub(folder)
        sets(self.fake.server.RequestHandlerClass, "disable_nagle_algorithm", True)
        sets(self.fake.server, "handle_error", lambda *about: None)  # connections are dropped on purpose
        root = folder / "clone"
        git(root, "remote", "set-url", "origin", str(self.fake.repository))
        github = GitHub(self.fake.address, OWNER, "token", patience=0.0)
        self.world = World(self.fake, Clone(root, "main"), Archive(root, MASTER), github, root)
        self.serve = self.fake.serve
        self.was_judged = False
        self.keep()

    def close(self) -> None:
        self.world.github.close_pool()
        self.fake.stop()

    def keep(self) -> None:
        """What is on the branch now is to stay."""
        self.head, self.kept = self.fake.main(), self.fake.files()

    # Attacks ------------------------------------------------------------------------------------------------------

    def offer(
        self, who: str | int, files: Mapping[str, bytes | tuple[str, bytes] | None], login: str = "anna", **more: Any
    ) -> int:
        """A pull request by whoever holds a seat, or by an account."""
        return self.fake.open_pull(ACCOUNTS[who] if isinstance(who, str) else who, login, files, **more)

    def take(self, number: int) -> str:
        """Runs intake; what the player is told, or the job, or what was done without telling anybody."""
        pull = self.fake.pulls[number] if number in self.fake.pulls else None
        try:
            done = self.world.intake(number)
        except Problems as error:
            return f"the job fails: {error}"
        if done.what == "refused":
            assert pull is not None
            assert (pull.state, len(pull.comments)) == ("open", 1)
            return pull.comments[0]
        return f"{done.what}: {done.line}"

    def tries(
        self, who: str | int, files: Mapping[str, bytes | tuple[str, bytes] | None], login: str = "anna", **more: Any
    ) -> str:
        """Opens a pull request and runs intake."""
        return self.take(self.offer(who, files, login, **more))

    def pushes(self, files: Mapping[str, bytes | tuple[str, bytes] | None]) -> None:
        """A push by somebody who may."""
        self.fake.push_to_main(files)
        self.keep()

    def plays(self, slug: str, **data: Any) -> None:
        """One more game."""
        self.world.clone.update()
        new_game(self.world.archive, slug, game_data(**data))
        assert self.world.clone.commit([f"A game called {slug}"], "2026-11-20T12:00Z")
        assert self.world.clone.push()
        self.keep()

    def lists(self, *names: str, status: str = "added") -> None:
        """The server lists these as what a pull request changes, whatever its commit says."""
        sets(self.fake, "changed", lambda pull: [{"filename": name, "status": status} for name in names])

    def answers(self, change: Callable[[str, str, int, Any], tuple[int, Any] | None]) -> None:
        """Changes answers: asked with method, path, status and data, once the server has done what was asked."""
        real = self.serve

        def changed(method: str, where: str, body: Any) -> tuple[int, Any]:
            status, data = real(method, where, body)
            return change(method, where, status, data) or (status, data)

        sets(self.fake, "serve", changed)

    def fails(
        self, call: str, status: int, headers: Mapping[str, str] | None = None, *, times: int = 10**9
    ) -> None:
        """The server answers calls like this with a status, so many times."""
        left = [times]

        def fault(method: str, where: str) -> tuple[int, dict[str, str]] | None:
            if left[0] <= 0 or not re.match(call, f"{method} {where}"):
                return None
            left[0] -= 1
            return status, dict(headers or {})

        self.fake.faults.append(fault)

    def drops(self, call: str, *, times: int = 10**9) -> None:
        """The server drops the connection at calls like this."""
        left = [times]

        def drop(method: str, where: str) -> None:
            if left[0] > 0 and re.match(call, f"{method} {where}"):
                left[0] -= 1
                raise ConnectionAbortedError

        self.fake.before.append(drop)

    def before(self, call: str, act: Callable[[], None], *, times: int = 1) -> None:
        """Somebody does something just before a call like this is answered."""
        left = [times]

        def hook(method: str, where: str) -> None:
            if left[0] > 0 and re.match(call, f"{method} {where}"):
                left[0] -= 1
                act()
                self.keep()

        self.fake.before.append(hook)

    # Sealed sheets ------------------------------------------------------------------------------------------------

    def sealed(self, seat: str = "Russia", **changes: Any) -> bytes:
        """Another sheet of Russia, sealed; in its envelope is whatever the test says."""
        return self.world.sealed(seat, ["A Moscow - Livonia"], **({"sequence": 2} | changes))

    @property
    def recipient(self) -> str:
        seal = self.world.turn("summer").data.seal
        assert seal is not None
        return seal.recipient

    def inside(self, sheet: bytes, **changes: Any) -> bytes:
        """A sealed sheet that says this inside, as it is written here."""
        game = load_game(self.world.archive, "summer")
        said = {"archive": game.archive, "game": "summer", "turn": FIRST, "seat": "Russia", "account": 106}
        said |= {"sequence": 2, "nonce": "0" * 32} | changes
        return encrypted(padded(write(said).encode() + sheet), [self.recipient], armored=True)

    def judge(self, at: str = LATE) -> Batch:
        """Runs the adjudication; of people's files not one may be another after it."""
        before = {name: entry for name, entry in self.fake.files().items() if "/orders/" in name or "ruling" in name}
        batch = self.world.adjudicate(at)
        after = self.fake.files()
        assert {name: after.get(name) for name in before} == before
        assert batch.problems == []
        self.keep()
        self.was_judged = True
        return batch

    def turn(self, game: str, name: str = FIRST) -> Turn:
        self.world.clone.update()
        return load_turn(self.world.archive, load_game(self.world.archive, game), name)

    def judged(self, body: bytes, file: str = "russia.2.yaml.age") -> str:
        """Russia sends this after an honest sheet, and the turn is judged; why this does not count."""
        said = self.tries("Russia", {path(file, "summer"): body})
        if not said.startswith("accepted"):
            return said
        return self.why_not(file)

    def why_not(self, file: str) -> str:
        """Judges the turn; why this file does not count, and that Russia's sheet before it does."""
        self.judge()
        data = self.turn("summer").data
        earlier = self.fake.read(path("russia.yaml.age", "summer"))
        assert data.status == "resolved"
        assert (data.sheets or {})["Russia"] == hashlib.sha256(earlier).hexdigest()
        assert set(data.refused or {}) == {file}
        return (data.refused or {})[file]

    # Afterwards ---------------------------------------------------------------------------------------------------

    def is_unchanged(self) -> None:
        assert self.fake.main() == self.head
        assert self.fake.files() == self.kept

    def goes_on(self, *, catches_up: bool) -> None:
        """The games are judged all the same, from the sheets of those who sent some, and anybody can verify them."""
        self.fake.faults.clear()
        self.fake.before.clear()
        sets(self.fake, "serve", self.serve)
        sheets = {name for name in self.kept if "/orders/" in name or name.endswith("ruling.yaml")}
        if not self.was_judged:
            self.judge()
        now = {name for name in self.fake.files() if "/orders/" in name or name.endswith("ruling.yaml")}
        assert bool(now - sheets) == catches_up
        fresh = self.folder / "fresh"
        git(self.folder, "clone", "--quiet", str(self.fake.repository), str(fresh))
        archive = Archive(fresh)
        for slug in archive.slugs():
            assert verify_game(archive, slug).problems == ()
        for game, file in (("summer", "england.yaml.age"), ("open", "england.yaml")):
            data = load_turn(archive, load_game(archive, game), FIRST).data
            digest = hashlib.sha256((fresh / path(file, game)).read_bytes()).hexdigest()
            assert (data.status, (data.sheets or {})["England"]) == ("resolved", digest)


@pytest.fixture
def scenes(template: Path, tmp_path: Path) -> Iterator[Callable[[], Scene]]:
    """Makes scenes, and closes them."""
    made: list[Scene] = []

    def make() -> Scene:
        made.append(Scene(template, tmp_path / f"scene-{len(made)}"))
        return made[-1]

    yield make
    for scene in made:
        scene.close()


@pytest.fixture
def scene(scenes: Callable[[], Scene]) -> Scene:
    return scenes()


# The table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One attack: what is done, and the words in which it is refused."""

    name: str
    words: str
    play: Callable[[Scene], str]
    instead: Instead | None = None
    """The defence, where it is no statement that refuses in these words."""
    catches_up: bool = False
    """Whether the next adjudication takes the sheet in, because nothing was wrong with it."""


CASES: list[Case] = []


def case(
    name: str, words: str, instead: Instead | None = None, *, catches_up: bool = False
) -> Callable[[Callable[[Scene], str]], Callable[[Scene], str]]:
    """Puts a function into the table."""

    def put(play: Callable[[Scene], str]) -> Callable[[Scene], str]:
        CASES.append(Case(name, words, play, instead, catches_up))
        return play

    return put


def simple(
    name: str,
    words: str,
    who: str | int,
    files: Mapping[str, bytes | tuple[str, bytes] | None],
    login: str = "anna",
    **more: Any,
) -> None:
    """A case that is one pull request."""
    CASES.append(Case(name, words, lambda scene: scene.tries(who, files, login, **more)))


# Seats

simple(
    "another seat's sheet", "your account does not hold Austria; your seat: England", "England",
    {path("austria.yaml"): SHEET},
)  # fmt: skip
simple(
    "another seat's sheet, sealed", "your account does not hold Austria; your seat: England", "England",
    {path("austria.yaml.age", "summer"): b"x"},
)  # fmt: skip
simple(
    "a stranger", "your account does not hold Austria; your account holds no seat of this game", STRANGER,
    {path("austria.yaml"): SHEET},
)  # fmt: skip
simple(
    "the host", "your account does not hold Austria; your account holds no seat", HOST, {path("austria.yaml"): SHEET}
)
simple(
    "another account by the player's name", "your account does not hold Austria", STRANGER,
    {path("austria.yaml"): SHEET}, "Austria",
)  # fmt: skip
simple(
    "a forged author of the commit", "your account does not hold Austria", STRANGER, {path("austria.yaml"): SHEET},
    author="Austria’s player",
)  # fmt: skip


@case("a seat of which no account is known", "no account is known to play Austria; the host adds `account:`")
def _(scene: Scene) -> str:
    people = {seat: {"player": "Somebody"} for seat in ACCOUNTS}
    scene.plays("nobody", sealed=False, seed="s", seats=people)
    said = scene.tries("Austria", {path("austria.yaml", "nobody"): SHEET})
    return said.replace("'account:'", "`account:`")  # no backtick comes into the comment's block


@case("a sheet by an account that lost the seat", "your account does not hold Austria; your account holds no seat")
def _(scene: Scene) -> str:
    scene.pushes({f"games/open/{FIRST}/ruling.yaml": REPLACED})
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


# What a pull request changes

simple(
    "a sheet and one more file", "the pull request changes 2 files", "Austria",
    {path("austria.yaml"): SHEET, path("austria.2.yaml"): SHEET},
)  # fmt: skip
simple(
    "thirty files", "the pull request changes 30 files", "Austria",
    {path(f"x{number}.yaml"): SHEET for number in range(30)},
)  # fmt: skip
simple(
    "a sheet and code", "the pull request changes 2 files", "Austria",
    {path("austria.yaml"): SHEET, "adjudicator/core/seal.py": b"import os\n"},
)  # fmt: skip
simple(
    "a sheet behind code", "left: changes no game", "Austria",
    {"a.py": b"", "b.py": b"", path("austria.yaml"): SHEET},
)  # fmt: skip
simple("no game at all", "left: changes no game", "Austria", {"README.md": b"Buy this\n"})
simple("a file called game", "left: changes no game", "Austria", {"game/x": b"x"})
simple("a sheet renamed", "the pull request renames a file", "Austria", {
    path("england.yaml"): None, path("austria.yaml"): b"orders: [F London - North Sea]\n",
})  # fmt: skip
simple("a sheet removed", "the pull request removes a file", "England", {path("england.yaml"): None})
simple("a rival's sheet removed", "the pull request removes a file", "Austria", {path("england.yaml"): None})
simple("a sheet changed", "the pull request changes a file; sheets are only ever added", "England", {
    path("england.yaml"): SHEET,
})  # fmt: skip
simple("a sealed sheet changed", "the pull request changes a file; sheets are only ever added", "England", {
    path("england.yaml.age", "summer"): SHEET,
})  # fmt: skip
simple("a sheet made a link", "the pull request changes a file; sheets are only ever added", "England", {
    path("england.yaml"): ("120000", b"austria.yaml"),
})  # fmt: skip
simple("the rules of a game", "the pull request changes a file", "Austria", {"games/open/game.yaml": b"schema: 1\n"})
simple("the archive's id", "the pull request changes a file", "Austria", {"games/archive.yaml": b"schema: 1\n"})
simple("a turn as it should be", "the pull request changes a file", "Austria", {
    f"games/open/{FIRST}/turn.yaml": b"schema: 1\n",
})  # fmt: skip
simple("a link", "austria.yaml is a link; send an ordinary file", "Austria", {
    path("austria.yaml"): ("120000", b"/etc/passwd"),
})  # fmt: skip
simple("a submodule", "austria.yaml is a submodule; send an ordinary file", "Austria", {
    path("austria.yaml"): ("160000", b"0" * 39 + b"1"),
})  # fmt: skip
simple("an executable file", "austria.yaml is an executable file; send an ordinary file", "Austria", {
    path("austria.yaml"): ("100755", SHEET),
})  # fmt: skip
simple("a folder of sheets replaced by a link", "the pull request changes 3 files", "Austria", {
    path("england.yaml"): None, path("russia.yaml"): None, f"games/open/{FIRST}/orders": ("120000", b"/tmp"),
})  # fmt: skip


@case("a folder on the path that is a link, and a list that does not tell", "/orders is not a folder there")
def _(scene: Scene) -> str:
    folder = f"games/open/{FIRST}/orders"
    files: dict[str, Any] = {path("england.yaml"): None, path("russia.yaml"): None, folder: ("120000", b"/tmp")}
    number = scene.offer("Austria", files)
    scene.lists(path("austria.yaml"))
    return scene.take(number)


@case("a folder of a sheet's name, and a list that does not tell", "austria.yaml is no file")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml/x"): SHEET})
    scene.lists(path("austria.yaml"))
    return scene.take(number)


@case("a file that is listed and not there", "the file is not in the pull request's commit; push it again")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {"x": b""})
    scene.lists(path("austria.yaml"))
    return scene.take(number)


@case("twenty megabytes", "the file has 20971520 bytes; at most 16384 are allowed")
def _(scene: Scene) -> str:
    said = scene.tries("Austria", {path("austria.yaml"): b"#" * 20 * 1024 * 1024})
    assert not [call for call in scene.fake.calls if "/git/blobs" in call], "it was downloaded"
    return said


@case("twenty kilobytes, and a size that does not tell", "the file has 20480 bytes; at most 16384 are allowed")
def _(scene: Scene) -> str:
    def small(method: str, where: str, status: int, data: Any) -> None:
        if "/git/trees" in where:
            for entry in data["tree"]:
                entry["size"] = 10

    number = scene.offer("Austria", {path("austria.yaml"): b"#" * 20480})
    scene.answers(small)
    return scene.take(number)


# Paths

NOWHERE, NOBODY = "this is not where a sheet lives", "no seat of this game has a sheet of that name"
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
    "gamesx": NOWHERE,
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
"""What git takes into no tree (or no test can write): only a list can say so."""


def shown(name: str) -> str:
    return name.removeprefix(path("")).encode("unicode_escape").decode()[:40]


for one, words in PATHS.items():
    simple(f"the path {shown(one)}", words, "Austria", {one: SHEET})


def listed(name: str) -> Callable[[Scene], str]:
    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {"x": b""})
        scene.lists(name)
        return scene.take(number)

    return play


for one, words in LISTED.items():
    CASES.append(Case(f"listed, the path {shown(one)}", words, listed(one)))

# Games, turns and time

simple("an unknown game", "there is no game 'opem'; did you mean 'open'?", "Austria", {
    path("austria.yaml", "opem"): SHEET,
})  # fmt: skip
simple("a turn to come", f"open has no turn '{NEXT}'; the open turn is {FIRST}", "Austria", {
    path("austria.yaml", turn=NEXT): SHEET,
})  # fmt: skip
simple("a turn of nobody's", "open has no turn '009-x'", "Austria", {path("austria.yaml", turn="009-x"): SHEET})


@case("a turn that was judged", f"the turn {FIRST} has been judged; the open turn is {NEXT}")
def _(scene: Scene) -> str:
    scene.judge()
    return scene.tries("Austria", {path("austria.yaml"): SHEET}, date="2026-11-20T12:00:00Z")


@case("a ruling for a turn that was judged", f"the turn {FIRST} has been judged; the open turn is {NEXT}")
def _(scene: Scene) -> str:
    scene.judge()
    return scene.tries(HOST, {f"games/open/{FIRST}/ruling.yaml": REPLACED})


@case("a game that has not begun", f"waiting has no turn '{FIRST}'; it has not begun")
def _(scene: Scene) -> str:
    scene.plays("waiting", setup="0" * 64)
    return scene.tries("Austria", {path("austria.yaml", "waiting"): SHEET})


@case("a game that is over", "this game is over")
def _(scene: Scene) -> str:
    scene.pushes({f"games/open/{FIRST}/ruling.yaml": b"rulings:\n  - {reason: enough, end: {how: draw}}\n"})
    scene.judge()
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


@case("after the deadline, in a commit of before it", "the deadline was 2026-11-22T00:00Z, and by the server's clock")
def _(scene: Scene) -> str:
    scene.fake.now = scene.fake.now.replace(day=22, hour=0, minute=1)
    return scene.tries("Austria", {path("austria.yaml"): SHEET}, date="2026-11-20T12:00:00Z")


@case("on the stroke of the deadline", "by the server's clock it was 2026-11-22T00:00Z; write one for the next turn")
def _(scene: Scene) -> str:
    scene.fake.now = scene.fake.now.replace(day=22, hour=0, minute=0, second=0)
    return scene.tries("Austria", {path("austria.yaml"): SHEET})


@case("opened before the deadline, pushed to after it", "the deadline was 2026-11-22T00:00Z")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.fake.now = scene.fake.now.replace(day=22, hour=3)
    scene.fake.force_push(number, {path("austria.yaml"): b"orders: []\n"}, date="2026-11-20T12:00:00Z")
    return scene.take(number)


@case("a second sheet while others are waited for", "the deadline was 2026-11-22T00:00Z")
def _(scene: Scene) -> str:
    scene.plays("slow", sealed=False, seed="s", schedule={"turn": "1d12h", "grace": "1d"})
    scene.pushes({path("england.yaml", "slow"): SHEET})
    scene.fake.now = scene.fake.now.replace(day=22, hour=3)
    said = scene.tries("England", {path("england.2.yaml", "slow"): SHEET + b"# other\n"})
    scene.is_unchanged()
    assert scene.tries("Austria", {path("austria.yaml", "slow"): SHEET}).startswith("accepted")
    scene.keep()
    return said.replace("2026-11-21T12:00Z", "2026-11-22T00:00Z")


# Numbers

simple("a second sheet under the first name", "England has sent 1 sheet this turn; the next one is called england.2.yaml",
       "England", {path("england.yaml.age", "open"): SHEET})  # fmt: skip
simple("an open twin of a sealed sheet", "England has sent 1 sheet this turn; the next one is called england.2.yaml",
       "England", {path("england.yaml", "summer"): SHEET})  # fmt: skip
simple("a number too high", "Austria has sent 0 sheets this turn; the next one is called austria.yaml", "Austria", {
    path("austria.7.yaml"): SHEET,
})  # fmt: skip
simple("a number left out", "England has sent 1 sheet this turn; the next one is called england.2.yaml.age and says",
       "England", {path("england.3.yaml.age", "summer"): SHEET})  # fmt: skip


@case("the hundredth sheet", "Austria has sent 99 sheets this turn; that is the most; ask the host")
def _(scene: Scene) -> str:
    scene.pushes({path("austria.99.yaml"): SHEET})
    return scene.tries("Austria", {path("austria.98.yaml"): b"orders: []\n"})


@case("two pull requests for one seat", "Austria has sent 1 sheet this turn; the next one is called austria.2.yaml")
def _(scene: Scene) -> str:
    one, two = (scene.offer("Austria", {path("austria.yaml"): SHEET + b"#" * size}) for size in (1, 2))
    assert scene.take(one).startswith("accepted")
    scene.keep()
    said = scene.take(two)
    assert scene.tries("Austria", {path("austria.2.yaml"): SHEET}).startswith("accepted")
    scene.keep()
    return said


@case("deliveries in the wrong order", "Austria has sent 0 sheets this turn; the next one is called austria.yaml")
def _(scene: Scene) -> str:
    one = scene.offer("Austria", {path("austria.yaml"): SHEET})
    two = scene.offer("Austria", {path("austria.2.yaml"): b"orders: []\n"})
    said = scene.take(two)
    scene.is_unchanged()
    assert scene.take(one).startswith("accepted")
    assert scene.world.intake(two).what == "accepted"
    scene.keep()
    return said


# Deliveries and races


@case("a delivery that comes twice", "left: is closed already")
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    assert scene.take(number).startswith("accepted")
    scene.keep()
    said = scene.take(number)
    assert len(scene.fake.pulls[number].comments) == 1
    return said


@case("a delivery of several commits that comes twice", "left: is closed already")
def _(scene: Scene) -> str:
    first = scene.fake.commit({path("austria.yaml"): b"orders: []\n"})
    number = scene.fake.open_pull_of(ACCOUNTS["Austria"], "anna", scene.fake.commit({path("austria.yaml"): SHEET}, onto=first))
    assert scene.take(number).startswith("accepted")
    assert scene.fake.git("rev-list", "--parents", "-1", "main").split()[1:] == [scene.head]
    scene.keep()
    said = scene.take(number)
    assert len(scene.fake.pulls[number].comments) == 1
    return said


@case(
    "a refused pull request delivered three times", "1 comment",
    Instead("adjudicator.ci.github:GitHub.comment_once", "return False", "pass"),
)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("England", {path("austria.yaml"): SHEET})
    for _ in range(3):
        assert scene.world.intake(number).what == "refused"
    return f"{len(scene.fake.pulls[number].comments)} comment"


@case(
    "a force-push while it is checked", "what was checked",
    Instead(
        "adjudicator.ci.intake:intake", "body=body,",
        "body=github.blob(github.entry(github.pull(number)['head']['sha'], accepted.place.path)['sha']),",
    ),
)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})

    def push() -> None:
        scene.fake.force_push(number, {path("austria.yaml"): b"orders: [&a *a]\n", "adjudicator/x.py": b""})

    scene.before("GET /git/blobs", push)
    assert scene.take(number).startswith("accepted")
    assert set(scene.fake.files()) - set(scene.kept) == {path("austria.yaml")}
    said = "what was checked" if scene.fake.read(path("austria.yaml")) == SHEET else "something else"
    scene.keep()
    return said


@case(
    "a force-push before the file is read", "what was checked",
    Instead("adjudicator.ci.intake:_checked", "github.entry(head, ", "github.entry(github.pull(pull['number'])['head']['sha'], "),
)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})

    def push() -> None:
        scene.fake.force_push(number, {path("austria.yaml"): b"orders: []\n"})

    scene.before("GET /git/trees", push)
    scene.before("GET /pulls/1/files", push)
    assert scene.take(number).startswith("accepted")
    said = "what was checked" if scene.fake.read(path("austria.yaml")) == SHEET else "something else"
    scene.keep()
    return said


@case(
    "a push while it is checked", "on top of it",
    Instead("adjudicator.ci.github:GitHub.add_file", '"force": False', '"force": True'),
)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.before("POST /git/trees", lambda: scene.pushes({"README.md": b"Pushed meanwhile\n"}))
    assert scene.take(number).startswith("accepted")
    assert set(scene.fake.files()) - set(scene.kept) == {path("austria.yaml")}
    said = "on top of it" if scene.fake.git("merge-base", "main", scene.head) == scene.head else "in its place"
    scene.keep()
    return said


@case("a turn that is judged while its sheet is checked", f"the turn {FIRST} has been judged")
def _(scene: Scene) -> str:
    other = scene.folder / "other"

    def judge() -> None:
        git(scene.folder, "clone", "--quiet", str(scene.fake.repository), str(other))
        assert adjudicate(Clone(other, "main"), Archive(other, MASTER), at="2026-11-25T00:00Z").pushed

    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.before("PATCH /git/refs", judge)
    said = scene.take(number)
    scene.was_judged = True
    return said


@case("a branch that never stands still", "the branch moved 6 times while pull request 1 was checked; run it again",
      catches_up=True)  # fmt: skip
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    scene.fails("PATCH /git/refs", 422)
    return scene.take(number)


def left(name: str, words: str, **state: Any) -> None:
    """A pull request in a state in which it is left alone."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        for key, value in state.items():
            sets(scene.fake.pulls[number], key, value)
        said = scene.take(number)
        assert scene.fake.pulls[number].comments == []
        return said

    CASES.append(Case(name, words, play))


left("a draft", "left: is a draft", draft=True)
left("for another branch", "left: is for another branch", base="gh-pages")
left("withdrawn", "left: is closed already", state="closed")

# What is in a sheet

YAML: dict[str, tuple[bytes, str]] = {
    "an alias": (b"orders: *a\n", "an alias (*a); write the value out"),
    "a bomb of aliases": (
        b"a: &a [x, x]\n" + b"".join(b"%c: &%c [*%c, *%c]\n" % (65 + n, 65 + n, 64 + n, 64 + n) for n in range(1, 20)),
        "an anchor (&a); remove it",
    ),
    "deep nesting": (b"orders: " + b"[" * 5000 + b"\n", "nested deeper than 20 levels; write it flatter"),
    "deep nesting of lines": (b"orders:\n  " + b"- " * 5000 + b"x\n", "nested deeper than 20 levels; write it flatter"),
    "a giant number": (b"orders: " + b"9" * 8000 + b"\n", "orders is '9999"),
    "a tag": (b"orders: !!python/object/apply:os.system [id]\n", "a tag (tag:yaml.org,2002:python/object/apply:os.system)"),
    "a merge key": (b"<<: {orders: []}\n", "a merge key (<<); write the keys out"),
    "a key twice": (b"orders: []\norders: [A Vienna - Galicia]\n", "the key 'orders' stands twice; keep one of them"),
    "a key that is a list": (b"? [orders]\n: []\n", "a key that is a list or a mapping"),
    "an unknown key": (b"oders: []\n", "unknown key 'oders'; did you mean 'orders'?"),
    "a quote that is not closed": (b'orders: ["A Vienna\n', "not YAML: a quote that is not closed"),
    "text against the grain": ("orders: [A Vienna - \u202eaicilaG]\n".encode(), "changes the direction of text (U+202E)"),
    "a line that editors do not see": ("# x\u2028orders: []\n".encode(), "a control character (U+2028)"),
    "a NUL": (b"orders: []\n\0", "a control character (U+0000)"),
    "a colour": (b"orders: []\n# \x1b[31m\n", "a control character (U+001B)"),
    "no UTF-8": (b"orders: [A M\xfcnchen - Berlin]\n", "the file is not UTF-8 text; save it as UTF-8"),
    "UTF-16": ("orders: []\n".encode("utf-16"), "the file is not UTF-8 text; save it as UTF-8"),
    "orders without end": (b"orders: [" + b"x," * 2000 + b"]\n", "orders has 2000 entries; at most 100 are allowed"),
    "an order that is a list": (b"orders: [[A Vienna]]\n", "entry 1 of orders is a list"),
    "a vote that is a number": (b"draw: 1\n", "draw is 1; write true or false"),
}
WHOLE: dict[str, tuple[bytes, str]] = {
    "a directive": (b"%YAML 1.2\n---\norders: []\n", "a YAML directive; remove the line that begins with %"),
    "a second document": (b"orders: []\n---\norders: []\n", "a second document; one file holds one document"),
    "a list": (b"- A Vienna - Galicia\n", "the file is a list; write keys with their values"),
    "a word": (b"hello\n", "the file is 'hello'; write keys with their values"),
}
for name, (body, words) in (YAML | WHOLE).items():
    simple(f"a sheet with {name}", words, "Austria", {path("austria.yaml"): body})


def inside(body: bytes) -> Callable[[Scene], str]:
    indented = b"sheet:\n  " + body.rstrip(b"\n").replace(b"\n", b"\n  ") + b"\n"
    return lambda scene: scene.judged(scene.inside(indented))


for name, (body, words) in YAML.items():
    if name != "UTF-16":
        CASES.append(Case(f"a sealed sheet with {name}", words, inside(body)))


def sealed_text(body: bytes) -> Callable[[Scene], str]:
    return lambda scene: scene.judged(scene.inside(body))


for name, body, words in (
    ("a list for a sheet", b"sheet: [A Moscow - Livonia]\n", "sheet is a list; write keys and values"),
    ("a word for a sheet", b"sheet: hello\n", "sheet is 'hello'; write keys and values"),
    ("no sheet", b"", "'sheet' is missing; add it"),
    ("a second document", b"sheet: {}\n---\nsheet: {}\n", "a second document; one file holds one document"),
    ("a second seat", b"sheet: {}\nseat: England\n", "the key 'seat' stands twice"),
    ("more than belongs there", b"sheet: {}\nfinal: true\n", "unknown key 'final'"),
):
    CASES.append(Case(f"a sealed sheet with {name} inside", words, sealed_text(body)))

# Sealed sheets


def sealed_for(name: str, words: str, **changes: Any) -> None:
    CASES.append(Case(f"sealed for another {name}", words, lambda scene: scene.judged(scene.sealed(**changes))))


sealed_for("archive", "sealed for another archive: 'ffffffffffffffff'; here it is", archive="f" * 16)
sealed_for("game", "sealed for another game: 'open'; here it is 'summer'", game="summer", **{})
CASES.pop()
CASES.append(
    Case(
        "sealed for another game", "sealed for another game: 'winter'; here it is 'summer'",
        lambda scene: scene.judged(scene.inside(b"sheet: {}\n", game="winter")),
    )
)  # fmt: skip
sealed_for("turn", f"sealed for another turn: '{NEXT}'; here it is '{FIRST}'", turn=NEXT)
sealed_for("seat", "sealed for another seat: 'England'; here it is 'Russia'", seat="England", account=106)
sealed_for("account", "sealed for another account: 102; here it is 106", account=102)
sealed_for("account than any", "sealed for another account: None; here it is 106", account=None)
sealed_for("number", "sealed for another sequence: 1; here it is 2", sequence=1)


def unarmored(body: bytes) -> bytes:
    return base64.b64decode("".join(body.decode().splitlines()[1:-1]))


OPENED = "this cannot be opened: it was sealed to another key, or is damaged; seal it again with the key in this turn"


@case("an old sealed sheet in a later turn", OPENED)
def _(scene: Scene) -> str:
    scene.judge()
    assert scene.tries("Russia", {path("russia.yaml.age", "summer", NEXT): scene.fake.read(path("russia.yaml.age", "summer"))}).startswith("accepted")
    scene.judge("2027-01-25T00:00:00Z")
    data = scene.turn("summer", NEXT).data
    assert (data.status, data.sheets or {}) == ("resolved", {})
    return (data.refused or {})["russia.yaml.age"]


@case("one's own sealed sheet again", "this is the file that you sent before; seal your orders anew")
def _(scene: Scene) -> str:
    return scene.tries("Russia", {path("russia.2.yaml.age", "summer"): scene.fake.read(path("russia.yaml.age", "summer"))})


@case("one's own sealed sheet again, without its armor", "sealed for another sequence: 1; here it is 2")
def _(scene: Scene) -> str:
    return scene.judged(unarmored(scene.fake.read(path("russia.yaml.age", "summer"))))


@case("one's own sealed sheet, sealed again", "sealed for another sequence: 1; here it is 2")
def _(scene: Scene) -> str:
    turn = scene.world.turn("summer")
    identity = keys_for(turn.game, turn.name, turn.data).identity
    assert identity is not None
    text = decrypted(scene.fake.read(path("russia.yaml.age", "summer")), [identity], "")
    return scene.judged(encrypted(text, [scene.recipient]))


@case("a rival's sealed sheet", "this is the file that England sent; seal your orders anew")
def _(scene: Scene) -> str:
    return scene.tries("Russia", {path("russia.2.yaml.age", "summer"): scene.fake.read(path("england.yaml.age", "summer"))})


@case("a rival's sealed sheet without its armor", "sealed for another seat: 'England'; here it is 'Russia'")
def _(scene: Scene) -> str:
    return scene.judged(unarmored(scene.fake.read(path("england.yaml.age", "summer"))))


@case("sealed to another key", OPENED)
def _(scene: Scene) -> str:
    return scene.judged(encrypted(padded(b"x"), [recipient_of(new_identity())]))


def damaged(name: str, words: str, change: Callable[[bytes], bytes]) -> None:
    CASES.append(Case(name, words, lambda scene: scene.judged(change(unarmored(scene.sealed())))))


def flipped(at: Callable[[bytes], int]) -> Callable[[bytes], bytes]:
    def change(body: bytes) -> bytes:
        where = at(body)
        # Another letter of base64 in the header, another byte after it.
        new = body[where] ^ (1 if where > body.index(b"\n--- ") + 48 else 3)
        return body[:where] + bytes([new]) + body[where + 1 :]

    return change


CUT, BYTES = "the sealed text is cut off", "pad it to a multiple of 512, so that its length tells nothing"
damaged("a bit of the sealed sheet's first line", "this is not an age file", flipped(lambda body: 3))
damaged("a bit of its recipient", OPENED, flipped(lambda body: body.index(b"X25519 ") + 12))
damaged("a bit of its wrapped key", OPENED, flipped(lambda body: body.index(b"\n--- ") - 9))
damaged("a bit of its MAC", OPENED, flipped(lambda body: body.index(b"\n--- ") + 9))
damaged("a bit of its nonce", OPENED, flipped(lambda body: body.index(b"\n--- ") + 52))
damaged("a bit of its text", OPENED, flipped(lambda body: len(body) - 100))
damaged("a bit of its last tag", OPENED, flipped(lambda body: len(body) - 1))
damaged("cut off in the first line", "this is not an age file", lambda body: body[:9])
damaged("cut off in the header", CUT, lambda body: body[: body.index(b"\n--- ") + 3])
damaged("cut off before the text", CUT, lambda body: body[: body.index(b"\n--- ") + 60])
damaged("cut off in the text", BYTES, lambda body: body[:-1])
damaged("something behind the text", BYTES, lambda body: body + b"x")
damaged("512 bytes behind the text", OPENED, lambda body: body + b"x" * 512)
damaged("a line without end in the header", CUT, lambda body: BINARY + b"-> X25519 a\n" + b"x" * 5000 + b"\n--- x\n" + b"y" * 900)
damaged("forty keys", "it is sealed to more than 16 keys",
        lambda body: encrypted(padded(b"x"), [recipient_of(new_identity()) for _ in range(40)]))  # fmt: skip
damaged("a thousand keys", "at most 16384 are allowed",
        lambda body: BINARY + b"-> X25519 YWJj\nYWJj\n" * 1000 + b"--- x\n" + b"y" * 544)  # fmt: skip
damaged("a passphrase", "it is not sealed to this turn's key; seal it to the key in this turn's turn.yaml",
        lambda body: BINARY + b"-> scrypt bBjlhJVYZeE4aqUdmtRHfw 22\nYWJj\n--- YWJj\n" + b"y" * (16 + 512 + 16))  # fmt: skip
damaged("a key and a passphrase", OPENED,
        lambda body: body.replace(b"\n--- ", b"\n-> scrypt bBjlhJVYZeE4aqUdmtRHfw 63\n" + b"A" * 43 + b"\n--- "))  # fmt: skip
damaged("rubbish behind an age header", CUT, lambda body: BINARY + b"\xff" * 2000)
damaged("nothing behind an age header", CUT, lambda body: BINARY)
damaged("rubbish", "this is not an age file", lambda body: b"\xff" * 2000)
damaged("no bytes", "this is not an age file", lambda body: b"")
damaged("rubbish in armor", "the sealed text is damaged: it is not base64",
        lambda body: b"-----BEGIN AGE ENCRYPTED FILE-----\n!!!\n-----END AGE ENCRYPTED FILE-----\n")  # fmt: skip
damaged("armor with nothing in it", "this is not an age file",
        lambda body: b"-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----\n")  # fmt: skip
damaged("an open sheet under a sealed one's name", "this is not an age file", lambda body: SHEET)
CASES.append(Case("not padded", "the sealed text has 100 bytes; " + BYTES,
                  lambda scene: scene.judged(encrypted(b"#" * 100, [scene.recipient]))))  # fmt: skip
CASES.append(Case("empty", "the sealed text has 0 bytes; " + BYTES,
                  lambda scene: scene.judged(encrypted(b"", [scene.recipient]))))  # fmt: skip
CASES.append(Case("sealed in an open game", "this game is not sealed; send the sheet as it is, ending in .yaml",
                  lambda scene: scene.tries("Austria", {path("austria.yaml.age"): scene.sealed()})))  # fmt: skip


@case("not padded, and past intake", "the sealed text has 100 bytes; " + BYTES)
def _(scene: Scene) -> str:
    scene.pushes({path("russia.2.yaml.age", "summer"): encrypted(b"#" * 100, [scene.recipient])})
    return scene.why_not("russia.2.yaml.age")


# Rulings

RULING = f"games/open/{FIRST}/ruling.yaml"
HOSTS = "rulings come from the account of the game's host; ask the host"
simple("a ruling by a player", HOSTS, "Austria", {RULING: REPLACED})
simple("a ruling by a stranger of the host's name", HOSTS, STRANGER, {RULING: REPLACED}, "Hanna")
simple("a ruling that decides two things", "a ruling decides one thing; give one of: extend, pause", HOST, {
    RULING: b"rulings:\n  - {reason: x, pause: true, proceed: true}\n",
})  # fmt: skip
simple("a ruling on what is not there", "the position has no part 'armies.Austria'", HOST, {
    RULING: b"rulings:\n  - reason: x\n    correct: {armies.Austria: []}\n",
})  # fmt: skip
simple("a ruling for a seat that is none", "no seat is called 'Spain'", HOST, {
    RULING: b"rulings:\n  - reason: x\n    void: {seat: Spain}\n",
})  # fmt: skip


@case("a ruling in a game without a host's account", HOSTS)
def _(scene: Scene) -> str:
    scene.plays("hostless", sealed=False, seed="s", host_account=None)
    return scene.tries(HOST, {f"games/hostless/{FIRST}/ruling.yaml": REPLACED})


GIVEN = "a ruling that was given is changed or missing; keep it, and add another below it"


@case("a ruling that was applied, changed", GIVEN)
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    scene.judge("2026-11-20T13:00:00Z")
    scene.was_judged = False
    return scene.tries(HOST, {RULING: REPLACED.replace(b"200", b"201")})


@case("a ruling that was given, left out", GIVEN)
def _(scene: Scene) -> str:
    scene.pushes({RULING: REPLACED})
    return scene.tries(HOST, {RULING: b"rulings: []\n"})


# The server

AGAIN = "it will be tried again with the next run"


def trouble(name: str, words: str, arrange: Callable[[Scene], None]) -> None:
    """An honest sheet while the server does not play along: nothing changes, and the next adjudication catches up."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        arrange(scene)
        said = scene.take(number)
        scene.is_unchanged()
        assert scene.fake.pulls[number].comments == []
        return said

    CASES.append(Case(name, words, play, catches_up=True))


trouble("an outage", f"GitHub answers 500; {AGAIN}", lambda scene: scene.fails("GET", 500))
trouble("an outage at the first write", f"GitHub answers 503; {AGAIN}", lambda scene: scene.fails("POST", 503))
trouble("an outage at the last write", f"GitHub answers 502; {AGAIN}", lambda scene: scene.fails("PATCH", 502))
trouble("a dropped connection", f"GitHub does not answer (MaxRetryError); {AGAIN}", lambda scene: scene.drops("GET"))
trouble(
    "a dropped connection at a write", f"GitHub does not answer (ProtocolError); {AGAIN}",
    lambda scene: scene.drops("POST /git/trees"),
)  # fmt: skip
trouble(
    "too many calls, for ever", f"GitHub answers 429; {AGAIN}",
    lambda scene: scene.fails("GET", 429, {"Retry-After": "0"}),
)  # fmt: skip
trouble(
    "the rate limit", f"GitHub's rate limit is used up; {AGAIN}",
    lambda scene: scene.fails("GET /git/blobs", 403, {"X-RateLimit-Remaining": "0"}),
)  # fmt: skip
trouble(
    "no permission to read", "GitHub answers 403 for /pulls/1; see the job's permissions",
    lambda scene: scene.fails("GET /pulls", 403),
)  # fmt: skip
trouble(
    "no permission to write", "GitHub answers 403 for /git/blobs; see the job's permissions",
    lambda scene: scene.fails("POST /git/blobs", 403),
)  # fmt: skip
trouble(
    "a branch that is protected", "GitHub answers 403 for the branch; see the job's permissions",
    lambda scene: scene.fails("PATCH", 403),
)  # fmt: skip


def hashes(call: str, *keys: str) -> Callable[[Scene], None]:
    """In answers to such calls stands a path where a hash should be."""

    def change(method: str, where: str, status: int, data: Any) -> None:
        if re.match(call, f"{method} {where}"):
            for key in keys:
                inner = data["tree"][-1] if key == "tree" else data[key] if key != "sha" else data
                inner["sha"] = "../../user/keys?x="

    return lambda scene: scene.answers(change)


trouble("a head that is no hash", f"GitHub's answer names no commit; {AGAIN}", hashes(r"GET /pulls/\d+$", "head"))
trouble("a tree that is no hash", f"GitHub's answer names no commit; {AGAIN}", hashes("GET /git/trees", "tree"))
trouble("a new blob that is no hash", f"GitHub's answer names no commit; {AGAIN}", hashes("POST /git/blobs", "sha"))
trouble("a new commit that is no hash", f"GitHub's answer names no commit; {AGAIN}", hashes("POST /git/commits", "sha"))


@case("an answer that is no JSON", f"GitHub's answer is not JSON; {AGAIN}", catches_up=True)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    unicorn = SimpleNamespace(dumps=lambda data: "<html>Unicorn!</html>", loads=json.loads)
    with mock.patch("tests.ci.fake.json", unicorn):
        return scene.take(number)


@case("a pull request that is not there", "GitHub answers 404 for /pulls/7; see the job's permissions")
def _(scene: Scene) -> str:
    return scene.take(7)


@case("a refusal that cannot be told", "GitHub answers 403 for a comment; see the job's permissions")
def _(scene: Scene) -> str:
    scene.fails("POST /issues", 403)
    return scene.tries("England", {path("austria.yaml"): SHEET})


def recovers(name: str, arrange: Callable[[Scene], None], instead: Instead) -> None:
    """An honest sheet while the server has trouble that passes: it goes in."""

    def play(scene: Scene) -> str:
        number = scene.offer("Austria", {path("austria.yaml"): SHEET})
        arrange(scene)
        said = scene.take(number)
        assert scene.fake.read(path("austria.yaml")) == SHEET
        assert len(scene.fake.pulls[number].comments) == 1
        scene.keep()
        return said

    CASES.append(Case(name, "accepted: ", play, instead))


recovers(
    "an outage that passes", lambda scene: scene.fails("GET", 500, times=4),
    Instead("adjudicator.ci.github:GitHub.__init__", "total=4", "total=3"),
)  # fmt: skip
recovers(
    "a dropped connection that comes back", lambda scene: scene.drops("GET /git/trees", times=3),
    Instead("adjudicator.ci.github:GitHub.__init__", "total=4", "total=2"),
)  # fmt: skip
recovers(
    "a conflict that passes", lambda scene: scene.fails("PATCH", 409, times=2),
    Instead("adjudicator.ci.github:GitHub.add_file", "(409, 422)", "(422,)"),
)  # fmt: skip
recovers(
    "a branch that moved five times", lambda scene: scene.fails("PATCH", 422, times=5),
    Instead("adjudicator.ci.intake:intake", "continue", "break"),
)  # fmt: skip


@case(
    "too many calls for seven seconds", "waited 7 s",
    Instead("adjudicator.ci.github:GitHub.__init__", "respect_retry_after_header=True", "respect_retry_after_header=False"),
)  # fmt: skip
def _(scene: Scene) -> str:
    slept: list[float] = []
    scene.fails("GET", 429, {"Retry-After": "7"}, times=1)
    number = scene.offer("Austria", {path("austria.yaml"): SHEET})
    with mock.patch("urllib3.util.retry.time", SimpleNamespace(sleep=slept.append)):
        assert scene.take(number).startswith("accepted")
    scene.keep()
    return f"waited {sum(slept):.0f} s"


# What is printed, and what is told

COMMAND = "::set-output name=x::y"
INJECTED = "orders: !%0A::set-output%20name=x::y []\n"
"""YAML decodes what stands in a tag."""
PLAIN = Instead("adjudicator.core.problems:plain", "if text.isascii() and text.isprintable():", "if True:")


def command(scene: Scene, *words: str) -> list[str]:
    """What `courtly ci` prints, line by line as the runner reads it."""
    environment = {
        "GITHUB_API_URL": scene.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "token",
        "GITHUB_EVENT_PATH": str(scene.folder / "event.json"),
    }  # fmt: skip
    result = CliRunner().invoke(main, ["-C", str(scene.world.root), *words], env=environment, catch_exceptions=False)
    return re.split(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", result.output)


def commanded(lines: list[str]) -> str:
    """Whether a line is a command to the runner of the workflow: one that begins so, but for space before it."""
    return "commands" if any(line.lstrip().startswith("::") for line in lines) else "nothing is a command"


def named_so(scene: Scene, number: int) -> int:
    """Gives a pull request a title, and its author a name, that are commands."""
    pull = scene.fake.pulls[number]
    pull.title = pull.body = pull.login = f"x\n{COMMAND}\r{COMMAND}\u2028{COMMAND}%0A{COMMAND}"
    event = {"action": "opened", "pull_request": {"number": number, "title": pull.title, "user": {"login": pull.login}}}
    (scene.folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
    return number


@case("a command to the runner in a sheet", "nothing is a command", PLAIN)
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED.encode()}))
    lines = command(scene, "ci", "intake")
    assert "a tag (" in "".join(lines)
    return commanded(lines)


@case("a command to the runner in a sheet, told as JSON", "nothing is a command",
      Instead("adjudicator.cli:say", "json.dumps(data, ensure_ascii=False)", "data['line'].replace('\\\\u000a', '\\n')"))  # fmt: skip
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED.encode()}))
    lines = command(scene, "--json", "ci", "intake")
    assert "a tag (" in "".join(lines)
    return commanded(lines)


@case("a command to the runner in a sheet that is caught up", "nothing is a command", PLAIN)
def _(scene: Scene) -> str:
    named_so(scene, scene.offer("Austria", {path("austria.yaml"): INJECTED.encode()}))
    lines = command(scene, "ci", "adjudicate", "--at", "2026-11-20T13:00Z")
    assert "a tag (" in "".join(lines)
    return commanded(lines)


def last_message(scene: Scene) -> str:
    return scene.fake.git("log", "-1", "--format=%B", "main")


NAMED = Instead("adjudicator.ci.intake:message", 'login.replace("-", "").isalnum() and login.isascii()', "True")


@case("a command to the runner in a player's name", "no such line", NAMED)
def _(scene: Scene) -> str:
    number = named_so(scene, scene.offer("Austria", {path("austria.yaml"): SHEET}))
    assert commanded(command(scene, "ci", "intake")) == "nothing is a command"
    message = last_message(scene)
    assert "Courtly-Account: 101" in message.splitlines()
    assert scene.fake.pulls[number].merged
    scene.keep()
    return "no such line" if "::" not in message else message


@case("a name with an address in it", "no such line", NAMED)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): SHEET}, "anna <boss@example.org>\nSigned-off-by: boss <b@x>")
    assert scene.take(number).startswith("accepted")
    message = last_message(scene)
    scene.keep()
    return "no such line" if "boss" not in message and "Co-authored-by" not in message else message


def outside(comment: str) -> str:
    """What of a comment is not in its block of code, as GitHub reads it."""
    found, fenced = [], False
    for line in comment.splitlines():
        if re.match(r" {0,3}```", line):
            fenced = not fenced
        elif not fenced:
            found.append(line)
    assert not fenced
    return "\n".join(found)


FENCED = Instead("adjudicator.ci.intake:fenced", '.replace("`", "\'")', "")
MARKUP = "@everyone <img src=x onerror=alert(1)> --> [x](https://example.org) **b** ~~~"


@case("markup in a sheet", "in its block", FENCED)
def _(scene: Scene) -> str:
    key = json.dumps(f"`````\n```\n{MARKUP}")
    comment = scene.tries("Austria", {path("austria.yaml"): f"{key}: 1\n{key}: 2\n".encode()})
    assert "@everyone" in comment
    assert "@everyone" not in outside(comment)
    block = comment.partition("```text\n")[2].partition("\n```\n")[0]
    return "in its block" if "`" not in block and "\n" not in block else comment


@case("markup in a tag, on a line of its own", "in its block", PLAIN)
def _(scene: Scene) -> str:
    comment = scene.tries("Austria", {path("austria.yaml"): b"orders: !%0A%60%60%60%0A%40everyone%0A []\n"})
    assert "everyone" in comment
    return "in its block" if "everyone" not in outside(comment) else comment


@case("markup in orders that are illegal", "in its block", FENCED)
def _(scene: Scene) -> str:
    number = scene.offer("Austria", {path("austria.yaml"): f"orders: [{json.dumps(f'``` {MARKUP}')}]\n".encode()})
    assert scene.take(number).startswith("accepted")
    (comment,) = scene.fake.pulls[number].comments
    scene.keep()
    assert "```" in comment
    block = comment.partition("```text\n")[2].partition("\n```\n")[0]
    return "in its block" if "`" not in block and "@" not in outside(comment) else comment


@case("markup in a file's name", "nothing of it", FENCED)
def _(scene: Scene) -> str:
    comment = scene.tries("Austria", {path("```@everyone <img> -->.yaml"): SHEET})
    assert NOWHERE in comment
    return "nothing of it" if "everyone" not in comment and "`" not in comment.replace("```", "") else comment


CASES.pop()  # nothing of a name is told at all; see the test of it below


class Chat:
    """A chat's webhook on loopback."""

    def __init__(self, status: int = 204) -> None:
        self.posted: list[dict[str, Any]] = []
        chat = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
                """Says nothing."""

            def do_POST(self) -> None:
                chat.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/secret"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


TITLE = "@everyone <@1> **b** `c` [x](https://example.org) ||s|| \u202e # h"


def announced(scene: Scene) -> dict[str, Any]:
    """What the chat is sent when a game of this title is judged."""
    scene.plays("loud", sealed=False, seed="s", title=TITLE)
    batch = scene.judge()
    chat = Chat()
    try:
        announce(chat.address, list(announcements(scene.world.archive, batch)))
    finally:
        chat.stop()
    (posted,) = chat.posted
    return posted


@case(
    "a chat called together", "nobody is called",
    Instead("adjudicator.ci.adjudicate:announce", '{"parse": []}', '{"parse": ["everyone"]}'),
)  # fmt: skip
def _(scene: Scene) -> str:
    return "nobody is called" if announced(scene)["allowed_mentions"] == {"parse": []} else "everyone is"


def marked(text: str) -> bool:
    """Whether there is something in a text that a chat would take for more than text."""
    left = re.sub(r"\\[^\w\s]", "", text)
    return bool(re.search(r"[`*_<>\[\]|~#@](?!\u200b)|https?:|\u202e", left))


@case("markup in a chat", "plain text", Instead("adjudicator.ci.adjudicate:quoted", "f\"\\\\{char}\" if", "char if"))
def _(scene: Scene) -> str:
    text = str(announced(scene)["content"])
    assert "everyone" in text
    return "plain text" if not marked(text) else text


@case("a mention in a chat", "plain text", Instead("adjudicator.ci.adjudicate:quoted", "@\\u200b", "@"))
def _(scene: Scene) -> str:
    return "plain text" if not marked(str(announced(scene)["content"])) else "a mention"


# The table is tried -----------------------------------------------------------------------------------------------

SITES: dict[str, set[Site]] = {}
"""The statements that refused something, by case."""
REFUSED: dict[str, Site] = {}
"""The statement that refused in the case's words."""


def tried(one: Case, scene: Scene) -> None:
    """A case for the first time: refused in its words, nothing changed, and the game goes on."""
    watch = Watch()
    with watch.on():
        said = one.play(scene)
    SITES[one.name] = watch.sites
    assert one.words in said
    if one.instead is None:
        REFUSED[one.name] = watch.site(one.words)
    scene.is_unchanged()


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_it_is_refused_and_nothing_changes_and_the_game_goes_on(one: Case, scenes: Callable[[], Scene]) -> None:
    scene = scenes()
    tried(one, scene)
    scene.goes_on(catches_up=one.catches_up)


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_without_its_defence_the_refusal_does_not_come(one: Case, scenes: Callable[[], Scene]) -> None:
    if one.name not in SITES:
        tried(one, scenes())
    scene = scenes()
    with one.instead.done() if one.instead else without(REFUSED[one.name]):
        try:
            said = one.play(scene)
        except Exception as error:  # noqa: BLE001 - whatever else happens is not the refusal
            said = type(error).__name__
    assert one.words not in said


def test_there_are_enough_cases() -> None:
    count = len({one.name for one in CASES})
    print(f"{count} hostile cases")
    assert count == len(CASES)
    assert count >= 60
