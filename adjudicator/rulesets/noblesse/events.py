"""Facts that a turn of Noblesse can produce. `heard` names the seats that hear of one, or is `EVERYBODY`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.facts import Facts, Hearers, Say, fact
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, whose
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.rulesets.noblesse.battle import Fight
from adjudicator.rulesets.noblesse.position import Option, Position, Seen
from adjudicator.rulesets.noblesse.scenario import Ability, Stock
from adjudicator.rulesets.noblesse.words import (
    OPTIONS,
    ability_words,
    amounts,
    fight_words,
    learned_words,
    left_words,
    post_words,
    revealed_words,
    seen_words,
    target_words,
    vote_words,
    with_article,
)

Heard = Annotated[tuple[SeatId, ...] | None, Choice(default=None)]
"""Seats that hear of a fact. Code that makes a fact must pass this field, even `EVERYBODY` (RT-13), which files leave out."""
EVERYBODY: Final = None


def _named(told: Any, seat: SeatId | None) -> Any:
    """A fact as a seat sees it; None if the seat does not hear of it. Other hearers are left out: they would reveal who leads the faction."""
    if told.heard is EVERYBODY:
        return told
    return replace(told, heard=(seat,)) if seat is not None and seat in told.heard else None


NAMED = Hearers(_named)
(
    TREATIES, MOVES, ACTIONS, RECRUITMENT, COMBAT, BUILDINGS, COURT, INCOME, SPIES, END
) = STEPS = (
    "Step 1: treaties and agreements",
    "Step 2: units move",
    "Steps 3 and 4: abilities and actions",
    "Step 5: recruitment",
    "Step 6: combat",
    "Step 7: buildings",
    "Step 8: Courtiers and family",
    "Step 9: income",
    "Step 10: Spies report",
    "The end",
)  # fmt: skip
"""The steps of a Night (NB-A-3), as headings."""
GONE = {
    "destroyed": "were destroyed",
    "disbanded": "were disbanded",
    "unpaid": "were not paid, and left",
    "faction-gone": "left the game with their faction",
}
LEADERS = {"home": "went home", "dead": "died", "lost": "were lost with them"}


def battle(_: Position, told: Battle) -> str:
    """Describe each fight of a battle."""
    names = {side.name: f"{side.name} ({', '.join(side.units)})" for side in told.sides}
    return f"Battle at {told.at}: {'; then '.join(fight_words(fight, names) for fight in told.fights)}."


def rumour(position: Position, told: Rumour) -> str:
    """Name the sides that fought and those that are left."""
    sides = " fought ".join(told.sides) if len(told.sides) == 2 else f"{join_words(told.sides)} fought one another"
    return f"{sides} at {told.at}; {left_words(position, told.sides, told.left)}."


def votes_told(_: Position, told: Voted) -> str:
    """List the votes of each player."""
    return vote_words(told.votes, told.needed, told.lynched)


def victory(position: Position, told: Victory) -> str:
    """Name the faction that won and how it won."""
    prizes = join_words(position.settings.board.prizes)
    having = {
        "military": f"with {prizes}, all its own or one of them its Ally’s",
        "alliance": f"with its Ally, each with two of {prizes}",
        "dynastic": f"with the {position.settings.nobles} Nobles that it takes",
        "supremacy": "with more living players than all the others together",
    }[told.how]
    return f"{told.faction} won {having}."


@fact(
    "{seat:whose} Home Estate is {home}, which yields {design:and}; {seat} gives up {lacks}.",
    rule="NB-C-2", weight=10, heard=NAMED,
)  # fmt: skip
class Founded:
    """A player's court before the first Night: home, income, and the option they do without (NB-C-2)."""

    event: Literal["founded"] = "founded"
    heard: Heard
    seat: SeatId
    home: str
    design: Stock
    without: Option

    @property
    def lacks(self) -> str:
        """The option that the player does without, in words."""
        return OPTIONS[self.without]


@fact(
    "{owner:whose} {unit} moved {way}.",
    rule="NB-B-5", weight=10, heard=NAMED, part=MOVES,
    joins=Joint("Units moved: {items}.", "{owner:whose} {unit} from {path:through}"),
)  # fmt: skip
class Moved:
    """A unit moved (NB-B-5)."""

    event: Literal["moved"] = "moved"
    heard: Heard
    unit: str
    owner: SeatId
    path: tuple[str, ...]

    @property
    def way(self) -> str:
        """The path in words, such as `from A1 through A2 to A3`."""
        through = f" through {join_words(self.path[1:-1])}" if len(self.path) > 2 else ""
        return f"from {self.path[0]}{through} to {self.path[-1]}"


@fact(
    Say("{owner} raised {unit}, {kind}, at {at} {cost}.", {"rented": None}),
    "{owner} rented {rented}, {kind}, {cost}; it is now {unit}, at {at}.",
    rule=("NB-B-15", "NB-L-6"), weight=30, heard=NAMED, part=RECRUITMENT,
    joins=(
        Joint(
            "Units were raised free of charge: {items}.", "{owner:whose} {unit} ({formation:title}, at {at})",
            {"rented": None, "price": Stock()},
        ),
        Joint("Units were raised: {items}.", "{owner:whose} {unit} ({formation:title}, at {at}, for {price})", {"rented": None}),
    ),
)  # fmt: skip
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

    @property
    def kind(self) -> str:
        """The formation with its article, such as `a Brigade`."""
        return with_article(self.formation.capitalize())

    @property
    def cost(self) -> str:
        """The price in words, such as `for 3 manpower and 1 money`."""
        return f"for {amounts(self.price)}" if self.price else "free of charge"


@fact(
    Say("{named} was destroyed at {at}; its leader {fate}.", {"why": "destroyed"}, part=COMBAT),
    Say("{named} was disbanded at {at}; its leader {fate}.", {"why": "disbanded"}),
    Say("{named} at {at} was not paid, and left; its leader {fate}.", {"why": "unpaid"}),
    "{named} at {at} left the game with its faction; its leader {fate}.",
    rule=("NB-B-21", "NB-L-6", "NB-P-17"), weight=30, heard=NAMED, part=RECRUITMENT,
    joins=tuple(
        Joint(f"{{items}} {gone}; their leaders {fate}.", "{owner:whose} {unit} at {at}", {"why": why, "leader": leader})
        for why, gone in GONE.items()
        for leader, fate in LEADERS.items()
    ),
)  # fmt: skip
class Gone:
    """A unit is gone, with the fate of its leader."""

    event: Literal["gone"] = "gone"
    heard: Heard
    unit: str
    owner: SeatId
    at: str
    why: Literal["destroyed", "disbanded", "unpaid", "faction-gone"]
    leader: Literal["home", "dead", "lost"]

    @property
    def named(self) -> str:
        """The unit with its owner's name."""
        return f"{whose(self.owner)} {self.unit}" if self.owner else f"{self.unit}, which belonged to nobody,"

    @property
    def fate(self) -> str:
        """The fate of its leader, in words."""
        return {"home": "went home", "dead": "died", "lost": "was lost with it"}[self.leader]


@record
class BattleSide:
    """A side in a battle, with its factions and units."""

    name: str
    factions: tuple[str, ...]
    units: tuple[str, ...]


@fact(
    battle,
    rule="NB-Y-7", weight=60, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Battle:
    """A battle with all its numbers, for those who took part in it (battle procedure)."""

    event: Literal["battle"] = "battle"
    heard: Heard
    at: str
    sides: tuple[BattleSide, ...]
    fights: tuple[Fight, ...]


@fact(
    rumour,
    rule="NB-Y-7", weight=60, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Rumour:
    """A battle as everybody hears of it: who fought, and who is left."""

    event: Literal["rumour"] = "rumour"
    heard: Heard
    at: str
    sides: tuple[str, ...]
    left: tuple[str, ...]


@fact(
    Say("Nobody controls {at}.", {"by": None, "before": None}, part=COMBAT),
    Say("{before} lost control of {at}.", {"by": None}, part=COMBAT),
    Say("{by} took control of {at}.", {"before": None}),
    "{by} took control of {at}, which was {before:whose}.",
    rule=("NB-E-6", "NB-E-12", "NB-E-16"), weight=40, heard=NAMED, part=COURT,
    joins=(
        Joint("{by} took control of {items} from {before}.", "{at}", chain=True),
        Joint("{by} took control of {items}.", "{at}", chain=True),
        Joint("{before} lost control of {items}.", "{at}"),
        Joint("Nobody controls {items}.", "{at}"),
    ),
)  # fmt: skip
class Control:
    """An estate changed hands (NB-E-6, NB-E-12, NB-E-16). Without `by`, nobody controls it now."""

    event: Literal["control"] = "control"
    heard: Heard
    at: str
    by: str | None = None
    before: str | None = None


@fact(
    "{seat:whose} Player Character now has {wounds:any wound}; 3 are fatal.",
    rule=("NB-X-10", "NB-X-11", "NB-X-13"), weight=40, heard=NAMED, part=ACTIONS,
    joins=Joint("These Player Characters are wounded now, and 3 wounds kill: {items}.", "{seat} {wounds}"),
)  # fmt: skip
class Wounded:
    """A Player Character was wounded (NB-X-10, X-11, X-13), or healed."""

    event: Literal["wounded"] = "wounded"
    heard: Heard
    seat: SeatId
    wounds: Whole


@fact(
    Say("{seat} ({role}, of {faction}) died of wounds; {after}.", {"why": "wounds"}, part=ACTIONS),
    Say("{seat} ({role}, of {faction}) fell in battle; {after}.", {"why": "battle"}),
    "{seat} ({role}, of {faction}) was lynched; {after}.",
    rule=("NB-P-5", "NB-Y-4"), weight=90, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Died:
    """A Player Character died; the role and faction are published (NB-P-5, NB-Y-4)."""

    event: Literal["died"] = "died"
    heard: Heard
    seat: SeatId
    why: Literal["wounds", "battle", "lynched"]
    role: str
    faction: str
    heir: Flag
    """True if an Heir succeeds them."""

    @property
    def after(self) -> str:
        """The consequence for the player, in words."""
        return "an Heir takes their place" if self.heir else "there is no Heir, so the player is out"


@fact(
    "{seat:whose} Heir fell in battle.",
    rule="NB-P-4", weight=50, heard=NAMED, part=COMBAT, joins=Joint("{items} fell in battle.", "{seat:whose} Heir"),
)  # fmt: skip
class HeirDied:
    """An Heir died with their unit (NB-P-4)."""

    event: Literal["heir_died"] = "heir_died"
    heard: Heard
    seat: SeatId


@fact(
    "The {building:title} at {at} is complete.",
    rule="NB-G-7", weight=30, heard=NAMED, part=BUILDINGS,
    joins=Joint("These buildings are complete: {items}.", "the {building:title} at {at}"),
)  # fmt: skip
class Built:
    """A building is complete (NB-G-7)."""

    event: Literal["built"] = "built"
    heard: Heard
    at: str
    building: str


@fact(
    "{seat:whose} University trained another Courtier, number {courtier}.",
    rule="NB-G-9", weight=10, heard=NAMED, part=INCOME,
    joins=Joint("Universities trained one more Courtier each: {items}.", "{seat:whose} number {courtier}"),
)  # fmt: skip
class Trained:
    """A University made a Courtier (NB-G-9)."""

    event: Literal["trained"] = "trained"
    heard: Heard
    seat: SeatId
    courtier: Whole


@record
class Yield:
    """Income from one source: an estate's Tax Collectors, its Steward, or a unit's companies."""

    of: str
    amount: Stock


@fact(
    Say("{seat} earned {total:and}.", {"sources": ()}),
    Say("{seat} earned {total:and} from {only}.", {"several": False}),
    "{seat} earned {total:and}: {each}.",
    rule=("NB-F-2", "NB-F-3"), weight=10, heard=NAMED, part=INCOME,
)  # fmt: skip
class Earned:
    """A player's income in a Night, source by source (NB-F)."""

    event: Literal["earned"] = "earned"
    heard: Heard
    seat: SeatId
    sources: tuple[Yield, ...]
    total: Stock

    @property
    def several(self) -> bool:
        """Whether the income came from several sources."""
        return len(self.sources) > 1

    @property
    def only(self) -> str:
        """The first source, which is the only one if there are not several."""
        return self.sources[0].of

    @property
    def each(self) -> str:
        """The amount from each source, in words."""
        return ", ".join(f"{source.of} gave {amounts(source.amount)}" for source in self.sources)


@fact(
    "{by} gave {to} {amount:and} from the faction’s stock.",
    rule="NB-F-13", weight=10, heard=NAMED, part=INCOME,
)  # fmt: skip
class Shared:
    """A leader gave part of their stock to another player of their faction (NB-F-13)."""

    event: Literal["shared"] = "shared"
    heard: Heard
    by: SeatId
    to: SeatId
    amount: Stock


@fact(
    "{seat:whose} Spy {spy} saw {saw}.",
    rule="NB-K-8", weight=10, heard=NAMED, part=SPIES,
)  # fmt: skip
class SpyReport:
    """A Spy's report on the estates that they passed or stopped at (NB-K-8)."""

    event: Literal["spied"] = "spied"
    heard: Heard
    seat: SeatId
    spy: Whole
    estates: tuple[Seen, ...]

    @property
    def saw(self) -> str:
        """The estates that the Spy saw, in words."""
        return "; ".join(map(seen_words, self.estates))


@fact(
    Say("{by} offered {to} marriage.", {"kind": "marriage"}),
    Say("{by} offered {to} an exchange of hostages.", {"kind": "hostages"}),
    "{by} offered {to} to release the hostages.",
    rule=("NB-X-3", "NB-X-5"), weight=30, heard=NAMED, part=ACTIONS,
    joins=(
        Joint("Offers of marriage: {items}.", "{by} to {to}", {"kind": "marriage"}),
        Joint("Exchanges of hostages were offered: {items}.", "{by} to {to}", {"kind": "hostages"}),
        Joint("Players offered to release hostages: {items}.", "{by} to {to}", {"kind": "release"}),
    ),
)  # fmt: skip
class Offered:
    """An offer was made (NB-X-3, NB-X-5)."""

    event: Literal["offered"] = "offered"
    heard: Heard
    kind: Literal["marriage", "hostages", "release"]
    by: SeatId
    to: SeatId


@fact(
    Say("{by} and {to} are married.", {"kind": "marriage"}),
    Say("{by} and {to} exchanged hostages.", {"kind": "hostages"}),
    "{by} and {to} released their hostages.",
    rule="NB-X-18", weight=50, heard=NAMED, part=TREATIES,
    joins=(
        Joint("Now married: {items}.", "{by} with {to}", {"kind": "marriage"}),
        Joint("Hostages were exchanged: {items}.", "{by} with {to}", {"kind": "hostages"}),
        Joint("Hostages were released: {items}.", "{by} with {to}", {"kind": "release"}),
    ),
)  # fmt: skip
class Agreed:
    """An offer was accepted and took effect (NB-X-18)."""

    event: Literal["agreed"] = "agreed"
    heard: Heard
    kind: Literal["marriage", "hostages", "release"]
    by: SeatId
    to: SeatId


@fact(
    "{seat} has an Heir, who belongs to both {seat:whose} faction and {other:whose}.",
    rule="NB-X-4", weight=50, heard=NAMED, part=ACTIONS, joins=Joint("Heirs were born: {items}.", "to {seat}, with {other}"),
)  # fmt: skip
class HeirBorn:
    """An Heir of two families was born (NB-X-4)."""

    event: Literal["heir_born"] = "heir_born"
    heard: Heard
    seat: SeatId
    other: SeatId


@fact(
    "{faction} has a new Noble, the Noble {noble}.",
    rule="NB-X-2", weight=50, heard=NAMED, part=ACTIONS,
)  # fmt: skip
class Ennobled:
    """A Steward became a Noble (NB-X-2)."""

    event: Literal["ennobled"] = "ennobled"
    heard: Heard
    faction: str
    noble: str
    at: str


@fact(
    "The Noble {noble} lost their seat, and is now an ordinary Courtier of {faction:whose} leader.",
    rule="NB-X-23", weight=50, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Untitled:
    """A Noble lost their seat and is an ordinary Courtier again (NB-X-23)."""

    event: Literal["untitled"] = "untitled"
    heard: Heard
    faction: str
    noble: str


@fact(
    Say("Somebody set fire to the {what:title} at {at}; it has no effect tonight.", {"kind": "arson"}, part=ACTIONS),
    Say("Somebody paid bribes at {at}; it yields no {what} tonight.", {"kind": "bribery"}, part=ACTIONS),
    Say("Somebody incapacitated the leader of {what} at {at}; an officer of tier 1 leads it now.", {"kind": "incapacitate"}, part=ACTIONS),
    Say("Somebody had the {post} at {at} sent home.", {"kind": "expel"}, part=ACTIONS),
    "Somebody plundered {at}; all its income tonight is lost.",
    rule=("NB-X-8", "NB-X-9", "NB-X-12"), weight=40, heard=NAMED, part=INCOME,
)  # fmt: skip
class Harmed:
    """A player's property was harmed. The culprit stays secret."""

    event: Literal["harmed"] = "harmed"
    heard: Heard
    kind: Literal["arson", "bribery", "incapacitate", "expel", "plunder"]
    at: str
    what: str

    @property
    def post(self) -> str:
        """The Courtier who was sent home, in words."""
        return post_words(self.what)


@fact(
    "{seat} used an ability{target}: “{does}”.",
    rule="NB-C-12", weight=10, heard=NAMED, part=ACTIONS,
)  # fmt: skip
class Used:
    """A player used one of their abilities, `on` a unit, an estate or a post (NB-C-12)."""

    event: Literal["used"] = "used"
    heard: Heard
    seat: SeatId
    ability: Ability
    on: str | None = None

    @property
    def target(self) -> str:
        """The target in words, such as ` on U101`; empty without one."""
        return target_words(self.ability, self.on)

    @property
    def does(self) -> str:
        """The effect of the ability, in words."""
        return ability_words(self.ability)


@fact(
    Say("{seat} learned that nobody holds a post at {about}.", {"facts": ()}),
    "{seat} learned about {about}: {learned}.",
    rule=("NB-C-23", "NB-C-24"), weight=10, heard=NAMED, part=ACTIONS,
)  # fmt: skip
class Learned:
    """Facts that a player learned about an estate or a unit through an ability (NB-C-23, NB-C-24)."""

    event: Literal["learned"] = "learned"
    heard: Heard
    seat: SeatId
    about: str
    facts: tuple[str, ...] = ()
    """Such as `Fennel: tax money` or `melee 8`."""

    @property
    def learned(self) -> tuple[str, ...]:
        """Each fact in words."""
        return tuple(map(learned_words, self.facts))


@fact(
    "{by:whose} Messenger told {to}: “{text:said}”.",
    rule="NB-K-10", weight=10, heard=NAMED, part=COURT,
)  # fmt: skip
class Message:
    """A Messenger's words (NB-K-10)."""

    event: Literal["message"] = "message"
    heard: Heard
    by: SeatId
    to: SeatId
    text: str


@fact(
    "{leader} now leads {faction}.",
    rule=("NB-L-3", "NB-L-4"), weight=50, heard=NAMED, part=COMBAT,
    joins=Joint("Factions have new leaders: {items}.", "{leader} for {faction}"),
)  # fmt: skip
class Succession:
    """A faction has a new leader (NB-L-3, NB-L-4)."""

    event: Literal["succession"] = "succession"
    heard: Heard
    faction: str
    leader: SeatId


@fact(
    "{seat:whose} Heir had been won over: {seat} now belongs to {faction}, and no longer to {before}.",
    rule=("NB-C-26", "NB-P-9"), weight=55, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Turned:
    """An Heir who was won over succeeded, and the player now belongs to another faction (NB-C-26, NB-P-9)."""

    event: Literal["turned"] = "turned"
    heard: Heard
    seat: SeatId
    faction: str
    before: str


@fact(
    "{seat:whose} Heir had been won over: {seat} no longer belongs to {faction}.",
    rule="NB-P-20", weight=55, heard=NAMED, part=COMBAT,
)  # fmt: skip
class Left:
    """A player left a faction, as reported to its leader (NB-P-20)."""

    event: Literal["left"] = "left"
    heard: Heard
    seat: SeatId
    faction: str


@fact(
    "{seat} has sent no orders for {nights:any Night} now; the host may put in a substitute.",
    rule="NB-P-18", weight=0, heard=NAMED, part=TREATIES,
)  # fmt: skip
class Silent:
    """A player sent nothing for several Nights in a row, and the host may put in a substitute (NB-P-18)."""

    event: Literal["silent"] = "silent"
    heard: Heard
    seat: SeatId
    nights: Whole


@fact(
    "{faction} has no living player left, and is gone.",
    rule="NB-P-17", weight=95, heard=NAMED, part=COMBAT,
)  # fmt: skip
class FactionGone:
    """A faction without living players is gone (NB-P-17)."""

    event: Literal["faction_gone"] = "faction_gone"
    heard: Heard
    faction: str


@fact(
    "{by} proposed treaty {treaty} to {to}.",
    rule="NB-T-1", weight=30, heard=NAMED, part=TREATIES, joins=Joint("{by} proposed treaties: {items}.", "{treaty} to {to}"),
)  # fmt: skip
class Proposed:
    """A leader proposed a treaty to another (NB-T-1)."""

    event: Literal["proposed"] = "proposed"
    heard: Heard
    treaty: str
    by: str
    to: str


@fact(
    "{faction} published the intent of a treaty: “{text:said}”.",
    rule="NB-T-5", weight=70, heard=NAMED,
    joins=Joint("Factions published the intents of treaties: {items}.", "{faction} “{text:said}”"),
)  # fmt: skip
class Published:
    """The intent of a signed treaty, published for everybody (NB-T-5)."""

    event: Literal["published"] = "published"
    heard: Heard
    faction: str
    text: str


@fact(
    Say("Treaty {treaty} between {parties} is in force: they remain hostile.", {"state": None}),
    "Treaty {treaty} between {parties} is in force: they are {state}.",
    rule="NB-T-9", weight=70, heard=NAMED, part=TREATIES,
    joins=Joint("These treaties are in force, and their parties are {state}: {items}.", "{treaty} ({parties})"),
)  # fmt: skip
class TreatyBegan:
    """A treaty is in force (NB-T-9)."""

    event: Literal["treaty_began"] = "treaty_began"
    heard: Heard
    treaty: str
    parties: tuple[str, ...]
    state: Literal["neutral", "allied"] | None = None


@fact(
    "Treaty {treaty} between {parties} is over ({rule}).",
    rule="NB-T-8", weight=70, heard=NAMED, part=TREATIES,
    joins=Joint("These treaties are over: {items} ({rule}).", "{treaty} ({parties})"),
)  # fmt: skip
class TreatyEnded:
    """A treaty is over, by the rule in `rule` (NB-T-8)."""

    event: Literal["treaty_ended"] = "treaty_ended"
    heard: Heard
    treaty: str
    parties: tuple[str, ...]
    rule: str


@fact(
    "The report that {by} broke promise {promise} of treaty {treaty} waits for the host’s ruling, or for {by} to concede it.",
    rule="NB-T-10", weight=65, heard=NAMED,
)  # fmt: skip
class Reported:
    """A breach that only people can judge was reported. It waits for the host’s ruling or a concession (NB-T-10)."""

    event: Literal["reported"] = "reported"
    heard: Heard
    treaty: str
    by: str
    """The accused faction."""
    promise: Whole


@fact(
    "The host ruled that {by} did not break promise {promise} of treaty {treaty}.",
    rule="NB-T-10", weight=65, heard=NAMED, part=TREATIES,
)  # fmt: skip
class Dismissed:
    """The host ruled that a promise was not broken (NB-T-10)."""

    event: Literal["dismissed"] = "dismissed"
    heard: Heard
    treaty: str
    by: str
    promise: Whole


@fact(
    "{by} broke promise {promise} of treaty {treaty}.",
    rule="NB-T-7", weight=70, heard=NAMED, part=TREATIES,
    joins=Joint("{by} broke promises: {items}.", "promise {promise} of treaty {treaty}"),
)  # fmt: skip
class Breached:
    """A promise was broken, and its penalties take effect (NB-T-7)."""

    event: Literal["breached"] = "breached"
    heard: Heard
    treaty: str
    by: str
    promise: Whole


@fact(
    "The leader of {by} paid {amount:and} to the leader of {to}.",
    rule=("NB-M-2", "NB-N-2"), weight=30, heard=NAMED, part=INCOME,
)  # fmt: skip
class Paid:
    """A leader paid another (NB-M-2, NB-N-2)."""

    event: Literal["paid"] = "paid"
    heard: Heard
    by: str
    to: str
    amount: Stock


@fact(
    "{faction} had to reveal that {told}.",
    rule="NB-N-5", weight=50, heard=NAMED, part=TREATIES,
)  # fmt: skip
class Revealed:
    """Facts that a penalty made a faction reveal (NB-N-5)."""

    event: Literal["revealed"] = "revealed"
    heard: Heard
    faction: str
    facts: tuple[str, ...]

    @property
    def told(self) -> str:
        """All revealed facts in one line."""
        return revealed_words(self.facts)


@fact(
    Say(votes_told, {"lynched": None}, weight=20),
    votes_told,
    rule="NB-W-2", weight=85, heard=NAMED,
)  # fmt: skip
class Voted:
    """The votes of a Day (NB-W-2)."""

    event: Literal["voted"] = "voted"
    heard: Heard
    votes: tuple[tuple[SeatId, str], ...]
    needed: Whole
    lynched: SeatId | None = None


@fact(
    victory,
    rule=("NB-V-1", "NB-V-2", "NB-V-3", "NB-V-5"), weight=100, heard=NAMED, part=END,
)  # fmt: skip
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
FACTS: Facts[AnyEvent] = Facts.of(AnyEvent, ("", *STEPS))
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""An entry under `events` in a turn's file."""
