"""A host's boards: read, combined with the boards they extend, and refused with every fault at once.

Each board here is a file in `tests/data/boards`; each wrong one is a file in `tests/data/wrong-boards`, with its expected messages in
`messages.yaml` there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import read
from adjudicator.mechanics.boards import Beside, digest_of, load_board, own_board
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import RESERVED, Disband, Fault, Notation
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.position import shipped_boards
from tests.conftest import examples
from tests.tools.grow_boards import HEAD, PLANS, grown

DATA = Path(__file__).parent.parent / "data"
BOARDS, WRONG = DATA / "boards", DATA / "wrong-boards"
MESSAGES: dict[str, list[str]] = read((WRONG / "messages.yaml").read_bytes(), "messages.yaml").data  # type: ignore[assignment]  # the file's form


def from_folder(folder: Path) -> Beside:
    """Files that lie beside one another."""

    def beside(name: str) -> tuple[bytes, str]:
        if not (folder / name).is_file():
            raise problem("", f"there is no file {name!r:.60} here", "name one that comes with courtly")
        return (folder / name).read_bytes(), name

    return beside


def board(name: str) -> Board:
    return own_board(f"{name}.yaml", from_folder(BOARDS), shipped_boards())


def written(text: str, **more: str) -> Board:
    """A board from its text, with other files beside it."""
    files = {"own.yaml": text} | {f"{name}.yaml": body for name, body in more.items()}
    return own_board("own.yaml", lambda name: (files[name].encode(), name), shipped_boards())


def faults(text: str, **more: str) -> list[str]:
    with pytest.raises(Problems) as caught:
        written(text, **more)
    return [str(fault) for fault in caught.value.problems]


def test_the_boards_differ_widely_in_size_and_kind() -> None:
    """The table maps each board to its numbers of provinces, powers, supply centres, borders and armies of nobody."""
    sizes = {
        path.stem: (len(b.provinces), len(b.powers), len(b.centres), len(b.borders), sum(len(o.units) for o in b.others.values()))
        for path in sorted(BOARDS.glob("*.yaml"))
        for b in (board(path.stem),)
    }  # fmt: skip
    assert sizes == {
        "duel": (10, 2, 6, 17, 0),
        "great": (224, 9, 66, 575, 0),
        "islands": (80, 5, 18, 193, 0),
        "marches": (75, 7, 34, 206, 12),
        "olympiads": (17, 3, 10, 39, 0),
        "rapids": (10, 3, 7, 18, 0),
        "steppe": (132, 20, 60, 330, 0),
        "twenty": (168, 20, 65, 425, 0),
        "west": (62, 5, 30, 166, 0),
        "westmen": (62, 2, 30, 166, 0),
    }


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_grown_boards_match_their_plans(plan: object) -> None:
    from tests.tools.grow_boards import Plan

    assert isinstance(plan, Plan)
    assert (BOARDS / f"{plan.name}.yaml").read_text(encoding="utf-8") == grown(plan)
    assert grown(plan).startswith(HEAD)


def called(code: str, name: str) -> Notation:
    """The notation of a board that has a province with this code and name beside Media."""
    body = f"name: own\ntitle: Own\nextends: two_rivers\nprovinces:\n  {code}: {{name: {name}, kind: coast}}\n"
    return Notation(written(body + f"borders: {{both: [{code} ASH]}}\n"))


@pytest.mark.parametrize(
    ("code", "name"),
    [("CON", "Con"), ("THE", "Thebes"), ("TBS", "The"), ("DIS", "Dis"), ("SUP", "Superior"), ("HAG", "The Hague")],
)
def test_a_province_may_have_an_order_word_as_its_name_if_orders_stay_unambiguous(code: str, name: str) -> None:
    """ST-8: Constantinople, Thebes, Lake Superior: read wherever a name can appear, while the word remains a word."""
    notation = called(code, name)
    it, ash = Named("", code), Named("", "ASH")
    for said in (code, name, name.lower()):
        for kind, means in {"": "", "A ": "A", "F ": "F", "the army ": "A"}.items():
            its, them = Named(means, code), Named(means, "ASH")
            for line, order in (
                (f"{kind}{said} H", Hold(its)),
                (f"{kind}{said} - ASH", Move(its, "ASH")),
                (f"{kind}{said} to the ASH", Move(its, "ASH")),
                (f"{kind}ASH - {said}", Move(them, code)),
                (f"{kind}ASH to {said}", Move(them, code)),
                (f"{kind}ASH S {kind}{said}", SupportHold(them, its)),
                (f"{kind}ASH supports {kind}{said} to hold", SupportHold(them, its)),
                (f"{kind}{said} S {kind}ASH - MED", SupportMove(its, them, "MED")),
                (f"{kind}MED S {kind}ASH - {said}", SupportMove(Named(means, "MED"), them, code)),
                (f"{kind}{said} C {kind}ASH - MED", Convoy(its, them, "MED")),
                (f"{kind}ASH con {kind}{said} - MED", Convoy(them, its, "MED")),
                (f"{kind}ASH convoys {kind}MED - {said}", Convoy(them, Named(means, "MED"), code)),
                (f"Disband {kind}{said}", Disband(its)),
                (f"{kind}{said} disband", Disband(its)),
            ):
                assert notation.read(line) == order, line
    # The words themselves keep their meaning.
    for line, order in (
        ("the ASH H", Hold(ash)),
        ("the A ASH H", Hold(Named("A", "ASH"))),
        ("A the ASH - the MED", Move(Named("A", "ASH"), "MED")),
        ("F ASH con A MED - DES", Convoy(Named("F", "ASH"), Named("A", "MED"), "DES")),
        ("dis A ASH", Disband(Named("A", "ASH"))),
        ("dis ASH", Disband(ash)),
        (f"dis {code}", Disband(it)),
        ("A ASH sup A MED", SupportHold(Named("A", "ASH"), Named("A", "MED"))),
        ("A ASH SUP A MED MTO DES", SupportMove(Named("A", "ASH"), Named("A", "MED"), "DES")),
    ):
        assert notation.read(line) == order, line


@pytest.mark.parametrize("word", sorted(word for word in RESERVED if len(word) > 1))
def test_an_order_word_is_accepted_as_a_provinces_name_or_refused_with_its_meaning(word: str) -> None:
    """A word refused as a name is refused as a code too, and the message shows its meaning."""
    told: dict[str, list[str]] = {"name": [], "code": []}
    for kind, code, name in (("name", "XYZ", word.capitalize()), ("code", word.upper(), "Thebes")):
        if kind == "code" and len(code) > 6:
            continue
        try:
            called(code, name)
        except Problems as error:
            told[kind] = [str(fault) for fault in error.problems]
        for line in told[kind]:
            assert (
                f"the {kind} {(name if kind == 'name' else code)!r} cannot be told from the words of an order: `"
                in line
            )
            assert line.endswith(f"; choose another {kind}")
    if len(word) <= 6:
        assert bool(told["name"]) == bool(told["code"])


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_a_wrong_board_is_refused_with_all_its_faults(name: str) -> None:
    """FB-3, FB-4, FB-6, FB-7."""
    with pytest.raises(Problems) as caught:
        own_board(f"{name}.yaml", from_folder(WRONG), shipped_boards())
    assert [str(fault).removeprefix(f"{name}.yaml:") for fault in caught.value.problems] == MESSAGES[name]
    for fault in caught.value.problems:
        assert fault.line, f"{fault} has no line"


def test_every_wrong_board_has_an_expected_message() -> None:
    assert sorted(MESSAGES) == sorted(path.stem for path in WRONG.glob("*.yaml") if path.stem != "messages")
    assert len(MESSAGES) >= 40


@pytest.mark.parametrize("name", sorted(path.stem for path in BOARDS.glob("*.yaml")))
def test_every_place_is_read_as_it_is_written(name: str) -> None:
    """FB-3, FB-7: no unit teleports, and no canonical order is unreadable in the next turn."""
    drawn = board(name)
    notation = Notation(drawn)
    for code in drawn.provinces:
        order = Hold(Named("A", code))
        assert notation.read(notation.write(order)) == order
    assert len(drawn.places) == len({*drawn.army_to, *drawn.fleet_to})


@pytest.mark.parametrize(
    "line", ["Low Countries: A Bur H", "Low-Countries: A Bur H", "1. Türkei: A Bur H", "Turkei: A Bur H"]
)
def test_a_powers_name_before_an_order_may_have_words_and_accents(line: str) -> None:
    """DP-O-7, FB-3: names as hosts write them."""
    own = written(
        "name: own\ntitle: Own\nextends: standard\nwithout: {powers: [Germany, Turkey]}\npowers:\n"
        "  Low Countries: {adjective: Dutch, units: [A HOL]}\n  Türkei: {adjective: türkisch, units: [A CON]}\n"
    )
    assert Notation(own).read(line) == Hold(Named("A", "BUR"))


# Extensions -------------------------------------------------------------------------------------------------------


def test_borders_powers_and_provinces_are_merged_with_those_of_the_extended_board() -> None:
    """FB-4: one extra border leaves the other 206; one key of a province leaves its others."""
    standard = written("name: plain\ntitle: Plain\nextends: standard\n")
    assert len(standard.borders) == 206
    more = written(
        "name: more\ntitle: More\nextends: standard\nborders: {army: [GAL MUN]}\n"
        "provinces: {BUR: {centre: true}}\npowers: {Italy: {units: [A ROM]}}\n"
    )
    assert {pair for pair in more.borders if pair not in standard.borders} == {("GAL", "MUN")}
    assert len(more.borders) == 207
    assert (more.provinces["BUR"].name, more.provinces["BUR"].centre) == ("Burgundy", True)
    assert (more.powers["Italy"].adjective, more.powers["Italy"].units) == ("Italian", ("A ROM",))


def test_an_extension_removes_only_what_it_takes_away() -> None:
    """FB-4: a province goes with its borders, a power with its homes; both can be added again in another form."""
    west = board("west")
    standard = shipped_board("standard")
    gone = set(standard.provinces) - set(west.provinces)
    assert len(gone) == 14
    assert {pair for pair in standard.borders if not {*pair} & gone} <= west.borders | {("MAR", "PIE")}
    assert [code for code, province in west.provinces.items() if province.home in ("Russia", "Turkey")] == []
    assert west.provinces["WAR"].centre
    assert west.provinces["WAR"].home is None
    assert "PIE" in west.fleet_reach["MAR"]  # It was for armies only.
    assert west.fleet_to["MAR"]["PIE"] == ("PIE",)


def test_an_extension_can_be_extended() -> None:
    """FB-4."""
    westmen = board("westmen")
    assert list(westmen.powers) == ["England", "France"]
    assert (westmen.starts, westmen.calendar.step, westmen.victory, westmen.win.lead) == (1337, 10, 13, 3)
    assert westmen.borders == board("west").borders


def shipped_board(name: str) -> Board:
    from adjudicator.rulesets.diplomacy.position import board_named

    return board_named(name)


def test_faults_in_the_extended_board_are_reported_with_its_line() -> None:
    below = "name: below\ntitle: Below\nextends: standard\nvictory: 99\n"
    assert faults("name: own\ntitle: Own\nextends: below.yaml\n", below=below) == [
        "below.yaml:4:10: 99 supply centres win, but there are only 34; write at most 34"
    ]


def test_a_circle_of_extensions_is_refused() -> None:
    other = "name: other\ntitle: Other\nextends: own.yaml\n"
    (said,) = faults("name: own\ntitle: Own\nextends: other.yaml\n", other=other)
    assert said.startswith("other.yaml:3:10: own.yaml extends other.yaml extends own.yaml: this never ends; ")


def test_a_chain_of_extensions_has_at_most_eight_files() -> None:
    """FB-4: a long chain is not a circle, and the message does not call it one."""
    named = {f"own{at}": f"name: own{at}\ntitle: Own\nextends: own{at + 1}.yaml\n" for at in range(1, 9)}
    last = {"own8": "name: own8\ntitle: Own\nextends: standard\n"}
    own = "name: own\ntitle: Own\nextends: own1.yaml\n"
    assert len(written(own, **{**named, **last}).borders) == 206
    more = {**named, "own9": last["own8"].replace("own8", "own9")}
    assert faults(own, **more) == [
        "own8.yaml:3:10: own.yaml extends a chain of more than 8 files; name a board that comes with courtly"
    ]


def test_shipped_boards_that_extend_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    """FB-4: a ruleset's own boards are combined by their folders, and their chain must end too."""
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "board.yaml").write_text(f"name: {name}\ntitle: {name}\nextends: {other}\n")
    with pytest.raises(Problems) as caught:
        load_board(tmp_path / "one")
    (fault,) = caught.value.problems
    assert (fault.path, fault.line, fault.what) == (
        str(tmp_path / "two" / "board.yaml"), 3, "there is no board 'one' to extend"
    )  # fmt: skip


def test_a_shipped_board_uses_the_shapes_of_the_board_it_extends_only_if_they_fit(tmp_path: Path) -> None:
    """FB-4: like a host's board. Units may be elsewhere, borders may not."""
    boards = {
        "lake": (BOARDS / "duel.yaml").read_text(encoding="utf-8").replace("name: duel", "name: lake"),
        "armies": "name: armies\ntitle: Armies\nextends: lake\npowers: {North: {units: [A NOR, A PIE]}}\n",
        "bridge": "name: bridge\ntitle: Bridge\nextends: lake\nborders: {army: [ISL PIE]}\n",
    }
    for name, text in boards.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "board.yaml").write_text(text)
    (tmp_path / "lake" / "outlines.yaml").write_text("size: [100, 100]\n")
    folders = {name: load_board(tmp_path / name).folder for name in boards}
    assert folders == {"lake": tmp_path / "lake", "armies": tmp_path / "lake", "bridge": None}


def test_keys_other_than_lists_of_things_are_taken_whole_from_one_file() -> None:
    """FB-4: provinces, powers and borders are merged; a calendar or a winning condition is never combined from two files."""
    own = written("name: own\ntitle: Own\nextends: two_rivers\ncalendar: {step: 2}\nwin: {years: 9}\n")
    assert (own.calendar.fall, own.calendar.step, own.calendar.before) == ("Fall", 2, None)
    assert (own.counts, own.win.hold, own.win.years) == (8, (), 9)


def test_a_powers_possessions_go_with_it_and_a_one_way_border_can_be_taken_away() -> None:
    """FB-4, FB-9: like homes and other borders."""
    olympiads = board("olympiads")
    fewer = written(
        "name: fewer\ntitle: Fewer\nextends: olympiads.yaml\nwithout: {powers: [Athens]}\n",
        olympiads=(BOARDS / "olympiads.yaml").read_text(encoding="utf-8"),
    )
    had = {code: province.owner for code, province in olympiads.provinces.items() if province.owner is not None}
    assert {code for code, owner in had.items() if owner == "Athens"} == {"ATH", "CHA"}
    assert {code: province.owner for code, province in fewer.provinces.items() if province.owner is not None} == {
        code: owner for code, owner in had.items() if owner != "Athens"
    }
    calm = written("name: calm\ntitle: Calm\nextends: two_rivers\nwithout: {borders: [UTG LTG]}\n")
    assert shipped_board("two_rivers").borders - calm.borders == {("LTG", "UTG")}
    assert calm.army_to == shipped_board("two_rivers").army_to


def test_a_hosts_board_uses_the_shapes_of_the_board_it_extends_only_if_they_fit() -> None:
    """An extra centre or border is not on that picture: the picture and the rules never disagree."""
    same = written("name: same\ntitle: Same\nextends: standard\nvictory: 20\npowers: {Italy: {units: [A ROM]}}\n")
    assert same.folder is not None
    for change in (
        "provinces: {BUR: {centre: true}}",
        "borders: {army: [GAL MUN]}",
        "provinces: {BUR: {name: Burgundia}}",
        "provinces: {SKA: {kind: coast}}",
    ):
        assert written(f"name: other\ntitle: Other\nextends: standard\n{change}\n").folder is None


def test_the_digest_depends_on_a_boards_content_and_not_on_its_wording() -> None:
    """FB-8: a comment and the order of keys change nothing; a border does, and so do the board's shapes."""
    text = (BOARDS / "duel.yaml").read_text(encoding="utf-8")
    lines = text.splitlines()
    commented = "\n".join(["# Another comment.", *lines]) + "\n"
    assert digest_of(written(commented)) == digest_of(written(text)) == digest_of(board("duel"))
    north, south = (next(line for line in lines if line.startswith(f"  {name}:")) for name in ("North", "South"))
    turned = text.replace(f"{north}\n{south}\n", f"{south}\n{north}\n")
    assert turned != text
    assert digest_of(written(turned)) == digest_of(written(text))
    assert digest_of(written(text.replace("EAS QUA]", "EAS QUA, ISL PIE]"))) != digest_of(written(text))
    assert digest_of(written(text), b"shapes") != digest_of(written(text))


# One-way borders --------------------------------------------------------------------------------------------------


def test_a_one_way_border_is_crossed_one_way() -> None:
    """FB-9."""
    rapids = board("rapids")
    assert "HAA" in rapids.army_to["HEI"]
    assert "HEI" not in rapids.army_to["HAA"]
    assert rapids.sea_next["UND"] == {"VOR", "EYE"}
    assert "UND" not in rapids.sea_next["VOR"]
    assert "WHI" not in rapids.sea_takes or "HAA" not in rapids.sea_takes["WHI"]
    assert "HAA" in rapids.sea_coasts["WHI"]
    assert rapids.distances(["HAA"])["HEI"] == 1
    assert rapids.distances(["HEI"])["HAA"] > 1


def test_a_one_way_border_may_be_for_both_kinds_of_units() -> None:
    """FB-9: from Belgium to Holland, and nobody back; Holland's other borders are unchanged."""
    own = written(
        "name: own\ntitle: Own\nextends: standard\n"
        "without: {borders: [BEL HOL]}\nborders: {one_way: {both: [BEL HOL]}}\n"
    )
    standard = shipped_board("standard")
    assert own.army_to == {**standard.army_to, "HOL": standard.army_to["HOL"] - {"BEL"}}
    assert own.fleet_reach == {**standard.fleet_reach, "HOL": standard.fleet_reach["HOL"] - {"BEL"}}
    assert own.borders == standard.borders


# Whatever is thrown at it -----------------------------------------------------------------------------------------

TEXT = (BOARDS / "duel.yaml").read_text(encoding="utf-8")
PIECES = sorted({*re.findall(r"[A-Za-z]+|[\[\]{}:,]|\n", TEXT)})


@examples(75)
@given(at=st.integers(0, len(TEXT)), length=st.integers(0, 30), piece=st.sampled_from(PIECES))
def test_a_mangled_board_is_accepted_or_gives_a_list_of_problems(at: int, length: int, piece: str) -> None:
    """No traceback, and any accepted board can be played on."""
    try:
        own = written(TEXT[:at] + piece + TEXT[at + length :])
    except Problems:
        return
    notation = Notation(own)
    for province in own.provinces.values():
        assert not isinstance(notation.read(f"A {province.name} H"), Fault)
