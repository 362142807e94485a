"""Draws a board: `python -m tests.tools.boards BOARD --maps FOLDER [--sketch FILE]`.

Writes the board's outlines.yaml, always the same bytes for the same input. It ends with an error if two provinces touch
but do not border in board.yaml, or the other way round, or if anchors overlap.

Needs numpy and shapely (2.1 or newer); `nox -s atlas -- BOARD` fetches them and the maps.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.tools.boards import nine_worlds, standard, taifas
from tests.tools.boards.common import draw

BOARDS = {board.name: board for board in (nine_worlds.BOARD, standard.BOARD, taifas.BOARD)}


def main() -> None:
    """Draws the board that the command line names."""
    parser = argparse.ArgumentParser(description="Draw a board.")
    parser.add_argument("board", choices=sorted(BOARDS))
    parser.add_argument("--maps", type=Path, required=True, help="the folder with world-atlas' maps")
    parser.add_argument("--sketch", type=Path, help="also write a plain SVG picture to look at")
    options = parser.parse_args()
    board = BOARDS[options.board]
    draw(board, options.maps / board.map, options.sketch)


if __name__ == "__main__":
    main()
