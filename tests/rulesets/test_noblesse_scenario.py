"""A host's own scenario: a file beside game.yaml, checked with its lines, played, verified and published with the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import beside_from
from adjudicator.core.game.game import house_rules
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.engine import on_cores
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.rehearse import rehearsals
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import masters_from
from adjudicator.core.text.codec import dump, encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text, read
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.battle import Strength
from adjudicator.rulesets.noblesse.options import check
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position, Settings, Unit, attach_settings
from adjudicator.rulesets.noblesse.scenario import Stock, load_scenario
from adjudicator.site.chapters import chapters_of
from adjudicator.site.story import load_story
from tests.rulesets.noblesse_world import dice, resolve

FILE = Path(__file__).parent.parent / "data/islands.yaml"
ISLANDS = FILE.read_text(encoding="utf-8")
SEATS = ("Ash", "Beech", "Cedar", "Dogwood")
SLUG = "strait"


def islands(**house: int) -> Settings:
    """The house rules of a game on the islands."""
    text = Text("settings", {"scenario": "islands.yaml", **house}, {})
    settings, files = house_rules(RULESET, text, beside_from({"islands.yaml": FILE.read_bytes()}))
    assert files == ("islands.yaml",)
    assert isinstance(settings, Settings)
    return settings


def courtly(root: Path, *words: str, **env: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", str(root), *words], env=env)
    assert "Traceback" not in done.output
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A game on the islands, made by the command, played by stand-ins to its end."""
    root = tmp_path_factory.mktemp("islands")
    master = root / "master.txt"
    assert courtly(root, "keygen", "--master", "-o", str(master))[0] == 0
    (root / "games").mkdir()
    keys = {seat: recipient_of(new_identity()) for seat in SEATS}
    words = [word for seat in SEATS for word in ("--seat", f"{seat}=a stand-in", "--key", f"{seat}={keys[seat]}")]
    words += ["--ruleset", "noblesse", "--set", f"scenario={FILE}", "--set", "last_cycle=6"]
    code, said = courtly(root, "new", SLUG, *words, COURTLY_MASTER_FILE=str(master))
    assert code == 0, said
    archive = Archive(root, masters_from({"COURTLY_MASTER_FILE": str(master)}))
    list(play(archive, SLUG, SEATS, "3", "2026-11-22T18:00Z", 40))
    assert archive.has_ended(SLUG)
    return Archive(root)


@pytest.mark.slow
def test_the_file_is_put_beside_the_game_and_only_named_in_it(archive: Archive) -> None:
    folder = archive.game_folder(SLUG)
    assert (folder / "islands.yaml").read_bytes() == FILE.read_bytes()
    assert "scenario: islands.yaml" in (folder / "game.yaml").read_text(encoding="utf-8")
    game = load_game(archive, SLUG)
    assert game.seats == SEATS
    for name in archive.turns(SLUG):
        whole = load_all(archive, load_turn(archive, game, name)).position
        assert whole.settings.board.title == "The two islands"
        assert "two islands" not in dump(whole)


@pytest.mark.slow
def test_the_game_verifies_and_has_no_stray_file(archive: Archive) -> None:
    assert [str(problem) for problem in verify_game(archive, SLUG).problems] == []
    assert [str(problem) for problem in check_archive(archive)] == []


@pytest.mark.slow
def test_the_site_shows_the_hosts_scenario(archive: Archive) -> None:
    story = load_story(archive, SLUG)
    assert story is not None
    last = chapters_of(story)[-1]
    assert (last.name, last.title) == ("scenario", "The scenario: The two islands")
    roles = next(table for section in last.sections for table in section.tables if table.title == "Roles")
    assert [row[0] for row in roles.rows] == ["The Queen", "The Smuggler", "The Regent", "The Abbess"]


def test_a_running_games_positions_have_the_hosts_scenario() -> None:
    """Written by name, read with the scenario itself; house rules that name another scenario do not change."""
    settings = islands(last_cycle=6)
    position = RULESET.rules.setup(settings, dice())
    text = read(dump(position).encode(), "position")
    from adjudicator.core.text.codec import decode

    plain = decode(Position, text)
    assert encode(plain) == encode(position)
    with pytest.raises(Problems, match=r"no scenario is called 'islands.yaml'"):
        _ = plain.settings.board
    assert attach_settings(plain, settings) == position
    farna = RULESET.rules.setup(Settings(), dice())
    assert attach_settings(farna, Settings()) == farna
    for other, rules in ((farna, settings), (plain, Settings())):
        with pytest.raises(Problems, match="the position belongs to the scenario"):
            attach_settings(other, rules)
    assert replace(settings, last_cycle=9).board is settings.board


def test_stand_ins_rehearse_a_hosts_scenario() -> None:
    """`courtly rehearse` tries it before anybody plays it."""
    games = [*rehearsals("noblesse", {"scenario": str(FILE), "last_cycle": 8}, range(4), 60, on_cores(2))]
    assert [game.ended is not None for game in games] == [True] * 4
    assert {party for game in games for party in game.parties} == {"North", "South"}


@pytest.mark.slow
def test_changing_the_file_in_mid_game_stops_the_game(archive: Archive, tmp_path: Path) -> None:
    """The position keeps the file's digest: no turn is judged or verified with other companies or roles."""
    import shutil

    shutil.copytree(archive.games, tmp_path / "games")
    own = tmp_path / "games/over" / SLUG / "islands.yaml"
    own.write_text(ISLANDS.replace("melee: 4, morale: 4", "melee: 5, morale: 4"), encoding="utf-8")
    code, said = courtly(tmp_path, "verify", SLUG)
    assert code == 1
    assert "islands.yaml is not as it was when this turn was opened; restore the file" in said
    (tmp_path / "games/over" / SLUG / "ending.yaml").unlink()
    code, said = courtly(tmp_path, "check")
    assert (code, "islands.yaml is not as it was" in said) == (1, True)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("nowhere.yaml", "nowhere.yaml: there is no such file"),
        ("Islands.yaml", "cannot be the name of a file beside game.yaml"),
        ("game.yaml", "cannot be the name of a file beside game.yaml"),
        ("farnaa", "no scenario is called 'farnaa'; did you mean 'farna'?"),
    ],
)
def test_a_missing_file_is_reported(tmp_path: Path, name: str, what: str) -> None:
    for made in ("Islands.yaml", "game.yaml"):
        (tmp_path / made).write_bytes(FILE.read_bytes())
    given = str(tmp_path / name) if name.endswith(".yaml") else name
    code, said = courtly(tmp_path, "rehearse", "noblesse", "--games", "1", "--set", f"scenario={given}")
    assert code == 1
    assert what in said


@pytest.mark.slow
def test_a_link_beside_the_game_is_refused(archive: Archive, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(archive.games, tmp_path / "games")
    own = tmp_path / "games/over" / SLUG / "islands.yaml"
    own.unlink()
    own.symlink_to(FILE)
    assert [str(problem) for problem in verify_game(Archive(tmp_path), SLUG).problems] == [
        f"games/over/{SLUG}/islands.yaml: this is a link; put the file itself here"
    ]


FAULTS: Mapping[tuple[str, str], str] = {
    ("prizes: [C3, C4, D3, D4]", "prizes: [C3, C4, D3, Z9]"): "islands.yaml:7:22: 'Z9' is not an estate on this board; A1 to F6",
    ("council: {morale: 3}", "council: {valour: 3}"): "islands.yaml:9:63: no value is called 'valour'",
    ("attack: 3, morale: 2}", "attack: 3, morale: 11}"): "islands.yaml:12:52: officers.The Admiral.morale is 11",
    ("  Bosun: {", "  'Bosun, the': {"): "islands.yaml:14:4: 'Bosun, the' cannot be a name; use at most 40 letters",
    ("Cedar, Dog", "Night, Dog"): "islands.yaml:37:23: 'Night' cannot be a name",
    ("Cedar, Dog", "ash, Dog"): "islands.yaml:37:1: two players' names give the same file name",
    ("Cedar, Dogwood", "Cedar"): "islands.yaml:37:1: 3 players for 4 roles",
    ('2 Riders, 3 Spears"', '2 Riders, 4 Spears"'): "islands.yaml:25:15: a regiment is not filled like this; 2 flank, 3 centre, 0 reserve",
    ("5 Spears, 3 Slingers", "5 Spears, 3 Slinger"): "islands.yaml:26:15: no company is called 'Slinger'; did you mean 'Slingers'?",
    ("eight: {effect: expel}", "eight: {effect: expell}"): "islands.yaml:23:19: abilities.eight.effect is 'expell'; did you mean 'expel'?",
    ("  eight: {effect: expel}\n", ""): "islands.yaml:27:3: the role has no ability 'eight' (NB-C-1)",
    ("faction: South, blurb: He", "faction: West, blurb: He"): "islands.yaml:35:25: no faction is called 'West'",
    ("charge: 2, melee: 1, morale: 2}", "charge: 9, melee: 1, morale: 2}"): "islands.yaml:15:3: its tier is 12",
    ("C4: [0, 2, 2]", "C4: [0, 2, 6]"): "islands.yaml:40:3: more than 5 of a resource",
    ("regiment, companies: [Bosun", "legion, companies: [Bosun"): "islands.yaml:19:29: no formation is called 'legion'",
    ("rows: 6", "rows: 6\nweather: fair"): "islands.yaml:6:10: unknown key 'weather'",
    ("start: [A1, B3]", "start: [A1, A1]"): "islands.yaml:9:11: there are not enough squares for the roles",
}  # fmt: skip


@pytest.mark.parametrize("change", FAULTS, ids=lambda change: change[1][:30])
def test_every_fault_has_its_line(change: tuple[str, str]) -> None:
    """Faults of a scenario come with their line and the right form."""
    old, new = change
    assert ISLANDS.count(old) == 1
    with pytest.raises(Problems) as caught:
        load_scenario(ISLANDS.replace(old, new).encode(), "islands.yaml")
    said = [str(problem) for problem in caught.value.problems]
    assert any(line.startswith(FAULTS[change]) for line in said), said


def test_all_faults_are_reported_at_once() -> None:
    worse = ISLANDS
    for old, new in FAULTS:
        if "prizes" in old or "charge" in old or "C4: [" in old:
            worse = worse.replace(old, new)
    with pytest.raises(Problems) as caught:
        load_scenario(worse.encode(), "islands.yaml")
    assert len(caught.value.problems) == 3


def test_editors_get_a_schema_for_the_file() -> None:
    import jsonschema

    made = schemas("noblesse")["scenario"]
    data = read(FILE.read_bytes(), "islands.yaml").data

    jsonschema.validate(data, made)
    assert isinstance(data, dict)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data | {"weather": "fair"}, made)


# Abilities and the core are data (NB-C-1) ---------------------------------------------------------------------------


def smugglers_night() -> tuple[Position, str]:
    """A Night on the islands with a unit of the Smuggler, who is rich."""
    first = RULESET.rules.setup(islands(), dice())
    after = resolve(first, {}, dice()).position
    seat = next(seat for seat, player in after.players.items() if player.role == "The Smuggler")
    rich = replace(after.players[seat], stock=Stock(influence=30, manpower=30, money=30), without="companies")
    unit = Unit(
        owner=seat, formation="regiment", at=rich.home or "", companies=("Riders", "Riders", "Spears", "Spears", "Spears"),
        leader="company", name="Bosun", recruited=0,
    )  # fmt: skip
    return replace(after, players={**after.players, seat: rich}, units={"U100": unit}, phase=Phase.NIGHT), seat


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Ability 8 on U100", "succeeds inspire NB-C-13"),
        ("Ability 2", "succeeds levy NB-C-14"),
        ("Ability 5", "succeeds levy NB-C-14"),
        ("Ability 2 on U100", "illegal other-ability NB-C-1"),
        ("Ability 8 on steward at C3", "illegal other-ability NB-C-1"),
    ],
)
def test_a_scenario_defines_the_abilities_of_each_role(line: str, said: str) -> None:
    """NB-C-1: the scenario defines a role's abilities, and a sheet that gets them wrong draws a warning before the deadline."""
    position, seat = smugglers_night()
    done = resolve(position, {seat: Sheet(orders=(line,))}, dice())
    (verdict,) = (verdict for verdict in done.verdicts if verdict.seat == seat)
    assert f"{verdict.result} {verdict.reason} {verdict.rule}" == said
    warned = [remark.what for remark in check(position, seat, Sheet(orders=(line,)))]
    assert bool(warned) == said.startswith("illegal")
    assert RULESET.words.tell(position, verdict).endswith(".")


def test_an_abilitys_amount_counts() -> None:
    """NB-C-1, NB-C-11: 9 Morale more by ability 8; and without the core no bonus of the War Council's."""
    from adjudicator.rulesets.noblesse.work import Work

    position, seat = smugglers_night()
    work = Work(position, {}, dice())
    assert work.strength("U100").morale == 2 * 2 + 3 * 3
    work.inspired["U100"] = Strength(morale=9)
    assert work.strength("U100").morale == 2 * 2 + 3 * 3 + 9
    queen = replace(position.players[seat], role="The Queen")
    with_core = Work(replace(position, players={**position.players, seat: queen}), {}, dice())
    assert with_core.strength("U100").morale == 2 * 2 + 3 * 3 + 3


def test_a_levy_is_used_up_by_one_unit() -> None:
    """Ability 2 makes one unit 1 Manpower cheaper, ability 5 the next 3, the third costs its price."""
    position, seat = smugglers_night()
    home = position.players[seat].home
    order = f"Recruit garrison at {home} led by Bosun: 5 Spears, 3 Slingers"
    lines = (
        "Ability 2",
        "Ability 5",
        order,
        order.replace("garrison", "regiment").replace("5 Spears, 3 Slingers", "2 Riders, 3 Spears"),
    )
    done = resolve(position, {seat: Sheet(orders=lines)}, dice())
    prices = [event.price.manpower for event in done.events if event.event == "raised"]
    assert prices == [2 + 4 - 1 + 1 - 1, 2]


@pytest.mark.slow
def test_a_ruling_that_names_a_missing_thing_is_a_problem(tmp_path: Path) -> None:
    """A host's correction is tried before it is applied, in words and with its line; in hidden parts, when it is sealed (FS-16)."""
    master = tmp_path / "master.txt"
    assert courtly(tmp_path, "keygen", "--master", "-o", str(master))[0] == 0
    (tmp_path / "games").mkdir()
    words = [word for seat in SEATS for word in ("--key", f"{seat}={recipient_of(new_identity())}")]
    env = {"COURTLY_MASTER_FILE": str(master)}
    assert courtly(tmp_path, "new", SLUG, "--ruleset", "noblesse", "--set", f"scenario={FILE}", *words, **env)[0] == 0
    archive = Archive(tmp_path, masters_from(env))
    list(play(archive, SLUG, SEATS, "3", "2026-11-22T18:00Z", 3))
    ruling = archive.games / SLUG / archive.turns(SLUG)[-1] / "ruling.yaml"
    for change, said, words in (
        ("players.Ash.role: Jester", "this game has no role called 'Jester'", ["seal", str(ruling)]),
        ("players.Ash.role: Jester", "the public does not see 'players.Ash.role'", ["check"]),
        ("settings.scenario: farna", "the position belongs to the scenario 'farna'", ["check"]),
    ):
        ruling.write_text(f"rulings:\n  - correct: {{{change}}}\n    reason: A test.\n", encoding="utf-8")
        code, output = courtly(tmp_path, *words, **env)
        assert code == 1
        assert said in output
        assert "ruling.yaml:2" in output
        assert ("Jester" in output) == (words[0] == "seal")
