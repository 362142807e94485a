"""Maps that an archive keeps as files, and how often each is drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.turn import files
from tests.core.test_archive import courtly, new

LATEST = "schema: 1\narchive: abc\nmaps: latest\n"


def turns_with_maps(root: Path, slug: str = "a") -> list[bool]:
    archive = Archive(root)
    return [(archive.game_folder(slug) / name / "map.svg").is_file() for name in archive.turns(slug)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Turns whose maps are drawn, one after the other."""
    names: list[str] = []
    real = files.map_text

    def counted(game: Any, data: Any) -> bytes:
        names.append(data.turn)
        return real(game, data)

    for module in ("run", "verify", "exchange"):
        monkeypatch.setattr(f"adjudicator.core.jobs.{module}.map_text", counted)
    monkeypatch.setattr("adjudicator.core.turn.files.map_text", counted)
    monkeypatch.setattr("adjudicator.core.turn.maps.map_text", counted)
    return names


def test_a_judged_turn_and_the_turn_it_opens_are_each_drawn_once(tmp_path: Path, drawn: list[str]) -> None:
    new(tmp_path, "a")
    drawn.clear()
    assert courtly(tmp_path, "run", "--now", "--game", "a").exit_code == 0
    names = Archive(tmp_path).turns("a")
    assert drawn == names


def test_only_the_latest_maps_are_kept_if_the_archive_says_so(tmp_path: Path, drawn: list[str]) -> None:
    new(tmp_path, "a")
    (tmp_path / "games/archive.yaml").write_text(LATEST)
    for _ in range(4):
        assert courtly(tmp_path, "run", "--now", "--game", "a").exit_code == 0
    assert turns_with_maps(tmp_path) == [False, False, False, True, True]
    verified = courtly(tmp_path, "verify", "--all", "--jobs", "1")
    assert verified.exit_code == 0, verified.output
    assert courtly(tmp_path, "check").exit_code == 0
    assert "map.svg" not in courtly(tmp_path, "doctor").output
    names = Archive(tmp_path).turns("a")
    first, last = (tmp_path / "games/a" / name / "map.svg" for name in (names[0], names[-1]))
    first.write_text("<svg/>")
    assert "drawing the map again gives a different one" in courtly(tmp_path, "verify", "--all").output, (
        "one that is there"
    )
    last.unlink()
    assert f"draw it again: courtly render a {names[-1]}" in courtly(tmp_path, "verify", "--all").output
    drawn.clear()
    said = courtly(tmp_path, "--json", "render", "--tidy")
    assert json.loads(said.output) == {"removed": 1, "drawn": 1}
    assert drawn == [names[-1]]
    assert courtly(tmp_path, "verify", "--all").exit_code == 0


def test_an_archive_that_wants_all_maps_again_gets_them_as_they_were(tmp_path: Path) -> None:
    new(tmp_path, "a")
    for _ in range(4):
        assert courtly(tmp_path, "run", "--now", "--game", "a").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.glob("games/a/*/map.svg")}
    assert len(before) == 5
    charter = tmp_path / "games/archive.yaml"
    kept = charter.read_text() if charter.exists() else "schema: 1\narchive: abc\n"
    charter.write_text(kept + "maps: latest\n")
    assert json.loads(courtly(tmp_path, "--json", "render", "--tidy").output) == {"removed": 3, "drawn": 0}
    charter.write_text(kept)
    assert json.loads(courtly(tmp_path, "--json", "render", "--tidy").output) == {"removed": 0, "drawn": 3}
    assert {path: path.read_bytes() for path in tmp_path.glob("games/a/*/map.svg")} == before
    for words in ((), ("a", "--tidy"), ("--tidy", "-o", "x.svg")):
        assert courtly(tmp_path, "render", *words).exit_code == 2


def test_an_import_draws_no_map_that_is_not_kept(tmp_path: Path, drawn: list[str]) -> None:
    record = Path(__file__).parents[1] / "data" / "saved-by-diplomacy.json"
    (tmp_path / "games").mkdir()
    (tmp_path / "games/archive.yaml").write_text(LATEST)
    done = courtly(tmp_path, "import", str(record), "--jobs", "1")
    assert done.exit_code == 0, done.output
    slugs = Archive(tmp_path).slugs()
    assert slugs
    for slug in slugs:
        count = len(Archive(tmp_path).turns(slug))
        assert turns_with_maps(tmp_path, slug) == [False] * (count - 2) + [True] * min(count, 2)
    assert len(drawn) == sum(min(2, len(Archive(tmp_path).turns(slug))) for slug in slugs)
    assert courtly(tmp_path, "verify", "--all").exit_code == 0
