"""A whole game, from `courtly init` to the last proof: a real git remote, a GitHub on loopback, a real browser, real age."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn
from tests.ci.conftest import ACCOUNTS, SEATS
from tests.ci.fake import OWNER, FakeGitHub, git
from tests.conftest import ORIGIN, tool
from tests.site.conftest import served

ORDERS = {
    "Austria": ["A Vienna - Galicia", "A Budapest - Serbia", "F Trieste - Albania"],
    "England": ["F London - North Sea", "F Edinburgh - Norwegian Sea", "A Liverpool - Yorkshire"],
    "France": ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"],
    "Germany": ["A Berlin - Kiel", "A Munich - Ruhr", "F Kiel - Denmark"],
    "Italy": ["A Venice H", "A Rome - Apulia", "F Naples - Ionian Sea"],
    "Turkey": ["A Constantinople - Bulgaria", "A Smyrna - Constantinople", "F Ankara - Black Sea"],
}
"""Spring 1901; Russia sleeps."""
TYPED = {
    "Austria": ["vie-gal", "A Bud to Serbia", "f tri - alb"],
    "Turkey": ["con - bul", "a smy-con", "Fleet Ankara to Black Sea"],
}
"""The same, as people type."""


@dataclass
class Group:
    """Some friends with a repository."""

    fake: FakeGitHub
    folder: Path
    master: str
    slug: str = "summer"
    """The game that they play."""
    ran: set[tuple[str, ...]] = field(default_factory=lambda: {("site",)})
    """Commands that have already run in a separate process."""

    @property
    def root(self) -> Path:
        return self.folder / "our-games"

    def courtly(self, *arguments: str, master: bool = False, cwd: Path | None = None) -> str:
        """Run the command as a person or a workflow would; return its output.

        Each command runs in a separate process the first time, and whenever it works in another person's folder. Later it is
        called
        here, which saves the seconds of starting Python some forty times. A site is always built here.
        """
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("COURTLY", "GITHUB"))}
        environment |= {
            "GITHUB_API_URL": self.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t",
            "GITHUB_SERVER_URL": self.fake.address,
        }  # fmt: skip
        if master:
            environment["COURTLY_MASTER"] = self.master
        which = arguments[: 2 if arguments[0] == "ci" else 1]
        if cwd is None and which in self.ran:
            with pytest.MonkeyPatch.context() as patch:
                for key in os.environ.keys() - environment.keys():
                    patch.delenv(key)
                result = CliRunner().invoke(main, ["-C", str(self.root), *arguments], env=environment)
            assert result.exit_code == 0, result.output
            return result.output
        self.ran.add(which)
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *arguments],
            cwd=cwd or self.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def intake(self, number: int) -> str:
        """Run intake's job, without the master secret."""
        return self.courtly("ci", "intake", "--pull", str(number))

    def adjudicate(self, time: str) -> str:
        self.fake.now = datetime.fromisoformat(time).astimezone(UTC)
        return self.courtly("ci", "adjudicate", master=True)

    def turn(self) -> Turn:
        git(self.root, "pull", "--quiet", "origin", "main")
        archive = Archive(self.root)
        return load_turn(archive, load_game(archive, self.slug), archive.turns(self.slug)[-1])

    def send(self, seat: str, name: str, body: bytes, login: str | None = None) -> str:
        """Open a pull request with one file, and let intake see it."""
        path = f"games/{self.slug}/{self.turn().name}/orders/{name}"
        number = self.fake.open_pull(ACCOUNTS[seat], login or seat.lower(), {path: body})
        return self.intake(number)

    def sheet(self, seat: str, text: str) -> Path:
        """A sheet in a player's own folder, outside the repository."""
        path = self.folder / f"{seat.lower()}.yaml"
        path.write_text(text)
        return path


def founded(folder: Path, slug: str) -> Group:
    """A group with an archive and a master secret, but no game yet."""
    made = Group(FakeGitHub(folder), folder, "", slug)
    words = ("--title", "Our games", "--repository", OWNER, "--from", ORIGIN)
    made.courtly("-C", "our-games", "init", *words, cwd=folder)
    made.courtly("keygen", "--master", "-o", "master.txt", cwd=folder)
    made.master = (folder / "master.txt").read_text().splitlines()[1]
    return made


def begin(made: Group, accounts: Mapping[str, int], *options: str) -> None:
    """Begin the group's game, and push it to the GitHub on loopback."""
    people = [
        part
        for seat, account in accounts.items()
        for part in ("--seat", f"{seat}={seat}’s player", "--account", f"{seat}={account}")
    ]
    made.courtly("new", made.slug, "--sealed", "--turn", "1d", "--opened", "2026-11-20", *people, *options, master=True)
    root = made.root
    git(root, "init", "--quiet", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "Our games")
    git(root, "remote", "add", "origin", str(made.fake.repository))
    git(root, "push", "--quiet", "origin", "main")


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    made = founded(tmp_path, "summer")
    begin(made, {seat: ACCOUNTS[seat] for seat in SEATS})
    yield made
    made.fake.stop()


@pytest.fixture
def published(group: Group) -> Iterator[Callable[[], str]]:
    """Build the group's site as the workflow does, and serve it; return its address."""
    with served(group.root / "public") as address:

        def publish() -> str:
            group.courtly("site")
            return address

        yield publish


def from_the_desk(browser: Browser, address: str, seat: str, lines: list[str]) -> tuple[str, str, str]:
    """Write and seal a sheet at the order desk; return the path and text that open GitHub's page, and the digest."""
    context = browser.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}desk.html#summer/{seat.lower()}")
    for line in lines:
        page.fill("#typed", line)
        page.press("#typed", "Enter")
    page.get_by_role("button", name="Seal my sheet").click()
    page.wait_for_selector("#sheet-digest")
    digest = page.inner_text("#sheet-digest")
    link = page.get_by_role("link", name="Open on GitHub").get_attribute("href")
    context.close()
    assert errors == []
    assert link is not None
    assert len(link) <= 6000
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "github.com", f"/{OWNER}/new/main")
    query = parse_qs(parts.query)
    return query["filename"][0], query["value"][0], digest


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
@pytest.mark.xdist_group("test_desk")  # one long test, which would start last and hold up the others
def test_a_whole_game_is_played_judged_published_and_verified(
    group: Group, browser: Browser, published: Callable[[], str], tmp_path: Path
) -> None:
    first = group.turn()
    assert (first.name, first.data.deadline) == ("001-spring-1901-movement", "2026-11-21T00:00Z")
    assert first.data.seal is not None
    address = published()
    # Two players seal at the order desk, in the browser.
    for seat, lines in TYPED.items():
        path, text, digest = from_the_desk(browser, address, seat, lines)
        assert path == f"games/summer/{first.name}/orders/{seat.lower()}.yaml.age"
        assert hashlib.sha256(text.encode()).hexdigest() == digest
        number = group.fake.open_pull(ACCOUNTS[seat], seat.lower(), {path: text.encode()})
        assert f"Pull request {number} accepted: {path} {digest}" in group.intake(number)
        assert digest in group.fake.pulls[number].comments[0]
    # One only uses the age command to seal.
    age = tool("age")
    sheet = group.sheet("England", "orders:\n" + "".join(f"- {line}\n" for line in ORDERS["England"]))
    envelope = group.courtly("seal", str(sheet), "--game", "summer", "--seat", "England", "--envelope")
    sealed = subprocess.run(
        [age, "-r", first.data.seal.recipient], input=envelope.encode(), capture_output=True, check=True
    )
    assert "accepted" in group.send("England", "england.yaml.age", sealed.stdout)
    # One seals by `courtly seal`; one sends an open sheet and replaces it; one plays openly.
    sheet = group.sheet("France", "orders:\n" + "".join(f"- {line}\n" for line in ORDERS["France"]))
    out = tmp_path / "france.age"
    group.courtly("seal", str(sheet), "--game", "summer", "-o", str(out))
    assert "accepted" in group.send("France", "france.yaml.age", out.read_bytes())
    assert "accepted" in group.send("Italy", "italy.yaml", b"orders: [A Venice - Trieste]\n")
    better = "orders:\n" + "".join(f"- {line}\n" for line in ORDERS["Italy"])
    assert "refused" in group.send("Italy", "italy.yaml", better.encode())
    assert "accepted" in group.send("Italy", "italy.2.yaml", better.encode())
    assert "accepted" in group.send("Germany", "germany.yaml", f"orders: [{', '.join(ORDERS['Germany'])}]\n".encode())
    # A stranger tries, with the seat's name as a login.
    ACCOUNTS["Stranger"] = 999
    try:
        assert "refused" in group.send("Stranger", "russia.yaml", b"orders: [A Moscow - Ukraine]\n", login="russia")
    finally:
        del ACCOUNTS["Stranger"]
    assert "Nothing is due" in group.adjudicate("2026-11-20T23:59:00Z").splitlines()[-1]
    told = group.adjudicate("2026-11-21T00:07:00Z")
    assert "summer: resolved Spring 1901, movement\nsummer: opened Fall 1901, movement" in told
    # Four sealed sheets, each checked by the job with the key; then the judged turn is published.
    assert group.fake.dispatched == ["adjudicate.yml"] * 4 + ["pages.yml"]
    judged = load_turn(Archive(group.root), first.game, first.name)
    ordered = {
        seat: sorted(v.order for v in judged.data.verdicts if v.seat == seat and not v.implied) for seat in SEATS
    }
    assert ordered == {seat: sorted(ORDERS.get(seat, [])) for seat in SEATS}
    # Fall: all are final, and the game does not wait for the deadline.
    fall = group.turn()
    assert fall.data.deadline == "2026-11-22T00:00Z"
    orders = {"Austria": ["F Albania - Greece"], "France": ["A Spain - Portugal"], "Turkey": ["A Bulgaria H"]}
    for seat in SEATS:
        written = "".join(f"- {line}\n" for line in orders.get(seat, []))
        assert "accepted" in group.send(
            seat, f"{seat.lower()}.yaml", f"orders:\n{written or '  []'}\nfinal: true\n".encode()
        )
    assert "summer: opened Winter 1901, adjustments" in group.adjudicate("2026-11-21T09:00:00Z")
    # Winter: Turkey builds where it cannot, sealed all the same; the others forget. Spring: all agree on a draw.
    sheet = group.sheet("Turkey", "orders: [Build A Constantinople]\n")
    out = tmp_path / "turkey.age"
    group.courtly("seal", str(sheet), "--game", "summer", "--anyway", "-o", str(out))
    assert "accepted" in group.send("Turkey", "turkey.yaml.age", out.read_bytes())
    assert "summer: opened Spring 1902, movement" in group.adjudicate("2026-11-22T10:00:00Z")
    for seat in SEATS:
        sheet = group.sheet(seat, "draw: true\nfinal: true\n")
        out = tmp_path / f"{seat}.age"
        group.courtly("seal", str(sheet), "--game", "summer", "-o", str(out))
        assert "accepted" in group.send(seat, f"{seat.lower()}.yaml.age", out.read_bytes())
    assert "summer: ended Spring 1902, movement" in group.adjudicate("2026-11-22T11:00:00Z")
    # The site shows all of it.
    published()
    page = (group.root / "public/games/summer/001-spring-1901-movement/index.html").read_text()
    assert "A Vienna - Galicia" in page
    assert "AGE-SECRET-KEY-1" in page
    assert "drawn between" in (group.root / "public/games/summer/index.html").read_text()
    # Anybody can prove it, from a fresh clone and without the master secret.
    git(tmp_path, "clone", "--quiet", str(group.fake.repository), "anybody")
    assert group.master not in "".join(
        p.read_text(errors="replace") for p in (tmp_path / "anybody").rglob("*") if p.is_file()
    )
    proof = group.courtly("verify", "--history", cwd=tmp_path / "anybody")
    assert (
        "1 game, 4 turns judged again (4 whose dice were committed to while they were open): the same bytes." in proof
    )
    opened = group.courtly(
        "open", str(tmp_path / f"anybody/games/summer/{first.name}/orders/austria.yaml.age"), cwd=tmp_path / "anybody"
    )
    assert 'seat: "Austria"' in opened
