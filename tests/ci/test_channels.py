"""Channels: what a run tells a group's chats, in each chat's own form, and that an address is never shown."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from adjudicator.ci.adjudicate import Batch, judge_due_games
from adjudicator.ci.channels import FORMATS, SECRET, Channel, News, announce, channels, listed_in, news, told_in
from tests.core.test_deadlines import Play

BASE = "https://anna.example/games/"
DUE, LATER = "2026-11-22T00:00Z", "2026-11-24T00:00Z"


class Sent(NamedTuple):
    """A request as a chat got it."""

    method: str
    path: str
    token: str | None
    body: dict[str, Any]


@pytest.fixture
def chat() -> Iterator[tuple[str, list[Sent]]]:
    """A chat on loopback: its address, and what it got. It refuses what is sent to /full."""
    got: list[Sent] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
            """Says nothing."""

        def answer(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append(Sent(self.command, self.path, self.headers["Authorization"], body))
            self.send_response(500 if self.path == "/full" else 204)
            self.end_headers()

        do_POST = do_PUT = answer  # noqa: N815 - the names that are overridden

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    server.server_close()
    thread.join()


def said(game: Play, at: str) -> list[News]:
    """The news of a run at this time."""
    return [*news(game.archive, judge_due_games(game.archive, at), at)]


def begun(root: Path, **schedule: Any) -> Play:
    game = Play(root / "archive", **schedule)
    (game.root / "mkdocs.yml").write_text(f"site_name: Ours\nsite_url: {BASE.removesuffix('/')}\n", encoding="utf-8")
    return game


def test_a_turn_that_opens_is_told_with_the_headline_before_it(tmp_path: Path) -> None:
    game = begun(tmp_path)
    game.sheets()
    (told,) = said(game, DUE)
    words = "No province changed hands. A game: Fall 1901, movement is open."
    assert told == News("game", words, LATER, f"{BASE}games/game/{game.turns[1]}/index.html", None, DUE)


def test_seats_that_owe_a_sheet_are_named_and_nobody_else(tmp_path: Path) -> None:
    game = begun(tmp_path, remind="3h")
    game.sheets("Italy", "Turkey")
    (told,) = said(game, "2026-11-21T22:00Z")
    assert told.said == "A game: Italy and Turkey still owe a sheet for Spring 1901, movement."
    assert told.deadline == DUE
    assert told.picture == f"{BASE}games/game/{game.turns[0]}/card.png"
    assert said(game, "2026-11-21T22:15Z") == []


def test_a_game_that_waits_for_its_host_says_so_once(tmp_path: Path) -> None:
    game = begun(tmp_path, remind="3h", missing="host", grace="6h")
    game.sheets("Italy")
    said(game, "2026-11-21T22:00Z")
    assert said(game, "2026-11-22T05:00Z") == []
    (told,) = said(game, "2026-11-22T06:10Z")
    assert told.said == "A game: Spring 1901, movement waits for its host. No sheet came from Italy."
    assert told.deadline is None
    assert said(game, "2026-11-22T07:00Z") == []


def test_rulings_deadlines_that_move_and_the_end_are_told(tmp_path: Path) -> None:
    game = begun(tmp_path, early="all", delay="30m")
    game.rule({"extend": "2026-11-23T00:00Z", "reason": "A holiday."})
    (told,) = said(game, "2026-11-20T10:00Z")
    assert (told.said, told.deadline) == (
        "A game: the host ruled in Spring 1901, movement. A holiday.",
        "2026-11-23T00:00Z",
    )
    game.sheets()
    (told,) = said(game, "2026-11-20T11:00Z")
    assert (told.said, told.deadline) == ("A game: every sheet for Spring 1901, movement is in.", "2026-11-20T11:30Z")
    game.run("2026-11-20T11:30Z")
    game.rule({"pause": True, "reason": "So."})
    (told,) = said(game, "2026-11-20T12:00Z")
    assert (told.said, told.deadline) == (
        "A game: the host ruled in Fall 1901, movement. So. The game is paused.",
        None,
    )
    game.rule({"end": {"how": "cancelled", "winners": []}, "reason": "No players."})
    *_, told = said(game, "2026-11-20T13:00Z")
    assert told.said.endswith("A game is over: Fall 1901, movement.")
    assert told.deadline is None


def every_kind(address: str) -> str:
    """A line for each kind of channel."""
    needs = {"address": address, "token": "syt_secret"}
    return "\n".join(f"{kind} {' '.join(needs[one] for one in form.needs)}" for kind, form in FORMATS.items())


TOLD = News("game", "*A* <b> & @all: open.", "2026-12-01T18:00Z", f"{BASE}a", f"{BASE}a.png")


def test_each_kind_of_channel_gets_its_own_form(chat: tuple[str, list[Sent]]) -> None:
    """H3-18: Discord’s line had no link, no picture, and UTC."""
    address, got = chat
    listed, faults = channels(every_kind(f"{address}/room/topic"))
    assert faults == []
    assert announce(listed, [TOLD]) == []
    discord, slack, matrix, ntfy, mail = got
    assert (
        discord.body["content"]
        == "\\*A\\* \\<b\\> & @\u200ball\\: open\\. Sheets until <t:1796148000:F> (<t:1796148000:R>). [Open](<https://anna.example/games/a>)"
    )
    assert discord.body["allowed_mentions"] == {"parse": []}
    assert discord.body["embeds"] == [{"url": TOLD.address, "image": {"url": TOLD.picture}}]
    section, context, image = slack.body["blocks"]
    assert section["text"] == {"type": "plain_text", "text": "*A* <b> & @all: open.", "emoji": False}
    assert context["elements"][0]["text"] == (
        "Sheets until <!date^1796148000^{date_short_pretty} {time}|2026-12-01T18:00Z> · <https://anna.example/games/a|Open>"
    )
    assert image["image_url"] == TOLD.picture
    assert slack.body["text"].startswith("*A* &lt;b&gt; &amp; @all")
    assert (matrix.method, matrix.token, matrix.path.rpartition("/")[0]) == (
        "PUT",
        "Bearer syt_secret",
        "/room/topic/send/m.room.message",
    )
    assert matrix.body["formatted_body"].startswith(
        "*A* &lt;b&gt; &amp; @all: open. Sheets until 2026-12-01T18:00Z. <a href="
    )
    assert matrix.body["m.mentions"] == {}
    assert (ntfy.path, ntfy.body["topic"], ntfy.body["click"]) == ("/room/", "topic", TOLD.address)
    assert mail.body == {
        "subject": "*A* <b> & @all: open.", "text": "*A* <b> & @all: open. Sheets until 2026-12-01T18:00Z.\nhttps://anna.example/games/a"
    }  # fmt: skip


def test_the_same_news_have_the_same_number_in_matrix() -> None:
    """So a job that is started again does not repeat itself."""
    room = Channel("matrix", "https://m.example/_matrix/client/v3/rooms/!r:m.example", "t")
    first, again, other = (told_in(room, [one]) for one in (TOLD, TOLD, News("game", "Other.")))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first[1] == again[1] != other[1]


def test_a_channel_may_be_for_one_game(chat: tuple[str, list[Sent]]) -> None:
    address, got = chat
    listed, faults = channels(f"summer-2026: discord {address}/one\ndiscord {address}/all\n# a note\n")
    assert faults == []
    assert announce(listed, [News("game", "A."), News("over/summer-2026", "B.")]) == []
    assert {(sent.path, sent.body["content"]) for sent in got} == {("/one", "B\\."), ("/all", "A\\.\nB\\.")}


def test_a_channel_that_fails_does_not_stop_the_others_and_its_address_is_never_shown(
    chat: tuple[str, list[Sent]],
) -> None:
    address, got = chat
    listed, faults = listed_in(
        {
            SECRET: f"discord {address}/full\ndiscord http://127.0.0.1:1/secret\ndiscord {address}/fine",
            "COURTLY_DISCORD": f"{address}/old",
        }
    )
    assert faults == []
    wrong = announce(listed, [TOLD])
    assert [(one.path, one.line) for one in wrong] == [(SECRET, 1), (SECRET, 2)]
    assert {sent.path for sent in got} == {"/old", "/full", "/fine"}
    shown = " ".join([*map(str, wrong), *map(repr, listed)])
    assert "127.0.0.1" not in shown
    assert "secret" not in shown.replace(SECRET, "")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("telegram https://secret.example", "this is not a kind of channel"),
        ("https://secret.example", "this is not a kind of channel"),
        ("discord", "discord needs address"),
        ("matrix https://secret.example", "matrix needs address and token"),
        ("discord http://secret.example/x", "the address does not begin with https://"),
        ("discord https://secret.example/x y", "discord needs address"),
        ("summer-2026:", "this is not a kind of channel"),
        ("discord https://[secret.example", "the address is not one"),
    ],
)
def test_a_faulty_line_is_named_by_its_number(line: str, what: str) -> None:
    listed, (fault,) = channels(f"# ours\n{line}\n")
    assert listed == []
    assert (fault.line, fault.what) == (2, what)
    assert "secret.example" not in f"{fault.what} {fault.right}"


def test_many_news_are_counted() -> None:
    request = told_in(
        Channel("discord", "https://d.example"), [News("game", f"Number {number}.") for number in range(30)]
    )
    assert request is not None
    content = json.loads(request[3])["content"]
    assert content.endswith("Number 14\\.\nAnd 15 more.")


def test_long_news_are_left_out_whole_and_counted() -> None:
    many = [
        News("game", f"Number {number}. " + "word " * 50, "2026-12-01T18:00Z", f"{BASE}a/long/address")
        for number in range(25)
    ]
    for kind, most in (("discord", 2000), ("slack", 10**6)):
        request = told_in(Channel(kind, "https://d.example"), many)
        assert request is not None
        body = json.loads(request[3])
        if kind == "discord":
            *told, more = body["content"].split("\n")
            assert len(body["content"]) <= most
            assert more == f"And {25 - len(told)} more."
            assert all(line.endswith("long/address>)") for line in told)
        else:
            assert len(body["blocks"]) <= 50
            assert body["blocks"][-1]["text"]["text"] == "And 10 more."


def test_the_second_reminder_is_another_message_in_matrix() -> None:
    room = Channel("matrix", "https://m.example/_matrix/client/v3/rooms/!r:m.example", "t")
    first, second = (
        told_in(room, [News("game", "Italy still owes a sheet.", at=at)])
        for at in ("2026-11-21T00:00Z", "2026-11-21T21:00Z")
    )
    assert first is not None
    assert second is not None
    assert first[1] != second[1]


def test_a_batch_without_news_says_nothing(tmp_path: Path) -> None:
    assert [*news(begun(tmp_path).archive, Batch())] == []
