"""The text of an issue that carries a sheet, in the format that the order desk writes too.

Intake takes the file out of it again; see `adjudicator/ci/letters.py`.
"""

from __future__ import annotations

import re


def letter(path: str, text: str) -> str:
    """The text of an issue that carries a file; in it the file ends with exactly one newline."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"<!-- courtly sheet {path} -->\n{fence}\n{text.rstrip(chr(10))}\n{fence}\n"
