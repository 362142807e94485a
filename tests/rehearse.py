"""Plays the rehearsals of every ruleset's REHEARSALS.md again and writes their tables anew: `nox -s rehearse [-- SLUG ...]`.

The file says what is played: under each command `$ courtly rehearse ...` stand the tables that it prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from adjudicator.core.contract.ruleset import find, slugs

COMMAND = re.compile(r"(```console\n\$ (courtly rehearse [^\n]+)\n```\n)((?:\n|\|[^\n]*\n)*)")


def again(match: re.Match[str]) -> str:
    """The command with what it prints today."""
    print(match[2], flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator", *shlex.split(match[2])[1:]], check=True, capture_output=True, text=True
    )
    return f"{match[1]}\n{done.stdout.strip()}\n\n"


def main(wanted: list[str]) -> None:
    """Writes the tables of these rulesets anew; of all for none."""
    for slug in wanted or slugs():
        path = find(slug).folder / "REHEARSALS.md"
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(COMMAND.sub(again, text).rstrip() + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
