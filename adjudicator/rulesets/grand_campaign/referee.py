"""The referee's page: battles with players, places and armies, both sides' reports, and the rulings that settle a dispute (GC-R, GC-Z)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.core.contract.pages import At, Cell, Chapter, Copies, Due, Section, Table
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, ordinal, whose
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.conquest import JOINT, MAJOR
from adjudicator.rulesets.grand_campaign.fights import KINDS, Duel, Fight, Round, Said, Turns, duels, fights, foe_of
from adjudicator.rulesets.grand_campaign.host import DECISIONS, Decision, ruling_text
from adjudicator.rulesets.grand_campaign.host import tell as tell_decision
from adjudicator.rulesets.grand_campaign.position import Army, ArmyKey, Battle, Party, Phase, Position, when
from adjudicator.rulesets.grand_campaign.prose import tell
from adjudicator.rulesets.grand_campaign.resolver import points_of
from adjudicator.rulesets.grand_campaign.rosters import character, unit
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS, CONSTRUCTIONS, FACTIONS, PARTIES, SCENARIOS
from adjudicator.rulesets.grand_campaign.words import scenario, terrain, who, work
from adjudicator.rulesets.grand_campaign.world import World

FERVOUR = {"high": "more for Waaaagh!", "low": "fewer without heart"}


def referee(turns: Turns) -> Chapter | None:
    """The page of the latest season with battles or skirmishes; None before the first one."""
    told = [at for at, turn in enumerate(turns) if turn.position.phase is Phase.BATTLES]
    if not told:
        return None
    season = turns[told[-1]].position.turn
    told = [at for at in told if turns[at].position.turn == season]
    battles = [fight for fight in fights(turns) if fight.season == season and fight.rounds]
    skirmishes = [duel for at in told for duel in duels(turns, at)]
    name = when(turns[told[0] - 1].position) if told[0] else when(turns[told[0]].position)
    return Chapter(
        "referee",
        "The referee’s page",
        f"{name}: who plays whom, where and with what, what both sides reported, and what the host can rule.",
        (
            _overview(turns, battles, skirmishes),
            *(section for fight in battles for section in _reports(turns, fight)),
            *(_duel_reports(turns, duel) for duel in skirmishes if duel.said),
            *(_battle_sheet(turns, fight) for fight in battles if not isinstance(fight.rounds[-1].came, e.Struck)),
            *(_duel_sheet(turns[duel.turn].position, duel) for duel in skirmishes),
        ),
    )


def _waits(fight: Fight) -> bool:
    return fight.rounds[-1].came is None


def _overview(turns: Turns, battles: Sequence[Fight], skirmishes: Sequence[Duel]) -> Section:
    """One row per battle or skirmish: its players, its place, its scenario, its state, and the deadline for reports."""
    rows: list[tuple[Cell, ...]] = []
    for fight in battles:
        last = fight.rounds[-1]
        battle, position = last.battle, turns[last.turn].position
        rows.append(
            (
                battle.id,
                f"{who(battle.attackers[0])} attacks {foe_of(battle)}",
                f"{battle.at}, {terrain(position.terrain[battle.at])}",
                scenario(fight.fought.scenario if fight.fought is not None else battle.scenario),
                _state(last),
                Due(last.turn),
            )
        )
    for duel in skirmishes:
        spot = f"{duel.quarrel.at}, {terrain(turns[duel.turn].position.terrain[duel.quarrel.at])}"
        now: Cell = At(_duel_came(duel), duel.turn) if duel.came is not None else "to be played, or rolled"
        rows.append(
            (
                duel.id,
                f"{who(duel.quarrel.comer)} meets {who(duel.quarrel.other)}",
                spot,
                "Skirmish",
                now,
                Due(duel.turn),
            )
        )
    head: tuple[str, ...] = ("Battle", "Who plays whom", "Where", "Scenario", "How it stands", "Reports")
    open_ = any(map(_waits, battles)) or any(duel.came is None for duel in skirmishes)
    if not open_:
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Section("The battles of the season", (), (), (Table("The battles of the season", head, tuple(rows)),))


def _state(last: Round) -> Cell:
    """The state of a battle, in a few words."""
    match last.came:
        case None if last.battle.disputed:
            return (
                "waiting for the host’s ruling"
                if last.battle.defender is not None
                else "waiting for the host to confirm it"
            )
        case None:
            return "to be played and reported"
        case e.Fought() as fought:
            return At(came_of(fought), last.turn)
        case e.Struck():
            return At("struck", last.turn)
        case e.Disputed():
            return At("the reports differ", last.turn)


def came_of(fought: e.Fought) -> str:
    """The result of a battle, in a few words."""
    won = {"attacker": who(fought.attackers[0]), "defender": foe_of(fought)}.get(fought.winner or "", "")
    if not won:
        return "a draw" if fought.drawn else "not fought"
    return f"{won} won{' a great victory' if fought.major else ''}"


# Reports and rulings ------------------------------------------------------------------------------------------------


def _reports(turns: Turns, fight: Fight) -> Iterator[Section]:
    """Both sides' reports of a battle, side by side. For a disputed battle, also every possible ruling, to copy."""
    tables, said = [], []
    for number, one in enumerate(fight.rounds, 1):
        position = turns[one.turn].position
        again = f" ({ordinal(number)} turn)" if number > 1 else ""
        if one.came is not None:
            said.append(tell(position, one.came))
        if one.said or (isinstance(one.came, e.Fought) and one.came.how != "ruled"):  # a ruling needs no reports
            tables.append(
                Table(f"{one.battle.id}, {when(position)}{again}", _head(one.seats), tuple(_rows(one.said, one.seats)))
            )
    last = fight.rounds[-1]
    copies = None
    if last.came is None and last.battle.disputed:
        reports, deeds = "the report", "deeds that it names"
        if last.battle.defender is not None:
            reports, deeds = "both reports", "deeds that both name"
        said += [
            f"The attacker is {who(last.battle.attackers[0])}, the defender {foe_of(last.battle)}.",
            f"Your ruling replaces {reports} (GC-Z-16). It already has the {deeds}.",
            "Replace WHY with your reason. If the file already has rulings, add yours to its list.",
        ]
        copies = Copies("ruling.yaml", last.turn, tuple(_rulings(fight)))
    if said:
        yield Section(f"{last.battle.id}: reports", tuple(said), (), tuple(tables), copies=copies)


def _head(seats: Sequence[SeatId]) -> tuple[str, ...]:
    return (
        "What",
        *(f"{seat}, {side}" for seat, side in zip(seats, ("attacker", "defender"), strict=False)),
        "Outcome",
    )


def _rows(said: Sequence[Said], seats: Sequence[SeatId]) -> Iterator[tuple[Cell, ...]]:
    """A row for each line of the reports, the result first; players who sent no result are named as missing."""
    if not any(one.part in {"results", "skirmishes"} for one in said):
        yield ("Result", *("sent nothing" for _ in seats), "nobody reported")
    for one in said:
        missing = "sent nothing" if one.part in {"results", "skirmishes"} else "–"
        yield (KINDS[one.part], *(one.line(seat) or missing for seat in seats), one.came(seats))


def agreed_deeds(fight: Fight) -> tuple[str, ...]:
    """The deeds that both sides named in the last reports of a battle (GC-Z-15)."""
    told = [one for one in fight.rounds if one.came is not None]
    if not told:
        return ()
    seats = told[-1].seats
    return tuple(
        one.line(seats[0]) for one in told[-1].said if one.part == "deeds" and all(seat in one.by for seat in seats)
    )


def _rulings(fight: Fight) -> Iterator[tuple[str, str]]:
    """Every ruling that would settle a battle: its meaning, and the whole file to copy."""
    last = fight.rounds[-1].battle
    for outcome, major in DECISIONS:
        if last.defender is None and outcome == "defender concedes":
            continue  # a garrison writes no sheet
        played = outcome in {"attacker", "defender", "draw"}
        deeds = agreed_deeds(fight) if played else ()
        decision = Decision(battle=last.id, outcome=outcome, major=major, deeds=deeds)
        yield tell_decision(decision), ruling_text(decision)


# Sheets for the table -----------------------------------------------------------------------------------------------


def _battle_sheet(turns: Turns, fight: Fight) -> Section:
    """A battle's sheet for the table: the place, the scenario, both armies with this battle's points, and their lists."""
    last = fight.rounds[-1]
    battle, position = last.battle, turns[last.turn].position
    world = World(position, {}, NamedDice(b"pages"))
    armies = [position_army(position, key) for key in (battle.attackers[0], battle.defender)]
    facts = Table(
        f"{battle.id} at {battle.at}",
        ("What", "How it is"),
        (
            ("Who plays", _players(battle)),
            *((("Reports", Due(last.turn)),) if last.came is None else (("How it ended", _state(last)),)),
            ("Where", _place(position, battle.at)),
            ("From", _place(position, armies[0].at) if armies[0] is not None and armies[0].at else "under the sand"),
            ("Scenario", scenario(fight.fought.scenario if fight.fought is not None else battle.scenario)),
        ),
    )
    sides = Table(
        "Both sides",
        ("Side", "Army", "Faction", "General", "Leadership", "Points"),
        tuple(_sides(world, position, battle)),
    )
    lists = [
        Table(f"{who(army.key)}: {army.name}, {points_of(world, army)} points", LIST, tuple(_list(army)))
        for army in armies
        if army is not None
    ]
    title = f"{battle.id}: {who(battle.attackers[0])} against {foe_of(battle)}"
    return Section(title, tuple(_rules(world, position, last)), (), (facts, sides, *lists), sheet=True)


def position_army(position: Position, key: ArmyKey | None) -> Army | None:
    """An army by its key; None for a garrison."""
    return next((army for army in position.armies if army.key == key), None)


def _players(battle: Battle) -> str:
    attacker = battle.attackers[0].rpartition(" ")[0]
    if battle.defender is None:
        return f"{attacker} attacks; the garrison is led by the host or a third player, or by the resolver"
    return f"{attacker} attacks, {battle.defender.rpartition(' ')[0]} defends"


def _place(position: Position, at: Hex) -> str:
    """A hex with its terrain, its construction or holder, river and road."""
    kind = position.works.get(at) or position.cities.get(at)
    holder = position.holder.get(at)
    theirs = whose(holder) if holder else "nobody’s"
    parts = (
        at,
        terrain(position.terrain[at]),
        f"{theirs} {work(kind) if kind else 'land'}",
        "a river" if at in position.plan.rivers.hexes else "",
        "a road" if at in position.roads else "",
    )
    return ", ".join(part for part in parts if part)


def _rules(world: World, position: Position, last: Round) -> Iterator[str]:
    """Special rules of a battle, with their ids."""
    battle = last.battle
    plain = SCENARIOS[battle.scenario]
    one, other = plain.points
    joint = JOINT * (len(battle.attackers) > 1)
    yield (
        f"{plain.name}: a win is worth {one + joint} Conquest Points to the attacker or {other} to the defender, and a great victory {MAJOR} more "
        f"(GC-V-15). You may agree on another scenario, if both reports name it (GC-R-1, GC-R-2)."
    )
    if joint:
        attack = "attacks" if len(battle.attackers) == 2 else "attack"
        yield f"{join_words([who(key) for key in battle.attackers[1:]])} {attack} too: {JOINT} of those points are for that (GC-V-14)."
    if battle.wins is not None:
        yield f"A victory for the attacker counts as winning a {battle.wins.title()} (GC-R-3)."
    if plain.artefact:
        yield "Whoever wins a great victory here may find an Artefact (GC-U-15)."
    if battle.twice:
        yield f"{foe_of(battle)} was attacked by two armies: if it is beaten, its defeat die is lowered by 1 (GC-V-8)."
    keys = [key for key in (battle.attackers[0], battle.defender) if key is not None]
    for army in (world.armies[key] for key in keys):
        if army.fervour is not None:
            more = abs(points_of(world, army) - army.points)
            yield f"{who(army.key)} has {more} points {FERVOUR[army.fervour]} (GC-I-50)."
    if last.came is not None:
        pass  # the table shows how it ended
    elif battle.defender is None:
        yield "The resolver judges a garrison unless the battle was played; the host has to confirm a report of such a battle (GC-Z-19)."
    else:
        auto = (position.settings.unplayed or position.plan.configuration.unplayed) == "auto"
        yield f"If nobody reports, {'the resolver judges it' if auto else 'it counts as not fought'} (GC-Z-18)."
    yield "What a Level is worth at the table: characters GC-S-15, units GC-T-8."


def _sides(world: World, position: Position, battle: Battle) -> Iterator[tuple[Cell, ...]]:
    for at, key in enumerate(battle.attackers):
        army = world.armies.get(key)
        if army is not None:
            yield _side("attacks" if at == 0 else "joins the attack, but does not fight", world, army)
    if battle.defender is not None:
        yield _side("defends", world, world.armies[battle.defender])
    else:
        kind = CONSTRUCTIONS[position.cities[battle.at]]
        yield "defends", f"the garrison of the {kind.name}", "", "", kind.garrison, ""


def _side(side: str, world: World, army: Army) -> tuple[Cell, ...]:
    points = points_of(world, army)
    more = points - army.points
    worth: Cell = f"{points} ({army.points} {'+' if more > 0 else '-'} {abs(more)})" if more else points
    return side, who(army.key), FACTIONS[army.faction].name, army.name, army.ld, worth


LIST = ("Name", "Is a", "Models", "Level", "XP", "Bears")


def _list(army: Army) -> Iterator[tuple[Cell, ...]]:
    """An army's list: characters with their artefacts, then units."""
    for one in map(character, army.characters):
        bears = ""
        if one.bears is not None:
            kind = ARTEFACTS[one.bears]
            bears = f"{one.bears} ({kind.type_}, {kind.class_}): {kind.effect}"
        role = ", ".join(part for part in (one.role or "character", "vampire" if one.vampire else "") if part)
        yield one.name, role, "", one.level or "", one.xp or "", bears
    for troop in map(unit, army.units):
        yield troop.name, ", ".join(troop.tags) or "unit", troop.models or "", troop.level or "", troop.xp or "", ""


# Skirmishes ---------------------------------------------------------------------------------------------------------


def _duel_came(duel: Duel) -> str:
    assert duel.came is not None
    if duel.came.how == "unplayed":
        return "not played"
    return f"{who(duel.came.winner)} won" if duel.came.winner is not None else "a tie"


def _duel_reports(turns: Turns, duel: Duel) -> Section:
    """Both players' reports of a skirmish, side by side (GC-W-9)."""
    said = (tell(turns[duel.turn].position, duel.came),) if duel.came is not None else ()
    head = ("What", *duel.seats, "Outcome")
    return Section(f"{duel.id}: reports", said, (), (Table(duel.id, head, tuple(_rows(duel.said, duel.seats))),))


def _duel_sheet(position: Position, duel: Duel) -> Section:
    """A skirmish's sheet for the table: both parties, and how to report the result."""
    quarrel = duel.quarrel
    parties = {party.key: party for party in position.parties}
    rows = [_party(parties[key]) for key in (quarrel.comer, quarrel.other) if key in parties]
    head = ("Party", "Type", "Members", "Strength", "Gold", "Weirdstone")
    title = f"{duel.id}: {who(quarrel.comer)} against {who(quarrel.other)}"
    said = (
        f"They meet here: {_place(position, quarrel.at)}.",
        "If you play it, both of you write the same line; otherwise the dice decide (GC-W-9).",
    )
    return Section(title, said, (), (Table(title, head, tuple(rows)),), sheet=True)


def _party(party: Party) -> tuple[Cell, ...]:
    kind = PARTIES[party.type_]
    strength = party.members + kind.strength
    return who(party.key), kind.name, party.members, strength, party.gold, party.weirdstone or 0
