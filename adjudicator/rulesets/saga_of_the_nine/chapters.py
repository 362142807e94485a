"""Pages of a saga besides its turns: the board, the families, and the bids of each Major."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from adjudicator.core.contract.history import History
from adjudicator.core.contract.pages import At, Chapter, Family, Kin, Kinship, Picture, Section, Table
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import ordinal, whose
from adjudicator.mechanics.provinces import Board, Unit
from adjudicator.render.ground import outlines_of
from adjudicator.render.outlines import nobodys
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import events as e
from adjudicator.rulesets.saga_of_the_nine.picture import draw, sides_of
from adjudicator.rulesets.saga_of_the_nine.position import (
    Position,
    Settings,
    capital_name,
    capital_of,
    centre_of,
    majors,
    starting_position,
    when,
)

Turns = Sequence[Resolution[Position, e.AnyEvent]]


@dataclass
class Heir:
    """One heir's life, as the Families page shows it (S9-H-17)."""

    major: SeatId
    number: int
    came: str
    at: str
    wed: str = ""
    """The spouse: a Minor, or the Major whose heir this heir married."""
    house: str = ""
    """The Thrall or Vassal that the wedding made."""
    wed_when: str = ""
    died: str = ""

    @property
    def name(self) -> str:
        """The heir's name, such as `2nd heir of Aesir`."""
        return f"{ordinal(self.number)} heir of {self.major}"


def chapters(turns: Turns, final: Position | None) -> tuple[Chapter, ...]:
    """The chapter about the board, plus those about families and bids once there is a turn."""
    position = turns[0].position if turns else final
    board = () if position is None else (_board(position.settings),)
    return (*board, _families(turns), _bids(History(turns, final, when))) if turns else board


# The board ----------------------------------------------------------------------------------------------------------


def _board(settings: Settings) -> Chapter:
    """The chapter about the board: its size, how to win on it, the starting units, and what is within reach."""
    board = settings.ground
    start = starting_position(settings)
    sections = (
        Section(
            "The board, and how to win",
            tuple(filter(None, (board.about, diplomacy.size_of(board), *_what_wins(settings)))),
        ),
        Section(
            "Starting positions",
            (
                "The first of a Major’s units begins in its Capital (S9-A-7), where its unmarried heir lives (S9-A-9).",
                "A Minor’s only unit is in its only centre (S9-B-1) and never leaves it (S9-E-1).",
            ),
            (),
            _starts(board),
            start,
        ),
        Section(
            "Within reach",
            (
                "The table lists what a Major’s units can reach from the start, without convoys and if nobody is in their way.",
                "A small grey patch belongs to nobody, and no unit can be there: provinces that it separates do not border each other.",
            ),
            (),
            (_reaches(settings), _apart(start)),
        ),
        Section("The provinces", (), (), diplomacy.province_tables(board, lambda code: _centre(settings, code))),
    )
    about = "Its Majors and Minors, its provinces, and where it comes from."
    return Chapter("board", f"The board: {board.title}", about, sections)


def _what_wins(settings: Settings) -> Iterator[str]:
    board = settings.ground
    count = settings.victory or board.victory
    yield f"A Major wins if its total at a Census is {count} or more, and higher than every other Major’s (S9-K-2)."
    if settings.cycles:
        yield f"After the Census of cycle {settings.cycles}, the game is a draw among all Majors that are left (S9-K-7)."


def _starts(board: Board) -> tuple[Table, ...]:
    names = {code: province.name for code, province in board.provinces.items()}
    units = {
        power: ", ".join(board.unit_name(board.unit(unit)) for unit in data.units)
        for power, data in (*board.powers.items(), *board.others.items())
    }
    capitals = {major: capital_of(board, major) for major in board.powers}
    rows = tuple(
        (major, names[at], ", ".join(names[code] for code in board.homes(major) if code != at), units[major])
        for major, at in capitals.items()
    )
    others = tuple((minor, names[centre_of(board, minor)], units[minor]) for minor in board.others)
    return (
        Table("Majors", ("Major", "Capital", "Other homes", "Units"), rows),
        Table("Minors", ("Minor", "Centre", "Unit"), others, folded=True),
    )


def _reaches(settings: Settings) -> Table:
    """The table of Minors that each Major's units can reach in one move or two, and of rivals whose homes they can reach within two."""
    board = settings.ground
    homes = {code: major for major in board.powers for code in board.homes(major)}
    minors = {centre_of(board, minor): minor for minor in board.others}
    rows = []
    for major, data in board.powers.items():
        one = {there for unit in data.units for there in _moves(board, board.unit(unit))}
        two = {there for unit in one for there in _moves(board, unit)}
        near, far = ({unit.province for unit in units} for units in (one, two))
        rivals = sorted({homes[code] for code in near | far if code in homes} - {major})
        rows.append(
            (
                major,
                ", ".join(minors[code] for code in minors if code in near),
                ", ".join(minors[code] for code in minors if code in far - near),
                ", ".join(rivals) or "nobody",
            )
        )
    head = ("Major", "Minors in one move", "Minors in two", "Rivals with homes within two")
    return Table("What units can reach", head, tuple(rows))


def _moves(board: Board, unit: Unit) -> Iterator[Unit]:
    """The unit as it would be at each place that it can reach in one move without a convoy."""
    if unit.kind == "A":
        yield from (board.unit(f"A {there}") for there in board.army_to[unit.province])
    else:
        yield from (board.unit(f"F {place}") for places in board.fleet_to[unit.place].values() for place in places)


def _apart(start: Position) -> Table:
    """A table of the areas that separate provinces: these seem to touch in the picture, but do not border each other."""
    board = start.settings.ground
    names = {code: province.name for code, province in board.provinces.items()}
    rows = []
    for name, codes in nobodys(outlines_of(draw(start, None).outlines)).items():
        pairs = [
            f"{names[one]} and {names[other]}"
            for one, other in combinations(codes, 2)
            if (min(one, other), max(one, other)) not in board.borders
        ]
        if pairs:
            rows.append((f"{name[0].upper()}{name[1:]}", "; ".join(pairs)))
    return Table("Kept apart", ("Nobody’s land", "Provinces that it keeps apart"), tuple(rows))


def _centre(settings: Settings, code: str) -> str:
    board = settings.ground
    province = board.provinces[code]
    if not province.centre:
        return ""
    if province.home is None:
        minor = next((name for name in board.others if centre_of(board, name) == code), None)
        return "yes" if minor is None else "a Minor’s"
    return f"{'Capital' if capital_of(board, province.home) == code else 'home'} of {province.home}"


# Families and bids --------------------------------------------------------------------------------------------------


def lives(turns: Turns) -> list[Heir]:
    """Every heir of a game, in order of arrival."""
    start = turns[0].position
    settings = start.settings
    heirs = [Heir(major, 1, "from the start", capital_name(settings, major)) for major in majors(settings)]

    def single(major: SeatId) -> Heir | None:
        return next((heir for heir in reversed(heirs) if heir.major == major and not heir.wed and not heir.died), None)

    for turn in turns:
        told = when(turn.position)
        for event in turn.events:
            match event:
                case e.HeirBuilt(major=major, at=at):
                    number = 1 + sum(heir.major == major for heir in heirs)
                    heirs.append(Heir(major, number, f"built in {told}", at))
                case e.Wed(major=major, minor=minor):
                    heir = single(major)
                    if heir is not None:
                        heir.wed, heir.house, heir.wed_when, heir.at = minor, minor, told, minor
                case e.Founded(giver=giver, receiver=receiver, vassal=vassal, capital=capital):
                    for major, other in ((giver, receiver), (receiver, giver)):
                        heir = single(major)
                        if heir is not None:
                            heir.wed, heir.house, heir.wed_when, heir.at = other, vassal, told, capital
                case e.HeirKilled(major=major, at=at, by=by):
                    dead = next(
                        (heir for heir in heirs if heir.major == major and heir.at == at and not heir.died), None
                    )
                    if dead is not None:
                        dead.died = f"killed in {at} by {by}, {told}"
                case e.Renamed(vassal=vassal, name=name):
                    for heir in heirs:
                        heir.house = name if heir.house == vassal and not heir.died else heir.house
                case _:
                    pass
    return heirs


def _families(turns: Turns) -> Chapter:
    heirs = lives(turns)
    settings = turns[0].position.settings
    sides = sides_of(settings)
    families: list[Family] = []
    seen: set[int] = set()
    for heir in heirs:
        if id(heir) in seen:
            continue
        seen.add(id(heir))
        if not heir.wed:
            families.append(Family((_kin(heir),), "", ()))
            continue
        match = next(
            (
                other
                for other in heirs
                if other.major == heir.wed
                and other.wed == heir.major
                and (other.at, other.wed_when) == (heir.at, heir.wed_when)
            ),
            None,
        )
        if match is not None:
            seen.add(id(match))
        bride = _kin(match) if match is not None else Kin(heir.wed, None, "a Minor until then", sort="Minor")
        house = f"{heir.house}, " if match is not None else ""
        families.append(Family((_kin(heir), bride), f"{house}{heir.wed_when}", ()))
    tree = Kinship("Families", tuple(families))
    rows = tuple(
        (
            heir.name,
            heir.came,
            f"{_whom(heir)}, {heir.wed_when}" if heir.wed else "nobody",
            heir.died or f"lives in {heir.at}",
        )
        for heir in heirs
    )
    head = ("Heir", "Came", "Wed", "Now")
    about = "Heirs have no names, and are numbered in the order in which they came (S9-H-17)."
    return Chapter(
        "families",
        "Families",
        "Every heir: when they came, whom they wed, and how they died.",
        (Section("Heirs", (about,), (Picture(tree, sides),), (Table("Heirs", head, rows),)),),
    )


def _whom(heir: Heir) -> str:
    return heir.wed if heir.wed == heir.house else f"{whose(heir.wed)} heir ({heir.house})"


def _kin(heir: Heir) -> Kin:
    return Kin(heir.name, heir.major, heir.died or heir.came, dead=bool(heir.died))


def _bids(log: History[Position, e.AnyEvent]) -> Chapter:
    """The chapter about DP: each Major's bids that counted or were void, turn by turn (S9-A-14)."""
    sections = []
    spent: dict[SeatId, list[int]] = {major: [0, 0, 0] for major in majors(log.last.settings)}
    listed: dict[SeatId, list[tuple[At, str, int, str]]] = {major: [] for major in spent}
    for place, turn in enumerate(log.turns):
        for verdict in turn.verdicts:
            if verdict.reason == "bid-void":  # These DP are spent (S9-D-15), but do not count for any order.
                dp = int((verdict.facts or {})["dp"])  # type: ignore[arg-type]  # the reason's own fact, a number
                spent[verdict.seat][2] += dp
                line = verdict.order.partition(" DP to ")[2]
                listed[verdict.seat].append((log.when(place, "bids"), line, dp, "void"))
        for event in turn.events:
            if not isinstance(event, e.Decided):
                continue
            for rank, bid in enumerate(event.bids):
                decided = event.order is not None and rank == 0
                for offer in bid.by:
                    spent[offer.major][0] += offer.dp
                    spent[offer.major][1] += offer.dp if decided else 0
                    came = "decided" if decided else "tied" if event.order is None and rank < 2 else "outbid"
                    row = (log.when(place, "bids"), f"{event.unit} {bid.order}", offer.dp, came)
                    listed[offer.major].append(row)
    totals = tuple((major, counted + void, counted, decided, void) for major, (counted, decided, void) in spent.items())
    columns = ("Major", "DP", "that counted", "that decided", "void")
    sections.append(Section("DP spent", (), (), (Table("DP spent", columns, totals),)))
    for major, rows in listed.items():
        if rows:
            head = ("Turn", "For", "DP", "Outcome")
            sections.append(Section(major, (), (), (Table(f"{whose(major)} bids", head, tuple(rows), folded=True),)))
    return Chapter("bids", "DP", "What each Major bid on, turn by turn.", tuple(sections))
