"""The law of tampering: every change of any key of any file is noticed, unless SECURITY.md's table allows it (RT-2, RT-12,
RT-15).

`python -m pytest -m long` tries every one; the default tests a sample that is the same in each run.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.ci.conftest import game_data
from tests.ci.tampering import Change, answer, apply, changes, found, in_history
from tests.ci.test_history import Group, hazard_known, played, table
from tests.conftest import ROOT

STEP = 24
"""The default tries one change in this many."""
ALLOWED = (
    (r"gather/game\.yaml", r"archive|id|setup|settings|settings\.\w+|words|names|standing", "game.yaml: ruleset, id, archive, sealed, seed, setup"),
    (r"[\w/-]+/kept/[\w-]+\.yaml", r"", "kept/*: what a game keeps"),
)  # fmt: skip
"""File, key, and the beginning of the row in SECURITY.md's table that makes a change of it neither a fault nor a note."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Group]:
    """Sealed, hidden and open games. Each has an open turn, a judged one, and one that was put back; some are over."""
    with hazard_known():
        group = played(tmp_path_factory.mktemp("tampering") / "archive")
        openly = {"sealed": False, "seed": "s"}
        for name, how in (("open", openly), ("ended", openly), ("peace", {"id": "6f" * 8})):
            group.new(name, **game_data(schedule={"turn": "2d"}, **how))
            group.run(name, "2026-11-20T00:00Z")
            group.commit("Begun")
            group.judged(name, "2026-11-23T00:00Z")
        group.undo("open", "2026-11-23T01:00Z")
        group.judged("open", "2026-11-26T00:00Z")
        for name in ("ended", "peace"):
            group.rules(name, end={"how": "stopped", "winners": []})
            group.commit("A ruling")
            group.run(name, "2026-11-24T00:00Z")
            group.commit("Over")
        yield group


def tried(group: Group, chosen: list[Change]) -> Iterator[tuple[Change, str]]:
    """Each change with its result: `fault`, `note`, or nothing."""
    before, history, head = found(group.root, None), in_history(group.root), group.head
    for change in chosen:
        path = group.root / "games" / change.path
        was = path.read_bytes() if path.is_file() else None
        if change.body == was:
            continue
        new = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
        apply(group.root, change)
        said = answer(group.root, change, before, history)
        if said != "fault":
            group.commit("Tampered")
            faults, notes = in_history(group.root)
            said = "fault" if faults - history[0] else "note" if notes - history[1] else said
            group.git("reset", "--quiet", "--soft", head)
        path.unlink(missing_ok=True)
        if was is not None:
            path.write_bytes(was)
        for folder in new:
            shutil.rmtree(folder, ignore_errors=True)
        yield change, said


def unseen(group: Group, chosen: list[Change]) -> list[str]:
    """Changes that nobody sees and that no row of the table allows."""
    counts: Counter[str] = Counter()
    left = []
    for change, said in tried(group, chosen):
        row = next(
            (row for path, key, row in ALLOWED if re.fullmatch(path, change.path) and re.fullmatch(key, change.key)),
            None,
        )
        counts[said or ("row" if row else "left")] += 1
        if not said and row is None:
            left.append(change.label)
    print(dict(counts))
    return left


@pytest.mark.slow
def test_no_sampled_change_goes_unnoticed(archive: Group) -> None:
    every = [*changes(archive.root)]
    assert len(every) > 3000
    assert unseen(archive, every[::STEP]) == []


@pytest.mark.long
def test_no_change_at_all_goes_unnoticed(archive: Group) -> None:
    assert unseen(archive, [*changes(archive.root)]) == []


def test_every_state_and_every_kind_of_game_is_tried(archive: Group) -> None:
    """Open, judged, restored and finished turns of open, sealed and hidden games; every kind of file in an archive."""
    every = [*changes(archive.root)]
    paths = {change.path for change in every}
    for kind, game in (("open", "open"), ("sealed", "war"), ("hidden", "cards")):
        own = [path.split("/") for path in paths if path.startswith(f"{game}/")]
        states = {parts[1][:3] for parts in own if parts[1][:1] == "0"} | {
            parts[1] for parts in own if parts[1] == "undone"
        }
        assert len(states) >= 3, (kind, states)
    assert {path.split("/")[1] for path in paths if path.startswith("over/")} == {"done", "ended", "peace"}
    names = {re.sub(r"^.*/", "", path) for path in paths}
    assert names >= {
        "turn.yaml",
        "map.svg",
        "secret.age",
        "ruling.yaml",
        "game.yaml",
        "ending.yaml",
        "archive.yaml",
        "ash.age",
    }
    keys = {change.key for change in every if change.path.endswith("turn.yaml")}
    assert keys >= {"dice.secret", "seal.identity", "setup.nonces", "closed", "judged_by", "verdicts.*.reason"}


def test_every_allowed_change_is_in_the_table() -> None:
    assert [row for _, _, row in ALLOWED if not any(one.startswith(row) for one in table())] == []


def test_a_change_that_nothing_notices_would_be_named(archive: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """This proves that the law checks something: if nobody compared maps, a forged one would be named (RT-2)."""
    monkeypatch.setattr("adjudicator.core.jobs.verify.Audit.map_of", lambda *_: None)
    maps = [
        change
        for change in changes(archive.root)
        if change.path.endswith("cards/001-round-1-cards/map.svg") and change.what == "changed"
    ]
    assert unseen(archive, maps) == ["cards/001-round-1-cards/map.svg (file) changed"]


def test_every_kind_of_file_has_a_row() -> None:
    """Every file that a game's or a turn's folder may hold is in the table: a new kind of file cannot be added without it."""
    from adjudicator.core.turn.places import BESIDE, GAME_FILES, TURN_FILES

    text = (ROOT / "SECURITY.md").read_text("utf-8").partition("\n## What may change when\n")[2]
    for name in (*TURN_FILES, *GAME_FILES, *BESIDE):
        assert f"`{name}" in text or f"{name}/" in text, name
