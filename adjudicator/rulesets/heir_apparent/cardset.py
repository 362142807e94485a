"""Reads a card set: checks what every title refers to, and reports all faults at once, each with its line (HA-A-2).

A step may refer to different things in different places: an Event belongs to no player, tokens exist only in an event, and a melee
begins in the Actions phase. A name that a card gives to a choice is known from that step on.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import decode, key_of
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Place, Text, read
from adjudicator.rulesets.heir_apparent.budget import over_budget
from adjudicator.rulesets.heir_apparent.index import SPEAKS
from adjudicator.rulesets.heir_apparent.selectors import (
    PLAYERS,
    WORDS,
    Bearer,
    Choose,
    Chosen,
    Controller,
    Each,
    Filter,
    HandOf,
    Kind,
    Per,
    Player,
    Selector,
    Source,
    TopActions,
    TopEvent,
    Unread,
    read_filter,
    read_selector,
)
from adjudicator.rulesets.heir_apparent.steps import WORDS as STEPS
from adjudicator.rulesets.heir_apparent.steps import (
    Cancel,
    Counted,
    DrawCards,
    Favor,
    FavorMove,
    GiveKeyword,
    Melee,
    Peek,
    Redirect,
    Shield,
    Stat,
    Step,
    Strip,
    Support,
)
from adjudicator.rulesets.heir_apparent.titles import Action, AnyTitle, CardSet, Character, Event, Prince, Trigger

SETS = Path(__file__).parent / "data"
SHIPPED = ("avermark",)
OF_CARD = frozenset({"me", "others", "left", "right"})
"""Players as seen by whoever plays a card. An Event cannot use them, because it belongs to nobody."""
OF_CONTEST = frozenset({"winner", "loser"})
OF_CHALLENGE = frozenset({"supporters", "opponents", "chief-supporter", "chief-opponent"})
PENDING: Mapping[str, Trigger] = {
    "kill": "kill_pending",
    "dismiss": "dismiss_pending",
    "turn": "turn_forced",
    "favor_loss": "favor_loss",
}
"""Danger -> the trigger that a shield against it answers (HA-P-5, HR-16)."""
IN_EVENT = frozenset({"joined", "outcome_known"})
"""Triggers that exist only in an event."""
PARTS = {"contest": ("winner", "loser"), "challenge": ("success", "failure")}
Where = Literal["action", "ability", "event", "while", "lasting"]


@functools.lru_cache(maxsize=16)
def load_cards(source: bytes, path: str) -> CardSet:
    """Reads a card set from its file's bytes; raises `Problems` with all of its faults."""
    text = read(source, path)
    cards = decode(CardSet, text)
    problems = [*faults(cards, text)]
    if problems:
        raise Problems(problems)
    return cards


def shipped_sets() -> tuple[str, ...]:
    """The names of the sets that come with the game."""
    return SHIPPED


@functools.cache
def cards_named(name: str) -> CardSet:
    """The shipped set with this name; raises `Problems` that list the shipped sets if there is none."""
    names = shipped_sets()
    if name not in names:
        raise problem("", f"no card set is called {name!r:.60}", nearest(name, names) or "sets: " + ", ".join(names))
    path = SETS / f"{name}.yaml"
    return load_cards(read_own(path), path.name)


def faults(cards: CardSet, text: Text) -> Iterator[Problem]:
    """All faults of a set that could be read."""
    seen: dict[tuple[str, str], str] = {}
    for place, title in cards.titles():
        for key, told in (("id", title.id), ("name", title.name), ("flavour", title.flavour)):
            if (key, told) in seen:
                yield text.problem((*place, key), f"{seen[key, told]} has the same {key}", "no two cards may share one")
            seen.setdefault((key, told), title.id)
        yield from _Card(title, place, text).faults()
    ids = {title.id for _, title in cards.titles()}
    for place, title in cards.titles():
        for at, name in _choices(title, place):
            if name in ids:
                yield text.problem(at, f"{name!r} names a choice, but also a card", "give the choice another name")
    yield from over_budget(cards, text)


def _choices(title: AnyTitle, place: Place) -> Iterator[tuple[Place, str]]:
    """Every name that a card gives to a choice, with its place."""
    if isinstance(title, Event):
        yield from (((*place, "choice", name), name) for name in title.choice)
    for at, step in _steps_of(title, place):
        for key, _, selector in _selectors(step):
            inner = getattr(selector, "of", selector)
            if isinstance(inner, Choose):
                yield (*at, key), inner.name


def _steps_of(title: AnyTitle, place: Place) -> Iterator[tuple[Place, Step]]:
    """Every step of a card, with its place."""
    parts: list[tuple[Place, Iterable[Step]]] = []
    match title:
        case Action():
            parts = [((*place, "effect"), title.effect), ((*place, "while"), title.while_)]
        case Character():
            parts = [
                ((*place, "abilities", number, "effect"), ability.effect)
                for number, ability in enumerate(title.abilities)
            ]
        case Event():
            parts = [((*place, key), steps) for key, steps in title.outcome.items()]
            if title.lasting is not None:
                parts.append(((*place, "lasting", "while"), title.lasting.while_))
        case Prince():
            pass
    for at, steps in parts:
        yield from (((*at, number), step) for number, step in enumerate(steps))


def _numbers(title: AnyTitle) -> Iterator[int]:
    """Every number that a card's text must state."""
    for _, step in _steps_of(title, ()):
        if len(step.words) == 1 and isinstance(deed := step.deed, Counted):
            yield abs(deed.most)
        yield from (selector.count for _, _, selector in _selectors(step) if isinstance(selector, TopActions))
    if isinstance(title, Action) and title.cost.favor is not None:
        yield title.cost.favor
    if isinstance(title, Event) and title.bonus is not None:
        yield title.bonus.n


def _selectors(step: Step) -> Iterator[tuple[str, str, Selector | Unread]]:
    """Each selector of a step: the parameter, its text, and the selector that was read from it."""
    if len(step.words) != 1:
        return
    deed = step.deed
    for name in SPEAKS:
        told = getattr(deed, name, None)
        if isinstance(told, str) and not (isinstance(deed, Shield) and name == "from_"):
            yield key_of(name), told, read_selector(told)


class _Card:
    """One title, checked from top to bottom, with the choices that it has named so far."""

    def __init__(self, title: AnyTitle, place: Place, text: Text) -> None:
        self.title, self.place, self.text = title, place, text
        self.kind = title.type if isinstance(title, Event) else ""
        self.names: dict[str, Kind] = {}
        self.used: set[str] = set()
        self.found: list[Problem] = []

    def bad(self, place: Place, what: str, right: str) -> None:
        """Records a fault of this card."""
        self.found.append(self.text.problem((*self.place, *place), f"{self.title.id}: {what}", right))

    def faults(self) -> Iterator[Problem]:
        """All faults of this card."""
        match self.title:
            case Action():
                self.action(self.title)
            case Character():
                self.character(self.title)
            case Event():
                self.event(self.title)
            case Prince():
                pass
        if not isinstance(self.title, Prince):
            self.told_numbers()
        yield from self.found

    def told_numbers(self) -> None:
        """Checks that the text states every number of the card, as often as the card has it, and no other number."""
        told = sorted(int(number) for number in re.findall(r"[0-9]+", self.title.text))
        has = sorted(_numbers(self.title))
        if told != has:
            said, meant = (", ".join(map(str, numbers)) or "none" for numbers in (told, has))
            self.bad(
                ("text",),
                f"the text has the numbers {said}, but the card needs {meant}",
                "state each, and no other number",
            )

    # Titles -----------------------------------------------------------------------------------------------------------

    def action(self, card: Action) -> None:
        """Checks an Action card (HA-B-4 to HA-B-14)."""
        if ("reaction" in card.phases) != bool(card.trigger):
            self.bad(
                ("phases",),
                "a reaction must say what sets it off, and no other card may",
                "write both phases: [reaction] and trigger:",
            )
        if len({*card.phases}) < len(card.phases):
            self.bad(("phases",), "a phase is listed twice", "write it once")
        if "reaction" in card.phases and len(card.phases) > 1:
            self.bad(("phases",), "a reaction must not name another phase", "write phases: [reaction]")
        if card.cost.turn is not None:
            found = read_filter(card.cost.turn)
            if isinstance(found, Unread):
                self.bad(("cost", "turn"), found.what, found.right)
            elif not {"mine", "unturned"} <= found.words:
                self.bad(("cost", "turn"), "a cost can turn only one's own unturned character", "add mine and unturned")
        self.steps(("effect",), card.effect, "action", card.phases, card.trigger)
        attached = [number for number, step in enumerate(card.effect) if step.attach is not None]
        if card.kind == "equipment":
            if attached != [0]:
                self.bad(("effect",), "equipment must begin with its only attach", "write attach first, and only once")
            if not card.while_:
                self.bad((), "this equipment does nothing while it is tucked", "write what it does under while:")
        elif attached or card.while_:
            self.bad((), "an effect is discarded, so it cannot use attach or while:", "write kind: equipment")
        self.lasting_steps(("while",), card.while_, "while", "attached")

    def character(self, card: Character) -> None:
        """Checks each ability of a Character, and that it has text if it has abilities, and only then."""
        for number, ability in enumerate(card.abilities):
            self.names, self.used = {}, set()
            if ability.id in {other.id for other in card.abilities[:number]}:
                self.bad(("abilities", number, "id"), f"two abilities are called {ability.id}", "rename one")
            if len({*ability.phases}) < len(ability.phases):
                self.bad(("abilities", number, "phases"), "a phase is listed twice", "write it once")
            self.steps(("abilities", number, "effect"), ability.effect, "ability", ability.phases, ())
        if bool(card.text) != bool(card.abilities):
            self.bad(
                ("text",), "a Character must have text if it has an ability, and only then", "write it, or remove it"
            )

    def event(self, card: Event) -> None:
        """Checks an Event: the parts that its type has, its choice, its outcome, and its lasting effects (HA-J, HA-K)."""
        for kind, parts in PARTS.items():
            for part in parts:
                if kind == card.type and part not in card.outcome:
                    self.bad((), f"a {kind} must have `{part}`", f"add {part}: []")
                elif kind != card.type and part in card.outcome:
                    self.bad((part,), f"a {card.type} has no {part}", f"it has {' and '.join(PARTS[card.type])}")
        if card.type == "contest" and card.mandatory is None:
            self.bad((), "a contest must say whether it is mandatory", "add mandatory: false")
        if card.type == "challenge" and card.mandatory is not None:
            self.bad(("mandatory",), "mandatory has no meaning on a challenge (HA-K-8)", "remove it")
        for name, words in card.choice.items():
            found = read_filter(words)
            if isinstance(found, Unread):
                self.bad(("choice", name), found.what, found.right)
            else:
                self.names[name] = found.kind
            if name in {*PLAYERS, *WORDS}:
                self.bad(
                    ("choice", name),
                    f"{name!r} has a meaning of its own, so it cannot name a choice",
                    "use another word",
                )
        if card.limit is not None and (card.limit.only is None) == (card.limit.bar is None):
            self.bad(("limit",), "a limit must say either who may join or who may not", "write one of only: and bar:")
        for part, steps in card.outcome.items():
            self.steps((part,), steps, "event", (), ())
        self.outcome(card)
        for name in card.choice:
            if name not in self.used:
                self.bad(("choice", name), f"what is chosen as {name} is never used", "use it, or remove it")

    def outcome(self, card: Event) -> None:
        """Checks that an outcome does nothing reserved for played cards, and that the Event's lasting effects are valid."""
        tucked = 0
        for part, steps in card.outcome.items():
            for number, step in enumerate(steps):
                for word in step.words:
                    if word in {"cancel", "shield", "melee", "support", "strip", "redirect"}:
                        self.bad(
                            (part, number, word),
                            f"an outcome cannot use {word}",
                            "leave it to Action cards and abilities",
                        )
                    elif word in {"stat", "keyword"}:
                        self.bad((part, number, word), f"an outcome cannot use {word}", "write it under lasting:")
                    tucked += word == "attach"
        lasting = card.lasting
        if bool(tucked) != (lasting is not None and lasting.on_success == "tucked") or tucked > 1:
            self.bad(
                (),
                "an Event that is tucked must attach itself once, and no other Event may",
                "add attach, or lasting:",
            )
        if lasting is not None:
            where: Where = "while" if lasting.on_success == "tucked" else "lasting"
            self.lasting_steps(("lasting", "while"), lasting.while_, where, "attached" if where == "while" else "game")

    # Steps ------------------------------------------------------------------------------------------------------------

    def steps(
        self, place: Place, steps: Iterable[Step], where: Where, phases: Collection[str], triggers: Collection[str]
    ) -> None:
        """Checks the steps of one part, in order."""
        in_event = where == "event" or (
            {*phases} <= {"event", "reaction"} and ("reaction" not in phases or {*triggers} <= IN_EVENT)
        )
        shields: set[str] = set()
        for number, step in enumerate(steps):
            at = (*place, number)
            if len(step.words) != 1:
                told = " and ".join(step.words) or "nothing"
                self.bad(at, f"a step must do one thing, not {told}", "write one of " + ", ".join(STEPS))
                continue
            for name, told, selector in _selectors(step):
                self.speaks((*at, step.words[0], name), step, name, told, selector, where, in_event=in_event)
            self.numbers((*at, step.words[0]), step)
            if where != "event":
                self.played(at, step, phases, triggers, in_event=in_event)
            if step.shield is not None:
                shields.add(PENDING[step.shield.from_])
        if where == "action" and (shields or {*triggers} & {*PENDING.values()}) and shields != {*triggers}:
            self.unshielded(shields, triggers)

    def unshielded(self, shields: Collection[str], triggers: Collection[str]) -> None:
        """Reports a card whose triggers are not those of its shields, or that has the trigger of a shield but no shield."""
        if shields:
            right = f"write trigger: [{', '.join(sorted(shields))}]"
            self.bad(("trigger",), "a shield must answer exactly what it protects from", right)
        else:
            told = " and ".join(sorted({*triggers} & {*PENDING.values()}))
            self.bad(
                ("trigger",),
                f"only a shield can answer {told}, and this card has none",
                "write another trigger, or add shield",
            )

    def played(
        self, at: Place, step: Step, phases: Collection[str], triggers: Collection[str], *, in_event: bool
    ) -> None:
        """Checks that a step may appear in the phases that its card or ability names."""
        match step.deed:
            case Support() | Strip() | Redirect() if not in_event:
                self.bad(at, f"{step.words[0]} works only in an event, where there are tokens", "write phases: [event]")
            case Melee() if list(phases) != ["action"]:
                self.bad(at, "a melee can begin only in the Actions phase (HA-H-17)", "write phases: [action]")
            case Peek(what="event") if not in_event:
                self.bad(at, "before an event, the top Event is about to be revealed anyway", "write phases: [event]")
            case Cancel() if [*phases] != ["reaction"] or [*triggers] != ["card_played"]:
                self.bad(at, "cancel can answer only card_played", "write trigger: [card_played]")
            case Stat(until=until) | GiveKeyword(until=until) if until not in ("event", "turn"):
                self.bad(
                    at, f"{step.words[0]} in an effect cannot last until {until}", "write until: event or until: turn"
                )
            case DrawCards() if list(phases) != ["action"]:
                self.bad(
                    at,
                    "a card that draws may name only the Actions phase, so that reaction rings end",
                    "write phases: [action]",
                )
            case _:
                pass

    def lasting_steps(self, place: Place, steps: Iterable[Step], where: Where, until: str) -> None:
        """Checks steps that apply while a card is tucked or lies in the middle."""
        for number, step in enumerate(steps):
            at = (*place, number)
            if step.words not in (("stat",), ("keyword",)):
                self.bad(at, "a card that stays in play can change only ratings and keywords", "write stat or keyword")
                continue
            deed = step.deed
            assert isinstance(deed, Stat | GiveKeyword)
            if deed.until != until:
                self.bad((*at, step.words[0], "until"), f"it cannot last until {deed.until}", f"write until: {until}")
            for name, told, selector in _selectors(step):
                self.speaks((*at, step.words[0], name), step, name, told, selector, where, in_event=False)
                wanted = Bearer if where == "while" else Each
                if name == "target" and not isinstance(selector, Unread | wanted):
                    right = "write self" if where == "while" else "write each([WORD, ...])"
                    self.bad((*at, step.words[0], name), f"{told:.80} cannot be the target here", right)
                looks = selector.filter.keywords if isinstance(selector, Each) else frozenset()
                if isinstance(deed, GiveKeyword) and deed.word in looks:
                    self.bad(
                        (*at, step.words[0]), "it changes the keyword that it looks for", "look for another keyword"
                    )
            self.numbers((*at, step.words[0]), step)

    def numbers(self, at: Place, step: Step) -> None:
        """Checks amounts: a whole number must not be 0, and only favor and ratings may go below it; a counted amount needs a maximum."""
        deed = step.deed
        if not isinstance(deed, Counted):
            return
        if isinstance(deed.n, int):
            if deed.n == 0 or (deed.n < 0 and not isinstance(deed, Favor | Stat)):
                self.bad((*at, "n"), f"{deed.n} is out of range", "write 1 or more")
            if deed.max is not None:
                self.bad((*at, "max"), "a fixed number needs no max", "remove max")
        elif deed.max is None:
            self.bad((*at, "n"), f"{deed.n:.80} has no max", "add max")

    # Selectors of steps -----------------------------------------------------------------------------------------------

    def speaks(
        self, at: Place, step: Step, name: str, told: str, selector: Selector | Unread, where: Where, *, in_event: bool
    ) -> None:
        """Checks one parameter: it must be a kind of thing that the step works on, and one that exists here."""
        if isinstance(selector, Unread):
            self.bad(at, selector.what, selector.right)
            return
        wanted = _wanted(step, name)
        if not isinstance(selector, WANTED[wanted]):
            self.bad(at, f"{told:.80} does not name any {wanted}", EXAMPLES[wanted])
            return
        if isinstance(selector, Each) and (step.attach is not None or step.melee is not None):
            self.bad(at, f"{told:.80} may mean more than one", "name one: choose(NAME, [WORD, ...])")
        match selector:
            case Player(word):
                self.player(at, word, where)
            case Choose() | Chosen():
                self.is_kind(at, selector, KIND[wanted], where, in_event=in_event)
            case Controller(of) | Source(of):
                if isinstance(of, Bearer):
                    self.bearer(at, where)
                else:
                    if isinstance(selector, Source) and isinstance(of, Choose) and "joined" not in of.filter.words:
                        self.bad(at, "a character that did not join has no tokens", "add joined")
                    self.is_kind(at, of, "character", where, in_event=in_event)
            case HandOf(of):
                self.hand(at, of, where, in_event=in_event)
            case Each(words) | Per(words):
                if words.kind != "character":
                    self.bad(at, f"each and per take only characters, not {words.kind}", "remove " + words.kind)
                self.fits(at, words, where, in_event=in_event)
            case Bearer():
                self.bearer(at, where)
            case TopActions() | TopEvent():
                pass

    def player(self, at: Place, word: str, where: Where) -> None:
        """Checks that a word for players has a meaning here."""
        missing = (
            (word in OF_CARD and where in ("event", "lasting"))
            or (word in OF_CONTEST and (where, self.kind) != ("event", "contest"))
            or (word in OF_CHALLENGE and (where, self.kind) != ("event", "challenge"))
        )
        if missing:
            here = OF_CARD if where != "event" else OF_CONTEST if self.kind == "contest" else OF_CHALLENGE
            self.bad(at, f"there is no {word} here", "players here: " + ", ".join(sorted({*here, "active", "all"})))

    def hand(self, at: Place, of: Player | Choose | Chosen | Controller, where: Where, *, in_event: bool) -> None:
        """Checks the player whose hand a step looks at."""
        if isinstance(of, Player):
            self.player(at, of.word, where)
        elif isinstance(of, Controller):
            if not isinstance(of.of, Bearer):
                self.is_kind(at, of.of, "character", where, in_event=in_event)
        else:
            self.is_kind(at, of, "player", where, in_event=in_event)

    def bearer(self, at: Place, where: Where) -> None:
        """Checks that `self` has a meaning here."""
        if where not in ("while", "ability"):
            self.bad(
                at,
                "self has a meaning only in an ability or under while:",
                "name a character: choose(NAME, [WORD, ...])",
            )

    def is_kind(self, at: Place, of: Choose | Chosen, kind: Kind, where: Where, *, in_event: bool) -> None:
        """Checks that a choice, made here or before, is of this kind."""
        if isinstance(of, Choose):
            if where in ("event", "lasting", "while"):
                self.bad(at, "an Event, or a card that stays in play, cannot choose here", "in an Event, write choice:")
            elif of.name in self.names:
                self.bad(at, f"two choices are called {of.name!r}", "rename one")
            self.names[of.name] = of.filter.kind
            self.fits(at, of.filter, where, in_event=in_event)
        elif of.name not in self.names or where in ("while", "lasting"):  # lasting effects remember no choices
            self.bad(
                at, f"nothing is chosen as {of.name!r}", nearest(of.name, [*self.names, *PLAYERS]) or EXAMPLES[kind]
            )
            return
        else:
            self.used.add(of.name)
        if self.names[of.name] != kind:
            self.bad(at, f"{of.name!r} is a choice of {self.names[of.name]}, not of {kind}", EXAMPLES[kind])

    def fits(self, at: Place, words: Filter, where: Where, *, in_event: bool) -> None:
        """Checks that a filter's words have a meaning here."""
        if where in ("event", "lasting") and words.words & {"mine", "other"}:
            self.bad(at, "an Event belongs to nobody, so mine and other have no meaning", "write any")
        if "joined" in words.words and not in_event:
            self.bad(at, "nobody has joined anything outside an event", "remove joined, or write phases: [event]")


Wanted = Literal["character", "player", "pool", "equipment", "source", "sight", "number"]
KIND: dict[Wanted, Kind] = {"character": "character", "player": "player", "pool": "pool", "equipment": "equipment"}
WANTED: dict[Wanted, tuple[type[Selector], ...]] = {
    "character": (Choose, Chosen, Each, Bearer),
    "player": (Player, Choose, Chosen, Controller),
    "pool": (Choose, Chosen),
    "equipment": (Choose, Chosen),
    "source": (Source,),
    "sight": (HandOf, TopActions, TopEvent),
    "number": (Per,),
}
"""Kind of parameter -> the selectors that it can be."""
EXAMPLES: dict[str, str] = {
    "character": "write choose(NAME, [WORD, ...]), a name that was chosen, each([WORD, ...]) or self",
    "player": "write a player such as me, choose(NAME, [player, other]) or controller(NAME)",
    "pool": "write choose(NAME, [pool])",
    "equipment": "write choose(NAME, [equipment])",
    "source": "write source(choose(NAME, [other, joined]))",
    "sight": "write hand(choose(NAME, [player, other])), actions(2) or event",
    "number": "write a whole number, or per([WORD, ...]) with max",
}


def _wanted(step: Step, name: str) -> Wanted:
    """The kind of thing that a parameter of a step refers to."""
    deed = step.deed
    match name:
        case "who" | "to":
            return "player"
        case "n":
            return "number"
        case "pool":
            return "pool"
        case "card":
            return "equipment"
        case "what":
            return "sight"
        case "from":
            return "player" if isinstance(deed, FavorMove) else "source"
        case _:
            return "player" if isinstance(deed, Shield) and deed.from_ == "favor_loss" else "character"
