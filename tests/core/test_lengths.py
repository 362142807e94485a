"""Lengths of sealed files, and format 3: each game has one width for each kind of file, and secret.age holds nothing public (RT-16)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.lengths import MOST_SHEET, Lengths
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.jobs.lengths import KINDS, lengths_of, measured, table_of
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import decrypt, examine
from adjudicator.core.secrets.envelope import DISPATCH_WIDTH, pack, unpack
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.apart import PUBLIC, apart, together
from adjudicator.core.turn.aside import PIECES, Asides, news_alone, own_map
from adjudicator.core.turn.files import pack_fitting, secret_file, turn_text
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_all, load_turn
from tests import hazard
from tests.core.test_secrets import Table, cli

HIDDEN = [slug for slug in slugs() if find(slug).secrecy is not None]
SAMPLE: dict[str, list[tuple[dict[str, Any], int, int]]] = {
    "noblesse": [({}, 3, 12)],
    "heir_apparent": [({}, 5, 40), ({"players": 5, "draws": "all", "choice": "sheet", "unturn": "either"}, 2, 90)],
}
"""Ruleset -> settings, seed of a game, and number of turns: the longest that fit into the default tests."""


@pytest.fixture
def table(with_hazard: None, tmp_path: Path) -> Table:
    return Table(tmp_path / "archive")


def sizes(table: Table) -> dict[str, set[int]]:
    """Kind of file -> lengths of its plaintexts."""
    folder = table.root / "games" / "cards"
    kinds = {"sheet": "*/orders/*.age", "dispatch": "*/dispatches/*.age", "secret": "*/secret.age"}
    return {kind: {examine(path.read_bytes(), "x").length for path in folder.glob(kinds[kind])} for kind in kinds}


@pytest.mark.parametrize(
    ("slug", "settings", "seed", "most"), [(slug, *one) for slug in HIDDEN for one in SAMPLE[slug]]
)
def test_no_usual_turn_is_longer_than_its_ruleset_says(
    slug: str, settings: dict[str, Any], seed: int, most: int
) -> None:
    """RT-16: `nox -s rehearse` plays more of them and writes the tables of REHEARSALS.md."""
    table = table_of(measured(slug, settings, [seed], most), lengths_of(slug, settings))
    assert [row[0] for row in table.rows] == list(KINDS)
    assert [row for row in table.rows if row[-1] or not row[1]] == []


def test_a_game_has_one_length_for_each_kind_of_file(table: Table) -> None:
    """RT-16: from its first turn to its last, whatever is in the files."""
    for _ in range(hazard.LAST - 1):
        table.play(1)
    lengths = hazard.LENGTHS
    assert sizes(table) == {"sheet": {lengths.sheet}, "dispatch": {lengths.dispatch}, "secret": {lengths.secret}}
    seals = {table.archive.read(path).partition(b"\nseal:\n")[2].partition(b"\nposition")[0].partition(b"format")[2]
             for path in (table.root / "games" / "cards").glob("*/turn.yaml")}  # fmt: skip
    assert len(seals) == 1
    assert verify_game(table.archive, "cards").problems == ()


def test_a_game_in_format_2_keeps_its_format(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A newer courtly does not change a running game, and judges its turns to the same bytes."""
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.core.turn.keys._lengths", lambda game: (2, 3072, None, None))
        table = Table(tmp_path / "older")
    table.play(2)
    for _ in range(2):
        (table.turn.folder / "ruling.yaml").write_text(write({"rulings": [{"reason": "Once more.", "undo": True}]}))
        table.run("2026-11-20T12:00Z")
    assert len(table.archive.turns("cards")) == 1, "put back to its first turn"
    assert sizes(table) == {"sheet": set(), "dispatch": {DISPATCH_WIDTH}, "secret": {6144}}
    table.play(2)
    assert sizes(table) == {"sheet": {3072}, "dispatch": {DISPATCH_WIDTH}, "secret": {6144}}
    assert table.turn.data.seal is not None
    assert table.turn.data.seal.lengths == (2, 3072, None, None)
    assert verify_game(table.archive, "cards").problems == ()
    with monkeypatch.context() as patch:  # and without its keys
        patch.setattr("adjudicator.core.jobs.verify.has_keys", lambda game, data: False)
        assert verify_game(table.archive, "cards").problems == ()


def test_a_ruleset_that_chooses_other_lengths_changes_no_running_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = sizes(table)
    longer = replace(hazard.LENGTHS, dispatch=8192, secret=8192, sheet=4096)
    assert hazard.RULESET.secrecy is not None
    roomy = replace(hazard.RULESET.secrecy, lengths=lambda _: longer)
    monkeypatch.setattr(hazard, "RULESET", replace(hazard.RULESET, secrecy=roomy))
    table.play(2)
    assert sizes(table) == {"sheet": {1024}, "dispatch": was["dispatch"], "secret": was["secret"]}


@pytest.mark.parametrize("key", ["format", "width", "dispatch", "secret"])
def test_lengths_that_differ_from_the_turn_before_are_a_fault(table: Table, key: str) -> None:
    """With the keys and without them: a stranger's `courtly verify` notices it too."""
    table.play(2)
    path = table.turn.folder / "turn.yaml"
    lines = path.read_text().split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(f"  {key}: "))
    lines[at] = f"  {key}: {2 * int(lines[at].split()[1])}"
    path.write_text("\n".join(lines))
    found = [fault.what for fault in verify_game(table.archive, "cards").problems]
    assert "the lengths of the sealed files are not those of the turn before" in found


def test_content_that_is_too_long_doubles_the_length(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that outgrows its ruleset's usual length does not lose a turn."""
    assert hazard.RULESET.secrecy is not None
    tight = replace(hazard.RULESET.secrecy, lengths=lambda _: Lengths(sheet=1024, dispatch=1024, secret=1024))
    monkeypatch.setattr(hazard, "RULESET", replace(hazard.RULESET, secrecy=tight))
    table = Table(table.root.parent / "small")
    folder = table.turn.folder
    news = [unpack(decrypt(path.read_bytes(), [table.identities[path.stem.capitalize()]], "x"), "x", 1 << 20)
            for path in sorted(folder.glob("dispatches/*.age"))]  # fmt: skip
    assert all(len(pack(text)) <= 1024 for text in news)
    assert {examine(path.read_bytes(), "x").length for path in folder.glob("dispatches/*.age")} == {1024}
    secret = examine((folder / "secret.age").read_bytes(), "x").length
    whole = load_all(table.archive, table.turn)
    long = replace(
        whole,
        position=replace(whole.position, whispers={seat: "".join(map(chr, range(33, 1500))) for seat in hazard.SEATS}),
    )
    assert examine(secret_file(table.turn.game, long), "x").length > secret
    assert examine(secret_file(table.turn.game, long), "x").length % 1024 == 0


def test_the_desks_part_is_cut_before_a_dispatch_grows() -> None:
    """The map first loses its events, then everything; then the whole part goes. The news stays complete."""
    maps: list[Any] = [
        {"base": "b", "edits": [[1, 1, "".join(map(chr, range(start, start + 900)))]]} for start in (200, 2000)
    ]
    whole: Any = {
        "schema": 2,
        "form": [],
        "options": {"orders": [f"Order {number * 7919}" for number in range(200)]},
        "map": maps[0],
    }
    still = {"base": "b", "edits": [[1, 1, maps[1]["edits"][0][2][:300]]]}
    asides = Asides(whole, still)  # type: ignore[arg-type]  # these parts of an aside are enough here
    news = b"schema: 1\ntold: []\n"
    had = []
    for size in (1 << 20, 1900, 1000, 100):
        text = unpack(pack_fitting(news, asides, size), "x", 1 << 20)
        assert news_alone(text) == news
        behind = json.loads(text.split(b"\n")[-2]) if text != news else None
        had.append(behind and behind["map"])
        if size > 100:
            assert len(pack_fitting(news, asides, size)) <= size
    assert had == [maps[0], still, None, None]


def test_secret_age_leaves_out_what_is_public_and_loads_whole(table: Table) -> None:
    """PF-7: only turn.yaml has the public part."""
    table.play(1)
    for name in table.archive.turns("cards"):
        turn = load_turn(table.archive, table.turn.game, name)
        identity = keys_for(turn.game, name, turn.data).identity
        body = decrypt((turn.folder / "secret.age").read_bytes(), [identity or ""], "x")
        said: Any = read(unpack(body, "x", 1 << 20), "x").data
        assert len(said[PUBLIC]) == 64
        assert set(said["position"]) <= {"=", "+"}
        whole = load_all(table.archive, turn)
        assert whole.position.hands["Ash"]
        assert len(turn_text(whole)) > len(unpack(body, "x", 1 << 20)) - 80  # the digest


def test_a_public_part_that_does_not_match_is_named_without_its_content(table: Table) -> None:
    table.play(1)
    path = table.turn.folder / "turn.yaml"
    path.write_text(path.read_text().replace("position:\n  turn: 2", "position:\n  turn: 3"))
    with pytest.raises(Problems) as caught:
        table.run("2026-11-23T00:00Z")
    assert str(caught.value).startswith(
        f"games/cards/{table.turn.name}/turn.yaml: its public part is not the one that secret.age beside it was sealed with"
    )


def test_a_short_text_cannot_expand_to_a_long_one() -> None:
    """A public entry named twenty thousand times took `verify` 1,254 MiB."""
    for said in ([0, 0], [1, 0], [True], [-1], [2]):
        with pytest.raises((LookupError, ValueError)):
            together(said, [{"a": 1}, {"b": 2}])
    assert apart([{"a": 1}, {"c": 3}, {"a": 1}], [{"a": 1}, {"b": 2}]) == [0, {"c": 3}, {"a": 1}]
    assert apart({"x": {"+": {"a": 0}}}, {"b": 1}) == {"x": {"+": {"a": 0}}}


SCALARS = st.one_of(st.integers(-3, 3), st.sampled_from(["=", "+", "a", ""]), st.booleans(), st.none())
PLAIN = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("=+abc"), inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN, PLAIN)
def test_parts_that_were_split_off_come_together_again_exactly(whole: Any, public: Any) -> None:
    made = apart(whole, public)
    assert made == whole or json.dumps(together(made, public)) == json.dumps(whole)
    if isinstance(whole, dict) and made is not whole and isinstance(made, dict):
        assert set(made) <= {"=", "+"}


MARKUP = st.lists(
    st.sampled_from(['<a b="1">', '<a b="2" c="">', "</a>", "<c/>", "words; ", "{x:y}", "<t>a b</t>"])
).map("".join)


@given(MARKUP, MARKUP)
def test_a_map_is_made_of_the_pieces_that_the_desk_cuts(common: str, own: str) -> None:
    common, own = f"<svg>{common}</svg>", f"<svg>{own}</svg>"
    pieces, made, at = PIECES.findall(common), "", 0
    for stay, go, text in own_map(common, own)["edits"]:
        made += "".join(pieces[at : at + stay]) + text
        at += stay + go
    assert made + "".join(pieces[at:]) == own


def test_lengths_grow_with_the_number_of_seats() -> None:
    lengths = Lengths(sheet=2048, dispatch=7168, secret=8192)
    assert lengths.scaled(12, 12) == lengths.scaled(4, 12) == lengths
    assert lengths.scaled(18, 12) == Lengths(sheet=3072, dispatch=10752, secret=12288)
    assert lengths.scaled(120, 12).sheet == MOST_SHEET


def test_rehearse_measures_lengths_and_refuses_rulesets_that_hide_nothing(with_hazard: None, tmp_path: Path) -> None:
    shown = cli(tmp_path, "rehearse", "hazard", "--games", "2", "--lengths")
    assert shown.exit_code == 0
    assert [line.split(" | ")[0] for line in shown.output.splitlines() if line.startswith("| ") and "---" not in line] == [
        "| File", *(f"| {kind}" for kind in KINDS)
    ]  # fmt: skip
    refused = cli(tmp_path, "rehearse", "diplomacy", "--games", "2", "--lengths")
    assert refused.exit_code == 1
    assert "Diplomacy hides nothing" in refused.output
