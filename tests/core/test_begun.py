"""A game keeps its start: an update of the ruleset's start, or of a board, does not stop it, and it can be verified (H3-6)."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import adjudicator
from adjudicator.core.contract import ruleset
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs import run, verify
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.play import play, write_stand_in_sheets
from adjudicator.core.jobs.run import run_game, undo_turn
from adjudicator.core.jobs.upgrade import upgrade_of, write_upgrade
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.mechanics import boards
from adjudicator.rulesets.diplomacy import position as diplomacy
from adjudicator.rulesets.heir_apparent import cardset
from adjudicator.rulesets.heir_apparent import position as cards
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests import hazard, moot
from tests.conftest import ROOT

GAME = "game"
BEGUN = "the game began under another version of courtly; this one would begin it with a different position"
CHANGED = "the position is not the one that the game began with"
RESTORE = "restore the file from the history"


@dataclass
class Kind:
    """A kind of game, with an update that gives games of this kind another start."""

    ruleset: str
    seats: tuple[str, ...]
    update: Callable[[pytest.MonkeyPatch, Path], None]
    sealed: bool = False
    keys: bool = False
    settings: dict[str, Any] | None = None

    def open(self, root: Path) -> Archive:
        archive = Archive(root, Masters((b"m" * 32,)) if self.sealed else None)
        (root / "games").mkdir(parents=True)
        new_charter(archive)
        seats = {
            seat: {"player": f"{seat}’s player", "account": at} | ({"key": KEYS[at]} if self.keys else {})
            for at, seat in enumerate(self.seats, 1)
        }
        data: dict[str, Any] = {
            "ruleset": self.ruleset, "title": "A game", "opened": "2026-11-20", "seats": seats, "schedule": {"turn": "1d"},
        }  # fmt: skip
        data |= {"sealed": True, "id": "c0" * 8} if self.sealed else {"seed": "s"}
        new_game(archive, GAME, data | ({"settings": self.settings} if self.settings else {}), at="2026-11-20T00:00Z")
        return archive


KEYS = {at: recipient_of(new_identity()) for at in range(1, 4)}


def begins(module: Any, change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch, Path], None]:
    """Update a ruleset: it begins with another position."""

    def update(patch: pytest.MonkeyPatch, folder: Path) -> None:
        old = module.RULESET
        rules = replace(old.rules, setup=lambda settings, dice: change(old.rules.setup(settings, dice)))
        patch.setattr(module, "RULESET", replace(old, rules=rules))

    return update


def fewer_cards(position: hazard.Position) -> hazard.Position:
    return replace(position, hands={seat: hand[:2] for seat, hand in position.hands.items()})


def other_voices(position: moot.Position) -> moot.Position:
    return replace(position, voices=dict.fromkeys(moot.VILLAGES, 1))


def other_board(name: str, old: str, new: str) -> Callable[[pytest.MonkeyPatch, Path], None]:
    """Update a board that comes with courtly."""

    def update(patch: pytest.MonkeyPatch, folder: Path) -> None:
        shipped = diplomacy.shipped_boards()
        for board, path in shipped.items():
            shutil.copytree(path, folder / "boards" / board)
        path = folder / "boards" / name / "board.yaml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        there = {board: folder / "boards" / board for board in shipped}
        patch.setattr(diplomacy, "shipped_boards", lambda: there)
        patch.setattr(diplomacy, "_boards", {})

    return update


def other_cards(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Update the card set that comes with courtly: one Character has another name."""
    shutil.copytree(cardset.SETS, folder / "sets")
    path = folder / "sets/avermark.yaml"
    text = path.read_text(encoding="utf-8")
    name = cardset.cards_named("avermark").characters[0].id
    path.write_text(re.sub(rf"\b{name}\b", "somebody-else", text), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    for module in (cardset, cards):
        patch.setattr(module, "SETS", folder / "sets")
    again = functools.cache(cardset.cards_named.__wrapped__)
    for module in (cardset, cards):
        patch.setattr(module, "cards_named", again)


DUEL = {"board": "two_rivers"}
UNITS = other_board("two_rivers", "units: [A NIN, A HAR, F ASH]", "units: [A NIN, F ASH]")
STARTS = {
    "open": Kind("moot", moot.VILLAGES, begins(moot, other_voices), settings={"rounds": 5}),
    "sealed": Kind("moot", moot.VILLAGES, begins(moot, other_voices), sealed=True, settings={"rounds": 5}),
    "hidden": Kind("hazard", hazard.SEATS, begins(hazard, fewer_cards), sealed=True, keys=True),
}
"""Games whose ruleset has another start after an update."""
DATA = {
    "open": Kind("diplomacy", ("Assyria", "Babylon"), UNITS, settings=DUEL),
    "sealed": Kind("diplomacy", ("Assyria", "Babylon"), UNITS, sealed=True, settings=DUEL),
    "a border": Kind(
        "diplomacy", ("Assyria", "Babylon"), other_board("two_rivers", "ASH HAR, ASH TER", "ASH HAR"), settings=DUEL
    ),
    "hidden": Kind(
        "heir_apparent", ("First", "Second", "Third"), other_cards, sealed=True, keys=True, settings={"players": 3}
    ),
}
"""Games whose board or cards differ after an update."""


@pytest.fixture(autouse=True)
def rulesets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = ruleset.slugs
    for module in (hazard, moot):
        name = module.__name__.rpartition(".")[2]
        monkeypatch.setitem(sys.modules, f"adjudicator.rulesets.{name}", module)
    monkeypatch.setattr(ruleset, "slugs", lambda: (*real(), "hazard", "moot"))
    yield
    boards.load_board.cache_clear()
    boards.board_text.cache_clear()


def judged(archive: Archive, day: int) -> list[str]:
    """Steps of a run after the deadline."""
    with archive.writing():
        return [step.what for step in run_game(archive, GAME, at=f"2026-11-{day}T00:00Z")]


def first(archive: Archive) -> Path:
    return archive.game_folder(GAME) / archive.turns(GAME)[0] / "turn.yaml"


def told(problems: list[Problem] | tuple[Problem, ...]) -> list[tuple[str, str]]:
    return [(problem.level, problem.what) for problem in problems]


# A start that changed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [0, 1, 2], ids=["the first turn is open", "it was judged", "two were judged"])
@pytest.mark.parametrize("name", STARTS)
def test_an_update_that_changes_a_start_stops_no_game_and_upgrade_makes_verify_pass(
    name: str, days: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = STARTS[name].open(tmp_path / "archive")
    for day in range(days):
        assert judged(archive, 21 + day)[:2] == ["resolved", "opened"]
    assert told(check_archive(archive)) == []
    before = first(archive).read_bytes()
    STARTS[name].update(monkeypatch, tmp_path)
    # The message names the cause, and does not send anybody to restore an unchanged file.
    assert told(check_archive(archive)) == ([("warning", BEGUN)] if days == 0 else [])
    (fault,) = verify_game(archive, GAME).problems
    assert (fault.level, fault.what) == ("error", BEGUN)
    assert f"`courtly upgrade {GAME} --reason ...` keeps the position" in fault.right
    # The game goes on from its start.
    assert judged(archive, 21 + days)[:2] == ["resolved", "opened"]
    if days:
        assert first(archive).read_bytes() == before
    assert [problem.what for problem in verify_game(archive, GAME).problems] == [BEGUN]
    # Upgrade covers only the start: every turn is judged again.
    changes = upgrade_of(archive, GAME)
    assert [*changes.turns] == ["start"]
    write_upgrade(archive, changes, "begun by 0.1")
    assert "as_played:\n  start: begun by" in (archive.game_folder(GAME) / "game.yaml").read_text().replace('"', "")
    checked = verify_game(archive, GAME)
    assert (checked.problems, checked.turns, checked.as_played) == ((), len(archive.turns(GAME)) - 1, 0)
    assert [note.what for note in checked.notes] == [
        "the game is kept as it was begun, and its start is not verified: begun by 0.1"
    ]
    assert told(check_archive(archive)) == []
    assert judged(archive, 22 + days)[0] == "resolved"
    assert verify_game(archive, GAME).problems == ()
    story = load_story(Archive(archive.root), GAME)
    assert story is not None
    assert "The game is kept as it began; today it would begin with a different position. Reason: begun by 0.1" in str(
        turn_page(story, 0, "", "../")
    )


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("updated", [False, True])
def test_a_start_changed_by_somebody_is_told_apart_from_one_changed_by_an_update(
    name: str, updated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = STARTS[name]
    archive = kind.open(tmp_path / "archive")
    path = first(archive)
    text = path.read_text()
    if kind.keys:  # with hidden hands the file shows only the number of cards; the sealed part has them all
        from adjudicator.core.turn.files import public_data, secret_file, turn_text

        game = load_game(archive, GAME)
        whole = load_all(archive, load_turn(archive, game, archive.turns(GAME)[0]))
        hands = {**whole.position.hands, "Ash": whole.position.hands["Birch"], "Birch": whole.position.hands["Ash"]}
        changed = replace(whole, position=replace(whole.position, hands=hands))
        (path.parent / "secret.age").write_bytes(
            secret_file(game, replace(changed, seal=load_turn(archive, game, whole.turn).data.seal))
        )
        assert turn_text(public_data(game, changed, over=False))
    else:
        path.write_text(text.replace("Aberley: 0", "Aberley: 3", 1))
        assert path.read_text() != text
    if updated:
        kind.update(monkeypatch, tmp_path)
    wrong = ("error", CHANGED)
    assert wrong in told(check_archive(archive))
    with pytest.raises(Problems) as caught:
        judged(archive, 21)
    assert [(fault.what, fault.right) for fault in caught.value.problems] == [(CHANGED, RESTORE)]
    assert wrong in told(verify_game(archive, GAME).problems)
    assert "start" not in upgrade_of(archive, GAME).turns


@pytest.mark.parametrize("name", STARTS)
def test_an_older_game_without_a_kept_start_is_shown_both_causes_and_can_be_accepted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = STARTS[name].open(tmp_path / "archive")
    path = first(archive)
    path.write_text(re.sub(r"^start:\n(?:  .*\n)+", "", path.read_text(), flags=re.MULTILINE))
    assert told(check_archive(archive)) == []
    STARTS[name].update(monkeypatch, tmp_path)
    (fault,) = check_archive(archive)
    assert fault.what == "this version of courtly would begin the game with a different position"
    assert fault.right.startswith(
        "if the game began under another version of courtly, `courtly upgrade game --reason ...`"
    )
    write_upgrade(archive, upgrade_of(archive, GAME), "begun by 0.1")
    assert told(check_archive(archive)) == []
    assert judged(archive, 21) == ["resolved", "opened"]
    assert verify_game(archive, GAME).problems == ()


@pytest.mark.parametrize("name", STARTS)
def test_a_first_turn_that_is_put_back_begins_as_the_game_began(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = STARTS[name].open(tmp_path / "archive")

    def position() -> Any:
        return load_all(archive, load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[0])).position

    began = position()
    judged(archive, 21)
    STARTS[name].update(monkeypatch, tmp_path)
    with archive.writing():
        assert [step.what for step in undo_turn(archive, GAME, "A sheet was lost.", "2026-11-21T12:00Z")] == [
            "put back"
        ]
    assert position() == began
    assert told(check_archive(archive)) == [("warning", BEGUN)]
    write_upgrade(archive, upgrade_of(archive, GAME), "begun by 0.1")
    assert judged(archive, 23) == ["resolved", "opened"]
    assert verify_game(archive, GAME).problems == ()


def test_the_digest_of_a_hidden_start_confirms_no_guess(tmp_path: Path) -> None:
    """Two games with the same hands have different digests, so nobody can confirm a guess of the hands."""
    made = []
    for own in ("c0" * 8, "c1" * 8):
        kind = STARTS["hidden"]
        archive = kind.open(tmp_path / own)
        turn = load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[0])
        assert turn.data.start is not None
        made.append(turn.data.start.digest)
        text = (archive.game_folder(GAME) / "game.yaml").read_text()
        assert "c0" * 8 in text
        import hashlib

        from adjudicator.core.text.codec import encode
        from adjudicator.core.text.yamltext import write

        plain = hashlib.sha256(write(encode(load_all(archive, turn).position)).encode()).hexdigest()
        assert plain not in turn.source.decode()
    assert len(set(made)) == 2, "another archive, other keys"


# Rules that changed -----------------------------------------------------------------------------------------------


def judges(module: Any, change: Callable[[Any], Any], patch: pytest.MonkeyPatch) -> None:
    """Update a ruleset without raising its version: a turn leads to another position and has no events."""
    old = module.RULESET

    def resolve(*given: Any) -> Any:
        done = old.rules.resolve(*given)
        return replace(done, position=change(done.position), events=())

    patch.setattr(module, "RULESET", replace(old, rules=replace(old.rules, resolve=resolve)))


def seven_points(position: hazard.Position) -> hazard.Position:
    return replace(position, points=dict.fromkeys(hazard.SEATS, 7))


def seven_voices(position: moot.Position) -> moot.Position:
    return replace(position, voices=dict.fromkeys(moot.VILLAGES, 7))


@pytest.mark.parametrize("name", STARTS)
def test_changed_rules_are_named_instead_of_an_unchanged_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H3-6: an install from a folder keeps its version, so the judgement of the turn before shows the change."""
    kind = STARTS[name]
    archive = kind.open(tmp_path / "archive")
    for seat in kind.seats:
        write_stand_in_sheets(archive, GAME, [seat], "1")
    judged(archive, 21)
    right = "the turn before was judged by different code: `courtly upgrade` shows what comes out differently now"
    if kind.keys:
        judges(hazard, seven_points, monkeypatch)
    else:  # turns of gifts have no events: only the version shows the change
        judges(moot, seven_voices, monkeypatch)
        for job in (run, verify):
            monkeypatch.setattr(job, "this_courtly", lambda: "0.2.0")
        mine = adjudicator.__version__
        right = f"the turn before was judged by courtly {mine}; this is 0.2.0: `courtly upgrade` shows what comes out differently now"
    with pytest.raises(Problems) as caught:
        judged(archive, 22)
    for problems in (check_archive(archive), list(caught.value.problems)):
        assert [(fault.what, fault.right) for fault in problems if fault.level == "error"] == [
            ("the position is not the one the turn before led to", right)
        ]
    assert RESTORE not in {fault.right for fault in verify_game(archive, GAME).problems}
    write_upgrade(archive, upgrade_of(archive, GAME), "played by 0.1")
    assert [level for level, _ in told(check_archive(archive)) if level == "error"] == []
    assert judged(archive, 22)[0] == "resolved"
    assert verify_game(archive, GAME).problems == ()


# A board that changed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [0, 2])
@pytest.mark.parametrize("name", DATA)
def test_a_game_goes_on_with_the_data_that_it_began_with(
    name: str, days: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = DATA[name]
    archive = kind.open(tmp_path / "archive")
    for day in range(days):
        judged(archive, 21 + day)
    shutil.copytree(archive.root, tmp_path / "without")
    alike = Archive(tmp_path / "without", archive.masters)
    assert judged(alike, 21 + days)[0] == "resolved"
    kind.update(monkeypatch, tmp_path)
    assert told(check_archive(archive)) == []
    assert verify_game(archive, GAME).problems == ()
    assert judged(archive, 21 + days)[0] == "resolved"
    checked = verify_game(archive, GAME)
    assert (checked.problems, checked.turns) == ((), days + 1)
    assert upgrade_of(archive, GAME).turns == {}
    # The game continues as it would have without the update.
    assert checked.digest == verify_game(alike, GAME).digest
    # A game that is opened today has the board of today.
    later = kind.open(tmp_path / "later")
    assert first(later).read_bytes() != first(archive).read_bytes()


@pytest.mark.parametrize("name", DATA)
def test_a_copy_that_was_changed_or_removed_stops_the_game_and_names_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = DATA[name]
    archive = kind.open(tmp_path / "archive")
    (path,) = (archive.game_folder(GAME) / "kept").iterdir()
    text = path.read_bytes()
    where = path.relative_to(archive.root).as_posix()
    what = f"this is not the {path.name} that the game began with: {archive.turns(GAME)[0]}/turn.yaml has a different digest"
    path.write_bytes(text + b"# A comment.\n")
    for problems in (check_archive(archive), list(verify_game(archive, GAME).problems)):
        assert (where, what, RESTORE) in [(fault.path, fault.what, fault.right) for fault in problems]
    with pytest.raises(Problems, match=re.escape(what)):
        judged(archive, 21)
    path.unlink()
    assert told(check_archive(archive)) == [], "what comes with courtly is still the same"
    kind.update(monkeypatch, tmp_path)
    path.write_bytes(text)
    assert told(check_archive(archive)) == []
    path.unlink()
    if name != "hidden":  # the cards that the position names no longer exist, and that fault comes first
        assert ("error", what) in told(check_archive(archive))


def test_a_hosts_board_still_works_after_the_board_it_extends_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "archive/games").mkdir(parents=True)
    archive = Archive(tmp_path / "archive")
    new_charter(archive)
    own = b"name: mine\ntitle: Mine\nextends: two_rivers\nvictory: 7\n"
    seats = {seat: {"player": "P", "account": at} for at, seat in enumerate(("Assyria", "Babylon"), 1)}
    data = {
        "ruleset": "diplomacy", "title": "Mine", "opened": "2026-11-20", "seed": "s", "seats": seats,
        "schedule": {"turn": "1d"}, "settings": {"board": "mine.yaml"},
    }  # fmt: skip
    new_game(archive, GAME, data, {"mine.yaml": own}, at="2026-11-20T00:00Z")
    UNITS(monkeypatch, tmp_path)
    assert told(check_archive(archive)) == []
    assert judged(archive, 21) == ["resolved", "opened"]
    assert verify_game(archive, GAME).problems == ()


def test_every_board_that_comes_with_courtly_is_kept_whole() -> None:
    for name, folder in diplomacy.shipped_boards().items():
        kept = boards._load_kept(boards.board_text(folder), name, folder)
        assert kept.data == boards.load_board(folder).data
        assert kept.folder == boards.load_board(folder).folder, "and is drawn by the same shapes"


@pytest.mark.parametrize("slug", ["al_andalus", "saga_of_the_nine"])
def test_wars_on_a_board_keep_the_board_they_began_with(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = {"al_andalus": "taifas", "saga_of_the_nine": "nine_worlds"}[slug]
    rules = ruleset.find(slug)
    seats = rules.rules.seats(rules.types.settings())
    board = boards.load_board(diplomacy.shipped_boards()[name])
    unit = next(iter(board.powers.values())).units[0]
    kind = Kind(slug, seats, other_board(name, f"{unit}, ", ""))
    archive = kind.open(tmp_path / "archive")
    judged(archive, 21)
    kind.update(monkeypatch, tmp_path)
    assert told(check_archive(archive)) == []
    list(play(archive, GAME, seats, "1", "2026-11-22T00:00Z", 4))
    assert verify_game(archive, GAME).problems == ()
    later = kind.open(tmp_path / "later")
    assert first(later).read_bytes() != first(archive).read_bytes()


def test_upgrade_copies_the_data_of_an_older_game_that_kept_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = DATA["open"].open(tmp_path / "archive")
    path = first(archive)
    path.write_text(re.sub(r"^start:\n(?:  .*\n)+", "", path.read_text(), flags=re.MULTILINE))
    shutil.rmtree(archive.game_folder(GAME) / "kept")
    write_upgrade(archive, upgrade_of(archive, GAME), "So.")
    UNITS(monkeypatch, tmp_path)
    assert told(check_archive(archive)) == []
    assert judged(archive, 21) == ["resolved", "opened"]
    assert verify_game(archive, GAME).problems == ()


# The command, and a custom ruleset --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_a_change_in_a_custom_ruleset_between_two_runs_is_noticed(name: str, tmp_path: Path) -> None:
    """By the command, in separate processes: `COURTLY_RULESETS` names the folder, and the test edits its file."""
    kind = STARTS[name]
    folder = tmp_path / "rulesets" / kind.ruleset
    shutil.copytree(ROOT / "tests" / kind.ruleset, folder, ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, ruleset.MORE: str(folder.parent), "COURTLY_MASTER": "courtly-master-1-" + "6d" * 32}
    root = tmp_path / "archive"
    root.mkdir()

    def courtly(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-c", "from adjudicator.cli import main; main()", "-C", str(root), *words]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr + done.stdout

    keys = (
        [word for at, seat in enumerate(kind.seats, 1) for word in ("--key", f"{seat}={KEYS[at]}")] if kind.keys else []
    )
    sealed = ["--sealed"] if kind.sealed else []
    code, said = courtly("new", GAME, "--ruleset", kind.ruleset, "--here", "--turn", "1d", *sealed, *keys)
    assert code == 0, said
    assert courtly("run", "--now", "--game", GAME)[0] == 0
    source = folder / "__init__.py"
    text = source.read_text(encoding="utf-8")
    old, new = (
        ("game.draw_cards(deck, 3,", "game.draw_cards(deck, 2,")
        if kind.ruleset == "hazard"
        else ("voices=dict.fromkeys(VILLAGES, 0)", "voices=dict.fromkeys(VILLAGES, 1)")
    )
    assert old in text
    source.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert courtly("check")[0] == 0
    code, said = courtly("verify", "--all")
    assert code == 1
    assert BEGUN in said
    assert "restore" not in said
    code, said = courtly("run", "--now", "--game", GAME)
    assert code == 0, said
    assert "resolved" in said
    code, said = courtly("upgrade")
    assert said.splitlines()[-1] == (
        "Judged differently today: 0 turns; drawn differently: 0 maps. Begun differently today: 1 game. "
        "With --reason they are kept as they were played, and the maps are drawn again."
    )
    code, said = courtly("upgrade", "--reason", "begun by 0.1")
    assert (code, said) == (
        0, "Now kept as played: 0 turns; drawn again: 0 maps. Now kept as begun: 1 game.\n"
    )  # fmt: skip
    code, said = courtly("verify", "--all")
    assert code == 0, said
    assert "restore" not in said
