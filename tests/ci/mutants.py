"""Take one defence out of the program: remove a single statement, or change a few of its words.

A test that still passes without its defence proves nothing. Statements are found by watching where problems are
made; the function's code is then replaced in place, so that everybody who imported it has the changed one.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import adjudicator
from adjudicator.ci.intake import Outcome
from adjudicator.core.text.problems import Problem, Problems, plain

PACKAGE = Path(adjudicator.__file__).parent
HELPERS = {"problem", "trouble", "past", "fault", "fail", "_problem", "__init__", "placed"}
"""Functions that make a problem for a caller, which decides that there is one."""
REFUSING = ("raise problem(", "raise Problems(", "raise trouble(", "raise past(", "raise fail(", "return (Problem(")
INNER = {"<genexpr>", "<listcomp>"}


@dataclass(frozen=True, order=True)
class Site:
    """A statement of the program."""

    file: Path
    line: int
    module: str
    function: str
    """Qualified name of the function that contains it."""

    @property
    def statement(self) -> ast.stmt:
        return statement_at(self.file, self.line)

    @property
    def can_go(self) -> bool:
        """True if the program does the same without the statement, apart from the refusal."""
        return isinstance(self.statement, ast.Raise | ast.Return | ast.Expr)

    def __str__(self) -> str:
        return f"{self.file.relative_to(PACKAGE)}:{self.line} in {self.function}"


@functools.cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@functools.cache
def statement_at(file: Path, line: int) -> ast.stmt:
    """Innermost statement that contains this line."""
    around = [
        node
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)))


def site_of(frame: FrameType | None) -> Site | None:
    """Statement that made a problem, outside of the helpers."""
    while frame is not None:
        code = frame.f_code
        file = Path(code.co_filename)
        if PACKAGE in file.parents and code.co_name not in HELPERS | INNER:
            line = statement_at(file, frame.f_lineno).lineno
            function = code.co_qualname.partition(".<locals>")[0]
            return Site(file, line, str(frame.f_globals["__name__"]), function)
        frame = frame.f_back
    return None


class Watch:
    """Notes the places where problems, and outcomes of pull requests, are made."""

    def __init__(self) -> None:
        self.made: list[tuple[str, Site]] = []

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        def spied(kind: type[Any], words: Callable[[Any], str]) -> Callable[[], None]:
            original = kind.__init__

            def spy(made: Any, *args: Any, **options: Any) -> None:
                original(made, *args, **options)
                if (site := site_of(sys._getframe(1))) is not None:
                    self.made.append((words(made), site))

            type.__setattr__(kind, "__init__", spy)
            return lambda: type.__setattr__(kind, "__init__", original)

        undo = [
            spied(Problem, lambda one: plain(f"{one.what}; {one.right}")),
            spied(Problems, str),
            spied(Outcome, lambda one: f"{one.what}: {one.line}"),
        ]
        try:
            yield
        finally:
            for back in undo:
                back()

    @property
    def sites(self) -> set[Site]:
        """Every statement that refused something."""
        return {site for _, site in self.made}

    def site(self, words: str) -> Site:
        """Statement that refused with these words."""
        chosen = next((site for said, site in self.made if words in said and site.can_go), None)
        assert chosen is not None, (words, [said for said, _ in self.made])
        return chosen


def function_of(module: str, name: str) -> FunctionType:
    """A function by its module and qualified name, without its decorators."""
    target: Any = sys.modules[module]
    for part in name.split("."):
        target = vars(target)[part]
    target = target.fget if isinstance(target, property) else target
    while hasattr(target, "__wrapped__"):
        target = target.__wrapped__
    assert isinstance(target, FunctionType), (module, name)
    return target


def code_named(code: CodeType, name: str) -> CodeType | None:
    if code.co_qualname == name:
        return code
    inner = (code_named(const, name) for const in code.co_consts if isinstance(const, CodeType))
    return next((nested for nested in inner if nested is not None), None)


@contextlib.contextmanager
def recompiled(module: str, name: str, tree: ast.Module, file: Path) -> Iterator[None]:
    """Replace one function by the code in this tree of its module."""
    function = function_of(module, name)
    original = function.__code__
    code = code_named(compile(ast.fix_missing_locations(tree), str(file), "exec"), name)
    assert code is not None, (module, name)
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = original


class _Gone(ast.NodeTransformer):
    def __init__(self, line: int, kind: type[ast.stmt]) -> None:
        self.line, self.kind, self.count = line, kind, 0

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, self.kind) and node.lineno == self.line:
            self.count += 1
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)


@contextlib.contextmanager
def without(site: Site) -> Iterator[None]:
    """Replace one statement by `pass`."""
    gone = _Gone(site.line, type(site.statement))
    tree = gone.visit(ast.parse(site.file.read_text(encoding="utf-8")))
    assert gone.count == 1, site
    with recompiled(site.module, site.function, tree, site.file):
        yield


@dataclass(frozen=True)
class Instead:
    """A defence that is only part of a statement: words of a function, and their replacement without the defence."""

    where: str
    """`module:function`"""
    old: str
    new: str

    @contextlib.contextmanager
    def missing(self) -> Iterator[None]:
        """Replace the words of the defence."""
        module, _, name = self.where.partition(":")
        function = function_of(module, name)
        file = Path(function.__code__.co_filename)
        source = file.read_text(encoding="utf-8")
        node = next(
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef) and node.name == name.rpartition(".")[2]
        )
        text = ast.get_source_segment(source, node)
        assert text is not None
        assert text.count(self.old) == 1, f"{self.where} has no longer one {self.old!r}; say here what it has instead"
        tree = ast.parse(source.replace(text, text.replace(self.old, self.new)))
        with recompiled(module, name, tree, file):
            yield


def refusals(file: Path, functions: tuple[str, ...] = ()) -> set[tuple[Path, int]]:
    """Places where a file (or some functions of it) refuses: raises problems, or returns one that is then raised."""
    lines: set[tuple[Path, int]] = set()
    for top in ast.walk(parsed(file)):
        if not isinstance(top, ast.FunctionDef) or (functions and top.name not in functions):
            continue
        for node in (statement for statement in ast.walk(top) if isinstance(statement, ast.Raise | ast.Return)):
            if ast.unparse(node).startswith(REFUSING):
                lines.add((file, node.lineno))
    return lines
