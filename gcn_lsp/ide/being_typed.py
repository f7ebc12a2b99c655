"""What is not said while a line is being typed: that its names have no value yet, or that it has placeholders."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp.program import placeholders
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp.findings.model import Finding
    from gcn_lsp.program.program import Program

_OF_THE_FILE, _OF_A_NAME = "build-defined-symbols", "undefined-symbol"


def is_all_new(program: "Program", line: int) -> bool:
    """Whether all names that only the build could define are needed on one line of the main file alone."""
    names = program.build_defined
    elsewhere = {
        use.name
        for base, chunk in zip(program.bases, program.chunks, strict=True)
        for use in chunk.unresolved
        if base + use.written.top_line != line
    }
    return bool(names) and elsewhere.isdisjoint(names) and program.options.defines.keys().isdisjoint(names)


def without(program: "Program", line: int, found: "Iterable[Finding]") -> "Iterator[Finding]":
    """The findings without those about names on the line (from 0) that is being typed."""
    label = _label_begun(program, line)
    for finding in found:
        if finding.rule == _OF_THE_FILE and is_all_new(program, line):
            continue
        where = finding.where
        if finding.rule == _OF_A_NAME and label and where.line != line and where.path == program.path:
            named = program.source.lines[where.line][where.start : where.end]
            if named.startswith(label):
                continue
        if finding.rule == _OF_A_NAME and where.line == line and where.path == program.path:
            statement = next((each for each in program.line(line).statements if each.end >= where.end), None)
            name = program.source.lines[line][where.start : where.end].decode("utf-8", "replace")
            target = program.target
            if statement is not None and target is not None and placeholders.problem(target, statement, name):
                continue
        yield finding


def _label_begun(program: "Program", line: int) -> bytes:
    """The one word on the line, which may become a label: it is no mnemonic, macro or directive."""
    statements = program.line(line).statements if line < len(program.source.lines) else ()
    if len(statements) != 1 or statements[0].rest.strip() or program.target is None:
        return b""
    word = statements[0]
    is_known = bool(program.target.native(word.word)) or word.name in program.macros or word.word.startswith(".")
    return b"" if is_known or word.kind is not StatementKind.COMMAND else word.line[word.name_start : word.name_end]
