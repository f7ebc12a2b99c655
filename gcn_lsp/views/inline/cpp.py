"""Reads the inline assembly statements of C and C++ sources, each from a syntax tree of tree-sitter's C++ grammar."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec
import tree_sitter

from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.views.c import literals
from gcn_lsp.views.c.lex import TokenKind, source_tokens
from gcn_lsp.views.inline import c_types, constants, constraints, scan
from gcn_lsp.views.inline.scan import Scanned, Snippet
from gcn_lsp.views.inline.statement import Clobber, Span, Statement, StatementOperand, TemplatePiece, literal_pieces

_BEFORE, _AFTER = b"void f(){", b";}"
_WORD = re.compile(rb"[A-Za-z_]\w*")
_IMMEDIATE = re.compile(rb'"[nisIJABCD]+"')
_DEPTH = 16  # macros within macros
_MOST = 64 * 1024  # bytes of a template

Node = tree_sitter.Node
# The text of a macro's parameter in one call, and its first byte.
Bindings = Mapping[bytes, tuple[bytes, int]]

_kept: ByTurns[object, "tuple[int, Statement | None]"] = ByTurns(1000)


def statements(data: bytes) -> "tuple[Statement, ...]":
    """The inline assembly statements of a source, in order: one for each call of a macro that completes it."""
    scanned = scan.scan(data)
    return tuple(found for snippet in scanned.snippets for found in _of(scanned, snippet))


def _of(scanned: Scanned, snippet: Snippet) -> Iterator[Statement]:
    macro = snippet.macro
    if macro is None or not macro.parameters:
        found = _read(scanned, snippet, {})
        if found is not None:
            yield found
        return
    found = _read(scanned, snippet, {})
    if found is not None and found.is_complete:
        yield found
        return
    seen = set()
    for call in scan.calls(scanned, macro):
        bindings = dict(zip(macro.parameters, call, strict=True))
        found = _read(scanned, snippet, bindings)
        if found is not None and found.is_complete and found.template not in seen:
            seen.add(found.template)
            yield found


@cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter_cpp  # late: few files need it

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def _read(scanned: Scanned, snippet: Snippet, bindings: Bindings) -> "Statement | None":
    reader = _SnippetReader(scanned, snippet, bindings)
    if bindings or snippet.macro is not None:
        return reader.statement()
    facts = reader.facts()
    key = (snippet.text, reader.column, snippet.guard, snippet.is_optional, facts)
    known = _kept.find(key)
    if known is None:
        found = reader.statement()
        _kept.keep(key, (reader.line, found))
        return found
    line, found = known
    if found is None or line == reader.line:
        return found
    found = _moved(found, reader.line - line)
    _kept.keep(key, (reader.line, found))
    return found


def _moved(statement: Statement, lines: int) -> Statement:
    """The same statement, `lines` lines further down."""

    def span(old: Span) -> Span:
        return Span(old.line + lines, old.start, old.end)

    return msgspec.structs.replace(
        statement,
        pieces=tuple(
            TemplatePiece(each.text, span(each.span), each.exact, each.known, each.raw) for each in statement.pieces
        ),
        operands=tuple(
            msgspec.structs.replace(
                each,
                constraint_span=span(each.constraint_span),
                expression_span=span(each.expression_span),
                name_span=None if each.name_span is None else span(each.name_span),
            )
            for each in statement.operands
        ),
        clobbers=tuple(Clobber(each.name, span(each.span)) for each in statement.clobbers),
        span=span(statement.span),
        last=span(statement.last),
        clobber_end=None if statement.clobber_end is None else span(statement.clobber_end),
    )


class _SnippetReader:
    """Reads one snippet."""

    def __init__(self, scanned: Scanned, snippet: Snippet, bindings: Bindings) -> None:
        self.scanned = scanned
        self.snippet = snippet
        self.bindings = bindings
        self.line, self.column = scanned.place(snippet.start)
        self.size = 0

    def facts(self) -> tuple[object, ...]:
        """What the statement depends on outside of its text: macros and constants that it names, and what is declared
        before it.
        """
        scanned = self.scanned
        words = set(_WORD.findall(self.snippet.text))
        named = scanned.macros.keys() & words
        found: list[object] = [(scanned.macros[word], self.line) for word in sorted(named)]
        if _IMMEDIATE.search(self.snippet.text):
            found += [(word, scanned.constants[word]) for word in sorted(scanned.constants.keys() & words)]
        start = self.snippet.start
        found.append(scanned.data[max(0, start - c_types.REACH) : start])
        found += sorted(scanned.types.items())
        return tuple(found)

    def statement(self) -> "Statement | None":
        """The statement; None if the text is not one."""
        tree = _parser().parse(_BEFORE + self.snippet.text + _AFTER)
        node = _first(tree.root_node, "gnu_asm_expression")
        if node is None or node.end_byte < len(_BEFORE + self.snippet.text):
            return None
        code = node.child_by_field_name("assembly_code")
        if code is None:
            return None
        operands: list[StatementOperand] = []
        clobbers: list[Clobber] = []
        labels: list[str] = []
        clobber_end = None
        sections = sum(child.type in (":", "::") for child in _leaves(node) if child.parent is not None)
        for part in node.children:
            if part.type in ("gnu_asm_output_operand_list", "gnu_asm_input_operand_list"):
                is_output = part.type == "gnu_asm_output_operand_list"
                for child in part.named_children:
                    if child.type in ("gnu_asm_output_operand", "gnu_asm_input_operand"):
                        operands.append(self.operand(child, is_output=is_output))
            elif part.type == "gnu_asm_clobber_list":
                for child in part.children_by_field_name("register"):
                    span = self.span(child)
                    clobber_end = span
                    inner = Span(span.line, span.start + 1, span.end - 1)
                    clobbers.append(Clobber(_unquoted(child.text or b""), inner))
            elif part.type == "gnu_asm_goto_list":
                labels += [(child.text or b"").decode() for child in part.children_by_field_name("label")]
        first, last = self.span(node), self._at(len(self.snippet.text) - 1)
        pieces = tuple(self.pieces(self.source(code), self.snippet.start + code.start_byte - len(_BEFORE), 0))
        return Statement(
            "gnu", pieces, tuple(operands), tuple(clobbers), first, Span(last[0], last[1], last[1] + 1), sections,
            clobber_end, tuple(labels), self.snippet.guard, ends=self.ends(), is_optional=self.snippet.is_optional,
        )  # fmt: skip

    def ends(self) -> tuple[int, ...]:
        """The ends of its lines before the last one, if no comment is among them."""
        if any(sign in self.snippet.text for sign in (b"//", b"/*")):
            return ()
        first, *others = (len(line.rstrip(b"\r")) for line in self.snippet.text.split(b"\n"))
        return (self.column + first, *others[:-1]) if others else ()

    def operand(self, node: Node, *, is_output: bool) -> StatementOperand:
        """An operand in its list."""
        constraint = node.child_by_field_name("constraint")
        value = node.child_by_field_name("value")
        symbol = node.child_by_field_name("symbol")
        text = _unquoted(self.source(constraint)) if constraint is not None else ""
        expression = self.source(value).decode("utf-8", "replace") if value is not None else ""
        type_, number, base, offset = "", None, "", 0
        if constraints.read(text).immediates:
            offset, base = constants.evaluate(expression, self.constant)
            number = None if base else offset
        if not constraints.read(text).is_immediate:
            type_ = c_types.type_of(
                expression, self.scanned.data[max(0, self.snippet.start - c_types.REACH) : self.snippet.start]
            )
        return StatementOperand(
            text,
            self.span(constraint or node),
            " ".join(expression.split()),
            self.span(value or node),
            self.source(symbol).decode() if symbol is not None else "",
            self.span(symbol) if symbol is not None else None,
            is_output,
            c_types.width(type_, self.scanned.types),
            number,
            base,
            offset,
            type_,
        )

    def constant(self, name: str) -> "int | None":
        """The value of a name, if a definition of the file says it once and for all."""
        macro = self.scanned.macros.get(name.encode())
        if macro is not None and macro.parameters is None:
            value, rest = constants.evaluate(macro.body.decode("utf-8", "replace"))
            return None if rest else value
        found = self.scanned.constants.get(name.encode())
        if not found:
            return None
        value, rest = constants.evaluate(found.decode("utf-8", "replace"))
        return None if rest else value

    def pieces(self, text: bytes, start: int, depth: int) -> Iterator[TemplatePiece]:
        """The pieces of literals and macros one after the other, the first of which begins at byte `start`."""
        for token in source_tokens(text):
            word = token.text
            at = start + token.start
            line, column = self.scanned.place(at)
            self.size += len(word)
            if token.kind is TokenKind.STRING and word.endswith(b'"'):
                yield from literal_pieces(literals.parts(word, line, column))
            elif word in (b"(", b")", b"\\"):
                continue
            else:
                yield from self._of_name(word, at, depth)
            if self.size > _MOST:
                yield TemplatePiece(b"", Span(line, column, column), False, False)
                return

    def _of_name(self, word: bytes, at: int, depth: int) -> Iterator[TemplatePiece]:
        bound = self.bindings.get(word)
        macro = self.scanned.macros.get(word)
        if depth < _DEPTH and bound is not None:
            yield from self.pieces(bound[0], bound[1], depth + 1)
        elif depth < _DEPTH and macro is not None and macro.parameters is None and macro.body.strip():
            yield from self.pieces(macro.body, macro.start, depth + 1)
        else:
            line, column = self.scanned.place(at)
            yield TemplatePiece(b"", Span(line, column, column + len(word)), False, False)

    def source(self, node: Node) -> bytes:
        """The text of a node."""
        return self.snippet.text[node.start_byte - len(_BEFORE) : node.end_byte - len(_BEFORE)]

    def span(self, node: Node) -> Span:
        """The place of the first line of a node."""
        line, column = self._at(node.start_byte - len(_BEFORE))
        length = len(self.source(node).partition(b"\n")[0].rstrip(b"\r"))
        return Span(line, column, column + length)

    def _at(self, offset: int) -> tuple[int, int]:
        return self.scanned.place(self.snippet.start + offset)


def _first(node: Node, kind: str) -> "Node | None":
    """The first node of a kind."""
    open_ = [node]
    while open_:
        each = open_.pop()
        if each.type == kind:
            return each
        open_ += reversed(each.children)
    return None


def _leaves(node: Node) -> Iterator[Node]:
    """The punctuation of a statement outside of its operands."""
    for child in node.children:
        yield child
        if child.type.endswith("_list"):
            yield from child.children


def _unquoted(text: bytes) -> str:
    """The text of a literal, or of several."""
    return b"".join(literals.text(token.text) for token in source_tokens(text)).decode("utf-8", "replace")
