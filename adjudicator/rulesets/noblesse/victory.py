"""Victory after a Night or a Day, and how a game ends (NB-V)."""

from __future__ import annotations

from adjudicator.core.contract.resolution import Ending
from adjudicator.rulesets.noblesse.events import EVERYBODY, Victory
from adjudicator.rulesets.noblesse.work import Work


def win(work: Work) -> None:
    """End the game if anybody has won. All factions that meet a condition at the same check win together (NB-V-10)."""
    won: dict[str, str] = {}
    held = [work.faction_at(estate) for estate in work.scenario.prizes]
    alive = [faction for faction in work.factions if work.living(faction)]
    for faction in alive:
        mine = held.count(faction)
        allied = [other for other in alive if other != faction and work.relation(faction, other) == "allied"]
        theirs = max((held.count(other) for other in allied), default=0)
        if mine == 4 or (mine == 3 and theirs == 1):
            won[faction] = "military"
        elif mine == 2 and theirs == 2:
            won[faction] = "alliance"
        elif _noble_count(work, faction) >= work.start.settings.nobles:
            won[faction] = "dynastic"
        elif supreme(work, faction):
            won[faction] = "supremacy"
    finish(work, won)


def _noble_count(work: Work, faction: str) -> int:
    """Number of a faction's Nobles and of the hostages that it holds, which count as Nobles only for victory (NB-P-11, P-15)."""
    hostages = sum(
        player.heir is not None
        and player.heir.hostage is not None
        and work.players[player.heir.hostage].faction == faction
        for player in work.players.values()
    )
    return len(work.factions[faction].nobles) + hostages


def supreme(work: Work, faction: str) -> bool:
    """True if a faction has more living players and Heirs than all others together (NB-V-5 to V-7)."""
    mine = others = 0
    for player in work.players.values():
        if not player.alive:
            continue
        mine += player.faction == faction
        others += player.faction != faction
        heir = player.heir
        if heir is not None:
            sides = {player.faction, heir.other}
            if heir.hostage is not None:
                sides = {work.players[heir.hostage].faction}
            mine += faction in sides
            others += faction not in sides
    return mine > others


def finish(work: Work, won: dict[str, str]) -> None:
    """End the game if anybody won; `won` is faction -> kind of victory."""
    if not won:
        return
    for faction, how in won.items():
        work.tell(Victory(heard=EVERYBODY, faction=faction, how=how))  # type: ignore[arg-type]  # one of four
    winners = tuple(seat for seat in sorted(work.players) if work.players[seat].faction in won)
    hows = sorted(set(won.values()))
    rule = {"military": "NB-V-1", "alliance": "NB-V-2", "dynastic": "NB-V-3", "supremacy": "NB-V-5"}[hows[0]]
    when = f"{work.start.phase.value.capitalize()} {work.cycle}"
    work.ended = Ending(how=" and ".join(hows), winners=winners, when=when, rule=rule)
