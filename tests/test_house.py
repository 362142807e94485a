"""The house itself: rings, rulesets found by their folder, the contract every ruleset keeps, the archive as a test."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import networkx as nx
import pytest

import adjudicator
from adjudicator.cli import main
from adjudicator.core.contract.rulebook import rules_in
from adjudicator.core.contract.ruleset import RULESETS, Ruleset, find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import Joining, MissingSheets
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.new import new_id
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.turn.files import turn_text
from adjudicator.core.turn.load import load_game, load_turn
from tests import laws
from tests.conftest import FUZZ

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "adjudicator"

MAY_IMPORT = {
    "core": {"core"},
    "render": {"core", "render"},
    "mechanics": {"core", "mechanics"},
    "rules": {"core", "mechanics", "render"},
    "rulesets": {"core", "mechanics", "render", "rules", "rulesets"},
    "site": {"core", "render", "site"},
    "ci": {"core", "ci"},
    "cli": {"core", "site", "ci", "cli", ""},
    "__main__": {"cli"},
    "": {"core"},
}
"""Ring -> the rings that it may import."""


@functools.cache
def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.split(".")[0] == "adjudicator"}


def ring(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_imports_outward(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    here = "" if parts == ("__init__",) else parts[0]
    assert {ring(module) for module in imports(path)} <= MAY_IMPORT[here]
    if here == "rulesets" and len(parts) > 2:
        others = {m.split(".")[2] for m in imports(path) if m.startswith("adjudicator.rulesets.")} - {parts[1]}
        private = [m for m in imports(path) if any(f"rulesets.{o}." in m for o in others)]
        assert private == []


FLOORS = ("files", "text", "secrets", "contract", "game", "turn", "jobs")
"""The rooms of core from the ground up: none imports from one above it."""


def test_every_room_of_core_has_its_floor() -> None:
    rooms = {path.name for path in (PACKAGE / "core").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == set(FLOORS)
    assert [path.name for path in (PACKAGE / "core").glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").glob("*/*.py")), ids=lambda path: "/".join(path.parts[-2:]))
def test_no_room_of_core_knows_one_above(path: Path) -> None:
    above = FLOORS[FLOORS.index(path.parent.name) + 1 :]
    assert [
        name for name in imports(path) if name.startswith(tuple(f"adjudicator.core.{room}" for room in above))
    ] == []


def imported(path: Path, files: frozenset[str]) -> set[str]:
    """The files of the package that a file imports anywhere, within functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= named & files or {node.module, f"{node.module}.__init__"} & files
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & files
    return found


def test_no_files_import_each_other_in_a_circle() -> None:
    """HS-9: lazy imports included. Code that two files need from each other goes into a third, above or below both."""
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, path in paths.items():
        graph.add_edges_from((name, other) for other in imported(path, frozenset(paths)) if other != name)
    assert [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


def test_no_class_in_a_ruleset_has_two_levels_of_base_classes() -> None:
    """HS-6: a turn in the making is one class, and its steps are functions. No class extends one that itself extends a class of the ruleset."""
    for folder in RULESETS.iterdir():
        bases: dict[str, set[str]] = {}
        for path in folder.glob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.decorator_list:
                    bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
        towers = [name for name, below in bases.items() if any(bases.get(base, set()) & {*bases} for base in below)]
        assert towers == [], folder.name


def test_options_list_every_choice_of_a_closed_set(tmp_path: Path) -> None:
    """HS-11: they were typed out, and a new choice could not be given."""
    from click.testing import CliRunner

    help_ = CliRunner().invoke(main, ["new", "--help"]).output
    for choices in (MissingSheets, Joining):
        assert "[" + "|".join(one.value for one in choices) + "]" in re.sub(r"\s+", "", help_), choices


def test_every_decision_is_in_the_list() -> None:
    """HS-13: reasons lived in seven hundred commit messages."""
    folder = ROOT / "site_src/decisions"
    records = sorted(path.name for path in folder.glob("0*.md"))
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", (folder / "index.md").read_text(encoding="utf-8"))
    assert len(records) >= 20
    assert sorted(set(listed)) == records
    for name in records:
        text = (folder / name).read_text(encoding="utf-8")
        heads = ["Context", "Decision", "Consequences", "Not chosen"]
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == heads, name
        assert re.search(r"^- Date: \d", text, re.MULTILINE), name
        for path in re.findall(r"`(adjudicator/[\w/]+\.py)`", text):
            assert (ROOT / path).is_file(), (name, path)


LAWS_ONLY = frozenset({"legal_orders", "notation_of"})
"""Functions that laws and benchmarks call and the package does not: all legal orders at once, and the notation of a board by its name."""


def test_no_function_exists_only_for_tests() -> None:
    """HS-10: every function and class at the top of a module is named a second time in the package, or among the commands and plugins."""
    named: Counter[str] = Counter()
    for path in (*PACKAGE.rglob("*.py"), ROOT / "pyproject.toml", ROOT / "vendor/pyodide/make.py"):
        named.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    for path in (ROOT / "site_src/assets").rglob("*.js"):
        named.update({*re.findall(r"\w+", path.read_text(encoding="utf-8"))})
    lonely = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            is_command = isinstance(node, ast.FunctionDef) and any(
                "command" in ast.unparse(one) for one in node.decorator_list
            )
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and named[node.name] < 2 and not is_command:
                lonely.add(node.name)
    assert lonely - {"__getattr__"} == LAWS_ONLY


LONELY = frozenset({"beside", "walks"})
"""Rooms of contract with one ruleset as user: tables for the desk, until it asks the judge."""


def test_every_room_of_contract_is_used_by_two_rulesets_or_by_all_games() -> None:
    """HS-5: core knows no game. A room that one game uses is that game's, whatever its words are."""
    users: dict[str, set[str]] = {path.stem: set() for path in (PACKAGE / "core/contract").glob("[a-z]*.py")}
    for path in RULESETS.rglob("*.py"):
        for name in imports(path) & {f"adjudicator.core.contract.{room}" for room in users}:
            users[name.rpartition(".")[2]].add(path.relative_to(RULESETS).parts[0])
    assert {room for room, games in users.items() if len(games) == 1} == LONELY


def test_overly_complex_functions_are_listed_and_get_fewer() -> None:
    """HS-12: 25 functions are over 15 (ruff's C901), in files that pyproject.toml names."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert "C901" not in config["ignore"]
    assert config["mccabe"]["max-complexity"] <= 15
    named = [files for files, rules in config["per-file-ignores"].items() if "C901" in rules]
    assert sum(1 + files.count(",") for files in named if files.startswith("adjudicator/")) == 23


ROOMS = frozenset({
    "__init__", "position", "orders", "options", "events", "resolve", "prose", "picture", "standings", "worth", "examples",
})  # fmt: skip
"""Modules that every ruleset has, by common names; a large one has more rooms, named for its own nouns."""


@pytest.mark.parametrize("slug", [slug for slug in slugs() if find(slug).folder.parent == RULESETS])
def test_every_ruleset_has_the_same_rooms(slug: str) -> None:
    assert {path.stem for path in (RULESETS / slug).glob("*.py")} >= ROOMS


GAMES_OWN = re.compile(
    r"provinc|\barm(y|ies)\b|fleet|convoy|steward|wazir|\bprinces?\b|courtier|supply cent|\bestates?\b|regiment|dislodg",
    re.IGNORECASE,
)
"""Words of particular games."""
SHARED = [
    *(PACKAGE / "core").rglob("*.py"),
    *(PACKAGE / "site").rglob("*.py"),
    *(PACKAGE / "ci").rglob("*.py"),
    *(PACKAGE / f"render/{name}.py" for name in ("chart", "palette", "timeline", "kinship", "sides")),
]


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_shared_code_names_no_game(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if GAMES_OWN.search(line)] == []


@pytest.mark.xdist_group("kept")
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """Otherwise every process would build the site, and no test would fail: see `pytest` in pyproject.toml."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        assert request.node.nodeid.endswith("@kept")


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert adjudicator.__version__ == project["version"]
    assert project["optional-dependencies"]["engine"] == [f"courtly-engine=={project['version']}"]


def test_no_theme_with_a_known_hole_is_allowed() -> None:
    """H3-14: search suggestions of mkdocs-material before 9.7.7 let markup through."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["site"]]
    (theme,) = [line for line in named if line.startswith("mkdocs-material")]
    lowest = theme.partition(">=")[2].partition(",")[0]
    locked = re.search(r"^mkdocs-material==([0-9.]+)", (ROOT / ".github/courtly-site.txt").read_text(), re.MULTILINE)
    assert locked is not None
    for version in (lowest, locked[1]):
        assert tuple(map(int, version.split("."))) >= (9, 7, 7)


def test_the_public_names_are_there() -> None:
    for name in adjudicator.__all__:
        assert getattr(adjudicator, name) is not None
    with pytest.raises(AttributeError):
        getattr(adjudicator, "nothing")  # noqa: B009 - mypy knows that it is not there


def test_a_ruleset_is_found_only_by_its_folder() -> None:
    folders = {path.parent.name for path in RULESETS.glob("*/__init__.py")}
    assert set(slugs()) == {name for name in folders if (RULESETS / name / "RULES.md").exists()}
    for path in FILES:
        if "rulesets" not in path.parts:
            text = path.read_text(encoding="utf-8")
            named = [slug for slug in folders if re.search(rf"rulesets\.{slug}|rulesets import {slug}", text)]
            assert named == [], path


VERDICT = re.compile(r"\brule: [A-Z0-9]+-[A-Z]+-[0-9]+")
"""The rule of a verdict, as cases write it down."""


@pytest.fixture(params=slugs())
def rules(request: pytest.FixtureRequest) -> Ruleset[Any, Any, Any]:
    return find(request.param)


def test_every_ruleset_says_who_it_is(rules: Ruleset[Any, Any, Any]) -> None:
    laws.says_who_it_is(rules)
    others = [find(slug).about.prefix for slug in slugs() if slug != rules.about.slug]
    assert rules.about.prefix not in others


def test_every_rule_is_cited_by_a_case_or_a_test(rules: Ruleset[Any, Any, Any]) -> None:
    """A verdict that names a rule does not cite it: the case itself lists the rules that it shows."""
    book = (rules.folder / "RULES.md").read_text(encoding="utf-8")
    ids = rules_in(book)
    sources = [
        *(rules.folder / "cases").glob("*.yaml"),
        *(ROOT / "tests").rglob("*.py"),
        *(ROOT / "tests/data").rglob("*.yaml"),
    ]
    text = "\n".join(VERDICT.sub("", path.read_text(encoding="utf-8")) for path in sources)
    missing = [rule for rule in ids if not re.search(rf"{rule}\b", text)]
    print(f"{rules.about.title}: {len(ids)} rules, {len(missing)} cited by no case")
    assert missing == []


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_every_ruleset_keeps_the_laws(rules: Ruleset[Any, Any, Any], law: Callable[[Any, int], None]) -> None:
    law(rules, 4)


# The archive is the test suite ------------------------------------------------------------------------------------

GAMES = Archive(ROOT).slugs()
RECORDS = [slug for slug in GAMES if load_game(Archive(ROOT), slug).data.kind is GameKind.RECORD]


def test_the_archive_has_whole_real_games_and_one_in_progress() -> None:
    archive = Archive(ROOT)
    ended = [slug for slug in GAMES if archive.has_ended(slug)]
    assert len(ended) >= 3
    running = [slug for slug in GAMES if slug not in ended and slug not in RECORDS]
    assert running
    for slug in running:
        turn = load_turn(archive, load_game(archive, slug), archive.turns(slug)[-1])
        assert turn.data.status == "open"


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
def test_every_archived_turn_is_judged_again_to_the_same_bytes(slug: str) -> None:
    checked = verify_game(Archive(ROOT), slug)
    assert [str(fault) for fault in checked.problems] == []
    assert checked.turns == 0 if slug in RECORDS else checked.turns >= 2


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
def test_every_turn_survives_reading_and_writing(slug: str) -> None:
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    for name in archive.turns(slug):
        turn = load_turn(archive, game, name)
        assert turn_text(turn.data) == turn.source


DRAWING = re.compile(
    r"\b(urandom|token_(bytes|hex|urlsafe)|randbelow|randbits|SystemRandom|uuid[14]|import (random|secrets))\b"
)


def test_values_that_nobody_may_guess_are_drawn_in_one_place() -> None:
    """Except keys of age, which its library draws: for both, tests fix the randomness in every run."""
    drawing = [
        path.relative_to(PACKAGE).as_posix() for path in FILES if DRAWING.search(path.read_text(encoding="utf-8"))
    ]
    assert drawing == ["core/secrets/chance.py"]


@pytest.fixture(scope="module")
def drawn() -> tuple[str, str]:
    return new_id(), recipient_of(new_identity())[-6:]


@pytest.mark.skipif(FUZZ, reason="it is drawn really")
def test_random_draws_in_a_test_are_the_same_in_every_run(drawn: tuple[str, str]) -> None:
    assert (new_id(), recipient_of(new_identity())[-6:]) == ("b9d311b1715e857d", "0jffks")
    assert drawn == ("5f3845505e376c32", "wgdajs")


@pytest.mark.slow
def test_hash_seeds_make_no_difference() -> None:
    digests = set()
    for seed in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "-C", str(ROOT), "verify", "--jobs", "1", "first-lessons"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
    assert "the same bytes" in digests.pop()


# Promises of documents --------------------------------------------------------------------------------------------


def test_the_readme_names_commands_that_exist() -> None:
    commands = main.list_commands(click.Context(main))
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE))
    for path in (*ROOT.glob("*.md"), *(ROOT / "site_src").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"`courtly ([a-z]+)", text) + re.findall(r"^\$ courtly ([a-z]+)", text, re.MULTILINE):
            assert name in commands, (path.name, name)
        for name in re.findall(r"nox -s ([a-z]+)", text):
            assert name in sessions, (path.name, name)


def test_the_worked_turn_in_the_readme_is_played_as_written(tmp_path: Path) -> None:
    from click.testing import CliRunner

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    sheet = re.search(r"france\.yaml\n(orders:\n(?:  - .*\n)+)", text)
    assert sheet is not None
    runner = CliRunner()

    def said(*words: str) -> str:
        result = runner.invoke(main, ["-C", str(tmp_path), *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    said("new", "summer", "--title", "The summer game")
    orders = tmp_path / "games/summer/001-spring-1901-movement/orders"
    orders.mkdir()
    (orders / "france.yaml").write_text(sheet[1])
    assert said("check") in text
    assert said("run", "--now", "--game", "summer") in text
    assert said("verify").partition("Digest")[0] in text
