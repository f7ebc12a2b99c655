"""Finds reads and writes of registers: each operand that overlaps some registers, including tuples and implicit ones.

`v[4:7]` touches v5. Sets of registers are integers, as in `analysis.machine.registers`. Lines that do not assemble
touch nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import effects
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.analysis.values import reaching
from gcn_lsp.flow.kept import ByIdentity, latest
from gcn_lsp.ide.reading import cursors, functions, scope, values
from gcn_lsp.ide.reading.cursors import Cursor
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.expressions import MissingSymbol
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp import isa
    from gcn_lsp.program.chunk import Chunk, Item
    from gcn_lsp.program.program import Program


class RegisterUse(msgspec.Struct, frozen=True, gc=False):
    """A place that reads or writes registers: an operand, a mnemonic that does so implicitly, a macro's argument."""

    where: Location
    is_write: bool


class Touch(NamedTuple):
    """The registers of an operand; bytes `start` to `end` of the statement's line are the register in it."""

    registers: int
    start: int
    end: int
    is_write: bool


_touches: ByIdentity[tuple[Touch, ...]] = ByIdentity()  # by instruction, which equal lines share


def touches(instruction: Instruction, target: "isa.Target") -> tuple[Touch, ...]:
    """The registers that an instruction reads and writes; empty if it does not assemble."""
    known = _touches.get(id(instruction))
    return known.result if known is not None else _touches.keep(instruction, tuple(_find_touches(instruction, target)))


def _find_touches(instruction: Instruction, target: "isa.Target") -> Iterator[Touch]:
    form = instruction.form
    if form is None:
        return
    found = effects.model_for(target).of(instruction)
    explicit = sets.NONE
    for operand in instruction.operands:
        registers = effects.of_operand(operand) if operand.kind == "register" else sets.NONE
        if registers:
            explicit |= registers
            node = register_node(operand.node)
            is_write = operand.slot in found.defined or (operand.slot in form.defs and operand.slot not in form.uses)
            yield Touch(registers, node.start, node.end, is_write)
    name = instruction.statement.name_start, instruction.statement.name_end
    written = found.writes & ~explicit
    # Every vector instruction reads EXEC and MODE, and showing that would hide the special cases. From GFX9, LDS
    # instructions need no limit in M0, whatever the tables say.
    needs_m0 = form.family != "DS" or target.needs_m0_for_lds
    read = found.reads & ~(explicit | sets.EXEC | sets.MODE | (sets.NONE if needs_m0 else sets.M0))
    if written:
        yield Touch(written, *name, True)
    if read:
        yield Touch(read, *name, False)


def register_node(node: nodes.Node) -> nodes.Node:
    """The register without the signs and bars around it."""
    while isinstance(node, nodes.Unary | nodes.Absolute):
        node = node.operand
    if isinstance(node, nodes.Call) and len(node.arguments) == 1:
        return register_node(node.arguments[0])
    return node


# At the cursor


def registers_at(program: "Program", line: int, cursor: Cursor) -> int:
    """The registers under the cursor, of all expansions of its line; empty if it is on anything else."""
    statement = cursor.statement
    if statement is None or cursor.index is None or not _is_on_register(cursor, program):
        return sets.NONE
    found = sets.NONE
    for registers in _resolved(program, line, cursor.index):
        found |= registers
    return found or _written(program, line, register_node(statement.operands[cursor.index]))


def _is_on_register(cursor: Cursor, program: "Program") -> bool:
    inner = cursor.node
    if isinstance(inner, nodes.Name):
        in_index = any(isinstance(node, nodes.Index) for node in cursor.path)
        return not in_index and cursors.is_register_name(inner.name.lower(), program.target)
    return any(isinstance(node, nodes.Index) and node.base in values.REGISTER_FILES for node in cursor.path) or (
        isinstance(inner, nodes.Bracket)
    )


def _resolved(program: "Program", line: int, index: int) -> Iterator[int]:
    for item in scope.written_items(program, line):
        instruction = item.item.instruction
        if instruction is None or index >= len(instruction.statement.operands):
            continue
        node = instruction.statement.operands[index]
        for operand in instruction.operands:
            if operand.kind == "register" and (operand.node.start, operand.node.end) == (node.start, node.end):
                yield effects.of_operand(operand)


def _written(program: "Program", line: int, node: nodes.Node) -> int:
    """The registers that a text names without an instruction around it: in a macro's argument."""
    target = program.target
    if target is None:
        return sets.NONE
    if isinstance(node, nodes.Name):
        name = node.name.lower()
        if name in target.registers:
            return sets.of_tuple(name, 0, 0)
        file = name.rstrip("0123456789")
        number = name[len(file) :]
        return sets.of_tuple(_file(file), int(number), 1) if number and file in values.REGISTER_FILES else sets.NONE
    if not isinstance(node, nodes.Index) or node.base not in values.REGISTER_FILES:
        return sets.NONE

    def lookup(name: str) -> "int | MissingSymbol":
        value = program.symbol_value(name, line)
        return value if value is not None else MissingSymbol(False)

    text = values.register(node, lookup)
    if text is None:
        return sets.NONE
    numbers = [int(number) for number in text[len(node.base) :].strip("[]").split(":")]
    first, last = numbers[0], numbers[-1]
    return sets.of_tuple(_file(node.base), first, last - first + 1) if last < _MOST else sets.NONE


_MOST = 1024  # no file has more registers


def _file(written: str) -> str:
    return "a" if written == "acc" else written


# Elsewhere


def writers(program: "Program", wanted: int, line: int) -> list[Location]:
    """The operands that may have written some registers last before the instruction on a line of the main file."""
    found = reaching.writers_of(program, line, wanted)
    graph = graphs.of(program)
    if found is None or graph is None or program.target is None:
        return []
    places: dict[Location, None] = {}
    for site in found.sites:
        item, number = site.item, graph.number_of(site.segment)
        if item.instruction is None or number is None:
            continue
        for touch in touches(item.instruction, program.target):
            if touch.is_write and touch.registers & wanted:
                places[_locate(program, number, item, touch)] = None
    return list(places)


def is_written_at(program: "Program", line: int, start: int, wanted: int) -> bool:
    """Whether the operand at byte `start` of a line writes some registers."""
    written = (use for use in uses(program, wanted, line) if use.is_write)
    return any((use.where.path, use.where.line, use.where.start) == (program.path, line, start) for use in written)


def uses(program: "Program", wanted: int, line: int) -> list[RegisterUse]:
    """The places that touch one of the registers where they mean the same as on `line`, in the order of the text.

    That is the kernel or function around the line; in a macro's body, the body.
    """
    if program.target is None or not wanted:
        return []
    body = scope.macro_at(program, line)
    found: dict[Location, bool] = {}
    for use in _in_body(program, body, wanted) if body is not None else _in_region(program, wanted, line):
        found[use.where] = found.get(use.where, False) or use.is_write
    return [RegisterUse(where, is_write) for where, is_write in sorted(found.items())]


def _in_body(program: "Program", body: scope.MacroBody, wanted: int) -> Iterator[RegisterUse]:
    for number, index in scope.items_of(program, body):
        item = program.chunks[number].items[index]
        for touch in _touching(program, item, wanted):
            yield RegisterUse(_locate(program, number, item, touch), touch.is_write)


def _in_region(program: "Program", wanted: int, line: int) -> Iterator[RegisterUse]:
    assert program.target is not None
    first, last = functions.region_at(program, line)
    path = program.path
    for number in range(program.chunk_at(first), program.chunk_at(last) + 1):
        chunk = program.chunks[number]
        known = _touched(chunk, program.target)
        if not known.registers & wanted:
            continue
        base = program.bases[number]
        for registers, where, start, end, is_write in known.plain:
            if registers & wanted and first <= base + where <= last:
                yield RegisterUse(Location(path, base + where, start, end), is_write)
        if known.expanded:
            yield from _in_expansions(program, number, known.expanded, wanted, first, last)


def touched_in(program: "Program", first: int, last: int) -> list[tuple[int, bool]]:
    """What the plain lines `first` to `last` touch, in order: the registers, and whether they are written.

    What an instruction reads comes before what it writes.
    """
    found: list[tuple[int, int, bool]] = []
    if program.target is None or first > last:
        return []
    for number in range(program.chunk_at(first), program.chunk_at(last) + 1):
        base = program.bases[number]
        found += (
            (base + line, touched, is_write)
            for touched, line, _, _, is_write in _touched(program.chunks[number], program.target).plain
            if first <= base + line <= last
        )
    found.sort(key=lambda each: (each[0], each[2]))
    return [(touched, is_write) for _, touched, is_write in found]


def _in_expansions(
    program: "Program", number: int, items: "tuple[Item, ...]", wanted: int, first: int, last: int
) -> Iterator[RegisterUse]:
    """The uses by items that are in no plain line of chunk `number`, from line `first` to `last`."""
    base = program.bases[number]
    calls: dict[int, Statement] = {}
    inside: dict[int, list[Touch]] = {}
    for item in items:
        if not first <= base + item.written.top_line <= last:
            continue
        if item.kind == "expansion" and item.written.container is None and item.written.frame is None:
            calls[item.written.top_line] = item.statement
        for touch in _touching(program, item, wanted):
            if item.written.container is not None:
                inside.setdefault(item.written.top_line, []).append(touch)
            else:
                yield RegisterUse(_locate(program, number, item, touch), touch.is_write)
    for top_line, found in inside.items():
        if top_line in calls:
            yield from _on_call(program, base + top_line, calls[top_line], found, wanted)


def _on_call(program: "Program", line: int, call: Statement, found: list[Touch], wanted: int) -> Iterator[RegisterUse]:
    """Marks the touches of a call's expansion at the arguments that name the register, else at the macro's name."""
    is_named = False
    for operand in call.operands:
        node = register_node(operand)
        registers = _written(program, line, node) & wanted
        if registers:
            is_named = True
            is_write = any(touch.is_write and touch.registers & registers for touch in found)
            yield RegisterUse(Location(program.path, line, node.start, node.end), is_write)
    if not is_named:
        where = Location(program.path, line, call.name_start, call.name_end)
        yield RegisterUse(where, any(touch.is_write for touch in found))


def _touching(program: "Program", item: "Item", wanted: int) -> Iterator[Touch]:
    assert program.target is not None
    if item.instruction is not None:
        for touch in touches(item.instruction, program.target):
            if touch.registers & wanted:
                yield touch


def _locate(program: "Program", number: int, item: "Item", touch: Touch) -> Location:
    return program.locate(number, item.written, item.statement.line, touch.start, touch.end)[0]


class _Touched(NamedTuple):
    """What a chunk touches.

    registers: all of them. plain: of instructions in plain lines, the registers, the line in the chunk, the bytes of
    the operand, and whether it is written. expanded: the other items, and the calls that lead to them.
    """

    registers: int
    plain: tuple[tuple[int, int, int, int, bool], ...]
    expanded: "tuple[Item, ...]"


@latest
def _touched(chunk: "Chunk", target: "isa.Target") -> _Touched:
    """A table of the chunk's touches: a search for a register goes through those of a whole kernel."""
    registers = sets.NONE
    plain: list[tuple[int, int, int, int, bool]] = []
    expanded: list[Item] = []
    for item in chunk.items:
        found = touches(item.instruction, target) if item.instruction is not None else ()
        for touch in found:
            registers |= touch.registers
        written = item.written
        if written.container is not None or written.frame is not None or item.kind == "expansion":
            expanded.append(item)
            continue
        plain += ((each.registers, written.line, each.start, each.end, each.is_write) for each in found)
    return _Touched(registers, tuple(plain), tuple(expanded))
