"""Directives that describe symbols, the object file or debugging, and emit no bytes."""

import re
from collections.abc import Callable

from gcn_lsp.patterns import regex
from gcn_lsp.program import declarations
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.syntax.directives import DECLARATIONS, LINKAGE
from gcn_lsp.syntax.statement import Statement

_NAME = r'(?:[A-Za-z_.$?@][\w.$?@]*|"[^"]*")'
_NAMES = (regex(rf"({_NAME}(\s*,\s*{_NAME})*)?"), "names separated by commas")
_NAME_AND_VALUE = (regex(rf"{_NAME}\s*,\s*\S.*", re.DOTALL), "a name, a comma and a value")
_FORMS = {
    **dict.fromkeys((*sorted(LINKAGE - {".extern"}), ".local"), _NAMES),
    **dict.fromkeys((".comm", ".common", ".lcomm", ".size"), _NAME_AND_VALUE),
    ".type": (regex(rf"{_NAME}\s*,?\s*([@#%]\s*\w+|STT_\w+|\"\w+\")"), "a name and a type such as `@function`"),
}


def malformed(word: str, arguments: bytes) -> str:
    """What is wrong with the arguments of a declaration; empty if no check here finds anything."""
    form = _FORMS.get(word)
    if form is None or form[0].fullmatch(arguments.decode("utf-8", "replace").strip()):
        return ""
    return f"`{word}` takes {form[1]}"


def _declaration(out: Emitter, statement: Statement) -> None:
    wrong = malformed(statement.word, statement.rest)
    if wrong:
        out.reporter.whole("malformed-directive", statement, wrong)
    elif statement.word in LINKAGE or statement.word in declarations.BINDINGS:
        _declare(out, statement)


def _declare(out: Emitter, statement: Statement) -> None:
    """The names declared by `.globl` and similar directives."""
    chunk = out.chunk
    names = statement.rest.decode("utf-8", "surrogateescape").split(",")
    for name in filter(None, (name.strip().strip('"') for name in names)):
        if statement.word in LINKAGE:
            chunk.declared.add(name)
        binding = declarations.BINDINGS.get(statement.word)
        if binding is None:
            continue
        if binding == "local":
            out.local_names |= {name}
        else:
            chunk.exported.add(name)
        out.note(name, statement)


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = dict.fromkeys(DECLARATIONS, _declaration)
