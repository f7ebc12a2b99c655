"""The kind of each word of a file, for colours: kinds of registers and instructions that no grammar can distinguish.

The editor's grammar colours comments, strings and numbers. The tokens of a line are found once for each distinct line,
those of a chunk once for each chunk, so an edit costs only what it changes.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.flow.kept import latest
from gcn_lsp.ide.reading import cursors
from gcn_lsp.ide.reading.instruction_class import instruction_class
from gcn_lsp.ide.token_types import LEGEND
from gcn_lsp.instruction import assembler
from gcn_lsp.isa.operands import reserved_words
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.directives import DIRECTIVES
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.names import statement_names
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import PositionEncoding, byte_to_column

if TYPE_CHECKING:
    from gcn_lsp import isa
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program

_NUMBERS = {name: number for number, name in enumerate(LEGEND)}
_FILES = {
    "s": "scalarRegister", "ttmp": "scalarRegister", "v": "vectorRegister", "a": "accumulatorRegister",
    "acc": "accumulatorRegister",
}  # fmt: skip

# Bytes `start` to `end` of a line, and the type.
_Token = tuple[int, int, str]


class ChunkTokens(msgspec.Struct, frozen=True, gc=False):
    """The tokens of a chunk as in the protocol: five numbers each, lines and columns relative to the token before.

    The first token's line counts from the chunk's first (`before`, which its first number repeats); `after` is the
    number of lines from the last token's line to the end of the chunk. Without tokens `before` is the chunk's lines.
    """

    data: tuple[int, ...]
    before: int
    after: int


class Tokens(msgspec.Struct, frozen=True):
    """The tokens of a version of a file: pieces, and the distance of each one's first token from the one before."""

    pieces: tuple[ChunkTokens, ...]
    distances: tuple[int, ...]

    def numbers(self, first: int = 0, last: "int | None" = None) -> list[int]:
        """The numbers of pieces `first` up to, but not including, `last`."""
        found: list[int] = []
        for piece, distance in zip(self.pieces[first:last], self.distances[first:last], strict=True):
            if piece.data:
                found.append(distance)
                found += piece.data[1:]
        return found


class Change(msgspec.Struct, frozen=True):
    """Numbers `start` to `start + removed` of the earlier tokens become `data`."""

    start: int
    removed: int
    data: list[int]


def semantic_tokens(program: "Program", encoding: PositionEncoding) -> Tokens:
    """The tokens of the main file; columns count in units of `encoding`."""
    pieces = tuple(_piece(chunk, (program.target, encoding)) for chunk in program.chunks)
    distances = []
    lines = 0  # from the line of the last token, or from the start of the file
    for piece in pieces:
        distances.append(lines + piece.before)
        lines = piece.after if piece.data else lines + piece.before
    return Tokens(pieces, tuple(distances))


def tokens_on(program: "Program", first: int, last: int, encoding: PositionEncoding) -> list[int]:
    """The tokens of lines `first` to `last` (inclusive), as numbers."""
    found: list[int] = []
    line = 0
    first, last = max(first, 0), min(last, len(program.source.lines) - 1)
    for number in range(program.chunk_at(first), program.chunk_at(last) + 1):
        chunk, base = program.chunks[number], program.bases[number]
        for in_chunk in range(max(first - base, 0), min(last - base + 1, len(chunk.lines))):
            for tokens in _encoded_line(chunk, in_chunk, program.target, encoding):
                found += (base + in_chunk - line, *tokens)
                line = base + in_chunk
    return found


def tokens_of_text(lines: Iterable[str], target: "isa.Target | None", encoding: PositionEncoding) -> list[int]:
    """The tokens, as numbers, of lines that are no document: without macros and comments over several lines."""
    found: list[int] = []
    line = 0
    for number, text in enumerate(lines):
        data, start = text.encode("utf-8", "surrogateescape"), 0
        for token_start, token_end, kind in line_tokens(data, False, target, False):
            first = byte_to_column(data, token_start, encoding)
            length = byte_to_column(data, token_end, encoding) - first
            found += (number - line, first - start, length, _NUMBERS[kind], 0)
            line, start = number, first
    return found


def difference(old: Tokens, new: Tokens) -> Change | None:
    """The change from `old` to `new`; None if there is none."""
    most = min(len(old.pieces), len(new.pieces))
    front = back = 0
    while front < most and _same(old, front, new, front):
        front += 1
    while back < most - front and _same(old, -1 - back, new, -1 - back):
        back += 1
    if front == len(old.pieces) == len(new.pieces):
        return None
    start = sum(len(piece.data) for piece in old.pieces[:front])
    before = old.numbers(front, len(old.pieces) - back)
    after = new.numbers(front, len(new.pieces) - back)
    same = _common(before, after)
    tail = _common(before[same:][::-1], after[same:][::-1])
    data = after[same : len(after) - tail]
    removed = len(before) - same - tail
    return Change(start + same, removed, data) if data or removed else None


def _same(old: Tokens, at: int, new: Tokens, other: int) -> bool:
    return old.pieces[at] is new.pieces[other] and old.distances[at] == new.distances[other]


def _common(one: list[int], other: list[int]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count - count % 5 if count < min(len(one), len(other)) else count


@latest
def _piece(chunk: "Chunk", key: "tuple[isa.Target | None, PositionEncoding]") -> ChunkTokens:
    """The tokens of a chunk for a target, in an encoding of columns."""
    target, encoding = key
    data: list[int] = []
    first = last = -1
    for number in range(len(chunk.lines)):
        for tokens in _encoded_line(chunk, number, target, encoding):
            if first < 0:
                first = last = number
                data.append(number)
            else:
                data.append(number - last)
                last = number
            data += tokens
    if first < 0:
        return ChunkTokens((), len(chunk.lines), 0)
    return ChunkTokens(tuple(data), first, len(chunk.lines) - last)


def _encoded_line(
    chunk: "Chunk", number: int, target: "isa.Target | None", encoding: PositionEncoding
) -> Iterator[tuple[int, int, int, int]]:
    """For each token of a line: the distance from the one before, length, type, modifiers."""
    if number in chunk.raw:
        return
    text = chunk.lines[number]
    calls = any(
        # Repetitions and includes are expanded too.
        item.kind == "expansion" and item.written.container is None and item.statement.word not in DIRECTIVES
        for item in chunk.items_on(number)
    )
    start = 0
    for token_start, token_end, kind in line_tokens(text, number in chunk.commented, target, calls):
        first = byte_to_column(text, token_start, encoding)
        yield first - start, byte_to_column(text, token_end, encoding) - first, _NUMBERS[kind], 0
        start = first


@lru_cache(maxsize=4096)
def line_tokens(text: bytes, comment_open: bool, target: "isa.Target | None", is_call: bool) -> tuple[_Token, ...]:
    """The tokens of a line in order; is_call: its command word is a macro, whatever mnemonic has that name."""
    found: list[_Token] = []
    for statement in parse_line(text, comment_open).statements:
        found += sorted(token for token in _statement(statement, target, is_call) if token[1] > token[0])
    return tuple(found)


def _statement(statement: Statement, target: "isa.Target | None", is_call: bool) -> Iterator[_Token]:
    name = statement.name_start, statement.name_end
    if statement.kind is StatementKind.LABEL:
        yield from _with_parameters(statement.line, *name, "label")
        return
    if statement.kind is StatementKind.ASSIGNMENT:
        yield (*name, "variable")
        yield from _words(statement, "variable", target)
        return
    if statement.kind is not StatementKind.COMMAND:
        return
    if statement.word.startswith(".") and not is_call:
        yield (*name, "keyword")
        yield from _directive(statement)
        return
    kind = None if is_call else instruction_class(target, statement.word)
    if kind is None:
        yield from _with_parameters(statement.line, *name, "macro")
        yield from _words(statement, "variable", target)
        return
    yield (*name, f"{kind}Instruction")
    names = "label" if kind == "branch" else "variable"
    if b"\\" in statement.rest:
        yield from _words(statement, names, target)
        return
    keywords_here = _keywords(target, statement.word)
    for operand in statement.operands:
        if isinstance(operand, nodes.Name) and operand.name in keywords_here:
            yield operand.start, operand.end, "modifier"
        else:
            yield from _operand(operand, names, target)


@lru_cache(maxsize=4096)
def _keywords(target: "isa.Target | None", word: str) -> frozenset[str]:
    """The bare words of a mnemonic's operands, except those that are registers too: `off`, `offen`, `glc`."""
    if target is None:
        return frozenset()
    found = assembler.context_of(target).candidates(word).keywords
    return frozenset(name for name in found if not cursors.is_register_name(name, target))


def _operand(node: nodes.Node, names: str, target: "isa.Target | None") -> Iterator[_Token]:
    if isinstance(node, nodes.Name):
        yield node.start, node.end, _name(node.name, names, target)
    elif isinstance(node, nodes.Index):
        kind = _FILES.get(node.base, names)
        is_plain = isinstance(node.first, nodes.Integer) and isinstance(node.last, nodes.Integer | None)
        yield node.start, node.end if is_plain else node.start + len(node.base), kind
        for part in () if is_plain else cursors.children(node):
            yield from _operand(part, "variable", target)
    elif isinstance(node, nodes.Modifier):
        yield node.start, node.name_end, "modifier"
        yield from _operand(node.value, "enumMember", target)
    elif isinstance(node, nodes.Call):
        yield node.start, node.start + len(node.name.encode()), "function"
        of_kind = names if node.name in _WRAPPERS else "enumMember"
        for argument in node.arguments:
            yield from _operand(argument, of_kind, target)
    elif isinstance(node, nodes.DualIssue):
        yield node.name_start, node.end, f"{instruction_class(target, node.name.lower()) or 'vector'}Instruction"
    else:
        for part in cursors.children(node):
            yield from _operand(part, names, target)


# Around an operand that is the same inside.
_WRAPPERS = frozenset(("neg", "abs", "sext", "lit", "lit64"))


def _name(name: str, otherwise: str, target: "isa.Target | None") -> str:
    lower = name.lower()
    if cursors.is_register_name(lower, target):
        return _FILES.get(lower.rstrip("0123456789"), "specialRegister") if lower[-1].isdigit() else "specialRegister"
    if otherwise not in ("label", "enumMember") and name in reserved_words.RESERVED:
        return "modifier"
    return otherwise


_DECLARES = {".macro": "macro", ".purgem": "macro"}
_LABELS = frozenset(
    (".globl", ".global", ".weak", ".type", ".size", ".amdhsa_kernel", ".hidden", ".protected", ".local")
)


def _directive(statement: Statement) -> Iterator[_Token]:
    line = statement.line
    if statement.word in _DECLARES:
        for index, match in enumerate(_HEADER_WORD.finditer(line, statement.rest_start, statement.end)):
            yield match.start(), match.end(), "macro" if index == 0 else "parameter"
        return
    kind = "label" if statement.word in _LABELS else "variable"
    for role, _, start, end in statement_names(statement):
        if role != "word":
            yield start, end, kind
    for match in _PARAMETER.finditer(line, statement.rest_start, statement.end):
        yield match.start(), match.end(), "parameter"


_PARAMETER = re.compile(rb"\\(?:\(\)|@|\+|[A-Za-z0-9_.$]+)")
_HEADER_WORD = re.compile(rb"(?<![=:\w.$@])[A-Za-z_.$][\w.$@]*")
_WORD = re.compile(rb'"(?:\\.|[^"\\])*"|(\\(?:\(\)|@|\+|[A-Za-z0-9_.$]+))|([A-Za-z_.$@][A-Za-z0-9_.$@]*)|[0-9]\w*')


def _words(statement: Statement, names: str, target: "isa.Target | None") -> Iterator[_Token]:
    """The words of an argument text that need not be operands: a macro's arguments, lines of its body."""
    line = statement.line
    for match in _WORD.finditer(line, statement.rest_start, statement.end):
        if match[1] is not None:
            yield match.start(), match.end(), "parameter"
        elif match[2] is not None:
            word = match[2].decode()
            following = line[match.end() : match.end() + 1]
            if following == b"[" and word in _FILES:
                yield match.start(), match.end(), _FILES[word]
            elif following == b":":
                yield match.start(), match.end(), "modifier"
            elif following == b"(":
                yield match.start(), match.end(), "function"
            else:
                yield match.start(), match.end(), _name(word, names, target)


def _with_parameters(line: bytes, start: int, end: int, kind: str) -> Iterator[_Token]:
    """A name that may be composed from macro parameters."""
    for match in _PARAMETER.finditer(line, start, end):
        yield start, match.start(), kind
        yield match.start(), match.end(), "parameter"
        start = match.end()
    yield start, end, kind
