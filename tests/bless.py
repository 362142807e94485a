"""`nox -s bless`: accepts today's results on purpose. Judges every archived turn again and rewrites those that differ.

If a turn's position changes, the game is judged on from there, so a corrected rule affects the rest of it. Turns named under `as_played` are left
unchanged. Look at the diff before you commit it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.turn.data import Carried, TurnData
from adjudicator.core.turn.files import (
    all_news,
    dispatches,
    ending_files,
    map_text,
    public_data,
    secret_file,
    turn_text,
    with_digests,
)
from adjudicator.core.turn.judge import (
    apply_rulings,
    carry_over,
    ending_of_record,
    open_first_turn,
    open_turn,
    resolve_turn,
)
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_all, load_ending, load_game, load_turn
from adjudicator.core.turn.sheets import load_given
from tests.tools.tables import write_tables


def bless(archive: Archive, slug: str) -> int:
    """Rewrites one game; returns how many files changed. A game with hidden information is rewritten only if its keys are published."""
    game = load_game(archive, slug)
    if game.data.kind is GameKind.RECORD:
        return redraw(archive, game)  # nothing in it is judged, but its map is compared
    if game.ruleset.secrecy is not None and not archive.has_ended(slug):
        return redraw(archive, game)
    changed = 0
    position: Any = None
    before: TurnData | None = None
    hands_on = Carried()
    for number, name in enumerate(archive.turns(slug), 1):
        turn = load_turn(archive, game, name)
        whole = load_all(archive, turn)
        if name in (game.data.as_played or {}):
            position, before = None, whole
            continue
        start = whole.position if position is None else position
        keys = keys_for(game, name, turn.data)
        data = (
            open_first_turn(game, turn.data)
            if number == 1
            else open_turn(game, number, start, None, hands_on, turn.data)
        )
        if position is None or turn.data.rulings:
            data = replace(data, setup=data.setup or whole.setup, position=start)
            data = replace(
                apply_rulings(game, data, whole.rulings, str(turn.folder), keys), deadline=turn.data.deadline
            )
        texts = all_news(game, data, before, keys)
        data = with_digests(data, texts)
        if turn.data.status == "resolved":
            given = load_given(archive, turn, whole, keys)
            data, resolution = resolve_turn(game, data, given, turn.data.closed, keys, turn.data.judged_by)
            hands_on = carry_over(game, data, given)
            position = resolution.position
        kept = archive.files.is_folder(turn.folder / "dispatches")  # some archives remove them when the game is over
        if kept and data.dispatches != whole.dispatches:
            for path, body in dispatches(game, data, before, texts, list(game.seats)).items():
                changed += archive.files.write(turn.folder / path, body)
        if game.ruleset.secrecy is not None and _inside(data) != _inside(whole):
            changed += archive.files.write(turn.folder / "secret.age", secret_file(game, data))
        changed += archive.files.write(
            turn.folder / "turn.yaml", turn_text(public_data(game, data, over=archive.has_ended(slug)))
        )
        changed += archive.files.write(turn.folder / "map.svg", map_text(game, data))
        before = data
    if archive.has_ended(slug) and before is not None:
        for name, body in ending_files(game, before.turn, before.ended or ending_of_record(before), position).items():
            changed += archive.files.write(archive.game_folder(slug) / name, body)
    return changed


def _inside(data: TurnData) -> bytes:
    """The sealed parts of a turn, except the secrets of the setup."""
    return turn_text(replace(data, setup=None, seal=None))


def redraw(archive: Archive, game: Game) -> int:
    """Draws only the maps of a game again. For a record, or a game with hidden information, whose results stay as judged."""
    changed = 0
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        changed += archive.files.write(turn.folder / "map.svg", map_text(game, load_all(archive, turn)))
    if archive.has_ended(game.slug):
        last = game.ruleset.pictures.paint(game.ruleset.pictures.draw(load_ending(archive, game).position, None))
        changed += archive.files.write(archive.game_folder(game.slug) / "map.svg", last.encode())
    return changed


def main() -> None:
    """Rewrites the whole archive, and the tables of ORDERS.md."""
    archive = Archive(Path(__file__).parent.parent)
    with archive.writing():
        for slug in archive.slugs():
            print(f"{slug}: {bless(archive, slug)} files changed")
    write_tables()


if __name__ == "__main__":
    main()
