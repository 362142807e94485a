"""One bad sheet does not stop anybody (S-8): only its unreadable part is lost, by hand as by intake, in every ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import Ruleset, find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.text.codec import encode
from adjudicator.core.text.loosely import fit
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text, read
from adjudicator.core.turn.load import load_game, load_turn
from tests import laws

Rules = Ruleset[Any, Any, Any]


def courtly(root: Path, *words: str) -> tuple[int, str]:
    """Run a command; return its exit code and its output."""
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A game of standard Diplomacy whose first turn is open."""
    code, said = courtly(tmp_path, "new", "q", "--here", "--opened", "2026-11-20", "--turn", "3d")
    assert code == 0, said
    return Archive(tmp_path)


def put(archive: Archive, name: str, body: str) -> None:
    """Put a sheet into the open turn."""
    orders = archive.root / "games/q" / archive.turns("q")[-1] / "orders"
    orders.mkdir(exist_ok=True)
    (orders / name).write_text(body, encoding="utf-8")


def judged(archive: Archive) -> Any:
    """The first turn after judging it."""
    return load_turn(archive, load_game(archive, "q"), archive.turns("q")[0]).data


def orders_of(data: Any, seat: str) -> list[str]:
    """The seat's orders that were judged."""
    return [verdict.order for verdict in data.verdicts if verdict.seat == seat and not verdict.implied]


NO_SHEET = [
    "orders: [A Par - Bur",
    "A Par - Bur\n",
    "\torders:\n",
    "orders: [A Par H]\norders: [A Par - Bur]\n",
]


@pytest.mark.parametrize("body", NO_SHEET)
def test_a_file_that_is_not_a_sheet_stops_no_game(archive: Archive, body: str) -> None:
    """The sheet before it counts, its player and the host get a message, and everybody else is judged."""
    put(archive, "france.yaml", "orders: [A Par - Bur]\n")
    put(archive, "france.2.yaml", body)
    put(archive, "italy.yaml", body)
    put(archive, "germany.yaml", "orders: [A Mun - Bur]\n")
    code, said = courtly(archive.root, "run", "--at", "2026-12-20T00:00Z")
    assert code == 0, said
    assert "orders/france.2.yaml: this sheet did not count: " in said
    data = judged(archive)
    assert {*data.refused} == {"france.2.yaml", "italy.yaml"}
    assert orders_of(data, "France") == ["A Paris - Burgundy"]
    assert orders_of(data, "Germany") == ["A Munich - Burgundy"]
    assert orders_of(data, "Italy") == []
    assert courtly(archive.root, "verify", "--all")[0] == 0
    assert courtly(archive.root, "check")[0] == 0


def test_a_faulty_key_loses_only_that_key(archive: Archive) -> None:
    put(
        archive,
        "france.yaml",
        "orders: [A Par - Bur, {a: 1, b: 2}, F Bre - MAO]\nconcede: [nobody]\nteh: end\nfinal: yes\n",
    )
    code, said = courtly(archive.root, "run", "--at", "2026-12-20T00:00Z")
    assert code == 0, said
    assert "not all of this sheet counted" in said
    data = judged(archive)
    assert orders_of(data, "France") == ["A Paris - Burgundy", "F Brest - Mid-Atlantic Ocean"]
    told = data.partly["france.yaml"]
    assert "line 1: entry 2 of orders" in told
    assert "line 2: " in told
    assert "line 3: unknown key 'teh'" in told
    assert courtly(archive.root, "verify", "--all")[0] == 0


@pytest.mark.parametrize(
    ("word", "means"), [("yes", True), ("No", False), ("ON", True), ("off", False), ("true", True)]
)
def test_yes_and_no_are_read_in_fields_that_are_true_or_false(word: str, means: bool) -> None:
    rules = find("diplomacy")
    sheet: Any = rules.read_sheet(laws.first(rules), "France", read(f"draw: {word}\n".encode(), "x.yaml"))
    assert sheet.draw is means


@pytest.mark.parametrize("word", ["yeah", "1", "maybe"])
def test_other_words_are_refused_in_such_fields(word: str) -> None:
    rules = find("diplomacy")
    with pytest.raises(Problems):
        rules.read_sheet(laws.first(rules), "France", read(f"draw: {word}\n".encode(), "x.yaml"))


# Shapes ---------------------------------------------------------------------------------------------------------------

SHAPES = {
    "one text": "orders: A Par - Bur\n",
    "lines": "orders: |\n  A Par - Bur\n  F Bre H\n",
    "bullets": "orders: |\n  * A Par - Bur\n  2. F Bre H\n",
    "capitals": "Orders:\n- A Par - Bur\n",
    "nothing": "orders:\nfinal: yes\n",
    "a list alone": "- A Par - Bur\n- F Bre H\n",
}


@pytest.mark.parametrize(("body", "lines"), [*zip(SHAPES.values(), (1, 2, 2, 1, 0, 2), strict=True)], ids=[*SHAPES])
def test_lists_of_lines_are_read_in_several_shapes(body: str, lines: int) -> None:
    rules = find("diplomacy")
    sheet: Any = rules.read_sheet(laws.first(rules), "France", read(body.encode(), "x.yaml"))
    assert sheet.orders == ("A Par - Bur", "F Bre H")[:lines]


def test_a_line_with_a_colon_needs_no_quotes() -> None:
    """F8: the first army of every player's first sheet."""
    kind = find("grand_campaign").types.sheets["season-sheet"]
    for body in ("armies:\n- A1: E, E\n- A2:   W\n", "armies:\n  A1: E, E\n  A2: W\n"):
        assert fit(kind, read(body.encode(), "x.yaml")).data == {"armies": ["A1: E, E", "A2: W"]}


def test_data_of_the_wrong_shape_is_left_with_its_fault() -> None:
    """A record where a list of records belongs is not read as the list of its keys."""
    rules = find("noblesse")
    for kind in rules.types.sheets.values():
        body = read(b"proposals: {form: reaches, number: 1}\norders: [[a, b]]\n", "x.yaml")
        assert fit(kind, body).data == body.data


@pytest.mark.parametrize("slug", slugs())
def test_faults_in_a_sheet_change_nothing_else(slug: str) -> None:
    """A law over stand-ins' sheets: an unknown key and entries of the wrong kind change nothing else."""
    rules: Rules = find(slug)
    position = laws.first(rules)
    for seat in sorted(rules.due(position)):
        sheet = encode(write_sheet(rules, position, seat, chance_of("bad sheets", seat)))
        whole = rules.read_sheet(position, seat, Text("x", dict(sheet), {}))
        bad = {
            "nonsense": 5,
            **{key: [*value, {"a": 1, "b": 2}] if isinstance(value, list) else value for key, value in sheet.items()},
        }
        kept, faults = rules.salvage_sheet(position, seat, Text("x", bad, {}))
        assert kept == whole
        assert faults


@pytest.mark.parametrize("body", ["ordres: [A Par H]\n", "orders: [[A Par H]]\ndraw: perhaps\n"])
def test_a_sheet_with_nothing_readable_does_not_count(archive: Archive, body: str) -> None:
    """The one before it counts: nobody loses orders to a misspelt key."""
    put(archive, "france.yaml", "orders: [A Par - Bur]\n")
    put(archive, "france.2.yaml", body)
    assert courtly(archive.root, "run", "--at", "2026-12-20T00:00Z")[0] == 0
    data = judged(archive)
    assert ([*data.refused], data.partly) == (["france.2.yaml"], None)
    assert orders_of(data, "France") == ["A Paris - Burgundy"]
