"""Renames a register: moves a value, from what writes it to what reads it, to another register or into a symbol.

`v4` becomes `v9`, `v[v_acc]` of a symbol with a value, or with a new name that symbol. The bytes change only in the
numbers; an operand that would read another value then is a conflict, which is named.
"""

import re
from typing import TYPE_CHECKING

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.ide.reading import cursors, functions, registers, webs
from gcn_lsp.ide.refactor import model
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location, Text, TextEdit, message

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


class _Unmovable(Exception):
    """A register that cannot be renamed. said: why."""

    def __init__(self, said: Text) -> None:
        super().__init__(said)
        self.said = said


class _FromEntry(_Unmovable):
    """A register whose value is there before the code begins."""


class Moved(NamedTuple):
    """The edits, or the reason against them. along: which other registers moved with it, and why."""

    edits: tuple[TextEdit, ...] = ()
    refused: Text = ""
    along: Text = ""


def rename(program: "Program", register: WrittenRegister, new: str) -> Moved:
    """Move what a register holds, and what other operands keep beside it: the rest of `v[2:4]` comes along with v2."""
    try:
        return _renaming(program, register, new)
    except _Unmovable as refused:
        return Moved(refused=refused.said)


def from_entry(program: "Program", register: WrittenRegister) -> Text:
    """Why a register that keeps what it has at the start of the code has no other name; empty for the rest."""
    try:
        _web(program, register)
    except _FromEntry as refused:
        return refused.said
    except _Unmovable:  # for these a new symbol may be refused with more than fits a short answer
        pass
    return ""


def _renaming(program: "Program", register: WrittenRegister, new: str) -> Moved:
    name, value = _wanted(program, register, new)
    moved = 0 if value is None else value - register.first
    if not moved and not name:
        return Moved()
    web = _web(program, register)
    if moved:
        _refuse_conflict(program, web, register, moved)
    is_new = value is None
    edits = _edits(program, web, register, moved, name, {name: register.first} if is_new else None)
    if is_new:
        first, _ = functions.region_at(program, register.where.line)
        is_in_function = functions.function_at(program, register.where.line) is not None
        at_line = first if is_in_function else min(each.where.line for each in edits)
        edits.append(TextEdit(Location(program.path, at_line, 0, 0), f".set {name}, {register.first}\n"))
    along = _along(program, web, register, moved) if moved else ""
    return Moved(tuple(sorted(edits, key=lambda each: each.where)), along=along)


def _along(program: "Program", web: "Web", register: WrittenRegister, moved: int) -> Text:
    """The other registers of a web that moves, and the operand that keeps the most of them beside the renamed one."""
    others = web.registers & ~_own(register)
    if not others:
        return ""

    def rank(member: "Member") -> tuple[int, int]:
        return (member.touch.registers & others).bit_count(), -webs.line_of(program, member.site)

    widest = max(web.members, key=rank)
    statement = widest.site.item.statement
    operand = statement.line[widest.touch.start : widest.touch.end].decode("utf-8", "replace")
    return message(
        "`{}` moved along to `{}`, because `{} {}` on {} needs them together",
        sets.describe(others),
        sets.describe(_shifted(others, register, moved)),
        statement.word,
        operand,
        Location(program.path, webs.line_of(program, widest.site), 0, 0),
    )


def _own(register: WrittenRegister) -> int:
    return sets.of_tuple(register.file, register.first, register.last - register.first + 1)


def _shifted(moving: int, register: WrittenRegister, moved: int) -> int:
    """Registers of one file with other numbers."""
    step = _COUNTS.get(register.file, 1) * moved
    return moving << step if step > 0 else moving >> -step


def _wanted(program: "Program", register: WrittenRegister, new: str) -> tuple[str, int | None]:
    """The symbol that shall name a register, empty for a number; and the number that it has, None for a new symbol."""
    wanted = _WANTED.fullmatch(new.strip())
    if wanted is None or (wanted[1] or register.file).replace("acc", "a") != register.file:
        raise _Unmovable(f"`{new}` is neither a register of the same file as `{register.text}` nor a name")
    number = wanted[2] or wanted[3] or ""
    if number.isdigit():
        return "", int(number)
    name = wanted[4] or number
    value = program.symbol_value(name, register.where.line)
    if value is None and (name in program.final_state.symbols or name in program.layout.labels):
        raise _Unmovable(message("`{}` has no number on {}", name, register.where))
    if cursors.is_register_name(name.lower(), program.target):
        raise _Unmovable(f"`{name}` is a register of another kind than `{register.text}`")
    return name, value


def _web(program: "Program", register: WrittenRegister) -> "Web":
    """The web of a register that can move."""
    line = register.where.line
    wanted = _own(register)
    item = model.instruction_on(program, line)
    if item is None or item.instruction is None or program.target is None:
        raise _Unmovable(message("{} is in a macro or does not assemble", register.where))
    is_write = any(
        touch.is_write and touch.start == register.where.start
        for touch in registers.touches(item.instruction, program.target)
    )
    web = webs.of(program, line, wanted, is_write=is_write)
    if web is None:
        raise _Unmovable(f"where `{register.text}` is written and read cannot be followed")
    if web.from_entry:
        raise _FromEntry(f"`{register.text}` may come from {_giver(program, line)}")
    if web.by_unknown:
        _refuse_rejected(program, line, "write", register.text)
        raise _Unmovable(f"a function, or code that is not in this function, may write `{register.text}`")
    return web


def _giver(program: "Program", line: int) -> str:
    """Who may set a register before the code around a line begins."""
    function = functions.function_at(program, line)
    if function is not None and function.is_kernel:
        return "the hardware, at the start of the kernel"
    return "the caller" if program.kernel_blocks else "the caller: no `.amdhsa_kernel` says that this is a kernel"


def _refuse_rejected(program: "Program", line: int, does: str, names: str) -> None:
    """Refuse where an instruction of the function around a line is rejected, so that nobody knows what it does."""
    wrong = webs.wrong_line(program, line)
    if wrong is not None:
        rejected = Location(program.path, wrong, 0, 0)
        raise _Unmovable(message("{} does not assemble, so it may {} `{}`", rejected, does, names))


def _refuse_conflict(program: "Program", web: "Web", register: WrittenRegister, moved: int) -> None:
    """Refuse a move to registers that are not there, or that hold another value."""
    lowest = min(sets.numbers(web.registers, register.file))
    if lowest + moved < 0:
        file = register.file
        raise _Unmovable(f"`{file}{lowest}` moves along, but there is no `{file}{lowest + moved}`")
    shifted = _shifted(web.registers, register, moved)
    found = webs.conflict(program, web, shifted, web.registers)
    if found is None:
        return
    site, held = found
    where = Location(program.path, webs.line_of(program, site), 0, 0)
    _refuse_rejected(program, where.line, "use", sets.describe(held))
    name = site.item.statement.name
    raise _Unmovable(message("`{}` holds another value at {}, `{}`", sets.describe(held), where, name))


def _edits(
    program: "Program", web: "Web", register: WrittenRegister, moved: int, name: str, defined: "dict[str, int] | None"
) -> list[TextEdit]:
    """The edits of the operands, each line assembled again."""
    by_line: dict[int, list[Member]] = {}
    for member in web.members:
        by_line.setdefault(webs.line_of(program, member.site), []).append(member)
    edits: list[TextEdit] = []
    for line, members in sorted(by_line.items()):
        where = Location(program.path, line, 0, 0)
        item = model.instruction_on(program, line)
        if item is None or item.instruction is None or any(each.site.item != item for each in members):
            word = program.line(line).statements[0].name if program.line(line).statements else ""
            raise _Unmovable(message("{} uses it in `{}`, a macro or a repetition", where, word))
        text = model.text_of(item.statement)
        start = item.statement.start
        for touch in sorted({each.touch for each in members}, key=lambda each: -each.start):
            written = item.statement.line[touch.start : touch.end].decode("utf-8", "replace")
            match = _PLAIN.fullmatch(written)
            if match is None:
                raise _Unmovable(message("{} names it as `{}`", where, written))
            changed = _renamed(match, register, moved, name)
            text = text[: touch.start - start] + changed.encode() + text[touch.end - start :]
            edits.append(TextEdit(Location(program.path, line, touch.start, touch.end), changed))
        again = model.reassembled(program, line, text, defined)
        if again is None or again.size != item.instruction.size:
            raise _Unmovable(message("{} would not assemble as `{}`", where, model.decoded(text).strip()))
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
