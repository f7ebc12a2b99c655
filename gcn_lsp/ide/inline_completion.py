"""The next line where only one can be meant, for an editor that shows it in place before it is typed.

Before a statement that needs a wait or wait states it is what a certain fix inserts there; after three rounds of an
unrolled sequence, in which every number grows by the same step, the line that comes next in it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp.findings.model import Finding
from gcn_lsp.ide.reading import scope
from gcn_lsp.ide.refactor import model
from gcn_lsp.syntax.statement import StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_MOST_LINES = 8  # of a round
_ROUNDS = 3  # before one that is offered
# A number in a name, such as the width of a mnemonic, counts like any other: it has the step 0.
_NUMBER = re.compile(rb"0[xX][0-9a-fA-F]+|[0-9]+")
_Shape = tuple[tuple[bytes, ...], tuple[int, ...]]


def next_lines(program: "Program", findings: Iterable[Finding], line: int) -> list[str]:
    """The lines that complete `line`, which is blank or has the beginning of each."""
    if not 0 <= line < len(program.source.lines) or scope.in_metadata(program, line):
        return []
    written = program.source.lines[line]
    typed = written.strip()
    found = dict.fromkeys((*_inserted(program, findings, line), *_in_sequence(program, line)))
    indent = written[: len(written) - len(written.lstrip())] or _indent(program, line)
    return [model.decoded(indent + text) for text in found if text.startswith(typed) and text != typed]


def _indent(program: "Program", line: int) -> bytes:
    """The blanks before the last statement above a line."""
    above = next((text for text in reversed(program.source.lines[:line]) if text.strip()), b"")
    return above[: len(above) - len(above.lstrip())]


def _inserted(program: "Program", findings: Iterable[Finding], line: int) -> Iterator[bytes]:
    """What certain fixes insert before the next statement after a line."""
    lines = program.source.lines
    following = next((number for number in range(line + 1, len(lines)) if lines[number].strip()), None)
    for finding in findings:
        if finding.where.line != following or finding.where.path != program.path or finding.certain_fix is None:
            continue
        for edit in finding.certain_fix.edits:
            where = edit.where
            is_before = where.line == following and not lines[where.line][: where.start].strip()
            if is_before and where.start == where.end and "\n" in edit.new_text:
                yield edit.new_text.partition("\n")[0].strip().encode()


def _in_sequence(program: "Program", line: int) -> Iterator[bytes]:
    """The next line of the shortest sequence that ends above a line, if it assembles and is not there yet."""
    shapes: dict[int, _Shape | None] = {}
    for length in range(1, _MOST_LINES + 1):
        first = line - _ROUNDS * length
        if first < 0:
            return
        shapes.update((number, _shape(program, number)) for number in range(first, line) if number not in shapes)
        if all(_is_in_step(shapes, number, length) for number in range(line - length, line)):
            text = _next(shapes, line - length, length)
            following = program.source.lines[line + 1 : line + 2]
            is_new = not following or following[0].strip() != text
            if text is not None and is_new and model.reassembled(program, line, text) is not None:
                yield text
            return


def _is_in_step(shapes: "dict[int, _Shape | None]", line: int, length: int) -> bool:
    """Whether a line follows from the two before it in its place of the round, and not by being the same."""
    last, middle, first = (shapes[line - each * length] for each in range(_ROUNDS))
    if last is None or middle is None or first is None or not last[0] == middle[0] == first[0]:
        return False
    steps = [one - other for one, other in zip(last[1], middle[1], strict=True)]
    return any(steps) and steps == [one - other for one, other in zip(middle[1], first[1], strict=True)]


def _next(shapes: "dict[int, _Shape | None]", line: int, length: int) -> bytes | None:
    """The line after one in its place of the round; None where a number would be negative."""
    last, before = shapes[line], shapes[line - length]
    assert last is not None
    assert before is not None
    numbers = [2 * one - other for one, other in zip(last[1], before[1], strict=True)]
    if any(number < 0 for number in numbers):
        return None
    parts = [*last[0][:1]]
    for number, text in zip(numbers, last[0][1:], strict=True):
        # The text before a number ends with its prefix if it has one.
        parts += (b"%x" % number if parts[-1].endswith((b"0x", b"0X")) else b"%d" % number, text)
    return b"".join(parts)


def _shape(program: "Program", line: int) -> _Shape | None:
    """An instruction's text around its numbers, and these; None for any other line."""
    statements = program.line(line).statements
    if len(statements) != 1 or statements[0].kind is not StatementKind.COMMAND or b"\\" in statements[0].line:
        return None
    if statements[0].word.startswith(".") or statements[0].name in program.macros:
        return None
    text = model.text_of(statements[0]).strip()
    around, numbers, done = [], [], 0
    for match in _NUMBER.finditer(text):
        is_hex = match[0][:2].lower() == b"0x"
        start = match.start() + (2 if is_hex else 0)
        around.append(text[done:start])
        numbers.append(int(match[0], 16 if is_hex else 10))
        done = match.end()
    return (*around, text[done:]), tuple(numbers)
