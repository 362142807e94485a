"""Joining: people take an open seat, or ask for one, by pull request; only GitHub knows whose account it is (FH-17)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.ci.history import check_history
from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.punctual import check_reliable, record_of
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.envelope import open_own
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import holder
from adjudicator.rulesets.noblesse.scenario import scenario_named
from adjudicator.site.mkdocs.build import build
from tests import hazard
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, MASTER, SEATS, World, game_data
from tests.ci.fake import git
from tests.conftest import ROOT

ANNA, BEN, CLEO = 501, 502, 503
NEXT = "002-fall-1901-movement"


def with_open(*free: str, **more: Any) -> dict[str, Any]:
    """A game with some open seats."""
    data = game_data(sealed=False, seed="s", **more)
    return data | {"seats": data["seats"] | {seat: {"player": "open"} for seat in free}}


def hidden(**more: Any) -> dict[str, Any]:
    """A game with hidden hands that nobody has joined yet."""
    return game_data(ruleset="hazard", seats={seat: {"player": "open"} for seat in hazard.SEATS}, **more)


def joins(world: World, account: int, seat: str, *, game: str = "open", key: str = "", onto: str = "main") -> str:
    """Ask for a seat, and run intake; return the result."""
    text = f"seat: {seat}\n" + (f"key: {key}\n" if key else "")
    files = {f"games/{game}/join/{seat.lower()}.yaml": text.encode()}
    login = {ANNA: "anna", BEN: "ben"}.get(account, "somebody")
    done = world.intake(world.fake.open_pull(account, login, files, onto=onto))
    return done.line if done.what == "refused" else done.what


def sends(world: World, account: int, name: str, turn: str = FIRST) -> str:
    """Send a sheet for the open game."""
    files = {f"games/open/{turn}/orders/{name}": b"orders: []\n"}
    done = world.intake(world.fake.open_pull(account, "somebody", files))
    return done.line if done.what == "refused" else done.what


def plays(world: World, seat: str, turn: str) -> tuple[str, int | None]:
    """Name and account of the player of a seat in a turn of the open game."""
    world.clone.update()
    game = load_game(world.archive, "open")
    person = holder(game, load_turn(world.archive, game, turn).data, seat)
    return person.player, person.account


def command(world: World, *words: str, code: int = 0) -> str:
    """Output of the command."""
    world.clone.update()
    done = CliRunner().invoke(
        main, ["-C", str(world.root), *words], env={"COURTLY_MASTER": "courtly-master-1-" + "5a" * 32}
    )
    assert done.exit_code == code, done.output
    return done.output


@pytest.mark.slow
def test_the_first_to_ask_gets_the_seat_and_plays_it_and_the_game_verifies(worlds: Callable[..., World]) -> None:
    world = worlds({"open": with_open("Austria", "Italy", join="first")}, open_now=("open",))
    before = world.fake.main()
    number = world.fake.open_pull(ANNA, "anna", {"games/open/join/austria.yaml": b"seat: Austria\n"})
    assert world.intake(number).what == "accepted"
    assert world.fake.read("games/open/join/austria.yaml").decode() == (
        "# Written by intake. It is not changed; a ruling `replace` gives a seat to another.\n"
        f'schema: 1\nseat: Austria\nplayer: anna\naccount: {ANNA}\nturn: "{FIRST}"\nasked: 2026-11-20T12:00Z\n'
    )
    (receipt,) = world.fake.pulls[number].comments
    assert "**Received:** the seat of Austria in open." in receipt
    assert f"The seat is yours from {FIRST} on: send your sheets." in receipt
    assert (world.fake.pulls[number].state, world.fake.dispatched) == ("closed", ["pages.yml"])
    said = world.fake.git("log", "-1", "--format=%B", "main")
    assert said.startswith("Seat of Austria in open\n")
    assert f"Courtly-Account: {ANNA}" in said
    assert sends(world, BEN, "austria.yaml").endswith(
        "your account does not hold Austria; it holds no seat in this game"
    )
    assert sends(world, ANNA, "austria.yaml") == "accepted"
    assert joins(world, BEN, "Austria", onto=before) == "Austria is taken; open seats: Italy"
    assert joins(world, BEN, "Austria").startswith("somebody took this seat before you; ")
    assert (
        joins(world, ANNA, "Italy")
        == "your account plays Austria here, and you can join only one seat; ask the host if you want another"
    )
    assert joins(world, ACCOUNTS["France"], "Italy").startswith("your account plays France here")
    assert (plays(world, "Austria", FIRST), plays(world, "Italy", FIRST)) == (("anna", ANNA), ("open", None))
    # The turn is judged, the other player joins in the second turn, and the first turn stays unchanged.
    world.adjudicate("2026-11-22T00:00:00Z")
    assert joins(world, BEN, "Italy") == "accepted"
    assert sends(world, BEN, "italy.yaml", NEXT) == "accepted"
    assert (plays(world, "Italy", FIRST), plays(world, "Italy", NEXT)) == (("open", None), ("ben", BEN))
    world.adjudicate("2026-11-24T00:00:00Z")
    world.clone.update()
    checked = verify_game(Archive(world.root), "open")
    assert (checked.problems, checked.turns) == ((), 2)
    assert "open seats" not in command(world, "run", "--at", "2026-11-24T00:00Z")
    assert command(world, "check") == "Every game can be judged.\n"


@pytest.mark.slow
def test_a_game_may_ask_for_reliable_players(worlds: Callable[..., World]) -> None:
    """Austria's player sends one sheet of two, and France's both. Whoever has played nothing may join."""
    world = worlds(
        {"open": with_open("Italy", join="first", join_least=60), "other": game_data(sealed=False, seed="t")},
        open_now=("open",),
    )
    for turn, seats in ((FIRST, ("austria", "france")), (NEXT, ("france",))):
        for seat in seats:
            files = {f"games/other/{turn}/orders/{seat}.yaml": b"orders: []\n"}
            assert world.intake(world.fake.open_pull(ACCOUNTS[seat.capitalize()], seat, files)).what == "accepted"
        world.adjudicate("2026-11-22T00:00:00Z" if turn == FIRST else "2026-11-24T00:00:00Z")
    world.clone.update()
    assert record_of(world.archive, ACCOUNTS["Austria"])[0] == 1
    assert record_of(world.archive, BEN) == (0, 0)
    with pytest.raises(Problems) as unreliable:
        check_reliable(world.archive, load_game(world.archive, "open"), ACCOUNTS["Austria"])
    (fault,) = unreliable.value.problems
    assert fault.what.startswith("you sent 1 of the ")
    check_reliable(world.archive, load_game(world.archive, "other"), ACCOUNTS["Austria"])
    assert joins(world, BEN, "Italy") == "accepted"


@pytest.mark.slow
def test_a_forged_join_is_noticed_in_the_history(worlds: Callable[..., World], tmp_path: Path) -> None:
    world = worlds({"open": with_open("Austria", "Italy", join="first")}, open_now=("open",))
    assert joins(world, ANNA, "Austria") == "accepted"
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    assert [note for note in check_history(tmp_path / "whole").notes if "join" in note.path] == []
    path, italys = "games/open/join/austria.yaml", "games/open/join/italy.yaml"
    forged = world.fake.read(path).replace(b"501", b"777")
    world.fake.push_to_main({path: forged, italys: forged.replace(b"Austria", b"Italy")})
    git(tmp_path / "whole", "pull", "--quiet")
    report = check_history(tmp_path / "whole")
    assert [(fault.path, fault.what.partition(" (commit")[0]) for fault in report.problems] == [
        (path, "the record of who joined was changed")
    ]
    assert [note.what.partition(" (commit")[0] for note in report.notes if note.path == italys] == [
        "the record of who joined was not entered by intake"
    ]
    world.fake.push_to_main({path: None})
    git(tmp_path / "whole", "pull", "--quiet")
    assert {fault.what.partition(" (commit")[0] for fault in check_history(tmp_path / "whole").problems} == {
        "the record of who joined is gone"
    }


def test_a_seat_that_was_joined_can_be_given_to_another(worlds: Callable[..., World]) -> None:
    world = worlds({"open": with_open("Austria", join="first")}, open_now=("open",))
    assert joins(world, ANNA, "Austria") == "accepted"
    ruling = b"rulings:\n- {reason: gone, replace: {seat: Austria, player: Cleo, account: 503}}\n"
    assert (
        world.intake(world.fake.open_pull(HOST, "hanna", {f"games/open/{FIRST}/ruling.yaml": ruling})).what
        == "accepted"
    )
    assert "does not hold Austria" in sends(world, ANNA, "austria.yaml")
    assert sends(world, CLEO, "austria.yaml") == "accepted"
    world.adjudicate("2026-11-22T00:00:00Z")
    assert plays(world, "Austria", NEXT) == ("Cleo", CLEO)


def test_the_host_is_asked_and_assigns_the_seat(worlds: Callable[..., World]) -> None:
    world = worlds({"open": with_open("Austria", "Italy", join="ask")}, open_now=("open",))
    assert [joins(world, account, "Austria") for account in (ANNA, BEN)] == ["accepted", "accepted"]
    assert "The host decides who gets the seat." in world.fake.pulls[1].comments[0]
    assert {name for name in world.fake.files() if "/join/" in name} == {
        f"games/open/join/austria.{ANNA}.yaml", f"games/open/join/austria.{BEN}.yaml",
    }  # fmt: skip
    assert (
        joins(world, ANNA, "Italy")
        == "your account has already asked for a seat in this game; wait for the host's answer"
    )
    assert "no account is known for Austria" in sends(world, ANNA, "austria.yaml")
    told = [
        "open: open seats: Austria, Italy",
        "open: anna asks for Austria (2026-11-20T12:00Z); a ruling gives it: replace: {seat: Austria, player: anna, account: 501}",
        "open: ben asks for Austria (2026-11-20T12:00Z); a ruling gives it: replace: {seat: Austria, player: ben, account: 502}",
    ]
    assert command(world, "run", "--at", "2026-11-20T13:00Z").splitlines() == ["Nothing is due.", *told]
    assert [line.partition("  ")[2].strip() for line in command(world, "doctor").splitlines()[-3:]] == told
    gift = told[2].partition("gives it: ")[2]
    ruling = f"rulings:\n- {{reason: Ben plays, {gift}}}\n"
    assert (
        world.intake(world.fake.open_pull(HOST, "hanna", {f"games/open/{FIRST}/ruling.yaml": ruling.encode()})).what
        == "accepted"
    )
    assert sends(world, BEN, "austria.yaml") == "accepted"
    world.adjudicate("2026-11-22T00:00:00Z")
    assert plays(world, "Austria", NEXT) == ("ben", BEN)
    assert command(world, "run", "--at", "2026-11-22T00:00Z").splitlines()[1:] == ["open: open seats: Italy"]
    world.clone.update()
    assert verify_game(Archive(world.root), "open").problems == ()


@pytest.mark.slow
@pytest.mark.usefixtures("with_hazard")
def test_a_hidden_game_opens_when_its_seats_are_taken(worlds: Callable[..., World]) -> None:
    world = worlds({"cards": hidden(join="first")})
    before = world.fake.main()
    assert world.archive.turns("cards") == []
    keys = {seat: new_identity() for seat in hazard.SEATS}
    assert joins(world, ANNA, "Ash", game="cards").endswith("the file has no key; add `key:` with the public line of "
        "`courtly keygen`, which your private news will be sealed to")  # fmt: skip
    for account, seat in ((ANNA, "Ash"), (BEN, "Birch")):
        assert joins(world, account, seat, game="cards", key=recipient_of(keys[seat])) == "accepted"
    assert "The game opens when all its seats are taken." in world.fake.pulls[2].comments[0]
    assert joins(world, CLEO, "Cedar", game="cards", key=recipient_of(keys["Ash"])).endswith(
        "Ash has the same key; each seat needs its own key"
    )
    assert joins(world, CLEO, "Cedar", game="cards", key="age1x").endswith("an age key (age1...) or an SSH key")
    assert world.adjudicate("2026-11-21T00:00:00Z").steps == []
    assert command(world, "run").splitlines() == [
        "Nothing is due.",
        "cards: is waiting for people to join before its first turn opens; open seats: Cedar",
    ]
    assert joins(world, CLEO, "Cedar", game="cards", key=recipient_of(keys["Cedar"])) == "accepted"
    assert [step.what for step in world.adjudicate("2026-11-21T00:00:00Z").steps] == ["opened"]
    (turn,) = world.archive.turns("cards")
    for seat, identity in keys.items():
        news = world.fake.read(f"games/cards/{turn}/dispatches/{seat.lower()}.age")
        assert f"You are {seat}." in open_own(news, [identity], "").decode()
    late = joins(world, 504, "Ash", game="cards", key=recipient_of(new_identity()), onto=before)
    assert late == "this game has hidden information and has begun; ask its host for a seat"
    world.adjudicate("2026-11-23T00:00:00Z")
    world.clone.update()
    assert verify_game(Archive(world.root, MASTER), "cards").problems == ()


def test_missed_requests_to_join_are_caught_up(worlds: Callable[..., World]) -> None:
    world = worlds({"open": with_open("Austria", join="first")}, open_now=("open",))
    for account in (ANNA, BEN):
        world.fake.open_pull(account, "somebody", {"games/open/join/austria.yaml": b"seat: Austria\n"})
        world.fake.now = world.fake.now.replace(hour=13)
    caught = world.catch_up("2026-11-20T14:00:00Z")
    assert [done.what for done in caught.outcomes] == ["accepted", "refused"]
    assert plays(world, "Austria", FIRST) == ("somebody", ANNA)
    # Delivered twice, because a job died before it answered: the same answer, and nothing new.
    head = world.fake.main()
    world.fake.set_state(world.fake.pulls[1], "open")
    world.fake.pulls[1].comments.clear()
    assert world.intake(1).line == "another job has just taken it in, and will answer"
    world.fake.now = world.fake.now.replace(minute=10)
    assert world.intake(1).what == "accepted"
    assert (world.fake.main(), len(world.fake.pulls[1].comments)) == (head, 1)


def test_a_file_that_intake_did_not_write_stops_its_game_and_is_named_with_its_line(
    worlds: Callable[..., World],
) -> None:
    world = worlds({"open": with_open("Austria", join="first")}, open_now=("open",))
    for name, text, said in (
        ("austria.yaml", b"seat: Austria\n", "games/open/join/austria.yaml:1:1: 'account' is missing; add it"),
        ("spain.yaml", b"", "games/open/join/spain.yaml: no seat of this game has a file of that name"),
        ("austria.yaml", b"schema: 1\nseat: Italy\nplayer: x\naccount: 7\nasked: x\n",
         "games/open/join/austria.yaml:1:1: the file's name does not match its contents; restore one or the other"),
    ):  # fmt: skip
        world.clone.update()
        (world.root / "games/open/join").mkdir(exist_ok=True)
        (world.root / "games/open/join" / name).write_bytes(text)
        done = CliRunner().invoke(main, ["-C", str(world.root), "check"])
        assert (done.exit_code, said in done.output) == (1, True), done.output
        assert "Traceback" not in done.output


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_the_site_says_which_seats_are_open_and_how_to_join(worlds: Callable[..., World], tmp_path: Path) -> None:
    masked = game_data(ruleset="noblesse", seats={seat: {"player": "open"} for seat in scenario_named("farna").players})
    world = worlds(
        {"open": with_open("Austria", "Italy", join="ask"), "masks": masked | {"join": "first"}}, open_now=("open",)
    )
    assert joins(world, ANNA, "Austria") == "accepted"
    folder = tmp_path / "group"
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), str(folder))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "site_src", folder / "site_src")
    site = build(folder, tmp_path / "public").parent
    page = (site / "games/open/index.html").read_text()
    assert "Seats open: Austria, Italy. Ask for one; the host decides." in page
    assert "anna asks for Austria (2026-11-20T12:00Z)." in page
    assert (
        "https://github.com/example/games/new/main?filename=games%2Fopen%2Fjoin%2Faustria.yaml&amp;value=seat%3A%20Austria"
        in page
    )
    gathering = (site / "games/masks/index.html").read_text()
    assert "its first turn opens when all its seats are taken" in gathering
    assert "Write your public key into the file" in gathering
    assert "Waiting for players" in (site / "index.html").read_text()


@pytest.mark.usefixtures("with_hazard")
def test_new_makes_a_game_that_waits_for_people(tmp_path: Path) -> None:
    def courtly(*words: str) -> str:
        done = CliRunner().invoke(
            main, ["-C", str(tmp_path), *words], env={"COURTLY_MASTER": "courtly-master-1-" + "5a" * 32}
        )
        assert done.exit_code == 0, done.output
        return done.output

    (tmp_path / "games").mkdir()
    made = courtly("new", "cards", "--ruleset", "hazard", "--join", "first", "--turn", "1d")
    assert made == "Made cards in games/cards. It opens when all its open seats have been taken: Ash, Birch, Cedar.\n"
    assert [path.name for path in (tmp_path / "games/cards").iterdir()] == ["game.yaml"]
    assert courtly("run") == (
        "Nothing is due.\ncards: is waiting for people to join before its first turn opens; open seats: Ash, Birch, Cedar\n"
    )


def test_a_sheet_is_sealed_for_a_seat_only_after_somebody_has_joined_it(
    worlds: Callable[..., World], tmp_path: Path
) -> None:
    data = game_data(join="first")
    world = worlds({"sealed": data | {"seats": data["seats"] | {"Austria": {"player": "open"}}}}, open_now=("sealed",))
    sheet = tmp_path / "austria.yaml"
    sheet.write_text("orders: [A Vienna - Galicia]\n")
    seal = ("seal", str(sheet), "--game", "sealed", "-o", str(tmp_path / "austria.yaml.age"), "--anyway")
    said = f"error: {sheet}: Austria is an open seat; take it first, as the game's page explains, and pull\n"
    assert command(world, *seal, code=1) == said
    assert joins(world, ANNA, "Austria", game="sealed") == "accepted"
    command(world, *seal)
    path = f"games/sealed/{FIRST}/orders/austria.yaml.age"
    body = (tmp_path / "austria.yaml.age").read_bytes()
    assert world.intake(world.fake.open_pull(ANNA, "anna", {path: body})).what == "accepted"
    world.adjudicate("2026-11-22T00:00:00Z")
    turn = world.fake.read(f"games/sealed/{FIRST}/turn.yaml").decode()
    assert ("A Vienna - Galicia" in turn, "refused:" in turn) == (True, False)


def test_seats_with_a_named_player_but_no_account_are_not_open(worlds: Callable[..., World]) -> None:
    data = with_open(join="first")
    world = worlds({"open": data | {"seats": {seat: {"player": seat} for seat in SEATS}}})
    assert joins(world, ANNA, "Austria") == "Austria is taken; open seats: none"
