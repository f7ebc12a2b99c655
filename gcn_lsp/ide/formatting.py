"""Formats assembly: indentation by blocks, operands and comments in columns. Only blanks between words change.

Labels are a level to the left of instructions, directives at the depth of their block. Operands of consecutive
instructions, and comments after consecutive statements, begin in one column, or each after the text before it: as most
of them already do, unless the style says which. The text between the words of a macro call or a directive, in strings,
comments and metadata is not changed: blanks may count there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.ide import mnemonics
from gcn_lsp.ide.reading.blocks import LineBlock, blocks
from gcn_lsp.syntax.statement import Line, Statement, StatementKind
from gcn_lsp.text import Location, TextEdit

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class Style(msgspec.Struct, frozen=True):
    """The width of a level, and whether it is a tab; columns after the indentation are made with blanks.

    operands, comments: `column`, below each other; `blank`, after the text before them; `auto`, as most of a run are.
    """

    width: int = 4
    tabs: bool = False
    operands: str = "auto"
    comments: str = "auto"


# A longer mnemonic or statement does not push the column of the others to the right.
_LONGEST_WORD = 28
_LONGEST_CODE = 96
_INDENTING = frozenset(("macro", "condition", "repetition", "descriptor", "header"))


def detected(program: "Program") -> "tuple[int, bool] | None":
    """The width of a level that most instructions outside of blocks have, and whether it is a tab; None if none has."""
    depths = _depths(program)
    leading: Counter[bytes] = Counter()
    for number, text in enumerate(program.source.lines):
        statements = program.line(number).statements if depths[number] == 0 else ()
        is_one = statements and statements[0].kind is StatementKind.COMMAND and not statements[0].word.startswith(".")
        blank = text[: len(text) - len(text.lstrip())]
        if is_one and blank:
            leading[blank] += 1
    if not leading:
        return None
    ((blank, _),) = leading.most_common(1)
    if blank.startswith(b"\t"):
        return _TAB, True
    return min(len(blank), _WIDEST), False


_TAB, _WIDEST = 4, 16  # columns


def format_document(program: "Program", style: Style) -> list[TextEdit]:
    """The edits that format the whole file."""
    return format_lines(program, 0, len(program.source.lines) - 1, style)


def format_lines(program: "Program", first: int, last: int, style: Style) -> list[TextEdit]:
    """The edits that format lines `first` to `last` (inclusive), with the columns that the whole file has."""
    first, last = max(first, 0), min(last, len(program.source.lines) - 1)
    if first > last:
        return []
    depths = _depths(program)
    # The lines up to the next blank ones determine the columns.
    begin, end = first, last
    while begin > 0 and program.source.lines[begin - 1].strip():
        begin -= 1
    while end + 1 < len(program.source.lines) and program.source.lines[end + 1].strip():
        end += 1
    macros = frozenset(program.macros)
    rows = [_row(program, number, depths[number], macros, style) for number in range(begin, end + 1)]
    texts = _laid_out(rows, style)
    edits = (_edit(program, begin + index, text) for index, text in enumerate(texts))
    return [edit for edit in edits if edit is not None and first <= edit.where.line <= last]


def format_typed(program: "Program", line: int, style: Style) -> list[TextEdit]:
    """The edits after a line break that made line `line`: for the line before it and for the text that moved down."""
    if line < 1:
        return []
    moved = 0 <= line < len(program.source.lines) and program.source.lines[line].strip()
    return format_lines(program, line - 1, line if moved else line - 1, style)


class _DividedLine(msgspec.Struct):
    """A line divided into parts.

    kind: `comment`: nothing else; `kept`: unchanged, in `text`. indent: its levels. label: text in
    front. word, rest: the parts in columns; without `rest` the word is the whole statement. is_column: whether the rest
    belongs in the column of the run. comment: its text, at display column `column`. distance, gap: as written, from the
    start of the word to the rest, and the blanks before the comment.
    """

    kind: Literal["code", "comment", "blank", "kept"]
    text: bytes
    indent: int = 0
    label: bytes = b""
    word: bytes = b""
    rest: bytes = b""
    is_column: bool = False
    comment: bytes = b""
    column: int = -1
    distance: int = 0
    gap: int = 0


def _depths(program: "Program") -> list[int]:
    """The number of blocks around each line; blocks never closed do not count, nor one around the whole file."""
    changes = [0] * (len(program.source.lines) + 1)
    branches: set[int] = set()
    for block in blocks(program):
        if block.kind in _INDENTING and not _is_guard(program, block):
            changes[block.first + 1] += 1
            changes[block.last] -= 1
            branches.update(block.branches)
    depth = 0
    found = []
    for number, change in enumerate(changes[:-1]):
        depth += change
        found.append(depth - (number in branches))
    return found


def _is_guard(program: "Program", block: LineBlock) -> bool:
    """Whether a conditional encloses the whole file, as in a file to be included only once."""
    if block.kind != "condition" or block.branches:
        return False
    outside = (*range(block.first), *range(block.last + 1, len(program.source.lines)))
    return len(outside) < _GUARD_LINES and not any(program.line(number).statements for number in outside)


_GUARD_LINES = 200


def _row(program: "Program", number: int, depth: int, macros: frozenset[str], style: Style) -> _DividedLine:
    line = program.line(number)
    text = line.text
    if not text.strip():
        chunk = program.chunk_at(number)
        is_free = number - program.bases[chunk] not in program.chunks[chunk].raw and line.comment_start is None
        return _DividedLine("blank" if is_free else "kept", b"" if is_free else text)
    if _is_kept(program, number, line):
        return _DividedLine("kept", text)
    start = line.comment_start
    comment = text[start:].rstrip() if start is not None else b""
    column = _width(text[:start], style) if start is not None else -1
    if not line.statements:
        indent = max(1, depth) if column else 0
        return _DividedLine("comment", text, indent, comment=comment, column=column)
    gap = column - _width(text[:start].rstrip(), style) if start is not None else 0
    row = _DividedLine("code", text, depth, comment=comment, column=column, gap=gap)
    *labels, last = line.statements
    if last.kind is StatementKind.LABEL:
        row.label = text[line.statements[0].start : last.end]
        row.indent = max(0, depth - 1)
        return row
    if labels:
        row.label = text[labels[0].start : labels[-1].end]
        row.indent = max(0, depth - 1)
    elif last.kind is StatementKind.COMMAND and not last.word.startswith("."):
        row.indent = max(1, depth)
    _take_statement(program, row, last, macros)
    row.distance = _width(text[: last.rest_start], style) - _width(text[: last.name_start], style)
    return row


def _is_kept(program: "Program", number: int, line: Line) -> bool:
    """Whether a line remains unchanged: metadata, comments of several lines, text between comments, mistakes."""
    chunk = program.chunk_at(number)
    in_chunk = number - program.bases[chunk]
    if in_chunk in program.chunks[chunk].raw or in_chunk in program.chunks[chunk].commented or line.comment_open:
        return True
    if line.text.lstrip().startswith(b"#"):  # of a C preprocessor
        return True
    if any(statement.kind is StatementKind.MALFORMED for statement in line.statements):
        return True
    return bool(line.statements) and line.comment_start is not None and line.comment_start < line.statements[-1].end


def _take_statement(program: "Program", row: _DividedLine, statement: Statement, macros: frozenset[str]) -> None:
    line = statement.line
    row.word = line[statement.start : statement.end]
    # `word(` and `word"` are not separated: that might change their meaning.
    is_parted = statement.kind is StatementKind.COMMAND and statement.name_end < statement.rest_start < statement.end
    if not is_parted:
        return
    row.word = line[statement.name_start : statement.name_end]
    row.rest = statement.rest
    if statement.word.startswith("."):
        return
    row.is_column = True
    is_instruction = program.target is not None and bool(mnemonics.candidates(program.target, statement.word))
    if is_instruction and statement.name not in macros:
        row.rest = _spaced(row.rest)


_PARTS = re.compile(rb'"(?:\\.|[^"\\])*"?|[ \t]*,[ \t]*|[ \t]+|[(\[\])]|[^"\s,()\[\]]+|.', re.DOTALL)


def _spaced(operands: bytes) -> bytes:
    """Operands with one blank after each comma and between words; brackets are left as they are."""
    parts: list[bytes] = []
    depth = 0
    for part in _PARTS.findall(operands):
        depth += (part in (b"(", b"[")) - (part in (b")", b"]"))
        if depth > 0 or part[:1] == b'"':
            parts.append(part)
        elif part.strip() == b",":
            parts.append(b", ")
        else:
            parts.append(part if part.strip() else b" ")
    return b"".join(parts).rstrip()


def _laid_out(rows: "list[_DividedLine]", style: Style) -> list[bytes]:
    """The text of each row."""
    codes = [
        _code(row, column, style) for row, column in zip(rows, _operand_columns(rows, style.operands), strict=True)
    ]
    widths = [_width(code, style) for code in codes]
    found: list[bytes] = []
    before = (-1, -1)  # the comment of the row before: its old and new column
    for row, code, width, column in zip(
        rows, codes, widths, _comment_columns(rows, widths, style.comments), strict=True
    ):
        text = code
        now = (-1, -1)
        if row.kind == "comment":
            goes_on = before[0] == row.column and row.column > 0
            indent = b" " * before[1] if goes_on else _indent(row.indent, style)
            text = indent + row.comment
            now = before if goes_on else now
        elif row.kind == "code" and row.comment:
            at = max(column, width + 1)
            text = code + b" " * (at - width) + row.comment
            now = (row.column, at)
        elif row.kind == "kept":
            text = row.text
        found.append(text)
        before = now
    return found


def _code(row: _DividedLine, column: int, style: Style) -> bytes:
    """A row without its comment."""
    if row.kind != "code":
        return b""
    text = _indent(row.indent, style) + row.label
    if row.label and row.word:
        text += b" " * max(1, (row.indent + 1) * style.width - _width(text, style))
    text += row.word
    if row.rest:
        text += b" " * (max(1, column - len(row.word)) if column else 1) + row.rest
    return text


def _operand_columns(rows: "list[_DividedLine]", how: str) -> list[int]:
    """For each row the distance of the operands from the start of its word; 0: one blank after the word."""
    found = [0] * len(rows)
    for run in _runs(rows, lambda row: row.kind == "code" and not row.label and not row.word.startswith(b".")):
        by_indent: dict[int, list[int]] = {}
        for index in run:
            by_indent.setdefault(rows[index].indent, []).append(index)
        for indexes in by_indent.values():
            parted = [
                rows[index] for index in indexes if rows[index].is_column and len(rows[index].word) <= _LONGEST_WORD
            ]
            most = max((len(row.word) for row in parted), default=0) + 1
            naturals = [len(row.word) + 1 for row in parted]
            column = _column(how, [row.distance for row in parted], naturals, most)
            for index in indexes:
                if rows[index].is_column:
                    found[index] = column
    return found


def _column(how: str, columns: Sequence[int], naturals: Sequence[int], usual: int, least: int = 0) -> int:
    """The column that texts of a run begin in; 0 for each in its own, the natural one after the text before it.

    columns: those that they begin in as written. usual: the column if they neither have one nor are natural. least: a
    column to the left of it cannot be kept.
    """
    if how == "blank":
        return 0
    if how == "column" or len(columns) < 2:
        return usual
    column, count = Counter(columns).most_common(1)[0]
    both = tuple(zip(columns, naturals, strict=True))
    if 2 * count > len(columns) and column >= least:
        # Only rows that could be in the column and have a different natural one show which of the two is meant; with
        # `least` every row could.
        telling = [(written, natural) for written, natural in both if natural < column or (least and natural > column)]
        in_column = sum(written == column for written, _ in telling)
        return column if in_column >= sum(written == natural for written, natural in telling) else 0
    return 0 if 2 * sum(written == natural for written, natural in both) > len(columns) else usual


def _comment_columns(rows: "list[_DividedLine]", widths: "list[int]", how: str) -> list[int]:
    """For each row the column of the comment after it; 0: one blank after the code."""
    found = [0] * len(rows)
    for run in _runs(rows, lambda row: row.kind == "code"):
        commented = [index for index in run if rows[index].comment and widths[index] <= _LONGEST_CODE]
        if not commented:
            continue
        widest = max(widths[index] for index in commented)
        gap = 2 if how == "auto" and max(rows[index].gap for index in commented) > 1 else 1
        naturals = [rows[index].column - rows[index].gap + gap for index in commented]
        column = _column(how, [rows[index].column for index in commented], naturals, widest + 2, widest + 1)
        for index in commented:
            found[index] = column or widths[index] + gap
    return found


def _runs(rows: "list[_DividedLine]", belongs: Callable[[_DividedLine], bool]) -> Iterator[list[int]]:
    """Numbers of consecutive rows that belong."""
    run: list[int] = []
    for index, row in enumerate(rows):
        if belongs(row):
            run.append(index)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _indent(levels: int, style: Style) -> bytes:
    return b"\t" * levels if style.tabs else b" " * (levels * style.width)


def _width(text: bytes, style: Style) -> int:
    """Columns on the screen."""
    return len(text.decode("utf-8", "replace").expandtabs(style.width))


def _edit(program: "Program", number: int, new: bytes) -> TextEdit | None:
    """The smallest edit that gives the line its new text; None if it has it."""
    old = program.source.lines[number]
    if old == new:
        return None
    most = min(len(old), len(new))
    start = next((index for index in range(most) if old[index] != new[index]), most)
    tail = next((index for index in range(most - start) if old[-1 - index] != new[-1 - index]), most - start)
    where = Location(program.path, number, start, len(old) - tail)
    return TextEdit(where, new[start : len(new) - tail].decode("utf-8", "surrogateescape"))
