"""Hidden information: nothing secret in any public byte, everything provable when the game is over."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_charter, new_game, setup_commitment
from adjudicator.core.jobs.run import might_be_due, reveal, run_game
from adjudicator.core.jobs.seal import seal_sheet, seat_view
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import encrypt, examine, new_identity, recipient_of
from adjudicator.core.secrets.envelope import open_own, pack
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.aside import news_alone
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.site.mkdocs.build import build
from tests import hazard
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("with_hazard")

MASTER = "courtly-master-1-" + "7e" * 32
MARK = "XYZZYmarked"
"""Part of every whisper, so that a whisper can be found wherever it leaks."""


class Table:
    """A game of hazard with its players' keys."""

    def __init__(self, root: Path, *, gather: bool = False) -> None:
        self.root = root
        self.archive = Archive(root, read_masters(MASTER, "test"))
        self.identities = {seat: new_identity() for seat in hazard.SEATS}
        (root / "games").mkdir(parents=True)
        new_charter(self.archive)
        data: dict[str, Any] = {
            "ruleset": "hazard", "title": "A game of hazard", "opened": "2026-11-20", "id": "c0" * 8, "sealed": True,
            "schedule": {"turn": "1d", "remind": "6h"},
            "seats": {
                seat: {"player": f"{seat}’s player", "account": 1 + at, "key": recipient_of(self.identities[seat])}
                | ({"nonce": f"nonce{seat}0"} if gather else {})
                for at, seat in enumerate(hazard.SEATS)
            },
        }  # fmt: skip
        if gather:
            data["setup"] = setup_commitment(self.archive, "cards", "c0" * 8)
        new_game(self.archive, "cards", data)
        if gather:
            self.run("2026-11-20T00:00Z")

    @property
    def turn(self) -> Turn:
        game = load_game(self.archive, "cards")
        return load_turn(self.archive, game, self.archive.turns("cards")[-1])

    def run(self, at: str) -> list[str]:
        with self.archive.writing():
            return [step.what for step in run_game(self.archive, "cards", at=at)]

    def sheet(self, seat: str, whisper: str, **more: Any) -> None:
        """Seals a sheet that plays the seat's first card."""
        hand = load_all(self.archive, self.turn).position.hands[seat]
        path = self.root / f"{seat.lower()}.yaml"
        path.write_text(write({"play": hand[0] if hand else "nothing", "whisper": whisper, "final": True} | more))
        made = seal_sheet(Archive(self.root), path, game="cards", seat=seat, turn=None, readers=[])
        made.write(Archive(self.root), made.place)
        path.unlink()

    def play(self, rounds: int = hazard.LAST) -> list[str]:
        """Play rounds; return every secret: cards in their order and words as they were whispered."""
        secrets = []
        for number in range(1, rounds + 1):
            secrets += [card for hand in load_all(self.archive, self.turn).position.hands.values() for card in hand]
            for seat in hazard.SEATS:
                secrets.append(f"{MARK}-{seat}-{number}")
                self.sheet(seat, secrets[-1])
            self.run(f"2026-11-2{number}T00:00Z")
        return secrets


def public_bytes(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def cli(root: Path, *args: str, **env: str) -> Result:
    clean = {"COURTLY_MASTER": "", "COURTLY_MASTER_FILE": ""}
    return CliRunner().invoke(main, ["-C", str(root), *args], env=clean | env)


def leaks(table: Table, secrets: list[str], said: str, out: Path) -> list[str]:
    """Places where a secret appears in public bytes: the repository, the site, and the output of commands."""
    leaks = []
    index = build(table.root, out)
    # Rulebooks do not belong to a game, and their worked examples name cards too, even in the search index.
    books = ("rulesets/", "search/")
    site = {path: body for path, body in public_bytes(index.parent).items() if not path.startswith(books)}
    archive = public_bytes(table.root)
    leaks += [f"search: {secret}" for secret in {*secrets, MARK} if secret in _search(index.parent)]
    for where, body in {**archive, **site, "said": said.encode()}.items():
        leaks += [f"{where}: {secret}" for secret in {*secrets, MARK} if secret.encode() in body]
        leaks += [f"{where}: a key" for _ in re.findall(rb"AGE-SECRET-KEY-1[A-Z0-9]{30}", body)]
    return leaks


def _search(site: Path) -> str:
    """Text of the search indexes of help and games."""
    pages = [json.loads((site / "search" / name).read_text())["docs"] for name in ("search_index.json", "games.json")]
    assert all(pages)
    return json.dumps(pages)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "archive")
    (made.root / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text())
    import shutil

    shutil.copytree(ROOT / "site_src", made.root / "site_src")
    return made


@pytest.mark.slow
def test_nothing_secret_is_in_any_public_byte_while_the_game_runs(table: Table, tmp_path: Path) -> None:
    secrets = table.play(3)
    said = ""
    for args in (
        ["check"],
        ["verify"],
        ["--json", "verify"],
        ["run", "--at", "2026-11-23T00:00Z"],
        ["doctor"],
        ["render", "cards"],
    ):
        for env in ({}, {"COURTLY_MASTER": MASTER}):
            done = cli(table.root, *args, **env)
            said += done.output
            assert done.exit_code in (0, 1)
    assert "3 are sealed until their games end" in said
    hidden = [secret for secret in secrets if secret.startswith(MARK)] + list(hazard.DECK)
    assert leaks(table, hidden, said, tmp_path / "site") == []
    for seat, identity in table.identities.items():
        for name in table.archive.turns("cards"):
            path = table.archive.game_folder("cards") / name / "dispatches" / f"{seat.lower()}.age"
            news = read(news_alone(open_own(path.read_bytes(), [identity], "x")), "x").data
            assert isinstance(news, dict)
            whispers = news["position"].get("whispers", {})  # type: ignore[union-attr]
            assert set(whispers) <= {seat}  # type: ignore[arg-type]


@pytest.mark.slow
def test_after_the_game_everything_is_revealed_and_verifies_without_the_master_secret(
    table: Table, tmp_path: Path
) -> None:
    secrets = table.play()
    assert table.archive.has_ended("cards")
    checked = verify_game(Archive(table.root), "cards")
    assert (checked.problems, checked.turns, checked.sealed) == ((), hazard.LAST, 0)
    index = build(table.root, tmp_path / "site")
    page = (index.parent / "games/cards/002-round-2-cards/index.html").read_text()
    assert any(f"Play {card}" in page for card in hazard.DECK)
    # The search, which found nothing during the game, finds the revealed secrets now.
    assert leaks(table, list(hazard.DECK), "", tmp_path / "again")
    body = (table.archive.game_folder("cards") / "002-round-2-cards/turn.yaml").read_text()
    assert "AGE-SECRET-KEY-1" in body
    assert any(secret.startswith(MARK) for secret in secrets)
    game = load_game(Archive(table.root), "cards")
    second = load_turn(Archive(table.root), game, "002-round-2-cards")
    assert load_all(Archive(table.root), second).position.whispers["Ash"] == f"{MARK}-Ash-1"


@pytest.mark.slow
@pytest.mark.parametrize("what", ["hand", "roll", "secret", "identity", "public event", "whisper sheet", "setup roll"])
def test_a_host_who_cheats_is_found_out_at_the_end(table: Table, what: str) -> None:
    table.play()
    folder = table.archive.game_folder("cards") / "002-round-2-cards"
    turn = folder / "turn.yaml"
    text = turn.read_text()
    match what:
        case "hand":
            changed = text.replace("back", "card", 1)
        case "roll":
            changed = text.replace("value: 1", "value: 2", 1).replace("sides: 1", "sides: 2", 1)
        case "secret":
            changed = text.replace("secret: ", "secret: 00", 1)
        case "identity":
            other = (table.archive.game_folder("cards") / "001-round-1-cards/turn.yaml").read_text()
            key = next(line for line in other.splitlines() if "identity" in line)
            changed = "\n".join(key if "identity" in line else line for line in text.split("\n"))
        case "public event":
            name = next(seat for seat in hazard.SEATS if f"scored, seat: {seat}" in text)
            changed = text.replace(f"scored, seat: {name}", "scored, seat: " + ("Ash" if name != "Ash" else "Birch"))
        case "whisper sheet":
            changed = text
            ash, birch = folder / "orders/ash.yaml.age", folder / "orders/birch.yaml.age"
            body = ash.read_bytes()
            ash.write_bytes(birch.read_bytes())
            birch.write_bytes(body)
        case _:
            first = table.archive.game_folder("cards") / "001-round-1-cards/turn.yaml"
            body_ = first.read_text()
            first.write_text(
                body_.replace('setup:deck:11", sides: 12, value: ', 'setup:deck:11", sides: 12, value: 1', 1)
            )
            changed = text
    if changed != text:
        turn.write_text(changed)
    checked = verify_game(Archive(table.root), "cards")
    assert checked.problems, what


@pytest.mark.slow
def test_a_game_has_a_luck_page_only_if_it_has_dice(table: Table, tmp_path: Path) -> None:
    table.play(2)
    pages = build(table.root, tmp_path / "running").parent / "games/cards"
    text = (pages / "luck.html").read_text() if (pages / "luck.html").exists() else ""
    assert "secret:draw" not in text
    assert "setup:deck" not in text
    table.play(hazard.LAST - 2)
    pages = build(table.root, tmp_path / "over").parent / "games/cards"
    text = (pages / "luck.html").read_text()
    assert "Luck in A game of hazard" in text
    assert "secret:draw:1" in text
    assert "setup:deck:11" in text
    assert "luck.html" in (pages / "index.html").read_text()
    proof = json.loads((pages / "001-round-1-cards/proof.json").read_text())
    assert len(proof["setup"]["rolls"]) == 11
    assert {roll["name"] for roll in proof["rolls"]} >= {"secret:draw:1", "open:tie:1"}
    assert proof["secret"]


def test_lengths_of_sealed_files_reveal_nothing(table: Table) -> None:
    table.play(2)
    sizes = {}
    for name in table.archive.turns("cards"):
        folder = table.archive.game_folder("cards") / name
        sizes[name] = {p.name: examine(p.read_bytes(), p.name).length for p in sorted(folder.glob("dispatches/*.age"))}
    assert len({size for one in sizes.values() for size in one.values()}) == 1
    sheets = {examine(p.read_bytes(), p.name).length for p in (table.root / "games").glob("cards/*/orders/*.age")}
    assert len(sheets) == 1


def test_a_run_after_one_killed_between_judging_and_revealing_reveals(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hazard.LAST - 1)
    for seat in hazard.SEATS:
        table.sheet(seat, "last")

    from adjudicator.core.jobs.run import _reveal as real

    monkeypatch.setattr("adjudicator.core.jobs.run._reveal", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        table.run("2026-11-24T00:00Z")
    assert not table.archive.has_ended("cards")
    monkeypatch.setattr("adjudicator.core.jobs.run._reveal", real)
    assert might_be_due(table.archive, "cards", "2026-11-24T00:00Z")
    assert table.run("2026-11-24T00:00Z") == ["revealed"] * hazard.LAST + ["ended", "put away"]
    assert verify_game(Archive(table.root), "cards").problems == ()


def test_reveal_waits_for_the_end(table: Table) -> None:
    table.play(1)
    with pytest.raises(Problems, match="the game is not over"):
        list(reveal(table.archive, "cards"))


def test_the_setup_depends_on_every_players_nonce(tmp_path: Path) -> None:
    tables = [Table(tmp_path / "one", gather=True), Table(tmp_path / "two", gather=False)]
    hands = [
        load_all(
            t.archive, load_turn(t.archive, load_game(t.archive, "cards"), t.archive.turns("cards")[0])
        ).position.hands
        for t in tables
    ]
    assert hands[0] != hands[1]
    waiting = tmp_path / "three"
    made = Table(waiting, gather=True)
    path = waiting / "games/cards/game.yaml"
    path.write_text(path.read_text().replace("nonceBirch0", "nonceBirch1"))
    made.play()
    checked = verify_game(Archive(waiting), "cards")
    assert checked.problems == (), "the nonces that counted are kept with the first turn"
    assert "nonceBirch0" in (waiting / "games/over/cards/001-round-1-cards/turn.yaml").read_text()


def test_a_fault_in_a_hidden_game_reveals_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for seat in hazard.SEATS:
        table.sheet(seat, f"{MARK}-{seat}")

    def breaks(*args: object) -> Any:
        raise ValueError(f"{args} {MARK}")

    import dataclasses

    monkeypatch.setattr(
        hazard,
        "RULESET",
        dataclasses.replace(hazard.RULESET, rules=dataclasses.replace(hazard.RULESET.rules, resolve=breaks)),
    )
    done = cli(table.root, "run", "--now", COURTLY_MASTER=MASTER)
    assert done.exit_code == 1
    assert "courtly failed here: ValueError" in done.output
    assert MARK not in done.output
    assert "card-" not in done.output


def test_a_player_can_check_dispatches_against_their_digests(table: Table, tmp_path: Path) -> None:
    """FS-13: no digest covered the dispatches, so forged or deleted ones went unnoticed."""
    table.play(2)
    key = tmp_path / "ash.txt"
    key.write_text(table.identities["Ash"])
    said = cli(table.root, "verify", "cards", "-i", str(key))
    assert said.exit_code == 0
    assert "(3 of your dispatches are as they were sent)" in said.output
    names = table.archive.turns("cards")
    letters = [table.archive.game_folder("cards") / name / "dispatches/ash.age" for name in names]
    body = letters[0].read_bytes()
    forged = write({"schema": 1, "game": "cards", "turn": names[0], "seat": "Ash", "attempt": 1, "salt": "0" * 32})
    recipient = recipient_of(table.identities["Ash"])
    letters[0].write_bytes(encrypt(pack(forged.encode()), [recipient]))
    letters[1].unlink()
    said = cli(table.root, "verify", "cards", "-i", str(key))
    assert said.exit_code == 1
    assert (
        f"error: games/cards/{names[0]}/dispatches/ash.age: this is not the dispatch that Ash got: turn.yaml has"
        in said.output
    )
    assert f"error: games/cards/{names[1]}/dispatches/ash.age: there is no dispatch" in said.output
    strangers_key = tmp_path / "nobody.txt"
    strangers_key.write_text(new_identity())
    said = cli(table.root, "verify", "cards", "-i", str(strangers_key))
    assert (said.exit_code, "no dispatch here is sealed to this key" in said.output) == (1, True)
    # A turn whose digests were removed together with the dispatch is noticed between the others.
    cut = table.archive.game_folder("cards") / names[1] / "turn.yaml"
    whole = cut.read_text()
    cut.write_text(re.sub(r"(?m)^dispatches:\n(?:  .*\n)+", "", whole))
    said = cli(table.root, "verify", "cards", "-i", str(key))
    assert f"error: games/cards/{names[1]}/turn.yaml: it names no dispatch that is sealed to your key" in said.output
    cut.write_text(whole)
    # Anybody who opens it gets a message too; and the master shows the content that turn.yaml should have.
    said = cli(
        table.root, "render", "cards", names[0], "--seat", "Ash", "-i", str(key), "-o", str(tmp_path / "map.svg")
    )
    assert "this is not the dispatch that Ash got" in said.output
    letters[0].write_bytes(body)
    path = letters[0].parent.parent / "turn.yaml"
    text = path.read_text()
    path.write_text(re.sub(r"(?m)^(dispatches:\n  Ash: )\S+", r"\1" + "0" * 64, text))
    assert path.read_text() != text
    assert [fault.path for fault in verify_game(table.archive, "cards").problems] == [
        f"games/cards/{names[0]}/turn.yaml"
    ]


def test_dispatches_do_not_repeat_what_everybody_knows(table: Table) -> None:
    """Format 2: they only hold what the public does not see; with turn.yaml they give the whole view."""
    table.play(1)
    game, name = load_game(table.archive, "cards"), table.archive.turns("cards")[-1]
    turn = load_turn(table.archive, game, name)
    whole = load_all(table.archive, turn)
    for seat, identity in table.identities.items():
        file = turn.folder / "dispatches" / f"{seat.lower()}.age"
        news = read(news_alone(open_own(file.read_bytes(), [identity], "x")), "x").data
        assert isinstance(news, dict)
        assert set(news["position"]) <= {"hands", "whispers"}  # type: ignore[arg-type]
        assert not any("scored" in str(event) for event in news["events"])  # type: ignore[union-attr]
        key = table.root / "key.txt"
        key.write_text(identity)
        assert seat_view(table.archive, turn, seat, key) == hazard.RULESET.view(whole.position, seat)
