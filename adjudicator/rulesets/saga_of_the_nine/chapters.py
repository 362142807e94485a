"""Pages of a saga beside its turns: families, and what each Major bid on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.core.contract.pages import At, Chapter, Family, Kin, Kinship, Picture, Section, Table
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import ordinal
from adjudicator.rulesets.saga_of_the_nine import events as e
from adjudicator.rulesets.saga_of_the_nine.picture import sides_of
from adjudicator.rulesets.saga_of_the_nine.position import Position, capital_name, majors, when

Turns = Sequence[Resolution[Position, e.AnyEvent]]


@dataclass
class Heir:
    """One heir's life, as its Major's pages tell it (S9-H-17)."""

    major: SeatId
    number: int
    came: str
    at: str
    wed: str = ""
    """Whom: a Minor, or the Major whose heir it was."""
    house: str = ""
    """The Thrall or Vassal that the wedding made."""
    wed_when: str = ""
    died: str = ""

    @property
    def name(self) -> str:
        """`2nd heir of Aesir`."""
        return f"{ordinal(self.number)} heir of {self.major}"


def chapters(turns: Turns, final: Position | None) -> tuple[Chapter, ...]:
    """Families and bids; none before the first turn is judged."""
    if not turns:
        return ()
    return (_families(turns), _bids(turns))


def lives(turns: Turns) -> list[Heir]:
    """Every heir of a game, in the order in which they came."""
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
        bride = _kin(match) if match is not None else Kin(heir.wed, None, "a Minor till then")
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
    about = "Heirs have no names, and are numbered as they came (S9-H-17)."
    return Chapter(
        "families",
        "Families",
        "Every heir: where they came from, whom they wed, how they died.",
        (Section("Heirs", (about,), (Picture(tree, sides),), (Table("Heirs", head, rows),)),),
    )


def _whom(heir: Heir) -> str:
    return heir.wed if heir.wed == heir.house else f"the heir of {heir.wed} ({heir.house})"


def _kin(heir: Heir) -> Kin:
    return Kin(heir.name, heir.major, heir.died or heir.came, dead=bool(heir.died))


def _bids(turns: Turns) -> Chapter:
    """What each Major bid on in each turn, as far as it counted (S9-A-14)."""
    sections = []
    spent: dict[SeatId, list[int]] = {major: [0, 0] for major in majors(turns[0].position.settings)}
    listed: dict[SeatId, list[tuple[At, str, int, str]]] = {major: [] for major in spent}
    for place, turn in enumerate(turns):
        for event in turn.events:
            if not isinstance(event, e.Decided):
                continue
            for rank, bid in enumerate(event.bids):
                decided = event.order is not None and rank == 0
                for offer in bid.by:
                    spent[offer.major][0] += offer.dp
                    spent[offer.major][1] += offer.dp if decided else 0
                    came = "decided" if decided else "tied" if event.order is None and rank < 2 else "outbid"
                    row = (At(when(turn.position), place, "bids"), f"{event.unit} {bid.order}", offer.dp, came)
                    listed[offer.major].append(row)
    totals = tuple((major, sum(pair[:1]), pair[1]) for major, pair in spent.items())
    sections.append(
        Section("DP spent", (), (), (Table("DP spent", ("Major", "DP that counted", "of them decided"), totals),))
    )
    for major, rows in listed.items():
        if rows:
            head = ("Turn", "For", "DP", "Came to")
            sections.append(Section(major, (), (), (Table(f"Bids of {major}", head, tuple(rows), folded=True),)))
    return Chapter("bids", "DP", "What each Major bid on, turn by turn.", tuple(sections))
