"""One sentence for every verdict and every fact of the campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never, get_args

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Phase, Position
from adjudicator.rulesets.grand_campaign.reasons import REASONS, Reason
from adjudicator.rulesets.grand_campaign.tables import (
    ACTIONS,
    CALENDAR,
    CONSTRUCTIONS,
    FACTIONS,
    PARTIES,
    SCENARIOS,
    TERRAIN,
    Code,
)

QUIET = "Nothing happened."
PLAIN = 10
"""A fact that weighs less is plain: the tables and the map show it."""
OMENS: Mapping[str, str] = {event.id: event.name for event in CALENDAR.events.values()}
FEW = 4
"""Hexes that are named one by one; of more the number is told."""


def tell(view: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence."""
    text = verdict_words(fact) if isinstance(fact, Verdict) else _fact(fact)
    return text[0].upper() + text[1:]


def ended(ending: Ending) -> str:
    """How a campaign ended: it has no winner (GC-A-4)."""
    return f"closed after {ending.when}" if ending.how == "closed" else ruleset.ended(ending)


# Verdicts -----------------------------------------------------------------------------------------------------------


def reason_words(reason: Reason, facts: Mapping[str, object]) -> str:
    """The sentence of a reason, without its full stop, as it goes on after a colon."""
    named = {
        key: who(str(value)) if key == "army" and " " in str(value) else str(value) for key, value in facts.items()
    }
    text = REASONS[reason].text
    said = text.format_map(named).rstrip(".")
    return said if text.startswith("{") or text.split()[0] in PROPER else said[0].lower() + said[1:]


PROPER = frozenset({"Guerrilla", "Annex"})
"""Words with which a reason begins in capitals wherever it stands."""


def verdict_words(verdict: Verdict) -> str:
    """What became of a line."""
    facts = dict(verdict.facts or {})
    reason: Reason = verdict.reason  # type: ignore[assignment]  # `World.judge` writes no other
    said = reason_words(reason, facts)
    if "of" in facts:
        more = facts.get("more")
        others = f"; not done either: {join_words([*more])}" if isinstance(more, tuple) else ""
        said = f"{facts['done']} of {facts['of']} done; {said}{others}"
    return f"{verdict.order.rstrip('.')}: {said}."


# Names --------------------------------------------------------------------------------------------------------------


def who(key: ArmyKey) -> str:
    """An army or a party: `Anna’s A1`."""
    owner, _, id_ = key.rpartition(" ")
    return f"{whose(owner)} {id_}" if owner else key


def each(keys: Iterable[ArmyKey]) -> str:
    """Several armies or parties."""
    return join_words([who(key) for key in keys])


def work(kind: str) -> str:
    """A construction, a road or an army as people call it."""
    return CONSTRUCTIONS[kind].name if kind in CONSTRUCTIONS else kind


def a(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def some(number: int, noun: str, none: str = "") -> str:
    """`1 City`, `3 Cities`, `2 hexes`; with `none` in place of a 0."""
    if number != 1 and noun.endswith("y"):
        return many(number, f"{noun[:-1]}ie", none)
    if number != 1 and noun.endswith(("s", "x", "ch")):
        return many(number, f"{noun}e", none)
    return many(number, noun, none)


def hexes(labels: Sequence[Hex]) -> str:
    """Some hexes by name, more by their number."""
    return join_words(labels) if len(labels) <= FEW else f"{len(labels)} hexes"


def terrain(code: Code) -> str:
    """A kind of terrain."""
    return TERRAIN[code].name


def scenario(id_: str) -> str:
    """A scenario by name."""
    return SCENARIOS[id_].name


def action(id_: str) -> str:
    """An Action by name."""
    table = ACTIONS.armies if id_ in ACTIONS.armies else ACTIONS.parties
    return table[id_].name if id_ in table else id_.replace("_", " ")


def dice(numbers: Iterable[int]) -> str:
    """Dice: `3 and 5`."""
    return join_words([*numbers])


# Facts --------------------------------------------------------------------------------------------------------------


def _fact(event: e.AnyEvent) -> str:
    match event:
        case e.Placed(seat=seat, what=what, at=at, how=how):
            why = {"wish": "as wished", "start": "where the campaign begins", "first": "on the first hex that would do"}
            thing = f"{a(work(what))} was founded" if what in CONSTRUCTIONS else f"{what} was stationed"
            return f"{whose(seat)} {thing.split(' ', 1)[1] if thing.startswith(('a ', 'an ')) else thing} in {at}, {why[how]}."
        case e.Unplaced(seat=seat, what=what):
            return f"There was no room for {whose(seat)} {work(what)}."
        case e.Opened(turn=turn, season=season, omen=omen, dice=(one, other), order=order):
            name = CALENDAR.seasons[season].name
            return (
                f"{name} of year {(turn - 1) // 4 + 1} began with {OMENS[omen]} ({one} and {other}); "
                f"the Player Order is {join_words(order)}."
            )
        case e.Portals(hexes=labels):
            return f"Portals opened in {join_words(labels)}."
        case e.Golden(seat=seat):
            return f"{seat} may upgrade a settlement in a Golden Age."
        case _:
            return _land(event)


def _land(event: e.AnyEvent) -> str:
    match event:
        case e.Reshaped(why=why, centre=centre, radius=radius, changes=changes):
            where = f" round {centre}" if centre is not None and len(changes) > 1 else ""
            far = f", as far as {radius}" if radius is not None else ""
            into: dict[Code, list[Hex]] = {}
            for label, code in changes:
                into.setdefault(code, []).append(label)
            became = join_words([f"{hexes(labels)} became {terrain(code)}" for code, labels in into.items()])
            return f"{OMENS.get(why) or action(why)}{where}{far}: {became}."
        case e.Wrecked(at=at, what=what, why=why, by=by):
            how = {
                "eruption": "was destroyed by the eruption",
                "awakening": "sank into the new Volcano",
                "earthquake": f"fell in the earthquake of {by}",
                "razed": f"was razed by {by}",
                "test": f"fell in the storm of {by}",
            }
            return f"The {work(what)} on {at} {how[why]}."
        case e.Perished(who=key, at=at, why=why):
            ends = {
                "eruption": "perished in the eruption",
                "defeat": "was destroyed",
                "surrounded": "was surrounded and destroyed",
                "nowhere": "had nowhere to go and was lost",
                "members": "lost its last member",
                "out": "disbanded",
            }
            return f"{who(key)} {ends[why]} in {at}." if at else f"{who(key)} {ends[why]}."
        case e.Displaced(who=key, start=start, at=at, why=why):
            cause = "the Volcano awoke" if why == "awakening" else "the alliance ended"
            return f"{who(key)} left {start} for {at} when {cause}."
        case e.Built(seat=seat, what=what, at=at, how=how, price=price, start=start):
            cost = f" for {price} gold" if price else ""
            match how:
                case "built":
                    return f"{seat} built {a(work(what))} on {at}{cost}."
                case "improved":
                    return f"{seat} improved {at} to {a(work(what))}{cost}."
                case "golden":
                    return f"{seat} improved {at} to {a(work(what))} in the Golden Age."
                case "moved":
                    return f"{seat} moved {a(work(what))} from {start} to {at}{cost}."
                case _:
                    assert_never(how)
        case e.Claimed(seat=seat, hexes=labels, why=why):
            how_ = {
                "claim": "claimed",
                "settlement": "holds with a settlement",
                "mine": "holds with a Mine",
                "conquest": "conquered",
            }
            return f"{seat} {how_[why]} {hexes(labels)}."
        case e.Contested(hexes=labels, seats=seats):
            return f"{join_words(seats)} claimed {hexes(labels)}: nobody got them."
        case e.Exhausted(seat=seat, at=at):
            return f"{whose(seat)} Mine on {at} is worked out."
        case e.Sabotaged(who=key, at=at):
            return f"{who(key)} sabotaged the Mine on {at}."
        case _:
            return _realm(event)


def _realm(event: e.AnyEvent) -> str:
    match event:
        case e.Treated(what=what, by=by, to=to):
            words = {
                "war": f"{by} declared war on {to}.",
                "alliance": f"{by} and {to} made an alliance.",
                "peace": f"{by} and {to} made peace.",
                "dissolved": f"{by} dissolved the alliance with {to}.",
            }
            return words[what]
        case e.Traded(by=by, to=to, gave=gave, got=got):
            return f"{by} gave {to} {join_words(gave) or 'nothing'} for {join_words(got) or 'nothing'}."
        case e.Income(seat=seat, total=total, lost=lost, purse=purse):
            over = f", and lost {lost} above the cap" if lost else ""
            return f"{seat} took in {total} gold{over}: {purse} in the purse."
        case e.Recruited(who=key, at=at, name=name, price=price, members=members):
            if members:
                return f"{who(key)}, {many(members, 'member')} of {PARTIES[name].name if name in PARTIES else name}, was hired in {at} for {price} gold."
            return f"{who(key)}, the army of {name}, was raised in {at} for {price} gold."
        case e.Earned(who=key, what=what, gold=gold, purse=purse, of=of, at=at):
            return _earned(key, what, gold, purse, of, at)
        case e.Converted(seat=seat, faction=faction):
            return f"{whose(seat)} realm follows the {FACTIONS[faction].name} from the next season on."
        case e.Jousted(by=by, riders=riders, winner=winner, gold=gold, artefacts=artefacts):
            named = join_words([f"{whose(seat)} {name}" for seat, name in riders])
            prize = f"{gold} gold" if gold else join_words(artefacts)
            return f"In {whose(by)} joust rode {named}; {winner} won, and took {prize}."
        case e.Succeeded(seat=seat, name=name, at=at, how=how, promoted=promoted):
            if how == "promoted":
                return f"{whose(seat)} {promoted} became the General’s Army; a new {promoted}, that of {name}, gathered in {at}."
            exile = " in exile" if how == "exile" else ""
            return f"{whose(seat)} General’s Army gathered anew{exile} in {at}, under {name}."
        case e.Eliminated(seat=seat):
            return f"{seat} is out: without a settlement, and the General’s Army lost again."
        case e.Closing():
            return "Everybody wishes to close the campaign with this season."
        case e.Closed(why=why):
            return "The campaign is over." if why == "turns" else "The campaign is over, as everybody wished."
        case _:
            return _march(event)


def _earned(key: ArmyKey, what: str, gold: int, purse: int, of: str | None, at: Hex | None) -> str:
    match what:
        case "caught":
            return f"{who(key)} was caught looting in {at}, and lost {purse} gold to {of}."
        case "loot_town":
            return f"{who(key)} looted {whose(of or '')} Town on {at}: {gold} gold, and {purse} for itself."
        case "convert_gold":
            return f"{who(key)} brought home {purse} gold to {at}."
        case "coastal_raid":
            return f"{who(key)} raided the coast of {of}: {gold} gold."
        case _:
            return f"{who(key)} earned {gold} gold ({action(what)})."


def _march(event: e.AnyEvent) -> str:
    match event:
        case e.Marched(who=key, start=start, path=path):
            spent, there = path[-1]
            to = f"out of {start} and back" if there == start else f"from {start} to {there}"
            return f"{who(key)} marched {to}: {spent} Movement." if spent else f"{who(key)} went {to}."
        case e.Appeared(who=key, start=start, at=at, how=how):
            match how:
                case "sands":
                    return f"{who(key)} went under the sand in {start}."
                case "emerged":
                    return f"{who(key)} came out of the sand in {at}."
                case "teleport" | "teleporter":
                    return f"{who(key)} went from {start} to {at} in a moment."
                case _:
                    assert_never(how)
        case e.Halted(who=keys, at=at):
            return f"{each(keys)} met at {at}, and stopped."
        case e.Clashed(attacker=attacker, defender=defender, at=at):
            return f"{who(attacker)} ran into {who(defender)} at {at}."
        case e.Explored(who=key, at=at, artefact=found, bearer=bearer, gold=gold):
            if found is not None:
                return f"{who(key)} found the {found} in the ruin on {at}; {bearer} bears it."
            if gold:
                return f"{who(key)} searched the ruin on {at}: {gold} gold and a Weirdstone."
            return f"{who(key)} searched the ruin on {at}, and found nothing."
        case e.Reformed(who=key, name=name):
            return f"{who(key)} took the list {name}."
        case e.RolledOff(first=first, second=second, dice=rolled, loser=loser):
            return f"{who(first)} and {who(second)} rolled {' and '.join(f'{one}:{two}' for one, two in rolled)}: {who(loser)} stays on the defensive."
        case e.Unchallenged(army=key, at=at, annexes=annexes):
            return f"Nobody answered {who(key)} at {at}: it {'annexes' if annexes else 'may annex next season'}."
        case e.Joined(id=id_, at=at, attackers=attackers, defender=defender, scenario=name):
            foe = who(defender) if defender is not None else "the garrison"
            return f"Battle {id_}, {scenario(name)}: {each(attackers)} against {foe} over {at}."
        case e.Harried(who=key, army=army, loses=loses):
            return f"{who(key)} harried {who(army)}: {loses} less Movement next season."
        case e.Patrolling(who=key, at=at):
            return f"{who(key)} patrols round {at}."
        case e.Met(comer=comer, other=other, at=at):
            return f"{who(comer)} and {who(other)} met at {at}, and draw their blades."
        case e.Gave(who=key, army=army, character=name, number=number):
            return f"{who(key)} gave {many(number, 'Weirdstone')} to {name} of {who(army)}."
        case _:
            return _battle(event)


def _battle(event: e.AnyEvent) -> str:
    match event:
        case e.Rated(
            id=id_, attacker=attacker, defender=defender, attacker_dice=one, defender_dice=other, margin=margin
        ):
            return (
                f"The resolver judged {id_}: {10 + sum(number for _, number in attacker)} and {dice(one)} against "
                f"{10 + sum(number for _, number in defender)} and {dice(other)}, margin {margin}."
            )
        case e.Fought():
            return _fought(event)
        case e.Disputed(id=id_, attacker=attacker, defender=defender):
            if not defender:
                return f"Nobody leads a garrison: the report of {id_} ({attacker}) waits for the host."
            return f"The reports of {id_} differ ({attacker}; {defender}): it waits for the host."
        case e.Struck(id=id_, army=army):
            return f"{id_} was not fought: {who(army)} found nobody any more, or is no more."
        case e.Learned(army=army, people=people):
            return f"{who(army)} learned: {join_words(map(_lesson, people))}."
        case e.Took(artefact=id_, giver=giver, army=army, bearer=bearer, how=how):
            words = {
                "slain": f"took the {id_} from the fallen of {who(giver)}",
                "given": f"was given the {id_} by {who(giver)}",
                "joust": f"won the {id_} of {who(giver)} in the joust",
            }
            return f"{bearer} of {who(army)} {words[how]}."
        case e.Found(army=army, artefact=id_, bearer=bearer):
            return f"{who(army)} found the {id_} on the field; {bearer} bears it."
        case e.Beaten():
            return _beaten(event)
        case e.Retreated(army=army, start=start, at=at, how=how):
            verbs = {"retreat": "retreated", "mauled": "was carried", "back": "fell back"}
            return f"{who(army)} {verbs[how]} from {start} to {at}."
        case e.Awarded(army=army, points=points, why=why, at=at):
            for_ = {
                "battle": f"for the battle over {at}",
                "conceded": "for the battle that was conceded",
                "annex": f"for annexing {at}",
            }
            return f"{who(army)} has {points} Conquest Points {for_[why]}."
        case e.Conquered(army=army, hexes=taken):
            held: dict[str | None, list[Hex]] = {}
            for label, seat in taken:
                held.setdefault(seat, []).append(label)
            parts = [
                f"{join_words(labels)}{f' of {seat}' if seat is not None else ''}" for seat, labels in held.items()
            ]
            return f"{who(army)} conquered {', and '.join(parts)}."
        case e.Bought():
            return _bought(event)
        case e.Passed(army=army, line=line, reason=reason, facts=facts):
            return f"{who(army)} could not {line}: {reason_words(reason, facts)}."
        case e.Advanced(army=army, start=start, at=at):
            return f"{who(army)} advanced from {start} to {at}."
        case e.Resumed(army=army, done=done, of=of):
            return f"{who(army)} completed its move: {done} of {of} done."
        case e.Skirmished():
            return _skirmished(event)
        case e.Fled(who=key, at=at):
            return f"{who(key)} fled to {at}."
        case e.Honoured(battle=battle, what=what, by=by, seats=seats, gold=gold):
            gift = {"photos": "photos", "account": "a report", "story": "a story"}
            return f"{by} gave {gift[what]} of {battle}: {gold} gold each for {join_words(seats)}."
        case _:
            raise AssertionError(f"no words for {event}")


def _lesson(one: e.Lesson) -> str:
    up = f", now of Level {one.level}" if one.rose else ""
    return f"{one.name} {one.change:+d} XP ({one.xp}{up})"


def _fought(event: e.Fought) -> str:
    foe = who(event.defender) if event.defender is not None else "the garrison"
    lead = who(event.attackers[0])
    hows = {
        "agreed": "as both report", "alone": "by the one report", "resolver": "by the resolver", "ruled": "by the host’s ruling",
        "conceded": "by concession", "unplayed": "as nobody reported",
    }  # fmt: skip
    how = f"{hows[event.how]}: {event.reason}" if event.reason else hows[event.how]
    if event.winner is None:
        came = "ended in a draw" if event.drawn else "was not fought"
        return f"{event.id}, {lead} against {foe} over {event.at}, {came} ({how.rstrip('.')})."
    winner, loser = (lead, foe) if event.winner == "attacker" else (foe, lead)
    won = "won a great victory over" if event.major else "beat"
    return f"{event.id}: {winner} {won} {loser} over {event.at}, {scenario(event.scenario)} ({how.rstrip('.')})."


def _beaten(event: e.Beaten) -> str:
    results = {
        "destroyed": "destroyed", "mauled": "mauled", "scattered": "scattered", "routed": "routed", "retreats": "retreats",
        "withdraws": "withdraws",
    }  # fmt: skip
    match event.why:
        case "surrounded":
            return f"{who(event.army)} was surrounded."
        case "conceded":
            return f"{who(event.army)} withdraws without a fight."
        case _:
            less = f", less {event.siege + event.twice}" if event.siege or event.twice else ""
            eternal = f"; Eternal Warriors rolled {event.eternal}" if event.eternal else ""
            return f"{who(event.army)} rolled {event.die}{less} on the Defeat Table{eternal}: {results[event.result]}."


def _bought(event: e.Bought) -> str:
    name = work(event.work) if event.work is not None else ""
    of = f" of {event.of}" if event.of is not None else ""
    match event.what:
        case "destroy":
            return f"{who(event.army)} destroyed the {name}{of} on {event.at} for {event.points}, and took {event.gold} gold."
        case "seize":
            tests = f"Leadership {event.needed}, rolled {dice(event.tests)}"
            if event.failed and not event.hexes:
                return f"{who(event.army)} stormed the {name} on {event.at} for {event.points} in vain ({tests})."
            if event.failed:
                return f"{who(event.army)} stormed the {name}{of} on {event.at} for {event.points}, and it was lost in the storm ({tests})."
            brought = f", with {hexes(event.hexes)}" if len(event.hexes) > 1 else ""
            return f"{who(event.army)} seized the {name}{of} on {event.at} for {event.points}{brought} ({tests})."
        case _:
            assert_never(event.what)


def _skirmished(event: e.Skirmished) -> str:
    pair = f"{who(event.comer)} and {who(event.other)}"
    if event.how == "unplayed":
        return f"{event.id}: {pair} did not fight at {event.at}."
    scores = f" ({sum(event.comer_score)} to {sum(event.other_score)})" if event.comer_score else ""
    if event.winner is None:
        return (
            f"{event.id}: {pair} fought to a tie at {event.at}{scores}; each lost {many(event.comer_lost, 'member')}."
        )
    loser, lost = (event.other, event.other_lost) if event.winner == event.comer else (event.comer, event.comer_lost)
    stone = f" and {many(event.weirdstone, 'Weirdstone')}" if event.weirdstone else ""
    return f"{event.id}: {who(event.winner)} beat {who(loser)} at {event.at}{scores}, which lost {many(lost, 'member')}, {event.gold} gold{stone}."


# Weights and headings -----------------------------------------------------------------------------------------------

WEIGHTS: Mapping[str, int] = {
    "closed": 120, "eliminated": 110, "bought": 60, "conquered": 36, "fought": 80, "joined": 70, "perished": 65, "succeeded": 55, "treated": 75,
    "clashed": 50, "unchallenged": 45, "explored": 20, "built": 40, "wrecked": 42, "reshaped": 35, "recruited": 30, "claimed": 25,
    "converted": 48, "jousted": 22, "beaten": 38, "opened": 15, "golden": 16, "portals": 16, "traded": 32, "disputed": 66, "struck": 28,
    "closing": 52, "placed": 8, "unplaced": 46, "displaced": 24, "income": 2, "exhausted": 26, "marched": 1, "contested": 21,
    "earned": 14, "reformed": 18, "appeared": 19, "halted": 17, "rolled-off": 23, "sabotaged": 33, "harried": 13, "patrolling": 3,
    "met": 12, "gave": 11, "rated": 6, "learned": 9, "took": 44, "found": 43, "retreated": 7, "awarded": 8, "passed": 5,
    "advanced": 27, "resumed": 10, "skirmished": 34, "fled": 4, "honoured": 20,
}  # fmt: skip
HEADINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Placing", ("placed", "unplaced")),
    ("Diplomacy", ("treated", "traded", "closing")),
    ("Income", ("income", "exhausted")),
    ("Spending", ("recruited",)),
    ("Armies", (
        "built", "marched", "claimed", "contested", "earned", "explored", "reformed", "appeared", "halted", "clashed", "rolled-off",
        "unchallenged", "displaced", "converted",
    )),
    ("Adventuring parties", ("sabotaged", "harried", "patrolling", "met", "gave")),
    ("Battles to fight", ("joined",)),
    ("Jousts", ("jousted",)),
    ("Battles", ("rated", "fought", "disputed", "struck", "learned", "took", "found", "honoured")),
    ("Defeat and conquest", ("beaten", "retreated", "awarded", "conquered", "bought", "passed", "advanced", "resumed", "succeeded", "eliminated")),
    ("Skirmishes", ("skirmished", "fled")),
    ("The next season", ("opened", "portals", "golden", "reshaped", "wrecked", "perished", "closed")),
)  # fmt: skip
PLACES: Mapping[str, tuple[int, str]] = {
    kind: (number, title) for number, (title, kinds) in enumerate(HEADINGS, 1) for kind in kinds
}
assert set(WEIGHTS) == set(PLACES) == {kind.__dataclass_fields__["event"].default for kind in get_args(e.AnyEvent)}, (
    "every fact has a weight and a heading"
)


def weight(position: Position, event: e.AnyEvent) -> int:
    """How much a fact weighs in the headline of its turn."""
    return WEIGHTS[event.event]


def part(position: Position, event: e.AnyEvent) -> tuple[int, str]:
    """The place and the heading of a fact on the page of its turn, by the phases of a season (GC-J-1)."""
    number, title = PLACES[event.event]
    match event:
        case e.Perished(why="defeat" | "surrounded" | "nowhere" | "out"):
            number, title = PLACES["beaten"]
        case e.Perished(why="members"):
            number, title = PLACES["skirmished"]
        case e.Earned(what="caught" | "loot_town" | "convert_gold"):
            number, title = PLACES["met"]
        case e.Explored(gold=gold) if gold:
            number, title = PLACES["met"]
        case e.Marched(who=key) if key.rpartition(" ")[2].startswith("P"):
            number, title = PLACES["met"]
        case e.Reshaped(why="fell_forest" | "cultivate" | "clear" | "nurture_forest") | e.Wrecked(why="earthquake"):
            number, title = PLACES["built"]
        case e.Built(how="golden"):
            number, title = PLACES["recruited"]
        case e.Displaced(why="alliance"):
            number, title = PLACES["treated"]
        case e.Took(how="joust"):
            number, title = PLACES["jousted"]
        case _:
            pass
    if position.phase is Phase.BATTLES and isinstance(event, e.Marched | e.Built | e.Claimed | e.Halted):
        number, title = PLACES["resumed"]
    return number, title


JOINTS: Mapping[str, tuple[Joint, ...]] = {
    "honoured": (
        Joint("{by} gave photos of {items}, for {gold} gold each to {seats}.", "{battle}", {"what": "photos"}),
    ),
}
"""How several facts of a kind are told in one sentence."""
