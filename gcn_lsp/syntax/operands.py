"""Reads operands and expressions out of the grammar's trees.

Commas between instruction operands are optional in LLVM and are skipped. Nothing raises: text that is not an operand
becomes a `nodes.Malformed` that says what was expected, and reading continues after the next comma (`flawed`).
"""

import math
import re
from collections.abc import Callable, Iterator
from itertools import islice

import tree_sitter

from gcn_lsp.flow.kept import ByValue
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import expressions, flawed, language, nodes

_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b'"': b'"', b"\\": b"\\"}
_STRING_LITERAL = regex(rb'"(?:\\.|[^"\\])*"', re.DOTALL)
_ESCAPE = regex(rb"\\([0-7]{1,3}|[xX][0-9a-fA-F]+|.)", re.DOTALL)
# No line of a kernel comes near this many bytes of arguments.
_MAX_LENGTH = 1 << 16
# Shorter text cannot nest deep enough for its reading to recurse too far.
_SHORT = 128
# No value of the assembler has more digits; a longer number is out of any range.
_MAX_DIGITS = 80

_SIGNS = frozenset("+-")
_DIGITS = frozenset("0123456789")
# After a number a new word begins, except in `2D`, a value of `dim`.
_NUMBER = regex(rb"0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+")
_NOT_ASCII = regex(rb"[^ -~]+")
_WORD_STARTS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$?@\\")
# How often reading starts again after text that starts no token.
_RESTARTS = 20

# The text before operands that are parsed on their own, and before an expression: after the comma of a directive
# nothing else can follow.
_MNEMONIC = b"_ "
_PREFIX = b".,"

_expressions: ByValue[tuple[bytes, int, int], nodes.Node] = ByValue(50_000)


class _Unreadable(Exception):
    """The tree has an error, or the text is not an operand of an instruction."""


def read(node: "tree_sitter.Node | None", line: bytes, start: int, end: int) -> tuple[nodes.Node, ...]:
    """The instruction operands in bytes `start` to `end` of `line`; `node` is the statement in the line's tree."""
    kind = node.kind_id if node is not None else None
    if node is None or kind not in (_INSTRUCTION, _DUAL_INSTRUCTION) or end - start > _SHORT:
        return parse(line, start, end)
    text = line.decode("latin-1")  # one byte for each character
    try:
        if kind == _INSTRUCTION:
            return tuple([_operand(child, text, 0) for child in node.named_children[1:]])
        return tuple(_dual(node, text))
    except _Unreadable:
        pass
    return tuple(_flawed(line, start, end))


def parse(line: bytes, start: int, end: int) -> tuple[nodes.Node, ...]:
    """The instruction operands in bytes `start` to `end` of `line`."""
    if end - start > _MAX_LENGTH:
        return (nodes.Malformed(start, end, f"the operands have more than {_MAX_LENGTH} bytes"),)
    if end - start <= _SHORT:
        try:
            return _slice(line, start, end)
        except _Unreadable:
            pass
    return tuple(_flawed(line, start, end))


def parse_expression(line: bytes, start: int, end: int, statement: "tree_sitter.Node | None" = None) -> nodes.Node:
    """The one expression in bytes `start` to `end` of `line`; anything after it makes it a `Malformed`.

    statement: the one in the line's tree that has it, which saves parsing it again.
    """
    key = (line, start, end)
    node = _expressions.get(key)
    if node is None:
        node = _expressions.keep(key, _parse_expression(line, start, end, statement))
    return node


def _parse_expression(line: bytes, start: int, end: int, statement: "tree_sitter.Node | None") -> nodes.Node:
    if end - start > _MAX_LENGTH:
        return nodes.Malformed(start, end, f"the expression has more than {_MAX_LENGTH} bytes")
    if end - start <= _SHORT:
        try:
            return (_part(statement, line, start, end) if statement is not None else None) or _slice_expression(
                line, start, end
            )
        except _Unreadable:
            pass
    tokens = _tokens(line, start, end)
    if tokens[0].kind == flawed.END:
        return nodes.Malformed(start, end, "an expression is missing here")
    found, following = flawed.expression(tokens)
    if not isinstance(found, flawed.Stretch):
        return found
    if following.kind != flawed.END:
        return nodes.Malformed(following.start, end, f"unexpected `{following.text}` after the expression")
    return _checked(_slice_expression, line, found)


def parse_expression_prefix(line: bytes, start: int, end: int) -> tuple[nodes.Node, int]:
    """The expression at byte `start` and the byte where it ends: for arguments that blanks separate."""
    tokens = _tokens(line, start, end)
    if tokens[0].kind == flawed.END:
        return nodes.Malformed(start, end, "an expression is missing here"), end
    found, following = flawed.expression(tokens)
    node = _checked(_slice_expression, line, found) if isinstance(found, flawed.Stretch) else found
    return node, following.start


def _flawed(line: bytes, start: int, end: int) -> Iterator[nodes.Node]:
    """The operands one by one, with an error in place of each that has one."""
    for found in flawed.operands(_tokens(line, start, end)):
        yield _checked(_one, line, found) if isinstance(found, flawed.Stretch) else found


def _checked(reader: Callable[[bytes, int, int], nodes.Node], line: bytes, found: flawed.Stretch) -> nodes.Node:
    """What `reader` finds in a stretch of text that should have no flaw."""
    try:
        return reader(line, found.start, found.end)
    except _Unreadable:
        text = line[found.start : found.end].decode("utf-8", "replace")
        return nodes.Malformed(found.start, found.end, f"unexpected `{text}`")


def _one(line: bytes, start: int, end: int) -> nodes.Node:
    found = _slice(line, start, end)
    if len(found) != 1:
        raise _Unreadable
    return found[0]


def _slice(line: bytes, start: int, end: int) -> tuple[nodes.Node, ...]:
    """The operands in bytes `start` to `end`."""
    source = _MNEMONIC + line[start:end]
    root = language.root(source)
    (statement, *others) = root.named_children
    if root.has_error or others or statement.kind_id != _INSTRUCTION:
        raise _Unreadable
    text, shift = source.decode("latin-1"), start - len(_MNEMONIC)
    return tuple([_operand(node, text, shift) for node in statement.named_children[1:]])


def _part(statement: tree_sitter.Node, line: bytes, start: int, end: int) -> "nodes.Node | None":
    """The expression in bytes `start` to `end`, from the tree of its statement; None if that has it not as a whole."""
    text = line[start:end]
    first, last = end - len(text.lstrip(_BLANK)), start + len(text.rstrip(_BLANK))
    for node in statement.named_children:
        if node.start_byte == first and node.end_byte == last:
            return _expression(node, line.decode("latin-1"), 0)
    return None


def _slice_expression(line: bytes, start: int, end: int) -> nodes.Node:
    """The one expression in bytes `start` to `end`."""
    source = _PREFIX + line[start:end]
    root = language.root(source)
    (statement, *others) = root.named_children
    if root.has_error or others or statement.kind_id != _DIRECTIVE or statement.child_count != 3:
        raise _Unreadable
    return _expression(statement.named_children[-1], source.decode("latin-1"), start - len(_PREFIX))


def _tokens(line: bytes, start: int, end: int) -> list[flawed.Token]:
    """The tokens in bytes `start` to `end`, and two ENDs after them."""
    found: list[flawed.Token] = []
    position, restarts = start, 0
    while position < end:
        begun, position = position, end
        shift = begun - len(_PREFIX)
        for node in islice(language.tokens(language.root(_PREFIX + line[begun:end])), 2, None):
            at, stop, kind = node.start_byte + shift, node.end_byte + shift, node.kind_id
            if kind in _NO_TOKENS and restarts < _RESTARTS:  # continue after the character that starts no token
                match = _NOT_ASCII.match(line, at, end)
                position = match.end() if match is not None else at + (at == begun or kind != _SKIPPED)
                restarts += 1
                if position > at:
                    found.append(_token(line, at, position, kind))
                break
            if kind == _IDENTIFIER and (number := _NUMBER.match(line, at, stop)) and not _is_dimension(found):
                found.append(_token(line, at, number.end(), _INTEGER))
                at = number.end()
                if at == stop:
                    continue
            if line[at] not in _BLANK:
                _append(found, _token(line, at, stop, kind))
    return [*found, *((flawed.Token(flawed.END, end, end, ""),) * 2)]


def _is_dimension(found: list[flawed.Token]) -> bool:
    return len(found) > 1 and found[-1].text == ":" and found[-2].text.endswith("dim")


def _append(found: list[flawed.Token], token: flawed.Token) -> None:
    """Add `token`, as part of the word before it if it continues one: `@name`, `\\a\\b`, `\\a\\()b`."""
    if found and token.kind in (flawed.WORD, flawed.INTEGER):
        last = found[-1]
        is_first = len(found) == 1 or found[-2].text == ","
        if last.end == token.start and (
            (last.text == "@" and is_first)
            or (last.kind == flawed.WORD and ("\\" in last.text or token.text[0] == "\\"))
        ):
            found[-1] = flawed.Token(flawed.WORD, last.start, token.end, last.text + token.text)
            return
    found.append(token)


def _token(line: bytes, start: int, end: int, kind: int) -> flawed.Token:
    text = line[start:end].decode("utf-8", "replace")
    sort = _SORTS.get(kind, flawed.OTHER)
    if sort == flawed.OTHER and line[start] in _WORD_STARTS and text != "@":
        sort = flawed.WORD
    elif kind == _ANGLE_STRING:
        text = "<"
    return flawed.Token(sort, start, end, text)


# Reads nodes of the tree: `text` is what was parsed, a byte a character; `shift` turns its columns into the line's.

_Reader = Callable[[tree_sitter.Node, str, int], nodes.Node]


def _dual(node: tree_sitter.Node, text: str) -> Iterator[nodes.Node]:
    first, second = node.named_children
    yield from [_operand(child, text, 0) for child in first.named_children[1:]]
    name, *others = second.named_children
    start, end = name.start_byte, name.end_byte
    yield nodes.DualIssue(text.index("::", first.end_byte), end, text[start:end], start)
    yield from [_operand(child, text, 0) for child in others]


def _operand(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    found = _READERS[node.kind_id](node, text, shift)
    if type(found) is nodes.Binary:
        first: nodes.Node = found
        while isinstance(first, nodes.Binary):
            first = first.left
        if isinstance(first, nodes.Unary) and first.op == "-":
            first = first.operand
        if isinstance(first, (nodes.Float, nodes.Absolute, nodes.Bracket)):  # two operands, the second with a sign
            raise _Unreadable
    return found


def _expression(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    kind = node.kind_id
    if kind in _NO_EXPRESSIONS:
        raise _Unreadable
    return _READERS[kind](node, text, shift)


def _within(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    """A part of an expression, in which only functions of expressions are called."""
    found = _expression(node, text, shift)
    if type(found) is nodes.Call and found.name not in expressions.FUNCTIONS:
        raise _Unreadable
    return found


def _refuse(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    raise _Unreadable


def _name(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    name = text[start:end]
    if name[0] in _DIGITS and "\\" not in name:
        raise _Unreadable
    return nodes.Name(start + shift, end + shift, name)


def _integer(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    number = text[start:end]
    return nodes.Integer(
        start + shift,
        end + shift,
        int(number) if number[0] != "0" and number.isdigit() and end - start < _MAX_DIGITS else _value(number),
    )


def _value(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        return 1 << 256
    text = text.rstrip("ULul")
    prefix = text[:2].lower()
    if prefix == "0x":
        return int(text[2:], 16)
    if prefix == "0b":
        return int(text[2:], 2)
    if text[0] == "0" and len(text) > 1:
        if flawed.NO_OCTAL.match(text):
            raise _Unreadable
        return int(text, 8)
    return int(text)


def _float(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    if text[end : end + 1] in _SIGNS:
        raise _Unreadable
    number = text[start:end]
    try:
        value = float.fromhex(number) if number[:2] in ("0x", "0X") else float(number.rstrip("eE+-"))
    except OverflowError:
        value = math.inf
    except ValueError:  # `0xp1` has no digits
        raise _Unreadable from None
    return nodes.Float(start + shift, end + shift, value)


def _local_label(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    return nodes.LocalLabel(start + shift, end + shift, int(text[start : end - 1]), text[end - 1] == "f")


def _string(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    if node.children[-1].kind_id == _MISSING:
        raise _Unreadable
    return nodes.String(start + shift, end + shift, unescape(text[start:end].encode("latin-1")))


def _character(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    value = unescape(text[start:end].encode("latin-1"))
    if len(value) != 1:
        raise _Unreadable
    return nodes.Integer(start + shift, end + shift, value[0])


def _register(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    base, first, *last = node.named_children
    if len(last) > 1:  # text that is missing at the end
        raise _Unreadable
    return nodes.Index(
        node.start_byte + shift,
        node.end_byte + shift,
        text[base.start_byte : base.end_byte],
        _within(first, text, shift),
        _within(last[0], text, shift) if last else None,
    )


def _list(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    items = tuple([_operand(item, text, shift) for item in node.named_children])
    return nodes.Bracket(node.start_byte + shift, node.end_byte + shift, items)


def _call(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    function, *arguments = node.named_children
    start, end = function.start_byte, function.end_byte
    name = text[start:end]
    if text[end] != "(" and flawed.REGISTER.fullmatch(name):
        raise _Unreadable  # a register followed by an expression in parentheses
    read = tuple([_operand(argument, text, shift) for argument in arguments])
    return nodes.Call(start + shift, node.end_byte + shift, name, read)


def _absolute(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    operand, *missing = node.named_children
    if missing:
        raise _Unreadable
    return nodes.Absolute(
        node.start_byte + shift, node.end_byte + shift, _READERS[operand.kind_id](operand, text, shift)
    )


def _parenthesized(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    inner = node.named_children
    if len(inner) != 1:
        raise _Unreadable
    return _expression(inner[0], text, shift)


def _unary(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    (inner,) = node.named_children
    operand = _READERS[inner.kind_id](inner, text, shift)
    start = node.start_byte
    return nodes.Unary(start + shift, operand.end, text[start], operand)


def _binary(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    # The tree of a chain leans to the left, and is as deep as the chain is long.
    chain = []
    while node.kind_id == _BINARY:
        left, right = node.named_children
        chain.append((left.end_byte, right))
        node = left
    found = _expression(node, text, shift)
    for end, right in reversed(chain):
        operator = text[end : right.start_byte].strip(_TEXT_BLANK)
        operand = (_expression if operator in flawed.LISTING else _within)(right, text, shift)
        found = nodes.Binary(found.start, operand.end, operator, found, operand)
    return found


def _modifier(node: tree_sitter.Node, text: str, shift: int) -> nodes.Modifier:
    name, inner = node.named_children
    start, end = name.start_byte, name.end_byte
    word = text[start:end]
    if word[0] in _DIGITS:
        raise _Unreadable
    if word.endswith("dim") and inner.kind_id == _IDENTIFIER:
        value_start, value_end = inner.start_byte, inner.end_byte
        value: nodes.Node = nodes.Name(value_start + shift, value_end + shift, text[value_start:value_end])
    else:
        value = _READERS[inner.kind_id](inner, text, shift)
        if type(value) is nodes.Structure:
            raise _Unreadable
    return nodes.Modifier(start + shift, value.end, word, end + shift, value)


def _structure(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    children = node.named_children
    if any(child.kind_id != _MODIFIER for child in children):
        raise _Unreadable
    fields = tuple([_modifier(child, text, shift) for child in children])
    return nodes.Structure(node.start_byte + shift, node.end_byte + shift, fields)


def _tag(node: tree_sitter.Node, text: str, shift: int) -> nodes.Node:
    start, end = node.start_byte, node.end_byte
    if text[start] != "@":
        raise _Unreadable
    return nodes.Name(start + shift, end + shift, text[start:end])


_BLANK = b" \t\f\v\0"
_TEXT_BLANK = " \t\f\v\0"
_COMMENT = language.kind("comment")
_INSTRUCTION = language.kind("instruction")
_DUAL_INSTRUCTION = language.kind("dual_instruction")
_DIRECTIVE = language.kind("directive")
_INTEGER = language.kind("integer")
_IDENTIFIER = language.kind("identifier")
_MISSING = language.kind("missing")
_SKIPPED = language.kind("skipped_line")
# `line` has no comments any more: this `#` starts none.
_NO_TOKENS = (_SKIPPED, _COMMENT, language.ERROR)
_BINARY = language.kind("binary_expression")
_MODIFIER = language.kind("modifier")
_ANGLE_STRING = language.kind("angle_string")
_NO_EXPRESSIONS = frozenset(map(language.kind, ("list", "modifier", "structure")))


_NODES: dict[str, _Reader] = {
    "identifier": _name,
    "pasted": _name,
    "macro_argument": _name,
    "integer": _integer,
    "float": _float,
    "local_label_reference": _local_label,
    "string": _string,
    "character": _character,
    "register": _register,
    "list": _list,
    "call": _call,
    "absolute_value": _absolute,
    "parenthesized": _parenthesized,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "modifier": _modifier,
    "structure": _structure,
    "tag": _tag,
}
_READERS: dict[int, _Reader] = dict.fromkeys(range(language.LANGUAGE.node_kind_count), _refuse)
_READERS.update((language.kind(name), reader) for name, reader in _NODES.items())
_SORTS = {
    **{language.kind(name): flawed.WORD for name in ("identifier", "pasted", "macro_argument")},
    **{language.kind(name): flawed.ATOM for name in ("local_label_reference", "string", "character")},
    language.kind("integer"): flawed.INTEGER,
    language.kind("float"): flawed.FLOAT,
}


def strings_in(text: bytes) -> list[bytes]:
    """The string literals in `text`, quotes included; none if it contains anything else."""
    found = _STRING_LITERAL.findall(text)
    return found if not _STRING_LITERAL.sub(b"", text).strip() else []


def bad_escape(quoted: bytes) -> str:
    """What is wrong with an escape in a string literal; empty if nothing is."""
    for match in _ESCAPE.finditer(quoted[1:-1]):
        code: bytes = match.group(1)
        text = match.group().decode("utf-8", "replace")
        if code[:1].isdigit():
            if code[:1] in b"89":
                return f"`{text}` is not an escape sequence"
            if int(code, 8) > 255:
                return f"`{text}` does not fit in a byte; the largest is `\\377`"
        elif code in (b"x", b"X"):
            return f"`{text}` needs hexadecimal digits"
        elif len(code) == 1 and code not in _ESCAPES:
            return f"`{text}` is not an escape sequence"
    return ""


def unescape(quoted: bytes) -> bytes:
    """The bytes that a string literal, given with its quotes, denotes."""
    inner = quoted[1:-1]
    return _ESCAPE.sub(_escaped, inner) if b"\\" in inner else inner


def _escaped(match: re.Match[bytes]) -> bytes:
    code: bytes = match.group(1)
    if code[:1] in b"xX" and len(code) > 1:
        return bytes((int(code[1:], 16) & 0xFF,))
    if code[:1].isdigit():
        return bytes((int(code, 8) & 0xFF,)) if all(digit in b"01234567" for digit in code) else code
    return _ESCAPES.get(code, code)
