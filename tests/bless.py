"""`nox -s bless`: accepts today's results on purpose. Judges every archived turn again and rewrites what differs.

Turns whose position changed are judged on from there, so a mended rule goes through the rest of its game. Turns named
under `as_played` are left as they are. Look at the diff before you commit it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adjudicator.core.archive import Archive, write_file
from adjudicator.core.game import Game, GameKind
from adjudicator.core.turn import (
    Carried,
    carried,
    ending_files,
    load_all,
    load_ending,
    load_game,
    load_inputs,
    load_turn,
    map_text,
    opened,
    resolved,
    ruled,
    stopped,
    turn_text,
)


def bless(archive: Archive, slug: str) -> int:
    """Rewrites one game; says how many files changed."""
    game = load_game(archive, slug)
    if game.data.kind is GameKind.RECORD:
        return 0
    if game.ruleset.secrecy is not None:
        return redraw(archive, game)
    changed = 0
    position = last = None
    hands_on = Carried()
    for number, name in enumerate(archive.turns(slug), 1):
        turn = load_turn(archive, game, name)
        if name in (game.data.as_played or {}):
            position = None
            continue
        start = turn.data.position if position is None else position
        data = opened(game, number, start, None, hands_on, turn.data)
        if position is None or turn.data.rulings:
            data = replace(data, setup=turn.data.setup)
            data = replace(ruled(game, data, turn.data.rulings, str(turn.folder)), deadline=turn.data.deadline)
        if turn.data.status == "resolved":
            _, given, keys = load_inputs(archive, turn)
            data, found = resolved(game, data, given, turn.data.closed, keys)
            hands_on = carried(game, data, given)
            position, last = found.position, data
        changed += write_file(turn.folder / "turn.yaml", turn_text(data))
        changed += write_file(turn.folder / "map.svg", map_text(game, data))
    if archive.has_ended(slug) and last is not None:
        for name, body in ending_files(game, last.turn, last.ended or stopped(last), position).items():
            changed += write_file(archive.game_folder(slug) / name, body)
    return changed


def redraw(archive: Archive, game: Game) -> int:
    """Draws the maps of a game with hidden information anew; what was sealed stays as it was judged."""
    changed = 0
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        changed += write_file(turn.folder / "map.svg", map_text(game, load_all(archive, turn)))
    if archive.has_ended(game.slug):
        last = game.ruleset.pictures.paint(game.ruleset.pictures.draw(load_ending(archive, game).position, None))
        changed += write_file(archive.game_folder(game.slug) / "map.svg", last.encode())
    return changed


def main() -> None:
    """Rewrites the whole archive."""
    archive = Archive(Path(__file__).parent.parent)
    with archive.writing():
        for slug in archive.slugs():
            print(f"{slug}: {bless(archive, slug)} files changed")


if __name__ == "__main__":
    main()
