"""Moot: twelve villages choose a speaker. It uses the parts of the contract that hazard does not need. Not in the product."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.conditions import Terms
from adjudicator.core.contract.lines import Blank, Lines, Misfit
from adjudicator.core.contract.pages import Chart, Side, Table
from adjudicator.core.contract.resolution import Ending, Remark, Resolution, SeatId, Verdict
from adjudicator.core.contract.ruleset import (
    About,
    Chance,
    Decisions,
    Pictures,
    Rules,
    Ruleset,
    StandIn,
    Tables,
    Types,
    Words,
    Writer,
    by_its_own_name,
    ended,
    no_chapters,
    no_parts,
    no_reports,
    the_seat,
)
from adjudicator.core.contract.sheet import SeatName, SheetWords
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import Flag, Whole, field_text, record
from adjudicator.render.palette import letters
from adjudicator.rules import NO_DESK

VILLAGES = (
    "Aberley", "Ashford", "Bourne", "Bramley", "Colne", "Corfe", "Dunster", "Elstow", "Fenwick", "Firle", "Glynde", "Hartley",
)  # fmt: skip
RING = {one: (VILLAGES[at - 1], VILLAGES[(at + 1) % len(VILLAGES)]) for at, one in enumerate(VILLAGES)}


class Window(StrEnum):
    """Kinds of turns."""

    GIFTS = "gifts"
    SPEECHES = "speeches"
    COUNT = "count"


@record
class Settings:
    """House rules."""

    rounds: Annotated[Whole, Choice(ge=1, le=5), field_text("Moots that are held (MT-A-4).")] = 1
    generous: Annotated[Flag, field_text("Whether a village that offers most has a voice more (MT-A-2).")] = False


@record
class Position:
    """Everything is public."""

    round: Whole
    window: Window
    places: Mapping[SeatId, str]
    gifts: Mapping[SeatId, Whole]
    drawn: Mapping[SeatId, SeatId]
    voices: Mapping[SeatId, Whole]
    burnt: tuple[SeatId, ...] = ()
    settings: Settings = Settings()


def setup(settings: Settings, dice: Dice) -> Position:
    """Everybody is at home; the village that offers first is drawn by lot (MT-A-1)."""
    first = dice.roll("setup:first", len(VILLAGES))
    return Position(
        round=1, window=Window.GIFTS, places={one: one for one in VILLAGES}, gifts={VILLAGES[first - 1]: 1}, drawn={},
        voices=dict.fromkeys(VILLAGES, 0), settings=settings,
    )  # fmt: skip


@record
class GiftSheet(SheetWords):
    """A village's offer."""

    gift: Annotated[Whole, Choice(ge=0, le=9), field_text(title="I offer")] = 0
    draw: Annotated[SeatName | None, field_text(title="I would draw to my side")] = None


@record
class SpeechSheet(SheetWords):
    """A village's actions and words."""

    orders: Annotated[tuple[str, ...], Choice(max_length=9)] = ()


AnySheet = GiftSheet | SpeechSheet


def sheet_of(view: Position, seat: SeatId) -> type[GiftSheet | SpeechSheet]:
    """Type of the sheet, by the window."""
    return SpeechSheet if view.window is Window.SPEECHES else GiftSheet


TERMS = Terms(
    numbers={"gift": ("village",), "round": (), "most": ()}, flags={"burnt": ("village",), "drawn": (), "home": ()}
)
LINES = Lines(
    {"Speeches": ("Walk {path}", "Speak for {village}", "Speak for {village} if {condition}")},
    {
        "village": Blank(words=VILLAGES),
        "path": Blank(of="village", between=",| then ", ways=RING),
        "condition": Blank(terms=TERMS),
    },
)


def check(view: Position, seat: SeatId, sheet: AnySheet) -> tuple[Remark, ...]:
    """Lines that cannot be read."""
    if isinstance(sheet, GiftSheet):
        return ()
    read = [(at, LINES.read(line)) for at, line in enumerate(sheet.orders)]
    return tuple(Remark(("orders", at), one.what, one.right) for at, one in read if isinstance(one, Misfit))


def options(view: Position, seat: SeatId) -> Iterator[AnySheet]:
    """A few options of a village."""
    match view.window:
        case Window.GIFTS:
            yield from (GiftSheet(gift=number) for number in range(1, 4))
            yield from (GiftSheet(draw=other) for other in VILLAGES if other != seat)
        case Window.SPEECHES:
            yield from (SpeechSheet(orders=(f"Speak for {other}",)) for other in VILLAGES)
            yield from (SpeechSheet(orders=(f"Walk {other}",)) for other in VILLAGES)
        case Window.COUNT:
            pass
        case _:
            assert_never(view.window)


@record
class Spoke:
    """A village spoke for another."""

    event: Literal["spoke"] = "spoke"
    by: SeatId
    to: SeatId


@record
class Counted:
    """The voices were counted."""

    event: Literal["counted"] = "counted"
    most: Whole


AnyEvent = Spoke | Counted
Event = Annotated[AnyEvent, Choice(discriminator="event")]


def resolve(position: Position, sheets: Mapping[SeatId, AnySheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """One window."""
    match position.window:
        case Window.GIFTS:
            given = {seat: sheet for seat, sheet in sheets.items() if isinstance(sheet, GiftSheet)}
            gifts = {seat: sheet.gift for seat, sheet in sorted(given.items()) if sheet.gift}
            drawn = {seat: sheet.draw for seat, sheet in sorted(given.items()) if sheet.draw in VILLAGES}
            after = replace(position, window=Window.SPEECHES, gifts=gifts, drawn={k: v for k, v in drawn.items() if v})
            verdicts = tuple(
                Verdict(seat=seat, order=f"Offer {gift}", result="succeeds", reason="offered", rule="MT-A-2")
                for seat, gift in gifts.items()
            )
            return Resolution(after, verdicts, ())
        case Window.SPEECHES:
            return _speeches(position, sheets)
        case Window.COUNT:
            most = max(position.voices.values())
            last = position.round == position.settings.rounds
            winners = tuple(seat for seat in VILLAGES if most and position.voices[seat] == most)
            ending = Ending(how="moot", winners=winners, when=when(position), rule="MT-A-4") if last else None
            after = replace(position, round=position.round + 1, window=Window.GIFTS, voices=dict.fromkeys(VILLAGES, 0))
            return Resolution(after, (), (Counted(most=most),), ending)
        case _:
            assert_never(position.window)


def _speeches(position: Position, sheets: Mapping[SeatId, AnySheet]) -> Resolution[Position, AnyEvent]:
    verdicts: list[Verdict] = []
    events: list[AnyEvent] = []
    places, voices = dict(position.places), dict(position.voices)

    def judged(seat: SeatId, order: str, result: str, reason: str) -> None:
        verdicts.append(Verdict(seat=seat, order=order[:200], result=result, reason=reason, rule="MT-A-3"))

    for seat, sheet in sorted(sheets.items()):
        spoken = False
        for line in sheet.orders if isinstance(sheet, SpeechSheet) else ():
            read = LINES.read(line)
            if isinstance(read, Misfit):
                judged(seat, line, "unreadable", "unreadable")
                continue
            _, args = read
            if "path" in args:
                places[seat] = args["path"].split(", ")[-1]
                judged(seat, f"Walk {args['path']}", "succeeds", "walked")
                continue
            text = f"Speak for {args['village']}" + (f" if {args['condition']}" if "condition" in args else "")
            if spoken:
                judged(seat, text, "fails", "spoke-already")
            elif "condition" in args and not holds(position, seat, args["condition"]):
                judged(seat, text, "fails", "does-not-hold")
            else:
                spoken = True
                voices[args["village"]] += 1
                events.append(Spoke(by=seat, to=args["village"]))
                judged(seat, text, "succeeds", "spoke")
    return Resolution(
        replace(position, window=Window.COUNT, places=places, voices=voices), tuple(verdicts), tuple(events)
    )


def holds(position: Position, seat: SeatId, text: str) -> bool:
    """True if a condition holds for a village."""

    def number(name: str, arguments: tuple[str, ...]) -> int | None:
        match name:
            case "gift":
                return position.gifts.get(arguments[0])  # a village that offered nothing has no number
            case "round":
                return position.round
            case _:
                return max(position.gifts.values(), default=0)

    def flag(name: str, arguments: tuple[str, ...]) -> bool | None:
        match name:
            case "burnt":
                return arguments[0] in position.burnt
            case "drawn":
                return seat in position.drawn.values()
            case _:
                return position.places[seat] == seat

    return LINES.condition("condition", text).holds(number, flag)


def when(view: Position) -> str:
    """`Moot 1, gifts`."""
    return f"Moot {view.round}, {view.window}"


def tell(view: Position, fact: Verdict | AnyEvent) -> str:
    """One sentence."""
    match fact:
        case Verdict(order=order, reason=reason):
            return f"{order}: {reason.replace('-', ' ')}."
        case Spoke(by=by, to=to):
            return f"{by} spoke for {to}."
        case Counted(most=0):
            return "Nobody spoke for anybody."
        case Counted(most=most):
            return f"The most voices were {most}."
        case _:
            assert_never(fact)


def weight(view: Position, event: AnyEvent) -> int:
    """The count is the headline, then speeches."""
    return 9 if isinstance(event, Counted) else 1


def faults(position: Position) -> Iterator[Remark]:
    """Report names that are not villages."""
    for seat in (*position.places, *position.gifts, *position.burnt):
        if seat not in VILLAGES:
            yield Remark(("places",), f"{seat!r:.40} is no village", "villages: " + ", ".join(VILLAGES))


@record
class Fire:
    """A fire: the village that burnt, and the rest of its gifts (MT-A-5)."""

    village: SeatId
    left: Whole = 0


def fire_faults(view: Position, fire: Fire) -> tuple[Remark, ...]:
    """Refuse a fire in anything that is not a village."""
    if fire.village in VILLAGES:
        return ()
    return (Remark(("village",), f"{fire.village!r:.40} is no village", "villages: " + ", ".join(VILLAGES)),)


def burn(position: Position, fire: Fire, reason: str) -> Position:
    """The position after a fire: the village is burnt, and nobody can speak for it."""
    gifts = dict(sorted({**position.gifts, fire.village: fire.left}.items()))
    return replace(position, burnt=(*position.burnt, fire.village), gifts=gifts)


@dataclass(frozen=True, slots=True)
class RingScene:
    """The villages in a ring."""

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    names: Mapping[str, str] = field(default_factory=dict)
    legend: str = "Each letter or pair of letters is a village."

    def uncounted(self) -> Self:
        """This scene: it counts nothing."""
        return self

    def to_click(self) -> Self:
        """This scene: it has nothing to click."""
        return self


def draw(view: Position, done: Resolution[Position, AnyEvent] | None) -> RingScene:
    """Twelve sides."""
    found = letters(VILLAGES)
    sides = {seat: Side(slot, seat, found[seat]) for slot, seat in enumerate(VILLAGES, 1)}
    return RingScene(when(view), ", ".join(f"{seat} {voices}" for seat, voices in view.voices.items()), sides)


def paint(scene: RingScene) -> str:
    """A drawing as wide as the villages need."""
    rows = "".join(f'<text x="{20 + 50 * side.slot}" y="60">{side.letter}</text>' for side in scene.sides.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 90" role="img"><title>{scene.title}</title>'
        f"<desc>{scene.description}</desc>{rows}</svg>\n"
    )


def tally(view: Position) -> tuple[Table, ...]:
    """Voices."""
    return (Table("Voices", ("Village", "Voices"), tuple(view.voices.items())),)


def chart(views: Iterable[Position]) -> tuple[Chart, ...]:
    """Voices over the turns, twelve lines."""
    kept = list(views)
    lines = {seat: tuple(view.voices[seat] for view in kept) for seat in VILLAGES}
    return (Chart("Voices", "voices", tuple(when(view) for view in kept), lines),)


def write(view: Position, seat: SeatId, chance: Chance) -> AnySheet:
    """Write a stand-in's whole sheet."""
    if view.window is Window.GIFTS:
        return GiftSheet(gift=chance(f"gift:{seat}", 10), draw=RING[seat][chance(f"draw:{seat}", 2)])
    return SpeechSheet(orders=(f"Speak for {seat} if gift({seat}) >= most - 1", f"Speak for {RING[seat][0]}"))


RULESET: Ruleset[Position, AnySheet, AnyEvent] = Ruleset(
    about=About(
        slug="moot",
        title="Moot",
        designer="the tests",
        players="12",
        summary="Villages choose a speaker.",
        licence="Free for everybody.",
        prefix="MT",
        luck=True,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=Event,
        settings=Settings,
        verdict=Verdict,
        sheets={"gift-sheet": GiftSheet, "speech-sheet": SpeechSheet},
        sheet=sheet_of,
    ),
    rules=Rules(
        seats=lambda settings: VILLAGES,
        setup=setup,
        due=lambda view: frozenset() if view.window is Window.COUNT else frozenset(VILLAGES),
        when=when,
        kind=lambda view: view.window.value,
        kinds=tuple(window.value for window in Window),
        check=check,
        options=options,
        resolve=resolve,
        faults=faults,
    ),
    words=Words(
        tell=tell,
        ended=ended,
        quiet="Nobody said a word.",
        weight=weight,
        plain=1,
        joints={},
        called=by_its_own_name,
        part=no_parts,
    ),
    pictures=Pictures(draw=draw, paint=paint),
    tables=Tables(tally=tally, chart=chart, reports=no_reports, chapters=no_chapters),
    cards=None,
    secrecy=None,
    desk=replace(NO_DESK, lines=lambda view: LINES, canonical=lambda view, line: LINES.canonical(line)),
    stand_in=StandIn(mind=Writer(write), party=the_seat),
    host_files=None,
    decisions=Decisions(
        kind=Fire,
        hidden=False,
        waits=lambda position: (),
        faults=fire_faults,
        apply=burn,
        tell=lambda fire: f"{fire.village} burnt down; {fire.left} of its gifts are left.",
    ),
    exchange=None,
    ahead=None,
    examples=lambda: (),
)
