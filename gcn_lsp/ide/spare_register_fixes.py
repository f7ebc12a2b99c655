"""Fixes that need a free register: a copy of a scalar for the constant bus, the part of an offset that does not fit.

A rule cannot make them, as the registers that are free follow from the whole program. Each is assembled first.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from gcn_lsp.findings.model import Finding, Fix
from gcn_lsp.ide.reading import free_registers
from gcn_lsp.ide.refactor import model
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import Location, TextEdit

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def fixes(program: "Program", finding: Finding) -> Iterator[Fix]:
    """The fix for a finding in the main file, if its line has one statement that is written there."""
    make = _MAKERS.get(finding.rule)
    statements = program.line(finding.where.line).statements if finding.where.path == program.path else ()
    if make is None or program.target is None or not statements or statements[-1].kind is not StatementKind.COMMAND:
        return
    statement = statements[-1]
    found = make(program, finding.where, statement)
    if found is None:
        return
    title, before, changes = found
    indent = re.match(rb"[ \t]*", statement.line)
    inserted = f"{before}\n{model.decoded(indent[0]) if indent is not None else ''}"
    where = finding.where
    edits = [TextEdit(Location(where.path, where.line, start, end), text) for start, end, text in changes]
    place = Location(where.path, where.line, statement.start, statement.start)
    yield Fix(title, (TextEdit(place, inserted), *edits), is_certain=False)


_Change = tuple[int, int, str]  # of bytes of the line
_Found = tuple[str, str, list[_Change]]  # the title, the line before, the changes of the line


def _copied(program: "Program", where: Location, statement: Statement) -> "_Found | None":
    """A scalar or a literal in a VGPR."""
    written = model.decoded(statement.line[where.start : where.end])
    if not _ONE_DWORD.fullmatch(written):
        return None
    register = _free(program, where.line, "v")
    copy = f"v_mov_b32 {register}, {written}"
    change = (where.start, where.end, register)
    if not _assembles(program, where.line, copy.encode()) or not _assembles(
        program, where.line, _changed(statement, [change])
    ):
        return None
    return f"Copy `{written}` to `{register}` first", copy, [change]


_ONE_DWORD = re.compile(r"s\d+|s\[\d+\]|m0|vcc_lo|vcc_hi|-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)")


def _added(program: "Program", where: Location, statement: Statement) -> "_Found | None":
    """The part of an offset that does not fit in a register of the address.

    None for an address in two VGPRs: the sum needs VCC for its carry, which may be in use.
    """
    modifier = next(
        (
            node
            for node in statement.operands
            if isinstance(node, nodes.Modifier) and node.start <= where.start < node.end and node.name == "offset"
        ),
        None,
    )
    if modifier is None or not isinstance(modifier.value, nodes.Integer):
        return None
    for bits in (16, 13, 12, 11):
        rest = modifier.value.value & ((1 << bits) - 1)
        kept = (modifier.start, modifier.end, f"offset:{rest}")
        instruction = model.reassembled(program, where.line, _changed(statement, [kept]))
        if instruction is None:
            continue
        part = modifier.value.value - rest
        for operand in instruction.operands:
            if operand.slot == "soffset" and operand.text == "0":
                register = _free(program, where.line, "s")
                before = [f"s_mov_b32 {register}, {part:#x}"]
            elif operand.slot in ("addr", "vaddr") and operand.file == "v" and operand.count == 1:
                register = _free(program, where.line, "v")
                before = [f"{name} {register}, {part:#x}, {operand.text}" for name in ("v_add_nc_u32", "v_add_u32")]
            else:
                continue
            start = statement.start + operand.node.start
            changes = [(start, statement.start + operand.node.end, register), kept]
            added = next((text for text in before if _assembles(program, where.line, text.encode())), None)
            if added is not None and _assembles(program, where.line, _changed(statement, changes)):
                return f"Add {part:#x} in `{register}` first", added, changes
    return None


_MAKERS: Mapping[str, Callable[["Program", Location, Statement], "_Found | None"]] = {
    "constant-bus-limit": _copied,
    "literal-not-allowed": _copied,
    "too-many-literals": _copied,
    "modifier-out-of-range": _added,
    "silently-truncated": _added,
}


def _changed(statement: Statement, changes: list[_Change]) -> bytes:
    text = statement.line[: statement.end]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new.encode() + text[end:]
    return text[statement.start :]


def _assembles(program: "Program", line: int, text: bytes) -> bool:
    return model.reassembled(program, line, text) is not None


def _free(program: "Program", line: int, file: str) -> str:
    """The lowest register of a file that is free on a line."""
    return f"{file}{free_registers.lowest(program, line, file)}"
