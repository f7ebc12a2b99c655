"""An inline assembly statement as it is written: template, operands, clobbers, each with its place in the source."""

from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.views.c.literals import Part


class Span(msgspec.Struct, frozen=True, order=True, gc=False):
    """Bytes `start` to `end` of line `line` of the source; lines and columns count from 0."""

    line: int
    start: int
    end: int


class TemplatePiece(msgspec.Struct, frozen=True, gc=False):
    """Consecutive characters of the template.

    text: as the assembler reads them. span: where they are written. exact: whether each byte of `text` is a byte there;
    otherwise all of it stands for all of the span, as `\\n` does for a line end. known: False for what only the build
    knows, whose text is empty. raw: whether its literal has no escapes.
    """

    text: bytes
    span: Span
    exact: bool = True
    known: bool = True
    raw: bool = False


def literal_pieces(parts: Iterable[Part]) -> Iterator[TemplatePiece]:
    """The parts of a literal as pieces."""
    return (
        TemplatePiece(each.text, Span(each.line, each.start, each.end), each.exact, True, each.raw) for each in parts
    )


class StatementOperand(msgspec.Struct, frozen=True):
    """An operand.

    constraint: as written, `=&v`. expression: the C expression. name: of `%[name]`, empty for none. is_output: whether
    it is in the list of outputs. width: dwords of its type, 0 if that is not known. value: of a constant expression,
    None if that is not known. symbol, offset: a constant whose value is not known as a name and what is added to it.
    type: of the expression, as `c_types.type_of` reads it; empty if it is not known.
    """

    constraint: str
    constraint_span: Span
    expression: str
    expression_span: Span
    name: str = ""
    name_span: Span | None = None
    is_output: bool = False
    width: int = 0
    value: int | None = None
    symbol: str = ""
    offset: int = 0
    type: str = ""


class Clobber(msgspec.Struct, frozen=True):
    """A register or `memory` that the statement declares to change. span: of the text between the quotes."""

    name: str
    span: Span


class Statement(msgspec.Struct, frozen=True, dict=True):
    """An inline assembly statement.

    dialect: `gnu` (`%0`, clobbers in a list) or `llvm` (`$0`, clobbers in the string of constraints). span: of its
    first word. last: of its closing parenthesis. sections: how many colons it has. clobber_end: the end of the last
    clobber, with its quote; None if there is none. labels: names of `asm goto`. ends: the columns at which its lines
    before the last one end; none if it has comments. guard: the conditions of the
    preprocessor around it, see `conditions`. is_optional: the compiler may leave it out, as a branch of `if constexpr`.
    """

    dialect: str
    pieces: tuple[TemplatePiece, ...]
    operands: tuple[StatementOperand, ...]
    clobbers: tuple[Clobber, ...]
    span: Span
    last: Span
    sections: int = 0
    clobber_end: Span | None = None
    labels: tuple[str, ...] = ()
    guard: tuple[tuple[bool, bytes], ...] = ()
    inserted: int = 0
    ends: tuple[int, ...] = ()
    is_optional: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether all of the template is known."""
        return all(piece.known for piece in self.pieces)

    @property
    def template(self) -> bytes:
        """The text of the template."""
        return b"".join(piece.text for piece in self.pieces)

    def covers(self, line: int, column: int) -> bool:
        """Whether a place of the source is in the template."""
        return any(piece.span.line == line and piece.span.start <= column <= piece.span.end for piece in self.pieces)
