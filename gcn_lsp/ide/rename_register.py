"""Renames a register: moves a value, from what writes it to what reads it, to another register or into a symbol.

`v4` becomes `v9`, `v[v_acc]` of a symbol with a value, or with a new name that symbol. The bytes change only in the
numbers; what would read another value then is a conflict, which is named.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.ide.reading import cursors, functions, registers, webs
from gcn_lsp.ide.refactor import model
from gcn_lsp.text import Location, TextEdit

if TYPE_CHECKING:
    from gcn_lsp.ide.reading.webs import Member, Web
    from gcn_lsp.program.program import Program

_PLAIN = re.compile(r"(v|s|a|acc|ttmp)(?:(\d+)|\[(\d+)(?::(\d+))?\])(\.[lh])?")
_WANTED = re.compile(r"(?:(v|s|a|acc|ttmp)?(?:(\d+)|\[([A-Za-z_.$][\w.$]*|\d+)(?::[^\]]*)?\])|([A-Za-z_.$][\w.$]*))")
_COUNTS = {"v": 2}  # bits of a set for each register, where there is more than one


class WrittenRegister(NamedTuple):
    """A register as written: its place, its text, its file, and the first and last numbers."""

    where: Location
    text: str
    file: str
    first: int
    last: int


def at(program: "Program", line: int, column: int) -> WrittenRegister | None:
    """The register with plain numbers under the cursor; None on anything else."""
    if not 0 <= line < len(program.source.lines):
        return None
    cursor = cursors.locate(program.line(line), column)
    if cursor.index is None or cursor.statement is None or not registers.registers_at(program, line, cursor):
        return None
    node = registers.register_node(cursor.statement.operands[cursor.index])
    text = program.source.lines[line][node.start : node.end].decode("utf-8", "replace")
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None
    first = int(match[2] or match[3])
    file = "a" if match[1] == "acc" else match[1]
    return WrittenRegister(
        Location(program.path, line, node.start, node.end), text, file, first, int(match[4] or first)
    )


def rename(program: "Program", register: WrittenRegister, new: str) -> "tuple[tuple[TextEdit, ...], str]":
    """The edits, or the reason against them."""
    wanted = _WANTED.fullmatch(new.strip())
    if wanted is None or (wanted[1] or register.file).replace("acc", "a") != register.file:
        return (), f"`{new}` is neither a register of the same file as `{register.text}` nor a name"
    line = register.where.line
    name = wanted[4] or (wanted[3] if wanted[3] and not wanted[3].isdigit() else "")
    value = program.symbol_value(name, line) if name else int(wanted[2] or wanted[3])
    if name and value is None and (name in program.final_state.symbols or name in program.layout.labels):
        return (), f"`{name}` has no number on line {line + 1}"
    if name and cursors.is_register_name(name.lower(), program.target):
        return (), f"`{name}` is a register of another kind than `{register.text}`"
    is_new = name != "" and value is None
    moved = 0 if value is None else value - register.first
    if not moved and not name:
        return (), ""
    found = _web(program, register)
    if isinstance(found, str):
        return (), found
    if moved:
        refused = _conflict(program, found, register, moved)
        if refused:
            return (), refused
    edits = _edits(program, found, register, moved, name, {name: register.first} if is_new else None)
    if isinstance(edits, str):
        return (), edits
    if is_new:
        first, _ = functions.region_at(program, line)
        at_line = first if functions.function_at(program, line) is not None else min(each.where.line for each in edits)
        edits.append(TextEdit(Location(program.path, at_line, 0, 0), f".set {name}, {register.first}\n"))
    return tuple(sorted(edits, key=lambda each: each.where)), ""


def _web(program: "Program", register: WrittenRegister) -> "Web | str":
    """The web of a register, or the reason why it cannot move."""
    line = register.where.line
    wanted = sets.of_tuple(register.file, register.first, register.last - register.first + 1)
    item = model.instruction_on(program, line)
    if item is None or item.instruction is None or program.target is None:
        return f"line {line + 1} is in a macro or does not assemble"
    is_write = any(
        touch.is_write and touch.start == register.where.start
        for touch in registers.touches(item.instruction, program.target)
    )
    web = webs.of(program, line, wanted, is_write=is_write)
    if web is None:
        return f"where `{register.text}` is written and read cannot be followed"
    if web.from_entry:
        return f"`{register.text}` may hold what the hardware or the caller puts there at the start"
    if web.by_unknown:
        wrong = webs.wrong_line(program, line)
        if wrong is not None:
            return f"line {wrong + 1} does not assemble, so it may write `{register.text}`"
        return f"a function, or code that is not in this function, may write `{register.text}`"
    return web


def _conflict(program: "Program", web: "Web", register: WrittenRegister, moved: int) -> str:
    step = _COUNTS.get(register.file, 1) * moved
    lowest = sets.of_tuple(register.file, 0, 1)
    shifted = web.registers << step if step > 0 else web.registers >> -step
    if shifted.bit_count() != web.registers.bit_count() or shifted < (lowest & -lowest):
        return f"there is no such register of the file `{register.file}`"
    found = webs.conflict(program, web, shifted, web.registers)
    if found is None:
        return ""
    site, held = found
    line = webs.line_of(program, site)
    wrong = webs.wrong_line(program, line)
    if wrong is not None:
        return f"line {wrong + 1} does not assemble, so it may use `{sets.describe(held)}`"
    return f"`{sets.describe(held)}` holds another value at line {line + 1}, `{site.item.statement.name}`"


def _edits(
    program: "Program", web: "Web", register: WrittenRegister, moved: int, name: str, defined: "dict[str, int] | None"
) -> "list[TextEdit] | str":
    """The edits of the operands, each line assembled again; or the reason against one of them."""
    by_line: dict[int, list[Member]] = {}
    for member in web.members:
        by_line.setdefault(webs.line_of(program, member.site), []).append(member)
    edits: list[TextEdit] = []
    for line, members in sorted(by_line.items()):
        item = model.instruction_on(program, line)
        if item is None or item.instruction is None or any(each.site.item is not item for each in members):
            word = program.line(line).statements[0].name if program.line(line).statements else ""
            return f"line {line + 1} uses it in `{word}`, a macro or a repetition"
        text = model.text_of(item.statement)
        start = item.statement.start
        for touch in sorted({each.touch for each in members}, key=lambda each: -each.start):
            written = item.statement.line[touch.start : touch.end].decode("utf-8", "replace")
            match = _PLAIN.fullmatch(written)
            if match is None:
                return f"line {line + 1} names it as `{written}`"
            changed = _renamed(match, register, moved, name)
            text = text[: touch.start - start] + changed.encode() + text[touch.end - start :]
            edits.append(TextEdit(Location(program.path, line, touch.start, touch.end), changed))
        again = model.reassembled(program, line, text, defined)
        if again is None or again.size != item.instruction.size:
            return f"line {line + 1} would not assemble as `{model.decoded(text).strip()}`"
    return edits


def _renamed(match: "re.Match[str]", register: WrittenRegister, moved: int, name: str) -> str:
    """An operand with the numbers moved, or counted from a symbol that stands for the first register."""
    first = int(match[2] or match[3])
    last = int(match[4]) if match[4] else None
    half = match[5] or ""
    if not name:
        one, other = first + moved, None if last is None else last + moved
        return (
            f"{match[1]}{one}{half}" if match[2] else f"{match[1]}[{one}{'' if other is None else f':{other}'}]{half}"
        )

    def counted(number: int) -> str:
        distance = number - register.first
        return f"{name}{f'+{distance}' if distance > 0 else distance or ''}"

    return f"{match[1]}[{counted(first)}{'' if last is None else f':{counted(last)}'}]{half}"
