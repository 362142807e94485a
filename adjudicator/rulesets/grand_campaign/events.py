"""The facts that a turn of the campaign can produce, each with its cause. Everybody hears of all of them (GC-Z-13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.position import ArmyKey
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.tables import Code, Season


@record
class Placed:
    """A player's settlement or army came onto the map before the start (GC-C-4)."""

    event: Literal["placed"] = "placed"
    seat: SeatId
    what: str
    """A construction, or the id of an army."""
    at: Hex
    how: Literal["wish", "start", "first"]
    """By the player's wish, by the campaign's start, or on the first hex that would do."""


@record
class Unplaced:
    """There was no room for a player's settlement or army."""

    event: Literal["unplaced"] = "unplaced"
    seat: SeatId
    what: str


@record
class Opened:
    """A season began: its event, and the Player Order (GC-K-2, GC-D-1)."""

    event: Literal["opened"] = "opened"
    turn: Whole
    season: Season
    omen: str
    dice: tuple[Whole, ...]
    order: tuple[SeatId, ...]


@record
class Portals:
    """Six hexes became portals until the season ends (GC-K-3)."""

    event: Literal["portals"] = "portals"
    hexes: tuple[Hex, ...]


@record
class Golden:
    """A player may upgrade a settlement (GC-K-14)."""

    event: Literal["golden"] = "golden"
    seat: SeatId


Shaper = Literal[
    "volcanic_quenching", "weather_extremes", "forest_fire", "forest_thrives", "volcanic_activity", "cataclysm", "awakening",
    "fell_forest", "cultivate", "clear", "nurture_forest",
]  # fmt: skip


@record
class Reshaped:
    """Terrain changed (GC-K, GC-O-27 to GC-O-31)."""

    event: Literal["reshaped"] = "reshaped"
    why: Shaper
    centre: Hex | None = None
    """The hex that it began at, where there is one."""
    radius: Whole | None = None
    changes: tuple[tuple[Hex, Code], ...]
    """Hex and what it is now."""


@record
class Wrecked:
    """A construction or a road was destroyed (GC-K-28, GC-I-57, GC-V-25)."""

    event: Literal["wrecked"] = "wrecked"
    at: Hex
    what: str
    why: Literal["eruption", "awakening", "earthquake", "razed", "test"]
    by: SeatId | None = None


End = Literal["eruption", "defeat", "surrounded", "nowhere", "members", "out"]
"""How an army or a party may come to its end."""


@record
class Perished:
    """An army or a party is gone (GC-K-28, GC-V-3, GC-G-9, GC-F-15)."""

    event: Literal["perished"] = "perished"
    who: ArmyKey
    at: Hex
    why: End


@record
class Displaced:
    """An army had to leave the hex where it stood (GC-K-31, GC-L-14)."""

    event: Literal["displaced"] = "displaced"
    who: ArmyKey
    start: Hex
    at: Hex
    why: Literal["awakening", "alliance"]


@record
class Treated:
    """A relation changed (GC-L)."""

    event: Literal["treated"] = "treated"
    what: Literal["war", "alliance", "peace", "dissolved"]
    by: SeatId
    to: SeatId


@record
class Traded:
    """Two players traded (GC-L-7)."""

    event: Literal["traded"] = "traded"
    by: SeatId
    to: SeatId
    gave: tuple[str, ...]
    got: tuple[str, ...]


@record
class Income:
    """A player's income (GC-M), and what the cap took of it (GC-B-2)."""

    event: Literal["income"] = "income"
    seat: SeatId
    parts: tuple[tuple[Hex, str, Whole], ...] = ()
    """Hex, what yielded, and how much."""
    total: Whole
    lost: Whole = 0
    purse: Whole


@record
class Exhausted:
    """A Mine is worked out (GC-M-2)."""

    event: Literal["exhausted"] = "exhausted"
    seat: SeatId
    at: Hex


@record
class Recruited:
    """An army or a party was bought, or a party hired more members (GC-N)."""

    event: Literal["recruited"] = "recruited"
    who: ArmyKey
    at: Hex
    name: str
    price: Whole
    members: Whole = 0


@record
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


@record
class Marched:
    """An army's or a party's way, each hex behind the Movement that was spent by then (GC-P-17)."""

    event: Literal["marched"] = "marched"
    who: ArmyKey
    start: Hex
    path: tuple[tuple[Whole, Hex], ...]


@record
class Claimed:
    """Hexes came to a player (GC-O-18, GC-E-3, GC-P-15)."""

    event: Literal["claimed"] = "claimed"
    seat: SeatId
    hexes: tuple[Hex, ...]
    why: Literal["claim", "settlement", "mine", "conquest"]


@record
class Contested:
    """Hexes that nobody got, because two players claimed them (GC-P-15)."""

    event: Literal["contested"] = "contested"
    hexes: tuple[Hex, ...]
    seats: tuple[SeatId, ...]


@record
class Earned:
    """Gold came or went by an action (GC-O-27, GC-I-17, GC-Q-9)."""

    event: Literal["earned"] = "earned"
    who: ArmyKey
    what: str
    gold: Whole
    """Realm Gold, unless it is a party's."""
    purse: Whole = 0
    """Party Gold."""
    of: SeatId | None = None
    at: Hex | None = None
    tick: Whole = 0


@record
class Explored:
    """An army or a party searched a ruin (GC-O-36, GC-Q-12)."""

    event: Literal["explored"] = "explored"
    who: ArmyKey
    at: Hex
    artefact: str | None = None
    bearer: str | None = None
    gold: Whole = 0
    tick: Whole = 0


@record
class Reformed:
    """An army changed its list (GC-O-34)."""

    event: Literal["reformed"] = "reformed"
    who: ArmyKey
    name: str


@record
class Appeared:
    """An army went under the sand, came out of it, or was elsewhere all at once (GC-I-14, GC-I-73, GC-H-10)."""

    event: Literal["appeared"] = "appeared"
    who: ArmyKey
    start: Hex | None = None
    at: Hex | None = None
    how: Literal["sands", "emerged", "teleport", "teleporter"]


@record
class Halted:
    """Armies met and stopped (GC-P-8, GC-P-9)."""

    event: Literal["halted"] = "halted"
    who: tuple[ArmyKey, ...]
    at: Hex
    tick: Whole


@record
class Clashed:
    """Two Enemies ran into each other (GC-P-10, GC-P-22)."""

    event: Literal["clashed"] = "clashed"
    attacker: ArmyKey
    defender: ArmyKey
    at: Hex
    tick: Whole


@record
class RolledOff:
    """Two armies prepared to attack near each other; the lower die stands in Defensive Deployment (GC-O-41)."""

    event: Literal["rolled-off"] = "rolled-off"
    first: ArmyKey
    second: ArmyKey
    dice: tuple[tuple[Whole, Whole], ...]
    loser: ArmyKey


@record
class Unchallenged:
    """An attack met nobody: next season the army may annex (GC-O-45); or it annexed already."""

    event: Literal["unchallenged"] = "unchallenged"
    army: ArmyKey
    at: Hex
    annexes: Flag = False


@record
class Joined:
    """A battle is to be fought (GC-R)."""

    event: Literal["joined"] = "joined"
    id: str
    at: Hex
    attackers: tuple[ArmyKey, ...]
    defender: ArmyKey | None = None
    scenario: str


@record
class Sabotaged:
    """A Mine yields nothing in the next income (GC-Q-11)."""

    event: Literal["sabotaged"] = "sabotaged"
    who: ArmyKey
    at: Hex


@record
class Harried:
    """Guerrilla Tactics slow an army (GC-Q-17)."""

    event: Literal["harried"] = "harried"
    who: ArmyKey
    army: ArmyKey
    loses: Whole


@record
class Patrolling:
    """A party patrols (GC-Q-15)."""

    event: Literal["patrolling"] = "patrolling"
    who: ArmyKey
    at: Hex


@record
class Met:
    """Two parties will fight in the Skirmish Phase (GC-Q-6)."""

    event: Literal["met"] = "met"
    comer: ArmyKey
    other: ArmyKey
    at: Hex


@record
class Gave:
    """A party turned Weirdstone into experience (GC-I-68)."""

    event: Literal["gave"] = "gave"
    who: ArmyKey
    army: ArmyKey
    character: str
    number: Whole


@record
class Converted:
    """A player's faction changed (GC-I-3)."""

    event: Literal["converted"] = "converted"
    seat: SeatId
    faction: str


@record
class Closing:
    """Everybody wishes to close the campaign with this season (GC-A-5)."""

    event: Literal["closing"] = "closing"


@record
class Jousted:
    """A joust (GC-W-4 to GC-W-7)."""

    event: Literal["jousted"] = "jousted"
    by: SeatId
    riders: tuple[tuple[SeatId, str], ...]
    """Who rode, and their character, in the order of the draw."""
    bouts: tuple[tuple[SeatId, SeatId, SeatId], ...]
    """Two players, and who won."""
    winner: SeatId
    gold: Whole = 0
    """What the winner takes, their own fee among it."""
    artefacts: tuple[str, ...] = ()


@record
class Rated:
    """How the resolver judged a battle (GC-Z-21 to GC-Z-24)."""

    event: Literal["rated"] = "rated"
    id: str
    attacker: tuple[tuple[str, int], ...]
    """What its rating is made of: `points`, `ld`, `veterans`, `general`, `artefacts`, `scenario`, each with its number; then 10."""
    defender: tuple[tuple[str, int], ...]
    attacker_dice: tuple[Whole, ...]
    defender_dice: tuple[Whole, ...]
    margin: int


Side = Literal["attacker", "defender"]
How = Literal["agreed", "alone", "resolver", "ruled", "conceded", "unplayed"]
"""Why a battle's result stands: both reports, one report, the resolver, the host, a concession, nobody."""


@record
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
    """It was fought, and nobody won; else a battle without a winner was not fought."""
    how: How
    reason: str = ""
    """The host's, where they ruled."""


@record
class Disputed:
    """The two reports of a battle disagree: it waits for the host (GC-Z-16)."""

    event: Literal["disputed"] = "disputed"
    id: str
    attacker: str
    defender: str


@record
class Struck:
    """An attack on a city that was won already this turn: it finds no garrison (GC-H-16)."""

    event: Literal["struck"] = "struck"
    id: str
    army: ArmyKey


@record
class Lesson:
    """What a character or a unit learned in a battle, or forgot."""

    name: str
    change: int
    xp: Whole
    level: Whole
    rose: Whole = 0
    """Levels gained."""


@record
class Learned:
    """What those of an army learned (GC-S, GC-T)."""

    event: Literal["learned"] = "learned"
    army: ArmyKey
    people: tuple[Lesson, ...]


Passing = Literal["slain", "given", "joust"]


@record
class Took:
    """An artefact went from one side of a battle to the other (GC-U-5, GC-U-8)."""

    event: Literal["took"] = "took"
    artefact: str
    giver: ArmyKey
    army: ArmyKey
    bearer: str
    how: Passing


@record
class Found:
    """A major winner found an artefact (GC-U-15)."""

    event: Literal["found"] = "found"
    army: ArmyKey
    artefact: str
    bearer: str


Line = Literal["destroyed", "mauled", "scattered", "routed", "retreats", "withdraws"]


@record
class Beaten:
    """A defeated army on the Defeat Table (GC-V-1 to GC-V-9)."""

    event: Literal["beaten"] = "beaten"
    army: ArmyKey
    why: Literal["defeat", "conceded", "surrounded"]
    die: Whole = 0
    """0 if none was rolled."""
    siege: Whole = 0
    twice: Whole = 0
    """What was taken off for a lost Siege, and for two attackers."""
    eternal: Whole = 0
    """The die of Eternal Warriors, if there was one (GC-I-72)."""
    result: Line


@record
class Retreated:
    """A beaten army is elsewhere (GC-V-4, GC-V-6, GC-V-12)."""

    event: Literal["retreated"] = "retreated"
    army: ArmyKey
    start: Hex
    path: tuple[Hex, ...] = ()
    at: Hex
    how: Literal["retreat", "mauled", "back"]


@record
class Awarded:
    """Conquest Points of a victory or an annexation (GC-V-14, GC-V-15)."""

    event: Literal["awarded"] = "awarded"
    army: ArmyKey
    points: Whole
    why: Literal["battle", "conceded", "annex"]
    at: Hex


@record
class Conquered:
    """Hexes that Conquest Points bought, one each (GC-V-21)."""

    event: Literal["conquered"] = "conquered"
    army: ArmyKey
    hexes: tuple[tuple[Hex, SeatId | None], ...]
    """Each with who held it."""


@record
class Bought:
    """A construction that Conquest Points bought, or its ruins (GC-V-24 to GC-V-28)."""

    event: Literal["bought"] = "bought"
    army: ArmyKey
    what: Literal["seize", "destroy"]
    at: Hex
    points: Whole
    work: str | None = None
    """The construction that it was about."""
    of: SeatId | None = None
    """Who held the hex."""
    hexes: tuple[Hex, ...] = ()
    """Those that changed hands."""
    tests: tuple[Whole, ...] = ()
    """Sums of the tests of Leadership (GC-V-30)."""
    needed: Whole = 0
    failed: Flag = False
    gold: Whole = 0


@record
class Passed:
    """A line of a plan of conquest that could not be had (GC-V-18)."""

    event: Literal["passed"] = "passed"
    army: ArmyKey
    line: str
    reason: Reason
    facts: Mapping[str, str | int] = field(default_factory=dict)


@record
class Advanced:
    """A victor moved into the hex that it attacked (GC-V-10)."""

    event: Literal["advanced"] = "advanced"
    army: ArmyKey
    start: Hex
    at: Hex


@record
class Resumed:
    """The victor of a clash completed its move (GC-V-13)."""

    event: Literal["resumed"] = "resumed"
    army: ArmyKey
    done: Whole
    of: Whole


@record
class Succeeded:
    """Another General's Army (GC-F-12 to GC-F-15)."""

    event: Literal["succeeded"] = "succeeded"
    seat: SeatId
    name: str
    at: Hex
    how: Literal["same", "roster", "promoted", "exile"]
    promoted: str | None = None
    """The army that became the General's."""


@record
class Eliminated:
    """A player is out: no settlement, and the General's Army lost again (GC-F-15)."""

    event: Literal["eliminated"] = "eliminated"
    seat: SeatId


@record
class Skirmished:
    """A skirmish of two parties (GC-W-10 to GC-W-14)."""

    event: Literal["skirmished"] = "skirmished"
    id: str
    at: Hex
    comer: ArmyKey
    other: ArmyKey
    comer_score: tuple[Whole, ...] = ()
    """Strength and two dice; nothing where the players played it themselves."""
    other_score: tuple[Whole, ...] = ()
    winner: ArmyKey | None = None
    comer_lost: Whole = 0
    other_lost: Whole = 0
    gold: Whole = 0
    weirdstone: Whole = 0
    how: Literal["rolled", "played", "unplayed"]


@record
class Fled:
    """A party that lost its skirmish went back (GC-W-14)."""

    event: Literal["fled"] = "fled"
    who: ArmyKey
    at: Hex


Bonus = Literal["photos", "account", "story"]


@record
class Honoured:
    """Gold for photos, an account or a story of a battle (GC-W-1, GC-W-2)."""

    event: Literal["honoured"] = "honoured"
    battle: str
    what: Bonus
    by: SeatId
    seats: tuple[SeatId, ...]
    gold: Whole


@record
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
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""What a turn's file holds under `events`."""
