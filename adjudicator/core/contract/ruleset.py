"""The Ruleset record: the questions that every game answers, in groups. A ruleset is a value, found by its folder.

A game that does not have a group sets it to None. Members of a group have no default that could be wrong. So a game with hidden
information cannot forget a question about its secrets: the type checker finds the gap, and importing its module raises an error.

Three words have fixed meanings below. The *position* is everything that is true. The *view* is the position as its reader may
see it (`Secrecy.seen_by`; in an open game it is the position itself). The *public view* is the view of somebody without a seat.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from adjudicator.core.contract.ahead import Ahead
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
from adjudicator.core.contract.words import join_words
from adjudicator.core.files.disk import Own
from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import decode, keys
from adjudicator.core.text.loosely import fit, salvage
from adjudicator.core.text.problems import Problem, nearest, problem
from adjudicator.core.text.yamltext import Text


class PlayedBy(Protocol):
    """A position or a view of one. Each holds the game's house rules."""

    @property
    def settings(self) -> Any:
        """House rules of the type `Types.settings`. game.yaml gives them when the game opens; afterwards only rulings change them."""


P = TypeVar("P", bound=PlayedBy)
S = TypeVar("S", bound=SheetWords)
E = TypeVar("E")
Fact = TypeVar("Fact")
Chance = Callable[[str, int], int]
"""A named number for a stand-in: `chance("bold:Granada", 6)` is one of 0 to 5, the same for the same name and turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Description of a ruleset for people."""

    slug: str
    """The name of its folder."""
    title: str
    designer: str
    players: str
    summary: str
    licence: str
    prefix: str
    """Prefix of the ids of its rules: `DP` of `DP-M-3`. No two rulesets share one."""
    luck: bool | Callable[[Any], bool]
    """Whether a game rolls or shuffles anything, or a function of its settings that says so. If it does, anybody can compute the results in advance, unless
    the game is sealed."""

    def rolls(self, settings: Any) -> bool:
        """True if a game with these settings rolls or shuffles anything."""
        return self.luck(settings) if callable(self.luck) else self.luck


@dataclass(frozen=True, slots=True, kw_only=True)
class Types(Generic[P, S]):
    """The types of a game's files: frozen dataclasses (`codec.record`), so that faults have lines and schemas can be generated."""

    position: type[P]
    """Everything that is true between two turns, including the game's house rules (`settings`)."""
    event: Any
    """The union of facts that a turn can produce, distinguished by their field `event`."""
    settings: type[Any]
    """House rules: enums and numbers, with defaults."""
    verdict: type[Verdict]
    """`Verdict`, or a subclass without further fields that works out `ok`, `also` and `idle` from the game's facts."""
    sheets: Mapping[str, type[S]]
    """Name of a schema -> type of sheet: only `sheet`, or one for each kind of seat or of turn."""
    sheet: Callable[[P, SeatId], type[S]]
    """Public view and seat -> the type of sheet that the seat writes in this turn."""


def one_sheet(kind: type[S]) -> Callable[[Any, SeatId], type[S]]:
    """For `Types.sheet`: the same type for every seat, in every turn."""
    return lambda view, seat: kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[P, S, E]):
    """The rules of the game, as functions: seats, setup, legal orders, and the outcome of a turn."""

    seats: Callable[[Any], tuple[SeatId, ...]]
    """Settings -> the seats of the game, in listing order."""
    setup: Callable[[Any, Dice], P]
    """Settings and dice -> the first position."""
    due: Callable[[P], frozenset[SeatId]]
    """Public view -> seats that owe a sheet now. If no seat owes one, the turn is judged at once."""
    when: Callable[[P], str]
    """Public view -> display name of the turn: `Spring 1901, movement`."""
    kind: Callable[[P], str]
    """Public view -> the kind of turn, such as `movement`. A schedule may set a time for each kind."""
    kinds: tuple[str, ...]
    """Every kind of turn."""
    check: Callable[[P, SeatId, Any], tuple[Remark, ...]]
    """View, seat, sheet -> faults in the sheet, for its author, before the deadline.

    A stand-in passes the view of its seat. In a game with hidden information `courtly check`, intake and the desk pass the
    public view: the remarks then name only faults that anybody can see, and reveal nothing hidden.
    """
    options: Callable[[P, SeatId], Iterable[S]]
    """View and seat -> legal sheets of one order each. Every legal order that can be known from this view appears in one of them."""
    resolve: Callable[[P, Mapping[SeatId, Any], Dice], Resolution[P, E]]
    """Position, sheets, dice -> the outcome. Pure: the same arguments give the same result, on any machine."""
    faults: Callable[[P], Iterable[Remark]]
    """Position -> reasons why it cannot be a position of this game: unknown names, two things in one place.

    The core calls this for a position that somebody has written, corrected or decided about, before it uses that position.
    """


def by_its_own_name(view: Any, seat: SeatId) -> str | None:
    """For `Words.called`: None, because every seat plays under its own name."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Generic[P, E]):
    """Sentences about what happened. Each ends in a full stop, except `ended`, which is part of a sentence."""

    tell: Callable[[P, Any], str]
    """View at the start of the turn, and a verdict or a fact -> one sentence."""
    ended: Callable[[Ending], str]
    """Ending of a game in words: `won by Austria, Fall 1907`. For a host's wording and other endings common to all games, call `ended` below."""
    quiet: str
    """Sentence for a turn that brought its reader no news."""
    weight: Callable[[P, E], int]
    """View and fact -> the fact's weight. The heaviest fact of a turn becomes the headline, unless its weight is 0."""
    plain: int
    """A fact that weighs less is plain, such as a move or an income: tables and maps show it, and the story folds it."""
    joints: Mapping[str, tuple[Joint, ...]]
    """Kind of fact -> ways to join several in one sentence; the first that fits applies. See `core.contract.runs`."""
    called: Callable[[P, SeatId], str | None]
    """View and seat -> name of the character that the seat plays, in games that deal characters; see `by_its_own_name`."""
    part: Callable[[P, E], tuple[int, str]]
    """View and fact -> position and title of the heading above the fact; see `no_parts`."""


def no_parts(view: Any, event: Any) -> tuple[int, str]:
    """For `Words.part`: the facts of a turn follow one another without headings."""
    return (0, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures(Generic[P, E]):
    """Pictures of the board."""

    draw: Callable[[P, Resolution[P, E] | None], Scene]
    """View at the start of the turn, and its resolution once there is one -> the scene."""
    paint: Callable[[Any], str]
    """A scene from `draw` -> SVG, by the painter of `adjudicator.render` that fits the board."""

    def picture(self, view: P, done: Resolution[P, E] | None) -> Drawing:
        """Draw a view as SVG, with the width and height that the SVG declares."""
        return drawing_of(self.paint(self.draw(view, done)))


def no_reports(view: Any, events: Iterable[Any]) -> tuple[Report, ...]:
    """For `Tables.reports`: a sentence is enough for every fact."""
    return ()


def no_chapters(turns: Sequence[Any], final: Any) -> tuple[Chapter, ...]:
    """For `Tables.chapters`: the game has no pages besides those of its turns."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(Generic[P, E]):
    """Numbers, and facts that deserve more than a sentence."""

    tally: Callable[[P], tuple[Table, ...]]
    """View -> the tally."""
    chart: Callable[[Iterable[P]], tuple[Chart | Timeline, ...]]
    """The views of a game in order -> charts of its story."""
    reports: Callable[[P, Iterable[Any]], tuple[Report, ...]]
    """View at the start of the turn, and its facts -> full reports of some of them; see `no_reports`."""
    chapters: Callable[[Sequence[Resolution[P, E]], P | None], tuple[Chapter, ...]]
    """Turns (each with the view at its start), and the final position if the game has ended -> more pages; see `no_chapters`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards(Generic[P, E]):
    """Cards that each have a page."""

    shipped: Callable[[], tuple[Card, ...]]
    """Cards that the ruleset ships, grouped by sort."""
    own: Callable[[P], bool]
    """Position -> whether its game has cards other than those that the ruleset ships."""
    of: Callable[[P], tuple[Card, ...]]
    """Position -> the cards of its game."""
    did: Callable[[Sequence[Resolution[P, E]]], Mapping[str, Mapping[str, int]]]
    """Turns -> card -> its effects in a word or two, and how often each occurred. Cards without effect are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrecy(Generic[P, E]):
    """Functions that decide who sees and learns what in a game with hidden information. Such a game is sealed until it ends.

    No member has a default, so that no author can forget one.
    """

    seen_by: Callable[[P, SeatId | None], P]
    """Position and seat -> the view of the seat, or of the public for None. The public view of a public view must be that view itself.
    `views` of `core.contract.seen` builds this function from the declarations on the fields."""
    heard_by: Callable[[Any, SeatId | None], Any]
    """A verdict or a fact -> the version that a seat, or the public (None), learns of while the game runs; None if it learns nothing.

    The reader gets the result word for word, so it must not name anybody whom the reader may not know. That includes the others
    who learn of the fact.
    """
    public_roll: Callable[[str], bool]
    """Name of a roll -> whether the public sees it while the game runs. The rolls of the setup have names too."""
    brief: Callable[[P, SeatId], tuple[str, ...]]
    """View of a seat when a turn opens, and the seat -> sentences about who the seat is and what it has to do."""
    lengths: Callable[[Any], Lengths]
    """Settings -> lengths of the game's sealed files: at least the longest that `courtly rehearse RULESET --lengths` shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(Generic[P]):
    """How people write orders: for the order desk, and for code that reads lines with `core.contract.lines`."""

    spelling: Callable[[P], Spelling] | None
    """Public view -> spellings of the words of an order, where everybody knows the legal orders."""
    lines: Callable[[P], Lines] | None
    """Public view -> the forms of orders in this turn and the values of their blanks. In a game with hidden information the desk
    reads lines with these, because the public does not know the legal orders."""
    canonical: Callable[[P, str], str] | None
    """Public view and a line -> an order as a verdict writes it; any other line unchanged. None if verdicts quote all lines unchanged."""
    pasted: Callable[[P, str], tuple[str, ...]] | None
    """Public view and a line from elsewhere -> the orders in it, as verdicts write them; empty if it cannot be read. None if `canonical` is enough."""
    cautions: Callable[[P, SeatId], Iterable[Caution]] | None
    """Public view and seat -> remarks on its sheet that depend only on the sheet. `check` makes them too."""
    unasked: Callable[[P], Collection[str]] | None
    """Public view -> the keys of sheets that mean nothing in this turn, such as choices before the start. The desk leaves them
    out. None if every turn uses all of them."""
    plans: Callable[[P], Plans] | None
    """Public view -> the lists of this turn's sheets whose lines are tried in order. None where no sheet has any."""
    stands: Callable[[P, SeatId], Mapping[str, tuple[str, ...]]] | None
    """View of a seat, and the seat -> lines of its earlier sheets that still apply, by the keys of lists. None if nothing carries over."""
    prices: Callable[[P, SeatId], Prices | None] | None
    """View of a seat, and the seat -> its purse and the prices of its orders. None if orders cost nothing."""
    meanings: Callable[[P, SeatId], Mapping[str, str]] | None
    """View of a seat, and the seat -> words that only this seat may use in its orders, each with its meaning in a few words. None where all
    words are names on the map."""
    walks: Callable[[P], Walks | None] | None
    """Public view -> who walks in this turn, and the costs of their steps. None if nobody walks."""
    beside: Callable[[P], Beside] | None
    """Public view -> orders other than those to the seats' own units: bids, orders to people who are not units, units under shared
    command. None where seats order only their own units."""


@dataclass(frozen=True, slots=True)
class Worth(Generic[P]):
    """A stand-in that adds one option after another, by their worth.

    `of` takes a view, a seat and a `Chance`. It returns a function that tells how much better a sheet (the first argument) gets with one
    more option (the second). Options worth 0 or less are not added. None means that an option will never be worth adding.
    """

    of: Callable[[P, SeatId, Chance], Callable[[Any, Any], int | None]]


@dataclass(frozen=True, slots=True)
class Writer(Generic[P, S]):
    """A stand-in that writes its whole sheet, from a view, a seat and a `Chance`."""

    write: Callable[[P, SeatId, Chance], S]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn(Generic[P, S]):
    """How absent players are replaced and games are rehearsed. Without a `StandIn`, orders are chosen at random."""

    mind: Worth[P] | Writer[P, S]
    party: Callable[[P, SeatId], str]
    """Position and seat -> name under which rehearsals count this seat's win: the seat, or the side that it was dealt."""
    census: Census[P] | None = None
    """Further counts that rehearsals keep for this ruleset, or None."""


@dataclass(frozen=True, slots=True)
class Census(Generic[P]):
    """Counts that rehearsals keep besides endings: how often each card is played, each side wins a contest, and the like."""

    tables: Callable[[P], Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]]
    """First position -> name of a table -> its columns and its rows. Listing them in advance also shows what never happened."""
    marks: Callable[[P, Resolution[P, Any]], Iterable[tuple[str, str, str]]]
    """Position and resolution of a turn -> table, row and column, once for each occurrence to count."""


def the_seat(position: Any, seat: SeatId) -> str:
    """For `StandIn.party`: every seat plays for itself."""
    return seat


Keep = Callable[[str, bytes | None], bytes | None]
"""Name and bytes of a file of the ruleset (None if the ruleset no longer ships it) -> the bytes that the game began with."""


def as_shipped(name: str, shipped: bytes | None) -> bytes | None:
    """For a game that is only beginning: the file as the ruleset ships it today."""
    return shipped


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFiles(Generic[P]):
    """Files that a game keeps: those that a host adds beside game.yaml and names in a setting, and copies of the ruleset's own."""

    kinds: Mapping[str, type[Any]]
    """Kind of host file -> type of its content, which gives its JSON Schema."""
    furnish: Callable[[Any, Callable[[str], tuple[bytes, str]], Keep], Any]
    """House rules, a reader of the host's files (name -> bytes and path) and a `Keep` -> house rules with the contents of those files.
    The `Keep` is called for each file of the ruleset that these house rules name. Raises `Problems` with lines of the faulty file, as the
    reader does."""
    attach: Callable[[P, Any], P]
    """A position as it was read, and the game's furnished house rules -> the position with these house rules in place of the names that
    turn.yaml stores. Raises `Problems` if the house rules have changed."""
    sketch: Callable[[Any], Mapping[str, bytes]]
    """Furnished house rules -> files, by name, that a host can edit further, such as shapes for a board that has no drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Generic[P]):
    """Games played elsewhere."""

    split: Callable[[bytes], Iterator[Piece]]
    """A file in any format that this ruleset knows -> its games as lines, not yet parsed. Raises `Problems`."""
    read: Callable[[Piece, Any, Collection[str]], PlayedGame[P]]
    """The lines of a game, the furnished house rules, and the names of those house rules that somebody chose, which override the record ->
    the judged game. Raises `Problems`."""
    write: Mapping[str, Callable[[str, Iterable[tuple[P, Mapping[SeatId, Any], Resolution[P, Any] | None]]], bytes]]
    """Name of a form that others read -> name and turns of a game -> a file in that form. The first form is the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions(Generic[P]):
    """Rulings specific to the ruleset (`decide:` in ruling.yaml), for questions that its rules leave to the host.

    Everybody can read them, unless they concern hidden matters. Those are sealed to the turn and published when the game is over.
    """

    kind: type[Any]
    """The record of one decision, whatever its subject."""
    hidden: bool
    """Whether decisions are hidden from the public. If so, a ruling in the open is refused."""
    waits: Callable[[P], tuple[str, ...]]
    """Position -> questions for the host to decide, each with the line to write. If decisions are hidden, only the host sees them."""
    faults: Callable[[P, Any], tuple[Remark, ...]]
    """Public view (position, if decisions are hidden) and decision -> reasons why it cannot be made, with places in the decision.

    Everybody reads them; if decisions are hidden, only holders of the master secret do.
    """
    apply: Callable[[P, Any, str], P]
    """Position, decision and the ruling's reason -> the position after the decision."""
    tell: Callable[[Any], str]
    """A decision in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[P, S, E]):
    """A game's rules: types and functions in groups. Make a variant of one with `dataclasses.replace`."""

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
    ahead: Ahead[P] | None
    """None for a game whose sheets hold orders for one turn only, and for one with hidden information."""
    examples: Callable[[], Iterable[Example[P, E]]]
    """The rulebook's worked examples, played."""

    # The methods below take the position and pass on only the view that the asker may have. ---------------------------

    def __post_init__(self) -> None:
        """Raise TypeError if a field of a position that has secrets does not declare who sees it (HS-1)."""
        if self.secrecy is not None and (silent := says_nothing(self.types.position)):
            raise TypeError(silent)

    def view(self, position: P, seat: SeatId | None) -> P:
        """The position as a seat may see it, or as the public may for None."""
        return self.secrecy.seen_by(position, seat) if self.secrecy is not None else position

    def heard(self, facts: Iterable[Fact], seat: SeatId | None) -> tuple[Fact, ...]:
        """The verdicts or facts that a seat, or the public (None), learns of while the game runs, each as that reader may see it."""
        if self.secrecy is None:
            return tuple(facts)
        told = (self.secrecy.heard_by(fact, seat) for fact in facts)
        return tuple(fact for fact in told if fact is not None)

    def due(self, position: P) -> frozenset[SeatId]:
        """Seats that owe a sheet, from the public view: the list must not depend on hidden information."""
        return self.rules.due(self.view(position, None))

    def when(self, position: P) -> str:
        """Display name of the turn, from the public view."""
        return self.rules.when(self.view(position, None))

    def kind(self, position: P) -> str:
        """The kind of turn, from the public view."""
        return self.rules.kind(self.view(position, None))

    def sheet_for(self, position: P, seat: SeatId) -> type[S]:
        """The type of sheet that a seat writes in this turn, from the public view."""
        if len(self.types.sheets) == 1:
            return next(iter(self.types.sheets.values()))  # no need to make the view
        return self.types.sheet(self.view(position, None), seat)

    def read_sheet(self, position: P, seat: SeatId, text: Text) -> S:
        """Decode a seat's sheet. Raises `Problems`; for a key that belongs to the sheet of another turn or seat, they name that sheet."""
        kind = self.sheet_for(position, seat)
        return decode(kind, fit(kind, text), elsewhere=self._elsewhere())

    def fit_sheet(self, position: P, seat: SeatId, text: Text) -> Text:
        """A seat's sheet with its lists and keys in standard shape, for callers that point to a place in it."""
        return fit(self.sheet_for(position, seat), text)

    def salvage_sheet(self, position: P, seat: SeatId, text: Text) -> tuple[S, tuple[Problem, ...]]:
        """Decode the readable part of a seat's sheet, and return a problem for each part left out. Raises `Problems` if nothing is readable."""
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
        """The most important fact in a sentence; None if no fact has weight."""
        return self.told(view, events).headline

    def told(self, view: P, events: Iterable[E]) -> Told:
        """Short account of these facts: a headline, other sentences that matter, and the plain facts."""
        words = self.words
        sentences = join_facts(
            events, lambda event: words.tell(view, event), lambda event: words.weight(view, event), words.joints
        )
        return tell_shortly(sentences, words.plain)


def at_random(view: Any, seat: SeatId, chance: Chance) -> Callable[[Any, Any], int | None]:
    """For `Worth`: every order has a random worth. Stand-ins use it in rulesets that have no `StandIn`."""
    # Keyed by identity: the worth does not depend on the sheet, and formatting an order takes longer than all the rest.
    kept: dict[int, tuple[Any, int]] = {}

    def worth(_: Any, more: Any) -> int:
        if id(more) not in kept:
            kept[id(more)] = more, 1 + chance(f"{seat}:{more}", 1000)
        return kept[id(more)][1]

    return worth


def ended(ending: Ending) -> str:
    """Ending of a game in words common to all games, such as a record that breaks off, a host's own wording, or no winner."""
    if ending.how == "stopped":
        return f"stopped after {ending.when}, no winner"
    if not ending.winners:
        return f"{ending.how}: nobody won, {ending.when}"
    if ending.how == "draw":
        return f"drawn between {join_words(ending.winners)}, {ending.when}"
    return f"won by {join_words(ending.winners)} ({ending.how}), {ending.when}"


RULESETS = Path(__file__).parent.parent.parent / "rulesets"
MORE = "COURTLY_RULESETS"
"""Environment variable with more folders of rulesets, separated as in PATH: for a ruleset in development outside the package."""
SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")


def folders() -> tuple[Path, ...]:
    """Folders that are searched for rulesets: the package's own, then those in the variable `COURTLY_RULESETS`."""
    named = (Path(folder) for folder in os.environ.get(MORE, "").split(os.pathsep) if folder)
    return (RULESETS, *named)


def rulesets_in(folder: Path) -> Iterator[str]:
    """The names of the rulesets in a folder: its subfolders that have a rulebook beside their code."""
    return (path.name for path in Own(folder).paths(folder) if _is_ruleset(folder, path.name))


def _is_ruleset(folder: Path, name: str) -> bool:
    """True if a folder has a ruleset with this name."""
    if not SLUG.fullmatch(name):
        return False
    place, files = folder / name, Own(folder)
    # The compiled package for browsers comes without the rulebook.
    compiled = files.is_file(place / "__init__.pyc")
    return compiled or all(files.is_file(place / file) for file in ("RULES.md", "__init__.py"))


def slugs() -> tuple[str, ...]:
    """The names of all rulesets, in alphabetical order."""
    return tuple(sorted({name for folder in folders() for name in rulesets_in(folder)}))


def find(slug: str) -> Ruleset[Any, Any, Any]:
    """The ruleset called `slug` (`al-andalus` and `al_andalus` are the same); raises `Problems` if it is unknown."""
    name = slug.replace("-", "_")
    # This runs for every game, so look the name up and list the others only if it is wrong.
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
