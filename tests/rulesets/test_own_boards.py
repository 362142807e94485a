"""A host's own board: put beside game.yaml, played, verified, drawn and published with the game (FB-1, FB-8, FB-9)."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import Laid, beside_from
from adjudicator.core.game.game import house_rules
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.rehearse import rehearsals
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.adjustments import DisbandDistance
from adjudicator.mechanics.provinces import BuildSites
from adjudicator.render.ground import outlines_of
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.exchange import write_played
from adjudicator.rulesets.diplomacy.ground import tiles_of
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.picture import sketch
from adjudicator.rulesets.diplomacy.position import Settings
from adjudicator.site.chapters import chapter_page, chapters_of
from adjudicator.site.story import load_story
from tests.boards import pictures, rules_on, with_shapes
from tests.conftest import first_of

BOARDS = Path(__file__).parent.parent / "data" / "boards"
NAMES = sorted(path.stem for path in BOARDS.glob("*.yaml"))
SLUG = "own"


def courtly(root: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


def new(root: Path, name: str) -> tuple[int, str]:
    return courtly(root, "new", SLUG, "--here", "--set", f"board={BOARDS / name}.yaml", "--opened", "2026-11-22")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A game on a board that extends one that extends the standard board, played by stand-ins for three years."""
    root = tmp_path_factory.mktemp("westmen")
    code, said = new(root, "westmen")
    assert code == 0, said
    played = Archive(root)
    list(play(played, SLUG, ("England", "France"), "1", "2026-11-22T18:00Z", 8))
    return played


def test_the_board_is_put_beside_the_game_with_the_files_it_extends(archive: Archive) -> None:
    folder = archive.games / SLUG
    for name in ("westmen.yaml", "west.yaml"):
        assert (folder / name).read_bytes() == (BOARDS / name).read_bytes()
    assert "board: westmen.yaml" in (folder / "game.yaml").read_text(encoding="utf-8")
    game = load_game(archive, SLUG)
    assert game.seats == ("England", "France")
    first = load_turn(archive, game, archive.turns(SLUG)[0])
    assert first.data.position.settings.ground.title == "The Channel, 1901"
    assert first.name == "001-spring-1337-movement"
    assert len(first.data.position.settings.digest) == 64


def test_the_game_verifies_and_has_no_stray_file(archive: Archive) -> None:
    assert [str(fault) for fault in verify_game(archive, SLUG).problems] == []
    assert [str(fault) for fault in check_archive(archive)] == []
    story = load_story(archive, SLUG)
    assert story is not None


@pytest.mark.parametrize(
    ("name", "was", "is_"), [("west", ", SWI TYR]", "]"), ("westmen", "victory: 13", "victory: 12")]
)
def test_changing_a_board_in_mid_game_stops_the_game(
    archive: Archive, tmp_path: Path, name: str, was: str, is_: str
) -> None:
    """FB-8: a change of borders in any of the files stops judging and verifying; a changed comment does not."""
    shutil.copytree(archive.games, tmp_path / "games")
    own = tmp_path / "games" / SLUG / f"{name}.yaml"
    plain = own.read_text(encoding="utf-8")
    own.write_text(f"# Said again.\n{plain}", encoding="utf-8")
    assert courtly(tmp_path, "verify", SLUG)[0] == 0
    assert was in plain
    own.write_text(plain.replace(was, is_), encoding="utf-8")
    for words in (("verify", SLUG), ("run", "--now", "--game", SLUG), ("check",)):
        code, said = courtly(tmp_path, *words)
        assert (code, "westmen.yaml is not as it was when this turn was opened" in said) == (1, True), said


def test_a_wrong_board_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """All faults at once, with their lines in the file, for the game and for its rehearsal."""
    (tmp_path / "wrong.yaml").write_text(
        "name: wrong\ntitle: Wrong\nextends: duel.yaml\nvictory: 9\nprovinces: {WOO: {centre: 3}}\n"
    )
    shutil.copy(BOARDS / "duel.yaml", tmp_path)
    for words in (("new", SLUG, "--here"), ("rehearse", "diplomacy")):
        code, said = courtly(tmp_path, *words, "--set", f"board={tmp_path / 'wrong.yaml'}")
        assert code == 1
        assert "wrong.yaml:5:27: provinces.WOO.centre is 3; write true or false" in said
    assert not (tmp_path / "games" / SLUG).exists()


def test_settings_can_name_only_files_beside_game_yaml(tmp_path: Path) -> None:
    """A board is named as a file beside game.yaml; no path leads out of the game's folder."""
    out = b"name: out\ntitle: Out\nextends: ../duel.yaml\n"
    duel = (BOARDS / "duel.yaml").read_bytes()
    names = ("../duel.yaml", "/etc/passwd.yaml", "game.yaml", "Duel.yaml")
    files = {"out.yaml": out, **dict.fromkeys(names, duel)}  # The files would be found.
    for name in names:
        with pytest.raises(Problems, match=f"'{name}' cannot be the name of a file beside game.yaml"):
            house_rules(RULESET, Text("settings", {"board": name}, {}), beside_from(files))
    with pytest.raises(
        Problems, match=r"out.yaml:3:10: '../duel.yaml' cannot be read: .* cannot be the name of a file"
    ):
        house_rules(RULESET, Text("settings", {"board": "out.yaml"}, {}), beside_from(files))


@pytest.mark.parametrize("board", [str(BOARDS / "duel.yaml"), "two_rivers"])
def test_a_house_rule_cannot_ask_for_more_centres_than_the_board_has(tmp_path: Path, board: str) -> None:
    """FB-7: the board itself has that limit too; nobody could win."""
    name, count = Path(board).name, 6 if board.endswith(".yaml") else 12
    words = ("new", SLUG, "--here", "--set", f"board={board}", "--opened", "2026-11-22", "--set")
    code, said = courtly(tmp_path, *words, f"victory={count + 1}")
    assert code == 1
    assert f"{count + 1} supply centres win, but {name} has only {count}; at most {count}" in said
    assert not (tmp_path / "games" / SLUG).exists()
    code, said = courtly(tmp_path, *words, f"victory={count}")
    assert code == 0, said


@pytest.mark.parametrize(("slug", "name"), [("diplomacy", "standard"), ("noblesse", "farna")])
def test_boards_that_come_with_courtly_have_no_digest(slug: str, name: str) -> None:
    """FB-8: a file of that name beside game.yaml would be ignored silently."""
    with pytest.raises(Problems) as caught:
        house_rules(find(slug), Text("settings", {"digest": "0" * 64}, {}), beside_from({}))
    assert [(fault.what, fault.right) for fault in caught.value.problems] == [
        (f"digest: {name} is not a file of your own, so it has no digest", "leave it out")
    ]


def test_a_digest_that_a_host_writes_down_is_binding() -> None:
    """FB-8: in game.yaml as in positions; a game continues on the board that it names or not at all."""
    right = rules_on("duel").digest
    assert right is not None
    for digest in (right, "0" * 64):
        text = Text("settings", {"board": "duel.yaml", "digest": digest}, {})
        files = beside_from({"duel.yaml": (BOARDS / "duel.yaml").read_bytes()})
        if digest == right:
            assert house_rules(RULESET, text, files)[0] == rules_on("duel")
            continue
        with pytest.raises(Problems) as caught:
            house_rules(RULESET, text, files)
        assert [(fault.what, fault.right) for fault in caught.value.problems] == [
            ("duel.yaml is not the board whose digest is written here", f"restore it, or write digest: {right}")
        ]


def test_the_shapes_of_a_board_are_part_of_its_digest() -> None:
    """FB-8: positions keep one digest of board and shapes, so that neither changes during a game."""
    ((file, shapes),) = sketch(rules_on("duel")).items()
    text = (BOARDS / "duel.yaml").read_bytes() + f"outlines: {file}\n".encode()
    body, times = re.subn(rb"label: \[\d+,", b"label: [111,", shapes, count=1)
    assert times == 1
    plain, moved = (rules_on("duel", Laid({"duel.yaml": text, file: outlines})) for outlines in (shapes, body))
    assert plain.ground.data == moved.ground.data
    assert plain.digest != moved.digest


def test_a_position_on_a_different_board_is_refused() -> None:
    """FB-8: neither may be a host's own board; between boards that come with courtly the position decides."""
    assert RULESET.host_files is not None
    attach = RULESET.host_files.attach
    own, plain = rules_on("duel"), Settings()
    for settings, other in ((own, plain), (plain, own), (own, rules_on("rapids"))):
        position = RULESET.rules.setup(settings, None)  # type: ignore[arg-type]  # nothing is rolled
        with pytest.raises(Problems) as caught:
            attach(position, other)
        assert [(fault.what, fault.right) for fault in caught.value.problems] == [
            (f"the position is on the board {settings.board!r}", f"game.yaml says {other.board}")
        ]
    standard = RULESET.rules.setup(plain, None)  # type: ignore[arg-type]  # nothing is rolled
    assert attach(standard, replace(plain, board="fleet_rome")) == standard


def test_the_schema_of_a_board_is_published() -> None:
    schema = schemas("diplomacy")["board"]
    assert {"extends", "without", "provinces", "borders", "others", "calendar", "win"} <= set(schema["properties"])


# Played to their ends ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", first_of([name for name in NAMES if name not in ("great", "twenty", "steppe")], 3))
def test_stand_ins_play_every_board_to_the_end(name: str) -> None:
    """The three largest are played by `nox -s boards`."""
    (game,) = rehearsals("diplomacy", {"board": str(BOARDS / f"{name}.yaml")}, range(1), 400)
    assert game.ended is not None
    assert {*game.winners} <= {*rules_on(name).ground.powers}


@pytest.mark.parametrize("name", ["duel", "rapids", "olympiads", "westmen"])
def test_a_board_is_drawn_the_same_laid_out_and_from_the_saved_shapes(name: str) -> None:
    """FB-2: the shapes from `courtly preview --files` can be put beside the board and edited by hand."""
    first, turn = pictures(rules_on(name))
    assert (first, turn) == pictures(with_shapes(name))
    for code, province in rules_on(name).ground.provinces.items():
        assert f">{code}</text>" in first or f">{province.name}</text>" in first
    assert first != turn


def faults_of_shapes(was: str, is_: str) -> str:
    """Messages about the Two Rivers after its shapes are changed."""
    board = (RULESET.folder / "boards" / "two_rivers" / "board.yaml").read_bytes()
    files = Laid({"rivers.yaml": board})
    settings, _ = house_rules(RULESET, Text("--set", {"board": "rivers.yaml"}, {}), beside_from(files))
    assert isinstance(settings, Settings)
    ((name, shapes),) = sketch(settings).items()
    text, times = re.subn(was, is_, shapes.decode(), count=1)
    assert times == 1
    files = Laid({"rivers.yaml": board + f"outlines: {name}\n".encode(), name: text.encode()})
    try:
        house_rules(RULESET, Text("--set", {"board": "rivers.yaml"}, {}), beside_from(files))
    except Problems as error:
        return "\n".join(str(fault) for fault in error.problems)
    return ""


def test_the_board_can_name_the_shapes_that_preview_writes() -> None:
    """FB-2: names of boards may have underscores, those of files beside game.yaml may not."""
    assert faults_of_shapes("size", "size") == ""


@pytest.mark.parametrize(
    ("was", "is_", "said"),
    [
        (r"(ARR:\n    path: .*)z", r"\1 7z", "two-rivers-outlines.yaml:7:11: this is not an outline"),
        (r"centre: \[\d+,", "centre: [-9,", r"-9, \d+ is outside the picture; move it inside"),
        (r"unit: \[\d+,", "unit: [9999,", r"9999, \d+ is outside the picture; move it inside"),
        (r"unit: \[\d+, \d+", "unit: [1, 1", "1, 1 is outside ARR; move it into the outline"),
        (
            r"  ARR:",
            "  ARX:",
            r"^two-rivers-outlines.yaml:5:1: ARR is not drawn; add its shape\n.*has no province 'ARX'",
        ),
        (r"    centre: .*\n", "", "ARR is a supply centre on the board; add `centre`, where its ring goes"),
        (r"  DER:\n", "  DER:\n    centre: [9, 9]\n", "DER is not a supply centre on the board; leave `centre` out"),
        (r"  ARR:\n", "  ARR:\n    coasts: {NC: [9, 9]}\n", "not the coasts of ARR on the board; leave `coasts` out"),
    ],
)
def test_shapes_that_would_be_invisible_are_refused(was: str, is_: str, said: str) -> None:
    """FB-5: an outline of half a step more, a centre's ring or a unit beside the picture."""
    assert re.search(said, faults_of_shapes(was, is_))


def test_a_board_is_drawn_with_the_shapes_that_its_host_changed() -> None:
    """FB-2: the board is drawn by the host's shapes and not by those that would be laid out."""
    ((file, shapes),) = sketch(rules_on("duel")).items()
    text = (BOARDS / "duel.yaml").read_bytes() + f"outlines: {file}\n".encode()
    body, times = re.subn(rb"size:\n- \d+", b"size:\n- 1234", shapes, count=1)
    assert times == 1
    for picture in pictures(rules_on("duel", Laid({"duel.yaml": text, file: body}))):
        assert 'viewBox="0 0 1234 ' in picture


def test_a_one_way_border_has_an_arrowhead() -> None:
    """FB-2, FB-9: on a laid-out board and on tiles made by hand; borders that go both ways have none."""
    heads = {
        name: sorted(
            tuple(sign.between or ())
            for sign in outlines_of(tiles_of(rules_on(name).ground)).signs
            if sign.kind == "one-way"
        )
        for name in ("duel", "rapids")
    }
    way = rules_on("rapids").ground.data.borders
    assert way is not None
    pairs = sorted(tuple(pair.split()) for pair in (*way.one_way.army, *way.one_way.fleet))
    assert heads == {"duel": [], "rapids": pairs}


def test_preview_shows_a_board_and_overwrites_nothing(tmp_path: Path) -> None:
    """FB-1, FB-2: its seats, its picture, and shapes as a starting point."""
    words = ("preview", "diplomacy", "--set", f"board={BOARDS / 'duel.yaml'}")
    shapes = tmp_path / "made" / "duel-outlines.yaml"
    picture = tmp_path / "pictures" / "duel.svg"
    assert courtly(tmp_path, *words) == (0, "2 seats: North, South.\n")
    code, said = courtly(tmp_path, *words, "-o", str(picture), "--files", str(shapes.parent))
    assert code == 0, said
    assert said.splitlines() == [
        "2 seats: North, South.",
        *(f"{path}: {path.stat().st_size} bytes." for path in (shapes, picture)),
    ]
    assert {shapes.name: shapes.read_bytes()} == sketch(rules_on("duel"))
    assert picture.read_text(encoding="utf-8") == pictures(rules_on("duel"))[0]
    shapes.write_text("mine", encoding="utf-8")
    code, said = courtly(tmp_path, *words, "--files", str(shapes.parent))
    assert (code, "there is already a file with that name" in said) == (1, True), said
    assert shapes.read_text(encoding="utf-8") == "mine"


def test_neutral_armies_are_not_seats(tmp_path: Path) -> None:
    """FB-9: armies of nobody owe no sheet, and the turn is judged when the powers' sheets are in."""
    settings = rules_on("marches")
    position = RULESET.rules.setup(settings, None)  # type: ignore[arg-type]  # nothing is rolled
    assert RULESET.rules.seats(settings) == tuple(settings.ground.powers)
    assert RULESET.rules.due(position) == {*settings.ground.powers}
    assert position.others == ("Balkans", "Barbary", "Iberia", "Low Countries", "Scandinavia")
    assert position.units["Iberia"] == ("A Portugal", "A Spain")
    code, said = new(tmp_path, "marches")
    assert code == 0, said
    assert "Iberia" not in (tmp_path / "games" / SLUG / "game.yaml").read_text(encoding="utf-8")


def test_a_sheet_for_a_neutral_army_changes_nothing() -> None:
    """FB-9, DP-G-10: neither orders nor votes of such a sheet count, whoever sends it."""
    position = RULESET.rules.setup(Settings(board="two_rivers"), None)  # type: ignore[arg-type]  # nothing is rolled
    sheets = {power: Sheet(draw=power == "Assyria") for power in ("Assyria", "Babylon")}
    theirs = Sheet(orders=("A Media - Zagros",), draw=True, concede="Assyria")
    done = RULESET.rules.resolve(position, {**sheets, "Scythians": theirs}, None)  # type: ignore[arg-type]  # nothing is rolled
    assert done == RULESET.rules.resolve(position, sheets, None)  # type: ignore[arg-type]  # nothing is rolled
    assert done.position.units["Scythians"] == ("A Media",)
    assert done.ended is None


def test_a_home_that_can_be_won_is_unowned_at_the_start() -> None:
    """FB-9, DP-G-11: Ur is a home of Babylon, and the chapter about the board lists it."""
    position = RULESET.rules.setup(Settings(board="two_rivers"), None)  # type: ignore[arg-type]  # nothing is rolled
    assert position.settings.ground.homes("Babylon") == ("BAB", "NIP", "URR", "URU")
    assert position.centres["Babylon"] == ("Babylon", "Nippur", "Uruk")
    (chapter,) = RULESET.tables.chapters((), position)
    (powers, _) = chapter.sections[1].tables
    assert [row[:3] for row in powers.rows] == [
        ("Assyria", "Ashur, Harran, Nineveh", ""),
        ("Babylon", "Babylon, Nippur, Uruk", "Ur"),
    ]


def test_a_game_may_begin_with_builds_before_christ(tmp_path: Path) -> None:
    code, said = new(tmp_path, "olympiads")
    assert code == 0, said
    assert Archive(tmp_path).turns(SLUG) == ["001-games-776-bc-adjustments"]
    position = load_turn(
        Archive(tmp_path), load_game(Archive(tmp_path), SLUG), "001-games-776-bc-adjustments"
    ).data.position
    assert RULESET.due(position) == {"Athens", "Corinth", "Sparta"}
    assert position.settings.build_sites is BuildSites.OWNED, "turn.yaml says where powers build, as the board does"
    assert [sheet.orders for sheet in RULESET.rules.options(position, "Sparta")][:2] == [
        ("Build A Kythera",),
        ("Build F Kythera",),
    ]


def test_al_andalus_cannot_be_played_on_a_board_with_neutral_armies(tmp_path: Path) -> None:
    """FB-9: its pictures and courts know only princes and wazirs; this was a traceback."""
    code, said = courtly(tmp_path, "new", SLUG, "--here", "--ruleset", "al_andalus", "--set", "board=two_rivers")
    assert (code, "the board two_rivers has armies that belong to nobody" in said) == (1, True), said


# Games from elsewhere ---------------------------------------------------------------------------------------------


def export_game(archive: Archive, tmp_path: Path) -> Path:
    code, said = courtly(archive.root, "export", SLUG, "-o", str(tmp_path / "game.json"))
    assert code == 0, said
    return tmp_path / "game.json"


def test_export_names_its_board_and_import_can_be_given_one(archive: Archive, tmp_path: Path) -> None:
    """FB-1."""
    path = export_game(archive, tmp_path)
    assert json.loads(path.read_bytes())["map"] == "westmen"
    code, said = courtly(tmp_path, "import", str(path), "--verify-only")
    assert code == 1
    assert "the game was played on 'westmen', a board that is not known here; name its file with --board" in said
    board = str(BOARDS / "westmen.yaml")
    rule = ("--set", "disband_distance=home")
    code, said = courtly(tmp_path, "import", str(path), "--board", board, *rule, "--as", "again", "--here")
    assert (code, "0 differences" in said) == (0, True), said
    game = load_game(Archive(tmp_path), "again")
    assert (game.settings.board, game.settings.disband_distance) == ("westmen.yaml", DisbandDistance.HOME)
    assert courtly(tmp_path, "import", str(path), "--set", f"board={board}", "--verify-only")[0] == 0
    assert (tmp_path / "games" / "again" / "west.yaml").is_file()
    assert courtly(tmp_path, "verify", "again")[0] == 0


def test_a_record_may_name_one_of_our_boards(tmp_path: Path) -> None:
    line = {
        "game": "x", "phase": "S1901M", "variant": "fleet_rome", "units": {"Italy": ["F ROM"]}, "centers": {"Italy": ["ROM"]},
        "orders": {"Italy": [["F ROM - NAP", "succeeds"]]},
    }  # fmt: skip
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(line).encode() + b"\n"))
    code, said = courtly(tmp_path, "import", str(path), "--here")
    assert (code, "1 game written" in said) == (0, True), said
    assert "board: fleet_rome" in (tmp_path / "games" / "x" / "game.yaml").read_text(encoding="utf-8")
    code, said = courtly(tmp_path, "import", str(path), "--board", "fleet_rme")
    assert (code, "did you mean 'fleet_rome'?" in said) == (1, True)


@pytest.mark.parametrize("sites", ["home", "owned"])
def test_a_chosen_rule_for_builds_overrides_that_of_the_board_in_a_record(tmp_path: Path, sites: str) -> None:
    """FB-1: game.yaml and the turns agree on the rule of builds; otherwise the game could not be verified."""
    text = Text("settings", {"board": "two_rivers"}, {})
    start = RULESET.rules.setup(house_rules(RULESET, text, beside_from({}))[0], None)  # type: ignore[arg-type]  # nothing is rolled
    sheets = {"Assyria": Sheet(orders=("A Nineveh - Arrapha",))}
    done = RULESET.rules.resolve(start, sheets, None)  # type: ignore[arg-type]  # nothing is rolled
    path = tmp_path / "rivers.json"
    path.write_bytes(write_played("rivers", [(start, sheets, done), (done.position, {}, None)]))
    words = ("import", str(path), "--set", f"build_sites={sites}", "--as", sites, "--here")
    code, said = courtly(tmp_path, *words)
    assert (code, "0 differences" in said) == (0, True), said
    assert courtly(tmp_path, "verify", sites)[0] == 0
    game = load_game(Archive(tmp_path), sites)
    assert (game.settings.board, game.settings.build_sites) == ("two_rivers", BuildSites(sites))


OLYMPIC = (
    "Spring is called Ploughing, fall is called Vintage and winter is called Games, a year of the game counts as 4 years, "
    "the first year is 776 BC, which begins in Games (DP-G-12)."
)


def test_a_chapter_about_the_board_says_how_to_win(archive: Archive) -> None:
    """Title, credit, the winning condition, seasons and years: nothing else on the site shows them to players."""
    story = load_story(archive, SLUG)
    assert story is not None
    (chapter,) = chapters_of(story)
    assert chapter.title == "The board: The Channel, 1901"
    assert chapter.sections[0].about[2:] == (
        "A power wins if it owns 13 supply centres when Fall ends (DP-V-1), 3 more than any other (DP-V-6).",
        "A power builds in its own home centres, if it owns them (DP-W-3).",
        "A year of the game counts as 10 years, the first year is 1337 (DP-G-12).",
    )
    page = str(chapter_page(story, chapter, (chapter,), "../"))
    assert "Burgundy" in page
    assert '(<a href="../rulesets/diplomacy.html#dp-w-3" class="courtly-rule">DP-W-3</a>)' in page
    assert "<nav" not in page
    olympiads = RULESET.rules.setup(rules_on("olympiads"), None)  # type: ignore[arg-type]  # nothing is rolled
    (other,) = RULESET.tables.chapters((), olympiads)
    assert other.sections[0].about[2:] == (
        "A power wins if it owns Olympia and Delphi when Vintage ends (DP-V-7).",
        "After 10 years, the power with the most supply centres wins (DP-V-8).",
        "A power builds in any centre that it owns (DP-W-3).",
        OLYMPIC,
    )
    hold = "win: {hold: [ISL, MIL, NOR], least: 2}\n"
    text = (BOARDS / "duel.yaml").read_text(encoding="utf-8") + hold
    least = rules_on("duel", Laid({"duel.yaml": text.encode()}))
    position = RULESET.rules.setup(replace(least, victory=5), None)  # type: ignore[arg-type]  # nothing is rolled
    (other,) = RULESET.tables.chapters((), position)
    assert other.sections[0].about[2:4] == (
        "A power wins if it owns 5 supply centres when Harvest ends (DP-V-1).",
        "A power wins if it owns 2 of Isle, Mill and Northwell when Harvest ends (DP-V-7).",
    )
    standard = RULESET.rules.setup(Settings(), None)  # type: ignore[arg-type]  # nothing is rolled
    assert RULESET.tables.chapters((), standard) == ()


def test_check_explains_a_move_against_a_one_way_border() -> None:
    """DP-G-9."""
    position = RULESET.rules.setup(rules_on("rapids"), None)  # type: ignore[arg-type]  # nothing is rolled
    (remark, *_) = RULESET.rules.check(position, "Seal", Sheet(orders=("A Sei - Caa",)))
    assert "the border between Seil Rock and Cape Auk can be crossed only the other way (DP-G-9)" in remark.what


def test_shapes_that_touch_without_a_border_are_refused() -> None:
    """FB-2: the picture and the rules never disagree. The board loses a border that its shapes have."""
    ((file, body),) = sketch(rules_on("duel")).items()
    text = (BOARDS / "duel.yaml").read_text(encoding="utf-8").replace("MIL WES, ", "") + f"outlines: {file}\n"
    with pytest.raises(Problems) as caught:
        rules_on("duel", Laid({"duel.yaml": text.encode(), file: body}))
    (fault,) = caught.value.problems
    assert fault.path.endswith(file)
    assert fault.line
    assert fault.what == "MIL and WES share a line in the picture but have no border on the board"
