"""Experience that characters and units gain and lose (GC-S, GC-T)."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Fighter, Settled
from adjudicator.rulesets.grand_campaign.position import ArmyKey
from adjudicator.rulesets.grand_campaign.resolver import TRAINED
from adjudicator.rulesets.grand_campaign.rosters import (
    BEARER,
    GENERAL,
    Character,
    Unit,
    character,
    learn,
    unit,
)
from adjudicator.rulesets.grand_campaign.world import World

Learner = TypeVar("Learner", Character, Unit)
LOST_STANDARD, GOBLINS_LOST = -2, -1
"""Experience that a unit loses with its standard, and that Goblins lose (GC-T-5, GC-I-53)."""


class School:
    """Experience from a battle: gains, which the fallen do not get, and losses, which they do (GC-S-2, GC-S-18)."""

    def __init__(self, world: World, settled: Settled) -> None:
        self.world = world
        self.settled = settled
        self.fallen = {deed.who for deed in settled.deeds if deed.kind == "fell"}
        self.bare = {deed.who for deed in settled.deeds if deed.kind == "lost"}
        self.people: dict[Fighter, Character | Unit] = {}
        for key in self.armies:
            army = world.armies[key]
            people: tuple[Character | Unit, ...] = (*map(character, army.characters), *map(unit, army.units))
            for one in people:
                self.people[Fighter(key, one.name)] = one
        self.lessons: list[facts.Lesson] = []
        self.gains = dict.fromkeys(self.people, 0)
        self.losses = dict.fromkeys(self.people, 0)

    @property
    def armies(self) -> tuple[ArmyKey, ...]:
        """The armies that fought."""
        both = (self.settled.army("attacker"), self.settled.army("defender"))
        return tuple(key for key in both if key is not None)

    def teach(self) -> None:
        """Count all gains and losses, and write them into the armies."""
        self._victory()
        self._deeds()
        self._survivors()
        for key in self.armies:
            army = self.world.armies[key]
            characters = tuple(self._taught(key, character(line)).line for line in army.characters)
            units = tuple(self._taught(key, unit(line)).line for line in army.units)
            self.world.change(key, characters=characters, units=units)
            if self.lessons:
                self.world.tell(facts.Learned(army=key, people=tuple(self.lessons)))
                self.lessons.clear()

    def _victory(self) -> None:
        """Count the gains of the winning General, and of a Standard Bearer who kept the standard (GC-S-3, GC-S-4)."""
        for who, one in self.people.items():
            if who.army != self.settled.victor or not isinstance(one, Character):
                continue
            if one.role == GENERAL or (one.role == BEARER and who not in self.bare):
                self.gains[who] += 1

    def _deeds(self) -> None:
        broken: set[Fighter] = set()
        for deed in self.settled.deeds:
            match deed.kind:
                case "beat":
                    assert deed.foe is not None
                    self._challenge(deed.who, deed.foe)
                case "slew":
                    self.gains[deed.who] += deed.number  # GC-S-6, GC-T-3
                case "panicked" | "trained":
                    self.gains[deed.who] += 1  # GC-S-7, GC-T-4, GC-Z-25
                case "broke" if deed.foe not in broken:  # one unit is credited for each (GC-T-12)
                    assert deed.foe is not None
                    broken.add(deed.foe)
                    self.gains[deed.who] += 1 + self.people[deed.foe].level  # GC-T-2
                case "fell" if isinstance(self.people[deed.who], Character):
                    self.losses[deed.who] -= 1  # GC-S-8
                case "lost" if isinstance(one := self.people[deed.who], Unit):
                    hardy = self._hardy(deed.who, one)
                    self.losses[deed.who] += GOBLINS_LOST if hardy else LOST_STANDARD  # GC-T-5, GC-I-53
                case _:
                    pass

    def _challenge(self, winner: Fighter, loser: Fighter) -> None:
        """Count the winner's gain and the loser's loss from a challenge (GC-S-5, GC-S-9, GC-I-77, GC-I-79)."""
        up, down = self.people[winner], self.people[loser]
        theirs, others = (self.world.rules(self.world.armies[who.army]) for who in (winner, loser))
        bloody = theirs.blood and isinstance(up, Character) and up.vampire
        self.gains[winner] += 1 + down.level + bloody + theirs.watched
        self.losses[loser] -= 1 + max(0, down.level - up.level) + bloody + others.watched

    def _survivors(self) -> None:
        """Count what units with Goblin Wave Tactics gain by surviving the battle (GC-I-53, GC-I-54)."""
        for who, one in self.people.items():
            if isinstance(one, Unit) and self._hardy(who, one):
                self.gains[who] += 1

    def _hardy(self, who: Fighter, one: Unit) -> bool:
        hardy = self.world.rules(self.world.armies[who.army]).hardy
        return hardy is not None and hardy in one.tags and "scoring" in one.tags

    def _taught(self, key: ArmyKey, one: Learner) -> Learner:
        """Add the gains and losses of a character or a unit to its experience, never below 0 (GC-S-17, GC-S-20)."""
        who = Fighter(key, one.name)
        scoring = isinstance(one, Character) or "scoring" in one.tags  # GC-T-1
        change = self.losses[who] + (self.gains[who] if who not in self.fallen and scoring else 0)
        if not change:
            return one
        after = learn(one, change)
        rose = after.level - one.level
        if after != one:
            change = after.xp - one.xp
            self.lessons.append(facts.Lesson(name=one.name, change=change, xp=after.xp, level=after.level, rose=rose))
        return replace(one, xp=after.xp, level=after.level)


assert TRAINED == "trained", "the kind that `_deeds` matches"
