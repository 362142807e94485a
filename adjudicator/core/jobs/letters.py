"""A sheet in an issue: the text that holds a file, as the order desk writes it too.

Whoever takes it in reads it out again: `adjudicator/ci/letters.py` says how.
"""

from __future__ import annotations

import re


def letter(path: str, text: str) -> str:
    """The text of an issue that holds a file, with a final newline whether the file has one or not."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"<!-- courtly sheet {path} -->\n{fence}\n{text.rstrip(chr(10))}\n{fence}\n"
