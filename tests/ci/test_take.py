"""A host enters sheets of players without an account: intake's checks without a forge, and the history names the host (H3-19)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.ci.history import check_history
from adjudicator.cli import main
from tests.ci.conftest import FIRST, World, game_data
from tests.ci.fake import ENVIRONMENT, git

MASTER = {"COURTLY_MASTER": "courtly-master-1-" + "5a" * 32}
AT = ("--at", "2026-11-20T12:00Z")


def take(world: World, file: Path, *words: str, env: dict[str, str] | None = None) -> Result:
    """Run the command in the host's clone."""
    return CliRunner().invoke(main, ["-C", str(world.root), "take", str(file), *words], env=ENVIRONMENT | (env or {}))


def sheet(folder: Path, body: bytes, name: str = "sheet") -> Path:
    path = folder / name
    path.write_bytes(body)
    return path


def test_the_sheet_goes_where_intake_would_put_it_and_the_history_names_the_host(world: World, tmp_path: Path) -> None:
    said = take(world, sheet(tmp_path, b"orders: [A Vienna H]\n"), "--game", "open", "--seat", "Austria", *AT)
    path = f"games/open/{FIRST}/orders/austria.yaml"
    assert said.exit_code == 0, said.output
    assert f"\n{path}: SHA-256 " in said.output
    assert said.output.endswith("; committed; push it.\n")
    message = git(world.root, "log", "-1", "--format=%B").decode()
    assert message.startswith(f"Sheet of Austria for open, {FIRST}\n")
    assert "Courtly-Source: laid by the host" in message
    assert git(world.root, "show", "--stat=200", "--format=", "HEAD").decode().split(" | ")[0].strip() == path
    # The second gets the next number, sealed or not.
    again = take(world, sheet(tmp_path, b"orders: []\n"), "--game", "open", "--seat", "Austria", *AT)
    assert "/orders/austria.2.yaml: SHA-256 " in again.output
    git(world.root, "push", "--quiet", "origin", "HEAD:main")
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    report = check_history(tmp_path / "whole")
    assert report.problems == []
    notes = [note.what for note in report.notes if note.path == "games/open"]
    assert notes == [
        f"2 of 2 sheets were entered by the host: {FIRST}/orders/austria.2.yaml, {FIRST}/orders/austria.yaml"
    ]
    # The page of the turn shows it too.
    from adjudicator.core.game.archive import Archive
    from adjudicator.site.receipts import intake_receipts
    from adjudicator.site.story import load_story
    from adjudicator.site.turn import turn_page

    folder = tmp_path / "whole"
    story = load_story(Archive(folder), "open", intake_receipts(folder))
    assert story is not None
    page = turn_page(story, 0, "", "../../../")
    for name in ("austria.yaml", "austria.2.yaml"):
        assert f"{name} was added by the host, for a player who sent it another way." in page


def test_a_sealed_sheet_stays_sealed_and_is_checked_if_the_secret_is_at_hand(world: World, tmp_path: Path) -> None:
    right, wrong = (sheet(tmp_path, world.sealed("Austria", [], sequence=n), f"{n}.age") for n in (1, 4))
    refused = take(world, wrong, "--game", "summer", "--seat", "Austria", *AT, env=MASTER)
    assert refused.exit_code == 1
    assert "what is inside is not a readable sheet for this game, turn, seat and number" in refused.output
    before = git(world.root, "status", "--porcelain", "games")
    assert before == b""
    done = take(world, right, "--game", "summer", "--seat", "Austria", *AT)
    assert "/orders/austria.yaml.age: SHA-256 " in done.output
    assert (world.root / f"games/summer/{FIRST}/orders/austria.yaml.age").read_bytes() == right.read_bytes()


@pytest.mark.parametrize(
    ("words", "body", "fault"),
    [
        (("--game", "open", "--seat", "Austri"), b"", "no seat is called 'Austri'"),
        (("--game", "opne", "--seat", "Austria"), b"", "there is no game 'opne'"),
        (("--seat", "Austria"), b"", "the number of running games here is 2; name one: open, summer"),
        (
            ("--game", "open", "--seat", "Austria", "--at", "2026-11-22T00:00Z"),
            b"",
            "the deadline was 2026-11-22T00:00Z",
        ),
        (("--game", "open", "--seat", "Austria", *AT), b"oders: []\n", "austria.yaml:1:1"),
        (("--game", "open", "--seat", "Austria", *AT), b"x" * 17_000, "the file has 17000 bytes; at most 16384"),
        (("--game", "summer", "--seat", "Austria", *AT), b"age-encryption.org/v1\nx", "austria.yaml.age"),
    ],
)
def test_sheets_that_intake_refuses_are_refused_and_not_written(
    world: World, tmp_path: Path, words: tuple[str, ...], body: bytes, fault: str
) -> None:
    head = git(world.root, "rev-parse", "HEAD")
    said = take(world, sheet(tmp_path, body), *words)
    assert (said.exit_code, "Traceback" in said.output) == (1, False)
    assert fault in said.output
    assert (git(world.root, "rev-parse", "HEAD"), git(world.root, "status", "--porcelain", "games")) == (head, b"")


def test_no_sheet_is_taken_beyond_the_limit(world: World, tmp_path: Path) -> None:
    orders = world.root / f"games/open/{FIRST}/orders"
    orders.mkdir()
    (orders / "austria.99.yaml").write_text("orders: []\n")
    said = take(world, sheet(tmp_path, b"rulings: []\n"), "--game", "open", "--seat", "Austria", *AT)
    assert (said.exit_code, "Austria has sent 99 sheets this turn; that is the limit" in said.output) == (1, True)


def test_an_ignored_name_is_committed_anyway(world: World, tmp_path: Path) -> None:
    """A line in .gitignore is the host's choice, and must not lose a player's sheet."""
    (world.root / ".gitignore").write_text("*.yaml\n")
    said = take(world, sheet(tmp_path, b"orders: []\n"), "--game", "open", "--seat", "Austria", *AT)
    assert "committed; push it" in said.output
    assert b"austria.yaml" in git(world.root, "show", "--stat=200", "--format=", "HEAD")


def test_without_a_repository_nothing_is_committed_and_the_command_says_so(world: World, tmp_path: Path) -> None:
    shutil.rmtree(world.root / ".git")
    said = take(world, sheet(tmp_path, b"orders: []\n"), "--game", "open", "--seat", "Austria", *AT)
    assert "this folder is not a git repository, so nothing was committed" in said.output


def test_receipts_with_impossible_claims_are_noted(worlds: Callable[..., World], tmp_path: Path) -> None:
    """Anybody who may push can forge trailers: an account without the seat, one request for two sheets."""
    world = worlds({"open": game_data(sealed=False, seed="s")})
    numbers = {}
    for seat in ("Austria", "Italy"):
        path = f"games/open/{FIRST}/orders/{seat.lower()}.yaml"
        number = world.fake.open_pull(game_data()["seats"][seat]["account"], seat.lower(), {path: b"orders: []\n"})
        numbers[seat] = number
        assert world.intake(number).what == "accepted"
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    assert [note for note in check_history(tmp_path / "whole").notes if "receipt" in note.what] == []
    import hashlib

    for name, account, source in (("france", 999, "pull request 77"), ("turkey", 107, "pull request 1"),
                                  ("turkey.2", 101, "pull request 1")):  # fmt: skip
        path, body = f"games/open/{FIRST}/orders/{name}.yaml", f"orders: []\n# {name}\n".encode()
        says = (
            f"Forged\n\nCourtly-File: {path}\nCourtly-SHA256: {hashlib.sha256(body).hexdigest()}\n"
            f"Courtly-Account: {account}\nCourtly-Source: {source}\n"
        )
        world.fake.push_to_main({path: body}, says=says)
    subprocess.run(["git", "-C", str(tmp_path / "whole"), "pull", "--quiet"], check=True, env=ENVIRONMENT)
    report = check_history(tmp_path / "whole")
    assert report.problems == []
    place = f"games/open/{FIRST}/orders"
    assert sorted((note.path, note.what.partition(" (commit")[0]) for note in report.notes if "receipt" in note.what) == [
        (f"{place}/france.yaml", "its receipt says that it came from account 999, who did not hold the seat then"),
        (f"{place}/turkey.2.yaml", f"its receipt names pull request 1, which also brought {place}/austria.yaml"),
        (f"{place}/turkey.2.yaml", "its receipt says that it came from account 101, who did not hold the seat then"),
    ]  # fmt: skip


def test_no_sheet_is_taken_for_a_turn_that_is_not_open(worlds: Callable[..., World], tmp_path: Path) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    words = ("--game", "open", "--seat", "Austria", *AT)
    turn = world.root / f"games/open/{FIRST}/turn.yaml"
    turn.write_text(turn.read_text().replace("status: open", "status: resolved"))
    assert "this turn has been judged" in take(world, sheet(tmp_path, b"orders: []\n"), *words).output
    shutil.rmtree(turn.parent)
    assert (
        "the game has no turn yet; wait until the first opens"
        in take(world, sheet(tmp_path, b"orders: []\n"), *words).output
    )
