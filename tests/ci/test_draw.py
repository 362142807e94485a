"""Seats by preference: people rank them by pull request, the game's dice share them out, and anybody can check it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.draw import Kept, Wish, draw_seats
from adjudicator.core.game.game import Names
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.guard import missing_masters
from adjudicator.core.jobs.new import draw_commitment, new_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import kid_of, read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game
from adjudicator.site.mkdocs.build import build
from adjudicator.site.seats import draw_of_seats, gathering_page
from adjudicator.site.story import HIDDEN
from tests import hazard
from tests.ci.conftest import MASTER, World, game_data
from tests.ci.fake import OWNER, git
from tests.conftest import ROOT

ANNA, BEN, CLEO = 501, 502, 503
NAMES = {ANNA: "anna", BEN: "ben", CLEO: "cleo"}
SECRET = "courtly-master-1-" + "5a" * 32
NOON = "2026-11-20T12:00Z"


def started(worlds: Callable[..., World], **more: Any) -> World:
    """A GitHub with a game of hidden hands for three seats that will be drawn."""
    world = worlds({"summer": game_data()})
    data = game_data(ruleset="hazard", seats={seat: {"player": "open"} for seat in hazard.SEATS}, join="preference")
    add_game(world, "cards", **(data | more))
    return world


def add_game(world: World, slug: str, **data: Any) -> None:
    """Add another game, which commits to the draw of its seats if it is sealed."""
    world.clone.update()
    if data["sealed"]:
        data["draw"] = draw_commitment(world.archive, slug, data["id"])
    new_game(world.archive, slug, data)
    assert world.clone.commit(["A game"], NOON)
    assert world.clone.push()


def wishes(world: World, account: int, *seats: str, key: str | None = None, game: str = "cards", more: str = "") -> str:
    """Wish for seats, and run intake; return the result."""
    lines = "".join(f"- {seat}\n" for seat in seats)
    text = (f"seats:\n{lines}" if seats else "seats: []\n") + (f"key: {key}\n" if key else "")
    text += more
    login = NAMES.get(account, "somebody")
    done = world.intake(world.fake.open_pull(account, login, {f"games/{game}/join/wish.yaml": text.encode()}))
    return done.line if done.what == "refused" else done.what


def keys() -> tuple[str, str, str]:
    return (recipient_of(new_identity()), recipient_of(new_identity()), recipient_of(new_identity()))


def all_wish(world: World) -> None:
    """Anna, Ben and Cleo wish for seats: all like Ash best, and Cleo wants no other."""
    first, second, third = keys()
    assert wishes(world, ANNA, "Ash", "Birch", "Cedar", key=first) == "accepted"
    assert wishes(world, BEN, "Ash", "Cedar", key=second) == "accepted"
    assert wishes(world, CLEO, "Ash", key=third) == "accepted"


def command(world: World, *words: str, code: int = 0) -> str:
    world.clone.update()
    done = CliRunner().invoke(main, ["-C", str(world.root), *words], env={"COURTLY_MASTER": SECRET})
    assert done.exit_code == code, done.output
    return done.output


@pytest.mark.slow
@pytest.mark.usefixtures("with_hazard")
def test_people_rank_seats_and_the_seats_are_drawn(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    first, second, third = keys()
    number = world.fake.open_pull(
        ANNA, "anna", {"games/cards/join/wish.yaml": f"seats: [Ash, Cedar]\nkey: {first}\n".encode()}
    )
    assert world.intake(number).what == "accepted"
    assert world.fake.read(f"games/cards/join/wish.{ANNA}.yaml").decode() == (
        "# Written by intake. It is not changed: the draw of the seats mixes it in.\n"
        f"schema: 1\nseats:\n- Ash\n- Cedar\nplayer: anna\naccount: {ANNA}\nkey: {first}\nasked: {NOON}\n"
    )
    said = world.fake.git("log", "-1", "--format=%B", "main")
    assert said.startswith("Wish for a seat in cards\n")
    assert wishes(world, BEN, "Ash", key=second) == "accepted"
    assert world.adjudicate("2026-11-21T00:00:00Z").steps == []
    told = [
        "cards: is waiting for people to join before its first turn opens; open seats: Ash, Birch, Cedar",
        "cards: 2 of 3 wishes are in (anna, ben); when all are, a run draws who gets which seat",
    ]
    assert command(world, "run", "--at", NOON).splitlines() == ["Nothing is due.", *told]
    assert [line.partition("  ")[2].strip() for line in command(world, "doctor").splitlines()[-2:]] == told
    assert wishes(world, CLEO, "Ash", key=third) == "accepted"
    steps = world.adjudicate("2026-11-21T00:00:00Z").steps
    assert [(step.what, step.phase) for step in steps] == [("drew", "its seats"), ("opened", "Round 1, cards")]
    world.clone.update()
    game = load_game(world.archive, "cards")
    assert game.drawn is not None
    assert {seat: joined.account for seat, joined in game.joined.items()} == {
        pick.seat: pick.account for pick in game.drawn.picks
    }
    assert {joined.account for joined in game.joined.values()} == {ANNA, BEN, CLEO}
    assert {joined.account: joined.key for joined in game.joined.values()} == {ANNA: first, BEN: second, CLEO: third}
    best = next(pick for pick in game.drawn.picks)
    assert (best.seat, best.choice) == ("Ash", 1)
    (turn,) = world.archive.turns("cards")
    for joined in game.joined.values():
        assert (world.root / f"games/cards/{turn}/dispatches/{joined.seat.lower()}.age").is_file()
    # The person who was given a seat plays it, and nobody else; everything verifies, even without the secret.
    for joined in game.joined.values():
        other = next(seat for seat in game.seats if seat != joined.seat)
        path = f"games/cards/{turn}/orders/{other.lower()}.yaml"
        done = world.intake(world.fake.open_pull(joined.account, "x", {path: b"orders: []\n"}))
        assert f"your account does not hold {other}; it holds {joined.seat}" in done.line
    assert verify_game(Archive(world.root, MASTER), "cards").problems == ()
    assert verify_game(Archive(world.root), "cards").problems == ()
    assert command(world, "check") == "Every game can be judged.\n"
    world.adjudicate("2026-11-23T00:00:00Z")
    world.clone.update()
    assert verify_game(Archive(world.root, MASTER), "cards").problems == ()
    late = wishes(world, 504, "Ash", key=keys()[0])
    assert late == "this game has begun, and its seats have been drawn; ask its host for a seat"


@pytest.mark.usefixtures("with_hazard")
def test_faulty_wishes_are_refused(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    first, second, third = keys()
    path = "games/cards/join/wish.yaml"
    assert wishes(world, ANNA, key=first).endswith(
        "it names no seat; rank those you would like, best first: Ash, Birch, Cedar"
    )
    assert "no seat is called 'Oak'" in wishes(world, ANNA, "Oak", key=first)
    assert wishes(world, ANNA, "Ash", "Birch", "Ash", key=first).endswith("Ash is listed twice; name each seat once")
    assert "the file has no key; add `key:`" in wishes(world, ANNA, "Ash")
    assert wishes(world, ANNA, "Ash", key="age1x").endswith("an age key (age1...) or an SSH key")
    assert "unknown key 'account'" in wishes(world, ANNA, "Ash", key=first, more="account: 7\n")
    asked = world.intake(world.fake.open_pull(ANNA, "anna", {"games/cards/join/ash.yaml": b"seat: Ash\n"}))
    said = f"nobody chooses a seat in this game: the seats are drawn; send {path}, in which you rank the seats you would like"
    assert asked.line == said
    assert wishes(world, ANNA, "Ash", key=first) == "accepted"
    assert wishes(world, BEN, "Ash", key=first).endswith("anna has the same key; each seat needs its own key")
    assert wishes(world, ANNA, "Ash", key=first) == "accepted"  # delivered twice, as after a job that died
    assert wishes(world, ANNA, "Birch", key=first).endswith(
        "you sent a different wish before; the earlier one counts: the draw of the seats depends on it"
    )
    assert wishes(world, BEN, "Ash", key=second) == "accepted"
    assert wishes(world, CLEO, "Ash", key=third) == "accepted"
    assert wishes(world, 504, "Ash", key=keys()[0]).startswith(
        "as many people already want to play as there are open seats: 3; ask"
    )
    assert (
        wishes(world, 101, "Austria", game="summer")
        == "this game cannot be joined by pull request; ask its host for a seat"
    )


@pytest.mark.usefixtures("with_hazard")
def test_a_player_in_the_game_cannot_wish_for_a_second_seat(worlds: Callable[..., World]) -> None:
    people = {seat: {"player": "open"} for seat in hazard.SEATS}
    people["Ash"] = {"player": "Anna", "account": ANNA, "key": keys()[0]}  # type: ignore[dict-item]
    world = started(worlds, seats=people)
    assert wishes(world, ANNA, "Birch", key=keys()[0]).startswith(
        "your account plays Ash here, and you can join only one seat"
    )
    assert wishes(world, BEN, "Ash", key=keys()[0]).endswith("Ash is taken; open seats: Birch, Cedar")
    for account in (BEN, CLEO):
        assert wishes(world, account, "Birch", key=keys()[0]) == "accepted"
    assert [step.what for step in world.adjudicate("2026-11-21T00:00:00Z").steps] == ["drew", "opened"]
    world.clone.update()
    game = load_game(world.archive, "cards")
    assert {player.account for player in game.data.seats.values()} == {ANNA, None}
    assert {joined.account for joined in game.joined.values()} == {BEN, CLEO}
    assert verify_game(world.archive, "cards").problems == ()


@pytest.mark.usefixtures("with_hazard")
def test_a_person_whom_the_host_seats_meanwhile_is_left_out_of_the_draw(worlds: Callable[..., World]) -> None:
    """Their wish stays in the file but the draw ignores it: there are as many people left as seats, so the draw goes ahead."""
    world = started(worlds)
    key = keys()[0]
    assert wishes(world, ANNA, "Birch", key=key) == "accepted"
    assert wishes(world, BEN, "Ash", key=keys()[0]) == "accepted"
    text = world.fake.read("games/cards/game.yaml").decode()
    assert "Ash: {player: open}" in text
    text = text.replace("Ash: {player: open}", f"Ash: {{player: Anna, account: {ANNA}, key: {key}}}")
    world.fake.push_to_main({"games/cards/game.yaml": text.encode()})
    assert wishes(world, CLEO, "Birch", key=keys()[0]) == "accepted"
    world.adjudicate("2026-11-21T00:00:00Z")
    world.clone.update()
    game = load_game(world.archive, "cards")
    assert game.drawn is not None
    assert {pick.account for pick in game.drawn.picks} == {BEN, CLEO}
    assert verify_game(world.archive, "cards").problems == ()


@pytest.mark.usefixtures("with_hazard")
def test_a_run_without_the_secret_draws_nothing_and_says_so(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    all_wish(world)
    world.clone.update()
    done = CliRunner().invoke(main, ["-C", str(world.root), "run"], env={"COURTLY_MASTER": ""})
    assert done.exit_code == 1
    said = "the master secret behind the commitment to the draw of the seats is not here; give it in COURTLY_MASTER"
    assert said in done.output
    assert not (world.root / "games/cards/join/draw.yaml").exists()
    other = "courtly-master-1-" + "6b" * 32
    assert said in CliRunner().invoke(main, ["-C", str(world.root), "run"], env={"COURTLY_MASTER": other}).output
    # The code searches a list of secrets for the one in the commitment.
    both = f"{other}\n{SECRET}"
    done = CliRunner().invoke(main, ["-C", str(world.root), "run"], env={"COURTLY_MASTER": both})
    assert done.output.startswith("cards: drew its seats\ncards: opened Round 1, cards\n")
    assert kid_of(read_masters(both, "").secrets[0]) != kid_of(MASTER.secrets[0])


# The draw ---------------------------------------------------------------------------------------------------------


def kept(account: int, *seats: str) -> Kept:
    wish = Wish(schema=1, seats=seats, player=f"p{account}", account=account, asked=NOON)
    return Kept(wish, hashlib.sha256(f"{account} {seats}".encode()).hexdigest())


SEATS = ("Austria", "England", "France", "Germany", "Italy")


def by_hand(secret: bytes, slug: str, all_wishes: list[Kept], seats: tuple[str, ...]) -> list[tuple[int, str | None]]:
    """The draw as the page Dice describes it, written only from that page: account and seat, in the order of choosing."""
    lines = sorted((str(one.wish.account), one.digest) for one in all_wishes)
    mixed = hashlib.sha256("".join(f"{who} {digest}\n" for who, digest in lines).encode()).hexdigest()
    key = hmac.new(secret, f"mix|{slug}|seats|{mixed}".encode(), "sha256").digest()

    def roll(name: str, sides: int) -> int:
        counter = 0
        while True:
            number = int.from_bytes(hmac.new(key, f"{name}|{counter}".encode(), "sha256").digest()[:8], "big")
            if number < 2**64 - 2**64 % sides:
                return number % sides
            counter += 1

    def shuffled(name: str, items: list[Any]) -> list[Any]:
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            pick = roll(f"{name}:{last}", last + 1)
            items[last], items[pick] = items[pick], items[last]
        return items

    order = shuffled("order", sorted(all_wishes, key=lambda one: one.wish.account))
    free = list(seats)
    got: dict[int, str | None] = {one.wish.account: None for one in order}
    for one in order:
        for seat in one.wish.seats:
            if seat in free:
                got[one.wish.account] = seat
                free.remove(seat)
                break
    left = shuffled("left", free)
    for account, seat in got.items():
        if seat is None and left:
            got[account] = left.pop(0)
    return list(got.items())


@pytest.mark.parametrize("number", range(40))
def test_the_draw_works_as_its_page_describes(number: int) -> None:
    """Everybody gets one seat, nobody could have a better one that fell to a later choice, and the second implementation agrees."""
    secret = hashlib.sha256(b"%d" % number).digest()
    offered = [
        kept(100 + at, *(SEATS[(at * number + step) % 5] for step in range(1 + (at + number) % 3))) for at in range(5)
    ]
    draw = draw_seats("cards", secret, offered, SEATS, NOON)
    assert [(pick.account, pick.seat) for pick in draw.picks] == by_hand(secret, "cards", offered, SEATS)
    assert sorted(pick.seat or "" for pick in draw.picks) == sorted(SEATS)
    assert {pick.account for pick in draw.picks} == {one.wish.account for one in offered}
    wanted = {one.wish.account: one.wish.seats for one in offered}
    free = set(SEATS)
    for pick in draw.picks:
        first = next((seat for seat in wanted[pick.account] if seat in free), None)
        if pick.choice is None:
            assert first is None
        else:
            assert pick.seat == first == wanted[pick.account][pick.choice - 1]
            free.discard(pick.seat or "")
    assert draw == draw_seats("cards", secret, offered[::-1], SEATS, NOON)


def test_changing_any_wish_or_the_secret_changes_the_draw() -> None:
    """Nobody who sends a wish can foresee the draw: another digest, another order."""
    offered = [kept(100 + at, *SEATS) for at in range(5)]
    orders = set()
    for number in range(60):
        last = Kept(offered[4].wish, hashlib.sha256(b"%d" % number).hexdigest())
        orders.add(
            tuple(pick.account for pick in draw_seats("cards", b"s" * 32, [*offered[:4], last], SEATS, None).picks)
        )
    assert len(orders) > 30
    assert draw_seats("cards", b"s" * 32, offered, SEATS, None) != draw_seats("cards", b"t" * 32, offered, SEATS, None)


def test_every_order_of_the_people_is_equally_likely() -> None:
    offered = [kept(100 + at, "Austria") for at in range(3)]
    counts: dict[tuple[int, ...], int] = {}
    for number in range(1200):
        draw = draw_seats("cards", hashlib.sha256(b"%d" % number).digest(), offered, SEATS[:3], None)
        order = tuple(pick.account for pick in draw.picks)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(150 <= count <= 250 for count in counts.values()), counts


def test_with_more_people_than_seats_the_last_get_none() -> None:
    offered = [kept(100 + at, "Austria", "England") for at in range(3)]
    picks = draw_seats("cards", b"s" * 32, offered, ("Austria", "England"), None).picks
    assert [pick.seat for pick in picks] == ["Austria", "England", None]


# Changed afterwards -----------------------------------------------------------------------------------------------


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("with_hazard")
def test_a_changed_draw_or_wish_is_noticed(worlds: Callable[..., World], tmp_path: Path) -> None:
    world = started(worlds)
    all_wish(world)
    world.adjudicate("2026-11-21T00:00:00Z")
    world.clone.update()
    game = load_game(world.archive, "cards")
    assert game.drawn is not None
    one, two, _ = (str(pick.seat) for pick in game.drawn.picks)
    draw, wish = "games/cards/join/draw.yaml", f"games/cards/join/wish.{CLEO}.yaml"

    def swap_seats(root: Path) -> None:
        path = root / draw
        text = path.read_text(encoding="utf-8")
        path.write_text(
            text.replace(f"seat: {one}", "seat: X")
            .replace(f"seat: {two}", f"seat: {one}")
            .replace("seat: X", f"seat: {two}"),
            encoding="utf-8",
        )

    def new_wish(root: Path) -> None:
        changed(root / wish, "- Ash", "- Birch")

    def no_wish(root: Path) -> None:
        (root / wish).unlink()

    def one_more(root: Path) -> None:
        text = (root / wish).read_text(encoding="utf-8").replace("503", "504").replace("cleo", "dora")
        (root / wish.replace("503", "504")).write_text(text, encoding="utf-8")

    def other_secret(root: Path) -> None:
        changed(root / draw, game.drawn.secret if game.drawn else "", "00" * 32)

    def other_commitment(root: Path) -> None:
        changed(root / "games/cards/game.yaml", game.data.draw or "", "00" * 32)

    def other_roll(root: Path) -> None:
        changed(root / draw, "sides: 3", "sides: 4")

    def no_draw(root: Path) -> None:
        (root / draw).unlink()

    def comment(root: Path) -> None:
        changed(root / draw, "schema: 1", "schema: 1 # one")

    for does, path, said in (
        (swap_seats, draw, "drawn again, account"),
        (new_wish, wish, "this wish differs from the one in the draw"),
        (no_wish, wish, "this wish is missing, although its author got a seat in the draw"),
        (one_more, wish.replace("503", "504"), "this wish was not in the draw"),
        (other_secret, draw, "the secret of the draw does not match the commitment in game.yaml"),
        (other_commitment, draw, "the secret of the draw does not match the commitment in game.yaml"),
        (other_roll, draw, "drawn again, its digest or its rolls differ"),
        (no_draw, draw, "the game has begun, but the draw of its seats is missing"),
        (comment, draw, "the file differs from what the draw writes"),
    ):
        root = tmp_path / does.__name__
        shutil.copytree(world.root, root)
        assert verify_game(Archive(root), "cards").problems == ()
        does(root)
        found = [(fault.path, fault.what) for fault in verify_game(Archive(root), "cards").problems]
        assert any(at == path and what.startswith(said) for at, what in found), (does.__name__, found)
        assert any(fault.path == path for fault in check_archive(Archive(root, MASTER))), does.__name__


@pytest.mark.usefixtures("with_hazard")
def test_a_draw_from_a_different_commitment_or_wish_opens_no_game(worlds: Callable[..., World]) -> None:
    """A draw that was written by hand before the first turn stops its game."""
    world = started(worlds)
    all_wish(world)
    world.clone.update()
    forged = (
        'schema: 1\nsecret: "' + "00" * 32 + '"\ndigest: x\npicks:\n'
        + "".join(f"- {{account: {who}, player: x, wish: x, seat: {seat}}}\n" for who, seat in zip(NAMES, hazard.SEATS, strict=True))
    )  # fmt: skip
    (world.root / "games/cards/join/draw.yaml").write_text(forged, encoding="utf-8")
    done = CliRunner().invoke(main, ["-C", str(world.root), "run"], env={"COURTLY_MASTER": SECRET})
    assert done.exit_code == 1
    assert "the secret of the draw does not match the commitment in game.yaml" in done.output
    assert world.archive.turns("cards") == []


@pytest.mark.usefixtures("with_hazard")
def test_files_that_no_job_wrote_stop_their_game_and_are_named_with_their_line(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    world.clone.update()
    join = world.root / "games/cards/join"
    join.mkdir()
    for name, text, said in (
        ("wish.501.yaml", "seats: [Ash]\n", "games/cards/join/wish.501.yaml:1:1: 'account' is missing; add it"),
        ("wish.501.yaml", "schema: 1\nseats: [Ash]\nplayer: x\naccount: 7\nasked: x\n",
         "games/cards/join/wish.501.yaml:1:1: the file's name does not match its contents"),
        ("wish.501.yaml", "schema: 1\nseats: [Oak]\nplayer: x\naccount: 501\nasked: x\n",
         "games/cards/join/wish.501.yaml:2:1: no seat is called 'Oak'"),
        ("draw.yaml", "schema: 1\n", "games/cards/join/draw.yaml:1:1: 'digest' is missing; add it"),
        ("draw.yaml", "schema: 1\nsecret: x\ndigest: x\npicks:\n" + "- {account: 1, player: x, wish: x, seat: Ash}\n" * 2,
         "games/cards/join/draw.yaml:4:1: a seat is given twice, or is not in this game"),
        ("wish.x.yaml", "", "games/cards/join/wish.x.yaml: no seat of this game has a file of that name"),
    ):  # fmt: skip
        (join / name).write_text(text, encoding="utf-8")
        done = CliRunner().invoke(main, ["-C", str(world.root), "check"])
        assert (done.exit_code, said in done.output) == (1, True), done.output
        assert "Traceback" not in done.output
        (join / name).unlink()


# Making such a game -----------------------------------------------------------------------------------------------


def courtly(folder: Path, *words: str, master: str = SECRET) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", str(folder), *words], env={"COURTLY_MASTER": master})
    return done.exit_code, done.output


def test_new_makes_a_game_whose_seats_are_drawn(tmp_path: Path) -> None:
    code, said = courtly(tmp_path, "new", "game", "--here", "--sealed", "--join", "preference", "--seat", "Italy=Ida")
    free = "Austria, England, France, Germany, Russia, Turkey"
    opens = f"It opens when all its open seats have been taken: {free}."
    assert (code, said) == (0, f"Made game in games/game. {opens}\n")
    game = load_game(Archive(tmp_path), "game")
    assert game.data.draw == draw_commitment(Archive(tmp_path, MASTER), "game", game.data.id or "")
    code, said = courtly(tmp_path, "new", "now", "--sealed", "--join", "preference", "--open-now")
    right = "the game opens when its seats have been drawn (--join preference); leave this out"
    assert (code, said) == (1, f"error: --open-now: {right}\n")


def test_new_warns_of_a_draw_that_anybody_can_compute(tmp_path: Path) -> None:
    code, said = courtly(tmp_path, "new", "game", "--here", "--join", "preference")
    assert code == 0
    assert "anybody can compute the draw of its seats, and whoever sends the last wish can exploit that" in said
    archive = Archive(tmp_path)
    assert load_game(archive, "game").data.draw is None
    for account in range(501, 508):
        path = tmp_path / f"games/game/join/wish.{account}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"schema: 1\nseats: [France]\nplayer: p{account}\naccount: {account}\nasked: {NOON}\n")
    code, said = courtly(tmp_path, "run", "--at", "2026-11-21T00:00Z", master="")
    assert (code, said) == (0, "game: drew its seats\ngame: opened Spring 1901, movement\n")
    assert verify_game(archive, "game").problems == ()
    game = load_game(archive, "game")
    assert game.joined["France"].account == game.drawn.picks[0].account  # type: ignore[union-attr]


def test_a_sealed_game_without_a_commitment_to_its_draw_is_refused(tmp_path: Path) -> None:
    courtly(tmp_path, "new", "game", "--here", "--sealed", "--join", "preference")
    path = tmp_path / "games/game/game.yaml"
    text = path.read_text(encoding="utf-8")
    draw = load_game(Archive(tmp_path), "game").data.draw or ""
    for other, said in (
        ("", "the seats are to be drawn, but nothing commits to the draw"),
        ("draw: x\n", "'x' is not a commitment; write 64 hexadecimal digits in quotation marks"),
    ):
        line = next(line for line in text.splitlines(keepends=True) if draw in line)
        path.write_text(text.replace(line, other), encoding="utf-8")
        with pytest.raises(Problems, match=said):
            load_game(Archive(tmp_path), "game")


def test_an_impossible_draw_is_reported_before_anybody_sends_a_wish(tmp_path: Path) -> None:
    """Anyone with the master secret derives the commitment and compares: here `id` was edited, and all wishes would be in vain."""
    courtly(tmp_path, "new", "game", "--here", "--sealed", "--join", "preference")
    assert courtly(tmp_path, "check")[0] == 0
    path = tmp_path / "games/game/game.yaml"
    own = load_game(Archive(tmp_path), "game").data.id or ""
    changed(path, own, "0f" * 8)
    said = "the master secret behind the commitment to the draw of the seats is not here"
    for words in (("check",), ("run",)):
        code, told = courtly(tmp_path, *words)
        assert (code, said in told) == (1, True), told
    assert courtly(tmp_path, "check", master="")[0] == 0


# The page ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_the_site_shows_the_wishes_and_the_draw_with_its_proof(worlds: Callable[..., World], tmp_path: Path) -> None:
    world = worlds({"summer": game_data()})
    seats = {seat: {"player": "open"} for seat in ("Assyria", "Babylon")}
    for slug in ("waits", "drawn"):
        add_game(
            world,
            slug,
            **game_data(seats=seats, join="preference", settings={"board": "two_rivers"}, title=slug.title()),
        )
        assert wishes(world, ANNA, "Babylon", "Assyria", game=slug) == "accepted"
    assert wishes(world, BEN, "Babylon", game="drawn") == "accepted"
    world.adjudicate("2026-11-21T00:00:00Z")
    # A game that all have joined but no run has opened yet: its page stays where people find it.
    add_game(world, "full", **game_data(seats=seats, join="first", settings={"board": "two_rivers"}, title="Full"))
    for account, seat in ((ANNA, "assyria"), (BEN, "babylon")):
        asking = {f"games/full/join/{seat}.yaml": f"seat: {seat.title()}\n".encode()}
        assert world.intake(world.fake.open_pull(account, NAMES[account], asking)).what == "accepted"
    folder = tmp_path / "group"
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), str(folder))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "site_src", folder / "site_src")
    site = build(folder, tmp_path / "public").parent
    waits = (site / "games/waits/index.html").read_text()
    assert "Once there are as many wishes as open seats, the seats are drawn" in waits
    assert "1 of 2 are in." in waits
    assert "Babylon, Assyria" in waits
    assert f"https://github.com/{OWNER}/new/main?filename=games%2Fwaits%2Fjoin%2Fwish.yaml&amp;value=" in waits
    full = (site / "games/full/index.html").read_text()
    assert "all its seats are taken; its first turn opens soon" in full
    assert "Open seats" not in full
    home = (site / "index.html").read_text()
    rows = dict(re.findall(r'<h3><a href="[^"]+">(Waits|Full)</a></h3>(.*?)</article>', home))
    assert re.findall(r">\+ (\w+)<", rows["Waits"]) == ["Assyria", "Babylon"]
    assert "Take a seat" in rows["Waits"]
    assert "all its seats are taken; its first turn opens soon" in rows["Full"]
    assert "Take a seat" not in rows["Full"]
    drawn = (site / "games/drawn/index.html").read_text()
    game = load_game(Archive(folder), "drawn")
    assert game.drawn is not None
    assert "How the seats were drawn" in drawn
    assert "Open seats" not in drawn
    for shown in (game.data.draw, game.drawn.secret, game.drawn.digest, *(pick.wish for pick in game.drawn.picks)):
        assert shown is not None
        assert shown in drawn
    people = [pick.player for pick in game.drawn.picks]
    game.data = replace(game.data, names=Names.AT_END)
    for over, named in ((False, False), (True, True)):
        told = str(draw_of_seats(game, "", over=over))
        assert [person in told for person in people] == [named] * len(people), over
        assert (HIDDEN in told) != named
    waiting = load_game(Archive(folder), "waits")
    waiting.data = replace(waiting.data, names=Names.AT_END)
    assert HIDDEN in str(gathering_page(Archive(folder), waiting, ""))
    desk = json.loads((site / "games/drawn/desk.json").read_text())
    assert {seat["account"]: seat["open"] for seat in desk["seats"]} == {ANNA: False, BEN: False}


@pytest.mark.slow
@pytest.mark.usefixtures("with_hazard")
def test_the_draw_is_still_checked_after_the_game_is_over(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    all_wish(world)
    world.adjudicate("2026-11-21T00:00:00Z")
    world.clone.update()
    (turn,) = world.archive.turns("cards")
    ending = b"rulings:\n- {reason: All agree., end: {how: called off}}\n"
    world.fake.push_to_main({f"games/cards/{turn}/ruling.yaml": ending})
    assert ("over/cards", "put away") in [
        (step.game, step.what) for step in world.adjudicate("2026-11-21T01:00:00Z").steps
    ]
    world.clone.update()
    assert verify_game(Archive(world.root), "cards").problems == ()
    draw = world.root / "games/over/cards/join/draw.yaml"
    draw.write_text(draw.read_text().replace("choice: 1", "choice: 2"))
    (said,) = verify_game(Archive(world.root), "cards").problems
    assert str(said).endswith("chooses differently from the draw; restore it from the history")


@pytest.mark.usefixtures("with_hazard")
def test_a_host_who_names_every_player_needs_no_draw(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    assert wishes(world, ANNA, "Ash", key=keys()[0]) == "accepted"
    game = world.fake.read("games/cards/game.yaml").decode()
    for seat, account, key in zip(hazard.SEATS, (901, 902, 903), keys(), strict=True):
        said = f"{seat}: {{player: P{account}, account: {account}, key: {key}}}"
        assert f"{seat}: {{player: open}}" in game
        game = game.replace(f"{seat}: {{player: open}}", said)
    world.fake.push_to_main({"games/cards/game.yaml": game.encode()})
    batch = world.adjudicate("2026-11-21T00:00:00Z")
    assert ([step.what for step in batch.steps], batch.problems) == (["opened"], [])
    world.clone.update()
    assert command(world, "check") == "Every game can be judged.\n"
    assert verify_game(Archive(world.root), "cards").problems == ()


@pytest.mark.usefixtures("with_hazard")
def test_a_draw_that_needs_a_missing_secret_is_reported_before_anybody_sends_a_wish(
    worlds: Callable[..., World],
) -> None:
    """H3-10: even for a game without a turn."""
    world = started(worlds)
    world.clone.update()
    assert missing_masters(Archive(world.root, MASTER)) == {}
    said = missing_masters(Archive(world.root))
    assert set(said) == {"cards", "summer"}
    assert "the master secret behind the commitment to the draw of the seats is not here" in str(said["cards"][0])


@pytest.mark.usefixtures("with_hazard")
def test_the_page_offers_only_the_open_doors_for_a_wish(worlds: Callable[..., World]) -> None:
    world = started(worlds)
    world.clone.update()
    game = load_game(world.archive, "cards")
    both = str(gathering_page(world.archive, game, "../../"))
    assert "/new/main?" in both
    assert "/issues/new?" in both
    charter = world.root / "games/archive.yaml"
    charter.write_text(charter.read_text() + "doors: [issues]\n")
    one = str(gathering_page(world.archive, game, "../../"))
    assert "/new/main?" not in one
    assert "/issues/new?" in one
