"""`courtly play`: stand-ins' sheets go where players' would, never replace one, and are judged like any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.play import write_stand_in_sheets
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.turn.load import load_all, load_turn
from tests import hazard
from tests.conftest import ROOT
from tests.core.test_deadlines import FIRST, MASTER, SEATS, Play
from tests.core.test_secrets import MASTER as TABLE
from tests.core.test_secrets import Table

pytestmark = pytest.mark.usefixtures("with_hazard", "plain_maps")

AT = "2026-12-01T00:00Z"
SAVED = ROOT / "tests" / "data" / "saved-by-diplomacy.json"


def courtly(root: Path, *args: str, master: str = "") -> Result:
    env = {"COURTLY_MASTER": master, "COURTLY_MASTER_FILE": ""}
    result = CliRunner().invoke(main, ["-C", str(root), *args], env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit), f"a traceback: {result.exc_info}"
    return result


def files(root: Path) -> dict[str, bytes]:
    """Files of the archive, without its lock, which comes and goes."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted((root / "games").rglob("*.*")) if p.is_file()}


def sheets(root: Path) -> dict[str, bytes]:
    return {name: body for name, body in files(root).items() if "/orders/" in name}


@pytest.fixture
def game(tmp_path: Path) -> Play:
    return Play(tmp_path / "game")


# Whose sheets -----------------------------------------------------------------------------------------------------


def test_only_seats_that_owe_a_sheet_and_sent_none_get_one(game: Play) -> None:
    before = {path: path.read_bytes() for path in (game.sheet("Austria", "A Vienna H"), game.sheet("England"))}
    done = courtly(game.root, "play", "game", "--all", "--seed", "s")
    left = [seat for seat in SEATS if seat not in {"Austria", "England"}]
    assert (done.exit_code, done.stdout) == (0, f"Sheets written for {', '.join(left)}, with the seed s.\n")
    assert {path: path.read_bytes() for path in before} == before
    assert {Path(name).name for name in sheets(game.root)} == {f"{seat.lower()}.yaml" for seat in SEATS}
    assert all(
        body.startswith(b"# By a stand-in.\norders:\n") for name, body in sheets(game.root).items() if "fr" in name
    )
    kept = files(game.root)
    again = courtly(game.root, "play", "game", "--all")
    assert (again.exit_code, again.stdout) == (0, "None of these sheets is missing.\n")
    assert files(game.root) == kept
    assert courtly(game.root, "check").exit_code == 0


def test_named_seats_and_no_others_are_played(game: Play) -> None:
    done = courtly(game.root, "--json", "play", "game", "--stand-in", "Italy", "--stand-in", "Italy", "--seed", "s")
    assert json.loads(done.stdout) == {"seats": ["Italy"], "seed": "s"}
    assert [*sheets(game.root)] == [f"games/game/{FIRST}/orders/italy.yaml"]
    again = courtly(game.root, "--json", "play", "game", "--stand-in", "Italy", "--seed", "t")
    assert json.loads(again.stdout)["seats"] == []


def test_seats_with_nothing_to_order_get_no_sheet(game: Play) -> None:
    while len(game.turn().data.owing) == len(SEATS) and len(game.turns) < 20:
        assert courtly(game.root, "play", "game", "--all", "--seed", "1", "--turns", "1", "--at", AT).exit_code == 0
    due = game.turn().data.owing
    assert 0 < len(due) < len(SEATS)
    done = courtly(game.root, "--json", "play", "game", "--all", "--seed", "1")
    assert json.loads(done.stdout)["seats"] == [*due]


def test_the_reported_seed_gives_the_same_bytes(game: Play, tmp_path: Path) -> None:
    other, third = game.copy(tmp_path / "other"), game.copy(tmp_path / "third")
    seed = json.loads(courtly(game.root, "--json", "play", "game", "--all").stdout)["seed"]
    said = courtly(other.root, "play", "game", "--all", "--seed", seed)
    assert said.stdout.endswith(f", with the seed {seed}.\n")
    assert sheets(other.root) == sheets(game.root)
    # Two seeds give the same opening about once in a hundred times, so compare the reported seeds, which always differ.
    assert json.loads(courtly(third.root, "--json", "play", "game", "--all").stdout)["seed"] != seed
    assert len(sheets(third.root)) == 7


def test_another_seed_gives_other_sheets(game: Play, tmp_path: Path) -> None:
    other = game.copy(tmp_path / "other")
    for world, seed in ((game, "1"), (other, "2")):
        assert courtly(world.root, "play", "game", "--all", "--seed", seed).exit_code == 0
    assert sheets(game.root) != sheets(other.root)


def test_the_seed_is_reported_even_if_turns_are_judged(game: Play, tmp_path: Path) -> None:
    other = game.copy(tmp_path / "other")
    done = courtly(game.root, "--json", "play", "game", "--all", "--turns", "1", "--at", AT)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    (seed,) = {row["seed"] for row in rows if "seed" in row}
    courtly(other.root, "play", "game", "--all", "--turns", "1", "--at", AT, "--seed", seed)
    assert files(other.root) == files(game.root)


def test_an_empty_seed_is_used_as_given(game: Play, tmp_path: Path) -> None:
    other = game.copy(tmp_path / "other")
    for world in (game, other):
        assert courtly(world.root, "play", "game", "--all", "--seed", "").exit_code == 0
    assert sheets(game.root) == sheets(other.root)


def test_standing_orders_count_as_sent_by_the_player(game: Play) -> None:
    game.sheet("Austria", "A Vienna H", standing=True)
    game.run(AT, now=True)
    assert "movement" in game.turn().name
    assert "Austria" not in write_stand_in_sheets(game.archive, "game", SEATS, "s")


def test_a_stand_in_plays_the_position_that_a_ruling_left(game: Play) -> None:
    game.rule({"reason": "a slip", "correct": {"units.Austria": ["A Tyrolia"]}})
    assert courtly(game.root, "play", "game", "--stand-in", "Austria", "--seed", "s").exit_code == 0
    body = sheets(game.root)[f"games/game/{FIRST}/orders/austria.yaml"].decode()
    assert [line[2:11] for line in body.splitlines() if line.startswith("- ")] == ["A Tyrolia"]
    game.run(AT, now=True)
    (only,) = [verdict for verdict in game.turn(1).data.verdicts if verdict.seat == "Austria"]
    assert only.result != "illegal"


# Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_played_to_its_end_and_verified(tmp_path: Path) -> None:
    said = courtly(tmp_path, "new", "trial", "--opened", "2026-11-20", "--set", "victory=6", "--title", "A trial")
    assert said.exit_code == 0
    done = courtly(tmp_path, "play", "trial", "--all", "--turns", "200", "--seed", "s", "--at", AT)
    assert done.exit_code == 0
    *_, ended, last = done.stdout.splitlines()
    assert ended.startswith("trial: ended ")
    assert last == ended.replace("trial: ended", "over/trial: put away")
    archive = Archive(tmp_path)
    assert archive.has_ended("trial")
    checked = verify_game(archive, "trial")
    assert ([*map(str, checked.problems)], checked.turns) == ([], len(archive.turns("trial")))
    verified = courtly(tmp_path, "verify", "--jobs", "1")
    assert verified.exit_code == 0
    assert "the same bytes" in verified.stdout
    kept = files(tmp_path)
    for more in ((), ("--turns", "3")):
        late = courtly(tmp_path, "play", "trial", "--all", *more)
        assert (late.exit_code, late.stdout) == (1, "")
        assert late.stderr == "error: games/over/trial: no turn is open; stand-ins play only in running games\n"
    assert files(tmp_path) == kept


def test_only_the_given_number_of_turns_is_judged(game: Play) -> None:
    done = courtly(game.root, "--json", "play", "game", "--all", "--turns", "3", "--at", AT, "--seed", "s")
    steps = [row["what"] for row in map(json.loads, done.stdout.splitlines()) if "what" in row]
    assert steps == ["resolved", "opened"] * 3
    assert len(game.turns) == 4
    assert game.turn().data.status == "open"
    game.check()


def test_if_only_some_seats_are_played_the_others_are_judged_as_they_are(game: Play) -> None:
    game.sheet("France", "A Paris - Burgundy")
    done = courtly(game.root, "play", "game", "--stand-in", "Turkey", "--turns", "1", "--at", AT, "--seed", "s")
    assert done.exit_code == 0
    assert {*(game.turn(1).data.sheets or {})} == {"France", "Turkey"}
    game.check()


# Sealed games -----------------------------------------------------------------------------------------------------


def test_sealed_sheets_are_judged_like_open_ones_from_the_same_seed(game: Play, tmp_path: Path) -> None:
    sealed = Play(tmp_path / "sealed", sealed=True)
    for world, master in ((game, ""), (sealed, MASTER)):
        args = ("play", "game", "--all", "--turns", "3", "--at", AT, "--seed", "s")
        assert courtly(world.root, *args, master=master).exit_code == 0
        world.check()
    assert len(sealed.turns) == len(game.turns) == 4
    for number in (1, 2, 3):
        ours, theirs = game.turn(number).data, sealed.turn(number).data
        assert (ours.position, ours.verdicts, ours.events) == (theirs.position, theirs.verdicts, theirs.events)
        assert theirs.refused in (None, {})
    assert game.turn().data.position == sealed.turn().data.position
    assert all(name.endswith(".yaml.age") for name in sheets(sealed.root))
    assert {name + ".age" for name in sheets(game.root)} == {*sheets(sealed.root)}
    assert not any(b"orders" in body or b"stand-in" in body for body in sheets(sealed.root).values())


def test_no_sealed_sheet_is_overwritten_and_sealing_needs_no_secret(tmp_path: Path) -> None:
    game = Play(tmp_path / "sealed", sealed=True)
    path = game.sheet("Austria", "A Vienna H")
    body = path.read_bytes()
    done = courtly(game.root, "--json", "play", "game", "--all", "--seed", "s")
    assert json.loads(done.stdout)["seats"] == [seat for seat in SEATS if seat != "Austria"]
    assert path.read_bytes() == body
    assert game.run(AT, now=True) == ["resolved 001", "opened 002"]
    assert len(game.turn(1).data.sheets or {}) == 7
    game.check()


def test_in_a_hidden_game_a_stand_in_plays_cards_from_its_hand_and_reveals_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive")
    hands = load_all(table.archive, table.turn).position.hands
    kept = files(table.root)
    blind = courtly(table.root, "play", "cards", "--all", "--seed", "s")
    assert (blind.exit_code, blind.stdout) == (1, "")
    assert len(blind.stderr.splitlines()) == 1
    assert files(table.root) == kept
    done = courtly(table.root, "play", "cards", "--all", "--turns", "2", "--seed", "s", "--at", AT, master=TABLE)
    assert done.exit_code == 0
    told = done.output + "".join(body.decode("utf-8", "replace") for body in files(table.root).values())
    assert not [card for card in hazard.DECK if card in told]
    done = courtly(table.root, "play", "cards", "--all", "--turns", "9", "--seed", "s", "--at", AT, master=TABLE)
    assert done.exit_code == 0
    assert table.archive.has_ended("cards")
    checked = verify_game(Archive(table.root), "cards")
    assert (checked.problems, checked.turns, checked.sealed) == ((), hazard.LAST, 0)
    later = load_all(table.archive, load_turn(table.archive, table.turn.game, table.archive.turns("cards")[1])).position
    for seat in hazard.SEATS:
        assert len({*hands[seat]} - {*later.hands[seat]}) == 1, "a card of the hand was played"


# Wrong use and wrong input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [[], ["game"], ["game", "--all", "--stand-in", "Austria"], ["game", "--all", "--turns", "-1"], ["--all"]],
    ids=" ".join,
)
def test_wrong_use_gives_status_2(game: Play, args: list[str]) -> None:
    kept = files(game.root)
    done = courtly(game.root, "play", *args)
    assert done.exit_code == 2
    assert "Usage: " in done.stderr
    assert files(game.root) == kept


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["game", "--stand-in", "Austira"], "--stand-in: no seat is called 'Austira'; did you mean 'Austria'?"),
        (["game", "--stand-in", "Italy", "--stand-in", "x"], "--stand-in: no seat is called 'x'; Austria, England, "),
        (["game", "--stand-in", "Austira", "--turns", "2"], "--stand-in: no seat is called 'Austira'; did you mean"),
        (["gam", "--all"], "games/gam: there is no such game; did you mean 'game'?"),
        (["gam", "--stand-in", "Italy", "--turns", "2"], "games/gam: there is no such game; did you mean 'game'?"),
        (["../game", "--all"], ""),
        (["game", "--all", "--at", "tomorrow"], "'tomorrow' is not a time; write it like 2026-12-01T18:00Z"),
        (["game", "--all", "--seed", "\udcff"], ""),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else "",
)
def test_wrong_input_gives_one_line_and_status_1(game: Play, args: list[str], message: str) -> None:
    kept = files(game.root)
    done = courtly(game.root, "play", *args)
    assert (done.exit_code, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {message}")
    assert files(game.root) == kept
    machine = courtly(game.root, "--json", "play", *args)
    (fault,) = json.loads(machine.stdout)["problems"]
    assert (machine.exit_code, fault["level"], machine.stderr) == (1, "error", "")


def test_stand_ins_do_not_play_in_records(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    done = courtly(tmp_path, "--json", "import", str(SAVED), "--opened", "2026-11-20")
    assert done.exit_code == 0, done.output
    (slug,) = Archive(tmp_path).slugs()
    kept = files(tmp_path)
    for more in ((), ("--turns", "3")):
        late = courtly(tmp_path, "play", slug, "--all", *more)
        assert (late.exit_code, late.stdout) == (1, "")
        assert late.stderr == f"error: games/{slug}: no turn is open; stand-ins play only in running games\n"
    assert files(tmp_path) == kept
