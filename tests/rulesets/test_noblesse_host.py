"""Decisions that Noblesse leaves to its host, in a sealed game: shown only to the host, ruled in secret, heard by two leaders (FN-10, NB-T-10)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.envelope import open_own
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.aside import news_alone
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.position import Settings
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, Report, Treaty, treaty_of

pytestmark = pytest.mark.slow

MASTER = "courtly-master-1-" + "7e" * 32
SEATS = RULESET.rules.seats(Settings())
UNTOLD = (
    "games/farna/002-night-1: it is hidden whether anything is waiting for the host’s ruling; "
    "`courtly check --host` shows it, with the master secret"
)


def treaty() -> Treaty:
    """Of Pape and TCK, with a report that waits."""
    promise = Promise(form="show units", text="the Morale of all", cycles=9)
    made = treaty_of(
        Proposal(
            to="TCK",
            mine=(promise,),
            theirs=(promise,),
            penalties=(Penalty(form="pays", amounts=Stock(money=1)),),
            ends=(Expiration(form="cycles", number=9),),
        ),
        "Pape",
    )
    return replace(made, status="in force", began=1, reports=(Report(by="TCK", promise=1),))


class Farna:
    """A sealed game in its first Night, with or without a report that waits."""

    def __init__(self, root: Path, *, reported: bool) -> None:
        self.root, self.archive = root, Archive(root, read_masters(MASTER, "test"))
        self.identities = {seat: new_identity() for seat in SEATS}
        (root / "games").mkdir(parents=True)
        new_charter(self.archive)
        seats = {seat: {"player": "P", "key": recipient_of(key)} for seat, key in self.identities.items()}
        data: dict[str, Any] = {
            "ruleset": "noblesse", "title": "Farna", "opened": "2026-11-20", "id": "c0" * 8, "sealed": True, "seats": seats,
        }  # fmt: skip
        new_game(self.archive, "farna", data)
        if reported:
            self.rule({"correct": {"treaties": {"T417": encode(treaty())}}})
            done = self.cli("seal", str(self.ruling))
            assert done.exit_code == 0, done.output
        assert self.run(now=True)[-1] == "opened"

    @property
    def turn(self) -> Turn:
        return load_turn(self.archive, load_game(self.archive, "farna"), self.archive.turns("farna")[-1])

    @property
    def ruling(self) -> Path:
        return self.turn.folder / "ruling.yaml"

    def rule(self, ruling: dict[str, Any]) -> None:
        self.ruling.write_text(write({"rulings": [{"reason": "So.", **ruling}]}))

    def run(self, *, now: bool = False) -> list[str]:
        with self.archive.writing():
            return [step.what for step in run_game(self.archive, "farna", at="2026-11-21T00:00Z", now=now)]

    def cli(self, *args: str, **env: str) -> Result:
        clean = {"COURTLY_MASTER": MASTER, "COURTLY_MASTER_FILE": "", "CI": ""}
        return CliRunner().invoke(main, ["-C", str(self.root), *args], env=clean | env)

    def letter(self, seat: str) -> str:
        body = (self.turn.folder / f"dispatches/{seat.lower()}.age").read_bytes()
        return news_alone(open_own(body, [self.identities[seat]], "letter")).decode()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Farna, Farna]:
    """One with a report that waits, and one without."""
    root = tmp_path_factory.mktemp("farna")
    return Farna(root / "one", reported=True), Farna(root / "two", reported=False)


def test_only_the_host_is_shown_what_waits(tables: tuple[Farna, Farna]) -> None:
    """FN-10: on request, with the master secret; all other output is identical, whether a report waits or not."""
    for command in (("check",), ("doctor",), ("run", "--at", "2026-11-21T00:00Z")):
        said = [table.cli(*command, COURTLY_MASTER=master) for table in tables for master in (MASTER, "")]
        assert len({(line.exit_code, line.output.replace("/one", "").replace("/two", "")) for line in said[::2]}) == 1
        assert len({(line.exit_code, line.output.replace("/one", "").replace("/two", "")) for line in said[1::2]}) == 1
        assert all("T417" not in line.output for line in said)
    first, second = (table.cli("check", "--host") for table in tables)
    assert UNTOLD in tables[0].cli("check").output
    assert (
        "games/farna/002-night-1: is waiting for its host: Pape reports that TCK broke promise 1 of T417 (“TCK"
        in first.output
    )
    assert (
        "`rulings: [{decide: {treaty: T417, by: TCK, promise: 1, broken: true}, reason: WHY}]`, or `broken: false`; write it"
    ) in first.output
    assert "is waiting for its host" not in second.output
    assert "do not use it in a job" in tables[0].cli("check", "--host", CI="true").output
    assert "T417" not in tables[0].cli("check", "--host", COURTLY_MASTER="").output


def test_a_decision_in_the_open_is_refused_and_can_be_sealed(tables: tuple[Farna, Farna]) -> None:
    """FN-10: nobody reads of it, in logs or files; the two leaders hear it when the Night is resolved."""
    table, empty = tables
    decision = {"treaty": "T417", "by": "TCK", "promise": 1, "broken": True}
    table.rule({"decide": decision})
    for master in (MASTER, ""):
        said = table.cli("check", COURTLY_MASTER=master)
        assert said.exit_code == 1
        assert (
            "ruling.yaml:2:17: this decision is hidden, but here everybody could read it; `courtly seal" in said.output
        )
        assert "T417" not in said.output
    empty.rule({"decide": decision})
    wrong = empty.cli("seal", str(empty.ruling))
    assert wrong.exit_code == 1
    assert "there is no treaty 'T417'; no report is waiting" in wrong.output
    assert empty.cli("seal", str(empty.ruling), COURTLY_MASTER="").exit_code == 0  # nobody can look inside
    assert "this hidden correction cannot be made in this turn" in empty.cli("run", "--now").output
    empty.ruling.unlink()
    assert table.cli("seal", str(table.ruling), COURTLY_MASTER="").exit_code == 0
    assert re.search(r"\bT417\b", table.ruling.read_text()) is None  # sealed text may contain any letters
    assert table.run() == ["ruled"]
    assert "is waiting for its host" not in table.cli("check", "--host").output
    night = table.turn
    assert load_all(table.archive, night).position.treaties["T417"].reports == (
        Report(by="TCK", promise=1, ruled="broken"),
    )
    assert table.run(now=True)[-1] == "opened"
    position = load_all(table.archive, table.turn).position
    leaders = {position.factions[name].leader for name in ("Pape", "TCK")}
    heard = {seat for seat in SEATS if "TCK broke promise 1 of treaty T417" in table.letter(seat)}
    assert heard == leaders
    for path in (table.root / "games").rglob("*"):
        assert path.is_dir() or b"T417" not in path.read_bytes(), path
    assert [str(fault) for fault in verify_game(table.archive, "farna").problems] == []
