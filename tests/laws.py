"""Laws of every ruleset, whatever it plays: tested on each one found, and on the small ones of the tests.

A new ruleset meets these on arrival. Nothing here requires a number of options, turns, files or anything else that a small game does not need.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from adjudicator.core.contract.pages import Chart
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.rulebook import PREFIX, RULE_ID, rules_in
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.seen import ITS_DEFAULT, NONE, OWNER, Eyes, declared
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.core.text.codec import decode, encode, schema
from adjudicator.core.text.yamltext import Text

Rules = Ruleset[Any, Any, Any]


def dice(*names: str) -> NamedDice:
    """Dice that give equal rolls for equal names."""
    return NamedDice(turn_key(b"laws", "/".join(names), "", ""))


def first(rules: Rules) -> Any:
    """The first position under the usual house rules."""
    return rules.rules.setup(decode(rules.types.settings, Text("settings", {}, {})), dice("setup"))


def turns(rules: Rules, most: int) -> Iterator[tuple[Any, dict[str, Any], Resolution[Any, Any]]]:
    """The first turns of a game that stand-ins play: position, sheets, resolution."""
    position = first(rules)
    for number in range(1, most + 1):
        chance = chance_of("laws", str(number))
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        done = rules.rules.resolve(position, sheets, dice(str(number)))
        yield position, sheets, done
        if done.ended is not None:
            return
        position = done.position


def says_who_it_is(rules: Rules) -> None:
    """Its slug is its folder's name; its rules have its prefix, and each number occurs once."""
    assert rules.about.slug == rules.folder.name
    assert re.fullmatch(PREFIX, rules.about.prefix)
    ids = rules_in((rules.folder / "RULES.md").read_text(encoding="utf-8"))
    assert ids
    assert len(ids) == len(set(ids))
    assert {rule.partition("-")[0] for rule in ids} == {rules.about.prefix}


def keeps_positions(rules: Rules, most: int) -> None:
    """Positions and facts survive writing and reading; a generated position has no fault; stored data is plain.

    A position and its public view keep the house rules that the game was opened with.
    """
    types = rules.types
    usual = encode(decode(types.settings, Text("settings", {}, {})))
    for position, _, done in turns(rules, most):
        plain = encode(position)
        again = decode(types.position, Text("position", plain, {}))
        assert encode(again) == plain
        assert encode(position.settings) == encode(rules.view(position, None).settings) == usual
        assert [fault.what for fault in rules.rules.faults(position)] == []
        events = decode(tuple[types.event, ...], Text("events", encode(done.events), {}))  # type: ignore[name-defined]
        assert events == done.events
        verdicts = decode(tuple[types.verdict, ...], Text("verdicts", encode(done.verdicts), {}))  # type: ignore[name-defined]
        assert verdicts == done.verdicts


def keeps_its_word(rules: Rules, most: int) -> None:
    """Seats, kinds and sheet types are those that it names; every seat writes a type that has a schema; luck is named (FS-20)."""
    usual = decode(rules.types.settings, Text("settings", {}, {}))
    if not rules.about.rolls(usual):
        rolled = dice("setup")
        rules.rules.setup(usual, rolled)
        for number, (position, sheets, _) in enumerate(turns(rules, most), 1):
            rules.rules.resolve(position, sheets, rolled)
            assert rolled.rolls == (), number
    for position, sheets, _ in turns(rules, most):
        seats = rules.rules.seats(position.settings) if hasattr(position, "settings") else tuple(sheets)
        assert rules.due(position) <= set(seats)
        assert rules.kind(position) in rules.rules.kinds
        assert rules.when(position)
        for seat in seats:
            kind = rules.sheet_for(position, seat)
            assert kind in rules.types.sheets.values()
            assert isinstance(kind().final, bool)
    for name, kind in rules.types.sheets.items():
        assert "final" in schema(kind, name, name)["properties"]


def offers_what_is_legal(rules: Rules, most: int) -> None:
    """Every option is a faultless sheet of the seat's type, and so is a stand-in's sheet."""
    offered = 0
    for position, sheets, _ in turns(rules, most):
        for seat, sent in sheets.items():
            view = rules.view(position, seat)
            for sheet in rules.rules.options(view, seat):
                offered += 1
                assert type(sheet) is rules.sheet_for(position, seat)
                assert [remark.what for remark in rules.rules.check(view, seat, sheet) if remark.level == "error"] == []
            assert [remark.what for remark in rules.rules.check(view, seat, sent) if remark.level == "error"] == []
    assert offered


def is_pure(rules: Rules, most: int) -> None:
    """Repeating it, or reordering the sheets, changes nothing; and its input stays unchanged."""
    for number, (position, sheets, done) in enumerate(turns(rules, most), 1):
        before = encode(position), encode(sheets)
        again = rules.rules.resolve(position, dict(reversed(sheets.items())), dice(str(number)))
        assert again == done
        assert (encode(position), encode(sheets)) == before


def has_words(rules: Rules, most: int) -> None:
    """A sentence for every verdict, fact and ending; rules cited by their numbers; a heading and a weight for every fact."""
    words = rules.words
    assert words.quiet.endswith(".")
    for position, _, done in turns(rules, most):
        for fact in (*done.verdicts, *done.events):
            assert words.tell(position, fact).endswith(".")
        for verdict in done.verdicts:
            assert RULE_ID.fullmatch(verdict.rule)
            assert isinstance(verdict.ok, bool)
        for event in done.events:
            assert words.weight(position, event) >= 0
            assert len(words.part(position, event)) == 2
        headline = rules.headline(position, done.events)
        assert headline is None or headline.endswith(".")
        if done.ended is not None:
            assert words.ended(done.ended)
            assert set(done.ended.winners) <= set(rules.rules.seats(position.settings))


def can_be_seen(rules: Rules, most: int) -> None:
    """A picture with a size, a title and a description for every viewer; standings and charts."""
    views = []
    for position, _, done in turns(rules, most):
        view = rules.view(position, None)
        views.append(view)
        for shown in (None, Resolution(view, done.verdicts, done.events)) if rules.secrecy is None else (None,):
            drawn = rules.pictures.picture(view, shown)
            assert drawn.width > 0
            assert drawn.height > 0
            assert "<title>" in drawn.svg
            assert "<desc>" in drawn.svg
        scene = rules.pictures.draw(view, None)
        assert scene.legend
        assert rules.pictures.paint(scene.uncounted())
        assert rules.pictures.paint(scene.to_click())
        for table in rules.tables.tally(view):
            assert all(len(row) == len(table.head) for row in table.rows)
    for chart in rules.tables.chart(views):
        assert chart.title
        # Units of time and turns are those of the labels, in order.
        assert len(chart.ticks) in (0, len(chart.labels))
        assert len(chart.turns) in (0, len(chart.labels))
        assert list(chart.turns) == sorted(set(chart.turns))
        assert all(turn < len(views) for turn in chart.turns)
        lines = chart.lines if isinstance(chart, Chart) else chart.rows
        assert all(len(line) == len(chart.labels) for line in lines.values())


def keeps_secrets_by_views(rules: Rules, most: int) -> None:
    """The public view of a public view is itself; both views agree on the seats that owe a sheet, and on the name of the turn."""
    if rules.secrecy is None:
        return
    for position, _, _ in turns(rules, most):
        public = rules.view(position, None)
        assert encode(rules.view(public, None)) == encode(public)
        assert (rules.due(public), rules.when(public), rules.kind(public)) == (
            rules.due(position), rules.when(position), rules.kind(position),
        )  # fmt: skip
        for seat in rules.due(position):
            assert all(line.endswith((".", "!", "?")) for line in rules.secrecy.brief(rules.view(position, seat), seat))


def shows_what_its_fields_say(rules: Rules, most: int) -> None:
    """A view does not depend on the fields that its reader does not see (HS-1): they are replaced at random."""
    if rules.secrecy is None:
        return
    rolls, changed = random.Random(rules.about.slug), 0
    for position, _, _ in turns(rules, most):
        for seat in (None, *rules.due(position)):
            other = exchanged(rules, position, seat, rolls)
            changed += other != position
            assert encode(rules.view(other, seat)) == encode(rules.view(position, seat)), seat
    assert changed, "nothing was hidden from anybody"


def exchanged(rules: Rules, position: Any, seat: str | None, rolls: random.Random) -> Any:
    """A position with other values in the parts hidden from a reader, as far as a field's own declaration decides that."""
    changes: dict[str, Any] = {}
    for name, seen in declared(type(position)).items():
        value = getattr(position, name)
        if seen.made is not None:
            told = seen.made(position, seat)
            changes[name] = _behind(value, told, rolls) if isinstance(value, Mapping) else value
        elif seen.seats and seen.eyes is not None:
            changes[name] = {whose: entry for whose, entry in value.items() if whose == seat or rolls.randrange(2)}
        elif seen.seats and seen.instead is not ITS_DEFAULT:
            changes[name] = {whose: entry if whose == seat else _other(entry, rolls) for whose, entry in value.items()}
        elif seen.seats:
            changes[name] = {
                whose: _record(entry, OWNER if whose == seat else NONE, rolls) for whose, entry in value.items()
            }
        elif seen.eyes is not None and callable(seen.instead):
            other = _other(value, rolls)
            changes[name] = other if seen.instead(other) == seen.instead(value) else value
    return replace(position, **changes)


def _behind(value: Mapping[str, Any], told: Mapping[str, Any], rolls: random.Random) -> dict[str, Any]:
    """A mapping with other values in the parts that a view of it hides: fields with their default there, and missing entries."""
    kept = {}
    for key, entry in value.items():
        if key not in told:
            if not rolls.randrange(3):
                continue  # a hidden entry may as well be missing
            kept[key] = entry
        elif not is_dataclass(entry) or isinstance(entry, type):
            kept[key] = entry
        else:
            unseen = {
                name: _other(getattr(entry, name), rolls)
                for name in declared(type(entry))
                if getattr(told[key], name) != getattr(entry, name) and name not in TELLING
            }
            kept[key] = replace(entry, **unseen)
    return kept


TELLING = frozenset({"faction", "role", "leader", "heir", "officers"})
"""Fields that decide who sees others, or that are partly visible: they never get a random value."""


def _record(record: Any, eyes: Eyes, rolls: random.Random) -> Any:
    unseen = {
        name: _other(getattr(record, name), rolls)
        for name, seen in declared(type(record)).items()
        if seen.eyes is not None and not seen.eyes & eyes
    }
    return replace(record, **unseen)


def _other(value: Any, rolls: random.Random) -> Any:
    """Another value of equal kind and length."""
    match value:
        case bool():
            return not value
        case int():
            return value + rolls.randint(1, 9)
        case str():
            return f"other-{rolls.randrange(1000)}"
        case tuple():
            return tuple(_other(one, rolls) for one in value)
        case Mapping():
            return {key: _other(one, rolls) for key, one in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{field.name: _other(getattr(value, field.name), rolls) for field in fields(value)})
        case _:
            return value


LAWS = (
    keeps_positions, keeps_its_word, offers_what_is_legal, is_pure, has_words, can_be_seen, keeps_secrets_by_views,
    shows_what_its_fields_say,
)  # fmt: skip
"""Each takes a ruleset and a number of turns."""
