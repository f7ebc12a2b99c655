"""Whether the condition of an `.if` directive holds."""

from typing import TYPE_CHECKING

from gcn_lsp.preproc import macros
from gcn_lsp.syntax.expressions import UNKNOWN, Missing
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.preproc.interpreter import Interpreter

_COMPARISONS = {
    ".if": lambda value: value != 0,
    ".elseif": lambda value: value != 0,
    ".ifne": lambda value: value != 0,
    ".ifeq": lambda value: value == 0,
    ".ifge": lambda value: value >= 0,
    ".ifgt": lambda value: value > 0,
    ".ifle": lambda value: value <= 0,
    ".iflt": lambda value: value < 0,
}
_DEFINED = frozenset((".ifdef",))
_NOT_DEFINED = frozenset((".ifndef", ".ifnotdef"))
_STRINGS = frozenset((".ifc", ".ifnc", ".ifeqs", ".ifnes"))
_BLANK = frozenset((".ifb", ".ifnb"))

OPENERS = (frozenset(_COMPARISONS) - {".elseif"}) | _DEFINED | _NOT_DEFINED | _STRINGS | _BLANK


def holds(statement: Statement, interpreter: "Interpreter") -> "bool | None":
    """True or False; None when it depends on what only the build knows, or is malformed (then it is reported)."""
    word = statement.word
    compare = _COMPARISONS.get(word)
    if compare is not None:
        value = interpreter.absolute(statement, statement.rest_start, statement.end)
        return None if value is None else compare(value)
    if word in _STRINGS:
        return _strings(statement, interpreter)
    if word in _BLANK:
        return (not statement.rest.strip()) == (word == ".ifb")
    return _defined(statement, interpreter)


def absent_symbol(statement: Statement) -> str:
    """The symbol whose absence makes the condition hold; empty for any other condition."""
    return statement.rest.strip().decode("utf-8", "surrogateescape") if statement.word in _NOT_DEFINED else ""


def _defined(statement: Statement, interpreter: "Interpreter") -> "bool | None":
    name = statement.rest.strip().decode("utf-8", "surrogateescape")
    if not name:
        interpreter.problem(
            "malformed-directive", statement.start, statement.end, f"`{statement.word}` takes the name of a symbol"
        )
        return None
    if interpreter.symbols.get(name) is UNKNOWN:
        return None
    defined = not isinstance(interpreter.lookup(name), Missing)
    return defined == (statement.word in _DEFINED)


def _strings(statement: Statement, interpreter: "Interpreter") -> "bool | None":
    values, problem = _two_strings(statement)
    if problem:
        interpreter.problem("malformed-directive", statement.start, statement.end, problem)
        return None
    return (values[0] == values[1]) == (statement.word in (".ifc", ".ifeqs"))


def _two_strings(statement: Statement) -> "tuple[tuple[bytes, bytes], str]":
    first, comma, second = statement.rest.partition(b",")
    if statement.word in (".ifeqs", ".ifnes"):
        first, second = first.strip(), second.strip()
        if not comma or not (first[:1] == b'"' == second[:1]):
            return (b"", b""), f"`{statement.word}` takes two strings in quotes"
        return (macros.unquote(first), macros.unquote(second)), ""
    if not comma:
        return (b"", b""), f"`{statement.word}` takes two texts with a comma between them"
    return (first.strip(), second.strip()), ""
