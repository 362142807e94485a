"""Chances: acts at them, the ring in which they go round, and melees (HA-E-3 to E-11, HA-G, HA-H, HA-I; HA-W-16)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.chain import Chain, Ready, Stop
from adjudicator.rulesets.heir_apparent.effects import Playing
from adjudicator.rulesets.heir_apparent.index import title_of
from adjudicator.rulesets.heir_apparent.orders import Step
from adjudicator.rulesets.heir_apparent.plans import Plan, Progress, Reason
from adjudicator.rulesets.heir_apparent.position import Lot, Position, Underway, left_of
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE, Fight, Pending, Round
from adjudicator.rulesets.heir_apparent.titles import ActPhase
from adjudicator.rulesets.heir_apparent.variables import Part

MOST_ACTS = 500
"""Acts after which a ring, or a walk through `actions`, is stopped; no legal card set reaches it (HA-W-16, HR-88)."""
FREE = 2
"""Tokens that a Prince gives without turning (HA-I-6)."""
FREELY = "prince"
"""How a line with `enough` names the free 2."""
Do: TypeAlias = Callable[[int], Reason]
"""Carries an act out under its number; returns what became of it."""


class Turn(Chain):
    """A turn in which players act by their plans."""

    guarded = False
    """Whether a ring was stopped by its guard."""
    going_on: SeatId | None = None
    """Who stopped the run before, until they have had their chance: they cannot stop it there again (HA-W-21)."""
    running: Mapping[SeatId, Plan] = MappingProxyType({})
    """The plans of the ring that runs, with the lines that have been carried out."""

    # Chances ----------------------------------------------------------------------------------------------------------

    def chance(self, plan: Plan, phase: ActPhase) -> bool:
        """A player's chance: the first line that holds and can be done is done; False if they pass (HA-W-4)."""
        own = self.own[plan.seat]
        own.done = plan.done_names()
        for line, step in plan.steps:
            if line.number in plan.done and not step.again and step.kind != "enough":
                continue
            if not self.holds(plan.seat, line):
                continue
            if step.kind == "pass":
                line.end = "passed"
                break
            if step.kind == "ask":
                self._ask(plan, line)
                continue
            do = self.prepared(plan.seat, step, phase)
            if isinstance(do, str):
                line.fault = line.fault or do
                continue
            plan.done.add(line.number)
            own.done = None
            self._went_on(plan.seat)
            self._do(plan.seat, line, do)
            return True
        own.done = None
        self._went_on(plan.seat)
        return False

    def _went_on(self, seat: SeatId) -> None:
        if self.going_on == seat:
            self.going_on = None

    def _ask(self, plan: Plan, line: Progress) -> None:
        """Stops the run here, if its player has a token and nothing else is half done (HA-W-21)."""
        fight = self.table.fight
        if self.going_on == plan.seat:
            line.fault = line.fault or "stopped-here"
        elif not self.table.reopenings[plan.seat]:
            line.fault = line.fault or "no-token"
        elif self.table.pending or (fight is not None and not fight.last):
            line.fault = line.fault or "half-done"
        else:
            plan.done.add(line.number)
            line.end = "asked"
            raise Stop(plan.seat)

    def _do(self, seat: SeatId, line: Progress, do: Do) -> None:
        """Carries an act out, and notes the pools after it."""
        self.act += 1
        if (round_ := self.table.round) is not None:
            round_.passes = 0  # before anything answers the act (HA-E-5)
            round_.acts[seat] = round_.acts.get(seat, 0) + 1
        number, first = self.act, len(self.events)
        line.acts.append(number)
        line.end = do(number)
        for at in range(first, len(self.events)):
            fact = self.events[at]
            if isinstance(fact, facts.Act) and fact.act == number:
                self.events[at] = replace(fact, after=self.pools())
                break

    def ring(
        self,
        part: Literal["event", "melee"],
        first: SeatId,
        going: Callable[[], bool],
        underway: Underway | None = None,
    ) -> None:
        """Chances in turn until all pass in succession (HA-E-3 to E-9), or `going` says that it is over.

        A ring that was stopped goes on as it was: with its passes, and without the lines that were carried out (HA-W-22).
        """
        ring, round_ = self.start.ring, self.table.round
        assert round_ is not None, "it was opened"
        plans = self.running = {seat: self.plan(seat, part).afresh() for seat in ring}
        if underway is not None and underway.asked is not None:
            for seat, plan in plans.items():
                plan.done |= self.done_before(seat, part)
            self.going_on = underway.asked
        else:
            round_.passes = 0
        current, acts = first, 0
        while going() and round_.passes < len(ring):
            if acts >= MOST_ACTS:
                self.guarded = True
                break
            if self.chance(plans[current], part):
                acts += 1
            else:
                round_.passes += 1
            current = left_of(ring, current)

    def done_before(self, seat: SeatId, part: Part) -> set[int]:
        """The lines of a list that were carried out before the run was stopped; none of a list that was sent again (HA-W-22)."""
        filed = self.start.filed.get(seat)
        sheet = self.sheets.get(seat)
        if filed is None or (sheet is not None and getattr(sheet, part, None) is not None):
            return set()
        return {*(filed.fought if part == "melee" else filed.done)}

    # Acts -------------------------------------------------------------------------------------------------------------

    def prepared(self, seat: SeatId, step: Step, phase: ActPhase) -> Do | Reason:
        """An act of a line, ready to be carried out; else why it cannot be."""
        args = step.args
        match step.kind:
            case "join":
                return self._join(seat, args["character"], self.pool(seat, args["pool"]))
            case "enough":
                return self._enough(seat, args["helpers"].split(", "), self.pool(seat, args["pool"]))
            case "free":
                return self._free(seat, self.pool(seat, args["pool"]))
            case "play":
                found = self.aimed(step, lambda at: self.ready(seat, args["card"], at, phase))
                return found if isinstance(found, str) else lambda act: self.play(seat, found, act)
            case "use":
                name, called = args["character"], args.get("ability")
                ability = self.aimed(step, lambda at: self.ready_ability(seat, name, called, at, phase))
                return ability if isinstance(ability, str) else lambda act: self._use(seat, ability, act)
            case "draw with":
                return self._draw_with(seat, args["character"])
            case "unturn":
                return self._rise(seat)
            case "attack":
                return self._attack(seat, args["fighter"], args["character"])
            case "assist":
                return self._assist(seat, args["character"], "attack" if args["side"] == ATTACK else "defence")
            case _:
                raise AssertionError(step.kind)

    def meant(self, seat: SeatId, value: str, blank: str = "thing") -> str:
        """The id of whom or what a value names: `me` and the seats are their princes."""
        princes = {
            "me": self.table.princes[seat],
            **{one.casefold(): prince for one, prince in self.table.princes.items()},
        }
        return princes.get(value.strip().casefold()) or self.reader.named(value, blank)

    def pool(self, seat: SeatId, named: str) -> str:
        """The pool that is named: `me` is one's own."""
        return self.table.princes[seat] if named == "me" else named

    def unturned(self, seat: SeatId, name: str) -> Reason | None:
        """Why a player cannot turn a character; None if they can (HA-M-10, HA-M-11)."""
        one = self.table.people.get(name)
        if one is None:
            return "not-in-play"
        if one.by != seat:
            return "not-yours"
        return "turned" if one.turned else None

    def fed(self, seat: SeatId, pool: str) -> Reason | None:
        """Why a player cannot feed a pool; None if they can."""
        if pool not in self.table.pools:
            return "no-pool"
        return None if self.table.is_open(pool, seat) else "closed-pool"

    def _join(self, seat: SeatId, name: str, pool: str) -> Do | Reason:
        """Turns a character into the Event (HA-I-3 to I-5, HA-I-12)."""
        bar = self.unturned(seat, name) or self.fed(seat, pool)
        if bar is not None:
            return bar
        table = self.table
        assert table.event is not None
        if table.rating(name, table.event.skill) < 1:
            return "too-weak"
        if not table.may_join(name):
            return "barred"

        def do(act: int) -> Reason:
            tokens = table.strength(name)
            table.people[name].turned = True
            if name not in table.joined:
                table.joined.append(name)
            self.feed(pool, tokens, seat, name)
            self.tell(facts.Joined(act=act, seat=seat, character=name, pool=pool, tokens=tokens))
            self.react(Pending(trigger="joined", cause=seat, hits=(name,), victim=name))
            return "done"

        return do

    def _free(self, seat: SeatId, pool: str) -> Do | Reason:
        """The Prince's free 2, once an Event (HA-I-6, HA-J-7)."""
        if seat in self.table.free:
            return "gave-before"
        bar = self.fed(seat, pool)
        if bar is not None:
            return bar

        def do(act: int) -> Reason:
            self.table.free.add(seat)
            self.feed(pool, FREE, seat)
            self.tell(facts.Gave(act=act, seat=seat, pool=pool, tokens=FREE))
            return "done"

        return do

    def _enough(self, seat: SeatId, names: Sequence[str], pool: str) -> Do | Reason:
        """The least of those named that makes a pool win; the strongest, if it takes several and all can (HA-W-24)."""
        table = self.table
        bar = self.fed(seat, pool)
        if bar is not None:
            return bar
        if table.wins(pool):
            return "not-needed"
        able: list[tuple[int, Do]] = []
        for name in dict.fromkeys(names):
            free = name == FREELY
            do = self._free(seat, pool) if free else self._join(seat, name, pool)
            if not isinstance(do, str):
                able.append((FREE if free else table.strength(name), do))
        able.sort(key=lambda one: one[0])  # of as many tokens the one that is named first
        for tokens, do in able:
            if table.wins(pool, tokens):
                return do
        if not table.wins(pool, sum(tokens for tokens, _ in able)):
            return "not-enough"
        most = able[-1][0]
        return next(do for tokens, do in able if tokens == most)

    def _use(self, seat: SeatId, ready: Ready, act: int) -> Reason:
        """Turns a character for its ability; no reaction answers that (HA-P-6)."""
        playing = ready.playing
        self.pay(seat, ready)
        assert ready.ability is not None
        at = tuple(playing.names.values())
        self.tell(facts.Used(act=act, seat=seat, character=playing.of, ability=ready.ability, at=at))
        self.work_steps(playing)
        return "done"

    def _rise(self, seat: SeatId) -> Do | Reason:
        """Unturns all of the active player's characters before the Event, by house rule (HA-L-11)."""
        if self.start.settings.unturn == "after":
            return "house-rule"
        if self.risen:
            return "risen"

        def do(act: int) -> Reason:
            self.risen = True
            self.unturn(seat)
            return "done"

        return do

    def _draw_with(self, seat: SeatId, name: str) -> Do | Reason:
        """Turns a character, never the Prince, to draw an Action card (HA-G-2, HA-G-3)."""
        bar = self.unturned(seat, name)
        if bar is not None:
            return bar
        if self.table.people[name].prince:
            return "prince"

        def do(act: int) -> Reason:
            self.table.people[name].turned = True
            self.tell(facts.DrewWith(act=act, seat=seat, character=name))
            self.draw_actions(seat, 1, name)
            return "done"

        return do

    # Melees -----------------------------------------------------------------------------------------------------------

    def _attack(self, seat: SeatId, fighter: str, foe: str) -> Do | Reason:
        """Turns a Fighter to attack a character of another player (HA-G-4, HA-H-1 to H-4, HA-N-1)."""
        bar = self.unturned(seat, fighter)
        if bar is not None:
            return bar
        people = self.table.people
        if foe not in people:
            return "not-in-play"
        if people[fighter].prince or people[foe].prince:
            return "prince"
        if "Fighter" not in self.table.keywords(fighter):
            return "no-fighter"
        if people[foe].by == seat:
            return "own-side"

        def do(act: int) -> Reason:
            people[fighter].turned = True
            self._melee(fighter, foe, facts.Attacked(act=act, seat=seat, attacker=fighter, defender=foe))
            return "done"

        return do

    def melee(self, attacker: str, defender: str, playing: Playing) -> None:
        """A melee that a card starts; the attacker is turned (HA-G-4, HA-H-1)."""
        if self.table.fight is None:
            self.table.people[attacker].turned = True
            of, me = playing.of, playing.me
            declared = facts.Attacked(act=0, seat=me, attacker=attacker, defender=defender, of=of)
            self._melee(attacker, defender, declared, playing)

    def _melee(self, attacker: str, defender: str, declared: facts.Attacked, playing: Playing | None = None) -> None:
        """A melee from its declaration to its end, by a card if one started it (HA-H-5 to H-17; HA-G-4)."""
        table = self.table
        fight = table.fight = Fight(attacker, defender)
        if playing is not None:
            fight.card, fight.spell, fight.last = playing.of, playing.spell, playing.last
        table.round = Round()
        self.tell(declared)
        hits = (attacker, defender)
        self.react(
            Pending(trigger="melee_declared", cause=declared.seat, card=fight.card, spell=fight.spell, hits=hits)
        )
        first = table.people[defender].by if defender in table.people else declared.seat
        self._fight_out(fight, first)

    def fight_on(self, underway: Underway) -> None:
        """A melee that was stopped, from that chance to its end (HA-W-22)."""
        brawl = underway.brawl
        assert brawl is not None
        fight = Fight(brawl.attacker, brawl.defender, [*brawl.lots], brawl.card, brawl.spell)
        self.table.fight, self.table.round = fight, Round(dict(brawl.acts), underway.passes)
        self._fight_out(fight, underway.next, underway)

    def _fight_out(self, fight: Fight, first: SeatId, underway: Underway | None = None) -> None:
        """The chances of a melee, and how it ends (HA-H-6 to H-14)."""
        table, attacker, defender = self.table, fight.attacker, fight.defender

        def going() -> bool:
            return attacker in table.people and defender in table.people

        if going():
            self.ring("melee", first, going, underway)
        piles = table.pile(ATTACK), table.pile(DEFENCE)
        loser = (defender if piles[0] > piles[1] else attacker) if going() else None
        by: facts.Settling | None = None if loser is None else "tie" if piles[0] == piles[1] else "tokens"
        self.tell(
            facts.Fought(attacker=attacker, defender=defender, attack=piles[0], defence=piles[1], loser=loser, by=by)
        )
        if loser is not None:
            self.strike(loser, attacker if loser == defender else defender, card=fight.card, spell=fight.spell)
        assert table.fight is fight
        self.running = MappingProxyType({})
        table.fight, table.round = None, None  # no melee is fought in an Event (HA-H-17)

    def strike(self, loser: str, by: str, *, card: str | None, spell: bool) -> None:
        """Kills who lost a melee, unless that is shielded (HA-H-12, HA-P-7: the cause is the active player)."""
        pending = Pending(
            trigger="kill_pending", cause=self.table.active, card=card, spell=spell, hits=(loser,), victim=loser
        )
        self.react(pending)
        if not pending.stopped and loser in self.table.people:
            self.kill(loser, by)

    def _assist(self, seat: SeatId, name: str, side: Literal["attack", "defence"]) -> Do | Reason:
        """Turns a character to assist a side (HA-H-6 to H-10)."""
        table, fight = self.table, self.table.fight
        assert fight is not None
        bar = self.unturned(seat, name)
        if bar is not None:
            return bar
        if table.people[name].prince:
            return "prince"
        if name in (fight.attacker, fight.defender):
            return "principal"
        tokens = table.rating(name, "combat")
        if tokens < 1:
            return "no-combat"

        def do(act: int) -> Reason:
            table.people[name].turned = True
            fight.lots.append(Lot(pool=side, amount=tokens, seat=seat, source=name))
            self.tell(facts.Assisted(act=act, seat=seat, character=name, side=side, tokens=tokens))
            return "done"

        return do

    def can_act(self, seat: SeatId) -> bool:
        """Whether a player has any act left in the Event: a join, the free 2, an ability, a card that can be aimed (HR-4)."""
        open_pools = [pool for pool in self.table.pools if self.table.is_open(pool, seat)]
        if open_pools and seat not in self.table.free:
            return True
        mine = [name for name, one in self.table.people.items() if one.by == seat and not one.turned]
        if open_pools and any(self.table.may_join(name) for name in mine):
            return True
        return any(self._usable(seat, name) for name in sorted(mine)) or any(
            self._playable(seat, card) for card in sorted(self.hands[seat])
        )

    def _usable(self, seat: SeatId, name: str) -> bool:
        def by(ability: str) -> Callable[[tuple[str, ...]], Ready | Reason]:
            return lambda at: self.ready_ability(seat, name, ability, at, "event")

        mine = self.table.index.abilities(name)
        return any(self._aimable(seat, f"{name}/{ability.id}", by(ability.id)) for ability in mine)

    def _playable(self, seat: SeatId, card: str) -> bool:
        return self.bar_of(seat, card, "event") is None

    def bar_of(self, seat: SeatId, card: str, phase: ActPhase) -> Reason | None:
        """What bars a card of a player's hand, wherever it is aimed; None if it can be played at something."""
        return self._aimless(seat, title_of(card), lambda at: self.ready(seat, card, at, phase))

    def _aimable(self, seat: SeatId, asking: str, ready: Callable[[tuple[str, ...]], Ready | Reason]) -> bool:
        return self._aimless(seat, asking, ready) is None

    def _aimless(self, seat: SeatId, asking: str, ready: Callable[[tuple[str, ...]], Ready | Reason]) -> Reason | None:
        """Why no targets make it legal; None if some do."""
        choices = [self.table.values(ask.filter, seat) for ask in self.table.index.asks[asking]]
        why: Reason = "bad-target"
        for at in itertools.product(*choices):
            found = ready(at)
            if isinstance(found, Ready):
                return None
            why = found
        return why


def looked_at(view: Position) -> Turn:
    """A turn that nobody sent a sheet for, to ask what could be done in it."""
    return Turn(view, {}, NamedDice(b"nothing is rolled"))
