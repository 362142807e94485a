"""Walking at the order desk: its tables agree with the season about a path, and a path is tapped hex by hex."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from adjudicator.core.contract.prices import plain_prices, price_of
from adjudicator.core.contract.ruleset import find
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.grand_campaign.acts import MOVES
from adjudicator.rulesets.grand_campaign.desk import GOLD, plans, prices, walks
from adjudicator.rulesets.grand_campaign.options import preview
from adjudicator.rulesets.grand_campaign.orders import SeasonSheet
from adjudicator.rulesets.grand_campaign.position import Phase, Position, Settings
from adjudicator.rulesets.grand_campaign.tables import FACTIONS
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

RULES = find("grand_campaign")
PATHS, LINES = 4, 700
SAID_BY_DESK = frozenset({"off-map", "barred", "foreign", "no-movement", "after", "not-skipping", "over-limit"})
"""Troubles of a walk that the desk can report; it knows nothing of armies in the way, of gold or of limits."""


def seasons() -> Iterator[Position]:
    """Openings of seasons from campaigns that stand-ins play, including armies of all factions."""
    for seed in range(PATHS):
        dice = NamedDice(f"walks {seed}".encode())
        position = RULES.rules.resolve(RULES.rules.setup(Settings(), dice), {}, dice).position
        for turn in range(3 + seed):
            chance = chance_of(str(seed), str(turn))
            sheets = {seat: write_sheet(RULES, position, seat, chance) for seat in sorted(RULES.rules.due(position))}
            position = RULES.rules.resolve(position, sheets, NamedDice(f"walks {seed} {turn}".encode())).position
        if position.phase is Phase.BATTLES:
            position = RULES.rules.resolve(position, {}, NamedDice(f"walks {seed} over".encode())).position
        assert position.phase is Phase.SEASON
        yield with_all_factions(position, Random(seed))


def with_all_factions(position: Position, random: Random) -> Position:
    """The openings with other factions' armies: walking depends on the army's faction (GC-I-1)."""
    armies = tuple(replace(army, faction=random.choice(sorted(FACTIONS))) for army in position.armies)
    return replace(position, armies=armies)


def lines_of(position: Position, random: Random) -> Iterator[tuple[str, str, str]]:
    """Seat, army and a line: steps that mostly lead somewhere, with an action on the way now and then."""
    simple = [form for form, kind in MOVES.kinds.items() if "{" not in form and kind not in {"step", "annex_territory"}]
    ways = [form for form, kind in MOVES.kinds.items() if kind == "step"]
    for army in position.armies:
        if army.at is None or army.rests:
            continue
        for _ in range(40):
            items = [random.choice(ways) for _ in range(random.randint(0, 9))]
            while random.random() < 0.4:
                items.insert(random.randint(0, len(items)), random.choice(simple))
            if items:
                yield army.owner, army.id, f"{army.id}: {', '.join(items)}"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """An empty page that can load the desk's modules."""
    page = browser.new_page()

    def serve(route: Route) -> None:
        path = ROOT / "site_src" / route.request.url.partition("//walks.test/")[2]
        if path.suffix == ".js":
            route.fulfill(body=path.read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>walks</title>", content_type="text/html")

    page.route("http://walks.test/**", serve)
    page.goto("http://walks.test/")
    yield page
    page.close()


FOLLOW = """async ([tables, lines]) => {
  const { Walking } = await import("/assets/desk/walks.js");
  return lines.map(([at, seat, line]) => {
    const walking = new Walking(tables[at], seat, "armies");
    const walk = walking.follow(line);
    const reach = [...walking.reach(walking.follow(line.split(":")[0] + ":"))];
    const far = reach.map(([place, ways]) => [place, walking.follow(walking.joined(line.split(":")[0] + ":", ways))]);
    const lost = far.filter(([place, one]) => one.fault || one.path.at(-1) !== place || one.spent > one.has);
    const best = far.find(([place]) => place === walk.path.at(-1))?.[1].spent ?? 0;
    return { best, path: walk.path, spent: walk.spent, fault: walk.fault || walk.left, lost: lost.length, reach: reach.length };
  });
}"""


def test_a_path_costs_what_the_desk_says(page: Page) -> None:
    """Path, Movement and the first fault of thousands of lines, compared with the season; hexes that the desk can reach can be reached."""
    positions = [*seasons()]
    tables = [asdict(found) for position in positions if (found := walks(position)) is not None]
    asked: list[tuple[int, str, str, Any]] = []
    for at, position in enumerate(positions):
        random = Random(at)
        for seat, id_, line in lines_of(position, random):
            army = next(one for one in position.armies if (one.owner, one.id) == (seat, id_))
            tried = preview(position, army, line)
            assert tried is not None, line
            asked.append((at, seat, line, (tried[0].marches[army.key], tried[1])))
    said = page.evaluate(FOLLOW, [json.loads(json.dumps(tables)), [[at, seat, line] for at, seat, line, _ in asked]])
    compared = faulty = 0
    for (at, seat, line, (march, troubles)), told in zip(asked, said, strict=True):
        reasons = {trouble.reason for trouble in troubles}
        assert told["lost"] == 0, (seat, line)
        if not reasons <= SAID_BY_DESK:
            continue
        compared += 1
        where = (at, seat, line, reasons, told)
        assert bool(told["fault"]) == bool(reasons), where
        faulty += bool(reasons)
        assert told["path"] == march.trail, where
        if not reasons:
            assert told["spent"] == march.spent, where
            # The desk's own path there takes no more, if this one had no actions.
            assert told["best"] <= march.spent, where
    assert compared > LINES
    assert faulty > LINES / 4
    assert sum(told["reach"] for told in said) > 10 * len(said)


def test_the_desks_prices_are_those_of_the_season() -> None:
    """The price of a line by the table is the price that an army pays for it (GC-O-20, GC-O-23, GC-O-32)."""
    paid = set()
    for position in seasons():
        for seat in position.plan.seats:
            table = prices(position, seat)
            assert table is not None
            json.dumps(plain_prices(table))
            rich = _rich(position, seat)
            for army in (one for one in position.armies if one.owner == seat and one.at is not None and not one.rests):
                for what in ("Build Road", "Construct Town", "Construct City", "Construct Mine", "Improve Fortress"):
                    found = preview(rich, army, f"{army.id}: {what}")
                    assert found is not None
                    if found[1]:
                        continue
                    took = rich.realms[seat].gold - found[0].world.gold[seat]
                    form = table.forms["{army}: {moves}"]
                    assert price_of(form, {"army": army.id, "moves": what}) == {GOLD: took}, (seat, what)
                    paid.add(what)
    assert {"Build Road", "Improve Fortress"} <= paid


def _rich(position: Position, seat: str) -> Position:
    realm = replace(position.realms[seat], gold=3500)
    return replace(position, realms={**position.realms, seat: realm})


def test_the_purse_includes_the_income_that_is_rolled() -> None:
    """With the cap: a player's gold when the season's spending begins, if nothing is traded (GC-Z-1, GC-B-3)."""
    for position in seasons():
        done = RULES.rules.resolve(position, {}, NamedDice(b"purse"))
        for seat in position.plan.seats:
            told = [event.purse for event in done.events if event.event == "income" and event.seat == seat]
            table = prices(position, seat)
            assert table is not None
            assert table.purse == {GOLD: told[0] if told else position.realms[seat].gold}


def test_check_shows_what_a_line_costs() -> None:
    """A note for a line without obstacles, step by step; a failing line has its warning, and no note."""
    dice = NamedDice(b"first")
    first = RULES.rules.resolve(RULES.rules.setup(Settings(), dice), {}, dice).position
    sheet = SeasonSheet(armies=("A1: NE, E, E, Claim Territory", "A2: NW, NW, NW", "G: Build Road"))
    said = {
        remark.place: (remark.level, remark.what, remark.right) for remark in RULES.rules.check(first, "Anna", sheet)
    }
    steps = "Grassland 1, Grassy Hills 2, Grassland 1, 1 for Actions"
    assert said["armies", 0] == ("note", f"5 of 10 Movement: {steps}", "it ends on 0803")
    assert said["armies", 1] == ("note", "4 of 10 Movement: Grassland 1, Sea 2, Sea 1", "it ends on 0104")
    assert said["armies", 2][0] == "warning"


def test_armies_that_take_no_orders_are_named_above_the_list() -> None:
    """A resting army does not walk, and one under the sand is on no hex (GC-V-4, GC-I-74)."""
    position = next(seasons())
    position = replace(position, armies=tuple(replace(army, rests=None) for army in position.armies))
    first, second, *others = position.armies
    resting, sunk = replace(first, rests=True), replace(second, at=None, sank=second.at)
    said = plans(replace(position, armies=(resting, sunk, *others))).told
    lines = [line for told in said.values() for line in told.get("armies", ())]
    assert lines == [
        f"{first.id} rests this season: it takes no orders.",
        f"{second.id} went under the sand on {second.at}: it can emerge.",
    ]
    assert not any(plans(position).told.values())
