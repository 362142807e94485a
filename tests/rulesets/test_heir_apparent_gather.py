"""The shuffle of Heir Apparent depends on every player's nonce where a host gathers them: nobody can choose a deal, and all can check it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game, setup_commitment
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.turn.load import load_all, load_game, load_turn

GAME, SEATS = "table", ("First", "Second", "Third")


def begun(folder: Path, nonce: str) -> Archive:
    """A game of three whose setup was rolled with their nonces; the third nonce is given."""
    (folder / "games").mkdir(parents=True)
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(folder, Masters((b"s" * 32,)))
    nonces = dict(zip(SEATS, ("onelongword", "anotherword", f"nonceofthird{nonce}"), strict=True))
    seats = {
        seat: {"player": "P", "account": at, "key": recipient_of(new_identity()), "nonce": nonces[seat]}
        for at, seat in enumerate(SEATS, 1)
    }
    data: dict[str, Any] = {
        "ruleset": "heir_apparent", "title": "A table", "opened": "2026-11-20", "id": "c0" * 8, "sealed": True,
        "schedule": {"turn": "1d"}, "settings": {"players": 3}, "seats": seats,
        "setup": setup_commitment(archive, GAME, "c0" * 8),
    }  # fmt: skip
    new_game(archive, GAME, data)
    with archive.writing():
        list(run_game(archive, GAME, at="2026-11-20T00:00Z"))
    return archive


def dealt(archive: Archive) -> tuple[object, ...]:
    """The roll of the setup: Princes, seats, decks, Events, the row."""
    start = load_all(archive, load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[0])).position
    princes = [start.players[seat].prince for seat in SEATS]
    return princes, start.ring, start.actions.pile, start.characters.pile, start.events, start.row


def test_every_nonce_shuffles_every_deck(tmp_path: Path) -> None:
    one, same, other = (dealt(begun(tmp_path / name, nonce)) for name, nonce in (("a", "x"), ("b", "x"), ("c", "y")))
    assert one == same
    assert [deck for deck, again in zip(one[2:], other[2:], strict=True) if deck == again] == []


def test_anybody_with_the_archive_can_check_the_shuffle_after_the_game(tmp_path: Path) -> None:
    archive = begun(tmp_path / "a", "x")
    list(play(archive, GAME, SEATS, "2", "2026-11-21T00:00Z", 80))
    assert archive.has_ended(GAME)
    public = Archive(archive.root)
    checked = verify_game(public, GAME)
    assert checked.problems == ()
    assert checked.turns == len(archive.turns(GAME))
    first = archive.game_folder(GAME) / archive.turns(GAME)[0] / "turn.yaml"
    first.write_text(first.read_text("utf-8").replace("anotherword", "anotherward"), "utf-8")
    faults = "\n".join(map(str, verify_game(public, GAME).problems))
    assert "the position is not the one that the game began with; restore the file from the history" in faults
    assert "failed here" not in faults
