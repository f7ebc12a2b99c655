"""Reads the inline assembly of Python programs that generate code: calls of `inline_asm` with LLVM's constraints.

The template is a string or several, also formatted ones: what is inserted into one counts as a constant that only the
build knows, and nothing is reported unless that is possible.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

import tree_sitter

from gcn_lsp.views.c import literals
from gcn_lsp.views.inline import constraints
from gcn_lsp.views.inline.statement import Clobber, Span, Statement, StatementOperand, TemplatePiece, literal_pieces

_CALL = re.compile(rb"\binline_asm\w*\s*\(")
_TOKEN = re.compile(
    rb"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|\#[^\n]*|[()\[\]{}]",
    re.DOTALL,
)
_TEMPLATE, _CONSTRAINTS, _OPERANDS = ("asm_string", "asm"), ("constraints",), ("operands_", "operands", "args")
_CONSTRAINT = re.compile(r"[^,{}]*(?:\{[^{}]*\}[^,{}]*)*")
_LONGEST = 64 * 1024
_STRINGS = frozenset(("string", "concatenated_string", "binary_operator", "parenthesized_expression"))

Node = tree_sitter.Node


def statements(data: bytes) -> tuple[Statement, ...]:
    """The inline assembly statements of a program, in order."""
    lines = [0, *(end.end() for end in re.finditer(rb"\r\n|\n|\r", data))]
    return tuple(found for call in _CALL.finditer(data) if (found := _read(data, lines, call)) is not None)


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_python  # late: few files need it

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


def _read(data: bytes, lines: list[int], call: "re.Match[bytes]") -> Statement | None:
    line_start = data.rfind(b"\n", 0, call.start()) + 1
    before = data[line_start : call.start()].strip()
    if before.startswith((b"#", b"def ")):
        return None
    end = _end(data, call.end())
    if end is None:
        return None
    return _CallReader(data, lines, call.start(), data[call.start() : end]).statement()


def _end(data: bytes, at: int) -> int | None:
    """The byte after the parenthesis that closes the one before `at`."""
    depth = 1
    for token in _TOKEN.finditer(data, at, at + _LONGEST):
        if token[0] in b"([{":
            depth += 1
        elif token[0] in b")]}":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _given(arguments: Node) -> tuple[Node | None, Node | None, Node | None]:
    """The template, the constraints and the operands of a call: by their names, or else by their order."""
    named: dict[str, Node] = {}
    texts: list[Node] = []
    lists: list[Node] = []
    for child in arguments.named_children:
        if child.type == "keyword_argument":
            name, given = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and given is not None:
                named[(name.text or b"").decode()] = given
        elif _is_text(child):
            texts.append(child)
        elif child.type == "list":
            lists.append(child)
    template = _first(named, _TEMPLATE) or (texts.pop(0) if texts else None)
    constraint = _first(named, _CONSTRAINTS) or (texts.pop(0) if texts else None)
    return template, constraint, _first(named, _OPERANDS) or (lists[0] if lists else None)


class _CallReader:
    """Reads one call."""

    def __init__(self, data: bytes, lines: list[int], start: int, text: bytes) -> None:
        self.data = data
        self.lines = lines
        self.start = start
        self.text = text
        self.inserted: list[tuple[str, Span]] = []

    def statement(self) -> Statement | None:
        """The statement; None if the call has no template that is written out."""
        root = _parser().parse(self.text).root_node
        call = _first_call(root)
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if arguments is None:
            return None
        template, constraint, operands = _given(arguments)
        if template is None or constraint is None or not _is_text(template) or not _is_text(constraint):
            return None
        declared = self.declared(constraint, operands)
        if declared is None:
            return None
        outputs, clobbers = declared
        pieces = tuple(self.pieces(template, len(outputs)))
        inserted = tuple(
            StatementOperand("i", span, expression, span, symbol=f"{{{expression}}}")
            for expression, span in self.inserted
        )
        first, last = self.span(0, len(b"inline_asm")), self.span(len(self.text) - 1, len(self.text))
        return Statement("llvm", pieces, (*outputs, *inserted), clobbers, first, last, inserted=len(inserted))

    def declared(
        self, node: Node, expressions: Node | None
    ) -> tuple[tuple[StatementOperand, ...], tuple[Clobber, ...]] | None:
        """The operands and clobbers of the string of constraints; None if only the build knows it."""
        pieces = list(self.pieces(node, 0))
        if self.inserted or not all(piece.exact for piece in pieces):
            self.inserted.clear()
            return None
        inputs = [child for child in expressions.named_children if child.type != "comment"] if expressions else []
        found: list[StatementOperand] = []
        clobbers: list[Clobber] = []
        given = 0
        for piece in pieces:
            at = 0
            text = piece.text.decode("utf-8", "replace")
            while at < len(text):
                part = _CONSTRAINT.match(text, at)
                written = part[0] if part is not None else ""
                span = Span(piece.span.line, piece.span.start + at, piece.span.start + at + len(written))
                at += len(written) + 1
                if written.startswith("~"):
                    name = written[1:].strip("{}")
                    clobbers.append(Clobber(name, Span(span.line, span.start + 2, span.end - 1)))
                elif written:
                    read = constraints.read(written)
                    value = None
                    if not read.is_output and given < len(inputs):
                        value = inputs[given]
                        given += 1
                    found.append(self.operand(written, span, value, is_output=read.is_output))
        return tuple(found), tuple(clobbers)

    def operand(self, constraint: str, span: Span, node: Node | None, *, is_output: bool) -> StatementOperand:
        """An operand; its expression is not known for an output, which is the result of the call."""
        if node is None:
            return StatementOperand(constraint, span, "", span, is_output=is_output)
        expression = (node.text or b"").decode("utf-8", "replace")
        place = self.span(node.start_byte, node.end_byte)
        symbol = expression if constraints.read(constraint).immediates else ""
        return StatementOperand(
            constraint, span, " ".join(expression.split()), place, is_output=is_output, symbol=symbol
        )

    def pieces(self, node: Node, first: int) -> Iterator[TemplatePiece]:
        """The pieces of a text. first: the number of the first operand that stands for something inserted."""
        if node.type == "string":
            yield from self.string(node, first)
            return
        for child in node.named_children:
            if child.type in _STRINGS:
                yield from self.pieces(child, first)
            elif child.type != "comment":
                yield TemplatePiece(b"", self.span(child.start_byte, child.end_byte), False, False)

    def string(self, node: Node, first: int) -> Iterator[TemplatePiece]:
        """The pieces of one literal."""
        prefix = (node.children[0].text or b"").lower()
        is_raw, is_formatted = b"r" in prefix, b"f" in prefix
        for child in node.children[1:-1]:
            if child.type == "interpolation":
                span = self.span(child.start_byte, child.end_byte)
                expression = (child.text or b"").decode("utf-8", "replace")[1:-1].partition(":")[0].strip()
                number = first + len(self.inserted)
                self.inserted.append((expression, span))
                yield TemplatePiece(b"${%d}" % number, span, exact=False)
            else:
                yield from self.content(child.text or b"", child.start_byte, is_raw=is_raw, is_formatted=is_formatted)

    def content(self, text: bytes, start: int, *, is_raw: bool, is_formatted: bool) -> Iterator[TemplatePiece]:
        """The pieces of what is between quotes."""
        at = 0
        for part in re.split(rb"(\{\{|\}\})" if is_formatted else rb"(?!)", text):
            line, column = self.place(start + at)
            if is_formatted and part in (b"{{", b"}}"):
                yield TemplatePiece(part[:1], Span(line, column, column + 2), exact=False)
            elif part:
                yield from literal_pieces(literals.content(part, line, column, is_raw=is_raw))
            at += len(part)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte of the call."""
        line = bisect_right(self.lines, self.start + offset) - 1
        return line, self.start + offset - self.lines[line]

    def span(self, start: int, end: int) -> Span:
        """The place of the first line of some bytes of the call."""
        line, column = self.place(start)
        return Span(line, column, column + len(self.text[start:end].partition(b"\n")[0]))


def _first_call(root: Node) -> Node | None:
    """The call that is all of a text."""
    for statement in root.named_children[:1]:
        for node in statement.named_children[:1]:
            return node if node.type == "call" else None
    return None


def _is_text(node: Node) -> bool:
    """Whether a node is made of literals."""
    if node.type == "string":
        return True
    return node.type in _STRINGS and all(_is_text(child) for child in node.named_children if child.type != "comment")


def _first(named: dict[str, Node], names: tuple[str, ...]) -> Node | None:
    return next((named[name] for name in names if name in named), None)
