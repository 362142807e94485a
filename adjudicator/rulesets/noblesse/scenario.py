"""Scenarios: boards, factions, companies and roles, in data files that hosts may replace with their own."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal, assert_never, get_args

from pydantic import Field as Choice

from adjudicator.core.contract.seen import Everybody
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.game.game import seat_file
from adjudicator.core.text.codec import Flag, Whole, decode, field_text, record
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read
from adjudicator.rulesets.noblesse.battle import Strength

DATA = Path(__file__).parent / "data"

Resource = Literal["influence", "manpower", "money"]
RESOURCES: tuple[Resource, ...] = ("influence", "manpower", "money")
Slot = Literal["officer", "flank", "centre", "reserve"]
SLOTS: tuple[Slot, ...] = ("officer", "flank", "centre", "reserve")
COLOURS: Mapping[str, Resource] = {"bronze": "manpower", "silver": "influence", "gold": "money"}
"""Colour of a company -> the resource it pays its owner each cycle (NB-F-10)."""
Priced = Literal["two", "five", "eight"]
ABILITY: Mapping[Priced, int] = {"two": 2, "five": 5, "eight": 8}
"""Ability of a role -> its cost in the faction's resource (NB-C-1)."""
Effect = Literal[
    "council", "inspire", "levy", "thrift", "gather", "ward", "retain", "march", "reach", "domain", "expel", "survey", "gauge",
    "plunder", "win over",
]  # fmt: skip
"""Effects of core abilities and of abilities with a price (NB-C-11, NB-C-13 to NB-C-26)."""
EFFECTS: tuple[Effect, ...] = get_args(Effect)
BattleValue = Literal["attack", "malus", "melee", "charge", "pike", "ranged", "ambush", "toughness", "morale"]
Amount = Annotated[Whole, Choice(ge=0)]
Value = Annotated[Whole, Choice(ge=0, le=10)]


@record
class Stock:
    """Amounts of the three resources: a price, a purse, an income."""

    influence: Everybody[Amount] = 0
    manpower: Everybody[Amount] = 0
    money: Everybody[Amount] = 0

    def __add__(self, other: Stock) -> Stock:
        return Stock(**{name: getattr(self, name) + getattr(other, name) for name in RESOURCES})

    def __sub__(self, other: Stock) -> Stock:
        return Stock(**{name: getattr(self, name) - getattr(other, name) for name in RESOURCES})

    def covers(self, price: Stock) -> bool:
        """True if there is enough to pay a price."""
        return self.influence >= price.influence and self.manpower >= price.manpower and self.money >= price.money

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in RESOURCES)

    def __str__(self) -> str:
        parts = [f"{getattr(self, name)} {name}" for name in RESOURCES if getattr(self, name)]
        return ", ".join(parts) or "nothing"


def amount_of(resource: Resource, amount: int) -> Stock:
    """An amount of one resource."""
    return Stock(**{resource: amount})


@record
class Company:
    """The design of a company: its slot and values; one point is one tier (NB-B-12, NB-B-14)."""

    slot: Slot
    attack: Value = 0
    malus: Value = 0
    melee: Value = 0
    charge: Value = 0
    pike: Value = 0
    ranged: Value = 0
    ambush: Value = 0
    toughness: Value = 0
    morale: Value = 0
    colour: Literal["bronze", "silver", "gold"] | None = None

    @property
    def strength(self) -> Strength:
        """Strength that it adds to its side."""
        return Strength(**{name: getattr(self, name) for name in VALUES})

    @property
    def tier(self) -> int:
        """The sum of its values; a colour counts 1."""
        return sum(_values_of(self)) + (self.colour is not None)


VALUES: tuple[BattleValue, ...] = get_args(BattleValue)
_values_of: Callable[[Company], tuple[int, ...]] = attrgetter(*VALUES)


@record
class Officer:
    """A Unique Officer of a faction (NB-L-5), who leads like a company and whose tier costs nothing (NB-B-17)."""

    faction: str
    attack: Value = 0
    malus: Value = 0
    morale: Value = 0

    @property
    def strength(self) -> Strength:
        """Strength that they add to their side."""
        return Strength(attack=self.attack, malus=self.malus, morale=self.morale)


@record
class Ability:
    """One of the rulebook's effects with its amount, for a core ability or one with a price (NB-C-12)."""

    effect: Effect
    amount: Annotated[Whole, Choice(ge=0, le=99), field_text("The amount, for effects that have one.")] = 0
    value: Annotated[
        BattleValue | None, field_text("For `inspire`: the value that it adds to; if left out, Morale.")
    ] = None
    of: Annotated[
        str | None,
        field_text(
            "An action or building (`thrift`), a resource (`gather`), a formation or `pc` (a core of `inspire` or `march`)."
        ),
    ] = None

    @property
    def strength(self) -> Strength:
        """Strength that `inspire` adds to a unit."""
        return Strength(**{self.value or "morale": self.amount})


COUNCIL = Ability(effect="council")


@record
class Faction:
    """A faction: where it starts, the resource that its roles' abilities cost, and its War Council's bonus for each unit."""

    start: Annotated[tuple[str, ...], Choice(min_length=2, max_length=2)]
    resource: Resource
    council: Mapping[str, Value]
    core: Annotated[Ability, field_text("The part of the core ability that all its roles have.")] = COUNCIL


@record
class Role:
    """A player's role. `company` is their personal design, and they may field two such companies."""

    faction: str
    blurb: str
    why: Annotated[str, field_text("What they are good at, in a sentence: a reason to play them.")] = ""
    company: Company
    core: Annotated[
        Literal["common", "none"],
        field_text("`none` if the role lacks the part of the core ability that its faction's roles share."),
    ] = "common"
    personal: Annotated[Ability | None, field_text("The part of the core ability that is their own.")] = None
    abilities: Annotated[
        Mapping[Priced, Ability], field_text("The role's abilities, where they differ from everybody's.")
    ] = field(default_factory=dict)


@record
class Mercenaries:
    """A unit for rent (NB-L-11): `2 Vanguard` is two companies of that design; its officer is one of them."""

    formation: str
    companies: tuple[str, ...]


@record
class Formation:
    """A formation: its price in Manpower and its slots (NB-B-1 to B-4)."""

    price: Amount
    officer: Amount
    flank: Amount
    centre: Amount
    reserve: Amount
    moves: Flag


@record
class Building:
    """A building: how many Courtiers build and staff it, and its price (NB-G)."""

    overseers: Amount
    staff: Amount
    influence: Amount = 0
    manpower: Amount = 0
    money: Amount = 0

    @property
    def price(self) -> Stock:
        """Its price in resources."""
        return Stock(influence=self.influence, manpower=self.manpower, money=self.money)


@record
class Tables:
    """Prices and numbers from the rules, the same in every scenario."""

    formations: Mapping[str, Formation]
    buildings: Mapping[str, Building]
    actions: Mapping[str, Stock]


@record
class Scenario:
    """A board with its factions, roles and companies."""

    name: str
    title: str
    about: str = ""
    rows: Annotated[Whole, Choice(ge=2, le=26)]
    columns: Annotated[Whole, Choice(ge=2, le=40)]
    prizes: Annotated[tuple[str, ...], Choice(min_length=4, max_length=4)]
    factions: Annotated[Mapping[str, Faction], Choice(min_length=2), field_text("In order of prestige (NB-A-5).")]
    officers: Mapping[str, Officer] = field(default_factory=dict)
    companies: Mapping[str, Company]
    mercenaries: Mapping[str, Mercenaries] = field(default_factory=dict)
    neutrals: Annotated[
        Mapping[str, Mercenaries], field_text("Estate -> the neutral unit that is there at the start (NB-E-17).")
    ] = field(default_factory=dict)
    roles: Mapping[str, Role]
    abilities: Annotated[
        Mapping[Priced, Ability], field_text("The abilities of every role that does not list different ones.")
    ] = field(default_factory=dict)
    fillings: Annotated[
        Mapping[str, tuple[str, ...]],
        field_text("Formation -> a few ways to fill it, written as on a sheet, for stand-ins to choose from."),
    ] = field(default_factory=dict)
    players: tuple[str, ...]
    incomes: Mapping[str, Annotated[tuple[Amount, ...], Choice(min_length=3, max_length=3)]]

    @property
    def estates(self) -> tuple[str, ...]:
        """Every estate in the order of combat: A1, A2, ... (NB-A-8)."""
        return _estates(self.rows, self.columns)

    def start(self, faction: str) -> tuple[str, ...]:
        """The estates where a faction's players may have their homes."""
        (top, left), (bottom, right) = (square_of(corner) for corner in self.factions[faction].start)
        return tuple(
            estate
            for estate in self.estates
            if top <= square_of(estate)[0] <= bottom and left <= square_of(estate)[1] <= right
        )

    def income(self, estate: str) -> Stock:
        """The base income of an estate."""
        influence, manpower, money = self.incomes.get(estate, (0, 0, 0))
        return Stock(influence=influence, manpower=manpower, money=money)

    def neighbours(self, estate: str) -> tuple[str, ...]:
        """The estates next to an estate, along rows and columns (NB-B-5)."""
        return _neighbours(self.rows, self.columns, estate)

    def prestige(self, faction: str) -> int:
        """A faction's rank: 0 is the highest; neutral units come last."""
        names = list(self.factions)
        return names.index(faction) if faction in names else len(names)

    def ability(self, role: str, option: Priced) -> Ability:
        """The ability behind one of a role's options."""
        return self.roles[role].abilities.get(option) or self.abilities[option]

    def ability_price(self, faction: str, option: Priced) -> Stock:
        """Price of an ability for a faction's players (NB-C-1)."""
        return amount_of(self.factions[faction].resource, ABILITY[option])

    def cores(self, role: str) -> tuple[Ability, ...]:
        """The parts of a role's core ability: its faction's first, then its own (NB-C-1)."""
        mine = self.roles[role]
        common = (self.factions[mine.faction].core,) if mine.core == "common" else ()
        return (*common, *((mine.personal,) if mine.personal is not None else ()))

    def has_core(self, role: str, effect: Effect) -> bool:
        """True if an effect is part of a role's core ability."""
        return any(core.effect == effect for core in self.cores(role))

    def core_amount(self, role: str, effect: Effect, of: str | None = None) -> int:
        """Sum of an effect's amounts in a role's core ability; `of` is the action or building of `thrift`."""
        return sum(core.amount for core in self.cores(role) if core.effect == effect and core.of == of)

    def roles_of(self, faction: str) -> tuple[str, ...]:
        """The roles of a faction in their order, the leader's first."""
        return tuple(name for name, role in self.roles.items() if role.faction == faction)


@functools.cache
def _estates(rows: int, columns: int) -> tuple[str, ...]:
    return tuple(f"{chr(65 + row)}{column + 1}" for row in range(rows) for column in range(columns))


@functools.lru_cache(maxsize=2048)
def _neighbours(rows: int, columns: int, estate: str) -> tuple[str, ...]:
    row, column = square_of(estate)
    near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(f"{chr(65 + r)}{c + 1}" for r, c in near if 0 <= r < rows and 0 <= c < columns)


@functools.lru_cache(maxsize=2048)
def square_of(estate: str) -> tuple[int, int]:
    """Row and column of an estate, from 0: `B3` is (1, 2)."""
    return ord(estate[0]) - 65, int(estate[1:]) - 1


NAME = re.compile(r"(?!.* (?i:and) )[^\W\d_](?:[\w' .-]{0,38}[\w'])?")
"""A name that an order can contain: without a comma, a colon, `and`, a number before it or a full stop after it."""
WORDS = frozenset({
    "own", "pc", "heir", "courtier", "night", "officer", "nobody", "neutral units", "neutral", "hostile", "allied",
    *RESOURCES,
})  # fmt: skip
"""Words that cannot be names because they mean something else on a sheet or a page."""
RIGHT_NAME = "use at most 40 letters, digits, spaces, hyphens and apostrophes, a letter first, a letter or digit last, and no word of the rules"
COUNTED = re.compile(r"(?:([1-9][0-9]?) )?(.+)")


def expand_companies(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Companies one by one in the order written; `2 Vanguard` gives two."""
    companies: list[str] = []
    for line in lines:
        match = COUNTED.fullmatch(line)
        # An unreadable line counts as an unknown name.
        companies.extend([match[2]] * int(match[1] or 1) if match is not None else [line])
    return tuple(companies)


def faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Faults in a scenario, each with its line."""
    yield from _board_faults(scenario, text)
    yield from _faction_faults(scenario, text)
    yield from _ability_faults(scenario, text)
    yield from _name_faults(scenario, text)
    yield from _clash_faults(scenario, text)
    yield from _unit_faults(scenario, text)


def _board_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Faults in estates: unknown ones, prizes named twice, incomes above 5."""
    estates = scenario.estates
    places: list[tuple[tuple[str | int, ...], str]] = [
        (("prizes", index), estate) for index, estate in enumerate(scenario.prizes)
    ]
    places += [
        (("factions", name, "start", index), estate)
        for name, faction in scenario.factions.items()
        for index, estate in enumerate(faction.start)
    ]
    places += [((group, estate), estate) for group in ("neutrals", "incomes") for estate in getattr(scenario, group)]
    for path, estate in places:
        if estate not in estates:
            yield text.problem(path, f"{estate!r:.20} is not an estate on this board", f"{estates[0]} to {estates[-1]}")
    if len(set(scenario.prizes)) < len(scenario.prizes):
        yield text.problem(("prizes",), "an estate is listed twice", "name four different ones")
    for estate, amounts in scenario.incomes.items():
        if estate in estates and max(amounts) > 5:
            right = "an estate yields 0 to 5 of each (NB-F-1)"
            yield text.problem(("incomes", estate), "more than 5 of a resource", right)


def _faction_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Factions without roles or without enough squares, overlapping factions, and roles and officers of unknown factions."""
    starts: dict[str, tuple[str, ...]] = {}
    for name, faction in scenario.factions.items():
        for key in faction.council:
            if key not in VALUES:
                path = ("factions", name, "council", key)
                yield text.problem(path, f"no value is called {key!r:.40}", nearest(key, VALUES))
        roles = scenario.roles_of(name)
        if not roles:
            yield text.problem(("factions", name), "the faction has no roles", "give it at least one")
        elif all(estate in scenario.estates for estate in faction.start):
            squares = scenario.start(name)
            if len(squares) < len(roles):
                right = "write the upper left corner first, then the lower right" if not squares else "make it larger"
                yield text.problem(("factions", name, "start"), "there are not enough squares for the roles", right)
            elif taken := next((rival for rival, theirs in starts.items() if {*squares} & {*theirs}), None):
                what = f"its squares overlap with those of {taken}"
                yield text.problem(("factions", name, "start"), what, "give each faction different squares")
            starts[name] = squares
            for estate in scenario.neutrals:
                if estate in squares:
                    what = f"a neutral unit is on a square where {name} may have a home"
                    yield text.problem(("neutrals", estate), what, "put it elsewhere")
    for group, things in (("roles", scenario.roles), ("officers", scenario.officers)):
        for name, thing in things.items():
            if thing.faction not in scenario.factions:
                right = nearest(thing.faction, scenario.factions) or ", ".join(scenario.factions)
                yield text.problem((group, name, "faction"), f"no faction is called {thing.faction!r:.40}", right)


def _ability_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Abilities that roles lack, effects in a place that does not allow them, and effects with a missing or an extra blank."""
    for name in scenario.roles:
        for option in ABILITY:
            if option not in scenario.roles[name].abilities and option not in scenario.abilities:
                what = f"the role has no ability {option!r} (NB-C-1)"
                yield text.problem(("roles", name), what, "describe it here, or under `abilities` for everybody")
    stand: list[tuple[tuple[str | int, ...], Ability, bool]] = [
        (("abilities", option), ability, False) for option, ability in scenario.abilities.items()
    ]
    stand += [(("factions", name, "core"), faction.core, True) for name, faction in scenario.factions.items()]
    for name, role in scenario.roles.items():
        stand += [(("roles", name, "abilities", option), ability, False) for option, ability in role.abilities.items()]
        if role.personal is not None:
            stand.append((("roles", name, "personal"), role.personal, True))
    for path, ability, core in stand:
        at_hand = CORES if core else PRICED
        if ability.effect not in at_hand:
            what = f"`{ability.effect}` is not an effect of {'a core ability' if core else 'an ability that has a price'} (NB-C-12)"
            yield text.problem((*path, "effect"), what, ", ".join(at_hand))
            continue
        if ability.effect in MEASURED and not ability.amount:
            yield text.problem(path, f"`{ability.effect}` needs an amount (NB-C-12)", "write `amount`, 1 to 99")
        elif ability.effect not in MEASURED and ability.amount:
            yield text.problem((*path, "amount"), f"`{ability.effect}` takes no amount (NB-C-12)", "leave it out")
        if ability.value is not None and ability.effect != "inspire":
            yield text.problem((*path, "value"), f"`{ability.effect}` takes no value (NB-C-12)", "leave it out")
        words, must = words_of(ability.effect, core=core)
        if ability.of is None and must:
            yield text.problem(
                path,
                f"`{ability.effect}` needs something to apply to (NB-C-12)",
                f"write `of` with one of {', '.join(words)}",
            )
        elif ability.of is not None and ability.of not in words:
            right = (nearest(ability.of, words) or ", ".join(words)) if words else "leave it out"
            yield text.problem((*path, "of"), f"`{ability.effect}` cannot apply to {ability.of!r:.40} (NB-C-12)", right)


CORES: tuple[Effect, ...] = (
    "council", "inspire", "levy", "thrift", "gather", "ward", "retain", "march", "reach", "domain",
)  # fmt: skip
"""Effects that a core ability may have."""
PRICED: tuple[Effect, ...] = (
    "inspire", "levy", "thrift", "gather", "ward", "retain", "march", "reach", "expel", "survey", "gauge", "plunder",
    "win over",
)  # fmt: skip
"""Effects that an ability with a price may have."""
MEASURED: frozenset[Effect] = frozenset({"inspire", "levy", "thrift", "gather", "retain", "reach", "domain"})
"""Effects that have an amount."""


def words_of(effect: Effect, *, core: bool) -> tuple[tuple[str, ...], bool]:
    """Words that an effect's `of` accepts, and whether it needs one."""
    named = tables()
    match effect:
        case "thrift":
            # Actions without a price, such as a release, cannot become cheaper.
            return (*(name for name, price in named.actions.items() if price), *named.buildings), True
        case "gather":
            return RESOURCES, True
        case "inspire":
            return ("pc", *named.formations) if core else (), core
        case "march":
            return tuple(name for name, formation in named.formations.items() if formation.moves) if core else (), False
        case (
            "council" | "levy" | "ward" | "retain" | "reach" | "domain" | "expel" | "survey" | "gauge" | "plunder" | "win over"
        ):  # fmt: skip
            return (), False
        case _:
            assert_never(effect)


def _name_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Names that an order, a file or a page cannot contain, and a number of players that differs from the number of roles."""
    groups = ("factions", "officers", "companies", "mercenaries", "roles")
    named: list[tuple[tuple[str | int, ...], str]] = [
        ((group, name), name) for group in groups for name in getattr(scenario, group)
    ]
    named += [(("players", index), name) for index, name in enumerate(scenario.players)]
    for path, name in named:
        if not NAME.fullmatch(name) or name.casefold() in WORDS:
            yield text.problem(path, f"{name!r:.50} cannot be a name", RIGHT_NAME)
        elif path[0] == "players" and not name.isascii():
            what = f"{name!r:.50} cannot be a player's name, because files are named after it"
            yield text.problem(path, what, "use letters from A to Z, such as Anise")
    if len(scenario.players) != len(scenario.roles):
        what = f"{len(scenario.players)} players for {len(scenario.roles)} roles"
        yield text.problem(("players",), what, "name one for each role")
    if len({seat_file(name) for name in scenario.players}) != len(scenario.players):
        yield text.problem(
            ("players",),
            "two players' names give the same file name",
            "give each a name that differs in more than capitals, spaces and punctuation",
        )


def _unit_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Designs without a legal tier, unknown formations, and units whose companies do not fill their slots."""
    designs: list[tuple[tuple[str, ...], Company]] = [
        (("companies", name), company) for name, company in scenario.companies.items()
    ]
    designs += [(("roles", name, "company"), role.company) for name, role in scenario.roles.items()]
    for path, company in designs:
        if not 1 <= company.tier <= 10:
            right = "make the sum of all values 1 to 10 (NB-B-14)"
            yield text.problem(path, f"its tier is {company.tier}", right)
    listed = tables().formations
    units: list[tuple[tuple[str | int, ...], str, tuple[str, ...], bool]] = []
    formations: list[tuple[tuple[str, ...], str]] = [(("fillings", name), name) for name in scenario.fillings]
    for name, fillings in scenario.fillings.items():
        units += [(("fillings", name, at), name, tuple(line.split(", ")), False) for at, line in enumerate(fillings)]
    for group in ("mercenaries", "neutrals"):
        for name, unit in getattr(scenario, group).items():
            formations.append(((group, name, "formation"), unit.formation))
            units.append(((group, name, "companies"), unit.formation, unit.companies, True))
    for named, formation in formations:
        if formation not in listed:
            right = nearest(formation, listed) or ", ".join(listed)
            yield text.problem(named, f"no formation is called {formation!r:.40}", right)
    for filled, formation, companies, officers in units:
        if formation in listed:
            yield from _filling_faults(scenario, text, filled, formation, companies, officers=officers)


def _clash_faults(scenario: Scenario, text: Text) -> Iterator[Problem]:
    """Names that differ only in capitals, or not at all, and could be confused on a sheet or a page."""
    together: tuple[tuple[tuple[str, Iterable[str]], ...], ...] = (
        (("factions", scenario.factions), ("players", scenario.players)),
        (("officers", scenario.officers), ("companies", scenario.companies)),
        (("roles", scenario.roles),),
        (("mercenaries", scenario.mercenaries),),
    )
    for groups in together:
        seen: dict[str, str] = {}
        for group, names in groups:
            for index, name in enumerate(names):
                if name.casefold() in seen:
                    path = (group, index) if group == "players" else (group, name)
                    what = f"{name!r:.50} is already a name among the {seen[name.casefold()]}"
                    yield text.problem(path, what, "give each a different name")
                seen.setdefault(name.casefold(), group)


def _filling_faults(
    scenario: Scenario,
    text: Text,
    path: tuple[str | int, ...],
    formation: str,
    lines: tuple[str, ...],
    *,
    officers: bool,
) -> Iterator[Problem]:
    """Faults in the companies of a unit."""
    slots = dict.fromkeys(SLOTS, 0)
    for design in expand_companies(lines):
        if design not in scenario.companies:
            yield text.problem(path, f"no company is called {design!r:.40}", nearest(design, scenario.companies))
        else:
            slots[scenario.companies[design].slot] += 1
    if sum(slots.values()) < len(expand_companies(lines)):
        return
    wanted = {slot: getattr(tables().formations[formation], slot) for slot in SLOTS if officers or slot != "officer"}
    if any(slots[slot] != wanted.get(slot, 0) for slot in SLOTS):
        right = ", ".join(f"{count} {slot}" for slot, count in wanted.items())
        yield text.problem(path, f"a {formation} is not filled like this", right)


@functools.lru_cache(maxsize=64)
def load_scenario(source: bytes, path: str) -> Scenario:
    """Read a scenario from its file's bytes; raises `Problems` with all of its faults."""
    text = read(source, path)
    scenario = decode(Scenario, text)
    problems = list(faults(scenario, text))
    if problems:
        raise Problems(problems)
    return scenario


@functools.cache
def tables() -> Tables:
    """Read the tables of formations, buildings and actions."""
    path = DATA / "tables.yaml"
    return decode(Tables, read(read_own(path), path.name))


def shipped_scenarios() -> dict[str, Path]:
    """Name -> file of each scenario that comes with the game."""
    return {path.stem: path for path in Own(DATA).paths(DATA, "*.yaml") if path.stem != "tables"}


@functools.cache
def scenario_named(name: str) -> Scenario:
    """The scenario with this name; raises `Problems` with the known names if the name is unknown."""
    paths = shipped_scenarios()
    if name not in paths:
        right = nearest(name, paths) or "scenarios: " + ", ".join(sorted(paths))
        raise problem("", f"no scenario is called {name!r:.60}", right)
    return load_scenario(read_own(paths[name]), paths[name].name)
