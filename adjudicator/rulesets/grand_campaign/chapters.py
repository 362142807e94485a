"""A campaign's pages besides its turns: referee, seasons, battles, armies with their veterans, realms, treaties, ruins, and its close."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from adjudicator.core.contract.history import History
from adjudicator.core.contract.pages import At, Cell, Chapter, Picture, Section, Side, Table
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, whose
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.fights import KINDS, Fight, Turns, fights, foe_of
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Phase, Position, when, year_of
from adjudicator.rulesets.grand_campaign.prose import tell
from adjudicator.rulesets.grand_campaign.referee import came_of, referee
from adjudicator.rulesets.grand_campaign.rosters import character, unit
from adjudicator.rulesets.grand_campaign.standings import cities_of, works_of
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS, CONSTRUCTIONS, FACTIONS
from adjudicator.rulesets.grand_campaign.words import OMENS, each, scenario, some, turn_words, who, work

Log = History[Position, e.AnyEvent]
STATES = {"war": Side(1, "at war", "W"), "allied": Side(3, "allied", "A")}
"""Relations of two players other than Neutral, as a timeline shows them."""
HOWS = {
    "agreed": "both reports", "alone": "the one report", "resolver": "the resolver", "ruled": "the host", "conceded": "a concession",
    "unplayed": "nobody",
}  # fmt: skip
"""Source of a battle's result, in words."""


def chapters(turns: Turns, final: Position | None) -> tuple[Chapter, ...]:
    """Every page, from the first season on."""
    if all(turn.position.phase is Phase.PLACEMENT for turn in turns):
        return ()
    log = Log(turns, final, when, ("Year", lambda position: year_of(position.turn)))
    closing = (_closing(log, final),) if final is not None and final.closed else ()
    page = referee(turns)
    return (
        *closing,
        *((page,) if page is not None else ()),
        _chronicle(log),
        _battles(log),
        _armies(log),
        _realms(log),
        _treaties(log),
        _treasures(log),
    )


# Seasons ------------------------------------------------------------------------------------------------------------


def _chronicle(log: Log) -> Chapter:
    """A row for each season: its event, and what was founded, fought and lost."""
    rows: list[tuple[Cell, ...]] = []
    omen = ""
    for at, turn in enumerate(log.turns):
        told: dict[str, list[str]] = {"founded": [], "fought": [], "fell": []}
        for event in turn.events:
            match event:
                case e.Built(what=what, at=spot, seat=seat) if what in CONSTRUCTIONS:
                    told["founded"].append(f"{work(what)} {spot} ({seat})")
                case e.Fought(id=id_, winner=winner, attackers=attackers, defender=defender):
                    won = attackers[0] if winner == "attacker" else defender if winner == "defender" else None
                    told["fought"].append(f"{id_}: {who(won) if won else 'the garrison' if winner else 'nobody'}")
                case e.Bought(what=what, at=spot, failed=failed, army=army, hexes=taken):
                    came = (
                        "withstood"
                        if failed and not taken
                        else "lost"
                        if failed
                        else "seized"
                        if what == "seize"
                        else "razed"
                    )
                    told["fell"].append(f"{spot} {came} ({who(army)})")
                case e.Perished(who=key):
                    told["fell"].append(who(key))
                case _:
                    pass
        opening = turn.position.opening
        omen = OMENS[opening.event] if opening is not None and turn.position.phase is Phase.SEASON else ""
        rows.append((log.when(at), omen, *("; ".join(words) for words in told.values())))
    head = ("Season", "Event", "Founded", "Won by", "Taken or lost")
    table = Table("The chronicle", head, tuple(rows))
    return Chapter(
        "chronicle", "The chronicle", "What changed, season by season.", (Section("Seasons", (), (), (table,)),)
    )


# Battles ------------------------------------------------------------------------------------------------------------


def _battles(log: Log) -> Chapter:
    """Every battle with its scenario, the source of its result, and its outcome; and both sides' reports, a row for each line."""
    rows: list[tuple[Cell, ...]] = []
    told: list[tuple[Cell, ...]] = []
    for fight in fights(log.turns):
        event, fought = fight.event, fight.fought
        name = f"{event.id}, {log.name(fight.joined)}"
        came = "not settled yet" if fought is None else came_of(fought)
        rows.append(
            (
                At(name, fight.joined),
                event.at,
                each(event.attackers),
                foe_of(event),
                scenario(fought.scenario if fought is not None else event.scenario),
                HOWS[fought.how] if fought is not None else "",
                At(came, fight.settled) if fight.settled is not None else came,
            )
        )
        for one in fight.rounds:
            for said in one.said:
                lines = [f"{seat}: {said.line(seat)}" if said.line(seat) else "" for seat in one.seats]
                attacker, defender = (*lines, "")[:2]
                told.append((At(name, one.turn), KINDS[said.part], attacker, defender, said.came(one.seats)))
    head = ("Battle", "Over", "Attackers", "Defender", "Scenario", "Believed", "How it ended")
    none = ("No battle was fought.",) if not rows else ()
    sections = [Section("All battles", none, (), (Table("Battles", head, tuple(rows)),) if rows else ())]
    if told:
        heads = ("Battle", "What", "Attacker", "Defender", "Outcome")
        sections.append(Section("Reports", (), (), (Table("Reports", heads, tuple(told)),)))
    about = "Who fought whom and where, what both sides said, and who was believed."
    return Chapter("battles", "Battles", about, tuple(sections))


# Armies -------------------------------------------------------------------------------------------------------------


def _armies(log: Log) -> Chapter:
    """Each army: its battles, its veterans and the artefacts they bear; and the armies and parties that were lost."""
    fought = fights(log.turns)
    sections, idle = [], []
    for army in log.last.armies:
        mine = [fight for fight in fought if army.key in (fight.event.attackers[0], fight.event.defender)]
        idle += [army.key] if not mine else []
        won = sum(_won(fight, army.key) for fight in mine)
        lost = sum(fight.fought is not None and fight.fought.winner is not None for fight in mine) - won
        other = len(mine) - won - lost
        said = (
            f"{army.name}, {FACTIONS[army.faction].name}, Leadership {army.ld}, {f'at {army.at}' if army.at else 'under the sand'}.",
            f"{some(len(mine), 'battle')}: {won} won, {lost} lost{f', {other} undecided' if other else ''}."
            if mine
            else "",
        )
        people: list[tuple[Cell, ...]] = [
            (one.name, one.role or "character", one.level, one.xp, one.bears or "")
            for one in map(character, army.characters)
        ]
        people += [
            (troop.name, ", ".join(troop.tags) or "unit", troop.level, troop.xp, "") for troop in map(unit, army.units)
        ]
        title = f"Characters and units of {who(army.key)}"
        table = Table(title, ("Name", "Is a", "Level", "XP", "Bears"), tuple(people), folded=True)
        sections.append(Section(f"{army.owner} {army.id}: {army.name}", said, (), (table,)))
    if idle:
        sections.append(Section("Without a battle", (f"No battle: {each(idle)}.",)))
    head = ("Who", "When", "Where", "How")
    gone = [(who(event.who), log.when(at), event.at, event.why) for at, event in log.facts(e.Perished)]
    if gone:
        table = Table("Lost armies and parties", head, tuple(gone))
        sections.append(Section("Those who are no more", tables=(table,)))
    about = "Armies with their battles, characters, veterans and artefacts."
    return Chapter("armies", "Armies", about, tuple(sections))


def _won(fight: Fight, key: ArmyKey) -> bool:
    fought = fight.fought
    if fought is None or fought.winner is None:
        return False
    return key == (fight.event.attackers[0] if fought.winner == "attacker" else fight.event.defender)


def _of(key: ArmyKey) -> SeatId:
    """The owner of an army or a party."""
    return key.rpartition(" ")[0]


# Realms -------------------------------------------------------------------------------------------------------------


def _realms(log: Log) -> Chapter:
    """Each realm's ledger: income and expenses, season by season."""
    sections, last = [], log.last
    for seat in last.realms:
        rows: list[tuple[Cell, ...]] = []
        for at, turn in enumerate(log.turns):
            came = raised = built = other = 0
            for event in turn.events:
                match event:
                    case e.Income(seat=owner, total=total) if owner == seat:
                        came += total
                    case e.Recruited(who=key, price=price) if _of(key) == seat and price in {500, 2500}:
                        raised += price
                    case e.Built(seat=owner, price=price) if owner == seat:
                        built += price
                    case e.Earned(who=key, gold=gold) | e.Bought(army=key, gold=gold) if _of(key) == seat:
                        other += gold
                    case _:
                        pass
            realm = turn.position.realms[seat]
            if turn.position.phase is Phase.SEASON or came or raised or built or other:
                rows.append((log.when(at), realm.gold, came, raised, built, other, len(realm.hexes)))
        realm = last.realms[seat]
        has = ", ".join(some(number, work(kind)) for kind, number in sorted(works_of(last, seat).items()))
        said = f"{FACTIONS[realm.faction].name}; {some(len(realm.hexes), 'hex')}, {realm.gold} gold; {has or 'no constructions'}."
        head = ("Season", "Purse", "Income", "Armies and parties", "Building", "Other gold", "Hexes")
        sections.append(Section(seat, (said,), (), (Table(f"{whose(seat)} ledger", head, tuple(rows), folded=True),)))
    return Chapter("realms", "Realms", "Each realm with its ledger.", tuple(sections))


def _treaties(log: Log) -> Chapter:
    """Declarations, treaties and trades; and the relations of all pairs, season by season."""
    rows = tuple(
        (log.when(at), tell(log.turns[at].position, event)) for at, event in log.facts() if isinstance(event, e.Treated | e.Traded)
    )  # fmt: skip
    pairs = [*combinations(log.turns[0].position.realms, 2)]
    seasons = [at for at, turn in enumerate(log.turns) if turn.position.phase is Phase.SEASON]
    relations = {both: tuple(_relation(log.turns[at].position, both) for at in seasons) for both in pairs}
    matrix: tuple[tuple[Cell, ...], ...] = tuple(
        (log.when(at), *(relations[both][row] or "neutral" for both in pairs)) for row, at in enumerate(seasons)
    )
    head = ("Season", *(f"{one} and {other}" for one, other in pairs))
    tables: tuple[Table, ...] = (Table("Relations when each season opened", head, matrix, folded=True),)
    if rows:
        tables = (Table("Treaties and trades", ("Season", "What"), rows), *tables)
    changing = {f"{one} and {other}": states for (one, other), states in relations.items() if any(states)}
    pictures: tuple[Picture, ...] = ()
    if changing and len(seasons) > 1:
        pictures = (Picture(log.timeline("Relations", "neutral", seasons, changing), STATES),)
    return Chapter(
        "treaties",
        "Treaties",
        "Who was at war with whom, and what was traded.",
        (Section("Diplomacy", (), pictures, tables),),
    )


def _relation(position: Position, both: tuple[SeatId, SeatId]) -> str | None:
    """The relation of two players; None for Neutral."""
    pair = tuple(sorted(both))
    return "war" if pair in position.relations.war else "allied" if pair in position.relations.alliance else None


def _treasures(log: Log) -> Chapter:
    """The number of ruins searched, and the history of each artefact."""
    rows: list[tuple[Cell, ...]] = []
    for at, event in log.facts():
        match event:
            case e.Explored(artefact=found, at=spot) if found is not None:
                came = f"found in the ruin on {spot} by {who(event.who)}; {event.bearer} bore it"
            case e.Found(artefact=found, army=army, bearer=bearer):
                came = f"found on the field by {who(army)}; {bearer} bore it"
            case e.Took(artefact=found, giver=giver, army=army, bearer=bearer):
                came = f"passed from {who(giver)} to {bearer} of {who(army)}"
            case _:
                continue
        rows.append((found, ARTEFACTS[found].class_, log.when(at), came))
    searched = len([*log.facts(e.Explored)])
    said = [f"{some(searched, 'search', 'no')} of ruins, and what came of {'it' if searched == 1 else 'them'}."]
    tables = (
        (Table("Artefacts", ("Artefact", "Class", "When", "What"), tuple(sorted(rows, key=lambda row: str(row[0])))),)
        if rows
        else ()
    )
    return Chapter(
        "treasures",
        "Ruins and artefacts",
        "What was found, and who bore it.",
        (Section("Artefacts", tuple(said), (), tables),),
    )


# The end ------------------------------------------------------------------------------------------------------------


def _closing(log: Log, final: Position) -> Chapter:
    """The close of the campaign: realms, battles, veterans and artefacts, without a ranking (GC-A-4, GC-A-5)."""
    settled = [fight for fight in fights(log.turns) if fight.fought is not None]
    sections = [
        Section(
            "The campaign",
            (
                f"{final.plan.title} closed after {turn_words(log.name(len(log.turns) - 1))}. It lasted {some(final.turn, 'season')}, saw {some(len(settled), 'battle')}, and has no winner.",
            ),
        )
    ]
    for seat, realm in final.realms.items():
        sections.append(Section(seat, tuple(_remembered(log, final, seat, realm.out or False))))
    people = sorted(
        (one.name, who(army.key), one.level, one.xp)
        for army in final.armies
        for one in (*map(character, army.characters), *map(unit, army.units))
        if one.level
    )
    if people:
        sections.append(
            Section("Veterans", (), (), (Table("Veterans", ("Name", "Army", "Level", "XP"), tuple(people)),))
        )
    return Chapter(
        "closing", "The close", "Realms, battles, veterans and artefacts, without a ranking.", tuple(sections)
    )


def _remembered(log: Log, final: Position, seat: SeatId, out: bool) -> Iterator[str]:
    realm = final.realms[seat]
    if out:
        yield f"{seat} did not see the end."
        return
    founded = [
        (event.what, event.at)
        for _, event in log.facts(e.Built)
        if event.seat == seat and event.how == "built" and event.what in CONSTRUCTIONS
    ]
    took: list[Hex] = [
        event.at
        for _, event in log.facts(e.Bought)
        if _of(event.army) == seat and event.what == "seize" and not event.failed
    ]
    yield f"{FACTIONS[realm.faction].name}, with {len(realm.hexes)} hexes and {some(cities_of(final, seat), 'City')}."
    if founded:
        yield f"Founded {join_words([f'{work(what)} {spot}' for what, spot in founded])}."
    if took:
        yield f"Seized what stood on {join_words(took)}."
    borne = [
        one.bears for army in final.armies if army.owner == seat for one in map(character, army.characters) if one.bears
    ]
    if borne:
        yield f"Bears the {join_words(borne)}."
