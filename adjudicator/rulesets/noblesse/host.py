"""The host's rulings: whether a promise that the program cannot judge was broken (NB-T-10).

Only leaders know their treaties. So a ruling is sealed, and only the host sees the reports that wait for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark
from adjudicator.core.text.codec import Flag, Whole, field_text, record
from adjudicator.core.text.problems import nearest
from adjudicator.rulesets.noblesse.brief import promise_words
from adjudicator.rulesets.noblesse.position import Position
from adjudicator.rulesets.noblesse.treaties import Report, other_party


@record
class Decision:
    """A ruling on a reported promise that the program cannot judge (NB-T-10)."""

    treaty: Annotated[str, field_text("The treaty, such as T417.")]
    by: Annotated[str, field_text("The faction that is reported to have broken it.")]
    promise: Annotated[Whole, Choice(ge=1, le=3), field_text("The number of its promise.")]
    broken: Annotated[
        Flag, field_text("Whether it was broken. If so, all penalties take effect; if not, nothing follows.")
    ]


def faults(position: Position, decision: Decision) -> tuple[Remark, ...]:
    """Faults in a decision; only the host reads them."""
    return tuple(_faults(position, decision))


def _faults(position: Position, decision: Decision) -> Iterator[Remark]:
    treaty = position.treaties.get(decision.treaty)
    if treaty is None:
        right = nearest(decision.treaty, position.treaties) or "; ".join(waits(position)) or "no report is waiting"
        yield Remark(("treaty",), f"there is no treaty {decision.treaty!r:.20}", right)
    elif not any((report.by, report.promise) == (decision.by, decision.promise) for report in treaty.reports):
        what = f"no report about promise {decision.promise} of {decision.by!r:.40} is waiting under {decision.treaty}"
        yield Remark(("promise",), what, "; ".join(waits(position)) or "no report is waiting")


def apply(position: Position, decision: Decision, reason: str) -> Position:
    """Record a ruling on its report; the turn's resolution acts on it."""
    treaty = position.treaties[decision.treaty]

    def rule_on(report: Report) -> Report:
        mine = (report.by, report.promise) == (decision.by, decision.promise)
        return replace(report, ruled="broken" if decision.broken else "kept") if mine else report

    changed = replace(treaty, reports=tuple(map(rule_on, treaty.reports)))
    return replace(position, treaties={**position.treaties, decision.treaty: changed})


def tell(decision: Decision) -> str:
    """A decision in one sentence."""
    was = "broke" if decision.broken else "did not break"
    return f"{decision.by} {was} promise {decision.promise} of {decision.treaty}."


def waits(position: Position) -> tuple[str, ...]:
    """Reports that wait for the host's ruling, each with the line to write."""
    return tuple(
        f"{other_party(treaty, report.by)} reports that {report.by} broke promise {report.promise} of {name} "
        f"(“{promise_words(treaty.promises[report.by][report.promise - 1], report.by, other_party(treaty, report.by))}”): "
        f"`rulings: [{{decide: {{treaty: {name}, by: {report.by}, promise: {report.promise}, broken: true}}, reason: WHY}}]`, "
        "or `broken: false`"
        for name, treaty in position.treaties.items()
        for report in treaty.reports
        if report.ruled is None
    )
