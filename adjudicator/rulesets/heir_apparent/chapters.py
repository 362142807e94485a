"""A game's chapters: the auction, the Events, hands (when the game is over), and all cards with their deeds.

Everything comes from positions and facts as the reader may know them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from adjudicator.core.contract.history import History
from adjudicator.core.contract.pages import Cell, Chapter, Of, Section, Table
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import join_words, many
from adjudicator.mechanics.cards import BACK
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.faces import form_of
from adjudicator.rulesets.heir_apparent.index import index_of, title_of
from adjudicator.rulesets.heir_apparent.picture import kind_of
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT, Phase, Position
from adjudicator.rulesets.heir_apparent.resolve import when
from adjudicator.rulesets.heir_apparent.words import POOLS

Turns = Sequence[Resolution[Position, e.AnyEvent]]


def chapters(turns: Turns, final: Position | None) -> tuple[Chapter, ...]:
    """The chapters of a game, from its turns and its `final` position (None while the game runs)."""
    log = Log(turns, final)
    made = (_auction(log), _events(log), _hands(log), _cards(log))
    return tuple(chapter for chapter in made if chapter is not None)


class Log(History[Position, e.AnyEvent]):
    """A game's turns, with names for players and cards."""

    def __init__(self, turns: Turns, final: Position | None) -> None:
        super().__init__(turns, final, when)
        self.index = index_of(self.last.settings.set)

    def who(self, seat: SeatId) -> str:
        """The name of a player's Prince."""
        return self.index.name(self.last.players[seat].prince)


def _auction(log: Log) -> Chapter | None:
    bids = [*log.facts(e.Bid)]
    if not bids:
        return None
    chose = defaultdict(list)
    for at, fact in log.facts(e.Chose):
        chose[at].append(fact)
    prices = Table(
        "Prices",
        ("Round", "Paid", "By", "Chosen, in order"),
        tuple(
            (log.when(at), bid.price, log.who(bid.seat), join_words(f"{log.index.name(one.character)} ({log.who(one.seat)})" for one in chose[at]))
            for at, bid in bids
        ),
    )  # fmt: skip
    spent = Counter({seat: sum(bid.price for _, bid in bids if bid.seat == seat) for seat in log.last.ring})
    by_seat = Table(
        "Courts",
        ("Prince", "Favor paid", "Characters"),
        tuple(
            (log.who(seat), spent[seat], join_words(log.index.name(one.character) for some in chose.values() for one in some if one.seat == seat))
            for seat in log.last.ring
        ),
    )  # fmt: skip
    about = "Five rounds: the highest bidder paid and chose first, and the others followed clockwise (HA-D)."
    return Chapter("auction", "The auction", about, (Section("Prices and choices", (), (), (prices, by_seat)),))


def _events(log: Log) -> Chapter | None:
    """The story of every Event: its kind, its outcome, and the gains from it."""
    rows: list[tuple[Cell, ...]] = []
    stories = []
    facts: list[e.AnyEvent] = []  # A reopened Event has the facts of both windows.
    for at, turn in enumerate(log.turns):
        facts += turn.events
        settled = next((fact for fact in turn.events if isinstance(fact, e.Settled)), None)
        if settled is None:
            facts = facts if turn.position.event is not None else []
            continue
        event = log.index.events[settled.name]
        stories.append(_story(log, facts, settled))
        pools = ", ".join(f"{_pool(log, pool)} {tokens}" for pool, tokens in settled.pools.items())
        rows.append(
            (
                log.when(at),
                Of(event.name, event.id),
                kind_of(event),
                pools,
                _came_to(log, settled),
                _brought(log, facts, event.id),
            )
        )
        facts = []
    if not rows:
        return None
    head = ("When", "Event", "What it is", "Pools", "Outcome", "What it brought")
    about = "Every Event that was settled, in order (HA-I, HA-J, HA-K)."
    table = Table("Events", head, tuple(rows))
    return Chapter(
        "events",
        "The Events",
        about,
        (Section("What happened", tuple(stories)), Section("In numbers", (), (), (table,))),
    )


def _story(log: Log, facts: Sequence[e.AnyEvent], settled: e.Settled) -> str:
    """An Event in two sentences: how it was fought over, and what came of it."""
    event = log.index.events[settled.name]
    acts = [fact for fact in facts if isinstance(fact, e.Act) and fact.act]
    kind = f"{event.name} (a {kind_of(event)})"
    if not acts:
        first = f"Nobody did anything about {kind}."
    elif len(acts) == 1:
        first = f"{kind} saw a single act, by {log.who(acts[0].seat)}."
    else:
        last = log.who(acts[-1].seat)
        by = {fact.seat for fact in acts}
        alone = f"all of them by {last}" if len(by) == 1 else f"the last of them by {last}"
        first = f"{kind} took {len(acts)} acts, {alone}."
    brought = _brought(log, facts, event.id)
    return f"{first} {_ended(log, settled)}{'.' if brought == 'nothing' else f': {brought}.'}"


def _ended(log: Log, settled: e.Settled) -> str:
    """The outcome of an Event with its pools, as the beginning of a sentence."""
    pools = sorted(settled.pools.values(), reverse=True)
    tied = " popularity," if pools[:1] == pools[1:2] else ""  # HA-J-10
    by = f" by{tied} {pools[0]} to {pools[1]}" if len(pools) > 1 and pools[0] else ""
    if settled.success is None:
        if settled.winner is None:
            return "Nobody took part"
        lost = f", and {log.who(settled.loser)} lost" if settled.loser is not None else ""
        return f"{log.who(settled.winner)} won{by}{lost}"
    pool = settled.pools
    by = f", {pool[SUPPORT]} to {pool[OPPOSE]}" if any(pool.values()) else ""
    chief = settled.chief_supporter if settled.success else settled.chief_opponent
    led = f", led by {log.who(chief)}" if chief is not None else ""
    return f"It {'succeeded' if settled.success else 'failed'}{by}{led}"


def _pool(log: Log, pool: str) -> str:
    return POOLS.get(pool) or log.index.name(pool)


def _came_to(log: Log, settled: e.Settled) -> str:
    if settled.success is None:
        if settled.winner is None:
            return "nobody took part"
        lost = f", {log.who(settled.loser)} lost" if settled.loser is not None else ""
        return f"{log.who(settled.winner)} won{lost}"
    chief = settled.chief_supporter if settled.success else settled.chief_opponent
    led = f", led by {log.who(chief)}" if chief is not None else ""
    return ("success" if settled.success else "failure") + led


def _brought(log: Log, facts: Sequence[e.AnyEvent], name: str) -> str:
    """Favor that an Event gave and took, and what became of characters, in a few words."""
    favor: Counter[SeatId] = Counter()
    fates = []
    for fact in facts:
        if getattr(fact, "of", "") != name:
            continue
        match fact:
            case e.Gained():
                favor[fact.seat] += fact.amount
            case e.Lost():
                favor[fact.seat] -= fact.amount
            case e.Took():
                favor[fact.seat] += fact.amount
                favor[fact.before] -= fact.amount
            case e.Killed() | e.Dismissed():
                fates.append(
                    f"{log.index.name(fact.character)} {'killed' if isinstance(fact, e.Killed) else 'dismissed'}"
                )
            case e.Controlled():
                fates.append(f"{log.index.name(fact.character)} to {log.who(fact.seat)}")
            case _:
                pass
    told = [f"{log.who(seat)} {favor[seat]:+d}" for seat in log.last.ring if favor[seat]]
    return ", ".join([*told, *fates]) or "nothing"


def _hands(log: Log) -> Chapter | None:
    """Every hand through the game, once all is revealed."""
    if log.final is None or any(BACK in player.hand for player in log.final.players.values()):
        return None
    sections = []
    for seat in log.last.ring:
        rows: list[tuple[Cell, ...]] = []
        before: tuple[str, ...] | None = None
        for at, turn in enumerate(log.turns):
            if turn.position.phase is Phase.AUCTION:
                continue
            hand = turn.position.players[seat].hand
            if hand != before:
                rows.append((log.when(at), len(hand), ", ".join(log.index.name(card) for card in hand) or "nothing"))
            before = hand
        table = Table(f"The hand of {log.who(seat)}", ("When", "Cards", "Hand"), tuple(rows))
        sections.append(Section(log.who(seat), (), (), (table,)))
    about = "What each player held when a window opened, if it had changed since the window before."
    return Chapter("hands", "Hands", about, tuple(sections))


def _cards(log: Log) -> Chapter:
    """All cards of the set, each with its known deeds in this game."""
    did = _deeds(log)
    cards = log.index.cards
    people = Table(
        "Characters",
        ("Character", "Politics", "Combat", "Keywords", "Text", "In this game"),
        tuple(
            (Of(one.name, one.id), one.politics, one.combat, ", ".join(one.keywords) or "none", _text(one.text, one.flavour), _told(log, did, one.id))
            for one in sorted(cards.characters, key=lambda one: one.name)
        ),
        folded=True,
    )  # fmt: skip
    princes = Table(
        "Princes",
        ("Prince", "Popularity", "Favor", "Politics", "Combat", "Keywords", "Text"),
        tuple((Of(one.name, one.id), one.popularity, one.favor, one.politics, one.combat, ", ".join(one.keywords), _text(one.text, one.flavour)) for one in cards.princes),
        folded=True,
    )  # fmt: skip
    events = Table(
        "Events",
        ("Event", "What it is", "Text", "In this game"),
        tuple((Of(one.name, one.id), kind_of(one), _text(one.text, one.flavour), _told(log, did, one.id)) for one in sorted(cards.events, key=lambda one: one.name)),
        folded=True,
    )  # fmt: skip
    actions = Table(
        "Action cards",
        ("Card", "Copies", "What it is", "Text", "In this game"),
        tuple((Of(one.name, one.id), one.copies, form_of(one), _text(one.text, one.flavour), _told(log, did, one.id)) for one in sorted(cards.actions, key=lambda one: one.name)),
        folded=True,
    )  # fmt: skip
    about = f"All cards of the {cards.title} set, and what each has done, as far as everybody knows."
    section = Section("The cards", (), (), (princes, people, events, actions))
    return Chapter("cards", "The cards", about, (section,))


def _text(text: str, flavour: str) -> str:
    return f"{text} “{flavour}”".strip()


def did(turns: Turns) -> dict[str, Counter[str]]:
    """Title -> what it did in a game, in a word or two, and how often."""
    return _deeds(Log(turns, None))


def _deeds(log: Log) -> dict[str, Counter[str]]:
    """Title -> what it did, in a word or two, and how often."""
    did: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for _, fact in log.facts():
        match fact:
            case e.Joined():
                did[fact.character]["joined"] += 1
            case e.Used():
                did[fact.character]["used its ability"] += 1
            case e.Countered():
                did[fact.character]["countered"] += 1
            case e.Assisted():
                did[fact.character]["assisted"] += 1
            case e.Attacked():
                did[fact.attacker]["attacked"] += 1
            case e.Chose():
                did[fact.character][f"taken by {log.who(fact.seat)}"] += 1
            case e.Killed():
                did[fact.character]["killed"] += 1
            case e.Played():
                did[title_of(fact.card)]["played"] += 1
            case e.Stopped():
                did[fact.card][fact.why] += 1
            case e.Settled():
                did[fact.name]["settled"] += 1
            case _:
                pass
    return did


def _told(log: Log, did: dict[str, Counter[str]], name: str) -> str:
    """The deeds of a title in words: `taken by Corvin, joined 5 times`."""
    return (
        ", ".join(what if count == 1 else f"{what} {many(count, 'time')}" for what, count in did[name].items())
        or "nothing yet"
    )
