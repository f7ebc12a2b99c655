"""Describes what is under the cursor, for a hover of an editor."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.findings import assumed_target
from gcn_lsp.ide import mnemonics, source_lines
from gcn_lsp.ide.describe import (
    data,
    directive,
    elsewhere,
    hovered_operand,
    macro,
    markdown,
    repetition,
    symbol,
)  # fmt: skip
from gcn_lsp.ide.describe import instruction as instructions
from gcn_lsp.ide.describe.hovered import Hovered, HoverResult
from gcn_lsp.ide.reading import cursors, scope
from gcn_lsp.isa import documentation
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.rules import RULES
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import Location, Text

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def hover(program: "Program", line: int, column: int) -> HoverResult | None:
    """The hover at byte `column` of `line` of the main file; None if there is nothing to say."""
    if not 0 <= line < len(program.source.lines):
        return None
    found = _hover(program, line, column)
    legal = elsewhere.describe(program, line, column)
    if legal is not None:
        where, text = legal
        said = markdown.join(found.said if found else "", text)
        found = HoverResult(where if found is None else found.where, said)
    if found is None or program.candidates is None:
        return found
    note = f"The target: {assumed_target.said(program.candidates.name)}."
    return HoverResult(found.where, markdown.join(found.said, note))


def _hover(program: "Program", line: int, column: int) -> HoverResult | None:
    if scope.in_metadata(program, line):
        return _metadata(program, line, column)
    cursor = cursors.locate(program.line(line), column)
    at = Hovered(program, line, cursor)
    if cursor.place == "comment":
        return _rule(at, column)
    statement = cursor.statement
    if statement is None or cursor.place == "blank":
        return None
    if cursor.word.text.startswith("\\"):
        parameter = at.result(_parameter(at))
        if parameter is not None or cursor.place != "name":
            return parameter
    if cursor.place == "name":
        return at.result(_name(at, statement), statement.name_start, statement.name_end)
    if (
        statement.kind is StatementKind.COMMAND
        and statement.word.startswith(".")
        and statement.name not in program.macros
    ):
        return _directive_argument(at, statement)
    called = program.macros.get(statement.name)
    if called is not None:
        return _argument(at, statement, called)
    return (
        hovered_operand.describe(at, statement)
        if statement.kind is StatementKind.COMMAND
        else hovered_operand.plain(at)
    )


def _name(at: Hovered, statement: Statement) -> Text | None:
    program, line = at.program, at.line
    if statement.kind in (StatementKind.LABEL, StatementKind.ASSIGNMENT):
        in_header = statement.kind is StatementKind.ASSIGNMENT and scope.in_kernel_header(program, line)
        text = directive.header_field(statement.name, program.target) if in_header else None
        return text or symbol.describe(program, statement.name, line)
    if statement.kind is not StatementKind.COMMAND:
        return None
    found = program.macros.get(statement.name)
    if found is not None:
        return macro.describe_call(program, found, statement, line)
    if statement.word.startswith("."):
        return directive.describe(statement.word, program.target)
    return _mnemonic(at, statement)


def _mnemonic(at: Hovered, statement: Statement) -> Text | None:
    mnemonic = statement.word
    if "\\" in mnemonic:  # made of a macro's arguments: show the results of the expansions
        found = list(dict.fromkeys(item.item.statement.word for item in at.items))
        if len(found) != 1:
            return f"{markdown.code(statement.name)} is {markdown.listing(found)}." if found else None
        mnemonic = found[0]
    if not mnemonics.targets_with(mnemonic) and documentation.entry(mnemonic) is None:
        return None
    in_macro = not at.items and scope.macro_at(at.program, at.line) is not None
    return instructions.describe(at, mnemonic, statement, here=_here(at) if at.items else "", in_macro=in_macro)


def _here(at: Hovered) -> Text:
    """What the analyses know before an instruction: what it loads, who wrote what it reads, what is in flight."""
    known = _of_flow(at) if at.program.has_flow else ""
    return markdown.join(known, source_lines.describe(at.program, at.line))


def _of_flow(at: Hovered) -> Text:
    # Late: the first hover of a file comes before the analyses that these need.
    from gcn_lsp.ide import in_flight, lds_access
    from gcn_lsp.ide.describe import history, kernel_input

    return markdown.join(
        _section("Loads:", kernel_input.of_load(at.program, at.line)),
        history.of_implicit(at.program, at.line, at.form),
        in_flight.describe(at.program, at.line),
        lds_access.describe(at.program, at.line),
    )


def _section(title: str, text: str) -> str:
    return markdown.join(title, text) if text else ""


def _parameter(at: Hovered) -> str | None:
    name = at.cursor.word.text[1:]
    repeated = repetition.in_body(at.program, at.line, name)
    if repeated is not None:
        return repeated
    body = scope.macro_at(at.program, at.line)
    if body is None:
        return None
    if name in ("@", "+"):
        return f"{markdown.code(at.cursor.word.text)} is a number that differs in every expansion."
    return macro.parameter(body.macro, name)


def _argument(at: Hovered, statement: Statement, called: Macro) -> HoverResult | None:
    """The hover of an argument of a macro call: the argument, and the parameter that it sets."""
    index = at.cursor.index
    if index is None:
        return None
    written = statement.operands[index]
    named = _named_argument(at, statement, called)
    if named is not None:
        return named
    found = hovered_operand.unmatched(at)
    if index >= len(called.parameters) or b"=" in statement.rest:
        return found
    said = macro.parameter(called, called.parameters[index].name)
    if found is None:
        return at.at(written, said)
    return HoverResult(found.where, markdown.join(found.said, said))


def _named_argument(at: Hovered, statement: Statement, called: Macro) -> HoverResult | None:
    """`unroll=4` under the cursor: the parameter."""
    text = at.program.source.lines[at.line]
    for match in _NAMED.finditer(text, statement.rest_start, statement.end):
        name = match[1].decode("utf-8", "replace")
        if match.start() <= at.cursor.word.start < match.end() and any(
            name == parameter.name for parameter in called.parameters
        ):
            return at.result(macro.parameter(called, name), match.start(), match.end())
    return None


_NAMED = re.compile(rb"([\w$.]+)[ \t]*=(?!=)[ \t]*[^,]*")


def _directive_argument(at: Hovered, statement: Statement) -> HoverResult | None:
    repeated = repetition.in_header(statement, at.cursor.word.start)
    if repeated is not None:
        return at.result(repeated)
    if statement.word in _WHOLE_ARGUMENTS:
        return at.result(_WHOLE_ARGUMENTS[statement.word](at, statement), statement.rest_start, statement.end)
    body = scope.macro_at(at.program, at.line) if statement.word == ".macro" else None
    if body is not None and body.header == at.line:
        word = at.cursor.word.text
        is_name = word == body.macro.name
        return at.result(macro.describe(at.program, body.macro) if is_name else macro.parameter(body.macro, word))
    instructions_in_data = data.describe(at.program, at.line) if isinstance(at.cursor.node, nodes.Integer) else None
    if instructions_in_data is not None:
        return at.result(instructions_in_data, statement.start, statement.end)
    # The value of a symbol may become an operand; a count or a size does not.
    return hovered_operand.plain(at, is_operand=statement.word in SETTERS)


def _place_of_code(at: Hovered, statement: Statement) -> Text:
    return source_lines.describe(at.program, at.line)


def _included(at: Hovered, statement: Statement) -> str:
    found = at.program.options.include(at.program.path, _string(statement))
    return f"includes {markdown.code(found.path)}, {len(found.lines)} lines" if found else "the file is not found"


def _named_target(at: Hovered, statement: Statement) -> str:
    name = isa.resolve_target(_string(statement))
    return f"{markdown.code(name)}, {isa.load_target(name).generation}" if name else "no target has this name"


def _nothing(at: Hovered, statement: Statement) -> str:
    return ""


# The directives whose arguments have one hover.
_WHOLE_ARGUMENTS: Mapping[str, Callable[[Hovered, Statement], Text]] = {
    ".amdgcn_target": _named_target,
    ".file": _nothing,
    ".include": _included,
    ".line": _nothing,
    ".loc": _place_of_code,
}


def _string(statement: Statement) -> str:
    return statement.rest.strip().strip(b'"').decode("utf-8", "replace")


def _metadata(program: "Program", line: int, column: int) -> HoverResult | None:
    text = program.source.lines[line]
    word = cursors.word_at(text, column)
    where = Location(program.path, line, word.start, word.end)
    if text[word.end : word.end + 1] == b":":
        meaning = documentation.metadata_key(word.text)
        return HoverResult(where, f"{markdown.code(word.text)}: {meaning}") if meaning is not None else None
    kind = documentation.value_kind(word.text) if b".value_kind" in text[: word.start] else None
    if kind is not None:
        return HoverResult(where, f"{markdown.code(word.text)}: {kind}")
    name = word.text.removesuffix(".kd")
    found = symbol.describe(program, name, line) if name else None
    return HoverResult(where, found) if found is not None else None


def _rule(at: Hovered, column: int) -> HoverResult | None:
    """The hover of a rule's name in a suppression comment; rule names have hyphens, other words do not."""
    text = at.program.source.lines[at.line]
    if b"gcn-lsp:" not in text:
        return None
    for match in _RULE_NAME.finditer(text):
        rule = RULES.get(match.group().decode())
        if rule is not None and match.start() <= column <= match.end():
            said = markdown.join(f"**rule** {markdown.code(rule.name)}, {rule.severity.value}", rule.summary)
            return at.result(said, match.start(), match.end())
    return None


_RULE_NAME = re.compile(rb"[a-z]+(?:-[a-z]+)*")
