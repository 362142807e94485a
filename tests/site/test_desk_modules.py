"""The desk's modules without the desk: run in one empty page, thousands of lines at a time, and compared with the archive."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route

from adjudicator.core.contract.cautions import plain_caution
from adjudicator.core.contract.forms import offered
from adjudicator.core.contract.lines import Lines, Misfit, Spelling, fill_form
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT, Place
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.what_if import table_at
from adjudicator.core.secrets.age import decrypt, new_identity, recipient_of
from adjudicator.core.secrets.envelope import Width, unpack
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.unseen import kind, ranges
from adjudicator.core.text.yamltext import WIDTH, Text, read
from adjudicator.core.turn.ahead import SealedList
from adjudicator.core.turn.desk import LIMITS, written, written_plans
from adjudicator.core.turn.desk_data import DeskFile
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.notation import Fault, Notation
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.diplomacy.options import legal_orders
from adjudicator.rulesets.diplomacy.orders import canonical_line
from adjudicator.rulesets.diplomacy.position import Position, field_of, notation_of
from adjudicator.rulesets.heir_apparent.desk import plans
from adjudicator.rulesets.heir_apparent.examples import Case, position_of
from adjudicator.rulesets.heir_apparent.orders import MOST_LETTERS, Step
from adjudicator.rulesets.heir_apparent.position import Phase, seen_by
from adjudicator.rulesets.heir_apparent.rounds import looked_at
from adjudicator.rulesets.heir_apparent.variables import Part
from adjudicator.site.desk import forge_ways, unseen_table
from adjudicator.site.desk_data import LessonEntry, LessonFile, OpenGame, UnseenTable
from tests.conftest import FUZZ, LINES, ROOT
from tests.judges import heir_turns
from tests.lines import SLIPS, filled_in
from tests.rulesets.noblesse_world import FORMS_OF_FARNA as FARNA
from tests.rulesets.test_heir_apparent_found import played
from tests.rulesets.test_heir_apparent_game import FIRST
from tests.site.conftest import ANYBODY, opened, served
from tests.tools.desk_types import PATH, fits, types_text

pytestmark = pytest.mark.slow

SEED, COUNT = 1901, 2000 if FUZZ else 200  # all of them in `nox -s fuzz`
TURNS = 1 if FUZZ else 5
"""Every TURNS-th turn of the archive is read."""
DRAWING: Final = {
    "about",
    "address",
    "after",
    "arrival",
    "bids",
    "board",
    "chooser",
    "combo",
    "desk",
    "dom",
    "dragging",
    "early",
    "filling",
    "form",
    "guide",
    "host",
    "inputs",
    "itself",
    "join",
    "keypage",
    "lesson",
    "main",
    "mine",
    "offering",
    "onfoot",
    "orders",
    "own",
    "pages",
    "picker",
    "planline",
    "planning",
    "pursebox",
    "result",
    "send",
    "standing",
    "store",
    "tapping",
    "typing",
    "unlock",
    "voice",
}
"""The modules that use the page, or the browser that shows it."""


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "site_src" / "assets" / "desk"


@pytest.fixture(scope="module")
def blank(browser: Browser, root: Path) -> Iterator[Page]:
    """An empty page beside the desk's modules."""
    with served(root / "site_src") as address, opened(browser) as page:
        page.route("**/blank.html", answer)
        page.goto(address + "blank.html")
        yield page


def answer(route: Route) -> None:
    route.fulfill(
        body='<!doctype html><html lang="en"><title>blank</title><link rel="icon" href="data:,">',
        content_type="text/html",
    )


# The files --------------------------------------------------------------------------------------------------------


def test_every_module_is_type_checked_and_requested_at_once(folder: Path) -> None:
    """`nox -s desk` checks the types of files that ask for it; the page names all of them, since otherwise they would load one after another."""
    names = sorted(path.stem for path in folder.glob("*.js"))
    assert [name for name in names if not (folder / f"{name}.js").read_text("utf-8").startswith("// @ts-check\n")] == []
    page = (folder.parent.parent / "desk.html").read_text("utf-8")
    asked_first = ["address", "store"]  # Both are imported by `early`.
    assert re.findall(r'<link rel="modulepreload" href="assets/desk/(\w+)\.js">', page) == [
        *asked_first, *(one for one in names if one not in ("main", "early", *asked_first)),
    ]  # fmt: skip
    assert re.findall(r'src="assets/desk/(\w+)\.js"', page) == ["early", "main"]
    assert max(len((folder / f"{name}.js").read_text("utf-8").splitlines()) for name in names) < 400


def test_modules_that_read_and_write_sheets_do_not_use_the_page(folder: Path) -> None:
    names = {path.stem for path in folder.glob("*.js")}
    assert names > DRAWING
    seen = re.compile(r"\b(document|window|localStorage|location|navigator|alert|fetch)\b")
    for name in sorted(names - DRAWING):
        lines = (folder / f"{name}.js").read_text("utf-8").splitlines()
        code = [line for line in lines if not re.match(r"\s*(//|/\*\*|\*)", line)]
        assert [line for line in code if seen.search(line)] == [], name
        loaded = {one for line in code for one in re.findall(r'from "\./(\w+)\.js"', line)}
        assert not loaded & DRAWING, name


def test_the_types_match_the_data() -> None:
    assert PATH.read_text("utf-8") == types_text(), "write them again: nox -s desk -- --write"


def test_data_that_the_site_writes_has_these_types(site: Path) -> None:
    desks = sorted(site.glob("games/*/desk.json"))
    assert desks
    for path in desks:
        assert fits(json.loads(path.read_text("utf-8")), DeskFile), path
    games = json.loads((site / "games/desks.json").read_text("utf-8"))
    assert fits(games, list[OpenGame])
    assert sorted(one["game"] for one in games) == sorted(path.parent.name for path in desks)
    lessons = json.loads((site / "lessons/lessons.json").read_text("utf-8"))
    assert fits(lessons, list[LessonEntry])
    files = {path.relative_to(site / "lessons") for path in site.glob("lessons/*/*.json")}
    assert files == {Path(f"{one['lesson']}.json") for one in lessons}
    for path in files:
        assert fits(json.loads((site / "lessons" / path).read_text("utf-8")), LessonFile), path
    table = json.loads((site / "assets/unseen.json").read_text("utf-8"))
    assert fits(table, UnseenTable)
    assert not fits(table | {"more": 1}, UnseenTable)
    assert not fits({**table, "names": 1}, UnseenTable)


# Lines ------------------------------------------------------------------------------------------------------------

JUDGE = """
async ([data, legal, lines]) => {
  const { Reader } = await import("/assets/desk/reader.js");
  const { tidy } = await import("/assets/desk/text.js");
  const reader = new Reader(data, legal);
  const start = performance.now();
  const judged = lines.map((line) => {
    const { line: read, unknown, meant, open } = reader.judge(tidy(line));
    return {
      line: read, meant: meant.map((one) => one.line), open: open ?? [],
      unknown: unknown.map((one) => one.given), near: unknown.map((one) => one.near ?? null),
      words: unknown.map((one) => reader.wordsOf(one)),
    };
  });
  return { judged, time: performance.now() - start };
}
"""


def judge(page: Page, data: Mapping[str, Any], legal: Sequence[str], lines: Sequence[str]) -> list[dict[str, Any]]:
    """How the desk reads each line."""
    told = page.evaluate(JUDGE, [data, list(legal), list(lines)])
    judged: list[dict[str, Any]] = told["judged"]
    assert len(judged) == len(lines)
    return judged


def spoken(notation: Notation) -> dict[str, Any]:
    """A board's names and spellings, as sent to the desk."""
    names = sorted(province.name for province in notation.board.provinces.values())
    seats = [{"name": power} for power in notation.board.powers]
    return {"names": names, "seats": seats, "spelling": asdict(notation.spelling()), "lines": None, "limits": LIMITS}


def formed(lines: Lines) -> dict[str, Any]:
    """Forms of orders, as sent to the desk."""
    spelling = asdict(Spelling(words={}))
    return {"names": [], "seats": [], "spelling": spelling, "lines": written(lines), "limits": LIMITS}


@pytest.mark.parametrize("board", ["standard", "taifas"])
def test_the_lines_of_the_corpus_are_read_on_a_board(blank: Page, board: str) -> None:
    """If only the intended orders were legal, the desk would find each of them, and none in lines that the archive refuses."""
    lines = LINES[board]
    legal = sorted({one["is"] for one in lines if "is" in one})
    judged = judge(blank, spoken(notation_of(board)), legal, [one["line"] for one in lines])
    for line, told in zip(lines, judged, strict=True):
        if "is" in line:
            assert (told["line"], told["meant"], told["unknown"]) == (line["is"], [line["is"]], []), line
        else:
            assert told["meant"] == ([line["desk_reads"]] if "desk_reads" in line else []), (line, told)
            assert [*told["unknown"], None][0] == line.get("desk"), (line, told)
            assert [*told["near"], None][0] == line.get("near"), (line, told)


def test_the_lines_of_the_corpus_are_read_by_their_forms(blank: Page) -> None:
    lines = LINES["farna"]
    assert {FARNA.read(one["is"])[0] for one in lines if "is" in one} == set(FARNA.shown)  # type: ignore[index]  # those that are read
    for line, told in zip(lines, judge(blank, formed(FARNA), [], [one["line"] for one in lines]), strict=True):
        if "is" in line:
            assert (told["line"], told["unknown"]) == (line["is"], []), line
        else:
            assert (told["unknown"], told["near"]) == ([line["desk"]], [line.get("near")]), (line, told)


# Thousands of them -------------------------------------------------------------------------------------------------

ARROWS = ("-", "->", "to", "→", "–", "moves to", "m", "attacks", "=>")


def mutated(dice: random.Random, line: str, spelling: Spelling, names: Sequence[str]) -> str:
    """A line as somebody might write it: other spellings and case, words left out, added, or mistyped."""
    said: dict[str, list[str]] = {}
    for phrase, token in spelling.words.items():
        said.setdefault(token, []).append(phrase)
    parts = re.split("|".join(["( - | via convoy$|/[NSEW]C)", *(rf"(\b{re.escape(one)}\b)" for one in names)]), line)
    words = []
    for part in filter(None, (part and part.strip() for part in parts)):
        for token in [part] if part in said else part.split():
            choices = list(ARROWS) if token == "-" else said.get(token, [])
            word = dice.choice(choices) if choices and dice.random() < 0.5 else token
            if not (len(token) == 1 and token in "AF" and dice.random() < 0.2):
                words.append(word)
    match dice.randrange(12):
        case 0 if spelling.owners:
            words.insert(0, dice.choice(spelling.owners))
        case 1:
            words.pop(dice.randrange(len(words)))
        case 2:
            at = dice.randrange(len(words))
            word = words[at]
            cut = dice.randrange(len(word))
            words[at] = word[:cut] + dice.choice(SLIPS) + word[cut + dice.randrange(2) :]
        case 3:
            dice.shuffle(words)
        case 4:
            words.append(dice.choice(("h", "via convoy", "the", dice.choice(names), ".", ";")))
        case 5:
            at = dice.randrange(len(words))
            words[at] = words[at][: max(3, len(words[at]) // 2)]
    text = (" " if dice.random() < 0.9 else "  ").join(words)
    return dice.choice((text, text.lower(), text.upper(), text.title()))


def positions() -> Iterator[tuple[str, Position]]:
    """A start, and positions of every phase in games that stand-ins play."""
    start = diplomacy.position.starting_position(diplomacy.position.Settings())
    yield "spring", start
    dice = random.Random(SEED)
    position, met = start, {start.phase}
    for _ in itertools.count():
        sheets = {}
        field = field_of(position)
        for power in diplomacy.seats(position.settings):
            orders: dict[str, str] = {}
            for order in legal_orders(field, position, power):
                if dice.random() < 0.3:
                    line = field.notation.write(order, field.names())
                    orders[" ".join(line.split()[:2])] = line
            sheets[power] = diplomacy.orders.Sheet(orders=tuple(orders.values()))
        position = find("diplomacy").rules.resolve(position, sheets, None).position  # type: ignore[arg-type]  # it rolls no dice
        if position.phase not in met or len(met) == 3:
            met.add(position.phase)
            yield position.phase.value, position
        if len(met) == 3 and position.phase is diplomacy.Phase.MOVEMENT:
            return


def coastless(line: str) -> str:
    """A move without the coast of its destination."""
    return re.sub(r"(?<= - )([^/]+)/[NSEW]C$", r"\1", line)


def test_thousands_of_lines_are_read_as_the_archive_reads_them(blank: Page) -> None:
    """A line that the desk calls a legal order is read by the archive; a line that the archive reads as a legal order is found by the desk."""
    dice, total, legal_ones = random.Random(SEED), 0, 0
    wrong: list[tuple[Any, ...]] = []
    for name, position in positions():
        field = field_of(position)
        data = spoken(field.notation)
        spelling = field.notation.spelling()
        for power in diplomacy.seats(position.settings):
            legal = [field.notation.write(order, field.names()) for order in legal_orders(field, position, power)]
            if not legal:
                continue
            lines = [mutated(dice, dice.choice(legal), spelling, data["names"]) for _ in range(COUNT)]
            for line, told in zip(lines, judge(blank, data, legal, lines), strict=True):
                right = field.notation.read(line)
                text = None if isinstance(right, Fault) else canonical_line(field, line)
                if text in legal:
                    agrees = told["meant"] == [text]
                elif len(told["meant"]) == 1:
                    # It corrects lines that the archive refuses, before the player's eyes, names the only coast, and lets a fleet sail by
                    # itself: "via convoy" changes nothing for one.
                    alone = text.removesuffix(" via convoy") if text is not None and text.startswith("F ") else text
                    agrees = text is None or coastless(told["meant"][0]) in (text, alone)
                else:
                    readable = text is not None and not told["unknown"] and not told["meant"]
                    agrees = not readable or canonical_line(field, told["line"]) == text
                if not agrees:
                    wrong.append((name, power, line, text, told))
                legal_ones += text in legal
            total += len(lines)
    assert wrong == [], "\n".join(map(str, wrong))
    assert total >= 2.5 * COUNT
    assert legal_ones > total / 2


def test_thousands_of_lines_are_read_by_their_forms(blank: Page) -> None:
    dice = random.Random(SEED)
    lines = [filled_in(dice, FARNA, dice.choice(FARNA.shown)) for _ in range(3 * COUNT)]
    wrong, right = [], 0
    for line, told in zip(lines, judge(blank, formed(FARNA), [], lines), strict=True):
        read_as = FARNA.read(line)
        text = None if isinstance(read_as, Misfit) else fill_form(*read_as)
        right += text is not None
        if (text, text is None) != (None if told["unknown"] else told["line"], bool(told["unknown"])):
            wrong.append((line, read_as, told))
    assert wrong == [], "\n".join(map(str, wrong))
    assert right > len(lines) / 2


HELD = """
async (asked) => {
  const { heldOf, told } = await import("/assets/desk/fields.js");
  const { ordersFieldOf } = await import("/assets/desk/draft.js");
  return asked.map(({ form, sheet }) => Object.fromEntries(form
    .filter((field) => field !== ordersFieldOf({ form }) && field.key in sheet)
    .map((field) => [field.key, told(field, JSON.parse(JSON.stringify(heldOf(field, sheet[field.key]) ?? null)) ?? undefined) ?? null])));
}
"""


def test_judged_sheets_are_read_into_the_desk_and_written_back(blank: Page, root: Path) -> None:
    """A table begins with the sheets of its turn: each field reads its own content back, at any depth."""
    archive, tables = Archive(root), []
    asked: list[dict[str, Any]] = []
    for slug in archive.slugs():
        game = load_game(archive, slug)
        for turn in archive.turns(slug)[::TURNS] if game.data.kind is not GameKind.RECORD else ():
            if load_turn(archive, game, turn).data.status != "open":
                table = table_at(archive, slug, turn)
                for seat, text in table.played.items():
                    (form,) = table.desk(seat)[0]["forms"]
                    asked.append({"form": form, "sheet": read(text.encode(), seat).data})
                    tables.append((table, seat))
    wrong, fields = [], 0
    for (table, seat), one, said in zip(tables, asked, blank.evaluate(HELD, asked), strict=True):
        fields += len(said)
        again = {key: value for key, value in {**one["sheet"], **said}.items() if value is not None}
        before, after = (
            encode(table.game.ruleset.read_sheet(table.position, seat, Text(seat, sheet, {})))
            for sheet in (one["sheet"], again)
        )
        if before != after:
            wrong.append((table.origin, seat, before, after))
    assert wrong == []
    assert fields > 100


PLANNED = """
async ([plans, limits, lines]) => {
  const { plannedOf } = await import("/assets/desk/plans.js");
  const { tidy } = await import("/assets/desk/text.js");
  const planned = plannedOf(plans, {}, limits);
  return Object.fromEntries(Object.entries(lines).map(([key, some]) => [key, some.map((line) => {
    const { line: read, fault } = planned.get(key).forms.read(tidy(line));
    return fault ? null : read;
  })]));
}
"""


def test_thousands_of_lines_of_plans_are_read_as_the_archive_reads_them(blank: Page) -> None:
    """Endings, conditions and all the names of cards, in every list of a sheet of Heir Apparent."""
    dice, right = random.Random(SEED), 0
    view = seen_by(
        position_of(
            Case(
                id="x", title="x", rules=(), phase=Phase.EVENT, event="grain-toll", players=FIRST, told=(), verdicts=()
            )
        ),
        None,
    )
    told = plans(view)
    reader = looked_at(view).reader
    by_title = {word: name for name, word in told.names.items()}
    asked: dict[Part, list[str]] = {}
    for part, lines in reader.lines.items():
        if part not in told.lists:
            continue
        made = (filled_in(dice, lines, dice.choice(lines.shown)) for _ in range(COUNT // 2))
        asked[part] = [
            re.sub(r"[a-z]+(?:-[a-z]+)+", lambda word: by_title.get(word[0], word[0]), line)
            if dice.random() < 0.3
            else line
            for line in made
        ]
    assert set(asked) == {"event", "melee", "reactions", "counters", "draw", "keep", "reopen"}
    judged = blank.evaluate(PLANNED, [written_plans(told), LIMITS, asked])
    wrong = []
    for part, some in asked.items():
        for line, desk in zip(some, judged[part], strict=True):
            if len(line) > MOST_LETTERS:
                continue
            step = reader.read(part, line)
            mine = step.line if isinstance(step, Step) else None
            right += mine is not None
            if mine != desk:
                wrong.append((part, line, mine, desk))
    assert wrong == [], "\n".join(map(str, wrong[:20]))
    assert right > sum(map(len, asked.values())) / 5


DOUBTED = """
async ([plans, options, limits, lines]) => {
  const { plannedOf } = await import("/assets/desk/plans.js");
  const planned = plannedOf(plans, options, limits);
  return Object.fromEntries(Object.entries(lines).map(([key, some]) => [key, some.map((line) => {
    const { fault, doubt } = planned.get(key).judge(line);
    return [fault, doubt];
  })]));
}
"""


@pytest.mark.slow
def test_the_desk_flags_acts_that_are_not_possible_at_the_moment(blank: Page) -> None:
    """HE-4: if everybody can see whether an act is possible, the desk doubts exactly the impossible ones, with a condition or without."""
    seen: Counter[bool] = Counter()
    for position, _ in map(played, heir_turns.turns(40, 40)):
        view = seen_by(position, None)
        told = plans(view)
        for seat in view.ring[:2]:
            options: dict[str, list[str]] = {}
            for sheet in find("heir_apparent").rules.options(view, seat):
                for part in ("actions", "event"):
                    options.setdefault(part, []).extend(getattr(sheet, part, None) or ())
            for part, plan in told.lists.items():
                people = sorted(looked_at(view).table.people)
                pools = ["support", "oppose", *sorted(looked_at(view).table.princes.values())]
                lines = [
                    fill_form(form, {"character": one, "fighter": other, "pool": pool})
                    for form in plan.certain
                    for one, other, pool in zip(people, people[1:] + people[:1], itertools.cycle(pools), strict=False)
                ]
                if not lines or not options.get(part):
                    continue
                asked = [*lines, *(f"{line} if turn > 1" for line in lines)]
                judged = blank.evaluate(DOUBTED, [written_plans(told), options, LIMITS, {part: asked}])[part]
                for line, (fault, doubt) in zip(asked, judged, strict=True):
                    assert not fault, (line, fault)
                    assert bool(doubt) is (line.removesuffix(" if turn > 1") not in options[part]), (line, doubt)
                    seen[bool(doubt)] += 1
    assert min(seen[True], seen[False]) > 50, seen


# Sheets and seals -------------------------------------------------------------------------------------------------

TEXTS = (
    "",
    "true",
    "no",
    "1_8",
    "0x1f",
    "~",
    "- a",
    "a: b",
    "# c",
    "'",
    '"',
    "\\",
    "ß“”",
    "A Vienna - Galicia",
    "👑",
    " x ",
    "1901-01-01",
    "=",
    "<<",
)
KEYS = ("orders", "final", "y", "null", "Bad Key", "a_b", "x" * 130, "on", "12")


def anything(dice: random.Random, depth: int = 0) -> Any:
    """A value that a sheet may have."""
    match dice.randrange(7 if depth < 3 else 4):
        case 0:
            return dice.choice((True, False))
        case 1:
            return dice.randint(-(10**9), 10**9)
        case 2 | 3:
            return dice.choice(TEXTS) * dice.choice((1, 1, 1, 40))
        case 4:
            return [anything(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {key: anything(dice, depth + 1) for key in dice.sample(KEYS, dice.randrange(4))}


def test_every_sheet_is_read_as_intended(blank: Page) -> None:
    dice = random.Random(SEED)
    sheets = [{key: anything(dice) for key in dice.sample(KEYS, dice.randrange(5))} for _ in range(COUNT)]
    texts = blank.evaluate(
        """async ([sheets, width]) => {
          const { sheetText } = await import("/assets/desk/sheet.js");
          return sheets.map((sheet) => sheetText(sheet, width));
        }""",
        [sheets, WIDTH],
    )
    for sheet, text in zip(sheets, texts, strict=True):
        # JavaScript puts numeric keys before the others; the decoded value is equal.
        assert (read(text.encode(), "sheet.yaml").data or {}) == sheet, text


@pytest.mark.parametrize("packs", [True, False])
def test_a_sealed_text_opens_and_its_length_reveals_nothing(blank: Page, packs: bool) -> None:
    """Lengths on both sides of every step; text over the maximum is refused."""
    width = Width(step=512, least=1024, most=4096, packs=packs)
    dice = random.Random(SEED)
    texts = [
        "".join(dice.choices(SLIPS, k=length))
        for length in (0, 1, 1019, 1020, 1021, 1022, 1532, 1533, 1534, 4092, 4093, 4094, 9000)
    ]
    identity = new_identity()
    told = blank.evaluate(
        """async ([texts, width, key]) => {
          const { Fault } = await import("/assets/desk/fault.js");
          const { fitted, sealed } = await import("/assets/desk/seal.js");
          const one = async (text) => {
            try {
              return await sealed(await fitted(text, width), [key]);
            } catch (error) {
              return error instanceof Fault ? null : String(error);
            }
          };
          return Promise.all(texts.map(one));
        }""",
        [texts, asdict(width), recipient_of(identity)],
    )
    for text, seal in zip(texts, told, strict=True):
        least = len(gzip.compress(text.encode(), mtime=0)) if packs else len(text) + 3
        if seal is None:
            assert least > width.most - 64, text[:20]
            continue
        body = decrypt(seal.encode(), [identity], "sheet.age")
        assert width.holds(len(body)), len(body)
        assert len(body) == width.least or len(body) - least < width.step + 64
        inner = unpack(body, "sheet.age", 1 << 20) if packs else body
        assert inner.decode().removesuffix("\n").rpartition("\n#")[0] == text if not packs else inner.decode() == text
        assert seal.endswith("-----END AGE ENCRYPTED FILE-----\n")
    assert None in told


def test_orders_ahead_are_sealed_on_their_own_as_courtly_seal_does_it(blank: Page) -> None:
    """DP-N-2: if a sheet has a list, all lists of the turn are sealed, equally long, each to its own key."""
    identities = {"retreats": new_identity(), "winter": new_identity()}
    data = {"turn": "002-fall-1901-movement", "limits": {"line": WIDTH}}
    ahead = {key: recipient_of(identity) for key, identity in identities.items()}
    sheets: list[dict[str, Any]] = [
        {"orders": ["A Vienna H"], "retreats": ["A Vienna - Tyrolia", "A Vienna - Bohemia if not unit(Galicia, Russia)"], "final": True},
        {"winter": ["Build F Trieste"]},
        {"orders": ["A Vienna H"]},
    ]  # fmt: skip
    made = blank.evaluate(
        """async ([sheets, data, ahead]) => {
          const { withListsShut } = await import("/assets/desk/seal.js");
          const open = await withListsShut(sheets[0], { ...data, ahead: null }, "Austria");
          return [open, ...(await Promise.all(sheets.map((sheet) => withListsShut(sheet, { ...data, ahead }, "Austria"))))];
        }""",
        [sheets, data, ahead],
    )
    assert (made[0], made[3]) == (sheets[0], sheets[2])  # an open sheet, and one without orders ahead, stay as they are
    lengths = set()
    for sheet, shut in zip(sheets[:2], made[1:3], strict=True):
        assert {key: one for key, one in shut.items() if key != "ahead"} == {
            key: one for key, one in sheet.items() if key not in identities
        }
        assert set(shut["ahead"]) == set(identities)
        for key, sealed in shut["ahead"].items():
            lengths.add(len(sealed))
            body = decrypt(base64.b64decode(sealed), [identities[key]], "list")
            inside = decode(SealedList, read(body, "list"))
            assert inside == SealedList(turn="002-fall-1901-movement", seat="Austria", lines=tuple(sheet.get(key, ())))
    assert len(lengths) == 1


# Fields -----------------------------------------------------------------------------------------------------------


def test_invisible_characters_are_found_as_in_the_archive(blank: Page) -> None:
    """Every character at the edges of every range, and beside them."""
    edges = sorted(
        {max(0, code + step) for first, last, _ in ranges() for code in (first, last) for step in (-1, 0, 1)}
    )
    chars = [chr(code) for code in edges if not 0xD800 <= code <= 0xDFFF and code < 0x110000]
    told = blank.evaluate(
        """async ([table, chars]) => {
          const { Unseen } = await import("/assets/desk/text.js");
          const unseen = new Unseen(table);
          return chars.map((char) => unseen.faultIn(`ab${char}`));
        }""",
        [json.loads(unseen_table()), chars],
    )
    for char, words in zip(chars, told, strict=True):
        kind_of = kind(char) if char not in "\n\t" else ""
        assert bool(words) == bool(kind_of), hex(ord(char))
        assert not words or (words.startswith("character 3: ") and f"U+{ord(char):04X}" in words)


def test_a_map_in_older_news_is_put_together_by_its_own_schema(blank: Page) -> None:
    """Schema 1 named elements from and to; 2 counts smaller pieces from the end of the last change."""
    made = blank.evaluate(
        """async () => {
          const { mapWith } = await import("/assets/desk/news.js");
          const { digestOf } = await import("/assets/desk/seal.js");
          const common = '<svg><a b="1"/><c/><d/></svg>';
          const base = await digestOf(common);
          return [
            await mapWith(common, { base, edits: [[1, 2, "<x/>"], [3, 3, "<y/>"]] }, 1),
            await mapWith(common, { base, edits: [[3, 1, '"2'], [2, 1, "<e/>"]] }, 2),
            await mapWith(common, { base: "another", edits: [] }, 2),
          ];
        }"""
    )
    assert made == ["<svg><x/><c/><y/><d/></svg>", '<svg><a b="2"/><c/><e/></svg>', None]


# Drafts -----------------------------------------------------------------------------------------------------------

TAPPED = """
async ([data, seat, taps]) => {
  const { Choice } = await import("/assets/desk/choice.js");
  const { Draft } = await import("/assets/desk/draft.js");
  const { Reader } = await import("/assets/desk/reader.js");
  const reader = new Reader(data, seat.options.orders);
  return taps.map((places) => {
    const draft = new Draft(seat, reader, data.limits, {});
    const choice = new Choice(draft);
    draft.changed = (change) => change === "all" && choice.forget();
    const steps = [];
    for (const place of places) {
      if (place === "undo") draft.undo();
      else choice.choose(place);
      steps.push([[...draft.orders], [...choice.chosen]]);
    }
    const lost = choice.chosen.length > 1 && choice.settled === null ? choice.chosen : [];
    let undone = 0;
    while (draft.past.last) {
      draft.undo();
      undone++;
    }
    return { steps, left: draft.orders, undone, lost };
  });
}
"""


AIDS = re.compile(r"[AF] (?P<here>.+?) [SC] [AF] (?P<unit>.+?)(?: - (?P<to>.+))?")


def test_any_taps_give_legal_orders_and_can_be_undone(blank: Page) -> None:
    """Each line is a legal order, a unit has one at most, a step changes one line, and undoing leads back to nothing.

    UX-3: tapping a place out of reach never supports or convoys a stranger's move: all three places were tapped.
    """
    dice = random.Random(SEED)
    written_somewhere = strangers = 0
    for _, position in itertools.islice(positions(), 6):
        field = field_of(position)
        data = spoken(field.notation)
        for power in diplomacy.seats(position.settings)[:4]:
            legal = [field.notation.write(order, field.names()) for order in legal_orders(field, position, power)]
            if not legal:
                continue
            seat = {
                "name": power,
                "form": [{"key": "orders", "label": "Orders", "kind": "lines"}],
                "options": {"orders": legal},
                "cautions": [],
            }
            places = [name for name in data["names"] if any(name in line for line in legal)]
            own = {line.split(" ", 1)[1].split(" H")[0].split("/")[0] for line in legal if line.endswith(" H")}
            taps = [[dice.choice([*places, "undo"]) for _ in range(25)] for _ in range(45)]
            for tapped, told in zip(taps, blank.evaluate(TAPPED, [data, seat, taps]), strict=True):
                before: list[str] = []
                for place, (orders, chosen) in zip(tapped, told["steps"], strict=True):
                    for line in () if place == "undo" else {*orders} - {*before}:
                        found = AIDS.fullmatch(line)
                        if found and found["unit"].split("/")[0] not in own:
                            strangers += 1
                            named = {name.split("/")[0] for name in found.groupdict().values() if name}
                            assert len(named) == 3, (tapped, line)
                            # If the last tap is on the player's own unit, it selects the unit, rather than attacking it.
                            assert place not in own or place != (found["to"] or "").split("/")[0], (tapped, line)
                            assert named == {name.split("/")[0] for name in chosen} <= {*tapped}, (tapped, line)
                    assert {*orders} <= {*legal}, (tapped, place, orders)
                    units = [re.sub(r"(?<!^Build)(?<!^Disband) (H|-|S|C)\b.*", "", line) for line in orders]
                    assert len({*units}) == len(units), (tapped, place, orders)
                    assert len({*orders} ^ {*before}) <= 2 or place == "undo", (tapped, place, before, orders)
                    before = orders
                    written_somewhere += bool(orders)
                assert told["left"] == []
    assert written_somewhere > 1000
    assert strangers


def phases(*kinds: str) -> Iterator[tuple[Any, Any]]:
    """Rulesets with the positions of archived turns of some kinds, of the three games played on provinces."""
    archive = Archive(ROOT)
    for slug in archive.slugs():
        game = load_game(archive, slug)
        if game.ruleset.about.slug in ("diplomacy", "al_andalus", "saga_of_the_nine"):
            for name in archive.turns(slug):
                position = load_turn(archive, game, name).data.position
                if game.ruleset.kind(position) in kinds:
                    yield game.ruleset, position


WARNED = """
async (sheets) => {
  const { Draft } = await import("/assets/desk/draft.js");
  const { Reader } = await import("/assets/desk/reader.js");
  return sheets.map(([data, seat, orders]) => {
    const draft = new Draft(seat, new Reader(data, seat.options.orders), data.limits, { orders, values: {} });
    return [draft.cautions(), draft.more()];
  });
}
"""


def test_the_desk_reports_what_a_winters_orders_leave_open_as_check_does(blank: Page) -> None:
    """UX-19: on random partial sheets of winters, builds in the same words, removals wherever `check` names a unit."""
    dice, asked, wanted, seen = random.Random(SEED), [], [], Counter[str]()
    for rules, position in phases("adjustments", "winter"):
        names = sorted({*rules.pictures.draw(position, None).names.values()})
        data = {"names": names, "seats": [{"name": seat} for seat in rules.rules.seats(position.settings)],
                "spelling": asdict(rules.desk.spelling(position)), "lines": None, "limits": LIMITS}  # fmt: skip
        for name in rules.due(position):
            legal = [*offered(rules.rules.options(position, name)).texts.get("orders", ())]
            seat = {
                "name": name,
                "form": [{"key": "orders", "label": "Orders", "kind": "lines"}],
                "options": {"orders": legal},
                "cautions": [plain_caution(one) for one in rules.desk.cautions(position, name)],
            }
            for _ in range(6):
                lines = {
                    line.split(" ", 2)[-1].split("/")[0]: line
                    for line in dice.sample(legal, min(len(legal), dice.randint(1, 3)))
                }
                if not lines:
                    continue
                sheet = rules.sheet_for(position, name)(orders=tuple(lines.values()))
                said = [(remark.what, remark.right) for remark in rules.rules.check(position, name, sheet)]
                builds = [f"{what}. {right.capitalize()}." for what, right in said if "left unused" in what]
                asked.append([data, seat, [*lines.values()]])
                wanted.append((rules.about.slug, builds, any("would be removed" in what for what, _ in said)))
    answers = zip(wanted, asked, blank.evaluate(WARNED, asked), strict=True)
    for (slug, builds, removals), (_, _, orders), (told, more) in answers:
        assert [words for words in told if "left unused" in words] == builds, (slug, orders, told)
        assert any("not ordered" in words for words in told) == removals
        assert more == ("build" if builds else "removal" if removals else None)
        seen[f"{slug}, {more}"] += 1
    assert len(asked) >= 300, seen
    assert {
        "diplomacy, build",
        "diplomacy, removal",
        "diplomacy, None",
        "al_andalus, build",
        "saga_of_the_nine, build",
    } <= {*seen}, seen


def test_the_desk_and_check_say_which_orders_of_a_sheet_do_not_fit_each_other(blank: Page) -> None:
    """UX-20: a move to a unit that stays, and a support or convoy of an order that was not given, on random sheets."""
    dice, wanted, seen = random.Random(SEED), [], Counter[str]()
    asked: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = []
    for rules, position in phases("movement", "orders"):
        names = sorted({*rules.pictures.draw(position, None).names.values()})
        data = {"names": names, "seats": [{"name": seat} for seat in rules.rules.seats(position.settings)],
                "spelling": asdict(rules.desk.spelling(position)), "lines": None, "limits": LIMITS}  # fmt: skip
        for name in dice.sample([*rules.due(position)], 2):
            legal = [*offered(rules.rules.options(position, name)).texts.get("orders", ())]
            cautions = [*rules.desk.cautions(position, name)]
            matter = [line for line in legal if any(line in one.fits for one in cautions)]
            if not matter:
                continue
            seat = {"name": name, "form": [{"key": "orders", "label": "Orders", "kind": "lines"}],
                    "options": {"orders": legal}, "cautions": [plain_caution(one) for one in cautions if one.fits]}  # fmt: skip
            for _ in range(4):
                some = [*dice.sample(matter, min(len(matter), 4)), *dice.sample(legal, min(len(legal), 6))]
                lines = [*{" ".join(line.split(" ")[:2]): line for line in some}.values()]
                sheet = rules.sheet_for(position, name)(orders=tuple(lines))
                said = [f"{remark.what}. {remark.right.capitalize()}." for remark in rules.rules.check(position, name, sheet)
                        if remark.right == "change one of the two"]  # fmt: skip
                asked.append((data, seat, lines))
                wanted.append(said)
                seen[rules.about.slug] += len(said)
    for told, (_, whose, sent), (found, _) in zip(wanted, asked, blank.evaluate(WARNED, asked), strict=True):
        assert sorted(found) == sorted(told), (whose["name"], sent)
    assert len(asked) >= 300
    assert min(seen[slug] for slug in ("diplomacy", "al_andalus", "saga_of_the_nine")) >= 30, seen


def test_without_an_account_no_pull_request_is_taken_for_the_seats(browser: Browser, blank: Page) -> None:
    page = browser.new_page()  # not `opened`, where GitHub knows of nothing
    pulls = [{
        "number": 7, "state": "open", "created_at": "2026-11-20T13:03:00Z", "user": {"id": 9}, "body": None, "pull_request": {},
    }]  # fmt: skip
    page.route("**/blank.html", answer)
    page.route(
        "https://api.github.com/**",
        lambda route: route.fulfill(json=pulls if "/issues?" in route.request.url else [], headers=ANYBODY),
    )
    page.goto(blank.url)
    ask = """async ([forge, account]) => {
      const { arrivalOf } = await import("/assets/desk/arrival.js");
      return (await arrivalOf({ forge, path: "p", digest: "d", since: 0, account })).words;
    }"""
    forge = forge_ways(Place(DEFAULT, "o/r", "main"))
    assert page.evaluate(ask, [forge, None]) == "The archive does not show it yet."
    nothing = "GitHub shows no pull request of yours since then, and no issue with this sheet."
    assert page.evaluate(ask, [forge, 8]) == nothing
    assert page.evaluate(ask, [forge, 9]) == "Pull request 7 is open, and has not been answered yet."
    page.close()
