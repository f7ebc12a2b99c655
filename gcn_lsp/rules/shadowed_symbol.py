r"""shadowed-symbol: a name does not mean what it seems to mean.

What it checks

Three ways in which one name hides another:

- A symbol is spelled like a register, and operands take it for the register.
- A macro parameter has the name of a symbol, and the body uses the name without its backslash, so it gets the symbol.
- In a macro body, another macro or repetition has a parameter of the same name, and the outer macro replaces `\name`
  before the inner one can.

Why it matters

The line assembles, but not to what it appears to say.

Example

    ; gcn-lsp: target=gfx900
    .set v1, 7
    v_mov_b32 v[v1], v1

Use instead

    ; gcn-lsp: target=gfx900
    .set v_index, 7
    v_mov_b32 v[v_index], v1

Targets

All.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from gcn_lsp.findings import names_used
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.patterns import regex
from gcn_lsp.preproc import macros
from gcn_lsp.preproc.macros import ArgumentError, Macro
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import Location

_WORD = regex(rb"(?<![A-Za-z0-9_.$?@\\])[A-Za-z_.$?@][A-Za-z0-9_.$?@]*(?![A-Za-z0-9_.$?@\\:])")


def check(program: Program) -> Iterator[Finding]:
    """A finding for each name of the main file that hides another."""
    for first, group in names_used.groups(program):
        for number, (name, line, start, end) in group.registers:
            where = Location(program.path, program.bases[first + number] + line, start, end)
            message = f"`{name}` is a register: operands see this symbol only inside `[ ]`"
            yield RULE.at(where, message)
        for number, macro, header in group.macros:
            if macro.parameters:
                yield from _in_macro(program, macro, program.bases[first + number] + header)


RULE = Rule("shadowed-symbol", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _in_macro(program: Program, macro: Macro, header: int) -> Iterator[Finding]:
    hidden = _look_into(macro)
    for parameter in hidden.bare:
        name = parameter.decode("utf-8", "replace")
        if program.final_state.symbols.get(name) is None or program.final_state.altmacro:
            continue
        message = (
            f"the body of `{macro.name}` uses `{name}` without a backslash, which means the symbol `{name}`, not this "
            "parameter"
        )
        text = program.source.lines[header]
        found = re.compile(rb"(?<![A-Za-z0-9_.$])" + re.escape(parameter) + rb"(?![A-Za-z0-9_.$])").search(
            text, text.find(macro.name.encode("utf-8", "surrogateescape")) + len(macro.name)
        )
        if found is not None:
            yield RULE.at(Location(program.path, header, *found.span()), message)
    for line, start, end, parameter in hidden.inner:
        name = parameter.decode("utf-8", "replace")
        message = rf"macro `{macro.name}` has a parameter `{name}` too, and replaces `\{name}` with its own value first"
        yield RULE.at(Location(program.path, header + 1 + line, start, end), message)


class _Hidden(NamedTuple):
    """What a macro hides. bare: parameters whose names its body uses without a backslash. inner: parameters of macros
    and repetitions in its body that repeat one of its names (line of the body, columns, name)."""

    bare: tuple[bytes, ...]
    inner: tuple[tuple[int, int, int, bytes], ...]


@lru_cache(maxsize=4096)
def _look_into(macro: Macro) -> _Hidden:
    names = {parameter.name.encode("utf-8", "surrogateescape") for parameter in macro.parameters}
    bare: dict[bytes, None] = {}
    inner: list[tuple[int, int, int, bytes]] = []
    body = b"\n".join(macro.body)
    for number, text in enumerate(macro.body):
        for statement in parse_line(text).statements:
            if statement.word in (".macro", ".irp", ".irpc"):
                for start, end, name in _parameters(statement.word, text, statement.rest_start, statement.end):
                    if name in names and b"\\" + name in body:
                        inner.append((number, start, end, name))
                continue
            for match in _WORD.finditer(statement.line, statement.rest_start, statement.end):
                if match.group() in names:
                    bare[match.group()] = None
    return _Hidden(tuple(bare), tuple(inner))


def _parameters(word: str, text: bytes, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """The columns and names of the parameters in the header of a macro or a repetition."""
    if word != ".macro":
        match = _WORD.match(text, start, end)
        if match is not None:
            yield match.start(), match.end(), match.group()
        return
    header = macros.parse_header(text[start:end])
    if isinstance(header, ArgumentError):
        return
    position = start + len(header[0])
    for parameter in header[1]:
        name = parameter.name.encode("utf-8", "surrogateescape")
        position = text.find(name, position, end)
        if position < 0:
            return
        yield position, position + len(name), name
        position += len(name)
