"""Open new games and archives."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import beside_from
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.draw import PURPOSE
from adjudicator.core.game.forges import GITHUB
from adjudicator.core.game.game import CHARTER, KEPT, SCHEMA, Game
from adjudicator.core.game.join import gathers, starts_later
from adjudicator.core.game.schedule import Schedule
from adjudicator.core.secrets.age import recipient_of
from adjudicator.core.secrets.chance import drawn
from adjudicator.core.secrets.dice import commitment
from adjudicator.core.secrets.masters import Masters, dice_secret
from adjudicator.core.text.problems import Problem, Problems, contain_errors, nearest, problem
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.files import open_files
from adjudicator.core.turn.judge import open_first_turn
from adjudicator.core.turn.load import load_charter
from adjudicator.core.turn.press import key_of_letters


def game_text(data: Mapping[str, Any]) -> bytes:
    """`game.yaml` for a new game: the given keys, below a comment that explains the file."""
    text = "# People write this file; the keys are explained on the site under “How to host”.\n" + write(dict(data))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a terminal's argument that is not UTF-8
        raise problem("", "the title or a name is not UTF-8 text", "write it in UTF-8") from None


def new_game(
    archive: Archive,
    slug: str,
    data: Mapping[str, Any],
    beside: Mapping[str, bytes] | None = None,
    at: str | None = None,
    *,
    open_now: bool = False,
) -> Game:
    """Add a game and open its first turn, all in one step; raises `Problems` and writes nothing if it is faulty.

    `beside` has the host's own files, which settings may name; the first deadline counts from the time `at`. A game that people can join
    has no turn until all its seats are taken; with `open_now` the first turn opens anyway.
    """
    own = beside or {}
    folder = archive.game_folder(slug)
    if archive.files.exists(folder):
        raise problem(archive.place(slug), "there is already a game with that name", "choose another name")
    source = game_text({"schema": SCHEMA, **data})
    if (now := archive.called_now(slug)) is not None:
        what = f"the game that was opened under this name is now called {now}"
        right = "choose another name: pages and sealed sheets use a game's original name"
        raise problem(archive.place(slug), what, right)
    charter = load_charter(archive)
    text = read(source, f"{archive.place(slug)}/game.yaml")
    named = charter.archive if charter else ""
    game = Game(slug, text, archive=named, masters=archive.masters, beside=beside_from(own))
    files = {"game.yaml": source} | {name: own[name] for name in game.files}
    files |= {f"{KEPT}/{name}": body for name, body in game.begun_with.items()}
    if open_now and (
        faults := open_now_faults(game.ruleset, game.data.join, game.data.schedule, setup=game.data.setup is not None)
    ):
        raise Problems(faults)
    later = gathers(game) or starts_later(game, at or f"{game.data.opened}T00:00Z") is not None
    if game.data.setup is None and (open_now or not later):
        with contain_errors(archive.place(slug)):
            first = open_first_turn(game, at=at)
        files |= {f"{first.turn}/{name}": body for name, body in open_files(game, first, None).items()}
    archive.files.write_folder(folder, files)
    return game


def open_now_faults(
    rules: Ruleset[Any, Any, Any], join: str | None, schedule: Schedule | None, *, setup: bool
) -> list[Problem]:
    """Problems if a game's first turn cannot open at once; `setup` is true if the game is waiting for nonces."""
    faults = []
    if rules.secrecy is not None:
        what = f"{rules.about.title} has hidden information, and every seat needs its key before the first turn opens"
        faults.append(what)
    if join == Joining.PREFERENCE:
        faults.append("the game opens when its seats have been drawn (--join preference)")
    if schedule is not None and schedule.starts is not None:
        faults.append(f"the game opens at {schedule.starts:.40} at the earliest (--starts)")
    if setup:
        faults.append("the game opens when every player has given a nonce (--gather)")
    return [Problem("--open-now", 0, 0, what, "leave this out") for what in faults]


def keep_data(archive: Archive, game: Game) -> None:
    """Keep copies, in a game's folder, of the ruleset files that the game uses. Copies that are there already keep their content."""
    folder = archive.game_folder(game.slug) / KEPT
    for name, body in game.begun_with.items():
        archive.files.make(folder)
        archive.files.write(folder / name, body)


OPTIONS = {
    "title": "--title", "opened": "--opened", "host": "--host", "host_account": "--host-account",
    "player": "--seat", "account": "--account", "key": "--key", "join": "--join",
    "turn": "--turn", "zone": "--zone", "at": "--hour", "days_off": "--day-off", "holidays": "--holiday",
    "phases": "--phase", "starts": "--starts", "grace": "--grace", "letters": "--letters", "words": "--words", "names": "--names-at-end", "standing": "--no-standing", "missing": "--missing", "settings": "--set",
}  # fmt: skip
"""Key of game.yaml -> the option of `courtly new` that sets it."""
KEY = re.compile(r"(\w+):")


def option_faults(slug: str, data: Mapping[str, Any], beside: Mapping[str, bytes] | None = None) -> list[Problem]:
    """The faults of a new game, each placed at the option of `courtly new` that caused it; writes nothing."""
    faults = []
    schedule = data.get("schedule") or {}
    if schedule and not {"turn", "days", "dates"} & {*schedule}:
        right = "add --turn, such as --turn 3d, or days in a file for --schedule; or leave this out too, for a game without deadlines"
        what = "nothing says how long a turn stays open"
        faults = [Problem(OPTIONS.get(key, "--schedule"), 0, 0, what, right) for key in schedule]
    if data.get("join") == Joining.PREFERENCE and data.get("sealed"):
        data = {**data, "draw": commitment(b"")}  # the real one depends on the archive's id, which may not exist yet
    source = game_text({"schema": SCHEMA, **data})
    try:
        Game(slug, read(source, f"games/{slug}/game.yaml"), archive="new", beside=beside_from(beside or {}))
    except Problems as error:
        faults += [_by_option(fault, source.decode().split("\n")) for fault in error.problems]
    return faults


def _by_option(fault: Problem, lines: list[str]) -> Problem:
    """Place a fault in a line of a game.yaml that exists only in memory at the option that the line comes from."""
    if not fault.line or not fault.path.endswith("/game.yaml"):
        return fault
    text = "\n".join([*lines[: fault.line - 1], lines[fault.line - 1][: fault.column or None]])
    option = next((OPTIONS[key] for key in reversed(KEY.findall(text)) if key in OPTIONS), fault.path)
    return replace(fault, path=option, line=0, column=0)


def keyless(seats: Iterable[str], keys: Mapping[str, str]) -> list[Problem]:
    """A problem for each of these seats that has no key yet."""
    what = "{} has no key that its private news can be sealed to"
    return [
        Problem("--key", 0, 0, what.format(seat), f"add --key {shlex.quote(seat)}=age1... (or an SSH key)")
        for seat in seats
        if seat not in keys
    ]


def seat_entries(
    seats: tuple[str, ...], players: Mapping[str, str], accounts: Mapping[str, str], keys: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """The seats' entries for `game.yaml`; raises `Problems` for unknown seats and malformed account numbers."""
    faults = [
        Problem(option, 0, 0, f"no seat is called {seat!r:.60}", nearest(seat, seats) or ", ".join(seats))
        for option, named in (("--seat", players), ("--account", accounts), ("--key", keys))
        for seat in named
        if seat not in seats
    ]
    faults += [fault for number in accounts.values() for fault in number_faults("--account", number)]
    if faults:
        raise Problems(faults)
    entries: dict[str, dict[str, Any]] = {seat: {"player": players.get(seat, "open")} for seat in seats}
    for seat, number in accounts.items():
        if int(number):
            entries[seat]["account"] = int(number)
    for seat, key in keys.items():
        entries[seat]["key"] = key
    return entries


def number_faults(option: str, number: str) -> list[Problem]:
    """The faults of an account number that was given as an option."""
    if number.isascii() and number.isdigit() and len(number) <= 18:
        return []
    right = f"{GITHUB.api}/users/NAME shows it as id"
    return [Problem(option, 0, 0, f"{number!r:.40} is not an account number", right)]


def new_id() -> str:
    """A random id for a new game, so that no earlier or later game with the same name has the same keys (FS-5)."""
    return drawn(8)


def setup_commitment(archive: Archive, slug: str, own: str = "") -> str:
    """The value of `setup:` in game.yaml: the hash of the secret of a new game's setup. `own` is the game's id."""
    return _committed(archive, slug, "setup", own, "gathering nonces")


def draw_commitment(archive: Archive, slug: str, own: str) -> str:
    """The value of `draw:` in game.yaml: the hash of the secret for drawing a new game's seats. `own` is the game's id."""
    return _committed(archive, slug, PURPOSE, own, "a draw that nobody can foresee")


def letters_key(archive: Archive, slug: str, own: str) -> str:
    """The value of `letters:` in game.yaml: the key that a new game's letters are sealed to. `own` is the game's id."""
    charter = load_charter(archive)
    made = key_of_letters(archive.masters or Masters(), charter.archive if charter is not None else "", slug, own)
    if charter is None or made is None:
        raise problem("--letters", "letters need a sealed game", "add --sealed")
    return recipient_of(made)


def _committed(archive: Archive, slug: str, purpose: str, own: str, what: str) -> str:
    charter = load_charter(archive)
    master = archive.masters.named(None) if archive.masters else None
    if charter is None or master is None:
        raise problem("", f"{what} needs a sealed game", "add --sealed")
    return commitment(dice_secret(master, charter.archive, slug, purpose, own))


def new_charter(archive: Archive, repository: str | None = None) -> bool:
    """Write archive.yaml with a new id and the repository, unless it exists; returns true if it was written."""
    if load_charter(archive) is not None:
        return False
    if sealed := [
        slug
        for slug in (archive.slugs() if archive.files.is_folder(archive.games) else ())
        if _is_sealed(archive, slug)
    ]:
        what = (
            f"the file is missing, and the keys of these sealed games depend on the id in it: {', '.join(sealed[:5])}"
        )
        raise problem(CHARTER, what, "restore it from the history; with another id none of these games could continue")
    data: dict[str, Any] = {"schema": SCHEMA, "archive": drawn(8)}
    if repository:
        data["repository"] = repository
    head = "# Settings for all games here. Never change the archive's id: sealed sheets name it.\n"
    archive.begin()
    archive.files.write(archive.root / CHARTER, (head + write(data)).encode())
    return True


SEALED = re.compile(rb"^sealed: true$", re.MULTILINE)


def _is_sealed(archive: Archive, slug: str) -> bool:
    path = archive.game_folder(slug) / "game.yaml"
    return archive.files.is_file(path) and SEALED.search(archive.read(path)) is not None
