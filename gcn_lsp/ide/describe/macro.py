"""A macro: its signature, where it is defined, and what a call of it expands to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide import markdown, scope
from gcn_lsp.ide.describe import symbol
from gcn_lsp.preproc.macros import Macro, Parameter

if TYPE_CHECKING:
    from gcn_lsp.asm.chunk import Item
    from gcn_lsp.asm.program import Program

_MAX_LINES = 12


def signature(macro: Macro) -> str:
    """The header as it could be written: `.macro GLOBAL_OFFSET vgprAddr:req, vgprTmp=0`."""
    parameters = ", ".join(_parameter(parameter) for parameter in macro.parameters)
    return f".macro {macro.name} {parameters}".rstrip()


def describe(program: "Program", macro: Macro, expansion: "Sequence[Item] | None" = None) -> str:
    """The hover of a macro's name; `expansion` holds the instructions of the call under the cursor."""
    place = scope.macro_name_place(program, macro)
    where = f"Macro, defined at {symbol.place(program, place)}." if place is not None else "Macro."
    calls = _expansion(expansion) if expansion is not None else _body(macro)
    return markdown.join(markdown.block(signature(macro)), where, calls)


def parameter(macro: Macro, name: str) -> str | None:
    """The hover of a parameter."""
    found = next((parameter for parameter in macro.parameters if parameter.name == name), None)
    if found is None:
        return None
    details = "must be given" if found.required else "takes all further arguments" if found.vararg else ""
    if found.default:
        details = f"default {markdown.code(found.default.decode('utf-8', 'replace'))}"
    title = f"**parameter** {markdown.code(name)} of macro {markdown.code(macro.name)}"
    return title + (f", {details}" if details else "")


def _parameter(parameter: Parameter) -> str:
    if parameter.default:
        return f"{parameter.name}={parameter.default.decode('utf-8', 'replace')}"
    return parameter.name + (":req" if parameter.required else ":vararg" if parameter.vararg else "")


def _body(macro: Macro) -> str:
    lines = [line.decode("utf-8", "replace") for line in macro.body[:_MAX_LINES]]
    if len(macro.body) > _MAX_LINES:
        lines.append(f"; ... {len(macro.body) - _MAX_LINES} more lines")
    return markdown.block("\n".join(lines)) if lines else "Its body is empty."


def _expansion(instructions: "Sequence[Item]") -> str:
    if not instructions:
        return "This call expands to no instruction."
    size = sum(item.instruction.size for item in instructions if item.instruction is not None)
    lines = [_text(item) for item in instructions[:_MAX_LINES]]
    if len(instructions) > _MAX_LINES:
        lines.append(f"; ... {len(instructions) - _MAX_LINES} more instructions")
    count = len(instructions)
    said = f"This call expands to {count} instruction{'s' if count > 1 else ''}, {size} bytes:"
    return markdown.join(said, markdown.block("\n".join(lines)))


def _text(item: "Item") -> str:
    statement = item.statement
    return statement.line[statement.start : statement.end].decode("utf-8", "replace")
