"""The order desk for a saga: units with their legal orders, plus bids, heirs and Vassals."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from dataclasses import replace

from adjudicator.core.contract.beside import Beside, Bidding, Group, Person, Piece, Purse
from adjudicator.core.contract.lines import Saying, Spelling
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Desk
from adjudicator.core.contract.words import join_words
from adjudicator.mechanics.notation import spoken_words
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.bidding import TRIPLE
from adjudicator.rulesets.saga_of_the_nine.options import (
    cautions,
    check,
    marriages,
    open_to_bids,
    unit_lines,
    wishes_for,
)
from adjudicator.rulesets.saga_of_the_nine.orders import MarryHeir, MarryMinor, Sheet, canonical_line, speech_of
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
    Position,
    Season,
    centre_of,
    living,
    majors,
    minors,
    purse_of,
    rulers_of,
)

VERBS = r"(?:(?:marry|marries|weds|wed)\s+(?:the\s+)?(?:heir\s+(?:of\s+)?)?|m\s+heir\s+(?:of\s+)?)"
"""Words that may come before the Major in a bid for a Minor to marry; `SagaReader.offer` reads them."""
BIDDING = Bidding(
    key="bids",
    coin="DP",
    form="{amount} DP to {wish}",
    joints=("to", ":"),
    spelt={},
    twice="Two different orders for {unit}: neither counts (S9-D-13). Keep one.",
    dear="You have {purse} DP and bid {asked}: this bid will not count (S9-D-14). {left} DP left for it.",
    nothing="You bid {amount} DP. Bid at least 1 DP, and no more than your purse holds.",
    heavy="Each of your DP counts {weight} here (S9-D-11).",
)
WEDS = ("marry", "marries", "wed", "weds")
HEIR = "My heir"
NOBODY = "Nobody is left to marry."
SORTIE = "a sortie, which never enters"


def spelling(position: Position) -> Spelling:
    """Accepted spellings: those of the war, plus those for heirs and Vassals, even where no legal order uses them."""
    spelt = diplomacy.spelling_in(position.war)
    weds = dict.fromkeys(WEDS, "Marry") | {"heir": "Heir", "at": "at"}
    names = (*majors(position.settings), *position.vassals)
    weds |= {" ".join(spoken_words(name)): name for name in names}
    # The Major's name may mean its heir: `Aesir weds Permyak`.
    for major, verb in itertools.product(majors(position.settings), WEDS):
        said = " ".join((*spoken_words(major), verb))
        weds |= dict.fromkeys((said, f"heir {said}"), f"Heir {major} Marry")
    wedding = Saying("Marry Heir {unit}", "Marry the heir of {unit}", "stay")
    return replace(spelt, words={**spelt.words, **weds}, sayings=(*spelt.sayings, wedding))


def unasked(position: Position) -> Collection[str]:
    """Keys that have no meaning in this turn: `bids`, unless it is a phase of orders (S9-D-3)."""
    return () if position.phase is Phase.ORDERS else (BIDDING.key,)


def beside(position: Position) -> Beside:
    """Orders that Majors can give besides those for their own units: bids and heirs, or in retreats and winter their Vassals' units."""
    if position.phase is not Phase.ORDERS:
        shared = {_whose(position, vassal): unit_lines(position, vassal) for vassal in position.vassals}
        return Beside(bidding=None, shared={whose: lines for whose, lines in shared.items() if lines})
    alive = living(position)
    return Beside(
        bidding=replace(BIDDING, spelt=_weddings(majors(position.settings))),
        pieces=_pieces(position),
        purses={major: _purse(position, major) for major in alive},
        persons={major: (_heir(position, major),) for major in alive},
    )


def _weddings(reign: tuple[SeatId, ...]) -> dict[str, str]:
    """Pattern for the end of a bid for a wedding, one for each Major -> its canonical form. The Major's first letter is enough."""
    named = {major: "\\s+".join(re.escape(word) for word in major.lower().split()) for major in reign}
    return {f"{VERBS}(?:{name}|{name[0]})": f"Marry Heir {major}" for major, name in named.items()}


def _whose(position: Position, power: SeatId) -> str:
    """A power's status in a few words: a Vassal, a Thrall or a Minor, with its rulers."""
    rulers = join_words(rulers_of(position, power))
    if power in position.vassals:
        return f"{power}, a Vassal of {rulers}"
    return f"a Thrall of {rulers}" if rulers else "a Minor"


def _pieces(position: Position) -> dict[str, Piece]:
    """Units that can be bid on, each with the orders it can get."""
    reign, names = majors(position.settings), position.ground.board.provinces
    pieces: dict[str, Piece] = {}
    for power in position.ground.powers:
        if power in reign:
            continue
        wishes = wishes_for(position, power)
        for unit in position.units.get(power, ()):
            still = power not in position.vassals
            place = names[centre_of(position.ground.board, power)].name if still else ""
            pieces[unit] = Piece(
                whose=_whose(position, power),
                wishes=tuple(wish.removeprefix(f"{unit} ") for wish in wishes if wish.startswith(f"{unit} ")),
                going=SORTIE if still else "",
                void=f"You attack {place}, so your bid on it is void (S9-D-15). Leave one of the two out."
                if still
                else "",
            )
    return pieces


def _purse(position: Position, major: SeatId) -> Purse:
    """A Major's DP, and how much each of them counts for the units that it may bid on (S9-D-4, S9-D-6, S9-D-11)."""
    weights = {
        unit: TRIPLE if position.thralls.get(power) == major else 1
        for power in open_to_bids(position, major)
        for unit in position.units[power]
    }
    return Purse(holds=purse_of(position, major), weights=weights)


# Heirs --------------------------------------------------------------------------------------------------------------


def _heir(position: Position, major: SeatId) -> Person:
    """A Major's heir, with the marriages open to it now or the reason why it has none."""
    legal, head = list(marriages(position, major)), f"Heir {major} "
    if not legal:
        free = next(iter(minors(position)), "")
        why = _against(position, major, f"{head}Marry {free}") if free else NOBODY
        return Person(name=HEIR, head=head, groups=(), why=why)
    speech, ground = speech_of(position), position.ground
    land = ground.board.distances([place for place, owner in sorted(ground.owners.items()) if owner == major])
    brides = [said for said in legal if isinstance(said, MarryMinor)]
    # The neighbours first: they are whom a heir can hope for.
    brides.sort(key=lambda said: (land.get(said.centre, len(land)), ground.board.provinces[said.centre].name))
    groups = []
    if brides:
        units = tuple(ground.board.unit_name(ground.units[said.centre][1]) for said in brides)
        orders = tuple(speech.write(said, {}).removeprefix(head) for said in brides)
        groups.append(Group(title="Minors", orders=orders, units=units, wish=f"Marry Heir {major}"))
    if position.season is Season.AUTUMN:
        for other in position.heirs:
            matches = [said for said in legal if isinstance(said, MarryHeir) and said.other == other]
            orders = tuple(speech.write(said, {}).removeprefix(head) for said in matches)
            refused = "" if orders else _against_match(position, major, other)
            if other != major:
                groups.append(Group(title=f"The heir of {other}", orders=orders, why=refused))
    return Person(name=HEIR, head=head, groups=tuple(groups))


def _against(position: Position, major: SeatId, line: str) -> str:
    """The first remark of `check` on a sheet with only this order, as sentences; empty if there is none."""
    remarks = [remark for remark in check(position, major, Sheet(orders=(line,))) if remark.place == ("orders", 0)]
    return " ".join(_sentence(words) for remark in remarks[:1] for words in (remark.what, remark.right) if words)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _against_match(position: Position, major: SeatId, other: SeatId) -> str:
    """Why two heirs cannot marry now, as `check` explains it for the first centre that either Major owns and that is a home of neither."""
    ground = position.ground
    places = [
        ground.board.provinces[code].name
        for code, owner in sorted(ground.owners.items())
        if owner in (major, other) and ground.board.provinces[code].home not in (major, other)
    ]
    if not places:
        return "Neither Major has a place where the two could marry now (S9-V-3)."
    return _against(position, major, f"Heir {major} Marry Heir {other} at {places[0]}")


DESK: Desk[Position] = Desk(
    spelling=spelling,
    lines=None,
    canonical=canonical_line,
    pasted=None,
    cautions=cautions,
    unasked=unasked,
    plans=None,
    stands=None,
    prices=None,
    meanings=None,
    walks=None,
    beside=beside,
)
