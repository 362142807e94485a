"""Reading of lines for a second judge: the forms of ORDERS.md, with kinds left out, codes, and any case, but not more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tests.judges.war import Named, Order, World

MOST = 999
"""DP that a line can name; nobody has more than three."""


@dataclass(frozen=True, slots=True)
class MarryMinor:
    heir: str
    minor: Named

    def __str__(self) -> str:
        return f"Heir {self.heir} Marry {self.minor.place}"


@dataclass(frozen=True, slots=True)
class MarryHeir:
    heir: str
    other: str
    at: str

    def __str__(self) -> str:
        return f"Heir {self.heir} Marry Heir {self.other}" + (f" at {self.at}" if self.at else "")


@dataclass(frozen=True, slots=True)
class Adjust:
    """A build or a removal of a unit, or a disbanding instead of a retreat (DP-R-8)."""

    does: Literal["Build", "Disband"]
    unit: Named

    def __str__(self) -> str:
        return f"{self.does} {self.unit}"


@dataclass(frozen=True, slots=True)
class Waive:
    vassal: str = ""

    def __str__(self) -> str:
        return f"Waive {self.vassal}".strip()


@dataclass(frozen=True, slots=True)
class BuildHeir:
    at: str = ""

    def __str__(self) -> str:
        return f"Build Heir {self.at}".strip()


@dataclass(frozen=True, slots=True)
class Yes:
    """A Minor's unit is to marry an heir."""

    unit: Named
    heir: str

    def __str__(self) -> str:
        return f"{self.unit} Marry Heir {self.heir}"


@dataclass(frozen=True, slots=True)
class Bid:
    dp: int
    wish: Order | Yes | Adjust

    def __str__(self) -> str:
        return f"{self.dp} DP to {self.wish}"


Line: TypeAlias = Order | MarryMinor | MarryHeir | Adjust | Waive | BuildHeir


class Reader:
    """Reads the lines of a board with these Majors and Vassals."""

    def __init__(self, world: World, vassals: tuple[str, ...]) -> None:
        self.names = {
            word.casefold(): name
            for group in (
                world.codes.items(),
                ((name, name) for name in (*world.codes.values(), *world.homes, *vassals)),
            )
            for word, name in group
        }
        places = any_of((*world.codes, *world.codes.values()))
        majors, fallen = any_of(world.homes), any_of(vassals or ("-",))

        def unit(key: str) -> str:
            return rf"(?:(?P<k{key}>[AF]) )?(?P<p{key}>{places})"

        marry = "(?:Marry|marries|weds)"
        self.orders = patterns(
            hold=rf"{unit('u')} (?:H|holds)",
            move=rf"{unit('u')} - (?P<to>{places})(?P<via> via convoy)?",
            support=rf"{unit('u')} S {unit('w')}(?: - (?P<to>{places}))?",
            convoy=rf"{unit('u')} C {unit('w')} - (?P<to>{places})",
        )
        self.others = patterns(
            heirs=rf"(?:Heir )?(?P<heir>{majors}) {marry} Heir (?P<other>{majors})(?: at (?P<at>{places}))?",
            minor=rf"(?:Heir )?(?P<heir>{majors}) {marry} {unit('u')}",
            heir=rf"Build Heir(?: (?P<at>{places}))?",
            build=rf"Build (?P<ku>[AF]) (?P<pu>{places})",
            disband=rf"Disband {unit('u')}",
            disbands=rf"{unit('u')} Disband",
            waive=rf"Waive(?: (?P<vassal>{fallen}))?",
        )
        self.wishes = patterns(
            yes=rf"{unit('u')} {marry} Heir (?P<heir>{majors})",
            disbands=rf"{unit('u')} Disband",
        )

    def read(self, text: str) -> Line | None:
        """Content of a line under `orders`; None if it cannot be read (DP-O-7)."""
        form, said = self.match({**self.orders, **self.others}, text)
        match form:
            case "heirs":
                return MarryHeir(said("heir"), said("other"), said("at"))
            case "minor":
                return MarryMinor(said("heir"), Named(said("ku").upper(), said("pu")))
            case "heir":
                return BuildHeir(said("at"))
            case "build":
                return Adjust("Build", Named(said("ku").upper(), said("pu")))
            case "disband" | "disbands":
                return Adjust("Disband", Named(said("ku").upper(), said("pu")))
            case "waive":
                return Waive(said("vassal"))
            case "":
                return None
            case _:
                return self.order(form, said)

    def read_bid(self, text: str) -> Bid | None:
        """Content of a line under `bids`; None if it cannot be read."""
        bid = re.fullmatch(r"(?P<dp>\d+)(?: DP to |:)(?P<wish>.+)", text, re.IGNORECASE)
        if bid is None or not 1 <= int(bid["dp"]) <= MOST:  # S9-D-5
            return None
        form, said = self.match({**self.orders, **self.wishes}, bid["wish"])
        if not form:
            return None
        unit = Named(said("ku").upper(), said("pu"))
        wish = Yes(unit, said("heir")) if form == "yes" else Adjust("Disband", unit)
        return Bid(int(bid["dp"]), wish if form in self.wishes else self.order(form, said))

    def order(self, form: str, said: Said) -> Order:
        unit, whom = Named(said("ku").upper(), said("pu")), Named(said("kw").upper(), said("pw"))
        does: Literal["H", "-", "S", "C"] = (
            "H" if form == "hold" else "-" if form == "move" else "S" if form == "support" else "C"
        )
        return Order(unit, does, whom, said("to"), bool(said("via")))

    def match(self, forms: dict[str, re.Pattern[str]], text: str) -> tuple[str, Said]:
        """Form of a line, and the words in each of its places."""
        for form, pattern in forms.items():
            if found := pattern.fullmatch(" ".join(text.replace("-", " - ").split())):
                return form, Said(self.names, found.groupdict(default=""))
        return "", Said(self.names, {})


class Said:
    """Words in the places of a form, spelled as on the board; "" for an empty place."""

    def __init__(self, names: dict[str, str], words: dict[str, str]) -> None:
        self.names, self.words = names, words

    def __call__(self, key: str) -> str:
        word = self.words.get(key, "")
        return self.names.get(word.casefold(), word)


def any_of(words: object) -> str:
    assert hasattr(words, "__iter__")
    return "(?:" + "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word))) + ")"


def patterns(**forms: str) -> dict[str, re.Pattern[str]]:
    return {form: re.compile(pattern, re.IGNORECASE) for form, pattern in forms.items()}
