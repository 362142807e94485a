"""The theme's style sheet without what pages of games never use: about half of it.

Most of it is for parts that these pages lack, such as tabs, tooltips, or the results of a search. The whole sheet comes with the
theme's script, when the reader goes to the search.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

OWN = frozenset({"js", "md-button", "md-button--primary", "md-typeset"})
"""Classes of the theme that our pages and scripts use beside those of the theme's empty page."""
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
NOT = re.compile(r":not\([^()]*\)")
LISTED = re.compile(r",(?![^(]*\))")
"""The commas between selectors, without those inside brackets."""


def bare(sheet: str) -> str:
    """A style sheet of ours without its comments, which readers need not load. Ours have none inside strings."""
    return COMMENT.sub("", sheet).lstrip()


COMMENT = re.compile(r"[ \t]*/\*.*?\*/[ \t]*\n?", re.DOTALL)


def classes_in(page: str) -> set[str]:
    """The classes that a page's elements have."""
    return {name for names in re.findall(r'\bclass="([^"]*)"', page) for name in names.split()}


def slim(sheet: str, used: Container[str]) -> str:
    """A style sheet without the rules that need a class other than those in `used`; conditions that become empty go too."""
    kept = []
    for head, body in _blocks(sheet):
        if head.startswith(("@media", "@supports", "@layer", "@container")):
            inner = slim(body, used)
            kept += [f"{head}{{{inner}}}"] if inner else []
        elif head.startswith("@"):
            kept.append(f"{head}{{{body}}}")
        else:
            fits = [one for one in LISTED.split(head) if all(name in used for name in CLASS.findall(NOT.sub("", one)))]
            kept += [f"{','.join(fits)}{{{body}}}"] if fits else []
    return "".join(kept)


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Each rule of a sheet: the text before its braces, and the text in them. The sheet is minified, without comments."""
    at = 0
    while (start := sheet.find("{", at)) >= 0:
        depth, end = 1, start + 1
        while depth:
            step = BRACE.search(sheet, end)
            assert step is not None, "every brace is closed"
            depth += 1 if step[0] == "{" else -1
            end = step.end()
        yield sheet[at:start].strip(), sheet[start + 1 : end - 1]
        at = end


BRACE = re.compile(r"[{}]")
