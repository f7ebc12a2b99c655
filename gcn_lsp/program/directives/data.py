"""Directives that put bytes into sections: numbers, strings, and repeated values."""

import base64
import re
from collections.abc import Callable

from gcn_lsp.instruction.model import Fixup, FixupKind
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Piece
from gcn_lsp.program.data_bytes import float_bytes, leb128, split_arguments
from gcn_lsp.program.emitter import Emitter, sane_size
from gcn_lsp.syntax import expressions, nodes, operands
from gcn_lsp.syntax.directives import DIRECTIVES, WITH_ZERO, Family, words
from gcn_lsp.syntax.statement import Statement

_PLAIN = rb"\s*-?(?:0x[0-9a-f]{1,16}|[1-9][0-9]{0,18}|0)\s*"
_PLAIN_NUMBERS = regex(_PLAIN + rb"(?:," + _PLAIN + rb")*", re.IGNORECASE)
_FIXUPS: dict[int, FixupKind] = {1: "data8", 2: "data16", 4: "data32", 8: "data64", 16: "data128"}
_OCTA_SIZE = 16  # takes plain numbers only


def _integers(out: Emitter, statement: Statement) -> None:
    size = DIRECTIVES[statement.word].size
    plain = _plain_numbers(statement, size) if size else None
    if plain is not None:
        out.data(statement, plain)
        return
    data = bytearray()
    fixups: list[Fixup] = []
    for start, end in split_arguments(statement):
        node = statement.expression(start, end)
        if isinstance(node, nodes.Malformed):
            out.reporter.problem("invalid-expression", node.start, node.end, node.message)
            continue
        out.pending = len(data)
        value = out.symbols.evaluate(node)
        if type(value) is not int or (size and out.pads_branches and _has_labels(out, node)):
            if _has_no_value(out, node, value, size):
                assert isinstance(value, expressions.Unresolved)
                message = f"this has no value: {value.message}"
                out.reporter.problem("invalid-expression", node.start, node.end, message)
            elif not size:
                if data:
                    out.data(statement, bytes(data))
                data.clear()
                _late_leb(out, statement, node)
            else:
                fixups.append(Fixup(_FIXUPS[size], len(data), out.symbols.bound(node), node.start, node.end))
                data += bytes(size)
            continue
        if size == 0:
            data += leb128(value, signed=statement.word == ".sleb128")
            continue
        data += _integer(out, statement, node, value, (start, end))
    out.pending = 0
    out.data(statement, bytes(data), tuple(fixups))


def _plain_numbers(statement: Statement, size: int) -> bytes | None:
    """The bytes of arguments that are all numbers of `size` bytes; a table may have millions."""
    if not _PLAIN_NUMBERS.fullmatch(statement.line, statement.rest_start, statement.end):
        return None
    numbers = [int(word, 0) for word in statement.line[statement.rest_start : statement.end].split(b",")]
    bits = 8 * size
    if min(numbers) < -(1 << (bits - 1)) or max(numbers) >> bits:
        return None
    return b"".join([(number & ((1 << bits) - 1)).to_bytes(size, "little") for number in numbers])


def _has_no_value(out: Emitter, node: nodes.Node, value: expressions.Value, size: int) -> bool:
    """Whether neither the assembler nor the linker can give `value`, that of `node`, in a field of `size` bytes."""
    if not isinstance(value, expressions.Unresolved) or not value.message or value.unknown:
        return False
    if not 0 < size < _OCTA_SIZE:
        return True
    return not expressions.is_relative(node, out.symbols.lookup, out.section)


def _integer(out: Emitter, statement: Statement, node: nodes.Node, value: int, place: tuple[int, int]) -> bytes:
    """The bytes of a number, whose columns are `place`, after a report if it does not fit."""
    size = DIRECTIVES[statement.word].size
    if size == 16 and not isinstance(node, nodes.Integer):
        message = "`.octa` takes plain numbers only"
        out.reporter.problem("invalid-expression", node.start, node.end, message)
    if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size) and size < 8:
        message = f"{value} does not fit in the {8 * size} bits of `{statement.name}`"
        out.reporter.problem("immediate-out-of-range", *place, message)
    wide = node.value if isinstance(node, nodes.Integer) else value
    if isinstance(node, nodes.Integer) and size <= 8 and wide >> 64:
        out.reporter.problem("immediate-out-of-range", *place, f"{wide} does not fit in 64 bits")
    return (wide & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _late_leb(out: Emitter, statement: Statement, node: nodes.Node) -> None:
    """A number in LEB128 whose value, and thus size, depends on the layout."""
    out.grow()
    kind: FixupKind = "sleb128" if statement.word == ".sleb128" else "uleb128"
    out.data(statement, b"\0", (Fixup(kind, 0, out.symbols.bound(node), node.start, node.end),))
    out.new_piece(Piece(out.section))


def _floats(out: Emitter, statement: Statement) -> None:
    size = DIRECTIVES[statement.word].size
    data = bytearray()
    for start, end in split_arguments(statement):
        text = statement.line[start:end].strip().decode("utf-8", "replace")
        encoded = float_bytes(text, size)
        if encoded is not None:
            data += encoded
        else:
            out.reporter.problem(
                "invalid-expression", start, end, f"`{text}` is not a {8 * size}-bit floating-point number"
            )
    out.data(statement, bytes(data))


def _strings(out: Emitter, statement: Statement) -> None:
    data = bytearray()
    for start, end in split_arguments(statement):
        ends_with_zero = statement.word in WITH_ZERO
        strings = operands.strings_in(statement.line[start:end])
        if not strings or (ends_with_zero and len(strings) > 1):
            out.reporter.problem(
                "malformed-directive",
                start,
                end,
                f"`{statement.name}` takes strings in quotes, separated by commas",
            )
            continue
        for string in strings:
            if wrong := operands.bad_escape(string):
                out.reporter.problem("malformed-directive", start, end, wrong)
            data += operands.unescape(string) + (b"\0" if ends_with_zero else b"")
    out.data(statement, bytes(data))


def _base64(out: Emitter, statement: Statement) -> None:
    data = bytearray()
    for start, end in split_arguments(statement):
        try:
            decoded = base64.b64decode(operands.unescape(statement.line[start:end]), validate=True)
        except ValueError:
            decoded = b""
        if not decoded or statement.line[start : start + 1] != b'"':
            message = "`.base64` takes Base64 strings of at least one byte"
            out.reporter.problem("malformed-directive", start, end, message)
        data += decoded
    out.data(statement, bytes(data))


def _repeated(out: Emitter, statement: Statement) -> None:
    """`.dcb` and `.ds`: a value or zeros, repeated."""
    word, arguments = statement.word, split_arguments(statement)
    row = DIRECTIVES[word]
    is_zero = row.family is Family.REPEATED_ZEROS
    if len(arguments) != 2 - is_zero:
        form = "a count" if is_zero else "a count and a value"
        message = f"`{statement.name}` takes {form}"
        out.reporter.whole("malformed-directive", statement, message)
        return
    count = out.symbols.absolute(statement, *arguments[0])
    one = bytes(row.size) if is_zero else _repeated_value(out, statement, arguments[1])
    if one is None or count is None or count < 0:  # LLVM warns of a negative count
        return
    if sane_size(out, count * len(one), statement, arguments[0]):
        out.data(statement, one * count)


def _repeated_value(out: Emitter, statement: Statement, where: tuple[int, int]) -> "bytes | None":
    start, end = where
    row = DIRECTIVES[statement.word]
    size = row.size
    if row.family is Family.REPEATED_FLOATS:
        text = statement.line[start:end].decode("utf-8", "replace")
        encoded = float_bytes(text, size)
        if encoded is None:
            message = f"`{text}` is not a {8 * size}-bit floating-point number"
            out.reporter.problem("invalid-expression", start, end, message)
        return encoded
    value = out.symbols.absolute(statement, start, end)
    if value is None:
        return None
    if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
        message = f"{value} does not fit in the {8 * size} bits of `{statement.name}`"
        out.reporter.problem("immediate-out-of-range", start, end, message)
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _fill(out: Emitter, statement: Statement) -> None:
    arguments = split_arguments(statement)
    if not 1 <= len(arguments) <= 3:
        out.reporter.whole("malformed-directive", statement, "`.fill` takes a count, a size and a value")
        return
    numbers = [out.symbols.absolute(statement, start, end) for start, end in arguments]
    if None in numbers:
        return
    count, size, value = (number for number in ([*numbers, None, None])[:3])
    assert count is not None
    size = 1 if size is None else min(size, 8)
    if size >= 0 and count >= 0 and sane_size(out, count * size, statement, arguments[0]):
        # Only the low four bytes of the value are used, whatever the size (LLVM and GNU alike).
        pattern = ((value or 0) & 0xFFFF_FFFF).to_bytes(8, "little")[:size]
        out.data(statement, pattern * count)


def _has_labels(out: Emitter, node: nodes.Node) -> bool:
    """Whether a value depends on the places of labels, since branches between them may still grow."""
    return any(name not in out.symbols.values for name in expressions.names_in(node))


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    **dict.fromkeys(words(Family.INTEGERS), _integers),
    **dict.fromkeys(words(Family.FLOATS), _floats),
    **dict.fromkeys(words(Family.STRINGS), _strings),
    **dict.fromkeys(words(Family.REPEATED_INTEGERS), _repeated),
    **dict.fromkeys(words(Family.REPEATED_FLOATS), _repeated),
    **dict.fromkeys(words(Family.REPEATED_ZEROS), _repeated),
    ".base64": _base64,
    ".fill": _fill,
}
