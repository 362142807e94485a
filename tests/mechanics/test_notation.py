"""Orders as people write them: the hobby's notations, and the advice for unreadable lines."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.problems import plain
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import LIMIT, AnyOrder, Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Unit
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.options import legal_orders
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Field,
    Phase,
    Position,
    Settings,
    board_named,
    field_of,
    notation_of,
    starting_position,
)
from tests.conftest import examples

BOARDS = sorted(path.parent.name for path in RULESETS.glob("*/boards/*/board.yaml"))
DICE: Dice = None  # type: ignore[assignment]  # Diplomacy rolls none


def read(text: str) -> AnyOrder | Fault:
    return notation_of("standard").read(text)


def A(province: str, coast: str = "") -> Named:  # noqa: N802  # as orders are written
    return Named("A", province, coast)


def F(province: str, coast: str = "") -> Named:  # noqa: N802
    return Named("F", province, coast)


def bare(province: str, coast: str = "") -> Named:
    return Named("", province, coast)


READ: list[tuple[str, AnyOrder]] = [
    ("A Munich H", Hold(A("MUN"))),
    ("A Paris - Burgundy", Move(A("PAR"), "BUR")),
    ("F Mid-Atlantic Ocean - Spain/NC", Move(F("MAO"), "SPA", "NC")),
    ("A London - Norway via convoy", Move(A("LON"), "NWY", "", via=True)),
    ("F Brest S A Paris - Picardy", SupportMove(F("BRE"), A("PAR"), "PIC")),
    ("F Mid-Atlantic Ocean S F Gascony - Spain/NC", SupportMove(F("MAO"), F("GAS"), "SPA", "NC")),
    ("F Bulgaria/EC S Berlin", SupportHold(F("BUL", "EC"), bare("BER"))),
    ("F North Sea C A London - Norway", Convoy(F("NTH"), A("LON"), "NWY")),
    ("Disband A Paris", Disband(A("PAR"))),
    ("Build F St Petersburg/NC", Build(F("STP", "NC"))),
    ("Waive", Waive()),
]
"""Meaning of canonical orders; `tests/data/lines.yaml` has other ways to write them."""


@pytest.mark.parametrize(("text", "order"), READ)
def test_canonical_orders_have_their_stated_meaning(text: str, order: AnyOrder) -> None:
    assert read(text) == order


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_line_is_not_an_order(text: str) -> None:
    fault = read(text)
    assert isinstance(fault, Fault)
    assert (fault.offset, fault.what, fault.right) == (0, "an empty order", "write one like A Paris - Burgundy")


def test_lines_over_the_limit_are_refused() -> None:
    line = "A PAR - BUR" + " " * (LIMIT - 11)
    assert len(line) == LIMIT
    assert read(line) == Move(A("PAR"), "BUR")
    fault = read(line + " ")
    assert isinstance(fault, Fault)
    assert fault.what == "an order of 201 characters"
    assert fault.right == "write at most 200"
    assert isinstance(read("A " * 100_000), Fault)


WORDS = [
    "A",
    "F",
    "Army",
    "Fleet",
    "PAR",
    "Paris",
    "BUR",
    "St.",
    "Petersburg",
    "stp/sc",
    "(sc)",
    "nc",
    "Gulf",
    "of",
    "north",
    "Nor",
    "Mid-Atlantic",
    "Ocean",
    "English",
    "Channel",
    "east",
    "west",
    "-",
    "->",
    "→",
    "to",
    "S",
    "supports",
    "C",
    "convoys",
    "H",
    "hold",
    "via",
    "convoy",
    "VC",
    "by",
    "sea",
    "B",
    "Build",
    "D",
    "Disband",
    "R",
    "retreats",
    "Waive",
    "the",
    "French",
    "France's",
    "'",
    "(",
    ")",
    "/",
    ".",
    ",",
    ":",
    ";",
    "7",
    "🎲",
    "é",
    "\u200f",
    "\x07",
    "Ä",
    "coast",
    "move",
    "m",
    "s",
    "n",
    "pass",
]


@examples(200)
@given(st.text(max_size=260))
def test_any_text_is_an_order_or_a_fault(text: str) -> None:
    order = read(text)
    event(type(order).__name__)
    if isinstance(order, Fault):
        assert 0 <= order.offset <= len(text)
        assert order.what
        assert plain(order.what).isprintable()
    else:
        assert read(notation_of("standard").write(order)) == order


@pytest.mark.slow
@examples(750)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_words_are_an_order_or_a_fault(text: str) -> None:
    order = read(text)
    event(type(order).__name__)
    if isinstance(order, Fault):
        assert 0 <= order.offset <= len(text)
        assert order.what
    else:
        assert read(notation_of("standard").write(order)) == order


@pytest.mark.parametrize("name", BOARDS)
def test_no_two_provinces_share_a_spelling(name: str) -> None:
    board = board_named(name)
    owners: dict[str, set[str]] = {}
    for code, province in board.provinces.items():
        for text in (code, province.name, *province.also):
            folded = unicodedata.normalize("NFKD", text.casefold())
            key = re.sub(r"[^a-z0-9 ]", "", folded.replace("-", " "))
            owners.setdefault(key, set()).add(code)
    assert len(owners) > len(board.provinces)
    assert {key: sorted(codes) for key, codes in owners.items() if len(codes) > 1} == {}


@pytest.mark.parametrize("name", BOARDS)
def test_every_spelling_of_every_province_is_read(name: str) -> None:
    board, notation = board_named(name), notation_of(name)
    for code, province in board.provinces.items():
        for text in (code, code.lower(), province.name, province.name.upper(), *province.also):
            assert notation.read(f"Fleet {text} H") == Hold(F(code)), text
            assert notation.read(f"{text} H") == Hold(bare(code)), text
            assert notation.read(f"F {text}-{text}") == Move(F(code), code), text
            assert notation.read(f"F {text} S F {text} - {text}") == SupportMove(F(code), F(code), code), text


@pytest.mark.parametrize("name", BOARDS)
def test_unambiguous_beginnings_are_read(name: str) -> None:
    """Every beginning of a name (three letters or more) means this province, is another's whole name, or is ambiguous."""
    board, notation = board_named(name), notation_of(name)
    read_as_meant = 0
    for code, province in board.provinces.items():
        spoken = {text.casefold() for p in board.provinces.values() for text in (p.id, p.name, *p.also)}
        for length in range(3, len(province.name) + 1):
            beginning = province.name[:length].strip()
            firsts = {beginning[: gap.start()].casefold() for gap in re.finditer("[ -]", beginning)}
            if len(beginning) < 3:
                continue
            if (firsts & spoken or beginning[-2:-1] == " ") and beginning.casefold() not in spoken:
                continue  # "Adriatic S" is the Adriatic and the letter for a support.
            order = notation.read(f"F {beginning} H")
            if isinstance(order, Fault):
                assert "could be several places" in order.what, beginning
                assert province.name in order.right, beginning
            else:
                assert isinstance(order, Hold)
                read_as_meant += order.unit.province == code
                if order.unit.province != code:
                    other = board.provinces[order.unit.province]
                    spellings = {text.casefold() for text in (other.id, other.name, *other.also)}
                    assert beginning.casefold() in spellings, (beginning, other.name)
    assert read_as_meant > 4 * len(board.provinces)


# Laws on real positions ------------------------------------------------------------------------------------------


def codes_of(order: AnyOrder, *, kinds: bool = True) -> str:
    """`order` in codes, as terse players write; without A and F unless `kinds`."""

    def unit(named: Named) -> str:
        return (f"{named.kind} " if kinds and named.kind else "") + place(named.province, named.coast)

    def place(province: str, coast: str) -> str:
        return province + (f"/{coast}" if coast else "")

    match order:
        case Hold(who):
            return f"{unit(who)} H"
        case Move(who, to, coast, via):
            return f"{unit(who)} - {place(to, coast)}" + (" VIA" if via else "")
        case SupportHold(who, target):
            return f"{unit(who)} S {unit(target)}"
        case SupportMove(who, target, to, coast):
            return f"{unit(who)} S {unit(target)} - {place(to, coast)}"
        case Convoy(who, target, to, coast):
            return f"{unit(who)} C {unit(target)} - {place(to, coast)}"
        case Build(who):
            return f"B {who.kind} {place(who.province, who.coast)}"
        case Disband(who):
            return f"{unit(who)} D"
        case Waive():
            return "waive"


def stripped(order: AnyOrder) -> AnyOrder:
    """`order` without the coasts of the units it names, which are reminders (DP-O-9)."""

    def short(named: Named) -> Named:
        return Named(named.kind, named.province)

    match order:
        case Hold(who):
            return Hold(short(who))
        case Move(who, to, coast, via):
            return Move(short(who), to, coast, via)
        case SupportHold(who, target):
            return SupportHold(short(who), short(target))
        case SupportMove(who, target, to, coast):
            return SupportMove(short(who), short(target), to, coast)
        case Convoy(who, target, to, coast):
            return Convoy(short(who), short(target), to, coast)
        case Disband(who):
            return Disband(short(who))
        case _:
            return order


def legal_by_power(field: Field, position: Position) -> Iterator[tuple[str, AnyOrder]]:
    for power in field.board.powers:
        for order in legal_orders(field, position, power):
            yield power, order


def random_sheets(position: Position, dice: random.Random) -> dict[str, Sheet]:
    """One legal order for every unit, moves and convoys more often than holds."""
    field = field_of(position)
    sheets: dict[str, Sheet] = {}
    for power in sorted(RULESET.due(position)):
        by_unit: dict[str, list[AnyOrder]] = {}
        for order in legal_orders(field, position, power):
            by_unit.setdefault(getattr(order, "unit", bare("")).province, []).append(order)
        chosen: list[AnyOrder] = []
        for options in by_unit.values():
            lively = [order for order in options if isinstance(order, Move | Convoy | Build)]
            chosen.append(dice.choice(lively) if lively and dice.random() < 0.8 else dice.choice(options))
        moves = {(order.unit.province, order.to) for order in chosen if isinstance(order, Move)}
        for index, options in enumerate(by_unit.values()):
            helps = [o for o in options if isinstance(o, SupportMove) and (o.target.province, o.to) in moves]
            if helps and dice.random() < 0.5:
                chosen[index] = dice.choice(helps)
        sheets[power] = Sheet(orders=tuple(field.notation.write(order, field.names()) for order in chosen))
    return sheets


@cache
def positions() -> tuple[Position, ...]:
    """Positions of all kinds from a few games played at random."""
    positions: list[Position] = []
    for seed, board in ((1, "standard"), (2, "standard"), (3, "fleet_rome")):
        dice = random.Random(seed)
        position = starting_position(Settings(board=board))
        for _ in range(24):
            positions.append(position)
            done = RULESET.rules.resolve(position, random_sheets(position, dice), DICE)
            if done.ended:
                break
            position = done.position
    phases = [position.phase for position in positions]
    assert min(phases.count(phase) for phase in Phase) >= 3
    return tuple(positions)


def sample(orders: list[tuple[str, AnyOrder]], dice: random.Random, count: int) -> list[tuple[str, AnyOrder]]:
    return orders if len(orders) <= count else dice.sample(orders, count)


@pytest.mark.slow
def test_legal_orders_survive_writing_and_reading() -> None:
    """In full names, in codes, in lower case and without the letters of the units."""
    count = 0
    for position in positions():
        field = field_of(position)
        notation, units = field.notation, field.names()
        for power, order in legal_by_power(field, position):
            text = notation.write(order, units)
            again = notation.read(text)
            assert not isinstance(again, Fault), (text, again)
            assert stripped(again) == stripped(order), (power, text)
            assert notation.write(again, units) == text
            assert notation.read(text.lower()) == again
            assert notation.read(text.upper()) == again
            assert notation.read(codes_of(order)) == order, codes_of(order)
            assert notation.read(codes_of(order).lower()) == order
            spoken = notation.read(codes_of(order, kinds=False))
            assert not isinstance(spoken, Fault)
            assert notation.write(spoken, units) == text
            count += 1
    assert count > 5000


@pytest.mark.slow
def test_all_spellings_are_judged_the_same() -> None:
    dice = random.Random(11)
    for position in positions()[::4]:
        sheets = random_sheets(position, dice)
        field = field_of(position)

        def terse(text: str, field: Field = field) -> str:
            order = field.notation.read(text)
            assert not isinstance(order, Fault)
            return codes_of(order, kinds=False).lower()

        short = {power: Sheet(orders=tuple(map(terse, sheet.orders))) for power, sheet in sheets.items()}
        assert short != sheets or not any(sheet.orders for sheet in sheets.values())
        assert RULESET.rules.resolve(position, short, DICE) == RULESET.rules.resolve(position, sheets, DICE)


@pytest.mark.slow
def test_no_legal_order_is_reported_or_judged_illegal_by_itself() -> None:
    """`legal_orders`, `check` and `resolve` agree on legality, convoys included."""
    dice = random.Random(5)
    convoys = 0
    for position in positions():
        field = field_of(position)
        for power, order in sample(list(legal_by_power(field, position)), dice, 60):
            convoys += isinstance(order, Convoy) or (isinstance(order, Move) and order.via)
            text = field.notation.write(order, field.names())
            sheet = Sheet(orders=(text,))
            errors = [remark for remark in RULESET.rules.check(position, power, sheet) if remark.level == "error"]
            assert errors == [], (position, power, text)
            done = RULESET.rules.resolve(position, {power: sheet}, DICE)
            results = [verdict.result for verdict in done.verdicts if verdict.seat == power and not verdict.implied]
            assert len(results) == 1
            assert results[0] != "illegal", (position, power, text)
    assert convoys > 30


@pytest.mark.slow
def test_whole_turns_of_any_words_are_judged_and_described() -> None:
    """Sheets of random words: every line gets one verdict, and every verdict and event its sentence."""
    dice = random.Random(13)
    results: set[str] = set()
    for position in positions():
        sheets = random_sheets(position, dice)
        names = [province.name for province in board_named("standard").provinces.values()]
        for power, sheet in sheets.items():
            lines = [" ".join(dice.choices((*WORDS, *names), k=dice.randint(1, 7))) for _ in range(4)]
            lines += [line.replace(" - ", dice.choice((" S ", " - ", " C ", " - A "))) for line in sheet.orders]
            dice.shuffle(lines)
            sheets[power] = Sheet(orders=tuple(lines), draw=dice.random() < 0.5)
            RULESET.rules.check(position, power, sheets[power])
        done = RULESET.rules.resolve(position, sheets, DICE)
        assert done == RULESET.rules.resolve(position, dict(reversed(sheets.items())), DICE)
        for power, sheet in sheets.items():
            told = [verdict for verdict in done.verdicts if verdict.seat == power and not verdict.implied]
            assert len(told) == len(sheet.orders)
        for fact in (*done.verdicts, *done.events):
            text = RULESET.words.tell(position, fact)
            assert text.endswith("."), text
            assert "None" not in text
        results |= {verdict.result for verdict in done.verdicts}
    assert {"unreadable", "illegal", "succeeds", "fails", "stands"} <= results


@pytest.mark.slow
def test_check_and_resolve_agree_on_random_orders() -> None:
    """An order that is its sheet's only line is reported as an error exactly when it is ruled illegal or cannot be read."""
    dice = random.Random(9)
    legal = illegal = 0
    for position in positions():
        field = field_of(position)
        units: dict[str, tuple[str, Unit]] = {
            province: (power, unit) for province, (power, unit, *_) in (field.units | field.dislodged).items()
        }
        places = sorted({*field.board.army_to, *field.board.fleet_to})
        for _ in range(40):
            power, unit = dice.choice(sorted(units.values(), key=str))
            _, other = dice.choice(sorted(units.values(), key=str))
            near = sorted(field.board.reach(unit)) + sorted(field.board.reach(other))
            goal = dice.choice(places if dice.random() < 0.2 else near)
            forms = (
                "{0} - {1}",
                "{0} S {2} - {1}",
                "{0} S {2}",
                "{0} C {2} - {1}",
                "{0} - {1} VIA",
                "Build {0}",
                "Disband {0}",
            )
            text = dice.choice(forms).format(unit, goal, other)
            sheet = Sheet(orders=(text,))
            reported = any(remark.level == "error" for remark in RULESET.rules.check(position, power, sheet))
            done = RULESET.rules.resolve(position, {power: sheet}, DICE)
            verdicts = [v for v in done.verdicts if v.seat == power and not v.implied]
            assert len(verdicts) == 1, text
            assert verdicts[0].result != "unreadable", (text, verdicts[0])
            bad = verdicts[0].result == "illegal" or verdicts[0].reason in ("on-other-coast", "build-coast-needed")
            assert reported == bad, (position, power, text, verdicts[0])
            legal, illegal = legal + (not bad), illegal + bad
            if position.phase is Phase.MOVEMENT and not bad:
                options = {option.orders[0] for option in RULESET.rules.options(position, power) if option.orders}
                order = field.notation.read(text)
                assert not isinstance(order, Fault)
                shown = field.notation.write(stripped(order), field.names())
                if shown.startswith("F "):
                    shown = shown.removesuffix(" via convoy")  # A fleet goes by itself, whatever the order says.
                if not any(two in shown.partition(" - ")[2] for two in ("Spain", "Bulgaria", "St Petersburg")):
                    # Where an army can only go by sea, the words `via convoy` change nothing.
                    assert shown in options or f"{shown} via convoy" in options, text
    assert legal > 200
    assert illegal > 200


@pytest.mark.parametrize(
    "text", ["1. A Par - Bur", "2) A Par - Bur", "France: A Par - Bur", "A Par - Bur;", "3. France: A Par - Bur,"]
)
def test_text_around_an_order_does_no_harm(text: str) -> None:
    assert notation_of("standard").read(text) == notation_of("standard").read("A Par - Bur")


@pytest.mark.parametrize("text", ["waive Munich", "W Mun", "pass anything", "waive waive"])
def test_nothing_is_swallowed_after_a_waive(text: str) -> None:
    fault = notation_of("standard").read(text)
    assert isinstance(fault, Fault)
    assert "left over" in fault.what
