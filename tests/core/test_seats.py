"""Seats: people can play each of them, and a game waits until all are taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.game.game import Player, seat_file
from adjudicator.core.game.join import Holder, holders, open_seats
from adjudicator.core.game.schedule import Rhythm, Schedule
from adjudicator.core.jobs.intake import Ended, Over, locate
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game, load_turn

SECRET = "courtly-master-1-" + "5a" * 32
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
FIRST = "001-spring-1901-movement"


def courtly(folder: Path, *words: str, text: str | None = None, master: str = SECRET) -> Result:
    return CliRunner().invoke(
        main, ["-C", str(folder), *words], input=text, env={"COURTLY_MASTER": master}, catch_exceptions=False
    )


def group(folder: Path) -> Path:
    """A folder with an archive that names its repository, as `courtly init` makes it."""
    (folder / "games").mkdir()
    (folder / "games/archive.yaml").write_text(
        'schema: 1\narchive: "0011223344556677"\nrepository: anna/games\n', encoding="utf-8"
    )
    return folder


def joins(folder: Path, slug: str, seat: str, account: int) -> None:
    """Write the file that intake keeps for somebody who joined before the game began."""
    game = load_game(Archive(folder), slug)
    key = f"key: {recipient_of(new_identity())}\n" if game.ruleset.secrecy is not None else ""
    path = folder / f"games/{slug}/join/{seat_file(seat)}.yaml"
    path.parent.mkdir(exist_ok=True)
    kept = f"schema: 1\nseat: {seat}\nplayer: p{account}\naccount: {account}\n{key}asked: 2026-11-20T12:00Z\n"
    path.write_text(kept, encoding="utf-8")


# A game that waits for people -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", slugs())
def test_a_game_that_people_can_join_starts_its_clock_when_its_seats_are_taken(tmp_path: Path, ruleset: str) -> None:
    """H3-20. Four rulesets began at once, and judged turns before anybody was there to play."""
    made = courtly(
        tmp_path, "new", "game", "--here", "--ruleset", ruleset, "--sealed", "--turn", "2d", "--join", "first"
    )
    archive = Archive(tmp_path, read_masters(SECRET, "test"))
    seats = load_game(archive, "game").seats
    waits = f"is waiting for people to join before its first turn opens; open seats: {', '.join(seats)}"
    assert made.stdout.endswith(f"It opens when all its open seats have been taken: {', '.join(seats)}.\n")
    assert courtly(tmp_path, "run", "--at", "2027-01-01T00:00Z").stdout == f"Nothing is due.\ngame: {waits}\n"
    checked = courtly(tmp_path, "check")
    right = "the next run opens it once everybody has joined"
    assert (checked.exit_code, checked.stderr) == (0, f"warning: games/game: {waits}; {right}\n")
    assert f"fine   game: {waits}\n" in courtly(tmp_path, "doctor").stdout
    for number, seat in enumerate(seats[:-1]):
        joins(tmp_path, "game", seat, 500 + number)
    waits = f"is waiting for people to join before its first turn opens; open seats: {seats[-1]}"
    assert courtly(tmp_path, "run", "--at", "2027-01-05T00:00Z").stdout == f"Nothing is due.\ngame: {waits}\n"
    early = courtly(tmp_path, "run", "--at", "2027-01-05T00:00Z", "--now")
    assert early.exit_code == 1
    assert f"error: games/game/game.yaml: the game {waits}; to begin without them, write in game.yaml" in early.stderr
    assert archive.turns("game") == []
    joins(tmp_path, "game", seats[-1], 700)
    with archive.writing():
        steps = [step.what for step in run_game(archive, "game", at="2027-01-07T18:00Z")]
    assert steps[0] == "opened"
    game = load_game(archive, "game")
    first = load_turn(archive, game, archive.turns("game")[0]).data
    assert (first.opened, first.deadline) == ("2027-01-07T18:00Z", "2027-01-09T18:00Z")
    assert open_seats(game, begun=True) == ()
    assert verify_game(archive, "game").problems == ()


@pytest.mark.parametrize("ruleset", slugs())
def test_a_first_turn_opens_at_once_only_where_nothing_is_hidden(tmp_path: Path, ruleset: str) -> None:
    """H3-20."""
    rules = find(ruleset)
    words = ("--here", "--ruleset", ruleset, "--sealed", "--turn", "2d", "--join", "first", "--open-now")
    done = courtly(tmp_path, "new", "game", *words)
    if rules.secrecy is not None:
        said = "has hidden information, and every seat needs its key before the first turn opens; leave this out"
        assert (done.exit_code, done.stderr) == (1, f"error: --open-now: {rules.about.title} {said}\n")
        assert list(tmp_path.rglob("game.yaml")) == []
    else:
        assert done.stdout.startswith("Opened game in games/game. Sheets for 001-")
        game = load_game(Archive(tmp_path), "game")
        assert (len(Archive(tmp_path).turns("game")), open_seats(game, begun=True)) == (1, game.seats)


def test_a_game_that_waits_for_people_or_nonces_does_not_open_at_once(tmp_path: Path) -> None:
    done = courtly(tmp_path, "new", "game", "--here", "--sealed", "--gather", "--open-now")
    right = "the game opens when every player has given a nonce (--gather); leave this out"
    assert (done.exit_code, done.stderr) == (1, f"error: --open-now: {right}\n")


def test_a_game_whose_seats_all_have_somebody_opens_at_once(tmp_path: Path) -> None:
    seats = [word for power in POWERS for word in ("--seat", f"{power}=P")]
    done = courtly(tmp_path, "new", "game", "--here", "--sealed", "--join", "ask", *seats)
    assert done.stdout.startswith("Opened game in games/game.")


def test_a_request_before_the_game_has_begun_is_granted_in_its_game_yaml(tmp_path: Path) -> None:
    """H3-20. The message was to grant it by a ruling, but no turn was open for one."""
    courtly(tmp_path, "new", "game", "--here", "--sealed", "--join", "ask", "--seat", "England=Ben")
    (tmp_path / "games/game/join").mkdir()
    asked = "schema: 1\nseat: Austria\nplayer: anna\naccount: 501\nasked: 2026-11-20T12:00Z\n"
    (tmp_path / "games/game/join/austria.501.yaml").write_text(asked, encoding="utf-8")
    line = courtly(tmp_path, "run").stdout.splitlines()[-1]
    grant = "this line of its game.yaml gives it: Austria: {player: anna, account: 501}"
    assert line == f"game: anna asks for Austria (2026-11-20T12:00Z); {grant}"
    path = tmp_path / "games/game/game.yaml"
    text = path.read_text(encoding="utf-8")
    assert "Austria: {player: open}" in text
    path.write_text(text.replace("Austria: {player: open}", grant.partition("it: ")[2]), encoding="utf-8")
    assert load_game(Archive(tmp_path), "game").data.seats["Austria"] == Player(player="anna", account=501)
    assert "open seats: France, Germany, Italy, Russia, Turkey" in courtly(tmp_path, "run").stdout


def test_a_first_turn_opens_at_its_start_time_at_the_earliest(tmp_path: Path) -> None:
    """H3-20: or at `starts:`."""
    seats = [word for power in POWERS for word in ("--seat", f"{power}=P")]
    words = ("--sealed", "--turn", "1d", "--starts", "2127-12-01T18:00Z", *seats)
    done = courtly(tmp_path, "new", "game", "--here", *words)
    assert (done.exit_code, done.output) == (0, "Made game in games/game. It opens at 2127-12-01T18:00Z.\n")
    archive = Archive(tmp_path, read_masters(SECRET, "test"))
    waits = "its first turn opens at 2127-12-01T18:00Z at the earliest"
    assert courtly(tmp_path, "run", "--at", "2127-12-01T17:59Z").output == "Nothing is due.\n"
    early = courtly(tmp_path, "run", "--at", "2127-12-01T17:59Z", "--now")
    assert (early.exit_code, "the game opens at 2127-12-01T18:00Z at the earliest; take" in early.stderr) == (1, True)
    said = f"warning: games/game: {waits}; `starts` in its schedule says so\n"
    assert courtly(tmp_path, "check").stderr == said
    assert courtly(tmp_path, "check", "--at", "2127-12-01T18:00Z").stderr == ""
    assert f"fine   game: {waits}\n" in courtly(tmp_path, "doctor").stdout
    assert archive.turns("game") == []
    # A run that comes a little later still counts from then, so that a daily game stays daily.
    assert courtly(tmp_path, "run", "--at", "2127-12-01T18:07Z").output == "game: opened Spring 1901, movement\n"
    first = load_turn(archive, load_game(archive, "game"), FIRST).data
    assert (first.opened, first.deadline) == ("2127-12-01T18:00Z", "2127-12-02T18:00Z")
    assert verify_game(archive, "game").problems == ()


def test_a_person_who_joins_after_the_start_gets_a_whole_turn(tmp_path: Path) -> None:
    people = [word for power in POWERS[1:] for word in ("--seat", f"{power}=P")]
    words = ("--sealed", "--turn", "1d", "--starts", "2027-01-01T18:00Z", "--join", "first", *people)
    assert courtly(tmp_path, "new", "game", "--here", *words).exit_code == 0
    waits = "game: is waiting for people to join before its first turn opens; open seats: Austria"
    assert courtly(tmp_path, "run", "--at", "2027-01-02T00:00Z").output == f"Nothing is due.\n{waits}\n"
    joins(tmp_path, "game", "Austria", 501)
    assert courtly(tmp_path, "run", "--at", "2027-01-03T09:00Z").output == "game: opened Spring 1901, movement\n"
    archive = Archive(tmp_path)
    first = load_turn(archive, load_game(archive, "game"), FIRST).data
    assert (first.opened, first.deadline) == ("2027-01-03T09:00Z", "2027-01-04T09:00Z")


def test_a_start_in_the_past_is_accepted_and_a_faulty_one_is_refused(tmp_path: Path) -> None:
    past = courtly(tmp_path, "new", "past", "--here", "--sealed", "--turn", "1d", "--starts", "2020-01-01T18:00Z")
    assert past.stdout.startswith("Opened past in games/past.")
    for more, said in (
        (("--turn", "1d", "--starts", "soon"), "--starts: 'soon' is not a time; write it like 2026-12-01T18:00Z"),
        (("--starts", "2127-12-01T18:00Z"), "--starts: nothing says how long a turn stays open; add --turn"),
        (("--turn", "1d", "--starts", "2127-12-01T18:00Z", "--open-now"),
         "--open-now: the game opens at 2127-12-01T18:00Z at the earliest (--starts); leave this out"),
    ):  # fmt: skip
        done = courtly(tmp_path, "new", "other", "--sealed", *more)
        assert (done.exit_code, done.stderr.startswith(f"error: {said}")) == (1, True), done.stderr


# Can anybody play this seat? --------------------------------------------------------------------------------------


def test_every_seat_has_a_known_kind_of_holder(tmp_path: Path) -> None:
    """H3-7."""
    words = ("--sealed", "--seat", "Austria=Anna", "--account", "Austria=501", "--seat", "England=Ben")
    for slug, more in (("joined", ("--join", "first")), ("closed", ())):
        assert courtly(tmp_path, "new", slug, "--here", *words, *more).exit_code == 0
    game = load_game(Archive(tmp_path), "joined")
    kinds = [Holder.ACCOUNT, Holder.NAME, *[Holder.JOINABLE] * 5]
    assert [*holders(game, begun=False).values()] == [*holders(game, begun=True).values()] == kinds
    assert [*holders(load_game(Archive(tmp_path), "closed"), begun=True).values()] == [*kinds[:2], *[Holder.NOBODY] * 5]
    given = {"England": Player(player="Cleo", account=503), "Austria": Player(player="open")}
    assert [*holders(game, given, begun=True).values()][:2] == [Holder.JOINABLE, Holder.ACCOUNT]


@pytest.mark.usefixtures("with_hazard")
def test_nobody_joins_a_game_with_hidden_information_that_has_begun(tmp_path: Path) -> None:
    courtly(tmp_path, "new", "cards", "--here", "--ruleset", "hazard", "--join", "first")
    game = load_game(Archive(tmp_path), "cards")
    assert set(holders(game, begun=False).values()) == {Holder.JOINABLE}
    assert set(holders(game, begun=True).values()) == {Holder.NOBODY}


NOBODY = (
    "games/game/game.yaml: nobody plays Austria, France, Germany, Italy, Russia, Turkey, and nobody can join; give each a "
    "`player:` and an `account:` there (--account SEAT=NUMBER), or let people join: `join: first` (--join first)"
)
NAMED = (
    "games/game/game.yaml: no account is known for England: nobody can send a sheet for them by pull request; give each an "
    "`account:` there (--account SEAT=NUMBER)"
)
HOSTLESS = (
    "games/game/game.yaml: no account of the host is named, so rulings cannot come by pull request; add `host_account:` with its "
    "number there (--host-account NUMBER)"
)


def test_seats_that_nobody_can_play_are_named_by_every_command(tmp_path: Path) -> None:
    """H3-7. The game opened silently, every command found it fine, and it was judged without a sheet."""
    group(tmp_path)
    done = courtly(tmp_path, "new", "game", "--sealed", "--turn", "2d", "--seat", "England=Ben")
    assert done.stderr.splitlines() == [f"warning: {said}" for said in (NAMED, NOBODY, HOSTLESS)]
    assert (done.exit_code, done.stdout.startswith("Opened game")) == (0, True)
    checked = courtly(tmp_path, "check")
    assert checked.stderr.splitlines() == [f"warning: {said}" for said in (NAMED, NOBODY)]
    assert (checked.exit_code, checked.stdout) == (0, "Every game can be judged; 2 warning(s) above.\n")
    doctor = courtly(tmp_path, "doctor")
    assert [line for line in doctor.stdout.splitlines() if line.startswith("wrong")] == [
        f"wrong  {said}" for said in (NAMED, NOBODY)
    ]
    assert doctor.exit_code == 1


def test_an_archive_without_a_repository_gets_no_warning(tmp_path: Path) -> None:
    """H3-7: players need no accounts without pull requests."""
    done = courtly(tmp_path, "new", "game", "--here", "--sealed", "--turn", "2d", "--seat", "England=Ben")
    assert done.stderr == ""
    assert courtly(tmp_path, "check").output == "Every game can be judged.\n"
    assert courtly(tmp_path, "doctor").exit_code == 0


def test_a_game_whose_seats_have_accounts_or_can_be_joined_gets_no_warning(tmp_path: Path) -> None:
    """H3-7, H3-8."""
    group(tmp_path)
    words = ("--sealed", "--host-account", "100", "--account", "Austria=501", "--seat", "Austria=Anna")
    assert courtly(tmp_path, "new", "game", *words, "--join", "first").stderr == ""
    everybody = [word for number, power in enumerate(POWERS) for word in ("--account", f"{power}={number + 1}")]
    assert courtly(tmp_path, "new", "full", "--sealed", "--host-account", "100", *everybody).stderr == ""


def test_seats_given_by_a_ruling_are_corrected_by_a_ruling(tmp_path: Path) -> None:
    """H3-7."""
    group(tmp_path)
    everybody = [word for number, power in enumerate(POWERS) for word in ("--account", f"{power}={number + 1}")]
    courtly(tmp_path, "new", "game", "--sealed", *everybody)
    ruling = "rulings:\n- {reason: gone, replace: {seat: Italy, player: Emil}}\n"
    (tmp_path / f"games/game/{FIRST}/ruling.yaml").write_text(ruling, encoding="utf-8")
    assert courtly(tmp_path, "run").exit_code == 0
    said = (
        "no account is known for Italy: nobody can send a sheet for them by pull request; give each an `account:` by a"
    )
    assert said in courtly(tmp_path, "check").stderr


# Options of `courtly new`, and its questions ----------------------------------------------------------------------


def test_new_accepts_the_host_holidays_and_turns_of_different_lengths(tmp_path: Path) -> None:
    """H3-8. Half of a game.yaml had to be typed by hand."""
    done = courtly(
        tmp_path, "new", "game", "--here", "--sealed", "--host", "Hanna", "--host-account", "100", "--turn", "3d",
        "--holiday", "2026-12-24", "--holiday", "2026-12-25", "--phase", "retreats=1d", "--phase", "adjustments=12h",
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    data = load_game(Archive(tmp_path), "game").data
    assert (data.host, data.host_account) == ("Hanna", 100)
    assert data.schedule == Schedule(
        turn="3d",
        phases={"retreats": Rhythm(turn="1d"), "adjustments": Rhythm(turn="12h")},
        holidays=("2026-12-24", "2026-12-25"),
    )


def test_faults_in_options_of_new_are_reported_at_the_option(tmp_path: Path) -> None:
    """H3-8."""
    done = courtly(
        tmp_path, "new", "game", "--here", "--sealed", "--host", "Hanna", "--host-account", "hanna", "--turn", "3d",
        "--holiday", "2026-12-32", "--phase", "retreat=1d", "--phase", "adjustments=soon",
    )  # fmt: skip
    assert done.stderr.splitlines() == [
        "error: --holiday: '2026-12-32' is not a day; write it like 2026-12-24",
        "error: --host-account: 'hanna' is not an account number; https://api.github.com/users/NAME shows it as id",
        "error: --phase: 'soon' is not a length of time; write days, hours and minutes, as in 3d or 1d12h",
        "error: --phase: there is no kind of turn called 'retreat'; did you mean 'retreats'?",
    ]
    assert (done.exit_code, list(tmp_path.rglob("*.yaml"))) == (1, [])
    alone = courtly(tmp_path, "new", "game", "--here", "--sealed", "--holiday", "2026-12-24", "--phase", "retreats=1d")
    assert [line.partition(": nothing says")[0] for line in alone.stderr.splitlines()] == [
        "error: --holiday",
        "error: --phase",
    ]
    assert courtly(tmp_path, "new", "game", "--here", "--turn", "3d", "--phase", "retreats").exit_code == 2


def asked(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def test_new_can_ask_for_everything_that_its_options_give(tmp_path: Path) -> None:
    """H3-7, H3-8: it asked for six things, and gave a game that nobody could play."""
    text = asked(
        "diplomacy", "The summer game", "Hanna", "100", "Anna", "501", *["open"] * 6, "y", "2d", "Europe/Berlin", "18:00",
        "Saturday, Sunday", "2026-12-24", "12h", "host", "ask", "retreats=1d, adjustments=12h",
        "2026-11-20T00:00Z",
    )  # fmt: skip
    done = courtly(tmp_path, "new", "game", "--here", "--opened", "2026-11-20", "--ask", text=text)
    assert done.exit_code == 0, done.output
    data = load_game(Archive(tmp_path), "game").data
    assert (data.title, data.host, data.host_account, data.sealed, data.join) == (
        "The summer game", "Hanna", 100, True, "ask",
    )  # fmt: skip
    assert data.seats["Austria"] == Player(player="Anna", account=501)
    assert {player.player for seat, player in data.seats.items() if seat != "Austria"} == {"open"}
    assert data.schedule == Schedule(
        turn="2d", phases={"retreats": Rhythm(turn="1d"), "adjustments": Rhythm(turn="12h")}, zone="Europe/Berlin", at="18:00",
        days_off=("Saturday", "Sunday"), holidays=("2026-12-24",), grace=("12h",), missing=MissingSheets.HOST,
        starts="2026-11-20T00:00Z",
    )  # fmt: skip


def test_enter_at_every_question_gives_a_sealed_game_that_people_can_join(tmp_path: Path) -> None:
    """H3-7. Enter gave a clear seed, and seats that nobody could take."""
    group(tmp_path)
    done = courtly(tmp_path, "new", "game", "--ask", text="\n" * 40)
    assert done.stderr.splitlines() == [f"warning: {HOSTLESS}"]
    data = load_game(Archive(tmp_path), "game").data
    assert (data.sealed, data.seed, data.join, data.host) == (True, "", "first", None)
    assert data.schedule == Schedule(turn="3d")
    assert Archive(tmp_path).turns("game") == []


def test_without_a_master_secret_enter_leaves_sheets_open(tmp_path: Path) -> None:
    done = courtly(tmp_path, "new", "game", "--here", "--ask", text="\n" * 40, master="")
    assert done.exit_code == 0, done.output
    assert not load_game(Archive(tmp_path), "game").data.sealed


def test_new_asks_no_question_about_joining_if_every_seat_has_a_player(tmp_path: Path) -> None:
    people = [answer for number, power in enumerate(POWERS) for answer in (power.upper(), str(number + 1))]
    text = asked("", "", "", "", *people, "y", "none")
    done = courtly(tmp_path, "new", "game", "--here", "--ask", text=text)
    assert done.exit_code == 0, done.output
    data = load_game(Archive(tmp_path), "game").data
    assert (data.join, data.schedule) == (None, None)
    assert done.stdout.rstrip().endswith(f"Sheets for {FIRST} go to games/game/{FIRST}/orders/.")


@pytest.mark.usefixtures("with_hazard")
def test_new_asks_for_keys_if_something_is_hidden(tmp_path: Path) -> None:
    keys = [recipient_of(new_identity()) for _ in range(3)]
    people: list[Any] = [answer for number, key in enumerate(keys) for answer in (f"P{number}", str(number + 1), key)]
    text = asked("hazard", "", "", "", *people, *[""] * 20)
    done = courtly(tmp_path, "new", "cards", "--here", "--ask", text=text)
    assert done.exit_code == 0, done.output
    seats = load_game(Archive(tmp_path), "cards").data.seats
    assert [player.key for player in seats.values()] == keys


# Games that are over ----------------------------------------------------------------------------------------------


def test_a_finished_game_is_told_apart_from_a_judged_turn(tmp_path: Path) -> None:
    """H3-16. Both refusals advised to open another pull request for the turn that is open."""
    accounts = [word for number, power in enumerate(POWERS) for word in ("--account", f"{power}={number + 1}")]
    courtly(tmp_path, "new", "game", "--here", *accounts)
    assert courtly(tmp_path, "run", "--now").exit_code == 0
    archive, path = Archive(tmp_path), f"games/game/{FIRST}/orders/austria.yaml"
    with pytest.raises(Over, match="the turn 001-spring-1901-movement has been judged") as judged:
        locate(archive, path, 1)
    assert not isinstance(judged.value, Ended)
    (tmp_path / "games/game/ending.yaml").write_text("", encoding="utf-8")
    for offered in (path, "games/game/join/austria.yaml"):
        with pytest.raises(Ended, match="this game is over"):
            locate(archive, offered, 1)
    assert issubclass(Ended, Over)
    assert issubclass(Over, Problems)
