"""Splits a wait for several counters into one instruction for each, and merges consecutive waits.

Waiting for one counter after the other is the same as waiting for both at once: either way the wave continues only
after both counters are low enough.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.analysis.machine import effects
from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import Edit, Refactoring, Selection
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.waits import wait_events, wait_text, waitcnt

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Item
    from gcn_lsp.program.program import Program

_SEVERAL = wait_text.WAITCNT
_Counts = dict[str, int]


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """Splitting the wait on the line; merging the selected waits, or the two from the cursor."""
    if program.target is None:
        return
    line = selection.first
    counts = _counts(program, line)
    if counts is None:
        return
    if len(counts) > 1:
        written = [_written(program.target, {name: count}) for name, count in counts.items()]
        if None not in written:
            yield _replacement(program, "Split into a wait for each counter", (line, line), filter(None, written))
    last = max(selection.last, line + 1)
    merged: _Counts = {}
    for number in range(line, last + 1):
        found = _counts(program, number) if number < len(program.source.lines) else None
        if found is None:
            return
        for name, count in found.items():
            merged[name] = min(count, merged.get(name, count))
    text = _written(program.target, merged)
    if text is not None:
        yield _replacement(program, f"Merge {last - line + 1} waits into one", (line, last), (text,))


def _counts(program: "Program", line: int) -> _Counts | None:
    """The counts of the wait on a line; None if the line contains anything else."""
    item = model.instruction_on(program, line)
    if item is None or item.instruction is None or len(program.line(line).statements) != 1:
        return None
    assert program.target is not None
    if item.instruction.problems or not item.statement.word.startswith("s_wait"):
        return None
    waits = effects.model_for(program.target).of(item.instruction).waits
    is_old = item.statement.word == _SEVERAL
    if is_old and program.target.waits_by_counter:
        return None  # each of its names means several counters there
    if any(operand.kind == "register" and operand.file != "null" for operand in item.instruction.operands):
        return None  # the count is in a register
    return dict(waits) or None


def _separate(target: isa.Target) -> dict[tuple[str, ...], wait_events.Wait]:
    """The target's waits besides `s_waitcnt`, by their counters in alphabetical order."""
    return {
        tuple(sorted(name for name, _, _ in row.counters)): row
        for row in wait_events.WAITS
        if holds(row.targets, target.features) and target.forms(row.mnemonic)
    }


def _written(target: isa.Target, counts: _Counts) -> str | None:
    """The instruction that waits for these counts; None if no single one does."""
    fields = waitcnt.fields(target.features)
    if counts.keys() <= fields.keys() and not target.waits_by_counter:
        return f"{_SEVERAL} " + " ".join(f"{name}({counts[name]})" for name in fields if name in counts)
    row = _separate(target).get(tuple(sorted(counts)))
    if row is None:
        return None
    value = sum(counts[name] << shift for name, shift, _ in row.counters)
    if len(row.counters) > 1:
        return f"{row.mnemonic} {value:#x}"
    # Before gfx12 the counter's own wait has a register operand for zero, too.
    return f"{row.mnemonic} null, {value}" if "_waitcnt_" in row.mnemonic else f"{row.mnemonic} {value}"


def _replacement(program: "Program", title: str, lines: tuple[int, int], texts: Iterable[str]) -> Refactoring:
    """The replacement of the statements on the lines; comments remain after the first."""
    first, last = lines
    item: Item | None = model.instruction_on(program, first)
    assert item is not None
    statement = item.statement
    written = program.source.lines[first]
    indent = model.decoded(written[: statement.start])
    comment = model.decoded(written[statement.end :])
    one, *others = texts
    comments = [comment, *(_comment(program, line) for line in range(first + 1, last + 1))]
    text = "\n".join((one + "".join(comments), *(indent + other for other in others)))
    return Refactoring(
        title, model.REWRITE, (Edit(first, statement.start, last, len(program.source.lines[last]), text),)
    )


def _comment(program: "Program", line: int) -> str:
    start = program.line(line).comment_start
    return " " + model.decoded(program.source.lines[line][start:].strip()) if start is not None else ""
