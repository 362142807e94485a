"""Seasons and tournaments: scores as pure functions, boards by a lot that anybody can check, standings of players and teams."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.lot import Drawn, draw_boards
from adjudicator.core.game.scoring import Outcome, Scoring, points, scoring_faults
from adjudicator.core.game.series import load_series, lot_faults
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.series import (
    check_series,
    counts_of,
    open_boards,
    rounded,
    save,
    scored,
    seats_of,
    standings,
)
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.load import load_ending, load_game
from tests.conftest import ROOT, examples
from tests.core.test_deadlines import MASTER, Play

SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
COUNTS = {"France": 14, "England": 10, "Turkey": 10}
DRAWN = Outcome(SEATS, ("France", "England", "Turkey"), COUNTS)
ALONE = Outcome(SEATS, ("France",), {"France": 18, "England": 16})


def table(outcome: Outcome, **scoring: Any) -> dict[str, str]:
    """Seat -> its points as pages show them, without those that have none."""
    return {seat: rounded(number) for seat, number in points(outcome, Scoring(**scoring)).items() if number}


# Scores ------------------------------------------------------------------------------------------------------------


def test_winners_share_a_hundred() -> None:
    assert table(DRAWN, by="draws") == {"France": "33.33", "England": "33.33", "Turkey": "33.33"}
    assert table(ALONE, by="draws") == {"France": "100"}
    assert table(Outcome(SEATS, ()), by="draws") == {}


def test_squares_of_centres_share_a_hundred_unless_one_wins() -> None:
    """14² + 10² + 10² = 396."""
    assert table(DRAWN, by="squares") == {"France": "49.49", "England": "25.25", "Turkey": "25.25"}
    assert table(ALONE, by="squares") == {"France": "100"}


def test_places_and_centres_with_ties_split() -> None:
    assert table(DRAWN, by="places") == {"France": "52", "England": "20.5", "Turkey": "20.5"}
    assert table(ALONE, by="places") == {
        "France": "56",
        "England": "30",
        **dict.fromkeys(("Austria", "Germany", "Italy", "Russia", "Turkey"), "1.4"),
    }
    assert table(ALONE, by="places", alone=85) == {"France": "85"}
    behind = Outcome(SEATS, ("France",), {"England": 17, "France": 17})
    assert table(behind, by="places", places=(10, 5), centre=0) == {
        "France": "10",
        "England": "5",
    }  # a victory is first


def test_a_formula_of_ones_own() -> None:
    assert table(DRAWN, by="formula", formula="100 * c ** 2 / s") == table(DRAWN, by="squares")
    assert table(DRAWN, by="formula", formula="c + won * 50 / w - (r - 1) * 0.5")["England"] == "25.92"
    assert table(ALONE, by="formula", formula="max(solo * 100, min(c, 10))") == {"France": "100", "England": "10"}


@pytest.mark.parametrize(
    ("formula", "what"),
    [
        ("", "there is no formula"),
        ("c +", "cannot be read"),
        ("x * 2", "no name 'x'"),
        ("100 / (n - 3)", "divides by nothing"),
        ("__import__('os')", "no arithmetic"),
        ("c ** c", "no arithmetic"),
        ("c ** 99", "no arithmetic"),
        ("c if c else 1", "no arithmetic"),
        ("True", "no arithmetic"),
        ("'a' * 9", "no arithmetic"),
        ("c" + "+c" * 200, "letters"),
        ("(" * 17 + "9**4" + ")**4" * 17, "too large"),
        ("100 * won / w", "divides by nothing"),
    ],
)
def test_a_formula_that_is_no_arithmetic_is_refused(formula: str, what: str) -> None:
    faults = scoring_faults(Scoring(by="formula", formula=formula))
    assert any(what in one.what for one in faults)


def test_games_without_centres_are_scored_by_their_winners() -> None:
    with pytest.raises(Problems) as refused:
        points(Outcome(("A", "B"), ("A",)), Scoring(by="squares"))
    assert "have none" in refused.value.problems[0].what
    assert "`draws`" in refused.value.problems[0].right


@examples(60)
@given(
    st.dictionaries(st.sampled_from(SEATS), st.integers(0, 17)),
    st.lists(st.sampled_from(SEATS), min_size=1, unique=True),
)
def test_laws_of_scores(counts: dict[str, int], winners: list[str]) -> None:
    """Shares of 100 add up to 100; more centres never give fewer points; names do not matter."""
    outcome = Outcome(SEATS, tuple(winners), counts)
    assert sum(points(outcome, Scoring(by="draws")).values()) == 100
    squares = points(outcome, Scoring(by="squares"))
    assert sum(squares.values()) == (100 if any(counts.values()) or len(winners) == 1 else 0)
    places = points(outcome, Scoring(by="places", places=(38, 14, 7), centre=1))
    assert sum(places.values()) == 59 + sum(counts.values())
    for one, other in combinations(SEATS, 2):
        if outcome.alone is None and counts.get(one, 0) > counts.get(other, 0):
            assert squares[one] > squares[other]
            assert places[one] > places[other]


# The lot -----------------------------------------------------------------------------------------------------------


def rounds(players: int, many: int, seed: str) -> list[Drawn]:
    """The rounds of a tournament of players called P00, P01 and so on."""
    drawn: list[Drawn] = []
    names = [f"P{number:02}" for number in range(players)]
    for number in range(many):
        drawn.append(draw_boards(names, SEATS, drawn, NamedDice(f"{seed} {number}".encode())))
    return drawn


@examples(12)
@given(st.integers(7, 29), st.integers(1, 4), st.text(max_size=5))
def test_everybody_plays_or_rests_and_rests_are_shared_out(players: int, many: int, seed: str) -> None:
    drawn = rounds(players, many, seed)
    rested = Counter(player for one in drawn for player in one.byes)
    for one in drawn:
        seated = [player for board in one.boards for player in board.values()]
        assert all(tuple(board) == SEATS for board in one.boards)
        assert sorted([*seated, *one.byes]) == [f"P{number:02}" for number in range(players)]
        assert len(one.byes) == players % 7
    everybody = [rested[f"P{number:02}"] for number in range(players)]
    assert max(everybody) - min(everybody) <= 1


def test_a_round_does_not_depend_on_the_order_of_the_players() -> None:
    names = [f"P{number}" for number in range(15)]
    assert draw_boards(names, SEATS, [], NamedDice(b"x")) == draw_boards(names[::-1], SEATS, [], NamedDice(b"x"))


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_of_28_players_in_three_rounds_few_meet_again_and_nobody_thrice(seed: str) -> None:
    """At random 52 meetings are not the first ones, and 4 pairs meet three times (means of 1,000 draws without the lot’s rules)."""
    drawn = rounds(28, 3, seed)
    met = Counter(frozenset(pair) for one in drawn for board in one.boards for pair in combinations(board.values(), 2))
    again = sum(number - 1 for number in met.values())
    assert max(met.values()) <= 2
    assert again <= 36
    had = Counter((player, seat) for one in drawn for board in one.boards for seat, player in board.items())
    assert sum(number > 1 for number in had.values()) <= 4


# A series ----------------------------------------------------------------------------------------------------------


def run(root: Path, *words: str, **environment: str) -> str:
    done = CliRunner(env=environment).invoke(main, ["-C", str(root), "series", *words], catch_exceptions=False)
    return f"{done.exit_code}\n{done.output}"


def archive_at(root: Path, *, sealed: bool) -> Archive:
    return Play(root, sealed=sealed).archive


def test_a_season_counts_games_that_are_there(tmp_path: Path) -> None:
    game = Play(tmp_path)
    assert run(
        tmp_path, "new", "season", "--game", "game", "--scoring", "squares", "--team", "Lions=Austria’s player"
    ).startswith("0\nBegan season")
    assert "A game is still being played." in run(tmp_path, "show", "season")
    game.rule({"end": {"how": "draw", "winners": ["Austria", "Turkey"]}, "reason": "Agreed."})
    game.run("2026-11-20T01:00Z")
    shown = run(tmp_path, "show", "season")
    # 3 centres each but Russia's 4: 100 * 9 / 70, and 100 * 16 / 70
    assert "  1. Russia’s player: 22.86 (1 game)" in shown
    assert "  2. Austria’s player: 12.86 (1 game)" in shown
    assert "Teams:\n  1. Lions: 12.86 (1 game)" in shown
    assert run(tmp_path, "check", "season") == "0\nseason: 0 rounds drawn again, the same boards.\n"


@pytest.mark.parametrize("sealed", [False, True])
def test_a_round_is_drawn_opened_and_checked_without_the_secret(tmp_path: Path, sealed: bool) -> None:
    archive = archive_at(tmp_path, sealed=sealed)
    secret = {"COURTLY_MASTER": MASTER} if sealed else {}
    players = [word for number in range(16) for word in ("--player", f"P{number:02}={100 + number}")]
    assert run(tmp_path, "new", "cup", *players, **secret).startswith("0\nBegan cup")
    before = load_series(archive, "cup")
    assert (before.seed is None) == sealed
    told = run(tmp_path, "draw", "cup", "--open", "--opened", "2026-11-20", **secret)
    assert "Round 1, board 2: Austria " in told
    assert "No board in this round: P" in told
    assert "Opened games/cup-1-2." in told
    data = load_series(archive, "cup")
    assert [board.game for board in data.rounds[0].boards] == ["cup-1-1", "cup-1-2"]
    assert data.rounds[0].committed == before.next
    assert lot_faults("cup", data, seats_of(data)) == []
    assert run(tmp_path, "check", "cup") == "0\ncup: 1 round drawn again, the same boards.\n"
    assert "cup, round 1, board 1 is still being played; draw the next round" in run(tmp_path, "draw", "cup", **secret)
    (one, *others), first = data.rounds[0].boards, data.rounds[0]
    swapped = replace(one, seats={**one.seats, "Austria": one.seats["Turkey"], "Turkey": one.seats["Austria"]})
    save(archive, "cup", replace(data, rounds=(replace(first, boards=(swapped, *others)),)))
    told = run(tmp_path, "check", "cup")
    assert "drawn again, the boards of round 1 differ" in told
    assert "board 1 of round 1 was drawn for other players than cup-1-1 began with" in told


@pytest.mark.slow
def test_a_tournament_of_24_players_and_three_rounds_by_stand_ins(tmp_path: Path) -> None:
    """Boards of seven with three byes a round; games of two years; standings add up, and every lot is drawn again."""
    archive = archive_at(tmp_path, sealed=False)
    (tmp_path / "short.yaml").write_text(
        "name: short\ntitle: A short game\nextends: standard\nwin: {years: 1}\n", encoding="utf-8"
    )
    players = [word for number in range(24) for word in ("--player", f"P{number:02}")]
    run(
        tmp_path,
        "new",
        "cup",
        *players,
        "--scoring",
        "squares",
        "--team",
        "Evens=" + ",".join(f"P{number:02}" for number in range(0, 24, 2)),
    )
    for number in range(1, 4):
        run(tmp_path, "draw", "cup")
        data = load_series(archive, "cup")
        data, slugs = open_boards(archive, "cup", data, "2026-11-20")
        assert len(slugs) == 3
        for slug in slugs:
            for _ in range(3):
                played = CliRunner().invoke(main, ["-C", str(tmp_path), "play", slug, "--all"], catch_exceptions=False)
                assert played.exit_code == 0, played.output
                [*run_game(archive, slug, now=True)]
            folder = archive.game_folder(slug)
            latest = folder / archive.turns(slug)[-1] / "ruling.yaml"
            latest.write_text(
                write(
                    {
                        "rulings": [
                            {"end": {"how": "draw", "winners": list(SEATS)}, "reason": f"Round {number} is over."}
                        ]
                    }
                ),
                encoding="utf-8",
            )
            [*run_game(archive, slug, at="2026-11-20T00:00Z")]
    data = load_series(archive, "cup")
    assert check_series(archive, "cup", data) == []
    games = [*scored(archive, data)]
    assert len(games) == 9
    rows, teams = standings(data, games)
    assert sum(row.points for row in rows) == 900
    assert len({row.points for row in rows}) > 5, "somebody conquered something"
    assert sum(row.games for row in rows) == 63
    assert {row.games for row in rows} <= {2, 3}
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert teams[0].points == sum((row.points for row in rows if int(row.name[1:]) % 2 == 0), Fraction(0))


def test_faults_are_named(tmp_path: Path) -> None:
    archive = archive_at(tmp_path, sealed=False)
    assert "is not a name for a series" in run(tmp_path, "new", "Cup!")
    assert "there is no formula" in run(tmp_path, "new", "cup", "--scoring", "formula")
    assert not (archive.root / "series").exists()
    run(tmp_path, "new", "cup", "--player", "Anna")
    assert "1 player cannot fill a board of 7" in run(tmp_path, "draw", "cup")
    assert "no series is called 'cap'" in run(tmp_path, "show", "cap")
    assert "this series is there already" in run(tmp_path, "new", "cup")
    (archive.root / "series/cup.yaml").write_text(
        "schema: 1\ntitle: T\nscoring: {by: formula, formula: x}\nplayers: [A, A]\nteams: {T: [B]}\n", encoding="utf-8"
    )
    shown = run(tmp_path, "show", "cup")
    assert "series/cup.yaml:3" in shown
    assert "'A' is listed twice" in shown
    assert "no player is called 'B'" in shown


def test_counts_are_the_numbers_that_a_games_tally_begins_with() -> None:
    """Diplomacy's and Al-Andalus' are centres; a tally of factions or houses has no row of a seat's."""
    archive = Archive(ROOT)
    ends = {
        slug: load_game(archive, slug) for slug in ("six-left-standing", "the-wazirs-of-1080", "fighting-over-farna")
    }
    counts = {slug: counts_of(game, load_ending(archive, game).position) for slug, game in ends.items()}
    assert sum((counts["six-left-standing"] or {}).values()) == 34
    assert counts["the-wazirs-of-1080"] is not None
    assert counts["fighting-over-farna"] is None


def test_a_master_secret_is_needed_to_draw_and_not_to_check(tmp_path: Path) -> None:
    archive_at(tmp_path, sealed=True)
    players = [word for number in range(7) for word in ("--player", f"P{number}")]
    run(tmp_path, "new", "cup", *players, COURTLY_MASTER=MASTER)
    assert "needs the archive's master secret" in run(tmp_path, "draw", "cup")
    assert run(tmp_path, "draw", "cup", COURTLY_MASTER=MASTER).startswith("0\nRound 1")
    assert run(tmp_path, "check", "cup").startswith("0\n")


def test_another_secret_than_the_committed_one_is_refused_and_found(tmp_path: Path) -> None:
    archive = archive_at(tmp_path, sealed=True)
    players = [word for number in range(7) for word in ("--player", f"P{number}")]
    run(tmp_path, "new", "cup", *players, COURTLY_MASTER=MASTER)
    other = "courtly-master-1-" + "7b" * 32
    assert "does not match the commitment in `next:`" in run(tmp_path, "draw", "cup", COURTLY_MASTER=other)
    run(tmp_path, "draw", "cup", COURTLY_MASTER=MASTER)
    path, data = archive.root / "series/cup.yaml", load_series(archive, "cup")
    path.write_text(
        path.read_text(encoding="utf-8").replace(data.rounds[0].committed or "?", "0" * 64), encoding="utf-8"
    )
    assert "does not match its commitment" in run(tmp_path, "check", "cup")


def test_players_may_come_and_go_between_rounds(tmp_path: Path) -> None:
    archive = archive_at(tmp_path, sealed=False)
    players = [word for number in range(8) for word in ("--player", f"P{number}")]
    run(tmp_path, "new", "cup", *players)
    run(tmp_path, "draw", "cup")
    assert "round 1 has boards without games; `courtly series open cup` opens them" in run(tmp_path, "draw", "cup")
    assert run(tmp_path, "open", "cup", "--opened", "2026-11-20") == "0\nOpened games/cup-1-1.\n"
    assert "Every board of the last round has its game." in run(tmp_path, "open", "cup")
    data = load_series(archive, "cup")
    save(archive, "cup", replace(data, players=(*data.players[1:], "New")))
    assert run(tmp_path, "check", "cup").startswith("0\n")


def test_nothing_is_written_for_options_that_cannot_be_right(tmp_path: Path) -> None:
    archive = archive_at(tmp_path, sealed=False)
    for words, what in (
        (("--player", "Anna=12x"), "the account of Anna is not a number"),
        (("--player", "Anna", "--team", "Lions=Bea"), "no player is called 'Bea'"),
        (("--player", "Anna", "--team", "Lions=Anna,Anna"), "in a team twice"),
        (("--scoring", "formula", "--formula", "x"), "no name 'x'"),
    ):
        assert what in run(tmp_path, "new", "cup", *words)
        assert not (archive.root / "series").exists()
    run(
        tmp_path,
        "new",
        "cup",
        *[word for number in range(7) for word in ("--player", f"P{number}")],
        "--team",
        "Lions=P0, P1",
    )
    before = (archive.root / "series/cup.yaml").read_bytes()
    assert "'tomorrow' is not a day" in run(tmp_path, "draw", "cup", "--open", "--opened", "tomorrow")
    assert (archive.root / "series/cup.yaml").read_bytes() == before


def test_a_seat_that_nobody_holds_earns_nothing(tmp_path: Path) -> None:
    game = Play(tmp_path)
    run(tmp_path, "new", "season", "--game", "game")
    game.rule(
        {"replace": {"seat": "Italy", "player": "open"}, "reason": "Gone."},
        {"end": {"how": "draw", "winners": ["France", "Italy"]}, "reason": "Agreed."},
    )
    game.run("2026-11-20T01:00Z")
    shown = run(tmp_path, "show", "season")
    assert "  1. France’s player: 50 (1 game)" in shown
    assert "open" not in shown
