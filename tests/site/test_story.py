"""The story of a game: in order, one headline per turn, facts of a kind in one sentence, and nothing lost."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from adjudicator.ci.adjudicate import Batch
from adjudicator.ci.channels import news
from adjudicator.core.contract.ruleset import Ruleset, find, slugs
from adjudicator.core.contract.runs import BESIDE, Joint, Sentence, Told, fill, join_facts, tell_shortly
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.run import Step, run_game
from adjudicator.core.text.codec import encode
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.diplomacy import RULESET as DIPLOMACY
from adjudicator.rulesets.diplomacy.events import Forced, Standoff, Taken
from adjudicator.site.feeds import feed, in_short, newest_entries
from adjudicator.site.game import UNFOLDED, game_page
from adjudicator.site.story import Story, load_story
from adjudicator.site.turn import map_of
from tests.core.test_deadlines import Play

ATOM = "{http://www.w3.org/2005/Atom}"
Rules = Ruleset[Any, Any, Any]
START = next(iter(DIPLOMACY.examples())).position


def story_of(root: Path, slug: str) -> Story:
    """A game of the archive."""
    story = load_story(Archive(root), slug)
    assert story is not None
    return story


def page_of(story: Story) -> str:
    """The page that tells a game's story."""
    return str(game_page(story, "../../", map_of(story, story.last)))


def all_turns(root: Path) -> Iterator[tuple[Rules, Any, tuple[Any, ...]]]:
    """The facts of every turn in the archive and of every worked example, with the position before each."""
    for slug in Archive(root).slugs():
        story = story_of(root, slug)
        for turn in story.turns:
            yield story.game.ruleset, story.position(turn), tuple(story.facts(turn))
    for slug in slugs():
        for example in find(slug).examples():
            yield find(slug), example.position, example.resolution.events


def leaves(value: object) -> Iterator[str]:
    """Every name and number in a fact."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "event":  # the kind, which a sentence expresses in other words
                yield from leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def says(text: str, word: str) -> bool:
    """True if a text contains a word or a number as a whole."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


@pytest.mark.slow
def test_joining_facts_loses_nothing_that_separate_sentences_say(root: Path) -> None:
    """FR-5. Every fact is in one sentence, with all the names and numbers that a separate sentence would have."""
    joined = 0
    for rules, view, facts in all_turns(root):

        def tell(fact: Any, rules: Rules = rules, view: Any = view) -> str:
            return rules.words.tell(view, fact)

        def weight(fact: Any, rules: Rules = rules, view: Any = view) -> int:
            return rules.words.weight(view, fact)

        sentences = list(join_facts(facts, tell, weight, rules.words.joints))
        assert sorted(id(fact) for sentence in sentences for fact in sentence.facts) == sorted(map(id, facts))
        for sentence in sentences:
            assert sentence.text.endswith(".")
            joined += len(sentence.facts) > 1
            for fact in sentence.facts:
                lost = [
                    word for word in leaves(encode(fact)) if says(tell(fact), word) and not says(sentence.text, word)
                ]
                assert lost == [], (sentence.text, tell(fact))
        shortly = rules.told(view, facts)
        assert {sentence.text for sentence in sentences} <= set(shortly.sentences)
        assert shortly.headline is not None or all(sentence.weight <= 0 for sentence in sentences)
    assert joined > 200


UNSAID = {("paid", "units"): "whose pay is nothing had no unit that held"}
"""Kind and field that a joint may leave out, and why nothing is lost."""


@pytest.mark.parametrize("slug", slugs())
def test_a_joint_names_every_field_that_its_facts_must_have(slug: str) -> None:
    """FR-5. So nothing is lost from facts that no game here has had, either."""
    rules = find(slug)
    union = get_args(rules.types.event)[0]
    kinds = {fields(kind)[0].default: {field.name: field for field in fields(kind)} for kind in get_args(union)}
    properties = {fields(kind)[0].default: {*dir(kind)} for kind in get_args(union)}
    assert set(rules.words.joints) <= set(kinds)
    for kind, joints in rules.words.joints.items():
        for joint in joints:
            named = {name for name, _ in (*joint.blanks(joint.together), *joint.blanks(joint.item))} - {"items"}
            assert named | set(joint.where) <= set(kinds[kind]) | properties[kind], kind
            must = {name for name, field in kinds[kind].items() if field.default is MISSING}
            lost = must - named - set(joint.where) - {"heard"}  # the readers of a fact are not part of its content
            assert [name for name in lost if (kind, name) not in UNSAID] == [], kind


def test_facts_of_a_kind_make_one_sentence_as_the_ruleset_words_it() -> None:
    """FR-5."""
    facts = (
        Standoff(province="Rumania"),
        Taken(centre="Belgium", power="France"),
        Taken(centre="Denmark", power="Germany"),
        Taken(centre="Portugal", power="France"),
        Standoff(province="Sweden"),
        Taken(centre="Warsaw", power="Germany", lost_by="Russia"),
        Taken(centre="Spain", power="France"),
        Taken(centre="Greece", power="Austria"),
        Forced(power="Italy", unit="A Rome", by="A Venice", to=("Apulia", "Naples")),
        Forced(power="Italy", unit="F Tunis", by="F Ionian Sea", to=("North Africa",)),
    )
    told = DIPLOMACY.told(START, facts)
    assert told.headline == "Germany took Denmark, and Warsaw from Russia."
    assert told.rest == (
        "Standoffs left Rumania and Sweden empty.",
        "France took Belgium, Portugal and Spain.",
        "Austria took Greece.",
        (
            "Italy had these units dislodged: A Rome by A Venice (it may retreat to Apulia or Naples) "
            "and F Tunis by F Ionian Sea (it may retreat to North Africa)."
        ),
    )
    assert told.plain == ()


def test_a_headline_counts_what_it_cannot_name_and_the_full_text_follows() -> None:
    """FR-5."""
    facts = [Taken(centre=f"C{number}", power="France") for number in range(9)]
    told = DIPLOMACY.told(START, facts)
    assert told.headline == "France took C0, C1, C2, C3 and 5 more."
    assert told.rest == ("France took C0, C1, C2, C3, C4, C5, C6, C7 and C8.",)
    assert tell_shortly((), 10).sentences == ()


def test_a_short_account_has_few_sentences_and_loses_none() -> None:
    """UX-14: a season of battles was one paragraph of twelve. Short sentences may be more, and the heaviest come first."""

    def told(texts: list[str]) -> Told:
        return tell_shortly([Sentence(text, text, (text,), 50 - at) for at, text in enumerate(texts)], 10)

    long = [f"{at} " + "word " * 20 for at in range(9)]
    account = told(long)
    assert account.headline == long[0]
    assert account.rest == tuple(long[1 : 1 + BESIDE])
    assert account.plain == tuple(long[1 + BESIDE :])
    short = [f"Power {at} took a centre." for at in range(8)]
    assert told(short).rest == tuple(short[1:])


def test_text_in_a_fact_is_never_read_as_a_template() -> None:
    """FR-5. A stranger's text in braces stays unchanged."""
    hostile = Standoff(province="{power} {0} {province!r}")
    assert fill("Empty: {province}.", hostile) == "Empty: {power} {0} {province!r}."
    with pytest.raises(AssertionError):
        Joint("Nothing to fill.", "{province}")


def test_the_story_goes_from_the_first_turn_to_the_last_with_a_headline_each(root: Path) -> None:
    """FR-5. It was newest first, with a sentence per event."""
    story = story_of(root, "austria-alone")
    section = page_of(story).partition('class="courtly-story"')[2].partition("</section>")[0]
    phases = re.findall(r"<h3><a [^>]*>([^<]*)</a></h3>", section)
    assert phases == [turn.data.phase for turn in story.turns]
    heads = re.findall(r"</h3><p><strong>([^<]*)</strong></p>", section)
    assert heads == [story.headline(turn) for turn in story.turns]
    assert "France took Belgium, Portugal and Spain." in section
    before, _, folded = section.partition(f"<summary>{len(story.turns) - UNFOLDED} later turns</summary>")
    assert before.count("<h3>") == UNFOLDED
    assert folded.count("<h3>") == len(story.turns) - UNFOLDED


@pytest.mark.slow
def test_a_night_is_a_short_paragraph_and_the_rest_unfolds(root: Path) -> None:
    """FR-5. It was twenty-five lines: moves and incomes with everything else."""
    story = story_of(root, "fighting-over-farna")
    section = page_of(story).partition('class="courtly-story"')[2].partition("</section>")[0]
    night = section.partition(">Night 2</a></h3>")[2].partition("<h3>")[0]
    paragraph, _, folded = night.partition("<details><summary>")
    assert paragraph == (
        "<p><strong>These treaties are in force, and their parties are neutral: T521 (Pape and TCK) and T997 (Alliance and Fleurs)."
        "</strong></p><p>Pape took control of D2. TCK took control of G4. Somebody plundered J8; all its income tonight "
        "is lost.</p>"
    )
    assert folded.startswith("32 more</summary><ul><li>")
    assert "<li>Anise earned 3 influence" in folded
    assert "<li>Units moved: Lovage’s U290 from A1 to B1, " in folded
    for turn in story.turns:
        told = story.shortly(turn)
        assert len(" ".join((told.headline or "", *told.rest))) < 1500, turn.name


def test_a_running_game_shows_its_latest_turns_and_folds_earlier_ones(tmp_path: Path) -> None:
    """FR-5."""
    archive = new_archive(tmp_path)
    for _ in range(UNFOLDED + 2):
        list(run_game(archive, "game", now=True, at="2026-11-20T00:00Z"))
    story = story_of(tmp_path, "game")
    section = page_of(story).partition('class="courtly-story"')[2].partition("</section>")[0]
    judged = [turn.data.phase for turn in story.turns if turn.data.status == "resolved"]
    assert len(judged) == UNFOLDED + 2
    assert re.findall(r"<h3><a [^>]*>([^<]*)</a></h3>", section) == judged
    assert section.startswith(' id="story"><h2>The story so far</h2><details><summary>2 earlier turns</summary>')
    assert "No province changed hands." in section


def new_archive(folder: Path) -> Archive:
    """An archive with one open game of standard Diplomacy."""
    archive = Archive(folder)
    archive.games.mkdir()
    seats = {seat: {"player": seat} for seat in DIPLOMACY.rules.seats(DIPLOMACY.types.settings())}
    new_game(
        archive, "game", {"ruleset": "diplomacy", "title": "G*", "opened": "2026-11-20", "seed": "s", "seats": seats}
    )
    return archive


def test_feeds_and_the_chat_begin_with_the_headline(root: Path) -> None:
    """FR-5. Both named a phase; its events came as one long list."""
    story = story_of(root, "austria-alone")
    entries = ET.fromstring(feed("T", "feed.xml", [story], "https://courtly.example/")).findall(f"{ATOM}entry")
    (fall,) = (
        entry for entry in entries if (entry.findtext(f"{ATOM}id") or "").endswith("002-fall-1901-movement/index.html")
    )
    assert fall.findtext(f"{ATOM}title") == (
        "Germany took Denmark, and Warsaw from Russia (Austria alone: Fall 1901, movement)"
    )
    summary = fall.findtext(f"{ATOM}summary") or ""
    assert summary.startswith("Germany took Denmark, and Warsaw from Russia. Standoffs left Rumania and Sweden empty.")
    fall_1901, winter, last = story.turns[1], story.turns[2], story.last
    steps = [
        Step("austria-alone", "resolved", fall_1901.name, fall_1901.data.phase),
        Step("austria-alone", "opened", winter.name, winter.data.phase),
        Step("austria-alone", "resolved", last.name, last.data.phase),
        Step("austria-alone", "ended", last.name, "Fall 1908"),
    ]
    assert [one.said for one in news(Archive(root), Batch(steps=steps))] == [
        "Germany took Denmark, and Warsaw from Russia. Austria alone: Winter 1901, adjustments is open.",
        "Austria won alone with 19 supply centres. Austria alone is over: Fall 1908.",
    ]


def test_a_feed_says_when_a_turn_opens_and_when_its_deadline_moves(tmp_path: Path) -> None:
    """A moved deadline is a new entry, because its id has the deadline. A paused game has none."""
    game = Play(tmp_path / "archive")

    def entries() -> list[tuple[str, str, str]]:
        story = load_story(game.archive, "game")
        assert story is not None
        return [(entry.updated, entry.title, entry.part) for entry in newest_entries(story)]

    first = (
        "2026-11-20T00:00:00Z",
        "A game: Spring 1901, movement is open until 2026-11-22 00:00 UTC",
        "#until-2026-11-22T00:00Z",
    )
    assert entries() == [first]
    game.rule({"extend": "2026-11-23T18:00Z", "reason": "So."})
    game.run("2026-11-20T01:00Z")
    ((updated, title, part),) = entries()
    assert (updated, part) == (first[0], "#until-2026-11-23T18:00Z")
    assert title.endswith("until 2026-11-23 18:00 UTC")
    game.sheets()
    game.run("2026-11-23T18:00Z")
    fall, spring = entries()
    assert fall[:2] == ("2026-11-23T18:00:00Z", "A game: Fall 1901, movement is open until 2026-11-25 18:00 UTC")
    assert spring[2] == ""
    game.rule({"pause": True, "reason": "So."})
    game.run("2026-11-24T00:00Z")
    assert entries() == [spring]


@pytest.mark.slow
def test_no_entry_of_a_feed_is_long(root: Path) -> None:
    """UX-13. A Night had 300 words. Whole sentences are kept: the first always, and others while all have at most 60 words."""
    for slug in Archive(root).slugs():
        for entry in newest_entries(story_of(root, slug)):
            assert 0 < len(entry.summary.split()) <= 60, entry.title
    assert in_short(["A b c."] * 30) == " ".join(["A b c."] * 20)
    assert in_short(["word " * 70 + "end.", "More."]) == "word " * 70 + "end."
    assert in_short([]) == ""


def test_a_cached_turn_has_everything_that_its_file_has(root: Path) -> None:
    """A running game's turns are cached as JSON between builds of the site: read back they are equal, whatever the ruleset."""
    archive = Archive(root)
    for slug in archive.slugs():
        game = load_game(archive, slug)
        for name in archive.turns(slug):
            turn = load_turn(archive, game, name)
            kept = json.loads(json.dumps(encode(turn.data), ensure_ascii=False))
            assert load_turn(archive, game, name, plain=kept).data == turn.data, name


def test_no_two_turns_have_the_same_name(root: Path) -> None:
    """F15: the name of a turn shows that a battle waited for the host; the archive keeps the name that it was judged by."""
    story = load_story(Archive(root), "the-amber-reach")
    assert story is not None
    names = [turn.data.phase for turn in story.turns]
    assert len({*names}) == len(names)
    assert names[10:12] == ["Spring of year 2, battles", "Spring of year 2, battles (2nd turn)"]
