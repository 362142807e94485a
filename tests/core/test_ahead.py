"""Orders ahead (DP-N-2, AA-I-10, S9-N-6): they count if no sheet comes, and are sealed on their own until then."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.guard import missing_masters, strange_keys, strangers
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import might_be_due, run_game, undo_turn
from adjudicator.core.jobs.seal import seal_sheet
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.jobs.waiting import seats_owing
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.ahead import sheet_from
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import by_seat, check_sheet, sheet_text
from adjudicator.site.desk import desk_files
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.conftest import ROOT, examples

MASTER = "courtly-master-1-" + "7c" * 32
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
OWN = "ab" * 8
RETREATS = (
    "F Trieste - Venice",
    "F Trieste - Adriatic Sea if unit(Albania, Italy)",
    "F Trieste - Albania if not unit(Albania, Italy) and units of Italy > 2",
    "F Trieste - Adriatic Sea",
)


class Table:
    """A game of Diplomacy. Italy takes Trieste in the first fall."""

    def __init__(self, root: Path, *, sealed: bool, **schedule: Any) -> None:
        self.root, self.sealed = root, sealed
        self.archive = Archive(root, read_masters(MASTER, "test") if sealed else None)
        (root / "games").mkdir(parents=True)
        new_charter(self.archive)
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": "Trieste", "opened": "2026-11-20", "schedule": {"turn": "2d", **schedule},
            "seats": {power: {"player": power, "account": 101 + at} for at, power in enumerate(POWERS)},
        }  # fmt: skip
        new_game(self.archive, "game", data | ({"sealed": True, "id": OWN} if sealed else {"seed": "s"}))

    @property
    def game(self) -> Any:
        return load_game(self.archive, "game")

    def turn(self, number: int = 0) -> Turn:
        return load_turn(self.archive, self.game, self.archive.turns("game")[number - 1])

    def sends(self, seat: str, *orders: str, **said: Any) -> None:
        file = self.root / "sheet.yaml"
        file.write_text(write({"orders": list(orders)} | said), encoding="utf-8")
        folder = self.turn().folder / "orders"
        folder.mkdir(exist_ok=True)
        if not self.sealed:
            number = 1 + len([*folder.glob(f"{seat.lower()}.*")])
            file.rename(folder / (f"{seat.lower()}.{number}.yaml" if number > 1 else f"{seat.lower()}.yaml"))
            return
        made = seal_sheet(self.archive, file, game="game", seat=seat, turn=None, readers=())
        made.write(self.archive, made.place)

    def others(self, *but: str) -> None:
        for seat in self.turn().data.owing:
            if seat not in but:
                self.sends(seat)

    def run(self, at: str) -> list[str]:
        expected = might_be_due(self.archive, "game", at)
        done = [f"{step.what} {step.turn[:3]}" for step in run_game(self.archive, "game", at=at)]
        assert expected or not done
        return done

    def to_the_fall(self) -> None:
        self.sends("Italy", "A Venice - Tyrolia", "A Rome - Venice")
        self.others("Italy")
        assert self.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]

    def fall(self, **ahead: Any) -> None:
        """Italy takes Trieste, and Austria has sent these orders ahead."""
        self.to_the_fall()
        self.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
        self.sends("Austria", "A Vienna H", **ahead)
        self.others("Italy", "Austria")
        assert self.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"]

    def verified(self) -> None:
        """The archive gives the same bytes with and without the master secret."""
        with_master = verify_game(self.archive, "game")
        assert [str(fault) for fault in with_master.problems] == []
        assert verify_game(Archive(self.root), "game") == with_master


def verdicts(turn: Turn) -> list[tuple[str, str, str]]:
    return [(one.seat, one.order, one.result) for one in turn.data.verdicts]


@pytest.mark.parametrize("sealed", [False, True])
def test_orders_ahead_count_if_no_sheet_comes(tmp_path: Path, sealed: bool) -> None:
    """DP-N-2: the first line that is possible then, and whose condition holds; the turn says where it comes from."""
    table = Table(tmp_path / "archive", sealed=sealed, out={"in_row": 1})
    table.fall(retreats=list(RETREATS), winter=["Disband A Budapest", "Disband A Vienna"])
    assert table.run("2026-11-26T00:00Z") == ["resolved 003", "opened 004"]
    turn = table.turn(3)
    assert verdicts(turn) == [("Austria", "F Trieste - Albania", "succeeds")]
    used = (turn.data.from_ahead or {})["Austria"]
    assert (used.turn, used.lines, used.fault) == ("002-fall-1901-movement", RETREATS, None)
    table.sends("Italy", "Waive")
    assert table.run("2026-11-28T00:00Z") == ["resolved 004", "opened 005"]
    assert ("Austria", "Disband A Budapest", "succeeds") in verdicts(table.turn(4))
    assert "A Vienna" in table.turn().data.position.units["Austria"]
    assert table.turn().data.absent == ()  # they have not missed a turn
    table.verified()
    story = load_story(table.archive, "game")
    assert story is not None
    page = turn_page(story, 2, "<svg></svg>", "../../../")
    assert (
        "Austria sent no sheet. Of the orders ahead from 002-fall-1901-movement, those that were possible counted"
        in page
    )


@pytest.mark.parametrize("sealed", [False, True])
def test_a_sheet_for_the_turn_replaces_orders_ahead(tmp_path: Path, sealed: bool) -> None:
    table = Table(tmp_path / "archive", sealed=sealed)
    table.fall(retreats=["F Trieste - Albania"], winter=["Disband A Budapest"])
    table.sends("Austria", "F Trieste - Adriatic Sea")
    table.run("2026-11-26T00:00Z")
    assert verdicts(table.turn(3)) == [("Austria", "F Trieste - Adriatic Sea", "succeeds")]
    assert table.turn(3).data.from_ahead is None
    table.run("2026-11-28T00:00Z")  # the list for winter still counts
    assert ("Austria", "Disband A Budapest", "succeeds") in verdicts(table.turn(4))
    table.verified()


@pytest.mark.parametrize("sealed", [False, True])
def test_the_next_sheet_of_moves_replaces_both_lists(tmp_path: Path, sealed: bool) -> None:
    table = Table(tmp_path / "archive", sealed=sealed)
    table.sends("Austria", "A Vienna H", retreats=["F Trieste - Albania"])
    table.sends("Italy", "A Venice - Tyrolia", "A Rome - Venice")
    table.others("Italy", "Austria")
    table.run("2026-11-22T00:00Z")
    assert table.turn().data.ahead == {"Austria": "001-spring-1901-movement"}
    table.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
    table.others("Italy")
    table.run("2026-11-24T00:00Z")
    assert table.turn().data.ahead is None
    table.run("2026-11-26T00:00Z")
    assert [fact.event for fact in table.turn(3).data.events if fact.event == "disbanded"]
    table.verified()


def test_if_the_seat_is_given_to_another_its_orders_ahead_are_gone(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=False)
    table.fall(retreats=["F Trieste - Albania"])
    ruling = {"reason": "They left.", "replace": {"seat": "Austria", "player": "Nina", "account": 999}}
    (table.turn().folder / "ruling.yaml").write_text(write({"rulings": [ruling]}), encoding="utf-8")
    table.run("2026-11-24T01:00Z")
    assert table.turn().data.ahead is None
    table.run("2026-11-26T00:00Z")
    assert table.turn(3).data.from_ahead is None
    table.verified()


@pytest.mark.parametrize("sealed", [False, True])
def test_as_soon_as_all_are_in_counts_orders_ahead(tmp_path: Path, sealed: bool) -> None:
    table = Table(tmp_path / "archive", sealed=sealed, phases={"retreats": {"turn": "1d", "early": "all"}})
    table.to_the_fall()
    table.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
    table.sends("Austria", "A Vienna H", retreats=["F Trieste - Albania"])
    table.others("Italy", "Austria")
    assert table.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003", "resolved 003", "opened 004"]
    table.verified()


def test_a_reminder_does_not_tell_who_has_orders_ahead(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.fall(retreats=["F Trieste - Albania"])
    assert seats_owing(table.archive, table.turn()) == ("Austria",)


# Secrecy ----------------------------------------------------------------------------------------------------------


def test_publishing_the_turn_does_not_open_its_orders_ahead(tmp_path: Path) -> None:
    """Each list opens with the turn that needs it: retreats do not show builds, and unneeded lists stay sealed."""
    table = Table(tmp_path / "archive", sealed=True)
    table.fall(retreats=["F Trieste - Albania"], winter=["Disband A Budapest"])
    fall, retreats = table.turn(2), table.turn(3)
    keys = keys_for(fall.game, fall.name, fall.data)
    file, path = by_seat(table.archive, fall)[0]["Austria"][0]
    inside = sheet_text(fall, file, path.read_bytes(), "sheet", keys).data
    assert isinstance(inside, dict)
    assert set(inside) == {"orders", "ahead"}
    assert isinstance(inside["ahead"], dict)
    assert fall.data.seal is not None
    assert set(inside["ahead"]) == {"retreats", "winter"}
    assert fall.data.seal.ahead_identity is None
    assert retreats.data.seal is not None
    assert retreats.data.seal.ahead is None
    table.run("2026-11-26T00:00Z")
    seal = table.turn(3).data.seal
    assert seal is not None
    assert seal.ahead_identity is not None
    public = fall.data.seal.ahead or {}
    assert recipient_of(seal.ahead_identity) == public["retreats"] != public["winter"]
    everything = b"".join(one.read_bytes() for one in (tmp_path / "archive/games/game").rglob("*") if one.is_file())
    assert b"Budapest\n" not in everything.replace(b"A Budapest, ", b"")
    assert b"Disband" not in everything


def test_lists_of_any_content_have_the_same_length(tmp_path: Path) -> None:
    """A sealed list shows neither its length nor which of the two lists was filled in."""
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    shapes = set()
    for ahead in (
        {"retreats": ["F Trieste - Albania"]},
        {"winter": ["Disband A Budapest"] * 3},
        {"retreats": list(RETREATS)},
    ):
        table.sends("Austria", "A Vienna H", **ahead)
        turn = table.turn()
        keys = keys_for(turn.game, turn.name, turn.data)
        file, path = by_seat(table.archive, turn)[0]["Austria"][0]
        inside = sheet_text(turn, file, path.read_bytes(), "sheet", keys).data
        assert isinstance(inside, dict)
        assert isinstance(inside["ahead"], dict)
        shapes.add(tuple((key, len(str(one))) for key, one in sorted(inside["ahead"].items())))
    assert len(shapes) == 1


@pytest.mark.parametrize("flow", [False, True])
def test_a_strange_key_for_orders_ahead_stops_the_game(tmp_path: Path, flow: bool) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    if not flow:
        table.to_the_fall()
    assert strangers(table.archive) == {}
    path = table.turn().folder / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    changed = re.sub(r"(retreats: )age1\w+", rf"\g<1>{recipient_of(new_identity())}", text, count=1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    found = strange_keys(table.archive, table.turn())
    assert ["the keys that orders ahead are sealed to" in one.what for one in found] == [True]
    assert set(strangers(table.archive)) == {"game"}


def test_a_list_that_was_sealed_for_another_seat_does_not_count(tmp_path: Path) -> None:
    """Somebody who copies the sealed list of another seat gains nothing, and the page says that it cannot be read."""
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    table.sends("Turkey", "A Constantinople H", retreats=["F Trieste - Albania"])
    turn = table.turn()
    file, path = by_seat(table.archive, turn)[0]["Turkey"][0]
    stolen = sheet_text(turn, file, path.read_bytes(), "sheet", keys_for(turn.game, turn.name, turn.data)).data
    assert isinstance(stolen, dict)
    assert isinstance(stolen["ahead"], dict)
    table.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
    table.sends("Austria", "A Vienna H", ahead=stolen["ahead"])
    table.others("Italy", "Austria", "Turkey")
    table.run("2026-11-24T00:00Z")
    table.run("2026-11-26T00:00Z")
    used = (table.turn(3).data.from_ahead or {})["Austria"]
    assert used.fault == "the list was sealed for another turn or seat"
    assert "Austria" not in (table.turn(3).data.sheets or {})
    assert "disbanded" in [fact.event for fact in table.turn(3).data.events]
    table.verified()


def test_a_turn_that_is_put_back_uses_them_again(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.fall(retreats=["F Trieste - Albania"])
    table.run("2026-11-26T00:00Z")
    assert [step.what for step in undo_turn(table.archive, "game", "Wrong deadline.", at="2026-11-26T01:00Z")]
    assert table.turn().name == "003-fall-1901-retreats"
    table.run("2026-11-28T01:00Z")
    assert verdicts(table.turn(3)) == [("Austria", "F Trieste - Albania", "succeeds")]
    table.verified()


HOSTILE: tuple[dict[str, Any], ...] = (
    {"ahead": {"retreats": "x"}},
    {"ahead": {"retreats": "x", "winter": "", "nonsense": "eA=="}},
    {"ahead": {"retreats": "AAAA" * 2000}},
    {"retreats": ["zzz"]},
    {"retreats": ["A" + " " * 150 + "if" + " " * 10]},
)


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("said", HOSTILE)
def test_what_cannot_be_read_is_no_list_and_stops_nobody(tmp_path: Path, said: dict[str, Any], sealed: bool) -> None:
    """Whoever writes nonsense has missed the turn, and the game goes on, also if nothing is sealed in it."""
    table = Table(tmp_path / "archive", sealed=sealed, out={"in_row": 1})
    table.fall(**said)
    assert table.run("2026-11-26T00:00Z") == ["resolved 003", "opened 004"]
    assert table.turn().data.absent == ("Austria",)
    assert "Austria" not in (table.turn(3).data.sheets or {})
    table.verified()


def test_a_sealed_list_is_refused_where_nothing_is_sealed(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=False)
    assert faults(table.turn(), "Austria", ahead={"retreats": "x"}) == [
        (2, "nothing is sealed in this game", "write the lists themselves")
    ]


@pytest.mark.parametrize("spelt", ["Retreats:\n- F Trieste - Albania", "RETREATS: |\n  F Trieste - Albania\n  A Vienna Disband", "retreats: F Trieste - Albania"])  # fmt: skip
def test_a_list_in_another_spelling_is_sealed_as_it_is_read(tmp_path: Path, spelt: str) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    file = tmp_path / "sheet.yaml"
    file.write_text(f"orders: [A Vienna H]\n{spelt}\n", encoding="utf-8")
    made = seal_sheet(table.archive, file, game="game", seat="Austria", turn=None, readers=())
    (table.turn().folder / "orders").mkdir(exist_ok=True)
    made.write(table.archive, made.place)
    assert b"Albania" not in made.envelope
    table.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
    table.others("Italy", "Austria")
    table.run("2026-11-24T00:00Z")
    table.run("2026-11-26T00:00Z")
    assert verdicts(table.turn(3)) == [("Austria", "F Trieste - Albania", "succeeds")]
    table.verified()


def test_a_turn_without_keys_for_lists_takes_none(tmp_path: Path) -> None:
    """Turns that opened before there were orders ahead, or that lost one of their keys."""
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    path = table.turn().folder / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    for cut, message in (
        (r"    winter: age1\w+\n", "this turn has no key to seal `winter` to"),
        (r"  ahead:\n(?:    .+\n)+", "this turn has no key to seal `retreats` to"),
    ):
        text = re.sub(cut, "", text)
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Problems, match=message):
            table.sends("Austria", "A Vienna H", retreats=["F Trieste - Albania"], winter=["Build A Vienna"])
        story = load_story(table.archive, "game")
        assert story is not None
        form = json.loads(desk_files(story, None)["desk.json"])["forms"][0]
        offered = {field["key"] for field in form}
        assert offered & {"retreats", "winter"} == ({"retreats"} if "winter" in message else set())


def test_a_missing_key_of_a_list_stops_the_game(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    path = table.turn().folder / "turn.yaml"
    path.write_text(re.sub(r"    winter: age1\w+\n", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert len(strange_keys(table.archive, table.turn())) == 1


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("standing", [False, True])
def test_two_turns_that_were_put_back_verify(tmp_path: Path, sealed: bool, standing: bool) -> None:
    """The later turn was judged with a sheet of an attempt that has been put back since."""
    table = Table(tmp_path / "archive", sealed=sealed)
    if standing:
        table.sends("Austria", "A Vienna H", standing=True)
        table.sends("Italy", "A Venice - Tyrolia", "A Rome - Venice")
        table.others("Italy", "Austria")
        table.run("2026-11-22T00:00Z")
        table.others("Austria")
        table.run("2026-11-24T00:00Z")
    else:
        table.fall(retreats=["F Trieste - Albania"])
        table.run("2026-11-26T00:00Z")
    for _ in range(2):
        assert [*undo_turn(table.archive, "game", "Again.", at="2026-11-26T01:00Z")]
    table.verified()
    table.sends("Austria", "A Budapest H")
    table.others("Austria")
    table.run("2026-12-30T00:00Z")
    table.verified()


def test_a_host_may_void_orders_ahead(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.fall(retreats=["F Trieste - Albania"])
    ruling = {"reason": "Two accounts.", "void": {"seat": "Austria"}}
    (table.turn().folder / "ruling.yaml").write_text(write({"rulings": [ruling]}), encoding="utf-8")
    assert table.run("2026-11-26T00:00Z")[-2:] == ["resolved 003", "opened 004"]
    assert "disbanded" in [fact.event for fact in table.turn(3).data.events]
    table.verified()


def test_an_ending_publishes_no_orders_ahead(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.fall(retreats=["F Trieste - Albania"])
    ruling = {"reason": "Agreed.", "end": {"how": "draw", "winners": ["Italy"]}}
    (table.turn().folder / "ruling.yaml").write_text(write({"rulings": [ruling]}), encoding="utf-8")
    table.run("2026-11-24T01:00Z")
    data = table.turn(3).data
    assert (data.status, data.from_ahead) == ("resolved", None)
    assert data.seal is not None
    assert data.seal.ahead_identity is None


def test_the_old_master_secret_is_missed_while_orders_ahead_need_it(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=True)
    table.to_the_fall()
    table.sends("Italy", "A Tyrolia - Trieste", "A Venice S A Tyrolia - Trieste")
    table.sends("Austria", "A Vienna H", retreats=["F Trieste - Albania"])
    table.others("Italy", "Austria")
    newer = "courtly-master-1-" + "3b" * 32
    table.archive = Archive(table.root, read_masters(f"{newer}\n{MASTER}", "test"))
    table.run("2026-11-24T00:00Z")
    assert missing_masters(table.archive) == {}
    only = Archive(table.root, read_masters(newer, "test"))
    assert [*missing_masters(only)] == ["game"]


# Remarks ----------------------------------------------------------------------------------------------------------


def faults(turn: Turn, seat: str, **said: Any) -> list[tuple[int, str, str]]:
    text = read(write({"orders": [], **said}).encode(), "sheet.yaml")
    found = check_sheet(turn.game, turn.data, seat, text)
    return [(one.line, one.what, one.right) for one in found if one.level == "error"]


def test_check_finds_what_is_wrong_with_orders_ahead_today(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive", sealed=False)
    spring = table.turn()
    assert faults(spring, "Austria", retreats=["A Vienna - Tyrolia", "Trieste Disband"]) == []
    for line, what in (
        ("A Vienna - Tirolia", "no place is called 'Tirolia'"),
        ("A Vienna H", "this is not a retreat"),
        ("A Munich - Ruhr", "you have no unit there: a dislodged unit retreats from where it stands now"),
        ("A Vienna - Tyrolia if rain", "no flag is called 'rain'"),
        ("A Vienna - Tyrolia if owns(Italy, Parris)", "no place is called 'Parris'"),
        ("A Vienna - Tyrolia if owns(Ittaly, Paris)", "no power is called 'Ittaly'"),
        ("A Vienna - Tyrolia if", "'if' is left over after 'A Vienna - Tyrolia'"),
    ):
        assert [one[1] for one in faults(spring, "Austria", retreats=["A Budapest Disband", line])] == [what]
    assert faults(spring, "Austria", winter=["Build A Vienna"]) == [
        (2, "`winter` cannot be used: its turn does not come before your next sheet of this kind", "leave it out, and write it on the last such sheet before that turn")
    ]  # fmt: skip
    table.to_the_fall()
    assert faults(table.turn(), "Austria", winter=["Build A Vienna", "Remove A Budapest", "Waive"]) == []
    assert [one[1] for one in faults(table.turn(), "Austria", winter=["A Vienna - Tyrolia"])] == [
        "this is not an order for winter"
    ]


ARCHIVE = Archive(ROOT)
LATER: dict[str, list[Turn]] = {}
GAMES = [slug for slug in ARCHIVE.slugs() if load_game(ARCHIVE, slug).ruleset.ahead and ARCHIVE.has_ended(slug)]


def later_turns(slug: str) -> list[Turn]:
    """The archived turns of a game that orders ahead could be for."""
    game = load_game(ARCHIVE, slug)
    turns = [load_turn(ARCHIVE, game, name) for name in ARCHIVE.turns(slug)]
    ahead = game.ruleset.ahead
    assert ahead is not None
    return [turn for turn in turns if not ahead.lists(turn.data.position) and game.ruleset.due(turn.data.position)]


@pytest.mark.parametrize("slug", GAMES)
@examples(15)
@given(st.data())
def test_no_list_ever_gives_an_illegal_sheet(slug: str, data: st.DataObject) -> None:
    """Law of DP-N-2, AA-I-10 and S9-N-6: a sheet from a list has no fault, and holds only lines of the list, in their order."""
    turn = data.draw(st.sampled_from(LATER.setdefault(slug, later_turns(slug))))
    game, rules, position = turn.game, turn.game.ruleset, turn.data.position
    seat = data.draw(st.sampled_from(sorted(rules.due(position))))
    if not hasattr(rules.sheet_for(position, seat)(), "retreats"):
        return
    offers = [line for sheet in rules.rules.options(position, seat) for line in getattr(sheet, "orders", ())]
    lines = data.draw(st.lists(st.sampled_from([*offers, "A Nowhere - Somewhere", "gibberish"]), max_size=12))
    sheet: Any = sheet_from(game, position, seat, tuple(lines))
    assert [one for one in rules.rules.check(position, seat, sheet) if one.level == "error"] == []
    left = iter(lines)
    assert all(order in left for order in sheet.orders)
    if offers and (first := next((line for line in lines if line in offers), None)):
        assert first in sheet.orders
