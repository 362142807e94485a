"""The `courtly` command as people and machines meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from adjudicator import __version__
from adjudicator.cli import main
from adjudicator.core.contract.ruleset import find
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive, read_file
from adjudicator.core.game.game import Game
from adjudicator.core.jobs import doctor, verify
from adjudicator.core.turn import files
from adjudicator.core.turn.data import TurnData
from adjudicator.core.turn.load import load_game
from adjudicator.mechanics.movement import solver

FIRST = "001-spring-1901-movement"
AT = "2026-12-01T00:00Z"


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """Words of every command, collected by asking."""
    group.list_commands(click.Context(group))  # loads them
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        yield (*path, name)


ALL = list(commands(main))
names = pytest.mark.parametrize("words", ALL, ids=[" ".join(words) for words in ALL])


def courtly(root: Path, *args: str) -> Result:
    result = CliRunner().invoke(main, ["-C", str(root), *args])
    assert result.exception is None or isinstance(result.exception, SystemExit), f"a traceback: {result.exc_info}"
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = courtly(tmp_path, "new", "a", "--title", "A game", "--opened", "2026-11-20", "--turn", "3d")
    assert made.exit_code == 0
    return tmp_path


def sheet(root: Path, seat: str, text: str) -> Path:
    path = root / "games" / "a" / FIRST / "orders" / f"{seat}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# Help -------------------------------------------------------------------------------------------------------------


def test_there_are_commands() -> None:
    assert {("new",), ("check",), ("run",), ("verify",)} <= set(ALL)


@names
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help_with_an_example(words: tuple[str, ...], flag: str) -> None:
    result = CliRunner().invoke(main, [*words, flag])
    assert result.exit_code == 0
    assert "Example:" in result.stdout
    example = result.stdout.partition("Example:")[2]
    assert f"courtly {' '.join(words)}" in example, "the example is one of this very command"
    assert len(result.stdout.partition("Options:")[0].split("\n\n")[1].strip()) > 20, "it says what it does"


def test_the_command_has_help_that_lists_every_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "Example:" in result.stdout
    listed = {line.split()[0] for line in result.stdout.partition("Commands:")[2].splitlines() if line.startswith("  ")}
    assert {words[0] for words in ALL} <= listed


def test_the_version_is_shown() -> None:
    assert CliRunner().invoke(main, ["--version"]).stdout == f"courtly {__version__}\n"


HEAVY = ("networkx", "pydantic", "ruamel", "svgwrite", "mkdocs", "rich")


@pytest.mark.parametrize("args", [[], ["--version"], ["--help"], ["run", "--help"]])
def test_starting_loads_no_heavy_package(args: list[str]) -> None:
    code = (
        "import sys\n"
        "from adjudicator.cli import main\n"
        f"args = {args!r}\n"
        "if args: main(args, standalone_mode=False)\n"
        f"found = sorted(set(name.partition('.')[0] for name in sys.modules) & set({HEAVY!r}))\n"
        "sys.exit(', '.join(found) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, ""), "packages loaded at the start"


# Wrong use --------------------------------------------------------------------------------------------------------


@names
def test_an_unknown_option_counts_as_wrong_use(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*words, "--no-such-option"])
    assert result.exit_code == 2
    assert "No such option" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "args",
    [
        ["frobnicate"], [], ["new"], ["new", "a", "b"], ["new", "b", "--seat", "Austria"], ["new", "b", "--set", "=x"],
        ["new", "b", "--set", "board="], ["verify", "--jobs", "0"], ["verify", "--jobs", "many"], ["serve", "--port", "0"],
        ["render"], ["export"], ["import"], ["run", "--at"], ["run", "extra"], ["import", "x.json", "--as", "b", "--game", "c", "--game", "d"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_use_gives_status_2_and_the_remedy(root: Path, args: list[str]) -> None:
    result = courtly(root, *args)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr or "requires an argument" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["new", "a"], "games/a: there is already a game with that name; choose another name"),
        (["new", "B"], "'B' cannot be a game's name; use lowercase letters, digits and hyphens"),
        (["new", "b", "--ruleset", "diplomcy"], "no ruleset is called 'diplomcy'; did you mean 'diplomacy'?"),
        (["new", "b", "--seat", "Austira=Anna"], "--seat: no seat is called 'Austira'; did you mean 'Austria'?"),
        (["new", "b", "--set", "board=fleet_room"], "--set: no board is called 'fleet_room'; did you mean 'fleet_rome'?"),
        (["new", "b", "--set", "bord=standard"], "--set: unknown key 'bord'; did you mean 'board'?"),
        (["new", "b", "--set", "victory=many"], "--set: victory is 'many'; write a whole number"),
        (["new", "b", "--opened", "2026-02-30"], "--opened: '2026-02-30' is not a day; write it like 2026-11-20"),
        (["new", "b", "--turn", "soon"],
         "--turn: 'soon' is not a length of time; write days, hours and minutes, as in 3d or 1d12h"),
        (["new", "b", "--opened", "9999-12-31", "--turn", "3d"],
         "the deadline after 9999-12-31T00:00Z is out of range; choose an earlier day"),
        (["new", "b", "--title", "\udcff"], "the title or a name is not UTF-8 text; write it in UTF-8"),
        (["run", "--at", "tomorrow"], "'tomorrow' is not a time; write it like 2026-12-01T18:00Z"),
        (["run", "--at", "0001-01-01T00:00+14:00"], "'0001-01-01T00:00+14:00' is not a time; write it like 2026-12-01T18:00Z"),
        (["run", "--game", "aa"], "games/aa: there is no such game; did you mean 'a'?"),
        (["verify", "nope"], "games/nope: there is no such game; games: a"),
        (["render", "a", "001-spring-1901-movment"],
         f"games/a: there is no turn '001-spring-1901-movment'; did you mean '{FIRST}'?"),
        (["export", "nope"], "games/nope: there is no such game; games: a"),
        (["import", "nope.json"], "nope.json: there is no such file or folder; check the name"),
        (["schema", "shee"], "no kind of file is called 'shee'; did you mean 'sheet'?"),
        (["schema", "--ruleset", "none"], "no ruleset is called 'none'; rulesets here: "),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else "",
)  # fmt: skip
def test_wrong_input_gives_one_line_and_status_1(root: Path, args: list[str], message: str) -> None:
    before = sorted((root / "games").rglob("*"))
    result = courtly(root, *args)
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {message}")
    assert sorted((root / "games").rglob("*")) == before
    machine = courtly(root, "--json", *args)
    assert machine.exit_code == 1
    (fault,) = json.loads(machine.stdout)["problems"]
    assert fault["level"] == "error"
    assert fault["what"]
    assert machine.stderr == ""


def test_a_name_that_is_refused_makes_no_folder(tmp_path: Path) -> None:
    assert courtly(tmp_path, "new", "../b").exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_a_turn_whose_successor_cannot_open_is_not_judged(root: Path) -> None:
    before = {path: path.read_bytes() for path in (root / "games").rglob("*") if path.is_file()}
    result = courtly(root, "run", "--at", "9999-12-31T23:59Z")
    assert result.exit_code == 1
    assert result.output == (
        "error: games/a: the deadline after 9999-12-31T23:59Z is out of range; choose an earlier day\n"
    )
    assert {path: path.read_bytes() for path in (root / "games").rglob("*") if path.is_file()} == before


def test_an_unforeseen_error_stops_only_one_game_with_one_line(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert courtly(root, "new", "b", "--opened", "2026-11-20").exit_code == 0
    real = files.map_text

    def breaks(game: Game, data: TurnData) -> bytes:
        if game.slug == "a":
            raise ZeroDivisionError("by\n\x1bnought")
        return real(game, data)

    for module in (files, verify):
        monkeypatch.setattr(module, "map_text", breaks)
    result = courtly(root, "run", "--now", "--at", AT)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["b: resolved Spring 1901, movement", "b: opened Fall 1901, movement"]
    (line,) = result.stderr.splitlines()
    assert line.startswith(
        r"error: games/a: courtly failed here: ZeroDivisionError: by\u000a\u001bnought (test_cli.py:"
    )
    assert line.endswith("a file of the game may be damaged; if not, please report this")
    checked = courtly(root, "verify", "--jobs", "1")
    assert checked.exit_code == 1
    assert "games/a: courtly failed here" in checked.stderr
    assert checked.stdout.startswith("2 games, ")


EDITED = "".join(
    f"error: games/b/game.yaml:{spot}: {FIRST}/turn.yaml shows that the game was opened {before}; an edit here does not "
    f"count; put it back (or restore that file); a `correct: {{settings.{now}}}` ruling changes it from this turn on\n"
    for spot, before, now in (
        ("18:10", "with draws: vote", "draws: none"),
        ("19:12", "without victory", "victory: 20"),
    )
)


def test_house_rules_edited_in_a_running_game_are_refused_with_the_ruling_that_would_change_them(
    tmp_path: Path,
) -> None:
    """FH-3. `run` silently ignored them, and `verify` blamed turn.yaml."""
    opening = ("new", "b", "--opened", "2026-11-20", "--turn", "3d", "--set", "draws=vote")
    assert courtly(tmp_path, *opening).exit_code == 0
    path = tmp_path / "games/b/game.yaml"
    kept = path.read_text()
    for turns in (1, 2):
        path.write_text(kept.replace("  draws: vote", "  draws: none\n  victory: 20"))
        before = {path: path.read_bytes() for path in (tmp_path / "games").rglob("*.*")}
        for words in (["check"], ["run", "--now", "--at", AT], ["verify"]):
            result = courtly(tmp_path, *words)
            assert (result.exit_code, result.stderr) == (1, EDITED), words
        assert {path: path.read_bytes() for path in (tmp_path / "games").rglob("*.*")} == before
        path.write_text(kept)
        if turns == 1:
            assert courtly(tmp_path, "run", "--now", "--at", AT).exit_code == 0
    turn_folder = tmp_path / "games/b" / Archive(tmp_path).turns("b")[-1]
    (turn_folder / "ruling.yaml").write_text("rulings: [{reason: All agree., correct: {settings.draws: none}}]\n")
    assert courtly(tmp_path, "run", "--at", AT).output == "b: ruled Fall 1901, movement\n"
    assert "    draws: none\n" in (turn_folder / "turn.yaml").read_text()
    for words in (["check"], ["run", "--now", "--at", AT], ["verify"]):
        assert courtly(tmp_path, *words).exit_code == 0, (
            "the ruling does it, and game.yaml says how the game was opened"
        )


def test_house_rules_corrected_in_the_first_turn_are_not_taken_for_an_edit(tmp_path: Path) -> None:
    """FH-3. In the first turn the position does not show how the game was opened."""
    assert courtly(tmp_path, "new", "b", "--set", "draws=vote").exit_code == 0
    (tmp_path / "games/b" / FIRST / "ruling.yaml").write_text(
        "rulings: [{reason: x, correct: {settings.draws: none}}]\n"
    )
    for words in (["run"], ["run", "--now"], ["check"], ["verify"]):
        assert courtly(tmp_path, *words).exit_code == 0, words


def test_a_renamed_game_folder_is_reported_with_its_remedy(root: Path) -> None:
    """FH-10."""
    (root / "games/a").rename(root / "games/b")
    what = (
        "game is 'a', but its folder is called 'b'; give the folder its name back: keys, dice and sealed sheets use it"
    )
    what += "; `courtly rename` gives a game another name, and keeps the original one in its game.yaml"
    for words in (["run", "--now"], ["check"], ["verify"]):
        done = courtly(root, *words)
        assert (done.exit_code, done.stderr) == (1, f"error: games/b/{FIRST}/turn.yaml:2:7: {what}\n")


def test_a_missing_map_is_drawn_again_by_the_command_in_the_message(root: Path) -> None:
    """FH-10."""
    path = root / "games/a" / FIRST / "map.svg"
    kept = path.read_bytes()
    path.unlink()
    done = courtly(root, "verify")
    remedy = f"courtly render a {FIRST}"
    assert done.stderr == f"error: games/a/{FIRST}/map.svg: there is no such file; draw it again: {remedy}\n"
    assert courtly(root, *remedy.split()[1:]).exit_code == 0
    assert path.read_bytes() == kept
    assert courtly(root, "verify").exit_code == 0


def test_a_seat_that_a_ruling_gave_away_is_reported_not_to_count_in_game_yaml(root: Path) -> None:
    """FH-10. An edit of it was silently ignored."""
    ruling = root / "games/a" / FIRST / "ruling.yaml"
    ruling.write_text("rulings: [{reason: x, replace: {seat: Italy, player: Ida, account: 7}}]\n")
    assert courtly(root, "run", "--at", "2026-11-20T01:00Z").output == "a: ruled Spring 1901, movement\n"
    path = root / "games/a/game.yaml"
    path.write_text(path.read_text().replace("Italy: {player: open}", "Italy: {player: Ugo, account: 8}"))
    done = courtly(root, "check", "--at", "2026-11-20T01:00Z")
    assert done.output == (
        "warning: games/a/game.yaml:11:3: a ruling gave Italy to Ida: what is written here counts only for the turns "
        "before that; leave it; to change who plays, add a `replace` ruling\nEvery game can be judged; 1 warning(s) above.\n"
    )
    path.write_text(path.read_text().replace("Italy: {player: Ugo, account: 8}", "Italy: {player: Ida, account: 7}"))
    assert courtly(root, "check", "--at", "2026-11-20T01:00Z").output == "Every game can be judged.\n"


# For machines -----------------------------------------------------------------------------------------------------


def test_json_output_can_be_parsed(root: Path) -> None:
    def machine(*args: str) -> list[object]:
        result = courtly(root, "--json", *args)
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return [json.loads(line) for line in result.stdout.splitlines()]

    assert machine("new", "b", "--opened", "2026-11-20") == [{"game": "b", "turn": FIRST}]
    assert machine("check") == [{"problems": []}]
    assert machine("run", "--game", "b", "--now", "--at", AT) == [
        {"game": "b", "what": "resolved", "turn": FIRST},
        {"game": "b", "what": "opened", "turn": "002-fall-1901-movement"},
    ]
    assert machine("run", "--at", "2026-11-20T00:00Z") == [{"steps": 0}]
    (verified,) = machine("verify", "--jobs", "1")
    assert isinstance(verified, dict)
    assert (verified["games"], verified["turns"], verified["problems"]) == (2, 1, [])
    picture = root / "games" / "a" / FIRST / "map.svg"
    assert machine("render", "a") == [{"path": str(picture), "bytes": picture.stat().st_size}]
    target = root / "b.json"
    assert machine("export", "b", "-o", str(target)) == [{"path": str(target), "bytes": target.stat().st_size}]
    (imported,) = machine("import", str(target), "--verify-only")[-1:]
    assert isinstance(imported, dict)
    assert (imported["games"], imported["written"]) == (1, 0)
    (seen,) = machine("doctor")
    assert isinstance(seen, dict)
    assert all(finding["ok"] for finding in seen["findings"])
    assert machine("schema") == [{"kinds": ["game", "sheet", "sheet-with-kept-votes", "board"]}]
    for kind in ("game", "sheet"):
        assert json.loads(courtly(root, "--json", "schema", kind).stdout)["$id"].endswith(f"{kind}.json")


def test_output_for_people_is_one_line(root: Path) -> None:
    assert courtly(root, "check").output == "Every game can be judged.\n"
    assert courtly(root, "run", "--at", "2026-11-20T00:00Z").output == "Nothing is due.\n"
    assert courtly(root, "verify").output.startswith("1 game, 0 turns judged again: the same bytes. Digest ")
    assert courtly(root, "render", "a").stdout.endswith("bytes, unchanged.\n")


def test_only_terminals_get_colours(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from adjudicator.cli import main; main()", "-C", str(root), "run", "--game", "x"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "error: games/x: there is no such game; games: a\n"


# Sheets -----------------------------------------------------------------------------------------------------------

FAULTY = """\
# What Russia wants
orders:
- F St Petersburg/SC - Finlland
- A Moscow - Gulf
- A Warsaw - Berlin
- F Sevastopol - Bulgaria/NC
- A Paris - Burgundy
- A Tunis H
- A Ukraine - Rumania
"""


def test_all_faults_in_a_sheet_are_reported_with_their_places(root: Path) -> None:
    path = sheet(root, "russia", FAULTY)
    result = courtly(root, "check", str(path))
    shown = f"games/a/{FIRST}/orders/russia.yaml"
    assert result.exit_code == 1
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    faults = {int(line.split(":")[2]): line for line in lines if line.startswith(f"error: {shown}:")}
    assert sorted(faults) == [3, 4, 5, 6, 7, 8, 9], result.stderr
    for number, column, words in [
        (3, 24, ["no place is called 'Finlland'", "did you mean 'Finland'?"]),
        (4, 14, ["'Gulf' could be several places", "write one of Gulf of Bothnia, Gulf of Lyon"]),
        (5, 3, ["A Warsaw - Berlin"]),
        (6, 3, ["F Sevastopol - Bulgaria/NC"]),
        (7, 3, ["A Paris - Burgundy"]),
        (8, 3, ["A Tunis H"]),
        (9, 3, ["A Ukraine - Rumania"]),
    ]:
        assert faults[number].startswith(f"error: {shown}:{number}:{column}: "), faults[number]
        assert all(word in faults[number] for word in words), faults[number]
    assert all("; " in line for line in faults.values()), "each says what would be right"
    machine = courtly(root, "--json", "check", str(path))
    problems = json.loads(machine.stdout)["problems"]
    assert machine.exit_code == 1
    assert [(p["path"], p["line"]) for p in problems if p["level"] == "error"] == [(shown, n) for n in range(3, 10)]


def test_check_reads_each_file_only_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a running game: game.yaml, the first turn, the open turn and the one before it."""
    for _ in range(4):
        assert courtly(root, "run", "--now").exit_code == 0
    counted = Counter[str]()

    def read(files: Files, path: Path, *more: Any, **options: Any) -> bytes:
        counted[path.relative_to(root).as_posix()] += 1
        return read_file(files, path, *more, **options)

    monkeypatch.setattr("adjudicator.core.game.archive.read_file", read)
    assert courtly(root, "check").exit_code == 0
    turns = Archive(root).turns("a")
    assert len(turns) > 3
    read_once = {f"games/a/{name}/turn.yaml" for name in (turns[0], turns[-2], turns[-1])}
    read_once |= {"games/a/game.yaml", "games/a/kept/standard.yaml"}
    assert {name: many for name, many in counted.items() if name.startswith("games/a/")} == dict.fromkeys(read_once, 1)


def test_check_looks_at_every_sheet_and_every_file_it_is_given(root: Path) -> None:
    first = sheet(root, "austria", "orders: [A Vienna - Paris]\nfinal: perhaps\n")
    two = sheet(root, "turkey", "orders:\n- A Smyrna - Armenia\n- A Smyrna: [\n")
    three = root / "games" / "a" / FIRST / "orders" / "turky.yaml"
    three.write_text("")
    expected = [
        f"error: games/a/{FIRST}/orders/austria.yaml:2:8: final is 'perhaps'; write true or false",
        f"error: games/a/{FIRST}/orders/turkey.yaml:4:1: not YAML",
        f"error: games/a/{FIRST}/orders/turky.yaml: no seat of this game has a sheet of that name; did you mean 'turkey.yaml'?",
    ]
    for args in ([], [str(first), str(two), str(three)]):
        result = courtly(root, "check", *args)
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 3
        assert all(line.startswith(start) for line, start in zip(result.stderr.splitlines(), expected, strict=True))
    (root / "x.yaml").write_text("")
    elsewhere = courtly(
        root, "check", str(root / "x.yaml"), str(root / "y.yaml"), str(first).replace("tria", "tira"), str(three)
    )
    assert [line.rpartition(": ")[2] for line in elsewhere.stderr.splitlines()] == [
        "a sheet does not belong here; sheets go to games/GAME/TURN/orders/SEAT.yaml",
        "there is no such file",
        "there is no such file; did you mean 'austria.yaml'?",
        "no seat of this game has a sheet of that name; did you mean 'turkey.yaml'?",
    ]


INDENTED = """\
orders:
- A Vienna - Galicia
 - A Budapest - Serbia
     - F Trieste H
draw: true
"""


def test_an_entry_that_is_indented_differently_is_reported_with_its_line(root: Path) -> None:
    """FH-16. The message used to report a second arrow in the line before it."""
    path = sheet(root, "austria", INDENTED)
    errors = [line for line in courtly(root, "check", str(path)).stderr.splitlines() if line.startswith("error")]
    joined = "is indented differently, so it was read as part of line 2; begin both in the same column"
    assert errors == [f"error: games/a/{FIRST}/orders/austria.yaml:{at}: line {at} {joined}" for at in (3, 4)]
    sheet(
        root,
        "austria",
        INDENTED.replace(" - A B", "- A B").replace("     - F", "- F").replace("Galicia", "\n  Galicia"),
    )
    assert courtly(root, "check", str(path)).output == "1 sheet can be judged.\n", "a line may go on below"


def test_no_unlikely_place_is_suggested(root: Path) -> None:
    """FH-16. `blah` was taken for the Black Sea."""
    path = sheet(root, "austria", "orders: [A Vienna - blah, A Budapest H, F Trieste H]\n")
    assert courtly(root, "check", str(path)).stderr.endswith(
        ":21: no place is called 'blah'; the map and the rulebook list the names\n"
    )


def test_a_good_sheet_is_approved_and_an_unlikely_order_gets_a_warning(root: Path) -> None:
    good = "orders: [A Vienna - Galicia, A Budapest - Serbia, F Trieste - Albania]\n"
    path = sheet(root, "austria", good)
    assert courtly(root, "check", str(path)).output == "1 sheet can be judged.\n"
    path = sheet(root, "austria", "orders: [A Vienna - Galicia, A Budapest - Serbia]\n")
    result = courtly(root, "check", str(path))
    assert result.exit_code == 0
    assert result.stderr.startswith(f"warning: games/a/{FIRST}/orders/austria.yaml:")
    assert "F Trieste has no order and would hold" in result.stderr
    assert result.stdout == "1 sheet can be judged; 1 warning(s) above.\n"


def test_a_strangers_text_cannot_control_the_terminal(root: Path) -> None:
    path = sheet(root, "austria", 'orders: ["A Vienna - \\e[31mX\\u202e", "\\r\\a"]\n"\\e[2J": 1\n')
    result = courtly(root, "check", str(path))
    assert result.exit_code == 1
    assert not set(result.output) & {"\x1b", "\r", "\a", "\u202e"}
    json_text = courtly(root, "--json", "check", str(path)).stdout
    assert not set(json_text) & {"\x1b", "\u202e"}


@pytest.mark.parametrize(
    "path",
    ["games/a", "games/a/game.yaml", f"games/a/{FIRST}/turn.yaml", "games/../x/orders/y.yaml", f"games/A/{FIRST}/orders/x.yaml",
     "games/a/../orders/austria.yaml", "games/a/002-x/orders/austria.yaml", f"games/a/{FIRST}/orders/..",
     f"games/a/{FIRST}/orders/austria.yaml", f"games/b/{FIRST}/orders/austria.yaml", "/etc/passwd", ""],
)  # fmt: skip
def test_paths_that_are_not_sheets_give_one_clear_line(root: Path, path: str) -> None:
    result = courtly(root, "check", str(root / path) if path else "")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("error: ")


def test_a_sheet_for_a_judged_turn_is_refused(root: Path) -> None:
    path = sheet(root, "austria", "orders: [A Vienna - Galicia]\n")
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    result = courtly(root, "check", str(path))
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: games/a/{FIRST}/orders/austria.yaml: this turn has been judged: the sheet changes nothing; "
        "write one for the open turn\n"
    )
    assert Archive(root).turns("a") == [FIRST, "002-fall-1901-movement"]


def test_house_rules_of_every_kind_can_be_set_on_the_command_line(tmp_path: Path) -> None:
    assert courtly(tmp_path, "new", "a", "--set", "victory=20", "--set", "board=fleet_rome").exit_code == 0
    text = (tmp_path / "games/a/game.yaml").read_text()
    assert "victory: 20" in text
    twice = courtly(tmp_path, "new", "b", "--set", "victory=20", "--set", "victory=21")
    assert twice.exit_code == 2
    assert "Traceback" not in twice.stderr


NO_MASTER = (
    "error: a sealed game needs the archive's master secret; make one with `courtly keygen --master`, and give it in "
    "COURTLY_MASTER or COURTLY_MASTER_FILE"
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--account", "Austria=anna", "--seat", "Austra=Anna"], [
            "error: --account: 'anna' is not an account number; https://api.github.com/users/NAME shows it as id",
            "error: --seat: no seat is called 'Austra'; did you mean 'Austria'?",
        ]),
        (["--gather"], ["error: --gather: gathering nonces needs a sealed game; add --sealed"]),
        (["--sealed"], [
            NO_MASTER,
        ]),
    ],
)  # fmt: skip
def test_new_reports_every_fault_and_makes_nothing(tmp_path: Path, words: list[str], said: list[str]) -> None:
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "new", "summer", *words], env={"COURTLY_MASTER": ""})
    assert (done.exit_code, done.stderr.splitlines()) == (1, said)
    assert list(tmp_path.rglob("*.yaml")) == []


def test_new_reports_faults_in_game_yaml_by_option(tmp_path: Path) -> None:
    """FH-8. The message named a file and a line that did not exist, one fault after the other."""
    words = [
        "--opened", "2026-02-30", "--turn", "soon", "--zone", "Nowhere", "--hour", "25:00", "--grace", "x",
        "--day-off", "Funday", "--key", "Austria=age1x", "--account", "Italy=me",
    ]  # fmt: skip
    done = courtly(tmp_path, "new", "summer", *words)
    assert [line.removeprefix("error: ").partition(";")[0] for line in done.stderr.splitlines()] == [
        "--account: 'me' is not an account number",
        "--day-off: 'Funday' is not a day of the week",
        "--grace: 'x' is not a length of time",
        "--hour: '25:00' is not a time of day",
        "--key: 'age1x' is not a key that can be sealed to",
        "--opened: '2026-02-30' is not a day",
        "--turn: 'soon' is not a length of time",
        "--zone: no time zone is called 'Nowhere'",
    ]
    assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])


ALONE = {"--hour": "18:00", "--zone": "Europe/Berlin", "--grace": "12h", "--day-off": "Sunday", "--missing": "host"}


def test_options_for_deadlines_need_a_turn_length(tmp_path: Path) -> None:
    """FH-8. `--hour 18:00` without `--turn` silently set deadlines of three days."""
    nothing = "nothing says how long a turn stays open; add --turn, such as --turn 3d, or days in a file for --schedule; or leave this out too, for a game without deadlines"
    for words in (
        *([option, value] for option, value in ALONE.items()),
        [one for pair in ALONE.items() for one in pair],
    ):
        done = courtly(tmp_path, "new", "summer", *words)
        assert done.stderr.splitlines() == sorted(f"error: {option}: {nothing}" for option in words[::2])
        assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert courtly(tmp_path, "new", "summer", "--turn", "2d", *words).exit_code == 0


def test_new_names_all_missing_keys(tmp_path: Path) -> None:
    """FH-8. The message named one key of twelve, in a file that did not exist."""
    master = {"COURTLY_MASTER": "courtly-master-1-" + "5a" * 32}
    arguments = ["-C", str(tmp_path), "new", "farna", "--ruleset", "noblesse", "--key", "Anise=age1x"]
    done = CliRunner().invoke(main, arguments, env=master, catch_exceptions=False)
    seats = find("noblesse").rules.seats(find("noblesse").types.settings())
    lines = done.stderr.splitlines()
    assert len(seats) == len(lines) == 12
    assert lines[:2] == [
        "error: --key: 'age1x' is not a key that can be sealed to; use an age key (age1...) or an SSH key",
        f"error: --key: {seats[1]} has no key that its private news can be sealed to; add --key {seats[1]}=age1... (or an SSH key)",
    ]
    assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])


def test_a_file_of_one_game_is_imported_under_a_name(root: Path) -> None:
    """FH-12. It was refused without --game."""
    assert courtly(root, "run", "--now", "--at", AT).exit_code == 0
    assert courtly(root, "export", "a", "-o", str(root / "a.json")).exit_code == 0
    done = courtly(
        root, "import", str(root / "a.json"), "--as", "again", "--title", "Once more", "--opened", "2026-11-20"
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("; 1 game written.\n")
    game = load_game(Archive(root), "again")
    assert game.title == "Once more"
    assert courtly(root, "verify").exit_code == 0


def test_a_file_of_several_games_cannot_be_imported_under_one_name(root: Path) -> None:
    """FH-12. In that case nothing is written."""
    path = Path(__file__).parent.parent / "data/webdip-cicero-b.jsonl.gz"
    done = courtly(root, "import", str(path), "--as", "again")
    assert (done.exit_code, Archive(root).slugs()) == (1, ["a"])
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"error: {path}: --as and --title name one game, but the file holds several; choose one with --game, such as --game "
    )


# Where an archive begins ------------------------------------------------------------------------------------------


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty folder the working directory, for people who do not name one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", [["new", "summer"], ["import", "x.json"]])
def test_no_command_begins_an_archive_unasked(inside: Path, words: list[str]) -> None:
    """FH-9."""
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    way = "`courtly init` makes one; --here begins a bare one in this folder; -C FOLDER names another"
    assert (done.exit_code, done.stderr) == (1, f"error: {inside / 'games'}: there is no archive here; {way}\n")
    assert list(inside.iterdir()) == []


def test_an_archive_begins_only_where_the_user_asks_for_it(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FH-9. Inside an archive nobody needs to repeat it; from a folder below it, the error names the way to it."""
    for words in (["new", "a", "--here"], ["new", "b"], ["-C", "other", "new", "c"]):
        assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0, words
    assert (Archive(inside).slugs(), Archive(inside / "other").slugs()) == (["a", "b"], ["c"])
    monkeypatch.chdir(inside / "games/a")
    done = CliRunner().invoke(main, ["new", "d"], catch_exceptions=False)
    assert done.stderr.endswith(f"there is no archive here; there is one in {inside}: add -C {inside}\n")


def test_a_missing_mkdocs_yml_is_reported_with_the_command_that_writes_it(root: Path) -> None:
    """FH-9."""
    done = courtly(root, "site")
    what = "there is no mkdocs.yml; `courtly init` writes one, and leaves games as they are"
    assert (done.exit_code, done.stderr) == (1, f"error: {root / 'mkdocs.yml'}: {what}\n")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("new summer", option) for option in ("--seat", "--account", "--key", "--set")),
        *((command, "--set") for command in ("preview diplomacy", "rehearse diplomacy", "import games.json")),
    ],
)
def test_an_option_sets_each_name_only_once(tmp_path: Path, command: str, option: str) -> None:
    (tmp_path / "games.json").write_text("{}", encoding="utf-8")
    done = CliRunner().invoke(main, ["-C", str(tmp_path), *command.split(), option, "board=1", option, "board=2"])
    assert done.exit_code == 2
    assert f"two {option} set the same thing" in done.stderr


def test_the_doctor_says_whether_the_judge_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    assert ("mechanics/movement/solver" in doctor.compiled_modules()) is not str(solver.__file__).endswith(".py")
    said = []
    for modules in ([], ["mechanics/movement/solver"]):
        monkeypatch.setattr(doctor, "compiled_modules", lambda modules=modules: modules)
        done = CliRunner().invoke(main, ["-C", str(tmp_path), "--json", "doctor"])
        said += [one for one in json.loads(done.output)["findings"] if one["what"].startswith("the judge runs")]
    assert said == [
        {"ok": True, "what": "the judge runs as plain Python; a wheel for this machine gives the same results faster"},
        {"ok": True, "what": "the judge runs partly compiled"},
    ]
