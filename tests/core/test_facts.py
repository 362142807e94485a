"""Each fact is declared in one place: a missing part is an error when its module is read, not when a turn is reported."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

import pytest

from adjudicator.core.contract.facts import EVERYBODY, ITS_SEAT, TELLING, Facts, Hearers, Say, fact, telling_of
from adjudicator.core.contract.rulebook import RULE_LINE
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.contract.runs import Joint, join_facts
from adjudicator.core.text.codec import encode

RULE = "AA-A-1"


@fact(
    Say("{who} found nothing.", {"coins": 0}, weight=0),
    "{who:whose} purse has {coins:many coin}{more}.",
    rule=RULE, weight=20, heard=EVERYBODY, joins=Joint("Purses filled: {items}.", "{who} {coins}"),
)  # fmt: skip
class Found:
    event: Literal["found"] = "found"
    who: str
    coins: int
    more: str = ""


@fact(
    lambda _, told: f"{told.who} sang.",
    rule=(RULE, "AA-A-2"),
    weight=5,
    heard=Hearers(lambda told, seat: told if seat == told.who else None),
)
class Sang:
    event: Literal["sang"] = "sang"
    who: str


FACTS: Facts[Any] = Facts.of(Found | Sang)


def test_a_fact_gets_the_first_sentence_that_fits() -> None:
    assert FACTS.tell(None, Found(who="Ada", coins=0)) == "Ada found nothing."
    assert FACTS.tell(None, Found(who="Ada", coins=1)) == "Ada’s purse has 1 coin."
    assert FACTS.tell(None, Found(who="Ines", coins=2, more=" {coins}")) == "Ines’ purse has 2 coins {coins}."
    assert FACTS.tell(None, Sang(who="Ada")) == "Ada sang."
    assert [FACTS.weight(None, one) for one in (Found(who="A", coins=0), Found(who="A", coins=1), Sang(who="A"))] == [
        0,
        20,
        5,
    ]
    assert FACTS.tells(Sang(who="Ada"))
    assert not FACTS.tells("Ada")


def test_several_facts_share_a_sentence_and_only_their_hearers_get_it() -> None:
    facts = [Found(who="Ada", coins=3), Found(who="Ben", coins=1)]
    (sentence,) = join_facts(
        facts, lambda one: FACTS.tell(None, one), lambda one: FACTS.weight(None, one), FACTS.joints
    )
    assert (sentence.text, sentence.weight) == ("Purses filled: Ada 3 and Ben 1.", 20)
    assert FACTS.heard(facts[0], None) == facts[0]
    assert FACTS.heard(Sang(who="Ada"), "Ada") == Sang(who="Ada")
    assert FACTS.heard(Sang(who="Ada"), "Ben") is None


def test_facts_are_listed_under_headings() -> None:
    """A sentence may have another heading than its record; a heading that the ruleset lacks is an error."""

    @fact(
        Say("{seat} has {coins:any coin}.", {"coins": 0}, part="Later"), "{seat} has {coins:any coin} of {price:and}.",
        rule=RULE, weight=1, heard=ITS_SEAT, part="First",
    )  # fmt: skip
    class Counted:
        event: Literal["counted"] = "counted"
        seat: str
        coins: int
        price: str = "1 pearl, 2 shells"

    facts: Facts[Any] = Facts([Counted, Sang], ("", "First", "Later"))
    none, two = Counted(seat="Ada", coins=0), Counted(seat="Ada", coins=2)
    assert (facts.tell(None, none), facts.part(None, none)) == ("Ada has no coin.", (2, "Later"))
    assert (facts.tell(None, two), facts.part(None, two)) == ("Ada has 2 coins of 1 pearl and 2 shells.", (1, "First"))
    assert facts.part(None, Sang(who="Ada")) == (0, "")
    assert [facts.heard(two, seat) for seat in ("Ada", "Ben", None)] == [two, None, None]
    with pytest.raises(ValueError, match="no heading is called First, Later"):
        Facts([Counted])


def test_a_sentence_may_be_for_several_values() -> None:
    @fact(
        Say("{who} had few.", {"coins": frozenset({1, 2})}, part="Few"), "{who} had {coins}.",
        rule=RULE, weight=1, heard=EVERYBODY,
    )  # fmt: skip
    class Had:
        event: Literal["had"] = "had"
        who: str
        coins: int

    facts: Facts[Any] = Facts([Had], ("", "Few"))
    told = [Had(who="Ada", coins=coins) for coins in (0, 1, 2, 3)]
    assert [facts.tell(None, one) for one in told] == ["Ada had 0.", "Ada had few.", "Ada had few.", "Ada had 3."]
    assert [facts.part(None, one) for one in told] == [(0, ""), (1, "Few"), (1, "Few"), (0, "")]


def test_declarations_are_not_part_of_a_records_data() -> None:
    assert encode(Found(who="Ada", coins=3)) == {"event": "found", "who": "Ada", "coins": 3, "more": ""}
    assert telling_of(Sang).rules == (RULE, "AA-A-2")


FAULTS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "no sentence": ((), {}, "the last sentence must have no condition"),
    "none that always fits": ((Say("{who}.", {"coins": 1}),), {}, "the last sentence must have no condition"),
    "one that hides others": (
        ("{who}.", "{coins}."),
        {},
        "the last sentence must have no condition, and all others must have one",
    ),
    "a blank of nothing": (("{whom} came.",), {}, "it has no field 'whom'"),
    "a case of nothing": ((Say("{who}.", {"whom": 1}), "{who}."), {}, "it has no field 'whom'"),
    "a joint of nothing": (("{who}.",), {"joins": Joint("{items}.", "{whom}")}, "it has no field 'whom'"),
    "no full stop": (("{who} came",), {}, "a sentence must end with a full stop: '{who} came'"),
    "no rule": (("{who}.",), {"rule": ()}, "a fact must name its rules, such as XX-A-1, not none"),
    "an odd rule": (("{who}.",), {"rule": "I-1"}, "a fact must name its rules, such as XX-A-1, not I-1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_fact_is_refused(fault: str) -> None:
    says, more, what = FAULTS[fault]
    options: dict[str, Any] = {"rule": RULE, "weight": 1, "heard": EVERYBODY} | more
    with pytest.raises(ValueError, match=re.escape(f"Came: {what}")):

        @fact(*says, **options)
        class Came:
            event: Literal["came"] = "came"
            who: str
            coins: int = 0


@pytest.mark.parametrize("missing", ["rule", "weight", "heard"])
def test_no_part_of_a_declaration_has_a_default(missing: str) -> None:
    options: dict[str, Any] = {"rule": RULE, "weight": 1, "heard": EVERYBODY}
    del options[missing]
    with pytest.raises(TypeError, match=missing):
        fact("{who}.", **options)


def test_a_ruleset_has_each_kind_of_fact_once_and_words_for_each_record() -> None:
    with pytest.raises(ValueError, match="two kinds of facts have the same name"):
        Facts([Found, Found])
    with pytest.raises(ValueError, match="there is no sentence for str"):
        Facts([Found, str])


def test_a_ruleset_can_define_spellings_that_depend_on_the_view() -> None:
    @fact("{who:loud} {coins:word} {who}.", rule=RULE, weight=1, heard=EVERYBODY, joins=Joint("{items}.", "{who}"))
    class Called:
        event: Literal["called"] = "called"
        who: str
        coins: int

    spellings: dict[str, Any] = {"loud": lambda view, name: f"{name.upper()}{view}", "word": {0: "no", 1: "one"}}
    facts: Facts[Any] = Facts([Called], spellings=spellings)
    assert facts.tell("!", Called(who="Ada", coins=1)) == "ADA! one Ada."
    with pytest.raises(ValueError, match=re.escape("Called: no spelling is called 'loud' (who)")):
        Facts([Called], spellings={"word": {}})

    @fact("{who}.", rule=RULE, weight=1, heard=EVERYBODY, joins=Joint("{items}.", "{who:loud}"))
    class Joined:
        event: Literal["joined"] = "joined"
        who: str

    with pytest.raises(ValueError, match=re.escape("Joined: no spelling is called 'loud' (who)")):
        Facts([Joined], spellings=spellings)  # facts are joined without a view


@pytest.mark.parametrize("slug", slugs())
def test_every_rule_that_a_fact_names_is_in_its_rulebook(slug: str) -> None:
    """The facts of a war have their rules in that war's rulebook."""
    event = find(slug).types.event
    kinds = get_args(get_args(event)[0])
    told = [kind for kind in kinds if hasattr(kind, TELLING)]
    assert told == [*kinds]
    book = {rule for one in slugs() for rule in RULE_LINE.findall((find(one).folder / "RULES.md").read_text("utf-8"))}
    assert {rule for kind in told for rule in telling_of(kind).rules} - book == set()
