"""Measure the lengths of a game's sealed files, in whole games that stand-ins play in memory."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.pages import Table
from adjudicator.core.contract.ruleset import Ruleset, find
from adjudicator.core.game.beside import beside_from, read_own_files
from adjudicator.core.game.game import Beside, Game, house_rules
from adjudicator.core.jobs.engine import Engine, alone
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.age import recipient_of
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.core.secrets.envelope import Envelope, pack
from adjudicator.core.secrets.masters import Masters, turn_identity
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.aside import asides_for
from adjudicator.core.turn.data import Carried, TurnData
from adjudicator.core.turn.files import all_news, pack_fitting, secret_text
from adjudicator.core.turn.judge import open_turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.sheets import unused_keys

_MASTERS = Masters((b"\0" * 32,))
_NONCE = "0" * 32
KINDS = ("sheets", "news", "dispatches", "secret.age")
"""Kinds of files that are measured: sheets; the news in dispatches, without the aside for the desk; dispatches; a turn's sealed part."""


def measured(
    slug: str, settings: Mapping[str, Any], seeds: Iterable[int], most: int, run: Engine = alone
) -> Iterator[Mapping[str, list[int]]]:
    """For each seed, let stand-ins play a game, and yield the lengths of its files, compressed, in bytes: kind -> a length for each file.

    Raises `Problems` for unknown settings, and for a ruleset that hides nothing.
    """
    rules = find(slug)
    if rules.secrecy is None:
        raise problem(
            "--lengths", f"{rules.about.title} hides nothing", "only games with hidden information have lengths"
        )
    settings, own = read_own_files(settings)
    yield from run(functools.partial(_measure_seed, slug, settings, own, most), seeds)


def lengths_of(slug: str, settings: Mapping[str, Any]) -> Lengths:
    """The lengths that a ruleset with hidden information chooses for these settings."""
    settings, own = read_own_files(settings)
    game = _game(find(slug), settings, beside_from(own))
    assert game.ruleset.secrecy is not None
    return game.ruleset.secrecy.lengths(game.settings)


def table_of(games: Iterable[Mapping[str, list[int]]], lengths: Lengths) -> Table:
    """A row for each kind of file: the lengths found, the length that the ruleset chooses, and the number of files that are longer."""
    found: dict[str, list[int]] = defaultdict(list)
    for game in games:
        for kind, sizes in game.items():
            found[kind].extend(sizes)
    chosen = {
        "sheets": lengths.sheet,
        "news": lengths.dispatch,
        "dispatches": lengths.dispatch,
        "secret.age": lengths.secret,
    }
    rows = []
    for kind in KINDS:
        sizes = sorted(found[kind]) or [0]
        nearly = sizes[math.ceil(0.99 * len(sizes)) - 1]
        over = sum(size > chosen[kind] for size in sizes)
        row = (kind, len(found[kind]), sizes[len(sizes) // 2], nearly, sizes[-1], chosen[kind], over)
        rows.append(row)
    return Table(
        title="", head=("File", "Files", "Median", "99 in 100", "Longest", "Length", "Longer"), rows=tuple(rows)
    )


def _measure_seed(
    slug: str, settings: Mapping[str, Any], own: Mapping[str, bytes], most: int, seed: int
) -> Mapping[str, list[int]]:
    return measure(_game(find(slug), settings, beside_from(own)), str(seed), most)


def _game(rules: Ruleset[Any, Any, Any], settings: Mapping[str, Any], beside: Beside) -> Game:
    """A sealed game in memory, with a key for each seat."""
    plain = {"schema": 1, "ruleset": rules.about.slug, "id": "0" * 16, "title": "-", "opened": "2026-01-01"}
    plain |= {"sealed": True, "settings": dict(settings)}
    furnished, _ = house_rules(rules, read(write(dict(settings)).encode(), "settings"), beside)
    keys = {seat: turn_identity(_MASTERS.secrets[0], "", "rehearsal", seat) for seat in rules.rules.seats(furnished)}
    seats = {seat: {"player": "-", "key": recipient_of(key)} for seat, key in keys.items()}
    source = read(write({**plain, "seats": seats}).encode(), "game.yaml")
    return Game("rehearsal", source, archive="0" * 16, masters=_MASTERS, beside=beside)


def measure(game: Game, seed: str, most: int) -> Mapping[str, list[int]]:
    """Let stand-ins play one game to its end or for `most` turns, and return the lengths of its files; the seed determines them."""
    rules, found = game.ruleset, defaultdict(list)
    position = rules.rules.setup(game.settings, NamedDice(turn_key(b"rehearsal", seed, "setup", "")))
    before: TurnData | None = None
    for number in range(1, most + 1):
        chance = chance_of(seed, str(number))
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        data = open_turn(game, number, position, None, Carried())
        for kind, sizes in _sizes(game, data, before, sheets).items():
            found[kind].extend(sizes)
        done = rules.rules.resolve(position, sheets, NamedDice(turn_key(b"rehearsal", seed, str(number), "")))
        before = replace(
            data, status="resolved", verdicts=done.verdicts, events=done.events, ended=done.ended, judged_by=_NONCE
        )
        found["secret.age"].append(len(pack(secret_text(game, before, whole=False))))
        if done.ended is not None:
            break
        position = done.position
    return dict(found)


def _sizes(game: Game, data: TurnData, before: TurnData | None, sheets: Mapping[str, Any]) -> dict[str, list[int]]:
    texts = all_news(game, data, before, keys_for(game, data.turn, data))
    heard = {seat: game.ruleset.heard(before.events if before is not None else (), seat) for seat in texts}
    asides = asides_for(game.ruleset, game.name, data.turn, data.position, heard, unused_keys(game))
    envelopes = [
        Envelope(
            archive=game.archive, game=game.name, turn=data.turn, attempt=1, seat=seat, account=10**9, sequence=1,
            nonce=_NONCE, sheet=encode(sheet),
        )
        for seat, sheet in sheets.items()
    ]  # fmt: skip
    return {
        "sheets": [len(pack(write(encode(envelope)).encode())) for envelope in envelopes],
        "news": [len(pack(text)) for text in texts.values()],
        "dispatches": [len(pack_fitting(text, asides[seat], ROOM)) for seat, text in texts.items()],
        "secret.age": [len(pack(secret_text(game, data, whole=False)))],
    }


ROOM = 1 << 20
"""A number of bytes larger than any dispatch."""
