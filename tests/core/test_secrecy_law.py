"""The law of secrecy: pairs of turns that differ in things a reader may not know, see `tests.secrecy` (FS-1, FS-2, FS-13, FS-16, FS-21)."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudicator.ci.adjudicate import judge_due_games
from adjudicator.ci.channels import news
from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.ruleset import Ruleset, find
from adjudicator.core.game import game as games
from adjudicator.core.game.archive import Archive
from adjudicator.core.secrets.age import examine
from adjudicator.core.turn.load import load_all, load_game, load_turn
from tests import hazard, secrecy
from tests.conftest import first_of
from tests.core.test_secrets import MASTER, Table, cli, public_bytes

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("with_hazard")]

SAMPLE = {"noblesse": (range(1), 1), "hazard": (range(8), 4), "heir_apparent": (range(1), 13)}
"""Games and turns that these tests try; `nox -s secrecy` tries two hundred."""

PAIRS = {
    "noblesse": {"exchanged", "other sheet"},
    "hazard": {"exchanged", "other sheet", "another deal"},
    "heir_apparent": {
        "other sheet",
        "another deal",
    },  # everybody sees which Prince is whose, so no two seats can change places
}
"""Functions that make pairs of turns."""


def test_every_ruleset_with_secrets_is_tested() -> None:
    assert set(secrecy.hidden()) == set(SAMPLE)


@pytest.mark.parametrize(
    ("slug", "sample"), first_of([*SAMPLE.items(), ("noblesse", (range(1), 3))], len(SAMPLE)), ids=str
)
def test_a_readers_files_depend_only_on_what_the_reader_may_know(slug: str, sample: tuple[range, int]) -> None:
    findings = secrecy.search(find(slug), *sample)
    assert findings.leaks == []
    assert min(findings.compared.values()) >= 4, findings.compared
    assert set(findings.compared) == PAIRS[slug]


def faulty(rules: Ruleset[Any, Any, Any], **wrong: Any) -> Ruleset[Any, Any, Any]:
    assert rules.secrecy is not None
    return replace(rules, secrecy=replace(rules.secrecy, **wrong))


def unreduced(fact: Any, seat: str | None) -> Any:
    """The bug of FS-1: a fact names the others who hear it."""
    if isinstance(fact, Verdict):
        return fact if fact.seat == seat else None
    return fact if fact.heard is None or seat in fact.heard else None


@pytest.mark.long
def test_the_law_notices_a_dispatch_that_lists_who_else_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bug of FS-1: the founder of a court reads who leads their faction."""
    wrong = faulty(find("noblesse"), heard_by=unreduced)
    monkeypatch.setattr(games, "find", lambda slug: wrong)
    findings = secrecy.search(wrong, range(1), 2)
    assert findings.leaks
    assert all("/dispatch: - {event: " in leak and "heard: [" in leak for leak in findings.leaks)


@pytest.mark.long
def test_the_law_notices_a_file_whose_length_reveals_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bug of FS-21: the sealed files of a turn have the length of their content."""
    rules = find("hazard")
    monkeypatch.setattr("adjudicator.core.turn.files.news_width", lambda members, least=0: max(map(len, members)))
    findings = secrecy.search(rules, range(40), 4)
    assert any("/lengths: " in leak for leak in findings.leaks)


# Output of commands, and their exit codes -------------------------------------------------------------------------

COMMANDS = (
    ("check",),
    ("doctor",),
    ("verify",),
    ("run", "--at", "2026-11-21T00:00Z"),
    ("check",),
    ("verify",),
    ("render", "cards"),
)
SECRET = re.compile(
    r"(?m)^( *(?:archive|commitment|secret|digest|recipient|identity|nonce|key): ).*|^(  (?:Ash|Birch|Cedar): )\"?[0-9a-f]{64}\"?$|Digest [0-9a-f]{64}|age1[0-9a-z]{58}"
)
"""Parts that differ between any two games: keys, digests, ciphertexts."""


def said(root: Path, *, master: bool) -> list[tuple[str, int]]:
    env = {"COURTLY_MASTER": MASTER} if master else {}
    outputs = []
    for command in COMMANDS:
        done = cli(root, *command, **env)
        outputs.append((SECRET.sub("", done.output.replace(str(root), "ROOT")), done.exit_code))
    return outputs


def public(root: Path) -> dict[str, Any]:
    """Public files without keys and digests; for sealed ones, the length of the plaintext."""
    return {
        name: examine(body, name).length if name.endswith(".age") else SECRET.sub("", body.decode())
        for name, body in public_bytes(root / "games").items()
    }


def test_commands_print_and_exit_the_same_way_whatever_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables whose cards, whispers and sheets differ where the public sees nothing: same output, exit codes, files, lengths."""
    compared = 0
    # About one pair of tables in forty is alike enough; age never seals to the same bytes twice, and dice depend on
    # them.
    for seed in range(2000):
        if compared == 1:
            break
        random = Random(seed)
        with monkeypatch.context() as patch:
            # The archive's id, and so the cards.
            patch.setattr("adjudicator.core.secrets.chance.urandom", random.randbytes)
            tables = [Table(tmp_path / f"{seed}-{at}") for at in range(2)]
        for table in tables:
            hands = load_all(table.archive, table.turn).position.hands
            for seat in hazard.SEATS[:-1]:  # the last owes one, and is reminded
                card = random.choice([*hands[seat], "card-99", "x" * random.randrange(1, 400)])
                more = {"draw": True} if random.random() < 0.5 else {}
                table.sheet(seat, "w" * random.randrange(1, 81), **{"play": card, **more})
        rehearsed, jobs = [], []
        for table in tables:
            shutil.copytree(table.root, trial := tmp_path / "trial" / table.root.name)
            there = Archive(trial, table.archive.masters)
            told = []
            for at in (
                "2026-11-20T20:00Z",
                "2026-11-21T00:00Z",
            ):  # what `courtly ci adjudicate` reminds of and judges, prints and tells channels
                batch = judge_due_games(there, at)
                told.append(
                    ([(step.what, step.phase) for step in batch.steps], batch.problems, [*news(there, batch, at)])
                )
            jobs.append(told)
            rehearsed.append(seen(there))
        if rehearsed[0] != rehearsed[1]:
            continue
        # Everything public is the same in both games: then nothing else may differ.
        compared += 1
        first, other = ([said(table.root, master=master) for master in (False, True)] for table in tables)
        assert first == other
        assert jobs[0] == jobs[1]
        assert [what for steps, _, _ in jobs[0] for what, _ in steps] == ["reminded", "resolved", "opened"]
        assert public(tables[0].root) == public(tables[1].root)
    assert compared == 1


def seen(archive: Archive) -> tuple[Any, ...]:
    """The events that the public heard of the first turn, and the board that it sees afterwards."""
    game = load_game(archive, "cards")
    first, second = (load_turn(archive, game, name).data for name in archive.turns("cards"))
    return first.events, second.position
