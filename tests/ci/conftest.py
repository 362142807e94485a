"""Fixtures that the tests of pull requests and deadlines share: a GitHub on loopback with a sealed and an open game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from adjudicator.ci.adjudicate import Batch, adjudicate
from adjudicator.ci.catch_up import Caught, catch_up
from adjudicator.ci.clone import Clone
from adjudicator.ci.github import GitHub
from adjudicator.ci.intake import Outcome, intake
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Door
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.secrets.age import encrypt
from adjudicator.core.secrets.envelope import Envelope, envelope_text
from adjudicator.core.secrets.masters import Masters, read_masters
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.load import load_game, load_turn
from tests.ci.fake import OWNER, FakeGitHub, git
from tests.core.conftest import with_hazard

__all__ = ["with_hazard"]  # a fixture that these tests use too

SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
ACCOUNTS = {seat: 101 + number for number, seat in enumerate(SEATS)}
HOST = 100
MASTER = read_masters("courtly-master-1-" + "5a" * 32, "test")
FIRST = "001-spring-1901-movement"


def game_data(**more: Any) -> dict[str, Any]:
    """A game's data with an account in every seat."""
    people = {seat: {"player": f"{seat}’s player", "account": ACCOUNTS[seat]} for seat in SEATS}
    return {
        "ruleset": "diplomacy", "title": "A game", "opened": "2026-11-20", "seats": people, "host": "Hanna",
        "id": "1d" * 8, "host_account": HOST, "sealed": True, "schedule": {"turn": "2d"},
    } | more  # fmt: skip


@dataclass
class World:
    """A GitHub with an archive, and the job's clone of it."""

    fake: FakeGitHub
    clone: Clone
    archive: Archive
    github: GitHub
    root: Path

    def intake(self, number: int) -> Outcome:
        """Runs intake as the workflow would: without the master secret."""
        door = Door.ISSUES if number in self.fake.issues else Door.PULLS
        return intake(self.github, self.clone, Archive(self.archive.root), number, door)

    def catch_up(self, at: str | None = None, **options: Any) -> Caught:
        """Runs catch-up at the server's time: without the master secret."""
        if at is not None:
            self.fake.now = datetime.fromisoformat(at)
        return catch_up(self.github, self.clone, Archive(self.archive.root), wait=lambda seconds: None, **options)

    def adjudicate(self, at: str | None = None, **options: Any) -> Batch:
        """Runs the adjudication at the server's time."""
        if at is not None:
            self.fake.now = datetime.fromisoformat(at)
        when = self.fake.now.strftime("%Y-%m-%dT%H:%MZ")
        return adjudicate(self.clone, self.archive, at=when, forge=self.github, wait=lambda seconds: None, **options)

    def rounds(self, at: str) -> Batch:
        """Catches up, and adjudicates: the two jobs that the clock starts."""
        self.catch_up(at)
        return self.adjudicate(at)

    def turn(self, game: str = "summer") -> Turn:
        """The latest turn on the branch."""
        self.clone.update()
        loaded = load_game(self.archive, game)
        return load_turn(self.archive, loaded, self.archive.turns(game)[-1])

    def sealed(self, seat: str, orders: list[str], *, game: str = "summer", **changes: Any) -> bytes:
        """A sheet sealed for the open turn; `changes` replace parts of its envelope."""
        seal = self.turn(game).data.seal
        assert seal is not None
        return encrypt(self.inside(seat, orders, game=game, **changes), [seal.recipient], armored=True)

    def inside(self, seat: str, orders: list[str], *, game: str = "summer", **changes: Any) -> bytes:
        """The text inside a sealed sheet."""
        turn = self.turn(game)
        said: dict[str, Any] = {
            "archive": turn.game.archive, "game": game, "turn": turn.name, "attempt": turn.data.attempt or 1,
            "seat": seat, "account": ACCOUNTS.get(seat),
            "sequence": 1, "nonce": "0" * 32, "sheet": {"orders": orders},
        }  # fmt: skip
        return envelope_text(Envelope(**(said | changes)), sheet_width(turn.game, turn.data))


def start(
    folder: Path, games: dict[str, dict[str, Any]], masters: Masters = MASTER, open_now: tuple[str, ...] = ()
) -> World:
    """A world with these games on the branch; those in `open_now` begin before all their seats are taken."""
    fake = FakeGitHub(folder)
    root = folder / "clone"
    git(folder, "clone", "--quiet", str(fake.repository), str(root))
    archive = Archive(root, masters)
    archive.games.mkdir()
    new_charter(archive, OWNER)
    for slug, data in games.items():
        new_game(archive, slug, data, open_now=slug in open_now)
    git(root, "checkout", "--quiet", "-B", "main")
    git(root, "add", "games")
    git(root, "commit", "--quiet", "-m", "The archive")
    git(root, "push", "--quiet", "origin", "main")
    return World(fake, Clone(root, "main"), archive, GitHub(fake.address, OWNER, "token", patience=0.0), root)


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Makes worlds, and stops their servers at the end."""
    made: list[World] = []

    def make(games: dict[str, dict[str, Any]] | None = None, **options: Any) -> World:
        folder = tmp_path / f"world-{len(made)}"
        folder.mkdir()
        made.append(
            start(folder, games or {"summer": game_data(), "open": game_data(sealed=False, seed="s")}, **options)
        )
        return made[-1]

    yield make
    for world in made:
        world.github.close_pool()
        world.fake.stop()


@pytest.fixture
def world(worlds: Callable[..., World]) -> World:
    """A GitHub with two games: `summer`, sealed, and `open`."""
    return worlds()
