"""Patterns of English that a native engineer would not write, counted by file: `python -m tests.tools.english` prints them.

With `--write`, lower counts become those that `tests/data/english.yaml` allows; `--show P1 adjudicator/core` prints the sentences.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = ROOT / "tests/data/english.yaml"
PATTERNS: dict[str, re.Pattern[str]] = {
    "P1": re.compile(r"(?:^|[.:;] |\n)(?:What|Who|Whom|Which)\b(?![^.\n]*\?)"),
    "P2": re.compile(r"\b(?:stands?|stood)\b(?!-in)", re.IGNORECASE),
    "P3": re.compile(r"\b(?:is|are|was|were|be|been|being) (?:told|said|asked)\b|\bsays? of\b", re.IGNORECASE),
    "P4": re.compile(r"\b(?:of|by|with|to|in|on|for|from|at|after|before) (?:which|whom|what)\b", re.IGNORECASE),
    "P5": re.compile(r"(?<!\b[Tt]here )\b(?:is|are|was|were) (?:no|none)\b(?! longer| more)"),
    "P6": re.compile(r"\bof (?:one’s|one's|its|their|his|her|my|our|your) own\b", re.IGNORECASE),
    "P7": re.compile(
        r"\b(?:hangs?|hung) on\b|\bgoes before\b|\btakes? the place of\b|\b(?:has|have) room\b", re.IGNORECASE
    ),
    "P8": re.compile(r"\balone\b|\banew\b|\bin turn\b|[;,] else\b", re.IGNORECASE),
    "P9": re.compile(r"\b[Tt]he same\.|\bas (?:it is|they are)[.;,]|^The \w+ \w+['’]s\.", re.MULTILINE),
}
"""Name of a pattern -> its regular expression; CONTRIBUTING.md lists the replacements."""
CODE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`|<[^>]*>|“[^”]*”|\{[^}\n]*\}", re.DOTALL)
"""Quoted code, markup and speech, which are not counted."""
FOLDERS = ("adjudicator", "site_src", "tests", "vendor")
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "noxfile.py")
SPECIFIED = {"RULES.md", "CARDS.md", "SOURCES.md", "english.py"}
"""Rulebooks keep the words of their sources; this file names the patterns."""


def files() -> Iterator[Path]:
    """Files with our prose: Python, scripts and pages."""
    for name in PAGES:
        yield ROOT / name
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = path.relative_to(ROOT).parts
            if path.suffix in {".py", ".js", ".md"} and path.name not in SPECIFIED and "node_modules" not in inside:
                yield path


def prose(path: Path) -> str:
    """Docstrings and comments of a program, or the text of a page, without quoted code."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        text = "\n".join((*_docstrings(ast.parse(text)), *_comments(text)))
    elif path.suffix == ".js":
        text = "\n".join(re.findall(r"^\s*(?://|/?\*+)\s?(.*)$", text, re.MULTILINE))
    return CODE.sub("`", text)


def _docstrings(tree: ast.AST) -> Iterator[str]:
    """Every string that is a whole statement: docstrings of modules, classes, functions and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield re.sub(r"[ \t]*\n[ \t]*", "\n", node.value.value)


def _comments(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("#: ")


def counts(text: str) -> Counter[str]:
    """Pattern -> number of its occurrences."""
    return Counter({name: found for name, pattern in PATTERNS.items() if (found := len(pattern.findall(text)))})


def measured() -> dict[str, Counter[str]]:
    """File -> its counts; files without any are left out."""
    found = {path.relative_to(ROOT).as_posix(): counts(prose(path)) for path in files()}
    return {name: count for name, count in found.items() if count}


def written(found: dict[str, Counter[str]]) -> str:
    """The counts in the form of `tests/data/english.yaml`, one line per file."""
    head = "# File -> occurrences of the patterns in CONTRIBUTING.md. Counts may only fall: `python -m tests.tools.english --write`.\n"
    return head + "".join(f"{name}: {sum(count.values())}\n" for name, count in sorted(found.items()))


def main(arguments: list[str]) -> None:
    """Prints the counts by folder and pattern, or the sentences of one pattern, or writes the allowed counts."""
    if arguments[:1] == ["--show"]:
        _, name, *under = arguments
        for path in files():
            inside = path.relative_to(ROOT).as_posix()
            if not under or inside.startswith(tuple(under)):
                for line in prose(path).splitlines():
                    if PATTERNS[name].search(line):
                        print(f"{inside}: {line}")
        return
    found = measured()
    if arguments == ["--write"]:
        before = dict(line.rsplit(": ", 1) for line in ALLOWED.read_text("utf-8").splitlines()[1:])
        rose = [name for name, count in found.items() if sum(count.values()) > int(before.get(name, 0))]
        if rose:
            sys.exit(f"counts may only fall; see CONTRIBUTING.md for what to write instead: {', '.join(rose)}")
        ALLOWED.write_text(written(found), "utf-8")
    folders: dict[str, Counter[str]] = {}
    for name, count in found.items():
        parts = name.split("/")[:-1]
        deep = 3 if parts[:2] == ["adjudicator", "rulesets"] else 2
        folders.setdefault("/".join(parts[:deep]) or "pages", Counter()).update(count)
    for folder, count in sorted(folders.items()):
        print(f"{folder:40}", " ".join(f"{name} {count[name]:4}" for name in PATTERNS), f" {sum(count.values()):5}")
    total = sum(found.values(), Counter[str]())
    print(f"{'all':40}", " ".join(f"{name} {total[name]:4}" for name in PATTERNS), f" {sum(total.values()):5}")


if __name__ == "__main__":
    main(sys.argv[1:])
