"""Builtins of clang in a C++ or HIP source: the one at a place, and those that can be written there."""

import re
from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.describe import builtin
from gcn_lsp.ide.describe.hovered import HoverResult
from gcn_lsp.isa import builtins
from gcn_lsp.text import Location, SourceText

_WORD = re.compile(rb"__builtin_amdgcn_\w*")
_STARTED = re.compile(rb"(?<![A-Za-z0-9_])__builtin_a\w*$")


def hover(source: SourceText, line: int, column: int, targets: Sequence[isa.Target]) -> HoverResult | None:
    """What the builtin at byte `column` of `line` becomes on the targets; None if there is none."""
    if not 0 <= line < len(source.lines):
        return None
    for found in _WORD.finditer(source.lines[line]):
        if found.start() <= column <= found.end():
            text = builtin.describe(found[0].decode(), targets)
            where = Location(source.path, line, found.start(), found.end())
            return HoverResult(where, text) if text is not None else None
    return None


def completed(source: SourceText, line: int, column: int, targets: Sequence[isa.Target]) -> Completions | None:
    """The builtins of the targets, all if there is none, where one has been begun; each with what it becomes."""
    started = _STARTED.search(source.lines[line][:column]) if 0 <= line < len(source.lines) else None
    if started is None:
        return None
    typed = started[0].decode()
    items = []
    for name in builtins.names():
        rows = [row for row in (builtins.on(name, each) for each in targets) if row is not None]
        if name.startswith(typed) and (rows or not targets):
            row = rows[0] if rows else builtins.named(name, builtins.versions_with(name)[0])[0]
            items.append(CompletionItem(name, "builtin", builtin.becomes(row.instructions).replace("`", "")))
    after = re.match(rb"\w*", source.lines[line][column:])
    where = Location(source.path, line, started.start(), column + (after.end() if after else 0))
    return Completions(where, tuple(items), False) if items else None
