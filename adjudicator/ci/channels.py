"""Telling a group's channels what happened in its games: Discord, Slack, Matrix, ntfy, and mail through a webhook.

The addresses are a secret of the job that judges, a channel a line: its kind, its address, what else that kind needs, and before them a game
if the channel is for one game only. Messages hold only what everybody may know: headlines, phases, deadlines, and the seats that owe a sheet.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import urllib3

from adjudicator.core.contract.words import join_words
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.reserve import REASON
from adjudicator.core.jobs.run import Step
from adjudicator.core.jobs.waiting import seats_owing, waiting
from adjudicator.core.text.problems import Problem, plain
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn

if TYPE_CHECKING:
    from adjudicator.ci.adjudicate import Batch

SECRET, DISCORD = "COURTLY_CHANNELS", "COURTLY_DISCORD"
"""The names of the secrets: all channels, and the address of a single channel on Discord."""
MOST = 15
"""Maximum number of news that one message tells; the others are counted. Slack takes 50 blocks, and news can have three."""
SITE_URL = re.compile(r"^site_url:[ \t]*['\"]?(https?://[^\s'\"#]+)", re.MULTILINE)
GAME = re.compile(r"([a-z0-9][a-z0-9-]*):", re.ASCII)
LOCAL = ("localhost", "127.0.0.1")
CARD = "card.png"
"""The picture of a turn beside its page (adjudicator/site/pictures.py)."""


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened, in words for a chat."""

    game: str
    """The game's folder below `games/`."""
    said: str
    """One or more sentences without addresses and times."""
    deadline: str | None = None
    """The time until which sheets count."""
    address: str | None = None
    """The address of the page about it; None if the archive's site is not known."""
    picture: str | None = None
    """The address of a picture that is there already."""
    at: str = ""
    """The time of the run that tells it."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A place for news. Its address is a secret, so it is never shown."""

    kind: str
    address: str = field(repr=False)
    token: str = field(default="", repr=False)
    game: str | None = None
    """The game that it is for; None for all."""
    line: int = 0


Request = tuple[str, str, dict[str, str], bytes]
"""A request to a channel: method, address, headers, body."""


def channels(text: str) -> tuple[list[Channel], list[Problem]]:
    """Read the lines of the secret: `discord ADDRESS`, or `GAME: discord ADDRESS`. Faults never quote an address."""
    found: list[Channel] = []
    faults: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        game = GAME.fullmatch(words[0])
        kind, *rest = (words[1:] if game else words) or [""]
        if kind not in FORMATS:
            faults.append(_fault(number, "this is not a kind of channel", f"write one of {', '.join(FORMATS)}"))
            continue
        wanted = FORMATS[kind].needs
        if len(rest) != len(wanted):
            faults.append(_fault(number, f"{kind} needs {join_words(wanted)}", f"{kind} {' '.join(wanted).upper()}"))
            continue
        try:
            parts = urlsplit(rest[0])
            safe = parts.scheme == "https" or parts.hostname in LOCAL
        except ValueError:  # its own text would quote the address
            faults.append(_fault(number, "the address is not one", "copy it again from the service"))
            continue
        if not safe:
            faults.append(_fault(number, "the address does not begin with https://", "copy it again from the service"))
            continue
        found.append(Channel(kind, rest[0], rest[1] if len(rest) > 1 else "", game[1] if game else None, number))
    return found, faults


def _fault(number: int, what: str, right: str) -> Problem:
    return Problem(SECRET, number, 0, what, right)


# News -------------------------------------------------------------------------------------------------------------


def news(archive: Archive, batch: Batch, at: str | None = None) -> Iterator[News]:
    """Yield the news of a batch: turns that opened or moved, rulings, reminders, waits for hosts, endings.

    A turn that opens begins with the headline of the turn before. With `at`, the time of the run, a game that waits for its host says so
    at its reminder.
    """
    headlines: dict[str, str] = {}
    base = site_address(archive)
    for step in batch.steps:
        if step.what == "resolved":
            headlines[step.game] = f"{_public_headline(load_turn(archive, load_game(archive, step.game), step.turn))} "
        elif (told := TOLD.get(step.what)) is not None:
            turn = load_turn(archive, load_game(archive, step.game), step.turn)
            said = told(archive, step, turn, at)
            if said is None:
                continue
            page = f"{base}games/{step.game}/{step.turn}/" if base is not None else None
            yield News(
                step.game,
                headlines.pop(step.game, "") + said,
                _still_open(turn, step, at),
                f"{page}index.html" if page is not None else None,
                f"{page}{CARD}" if page is not None and step.what in THERE else None,
                at or "",
            )


def _still_open(turn: Turn, step: Step, at: str | None) -> str | None:
    """The deadline of a turn, unless it is past or the game is over."""
    deadline = turn.data.deadline
    past = deadline is None or (at is not None and read_time(deadline) <= read_time(at))
    return None if past or turn.data.paused or step.what == "ended" else deadline


def _opened(archive: Archive, step: Step, turn: Turn, at: str | None) -> str:
    return f"{turn.game.title}: {step.phase} is open."


def _ended(archive: Archive, step: Step, turn: Turn, at: str | None) -> str:
    return f"{turn.game.title} is over: {step.phase}."


def _ruled(archive: Archive, step: Step, turn: Turn, at: str | None) -> str:
    last = turn.data.rulings[-1] if turn.data.rulings else None
    why = f" {last.reason.strip().removesuffix('.')}." if last is not None and not last.hidden and last.reason else ""
    if last is not None and last.replace is not None and last.reason == REASON.format(seat=last.replace.seat):
        return f"{turn.game.title}, {step.phase}: {last.reason}"
    paused = " The game is paused." if turn.data.paused else ""
    return f"{turn.game.title}: the host ruled in {step.phase}.{why}{paused}"


def _all_in(archive: Archive, step: Step, turn: Turn, at: str | None) -> str:
    return f"{turn.game.title}: every sheet for {step.phase} is in."


def _away(archive: Archive, step: Step, turn: Turn, at: str | None) -> str:
    deadline, since = turn.data.deadline or "", (at or "")[:10]
    away = {one.seat for one in turn.game.absences if one.seat in turn.data.owing and since <= one.last < deadline[:10]}
    seats = [seat for seat in turn.game.seats if seat in away]
    who = f"{join_words(seats)} {'is' if len(seats) == 1 else 'are'} away" if seats else "somebody is away"
    return f"{turn.game.title}: the deadline of {step.phase} has moved, because {who}."


def _reminded(archive: Archive, step: Step, turn: Turn, at: str | None) -> str | None:
    if at is not None and (idle := waiting(archive, turn.game.slug, at)) is not None:
        return f"{turn.game.title}: {step.phase} waits for its host. No sheet came from {join_words(idle.seats)}."
    owed = seats_owing(archive, turn)
    if not owed:
        return None
    return (
        f"{turn.game.title}: {join_words(owed)} still {'owes' if len(owed) == 1 else 'owe'} a sheet for {step.phase}."
    )


TOLD: Mapping[str, Callable[[Archive, Step, Turn, str | None], str | None]] = {
    "opened": _opened, "mended": _opened, "put back": _opened, "ended": _ended, "ruled": _ruled, "all in": _all_in, "away": _away,
    "reminded": _reminded,
}  # fmt: skip
"""Kind of step -> the words for it; channels hear of no others."""
THERE = frozenset({"reminded", "ruled", "all in", "away"})
"""News of a turn whose page, with its picture, is on the site already. A chat fetches a picture at once, before new pages are out."""


def _public_headline(turn: Turn) -> str:
    """The public headline of a judged turn."""
    rules = turn.game.ruleset
    return (
        rules.headline(rules.view(turn.data.position, None), rules.heard(turn.data.events, None)) or rules.words.quiet
    )


def site_address(archive: Archive) -> str | None:
    """The address of the archive's site, from its mkdocs.yml, with a slash at the end; None if it names none."""
    path = archive.root / "mkdocs.yml"
    found = SITE_URL.search(archive.files.text(path)) if archive.files.is_file(path) else None
    return found[1].rstrip("/") + "/" if found is not None else None


# How a channel says it --------------------------------------------------------------------------------------------


def escape_markdown(text: str) -> str:
    """Escape a stranger's text for a chat that reads Markdown, so that it can contain no markup, mentions or links."""
    marked = "".join(f"\\{char}" if char in "\\`*_{}[]()<>#+-.!|~:/" else char for char in plain(text)[:400])
    return marked.replace("@", "@\u200b")


def unix(time: str) -> int:
    """A time in seconds since 1970, which chats show in each reader's own zone."""
    return int(read_time(time).timestamp())


def in_plain(one: News) -> str:
    """News as one line of plain text, without the address."""
    until = f" Sheets until {one.deadline}." if one.deadline is not None else ""
    return f"{plain(one.said)[:400]}{until}"


def _discord(channel: Channel, told: Sequence[News], left: int) -> Request:
    """Discord reads Markdown, and shows `<t:…>` as a time in the reader's zone. Nobody is mentioned."""
    lines = []
    for one in told:
        until = (
            f" Sheets until <t:{unix(one.deadline)}:F> (<t:{unix(one.deadline)}:R>)."
            if one.deadline is not None
            else ""
        )
        at = f" [Open](<{one.address}>)" if one.address is not None else ""
        lines.append(f"{escape_markdown(one.said)}{until}{at}")
    pictures = [{"url": one.address, "image": {"url": one.picture}} for one in told if one.picture is not None]
    whole = 0
    while whole < len(lines) and sum(len(line) + 1 for line in lines[: whole + 1]) <= LONGEST:
        whole += 1
    body = {
        "content": "\n".join([*lines[:whole], *_more(left + len(lines) - whole)]),
        "allowed_mentions": {"parse": []},
    }
    return _post(channel, body | ({"embeds": pictures[:10]} if pictures else {}))


LONGEST = 1900
"""Most letters of a message on Discord, which refuses more than 2,000."""


def _more(left: int) -> list[str]:
    """A line about the news that a message leaves out; none if it tells all."""
    return [f"And {left} more."] if left else []


def _slack(channel: Channel, told: Sequence[News], left: int) -> Request:
    """Slack reads no markup in `plain_text`; only our own links and times are in `mrkdwn`."""
    blocks: list[dict[str, object]] = []
    for one in told:
        blocks.append(
            {"type": "section", "text": {"type": "plain_text", "text": plain(one.said)[:400], "emoji": False}}
        )
        ours = []
        if one.deadline is not None:
            ours.append(f"Sheets until <!date^{unix(one.deadline)}^{{date_short_pretty}} {{time}}|{one.deadline}>")
        if one.address is not None:
            ours.append(f"<{one.address}|Open>")
        if ours:
            blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": " · ".join(ours)}]})
        if one.picture is not None:
            blocks.append({"type": "image", "image_url": one.picture, "alt_text": "The board"})
    blocks += [{"type": "section", "text": {"type": "plain_text", "text": line}} for line in _more(left)]
    text = html.escape("\n".join([*map(in_plain, told), *_more(left)]), quote=False)
    return _post(channel, {"text": text[:3000], "blocks": blocks})


def _matrix(channel: Channel, told: Sequence[News], left: int) -> Request:
    """A notice in a room of Matrix. Its number follows from its text, so the same message is never shown twice."""
    lines, marked = [], []
    for one in told:
        lines.append(in_plain(one) + (f" {one.address}" if one.address is not None else ""))
        at = f' <a href="{html.escape(one.address)}">Open</a>' if one.address is not None else ""
        marked.append(f"{html.escape(in_plain(one))}{at}")
    rest = _more(left)
    body = {
        "msgtype": "m.notice", "body": "\n".join([*lines, *rest]), "format": "org.matrix.custom.html",
        "formatted_body": "<br>".join([*marked, *map(html.escape, rest)]), "m.mentions": {},
    }  # fmt: skip
    number = hashlib.sha256("\n".join([*lines, *(one.at for one in told)]).encode()).hexdigest()[:32]
    headers = HEADERS | {"Authorization": f"Bearer {channel.token}"}
    return "PUT", f"{channel.address.rstrip('/')}/send/m.room.message/{number}", headers, _json(body)


def _ntfy(channel: Channel, told: Sequence[News], left: int) -> Request:
    """Ntfy takes a message with its topic at the server's address, the last part of the channel's."""
    server, _, topic = channel.address.rstrip("/").rpartition("/")
    body: dict[str, object] = {
        "topic": topic,
        "title": "Courtly",
        "message": "\n".join([*map(in_plain, told), *_more(left)]),
    }
    body |= {"click": told[0].address} if told[0].address is not None else {}
    body |= {"attach": told[0].picture} if told[0].picture is not None else {}
    return "POST", f"{server}/", HEADERS, _json(body)


def _mail(channel: Channel, told: Sequence[News], left: int) -> Request:
    """A webhook that sends mail gets a subject and a text."""
    lines = [in_plain(one) + (f"\n{one.address}" if one.address is not None else "") for one in told]
    text = "\n\n".join([*lines, *_more(left)])
    return _post(channel, {"subject": plain(told[0].said)[:120], "text": text})


@dataclass(frozen=True, slots=True)
class Format:
    """How one kind of channel is written to."""

    make: Callable[[Channel, Sequence[News], int], Request]
    needs: tuple[str, ...] = ("address",)
    """The words after the kind in its line."""


FORMATS: Mapping[str, Format] = {
    "discord": Format(_discord), "slack": Format(_slack), "matrix": Format(_matrix, ("address", "token")), "ntfy": Format(_ntfy),
    "mail": Format(_mail),
}  # fmt: skip
HEADERS = {"Content-Type": "application/json", "User-Agent": "courtly"}


def _json(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def _post(channel: Channel, body: Mapping[str, object]) -> Request:
    return "POST", channel.address, HEADERS, _json(body)


# Sending ----------------------------------------------------------------------------------------------------------


def told_in(channel: Channel, every: Sequence[News]) -> Request | None:
    """The request that tells a channel its news; None if there are none for it."""
    mine = [one for one in every if channel.game is None or channel.game == one.game.rpartition("/")[2]]
    if not mine:
        return None
    return FORMATS[channel.kind].make(channel, mine[:MOST], max(len(mine) - MOST, 0))


def announce(listed: Sequence[Channel], every: Sequence[News]) -> list[Problem]:
    """Tell each channel its news; returns a problem for each channel that does not take them. One that fails does not stop the others."""
    faults: list[Problem] = []
    pool = urllib3.PoolManager(
        retries=urllib3.Retry(total=2, allowed_methods=None, redirect=0, respect_retry_after_header=False), timeout=20
    )
    try:
        for channel in listed:
            request = told_in(channel, every)
            if request is None:
                continue
            method, address, headers, body = request
            try:
                answer = pool.request(method, address, body=body, headers=headers)
            except (
                urllib3.exceptions.HTTPError,
                ValueError,
            ) as error:  # it does not wait for a busy channel: judging does not either
                # Not the error's own text, which would contain the address, a secret.
                faults.append(
                    _fault(channel.line, f"the announcement failed ({type(error).__name__})", _check(channel))
                )
                continue
            if answer.status >= 300:
                what = f"{channel.kind} answered {answer.status} to the announcement"
                faults.append(_fault(channel.line, what, _check(channel)))
    finally:
        pool.clear()
    return faults


def _check(channel: Channel) -> str:
    return f"check the address of this {channel.kind} channel"


def listed_in(environment: Mapping[str, str]) -> tuple[list[Channel], list[Problem]]:
    """The channels that the job's environment names, and the faults in their lines. Raises nothing."""
    found, faults = channels(environment.get(SECRET, ""))
    if address := environment.get(DISCORD, "").strip():
        found.insert(0, Channel("discord", address))
    return found, faults
