"""Tables and charts of a saga's sides, and full reports on a turn's bids and its Census."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.contract.pages import Chart, Report, Table, Timeline
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import events as e
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    capital_name,
    heirs_of,
    living,
    majors,
    owner_of,
    purse_of,
    total_of,
)
from adjudicator.rulesets.saga_of_the_nine.prose import tell


def tally(position: Position) -> tuple[Table, ...]:
    """Majors by total, with its parts; then Thralls and Vassals with their rulers."""
    rows = []
    for major in living(position):
        total, capital = total_of(position, major), capital_name(position.settings, major)
        rows.append(
            (
                major,
                total.all,
                total.own,
                total.thralls,
                total.shared,
                len(position.units.get(major, ())),
                purse_of(position, major),
                ", ".join(heirs_of(position, major)) or "none",
                "held" if owner_of(position, capital) == major else "lost",
            )
        )
    rows.sort(key=lambda row: (-row[1], -row[2], -row[4], row[0]))
    fallen = sorted(position.eliminated.items(), key=lambda pair: (-pair[1], pair[0]))
    gone = [(major, 0, 0, 0, 0, 0, 0, "none", f"fell in cycle {cycle}") for major, cycle in fallen]
    head = ("Major", "Total", "Own", "Thralls’", "Vassals’", "Units", "DP", "Heirs in", "Capital")
    tables = [Table("Standings", head, (*rows, *gone))]
    houses: list[tuple[str, str, str, str, int, str]] = [
        (name, "Thrall", ruler, name, len(position.centres.get(name, ())), ", ".join(position.units.get(name, ())))
        for name, ruler in position.thralls.items()
    ]
    houses += [
        (
            name,
            "Vassal",
            f"{vassal.giver} (Giver), {vassal.receiver} (Receiver)",
            vassal.capital,
            len(position.centres.get(name, ())),
            ", ".join(position.units.get(name, ())),
        )
        for name, vassal in position.vassals.items()
    ]
    if houses:
        tables.append(Table("Houses", ("Name", "Is a", "Ruled by", "Capital", "Centres", "Units"), tuple(houses)))
    return tuple(tables)


def chart(positions: Iterable[Position]) -> tuple[Chart | Timeline, ...]:
    """Totals by cycle, and the rulers of Thralls and Vassals over time."""
    turns = list(positions)
    shown = [
        (number, position)
        for number, position in enumerate(turns)
        if (position.season is Season.SPRING and position.phase is Phase.ORDERS) or number == len(turns) - 1
    ]
    labels = tuple(f"{position.season} {position.cycle}" for _, position in shown)
    ticks = tuple(str(position.cycle) for _, position in shown)
    places = tuple(number for number, _ in shown)
    lines: dict[SeatId, tuple[int | None, ...]] = {
        major: tuple(None if major in position.eliminated else total_of(position, major).all for _, position in shown)
        for major in majors(turns[0].settings)
    }
    names = sorted({name for _, position in shown for name in (*position.thralls, *position.vassals)})
    rows = {name: tuple(_ruler(position, name) for _, position in shown) for name in names}
    totals = Chart("Totals", "centres", labels, lines, "Cycle", ticks, places)
    if not rows:
        return (totals,)
    return (totals, Timeline("Houses", labels, rows, "nobody’s", "Cycle", ticks, places))


def _ruler(position: Position, name: SeatId) -> str | None:
    """A Thrall's controller, or a Vassal's Giver, whose letter comes first in its name."""
    if name in position.thralls:
        return position.thralls[name]
    return position.vassals[name].giver if name in position.vassals else None


# Reports ------------------------------------------------------------------------------------------------------------

ACTS: Mapping[str, tuple[type, ...]] = {
    "1. Weddings": (e.Founded, e.Parted),
    "2. Captures": (diplomacy.Taken,),
    "3. Deaths": (e.HeirKilled, e.ThrallLost),
    "4. Eliminations": (e.Fallen, e.VassalFallen),
    "5. Units grow back": (e.Regrown,),
    "6 to 8. Victory, draw, last cycle": (e.Triumph, e.Shared, e.DrawVote),
}
"""Act of the Census -> the facts it can produce (S9-X-1)."""


def reports(position: Position, events: Iterable[e.AnyEvent]) -> tuple[Report, ...]:
    """The table of a turn's bids (S9-D-18), and the Census act by act (S9-X)."""
    told = tuple(events)
    written = []
    decided = [event for event in told if isinstance(event, e.Decided)]
    if decided:
        written.append(_bids(decided))
    if position.season is Season.AUTUMN:
        acts = [
            (act, tell(position, event)) for act, kinds in ACTS.items() for event in told if isinstance(event, kinds)
        ]
        if acts:
            about = "The Census is held when the Autumn retreats are over, in these acts (S9-X-1)."
            written.append(
                Report("census", "The Census", about, Table("The Census", ("Act", "What happened"), tuple(acts)))
            )
    return tuple(written)


def _bids(decided: list[e.Decided]) -> Report:
    """A report, unit by unit, of every order that was bid for, with its bidders, their DP and the outcome."""
    rows = []
    for event in sorted(decided, key=lambda one: (one.power, one.unit)):
        for place, bid in enumerate(event.bids):
            if event.order is None:
                came = "tied: it holds" if bid.total == event.bids[0].total else "outbid"
            else:
                came = "decided" if place == 0 else "outbid"
            by = join_words(f"{offer.major} {offer.dp}{' × 3' if offer.triple else ''}" for offer in bid.by)
            rows.append((event.unit, bid.order, by, bid.total, came))
    spent = sum(offer.dp for event in decided for bid in event.bids for offer in bid.by)
    about = f"{many(spent, 'DP').removesuffix('s')} were counted across {many(len(decided), 'unit')}; bids for the same order are added up, and the highest sum wins (S9-D-8, S9-D-9). Void bids are listed with their Major’s orders (S9-D-15)."
    return Report("bids", "Bids", about, Table("Bids", ("Unit", "Order", "Bid by", "Sum", "Outcome"), tuple(rows)))
