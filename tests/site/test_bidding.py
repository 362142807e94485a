"""Bids, weddings and Vassals at the order desk in a real browser: whatever is composed there, the archive reads without a fault."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.text.codec import decode
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.data import Carried
from adjudicator.core.turn.files import open_files
from adjudicator.core.turn.judge import open_turn
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.saga_of_the_nine.desk import BIDDING, beside
from adjudicator.rulesets.saga_of_the_nine.options import check, open_to_bids, wishes_for
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Position, Settings, living, majors, purse_of
from adjudicator.site.mkdocs.build import build
from tests.conftest import FUZZ, first_of
from tests.site.conftest import COLOURS, empty_site, opened, serious, served, tap
from tests.site.test_desk import tab_to, take

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data/saga"

OPENING, AUTUMN, RETREATS, WINTER, HELD, PLAYED = "opening", "autumn", "retreats", "winter", "capital-held", "played"
STORED = (AUTUMN, RETREATS, WINTER)
"""The games with a position in `tests/data/saga`: tests that name its seats must not depend on how stand-ins play."""
TURNS = 9
"""Number of turns that stand-ins have played in the game that no test looks into."""


def bids_for(beside: Beside, seat: SeatId) -> Iterator[str]:
    """Every bid of one coin that the desk can write for a seat."""
    purse = beside.purses.get(seat)
    if beside.bidding is None or purse is None:
        return
    for unit in purse.weights:
        for wish in beside.pieces[unit].wishes:
            yield beside.bidding.line(1, f"{unit} {wish}")


class Made(NamedTuple):
    """An archive with its site."""

    archive: Archive
    site: Path
    address: str

    def desk(self, slug: str, seat: str) -> str:
        return f"{self.address}desk.html#{slug}/{seat}"

    def position(self, slug: str) -> Any:
        """The position at the start of the game's open turn."""
        return load_turn(self.archive, load_game(self.archive, slug), self.archive.turns(slug)[-1]).data.position

    def data(self, slug: str) -> Any:
        return json.loads((self.site / f"games/{slug}/desk.json").read_text("utf-8"))


def begin_with(archive: Archive, slug: str, position: Position) -> None:
    """Lets a game begin with another position than its ruleset's."""
    (first,) = archive.turns(slug)
    game = load_game(archive, slug)
    shutil.rmtree(archive.game_folder(slug) / first)
    data = open_turn(game, 1, position, None, Carried())
    folder = archive.game_folder(slug) / data.turn
    folder.mkdir()
    for name, content in open_files(game, data, None).items():
        (folder / name).write_bytes(content)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """Sagas at the opening, in an Autumn with heirs, in retreats and a Winter with Vassals, with a stranger in a Capital, and later in a game."""
    folder = empty_site(tmp_path_factory.mktemp("archive"))
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\nrepository: example/games\n')
    archive = Archive(folder)
    reign = majors(Settings())
    for slug in (OPENING, *STORED, HELD, PLAYED):
        seats = {major: {"player": f"Player {at}"} for at, major in enumerate(reign)}
        data = {"ruleset": "saga_of_the_nine", "title": slug, "opened": "2026-11-20", "seats": seats}
        new_game(archive, slug, data)
        list(play(archive, slug, reign, "2", "2026-11-20T18:00Z", TURNS if slug == PLAYED else 0))
    start: Position = load_turn(archive, load_game(archive, HELD), archive.turns(HELD)[-1]).data.position
    units = {
        **start.units,
        "Dokkalfar": start.units["Dokkalfar"][:-1],
        "Vanir": ("A Svartalfheim", *start.units["Vanir"][1:]),
    }
    begin_with(archive, HELD, replace(start, units=units))
    for slug in STORED:
        begin_with(archive, slug, decode(Position, read((DATA / f"{slug}.yaml").read_bytes(), slug)))
    site = build(folder, folder / "public").parent
    with served(site) as address:
        yield Made(archive, site, address)


def bid(page: Page, *words: str) -> None:
    """Picks the target of a bid by its lines, then the number."""
    for words_ in words[:-1]:
        page.locator(f'.pick[data-wish="{words_}"]').click()
    take(page, words[-1])


def bids(page: Page) -> list[str]:
    """The rows of the list of bids, each with its remarks."""
    return page.locator(".bids .order").all_inner_texts()


def sheet_of(page: Page) -> str:
    """The sheet that the desk makes."""
    page.get_by_role("button", name="Make my sheet").click()
    page.locator(".result").wait_for()
    return page.locator("#sheet-text").input_value()


def faults(made: Made, slug: str, major: str, text: str) -> list[str]:
    """Faults that the archive finds in a sheet from the desk."""
    given = decode(Sheet, read(text.encode(), "sheet.yaml"))
    return [str(remark.what) for remark in check(made.position(slug), major, given) if remark.level == "error"]


# Bids ---------------------------------------------------------------------------------------------------------------


def test_bids_can_be_made_on_the_map_and_from_the_list(browser: Browser, made: Made) -> None:
    """A unit, its order, the number: each line is written at once, the purse is counted down, and Undo takes one line back."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        expect(page.locator(".left-over strong")).to_have_text("3 of 3 DP left")
        tap(page, "Permyak")
        expect(page.locator(".picker h2")).to_have_text("Bid on F Permyak")
        expect(page.locator('.pick[data-wish="F Permyak - Ylg"]')).to_have_text(
            "F Permyak Move to Ylg a sortie, which never enters"
        )
        expect(page.locator('.pick[data-wish="F Permyak Marry Heir Vanir"]')).to_have_text(
            "F Permyak Marry the heir of Vanir"
        )
        tap(page, "Svartalfheim", "Ylg")
        expect(page.locator(".picker h2")).to_have_text("How many DP?")
        expect(page.locator(".picker .trail")).to_contain_text("F Permyak: Support F Svartalfheim to Ylg")
        take(page, "1 DP to F Permyak S F Svartalfheim - Ylg")
        assert bids(page) == ["1 DP to F Permyak S F Svartalfheim - Ylg"]
        expect(page.locator(".left-over strong")).to_have_text("2 of 3 DP left")
        expect(page.locator("#live")).to_contain_text("written. 2 of 3 DP left.")
        expect(page.locator("#field-bids")).to_have_value("1 DP to F Permyak S F Svartalfheim - Ylg")
        page.locator(".bids summary", has_text="Bid on a unit (22)").click()
        page.get_by_role("button", name="A Bjarmaland, a Minor").click()
        bid(page, "A Bjarmaland - Permyak", "2 DP to A Bjarmaland - Permyak")
        expect(page.locator(".left-over strong")).to_have_text("0 of 3 DP left")
        tap(page, "Mangazeya", "Mangazeya")  # tapped twice it holds
        take(page, "1 DP to A Mangazeya H")
        assert bids(page)[2] == (
            "1 DP to A Mangazeya H\nYou have 3 DP and bid 4: this bid will not count (S9-D-14). 0 DP left for it."
        )
        expect(page.locator("#undone")).to_have_text("1 DP to A Mangazeya H")
        page.get_by_role("button", name="Undo").click()
        assert bids(page) == ["1 DP to F Permyak S F Svartalfheim - Ylg", "2 DP to A Bjarmaland - Permyak"]
        for order in ("F Svartalfheim - Ylg", "F Amsvartnir H", "A Myrkvid H"):
            page.get_by_label("Or type an order").fill(order)
            page.keyboard.press("Enter")
        text = sheet_of(page)
        assert read(text.encode(), "sheet.yaml").data == {
            "orders": ["F Amsvartnir H", "A Myrkvid H", "F Svartalfheim - Ylg"],
            "bids": ["1 DP to F Permyak S F Svartalfheim - Ylg", "2 DP to A Bjarmaland - Permyak"],
        }
        assert faults(made, OPENING, "Dokkalfar", text) == []


@pytest.mark.parametrize(
    "lines",
    first_of([
        ["3 DP to F Permyak H", "1 DP to A Bjarmaland H"],
        ["1 DP to F Permyak H", "1 DP to F Permyak - Ylg", "3 DP to A Bjarmaland H"],
        ["2:f permyak s f svartalfheim", "1 permyak support svartalfheim", "1 DP to Bjarmaland weds Dokkalfar"],
        ["0 DP to F Permyak H", "2 DP to F Permyak H", "2 DP to A Bjarmaland H", "1 dp to A Merya h"],
        ["1 DP to F Permyak M Heir Aesir", "1 DP to F Permyak Marry Heir Aesir", "1 to F Permyak marries the heir of Aesir"],
    ], 1),
)  # fmt: skip
def test_typed_bids_get_the_same_remarks_as_from_check(browser: Browser, made: Made, lines: list[str]) -> None:
    """An overdrawn purse, two orders for one unit, a bid of nothing: each has the archive's sentence, and the lines stay as typed."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        page.locator(".bids summary", has_text="Write bids by hand").click()
        page.locator("#field-bids").fill("\n".join(lines))
        said = [row.partition("\n")[2] for row in bids(page)]
        text = sheet_of(page)
        given = read(text.encode(), "sheet.yaml").data
        assert given == {"bids": lines}
        remarks = {
            remark.place[1]: _sentence(remark)
            for remark in check(made.position(OPENING), "Dokkalfar", Sheet(bids=tuple(lines)))
            if remark.place[0] == "bids" and remark.level == "error"
        }
        assert said == [remarks.get(at, "") for at in range(len(lines))]


def _sentence(remark: Remark) -> str:
    """A remark in the desk's words."""
    return " ".join(f"{words[0].upper()}{words[1:]}." for words in (remark.what, remark.right) if words)


def test_bids_can_be_changed_and_removed(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        page.locator(".bids summary", has_text="Write bids by hand").click()
        page.locator("#field-bids").fill("\n2:f permyak h\n  1 DP to A Bjarmaland H")
        page.get_by_role("button", name="Change 2:f permyak h").click()
        bid(page, "F Permyak - Ylg", "1 DP to F Permyak - Ylg")
        expect(page.locator("#field-bids")).to_have_value("\n1 DP to F Permyak - Ylg\n  1 DP to A Bjarmaland H")
        tap(page, "Permyak")
        expect(page.locator(".picker .note")).to_have_text("You already have a bid on it: 1 DP to F Permyak - Ylg.")
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Remove 1 DP to A Bjarmaland H").click()
        assert bids(page) == ["1 DP to F Permyak - Ylg"]
        expect(page.locator("#live")).to_contain_text("removed. 2 of 3 DP left.")


def test_an_attack_voids_a_bid_and_the_desk_says_so(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        tap(page, "Permyak", "Permyak")
        take(page, "2 DP to F Permyak H")
        tap(page, "Svartalfheim", "Permyak")  # the unit is chosen: the next tap is its destination
        assert bids(page) == [
            "2 DP to F Permyak H\nYou attack Permyak, so your bid on it is void (S9-D-15). Leave one of the two out."
        ]


def test_a_thralls_controller_sees_what_the_number_counts(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(AUTUMN, "dokkalfar"))
        tap(page, "Novaya Zemlya", "Novaya Zemlya")
        expect(page.locator(".picker")).to_contain_text("Each of your DP counts 3 here (S9-D-11).")
        expect(page.locator('.pick[data-line^="2 DP"]')).to_have_text("2 DP counts 6")
        take(page, "2 DP to F Novaya Zemlya H")
        assert bids(page) == ["2 DP to F Novaya Zemlya H counts 6"]


def test_a_bid_can_be_made_with_only_the_keyboard(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        expect(page.locator(".bids")).to_be_visible()
        page.locator(".bids summary").first.press("Enter")
        page.get_by_role("button", name="F Permyak, a Minor").press("Enter")
        expect(page.locator("h2:focus")).to_have_text("Bid on F Permyak")
        tab_to(page, "F Permyak Hold")
        page.keyboard.press("Enter")
        expect(page.locator("h2:focus")).to_have_text("How many DP?")
        tab_to(page, "1 DP")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#live")).to_contain_text("2 DP to F Permyak H: written. 1 of 3 DP left.")
        assert bids(page) == ["2 DP to F Permyak H"]
        page.keyboard.press("Control+z")
        assert bids(page) == []


# Weddings -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_for_a_wedding_the_desk_asks_for_its_bid(browser: Browser, made: Made) -> None:
    """The heir is an entry of the list; once a spouse is chosen, the desk asks for the bid for their yes."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        page.get_by_role("button", name="My heir has no order").click()
        expect(page.locator(".picker h2")).to_have_text("Order my heir")
        tap(page, "Permyak")
        expect(page.locator(".picker h2")).to_have_text("And bid for it")
        expect(page.locator('.pick[data-line^="2 DP"]')).to_have_text("And: 2 DP to F Permyak Marry Heir Dokkalfar")
        take(page, "2 DP to F Permyak Marry Heir Dokkalfar")
        expect(page.locator(".panel:not(.bids) .orders .order")).to_have_text(["Heir Dokkalfar Marry Permyak"])
        page.get_by_role("button", name="Change Heir Dokkalfar Marry Permyak").click()
        take(page, "Heir Dokkalfar Marry Bjarmaland")  # in its place
        page.get_by_role("button", name="Not now").click()
        expect(page.locator(".panel:not(.bids) .orders .order")).to_have_text(["Heir Dokkalfar Marry Bjarmaland"])
        page.get_by_role("button", name="Undo").click()
        text = sheet_of(page)
        assert read(text.encode(), "sheet.yaml").data == {
            "orders": ["Heir Dokkalfar Marry Permyak"],
            "bids": ["2 DP to F Permyak Marry Heir Dokkalfar"],
        }
        assert faults(made, OPENING, "Dokkalfar", text) == []


@pytest.mark.long
def test_the_desk_offers_suitable_weddings_for_an_heir_in_autumn(browser: Browser, made: Made) -> None:
    """Suitable places are offered; an heir's order does not replace that of a unit in such a place."""
    with opened(browser) as page:
        page.goto(made.desk(AUTUMN, "zwergar"))
        tap(page, "Kitlineq", "Kitlineq")
        expect(page.locator(".panel:not(.bids) .orders .order")).to_have_text(["A Kitlineq H"])
        page.get_by_role("button", name="My heir has no order").click()
        expect(page.locator(".picker summary")).to_have_text(["Minors (6)", "The heir of Ljosalfar (2)"])
        tap(page, "Kitlineq")
        expect(page.locator(".panel:not(.bids) .orders .order")).to_have_text(
            ["A Kitlineq H", "Heir Zwergar Marry Heir Ljosalfar at Kitlineq"]
        )
        text = sheet_of(page)
        assert faults(made, AUTUMN, "Zwergar", text) == []


@pytest.mark.parametrize(("slug", "seat"), first_of([(HELD, "Dokkalfar"), (AUTUMN, "Dokkalfar")], 1))
def test_the_desk_explains_why_there_is_no_wedding(browser: Browser, made: Made, slug: str, seat: str) -> None:
    """A stranger occupies the Capital, or nobody is an heir: in the words of `check`."""
    with opened(browser) as page:
        page.goto(made.desk(slug, seat.lower()))
        why = page.locator(".orders .open", has_text="My heir").inner_text()
        (remark,) = [
            remark
            for remark in check(made.position(slug), seat, Sheet(orders=(f"Heir {seat} Marry Bjarmaland",)))
            if remark.place == ("orders", 0)
        ]
        assert re.search(r"\(S9-M-[45]\)", remark.what)
        assert why.split("My heir: ")[1] == _sentence(remark)


# Vassals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", first_of(["Menn", "Zwergar"], 1))
def test_both_controllers_can_order_a_vassals_build(browser: Browser, made: Made, seat: str) -> None:
    with opened(browser) as page:
        page.goto(made.desk(WINTER, seat.lower()))
        expect(page.locator(".bids, #field-bids")).to_have_count(0)  # bids are for phases of orders
        whose = "vMZ, a Vassal of Menn and Zwergar"
        expect(page.locator('.pick[data-line="Build A Aliaska"]')).to_have_text(f"Build A Aliaska ({whose})")
        expect(page.locator('.pick[data-line="Waive vMZ"]')).to_have_text(f"Waive vMZ ({whose})")
        take(page, "Build A Aliaska")
        expect(page.locator(".orders .order")).to_have_text(f"Build A Aliaska ({whose})")
        text = sheet_of(page)
        assert read(text.encode(), "sheet.yaml").data == {"orders": ["Build A Aliaska"]}
        assert faults(made, WINTER, seat, text) == []


@pytest.mark.parametrize("seat", first_of(["Eldjotnar", "Aesir"], 1))
def test_both_controllers_can_order_a_vassals_retreat(browser: Browser, made: Made, seat: str) -> None:
    with opened(browser) as page:
        page.goto(made.desk(RETREATS, seat.lower()))
        whose = "vEA, a Vassal of Eldjotnar and Aesir"
        page.get_by_role("button", name=f"A Kolyma ({whose}) has no order").click()
        take(page, "A Kolyma - Nastrond")
        expect(page.locator(".orders .order")).to_have_text(f"A Kolyma - Nastrond ({whose})")
        text = sheet_of(page)
        assert read(text.encode(), "sheet.yaml").data == {"orders": ["A Kolyma - Nastrond"]}
        assert faults(made, RETREATS, seat, text) == []


# Everywhere ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), first_of([(390, "dark"), (1280, "light")], 1))
def test_the_panels_are_accessible_and_narrow(browser: Browser, made: Made, width: int, scheme: str) -> None:
    with opened(browser, width, 844, color_scheme=scheme, has_touch=width < 1000) as page:
        only = COLOURS if scheme == "dark" else ()

        def looks_well() -> None:
            assert serious(page, only=only) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width

        page.goto(made.desk(AUTUMN, "ljosalfar"))
        tap(page, "Tunguska")
        looks_well()
        page.locator('.pick[data-wish="A Tunguska H"]').click()
        looks_well()
        take(page, "3 DP to A Tunguska H")
        page.get_by_role("button", name="My heir has no order").click()
        looks_well()
        page.locator(".pick", has_text="Marry Bjarmaland").click()
        looks_well()
        take(page, "1 DP to A Bjarmaland Marry Heir Ljosalfar")
        for summary in page.locator(".bids summary").all():
            summary.click()
        looks_well()


# Without a browser --------------------------------------------------------------------------------------------------


def test_seats_share_one_list_of_possible_bids(made: Made) -> None:
    """Seats' options do not repeat the bids, and the file stays small."""
    data = made.data(OPENING)
    assert all("bids" not in seat["options"] for seat in data["seats"])
    assert set(data["beside"]["pieces"]) == set(data["beside"]["purses"]["Aesir"]["weights"])
    assert len(json.dumps(data["beside"], separators=(",", ":"))) < 30_000
    assert data["beside"]["bidding"]["key"] == BIDDING.key


def test_exactly_the_legal_bids_can_be_composed(made: Made) -> None:
    """By `check` and by `wishes_for`, in every other turn of a game and for every Major."""
    rules = find("saga_of_the_nine")
    game = load_game(made.archive, PLAYED)
    counted = 0
    for name in made.archive.turns(PLAYED)[:: 1 if FUZZ else 2]:
        position: Position = load_turn(made.archive, game, name).data.position
        offered = beside(position)
        assert (offered.bidding is None) == (position.phase is not Phase.ORDERS)
        if position.phase is not Phase.ORDERS:
            continue
        for major in living(position):
            wishes = [wish for power in open_to_bids(position, major) for wish in wishes_for(position, power)]
            lines = list(bids_for(offered, major))
            assert sorted(lines) == sorted(f"1 DP to {wish}" for wish in wishes)
            assert sorted(lines) == sorted(
                line for sheet in rules.rules.options(position, major) for line in sheet.bids
            )
            for line in lines:
                sheet = Sheet(bids=(line,))
                assert [one for one in check(position, major, sheet) if one.level == "error"] == [], line
                assert rules.desk.canonical is not None
                assert rules.desk.canonical(position, line) == line
                counted += 1
            _persons_order_what_is_legal(position, major, offered)
    assert counted > 2_500


def _persons_order_what_is_legal(position: Position, major: str, offered: Beside) -> None:
    """Checks a Major's heir: exactly the legal orders, each with a legal bid for its yes."""
    rules = find("saga_of_the_nine")
    (person,) = offered.persons[major]
    orders = {person.head + order for group in person.groups for order in group.orders}
    legal = {line for sheet in rules.rules.options(position, major) for line in sheet.orders}
    assert orders == {line for line in legal if line.startswith("Heir ")}
    assert bool(orders) != bool(person.why)
    bids = {f"1 DP to {unit} {group.wish}" for group in person.groups for unit in group.units}
    assert bids <= set(bids_for(offered, major))
    for group in person.groups:
        assert bool(group.orders) != bool(group.why)
        assert len(group.units) in (0, len(group.orders))
        # UX-20: 22 Minors were in the order of the alphabet. The nearest come first.
        ground = position.ground
        near = ground.board.distances(place for place, owner in ground.owners.items() if owner == major)
        stands = {ground.board.unit_name(unit): place for place, (_, unit) in ground.units.items()}
        away = [near.get(stands[unit], len(near)) for unit in group.units]
        assert away == sorted(away)


READ = """
async ([data, seat, lines]) => {
  const { Bidding } = await import("/assets/desk/bidding.js");
  const bidding = Bidding.of(data, seat);
  return lines.map((line) => {
    const { amount, wish, fault } = bidding.read(line, 0);
    return fault || bidding.line(amount, wish.line);
  });
}
"""


@pytest.mark.long
def test_the_desk_reads_every_bid_that_it_can_compose(browser: Browser, made: Made) -> None:
    """Each bid is read as itself, in every kind of position."""
    with opened(browser) as page:
        page.goto(made.address + "desk.html")
        for slug in (OPENING, AUTUMN):
            position, data = made.position(slug), made.data(slug)
            for major in living(position):
                lines = list(bids_for(beside(position), major))
                assert page.evaluate(READ, [data, major, lines]) == lines
                assert data["beside"]["purses"][major]["holds"] == purse_of(position, major)
