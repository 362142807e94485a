"""Lessons: a first turn of a game at the order desk, where nothing is sent and everything is judged in advance.

A lesson is a data file beside its ruleset, `lessons/NAME.yaml`. It names a position (of a worked example, or an opening with
some turns played after it), a seat, and steps with the answers that each accepts. The file never holds the outcome of its orders:
the ruleset judges them while the site is built, so a lesson shows exactly what a game would show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.forms import WORDS, Field, form_for, offered
from adjudicator.core.contract.resolution import Resolution, Verdict
from adjudicator.core.contract.ruleset import Ruleset, as_shipped, find, slugs
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.game.game import seat_file
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode, record
from adjudicator.core.text.problems import Problem, Problems, nearest
from adjudicator.core.text.yamltext import Place, Text, read
from adjudicator.core.turn.aside import Aside, asides_for
from adjudicator.core.turn.desk import beside_at, desk_alone, key_of_bids, seat_part
from adjudicator.core.turn.desk_data import DeskFile, SeatPart
from adjudicator.site.desk_data import LessonEnd, LessonEntry, LessonFile, LessonStep, VerdictTold
from adjudicator.site.rulebook import anchor, rulebook_of

FOLDER = "lessons"
SCHEMA = 1
Sheet = Mapping[str, Any]
"""A sheet or a part of it: key -> value. In an answer, null marks a key that is left empty."""


@record
class Beginning:
    """The beginning of a lesson: a worked example, or the opening and some turns after it."""

    example: str | None = None
    """A case of the rulebook, `FILE/ID`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """House rules of the opening."""
    played: tuple[Mapping[str, Sheet], ...] = ()
    """The turns since then, each with its sheets by seat."""


@record
class Foreseen:
    """An answer that a step does not accept, and the reply to it."""

    answer: Sheet
    says: str


@record
class Step:
    """One task."""

    task: str
    accepts: tuple[Sheet, ...]
    """Right answers: the entries that the sheet must have, whatever else it has. Any one of them is enough."""
    right: str
    """The reply to a right answer."""
    hint: str
    wrong: tuple[Foreseen, ...] = ()


@record
class Lesson:
    """A lesson's file."""

    title: str
    before: str
    """Knowledge that the lesson assumes; an empty line separates paragraphs."""
    begins: Beginning = field(default_factory=Beginning)
    phase: str
    """Display name of the turn, given so that readers of the file see where the lesson begins."""
    seat: str
    offers: tuple[str, ...] = ()
    """The beginnings of the orders to list, if there are too many to list all of them."""
    steps: tuple[Step, ...]
    ends: tuple[Sheet, ...]
    """The whole sheets that the steps lead to; each is judged."""
    others: Mapping[str, Sheet] = field(default_factory=dict)
    """The orders of the other seats."""
    after: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A lesson that has been read from its file, with its ruleset and its position."""

    name: str
    """`RULESET/NAME`."""
    text: Text
    lesson: Lesson
    rules: Ruleset[Any, Any, Any]
    position: Any
    seats: tuple[str, ...]

    @property
    def view(self) -> Any:
        """The position as the learner may see it."""
        return self.rules.view(self.position, self.lesson.seat)

    @property
    def beside(self) -> Beside | None:
        """The orders that seats give in this turn besides those to their units."""
        return beside_at(self.rules, self.view)

    @property
    def bids(self) -> str | None:
        """The key of the field of bids, if there is one."""
        return key_of_bids(self.beside)

    def judge(self, end: Sheet) -> Resolution[Any, Any]:
        """The outcome of the learner's sheet together with the others', as far as the learner hears of it."""
        said = {**self.lesson.others, self.lesson.seat: filled(end)}
        sheets = {seat: self.sheet(seat, Text(self.text.path, dict(sheet), {})) for seat, sheet in said.items()}
        done = self.rules.rules.resolve(self.position, sheets, dice_of(self.name, len(self.lesson.begins.played)))
        hear = self.rules.heard
        return replace(done, verdicts=hear(done.verdicts, self.lesson.seat), events=hear(done.events, self.lesson.seat))

    def sheet(self, seat: str, text: Text) -> Any:
        """A seat's sheet, or a part of it, as an object. Raises `Problems`."""
        return self.rules.read_sheet(self.position, seat, text)


def dice_of(name: str, turn: int) -> NamedDice:
    """A lesson's dice; their key is not secret."""
    return NamedDice(f"lesson {name} {turn}".encode())


# Reading ----------------------------------------------------------------------------------------------------------


def lesson_paths(rules: Ruleset[Any, Any, Any]) -> list[Path]:
    """The files of a ruleset's lessons, by name."""
    return Own(rules.folder).paths(rules.folder / FOLDER, "*.yaml")


def load_lessons() -> list[Ready]:
    """Every lesson of every ruleset; raises `Problems` with all faults in all of them."""
    lessons: list[Ready] = []
    faults: list[Problem] = []
    for slug in slugs():
        rules = find(slug)
        for path in lesson_paths(rules):
            try:
                lessons.append(load_lesson(rules, path.stem, read_own(path)))
            except Problems as error:
                faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return lessons


def load_lesson(rules: Ruleset[Any, Any, Any], stem: str, source: bytes) -> Ready:
    """A lesson, read and checked; raises `Problems` with all its faults."""
    text = read(source, f"{rules.about.slug}/{FOLDER}/{stem}.yaml")
    lesson = decode(Lesson, text)
    name = f"{rules.about.slug}/{stem}"
    seats, position = _begin(rules, lesson, name, text)
    ready = Ready(name, text, lesson, rules, position, seats)
    faults = list(_faults(ready))
    if faults:
        raise Problems(faults)
    return ready


def _begin(rules: Ruleset[Any, Any, Any], lesson: Lesson, name: str, text: Text) -> tuple[tuple[str, ...], Any]:
    """The seats and the position of a lesson."""
    begins = lesson.begins
    if begins.example is not None:
        positions = {example.id: example.position for example in rules.examples()}
        if begins.example not in positions:
            right = nearest(begins.example, positions) or "name a case as `file/id`"
            raise Problems([text.problem(("begins", "example"), f"no case is called {begins.example!r}", right)])
        position = positions[begins.example]
    else:
        settings = decode(rules.types.settings, text.under("begins", "settings"))
        if rules.host_files is not None:
            settings = rules.host_files.furnish(settings, lambda file: (b"", file), as_shipped)
        position = rules.rules.setup(settings, dice_of(name, 0))
    seats = rules.rules.seats(position.settings)
    for turn, sheets in enumerate(begins.played):
        place: Place = ("begins", "played", turn)
        faults = [text.problem((*place, seat), *_no_seat(seat, seats)) for seat in sheets if seat not in seats]
        if faults:
            raise Problems(faults)
        given = {seat: rules.read_sheet(position, seat, text.under(*place, seat)) for seat in sheets}
        faults = [
            text.problem((*place, seat, *remark.place), remark.what, remark.right, offset=remark.offset)
            for seat, sheet in given.items()
            for remark in rules.rules.check(rules.view(position, seat), seat, sheet)
            if remark.level == "error"
        ]
        if faults:
            raise Problems(faults)
        position = rules.rules.resolve(position, given, dice_of(name, turn)).position
    return seats, position


def _no_seat(seat: str, seats: Iterable[str]) -> tuple[str, str]:
    """The fault for an unknown seat, and how to mend it."""
    return f"no seat is called {seat!r}", nearest(seat, seats) or f"seats: {', '.join(seats)}"


def _faults(ready: Ready) -> Iterator[Problem]:
    """The faults in a lesson at its position."""
    lesson, text = ready.lesson, ready.text
    phase = ready.rules.when(ready.position)
    if lesson.phase != phase:
        yield text.problem(("phase",), f"the turn is called {phase!r}", "write that")
    for seat in lesson.others:
        if seat not in ready.seats:
            yield text.problem(("others", seat), *_no_seat(seat, ready.seats))
        elif seat == lesson.seat:
            yield text.problem(("others", seat), "this is the learner’s own seat", "its orders come from the steps")
        else:
            yield from _sheet_faults(ready, seat, text.under("others", seat))
    if lesson.seat not in ready.seats:
        yield text.problem(("seat",), *_no_seat(lesson.seat, ready.seats))
        return
    for key, entries in (("steps", lesson.steps), ("ends", lesson.ends)):
        if not entries:
            yield text.problem((key,), f"there are no {key}", "a lesson needs at least one")
    legal = offered(ready.rules.rules.options(ready.view, lesson.seat)).texts
    for at, step in enumerate(lesson.steps):
        yield from _step_faults(ready, step, ("steps", at), legal)
    for at, end in enumerate(lesson.ends):
        yield from _end_faults(ready, end, ("ends", at), legal)


def _step_faults(ready: Ready, step: Step, place: Place, legal: Mapping[str, list[str]]) -> Iterator[Problem]:
    """The faults in a step's answers."""
    if not step.accepts:
        yield ready.text.problem(place, "no answer is right", "name one under `accepts:`")
    for at, answer in enumerate(step.accepts):
        yield from _answer_faults(ready, answer, (*place, "accepts", at), legal)
    for at, foreseen in enumerate(step.wrong):
        yield from _answer_faults(ready, foreseen.answer, (*place, "wrong", at, "answer"), legal)
        if any(is_said(foreseen.answer, answer) for answer in step.accepts):
            yield ready.text.problem(
                (*place, "wrong", at), "this is a right answer too", "remove it from `accepts` or from `wrong`"
            )


def _end_faults(ready: Ready, end: Sheet, place: Place, legal: Mapping[str, list[str]]) -> Iterator[Problem]:
    """The faults in a sheet that the steps should lead to."""
    steps = ready.lesson.steps
    yield from _answer_faults(ready, end, place, legal)
    asked = {line for step in steps for answer in step.accepts for _, line in _texts(answer)}
    for where, line in _texts(end):
        if line not in asked:
            yield ready.text.problem(
                (*place, *where), f"no step asks for {line!r}", "every order must come from a step"
            )
    if steps and not any(is_said(end, answer) for answer in steps[-1].accepts):
        yield ready.text.problem(place, "the last step does not lead here", "let it accept this sheet")


def _answer_faults(ready: Ready, answer: Sheet, place: Place, legal: Mapping[str, list[str]]) -> Iterator[Problem]:
    """The faults in an answer: unreadable parts, illegal lines, and lines that are not in canonical words.

    `legal` are the lines that the learner's seat is offered, by their key.
    """
    if not answer:
        yield ready.text.problem(place, "this answer says nothing", "name a key of the sheet")
    given = filled(answer)
    whole = ready.text.under(*place)
    text = Text(whole.path, given, whole.marks, whole.joined)
    faults = list(_sheet_faults(ready, ready.lesson.seat, text))
    yield from faults
    if faults:
        return
    rules, view = ready.rules, ready.view
    plans = rules.desk.plans(view) if rules.desk.plans is not None else None
    for where, line in _texts(given):
        lines = legal.get(str(where[0]), ())
        canonical = rules.desk.canonical(view, line) if rules.desk.canonical is not None else line
        if plans is not None:
            canonical = plans.canonical(str(where[0]), canonical)
        # A bid may be higher than the one coin that is listed, and of a plan only the first steps are listed.
        planned = plans is not None and where[0] in plans.lists
        listed = rules.secrecy is None and where[0] != ready.bids and not planned
        if line not in lines and (canonical != line or listed):
            right = f"write {canonical}" if canonical != line else nearest(line, lines)
            yield text.problem(where, f"{line!r} is not among the legal orders", right)


def _sheet_faults(ready: Ready, seat: str, text: Text) -> Iterator[Problem]:
    """The faults in a seat's sheet in a lesson."""
    try:
        sheet = ready.sheet(seat, text)
    except Problems as error:
        yield from error.problems
        return
    for remark in ready.rules.rules.check(ready.rules.view(ready.position, seat), seat, sheet):
        if remark.level == "error":
            yield text.problem(remark.place, remark.what, remark.right, offset=remark.offset)


def _texts(sheet: Sheet) -> Iterator[tuple[Place, str]]:
    """The orders and choices that are text in a sheet, each with its place."""
    for key, value in sheet.items():
        entries = (
            [((key, at), entry) for at, entry in enumerate(value)] if isinstance(value, list) else [((key,), value)]
        )
        yield from ((place, entry) for place, entry in entries if isinstance(entry, str))


def filled(answer: Sheet) -> dict[str, Any]:
    """An answer without its empty keys."""
    return {key: value for key, value in answer.items() if value is not None}


def is_said(sheet: Sheet, answer: Sheet) -> bool:
    """True if a sheet has the entries that an answer asks for. The desk's `answers.js` must agree with it."""
    for key, value in answer.items():
        said = sheet.get(key)
        if isinstance(value, list):
            if not isinstance(said, list) or not all(entry in said for entry in value):
                return False
        elif said != value:
            return False
    return True


# Files for the desk ---------------------------------------------------------------------------------------------------


def lesson_files(lessons: Iterable[Ready]) -> dict[str, str]:
    """Every file that lessons need on the site, by address."""
    files: dict[str, str] = {}
    entries: list[LessonEntry] = []
    for ready in lessons:
        folder = f"{FOLDER}/{ready.name}"
        scene = ready.rules.pictures.draw(ready.view, None).to_click()
        ends: list[LessonEnd] = []
        for at, end in enumerate(ready.lesson.ends):
            done = ready.judge(end)
            picture = f"{folder}.{at + 1}.svg"  # no lesson has a dot in its name
            files[picture] = ready.rules.pictures.picture(ready.view, done).svg
            ends.append(_end(ready, end, done, picture))
        names = sorted(set(scene.names.values()))
        data = _lesson(ready, names, ends)
        files[f"{folder}.json"] = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
        files[f"{folder}.svg"] = ready.rules.pictures.paint(scene)
        entries.append(
            {
                "lesson": ready.name,
                "title": ready.lesson.title,
                "ruleset": ready.rules.about.title,
                "seat": ready.lesson.seat,
            }
        )
    files[f"{FOLDER}/lessons.json"] = json.dumps(entries, ensure_ascii=False) + "\n"
    return files


def _lesson(ready: Ready, names: list[str], ends: list[LessonEnd]) -> LessonFile:
    """A lesson as the desk reads it."""
    lesson = ready.lesson
    steps: list[LessonStep] = [
        {
            "task": step.task,
            "accepts": [dict(answer) for answer in step.accepts],
            "right": step.right,
            "hint": step.hint,
            "wrong": [{"answer": dict(foreseen.answer), "says": foreseen.says} for foreseen in step.wrong],
        }
        for step in lesson.steps
    ]
    return {
        "schema": SCHEMA,
        "lesson": ready.name,
        "title": lesson.title,
        "book": f"rulesets/{ready.rules.about.slug}.html",
        "before": _paragraphs(lesson.before),
        "after": _paragraphs(lesson.after),
        "desk": _desk(ready, names),
        "aside": _aside(ready),
        "seat": seat_file(lesson.seat),
        "steps": steps,
        "ends": ends,
    }


def _aside(ready: Ready) -> Aside | None:
    """The data that the learner's dispatch would give the desk; None in a game without dispatches."""
    rules, lesson = ready.rules, ready.lesson
    if rules.secrecy is None:
        return None
    return asides_for(rules, ready.name, FOLDER, ready.position, {lesson.seat: ()})[lesson.seat].whole


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each on one line."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _desk(ready: Ready, names: list[str]) -> DeskFile:
    """The desk's data for the learner's turn: like a game's, but as the learner sees it, and with nowhere to send a sheet."""
    rules, lesson, view = ready.rules, ready.lesson, ready.view
    asked, options = _asked(ready, names)
    own: SeatPart = {**seat_part(rules, view, lesson.seat, options, told=True), "without": []}
    return desk_alone(
        rules, view, ready.seats, lesson.seat, own, asked, names,
        game=f"{FOLDER}/{ready.name}", turn=FOLDER, title=lesson.title, phase=lesson.phase,
    )  # fmt: skip


def _asked(ready: Ready, names: list[str]) -> tuple[list[Field], dict[str, list[str]]]:
    """The fields that the steps ask for, and the legal lines of each."""
    lesson, rules, view = ready.lesson, ready.rules, ready.view
    offers = offered(rules.rules.options(view, lesson.seat))
    kept = {
        key: [line for line in lines if not lesson.offers or line.startswith(lesson.offers)]
        for key, lines in offers.texts.items()
        if key != ready.bids
    }
    answers = [
        answer for step in lesson.steps for answer in (*step.accepts, *(foreseen.answer for foreseen in step.wrong))
    ]
    used = {key for answer in answers for key in answer}
    public = rules.view(ready.position, None)
    fields = form_for(rules, public, lesson.seat, offers, names, listed=True, without=WORDS)
    return [asked for asked in fields if asked["key"] in used], {key: lines for key, lines in kept.items() if lines}


def _end(ready: Ready, end: Sheet, done: Resolution[Any, Any], picture: str) -> LessonEnd:
    """The outcome of a sheet, in the ruleset's words."""
    told = ready.rules.told(ready.view, done.events)
    return {
        "sheet": filled(end),
        "picture": picture,
        "headline": told.headline or ready.rules.words.quiet,
        "more": list(told.rest),
        "plain": list(told.plain),
        "verdicts": [_told(ready, verdict) for verdict in done.verdicts if not verdict.idle],
    }


def _told(ready: Ready, verdict: Verdict) -> VerdictTold:
    """One order, its fate with the reason, and the address of its rule."""
    slug = ready.rules.about.slug
    return {
        "seat": verdict.seat,
        "order": verdict.order,
        "good": verdict.ok,
        "unused": verdict.unused,
        "why": ready.rules.words.tell(ready.view, verdict),
        "rule": verdict.rule,
        "address": f"rulesets/{rulebook_of(verdict.rule, slug)}.html#{anchor(verdict.rule)}" if verdict.rule else "",
    }
