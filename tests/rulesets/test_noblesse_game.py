"""A sealed game of Noblesse in an archive: played by stand-ins, verified, told to each seat alone, and revealed at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core import seal
from adjudicator.core.archive import Archive
from adjudicator.core.codec import decode, encode
from adjudicator.core.enter import new_charter, new_game
from adjudicator.core.play import play
from adjudicator.core.proof import verify_game
from adjudicator.core.seal import Masters
from adjudicator.core.sealing import open_file
from adjudicator.core.turn import load_all, load_charter, load_game, load_turn
from adjudicator.core.yamltext import Text
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.events import Event
from adjudicator.rulesets.noblesse.examples import cast
from adjudicator.rulesets.noblesse.position import Phase
from adjudicator.rulesets.noblesse.scenario import scenario_named
from adjudicator.site.desk import desk_files
from adjudicator.site.pages import game_page, turn_page
from adjudicator.site.story import load_story

SLUG = "farna"
SEATS = scenario_named("farna").players


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Archive, dict[str, str]]:
    root = tmp_path_factory.mktemp("noblesse")
    archive = Archive(root, Masters((b"m" * 32,)))
    new_charter(archive)
    keys = {seat: seal.new_identity() for seat in SEATS}
    seats = {seat: {"player": "a stand-in", "key": seal.recipient_of(keys[seat])} for seat in SEATS}
    data = {"ruleset": "noblesse", "title": "Farna", "opened": "2026-11-20", "sealed": True, "seats": seats}
    new_game(archive, SLUG, data)
    list(play(archive, SLUG, SEATS, "2", "2026-11-20T18:00Z", 12))
    return archive, keys


def test_each_seat_reads_its_own_news_and_no_other(place: tuple[Archive, dict[str, str]], tmp_path: Path) -> None:
    archive, keys = place
    name = archive.turns(SLUG)[7]
    for seat in SEATS[:3]:
        path = archive.game_folder(SLUG) / name / "dispatches" / f"{seat.lower()}.age"
        own, other = tmp_path / f"{seat}.key", tmp_path / "other.key"
        own.write_text(keys[seat], encoding="utf-8")
        other.write_text(keys[SEATS[5]], encoding="utf-8")
        text = open_file(archive, path, own).decode()
        assert f"seat: {seat}" in text
        assert "told:" in text
        with pytest.raises(Exception, match="key"):
            open_file(archive, path, other)


def test_a_seats_map_is_drawn_from_its_own_dispatch(place: tuple[Archive, dict[str, str]], tmp_path: Path) -> None:
    """What a seat sees: its own estates, with fog over the rest."""
    archive, keys = place
    name = archive.turns(SLUG)[7]
    own = tmp_path / "Anise.key"
    own.write_text(keys["Anise"], encoding="utf-8")
    args = ["-C", str(archive.root), "render", SLUG, name, "--seat", "anise", "-i", str(own)]
    wrong = CliRunner().invoke(main, args)
    assert (wrong.exit_code, "-o" in wrong.output) == (2, True)
    target = tmp_path / "map.svg"
    done = CliRunner().invoke(main, [*args, "-o", str(target)])
    assert done.exit_code == 0, done.output
    picture = target.read_text(encoding="utf-8")
    whole = load_all(archive, load_turn(archive, load_game(archive, SLUG), name)).position
    home = whole.players["Anise"].home
    assert f"{home}, Home of Anise" in picture
    for unit, one in whole.units.items():
        spied = any(unit == two.unit for seen in whole.players["Anise"].reports for two in seen.units)
        led = whole.factions[whole.players[one.owner].faction].leader == "Anise"
        shown = one.owner == "Anise" or led or spied
        assert (unit in picture) == shown, unit
    for seat in ("Rue", "nobody"):
        other = CliRunner().invoke(main, [*args[:5], "--seat", seat, "-i", str(own), "-o", str(target)])
        assert other.exit_code == 1
        assert "Traceback" not in other.output


def test_the_running_game_is_public_as_far_as_the_rules_say(place: tuple[Archive, dict[str, str]]) -> None:
    """What stands open in the archive names no living player's role, faction, home or unit (NB-C-9)."""
    archive, _ = place
    game = load_game(archive, SLUG)
    last = archive.turns(SLUG)[-1]
    whole = load_all(archive, load_turn(archive, game, last))
    story = load_story(archive, SLUG)
    assert story is not None
    public = [path.read_text(encoding="utf-8") for path in archive.root.rglob("*") if path.suffix in {".yaml", ".svg"}]
    public += [
        str(game_page(story, "../../")),
        *(str(turn_page(story, at, "", "../")) for at in range(len(story.turns))),
    ]
    text = "\n".join(public)
    for player in whole.position.players.values():
        if player.alive:
            assert player.role not in text
    for unit in whole.position.units:
        assert unit not in text
    assert "votes were needed" in text


def test_the_order_desk_takes_sheets_and_knows_no_secret(place: tuple[Archive, dict[str, str]]) -> None:
    """What can be clicked is for everybody to see: votes by day; the rest is typed."""
    archive, _ = place
    story = load_story(archive, SLUG)
    assert story is not None
    files = desk_files(story, load_charter(archive))
    desk = json.loads(files["desk.json"])
    assert [seat["name"] for seat in desk["seats"]] == list(SEATS)
    assert [field["key"] for field in desk["seats"][0]["form"]] == [
        "orders",
        "homes",
        "without",
        "unit",
        "final",
        "standing",
    ]
    by_day = RULESET.options(RULESET.seen_by(replace(cast(), phase=Phase.DAY), None), "Anise")
    assert [sheet.orders for sheet in by_day][-1] == ("Vote night",)
    whole = load_all(archive, load_turn(archive, load_game(archive, SLUG), archive.turns(SLUG)[-1]))
    assert not [unit for unit in whole.position.units if unit in files["desk.json"] + files["desk.svg"]]


def test_every_turn_is_judged_again_and_every_fact_survives(place: tuple[Archive, dict[str, str]]) -> None:
    archive, _ = place
    checked = verify_game(archive, SLUG)
    assert [str(one) for one in checked.problems] == []
    assert checked.turns == 12
    game = load_game(archive, SLUG)
    for name in archive.turns(SLUG):
        data = load_all(archive, load_turn(archive, game, name))
        assert decode(tuple[Event, ...], Text("events", encode(list(data.events)), {})) == data.events


def test_at_the_end_all_is_revealed(place: tuple[Archive, dict[str, str]]) -> None:
    archive, _ = place
    list(play(archive, SLUG, SEATS, "2", "2026-11-20T18:00Z", 200))
    assert archive.has_ended(SLUG)
    open_to_all = Archive(archive.root)
    assert [str(one) for one in verify_game(open_to_all, SLUG).problems] == []
    story = load_story(open_to_all, SLUG)
    assert story is not None
    page = str(game_page(story, "../../"))
    for role in scenario_named("farna").roles:
        assert role.replace("'", "&#39;") in page
    assert "Estates over time" in page
