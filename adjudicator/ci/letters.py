"""Extract a sheet from the text of an issue. `adjudicator/core/jobs/letters.py` writes these texts.

An issue that holds a file begins with an invisible line that names the file's place, and has the file's text between two lines of
backticks, as the order desk writes it:

    <!-- courtly sheet games/summer/001-spring-1901-movement/orders/austria.yaml -->
    ```
    orders:
      - A Vienna - Galicia
    ```

The invisible line distinguishes it from all other issues, which are ignored. The issue may contain nothing else, so that nothing its author
meant is lost. GitHub's form does not keep line ends: they are normalized before reading.
"""

from __future__ import annotations

import re

from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.turn.sheets import MOST_BYTES

MARKER = re.compile(r"<!-- courtly sheet (\S{1,300}) -->")
FENCE = re.compile(r"(`{3,}) *([A-Za-z0-9]*) *")
MOST = 65_536
"""Maximum number of characters in an issue on GitHub."""


def marked_path(text: str) -> str | None:
    """The path that an issue names for its file; None for an issue without a file."""
    match = MARKER.match(text.lstrip("\ufeff \t\r\n"))
    return match[1] if match is not None else None


def read_letter(text: str) -> bytes:
    """The file in an issue's text, with Unix line ends; raises `Problems` with the fault and its remedy."""
    lines = re.sub(r"\r\n?", "\n", text.lstrip("\ufeff \t\r\n")).split("\n")
    fences = [at for at, line in enumerate(lines) if FENCE.fullmatch(line.strip())]
    right = "put the sheet, and nothing else, between two lines of three backticks"
    if len(fences) < 2:
        quoted = any(line.lstrip().startswith(">") for line in lines[1:])
        what = (
            "the sheet is quoted: its lines begin with >"
            if quoted
            else "there is no sheet between two lines of backticks"
        )
        raise problem("", what, right)
    first = fences[0]
    opening = FENCE.fullmatch(lines[first].strip())
    assert opening is not None
    ends = [at for at in fences[1:] if lines[at].strip() == opening[1]]
    if not ends:
        raise problem("", "the line of backticks above the sheet has no matching line below it", right)
    if len(ends) > 1:
        raise problem("", f"there are {len(ends) + 1} lines of backticks", right)
    last = ends[0]
    outside = [(at, line.strip()) for at, line in enumerate(lines) if not first <= at <= last and line.strip()]
    outside = [(at, line) for at, line in outside if not (at == 0 and MARKER.fullmatch(line))]
    if outside:
        raise Problems(_outside(at, line, right) for at, line in outside[:5])
    body = ("\n".join(lines[first + 1 : last]) + "\n").encode("utf-8", "surrogatepass")
    if len(body) > MOST_BYTES:
        raise problem("", f"the sheet has {len(body)} bytes", f"at most {MOST_BYTES} are allowed")
    return body


def _outside(at: int, line: str, right: str) -> Problem:
    kind = "an image" if re.search(r"!\[|<img\b", line) else "a quotation" if line.startswith(">") else "other text"
    return Problem("", 0, 0, f"line {at + 1} of the issue, outside the block, is {kind}", right)
