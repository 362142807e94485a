"""Order sheets of a turn: their names, their contents, and their faults."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from adjudicator.core.contract.ahead import SEALED, remarks_on_lists
from adjudicator.core.contract.resolution import Remark
from adjudicator.core.contract.sheet import SheetWords, StandingWords
from adjudicator.core.contract.words import many
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import Absence, Game, Player, seat_file
from adjudicator.core.game.rulings import Ask, answer_to, question_of
from adjudicator.core.game.schedule import read_time
from adjudicator.core.secrets.envelope import Envelope, open_envelope
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read
from adjudicator.core.turn.ahead import counts, identity_of_lists, list_for, open_list, sheet_from
from adjudicator.core.turn.data import FromAhead, Turn, TurnData
from adjudicator.core.turn.keys import Keys, keys_for, sheet_width
from adjudicator.core.turn.load import load_all, load_turn

SHEET = re.compile(r"([a-z0-9][a-z0-9-]{0,79})(?:\.([2-9]|[1-9][0-9]))?\.yaml(\.age)?", re.ASCII)
MOST_SHEETS = 99
"""Maximum number of sheets that a seat can send in one turn."""
MOST_BYTES = 16 * 1024
"""Maximum bytes of a file that comes by pull request."""


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A sheet's file name, parsed: the seat, the sheet's number among the seat's sheets for the turn, and whether it is sealed."""

    seat: str
    number: int
    sealed: bool


def sheet_name(seat: str, number: int = 1, *, sealed: bool = False) -> str:
    """The name of a sheet's file: `austria.yaml`, then `austria.2.yaml`; sealed, `austria.yaml.age`.

    A sheet is never changed: a later one has a higher number, and the highest counts. So nothing is overwritten, pull requests never
    conflict, and an old sealed sheet cannot be passed off as a newer one.
    """
    return f"{seat_file(seat)}" + (f".{number}" if number > 1 else "") + (".yaml.age" if sealed else ".yaml")


def read_name(game: Game, name: str) -> SheetFile | None:
    """Parse the name of a sheet's file; None if it is not the name of a sheet."""
    match = SHEET.fullmatch(name)
    seat = next((seat for seat in game.seats if match and seat_file(seat) == match[1]), None)
    if match is None or seat is None:
        return None
    return SheetFile(seat, int(match[2] or 1), match[3] is not None)


def sheet_path(folder: Path, seat: str) -> Path:
    """Path of a seat's first unsealed sheet of a turn."""
    return folder / "orders" / sheet_name(seat)


def sheet_files(archive: Archive, folder: Path) -> list[Path]:
    """The files in a turn's `orders` folder, by name; raises `Problems` if the folder is a link or a file."""
    orders = folder / "orders"
    if archive.files.is_link(orders):
        raise problem(display(orders, archive.root), "this is a link", "put the folder itself here")
    if not archive.files.exists(orders):
        return []
    if not archive.files.is_folder(orders):
        raise problem(display(orders, archive.root), "this is not a folder", "put sheets in orders/SEAT.yaml")
    return sorted(p for p in archive.files.paths(orders) if not p.name.startswith(".") and p.name != "README.md")


def not_a_sheet(game: Game, path: str) -> Problem:
    """Make the problem for a file whose name is not that of any seat's sheet."""
    files = [f"{seat_file(seat)}.yaml" for seat in game.seats]
    right = nearest(path.rpartition("/")[2], files) or "sheets here: " + ", ".join(files)
    return Problem(path, 0, 0, "no seat of this game has a sheet of that name", right)


def by_seat(archive: Archive, turn: Turn) -> tuple[dict[str, list[tuple[SheetFile, Path]]], list[Problem]]:
    """The sheet files of a turn by seat, latest first, and problems with the files' names."""
    sheets: dict[str, list[tuple[SheetFile, Path]]] = {}
    faults: list[Problem] = []
    for path in sheet_files(archive, turn.folder):
        file = read_name(turn.game, path.name)
        if file is None:
            faults.append(not_a_sheet(turn.game, display(path, archive.root)))
        else:
            sheets.setdefault(file.seat, []).append((file, path))
    for files in sheets.values():
        files.sort(key=lambda pair: -pair[0].number)
        for (first, path), (other, _) in pairwise(files):
            if first.number == other.number:
                what = f"two sheets of {first.seat} have the number {first.number}"
                right = "keep one of them" if first.sealed == other.sealed else "move the open one out of this folder"
                faults.append(Problem(display(path, archive.root), 0, 0, what, right))
    return sheets, faults


@dataclass(frozen=True, slots=True)
class Given:
    """The seats' input for a turn."""

    sheets: Mapping[str, SheetWords]
    digests: Mapping[str, str]
    """Seat -> SHA-256 of the file that counts."""
    stood: Mapping[str, str]
    """Seat -> the earlier turn whose standing sheet counts."""
    refused: Mapping[str, str]
    """File -> the reason why it does not count."""
    partly: Mapping[str, str] = field(default_factory=dict)
    """File that counts -> its parts that do not."""
    from_ahead: Mapping[str, FromAhead] = field(default_factory=dict)
    """Seat without a sheet -> its orders ahead, from an earlier turn, which count."""
    ahead_identity: str | None = None
    """The identity that opened sealed orders ahead, if there were any."""

    @property
    def own(self) -> frozenset[str]:
        """The seats that sent a sheet for this very turn."""
        return frozenset(self.sheets) - frozenset(self.stood) - frozenset(self.from_ahead)


def load_given(archive: Archive, turn: Turn, whole: TurnData, keys: Keys) -> Given:
    """Open the sheets of a turn, and return those that count; raises `Problems` for files whose names are wrong.

    A sheet that cannot be read, or was sealed for another turn or seat, is refused with a reason, and the seat's sheet before it counts. In a
    readable sheet a faulty key or entry is left out, and the rest counts. One player's mistake never stops the game for the others (S-8).
    """
    files_of, faults = by_seat(archive, turn)
    sheets: dict[str, Any] = {}
    partly: dict[str, str] = {}
    digests: dict[str, str] = {}
    refused: dict[str, str] = {}
    for seat, files in sorted(files_of.items()):
        for file, path in files:
            try:
                source = archive.read(path)
                text = sheet_text(turn, file, source, display(path, archive.root), keys)
                sheets[seat], left_out = turn.game.ruleset.salvage_sheet(turn.data.position, seat, text)
                digests[seat] = hashlib.sha256(source).hexdigest()
            except Problems as error:
                refused[path.name] = why_refused(turn.game, error)
                continue
            if left_out:
                partly[path.name] = why_partly(turn.game, left_out)
            break
    if faults:
        raise Problems(faults)
    ahead, identity = _orders_ahead(archive, turn, whole, sheets, digests)
    stood: dict[str, str] = {}
    kind = turn.game.ruleset.kind(whole.position)
    for seat, name in sorted(((whole.standing or {}).get(kind) or {}).items()):
        if seat not in sheets and seat in turn.game.ruleset.due(whole.position):
            before = earlier_turn(archive, turn, seat, name)
            file, path, source = judged_file(archive, before, seat)
            text = sheet_text(before, file, source, display(path, archive.root), keys_for(turn.game, name, before.data))
            sheets[seat], _ = turn.game.ruleset.salvage_sheet(before.data.position, seat, text)
            digests[seat] = hashlib.sha256(source).hexdigest()
            stood[seat] = name
    return Given(sheets, digests, stood, refused, partly, ahead, identity)


def _orders_ahead(
    archive: Archive, turn: Turn, whole: TurnData, sheets: dict[str, Any], digests: dict[str, str]
) -> tuple[dict[str, FromAhead], str | None]:
    """Add to `sheets` and `digests` those that earlier orders ahead give to seats without a sheet.

    Returns what was used, and the identity that opened sealed lists, if there were any.
    """
    game, found, identity = turn.game, dict[str, FromAhead](), None
    ahead = game.ruleset.ahead
    if ahead is None or not whole.ahead or any(ruling.end for ruling in whole.rulings):
        return found, identity
    due = game.ruleset.due(whole.position)
    for seat, name in sorted(whole.ahead.items()):
        if seat in sheets or seat not in due:
            continue
        before = earlier_turn(archive, turn, seat, name)
        file, path, source = judged_file(archive, before, seat)
        shown = display(path, archive.root)
        text = sheet_text(before, file, source, shown, keys_for(game, name, before.data))
        sheet, _ = game.ruleset.salvage_sheet(before.data.position, seat, text)
        key = list_for(before, sheet, game.ruleset.kind(whole.position))
        if key is None:
            continue
        lines, sealed = getattr(sheet, key), sheet.ahead.get(key)
        if not lines and sealed is not None and (identity := identity_of_lists(turn, before, key) or identity):
            try:
                lines = open_list(sealed, identity, before, seat, shown)
            except Problems as error:
                found[seat] = FromAhead(turn=name, fault=error.problems[0].what)
        if counts(ahead, before, seat, key, lines):
            sheets[seat] = sheet_from(game, whole.position, seat, lines)
            digests[seat] = hashlib.sha256(source).hexdigest()
            found[seat] = FromAhead(turn=name, lines=lines)
    return found, identity


def earlier_turn(archive: Archive, turn: Turn, seat: str, name: str) -> Turn:
    """The earlier turn called `name` whose sheet of a seat counts in a turn, standing or with orders ahead. Raises `Problems`.

    If both turns were put back, the attempt is the one whose sheet was judged then.
    """
    wanted = (turn.data.sheets or {}).get(seat) if turn.data.status != "open" else None
    for named, folder in archive.undone(turn.game.slug) if wanted is not None else ():
        if named == name:
            before = load_turn(archive, turn.game, name, folder)
            if (before.data.sheets or {}).get(seat) == wanted:
                return before
    if name not in archive.turns(turn.game.slug):
        where = display(turn.folder, archive.root)
        raise problem(
            f"{where}/turn.yaml",
            f"there is no turn {name!r:.60}, which has a sheet of {seat}",
            "restore the file from the history",
        )
    return load_turn(archive, turn.game, name)


def load_inputs(archive: Archive, turn: Turn) -> tuple[TurnData, Given, Keys]:
    """Load everything that judging a turn needs: its data with hidden parts, the sheets that count, its keys. Raises `Problems`."""
    keys = keys_for(turn.game, turn.name, turn.data)
    whole = load_all(archive, turn)
    return whole, load_given(archive, turn, whole, keys), keys


def judged_file(archive: Archive, turn: Turn, seat: str) -> tuple[SheetFile, Path, bytes]:
    """Find the file in a judged turn that a seat's orders were read from, by its digest; raises `Problems`."""
    wanted = (turn.data.sheets or {}).get(seat)
    for file, path in by_seat(archive, turn)[0].get(seat, ()):
        source = archive.read(path)
        if hashlib.sha256(source).hexdigest() == wanted:
            return file, path, source
    where = display(turn.folder, archive.root)
    raise problem(where, f"the sheet of {seat} that was judged here is gone", "restore it from the history")


def sheet_text(turn: Turn, file: SheetFile, source: bytes, path: str, keys: Keys, *, anybody: bool = False) -> Text:
    """Read a sheet's text with its marks, after opening it if it is sealed; raises `Problems`.

    With `anybody`, a sealed sheet may name any account.
    """
    if not file.sealed:
        return read(source, path)
    if keys.identity is None:
        raise problem(path, "this game is not sealed", "send the sheet as it is, ending in .yaml")
    wanted = Envelope(
        archive=turn.game.archive,
        game=turn.game.name,
        turn=turn.name,
        attempt=sealed_attempt(turn.data),
        seat=file.seat,
        account=None if anybody else holder(turn.game, turn.data, file.seat).account,
        sequence=file.number,
        nonce="",
        sheet={},
    )
    # A seat that had no account when this sheet was judged may have got one since.
    judged = (turn.data.sheets or {}).get(file.seat) == hashlib.sha256(source).hexdigest()
    lengths = sheet_width(turn.game, turn.data)
    return open_envelope(source, [keys.identity], path, wanted, lengths, unnamed=judged)


def sealed_attempt(data: TurnData) -> int | None:
    """The attempt that sealed sheets of a turn name; None in format 1."""
    return data.attempt or 1 if data.seal is not None and data.seal.format is not None else None


def why_refused(game: Game, error: Problems) -> str:
    """The reason why a sheet does not count; in a game with hidden information, without quoting its content."""
    first = error.problems[0]
    if game.ruleset.secrecy is not None and first.line:
        return "the sheet inside cannot be read"
    where = f"line {first.line}: " if first.line else ""
    more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
    return f"{where}{first.what}; {first.right}{more}" if first.right else f"{where}{first.what}{more}"


def why_partly(game: Game, faults: Sequence[Problem]) -> str:
    """The parts of a sheet that do not count, line by line; in a game with hidden information only their number."""
    if game.ruleset.secrecy is not None:
        return f"{many(len(faults), 'part')} of it cannot be read"
    told = [
        (f"line {fault.line}: " if fault.line else "") + fault.what + (f" ({fault.right})" if fault.right else "")
        for fault in faults[:MOST_TOLD]
    ]
    return "; ".join(told)


MOST_TOLD = 10
"""Maximum number of a sheet's faults that are listed."""


def holder(game: Game, data: TurnData, seat: str) -> Player:
    """The player of a seat in this turn."""
    joined = game.joined.get(seat)
    if (given := (data.players or {}).get(seat)) is not None or joined is None:
        return given or game.data.seats[seat]
    # The answer is the same before and after judging. A turn that was put back after they joined is theirs too.
    again = data.put_back is not None and data.opened is not None and read_time(joined.asked) <= read_time(data.opened)
    return joined.person if again or joined.by(data.turn) else game.data.seats[seat]


def absences_in(game: Game, data: TurnData) -> list[Absence]:
    """The absences of those who play the seats in this turn: a new player has none of the days that the former one announced."""
    return [one for one in game.absences if one.account in (None, holder(game, data, one.seat).account)]


def changed_sheets(archive: Archive, turn: Turn, digests: Mapping[str, str]) -> list[Problem]:
    """A problem for each sheet of a judged turn that was added, removed or changed since; none for an open turn."""
    judged = turn.data.sheets or {}
    if turn.data.status == "open":
        return []
    words = {(True, False): "was added", (False, True): "was removed", (True, True): "was changed"}
    return [
        Problem(
            display(sheet_path(turn.folder, seat), archive.root),
            0,
            0,
            f"this sheet {words[seat in digests, seat in judged]} after the turn was judged",
            "restore it from the repository's history",
        )
        for seat in sorted({*judged, *digests})
        if judged.get(seat) != digests.get(seat)
    ]


def check_sheet(game: Game, data: TurnData, seat: str, text: Text, view: Any = None) -> tuple[Problem, ...]:
    """Everything wrong with one sheet before the deadline, warnings included, as far as the public or `view` shows."""
    # Some orders are possible only because of facts that only the seat sees, so only faults that the viewer can see are reported.
    public = view if view is not None else game.ruleset.view(data.position, None)
    return check_view(game, data.position, seat, text, public, question_of(data.rulings))


def check_view(
    game: Game, position: Any, seat: str, text: Text, view: Any = None, ask: Ask | None = None
) -> tuple[Problem, ...]:
    """Everything wrong with a sheet for a position, as far as `view` shows; None means the seat's own view. `ask` is the host's question."""
    text = game.ruleset.fit_sheet(position, seat, text)
    try:
        sheet = game.ruleset.read_sheet(position, seat, text)
    except Problems as error:
        return error.problems
    seen = view if view is not None else game.ruleset.view(position, seat)
    remarks = game.ruleset.rules.check(seen, seat, sheet)
    remarks = (*remarks, *house_remarks(game, sheet, ask))
    if game.ruleset.ahead is not None:
        remarks = (*remarks, *remarks_on_lists(game.ruleset.ahead, seen, seat, sheet))
    # For two orders in one line, report only that they share a line.
    problems = [
        *text.misindented(),
        *(place_remark(text, remark) for remark in remarks if remark.place not in text.joined),
    ]
    if seat not in game.ruleset.due(position):
        owing = ", ".join(sorted(game.ruleset.due(position))) or "none"
        what = f"{seat} has nothing to order in this turn (the rest of the sheet still counts)"
        problems.append(text.problem((), what, f"seats that owe a sheet: {owing}", level="warning"))
    return tuple(sorted(problems))


def unused_keys(game: Game, data: TurnData | None = None) -> frozenset[str]:
    """The keys of sheets that a game does not use, or a turn of it: words to everybody, sheets that apply again, an answer to a question."""
    asked = data is not None and question_of(data.rulings) is not None
    used = {"words": game.data.words, "standing": game.data.standing, "answer": asked, SEALED: False}
    if data is not None and data.seal is not None and game.ruleset.ahead is not None:
        used |= {key: key in (data.seal.ahead or {}) for key in game.ruleset.ahead.keys}
    return frozenset(key for key, there in used.items() if not there)


def house_remarks(game: Game, sheet: Any, ask: Ask | None) -> Iterator[Remark]:
    """The keys on a sheet that this game does not use, and an answer that the host's question does not have."""
    if sheet.answer is not None and ask is None:
        yield Remark(("answer",), "the host asked no question in this turn", "leave it out")
    elif sheet.answer is not None and ask is not None and answer_to(ask, sheet.answer) is None:
        right = nearest(sheet.answer, ask.answers) or "answers: " + ", ".join(ask.answers)
        yield Remark(("answer",), f"{sheet.answer!r:.60} is not an answer to the host’s question", right)
    if getattr(sheet, SEALED, None) and not game.data.sealed:
        yield Remark((SEALED,), "nothing is sealed in this game", "write the lists themselves")
    if sheet.words and not game.data.words:
        yield Remark(("words",), "this game publishes no words with the orders", "leave it out: nobody would read it")
    if isinstance(sheet, StandingWords) and sheet.standing and not game.data.standing:
        yield Remark(
            ("standing",), "in this game a sheet counts for one turn", "leave it out, and send a sheet each turn"
        )


def place_remark(text: Text, remark: Remark) -> Problem:
    """Turn a ruleset's remark on a sheet into a problem, with its line and column."""
    return text.problem(remark.place, remark.what, remark.right, offset=remark.offset, level=remark.level)
