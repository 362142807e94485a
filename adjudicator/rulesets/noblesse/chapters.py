"""A game's chapters: factions, courts, estates, incomes, battles, treaties, votes, families and the scenario.

Everything comes from positions and events as the reader may know them. While a game runs, that is public knowledge only, and
chapters with nothing known yet are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from adjudicator.core.contract.history import History
from adjudicator.core.contract.lines import BLANK
from adjudicator.core.contract.pages import (
    At,
    Cell,
    Chapter,
    Family,
    Kin,
    Kinship,
    Picture,
    Section,
    Side,
    Table,
)
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse import events as e
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.brief import clauses, company_words
from adjudicator.rulesets.noblesse.picture import faction_at, is_partial, sides_of
from adjudicator.rulesets.noblesse.position import Phase, Player, Position
from adjudicator.rulesets.noblesse.scenario import ABILITY, RESOURCES, Scenario, Stock, tables
from adjudicator.rulesets.noblesse.treaties import Treaty, relation
from adjudicator.rulesets.noblesse.words import ability_words, amounts, core_words

Turns = Sequence[Resolution[Position, e.AnyEvent]]
STOCKS: dict[str, Side] = {name: Side(slot, name, name[:2].capitalize()) for slot, name in enumerate(RESOURCES, 1)}
STATES = {"neutral": Side(2, "neutral", "N"), "allied": Side(1, "allied", "A")}
POSTS = {
    "court": ("at court", "at court"), "tax": ("Tax Collector", "Tax Collectors"), "lobby": ("Lobbyist", "Lobbyists"),
    "steward": ("Steward", "Stewards"), "spy": ("Spy", "Spies"), "commander": ("in command", "in command"),
    "overseer": ("overseeing a building", "overseeing buildings"), "staff": ("on staff", "on staff"),
}  # fmt: skip
AGREED = {"marriage": "married", "hostages": "exchanged hostages", "release": "released their hostages"}
FATE = {"wounds": "died of wounds", "battle": "fell in battle", "lynched": "was lynched"}


def chapters(turns: Turns, final: Position | None) -> tuple[Chapter, ...]:
    """The chapters of a game, from its turns and its `final` position (None while the game runs)."""
    log = Log(turns, final)
    candidates = (
        _factions(log), _players(log), _courts(log), _estates(log), _income(log), _battles(log), _treaties(log),
        _votes(log), _families(log), _scenario(log.last.settings.board),
    )  # fmt: skip
    return tuple(chapter for chapter in candidates if chapter is not None)


def _name(position: Position) -> str:
    """Name of a turn, such as `Night 3`."""
    return "Setup" if position.phase is Phase.SETUP else f"{position.phase.value.capitalize()} {position.cycle}"


class Log(History[Position, e.AnyEvent]):
    """A game's turns, as a source for its chapters."""

    def __init__(self, turns: Turns, final: Position | None) -> None:
        super().__init__(turns, final, _name, ("Night", lambda position: position.cycle))
        self.knows_all = not is_partial(self.last)
        """True if the reader knows everything, as when the game is over."""
        self.nights = [at for at, turn in enumerate(turns) if turn.position.phase is Phase.NIGHT]
        self.sides = sides_of(self.last.settings.board)


def _many(number: int, word: str) -> str:
    """A number of things, as the beginning of a sentence: `3 battles` or `No battle`."""
    text = many(number, word, "no")
    return f"{text[0].upper()}{text[1:]}"


# Factions and players -----------------------------------------------------------------------------------------------


def _factions(log: Log) -> Chapter | None:
    if not log.knows_all or not log.nights:
        return None
    last, first = log.last, log.turns[0].position
    sections = []
    rows = {
        f"{faction} and {other}": tuple(_state(log.after(at), faction, other) for at in log.nights)
        for faction, other in combinations(log.sides, 2)
    }
    if any(state is not None for row in rows.values() for state in row):
        bound = {name: row for name, row in rows.items() if any(row)}
        states = log.timeline("States between factions", "hostile", log.nights, bound)
        about = "The states at the end of each Night: A is allied, N is neutral. Pairs that are not shown were hostile throughout (NB-H-1)."
        sections.append(Section("Between the factions", (about,), (Picture(states, STATES),)))
    for name in last.settings.board.factions:
        members = [
            (seat, player.role, _fate(log, seat, player))
            for seat, player in last.players.items()
            if player.faction == name
        ]
        leaders = [f"{first.factions[name].leader} led it from the start"]
        titles, lost, sides = [], [], []
        for at, event in log.facts():
            match event:
                case e.Succession(faction=faction, leader=leader) if faction == name:
                    leaders.append(f"{leader} from {log.name(at)} on")
                case e.Ennobled(faction=faction, noble=noble) if faction == name:
                    titles.append(f"the Noble {noble} ({log.name(at)})")
                case e.Untitled(faction=faction, noble=noble) if faction == name:
                    lost.append(f"the Noble {noble} ({log.name(at)})")
                case e.Turned(seat=seat, faction=faction, before=before) if name in {faction, before}:
                    way = f"came from {before}" if faction == name else f"left for {faction}"
                    sides.append(f"{seat} {way} ({log.name(at)})")
                case _:
                    pass
        about_ = [
            f"{join_words(leaders)}.",
            f"It created {join_words(titles)}." if titles else "It never had a Noble.",
        ]
        if lost:
            about_.append(f"Nobles who lost their seats: {join_words(lost)}.")
        if sides:
            about_.append(f"Heirs who changed sides: {', '.join(sides)}.")
        table = Table(f"Players of {name}", ("Player", "Role", "Fate"), tuple(members))
        sections.append(Section(name, tuple(about_), (), (table,)))
    return Chapter(
        "factions",
        "Factions",
        "Who belonged to each faction, who led it, and how the factions got on.",
        tuple(sections),
    )


def _state(position: Position, faction: str, other: str) -> str | None:
    state = relation(position.treaties, faction, other)
    return None if state == "hostile" else state


def _fate(log: Log, seat: SeatId, player: Player) -> str:
    """The fate of a player, such as `died of wounds in Night 3`."""
    deaths = [
        f"{FATE[event.why]} on {log.name(at)}" + (", and an Heir took their place" if event.heir else "")
        for at, event in log.facts(e.Died)
        if event.seat == seat
    ]
    return "; ".join([*deaths, *(["still alive"] if player.alive else [])])


def _players(log: Log) -> Chapter | None:
    """The chapter about players' roles and factions; while the game runs, it has only those of the dead."""
    last = log.last
    rows: list[tuple[Cell, ...]] = [
        (
            seat,
            player.role or "not known yet",
            player.faction or "not known yet",
            player.home or "not known yet",
            _fate(log, seat, player),
        )
        for seat, player in sorted(last.players.items())
    ]
    if all(row[1] == "not known yet" for row in rows):
        return None
    table = Table("Players", ("Player", "Role", "Faction", "Home", "Fate"), tuple(rows))
    sections = [Section("Who they were", tables=(table,))]
    scenario = last.settings.board
    blurbs = tuple(
        f"{seat} was {player.role}, of {player.faction}. {scenario.roles[player.role].blurb}"
        for seat, player in sorted(last.players.items())
        if player.role in scenario.roles
    )
    sections.append(Section("Their roles", blurbs))
    return Chapter("players", "Players", "Who was who, and what became of them.", tuple(sections))


def _courts(log: Log) -> Chapter | None:
    if not log.knows_all or not log.nights:
        return None
    sections = []
    for seat in sorted(log.last.players):
        alive = [at for at in log.nights if log.turns[at].position.players[seat].alive]
        after = [(at, log.after(at).players[seat]) for at in alive]
        lines = {str(name): tuple(getattr(player.stock, name) for _, player in after) for name in RESOURCES}
        stocks = log.chart(f"{whose(seat)} stocks", "resources", alive, lines)
        rows: list[tuple[Cell, ...]] = []
        for at, player in after:
            now = log.after(at)
            posts = Counter[str](courtier.post for courtier in player.courtiers)
            at_work = ", ".join(
                f"{posts[post]} {words[posts[post] > 1]}" for post, words in POSTS.items() if posts[post]
            )
            held = [estate for estate, holding in now.estates.items() if holding.by == seat]
            units = [name for name, unit in now.units.items() if unit.owner == seat]
            rows.append((log.when(at), at_work or "none", ", ".join(held) or "none", ", ".join(units) or "none"))
        first = log.turns[0].position.players[seat]
        design = next((event for _, event in log.facts(e.Founded) if event.seat == seat), None)
        about = [f"{first.role}, of {first.faction}."]
        if design is not None:
            about.append(f"Home: {design.home}, with {amounts(design.design)}.")
        pictures = (Picture(stocks, STOCKS),) if len(alive) > 1 else ()
        table = Table(
            f"{whose(seat)} court, Night by Night",
            ("After", "Courtiers", "Own estates", "Units"),
            tuple(rows),
            folded=True,
        )
        sections.append(Section(seat, (" ".join(about),), pictures, (table,)))
    about_ = "Each player’s stock after every Night, and what the Courtiers did."
    return Chapter("courts", "Courts", about_, tuple(sections))


# Estates and incomes ------------------------------------------------------------------------------------------------


def _estates(log: Log) -> Chapter | None:
    if not log.knows_all or not log.nights:
        return None
    board = log.last.settings.board
    prizes = {
        estate: tuple(faction_at(log.after(at), estate) for at in log.nights)
        for estate in sorted(board.prizes, key=board.estates.index)
    }
    held = log.timeline("The winning estates", "nobody", log.nights, prizes)
    changes = log.rows({e.Control: lambda event: (event.at, event.before or "nobody", event.by or "nobody")})
    built: list[tuple[Cell, ...]] = [
        (log.when(at), event.building.title(), event.at, log.after(at).estates[event.at].by or "nobody")
        for at, event in log.facts(e.Built)
    ]
    holders = Counter(faction for estate in board.estates if (faction := faction_at(log.last, estate)))
    told = join_words(f"{name} {holders[name]}" for name in board.factions if holders[name])
    sections = [
        Section(
            "The winning estates",
            ("Who controlled them at the end of each Night (NB-V-1, NB-V-2).",),
            (Picture(held, log.sides),),
        ),
        Section(
            "Changes of control",
            (f"At the end: {told}." if told else "",),
            (),
            (Table("Changes of control", ("Turn", "Estate", "Before", "After"), changes),),
        ),
    ]
    if built:
        table = Table("Buildings", ("Turn", "Building", "Estate", "Owner"), tuple(built))
        sections.append(Section("Buildings", tables=(table,)))
    return Chapter("estates", "Estates", "Who controlled the estates, and what was built on them.", tuple(sections))


def _income(log: Log) -> Chapter | None:
    if not log.knows_all or not log.nights:
        return None
    factions = tuple(log.last.settings.board.factions)
    gained: dict[str, Counter[int]] = {name: Counter() for name in factions}
    players: dict[SeatId, Stock] = {}
    for at, event in log.facts(e.Earned):
        total = sum(getattr(event.total, name) for name in RESOURCES)
        gained[log.turns[at].position.players[event.seat].faction][at] += total
        players[event.seat] = players.get(event.seat, Stock()) + event.total
    lines = {name: tuple(gained[name][at] for at in log.nights) for name in factions}
    chart = log.chart("Income of all kinds", "resources", log.nights, lines)
    best = sorted(players, key=lambda seat: (-sum(getattr(players[seat], name) for name in RESOURCES), seat))
    rows: list[tuple[Cell, ...]] = [
        (seat, log.last.players[seat].faction, *(getattr(players[seat], name) for name in RESOURCES)) for seat in best
    ]
    head = ("Player", "Faction", *(name.capitalize() for name in RESOURCES))
    sections = (
        Section("Income by Night", (), (Picture(chart, log.sides),) if len(log.nights) > 1 else ()),
        Section("Who earned most", tables=(Table("What each player earned", head, tuple(rows)),)),
    )
    return Chapter("income", "Income", "What estates, Lobbyists and companies brought in (NB-F).", sections)


# Battles and treaties -----------------------------------------------------------------------------------------------


def _battles(log: Log) -> Chapter | None:
    rows: list[tuple[Cell, ...]] = []
    for at, turn in enumerate(log.turns):
        told = {event.at: event for event in turn.events if isinstance(event, e.Battle)}
        lost = Counter(event.at for event in turn.events if isinstance(event, e.Gone) and event.why == "destroyed")
        for event in turn.events:
            if isinstance(event, e.Rumour):
                battle = told.get(event.at)
                anchor = f"battle-{event.at.lower()}-1" if battle else ""
                left = join_words(event.left) if event.left else "nobody"
                stages = sum(stage.number > 0 for fight in battle.fights for stage in fight.rounds) if battle else ""
                rows.append(
                    (log.when(at, anchor), event.at, " against ".join(event.sides), left, stages, lost[event.at] if battle else "")
                )  # fmt: skip
    if not rows:
        return None
    if log.knows_all:
        head: tuple[str, ...] = ("Night", "Estate", "Sides", "Left", "Rounds", "Units lost")
    else:
        head, rows = ("Night", "Estate", "Sides", "Left"), [row[:4] for row in rows]
    table = Table("Battles", head, tuple(rows))
    about = f"{_many(len(rows), 'battle')}."
    return Chapter(
        "battles",
        "Battles",
        "Every battle, with a link to its report.",
        (Section("The battles", (about,), (), (table,)),),
    )


def _treaties(log: Log) -> Chapter | None:
    treaties: dict[str, Treaty] = {}
    fate: dict[str, list[tuple[Cell, ...]]] = {}
    for position in log.positions:
        treaties.update(position.treaties)
    for at, turn in enumerate(log.turns):
        for verdict in turn.verdicts:
            facts = verdict.facts or {}
            name = str(facts.get("treaty", ""))
            if name in treaties and verdict.reason in SAID:
                words = SAID[verdict.reason].format_map({"number": "", **facts})
                fate.setdefault(name, []).append((log.when(at), f"{verdict.seat} {words}", verdict.rule))
        for event in turn.events:
            row = _fate_of(event)
            if row is not None:
                fate.setdefault(row[0], []).append((log.when(at), row[1], row[2]))
    public = log.table(
        "Intents and payments",
        ("Turn", "Faction", "What it did"),
        {
            e.Published: lambda event: (event.faction, f"published: “{event.text}”"),
            e.Paid: lambda event: (event.by, f"paid {event.to} {amounts(event.amount)}"),
            e.Revealed: lambda event: (event.faction, f"had to reveal that {event.told}"),
        },
    )
    sections = []
    first = {name: rows[0][0].turn for name, rows in fate.items() if isinstance(rows[0][0], At)}
    for name, treaty in sorted(treaties.items(), key=lambda pair: (first.get(pair[0], 0), pair[0])):
        proposer, partner = treaty.parties
        state = (
            f"{proposer} and {partner} would be {treaty.state}"
            if treaty.state
            else "relations would stay as they are now"
        )
        said = [f"{faction} published: “{text}”" for faction, text in treaty.intents.items()]
        about = (f"Proposed by {proposer} to {partner}: {state}.", *said, *clauses(treaty))
        table = Table(f"What became of {name}", ("Turn", "What happened", "Rule"), tuple(fate.get(name, ())))
        sections.append(Section(f"{name}: {proposer} and {partner}, {STATUS[treaty.status]}", about, (), (table,)))
    if public:
        sections.append(Section("Published, paid and revealed", tables=public))
    if not sections:
        return None
    about_ = (
        "Every treaty with its clauses and its fate."
        if log.knows_all
        else "What the factions published about their treaties."
    )
    return Chapter("treaties", "Treaties", about_, tuple(sections))


STATUS = {
    "proposed": "never signed", "signed": "signed", "in force": "in force at the end", "ended": "ended",
}  # fmt: skip
SAID = {
    "proposed": "proposed it", "withdrawn": "took it off the table", "signed": "signed it; it was to take effect from Night {starts}",
    "declared": "declared its end", "false-report": "reported promise {number}, which was {found}",
    "waits": "reported promise {number}, which waited for the host", "chosen": "named what a penalty had left open",
    "second-ally": "tried to sign it, but already had an Ally", "forbidden": "tried to sign it, but a breach forbade that",
}  # fmt: skip
"""Reason of a verdict about a treaty -> the event in the treaty's history, in words."""


def _fate_of(event: e.AnyEvent) -> tuple[str, str, str] | None:
    """A treaty, its fate in words, and the rule; None for an event that is not about one treaty."""
    if isinstance(event, e.TreatyBegan):
        return (
            event.treaty,
            f"It came into force: they {f'were {event.state}' if event.state else 'remained hostile'}",
            "NB-T-9",
        )
    if isinstance(event, e.TreatyEnded):
        return event.treaty, "It ended", event.rule
    if isinstance(event, e.Breached):
        words = f"{event.by} had broken promise {event.promise}, and its penalties took effect"
        return event.treaty, words, "NB-T-7"
    if isinstance(event, e.Dismissed):
        return event.treaty, f"The host ruled that {event.by} had not broken promise {event.promise}", "NB-T-10"
    return None  # any other fact is not about one treaty


# Votes and families -------------------------------------------------------------------------------------------------


def _votes(log: Log) -> Chapter | None:
    rows: list[tuple[Cell, ...]] = []
    received: Counter[str] = Counter()
    for at, event in log.facts(e.Voted):
        to: dict[str, list[str]] = {}
        for seat, name in event.votes:
            to.setdefault(name, []).append(seat)
            received[name] += 1
        told = "; ".join(
            f"{len(seats)} for {name} ({', '.join(seats)})" for name, seats in sorted(to.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        )  # fmt: skip
        rows.append((log.when(at), event.lynched or "nobody", event.needed, told or "no votes"))
    if not rows:
        return None
    most = sorted(
        ((name, count) for name, count in received.items() if name != "night"), key=lambda pair: (-pair[1], pair[0])
    )
    sections = [Section("Day by day", tables=(Table("Votes", ("Day", "Lynched", "Needed", "Votes"), tuple(rows)),))]
    if most:
        sections.append(
            Section("Votes against each player", tables=(Table("Votes received", ("Player", "Votes"), tuple(most)),))
        )
    return Chapter("votes", "Votes", "Who voted for whom, Day by Day (NB-W-5).", tuple(sections))


def _families(log: Log) -> Chapter | None:
    if not log.knows_all:
        return None
    last = log.last
    weddings: dict[frozenset[SeatId], str] = {}
    for at, event in log.facts():
        if isinstance(event, e.HeirBorn):
            weddings.setdefault(frozenset({event.seat, event.other}), "")
        elif isinstance(event, e.Agreed) and event.kind == "marriage":
            weddings[frozenset({event.by, event.to})] = log.name(at)
    told = log.table(
        "Family events",
        ("Turn", "What happened"),
        {
            e.Agreed: lambda event: (f"{event.by} and {event.to} {AGREED[event.kind]}",),
            e.HeirBorn: lambda event: (f"{event.seat} had an Heir with {event.other}",),
            e.HeirDied: lambda event: (f"{whose(event.seat)} Heir fell in battle",),
            e.Died: lambda event: (
                f"{event.seat} {FATE[event.why]}{', and the Heir took their place' if event.heir else ''}",
            ),
        },
    )
    # A widowed player may marry again. An Heir belongs to the marriage they were born in.
    families = [
        Family(
            parents=tuple(_kin(log, seat) for seat in sorted(pair)),
            when=when,
            children=tuple(child for seat in sorted(pair) if (child := _child(log, seat, pair)) is not None),
        )
        for pair, when in weddings.items()
    ]
    wed = {seat for pair in weddings for seat in pair}
    single = [
        Family(parents=(_kin(log, seat),), when="", children=()) for seat in sorted(last.players) if seat not in wed
    ]
    tree = Kinship("Families", (*families, *single))
    about = f"{_many(len(families), 'marriage')}. The notes say what became of each player and Heir."
    sections = [Section("The family tree", (about,), (Picture(tree, log.sides),))]
    if told:
        sections.append(Section("Weddings, births and deaths", tables=told))
    return Chapter("families", "Families", "Marriages, Heirs and hostages.", tuple(sections))


def _kin(log: Log, seat: SeatId) -> Kin:
    player = log.last.players[seat]
    fate = _fate(log, seat, player)
    return Kin(name=seat, side=player.faction, note=f"{player.role}: {fate}", dead=not player.alive)


def _child(log: Log, seat: SeatId, pair: frozenset[SeatId]) -> Kin | None:
    """A player's Heir of this marriage, with their fate as the note."""
    player = log.last.players[seat]
    born = next((event for _, event in log.facts(e.HeirBorn) if event.seat == seat), None)
    if born is None or born.other not in pair:
        return None
    other = log.last.players[born.other].faction
    name = f"{whose(seat)} Heir"
    if player.heir is not None:
        holder = player.heir.hostage
        held = log.last.players[holder].faction if holder is not None else None
        return Kin(
            name=name,
            side=player.faction,
            note=f"{whose(holder)} hostage" if holder else "still alive",
            held=held,
            other=other,
        )
    fell = next((log.name(at) for at, event in log.facts(e.HeirDied) if event.seat == seat), None)
    if fell is not None:
        return Kin(name=name, side=player.faction, note=f"fell in battle in {fell}", dead=True, other=other)
    note = "took the dead player’s place" if player.alive else "took the dead player’s place, and died"
    return Kin(name=name, side=player.faction, note=note, dead=not player.alive)


# The scenario -------------------------------------------------------------------------------------------------------


def _scenario(scenario: Scenario) -> Chapter:
    """The chapter about the scenario, which everybody may know: board, factions, companies and roles."""
    factions = tuple(
        (name, f"{faction.start[0]} to {faction.start[1]}", faction.resource, ", ".join(f"{key} {value}" for key, value in faction.council.items()))
        for name, faction in scenario.factions.items()
    )  # fmt: skip
    roles = tuple(
        (name, role.faction, f"{role.blurb} {role.why}".strip(), company_words(role.company)) for name, role in scenario.roles.items()
    )  # fmt: skip
    neutrals = tuple(
        (estate, unit.formation, ", ".join(unit.companies)) for estate, unit in sorted(scenario.neutrals.items())
    )
    companies = tuple(
        (name, company.slot, ", ".join(company_words(company).partition(";")[0].split(", ")[1:]), company.tier)
        for name, company in sorted(scenario.companies.items(), key=lambda pair: _slot_rank(pair[1].slot))
    )
    rented = tuple((name, unit.formation, ", ".join(unit.companies)) for name, unit in scenario.mercenaries.items())
    officers = tuple(
        (name, officer.faction, ", ".join(f"{key} {value}" for key in ("attack", "malus", "morale") if (value := getattr(officer, key))))
        for name, officer in scenario.officers.items()
    )  # fmt: skip
    forms_of = {act.kind: BLANK.sub("…", act.form) for act in ACTS.acts}
    more = {"noble": ", and 1 more for each Noble of the faction"}
    prices = tuple((forms_of[kind], amounts(price) + more.get(kind, "")) for kind, price in tables().actions.items())
    houses = tuple(
        (name.title(), amounts(building.price), building.overseers, building.staff)
        for name, building in tables().buildings.items()
    )
    forms = tuple(
        (name.capitalize(), formation.price, formation.officer, formation.flank, formation.centre, formation.reserve) for name, formation in tables().formations.items()
    )  # fmt: skip
    sections = (
        Section(
            "The board",
            (
                scenario.about,
                f"{len(scenario.estates)} estates, {scenario.estates[0]} to {scenario.estates[-1]}; {join_words(scenario.prizes)} are the winning estates.",
            ),
            (),
            (Table("Factions", ("Faction", "Homes", "Pays abilities in", "War Council"), factions),),
        ),
        Section(
            "Roles",
            tables=(
                Table("Roles", ("Role", "Faction", "Who it is", "Own company"), roles),
                Table("What each role can do", ABILITY_HEAD, ability_rows(scenario)),
            ),
        ),
        Section(
            "Formations",
            tables=(Table("Formations", ("Formation", "Manpower", "Officer", "Flank", "Centre", "Reserve"), forms),),
        ),
        Section("Companies", tables=(Table("Companies", ("Company", "Slot", "Values", "Tier"), companies),)),
        Section(
            "Officers and mercenaries",
            tables=(
                Table("Unique Officers", ("Officer", "Faction", "Values"), officers),
                Table("Mercenaries", ("Name", "Formation", "Companies"), rented),
                Table("Units that belong to nobody", ("Estate", "Formation", "Companies"), neutrals),
            ),
        ),
        Section(
            "Prices",
            tables=(
                Table("Actions", ("Action", "Price"), prices),
                Table("Buildings", ("Building", "Price", "Overseers", "Staff"), houses),
            ),
        ),
    )
    return Chapter(
        "scenario", f"The scenario: {scenario.title}", "What everybody may know before the first Night.", sections
    )


ABILITY_HEAD = ("Role", "Core ability", *(f"Ability {price}" for price in ABILITY.values()))


def ability_rows(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """A row for each role: its name, its core ability, then its abilities with a price."""
    return tuple(
        (
            name,
            "; ".join(map(core_words, scenario.cores(name))) or "none",
            *(ability_words(scenario.ability(name, option)) for option in ABILITY),
        )
        for name in scenario.roles
    )


def _slot_rank(slot: str) -> int:
    return ("officer", "flank", "centre", "reserve").index(slot)
