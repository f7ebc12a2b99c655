"""Describes a macro: its signature, its definition, and the expansion of a call."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gcn_lsp.ide import expand
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.expand import ExpandedLine
from gcn_lsp.ide.reading import scope
from gcn_lsp.preproc import macros
from gcn_lsp.preproc.macros import Macro, Parameter
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Text, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_MAX_LINES = 12


def signature(macro: Macro) -> str:
    """The header in full: `.macro GLOBAL_OFFSET vgprAddr:req, vgprTmp=0`."""
    parameters = ", ".join(_parameter(parameter) for parameter in macro.parameters)
    return f".macro {macro.name} {parameters}".rstrip()


def describe(program: "Program", macro: Macro) -> Text:
    """The hover of a macro's name outside a call, or in a call that is not assembled."""
    return markdown.join(markdown.block(signature(macro)), _defined(program, macro), _body(macro))


def describe_call(program: "Program", macro: Macro, call: Statement, line: int) -> Text:
    """The hover of a call on `line` of the main file: the values of its parameters and its expansion."""
    if not scope.is_called(program, line, macro.name):
        return describe(program, macro)
    lines = [found for found in expand.lines_of(program, line, line) if found.frame is not None]
    return markdown.join(
        markdown.block(signature(macro)), _defined(program, macro), _arguments(macro, call), _expansion(lines)
    )


def _defined(program: "Program", macro: Macro) -> Text:
    place = scope.macro_name_place(program, macro)
    return message("Macro, defined at {}.", place) if place is not None else "Macro."


def _arguments(macro: Macro, call: Statement) -> str:
    """`reg` is `3`, `count` is `4` by default."""
    values, problem = macros.parse_arguments(call.rest, macro)
    if problem is not None or not macro.parameters:
        return ""
    given, _ = macros.parse_arguments(call.rest, _without_defaults(macro))
    return (
        "Here "
        + ", ".join(
            f"{markdown.code(parameter.name)} is {_argument(value)}{'' if value == own else ' by default'}"
            for parameter, value, own in zip(macro.parameters, values, given, strict=False)
        )
        + "."
    )


def _without_defaults(macro: Macro) -> Macro:
    parameters = tuple(Parameter(each.name, b"", each.required, each.vararg) for each in macro.parameters)
    return Macro(macro.name, parameters, ())


def _argument(value: bytes) -> str:
    return markdown.code(value.decode("utf-8", "replace")) if value else "empty"


def parameter(macro: Macro, name: str) -> str | None:
    """The hover of a parameter."""
    found = next((parameter for parameter in macro.parameters if parameter.name == name), None)
    if found is None:
        return None
    details = "required" if found.required else "takes all further arguments" if found.vararg else ""
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


def _expansion(lines: Sequence[ExpandedLine]) -> str:
    if not lines:
        return "This call expands to nothing."
    shown = [f"  {line.text}" if line.kind == "instruction" else line.text for line in lines[:_MAX_LINES]]
    if len(lines) > _MAX_LINES:
        shown.append(f"// ... {len(lines) - _MAX_LINES} more lines")
    return markdown.join(f"This call expands to {', '.join(_counts(lines))}:", markdown.block("\n".join(shown)))


_COUNTED = (("label", "label"), ("assignment", "assignment"), ("directive", "directive"))


def _counts(lines: Sequence[ExpandedLine]) -> Iterator[str]:
    """`2 instructions (8 bytes)`, `1 label`."""
    instructions = [line for line in lines if line.kind == "instruction"]
    if instructions:
        yield f"{_plural(len(instructions), 'instruction')} ({sum(line.size for line in instructions)} bytes)"
    for kind, noun in _COUNTED:
        count = sum(line.kind == kind for line in lines)
        if count:
            yield _plural(count, noun)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
