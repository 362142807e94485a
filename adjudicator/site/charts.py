"""Charts on a page: one picture, or one panel per seat, with a table of every value behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from adjudicator.core.contract.pages import Chart, Kinship, Side, Timeline
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.turn.data import Turn
from adjudicator.render import chart_pictures, kinship, timeline
from adjudicator.site.markup import inline_svg, join, link, tag


def chart_figure(
    chart: Chart | Timeline | Kinship, sides: Mapping[SeatId, Side], turns: Sequence[Turn] = (), to: str = ""
) -> Markup:
    """A chart over time with a table of its values, or a family tree. In the table, labels link to the turns' pages below `to`."""
    match chart:
        case Kinship():
            return tag("figure", inline_svg(kinship(chart, sides)), class_="courtly-chart")
        case Timeline():
            shown = inline_svg(timeline(chart, sides))
            values = _values(chart, chart.rows, chart.none, turns, to)
            return tag("figure", shown, values, class_="courtly-chart")
        case _:
            pictures = chart_pictures(chart, sides)
            values = _values(chart, chart.lines, "–", turns, to, "numbers")
            return tag("figure", _show(chart, pictures), values, class_="courtly-chart")


def _show(chart: Chart, pictures: Sequence[str]) -> Markup:
    if len(pictures) == 1:
        return inline_svg(pictures[0])
    said = f"All panels use the same scale, in {chart.unit}. Each shows the other lines in grey."
    panels = tag("div", join(map(inline_svg, pictures)), class_="courtly-panels", role="group", aria_label=chart.title)
    return tag("div", tag("p", said, class_="courtly-small"), panels)


def _values(
    chart: Chart | Timeline,
    lines: Mapping[str, Sequence[object]],
    none: str,
    turns: Sequence[Turn],
    to: str,
    kind: str = "words",
) -> Markup:
    """Every value in a table that unfolds: a row for each label, a column for each line."""
    head = tag(
        "tr", join(tag("th", name, scope="col") for name in ("When" if chart.turns else chart.axis or "When", *lines))
    )
    rows = []
    for at, label in enumerate(chart.labels):
        turn = chart.turns[at] if chart.turns else len(turns)
        name = link(label, f"{to}{turns[turn].name}/index.html") if turn < len(turns) else label
        rows.append(
            tag(
                "tr",
                tag("th", name, scope="row"),
                join(tag("td", none if (value := values[at]) is None else value) for values in lines.values()),
            )
        )
    unit = f", in {chart.unit}" if isinstance(chart, Chart) and chart.unit.lower() != chart.title.lower() else ""
    caption = f"{chart.title}: every value{unit}"
    body = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", join(rows)))
    sliding = tag("div", body, class_="courtly-table", tabindex="0", role="group", aria_label=caption)
    return tag("details", tag("summary", f"{chart.title} as a table"), sliding, class_=f"courtly-values courtly-{kind}")
