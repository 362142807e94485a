"""Letters for after the game: sealed to the game's own key, opened by the run that ends it, and never before."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.new import letters_key, new_charter, new_game
from adjudicator.core.jobs.press import seal_letter
from adjudicator.core.jobs.run import run_game, undo_turn
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import encrypt, examine
from adjudicator.core.secrets.masters import Masters, new_master, read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.press import (
    MOST_CHARACTERS,
    MOST_LETTERS,
    WIDTH,
    Letter,
    identity_for,
    letter_path,
    letter_text,
    open_letters,
    paragraphs_of,
    published_key,
)
from adjudicator.site.press import letters_beside, letters_of_game
from adjudicator.site.story import load_story
from tests.conftest import tool

SEATS = ("Assyria", "Babylon")
GAME, OWN = "rivers", "5e" * 8


class Told:
    """An archive with one sealed game that takes letters."""

    def __init__(self, root: Path) -> None:
        root.mkdir(exist_ok=True)
        self.master = new_master()
        self.archive = Archive(root, read_masters(self.master, "test"))
        self.archive.games.mkdir()
        new_charter(self.archive)
        self.root = root
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": "Rivers", "opened": "2026-11-20", "id": OWN, "sealed": True,
            "seats": {seat: {"player": seat, "account": 101 + at} for at, seat in enumerate(SEATS)},
            "settings": {"board": "two_rivers"}, "letters": letters_key(self.archive, GAME, OWN),
        }  # fmt: skip
        new_game(self.archive, GAME, data)

    @property
    def game(self) -> Any:
        return load_game(self.archive, GAME)

    @property
    def turns(self) -> list[str]:
        return self.archive.turns(GAME)

    def writes(self, seat: str, text: str, **more: Any) -> str:
        """Seal a letter into its place; its path."""
        file = self.root / "letter.txt"
        file.write_bytes(text.encode())
        made = seal_letter(self.archive, file, game=GAME, seat=seat, **more)
        self.put(made.path, made.body)
        return made.path

    def put(self, path: str, body: bytes) -> None:
        target = self.root / path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(body)

    def forged(self, seat: str, number: int, **other: Any) -> str:
        """Put a letter with other contents in the place of a seat's letter."""
        said = {
            "archive": self.game.archive,
            "game": GAME,
            "turn": self.turns[0],
            "seat": seat,
            "sequence": number,
            "letter": ("So.",),
        }
        body = encrypt(letter_text(Letter(**(said | other))), [self.game.data.letters], armored=True)
        path = letter_path(self.game, seat, number)
        self.put(path, body)
        return path

    def end(self, at: str = "2026-11-21T00:00Z") -> list[str]:
        ruling = {"reason": "All agree.", "end": {"how": "stopped", "winners": []}}
        (self.archive.game_folder(GAME) / self.turns[-1] / "ruling.yaml").write_text(write({"rulings": [ruling]}))
        with self.archive.writing():
            return [step.what for step in run_game(self.archive, GAME, at=at)]

    def opened(self) -> list[tuple[str, int, tuple[str, ...] | str]]:
        """Seat, number, and the paragraphs or the fault of every letter that the archive shows."""
        game = self.game
        return [
            (one.seat, one.number, one.letter.letter if one.letter else one.fault)
            for one in open_letters(self.archive, game)
        ]

    def found(self, masters: Masters | None = None) -> list[str]:
        """Everything that verify and check report, notes included."""
        archive = Archive(self.root, masters)
        checked = verify_game(archive, GAME)
        return [str(one) for one in (*checked.problems, *checked.notes, *check_archive(archive))]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path / "archive")


def test_letters_open_when_the_game_is_over_and_not_before(told: Told) -> None:
    told.writes("Babylon", 'The river was a lie.\r\nAll of it.\n\n\nForgive me: "A Ur" never came.')
    told.writes("assyria", "First.")
    told.writes("Assyria", "Second.")
    assert told.opened() == []
    assert published_key(told.archive, told.game) is None
    assert told.found() == []
    told.end()
    assert told.opened() == [
        ("Assyria", 1, ("First.",)),
        ("Assyria", 2, ("Second.",)),
        ("Babylon", 1, ("The river was a lie. All of it.", 'Forgive me: "A Ur" never came.')),
    ]
    assert told.found() == []


def test_no_published_key_of_a_turn_opens_a_letter(told: Told) -> None:
    """A turn's keys are public as soon as it is judged, and the game may go on for months."""
    path = told.root / told.writes("Assyria", "Not yet.")
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-25T00:00Z", now=True))
    judged, running = (load_turn(told.archive, told.game, name) for name in told.turns[:2])
    identities = [keys_for(told.game, turn.name, turn.data).identity for turn in (judged, running)]
    assert judged.data.seal is not None
    assert judged.data.seal.identity == identities[0]
    mine = identity_for(told.game)
    assert mine not in identities
    everything = b"".join(file.read_bytes() for file in (told.root / "games").rglob("*") if file.is_file())
    assert mine.encode() not in everything
    assert b"Not yet" not in everything
    assert examine(path.read_bytes(), "x").length == WIDTH.least


@given(text=st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), max_size=300))
def test_paragraphs_keep_every_word_in_its_order(text: str) -> None:
    made = paragraphs_of(text)
    assert " ".join(made).split() == text.split()
    assert all(part == " ".join(part.split()) != "" for part in made)


def test_all_letters_have_one_length(told: Told) -> None:
    paths = [told.writes("Assyria", text) for text in ("a", "word " * 590, "é" * MOST_CHARACTERS)]
    sizes = {examine((told.root / path).read_bytes(), path).length for path in paths}
    assert sizes == {3072}
    assert len({(told.root / path).stat().st_size for path in paths}) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  \n\n ", "the letter is empty"),
        ("a" * (MOST_CHARACTERS + 1), f"the letter has {MOST_CHARACTERS + 1} characters, but at most {MOST_CHARACTERS}"),
        ("so\u202eso", "letter.txt:1:3: there is a character that changes the direction of text (U+202E RIGHT-TO-LEFT OVERRIDE)"),
    ],
)  # fmt: skip
def test_a_letter_with_a_fault_is_not_sealed(told: Told, text: str, words: str) -> None:
    with pytest.raises(Problems) as refused:
        told.writes("Assyria", text)
    assert words in str(refused.value)
    assert not (told.archive.game_folder(GAME) / "letters").exists()


def test_a_letter_for_nobody_or_nothing_is_refused(told: Told) -> None:
    wrong: tuple[tuple[dict[str, str], str], ...] = (
        ({"seat": "Asyria"}, "no seat is called 'Asyria'; did you mean 'Assyria'?"),
        ({"seat": "Assyria", "turn": "002-fall"}, "there is no turn '002-fall'"),
    )
    for how, words in wrong:
        with pytest.raises(Problems) as refused:
            told.writes(text="So.", **how)
        assert words in str(refused.value)
    told.forged("Assyria", MOST_LETTERS)
    with pytest.raises(Problems, match=f"Assyria has sent {MOST_LETTERS} letters in this game"):
        told.writes("Assyria", "One more.")
    told.end()
    with pytest.raises(Problems, match="the game is over, and its letters are open"):
        told.writes("Babylon", "Too late.")


def test_a_letter_counts_only_where_it_was_sealed_for(told: Told) -> None:
    """Copies, letters of another game, and letters about a turn that never was do not count, and verify says so."""
    path = told.writes("Assyria", "Mine.")
    body = (told.root / path).read_bytes()
    told.put(letter_path(told.game, "Babylon", 1), body)
    told.put(letter_path(told.game, "Assyria", 2), body)
    wrong: tuple[dict[str, Any], ...] = (
        {"game": "seas"}, {"archive": "00" * 8}, {"turn": "009-never"}, {"letter": ()}, {"letter": ("x" * 5000,)},
    )  # fmt: skip
    for number, other in enumerate(wrong, 2):
        told.forged("Babylon", number, **other)
    told.put(letter_path(told.game, "Babylon", 7), b"no letter at all")
    told.end()
    words = [said for _, _, said in told.opened()]
    assert words == [
        ("Mine.",),
        "sealed for another sequence: 1",
        "sealed for another seat: 'Assyria'",
        "sealed for another game: 'seas'",
        f"sealed for another archive: '{'00' * 8}'",
        "it names a turn that the game never had: '009-never'",
        "the letter is empty",
        "the letter has 5000 characters, but at most 3000 are allowed",
        "this is not an age file",
    ]
    notes = told.found()
    assert len(notes) == 8
    assert all("this letter does not count: " in note for note in notes)


def test_a_letter_of_another_length_does_not_count(told: Told) -> None:
    told.put(
        letter_path(told.game, "Babylon", 1), encrypt(b"letter: [Short]\n", [told.game.data.letters], armored=True)
    )
    told.end()
    assert told.opened() == [("Babylon", 1, "the sealed text has 16 bytes")]


def test_a_key_published_early_or_wrongly_is_a_fault(told: Told) -> None:
    key = told.archive.game_folder(GAME) / "letters.yaml"
    key.write_text(f"schema: 1\nidentity: {identity_for(told.game)}\n")
    assert any("the game is not over, but the key of its letters is published" in one for one in told.found())
    key.unlink()
    told.end()
    key = told.archive.game_folder(GAME) / "letters.yaml"
    right = key.read_text()
    key.unlink()
    assert any("the game is over, but the key of its letters is not published" in one for one in told.found())
    turn = load_turn(told.archive, told.game, told.turns[0])
    assert turn.data.seal is not None
    key.write_text(f"schema: 1\nidentity: {turn.data.seal.identity}\n")
    assert any("this is not the key that the game's letters are sealed to" in one for one in told.found())
    key.write_text(right)
    assert told.found() == []


def test_another_key_in_game_yaml_stops_the_game(told: Told) -> None:
    """Anybody with write access could put in their own key and read the letters that follow."""
    game = told.archive.game_folder(GAME) / "game.yaml"
    other = letters_key(told.archive, GAME, "6f" * 8)
    game.write_text(game.read_text().replace(told.game.data.letters, other))
    words = "the key in `letters:` is not one that this archive's master secrets give"
    with pytest.raises(Problems, match=words):
        list(run_game(told.archive, GAME, at="2026-11-25T00:00Z", now=True))
    assert any(words in one for one in told.found(told.archive.masters))
    assert told.found() == [], "without the secret nobody can tell"


def test_an_older_master_secret_still_opens_letters(told: Told) -> None:
    told.writes("Assyria", "So.")
    told.archive.masters = read_masters(f"{new_master()}\n{told.master}", "test")
    told.end()
    assert told.opened() == [("Assyria", 1, ("So.",))]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("seed: s\nletters: {key}", "letters need a sealed game"),
        ("sealed: true\nid: " + OWN + "\nletters: age1nobody", "'age1nobody' is not an age key"),
        ("sealed: true\nid: " + OWN + "\nletters: ssh-ed25519 AAAA", "is not an age key"),
    ],
)
def test_a_key_that_cannot_be_is_refused_with_its_line(told: Told, lines: str, words: str) -> None:
    path = told.archive.game_folder(GAME) / "game.yaml"
    kept = [line for line in path.read_text().splitlines() if not line.startswith(("sealed", "id:", "letters"))]
    path.write_text("\n".join([*kept, lines.format(key=told.game.data.letters)]) + "\n")
    with pytest.raises(Problems) as refused:
        load_game(told.archive, GAME)
    assert any(words in one.what and one.line for one in refused.value.problems)


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, catch_exceptions=False)


def test_the_commands_begin_a_game_seal_a_letter_and_open_it(told: Told, tmp_path: Path) -> None:
    secret = {"COURTLY_MASTER": told.master}
    there = ("-C", str(told.root))
    assert "add --sealed" in run(*there, "new", "open", "--letters").output
    made = run(*there, "new", "seas", "--sealed", "--letters", "--seat", "Austria=Anna", **secret)
    assert made.exit_code == 0, made.output
    assert load_game(told.archive, "seas").data.letters == letters_key(
        told.archive, "seas", load_game(told.archive, "seas").data.id or ""
    )
    text = tmp_path / "why.txt"
    text.write_text("I lied.\n\nAnd why.\n")
    sealed = run(*there, "letter", str(text), "--game", GAME, "--seat", "Assyria")
    assert "letter 1 of Assyria, sealed until the game is over" in sealed.output
    path = letter_path(told.game, "Assyria", 1)
    assert str(told.root / path) in sealed.output
    early = run(*there, "open", str(told.root / path))
    assert early.exit_code == 1
    assert "the key of this game's letters is not published yet" in early.output
    told.end()
    shown = run(*there, "open", str(told.root / letter_path(told.game, "Assyria", 1)))
    assert shown.output.endswith("letter:\n- I lied.\n- And why.\n")


def test_age_itself_opens_a_letter_with_the_published_key(told: Told, tmp_path: Path) -> None:
    told.writes("Assyria", "So.")
    told.end()
    key = tmp_path / "key.txt"
    key.write_text(f"{published_key(told.archive, told.game)}\n")
    done = subprocess.run(
        [tool("age"), "-d", "-i", key, os.fspath(told.root / letter_path(told.game, "Assyria", 1))],
        capture_output=True, check=True,
    )  # fmt: skip
    assert len(done.stdout) == WIDTH.least


def test_a_killed_run_ends_the_game_with_the_same_key(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is written before the file that marks the game as over."""
    told.writes("Assyria", "So.")
    real = type(told.archive.files).write

    def write_until(self: Any, path: Path, *rest: Any, **more: Any) -> Any:
        if path.name == "ending.yaml":
            raise KeyboardInterrupt
        return real(self, path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(type(told.archive.files), "write", write_until)
        with pytest.raises(KeyboardInterrupt):
            told.end()
    assert not told.archive.has_ended(GAME)
    before = (told.archive.game_folder(GAME) / "letters.yaml").read_bytes()
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-22T00:00Z"))
    assert told.archive.has_ended(GAME)
    assert (told.archive.game_folder(GAME) / "letters.yaml").read_bytes() == before
    assert told.opened() == [("Assyria", 1, ("So.",))]
    assert told.found() == []


def test_files_that_are_no_letters_are_reported(told: Told) -> None:
    told.put(f"games/{GAME}/letters/assyria.yaml", b"letter: [open]\n")
    told.put(f"games/{GAME}/letters/nobody.yaml.age", b"x")
    assert sum("this is not a letter of this game" in one for one in told.found()) == 2


def test_a_letter_about_a_turn_that_was_put_back_counts(told: Told) -> None:
    """The game may end before it reaches that turn again."""
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-25T00:00Z", now=True))
    told.writes("Assyria", "About what came to nothing.")
    second = told.turns[-1]
    with told.archive.writing():
        list(undo_turn(told.archive, GAME, "A sheet was lost.", "2026-11-25T01:00Z"))
    told.end("2026-11-26T00:00Z")
    assert second not in told.turns
    assert told.opened() == [("Assyria", 1, ("About what came to nothing.",))]
    assert told.found() == []
    story = load_story(told.archive, GAME)
    assert story is not None
    page = str(letters_of_game(story, ""))
    assert "About turns that were put back:" in page
    assert "About what came to nothing." in page


def test_a_copy_of_a_game_cannot_end_and_publish_the_key(told: Told) -> None:
    """Its keys are those of the game itself, so whoever may push could have letters and sheets opened while the game runs."""
    shutil.copytree(told.archive.game_folder(GAME), told.archive.games / "copy")
    path = told.archive.games / "copy/game.yaml"
    path.write_text(path.read_text() + f"named: {GAME}\n")
    ruling = {"reason": "All agree.", "end": {"how": "stopped", "winners": []}}
    (told.archive.games / "copy" / told.turns[-1] / "ruling.yaml").write_text(write({"rulings": [ruling]}))
    with pytest.raises(
        Problems, match="games/rivers was opened under the same name, rivers, so both have the same keys"
    ):
        list(run_game(told.archive, "copy", at="2026-11-21T00:00Z"))
    assert not (told.archive.games / "over").exists()
    assert any("was opened under the same name" in str(one) for one in check_archive(told.archive))


def test_only_a_seats_single_holder_is_named_below_a_letter(told: Told) -> None:
    """Whoever gets a seat later can write about earlier turns: nothing proves which holder wrote a letter."""
    first = told.turns[0]
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-25T00:00Z", now=True))
    ruling = {"reason": "She left.", "replace": {"seat": "Assyria", "player": "Mallory", "account": 900}}
    (told.archive.game_folder(GAME) / told.turns[-1] / "ruling.yaml").write_text(write({"rulings": [ruling]}))
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-25T00:00Z"))
    told.writes("Assyria", "I lied from the beginning.", turn=first)
    told.writes("Babylon", "So did I.", turn=first)
    path = told.archive.game_folder(GAME) / told.turns[-1] / "ruling.yaml"
    path.write_text(write({"rulings": [ruling, {"reason": "All agree.", "end": {"how": "stopped", "winners": []}}]}))
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-26T00:00Z"))
    story = load_story(told.archive, GAME)
    assert story is not None
    page = str(letters_beside(story, story.turns[0]))
    assert "<footer>– Assyria</footer>" in page
    assert "<footer>– Babylon, Babylon</footer>" in page


def test_files_in_the_place_of_letters_are_reported_and_never_end_half_a_game(told: Told) -> None:
    folder = told.archive.game_folder(GAME)
    (folder / "letters").write_text("x")
    assert any("games/rivers/letters: this is not a folder" in one for one in told.found())
    (folder / "letters").unlink()
    (folder / "letters.yaml").mkdir()
    with pytest.raises(Problems, match="this is a folder, and the run writes a file there"):
        told.end()
    assert told.archive.game_folder(GAME) == folder
    (folder / "letters.yaml").rmdir()
    with told.archive.writing():
        list(run_game(told.archive, GAME, at="2026-11-22T00:00Z"))
    assert told.found() == []


def test_letters_in_a_game_that_takes_none_are_reported(told: Told) -> None:
    path = told.archive.game_folder(GAME) / "game.yaml"
    path.write_text(
        "".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("letters"))
    )
    told.put(f"games/{GAME}/letters/assyria.yaml.age", b"x")
    assert any("games/rivers/letters: nothing reads this" in one for one in told.found())
