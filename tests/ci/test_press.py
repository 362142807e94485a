"""Letters by pull request and by issue: who may send one, under which number, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adjudicator.ci.history import check_history
from adjudicator.core.jobs.letters import letter as issue_text
from adjudicator.core.jobs.new import letters_key
from adjudicator.core.secrets.age import encrypt
from adjudicator.core.turn.load import load_game
from adjudicator.core.turn.press import Letter, letter_text, open_letters
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, World, game_data
from tests.ci.fake import git

PLACE = "games/summer/letters/"


@pytest.fixture
def world(worlds: Callable[..., World]) -> World:
    """A sealed game that takes letters, and one that takes none."""
    made = worlds({"summer": game_data(), "plain": game_data(id="2e" * 8)})
    path = made.archive.game_folder("summer") / "game.yaml"
    path.write_bytes(path.read_bytes() + f"letters: {letters_key(made.archive, 'summer', '1d' * 8)}\n".encode())
    # The key depends on the archive's random id, and it cannot be added once the game has begun.
    git(made.root, "commit", "--quiet", "--amend", "--all", "-m", "The archive")
    git(made.root, "push", "--quiet", "--force", "origin", "main")
    made.clone.update()
    return made


def sealed(world: World, seat: str, number: int = 1, text: str = "So.") -> bytes:
    game = load_game(world.archive, "summer")
    assert game.data.letters is not None
    said = Letter(
        archive=game.archive, game="summer", turn=FIRST, seat=seat, sequence=number, letter=(text,)
    )  # fmt: skip
    return encrypt(letter_text(said), [game.data.letters], armored=True)


def send(world: World, seat: str, name: str, body: bytes, place: str = PLACE) -> tuple[str, str]:
    """Send a file as a pull request; what intake did, and its answer."""
    number = world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {place + name: body})
    done = world.intake(number)
    return done.what, "\n".join(world.fake.pulls[number].comments)


def test_a_letter_is_taken_in_with_a_receipt_and_wakes_nobody(world: World) -> None:
    body = sealed(world, "Austria")
    what, answer = send(world, "Austria", "austria.yaml.age", body)
    assert what == "accepted"
    assert world.fake.read(f"{PLACE}austria.yaml.age") == body
    assert "**Received:** the letter of Austria for summer." in answer
    assert "It stays sealed until the game is over." in answer
    assert "by the next number" not in answer
    message = world.fake.git("log", "-1", "--format=%B", "main")
    assert message.startswith("Letter of Austria for summer\n")
    assert f"Courtly-File: {PLACE}austria.yaml.age" in message
    assert world.fake.dispatched == [], "no turn waits for a letter, and only the end opens it"


def test_a_letter_by_issue_and_later_ones_have_the_next_numbers(world: World) -> None:
    first = world.fake.open_issue(
        ACCOUNTS["Italy"], "italy", issue_text(f"{PLACE}italy.yaml.age", sealed(world, "Italy").decode())
    )
    assert world.intake(first).what == "accepted"
    what, answer = send(world, "Italy", "italy.4.yaml.age", sealed(world, "Italy", 4))
    assert (what, "Italy has sent 1 letter in this game; the next one is called italy.2.yaml.age" in answer) == (
        "refused",
        True,
    )
    assert send(world, "Italy", "italy.2.yaml.age", sealed(world, "Italy", 2))[0] == "accepted"


def test_a_letter_comes_in_after_the_deadline_too(world: World) -> None:
    """Nothing depends on it, and the turn may be waiting for somebody."""
    world.fake.now = world.fake.now.replace(day=23)
    assert send(world, "Austria", "austria.yaml.age", sealed(world, "Austria"))[0] == "accepted"


@pytest.mark.parametrize(
    ("seat", "name", "place", "words"),
    [
        ("Italy", "austria.yaml.age", PLACE, "your account does not hold Austria; it holds Italy"),
        ("Italy", "italy.yaml", PLACE, "no seat of this game has a letter of that name"),
        ("Italy", "nobody.yaml.age", PLACE, "no seat of this game has a letter of that name"),
        ("Italy", "italy.yaml.age", "games/plain/letters/", "this game takes no letters"),
        ("Italy", "italy.yaml.age", "games/never/letters/", "there is no game 'never'"),
        ("Italy", "italy.yaml.age", f"games/summer/{FIRST}/letters/", "a sheet does not belong here"),
        ("Italy", "letters.yaml", "games/summer/", "a sheet does not belong here"),
    ],
)
def test_letters_that_cannot_go_in_are_refused(world: World, seat: str, name: str, place: str, words: str) -> None:
    what, answer = send(world, seat, name, sealed(world, "Italy"), place)
    assert (what, words in answer) == ("refused", True), answer


def test_a_letter_of_another_shape_or_sent_twice_is_refused(world: World) -> None:
    game = load_game(world.archive, "summer")
    assert game.data.letters is not None
    short = encrypt(b"so", [game.data.letters], armored=True)
    assert "the sealed text has 2 bytes; pad it to 3072 bytes" in send(world, "Italy", "italy.yaml.age", short)[1]
    assert "this is not an age file" in send(world, "Italy", "italy.yaml.age", b"letter: [So]\n")[1]
    body = sealed(world, "Italy")
    assert send(world, "Italy", "italy.yaml.age", body)[0] == "accepted"
    assert (
        "this is the file that you sent before; seal your letter again"
        in send(world, "Italy", "italy.2.yaml.age", body)[1]
    )
    assert "this is the file that Italy sent" in send(world, "Austria", "austria.yaml.age", body)[1]


def test_letters_open_with_the_game_on_the_forge_and_prove_it_in_the_history(world: World) -> None:
    send(world, "Austria", "austria.yaml.age", sealed(world, "Austria", text="I lied."))
    ruling = b"rulings:\n- {reason: All agree., end: {how: stopped, winners: []}}\n"
    number = world.fake.open_pull(HOST, "hanna", {f"games/summer/{FIRST}/ruling.yaml": ruling})
    assert world.intake(number).what == "accepted"
    world.fake.now = world.fake.now.replace(day=22)
    world.adjudicate()
    world.clone.update()
    game = load_game(world.archive, "summer")
    assert [one.letter.letter for one in open_letters(world.archive, game) if one.letter] == [("I lied.",)]
    assert check_history(world.root).problems == []
    what, answer = send(world, "Austria", "austria.2.yaml.age", sealed(world, "Austria", 2))
    assert (what, "this game is over" in answer) == ("refused", True)


def test_catch_up_takes_letters_in_whose_event_was_lost(world: World) -> None:
    for seat in ("Austria", "Italy"):
        world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {f"{PLACE}{seat.lower()}.yaml.age": sealed(world, seat)})
    assert [one.what for one in world.catch_up().outcomes] == ["accepted", "accepted"]
    assert {name for name in world.fake.files() if name.startswith(PLACE)} == {
        f"{PLACE}austria.yaml.age",
        f"{PLACE}italy.yaml.age",
    }
