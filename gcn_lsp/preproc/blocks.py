"""Blocks of lines that are collected before they are interpreted: macro bodies, repetitions, metadata."""

from collections.abc import Sequence

import msgspec

from gcn_lsp.preproc import macros
from gcn_lsp.preproc.provenance import FrameKind
from gcn_lsp.preproc.state import OpenBlock
from gcn_lsp.preproc.streamer import Reporter
from gcn_lsp.preproc.symbols import Symbols
from gcn_lsp.syntax.directives import DIRECTIVES, BlockKind, Family, words
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind

# The words that open and close blocks like the one being collected.
_OPENERS = {kind: words(Family.OPENS, kind) for kind in BlockKind}
_CLOSERS = {kind: words(Family.CLOSES, kind) for kind in BlockKind}


def opened(statement: Statement, comment_open: bool) -> "Collector":
    """The block that a directive opens; `comment_open` says that a comment in its line continues after it."""
    columns = (statement.rest_start, statement.start, statement.end)
    return Collector(OpenBlock(statement.word, statement.rest, columns, commented=comment_open), comment_open)


class Collector:
    """The lines of an open block so far. comment_open: the next line begins inside a comment."""

    def __init__(self, block: OpenBlock, comment_open: bool) -> None:
        self.block = block
        self.kind = DIRECTIVES[block.word].block
        self.lines = list(block.lines)
        self.comment_open = comment_open
        self._depth = block.depth
        self._commented = block.commented

    def open_block(self) -> OpenBlock:
        """The block with the lines collected so far."""
        return msgspec.structs.replace(
            self.block, lines=tuple(self.lines), depth=self._depth, commented=self._commented
        )

    def takes(self, text: bytes, reporter: Reporter) -> bool:
        """Collect a line; False when it closes the block."""
        if self.kind is BlockKind.RAW:
            closes = text.strip().lower().startswith(DIRECTIVES[self.block.word].other.encode())
        else:
            if self._commented:
                close = text.find(b"*/")
                self._commented = self.comment_open = close < 0
                text = b"" if close < 0 else b" " * (close + 2) + text[close + 2 :]
            closes = (b"." in text or b"*" in text or self.comment_open) and self._closes(text, reporter)
        if not closes:
            self.lines.append(text)
        return not closes

    def _closes(self, text: bytes, reporter: Reporter) -> bool:
        assert self.kind is not None
        openers, closers = _OPENERS[self.kind], _CLOSERS[self.kind]
        line = parse_line(text, self.comment_open)
        self.comment_open = line.comment_open
        for statement in line.statements:
            if statement.kind is not StatementKind.COMMAND:
                continue
            if statement.word in openers:
                self._depth += 1
            elif statement.word in closers:
                if self._depth == 0:
                    reporter.expect_end(statement)
                    return True
                self._depth -= 1
        return False


def unterminated(word: str) -> str:
    """The message for a block, opened by `word`, that nothing closes."""
    return f"`{word}` has no `{DIRECTIVES[word].other}`"


_REPETITIONS: dict[str, FrameKind] = {".rep": "rept", ".rept": "rept", ".irp": "irp", ".irpc": "irpc"}


def repetition(word: str) -> FrameKind:
    """The kind of the steps of a repetition."""
    return _REPETITIONS[word]


def header_statement(block: OpenBlock) -> "Statement | None":
    """The statement that opened a block, which may be in an earlier chunk."""
    text = b" " * block.columns[1] + block.word.encode()
    text = text.ljust(block.columns[0]) + block.header
    statements = parse_line(text).statements
    return statements[0] if statements else None


def steps(block: OpenBlock, symbols: Symbols, reporter: Reporter) -> "Sequence[tuple[str, bytes | None]] | None":
    """The label of each step of a repetition, and what its name stands for in it; None if nobody knows how many."""
    start, end = block.columns[0], block.columns[2]
    kind = repetition(block.word)
    if kind == "rept":
        statement = header_statement(block)
        count = symbols.absolute(statement, statement.rest_start, statement.end) if statement is not None else None
        if count is None:
            return None
        if count < 0:
            reporter.problem("invalid-expression", start, end, f"a repetition count cannot be negative: {count}")
        return _Counted(max(0, count))
    name, comma, rest = block.header.partition(b",")
    if not comma or not macros.is_identifier(name.strip()):
        reporter.problem("malformed-directive", start, end, f"`{block.word}` takes a name, a comma and values")
        return ()
    values, problem = macros.parse_arguments(rest, None)
    if problem is not None:
        offset = start + len(block.header) - len(rest)
        reporter.problem("macro-arguments", offset + problem.start, offset + problem.end, problem.message)
    if kind == "irpc":
        if len(values) != 1:
            reporter.problem("malformed-directive", start, end, f"`.irpc` takes one word; got {len(values)}")
            return ()
        letters = (bytes((byte,)) for byte in macros.unquote(values[0]))
        return [(letter.decode("ascii", "backslashreplace"), letter) for letter in letters]
    return [(value.decode("utf-8", "replace"), macros.unquote(value)) for value in values]


class _Counted(Sequence[tuple[str, "bytes | None"]]):
    """The steps of a `.rept`; none of them is stored, however many there are."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if not 0 <= index < self._count:
            raise IndexError
        return str(index + 1), None
