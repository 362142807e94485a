"""The page about a game's board: its powers, its provinces and its victory conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.core.contract.pages import Chapter, Section, Table
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.words import join_words
from adjudicator.mechanics.provinces import Board, BuildSites
from adjudicator.rulesets.diplomacy.events import AnyEvent
from adjudicator.rulesets.diplomacy.position import Position, Settings

SITES = {
    BuildSites.HOME: "A power builds in its own home centres, if it owns them (DP-W-3).",
    BuildSites.HOMES: "A power builds in any home centre that it owns, its own or another's (DP-W-3).",
    BuildSites.OWNED: "A power builds in any centre that it owns (DP-W-3).",
    BuildSites.HOME_KEPT: "A power builds in any centre that it owns, as long as it owns a home centre (DP-W-3).",
}


def chapters(turns: Sequence[Resolution[Position, AnyEvent]], final: Position | None) -> tuple[Chapter, ...]:
    """The chapter about the game's board; no chapter for the standard board."""
    position = turns[-1].position if turns else final
    if position is None or position.settings.board == Settings().board:
        return ()
    return (_board(position.settings),)


def _board(settings: Settings) -> Chapter:
    board = settings.ground
    about = (board.about, size_of(board), *what_wins(settings), SITES[settings.sites], _calendar(board))
    powers = tuple((power, *_start(board, power, data.units)) for power, data in board.powers.items())
    others = tuple((name, *_start(board, name, data.units)) for name, data in board.others.items())
    head = ("Power", "Owns at the start", "Homes to be won", "Units")
    sections = (
        Section("The board, and how to win", tuple(sentence for sentence in about if sentence)),
        Section(
            "Starting positions", (), (), (Table("Powers", head, powers), Table("Armies that belong to nobody (DP-G-10)", head, others))
        ),
        Section(
            "The provinces", (), (), province_tables(board, lambda code: _centre(board, code))
        ),
    )  # fmt: skip
    return Chapter("board", f"The board: {board.title}", "Its powers, its provinces, and how to win.", sections)


def size_of(board: Board) -> str:
    """A sentence that counts a board's provinces, seas, coasts and supply centres."""
    kinds = [province.kind for province in board.provinces.values()]
    return (
        f"{len(kinds)} provinces, of which {kinds.count('sea')} are seas and {kinds.count('coast')} coasts; "
        f"{len(board.centres)} supply centres."
    )


def province_tables(board: Board, centre: Callable[[str], str]) -> tuple[Table, ...]:
    """Folded tables of a board's provinces and their neighbours; `centre` returns the note on a province's centre, given its code."""
    places = tuple(
        (
            code,
            province.name,
            ", ".join((province.kind, *_more(province.coasts, province.convoys))),
            centre(code),
            ", ".join(province.also),
        )
        for code, province in board.provinces.items()
    )
    near = tuple(
        (province.name, ", ".join(board.provinces[there].name for there in board.neighbours[code]))
        for code, province in board.provinces.items()
    )
    return (
        Table("Provinces", ("Code", "Name", "Kind", "Supply centre", "Also called"), places, folded=True),
        Table("Where units can go from each province", ("From", "To"), near, folded=True),
    )


def what_wins(settings: Settings) -> tuple[str, ...]:
    """The victory conditions, by the house rules and the board, as sentences with their rules."""
    board, sentences = settings.ground, []
    number = settings.victory or board.counts
    if number is not None:
        lead = f", {board.win.lead} more than any other (DP-V-6)" if board.win.lead is not None else ""
        sentences.append(
            f"A power wins if it owns {number} supply centres when {board.calendar.fall} ends (DP-V-1){lead}."
        )
        if board.win.held is not None:
            sentences.append(f"It must own them in {board.win.held} years in a row (DP-V-9).")
    if board.win.hold:
        names = tuple(board.provinces[code].name for code in board.win.hold)
        least = board.win.least or len(names)
        which = join_words(names) if least == len(names) else f"{least} of {join_words(names)}"
        sentences.append(f"A power wins if it owns {which} when {board.calendar.fall} ends (DP-V-7).")
    if board.win.shared:
        sentences.append("Powers that do so in the same year win together (DP-V-10).")
    if board.win.years is not None:
        sentences.append(f"After {board.win.years} years, the power with the most supply centres wins (DP-V-8).")
    return tuple(sentences)


def _calendar(board: Board) -> str:
    """A sentence about the names of the board's seasons and the way its years are counted."""
    calendar, words = board.calendar, []
    named = {"spring": calendar.spring, "fall": calendar.fall, "winter": calendar.winter}
    if called := [f"{key} is called {name}" for key, name in named.items() if name.casefold() != key]:
        words.append(join_words(tuple(called)))
    if calendar.step != 1:
        words.append(f"a year of the game counts as {calendar.step} years")
    words.append(f"the first year is {calendar.year(board.starts)}")
    if board.begins != "spring":
        words.append(f"which begins in {named[board.begins]}")
    text = ", ".join(words)
    return f"{text[0].upper()}{text[1:]} (DP-G-12)."


def _start(board: Board, power: str, units: Sequence[str]) -> tuple[str, str, str]:
    owned = [province.name for province in board.provinces.values() if province.owner == power]
    homes = [
        province.name for province in board.provinces.values() if province.home == power and province.owner != power
    ]
    return ", ".join(owned), ", ".join(homes), ", ".join(board.unit_name(board.unit(unit)) for unit in units)


def _centre(board: Board, code: str) -> str:
    province = board.provinces[code]
    if not province.centre:
        return ""
    return f"home of {province.home}" if province.home is not None else "yes"


def _more(coasts: Sequence[str], convoys: bool) -> tuple[str, ...]:
    return (*(f"{coast} coast" for coast in coasts), *(("convoys (DP-C-11)",) if convoys else ()))
