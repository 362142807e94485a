"""Why an order or a bid of a saga is not legal: the table that the desk reads, held against what `check` says of thousands (S9-D, S9-M)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from adjudicator.core.contract.objections import BLANK, Objections, objection_to
from adjudicator.mechanics.movement import Named
from adjudicator.mechanics.notation import Build, Disband, Waive
from adjudicator.rulesets.saga_of_the_nine.examples import case_files, position_of
from adjudicator.rulesets.saga_of_the_nine.objections import objections
from adjudicator.rulesets.saga_of_the_nine.options import check, options
from adjudicator.rulesets.saga_of_the_nine.orders import (
    BuildHeir,
    Marry,
    MarryHeir,
    MarryMinor,
    Offer,
    Said,
    Sheet,
    WaiveFor,
    speech_of,
)
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    Settings,
    centre_of,
    living,
    majors,
    minors,
    starting_position,
)
from tests.rulesets.test_objections import BY_SHEET, UNSAID, any_order

OWN = re.compile(r"\(S9-(?!D-7|E-3)")
"""What is said by rules that standard Diplomacy does not have, and not of units that are ordered as in it."""
LINES = 20
"""Lines that each Major is asked in each position."""


def positions() -> Iterator[Position]:
    """The positions of all examples in which a unit stands."""
    for file in case_files().values():
        for case in file.cases:
            position = position_of(case)
            if position.ground.units:
                yield position


def any_line(random: Random, position: Position, major: str) -> tuple[str, str]:
    """A field of a sheet, and a line for it that may be nonsense, more often about the Major's own."""
    field, speech = position.ground, speech_of(position)
    reign, codes = majors(position.settings), list(field.board.provinces)
    units, owned = list(field.units), list(field.owners)
    free = [centre_of(field.board, minor) for minor in minors(position)]

    def near() -> str:
        return random.choice(random.choice([units, owned, free or codes, codes]))

    kind, other = random.choice(["", "", "A", "F"]), random.choice(reign)
    heir = major if random.random() < 0.9 else other
    said: Said
    match random.randrange(8):
        case 0:
            said = MarryMinor(heir, near(), kind)
        case 1:
            said = MarryHeir(heir, other, near() if random.random() < 0.9 else "")
        case 2 if position.phase is Phase.WINTER or random.random() < 0.1:
            said = BuildHeir(random.choice(["", near()]))
        case 3 if position.vassals:
            said = WaiveFor(random.choice([*position.vassals]))
        case 4 | 5 if position.phase is Phase.ORDERS:
            wish = any_order(random, field) if random.random() < 0.8 else Marry(Named(kind, near()), other)
            if not isinstance(wish, Build | Disband | Waive):  # nobody can write such a bid
                return "bids", speech.write_bid(Offer(1, wish), field.names())
            said = wish
        case _:
            said = any_order(random, field)
    return "orders", speech.write(said, field.names())


def reason_of(position: Position, major: str, key: str, line: str) -> str:
    """What `check` says of the only line of a sheet, without the order or unit that it names before; empty if it is legal."""
    sheet = Sheet(bids=(line,)) if key == "bids" else Sheet(orders=(line,))
    units = [unit for names in position.units.values() for unit in names]
    for remark in check(position, major, sheet):
        if remark.level == "error" and remark.place in ((key, 0), ("orders",)):
            named = next(
                (
                    name
                    for name in (line.removeprefix("1 DP to "), "Waive", *units)
                    if remark.what.startswith(f"{name}: ")
                ),
                "",
            )
            return remark.what.removeprefix(f"{named}: ")
    return ""


def compare(table: Objections, position: Position, major: str, key: str, line: str) -> str:
    """Checks that the table says of a line what `check` says, or nothing where it is named that it does not; what it says."""
    reason = reason_of(position, major, key, line)
    told = objection_to(table, major, line)
    if told != reason and not reason:
        # The desk does not ask about lines that are listed.
        assert (
            line in {listed for sheet in options(position, major) for listed in (*sheet.orders, *sheet.bids)}
            or told is None
        )
        return "legal"
    if told is None:
        assert "/" in line or reason.startswith((*UNSAID, *BY_SHEET)), (line, reason)
        return "unsaid"
    assert told == reason, line
    return told


def pattern_of(what: str) -> str:
    """A regular expression for a sentence, whoever and whichever Winter it speaks of."""
    return re.sub(r"\\ \d+,", r" \\d+,", ".+".join(map(re.escape, BLANK.sub("\0", what).split("\0"))))


def rare() -> Iterator[tuple[Position, str, str, str]]:
    """Lines that chance hardly meets: a position, a Major, and the line with its key."""
    start = starting_position(Settings())
    units = {**start.units, "Dokkalfar": start.units["Dokkalfar"][:2], "Vanir": ("A Svartalfheim",), "Suomi": ()}
    centres = {**start.centres, "Aesir": (*start.centres["Aesir"], "Suomi"), "Suomi": ()}
    yield (
        replace(start, season=Season.AUTUMN, units=units, centres=centres),
        "Aesir",
        "orders",
        "Heir Aesir Marry Heir Dokkalfar at Suomi",
    )
    winter = replace(start, season=Season.WINTER, phase=Phase.WINTER, cycle=3, heirs=(), built={"Menn": 2})
    yield winter, "Menn", "orders", "Build Heir"
    yield replace(start, heirs=("Aesir",)), "Aesir", "bids", "1 DP to F Permyak Marry Heir Dokkalfar"


def test_the_table_says_what_check_says() -> None:
    """Of every reason that it has there is a line for which it says it."""
    random, said, phases, words = Random(15), Counter[str](), Counter[Phase](), set[str]()
    for position, major, key, line in rare():
        said[compare(objections(position), position, major, key, line)] += 1
    assert not {"legal", "unsaid"} & {*said}
    for position in positions():
        table = objections(position)
        phases[position.phase] += 1
        words |= {one.what for one in table.table if OWN.search(one.what)}
        for major in majors(position.settings):
            for _ in range(LINES if major in living(position) else 2):
                said[compare(table, position, major, *any_line(random, position, major))] += 1
    assert {*phases} == {*Phase}
    assert said["unsaid"] < said.total() / 50
    never = [what for what in sorted(words) if not any(re.fullmatch(pattern_of(what), told) for told in said)]
    assert "\n".join(never) == ""
