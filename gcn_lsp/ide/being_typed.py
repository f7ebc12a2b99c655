"""What is not said while a line is being typed: what the next keys change.

Its names have no value yet, its placeholders stand for what is to come. The label of a branch forwards is still to come
as well, and at the end of a file the end of a block, or the metadata of a kernel. That the line does not assemble is
said when nothing is typed for a moment; what more keys at its end may change, when the line is left.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp import rules
from gcn_lsp.findings.rule import Stage
from gcn_lsp.isa.kernels.descriptor import PREFIX
from gcn_lsp.isa.machine import roles
from gcn_lsp.program import placeholders
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp.findings.model import Finding
    from gcn_lsp.program.program import Program

_OF_THE_FILE, _OF_A_NAME, _OF_A_BLOCK = "build-defined-symbols", "undefined-symbol", "unterminated-block"
_OF_METADATA = "missing-metadata"


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
    lines = program.source.lines
    is_last = not any(lines[number].strip() for number in range(line + 1, len(lines)))
    for finding in found:
        if _is_to_come(program, finding, line, is_last):
            continue
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


def is_unfinished(program: "Program", line: int, finding: "Finding") -> bool:
    """Whether a finding is that the line (from 0) that is being typed does not assemble, or what it calls.

    The next key most likely changes that; what the line does once it assembles is found at once. But the value of a
    descriptor's field is another one with each digit, so all that refers to it waits.
    """
    rule = rules.RULES[finding.rule]
    is_field = any(each.word.startswith(PREFIX) for each in program.line(line).statements)
    if rule.stage is not Stage.ASSEMBLED and finding.rule != _OF_A_NAME and not is_field:
        return False
    places = (finding.where, *(each.where for each in finding.related if each.is_step or is_field))
    return any(place.line == line and place.path == program.path for place in places)


def may_go_on(program: "Program", line: int, finding: "Finding") -> bool:
    """Whether more at the end of the line that is being typed may make an `is_unfinished` finding go.

    Its last word may be half of one, operands may follow it. What is whole, such as a wrong word before others, stays.
    """
    where = finding.where
    if where.path != program.path or where.line != line or finding.rule in _OF_OPERANDS:
        return True
    return where.end >= len(program.source.lines[line].rstrip(_CLOSED))


_OF_OPERANDS = frozenset(("wrong-operand-count", "missing-modifier"))
_CLOSED = b'])" \t'  # an editor closes brackets by itself


def _is_to_come(program: "Program", finding: "Finding", line: int, is_last: bool) -> bool:
    """Whether a finding above the line is that an end, a label or metadata are missing, which may be written below it.

    is_last: whether the line is the last one with text.
    """
    where = finding.where
    if where.path != program.path or where.line > line:
        return False
    if finding.rule == _OF_METADATA:
        return is_last
    if finding.fixes:
        return False
    if finding.rule == _OF_A_BLOCK:
        return is_last
    if finding.rule != _OF_A_NAME or not (is_last or line - where.line < _SKIPPED):
        return False
    words = [each.word for number in range(where.line, line + 1) for each in program.line(number).statements]
    return words[0] in _BRANCHES and _ENDS.isdisjoint(words)


_SKIPPED = 64  # lines that a branch forwards skips, in the middle of a file
_BRANCHES = roles.mnemonics("branch", "branch always", "loop")
_ENDS = roles.mnemonics("end")


def _label_begun(program: "Program", line: int) -> bytes:
    """The one word on the line, which may become a label: it is no mnemonic, macro or directive."""
    statements = program.line(line).statements if line < len(program.source.lines) else ()
    if len(statements) != 1 or statements[0].rest.strip() or program.target is None:
        return b""
    word = statements[0]
    is_known = bool(program.target.native(word.word)) or word.name in program.macros or word.word.startswith(".")
    return b"" if is_known or word.kind is not StatementKind.COMMAND else word.line[word.name_start : word.name_end]
