"""How the lines that people write (tests/data/sheets) are read: `python -m tests.tools.people [RULESET ...]` prints a table.

With `--slips` it makes slips in lines that are read correctly, and counts the program's proposals that can be written.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.core.contract import ruleset as contract
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.yamltext import Text, read
from adjudicator.core.turn.data import DiceData, TurnData
from adjudicator.core.turn.load import load_game, load_turn, read_turn_data
from adjudicator.core.turn.sheets import check_sheet
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.grand_campaign.options import ALONE
from adjudicator.rulesets.grand_campaign.orders import Order
from adjudicator.rulesets.grand_campaign.orders import reader_of as campaign_reader
from adjudicator.rulesets.grand_campaign.world import World
from adjudicator.rulesets.heir_apparent.orders import PARTS as PLANS
from adjudicator.rulesets.heir_apparent.orders import Step
from adjudicator.rulesets.heir_apparent.rounds import looked_at
from adjudicator.rulesets.noblesse.position import Phase
from adjudicator.rulesets.saga_of_the_nine.orders import speech_of
from tests.laws import dice
from tests.rulesets import noblesse_world

ROOT = Path(__file__).parent.parent.parent
SHEETS = ROOT / "tests" / "data" / "sheets"
MOST = 10**7
"""Most characters of a file that is read here."""

Said = Any
"""Content of a sheet, canonical: key -> lines, a mapping, or one value."""

# The corpus ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A position and a seat that lines are written for."""

    ruleset: str
    name: str
    turn: str = ""
    seat: str = ""
    change: str = ""
    """Changes to the turn's position, as JSON."""
    settings: str = ""
    """House rules of a new game, as JSON, for a place without a turn."""
    board: str = ""
    """Phase and units of a Noblesse board (tests/rulesets/noblesse_world.py), as JSON."""


@dataclass(frozen=True)
class Line:
    """One line of the corpus, and its expected result."""

    place: Place
    sheet: str
    """The whole sheet, as text."""
    written: str
    key: str
    """The list that the line is for; empty for a whole sheet."""
    read: Said
    answer: tuple[str, ...]
    never: tuple[str, ...]
    """Words that the messages must not contain."""
    strange: tuple[str, ...]
    """Words of other boards and of cards out of play, which must not be proposed."""

    @property
    def expected(self) -> Said:
        """The correct reading of its sheet."""
        if self.key:
            return {self.key: [self.read] if isinstance(self.read, str) else self.read}
        return self.read

    def __str__(self) -> str:
        where = f"{self.key}: " if self.key else ""
        return f"{self.place.ruleset}, {self.place.name}: {where}{self.written.strip()}"


def entry(key: str, written: str) -> str:
    """A sheet of one list with one entry, in quotes."""
    return f"{key}:\n- {json.dumps(written, ensure_ascii=False)}\n"


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of one file of the corpus."""
    file: Any = read(path.read_bytes(), path.name, limit=MOST).data
    for block in file["blocks"]:
        given = block["position"]
        as_text = {key: json.dumps(given[key]) for key in ("change", "settings", "board") if key in given}
        place = Place(file["ruleset"], block["name"], given.get("turn", ""), given["seat"], **as_text)
        for one in block["lines"]:
            assert "read" in one or "answer" in one, one
            assert {*one} <= {"write", "key", "sheet", "read", "answer", "never"}, one
            key = one.get("key", "")
            yield Line(
                place,
                one["sheet"] if "sheet" in one else entry(key, one["write"]),
                one.get("sheet", one.get("write")),
                key,
                one.get("read"),
                tuple(one.get("answer", ())),
                tuple(one.get("never", ())),
                (*file.get("never", ()), *block.get("never", ())),
            )


def corpus(rulesets: Iterable[str] = ()) -> list[Line]:
    """All lines, or those of some rulesets."""
    wanted = {*rulesets}
    files = sorted(path for path in SHEETS.glob("*.yaml") if not wanted or path.stem in wanted)
    return [line for path in files for line in lines_of(path)]


# The positions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """A position with everything needed to check a sheet."""

    game: Game
    data: TurnData
    view: Any
    """The seat's view, or None if it sees no more than everybody."""

    @property
    def shown(self) -> Any:
        """The view that lines are read with."""
        rules = self.game.ruleset
        return self.view if self.view is not None else rules.view(self.data.position, None)


@functools.cache
def board_of(place: Place) -> Board:
    """The position of a place."""
    if place.board:
        return _set_out(place)
    if not place.turn:
        return _new_game(place)
    *_, slug, name = place.turn.split("/")
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    if not place.change:
        return Board(game, turn.data, None)
    text = read(turn.source, f"{place.turn}/turn.yaml", limit=MOST)
    assert isinstance(text.data, dict)
    _lay_over(text.data["position"], json.loads(place.change))
    data = read_turn_data(game, name, text)
    return Board(game, data, game.ruleset.view(data.position, place.seat))


def _new_game(place: Place) -> Board:
    """The first turn of a new game with the place's settings."""
    rules = contract.find(place.ruleset)
    seats = rules.rules.seats(decode(rules.types.settings, Text("settings", json.loads(place.settings or "{}"), {})))
    plain = {
        "schema": 1,
        "ruleset": place.ruleset,
        "title": "A corpus",
        "opened": "2026-11-23",
        "seats": {seat: {"player": "somebody"} for seat in seats},
        **({"settings": json.loads(place.settings)} if place.settings else {}),
        **({"sealed": True} if rules.secrecy is not None else {}),
    }
    game = Game("corpus", read(json.dumps(plain).encode(), "game.yaml"), archive="0123456789abcdef", masters=None)
    position = rules.rules.setup(game.settings, dice("corpus"))
    view = rules.view(position, place.seat) if rules.secrecy is not None else None
    data = TurnData(
        schema=1,
        game="corpus",
        turn="001-corpus",
        phase="",
        status="open",
        position=position,
        dice=DiceData(commitment=""),
    )
    return Board(game, data, view)


def _set_out(place: Place) -> Board:
    """A board of Noblesse with these units, each given by owner and estate: `Basil A2`."""
    asked = json.loads(place.board)
    board = noblesse_world.Board(phase=Phase(asked["phase"]), scenario=noblesse_world.FARNA)
    for name, where in asked.get("units", {}).items():
        owner, at = where.split()
        board.unit(name, owner, at)
    new = _new_game(Place(place.ruleset, place.name))
    data = dataclasses.replace(new.data, position=board.now)
    return Board(new.game, data, new.game.ruleset.view(board.now, place.seat))


def _lay_over(below: Any, above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _lay_over(below[key], value)
        else:
            below[key] = value


# Reading ------------------------------------------------------------------------------------------------------------

Reading = Callable[[Any, str, str, str], str | None]
"""View, seat, key of a list and a line -> the canonical line by the ruleset's reader, or None if it cannot read it."""


def _of_units(field: Any, line: str) -> str | None:
    order = field.notation.read(line)
    return None if isinstance(order, Fault) else str(field.notation.write(order, field.names()))


def _diplomacy(view: Any, seat: str, key: str, line: str) -> str | None:
    return _of_units(diplomacy.field_of(view), line) if key == "orders" else line


def _al_andalus(view: Any, seat: str, key: str, line: str) -> str | None:
    if key == "appoint":
        held = _of_units(diplomacy.field_of(view.war), f"{line} H")
        return None if held is None else held.removesuffix(" H")
    return _of_units(diplomacy.field_of(view.war), line) if key in ("orders", "order") else line


def _saga(view: Any, seat: str, key: str, line: str) -> str | None:
    speech, units = speech_of(view), view.ground.names()
    if key == "bids":
        offer = speech.read_bid(line, seat)
        return None if isinstance(offer, Fault) else speech.write_bid(offer, units)
    said = speech.read(line, seat) if key == "orders" else None
    return None if said is None or isinstance(said, Fault) else speech.write(said, units)


def _heir(view: Any, seat: str, key: str, line: str) -> str | None:
    reader = looked_at(view).reader
    if key in PLANS:
        step = reader.read(key, line)
        return step.line if isinstance(step, Step) else None
    known = (*reader.index.characters, *reader.index.actions, *(turn.prince for turn in view.players.values()))
    named = reader.named(line)
    return named if named.partition("#")[0] in known or named in ("all", "none") else None


def _campaign(view: Any, seat: str, key: str, line: str) -> str | None:
    if key in ("city", "fortress", "towns", "general") or (key == "armies" and view.phase == "placement"):
        return line.strip() if line.strip() in view.grid else None
    if key == "close":
        return line
    order = campaign_reader(view.plan).read(key, World(view, {}, ALONE(b"alone")).named(seat, line))
    return order.line if isinstance(order, Order) else None


def _by_forms(view: Any, seat: str, key: str, line: str) -> str | None:
    lines = contract.find("noblesse").desk.lines
    assert lines is not None
    found = lines(view)
    if key == "homes":
        return line.strip().upper() if re.fullmatch(r"[A-Ja-j]([1-9]|10)", line.strip()) else None
    if key == "unit":
        formation, _, rest = line.partition(" led by ")
        recruit = f"Recruit {formation} at A1 led by {rest}"
        forms = noblesse_world.FORMS_OF_FARNA
        if not isinstance(forms.read(recruit), tuple):
            return None
        return forms.canonical(recruit).removeprefix("Recruit ").replace(" at A1 ", " ", 1)
    if key != "orders":
        return line
    return None if not isinstance(found.read(line), tuple) else found.canonical(line)


READINGS: Mapping[str, Reading] = {
    "al_andalus": _al_andalus,
    "diplomacy": _diplomacy,
    "grand_campaign": _campaign,
    "heir_apparent": _heir,
    "noblesse": _by_forms,
    "saga_of_the_nine": _saga,
}
"""Each ruleset's reader, called in the same way as by its `check`."""
UNREAD = "(not read)"


@dataclass(frozen=True)
class Reply:
    """The program's reading of a sheet, with its messages."""

    said: Said
    """Canonical content, with `UNREAD` for unreadable lines; None if the whole sheet is unreadable."""
    problems: tuple[Problem, ...]
    """The messages, without those that an empty sheet would get as well."""

    @property
    def told(self) -> str:
        """All messages as one text."""
        return " | ".join(
            f"{problem.what}; {problem.right}" if problem.right else problem.what for problem in self.problems
        )


@functools.cache
def told_anyway(place: Place) -> frozenset[str]:
    """Messages that an empty sheet gets."""
    return frozenset(problem.what for problem in _reply(place, "final: false").problems)


@functools.lru_cache(maxsize=20_000)
def reply(place: Place, sheet: str) -> Reply:
    """The program's reply to a sheet, read by the archive's reader and checked as by `courtly check`."""
    whole = _reply(place, sheet)
    return Reply(whole.said, tuple(one for one in whole.problems if one.what not in told_anyway(place)))


def _reply(place: Place, sheet: str) -> Reply:
    board = board_of(place)
    rules = board.game.ruleset
    try:
        text = read(sheet.encode(), "sheet.yaml")
        problems = check_sheet(board.game, board.data, place.seat, text, board.view)
        given = rules.read_sheet(board.data.position, place.seat, text)
    except Problems as error:
        return Reply(None, error.problems)
    reading = READINGS[place.ruleset]

    def canonical(key: str, value: Any) -> Said:
        if isinstance(value, str):
            return reading(board.shown, place.seat, key, value) or UNREAD if key in LISTS else value
        if isinstance(value, tuple):
            return [
                reading(board.shown, place.seat, key, one) or UNREAD if isinstance(one, str) else canonical(key, one)
                for one in value
            ]
        if isinstance(value, Mapping):
            return {name: canonical(key, one) for name, one in value.items()}
        if dataclasses.is_dataclass(value):
            return {name: canonical(name, one) for name, one, default in _fields_of(value) if one != default}
        return value

    keys = text.data if isinstance(text.data, dict) else {}
    said = {
        name: canonical(name, value) for name, value, default in _fields_of(given) if value != default or name in keys
    }
    return Reply(said, problems)


def _fields_of(given: Any) -> Iterator[tuple[str, Any, Any]]:
    """Name, value and default of each field of a dataclass."""
    for one in dataclasses.fields(given):
        made = one.default_factory() if one.default_factory is not dataclasses.MISSING else one.default
        yield one.name, getattr(given, one.name), made


LISTS = frozenset({"appoint", "order", "unturn", "choice", "unit"})
"""Keys that hold one line or name as plain text, which is read like those in lists."""

# Judging ------------------------------------------------------------------------------------------------------------

RIGHT, WRONG, UNTOLD, REFUSED, ANSWERED, ASTRAY = (
    "read right",
    "read wrong",
    "taken in silence",
    "refused",
    "answered right",
    "answered astray",
)
"""`read wrong`: as another order than was meant. `taken in silence`: without a question where one was needed. `refused`: although clear."""


def judged(line: Line) -> tuple[str, str]:
    """The verdict on a line, such as `RIGHT`, and what happened."""
    got = reply(line.place, line.sheet)
    rights = " | ".join(problem.right for problem in got.problems)
    named = [word for word in line.never if stands_in(word, got.told)]
    missing = [word for word in line.answer if not stands_in(word, got.told)]
    named += [word for word in line.strange if stands_in(word, rights)]
    named += [word for problem in got.problems for word in blanks_in(problem)]
    happened = f"{got.told or 'no word'}"
    if line.read is not None:
        if got.said == line.expected:
            return (ASTRAY, f"says {named}: {happened}") if named else (RIGHT, "")
        if line.answer and got.problems and not missing and not named:
            return ANSWERED, ""
        if not got.problems and (not got.said or UNREAD in _texts(got.said)):
            return UNTOLD, "it counts for nothing, and no word of it"
        if any(problem.level == "error" for problem in got.problems):
            return REFUSED, happened
        return WRONG, f"read as {got.said}, told: {happened}"
    if not missing and not named:
        return ANSWERED, ""
    lines = " | ".join(map(str, _texts(got.said)))
    if (
        not got.problems
        and line.answer
        and all(re.search(r"[ (]", word) and stands_in(word, lines) for word in line.answer)
    ):
        return RIGHT, ""  # read as the very line that the answer should have named
    if not got.problems:
        return UNTOLD, f"read as {got.said}"
    return ASTRAY, f"{'without ' + str(missing) if missing else ''}{' says ' + str(named) if named else ''}: {happened}"


def stands_in(word: str, text: str) -> bool:
    """True if a text contains a word, or several, in any case and not as part of other words."""
    before, after = (r"(?<!\w)" if word[0].isalnum() else "", r"(?!\w)" if word[-1].isalnum() else "")
    return re.search(f"{before}{re.escape(word)}{after}", text, re.IGNORECASE) is not None


BLANKS = (
    "ability",
    "amount",
    "amounts",
    "armies",
    "army",
    "artefact",
    "ask",
    "battle",
    "building",
    "card",
    "character",
    "deck",
    "direction",
    "estate",
    "faction",
    "family",
    "fighter",
    "foe",
    "formation",
    "goods",
    "hex",
    "kind",
    "link",
    "mercenaries",
    "mine",
    "number",
    "offer",
    "officer",
    "other",
    "party",
    "path",
    "person",
    "pieces",
    "place",
    "pool",
    "price",
    "prince",
    "rank",
    "resource",
    "result",
    "roster",
    "scenario",
    "seat",
    "settlement",
    "side",
    "skirmish",
    "step",
    "stones",
    "target",
    "targets",
    "theirs",
    "treaty",
    "trigger",
    "type",
    "unit",
    "who",
)
"""Names of the blanks of forms."""


def blanks_in(problem: Problem) -> list[str]:
    """Blanks in the forms proposed for a line without a form; nobody can write `peace with seat`."""
    if not problem.what.endswith(("is no order", "is no move", "is no act", "names nothing")):
        return []
    forms = re.sub(r"^(did you mean|write|such as) ", "", problem.right)
    return [word for word in BLANKS if re.search(rf"(?<![\w(-]){word}(?![\w-])|\({word}\)", forms)]


def _texts(said: Said) -> list[Any]:
    if isinstance(said, Mapping):
        return [text for value in said.values() for text in _texts(value)]
    return [text for value in said for text in _texts(value)] if isinstance(said, list) else [said]


# Slips --------------------------------------------------------------------------------------------------------------

SLIPS_EACH = 300
GUESS = re.compile(r"(?:did you mean|write|say|called) (?:'([^']+)'|`([^`]+)`|\"([^\"]+)\")")
EXAMPLE = re.compile(r"(?:such as|like|as in) (?:'([^']+)'|`([^`]+)`|\"([^\"]+)\"|(.+))")
QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")


def slip(chance: random.Random, line: str) -> str:
    """The line with one typing slip."""
    words = line.split(" ")
    at = chance.randrange(len(line))
    match chance.randrange(9):
        case 0:
            return line[:at] + line[at + 1 :]
        case 1:
            return line[:at] + line[at] + line[at:]
        case 2:
            return line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :]
        case 3:
            gone = chance.randrange(len(words))
            return " ".join(words[:gone] + words[gone + 1 :])
        case 4:
            return line.swapcase()
        case 5:
            return line.replace(":", "", 1) if ":" in line else line.replace(" - ", " ", 1)
        case 6:
            return re.sub(r"\b[AF] ", "", line, count=1)
        case 7:
            return line[:at] + chance.choice("aeiounrst") + line[at + 1 :]
        case _:
            return line.replace(", ", " ", 1) if ", " in line else line.replace("-", " ", 1)


@dataclass(frozen=True)
class Hint:
    """The proposal for a slip, and its result."""

    place: Place
    key: str
    meant: str
    slipped: str
    told: str
    proposed: str
    guess: bool
    """True if it guesses the line that was meant, false if it shows an example."""
    taken: str
    """The reading of the line after following the hint; empty if it still cannot be read."""


@dataclass(frozen=True)
class Slips:
    """Results of many slips."""

    still: int
    """Number that were still read as the line that was meant."""
    other: tuple[tuple[str, str, str], ...]
    """Slips read as another line without an error: the line meant, the line written, and its reading."""
    hints: tuple[Hint, ...]

    def of(self, *, guess: bool) -> list[Hint]:
        """The hints that guess the line meant, or those that show examples."""
        return [hint for hint in self.hints if hint.guess is guess]


@functools.cache
def slips(ruleset: str, many: int = SLIPS_EACH) -> Slips:
    """Results of `many` slips in correctly read lines of a ruleset's corpus; always the same slips."""
    chance = random.Random(f"slips of {ruleset}")
    meant = sorted(
        {
            (line.place.name, line.key, line.read): line
            for line in corpus([ruleset])
            if line.key
            and isinstance(line.read, str)
            and reply(line.place, entry(line.key, line.read)).said == line.expected
        }.items()
    )
    still = 0
    other: list[tuple[str, str, str]] = []
    proposed: list[Hint] = []
    for _ in range(many):
        _, line = chance.choice(meant)
        slipped = slip(chance, line.read).strip()
        if not slipped:
            continue
        got = reply(line.place, entry(line.key, slipped))
        if got.said and UNREAD not in _texts(got.said):
            if str(got.said).casefold() == str(line.expected).casefold():
                still += 1
            else:
                warned = " | ".join(problem.what for problem in got.problems)
                other.append(
                    (line.read, slipped, f"{_texts(got.said)[0]}, {f'told: {warned}' if warned else 'no word'}")
                )
            continue
        proposed.extend(
            _tried(line, slipped, problem, found, guess=found.re is GUESS)
            for problem in got.problems
            if (found := GUESS.search(problem.right) or EXAMPLE.search(problem.right))
        )
    return Slips(still, tuple(other), tuple(proposed))


def _tried(line: Line, slipped: str, problem: Problem, found: re.Match[str], *, guess: bool) -> Hint:
    """Follow a hint: put it in place of the line, or of the word that was not understood."""
    hint = next(group for group in found.groups() if group)
    tries = [hint]
    if (quoted := QUOTED.search(problem.what)) is not None:
        tries.append(slipped.replace(next(group for group in quoted.groups() if group), hint, 1))
    taken = ""
    for one in tries:
        said = reply(line.place, entry(line.key, one)).said
        if said and UNREAD not in _texts(said):
            taken = str(_texts(said)[0])
            break
    return Hint(line.place, line.key, line.read, slipped, problem.what, problem.right, guess, taken)


# Printing -----------------------------------------------------------------------------------------------------------


def main(given: list[str] | None = None) -> None:
    """Print the table and the lines that fail, or the results of slips."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("rulesets", nargs="*", help="all that have lines, if none is named")
    options.add_argument("--slips", action="store_true", help="make slips, and try what is proposed")
    options.add_argument("--brief", action="store_true", help="the table alone")
    chosen = options.parse_args(given)
    lines = corpus(chosen.rulesets)
    rulesets = sorted({line.place.ruleset for line in lines})
    if chosen.slips:
        _print_slips(rulesets, brief=chosen.brief)
        return
    columns = (RIGHT, WRONG, UNTOLD, REFUSED, ANSWERED, ASTRAY)
    print(f"| ruleset | lines | {' | '.join(columns)} |")
    print("| --- |" + " --- |" * (len(columns) + 1))
    results = [(line, *judged(line)) for line in lines]
    for ruleset in rulesets:
        counts = Counter(what for line, what, _ in results if line.place.ruleset == ruleset)
        print(f"| {ruleset} | {counts.total()} | {' | '.join(str(counts[what]) for what in columns)} |")
    if chosen.brief:
        return
    for what in (WRONG, UNTOLD, ASTRAY, REFUSED):
        for line, became, happened in results:
            if became == what:
                wanted = (
                    f"must be read as {line.expected}" if line.read is not None else f"must be told {[*line.answer]}"
                )
                print(f"\n{what}: {line}\n    {wanted}\n    {happened}")


def _print_slips(rulesets: Iterable[str], *, brief: bool) -> None:
    print(
        "| ruleset | slips | still read | as another line | hints | accepted | the line meant | examples | accepted |"
    )
    print("| --- |" + " --- |" * 8)
    for ruleset in rulesets:
        made = slips(ruleset)
        meant = sum(hint.taken.casefold() == hint.meant.casefold() for hint in made.of(guess=True))
        cells = (made.still, len(made.other), share(made.of(guess=True)), meant, share(made.of(guess=False)))
        print(f"| {ruleset} | {SLIPS_EACH} | {' | '.join(map(str, cells))} |")
    for ruleset in () if brief else rulesets:
        for line, slipped, read_as in slips(ruleset).other:
            print(f"\n{ruleset}, read as another line: {slipped}\n    meant: {line}\n    read as {read_as}")
        for hint in slips(ruleset).hints:
            if not hint.taken:
                print(f"\n{ruleset}, {hint.key}, a hint that cannot be written: {hint.slipped}")
                print(f"    meant: {hint.meant}\n    {hint.told}; {hint.proposed}")


def share(some: list[Hint]) -> str:
    """Two table cells: the number of hints, and how many of them can be written."""
    taken = sum(bool(hint.taken) for hint in some)
    return f"{len(some)} | {taken} ({taken / max(1, len(some)):.0%})"


if __name__ == "__main__":
    main(sys.argv[1:])
