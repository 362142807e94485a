"""The tables of ORDERS.md, made from a ruleset's acts."""

from __future__ import annotations

import re
from pathlib import Path

from adjudicator.core.contract.acts import Acts

ROOT = Path(__file__).parents[2]
ROWS = re.compile(r"^\| `([^`]+)` \|[^\n]*\n(?:\|[^\n]*\n)*", re.MULTILINE)
HEAD = "| line | | rule |\n| --- | --- | --- |\n"


def with_tables(text: str, acts: Acts, page: str) -> str:
    """A text with each of its tables of lines replaced by that of the part of the turn whose line it has first."""
    whole = re.compile(re.escape(HEAD) + ROWS.pattern.removeprefix("^"), re.MULTILINE)
    return whole.sub(lambda found: acts.rows(acts.by_kind[acts.kinds[found[1]]].when, page), text)


def write_tables() -> None:
    """Rewrites ORDERS.md of every ruleset whose orders are acts."""
    from adjudicator.rulesets.noblesse.acts import ACTS

    path = ROOT / "adjudicator/rulesets/noblesse/ORDERS.md"
    path.write_text(with_tables(path.read_text("utf-8"), ACTS, "noblesse.md"), "utf-8")
