"""The `courtly` command. Each of its commands is a few lines that use the library.

The library is imported inside the commands' functions, so that `courtly --version` and `--help` answer at once. Exit status: 0 if all is well,
1 if problems were found, 2 for wrong use.
"""

from __future__ import annotations

from adjudicator.cli.root import main

__all__ = ["main"]
