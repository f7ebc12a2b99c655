"""The operands of inline assembly: what they are, where their names are written, and which may be written."""

from collections.abc import Iterator

from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.describe.hovered import HoverResult
from gcn_lsp.ide.original.words import Words
from gcn_lsp.patterns import regex
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import constraints
from gcn_lsp.views.inline.document import StatementAssembly as StatementAssembly
from gcn_lsp.views.inline.statement import Span, StatementOperand

_NAME = regex(r"[A-Za-z_]\w*")
_STARTED = regex(rb"[%$]\[?\w*$")
_FILES = {"v": "VGPR", "s": "SGPR", "a": "AGPR"}


class Operands(Words):
    """The words of a statement: its operands, which the template refers to."""

    def __init__(self, text: StatementAssembly, source: SourceText) -> None:
        self._text = text
        self._source = source

    def hover(self, line: int, column: int) -> HoverResult | None:
        """The operand to which the template refers at a place."""
        return hover(self._text, self._source.path, line, column)

    def definition(self, line: int, column: int) -> list[Location]:
        """Where the operand to which a template refers is written."""
        where = definition(self._text, self._source.path, line, column)
        return [] if where is None else [where]

    def references(self, line: int, column: int) -> list[Location]:
        """All places of a template that refer to the same operand, and the operand itself."""
        return references(self._text, self._source.path, line, column)

    def highlights(self, line: int, column: int) -> list[Location]:
        """The same places."""
        return self.references(line, column)

    def completed(self, line: int, column: int, found: Completions | None) -> Completions | None:
        """The operands that may be written after a `%`, each with its expression; elsewhere the program's entries."""
        text, written = self._text, self._source.lines[line]
        started = _STARTED.search(written[:column])
        mark = b"%" if text.statement.dialect == "gnu" else b"$"
        if started is None or not started[0].startswith(mark):
            return found
        end = column + (written[column : column + 1] == b"]" and b"[" in started[0])
        items = (
            CompletionItem(text.name(number), "operand", operand.expression)
            for number, operand in enumerate(text.statement.operands)
        )
        return Completions(Location(self._source.path, line, started.start(), end), tuple(items), False)

    def in_original(self, markdown: str) -> str:
        """A text with operands in place of the registers that were chosen for them."""
        return self._text.in_source(markdown)


def hover(text: StatementAssembly, path: str, line: int, column: int) -> HoverResult | None:
    """The operand to which the template refers at a place."""
    number = text.operand_at(line, column)
    where = _reference(text, path, line, column)
    if number is None or where is None or number >= len(text.statement.operands):
        return None
    return HoverResult(where, described(text, number))


def described(text: StatementAssembly, number: int) -> str:
    """An operand in Markdown."""
    operand = text.statement.operands[number]
    read = constraints.read(operand.constraint)
    name = text.name(number)
    role = "in and out" if read.is_inout else "output" if operand.is_output else "input"
    constraint = markdown.code(operand.constraint)
    lines = [markdown.block(f"{name} = {operand.expression}", "cpp"), f"{role}, {constraint}: {_meaning(text, number)}"]
    if read.is_early:
        lines.append("`&`: it shares no register with an input.")
    return "\n\n".join(lines)


def _meaning(text: StatementAssembly, number: int) -> str:
    operand = text.statement.operands[number]
    read = constraints.read(operand.constraint)
    register = text.registers[number]
    if read.is_immediate:
        return f"the constant {operand.value}" if operand.value is not None else "a constant that the build knows"
    if register is None or not read.known:
        return "a constraint that clang does not know"
    if read.fixed is not None:
        return f"the register {markdown.code(register.text)}"
    kind = _FILES.get(register.file, register.file)
    count = f"a {kind}" if register.file == "v" else f"an {kind}"
    if register.count > 1:
        count = f"{register.count} {kind}s"
    why = "" if operand.width else ", as the instruction takes it"
    other = int(read.tied) if read.tied.isdigit() else len(text.registers)
    tied = f", the same as {markdown.code(text.name(other))}" if other < len(text.registers) else ""
    return f"{count}{why}{tied}"


def definition(text: StatementAssembly, path: str, line: int, column: int) -> Location | None:
    """Where the operand to which a template refers is written."""
    number = text.operand_at(line, column)
    if number is None or number >= len(text.statement.operands):
        return None
    operand = text.statement.operands[number]
    return _at(path, operand.name_span or operand.constraint_span)


def references(text: StatementAssembly, path: str, line: int, column: int) -> list[Location]:
    """All places of a template that refer to the same operand, and the operand itself."""
    number = text.operand_at(line, column)
    if number is None or number >= len(text.statement.operands):
        return []
    found = [
        _at(path, text.template.span(part.start, part.end)) for part in text.template.parts if part.number == number
    ]
    operand = text.statement.operands[number]
    return [*found, _at(path, operand.name_span or operand.constraint_span)]


def names(text: StatementAssembly, path: str, line: int, column: int) -> list[Location]:
    """Where the name of the operand at a place is written, in its list and in the template; that place first."""
    number = text.operand_at(line, column)
    if number is None:
        number = next((at for at, each in enumerate(text.statement.operands) if _covers(each, line, column)), None)
    if number is None or number >= len(text.statement.operands):
        return []
    operand = text.statement.operands[number]
    if not operand.name or operand.name_span is None:
        return []
    found = [_at(path, operand.name_span), *_names_in(text, path, number, len(operand.name))]
    found.sort(key=lambda each: (each.line != line, not each.start - len("%[") <= column <= each.end))
    return found


def _names_in(text: StatementAssembly, path: str, number: int, length: int) -> Iterator[Location]:
    for part in text.template.parts:
        if part.number == number and text.template.text[part.end - 1 : part.end] == b"]":
            yield _at(path, text.template.span(part.end - 1 - length, part.end - 1))


def is_name(name: str) -> bool:
    """Whether an operand may have this name."""
    return _NAME.fullmatch(name) is not None


def _covers(operand: StatementOperand, line: int, column: int) -> bool:
    span = operand.name_span
    return span is not None and span.line == line and span.start <= column <= span.end


def _reference(text: StatementAssembly, path: str, line: int, column: int) -> Location | None:
    offset = text.template.offset(line, column)
    for part in text.template.parts:
        if offset is not None and part.number != -1 and part.start <= offset <= part.end:
            return _at(path, text.template.span(part.start, part.end))
    return None


def _at(path: str, span: Span) -> Location:
    return Location(path, span.line, span.start, span.end)
