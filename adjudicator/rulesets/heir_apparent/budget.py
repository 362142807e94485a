"""Checks a card set against its budget (CARDS.md; the numbers are in data/budget.yaml)."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import Whole, decode, record
from adjudicator.core.text.problems import Problem
from adjudicator.core.text.yamltext import Text, read
from adjudicator.rulesets.heir_apparent.steps import (
    Control,
    Deed,
    DiscardHand,
    Dismiss,
    DrawCards,
    Favor,
    FavorMove,
    Kill,
    Step,
    Turn,
    Unturn,
)
from adjudicator.rulesets.heir_apparent.titles import Action, CardSet, Character, Event, Prince

POINTS = {"Fighter": 1, "Wizard": 2, "Wealthy": 1}
"""Keyword -> its cost in points. A Character may have at most two of these keywords and abilities together."""
DISMISSED, KILLED, TAKEN, EVERYBODY, WORD, LASTING = 2, 3, 3, 2, 1, 2
"""Values of effects: dismissing a character, killing it, giving it to another player, turning or unturning everybody who joined,
giving or taking a keyword, and a lasting +1.
"""
FORMS = {
    ("effect", False): "Effects",
    ("effect", True): "Spells",
    ("equipment", False): "Equipment",
    ("equipment", True): "Enchantments",
}


@record
class Budget:
    """For each list of a set: what is counted -> the right number, or the lowest and the highest."""

    princes: Mapping[str, Whole | tuple[Whole, Whole]]
    characters: Mapping[str, Whole | tuple[Whole, Whole]]
    events: Mapping[str, Whole | tuple[Whole, Whole]]
    actions: Mapping[str, Whole | tuple[Whole, Whole]]


@functools.cache
def budget() -> Budget:
    """Read the budget from its file."""
    path = Path(__file__).parent / "data/budget.yaml"
    return decode(Budget, read(read_own(path), path.name))


def over_budget(cards: CardSet, text: Text) -> Iterator[Problem]:
    """A problem for everything that a set has too many or too few of, and for every limit that a card breaks."""
    counts: Mapping[str, Mapping[str, int]] = {
        "princes": _princes(cards.princes),
        "characters": _characters(cards.characters),
        "events": _events(cards.events),
        "actions": _actions(cards.actions),
    }
    for key, counted in counts.items():
        wanted: Mapping[str, int | tuple[int, int]] = getattr(budget(), key)
        for name, many in wanted.items():
            low, high = (many, many) if isinstance(many, int) else many
            if not low <= counted[name] <= high:
                right = str(low) if low == high else f"{low} to {high}"
                yield text.problem((key,), f"{name}: {counted[name]}", f"a set must have {right}")
    for number, character in enumerate(cards.characters):
        for part, what, right in _dear_character(character):
            yield text.problem(("characters", number, part), f"{character.id}: {what}", right)
    for number, action in enumerate(cards.actions):
        for part, what, right in _dear_action(action):
            yield text.problem(("actions", number, part), f"{action.id}: {what}", right)


# Princes and Characters ---------------------------------------------------------------------------------------------


def _princes(princes: Sequence[Prince]) -> dict[str, int]:
    ratings = Counter((one.politics, one.combat) for one in princes)
    words = Counter(word for one in princes for word in {*one.keywords})
    return {
        "Princes": len(princes),
        "different popularities": len({prince.popularity for prince in princes}),
        "Princes whose popularity and favor come to 13": sum(one.popularity + one.favor == 13 for one in princes),
        "Princes whose ratings come to 5, each at least 1": sum(
            one.politics + one.combat == 5 and min(one.politics, one.combat) >= 1 for one in princes
        ),
        **{
            f"Princes of politics {politics} and combat {5 - politics}": ratings[politics, 5 - politics]
            for politics in (1, 2, 3, 4)
        },
        "Princes that are Noble": words["Noble"],
        "Princes of the Palace": words["Palace"],
        "Princes that are Wealthy": words["Wealthy"],
        "Princes that are Wizards": words["Wizard"],
        "Princes that are Fighters": words["Fighter"],
    }


def _beyond(character: Character) -> int:
    """The points that a Character's ratings and keywords leave for its abilities."""
    plain = character.politics + character.combat + sum(POINTS.get(word, 0) for word in character.keywords)
    return character.points - plain


def _characters(characters: Sequence[Character]) -> dict[str, int]:
    words = Counter(word for one in characters for word in {*one.keywords})
    points = Counter(one.points for one in characters)
    abilities = sum(len(one.abilities) for one in characters)
    return {
        "Characters": len(characters),
        **{f"Characters of {number} points": points[number] for number in (5, 6, 7)},
        "politics in all": sum(one.politics for one in characters),
        "combat in all": sum(one.combat for one in characters),
        "Fighters": words["Fighter"],
        "Wizards": words["Wizard"],
        "Wealthy": words["Wealthy"],
        "Nobles": words["Noble"],
        "of the Palace": words["Palace"],
        "Nobles of the Palace": sum({"Noble", "Palace"} <= {*one.keywords} for one in characters),
        "abilities": abilities,
        "points of abilities beyond one each": sum(map(_beyond, characters)) - abilities,
        "more politics than combat": sum(one.politics > one.combat for one in characters),
        "more combat than politics": sum(one.combat > one.politics for one in characters),
    }


def _dear_character(character: Character) -> Iterator[tuple[str, str, str]]:
    """Limits that a Character breaks, as (part, what is wrong, what would be right)."""
    own, left = len(character.abilities), _beyond(character)
    if not own <= left <= 2 * own:
        right = f"its ratings and keywords cost {character.points - left}, each ability 1, a strong one 2"
        yield "points", f"{left} of its points are left for {own} abilities", right
    if own + len({*POINTS} & {*character.keywords}) > 2:
        yield "keywords", "more than two of Fighter, Wizard, Wealthy and abilities", "take one away"
    if max(character.politics, character.combat) < 2:
        yield "politics", "both ratings are below 2", "raise one of them to at least 2"
    if len({*character.keywords}) < len(character.keywords):
        yield "keywords", "a keyword is listed twice", "write it once"


# Events -------------------------------------------------------------------------------------------------------------


def _events(events: Sequence[Event]) -> dict[str, int]:
    kinds = Counter((event.type, event.skill) for event in events)
    themes = Counter((event.themes or ("none",))[0] for event in events)
    contests = [event for event in events if event.type == "contest"]
    challenges = [event for event in events if event.type == "challenge"]
    winners, losers = zip(*map(_worth_of_contest, contests), strict=True) if contests else ((), ())
    lasting = Counter(event.lasting.on_success for event in events if event.lasting is not None)
    successes = [_worth_to_all(event.success or (), event) for event in challenges]
    failures = [_worth_to_all(event.failure or ()) for event in challenges]
    does = Counter(kind for event in events for kind in {type(step.deed) for step in _outcome(event)})
    return {
        "Events": len(events),
        **{f"Contests of {skill}": kinds["contest", skill] for skill in ("politics", "combat")},
        **{f"Challenges of {skill}": kinds["challenge", skill] for skill in ("politics", "combat")},
        **{f"of {theme}": themes[theme] for theme in ("Money", "Noble", "Palace", "Magic", "War")},
        "without a theme": themes["none"],
        "mandatory Contests": sum(bool(event.mandatory) for event in contests),
        "worth of all winners": sum(winners),
        "winners worth 2 to 4": sum(2 <= worth <= 4 for worth in winners),
        "losers worth 0": losers.count(0),
        "losers worth -1": losers.count(-1),
        "losers worth -2": losers.count(-2),
        "successes worth 1 to 4": sum(1 <= worth <= 4 for worth in successes),
        "failures worth 1 to 4": sum(1 <= worth <= 4 for worth in failures),
        "failures worth 0": failures.count(0),
        "with a choice": sum(bool(event.choice) for event in events),
        "lasting, in the middle": lasting["middle"],
        "lasting, tucked": lasting["tucked"],
        "that dismiss": does[Dismiss],
        "that kill": does[Kill],
        "that change control": does[Control],
        "with a limit": sum(event.limit is not None for event in events),
        "mandatory with a limit": sum(event.limit is not None and bool(event.mandatory) for event in events),
        "with a bonus": sum(event.bonus is not None for event in events),
    }


def _outcome(event: Event) -> Iterator[Step]:
    for steps in event.outcome.values():
        yield from (step for step in steps if len(step.words) == 1)


def _worth_of_contest(event: Event) -> tuple[int, int]:
    """The value of a Contest to its winner, and to its loser."""
    got: Counter[str] = Counter()
    for step in _outcome(event):
        match step.deed:
            case Favor(who=who) | DrawCards(who=who) as deed:
                got[who] += deed.most
            case DiscardHand(who=who) as deed:
                got[who] -= deed.most
            case FavorMove(from_=giver, to=to) as deed:
                got[giver] -= deed.most
                got[to] += deed.most
            case Control(to=to):
                got[to] += TAKEN
            case Unturn():
                got["winner"] += 1
            case _:
                pass
    return got["winner"], got["loser"]


CROWD: Mapping[str, tuple[str, ...]] = {
    "supporters": ("S1", "S2"), "opponents": ("O1", "O2"), "chief-supporter": ("S1",), "chief-opponent": ("O1",),
    "all": ("S1", "S2", "O1", "O2"),
}  # fmt: skip
"""Word for players -> the players it means, if a Challenge has two supporters (S1, S2) and two opponents (O1, O2)."""


def _worth_to_all(steps: Iterable[Step], event: Event | None = None) -> int:
    """The size of an outcome: all players' gains and losses, added up as positive numbers. With `event`, its lasting effects count too."""
    got: Counter[str] = Counter()
    for step in steps:
        if len(step.words) == 1:
            _count(step.deed, got)
    for step in event.lasting.while_ if event is not None and event.lasting is not None else ():
        got["lasting"] += LASTING * step.stat.most if step.stat is not None else WORD
    return sum(map(abs, got.values()))


def _count(deed: Deed, got: Counter[str]) -> None:
    match deed:
        case Favor(who=who) | DrawCards(who=who):
            for player in CROWD.get(who, (who,)):
                got[player] += deed.most
        case DiscardHand(who=who):
            for player in CROWD.get(who, (who,)):
                got[player] -= deed.most
        case FavorMove(from_=giver, to=to):
            for player in CROWD.get(giver, (giver,)):
                got[player] -= deed.most
            for player in CROWD.get(to, (to,)):
                got[player] += deed.most
        case Dismiss(target=target):
            got[f"held {target}"] -= DISMISSED
        case Kill(target=target):
            got[f"held {target}"] -= KILLED
        case Control(target=target):
            got[f"held {target}"] -= TAKEN
        case Turn() | Unturn():
            got["joined"] += EVERYBODY
        case _:
            pass


# Actions ------------------------------------------------------------------------------------------------------------


def _actions(actions: Sequence[Action]) -> dict[str, int]:
    forms = Counter((FORMS[action.kind, action.spell], action.copies) for action in actions)
    phases = Counter(phase for action in actions for phase in {*action.phases})
    by_word = {
        word: [action for action in actions if any(word in step.words for step in action.effect)]
        for word in ("kill", "melee", "unturn", "control", "cancel", "shield", "peek", "favor_move")
    }
    gaining = [
        action
        for action in actions
        if action in by_word["favor_move"]
        or any(step.favor is not None and step.favor.most > 0 for step in action.effect)
    ]
    return {
        "Action titles": len(actions),
        "Action cards": sum(action.copies for action in actions),
        **{
            f"{form} in {copies} {'copy' if copies == 1 else 'copies'}": forms[form, copies]
            for form in FORMS.values()
            for copies in (3, 2, 1)
        },
        **{
            f"titles that name {phase.capitalize()}": phases[phase]
            for phase in ("event", "action", "melee", "reaction")
        },
        "cards that gain favor": sum(action.copies for action in gaining),
        "cards that kill": sum(action.copies for action in by_word["kill"]),
        "titles that begin a melee": len(by_word["melee"]),
        "titles that unturn": len(by_word["unturn"]),
        "cards of control": sum(action.copies for action in by_word["control"]),
        "titles that cancel": len(by_word["cancel"]),
        "titles that shield": len(by_word["shield"]),
        "titles that look": len(by_word["peek"]),
    }


def _dear_action(action: Action) -> Iterator[tuple[str, str, str]]:
    """Limits that an Action breaks, as (part, what is wrong, what would be right)."""
    tokens = 4 if action.copies == 1 else 3
    for step in action.effect:
        if step.support is not None and isinstance(step.support.n, int) and step.support.n > tokens:
            yield (
                "effect",
                f"it gives {step.support.n} tokens",
                f"with copies: {action.copies} it may give at most {tokens}",
            )
        if step.favor is not None and step.favor.most > 2:
            yield "effect", f"it gives {step.favor.most} favor", "a card may give at most 2"
        if step.draw is not None and step.draw.most > 1:
            yield (
                "effect",
                f"it draws {step.draw.most} cards",
                "a card may draw at most 1, so that the Actions phase ends",
            )
    if sum(step.unturn is not None for step in action.effect) > 1 or any(
        step.unturn is not None and "each(" in step.unturn.target for step in action.effect
    ):
        yield "effect", "it unturns more than one character", "unturn one at most, so that reaction rings end"
    if action.kind == "equipment":
        ratings = sorted(abs(step.stat.most) for step in action.while_ if step.stat is not None)
        words = sum(step.keyword is not None for step in action.while_)
        if (ratings, words) not in {3: [([1], 0)], 2: [([2], 0)], 1: [([3], 0), ([1], 1)]}[action.copies]:
            right = {3: "1", 2: "2", 1: "3, or by 1 with a keyword"}[action.copies]
            yield (
                "while",
                "its bonus does not fit its copies",
                f"with copies: {action.copies} it must change one rating by {right}",
            )
