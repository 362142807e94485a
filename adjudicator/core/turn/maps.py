"""The maps that an archive keeps as files: those of every turn, or only the latest (`maps:` in archive.yaml)."""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Maps
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.files import map_text
from adjudicator.core.turn.load import load_charter, load_game, load_turn


def maps_of(archive: Archive) -> Maps:
    """The `maps` setting of the archive's charter; `all` without a charter. Raises `Problems`."""
    charter = load_charter(archive)
    return charter.maps if charter is not None else Maps.ALL


def remove_maps(archive: Archive, slug: str) -> list[Path]:
    """Remove the maps of a game's turns that the archive does not keep; return their paths."""
    names = archive.turns(slug)
    kept = maps_of(archive).kept(names)
    paths = [archive.game_folder(slug) / name / "map.svg" for name in names if name not in kept]
    gone = [path for path in paths if archive.files.is_file(path)]
    for path in gone:
        archive.files.remove(path)
    return gone


def tidy_maps(archive: Archive) -> tuple[int, int]:
    """In all games, remove the maps that the archive does not keep, and draw those it keeps that are missing. Return how many of each.

    A game with faults does not stop the others: `Problems` with all faults is raised at the end.
    """
    gone = drawn = 0
    faults: list[Problem] = []
    for slug in archive.slugs():
        try:
            gone += len(remove_maps(archive, slug))
            names, folder = archive.turns(slug), archive.game_folder(slug)
            missing = [
                name for name in maps_of(archive).kept(names) if not archive.files.exists(folder / name / "map.svg")
            ]
            game = load_game(archive, slug) if missing else None
            for name in missing:
                assert game is not None
                turn = load_turn(archive, game, name)
                drawn += archive.files.write(turn.folder / "map.svg", map_text(game, turn.data))
        except Problems as error:
            faults += error.problems
    if faults:
        raise Problems(faults)
    return gone, drawn
