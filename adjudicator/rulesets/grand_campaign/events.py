"""The facts that a turn of the campaign can produce, each with its cause. Everybody learns all of them (GC-Z-13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.facts import EVERYBODY, Facts, Say, fact
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Position
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, Code, Season
from adjudicator.rulesets.grand_campaign.words import (
    OMENS,
    SPELLINGS,
    action,
    dice,
    hexes,
    reason_words,
    scenario,
    terrain,
    who,
    work,
)

(
    PLACING, DIPLOMACY, INCOME, SPENDING, ARMIES, PARTIES, TO_FIGHT, JOUSTS, BATTLES, DEFEAT, SKIRMISHES, NEXT
) = HEADINGS = (
    "Placing",
    "Diplomacy",
    "Income",
    "Spending",
    "Armies",
    "Adventuring parties",
    "Battles to fight",
    "Jousts",
    "Battles",
    "Defeat and conquest",
    "Skirmishes",
    "The next season",
)  # fmt: skip
"""The phases of a season (GC-J-1), as headings."""
BY_ARMIES = frozenset({"fell_forest", "cultivate", "clear", "nurture_forest"})
"""Actions of armies that change terrain."""


def _lesson(one: Lesson) -> str:
    up = f", Level {one.level}" if one.rose else ""
    return f"{one.name} {one.change:+d} XP (now {one.xp}{up})"


def reshaping(_: Position, told: Reshaped) -> str:
    """Sentence about terrain that changed, with the cause and the place."""
    where = f" round {told.centre}" if told.centre is not None and len(told.changes) > 1 else ""
    far = f", out to {told.radius} {'hex' if told.radius == 1 else 'hexes'}" if told.radius is not None else ""
    into: dict[Code, list[Hex]] = {}
    for label, code in told.changes:
        into.setdefault(code, []).append(label)
    became = "; ".join(f"{hexes(labels)} became {terrain(code)}" for code, labels in into.items())
    return f"{OMENS.get(told.why) or action(told.why)}{where}{far}: {became}."


def marching(_: Position, told: Marched) -> str:
    """Sentence about the route of an army or a party, with the Movement that it spent."""
    spent, there = told.path[-1]
    to = f"out of {told.start} and back" if there == told.start else f"from {told.start} to {there}"
    return f"{who(told.who)} marched {to}: {spent} Movement." if spent else f"{who(told.who)} went {to}."


def fought(_: Position, told: Fought) -> str:
    """Sentence about the result of a battle, with its source."""
    foe = who(told.defender) if told.defender is not None else "the garrison"
    lead = who(told.attackers[0])
    hows = {
        "agreed": "as both report", "alone": "by the one report", "resolver": "by the resolver", "ruled": "by the host’s ruling",
        "conceded": "by concession", "unplayed": "as nobody reported",
    }  # fmt: skip
    how = f"{hows[told.how]}: {told.reason}" if told.reason else hows[told.how]
    if told.winner is None:
        came = "ended in a draw" if told.drawn else "was not fought"
        return f"{told.id}, {lead} against {foe} for {told.at}, {came} ({how.rstrip('.')})."
    winner, loser = (lead, foe) if told.winner == "attacker" else (foe, lead)
    won = "won a great victory over" if told.major else "beat"
    return f"{told.id} for {told.at} ({scenario(told.scenario)}): {winner} {won} {loser} ({how.rstrip('.')})."


def conquering(_: Position, told: Conquered) -> str:
    """Sentence about conquered hexes, grouped by former holder."""
    held: dict[str | None, list[Hex]] = {}
    for label, seat in told.hexes:
        held.setdefault(seat, []).append(label)
    parts = [
        f"{join_words(labels)}{f' from {seat}' if seat is not None else ', which nobody held' if len(held) > 1 else ''}"
        for seat, labels in held.items()
    ]
    return f"{who(told.army)} conquered {', and '.join(parts)}."


def buying(_: Position, told: Bought) -> str:
    """Sentence about a construction seized or destroyed, with the tests of Leadership."""
    name = work(told.work) if told.work is not None else ""
    whose_ = f"{whose(told.of)} {name}" if told.of is not None else f"the {name}"
    points = f"for {many(told.points, 'Conquest Point')}"
    match told.what:
        case "destroy":
            return f"{who(told.army)} destroyed {whose_} on {told.at} {points}, and took {told.gold} gold."
        case "seize":
            tests = f"Leadership {told.needed}, rolled {dice(told.tests)}"
            if told.failed and not told.hexes:
                return f"{who(told.army)} stormed {whose_} on {told.at} in vain, {points} ({tests})."
            if told.failed:
                return (
                    f"{who(told.army)} stormed {whose_} on {told.at} {points}, and it was lost in the storm ({tests})."
                )
            brought = f", along with {hexes(told.hexes)}," if len(told.hexes) > 1 else ""
            return f"{who(told.army)} seized {whose_} on {told.at}{brought} {points} ({tests})."
        case _:
            assert_never(told.what)


def passing(_: Position, told: Passed) -> str:
    """Sentence about a line of a plan of conquest that could not be carried out, with the reason."""
    why, hex_ = reason_words(told.reason, told.facts), told.line.rpartition(" ")[2]
    why = f"it{why.removeprefix(hex_)}" if why.startswith(f"{hex_} ") else why
    return f"{who(told.army)} could not {told.line}: {why}."


def skirmishing(_: Position, told: Skirmished) -> str:
    """Sentence about the result of a skirmish, with the losses."""
    pair = f"{who(told.comer)} and {who(told.other)}"
    if told.how == "unplayed":
        return f"{told.id}: {pair} did not fight at {told.at}."
    scores = f" ({sum(told.comer_score)} to {sum(told.other_score)})" if told.comer_score else ""
    if told.winner is None:
        return f"{told.id}: {pair} fought to a tie at {told.at}{scores}; each lost {many(told.comer_lost, 'member')}."
    loser, lost = (told.other, told.other_lost) if told.winner == told.comer else (told.comer, told.comer_lost)
    gold = f"{',' if told.weirdstone else ' and'} {told.gold or 'no'} gold"
    stone = f" and {many(told.weirdstone, 'Weirdstone')}" if told.weirdstone else ""
    return f"{told.id}: {who(told.winner)} beat {who(loser)} at {told.at}{scores}; the loser lost {many(lost, 'member')}{gold}{stone}."


@fact("{seat:whose} {thing} at {at}{how:placed}.", rule="GC-C-4", weight=8, heard=EVERYBODY, part=PLACING)
class Placed:
    """A player's settlement or army was placed on the map before the start (GC-C-4)."""

    event: Literal["placed"] = "placed"
    seat: SeatId
    what: str
    """A construction, or the id of an army."""
    at: Hex
    how: Literal["wish", "start", "first"]
    """Source of the hex: the player's wish, the campaign's start, or the first hex that fits."""

    @property
    def thing(self) -> str:
        """`City was founded`, `A1 was stationed`."""
        return f"{work(self.what)} was founded" if self.what in CONSTRUCTIONS else f"{self.what} was stationed"


@fact("There was no room for {seat:whose} {what:work}.", rule="GC-C-4", weight=46, heard=EVERYBODY, part=PLACING)
class Unplaced:
    """There was nowhere to place a player's settlement or army."""

    event: Literal["unplaced"] = "unplaced"
    seat: SeatId
    what: str


@fact(
    "{season:season} of year {year} began with {omen:omen} ({dice}); the Player Order is {order}.",
    rule=("GC-K-2", "GC-D-1"), weight=15, heard=EVERYBODY, part=NEXT,
)  # fmt: skip
class Opened:
    """A season began: its event, and the Player Order (GC-K-2, GC-D-1)."""

    event: Literal["opened"] = "opened"
    turn: Whole
    season: Season
    omen: str
    dice: tuple[Whole, ...]
    order: tuple[SeatId, ...]

    @property
    def year(self) -> int:
        """The year of the season, from 1."""
        return (self.turn - 1) // 4 + 1


@fact("Portals opened in {hexes}.", rule="GC-K-3", weight=16, heard=EVERYBODY, part=NEXT)
class Portals:
    """Six hexes became portals until the season ends (GC-K-3)."""

    event: Literal["portals"] = "portals"
    hexes: tuple[Hex, ...]


@fact("{seat} may upgrade a settlement in a Golden Age.", rule="GC-K-14", weight=16, heard=EVERYBODY, part=NEXT)
class Golden:
    """A player may upgrade a settlement (GC-K-14)."""

    event: Literal["golden"] = "golden"
    seat: SeatId


Shaper = Literal[
    "volcanic_quenching", "weather_extremes", "forest_fire", "forest_thrives", "volcanic_activity", "cataclysm", "awakening",
    "fell_forest", "cultivate", "clear", "nurture_forest",
]  # fmt: skip


@fact(
    Say(reshaping, {"why": BY_ARMIES}, part=ARMIES),
    reshaping,
    rule=("GC-K-1", "GC-O-27", "GC-O-31"), weight=35, heard=EVERYBODY, part=NEXT,
)  # fmt: skip
class Reshaped:
    """Terrain changed (GC-K, GC-O-27 to GC-O-31)."""

    event: Literal["reshaped"] = "reshaped"
    why: Shaper
    centre: Hex | None = None
    """The hex that it began at, if there is one."""
    radius: Whole | None = None
    changes: tuple[tuple[Hex, Code], ...]
    """Each hex with its new terrain."""


@fact(
    Say("The {what:work} on {at} was destroyed by the eruption.", {"why": "eruption"}),
    Say("The {what:work} on {at} sank into the new Volcano.", {"why": "awakening"}),
    Say("The {what:work} on {at} fell in {by:whose} earthquake.", {"why": "earthquake"}, part=ARMIES),
    Say("{by} razed the {what:work} on {at}.", {"why": "razed"}),
    "The {what:work} on {at} fell in {by:whose} storm.",
    rule=("GC-K-28", "GC-I-57", "GC-V-25"), weight=42, heard=EVERYBODY, part=NEXT,
)  # fmt: skip
class Wrecked:
    """A construction or a road was destroyed (GC-K-28, GC-I-57, GC-V-25)."""

    event: Literal["wrecked"] = "wrecked"
    at: Hex
    what: str
    why: Literal["eruption", "awakening", "earthquake", "razed", "test"]
    by: SeatId | None = None


End = Literal["eruption", "defeat", "surrounded", "nowhere", "members", "out"]
"""Causes of an army's or a party's end."""


@fact(
    Say("{who:army} {why:end}{there}.", {"why": "eruption"}),
    Say("{who:army} {why:end}{there}.", {"why": "members"}, part=SKIRMISHES),
    Say("{who:army} {why:end}{there}.", part=DEFEAT),
    rule=("GC-K-28", "GC-V-3", "GC-G-9", "GC-F-15"), weight=65, heard=EVERYBODY, part=NEXT,
)  # fmt: skip
class Perished:
    """An army or a party was lost (GC-K-28, GC-V-3, GC-G-9, GC-F-15)."""

    event: Literal["perished"] = "perished"
    who: ArmyKey
    at: Hex
    why: End

    @property
    def there(self) -> str:
        """` in 0304`; empty without a place."""
        return f" in {self.at}" if self.at else ""


@fact(
    Say("{who:army} left {start} for {at} when the Volcano awoke.", {"why": "awakening"}),
    Say("{who:army} left {start} for {at} when the alliance ended.", part=DIPLOMACY),
    rule=("GC-K-31", "GC-L-14"), weight=24, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Displaced:
    """An army had to leave its hex (GC-K-31, GC-L-14)."""

    event: Literal["displaced"] = "displaced"
    who: ArmyKey
    start: Hex
    at: Hex
    why: Literal["awakening", "alliance"]


@fact(
    Say("{by} declared war on {to}.", {"what": "war"}),
    Say("{by} and {to} made an alliance.", {"what": "alliance"}),
    Say("{by} and {to} made peace.", {"what": "peace"}),
    "{by} dissolved the alliance with {to}.",
    rule=("GC-L-2", "GC-L-3", "GC-L-4", "GC-L-5"), weight=75, heard=EVERYBODY, part=DIPLOMACY,
)  # fmt: skip
class Treated:
    """A relation changed (GC-L)."""

    event: Literal["treated"] = "treated"
    what: Literal["war", "alliance", "peace", "dissolved"]
    by: SeatId
    to: SeatId


@fact("{by} gave {to} {gave:goods} for {got:goods}.", rule="GC-L-7", weight=32, heard=EVERYBODY, part=DIPLOMACY)
class Traded:
    """Two players traded (GC-L-7)."""

    event: Literal["traded"] = "traded"
    by: SeatId
    to: SeatId
    gave: tuple[str, ...]
    got: tuple[str, ...]


@fact(
    Say("{seat} took in {total} gold: {purse} in the purse.", {"lost": 0}),
    "{seat} took in {total} gold, and lost {lost} above the cap: {purse} in the purse.",
    rule=("GC-M-1", "GC-B-2"), weight=2, heard=EVERYBODY, part=INCOME,
)  # fmt: skip
class Income:
    """A player's income (GC-M), and the part lost to the cap (GC-B-2)."""

    event: Literal["income"] = "income"
    seat: SeatId
    parts: tuple[tuple[Hex, str, Whole], ...] = ()
    """The hex, source and gold of each part."""
    total: Whole
    lost: Whole = 0
    purse: Whole


@fact("{seat:whose} Mine on {at} is worked out.", rule="GC-M-2", weight=26, heard=EVERYBODY, part=INCOME)
class Exhausted:
    """A Mine was exhausted (GC-M-2)."""

    event: Literal["exhausted"] = "exhausted"
    seat: SeatId
    at: Hex


@fact(
    Say("{who:army}, the army of {name}, was raised at {at} for {price} gold.", {"members": 0}),
    "{who:army} ({name:party}, {members:many member}) was hired at {at} for {price} gold.",
    rule=("GC-N-2", "GC-N-3"), weight=30, heard=EVERYBODY, part=SPENDING,
)  # fmt: skip
class Recruited:
    """An army or a party was bought, or a party hired more members (GC-N)."""

    event: Literal["recruited"] = "recruited"
    who: ArmyKey
    at: Hex
    name: str
    price: Whole
    members: Whole = 0


@fact(
    Say("{seat} built {what:a work} on {at}{price:cost}.", {"how": "built"}),
    Say("{seat} improved {at} to {what:a work}{price:cost}.", {"how": "improved"}),
    Say("{seat} improved {at} to {what:a work} in the Golden Age.", {"how": "golden"}, part=SPENDING),
    "{seat} moved {what:a work} from {start} to {at}{price:cost}.",
    rule=("GC-O-20", "GC-O-22", "GC-O-32"), weight=40, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Built:
    """A construction or a road was built, improved or moved (GC-O-20, GC-O-22, GC-O-32)."""

    event: Literal["built"] = "built"
    seat: SeatId
    what: str
    at: Hex
    how: Literal["built", "improved", "golden", "moved"]
    price: Whole = 0
    tick: Whole = 0
    start: Hex | None = None


@fact(Say(marching, {"party": True}, part=PARTIES), marching, rule="GC-P-17", weight=1, heard=EVERYBODY, part=ARMIES)
class Marched:
    """The route of an army or a party: the Movement spent so far and the hex, for each hex entered (GC-P-17)."""

    event: Literal["marched"] = "marched"
    who: ArmyKey
    start: Hex
    path: tuple[tuple[Whole, Hex], ...]

    @property
    def party(self) -> bool:
        """Whether it is a party."""
        return self.who.rpartition(" ")[2].startswith("P")


@fact(
    Say("{seat} gained {hexes:few}, thanks to a new settlement.", {"why": "settlement"}),
    Say("{seat} gained {hexes:few}, thanks to a new Mine.", {"why": "mine"}),
    "{seat} {why:claimed} {hexes:few}.",
    rule=("GC-O-18", "GC-E-3", "GC-P-15"), weight=25, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Claimed:
    """A player gained hexes (GC-O-18, GC-E-3, GC-P-15)."""

    event: Literal["claimed"] = "claimed"
    seat: SeatId
    hexes: tuple[Hex, ...]
    why: Literal["claim", "settlement", "mine", "conquest"]


@fact(
    "{seats} claimed {hexes:few} at once, so nobody got anything.",
    rule="GC-P-15",
    weight=21,
    heard=EVERYBODY,
    part=ARMIES,
)
class Contested:
    """Hexes that nobody gained, because two players claimed them (GC-P-15)."""

    event: Literal["contested"] = "contested"
    hexes: tuple[Hex, ...]
    seats: tuple[SeatId, ...]


@fact(
    Say("{who:army} was caught looting in {at}, and lost {purse} gold to {of}.", {"what": "caught"}, part=PARTIES),
    Say("{who:army} looted {of:whose} Town on {at}: {gold} gold for the realm, and {purse} for itself.", {"what": "loot_town"}, part=PARTIES),
    Say("{who:army} brought {purse} gold home to {at}.", {"what": "convert_gold"}, part=PARTIES),
    Say("{who:army} raided {of:whose} coast for {gold} gold.", {"what": "coastal_raid"}),
    "{who:army} earned {gold} gold ({what:action}).",
    rule=("GC-O-27", "GC-I-17", "GC-Q-9"), weight=14, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Earned:
    """An action earned or cost gold (GC-O-27, GC-I-17, GC-Q-9)."""

    event: Literal["earned"] = "earned"
    who: ArmyKey
    what: str
    gold: Whole
    """The Realm Gold that was earned."""
    purse: Whole = 0
    """The Party Gold that was earned, lost or brought home."""
    of: SeatId | None = None
    at: Hex | None = None
    tick: Whole = 0


@fact(
    Say("{who:army} searched the ruin on {at}, and found nothing.", {"artefact": None, "gold": 0}),
    Say("{who:army} searched the ruin on {at}, and found {gold} gold and a Weirdstone.", {"artefact": None}, part=PARTIES),
    "{who:army} found the {artefact} in the ruin on {at}; {bearer} bears it.",
    rule=("GC-O-36", "GC-Q-12"), weight=20, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Explored:
    """An army or a party searched a ruin (GC-O-36, GC-Q-12)."""

    event: Literal["explored"] = "explored"
    who: ArmyKey
    at: Hex
    artefact: str | None = None
    bearer: str | None = None
    gold: Whole = 0
    tick: Whole = 0


@fact("{who:army} switched to the list {name}.", rule="GC-O-34", weight=18, heard=EVERYBODY, part=ARMIES)
class Reformed:
    """An army took another list (GC-O-34)."""

    event: Literal["reformed"] = "reformed"
    who: ArmyKey
    name: str


@fact(
    Say("{who:army} went under the sand in {start}.", {"how": "sands"}),
    Say("{who:army} came out of the sand in {at}.", {"how": "emerged"}),
    "{who:army} went from {start} to {at} in an instant.",
    rule=("GC-I-14", "GC-I-73", "GC-H-10"), weight=19, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Appeared:
    """An army went under the sand, came out of it, or was teleported (GC-I-14, GC-I-73, GC-H-10)."""

    event: Literal["appeared"] = "appeared"
    who: ArmyKey
    start: Hex | None = None
    at: Hex | None = None
    how: Literal["sands", "emerged", "teleport", "teleporter"]


@fact("{who:armies} met at {at}, and stopped.", rule=("GC-P-8", "GC-P-9"), weight=17, heard=EVERYBODY, part=ARMIES)
class Halted:
    """Armies met and stopped (GC-P-8, GC-P-9)."""

    event: Literal["halted"] = "halted"
    who: tuple[ArmyKey, ...]
    at: Hex
    tick: Whole


@fact(
    "{attacker:army} ran into {defender:army} at {at}.",
    rule=("GC-P-10", "GC-P-22"), weight=50, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Clashed:
    """Two Enemies ran into each other (GC-P-10, GC-P-22)."""

    event: Literal["clashed"] = "clashed"
    attacker: ArmyKey
    defender: ArmyKey
    at: Hex
    tick: Whole


@fact(
    "{first:army} and {second:army} rolled off, {rolls}: {loser:army} stays on the defensive.",
    rule="GC-O-41", weight=23, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class RolledOff:
    """Two armies prepared to attack near each other; the one with the lower roll falls back to Defensive Deployment (GC-O-41)."""

    event: Literal["rolled-off"] = "rolled-off"
    first: ArmyKey
    second: ArmyKey
    dice: tuple[tuple[Whole, Whole], ...]
    loser: ArmyKey

    @property
    def rolls(self) -> str:
        """Both dice of each roll: `3 against 5`; after a tie, `2 against 2, then 3 against 5`."""
        return ", then ".join(f"{one} against {two}" for one, two in self.dice)


@fact(
    Say("Nobody answered {army:army} at {at}, so it annexes the hex.", {"annexes": True}),
    "Nobody answered {army:army} at {at}, so next season it may annex the hex.",
    rule="GC-O-45", weight=45, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Unchallenged:
    """An attack met nobody. The army annexes now, or may do so next season (GC-O-45)."""

    event: Literal["unchallenged"] = "unchallenged"
    army: ArmyKey
    at: Hex
    annexes: Flag = False


@fact(
    "Battle {id} for {at} ({scenario:scenario}): {attackers:armies} against {defender:foe}.",
    rule="GC-R-1", weight=70, heard=EVERYBODY, part=TO_FIGHT,
)  # fmt: skip
class Joined:
    """A battle is to be fought (GC-R)."""

    event: Literal["joined"] = "joined"
    id: str
    at: Hex
    attackers: tuple[ArmyKey, ...]
    defender: ArmyKey | None = None
    scenario: str


@fact("{who:army} sabotaged the Mine on {at}.", rule="GC-Q-11", weight=33, heard=EVERYBODY, part=PARTIES)
class Sabotaged:
    """A Mine yields nothing in the next income (GC-Q-11)."""

    event: Literal["sabotaged"] = "sabotaged"
    who: ArmyKey
    at: Hex


@fact(
    "{who:army} harried {army:army}: {loses} less Movement next season.",
    rule="GC-Q-17", weight=13, heard=EVERYBODY, part=PARTIES,
)  # fmt: skip
class Harried:
    """Guerrilla Tactics slowed an army (GC-Q-17)."""

    event: Literal["harried"] = "harried"
    who: ArmyKey
    army: ArmyKey
    loses: Whole


@fact("{who:army} patrols round {at}.", rule="GC-Q-15", weight=3, heard=EVERYBODY, part=PARTIES)
class Patrolling:
    """A party patrols (GC-Q-15)."""

    event: Literal["patrolling"] = "patrolling"
    who: ArmyKey
    at: Hex


@fact(
    "{comer:army} and {other:army} met at {at}, and drew their blades.",
    rule="GC-Q-6", weight=12, heard=EVERYBODY, part=PARTIES,
)  # fmt: skip
class Met:
    """Two parties will fight in the Skirmish Phase (GC-Q-6)."""

    event: Literal["met"] = "met"
    comer: ArmyKey
    other: ArmyKey
    at: Hex


@fact(
    "{who:army} gave {number:many Weirdstone} to {character} of {army:army}.",
    rule="GC-I-68", weight=11, heard=EVERYBODY, part=PARTIES,
)  # fmt: skip
class Gave:
    """A party turned Weirdstone into experience (GC-I-68)."""

    event: Literal["gave"] = "gave"
    who: ArmyKey
    army: ArmyKey
    character: str
    number: Whole


@fact(
    "From next season, {seat:whose} realm fights as {faction:faction}.",
    rule="GC-I-3", weight=48, heard=EVERYBODY, part=ARMIES,
)  # fmt: skip
class Converted:
    """A player's faction changes from the next season on (GC-I-3)."""

    event: Literal["converted"] = "converted"
    seat: SeatId
    faction: str


@fact(
    "Everybody wishes to close the campaign with this season.",
    rule="GC-A-5", weight=52, heard=EVERYBODY, part=DIPLOMACY,
)  # fmt: skip
class Closing:
    """Everybody wishes to close the campaign with this season (GC-A-5)."""

    event: Literal["closing"] = "closing"


@fact(
    "{rode} rode in {by:whose} joust; {winner} won, and took {prize}.",
    rule=("GC-W-4", "GC-W-7"), weight=22, heard=EVERYBODY, part=JOUSTS,
)  # fmt: skip
class Jousted:
    """A joust was held (GC-W-4 to GC-W-7)."""

    event: Literal["jousted"] = "jousted"
    by: SeatId
    riders: tuple[tuple[SeatId, str], ...]
    """Each rider's player and character, in the order of the draw."""
    bouts: tuple[tuple[SeatId, SeatId, SeatId], ...]
    """The two players of each bout, and its winner."""
    winner: SeatId
    gold: Whole = 0
    """The winner's gold, including their own fee."""
    artefacts: tuple[str, ...] = ()

    @property
    def rode(self) -> str:
        """The riders: `Anna’s Sir Aldric and Ben’s Lady Maud`."""
        return join_words([f"{whose(seat)} {name}" for seat, name in self.riders])

    @property
    def prize(self) -> str:
        """The prize: gold, or artefacts."""
        return f"{self.gold} gold" if self.gold else join_words([f"the {artefact}" for artefact in self.artefacts])


@fact(
    "The resolver judged {id}: attack {attack} plus the dice {attacker_dice}; defence {defence} plus the dice {defender_dice}; margin {margin}.",
    rule=("GC-Z-21", "GC-Z-24"), weight=6, heard=EVERYBODY, part=BATTLES,
)  # fmt: skip
class Rated:
    """The resolver's sums for a battle (GC-Z-21 to GC-Z-24)."""

    event: Literal["rated"] = "rated"
    id: str
    attacker: tuple[tuple[str, int], ...]
    """Name and number of each part of the attacker's rating, such as `points`, `ld` or `scenario`; the base of 10 is not included."""
    defender: tuple[tuple[str, int], ...]
    attacker_dice: tuple[Whole, ...]
    defender_dice: tuple[Whole, ...]
    margin: int

    @property
    def attack(self) -> int:
        """The attacker’s rating."""
        return 10 + sum(number for _, number in self.attacker)

    @property
    def defence(self) -> int:
        """The defender’s rating."""
        return 10 + sum(number for _, number in self.defender)


Side = Literal["attacker", "defender"]
How = Literal["agreed", "alone", "resolver", "ruled", "conceded", "unplayed"]
"""Source of a battle's result: both reports, one report, the resolver, the host, a concession, or nobody."""


@fact(fought, rule="GC-R-11", weight=80, heard=EVERYBODY, part=BATTLES)
class Fought:
    """A battle's result (GC-R-11)."""

    event: Literal["fought"] = "fought"
    id: str
    at: Hex
    attackers: tuple[ArmyKey, ...]
    defender: ArmyKey | None = None
    scenario: str
    winner: Side | None = None
    """None for a draw or a stalemate."""
    major: Flag = False
    drawn: Flag = False
    """True if it was fought and nobody won. If False, a battle without a winner was not fought."""
    how: How
    reason: str = ""
    """The host's reason for a ruling."""


@fact(
    Say("Nobody leads a garrison: the report of {id} (“{attacker}”) waits for the host.", {"defender": ""}),
    "The reports of {id} differ (attacker: “{attacker}”; defender: “{defender}”), so the battle waits for the host.",
    rule="GC-Z-16", weight=66, heard=EVERYBODY, part=BATTLES,
)  # fmt: skip
class Disputed:
    """A battle that is waiting for the host: its reports disagree, or the one about a garrison must be confirmed (GC-Z-16)."""

    event: Literal["disputed"] = "disputed"
    id: str
    attacker: str
    defender: str


@fact(
    "{id} was not fought: {army:army} found nobody left to fight, or is no more.",
    rule="GC-H-16", weight=28, heard=EVERYBODY, part=BATTLES,
)  # fmt: skip
class Struck:
    """A battle was struck: the city's garrison was already beaten this turn, or an army is gone (GC-H-16)."""

    event: Literal["struck"] = "struck"
    id: str
    army: ArmyKey


@record
class Lesson:
    """Experience that a character or a unit gained or lost in a battle."""

    name: str
    change: int
    xp: Whole
    level: Whole
    rose: Whole = 0
    """Levels gained."""


@fact("Experience of {army:army}: {lessons}.", rule=("GC-S-2", "GC-T-1"), weight=9, heard=EVERYBODY, part=BATTLES)
class Learned:
    """Experience that an army's characters and units gained or lost (GC-S, GC-T)."""

    event: Literal["learned"] = "learned"
    army: ArmyKey
    people: tuple[Lesson, ...]

    @property
    def lessons(self) -> str:
        """Everybody's lessons in words, such as `Sir Aldric +2 XP (now 7, Level 2)`."""
        return join_words([_lesson(one) for one in self.people])


Passing = Literal["slain", "given", "joust"]


@fact(
    Say("{bearer} of {army:army} took the {artefact} from the fallen of {giver:army}.", {"how": "slain"}),
    Say("{giver:army} gave {bearer} of {army:army} the {artefact}.", {"how": "given"}),
    Say("{bearer} of {army:army} won the {artefact} from {giver:army} in the joust.", part=JOUSTS),
    rule=("GC-U-5", "GC-U-8"), weight=44, heard=EVERYBODY, part=BATTLES,
)  # fmt: skip
class Took:
    """An artefact went from one side of a battle to the other (GC-U-5, GC-U-8), or to the winner of a joust."""

    event: Literal["took"] = "took"
    artefact: str
    giver: ArmyKey
    army: ArmyKey
    bearer: str
    how: Passing


@fact(
    "{army:army} found the {artefact} on the field; {bearer} bears it.",
    rule="GC-U-15", weight=43, heard=EVERYBODY, part=BATTLES,
)  # fmt: skip
class Found:
    """A major winner found an artefact (GC-U-15)."""

    event: Literal["found"] = "found"
    army: ArmyKey
    artefact: str
    bearer: str


Line = Literal["destroyed", "mauled", "scattered", "routed", "retreats", "withdraws"]


@fact(
    Say("{army:army} was surrounded.", {"why": "surrounded"}),
    Say("{army:army} withdrew without a fight.", {"why": "conceded"}),
    "{army:army} rolled {total} on the Defeat Table{less}{warriors}, and {result:beaten}.",
    rule=("GC-V-1", "GC-V-9"), weight=38, heard=EVERYBODY, part=DEFEAT,
)  # fmt: skip
class Beaten:
    """The result of a defeated army on the Defeat Table (GC-V-1 to GC-V-9)."""

    event: Literal["beaten"] = "beaten"
    army: ArmyKey
    why: Literal["defeat", "conceded", "surrounded"]
    die: Whole = 0
    """0 if there was no roll."""
    siege: Whole = 0
    twice: Whole = 0
    """Numbers subtracted for a lost Siege, and for two attackers."""
    eternal: Whole = 0
    """The die of Eternal Warriors, if there was one (GC-I-72)."""
    result: Line

    @property
    def total(self) -> int:
        """The line of the Defeat Table that counts: the die less what is subtracted, at least 1."""
        return max(1, self.die - self.siege - self.twice)

    @property
    def less(self) -> str:
        """The die and the number subtracted from it, in words."""
        return f" (a {self.die}, less {self.siege + self.twice})" if self.siege or self.twice else ""

    @property
    def warriors(self) -> str:
        """The die of Eternal Warriors, in words."""
        return f"; Eternal Warriors rolled {self.eternal}" if self.eternal else ""


@fact(
    "{army:army} {how:retreated} from {start} to {at}.",
    rule=("GC-V-4", "GC-V-6", "GC-V-12"), weight=7, heard=EVERYBODY, part=DEFEAT,
)  # fmt: skip
class Retreated:
    """A beaten army went to another hex (GC-V-4, GC-V-6, GC-V-12)."""

    event: Literal["retreated"] = "retreated"
    army: ArmyKey
    start: Hex
    path: tuple[Hex, ...] = ()
    at: Hex
    how: Literal["retreat", "mauled", "back"]


@fact(
    Say("{army:army} has {points} Conquest Points to spend after the battle for {at}.", {"why": "battle"}),
    Say("{army:army} has {points} Conquest Points to spend after the conceded battle.", {"why": "conceded"}),
    "{army:army} has {points} Conquest Points for annexing {at}.",
    rule=("GC-V-14", "GC-V-15"), weight=8, heard=EVERYBODY, part=DEFEAT,
)  # fmt: skip
class Awarded:
    """Conquest Points of a victory or an annexation (GC-V-14, GC-V-15)."""

    event: Literal["awarded"] = "awarded"
    army: ArmyKey
    points: Whole
    why: Literal["battle", "conceded", "annex"]
    at: Hex


@fact(conquering, rule="GC-V-21", weight=36, heard=EVERYBODY, part=DEFEAT)
class Conquered:
    """Hexes bought with Conquest Points, one each (GC-V-21)."""

    event: Literal["conquered"] = "conquered"
    army: ArmyKey
    hexes: tuple[tuple[Hex, SeatId | None], ...]
    """Each hex with its former holder."""


@fact(buying, rule=("GC-V-24", "GC-V-28"), weight=60, heard=EVERYBODY, part=DEFEAT)
class Bought:
    """A construction that was seized or destroyed with Conquest Points (GC-V-24 to GC-V-28)."""

    event: Literal["bought"] = "bought"
    army: ArmyKey
    what: Literal["seize", "destroy"]
    at: Hex
    points: Whole
    work: str | None = None
    """The construction on the hex."""
    of: SeatId | None = None
    """The former holder of the hex."""
    hexes: tuple[Hex, ...] = ()
    """Hexes that changed hands."""
    tests: tuple[Whole, ...] = ()
    """Sums of the tests of Leadership (GC-V-30)."""
    needed: Whole = 0
    failed: Flag = False
    gold: Whole = 0


@fact(passing, rule="GC-V-18", weight=5, heard=EVERYBODY, part=DEFEAT)
class Passed:
    """A line of a plan of conquest that could not be carried out (GC-V-18)."""

    event: Literal["passed"] = "passed"
    army: ArmyKey
    line: str
    reason: Reason
    facts: Mapping[str, str | int] = field(default_factory=dict)


@fact("{army:army} advanced from {start} to {at}.", rule="GC-V-10", weight=27, heard=EVERYBODY, part=DEFEAT)
class Advanced:
    """A victor moved into the hex that it attacked (GC-V-10)."""

    event: Literal["advanced"] = "advanced"
    army: ArmyKey
    start: Hex
    at: Hex


@fact("{army:army} completed its move: {done} of {of} done.", rule="GC-V-13", weight=10, heard=EVERYBODY, part=DEFEAT)
class Resumed:
    """The victor of a clash completed its move (GC-V-13)."""

    event: Literal["resumed"] = "resumed"
    army: ArmyKey
    done: Whole
    of: Whole


@fact(
    Say("{seat:whose} {promoted} became the General’s Army; a new {promoted}, under {name}, gathered in {at}.", {"how": "promoted"}),
    Say("{seat:whose} General’s Army gathered anew in exile in {at}, under {name}.", {"how": "exile"}),
    "{seat:whose} General’s Army gathered anew in {at}, under {name}.",
    rule=("GC-F-12", "GC-F-15"), weight=55, heard=EVERYBODY, part=DEFEAT,
)  # fmt: skip
class Succeeded:
    """A player got a new General's Army (GC-F-12 to GC-F-15)."""

    event: Literal["succeeded"] = "succeeded"
    seat: SeatId
    name: str
    at: Hex
    how: Literal["same", "roster", "promoted", "exile"]
    promoted: str | None = None
    """The army that became the General's."""


@fact(
    "{seat} is out: they have no settlement, and lost the General’s Army again.",
    rule="GC-F-15", weight=110, heard=EVERYBODY, part=DEFEAT,
)  # fmt: skip
class Eliminated:
    """A player is out: no settlement, and the General's Army lost again (GC-F-15)."""

    event: Literal["eliminated"] = "eliminated"
    seat: SeatId


@fact(skirmishing, rule=("GC-W-10", "GC-W-14"), weight=34, heard=EVERYBODY, part=SKIRMISHES)
class Skirmished:
    """A skirmish of two parties (GC-W-10 to GC-W-14)."""

    event: Literal["skirmished"] = "skirmished"
    id: str
    at: Hex
    comer: ArmyKey
    other: ArmyKey
    comer_score: tuple[Whole, ...] = ()
    """Strength and two dice; empty if the players played it themselves."""
    other_score: tuple[Whole, ...] = ()
    winner: ArmyKey | None = None
    comer_lost: Whole = 0
    other_lost: Whole = 0
    gold: Whole = 0
    weirdstone: Whole = 0
    how: Literal["rolled", "played", "unplayed"]


@fact("{who:army} fled to {at}.", rule="GC-W-14", weight=4, heard=EVERYBODY, part=SKIRMISHES)
class Fled:
    """A party that lost its skirmish went back (GC-W-14)."""

    event: Literal["fled"] = "fled"
    who: ArmyKey
    at: Hex


Bonus = Literal["photos", "account", "story"]


@fact(
    "{by} sent in {what:gift} of {battle}: {gold} gold each for {seats}.",
    rule=("GC-W-1", "GC-W-2"), weight=20, heard=EVERYBODY, part=BATTLES,
    joins=Joint("{by} sent in photos of {items}, for {gold} gold each to {seats}.", "{battle}", {"what": "photos"}),
)  # fmt: skip
class Honoured:
    """Gold for photos, an account or a story of a battle (GC-W-1, GC-W-2)."""

    event: Literal["honoured"] = "honoured"
    battle: str
    what: Bonus
    by: SeatId
    seats: tuple[SeatId, ...]
    gold: Whole


@fact(
    Say("The campaign is over.", {"why": "turns"}),
    "The campaign is over, as everybody wished.",
    rule="GC-A-5", weight=120, heard=EVERYBODY, part=NEXT,
)  # fmt: skip
class Closed:
    """The campaign is over (GC-A-5)."""

    event: Literal["closed"] = "closed"
    why: Literal["turns", "agreed"]


AnyEvent: TypeAlias = (
    Placed | Unplaced | Opened | Portals | Golden | Reshaped | Wrecked | Perished | Displaced | Treated | Traded | Income
    | Exhausted | Recruited | Built | Marched | Claimed | Contested | Earned | Explored | Reformed | Appeared | Halted
    | Clashed | RolledOff | Unchallenged | Joined | Sabotaged | Harried | Patrolling | Met | Gave | Converted | Closing | Jousted
    | Rated | Fought | Disputed | Struck | Learned | Took | Found | Beaten | Retreated | Awarded | Conquered | Bought | Passed | Advanced | Resumed
    | Succeeded | Eliminated | Skirmished | Fled | Honoured | Closed
)  # fmt: skip
FACTS: Facts[AnyEvent] = Facts.of(AnyEvent, ("", *HEADINGS), SPELLINGS)
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""One entry under `events` in a turn's file."""
