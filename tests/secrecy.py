"""Secrecy as a law: output for a reader depends on nothing that the reader may not know.

It makes pairs of turns that differ only in things hidden from a reader. Two other seats swap everything (position, sheets, names of dice),
another seat's sheet has other content, or cards that the reader sees only from the back swap places. If the reader's views before and after are
equal, and so is every sentence for the reader, everything else that the reader can get must be equal too: the dispatch in plain text, the public
files apart from digests and keys, and the length of every file. Anything in a file but in no sentence is a leak.

`python -m tests.secrecy --games 200` checks every ruleset with secrets; the tests check a sample.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import Ruleset, find
from adjudicator.core.game.game import Game
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.age import examine, recipient_of
from adjudicator.core.secrets.dice import NamedDice, roll_value
from adjudicator.core.secrets.envelope import width_of
from adjudicator.core.secrets.masters import Masters, turn_identity
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text, read, write
from adjudicator.core.turn.aside import asides_for
from adjudicator.core.turn.data import Carried, TurnData
from adjudicator.core.turn.files import (
    PublicNews,
    all_news,
    dispatches,
    map_text,
    news,
    public_data,
    secret_file,
    turn_text,
    with_digests,
)
from adjudicator.core.turn.judge import open_turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.mechanics.cards import BACK

Rules = Ruleset[Any, Any, Any]
MASTER = Masters((b"s" * 32,))
READERS = 3
"""Number of seats checked in each turn: the others are checked in other turns."""
SHARE = 0.25
"""Share of readers whose public files and all lengths are made as well, as they always are for the public."""


@dataclass
class Findings:
    """Results of the law: pairs that could be compared, by how they were made, and where something leaks."""

    compared: dict[str, int] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Played:
    """A judged turn: its position, its sheets, and its outcome."""

    position: Any
    sheets: Mapping[str, Any]
    done: Resolution[Any, Any]


class ExchangedDice(NamedDice):
    """Dice for a turn where two seats are swapped: each gets the other's rolls."""

    def __init__(self, key: bytes, swap: Callable[[str], str]) -> None:
        super().__init__(key)
        self._swap = swap

    def _value(self, name: str, sides: int) -> int:
        return roll_value(self._key, self._swap(name), sides)


def swapping(one: str, other: str) -> Callable[[str], str]:
    """Text with two names swapped, wherever they are words."""
    words = re.compile(rf"\b({re.escape(one)}|{re.escape(other)})\b")
    return lambda text: words.sub(lambda match: other if match[1] == one else one, text)


def exchanged(plain: Any, swap: Callable[[str], str]) -> Any:
    """Plain data with two names swapped; ordered parts are put in order again."""
    if isinstance(plain, str):
        return swap(plain)
    if isinstance(plain, dict):
        made = {swap(key): exchanged(value, swap) for key, value in plain.items()}
        if set(made) == set(plain):
            return {key: made[key] for key in plain}
        return dict(sorted(made.items())) if list(plain) == sorted(plain) else made
    if isinstance(plain, list):
        turned = [exchanged(value, swap) for value in plain]
        texts = all(isinstance(value, str) for value in plain)
        return sorted(turned) if texts and plain == sorted(plain) else turned
    return plain


def game_of(rules: Rules) -> Game:
    """A sealed game of a ruleset with a key for each seat, under the usual house rules."""
    settings = decode(rules.types.settings, Text("settings", {}, {}))
    keys = {seat: KEYS(at) for at, seat in enumerate(rules.rules.seats(settings))}
    data = {
        "schema": 1, "ruleset": rules.about.slug, "id": "ab" * 8, "title": "G", "opened": "2026-11-20", "sealed": True,
        "seats": {seat: {"player": "P", "key": recipient_of(key)} for seat, key in keys.items()},
    }  # fmt: skip
    return Game("law", read(write(data).encode(), "game.yaml"), archive="0" * 16, masters=MASTER)


def KEYS(at: int) -> str:  # noqa: N802 - a constant table
    """The identity of a seat."""
    return turn_identity(b"k" * 32, "law", "law", str(at))


def played(rules: Rules, seed: int, turns: int) -> Iterator[tuple[str, Played]]:
    """The turns of a game that stand-ins play by a seed, each with the name of its dice."""
    position = rules.rules.setup(decode(rules.types.settings, Text("settings", {}, {})), NamedDice(b"%d" % seed))
    for number in range(1, turns + 1):
        name = f"{seed}:{number}"
        sheets = sheets_for(rules, position, name)
        done = rules.rules.resolve(position, sheets, NamedDice(name.encode()))
        yield name, Played(position, sheets, done)
        if done.ended is not None:
            return
        position = done.position


def sheets_for(rules: Rules, position: Any, name: str) -> dict[str, Any]:
    """Sheets that stand-ins send; some send nothing."""
    random = Random(name)
    return {
        seat: write_sheet(rules, position, seat, chance_of("law", name))
        for seat in sorted(rules.due(position))
        if random.random() < 0.95
    }


def others(rules: Rules, name: str, was: Played, reader: str | None, random: Random) -> Iterator[tuple[str, Played]]:
    """Turns that differ from one only in things hidden from a reader: how they were made, and the turn."""
    seats = [seat for seat in rules.rules.seats(was.position.settings) if seat != reader]
    for first, other in random.sample(list(combinations(seats, 2)), min(4, len(seats) * (len(seats) - 1) // 2)):
        swap = swapping(first, other)
        try:
            position = decode(rules.types.position, Text("", exchanged(encode(was.position), swap), {}))
            position = attached(rules, position, was.position)
            sheets = {
                swap(seat): decode(rules.sheet_for(position, swap(seat)), Text("", exchanged(encode(sheet), swap), {}))
                for seat, sheet in was.sheets.items()
            }
            done = rules.rules.resolve(position, dict(sorted(sheets.items())), ExchangedDice(name.encode(), swap))
        except Problems:
            continue
        yield "exchanged", Played(position, sheets, done)
    dealt = dealt_anew(rules, was.position, reader, random)
    if dealt is not None:
        yield (
            "another deal",
            Played(dealt, was.sheets, rules.rules.resolve(dealt, was.sheets, NamedDice(name.encode()))),
        )
    seat = random.choice(seats)
    if seat in rules.due(was.position):
        changed = write_sheet(rules, was.position, seat, chance_of("another", name))
        sheets = dict(sorted({**was.sheets, seat: changed}.items()))
        yield (
            "other sheet",
            Played(was.position, sheets, rules.rules.resolve(was.position, sheets, NamedDice(name.encode()))),
        )


def dealt_anew(rules: Rules, position: Any, reader: str | None, random: Random) -> Any:
    """A position where cards that the reader sees only from the back are shuffled, each among its kind; None without such cards.

    Cards with a number behind their names are one kind, others form a kind with those under their key.
    """
    plain = encode(position)
    spots = [*_backs(plain, encode(rules.view(position, reader)), ())]
    kinds: dict[str, list[tuple[list[Any], int]]] = {}
    for key, cards, at in spots:
        kinds.setdefault("#" if "#" in cards[at] else key, []).append((cards, at))
    for places in kinds.values():
        lying = [cards[at] for cards, at in places]
        random.shuffle(lying)
        for (cards, at), card in zip(places, lying, strict=True):
            cards[at] = card
    return attached(rules, decode(rules.types.position, Text("", plain, {})), position) if spots else None


def _backs(plain: Any, view: Any, path: tuple[str, ...]) -> Iterator[tuple[str, list[Any], int]]:
    """Where the view has backs: the key above, the list of true cards, and the place in it."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            if isinstance(view, dict) and key in view:
                yield from _backs(value, view[key], (*path, key))
    elif isinstance(plain, list) and isinstance(view, list) and len(view) == len(plain):
        yield from ((path[0], plain, at) for at, card in enumerate(view) if card == BACK and plain[at] != BACK)


def attached(rules: Rules, position: Any, like: Any) -> Any:
    """A position with the data that a host's file gave it."""
    return rules.host_files.attach(position, like.settings) if rules.host_files is not None else position


def told(rules: Rules, turn: Played, reader: str | None) -> tuple[Any, ...]:
    """The information meant for a reader of a turn: the views before and after, and the sentences between."""
    view, after = rules.view(turn.position, reader), rules.view(turn.done.position, reader)
    facts = rules.heard((*turn.done.verdicts, *turn.done.events), reader)
    return encode(view), encode(after), tuple(rules.words.tell(view, fact) for fact in facts)


def got(game: Game, turn: Played, reader: str | None, *, whole: bool) -> dict[str, Any]:
    """Everything that a reader can get from a turn: their own dispatch in plain text; if `whole`, the public files and every length."""
    rules = game.ruleset
    judged = data_of(game, 1, turn.position, turn)
    after = data_of(game, 2, turn.done.position, None)
    seen: dict[str, Any] = {}
    for data, before in ((judged, None), (after, judged)):
        if reader is not None and not whole:
            shared = PublicNews(
                encode(rules.view(data.position, None)), rules.heard(before.events, None) if before else ()
            )
            seen[f"{data.turn}/dispatch"] = news(game, reader, data, before, "salt", shared).decode()
            seen[f"{data.turn}/aside"] = aside_of(game, reader, data, before)
            continue
        texts = all_news(game, data, before, keys_for(game, data.turn, replace(data, status="open")))
        full = with_digests(data, texts)
        public = replace(public_data(game, full, over=False), dispatches=None, sheets=None, dice=full.dice)
        seen[f"{data.turn}/turn.yaml"] = turn_text(public).decode()
        seen[f"{data.turn}/map.svg"] = map_text(game, data)
        lengths = {name: inside(body) for name, body in dispatches(game, data, before, texts, game.seats).items()}
        seen[f"{data.turn}/lengths"] = lengths | {"secret.age": inside(secret_file(game, full))}
        if reader is not None:
            seen[f"{data.turn}/dispatch"] = texts[reader].decode()
            seen[f"{data.turn}/aside"] = aside_of(game, reader, data, before)
    sheet = rules.secrecy.lengths(turn.position.settings).sheet if rules.secrecy is not None else 0
    width = width_of(sheet, hidden=True)
    seen["lengths of sheets"] = {
        len(width.pad_text(write(encode(sheet)).encode())) for sheet in turn.sheets.values()
    } or {sheet}
    seen["remarks"] = {
        seat: [remark.what for remark in rules.rules.check(rules.view(turn.position, None), seat, sheet)]
        for seat, sheet in turn.sheets.items()
        if seat == reader
    }
    return seen


def aside_of(game: Game, reader: str, data: TurnData, before: TurnData | None) -> str:
    """Content of a dispatch for its seat's desk, a key each line."""
    heard = game.ruleset.heard(before.events if before is not None else (), reader)
    aside = asides_for(game.ruleset, game.slug, data.turn, data.position, {reader: heard})
    return "\n".join(f"{key}: {value}" for key, value in aside[reader].whole.items())


def inside(body: bytes) -> int:
    """Length of the text inside a sealed file; the file is as long, except for dummy entries that age adds at random."""
    return examine(body, "file").length


def data_of(game: Game, number: int, position: Any, judged: Played | None) -> TurnData:
    """A turn's data with this position, open or judged."""
    data = open_turn(game, number, position, None, Carried())
    if judged is None:
        return data
    done = judged.done
    return replace(data, status="resolved", verdicts=done.verdicts, events=done.events, ended=done.ended)


def search(rules: Rules, games: range, turns: int, readers: int = READERS) -> Findings:
    """Tests the law on so many turns of so many games."""
    findings, game = Findings(), game_of(rules)
    for seed in games:
        for name, turn in played(rules, seed, turns):
            random = Random(f"{name}:readers")
            seats = list(rules.rules.seats(turn.position.settings))
            for reader in (None, *random.sample(seats, min(readers, len(seats)))):
                mine, whole = told(rules, turn, reader), reader is None or random.random() < SHARE
                mine_got = None
                for how, other in others(rules, name, turn, reader, random):
                    if told(rules, other, reader) != mine:
                        continue
                    mine_got = mine_got or got(game, turn, reader, whole=whole)
                    findings.compared[how] = findings.compared.get(how, 0) + 1
                    theirs = got(game, other, reader, whole=whole)
                    findings.leaks += [
                        f"{rules.about.slug} {name}, {reader or 'the public'}, {how}: {key}: {difference(value, theirs[key])}"
                        for key, value in mine_got.items()
                        if theirs[key] != value
                    ]
    return findings


def difference(one: Any, other: Any) -> str:
    """The first lines where two things differ."""
    left, right = (str(thing).splitlines() or [""] for thing in (one, other))
    pairs = ((a, b) for a, b in zip(left, right, strict=False) if a != b)
    return " / ".join(next(pairs, (left[-1], right[-1])))[:300]


def hidden() -> list[str]:
    """The rulesets that have secrets."""
    return [slug for slug in ruleset.slugs() if find(slug).secrecy is not None]


def main() -> int:
    """Tests the law on whole games; 1 when something leaks."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--turns", type=int, default=8)
    asked.add_argument("rulesets", nargs="*")
    given = asked.parse_args()
    status = 0
    for slug in given.rulesets or hidden():
        findings = search(find(slug), range(given.games), given.turns)
        print(f"{slug}: {given.games} games; pairs compared: {findings.compared}; leaks: {len(findings.leaks)}")
        for leak in findings.leaks[:20]:
            print(f"  {leak}")
        status |= bool(findings.leaks) or not findings.compared
    return status


if __name__ == "__main__":
    sys.exit(main())
