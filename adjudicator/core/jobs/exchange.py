"""Import whole games that were played elsewhere, and read games of the archive for export."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.contract.resolution import Piece, PlayedGame
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import beside_from, rules_at_hand
from adjudicator.core.game.game import SCHEMA, Beside, Game, Maps, house_rules, seat_file
from adjudicator.core.game.installed import this_courtly
from adjudicator.core.jobs.engine import Engine
from adjudicator.core.jobs.new import game_text
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem, with_path
from adjudicator.core.text.yamltext import Text, read, write
from adjudicator.core.turn.data import Carried
from adjudicator.core.turn.files import ending_files, map_text, turn_text
from adjudicator.core.turn.judge import ending_of_record, open_turn, resolve_turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_turn
from adjudicator.core.turn.sheets import Given, load_inputs


def judged_files(
    ruleset: str,
    played: PlayedGame[Any],
    *,
    slug: str,
    title: str,
    opened_on: str,
    source: str,
    beside: Mapping[str, bytes] | None = None,
    maps: Maps = Maps.ALL,
) -> dict[str, bytes]:
    """All files of a game that was played elsewhere, judged by our own rules; `maps` says which maps are among them.

    `beside` has the host's own files, which the game's settings may name. A turn is listed under `as_played` if the record goes on from a
    position that our rules do not lead to.
    """
    turns = list(played.turns)
    while len(turns) > 1 and not played.complete and not turns[-1].sheets:
        turns.pop()  # A record that breaks off may end with phases without any orders.
    if not turns:
        raise problem("", f"{played.title} has no turns", "")
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
        last, resolution = resolve_turn(game, start, given, None, keys_for(game, start.turn), this_courtly())
        files[f"{start.turn}/turn.yaml"] = turn_text(last)
        if maps is Maps.ALL or number > len(turns) - 2:
            files[f"{start.turn}/map.svg"] = map_text(game, last)
    assert last is not None
    assert resolution is not None
    files |= ending_files(game, last.turn, last.ended or ending_of_record(last), resolution.position)
    if as_played:
        plain["as_played"] = as_played
    return {"game.yaml": game_text(plain), **files}


def _seats(ruleset: str, settings: Mapping[str, Any], slug: str, beside: Beside) -> tuple[str, ...]:
    """The seats of a game with these settings."""
    rules = find(ruleset)
    furnished, _ = house_rules(rules, Text(f"games/{slug}/game.yaml", dict(settings), {}), beside)
    return rules.rules.seats(furnished)


def played_turns(archive: Archive, game: Game) -> Iterator[tuple[Any, dict[str, Any], Any]]:
    """Yield each turn's position, sheets and recorded resolution; for an open turn, no sheets, and None as the resolution."""
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        sheets: dict[str, Any] = {}
        if turn.data.status == "resolved":
            sheets = dict(load_inputs(archive, turn)[1].sheets)
        yield turn.data.position, sheets, turn.resolution


# Files of games -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imported:
    """Results for one game in a file."""

    slug: str
    title: str
    phases: int
    empty: int
    """Number of phases where no order was possible."""
    reworded: int
    """Number of results that the file gives in different words."""
    other_rules: int
    """Number of phases that were played by other rules; `not_compared` of them were not compared."""
    not_compared: int
    differences: tuple[str, ...]
    remarks: tuple[str, ...]
    """Remarks that are not differences."""
    written: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A game that was judged, with its files if they are to be written."""

    said: Imported
    files: Mapping[str, bytes] | None


@dataclass(frozen=True, slots=True)
class Importing:
    """Settings for importing the games of a file: everything that a process needs for each game."""

    ruleset: str
    settings: Mapping[str, Any]
    """House rules that the user chose; they override those of the record."""
    beside: Mapping[str, bytes]
    write: bool
    """True if the files are wanted; otherwise games are only compared."""
    opened_on: str
    source: str
    slug: str = ""
    title: str = ""
    wanted: tuple[str, ...] = ()
    """The games to import, by name or title; empty means all."""
    maps: Maps = Maps.ALL

    def take(self, piece: Piece) -> Taken | Problems | None:
        """Judge a game of the file; None if it is not wanted. Its files are included if they are to be written and nothing differs.

        Problems are returned, not raised, so that they keep their place in the order of games.
        """
        rules = find(self.ruleset)
        assert rules.exchange is not None
        try:
            with with_path("--set"):
                furnished = rules_at_hand(rules, self.settings, self.beside)
                if rules.about.rolls(furnished):
                    what = "these house rules roll dice, and a record from elsewhere has none"
                    raise problem("", what, "leave out the one that does, such as a value `random`")
            played = rules.exchange.read(piece, furnished, tuple(self.settings))
            if self.wanted and not {played.slug, played.title} & {*self.wanted}:
                return None
            differences = (*played.faults, *(line for turn in played.turns for line in turn.differences))
            slug = self.slug or played.slug
            files = None
            if self.write and not differences:
                files = judged_files(
                    self.ruleset,
                    replace(played, settings={**played.settings, **self.settings}),
                    beside=self.beside,
                    slug=slug,
                    title=self.title or played.title,
                    opened_on=self.opened_on,
                    source=self.source,
                    maps=self.maps,
                )
        except Problems as error:
            return error
        said = Imported(
            slug=slug,
            title=played.title,
            phases=len(played.turns) + played.empty,
            empty=played.empty,
            reworded=sum(turn.reworded for turn in played.turns),
            other_rules=sum(turn.other_rules is not None for turn in played.turns),
            not_compared=sum(turn.other_rules is not None and not turn.compared for turn in played.turns),
            differences=differences,
            remarks=played.remarks,
            written=files is not None,
        )
        return Taken(said, files)


def import_games(source: bytes, how: Importing, run: Engine, archive: Archive | None) -> Iterator[Imported]:
    """Import the games of a file: the engine `run` judges them, and this process writes them. Raises `Problems` at the first failure.

    Games are written in the file's order, so the archive after a failure does not depend on the number of workers.
    """
    rules = find(how.ruleset)
    assert rules.exchange is not None
    names: set[str] = set()
    firsts = {archive.name_of(slug) for slug in archive.slugs()} if archive is not None else set()
    for found in run(how.take, rules.exchange.split(source)):
        if isinstance(found, Problems):
            raise found
        if found is None:
            continue
        slug = found.said.slug
        if found.files is not None and archive is not None:
            folder = archive.game_folder(slug)
            if slug in names:
                raise problem(
                    f"games/{slug}", "two games in the file have this name", "import them one by one, with --as"
                )
            if archive.files.exists(folder) or slug in firsts:
                raise problem(
                    archive.place(slug), "there is already a game with that name", "remove it, or give another name"
                )
            archive.files.write_folder(folder, found.files)
        names.add(slug)
        yield found.said
