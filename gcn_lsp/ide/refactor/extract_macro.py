"""Moves the selected lines into a macro and replaces them by a call."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gcn_lsp.ide.reading import functions, mentions, registers, scope, values
from gcn_lsp.ide.reading.blocks import blocks
from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import Edit, Refactoring, Selection
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_NAME = "EXTRACTED"
# Text with another meaning in a macro: its arguments, and labels found by their distance.
_SPECIAL = re.compile(rb'\\|(?<![\w.$])[0-9]+[bf](?!\w)|^[ \t]*[0-9]+:|"', re.MULTILINE)


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """The refactorings for the selected lines, with or without parameters, if they mean the same in a macro."""
    first, last = selection.first, selection.last
    if selection.end == 0 and last > first:
        last -= 1  # whole lines are selected
    if (selection.first, selection.start) == (selection.last, selection.end) or not _fits(program, first, last):
        return
    labels = _labels(program, first, last)
    if labels is None:
        return
    lines = list(program.source.lines[first : last + 1])
    yield _refactoring(program, first, lines, labels, {}, "Extract a macro")
    uses = _registers(program, first, last)
    parameters = _parameters({use.text for use in uses}, labels, uses) if uses is not None else {}
    if uses is not None and 0 < len(parameters) <= _MAX_PARAMETERS:
        for use in sorted(uses, key=lambda use: use.start, reverse=True):
            line = lines[use.line - first]
            lines[use.line - first] = line[: use.start] + b"\\" + parameters[use.text] + line[use.end :]
        yield _refactoring(
            program, first, lines, labels, parameters, "Extract a macro with its registers as parameters"
        )


def _refactoring(
    program: "Program",
    first: int,
    lines: list[bytes],
    labels: list[bytes],
    parameters: Mapping[bytes, bytes],
    title: str,
) -> Refactoring:
    """A macro of the lines from `first`; parameters: the texts that they replace, with their names."""
    name = model.free_name(program, _NAME)
    last = first + len(lines) - 1
    body = b"\n".join(lines)
    for label in labels:
        # Each expansion has its own label.
        body = re.sub(rb"(?<![\w.$@])" + re.escape(label) + rb"(?![\w.$@])", label.replace(b"\\", b"") + rb"_\\@", body)
    function = functions.function_at(program, first)
    at = function.first if function is not None and function.first < first else first
    heads, given = (model.decoded(b", ".join(part)) for part in (parameters.values(), parameters))
    definition = f".macro {f'{name} {heads}'.rstrip()}\n{model.decoded(body)}\n.endm\n"
    written = program.source.lines
    indent = model.decoded(written[first][: len(written[first]) - len(written[first].lstrip())])
    called = f"{indent}{f'{name} {given}'.rstrip()}"
    if at == first:
        edits: tuple[Edit, ...] = (Edit(first, 0, last, len(written[last]), f"{definition}{called}"),)
    else:
        edits = (Edit(at, 0, at, 0, definition), Edit(first, 0, last, len(written[last]), called))
    return Refactoring(title, model.EXTRACT, edits, named=name)


class _Use(NamedTuple):
    """A numbered register as written, from byte `start` to byte `end` of a line."""

    line: int
    start: int
    end: int
    text: bytes


_MAX_PARAMETERS = 10
# One argument of a macro in any context: no blanks, no commas.
_ARGUMENT = re.compile(rb"[A-Za-z]\w*(?:\.[lh]|\[[\w.$+*:-]+\])?")
_PARTS_OF_NAMES = re.compile(rb"[\w.$@\[]")


def _registers(program: "Program", first: int, last: int) -> list[_Use] | None:
    """The numbered registers in the instructions; None if one cannot be an argument, or a line is not plain."""
    found = []
    for number in range(first, last + 1):
        if not any(statement.kind is StatementKind.COMMAND for statement in program.line(number).statements):
            continue
        item = model.instruction_on(program, number)
        if item is None or item.instruction is None:
            return None
        line = program.source.lines[number]
        for operand in item.instruction.operands:
            if operand.kind != "register" or operand.file not in values.REGISTER_FILES:
                continue
            node = registers.register_node(operand.node)
            text = line[node.start : node.end]
            if not _ARGUMENT.fullmatch(text) or _PARTS_OF_NAMES.match(line[node.end :]):
                return None
            found.append(_Use(number, node.start, node.end, text))
    return list(dict.fromkeys(found))


def _parameters(texts: set[bytes], labels: list[bytes], uses: list[_Use]) -> dict[bytes, bytes]:
    """A name for each register, in the order of first use: `s[4:7]` becomes `s_4_7`."""
    names: dict[bytes, bytes] = {}
    for text in sorted(texts, key=lambda text: next(at for at, use in enumerate(uses) if use.text == text)):
        name = re.sub(rb"\W+", b"_", text).strip(b"_")
        while name in names.values() or name in labels:
            name += b"_"
        names[text] = name
    return names


def _fits(program: "Program", first: int, last: int) -> bool:
    """Whether there is an instruction, no text with another meaning in a macro, and no part of a block."""
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
    """The labels in the lines; None if one is used elsewhere, where its new name would not be known."""
    found: list[bytes] = []
    for line in range(first, last + 1):
        for statement in program.line(line).statements:
            if statement.kind is not StatementKind.LABEL:
                continue
            places = [mention.where for mention in mentions.mentions(program, statement.name)]
            if any(place.path != program.path or not first <= place.line <= last for place in places):
                return None
            found.append(statement.name.encode("utf-8", "surrogateescape"))
    return found
