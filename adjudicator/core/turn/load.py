"""Read an archive's charter, games, turns, endings and rulings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from adjudicator.core.game.absence import load_absences
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.draw import load_draw
from adjudicator.core.game.game import CHARTER, KEPT, Charter, Game, check_schema, read_charter
from adjudicator.core.game.join import load_joined
from adjudicator.core.game.rulings import (
    Ruling,
    load_rulings,
)
from adjudicator.core.game.schedule import read_time
from adjudicator.core.secrets.envelope import open_own
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read
from adjudicator.core.turn.apart import with_public
from adjudicator.core.turn.data import VERDICT_KEYS, EndingData, Turn, TurnData
from adjudicator.core.turn.keys import keys_for


def load_charter(archive: Archive) -> Charter | None:
    """Load `games/archive.yaml`; None if the file does not exist. Raises `Problems`."""
    path = archive.root / CHARTER
    if not archive.files.exists(path):
        return None
    return read_charter(read(archive.read(path), CHARTER))


def load_game(archive: Archive, slug: str) -> Game:
    """Load a game: its `game.yaml`, and how its seats were filled. Raises `Problems` with everything that is wrong."""
    path = archive.game_folder(slug) / "game.yaml"
    if not archive.files.is_folder(path.parent):
        archive.turns(slug)
    charter = load_charter(archive)
    text = read(archive.read(path), display(path, archive.root))

    def beside(name: str) -> bytes:
        return archive.read(
            path.with_name(name), own=True
        )  # a position can be as long as a turn; for boards, their reader sets a lower limit

    def kept(name: str) -> bytes | None:
        copy = path.parent / KEPT / name
        there = archive.files.exists(copy)
        return archive.read(copy, own=True) if there else None

    own = charter.archive if charter else ""
    game = Game(slug, text, archive=own, masters=archive.masters, home=archive.place(slug), beside=beside, kept=kept)
    game.drawn = load_draw(archive, game)
    game.joined = load_joined(archive, game)
    game.absences = load_absences(archive, game)
    return game


def load_turn(
    archive: Archive, game: Game, name: str, folder: Path | None = None, *, plain: dict[str, Any] | None = None
) -> Turn:
    """Load one turn of a game, as the public sees it; raises `Problems`.

    `folder` is the turn's folder if the turn was put back. `plain` is the data of its file, if known, so that the file need not be read.
    """
    folder = folder or archive.game_folder(game.slug) / name
    path = folder / "turn.yaml"
    if plain is not None:
        return Turn(game, folder, read_turn_data(game, name, Text(display(path, archive.root), plain, {})), b"")
    source = archive.read(path, own=True)
    return Turn(
        game, folder, read_turn_data(game, name, read(source, display(path, archive.root), limit=OWN_LIMIT)), source
    )


RENAMED = "give the folder its name back: keys, dice and sealed sheets use it"
HOW = "; `courtly rename` gives a game another name, and keeps the original one in its game.yaml"


def read_turn_data(game: Game, name: str, text: Text) -> TurnData:
    """Decode the data of a turn's file, with position, verdicts and events in the ruleset's types; raises `Problems`."""
    check_schema(text)
    data = decode(TurnData, text)
    faults = [
        text.problem(
            (key,),
            f"{key} is {getattr(data, key)!r:.60}, but its folder is called {right!r:.60}",
            RENAMED + HOW * (key == "game"),
        )
        for key, right in (("game", game.name), ("turn", name))
        if getattr(data, key) != right
    ]
    times = [(key, time) for key in ("deadline", "earliest", "closed") if (time := getattr(data, key)) is not None]
    for key, time in (*times, *(("remind", time) for time in data.remind or ())):
        try:
            read_time(time)
        except Problems as error:
            faults.extend(text.problem((key,), p.what, p.right) for p in error.problems)
    if data.status not in ("open", "resolved"):
        faults.append(text.problem(("status",), f"status is {data.status!r:.40}", "it must be open or resolved"))
    if faults:
        raise Problems(faults)
    position, types = game.position(text.under("position")), game.ruleset.types
    events_text = text.under("events")
    events = decode(tuple[types.event, ...], replace(events_text, data=events_text.data or []))  # type: ignore[name-defined]
    verdicts = tuple(types.verdict(**{key: getattr(verdict, key) for key in VERDICT_KEYS}) for verdict in data.verdicts)
    return replace(data, position=position, verdicts=verdicts, events=events)


def load_all(archive: Archive, turn: Turn) -> TurnData:
    """Load the whole of a turn, including hidden parts; raises `Problems` if it is sealed and its key is not available."""
    if turn.game.ruleset.secrecy is None:
        return turn.data
    keys = keys_for(turn.game, turn.name, turn.data)
    assert keys.identity is not None
    path = turn.folder / "secret.age"
    shown = display(path, archive.root)
    body = open_own(archive.read(path, own=True), [keys.identity], shown)
    text = with_public(read(body, shown, limit=OWN_LIMIT), lambda: read(turn.source, shown, limit=OWN_LIMIT).data)
    whole = read_turn_data(turn.game, turn.name, text)
    if turn.data.status == "open" and whole.status != "open":
        # A process was killed after sealing the judged turn and before updating turn.yaml: the turn does not count as judged.
        return replace(turn.data, position=whole.position, setup=whole.setup)
    return whole


def load_ending(archive: Archive, game: Game) -> EndingData:
    """Load a finished game's `ending.yaml`, with the position in the ruleset's type; raises `Problems`."""
    path = archive.game_folder(game.slug) / "ending.yaml"
    text = read(archive.read(path, own=True), display(path, archive.root), limit=OWN_LIMIT)
    check_schema(text)
    return replace(decode(EndingData, text), position=game.position(text.under("position")))


def ruling_text(archive: Archive, turn: Turn) -> Text:
    """A turn's `ruling.yaml` with its marks, empty if the file does not exist; raises `Problems`."""
    path = turn.folder / "ruling.yaml"
    if not archive.files.exists(path):
        return Text(display(path, archive.root), None, {})
    return read(archive.read(path), display(path, archive.root))


def rulings_of(archive: Archive, turn: Turn) -> tuple[Ruling, ...]:
    """The rulings in a turn's `ruling.yaml`, empty if the file does not exist; raises `Problems`."""
    return load_rulings(turn.game, ruling_text(archive, turn))
