"""Describe a new game as its host wants it, and make the game from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.game import Game
from adjudicator.core.game.schedule import Schedule, write_time
from adjudicator.core.jobs.new import (
    draw_commitment,
    keyless,
    letters_key,
    new_charter,
    new_game,
    new_id,
    number_faults,
    open_now_faults,
    option_faults,
    seat_entries,
    setup_commitment,
)
from adjudicator.core.secrets.chance import drawn
from adjudicator.core.text.problems import Problem, Problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A new game, as the options of `courtly new` describe it."""

    game: str
    """Name of the game's folder."""
    rules: Ruleset[Any, Any, Any]
    title: str
    opened: str | None
    """Deadlines are counted from the start of this day; if it is None, from the current time."""
    host: str | None
    host_account: str | None
    seats: tuple[str, ...]
    """All its seats; empty if its settings are faulty."""
    players: Mapping[str, str]
    accounts: Mapping[str, str]
    keys: Mapping[str, str]
    schedule: Mapping[str, Any]
    sealed: bool
    join: str | None
    open_now: bool
    gather: bool
    letters: bool
    """True if players may seal letters for after the game."""
    words: bool = False
    """True if sheets may say something to everybody."""
    names_at_end: bool = False
    """True if pages name the players only when the game is over."""
    standing: bool = True
    """True if sheets may apply again in later turns."""
    settings: Mapping[str, Any]
    own: Mapping[str, bytes]
    """The host's own files, which settings name."""
    begins: Any = None
    """Name of the file with the position that the game begins with; None if the ruleset sets the position up."""
    began: str = ""
    """Path of the file that the host gave with `--from`; the position comes from it."""

    @property
    def starts(self) -> str | None:
        """The earliest time when the first turn opens; None if none is set."""
        return self.schedule.get("starts")


def described(wanted: Wanted, now: datetime, *, masters: bool) -> tuple[dict[str, Any], list[Problem]]:
    """The data for `game.yaml`, and the faults in them, each placed at its option; `masters` is true if a master secret is available."""
    data: dict[str, Any] = {"ruleset": wanted.rules.about.slug}
    faults: list[Problem] = []
    if wanted.sealed:
        data["id"] = new_id()
    data |= {"title": wanted.title, "opened": wanted.opened or now.strftime("%Y-%m-%d"), "seats": {}}
    if wanted.sealed:
        data["sealed"] = True
        if not masters:
            right = "make one with `courtly keygen --master`, and give it in COURTLY_MASTER or COURTLY_MASTER_FILE"
            faults.append(Problem("", 0, 0, "a sealed game needs the archive's master secret", right))
    elif wanted.letters:
        faults.append(Problem("--letters", 0, 0, "letters need a sealed game", "add --sealed"))
    if not wanted.sealed and wanted.gather:
        faults.append(Problem("--gather", 0, 0, "gathering nonces needs a sealed game", "add --sealed"))
    if not wanted.sealed and not wanted.gather:
        data["seed"] = drawn(16)
    if wanted.host:
        data["host"] = wanted.host
    if wanted.host_account:
        faults += (wrong := number_faults("--host-account", wanted.host_account))
        data |= {} if wrong else {"host_account": int(wanted.host_account)}
    data |= {"words": True} if wanted.words else {}
    data |= {"names": "at_end"} if wanted.names_at_end else {}
    data |= {"standing": False} if not wanted.standing else {}
    if wanted.schedule:
        data["schedule"] = dict(wanted.schedule)
    if wanted.join:
        data["join"] = wanted.join
    if wanted.open_now:
        faults += open_now_faults(wanted.rules, wanted.join, Schedule(starts=wanted.starts), setup=wanted.gather)
    if wanted.seats:
        faults += _seated(wanted, data)
        faults += _by_file(wanted, data, option_faults(wanted.game, data, wanted.own))
    return data, faults


def _seated(wanted: Wanted, data: dict[str, Any]) -> list[Problem]:
    """Fill in seats, settings and the position to begin with; returns the faults in the players, accounts and keys that were given."""
    faults: list[Problem] = []
    try:
        data["seats"] = seat_entries(wanted.seats, wanted.players, wanted.accounts, wanted.keys)
    except Problems as error:
        faults += error.problems
        known = {seat: key for seat, key in wanted.keys.items() if seat in wanted.seats}
        data["seats"] = seat_entries(wanted.seats, {}, {}, known)
    if wanted.rules.secrecy is not None and not wanted.gather and not wanted.join:
        faults += keyless(wanted.seats, wanted.keys)
    if wanted.settings:
        data["settings"] = dict(wanted.settings)
    if wanted.begins is not None:
        data["begins"] = wanted.begins
    return faults


def _by_file(wanted: Wanted, data: Mapping[str, Any], faults: list[Problem]) -> list[Problem]:
    """The faults, with those in the position placed in the file that the host named: the game's copy does not exist yet."""
    beside = f"games/{wanted.game}/{data.get('begins')}"
    return [replace(one, path=wanted.began, line=0, column=0) if one.path == beside else one for one in faults]


def begin_game(archive: Archive, wanted: Wanted, data: dict[str, Any], now: datetime) -> Game:
    """Write a new game, with its first turn unless something is missing; for a sealed game also the archive's charter, if it has none."""
    archive.begin()
    with archive.writing():
        if wanted.sealed:
            new_charter(archive)
        if wanted.gather:
            data["setup"] = setup_commitment(archive, wanted.game, data["id"])
        if wanted.join == Joining.PREFERENCE and wanted.sealed:
            data["draw"] = draw_commitment(archive, wanted.game, data["id"])
        if wanted.letters:
            data["letters"] = letters_key(archive, wanted.game, data["id"])
        at = None if wanted.opened else write_time(now)
        return new_game(archive, wanted.game, data, wanted.own, at=at, open_now=wanted.open_now)


def cautions_for(wanted: Wanted, made: Game) -> list[Problem]:
    """Warnings about dice and draws that somebody could foresee."""
    place, found = f"games/{wanted.game}", list[Problem]()
    if made.foreseen:
        what = (
            "anybody can compute its dice before a turn is judged, and choose orders to suit: the seed is in game.yaml"
        )
        right = "for dice that no player can foresee, open it with --sealed"
        found.append(Problem(place, 0, 0, what, right, "warning"))
    if wanted.join == Joining.PREFERENCE and not wanted.sealed:
        what = "anybody can compute the draw of its seats, and whoever sends the last wish can exploit that: the seed is in game.yaml"
        right = "for a draw that nobody can foresee, open it with --sealed"
        found.append(Problem(place, 0, 0, what, right, "warning"))
    return found
