"""Records and plain data: every fault at once, with its place; and round trips."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.game import SCHEMA, Game, GameData, GameKind, Player
from adjudicator.core.game.schedule import Rhythm, Schedule
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice, Roll
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.codec import Whole, by_form, decode, dump, encode, field_text, load, record, schema
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.unseen import kind as unseen_kind
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.data import DiceData, TurnData
from adjudicator.core.turn.files import turn_text
from adjudicator.core.turn.judge import open_first_turn, resolve_turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import Given, read_name
from tests.conftest import examples

LAW = examples(60)
ROOT = Path(__file__).parents[2]


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


@record
class Wheel:
    size: int
    colour: Colour = Colour.RED


@record
class Cart:
    name: str
    wheels: tuple[Wheel, ...] = ()
    by_place: Mapping[str, Wheel] | None = None
    open: bool = False
    tags: frozenset[str] = frozenset()
    note: str | None = None


def faults_of(kind: type[Any], source: str) -> list[str]:
    with pytest.raises(Problems) as caught:
        load(kind, source.encode(), "f.yaml")
    return [str(fault) for fault in caught.value.problems]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("nam: x\n", ["f.yaml:1:1: 'name' is missing; add it", "f.yaml:1:6: unknown key 'nam'; did you mean 'name'?"]),
        ("name: x\nzzz: 1\n", ["f.yaml:2:6: unknown key 'zzz'; allowed: name, wheels, by_place, open, tags, note"]),
        ("name: x\nwheels: [{size: 1, colour: rde}]\n",
         ["f.yaml:2:28: wheels.0.colour is 'rde'; did you mean 'red'?"]),
        ("name: x\nwheels: [{size: 1, colour: violet}]\n",
         ["f.yaml:2:28: wheels.0.colour is 'violet'; allowed: 'red' or 'green'"]),
        ("name: x\nwheels:\n- {size: big}\n- {}\n- {size: 1, colr: red}\n",
         ["f.yaml:3:10: wheels.0.size is 'big'; write a whole number",
          "f.yaml:4:3: 'size' is missing; add it",
          "f.yaml:5:19: unknown key 'colr'; did you mean 'colour'?"]),
        ("name: x\nby_place: {front: {sise: 1}}\n",
         ["f.yaml:2:12: 'size' is missing; add it", "f.yaml:2:26: unknown key 'sise'; did you mean 'size'?"]),
        ("name: [x]\nwheels: many\nby_place: 3\nopen: perhaps\nnote: true\n",
         ["f.yaml:1:1: name is a list; write text",
          "f.yaml:2:9: wheels is 'many'; write each entry on its own line below it, beginning with `- `",
          "f.yaml:3:11: by_place is 3; write keys and values, such as {key: value}",
          "f.yaml:4:7: open is 'perhaps'; write true or false",
          "f.yaml:5:7: note is True; write text"]),
        ("name:\nwheels:\n",
         ["f.yaml:1:1: name is empty; write text",
          "f.yaml:2:1: wheels is empty; write each entry on its own line below it, beginning with `- `"]),
        ("- x\n", ["f.yaml:1:1: the file is a list; write keys with their values: `name:`, `wheels:`, `by_place:`, `open:`, `tags:`, `note:`"]),
        ("words\n", ["f.yaml:1:1: the file is 'words'; write keys with their values: `name:`, `wheels:`, `by_place:`, `open:`, `tags:`, `note:`"]),
        ("", ["f.yaml: 'name' is missing; add it"]),
    ],
)  # fmt: skip
def test_all_faults_are_reported_at_once_with_their_places(source: str, expected: list[str]) -> None:
    assert faults_of(Cart, source) == expected


def test_numbers_are_read_as_text_where_text_is_expected() -> None:
    cart = load(Cart, b"name: 1901\ntags: [b, 2, a]\n", "f.yaml")
    assert cart == Cart(name="1901", tags=frozenset({"a", "b", "2"}))


@record
class Journey:
    """A record with names that Python reserves."""

    from_: str
    while_: tuple[str, ...] = ()


def test_files_can_use_words_that_python_reserves() -> None:
    journey = decode(Journey, read(b"from: Toledo\nwhile: [it rains]\n", "journey.yaml"))
    assert journey == Journey(from_="Toledo", while_=("it rains",))
    assert encode(journey) == {"from": "Toledo", "while": ["it rains"]}
    with pytest.raises(Problems, match="unknown key 'from_'; did you mean 'from'"):
        decode(Journey, read(b"from: Toledo\nfrom_: Jaen\n", "journey.yaml"))


def test_absent_values_are_not_written() -> None:
    assert encode(Cart(name="x")) == {"name": "x", "open": False}
    cart = Cart(name="x", wheels=(Wheel(size=2),), by_place={"b": Wheel(size=1)}, tags=frozenset({"z", "a"}), note="n")
    assert encode(cart) == {
        "name": "x",
        "wheels": [{"size": 2, "colour": "red"}],
        "by_place": {"b": {"size": 1, "colour": "red"}},
        "open": False,
        "tags": ["a", "z"],
        "note": "n",
    }


# The archive's own records ----------------------------------------------------------------------------------------

TEXT = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp"]).filter(lambda char: not unseen_kind(char)), max_size=15
)
HEX = st.binary(min_size=4, max_size=4).map(bytes.hex)


def some(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | inner


GAMES = st.builds(
    GameData,
    schema=st.just(SCHEMA),
    ruleset=TEXT,
    title=TEXT,
    opened=TEXT,
    seats=st.dictionaries(TEXT, st.builds(Player, player=TEXT), max_size=3),
    kind=st.sampled_from(GameKind),
    host=some(TEXT),
    about=some(TEXT),
    source=some(TEXT),
    seed=TEXT,
    schedule=some(
        st.builds(
            Schedule, turn=TEXT, phases=some(st.dictionaries(TEXT, st.builds(Rhythm, turn=some(TEXT)), max_size=2))
        )
    ),
    settings=some(st.dictionaries(TEXT, TEXT | st.integers(0, 9) | st.booleans(), max_size=2)),
    as_played=some(st.dictionaries(TEXT, TEXT, max_size=2)),
)
VERDICTS = st.builds(
    Verdict,
    seat=TEXT,
    order=TEXT,
    result=TEXT,
    reason=TEXT,
    rule=TEXT,
    implied=some(st.booleans()),
    facts=some(st.dictionaries(TEXT, st.integers(0, 99) | st.lists(TEXT, max_size=2).map(tuple), max_size=2)),
)
TURNS = st.builds(
    TurnData,
    schema=st.just(SCHEMA),
    game=TEXT,
    turn=TEXT,
    phase=TEXT,
    status=st.sampled_from(["open", "resolved"]),
    position=st.fixed_dictionaries({"year": st.integers(1900, 1950), "units": st.dictionaries(TEXT, st.lists(TEXT))}),
    dice=st.builds(DiceData, commitment=HEX, secret=some(HEX), digest=some(HEX)),
    deadline=some(TEXT),
    closed=some(TEXT),
    sheets=some(st.dictionaries(TEXT, HEX, min_size=1, max_size=2)),
    verdicts=st.lists(VERDICTS, max_size=2).map(tuple),
    events=st.lists(st.fixed_dictionaries({"event": TEXT}), max_size=2).map(tuple),
    rolls=st.lists(st.builds(Roll, name=TEXT, sides=st.integers(1, 99), value=st.integers(1, 99)), max_size=2).map(
        tuple
    ),
    ended=some(st.builds(Ending, how=TEXT, winners=st.lists(TEXT, max_size=2).map(tuple), when=TEXT, rule=TEXT)),
)


@LAW
@given(GAMES)
def test_game_records_come_back_the_same(data: GameData) -> None:
    assert load(GameData, dump(data).encode(), "game.yaml") == data


@LAW
@given(TURNS)
def test_turn_records_come_back_the_same(data: TurnData) -> None:
    source = turn_text(data)
    assert load(TurnData, source, "turn.yaml", own=True) == data
    assert turn_text(load(TurnData, source, "turn.yaml", own=True)) == source


def a_game(ruleset: str, **more: object) -> Game:
    rules = find(ruleset)
    seats = rules.rules.seats(decode(rules.types.settings, read(b"", "settings")))
    data = {
        "schema": SCHEMA, "ruleset": ruleset, "title": "A game", "opened": "2026-11-20",
        "seats": {seat: {"player": f"{seat}’s player"} for seat in seats},
    }  # fmt: skip
    data |= {"sealed": True} if rules.secrecy is not None else {"seed": "s"}
    text = read(write(data | more).encode(), "games/a-game/game.yaml")
    return Game("a-game", text, archive="a" * 16, masters=Masters((b"m" * 32,)))


@pytest.mark.parametrize("ruleset", slugs())
def test_each_rulesets_turns_come_back_the_same(ruleset: str) -> None:
    game = a_game(ruleset)
    start = open_first_turn(game)
    keys = keys_for(game, start.turn)
    done, resolution = resolve_turn(game, start, Given({}, {}, {}, {}), "2026-12-01T00:00Z", keys, "0.1.0")
    for data in (start, done):
        again = load(TurnData, turn_text(data), "turn.yaml", own=True)
        position = decode(game.ruleset.types.position, replace(read(b"", ""), data=again.position))
        assert position == data.position
        assert encode(again) == encode(data)
    assert encode(
        decode(game.ruleset.types.position, replace(read(b"", ""), data=encode(resolution.position)))
    ) == encode(resolution.position)


@record
class Either:
    bid: Whole | Literal["pass"] = "pass"
    whom: Literal["all", "none"] | tuple[str, ...] = "all"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("bid: pas", ["f:1:6: bid is 'pas'; write a whole number, or did you mean 'pass'?"]),
        ("bid: true", ["f:1:6: bid is True; write a whole number, or allowed: 'pass'"]),
        ("whom: al", ["f:1:7: whom is 'al'; did you mean 'all'?, or write each entry on its own line below it, beginning with `- `"]),
        ("whom: {a: 1}", ["f:1:1: whom is keys with values; allowed: 'all' or 'none', or write each entry on its own line below it, beginning with `- `"]),
    ],
)  # fmt: skip
def test_a_faulty_value_that_may_have_several_kinds_gets_one_message(source: str, said: list[str]) -> None:
    """The message does not use a kind's name that readers have never heard of."""
    with pytest.raises(Problems) as caught:
        load(Either, source.encode(), "f")
    assert [str(one) for one in caught.value.problems] == said


# game.yaml --------------------------------------------------------------------------------------------------------


def game_faults(source: str) -> tuple[Problem, ...]:
    with pytest.raises(Problems) as caught:
        Game("g", read(source.encode(), "game.yaml"))
    return caught.value.problems


GAME_HEAD = "schema: 1\nruleset: diplomacy\ntitle: x\nopened: 2026-11-20\n"
GAME_SEATS = "seats: {" + ", ".join(
    f"{seat}: {{player: x}}" for seat in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
) + "}\n"  # fmt: skip


def test_all_faults_in_a_game_are_reported_at_once() -> None:
    faults = game_faults(
        "schema: 1\nruleset: diplomacy\ntitle: x\nopened: 2026-02-30\n"
        "seats:\n  Austira: {player: a}\n  England: {player: b}\n  France: {player: c}\n  Germany: {player: d}\n"
        "  Italy: {player: e}\n  Russia: {player: f}\n  Turkey: {player: g}\n"
        "schedule: {turn: soon, phases: {retreats: 0h}}\n"
    )
    assert list(map(str, faults)) == [
        "game.yaml:4:9: '2026-02-30' is not a day; write it like 2026-11-20",
        "game.yaml:5:1: the seat Austria has no player; add `Austria: {player: NAME}`",
        "game.yaml:6:3: no seat is called 'Austira'; did you mean 'Austria'?",
        "game.yaml:13:18: 'soon' is not a length of time; write days, hours and minutes, as in 3d or 1d12h",
        "game.yaml:13:43: '0h' is not a length of time; write days, hours and minutes, as in 3d or 1d12h",
    ]


@pytest.mark.parametrize(
    "day", ["2026-2-3", "20261120", "2026-13-01", "2026-11-31", "2025-02-29", "tomorrow", "0000-01-01"]
)
def test_a_date_must_exist(day: str) -> None:
    (fault,) = game_faults(GAME_HEAD.replace("2026-11-20", day) + GAME_SEATS)
    assert (fault.line, fault.column, fault.what) == (4, 9, f"{day!r} is not a day")


@pytest.mark.parametrize("version", ["2", "99", '"2"', "99999999999999999999"])
def test_a_later_schema_is_refused_in_one_line(version: str) -> None:
    (fault,) = game_faults(f"schema: {version}\nwhatever: new\n")
    number = version.strip('"')
    column = 10 if number != version else 9
    assert (
        str(fault)
        == f"game.yaml:1:{column}: the file has schema {number}, but this courtly knows only schema 1; update courtly"
    )


@pytest.mark.parametrize("version", ["0", "-1"])
def test_a_schema_version_that_never_existed_is_refused(version: str) -> None:
    (fault,) = game_faults(GAME_HEAD.replace("schema: 1", f"schema: {version}") + GAME_SEATS)
    assert str(fault) == f"game.yaml:1:9: there is no schema {version}; write schema: 1"


def test_unknown_rulesets_and_boards_are_reported_with_their_place() -> None:
    (fault,) = game_faults(GAME_HEAD.replace("diplomacy", "diplomcy") + GAME_SEATS)
    assert str(fault) == "game.yaml:2:10: no ruleset is called 'diplomcy'; did you mean 'diplomacy'?"
    (fault,) = game_faults(GAME_HEAD + GAME_SEATS + "settings: {board: fleet_room}\n")
    assert str(fault) == "game.yaml:6:1: no board is called 'fleet_room'; did you mean 'fleet_rome'?"
    (fault,) = game_faults(GAME_HEAD + GAME_SEATS + "settings: {board: ../standard}\n")
    assert "no board is called '../standard'" in str(fault)


def test_faults_in_settings_point_into_the_file() -> None:
    faults = game_faults(GAME_HEAD + GAME_SEATS + "settings:\n  draws: vot\n  victori: 18\n")
    assert list(map(str, faults)) == [
        "game.yaml:7:10: draws is 'vot'; did you mean 'vote'?",
        "game.yaml:8:12: unknown key 'victori'; did you mean 'victory'?",
    ]


# Schemas ----------------------------------------------------------------------------------------------------------

KINDS = [(ruleset, kind) for ruleset in slugs() for kind in schemas(ruleset)]


@pytest.mark.parametrize(("ruleset", "kind"), KINDS)
def test_schemas_are_valid_and_name_themselves(ruleset: str, kind: str) -> None:
    body = schemas(ruleset)[kind]
    jsonschema.Draft202012Validator.check_schema(body)
    assert body["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert body["$id"].endswith(f"/{ruleset}/{kind}.json")
    assert body["title"]


def test_schemas_have_each_fields_title_and_description() -> None:
    fields = schemas("al_andalus")["wazir-sheet"]["properties"]
    plunder = fields["plunder"]
    assert (plunder["title"], plunder["description"]) == (
        "Plunder: all units of my prince hold",
        "I gain a dinar for each of them (AA-G-1).",
    )
    assert fields["final"]["title"].startswith("I’m ready: ")
    assert list(fields)[-2:] == ["final", "standing"]
    plain: type[Any] = record(type("Plain", (), {"__annotations__": {"my_one": int}}))
    assert schema(plain, "", "")["properties"]["my_one"] == {"title": "My one", "type": "integer"}


@by_form(
    "kind", {"gift": (frozenset({"wheel", "size"}), frozenset({"note"})), "word": (frozenset({"note"}), frozenset())}
)
@record
class Offer:
    kind: Annotated[str, field_text("What is offered.")]
    wheel: Wheel | None = None
    size: Annotated[int, field_text("How large.")] = 1
    note: str = ""


@record
class Market:
    offers: tuple[Offer, ...] = ()


@pytest.mark.parametrize(
    ("offer", "right"),
    [
        ({"kind": "gift", "wheel": {"size": 2}}, True),
        ({"kind": "gift", "wheel": {"size": 2}, "size": 3, "note": "x"}, True),
        ({"kind": "gift"}, False),
        ({"kind": "gift", "wheel": None}, False),
        ({"kind": "word", "note": "x"}, True),
        ({"kind": "word", "note": "x", "wheel": None, "size": 1}, True),  # a default, as `encode` writes it
        ({"kind": "word", "note": ""}, False),
        ({"kind": "word", "note": "x", "size": 2}, False),
        ({"kind": "threat"}, False),
        ({}, False),
    ],
)
def test_a_schema_says_which_fields_a_form_has(offer: dict[str, object], right: bool) -> None:
    body = schema(Market, "", "")
    jsonschema.Draft202012Validator.check_schema(body)
    assert jsonschema.Draft202012Validator(body).is_valid({"offers": [offer]}) == right
    described = {key: spec.get("description") for key, spec in body["$defs"]["Offer"]["properties"].items()}
    assert described == {"kind": "What is offered.", "wheel": None, "size": "How large.", "note": None}


OTHERWISE: Mapping[str, tuple[Mapping[str, Any], ...]] = {"diplomacy": ({"votes": "kept"},)}
"""House rules that give a ruleset another kind of sheet."""


@pytest.mark.parametrize("ruleset", slugs())
def test_schemas_accept_what_the_program_accepts_and_refuse_unknown_keys(ruleset: str) -> None:
    rules = find(ruleset)
    validators = {kind: jsonschema.Draft202012Validator(body) for kind, body in schemas(ruleset).items()}
    game = a_game(ruleset, schedule={"turn": "3d"}, settings={})
    assert not list(validators["game"].iter_errors(encode(game.data)))
    assert list(validators["game"].iter_errors(encode(game.data) | {"hots": "x"}))
    assert list(
        validators["game"].iter_errors({key: value for key, value in encode(game.data).items() if key != "seats"})
    )
    kinds = {kind: name for name, kind in rules.types.sheets.items()}
    sheets: list[Any] = []
    for settings in OTHERWISE.get(ruleset, ()):
        first = open_first_turn(a_game(ruleset, schedule={"turn": "3d"}, settings=settings)).position
        sheets += [sheet for seat in sorted(rules.due(first)) for sheet in rules.rules.options(first, seat)]
    position = open_first_turn(game).position
    for number in range(40):  # some kinds of sheet are not in the first turn, only in a later one
        sheets += [sheet for seat in sorted(rules.due(position)) for sheet in rules.rules.options(position, seat)]
        if {type(sheet) for sheet in sheets} == set(kinds):
            break
        chance = chance_of("schemas", str(number))
        sent = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        position = rules.rules.resolve(position, sent, NamedDice(b"%d" % number)).position
    assert {type(sheet) for sheet in sheets} == set(kinds)
    for sheet in sheets:
        validators[kinds[type(sheet)]].validate(encode(sheet))
    for kind, name in kinds.items():
        assert list(validators[name].iter_errors(encode(kind()) | {"ordres": []}))


def archived() -> list[str]:
    from adjudicator.core.game.archive import Archive

    return Archive(ROOT).slugs()[:12]


@pytest.mark.parametrize("slug", archived())
def test_schemas_accept_the_archives_own_files(slug: str) -> None:
    from adjudicator.core.game.archive import Archive

    archive = Archive(ROOT)
    game = load_game(archive, slug)
    validators = {kind: jsonschema.Draft202012Validator(body) for kind, body in schemas(game.data.ruleset).items()}
    path = archive.game_folder(slug) / "game.yaml"
    validators["game"].validate(read(path.read_bytes(), str(path)).data)
    kinds = {kind: name for name, kind in game.ruleset.types.sheets.items()}
    for sheet in sorted(path.parent.glob("*/orders/*.yaml"))[:20]:
        named = read_name(game, sheet.name)
        assert named is not None
        position = load_turn(archive, game, sheet.parent.parent.name).data.position
        kind = kinds[game.ruleset.sheet_for(position, named.seat)]
        validators[kind].validate(read(sheet.read_bytes(), str(sheet)).data or {})


def test_a_recorded_digest_is_that_of_the_judged_sheet() -> None:
    from adjudicator.core.game.archive import Archive

    archive = Archive(ROOT)
    checked = 0
    for slug in archived()[:3]:
        game = load_game(archive, slug)
        for name in archive.turns(slug)[:3]:
            turn = load_turn(archive, game, name)
            for seat, digest in (turn.data.sheets or {}).items():
                sheets = [
                    path for path in (turn.folder / "orders").iterdir() if path.name.startswith(f"{seat.lower()}.")
                ]
                assert digest in {hashlib.sha256(path.read_bytes()).hexdigest() for path in sheets}
                checked += 1
    assert checked or not archived()


def test_fields_that_may_be_none_are_none_by_default() -> None:
    """`encode` leaves None out, so a field that may be None but has no default could be written and never read again."""
    import dataclasses
    import importlib
    import pkgutil
    import typing

    from pydantic.fields import FieldInfo

    import adjudicator

    optional = []
    for module in pkgutil.walk_packages(adjudicator.__path__, "adjudicator."):
        if ".draw" in module.name or module.name.endswith("__main__"):
            continue
        for kind in vars(importlib.import_module(module.name)).values():
            if not (isinstance(kind, type) and hasattr(kind, "__pydantic_config__") and kind.__module__ == module.name):
                continue
            hints = typing.get_type_hints(kind)
            whole = typing.get_type_hints(kind, include_extras=True)
            for field in dataclasses.fields(kind):
                none = type(None) in typing.get_args(hints[field.name])
                # The constructor requires it, but a file may leave it out: its type has the default.
                said = [one for one in getattr(whole[field.name], "__metadata__", ()) if isinstance(one, FieldInfo)]
                none &= not any(one.default is None for one in said)
                if none and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                    optional.append(f"{kind.__name__}.{field.name}")
    assert optional == []
