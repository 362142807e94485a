"""Let stand-ins play every board of `tests/data/boards` to an end, and draw it, laid out and by its own shapes: `nox -s boards [-- NAME ...]`.

Prints a table, and writes the pictures into `build/boards` for anybody who wants to look at them.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from adjudicator.core.game.beside import Laid, beside_from
from adjudicator.core.game.game import house_rules
from adjudicator.core.jobs.rehearse import rehearsals
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.yamltext import Text
from adjudicator.render.ground import outlines_of
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.ground import tiles_of
from adjudicator.rulesets.diplomacy.picture import sketch
from adjudicator.rulesets.diplomacy.position import Settings

BOARDS = Path(__file__).parent / "data" / "boards"
INTO = Path("build") / "boards"


def rules_on(name: str, files: Laid | None = None) -> Settings:
    """The house rules of a game on one of the boards; `files` override those in the folder."""
    files = files or Laid()
    files.folders = (BOARDS,)
    settings, _ = house_rules(RULESET, Text("--set", {"board": f"{name}.yaml"}, {}), beside_from(files))
    assert isinstance(settings, Settings)
    return settings


def with_shapes(name: str) -> Settings:
    """The house rules with the laid-out shapes added to the board, as a file."""
    ((file, body),) = sketch(rules_on(name)).items()
    text = (BOARDS / f"{name}.yaml").read_bytes() + f"outlines: {file}\n".encode()
    return rules_on(name, Laid({f"{name}.yaml": text, file: body}))


def pictures(settings: Settings) -> tuple[str, str]:
    """The first position, and the first turn as stand-ins order it."""
    position = RULESET.rules.setup(settings, GivenDice({}))
    chance = chance_of("boards", "1")
    sheets = {seat: write_sheet(RULESET, position, seat, chance) for seat in sorted(RULESET.due(position))}
    done = RULESET.rules.resolve(position, sheets, GivenDice({}))
    return RULESET.pictures.picture(position, None).svg, RULESET.pictures.picture(position, done).svg


def main(names: list[str]) -> None:
    """Play and draw the boards, and print the table."""
    INTO.mkdir(parents=True, exist_ok=True)
    head = ("board", "provinces", "powers", "laid out, s", "KB a map", "turns", "ended", "CPU, s")
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head), flush=True)
    for name in names or sorted(path.stem for path in BOARDS.glob("*.yaml")):
        settings = rules_on(name)
        begun = time.process_time()
        outlines_of(tiles_of(settings.ground))
        laid = time.process_time() - begun
        first, turn = pictures(settings)
        assert pictures(with_shapes(name)) == (first, turn), f"{name}: its own shapes give another picture"
        (INTO / f"{name}.svg").write_text(first, encoding="utf-8")
        (INTO / f"{name}-turn.svg").write_text(turn, encoding="utf-8")
        begun = time.process_time()
        (game,) = rehearsals("diplomacy", {"board": str(BOARDS / f"{name}.yaml")}, range(1), 500)
        ended = f"{game.ended.how}, {', '.join(game.ended.winners)}" if game.ended is not None else "not ended"
        assert game.ended is not None, f"{name}: not ended after {game.turns} turns"
        board = settings.ground
        row = (
            name, len(board.provinces), len(board.powers), f"{laid:.2f}", len(turn) // 1024, game.turns, ended,
            f"{time.process_time() - begun:.1f}",
        )  # fmt: skip
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
