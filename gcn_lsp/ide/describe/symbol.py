"""Describes a symbol at a line: its kind, its value there, its definition."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.describe import kernel, markdown, numbers
from gcn_lsp.ide.reading import mentions as names
from gcn_lsp.ide.reading import scope
from gcn_lsp.isa import documentation
from gcn_lsp.preproc.state import Deferred
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.text import Location, Text, joined, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem, Program

_MAX_PLACES = 4


def describe(program: "Program", name: str, line: int) -> Text | None:
    """The hover of symbol `name` used on `line` of the main file; None if there is no such symbol."""
    address = program.layout.labels.get(name)
    if address is not None and name not in program.final_state.symbols:
        is_kernel = any(kernel.name == name for kernel in program.kernels)
        title = f"**{'kernel' if is_kernel else 'label'}** {markdown.code(name)}"
        where = f"{markdown.code(address.section)} + {address.offset} ({address.offset:#x})"
        resources = kernel.describe(program, name) if is_kernel else ""
        return markdown.join(title, where, resources, _places(program, names.definitions(program, name)))
    predefined = documentation.symbol(name.lower())
    if name in program.final_state.symbols:
        return _variable(program, name, line, predefined)
    if name in program.build_defined:
        others = [markdown.code(each) for each in program.build_defined if each != name]
        all_others = f"The file needs these values too: {', '.join(others)}." if others else ""
        return markdown.join(f"**symbol from the build** {markdown.code(name)}", _FROM_BUILD, all_others)
    if predefined:
        return markdown.join(f"**predefined symbol** {markdown.code(name)}", predefined)
    places = names.definitions(program, name)
    if places:
        note = "It has no value: the lines that set it are not assembled."
        return markdown.join(f"**symbol** {markdown.code(name)}", note, _places(program, places))
    return None


_FROM_BUILD = (
    "Only the build can give it a value (`--defsym`, or `defines` in the configuration); lines that depend on it are "
    "not checked."
)


def _variable(program: "Program", name: str, line: int, predefined: str | None) -> Text:
    places = names.definitions(program, name)
    last = scope.last_assignment(program, name, line)
    kind = "symbol"
    if not places:
        kind = "predefined symbol" if predefined and name not in program.options.defines else "symbol from the build"
    title = f"**{kind}** {markdown.code(name)}"
    value = _given_by(last) if last is not None else program.symbol_value(name, line)
    note = ""
    several = _values_in_expansions(program, name, line)
    if several:
        title += " = " + " or ".join(map(str, several[:_MAX_PLACES])) + (" and more" * (len(several) > _MAX_PLACES))
        note = "The value differs between expansions." if len(several) > 1 else ""
    elif value is not None:
        title += f" = {numbers.readings(value)}"
    elif last is not None and isinstance(last.item.value, Deferred):
        title += _late_value(program, last.item.value)
    elif program.symbol_is_unknown(name, line):
        note = _FROM_BUILD
    elif scope.macro_at(program, line) is not None:
        note = "It has no value at this line itself, only in expansions."
    else:
        note = "It has no value at this line."
    return markdown.join(title, note, predefined, _places(program, places, last))


def _values_in_expansions(program: "Program", name: str, line: int) -> list[int]:
    """The values that a line in a macro body gives the symbol in its expansions."""
    found = (
        _given_by(item)
        for item in scope.written_items(program, line)
        if item.steps and item.item.kind == "assignment" and assigned_name(item.item.statement) == name
    )
    return list(dict.fromkeys(value for value in found if value is not None))


def _given_by(last: "PlacedItem") -> int | None:
    value = last.item.value
    return value if type(value) is int else None


def _late_value(program: "Program", value: Deferred) -> str:
    """The final value of a symbol set to an expression with labels."""

    def lookup(name: str) -> "int | expressions.Address | expressions.MissingSymbol":
        address = program.layout.labels.get(name)
        if address is not None:
            return address
        known = program.final_state.symbols.get(name)
        return known if type(known) is int else expressions.MissingSymbol(False)

    found = expressions.evaluate(value.expression, lookup)
    if type(found) is int:
        return f" = {numbers.readings(found)}"
    if isinstance(found, expressions.Address):
        return f" = {markdown.code(found.section)} + {found.offset} ({found.offset:#x})"
    return ""


def _places(program: "Program", places: list[Location], last: "PlacedItem | None" = None) -> Text:
    """The assignments of the symbol: the line that its value here comes from, then the other places."""
    steps = last.steps if last is not None else ()
    calls = joined("", [message(", expanded from {}", step.where) for step in reversed(steps)])
    if len(places) > 1 and last is not None:
        said = message("Last set at {}{}. {}", last.where, calls, _listed(places))
        return markdown.join(_written(program, last.where), said)
    if len(places) > 1:
        return _listed(places)
    where = last.where if last is not None else next(iter(places), None)
    if where is None:
        return ""
    return markdown.join(_written(program, where), message("Defined at {}{}.", where, calls))


def _written(program: "Program", where: Location) -> str:
    return markdown.block(program.line_text(where.path, where.line).strip().decode("utf-8", "replace"))


def _listed(places: list[Location]) -> Text:
    shown = joined(", ", places[:_MAX_PLACES])
    more = f" and {len(places) - _MAX_PLACES} more" if len(places) > _MAX_PLACES else ""
    return message("Set {} times: {}{}.", len(places), shown, more)
