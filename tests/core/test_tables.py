"""Games that begin at a table: they become an archive without secrets, the same as if they had been played in one."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.jobs import house
from adjudicator.core.jobs.case import Start, case_problems, case_text
from adjudicator.core.jobs.house import House, begin
from adjudicator.core.jobs.page import asking
from adjudicator.core.jobs.what_if import Table
from adjudicator.core.secrets import age
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import write

TURNS = 4


def sheets(table: Table, random: Random) -> dict[str, str]:
    """Some legal lines for each seat; one seat sends nothing, and one an unreadable line."""
    written = {}
    for at, seat in enumerate(table.due):
        texts = {key: lines for key, lines in table.offers(seat).texts.items() if lines}
        said: dict[str, Any] = {
            key: lines[0] if key == "order" else random.sample(lines, min(2, len(lines)))
            for key, lines in texts.items()
            if key in {"orders", "order", "bids", "spending", "armies", "diplomacy"}
        }
        if said and at != 1:
            written[seat] = write(said)
    if table.due:
        written[table.due[-1]] = "orders: [unclosed\n"
    return written


@pytest.mark.parametrize("ruleset", slugs())
def test_a_game_is_played_at_a_table(ruleset: str, tmp_path: Path) -> None:
    """Each turn is a case; a turn that is taken back and judged again leads to the same bytes; `verify` judges all of them again."""
    table, random = begin(Start(ruleset=ruleset, title="Ours"), "a seed"), Random(ruleset)
    assert isinstance(table, House) == (find(ruleset).secrecy is None)
    for _ in range(TURNS):
        texts = sheets(table, random)
        step = table.judge(texts)
        assert case_problems(case_text(table.case()).encode(), "case.yaml") == []
        unreadable = [seat for seat, text in texts.items() if text.endswith("[unclosed\n")]
        assert set(unreadable) <= set(step.left_out)
        assert not set(unreadable) & set(step.sheets) or isinstance(
            table, House
        )  # at the table it is a sheet without content
        came, phase = encode(step.resolution.position), table.phase
        whole = table.whole() if isinstance(table, House) else b""
        table.back()
        again = table.judge(texts)
        assert (encode(again.resolution.position), table.phase) == (came, phase)
        assert not isinstance(table, House) or table.whole() == whole
    assert len(table.steps) == TURNS
    if not isinstance(table, House):
        return
    with zipfile.ZipFile(io.BytesIO(table.whole())) as packed:
        packed.extractall(tmp_path)
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "verify"])
    assert done.exit_code == 0, done.output
    assert "the same bytes" in done.output
    if table.game.ruleset.exchange is not None:
        assert len(json.loads(table.exported())["phases"]) == TURNS + 1


def test_a_turn_that_fails_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begin(Start(ruleset="diplomacy"), "a seed")
    assert isinstance(table, House)
    table.judge({})
    whole, phase = table.whole(), table.phase

    def fails(*_: object, **__: object) -> Any:
        raise KeyError("something")

    with monkeypatch.context() as patch:
        patch.setattr(house, "run_game", fails)
        with pytest.raises(KeyError):
            table.judge({"Austria": "orders: [A Vienna H]"})
    assert (table.whole(), table.phase, len(table.steps)) == (whole, phase, 1)
    table.judge({"Austria": "orders: [A Vienna H]"})
    table.back()
    assert table.whole() == whole
    table.back()
    assert table.phase == "Spring 1901, movement"


QUESTIONS = (
    "",
    "{",
    "[" * 100_000,
    "[]",
    "5",
    "{}",
    '{"do": 5}',
    '{"do": "judge"}',
    '{"do": "look", "sheet": 5}',
    '{"do": "pasted", "lines": ["A Par - Bur"]}',
    '{"do": "pasted", "lines": 5}',
    '{"do": "__init__"}',
)


@pytest.mark.usefixtures("pyrage")
def test_every_question_gets_an_answer() -> None:
    ask = asking()
    for question in QUESTIONS:
        assert set(json.loads(ask(question))) == {"faults"}, question
    for seed in ("a/b", "", "x" * 10_000):
        begun = json.loads(ask(json.dumps({"do": "begin", "start": {"ruleset": "noblesse"}, "seed": seed})))
        assert "answer" in begun, begun
        assert "answer" in json.loads(ask(json.dumps({"do": "judge", "sheets": {}})))


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    def roll(seed: str) -> Any:
        table = begin(Start(ruleset="grand_campaign"), seed)
        return encode(table.position), encode(table.judge({}).resolution.position)

    assert roll("one") == roll("one")
    assert roll("one") != roll("two")


@pytest.fixture
def pyrage() -> Any:
    """Restore the code that opens age files, after a page has replaced it."""
    yield
    age.use(age.Pyrage())


BEGINNINGS: dict[str, tuple[Any, str]] = {
    "no ruleset": ({"ruleset": "chess"}, "no ruleset is called 'chess'"),
    "no table": ("[1, 2]", ""),
    "no text": ("ruleset: [", ""),
    "no setting": ({"ruleset": "diplomacy", "settings": {"board": "atlantis"}}, "atlantis"),
    "a path": ({"ruleset": "diplomacy", "settings": {"board": "../../x.yaml"}}, "x.yaml"),
    "junk for a file": ({"ruleset": "diplomacy", "settings": {"board": "x.yaml"}, "files": {"x.yaml": "base64:%%%"}}, ""),
    "no position": ({"ruleset": "noblesse", "position": {"cycle": "soon"}}, ""),
}  # fmt: skip


@pytest.mark.parametrize("what", BEGINNINGS)
@pytest.mark.usefixtures("pyrage")
def test_a_game_that_cannot_begin_is_reported(what: str) -> None:
    start, said = BEGINNINGS[what]
    answer = json.loads(asking()(json.dumps({"do": "begin", "start": start, "seed": "x"})))
    assert set(answer) == {"faults"}
    assert said in json.dumps(answer, ensure_ascii=False)


@pytest.mark.usefixtures("pyrage")
@pytest.mark.parametrize(
    ("ruleset", "line", "orders"),
    [
        ("diplomacy", "A(Par)-Bur", ["A Paris - Burgundy"]),
        ("diplomacy", "A PAR-BUR, A MAR-SPA & F BRE-MAO", ["A Paris - Burgundy", "A Marseilles - Spain", "F Brest - Mid-Atlantic Ocean"]),
        ("diplomacy", "A Paris - Burgundy", []),
        ("diplomacy", "A Par-Bur, or not", []),
        ("diplomacy", "if free A Par-Bur", []),
        ("noblesse", "Dance", []),
        ("heir_apparent", "anything", []),
    ],
)  # fmt: skip
def test_pasted_lines_are_read_whole_or_not_at_all(ruleset: str, line: str, orders: list[str]) -> None:
    ask = asking()
    json.loads(ask(json.dumps({"do": "begin", "start": {"ruleset": ruleset}, "seed": "s"})))
    assert json.loads(ask(json.dumps({"do": "pasted", "lines": [line]}))) == {"answer": [orders]}
