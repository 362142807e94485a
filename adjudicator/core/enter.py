"""New games: opened here, or played elsewhere and written into the archive whole."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from adjudicator.core.archive import Archive, write_folder
from adjudicator.core.codec import encode
from adjudicator.core.game import SCHEMA, Game, seat_file
from adjudicator.core.problems import problem
from adjudicator.core.resolution import PlayedGame
from adjudicator.core.turn import ending_files, first_turn, map_text, opened, resolved, stopped, turn_text
from adjudicator.core.yamltext import read, write


def game_text(data: Mapping[str, Any]) -> bytes:
    """`game.yaml` for a new game: the keys given, under a line that says what the file is."""
    text = "# People write this file; the keys are explained on the site under “How to host”.\n" + write(dict(data))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a terminal's argument that is not UTF-8
        raise problem("", "a title or a name is not UTF-8 text", "write it in UTF-8") from None


def new_game(archive: Archive, slug: str, data: Mapping[str, Any]) -> Game:
    """Adds a game and opens its first turn, all in one step; raises `Problems` and writes nothing if it is faulty."""
    folder = archive.game_folder(slug)
    if folder.exists():
        raise problem(f"games/{slug}", "there is a game of that name already", "choose another name")
    source = game_text({"schema": SCHEMA, **data})
    game = Game(slug, read(source, f"games/{slug}/game.yaml"))
    first = first_turn(game)
    write_folder(
        folder,
        {
            "game.yaml": source,
            f"{first.turn}/turn.yaml": turn_text(first),
            f"{first.turn}/map.svg": map_text(game, first),
        },
    )
    return game


def enter_played(
    archive: Archive, ruleset: str, played: PlayedGame[Any], *, slug: str, title: str, opened_on: str, source: str
) -> int:
    """Writes a game played elsewhere into the archive, judged by our own rules; says how many turns it has.

    A turn after which the record goes on otherwise than our rules would is named under `as_played`.
    """
    folder = archive.game_folder(slug)
    if folder.exists():
        raise problem(f"games/{slug}", "there is a game of that name already", "remove it, or give another name")
    turns = list(played.turns)
    while len(turns) > 1 and not played.complete and not turns[-1].sheets:
        turns.pop()  # Where a record breaks off it may hold phases to which nobody's orders were kept.
    if not turns:
        raise problem("", f"{played.title} has no turn", "")
    plain: dict[str, Any] = {
        "schema": SCHEMA,
        "ruleset": ruleset,
        "title": title,
        "opened": opened_on,
        "source": source,
    }
    if played.settings:
        plain["settings"] = dict(played.settings)
    seats = _seats(ruleset, plain["settings"] if played.settings else {}, slug)
    plain["seats"] = {seat: {"player": "not recorded"} for seat in seats}
    game = Game(slug, read(game_text(plain), f"games/{slug}/game.yaml"))
    files: dict[str, bytes] = {}
    as_played: dict[str, str] = {}
    last = None
    found = None
    for number, turn in enumerate(turns, 1):
        start = opened(game, number, turn.position, None)
        if found is not None and last is not None and encode(found.position) != encode(turn.position):
            before = turns[number - 2]
            as_played[last.turn] = before.other_rules or "the record goes on from another position"
        sheets, digests = {}, {}
        for seat, sheet in sorted(turn.sheets.items()):
            body = write(dict(sheet)).encode()
            files[f"{start.turn}/orders/{seat_file(seat)}.yaml"] = body
            digests[seat] = hashlib.sha256(body).hexdigest()
            sheets[seat] = game.ruleset.sheet(**{k: tuple(v) if isinstance(v, list) else v for k, v in sheet.items()})
        last, found = resolved(game, start, sheets, digests, None)
        files[f"{start.turn}/turn.yaml"] = turn_text(last)
        files[f"{start.turn}/map.svg"] = map_text(game, last)
    assert last is not None
    assert found is not None
    files |= ending_files(game, last.turn, last.ended or stopped(last), found.position)
    if as_played:
        plain["as_played"] = as_played
    files = {"game.yaml": game_text(plain), **files}
    write_folder(folder, files)
    return len(turns)


def _seats(ruleset: str, settings: Mapping[str, Any], slug: str) -> tuple[str, ...]:
    """The seats of a game with these settings, learnt without players' names."""
    from adjudicator.core.codec import decode
    from adjudicator.core.ruleset import find
    from adjudicator.core.yamltext import Text

    rules = find(ruleset)
    return rules.seats(decode(rules.settings, Text(f"games/{slug}/game.yaml", dict(settings), {})))
