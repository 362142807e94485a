"""Games played elsewhere: written into the archive whole, and read from it for others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.contract.resolution import PlayedGame
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive, write_folder
from adjudicator.core.game.beside import beside_from
from adjudicator.core.game.game import SCHEMA, Beside, Game, house_rules, seat_file
from adjudicator.core.jobs.new import game_text
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import Text, read, write
from adjudicator.core.turn.data import Carried
from adjudicator.core.turn.files import ending_files, map_text, turn_text
from adjudicator.core.turn.judge import ending_of_record, open_turn, resolve_turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_turn
from adjudicator.core.turn.sheets import Given, load_inputs


def enter_played(
    archive: Archive,
    ruleset: str,
    played: PlayedGame[Any],
    *,
    slug: str,
    title: str,
    opened_on: str,
    source: str,
    beside: Mapping[str, bytes] | None = None,
) -> int:
    """Writes a game played elsewhere into the archive, judged by our own rules; says how many turns it has.

    `beside` are the host's own files, which its settings may name. A turn is named under
    `as_played` if the record goes on from another position than our rules lead to.
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
    own = beside or {}
    seats = _seats(ruleset, plain["settings"] if played.settings else {}, slug, beside_from(own))
    plain["seats"] = {seat: {"player": "not recorded"} for seat in seats}
    game = Game(slug, read(game_text(plain), f"games/{slug}/game.yaml"), beside=beside_from(own))
    files: dict[str, bytes] = {name: own[name] for name in game.files}
    as_played: dict[str, str] = {}
    last = None
    resolution = None
    for number, turn in enumerate(turns, 1):
        start = open_turn(game, number, turn.position, None, Carried())
        if resolution is not None and last is not None and encode(resolution.position) != encode(turn.position):
            before = turns[number - 2]
            as_played[last.turn] = before.other_rules or "the record goes on from another position"
        sheets, digests = {}, {}
        for seat, sheet in sorted(turn.sheets.items()):
            body = write(dict(sheet)).encode()
            files[f"{start.turn}/orders/{seat_file(seat)}.yaml"] = body
            digests[seat] = hashlib.sha256(body).hexdigest()
            sheets[seat] = game.ruleset.sheet_for(turn.position, seat)(
                **{k: tuple(v) if isinstance(v, list) else v for k, v in sheet.items()}
            )
        given = Given(sheets, digests, {}, {})
        last, resolution = resolve_turn(game, start, given, None, keys_for(game, start.turn))
        files[f"{start.turn}/turn.yaml"] = turn_text(last)
        files[f"{start.turn}/map.svg"] = map_text(game, last)
    assert last is not None
    assert resolution is not None
    files |= ending_files(game, last.turn, last.ended or ending_of_record(last), resolution.position)
    if as_played:
        plain["as_played"] = as_played
    files = {"game.yaml": game_text(plain), **files}
    write_folder(folder, files)
    return len(turns)


def _seats(ruleset: str, settings: Mapping[str, Any], slug: str, beside: Beside) -> tuple[str, ...]:
    """The seats of a game with these settings, learnt without players' names."""
    rules = find(ruleset)
    furnished, _ = house_rules(rules, Text(f"games/{slug}/game.yaml", dict(settings), {}), beside)
    return rules.rules.seats(furnished)


def played_turns(archive: Archive, game: Game) -> Iterator[tuple[Any, dict[str, Any], Any]]:
    """A game's turns as position, sheets and recorded resolution (None for an open turn)."""
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        sheets: dict[str, Any] = {}
        if turn.data.status == "resolved":
            sheets = dict(load_inputs(archive, turn)[1].sheets)
        yield turn.data.position, sheets, turn.resolution
