"""A symbol as it is at a line: its kind, its value there, where it was defined."""

from typing import TYPE_CHECKING

from gcn_lsp.ide import directives, markdown, numbers
from gcn_lsp.ide import mentions as names
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program

_MAX_PLACES = 4


def describe(program: "Program", name: str, line: int) -> str | None:
    """The hover of symbol `name` used on `line` of the main file; None when there is none."""
    address = program.layout.labels.get(name)
    if address is not None and name not in program.final_state.symbols:
        kernel = any(kernel.name == name for kernel in program.kernels)
        title = f"**{'kernel' if kernel else 'label'}** {markdown.code(name)}"
        where = f"{markdown.code(address.section)} + {address.offset} ({address.offset:#x})"
        return markdown.join(title, where, _places(program, names.definitions(program, name)))
    predefined = directives.PREDEFINED.get(name.lower())
    if name in program.final_state.symbols:
        return _variable(program, name, line, predefined)
    if name in program.build_defined:
        return markdown.join(f"**symbol from the build** {markdown.code(name)}", _FROM_BUILD)
    if predefined:
        return markdown.join(f"**predefined symbol** {markdown.code(name)}", predefined)
    places = names.definitions(program, name)
    if places:
        note = "It never gets a value: the lines that set it are not assembled."
        return markdown.join(f"**symbol** {markdown.code(name)}", note, _places(program, places))
    return None


_FROM_BUILD = (
    "Nothing in the file gives it a value, only the build can (`--defsym`, or `defines` in the configuration); what "
    "depends on it is not judged."
)


def _variable(program: "Program", name: str, line: int, predefined: str | None) -> str:
    places = names.definitions(program, name)
    kind = "symbol"
    if not places:
        kind = "predefined symbol" if predefined and name not in program.options.defines else "symbol from the build"
    title = f"**{kind}** {markdown.code(name)}"
    value = value_at(program, name, line, places)
    note = ""
    if value is not None:
        title += f" = {numbers.readings(value)}"
    elif program.symbol_is_unknown(name, line):
        note = _FROM_BUILD
    else:
        note = "It has no value at this line."
    return markdown.join(title, note, predefined, _places(program, places))


def value_at(program: "Program", name: str, line: int, places: list[Location]) -> int | None:
    """The value that a use on `line` sees; on a line that sets the symbol, the value that it gets there."""
    here = any(where.path == program.path and where.line == line for where in places)
    if here:
        return program.symbol_value(name, line + 1) if line + 1 < len(program.source.lines) else _last(program, name)
    return program.symbol_value(name, line)


def _last(program: "Program", name: str) -> int | None:
    value = program.final_state.symbols.get(name)
    return value if type(value) is int else None


def _places(program: "Program", places: list[Location]) -> str:
    if not places:
        return ""
    if len(places) == 1:
        text = program.line_text(places[0].path, places[0].line).strip().decode("utf-8", "replace")
        return markdown.join(markdown.block(text), f"Defined at {place(program, places[0])}.")
    shown = ", ".join(place(program, where) for where in places[:_MAX_PLACES])
    more = f" and {len(places) - _MAX_PLACES} more" if len(places) > _MAX_PLACES else ""
    return f"Set {len(places)} times: {shown}{more}."


def place(program: "Program", where: Location) -> str:
    """`line 12`, or `file.inc:12` for another file."""
    if where.path == program.path:
        return f"line {where.line + 1}"
    name = where.path.replace("\\", "/").rpartition("/")[2]
    return markdown.code(f"{name}:{where.line + 1}")
