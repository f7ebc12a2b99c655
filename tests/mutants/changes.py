"""The changes: each condition of a module negated, each comparison and each `and` or `or` exchanged."""

import ast
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

_OTHERS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}


class Mutant(NamedTuple):
    """A module with one change. path: of the module. line: of the change. text: the whole module with the change."""

    path: Path
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        """The place and the change, on one line."""
        return f"{self.path}:{self.line}: {' '.join(self.before.split())}  ->  {' '.join(self.after.split())}"


def count(text: str) -> int:
    """How many mutants a module has."""
    return sum(1 for _ in _changes(ast.parse(text)))


def mutants(path: Path, text: str, only: int | None = None) -> Iterator[Mutant]:
    """Every mutant of a module, or the one of a number."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data = text.encode()
    changes = _changes(ast.parse(text))
    for node, written in changes if only is None else islice(changes, only, only + 1):
        after = written()
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        changed = data[:start] + f"({after})".encode() + data[end:]
        yield Mutant(path, node.lineno, data[start:end].decode(), after, changed.decode())


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr, Callable[[], str]]]:
    """The expressions that are changed, each with what writes its other text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test, partial(_negated, node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield condition, partial(_negated, condition)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield node, partial(ast.unparse, ast.Compare(node.left, [_OTHERS[type(node.ops[0])]], node.comparators))
        elif isinstance(node, ast.BoolOp):
            yield node, partial(_exchanged, node)


def _negated(condition: ast.expr) -> str:
    return f"not ({ast.unparse(condition)})"


def _exchanged(node: ast.BoolOp) -> str:
    word = " or " if isinstance(node.op, ast.And) else " and "
    return word.join(f"({ast.unparse(value)})" for value in node.values)
