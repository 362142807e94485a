"""The data of a running game that the order desk needs: seats, legal orders, spellings, the turn's key.

The desk is a separate page (`desk.html`) that reads `games/GAME/desk.json` and `games/GAME/desk.svg`. Both hold only
what the public may know.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import asdict
from pathlib import Path
from typing import cast

from adjudicator.core.contract.forms import Field, form_for, offered
from adjudicator.core.game.forges import WAYS, Place
from adjudicator.core.game.game import Charter, seat_file
from adjudicator.core.game.join import Holder, holders
from adjudicator.core.game.rulings import Ask, load_rulings, question_of
from adjudicator.core.jobs.intake import Accepted
from adjudicator.core.jobs.waiting import open_decisions
from adjudicator.core.secrets.age import canonical_key
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.unseen import KINDS, ranges
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.desk import LIMITS, SCHEMA, beside_at, board_part, key_of_bids, listed, seat_part
from adjudicator.core.turn.desk_data import DeskFile, DeskLetters, ForgeWays, HostPart, SeatEntry
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.load import ruling_text
from adjudicator.core.turn.press import MOST_CHARACTERS, MOST_LETTERS, WIDTH, letter_files
from adjudicator.core.turn.sheets import MOST_SHEETS, holder, read_name, sealed_attempt, sheet_files, unused_keys
from adjudicator.site.desk_data import OpenGame, UnseenTable
from adjudicator.site.engine import has_engine
from adjudicator.site.seats import join_file
from adjudicator.site.story import Story

NAMED = frozenset(KINDS) - {"unknown", "half", "private"}
"""The kinds of unseen characters whose names the desk shows."""
ENTRY = re.compile(r"^rulings:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)- ", re.MULTILINE)
"""The beginning of the first ruling of a list with an entry a line."""


def desk_files(story: Story, charter: Charter | None) -> dict[str, str]:
    """The files that the desk reads about a game with an open turn, by name; none for any other game."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None:
        return {}
    game, rules = story.game, story.game.ruleset
    position = story.position(turn)
    before = story.turns[-2] if len(story.turns) > 1 else None
    numbers: dict[str, int] = {}
    for path in sheet_files(story.archive, turn.folder):
        file = read_name(game, path.name)
        if file is not None:
            numbers[file.seat] = max(numbers.get(file.seat, 0), file.number)
    scene = rules.pictures.draw(position, None).to_click()
    names = sorted(set(scene.names.values()))
    everything = {seat: offered(rules.rules.options(position, seat)) for seat in game.seats}
    some = any(offers.any for offers in everything.values())
    answers = holders(game, turn.data.players, begun=True)
    shut = {Holder.JOINABLE} if game.data.join is None else {Holder.JOINABLE, Holder.NOBODY}
    beside = beside_at(rules, position)
    bid, told = key_of_bids(beside), rules.secrecy is None
    seats: list[SeatEntry] = []
    forms: list[list[Field]] = []
    for seat in game.seats:
        person, player = holder(game, turn.data, seat), story.player_in(turn, seat)
        called = rules.words.called(position, seat)
        offers = everything[seat]
        asked = form_for(rules, position, seat, offers, names, listed=some, without=unused_keys(game, turn.data))
        asked = [with_question(field, question_of(turn.data.rulings)) for field in asked]
        if asked not in forms:
            forms.append(asked)
        seats.append(
            {
                "name": seat,
                "file": seat_file(seat),
                "player": player if called is None else f"{player}, as {called}",
                "account": person.account,
                "open": answers[seat] in shut,
                "join": join_file(game, seat, charter) if answers[seat] is Holder.JOINABLE else None,
                "next": min(numbers.get(seat, 0) + 1, MOST_SHEETS),
                "sent": numbers.get(seat, 0),
                "owes": seat in turn.data.owing,
                "form": forms.index(asked),
                **seat_part(rules, position, seat, listed(offers, bid), told=told),
                "key": canonical_key(person.key) if person.key is not None and rules.secrecy is not None else None,
                "news": (turn.data.dispatches or {}).get(seat),
                "happened": happened_to(story, before, seat),
            }
        )
    data: DeskFile = {
        "schema": SCHEMA,
        "archive": charter.archive if charter else None,
        "forge": forge_ways(charter.place if charter else None),
        "doors": [door.value for door in charter.open_doors] if charter else [],
        "game": game.name,
        "folder": game.home,
        "title": game.title,
        "ruleset": rules.about.title,
        "turn": turn.name,
        "phase": turn.data.phase,
        "before": {"turn": before.name, "phase": before.data.phase} if before is not None else None,
        "deadline": turn.data.deadline,
        "paused": turn.data.paused,
        "hidden": rules.secrecy is not None,
        "judge": has_engine(),
        "attempt": sealed_attempt(turn.data),
        "limits": LIMITS,
        "width": asdict(sheet_width(game, turn.data)),
        "recipient": turn.data.seal.recipient if turn.data.seal else None,
        "ahead": turn.data.seal.ahead if turn.data.seal else None,
        "host": host_part(story),
        "letters": letter_terms(story),
        "seats": seats,
        "forms": forms,
        **board_part(rules, position, names, beside),
    }
    picture = rules.pictures.paint(scene)
    return {"desk.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "desk.svg": picture}


def with_question(field: Field, ask: Ask | None) -> Field:
    """The field for the answer to the host's question, with the question and its answers; other fields are unchanged."""
    if ask is None or field["key"] != "answer":
        return field
    return {
        "key": "answer",
        "label": field["label"],
        "kind": "choice",
        "choices": list(ask.answers),
        "help": ask.question.strip(),
    }


def host_part(story: Story) -> HostPart:
    """The data for a ruling in the open turn of a game."""
    turn = story.last
    path = turn.folder / "ruling.yaml"
    exists = story.archive.files.exists(path)
    waits: list[str] = []
    indent, before = None, ""
    try:
        text = ruling_text(story.archive, turn)
        load_rulings(story.game, text)
        waits += [f"{one.what[0].upper()}{one.what[1:]}." for one in open_decisions(story.archive, turn, host=False)]
        if exists:
            entry = ENTRY.search(story.archive.read(path).decode())
            indent = len(entry[1]) if entry is not None else None
            before = (
                write(text.data) if indent is None and isinstance(text.data, dict) and text.data.get("rulings") else ""
            )
    except Problems as error:  # A faulty file must not take the game off the site.
        waits += [f"ruling.yaml has a fault: {fault.what}." for fault in error.problems]
        indent = 0
    return {
        "path": f"{story.game.home}/{turn.name}/ruling.yaml",
        "exists": exists,
        "indent": indent,
        "before": before,
        "waits": waits,
    }


def letter_terms(story: Story) -> DeskLetters | None:
    """The terms for letters of a running game; None if it takes none."""
    game = story.game
    if game.data.letters is None:
        return None
    letters = letter_files(story.archive, game)[0]
    return {
        "recipient": game.data.letters,
        "width": asdict(WIDTH),
        "most": MOST_CHARACTERS,
        "count": MOST_LETTERS,
        "next": {seat_file(seat): 1 + letters[seat][-1][0].number if seat in letters else 1 for seat in game.seats},
        "sent": sorted(Accepted.digest_of(story.archive.read(path)) for files in letters.values() for _, path in files),
    }


def forge_ways(place: Place | None) -> ForgeWays | None:
    """The addresses of the pages and requests that the desk needs on the archive's forge; None if the archive names none."""
    if place is None:
        return None
    ways = {way: place.template(way) for way in WAYS if way in ForgeWays.__annotations__}
    return cast("ForgeWays", {"name": place.kind.name, "bot": place.kind.bot, **ways})


def happened_to(story: Story, before: Turn | None, seat: str) -> list[tuple[str, bool]]:
    """The fate of a seat's orders in the turn before, if the public may know it; otherwise the seat's news tells it."""
    rules = story.game.ruleset
    if before is None or rules.secrecy is not None:
        return []
    position = story.position(before)
    return [(rules.words.tell(position, one), one.ok) for one in before.data.verdicts if one.seat == seat]


def published_dispatches(story: Story) -> dict[str, Path]:
    """The dispatches of an open turn, each sealed to its seat's key: address within the game's folder -> file."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None or story.game.ruleset.secrecy is None:
        return {}
    files = {f"{turn.name}/dispatches/{seat_file(seat)}.age" for seat in story.game.seats}
    folder = turn.folder.parent
    return {name: folder / name for name in sorted(files) if story.archive.files.is_file(folder / name)}


def open_game(story: Story) -> OpenGame | None:
    """A game's entry in `games/desks.json`; None if it has no desk."""
    if story.ending is not None or story.last.data.status != "open":
        return None
    return {"game": story.slug, "title": story.game.title, "phase": story.last.data.phase}


def unseen_table() -> str:
    """`assets/unseen.json`: characters that no sheet may hold, so that the desk refuses what the archive would."""
    numbers = (code for first, last, kind in ranges() if kind in NAMED for code in range(first, last + 1))
    names = {f"{code:04X}": name for code in numbers if (name := unicodedata.name(chr(code), ""))}
    data: UnseenTable = {"kinds": KINDS, "ranges": ranges(), "names": names}
    return json.dumps(data, separators=(",", ":")) + "\n"
