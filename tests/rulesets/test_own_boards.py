"""A host's own board: laid beside game.yaml, played, verified, drawn and published with the game (FB-1, FB-8, FB-9)."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.archive import Archive
from adjudicator.core.checking import check_archive, schemas
from adjudicator.core.enter import Laid, found_in
from adjudicator.core.game import house_rules
from adjudicator.core.play import play
from adjudicator.core.problems import Problems
from adjudicator.core.proof import verify_game
from adjudicator.core.rehearsal import rehearsals
from adjudicator.core.turn import load_game, load_turn
from adjudicator.core.yamltext import Text
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.picture import sketch
from adjudicator.rulesets.diplomacy.position import Settings
from adjudicator.site.chapters import chapter_page, chapters_of
from adjudicator.site.story import load_story
from tests.boards import pictures, rules_on, with_shapes

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
def place(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A game on a board that extends one that extends the standard board, played by stand-ins for three years."""
    root = tmp_path_factory.mktemp("westmen")
    code, said = new(root, "westmen")
    assert code == 0, said
    archive = Archive(root)
    list(play(archive, SLUG, ("England", "France"), "1", "2026-11-22T18:00Z", 8))
    return archive


def test_the_files_are_laid_beside_the_game_with_those_they_extend(place: Archive) -> None:
    folder = place.games / SLUG
    for name in ("westmen.yaml", "west.yaml"):
        assert (folder / name).read_bytes() == (BOARDS / name).read_bytes()
    assert "board: westmen.yaml" in (folder / "game.yaml").read_text(encoding="utf-8")
    game = load_game(place, SLUG)
    assert game.seats == ("England", "France")
    first = load_turn(place, game, place.turns(SLUG)[0])
    assert first.data.position.settings.ground.title == "The Channel, 1901"
    assert first.name == "001-spring-1337-movement"
    assert len(first.data.position.settings.digest) == 64


def test_the_game_is_judged_again_and_nothing_in_it_is_stray(place: Archive) -> None:
    assert [str(one) for one in verify_game(place, SLUG).problems] == []
    assert [str(one) for one in check_archive(place)] == []
    story = load_story(place, SLUG)
    assert story is not None


@pytest.mark.parametrize(
    ("name", "was", "is_"), [("west", ", SWI TYR]", "]"), ("westmen", "victory: 13", "victory: 12")]
)
def test_a_board_that_was_changed_in_mid_game_stops_it(
    place: Archive, tmp_path: Path, name: str, was: str, is_: str
) -> None:
    """FB-8: nothing is judged or verified by other borders, whichever of the files was changed; a comment is no change."""
    shutil.copytree(place.games, tmp_path / "games")
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
    """All faults at once, with the file's own lines, for the game and for its rehearsal."""
    (tmp_path / "wrong.yaml").write_text(
        "name: wrong\ntitle: Wrong\nextends: duel.yaml\nvictory: 9\nprovinces: {WOO: {centre: 3}}\n"
    )
    shutil.copy(BOARDS / "duel.yaml", tmp_path)
    for words in (("new", SLUG, "--here"), ("rehearse", "diplomacy")):
        code, said = courtly(tmp_path, *words, "--set", f"board={tmp_path / 'wrong.yaml'}")
        assert code == 1
        assert "wrong.yaml:5:27: provinces.WOO.centre is 3; write true or false" in said
    assert not (tmp_path / "games" / SLUG).exists()


def test_settings_name_what_lies_beside_them_and_nothing_else(tmp_path: Path) -> None:
    """A board is named as a file beside game.yaml; no path leads out of the game's folder."""
    for name in ("../duel.yaml", "/etc/passwd.yaml", "game.yaml", "Duel.yaml"):
        text = Text("settings", {"board": name}, {})
        with pytest.raises(Problems):
            house_rules(RULESET, text, found_in({}))


def test_the_schema_of_a_board_is_published() -> None:
    found = schemas("diplomacy")["board"]
    assert {"extends", "without", "provinces", "borders", "others", "calendar", "win"} <= set(found["properties"])


# Played to their ends ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("great", "twenty", "steppe")])
def test_stand_ins_play_every_board_to_an_end(name: str) -> None:
    """The three largest are played by `nox -s boards`."""
    (game,) = rehearsals("diplomacy", {"board": str(BOARDS / f"{name}.yaml")}, range(1), 400, 1)
    assert game.ended is not None
    assert {*game.winners} <= {*rules_on(name).ground.powers}


@pytest.mark.parametrize("name", ["duel", "rapids", "olympiads", "westmen"])
def test_a_board_is_drawn_alike_laid_out_and_by_those_shapes_in_a_file(name: str) -> None:
    """FB-2: what `courtly preview --files` writes can be laid beside the board, and gone on from by hand."""
    first, turn = pictures(rules_on(name))
    assert (first, turn) == pictures(with_shapes(name))
    for code, province in rules_on(name).ground.provinces.items():
        assert f">{code}</text>" in first or f">{province.name}</text>" in first
    assert first != turn


def drawn(was: str, is_: str) -> str:
    """What is said of the Two Rivers drawn by shapes of which something is written otherwise."""
    board = (RULESET.folder / "boards" / "two_rivers" / "board.yaml").read_bytes()
    files = Laid({"rivers.yaml": board})
    settings, _ = house_rules(RULESET, Text("--set", {"board": "rivers.yaml"}, {}), found_in(files))
    assert isinstance(settings, Settings)
    ((name, shapes),) = sketch(settings).items()
    text, times = re.subn(was, is_, shapes.decode(), count=1)
    assert times == 1
    files = Laid({"rivers.yaml": board + f"outlines: {name}\n".encode(), name: text.encode()})
    try:
        house_rules(RULESET, Text("--set", {"board": "rivers.yaml"}, {}), found_in(files))
    except Problems as error:
        return "\n".join(str(one) for one in error.problems)
    return ""


def test_the_shapes_that_preview_writes_can_be_named_in_the_board() -> None:
    """FB-2: boards may be called with underscores, files beside game.yaml may not."""
    assert drawn("size", "size") == ""


@pytest.mark.parametrize(
    ("was", "is_", "said"),
    [
        (r"(ARR:\n    path: .*)z", r"\1 7z", "two-rivers-outlines.yaml:7:11: this is no outline"),
        (r"centre: \[\d+,", "centre: [-9,", r"-9, \d+ lies outside of the picture; move it to where it is seen"),
        (r"unit: \[\d+,", "unit: [9999,", r"9999, \d+ lies outside of the picture; move it to where it is seen"),
    ],
)
def test_shapes_that_nobody_would_see_are_refused(was: str, is_: str, said: str) -> None:
    """FB-5: an outline of half a step more, a centre's ring or a unit beside the picture."""
    assert re.search(said, drawn(was, is_))


def test_neutral_armies_are_no_seats(tmp_path: Path) -> None:
    """FB-9: they owe nothing, are asked for nothing, and the turn is judged when the powers' sheets are in."""
    settings = rules_on("marches")
    position = RULESET.rules.setup(settings, None)  # type: ignore[arg-type]  # nothing is rolled
    assert RULESET.rules.seats(settings) == tuple(settings.ground.powers)
    assert RULESET.rules.due(position) == {*settings.ground.powers}
    assert position.others == ("Balkans", "Barbary", "Iberia", "Low Countries", "Scandinavia")
    assert position.units["Iberia"] == ("A Portugal", "A Spain")
    code, said = new(tmp_path, "marches")
    assert code == 0, said
    assert "Iberia" not in (tmp_path / "games" / SLUG / "game.yaml").read_text(encoding="utf-8")


def test_a_game_may_begin_with_builds_before_christ(tmp_path: Path) -> None:
    code, said = new(tmp_path, "olympiads")
    assert code == 0, said
    assert Archive(tmp_path).turns(SLUG) == ["001-games-776-bc-adjustments"]
    position = load_turn(
        Archive(tmp_path), load_game(Archive(tmp_path), SLUG), "001-games-776-bc-adjustments"
    ).data.position
    assert RULESET.due(position) == {"Athens", "Corinth", "Sparta"}
    assert [one.orders for one in RULESET.rules.options(position, "Sparta")][:2] == [
        ("Build A Kythera",),
        ("Build F Kythera",),
    ]


def test_al_andalus_is_played_on_no_board_with_armies_of_nobody(tmp_path: Path) -> None:
    """FB-9: its pictures and courts know princes and wazirs alone; this was a traceback."""
    code, said = courtly(tmp_path, "new", SLUG, "--here", "--ruleset", "al_andalus", "--set", "board=two_rivers")
    assert (code, "on the board two_rivers stand armies of nobody" in said) == (1, True), said


# Games from elsewhere ---------------------------------------------------------------------------------------------


def exported(place: Archive, tmp_path: Path) -> Path:
    code, said = courtly(place.root, "export", SLUG, "-o", str(tmp_path / "game.json"))
    assert code == 0, said
    return tmp_path / "game.json"


def test_export_names_its_board_and_import_is_told_one(place: Archive, tmp_path: Path) -> None:
    """FB-1."""
    path = exported(place, tmp_path)
    assert json.loads(path.read_bytes())["map"] == "westmen"
    code, said = courtly(tmp_path, "import", str(path), "--verify-only")
    assert code == 1
    assert "the game is played on the board 'westmen'; name its file with --board" in said
    board = str(BOARDS / "westmen.yaml")
    code, said = courtly(tmp_path, "import", str(path), "--board", board, "--as", "again", "--here")
    assert (code, "0 differences" in said) == (0, True), said
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
    assert (code, "1 games written" in said) == (0, True), said
    assert "board: fleet_rome" in (tmp_path / "games" / "x" / "game.yaml").read_text(encoding="utf-8")
    code, said = courtly(tmp_path, "import", str(path), "--board", "fleet_rme")
    assert (code, "did you mean 'fleet_rome'?" in said) == (1, True)


OLYMPIC = (
    "Spring is called Ploughing, fall is called Vintage and winter is called Games, a year of the game is 4 years, "
    "the first is 776 BC, which begins in Games (DP-G-12)."
)


def test_the_board_is_a_chapter_that_says_what_wins(place: Archive) -> None:
    """Title, credit, what wins, seasons and years: nothing else on the site tells players of them."""
    story = load_story(place, SLUG)
    assert story is not None
    (chapter,) = chapters_of(story)
    assert chapter.title == "The board: The Channel, 1901"
    assert chapter.sections[0].about[2:] == (
        "A power wins that owns 13 supply centres when Fall ends (DP-V-1), 3 more than any other (DP-V-6).",
        "A power builds in its home centres that it owns (DP-W-3).",
        "A year of the game is 10 years, the first is 1337 (DP-G-12).",
    )
    page = str(chapter_page(story, chapter, (chapter,), "../"))
    assert "Burgundy" in page
    assert '(<a href="../rulesets/diplomacy.html#dp-w-3" class="courtly-rule">DP-W-3</a>)' in page
    assert "<nav" not in page
    olympiads = RULESET.rules.setup(rules_on("olympiads"), None)  # type: ignore[arg-type]  # nothing is rolled
    (other,) = RULESET.tables.chapters((), olympiads)
    assert other.sections[0].about[2:] == (
        "A power wins that owns Olympia and Delphi when Vintage ends (DP-V-7).",
        "After 10 years whoever has the most supply centres wins (DP-V-8).",
        "A power builds in any centre that it owns (DP-W-3).",
        OLYMPIC,
    )
    standard = RULESET.rules.setup(Settings(), None)  # type: ignore[arg-type]  # nothing is rolled
    assert RULESET.tables.chapters((), standard) == ()


def test_who_cannot_go_back_by_a_one_way_border_is_told_so() -> None:
    """DP-G-9."""
    position = RULESET.rules.setup(rules_on("rapids"), None)  # type: ignore[arg-type]  # nothing is rolled
    (remark, *_) = RULESET.rules.check(position, "Seal", Sheet(orders=("A Sei - Caa",)))
    assert "the border between Seil Rock and Cape Auk is crossed the other way only (DP-G-9)" in remark.what


def test_shapes_that_touch_where_nobody_borders_are_refused() -> None:
    """FB-2: the picture and the rules never disagree. The board loses a border that its shapes have."""
    ((file, body),) = sketch(rules_on("duel")).items()
    text = (BOARDS / "duel.yaml").read_text(encoding="utf-8").replace("MIL WES, ", "") + f"outlines: {file}\n"
    with pytest.raises(Problems) as caught:
        rules_on("duel", Laid({"duel.yaml": text.encode(), file: body}))
    (fault,) = caught.value.problems
    assert fault.path.endswith(file)
    assert fault.line
    assert fault.what == "MIL and WES share a line on the picture and do not border"
