"""A variant that differs only in its board is a file: it is set up, played, drawn and archived like the standard game."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_game, load_turn


def test_fleet_rome_can_be_played_with_the_command(tmp_path: Path) -> None:
    runner = CliRunner()

    def courtly(*words: str) -> str:
        result = runner.invoke(main, ["-C", str(tmp_path), *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    courtly("new", "rome", "--opened", "2026-11-01", "--set", "board=fleet_rome")
    orders = tmp_path / "games/rome/001-spring-1901-movement/orders"
    orders.mkdir()
    (orders / "italy.yaml").write_text("orders: [F Rom - TYS, F Nap - ION, A Ven H]\n")
    courtly("check")
    courtly("run", "--now", "--at", "2026-11-02T00:00Z")
    assert "the same bytes" in courtly("verify")
    archive = Archive(tmp_path)
    game = load_game(archive, "rome")
    first, second = (load_turn(archive, game, name) for name in archive.turns("rome"))
    assert first.data.position.units["Italy"] == ("A Venice", "F Naples", "F Rome")
    assert second.data.position.units["Italy"] == ("A Venice", "F Ionian Sea", "F Tyrrhenian Sea")
    assert "F Tyrrhenian Sea" in (second.folder / "map.svg").read_text()
