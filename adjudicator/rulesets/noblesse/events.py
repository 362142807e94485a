"""The facts that a turn of Noblesse can produce; `heard` names the seats that hear of one, or is `EVERYBODY`."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.rulesets.noblesse.battle import Fight
from adjudicator.rulesets.noblesse.position import Option, Seen
from adjudicator.rulesets.noblesse.scenario import Ability, Stock

Heard = Annotated[tuple[SeatId, ...] | None, Choice(default=None)]
"""Who hears of a fact. Whoever makes one says it, `EVERYBODY` too (RT-13); in files that is left out."""
EVERYBODY: Final = None


@record
class Founded:
    """A player's court before the first Night: home, income, what they do without (NB-C-2)."""

    event: Literal["founded"] = "founded"
    heard: Heard
    seat: SeatId
    home: str
    design: Stock
    without: Option


@record
class Moved:
    """A unit moved (NB-B-5)."""

    event: Literal["moved"] = "moved"
    heard: Heard
    unit: str
    owner: SeatId
    path: tuple[str, ...]


@record
class Raised:
    """A unit was recruited, or rented (NB-B-15, NB-L-6)."""

    event: Literal["raised"] = "raised"
    heard: Heard
    unit: str
    owner: SeatId
    formation: str
    at: str
    price: Stock
    rented: str | None = None


@record
class Gone:
    """A unit is no more, and what became of its leader."""

    event: Literal["gone"] = "gone"
    heard: Heard
    unit: str
    owner: SeatId
    at: str
    why: Literal["destroyed", "disbanded", "unpaid", "faction-gone"]
    leader: Literal["home", "dead", "lost"]


@record
class BattleSide:
    """A side in a battle: its factions, and its units."""

    name: str
    factions: tuple[str, ...]
    units: tuple[str, ...]


@record
class Battle:
    """A battle with all its numbers, for those who took part in it (battle procedure)."""

    event: Literal["battle"] = "battle"
    heard: Heard
    at: str
    sides: tuple[BattleSide, ...]
    fights: tuple[Fight, ...]


@record
class Rumour:
    """A battle as everybody hears of it: who fought, and who is left."""

    event: Literal["rumour"] = "rumour"
    heard: Heard
    at: str
    sides: tuple[str, ...]
    left: tuple[str, ...]


@record
class Control:
    """An estate changed hands (NB-E-6, NB-E-12, NB-E-16). `by` None: nobody controls it now."""

    event: Literal["control"] = "control"
    heard: Heard
    at: str
    by: str | None = None
    before: str | None = None


@record
class Wounded:
    """A Player Character was wounded (NB-X-10, X-11, X-13), or healed."""

    event: Literal["wounded"] = "wounded"
    heard: Heard
    seat: SeatId
    wounds: Whole


@record
class Died:
    """A Player Character died; the role and faction are published (NB-P-5, NB-Y-4)."""

    event: Literal["died"] = "died"
    heard: Heard
    seat: SeatId
    why: Literal["wounds", "battle", "lynched"]
    role: str
    faction: str
    heir: Flag
    """Whether an Heir took their place."""


@record
class HeirDied:
    """An Heir died with their unit (NB-P-4)."""

    event: Literal["heir_died"] = "heir_died"
    heard: Heard
    seat: SeatId


@record
class Built:
    """A building is complete (NB-G-7)."""

    event: Literal["built"] = "built"
    heard: Heard
    at: str
    building: str


@record
class Trained:
    """A University made a Courtier (NB-G-9)."""

    event: Literal["trained"] = "trained"
    heard: Heard
    seat: SeatId
    courtier: Whole


@record
class Yield:
    """What one source gave: an estate's Tax Collectors, its Steward, or a unit's companies."""

    of: str
    amount: Stock


@record
class Earned:
    """A player's income of a Night, source by source (NB-F)."""

    event: Literal["earned"] = "earned"
    heard: Heard
    seat: SeatId
    sources: tuple[Yield, ...]
    total: Stock


@record
class Shared:
    """A leader gave a player of their faction something out of their stock (NB-F-13)."""

    event: Literal["shared"] = "shared"
    heard: Heard
    by: SeatId
    to: SeatId
    amount: Stock


@record
class SpyReport:
    """What a Spy saw on the estates that they passed or stopped on (NB-K-8)."""

    event: Literal["spied"] = "spied"
    heard: Heard
    seat: SeatId
    spy: Whole
    estates: tuple[Seen, ...]


@record
class Offered:
    """An offer was made (NB-X-3, NB-X-5)."""

    event: Literal["offered"] = "offered"
    heard: Heard
    kind: Literal["marriage", "hostages", "release"]
    by: SeatId
    to: SeatId


@record
class Agreed:
    """An offer was accepted and took effect (NB-X-18)."""

    event: Literal["agreed"] = "agreed"
    heard: Heard
    kind: Literal["marriage", "hostages", "release"]
    by: SeatId
    to: SeatId


@record
class HeirBorn:
    """An Heir of two families (NB-X-4)."""

    event: Literal["heir_born"] = "heir_born"
    heard: Heard
    seat: SeatId
    other: SeatId


@record
class Ennobled:
    """A Steward became a Noble (NB-X-2)."""

    event: Literal["ennobled"] = "ennobled"
    heard: Heard
    faction: str
    noble: str
    at: str


@record
class Untitled:
    """A Noble lost their seat and is an ordinary Courtier again (NB-X-23)."""

    event: Literal["untitled"] = "untitled"
    heard: Heard
    faction: str
    noble: str


@record
class Harmed:
    """Something was done to a player's things, and the doer is not told."""

    event: Literal["harmed"] = "harmed"
    heard: Heard
    kind: Literal["arson", "bribery", "incapacitate", "expel", "plunder"]
    at: str
    what: str


@record
class Used:
    """A player used one of their abilities, `on` a unit, an estate or a post (NB-C-12)."""

    event: Literal["used"] = "used"
    heard: Heard
    seat: SeatId
    ability: Ability
    on: str | None = None


@record
class Learned:
    """What an ability told a player of an estate or a unit (NB-C-23, NB-C-24)."""

    event: Literal["learned"] = "learned"
    heard: Heard
    seat: SeatId
    about: str
    facts: tuple[str, ...] = ()
    """`Fennel: tax money`, or `melee 8`."""


@record
class Message:
    """A Messenger's words (NB-K-10)."""

    event: Literal["message"] = "message"
    heard: Heard
    by: SeatId
    to: SeatId
    text: str


@record
class Succession:
    """A faction has a new leader (NB-L-3, NB-L-4)."""

    event: Literal["succession"] = "succession"
    heard: Heard
    faction: str
    leader: SeatId


@record
class Turned:
    """An Heir who was won over took their player's place, and the player is of another faction now (NB-C-26, NB-P-9)."""

    event: Literal["turned"] = "turned"
    heard: Heard
    seat: SeatId
    faction: str
    before: str


@record
class Left:
    """A player is no longer of a faction, as its leader hears of it (NB-P-20)."""

    event: Literal["left"] = "left"
    heard: Heard
    seat: SeatId
    faction: str


@record
class Silent:
    """A player sent nothing for Nights in a row, and the host may put in a substitute (NB-P-18)."""

    event: Literal["silent"] = "silent"
    heard: Heard
    seat: SeatId
    nights: Whole


@record
class FactionGone:
    """A faction without living players is no more (NB-P-17)."""

    event: Literal["faction_gone"] = "faction_gone"
    heard: Heard
    faction: str


@record
class Proposed:
    """A leader proposed a treaty to another (NB-T-1)."""

    event: Literal["proposed"] = "proposed"
    heard: Heard
    treaty: str
    by: str
    to: str


@record
class Published:
    """The intent of a treaty that was signed, on the thread for everybody (NB-T-5)."""

    event: Literal["published"] = "published"
    heard: Heard
    faction: str
    text: str


@record
class TreatyBegan:
    """A treaty is in force (NB-T-9)."""

    event: Literal["treaty_began"] = "treaty_began"
    heard: Heard
    treaty: str
    parties: tuple[str, ...]
    state: Literal["neutral", "allied"] | None = None


@record
class TreatyEnded:
    """A treaty is over, by this rule (NB-T-8)."""

    event: Literal["treaty_ended"] = "treaty_ended"
    heard: Heard
    treaty: str
    parties: tuple[str, ...]
    rule: str


@record
class Reported:
    """A breach was reported that nobody can judge but people: it waits for the host, or to be conceded (NB-T-10)."""

    event: Literal["reported"] = "reported"
    heard: Heard
    treaty: str
    by: str
    """The faction that is said to have broken it."""
    promise: Whole


@record
class Dismissed:
    """The host ruled that a promise was not broken (NB-T-10)."""

    event: Literal["dismissed"] = "dismissed"
    heard: Heard
    treaty: str
    by: str
    promise: Whole


@record
class Breached:
    """A promise was broken, and its penalties take effect (NB-T-7)."""

    event: Literal["breached"] = "breached"
    heard: Heard
    treaty: str
    by: str
    promise: Whole


@record
class Paid:
    """A leader paid another (NB-M-2, NB-N-2)."""

    event: Literal["paid"] = "paid"
    heard: Heard
    by: str
    to: str
    amount: Stock


@record
class Revealed:
    """What a penalty made a faction reveal (NB-N-5)."""

    event: Literal["revealed"] = "revealed"
    heard: Heard
    faction: str
    facts: tuple[str, ...]


@record
class Voted:
    """The votes of a Day (NB-W-2)."""

    event: Literal["voted"] = "voted"
    heard: Heard
    votes: tuple[tuple[SeatId, str], ...]
    needed: Whole
    lynched: SeatId | None = None


@record
class Victory:
    """A faction met a condition of victory (NB-V)."""

    event: Literal["victory"] = "victory"
    heard: Heard
    faction: str
    how: Literal["military", "alliance", "dynastic", "supremacy"]


AnyEvent: TypeAlias = (
    Founded | Moved | Raised | Gone | Battle | Rumour | Control | Wounded | Died | HeirDied | Built | Trained | Earned
    | Shared | SpyReport | Offered | Agreed | HeirBorn | Ennobled | Untitled | Harmed | Message | Succession
    | Silent | FactionGone | Voted | Victory | Proposed | Published | TreatyBegan | TreatyEnded | Breached | Paid | Revealed
    | Reported | Dismissed | Used | Learned | Turned | Left
)  # fmt: skip
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""What a turn's file holds under `events`."""
