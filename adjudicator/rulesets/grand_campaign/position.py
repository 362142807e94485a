"""A position of the campaign: land, realms, armies, parties, and the state of the season. Nothing in it is hidden (GC-Z-13)."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import UNWRITTEN, Flag, Whole, extend_record, field_text, record
from adjudicator.core.text.problems import problem
from adjudicator.mechanics.hexes import Grid, Hex, hex_order
from adjudicator.rulesets.grand_campaign.campaign import (
    GENERAL,
    RANKS,
    Campaign,
    Placing,
    campaign_named,
    load_campaign,
    shipped_campaigns,
    terrain_of,
)
from adjudicator.rulesets.grand_campaign.rosters import Roster
from adjudicator.rulesets.grand_campaign.tables import (
    CALENDAR,
    SEASONS,
    Code,
    Season,
)

ArmyKey = str
"""Owner and id of an army or a party: `Anna A1`."""


class Phase(StrEnum):
    """The kinds of turn: placing, a season's orders, its battles (catalogue 3.1)."""

    PLACEMENT = "placement"
    SEASON = "season"
    BATTLES = "battles"


@record
class Settings:
    """House rules."""

    campaign: Annotated[
        str,
        field_text(
            "The campaign, which has a map, players, factions and rosters: `sample`, or the host's own file beside game.yaml, such as `coast.yaml`."
        ),
    ] = "sample"
    turns: Annotated[
        Annotated[Whole, Choice(ge=1, le=200)] | None,
        field_text("Seasons to play (GC-A-5). If left out, as many as the campaign says."),
    ] = None
    unplayed: Annotated[
        Literal["stalemate", "auto"] | None,
        field_text(
            "The result of a battle that nobody reports: undecided, or judged by the resolver (GC-Z-18). If left out, as the campaign says."
        ),
    ] = None
    placing: Annotated[
        Placing | None,
        field_text("Whether all players place together, or one by one (GC-C-17). If left out, as the campaign says."),
    ] = None
    digest: Annotated[
        str | None,
        field_text(
            "The SHA-256 of the host's own campaign file, if there is one; the program writes it into positions."
        ),
    ] = None

    @property
    def plan(self) -> Campaign:
        """The campaign itself."""
        return campaign_named(self.campaign)

    @property
    def last(self) -> int:
        """The last season of the campaign (GC-A-5)."""
        return self.turns or self.plan.configuration.turns


@record
class OwnCampaign(Settings):
    """House rules with a campaign from the host's own file."""

    own: Campaign = field(metadata=UNWRITTEN)

    @property
    def plan(self) -> Campaign:
        """The campaign itself."""
        return self.own


def furnish(settings: Settings, beside: Callable[[str], tuple[bytes, str]], keep: Keep) -> Settings:
    """Load the campaign that house rules name, and add it to them; raises `Problems` if it is missing or faulty, or its digest differs."""
    if not settings.campaign.endswith(".yaml"):
        file = shipped_campaigns().get(settings.campaign)
        today = read_own(file) if file is not None else None
        kept = keep(f"{settings.campaign}.yaml", today)
        if kept is None or kept == today:
            campaign_named(settings.campaign)
        if settings.digest is not None:
            raise problem(
                "", f"digest: {settings.campaign} is not a file of your own, so it has no digest", "leave it out"
            )
        if kept is None or kept == today:
            return settings
        return extend_record(settings, OwnCampaign, own=load_campaign(kept, f"kept/{settings.campaign}.yaml"))
    source, path = beside(settings.campaign)
    digest = hashlib.sha256(source).hexdigest()
    if settings.digest not in {None, digest}:
        right = "restore the file, or remove the digest"
        raise problem("", f"{settings.campaign} does not have the digest that is written here", right)
    return extend_record(settings, OwnCampaign, digest=digest, own=load_campaign(source, path))


def attach_settings(position: Position, settings: Settings) -> Position:
    """A position with the campaign that turn.yaml only names; raises `Problems` if the campaign has changed."""
    mine = position.settings
    if mine.campaign != settings.campaign:
        what = f"the position uses the campaign {mine.campaign!r:.60}"
        raise problem("", what, f"in game.yaml it is {settings.campaign}")
    if not isinstance(settings, OwnCampaign):
        return position
    if mine.digest != settings.digest:
        what = f"{settings.campaign} is not as it was when this turn was opened"
        raise problem("", what, "restore the file from the repository's history")
    return replace(position, settings=extend_record(mine, OwnCampaign, own=settings.own))


# Armies and parties -------------------------------------------------------------------------------------------------


@record
class Army:
    """An army (GC-F). Its list is in the file of the turn that brought it; this record has the fields that the campaign needs."""

    owner: SeatId
    id: str
    at: Hex | None = None
    """None while it is under the sand (GC-I-74)."""
    name: str
    """Name of its General (GC-F-16)."""
    faction: str
    points: Whole
    ld: Whole
    rests: Flag | None = None
    """True if it skips its next Army Phase (GC-V-4, GC-V-5)."""
    sank: Hex | None = None
    """The hex where it went under the sand."""
    aim: Hex | None = None
    """The hex that it prepared to attack in the last season, unchallenged (GC-O-45)."""
    slowed: Whole | None = None
    """Movement that Guerrilla Tactics take from its next phase (GC-Q-17)."""
    fervour: Literal["high", "low"] | None = None
    """Its Waaaagh!, or the lack of one (GC-I-50)."""
    invaded: Whole | None = None
    """The year of its last Underground Invasion (GC-I-66)."""
    characters: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def key(self) -> ArmyKey:
        """Owner and id."""
        return f"{self.owner} {self.id}"

    @property
    def general(self) -> bool:
        """Whether it is a General's Army (GC-F-11)."""
        return self.id == GENERAL


@record
class Patrol:
    """A patrol that waits for Enemy parties, with `all` for Neutral ones too, but not for those of players in `but` (GC-Q-15)."""

    all: Flag = False
    but: tuple[SeatId, ...] = ()


@record
class Party:
    """An adventuring party (GC-G)."""

    owner: SeatId
    id: str
    at: Hex
    type_: str
    members: Whole
    gold: Whole = 0
    weirdstone: Whole | None = None
    ruin: Hex | None = None
    """The last ruin that it explored (GC-Q-13)."""
    patrol: Patrol | None = None

    @property
    def key(self) -> ArmyKey:
        """Owner and id."""
        return f"{self.owner} {self.id}"


@record
class Standing:
    """Orders that apply until they are changed (catalogue 3.1)."""

    aside: tuple[str, ...] = ()
    """Armies that do not answer attacks (GC-O-52)."""
    answer: tuple[str, ...] = ()
    """Armies that may answer an attack: the first that can is chosen (GC-O-53)."""
    bearer: Mapping[str, str] = field(default_factory=dict)
    """Army -> the character who takes what it finds (GC-U-13)."""
    general: str | None = None
    """`promote A1`, or the name of a roster, for the next General's Army (GC-F-13)."""
    roster: Roster | None = None
    """The list that `general` names, if the sheet contained it."""
    at: Hex | None = None
    """The hex where the next General's Army appears."""


NOTHING = Standing()


@record
class Realm:
    """A player's realm."""

    faction: str
    gold: Whole = 0
    land: tuple[str, ...] = ()
    """The hexes that it holds (GC-E-1), one string for each row of the map: `0203 0303 0503`."""
    barred: Hex | None = None
    """The ruin where its armies found an Artefact, until they explore another (GC-O-36)."""
    changed: Whole | None = None
    """The season of its last change of faction (GC-I-4)."""
    landless: Flag | None = None
    """True if it had no settlement left when its General's Army last appeared (GC-F-15)."""
    out: Flag | None = None
    """True if the player is out, having neither a settlement nor a General (GC-F-15)."""
    standing: Standing | None = None

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes that it holds, in hex order."""
        return tuple(label for row in self.land for label in row.split())

    @property
    def orders(self) -> Standing:
        """Its standing orders, or an empty set."""
        return self.standing or NOTHING


@record
class Relations:
    """Pairs that are not Neutral, each pair in alphabetical order (GC-L)."""

    war: tuple[tuple[SeatId, SeatId], ...] = ()
    alliance: tuple[tuple[SeatId, SeatId], ...] = ()


@record
class Yield:
    """Income dice of a hex, rolled when the season opens (GC-M-9)."""

    city: tuple[Whole, ...] = ()
    """Three dice."""
    mine: tuple[Whole, ...] = ()
    """Two dice; none for a Mine that was sabotaged (GC-M-10)."""
    season: Whole | None = None
    """The Spring die for a City, or the Autumn die for a Town."""
    event: Whole | None = None
    """The Economic Growth die for a City, or the Bumper Crop die for a Town."""
    peasants: Whole | None = None
    slaves: Whole | None = None
    ruin: Whole | None = None


@record
class Opening:
    """The opening of a season (GC-Z-1)."""

    season: Season
    event: str
    order: tuple[SeatId, ...] = ()
    """The Player Order (GC-D-1)."""
    portals: tuple[Hex, ...] = ()
    golden: SeatId | None = None
    """The player who may upgrade a settlement in a Golden Age (GC-K-15)."""
    dice: Mapping[Hex, Yield] = field(default_factory=dict)


Hold = Literal["attack", "annex", "clash"]


@record
class Battle:
    """A battle that is to be fought (GC-R)."""

    id: str
    kind: Hold
    at: Hex
    """The hex fought over (GC-P-22, GC-R-5)."""
    attackers: tuple[ArmyKey, ...]
    """Its attackers; the first one fights (GC-O-44)."""
    defender: ArmyKey | None = None
    """None for the garrison of a neutral city (GC-H-14)."""
    scenario: str
    wins: Literal["siege", "raid"] | None = None
    """The Siege or Raid that a victory counts as (GC-R-2)."""
    twice: Flag | None = None
    """True if two armies attacked the defender (GC-V-8)."""
    disputed: Flag | None = None
    """True if the two reports disagreed, and the host has not ruled (GC-Z-16)."""


Ruled = Literal["attacker", "defender", "draw", "stalemate", "auto", "attacker concedes", "defender concedes"]


@record
class Ruling:
    """The host's decision about a battle; it replaces both reports (GC-Z-16)."""

    outcome: Ruled
    major: Flag = False
    scenario: str | None = None
    deeds: tuple[str, ...] = ()
    reason: str


@record
class Claim:
    """Photos, an account or a story of a battle that is waiting for the host, kept until the battle is settled (GC-W-3)."""

    battle: str
    seat: SeatId
    line: str
    text: str = ""


@record
class Stopped:
    """An army that ran into an Enemy, with the rest of its orders (GC-P-21)."""

    army: ArmyKey
    items: tuple[str, ...] = ()
    spent: Whole
    allowance: Whole
    used: tuple[str, ...] = ()
    trail: tuple[Hex, ...] = ()
    farms: Whole = 0
    roads: Whole = 0
    """Farmland entered so far, without and with roads (GC-X-11)."""


@record
class Quarrel:
    """Two parties that fight in the Skirmish Phase, the comer first (GC-W-17)."""

    comer: ArmyKey
    other: ArmyKey
    at: Hex
    comer_back: Hex | None = None
    other_back: Hex | None = None
    """The hex that each of the two came from; None if it has not moved (GC-W-14)."""


@record
class Position:
    """The state of the campaign between two turns."""

    phase: Phase
    turn: Whole = 0
    """The season, from 1; 0 during placing (GC-A-2)."""
    opening: Opening | None = None
    rows: tuple[str, ...]
    """Terrain, as in a campaign file (GC-X)."""
    ruins: tuple[Hex, ...] = ()
    roads: tuple[Hex, ...] = ()
    cities: Mapping[Hex, str] = field(default_factory=dict)
    """Neutral cities that nobody has conquered (GC-H)."""
    works: Mapping[Hex, str] = field(default_factory=dict)
    """Hex -> the construction on it (GC-E-16)."""
    sabotaged: tuple[Hex, ...] = ()
    order: tuple[SeatId, ...]
    """The players in the order of placing (GC-C-5)."""
    placed: Whole | None = None
    """Settlements placed so far, if players place one by one (GC-C-17); None if all place together."""
    realms: Mapping[SeatId, Realm]
    relations: Relations = Relations()
    armies: tuple[Army, ...] = ()
    parties: tuple[Party, ...] = ()
    battles: tuple[Battle, ...] = ()
    annexes: Mapping[ArmyKey, Hex] = field(default_factory=dict)
    """Army that annexes without a battle -> the hex (GC-O-45)."""
    stopped: tuple[Stopped, ...] = ()
    quarrels: tuple[Quarrel, ...] = ()
    plans: Mapping[ArmyKey, tuple[str, ...]] = field(default_factory=dict)
    """Army -> its plan of conquest, from the season's sheet (GC-V-18)."""
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    """Battle -> the host's decision about it."""
    claims: tuple[Claim, ...] = ()
    """Players' claims about battles that are waiting for the host (GC-W-3)."""
    closing: Flag | None = None
    """True if everybody wishes to close the campaign with this season (GC-A-5)."""
    closed: Flag | None = None
    """True if the campaign is over."""
    settings: Settings

    @property
    def plan(self) -> Campaign:
        """The campaign."""
        return self.settings.plan

    @property
    def placer(self) -> tuple[SeatId, int] | None:
        """The player whose turn it is to place a settlement, and its index in `RANKS`; None if nobody places one by one now (GC-C-17)."""
        if self.phase is not Phase.PLACEMENT or self.placed is None or self.placed >= len(RANKS) * len(self.order):
            return None
        at, number = divmod(self.placed, len(self.order))
        return self.order[number], at

    @property
    def grid(self) -> Grid:
        """The hexes of the map."""
        return self.plan.grid

    @property
    def terrain(self) -> Mapping[Hex, Code]:
        """Hex -> terrain."""
        return terrain_of(self.rows)

    @property
    def holder(self) -> Mapping[Hex, SeatId]:
        """Hex -> the player who controls it (GC-E-1)."""
        return {label: seat for seat, realm in self.realms.items() for label in realm.hexes}


def year_of(turn: int) -> int:
    """The year of a season (GC-A-2)."""
    return (turn - 1) // 4 + 1


def season_of(settings: Settings, turn: int) -> Season:
    """The season of a turn (GC-A-2)."""
    return SEASONS[(SEASONS.index(settings.plan.configuration.first_season) + turn - 1) % 4]


def when(position: Position) -> str:
    """Name of a turn: `Spring of year 1`."""
    if position.phase is Phase.PLACEMENT:
        return f"Before the campaign{_placing(position)}"
    assert position.opening is not None
    name = f"{CALENDAR.seasons[position.opening.season].name} of year {year_of(position.turn)}"
    return f"{name}, battles" if position.phase is Phase.BATTLES else name


def _placing(position: Position) -> str:
    """The part of a turn's name for placing one by one (GC-C-17)."""
    if position.placed is None:
        return ""
    if position.placer is None:
        return ", armies"
    seat, at = position.placer
    return f", {SETTLED[at]} of {seat}"


SETTLED = ("City", "Fortress", "first Town", "second Town")
"""Names of the settlements in `RANKS`, for placing one by one."""


def pair(one: SeatId, other: SeatId) -> tuple[SeatId, SeatId]:
    """Two players in the order that relations use."""
    return (one, other) if one < other else (other, one)


@functools.cache
def id_order(name: str) -> tuple[bool, int, str]:
    """The key that sorts ids: A1, A2, A10, then G (GC-F-17)."""
    number = name.lstrip("AP")
    return (not number.isdecimal(), int(number) if number.isdecimal() else 0, name)


def by_row(hexes: Iterable[Hex]) -> tuple[str, ...]:
    """Hexes as a realm stores them: one string per row."""
    rows: dict[str, list[Hex]] = {}
    for label in labels(hexes):
        rows.setdefault(label[2:], []).append(label)
    return tuple(" ".join(row) for row in rows.values())


def labels(hexes: Iterable[Hex]) -> tuple[Hex, ...]:
    """Hexes in hex order, each once."""
    return tuple(sorted(set(hexes), key=hex_order))
