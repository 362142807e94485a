"""How a game ends (AA-K)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import Ending, SeatId
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.events import (
    Drawn,
    DrawVote,
    WazirWon,
)
from adjudicator.rulesets.al_andalus.position import (
    Position,
    WazirSolo,
    living_wazirs,
    princes,
    reigning_princes,
    when,
)
from adjudicator.rulesets.al_andalus.work import Work


def end_the_game(work: Work) -> None:
    """Ends the game if a prince or a wazir has won, or if all princes vote for a draw (AA-K)."""
    assert work.war is not None
    position = work.position
    phase = when(work.start)
    votes = set(position.votes)
    for prince, sheet in work.princely.items():
        if sheet.draw is not None:
            (votes.add if sheet.draw else votes.discard)(prince)
    reigning = reigning_princes(position)
    votes &= set(reigning)
    work.amend(votes=tuple(prince for prince in reigning if prince in votes))
    position = work.position
    field_ = diplomacy.field_of(position.war)
    counts = {prince: len(field_.owned(prince)) for prince in princes(position.settings)}
    leader = max(sorted(counts), key=lambda prince: counts[prince])
    rich = _richest_wazirs(position, counts[leader])
    won = diplomacy.victor(work.war, princes(position.settings))  # AA-L-15
    fall = work.start.war.season is diplomacy.Season.FALL
    changed = fall and not work.war.forced  # the centres have changed hands
    if won is not None:
        work.tell(won)
        work.ended = Ending(how="solo", winners=(won.power,), when=phase, rule="AA-K-1")
    elif set(reigning) == votes and reigning:
        most = max((position.purses[wazir] for wazir in living_wazirs(position)), default=0)
        richest = tuple(wazir for wazir in living_wazirs(position) if position.purses[wazir] == most)
        work.tell(Drawn(princes=reigning, wazirs=richest))
        work.ended = Ending(how="draw", winners=(*reigning, *richest), when=phase, rule="AA-K-2")
    elif rich and position.settings.wazir_solo_ends_game and changed:
        work.ended = Ending(how="wazir solo", winners=rich, when=phase, rule="AA-K-7")
    elif any(sheet.draw is not None for sheet in work.princely.values()) and votes:
        needed = tuple(prince for prince in reigning if prince not in votes)
        work.tell(DrawVote(princes=position.votes, needed=needed))
    if work.ended is not None and rich:
        event = WazirWon(wazirs=rich, dinars=position.purses[rich[0]], prince=leader, centres=counts[leader])
        work.tell(event)
        both = won is not None
        winners = (*rich, won.power) if won is not None else rich
        work.ended = replace(
            work.ended,
            how="wazir solo and solo" if both else "wazir solo",
            winners=winners,
            rule="AA-K-8" if both or len(rich) > 1 else ("AA-K-7" if work.ended.rule == "AA-K-7" else "AA-K-5"),
        )


def _richest_wazirs(position: Position, centres: int) -> tuple[SeatId, ...]:
    """The richest of the wazirs who have enough dinars to win; several if they tie (AA-K-5, AA-K-8)."""
    need = 3 * centres + (1 if position.settings.wazir_solo is WazirSolo.MORE_THAN_3 else 0)
    enough = {
        wazir: dinars
        for wazir, dinars in position.purses.items()
        if dinars >= need and wazir in living_wazirs(position)
    }
    most = max(enough.values(), default=0)
    return tuple(wazir for wazir in living_wazirs(position) if enough.get(wazir) == most and wazir in enough)
