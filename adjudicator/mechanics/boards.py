"""Read board files, merge them with the boards that they extend, and check them; report all faults at once, each with its line.

A board comes with a ruleset (`boards/NAME/board.yaml`) or is a host's file beside game.yaml. A board that `extends` another
is merged over it: its provinces, powers and borders are added, the keys that it gives for a province or a power replace the
other board's, and `without` removes things. An ambiguous merge is refused.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.contract.pages import MOST_SIDES
from adjudicator.core.contract.ruleset import Keep, as_shipped
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.game.game import KEPT, seat_file
from adjudicator.core.text.codec import decode, encode, record
from adjudicator.core.text.problems import Problem, Problems, nearest
from adjudicator.core.text.yamltext import OWN_LIMIT, Place, Text, read, write
from adjudicator.mechanics.movement.orders import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import COASTS, RESERVED, AnyOrder, Build, Disband, Fault, Notation, spoken_words
from adjudicator.mechanics.provinces import NOBODY, Board, BoardData, Province, ProvinceData

Beside = Callable[[str], tuple[bytes, str]]
"""Name of a file in the same folder -> its bytes and path; raises `Problems`."""

MOST_PROVINCES = 400
MOST_EXTENSIONS = 8
"""Length of the longest chain of files that a host's board may extend."""
COAST_NAMES = tuple(dict.fromkeys(name for name in COASTS.values()))
CODE = re.compile(r"[A-Z]{2,6}")
NAME = re.compile(r"[^\W\d_](?:[^\W_]|(?:\. |[ '’.-])(?=[^\W_])){0,38}(?:[^\W_]|(?<=[^\W_])\.)?")
"""A name that can appear in an order: letters and digits, with single spaces, hyphens, apostrophes or full stops between them."""
RIGHT_NAME = "up to 40 letters and digits, with single spaces, hyphens, apostrophes or full stops between them"
WORD = re.compile(r"[A-Za-z](?:[A-Za-z]|[ '-](?=[A-Za-z])){0,19}")
"""The name of a season, or the suffix of a year; both appear in the names of turns' folders."""
NICKNAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@record
class Without:
    """Things to remove from the board that this one extends: provinces with their borders, borders, powers with their homes."""

    provinces: tuple[str, ...] = ()
    borders: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()


@record
class BoardFile(BoardData):
    """The content of a board file: a board, and the things to remove from the board that it extends."""

    without: Without | None = None


# Sources of boards ------------------------------------------------------------------------------------------------


@functools.cache
def load_board(folder: Path) -> Board:
    """The board in `folder` (its `board.yaml`), with the board that it extends filled in; raises `Problems`."""
    text, drawn = _load_shipped(folder, ())
    return Board(check_board(text), drawn)


def _load_shipped(folder: Path, seen: tuple[str, ...]) -> tuple[Text, Path | None]:
    """The merged text of a board that comes with a ruleset, and the folder of its shapes, if it is drawn."""
    path = folder / "board.yaml"
    try:
        source = read_own(path)
    except OSError as error:
        names = sorted(_boards_beside(folder))
        right = nearest(folder.name, names) or "boards here: " + (", ".join(names) or "none")
        raise Problems([Problem(str(path), 0, 0, f"the board cannot be read ({error.strerror})", right)]) from None
    text = read(source, str(path), limit=OWN_LIMIT)
    own = folder if Own(folder).is_file(folder / "outlines.yaml") else None
    extends = text.data.get("extends") if isinstance(text.data, dict) else None
    if not isinstance(extends, str):
        return text, own
    boards = _boards_beside(folder)
    if extends not in boards or extends in (*seen, folder.name):
        raise _no_board(text, extends, [name for name in boards if name not in (*seen, folder.name)])
    base, drawn = _load_shipped(boards[extends], (*seen, folder.name))
    whole = extend_board(base, text)
    return whole, own or (drawn if _looks_alike(base, whole) else None)


def _boards_beside(folder: Path) -> dict[str, Path]:
    """Name -> folder, for this board and those beside it."""
    files = Own(folder.parent)
    return {path.name: path for path in files.paths(folder.parent) if files.is_file(path / "board.yaml")}


@functools.cache
def board_text(folder: Path) -> bytes:
    """The board in `folder` as one file for games to keep, with the board that it extends filled in. Raises `Problems`."""
    return write(encode(load_board(folder).data)).encode()


def kept_board(name: str, keep: Keep, shipped: Mapping[str, Path]) -> Board | None:
    """The shipped board with that name, in the version that the game began with; None if there is no such board. Raises `Problems`."""
    folder = shipped.get(name)
    today = board_text(folder) if folder is not None else None
    text = keep(f"{name}.yaml", today)
    if text is None:
        return None
    return _load_kept(text, name, folder) if text != today or folder is None else load_board(folder)


@functools.lru_cache(maxsize=64)
def _load_kept(source: bytes, name: str, folder: Path | None) -> Board:
    """A game's own copy of a board that its ruleset has since changed. It uses the ruleset's shapes if they still show the same map."""
    text, drawn = _with_shapes(source, name, folder)
    return Board(check_board(text), drawn)


def _with_shapes(source: bytes, name: str, folder: Path | None) -> tuple[Text, Path | None]:
    text = read(source, f"{KEPT}/{name}.yaml", limit=OWN_LIMIT)
    if folder is None:
        return text, None
    today = load_board(folder)
    return text, today.folder if _drawn_parts(today.data) == _drawn_parts(check_board(text)) else None


def _drawn_parts(data: BoardData) -> object:
    """The parts of a board that its shapes show: provinces, coasts, centres and borders."""
    provinces = {
        code: (each.name, each.kind, each.centre, each.coasts) for code, each in (data.provinces or {}).items()
    }
    return provinces, data.borders


@functools.lru_cache(maxsize=64)
def _load_own(
    sources: tuple[tuple[bytes, str], ...], base: Path | None, kept: tuple[bytes, str] | None = None
) -> Board:
    """Merge a host's board: `sources` are its file and the files that it extends, and `base` is the shipped board that they end with.

    `kept` is the text and the name of the shipped board when the game began, if its text is different now.
    """
    drawn, whole = None, None
    if kept is not None:
        whole, drawn = _with_shapes(*kept, base)
    elif base is not None:
        whole, drawn = _load_shipped(base, ())
    for source, path in reversed(sources):
        text = read(source, path)
        before, whole = whole, text if whole is None else extend_board(whole, text)
        if before is not None and not _looks_alike(before, whole):
            drawn = None
        data = check_board(whole)
        if idle := list(_idle(data, whole)):
            raise Problems(idle)
    return Board(data, drawn)


def own_board(name: str, beside: Beside, shipped: Mapping[str, Path], keep: Keep = as_shipped) -> Board:
    """The board in the host's file with this name; `shipped` are the boards that it may extend. Raises `Problems`."""
    sources = [beside(name)]
    names = [name]
    while True:
        text = read(*sources[-1])
        extends = text.data.get("extends") if isinstance(text.data, dict) else None
        if not isinstance(extends, str):
            return _load_own(tuple(sources), None)
        today = board_text(shipped[extends]) if extends in shipped else None
        base = keep(f"{extends}.yaml", today) if not extends.endswith(".yaml") else None
        if base is not None and base != today:
            return _load_own(tuple(sources), shipped.get(extends), (base, extends))
        if extends in shipped:
            return _load_own(tuple(sources), shipped[extends])
        if not extends.endswith(".yaml"):
            raise _no_board(text, extends, [*shipped])
        if extends in names:
            what = f"{' extends '.join([*names, extends])}: this never ends"
            raise Problems([text.problem(("extends",), what, "name a board that extends none of these")])
        if len(names) > MOST_EXTENSIONS:
            what = f"{name} extends a chain of more than {MOST_EXTENSIONS} files"
            raise Problems([text.problem(("extends",), what, "name a board that comes with courtly")])
        try:
            sources.append(beside(extends))
        except Problems as error:
            what = f"{extends!r:.60} cannot be read: {error.problems[0].what}"
            raise Problems(
                [text.problem(("extends",), what, "put it beside this file, or name a board that comes with courtly")]
            ) from None
        names.append(extends)


def _no_board(text: Text, extends: str, names: list[str]) -> Problems:
    """The problem to raise if a file extends a board that does not exist."""
    right = nearest(extends, names) or "boards: " + ", ".join(sorted(names)) + "; or another file beside this one"
    return Problems([text.problem(("extends",), f"there is no board {extends!r:.60} to extend", right)])


def digest_of(board: Board, drawn: bytes = b"") -> str:
    """The SHA-256 of a merged board and its shapes.

    Comments and the order of keys make no difference; a border does.
    """
    said = json.dumps(encode(board.data), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode() + b"\0" + drawn).hexdigest()


def _looks_alike(base: Text, whole: Text) -> bool:
    """True if a board can use the shapes of the one it extends: its provinces, coasts, centres and borders are equal."""

    def drawn_parts(text: Text) -> object:
        data: Any = text.data
        provinces = {
            code: (province.get("name"), province.get("kind"), bool(province.get("centre")), province.get("coasts"))
            for code, province in data["provinces"].items()
        }
        return provinces, data["borders"]

    try:
        return drawn_parts(base) == drawn_parts(whole)
    except (AttributeError, KeyError, TypeError):  # It is faulty: `check_board` reports that.
        return False


# Merging ----------------------------------------------------------------------------------------------------------

PAIRS = ("army", "fleet", "both")


def extend_board(base: Text, own: Text) -> Text:
    """Merge a board file over the one that it extends, keeping the file's line numbers; raises `Problems`."""
    assert isinstance(own.data, dict)
    assert isinstance(base.data, dict)
    if faults := list(_takes_away(base, own)):
        raise Problems(faults)
    gone = decode(Without, own.under("without"))
    data: dict[str, Any] = {**base.data}
    marks = dict(own.marks)
    data["provinces"] = {
        code: {
            key: value for key, value in province.items() if key not in ("home", "owner") or value not in gone.powers
        }
        for code, province in data["provinces"].items()
        if code not in gone.provinces
    }
    for key in ("powers", "others"):
        data[key] = {name: power for name, power in (data.get(key) or {}).items() if name not in gone.powers}
    for key, value in own.data.items():
        if key in ("provinces", "powers", "others") and isinstance(value, dict):
            had = data[key]
            more = {
                name: {**had[name], **entry} if isinstance(entry, dict) and name in had else entry
                for name, entry in value.items()
            }
            data[key] = {**had, **more}
        elif key not in ("extends", "borders"):
            data[key] = value
    data["borders"], moved = _borders(data["borders"], own.data.get("borders"), gone)
    for where, mark in own.marks.items():
        if where[:1] == ("borders",) and where in moved:
            marks[moved[where]] = mark
    data.pop("without", None)
    # A fault in the extended board is due to this file's `without`, or to its `extends`.
    cause = own.marks.get(("without",)) or own.mark(("extends",))
    for key in data:
        marks.setdefault((key,), cause)
    return Text(own.path, data, marks, own.joined)


def _takes_away(base: Text, own: Text) -> Iterator[Problem]:
    """A problem for each entry of `without` that the extended board does not have."""
    gone = decode(Without, own.under("without"))
    data: Any = base.data
    powers = {**(data.get("powers") or {}), **(data.get("others") or {})}
    for group, names, existing in (("provinces", gone.provinces, data["provinces"]), ("powers", gone.powers, powers)):
        for index, name in enumerate(names):
            if name not in existing:
                what = f"there is no {name!r:.60} to take away"
                yield own.problem(("without", group, index), what, nearest(name, existing))
    pairs = [{*pair.split()} for pairs in _all_pairs(data.get("borders") or {}) for pair in pairs]
    for index, pair in enumerate(gone.borders):
        if {*pair.split()} not in pairs:
            what = f"there is no border {pair!r:.60} to take away"
            yield own.problem(("without", "borders", index), what, "write it as the board does, as in BER MUN")


def _all_pairs(borders: Mapping[str, Any]) -> Iterator[list[str]]:
    for group in PAIRS:
        yield borders.get(group) or []
        yield (borders.get("one_way") or {}).get(group) or []


def _borders(had: Mapping[str, Any], own: Any, gone: Without) -> tuple[Any, dict[Place, Place]]:
    """The remaining borders, then those that the file adds; and for each added border, its place in the file -> its place in that list."""
    removed = [{*pair.split()} for pair in gone.borders]

    def keep(pairs: list[str]) -> list[str]:
        return [
            pair
            for pair in pairs
            if {*pair.split()} not in removed
            and not {end.partition("/")[0] for end in pair.split()} & {*gone.provinces}
        ]

    ways: tuple[tuple[str, ...], ...] = tuple((group,) for group in PAIRS) + tuple(
        ("one_way", group) for group in PAIRS
    )
    borders: dict[str, Any] = {}
    moved: dict[Place, Place] = {}
    for way in ways:
        before = had if len(way) == 1 else had.get("one_way") or {}
        mine = own if len(way) == 1 else own.get("one_way") if isinstance(own, dict) else None
        left = keep(before.get(way[-1]) or [])
        more = mine.get(way[-1]) if isinstance(mine, dict) else None
        moved |= {("borders", *way, index): ("borders", *way, len(left) + index) for index in range(len(more or []))}
        whole = [*left, *more] if isinstance(more, list) else more if more is not None else left
        if len(way) == 1:
            borders[way[0]] = whole
        elif whole:
            borders.setdefault("one_way", {})[way[1]] = whole
    if isinstance(own, dict):  # Decoding reports any other key as unknown.
        borders |= {key: value for key, value in own.items() if key not in (*PAIRS, "one_way")}
        if "one_way" in own and not isinstance(own["one_way"], dict):
            borders["one_way"] = own["one_way"]
    elif own is not None:
        return own, moved
    return borders, moved


# Faults -----------------------------------------------------------------------------------------------------------


def check_board(text: Text) -> BoardData:
    """Return a merged board if it is sound; raise `Problems` with its faults otherwise."""
    whole = text.data if isinstance(text.data, dict) else {}
    # If `extends` is a name, that board has been merged already. Any other value stays, so that decoding reports it.
    plain = {key: value for key, value in whole.items() if key != "extends" or not isinstance(value, str)}
    if "without" in plain:
        right = "name the board that this one `extends`, or leave `without` out"
        raise Problems([text.problem(("without",), "there is nothing to take away from", right)])
    data = decode(BoardData, Text(text.path, plain, text.marks, text.joined))
    missing = [
        text.problem((), f"{key!r} is missing or empty", "add it, or name the board that this one `extends`")
        for key in ("provinces", "borders", "powers", "starts")
        if getattr(data, key) in (None, {})
    ]
    if missing:
        raise Problems(missing)
    faults = [
        *_sizes(data, text), *_in_names(data, text), *_in_provinces(data, text), *_in_borders(data, text),
        *_in_units(data, text), *_in_winning(data, text), *_in_calendar(data, text),
    ]  # fmt: skip
    if faults:
        raise Problems(faults)
    if unreadable := list(_in_orders(Board(data), text)):
        raise Problems(unreadable)
    return data


def _sizes(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in the board's size: too many provinces or sides, or too few powers."""
    assert data.provinces is not None
    assert data.powers is not None
    if len(data.provinces) > MOST_PROVINCES:
        what = f"the board has {len(data.provinces)} provinces"
        yield text.problem(("provinces",), what, f"at most {MOST_PROVINCES} can be drawn")
    if len(data.powers) < 2:
        yield text.problem(("powers",), "the board has one power", "a game needs at least two")
    if len(data.powers) > MOST_SIDES:
        what = f"the board has {len(data.powers)} sides"
        yield text.problem(("powers",), what, f"at most {MOST_SIDES} can be told apart")


def _in_names(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in names: those that cannot appear in an order or a file name, and ambiguous ones."""
    assert data.provinces is not None
    assert data.powers is not None
    if not NICKNAME.fullmatch(data.name):
        right = "use lowercase letters, digits, hyphens and underscores, and begin with a letter"
        yield text.problem(("name",), f"{data.name!r:.60} cannot be the name of a board", right)
    if not 1 <= len(data.title) <= 80:
        yield text.problem(("title",), f"the title has {len(data.title)} characters", "write 1 to 80")
    owners: dict[tuple[str, ...], tuple[str, str]] = {}
    for code, province in data.provinces.items():
        if not CODE.fullmatch(code):
            what = f"{code!r:.40} cannot be the code of a province"
            yield text.problem(("provinces", code), what, "write 2 to 6 capital letters, such as MUN")
        spoken: list[tuple[Place, str]] = [(("provinces", code), code), (("provinces", code, "name"), province.name)]
        spoken += [(("provinces", code, "also", index), other) for index, other in enumerate(province.also)]
        for where, name in spoken:
            words = spoken_words(name)
            if where[-1] == "name" and len(name) < 2:
                what = f"{name!r:.50} is too short for the name of a province"
                yield text.problem(where, what, "choose another name, of two letters or more")
            elif not NAME.fullmatch(name) or not words:
                yield text.problem(where, f"{name!r:.50} cannot be the name of a province", RIGHT_NAME)
            elif (whose := owners.setdefault(words, (code, name)))[0] != code:
                what = f"{name!r:.50} would be the name of two provinces: {whose[0]} is called {whose[1]!r:.50}"
                yield text.problem(where, what, "give each province its own names")
    for words, called in owners.items():
        if taken_for := _order_in(words, called[0], owners, data.provinces):
            what = f"{called[1]!r:.50} can be read as an order about {taken_for[0][1]!r:.50}"
            right = "choose names that do not begin with another name and go on like an order"
            places = [_where_named(*pair, data.provinces[pair[0]]) for pair in (called, *taken_for)]
            # If the file extends a board, point to the name that the file itself gives: that one can be changed.
            yield text.problem(next((where for where in places if where in text.marks), places[0]), what, right)
    files: dict[str, tuple[str, str]] = {}
    for group in ("powers", "others"):
        for power, about in getattr(data, group).items():
            for where, name in (((group, power), power), ((group, power, "adjective"), about.adjective)):
                if not NAME.fullmatch(name) or name.endswith(".") or name.casefold() in {*RESERVED, NOBODY}:
                    right = f"{RIGHT_NAME}, and no word that is used in orders"
                    yield text.problem(where, f"{name!r:.50} cannot be the name of a power", right)
            file = seat_file(power)
            if not file:
                what = f"{power!r:.50} has no letter from A to Z, but files are named after it"
                yield text.problem((group, power), what, "write it with at least one letter from A to Z")
            elif (other := files.setdefault(file, (group, power))) != (group, power):
                what = f"files of {power!r:.50} would have the same name as those of {other[1]!r:.50}: {file}"
                yield text.problem((group, power), what, "give each a different name")


def _order_in(
    words: tuple[str, ...],
    code: str,
    names: Mapping[tuple[str, ...], tuple[str, str]],
    provinces: Mapping[str, ProvinceData],
) -> tuple[tuple[str, str], ...]:
    """The names that make `words` readable as an order: the one at the start, and the one that follows, if any. Empty if it is not.

    The reader of orders takes the longest name, so `A Rumania-Bulgaria` is not a move if a province is called `Rumania-Bulgaria`.
    """
    for length in range(1, len(words)):
        begins, rest = names.get(words[:length]), words[length:]
        if begins is None:
            continue
        coast = rest[0] in COASTS and bool(provinces[begins[0]].coasts)
        goal = names.get(rest)
        if goal is not None and (begins[0], goal[0]) != (code, code):
            return begins, goal
        if rest[0] in RESERVED or coast:
            return (begins,)
    return ()


def _where_named(code: str, name: str, province: ProvinceData) -> Place:
    """The place in the file where this name is given to a province."""
    if name in (code, province.name):
        return ("provinces", code) if name == code else ("provinces", code, "name")
    return ("provinces", code, "also", province.also.index(name))


def _in_provinces(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in provinces: coasts, homes and owners that they cannot have."""
    assert data.provinces is not None
    assert data.powers is not None
    owners = (*data.powers, *data.others, NOBODY)
    for code, province in data.provinces.items():
        here: Place = ("provinces", code)
        if province.coasts and province.kind != "coast":
            yield text.problem(
                (*here, "coasts"),
                f"{code} is of kind {province.kind} but lists coasts",
                "only a province of kind coast may list them",
            )
        if len(province.coasts) == 1:
            right = "name at least two, or leave them out: an undivided coast needs no name"
            yield text.problem((*here, "coasts"), f"{code} has only one coast to choose from", right)
        for index, coast in enumerate(province.coasts):
            if coast not in COAST_NAMES:
                what = f"no order can name the coast {coast!r:.40}"
                yield text.problem((*here, "coasts", index), what, "coasts are " + ", ".join(COAST_NAMES))
            elif coast in province.coasts[:index]:
                yield text.problem((*here, "coasts", index), f"{code} has the coast {coast} twice", "keep one")
        if province.convoys and (province.kind != "coast" or province.coasts):
            right = "only an undivided coast can have it; at sea every fleet can convoy"
            yield text.problem((*here, "convoys"), f"this does not let a fleet convoy from {code}", right)
        if province.centre and province.kind == "sea":
            yield text.problem((*here, "centre"), f"{code} is a sea", "supply centres must be on land")
        for key, name, allowed in (("home", province.home, data.powers), ("owner", province.owner, owners)):
            if name is None:
                continue
            if name not in allowed:
                right = nearest(name, allowed) or "powers: " + ", ".join(data.powers)
                yield text.problem((*here, key), f"no power is called {name!r:.40}", right)
            elif not province.centre:
                what = f"{code} is not a supply centre, but has {'a home' if key == 'home' else 'an owner'}"
                yield text.problem((*here, key), what, f"add `centre: true`, or leave `{key}` out")


def _places(data: BoardData) -> dict[str, ProvinceData]:
    """Every province or coast that a fleet's order could name."""
    assert data.provinces is not None
    whole = {code: p for code, p in data.provinces.items() if not p.coasts}
    return whole | {f"{code}/{coast}": p for code, p in data.provinces.items() for coast in p.coasts}


def _in_borders(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in borders: unknown places, borders that nobody can cross, duplicates, and places without borders."""
    assert data.provinces is not None
    assert data.borders is not None
    places = _places(data)
    seen: dict[tuple[str, str, str], Place] = {}
    one_way = data.borders.one_way
    groups: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((key,), getattr(data.borders, key)) for key in PAIRS]
    groups += [(("one_way", key), getattr(one_way, key)) for key in PAIRS]
    for way, pairs in groups:
        group = way[-1]
        for index, pair in enumerate(pairs):
            where: Place = ("borders", *way, index)
            ends = pair.split()
            if len(ends) != 2 or ends[0].partition("/")[0] == ends[1].partition("/")[0]:
                yield text.problem(where, f"{pair!r:.60} is not a border", "write two places, as in BER MUN")
                continue
            faults = [(end, fault) for end in ends if (fault := _no_end(data, places, group, end))]
            for end, (what, right) in faults:
                # If the border comes from the extended board, this file's entry for the province caused the fault.
                own = where if where in text.marks else ("provinces", end)
                yield text.problem(own, f"{pair}: {what}", right)
            if faults:
                continue
            kinds = ("army", "fleet") if group == "both" else (group,)
            ways = (tuple(ends), tuple(reversed(ends)))[: 1 if len(way) > 1 else 2]
            crossings = {(kind, start, end): where for kind in kinds for start, end in ways}
            if twice := crossings.keys() & seen.keys():
                other = seen[min(twice)]
                right = "keep one; if it is in the board that this one extends, take it away under `without` first"
                own = where if where in text.marks else other
                yield text.problem(own, f"the border {pair} appears twice", right)
            seen |= crossings
    walks = {place for kind, *ends in seen if kind == "army" for place in ends}
    sails = {place for kind, *ends in seen if kind == "fleet" for place in ends}
    for place, province in places.items():
        code = place.partition("/")[0]
        if place not in walks | sails and "/" not in place:
            yield text.problem(("provinces", code), f"{code} borders nothing", "give it a border, or leave it out")
        elif province.kind != "inland" and place not in sails:
            yield text.problem(
                ("provinces", code),
                f"no fleet can reach {place}, which is {'a sea' if province.kind == 'sea' else 'a coast'}",
                "give it a border for fleets" + ("" if province.kind == "sea" else ", or make it inland"),
            )


def _no_end(data: BoardData, places: Mapping[str, ProvinceData], group: str, end: str) -> tuple[str, str] | None:
    """The reason why a border of this group cannot end in this place, and advice; None if it can."""
    assert data.provinces is not None
    allowed: Mapping[str, ProvinceData] = places if group == "fleet" else data.provinces
    if end not in allowed or (group == "both" and end not in places):
        if end in data.provinces:
            coasts = " or ".join(f"{end}/{coast}" for coast in data.provinces[end].coasts)
            return f"fleets need a coast of {end}", f"write {end} under army, and {coasts} under fleet"
        if end in places:
            return f"{end} is a coast, and only fleets use coasts", f"name {end.partition('/')[0]} under army"
        return f"there is no place {end!r:.40}", nearest(end, allowed)
    if group != "army" and places[end].kind == "inland":
        return f"no fleet can reach {end}", "move the border to army"
    if group != "fleet" and data.provinces[end].kind == "sea":
        return f"no army can walk to {end}", "move the border to fleet"
    return None


def _in_units(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in units: those that cannot be where they start, and two in one province."""
    assert data.provinces is not None
    places = _places(data)
    stands: dict[str, tuple[str, Place]] = {}
    for group in ("powers", "others"):
        for power, about in getattr(data, group).items():
            for index, unit in enumerate(about.units):
                kind, _, place = unit.partition(" ")
                code = place.partition("/")[0]
                spot: Place = (group, power, "units", index)
                if fault := _no_stand(data.provinces, places, kind, place):
                    yield text.problem(spot, f"{power}: {unit!r:.40} cannot be there", fault)
                    continue
                other, there = stands.setdefault(code, (unit, spot))
                if there != spot:
                    own = spot if spot in text.marks else there
                    yield text.problem(
                        own, f"two units start in {code}: {other} and {unit}", "a province holds only one unit"
                    )


def _idle(data: BoardData, text: Text) -> Iterator[Problem]:
    """A problem for each power that begins with nothing. Only for hosts' boards, because some rulesets have such powers on purpose."""
    assert data.provinces is not None
    assert data.powers is not None
    owners = {province.home if province.owner is None else province.owner for province in data.provinces.values()}
    for power, begins in data.powers.items():
        if not begins.units and power not in owners:
            what = f"{power} begins with neither units nor supply centres, and could never play"
            yield text.problem(("powers", power), what, "give it some, or leave it out")


def _no_stand(provinces: Mapping[str, ProvinceData], places: Mapping[str, ProvinceData], kind: str, place: str) -> str:
    """Advice for a unit that cannot be in its place; empty if it can."""
    code, slash, _ = place.partition("/")
    if kind not in ("A", "F") or code not in provinces:
        near = nearest(code, provinces) if kind in ("A", "F") else ""
        return near or "write A or F and a place, as in F STP/SC"
    province = provinces[code]
    if kind == "A":
        if province.kind == "sea":
            return "an army cannot be at sea"
        return f"an army needs no coast: write A {code}" if slash else ""
    if province.kind == "inland":
        return "a fleet cannot be inland"
    if place in places:
        return ""
    if not province.coasts:
        return f"{code} has no coasts to choose from: write F {code}"
    return "name its coast: " + " or ".join(f"F {code}/{coast}" for coast in province.coasts)


def _in_winning(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in victory conditions: missing or impossible ones."""
    assert data.provinces is not None
    centres = [code for code, province in data.provinces.items() if province.centre]
    win = data.win
    if data.victory is None and not win.hold and win.years is None:
        right = "write `victory:`, a number of supply centres, or `win:` with `hold` or `years`"
        yield text.problem((), "nothing says who wins", right)
    if data.victory is not None and data.victory > len(centres):
        what = f"{data.victory} supply centres win, but there are only {len(centres)}"
        yield text.problem(("victory",), what, f"write at most {len(centres)}")
    if win.lead is not None and data.victory is None:
        what, right = "a lead counts only together with a number of supply centres", "write `victory:` as well"
        yield text.problem(("win", "lead"), what, right)
    for index, code in enumerate(win.hold):
        if code not in centres:
            what = f"{code!r:.40} is not a supply centre"
            yield text.problem(("win", "hold", index), what, nearest(code, centres) or "name centres by their codes")
        elif code in win.hold[:index]:
            yield text.problem(("win", "hold", index), f"{code} is listed twice", "keep one")
    if win.least is not None and not win.least <= len(win.hold):
        what = f"{win.least} of {len(win.hold)} centres would have to be held"
        yield text.problem(("win", "least"), what, "name more under `hold`, or ask for fewer")


def _in_calendar(data: BoardData, text: Text) -> Iterator[Problem]:
    """Faults in the calendar: unusable names, two seasons with the same name, and a start in a year 0 that does not exist."""
    calendar = data.calendar
    named = {key: getattr(calendar, key) for key in ("spring", "fall", "winter")}
    for key, name in (*named.items(), ("before", calendar.before)):
        if name is not None and not WORD.fullmatch(name):
            right = "up to 20 letters from A to Z, with single spaces, hyphens or apostrophes between them"
            yield text.problem(("calendar", key), f"{name!r:.40} cannot be part of a turn's name", right)
    if len({name.casefold() for name in named.values()}) < len(named):
        yield text.problem(("calendar",), "two seasons have the same name", "give each a different name")
    if calendar.before is not None and data.starts == 0:
        right = "write -1 or 1, or leave `before` out"
        yield text.problem(("starts",), "there is no year 0 if years before 1 have a suffix", right)


def _in_orders(board: Board, text: Text) -> Iterator[Problem]:
    """A problem for each code or name of a province that would be misread in some order."""
    notation = Notation(board)
    codes = [*board.provinces]
    for at, (code, province) in enumerate(board.provinces.items()):
        # Two other provinces are tried, so that a name is not blamed for a fault in another province's name.
        others = [other for other in (codes[at - 1], codes[at - 2]) if other != code]
        names: list[tuple[Place, str, str]] = [
            (("provinces", code), code, "code"), (("provinces", code, "name"), province.name, "name"),
        ]  # fmt: skip
        names += [(("provinces", code, "also", index), name, "name") for index, name in enumerate(province.also)]
        for where, name, kind in names:
            if all(_misread(notation, code, province, name, other) for other in others):
                line = _misread(notation, code, province, name, others[0])
                what = f"the {kind} {name!r:.50} cannot be told from the words of an order: `{line}` would be misread"
                yield text.problem(where, what, f"choose another {kind}")


def _misread(notation: Notation, code: str, province: Province, name: str, other: str) -> str:
    """An order that is misread because of the province's name; empty if all orders are read correctly."""
    army, them, fleet = Named("A", code), Named("A", other), Named("F", other)
    lines: list[tuple[str, AnyOrder]] = [
        (f"A {name} H", Hold(army)),
        (f"A {other} - {name}", Move(them, code)),
        (f"A {name} - {other} via convoy", Move(army, other, "", via=True)),
        (f"A {other} S A {name}", SupportHold(them, army)),
        (f"F {other} C A {name} - {other}", Convoy(fleet, army, other)),
        (f"Build A {name}", Build(army)),
    ]
    lines += [(f"F {name}/{coast} - {other}", Move(Named("F", code, coast), other)) for coast in province.coasts]
    if " ".join(spoken_words(name)) in RESERVED:
        lines += _in_every_place(name, code, other)
        lines += _as_a_word(notation, name, other)
    return next((line for line, meant in lines if notation.read(line) != meant), "")


def _in_every_place(name: str, code: str, other: str) -> list[tuple[str, AnyOrder]]:
    """Lines with a province's name in every possible position, with and without `A` or `F`, and the orders that they mean."""
    lines: list[tuple[str, AnyOrder]] = []
    for kind in ("", "A", "F"):
        unit, its, them = f"{kind} {name}".lstrip(), Named(kind, code), Named(kind, other)
        other_unit = f"{kind} {other}".lstrip()
        lines += [
            (f"{unit} H", Hold(its)),
            (f"{unit} hold", Hold(its)),
            (f"{unit} - {other}", Move(its, other)),
            (f"{unit} to {other}", Move(its, other)),
            (f"{unit} R {other}", Move(its, other)),
            (f"{other_unit} - {name}", Move(them, code)),
            (f"{other_unit} to {name}", Move(them, code)),
            (f"{other_unit} R {name}", Move(them, code)),
            (f"{other_unit} - {name} via convoy", Move(them, code, "", via=True)),
            (f"{unit} S {other_unit}", SupportHold(its, them)),
            (f"{unit} S {other_unit} - {other}", SupportMove(its, them, other)),
            (f"{other_unit} S {unit}", SupportHold(them, its)),
            (f"{other_unit} supports {unit} to hold", SupportHold(them, its)),
            (f"{other_unit} S {unit} - {other}", SupportMove(them, its, other)),
            (f"{other_unit} S {other_unit} - {name}", SupportMove(them, them, code)),
            (f"{unit} C {other_unit} - {other}", Convoy(its, them, other)),
            (f"{other_unit} C {unit} - {other}", Convoy(them, its, other)),
            (f"{other_unit} C {other_unit} - {name}", Convoy(them, them, code)),
            (f"{unit} D", Disband(its)),
            (f"Disband {unit}", Disband(its)),
        ]
    return lines


def _as_a_word(notation: Notation, name: str, other: str) -> Iterator[tuple[str, AnyOrder]]:
    """Lines that use a province's name as an ordinary word, and the orders that they mean if no province has that name."""
    plain = Notation(notation.board)
    del plain.names[spoken_words(name)]
    plain.spoken = [text for text in plain.spoken if spoken_words(text) in plain.names]
    unit, word = f"A {other}", name
    for line in (
        word, f"{word} build", f"{word} {unit}", f"{word} {unit} H", f"{word} {other} H", f"A {word} {other} H", f"{word} {unit} - {other}",
        f"{unit} {word}", f"{unit} to {word}", f"{unit} - {word}", f"{unit} {word} {other}", f"{unit} {word} {unit}",
        f"{unit} {word} {unit} - {other}", f"F {other} {word} {unit} - {other}", f"{unit} S {unit} {word}", f"{unit} S {word} {unit}",
        f"{unit} - {other} {word}", f"{unit} - {other} {word} convoy", f"{unit} - {other} {word} sea", f"{unit} - {word} {other}",
        f"{unit} S {unit} - {word} {other}", f"{unit} S {unit} {word} {other}", f"F {other} C {unit} {word} {other}",
    ):  # fmt: skip
        order = plain.read(line)
        if not isinstance(order, Fault):
            yield line, order
