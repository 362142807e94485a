"""The Ruleset record: the questions every game answers, in groups. A ruleset is a value, found by its folder.

A group that a game does not have is None; inside a group nothing has a default that could be wrong. So what a game with
hidden information forgets to say about its secrets is missing when its module is read, and a type error before that.

Three words, everywhere below: the *position* is all that is true; the *view* is the position as its reader may see it
(`Secrecy.seen_by`; in an open game the position itself); the *public view* is the view of nobody in particular.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.cautions import Caution
from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.lines import Lines, Spelling
from adjudicator.core.contract.pages import Card, Chapter, Chart, Report, Table, Timeline
from adjudicator.core.contract.plans import Plans
from adjudicator.core.contract.prices import Prices
from adjudicator.core.contract.resolution import Ending, Example, Piece, PlayedGame, Remark, Resolution, SeatId, Verdict
from adjudicator.core.contract.runs import Joint, Told, join_facts, tell_shortly
from adjudicator.core.contract.scene import Drawing, Scene, drawing_of
from adjudicator.core.contract.seen import says_nothing
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.contract.walks import Walks
from adjudicator.core.files.disk import Own
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import decode, keys
from adjudicator.core.text.loosely import fit, salvage
from adjudicator.core.text.problems import Problem, nearest, problem
from adjudicator.core.text.yamltext import Text


class PlayedBy(Protocol):
    """What every position says, and every view of it: the house rules that the game is played by."""

    @property
    def settings(self) -> Any:
        """Of the type `Types.settings`. game.yaml gives them when the game opens; afterwards rulings alone change them."""


P = TypeVar("P", bound=PlayedBy)
S = TypeVar("S", bound=SheetWords)
E = TypeVar("E")
Fact = TypeVar("Fact")
Chance = Callable[[str, int], int]
"""A named number for a stand-in: `chance("bold:Granada", 6)` is one of 0 to 5, the same for the same name and turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a ruleset is, for people."""

    slug: str
    """The name of its folder."""
    title: str
    designer: str
    players: str
    summary: str
    licence: str
    prefix: str
    """What the ids of its rules begin with: `DP` of `DP-M-3`. No two rulesets share one."""
    luck: bool
    """Whether anything in it is rolled or shuffled. In a game that is not sealed anybody could compute that in advance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Types(Generic[P, S]):
    """The types of a game's files: frozen dataclasses (`codec.record`), so that faults have lines and schemas are made."""

    position: type[P]
    """Everything true between two turns, with the house rules (`settings`) that the game is played by."""
    event: Any
    """The union of facts a turn can produce, told apart by their field `event`."""
    settings: type[Any]
    """House rules: enums and numbers, with defaults."""
    verdict: type[Verdict]
    """`Verdict`, or a subclass without fields of its own whose `ok`, `also` and `idle` know the game's facts."""
    sheets: Mapping[str, type[S]]
    """Every type of sheet by the name of its schema: `sheet`, or one for each kind of seat or of turn."""
    sheet: Callable[[P, SeatId], type[S]]
    """Public view and seat -> the type of sheet that the seat writes in this turn."""


def one_sheet(kind: type[S]) -> Callable[[Any, SeatId], type[S]]:
    """For `Types.sheet`: the same type for every seat, in every turn."""
    return lambda view, seat: kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[P, S, E]):
    """The game itself."""

    seats: Callable[[Any], tuple[SeatId, ...]]
    """Settings -> the seats of the game, as they are listed."""
    setup: Callable[[Any, Dice], P]
    """Settings and dice -> the first position."""
    due: Callable[[P], frozenset[SeatId]]
    """Public view -> who owes a sheet now. A turn that nobody owes a sheet for is judged at once."""
    when: Callable[[P], str]
    """Public view -> what the turn is called: `Spring 1901, movement`."""
    kind: Callable[[P], str]
    """Public view -> the kind of turn, which a schedule may time by itself: `movement`."""
    kinds: tuple[str, ...]
    """Every kind of turn."""
    check: Callable[[P, SeatId, Any], tuple[Remark, ...]]
    """View, seat, sheet -> what is wrong with the sheet, for its author's eyes, before the deadline.

    A stand-in asks with the view of its own seat. `courtly check`, intake and the desk ask with the public view in a game
    with hidden information: then it says what anybody can see to be wrong, and nothing of what is hidden from them."""
    options: Callable[[P, SeatId], Iterable[S]]
    """View and seat -> legal sheets of one order each; every legal order that this view can know appears in one of them."""
    resolve: Callable[[P, Mapping[SeatId, Any], Dice], Resolution[P, E]]
    """Position, sheets, dice -> the outcome. Pure: the same arguments give the same result, on any machine."""
    faults: Callable[[P], Iterable[Remark]]
    """Position -> what makes it no position of this game: names that are not there, two things in one place.

    Asked of a position that a host corrected or decided about, before anything else is asked of it."""


def by_its_own_name(view: Any, seat: SeatId) -> str | None:
    """For `Words.called`: None, for no seat plays anybody of another name."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Generic[P, E]):
    """What happened, in sentences. Each ends in a full stop, but for `ended`, which stands within one."""

    tell: Callable[[P, Any], str]
    """View the turn began with, and a verdict or a fact -> one sentence."""
    ended: Callable[[Ending], str]
    """How a game ended: `won by Austria, Fall 1907`. For a host's own word, and for what has no words of its own, see `ended`."""
    quiet: str
    """What is said of a turn that brought its reader no news."""
    weight: Callable[[P, E], int]
    """How much a fact weighs among those of its turn: the heaviest is the turn's headline, but never one that weighs 0."""
    plain: int
    """A fact that weighs less is plain, such as a move or an income: tables and maps show it, and the story folds it."""
    joints: Mapping[str, tuple[Joint, ...]]
    """Kind of fact -> how several are told in one sentence; the first that fits is taken. See `core.contract.runs`."""
    called: Callable[[P, SeatId], str | None]
    """View and seat -> whom the seat plays, where that is somebody of another name, as cards deal it; see `by_its_own_name`."""
    part: Callable[[P, E], tuple[int, str]]
    """View and fact -> the heading that it is told under: its place among the headings, and its title; see `no_parts`."""


def no_parts(view: Any, event: Any) -> tuple[int, str]:
    """For `Words.part`: the facts of a turn are told one after the other, without headings."""
    return (0, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures(Generic[P, E]):
    """What the board looks like."""

    draw: Callable[[P, Resolution[P, E] | None], Scene]
    """View the turn began with, and the resolution once there is one -> what is to be seen."""
    paint: Callable[[Any], str]
    """A scene of the kind that `draw` makes, as SVG: whichever of `adjudicator.render` fits the board."""

    def picture(self, view: P, done: Resolution[P, E] | None) -> Drawing:
        """The picture of a view: its SVG, with the size that this says."""
        return drawing_of(self.paint(self.draw(view, done)))


def no_reports(view: Any, events: Iterable[Any]) -> tuple[Report, ...]:
    """For `Tables.reports`: a sentence is enough for every fact."""
    return ()


def no_chapters(turns: Sequence[Any], final: Any) -> tuple[Chapter, ...]:
    """For `Tables.chapters`: a game has no pages beside its turns."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(Generic[P, E]):
    """Numbers, and what deserves more than a sentence."""

    tally: Callable[[P], tuple[Table, ...]]
    """View -> the standings."""
    chart: Callable[[Iterable[P]], tuple[Chart | Timeline, ...]]
    """The views of a game in order -> its story in pictures."""
    reports: Callable[[P, Iterable[Any]], tuple[Report, ...]]
    """View the turn began with, and its facts -> those told in full; see `no_reports`."""
    chapters: Callable[[Sequence[Resolution[P, E]], P | None], tuple[Chapter, ...]]
    """Turns (each with the view it began with) and the position the game ended in, if it has -> more pages; see `no_chapters`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards(Generic[P, E]):
    """Cards that have pages of their own."""

    shipped: Callable[[], tuple[Card, ...]]
    """Those that the ruleset ships, sort by sort."""
    own: Callable[[P], bool]
    """Position -> whether its game has other cards than those that the ruleset ships."""
    of: Callable[[P], tuple[Card, ...]]
    """Position -> the cards of its game."""
    did: Callable[[Sequence[Resolution[P, E]]], Mapping[str, Mapping[str, int]]]
    """Turns -> card -> what it did, in a word or two, and how often; whatever did nothing is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrecy(Generic[P, E]):
    """Who is told what, in a game where not everybody may see everything. Such a game is sealed, and revealed at its end.

    No member has a default: each is a secret that could be forgotten.
    """

    seen_by: Callable[[P, SeatId | None], P]
    """Position and seat -> the view of the seat; of the public for None. The public view of a public view is itself. `views` of
    `core.contract.seen` makes it of what each field says of who sees it."""
    heard_by: Callable[[Any, SeatId | None], Any]
    """A verdict or a fact -> the same as a seat, or the public (None), learns of it while the game runs; None when it does not.

    What comes back is written to that reader word for word, so it names nobody whom the reader may not know, other hearers of
    the fact included."""
    public_roll: Callable[[str], bool]
    """The name of a roll -> whether the public sees it while the game runs. Setup is rolled under names too."""
    brief: Callable[[P, SeatId], tuple[str, ...]]
    """View of a seat when a turn opens, and the seat -> who it is and what waits for it, in sentences."""
    lengths: Callable[[Any], Lengths]
    """Settings -> how long the sealed files of a game are: at least what `courtly rehearse RULESET --lengths` shows as the longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(Generic[P]):
    """How people write orders, for the order desk and for whoever reads lines by `core.contract.lines`."""

    spelling: Callable[[P], Spelling] | None
    """Public view -> how the words of an order may be spelt, where everybody knows what is legal."""
    lines: Callable[[P], Lines] | None
    """Public view -> the forms of orders in this turn and what may stand in their blanks. In a game with hidden information
    the desk reads lines by these, because nobody in public knows what is legal."""
    canonical: Callable[[P, str], str] | None
    """Public view and a line -> the line as a verdict writes it; other lines come back unchanged. None where all of them do."""
    cautions: Callable[[P, SeatId], Iterable[Caution]] | None
    """Public view and seat -> remarks on its sheet that follow from the sheet alone; `check` makes them too."""
    unasked: Callable[[P], Collection[str]] | None
    """Public view -> the keys of sheets that mean nothing in this turn, such as what is chosen before the start; the desk leaves
    them out. None where every turn asks for all of them."""
    plans: Callable[[P], Plans] | None
    """Public view -> the lists of this turn's sheets whose lines are tried in order. None where no sheet has any."""
    stands: Callable[[P, SeatId], Mapping[str, tuple[str, ...]]] | None
    """View of a seat, and the seat -> what stands of its earlier sheets, by the keys of lists. None where nothing stands."""
    prices: Callable[[P, SeatId], Prices | None] | None
    """View of a seat, and the seat -> what it has and what its orders take; None where they take nothing."""
    meanings: Callable[[P, SeatId], Mapping[str, str]] | None
    """View of a seat, and the seat -> words that its orders may hold and nobody else knows, each with what it stands for, in a few
    words. None where all words are names on the map."""
    walks: Callable[[P], Walks | None] | None
    """Public view -> who walks in this turn, and what their steps take; None where nobody does."""
    beside: Callable[[P], Beside] | None
    """Public view -> what seats order beside their own units: bids, those who are no unit, units that two command. None where a seat
    orders its own units alone."""


@dataclass(frozen=True, slots=True)
class Worth(Generic[P]):
    """A stand-in that adds option to option, by what each is worth.

    `of` gives, for a view, a seat and chances, how much better a sheet (the first) gets by one option more (the second).
    Nothing is added that is worth 0 or less; None says that it never will be.
    """

    of: Callable[[P, SeatId, Chance], Callable[[Any, Any], int | None]]


@dataclass(frozen=True, slots=True)
class Writer(Generic[P, S]):
    """A stand-in that writes its whole sheet, from a view, a seat and chances."""

    write: Callable[[P, SeatId, Chance], S]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn(Generic[P, S]):
    """How missing players are played, and how games are rehearsed. A ruleset without one is played at random."""

    mind: Worth[P] | Writer[P, S]
    party: Callable[[P, SeatId], str]
    """Position and seat -> who has won when this seat wins, as rehearsals count it: the seat, or the side that it was dealt."""
    census: Census[P] | None = None
    """What else rehearsals count of this ruleset; None for nothing."""


@dataclass(frozen=True, slots=True)
class Census(Generic[P]):
    """What rehearsals count beside endings: how often each card is played, each side wins a contest, and the like."""

    tables: Callable[[P], Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]]
    """A first position -> by the name of each table its columns and its rows: what never happened is counted too."""
    marks: Callable[[P, Resolution[P, Any]], Iterable[tuple[str, str, str]]]
    """A turn's position and resolution -> table, row and column of each thing that counts, once each time."""


def the_seat(position: Any, seat: SeatId) -> str:
    """For `StandIn.party`: every seat plays for itself."""
    return seat


Keep = Callable[[str, bytes | None], bytes | None]
"""Name and text of a file that comes with a ruleset (None where none does any more) -> the text that the game began with."""


def as_shipped(name: str, shipped: bytes | None) -> bytes | None:
    """A `Keep` for a game that is only beginning: what comes with the ruleset today."""
    return shipped


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFiles(Generic[P]):
    """Data that a game keeps: files that a host may lay beside game.yaml and name in a setting, and what it began with of the ruleset's own."""

    kinds: Mapping[str, type[Any]]
    """Kind of file that a host may write -> what it holds, which makes its JSON Schema."""
    furnish: Callable[[Any, Callable[[str], tuple[bytes, str]], Keep], Any]
    """House rules, a reader of the host's files (name -> bytes and path) and a `Keep`, which is asked for each file of the ruleset's own
    that these house rules name -> house rules with what those files hold. Raises `Problems` with the file's own lines, as the reader does."""
    attach: Callable[[P, Any], P]
    """A position as it was read, and the game's furnished house rules -> the position with these in place of the names that
    turn.yaml stores; raises `Problems` when they have changed."""
    sketch: Callable[[Any], Mapping[str, bytes]]
    """Furnished house rules -> files that a host can go on from by hand, by name: shapes of a board that nobody drew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Generic[P]):
    """Games played elsewhere."""

    split: Callable[[bytes], Iterator[Piece]]
    """A file in whatever formats this ruleset knows -> its games, each in lines that nobody has read yet; raises `Problems`."""
    read: Callable[[Piece, Any, Collection[str]], PlayedGame[P]]
    """The lines of a game, the furnished house rules, and which of them were chosen and go before what a record says -> the game,
    judged; raises `Problems`."""
    write: Callable[[str, Iterable[tuple[P, Mapping[SeatId, Any], Resolution[P, Any] | None]]], bytes]
    """A game, by name and turns, in the format that others read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions(Generic[P]):
    """Rulings of the ruleset's own kind (`decide:` in ruling.yaml): what its rules leave to the host.

    Everybody reads them, unless they are about what is hidden: then they are sealed to the turn, and told when the game is over.
    """

    kind: type[Any]
    """The record of one decision, whatever it is about."""
    hidden: bool
    """Whether what is decided is hidden from the public. Such a ruling is refused in the open."""
    waits: Callable[[P], tuple[str, ...]]
    """Position -> what waits for the host to decide, each with what to write; where decisions are hidden nobody else is told."""
    faults: Callable[[P, Any], tuple[Remark, ...]]
    """Public view (where decisions are hidden: position) and decision -> why it cannot be made; places are within the decision.

    Everybody reads it; where decisions are hidden, only those who have the master secret."""
    apply: Callable[[P, Any, str], P]
    """Position, decision and the ruling's reason -> the position after it."""
    tell: Callable[[Any], str]
    """A decision in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[P, S, E]):
    """A game's rules: types and functions in groups. A variant is a `dataclasses.replace` of one."""

    about: About
    folder: Path
    """Holds `RULES.md`, boards, data and cases."""
    types: Types[P, S]
    rules: Rules[P, S, E]
    words: Words[P, E]
    pictures: Pictures[P, E]
    tables: Tables[P, E]
    cards: Cards[P, E] | None
    """None for a game without cards."""
    secrecy: Secrecy[P, E] | None
    """None for a game where everybody may see everything."""
    desk: Desk[P]
    stand_in: StandIn[P, S] | None
    host_files: HostFiles[P] | None
    decisions: Decisions[P] | None
    exchange: Exchange[P] | None
    examples: Callable[[], Iterable[Example[P, E]]]
    """The rulebook's worked examples, played."""

    # What a question is asked with, so that none can be asked with more than its reader may know. ---------------------

    def __post_init__(self) -> None:
        """Raises TypeError if a field of a position that has secrets does not say who sees it (HS-1)."""
        if self.secrecy is not None and (silent := says_nothing(self.types.position)):
            raise TypeError(silent)

    def view(self, position: P, seat: SeatId | None) -> P:
        """The position as a seat may see it; as the public may for None."""
        return self.secrecy.seen_by(position, seat) if self.secrecy is not None else position

    def heard(self, facts: Iterable[Fact], seat: SeatId | None) -> tuple[Fact, ...]:
        """The verdicts or facts that a seat, or the public (None), learns of while the game runs, as it learns of them."""
        if self.secrecy is None:
            return tuple(facts)
        told = (self.secrecy.heard_by(fact, seat) for fact in facts)
        return tuple(fact for fact in told if fact is not None)

    def due(self, position: P) -> frozenset[SeatId]:
        """Who owes a sheet, by what the public sees: who is waited for must not depend on what is hidden."""
        return self.rules.due(self.view(position, None))

    def when(self, position: P) -> str:
        """What the turn is called, by what the public sees."""
        return self.rules.when(self.view(position, None))

    def kind(self, position: P) -> str:
        """The kind of turn, by what the public sees."""
        return self.rules.kind(self.view(position, None))

    def sheet_for(self, position: P, seat: SeatId) -> type[S]:
        """The type of sheet that a seat writes in this turn, by what the public sees."""
        if len(self.types.sheets) == 1:
            return next(iter(self.types.sheets.values()))  # nobody need look at the position
        return self.types.sheet(self.view(position, None), seat)

    def read_sheet(self, position: P, seat: SeatId, text: Text) -> S:
        """A seat's sheet; raises `Problems`, where a key that belongs to the sheet of another turn or seat is told whose it is."""
        kind = self.sheet_for(position, seat)
        return decode(kind, fit(kind, text), elsewhere=self._elsewhere())

    def fit_sheet(self, position: P, seat: SeatId, text: Text) -> Text:
        """A seat's sheet with lists and keys in the shapes that it may have, for whoever points at a place in it."""
        return fit(self.sheet_for(position, seat), text)

    def salvage_sheet(self, position: P, seat: SeatId, text: Text) -> tuple[S, tuple[Problem, ...]]:
        """What can be read of a seat's sheet, and each fault that costs a key or an entry; raises `Problems` if nothing can."""
        kind = self.sheet_for(position, seat)
        return salvage(kind, fit(kind, text), self._elsewhere())

    def _elsewhere(self) -> dict[str, str]:
        """Key of a sheet -> the kinds of sheet that have it."""
        found: dict[str, list[str]] = {}
        for name, other in self.types.sheets.items():
            for key in keys(other):
                found.setdefault(key, []).append(name)
        return {key: " or the ".join(names) for key, names in found.items()}

    def headline(self, view: P, events: Iterable[E]) -> str | None:
        """What happened above all, in a sentence; None if no fact has weight."""
        return self.told(view, events).headline

    def told(self, view: P, events: Iterable[E]) -> Told:
        """These facts told shortly: a headline, what else mattered, what is plain."""
        words = self.words
        sentences = join_facts(
            events, lambda event: words.tell(view, event), lambda event: words.weight(view, event), words.joints
        )
        return tell_shortly(sentences, words.plain)


def at_random(view: Any, seat: SeatId, chance: Chance) -> Callable[[Any, Any], int | None]:
    """For `Worth`: every order is worth something, by chance. How stand-ins play a ruleset that has no mind for them."""
    # Kept by identity: it hangs on no sheet, and to write an order out takes longer than all the rest.
    kept: dict[int, tuple[Any, int]] = {}

    def worth(_: Any, more: Any) -> int:
        if id(more) not in kept:
            kept[id(more)] = more, 1 + chance(f"{seat}:{more}", 1000)
        return kept[id(more)][1]

    return worth


def ended(ending: Ending) -> str:
    """How a game ended, in the words that every game shares: a record that breaks off, a host's own word, nobody wins."""
    winners = ", ".join(ending.winners)
    if ending.how == "stopped":
        return f"the record ends with {ending.when}"
    return f"{ending.how}: {winners or 'nobody wins'}, {ending.when}"


RULESETS = Path(__file__).parent.parent.parent / "rulesets"
MORE = "COURTLY_RULESETS"
"""The variable that names more folders of rulesets, as PATH does: for a ruleset in the making, outside the package."""
SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")


def folders() -> tuple[Path, ...]:
    """Where rulesets are looked for: the package's own, then what the variable `COURTLY_RULESETS` names."""
    named = (Path(folder) for folder in os.environ.get(MORE, "").split(os.pathsep) if folder)
    return (RULESETS, *named)


def rulesets_in(folder: Path) -> Iterator[str]:
    """The names of the rulesets in a folder: of those folders in it that have a rulebook beside their code."""
    return (path.name for path in Own(folder).paths(folder) if _is_ruleset(folder, path.name))


def _is_ruleset(folder: Path, name: str) -> bool:
    """Whether a folder has a ruleset of this name."""
    if not SLUG.fullmatch(name):
        return False
    place, files = folder / name, Own(folder)
    # Compiled, as a browser gets it, it comes without its rulebook.
    compiled = files.is_file(place / "__init__.pyc")
    return compiled or all(files.is_file(place / file) for file in ("RULES.md", "__init__.py"))


def slugs() -> tuple[str, ...]:
    """The names of all rulesets, in alphabetical order."""
    return tuple(sorted({name for folder in folders() for name in rulesets_in(folder)}))


def find(slug: str) -> Ruleset[Any, Any, Any]:
    """The ruleset called `slug` (`al-andalus` and `al_andalus` are the same); raises `Problems` if it is unknown."""
    name = slug.replace("-", "_")
    # Asked for every game: so the name is looked up, and the others are listed only for whoever wrote it wrongly.
    if not any(_is_ruleset(folder, name) for folder in folders()) and name not in (names := slugs()):
        right = nearest(name, names) or "rulesets here: " + ", ".join(names)
        raise problem("", f"no ruleset is called {slug!r:.60}", right)
    package = importlib.import_module("adjudicator.rulesets")
    package.__path__.extend(str(folder) for folder in folders() if str(folder) not in package.__path__)
    ruleset = importlib.import_module(f"adjudicator.rulesets.{name}").RULESET
    assert isinstance(ruleset, Ruleset)
    if ruleset.about.slug != name:
        what = f"the ruleset in the folder {name} calls itself {ruleset.about.slug!r}"
        raise problem("", what, f'write slug="{name}" in its __init__.py')
    return ruleset
