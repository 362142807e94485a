"""The host's rulings: `ruling.yaml` in a turn's folder, applied in order, kept in `turn.yaml` with their reasons.

A ruling that has been applied cannot be taken back or changed: it remains in force, and another can follow it. A ruling that is still
waiting for the next run can be taken back, so one that cannot be applied does not stop its game for good. Everybody can read the rulings,
and `courtly verify` applies them again.
"""

from __future__ import annotations

import base64
import contextlib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal, assert_never, get_args

from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.contract.words import join_words
from adjudicator.core.game.game import Game, Player
from adjudicator.core.game.schedule import read_time, write_time
from adjudicator.core.secrets.age import canonical_key, check_recipient, encrypt
from adjudicator.core.secrets.envelope import open_own, pack, stretch
from adjudicator.core.text.codec import Flag, Whole, decode, encode, record
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Place, Text, read, write


@record
class Void:
    """A sheet that does not count, or one order of it (as written on the sheet)."""

    seat: str
    order: str | None = None


@record
class Replacement:
    """The person who takes over a seat from here on."""

    seat: str
    player: str
    account: Whole | None = None
    key: str | None = None


@record
class End:
    """How the host ends the game: `draw`, `solo`, or a custom word, and who wins."""

    how: str
    winners: tuple[str, ...] = ()


@record
class Ask:
    """A question to all seats, which they answer with their sheets for the turn. The host decides what follows from it."""

    question: str
    answers: tuple[str, ...] = ("yes", "no")


@record
class Ruling:
    """One decision of the host: a reason, and exactly one of the other fields."""

    reason: str
    extend: str | None = None
    """The turn's new deadline, such as 2026-12-01T18:00Z."""
    pause: Flag | None = None
    """The game is paused until it is resumed."""
    resume: str | None = None
    """The game goes on; the turn's deadline is this time."""
    proceed: Flag | None = None
    """The turn no longer waits for missing sheets: it is judged at the next run, or at its deadline if that is still to come."""
    correct: Mapping[str, Any] | None = None
    """Parts of the position -> their new values: `units.Austria: [A Vienna, F Trieste]`."""
    hidden: str | None = None
    """A correction of hidden facts, or a decision about them, sealed to the turn's key; `courtly seal ruling.yaml` writes it."""
    void: Void | None = None
    replace: Replacement | None = None
    absent: str | None = None
    """A seat that goes into civil disorder: no turn waits for it until it sends a sheet or gets a new player."""
    ask: Ask | None = None
    decide: Mapping[str, Any] | None = None
    """A decision that the ruleset leaves to the host, in the ruleset's own words."""
    undo: Flag | None = None
    """The judged turn before this one is put back and played again; the sheets sent for both turns are kept (`courtly undo`)."""
    end: End | None = None

    @property
    def kind(self) -> Kind:
        """The kind of decision."""
        return next(name for name in KINDS if getattr(self, name) is not None)


Kind = Literal[
    "extend",
    "pause",
    "resume",
    "proceed",
    "correct",
    "hidden",
    "void",
    "replace",
    "absent",
    "ask",
    "decide",
    "undo",
    "end",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_ASKED, MOST_ANSWERS, MOST_ANSWERED = 280, 8, 40
"""Maximum number of letters of a question, of answers to it, and of letters of an answer."""
assert {field.name for field in fields(Ruling)} == {"reason", *KINDS}


@record
class RulingsData:
    """`ruling.yaml` as the host writes it."""

    rulings: tuple[Ruling, ...] = ()


def load_rulings(game: Game, text: Text) -> tuple[Ruling, ...]:
    """The rulings in a `ruling.yaml`; raises `Problems` with every fault that can be found without the position."""
    try:
        by_index = dict(enumerate(decode(RulingsData, text).rulings))
        faults: list[Problem] = []
    except Problems as error:
        by_index, faults = _entries(text), [*error.problems]
    faults.extend(fault for index, ruling in by_index.items() for fault in _ruling_faults(game, text, index, ruling))
    if faults:
        raise Problems(faults)
    return tuple(by_index.values())


def sound_rulings(game: Game, text: Text) -> dict[int, Ruling]:
    """The faultless rulings of a `ruling.yaml`, by their index in it."""
    return {
        index: ruling for index, ruling in _entries(text).items() if not any(_ruling_faults(game, text, index, ruling))
    }


def _entries(text: Text) -> dict[int, Ruling]:
    """The entries of a file that can each be read as a ruling, by their index in it."""
    whole = text.under("rulings").data
    rulings = {}
    for index in range(len(whole) if isinstance(whole, list) else 0):
        with contextlib.suppress(Problems):
            rulings[index] = decode(Ruling, text.under("rulings", index))
    return rulings


def _ruling_faults(game: Game, text: Text, index: int, ruling: Ruling) -> Iterator[Problem]:
    """All faults in one ruling that can be found without the position."""
    place: Place = ("rulings", index)
    chosen = [name for name in KINDS if getattr(ruling, name) is not None]
    empty = [name for name in chosen if getattr(ruling, name) in (False, {}) and name != "decide"]
    if len(chosen) != 1 or empty:
        yield text.problem(place, "a ruling must decide exactly one thing", "give one of: " + ", ".join(KINDS))
    if not ruling.reason.strip():
        yield text.problem((*place, "reason"), "the reason is empty", "say why")
    for name in ("extend", "resume"):
        if (time := getattr(ruling, name)) is not None:
            try:
                read_time(time)
            except Problems as error:
                yield from (text.problem((*place, name), p.what, p.right) for p in error.problems)
    named = [(name, getattr(ruling, name).seat) for name in ("void", "replace") if getattr(ruling, name)]
    named += [("absent", ruling.absent)] if ruling.absent is not None else []
    named += [("end", seat) for seat in (ruling.end.winners if ruling.end else ())]
    for name, seat in named:
        if seat not in game.seats:
            right = nearest(seat, game.seats) or "seats: " + ", ".join(game.seats)
            yield text.problem((*place, name), f"no seat is called {seat!r:.60}", right)
    if ruling.replace and ruling.replace.seat in game.seats:
        yield from _key_faults(game, text, (*place, "replace"), ruling.replace)
    if ruling.ask is not None:
        yield from _question_faults(text, (*place, "ask"), ruling.ask)
    if ruling.hidden is not None and game.ruleset.secrecy is None:
        what = f"nothing is hidden in {game.ruleset.about.title}"
        yield text.problem((*place, "hidden"), what, "use `correct`")
    if ruling.decide is not None:
        try:
            decision_of(game, ruling, text, index)
        except Problems as error:
            yield from error.problems


def _question_faults(text: Text, place: Place, ask: Ask) -> Iterator[Problem]:
    """The faults in a question: it is short, and has a few different answers."""
    if not 0 < len(ask.question.strip()) <= MOST_ASKED:
        yield text.problem((*place, "question"), "this is not a question", f"write 1 to {MOST_ASKED} letters")
    answers = {answer.strip().lower() for answer in ask.answers}
    if not 2 <= len(ask.answers) <= MOST_ANSWERS or len(answers) < len(ask.answers):
        yield text.problem(
            (*place, "answers"), "these are not answers to choose from", f"write 2 to {MOST_ANSWERS} different ones"
        )
    for index, answer in enumerate(ask.answers):
        if not 0 < len(answer.strip()) <= MOST_ANSWERED:
            yield text.problem(
                (*place, "answers", index), "this is not an answer", f"write 1 to {MOST_ANSWERED} letters"
            )


def question_of(rulings: Sequence[Ruling]) -> Ask | None:
    """The question that a turn's sheets answer: the last one asked in it; None if there is none."""
    return next((ruling.ask for ruling in reversed(rulings) if ruling.ask is not None), None)


def answer_to(ask: Ask | None, said: str | None) -> str | None:
    """The answer that a sheet gives, as the question spells it; None if it gives none of them."""
    given = (said or "").strip().lower()
    return (
        next((answer for answer in ask.answers if answer.strip().lower() == given), None) if ask is not None else None
    )


def _key_faults(game: Game, text: Text, place: Place, new: Replacement) -> Iterator[Problem]:
    """Faults in a new player's key: it is malformed, or another seat's, or missing although news is sealed."""
    if new.key is None:
        if game.ruleset.secrecy is not None:
            right = "add `key:` with an age key (age1...) or an SSH key"
            yield text.problem(place, f"{new.seat} needs a key that its private news can be sealed to", right)
        return
    if what := check_recipient(new.key):
        yield text.problem((*place, "key"), what, "use an age key (age1...) or an SSH key")
        return
    for seat, player in game.data.seats.items():
        if seat != new.seat and player.key is not None and canonical_key(player.key) == canonical_key(new.key):
            yield text.problem((*place, "key"), f"{seat} has the same key", "each seat needs its own key")


def decision_of(game: Game, ruling: Ruling, text: Text, index: int) -> Any:
    """Decode a ruling's decision as the ruleset's record; raises `Problems` if it is malformed or the ruleset has no decisions."""
    place: Place = ("rulings", index, "decide")
    decisions = game.ruleset.decisions
    if decisions is None:
        what = f"{game.ruleset.about.title} leaves no decision to the host"
        raise Problems([text.problem(place, what, "use another kind of ruling, such as `correct`")])
    return decode(decisions.kind, replace(text.under(*place), data=dict(ruling.decide or {})))


def read_possible_decision(game: Game, position: Any, ruling: Ruling, text: Text, index: int) -> Any:
    """Decode and check a ruling's decision; raises `Problems` with the publicly visible faults.

    Only the public view is used, because messages about a ruling appear in a workflow's public log.
    """
    decision = decision_of(game, ruling, text, index)
    decisions = game.ruleset.decisions
    assert decisions is not None
    place: Place = ("rulings", index, "decide")
    faults = [
        text.problem((*place, *remark.place), remark.what, remark.right)
        for remark in decisions.faults(game.ruleset.view(position, None), decision)
        if remark.level == "error"
    ]
    if faults:
        raise Problems(faults)
    return decision


def apply_decision(game: Game, position: Any, ruling: Ruling, text: Text, index: int) -> Any:
    """The position after a ruling's decision; raises `Problems` if the decision is impossible."""
    decision = read_possible_decision(game, position, ruling, text, index)
    assert game.ruleset.decisions is not None
    return _sound(
        game, game.ruleset.decisions.apply(position, decision, ruling.reason), text, ("rulings", index, "decide")
    )


def hides(game: Game, ruling: Ruling) -> bool:
    """True if a ruling openly decides something that the public may not know."""
    decisions = game.ruleset.decisions
    return ruling.decide is not None and decisions is not None and decisions.hidden


def apply_unseen_decision(game: Game, position: Any, ruling: Ruling, text: Text, place: Place) -> Any:
    """The position after a decision about hidden facts; raises `Problems`, which only holders of the master secret may see."""
    decisions = game.ruleset.decisions
    if decisions is None or not decisions.hidden:
        raise Problems([text.problem(place, "the host has nothing hidden to decide", "decide it in the open")])
    decision = decode(decisions.kind, replace(text, data=dict(ruling.decide or {})))
    if faults := [text.problem(place, remark.what, remark.right) for remark in decisions.faults(position, decision)]:
        raise Problems(faults)
    return _sound(game, decisions.apply(position, decision, ruling.reason), text, place)


def apply_correction(game: Game, position: Any, ruling: Ruling, text: Text, place: Place) -> Any:
    """The position with a ruling's corrections; raises `Problems` if a part does not exist or becomes invalid.

    `text` is the ruling's file and `place` the place of the corrections in it.
    """
    plain = encode(position)
    faults: list[Problem] = []
    for path, value in (ruling.correct or {}).items():
        *steps, last = path.split(".")
        here, right = plain, ""
        for step in steps:
            if not isinstance(here, dict) or step not in here:
                right = nearest(step, here) if isinstance(here, dict) else ""
                here = None
                break
            here = here[step]
        if isinstance(here, dict):
            here[last] = value
        else:
            right = right or "name a key of the position in turn.yaml"
            faults.append(text.problem((*place, path), f"the position has no part {path!r:.80}", right))
    if faults:
        raise Problems(faults)
    try:
        corrected = game.position(Text("", plain, {}))
    except Problems as error:
        raise Problems(text.problem(place, p.what, p.right) for p in error.problems) from None
    return _sound(game, corrected, text, place)


def _sound(game: Game, position: Any, text: Text, place: Place) -> Any:
    """Return the position if it is sound; raises `Problems` with everything that is wrong with it."""
    try:
        faults = [text.problem(place, remark.what, remark.right) for remark in game.ruleset.rules.faults(position)]
    except Problems as error:
        faults = [text.problem(place, fault.what, fault.right) for fault in error.problems]
    if faults:
        raise Problems(faults)
    return position


@record
class HiddenCorrection:
    """The content of a `hidden` ruling: its turn, and the correction or decision."""

    archive: str
    game: str
    turn: str
    attempt: Whole
    correct: Mapping[str, Any] = field(default_factory=dict)
    decide: Mapping[str, Any] | None = None


HIDDEN_STEP = 3072
"""A hidden correction's length in bytes is a multiple of this."""


def hide(inside: HiddenCorrection, recipient: str) -> str:
    """Pack a correction or decision, seal it to a turn's key and encode it in base64, as the value of a `hidden` ruling."""
    member = pack(write(encode(inside)).encode())
    length = -(-len(member) // HIDDEN_STEP) * HIDDEN_STEP
    return base64.b64encode(encrypt(stretch(member, length), [recipient])).decode()


def reveal_hidden(sealed: str, identity: str, path: str) -> HiddenCorrection:
    """Open the value of a `hidden` ruling with the turn's key; raises `Problems`, which do not quote its content."""
    try:
        body = open_own(base64.b64decode(sealed, validate=True), [identity], path)
        return decode(HiddenCorrection, read(body, path))
    except (Problems, ValueError):
        raise problem(path, "this was not sealed by `courtly seal` to this turn's key", "seal it again") from None


def unseen_parts(game: Game, position: Any, correct: Mapping[str, Any]) -> list[str]:
    """The parts of a correction that the public cannot see, in a game with secrets: an open correction would reveal them."""
    if game.ruleset.secrecy is None:
        return []
    public = encode(game.ruleset.view(position, None))
    unseen = []
    for path, value in correct.items():
        above = path.rpartition(".")[0]
        if above and _part(public, above) is None:
            unseen.append(path)
            continue
        try:
            seen = encode(game.ruleset.view(game.position(Text("", _replace_part(public, path, value), {})), None))
        except Problems:
            continue  # an invalid part is refused as such elsewhere
        # A part is hidden if the corrected public view does not show its new value, or does not change at all.
        if _part(seen, path) != encode(value) or seen == public:
            unseen.append(path)
    return unseen


def _replace_part(plain: Any, path: str, value: Any) -> Any:
    """Plain data with `value` at `path`; mappings missing on the way are created."""
    first, _, rest = path.partition(".")
    here = dict(plain) if isinstance(plain, dict) else {}
    return here | {first: _replace_part(here.get(first), rest, value) if rest else value}


def _part(plain: Any, path: str) -> Any:
    for step in path.split("."):
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain


def new_deadline(ruling: Ruling, deadline: str | None) -> str | None:
    """The turn's deadline after a ruling, which only `extend` and `resume` change."""
    time = ruling.extend or ruling.resume
    return write_time(read_time(time)) if time is not None else deadline


def meaning(game: Game, position: Any, line: str) -> str:
    """Convert a line for comparison: an order becomes canonical, whatever its spelling, case and white space; other lines are only tidied."""
    tidy = " ".join(unicodedata.normalize("NFKC", line).split())
    canonical = game.ruleset.desk.canonical
    return (canonical(game.ruleset.view(position, None), tidy) if canonical is not None else tidy).casefold()


def lines_to_strike(game: Game, position: Any, sheet: SheetWords, order: str) -> tuple[str, ...]:
    """The lines of a sheet that mean the same as a void order, in the sheet's spelling."""
    wanted = meaning(game, position, order)
    return tuple(line for line in lines_of(sheet) if meaning(game, position, line) == wanted)


def lines_of(sheet: SheetWords) -> Iterator[str]:
    """The lines of a sheet: all text in its lists and in its other fields."""
    for value in encode(sheet).values():
        yield from (line for line in (value if isinstance(value, list) else [value]) if isinstance(line, str))


def without_void(game: Game, position: Any, sheets: Mapping[str, Any], rulings: tuple[Ruling, ...]) -> dict[str, Any]:
    """The sheets without what the host declared void: whole sheets, or the lines that mean the same as the void order."""
    left = dict(sheets)
    for ruling in rulings:
        if ruling.void is None or ruling.void.seat not in left:
            continue
        if ruling.void.order is None:
            del left[ruling.void.seat]
            continue
        sheet = left[ruling.void.seat]
        gone = lines_to_strike(game, position, sheet, ruling.void.order)
        plain = {
            key: [line for line in value if line not in gone] if isinstance(value, list) else value
            for key, value in encode(sheet).items()
            if value not in gone
        }
        left[ruling.void.seat] = decode(type(sheet), Text("", plain, {}))
    return left


def replace_players(players: Mapping[str, Player] | None, ruling: Ruling) -> Mapping[str, Player] | None:
    """Apply a ruling to the map of players who took over a seat during the game (seat -> player)."""
    if (new := ruling.replace) is None:
        return players
    player = Player(player=new.player, account=new.account, key=new.key)
    return dict(sorted({**(players or {}), new.seat: player}.items()))


def sentence_of(game: Game, ruling: Ruling) -> str:
    """A ruling in one sentence, without its reason."""
    match ruling.kind:
        case "extend":
            return f"The deadline is {ruling.extend}."
        case "pause":
            return "The game is paused."
        case "resume":
            return f"The game goes on; the deadline is {ruling.resume}."
        case "proceed":
            return "The turn no longer waits for missing sheets."
        case "correct":
            assert ruling.correct is not None
            return "The position is corrected: " + ", ".join(ruling.correct) + "."
        case "hidden":
            decisions = game.ruleset.decisions
            if decisions is not None and decisions.hidden:
                return "Something that is hidden is corrected, or decided."
            return "A part of the position that is hidden is corrected."
        case "void":
            assert ruling.void is not None
            what = f"The order “{ruling.void.order}”" if ruling.void.order else "The sheet"
            return f"{what} of {ruling.void.seat} is void."
        case "replace":
            assert ruling.replace is not None
            return f"{ruling.replace.player} plays {ruling.replace.seat} from here on."
        case "absent":
            return f"{ruling.absent} is in civil disorder: no turn waits for it until it sends a sheet or gets a new player."
        case "ask":
            assert ruling.ask is not None
            return f"Everybody is asked: “{ruling.ask.question.strip()}” The answers are {join_words(ruling.ask.answers, 'and')}."
        case "decide":
            decisions = game.ruleset.decisions
            assert decisions is not None
            return decisions.tell(decision_of(game, ruling, Text("ruling.yaml", None, {}), 0))
        case "undo":
            return "The turn before is put back and played again."
        case "end":
            assert ruling.end is not None
            winners = ", ".join(ruling.end.winners)
            return f"The game ends: {ruling.end.how}" + (f", {winners}." if winners else ".")
        case _:
            assert_never(ruling.kind)
