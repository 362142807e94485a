"""Heir Apparent, judged a second time: written only from the rulebook and the readings of its source.

It shares with the ruleset the card set, the shapes of positions and sheets (as plain data), the deck of `mechanics.cards`
and
the dice, but not a single rule. It knows only ids: names and nearest spellings are for the desk. `judge` gives the next
position and, for each line of each sheet, True if it was carried out.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import adjudicator
from adjudicator.core.secrets.dice import Dice, NamedDice
from adjudicator.core.text.yamltext import read
from adjudicator.mechanics.cards import Deck, draw, pick

Data = dict[str, Any]
CARDS = Path(adjudicator.__file__).parent / "rulesets/heir_apparent/data/avermark.yaml"
STANDING = ("melee", "reactions", "counters", "discard", "release")
MOST_LINES, MOST_CLAUSES, MOST_DEEP, MOST_ACTS, MOST, MOST_AIMS = 40, 12, 4, 500, 5, 60
KIND_TRADES = True
"""True if a title in a trade means a copy that the other word of the trade does not name."""
PASSES_RESET_FIRST = True
"""True if an act sets `passes` to 0 before its reactions and counters have their chance."""
PENDING_TELLS_CARD = True
"""True if `card` and `spell` show the card in the ring about its pending effect."""
RATINGS_IN_DRAW = True
"""True if lines of `draw` may ask for `pol` and `com`, as those of `keep` do."""
SELF_MOVE_IS_LOSS = False
"""True if favor moved from a player to the same one opens `favor_loss`."""
TRIGGERS = (
    "event_revealed", "card_played", "melee_declared", "turn_forced", "kill_pending", "dismiss_pending", "favor_loss", "joined",
    "outcome_known",
)  # fmt: skip


# The card set ---------------------------------------------------------------------------------------------------------


class Cards:
    """Titles of the set by id, and the blanks of their parts."""

    def __init__(self) -> None:
        whole: Any = read(CARDS.read_bytes(), str(CARDS), limit=1_000_000).data
        self.princes: dict[str, Data] = {one["id"]: one for one in whole["princes"]}
        self.characters: dict[str, Data] = {one["id"]: one for one in whole["characters"]}
        self.people = self.princes | self.characters
        self.events: dict[str, Data] = {one["id"]: one for one in whole["events"]}
        self.actions: dict[str, Data] = {one["id"]: one for one in whole["actions"]}
        self.copies = {f"{name}#{k}" for name, one in self.actions.items() for k in range(1, one["copies"] + 1)}

    def action(self, card: str) -> Data:
        return self.actions[title(card)]


@functools.cache
def cards() -> Cards:
    return Cards()


def title(card: str) -> str:
    return card.partition("#")[0]


CHOOSE = re.compile(r"choose\(([\w-]+), \[([^\]]*)\]\)")


def words(text: str) -> tuple[str, ...]:
    return tuple(word.strip().strip('"') for word in text.split(",") if word.strip())


def asks(effect: Sequence[Data]) -> list[tuple[str, tuple[str, ...]]]:
    """Targets that an effect needs, in order: name, filter."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for step in effect:
        for part in step.values():
            for text in part.values():
                if isinstance(text, str):
                    found += [(match[1], words(match[2])) for match in CHOOSE.finditer(text)]
    return found


# Lines (2.D) ----------------------------------------------------------------------------------------------------------

NUMBERS: Mapping[str, str] = {
    "sup": "", "opp": "", "pool": "X", "best_other": "", "least_in": "", "passes": "", "acts": "X", "atk": "", "def": "", "favor": "X",
    "hand": "X", "chars": "X", "ready": "X", "events_left": "", "turn": "", "drawn": "", "pol": "", "com": "", "depth": "",
    "need": "", "tokens": "P", "strength": "P",
}  # fmt: skip
FLAGS: Mapping[str, str] = {
    "in": "X", "winning": "X", "losing": "X", "passing": "", "turned": "P", "in_play": "P", "have": "C", "mine": "P", "held": "PX",
    "target": "V", "attacker": "V", "defender": "V", "drew": "T", "has": "K", "by": "X", "card": "C", "hits": "V", "spell": "",
    "shielded": "", "done": "W", "joined": "P", "free": "X",
}  # fmt: skip
KEYWORDS = ("Noble", "Palace", "Wealthy", "Wizard", "Fighter")
COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


class UnreadableError(Exception):
    """A line that nobody can read."""


class StopError(Exception):
    """A player stops the run (HA-W-21)."""

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self.seat = seat


@dataclass
class Clause:
    """`not flag`, or a comparison of two numbers: each is a whole number, or a name with arguments and an addend."""

    flag: tuple[str, tuple[str, ...]] | None = None
    up: bool = True
    left: tuple[str, tuple[str, ...], int] | int = 0
    operator: str = ""
    right: tuple[str, tuple[str, ...], int] | int = 0


@dataclass(eq=False)
class Line:
    """A line of a list and its results in this turn."""

    seat: str
    text: str
    part: str
    kind: str = ""
    args: dict[str, str] = field(default_factory=dict)
    at: list[list[str]] = field(default_factory=list)
    """Targets, each as its alternatives (HA-W-25)."""
    helpers: list[str] = field(default_factory=list)
    """Characters that may help, with `prince` for the free 2 (HA-W-24)."""
    number: int = 0
    """Index of the line in its list, from 0."""
    clauses: list[Clause] = field(default_factory=list)
    again: bool = False
    step: str = ""
    counted: bool = True
    """True if the line is of this turn's sheet, and so gets a verdict."""
    done: bool = False
    """True if it was ever carried out in this turn."""
    used: int = 0
    """Uses in this phase; for a counter, in this window."""
    spent: bool = False


class Reader:
    """Reads the lines of one game, by its Princes."""

    def __init__(self, princes: Iterable[str]) -> None:
        self.princes = {*princes}
        self.people = {*cards().characters} | self.princes
        self.cards = {*cards().actions} | cards().copies
        self.pools = {"support", "oppose", "me"} | self.princes
        self.targets = self.people | self.cards | self.pools
        self.abilities = {one["id"] for who in cards().people.values() for one in who.get("abilities", ())}

    def read(self, seat: str, part: str, text: str) -> Line | None:
        """A line; None if it cannot be read."""
        line = Line(seat, text, part)
        try:
            self._read(line, part, " ".join(text.split()))
        except UnreadableError:
            return None
        return line

    def _among(self, word: str, known: Iterable[str]) -> str:
        if word not in known:
            raise UnreadableError
        return word

    def _read(self, line: Line, part: str, text: str) -> None:
        if part == "reopen":
            line.kind, line.clauses = "reopen", self.condition(text)
            return
        if part == "reactions":
            self._reaction(line, text)
            return
        if part in {"actions", "event", "melee"}:
            if text.endswith(" again"):
                line.again, text = True, text.removesuffix(" again")
            named = re.fullmatch(r"(.*) as ([\w-]+)", text)
            if named:
                text, line.step = named[1], named[2]
        text, iffed, condition = text.partition(" if ")
        if iffed:
            line.clauses = self.condition(condition)
        if part == "counters":
            match = self._match(r"counter with (\S+)(?: limit (\d+))?", text)
            line.kind = "counter"
            line.args = {"with": self._among(match[1], self.people), "limit": match[2] or "1"}
        elif part == "draw":
            self._draw(line, text)
        elif part == "keep":
            match = self._match(r"(play|refuse)(?: releasing (\S+))?", text)
            if match[1] == "refuse" and match[2]:
                raise UnreadableError
            line.kind = match[1]
            if match[2]:
                line.args["release"] = self._among(match[2], self.people)
        else:
            self._act(line, part, text)

    def _match(self, pattern: str, text: str) -> re.Match[str]:
        match = re.fullmatch(pattern, text)
        if match is None:
            raise UnreadableError
        return match

    def _at(self, text: str) -> list[list[str]]:
        found = [[self._among(word.strip(), self.targets) for word in one.split(" or ")] for one in text.split(",")]
        if math.prod(map(len, found)) > MOST_AIMS:
            raise UnreadableError
        return found

    def _reaction(self, line: Line, text: str) -> None:
        match = self._match(r"on (\S+)(?: of (\S+))?(?: if (.+))? play (\S+)(?: at (.+))?", text)
        line.kind = "react"
        line.args = {"when": self._among(match[1], TRIGGERS), "card": self._among(match[4], self.cards)}
        if match[2]:
            line.clauses.append(Clause(("hits", (self._among(match[2], self.targets),))))
        if match[3]:
            line.clauses += self.condition(match[3])
        if match[5]:
            line.at = self._at(match[5])

    def _draw(self, line: Line, text: str) -> None:
        if text.startswith("trade "):
            match = self._match(r"trade (\S+), (\S+) for (action|character)", text)
            line.kind = "trade"
            line.args = {
                "first": self._among(match[1], self.cards),
                "second": self._among(match[2], self.cards),
                "take": match[3],
            }
            return
        match = self._match(r"draw (action|character) by (\S+)", text)
        line.kind = "draw"
        line.args = {"take": match[1], "by": self._among(match[2], self.people | {"base", "slot"})}

    def _act(self, line: Line, part: str, text: str) -> None:
        first = text.partition(" ")[0]
        where = {
            "pass": {"actions", "event", "melee"}, "join": {"event"}, "prince": {"event"}, "play": {"actions", "event", "melee"},
            "use": {"actions", "event"}, "draw": {"actions"}, "attack": {"actions"}, "assist": {"melee"},
            "ask": {"actions", "event", "melee"}, "enough": {"event"}, "unturn": {"actions"},
        }.get(first, set())  # fmt: skip
        if part not in where:
            raise UnreadableError
        line.kind = first
        text, ated, targets = text.partition(" at ")
        if ated:
            if first not in {"play", "use"}:
                raise UnreadableError
            line.at = self._at(targets)
        match first:
            case "pass" | "ask" | "unturn":
                self._match(first, text)
            case "enough":
                match = self._match(r"enough (.+) for (\S+)", text)
                line.helpers = [self._among(one.strip(), self.people | {"prince"}) for one in match[1].split(",")]
                line.args = {"pool": self._among(match[2], self.pools)}
            case "join":
                match = self._match(r"join (\S+) for (\S+)", text)
                line.args = {"who": self._among(match[1], self.people), "pool": self._among(match[2], self.pools)}
            case "prince":
                line.args = {"pool": self._among(self._match(r"prince for (\S+)", text)[1], self.pools)}
            case "play":
                line.args = {"card": self._among(self._match(r"play (\S+)", text)[1], self.cards)}
            case "use":
                match = self._match(r"use (\S+)(?: (\S+))?", text)
                line.args = {"who": self._among(match[1], self.people)}
                if match[2]:
                    line.args["ability"] = self._among(match[2], self.abilities)
            case "draw":
                line.args = {"who": self._among(self._match(r"draw with (\S+)", text)[1], self.people)}
            case "attack":
                match = self._match(r"attack (\S+) with (\S+)", text)
                line.args = {"whom": self._among(match[1], self.people), "who": self._among(match[2], self.people)}
            case "assist":
                match = self._match(r"assist (attack|defence) with (\S+)", text)
                line.args = {"side": match[1], "who": self._among(match[2], self.people)}

    def condition(self, text: str) -> list[Clause]:
        parts = re.split(r"\s+and\s+", text.strip())
        if len(parts) > MOST_CLAUSES:
            raise UnreadableError
        return [self._clause(part) for part in parts]

    def _clause(self, text: str) -> Clause:
        match = re.fullmatch(r"(.+?)\s*(<=|>=|!=|=|<|>)\s*(.+)", text)
        if match:
            return Clause(left=self._number(match[1]), operator=match[2], right=self._number(match[3]))
        up = not text.startswith("not ")
        return Clause(flag=self._term(text.removeprefix("not ").strip(), FLAGS), up=up)

    def _number(self, text: str) -> tuple[str, tuple[str, ...], int] | int:
        if re.fullmatch(r"-?\d+", text):
            return int(text)
        match = re.fullmatch(r"(.+?)\s*([+-])\s*(\d+)", text)
        if match:
            return (*self._term(match[1], NUMBERS), int(match[3]) * (1 if match[2] == "+" else -1))
        return (*self._term(text, NUMBERS), 0)

    def _term(self, text: str, known: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        match = re.fullmatch(r"(\w+)(?:\((.*)\)| of (.+))?", text)
        if match is None or match[1] not in known:
            raise UnreadableError
        inside = match[2] or match[3]
        given = tuple(one.strip() for one in inside.split(",")) if inside else ()
        blanks = known[match[1]]
        if len(given) != len(blanks):
            raise UnreadableError
        allowed: Mapping[str, Iterable[str]] = {
            "X": self.princes | {"me"}, "P": self.people, "C": self.cards, "T": self.people | self.cards,
            "V": self.targets, "K": KEYWORDS,
        }  # fmt: skip
        for blank, one in zip(blanks, given, strict=True):
            if blank != "W":
                self._among(one, allowed[blank])
        return match[1], given


# Things in progress ---------------------------------------------------------------------------------------------------


@dataclass
class Lot:
    """Tokens in a pool."""

    pool: str
    amount: int
    seat: str
    source: str | None


@dataclass
class Contention:
    """An Event phase in progress."""

    event: str
    chosen: dict[str, str] = field(default_factory=dict)
    lots: list[Lot] = field(default_factory=list)
    joined: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)
    free: set[str] = field(default_factory=set)
    acts: Counter[str] = field(default_factory=Counter)


@dataclass
class Fight:
    """A melee in progress."""

    attacker: str
    defender: str
    lots: list[Lot] = field(default_factory=list)


@dataclass
class Chances:
    """A ring of an Event or a melee while it runs: successive passes, and acts."""

    passes: int = 0
    acts: Counter[str] = field(default_factory=Counter)


@dataclass
class Occasion:
    """Origin of a reaction ring or a spellcasting: the `by`, `card`, `hits` and `spell` of conditions."""

    trigger: str
    cause: str
    card: str | None = None
    hits: tuple[str, ...] = ()
    spell: bool = False
    victim: str | None = None
    """The character that the trigger is about (HR-86)."""
    loser: str | None = None
    """The seat about to lose favor."""
    shielded: bool = False
    depth: int | None = None
    came: set[str] = field(default_factory=set)
    """Effects of the reactions: `cancel`, `shield`."""


@dataclass
class Drawing:
    """A Draw phase in progress."""

    fresh: int
    used: int = 0
    drawn: list[str] = field(default_factory=list)
    last: str | None = None
    refused: bool = False
    based: bool = False
    keeping: bool = False


@dataclass
class Working:
    """A card, an ability or an Event whose steps are in progress."""

    me: str
    card: str
    bound: dict[str, str]
    spell: bool = False
    cause: str = ""
    bearer: str | None = None
    event: bool = False
    result: dict[str, Any] = field(default_factory=dict)
    tucked: bool = False
    occasion: Occasion | None = None


@dataclass
class Judged:
    """Result of a turn."""

    position: Data
    verdicts: Counter[tuple[str, str, bool]]
    """Seat, line, whether it was carried out."""
    winners: tuple[str, ...] | None
    """Seats that won, if the game is over."""
    seen: Counter[str]
    """Kinds of events, so that a sample can list its contents."""


class Judge:
    """One turn."""

    def __init__(self, data: Data, sheets: Mapping[str, Data], dice: Dice) -> None:
        self.p = copy.deepcopy(data)
        self.sheets = sheets
        self.dice = dice
        self.seen: Counter[str] = Counter()
        self.ring: list[str] = list(self.p["ring"])
        self.players: dict[str, Data] = self.p["players"]
        for player in self.players.values():
            player["hand"] = list(player.get("hand") or ())
        self.court: dict[str, Data] = self.p["court"]
        for one in self.court.values():
            one["turned"] = bool(one.get("turned"))
            one["tucked"] = list(one.get("tucked") or ())
            one["home"] = one.get("home")
        self.decks = {name: self._deck(self.p[name]) for name in ("characters", "actions")}
        for key in ("row", "killed", "events", "past", "middle"):
            self.p[key] = list(self.p.get(key) or ())
        self.changes: list[Data] = [dict(one) for one in self.p.get("changes") or ()]
        self.standing: dict[str, Data] = {seat: dict(kept) for seat, kept in (self.p.get("standing") or {}).items()}
        self.seat_of = {player["prince"]: seat for seat, player in self.players.items()}
        self.reader = Reader(self.seat_of)
        self.lines: list[Line] = []
        self.unread: list[tuple[str, str]] = []
        self.on: Contention | None = None
        self.fight: Fight | None = None
        self.chances: Chances | None = None
        self.picks = 0
        self.deep = 0
        self.plans: dict[tuple[str, str], list[Line]] = {}
        self.guests: set[str] = set()
        """Newcomers that no default release picks."""
        self.winners: tuple[str, ...] | None = None
        self.again = False
        """True if the Event was reopened."""
        settings = self.p.get("settings") or {}
        self.all_draw = settings.get("draws", "active") == "all"
        self.choice_window = settings.get("choice", "window") == "window"
        self.may_rise = settings.get("unturn", "after") == "either"
        self.resumed: Data = dict(self.p.get("underway") or {}) if self.p["phase"] == "stopped" else {}
        """The stopped run, in the window that continues it."""
        self.same_chance = bool(self.resumed)
        """True if the next chance is the one that stopped the run (HA-W-21)."""
        self.last: str | None = None
        """Seat that acted last in the current or latest ring."""
        self.half = 0
        """Number of half-worked cards: those with steps left behind the current one."""
        self.started_by: tuple[str | None, bool] = (None, False)
        """The card that started the melee, and whether it is a Spell."""

    @staticmethod
    def _deck(data: Data) -> Deck:
        return Deck(
            pile=tuple(data.get("pile") or ()),
            discards=tuple(data.get("discards") or ()),
            shuffles=data.get("shuffles", 0),
        )

    # Seats ------------------------------------------------------------------------------------------------------------

    @property
    def active(self) -> str:
        return str(self.p["active"])

    def prince(self, seat: str) -> str:
        return str(self.players[seat]["prince"])

    def popularity(self, seat: str) -> int:
        return int(cards().princes[self.prince(seat)]["popularity"])

    def left(self, seat: str) -> str:
        return self.ring[(self.ring.index(seat) + 1) % len(self.ring)]

    def around(self, first: str) -> list[str]:
        at = self.ring.index(first)
        return self.ring[at:] + self.ring[:at]

    def somebody(self, seat: str, word: str) -> str:
        """Seat of the player that `me` or a Prince means."""
        return seat if word == "me" else self.seat_of[word]

    # Characters -------------------------------------------------------------------------------------------------------

    def is_prince(self, who: str) -> bool:
        return who in cards().princes

    def held(self, seat: str) -> list[str]:
        """Characters that a seat controls, without the Prince."""
        return sorted(who for who, one in self.court.items() if one["by"] == seat and not self.is_prince(who))

    def steps_on(self, who: str, *, for_words: bool = False) -> Iterator[Data]:
        """Parts `while` of cards that affect a character, each a primitive with its parameters."""
        for card in self.court[who]["tucked"]:
            known = cards()
            event = known.events.get(card)
            parts = event["lasting"]["while"] if event else known.action(card).get("while", [])
            for part in parts:
                yield part
        for card in self.p["middle"]:
            for part in cards().events[card]["lasting"]["while"]:
                ((_, given),) = part.items()
                match = re.fullmatch(r"each\(\[([^\]]*)\]\)", given["target"])
                assert match
                if for_words and "stat" in part:
                    continue
                if self.fits(words(match[1]), who, self.active_or_first()):
                    yield part

    def active_or_first(self) -> str:
        return str(self.p.get("active") or self.ring[0])

    def keywords(self, who: str) -> set[str]:
        found = {*cards().people[who]["keywords"]}
        gone: set[str] = set()
        if who not in self.court:
            return found
        for part in self.steps_on(who, for_words=True):
            if "keyword" in part:
                (found if part["keyword"]["mode"] == "add" else gone).add(part["keyword"]["word"])
        for change in self.changes:
            if change["of"] == who and change.get("keyword"):
                (found if change.get("mode", "add") == "add" else gone).add(change["keyword"])
        return found - gone

    def rating(self, who: str, skill: str) -> int:
        value = int(cards().people[who][skill])
        if who in self.court:
            for part in self.steps_on(who):
                if "stat" in part and part["stat"]["skill"] == skill:
                    value += part["stat"]["n"]
            for change in self.changes:
                if change["of"] == who and change.get("skill") == skill:
                    value += change.get("n", 0)
        return max(0, value)

    def wizard(self, seat: str) -> bool:
        return any(
            one["by"] == seat and not one["turned"] and "Wizard" in self.keywords(who)
            for who, one in self.court.items()
        )

    # Pools and results ------------------------------------------------------------------------------------------------

    @property
    def event(self) -> Data:
        assert self.on
        return cards().events[self.on.event]

    @property
    def contest(self) -> bool:
        return bool(self.event["type"] == "contest")

    @property
    def mandatory(self) -> bool:
        return self.contest and bool(self.event.get("mandatory"))

    def pool_of(self, seat: str, word: str) -> str | None:
        """Pool that a word means in this Event, if there is one."""
        if self.on is None:
            return None
        if self.contest:
            if word == "me":
                return self.prince(seat)
            return word if word in self.seat_of else None
        return word if word in {"support", "oppose"} else None

    def open(self, seat: str, pool: str) -> bool:
        """True if a player may feed a pool (HA-J-3)."""
        if not self.contest or self.mandatory:
            return True
        owner = self.seat_of[pool]
        assert self.on
        return owner == seat or owner in self.on.inside

    def tokens(self, pool: str) -> int:
        assert self.on
        return sum(lot.amount for lot in self.on.lots if lot.pool == pool)

    def inside(self, seat: str) -> bool:
        assert self.on
        return self.mandatory or seat in self.on.inside

    def feed(self, seat: str, pool: str, amount: int, source: str | None) -> None:
        assert self.on
        if amount <= 0:
            return
        self.on.lots.append(Lot(pool, amount, seat, source))
        self.participate(seat, pool)

    def participate(self, seat: str, pool: str) -> None:
        assert self.on
        if self.contest and self.seat_of[pool] == seat:
            self.on.inside.add(seat)

    def contest_result(self) -> tuple[str | None, str | None]:
        """Winner and loser if the contest closed now (HA-J-9 to HA-J-14)."""
        there = [seat for seat in self.ring if self.mandatory or (self.inside(seat) and self.tokens(self.prince(seat)))]
        if not there:
            return None, None
        winner = max(there, key=lambda seat: (self.tokens(self.prince(seat)), self.popularity(seat)))
        loser = min(there, key=lambda seat: (self.tokens(self.prince(seat)), self.popularity(seat)))
        return winner, (loser if len(there) > 1 else None)

    def passing(self) -> bool:
        return self.tokens("support") > self.tokens("oppose")

    def has_its_way(self, pool: str, seat: str, more: int) -> bool:
        """True if a pool would prevail if it closed now with so many more tokens of this player."""
        assert self.on
        if not self.contest:
            ahead = self.tokens("support") - self.tokens("oppose") + (more if pool == "support" else -more)
            return (ahead > 0) is (pool == "support")
        lots, inside = list(self.on.lots), set(self.on.inside)
        self.feed(seat, pool, more, None)
        won: bool = self.contest_result()[0] == self.seat_of[pool]
        self.on.lots, self.on.inside = lots, inside
        return won

    def need(self, seat: str) -> int:
        """Tokens that the player's pool lacks to win, or Support lacks to pass."""
        pool = self.prince(seat) if self.contest else "support"
        return next(more for more in itertools.count() if self.has_its_way(pool, seat, more))

    def given(self, seat: str, pool: str) -> int:
        assert self.on
        return sum(lot.amount for lot in self.on.lots if lot.pool == pool and lot.seat == seat)

    def outcome(self) -> dict[str, Any]:
        """Winner and loser, or success and the seats on each side (HA-K-5, HA-K-6, HR-84)."""
        if self.contest:
            winner, loser = self.contest_result()
            return {"winner": winner, "loser": loser}
        found: dict[str, Any] = {"success": self.passing()}
        for name, pool, other in (("supporter", "support", "oppose"), ("opponent", "oppose", "support")):
            side = [seat for seat in self.ring if self.given(seat, pool) > self.given(seat, other)]
            found[name + "s"] = side
            found["chief-" + name] = max(
                side, key=lambda seat: (self.given(seat, pool), self.popularity(seat)), default=None
            )
        return found

    def pile(self, side: str) -> int:
        """A pile of the melee (HA-H-5, HA-H-16)."""
        assert self.fight
        principal = self.fight.attacker if side == "attack" else self.fight.defender
        start = self.rating(principal, "combat") if principal in self.court else 0
        return start + sum(lot.amount for lot in self.fight.lots if lot.pool == side)

    # Conditions -------------------------------------------------------------------------------------------------------

    def holds(self, line: Line, now: Occasion | None = None, drawing: Drawing | None = None) -> bool:
        return all(self._clause_holds(line, clause, now, drawing) for clause in line.clauses)

    def _clause_holds(self, line: Line, clause: Clause, now: Occasion | None, drawing: Drawing | None) -> bool:
        if clause.flag is not None:
            up = self._flag(line, *clause.flag, now, drawing)
            self.asked(line, clause.flag[0], now, "nothing" if up is None else str(up).lower())
            return up is not None and up is clause.up
        sides: list[int] = []
        for side in (clause.left, clause.right):
            if isinstance(side, int):
                sides.append(side)
                continue
            name, given, more = side
            value = self._number(line.seat, name, given, now, drawing)
            self.asked(line, name, now, "nothing" if value is None else "a number")
            if value is None:
                return False
            sides.append(value + more)
        return bool(COMPARE[clause.operator](*sides))

    def asked(self, line: Line, name: str, now: Occasion | None, answer: str) -> None:
        self.seen[f"{line.part}{f' at {now.trigger}' if now else ''} asks {name}: {answer}"] += 1

    def _number(
        self, me: str, name: str, given: tuple[str, ...], now: Occasion | None, drawing: Drawing | None
    ) -> int | None:
        who = self.somebody(me, given[0]) if given and NUMBERS[name] == "X" else me
        match name:
            case "favor":
                return int(self.players[who]["favor"])
            case "hand":
                return len(self.players[who]["hand"])
            case "chars":
                return len(self.held(who))
            case "ready":
                return sum(not self.court[one]["turned"] for one in self.held(who))
            case "events_left":
                return len(self.p["events"])
            case "turn":
                return int(self.p["turn"])
            case "sup" | "opp" if self.on and not self.contest:
                return self.tokens("support" if name == "sup" else "oppose")
            case "pool" if self.on and self.contest:
                return self.tokens(self.prince(who))
            case "best_other" if self.on and self.contest:
                return max(self.tokens(self.prince(seat)) for seat in self.ring if seat != me)
            case "least_in" if self.on and self.contest:
                others = [seat for seat in self.ring if seat != me and self.inside(seat)]
                return min((self.tokens(self.prince(seat)) for seat in others), default=99)
            case "need" if self.on:
                return self.need(me)
            case "tokens" if self.on:
                return sum(lot.amount for lot in self.on.lots if lot.source == given[0])
            case "strength" if self.on:
                one = self.court.get(given[0])
                why = "absent" if one is None else "turned" if one["turned"] else "barred"
                if one and not one["turned"] and self.admitted(given[0]):
                    return self.strength(given[0])
                self.seen[f"no strength: {why}"] += 1
                return 0
            case "passes" if self.chances:
                return self.chances.passes
            case "acts" if self.chances:
                return self.chances.acts[who]
            case "atk" if self.fight:
                return self.pile("attack")
            case "def" if self.fight:
                return self.pile("defence")
            case "drawn" if drawing:
                return len(drawing.drawn)
            case "pol" | "com" if drawing and drawing.last and (drawing.keeping or RATINGS_IN_DRAW):
                return self.rating(drawing.last, "politics" if name == "pol" else "combat")
            case "depth" if now and now.depth is not None:
                return now.depth
        return None

    def _flag(
        self, line: Line, name: str, given: tuple[str, ...], now: Occasion | None, drawing: Drawing | None
    ) -> bool | None:
        me = line.seat
        one = given[0] if given else ""
        match name:
            case "turned":
                return one in self.court and bool(self.court[one]["turned"])
            case "in_play":
                return one in self.court
            case "mine":
                return one in self.court and self.court[one]["by"] == me
            case "held":
                return one in self.court and self.court[one]["by"] == self.somebody(me, given[1])
            case "have":
                return self.copy_in_hand(me, one) is not None
            case "in" if self.on and self.contest:
                return self.inside(self.somebody(me, one))
            case "winning" | "losing" if self.on and self.contest:
                return self.contest_result()[name == "losing"] == self.somebody(me, one)
            case "passing" if self.on and not self.contest:
                return self.passing()
            case "target" if self.on:
                return self.itself(me, one) in self.on.chosen.values()
            case "attacker" | "defender" if self.fight:
                principal = self.fight.attacker if name == "attacker" else self.fight.defender
                return self.is_or_controls(me, one, (principal,))
            case "drew" if drawing:
                return any(title(one) == title(card) for card in drawing.drawn)
            case "has" if drawing and drawing.last:
                return one in self.keywords(drawing.last)
            case "by" if now:
                return now.cause == self.somebody(me, one)
            case "card" if now:
                return now.card is not None and title(one) == title(now.card)
            case "hits" if now:
                return self.is_or_controls(me, one, now.hits)
            case "spell" if now:
                return now.spell
            case "shielded" if now:
                return now.shielded
            case "joined" if self.on:
                return one in self.on.joined
            case "free" if self.on:
                return self.somebody(me, one) not in self.on.free
            case "done" if line.part in {"actions", "event", "melee"}:
                return any(step.used for step in self.plans.get((me, line.part), ()) if step.step == one)
        return None

    def itself(self, me: str, word: str) -> str:
        return self.prince(me) if word == "me" else word

    def is_or_controls(self, me: str, word: str, those: Sequence[str]) -> bool:
        word = self.itself(me, word)
        if word in those:
            return True
        seat = self.seat_of.get(word)
        return seat is not None and any(one in self.court and self.court[one]["by"] == seat for one in those)

    # Targets ----------------------------------------------------------------------------------------------------------

    def fits(self, filter_: Sequence[str], value: str, me: str) -> bool:
        """True if something matches a filter, as a player sees it."""
        if "pool" in filter_:
            return self.pool_of(me, value) == value and self.open(me, value)
        if "player" in filter_:
            seat = self.seat_of.get(value)
            return (
                seat is not None and not ("other" in filter_ and seat == me) and not ("mine" in filter_ and seat != me)
            )
        if "equipment" in filter_:
            return any(value in one["tucked"] for one in self.court.values()) and value in cards().copies
        one = self.court.get(value)
        if one is None:
            return False
        for word in filter_:
            ok = True
            match word:
                case "mine":
                    ok = one["by"] == me
                case "other":
                    ok = one["by"] != me
                case "prince":
                    ok = self.is_prince(value)
                case "not-prince":
                    ok = not self.is_prince(value)
                case "turned":
                    ok = one["turned"]
                case "unturned":
                    ok = not one["turned"]
                case "joined":
                    ok = self.on is not None and value in self.on.joined
                case "any":
                    pass
                case _:
                    ok = word.removeprefix("keyword:") in self.keywords(value)
            if not ok:
                return False
        return True

    def meant(self, me: str, filter_: Sequence[str], word: str) -> str:
        """Meaning of a word behind `at`."""
        if "pool" in filter_:
            return self.pool_of(me, word) or word
        if "equipment" in filter_ and word in cards().actions:
            there = sorted(
                card
                for one in self.court.values()
                for card in one["tucked"]
                if card in cards().copies and title(card) == word
            )
            return there[0] if there else word
        return self.itself(me, word)

    def bind(self, me: str, effect: Sequence[Data], at: Sequence[str]) -> dict[str, str] | None:
        """Targets of an effect by name; None if there are too few or one does not fit."""
        asked = asks(effect)
        if len(at) < len(asked):
            return None
        bound: dict[str, str] = {}
        for (name, filter_), word in zip(asked, at, strict=False):
            value = self.meant(me, filter_, word)
            if not self.fits(filter_, value, me):
                return None
            bound[name] = value
        return bound

    def lawful(self, me: str, card: str, effect: Sequence[Data], bound: Mapping[str, str]) -> bool:
        """Conditions that no filter expresses: no second copy under one bearer (HA-B-9), a melee between two players (HA-H-4)."""
        for step in effect:
            if "attach" in step:
                bearer = self.target(step["attach"]["target"], bound)
                if bearer and any(title(other) == title(card) for other in self.court[bearer]["tucked"]):
                    return False
            if "melee" in step:
                attacker = self.target(step["melee"]["attacker"], bound)
                defender = self.target(step["melee"]["defender"], bound)
                if not attacker or not defender or self.court[attacker]["by"] == self.court[defender]["by"]:
                    return False
        return True

    def target(self, text: str, bound: Mapping[str, str]) -> str | None:
        """The one thing that a selector names."""
        match = CHOOSE.fullmatch(text)
        return bound.get(match[1] if match else text)

    def still(self, me: str, effect: Sequence[Data], bound: Mapping[str, str]) -> bool:
        """True if every named target still fits (HA-O-11, HR-19)."""
        return all(self.fits(filter_, bound[name], me) for name, filter_ in asks(effect) if name in bound)

    # Hands and decks --------------------------------------------------------------------------------------------------

    def copy_in_hand(self, seat: str, card: str) -> str | None:
        """Card of the hand that a CARD means: the lowest id of a title (HR-25)."""
        hand = self.players[seat]["hand"]
        return min((one for one in hand if card in {one, title(one)}), default=None)

    def draw_actions(self, seat: str, count: int) -> list[str]:
        drawn = draw(self.decks["actions"], count, self.dice, "actions")
        self.decks["actions"] = drawn.deck
        self.players[seat]["hand"] += drawn.cards
        if drawn.reshuffled:
            self.seen["reshuffled actions"] += 1
        if len(drawn.cards) < count:
            self.seen["drew nothing"] += 1
        return list(drawn.cards)

    def draw_character(self) -> str | None:
        drawn = draw(self.decks["characters"], 1, self.dice, "characters")
        self.decks["characters"] = drawn.deck
        if drawn.reshuffled:
            self.seen["reshuffled characters"] += 1
        return drawn.cards[0] if drawn.cards else None

    def to_discard(self, card: str) -> None:
        self.decks["actions"] = self.decks["actions"].discard(card)

    def throw(self, seat: str, card: str) -> None:
        self.players[seat]["hand"].remove(card)
        self.to_discard(card)

    def throw_by_choice(self, seat: str, count: int) -> None:
        """The owner discards: by the standing list, then the last drawn first."""
        wanted = list(self.standing.get(seat, {}).get("discard") or ())
        for _ in range(min(count, len(self.players[seat]["hand"]))):
            card = None
            while wanted and card is None:  # a title means every copy, as long as it is on the list (L-3)
                card = self.copy_in_hand(seat, wanted[0])
                if card is None:
                    wanted.pop(0)
            self.throw(seat, card or self.players[seat]["hand"][-1])

    def throw_at_random(self, seat: str, count: int) -> None:
        hand = self.players[seat]["hand"]
        self.picks += 1
        for card in pick(hand, count, self.dice, f"pick:{self.picks}"):
            self.throw(seat, card)

    # Leaving play, and the limit of five --------------------------------------------------------------------------------

    def leave(self, who: str, *, killed: bool) -> None:
        one = self.court.pop(who)
        for card in one["tucked"]:
            if card in cards().events:
                self.p["past"].append(card)
            else:
                self.to_discard(card)
        if killed:
            self.p["killed"].append(who)
        else:
            self.decks["characters"] = self.decks["characters"].discard(who)
        self.changes = [change for change in self.changes if change["of"] != who]
        for field_ in (self.on, self.fight):
            if field_ is not None:
                field_.lots = [lot for lot in field_.lots if lot.source != who]
        if self.on:
            self.on.joined.discard(who)
            if who in self.on.chosen.values():
                self.seen["chosen one gone"] += 1
        self.seen["killed" if killed else "discarded"] += 1
        if one["tucked"]:
            self.seen["left with something tucked"] += 1

    def own(self, seat: str) -> list[str]:
        """Characters that count against five: those a seat holds and has not borrowed (HR-85)."""
        return [who for who in self.held(seat) if not self.court[who]["home"]]

    def release_one(self, seat: str, *, barred: Iterable[str], spared: Iterable[str], first: Sequence[str] = ()) -> str:
        """Character to release when a seat has a sixth (HA-M-9): by its list, otherwise the lowest. Never a barred one; a
        spared one only as the last resort."""
        there = [who for who in self.own(seat) if who not in barred]
        for who in (*first, *(self.standing.get(seat, {}).get("release") or ())):
            if who in there:
                return str(who)
        lowest = [who for who in there if who not in spared] or there
        return min(
            lowest,
            key=lambda who: (self.rating(who, "politics") + self.rating(who, "combat"), cards().people[who]["name"]),
        )

    def enforce(self) -> None:
        for seat in self.around(self.active_or_first()):
            while len(self.own(seat)) > MOST:
                self.seen["limit of five"] += 1
                self.leave(self.release_one(seat, barred=(), spared=self.guests), killed=False)

    # Spells and reactions ---------------------------------------------------------------------------------------------

    def spell(self, caster: str, card: str, bound: Mapping[str, str]) -> bool:
        """Spellcasting (2.E SPELL): whether the spell works."""
        now = Occasion("spell", caster, card, tuple(bound.values()), spell=True, depth=0)
        self.seen["spell"] += 1
        top, passes, at = caster, 0, self.left(caster)
        depth = 0
        while passes < len(self.ring):
            entry = None if top == at else self._counter(at, now)
            if entry is None:
                passes += 1
            else:
                entry.used += 1
                entry.done = True
                self.court[entry.args["with"]]["turned"] = True
                passes, top, depth = 0, at, depth + 1
                now.depth = depth
                self.seen["counter" if depth == 1 else "counter to a counter"] += 1
            at = self.left(at)
        return depth % 2 == 0

    def _counter(self, seat: str, now: Occasion) -> Line | None:
        for line in self.plan(seat, "counters"):
            one = self.court.get(line.args["with"])
            if (
                self.holds(line, now)
                and one
                and one["by"] == seat
                and not one["turned"]
                and "Wizard" in self.keywords(line.args["with"])
                and line.used < int(line.args["limit"])
            ):
                return line
        return None

    def react(self, now: Occasion) -> set[str]:
        """Run a reaction ring (2.E REACT); return its effects."""
        if self.deep >= MOST_DEEP:
            self.seen["too deep"] += 1
            return set()
        self.deep += 1
        self.seen["ring " + now.trigger] += 1
        self.seen[f"rings {self.deep} deep"] += 1
        stack: list[tuple[str, str, dict[str, str]]] = []
        passes, at = 0, self.left(now.cause)
        while passes < len(self.ring):
            found = self._reaction(at, now)
            if found is None:
                passes += 1
            else:
                passes = 0
                line, card, bound = found
                line.spent = line.done = True
                self.players[at]["hand"].remove(card)
                what = cards().action(card)
                self.players[at]["favor"] -= what.get("cost", {}).get("favor", 0)
                self.seen["reaction " + title(card)] += 1
                if what["spell"]:
                    works = self.spell(at, card, bound)
                else:
                    works = "cancel" not in self.react(Occasion("card_played", at, card, tuple(bound.values())))
                if works:
                    stack.append((at, card, bound))
                    now.shielded = now.shielded or any("shield" in step for step in what["effect"])
                else:
                    self.seen["reaction stopped"] += 1
                    self.to_discard(card)
            at = self.left(at)
        self.deep -= 1
        if len(stack) > 1:
            self.seen["several reactions in a ring"] += 1
        for seat, card, bound in reversed(stack):
            effect = cards().action(card)["effect"]
            if self.still(seat, effect, bound):
                self.work(
                    effect, Working(seat, card, bound, spell=cards().action(card)["spell"], cause=seat, occasion=now)
                )
            self.to_discard(card)
        return now.came

    def _reaction(self, seat: str, now: Occasion) -> tuple[Line, str, dict[str, str]] | None:
        for line in self.plan(seat, "reactions"):
            if line.spent or line.args["when"] != now.trigger or not self.holds(line, now):
                continue
            card = self.copy_in_hand(seat, line.args["card"])
            if card is None:
                continue
            what = cards().action(card)
            if now.trigger not in what.get("trigger", ()):
                continue
            if what["spell"] and not self.wizard(seat):
                continue
            if what.get("cost", {}).get("favor", 0) > self.players[seat]["favor"]:
                continue
            for number, at in enumerate(itertools.product(*line.at)):
                bound = self._answer(seat, what["effect"], at, now)
                if bound is not None:
                    self.aimed(line, number)
                    return line, card, bound
        return None

    def _answer(self, seat: str, effect: Sequence[Data], at: Sequence[str], now: Occasion) -> dict[str, str] | None:
        """Targets of a reaction, if it can have these."""
        asked = asks(effect)
        if asked and now.victim and not {"pool", "player"} & {*asked[0][1]} and not at:
            at = [now.victim]
        bound = self.bind(seat, effect, at)
        if bound is None:
            return None
        if now.victim and any(
            not {"pool", "player"} & {*filter_} and bound[name] != now.victim for name, filter_ in asked
        ):
            return None
        shields = [step["shield"] for step in effect if "shield" in step]
        if shields and not any(self._shields(seat, shield, bound, now) for shield in shields):
            return None
        return bound

    def aimed(self, line: Line, number: int) -> None:
        if any(len(some) > 1 for some in line.at):
            self.seen[f"{line.part}: {'a later' if number else 'the first'} of several targets taken"] += 1

    def _shields(self, me: str, shield: Data, bound: Mapping[str, str], now: Occasion) -> bool:
        kind = {"kill_pending": "kill", "dismiss_pending": "dismiss", "turn_forced": "turn", "favor_loss": "favor_loss"}
        if kind.get(now.trigger) != shield["from"]:
            return False
        if shield["from"] == "favor_loss":
            return shield["target"] == "me" and now.loser == me
        return self.target(shield["target"], bound) == now.victim

    # Effects ----------------------------------------------------------------------------------------------------------

    def work(self, effect: Sequence[Data], working: Working) -> None:
        for at, step in enumerate(effect, 1):
            ((name, part),) = step.items()
            half = at < len(effect)
            self.half += half
            self._primitive(name, part, working)
            self.enforce()
            self.half -= half

    def who(self, text: str, working: Working) -> list[str]:
        """Players that a selector names, clockwise from P."""
        around = self.around(self.active)
        me = working.me
        result = working.result
        match text:
            case "me":
                return [me]
            case "active":
                return [self.active]
            case "all":
                return around
            case "others":
                return [seat for seat in around if seat != me]
            case "left":
                return [self.left(me)]
            case "right":
                return [self.around(me)[-1]]
            case "winner" | "loser" | "chief-supporter" | "chief-opponent":
                one = result.get(text)
                return [one] if one else []
            case "supporters" | "opponents":
                return [seat for seat in around if seat in result.get(text, ())]
        if text.startswith("controller("):
            target = self.target(text[len("controller(") : -1], working.bound)
            return [self.court[target]["by"]] if target and target in self.court else []
        target = self.target(text, working.bound)
        return [self.seat_of[target]] if target else []

    def each(self, text: str, working: Working) -> list[str]:
        """Characters that a selector names."""
        match = re.fullmatch(r"each\(\[([^\]]*)\]\)", text)
        if match:
            around = self.around(self.active)
            there = [who for who in self.court if self.fits(words(match[1]), who, working.me)]
            return sorted(there, key=lambda who: (around.index(self.court[who]["by"]), who))
        if text == "self":
            return [working.bearer] if working.bearer else []
        target = self.target(text, working.bound)
        return [target] if target and target in self.court else []

    def source(self, text: str, working: Working) -> list[Lot]:
        """The tokens of a chosen card, the latest first."""
        assert text.startswith("source(")
        target = self.target(text[len("source(") : -1], working.bound)
        assert self.on
        return [lot for lot in reversed(self.on.lots) if lot.source is not None and lot.source == target]

    def pending(self, trigger: str, working: Working, who: str | None = None, loser: str | None = None) -> bool:
        """Open a ring before a thing happens; True if it happens."""
        hits = (who,) if who else (self.prince(loser),) if loser else ()
        card, spell = (working.card or None, working.spell) if PENDING_TELLS_CARD else (None, False)
        now = Occasion(trigger, working.cause, card, hits, spell=spell, victim=who, loser=loser)
        saved = "shield" in self.react(now)
        if saved:
            self.seen["saved from " + trigger] += 1
        return not saved

    def _primitive(self, name: str, part: Data, working: Working) -> None:
        me = working.me
        self.seen["primitive " + name] += 1
        match name:
            case "favor":
                if working.event:
                    self.seen[f"Event {'pays' if part['n'] > 0 else 'takes from'} {part['who']}"] += 1
                for seat in self.who(part["who"], working):
                    if part["n"] >= 0:
                        self.players[seat]["favor"] += part["n"]
                    elif self.players[seat]["favor"] > 0 and self.pending("favor_loss", working, loser=seat):
                        self.players[seat]["favor"] = max(0, self.players[seat]["favor"] + part["n"])
            case "favor_move":
                for giver in self.who(part["from"], working):
                    for taker in self.who(part["to"], working):
                        if giver == taker and not SELF_MOVE_IS_LOSS:
                            continue
                        if self.players[giver]["favor"] > 0 and self.pending("favor_loss", working, loser=giver):
                            moved = min(part["n"], self.players[giver]["favor"])
                            self.players[giver]["favor"] -= moved
                            self.players[taker]["favor"] += moved
            case "draw":
                for seat in self.who(part["who"], working):
                    self.draw_actions(seat, part["n"])
            case "discard_hand":
                for seat in self.who(part["who"], working):
                    if part["pick"] == "random":
                        self.throw_at_random(seat, part["n"])
                    else:
                        self.throw_by_choice(seat, part["n"])
            case "stat" | "keyword":
                for who in self.each(part["target"], working):
                    change: Data = {str(key): part[key] for key in ("skill", "n", "mode", "until") if key in part}
                    if "word" in part:
                        change["keyword"] = part["word"]
                    self.changes.append({"of": who, **change})
            case "support":
                pool = self.target(part["pool"], working.bound)
                if pool and self.on:
                    self.feed(me, pool, part["n"], None)
            case "strip":
                rest = part["n"]
                lots = self.source(part["from"], working)
                self.seen[f"stripped {len(lots)} lots"] += 1
                if lots and self.is_prince(str(lots[0].source)):
                    self.seen["stripped a Prince"] += 1
                for lot in lots:
                    taken = min(rest, lot.amount)
                    lot.amount -= taken
                    rest -= taken
                assert self.on
                self.on.lots = [lot for lot in self.on.lots if lot.amount]
            case "redirect":
                pool = self.target(part["pool"], working.bound)
                if pool:
                    lots = self.source(part["from"], working)
                    self.seen[f"redirected {len(lots)} lots"] += 1
                    for lot in lots:
                        lot.pool = pool
                        self.participate(me, pool)
            case "turn":
                for who in self.each(part["target"], working):
                    if not self.court[who]["turned"] and self.pending("turn_forced", working, who):
                        self.court[who]["turned"] = True
            case "unturn":
                for who in self.each(part["target"], working):
                    self.court[who]["turned"] = False
            case "kill" | "dismiss":
                for who in self.each(part["target"], working):
                    if who not in self.court or self.is_prince(who):
                        continue
                    if self.pending(f"{name}_pending", working, who):
                        self.leave(who, killed=name == "kill")
            case "control":
                for who in self.each(part["target"], working):
                    for taker in self.who(part["to"], working):
                        self._control(who, taker, part.get("until") or ("game" if working.event else "turn"))
            case "attach":
                for who in self.each(part["target"], working):
                    self.court[who]["tucked"].append(working.card)
                    working.tucked = True
            case "detach":
                card = self.target(part["card"], working.bound)
                for one in self.court.values():
                    if card in one["tucked"]:
                        one["tucked"].remove(card)
                        self.to_discard(str(card))
            case "melee":
                attacker = self.target(part["attacker"], working.bound)
                defender = self.target(part["defender"], working.bound)
                if attacker in self.court and defender in self.court:
                    assert attacker
                    assert defender
                    self.melee(working.cause, attacker, defender, working)
            case "cancel":
                if working.occasion:
                    working.occasion.came.add("cancel")
            case "shield":
                if working.occasion and self._shields(me, part, working.bound, working.occasion):
                    working.occasion.came.add("shield")
            case "peek":
                pass
            case _:
                raise AssertionError(name)

    def _control(self, who: str, taker: str, until: str) -> None:
        one = self.court[who]
        if self.is_prince(who):
            return
        if one["by"] == taker and not one["home"]:
            return
        if until == "turn":
            one["home"] = one["home"] or one["by"]
            if one["home"] == taker:
                one["home"] = None
        else:
            if one["home"]:
                self.seen["borrowed one won for good"] += 1
            one["home"] = None
        one["by"] = taker
        self.guests = {who}
        self.enforce()
        self.guests = set()

    # Melee ------------------------------------------------------------------------------------------------------------

    def melee(self, cause: str, attacker: str, defender: str, by: Working | None) -> None:
        self.seen["melee by " + (title(by.card) if by else "a Fighter")] += 1
        self.court[attacker]["turned"] = True
        self.fight = Fight(attacker, defender)
        outer, self.chances = (
            self.chances,
            Chances(acts=Counter()),
        )  # W-12: a melee is a phase from its declaration to its end
        card, spell = (by.card, by.spell) if by and PENDING_TELLS_CARD else (None, False)
        self.started_by = card, spell
        self.react(Occasion("melee_declared", cause, card, (attacker, defender), spell=spell, victim=defender))
        for seat in self.ring:
            for line in self.plan(seat, "melee"):
                line.used = 0
        self.run_ring(self.court[defender]["by"], "melee")
        self._fought(outer)

    def melee_goes_on(self, brawl: Data) -> None:
        """Resume a stopped melee at the chance where it stopped."""
        self.seen["melee goes on after a stop" + (" (by a card)" if brawl.get("card") else "")] += 1
        self.fight = Fight(
            brawl["attacker"],
            brawl["defender"],
            [Lot(one["pool"], one["amount"], one["seat"], one.get("source")) for one in brawl.get("lots") or ()],
        )
        self.started_by = brawl.get("card"), bool(brawl.get("spell"))
        self.chances = Chances(acts=Counter(brawl.get("acts") or {}))
        self.run_ring(self.resumed["next"], "melee", passes=self.resumed.get("passes") or 0)
        self._fought(None)

    def _fought(self, outer: Chances | None) -> None:
        """The end of a melee."""
        assert self.fight
        attacker, defender = self.fight.attacker, self.fight.defender
        card, spell = self.started_by
        if attacker in self.court and defender in self.court:
            ahead = self.pile("attack") > self.pile("defence")
            self.seen["melee won" if ahead else "melee lost"] += 1
            loser = defender if ahead else attacker
            now = Occasion("kill_pending", self.active, card, (loser,), spell=spell, victim=loser)
            if "shield" in self.react(now):
                self.seen["saved from kill_pending"] += 1
            else:
                self.leave(loser, killed=True)
                self.enforce()
        self.fight, self.chances = None, outer

    # Plans and rings --------------------------------------------------------------------------------------------------

    def plan(self, seat: str, part: str) -> list[Line]:
        key = (seat, part)
        if key not in self.plans:
            sheet = self.sheets.get(seat, {})
            fresh = sheet.get(part)
            texts = self.standing.get(seat, {}).get(part) or () if part in STANDING else fresh or ()
            carried: Sequence[int] = ()
            if self.resumed and fresh is None:
                # After a stop a plan goes on as it was (HA-W-22).
                kept = (self.p.get("filed") or {}).get(seat) or {}
                if part not in STANDING:
                    texts = kept.get(part) or ()
                if part in {"actions", "event"}:
                    carried = kept.get("done") or ()
                elif part == "melee":
                    carried = kept.get("fought") or ()
            self.plans[key] = self.read(seat, part, texts, counted=fresh is not None)
            for line in self.plans[key]:
                line.used = int(line.number in carried)
        return self.plans[key]

    def read(self, seat: str, part: str, texts: Sequence[str], *, counted: bool) -> list[Line]:
        found: list[Line] = []
        for at, text in enumerate(texts):
            line = self.reader.read(seat, part, text) if at < MOST_LINES else None
            if line is None:
                if counted:
                    self.unread.append((seat, text))
                continue
            line.counted = counted
            line.number = at
            self.lines.append(line)
            found.append(line)
        return found

    def run_ring(self, first: str, part: str, passes: int = 0, last: str | None = None) -> str | None:
        """RING (2.E): return the seat that acted last, if any did. Its counts stay until the phase is over (2.B: on the closed state)."""
        chances = self.chances
        assert chances is not None
        chances.passes = passes
        at, count = first, 0
        self.last = last
        while chances.passes < len(self.ring) and count < MOST_ACTS:
            act = self.next_act(at, part)
            if act is None:
                chances.passes += 1
            else:
                if PASSES_RESET_FIRST:
                    chances.passes = 0
                chances.acts[at] += 1
                last = self.last = at
                count += 1
                act()
                chances.passes = 0
                if part == "melee":
                    assert self.fight
                    if self.fight.attacker not in self.court or self.fight.defender not in self.court:
                        break
            at = self.left(at)
        return last

    def next_act(self, seat: str, part: str) -> Any:
        same_chance, self.same_chance = self.same_chance, False
        for line in self.plan(seat, part):
            if not self.holds(line):
                continue
            if line.used and not line.again and line.kind != "enough":
                if self.resumed and not line.done and line.kind != "ask":
                    self.seen[f"{part}: passed over what was carried out before the stop"] += 1
                continue
            if line.kind == "ask":
                self._ask(seat, line, same_chance)
                continue
            if line.kind == "pass":
                line.done = True  # but never for `done(...)`: a pass is not used up
                return None
            act = self.act(seat, line, part)
            if act is not None:
                line.used += 1
                line.done = True
                self.seen[f"{part}: {line.kind}"] += 1
                return act
        return None

    def _ask(self, seat: str, line: Line, same_chance: bool) -> None:
        """Stop the run, if that is possible (HA-W-21)."""
        if same_chance or self.half or not self.players[seat]["reopenings"]:
            why = "at the same chance" if same_chance else "with a card half worked" if self.half else "without a token"
            self.seen[f"{line.part}: asked {why}"] += 1
            return
        self.players[seat]["reopenings"] -= 1
        line.used += 1
        line.done = True
        assert line.part != "melee" or self.fight
        how = " by a card" if line.part == "melee" and self.started_by[0] else ""
        where = " once reopened" if self.again else ""
        self.seen[f"stopped in {line.part}{how}{where}{' again' if self.resumed else ''}"] += 1
        raise StopError(seat)

    def act(self, seat: str, line: Line, part: str) -> Any:
        """Act of a line as a callable if it is legal now; otherwise None."""
        match line.kind:
            case "join":
                return self._join(seat, line)
            case "prince":
                return self._free(seat, line)
            case "enough":
                return self._enough(seat, line)
            case "play":
                return self._play(seat, line, {"actions": "action"}.get(part, part))
            case "use":
                return self._use(seat, line, {"actions": "action"}.get(part, part))
            case "draw":
                who = line.args["who"]
                if not self.ready(seat, who) or self.is_prince(who):
                    return None
                return lambda: self._draw_with(seat, who)
            case "attack":
                who, whom = line.args["who"], line.args["whom"]
                if not self.ready(seat, who) or self.is_prince(who) or "Fighter" not in self.keywords(who):
                    return None
                if whom not in self.court or self.is_prince(whom) or self.court[whom]["by"] == seat:
                    return None
                return lambda: self.melee(seat, who, whom, None)
            case "assist":
                return self._assist(seat, line)
            case "unturn":
                if not self.may_rise or self.p.get("risen"):
                    self.seen["cannot unturn " + ("again" if self.may_rise else "without the house rule")] += 1
                    return None
                return lambda: self._rise(seat)
        raise AssertionError(line.kind)

    def ready(self, seat: str, who: str) -> bool:
        return who in self.court and self.court[who]["by"] == seat and not self.court[who]["turned"]

    def _rise(self, seat: str) -> None:
        """P may unturn before the Event, and not after it (HA-L-11)."""
        turned = [one for one in self.court.values() if one["by"] == seat and one["turned"]]
        how = "nobody turned" if not turned else "somebody borrowed" if any(one["home"] for one in turned) else "some"
        self.seen[f"unturned before the Event: {how}{' after a stop' if self.resumed else ''}"] += 1
        for one in turned:
            one["turned"] = False
        self.p["risen"] = True

    def _draw_with(self, seat: str, who: str) -> None:
        self.court[who]["turned"] = True
        self.draw_actions(seat, 1)

    def _assist(self, seat: str, line: Line) -> Any:
        assert self.fight
        who, side = line.args["who"], line.args["side"]
        if not self.ready(seat, who) or self.is_prince(who) or who in {self.fight.attacker, self.fight.defender}:
            return None
        amount = self.rating(who, "combat")
        if amount < 1:
            return None

        def act() -> None:
            assert self.fight
            if any(lot.source == who for lot in self.fight.lots):
                self.seen["assisted again"] += 1
            self.court[who]["turned"] = True
            self.fight.lots.append(Lot(side, amount, seat, who))

        return act

    def may_join(self, seat: str, who: str) -> bool:
        return self.ready(seat, who) and self.admitted(who)

    def admitted(self, who: str) -> bool:
        """True if the Event admits a character, by its rating and its keywords."""
        if self.rating(who, self.event["skill"]) < 1:
            return False
        limit = self.event.get("limit")
        if limit:
            has = self.keywords(who)
            free = limit.get("unless") in has
            if "only" in limit and limit["only"] not in has and not free:
                return False
            if "bar" in limit and limit["bar"] in has and not free:
                return False
        return True

    def _join(self, seat: str, line: Line) -> Any:
        who = line.args["who"]
        pool = self.pool_of(seat, line.args["pool"])
        if pool is None or not self.open(seat, pool) or not self.may_join(seat, who):
            return None

        def act() -> None:
            assert self.on
            assert pool
            amount = self.strength(who)
            if who in self.on.joined:
                self.seen["joined again"] += 1
            self.court[who]["turned"] = True
            self.on.joined.add(who)
            self.feed(seat, pool, amount, who)
            self.react(Occasion("joined", seat, None, (who,), victim=who))

        return act

    def strength(self, who: str) -> int:
        """Tokens of a character that joins (HA-I-5)."""
        amount = self.rating(who, self.event["skill"])
        has = self.keywords(who)
        if "Money" in self.event["themes"] and "Wealthy" in has:
            amount += 2
        bonus = self.event.get("bonus")
        if bonus and bonus["keyword"] in has:
            amount += bonus["n"]
        return amount

    def _enough(self, seat: str, line: Line) -> Any:
        """Only as many as a pool needs to prevail (HA-W-24)."""
        pool = self.pool_of(seat, line.args["pool"])
        if pool is None or self.has_its_way(pool, seat, 0):
            self.seen["enough: it has its way" if pool else "enough: no such pool"] += 1
            return None
        there: dict[str, tuple[int, Any]] = {}
        for who in line.helpers:
            act = (
                self._free(seat, Line(seat, "", "event", args={"pool": pool}))
                if who == "prince"
                else self._join(seat, Line(seat, "", "event", args={"who": who, "pool": pool}))
            )
            if act is not None:
                there[who] = (2 if who == "prince" else self.strength(who), act)
        alone = [one for one in there.values() if self.has_its_way(pool, seat, one[0])]
        whose = "" if not self.contest else " for me" if self.seat_of[pool] == seat else " for another"
        if alone:
            self.seen[f"enough{whose}: the fewest of {min(3, len(alone))}"] += 1
            tokens, act = min(alone, key=lambda one: one[0])
            if sum(one[0] == tokens for one in alone) > 1:
                self.seen["enough: of as many tokens the one named first"] += 1
            if self.mandatory:
                self.seen["enough in a Mandatory Contest"] += 1
            if self.contest and self.tokens(pool) + tokens in {
                self.tokens(other) for other in self.seat_of if other != pool
            }:
                self.seen["enough: a tie won by popularity"] += 1
            return act
        if there and self.has_its_way(pool, seat, sum(one[0] for one in there.values())):
            self.seen[f"enough{whose}: the most"] += 1
            return max(there.values(), key=lambda one: one[0])[1]
        self.seen[f"enough{whose}: nobody{'' if there else ' there'}"] += 1
        return None

    def _free(self, seat: str, line: Line) -> Any:
        assert self.on
        pool = self.pool_of(seat, line.args["pool"])
        if pool is None or seat in self.on.free or not self.open(seat, pool):
            return None

        def act() -> None:
            assert self.on
            assert pool
            self.on.free.add(seat)
            self.feed(seat, pool, 2, None)

        return act

    def _play(self, seat: str, line: Line, phase: str) -> Any:
        card = self.copy_in_hand(seat, line.args["card"])
        if card is None:
            return None
        what = cards().action(card)
        if phase not in what["phases"] or (what["spell"] and not self.wizard(seat)):
            return None
        cost = what.get("cost", {})
        if cost.get("favor", 0) > self.players[seat]["favor"]:
            return None
        payers: list[str] = []
        if "turn" in cost:
            payers = [who for who in sorted(self.court) if self.fits(cost["turn"], who, seat)]
            if not payers:
                return None
        asked = len(asks(what["effect"]))
        for all_serve in (True, False):  # readings that use every named word come first (HA-W-25)
            for number, words_ in enumerate(itertools.product(*line.at)):
                at = list(words_)
                payer: str | None = payers[0] if payers else None
                named = next((word for word in at if self.itself(seat, word) in payers), None)
                if named:
                    payer = self.itself(seat, named)
                    if len(at) > asked:
                        at.remove(named)
                if all_serve and len(at) > asked:
                    continue
                bound = self.bind(seat, what["effect"], at)
                if bound is not None and self.lawful(seat, card, what["effect"], bound):
                    self.aimed(line, number)
                    if number and payer and all_serve:
                        self.seen["a later way taken, in which all that is named serves"] += 1
                    return functools.partial(self._played, seat, card, payer, bound)
        return None

    def _played(self, seat: str, card: str, payer: str | None, bound: dict[str, str]) -> None:
        what = cards().action(card)
        self.seen["played " + title(card)] += 1
        self.players[seat]["hand"].remove(card)
        self.players[seat]["favor"] -= what.get("cost", {}).get("favor", 0)
        if payer:
            self.court[payer]["turned"] = True
        if what["spell"]:
            works = self.spell(seat, card, bound)
            if not works:
                self.seen["countered"] += 1
        else:
            works = "cancel" not in self.react(Occasion("card_played", seat, card, tuple(bound.values())))
            if not works:
                self.seen["cancelled"] += 1
        working = Working(seat, card, bound, spell=what["spell"], cause=seat)
        if works:
            if self.still(seat, what["effect"], bound):
                try:
                    self.work(what["effect"], working)
                except StopError:
                    self.to_discard(card)  # between two windows every card must be somewhere
                    raise
            else:
                self.seen["target vanished"] += 1
        if not working.tucked:
            self.to_discard(card)

    def _use(self, seat: str, line: Line, phase: str) -> Any:
        who = line.args["who"]
        if not self.ready(seat, who):
            return None
        for ability in cards().people[who].get("abilities", ()):
            if line.args.get("ability", ability["id"]) != ability["id"] or phase not in ability["phases"]:
                continue
            for number, at in enumerate(itertools.product(*line.at)):
                bound = self.bind(seat, ability["effect"], at)
                if bound is not None:
                    self.aimed(line, number)
                    return functools.partial(self._used, seat, who, ability, bound)
        return None

    def _used(self, seat: str, who: str, ability: Data, bound: dict[str, str]) -> None:
        self.seen["used " + who] += 1
        self.court[who]["turned"] = True
        self.work(ability["effect"], Working(seat, "", bound, cause=seat, bearer=who))

    # Windows ----------------------------------------------------------------------------------------------------------

    def run(self) -> Judged:
        for seat, sheet in self.sheets.items():
            for part in STANDING:
                if sheet.get(part) is not None:
                    self.standing.setdefault(seat, {})[part] = list(sheet[part])
        match self.p["phase"]:
            case "auction":
                self.auction()
            case "main":
                self.main()
            case "choice":
                self.p["chosen"] = self.choose(self.sheets.get(self.active, {}).get("choice") or {})
                self.p["phase"] = "event"
            case "stopped" if self.p.get("event") is None:
                self.main()
            case _:
                self.event_window()
        return self.finish()

    def finish(self) -> Judged:
        p = self.p
        for seat in self.ring:
            spent = [line.text for line in self.plans.get((seat, "reactions"), ()) if line.spent]
            if spent:
                rest = list(self.standing[seat]["reactions"])
                for line in self.plans[seat, "reactions"]:
                    if line.spent:
                        rest.remove(line.text)
                self.standing[seat]["reactions"] = rest
        p["standing"] = self.standing
        p["changes"] = self.changes
        for name, deck in self.decks.items():
            p[name] = {"pile": list(deck.pile), "discards": list(deck.discards), "shuffles": deck.shuffles}
        for seat, sheet in self.sheets.items():
            for part in ("actions", "event", "melee", "reactions", "counters", "reopen"):
                if sheet.get(part) is not None:
                    self.plan(seat, part)
                    if self.resumed and part in {"actions", "event", "melee"}:
                        asker = "the asker" if seat == self.resumed.get("asked") else "another"
                        self.seen[f"new list of {part} after a stop by {asker}"] += 1
            for part in ("draw", "keep"):
                if sheet.get(part) is not None and (seat, part) not in self.plans:
                    self.plans[seat, part] = self.read(seat, part, sheet[part], counted=True)
        verdicts: Counter[tuple[str, str, bool]] = Counter(
            (line.seat, line.text, line.done)
            for line in self.lines
            if (line.counted or (line.done and line.part in {*STANDING, "actions", "event"})) and line.kind != "reopen"
        )
        verdicts.update((seat, text, False) for seat, text in self.unread)
        return Judged(p, verdicts, self.winners, self.seen)

    # The auction (2.F)

    def auction(self) -> None:
        p = self.p
        caps: dict[str, int] = {}
        for seat in self.ring:
            most = self.sheets.get(seat, {}).get("bid", "pass")
            caps[seat] = -1 if most == "pass" else min(most, self.players[seat]["favor"])
        order = self.around(p["right"])
        high: tuple[int, str] | None = None
        still = set(order)
        at = 0
        while still and not (high and still == {high[1]}):
            seat = order[at % len(order)]
            at += 1
            if seat not in still or (high and high[1] == seat):
                continue
            least = high[0] + 1 if high else 0
            if least <= caps[seat]:
                high = (least, seat)
            else:
                still.discard(seat)
        price, winner = high or (0, p["right"])
        self.seen["bid won" if high else "nobody bid"] += 1
        self.players[winner]["favor"] -= price
        people = cards().people
        default = sorted(
            p["row"], key=lambda who: (-people[who]["politics"] - people[who]["combat"], people[who]["name"])
        )
        for seat in self.around(winner):
            wishes = [*self.sheets.get(seat, {}).get("wishes", ()), *default]
            taken = next((who for who in wishes if who in p["row"]), None)
            if taken is None:
                break
            p["row"].remove(taken)
            self.court[taken] = {"by": seat, "turned": False, "tucked": [], "home": None}
        self.decks["characters"] = self.decks["characters"].discard(*p["row"])
        p["row"] = []
        p["right"] = self.around(winner)[-1]
        if p["round"] < 5:
            p["round"] += 1
            row = draw(self.decks["characters"], 5 if len(self.ring) == 3 else 6, self.dice, "characters")
            self.decks["characters"] = row.deck
            p["row"] = sorted(row.cards)
            return
        for seat in self.ring:
            self.draw_actions(seat, 3)
        p["right"] = None
        p["round"] = 0
        p["turn"] = 1
        p["phase"] = "main"
        p["active"] = max(self.ring, key=lambda seat: (self.players[seat]["favor"], self.popularity(seat)))
        self.draw_phases({seat: self.sheets.get(seat, {}) for seat in self.ring})

    def main(self) -> None:
        try:
            if self.resumed.get("brawl"):
                self.melee_goes_on(self.resumed["brawl"])
            act = self.next_act(self.active, "actions")
            count = 0
            while act is not None and count < MOST_ACTS:
                act()
                count += 1
                act = self.next_act(self.active, "actions")
        except StopError as stop:
            self.stopped(stop.seat)
            return
        p = self.p
        p["underway"], p["filed"] = None, {}
        p["event"] = p["events"].pop(0)
        self.react(Occasion("event_revealed", self.active))
        p["phase"], p["chosen"] = "event", {}
        if self.choice_window:
            if any(len(those) > 1 for those in self.choices().values()):
                self.seen["choice in a window"] += 1
                p["phase"] = "choice"
            else:
                p["chosen"] = self.choose({})

    def stopped(self, seat: str) -> None:
        """Stop the run, and keep everything that the next window needs to continue (HA-W-21, HA-W-22)."""
        p, on, fight = self.p, self.on, self.fight
        filed = self.filed() if on else {}
        for one in self.ring:
            kept: Data = {}
            for part in ("event", "reopen") if on else ("actions",):
                fresh = self.sheets.get(one, {}).get(part)
                before = ((p.get("filed") or {}).get(one) or {}).get(part) if self.resumed else None
                kept[part] = before if fresh is None else list(fresh)
            kept["done"] = [line.number for line in self.plan(one, "event" if on else "actions") if line.used]
            if fight:
                kept["fought"] = [line.number for line in self.plan(one, "melee") if line.used]
            filed.setdefault(one, {}).update({key: value for key, value in kept.items() if value is not None})
        p["filed"] = filed
        p["phase"] = "stopped"
        assert self.chances or not (on or fight)
        under: Data = {
            "next": seat,
            "asked": seat,
            "passes": self.chances.passes if self.chances else 0,
            "stops": ((p.get("underway") or {}).get("stops") or 0) + 1,
        }
        if on:
            under |= self.contended() | {"last": self.last, "again": self.again}
        if fight:
            assert self.chances
            under["brawl"] = {
                "attacker": fight.attacker,
                "defender": fight.defender,
                "lots": [vars(lot) for lot in fight.lots],
                "acts": {who: n for who, n in self.chances.acts.items() if n},
                "card": self.started_by[0],
                "spell": self.started_by[1],
            }
        p["underway"] = under

    def contended(self) -> Data:
        """An Event in progress, as a position shows it."""
        assert self.on
        self.p["chosen"] = dict(self.on.chosen)
        return {
            "lots": [vars(lot) for lot in self.on.lots],
            "joined": sorted(self.on.joined),
            "inside": sorted(self.on.inside),
            "free": sorted(self.on.free),
            "acts": {who: n for who, n in self.on.acts.items() if n},
        }

    # The Event

    def choices(self) -> dict[str, list[str]]:
        """Values that the Event lets P choose from (HA-W-3)."""
        found: dict[str, list[str]] = {}
        for name, filter_ in (cards().events[self.p["event"]].get("choice") or {}).items():
            everything = sorted(self.seat_of) if "player" in filter_ else sorted(self.court)
            found[name] = [value for value in everything if self.fits(filter_, value, self.active)]
        return found

    def choose(self, wanted: Mapping[str, Any]) -> dict[str, str]:
        """Choice of P: the first legal wish for each name (HA-W-9)."""
        chosen: dict[str, str] = {}
        for name, those in self.choices().items():
            wishes = wanted.get(name) or ()
            for word in (*((wishes,) if isinstance(wishes, str) else wishes), *those):
                value = self.itself(self.active, word)
                if value in those:
                    chosen[name] = value
                    break
            else:
                self.seen["no choice"] += 1
        return chosen

    def under(self) -> Contention:
        """An Event that was stopped or reopened."""
        p = self.p
        under = p["underway"]
        return Contention(
            p["event"],
            dict(p.get("chosen") or {}),
            # Empty lots may remain in the data; moving them would not be participation (HA-J-4).
            [
                Lot(one["pool"], one["amount"], one["seat"], one.get("source"))
                for one in under.get("lots") or ()
                if one["amount"]
            ],
            set(under.get("joined") or ()),
            set(under.get("inside") or ()),
            set(under.get("free") or ()),
            Counter(under.get("acts") or {}),
        )

    def event_window(self) -> None:
        p = self.p
        reopened = p["phase"] == "reopened"
        self.again = reopened or bool(self.resumed.get("again"))
        self.on = Contention(p["event"])
        first = self.active
        if reopened or self.resumed:
            self.on = self.under()
            first = p["underway"]["next"]
        elif self.choice_window:
            self.on.chosen = dict(p.get("chosen") or {})
        else:
            self.on.chosen = self.choose(self.sheets.get(self.active, {}).get("choice") or {})
        self.chances = Chances(acts=self.on.acts)
        try:
            last = self.run_ring(first, "event", self.resumed.get("passes") or 0, self.resumed.get("last"))
        except StopError as stop:
            self.stopped(stop.seat)
            return
        filed = self.filed()
        if not self.again and self._reopened(last, filed):
            return
        p["filed"], p["underway"], p["chosen"] = {}, None, {}
        self.seen[f"{'reopened ' if self.again else ''}{self.on.event}"] += 1
        self.settle()
        self.on = self.chances = None
        self.end_of_turn(filed)

    def filed(self) -> dict[str, Data]:
        found: dict[str, Data] = {}
        for seat in self.ring:
            sheet = self.sheets.get(seat)
            before = (self.p.get("filed") or {}).get(seat) or {}
            kept = {key: before[key] for key in ("draw", "keep", "unturn", "end") if key in before}
            if sheet is not None:
                for key in ("draw", "keep", "unturn"):
                    if sheet.get(key) is not None:
                        kept[key] = sheet[key]
                kept["end"] = bool(sheet.get("end"))
            if any(value is not None for value in kept.values()):
                found[seat] = kept
        return found

    def _reopened(self, last: str | None, filed: dict[str, Data]) -> bool:
        assert self.on
        for seat in self.around(self.active):
            texts = self.sheets.get(seat, {}).get("reopen")
            if texts is None and self.resumed:
                texts = ((self.p.get("filed") or {}).get(seat) or {}).get("reopen")
            if texts is None or not self.players[seat].get("reopenings"):
                continue
            lines = self.plan(seat, "reopen")
            if len(lines) < len(texts) or not all(self.holds(line) for line in lines):
                continue
            if not self.has_act(seat):
                self.seen["no act left to reopen with"] += 1
                continue
            for line in lines:
                line.done = True
            self.players[seat]["reopenings"] -= 1
            self.seen["reopened" + (" after a stop" if self.resumed else "")] += 1
            self.p["phase"] = "reopened"
            self.p["filed"] = filed
            self.p["underway"] = self.contended() | {
                "next": self.left(last) if last else self.active,
            }
            return True
        return False

    def has_act(self, seat: str) -> bool:
        """True if the rules leave a player any act: a join, the free 2, a card with legal targets, or an ability (HR-4, HR-18)."""
        assert self.on
        if seat not in self.on.free or any(self.may_join(seat, who) for who in self.court):
            return True
        for card in self.players[seat]["hand"]:
            what = cards().action(card)
            if "event" not in what["phases"] or (what["spell"] and not self.wizard(seat)):
                continue
            if what.get("cost", {}).get("favor", 0) > self.players[seat]["favor"]:
                continue
            if "turn" in what.get("cost", {}) and not any(
                self.fits(what["cost"]["turn"], who, seat) for who in self.court
            ):
                continue
            if self._can_bind(seat, card, what["effect"]):
                return True
        return any(
            "event" in ability["phases"] and self._can_bind(seat, "", ability["effect"])
            for who in self.held(seat)
            if not self.court[who]["turned"]
            for ability in cards().people[who].get("abilities", ())
        )

    def _can_bind(self, seat: str, card: str, effect: Sequence[Data]) -> bool:
        everything = [
            *self.court,
            *self.seat_of,
            "support",
            "oppose",
            *(c for one in self.court.values() for c in one["tucked"]),
        ]
        bound: dict[str, str] = {}
        for name, filter_ in asks(effect):
            fitting = [
                one
                for one in everything
                if self.fits(filter_, one, seat)
                and (
                    one not in self.court
                    or self.lawful(seat, card, [s for s in effect if "attach" in s], bound | {name: one})
                )
            ]
            if not fitting:
                return False
            bound[name] = fitting[0]
        return True

    def settle(self) -> None:
        """The result, reactions to it, the outcome, and the discard of the Event."""
        assert self.on
        event, p = self.event, self.p
        self.react(Occasion("outcome_known", self.active))
        result = self.outcome()
        working = Working(
            self.active, self.on.event, dict(self.on.chosen), cause=self.active, event=True, result=result
        )
        if self.contest:
            done = result["winner"] is not None
            if done:
                self.work(self.reachable(event.get("winner") or ()), working)
            if result["loser"] is not None:
                self.work(self.reachable(event.get("loser") or ()), working)
            self.seen["contest " + ("lost and won" if result["loser"] else "won" if done else "of nobody")] += 1
        else:
            done = bool(result["success"])
            self.work(self.reachable(event["success" if done else "failure"] or ()), working)
            self.seen["success" if done else "failure"] += 1
        p["event"] = None
        lasting = event.get("lasting")
        if not working.tucked:
            if lasting and done and lasting["on_success"] == "middle":
                p["middle"].append(self.on.event)
            else:
                p["past"].append(self.on.event)
        self.changes = [change for change in self.changes if change["until"] != "event"]

    def reachable(self, effect: Sequence[Data]) -> list[Data]:
        return list(effect)

    def end_of_turn(self, filed: Mapping[str, Data]) -> None:
        p = self.p
        for seat in self.around(self.active):
            over = len(self.players[seat]["hand"]) - 5
            if over > 0:
                self.seen["discarded down"] += 1
                self.throw_by_choice(seat, over)
        unturn = filed.get(self.active, {}).get("unturn")
        if p.get("risen"):
            filed_so = "nothing" if unturn is None else unturn if isinstance(unturn, str) else "some"
            self.seen[f"nobody unturned after the Event: {filed_so} filed"] += 1
            unturn = "none"
        p["risen"] = False
        for who, one in self.court.items():
            if one["by"] == self.active and unturn != "none" and (unturn in (None, "all") or who in unturn):
                one["turned"] = False
        self.changes = [change for change in self.changes if change["until"] != "turn"]
        for one in self.court.values():
            if one["home"]:
                one["by"], one["home"] = one["home"], None
                self.seen["went home"] += 1
        self.enforce()
        if not p["events"] or all(filed.get(seat, {}).get("end") for seat in self.ring):
            best = max(self.ring, key=lambda seat: (self.players[seat]["favor"], self.popularity(seat)))
            self.winners = (best,)
            self.p["over"] = True
            return
        p["turn"] += 1
        p["active"] = self.left(self.active)
        p["phase"] = "main"
        self.draw_phases(filed)

    # The Draw phase (1.F)

    def draw_phases(self, filed: Mapping[str, Data]) -> None:
        """Draw phase of P; by the house rule, then everybody's base draw (HA-F-19)."""
        for seat in self.around(self.active) if self.all_draw else [self.active]:
            mine = filed.get(seat, {})
            self.draw_phase(seat, mine.get("draw"), mine.get("keep"))

    def draw_phase(self, seat: str, entries: Sequence[str] | None, keeps: Sequence[str] | None) -> None:
        now = Drawing(fresh=MOST - len(self.own(seat)))
        sheet = self.sheets.get(seat, {})
        self.plans[seat, "keep"] = self.read(seat, "keep", keeps or (), counted=sheet.get("keep") is not None)
        if entries is None:
            slots = now.fresh if seat == self.active else 0
            entries = ["draw action by base", *("draw action by slot" for _ in range(slots))]
            lines = self.read(seat, "draw", entries, counted=False)
        else:
            lines = self.read(seat, "draw", entries, counted=sheet.get("draw") is not None)
        self.plans[seat, "draw"] = lines
        for line in lines:
            if self.holds(line, drawing=now) and self._entitled(seat, line, now):
                line.done = True
                by = line.args.get("by", "trade")
                how = by if by in {"base", "slot", "trade"} else "a character"
                self.seen[f"{'' if seat == self.active else 'another '}drew {line.args['take']} by {how}"] += 1
                self._take(seat, line.args["take"], now)

    def _entitled(self, seat: str, line: Line, now: Drawing) -> bool:
        """Pay for a draw, if it is lawful."""
        if seat != self.active and line.args.get("by") != "base":
            self.seen["another may draw by base alone"] += 1
            return False
        if line.kind == "trade":
            hand = self.players[seat]["hand"]
            exact = [line.args[key] for key in ("first", "second") if "#" in line.args[key]]
            chosen: list[str] = []
            for key in ("first", "second"):
                word = line.args[key]
                free = [card for card in sorted(hand) if card not in chosen and word in {card, title(card)}]
                if KIND_TRADES:
                    free = [card for card in free if card == word or card not in exact]
                if not free:
                    return False
                chosen.append(free[0])
            for card in chosen:
                what = cards().action(card)
                if what["kind"] != "equipment" and not what["spell"]:
                    return False
            for card in chosen:
                self.throw(seat, card)
            return True
        by = line.args["by"]
        if by == "base":
            if now.based:
                return False
            now.based = True
            return True
        if by == "slot":
            if now.fresh < 1:
                return False
            now.fresh -= 1
            now.used += 1
            return True
        if not self.ready(seat, by) or self.is_prince(by):
            return False
        self.court[by]["turned"] = True
        return True

    def _take(self, seat: str, what: str, now: Drawing) -> None:
        if what == "action":
            now.drawn += self.draw_actions(seat, 1)
            return
        who = self.draw_character()
        if who is None:
            self.seen["drew nobody"] += 1
            return
        now.drawn.append(who)
        now.last = who
        room = len(self.own(seat)) < MOST
        now.keeping = True
        order = next((line for line in self.plans[seat, "keep"] if self.holds(line, drawing=now)), None)
        now.keeping = False
        if order and (order.kind == "play" or not now.refused):
            order.done = True
        play = order.kind == "play" if order else room
        if not play and not now.refused:
            now.refused = True
            self.seen["refused"] += 1
            self.decks["characters"] = self.decks["characters"].discard(who)
            return
        if not play:
            self.seen["could not refuse"] += 1
        self.court[who] = {"by": seat, "turned": True, "tucked": [], "home": None}
        if room:
            if now.used:
                now.used -= 1
            else:
                now.fresh -= 1
            return
        first = (order.args["release"],) if order and "release" in order.args else ()
        barred = (who,) if now.refused else ()
        gone = self.release_one(seat, barred=barred, spared=(who,), first=first)
        if gone == who:
            now.refused = True
            self.seen["newcomer released"] += 1
        self.seen["sixth drawn"] += 1
        self.leave(gone, killed=False)


def owed(data: Data) -> set[str]:
    """Seats that owe a sheet in the waiting window (HA-W-23)."""
    one = Judge(data, {}, NamedDice(b"nothing is rolled"))
    p = one.p
    if p.get("over"):
        return set()
    match p["phase"]:
        case "main" | "choice":
            return {one.active}
        case "stopped":
            return {p["underway"]["asked"]}
        case "reopened":
            one.on = one.under()
            return {seat for seat in one.ring if one.players[seat]["hand"] or one.has_act(seat)}
    return {*one.ring}  # in an Event everybody has the free 2 left


def judge(data: Data, sheets: Mapping[str, Data], dice: Dice) -> Judged:
    """The next position and the verdicts of one turn, from plain data."""
    return Judge(data, sheets, dice).run()
