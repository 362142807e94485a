"""Plays the rehearsals of every ruleset's REHEARSALS.md again and rewrites their tables: `nox -s rehearse [-- SLUG ...]`.

The file names the rehearsals: each command `$ courtly rehearse ...` is followed by the tables that it prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from adjudicator.core.contract.ruleset import find, slugs

COMMAND = re.compile(r"(```console\n\$ (courtly rehearse [^\n]+)\n```\n)((?:\n|\|[^\n]*\n)*)")


def again(match: re.Match[str]) -> str:
    """The command with its output of today."""
    print(match[2], flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator", *shlex.split(match[2])[1:]], check=True, capture_output=True, text=True
    )
    return f"{match[1]}\n{done.stdout.strip()}\n\n"


def main(wanted: list[str]) -> None:
    """Rewrites the tables of these rulesets; of all if none is given."""
    for slug in wanted or slugs():
        path = find(slug).folder / "REHEARSALS.md"
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(COMMAND.sub(again, text).rstrip() + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
