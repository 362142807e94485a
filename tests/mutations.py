"""Texts as people damage them, for the law that every reader of YAML agrees: `python -m tests.mutations [--texts N]`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from adjudicator.core.text import yamltext
from adjudicator.core.text.problems import Problems

ROOT = Path(__file__).parent.parent
SIGNS = [
    *"\t:-'\"[]{}#%&*!|>?,@`~\\ é\n",
    ": ",
    "- ",
    "\n  ",
    "\n- ",
    "key:",
    "- - ",
    "{a: ",
    "[a, ",
    "'x",
    "<<: ",
    "---\n",
    "...\n",
    "\r\n",
    ": x",
    " #",
    "\n\t",
    "|#",
    ">\n \n",
    "...\n...\n",
    "'a':b",
    "x?",
    "%FOO\n---\n",
    r'"\UFFFFFFFF"',
    r'"\ud800"',
    "|\n\t",
]
"""Signs that slip into a text."""


def texts(random: Random, most: int = 400) -> list[str]:
    """Sheets, rulings and games of this archive and of the tests, and other features of YAML."""
    paths = sorted([*ROOT.glob("games/*/*/orders/*.yaml"), *ROOT.glob("games/over/*/*/orders/*.yaml"), *ROOT.glob("games/**/game.yaml"), *ROOT.glob("games/**/ruling.yaml"), *ROOT.glob("tests/data/**/*.yaml"), *ROOT.glob("adjudicator/rulesets/*/lessons/*.yaml")])  # fmt: skip
    found = [text for path in paths if len(text := path.read_text("utf-8")) < 2500]
    return [*random.sample(found, min(most, len(found))), *ODD]


ODD = [
    'orders:\n- A Paris S A Burgundy - Ruhr\n- "F Brest: hold"\nbids:\nfinal: true\n',
    "a: {b: 1, c: [x, 'y', \"z\"]}\nd:\n  - e: f\n    g: |\n      h\n      i\n  - - j\n    - k\n",
    "a: >-\n  folded\n  text\n\nb: 'it''s'\nc: \"a\\tb\"\n# a comment\nd: [ ]\ne: { }\n",
    "- one\n- two:\n  three:\n-\n- four: # none\n",
    "a: x\n  y\n  z\nb: 'x\n  y'\nc: \"x\\\n  y\"\n",
    "? a\n: b\n? c\n: - d\n",
    "wishes:\n\n- x\n\n\n- y\nnote: |+\n  z\n\n\n",
]  # fmt: skip


def damaged(text: str, random: Random) -> str:
    """The text with a few slips."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        lines = text.split("\n")
        number = random.randrange(len(lines))
        match random.randrange(7):
            case 0 | 1:
                text = text[:at] + random.choice(SIGNS) + text[at:]
            case 2:
                text = text[:at] + text[at + random.randint(1, 3) :]
            case 3:
                text = text[:at] + random.choice(SIGNS) + text[at + 1 :]
            case 4:
                lines[number] = " " * random.randint(1, 3) + lines[number]
                text = "\n".join(lines)
            case 5:
                lines[number] = lines[number][random.randint(1, 2) :]
                text = "\n".join(lines)
            case _:
                other = random.randrange(len(lines))
                lines[number], lines[other] = lines[other], lines[number]
                text = "\n".join(lines)
    return text


def asked(source: bytes) -> Any:
    """The result of reading a text: its data, marks and joined lines, or every fault."""
    try:
        text = yamltext.read(source, "x.yaml")
    except Problems as error:
        return [str(fault) for fault in error.problems]
    return text.data, text.marks, text.joined


def asked_in_the_page(source: bytes) -> Any:
    """The result of reading it where libyaml is missing."""
    quick, yamltext.QUICK = yamltext.QUICK, None
    try:
        return asked(source)
    finally:
        yamltext.QUICK = quick


def search(count: int, seed: int) -> Iterator[tuple[str, Any, Any]]:
    """Yields so many texts, each with the results of reading it natively and in the page; reproducible by the seed."""
    random = Random(seed)
    sources = texts(random)
    for _ in range(count):
        text = damaged(random.choice(sources), random)
        source = text.encode()
        yield text, asked(source), asked_in_the_page(source)


def main() -> int:
    """Prints how many texts were read, refused, and read differently; returns 1 if any was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counted: Counter[str] = Counter()
    for text, native, page in search(given.texts, given.seed):
        counted["refused" if isinstance(native, list) else "read"] += 1
        if native != page:
            counted["differ"] += 1
            if counted["differ"] <= 20:
                print(f"{text!r}\n  natively {native!r:.600}\n  in the page {page!r:.600}")
    print(dict(counted))
    return int(bool(counted["differ"]))


if __name__ == "__main__":
    sys.exit(main())
