"""Verify games: judge every archived turn again from its sheets and compare byte by byte.

This needs no secret: the keys of a judged turn are published in its `turn.yaml` (in a game with hidden information, when the game ends;
until then only holders of the master secret can verify its turns).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.game.archive import Archive, display, sentence
from adjudicator.core.game.draw import draw_faults, draw_text
from adjudicator.core.game.game import LETTERS_KEY, START, Game, GameKind, Maps
from adjudicator.core.game.installed import this_courtly
from adjudicator.core.game.schedule import OpenTurn, Wait, judge_or_wait
from adjudicator.core.jobs.edited import edited_settings
from adjudicator.core.jobs.engine import Engine, alone
from adjudicator.core.jobs.receipts import Receipts
from adjudicator.core.jobs.unopened import wrongly_unopened
from adjudicator.core.secrets import dice as luck
from adjudicator.core.secrets.masters import kid_of
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, Problems, contain_errors, nearest, with_path
from adjudicator.core.turn.data import Carried, SetupData, Turn, TurnData
from adjudicator.core.turn.files import all_news, ending_files, map_text, public_data, turn_text, with_digests
from adjudicator.core.turn.judge import (
    apply_rulings,
    as_open,
    carry_over,
    ending_of_record,
    open_first_turn,
    open_turn,
    owing,
    phase_of,
    resolve_turn,
    start_digest,
    turn_name,
)
from adjudicator.core.turn.keys import Keys, has_keys, keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text, rulings_of
from adjudicator.core.turn.maps import maps_of
from adjudicator.core.turn.places import look_alikes, places, unread
from adjudicator.core.turn.press import letter_files, letter_path, open_letters, published_key
from adjudicator.core.turn.sheets import changed_sheets, load_given, load_inputs

RESTORE = "restore the file from the history"
OTHERWISE = "judged by different code: `courtly upgrade` shows what comes out differently now"
NOT_LED_TO = "the position is not the one the turn before led to"


@dataclass(frozen=True, slots=True)
class Checked:
    """One verified game: the number of turns judged again, and every difference found."""

    game: str
    name: str
    """The name that the game was opened under; an archive's digest uses it."""
    turns: int
    as_played: int
    notes: tuple[Problem, ...]
    """Warnings about turns and games that are not verified; these are not faults."""
    sealed: int
    """Judged turns that cannot be verified yet, because their keys are published when the game ends."""
    problems: tuple[Problem, ...]
    digest: str
    """SHA-256 over all recomputed data, equal on every machine."""


def position_faults(archive: Archive, turn: Turn, whole: TurnData, before: Turn | None) -> list[Problem]:
    """Faults in the position of an open turn; `whole` is the turn with its sealed part, `before` the turn before it (None for the first)."""
    game = turn.game
    stands = game.data.as_played or {}
    if before is None:
        other = start_problem(archive, turn, whole, open_first_turn(game, turn.data).position)
        return [other] if other is not None and not {START, turn.name} & {*stands} else []
    if before.data.status == "open" or before.name in stands:
        return []
    was, given, keys = load_inputs(archive, before)
    if changed := changed_sheets(archive, before, given.digests):
        return changed
    done, resolution = resolve_turn(game, was, given, before.data.closed, keys, before.data.judged_by)
    where = f"{display(turn.folder, archive.root)}/turn.yaml"
    start = replace(whole, position=resolution.position, rulings=())
    again = apply_rulings(game, start, whole.rulings, ruling_text(archive, turn), _for_rulings(game, turn.data))
    if again.position == whole.position or encode(again.position) == encode(whole.position):
        return []
    elsewhere = judged_elsewhere(before.data.judged_by)
    if not elsewhere and turn_text(public_data(game, done, over=False)) != before.source:
        elsewhere = OTHERWISE  # by older code of the same version
    right = (
        RESTORE
        if before.data.judged_by is not None
        else f"{RESTORE}; or, after an update of courtly, see `courtly upgrade`"
    )
    return [Problem(where, 0, 0, NOT_LED_TO, f"the turn before was {elsewhere}" if elsewhere else right)]


def start_problem(archive: Archive, turn: Turn, whole: TurnData, today: Any) -> Problem | None:
    """The problem with a game's first position if it differs from `today`, the one that this version sets up; None if it is equal.

    It is a warning if nobody changed the position: the game began under another version of courtly, with a different setup, and goes on as
    it began.
    """
    game, said = turn.game, turn.data.start
    start = replace(whole, position=today, rulings=())
    again = apply_rulings(game, start, whole.rulings, ruling_text(archive, turn), _for_rulings(game, turn.data))
    if again.position == whole.position or encode(again.position) == encode(whole.position):
        return None
    path = f"{display(turn.folder, archive.root)}/turn.yaml"
    if game.begins is not None:
        what = f"the position in {game.data.begins} is not the one that the game began with in {turn.name}"
        return Problem(f"{game.home}/{game.data.begins}", 0, 0, what, RESTORE)
    stand = f"`courtly upgrade {game.slug} --reason ...` keeps the position"
    if said is None:
        what = "this version of courtly would begin the game with a different position"
        right = f"if the game began under another version of courtly, {stand}; if not, {RESTORE}"
        return Problem(path, 0, 0, what, right)
    moved = any(ruling.correct or ruling.hidden or ruling.decide is not None for ruling in whole.rulings)

    setup = turn.data.setup
    forged = setup is not None and setup.secret is not None and not _is_committed(setup)

    def is_start(position: Any) -> bool:
        return start_digest(game, position, setup, lambda: keys_for(game, turn.name, turn.data)) == said.digest

    if forged or is_start(today) or not (moved or is_start(whole.position)):
        return Problem(path, 0, 0, "the position is not the one that the game began with", RESTORE)
    what = "the game began under another version of courtly; this one would begin it with a different position"
    return Problem(path, 0, 0, what, f"it goes on as it began; {stand} for `courtly verify`, too", "warning")


def _is_committed(setup: SetupData) -> bool:
    """True if the published secret of a setup matches its commitment."""
    with contextlib.suppress(ValueError):
        return luck.commitment(bytes.fromhex(setup.secret or "")) == setup.commitment
    return False


def _for_rulings(game: Game, data: TurnData) -> Keys | None:
    """A turn's keys if one of its rulings is sealed, for reading that ruling; otherwise None."""
    return keys_for(game, data.turn, data) if any(ruling.hidden for ruling in data.rulings) else None


def verify_game(archive: Archive, slug: str) -> Checked:
    """Judge every archived turn of a game again from its sheets and compare the bytes."""
    where = archive.place(slug)
    audit = Audit(archive, slug)
    try:
        with with_path(where):
            game = load_game(archive, slug)
            with contain_errors(where, quiet=game.ruleset.secrecy is not None and not archive.has_ended(slug)):
                audit.maps = maps_of(archive)
                if game.data.kind is GameKind.RECORD:
                    audit.record(game)
                elif edited := edited_settings(archive, game):
                    audit.faults.extend(edited)  # under other house rules every turn would differ
                else:
                    audit.all_turns(game)
    except Problems as error:
        audit.faults.extend(error.problems)
    except OSError as error:
        audit.faults.extend(sentence(error, archive.root).problems)
    problems = tuple(sorted(set(audit.faults)))
    notes = tuple(sorted(set(audit.notes)))
    return Checked(
        slug, archive.name_of(slug), audit.judged, audit.stands, notes, audit.sealed, problems, audit.total.hexdigest()
    )


def differing(archive: Archive, slug: str) -> tuple[dict[str, Problem], tuple[str, ...], int]:
    """Turns that today's rules judge differently, each with the first difference; turns drawn differently; the number of sealed turns.

    A turn that is judged differently counts as kept, so that the turns after it are judged from the position that was played. Raises
    `Problems`.
    """
    with with_path(archive.place(slug)):
        game = load_game(archive, slug)
        if game.data.kind is GameKind.RECORD:
            return {}, (), 0
        audit = Audit(archive, slug, standing={})
        audit.maps = maps_of(archive)
        audit.all_turns(game)
    assert audit.standing is not None
    return audit.standing, tuple(audit.drawn), audit.sealed


class Audit:
    """One game that is being verified."""

    def __init__(self, archive: Archive, slug: str, standing: dict[str, Problem] | None = None) -> None:
        self.standing = standing
        """Turn -> its first difference, for turns that are judged differently and kept as played; None if a difference is a fault."""
        self.drawn: list[str] = []
        self.archive = archive
        self.slug = slug
        self.maps = Maps.ALL
        self.faults: list[Problem] = []
        self.notes: list[Problem] = []
        self.total = hashlib.sha256()
        self.judged = self.stands = self.sealed = 0
        self.put_back: dict[str, str | None] = {}
        """Turn that was read -> the reason for putting back the attempt before it."""
        self.position: Any = None
        """The position that the turn before led to."""
        self.carried = Carried()
        self.last: TurnData | None = None
        self.before: TurnData | None = None
        """The turn before, with its sealed part; None for the first turn, and after one that could not be opened."""
        self.resolution: Resolution[Any, Any] | None = None
        """Resolution of the last turn; None if it is open or could not be verified."""

    def fault(self, path: str, what: str, right: str = "") -> None:
        """Record a fault."""
        self.faults.append(Problem(path, 0, 0, what, right))

    def note(self, path: str, what: str) -> None:
        """Record a warning that is not a fault."""
        self.notes.append(Problem(path, 0, 0, what, "", "warning"))

    def all_turns(self, game: Game) -> None:
        """Verify a game from its first turn to its last, and the files around them."""
        over = self.archive.has_ended(game.slug)
        names = self.archive.turns(game.slug)
        self.strays(game, names)
        self.faults.extend(draw_faults(self.archive, game, begun=bool(names)))
        if game.drawn is not None:
            self.total.update(draw_text(game.drawn))
        for key, named in (("as_played", game.data.as_played), ("rejudged", game.data.rejudged)):
            known = {*names, *(path.name for _, path in self.archive.undone(game.slug)), START}
            for name in sorted(set(named or {}) - (known if key == "as_played" else known - {START})):
                right = nearest(name, names) or f"turns: {', '.join(names[:5])}"
                self.faults.append(game.text.problem((key, name), f"the game has no turn {name!r:.60}", right))
        for number, name in enumerate(names, 1):
            turn = load_turn(self.archive, game, name)
            self.put_back[name] = turn.data.put_back
            shown_at = display(turn.folder, self.archive.root)
            if self.last is not None and self.resolution is None and self.last.status == "open":
                self.fault(shown_at, "this turn comes after an open one", "remove it")
                break
            if self.resolution is not None and self.resolution.ended is not None:
                self.fault(shown_at, "this turn comes after the game's end", "remove it")
                break
            self.published(game, turn.data, f"{shown_at}/turn.yaml")
            seals = [data.seal.lengths for data in (self.last, turn.data) if data is not None and data.seal is not None]
            if len({*seals}) > 1:
                what = "the lengths of the sealed files are not those of the turn before"
                self.fault(f"{shown_at}/turn.yaml", what, RESTORE)
            if game.ruleset.secrecy is not None and not has_keys(game, turn.data):
                if over:
                    self.fault(
                        f"{shown_at}/turn.yaml",
                        "the game is over, but this turn's key is not published",
                        "run `courtly reveal`",
                    )
                self.sealed += turn.data.status == "resolved"
                self.without_keys(game, turn, number)
                self.last, self.before, self.resolution, self.position = turn.data, None, None, None
                continue
            self.one_turn(game, turn, number, over=over)
            if turn.data.status == "resolved":
                self.faults.extend(wrongly_unopened(self.archive, turn, keys_for(game, name, turn.data)))
        self.ending(game)
        self.letters(game, over=over)
        self.undone(game)

    def early(self, asked: OpenTurn, archived: TurnData, path: str) -> None:
        """Note a turn that was closed before its deadline while a sheet was missing: by `run --now`, or by a run given a wrong time (RT-6).

        The grace and the choice for missing sheets are not considered, because the host may change them later.
        """
        waits = judge_or_wait(asked, archived.closed)
        if isinstance(waits, Wait) and waits.why == "deadline" and archived.closed is not None:
            until = f" until {waits.until}" if waits.until is not None else ""
            what = f"this turn was closed at {archived.closed}, although it had to wait{until}"
            self.note(path, f"{what}, and {', '.join(waits.seats)} had not finished")

    def published(self, game: Game, data: TurnData, path: str) -> None:
        """Check that a turn shows none of its secrets before it is judged and its key is published: only some of them prove nothing."""
        setup, seal = data.setup, data.seal
        parts = {
            "dice: secret": data.dice.secret,
            "dice: digest": data.dice.digest if data.status == "open" else None,
            "seal: identity": seal.identity if seal is not None else None,
            "seal: ahead_identity": seal.ahead_identity if seal is not None else None,
            "setup: secret": setup.secret if setup is not None and game.ruleset.secrecy is not None else None,
        }
        shown = [name for name, value in parts.items() if value]
        # For a game that is over, an unpublished key is reported elsewhere.
        running = not self.archive.has_ended(game.slug) and not has_keys(game, data)
        early = game.data.sealed and (data.status == "open" or running)
        if early and shown:
            self.fault(path, f"this turn has published no key, but shows {', '.join(shown)}", RESTORE)
        elif data.status == "open" and (data.dice.secret or data.dice.digest):
            self.fault(path, "an open turn shows its dice", RESTORE)

    def without_keys(self, game: Game, turn: Turn, number: int) -> None:
        """Check what follows from a sealed turn's public part: its names, its attempt, the seats that owe sheets, its map."""
        data, where = turn.data, display(turn.folder, self.archive.root)
        path = f"{where}/turn.yaml"
        if data.phase != (phase := phase_of(game, data.position)):
            self.fault(path, f"the turn is called {data.phase!r:.60}, but its position is that of {phase!r}", RESTORE)
        if turn.name != (right := turn_name(number, phase)):
            self.fault(where, "the folder's name does not match its phase", f"rename it to {right}")
        if (data.attempt or 1) != (begun := self.archive.attempts(game.slug, turn.name) + 1):
            what = f"this is attempt {data.attempt or 1}, but going by undone/ it should be attempt {begun}"
            self.fault(path, what, RESTORE)
        waited = owing(game, data.position, data.absent) if data.status == "open" else ()
        if data.owing != waited:
            what = f"the turn is waiting for {', '.join(data.owing) or 'nobody'}"
            self.fault(path, f"{what}, but should be waiting for {', '.join(waited) or 'nobody'}", RESTORE)
        self.map_of(turn, data)

    def strays(self, game: Game, names: list[str]) -> None:
        """Report files in a game's folders that nothing reads (RT-12), and names that some machines confuse with those of other files (RT-14)."""
        folder = self.archive.game_folder(game.slug)
        around = (folder.parent, self.archive.files.listed(folder.parent), {folder.name})
        for where, there, known in (around, *places(self.archive, game, names)):
            self.faults.extend(look_alikes(self.archive, where, there, known))
            if where != folder.parent:
                self.notes.extend(unread(self.archive, where, there, known, "remove it, or move it out of games/"))

    def record(self, game: Game) -> None:
        """Check a record, which is not judged: its files must be readable, and its maps must be drawn from them."""
        self.note(game.home, "this is a record: nothing in it is judged")
        names = self.archive.turns(game.slug)
        self.strays(game, names)
        for name in names:
            turn = load_turn(self.archive, game, name)
            self.total.update(unsigned(turn.source))
            self.map_of(turn, turn.data)

    def one_turn(self, game: Game, turn: Turn, number: int, *, over: bool) -> None:
        """Verify a turn from the results of the turn before it, and record its results for the next."""
        archive, where = self.archive, display(turn.folder, self.archive.root)
        whole = load_all(archive, turn)
        kept: Mapping[str, object] = {**(game.data.as_played or {}), **(self.standing or {})}
        as_played = turn.name in kept
        before = self.last.turn if self.last is not None else None
        moved = False
        """True if the position is taken from the archive, with the effects of rulings already in it."""
        if number == 1:
            start = open_first_turn(game, turn.data)
            self.position = start.position
            if (other := start_problem(archive, turn, whole, start.position)) is not None:
                moved = self.begun_otherwise(turn, whole, other, kept)
            if game.data.setup and start.setup and start.setup.commitment != game.data.setup:
                self.fault(
                    f"{where}/turn.yaml", "the setup was not rolled with the secret that game.yaml commits to", ""
                )
        elif self.position is None:
            self.position = whole.position  # the turn before could not be verified
        archived = turn.data
        if self.last is not None and archived.closed and self.last.closed and archived.closed < self.last.closed:
            what = f"this turn was closed at {archived.closed}, but the turn before it was closed later, at {self.last.closed}"
            self.note(f"{where}/turn.yaml", what)
        if before is not None and before in kept:
            self.position, moved = whole.position, True  # the game went on from the position that was played
        start = open_turn(
            game, number, self.position, None, self.carried if number > 1 else Carried(setup=whole.setup), archived
        )
        if number == 1:
            start = replace(start, setup=whole.setup if moved else open_first_turn(game, archived).setup)
        if turn.name != start.turn:
            self.fault(where, "the folder's name does not match its phase", f"rename it to {start.turn}")
        if (archived.attempt or 1) != (begun := archive.attempts(game.slug, turn.name) + 1):
            what = f"this is attempt {archived.attempt or 1}, but going by undone/ it should be attempt {begun}"
            self.fault(f"{where}/turn.yaml", what, RESTORE)
        start = apply_rulings(
            game,
            start,
            archived.rulings,
            ruling_text(archive, turn),
            _for_rulings(game, archived),
            moved=moved,
        )
        start = replace(start, deadline=archived.deadline)
        start = self.with_news(game, start, archived, number)
        rulings = rulings_of(archive, turn)
        if rulings[: len(archived.rulings)] != archived.rulings:
            self.fault(f"{where}/ruling.yaml", "a ruling was changed or removed after it had been applied", RESTORE)
        elif archived.status != "open" and rulings != archived.rulings:
            self.fault(f"{where}/ruling.yaml", "a ruling was added after the turn was judged", RESTORE)
        if number > 1 and start.position != whole.position and encode(start.position) != encode(whole.position):
            elsewhere = judged_elsewhere(self.last.judged_by) if self.last is not None else ""
            self.fault(f"{where}/turn.yaml", NOT_LED_TO, f"the turn before was {elsewhere}" if elsewhere else "")
            if self.standing is not None and self.last is not None and self.last.judged_by != this_courtly():
                # The turn before differs only in its results. It is kept, and the game continues from the position that was played.
                self.standing.setdefault(self.last.turn, self.faults[-1])
                start = replace(start, position=whole.position)
        if game.ruleset.kind(start.position) != game.ruleset.kind(whole.position):
            start = replace(start, position=whole.position)  # its sheets are only for this kind of turn
        if archived.status == "open":
            again, resolution = start, None
        else:
            keys = keys_for(game, turn.name, archived)
            given = load_given(archive, turn, whole, keys)
            self.faults.extend(changed_sheets(archive, turn, given.digests))
            self.early(as_open(game, start, given), archived, f"{where}/turn.yaml")
            again, resolution = resolve_turn(game, start, given, archived.closed, keys, archived.judged_by)
            self.carried = carry_over(game, again, given)
            if (
                self.standing is not None
                and not as_played
                and (other := self.otherwise(game, turn, again, whole)) is not None
            ):
                self.standing[turn.name] = other
                as_played, kept = True, {**kept, turn.name: other}
            self.judged += not as_played
        text = turn_text(public_data(game, again, over=over))
        if game.ruleset.secrecy is not None and not as_played:
            inside = replace(again, seal=replace(again.seal, identity=None)) if again.seal else again
            recorded = replace(whole, setup=again.setup if over else whole.setup)
            now, then = turn_text(inside), turn_text(recorded)
            if now != then:
                if over:
                    self.faults.append(difference(f"{where}/secret.age", then, now, archived.judged_by))
                else:  # reveal nothing while the game runs
                    right = judged_elsewhere(archived.judged_by) or (RESTORE if text == turn.source else OTHERWISE)
                    self.fault(f"{where}/secret.age", "judging the turn again gives a different sealed part", right)
            self.total.update(unsigned(now))
        if as_played:
            self.stands += 1
            self.note(where, f"this turn is kept as it was played, and is not verified: {kept[turn.name]}")
            text = turn.source
        self.total.update(unsigned(text))
        if text != turn.source:
            self.faults.append(difference(f"{where}/turn.yaml", turn.source, text, turn.data.judged_by))
        if not as_played:
            self.map_of(turn, again)
        self.last, self.resolution = (archived if as_played else again), resolution
        self.before = whole if as_played else again
        self.position = resolution.position if resolution is not None else None

    def begun_otherwise(self, turn: Turn, whole: TurnData, other: Problem, kept: Mapping[str, object]) -> bool:
        """Record that a game began with a position that it would not begin with today; returns true if it is judged from that position."""
        if turn.name in kept or START in kept:
            if turn.name not in kept:
                what = f"the game is kept as it was begun, and its start is not verified: {kept[START]}"
                self.note(other.path, what)
        elif other.right == RESTORE:
            self.faults.append(other)
            return False
        elif self.standing is not None:
            self.standing[START] = other
        else:
            self.faults.append(replace(other, level="error"))
        self.position = whole.position
        return True

    def map_of(self, turn: Turn, data: TurnData) -> None:
        """Check that drawing a turn's map again gives the same map. If the archive keeps only the latest maps, an earlier one may be missing."""
        path = turn.folder / "map.svg"
        if (
            self.maps is Maps.LATEST
            and turn.name != self.archive.turns(self.slug)[-1]
            and not self.archive.files.exists(path)
        ):
            return
        picture = map_text(turn.game, data)
        self.total.update(picture)
        if self.archive.read(path, own=True) != picture:
            self.drawn.append(turn.name)
            where = display(path, self.archive.root)
            self.fault(where, "drawing the map again gives a different one", "render it again")

    def undone(self, game: Game) -> None:
        """Check the turns that were put back: each must still follow from its position and sheets, and an `undo` ruling must explain it."""
        reasons, over = set(), self.archive.has_ended(game.slug)
        stands = {**(game.data.as_played or {}), **(self.standing or {})}
        for name, path in self.archive.undone(game.slug):
            turn, where = load_turn(self.archive, game, name, path), display(path, self.archive.root)
            reasons |= {ruling.reason for ruling in rulings_of(self.archive, turn) if ruling.undo}
            if path.name != (right := f"{name}.{turn.data.attempt or 1}"):
                what = f"this is attempt {turn.data.attempt or 1}, but the folder's name says otherwise"
                self.fault(where, what, f"rename it to {right}")
            self.published(game, turn.data, f"{where}/turn.yaml")
            if not has_keys(game, turn.data):
                if over and turn.data.status == "resolved":
                    what = "the game is over, but the key of this turn, which was put back, is not published"
                    self.fault(f"{where}/turn.yaml", what, "run `courtly reveal`")
                self.sealed += not over and turn.data.status == "resolved"
                continue
            if turn.data.status != "resolved" or path.name in stands:
                continue
            whole, given, keys = load_inputs(self.archive, turn)
            self.faults.extend(changed_sheets(self.archive, turn, given.digests))
            again, _ = resolve_turn(game, replace(whole, status="open"), given, whole.closed, keys, turn.data.judged_by)
            text = turn_text(public_data(game, again, over=over))
            self.total.update(unsigned(text))
            if text != turn.source and self.standing is not None:
                self.standing[path.name] = difference(f"{where}/turn.yaml", turn.source, text, turn.data.judged_by)
            elif text != turn.source:
                self.faults.append(difference(f"{where}/turn.yaml", turn.source, text, turn.data.judged_by))
        for name in self.archive.turns(game.slug):
            # After a turn that should not be there, the loop over the turns ends: those behind it were not read.
            said = self.put_back[name] if name in self.put_back else load_turn(self.archive, game, name).data.put_back
            if said is not None and said not in reasons:
                self.fault(
                    f"{game.home}/{name}/turn.yaml", "no ruling in undone/ gives the reason in `put_back`", RESTORE
                )

    def otherwise(self, game: Game, turn: Turn, again: TurnData, whole: TurnData) -> Problem | None:
        """The first difference between a turn as it was judged and as it is judged today; None if there is none."""
        path = f"{display(turn.folder, self.archive.root)}/turn.yaml"
        over = self.archive.has_ended(game.slug)
        if (text := turn_text(public_data(game, again, over=over))) != turn.source:
            return difference(path, turn.source, text, turn.data.judged_by)
        sealed = [turn_text(replace(version, seal=None, setup=None)) for version in (whole, again)]
        if game.ruleset.secrecy is not None and sealed[0] != sealed[1]:
            return (
                difference(path.replace("turn.yaml", "secret.age"), sealed[0], sealed[1], turn.data.judged_by)
                if over
                else Problem(path, 0, 0, "its hidden part differs")
            )
        return None

    def with_news(self, game: Game, start: TurnData, archived: TurnData, number: int) -> TurnData:
        """A turn with the digests of the dispatches that its seats should have received (FS-13)."""
        if game.ruleset.secrecy is None or (number > 1 and self.before is None):
            return replace(start, dispatches=archived.dispatches)
        return with_digests(start, all_news(game, start, self.before, keys_for(game, archived.turn, archived)))

    def letters(self, game: Game, *, over: bool) -> None:
        """Check that a game's letters open when it is over, and not before; those that do not open are noted."""
        where = f"{game.home}/{LETTERS_KEY}"
        try:
            self.faults.extend(letter_files(self.archive, game)[1])
            published = published_key(self.archive, game)
        except Problems as error:
            self.faults.extend(error.problems)
            return
        if game.data.letters is None:
            return
        if published is not None and not over:
            self.fault(where, "the game is not over, but the key of its letters is published", "restore the history")
        elif published is None and over:
            self.fault(where, "the game is over, but the key of its letters is not published", RESTORE)
        for one in open_letters(self.archive, game):
            if one.letter is None:
                self.note(letter_path(game, one.seat, one.number), f"this letter does not count: {one.fault}")

    def ending(self, game: Game) -> None:
        """Check a game's ending against its last turn and that turn's resolution."""
        archive, where, last = self.archive, game.home, self.last
        if last is None or last.status == "open" or self.resolution is None:
            if archive.has_ended(game.slug):
                self.fault(
                    f"{where}/ending.yaml",
                    "the game is marked as ended, but has an open turn",
                    "remove one of the two",
                )
            return
        if last.ended is None and not archive.has_ended(game.slug):
            return  # killed before the next turn opened; the next run opens it
        for name, right in ending_files(
            game, last.turn, last.ended or ending_of_record(last), self.resolution.position
        ).items():
            body = archive.read(archive.game_folder(game.slug) / name, own=True)
            if body != right:
                self.faults.append(difference(f"{where}/{name}", body, right))


JUDGED_BY = re.compile(rb"^judged_by: .*\n", re.MULTILINE)


def unsigned(text: bytes) -> bytes:
    """A turn's file as the digest of the verified data counts it: without the version of courtly that judged the turn."""
    return JUDGED_BY.sub(b"", text)


def judged_elsewhere(by: str | None) -> str:
    """A note that another version of courtly judged a turn, with a remedy; empty if it was this one, or if none is recorded."""
    mine = this_courtly()
    if by is None or by == mine:
        return ""
    return f"judged by courtly {by[:60]}; this is {mine}: `courtly upgrade` shows what comes out differently now"


def difference(path: str, old: bytes, new: bytes, by: str | None = None) -> Problem:
    """The first line that differs between two texts, as a problem; `by` is the version of courtly that judged their turn."""
    elsewhere = judged_elsewhere(by)
    also = f"; {elsewhere}" if elsewhere else ""
    lines_old, lines_new = old.decode(errors="replace").split("\n"), new.decode(errors="replace").split("\n")
    for number, (was, now) in enumerate(zip(lines_old, lines_new, strict=False), 1):
        if was != now:
            right = f"judged again, it is {now.strip()[:160]!r}{also}"
            return Problem(path, number, 0, f"{was.strip()[:160]!r} is archived", right)
    number = min(len(lines_old), len(lines_new))
    return Problem(path, number, 0, "judged again, this file comes out longer or shorter", elsewhere)


def verify_changed(archive: Archive, games: Iterable[str], run: Engine = alone) -> Iterator[tuple[Checked, bool]]:
    """Verify games in the given order, except those whose receipt says that they were right and have not changed since.

    Each result comes with true if the game was judged again. Sealed turns are verified only with the master secret, so a receipt counts
    only for holders of the same secrets.
    """
    masters = " ".join(map(kid_of, archive.masters.secrets)) if archive.masters is not None else ""
    receipts = Receipts(archive, "verify", masters)
    slugs = [*games]
    kept: dict[str, Checked] = {}
    for slug in slugs:
        with contextlib.suppress(TypeError, ValueError):  # a receipt in a foreign format
            kept[slug] = _from_receipt(slug, receipts.get(slug))
    judged = verify_all(archive, (slug for slug in slugs if slug not in kept), run)
    for slug in slugs:
        if slug in kept:
            yield kept[slug], False
            continue
        checked = next(judged)
        if not checked.problems:
            receipts.keep(slug, _receipt(checked))
        yield checked, True
    receipts.save()


def _receipt(checked: Checked) -> list[Any]:
    notes = [[note.path, note.what, note.right] for note in checked.notes]
    return [checked.name, checked.turns, checked.as_played, checked.sealed, checked.digest, notes]


def _from_receipt(slug: str, said: Any) -> Checked:
    name, turns, as_played, sealed, digest, notes = said
    told = tuple(Problem(path, 0, 0, what, right, "warning") for path, what, right in notes)
    return Checked(slug, name, turns, as_played, told, sealed, (), digest)


def verify_again(archive: Archive, games: Iterable[str], run: Engine = alone) -> Iterator[tuple[Checked, bool]]:
    """Like `verify_changed`, but verify every game, whatever its receipt says."""
    return ((checked, True) for checked in verify_all(archive, games, run))


def verify_all(archive: Archive, games: Iterable[str], run: Engine = alone) -> Iterator[Checked]:
    """Verify games on an engine, in the given order."""
    yield from run(functools.partial(verify_game, archive), games)
