"""Secrets are declared (HS-1, RT-13): a field that does not say who sees it is refused, and views are built from the fields' declarations."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.contract.seen import (
    NONE,
    OWNER,
    BySeat,
    Everybody,
    InFull,
    Mine,
    Nobody,
    Owner,
    by_seat,
    instead,
    made,
    only,
    shown,
    undeclared,
    views,
)
from adjudicator.core.text.codec import record
from tests import hazard
from tests.conftest import ROOT


@record
class Card:
    name: Everybody[str]
    note: Owner[str] = ""
    mark: Nobody[str] = "none"


@record
class Hand:
    cards: Everybody[tuple[Card, ...]]
    rank: Annotated[int, only("owner", "leader", instead=0)]


@record
class House:
    rounds: int = 4


@record
class Board:
    turn: Everybody[int]
    hands: BySeat[Mapping[SeatId, Hand]]
    purse: Annotated[Mapping[SeatId, int], by_seat(lambda coins: -1)]
    words: Mine[Mapping[SeatId, str]]
    deck: Annotated[tuple[str, ...], instead(len)]
    top: Annotated[str, made(lambda board, seat: seat or "nobody")]
    last: Everybody[Card | None] = None
    rules: InFull[House] = field(default_factory=House)


@record
class Silent:
    told: Everybody[int]
    untold: int


@record
class Outer:
    inside: Everybody[Mapping[str, tuple[Silent, ...]]]
    also: str = ""


@record
class Blank:
    secret: Owner[str]


@record
class ByHand:
    settings: hazard.Settings = hazard.Settings()


def board() -> Board:
    hands = {
        seat: Hand(cards=(Card(name=f"{seat}1", note="mine", mark="secret"),), rank=number)
        for number, seat in enumerate("AB", 1)
    }
    return Board(
        turn=1, hands=hands, purse={"A": 5, "B": 6}, words={"A": "a", "B": "b"}, deck=("x", "y"), top="x",
        last=Card(name="z", note="whose", mark="secret"),
    )  # fmt: skip


def test_each_seat_sees_what_the_fields_declare() -> None:
    seen: Any = views(Board)(board(), "A")
    assert seen.hands == {
        "A": Hand(cards=(Card(name="A1", note="mine"),), rank=1), "B": Hand(cards=(Card(name="B1"),), rank=0),
    }  # fmt: skip
    assert (seen.turn, seen.purse, seen.words, seen.deck, seen.top) == (1, {"A": 5, "B": -1}, {"A": "a"}, 2, "A")
    assert seen.last == Card(name="z")
    public = views(Board)(board(), None)
    assert {hand.rank for hand in public.hands.values()} == {0}
    assert (public.purse, public.words, public.top) == ({"A": -1, "B": -1}, {}, "nobody")
    assert shown(board().hands["A"], frozenset({"leader"})).rank == 1
    assert shown(board().hands["A"], NONE).rank == 0
    assert shown(board().hands["A"], OWNER).cards[0].mark == "none"


def test_a_field_without_a_declaration_is_refused_at_any_depth() -> None:
    """HS-1: in a position, and in a record within one."""
    assert sorted(undeclared(Outer)) == ["Outer.also", "Silent.untold"]
    with pytest.raises(TypeError, match=r"Outer\.also, Silent\.untold do not say who sees them"):
        views(Outer)


def test_a_hidden_field_needs_a_default_to_show() -> None:
    with pytest.raises(TypeError, match=r"Blank\.secret has no default to show"):
        shown(Blank(secret="x"), NONE)


def test_fields_without_a_declaration_in_hazard_are_refused_when_the_module_is_read() -> None:
    """The input of HS-1: the template has two lines, and the hidden seat appeared in the first turn.yaml."""
    source = (ROOT / "tests/hazard/__init__.py").read_text("utf-8")
    first = "    turn: game.Everybody[game.Whole]\n"
    leaky = source.replace(first, f'{first}    marked: str = ""\n')
    assert leaky != source
    done = subprocess.run(
        [sys.executable, "-c", leaky.replace("__file__", repr("hazard.py"))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "TypeError: Position.marked does not say who sees it" in done.stderr


def test_no_ruleset_with_secrets_has_an_undeclared_field() -> None:
    asked = [find(slug) for slug in slugs() if find(slug).secrecy is not None]
    assert len(asked) >= 2
    for rules in (*asked, hazard.RULESET):
        assert [*undeclared(rules.types.position)] == []


def test_a_ruleset_that_makes_its_views_by_hand_must_declare_its_fields_too() -> None:
    ruleset: Any = hazard.RULESET
    with pytest.raises(TypeError, match=r"ByHand\.settings does not say"):
        replace(ruleset, types=replace(ruleset.types, position=ByHand))


# Types --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel of this clone, and with the packages of this environment."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    folder = tmp_path_factory.mktemp("installed")
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, ROOT], check=True, capture_output=True)
    venv.create(folder / "env", with_pip=False)
    (place,) = (folder / "env").glob("lib/python*/site-packages")
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", place, *wheels.glob("*.whl")], check=True, capture_output=True
    )
    return folder


def mypy(installed: Path, source: str) -> list[str]:
    """Output of strict mypy for a ruleset that is written against the installed package."""
    (installed / "ruleset.py").write_text(source, "utf-8")
    (installed / "mypy.ini").write_text(
        "[mypy]\nstrict = True\n[mypy-pydantic.*]\nignore_missing_imports = True\n", "utf-8"
    )
    words = ["--python-executable", "env/bin/python", "--no-error-summary", "ruleset.py"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=installed, capture_output=True, text=True, check=False,
        env={key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")},
    )  # fmt: skip
    return [line for line in (done.stdout + done.stderr).splitlines() if ": note: " not in line]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="an environment lies elsewhere there")
def test_an_installed_courtly_has_type_information(installed: Path) -> None:
    """HS-2: the errors in types that rulesets.md names also appear with the wheel and without a clone."""
    source = (ROOT / "tests/hazard/__init__.py").read_text("utf-8")
    assert mypy(installed, source) == []
    (line,) = mypy(installed, source.replace('public_roll=lambda name: name.startswith("open:"), ', ""))
    assert 'Missing named argument "public_roll" for "secrets"' in line
    (line,) = mypy(installed, source.replace("weight=0, heard=game.ITS_SEAT", "weight=0"))
    assert 'Missing named argument "heard" for "fact"' in line
