"""HS-8: English that a native engineer would not write. Its patterns are counted, and get fewer; CONTRIBUTING.md says what to write instead."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import re
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.text.yamltext import read
from tests.tools.english import ALLOWED, PATTERNS, ROOT, counts, files, measured, prose

SAMPLES = {
    "P1": ("What the turn is called.", "Display name of the turn."),
    "P2": ("Their word is void: the other's stands.", "This controller's line is void; the other's applies."),
    "P3": ("A folder without rulesets is told.", "It reports a folder without rulesets."),
    "P4": ("The key with which a turn was sealed.", "The key that sealed a turn."),
    "P5": ("A line that is no order.", "A line that is not an order."),
    "P6": ("A board of your own.", "A custom board."),
    "P7": ("The result hangs on the dice.", "The result depends on the dice."),
    "P8": ("Everything is built anew.", "Everything is built again."),
    "P9": ("The other pool. The same.", "The other pool, without its tokens."),
}
"""Pattern -> a sentence that has it and no other, and what to write instead."""


@pytest.mark.parametrize("name", SAMPLES)
def test_each_pattern_finds_its_sentence_and_not_the_better_one(name: str) -> None:
    worse, better = SAMPLES[name]
    assert dict(counts(worse)) == {name: 1}
    assert dict(counts(better)) == {}


def test_every_pattern_is_explained() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (P\d) \|", text, re.MULTILINE) == [*PATTERNS] == [*SAMPLES]


def test_only_prose_is_counted(tmp_path: Any) -> None:
    path = tmp_path / "one.py"
    path.write_text(
        '"""What stands."""\n\nTEXT = "What stands."  # it is told\n\n\ndef f() -> None:\n    """`What stands`."""\n'
    )
    assert dict(counts(prose(path))) == {"P1": 1, "P2": 1, "P3": 1}
    page = tmp_path / "page.md"
    page.write_text("# A board\n\n```console\n$ echo What stands\n```\n\nIt stands.\n")
    assert dict(counts(prose(page))) == {"P2": 1}


def test_no_file_has_more_matches_than_before() -> None:
    """New files start at 0. Where a count fell, `python -m tests.tools.english --write` keeps it down."""
    text = read(ALLOWED.read_bytes(), "english.yaml").data
    allowed = {str(name): int(str(number)) for name, number in text.items()} if isinstance(text, dict) else {}
    found = {name: sum(count.values()) for name, count in measured().items()}
    assert len(list(files())) > 700
    rose = {name: (allowed.get(name, 0), count) for name, count in found.items() if count > allowed.get(name, 0)}
    assert rose == {}, "allowed, found"
    fell = {name: (count, found.get(name, 0)) for name, count in allowed.items() if found.get(name, 0) < count}
    assert fell == {}, "python -m tests.tools.english --write"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("commit_msg", str(ROOT / ".githooks/commit-msg"))
    spec = importlib.util.spec_from_loader("commit_msg", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


GOOD = (
    "site: load the search index on focus",
    "contract, noblesse: declare each order once; warn by what judges it",
    "core/jobs: make a run a list of named steps\n\nReasons.\n",
    "ci: bring sheets in one commit",
    "Merge pull request #3 from anna/sheets",
)
BAD = {
    "What is asked of a forge is a protocol": "begin with the area",
    "site: what is looked at stays": "'what' is not imperative",
    "site: loading the search index": "'loading' is not imperative",
    "site: added an index": "'added' is not imperative",
    "site: load the search index.": "end without a full stop",
    f"site: load {'the very long ' * 5}index": "letters, at most 72",
    "site: load the index\nat once": "leave the second line empty",
    "": "begin with the area",
}


def test_commit_subjects_are_checked(hook: ModuleType, tmp_path: Any) -> None:
    assert [hook.faults(message) for message in GOOD] == [[]] * len(GOOD)
    for message, part in BAD.items():
        (fault,) = hook.faults(message)
        assert part in fault, message
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("site: load the search index on focus\n# a comment of git's\n", encoding="utf-8")
    assert hook.main(str(file)) == 0
    file.write_text("It loads.\n", encoding="utf-8")
    assert hook.main(str(file)) == 1
