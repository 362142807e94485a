"""A turn's page: orders with their verdicts, events, rulings, dice and their proof."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.scene import Drawing, Scene, drawing_of
from adjudicator.core.contract.words import join_words, many
from adjudicator.core.game.archive import UNDONE
from adjudicator.core.game.game import START
from adjudicator.core.game.rulings import Ruling, question_of, reveal_hidden, sentence_of
from adjudicator.core.jobs.intake import BY_HOST
from adjudicator.core.jobs.voids import void_effects
from adjudicator.core.jobs.waiting import host_decides
from adjudicator.core.text.codec import encode
from adjudicator.core.turn.data import FromAhead, Turn
from adjudicator.core.turn.files import scene_of
from adjudicator.core.turn.sheets import by_seat
from adjudicator.core.turn.unopened import load_unopened
from adjudicator.render.hatch import is_hatched
from adjudicator.render.palette import slot_of
from adjudicator.site.absences import away_line
from adjudicator.site.charts import chart_figure
from adjudicator.site.engine import has_engine
from adjudicator.site.luck import foresight_warning
from adjudicator.site.markup import inline_svg, item_list, join, link, table, tag
from adjudicator.site.now import NO_DEADLINE, deadline_of, due_line
from adjudicator.site.packs import can_be_judged, judged_again
from adjudicator.site.press import letters_beside
from adjudicator.site.rulebook import rule_link, sign_of
from adjudicator.site.standings import tables
from adjudicator.site.story import Story, shown_name
from adjudicator.site.words import ended_in_words, in_words, result_in_words

LAYER = re.compile(r' data-layer="([^"]+)"')
"""A layer of a picture, by the name that readers see."""
LINE = re.compile(
    r"line (\d+) of ([a-z ]+), .* (?:was not used|came to nothing|is not possible|was not possible|could not be read): "
)
"""The beginning of a reason that names a line of a list with all its conditions, which the row shows already."""
COLON, FAILED = re.compile(": "), re.compile("^it failed: ")
"""The end of an order, or of a part of it, in a reason; and words that the result beside the order says already."""
RECORD = "This is a record: nothing here was judged, and what is not shown is not known."


def turn_page(story: Story, index: int, picture: str, root: str, legend: str | None = None) -> Markup:
    """A turn's page: map, everybody's orders with verdict, reason and rule, events, standings, dice.

    `legend` explains the signs on the map; for None it is taken from the turn's scene.
    """
    game, turn = story.game, story.turns[index]
    slug = game.ruleset.about.slug
    resolved = turn.data.status == "resolved"
    parts: list[Markup | None] = [
        tag(
            "p",
            link("All games", f"{root}index.html"),
            " › ",
            link(game.title, "../index.html"),
            class_="courtly-crumbs",
        ),
        tag("h1", turn.data.phase),
        _pager(story, index),
    ]
    signs = scene_to_see(story, turn).legend if legend is None else legend
    board = board_figure(picture, signs, f"{game.name}-{turn.name}")
    if resolved:
        told = (
            tag("section", tag("h2", "What happened"), _facts(story, turn)),
            tag(
                "section", tag("h2", "Orders"), _orders(story, turn, root, slug), _said(turn), _sheet_notes(story, turn)
            ),
        )
        parts += [_side_by_side(board, *told), _reports(story, turn)]
        if turn.data.ended:
            parts.insert(
                2,
                tag(
                    "p",
                    f"The game ended here, {ended_in_words(story).removesuffix(f', {turn.data.phase}')}.",
                    class_="courtly-lead",
                ),
            )
    else:
        parts.append(_side_by_side(board, _open(story, turn, root)))
    parts[2:2] = _standing(story, turn)
    parts.append(_rulings(story, turn))
    if story.record:
        return tag("div", *parts, tag("p", RECORD, class_="courtly-small"), class_="courtly courtly-turn", id="turn")
    tally = game.ruleset.tables.tally
    before, after = tally(story.position(turn)), story.after(index)
    if after is None:
        standings = tag("section", tag("h2", "Standings"), tables(before))
    else:
        standings = tag("section", tag("h2", "Standings after this turn"), tables(tally(after), before))
    parts += [letters_beside(story, turn), standings, _again(story, turn, root), _dice(story, turn, root)]
    return tag("div", *parts, class_="courtly courtly-turn", id="turn")


def board_figure(picture: str, legend: str, name: str) -> Markup:
    """A map with the meaning of its signs; `name` becomes the file's name when a reader saves it."""
    return tag(
        "figure",
        tag("div", tag("div", inline_svg(picture), class_="courtly-view"), class_="courtly-board"),
        tag(
            "figcaption",
            # Folded, so that the events are beside the board and not a screen below it.
            tag("details", tag("summary", "Legend"), tag("p", legend), class_="courtly-signs"),
            _hatch_switch() if is_hatched(picture) else None,
            _layer_switches(picture),
        ),
        class_="courtly-map",
        data_name=name,
    )


def _side_by_side(board: Markup, *told: Markup | None) -> Markup:
    """The board and the text about it, side by side on wide screens; a script highlights the parts that belong together."""
    return tag("div", board, tag("div", *told, class_="courtly-told"), class_="courtly-spread")


def _hatch_switch() -> Markup:
    """A box to tick that hatches each owner's land. It works without a script; a script only remembers the choice."""
    box = tag("input", type="checkbox", class_="courtly-hatch", autocomplete="off")
    return tag("label", box, " Hatch each owner’s land", class_="courtly-switch")


def _layer_switches(picture: str) -> Markup | None:
    """A box to untick for each layer of a map that has layers; it works without a script."""
    names = dict.fromkeys(LAYER.findall(picture))
    if not names:
        return None
    boxes = (
        tag(
            "label",
            tag("input", type="checkbox", checked=True, autocomplete="off", data_hides=name),
            f" {name}",
            class_="courtly-switch",
        )
        for name in names
    )
    return tag("fieldset", tag("legend", "Shown on the map"), *boxes, class_="courtly-layers")


def _said(turn: Turn) -> Markup | None:
    """Words of the seats to everybody; None if nobody said anything."""
    said = turn.data.words or {}
    if not said:
        return None
    lines = item_list(join([tag("strong", seat), f": {words}"]) for seat, words in said.items())
    return tag("section", tag("h3", "In their own words"), lines, id="words")


def _standing(story: Story, turn: Turn) -> list[Markup]:
    """Notes above a turn that today's rules would judge differently, that was judged again, or that was put back."""
    game, notes = story.game, []
    if (reason := (game.data.as_played or {}).get(turn.name)) is not None:
        what = "This turn is kept as it was played. Today's rules would judge it differently, so it is not verified."
        notes.append(f"{what} Reason: {reason}")
    if turn is story.turns[0] and (reason := (game.data.as_played or {}).get(START)) is not None:
        what = "The game is kept as it began; today it would begin with a different position."
        notes.append(f"{what} Reason: {reason}")
    if (reason := (game.data.rejudged or {}).get(turn.name)) is not None:
        notes.append(f"From this turn on the game was judged again, by corrected rules. Reason: {reason}")
    if turn.data.put_back is not None:
        kept = f"What was sent for it before is kept in {game.home}/{UNDONE}/."
        notes.append(f"The host put this turn back, and it is played again. Reason: {turn.data.put_back} {kept}")
    return [tag("p", line, class_="courtly-standing") for line in notes]


UNFOLDED = 6
"""Most events that a turn's page lists one by one without folding them."""


def _facts(story: Story, turn: Turn) -> Markup:
    """A turn's story: its headline, what else matters, and every event one by one, folded if there are many."""
    events = story.parts(turn)
    if not events:
        return tag("p", story.game.ruleset.words.quiet)
    told = story.shortly(turn)
    number = sum(len(lines) for _, lines in events)
    if number <= UNFOLDED:  # the headline is not repeated below itself
        rest = ((heading, [line for line in lines if line != told.headline]) for heading, lines in events)
        events = [(heading, lines) for heading, lines in rest if lines]
    listed = join(join([tag("h3", heading) if heading else "", item_list(lines)]) for heading, lines in events)
    return join(
        [
            tag("p", tag("strong", told.headline), class_="courtly-headline") if told.headline else Markup(""),
            tag("p", " ".join(told.rest)) if told.rest and number > UNFOLDED else Markup(""),
            tag("details", tag("summary", f"All {number} events, one by one"), listed, class_="courtly-all")
            if number > UNFOLDED
            else listed,
        ]
    )


def _reports(story: Story, turn: Turn) -> Markup | None:
    """The facts of a turn that have a full report, each with its table and its chart."""
    rules = story.game.ruleset
    sections = [
        tag(
            "section",
            tag("h3", report.title),
            tag("p", report.about),
            chart_figure(report.chart, report.sides)
            if report.chart is not None and report.sides is not None and len(report.chart.labels) > 1
            else None,
            tables([report.table]),
            id=report.anchor,
            class_="courtly-acts" if report.steps else None,
        )
        for report in rules.tables.reports(turn.data.position, story.facts(turn))
    ]
    return tag("section", tag("h2", "Reports"), join(sections), class_="courtly-reports") if sections else None


def scene_to_see(story: Story, turn: Turn) -> Scene:
    """The scene of a turn, as far as the page's reader may see it."""
    return scene_of(story.game, story.position(turn), turn.resolution)


def map_of(story: Story, turn: Turn) -> Drawing:
    """The turn's picture, drawn again, because a file in the archive is not trusted in a page."""
    return drawing_of(story.game.ruleset.pictures.paint(scene_to_see(story, turn)))


TURNS = "turns.js"
"""The file that names a game's turns, so that a turn's page need not change when later turns come."""
VARIABLE = "courtlyTurns"
"""The variable that the file sets: it is a script instead of JSON, because a page opened from a disk may load only scripts."""


def turns_script(story: Story) -> str:
    """The file that names a game's turns: the folder and the phase of each."""
    names = json.dumps([[turn.name, turn.data.phase] for turn in story.turns], ensure_ascii=False)
    return f"globalThis.{VARIABLE}={names};\n"


def _pager(story: Story, index: int) -> Markup:
    """Links to the previous and the next turn; a script puts a slider over all turns between them."""
    turns = story.turns
    before = turns[index - 1] if index else None
    after = turns[index + 1] if index + 1 < len(turns) else None
    return tag(
        "nav",
        link("← " + before.data.phase, f"../{before.name}/index.html", rel="prev")
        if before
        else tag("span", "The first turn"),
        tag("span", f"Turn {index + 1}", class_="courtly-count"),
        link(after.data.phase + " →", f"../{after.name}/index.html", rel="next")
        if after
        else tag("span", "The latest turn"),
        class_="courtly-pager",
        aria_label="Turns",
        data_turns=f"../{TURNS}",
        data_index=index,
    )


def _orders(story: Story, turn: Turn, root: str, slug: str) -> Markup:
    """Everybody's orders: each with verdict, reason and rule."""
    game = story.game
    sides = scene_to_see(story, turn).sides
    by_owner: dict[str, list[Verdict]] = {seat: [] for seat in game.seats}
    for verdict in turn.data.verdicts:
        if verdict.seat in game.seats or not verdict.idle:
            by_owner.setdefault(verdict.seat, []).append(verdict)

    def listed(heading: str, owner: str) -> Markup:
        rows = order_list(story, turn, by_owner.pop(owner), root, slug)
        return tag("div", tag(heading, disc_of(sides.get(owner)), owner), rows)

    groups = [listed("h3", seat) for seat in game.seats if by_owner[seat]]
    # Units of unplayed powers have verdicts too; they come after the seats (S-2).
    unplayed = [listed("h4", owner) for owner in tuple(by_owner) if by_owner[owner]]
    if unplayed:
        groups.append(tag("div", tag("h3", "Powers that nobody plays"), *unplayed))
    secret = game.ruleset.secrecy is not None and not story.ending
    none = "The orders are shown when the game is over." if secret else "Nobody had any orders to give."
    return tag("div", join(groups) if groups else tag("p", none), class_="courtly-sheets")


def disc_of(side: Side | None) -> Markup | None:
    """A side's letter on its colour, as the map's key shows it; None for None."""
    if side is None:
        return None
    return tag("span", side.letter, class_=f"cm courtly-disc courtly-o{slot_of(side)}", aria_hidden="true")


def order_list(story: Story, turn: Turn, verdicts: Iterable[Verdict], root: str, slug: str) -> Markup:
    """Orders, each with verdict, reason and rule; orders for events that did not come up are folded."""
    used, unused = list[Markup](), list[Markup]()
    for verdict in verdicts:
        (unused if verdict.unused else used).append(_order_row(story, turn, verdict, root, slug))
    shown = [tag("ul", join(used), class_="courtly-orders")] if used or not unused else []
    if unused:
        summary = tag("summary", f"{many(len(unused), 'line')} for events that did not come up")
        shown.append(tag("details", summary, tag("ul", join(unused), class_="courtly-orders")))
    return join(shown)


def _order_row(story: Story, turn: Turn, verdict: Verdict, root: str, slug: str) -> Markup:
    sign, tone = sign_of(verdict)
    word, shown = result_in_words(verdict), story.readable(verdict.order)
    return tag(
        "li",
        tag("span", sign, class_="courtly-sign", aria_hidden="true"),
        tag("strong", shown, class_="courtly-order", title=None if shown == verdict.order else verdict.order),
        tag("span", word, class_="courtly-result"),
        tag(
            "span",
            why_beside(shown, story.tell(turn, verdict)),
            " ",
            rule_link(root, slug, verdict.rule),
            class_="courtly-why",
        ),
        class_=tone,
    )


def why_beside(order: str, told: str) -> str:
    """A reason as a sentence without the order, or the part of it, that it begins with: the row shows the order already."""
    if match := LINE.match(told):
        rest = told[match.end() :]
        # A condition is quoted as it is written.
        rest = rest if rest.endswith("was false.") else f"{rest[:1].upper()}{rest[1:]}"
        return f"{rest.rstrip('.')} (line {match[1]} of {match[2]})."
    for whole in (order, order.rstrip(".")):  # an order may contain colons, or end with a full stop
        if (rest := told.removeprefix(f"{whole} failed: ")) != told:
            return f"{rest[:1].upper()}{rest[1:]}"
    if told.startswith(f"{order} "):
        return f"It{told.removeprefix(order)}"
    cuts = [0, *(at.end() for at in COLON.finditer(told) if order.casefold().startswith(told[: at.start()].casefold()))]
    rest = FAILED.sub("", told[cuts[-1] :])
    return f"{rest[:1].upper()}{rest[1:]}" if rest != told else told


def _open(story: Story, turn: Turn, root: str) -> Markup:
    """An open turn: the sheets that it is waiting for, and how to send one."""
    game, data = story.game, turn.data
    sent = story.sheets_sent(turn)
    late = [seat for seat in data.owing if seat not in sent]
    due = deadline_of(story, turn)
    waited = f"Still waiting for sheets from {join_words(late)}." if late else "No sheet is missing."
    rows = [
        (seat, story.player_in(turn, seat), sent.get(seat, "nothing yet" if seat in data.owing else "nothing"))
        for seat in game.seats
        if seat in data.owing or seat in sent
    ]
    absent = f"In civil disorder, and not waited for: {', '.join(data.absent)}." if data.absent else None
    before = [f"{seat} {many(one.in_all, 'turn')}" for seat, one in (data.misses or {}).items()]
    missed = f"Turns missed before this one: {join_words(before)}." if before else None
    return tag(
        "section",
        tag("h2", "Waiting for orders"),
        tag("p", "This turn ", "has " if due == NO_DEADLINE else "is ", due, f". {waited}"),
        due_line(story, turn),
        _host_decides(story, turn),
        tag("p", absent) if absent else None,
        tag("p", missed) if missed else None,
        away_line(story, turn),
        tag(
            "p",
            link(
                "Write a sheet at the order desk", f"{root}desk.html#{game.name}", class_="md-button md-button--primary"
            ),
        ),
        table(("Seat", "Player", "Sent"), rows, "Sheets") if rows else None,
        _sheet_notes(story, turn),
        tag(
            "p",
            "A sheet is a file ",
            tag("code", f"{game.home}/{turn.name}/orders/SEAT.yaml"),
            *((", or sealed ", tag("code", "SEAT.yaml.age")) if data.seal else ()),
            ". ",
            link("What goes into it", f"{root}play.html"),
            ".",
        ),
        tag("p", "Sheets are sealed to the key ", tag("code", data.seal.recipient, class_="courtly-long"), ".")
        if data.seal
        else None,
    )


def _host_decides(story: Story, turn: Turn) -> Markup | None:
    """The seats that keep the turn waiting for its host, and since when; a script shows whether that time has come."""
    then = host_decides(story.archive, turn)
    if then is None or then.since is None:
        return None
    seats, when = ", ".join(then.seats), in_words(then.since)
    return tag(
        "p",
        f"If no sheet comes from {seats} before {when}, the turn waits for its host to decide.",
        class_="courtly-host",
        data_since=then.since,
        data_past=f"No sheet came from {seats}: the turn has waited for its host to decide since {when}.",
    )


def _open_hidden(turn: Turn, ruling: Ruling) -> Ruling:
    """A sealed ruling, opened if the turn's key is published."""
    key = turn.data.seal.identity if turn.data.seal is not None else None
    if ruling.hidden is None or key is None:
        return ruling
    inside = reveal_hidden(ruling.hidden, key, turn.name)
    return replace(ruling, hidden=None, correct=inside.correct or None, decide=inside.decide)


def _rulings(story: Story, turn: Turn) -> Markup | None:
    """The host's rulings in this turn, with their reasons, and the lines that a judged ruling voided."""
    if not turn.data.rulings:
        return None
    effects = void_effects(story.archive, turn)
    told = (
        " ".join(
            filter(
                None,
                (_told(story, _open_hidden(turn, ruling)), effects.get(index), f"Reason: {ruling.reason}"),
            )
        )
        for index, ruling in enumerate(turn.data.rulings)
    )
    return tag(
        "section", tag("h2", "Rulings of the host"), item_list(told, class_="courtly-rulings"), _tally(story, turn)
    )


def _told(story: Story, ruling: Ruling) -> str:
    """A ruling in one sentence; a new player has the name that pages may show."""
    if (new := ruling.replace) is not None:
        name = shown_name(story.game, new.player, over=story.ending is not None)
        ruling = replace(ruling, replace=replace(new, player=name))
    return sentence_of(story.game, ruling)


def _tally(story: Story, turn: Turn) -> Markup | None:
    """The answers to the host's question, once the turn is judged; before that how to answer. None if the host asked nothing."""
    ask = question_of(turn.data.rulings)
    if ask is None:
        return None
    if turn.data.status == "open":
        return tag(
            "p",
            "Answer on your sheet: ",
            tag("code", f"answer: {ask.answers[0]}"),
            ". You read all answers when the turn is judged.",
        )
    given = turn.data.answers or {}
    rows = [
        (
            answer,
            sum(one == answer for one in given.values()),
            join_words([s for s, one in given.items() if one == answer]),
        )
        for answer in ask.answers
    ]
    silent = [seat for seat in story.game.seats if seat not in given]
    rows.append(("no answer", len(silent), join_words(silent)))
    return table(("Answer", "Seats", "From"), rows, ask.question.strip())


def _sheet_notes(story: Story, turn: Turn) -> Markup | None:
    """Notes on sheets: standing ones, sealed ones that could not be judged, and those without a receipt."""
    stood = [f"{seat}: the standing sheet of {name}." for seat, name in (turn.data.stood or {}).items()]
    ahead = [_from_ahead(seat, used) for seat, used in (turn.data.from_ahead or {}).items()]
    refused = [f"{name} did not count: {why}" for name, why in (turn.data.refused or {}).items()]
    by_hand = [
        f"{path.name} was not taken in by intake: somebody with push access added it, and there is no receipt for it."
        for path in _by_hand(story, turn)
    ]
    partly = [f"{name} counts, but not all of it: {why}." for name, why in (turn.data.partly or {}).items()]
    laid = [f"{path.name} was added by the host, for a player who sent it another way." for path in _laid(story, turn)]
    shut = [
        f"{name} cannot be opened and does not count; its author can send another."
        for name in sorted(load_unopened(story.archive, turn.folder))
        if turn.data.status == "open"
    ]
    notes = [*stood, *ahead, *refused, *partly, *shut, *laid, *by_hand]
    return tag("section", tag("h3", "About the sheets"), item_list(notes)) if notes else None


def _from_ahead(seat: str, used: FromAhead) -> str:
    """A note on the orders ahead that counted for a seat."""
    if used.fault is not None:
        return f"{seat} sent no sheet, and the orders ahead from {used.turn} cannot be read: {used.fault}."
    return f"{seat} sent no sheet. Of the orders ahead from {used.turn}, those that were possible counted: {'; '.join(used.lines)}."


def _by_hand(story: Story, turn: Turn) -> Iterator[Path]:
    """The sheets of a turn that no commit of intake brought, if that can be known (FS-14)."""
    return (path for path, source in _sources(story, turn) if source is None)


def _laid(story: Story, turn: Turn) -> Iterator[Path]:
    """The sheets of a turn that the host added with `courtly take`."""
    return (path for path, source in _sources(story, turn) if source == BY_HOST)


def _sources(story: Story, turn: Turn) -> Iterator[tuple[Path, str | None]]:
    """The sheets of a turn with the source that the history names, or None if it names none."""
    if story.taken is None:
        return
    names = (story.game.slug, story.slug)
    for files in by_seat(story.archive, turn)[0].values():
        for _, path in reversed(files):
            digest = hashlib.sha256(story.archive.files.read(path)).hexdigest()
            rest = "/".join(story.archive.inside(path)[1:])
            known = (story.taken.get((f"games/{name}/{rest}", digest)) for name in names)
            source = next((source for source in known if source is not None), None)
            if source is None:
                source = _under_another(story, rest, digest)
            if source is None and story.game.data.archive is not None:
                continue  # The game came from another archive, whose history may know more.
            yield path, source


def _under_another(story: Story, rest: str, digest: str) -> str | None:
    """The source of a sheet that came while the game had neither its original name nor its current one; None if there is none.

    Only the few sheets that neither of those names explains get here. A name that another game has or had first does not count.
    """
    for (path, said), source in (story.taken or {}).items():
        name = path.removeprefix("games/").partition("/")[0]
        mine = said == digest and path == f"games/{name}/{rest}"
        if mine and name not in story.archive.slugs() and story.archive.called_now(name) is None:
            return source
    return None


def _again(story: Story, turn: Turn, root: str) -> Markup | None:
    """Links for readers to judge a finished turn again or to play on from one, if the site has the judge for browsers."""
    if not has_engine() or not can_be_judged(story):
        return None
    place = f"#{story.slug}/{turn.name}"
    again = link("Judge this turn again, here", f"{root}again.html{place}", class_="md-button")
    what_if = link("What if? Play on from here", f"{root}sandbox.html{place}", class_="md-button")
    judged = judged_again(story, turn)
    compared = "Your browser reads the sheets, judges the turn and compares every byte; or you play on from here, for all sides."
    planned = "Write orders for all sides, and your browser judges them. They are not anybody’s real orders."
    return tag(
        "section",
        tag("p", again if judged else None, " " if judged else None, what_if),
        tag("p", f"{compared if judged else planned} Nothing is sent anywhere.", class_="courtly-small"),
        class_="courtly-again",
    )


def _dice(story: Story, turn: Turn, root: str) -> Markup:
    """The dice and their proof, and the turn's key."""
    dice = turn.data.dice
    rows = [("Commitment", dice.commitment)]
    if dice.secret:
        rows += [("Secret", dice.secret)]
    if dice.digest:
        rows += [("Digest of the sheets", dice.digest)]
    if turn.data.seal:
        rows += [("Key that sheets were sealed to", turn.data.seal.recipient)]
        if turn.data.seal.identity:
            rows += [("Key that opens them", turn.data.seal.identity)]
    rolls = [(roll.name, roll.sides, roll.value) for roll in turn.data.rolls]
    secret = story.game.ruleset.secrecy is not None and not story.ending
    none = "No roll in this turn is public while the game runs." if secret else "No dice were rolled this turn."
    words = none if not rolls else f"{many(len(rolls), 'roll')}{' that everybody sees' if secret else ''}."
    check = link("Check it in your browser", f"{root}dice-check.html#{story.slug}/{turn.name}")
    return tag(
        "details",
        tag("summary", "Dice and their proof"),
        foresight_warning(story),
        tag("p", words, " ", check, ". ", link("How the dice work", f"{root}dice.html"), "."),
        tag("dl", join(tag("dt", key) + tag("dd", tag("code", value)) for key, value in rows)),
        table(("Roll", "Sides", "Value"), rolls, "Rolls") if rolls else None,
        class_="courtly-dice",
    )


def proof(turn: Turn) -> str:
    """The data that a browser needs to check a turn's dice, as JSON."""
    data = turn.data
    facts: dict[str, Any] = {
        "game": data.game,
        "turn": data.turn,
        "phase": data.phase,
        "title": turn.game.title,
        "foreseen": turn.game.foreseen,
        "commitment": data.dice.commitment,
        "secret": data.dice.secret,
        "digest": data.dice.digest,
        "sheets": dict(data.sheets or {}),
        "rolls": encode(data.rolls),
        "setup": encode(data.setup) if data.setup else None,
    }
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")) + "\n"
