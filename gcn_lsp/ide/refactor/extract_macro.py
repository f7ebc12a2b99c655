"""A macro out of the selected lines, which a call takes the place of."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.ide import functions, mentions, scope
from gcn_lsp.ide.blocks import blocks
from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import Edit, Refactoring, Selection
from gcn_lsp.syntax.statement import Kind

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program

_NAME = "EXTRACTED"
# What would mean something else in a macro: its arguments, and labels that are found by their distance.
_SPECIAL = re.compile(rb'\\|(?<![\w.$])[0-9]+[bf](?!\w)|^[ \t]*[0-9]+:|"', re.MULTILINE)


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """The one for the selected lines, unless they would not mean the same in a macro."""
    first, last = selection.first, selection.last
    if selection.end == 0 and last > first:
        last -= 1  # whole lines are selected
    if (selection.first, selection.start) == (selection.last, selection.end) or not _fits(program, first, last):
        return
    labels = _labels(program, first, last)
    if labels is None:
        return
    name = model.free_name(program, _NAME)
    lines = program.source.lines
    body = b"\n".join(lines[first : last + 1])
    for label in labels:
        # In every expansion a label of its own.
        body = re.sub(rb"(?<![\w.$@])" + re.escape(label) + rb"(?![\w.$@])", label.replace(b"\\", b"") + rb"_\\@", body)
    function = functions.function_at(program, first)
    at = function.first if function is not None and function.first < first else first
    definition = f".macro {name}\n{model.decoded(body)}\n.endm\n"
    indent = model.decoded(lines[first][: len(lines[first]) - len(lines[first].lstrip())])
    call = Edit(first, 0, last, len(lines[last]), f"{indent}{name}")
    if at == first:
        call = Edit(first, 0, last, len(lines[last]), f"{definition}{indent}{name}")
        yield Refactoring("Extract a macro", model.EXTRACT, (call,))
    else:
        yield Refactoring("Extract a macro", model.EXTRACT, (Edit(at, 0, at, 0, definition), call))


def _fits(program: "Program", first: int, last: int) -> bool:
    """Whether there is an instruction, nothing that a macro reads differently, and no part of a block."""
    if scope.macro_at(program, first) is not None or scope.macro_at(program, last) is not None:
        return False
    if not any(model.instruction_on(program, line) is not None for line in range(first, last + 1)):
        return False
    if _SPECIAL.search(b"\n".join(program.source.lines[first : last + 1])):
        return False
    lines = range(first, last + 1)
    for block in blocks(program):
        if block.kind == "comment":
            continue
        edges = (block.first, *block.branches, block.last)
        if any(edge in lines for edge in edges) and not all(edge in lines for edge in edges):
            return False
        if block.kind in ("macro", "metadata", "descriptor", "header") and block.first in lines:
            return False
    return not any(program.line(line).comment_open for line in lines)


def _labels(program: "Program", first: int, last: int) -> list[bytes] | None:
    """The labels in the lines; None when one is used elsewhere, where its new name would not be known."""
    found: list[bytes] = []
    for line in range(first, last + 1):
        for statement in program.line(line).statements:
            if statement.kind is not Kind.LABEL:
                continue
            places = [mention.where for mention in mentions.mentions(program, statement.name)]
            if any(place.path != program.path or not first <= place.line <= last for place in places):
                return None
            found.append(statement.name.encode("utf-8", "surrogateescape"))
    return found
