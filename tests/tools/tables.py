"""The tables of ORDERS.md, made from a ruleset's acts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.core.contract.acts import Acts

ROOT = Path(__file__).parents[2]
ROWS = re.compile(r"(?:^\| `.* \|\n)+", re.MULTILINE)
"""The rows of a table of lines."""
FIRST = re.compile(r"^\| (.*?) \|", re.MULTILINE)


def with_tables(text: str, every: Iterable[Acts], page: str) -> str:
    """A text with its tables of lines renewed: if the acts have most of a table's forms, their rows replace it."""
    tables = [(acts, parts, {*acts.forms(*parts)}) for acts in every for parts in acts.tables]

    def made(rows: re.Match[str]) -> str:
        forms = {form for cell in FIRST.findall(rows[0]) for form in re.findall(r"`([^`]+)`", cell)}
        acts, parts, own = max(tables, key=lambda one: len(one[2] & forms))
        return acts.rows(parts, page) if 2 * len(own & forms) > len(forms) else rows[0]

    return ROWS.sub(made, text)


def acts_of() -> Mapping[str, tuple[Acts, ...]]:
    """Ruleset -> its acts, for those whose orders are declared as acts."""
    from adjudicator.rulesets.grand_campaign.acts import LINES, MOVES, PARTY_ACTS, PURCHASES
    from adjudicator.rulesets.heir_apparent.acts import ACTING, OTHERS
    from adjudicator.rulesets.noblesse.acts import ACTS

    return {
        "grand_campaign": (LINES, MOVES, PARTY_ACTS, PURCHASES),
        "heir_apparent": (ACTING, OTHERS),
        "noblesse": (ACTS,),
    }


def with_all_tables(slug: str, text: str) -> str:
    """ORDERS.md of a ruleset as its acts make it."""
    return with_tables(text, acts_of()[slug], f"{slug}.md")


def write_tables() -> None:
    """Rewrite ORDERS.md of every ruleset whose orders are acts."""
    for slug in acts_of():
        path = ROOT / "adjudicator/rulesets" / slug / "ORDERS.md"
        path.write_text(with_all_tables(slug, path.read_text("utf-8")), "utf-8")
