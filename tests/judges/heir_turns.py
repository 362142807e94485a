"""Play Heir Apparent before two judges, the ruleset and the second one, and compare their results for each turn.

Some games begin as games do, most in the middle of one that nobody played, and between turns the table is stirred: cards
change
places, characters turn, purses run low, so that rare cards meet. Sheets are drawn by lot from lines that could work, with
some that
cannot.
"""

from __future__ import annotations

import copy
import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import Text, write
from adjudicator.rulesets.heir_apparent.orders import sheet_type
from adjudicator.rulesets.heir_apparent.position import Position, Settings, faults
from adjudicator.rulesets.heir_apparent.resolve import due, resolve, setup
from tests.judges.games import so_many
from tests.judges.heir import Data, Judge, Judged, asks, cards, judge, owed, title

LISTS = ("actions", "event", "melee", "reactions", "counters", "draw", "keep", "reopen")
SEATS = ("First", "Second", "Third", "Fourth", "Fifth")
LETTERS = 200
"""Letters of a line that a verdict shows."""
FROM_START = 6
"""One game in this many begins as games do."""


# Comparing ------------------------------------------------------------------------------------------------------------


def bare(value: Any) -> Any:
    """Plain data without empty values, so that a missing value equals its default."""
    if isinstance(value, Mapping):
        inside = {key: bare(one) for key, one in value.items()}
        return {key: one for key, one in inside.items() if one is not None and one is not False and one not in ([], {})}
    if isinstance(value, list | tuple):
        return [bare(one) for one in value]
    return value


def plain(data: Data) -> Data:
    """A position in a form to compare: lists without a prescribed order are sorted."""
    told: Data = bare({key: value for key, value in data.items() if key != "filed"})
    if told.get("over"):  # an unturned character only matters to the next turn, which a finished game lacks
        told.pop("risen", None)
        told.pop("phase", None)
    under = told.get("underway")
    if under:
        under.pop("act", None)  # numbers of acts show readers their place, and the rules do not mention them
        if "asked" not in under:  # after a reopening nothing depends on the acts before it
            for key in ("last", "again", "stops"):
                under.pop(key, None)
        if not data.get("event"):  # nor, after a stop in the Actions phase, on the seat that acted last
            under.pop("last", None)
        for key in ("passes", "stops"):
            if not under.get(key):
                under.pop(key, None)
        brawl = under.get("brawl") or {}
        if "card" in brawl:  # conditions ask only for its title
            brawl["card"] = title(brawl["card"])
        for one in (under, brawl):
            if "acts" in one:
                one["acts"] = {seat: n for seat, n in one["acts"].items() if n}
                if not one["acts"]:
                    one.pop("acts")
        for key in ("joined", "inside", "free"):
            if key in under:
                under[key] = sorted(under[key])
        under["lots"] = [lot for lot in under.get("lots", ()) if lot["amount"]]
    if "changes" in told:
        told["changes"] = sorted(
            (
                {
                    key: one[key]
                    for key in ("of", "until", *(("keyword", "mode") if "keyword" in one else ("skill", "n")))
                    if key in one
                }
                | ({"mode": one.get("mode", "add")} if "keyword" in one else {})
                for one in told["changes"]
            ),
            key=str,
        )
    filed = {
        seat: {key: value for key, value in kept.items() if value is not None and value is not False}
        for seat, kept in (data.get("filed") or {}).items()
    }
    told["filed"] = {seat: kept for seat, kept in filed.items() if kept}
    for seat, kept in told["filed"].items():
        for key in ("done", "fought"):
            if key in kept:
                kept[key] = sorted(kept[key])
                if not kept[key]:
                    kept.pop(key)
        if seat != data.get("active"):  # the others' plans for the Actions phase are never read
            kept.pop("actions", None)
            if not data.get("event"):
                kept.pop("done", None)
    told["filed"] = {seat: kept for seat, kept in told["filed"].items() if kept}
    return told


def differences(ours: Any, theirs: Any, where: str = "") -> Iterator[str]:
    """Differences between two positions, each with its place."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            yield from differences(ours.get(key), theirs.get(key), f"{where}.{key}")
    elif ours != theirs:
        yield f"{where or 'all'}: second judge {ours!r}, ruleset {theirs!r}"


@dataclass
class Turn:
    """A turn before both judges."""

    data: Data
    sheets: dict[str, Data]
    key: bytes
    ours: Judged
    theirs: Any
    different: list[str]


def both(position: Position, sheets: Mapping[str, Data], key: bytes) -> Turn:
    """Results of both judges for a turn."""
    read = {seat: decode(sheet_type(position, seat), Text("sheet", sheet, {})) for seat, sheet in sheets.items()}
    theirs = resolve(position, read, NamedDice(key))
    data = encode(position)
    ours = judge(data, sheets, NamedDice(key))
    found = [*differences(plain(ours.position), plain(encode(theirs.position)))]
    won = theirs.ended.winners if theirs.ended else None
    if won != ours.winners:
        found.append(f"winners: second judge {ours.winners}, ruleset {won}")
    stops = sum(fact.event == "asked" for fact in theirs.events)
    if stops != (ours.position["phase"] == "stopped" and not ours.position.get("over")):
        found.append(f"stops told of: {stops}, second judge's next phase {ours.position['phase']}")
    for when, table in (("before", position), ("after", theirs.position)):
        mine, its = sorted(owed(encode(table))), sorted(due(table))
        if table.phase == "reopened" and when == "before":
            ours.seen[f"reopened, and {len(table.ring) - len(mine)} owe nothing"] += 1
        if mine != its and not table.over:
            found.append(f"sheets owed {when}: second judge {mine}, ruleset {its}")
    stopped = "stopped" in {data["phase"], ours.position["phase"]}
    verdicts: Counter[tuple[str, str, bool]] = Counter()
    for (seat, text, done), n in ours.verdicts.items():
        # A pass is never used up, so nobody reports its result if a plan may go on.
        if not (stopped and text.startswith("pass")):
            verdicts[seat, text[:LETTERS], done] += n
    lines = {one[:2] for one in verdicts}
    said = Counter(
        (verdict.seat, verdict.order, verdict.result in {"succeeds", "fails"})
        for verdict in theirs.verdicts
        if (verdict.seat, verdict.order) in lines
    )
    told = {one[:2] for one in said}
    kept = {
        seat: {text for part in ("melee", "reactions", "counters") for text in those.get(part) or ()}
        for seat, those in (data.get("standing") or {}).items()
    }
    for seat, those in (data.get("filed") or {}).items():
        kept.setdefault(seat, set()).update(text for part in ("actions", "event") for text in those.get(part) or ())
    for one in sorted((verdicts - said) + (said - verdicts)):
        if not one[2] and (one[:2] not in told or one[1] in {text[:LETTERS] for text in kept.get(one[0], ())}):
            continue  # a verdict may be missing for a line never reached, or one kept from an earlier turn
        who = [f"{v.result} {v.reason}" for v in theirs.verdicts if (v.seat, v.order) == one[:2]]
        found.append(f"{one}: second judge {verdicts[one]}, ruleset {said[one]} ({who})")
    return Turn(data, dict(sheets), key, ours, theirs, found)


def as_position(data: Data) -> Position:
    """Plain data as a position."""
    return decode(Position, Text("position", data, {}))


def report(turn: Turn) -> str:
    """A difference with everything needed to reproduce it."""
    return write({"different": turn.different, "key": turn.key.hex(), "position": turn.data, "sheets": turn.sheets})


# Positions ------------------------------------------------------------------------------------------------------------


def midst(rng: Random) -> Data:
    """A position in the middle of a game that nobody played."""
    known = cards()
    count = rng.choice((3, 3, 4, 5))
    seats = list(SEATS[:count])
    princes = rng.sample(sorted(known.princes), count)
    ring = sorted(seats, key=lambda seat: -known.princes[princes[seats.index(seat)]]["popularity"])
    people = rng.sample(sorted(known.characters), len(known.characters))
    court = {name: {"by": seat, "turned": rng.random() < 0.35} for seat, name in zip(seats, princes, strict=True)}
    for seat in seats:
        for _ in range(rng.choice((0, 2, 3, 4, 4, 5, 5, 5, 5))):
            court[people.pop()] = {"by": seat, "turned": rng.random() < 0.35}
    killed = [people.pop() for _ in range(min(len(people), rng.choice((0, 0, 1, 2))))]
    cut = rng.randint(0, len(people))
    events = rng.sample(sorted(known.events), len(known.events))
    phase = rng.choice(("main", "main", "event", "event"))
    data: Data = {
        "phase": phase,
        "turn": rng.randint(1, 15),
        "round": 0,
        "active": rng.choice(seats),
        "ring": ring,
        "players": {
            seat: {
                "prince": prince,
                "favor": rng.choice((0, 1, 1, 2, 3, 5, 8, 11)),
                "reopenings": rng.choice((0, 1, 2, 2)),
                "hand": [],
            }
            for seat, prince in zip(seats, princes, strict=True)
        },
        "court": court,
        "characters": {"pile": people[:cut], "discards": people[cut:], "shuffles": rng.choice((0, 1))},
        "killed": killed,
        "settings": {
            "players": count,
            "cards": "avermark",
            "draws": rng.choice(("active", "active", "all")),
            "choice": rng.choice(("window", "window", "sheet")),
            "unturn": rng.choice(("after", "after", "either")),
        },
        "actions": {
            "pile": rng.sample(sorted(known.copies), len(known.copies)),
            "discards": [],
            "shuffles": rng.choice((0, 1)),
        },
    }
    lasting = {"march-levy", "charter-of-the-weigh-house", "opening-of-the-eighth-well"}
    if phase == "event":
        data["event"] = events.pop()
    data["middle"] = [one for one in events if one in lasting and rng.random() < 0.4]
    events = [one for one in events if one not in data["middle"]]
    bearers = [who for who in court if who not in known.princes]
    if bearers and "spurs-at-the-ford" in events and rng.random() < 0.3:
        events.remove("spurs-at-the-ford")
        court[rng.choice(bearers)]["tucked"] = ["spurs-at-the-ford"]
    left = rng.choice((1, 1, 2, 5, 8)) if phase == "main" else rng.choice((0, 1, 2, 5, 8))
    data["events"], rest = events[:left], events[left:]
    cut = rng.randint(0, len(rest))
    data["past"], data["unused"] = rest[:cut], sorted(rest[cut:])
    for seat in seats:
        take(data, data["players"][seat]["hand"], rng, rng.randint(1, 8))
    for who, one in court.items():
        while rng.random() < 0.18:
            equip(data, who, one, rng)
    if rng.random() < 0.5:
        cut = rng.randint(0, 6)
        pile = data["actions"]["pile"]
        data["actions"]["pile"], data["actions"]["discards"] = pile[:cut], pile[cut:]
    if rng.random() < 0.08:
        data["killed"] += data["characters"]["pile"] + data["characters"]["discards"]
        data["characters"] = {"pile": [], "discards": [], "shuffles": 1}
    if rng.random() < 0.15:
        while data["actions"]["pile"] or data["actions"]["discards"]:
            take(data, data["players"][rng.choice(seats)]["hand"], rng, 1)
    lend(data, rng)
    rise(data, rng)
    choose(data, rng)
    return data


def rise(data: Data, rng: Random) -> None:
    """By the house rule P may have unturned before the Event (HA-L-11)."""
    if data["settings"].get("unturn") == "either" and data["phase"] not in {"auction", "main"}:
        data["risen"] = rng.random() < 0.5


def choose(data: Data, rng: Random) -> None:
    """By the house rule an Event that lets P choose waits for the choice, or comes with it."""
    if data["phase"] not in {"event", "choice"}:
        return
    data["phase"], data["chosen"] = "event", {}
    if data["settings"].get("choice", "window") == "sheet":
        return
    choices = Judge(data, {}, NamedDice(b"nothing is rolled")).choices()
    if rng.random() < 0.4 and any(len(those) > 1 for those in choices.values()):
        data["phase"] = "choice"
    else:
        borrowed = {who for who, one in data["court"].items() if one.get("home")}
        data["chosen"] = {
            name: rng.choice([one for one in those if one in borrowed] or those)
            for name, those in choices.items()
            if those
        }


def lend(data: Data, rng: Random) -> None:
    """Some characters are borrowed, some changed until the turn's end."""
    court = data["court"]
    those = [who for who in court if who not in cards().princes]
    if not those:
        return
    ward = data.get("event") == "wardship"
    if rng.random() < (0.7 if ward else 0.25):
        who = rng.choice(those)
        if ward or rng.random() < 0.5:
            who = rng.choice([one for one in those if "Noble" in cards().people[one]["keywords"]] or those)
        if not court[who].get("home"):
            home = court[who]["by"]
            court[who]["home"] = home
            court[who]["by"] = rng.choice([seat for seat in data["ring"] if seat != home])
    changes = list(data.get("changes") or ())
    if rng.random() < 0.25:
        if rng.random() < 0.5:
            changes.append(
                {
                    "of": rng.choice(those),
                    "skill": rng.choice(("combat", "politics")),
                    "n": rng.choice((-2, 1)),
                    "until": "turn",
                }
            )
        else:
            changes.append(
                {
                    "of": rng.choice(those),
                    "keyword": rng.choice(("Noble", "Wizard", "Palace")),
                    "mode": rng.choice(("add", "remove")),
                    "until": "turn",
                }
            )
    data["changes"] = changes


RARE = (
    "borrowed-cloak", "physicians-note", "iron-bound-chest", "last-word", "point-of-order", "tongue-tie", "catch-in-the-throat",
    "feast-day-guest", "changed-colours", "royal-writ", "borrowed-rage", "thrown-glove", "a-cup-left-standing", "called-debts",
    "cold-water", "long-memory", "fresh-horse", "hush", "ferrymans-pole",
)  # fmt: skip


def take(data: Data, hand: list[str], rng: Random, count: int) -> None:
    """Cards from the Action deck to a hand, the rare ones more often."""
    for _ in range(count):
        from_ = data["actions"]["pile"] or data["actions"]["discards"]
        if not from_:
            return
        rare = [card for card in from_ if title(card) in RARE]
        card = rng.choice(rare if rare and rng.random() < 0.65 else from_)
        from_.remove(card)
        hand.append(card)


def equip(data: Data, who: str, one: Data, rng: Random) -> None:
    """A piece of equipment under a character."""
    there = {title(card) for card in one.get("tucked") or ()}
    pieces = [
        card
        for card in data["actions"]["pile"]
        if cards().action(card)["kind"] == "equipment" and title(card) not in there
    ]
    if pieces:
        card = rng.choice(pieces)
        data["actions"]["pile"].remove(card)
        one["tucked"] = [*(one.get("tucked") or ()), card]


def stir(data: Data, rng: Random) -> Data:
    """The position with some things moved, so that rare cards meet; every card is still in exactly one place."""
    data = copy.deepcopy(data)
    if data["phase"] == "auction":
        if rng.random() < 0.2:
            for player in data["players"].values():
                player["favor"] = rng.choice((0, 1, 2, 3, player["favor"]))
        return data
    for player in data["players"].values():
        if rng.random() < 0.2:
            player["favor"] = rng.choice((0, 1, 1, 2))
        hand = player.setdefault("hand", [])
        player["hand"] = hand = list(hand or ())
        if rng.random() < 0.3 and hand:
            data["actions"].setdefault("discards", [])
            for card in rng.sample(hand, rng.randint(1, len(hand))):
                hand.remove(card)
                data["actions"]["discards"] = [*(data["actions"]["discards"] or ()), card]
        data["actions"]["pile"] = list(data["actions"].get("pile") or ())
        data["actions"]["discards"] = list(data["actions"].get("discards") or ())
        if len(hand) < 7 and rng.random() < 0.5:
            take(data, hand, rng, rng.randint(1, 4))
        if rng.random() < 0.1:
            player["reopenings"] = 2
    if rng.random() < 0.4:
        chance = rng.choice((0.0, 0.2, 0.5, 1.0))
        for who, one in data["court"].items():
            if rng.random() < 0.6:
                one["turned"] = rng.random() < chance
            if who not in cards().princes and rng.random() < 0.06:
                equip(data, who, one, rng)
    if rng.random() < 0.2:
        for name in ("actions", "characters"):
            deck = data[name]
            pile = list(deck.get("pile") or ())
            cut = rng.randint(0, min(3, len(pile)))
            deck["pile"], deck["discards"] = pile[:cut], [*(deck.get("discards") or ()), *pile[cut:]]
    if data["phase"] == "event" and rng.random() < 0.3:
        pool = [*data["events"], *data["unused"], *(data.get("past") or ())]
        picky = [one for one in pool if cards().events[one].get("choice")]
        new = rng.choice(picky if picky and rng.random() < 0.5 else pool) if pool else data["event"]
        for key in ("events", "unused", "past"):
            data[key] = [data["event"] if one == new else one for one in data.get(key) or ()]
        data["event"] = new
    if data["phase"] in {"main", "event", "choice"} and rng.random() < 0.3:
        lend(data, rng)
    if rng.random() < 0.3:
        for who, one in data["court"].items():
            if "Wizard" in cards().people[who]["keywords"]:
                one["turned"] = False
    if data["phase"] == "reopened" and rng.random() < 0.3:
        wear_out(data, rng)
    if rng.random() < 0.2:
        rise(data, rng)
    if rng.random() < 0.35:
        seats = list(data["ring"])
        for name in rng.choice(TOGETHER):
            hand_over(data, name, rng.choice(seats), rng)
    choose(data, rng)
    return data


def wear_out(data: Data, rng: Random) -> None:
    """Leave some players little: no card in the hand, the free 2 given, all or most of their characters turned."""
    for seat in data["ring"]:
        if rng.random() < 0.5:
            continue
        player = data["players"][seat]
        data["actions"]["discards"] = [*(data["actions"]["discards"] or ()), *player["hand"]]
        player["hand"] = []
        data["underway"]["free"] = sorted({*(data["underway"].get("free") or ()), seat})
        for one in data["court"].values():
            if one["by"] == seat:
                one["turned"] = rng.random() < 0.9


TOGETHER = (
    ("hush", "physicians-note", "physicians-note"),
    ("hush", "physicians-note", "point-of-order"),
    ("borrowed-rage", "borrowed-cloak", "ferrymans-pole", "lead-sleeves"),
    ("thrown-glove", "borrowed-cloak", "borrowed-cloak", "cold-water", "cold-water"),
    ("point-of-order", "point-of-order", "tongue-tie", "tongue-tie"),
    ("catch-in-the-throat", "catch-in-the-throat", "changed-colours", "royal-writ"),
    ("iron-bound-chest", "point-of-order", "point-of-order", "tongue-tie", "iron-bound-chest"),
    ("borrowed-cloak", "physicians-note", "point-of-order", "tongue-tie"),
    ("last-word", "point-of-order", "iron-bound-chest"),
    ("drop-of-the-first-well", "glass-oath", "lead-sleeves", "called-debts", "a-cup-left-standing"),
    ("feast-day-guest", "long-memory", "cold-water", "fresh-horse"),
)
"""Titles that interact."""


def hand_over(data: Data, name: str, seat: str, rng: Random) -> None:
    """A copy of a title from a deck or a hand to a player's hand."""
    places = [
        data["actions"]["pile"],
        data["actions"].get("discards") or [],
        *(one["hand"] for one in data["players"].values()),
    ]
    found = [(place, card) for place in places for card in place if title(card) == name]
    if found:
        place, card = rng.choice(found)
        place.remove(card)
        data["players"][seat]["hand"].append(card)


# Sheets ---------------------------------------------------------------------------------------------------------------


class Writer:
    """Writes one player's sheet by lot."""

    def __init__(self, data: Data, seat: str, rng: Random) -> None:
        self.d, self.me, self.rng = data, seat, rng
        self.court: dict[str, Data] = data["court"]
        self.hand = list(data["players"][seat].get("hand") or ())
        self.princes = [data["players"][one]["prince"] for one in data["ring"]]
        self.mine = sorted(who for who, one in self.court.items() if one["by"] == seat)
        self.others = sorted(who for who, one in self.court.items() if one["by"] != seat)
        self.event = cards().events.get(data.get("event") or "")
        self.contest = bool(self.event and self.event["type"] == "contest")
        self.tucked = sorted(card for one in self.court.values() for card in one.get("tucked") or () if "#" in card)
        self.steps: list[str] = []

    def one(self, *those: Any) -> Any:
        return self.rng.choice(those)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pool(self) -> str:
        if self.event is None:
            return str(self.one("support", "oppose", "me", *self.princes))
        if self.chance(0.05):
            return str(self.one("support", "oppose", "me", *self.princes))
        if self.contest:
            return str(self.one("me", "me", "me", self.d["players"][self.me]["prince"], *self.princes))
        return str(self.one("support", "oppose"))

    def target(self, filter_: tuple[str, ...]) -> str:
        """A target, or several joined by "or"; the first possible one is taken."""
        count = self.one(2, 2, 3, 4) if self.chance(0.3) else 1
        if self.chance(0.004):
            count = self.one(7, 8)
        return " or ".join(self.single(filter_) for _ in range(count))

    def single(self, filter_: tuple[str, ...]) -> str:
        words = {*filter_}
        if "pool" in words:
            return self.pool()
        if "player" in words:
            return str(self.one(*self.princes, *self.princes, "me"))
        if "equipment" in words:
            piece = str(self.one(*(self.tucked or ["quilted-coat#1"])))
            return piece if self.chance(0.8) else title(piece)
        there = self.mine if "mine" in words else self.others if "other" in words else [*self.mine, *self.others]
        if self.chance(0.3):
            words -= {"turned", "unturned"}
        borrowed = [who for who in there if self.court[who].get("home")]
        if borrowed and self.chance(0.3):
            there = borrowed
        good = [
            who
            for who in there
            if not ("not-prince" in words and who in cards().princes)
            and not any(
                word.startswith("keyword:") and word[8:] not in cards().people[who]["keywords"] for word in words
            )
            and not ("unturned" in words and self.court[who].get("turned"))
            and not ("turned" in words and not self.court[who].get("turned"))
        ]
        if self.chance(0.01):
            return "me"
        if self.chance(0.06) or not good:
            return str(self.one(*self.court))
        return str(self.rng.choice(good))

    def named(self, card: str) -> str:
        return card if self.chance(0.6) else title(card)

    def play(self, phase: str) -> str | None:
        those = [card for card in self.hand if phase in cards().action(card)["phases"]]
        if self.chance(0.06):
            those = self.hand
        if not those:
            return None
        turning = [card for card in those if "turn" in cards().action(card).get("cost", {})]
        card = self.rng.choice(turning if turning and self.chance(0.3) else those)
        what = cards().action(card)
        at = [self.target(filter_) for _, filter_ in asks(what["effect"])]
        if "turn" in what.get("cost", {}) and self.chance(0.5):
            keyword = what["cost"]["turn"][-1].removeprefix("keyword:")
            payers = [who for who in self.mine if keyword in cards().people[who]["keywords"]] or self.mine
            payer = self.rng.choice(payers)
            if self.chance(0.5):
                those = [payer, *(self.one(*self.mine, *self.court) for _ in range(self.one(1, 1, 2)))]
                payer = " or ".join(self.rng.sample(those, len(those)))
            at.insert(self.one(0, 0, len(at)), payer)
            if self.chance(0.15):
                at.insert(self.rng.randint(0, len(at)), self.single(("any",)))
        if self.chance(0.03) and at:
            at.pop()
        return f"play {self.named(card)}" + (f" at {', '.join(at)}" if at else "")

    def use(self, phase: str) -> str | None:
        those = [who for who in self.mine if cards().people[who].get("abilities")]
        if not those:
            return None
        who = self.rng.choice(those)
        ability = cards().people[who]["abilities"][0]
        if phase not in ability["phases"] and not self.chance(0.1):
            return None
        at = [self.target(filter_) for _, filter_ in asks(ability["effect"])]
        word = f" {ability['id']}" if self.chance(0.5) else ""
        return f"use {who}{word}" + (f" at {', '.join(at)}" if at else "")

    # Conditions

    def x(self) -> str:
        return str(self.one("me", "me", *self.princes))

    def number(self, part: str) -> str:
        plain_ = [
            f"favor({self.x()})",
            f"hand({self.x()})",
            f"chars({self.x()})",
            f"ready({self.x()})",
            "events_left",
            "turn",
        ]
        event = ["sup", "opp"] if not self.contest else [f"pool({self.x()})", "best_other", "least_in"]
        event += [
            "need",
            f"tokens({self.one(*self.court)})",
            f"strength({self.one(*self.court, *self.mine) if self.chance(0.8) else self.one(*cards().people)})",
        ]
        some = plain_
        if part in {"event", "reopen"} or (self.event and part in {"reactions", "counters"}):
            some = [*plain_, *event * 3]
            if part != "reopen" or self.chance(0.1):
                some += ["passes", f"acts({self.x()})"]
        if part == "melee":
            some = [*plain_, "atk", "def", "atk", "def", "passes", f"acts({self.x()})"]
        if part in {"reactions", "counters"} and not self.event:
            some = [*plain_, "atk", "def"]
        if part == "counters":
            some = [*some, "depth", "depth", "depth"]
        if part == "draw":
            some = [*plain_, "drawn", "drawn", "drawn"]
        if part == "keep":
            some = [*plain_, "pol", "com", "pol", "com"]
        if self.chance(0.06):
            some = [
                "sup",
                "opp",
                f"pool({self.x()})",
                "best_other",
                "least_in",
                "need",
                f"tokens({self.x()})".replace("(me)", f"({self.mine[0]})"),
                "atk",
                "def",
                "depth",
                "pol",
                "drawn",
            ]
        return str(self.rng.choice(some))

    def flag(self, part: str) -> str:
        who = self.one(*self.court)
        card = self.one(*(self.hand or ["hush#1"]))
        some = [
            f"turned({who})",
            f"in_play({self.one(*cards().characters)})",
            f"have({self.named(card)})",
            f"mine({who})",
            f"held({who}, {self.x()})",
        ]
        event = ["passing"] if not self.contest else [f"in({self.x()})", f"winning({self.x()})", f"losing({self.x()})"]
        event.append(f"target({self.one(who, self.x(), *self.princes)})")
        event += [f"joined({self.one(*self.court)})", f"free({self.x()})"]
        person = self.one(who, "me", *self.princes)
        if part in {"event", "reopen"} or (self.event and part in {"reactions", "counters"}):
            some = [*some, *event * 2]
        if part == "melee" or (not self.event and part in {"reactions", "counters"}):
            some = [*some, f"attacker({person})", f"defender({person})", "attacker(me)", "defender(me)"]
        if part in {"actions", "event", "melee"}:
            some = [*some, f"done({self.one('a', 'b', 'c')})", f"done({self.one('a', 'b', 'c')})"]
        if part in {"reactions", "counters"}:
            some = [
                *some,
                f"by({self.x()})",
                "spell",
                f"hits({person})",
                "hits(me)",
                f"hits({self.one('support', 'oppose', *self.princes, *self.princes)})",
                f"card({card})",
                f"card({self.one(*cards().actions, 'hush', 'hush', 'borrowed-rage', 'thrown-glove', 'long-memory', 'a-cup-left-standing')})",
                "shielded",
                "shielded",
            ]
        if part in {"draw", "keep"}:
            some = [
                *some,
                f"drew({self.one(*cards().actions, *cards().characters, *cards().copies)})",
                f"has({self.one('Noble', 'Wizard', 'Fighter', 'Palace')})",
            ]
        if self.chance(0.06):
            some = [
                "passing",
                "winning(me)",
                "losing(me)",
                "in(me)",
                "attacker(me)",
                "hits(me)",
                "by(me)",
                "spell",
                "shielded",
                "done(a)",
                "free(me)",
                f"joined({self.mine[0]})",
                "has(Noble)",
                "target(me)",
            ]
        return str(self.rng.choice(some))

    def clause(self, part: str) -> str:
        if self.chance(0.5):
            return str(self.one("", "", "not ")) + self.flag(part)
        right = (
            self.number(part) + self.one("", " + 1", " - 2", " + 3")
            if self.chance(0.3)
            else str(self.rng.randint(0, 6))
        )
        return f"{self.number(part)} {self.one('<', '<=', '>=', '>', '>=', '<=', '=', '!=')} {right}"

    def condition(self, part: str) -> str:
        return " and ".join(self.clause(part) for _ in range(self.one(1, 1, 1, 2)))

    def tail(self, part: str, often: float = 0.3) -> str:
        end = f" if {self.condition(part)}" if self.chance(often) else ""
        if part in {"actions", "event", "melee"}:
            if self.chance(0.15):
                end += f" as {self.one('a', 'b', 'c')}"
            if self.chance(0.12):
                end += " again"
        return end

    def asking(self, part: str, lines: list[str]) -> None:
        """A line that stops the run: at once, after others have acted, when possible, or never."""
        if not self.chance(0.5 if part == "event" else 0.45 if part == "actions" else 0.35):
            return
        kind = self.one("at once", "at once", "by lot", "later", "later", "after mine", "never")
        line = "ask"
        if kind == "by lot":
            line += f" if {self.condition(part)}"
        elif kind == "later" and part == "actions":
            line += f" if {self.one('not ', '')}turned({self.one(*self.mine)})"
        elif kind == "later":
            line += f" if {self.one(f'acts({self.x()}) >= {self.rng.randint(1, 3)}', f'passes >= {self.rng.randint(1, 3)}')}"
        elif kind == "after mine":
            name = self.one("a", "b", "c")
            line += f" if done({name})"
            for at, one in enumerate(lines):
                if " as " not in one and not one.endswith(" again") and self.chance(0.5):
                    lines[at] += f" as {name}"
                    break
        elif kind == "never":
            line += " if turn < 0"
        if self.chance(0.2):
            line += f" as {self.one('a', 'b', 'c')}"
        if self.chance(0.25):
            line += " again"
        lines.insert(0 if self.chance(0.6) else self.rng.randint(0, len(lines)), line)

    # Lists

    def odd(self) -> str:
        if self.chance(0.3):
            return "pass if " + " and ".join(["turn > 0"] * self.one(12, 13))
        return str(
            self.one(
                "frobnicate",
                "join xyzzy for support",
                "play hush if sup",
                "pass if zork > 2",
                "attack me",
                "refuse to play",
            )
        )

    def actions(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(2, 14)):
            kind = (
                self.one("play", "play", "play", "use", "attack", "draw", "pass") if not self.chance(0.1) else "attack"
            )
            line: str | None = None
            if kind == "play":
                line = self.play("action")
            elif kind == "use":
                line = self.use("action")
            elif kind == "attack":
                fighters = [who for who in self.mine if "Fighter" in cards().people[who]["keywords"]] or self.mine
                if self.chance(0.15):
                    fighters = self.mine
                line = f"attack {self.one(*self.others)} with {self.rng.choice(fighters)}"
            elif kind == "draw":
                line = f"draw with {self.one(*self.mine)}"
            elif self.chance(0.3):
                line = "pass"
            if line:
                lines.append(line + self.tail("actions", 0.25))
        if self.chance(0.75 if self.d["settings"].get("unturn") == "either" else 0.05):
            for _ in range(self.one(1, 1, 1, 2, 3)):
                line = "unturn"
                kind = self.one("at once", "by lot", "when turned", "after mine")
                if kind == "by lot":
                    line += self.tail("actions")
                elif kind == "when turned":
                    line += (
                        f" if {self.one(f'turned({self.one(*self.mine)})', f'ready(me) <= {self.rng.randint(0, 4)}')}"
                    )
                elif kind == "after mine":
                    line += f" if done({self.one('a', 'b', 'c')})"
                if " as " not in line and " again" not in line:
                    line += self.one("", "", " again", f" as {self.one('a', 'b', 'c')}")
                lines.insert(self.one(0, len(lines), self.rng.randint(0, len(lines))), line)
        if self.chance(0.03):
            lines.insert(0, self.odd())
        self.asking("actions", lines)
        return lines

    def event_lines(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(2, 14)):
            kind = self.one("join", "join", "join", "play", "play", "play", "use", "free", "pass", "enough", "enough")
            line: str | None = None
            if kind == "join":
                line = (
                    f"join {self.one(*self.mine) if not self.chance(0.04) else self.one(*self.court)} for {self.pool()}"
                )
            elif kind == "play":
                line = self.play("event")
            elif kind == "use":
                line = self.use("event")
            elif kind == "free":
                line = f"prince for {self.pool()}"
            elif kind == "enough":
                those = [*self.mine, "prince"]
                some = self.rng.sample(those, min(len(those), self.rng.randint(1, 6)))
                if self.chance(0.06):
                    some.append(self.one(*some, *self.court))
                line = f"enough {', '.join(some)} for {self.pool()}"
            elif self.chance(0.5):
                line = "pass if " + self.condition("event") if not self.chance(0.1) else "pass"
            if line:
                lines.append(line + (self.tail("event") if " if " not in line else ""))
        again = self.rise("event")
        if again:
            lines[:0] = [again[0], f"join {again[1]} for {self.pool()} again"]
        if self.chance(0.03):
            lines.insert(0, self.odd())
        if self.chance(0.02):
            lines = ["pass if turn < 0"] * self.one(38, 39, 40) + lines
        self.asking("event", lines)
        return lines

    def melee(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 8)):
            line: str | None
            if self.chance(0.6):
                line = f"assist {self.one('attack', 'defence')} with {self.one(*self.mine)}"
            elif self.chance(0.85):
                line = self.play("melee")
            else:
                line = "pass"
            if line:
                lines.append(line + self.tail("melee", 0.4))
                if self.chance(0.2):
                    lines.append(
                        line + " again" if not lines[-1].endswith(" again") and " if " not in lines[-1] else lines[-1]
                    )
        again = self.rise("melee")
        if again:
            lines[:0] = [again[0], f"assist {self.one('attack', 'defence')} with {again[1]} again"]
        self.asking("melee", lines)
        return lines

    def rise(self, phase: str) -> tuple[str, str] | None:
        """A line that unturns one of the player's turned characters, and that character."""
        those = [
            card
            for card in self.hand
            if phase in cards().action(card)["phases"] and title(card) in {"cold-water", "long-memory", "fresh-horse"}
        ]
        mine = [who for who in self.mine if who not in cards().princes]
        if not those or not mine or self.chance(0.5):
            return None
        who = self.rng.choice(mine)
        return f"play {self.named(self.rng.choice(those))} at {who}", who

    def reactions(self) -> list[str]:
        lines: list[str] = []
        for card in self.rng.sample(self.hand, len(self.hand)):
            what = cards().action(card)
            if "reaction" not in what["phases"] and not self.chance(0.03):
                continue
            for trigger in what.get("trigger", ["card_played"]):
                if self.chance(0.15):
                    continue
                of = f" of {self.one(*self.court, *self.princes, 'me', 'me')}" if self.chance(0.12) else ""
                when = f" if {self.condition('reactions')}" if self.chance(0.25) else ""
                at: list[str] = []
                for _, filter_ in asks(what["effect"]):
                    if {"pool", "player"} & {*filter_} or self.chance(0.2):
                        at.append(self.target(filter_))
                lines.append(f"on {trigger}{of}{when} play {self.named(card)}" + (f" at {', '.join(at)}" if at else ""))
        if self.chance(0.03):
            lines.insert(0, "on card_played play xyzzy")
        return lines

    def counters(self) -> list[str]:
        wizards = [who for who in self.mine if "Wizard" in cards().people[who]["keywords"]]
        if self.chance(0.1):
            wizards = self.mine
        lines = []
        for who in self.rng.sample(wizards, len(wizards)):
            limit = f" limit {self.rng.randint(1, 3)}" if self.chance(0.3) else ""
            lines.append(f"counter with {who}{limit}{self.tail('counters', 0.35)}")
        return lines

    def draw(self) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(0, 8)):
            take_ = self.one("action", "character", "character")
            by = self.one("base", "slot", "slot", "person", "person", "trade")
            if by == "trade":
                good = [
                    card
                    for card in self.hand
                    if cards().action(card)["spell"] or cards().action(card)["kind"] == "equipment"
                ]
                if self.chance(0.2):
                    good = self.hand
                if len(good) < 2:
                    continue
                line = f"trade {', '.join(self.named(card) for card in self.rng.sample(good, 2))} for {take_}"
            else:
                line = f"draw {take_} by {self.one(*self.mine) if by == 'person' else by}"
            lines.append(line + self.tail("draw", 0.2))
        return lines

    def keep(self) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(0, 4)):
            act = self.one(
                "play",
                "refuse",
                "refuse",
                f"play releasing {self.one(*self.mine, *cards().characters)}",
                f"play releasing {self.one(*self.mine)}",
            )
            lines.append(str(act) + self.tail("keep", 0.6))
        return lines

    def standing(self) -> Data:
        sheet: Data = {}
        if self.chance(0.7):
            sheet["reactions"] = self.reactions()
        if self.chance(0.6):
            sheet["counters"] = self.counters()
        often = 0.6 if self.d["phase"] == "main" else 0.45 if (self.d.get("underway") or {}).get("brawl") else 0.1
        if self.chance(often):
            sheet["melee"] = self.melee()
        if self.chance(0.3):
            sheet["discard"] = [self.named(card) for card in self.rng.sample(self.hand, min(len(self.hand), 3))] + [
                "hush"
            ]
        if self.chance(0.3):
            sheet["release"] = self.rng.sample(self.mine, min(3, len(self.mine))) + self.rng.sample(
                sorted(cards().characters), 3
            )
        return sheet

    def sheet(self) -> Data:
        sheet = self.standing()
        phase = self.d["phase"]
        if phase == "auction":
            sheet["bid"] = self.one("pass", 0, 1, 2, 3, 9, 4, -1)
            row = list(self.d.get("row") or ())
            sheet["wishes"] = [*self.rng.sample(row, min(3, len(row))), self.one(*cards().characters)]
        stopped = phase == "stopped"
        if stopped:
            phase = "event" if self.event else "main"
            if self.chance(0.3):
                sheet = {}
        sends = not stopped or self.chance(0.6 if self.me == self.d["underway"]["asked"] else 0.3)
        if phase == "main" and (self.me == self.d["active"] or self.chance(0.1)) and sends:
            sheet["actions"] = self.actions()
        if phase == "choice" and (self.me == self.d["active"] or self.chance(0.1)) and self.chance(0.8):
            sheet["choice"] = self.choice()
        if phase in {"event", "reopened"}:
            if sends:
                sheet["event"] = self.event_lines()
            if self.chance(0.35):
                sheet["reopen"] = [self.condition("reopen") for _ in range(self.one(0, 0, 1, 1, 2))]
            if self.chance(0.6 if self.d.get("risen") else 0.3):
                sheet["unturn"] = self.one("all", "none", self.rng.sample(sorted(self.court), 3), list(self.mine[:2]))
            if self.chance(0.06):
                sheet["end"] = True
            assert self.event
            if self.event.get("choice") and self.chance(0.8):
                sheet["choice"] = self.choice()
        if phase in {"event", "reopened"} or (phase == "auction" and self.d.get("round") == 5):
            if self.chance(0.25 if stopped else 0.7):
                sheet["draw"] = self.draw()
            if self.chance(0.25 if stopped else 0.6):
                sheet["keep"] = self.keep()
        return sheet

    def choice(self) -> Data:
        assert self.event
        return {name: [self.single(tuple(filter_)) for _ in range(2)] for name, filter_ in self.event["choice"].items()}


def sheets_for(data: Data, rng: Random) -> dict[str, Data]:
    """A sheet for most seats."""
    end = rng.random() < 0.03
    found = {}
    for seat in data["ring"]:
        if rng.random() < (0.35 if data["phase"] == "stopped" else 0.06):
            continue
        found[seat] = Writer(data, seat, rng).sheet()
        if end and (data["phase"] in {"event", "reopened"} or (data["phase"] == "stopped" and data.get("event"))):
            found[seat]["end"] = True
    return found


# Turns ----------------------------------------------------------------------------------------------------------------


def turns(seed: int, count: int) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(play, seed, count)


@functools.cache
def opening(number: int, players: int) -> Position:
    at = number // FROM_START
    house = Settings(
        players=players,
        draws="all" if at % 2 == 0 else "active",
        choice="sheet" if at % 3 == 0 else "window",
        unturn="either" if at // 2 % 3 == 0 else "after",
    )
    return setup(house, NamedDice(b"setup%d" % number))


def play(game: int) -> Iterator[Turn]:
    """One game, or some turns of it."""
    rng = Random(game)
    start = game % FROM_START == 0
    position = opening(game, rng.choice((3, 4, 5))) if start else as_position(midst(rng))
    most = 40 if start else rng.choice((1, 3, 5, 9))
    for number in range(most):
        data = encode(position)
        if rng.random() < 0.5:
            data = stir(data, rng)
            position = as_position(data)
        wrong = [*faults(position)]
        assert not wrong, wrong
        turn = both(position, sheets_for(encode(position), rng), b"%d:%d" % (game, number))
        yield turn
        if turn.theirs.ended:
            return
        position = turn.theirs.position
