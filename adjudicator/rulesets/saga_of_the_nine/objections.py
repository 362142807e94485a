"""Why an order or a bid is not among the legal ones, as the table that the order desk reads; the sentences are those of `check`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adjudicator.core.contract.objections import Ground, Objection, Objections
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.heirs import unwelcome
from adjudicator.rulesets.saga_of_the_nine.options import BY_BIDS, ELIMINATED, TO_OTHERS, TO_VASSALS, told
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    capital_name,
    capital_of,
    centre_of,
    living,
    majors,
    minors,
    owner_of,
    ruled_by,
    stationary,
)
from adjudicator.rulesets.saga_of_the_nine.vassals import builders

BID = "{amount} DP to {wish}"
"""How a bid is written."""
HEIRS: Mapping[str, str] = {
    "match": "Heir {heir} Marry Heir {other} at {at}",
    "match nowhere": "Heir {heir} Marry Heir {other}",
    "wed": "Heir {heir} Marry {bride}",
}
NEW_HEIRS: Mapping[str, str] = {"raise at": "Build Heir {at}", "raise": "Build Heir"}
WAIVERS: Mapping[str, str] = {"waive for": "Waive {vassal}"}
WISHES = ("aid", "stand", "carry", "sail", "move", "hold")
"""The war's forms that units can be told by bids."""
MATCHES = ("match", "match nowhere")
NEVER_CARRIED = ("here in still", "of in still")
UNSAID = ("two orders for one heir",)
UNSAID_OF_VASSALS = ("what the other who controls a Vassal orders for it",)


def objections(position: Position) -> Objections:
    """What can be told against orders and bids that are not legal in this turn."""
    war = diplomacy.objections(position.war, stationary=stationary(position))
    places = _Places(position)
    match position.phase:
        case Phase.ORDERS:
            wishes = {"wed": "{here} Marry Heir {other}", **{name: war.forms[name] for name in WISHES}}
            bids = {f"bid {name}": BID.replace("{wish}", form) for name, form in wishes.items()}
            table = (*_heirs(position), *_bids(war), *_bidden(war), *war.table)
            return _told(position, war, table, _of_orders(places), bids=bids, unsaid=UNSAID)
        case Phase.RETREATS:
            table = tuple(
                replace(
                    one, tests=tuple("here not led reader" if test == "here not mine" else test for test in one.tests)
                )
                for one in war.table
            )
            return _told(
                position, war, (*_not_now(), *_waived(war), *table), _of_retreats(places), unsaid=UNSAID_OF_VASSALS
            )
        case Phase.WINTER:
            table = (*_winter(position), *_vassals(), *war.table)
            return _told(position, war, table, _of_winter(places), unsaid=UNSAID_OF_VASSALS)


def _told(
    position: Position,
    war: Objections,
    table: Iterable[Objection],
    ground: Ground,
    *,
    bids: Mapping[str, str] | None = None,
    unsaid: tuple[str, ...],
) -> Objections:
    """All that is told in a phase: of the war, and of what a saga has beside it."""
    ground = replace(
        war.ground,
        near=ground.near,
        sets={**war.ground.sets, **ground.sets, "living": living(position)},
        facts=ground.facts,
    )
    return replace(
        war,
        things=(*war.things, "bride"),
        forms={**(bids or {}), **HEIRS, **NEW_HEIRS, **WAIVERS, **war.forms},
        ground=ground,
        table=(Objection((), ("reader not in living",), ELIMINATED), *table),
        unsaid=(*war.unsaid, *unsaid),
    )


def _says(reason: str, rule: str, **facts: str) -> str:
    """The sentence of a reason, each fact of it in the place where the table finds it."""
    return told(reason, rule).format_map({key: f"{{{value}}}" for key, value in facts.items()})


# Orders -------------------------------------------------------------------------------------------------------------


def _heirs(position: Position) -> Iterator[Objection]:
    """Against orders of heirs in a phase of orders (S9-M-4 to M-6, S9-T-1, S9-T-2, S9-T-16, S9-V-1 to V-8)."""
    every = (*HEIRS,)
    stranger = {"unit": "heir stranger", "power": "heir intruder"}
    yield Objection(every, ("heir not same reader",), _says("not-your-heir", "M-4", heir="heir"))
    yield Objection(every, ("heir not in heirs",), _says("no-heir", "M-4"))
    yield Objection(every, ("heir in invaded",), _says("capital-held", "M-5", **stranger))
    yield Objection(("wed",), ("bride in thralls",), _says("is-thrall", "T-16", thrall="bride minor", controller="bride ruler"))  # fmt: skip
    yield Objection(("wed",), ("bride not in minors",), _says("no-minor", "T-1", place="bride"))
    yield Objection(("wed",), ("bride in bare",), _says("minor-without-unit", "T-2", minor="bride minor"))
    yield Objection(("wed",), ("bride not named",), _says("minor-wrong-kind", "T-2", unit="bride unit"))
    if position.season is not Season.AUTUMN:
        yield Objection(MATCHES, (), _says("not-in-spring", "V-1"))
    yield Objection(MATCHES, ("other same heir",), _says("with-itself", "M-1"))
    yield Objection(("match nowhere",), (), _says("no-location", "V-2"))
    yield Objection(("match",), ("other not in heirs",), _says("other-has-no-heir", "M-1", other="other"))
    for index, name in enumerate(position.vassals):
        both = (f"heir in pair{index}", f"other in pair{index}")
        words = told("share-a-vassal", "V-6").format(other="{other}", vassal=name)
        yield Objection(("match",), both, words)
    for home in ("heir", "other"):
        yield Objection(("match",), (f"at home {home}",), _says("location-is-home", "V-3", place="at", home=home))
    neithers = ("at not centre heir", "at not centre other")
    yield Objection(("match",), neithers, _says("location-is-neithers", "V-3", place="at"))
    held = _says("location-held", "V-8", unit="at unit", power="at owner", place="at")
    yield Objection(("match",), ("at in held",), held)
    stranger = {"unit": "other stranger", "power": "other intruder"}
    yield Objection(("match",), ("other in invaded",), _says("their-capital-held", "V-8", **stranger))
    yield Objection(every, (), "", legal=True)
    yield Objection((*NEW_HEIRS,), (), _says("heir-not-now", "W-3"))


def _bidden(war: Objections) -> Iterator[Objection]:
    """Against orders of units that bids order (S9-D-1, S9-V-20)."""
    units = tuple(name for name, form in war.forms.items() if "{here}" in form)
    yield Objection(units, ("here in vassals",), f"{BY_BIDS} (S9-{TO_VASSALS})")
    yield Objection(units, ("here in still",), f"{BY_BIDS} (S9-{TO_OTHERS})")
    yield from _waived(war)


def _waived(war: Objections) -> Iterator[Objection]:
    """Against a waiver for a Vassal, as the war says of one."""
    return (replace(one, forms=(*WAIVERS,)) for one in war.table if "waive" in one.forms)


def _bids(war: Objections) -> Iterator[Objection]:
    """Against bids (S9-D-6, S9-D-7, S9-E-2, S9-E-3, S9-T-6, S9-T-16, S9-V-23)."""
    every = ("bid wed", *(f"bid {name}" for name in WISHES))
    yield Objection(every, ("here empty",), _says("bid-on-nothing", "D-7", place="here"))
    yield Objection(every, ("here not named",), _says("bid-wrong-kind", "D-7", unit="here unit"))
    yield Objection(
        every, ("here not in still", "here not in vassals"), _says("bid-on-major", "D-7", power="here owner")
    )
    others = _says("bid-on-others-vassal", "D-6", vassal="here owner", controllers="here rulers")
    yield Objection(every, ("here in vassals", "here not led reader"), others)
    yield Objection(("bid wed",), ("here in vassals",), _says("vassals-marry-nobody", "V-23", vassal="here owner"))
    thrall = _says("thralls-marry-nobody", "T-16", thrall="here minor", controller="here ruler")
    yield Objection(("bid wed",), ("here in led-alone",), thrall)
    yield Objection(("bid wed",), ("other not in heirs",), _says("bid-for-no-heir", "T-6", heir="other"))
    yield Objection(("bid wed",), (), "", legal=True)
    yield Objection(("bid carry",), ("here in still",), _says("stationary-convoys", "E-2", power="here owner"))
    for one in war.table:
        if one.forms and "build" not in one.forms:
            rule = "E-3" if {*one.tests} & {*NEVER_CARRIED} else "D-7"
            words = f"{one.what} (S9-{rule})" if one.what else ""
            yield replace(one, forms=tuple(f"bid {name}" for name in one.forms), what=words)
    yield Objection(every, (), "")


def _of_orders(places: _Places) -> Ground:
    """What is known of heirs, of Minors and of whose units bids order."""
    position = places.position
    strangers = {major: here for major in living(position) if (here := unwelcome(position, major)) is not None}
    owned = {code: owner for code, owner in places.ground.owners.items() if owner is not None}
    free = {minor: centre_of(places.board, minor) for minor in minors(position)}
    bare = [code for minor, code in free.items() if places.standing.get(code) != minor]
    held = [code for code, owner in owned.items() if places.standing.get(code, owner) != owner]
    thralls = [code for code, owner in owned.items() if owner in position.thralls]
    still = [code for code, power in places.standing.items() if power in position.thralls]
    ruled = [code for code, power in places.standing.items() if power in position.vassals]
    known = {code: owned[code] for code in (*thralls, *free.values())} | {code: places.standing[code] for code in still}
    return Ground(
        stands={},
        beside={},
        near={
            "home": places.each(lambda major: (code for code, one in places.board.provinces.items() if one.home == major)),
            "centre": places.each(lambda major: (code for code, owner in owned.items() if owner == major)),
            "led": places.each(lambda major: (code for code in ruled if places.standing[code] in ruled_by(position, major))),
        },
        sets={
            "heirs": position.heirs,
            "invaded": tuple(strangers),
            "thralls": places.named(thralls),
            "minors": places.named(free.values()),
            "bare": places.named(bare),
            "held": places.named(held),
            "vassals": places.named(ruled),
            "still": places.named(stationary(position)),
            "led-alone": places.named(still),
            **{f"pair{index}": one.controllers for index, one in enumerate(position.vassals.values())},
        },
        facts={
            "stranger": {major: places.board.unit_name(unit) for major, (_, unit) in strangers.items()},
            "intruder": {major: power for major, (power, _) in strangers.items()},
            "minor": places.words(known),
            "ruler": places.words({code: position.thralls[known[code]] for code in known if known[code] in position.thralls}),
            "rulers": places.words({code: join_words(position.vassals[places.standing[code]].controllers) for code in ruled}),
        },
    )  # fmt: skip


# Retreats and Winter ------------------------------------------------------------------------------------------------


def _not_now() -> Iterator[Objection]:
    """Against what is of no use in retreats (S9-M-1, S9-W-3, S9-V-24)."""
    yield Objection((*HEIRS,), (), _says("marry-not-now", "M-1"))
    yield Objection((*NEW_HEIRS,), (), _says("heir-not-now", "W-3"))
    yield Objection((*WAIVERS,), ("vassal not ruled reader",), _says("not-your-vassal", "V-24", vassal="vassal"))


def _of_retreats(places: _Places) -> Ground:
    """Whose dislodged units a Major orders: its own, and its Vassals' (S9-V-24)."""
    position = places.position
    lost = {code: power for code, (power, _, _) in places.ground.dislodged.items()}
    return Ground(
        stands={},
        beside={},
        near={
            "led": places.each(
                lambda major: (code for code, power in lost.items() if power in (major, *ruled_by(position, major)))
            ),
            "ruled": {major: ruled_by(position, major) for major in living(position)},
        },
    )


def _winter(position: Position) -> Iterator[Objection]:
    """Against new heirs in a Winter, and what is of no use in one (S9-M-1, S9-H-6, S9-V-23, S9-V-24)."""
    yield Objection((*HEIRS,), (), _says("marry-not-now", "M-1"))
    new, at = (*NEW_HEIRS,), ("raise at",)
    away = "at not capital reader"
    yield Objection(at, (away, "at in dowries"), _says("vassals-build-no-heirs", "V-23", vassal="at lord"))
    yield Objection(at, (away,), _says("heir-elsewhere", "H-6", capital="reader seat", place="at"))
    yield Objection(new, ("reader in robbed",), _says("capital-lost", "H-6", capital="reader seat"))
    yield Objection(new, ("reader in heirs",), _says("heir-there", "H-6", capital="reader seat"))
    last = told("heir-last-winter", "H-6").format(cycle=position.cycle - 1)
    yield Objection(new, ("reader in rested",), last)
    yield Objection(new, (), "", legal=True)
    yield Objection((*WAIVERS,), ("vassal not ruled reader",), _says("not-your-vassal", "V-24", vassal="vassal"))


def _vassals() -> Iterator[Objection]:
    """Against builds and removals of Vassals: what the war says of a power's own (S9-V-21, S9-V-24)."""
    theirs = {"build": "here held reader", "disband": "here led reader"}
    instead = {
        "reader not in builders": "here not in open",
        "here not beside reader": "here not in sites",
        "reader not in removers": "here not in spare",
    }
    never = {"here not far reader", "here not mine"}  # It is theirs.
    for one in diplomacy.against_adjustments(frozenset()):
        if one.forms == ("waive",):
            yield replace(one, forms=(*WAIVERS,))
        for name, whose in theirs.items():
            if name in one.forms and not never & {*one.tests}:
                yield Objection((name,), (whose, *(instead.get(test, test) for test in one.tests)), one.what)
    yield from (Objection((name,), (whose,), "") for name, whose in theirs.items())


def _of_winter(places: _Places) -> Ground:
    """What Vassals own, and which of them build or remove (S9-V-21)."""
    position = places.position
    sites = builders(position)
    owners = {code: owner for code, owner in places.ground.owners.items() if owner in position.vassals}
    troops = {code: power for code, power in places.standing.items() if power in position.vassals}
    owned = {name: [*owners.values()].count(name) for name in position.vassals}
    units = {name: [*troops.values()].count(name) for name in position.vassals}
    seats = {major: capital_name(position.settings, major) for major in living(position)}

    def under(table: Mapping[str, SeatId | None]) -> Mapping[str, tuple[str, ...]]:
        return places.each(lambda major: (code for code, power in table.items() if power in ruled_by(position, major)))

    return Ground(
        stands={},
        beside={},
        near={
            "held": under(owners),
            "led": under(troops),
            "ruled": {major: ruled_by(position, major) for major in living(position)},
            "capital": places.each(lambda major: (capital_of(places.board, major),)),
        },
        sets={
            "heirs": position.heirs,
            "robbed": tuple(major for major, name in seats.items() if owner_of(position, name) != major),
            "rested": tuple(major for major in seats if position.built.get(major) == position.cycle - 1),
            "dowries": places.named(owners),
            "open": places.named(code for code, name in owners.items() if name and owned[name] > units[name]),
            "spare": places.named(code for code, name in troops.items() if owned[name] < units[name]),
            "sites": places.named(
                code for code, name in owners.items() if name and isinstance(where := sites[name], frozenset) and code in where
            ),
        },
        facts={"seat": seats, "lord": places.words({code: name for code, name in owners.items() if name})},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Places:
    """A position's places, as the table names them."""

    position: Position

    @property
    def ground(self) -> diplomacy.Field:
        """The position on its board."""
        return self.position.ground

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.settings.ground

    @property
    def standing(self) -> dict[str, SeatId]:
        """Place -> whose unit stands there."""
        return {code: power for code, (power, _) in self.ground.units.items()}

    def named(self, codes: Iterable[str]) -> tuple[str, ...]:
        """The names of places, sorted."""
        return tuple(sorted(self.board.provinces[code].name for code in codes))

    def words(self, said: Mapping[str, str]) -> dict[str, str]:
        """What is said of places, by their names."""
        return {self.board.provinces[code].name: words for code, words in sorted(said.items())}

    def each(self, codes: Callable[[SeatId], Iterable[str]]) -> dict[str, tuple[str, ...]]:
        """Major -> the names of its places, where it has any."""
        return {major: names for major in majors(self.position.settings) if (names := self.named(codes(major)))}
