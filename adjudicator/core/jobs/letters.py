"""A sheet in an issue: the text that holds a file, in the format that the order desk also writes.

Intake extracts the file again; see `adjudicator/ci/letters.py`.
"""

from __future__ import annotations

import re


def letter(path: str, text: str) -> str:
    """The text of an issue that holds a file; it ends with a newline even if the file does not."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"<!-- courtly sheet {path} -->\n{fence}\n{text.rstrip(chr(10))}\n{fence}\n"
