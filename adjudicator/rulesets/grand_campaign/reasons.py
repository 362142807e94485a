"""The reasons for verdicts: each with the rule it follows and the sentence that a player reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Reason = Literal[
    "done", "unreadable", "twice", "stands", "kept", "placed", "default", "not-placed-now",
    # Diplomacy.
    "unanswered", "self", "already", "not-at-war", "not-allied", "at-war", "cannot-pay", "not-yours-to-trade", "cursed", "too-soon",
    "no-majority",
    # Spending.
    "no-roster", "bad-roster", "too-poor", "too-many-armies", "too-many-parties", "id-taken", "not-adjacent", "occupied", "impassable",
    "foreign-land", "wrong-type", "too-many-members", "no-party", "no-army", "not-golden", "no-upgrade", "capped", "fortresses", "not-settled",
    # Armies.
    "rests", "halted", "clashed", "no-movement", "off-map", "barred", "foreign", "not-skipping", "no-portal", "over-limit",
    "claimed", "at-sea", "crowded", "built-on", "no-building", "not-own", "no-mine", "no-forest", "no-grass", "no-ash", "road-there",
    "no-ruin", "ruin-barred", "not-enemy", "not-first", "not-prepared", "no-temple", "not-special", "not-free", "no-victim", "no-site",
    "too-far", "too-deep", "no-settlement", "no-saplings", "used-up", "no-sand", "no-such-trees", "locked", "after", "lost-roll-off", "not-friendly",
    # Parties.
    "met-before", "strangers", "no-enemy-work", "not-on-ruin", "dug", "no-city", "no-target", "no-gift",
    # Jousts.
    "no-joust", "nobody-came", "no-rider", "no-stake", "rides",
    # Battles.
    "not-your-battle", "nobody", "which", "same-side", "no-character", "no-scoring", "no-standard", "not-cursed", "disputed", "unconfirmed", "waits-for-ruling",
    "overruled", "agreed", "conceded", "resolved", "alone", "counted", "not-fought", "one-sided", "no-account", "honoured", "outdone", "no-skirmish",
    "played", "rolled",
    # Conquest.
    "army-there", "no-points", "no-claim", "out-of-reach", "no-prize", "not-stormed", "eternal",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """The rule of a reason, and its sentence; braces hold a verdict's facts."""

    rule: str
    text: str


REASONS: Mapping[Reason, Words] = {
    "done": Words("O-2", "Done."),
    "unreadable": Words("P-4", "It cannot be read: {what}."),
    "twice": Words("P-5", "The sheet has such a line already; the first one counts."),
    "stands": Words("Z-7", "It stands until you send another list."),
    "kept": Words("V-18", "The army will do this if it wins its battle."),
    "placed": Words("C-4", "Placed: {hexes}."),
    "default": Words("C-4", "Not all of these could be had: {hexes}."),
    "not-placed-now": Words("C-17", "It is placed in another turn."),
    "unanswered": Words("L-9", "{seat} did not write the same; nothing happened."),
    "self": Words("L-1", "Nobody has relations with themselves."),
    "already": Words("L-1", "That is already so."),
    "not-at-war": Words("L-5", "There is no war between the two."),
    "not-allied": Words("L-4", "There is no alliance between the two."),
    "at-war": Words("L-11", "The two are at war: an alliance needs peace first, in both sheets."),
    "cannot-pay": Words("L-12", "{seat} cannot give all that they promised in trades: {what}."),
    "not-yours-to-trade": Words("L-13", "{what} cannot be traded."),
    "cursed": Words("U-14", "{what} is Cursed: nobody can part with it like that."),
    "too-soon": Words("I-4", "A faction can change only once in four seasons."),
    "no-majority": Words("I-3", "{number} of {all} players approve; more than half are needed."),
    "no-roster": Words("F-4", "No list called {roster} came with the sheet, or stands in the campaign."),
    "bad-roster": Words("F-3", "The list {roster} is not valid: {what}."),
    "too-poor": Words("B-6", "The price is {price} gold, but the purse held {gold}."),
    "too-many-armies": Words("F-7", "{number} armies are allowed besides the General’s."),
    "too-many-parties": Words("G-3", "Three parties are allowed."),
    "id-taken": Words("F-17", "Another one already has this id."),
    "not-adjacent": Words("N-4", "You have no {what} beside {hex}."),
    "occupied": Words("O-8", "{army} stands on {hex}."),
    "impassable": Words("X-9", "{hex} is {terrain}: it cannot be entered."),
    "foreign-land": Words("N-4", "{hex} is neither your own nor Allied nor unclaimed land."),
    "wrong-type": Words("G-4", "{faction} hire {what}."),
    "too-many-members": Words("G-7", "A party is hired with 1 to 5 members, and has at most 8."),
    "no-party": Words("P-3", "There is no such party."),
    "no-army": Words("P-3", "There is no such army."),
    "not-golden": Words("K-14", "The Golden Age is not yours this season."),
    "no-upgrade": Words("K-14", "You have no Town or Fortress on {hex}."),
    "not-settled": Words("G-8", "The party is on {hex}, and not in a settlement of yours or of an Ally."),
    "capped": Words("E-10", "You have as many Cities as can be built."),
    "fortresses": Words("E-11", "You have as many Fortresses as can be built."),
    "rests": Words("V-4", "It rests this season after its defeat."),
    "halted": Words("P-8", "It met {army} on its way {item} and stopped."),
    "clashed": Words("P-10", "{item} led it into an Enemy: it fights {army} for {hex}."),
    "no-movement": Words("O-12", "{item} costs {cost} Movement, but it had {left} left."),
    "off-map": Words("Z-36", "{item} leads off the map."),
    "barred": Words("X-9", "{item} leads to {hex}, {terrain}: it cannot be entered."),
    "foreign": Words("O-6", "{item} leads to {hex}, which {seat} holds: only a battle can take it."),
    "not-skipping": Words(
        "I-13", "{item} cannot be done: a hex is skipped once a season, by those who can, two steps away."
    ),
    "no-portal": Words("K-4", "{item} cannot be done: both hexes must be portals."),
    "over-limit": Words("O-9", "{item} was one Action too many, and was left out."),
    "claimed": Words("O-18", "{item} failed: somebody already holds {hex}."),
    "at-sea": Words("O-18", "{item} failed: no land can be claimed from the sea."),
    "crowded": Words("E-2", "{item} failed: {other} is only {away} away, and {apart} are needed."),
    "built-on": Words("E-16", "{item} failed: there is a {what} on {hex}."),
    "no-building": Words("E-8", "{item} failed: {terrain} cannot be built on."),
    "not-own": Words("O-21", "{item} failed: {hex} is neither your own land nor unclaimed."),
    "no-mine": Words("E-14", "{item} failed: a Mine needs Mountains, and {hex} is {terrain}."),
    "no-forest": Words("O-27", "{item} failed: {hex} is {terrain}."),
    "no-grass": Words("O-29", "{item} failed: {hex} is {terrain}."),
    "no-ash": Words("O-31", "{item} failed: {hex} is {terrain}."),
    "road-there": Words("O-33", "{item} failed: {hex} has a road already."),
    "not-on-ruin": Words("Q-12", "{item} failed: a party must stand on the ruin, and there is none in {hex}."),
    "no-ruin": Words("O-36", "{item} failed: there is no ruin here or on a hex beside it."),
    "ruin-barred": Words(
        "O-36", "{item} failed: you found an Artefact in {hex}, and have explored no other ruin since."
    ),
    "not-enemy": Words("O-40", "{item} failed: {hex} is not Enemy land."),
    "not-first": Words("O-45", "{item} failed: it must be the first thing that an army does."),
    "not-prepared": Words(
        "O-47", "{item} failed: it prepared no unchallenged attack on Enemy land in the last season."
    ),
    "no-temple": Words("H-10", "{item} failed: it takes two Temple Cities, each your own or an Ally’s."),
    "not-special": Words("I-6", "{item} failed: {faction} do not have this Action."),
    "not-free": Words("I-15", "{item} failed: {hex} cannot be entered, is foreign land, or is not free."),
    "no-victim": Words("I-17", "{item} failed: it takes the coast of a Neutral or Enemy player."),
    "no-site": Words("I-45", "{item} failed: {what}."),
    "too-far": Words("I-14", "{item} failed: {hex} is too far from where it would have to be."),
    "too-deep": Words("I-66", "{item} failed: {hex} is not an Enemy construction within {reach}."),
    "no-settlement": Words("O-22", "{item} failed: you have no settlement on {hex} that can become one."),
    "no-saplings": Words("I-62", "{item} failed: {hex} is {terrain}."),
    "used-up": Words("I-66", "{item} failed: only the General’s Army can do it, once a year."),
    "no-sand": Words("I-73", "{item} failed: {hex} is {terrain}, not Rocky or Sandy Desert or Sand Dunes."),
    "no-such-trees": Words("I-63", "{item} failed: no hex within 2 has such trees."),
    "locked": Words("P-21", "An Enemy ran into it, and it fights {army} for {hex}."),
    "after": Words("O-16", "{item} came after the end of its phase, and was left out."),
    "lost-roll-off": Words("O-41", "It lost the roll-off against {army} and stays in Defensive Deployment."),
    "not-friendly": Words("O-32", "{item} failed: {hex} is neither your own land nor an Ally’s."),
    "met-before": Words("W-16", "Another party met it, and it did nothing more."),
    "strangers": Words("Q-5", "{item} was not done, because there is a Neutral or Enemy party on {hex}."),
    "no-enemy-work": Words("Q-21", "{item} failed: it takes an Enemy {what} where the party is."),
    "dug": Words("Q-13", "{item} failed: {hex} is the ruin that this party explored last."),
    "no-city": Words("Q-19", "{item} failed: the party is not in a City of yours or of an Ally."),
    "no-target": Words("Q-17", "{item} failed: there is no such Neutral or Enemy army within {reach}."),
    "no-gift": Words(
        "I-68", "{item} failed: there is no such character, or the party has too few Weirdstones ({number})."
    ),
    "no-joust": Words("W-5", "{seat} holds no joust this season."),
    "nobody-came": Words("W-5", "Nobody else entered: there was no joust, and nothing was paid."),
    "no-rider": Words("W-5", "{army} has no character called {who}, or is not on the map."),
    "no-stake": Words("W-7", "{what}"),
    "rides": Words("W-5", "{who} rode."),
    "not-your-battle": Words("Z-14", "You fight in no battle {battle}."),
    "nobody": Words("Z-14", "Nobody called {who} fought in this battle."),
    "which": Words("Z-14", "Both sides have somebody called {who}: write `{seat} {who}`."),
    "same-side": Words("Z-14", "{who} is in the same army."),
    "no-character": Words("S-13", "{who} is not a character."),
    "no-scoring": Words("T-1", "{who} is not a Scoring unit."),
    "no-standard": Words("T-5", "{who} has no standard."),
    "not-cursed": Words("U-8", "{what} is not Cursed: it cannot be given away like that."),
    "unconfirmed": Words("Z-19", "Nobody leads a garrison: the battle waits for the host, who confirms the report."),
    "waits-for-ruling": Words("W-3", "The battle waits for the host, and so does what you tell of it."),
    "disputed": Words("Z-16", "The two reports differ, so the battle waits for the host."),
    "overruled": Words("Z-16", "The host has ruled on this battle."),
    "agreed": Words("Z-15", "Both reports agree."),
    "conceded": Words("Z-20", "A concession by one side is enough."),
    "resolved": Words("Z-19", "The resolver judged it."),
    "alone": Words("Z-17", "Only one report came: it stands."),
    "counted": Words("Z-15", "It counts."),
    "not-fought": Words("Z-15", "The battle was not fought at a table: it does not count."),
    "one-sided": Words("S-21", "Only one side names it: it does not count."),
    "no-account": Words("W-3", "{what}"),
    "honoured": Words("W-1", "Both players get {gold} gold."),
    "outdone": Words("W-2", "A battle brings one bonus, and a better one counts."),
    "no-skirmish": Words("W-9", "None of your parties fights in {skirmish}."),
    "played": Words("W-9", "Both say so, so it counts."),
    "rolled": Words("W-9", "The other side does not say the same: the dice decide."),
    "army-there": Words("V-22", "{army} stands on {hex}."),
    "no-points": Words("V-18", "The price is {price} of its Conquest Points, but it had {left} left."),
    "no-claim": Words("V-21", "Only an Enemy’s land, or unclaimed land without a construction, can be claimed."),
    "out-of-reach": Words("V-31", "{hex} is too far from the battle and from the hexes already conquered."),
    "no-prize": Words("V-24", "No Enemy construction stands on {hex}."),
    "not-stormed": Words("V-27", "A {what} can be taken or destroyed only after winning a {won}."),
    "eternal": Words("H-17", "A {what} cannot be destroyed."),
}
assert set(REASONS) == set(get_args(Reason)), "every reason has its words, and no other"
